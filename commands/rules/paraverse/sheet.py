"""Stat blocks: skills and stats, what a sheet may say, and what a combatant brings to the table."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from commands.action.names import proper
from commands.action.resolution import STATUS, Resolution
from commands.action.view import View
from ledger.errors import UsageError
from ledger.events import AreaEntered, ConditionGained, Equipped, PainSuffered, PointsSet, Unequipped, WoundSuffered

from . import actions, harm
from .hands import CHANGE, SHIELD
from .harm import PLACES, place_of
from .places import HERE, find

STATS = ("phy", "dex", "con", "wil", "cog", "emp", "per")
"""Primary stats, as they stand on a sheet. A check of a bare stat is rolled like one of a skill."""

GOVERNING = {
    "one-handed": "phy", "two-handed": "phy", "weapon-and-shield": "phy", "athletics": "phy",
    "marksman": "dex", "throwing": "dex", "evasion": "dex", "sneaking": "dex", "lock-picking": "dex",
    "pickpocketing": "dex", "acrobatics": "dex", "traps-devices": "dex",
    "forgery": "per", "investigation": "per", "field-repair": "per",
    "stabilization": "cog", "trauma-treatment": "cog",
    "interaction": "emp", "mercantile": "emp",
    **{stat: stat for stat in STATS},
}  # fmt: skip
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
        return self.fortitude or max(derived(self.wil), 1)

    @property
    def stamina(self) -> int:
        """Endurance, the Stamina of somebody who is in no pain: paraverse.stat.endurance."""
        return self.endurance or max(derived(self.con), 1)

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


def derived(stat: int) -> int:
    """What a secondary stat is by its primary one: (stat - 7) / 2, rounded down, and 4.

    >>> derived(11), derived(10), derived(8), derived(6)
    (6, 5, 4, 3)
    """
    return (stat - 7) // 2 + 4


EXAMPLES = {
    "Sheet.area": "hall", "Sheet.fortitude": 6, "Sheet.endurance": 7, "Sheet.shield_up": False,
    "Sheet.conditions": ["dazed"],
}  # fmt: skip
"""Values for fields that no stat block here has: for templates and the documentation."""


def side(sheet: Sheet) -> str:
    """The side that the sheet names."""
    return proper(sheet.side)


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that contradicts itself, and a newcomer after planning."""
    phase = fight.state.turns.phase
    if phase not in ("", "planning") and who not in fight.state.roster.members:
        fight.refuse("paraverse.join-leave", f"{who} can join in planning; this is the {phase} phase.", STATUS)
    _check_area(sheet.area)
    if sheet.hand and sheet.hand not in sheet.weapons:
        fight.impossible(f"{who} has {sheet.hand!a} in hand, but not among its weapons.", at=("hand",))
    if SHIELD in sheet.weapons:
        fight.impossible(f"{who}'s shield is no weapon.", "shield = 2 says its modifier.", ("weapons", SHIELD))
    if sheet.shield_up and not sheet.can_raise_shield(sheet.hand):
        message = f"{who} cannot have a shield up: it owns none, or needs both hands for {sheet.hand}."
        fight.impossible(message, at=("shield_up",))
    for skill in sheet.skills:
        meant = skill.casefold().replace("_", "-").replace(" ", "-")
        proper_name = meant if meant in GOVERNING else skill.casefold()
        if skill != proper_name:
            message = f"{who}'s skill {skill!a} is written {proper_name!a}."
            fight.impossible(message, "Skills are in small letters.", ("skills", skill))
        if skill not in GOVERNING and (near := _closest(skill)):
            message = f"{who}'s skill {skill!a} is none of the book's; {near} is one."
            known = ", ".join(sorted(GOVERNING))
            fight.impossible(message, f"The book has: {known}. Give one of your own another name.", ("skills", skill))
    for nth, wound in enumerate(sheet.wounds):
        _check_wound(fight, who, wound, ("wounds", nth))


def _check_area(area: str) -> None:
    """Stops what cannot be a name."""
    try:
        proper(area)
    except UsageError as error:
        error.at = ("area",)
        raise


def _check_wound(fight: Resolution, who: str, wound: str, at: tuple[str | int, ...]) -> None:
    """Stops a wound that the rules do not know."""
    if not place_of(wound):
        known = ", ".join(name for pair in PLACES.values() for name in pair)
        fight.impossible(f"{who} cannot have the wound {wound[:40]!a}.", f"Wounds: {known}.", at)


def enter(fight: Resolution, who: str, sheet: Sheet, at: object) -> None:
    """Records place, gear, pain, wounds and conditions of a newcomer."""
    if at is not None:
        fight.impossible(
            "Paraverse counts areas, not squares.", "The area stands on the sheet; adjust area changes it."
        )
    areas = fight.state.areas.names
    area = find(fight.state, sheet.area) if areas else sheet.area
    if not area and sheet.area != HERE:
        fight.impossible(f"There is no area {sheet.area!a}.", f"Areas: {', '.join(areas)}.", ("area",))
    if areas or sheet.area != HERE:
        fight.record(AreaEntered(who, area or areas[0]))
    if sheet.hand:
        fight.record(Equipped(who, sheet.hand))
    if sheet.can_raise_shield(sheet.hand) and sheet.shield_up is not False:
        fight.record(Equipped(who, SHIELD))
    if sheet.pain:
        fight.record(PainSuffered(who, sheet.pain, sheet.pain, sheet.stamina))
    for wound in sheet.wounds:
        fight.record(WoundSuffered(who, wound, place_of(wound)))
    for condition in sheet.conditions:
        fight.record(ConditionGained(who, condition))
    if fight.state.turns.round:
        fight.record(PointsSet(who, CHANGE, 1))


def leaves(fight: Resolution, who: str) -> None:
    """Refuses to let somebody go in the middle of a round: paraverse.join-leave.

    A skirmish in which nobody is left on one side is off; what somebody declared who leaves is lost.
    """
    phase, fights = fight.state.turns.phase, fight.state.skirmishes
    if phase not in ("", "planning"):
        message = f"{who} can leave in planning; this is the {phase} phase."
        fight.refuse("paraverse.join-leave", message, STATUS)
    number = fights.with_(who)
    one = fights.number(number)
    if number and not one.done and (who,) in one.sides:
        others = [other for other in one.members if other != who]
        fight.rule("paraverse.join-leave", f"skirmish {number} with {', '.join(others)} is off", who=who)
    for waiting in fight.state.pending.waiting:
        if waiting.who == who and (waiting.verb == "pass" or waiting.kind == harm.FALL):
            actions.settle(fight, who, kind=waiting.kind)


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with the weapons that they have and it does not name: they carry them."""
    before: Sheet = fight.sheet(who)
    others = {name: weapon for name, weapon in before.weapons.items() if name not in named.weapons}
    return replace(named, weapons={**named.weapons, **others})


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    sheet: Sheet = fight.sheet(who)
    _change_gear(fight, who, named, before)
    pain = fight.state.pain.points(who)
    if before.stamina - pain < 1:
        harm.wake(fight, who)
    elif sheet.stamina - pain < 1:
        harm.use_up(fight, who)


def _change_gear(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """What is not named leaves the hand; a new weapon is taken into an empty hand, a new shield is raised.

    paraverse.weapon.start-only: an attack that was declared with what is gone is withdrawn.
    """
    held = fight.state.gear.equipped.get(who, ())
    gone = [item for item in held if item != SHIELD and item not in sheet.weapons]
    for item in gone:
        fight.record(Unequipped(who, item))
    in_hand = next((item for item in held if item in sheet.weapons), "")
    if not in_hand and sheet.hand and sheet.hand != before.hand:
        fight.record(Equipped(who, sheet.hand))
        in_hand = sheet.hand
    if SHIELD in held and not sheet.can_raise_shield(in_hand):
        fight.record(Unequipped(who, SHIELD))
    elif before.shield is None and sheet.can_raise_shield(in_hand) and sheet.shield_up is not False:
        fight.record(Equipped(who, SHIELD))
    if gone:
        actions.withdraw_attack(fight, who)


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now."""
    sheet: Sheet = view.sheet(who)
    held = view.state.gear.equipped.get(who, ())
    hand = next((item for item in held if item in sheet.weapons), "")
    up = SHIELD in held
    return replace(
        sheet,
        hand=hand,
        shield_up=sheet.shield_up if up == (sheet.can_raise_shield(hand) and sheet.shield_up is not False) else up,
        pain=view.state.pain.points(who),
        wounds=view.state.wounds.names(who),
    )


def _closest(skill: str) -> str:
    """The skill of the book that begins with the same five letters; "" for none."""
    return next((one for one in GOVERNING if one[:5] == skill[:5]), "")
