"""The stat block: skills and stats, and what a sheet may say."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from .places import HERE

STATS = ("phy", "dex", "con", "wil", "cog", "emp", "per")
"""Primary stats, as they stand on a sheet. A check of a bare stat is rolled like one of a skill."""

_SKILLS = {
    "phy": "one-handed two-handed weapon-and-shield athletics",
    "dex": "marksman throwing evasion sneaking lock-picking pickpocketing acrobatics traps-devices",
    "per": "forgery investigation field-repair",
    "cog": "stabilization trauma-treatment",
    "emp": "interaction mercantile",
}
GOVERNING = {skill: stat for stat, skills in _SKILLS.items() for skill in skills.split()} | dict(
    zip(STATS, STATS, strict=True)
)
"""The stat of each skill. Characters, "List of Skills"."""

KEYWORDS = {
    "melee": ("one-handed", "two-handed", "weapon-and-shield"),
    "ranged": ("marksman", "throwing"),
    "physical": ("athletics", "sneaking", "acrobatics"),
    "manual": ("lock-picking", "pickpocketing"),
}
"""Words that stand for several skills."""


WORDS = ("all", "magic", *KEYWORDS)
"""What an effect may name besides a skill: `magic` is the roll for a spell or prayer."""

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Score = Annotated[int, Meta(ge=1, le=60)]
Value = Annotated[int, Meta(ge=0, le=1000)]


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon; one that is both wielded and thrown is entered twice, under two names."""

    use: Literal["melee", "marksman", "throwing"]
    """How it is used; enter a weapon that is both wielded and thrown twice, under two names."""
    base: Value
    """Base damage, in points of pain."""
    hands: Literal[1, 2] = 1
    """How many hands it takes."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A combatant's stat block."""

    name: Name
    """The name at the table, unless `--called` gives another."""
    side: Name
    """The side that it fights for, such as party or foes."""
    player: bool = False
    """Whether a player plays it: player characters pick their opponents first."""
    area: str = HERE
    """Where it is on joining, unless `--area` says so."""
    phy: Score = 10
    """Physique, as a score: 10 is ordinary."""
    dex: Score = 10
    """Dexterity, as a score: 10 is ordinary."""
    con: Score = 10
    """Constitution, as a score: 10 is ordinary."""
    wil: Score = 10
    """Willpower, as a score: 10 is ordinary."""
    cog: Score = 10
    """Cognition, as a score: 10 is ordinary."""
    emp: Score = 10
    """Empathy, as a score: 10 is ordinary."""
    per: Score = 10
    """Perception, as a score: 10 is ordinary."""
    fortitude: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Fortitude; without it, what follows from WIL."""
    endurance: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """Endurance, the Stamina of somebody without pain; without it, what follows from CON."""
    skills: dict[Name, Annotated[int, Meta(ge=-20, le=40)]] = {}
    """Final modifiers of skills, in points; nothing else is added to them. Without one, a skill is its stat less 10."""
    av: Value = 0
    """Armour value, in points taken off each blow."""
    shield: Value | None = None
    """The modifier of the shield that it owns, in points; without it, it has none."""
    shield_up: bool | None = None
    """Whether the shield is up on joining; without it, it is where a hand is free for it."""
    weapons: dict[Name, Weapon] = {}
    """Its weapons and natural attacks, by name."""
    hand: str = ""
    """The weapon in hand on joining; without it, an empty hand."""
    pain: Value = 0
    """Points of pain on joining."""
    wounds: tuple[str, ...] = ()
    """Wounds on joining, such as fractured-arm."""
    conditions: tuple[Name, ...] = ()
    """Conditions on joining."""

    def weapon(self, name: str) -> str:
        """The full name of the weapon that `name` is or begins, in any case; "" when there is none or several."""
        sought = name.casefold()
        found = [weapon for weapon in self.weapons if sought and weapon.casefold().startswith(sought)]
        exact = [weapon for weapon in found if weapon.casefold() == sought]
        return exact[0] if exact else found[0] if len(found) == 1 else ""

    def can_raise_shield(self, weapon: str) -> bool:
        """Whether a shield goes with that weapon in hand: a two-handed one leaves no hand for it."""
        return self.shield is not None and not (weapon and self.weapons[weapon].hands == 2)

    @property
    def toughness(self) -> int:
        """Fortitude: paraverse.stat.fortitude."""
        return self.fortitude or max(_derived(self.wil), 1)

    @property
    def stamina(self) -> int:
        """Endurance, the Stamina of somebody who is in no pain: paraverse.stat.endurance."""
        return self.endurance or max(_derived(self.con), 1)

    def modifier(self, skill: str) -> int | None:
        """The modifier of a skill; without one on the sheet, its stat less 10; none for an unknown skill.

        paraverse.stat.base-skill
        """
        if skill in self.skills:
            return self.skills[skill]
        stat = GOVERNING.get(skill)
        return int(getattr(self, stat)) - 10 if stat else None


def names(word: str, skill: str) -> bool:
    """Whether a word names a skill: its own name, one of its keywords, or `all`.

    >>> names("melee", "two-handed"), names("melee", "evasion"), names("all", "evasion")
    (True, False, True)
    """
    return word in (skill, "all") or skill in KEYWORDS.get(word, ())


def _derived(stat: int) -> int:
    """What a secondary stat is by its primary one: (stat - 7) / 2, rounded down, and 4.

    >>> _derived(11), _derived(10), _derived(8), _derived(6)
    (6, 5, 4, 3)
    """
    return (stat - 7) // 2 + 4
