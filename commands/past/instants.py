"""Instants: actions that change the result of dice that were already thrown."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from commands.action.book import Book, Written
from commands.action.dice_sources import Source, Typed
from commands.action.procedures import check_used
from commands.action.resolution import Needed, Roll
from ledger.errors import UsageError
from ledger.events import Declared, Event, Retracted

from .course import tip
from .rerun import Act, Result, Thrown, act_of, carry_on


def answer(book: Book, head: int, declared: Declared, new: Source) -> Iterator[Written]:
    """Takes the last action back, carries out the instant from the state before it, and resolves the action again.

    Raises Refused and UsageError when one of the two is not possible, Needed when dice are missing.
    """
    store = book.store
    last = tip(store, head)
    answered = act_of(store.entry(last)) if last else None
    if answered is None:
        raise UsageError("There is no action to respond to yet.", "affray log")
    after = tip(store, store.after(last))
    instant = Act(replace(declared, instant=True))
    thrown: list[Roll] = []
    for result in carry_on(book.state_at(after), (instant, answered), Thrown(store, head).of, lambda _: new):
        first = not result.act.origin
        possible(result)
        thrown += result.new
        yield Written(
            taken_back(result.events, (last,)) if first else result.events,
            result.state,
            after if first else -1,
            result.act.origin,
        )
    if isinstance(new, Typed):
        check_used(new, thrown)


def possible(result: Result) -> Result:
    """The result, or raises the reason why there is none."""
    if result.refused:
        raise result.refused
    if result.lacking:
        raise Needed(list(result.new))
    return result


def taken_back(events: Sequence[Event], entries: tuple[int, ...]) -> tuple[Event, ...]:
    """The events of an instant with those that take entries back, right after the declaration."""
    return (events[0], Retracted(entries, ()), *events[1:])
