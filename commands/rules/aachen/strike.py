"""The attack roll: what is added to the d20, whether it hits, and the luck that turns it."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from commands.action.declaration import Declaration, says
from commands.action.modifiers import DICE, DiceMods, Modifier
from commands.action.resolution import Resolution, adjusted
from commands.action.view import View
from ledger.events import Number, Ruled, number, whose

from . import gear
from .fighters import GONE, LUCK
from .modifiers import Term, effects, read_mods, terms, with_terms
from .tables import UNTRAINED, Weapon

_HIT_TEST = (
    "aachen.attack.hit-test",
    "aachen.attack.natural-1",
    "aachen.attack.natural-20",
    "aachen.fighters-luck.miss-to-hit",
    "aachen.fighters-luck.hit-to-miss",
)
"""The clauses by which an attack hits or misses: how the last attack came out is read by them."""
SNAP = (-4, "snap attack", "aachen.actions.snap-attack")


class Blow(Declaration, kw_only=True):
    """What can be said of an attack besides who attacks whom."""

    with_: Annotated[str, says("The weapon, or the word unarmed; by default the first one in hand.")] = ""
    attr: Annotated[Literal["STR", "DEX"], says("The attribute, if the weapon allows a choice.")] | None = None
    mod: DiceMods = ()


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

    @property
    def chosen(self) -> bool:
        """Whether the attribute was a choice, which then holds for the damage and the shock as well."""
        return self.weapon.attr == "either" and self.attribute != ""


class Swing(Struct, frozen=True):
    """An attack: who, at whom, with what, against which Armor Class, and what the game master adds."""

    who: str
    target: str
    used: Arm
    guard: Number
    mods: tuple[Modifier, ...]


def arm(fight: Resolution, who: str, weapon: Weapon, said: Blow, thrown: bool = False) -> Arm:
    """The attribute by aachen.attack.attribute, or as chosen: aachen.attack.attribute-choice.

    It is settled here, once for the whole attack; of a monster it is none.
    """
    sheet = fight.sheet(who)
    if sheet.kind == "monster":
        if said.attr:
            message = f"{whose(who)} attack bonus includes the attribute."
            fight.refuse("aachen.attack.monster", message, "Leave out --attr.")
        return Arm(weapon, "", 0, thrown)
    if weapon.attr == "either":
        strength, dexterity = sheet.modifier("STR"), sheet.modifier("DEX")
        best: Literal["STR", "DEX"] = said.attr or ("STR" if strength >= dexterity else "DEX")
        return Arm(weapon, best, sheet.modifier(best), thrown)
    if said.attr not in (None, weapon.attr):
        fight.refuse("aachen.attack.attribute-choice", f"{weapon.name} takes {weapon.attr}.", "Leave out --attr.")
    chosen: Literal["STR", "DEX"] = said.attr or weapon.attr
    return Arm(weapon, chosen, sheet.modifier(chosen), thrown)


def swing_at(
    fight: Resolution, who: str, target: str, used: Arm, said: Blow, own: str = "damage", others: Sequence[str] = ()
) -> Swing:
    """An attack with what the game master adds: to hit, to Armor Class, and to the roll that may follow, its `own`."""
    shock = {"shock": (who,)} if own == "damage" and not used.thrown else {}
    mods = read_mods(fight, said.mod, {"hit": (who,), own: (who, *others), **shock, "armor": (target,)}, DICE)
    if other := next((mod.what for mod in mods if mod.dice and mod.what != "hit"), ""):
        message = f"Nobody throws two dice for {other}."
        fight.impossible(message, "adv and dis are for the hit roll: --mod adv:surprise.")
    return Swing(who, target, used, with_terms(armor_class(fight, target), terms(mods, "armor", target)), mods)


def hits(
    fight: Resolution, swing: Swing, rows: Sequence[Term], also: Sequence[str] = (), rated: Sequence[str] = ()
) -> bool:
    """aachen.attack.roll against the current Armor Class; equal hits: aachen.attack.hit-test.

    `also` names what else the roll decides, and `rated` what it decides by its total.
    """
    who, target, guard = swing.who, swing.target, swing.guard
    natural = _kept(fight, who, target, swing.mods)
    total = with_terms(natural, [*_training(fight, swing), *rows, *effects(fight, who, "attack")])
    total = with_terms(total, terms(swing.mods, "hit", who))
    if natural.total in (1, 20) and fight.option("naturals"):
        clause = "aachen.attack.natural-1" if natural.total == 1 else "aachen.attack.natural-20"
        hit = fight.rule(clause, "hit" if natural.total == 20 else "miss", [total, guard], who, target, also) == "hit"
    else:
        also = ("aachen.attack.roll", *also, *rated)
        hit = fight.compare("aachen.attack.hit-test", total, ">=", guard, who, target, "hit", "miss", also)
    if any(waiting.kind == LUCK for waiting in fight.state.pending.waiting):
        hit = turned(fight, who, target, hit)
    return hit


def _kept(fight: Resolution, who: str, target: str, mods: Iterable[Modifier]) -> Number:
    """The d20, or the one of two that counts."""
    better, worse = ([mod.why for mod in mods if mod.dice == dice] for dice in DICE)
    if better and worse:
        fight.refuse("aachen.attack.disadvantage", "Advantage and disadvantage cancel each other.", "Leave out both.")
    if bool(better) == bool(worse):
        return fight.roll(who, "1d20", "attack", target).number()
    two = fight.roll(who, "2d20", "attack", target)
    clause = "aachen.attack.advantage" if better else "aachen.attack.disadvantage"
    kept = number("attack", two.highest if better else two.lowest, "higher d20" if better else "lower d20")
    fight.rule(clause, ", ".join(better or worse), [kept.called("natural")], who, target, aside=True)
    return kept


def _training(view: View, swing: Swing) -> list[Term]:
    """Attack bonus, attribute, skill and magic; for a monster the bonus holds everything."""
    sheet, used = view.sheet(swing.who), swing.used
    if sheet.kind == "monster":
        return [(sheet.bonus, "attack bonus", "aachen.attack.monster")]
    by_class = "aachen.attack.class-bonus" if sheet.attack_bonus is None else ""
    named = "aachen.attack.attribute-choice" if used.chosen else "aachen.attack.attribute"
    level = sheet.skill(used.skill)
    trained: Term = (UNTRAINED, "untrained", "aachen.attack.untrained")
    if level is not None:
        trained = (level, used.skill.capitalize(), "aachen.attack.skill")
    return [
        (sheet.bonus, "attack bonus", by_class),
        (used.modifier, used.attribute, named),
        trained,
        (used.weapon.magic, "magic", "aachen.attack.magic"),
    ]


def armor_class(view: View, who: str) -> Number:
    """The current Armor Class: the sheet's, without a shield that is not in hand, and with what total defense, a charge
    and effects change.
    """
    sheet = view.sheet(who)
    ready = number("AC", sheet.ac)
    if sheet.shield and not gear.has_shield(view, who):
        ready = ready.minus(sheet.shield_bonus, "no shield in hand", "aachen.shield.in-hand")
    return with_terms(ready, effects(view, who, "AC"))


def turned(fight: Resolution, who: str, target: str, hit: bool) -> bool:
    """How an attack comes out with the luck that was called on for it, in the order in which it was called on."""
    for waiting in fight.state.pending.waiting:
        if waiting.kind != LUCK or waiting.said != {"by": who, "on": target}:
            continue
        fight.settle(LUCK, waiting.who, "done")
        if hit and waiting.who != who:
            fight.rule("aachen.fighters-luck.hit-to-miss", "luck makes it a miss", who=who, about=target)
            hit = False
        elif not hit and waiting.who == who:
            fight.rule("aachen.fighters-luck.miss-to-hit", "luck makes it a hit", who=who, about=target)
            hit = True
    return hit


def check_target(fight: Resolution, who: str, target: str) -> None:
    """aachen.attack.legal-target: neither oneself nor the dead; the mortally wounded may be attacked."""
    if who == target:
        fight.refuse("aachen.attack.legal-target", f"{who} cannot attack themselves.")
    elif fight.state.harm.how(target) == "dead":
        fight.refuse("aachen.attack.legal-target", f"{target} is dead.")
    elif fight.state.conditions.has(target, GONE):
        back = [adjusted(target, "no-condition", GONE)]
        fight.refuse("aachen.attack.legal-target", f"{target} has left the fight.", back)


def answerable(fight: Resolution) -> list[Ruled]:
    """How each attack of the last action came out, luck included; the last one first."""
    attacks: dict[tuple[str, str], Ruled] = {}
    for event in reversed(fight.latest):
        if isinstance(event, Ruled) and event.clause in _HIT_TEST:
            attacks.setdefault((event.who, event.about), event)
    return list(attacks.values())
