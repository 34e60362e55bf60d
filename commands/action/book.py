"""The book: a ledger with its state, and the one way in which commands are recorded."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from ledger.chain import Entry
from ledger.errors import AffrayError, LedgerDamaged, NameUnknown, UsageError
from ledger.events import Declared, Event, Rolled, decode, decode_all, encode, split
from ledger.store import SPARSE, Head, Store
from projections.state import VERSION, State, fold
from projections.state import decode as decode_state

from . import cards, systems
from .declaration import Declaration
from .dice_sources import Asking, Question

PROGRAM = "affray 0.1.0"
"""What every entry says of the program that wrote it, before the version of the rules: `affray 0.1.0 freepg-1`."""
_OFTEN = 16
"""A script puts the state into the file with the entries divisible by this, and at its end."""


DICE = " --dice "
"""Stands before the faces at the end of a line."""


class Order(Struct, frozen=True):
    """A command to be carried out."""

    verb: str
    declaration: Declaration
    typed: str = ""
    """The words as typed."""
    dice: tuple[int | None, ...] | None = None
    """Dice thrown by hand, in the order needed, with None for a die of the program; none when the program rolls."""
    owners: tuple[str, ...] = ()
    """For each of these the word for who threw it, "" for nobody in particular; empty where nobody is named."""
    whole: bool = False
    """Whether these are all dice that it needs, also those of the sides whose dice nobody throws by hand."""
    ask: Asking | None = None
    """Asks for each die thrown by hand."""
    tells: bool = False
    """Whether the line that is kept says the dice that were asked for, so that it gives the same when it is typed."""
    watch: Callable[[Sequence[Event], Sequence[Question]], None] | None = None
    """Is told what has happened so far, and which dice are asked for next."""
    side: str = ""
    """The side whose dice are asked for, while the program rolls the others; "" for everybody's."""
    shown: Head | None = None
    """The end of the ledger that the words rely on; none of them do when it is None."""
    option: Asking | None = None
    """Asks for the dice of the side that the campaign's option `hand_dice` names, if it names one."""
    spare: bool = False
    """Whether typed dice that nothing needs are set aside."""
    aside: tuple[str, ...] = ()
    """The lines that say so, where it is known what these dice were thrown for."""
    undecided: tuple[str, ...] = ()
    """The lines about what an import left open in the sheets that it names."""
    allow: str = ""
    once: str = ""
    still: Callable[[], None] | None = None
    """Asked when nobody else can write any more: raises an error when it is not to be recorded now."""
    dry_run: bool = False
    secret: bool = False
    """Whether the players do not see the entry, until it is revealed."""


class Need(Struct, frozen=True):
    """A roll that a command needs, or may need."""

    who: str
    dice: str
    purpose: str
    about: str
    certain: bool = True
    """Whether it is needed in every case."""


class Done(Struct, frozen=True):
    """The result of a command."""

    entry: int
    """Its number; 0 when nothing was recorded."""
    events: tuple[Event, ...]
    before: State
    after: State
    head: Head
    repeated: bool = False
    """True when the command had been recorded before, under the same id."""
    needed: tuple[Need, ...] = ()
    """In a preview that stopped for dice: the rolls that it needs, or may need, in the order of throwing."""
    open_ended: bool = False
    """Whether it may need more than these."""
    order: Order | None = None
    """In a preview that stopped for dice: the command, with all names in full."""
    again: tuple[Event, ...] = ()
    """For an instant: the action that it changes, resolved again as the next entry."""
    notes: tuple[str, ...] = ()
    """A line about each whom a word with @ brought in and who was left out, about dice that were set aside, and about a
    name that was written in another way."""
    more: Mapping[str, object] = {}
    """What `--json` adds to the answer."""
    then: tuple["Done", ...] = ()
    """Where one line was said of several: what came of it for each after the first."""


class Written(Struct, frozen=True):
    """An entry that is to be written."""

    events: tuple[Event, ...]
    state: State
    """The state after the entry."""
    after: int = 0
    """The entry that it follows, where the course jumps; 0 for the entry before it."""
    origin: int = 0
    """The entry whose action it resolves again; 0 for a new action."""
    program: str = ""
    """The program that resolved it, if that was an older one; "" for this program."""
    notes: tuple[str, ...] = ()
    """What somebody who typed the command is told, and no record keeps."""


def _now() -> str:
    """The time by the table's clock, to the second, with its offset from UTC: `2026-05-01T20:30:00+02:00`."""
    now = time.localtime()
    sign, minutes = "-" if now.tm_gmtoff < 0 else "+", abs(now.tm_gmtoff) // 60
    offset = f"{sign}{minutes // 60:02}:{minutes % 60:02}" if minutes else "Z"
    return time.strftime("%Y-%m-%dT%H:%M:%S", now) + offset


def events_of(entry: Entry) -> tuple[Event, ...]:
    """The events of an entry, at least one. Raises LedgerDamaged when there is none, or one that cannot be read."""
    try:
        events = decode_all(entry.bodies) if not entry.parts else _opened(entry.parts)
    except msgspec.DecodeError as error:
        from .mistakes import in_words

        why = in_words(error)
        raise LedgerDamaged(f"e{entry.entry} holds an event that this program does not know: {why}.") from None
    if not events:
        raise LedgerDamaged(f"e{entry.entry} holds no events.")
    return events


def _opened(parts: str) -> tuple[Event, ...]:
    """The events of an entry of a file for players, as they are told."""
    from projections.glimpses import known_events

    return tuple(event for event, _ in known_events(parts))


def _places(events: Iterable[Event]) -> Iterator[int]:
    """The places in the stream of all dice of some events."""
    return (place for event in events if isinstance(event, Rolled) for place in event.places)


class Book:
    """An open ledger, with the state at its head."""

    def __init__(self, store: Store, by: str | None = None, clock: Callable[[], str] = _now) -> None:
        self.store = store
        self.by = by if by is not None else (os.environ.get("AFFRAY_BY") or "gm").encode("utf-8", "replace").decode()
        """Who gives the commands: `$AFFRAY_BY`, or gm. A byte that is not UTF-8 becomes a ?."""
        self.clock = clock
        self._known: tuple[Head, State] | None = None
        self.written: list[int] = []
        """The entries that were appended here, also those of a transaction that came to nothing."""
        self.playing = False
        """Whether a script is played: the state at the head is then put into the file only now and then."""

    # Reading

    def present(self) -> tuple[Head, State]:
        """The head, and the state there."""
        head = self.store.head()
        if self._known is None or self._known[0] != head:
            self._known = head, self.state_at(head.entry)
        return self._known

    @property
    def verbs(self) -> Mapping[str, cards.Verb]:
        """The cards of the verbs that the ledger may hold, by which its story is told."""
        system = ""
        with suppress(LedgerDamaged):
            system = self._known[1].campaign.system if self._known else self.store.system()
        return systems.recorded_verbs(system)

    def state_at(self, entry: int) -> State:
        """The state just after an entry, whether it still stands or not.

        Folded from the nearest sound checkpoint of its course. Raises UsageError in a file for players.
        """
        if self.store.is_for_players:
            message = f"{self.store.path} holds only what the players see; nothing can be played or added up from it."
            raise UsageError(message, "Read it with log, verify and export.")
        found, ranges = self.store.folded(VERSION, entry)
        try:
            return fold(decode_state(found.state) if found else State(), map(decode, self.store.bodies(ranges)))
        except msgspec.DecodeError as error:
            from .mistakes import in_words

            message = f"{self.store.path} holds an event before e{entry} that cannot be read: {in_words(error)}."
            raise LedgerDamaged(message, "affray verify") from None

    def play(self) -> None:
        """Begins a script, or goes on with it."""
        if not self.playing:
            self.playing = True
            self.store.series(True)

    def keep(self) -> None:
        """Ends a script: puts the state at the head into the file, for the next command."""
        if self.playing and self.store.wrote:
            with suppress(AffrayError), self.store.writing() as head:  # nothing is lost without it
                if head.entry % _OFTEN:
                    self.store.save_checkpoint(head.entry, head.digest, VERSION, self.present()[1].encoded())
        if self.playing:
            self.playing = False
            self.store.series(False)

    def check_entry(self, entry: int) -> int:
        """The number, if there is such an entry. Raises NameUnknown when there is none."""
        last = self.store.head().entry
        if not 1 <= entry <= last:
            raise NameUnknown(f"There is no entry e{entry}.", f"The ledger holds e1 to e{last}.")
        return entry

    # Writing

    def write(self, head: Head, course: Sequence[Written], order: Order) -> Head:
        """Appends the entries of one command to the transaction that is under way. Raises UsageError when the players
        would read a true name that they do not know.
        """
        self.check_unsaid(course)
        command, at = head.entry + 1, self.clock()
        last = head.entry + len(course)
        for written in course:
            number = head.entry + 1
            kept = number % SPARSE == 0 or (number == last and (not self.playing or number % _OFTEN == 0))
            bodies = [*map(encode, written.events)]
            entry = Entry(
                entry=number,
                after=written.after or head.entry,
                command=command,
                origin=written.origin or number,
                drawn=max((head.drawn, *_places(written.events))),
                hidden=-min((-head.hidden, *_places(written.events))),
                recorded_at=at,
                by=self.by,
                typed=order.typed,
                program=written.program or f"{PROGRAM} {systems.rules(written.state.campaign.system)}",
                once=order.once if number == command else "",
                bodies=tuple(map(bytes.decode, bodies)),
                splits=tuple(map(split, written.events, bodies)),
            )
            checkpoint = (VERSION, written.state.encoded()) if kept else ()
            head = self.store.append(entry, head, *checkpoint)
            self.written.append(number)
        self._known = head, course[-1].state  # the next command of this process does not load it
        return head

    def check_unsaid(self, course: Sequence[Written]) -> None:
        """Raises UsageError when an entry would show the players a true name that they do not know."""
        for written in course:
            if written.state.roster.unknown_names():
                from .unknown_names import check_unsaid

                before = self.store.entry(written.origin).bodies if written.origin else ()
                check_unsaid(written.state, written.events, "\n".join(before))

    def repeat(self, order: Order, number: int) -> Done:
        """The entry that was recorded under the same command id."""
        entry = self.store.entry(number)
        events = events_of(entry)
        declared = events[0]
        typed = entry.typed.partition(DICE)[0] if order.tells else entry.typed
        if not (isinstance(declared, Declared) and declared.verb == order.verb and typed == order.typed):
            raise UsageError(f"The command id {order.once!r} is taken: e{number} was {entry.typed!r}.", "Use a new id.")
        again = self.store.entry(number + 1) if isinstance(declared, Declared) and declared.instant else None
        before, after = self.state_at(number - 1), self.state_at(again.entry if again else number)
        then = events_of(again) if again else ()
        return Done(number, events, before, after, self.store.head(), repeated=True, again=then)
