"""Ledgers in a PostgreSQL database: many campaigns, which many machines write.

`docs/postgres.md` says how it is laid out and why. Only a ledger with such an address imports this.
"""

from . import driver as driver  # first: it imports psycopg
from .address import Address as Address
from .desk import PostgresDesk as PostgresDesk
from .listing import Campaign as Campaign
from .listing import campaigns as campaigns
from .store import PostgresStore as PostgresStore
