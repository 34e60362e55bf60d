"""Traps: when they attack, and what waiting gives them."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Square, says
from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution, adjusted
from ledger.events import ConditionEnded, ConditionGained, Placed

from . import actions
from .aim import Attack, aimed_at
from .bonus import Mods
from .conditions import FIRED, TRIGGERED, WAITING

_SINGLE_FIRE_DAMAGE = 5
_WAITING_BONUS = 2
"""freepg.trap.continuous: for each turn of the game master in which it did not attack."""


class Pass(Declaration):
    """Let a continuous trap wait: it does not attack this turn, and its next attack is stronger."""

    who: Annotated[Fighter, says("The trap that waits.")]
    triggered: Annotated[bool, says("It was triggered just now, and holds its attack.")] = False
    at: Annotated[Square | None, says("The square on which it is triggered.")] = None


def pass_(fight: Resolution, said: Pass) -> None:
    """A turn of waiting; or the trigger, after which each turn of the game master may be one."""
    trap = said.who
    if fight.sheet(trap).trap != "continuous":
        message = f"{trap} is not a continuous trap, and nobody else has to pass."
        fight.impossible(message, "Say nothing of those who do nothing; done ends the turn.")
    if said.triggered:
        _hold_back(fight, trap, said.at)
        return
    if said.at:
        message = f"{trap} is not triggered by this."
        fight.impossible(message, [fight.otherwise(triggered=True), ("pass", {"who": trap})])
    _once_a_turn(fight, trap)
    bonus = _WAITING_BONUS + fight.state.conditions.amount(trap, WAITING)
    fight.rule("freepg.trap.continuous", f"+{bonus}", who=trap, aside=True)
    fight.record(ConditionGained(trap, WAITING, amount=bonus, modifies="attack"))


def _hold_back(fight: Resolution, trap: str, at: Square | None) -> None:
    """It is triggered, at no action and on anybody's turn, and does not attack yet. This is no turn of waiting."""
    places = fight.state.positions.at
    if fight.state.conditions.has(trap, TRIGGERED):
        fight.refuse("freepg.trap.continuous", f"{trap} is already triggered.", [("pass", {"who": trap}), *actions.ON])
    if at is None and trap not in places and places:
        x, y, _ = next(iter(places.values()))
        fight.impossible(f"On which square is {trap} triggered?", [fight.otherwise(at=(x, y, 0))])
    fight.rule("freepg.trap.continuous", "no attack yet", who=trap)
    if not fight.state.conditions.has(trap, TRIGGERED):
        fight.record(ConditionGained(trap, TRIGGERED))
    if at:
        fight.record(Placed(trap, at))


def spring(fight: Resolution, said: Attack) -> Mods:
    """A trap attacks: at once and at no action when it is triggered, a continuous one later on gm's turn."""
    trap, triggered = said.who, said.triggered
    held = fight.state.conditions.of.get(trap, {})
    _stand(fight, said, new=triggered or not {FIRED, TRIGGERED} & held.keys())
    if fight.sheet(trap).trap == "single":
        if FIRED in held:
            fight.refuse("freepg.trap.single-fire", f"{trap} has already attacked; it does so only once.")
        elif not triggered:
            message = f"{trap} attacks when it is triggered."
            fight.refuse("freepg.trap.attack", message, [fight.otherwise(triggered=True)])
        if FIRED not in held:
            fight.record(ConditionGained(trap, FIRED))
        return (Modifier("damage", trap, _SINGLE_FIRE_DAMAGE, "single fire"),)
    if not triggered:
        _once_a_turn(fight, trap)
    elif TRIGGERED in held:
        hint = [fight.otherwise(triggered=False), *actions.ON]
        fight.refuse("freepg.trap.continuous", f"{trap} is already triggered; it attacks on gm's turn.", hint)
    if TRIGGERED not in held:
        fight.record(ConditionGained(trap, TRIGGERED))
    return ()


def _stand(fight: Resolution, said: Attack, new: bool) -> None:
    """freepg.trap.attack: it stands where it was placed, or else on the square that triggered it, from then on."""
    trap, square = said.who, aimed_at(fight, said)[:1]
    if not square or trap in fight.state.positions.at:
        return
    if new:
        fight.rule("freepg.trap.attack", "stands where it was triggered", who=trap)
        fight.record(Placed(trap, square[0]))
    elif said.distance is None:
        fight.impossible(f"Where does {trap} stand?", [adjusted(trap, "at", ",".join(map(str, square[0])))])


def _once_a_turn(fight: Resolution, trap: str) -> None:
    """A triggered continuous trap acts once on each turn of the game master."""
    if not fight.state.conditions.has(trap, TRIGGERED):
        ways = [("attack", {"who": trap, "target": [one], "triggered": True}) for one in fight.state.roster.order]
        fight.refuse("freepg.trap.continuous", f"{trap} has not been triggered.", ways)
    if actions.counted(fight.state) and not actions.begin_and_count(fight, trap, "action"):
        if actions.on_turn(fight, trap):
            fight.refuse("freepg.trap.continuous", f"{trap} has already acted this turn.", actions.ON)
    else:
        actions.spend(fight, trap)


def spent(fight: Resolution, attacker: str) -> None:
    """After its attack a trap has nothing left of what it gained by waiting."""
    if fight.sheet(attacker).kind == "trap" and fight.state.conditions.has(attacker, WAITING):
        fight.record(ConditionEnded(attacker, WAITING))
