"""Precedents: the list of disputes and decisions, and the checks that need the whole ledger."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from commands.action import cards
from commands.action.book import Book, events_of
from commands.action.declaration import Declaration, number, says
from commands.action.dispute import Assert, Dispute, Settle
from commands.action.values import agree, meant, on_board
from commands.past.course import changes_of_course, in_its_place, renumbered
from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.width import wrapped
from ledger.chain import Entry
from ledger.errors import Disagreement
from ledger.events import Declared, DisputeOpened, DisputeSettled, Event, decode, tag
from projections.changes import values
from projections.declarations import headline

from .show import struck
from .timeline import changes, names_ever, origins

_SHOWN = 8
"""The most entries that are named when a sheet differs."""


def check(book: Book, said: Declaration) -> tuple[Declaration, tuple[str, ...]]:
    """The declaration, with every value named in full and the entry that stands now, and notes about that. Raises
    NameUnknown when there is no such entry or value, UsageError when nothing stands in the place of an entry,
    Disagreement when the sheet differs.
    """
    match said:
        case Dispute(entry=word) | Settle(entry=word):
            entry = number(word) if isinstance(said, Settle) else book.check_entry(number(word))
            place = _disputed(book, entry, open_only=isinstance(said, Settle))
            return (replace(said, entry=f"e{place}"), (renumbered(entry, place),)) if place != entry else (said, ())
        case Assert():
            return _compared(book, said), ()
    return said, ()


def _disputed(book: Book, entry: int, open_only: bool) -> int:
    """The entry that a dispute about an entry is about: one in dispute that holds the same action; else, unless
    `open_only`, the one that stands.
    """
    head, state = book.present()
    origin = origins(book.store, head.entry)
    for case in state.disputes.open:
        if origin.get(case.entry, case.entry) == origin.get(entry, entry):
            return entry if state.disputes.of(entry) else case.entry
    if open_only or changes_of_course(book.store, entry) or entry in book.store.lasting(entry - 1):
        return entry
    return in_its_place(book.store, head.entry, entry)


def _compared(book: Book, said: Assert) -> Assert:
    head, state = book.present()
    board = values(state)
    name = meant(board, said.name, lambda: names_ever(book, head.entry, "assert"))
    value = on_board(state, board, name)
    if agree(value, said.value):
        return replace(said, name=name)
    touched, agreed = [], ""
    for change in changes(book, head.entry, {name}, "assert"):
        if change.agreement:
            agreed = f"e{change.transition.entry.entry}"
            break
        touched.append(f"e{change.transition.entry.entry} ({change.old} -> {change.new})")
        if change.old == "-":
            break
    named = ", ".join(touched[:_SHOWN]) + (f" and {len(touched) - _SHOWN} before" if len(touched) > _SHOWN else "")
    since = f"These entries changed it: {named}" if named else "No entry has changed it"
    if agreed:
        since = f"They agreed at {agreed}; since then {named or 'nothing'} changed it"
    raise Disagreement(
        f"{name} is {value} on the board, not {said.value[:40]}. {since}.",
        f"affray why {name}\nIf the sheet is right: adjust {name.replace('.', ' ')} {said.value[:40]}, with a reason.",
    )


class Disputes(Declaration):
    """List the open disputes, and the settled ones by clause."""

    clause: Annotated[str, says("Only about this clause, or a part of its id.", word="clause", positional=True)] = ""


class DisputeRecord(Struct, frozen=True):
    """A dispute, from its beginning to its end."""

    entry: int
    """The entry in dispute."""
    why: str
    by: str
    opened: int
    """The entry that opened it."""
    status: str = "open"
    """open, stands, amended, or "taken back" when its opening was undone."""
    closed: int | None = None
    """The entry that settled it."""
    reasons: str = ""
    stands: bool = True
    """Whether the entry in dispute still stands."""
    again: int | None = None
    """The entry that stands now for the same action, if that was resolved again."""
    headline: str = ""
    """What was declared there."""
    clauses: tuple[str, ...] = ()
    """The clauses of that entry's rulings."""


def disputes(console: Console, said: Disputes) -> None:
    """Prints the open disputes first, then the settled ones, clause by clause."""
    found = [case for case in dispute_records(console.book) if any(said.clause in one for one in case.clauses or ("",))]
    if said.clause and not found:
        from .clauses import check_clause

        check_clause(console.book, said.clause)
    if console.json:
        for case in found:
            console.give(case)
        return
    if not found:
        console.whisper(f"There is no dispute about {said.clause}." if said.clause else "There are no disputes.")
    for case in found:
        if case.status in ("open", "taken back"):
            _tell(console, case, "")
    _tell_settled(console, [case for case in found if case.status in ("stands", "amended")], said.clause)


def _tell_settled(console: Console, settled: Sequence[DisputeRecord], sought: str) -> None:
    """Prints settled disputes under each clause that they are about."""
    for clause in sorted({clause for case in settled for clause in case.clauses or ("",)}):
        if sought in clause:
            console.say(console.paint(clause or "no clause", "1"))
            for case in settled:
                if clause in (case.clauses or ("",)):
                    _tell(console, case, "  ")


def _tell(console: Console, case: DisputeRecord, indent: str) -> None:
    gone = f" (now e{case.again})" if case.again else " (undone)" if case.headline else " (not in this ledger)"
    standing = "" if case.stands else gone
    how = "disputed" if case.reasons else case.status
    words = f"{indent}e{case.entry}{standing} {how}: {case.why}  e{case.opened} {case.by}".rstrip()
    stands, hanging = case.status != "taken back", f"{indent}      "
    for line in wrapped(harmless(words), console.width - (0 if stands else len("~~~~")), hanging):
        console.say(struck(console, line, stands))
    if case.headline:
        console.say(harmless(f"{indent}    {case.headline}"), hanging=hanging)
    if case.reasons:
        console.say(harmless(f"{indent}    {case.status}: {case.reasons}  e{case.closed}"), hanging=hanging)
    elif case.clauses:
        console.say(harmless(f"{indent}    ruled there: {', '.join(case.clauses)}"), hanging=hanging)


def dispute_records(book: Book) -> list[DisputeRecord]:
    """All disputes, also those taken back, in the order of opening. A dispute that was resolved again stands in several
    courses and counts as one.
    """
    store = book.store
    head = store.head().entry
    course = list(store.course(head))
    origin = origins(store, head)
    found: dict[int, DisputeRecord] = {}
    for entry, body in store.of_kinds(tag(DisputeOpened), tag(DisputeSettled)):
        event, stands = decode(body), _within(entry, course)
        if isinstance(event, DisputeOpened):
            if found.get(origin.get(entry, entry)) is None or stands:
                found[origin.get(entry, entry)] = _opened(book, entry, event, stands)
        elif isinstance(event, DisputeSettled) and stands:
            for key, case in found.items():
                if case.entry == event.entry and case.status == "open":
                    found[key] = replace(case, status=event.how, closed=entry, reasons=event.why)
    again = {origin[entry]: entry for entry in origin if _within(entry, course)}
    return [
        replace(case, stands=_within(case.entry, course), again=again.get(origin.get(case.entry, case.entry)))
        for case in found.values()
    ]


def _opened(book: Book, entry: int, event: DisputeOpened, stands: bool) -> DisputeRecord:
    by, status = book.store.entry(entry).by, "open" if stands else "taken back"
    record = DisputeRecord(event.entry, event.why, by, entry, status)
    for disputed, _ in book.store.entries(event.entry, event.entry):
        events = events_of(disputed)
        clauses = dict.fromkeys(clause for event in events for clause in event.clauses)
        record = replace(record, headline=told(disputed, events, book.verbs), clauses=tuple(clauses))
    return record


def _within(entry: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= entry <= last for first, last in ranges)


def told(entry: Entry, events: Sequence[Event], verbs: Mapping[str, cards.Verb]) -> str:
    """An entry in a few words: what somebody declared, or the words as typed where nobody in particular did. An entry
    that resolves an action again shows the action, because its words are those of the amendment.
    """
    declared = events[0]
    card = verbs.get(declared.verb) if isinstance(declared, Declared) else None
    done_to = bool(card and card.passive)
    whose = done_to or (isinstance(declared, Declared) and isinstance(declared.said.get("who"), str))
    return headline(declared, verbs) if whose or not entry.typed or entry.origin != entry.entry else entry.typed
