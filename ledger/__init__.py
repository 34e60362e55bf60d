"""What happened: events, dice, the store and its chain. Knows no rule and no command line."""

APPLICATION_ID = 0x41464652
"""`AFFR`: stands in the header of a ledger file."""
FORMAT = 1
"""Stands in its `user_version`."""
SUFFIX = ".affray"
"""How the names of ledger files end."""
