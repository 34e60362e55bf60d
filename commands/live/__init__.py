"""The players' window: a live page that follows the ledger. Imported only by the verb `serve`."""
