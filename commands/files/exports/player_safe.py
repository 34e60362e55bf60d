"""What is secret, and the veil that leaves it out, as in `docs/exports.md`, "For the players".

The players know what everybody saw at the table: who did what to whom, the outcome, and everything about their own
side. The numbers, stat blocks and plans of the others, the referee's own dice and reasons, the typed words and the key
of the dice are secret. Anything that is not known to be open is left out.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ledger.chain import Entry
from ledger.events import (
    AmbientMagicaSet,
    AmbientMagicaSpent,
    AreaEntered,
    AreasLaid,
    Awaited,
    CampaignBegan,
    ConditionEnded,
    ConditionGained,
    Declared,
    Disengaged,
    Dropped,
    EncounterBegan,
    EncounterEnded,
    Engaged,
    Event,
    Faced,
    Felled,
    GroundCleared,
    GroundLaid,
    HpGained,
    HpLost,
    Joined,
    Left,
    LinkLaid,
    Moved,
    Noted,
    OptionChanged,
    OrderSet,
    Overruled,
    PainEased,
    PainSuffered,
    PhaseBegan,
    PickedUp,
    Placed,
    Reinstated,
    Retracted,
    Rolled,
    Rose,
    RoundBegan,
    Ruled,
    SideChanged,
    SkirmishEnded,
    SkirmishJoined,
    StressEased,
    StressGained,
    TruceEnded,
    TruceMade,
    TurnBegan,
    TurnEnded,
    WoundsHealed,
    WoundsSustained,
    WoundSuffered,
    WoundTreated,
    encode,
    tag,
)

OPEN = {
    CampaignBegan, OptionChanged, Left, SideChanged, TruceMade, TruceEnded,
    EncounterBegan, EncounterEnded, GroundLaid, GroundCleared, OrderSet, RoundBegan, PhaseBegan, TurnBegan, TurnEnded,
    Felled, Rose, WoundSuffered, WoundTreated, ConditionEnded, Dropped, PickedUp,
    Placed, Moved, Faced, AreasLaid, LinkLaid, AreaEntered, Engaged, Disengaged, SkirmishJoined, SkirmishEnded,
    AmbientMagicaSet, AmbientMagicaSpent, Retracted, Reinstated,
}  # fmt: skip
"""Kinds that everybody at the table sees, about anybody."""

VAGUE: dict[type[Event], str] = {
    HpLost: "loses hp",
    HpGained: "regains hp",
    PainSuffered: "suffers pain",
    PainEased: "is in less pain",
    StressGained: "gains stress",
    StressEased: "loses stress",
    WoundsSustained: "is wounded",
    WoundsHealed: "is healed of wounds",
}
"""Kinds that everybody sees happen to a secret combatant, but without the number."""

Told = tuple[Event, dict[str, Any]]
"""An event as it is told, and its fields as they are exported."""


class Veil:
    """Leaves out what is secret, entry by entry, from the first on."""

    def __init__(self, sides: Sequence[str]) -> None:
        self.sides = frozenset(sides)
        self._ours: dict[int, frozenset[str]] = {0: frozenset()}
        self._others: set[str] = set()
        """Everybody who was ever on another side, in any course."""
        self._everybody: set[str] = set()
        self._pattern: tuple[frozenset[str], re.Pattern[str]] = (frozenset(), re.compile("(?!)"))

    def over(self, entry: Entry, events: Sequence[Event]) -> list[tuple[Event, tuple[int, dict[str, Any]]]]:
        """The events of an entry without the secrets: as they are told, and as they are exported, with their place in
        the entry. Call it for every entry in the order of recording.
        """
        secret = self._secret(entry, events)
        names = self._named(secret)
        declared = events[0] if isinstance(events[0], Declared) else Declared("", {})
        by_the_referee = declared.verb == "roll" and not declared.said.get("who")
        touched = by_the_referee or any(map(names.search, entry.bodies))
        scene = _Scene(secret, names, touched, _planner(declared, events, secret))
        found = ((nth, self._told(event, scene)) for nth, event in enumerate(events, 1))
        told = [(one[0], (nth, one[1])) for nth, one in found if one]
        if len(told) == 1 < len(events) and isinstance(said := told[0][0], Declared) and not said.said:
            return [(Noted("known to the referee"), told[0][1])]
        return told

    def _secret(self, entry: Entry, events: Sequence[Event]) -> frozenset[str]:
        """Anyone who is not known to be on the players' side both before and after an entry."""
        before = ours = self._ours.get(entry.after, frozenset())
        for event in events:
            if isinstance(event, Joined | SideChanged):
                self._everybody.add(event.who)
                if event.side in self.sides:
                    ours |= {event.who}
                else:
                    ours -= {event.who}
                    self._others.add(event.who)
        self._ours[entry.entry] = ours
        return frozenset(self._others - (before & ours))

    def _named(self, secret: frozenset[str]) -> re.Pattern[str]:
        """Finds the names of secret combatants, as words of their own, in the JSON of an event."""
        if self._pattern[0] != secret:
            names = "|".join(re.escape(name) for name in sorted(secret)) or "(?!)"
            self._pattern = secret, re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
        return self._pattern[1]

    def _told(self, event: Event, scene: "_Scene") -> Told | None:
        kind = type(event)
        who = getattr(event, "who", "")
        ours = who and who not in scene.secret
        match event:
            case Declared() if scene.planner:
                return Noted(f"{scene.planner} decides what to do"), {
                    "event": tag(kind),
                    "said": {"who": scene.planner},
                }
            case Declared(said=said):
                open_said = _names_only(said, self._everybody) if scene.touched else said
                return _whole(replace(event, said=open_said, allow=""))
            case Rolled():
                return _whole(event) if ours or (not who and not scene.touched) else None
            case Ruled(outcome=outcome) if scene.touched:
                plain = "" if _counts(outcome) else outcome
                seen = replace(event, numbers=(), sign="", outcome=plain)
                return replace(seen, outcome="" if plain in ("yes", "no") else plain), _whole(seen)[1]
            case Ruled():
                return _whole(event)
            case Overruled(clause=clause):
                return Noted(f"allowed by the referee: {clause}"), {"event": tag(kind), "clause": clause}
            case Noted(text=text):
                tells = who in scene.secret or (scene.touched and _counts(scene.names.sub("", text)))
                return None if tells else _whole(event)
            case Joined() if not ours:
                return _whole(replace(event, sheet=Raw(b"{}")))
            case ConditionGained() if not ours:
                return _whole(replace(event, amount=0, modifies=""))
        if kind in OPEN:
            return _whole(event)
        if kind in VAGUE and not ours:
            return Noted(f"{who} {VAGUE[kind]}"), {"event": tag(kind), "who": who}
        return _whole(event) if ours or (not who and not scene.touched) else None


class _Scene(Struct, frozen=True):
    """The facts about an entry that decide what is secret in it."""

    secret: frozenset[str]
    """Those whose numbers are secret."""
    names: re.Pattern[str]
    """Finds their names."""
    touched: bool
    """Whether a text names any of them, or the referee rolls for nobody."""
    planner: str
    """The one of them who declares or readies something for later; "" if nobody does."""


def _planner(declared: Declared, events: Sequence[Event], secret: frozenset[str]) -> str:
    """The secret combatant who now declares an action for later, if any; an open window is not meant."""
    who = declared.said.get("who")
    plans = (event.who for event in events if isinstance(event, Awaited) and not event.answerable)
    return next((one for one in plans if one == who and one in secret), "")


def _whole(event: Event) -> Told:
    return event, msgspec.json.decode(encode(event))


def _counts(words: str) -> bool:
    """Whether there is a number in the words."""
    return any(sign.isdigit() for sign in words)


def _names_only(said: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The fields of a declaration that hold only names of combatants."""
    return {key: value for key, value in said.items() if _all_names(value, known)}


def _all_names(value: Any, known: set[str]) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(_all_names(one, known) for one in value)
    return isinstance(value, str) and value in known
