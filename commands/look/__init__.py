"""Looking at a ledger: boards, log, reasons, searches, disputes, statistics, rules."""
