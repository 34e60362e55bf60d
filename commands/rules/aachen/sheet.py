"""Stat blocks: what a sheet may say, and what a combatant brings to the table."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from commands.action.grid import Square
from commands.action.resolution import Resolution
from commands.action.spelling import nearly
from commands.action.view import View
from ledger.dice import parse
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Equipped, HpSet, Unequipped, whose

from . import actions, falls
from .fighters import FRAIL, SIDES
from .tables import ATTACK_BONUS, LEVELS, SCORES, SHIELD, Attribute, Name, Small, Weapon, modifier

_BEST_SKILL = 4
"""The highest level that a player character may have in a skill."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"class_": "class"}):
    """A combatant's stat block."""

    name: Name
    """The name at the table, unless `--called` gives another."""
    side: Literal["pc", "opp"] = "pc"
    """Whose side it is on: pc for the party, opp for its opponents."""
    kind: Literal["pc", "npc", "monster"] = "pc"
    """A player character, another person, or a monster."""
    class_: Literal["fighter", "expert", "weaver", "expert/fighter", "expert/weaver", "weaver/fighter"] | None = None
    """Gives the attack bonus by level; without it, the bonus is `attack_bonus`, or 0."""
    level: Annotated[int, Meta(ge=1, le=100)] = 1
    """Its level; player characters end at 10."""
    attributes: dict[Attribute, int] = {}
    """Attribute scores, 3 to 18 each; 10 where nothing is said."""
    mods: dict[Attribute, Small] = {}
    """Modifiers of attributes, in points, given directly; they go before the scores."""
    attack_bonus: Small | None = None
    """Added to attack rolls, in points; without it, what the class gives, else 0."""
    skills: dict[Name, Annotated[int, Meta(ge=0, le=20)]] = {}
    """Levels in skills; a skill that is missing is untrained. Player characters end at 4."""
    skill_bonus: Small = 0
    """What a monster adds to every skill check, in points."""
    hd: Annotated[int, Meta(ge=1, le=100)] | None = None
    """Hit dice; without it 1, or the level of an npc."""
    ac: Small = 10
    """Armor Class, with the shield."""
    shield: bool = False
    """Whether it has a shield, in hand on joining; the Armor Class includes it."""
    shield_bonus: Annotated[int, Meta(ge=0, le=10)] = 1
    """What the shield adds to the Armor Class, in points; without the shield in hand it is missing there."""
    hp_max: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    """The most hit points."""
    hp: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    """Hit points on joining; without it, the maximum."""
    rate: Annotated[int, Meta(ge=0, le=10_000)] = 30
    """Movement rate, in feet for one move action."""
    morale: Annotated[int, Meta(ge=2, le=12)] | None = None
    """The morale score, which 2d6 must not exceed; without it, nobody rolls morale for it."""
    minor: bool = False
    """Whether it dies at 0 hit points, because it plays no great part; a player character never does."""
    frail: bool = False
    """Whether it is frail on joining: it dies when it falls to 0 hit points again."""
    luck: bool = False
    """Whether it has a fighter's luck."""
    watchful: Literal[0, 1, 2] = 0
    """The level of the watchful focus; 0 for none."""
    weapons: tuple[Weapon, ...] = ()
    """Its weapons and natural attacks, in the order in which attacks choose them."""
    special: tuple[Annotated[str, Meta(min_length=1, max_length=1000)], ...] = ()
    """Special powers in words, for the game master."""

    def modifier(self, attribute: Attribute) -> int:
        """The modifier of an attribute: given directly, or by the score."""
        given = self.mods.get(attribute)
        return modifier(self.attributes.get(attribute, 10)) if given is None else given

    def skill(self, name: str) -> int | None:
        """The level in a skill; none for untrained."""
        return next((level for skill, level in self.skills.items() if skill.casefold() == name.casefold()), None)

    @property
    def bonus(self) -> int:
        """The attack bonus: the sheet's own, else by class and level: aachen.attack.class-bonus."""
        if self.attack_bonus is not None:
            return self.attack_bonus
        return ATTACK_BONUS[self.class_][self.level - 1] if self.class_ else 0

    @property
    def hit_dice(self) -> int:
        """Hit dice: a monster's 1, an npc's its level, where the sheet does not say."""
        return self.hd or (self.level if self.kind == "npc" else 1)

    def weapon(self, name: str) -> Weapon | None:
        """The weapon of that name, or whose name alone begins so, in any case."""
        sought = name.casefold()
        found = [weapon for weapon in self.weapons if weapon.name.casefold().startswith(sought)]
        exact = [weapon for weapon in found if weapon.name.casefold() == sought]
        return exact[0] if exact else found[0] if len(found) == 1 else None


def player(data: Mapping[str, Any]) -> bool:
    """Of kind pc: a player plays it. What goes without saying does not count."""
    return data.get("kind") == "pc"


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that breaks a rule."""
    if who.casefold() in SIDES:
        fight.impossible(f"{who!r} is the name of a side.", "Say another name with --called.", at=("name",))
    for attribute, score in sorted(sheet.attributes.items()):
        if score not in SCORES:
            clause = "aachen.attribute.modifier"
            hint = f"Say the modifier itself on the sheet: mods = {{ {attribute} = 3 }}."
            fight.refuse(clause, f"{attribute} {score}: an attribute is 3 to 18.", hint, ("attributes", attribute))
            fight.impossible(f"The table has no modifier for {attribute} {score}.", hint, ("attributes", attribute))
    if sheet.level not in LEVELS and sheet.class_ and sheet.attack_bonus is None:
        message = f"The table has no attack bonus for a {sheet.class_} of level {sheet.level}."
        fight.impossible(message, "Say it on the sheet: attack_bonus = 5.", at=("level",))
    if sheet.kind == "pc":
        _check_caps(fight, who, sheet)
    for skill in sheet.skills:  # hardly another word than one for which a rule or a weapon of theirs asks
        if near := nearly(skill, (*ASKED, *(weapon.skill for weapon in sheet.weapons))):
            fight.notes.append(f"No rule asks for {whose(who)} skill {skill!r}; one asks for {near}.")
    for nth, weapon in enumerate(sheet.weapons):
        check_weapon(fight, who, weapon, ("weapons", nth))
    names = [weapon.name.casefold() for weapon in sheet.weapons]
    for nth, name in enumerate(names):
        if name in (*names[:nth], SHIELD, "unarmed"):
            message, hint = f"Two things that {who} carries have the same name.", "Call them sword and second sword."
            fight.impossible(message, hint, ("weapons", nth, "name"))
    if (sheet.hp or 0) > sheet.hp_max:
        fight.impossible(f"{who} cannot have {sheet.hp} hp of {sheet.hp_max}.", at=("hp",))


def _check_caps(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Player characters end at level 10 and skill level 4."""
    if sheet.level not in LEVELS:
        message = f"{who} is of level {sheet.level}; player characters end at 10."
        fight.refuse("aachen.attack.class-bonus", message, at=("level",))
    for skill, level in sorted(sheet.skills.items()):
        if level > _BEST_SKILL:
            message = f"{who} has {skill} {level}; player characters end at {_BEST_SKILL}."
            fight.refuse("aachen.attack.skill", message, at=("skills", skill))


ASKED = ("exert", "heal", "notice", "punch", "shoot", "sneak", "stab")
"""Skills that a rule of the book names."""


def check_weapon(fight: Resolution, who: str, weapon: Weapon, at: tuple[str | int, ...] = ()) -> None:
    """Stops a weapon that makes no sense. `at` is where it stands in a stat block."""
    try:
        sides, points = parse(weapon.damage)
    except UsageError:
        sides, points = (), 0
    if not sides and points < 1:
        message = f"{whose(who)} {weapon.name} does {weapon.damage!r} damage, which is neither dice nor points."
        fight.impossible(message, "Damage is written like 1d8, 2d6+1 or 1.", (*at, "damage"))
    if weapon.range and weapon.range[0] > weapon.range[1]:
        message = f"{whose(who)} {weapon.name} has a short distance that is longer than the long one."
        fight.impossible(message, at=(*at, "range"))
    if weapon.skill == "shoot" and not weapon.range:
        message = f"{whose(who)} {weapon.name} is for shooting and has no distances."
        fight.impossible(message, "Say them on the sheet: range = [30, 60].", (*at, "skill"))


def enter(fight: Resolution, who: str, sheet: Sheet, at: Square | None) -> None:
    """Records health and gear of a newcomer. One that comes during a fight has a turn in it."""
    check_side(fight, who)
    if at is not None:
        message = "Aachen counts contact, not squares."
        fight.impossible(message, "The last word of a move names the enemy that it reaches.")
    for weapon in sheet.weapons:
        if weapon.ready:
            fight.record(Equipped(who, weapon.name))
    if sheet.shield:
        fight.record(Equipped(who, SHIELD))
    if sheet.frail:
        fight.record(ConditionGained(who, FRAIL))
    if fight.state.encounter.running:
        actions.welcome(fight, who, bool(sheet.watchful))
    fight.record(HpSet(who, sheet.hp_max if sheet.hp is None else sheet.hp, sheet.hp_max))
    if sheet.hp == 0:
        falls.fall(fight, who)


def check_side(fight: Resolution, who: str) -> None:
    """aachen.sides: there are two."""
    side = fight.state.roster.members[who].side
    if side not in SIDES:
        message = f"{who} cannot fight for {side!r}: the sides are pc (the party) and opp (its opponents)."
        fight.impossible(message, "Say the side: --side opp.")


def leaves(fight: Resolution, who: str) -> None:
    """Anyone who leaves the table is in nobody's way any more."""
    falls.drop_out(fight, who)
    falls.settle_morale(fight, gone=(who,))


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with the weapons that they have and it does not name: they carry them."""
    before, names = fight.sheet(who), {weapon.name.casefold() for weapon in named.weapons}
    others = (replace(weapon, ready=False) for weapon in before.weapons if weapon.name.casefold() not in names)
    return replace(named, weapons=(*named.weapons, *others))


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    sheet: Sheet = fight.sheet(who)
    _change_gear(fight, who, named, before)
    if sheet.frail and not before.frail:
        fight.record(ConditionGained(who, FRAIL))
    elif before.frail and not sheet.frail and fight.state.conditions.has(who, FRAIL):
        fight.record(ConditionEnded(who, FRAIL))
    if sheet.hp_max != before.hp_max:
        fight.record(HpSet(who, min(fight.state.harm.hp[who].now, sheet.hp_max), sheet.hp_max))


def _change_gear(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """What is not named is put away; what is new and ready is in hand."""
    names, had = [one.name for one in sheet.weapons], [one.name for one in before.weapons if one.ready]
    kept = {*names, *([SHIELD] if sheet.shield else [])}
    for name in fight.state.gear.equipped.get(who, ()):
        if name not in kept:
            fight.record(Unequipped(who, name))
    for weapon in sheet.weapons:
        if weapon.ready and weapon.name not in had:
            fight.record(Equipped(who, weapon.name))
    if sheet.shield and not before.shield:
        fight.record(Equipped(who, SHIELD))


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now."""
    sheet: Sheet = view.sheet(who)
    hp, held = view.state.harm.hp[who], view.state.gear.equipped.get(who, ())
    return replace(
        sheet,
        hp_max=hp.most,
        hp=None if hp.now == hp.most else max(hp.now, 0),
        frail=view.state.conditions.has(who, FRAIL),
        weapons=tuple(replace(weapon, ready=weapon.name in held) for weapon in sheet.weapons),
    )
