"""The stat block: what a sheet may say, and what follows from it alone."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from . import actions

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Bonus = Annotated[int, Meta(ge=-100, le=100)]
Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]
Points = Annotated[int, Meta(ge=1, le=1_000_000)]


class Size(Struct, frozen=True):
    """What a size means."""

    hp: int
    """Health points of an enemy."""
    across: int
    """Squares along one edge of the body."""


SIZES = {"minion": Size(1, 1), "small": Size(20, 1), "medium": Size(30, 2), "large": Size(40, 4)}
"""freepg.enemy.health and freepg.enemy.footprint, as a table."""


class Item(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An enhanced item. Its numbers count while it is equipped; penalties are negative."""

    name: Name
    """What it is called. Each item of a combatant has a name of its own."""
    slot: Literal["weapon", "ring", "hand", "head", "pendant", "armor", "belt", "feet"]
    """Where it is worn or wielded. The slot decides which bonuses it may give and how many are worn at once."""
    equipped: bool = True
    """Whether it is worn or wielded on joining; what is not is carried."""
    attack: Bonus = 0
    """Added to attack rolls, in points: at most 5, by a weapon."""
    damage: Bonus = 0
    """Added to damage, in points: at most 2, by a ring or something for the hand."""
    defense: Bonus = 0
    """Added to defense rolls, in points: at most 2, by something for the head or a pendant."""
    armor: Bonus = 0
    """Taken off the damage of each blow, in points: at most 5, by armor."""
    speed: Bonus = 0
    """Added to the walking speed, in squares: at most 5, by something for the belt, feet or head."""
    fly: Bonus = 0
    """Added to the flying speed, in squares: at most 5, by something for the belt, feet or head."""
    skill: dict[Name, Bonus] = {}
    """Added to checks of these skills, in points: at most 5, by something for the belt, feet or head."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A combatant's stat block."""

    name: Name
    """The name at the table, unless `--called` gives another."""
    kind: Literal["pc", "ally", "enemy", "trap"] = "pc"
    """A player character, an ally of theirs that the game master plays, an enemy, or a trap. Enemies and traps are the
    foes.
    """
    seat: Annotated[str, Meta(max_length=40)] = ""
    """Who plays it; without it, a player character has a seat of its own, and the game master (`gm`) plays all others.
    In the players' files the side of anyone with a seat other than `gm` is theirs.
    """
    size: Literal["minion", "small", "medium", "large"] = "small"
    """A minion has 1 hit point as an enemy and is 1 square across, small 20 and 1, medium 30 and 2, large 40 and 4."""
    health_die: Annotated[int, Meta(ge=1, le=20)] | Literal["roll"] | None = None
    """The d20 that its health was rolled with: half of it and 50 are the hit points. "roll" rolls it on joining;
    without it, and without `hp_max`, it has 50. The size decides for an enemy.
    """
    hp_max: Points | None = None
    """The most hit points; without it, they follow from the size or the health die."""
    hp: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """Hit points on joining; without it, the maximum."""
    flat_bonus: Bonus = 0
    """Added to attack, defense and movement, in points: 0 to 3 for an enemy, 0 for all others."""
    speed: Annotated[int, Meta(ge=0, le=1000)] = 5
    """How far it walks with one action, in squares."""
    fly: Annotated[int, Meta(ge=0, le=1000)] = 3
    """How far it flies with one action, in squares."""
    skill: dict[Name, Bonus] = {}
    """What its skills add to checks, in points. A player character has one skill, at 5."""
    extra_attacks: Annotated[int, Meta(ge=0, le=100)] = 0
    """How many attacks it has in a turn besides the first."""
    position: Annotated[tuple[Coordinate, ...], Meta(min_length=2, max_length=3)] | None = None
    """Where it stands on joining, unless `--at` says so: x, y and perhaps the height, in squares."""
    prone: bool = False
    """Whether it lies on the ground on joining."""
    trap: Literal["single", "continuous"] | None = None
    """For a trap: single fires once, with 5 more damage by itself; continuous goes on, and adds 2 to its next attack
    for each turn on which it waits. Nothing else has it."""
    items: tuple[Item, ...] = ()
    """What it wears, wields and carries."""

    def seat_of(self, who: str) -> str:
        """The seat that plays this combatant, under its name at the table."""
        return self.seat or (who if self.kind == "pc" else actions.GM)

    @property
    def across(self) -> int:
        """Squares along one edge of its body."""
        return SIZES[self.size].across

    def item(self, name: str) -> Item | None:
        """The item of that name, or whose name alone begins so, in any case."""
        for item in self.items:
            if item.name == name:
                return item
        sought = name.casefold()
        found = [item for item in self.items if item.name.casefold().startswith(sought)]
        exact = [item for item in found if item.name.casefold() == sought]
        return exact[0] if exact else found[0] if len(found) == 1 else None
