"""Tables: what an attribute, a class and a weapon are worth."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ledger.dice import parse, written

Attribute = Literal["STR", "DEX", "CON", "INT", "WIS", "CHA"]
_MODIFIERS = ((18, 2), (14, 1), (8, 0), (4, -1), (3, -2))
"""aachen.attribute.modifier: (least score, modifier), highest first."""
SCORES = range(3, 19)
"""What an attribute can be."""
LEVELS = range(1, 11)
ATTACK_BONUS = {
    "fighter": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "expert": (0, 1, 1, 2, 2, 3, 3, 4, 4, 5),
    "weaver": (0, 0, 1, 1, 2, 2, 3, 3, 3, 4),
    "expert/fighter": (1, 2, 2, 3, 4, 5, 5, 6, 6, 7),
    "expert/weaver": (0, 1, 1, 2, 2, 3, 3, 4, 4, 5),
    "weaver/fighter": (1, 2, 2, 3, 4, 5, 5, 6, 6, 7),
}
"""aachen.attack.class-bonus: by class, for the levels 1 to 10."""
UNTRAINED = -2
"""What no level in a weapon's skill counts for in an attack: aachen.attack.untrained."""
UNSKILLED = -1
"""What no level in a skill counts for in a check: aachen.check.unskilled."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Small = Annotated[int, Meta(ge=-100, le=100)]
Feet = Annotated[int, Meta(ge=1, le=100_000)]


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon, or a natural attack."""

    name: Name
    """What it is called. Each weapon of a combatant has a name of its own."""
    damage: Annotated[str, Meta(min_length=1, max_length=20)]
    """Damage dice, such as 1d8 or 2d6+1, or points without a die, such as 1."""
    skill: Literal["stab", "shoot", "punch"] = "stab"
    """The skill that an attack with it uses; shoot is for distance."""
    attr: Literal["STR", "DEX", "either"] = "STR"
    """The attribute whose modifier counts for attack and damage; either takes the better of STR and DEX."""
    shock: tuple[Annotated[int, Meta(ge=0, le=100)], Annotated[int, Meta(ge=0, le=100)]] | None = None
    """Shock: the damage of a miss, in points, and the highest Armor Class against which it is done; without it,
    none.
    """
    long: bool = False
    """Whether it is a long weapon, which reaches 10 feet."""
    hands: Literal[1, 2] = 1
    """How many hands it takes."""
    range: tuple[Feet, Feet] | None = None
    """The short and the long distance, in feet; without it, it is not shot or thrown."""
    thrown: bool = False
    """Whether it can be thrown."""
    reload: Literal["none", "on-turn", "main"] = "none"
    """What it takes to load it after a shot: nothing, an on-turn action, or a main action."""
    magic: Annotated[int, Meta(ge=0, le=10)] = 0
    """Its magic bonus to attack and damage, in points."""
    ready: bool = True
    """Whether it is in hand on joining."""
    special: Annotated[str, Meta(max_length=200)] = ""
    """What a hit does besides, in words, such as poison; the game master says what comes of it."""

    @property
    def melee(self) -> bool:
        """Whether one can strike with it: aachen.attack.skill."""
        return self.skill != "shoot"

    @property
    def dice(self) -> tuple[str, int]:
        """Its damage as dice to be rolled, such as 1d8, and a constant."""
        sides, constant = parse(self.damage)
        return written(sides), constant

    @property
    def most(self) -> int:
        """The most that its damage dice can come to."""
        sides, constant = parse(self.damage)
        return sum(sides) + constant


UNARMED = Weapon("unarmed", "1d2", "punch", "either")
"""aachen.damage.punch: 1d2, either attribute, no shock; always ready."""
SHIELD = "shield"
"""What a readied shield is called among the items in hand."""


def modifier(score: int) -> int:
    """The modifier of an attribute: aachen.attribute.modifier."""
    return next(change for least, change in _MODIFIERS if score >= least)
