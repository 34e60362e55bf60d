"""What happened: events, dice, the store and its chain. Knows no rule and no command line."""

APPLICATION_ID = 0x41465259
"""`AFRY`: stands in the header of a ledger file."""
FORMAT = 2
"""Stands in its `user_version`. Format 1 was never released; `commands/files/older.py` carries it over."""
SUFFIX = ".affray"
"""How the names of ledger files end."""
