"""Narration: the lines of an entry, in the words of the game and with their arithmetic.

Each event tells itself (`Event.told`, `Event.arithmetic`). This file does what takes a whole entry: the headline, whom
each part concerns, and what to leave out because another event says it.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from msgspec import Raw, Struct, json

from ledger.events import (
    Awaited,
    ConditionGained,
    Declared,
    EncounterBegan,
    EncounterEnded,
    Event,
    PhaseBegan,
    Rolled,
    RoundBegan,
    Ruled,
    TurnEnded,
    Unequipped,
    does,
    tag,
)

Saying = tuple[str, str]
"""What one event says: its outcome and its arithmetic; one of the two may be ""."""
Passage = tuple[str, list[Saying]]
"""Some events in a row that concern the same one, and what they say; "" for nobody, `FIGHT` for all."""
FIGHT = "\0"
"""Stands in place of a name where a round, a phase or the whole encounter is concerned."""


def passages(events: Sequence[Event]) -> list[Passage]:
    """What the events of an entry say: first the actor's own part, then a passage for each other one they concern."""
    told: list[Passage] = [(_actor(events[0]), [])]
    shown = _shown_rolls(events)
    for at, event in enumerate(events[1:], 1):
        if at in shown or (isinstance(event, Unequipped) and _falls(event, events[at + 1 :])):
            continue
        saying = event.told(), event.arithmetic()
        if not any(saying):
            continue
        subject = _subject(event) or told[-1][0]
        if subject != told[-1][0]:
            told.append((subject, []))
        told[-1][1].append(saying)
    return [(subject, _without_echoes(sayings)) for subject, sayings in told if sayings]


def lines(events: Sequence[Event]) -> list[str]:
    """The lines of one entry: a headline with the actor's own part, and a line for each other one it concerns. When the
    whole entry concerns one name, there is only the headline.
    """
    return _lines(events, _whole)


def outcomes(events: Sequence[Event]) -> list[str]:
    """The lines of one entry without the arithmetic, unless there is nothing else."""
    return _lines(events, itemgetter(0) if any(event.told() for event in events[1:]) else _whole)


def story(events: Sequence[Event], arithmetic: bool) -> list[str]:
    """The lines of one entry, with or without the arithmetic."""
    return lines(events) if arithmetic else outcomes(events)


def _lines(events: Sequence[Event], words: Callable[[Saying], str]) -> list[str]:
    if not events:
        return []
    told = [(subject, "; ".join(filter(None, map(words, sayings)))) for subject, sayings in passages(events)]
    told = [(subject, text) for subject, text in told if text]
    head = "" if told and (_bare(events[0]) or _announced(events)) else headline(events[0])
    if len(told) == 1 or (told and told[0][0] == _actor(events[0])):
        head = ": ".join(filter(None, [head, told.pop(0)[1]]))
    indent = "  " if head else ""
    return [*filter(None, [head]), *(indent + _named(subject, text) for subject, text in told)]


def _whole(saying: Saying) -> str:
    outcome, arithmetic = saying
    return ": ".join(filter(None, (arithmetic, outcome)))


def _falls(event: Unequipped, rest: Sequence[Event]) -> bool:
    """Whether the next event says that the item was dropped or broken, not put away."""
    names = (f"dropped {event.item}", f"broken {event.item}")
    return any(isinstance(one, ConditionGained) and one.who == event.who and one.condition in names for one in rest)


def _without_echoes(sayings: list[Saying]) -> list[Saying]:
    """The texts without those that only repeat how another one ends."""
    texts = list(map(_whole, sayings))
    return [
        saying for saying, text in zip(sayings, texts, strict=True) if not any(_repeats(text, other) for other in texts)
    ]


def _repeats(text: str, other: str) -> bool:
    """Whether another text says the same, perhaps with the moment at which it becomes true."""
    return other.endswith((f" {text}", f" {text} when the phase closes"))


def _named(subject: str, text: str) -> str:
    return text if not subject.strip(FIGHT) or text.startswith(subject) else f"{subject}: {text}"


def _actor(event: Event) -> str:
    who = event.said.get("who", "") if isinstance(event, Declared) else ""
    match who:
        case str():
            return who
        case [str(only)]:
            return only
    return ""


def headline(event: Event) -> str:
    """What was declared, in words."""
    if not isinstance(event, Declared):
        return event.line()
    if event.verb == "amend":
        return _amendment(event.said)
    if event.verb == "assert":
        return f"assert that {event.said.get('name')} is {event.said.get('value')}"
    said = {key.rstrip("_").replace("_", "-"): said for key, said in sorted(event.said.items()) if key not in _SILENT}
    who, why = said.pop("who", ""), said.pop("why", "")
    upon = said.pop("target", "") if "spell" in said or event.verb in ("cast", "pray") else ""
    words = [_value(said.pop(key)) for key in _BY_VALUE if key in said]
    words += [f"on {_value(upon)}"] if upon else []
    verb = f"{who} {does(event.verb)}" if isinstance(who, str) and who else event.verb
    if isinstance(who, list | tuple) and who:
        verb = f"{_value(who)} {event.verb if who[1:] else does(event.verb)}"
    if event.verb in _PLAIN and who:
        verb = f"{event.verb} {_value(who)}"
    rest = ", ".join(key if value is True else f"{key} {_value(value)}" for key, value in said.items())
    marks = f"{' [secret]' if event.secret else ''}{f' [allowed: {event.allow}]' if event.allow else ''}"
    return f"{' '.join([verb, *words])}{f' ({rest})' if rest else ''}{f', because {why}' if why else ''}{marks}"


def _bare(event: Event) -> bool:
    """Whether what follows says all that the declaration said."""
    if not isinstance(event, Declared) or event.allow or event.secret:
        return False
    return event.verb in _BARE and "target" not in event.said


def _announced(events: Sequence[Event]) -> bool:
    """Whether the action that is announced for later repeats the declaration. A window announces nothing."""
    declared = events[0]
    if not isinstance(declared, Declared) or declared.allow or declared.secret:
        return False
    later = (event for event in events if isinstance(event, Awaited) and not event.answerable)
    return any(event.who == _actor(declared) for event in later)


_BARE = {
    "init", "option", "join", "leave", "note", "roll", "begin", "end", "done", "initiative", "act", "terrain", "move",
    "draw", "stow", "undo", "redo", "round", "phase", "turn", "face", "prone", "stand", "heal", "rest", "table",
    "dispute", "settle", "assert", "group", "stir", "reveal", "rename", "unmask", "sheet set",
}  # fmt: skip
_PLAIN = {"adjust", "effect", "resolve", "morale", "reaction", "distance", "survivors", "sheet set"}
_SILENT = {"sheets", "sheet", "ground", "commitments", "map"}
_BY_VALUE = ("action", "spell", "target", "field", "value", "item", "text", "name")


def plainly(event: Event) -> str:
    """An event with all its fields, in words: `Boffin: points spent (kind action, points 1, left 1)`."""
    said = {name: getattr(event, name) for name in event.__struct_fields__}
    who = said.pop("who", "")
    return f"{f'{who}: ' if who else ''}{tag(type(event)).replace('-', ' ')}{_fields(said)}"


def _fields(said: Mapping[str, Any]) -> str:
    words = ", ".join(f"{name} {worded(value)}" for name, value in said.items() if value not in ("", (), {}, None))
    return f" ({words})" if words else ""


def worded(value: Any) -> str:
    """Any value of an event or of a stat block, in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Struct():
            return _fields({name: getattr(value, name) for name in value.__struct_fields__}).strip()
        case Raw():
            return worded(json.decode(value))
        case dict():
            return _fields(dict(sorted(value.items()))).strip()
        case list() | tuple() if all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return " ".join(map(worded, value))
    return str(value)


def _value(value: Any) -> str:
    match value:
        case True:
            return "yes"
        case dict():
            return " ".join(f"{key}={_value(one)}" for key, one in value.items())
        case list() | tuple() if value and all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return ", ".join(map(_value, value))
    return str(value)


def _shown_rolls(events: Sequence[Event]) -> set[int]:
    """The places in the entry of rolls that a ruling's arithmetic shows, or that were left out."""
    seen = {
        (step.value, step.reason.partition(" ")[0])
        for event in events
        if isinstance(event, Ruled)
        for number in event.numbers
        for step in number.steps
    }
    return {
        at
        for at, event in enumerate(events[1:], 1)
        if isinstance(event, Rolled)
        and (not event.faces or (sum(event.faces), event.dice[event.dice.startswith("1d") :]) in seen)
    }


def _subject(event: Event) -> str:
    if isinstance(event, Ruled | Rolled):
        return event.about or event.who
    if isinstance(event, RoundBegan | PhaseBegan | TurnEnded | EncounterBegan | EncounterEnded):
        return FIGHT
    return getattr(event, "who", "")


def _amendment(said: dict[str, Any]) -> str:
    """What was corrected, in words."""
    put_in = said.get("insert")
    parts = [
        f"{field.rstrip('_').replace('_', '-')} {_value(value)}" for field, value in said.get("change", {}).items()
    ]
    if "allow" in said:
        parts.append(f"allowed: {said['allow']}" if said["allow"] else "no longer allowed")
    if "dice" in said:
        parts.append(f"the dice showed {', '.join(map(str, said['dice']))}")
    if said.get("drop"):
        parts.append("left out")
    if put_in:
        parts.append(f"before it {headline(Declared(put_in['verb'], put_in['said'], put_in.get('allow', '')))}")
    why = f", because {said['why']}" if said.get("why") else ""
    return f"amend {said.get('entry', '')}: {'; '.join(parts)}{why}"
