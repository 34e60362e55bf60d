"""Pools: how many dice of which size, and what they come to."""

from commands.action.resolution import Resolution, Roll
from ledger.events import Number, number

from . import facing, gear

PRONE = "prone"
DEFENSIVE = "defensive"


def has(fight: Resolution, who: str, condition: str) -> bool:
    """Whether a condition holds for a creature."""
    return fight.state.conditions.has(who, condition)


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
        if has(fight, defender, DEFENSIVE):
            dice = dice.plus(1, DEFENSIVE)  # dungeoneers.defensive.extra-die
        dice = dice.at_least(0, "least")
        if has(fight, defender, PRONE):
            dice = dice.at_most(1, PRONE)  # dungeoneers.prone.dodge-cap
        own = fight.sheet(defender).dodge_die
        sides = gear.die_size(fight, "dungeoneers.dice.dodge-die", defender, "dodge die", own)
        self.roll = throw(fight, clause, defender, "dodge", attacker, dice, sides)
        self.rear = facing.roll_rear(fight, attacker, defender)

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
