"""Who takes part, on which side, and with which gear: worn, wielded, spent, dropped, given and taken."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from .declared import Event
from .sentences import Sentence, alone, counted, own, side_word, square, whose

Held = TypeVar("Held")


class Joined(Event, tag="joined"):
    """A combatant came to the table. They are the same person from now on, whatever their name, until they leave."""

    OPEN = ("who", "side", "place")
    who: str
    """The name at the table."""
    side: str
    """Combatants of one side are not each other's enemies."""
    sheet: Raw
    """The stat block, as JSON, in the words of its rule system."""
    place: int = 0
    """Where a join is resolved again and this is another person than the one in the same place of the first: the place
    that stands for the person, 1 for the first; 0 for the place of this event. Stands before `sheet` in the record."""
    player: bool = False
    """Whether its stat block says that a player plays it."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"joins the {side_word(self.side)}"


class Masked(Event, tag="masked"):
    """The players know a combatant by another name than its own."""

    OPENS = True
    who: str
    """The name that everybody sees."""
    name: str
    """The true one."""
    SAYS = "is really {name}"


class Unmasked(Event, tag="unmasked"):
    """The players learned a true name; later exports for players show it, in the past too. No undo hides it."""

    OPENS = True
    OPEN = ("who", "name")
    who: str
    """The name that everybody saw."""
    name: str
    """The true one."""
    SAYS = "is really {name}"


class Renamed(Event, tag="renamed"):
    """A combatant bears another name from now on."""

    OPENS = True
    OPEN = ("who", "name")
    who: str
    """The name until now."""
    name: str
    """The new one."""
    SAYS = "is now called {name}"

    def moves(self, held: Mapping[str, Held]) -> dict[str, Held]:
        """What is held of each name, in the same order, under the names after it."""
        return {self.name if one == self.who else one: value for one, value in held.items()}


class Left(Event, tag="left"):
    """A combatant left the table. Their sheet, health and place are removed."""

    OPEN = ("who",)
    who: str
    """Who left."""
    SAYS = "leaves"


class SheetChanged(Event, tag="sheet-changed"):
    """A combatant has a different stat block from now on. Their harm, conditions, gear and place stay."""

    OPEN = ("who",)
    who: str
    """Whose stat block."""
    before: Raw
    """The stat block until now, as JSON, in the words of its rule system."""
    sheet: Raw
    """The stat block from now on."""
    VAGUE = "{who} has a different stat block"

    def sentence(self) -> Sentence:
        old, new = (_values(msgspec.json.decode(raw)) for raw in (self.before, self.sheet))
        differ = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        if len(differ) != 1 or differ[0] not in new:
            return self.who, " ", "has a different stat block"
        name = differ[0]
        return self.who, own(self.who), f"{name} is now {new[name]}{f', not {old[name]}' if name in old else ''}"


def _values(part: Any, name: str = "") -> dict[str, str]:
    """The values of a stat block by name: `hp_max`, `skills.climb`, `sword.attack`."""
    if isinstance(part, list) and all(isinstance(row, dict) and "name" in row for row in part):
        part = {row["name"]: row for row in part}
        name = ""
    if not isinstance(part, dict):
        word = {True: "yes", False: "no"}.get(part) if isinstance(part, bool) else None
        return {name: word or (", ".join(map(str, part)) if isinstance(part, list) else str(part))}
    found: dict[str, str] = {}
    for key, value in part.items():
        found |= _values(value, f"{name}.{key}" if name else key)
    return found


class Seated(Event, tag="seated"):
    """A seat was given to a player, changed, or taken away."""

    OPEN = ("seat", "plays", "trusted")
    OF_FIGHT = True
    seat: str
    """The name of the seat: the player's."""
    plays: tuple[str, ...] = ()
    """The combatants that the player plays from now on; none where the seat is taken away."""
    trusted: bool = False
    """Whether what the player proposes for them is recorded without being asked about."""

    def sentence(self) -> Sentence:
        if not self.plays:
            return alone(f"nobody sits in {whose(self.seat)} seat")
        return alone(f"{self.seat} plays {', '.join(self.plays)}{', trusted' * self.trusted}")


class SideChanged(Event, tag="side-changed"):
    """A combatant fights for another side now."""

    OPEN = ("who", "side")
    who: str
    """Who changed sides."""
    side: str
    """The side that they fight for from now on."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"fights for the {side_word(self.side)}"


class TruceMade(Event, tag="truce-made"):
    """Two sides are not each other's enemies, until the encounter or the truce ends."""

    OPEN = ("one", "other")
    one: str
    """One side."""
    other: str
    """The other side."""
    TOLD = "truce between {one} and {other}"


class TruceEnded(Event, tag="truce-ended"):
    """Two sides are each other's enemies again."""

    OPEN = ("one", "other")
    one: str
    """One side."""
    other: str
    """The other side."""
    TOLD = "truce between {one} and {other} ends"


class Equipped(Event, tag="equipped"):
    """An item was put on or drawn."""

    who: str
    """Who has it in hand or on now."""
    item: str
    """The name of the item on the sheet."""
    drawn: bool = False
    """Whether it is what they use from now on, before all that they have in hand."""
    SAYS = "takes the {item}"


class Unequipped(Event, tag="unequipped"):
    """An item was taken off or put away."""

    who: str
    """Who put it away."""
    item: str
    """The name of the item on the sheet."""
    SAYS = "puts the {item} away"


class AmmunitionSet(Event, tag="ammunition-set"):
    """Ammunition was counted: on joining, or by the game master."""

    who: str
    """Whose ammunition."""
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    left: int
    """How many pieces there are."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"has {counted(self.left, self.kind)}"


class AmmunitionSpent(Event, tag="ammunition-spent"):
    """Ammunition was spent."""

    ASIDE = True
    who: str
    """Who shot."""
    kind: str
    """Arrow, bolt ..., in the word of the rule system."""
    pieces: int
    """1 or more."""
    left: int
    """How many pieces remained."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"spends {counted(self.pieces, self.kind)}, {self.left} left"


class Dropped(Event, tag="dropped"):
    """An item was dropped. It lies on a square, and nobody wears or wields it."""

    OPEN = ("who", "item", "at")
    who: str
    """Who had it."""
    item: str
    """The name of the item on the sheet."""
    at: tuple[int, int, int]
    """x, y and height, in squares."""

    def sentence(self) -> Sentence:
        return self.who, own(self.who), f"{self.item} lies at {square(self.at)}"


class PickedUp(Event, tag="picked-up"):
    """Somebody picked up an item from the ground."""

    OPEN = ("who", "item", "at")
    who: str
    """Who has it now."""
    item: str
    """The name of the item."""
    at: tuple[int, int, int]
    """Where it lay: x, y and height, in squares."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"picks the {self.item} up at {square(self.at)}"


class ItemGained(Event, tag="item-gained"):
    """Somebody got an item that was not on the stat block: found, bought, or taken from somebody else."""

    who: str
    """Who has it now; it is carried, and not in hand yet."""
    item: str
    """The name of the item."""
    sheet: Raw
    """The stat block from now on, as JSON, in the words of its rule system."""
    SAYS = "now has the {item}"


class ItemLost(Event, tag="item-lost"):
    """Somebody no longer has an item."""

    who: str
    """Who had it."""
    item: str
    """The name of the item."""
    sheet: Raw
    """The stat block from now on, as JSON, in the words of its rule system."""
    SAYS = "no longer has the {item}"

    def repeats(self) -> tuple[str, ...]:
        """Nobody has a thing again that was on the ground and is another's now."""
        return (f"has the {self.item} again",)
