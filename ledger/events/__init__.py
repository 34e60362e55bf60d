"""The vocabulary: everything that can be recorded. Closed, and shared by all rule systems.

`docs/vocabulary.md` lists every kind with its fields; a test keeps that page equal to this code.
"""

from functools import cache
from typing import Any, Union

import msgspec

from .campaign import *
from .encounter import *
from .harm import *
from .positions import *
from .roster import *
from .words import *
from .words import Event

KINDS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event, in the order of the documentation: `words` first, because the others build on it; then by
file."""

LONGEST = 200
"""The most characters of what is wrong with a body: it may repeat much of it."""
_encoder = msgspec.json.Encoder(order="deterministic")


def encode(event: Event) -> bytes:
    """The canonical JSON of an event: fields in their order, mappings sorted, no spaces, defaults left out."""
    return _encoder.encode(event)


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


def tag(kind: type[Event]) -> str:
    """The kebab-case name under which a kind is recorded."""
    return str(kind.__struct_config__.tag)
