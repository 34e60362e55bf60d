"""Heroes: what each of those on the players' sides did in the last evening of the page, as its readers know it."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from commands.look.heroes import LONG, Evening, Line
from commands.look.timeline import seconds_of
from commands.words.screen import harmless
from projections.persons import Persons

from .moments import Moment


class Played(Struct, frozen=True):
    """The last evening."""

    title: str
    heroes: dict[str, list[Line]]
    """What is told of each of them, in the order of joining."""


def heroes_of(shown: Sequence[Moment], sides: Collection[str], persons: Persons) -> Played | None:
    """The last evening of some entries in which something is told of somebody on these sides; None without any."""
    return next((played for evening in _evenings(shown) if (played := _played(evening, sides, persons))), None)


def _evenings(shown: Sequence[Moment]) -> Iterator[Sequence[Moment]]:
    """The entries that stand, from one long pause to the next; the last evening first."""
    times = {moment.page.entry.entry: seconds_of(moment.page.entry.recorded_at) for moment in shown}
    stand = [moment for moment in shown if not moment.passing]
    played = [times.get(moment.page.entry.origin, times[moment.page.entry.entry]) for moment in stand]
    end = len(stand)
    for at in range(end - 1, -1, -1):
        if not at or played[at] - played[at - 1] > LONG:
            yield stand[at:end]
            end = at


def _played(evening: Sequence[Moment], sides: Collection[str], persons: Persons) -> Played | None:
    found, ours = Evening(), dict[str, None]()
    for moment in evening:
        entry = moment.page.entry
        events = persons.under_told_names(entry.after, entry.origin, moment.page.events)
        found.take(entry, events, persons.under_told_names(entry.after, entry.origin, moment.known))
        of = persons.at(entry.after).of
        there = (who for who, present in moment.page.there.items() if present.side in sides)
        ours |= {persons.told(of[who]) if who in of else who: None for who in there}
    heroes = {
        harmless(who): [Line(one.title, harmless(one.text), one.entries) for one in lines]
        for who in ours
        if who in found.heroes and (lines := [*found.heroes[who].lines()])
    }
    return Played(f"The evening of {found.day}, e{found.first} to e{found.last}", heroes) if heroes else None
