"""The desk of a ledger, found by the ledger's path or address."""

from commands.words.console import Console
from commands.words.discovery import engine, find_ledger, is_address
from ledger.desk import Desk, FileDesk
from projections.state import State


def desk_at(path: str, state: State) -> Desk:
    """The desk beside the ledger at a path or an address, with this campaign. Raises LedgerMissing when it cannot be
    opened.
    """
    if is_address(path):
        desk: Desk = engine().PostgresDesk(path)
        return desk
    return FileDesk(path, state.campaign.commitment)


def desk_of(console: Console) -> Desk:
    """The desk beside the ledger of a console."""
    state = console.book.present()[1]
    return desk_at(find_ledger(console.ledger), state)
