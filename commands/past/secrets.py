"""Stir and reveal: an epoch of the dice begins, and what was hidden from the players is opened to them.

Both belong to the ledger and not to the course of play: no undo, redo or amendment takes them back.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from secrets import token_hex
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from commands.action.book import Book, Done, Order, Written, events_of
from commands.action.common import Unmask
from commands.action.declaration import Declaration, Text, is_entry, number, says
from commands.action.names import find
from commands.words.console import Console
from ledger.chain import secret
from ledger.dice import HIDDEN, OPEN, commitments, used
from ledger.errors import UsageError
from ledger.events import Declared, DiceRevealed, Event, Joined, Revealed, Rolled, Stirred
from ledger.store import Head, Store

from .course import in_its_place, renumbered
from .perform import perform

Once = Annotated[str, Meta(max_length=200, description="Do nothing if a command with this id is on record.")]
DryRun = Annotated[bool, Meta(description="Say what would happen; record nothing.")]


class Stir(Declaration):
    """Begin a new epoch of the dice, with words that the players choose. From now on the dice depend on these words
    too, so nobody could know them before.
    """

    words: Annotated[Text, Meta(description="What the players say; blanks, signs and capitals do not count.")]
    dry_run: DryRun = False
    once: Once = ""


class Reveal(Declaration):
    """Open something to the players: an entry, somebody's true name, or the dice of all past epochs. Later exports for
    players show it, in entries of the past too.
    """

    what: Annotated[str, says("An entry such as e12, a name, or the word dice.", max_length=40, word="hidden")]
    hidden: Annotated[bool, Meta(description="With dice: those that were hidden when they fell.")] = False
    dry_run: DryRun = False
    once: Once = ""


def stir(console: Console, said: Stir) -> None:
    """Begins an epoch. Raises UsageError when the words hold no letter and no digit."""
    if not used(said.words):
        raise UsageError("Stir the dice with at least one letter or digit.", "affray stir 'dragons and gold'")

    order = Order("stir", said, console.typed, once=said.once, dry_run=said.dry_run)
    console.tell(_recorded(console.book, order, _epoch(said.words)))


def stir_at_random(book: Book, typed: str) -> None:
    """Begins an epoch with words that nobody could know before."""
    words = token_hex(16)
    _recorded(book, Order("stir", Stir(words), typed), _epoch(words))


def _epoch(words: str) -> Callable[[Book, Head], tuple[Event, ...]]:
    """What begins an epoch with some words."""

    def stirred(book: Book, head: Head) -> tuple[Event, ...]:
        epoch = book.store.epoch().number + 1
        committed = commitments(book.store.key(), epoch + 1, head.digest)
        return (Stirred(epoch, used(words), head.drawn + 1, committed, head.hidden + 1),)

    return stirred


def _opened(store: Store, head: int, entry: int) -> tuple[int, ...]:
    """The entries that a reveal opens: the one that stands now, and the one that was named. Where none stands, only the
    one that was named: players may see what stood there.
    """
    try:
        return tuple(dict.fromkeys((in_its_place(store, head, entry), entry)))
    except UsageError:
        return (entry,)


def revealed_entries(store: Store, head: int, entry: int) -> tuple[Event, ...]:
    """What is recorded when an entry is revealed."""
    return tuple(map(Revealed, _opened(store, head, entry)))


def reveal(console: Console, said: Reveal) -> None:
    """Opens something. Raises UsageError when there is nothing to open, NameUnknown when nobody has that name."""
    if said.hidden and said.what != "dice":
        raise UsageError("--hidden goes with dice: affray reveal dice --hidden.")
    order = Order("reveal", said, console.typed, once=said.once, dry_run=said.dry_run)
    if said.what == "dice":
        learned = _hidden_dice(console.book) if said.hidden else ""
        console.tell(_recorded(console.book, order, lambda book, _: _dice(book, said.hidden)))
        if learned:
            console.whisper(learned)
    elif is_entry(said.what):
        entry = console.book.check_entry(number(said.what))
        place, *_ = _opened(console.book.store, console.book.store.head().entry, entry)
        notes = (renumbered(entry, place),) if place != entry else ()
        console.tell(
            _recorded(console.book, order, lambda book, head: revealed_entries(book.store, head.entry, entry), notes)
        )
    else:
        try:
            console.tell(perform(console.book, replace(order, verb="unmask", declaration=Unmask(said.what))))
        except UsageError as error:
            error.hint = error.hint or _joining(console.book, said.what)
            raise


def _joining(book: Book, word: str) -> str:
    """The command that opens the secret entry by which somebody joined; "" for none."""
    who = find(book.present()[1], word)
    for entry, _ in book.store.entries(1, book.store.head().entry):
        first, *events = events_of(entry)
        joined = isinstance(first, Declared) and first.secret
        if joined and any(isinstance(event, Joined) and event.who == who for event in events):
            return f"affray reveal e{entry.entry}"
    return ""


def _dice(book: Book, hidden: bool) -> tuple[Event, ...]:
    *epochs, _ = book.store.epochs()
    if not epochs:
        raise UsageError(
            "Dice of the epoch that is being played cannot be revealed: everybody would know those to come.",
            "affray stir 'dragons and gold'",
        )
    key, stream = book.store.key(), HIDDEN if hidden else OPEN
    return (DiceRevealed(hidden, tuple(secret(key, stream, one.number, one.before or "").hex() for one in epochs)),)


def _hidden_dice(book: Book) -> str:
    """What the players learn from the hidden dice of past epochs."""
    last = book.store.epoch()
    thrown = Counter(
        f"{event.who or 'the game master'} for {event.purpose}"
        for entry, _ in book.store.entries(1, book.store.head().entry)
        for event in events_of(entry)
        if isinstance(event, Rolled) and any(-last.first_hidden < place < 0 for place in event.places)
    )
    rolls = "; ".join(f"{what} ({count})" if count > 1 else what for what, count in thrown.items())
    return f"The players learn these hidden rolls: {rolls}." if rolls else "No hidden dice fell in past epochs."


def _recorded(
    book: Book, order: Order, make: Callable[[Book, Head], tuple[Event, ...]], notes: tuple[str, ...] = ()
) -> Done:
    """Appends one entry that changes nothing on the board."""
    said = {field: value for field in ("words", "what", "hidden") if (value := getattr(order.declaration, field, None))}
    with nullcontext(book.store.head()) if order.dry_run else book.store.writing() as head:
        if not order.dry_run and order.once and (entry := book.store.recorded(order.once)):
            return book.repeat(order, entry)
        state, events = book.present()[1], (Declared(order.verb, said), *make(book, head))
        new = head if order.dry_run else book.write(head, (Written(events, state),), order)
        return Done(0 if order.dry_run else new.entry, events, state, state, new, notes=notes)
