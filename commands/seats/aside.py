"""Dice on their way: kept while a command is tried again, and recorded as set aside where no command uses them."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from commands.action.book import Book, Done, Order
from commands.action.dice_sources import Asking, Question
from commands.action.seats import SetAside
from commands.past.perform import perform
from commands.words.command_lines import typed
from ledger.errors import LedgerBusy

_TRIES = 20
"""How often a command is tried where others record something while its dice are thrown."""


class _Remembered:
    """Asks for each die only once, however often the command is tried."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self._heard: dict[tuple[Question, ...], Sequence[int | None]] = {}

    def __call__(self, pool: Sequence[Question]) -> Sequence[int | None]:
        """The faces."""
        if (asked := tuple(pool)) not in self._heard:
            self._heard[asked] = self._ask(pool)
        return self._heard[asked]


def tried(book: Book, order: Order) -> Done:
    """What comes of an order that asks for dice; tried again where others recorded something meanwhile, unless its
    words rely on what was shown.
    """
    assert order.ask is not None
    order = replace(order, ask=_Remembered(order.ask))
    for left in reversed(range(1 if order.shown else _TRIES)):
        try:
            return perform(book, order)
        except LedgerBusy:
            if not left:
                raise
    raise AssertionError


def set_aside(
    book: Book, said: SetAside, once: str = "", still: Callable[[], None] | None = None, secret: bool = False
) -> Done:
    """Records dice that were thrown and not used."""
    line = typed("set-aside", said).removeprefix("affray ")
    return perform(book, Order("set-aside", said, line, once=once, still=still, secret=secret))
