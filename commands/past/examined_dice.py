"""The dice of a record: each face, place and number, against the stream and what was committed of it."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import events_of
from commands.action.dice_sources import answers
from ledger import dice
from ledger.chain import Entry
from ledger.errors import AffrayError, LedgerDamaged
from ledger.events import CampaignBegan, DiceRevealed, Event, Rolled, Stirred
from ledger.hashing import hexdigest
from ledger.store import Store

from .course import Repeats


class Grades(Struct, frozen=True):
    """How sure anybody can be of the dice."""

    proven: int = 0
    """Dice of the program that show what the secret of their epoch gives; the campaign was committed to it before."""
    unstirred: int = 0
    """How many of these fell before the first stir: the game master could choose the key."""
    unproven: int = 0
    """Dice of the program whose secret is not known here until it is revealed."""
    by_hand: int = 0
    """Dice thrown by hand."""
    again: int = 0
    """How often somebody rolled again: the same verb by the same actor at the same place of the course, when an undo
    had taken the first away.
    """


Use = tuple[str, int, int]
"""A die of the stream: the purpose and the number of sides for which it was thrown, and its place."""
UNREAD: frozenset[Use] = frozenset()
"""Stands for dice of which nobody knows what they were thrown for: damage that is told where it is."""


class ExaminedDice:
    """Examines the dice of a record, entry by entry, from the first on."""

    def __init__(self, store: Store, wrong: Callable[[int, str], None]) -> None:
        """`wrong` is told of each entry whose dice are not what was recorded, and what is wrong."""
        self._store, self._wrong = store, wrong
        self._players = store.is_for_players
        self._key: bytes | None = None
        self._streams = dice.Streams(None)
        """What each die must show, as far as its secret is known."""
        self._commitments: list[tuple[str, str]] = []
        """Of the epochs of the dice, as they were recorded."""
        self._drawn: dict[bool, int | None] = {False: 0, True: 0}
        """Open and hidden dice drawn so far; None after a gap."""
        self._resolved: dict[int, list[int]] = {}
        """The entries so far that resolve an action again, by the entry that resolved it first."""
        self._repeats = Repeats()
        """Where somebody rolled again after an undo."""
        self._counts = dict.fromkeys(Grades.__struct_fields__, 0)
        self._graded: set[int] = set()
        """Places of dice that were counted."""

    @property
    def grades(self) -> Grades:
        """How sure anybody can be of the dice so far."""
        return Grades(**self._counts)

    @property
    def drawn(self) -> int:
        """How many dice of the program there were."""
        return sum(count or 0 for count in self._drawn.values())

    def take_key(self, key: bytes) -> None:
        """The key of the campaign gives every face."""
        self._key = self._streams.key = key

    def take_secrets(self, entries: Iterable[Entry]) -> None:
        """Of a file for players, which has no key: the secrets that its entries reveal, as far as they are those that
        were committed to.
        """
        commitments: list[tuple[str, str]] = []
        for entry in entries:
            events: tuple[Event, ...] = ()
            with suppress(LedgerDamaged):
                events = events_of(entry)
            for event in events:
                match event:
                    case CampaignBegan():
                        commitments += event.commitments
                    case Stirred():
                        commitments.append(event.commitments)
                    case DiceRevealed(hidden=hidden):
                        stream = dice.HIDDEN if hidden else dice.OPEN
                        for epoch, (word, due) in enumerate(zip(event.secrets, commitments, strict=False)):
                            if _committed(word) == due[hidden]:
                                self._streams.secrets[stream, epoch] = bytes.fromhex(word)

    def miss(self) -> None:
        """Entries are missing here: nobody knows how many dice were drawn in them."""
        self._drawn = {False: None, True: None}

    def skip(self, entry: Entry) -> None:
        """Believes an entry that cannot be read how many dice were drawn up to it."""
        self._drawn = {False: entry.drawn, True: entry.hidden}

    def examine(self, entry: Entry, events: tuple[Event, ...]) -> None:
        """Each face is found to be the next of its stream, and their number to be the one that the entry says."""
        drawn, number = {**self._drawn}, entry.entry
        self._counts["again"] += self._repeats.again(entry, events)
        again: frozenset[Use] | None = None
        named: set[int] = set()
        for event in events:
            if isinstance(event, CampaignBegan | Stirred | DiceRevealed):
                self._check_epoch(number, event)
            if not isinstance(event, Rolled) or not event.faces:
                continue
            try:
                sides, _ = dice.parse(event.dice)
            except AffrayError:
                self._wrong(number, f"holds a roll of {event.dice[:40]!a}, which are no dice.")
                continue
            for size, face, place in zip(sides, event.faces, event.places, strict=False):
                if not place:
                    self._counts["by_hand"] += 1
                    continue
                hidden, nth = place < 0, abs(place)
                before = drawn[hidden]
                before = nth - 1 if before is None else before
                if hidden and self._players:
                    self._grade(number, place, size, face)
                    continue
                if nth <= before and entry.origin != number:
                    again = self._thrown_for(entry.origin) if again is None else again
                    if again is not UNREAD and ((event.purpose, size, place) not in again or place in named):
                        why = f"names the die at {_at(place)} again, which was thrown for something else."
                        self._wrong(number, why)
                        continue
                elif nth != before + 1:
                    self._wrong(number, f"has a die from {_at(place)}, not {before + 1}.")
                    drawn[hidden] = before + 1
                    continue
                named.add(place)
                drawn[hidden] = max(before, nth)
                self._grade(number, place, size, face)
        if self._players:
            self._drawn[False] = drawn[False]
            return
        for hidden, said in ((False, entry.drawn), (True, entry.hidden)):
            count = drawn[hidden]
            if count is not None and said != count:
                kind = "hidden dice" if hidden else "dice of the stream"
                self._wrong(number, f"counts {said} {kind}; {count} were drawn.")
            self._drawn[hidden] = said if count is None else count
        if entry.origin != number:
            self._resolved.setdefault(entry.origin, []).append(number)

    def _grade(self, number: int, place: int, size: int, face: int) -> None:
        """Compares a die with what the secret of its epoch gives, and counts it once."""
        due = self._streams.face(place, size)
        if due not in (None, face):
            self._wrong(number, f"says that the die at {_at(place)} showed {face}; it did not.")
        if place not in self._graded:
            self._graded.add(place)
            self._counts["unproven" if due is None else "proven"] += 1
            self._counts["unstirred"] += due is not None and not self._streams.epoch_of(place).number

    def _check_epoch(self, number: int, event: CampaignBegan | Stirred | DiceRevealed) -> None:
        """What is said of the secrets of the dice fits what was said before, and the key; an epoch begins where the
        dice so far end.
        """
        if wrong := self._wrong_epoch(event):
            self._wrong(number, wrong)
        elif isinstance(event, Stirred):
            known = replace(event.begins, first_hidden=event.first_hidden or dice.MOST_PLACE)
            self._streams.epochs.append(known)

    def _wrong_epoch(self, event: CampaignBegan | Stirred | DiceRevealed) -> str:
        """What is wrong with what is said of the secrets of the dice; "" for nothing."""
        epoch = self._streams.epochs[-1].number
        if isinstance(event, DiceRevealed):
            due = [commitments[event.hidden] for commitments in self._commitments[:epoch]]
            sound = [_committed(word) for word in event.secrets] == due
            return "" if sound else "reveals other secrets than those of the epochs that are past."
        new = event.commitments if isinstance(event, CampaignBegan) else (event.commitments,)
        first = len(self._commitments)
        self._commitments += new
        if self._key is not None and new != tuple(dice.commitments(self._key, first + at) for at in range(len(new))):
            return "commits the campaign to other dice than its key gives."
        if isinstance(event, CampaignBegan):
            return ""
        begins, counts = (event.first, event.first_hidden), (self._drawn[False], self._drawn[True])
        known = [(at, count + 1) for at, count in zip(begins, counts, strict=True) if count is not None]
        if event.epoch != epoch + 1 or any(at != due for at, due in known[: 1 if self._players else 2]):
            return "begins an epoch of the dice somewhere else than after the last die."
        return "" if event.words and event.words == dice.used(event.words) else "stirs the dice with no words."

    def _thrown_for(self, origin: int) -> frozenset[Use]:
        """The dice of the stream that were thrown so far for an action. UNREAD if some are lost."""
        thrown: set[Use] = set()
        for entry in (origin, *self._resolved.get(origin, ())):
            try:
                rolls = [event for event in events_of(self._store.entry(entry)) if isinstance(event, Rolled)]
                uses = answers(rolls)
                thrown |= {(question.purpose, question.sides, answer.place) for question, answer in uses}
            except AffrayError:
                return UNREAD
        return frozenset(thrown)


def _committed(word: str) -> str:
    """What a secret was committed as, given in hexadecimal; "" when it is none."""
    try:
        return hexdigest(bytes.fromhex(word))
    except ValueError:
        return ""


def _at(place: int) -> str:
    """The place of a die, in words."""
    return f"place {place} of the stream" if place > 0 else f"place {-place} of the hidden stream"
