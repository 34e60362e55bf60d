"""What helps or hinders by the game master's word: effects, healing and rest."""

from typing import Annotated, Literal

from commands.action import effects
from commands.action.declaration import Amount, Declaration, Fighter, Fighters, says
from commands.action.resolution import Resolution, adjusted
from commands.action.resting import note_rest
from ledger.events import StressEased, WoundsHealed
from ledger.events.sentences import counted

from . import conditions, points
from .tables import DEFENSIVE, GRAPPLED, GRAPPLING, PRONE, SPRINTING, THREATENED

_RESERVED = (PRONE, THREATENED, DEFENSIVE, SPRINTING, GRAPPLING, GRAPPLED)
"""Conditions that the rules give and take themselves."""


_Guards = Literal["armor-value", "spell-resistance", "threat-range", "dodge-die", "dodge-dice"]
_Hurts = Literal["hit-dice", "pierce-dice", "wounds", "spell-pierce-die", "spell-pierce-dice"]
_Kind = Literal[_Guards, _Hurts, "resistance", "movement-points"]
"""What an effect can change."""


class Effect(Declaration):
    """Give somebody an effect, such as mage armor; or end one."""

    who: Annotated[Fighters, says("Who has it.")]
    name: Annotated[str, says("What it is called.", min_length=1, max_length=40)]
    amount: Annotated[Amount, says("What it adds; for a die, how many sides it has.")] = 0
    kind: Annotated[_Kind, says("What it is added to, or which die it changes.")] = "armor-value"
    until: Annotated[
        Literal["removed", "turn-start", "turn-end", "round-end", "encounter-end"],
        says("How long it lasts: until it is ended, to the end of the current turn, ..."),
    ] = "removed"
    rounds: effects.Rounds | None = None
    whose: effects.Whose = ""
    end: effects.EndsNow = False


def effect(fight: Resolution, said: Effect) -> None:
    """Records the effect, or its end. Without an amount it is only remembered."""
    if said.name.casefold() in _RESERVED:
        field = "no-condition" if said.end else "condition"
        instead = [adjusted(who, field, said.name) for who in said.who]
        fight.impossible(f"The rules use the name {said.name!r} themselves.", [instead, "Choose another name."])
    until, last = effects.lasts(fight, said.until, said.rounds, said.whose)
    for who in said.who:
        if said.end:
            for one in effects.every_part(fight, who, said.name, _RESERVED):
                conditions.end_effect(fight, who, one)
        else:
            kind = said.kind.replace("-", " ")
            conditions.put_in_force(fight, who, said.name, kind, said.amount, until, last, said.whose)
    conditions.part(fight)


class Heal(Declaration):
    """Heal wounds or relieve stress, by a spell, a potion or anything else."""

    who: Annotated[Fighter, says("Who is healed.")]
    wounds: Annotated[int, says("How many wounds.", ge=0, le=1000)] = 0
    stress: Annotated[int, says("How much stress.", ge=0, le=1000)] = 0


def heal(fight: Resolution, said: Heal) -> None:
    """Magic and potions heal as many wounds as the game master says, not below 0."""
    points.check_not_dead(fight, said.who)
    if not said.wounds and not said.stress:
        fight.impossible("Nothing would be healed.", "Say --wounds or --stress, and how much.")
    if said.wounds:
        _cure(fight, said.who, said.wounds)
    if said.stress:
        relieve(fight, said.who, said.stress)


class Rest(Declaration):
    """Rest: a short rest, a long one, or a full one."""

    who: Annotated[Fighters, says("Who rests.")]
    kind: Annotated[Literal["short", "long", "full"], says("Which kind of rest.")]


def rest(fight: Resolution, said: Rest) -> None:
    """A short rest takes the endurance off the stress, a longer one all of it. Wounds need a full rest.

    dungeoneers.rest.outside-encounter: not while a fight goes on.
    """
    if fight.state.encounter.running:
        fight.refuse("dungeoneers.rest.outside-encounter", "Nobody rests in a fight.", [("end", {})])
    for who in said.who:
        points.check_not_dead(fight, who)
        stress = fight.state.stress.total(who)
        if stress:
            fight.rule("dungeoneers.stress.rest", "", who=who)
            relieve(fight, who, fight.sheet(who).endurance if said.kind == "short" else stress)
        if said.kind == "full" and (borne := fight.state.injuries.total(who)):
            _cure(fight, who, borne)
    if said.kind != "short":
        note_rest(fight, said.who, "adjust NAME magica N", lambda who: _not_restored(fight, who))


def _not_restored(fight: Resolution, who: str) -> list[str]:
    """What a rest has not given back to somebody."""
    wounds, most = fight.state.injuries.total(who), fight.sheet(who).magica_capacity
    magica = fight.state.magica.left(who)
    return [*([counted(wounds, "wound")] if wounds else []), *([f"{magica}/{most} magica"] if magica < most else [])]


def relieve(fight: Resolution, who: str, points: int) -> None:
    """Takes stress away, down to 0."""
    stress = fight.state.stress.total(who)
    gone = min(points, stress)
    fight.record(StressEased(who, gone, stress - gone, fight.sheet(who).stress_capacity))


def _cure(fight: Resolution, who: str, wounds: int) -> None:
    """dungeoneers.wounds.recovery: takes wounds away, down to 0."""
    borne = fight.state.injuries.total(who)
    gone = min(wounds, borne)
    fight.rule("dungeoneers.wounds.recovery", "", who=who)
    fight.record(WoundsHealed(who, gone, borne - gone, fight.sheet(who).wound_capacity))
