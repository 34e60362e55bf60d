"""The campaigns of a database."""

from typing import Annotated

from msgspec import Meta, to_builtins

from commands.action.declaration import Declaration
from commands.words.console import Console
from commands.words.discovery import engine, is_address
from commands.words.screen import harmless
from ledger.errors import UsageError


class Ledgers(Declaration):
    """List the campaigns of a PostgreSQL database: their name, rule system, entries and last change."""

    database: Annotated[str, Meta(description="Its address, such as postgresql://gm@host/club.")]


def ledgers(console: Console, said: Ledgers) -> None:
    """Lists them by name."""
    if not is_address(said.database):
        raise UsageError(
            "A database is named by its address.", "Write it as postgresql://USER@HOST/DATABASE, as in its own tools."
        )
    found = engine().campaigns(said.database)
    if console.json:
        console.give({"ok": True, "ledgers": to_builtins(found)})
        return
    if not found:
        console.whisper("The database holds no campaign yet.")
        return
    widths = [max(len(str(row[at])) for row in map(_cells, found)) for at in range(4)]
    for one in found:
        cells = [cell.ljust(width) for cell, width in zip(_cells(one), widths, strict=True)]
        console.say(harmless("  ".join(cells).rstrip()), whole=True)


def _cells(one: object) -> tuple[str, str, str, str]:
    """The words of a line."""
    row = to_builtins(one)
    entries = f"{row['entries']} {'entry' if row['entries'] == 1 else 'entries'}"
    return row["name"], row["system"] or "players", entries, row["changed"]
