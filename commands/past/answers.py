"""Instants: actions that change the result of dice that were already thrown."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from commands.action.book import Book, Written
from commands.action.dice_sources import Dice
from commands.action.procedures import check_used
from commands.action.resolution import Needed, Roll
from ledger.errors import UsageError
from ledger.events import Declared, Event, Retracted
from ledger.store import Store

from .acts import Act, act_of, acts
from .course import last_action, tip
from .order import Course
from .rerun import Result
from .thrown import Thrown


def answer(book: Book, head: int, declared: Declared, new: Dice) -> Iterator[Written]:
    """Takes the last action back, carries out the instant from the state before it, and resolves the action again.

    Raises Refused and UsageError when one of the two is not possible, Needed when dice are missing.
    """
    store = book.store
    after, course = answered(store, head)
    if not course:
        raise UsageError("There is no action to respond to yet.", "affray log")
    instant = Act(replace(declared, instant=True))
    thrown: list[Roll] = []
    for result in Course((instant, *course), Thrown(store, head).of, lambda _: new).results(book.state_at(after)):
        first = not result.act.origin
        possible(result)
        thrown += result.new
        yield Written(
            taken_back(result.events, tuple(act.entry for act in course)) if first else result.events,
            result.state,
            after if first else 0,
            result.act.origin,
        )
    check_used(new, thrown)


def answered(store: Store, head: int) -> tuple[int, tuple[Act, ...]]:
    """Where the course stood before the last action, and that action with the notes, rolls, disputes and words of the
    game master since; without any when there is none.
    """
    last = last_action(store, head)
    if not last or act_of(store.entry(last)) is None:
        return 0, ()
    return tip(store, store.after(last)), tuple(acts(store, tip(store, head), last))


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
