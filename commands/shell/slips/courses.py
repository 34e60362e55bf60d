"""A command tried with several dice of the program, so that what is offered does not depend on them."""

import re
from functools import partial
from typing import TYPE_CHECKING

from commands.action.book import Written
from commands.action.declaration import Declaration
from commands.action.dice_sources import Source, Stream, Typed
from commands.action.procedures import ANY_DICE, LeftOver, resolve, with_lacking
from commands.action.resolution import Again, Latest, Resolution
from commands.past import unneeded
from commands.past.course import latest
from ledger.errors import AffrayError
from ledger.events import Rolled

if TYPE_CHECKING:
    from commands.action.book import Book, Order
    from projections.state import State

_OTHERWISE = (3, 7)
"""Other dice with which a command without typed dice must work."""
_MORE = 24
"""The most dice that are left to the program behind those that were typed."""


def resolved(book: "Book", state: "State", order: "Order", said: Declaration) -> tuple[Resolution, int] | None:
    """A command as it is resolved, and how many dice are lacking at the most: that may depend on those of the program.
    None where it works with some dice only, or needs too many. Raises AffrayError where it is impossible.
    """
    last = partial(latest, book.store, book.store.head().entry)

    def carry_out(source: Source) -> Resolution:
        fight = resolve(Resolution(state, order.verb, said, source, order.allow, last))
        book.check_unsaid([Written(tuple(fight.events), fight.state)])
        return fight

    if order.dice is not None:
        try:
            return with_lacking(Typed(order.dice, None, order.spare, order.owners), _MORE, carry_out)
        except LeftOver as error:
            if not unneeded.lines(book, error):
                raise  # one was misread
            return with_lacking(Typed(order.dice, None, True, order.owners), _MORE, carry_out)
    fight = carry_out(Stream(ANY_DICE, 0))
    return None if any(_fails(state, order, said, last, one) for one in _OTHERWISE) else (fight, 0)


def _fails(state: "State", order: "Order", said: Declaration, last: Latest, nth: int) -> bool:
    """Whether the rules refuse a command with other dice of the program."""
    try:
        resolve(Resolution(state, order.verb, said, Stream(bytes([nth]) * len(ANY_DICE), 0), order.allow, last))
    except Again:
        return False
    except AffrayError:
        return True
    return False


def written(line: str, order: "Order", fight: Resolution, more: int) -> str:
    """The line of a command with a dash for each die that is lacking. Dice with owners stand in the order in which they
    fall, so that others can be left to the program.
    """
    if order.owners:
        fallen = [shown for one in fight.events if isinstance(one, Rolled) for shown in _fallen(one)]
        fallen += ["-"] * (len(order.owners) + more - len(fallen))
        return re.sub(r"--dice[ =]\S+", f"--dice {','.join(fallen)}", line)
    line = re.sub(r"( =(?: (?!--)\S+)+)", rf"\1{' -' * more}", line, count=1)
    return re.sub(r"(--dice[ =]\S+)", rf"\1{',-' * more}", line)


def _fallen(roll: Rolled) -> list[str]:
    """The faces of a roll, with a dash for each that the program rolled."""
    return ["-" if place else str(face) for face, place in zip(roll.faces, roll.places, strict=True)]
