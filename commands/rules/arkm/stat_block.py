"""Stat blocks: what a sheet may say."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ledger.dice import parse
from ledger.errors import UsageError

Name = Annotated[str, Meta(min_length=1, max_length=40)]


Dice = Annotated[str, Meta(min_length=1, max_length=20)]


Modifier = Annotated[int, Meta(ge=-5, le=10)]


Score = Annotated[int, Meta(ge=3, le=25)]


Feet = Annotated[int, Meta(ge=0, le=600)]


SaveNumber = Annotated[int, Meta(ge=2, le=20)]


Armour = Literal["none", "light", "medium", "heavy"]


Shield = Literal["none", "buckler", "targe", "medium", "large"]


Size = Literal["tiny", "small", "human", "ogre", "huge"]


Kind = Literal["melee", "thrown", "bow", "great-bow", "crossbow", "sling", "firearm", "wand"]
SHIELD = "shield"
"""The name under which the shield of a sheet is in hand."""


class Hd(Struct, frozen=True, gc=False):
    """Hit Dice: `6+3` is 6 dice and more than that."""

    whole: int
    """Whole Hit Dice; 0 for less than one."""
    doubled: int
    """An order: twice the dice, and one more or less for a plus or a minus."""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon, or a wand."""

    id: Name
    damage: Dice = "1d4"
    kind: Kind | tuple[Kind, ...] = "melee"
    hands: Literal[1, 2] = 1
    size: Literal["S", "M", "L"] = "M"
    length: Annotated[int, Meta(ge=0, le=30)] = 0
    """Feet."""
    ranges: tuple[int, int, int] | None = None
    """The longest short, medium and long range."""
    magic: Annotated[int, Meta(ge=0, le=5)] = 0
    """Its plus, to hit and to damage."""
    silver: bool = False
    reload_rounds: Literal[0, 1] = 0
    """Rounds that it takes to load after each shot."""
    loaded: bool = True
    """Whether it is loaded when a fight begins."""
    tags: tuple[Name, ...] = ()

    def is_(self, *kinds: str) -> bool:
        """Whether it is of one of these kinds."""
        mine = (self.kind,) if isinstance(self.kind, str) else self.kind
        return any(kind in mine for kind in kinds)

    @property
    def shoots(self) -> bool:
        """Whether it is shot or thrown."""
        return self.is_("thrown", "bow", "great-bow", "crossbow", "sling", "firearm")

    def problem(self) -> str:
        """What does not fit together; "" when all does."""
        try:
            sides, _ = parse(self.damage)
        except UsageError as error:
            return error.message.rstrip(".")
        if not sides and not self.is_("wand"):
            return f"{self.damage!a} rolls no dice"
        if self.shoots != (self.ranges is not None):
            return "what is shot or thrown needs ranges, and nothing else does"
        if self.ranges and not 0 < self.ranges[0] <= self.ranges[1] <= self.ranges[2]:
            return "its ranges must rise"
        return ""


class AttackLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One attack of a monster's routine."""

    name: Name
    damage: Dice
    horns: bool = False
    """Large horns or tusks, that do double damage in a charge."""
    length: Annotated[int, Meta(ge=0, le=30)] = 0
    """Feet."""
    special: Annotated[str, Meta(max_length=200)] = ""
    """What happens besides when it hits with `special_on` or more."""
    special_on: Annotated[int, Meta(ge=2, le=20)] = 20
    hit_mod: Annotated[int, Meta(ge=-10, le=10)] = 0


class Saves(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Saving throws, where the sheet has its own numbers."""

    death: SaveNumber | None = None
    wands: SaveNumber | None = None
    paralysis: SaveNumber | None = None
    reflex: SaveNumber | None = None
    breath: SaveNumber | None = None
    spells: SaveNumber | None = None


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A combatant's stat block."""

    name: Name
    side: Name
    group: Annotated[str, Meta(max_length=40)] = ""
    """Initiative and morale group; else the side for those with a class, and the kind of creature for others."""
    kind: Literal["character", "normal-man", "monster", "beast"] | None = None
    """If not character with a class, and monster without."""
    pc: bool = False
    important: bool = False
    """An important NPC."""
    class_: Annotated[str, Meta(max_length=40)] = field(default="", name="class")
    level_: Annotated[int, Meta(ge=0, le=36)] | None = field(default=None, name="level")
    hd: Annotated[str, Meta(max_length=5)] = ""
    """Hit Dice: 6, 6+3, 2-1 or 1/2."""
    hp_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    hp: Annotated[int, Meta(ge=0, le=999)] | None = None
    hp_dice: Annotated[str, Meta(max_length=20)] = ""
    """Thrown on joining when no hit points are given."""
    str_: Score | None = field(default=None, name="str")
    dex: Score | None = None
    str_mod: Modifier | None = None
    dex_mod: Modifier | None = None
    ac: Annotated[int, Meta(ge=-20, le=10)] | None = None
    """Before shield and DEX, in place of what the armour gives."""
    armour: Armour = "none"
    armour_magic: Annotated[int, Meta(ge=0, le=5)] = 0
    shield: Shield = "none"
    shield_magic: Annotated[int, Meta(ge=0, le=5)] = 0
    thac0: Annotated[int, Meta(ge=-10, le=20)] | None = None
    size: Size = "human"
    surround_max: Annotated[int, Meta(ge=1, le=50)] | None = None
    move: Feet = 120
    """Turn movement: feet indoors, yards outdoors."""
    trained: tuple[Name, ...] = ("*",)
    """Weapons that a player character can use; * for all."""
    weapons: tuple[Name | Weapon, ...] = ()
    """From the weapons table, or described here; the first is in hand at the start."""
    attacks: tuple[AttackLine, ...] = ()
    """A monster's routine, in order."""
    can_charge: bool | None = None
    """If not by its kind."""
    normal_man: bool | None = None
    """If not by its Hit Dice."""
    requires: tuple[Literal["magic", "silver"], ...] = ()
    """What a weapon must have to do harm; either suffices."""
    saves: Saves = Saves()
    morale: Annotated[int, Meta(ge=2, le=12)] | Name | None = None
    """The score, or its word in the morale table, such as steady."""
    intelligent: bool = True
    surprises: Annotated[int, Meta(ge=0, le=6)] = 2
    """The top of the range on which it surprises others."""
    surprised_on: Annotated[int, Meta(ge=0, le=6)] = 2
    """The top of the range on which it is surprised."""
    caster: bool = False
    spell_skill: Annotated[int, Meta(ge=0, le=40)] | None = None
    """If not its level."""
    men: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Of a unit that is fought as one man: how many it is formed with."""
    hasted: bool = False
    mounted: bool = False
    steed: Annotated[str, Meta(max_length=40)] = ""
    steed_move: Feet | None = None
    """Turn movement in the saddle, if it is not the rider's own."""

    @property
    def level(self) -> int:
        """The level; 0 for those who have none."""
        return self.level_ or 0

    @property
    def is_kind(self) -> str:
        """character, normal-man, monster or beast."""
        return self.kind or ("character" if self.class_ else "monster")

    @property
    def hit_dice(self) -> Hd:
        """Its Hit Dice; the level of the classed, 1 for others, if the sheet does not say."""
        word = self.hd or (str(self.level) if self.class_ else "1")
        if word == "1/2":
            return Hd(0, 1)
        dice, plus, _ = word.partition("+")
        whole, minus, _ = dice.partition("-")
        number = int(whole)
        return Hd(number - bool(minus), 2 * number + bool(plus) - bool(minus))

    @property
    def experience(self) -> int:
        """The level; for a combatant without a class its whole Hit Dice, and none for a Normal Man by kind."""
        if self.class_:
            return self.level
        return 0 if self.is_kind == "normal-man" else self.hit_dice.whole

    @property
    def is_normal_man(self) -> bool:
        """arkm.normal-men.definition: as the sheet says, else without a class level and of no more than 1 Hit Die."""
        if self.normal_man is not None:
            return self.normal_man
        return not (self.class_ and self.level) and self.hit_dice.doubled <= 2


def says_hit_dice(word: str) -> bool:
    """Whether a sheet can have such Hit Dice.

    >>> [says_hit_dice(word) for word in ("6", "6+3", "2-1", "1/2", "6+", "many", "6+3-1")]
    [True, True, True, True, False, False, False]
    """
    parts = word.replace("-", "+", 1).split("+", 1)
    return word == "1/2" or all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts)


def group(sheet: Sheet, side: str) -> str:
    """The initiative group: as the sheet says, else the side of those with a class, or the kind of creature."""
    return sheet.group or (side if sheet.class_ or sheet.pc else sheet.name)


def split(dice: str) -> tuple[list[str], int]:
    """The dice of an expression without its constant, and the constant.

    >>> split("1d8+2")
    (['1d8'], 2)
    """
    sides, constant = parse(dice)
    return [f"{sides.count(size)}d{size}" for size in dict.fromkeys(sides)], constant


def names(found: Sequence[str]) -> str:
    """Names in a row, for a sentence."""
    return ", ".join(found) or "nobody"
