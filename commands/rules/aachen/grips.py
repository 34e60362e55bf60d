"""Grips: who holds whom, what that forbids, and what ends it."""

from commands.action.resolution import Remedies, Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained

from .actions import after_turn
from .fighters import GRAPPLED, GRAPPLING, grappled_with
from .tables import UNARMED, Weapon

_RESTRICTIONS = "aachen.grapple.restrictions"


def holders(view: View, who: str) -> list[str]:
    """Those who hold somebody, in roster order."""
    held = view.state.conditions.get(who, GRAPPLED)
    return [other for other in view.state.roster.order if held and other in held.whom]


def held_by(view: View, who: str) -> str:
    """Whom somebody holds; "" for nobody."""
    return next(iter(view.state.conditions.whom(who, GRAPPLING)), "")


def grab(fight: Resolution, who: str, target: str) -> None:
    """One more holds the target; nobody who is down holds or is held, whatever is allowed."""
    if not (fight.state.stands(who) and fight.state.stands(target)):
        return
    fight.record(ConditionGained(who, GRAPPLING, "encounter-end", whom=(target,)))
    fight.record(ConditionGained(target, GRAPPLED, "encounter-end", whom=(*holders(fight, target), who)))


def let_go(fight: Resolution, who: str) -> None:
    """A holder holds nobody any more."""
    target = held_by(fight, who)
    fight.no_longer(who, GRAPPLING)
    fight.fewer(target, GRAPPLED, who)


def part(fight: Resolution, one: str, other: str) -> None:
    """Neither of the two holds the other any more; what others hold, they hold."""
    for holder, held in ((one, other), (other, one)):
        if held_by(fight, holder) == held:
            let_go(fight, holder)


def let_all_go(fight: Resolution, who: str) -> None:
    """Somebody holds nobody, and is held by nobody."""
    for holder in holders(fight, who):
        let_go(fight, holder)
    let_go(fight, who)
    fight.no_longer(who, GRAPPLED)


def mend(fight: Resolution) -> None:
    """Ends what the game master's word has left of a grapple: one that does not hold for both holds for neither."""
    for who in fight.state.roster.order:
        if fight.state.conditions.has(who, GRAPPLING) and who not in holders(fight, held_by(fight, who)):
            fight.record(ConditionEnded(who, GRAPPLING))
        if fight.state.conditions.has(who, GRAPPLED):
            by = tuple(other for other in holders(fight, who) if held_by(fight, other) == who)
            if not by:
                fight.record(ConditionEnded(who, GRAPPLED))
            elif len(by) < len(fight.state.conditions.of[who][GRAPPLED].whom):
                fight.record(ConditionGained(who, GRAPPLED, "encounter-end", whom=by))


def check_free(fight: Resolution, who: str, what: str) -> None:
    """aachen.grapple.restrictions: neither may move or shoot while the grapple holds."""
    partners = grappled_with(fight.state, who)
    if partners:
        message = f"{who} is in a grapple with {', '.join(partners)} and cannot {what}."
        fight.refuse(_RESTRICTIONS, message, way_out(fight, who))


def check_attack(fight: Resolution, who: str, target: str, weapon: Weapon) -> None:
    """aachen.grapple.restrictions: in a grapple one only strikes a partner, with bare hands."""
    partners = grappled_with(fight.state, who)
    if partners and (weapon != UNARMED or target not in partners):
        message = f"{who} is in a grapple, and can only attack {' or '.join(partners)}, with bare hands."
        fight.refuse(_RESTRICTIONS, message, [("attack", {"who": who, "target": partners[0], "with_": UNARMED.name})])


def way_out(fight: Resolution, who: str) -> Remedies:
    """How somebody ends a grapple on their own turn: a holder lets go, one who is held breaks free."""
    if fight.state.turns.who != who:
        return ()
    freed = [("grapple", {"who": who, "release": True}), ("grapple", {"who": who, "escape": True})]
    return [*freed, *after_turn(fight, who)]
