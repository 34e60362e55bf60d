"""The vocabulary: everything that can be recorded. Closed, and shared by all rule systems.

`docs/vocabulary.md` lists every kind with its fields; a test keeps that page equal to this code.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Union

import msgspec
from msgspec.structs import replace

from .campaign import *
from .declared import *
from .declared import Declared, Event, Ruled
from .encounter import *
from .harm import *
from .positions import *
from .roster import *
from .roster import Joined
from .sentences import *

KINDS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event, in the order of the documentation: `declared` first, because the others build on it; then by
file."""

ALL_OPEN = frozenset(kind for kind in KINDS if len(kind.OPEN) == len(kind.__struct_fields__))
"""Kinds of which nothing is closed: everybody at the table sees them, about anybody. They have no closed half."""
VAGUE = {str(kind.__struct_config__.tag): kind.VAGUE for kind in KINDS if kind.VAGUE}
"""What is told of a kind, given by its tag, where only the open half of an event is known."""
LONGEST = 200
"""The most characters of what is wrong with a body: it may repeat much of it."""
NAMING = ("who", "target")
"""The fields of a declaration that hold nothing but names: they come first, and are open."""
_encoder = msgspec.json.Encoder(order="deterministic")
_as_it_stands = msgspec.json.Encoder()


def encode(event: Event) -> bytes:
    """The canonical JSON of an event: fields in their order, mappings sorted, no spaces, defaults left out."""
    if type(event) is Declared:
        said = msgspec.to_builtins(event.said, order="deterministic")
        return _declared(event, replace(event, said={**_names(said), **said}))
    if type(event) is Ruled and event.nth != 1:
        body = _encoder.encode(replace(event, nth=1))
        return body.replace(b',"outcome":', b',"nth":%d,"outcome":' % event.nth, 1)
    if type(event) is Joined and event.place:
        body = _encoder.encode(replace(event, place=0))
        return body.replace(b',"sheet":', b',"place":%d,"sheet":' % event.place, 1)
    return _encoder.encode(event)


def split(event: Event, body: bytes) -> int:
    """The byte of the canonical JSON of an event at which its closed half begins; its end where all of it is open."""
    if not event.OPEN:
        return 0
    if type(event) in ALL_OPEN:
        return len(body)
    if type(event) is Declared:
        names = msgspec.to_builtins(_names(event.said), order="deterministic")
        return len(_declared(event, Declared(event.verb, names))) - 2
    if type(event) is Ruled:
        return body.index(b',"numbers":' if _DIGITS.isdisjoint(event.outcome) else b',"outcome":')
    first = len(body) - 1
    for field in _closed(type(event)):
        at = body.find(field, 0, first)
        if at > 0:
            first = at
    return first


_DIGITS = frozenset("0123456789")


def _declared(event: Declared, shown: Declared) -> bytes:
    body = _as_it_stands.encode(replace(shown, instant=False) if shown.instant else shown)
    return body.replace(b',"said":', b',"instant":true,"said":', 1) if event.instant else body


def _names(said: dict[str, Any]) -> dict[str, Any]:
    return {field: said[field] for field in NAMING if field in said}


@cache
def _closed(kind: type[Event]) -> tuple[bytes, ...]:
    """How the closed fields of a kind begin in its JSON. No open field holds such words: a quote in it is escaped."""
    return tuple(f',"{field}":'.encode() for field in kind.__struct_fields__ if field not in kind.OPEN)


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[KINDS])  # noqa: UP007  `|` cannot join a tuple


def decode(body: bytes | str) -> Event:
    """The event that a body describes.

    Raises msgspec.ValidationError when it is not one.
    """
    try:
        event: Event = _decoder().decode(body)
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None
    except msgspec.DecodeError as error:
        if len(str(error)) <= LONGEST:
            raise
        raise msgspec.ValidationError(f"{str(error)[:LONGEST]} ...") from None
    return event


def decode_all(bodies: Sequence[str]) -> tuple[Event, ...]:
    """The events that some bodies describe. Raises as `decode` does."""
    try:
        return tuple(map(_decoder().decode, bodies))
    except (RecursionError, msgspec.DecodeError):
        return tuple(map(decode, bodies))


def lasts(events: Sequence[Event]) -> bool:
    """Whether an entry holds whatever is undone."""
    return any(event.LASTS for event in events)


def tag(kind: type[Event]) -> str:
    """The kebab-case name under which a kind is recorded."""
    return str(kind.__struct_config__.tag)
