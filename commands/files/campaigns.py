"""The campaigns of a database."""

from typing import Annotated

from msgspec import to_builtins

from commands.action.declaration import Declaration, says
from commands.words.console import Console
from commands.words.discovery import engine, is_address
from commands.words.screen import harmless
from commands.words.tables import fitted
from ledger.errors import UsageError


class Ledgers(Declaration):
    """List the campaigns of a PostgreSQL database: their name, rule system, entries and last change."""

    database: Annotated[str, says("Its address, such as postgresql://gm@host/club.")]


def ledgers(console: Console, said: Ledgers) -> None:
    """Lists them by name."""
    if not is_address(said.database):
        message = "A database is named by its address."
        raise UsageError(message, "Write it as postgresql://USER@HOST/DATABASE, as in its own tools.")
    found = engine().campaigns(said.database)
    if console.json:
        console.give({"ok": True, "ledgers": to_builtins(found)})
        return
    if not found:
        console.whisper("The database holds no campaign yet.")
        return
    rows = []
    for one in found:
        entries = f"{one.entries} entr{'y' if one.entries == 1 else 'ies'}"
        rows.append((harmless(one.name), one.system or "players", entries, one.changed))
    for line in fitted([""] * 4, rows, None):
        console.say(line, whole=True)
