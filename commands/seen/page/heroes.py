"""Heroes: what each of those on the players' sides did in the last evening of the page, as its readers know it."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from commands.look.heroes import LONG, Evening, Line
from commands.look.timeline import seconds_of
from commands.words.console import harmless

from .moments import Moment


class Played(Struct, frozen=True):
    """The last evening."""

    title: str
    heroes: dict[str, list[Line]]
    """What is told of each of them, in the order of joining."""


def heroes_of(shown: Sequence[Moment], sides: Collection[str]) -> Played | None:
    """The last evening of some entries; None where nothing is told of anybody on these sides."""
    found, ours = Evening(), dict[str, None]()
    for moment in _last_evening(shown):
        found.take(moment.page.entry, moment.page.events, moment.known)
        ours |= {who: None for who, present in moment.page.there.items() if present.side in sides}
    heroes = {
        harmless(who): [Line(one.title, harmless(one.text), one.entries) for one in lines]
        for who in ours
        if who in found.heroes and (lines := [*found.heroes[who].lines()])
    }
    return Played(f"The evening of {found.day}, e{found.first} to e{found.last}", heroes) if heroes else None


def _last_evening(shown: Sequence[Moment]) -> Sequence[Moment]:
    """Those that stand since the last long pause."""
    times = {moment.page.entry.entry: seconds_of(moment.page.entry.recorded_at) for moment in shown}
    stand = [moment for moment in shown if not moment.passing]
    played = [times.get(moment.page.entry.origin, times[moment.page.entry.entry]) for moment in stand]
    first = next((at for at in range(len(stand) - 1, 0, -1) if played[at] - played[at - 1] > LONG), 0)
    return stand[first:]
