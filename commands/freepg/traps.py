"""Traps: when they attack, and what waiting gives them."""

from typing import Annotated

from msgspec import Meta

from commands.declaration import Declaration, Fighter
from commands.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained

from . import actions
from .bonus import Mod

SINGLE_FIRE_DAMAGE = 5
WAITING_BONUS = 2
"""freepg.trap.continuous: for each turn of the referee in which it did not attack."""


class Pass(Declaration):
    """Let a continuous trap wait: it does not attack this turn, and its next attack is the stronger for it."""

    who: Annotated[Fighter, Meta(description="The trap that waits.", extra={"word": "fighter"})]


def pass_(fight: Resolution, said: Pass) -> None:
    """A turn of waiting."""
    trap = said.who
    if fight.sheet(trap).trap != "continuous":
        fight.impossible(f"{trap} is no continuous trap.", "Nobody else needs to pass: affray done ends a turn.")
    _once_a_turn(fight, trap)
    waited = fight.state.conditions.of.get(trap, {}).get("waiting")
    bonus = WAITING_BONUS + (waited.amount if waited else 0)
    fight.rule("freepg.trap.continuous", f"+{bonus}", who=trap)
    fight.record(ConditionGained(trap, "waiting", amount=bonus, modifies="attack"))


def spring(fight: Resolution, trap: str, triggered: bool) -> tuple[Mod, ...]:
    """A trap attacks: at once and at no action when it is triggered, a continuous one later on the referee's turn."""
    held = fight.state.conditions.of.get(trap, {})
    if fight.sheet(trap).trap == "single":
        if "fired" in held:
            fight.refuse("freepg.trap.single-fire", f"{trap} has attacked; it does so only once.")
        elif not triggered:
            fight.refuse("freepg.trap.attack", f"{trap} attacks when it is triggered.", "--triggered")
        if "fired" not in held:
            fight.record(ConditionGained(trap, "fired"))
        return (Mod("damage", trap, SINGLE_FIRE_DAMAGE, "single fire"),)
    if not triggered:
        _once_a_turn(fight, trap)
    elif "triggered" in held:
        fight.refuse("freepg.trap.continuous", f"{trap} is triggered already; it attacks on the turn of gm.")
    if "triggered" not in held:
        fight.record(ConditionGained(trap, "triggered"))
    return ()


def _once_a_turn(fight: Resolution, trap: str) -> None:
    """A triggered continuous trap acts once on each turn of the referee."""
    if "triggered" not in fight.state.conditions.of.get(trap, {}):
        fight.refuse(
            "freepg.trap.continuous", f"{trap} has not been triggered.", f"affray attack {trap} NAME --triggered"
        )
    if actions.counted(fight.state) and not fight.state.points.left(trap, "action"):
        if actions.on_turn(fight, trap):
            fight.refuse("freepg.trap.continuous", f"{trap} has acted this turn.", "affray done")
    else:
        actions.spend(fight, trap)


def spent(fight: Resolution, attacker: str) -> None:
    """After its attack a trap has nothing left of what it gained by waiting."""
    if fight.sheet(attacker).kind == "trap" and "waiting" in fight.state.conditions.of.get(attacker, {}):
        fight.record(ConditionEnded(attacker, "waiting"))
