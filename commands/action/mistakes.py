"""Explains why a field does not take a value: where the fault is, and what is allowed there."""

import re
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert

_PATTERNS = {
    "^(e?[0-9]{1,12})?$": "an entry, such as e12",
    "^e?[0-9]{1,12}$": "an entry, such as e12",
    "^[0-9a-f]{64}$": "64 hexadecimal digits",
}
"""The patterns of texts, in words."""
_LONGEST = 40
"""The most characters of a value or of a name that are shown."""


def explained(error: ValidationError, kind: Any) -> tuple[str, str]:
    """Where the fault is, such as `weapons[0].damage`, "" for the whole; and what is allowed there, as in
    "it takes a whole number from 0 to 9".
    """
    problem, _, at = str(error).partition(" - at `")
    key, _, of = at.rpartition("key` in `")
    place = (of or at).rstrip("`").removeprefix("$").removeprefix(".")
    hint = _within(kind, place)
    if key or at.startswith("key` in `"):
        return place, f"its names are {allowed(_keys(hint))}"
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", problem, re.S):
        there = f"; there are: {', '.join(_fields(hint))}" if _fields(hint) else ""
        return place, f"it has no field {found[1][:_LONGEST]!r}{there}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", problem):
        return place, f"its field {found[1]} is missing"
    return place, f"it takes {allowed(hint)}" if hint is not None else _translated(problem)


Place = tuple[str | int, ...]
"""The names, and the numbers in lists, that lead to a value."""


def pinpointed(error: ValidationError, kind: Any, data: Any) -> tuple[Place, str]:
    """The same as `explained`, for data that are at hand: it names the key at fault in a mapping, and the field that is
    unknown or missing.
    """
    place, problem = explained(error, kind)
    found: list[str | int] = []
    for name, bracket in _TOKEN.findall(place):
        kind = _within(kind, name or f"[{bracket}]")
        if bracket == "...":
            name = next((key for key, one in data.items() if not _fits(one, kind)), "")
        found.append(name or int(bracket))
        data = data[found[-1]]
    if problem.startswith("its names are"):
        keys = _keys(kind)
        found.append(next((key for key in data if not _fits(key, keys)), ""))
    elif unknown := re.match(r"Object contains unknown field `(.*?)`(?: - at `|$)", str(error), re.S):
        found.append(unknown[1])
    elif missing := re.match(r"Object missing required field `(\w+)`", str(error)):
        found.append(missing[1])
        problem = f"it is missing; it takes {allowed(_within(kind, missing[1]))}"
    return tuple(found), problem


def _fits(value: Any, kind: Any) -> bool:
    try:
        convert(value, kind)
    except ValidationError:
        return False
    return True


def in_words(error: Exception, kind: Any = None) -> str:
    """The same as a clause of a sentence: "hp takes a whole number"; of any other error its own words."""
    if not isinstance(error, ValidationError):
        return str(error)
    place, problem = explained(error, kind)
    if place and problem.startswith("it "):
        return f"{place} {problem.removeprefix('it ')}"
    return f"{place}: {problem}" if place and problem.startswith("its ") else problem


_NAMES = {"int": "a whole number", "str": "a text", "bool": "true or false", "array": "a list", "object": "a table"}
"""Our words for msgspec's names."""


def _translated(problem: str) -> str:
    """What msgspec says of a value whose type is not known here."""
    if found := re.match(r"Expected `([a-z]+)(?: \| null)?`", problem):
        return f"it takes {_NAMES.get(found[1], 'another value')}"
    if found := re.fullmatch(r"Invalid (?:enum )?value (.*)", problem, re.S):
        return f"{found[1][:_LONGEST]} is unknown"
    return problem


def allowed(hint: Any) -> str:
    """What a type takes, in words: "a whole number from 0 to 9", "fists, sword or bow"."""
    metas: list[Meta] = []
    return " or ".join(dict.fromkeys(_allowed(one, metas) for one in _kinds(hint, metas))) or "nothing"


def _kinds(hint: Any, metas: list[Meta]) -> list[Any]:
    """The plain types that a hint stands for; their constraints go into `metas`."""
    origin = get_origin(hint)
    if origin is Annotated:
        inner, *said = get_args(hint)
        metas += [one for one in said if isinstance(one, Meta)]
        return _kinds(inner, metas)
    if origin in (Union, UnionType):
        return [kind for part in get_args(hint) if part is not NoneType for kind in _kinds(part, metas)]
    return [hint]


def _allowed(kind: Any, metas: list[Meta]) -> str:
    origin = get_origin(kind) or kind
    if origin is Literal:
        choices = [str(one).lower() if isinstance(one, bool) else str(one) for one in get_args(kind) if one != ""]
        return " or ".join(filter(None, [", ".join(choices[:-1]), *choices[-1:]]))
    if kind is bool:
        return "true or false"
    if kind is int:
        return f"a whole number{_range(metas)}"
    if kind is str:
        return next((_PATTERNS[one.pattern] for one in metas if one.pattern in _PATTERNS), f"a text{_length(metas)}")
    if origin in (tuple, list, frozenset, set):
        return _list_of(origin, get_args(kind), metas)
    if _is_table(origin):
        return f"a table with the fields {', '.join(_fields(origin))}"
    if origin is dict:
        key, value = get_args(kind) or (str, Any)
        names = allowed(key) if get_origin(key) is Literal else "names"
        return f"{names} with values{'' if value is Any else f', each of them {allowed(value)}'}"
    return "another value"


def _list_of(origin: Any, inner: tuple[Any, ...], metas: list[Meta]) -> str:
    """What a list takes; a tuple of some length takes so many members."""
    parts = [part for part in inner if part is not Ellipsis]
    fixed = origin is tuple and Ellipsis not in inner
    length = f" of {len(parts)}" if fixed else _length(metas, "members")
    alike = len({*parts}) == 1 if fixed else parts
    return f"a list{length}{f', each of them {allowed(parts[0])}' if alike else ''}"


def _range(metas: list[Meta]) -> str:
    least = max((int(one.ge) for one in metas if one.ge is not None), default=None)
    most = min((int(one.le) for one in metas if one.le is not None), default=None)
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    if least is not None:
        return f" of {least:,} or more"
    return f" of {most:,} or less" if most is not None else ""


def _length(metas: list[Meta], of: str = "characters") -> str:
    least = next((one.min_length for one in metas if one.min_length), 0)
    most = next((one.max_length for one in metas if one.max_length), 0)
    if least and most:
        return f" of {least:,} to {most:,} {of}"
    if least:
        return f" of {least:,} or more {of}"
    return f" of at most {most:,} {of}" if most else ""


_TOKEN = re.compile(r"([A-Za-z_]\w*)|\[(\d+|\.\.\.)\]")
"""A step of a place: the name of a field, or what stands in brackets."""


def _within(kind: Any, place: str) -> Any:
    """The type at a place inside a value; None when it is not known."""
    for name, bracket in _TOKEN.findall(place):
        inner = (_step(one, name, bracket) for one in _kinds(kind, []))
        kind = next((one for one in inner if one is not None), None)
        if kind is None:
            return None
    return kind


def _keys(kind: Any) -> Any:
    """The type of the names in a mapping; None when that cannot be told."""
    return next((get_args(one)[0] for one in _kinds(kind, []) if get_origin(one) is dict), None)


def _step(kind: Any, name: str, bracket: str) -> Any:
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if name:
        if not _is_table(origin):
            return None
        attributes = dict(zip(origin.__struct_encode_fields__, origin.__struct_fields__, strict=True))
        return get_type_hints(origin, include_extras=True).get(attributes.get(name, name))
    if origin is dict:
        return parts[1] if parts else None
    if origin is tuple and Ellipsis not in parts:
        return {str(nth): part for nth, part in enumerate(parts)}.get(bracket)
    return parts[0] if parts else None


def _fields(hint: Any) -> list[str]:
    return next(([*kind.__struct_encode_fields__] for kind in _kinds(hint, []) if _is_table(kind)), [])


def _is_table(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)


def structs_in(hint: Any) -> list[type[Struct]]:
    """The tables with fields of their own that a type holds: itself, the members of a list, the values of a mapping."""
    found: list[type[Struct]] = []
    for kind in _kinds(hint, []):
        if _is_table(kind):
            found.append(kind)
        else:
            found += [part for inner in get_args(kind) if inner is not Ellipsis for part in structs_in(inner)]
    return found
