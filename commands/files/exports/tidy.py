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
        for row in self.make(page):
            yield row if at < 0 else (*row, page.person(row[at]))


PLACE: dict[str, type] = {"entry": int, "encounter": int, "round": int, "stands": int}
"""The first columns of each row: its entry, its encounter and round, and 1 if it stands, 0 if not."""


def _place(page: Page) -> Row:
    return page.entry.entry, page.chapter.encounter, page.chapter.round, int(page.stands)


def _verb(page: Page) -> str:
    return str(page.facts[0][1].get("verb", ""))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _entries(page: Page) -> Iterator[Row]:
    entry = page.entry
    yield (
        *_place(page), entry.after, entry.command, entry.origin, entry.recorded_at, entry.by, _verb(page), entry.typed,
        "\n".join(line for one in told(page.events, page.verbs) for line in one.lines),
        entry.program, entry.once, page.digest,
    )  # fmt: skip


def _events(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        yield (*_place(page), nth, fact["event"], fact.get("who"), fact.get("about"), _json(fact))


def _dice(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        if fact["event"] != "rolled":
            continue
        try:
            sides = parse(fact["dice"])[0]
        except AffrayError:
            sides = ()  # a ledger made by hand
        for die, (face, place) in enumerate(zip(fact["faces"], fact["places"], strict=False)):
            source = "program" if place else "typed"
            size = sides[die] if die < len(sides) else None
            yield (
                *_place(page), nth, fact["who"], fact["purpose"], fact["about"], fact["dice"], die + 1, size, face,
                source, place,
            )  # fmt: skip


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
        left, right = (*numbers, None, None)[:2]
        yield (
            *_place(page), nth, fact["clause"], fact["who"], fact["about"],
            left and left["of"], left and left["total"], fact.get("sign", ""),
            right and right["of"], right and right["total"],
            fact.get("outcome"), _json(numbers) if numbers else None,
            ",".join(dict.fromkeys(named)),
        )  # fmt: skip


def _damage(page: Page) -> Iterator[Row]:
    now = AS_DECLARED
    for nth, fact in page.facts:
        if fact["event"] == "passage":
            now = Passage(fact.get("who", ""), fact.get("target", ""))
        if kind := HARM.get(fact["event"]):
            yield (
                *_place(page), nth, fact["who"], kind.WORD, fact.get(kind.AMOUNT) if kind.AMOUNT else 1,
                fact.get(kind.NOW), fact.get("wound", fact.get("kind")), fact.get("place"), _verb(page),
                doer(now, fact["who"]),
            )  # fmt: skip


def _conditions(page: Page) -> Iterator[Row]:
    for nth, fact in page.facts:
        if fact["event"] == "condition-gained":
            yield (
                *_place(page), nth, fact["who"], fact["condition"], "gained", fact.get("until", "removed"),
                fact.get("whose"), fact.get("round"), fact.get("amount"), fact.get("modifies"),
                ", ".join(fact.get("whom", ())) or None,
            )  # fmt: skip
        elif fact["event"] == "condition-ended":
            yield (*_place(page), nth, fact["who"], fact["condition"], "ended", *(None,) * 6)


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


TABLES: dict[str, Relation] = {
    "entries": Relation(
        "each entry, with the lines that tell it",
        {**PLACE, "after": int, "command": int, "origin": int, "recorded_at": str, "by": str, "verb": str,
         "typed": str, "told": str, "program": str, "once": str, "digest": str},
        _entries,
    ),
    "events": Relation(
        "each event, with its fields as JSON",
        {**PLACE, "nth": int, "kind": str, "who": str, "about": str, "body": str},
        _events,
    ),
    "dice": Relation(
        "each die that was thrown",
        {**PLACE, "nth": int, "who": str, "purpose": str, "about": str, "dice": str, "die": int, "sides": int,
         "face": int, "source": str, "place": int},
        _dice,
    ),
    "rulings": Relation(
        "each ruling, with the compared numbers, and each overruled rule",
        {**PLACE, "nth": int, "clause": str, "who": str, "about": str, "left": str, "left_total": int, "sign": str,
         "right": str, "right_total": int, "outcome": str, "numbers": str, "clauses": str},
        _rulings,
    ),
    "damage": Relation(
        "each harm, in its unit",
        {**PLACE, "nth": int, "who": str, "counted": str, "amount": int, "now": int, "wound": str, "body_part": str,
         "verb": str, "dealt_by": str},
        _damage,
    ),
    "conditions": Relation(
        "each condition that began or ended",
        {**PLACE, "nth": int, "who": str, "condition": str, "change": str, "until": str, "whose": str,
         "until_round": int, "amount": int, "modifies": str, "whom": str},
        _conditions,
    ),
    "fighters": Relation(
        "each combatant who is there when an encounter begins, comes, changes or falls",
        {**PLACE, "nth": int, "who": str, "side": str, "change": str, "now": str, "sheet": str},
        _fighters,
    ),
}  # fmt: skip
"""Every table, by name. `nth` is the event's place in its entry, 1 for the declaration."""


def table_named(name: str) -> Relation:
    """The table of that name. Raises UsageError when there is none."""
    if name not in TABLES:
        raise UsageError(f"There is no table {name[:40]!r}.", f"There are: {', '.join(TABLES)}.")
    return TABLES[name]
