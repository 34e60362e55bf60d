"""The areas of the encounter, how they hang together, and who is in which."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import AreaEntered, AreasLaid, EncounterEnded, Left, LinkLaid


class Link(Struct, frozen=True, omit_defaults=True, gc=False):
    """A link between two areas; the fields are those of `LinkLaid`."""

    one: str
    other: str
    move: bool = True
    see: bool = True
    oneway: bool = False
    check: str = ""
    difficulty: int = 0

    def joins(self, one: str, other: str) -> bool:
        """Whether it is the link between these two, named in any order."""
        return {one, other} == {self.one, self.other}


class Areas(Struct, frozen=True, omit_defaults=True, gc=False):
    """Named areas, for those who do not count squares."""

    names: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    at: dict[str, str] = {}
    """For each combatant the area that it is in."""

    def link(self, one: str, other: str) -> Link | None:
        """The link between two areas, if there is one."""
        return next((link for link in self.links if link.joins(one, other)), None)


def _laid(state: Areas, event: AreasLaid) -> Areas:
    return replace(state, names=event.areas)


def _linked(state: Areas, event: LinkLaid) -> Areas:
    link = Link(event.one, event.other, event.move, event.see, event.oneway, event.check, event.difficulty)
    others = tuple(other for other in state.links if not other.joins(event.one, event.other))
    return replace(state, links=(*others, link))


def _entered(state: Areas, event: AreaEntered) -> Areas:
    return replace(state, at={**state.at, event.who: event.area})


def _ended(state: Areas, event: EncounterEnded) -> Areas:
    return Areas(at=state.at)


def _left(state: Areas, event: Left) -> Areas:
    if event.who not in state.at:
        return state
    return replace(state, at={who: area for who, area in state.at.items() if who != event.who})


REDUCERS = {AreasLaid: _laid, LinkLaid: _linked, AreaEntered: _entered, EncounterEnded: _ended, Left: _left}
