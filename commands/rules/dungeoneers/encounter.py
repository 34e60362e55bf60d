"""The encounter: beginning and end."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import AnyOrder, Declaration, read_square
from commands.action.encounters import require_encounter, require_none
from commands.action.grid import COMPASS
from commands.action.names import check_once, find
from commands.action.resolution import Offers, Resolution
from ledger.errors import UsageError
from ledger.events import (
    AmbientMagicaSet,
    ConditionEnded,
    EncounterBegan,
    EncounterEnded,
    Faced,
    Placed,
    TruceMade,
)

from . import threat
from .bodies import fits, room


class Begin(Declaration):
    """Begin an encounter. Then `round` begins the first round, and `turn` the first turn."""

    name: Annotated[str, Meta(max_length=100, description="A name for the encounter.", extra={"positional": True})] = ""
    at: Annotated[AnyOrder, Meta(description="NAME=X,Y or NAME=X,Y,FACING: where somebody stands.")] = ()
    ambient: Annotated[int, Meta(ge=0, le=1000, description="Ambient magica, if it is counted.")] | None = None
    truce: Annotated[AnyOrder, Meta(description="SIDE:SIDE, two sides that are not hostile.")] = ()


def begin(fight: Resolution, said: Begin) -> None:
    """Places and truces, and who is threatened: dungeoneers.threat.recalculate."""
    require_none(fight)
    if not fight.state.roster.order:
        fight.impossible("Nobody is at the table.", "affray join suori skeleton")
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name))
    if said.ambient is not None:
        fight.record(AmbientMagicaSet(said.ambient))
    for words in said.truce:
        one, colon, other = words.partition(":")
        sides = {side.casefold(): side for side in fight.state.roster.sides()}
        if not colon or one.casefold() not in sides or other.casefold() not in sides:
            raise UsageError(f"{words[:40]!a} names no two sides.", f"Sides: {', '.join(sides.values())}.")
        fight.record(TruceMade(sides[one.casefold()], sides[other.casefold()]))
    places = [_place(fight, words) for words in said.at]
    check_once(places)
    for who, place in places:
        numbers, _, facing = place.rpartition(",")
        fight.record(Placed(who, read_square(numbers if facing in COMPASS else place)))
        if facing in COMPASS:
            fight.record(Faced(who, facing))
    for who, at in sorted(fight.state.positions.at.items()):
        if fight.state.stands(who) and not fits(fight, {who: at}):
            hint = _make_room(fight, said, who)
            fight.refuse("dungeoneers.size.sharing", f"{who} does not fit in where it stands.", hint)
    threat.recalculate(fight)


def _make_room(fight: Resolution, said: Begin, who: str) -> Offers:
    """The way on: another tile for one who does not fit in; then perhaps for the next."""
    x, y, _ = room(fight, who)
    others = [words for words in said.at if find(fight.state, words.partition("=")[0]) != who]
    return [fight.otherwise(at=[*others, f"{who}={x},{y}"]), f"Say where it stands instead: --at {who}={x},{y}."]


def _place(fight: Resolution, words: str) -> tuple[str, str]:
    name, equals, place = words.partition("=")
    if not equals:
        raise UsageError(f"{words[:40]!a} is not of the form NAME=X,Y,FACING.")
    return find(fight.state, name), place.upper()


class End(Declaration):
    """End the encounter."""


def end(fight: Resolution, said: End) -> None:
    """Grapples, threat, what was readied and what was to last for a turn end with it; the prone stay prone."""
    require_encounter(fight)
    for waiting in fight.state.pending.waiting:
        fight.settle(waiting.kind, waiting.who, "lapsed")
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if held[name].until != "removed":
                fight.record(ConditionEnded(who, name))
    fight.record(EncounterEnded(fight.state.encounter.number))
