"""Ledgers as files: opening, copying, exporting, importing, saving."""
