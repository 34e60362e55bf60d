"""Action, movement and reaction points: who may act, what it costs, and what is left."""

from commands.action.resolution import Remedies, Remedy, Resolution, adjusted
from commands.action.view import View
from ledger.events import PointsSet, PointsSpent, counted, whose

from .tables import GRAPPLED, READIED

TURN = "turn"
"""What is counted for dungeoneers.turn.one-each: everybody has one turn a round."""


_TO_ITS_TURN: Remedies = (("turn", {}), ("turn", {"pass_rest": True}))
_ON: Remedies = (*_TO_ITS_TURN, ("round", {}), ("round", {"pass_rest": True}), ("begin", {}))


def ending(fight: Resolution) -> list[Remedy]:
    """The end of the turn that is under way; between two turns `done` would pass the next one's."""
    return [("done", {})] if fight.before.turns.who else []


def on(fight: Resolution) -> Remedies:
    """How the fight goes on when somebody cannot act now."""
    return [*ending(fight), *_ON]


def to_its_turn(fight: Resolution) -> Remedies:
    """How the round goes on to the turn of one who has not had it."""
    return [*ending(fight), *_TO_ITS_TURN]


def alive(fight: View, who: str) -> bool:
    """Whether a creature lives: it stands, or lies unconscious by the game master's word."""
    return fight.state.harm.how(who) != "dead"


def check_alive(fight: Resolution, who: str) -> None:
    """dungeoneers.death.no-acting"""
    if down := fight.state.harm.how(who):
        fight.refuse("dungeoneers.death.no-acting", f"{who} is {down} and cannot act.", [adjusted(who, "down", "no")])


def check_not_dead(fight: Resolution, who: str) -> None:
    """dungeoneers.death.no-acting: the unconscious are healed and rest like anybody else, and the dead are not."""
    if not alive(fight, who):
        fight.refuse("dungeoneers.death.no-acting", f"{who} is dead.", [adjusted(who, "down", "no")])


def check_turn(fight: Resolution, who: str, clause: str = "dungeoneers.turn.own-turn-only") -> None:
    """Refuses what is done on anybody's turn but one's own."""
    turns = fight.state.turns
    if turns.who != who:
        had = turns.round and who in turns.order and not fight.state.points.left(who, TURN)
        now = f"{who} has already had their turn this round." if had else "Nobody's turn is under way."
        now = f"It is {whose(turns.who)} turn, not {whose(who)}." if turns.who else now
        to_it = to_its_turn(fight) if fight.state.points.left(who, TURN) else ()
        fight.hold(clause, now, [*_readied(fight, who), *on(fight)], on=to_it if turns.round else [("round", {})])


def _readied(fight: Resolution, who: str) -> list[Remedy]:
    """What somebody has readied, on the target that was named just now, or before."""
    if fight.state.pending.of(READIED, who) is None:
        return []
    target = getattr(fight.declaration, "target", ())
    named = [target] if isinstance(target, str) and target else [*target]
    return [("trigger", {"who": who, "target": named}), ("trigger", {"who": who})]


def check_action(fight: Resolution, who: str, action: str) -> None:
    """dungeoneers.action.basic-list: everybody may, unless something says that it may not."""
    if any(fight.sheet(who).denies(name) for name in (("spellcast", "cast") if action == "spellcast" else (action,))):
        fight.refuse("dungeoneers.action.basic-list", f"{who} cannot {action}.")


_SPEND = "dungeoneers.action-points.spend"


def act(fight: Resolution, who: str, action: str, cost: int = 1, clause: str = _SPEND) -> None:
    """Begins an action on one's own turn, and pays for it whatever comes of it.

    dungeoneers.ready.cost: a readied action was paid for when it was readied.
    """
    if fight.verb == "trigger":
        return
    check_alive(fight, who)
    check_action(fight, who, action)
    check_turn(fight, who)
    pay_action(fight, who, cost, clause)


def pay_action(fight: Resolution, who: str, cost: int, clause: str = _SPEND) -> None:
    """An action costs action points, by the clause that sets its price: 1, unless its cost varies."""
    if not spend(fight, who, "action", cost):
        left = fight.state.points.left(who, "action")
        found = "dungeoneers.action.cost-varies" if left else clause
        fight.refuse(found, f"{who} has {counted(left, 'action point')}, and this costs {cost}.", on(fight))


def pay_movement(fight: Resolution, who: str, clause: str) -> None:
    """A movement action costs 1 point, by the clause of that action."""
    check_alive(fight, who)
    check_turn(fight, who)
    if not spend(fight, who, "movement", 1):
        fight.refuse(*no_movement(fight, who, clause))


def no_movement(fight: Resolution, who: str, clause: str = "dungeoneers.movement.points") -> tuple[str, str, Remedies]:
    """Why a creature has no movement left: clause, message, hint."""
    held = fight.state.conditions.get(who, GRAPPLED)
    if held:
        by = " and ".join(held.whom)
        return "dungeoneers.grappled.movement", f"{who} is grappled by {by}.", [("disengage", {"who": who}), *on(fight)]
    left = counted(fight.state.points.left(who, "movement"), "movement point")
    return clause, f"{who} has {left}.", no_further(fight, who)


def no_further(fight: Resolution, who: str) -> Remedies:
    """How the fight goes on when somebody has no movement left."""
    faster: list[Remedy] = [("sprint", {"who": who}), *ending(fight)]
    return [faster, *on(fight)]


def react(fight: Resolution, who: str, clause: str) -> None:
    """A reaction costs a reaction point, on anybody's turn or between turns."""
    if not spend(fight, who, "reaction", 1):
        fight.refuse(clause, f"{who} has no reaction point left this round.")


def spend(fight: Resolution, who: str, kind: str, cost: int) -> bool:
    """Takes points if there are enough, and says whether there were."""
    left = fight.state.points.left(who, kind)
    if left < cost:
        return False
    if cost:
        fight.record(PointsSpent(who, kind, cost, left - cost))
    return True


def unspent(view: View, who: str) -> str:
    """What somebody has left of a turn, in words; "" for nothing, for one who cannot act, and for nobody."""
    kinds = ("action", "movement") if who and view.state.stands(who) else ()
    left = [(view.state.points.left(who, kind), kind) for kind in kinds]
    words = [f"{number} {kind} point{'s' if number > 1 else ''}" for number, kind in left if number > 0]
    one = sum(max(number, 0) for number, _ in left) == 1
    return f"{' and '.join(words)} {'is' if one else 'are'} left" if words else ""


def become(fight: Resolution, who: str, kind: str, points: int) -> None:
    """Sets an allowance, if that is anything new."""
    if fight.state.points.of.get(who, {}).get(kind) != points:
        fight.record(PointsSet(who, kind, points))
