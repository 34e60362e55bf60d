"""`resolve`: what was declared for a phase, in its order."""

from typing import Annotated

from commands.action.declaration import Fighter, says
from commands.action.resolution import Resolution
from projections.pending import Waiting

from . import actions
from .rolls import Choices, WhatCame, check_heard


class Resolve(Choices):
    """Resolve what was declared for this phase: everybody's action, or one combatant's."""

    who: Annotated[Fighter, says("Whose action; otherwise everybody's.", positional=True)] = ""
    stray: Annotated[Fighter, says("Who a miss may hit, with stray_shots on.")] = ""
    outcome: WhatCame = ""


def resolve(fight: Resolution, said: Resolve) -> None:
    """In declaration order, or skirmish by skirmish; what came too late for its own phase is resolved in this one."""
    phase = fight.state.turns.phase
    before = fight.state
    if said.who:
        _one(fight, said)
    else:
        fight.means(*dict.fromkeys(one.who for one in actions.due_now(fight.state)))
        for waiting in _due(fight, "shoot"):
            from . import ranged

            ranged.resolve_shot(fight, waiting, said, said.stray)
        fighting = any(one.kind == actions.ENGAGE for one in actions.due_now(fight.state))
        if phase == "melee" or fighting or _due(fight, "attack", "disengage"):
            from . import melee

            melee.resolve_all(fight, said)
        for waiting in _due(fight, "check", "misc"):
            from . import checks

            checks.resolve_misc(fight, waiting, said, waiting.said.get("text", ""))
    if fight.state is before:
        if phase not in ("ranged", "melee", "misc"):
            hint = actions.onward(fight)
            idle = f"Nothing is resolved in the {phase} phase.{actions.effects_asked(fight)}"
            message = idle if phase else "No round is open."
            fight.refuse("paraverse.phase.order", message, hint)
            fight.impossible("There is nothing to resolve.", hint)
        fight.impossible(f"Nothing is left to resolve in the {phase} phase.", actions.onward(fight))
    check_heard(fight, said)


def _due(fight: Resolution, *verbs: str) -> list[Waiting]:
    """The actions that are due, in declaration order."""
    return [one for one in actions.due_now(fight.state) if one.kind == actions.KIND and one.verb in verbs]


def _one(fight: Resolution, said: Resolve) -> None:
    """The action of one: the one that is due, else one of the kind that belongs to the phase."""
    phase, waiting = fight.state.turns.phase, fight.state.pending.of(actions.KIND, said.who)
    kind = actions.PHASE_OF.get(waiting.verb, "") if waiting and waiting.until == phase else phase
    match kind:
        case "ranged":
            from . import ranged

            ranged.resolve_shot(fight, actions.due(fight, said.who, "shoot"), said, said.stray)
        case "melee":
            from . import melee

            melee.resolve_one(fight, said.who, said)
        case "misc":
            from . import checks

            due = actions.due(fight, said.who, "check", "misc")
            checks.resolve_misc(fight, due, said, due.said.get("text", ""))
