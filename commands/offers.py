"""Offers: the way on after a refusal. Each command is tried first, so that none is refused in turn."""

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from ledger.errors import AffrayError

from . import systems
from .declaration import Declaration, Shape, shapes
from .dice_sources import Stream
from .resolution import Again, Offer, Offers, Resolution, carry_out

ANY_DICE = bytes(32)
"""The key of the dice with which an offer is tried; what they show is not recorded."""


def worded(fight: Resolution, ways: Offers) -> str:
    """The first of the ways that works, as it is typed; "" when none does.

    Of ways that stand together in a list all that work are offered, each on a line. A text always works.
    """
    for way in ways:
        if isinstance(way, str):
            return way
        several = way if isinstance(way, list) else [way]
        if lines := [line for one in several if (line := _tried(fight, *one))]:
            return "\n".join(lines)
    return ""


def _tried(fight: Resolution, verb: str, said: dict[str, Any], allow: str = "") -> str:
    """The command, if it is not refused in the state from which the refused action began."""
    try:
        _, kind = systems.procedure(systems.find_verb(fight.state.campaign.system, verb))
        declaration = msgspec.convert(said, kind)
        dice = Stream(ANY_DICE, 0)
        carry_out(Resolution(fight.before, verb, declaration, dice, allow, trying=True), dice)
    except Again:
        return ""
    except (AffrayError, msgspec.ValidationError):
        return ""
    return typed(verb, declaration, allow)


def typed(verb: str, declaration: Declaration, allow: str = "") -> str:
    """A declaration as the command that makes it."""
    arguments, options = ["affray", verb], []
    for field, shape in shapes(type(declaration)):
        value = getattr(declaration, field.name)
        if field.required or (shape.positional and value != field.default):
            arguments += _words(shape, value)
        elif value != field.default:
            name = field.name.rstrip("_").replace("_", "-")
            if shape.base is bool:
                options.append(f"--{name}" if value else f"--no-{name}")
            else:
                options += [part for word in _words(shape, value) for part in (f"--{name}", word)]
    return shlex.join([*arguments, *options, *(("--allow", allow) if allow else ())])


def _words(shape: Shape, value: Any) -> Iterator[str]:
    if shape.word in ("fighters", "blows"):
        yield ",".join(value)
    elif shape.many:
        assert shape.inner is not None
        for one in value:
            yield from _words(shape.inner, one)
    elif shape.word == "square":
        yield ",".join(map(str, value if value[2] else value[:2]))
    elif shape.base is dict:
        for name, one in value.items():
            yield f"{name}={one}"
    else:
        yield str(value)


def read(fight: Resolution, command: str) -> Offer:
    """The way on that a command says, with every name and option in full."""
    _, verb, *words = shlex.split(command)
    _, kind = systems.procedure(systems.find_verb(fight.state.campaign.system, verb))
    fields = {field.name.rstrip("_").replace("_", "-"): (field, shape) for field, shape in shapes(kind)}
    arguments = [(field, shape) for field, shape in fields.values() if field.required or shape.positional]
    said: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word == "--allow":
            return verb, said, next(rest)
        field, shape = fields[word.removeprefix("--")] if word.startswith("--") else arguments.pop(0)
        if word.startswith("--"):
            word = "" if shape.base is bool else next(rest)
        many = word.split(",") if shape.word in ("fighters", "blows") else [word]
        said[field.name] = not field.default if shape.base is bool else many if shape.many else word
    return verb, said
