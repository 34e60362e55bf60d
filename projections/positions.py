"""Where everybody stands and which way they face, on squares or in areas."""

from msgspec.structs import astuple, replace

from ledger.events import AreaEntered, AreasLaid, EncounterBegan, Faced, LinkLaid, Moved, Placed, square

from . import Aspect, Said, put, take


class Positions(Aspect):
    """The square of each combatant that has one."""

    WORDS = ("at",)
    PLACE = 90

    at: dict[str, tuple[int, int, int]] = {}
    """x, y and height, in squares; of a body larger than one square its lowest x and y."""

    def board(self, who: str) -> Said:
        """The square."""
        return [("at", square(self.at[who]), "")] if who in self.at else ()

    def _moved(self, event: Moved) -> "Positions":
        return self if event.to is None else Positions({**self.at, event.who: event.to})

    REDUCERS = {Placed: put("at", "at"), Moved: _moved}


class Facing(Aspect):
    """The direction that each combatant faces, if any."""

    WORDS = ("facing",)
    PLACE = 90

    of: dict[str, str] = {}
    """N, NE, E, SE, S, SW, W or NW."""

    def board(self, who: str) -> Said:
        """The direction."""
        return [("facing", self.of[who], "")] if who in self.of else ()

    REDUCERS = {Faced: put("of", "direction")}


class Link(LinkLaid, tag=False):
    """A link between two areas."""

    def joins(self, one: str, other: str) -> bool:
        """Whether it is the link between these two, named in any order."""
        return {one, other} == {self.one, self.other}


class Areas(Aspect):
    """Named areas, for tables that do not count squares."""

    WORDS = ("area",)
    PLACE = 90

    names: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    at: dict[str, str] = {}
    """For each combatant the area that it is in."""

    def board(self, who: str) -> Said:
        """The area."""
        return [("area", self.at[who], "")] if who in self.at else ()

    def link(self, one: str, other: str) -> Link | None:
        """The link between two areas, if there is one."""
        return next((link for link in self.links if link.joins(one, other)), None)

    def _linked(self, event: LinkLaid) -> "Areas":
        others = [other for other in self.links if not other.joins(event.one, event.other)]
        return replace(self, links=(*others, Link(*astuple(event))))

    def _began(self, event: EncounterBegan) -> "Areas":
        return Areas(at=self.at)

    REDUCERS = {
        AreasLaid: take("names", "areas"),
        LinkLaid: _linked,
        AreaEntered: put("at", "area"),
        EncounterBegan: _began,
    }
