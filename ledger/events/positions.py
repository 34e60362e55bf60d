"""The ground, where everybody stands, and which way they face."""

from .declared import Event
from .sentences import Sentence, alone, counted, does, square, whereabouts


class GroundLaid(Event, tag="ground-laid"):
    """Squares of the map were given a feature."""

    OPEN = ("feature", "squares")
    feature: str
    """What lies there, in the word of the rule system: obstacle, difficult, amplifier ..."""
    squares: tuple[tuple[int, int], ...]
    """x and y."""

    def sentence(self) -> Sentence:
        where = f"{len(self.squares)} squares" if len(self.squares) > 6 else _squares(self.squares)
        return alone(f"{self.feature} on {where}")


class GroundCleared(Event, tag="ground-cleared"):
    """Squares of the map lost a feature."""

    OPEN = ("feature", "squares")
    feature: str
    """What no longer lies there."""
    squares: tuple[tuple[int, int], ...]
    """x and y."""

    def sentence(self) -> Sentence:
        return alone(f"no {self.feature} on {_squares(self.squares)}")


class Placed(Event, tag="placed"):
    """A combatant was put on a square without walking there."""

    OPEN = ("who", "at")
    who: str
    """Who stands there."""
    at: tuple[int, int, int]
    """x, y and height, in squares."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"is at {square(self.at)}"


class Moved(Event, tag="moved"):
    """A combatant moved."""

    GOES = True
    OPEN = ("who", "how", "squares", "to", "measure")
    who: str
    """Who moved."""
    how: str
    """Walk, run, fly, or the word of the rule system."""
    squares: int
    """How much of the allowance it cost, in squares."""
    to: tuple[int, int, int] | None = None
    """Where they stand now: x, y and height, in squares; none when nobody counts squares."""
    measure: str = ""
    """How far, in the measure of the rule system, such as 60 feet, when nobody counts squares."""

    def sentence(self) -> Sentence:
        if self.measure:
            return self.who, " ", f"{does(self.how)} {self.measure}"
        to = f" to {square(self.to)}" if self.to else ""
        return self.who, " ", f"{does(self.how)} {counted(self.squares, 'square')}{to}"


class Faced(Event, tag="faced"):
    """A combatant faces a direction."""

    GOES = ASIDE = True
    OPEN = ("who", "direction")
    who: str
    """Who turns."""
    direction: str
    """N, NE, E, SE, S, SW, W or NW; north is where y grows."""
    SAYS = "faces {direction}"


class AreasLaid(Event, tag="areas-laid"):
    """The ground of the encounter was divided into named areas."""

    OPEN = ("areas",)
    areas: tuple[str, ...]
    """Their names."""

    def sentence(self) -> Sentence:
        return alone(f"areas: {', '.join(self.areas)}")


class LinkLaid(Event, tag="link-laid"):
    """Two areas were joined, or the link between them was changed."""

    OPEN = ("one", "other", "move", "see", "oneway", "check", "difficulty", "free_back")
    one: str
    """One area."""
    other: str
    """The other area."""
    move: bool = True
    """Whether combatants can go from one area to the other."""
    see: bool = True
    """Whether combatants in one area see into the other."""
    oneway: bool = False
    """True when the link leads only from the first to the other."""
    check: str = ""
    """The skill of the check that the way demands; "" when anybody can go."""
    difficulty: int = 0
    """What the check must beat; 0 without a check."""
    free_back: bool = False
    """True when the check is demanded only from the first to the other: up, and not down."""

    def demanded(self, here: str) -> str:
        """The skill of the check that the way demands from one of the areas; "" when anybody can go."""
        return "" if self.free_back and here != self.one else self.check

    def sentence(self) -> Sentence:
        return alone(f"{self.one} to {self.other}: {self.ways()}")

    def ways(self) -> str:
        """How the two areas are joined, in words."""
        words = [
            "" if self.move else "no way",
            "" if self.see else "out of sight",
            f"only to {self.other}" if self.oneway else "",
            f"{self.check} check against {self.difficulty}" if self.check else "",
            f"free to {self.one}" if self.free_back else "",
        ]
        return ", ".join(filter(None, words)) or "open"


class AreaEntered(Event, tag="area-entered"):
    """A combatant entered an area and left the one before."""

    GOES = True
    OPEN = ("who", "area")
    who: str
    """Who enters."""
    area: str
    """The area that they enter."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"moves {whereabouts('to', self.area)}"


def _squares(squares: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{x},{y}" for x, y in squares)
