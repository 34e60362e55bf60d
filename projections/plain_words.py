"""Any event or value in words, as far as nothing better is known of it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct, json

from ledger.events import Event, tag


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
