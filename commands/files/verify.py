"""Verify: the ledger, or a file of JSON Lines that an export wrote."""

import os
from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Annotated

from commands.action.book import Book
from commands.action.declaration import says
from commands.past import audit as past
from commands.words.console import Console
from ledger.sqlite import SqliteStore

from .transfer import read_file


class Verify(past.Checking):
    """Check the whole record: the chain, the dice, the order of play, the file, and every ruling again. Prints
    the head line, to keep or to compare. A file of JSON Lines is checked the same way; of one for players, only the
    chain and the revealed dice.

    Lists every finding with its place. Drift is not damage: another version of the rules resolved the entry, and this
    version would resolve it differently. The record stands.
    """

    file: Annotated[str, says("JSON Lines to check in place of the ledger, such as fight.jsonl.", positional=True)] = ""


def verify(console: Console, said: Verify) -> None:
    """Audits, and says all that was found. Raises LedgerDamaged when something is not as it should be."""
    if not said.file:
        try:
            past.verify(console, said, console.book)
        finally:
            console.close()  # what it found out about the file holds for now only
        return
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "checked.affray")
        read_file(said.file, path)
        with closing(SqliteStore.open(path)) as store:
            past.verify(console, said, Book(store))
