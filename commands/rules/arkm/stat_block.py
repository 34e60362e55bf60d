"""Stat blocks: what a sheet may say."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ledger.dice import groups, parse
from ledger.errors import UsageError
from ledger.events import together

Name = Annotated[str, Meta(min_length=1, max_length=40)]


Damage = Annotated[str, Meta(max_length=20)]


Modifier = Annotated[int, Meta(ge=-5, le=10)]


Score = Annotated[int, Meta(ge=3, le=25)]


Feet = Annotated[int, Meta(ge=0, le=600)]


SaveNumber = Annotated[int, Meta(ge=2, le=20)]


Armour = Literal["none", "light", "medium", "heavy"]


Shield = Literal["none", "buckler", "targe", "medium", "large"]


Size = Literal["tiny", "small", "human", "ogre", "huge"]


Kind = Literal["melee", "thrown", "bow", "great-bow", "crossbow", "sling", "firearm", "wand"]
LESS_THAN_ONE = ("1/2", "1/4")
"""Less than one Hit Die."""
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
    """What it is called; each weapon of a combatant has a name of its own."""
    damage: Damage = "1d4"
    """Damage: dice, a number, or a sum, such as 1d8, 2 or 1d8+1d6; "" where a hit does no damage of its own."""
    kind: Kind | tuple[Kind, ...] = "melee"
    """What it is; a list for a weapon that is several things, such as a spear that is thrown too."""
    hands: Literal[1, 2] = 1
    """How many hands it takes."""
    size: Literal["S", "M", "L"] = "M"
    """Small, medium or large."""
    length: Annotated[int, Meta(ge=0, le=30)] = 0
    """Its length, in feet; it decides who strikes first."""
    ranges: tuple[int, int, int] | None = None
    """The longest short, medium and long range, in feet; only for what is shot or thrown."""
    magic: Annotated[int, Meta(ge=0, le=5)] = 0
    """Its magic plus, to hit and to damage, in points."""
    silver: bool = False
    """Whether it is of silver."""
    reload_rounds: Literal[0, 1] = 0
    """Rounds that it takes to load after each shot."""
    loaded: bool = True
    """Whether it is loaded on joining."""
    tags: tuple[Name, ...] = ()
    """What else is special: whip, tight (for narrow places), polearm, set (against a charge), lance, spear, javelin."""

    def is_(self, *kinds: str) -> bool:
        """Whether it is of one of these kinds."""
        mine = self.kind
        return mine in kinds if isinstance(mine, str) else any(kind in mine for kind in kinds)

    @property
    def shoots(self) -> bool:
        """Whether it is shot or thrown."""
        return self.is_("thrown", "bow", "great-bow", "crossbow", "sling", "firearm")

    def problem(self) -> str:
        """What does not fit together; "" when all does."""
        try:
            split(self.damage)
        except UsageError as error:
            return error.message.rstrip(".")
        if self.shoots != (self.ranges is not None):
            return "what is shot or thrown needs ranges, and nothing else does"
        if self.ranges and not 0 < self.ranges[0] <= self.ranges[1] <= self.ranges[2]:
            return "its ranges must rise"
        return ""


class AttackLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One attack of a monster's routine."""

    name: Name
    """What it is called, such as bite."""
    damage: Damage
    """Damage: dice, a number, or a sum, such as 1d8, 2 or 1d8+1d6; "" where a hit does no damage of its own."""
    horns: bool = False
    """Large horns or tusks, which do double damage in a charge."""
    length: Annotated[int, Meta(ge=0, le=30)] = 0
    """Its reach, in feet; it decides who strikes first."""
    special: Annotated[str, Meta(max_length=200)] = ""
    """What happens besides when it hits with `special_on` or more on the die."""
    special_on: Annotated[int, Meta(ge=2, le=20)] = 20
    """The least face of the d20 that brings the special."""
    hit_mod: Annotated[int, Meta(ge=-10, le=10)] = 0
    """Added to the rolls to hit, in points."""
    routine: Annotated[int, Meta(ge=1, le=9)] = 1
    """The routine that it belongs to, where there are several: it attacks with the first unless another is named."""


class Saves(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Saving throws, where the sheet has its own numbers."""

    death: SaveNumber | None = None
    """The number for death and poison; without it, by class or Hit Dice."""
    wands: SaveNumber | None = None
    """The number for wands; without it, by class or Hit Dice."""
    paralysis: SaveNumber | None = None
    """The number for paralysis; without it, by class or Hit Dice."""
    reflex: SaveNumber | None = None
    """The number for reflex; without it, by class or Hit Dice."""
    breath: SaveNumber | None = None
    """The number for breath; without it, by class or Hit Dice."""
    spells: SaveNumber | None = None
    """The number for spells; without it, by class or Hit Dice."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A combatant's stat block."""

    name: Name
    """The name at the table, unless `--called` gives another."""
    side: Name
    """The side that it fights for, such as party or monsters."""
    group: Annotated[str, Meta(max_length=40)] = ""
    """Its initiative and morale group; without it, the side for those with a class, and the name for others."""
    kind: Literal["character", "normal-man", "monster", "beast"] | None = None
    """What it is; without it, a character with a class and a monster without."""
    pc: bool = False
    """Whether a player plays it."""
    important: bool = False
    """Whether it is an important character of the game master."""
    class_: Annotated[str, Meta(max_length=40)] = field(default="", name="class")
    """Its class, such as fighter; it needs a level. Only characters have one."""
    level_: Annotated[int, Meta(ge=0, le=36)] | None = field(default=None, name="level")
    """Its level; required with a class."""
    hd: Annotated[str, Meta(max_length=5)] = ""
    """Hit Dice: 6, 6+3, 2-1, 1/2 or 1/4; without it, the level, or 1 for those without a class."""
    hp_max: Annotated[int, Meta(ge=1, le=999)] | None = None
    """The most hit points; without it, `hp`, or what the dice show on joining."""
    hp: Annotated[int, Meta(ge=0, le=999)] | None = None
    """Hit points on joining; without it, the maximum."""
    hp_dice: Annotated[str, Meta(max_length=20)] = ""
    """Dice thrown for hit points on joining, such as 2d8, where no number is given; a Normal Man throws 1d6."""
    str_: Score | None = field(default=None, name="str")
    """Strength; without it, no bonus."""
    dex: Score | None = None
    """Dexterity; without it, no bonus."""
    str_mod: Modifier | None = None
    """The modifier of STR, in points, given directly; it goes before the score."""
    dex_mod: Modifier | None = None
    """The modifier of DEX, in points, given directly; it goes before the score."""
    ac: Annotated[int, Meta(ge=-20, le=10)] | None = None
    """Armour class before shield and DEX, lower is better; without it, what the armour gives."""
    armour: Armour = "none"
    """The armour worn, which gives the armour class."""
    armour_magic: Annotated[int, Meta(ge=0, le=5)] = 0
    """The plus of magic armour, in points."""
    shield: Shield = "none"
    """The shield, in hand on joining unless the first weapon takes both hands."""
    shield_magic: Annotated[int, Meta(ge=0, le=5)] = 0
    """The plus of a magic shield, in points."""
    thac0: Annotated[int, Meta(ge=-10, le=20)] | None = None
    """What it needs to hit armour class 0; without it, by class or Hit Dice."""
    size: Size = "human"
    """How big it is."""
    surround_max: Annotated[int, Meta(ge=1, le=50)] | None = None
    """How many can fight against it at once; without it, by its size."""
    move: Feet = 120
    """Turn movement: feet indoors, yards outdoors."""
    trained: tuple[Name, ...] = ("*",)
    """Weapons that a player character can use; * for all."""
    weapons: tuple[Name | Weapon, ...] = ()
    """Weapons: names from the weapons table, or descriptions; the first is in hand on joining."""
    attacks: tuple[AttackLine, ...] = ()
    """A monster's attacks in order: those of one routine are all made in a round."""
    can_charge: bool | None = None
    """Whether it can charge; without it, monsters and beasts can."""
    normal_man: bool | None = None
    """Whether the rules for Normal Men count; without it, for those of 1 Hit Die or less and no level."""
    requires: tuple[Literal["magic", "silver"], ...] = ()
    """What a weapon must have to do harm; either suffices."""
    saves: Saves = Saves()
    """Saving throws, where it has its own numbers."""
    special: tuple[Annotated[str, Meta(min_length=1, max_length=1000)], ...] = ()
    """Special powers in words, for the game master."""
    morale: Annotated[int, Meta(ge=2, le=12)] | Name | None = None
    """The morale score, or its word in the morale table, such as steady; without it, the default of that table."""
    intelligent: bool = True
    """Whether it thinks, for the reaction table."""
    surprises: Annotated[int, Meta(ge=0, le=6)] = 2
    """The top of the range of a d6 on which it surprises others."""
    surprised_on: Annotated[int, Meta(ge=0, le=6)] = 2
    """The top of the range of a d6 on which it is surprised."""
    caster: bool = False
    """Whether it casts spells."""
    spell_skill: Annotated[int, Meta(ge=0, le=40)] | None = None
    """Its skill with spells; without it, the level."""
    men: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """How many men a unit that is fought as one man is formed with; without it, it is no unit."""
    hasted: bool = False
    """Whether it is hasted on joining."""
    mounted: bool = False
    """Whether it is mounted on joining."""
    steed: Annotated[str, Meta(max_length=40)] = ""
    """The name of its steed."""
    steed_move: Feet | None = None
    """Turn movement in the saddle, in feet indoors and yards outdoors; without it, its own."""

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
        if word in LESS_THAN_ONE:
            return Hd(0, 1)
        dice, plus, _ = word.partition("+")
        whole, minus, _ = dice.partition("-")
        number = int(whole)
        return Hd(number - bool(minus), 2 * number + bool(plus) - bool(minus))

    def routine(self, name: str = "") -> tuple[AttackLine, ...]:
        """The attacks of the first routine, or those of them that have a name; where none has, the whole routine in
        which one has it.
        """
        first = tuple(line for line in self.attacks if line.routine == self.attacks[0].routine)
        if not name:
            return first
        named = tuple(line for line in first if line.name.casefold() == name.casefold())
        other = [line.routine for line in self.attacks if line.name.casefold() == name.casefold()]
        return named or tuple(line for line in self.attacks if other and line.routine == other[0])

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

    >>> [says_hit_dice(word) for word in ("6", "6+3", "2-1", "1/2", "1/4", "6+", "many", "6+3-1")]
    [True, True, True, True, True, False, False, False]
    """
    parts = word.replace("-", "+", 1).split("+", 1)
    return word in LESS_THAN_ONE or all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts)


def group(sheet: Sheet, side: str) -> str:
    """The initiative group: as the sheet says, else the side of those with a class, or the kind of creature."""
    return sheet.group or (side if sheet.class_ or sheet.pc else sheet.name)


def split(dice: str) -> tuple[list[str], int]:
    """The dice of an expression without its constant, and the constant; "" has neither.

    >>> split("1d8+2"), split("2"), split("")
    ((['1d8'], 2), ([], 2), ([], 0))
    """
    sides, constant = parse(dice or "0")
    return groups(sides), constant


def names(found: Sequence[str]) -> str:
    """Names in a row, for a sentence."""
    return together(found) or "nobody"
