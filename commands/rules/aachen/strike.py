"""The attack roll: what is added to the d20, whether it hits, and the luck that turns it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from commands.action.declaration import AnyOrder, Declaration
from commands.action.resolution import Resolution
from ledger.events import Number, Ruled, number

from .fighters import GONE, LUCK
from .modifiers import MOD, read_mods, with_mods
from .tables import UNTRAINED, Weapon

LUCK_CLAUSES = ("aachen.fighters-luck.miss-to-hit", "aachen.fighters-luck.hit-to-miss")
HIT_TEST = ("aachen.attack.hit-test", "aachen.attack.natural-1", "aachen.attack.natural-20", *LUCK_CLAUSES)
"""The clauses by which an attack hits or misses."""
SNAP = (-4, "snap attack")
Circumstances = list[tuple[int, str]]


class Blow(Declaration, kw_only=True):
    """What can be said of an attack besides who attacks whom."""

    with_: Annotated[str, Meta(description="The weapon, or unarmed; otherwise the first one in hand.")] = ""
    attr: (
        Annotated[Literal["STR", "DEX"], Meta(description="The attribute, where the weapon leaves the choice.")] | None
    ) = None
    adv: Annotated[bool, Meta(description="With advantage: two d20, the higher counts.")] = False
    dis: Annotated[bool, Meta(description="With disadvantage: two d20, the lower counts.")] = False
    mod: Annotated[AnyOrder, Meta(description=MOD)] = ()


class Arm(Struct, frozen=True):
    """A weapon, as somebody uses it."""

    weapon: Weapon
    attribute: Literal["STR", "DEX", ""]
    """Which one counts, for the hit, the damage and the shock alike; "" for a monster's flat attack."""
    modifier: int
    thrown: bool = False
    """Whether it is shot or thrown."""

    @property
    def skill(self) -> str:
        """aachen.attack.skill: Stab for melee weapons, Shoot for what is shot or thrown, Punch for bare hands."""
        return "shoot" if self.thrown else self.weapon.skill


def arm(fight: Resolution, who: str, weapon: Weapon, said: Blow, thrown: bool = False) -> Arm:
    """The attribute by aachen.attack.attribute, or as chosen: aachen.attack.attribute-choice.

    aachen.attack.attribute-consistency: it is settled here, once for the whole attack. aachen.attack.monster: none.
    """
    sheet = fight.sheet(who)
    if sheet.kind == "monster":
        if said.attr:
            fight.refuse("aachen.attack.monster", f"{who}'s attack bonus holds everything.", "Leave out --attr.")
        return Arm(weapon, "", 0, thrown)
    if weapon.attr == "either":
        strength, dexterity = sheet.modifier("STR"), sheet.modifier("DEX")
        best: Literal["STR", "DEX"] = said.attr or ("STR" if strength >= dexterity else "DEX")
        return Arm(weapon, best, sheet.modifier(best), thrown)
    if said.attr not in (None, weapon.attr):
        fight.refuse("aachen.attack.attribute-choice", f"{weapon.name} takes {weapon.attr}.", "Leave out --attr.")
    chosen: Literal["STR", "DEX"] = said.attr or weapon.attr
    return Arm(weapon, chosen, sheet.modifier(chosen), thrown)


def hits(fight: Resolution, who: str, target: str, used: Arm, said: Blow, circumstances: Circumstances) -> bool:
    """aachen.attack.roll against the current Armor Class; equal hits: aachen.attack.hit-test."""
    mods = read_mods(fight, said.mod)
    natural = _kept(fight, who, target, said)
    terms = [*_training(fight, who, used), *circumstances, *_effects(fight, who, "attack"), *mods]
    total = with_mods(natural, terms)
    guard = armor_class(fight, target)
    if natural.total == 1 and fight.option("naturals"):
        hit = fight.rule("aachen.attack.natural-1", "miss", [total, guard], who, target) == "hit"
    elif natural.total == 20 and fight.option("naturals"):
        hit = fight.rule("aachen.attack.natural-20", "hit", [total, guard], who, target) == "hit"
    else:
        hit = fight.compare("aachen.attack.hit-test", total, ">=", guard, who, target, yes="hit", no="miss")
    if any(waiting.kind == LUCK for waiting in fight.state.pending.waiting):
        hit = turned(fight, who, target, hit)
    return hit


def _kept(fight: Resolution, who: str, target: str, said: Blow) -> Number:
    """The d20, or the one of two that counts."""
    if said.adv and said.dis:
        fight.refuse("aachen.attack.disadvantage", "Advantage and disadvantage cancel each other.", "Leave out both.")
    if said.adv == said.dis:
        return fight.roll(who, "1d20", "attack", target).number()
    two = fight.roll(who, "2d20", "attack", target)
    clause = "aachen.attack.advantage" if said.adv else "aachen.attack.disadvantage"
    kept = number("attack", two.highest if said.adv else two.lowest, "higher d20" if said.adv else "lower d20")
    fight.rule(clause, "", [kept.called("natural")], who, target)
    return kept


def _training(fight: Resolution, who: str, used: Arm) -> Circumstances:
    """Attack bonus, attribute, skill and magic; for a monster the bonus holds everything: aachen.attack.monster."""
    sheet = fight.sheet(who)
    if sheet.kind == "monster":
        return [(sheet.bonus, "attack bonus")]
    level = sheet.skill(used.skill)
    trained = (level, used.skill.capitalize()) if level is not None else (UNTRAINED, "untrained")
    # aachen.attack.untrained, and aachen.attack.magic
    return [(sheet.bonus, "attack bonus"), (used.modifier, used.attribute), trained, (used.weapon.magic, "magic")]


def _effects(fight: Resolution, who: str, kind: str) -> Circumstances:
    return [(held.amount, name) for name, held in fight.state.conditions.held(who) if held.modifies == kind]


def armor_class(fight: Resolution, who: str) -> Number:
    """The current Armor Class: the sheet's, with what total defense, a charge and effects change."""
    return with_mods(number("AC", fight.sheet(who).ac), _effects(fight, who, "AC"))


def turned(fight: Resolution, who: str, target: str, hit: bool) -> bool:
    """How an attack comes out with the luck that was called on for it, in the order in which it was called on."""
    for waiting in fight.state.pending.waiting:
        if waiting.kind != LUCK or waiting.said != {"by": who, "on": target}:
            continue
        fight.settle(LUCK, waiting.who, "done")
        if hit == (waiting.who != who):
            fight.rule(LUCK_CLAUSES[hit], "by luck a miss" if hit else "by luck a hit", who=who, about=target)
            hit = not hit
    return hit


def check_target(fight: Resolution, who: str, target: str) -> None:
    """aachen.attack.legal-target: neither oneself nor the dead; the mortally wounded may be attacked."""
    down = fight.state.harm.down.get(target)
    if who == target:
        fight.refuse("aachen.attack.legal-target", f"{who} cannot attack itself.")
    elif down and down.how == "dead":
        fight.refuse("aachen.attack.legal-target", f"{target} is dead.")
    elif fight.state.conditions.has(target, GONE):
        hint = f"affray adjust {target} no-condition {GONE} 'the reason'"
        fight.refuse("aachen.attack.legal-target", f"{target} has left the fight.", hint)


def answerable(fight: Resolution) -> list[Ruled]:
    """How each attack of the last action came out, luck included; the last one first."""
    attacks: dict[tuple[str, str], Ruled] = {}
    for event in reversed(fight.latest):
        if isinstance(event, Ruled) and event.clause in HIT_TEST:
            attacks.setdefault((event.who, event.about), event)
    return list(attacks.values())
