"""The dice of a record: each face, place and number, against the stream and what was committed of it."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

from msgspec import UNSET, Struct
from msgspec.structs import replace

from commands.action.book import events_of
from commands.action.dice_sources import LEFT_OUT
from ledger import dice
from ledger.chain import Entry
from ledger.errors import AffrayError
from ledger.events import CampaignBegan, Declared, DiceRevealed, DiceSetAside, Event, Rolled, Stirred
from ledger.hashing import hexdigest
from ledger.parts import Parts
from ledger.store import Store
from projections.glimpses import UNKNOWN

from .course import Repeats
from .thrown import Die, each_die


class Grades(Struct, frozen=True):
    """How sure anybody can be of the dice."""

    proven: int = 0
    """Dice of the program that show what the secret of their epoch gives; the campaign was committed to it before."""
    unstirred: int = 0
    """How many of these fell before the first stir: the game master could choose the key."""
    unproven: int = 0
    """Dice of the program whose secret is not known here until it is revealed."""
    by_hand: int = 0
    """Dice thrown by hand, each once, however often its action is resolved again."""
    set_aside: int = 0
    """Dice that were thrown by hand and not used, because what they were thrown for was given up."""
    skipped: int = 0
    """In a file for players: hidden dice before the last one that is shown, which are not shown."""
    again: int = 0
    """How often somebody rolled again: the same verb by the same actor at the same place of the course, when an undo
    had taken the first away.
    """


_HEX = re.compile("([0-9a-f]{2})*")
_GROUPS = re.compile(r"\d{0,3}d\d{1,4}(\+\d{0,3}d\d{1,4})*", re.ASCII)
"""Dice as a ledger holds them: without blanks, and without what is added."""


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
        self._befores: list[str | None] = []
        """Of each of these the digest before the entry that recorded it: "" for the first, None after a gap."""
        self._drawn: dict[bool, int | None] = {False: 0, True: 0}
        """Open and hidden dice drawn so far; None after a gap."""
        self._thrown: dict[int, dict[int, tuple[str, int]]] = {}
        """By the entry that resolved an action first, what each of its dice was thrown for, and its size, by place."""
        self._by_hand: dict[int, tuple[Declared | None, set[Die]]] = {}
        """By the entry that resolved an action first, where it was resolved again: what was said in that entry, and
        the dice that were thrown by hand for the action.
        """
        self._unread: set[int] = set()
        """Actions of which nobody knows all dice: damage that is told where it is, or parts that are left out."""
        self._hidden_shown: set[int] = set()
        """In a file for players, the hidden places so far."""
        self._revealed = 0
        """In a file for players, of how many epochs the hidden dice are revealed anywhere in it."""
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

    def take_secrets(self, entries: Iterable[tuple[Event, ...]]) -> None:
        """Of a file for players, which has no key: the secrets that its entries reveal, as far as they are those that
        were committed to. Takes the events of each entry.
        """
        commitments: list[tuple[str, str]] = []
        for events in entries:
            for event in events:
                match event:
                    case CampaignBegan():
                        commitments += event.commitments
                    case Stirred():
                        commitments.append(event.commitments)
                    case DiceRevealed(hidden=hidden):
                        stream = dice.HIDDEN if hidden else dice.OPEN
                        self._revealed = max(self._revealed, len(event.secrets) if hidden else 0)
                        for epoch, (word, due) in enumerate(zip(event.secrets, commitments, strict=False)):
                            if _committed(word) == due[hidden]:
                                self._streams.secrets[stream, epoch] = bytes.fromhex(word)

    def miss(self) -> None:
        """Entries are missing here: nobody knows how many dice were drawn in them."""
        self._drawn = {False: None, True: None}

    def skip(self, entry: Entry) -> None:
        """Believes an entry that cannot be read how many dice were drawn up to it."""
        self._drawn = {False: entry.drawn, True: entry.hidden}
        self._unread.add(entry.origin)

    def examine(
        self, entry: Entry, events: tuple[Event, ...], previous: str | None, parts: Parts | None = None
    ) -> None:
        """Each face is found to be the next of its stream, and their number to be the one that the entry says.
        `previous` is the digest of the entry before it, None where that is missing; `parts` what a file for players
        shows of the entry.
        """
        drawn, number = {**self._drawn}, entry.entry
        self._counts["again"] += self._repeats.again(entry, events)
        named: set[int] = set()
        for event in events:
            if type(event) is Rolled:  # isinstance is slow where it is another kind
                self._examine_roll(entry, event, named, drawn)
            elif type(event) is CampaignBegan or type(event) is Stirred or type(event) is DiceRevealed:
                said = events[0].said.get("words", UNSET) if isinstance(events[0], Declared) else UNSET
                self._check_epoch(number, event, previous if number > 1 else "", said)
            elif type(event) is DiceSetAside and entry.origin == number:
                self._counts["set_aside"] += len(event.faces)
        if entry.origin != number:
            self._counts["by_hand"] += self._thrown_anew(entry, events)
        if self._players:
            self._drawn = drawn
            if parts and not (parts.events and all(half.open or half.body() for half in parts.events)):
                self._unread.add(entry.origin)
        else:
            self._count(entry, drawn)

    def _examine_roll(self, entry: Entry, event: Rolled, named: set[int], drawn: dict[bool, int | None]) -> None:
        """Each die of a roll has a face of its size, and the next place unless it is by hand. `named` are the places
        of the entry so far, `drawn` the dice that were drawn.
        """
        number, new = entry.entry, entry.origin == entry.entry
        if not (sides := _sides(event.dice)):
            self._wrong(number, f"holds a roll of {event.dice[:40]!r}, which are not dice.")
        elif not len(event.faces) == len(event.places) in (0, len(sides)):
            self._wrong(number, f"does not hold one face and one place for each die of {event.dice}.")
            return
        thrown = self._thrown.get(entry.origin, {})
        for size, face, place in zip(sides, event.faces, event.places, strict=False):
            what = (event.purpose, size)
            if not 1 <= face <= size:
                self._wrong(number, f"says that a d{size} showed {face}.")
            elif not place:
                self._counts["by_hand"] += new
            elif place in named:
                self._wrong(number, f"names the die at {_at(place)} twice.")
            elif (new or thrown.get(place) != what) and (wrong := self._misplaced(entry, place, drawn)):
                named.add(place)
                self._wrong(number, wrong)
            else:
                named.add(place)
                self._thrown.setdefault(entry.origin, {})[place] = what
                self._grade(number, place, size, face)

    def _count(self, entry: Entry, drawn: dict[bool, int | None]) -> None:
        """As many dice were drawn as an entry says; after a gap it is believed."""
        for hidden, said in ((False, entry.drawn), (True, entry.hidden)):
            count = drawn[hidden]
            if count is not None and said != count:
                kind = "hidden dice" if hidden else "dice of the stream"
                self._wrong(entry.entry, f"counts {said} {kind}; {count} were drawn.")
            self._drawn[hidden] = said if count is None else count

    def _thrown_anew(self, entry: Entry, events: tuple[Event, ...]) -> int:
        """How many dice were thrown by hand for an action that is resolved again, and not for it before."""
        if entry.origin not in self._by_hand:
            first: tuple[Event, ...] = ()
            with suppress(AffrayError):  # damage that is told where it is
                first = events_of(self._store.entry(entry.origin))
            said = first[0] if first and isinstance(first[0], Declared) else None
            self._by_hand[entry.origin] = said, _hand_dice(first, said)
        said, before = self._by_hand[entry.origin]
        new = _hand_dice(events, said) - before
        before |= new
        return len(new)

    def _misplaced(self, entry: Entry, place: int, drawn: dict[bool, int | None]) -> str:
        """What is wrong with the place of a die that is not named again; "" for nothing. Counts it as drawn."""
        hidden, nth = place < 0, abs(place)
        before, again = drawn[hidden], entry.origin != entry.entry
        before = nth - 1 if before is None else before
        if hidden and self._players:
            known = not again or entry.origin not in self._unread
            if nth in self._hidden_shown or (nth <= before and known) or nth > dice.MOST_PLACE:
                return f"has a die from {_at(place)}, which was used before or is not the next."
            self._hidden_shown.add(nth)
            drawn[True] = last = max(before, nth)
            self._counts["skipped"] = last - len(self._hidden_shown)
            return ""
        if nth <= before and again:
            unread = entry.origin in self._unread
            return "" if unread else f"names the die at {_at(place)} again, which was thrown for something else."
        drawn[hidden] = before + 1 if nth != before + 1 else nth
        return f"has a die from {_at(place)}, not {before + 1}." if nth != before + 1 else ""

    def _grade(self, number: int, place: int, size: int, face: int) -> None:
        """Compares a die with what the secret of its epoch gives, and counts it once."""
        due = self._streams.face(place, size)
        if due not in (None, face):
            self._wrong(number, f"says that the die at {_at(place)} showed {face}; it did not.")
        if place not in self._graded:
            self._graded.add(place)
            self._counts["unproven" if due is None else "proven"] += 1
            self._counts["unstirred"] += due is not None and not self._streams.epoch_of(place).number

    def _check_epoch(
        self, number: int, event: CampaignBegan | Stirred | DiceRevealed, previous: str | None, said: object
    ) -> None:
        """What is said of the secrets of the dice fits what was said before, and the key; an epoch begins where the
        dice so far end. `said` are the words of a stir as they were said, UNSET where they are not open.
        """
        if wrong := self._wrong_epoch(event, previous, said):
            self._wrong(number, wrong)
        elif isinstance(event, Stirred):
            before = self._befores[event.epoch] if event.epoch < len(self._befores) else None
            self._streams.epochs.append(replace(event.begins, before=before))

    def _wrong_epoch(self, event: CampaignBegan | Stirred | DiceRevealed, previous: str | None, said: object) -> str:
        """What is wrong with what is said of the secrets of the dice; "" for nothing."""
        epoch = self._streams.epochs[-1].number
        if isinstance(event, DiceRevealed):
            due = [commitments[event.hidden] for commitments in self._commitments[:epoch]]
            sound = [_committed(word) for word in event.secrets] == due
            return "" if sound else "reveals other secrets than those of the epochs that are past."
        new = event.commitments if isinstance(event, CampaignBegan) else (event.commitments,)
        first = len(self._commitments)
        self._commitments += new
        self._befores += [previous] * len(new)
        if self._key is not None and previous is not None and new != self._due(first, len(new), previous):
            return "commits the campaign to other dice than its key gives."
        return "" if isinstance(event, CampaignBegan) else self._wrong_stir(event, epoch, said)

    def _wrong_stir(self, event: Stirred, epoch: int, said: object) -> str:
        """What is wrong with where an epoch begins after another, and with its words; "" for nothing."""
        if self._players:
            before = self._streams.epochs[-1].first_hidden
            if event.first_hidden == UNKNOWN and event.epoch <= self._revealed:
                return "begins an epoch of the dice whose hidden dice are revealed, but hides where they begin."
            if not (self._drawn[True] or 0) < event.first_hidden >= before:
                return "begins an epoch of the dice somewhere else than after the last die."
        begins, counts = (event.first, event.first_hidden), (self._drawn[False], self._drawn[True])
        known = [(at, count + 1) for at, count in zip(begins, counts, strict=True) if count is not None]
        if event.epoch != epoch + 1 or any(at != due for at, due in known[: 1 if self._players else 2]):
            return "begins an epoch of the dice somewhere else than after the last die."
        if not event.words or dice.used(event.words) != event.words:
            return "stirs the dice with no words."
        same = said is UNSET or (isinstance(said, str) and dice.used(said) == event.words)
        return "" if same else "stirs the dice with other words than were said."

    def _due(self, first: int, many: int, previous: str) -> tuple[tuple[str, str], ...]:
        """The commitments of so many epochs that the key gives after a digest."""
        return tuple(dice.commitments(self._key or b"", epoch, previous) for epoch in range(first, first + many))


def _hand_dice(events: Sequence[Event], said: Declared | None) -> set[Die]:
    """The dice that were thrown by hand for an action, told apart by what was `said` when it was resolved first."""
    rolled = [event for event in events if isinstance(event, Rolled)]
    if said is None or not all(_sides(event.dice) for event in rolled):
        return set()
    return {die for die, _, answer in each_die(events, said) if answer is not LEFT_OUT and not answer.place}


@lru_cache
def _sides(said: str) -> tuple[int, ...]:
    """The sides of each die of a roll; () for what is no dice."""
    try:
        return dice.parse(said)[0] if _GROUPS.fullmatch(said) else ()
    except AffrayError:
        return ()


def _committed(word: str) -> str:
    """What a secret was committed as, given in hexadecimal; "" when it is none, or is written otherwise."""
    return hexdigest(bytes.fromhex(word)) if _HEX.fullmatch(word) else ""


def _at(place: int) -> str:
    """The place of a die, in words."""
    return f"place {place} of the stream" if place > 0 else f"place {-place} of the hidden stream"
