"""What players propose, laid on the tray of a ledger as the server does it."""

from collections.abc import Sequence
from contextlib import closing
from itertools import count

from commands.action import systems
from commands.action.book import Book
from commands.action.names import acting
from commands.seats.proposals import For, propose
from commands.seats.sayable import typed_line
from commands.seats.trays import tray_at
from commands.seen.twin import twin
from commands.words.discovery import opened

_NUMBERS = count(1)


def proposes(
    path: str,
    seat: str,
    line: str,
    dice: Sequence[int | None] | None = None,
    id_: str = "",
    sent: str = "sent",
    thrown_for: tuple[For, ...] = (),
) -> int:
    """Somebody in a seat proposes the action of a line. Gives the number of the proposal."""
    with closing(opened(path)) as store:
        state = Book(store).present()[1]
    taken = state.seats.named(seat)
    assert taken is not None
    sides = systems.load(state.campaign.system).players
    now = [who for who in acting(state) if who in taken.plays]
    saying = typed_line(twin(state, sides, taken), taken, now, line)
    with closing(tray_at(path, state)) as tray:
        thrown = None if dice is None else tuple(dice)
        return propose(tray, taken.name, id_ or f"proposal-{next(_NUMBERS)}", saying, thrown, sent, thrown_for).nth
