"""Where the ledger is."""

import os
import sqlite3

from ledger.errors import LedgerMissing

SUFFIX = ".affray"


def find_ledger(said: str = "") -> str:
    """The path of the ledger: as said, from `$AFFRAY_LEDGER`, or the one in this folder or the nearest parent.

    Raises LedgerMissing when there is none, or more than one in the same folder.
    """
    named = said or os.environ.get("AFFRAY_LEDGER", "")
    if named:
        return named
    try:
        folder = os.getcwd()
    except OSError:
        raise LedgerMissing("This folder does not exist any more.", "cd to another one.") from None
    while True:
        try:
            found = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
        except OSError:
            found = []
        if len(found) == 1:
            return os.path.join(folder, found[0])
        if found:
            raise LedgerMissing(
                f"There are {len(found)} ledgers here: {', '.join(found[:5])}.", "Say which: --ledger FILE."
            )
        parent = os.path.dirname(folder)
        if parent == folder:
            raise LedgerMissing(
                "There is no ledger in this folder or above it.",
                "Name one with --ledger FILE, or open one.\naffray init Campaign --system freepg",
            )
        folder = parent


def system_of(path: str) -> str:
    """The rule system of the ledger at `path`, read without opening it for anything else; "" when it has none."""
    if not os.path.isfile(path):
        return ""
    try:
        ledger = sqlite3.connect(path)
        row = ledger.execute("SELECT body ->> '$.system' FROM events WHERE seq = 2").fetchone()
        ledger.close()
    except sqlite3.Error:
        return ""
    return str(row[0]) if row and row[0] else ""
