"""Rounds and phases: who has declared, what closes a phase, and what opens the next."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, says
from commands.action.encounters import require_encounter
from commands.action.resolution import Remedies, Remedy, Resolution
from ledger.events import ConditionEnded, PhaseBegan, PointsSet, RoundBegan, number

from . import actions, harm, movement
from .hands import CHANGE


class Round(Declaration):
    """Open the next round, in its planning phase."""


def round_(fight: Resolution, said: Round) -> None:
    """Follows the end phase only; everybody may change weapons once more: paraverse.round.combat."""
    require_encounter(fight)
    turns = fight.state.turns
    if turns.round and turns.phase != "end":
        message = f"This is the {turns.phase} phase."
        fight.hold("paraverse.phase.order", message, actions.onward(fight), _going_on(fight))
    elif left := actions.due_now(fight.state):
        names = ", ".join(dict.fromkeys(one.who for one in left))
        fight.hold("paraverse.phase.order", f"Still to resolve: {names}.", actions.onward(fight))
    harm.settle(fight)
    actions.clear(fight, "the round is over")
    fight.record(RoundBegan(turns.round + 1))
    fight.record(PhaseBegan("planning"))
    for who in fight.state.roster.order:
        if not fight.state.points.left(who, CHANGE):
            fight.record(PointsSet(who, CHANGE, 1))


_Later = Literal["ranged", "melee", "magic", "misc", "end"]


class Phase(Declaration):
    """Open the next phase of the round, or a later one: ranged, melee, magic, misc, end."""

    name: Annotated[_Later, says("Which phase; by default the next.", positional=True)] | None = None
    pass_rest: Annotated[bool, says("Anyone who has declared nothing passes.")] = False


def phase(fight: Resolution, said: Phase) -> None:
    """Forward only; on the way to a later phase each one before it is opened and left again."""
    now = fight.state.turns.phase
    if not now:
        fight.impossible("No round is open.", actions.onward(fight))
    at = actions.PHASES.index(now)
    wanted = said.name or (actions.PHASES[at + 1] if now != "end" else "end")
    if actions.PHASES.index(wanted) <= at:
        message = f"This is the {now} phase; phases go forward only."
        fight.refuse("paraverse.phase.order", message, actions.onward(fight))
        fight.impossible(f"The {wanted} phase is over.", actions.onward(fight))
    for name in actions.PHASES[at + 1 : actions.PHASES.index(wanted) + 1]:
        _leave(fight, said.pass_rest)
        _open_phase(fight, name)


def _leave(fight: Resolution, pass_rest: bool) -> None:
    """Planning is left when everybody has declared, another phase when everything is resolved."""
    now = fight.state.turns.phase
    if now == "planning":
        _close_planning(fight, pass_rest)
        return
    left = actions.due_now(fight.state)
    unfought = [skirmish for skirmish in fight.state.skirmishes.of if not skirmish.done]
    if left or unfought:
        names = dict.fromkeys([*(one.who for one in left), *(who for one in unfought for who in one.members)])
        stops = [fight.otherwise(name=now)] if now != fight.before.turns.phase else []
        message = f"The {now} phase is not over; still to resolve: {', '.join(names)}.{actions.effects_asked(fight)}"
        fight.hold("paraverse.phase.order", message, actions.onward(fight), _going_on(fight, *stops))
    for waiting in left:
        actions.lose(fight, "paraverse.phase.order", waiting, f"the {now} phase is over")
    actions.break_off(fight)


def _going_on(fight: Resolution, *stops: Remedy) -> Remedies:
    """How a table goes on that has heard no more of those who are waited for: they pass."""
    passes: Remedies = [("pass", {"who": one.who}) for one in actions.due_now(fight.state)]
    return [("resolve", {}), *stops, *passes, *actions.onward(fight)]


def _close_planning(fight: Resolution, pass_rest: bool) -> None:
    """Everybody who is able has declared; or the rest passes."""
    missing = actions.undeclared(fight.state)
    if missing and pass_rest:
        for who in missing:
            actions.announce_pass(fight, who)
    elif missing:
        ways = [fight.otherwise(pass_rest=True), ("phase", {"pass_rest": True})]
        fight.hold("paraverse.planning.everyone", f"Still to declare: {', '.join(missing)}.", ways)


def _open_phase(fight: Resolution, name: str) -> None:
    """What opens a phase, in this order: falls of the phase before, arrivals, the snapshot, lost actions.

    From here on the inputs of every resolution are read from the state as it stands now, whatever the phase brings.
    Who falls in the phase still acts in it.
    """
    harm.settle(fight)
    movement.arrive_all(fight, name)
    fight.record(PhaseBegan(name, simultaneous=True))
    for waiting in actions.due_now(fight.state):
        if how := fight.state.harm.how(waiting.who):
            actions.lose(fight, "paraverse.phase.earlier-fall", waiting, f"{waiting.who} is {how}")
        elif waiting.verb in actions.MAGIC and actions.is_silenced(fight, waiting.who):
            actions.lose_speech(fight, waiting)
    if name == "end":
        _end_phase(fight)


# The end phase


def _end_phase(fight: Resolution) -> None:
    """paraverse.phase.end: what bleeds and what lasts, for all at once; then effects expire, and the falls settle."""
    for who in fight.opening.roster.order:
        with fight.upon("", who):
            _bleed(fight, who)
            _last(fight, who)
    _expire(fight)
    harm.settle(fight)


_BY_ITSELF = ("paraverse.phase.end",)
"""The clause by which it happens without a word as the end phase opens."""


def _bleed(fight: Resolution, who: str) -> None:
    """A bleeding character suffers once, however many wounds bleed; not at Stamina 0 or less, nor when dead."""
    if not harm.is_bleeding(fight.opening, who) or fight.opening.harm.how(who) == "dead":
        return
    stamina = harm.stamina(fight, fight.opening, who)
    if stamina.total <= 0:
        fight.rule("paraverse.end.bleeding-stops", "bleeding causes no further pain", [stamina], who=who)
        return
    pain = number("pain", fight.option("bleeding_pain"), "bleeding")
    bleeder = ("paraverse.wound.bleeder",) if "bleeder" in fight.opening.wounds.names(who) else ()
    fight.rule("paraverse.end.bleeding", "", [pain], who=who, also=(*_BY_ITSELF, *bleeder))
    harm.hurt(fight, who, pain.total)


def _last(fight: Resolution, who: str) -> None:
    """Each lasting effect with pain in it hurts."""
    for name, condition in fight.opening.conditions.held(who):
        if condition.modifies == "pain" and fight.opening.harm.how(who) != "dead":
            fight.rule("paraverse.end.effects", "", [number("pain", condition.amount, name)], who=who, also=_BY_ITSELF)
            harm.hurt(fight, who, condition.amount)


def _expire(fight: Resolution) -> None:
    """Effects whose rounds are over end; the round in which they began counted."""
    now = fight.state.turns.round
    for who in fight.state.roster.order:
        for name, held in fight.state.conditions.held(who):
            if held.until == "round-end" and held.round <= now:
                fight.rule("paraverse.end.expiry", "", who=who, also=_BY_ITSELF)
                fight.record(ConditionEnded(who, name))
