"""Ledgers as files: open, copy, export, import and salvage."""
