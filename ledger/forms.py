"""Forms: whether the JSON of an event, or its open half alone, is the canonical one of its kind.

Canonical are: the fields of the kind and no others, in their order; no field that holds its default; mappings sorted,
except in stat blocks; no blank; whole numbers below 2^53; lists and mappings at most 64 deep. Imported only where an
export is read or checked.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from .chain import PLAN, sealed
from .events import ALL_OPEN, KINDS, NAMING, Declared, Event, Rolled, Ruled, decode, encode, split, tag
from .parts import Parts

_DEEPEST = 64
"""How deep lists and mappings stand in each other at most."""
_TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_NO_WHOLE_NUMBER = re.compile(r"\d[.eE]|\d{16}")


def check_whole(body: str, at: int) -> Event:
    """The event of a body that is divided at a byte. Raises ValueError when either is not the canonical one."""
    data = body.encode()
    event = decode(data)
    _check_values(body)
    if encode(event) != data or split(event, data) != at:
        raise ValueError("an event is not in its canonical form")
    for field in _raw(type(event)):
        raw = bytes(getattr(event, field))
        if msgspec.json.encode(msgspec.json.decode(raw)) != raw:
            raise ValueError("a stat block is not in its canonical form")
    return event


def _check_open(text: str) -> None:
    """Raises ValueError when a text is not the canonical open half of an event that has a closed one, nor "" where
    nothing is open.
    """
    if not text:
        return
    tagged = text[10:].partition('"')[0]
    whole = f"{text}{'}}' if tagged == 'declared' else '}'}".encode()
    for form in _opening().get(tagged, ()):
        try:
            known = msgspec.json.decode(whole, type=form)
        except msgspec.ValidationError:
            continue
        if isinstance(known, Declared):
            again = b"" if known.allow or known.secret or {*known.said} - {*NAMING} else encode(known)
        else:
            again = msgspec.json.encode(known)
        shown = not re.search("[0-9]", getattr(known, "outcome", "") if tagged == "ruled" else "")
        if again == whole and shown:
            _check_values(text)
            return
    raise ValueError("an open half is not in its canonical form")


def _check_values(text: str) -> None:
    bare = _TEXTS.sub("", text)
    if _NO_WHOLE_NUMBER.search(bare):
        for word in re.findall(r"[-+.\deE]+", bare):
            if not word.lstrip("-").isdigit() or int(word.lstrip("-")) >= 2**53:
                raise ValueError("a number is not a whole number, or is too large")
    if bare.count("[") + bare.count("{") > _DEEPEST:
        depth = 0
        for sign in bare:
            depth += (sign in "[{") - (sign in "]}")
            if depth > _DEEPEST:
                raise ValueError("it is nested too deeply")


@cache
def _raw(kind: type[Event]) -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is Raw)


@cache
def _opening() -> dict[str, tuple[type[Struct], ...]]:
    """The forms of an open half that has a closed one, by the tag of its kind."""
    found: dict[str, tuple[type[Struct], ...]] = {}
    for kind in KINDS:
        if kind is Declared:
            found[tag(kind)] = (kind,)
        elif kind.OPEN and kind not in ALL_OPEN:
            shapes = [("clause", "who", "about", "nth", "outcome"), ("clause", "who", "about", "nth")]
            found[tag(kind)] = tuple(_half(kind, shape) for shape in (shapes if kind is Ruled else [kind.OPEN]))
    return found


def _half(kind: type[Event], names: tuple[str, ...]) -> type[Struct]:
    of_kind = {field.name: field for field in msgspec.structs.fields(kind)}
    shown = [of_kind[name] for name in names]
    fields = [(one.name, one.type, *(() if one.required else (one.default,))) for one in shown]
    how: dict[str, Any] = {"kw_only": True, "omit_defaults": True, "forbid_unknown_fields": True}
    return msgspec.defstruct(kind.__name__, fields, tag=tag(kind), tag_field="event", **how)


def check_parts(parts: Parts) -> None:
    """Raises ValueError when what is shown of an entry is not in its canonical form, what must be open is closed, or
    the seal is not one that these events have.
    """
    bodies: list[str] = []
    events: list[Event] = []
    for nth, halves in enumerate(parts.events):
        if (body := halves.body()) is not None:
            bodies.append(body)
            events.append(check_whole(body, len(halves.open.encode())))
            declares = isinstance(events[-1], Declared)
        else:
            _check_open(halves.open)
            declares = halves.open.startswith(_DECLARED)
        if declares is not (nth == 0):
            raise ValueError("an entry begins with its declaration")
    whole = len(bodies) == len(parts.events)
    if parts.events and not (sealed(bodies) == parts.sealed if whole else _may_be_sealed(parts, events)):
        raise ValueError("the seal is not the one of these events")


def _may_be_sealed(parts: Parts, shown: Iterable[Event]) -> bool:
    """Whether an entry that is shown in part may have its seal: that of a plan, whose name is open, and in which no die
    is known to have fallen.
    """
    who = msgspec.json.decode(f"{parts.events[0].open}}}}}")["said"].get("who", "")
    fell = any(isinstance(event, Rolled) and event.faces for event in shown)
    return not parts.sealed or (parts.sealed == f"{PLAN}{who}" and not fell)


_DECLARED = '{"event":"declared",'
