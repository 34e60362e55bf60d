"""The tray of a campaign in a database: a table beside the ledger."""

from typing import Any

from ledger.tray import Tray

from .address import Address, explained


class PostgresTray(Tray):
    """The tray of a ledger in a database. Every machine that plays on the ledger sees it."""

    table = "affray.tray"

    def __init__(self, said: str) -> None:
        self._address = Address(said)
        super().__init__(self._address.campaign)
        self._db, _ = self._address.connect()

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with explained(self._address):
            found = self._db.execute(query.replace("?", "%s"), values)
            return found.fetchall() if found.description else []

    def close(self) -> None:
        """Closes the connection."""
        self._db.close()
