"""Falling: mortal wounds, their clock and death, and the morale of those who see it."""

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import ConditionGained, Disengaged, Felled, PointsSet, Rose, number
from projections.state import State

from . import actions, grips
from .actions import TURN
from .fighters import FRAIL, HELD, MORALE, MORTAL, NO_FIGHT, STABLE, able, in_contact, members, side

_ROUNDS = 6
"""Rounds after that of the fall, at whose end the mortally wounded die."""
_REPORTS = "morale reports"
"""Counted for each side: 1 after the first report, 2 after that of the half."""


def fall(fight: Resolution, who: str) -> None:
    """At 0 hit points: mortally wounded, or dead at once. Who was stable is so no longer."""
    sheet = fight.sheet(who)
    fight.no_longer(who, STABLE)
    if fight.state.conditions.has(who, FRAIL):
        fight.rule("aachen.mortal.frail-dies", "dead", who=who, aside=True)
        fight.record(Felled(who, "dead"))
    elif sheet.minor and sheet.kind != "pc":
        fight.rule("aachen.mortal.minor-dies", "dead", who=who, aside=True)
        fight.record(Felled(who, "dead"))
    else:
        fight.rule("aachen.mortal.wound", "mortally wounded", who=who, aside=True)
        fight.record(Felled(who, "dying"))
    lie_down(fight, who)


def can_fall(view: View, who: str) -> bool:
    """Whether somebody at 0 was not there before: those unconscious with hit points left can still be wounded."""
    down = view.state.harm.how(who)
    return not down or (down == "unconscious" and not view.state.conditions.has(who, STABLE))


def lie_down(fight: Resolution, who: str) -> None:
    """What follows when somebody is down, by a rule or by the game master's word."""
    down = fight.state.harm.how(who)
    if down == "dead":
        get_up(fight, who)
    if down == "dying" and not fight.state.conditions.has(who, MORTAL):
        _set_clock(fight, who, 0)
    drop_out(fight, who)
    report(fight, who)


def get_up(fight: Resolution, who: str) -> None:
    """What ends when somebody is no longer down."""
    fight.no_longer(who, MORTAL, STABLE)


def rise(fight: Resolution, who: str) -> None:
    """Somebody is down no more, and stable or mortally wounded no more."""
    get_up(fight, who)
    fight.record(Rose(who))


def drop_out(fight: Resolution, who: str) -> None:
    """Anyone who is down or gone is in no contact and no grapple, holds no action, and has no turn under way."""
    for other in in_contact(fight.state, who):
        fight.record(Disengaged(who, other))  # aachen.damage.out-of-action
    grips.let_all_go(fight, who)
    fight.settle(HELD, who, "lost", f"{who} is {fight.state.harm.how(who) or 'out of the fight'}")
    if fight.state.turns.who == who:
        actions.close_turn(fight)


def since(view: View, who: str) -> int:
    """Rounds that have begun since somebody fell."""
    clock = view.state.conditions.of[who][MORTAL]
    return view.state.turns.round - (clock.round - _ROUNDS) if clock.until == "round-end" else clock.amount


def start_clock(fight: Resolution, who: str) -> None:
    """In an encounter the clock of the mortally wounded runs."""
    clock = fight.state.conditions.get(who, MORTAL)
    if clock and clock.until == "removed":
        _set_clock(fight, who, clock.amount)


def _set_clock(fight: Resolution, who: str, passed: int) -> None:
    runs = ConditionGained(who, MORTAL, "round-end", round=fight.state.turns.round + _ROUNDS - passed)
    fight.record(runs if fight.state.encounter.running else _stopped(who, passed))


def _stopped(who: str, passed: int) -> ConditionGained:
    return ConditionGained(who, MORTAL, amount=passed, modifies="difficulty" if passed else "")


def stop_clock(fight: Resolution, who: str) -> None:
    """Outside of encounters no rounds are counted; what has run is kept."""
    if fight.state.conditions.has(who, MORTAL):
        fight.record(_stopped(who, since(fight, who)))


def bleed_out(fight: Resolution, who: str) -> None:
    """aachen.mortal.death: the sixth round after the fall is over."""
    with fight.upon("", who):
        fight.rule("aachen.mortal.death", "dies", [number("rounds since the fall", since(fight, who))], who=who)
        fight.record(Felled(who, "dead"))
        lie_down(fight, who)


def report(fight: Resolution, fallen: str) -> None:
    """aachen.morale.triggers: when the first of a side is down, and when half of it is."""
    state = fight.state
    of_side = side(state, fallen)
    joined = [who for who in state.roster.of_side(of_side) if TURN in state.points.of.get(who, {})]
    downed = [who for who in joined if who in state.harm.down]
    half = 2 * len(downed) >= len(joined)
    given, due = state.points.left(of_side, _REPORTS), 2 if half else 1
    must = [who for who in members(state, of_side) if _checks(fight, who)]
    if not state.encounter.running or fallen not in downed or given >= due or not must:
        settle_morale(fight, gone=(fallen,))
        return
    counts = [number("down", len(downed)), number("of", len(joined))]
    with fight.upon("", of_side):
        fight.rule("aachen.morale.triggers", "have lost half" if half else "have lost their first", counts, who=of_side)
        fight.record(PointsSet(of_side, _REPORTS, due))
        fight.wait(MORALE, of_side, "check morale:", {"text": ", ".join(must)})


def _checks(view: View, who: str) -> bool:
    sheet = view.sheet(who)
    broken = any(view.state.conditions.has(who, condition) for condition in NO_FIGHT)
    return sheet.kind != "pc" and sheet.morale is not None and not broken


def must_check(state: State) -> list[str]:
    """Those at the table who must check their morale."""
    names = [who for one in state.pending.waiting if one.kind == MORALE for who in one.said["text"].split(", ")]
    return [who for who in names if who in state.roster.members]


def settle_morale(fight: Resolution, checked: tuple[str, ...] = (), gone: tuple[str, ...] = ()) -> None:
    """Those who have checked their morale, or cannot any more, need not."""
    for one in fight.state.pending.waiting:
        if one.kind != MORALE:
            continue
        names = one.said["text"].split(", ")
        rest = [who for who in names if who not in (*checked, *gone) and able(fight.state, who)]
        if not rest and {*names} & {*checked}:
            fight.settle(MORALE, one.who, "done")
        elif not rest:
            fight.settle(MORALE, one.who, "lapsed", "nobody is left to check")
        elif rest != names:
            fight.wait(MORALE, one.who, one.verb, {"text": ", ".join(rest)})
