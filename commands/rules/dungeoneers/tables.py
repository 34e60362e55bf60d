"""The tables: weapons, armor, foci and spells, as data; and the names of conditions.

A stat block may bring rows of its own.
"""

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from commands.action import systems

PRONE, THREATENED, DEFENSIVE, SPRINTING = "prone", "threatened", "defensive", "sprinting"
GRAPPLED, GRAPPLING = "grappled", "grappling"
"""Conditions that the rules give and take themselves. The last three name whom they concern."""
READIED, WINDOW = "readied", "window"
"""What can wait: a readied action, and a window for opportune strikes."""
ANY_GAP = "between turns"
"""When a readied action can be taken for which the turn of one without turns was named, by the game master's word."""
MOVEMENT = "movement points"
"""What is counted of movement, and what an effect on it changes."""
Die = Literal[4, 6, 8, 10, 12]
"""The sides of a die."""
Rank = Literal["E", "D", "C", "B", "A"]
_Guards = Literal["armor_value", "spell_resistance", "threat_range", "dodge_die", "dodge_dice"]
_Hurts = Literal["hit_dice", "pierce_dice", "wounds", "spell_pierce_die", "spell_pierce_dice"]
Modified = Literal[_Guards, _Hurts, "resistance", "movement_points"]
"""What an effect can change."""
RANKS = ("E", "D", "C", "B", "A")
"""Ranks of skill with a category of weapons, the lowest first."""
Small = Annotated[int, Meta(ge=0, le=100)]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
_CATEGORY_POWER = {"medium": 2, "heavy": 3}
"""dungeoneers.armor.category-power: what power all armor of a category takes."""
TOME = "tome:"
"""A tome is written with the spell that it holds: `tome:firebolt`."""


class Item(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that can be equipped."""

    name: str = ""
    """Left out: the name of the row is the name."""
    category: str = ""
    """The category of weapon or armor, such as cudgel, medium or heavy."""
    slot: Literal["wield", "body", "head", "hands", "feet"] = "wield"
    """Where it is worn or wielded."""
    power: Small = 0
    """The power that it takes to bear it lightly, besides what its category takes."""
    spellboon: Small = 0
    """Dice that it adds when its bearer casts."""
    spellbane: Small = 0
    """Dice that it takes away when its bearer casts."""

    @property
    def places(self) -> int:
        """How many places of its slot it fills."""
        return 1

    @property
    def power_needed(self) -> int:
        """dungeoneers.armor.category-power: what power it takes to bear it lightly."""
        return max(self.power, _CATEGORY_POWER.get(self.category, 0))


class Weapon(Item, frozen=True, kw_only=True):
    """A row of the table of weapons."""

    hit: Die
    """The sides of its hit dice."""
    pierce: Die
    """The sides of its pierce dice."""
    wounds: Small
    """Wounds on a pierce."""
    type: Word
    """The type of damage, such as slashing."""
    rank: Rank | None = None
    """The rank in its category that it takes; without it, everybody can use it."""
    two_handed: bool = False
    """Whether it takes both hands."""
    threat: Small = 0
    """Added to the threat range, in tiles."""
    toss: bool = False
    """Whether it is made to be thrown."""
    ammunition: str = ""
    """What it shoots, such as arrow."""
    range: Small = 0
    """How far it shoots, in tiles; 0 for a weapon that does not shoot."""

    @property
    def places(self) -> int:
        """dungeoneers.weapon.two-handed: two places, if it takes both hands."""
        return 2 if self.two_handed else 1

    @property
    def hit_clause(self) -> str:
        """By which clause its hit dice are rolled."""
        return "dungeoneers.dice.hit-die"


class Improvised(Weapon, frozen=True, kw_only=True):
    """The row of what is no weapon, or none to its wielder."""

    why: str
    """The clause by which it is."""

    @property
    def hit_clause(self) -> str:
        """By which clause its hit dice are rolled."""
        return self.why


class Armor(Item, frozen=True, kw_only=True):
    """A row of the table of armor."""

    sr: Small = 0
    """Added to spell resistance, in dice."""
    av: Small = 0
    """Added to the armor value, in points."""


class Focus(Item, frozen=True, kw_only=True):
    """A row of the table of foci."""

    magica: Small
    """Extra magica that a spell of its school counts as having."""
    school: str = ""
    """The school that it serves; without it, every one."""


class Tome(Item, frozen=True, kw_only=True):
    """A tome, which holds one spell."""

    spell: str


class Spell(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A spell."""

    kind: Literal["attack", "save"]
    """Whether it attacks or is saved against."""
    cost: Small
    """Base magica."""
    name: str = ""
    """Left out: the name of the row is the name."""
    save_score: Literal["power", "prowess", "endurance", "resistance", "spell", "mind"] = "resistance"
    """The score that saves against it."""
    ap: Annotated[int, Meta(ge=1, le=10)] = 1
    """Action points that it takes."""
    hit_die: Die = 4
    """The sides of its hit dice."""
    save_die: Die = 4
    """The sides of the dice that save against it."""
    school: str = ""
    """Its school; without it, none."""
    wounds: Small = 0
    """Wounds that it does."""
    type: str = ""
    """The type of damage, such as fire."""
    effect: Annotated[str, Meta(max_length=500)] = ""
    """What it does, in words."""
    gives: Annotated[dict[Modified, Annotated[int, Meta(ge=-100, le=100)]], Meta(max_length=1)] = {}
    """What its effect adds to a number, or how many sides a die has by it; in force as soon as it takes effect."""
    source: Literal["tome", "cantrip", ""] = ""
    """Whether it is meant for a tome or as a cantrip, for the reader; no rule asks."""


@cache
def _table(name: str, kind: Any) -> dict[str, Any]:
    """A table that comes with the rules, by the names of its rows."""
    rows: dict[str, Any] = msgspec.json.decode(systems.data("dungeoneers", f"tables/{name}.json"), type=dict[str, kind])
    return {key: msgspec.structs.replace(row, name=key) for key, row in rows.items()}


def weapons() -> dict[str, Weapon]:
    """The table of weapons: dice by their sides, wounds on a pierce, the rank that it takes to wield them.

    `improvised` is a bare fist, a chair, or a weapon in hands that never learned it.
    """
    return _table("weapons", Weapon)


def armor() -> dict[str, Armor]:
    """The table of armor: what it adds to spell resistance (sr) and armor value (av), and where it is worn.

    What power it takes follows from its category.
    """
    return _table("armor", Armor)


def foci() -> dict[str, Focus]:
    """The table of foci: how much extra magica a spell of their school counts as having.

    One without a school serves every spell.
    """
    return _table("foci", Focus)


def spells() -> dict[str, Spell]:
    """The table of spells: examples. The combat chapter names firebolt and mage armor and lists no spell."""
    return _table("spells", Spell)


@cache
def improvised(why: str) -> Weapon:
    """The row of what is no weapon, or none to its wielder, with the clause by which it is."""
    return Improvised(**msgspec.structs.asdict(weapons()["improvised"]), why=why)
