"""Heroes: what each of those on the players' sides did in the last evening of the page, as its readers know it."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from commands.look.heroes import Evening, Line
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
    found = Evening()
    times: dict[int, int] = {}
    ours: dict[str, None] = {}
    for moment in shown:
        entry = moment.page.entry
        times[entry.entry] = seconds_of(entry.recorded_at)
        if not moment.passing:
            found.take(entry, moment.page.events, moment.known, times.get(entry.origin, times[entry.entry]))
        ours |= {who: None for who, present in moment.page.there.items() if present.side in sides}
    heroes = {
        harmless(who): [Line(one.title, harmless(one.text), one.entries) for one in lines]
        for who in ours
        if who in found.heroes and (lines := [*found.heroes[who].lines()])
    }
    return Played(f"The evening of {found.day}, e{found.first} to e{found.last}", heroes) if heroes else None
