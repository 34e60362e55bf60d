"""The tray of a ledger, found by the ledger's path or address."""

from commands.words.console import Console
from commands.words.discovery import engine, find_ledger, is_address
from ledger.tray import FileTray, Tray
from projections.state import State


def tray_at(path: str, state: State) -> Tray:
    """The tray beside the ledger at a path or an address, with this campaign. Raises LedgerMissing when it cannot be
    opened.
    """
    tray: Tray = engine().PostgresTray(path) if is_address(path) else FileTray(path, state.campaign.commitment)
    return tray


def tray_of(console: Console) -> Tray:
    """The tray beside the ledger of a console."""
    state = console.book.present()[1]
    return tray_at(find_ledger(console.ledger), state)
