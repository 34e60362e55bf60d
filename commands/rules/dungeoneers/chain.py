"""The dice of attack and defense: pools, and the chain of hit, pierce and wounds."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from commands.action import modifiers
from commands.action.declaration import Declaration, says
from commands.action.modifiers import Modifier, Mods
from commands.action.resolution import Resolution, Roll
from ledger.events import Noted, Number, number

from . import bodies, gear, wounds
from .tables import DEFENSIVE, PRONE, Weapon

_EMPTY = "dungeoneers.dice.empty-pool"
_JOINING = "dungeoneers.dice.modifiers"
_MODS = (
    "Extra or fewer dice, as the game master rules: N, N:WHY, or WHAT@WHO:N:WHY, such as dodge:-1:blind; may be"
    " repeated."
)


class Pools(Declaration, kw_only=True):
    """What the game master adds to the dice of two sides."""

    mod: Annotated[Mods, Meta(description=_MODS)] = ()


class Blow(Pools, kw_only=True):
    """What can be said of a blow besides who strikes whom."""

    with_: Annotated[str, says("The weapon, or the word improvised; by default the first in hand.", word="item")] = ""
    stress: Annotated[int, says("Stress that the attacker takes: one more hit die for each point.", ge=0, le=50)] = 0
    on_hit: Annotated[str, says("Words to record if it hits.", max_length=2000)] = ""
    on_miss: Annotated[str, says("Words to record if it misses.", max_length=2000)] = ""
    on_pierce: Annotated[str, says("Words to record if it pierces.", max_length=2000)] = ""
    on_deflect: Annotated[str, says("Words to record if it is deflected.", max_length=2000)] = ""


# Pools

Dice = Mapping[str, Sequence[Modifier]]
"""What the game master adds or takes, by the pool."""
Others = Collection[tuple[str, str]]
"""Pools of other rolls in the same action, each with its name."""
Resists = Literal["prowess", "power", ""]
"""With which score somebody resists, where it is said."""
_MOST = 50
"""The most that the game master adds at once, either way."""


def pools_of(who: str, target: str) -> dict[str, str]:
    """What the game master can change of a blow, and whose that is."""
    return {"hit": who, "dodge": target, "pierce": who, "armor": target, "wounds": who}


def by_gm(fight: Resolution, said: Pools, pools: dict[str, str], others: Others = ()) -> Dice:
    """What the game master adds to each pool of an action. `pools` says whose each is; the verb's own comes first.

    Stops what the action does not have, and whose it is not. `others` are pools of other rolls in the same action, each
    with its name: what is said of them is theirs.
    """
    kinds = dict.fromkeys([*pools, *(what for what, _ in others)])
    found = [one for one in modifiers.read(fight, said.mod, tuple(kinds), _MOST) if (one.what, one.who) not in others]
    for one in found:
        if one.what not in pools:
            whose = " or ".join(dict.fromkeys(who for what, who in others if what == one.what))
            fight.impossible(f"This action has {one.what} of {whose}: say whose, --mod {one.what}@NAME:N.")
    for one in found:
        if one.who not in ("", pools[one.what]):
            parts = [word.partition(":") for word in said.mod]
            nobodys = [f"{what.partition('@')[0]}{colon}{rest}" for what, colon, rest in parts]
            message = f"In this action {one.what} belongs to {pools[one.what]}, not to {one.who}."
            fight.impossible(message, [fight.otherwise(mod=nobodys)])
    return {what: [one for one in found if one.what == what] for what in pools}


def throw(fight: Resolution, clause: str, who: str, purpose: str, about: str, dice: Number, sides: int) -> Roll | None:
    """Rolls as many dice as were counted; nothing when there are none.

    Additions and penalties come first, then never less than 0, then the caps, which are part of `dice` already. No dice
    are no dice, unless a house rule grants one.
    """
    dice = dice.at_least(fight.option("minimum_dice"), "least", _EMPTY)
    if dice.steps[1:]:
        also = gear.weighed(fight, who)
        fight.rule(clause, f"{dice.total}d{sides}", [dice], who=who, about=about, also=also, aside=True)
    return fight.roll(who, f"{dice.total}d{sides}", purpose, about) if dice.total else None


def counted(fight: Resolution, who: str, of: str, score: str, extra: Sequence[Modifier]) -> Number:
    """The dice of a pool before any cap: a score, what the game master adds, less what the creature's armor weighs."""
    of_score = gear.plus_effects(fight, who, number(of, getattr(fight.sheet(who), score), score), _JOINING, score)
    return gear.less_weight(fight, who, plus(gear.plus_effects(fight, who, of_score, _JOINING), extra))


def plus(dice: Number, extra: Sequence[Modifier]) -> Number:
    """dungeoneers.dice.modifiers: dice added or taken have the size of the pool that they join."""
    for one in extra:
        dice = dice.plus(one.amount, one.why, _JOINING)
    return dice


def not_below_none(dice: Number) -> Number:
    """dungeoneers.dice.order-of-counting: after additions and penalties, and before caps, a pool is never below 0."""
    return dice.at_least(0, "least", "dungeoneers.dice.order-of-counting")


def total(roll: Roll | None, of: str, clause: str = "") -> Number:
    """What a pool came to, whose dice a clause gave; 0 when there was none."""
    return roll.number(of, clause) if roll else number(of, 0, "no dice", _EMPTY)


class Dodge:
    """The dodge of a defender: its pool, and the d8 of an attacker behind it, thrown before anything is read."""

    def __init__(
        self, fight: Resolution, clause: str, defender: str, attacker: str, extra: Dice, score: str = "prowess"
    ) -> None:
        dice = counted(fight, defender, "dodge dice", score, extra["dodge"])
        if fight.state.conditions.has(defender, DEFENSIVE):
            dice = dice.plus(1, DEFENSIVE, "dungeoneers.defensive.extra-die")
        dice = not_below_none(dice)
        if fight.state.conditions.has(defender, PRONE):
            dice = dice.at_most(1, PRONE, "dungeoneers.prone.dodge-cap")
        own = fight.sheet(defender).dodge_die
        sides = gear.die_size(fight, "dungeoneers.dice.dodge-die", defender, "dodge die", own)
        self.roll = throw(fight, clause, defender, "dodge", attacker, dice, sides)
        self.rear = bodies.roll_rear(fight, attacker, defender)
        self.clauses = ("dungeoneers.facing.opposite",) if self.rear else ()
        """By which the attacker stands behind, if it does."""

    def number(self) -> Number:
        """The total, which the d8 may take below 0."""
        dodged = total(self.roll, "dodge")
        rear, clause = self.rear, "dungeoneers.facing.rear-penalty"
        return dodged.minus(rear.total, "d8 rear", clause, rear.nth) if rear else dodged


def power_against_dodge(
    fight: Resolution, clause: str, attacker: str, defender: str, weapon: Weapon, defend_with: Resists, extra: Dice
) -> tuple[Number, Number, tuple[str, ...]]:
    """The roll of grapple, push and breaking free: the attacker's power against the defender's choice.

    Prowess or power, by default the higher of the two, prowess if they are equal. With the two totals come the clauses
    that decided: dungeoneers.grapple.defender-choice or dungeoneers.push.defender-choice, where the defender did not
    simply dodge, and that of the rear.
    """
    dice = not_below_none(counted(fight, attacker, "hit dice", "power", extra["hit"]))
    hit = throw(fight, clause, attacker, "hit", defender, dice, weapon.hit)
    sheet = fight.sheet(defender)
    score = defend_with or ("power" if sheet.power > sheet.prowess else "prowess")
    dodge = Dodge(fight, clause, defender, attacker, extra, score)
    verb = clause.split(".")[1]
    chosen = (f"dungeoneers.{verb}.defender-choice",) if defend_with or score == "power" else ()
    return total(hit, "hit", weapon.hit_clause), dodge.number(), (*chosen, *dodge.clauses)


# The chain


def strike(
    fight: Resolution, who: str, target: str, weapon: Weapon, said: Blow, ranged: bool = False, others: Others = ()
) -> None:
    """Each step only if the one before succeeded. `others` are pools of other blows that are said with it."""
    extra = by_gm(fight, said, pools_of(who, target), others)
    with fight.upon(who, target):
        _strike(fight, who, target, weapon, said, ranged, extra)


def _strike(fight: Resolution, who: str, target: str, weapon: Weapon, said: Blow, ranged: bool, extra: Dice) -> None:
    if said.stress:
        wounds.strain(fight, who, said.stress)
        if not fight.state.stands(who):
            return
    if not hits(fight, who, target, weapon, said.stress, extra, ranged):
        _tell(fight, target, said.on_miss)
        return
    _tell(fight, target, said.on_hit)
    if not pierces(fight, who, target, weapon, extra):
        _tell(fight, target, said.on_deflect)
        return
    _tell(fight, target, said.on_pierce)
    listed = number("wounds", weapon.wounds, weapon.name, "dungeoneers.attack.wounds")
    lasting = [Modifier("wounds", who, held.amount, name) for name, held in gear.giving(fight, who, "wounds")]
    wounds.suffer(fight, target, listed, weapon.type, (*lasting, *extra["wounds"]), by=who)


def hits(fight: Resolution, who: str, target: str, weapon: Weapon, stress: int, extra: Dice, ranged: bool) -> bool:
    """dungeoneers.attack.hit-roll and dungeoneers.attack.hit-compare: a tie is a hit."""
    clause, buying = "dungeoneers.attack.hit-roll", "dungeoneers.stress.hit-dice"
    bought = fight.option("stress_hit_die") == "d4"
    dice = counted(fight, who, "hit dice", "prowess", extra["hit"])
    if not bought:
        dice = dice.plus(stress, "stress", buying)
    dice = not_below_none(dice)
    lying = ranged and fight.state.conditions.has(target, PRONE)
    if lying:
        dice = dice.at_most(1, PRONE, "dungeoneers.prone.ranged-cap")
    hit = throw(fight, clause, who, "hit", target, dice, weapon.hit)
    more: Roll | None = None
    if bought and stress and not (lying and hit):
        more = fight.roll(who, f"{1 if lying else stress}d4", "stress-hit", target)
    dodge = Dodge(fight, clause, target, who, extra)
    strength = total(hit, "hit", weapon.hit_clause)
    if more:
        strength = strength.plus(more.total, f"{more.named} stress", buying, more.nth)
    dodged = dodge.number()
    also = (*dodge.clauses, *_ends(strength, dodged))
    clause = "dungeoneers.attack.hit-compare"
    return fight.compare(clause, strength, ">=", dodged, who, target, yes="hit", no="miss", also=also)


def pierces(fight: Resolution, who: str, target: str, weapon: Weapon, extra: Dice) -> bool:
    """dungeoneers.attack.pierce-roll and dungeoneers.attack.pierce-compare: a tie pierces.

    The over-stressed roll a d4 besides, whatever the weapon.
    """
    dice = not_below_none(counted(fight, who, "pierce dice", "power", extra["pierce"]))
    pierce = throw(fight, "dungeoneers.attack.pierce-roll", who, "pierce", target, dice, weapon.pierce)
    more = fight.roll(who, "1d4", "overstress", target) if wounds.strained(fight, who) else None
    force = total(pierce, "pierce", "dungeoneers.dice.pierce-die")
    if more:
        force = force.plus(more.total, "d4 over-stressed", "dungeoneers.stress.pierce-die", more.nth)
    value = gear.armor_value(fight, target)
    for one in extra["armor"]:
        value = value.plus(one.amount, one.why, "dungeoneers.attack.hit-miss-effects")
    clause, also = "dungeoneers.attack.pierce-compare", _ends(force, value)
    return fight.compare(clause, force, ">=", value, who, target, yes="pierced", no="deflected", also=also)


def _ends(attack: Number, defense: Number) -> tuple[str, ...]:
    """dungeoneers.attack.sequence: a step that fails ends the attack."""
    return ("dungeoneers.attack.sequence",) if attack.total < defense.total else ()


def _tell(fight: Resolution, target: str, text: str) -> None:
    """What the game master says of an effect: kept with the attack."""
    if text:
        fight.record(Noted(text, target))
