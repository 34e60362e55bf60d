"""Audit: the whole record checked, without trusting anything but its first line."""

from collections import OrderedDict
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ledger import dice
from ledger.chain import GENESIS, Entry
from ledger.chain import digest as link
from ledger.errors import AffrayError, LedgerDamaged
from ledger.events import CampaignBegan, Declared, Event, Rolled, TableSet, decode, encode
from projections.state import VERSION, State, fold

from . import systems
from .amending import Amendment, carried_out, entries, plan
from .book import Book, Written, events_of
from .declaration import Declaration
from .desk import Desk
from .dice_sources import Recorded
from .history import Redo, Undo, is_entry, jump
from .instants import answer
from .progress import watched
from .resolution import resolve

KEPT = 64
"""States kept in memory while the record is read; older ones are folded again when an entry stands after them."""


class Verify(Declaration):
    """Check the whole record: its chain, its dice, its checkpoints, and every rule anew. Prints the head line, to
    keep or to compare.
    """

    head: Annotated[str, Meta(description="A head line from before: the record must still hold that very entry.")] = ""


class Audit(Struct, frozen=True):
    """What an audit found to be sound."""

    entries: int
    events: int
    dice: int
    head: str
    """The head line."""
    state: str
    """Digest of the state at the head."""


def verify(desk: Desk, said: Verify) -> None:
    """Audits, and says what was found. Raises LedgerDamaged at the first thing that is not as it should be."""
    found = audit(desk.book)
    if said.head:
        _check_head(desk.book, said.head)
    if desk.json:
        desk.give(found)
        return
    desk.say(
        f"Sound: {found.entries} entries in one chain, {found.events} events resolved again to the same bytes,"
        f" {found.dice} dice where the stream has them."
    )
    desk.say(f"state {found.state}")
    desk.say(found.head)


def head_line(entry: int, digest: str) -> str:
    """The line that stands for a whole record: whoever keeps it can tell later whether anything before it changed."""
    return f"affray e{entry} {digest}"


def _check_head(book: Book, line: str) -> None:
    words = line.split()
    if len(words) != 3 or words[0] != "affray" or not is_entry(words[1]):
        raise LedgerDamaged("That is not a head line.", "It looks like: affray e12 0123abcd... (64 digits)")
    entry = int(words[1][1:])
    last = book.store.head().entry
    if not 1 <= entry <= last:
        raise LedgerDamaged(f"The record is shorter than it was: it ends with e{last}, the head line names e{entry}.")
    for _, digest in book.store.entries(entry, entry):
        if digest != words[2]:
            raise LedgerDamaged(f"The record is another one: its e{entry} has the digest {digest}.")


def audit(book: Book) -> Audit:
    """Checks everything. Raises LedgerDamaged at the first thing that is not as it should be.

    The chain: every digest follows from the entry and the digest before. The dice: every face of the stream is what
    the key gives at its place, and each place comes right after the one before. The rules: every declaration,
    resolved again from the state that its entry stands after, with its own dice, gives the same events to the byte,
    and every jump leads where its words say. The checkpoints: each sound one holds the state that the events make.
    """
    store = book.store
    commitment, key = store.key()
    if dice.commitment(key) != commitment:
        raise LedgerDamaged("The key of the dice is not the one that the campaign is committed to.")
    states: OrderedDict[int, State] = OrderedDict({0: State()})
    checkpoints = set(store.checkpoints())
    previous, drawn, events_read = GENESIS, 0, 0
    head = store.head().entry
    expected = 1
    command, group = 0, dict[int, Written]()
    for entry, digest in watched(store.entries(1, head), head, "verify"):
        at = f"e{entry.entry}"
        if entry.entry != expected:
            raise LedgerDamaged(f"e{expected} is missing.")
        if link(previous, entry) != digest:
            raise LedgerDamaged(f"{at} is not what was recorded: its digest does not follow from the entry before it.")
        events = events_of(entry)
        drawn = _check_dice(entry, events, key, drawn)
        before = states[entry.after] if entry.after in states else book.state_at(entry.after)
        if entry.entry not in group:
            command, group = entry.entry, _resolved_again(book, entry, events, before)
        if entry.entry in group:
            _check_group(entry, command, group[entry.entry])
        else:
            _check_rules(book, entry, events, before, commitment)
        after = fold(before, events)
        if entry.entry in checkpoints:
            held = store.checkpoint(VERSION, entry.entry, entry.entry)
            if held and held.state != after.encoded():
                raise LedgerDamaged(f"The checkpoint of {at} holds another state than its events make.")
        states[entry.entry] = after
        if len(states) > KEPT:
            states.popitem(last=False)
        previous, expected, events_read = digest, expected + 1, events_read + len(events)
    if expected != head + 1:
        raise LedgerDamaged(f"e{expected} is missing.")
    if store.has_strays():
        raise LedgerDamaged(f"{store.path} holds events of an entry that it does not hold.")
    if missing := store.unguarded():
        raise LedgerDamaged(
            f"The file lacks guards against changes: {', '.join(missing)}.", "Look at who could write it."
        )
    return Audit(head, events_read, drawn, head_line(head, previous), states[head].digest())


def _check_dice(entry: Entry, events: tuple[Event, ...], key: bytes, drawn: int) -> int:
    """The number of dice drawn after an entry, each found to be the next of the stream."""
    for event in events:
        if not isinstance(event, Rolled) or not event.faces:
            continue
        try:
            sides, _ = dice.parse(event.dice)
        except AffrayError:
            raise LedgerDamaged(f"e{entry.entry} holds a roll of {event.dice[:40]!a}, which are no dice.") from None
        for size, face, place in zip(sides, event.faces, event.places, strict=False):
            if not place:
                continue
            if place != drawn + 1 and not (place <= drawn and entry.origin != entry.entry):
                raise LedgerDamaged(f"e{entry.entry} has a die from place {place} of the stream, not {drawn + 1}.")
            drawn = max(drawn, place)
            if face != dice.face(key, place, size):
                raise LedgerDamaged(f"e{entry.entry} says that the die at place {place} showed {face}; it did not.")
    if entry.drawn != drawn:
        raise LedgerDamaged(f"e{entry.entry} counts {entry.drawn} dice of the stream; {drawn} were drawn.")
    return drawn


def _resolved_again(book: Book, entry: Entry, events: tuple[Event, ...], before: State) -> dict[int, Written]:
    """What a command appends that resolves earlier actions again, by entry; nothing for any other command."""
    declared = events[0]
    if not isinstance(declared, Declared) or not (declared.verb == "amend" or declared.instant):
        return {}
    head, last = entry.entry - 1, book.store.head().entry
    written: list[Written] = []

    def dice() -> Recorded:
        """Those of the next entry of the command."""
        number = entry.entry + len(written)
        rolled = events_of(book.store.entry(number)) if number <= last else ()
        return Recorded(event for event in rolled if isinstance(event, Rolled))

    try:
        if declared.instant:
            course = answer(book, head, declared, dice)
        else:
            said = {**declared.said, "entry": int(str(declared.said.get("entry")).removeprefix("e"))}
            again = plan(book.store, head, msgspec.convert(said, Amendment))
            course = entries(again, declared, before, carried_out(book, again, dice))
        for one in course:
            written.append(one)
    except (AffrayError, msgspec.ValidationError, ValueError) as error:
        raise LedgerDamaged(f"e{entry.entry} could not be recorded today: {error}") from None
    return {entry.entry + at: one for at, one in enumerate(written)}


def _check_group(entry: Entry, command: int, expected: Written) -> None:
    """The entry is what its command appends."""
    origin, after = expected.origin or entry.entry, entry.entry - 1 if expected.after < 0 else expected.after
    if (entry.command, entry.origin, entry.after) != (command, origin, after):
        raise LedgerDamaged(f"e{entry.entry} does not stand where e{command}, which it belongs to, puts it.")
    _check_same(entry, tuple(encode(event).decode() for event in expected.events))


def _check_same(entry: Entry, again: tuple[str, ...]) -> None:
    if again != entry.bodies:
        differing = next((n for n, (a, b) in enumerate(zip(again, entry.bodies, strict=False)) if a != b), None)
        nth = min(len(again), len(entry.bodies)) if differing is None else differing
        if differing is not None:
            _check_table(f"e{entry.entry}", decode(entry.bodies[nth]), decode(again[nth]))
        raise LedgerDamaged(
            f"e{entry.entry}, resolved again by the rules, differs from the record at its event {nth + 1}."
        )


def _check_rules(book: Book, entry: Entry, events: tuple[Event, ...], before: State, commitment: str) -> None:
    """The entry's declaration, resolved again with its own dice, gives its events."""
    at = f"e{entry.entry}"
    declared = events[0]
    if (entry.command, entry.origin) != (entry.entry, entry.entry):
        raise LedgerDamaged(f"{at} says that it belongs to another command, which is not so.")
    if not isinstance(declared, Declared):
        raise LedgerDamaged(f"{at} does not begin with a declaration.")
    if any(isinstance(event, CampaignBegan) and event.commitment != commitment for event in events):
        raise LedgerDamaged(f"{at} commits the campaign to another key of dice.")
    if declared.verb in ("undo", "redo"):
        again = _jumped(book, entry, declared)
    elif entry.after != entry.entry - 1:
        raise LedgerDamaged(f"{at} stands after e{entry.after}, but is no undo, redo or amendment.")
    else:
        again = _resolved(entry, declared, events, before)
    _check_same(entry, again)


def _check_table(at: str, recorded: Event, now: Event) -> None:
    """Whether an entry differs because a table of the rules is another one in this version."""
    if isinstance(recorded, TableSet) and isinstance(now, TableSet) and recorded.table == now.table:
        raise LedgerDamaged(
            f"{at} uses the {recorded.table} table of another version of the rules (digest {recorded.digest[:12]}; that"
            f" of this version: {now.digest[:12]}).",
            "Verify it with the version that recorded it.",
        )


def _jumped(book: Book, entry: Entry, declared: Declared) -> tuple[str, ...]:
    try:
        msgspec.convert(declared.said, Undo if declared.verb == "undo" else Redo)
        leads = jump(book.store, entry.entry - 1, declared.verb, declared.said)
    except (AffrayError, msgspec.ValidationError) as error:
        raise LedgerDamaged(f"e{entry.entry} could not have been recorded: {error}") from None
    if leads.after != entry.after:
        raise LedgerDamaged(f"e{entry.entry} stands after e{entry.after}; its words lead to e{leads.after}.")
    return tuple(encode(event).decode() for event in (declared, *leads.events))


def _resolved(entry: Entry, declared: Declared, events: tuple[Event, ...], before: State) -> tuple[str, ...]:
    source = Recorded(event for event in events if isinstance(event, Rolled))
    try:
        _, declaration = systems.procedure(systems.find_verb(before.campaign.system, declared.verb))
        said = msgspec.convert(declared.said, declaration)
        fight = resolve(before, declared.verb, said, source, declared.allow)
    except (AffrayError, msgspec.ValidationError) as error:
        raise LedgerDamaged(f"e{entry.entry} could not be recorded today: {error}") from None
    if source.rest:
        raise LedgerDamaged(f"e{entry.entry} holds dice that its action does not ask for.")
    return tuple(encode(event).decode() for event in fight.events)
