"""Declarations: what can be declared, and that it lives only while it could still be."""

from commands.action import names
from commands.action.resolution import Resolution
from ledger.errors import AffrayError
from ledger.events import Overruled, PhaseBegan
from projections.pending import Waiting
from projections.state import State

from . import actions, checks, melee, movement, ranged
from .hands import SHIELD

_PICKS = ("attack", "disengage")
"""Actions that, once planning is over, wait for a pick in the melee instead of falling with their target."""


def announce(
    fight: Resolution,
    who: str,
    verb: str,
    what: str,
    engage: str = "",
    arrive: str = "melee",
    hard: str = "",
    to: str = "",
) -> None:
    """Refuses an action that cannot be declared, or declares it; `what` is the target, area, skill or text."""
    target = names.find(fight.state, what) if what and verb in ("attack", "shoot") else ""
    match verb:
        case "attack":
            melee.announce(fight, who, target)
        case "disengage":
            melee.announce_disengaging(fight, who)
        case "shoot":
            ranged.announce(fight, who, target)
        case "move":
            movement.announce(fight, who, what, arrive, engage)
        case "check":
            checks.announce(fight, who, what, hard, to)
        case "misc" | "cast" | "pray":
            actions.announce_told(fight, who, verb, what)
        case "pass" | "defend":
            actions.announce_pass(fight, who)
        case _:
            *more, last = actions.DECLARED
            fight.impossible(f"{verb[:40]!r} cannot be declared.", f"Say {', '.join(more)} or {last}.")


def check_means(fight: Resolution, gone: str = "") -> None:
    """paraverse.planning.means: each declaration that could not be made any more falls, and a line says why. Its actor
    passes, unless something else is declared in planning. `gone` leaves the table at this moment.
    """
    if not fight.state.turns.round:
        return
    for waiting in fight.state.pending.waiting:
        held = waiting.kind == actions.KIND and waiting.verb != "pass"
        if held and waiting.who not in (gone, *fight.state.harm.down) and (why := _missing(fight, waiting, gone)):
            fight.rule("paraverse.planning.means", "", who=waiting.who)
            actions.settle(fight, waiting.who, actions.WITHDRAWN, why=why)


def _missing(fight: Resolution, waiting: Waiting, gone: str) -> str:
    """Why an action could not be declared as things are, as the phase that is open began; "" when it could be."""
    target, planning = waiting.said.get("target", ""), fight.state.turns.phase == "planning"
    lost = bool(target) and (target == gone or target not in fight.state.roster.members)
    if lost or actions.allowed(waiting, actions.LATER):
        return f"{target} is gone" if lost and (planning or waiting.verb not in _PICKS) else ""
    armed = waiting.verb in ("attack", "shoot") and not actions.allowed(waiting, "paraverse.weapon.in-hand")
    if armed and _weapon(fight.before, waiting.who) != _weapon(fight.state, waiting.who):
        return "what is in hand has changed"
    clause, why = _refusal(fight, waiting)
    about_target = clause in ("paraverse.incapacitated.target", "paraverse.action.attack-another")
    return "" if not planning and waiting.verb in _PICKS and about_target else why.rstrip(".")


def _refusal(fight: Resolution, waiting: Waiting) -> tuple[str, str]:
    """The clause that would refuse an action if it were declared now, and why; "" when none would."""
    tried = fight.trial(fight.opening)
    tried.record(PhaseBegan("planning"))
    so_far, tried.allow = len(tried.events), "as it was declared" if waiting.said.get("allowed") else ""
    try:
        _again(tried, waiting)
    except AffrayError as error:
        return getattr(error, "clause", ""), error.message
    against = [one for one in tried.events[so_far:] if isinstance(one, Overruled)]
    found = next((one for one in against if not actions.allowed(waiting, one.clause)), None)
    return (found.clause, found.why) if found else ("", "")


def _weapon(state: State, who: str) -> list[str]:
    """The weapon in hand, without a shield."""
    return [item for item in state.gear.equipped.get(who, ()) if item != SHIELD]


def _again(tried: Resolution, waiting: Waiting) -> None:
    """Declares an action once more."""
    said, verb = waiting.said, waiting.verb
    word = {"move": "area", "check": "skill", **actions.TOLD}.get(verb, "target")
    more = {"engage": said.get("target", ""), "arrive": waiting.until} if verb == "move" else {}
    hard = {"hard": str(said["difficulty"]), "to": said.get("area", "")} if verb == "check" else {}
    announce(tried, waiting.who, verb, said.get(word, ""), **more, **hard)
