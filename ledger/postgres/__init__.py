"""Ledgers in a PostgreSQL database: many campaigns, which many machines write.

`docs/postgres.md` says how it is laid out and why. Only a ledger with such an address imports this.
"""

import logging

from .address import Address as Address
from .listing import Campaign as Campaign
from .listing import campaigns as campaigns
from .store import PostgresStore as PostgresStore
from .tray import PostgresTray as PostgresTray

logging.getLogger("psycopg").setLevel("CRITICAL")  # what it warns of becomes an error of ours
