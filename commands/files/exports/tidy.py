"""Tidy tables of the record, for spreadsheets and data frames."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from commands.seen.record import Page, Present, moved
from ledger.dice import parse
from ledger.errors import AffrayError, UsageError
from ledger.events import EncounterBegan, Felled, Joined, Left, Passage, Renamed, Rose, SideChanged
from ledger.hurting import HARM
from projections.narration import told
from projections.passages import AS_DECLARED, doer

Cell = int | str | None
Row = tuple[Cell, ...]


class Relation(Struct, frozen=True):
    """A table: its columns with their types, and the rows that an entry has in it."""

    summary: str
    own: dict[str, type]
    """Its columns but the last one of a table about somebody: which person `who` is, whatever they are called."""
    make: Callable[[Page], Iterator[Row]]

    @property
    def columns(self) -> dict[str, type]:
        """All columns."""
        return {**self.own, "person": str} if "who" in self.own else self.own

    def rows(self, page: Page) -> Iterator[Row]:
        """The rows of an entry."""
        at = [*self.own].index("who") if "who" in self.own else -1
        yield from (row if at < 0 else (*row, page.person(row[at])) for row in self.make(page))


def columns(words: str) -> dict[str, type]:
    """The columns of a table. Those of numbers begin with #."""
    return {word.lstrip("#"): int if word[0] == "#" else str for word in words.split()}


PLACE = columns("#entry #encounter #round #stands")
"""The first columns of each row: its entry, its encounter and round, and 1 if it stands, 0 if not."""


def _place(page: Page) -> Row:
    return page.entry.entry, page.chapter.encounter, page.chapter.round, int(page.stands)


def _said(fact: Mapping[str, Any], fields: str) -> Row:
    """Those fields of an event; None for what it does not say."""
    return tuple(map(fact.get, fields.split()))


def _verb(page: Page) -> str:
    return str(page.facts[0][1].get("verb", ""))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _entries(page: Page) -> Iterator[Row]:
    entry = page.entry
    lines = "\n".join(line for one in told(page.events, page.verbs) for line in one.lines)
    when = entry.after, entry.command, entry.origin, entry.recorded_at
    yield (*_place(page), *when, entry.by, _verb(page), entry.typed, lines, entry.program, entry.once, page.digest)


def _events(page: Page) -> Iterator[Row]:
    yield from ((*_place(page), nth, *_said(fact, "event who about"), _json(fact)) for nth, fact in page.facts)


def _dice(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        if fact["event"] != "rolled":
            continue
        try:
            sides = parse(fact["dice"])[0]
        except AffrayError:
            sides = ()  # a ledger made by hand
        throw = (*_place(page), nth, *_said(fact, "who purpose about dice"))
        for die, (face, place) in enumerate(zip(fact["faces"], fact["places"], strict=False)):
            size = sides[die] if die < len(sides) else None
            yield (*throw, die + 1, size, face, "program" if place else "typed", place)


def _rulings(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        if fact["event"] == "overruled":
            clause = fact["clause"]
            yield (*_place(page), nth, clause, *(None,) * 7, "overruled", None, clause)
        if fact["event"] != "ruled":
            continue
        numbers = fact.get("numbers", [])
        steps = [step for number in numbers for step in number["steps"]]
        named = [fact["clause"], *fact.get("also", ()), *(step["clause"] for step in steps if "clause" in step)]
        left, right = (_said(number, "of total") for number in (*numbers, {}, {})[:2])
        end = fact.get("outcome"), _json(numbers) if numbers else None, ",".join(dict.fromkeys(named))
        yield (*_place(page), nth, *_said(fact, "clause who about"), *left, fact.get("sign", ""), *right, *end)


def _damage(page: Page) -> Iterator[Row]:
    now = AS_DECLARED
    for nth, fact in page.facts:
        if fact["event"] == "passage":
            now = Passage(fact.get("who", ""), fact.get("target", ""))
        if kind := HARM.get(fact["event"]):
            who = fact["who"]
            harm = kind.WORD, fact.get(kind.AMOUNT) if kind.AMOUNT else 1, fact.get(kind.NOW)
            wound = fact.get("wound", fact.get("kind")), fact.get("place")
            yield (*_place(page), nth, who, *harm, *wound, _verb(page), doer(now, who))


def _conditions(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        begins = (*_place(page), nth, *_said(fact, "who condition"))
        if fact["event"] == "condition-gained":
            how = _said(fact, "whose round amount modifies")
            yield (*begins, "gained", fact.get("until", "removed"), *how, ", ".join(fact.get("whom", ())) or None)
        elif fact["event"] == "condition-ended":
            yield (*begins, "ended", *(None,) * 6)


def _fighters(page: Page) -> Iterator[Row]:
    there = page.there
    for event, (nth, fact) in zip(page.events, page.facts, strict=True):
        there = moved(there, event)
        match event:
            case EncounterBegan():
                for who, one in there.items():
                    if one.up:
                        yield (*_place(page), nth, who, one.side, "present", None, None)
            case Joined(who=who, side=side):
                yield (*_place(page), nth, who, side, "joined", None, _json(fact["sheet"]) if "sheet" in fact else None)
            case Felled(who=who, how=how):
                yield (*_place(page), nth, who, _side(page, there, who), "felled", how, None)
            case Renamed(who=who, name=name):
                yield (*_place(page), nth, who, _side(page, there, name), "renamed", name, None)
            case SideChanged(who=who) | Rose(who=who) | Left(who=who):
                yield (*_place(page), nth, who, _side(page, there, who), fact["event"], None, None)


def _side(page: Page, there: Mapping[str, Present], who: str) -> str | None:
    """The side of somebody, also of somebody who has just left."""
    found = there.get(who) or page.there.get(who)
    return found.side if found else None


def _relation(summary: str, own: str, make: Callable[[Page], Iterator[Row]]) -> Relation:
    return Relation(summary, {**PLACE, **columns(own)}, make)


TABLES = {
    "entries": _relation(
        "each entry, with the lines that tell it",
        "#after #command #origin recorded_at by verb typed told program once digest",
        _entries,
    ),
    "events": _relation("each event, with its fields as JSON", "#nth kind who about body", _events),
    "dice": _relation("each die that was thrown", "#nth who purpose about dice #die #sides #face source #place", _dice),
    "rulings": _relation(
        "each ruling, with the compared numbers, and each overruled rule",
        "#nth clause who about left #left_total sign right #right_total outcome numbers clauses",
        _rulings,
    ),
    "damage": _relation(
        "each harm, in its unit", "#nth who counted #amount #now wound body_part verb dealt_by", _damage
    ),
    "conditions": _relation(
        "each condition that began or ended",
        "#nth who condition change until whose #until_round #amount modifies whom",
        _conditions,
    ),
    "fighters": _relation(
        "each combatant who is there when an encounter begins, comes, changes or falls",
        "#nth who side change now sheet",
        _fighters,
    ),
}
"""Every table, by name. `nth` is the event's place in its entry, 1 for the declaration."""


def table_named(name: str) -> Relation:
    """The table of that name. Raises UsageError when there is none."""
    if name not in TABLES:
        raise UsageError(f"There is no table {name[:40]!r}.", f"There are: {', '.join(TABLES)}.")
    return TABLES[name]
