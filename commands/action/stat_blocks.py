"""Stat blocks in play: somebody at the table gets another one."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Raw
from msgspec.structs import FieldInfo, replace

from ledger.events import SheetChanged, whose

from . import rulebook
from .common import read_sheet
from .declaration import Declaration, Fighter, Mapping, SheetFile, changed, says
from .resolution import Resolution, about


class SheetSet(Declaration):
    """Give somebody at the table another stat block, for a new level or a new item.

    Harm, conditions, gear in hand, place, side, name and history stay. Hit points are capped at the new maximum.
    Gear that the new stat block does not name is put away; they still carry it. New gear that it has ready is put on
    where there is room.
    Hit points, wounds and a place on the stat block count only on joining.
    """

    who: Annotated[Fighter, says("Who gets it.")]
    sheet: Annotated[SheetFile, says("A TOML file, or the name of one that comes with the rules.")]


def sheet_set(fight: Resolution, said: SheetSet) -> None:
    """Checks the stat block by the rules of its system, records it with the old one, and what follows."""
    rules, who = rulebook.of(fight.state.campaign.system).sheet, said.who
    before = fight.sheet(who)
    named = replace(read_sheet(fight.state.campaign.system, said.sheet), name=before.name)
    sheet = rules.keep(fight, who, named)
    if sheet == before:
        fight.impossible(f"Nothing would change: {who} already has that stat block.")
    with about(sheet=0):
        _change(fight, who, sheet, named)


def _change(fight: Resolution, who: str, sheet: Any, named: Any) -> None:
    """Somebody has another stat block, in which these things are named: checks and records it, and what follows."""
    rules = rulebook.of(fight.state.campaign.system).sheet
    before, raw = fight.sheet(who), fight.state.roster.members[who].sheet
    rules.check(fight, who, named)
    fight.record(SheetChanged(who, raw, Raw(msgspec.json.encode(sheet, order="deterministic"))))
    rules.changes(fight, who, before, named)


# One value


def set_value(fight: Resolution, who: str, field: str, value: str) -> bool:
    """Sets a field of somebody's stat block, one within it as `skills.climb`, or one of an item as `sword.attack`.
    Whether there is such a field. Raises UsageError when it does not take the value.
    """
    sheet = fight.sheet(who)
    data = msgspec.to_builtins(sheet)
    place = _place(sheet, data, field)
    if not place:
        return False
    row: Any = data
    for key in place[:-1]:
        row = row.setdefault(key, {}) if isinstance(row, dict) else row[key]
    row[place[-1]] = _read(value, _now(sheet, place))
    try:
        new = msgspec.convert(data, type(sheet))
    except msgspec.ValidationError as error:
        from .mistakes import explained

        _, problem = explained(error, type(sheet))
        fight.impossible(f"{whose(who)} {field} cannot be {value[:40]!r}: {problem}.")
    if new != sheet:
        _change(fight, who, new, new)
    return True


def _place(sheet: Any, data: Mapping, field: str) -> tuple[str | int, ...]:
    """Where in a stat block a field stands; () where it has none of that name, or one that holds others."""
    first, dot, rest = field.partition(".")
    found = _field(sheet, first)
    held = getattr(sheet, found.name) if found else None
    if found and not dot:
        return () if isinstance(held, dict | tuple | list | msgspec.Struct) else (found.encode_name,)
    if found and isinstance(held, msgspec.Struct):
        inner = _field(held, rest)
        return (found.encode_name, inner.encode_name) if inner else ()
    if found and isinstance(held, dict):
        keys = (*held, *_closed_keys(found.type))
        return found.encode_name, next((key for key in keys if key.casefold() == rest), rest)
    for one in msgspec.structs.fields(sheet) if dot else ():
        for key, row in _rows(getattr(sheet, one.name)):
            name = key if isinstance(key, str) else str(getattr(row, "name", "") or getattr(row, "id", ""))
            if name.casefold() == first and (inner := _field(row, rest)):
                return one.encode_name, key, inner.encode_name
    return ()


def _closed_keys(kind: Any) -> tuple[str, ...]:
    """The only keys that a table of a stat block takes, such as DEX; none where it takes any."""
    keys = (get_args(kind) or ("",))[0]
    return tuple(filter(None, get_args(keys))) if get_origin(keys) is Literal else ()


def _rows(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The rows of a list or table of a stat block, with their keys."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple | list) else ()
    yield from ((key, row) for key, row in pairs if isinstance(row, msgspec.Struct))


def _field(row: Any, word: str) -> FieldInfo | None:
    """The field of a row that a word names as files do; None for none."""
    sought = word.replace("-", "_")
    return next((one for one in msgspec.structs.fields(row) if one.encode_name.casefold() == sought), None)


def _now(sheet: Any, place: tuple[str | int, ...]) -> Any:
    """What stands at a place of a stat block now, with what is meant by default; None for nothing."""
    row = sheet
    for key in place:
        if isinstance(row, msgspec.Struct):
            row = next(getattr(row, one.name) for one in msgspec.structs.fields(row) if one.encode_name == key)
        else:
            row = row.get(key) if isinstance(row, dict) else row[int(key)]
    return row


def _read(word: str, now: Any) -> Any:
    """What a word means where something stands now: a number, true or false, or a text."""
    said = word.strip()
    if isinstance(now, bool):
        return {"true": True, "yes": True, "false": False, "no": False}.get(said.casefold(), said)
    relative = said.startswith("+") or said.casefold().startswith("by ")
    if not isinstance(now, str) and (relative or said.removeprefix("-").isdecimal()):
        return changed(said, now or 0)
    return said
