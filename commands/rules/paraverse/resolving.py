"""Resolving: everything that was declared for the phase, or one action of it."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution
from projections.pending import Waiting

from . import actions
from .melee import Choices
from .rolls import check_heard


class Resolve(Choices):
    """Resolve what was declared for this phase: all of it, or the action of one."""

    who: Annotated[Fighter, Meta(description="Whose action; without, everybody's.", extra={"positional": True})] = ""
    stray: Annotated[Fighter, Meta(description="Whom a miss may hit, with stray_shots on.")] = ""
    outcome: Annotated[str, Meta(max_length=2000, description="What came of it; changes nothing.")] = ""


def resolve(fight: Resolution, said: Resolve) -> None:
    """In declaration order, or skirmish by skirmish; what came too late for its own phase is resolved in this one."""
    phase = fight.state.turns.phase
    before = fight.state
    if said.who:
        _one(fight, said)
    else:
        _shots(fight, said)
        _skirmishes(fight, said)
        _deeds(fight, said)
    if fight.state is before:
        _check_phase(fight, phase)
        fight.impossible(f"Nothing is left to resolve in the {phase} phase.", actions.onward(fight))
    check_heard(fight, said)


def _check_phase(fight: Resolution, phase: str) -> None:
    """Refuses phases in which nothing is resolved by this verb."""
    if phase not in ("ranged", "melee", "misc"):
        hint = actions.onward(fight)
        message = f"Nothing is resolved by this in the {phase} phase." if phase else "No round is open."
        fight.refuse("paraverse.phase.order", message, hint)
        fight.impossible("There is nothing to resolve.", hint)


def _due(fight: Resolution, *verbs: str) -> list[Waiting]:
    """The actions that are due, in declaration order."""
    return [one for one in actions.due_now(fight.state) if one.kind == actions.KIND and one.verb in verbs]


def _one(fight: Resolution, said: Resolve) -> None:
    """The action of one: the one that is due, else one of the kind that belongs to the phase."""
    phase, waiting = fight.state.turns.phase, fight.state.pending.of(actions.KIND, said.who)
    kind = actions.PHASE_OF.get(waiting.verb, "") if waiting and waiting.until == phase else phase
    match kind:
        case "ranged":
            from .ranged import resolve_shot

            resolve_shot(fight, actions.due(fight, said.who, "shoot"), said, said.stray)
        case "melee":
            from .melee import resolve_one

            resolve_one(fight, said.who, said)
        case "misc":
            from .checks import resolve_misc

            resolve_misc(fight, actions.due(fight, said.who, "check", "misc"), said)


def _shots(fight: Resolution, said: Resolve) -> None:
    for waiting in _due(fight, "shoot"):
        from .ranged import resolve_shot

        resolve_shot(fight, waiting, said, said.stray)


def _skirmishes(fight: Resolution, said: Resolve) -> None:
    fighting = any(one.kind == actions.ENGAGE for one in actions.due_now(fight.state))
    if fight.state.turns.phase == "melee" or fighting or _due(fight, "attack", "disengage"):
        from .melee import resolve_all

        resolve_all(fight, said)


def _deeds(fight: Resolution, said: Resolve) -> None:
    for waiting in _due(fight, "check", "misc"):
        from .checks import resolve_misc

        resolve_misc(fight, waiting, said)
