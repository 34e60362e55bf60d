"""The whole state: the aspects together, and the one fold."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, cast

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ledger.events import Declared, EncounterBegan, EncounterEnded, Event, PhaseBegan, Renamed, RoundBegan, TurnBegan
from ledger.events.roster import Left
from ledger.hashing import hexdigest

from . import Aspect, Part, Reducer, forget
from .campaign import Campaign, Disputes
from .encounter import Encounter, Engagement, Initiative, Skirmishes, Turns
from .harm import Conditions, Harm, Injuries, Magica, Pain, Stress, Wounds
from .pending import Counts, Pending, Points
from .positions import Areas, Facing, Positions
from .roster import Ammunition, Gear, Lying, Member, Roster, Seats, Truces

VERSION = "1"
"""Version of the reducers and of the shape of the state. A checkpoint of another version is ignored."""


class State(Part):
    """Everything that is true after some entry: the fold of the events that stand. Its JSON leaves out everything that
    still has its first value, so that an aspect or a field gained in a later version does
    not change the digest of an older ledger.
    """

    campaign: Campaign = Campaign()
    roster: Roster = Roster()
    seats: Seats = Seats()
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
    """The state as it stood when the phase or the turn began, while one runs whose actions all happen at once."""
    corrects: bool = False
    """Whether the last thing said in such a phase is the game master's word, which is true of its opening too."""

    def encoded(self) -> str:
        """The canonical JSON of the state: mappings sorted, no spaces, and without everything that still has its first
        value.
        """
        return _encoder.encode(_changed(self)).decode()

    def digest(self) -> str:
        """SHA-256 of `encoded`: two people with the same ledger see the same digest."""
        return hexdigest(self.encoded().encode())

    def under(self, names: Mapping[str, str]) -> "State":
        """The state with combatants under other names."""
        return cast(State, _under(self, names)) if names else self

    def stands(self, who: str) -> bool:
        """Whether a combatant is at the table and not down."""
        return who in self.roster.members and who not in self.harm.down


def _changed(state: State) -> State:
    """The state, with the default object itself wherever a value is equal to it, so that the encoder leaves it out."""
    values = {name: getattr(state, name) for name in _FIRST}
    changed = {name: value for name, value in values.items() if value != _FIRST[name]}
    if state.opening:
        changed["opening"] = _changed(state.opening)
    return State(**changed)


_FIRST: dict[str, Any] = {name: getattr(State(), name) for name in State.__struct_fields__}
_encoder = msgspec.json.Encoder(order="deterministic")


_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])


def decode(state: str | msgspec.Raw) -> State:
    """The state whose canonical JSON is given. Raises msgspec.ValidationError when it is not one.

    Only the types of those aspects are made ready that are not as they were at the start.
    """
    aspects: dict[str, Any] = {}
    for name, said in _decoder.decode(state).items():
        if name == "opening":
            aspects[name] = decode(said)
        elif name in _FIRST:
            aspects[name] = msgspec.json.decode(said, type=type(_FIRST[name]))
    return State(**aspects)


ASPECTS: dict[str, Aspect] = {name: first for name, first in _FIRST.items() if first}
"""Every aspect by the name of its field, as it is at the start: the cards of what a fight holds."""
REDUCERS: dict[type[Event], list[tuple[str, Reducer]]] = {}
"""For each kind of event the aspects that it changes, with the function that changes them. With somebody who leaves
goes what the mappings of an aspect hold of them, where it does not say something else.
"""
for _name, _first in ASPECTS.items():
    _mappings = [field for field in _first.__struct_fields__ if isinstance(getattr(_first, field), dict)]
    _of_each = [field for field in _mappings if field not in _first.NAMELESS]
    for _kind, _reducer in {**({Left: forget(*_of_each)} if _of_each else {}), **_first.REDUCERS}.items():
        REDUCERS.setdefault(_kind, []).append((_name, _reducer))


def follow(state: State, event: Event) -> State:
    """The state after one event, given the state before it: as `fold`, and faster."""
    kind = type(event)
    changes = REDUCERS.get(kind)
    if changes is None:
        return fold(state, (event,)) if kind is Renamed or kind is Declared else state
    if state.corrects or kind in _OPENINGS:
        return fold(state, (event,))
    return replace(state, **{aspect: reduce(getattr(state, aspect), event) for aspect, reduce in changes})


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after `events`, given the state before them."""
    aspects: dict[str, Any] = {}
    reducers = REDUCERS.get
    for event in events:
        kind = type(event)
        changes = reducers(kind)
        if changes is None:
            if type(event) is Renamed:  # isinstance is slow where it is another kind
                state = (State(**aspects) if aspects else state).under({event.who: event.name})
                aspects = {}
            elif type(event) is Declared and event.counts:
                now = State(**aspects) if aspects else state
                if now.opening:
                    aspects = dict(zip(_ASPECTS, _values(now), strict=True))
                    aspects["corrects"] = event.counts == "at once"
            continue
        if not aspects:
            aspects = dict(zip(_ASPECTS, _values(state), strict=True))
        for aspect, reduce in changes:
            aspects[aspect] = reduce(aspects[aspect], event)
        if aspects["corrects"]:
            aspects["opening"] = fold(aspects["opening"], (event,))
        if kind in _OPENINGS:
            aspects["opening"], aspects["corrects"] = None, False
            if isinstance(event, PhaseBegan | TurnBegan) and event.simultaneous:
                aspects["opening"] = State(**aspects)
    return State(**aspects) if aspects else state


def _under(value: Any, names: Mapping[str, str]) -> Any:
    """A part of the state with combatants under other names: in the fields that name them, and where each has
    something; in a mapping of mappings, such as whom somebody has struck how often, every second word is a name.
    """
    match value:
        case tuple():
            return tuple([_under(one, names) for one in value])
        case dict():
            return {who: _under(one, names) for who, one in value.items()}
        case Struct() if not isinstance(value, Raw):
            kind: Any = type(value)
            fields = {field: getattr(value, field) for field in value.__struct_fields__}
            for field, one in fields.items():
                if field in getattr(kind, "NAMES", ()):
                    fields[field] = _named(one, names)
                elif field not in getattr(kind, "NAMELESS", ()):
                    fields[field] = _each(one, names) if isinstance(one, dict) else _under(one, names)
            if isinstance(value, Member):
                fields["truly"] = "" if value.truly in names.values() else value.truly
            return kind(**fields)
    return value


def _each(held: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """What each combatant has, under their other names."""

    def words(had: Any) -> Any:
        if not isinstance(had, dict):
            return _under(had, names)
        return {word: _each(one, names) if isinstance(one, dict) else _under(one, names) for word, one in had.items()}

    return {names.get(who, who): words(had) for who, had in held.items()}


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """What names combatants, with other names wherever these stand whole."""
    match value:
        case str():
            return names.get(value, value)
        case tuple() | list():
            return type(value)(_named(one, names) for one in value)
        case dict():
            return {_named(key, names): _named(one, names) for key, one in value.items()}
    return value


_ASPECTS = State.__struct_fields__
_values = attrgetter(*_ASPECTS)
_OPENINGS = {PhaseBegan, RoundBegan, TurnBegan, EncounterBegan, EncounterEnded}
