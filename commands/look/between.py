"""Between two evenings: what rest by the book would give for the days that passed before an encounter.

The days are real ones, and only offered: nothing is recorded before the game master says so, in words.
"""

import shlex
from collections.abc import Iterator

from msgspec import Struct

from commands.action import rulebook, systems
from commands.action.book import Book, Done, Order, events_of
from commands.action.declaration import shapes
from commands.action.dice_sources import Dice
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.quoting import quoted
from commands.action.resolution import Resolution
from commands.past.course import standing
from commands.words.command import order_of
from commands.words.screen import TRY
from ledger.errors import AffrayError
from ledger.events import Declared, Event, Rolled, Ruled
from ledger.events.sentences import counted
from projections.state import State

from .boards import board_of, friends, read_board
from .show import is_harmed
from .timeline import seconds_of

_DAY = 86_400
"""Seconds."""


class _Rest(Struct, frozen=True):
    """What rest would give somebody, or everybody where it names nobody."""

    order: Order
    who: str
    events: tuple[Event, ...]
    after: State


def offered(book: Book, done: Done) -> tuple[str, ...]:
    """What somebody who has just begun an encounter is told of the days before it: what rest by the book would give to
    those on the sides of the players, and the command that puts it before the encounter. Nothing where no day has
    passed, or nobody needs any.
    """
    state = done.before
    system = systems.load(state.campaign.system)
    rests = rulebook.of(state.campaign.system).gm.rests
    last, days = _pause(book, done.entry, rests.partition(" ")[0])
    if not days:
        return ()
    since, party = f"{counted(days, 'day')} since e{last}", _party(state)
    if not rests:
        why = system.elsewhere.get("rest", "what heals is the game master's.")
        return (f"{since}. {system.title} has no rest: {why}",) if _hurt(state, party) else ()
    each = party if "{who}" in rests else party[:1]
    tries = (_tried(state, who, rests.format(who=quoted(who), days=days)) for who in each)
    found = [one for one in tries if one]
    resting = [one for one in found if any(_gains(one, party))]
    rested = {one.who: one.after for one in found}
    hurt = [cell for who in party for cell in _hurt(rested.get(who, found[0].after if found else state), [who])]
    still = f" Still hurt then, for the game master to say: {', '.join(hurt)}." if hurt else ""
    if not resting:
        return (f"{since}. Rest by the book would give nothing.{still}",) if hurt else ()
    gains = "; ".join(gain for one in resting for gain in _gains(one, party))
    inserted = " ".join(f"--insert {quoted(words)}" for words in _insertions(rests, resting, days))
    return (
        f"{since}. Rest by the book would give: {gains}.{still}",
        "To put it before this encounter:",
        f"{TRY}affray amend e{done.entry} {inserted} --apply",
    )


def _pause(book: Book, entry: int, rest: str) -> tuple[int, int]:
    """The last entry before a pause of more than a day since the last encounter, and how many days it took, to the
    nearest; 0 for none, and where somebody has rested since.
    """
    ended = max((number for number, _ in book.store.of_kinds("encounter-ended") if number < entry), default=0)
    if not ended:
        return 0, 0
    found, before = (0, 0), book.store.entry(ended)
    for number in standing(book.store, entry, above=ended):
        now = book.store.entry(number)
        passed = seconds_of(now.recorded_at) - seconds_of(before.recorded_at)
        declared = events_of(now)[0]
        if passed > _DAY:
            found = before.entry, (passed + _DAY // 2) // _DAY
        if isinstance(declared, Declared) and declared.verb == rest:
            found = 0, 0
        before = now
    return found


def _party(state: State) -> list[str]:
    """Those on the sides of the players who are not dead."""
    sides, dead = set(friends(state)), {who for who, down in state.harm.down.items() if down.how == "dead"}
    return [who for who, member in state.roster.members.items() if member.side in sides and who not in dead]


def _hurt(state: State, party: list[str]) -> list[str]:
    """Those of them who are hurt, with how badly, as on the board."""
    rows, harm = read_board(state).rows, board_of(state).harm
    cells = ((who, title, rows[who].get(title, ""), counts) for who in party for title, counts in harm.items())
    return [f"{who} {cell} {title}" for who, title, cell, counts in cells if is_harmed(cell, counts)]


def _tried(state: State, who: str, words: str) -> _Rest | None:
    """What rest would give; None where the rules refuse it."""
    order = order_of(shlex.split(words), state.campaign.system)
    try:
        fight = resolve(Resolution(state, order.verb, resolve_names(state, order.declaration), Dice(faces=())))
    except AffrayError:
        return None
    return _Rest(order, who, tuple(fight.events), fight.state)


def _gains(rest: _Rest, party: list[str]) -> Iterator[str]:
    """What changes for them, in words."""
    for event in rest.events:
        if not isinstance(event, Declared | Rolled | Ruled) and getattr(event, "who", "") in party:
            yield event.told()


def _insertions(rests: str, resting: list[_Rest], days: int) -> list[str]:
    """The commands that give them rest: one for all, where the verb takes several."""
    words = {field.name: shape.word for field, shape in shapes(type(resting[0].order.declaration))}
    if words.get("who") == "fighters" and len(resting) > 1:
        return [rests.format(who="@party", days=days)]
    return [rests.format(who=quoted(one.who), days=days) for one in resting]
