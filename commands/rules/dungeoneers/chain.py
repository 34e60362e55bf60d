"""The dice of attack and defense: pools, and the chain of hit, pierce and wounds."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration
from commands.action.resolution import Resolution, Roll
from ledger.events import Noted, Number, number

from . import bodies, gear, wounds
from .tables import DEFENSIVE, PRONE, Weapon


class Pools(Declaration, kw_only=True):
    """What the referee adds to the dice of two sides."""

    hit_dice: Annotated[int, Meta(ge=-50, le=50, description="Dice more, or fewer, for the attacker's roll.")] = 0
    dodge_dice: Annotated[int, Meta(ge=-50, le=50, description="Dice more, or fewer, for the defender's roll.")] = 0


class Blow(Pools, kw_only=True):
    """What can be said of a blow besides who strikes whom."""

    with_: Annotated[
        str, Meta(description="The weapon, or improvised; otherwise the first in hand.", extra={"word": "item"})
    ] = ""
    stress: Annotated[
        int, Meta(ge=0, le=50, description="Stress that the attacker takes upon itself, for a hit die each.")
    ] = 0
    pierce_dice: Annotated[int, Meta(ge=-50, le=50, description="Dice more, or fewer, to pierce.")] = 0
    wounds: Annotated[int, Meta(ge=-50, le=50, description="Wounds more, or fewer, by the attacker's effects.")] = 0
    on_hit: Annotated[str, Meta(max_length=2000, description="What happens at once on a hit.")] = ""
    on_miss: Annotated[str, Meta(max_length=2000, description="What happens at once on a miss.")] = ""
    on_pierce: Annotated[str, Meta(max_length=2000, description="What happens at once when it pierces.")] = ""
    on_deflect: Annotated[str, Meta(max_length=2000, description="What happens at once when it is deflected.")] = ""


# Pools


def throw(fight: Resolution, clause: str, who: str, purpose: str, about: str, dice: Number, sides: int) -> Roll | None:
    """Rolls as many dice as were counted; nothing when there are none.

    dungeoneers.dice.order-of-counting: additions and penalties first, then never less than 0, then the caps, which
    are part of `dice` already. dungeoneers.dice.empty-pool: no dice are no dice, unless a house rule grants one.
    """
    dice = dice.at_least(fight.option("minimum_dice"), "least")
    if dice.steps[1:]:
        fight.rule(clause, f"{dice.total}d{sides}", [dice], who=who, about=about)
    return fight.roll(who, f"{dice.total}d{sides}", purpose, about) if dice.total else None


def counted(fight: Resolution, who: str, of: str, score: str, extra: int = 0) -> Number:
    """The dice of a pool before any cap: a score, what the referee adds, less what the creature's armor weighs.

    dungeoneers.dice.modifiers: dice added or taken have the size of the pool that they join.
    """
    dice = gear.plus_effects(fight, who, number(of, getattr(fight.sheet(who), score), score), score)
    dice = dice.plus(extra, "more" if extra > 0 else "fewer")
    return gear.less_weight(fight, who, dice)


def total(roll: Roll | None, of: str) -> Number:
    """What a pool came to; 0 when there was none."""
    return roll.number(of) if roll else number(of, 0, "no dice")


class Dodge:
    """The dodge of a defender: its pool, and the d8 of an attacker behind it, thrown before anything is read."""

    def __init__(
        self, fight: Resolution, clause: str, defender: str, attacker: str, score: str = "prowess", extra: int = 0
    ) -> None:
        dice = gear.plus_effects(fight, defender, counted(fight, defender, "dodge dice", score, extra))
        if fight.state.conditions.has(defender, DEFENSIVE):
            dice = dice.plus(1, DEFENSIVE)  # dungeoneers.defensive.extra-die
        dice = dice.at_least(0, "least")
        if fight.state.conditions.has(defender, PRONE):
            dice = dice.at_most(1, PRONE)  # dungeoneers.prone.dodge-cap
        own = fight.sheet(defender).dodge_die
        sides = gear.die_size(fight, "dungeoneers.dice.dodge-die", defender, "dodge die", own)
        self.roll = throw(fight, clause, defender, "dodge", attacker, dice, sides)
        self.rear = bodies.roll_rear(fight, attacker, defender)

    def number(self) -> Number:
        """The total, which the d8 may take below 0."""
        dodged = total(self.roll, "dodge")
        return dodged.minus(self.rear.total, "d8 rear") if self.rear else dodged


def power_against_dodge(
    fight: Resolution,
    clause: str,
    attacker: str,
    defender: str,
    sides: int,
    defend_with: str,
    hit_dice: int,
    dodge_dice: int,
) -> tuple[Number, Number]:
    """The roll of grapple, push and breaking free: the attacker's power against the defender's choice.

    dungeoneers.grapple.defender-choice: prowess or power, by default the higher of the two, prowess if they are equal.
    """
    dice = counted(fight, attacker, "hit dice", "power", hit_dice).at_least(0, "least")
    hit = throw(fight, clause, attacker, "hit", defender, dice, sides)
    sheet = fight.sheet(defender)
    score = defend_with or ("power" if sheet.power > sheet.prowess else "prowess")
    dodge = Dodge(fight, clause, defender, attacker, score, dodge_dice)
    return total(hit, "hit"), dodge.number()


# The chain


def strike(fight: Resolution, who: str, target: str, weapon: Weapon, said: Blow, ranged: bool = False) -> None:
    """dungeoneers.attack.sequence: each step only if the one before succeeded."""
    if said.stress:
        wounds.strain(fight, who, said.stress)
        if not fight.state.stands(who):
            return
    if not hits(fight, who, target, weapon, said, ranged):
        _tell(fight, target, said.on_miss)
        return
    _tell(fight, target, said.on_hit)
    if not pierces(fight, who, target, weapon, said):
        _tell(fight, target, said.on_deflect)
        return
    _tell(fight, target, said.on_pierce)
    listed = number("wounds", weapon.wounds, weapon.name)  # dungeoneers.attack.wounds
    wounds.suffer(fight, target, listed, weapon.type, said.wounds, by=who)


def hits(fight: Resolution, who: str, target: str, weapon: Weapon, said: Blow, ranged: bool) -> bool:
    """dungeoneers.attack.hit-roll and dungeoneers.attack.hit-compare: a tie is a hit."""
    clause = "dungeoneers.attack.hit-roll"
    bought = fight.option("stress_hit_die") == "d4"
    dice = counted(fight, who, "hit dice", "prowess", said.hit_dice)
    if not bought:
        dice = dice.plus(said.stress, "stress")  # dungeoneers.stress.hit-dice
    dice = dice.at_least(0, "least")
    lying = ranged and fight.state.conditions.has(target, PRONE)
    if lying:
        dice = dice.at_most(1, PRONE)  # dungeoneers.prone.ranged-cap
    hit = throw(fight, clause, who, "hit", target, dice, weapon.hit)  # dungeoneers.dice.hit-die
    more: Roll | None = None
    if bought and said.stress and not (lying and hit):
        more = fight.roll(who, f"{1 if lying else said.stress}d4", "stress-hit", target)
    dodge = Dodge(fight, clause, target, who, extra=said.dodge_dice)
    strength = total(hit, "hit")
    if more:
        strength = strength.plus(more.total, f"{more.dice.removeprefix('1')} stress")
    dodged = dodge.number()
    return fight.compare("dungeoneers.attack.hit-compare", strength, ">=", dodged, who, target, yes="hit", no="miss")


def pierces(fight: Resolution, who: str, target: str, weapon: Weapon, said: Blow) -> bool:
    """dungeoneers.attack.pierce-roll and dungeoneers.attack.pierce-compare: a tie pierces.

    dungeoneers.stress.pierce-die: the over-stressed roll a d4 besides, whatever the weapon.
    """
    dice = counted(fight, who, "pierce dice", "power", said.pierce_dice).at_least(0, "least")
    sides = weapon.pierce  # dungeoneers.dice.pierce-die
    pierce = throw(fight, "dungeoneers.attack.pierce-roll", who, "pierce", target, dice, sides)
    more = fight.roll(who, "1d4", "overstress", target) if wounds.strained(fight, who) else None
    force = total(pierce, "pierce")
    if more:
        force = force.plus(more.total, "d4 over-stressed")
    value = gear.armor_value(fight, target)
    clause = "dungeoneers.attack.pierce-compare"
    return fight.compare(clause, force, ">=", value, who, target, yes="pierced", no="deflected")


def _tell(fight: Resolution, target: str, text: str) -> None:
    """What the referee says of an effect: kept with the attack."""
    if text:
        fight.record(Noted(text, target))
