"""Dismounting a rider with a polearm."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded

from . import damage
from .losses import stun
from .saves import saved
from .temporary import hurt
from .tohit import Blow, Outcome, is_mounted

STUNNED_FOR = ((1, 2, 2), (3, 4, 1), (5, 6, 0))
"""arkm.dismount.stun-roll: from, to, and rounds stunned."""


def check(fight: Resolution, blow: Blow) -> None:
    """arkm.dismount.eligibility: a polearm in hand, a mounted foe; melee range is seen to as for any blow."""
    clause = "arkm.dismount.eligibility"
    if blow.weapon is None or "polearm" not in blow.weapon.tags:
        fight.refuse(clause, f"{blow.who} has no polearm in hand.", "A polearm is needed, in hand.")
    if not is_mounted(fight, blow.target):
        fight.refuse(clause, f"{blow.target} is not mounted.", "Strike without --dismount.")


def hit(fight: Resolution, blow: Blow, outcome: Outcome) -> None:
    """The rider saves and takes half the damage, or falls off unhurt and may be stunned."""
    rider = blow.target
    fight.rule("arkm.dismount.reflex-save", "saves to stay in the saddle", who=rider)
    if saved(fight, rider, "reflex", about=blow.who):
        half = damage.roll(fight, blow, outcome).over(2, "in the saddle")
        fight.rule("arkm.dismount.saved-half-damage", "", [half], blow.who, rider)
        if blow.manner:
            hurt(fight, blow, half)
        else:
            damage.take(fight, rider, half, blow.who)
        return
    fight.rule("arkm.dismount.unhorsed", "unhorsed", who=blow.who, about=rider)
    if is_mounted(fight, rider):
        fight.record(ConditionEnded(rider, "mounted"))
    die = fight.roll(rider, "1d6", "stun")
    rounds = next(rounds for low, high, rounds in STUNNED_FOR if low <= die.natural <= high)
    outcome_word = f"stunned for {rounds} round{'s' * (rounds > 1)}" if rounds else "not stunned"
    fight.rule("arkm.dismount.stun-roll", outcome_word, [die.number()], who=rider)
    stun(fight, rider, rounds, blow.who)
