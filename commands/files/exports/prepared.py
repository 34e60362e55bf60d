"""A prepared encounter: the board as an encounter file, with which `begin --from` sets the same board again.

It holds who is there, with their harm and gear as the stat blocks can say them, their places, and the ground; not what
lasts only for a time, such as effects, and not those who are down. `docs/encounters.md` says more.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import IO, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import rulebook, systems
from commands.action.common import Join
from commands.action.view import View, sheet_decoder
from commands.files.sheets import assigned, commented
from commands.seen.record import Record
from commands.words.encounter_files import begin_of, row_of
from commands.words.sheet_files import example_sheets, read_sheet
from ledger.errors import UsageError

_HEAD = """\
# {what} as it stood after e{entry}, for {title}: affray begin --from FILE sets this board again.
"""
_PARTY = "# They always come: those who are at the table already do not join again."


class _Newcomer(Struct, frozen=True):
    """Somebody who will join, and how."""

    list: str
    """`party` or `join`."""
    sheet: str | dict[str, Any]
    """The name of a stat block that comes with the rules, or the fields of its own."""
    name: str
    """The name in the stat block."""
    join: Join
    """How: its name, its place and so on, without the stat block."""
    base: str = ""
    """What stands before the number of its name; "" where it has none."""
    number: int = 0

    @property
    def alike(self) -> tuple[Any, ...]:
        """What those have in common who join together: everything but numbers and places."""
        join = self.join
        sheet = self.sheet if self.base else isinstance(self.sheet, str) and not join.called and not join.seen_as
        alone = "" if self.base or sheet else join.called
        return self.list, self.base, sheet, alone, join.seen_as, join.side, join.group, bool(join.at), bool(join.area)


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the file. Raises UsageError when nobody is at the table."""
    view = View(record.present())
    state, system = view.state, record.campaign.system
    if not state.roster.order:
        raise UsageError("Nobody is at the table, so there is no encounter to write.")
    kind: Any = begin_of(system) if "begin" in systems.load(system).verbs else None
    if not hasattr(kind, "as_it_stands"):
        raise UsageError(f"{record.title} has no prepared encounters.")
    what = " ".join((state.encounter.name or "The board").split())
    lines = [_HEAD.format(what=what, entry=record.head.entry, title=record.title).rstrip()]
    down = [f"{who} ({state.harm.down[who].how})" for who in state.roster.order if not state.stands(who)]
    lines += commented(f"Left out, because they are down: {', '.join(down)}.") if down else []
    begin = row_of(kind, msgspec.to_builtins(kind.as_it_stands(view)))
    lines += [assigned(key, value) for key, value in begin.items()]
    before = ""
    for listed, row in _rows(list(_newcomers(view, system))):
        lines += ["", *([_PARTY] if listed == "party" != before else []), *_table(listed, row)]
        before = listed
    for verb, declaration in kind.ground_as_it_stands(view):
        lines += ["", *_table(verb, row_of(type(declaration), msgspec.to_builtins(declaration)))]
    codecs.getwriter("utf-8")(file).write("\n".join([*lines, ""]))


def _table(key: str, row: dict[str, Any]) -> Iterator[str]:
    """A part of the file. A stat block of its own stands below it."""
    yield f"[[{key}]]"
    for name, value in row.items():
        if not isinstance(value, dict):
            yield assigned(name, value)
    for name, value in row.items():
        if isinstance(value, dict):
            yield from ("", f"[{key}.{name}]")
            yield from (assigned(field, list(one) if isinstance(one, tuple) else one) for field, one in value.items())


def _newcomers(view: View, system: str) -> Iterator[_Newcomer]:
    """Everybody who stands: the players' sides first, in the order of joining."""
    state, players = view.state, systems.players_sides(view.state)
    shipped = {}
    for name, path in sorted(example_sheets(system).items()):
        sheet = msgspec.convert(read_sheet(path, system), sheet_decoder(system).type)
        shipped[_encoded(_plain(sheet, "area", "group"))] = name, sheet
    standing = [who for who in state.roster.order if state.stands(who)]
    for who in sorted(standing, key=lambda who: state.roster.members[who].side not in players):
        yield _newcomer(view, who, shipped, "party" if state.roster.members[who].side in players else "join")


def _newcomer(view: View, who: str, shipped: dict[bytes, tuple[str, Any]], listed: str) -> _Newcomer:
    """How one of those on the board joins."""
    rules, member = rulebook.of(view.state.campaign.system).sheet, view.state.roster.members[who]
    sheet = rules.as_it_stands(view, who)
    name, base = shipped.get(_encoded(_plain(sheet, "area", "group")), ("", _plain(sheet, "area")))
    area, group = view.state.areas.at.get(who, "") if view.state.areas.names else "", getattr(sheet, "group", "")
    truly, place = member.truly or who, view.state.positions.at.get(who)
    join = Join(
        (),
        called="" if truly == sheet.name else truly,
        seen_as=who if member.truly else "",
        side="" if member.side == rules.side(sheet) else member.side,
        at=() if place is None else (place,),
        area="" if area == getattr(base, "area", "") else area,
        group="" if group == getattr(base, "group", "") else group,
    )
    stem, _, digits = join.called.rpartition("-")
    if member.truly or not stem or not re.fullmatch("[1-9][0-9]{0,3}", digits):
        stem, digits = "", "0"
    return _Newcomer(listed, name or msgspec.to_builtins(base), sheet.name, join, stem, int(digits))


def _plain(sheet: Any, *names: str) -> Any:
    """A stat block without some fields, which `[[join]]` says."""
    fields = [field for field in msgspec.structs.fields(type(sheet)) if field.name in names]
    return replace(sheet, **{field.name: field.default for field in fields})


def _encoded(sheet: Any) -> bytes:
    return msgspec.json.encode(sheet, order="deterministic")


def _rows(newcomers: Sequence[_Newcomer]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of the file: those who differ in nothing but number and place join together."""
    for _, group in groupby(newcomers, lambda one: one.alike):
        several = list(group)
        first = several[0]
        in_order = [one.number for one in several] == [*range(1, len(several) + 1)]
        if first.base and not (in_order and several[1:]):
            for one in several:
                yield one.list, _row([one.sheet], [one], one.join.called, 1)
        elif first.base:
            called = "" if first.name == first.base else first.base
            yield first.list, _row([first.sheet], several, called, len(several))
        else:
            yield first.list, _row([one.sheet for one in several], several, first.join.called, 1)


def _row(sheets: list[Any], several: Sequence[_Newcomer], called: str, count: int) -> dict[str, Any]:
    """A part of the file: several of one stat block, or one each of several."""
    areas = [one.join.area for one in several]
    join = replace(
        several[0].join,
        called=called,
        count=count,
        at=tuple(square for one in several for square in one.join.at),
        area=areas[0] if len(set(areas)) == 1 else "/".join(areas),
    )
    said = {name: value for name, value in msgspec.to_builtins(join).items() if name != "sheets"}
    return {"sheet": sheets if sheets[1:] else sheets[0], **row_of(Join, said)}
