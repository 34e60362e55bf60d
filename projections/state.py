"""The whole state: the aspects together, and the one fold."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from ledger.events import EncounterBegan, EncounterEnded, Event, PhaseBegan, RoundBegan
from ledger.hashing import hexdigest

from . import (
    ammunition,
    areas,
    campaign,
    conditions,
    counts,
    disputes,
    encounter,
    engagement,
    facing,
    gear,
    harm,
    initiative,
    injuries,
    lying,
    magica,
    pain,
    pending,
    points,
    positions,
    roster,
    skirmishes,
    stress,
    truces,
    turns,
    wounds,
)
from .ammunition import Ammunition
from .areas import Areas
from .campaign import Campaign
from .conditions import Conditions
from .counts import Counts
from .disputes import Disputes
from .encounter import Encounter
from .engagement import Engagement
from .facing import Facing
from .gear import Gear
from .harm import Harm
from .initiative import Initiative
from .injuries import Injuries
from .lying import Lying
from .magica import Magica
from .pain import Pain
from .pending import Pending
from .points import Points
from .positions import Positions
from .roster import Roster
from .skirmishes import Skirmishes
from .stress import Stress
from .truces import Truces
from .turns import Turns
from .wounds import Wounds

VERSION = "1"
"""Version of the reducers and of the shape of the state. A checkpoint of another version is ignored."""


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything that is so after some entry. The fold of the events that stand.

    What is as it was at the start is left out of its JSON, so that an aspect or a field gained in a later version does
    not change the digest of an older ledger.
    """

    campaign: Campaign = Campaign()
    roster: Roster = Roster()
    encounter: Encounter = Encounter()
    turns: Turns = Turns()
    initiative: Initiative = Initiative()
    truces: Truces = Truces()
    harm: Harm = Harm()
    pain: Pain = Pain()
    wounds: Wounds = Wounds()
    stress: Stress = Stress()
    injuries: Injuries = Injuries()
    conditions: Conditions = Conditions()
    points: Points = Points()
    counts: Counts = Counts()
    magica: Magica = Magica()
    gear: Gear = Gear()
    ammunition: Ammunition = Ammunition()
    lying: Lying = Lying()
    positions: Positions = Positions()
    facing: Facing = Facing()
    areas: Areas = Areas()
    engagement: Engagement = Engagement()
    skirmishes: Skirmishes = Skirmishes()
    pending: Pending = Pending()
    disputes: Disputes = Disputes()
    opening: "State | None" = None
    """The state as it stood when the phase opened, while a phase runs whose actions all happen at once."""

    def encoded(self) -> str:
        """The canonical JSON of the state: mappings sorted, no spaces, and nothing that is as it was at the start."""
        return _encoder.encode(_changed(self)).decode()

    def digest(self) -> str:
        """SHA-256 of `encoded`: two people with the same ledger see the same digest."""
        return hexdigest(self.encoded().encode())

    def stands(self, who: str) -> bool:
        """Whether a combatant is at the table and not down."""
        return who in self.roster.members and who not in self.harm.down


def _changed(state: State) -> State:
    """The state, in which whatever is as it was at the start is the very same object, which the encoder leaves out."""
    changed: dict[str, Any] = {
        name: value for name, first in _FIRST.items() if (value := getattr(state, name)) != first
    }
    if state.opening:
        changed["opening"] = _changed(state.opening)
    return State(**changed)


_FIRST: dict[str, Any] = {name: getattr(State(), name) for name in State.__struct_fields__}
_encoder = msgspec.json.Encoder(order="deterministic")


@cache
def _decoder() -> "msgspec.json.Decoder[State]":
    return msgspec.json.Decoder(State)


def decode(state: str) -> State:
    """The state whose canonical JSON is given. Raises msgspec.ValidationError when it is not one."""
    return _decoder().decode(state)


Reducer = Callable[[Any, Any], Any]

_ASPECTS = (
    campaign,
    roster,
    encounter,
    turns,
    initiative,
    truces,
    harm,
    pain,
    wounds,
    stress,
    injuries,
    conditions,
    points,
    counts,
    magica,
    gear,
    ammunition,
    lying,
    positions,
    facing,
    areas,
    engagement,
    skirmishes,
    pending,
    disputes,
)

REDUCERS: dict[type[Event], list[tuple[str, Reducer]]] = {}
"""For each kind of event the aspects that it changes, with the function that changes them."""
for _module in _ASPECTS:
    for _kind, _reducer in _module.REDUCERS.items():
        REDUCERS.setdefault(_kind, []).append((_module.__name__.rpartition(".")[2], _reducer))


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after `events`, given the state before them."""
    aspects: dict[str, Any] = {name: getattr(state, name) for name in State.__struct_fields__}
    reducers = REDUCERS.get
    for event in events:
        kind = type(event)
        changes = reducers(kind)
        if changes is None:
            continue
        for aspect, reduce in changes:
            aspects[aspect] = reduce(aspects[aspect], event)
        if kind in _OPENINGS:
            aspects["opening"] = None
            if isinstance(event, PhaseBegan) and event.simultaneous:
                aspects["opening"] = State(**aspects)
    return State(**aspects)


_OPENINGS = {PhaseBegan, RoundBegan, EncounterBegan, EncounterEnded}
