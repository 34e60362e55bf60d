"""Resolving: everything that was declared for the phase, or one action of it."""

from typing import Annotated

from msgspec import Meta

from commands.declaration import Fighter
from commands.resolution import Resolution
from projections.pending import Waiting

from . import actions
from .melee import Choices
from .rolls import check_heard


class Resolve(Choices):
    """Resolve what was declared for this phase: all of it, or the action of one."""

    who: Annotated[
        Fighter, Meta(description="Whose action; without, everybody's.", extra={"word": "fighter", "positional": True})
    ] = ""
    stray: Annotated[
        Fighter, Meta(description="Whom a miss may hit, with stray_shots on.", extra={"word": "fighter"})
    ] = ""
    outcome: Annotated[str, Meta(max_length=2000, description="What came of it; changes nothing.")] = ""


def resolve(fight: Resolution, said: Resolve) -> None:
    """In declaration order, or skirmish by skirmish."""
    phase = fight.state.turns.phase
    if phase not in ("ranged", "melee", "misc"):
        hint = {"planning": "affray phase", "magic": "affray cast NAME, or affray pray NAME", "end": "affray round"}
        fight.refuse(
            "paraverse.phase.order",
            f"Nothing is resolved by this in the {phase} phase." if phase else "No round is open.",
            hint.get(phase, "affray round"),
        )
        fight.impossible("There is nothing to resolve.", hint.get(phase, "affray round"))
    before = fight.state
    if phase == "ranged":
        _shots(fight, said)
    elif phase == "melee":
        _skirmishes(fight, said)
    else:
        _deeds(fight, said)
    if fight.state is before:
        fight.impossible(f"Nothing is left to resolve in the {phase} phase.", "affray phase")
    check_heard(fight, said)


def _due(fight: Resolution, said: Resolve, *verbs: str) -> list[Waiting]:
    """The actions that are due, in declaration order; or the one that was asked for."""
    if said.who:
        return [actions.due(fight, said.who, *verbs)]
    return [one for one in fight.state.pending.waiting if one.kind == actions.KIND and one.verb in verbs]


def _shots(fight: Resolution, said: Resolve) -> None:
    from .ranged import resolve_shot

    for waiting in _due(fight, said, "shoot"):
        resolve_shot(fight, waiting, said, said.stray)


def _skirmishes(fight: Resolution, said: Resolve) -> None:
    from .melee import resolve_all, resolve_one

    if said.who:
        resolve_one(fight, said.who, said)
    else:
        resolve_all(fight, said)


def _deeds(fight: Resolution, said: Resolve) -> None:
    from .checks import resolve_misc

    for waiting in _due(fight, said, "check", "misc"):
        resolve_misc(fight, waiting, said)
