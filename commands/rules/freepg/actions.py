"""Actions: whose turn it is, and what a turn allows."""

from commands.action.resolution import Remedies, Resolution
from commands.action.view import View
from ledger.events import Counted, PointsSet, PointsSpent, whose
from projections.state import State

from .conditions import TRIGGERED

GM = "gm"
"""The game master's seat."""
ON: Remedies = (("done", {}), ("done", {"pass_rest": True}), ("initiative", {}), ("begin", {}))
"""How the fight goes on when somebody cannot act now."""
RESCUED = "rescued"
"""Held until their seat's turn ends by those who were rescued on it: freepg.dying.rescue."""
_BEGUN = "turn begun"
"""What is counted of a round of those who have acted before their turn, as a correction changed the order."""


def counted(state: State) -> bool:
    """Whether turns and actions are counted: in an encounter that is played in order."""
    return state.encounter.running and state.encounter.ordered


def taken(view: View, seat: str) -> bool:
    """Whether anybody sits there: the game master always does, a player as long as they play somebody at the table."""
    return seat == GM or any(view.sheet(who).seat_of(who) == seat for who in view.state.roster.order)


def spend(fight: Resolution, who: str, attack: bool = False) -> None:
    """Takes one action, and with an attack the turn's attack."""
    able(fight, who)
    if not counted(fight.state) or not on_turn(fight, who):
        return
    points = fight.state.points
    if attack and points.left(who, "attack") < 1:
        fight.refuse("freepg.turn.one-attack", f"{who} has already attacked this turn.", ON)
    elif attack:
        fight.record(PointsSpent(who, "attack", 1, points.left(who, "attack") - 1))
    if points.left(who, "action") < 1:
        fight.refuse("freepg.turn.two-actions", f"{who} has no action left this turn.", ON)
    else:
        fight.record(PointsSpent(who, "action", 1, points.left(who, "action") - 1))


def able(fight: Resolution, who: str) -> None:
    """Refuses any action of somebody who is dying or dead."""
    if down := fight.state.harm.how(who):
        fight.refuse("freepg.dying.no-actions", f"{who} is {down} and cannot act.")


def on_turn(fight: Resolution, who: str) -> bool:
    """Whether a combatant acts on its own turn; refuses if it does not. What is allowed out of turn costs nothing; what
    stands before the turn, as a correction changed the order, is of that turn.
    """
    turns, seat = fight.state.turns, fight.sheet(who).seat_of(who)
    if turns.who != seat:
        own = "their own turn" if seat == who else f"{whose(seat)} turn"
        now = f"It is {whose(turns.who)} turn; {who} acts on {own}." if turns.who else "Nobody has a turn yet."
        on = [("done", {}), ("done", {"pass_rest": True})] if turns.who else [("initiative", {})]
        fight.hold("freepg.turn.out-of-turn", now, ON, on)
        return _begin_early(fight, who)
    if fight.state.conditions.has(who, RESCUED):
        fight.refuse("freepg.dying.rescue", f"{who} was rescued this turn, and acts again on their next.", ON)
        return False
    if first := _came_before(fight, who):
        fight.refuse("freepg.initiative.gm-seat", f"{first} has already acted; allies like {who} act before enemies.")
    return True


def _begin_early(fight: Resolution, who: str) -> bool:
    """Where somebody acts out of order whose turn is to come in this round, they have what it allows. Says whether."""
    turns, seat = fight.state.turns, fight.sheet(who).seat_of(who)
    if not fight.out_of_order or turns.who not in turns.order:
        return False
    if seat not in turns.order[turns.order.index(turns.who) + 1 :]:
        return False
    refresh(fight, who)
    if not fight.state.counts.get(who, _BEGUN):
        fight.record(Counted(who, _BEGUN, 1))
    return True


def begin_and_count(fight: Resolution, who: str, kind: str) -> int:
    """What somebody has left of their turn. Where a correction has them act before it, the turn to come begins so."""
    _begin_early(fight, who)
    return fight.state.points.left(who, kind)


def is_enemy(view: View, who: str) -> bool:
    """Whether somebody is an enemy by the sheet, and has not come over to a side on which a player character joined:
    such a one is an ally. An enemy whom a player plays stays one.
    """
    members = view.state.roster.members
    characters = [member.joined for one, member in members.items() if view.sheet(one).kind == "pc"]
    return view.sheet(who).kind == "enemy" and members[who].side not in characters


def _came_before(view: View, who: str) -> str:
    """freepg.initiative.gm-seat: the enemy or trap that has acted, so that it is too late for an ally; "" for none."""
    if view.sheet(who).kind in ("pc", "trap") or is_enemy(view, who) or view.sheet(who).seat_of(who) != GM:
        return ""
    for foe in view.state.roster.order:
        if foe in view.state.harm.down:
            continue  # The dead get no new actions; what they have left is of an earlier turn.
        sheet = view.sheet(foe)
        left = view.state.points.of.get(foe, {}).get("action")
        against = sheet.kind == "trap" or is_enemy(view, foe)
        if against and sheet.seat_of(foe) == GM and left not in (None, _actions(view, foe)):
            return foe
    return ""


def has_turn(view: View, who: str) -> bool:
    """Whether a combatant can act on its seat's turn: not down, not just rescued, no trap that still waits, and no ally
    after an enemy has acted.
    """
    held, down = view.state.conditions.of.get(who, {}), view.state.harm.down
    if view.sheet(who).kind == "trap" and (view.sheet(who).trap == "single" or TRIGGERED not in held):
        return False
    return who not in down and RESCUED not in held and not _came_before(view, who)


def untouched(view: View, who: str) -> bool:
    """Whether a combatant has all actions of its turn left, and the change of a weapon that is free."""
    left = view.state.points.of.get(who, {})
    return left.get("action") == _actions(view, who) and bool(left.get("swap"))


def _actions(view: View, who: str) -> int:
    """freepg.turn.two-actions; a continuous trap has one, freepg.trap.continuous."""
    return 1 if view.sheet(who).kind == "trap" else 2


def refresh(fight: Resolution, who: str) -> None:
    """Gives a combatant what its turn allows, once a round. What it did not use before is lost."""
    sheet = fight.sheet(who)
    if who in fight.state.harm.down or sheet.trap == "single" or fight.state.counts.get(who, _BEGUN):
        return
    for kind, points in {"action": _actions(fight, who), "attack": 1 + sheet.extra_attacks, "swap": 1}.items():
        if fight.state.points.of.get(who, {}).get(kind) != points:
            fight.record(PointsSet(who, kind, points))
