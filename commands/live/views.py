"""Views: what a page gets of a ledger, entry by entry. One view is shared by all who may see the same.

A view is made of entries as they are recorded. It is the same however it was made: at once, or entry by entry.
"""

from collections import deque
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import PROGRAM, Book, events_of
from commands.action.view import View
from commands.look.boards import Board
from commands.seen import scenes
from commands.seen.player_safe import WHOLE, Players, Seen
from commands.seen.record import known_now
from commands.seen.sightings import Sightings
from commands.words.screen import harmless
from ledger.chain import GENESIS, Entry
from ledger.events import Event, Joined, Seated, lasts, tag
from ledger.store import Store
from projections.narration import Told, told
from projections.state import State

KEPT = 200
"""How many of the latest entries are kept in full: a page that knows one of them catches up from there."""
_SPARSE = 128
"""The state after entries divisible by this is kept, and after the latest so many entries."""
_LONGEST = 4_096
"""The most bytes of an entry as it is sent, unless the board changes in more than can be said with so many."""
_LEAST = 1_000
"""So many bytes may be told of an entry, however much of the board changes."""
_LONGEST_LOG = 40_000
"""The most bytes of log that a page gets at first."""
_LONGEST_LINE = 200
"""The most signs of an outcome, where not all is told."""
_WHO_PLAYS = (Joined, Seated)
"""What may tell on which sides players play."""
_LEFT_OUT = ("...",)
CUT = "... (the log of the ledger has the rest)"

Held = tuple[State, Sightings]
"""A state, with what the players have seen up to it."""

encode = msgspec.json.Encoder().encode


class Message(Struct, frozen=True, gc=False):
    """An entry as it is sent."""

    id: str
    """Its number, and the digest of everything that decides what this view holds up to it."""
    sent: bytes
    """As an event of the stream: what is told, and how the board changed."""
    logged: bytes
    """JSON of what is told, without the board."""


class Snapshot(Struct, frozen=True, gc=False):
    """A view at one moment."""

    id: str
    """The id of its last entry."""
    whole: bytes
    """As an event of the stream: the board, and the end of the log."""
    messages: tuple[Message, ...]
    """The latest entries."""
    digests: bytearray
    """The digests of all entries, 32 bytes each; those of later ones may follow."""

    def digest(self, number: int) -> str:
        """The digest of an entry; "" where there is none."""
        found = self.digests[32 * (number - 1) : 32 * number] if 0 < number <= number_in(self.id) else b""
        return found.hex()

    def since(self, known: str) -> tuple[Message, ...] | None:
        """The entries after the one with this id; None when this view does not continue what had that id."""
        at = number_in(known) - number_in(self.messages[0].id) if self.messages else -1
        if not 0 <= at < len(self.messages) or self.messages[at].id != known:
            return None
        return self.messages[at + 1 :]

    def news(self, known: str) -> list[bytes]:
        """What somebody does not have yet who knows the entry with this id; all of it where that is shorter."""
        since = self.since(known)
        if since is None or (since[1:] and sum(len(message.sent) for message in since) > len(self.whole)):
            return [self.whole]
        return [message.sent for message in since]


def number_in(id_: str) -> int:
    """The number of the entry in an id, or by itself; -1 for what is no number."""
    word = id_.partition("-")[0]
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else -1


class Watched:
    """What some see of a ledger: the players (`sides` are theirs; () for those on which players play now), one of them
    in a seat of their own, or the game master (None).
    """

    def __init__(self, store: Store, sides: Sequence[str] | None, seat: str = "") -> None:
        self.store, self.said, self.seat = store, sides, seat
        self.sides = sides if sides is None or sides else systems.players_sides(known_now(Book(store)))
        self._players = Players(store, self.sides, seat) if self.sides is not None else None
        self._entry, self._mark, self._digest = 0, GENESIS, GENESIS
        self._digests = bytearray()
        self._now = State(), Sightings()
        self._states = {0: self._now}
        self._latest: deque[int] = deque()
        self._sights: dict[int, Seen] = {}
        self._eyes, self._differences, self._scene = scenes.Eyes(self.sides, seat), scenes.Differences(), scenes.NOTHING
        self._messages: deque[Message] = deque(maxlen=KEPT)

    @property
    def state(self) -> State:
        """The state as far as they know that there is something to know of."""
        return self._now[0]

    @property
    def scene(self) -> scenes.Scene:
        """The board that they see."""
        return self._scene

    @property
    def board(self) -> Board:
        """The same in the words of the board: all of their own, and of the others what everybody is told."""
        return self._eyes.board

    def is_outdated_by(self, events: Sequence[Event]) -> bool:
        """Whether some new events change what the players see of earlier entries, so that the view is to be made
        anew.
        """
        kinds = {tag(type(event)) for event in events}
        if self.said == () and any(isinstance(event, _WHO_PLAYS) for event in events):
            return True
        return self._players is not None and self._players.is_outdated_by(kinds, self.store)

    def take(self, entry: Entry, digest: str, events: Sequence[Event], in_full: bool = True) -> None:
        """Adds the next entry. Only one that is taken `in_full` gets a message."""
        seen = self._players.see(entry, events) if self._players else WHOLE
        self._digests += bytes.fromhex(digest)
        before = self._now if entry.after == self._entry else self._state_after(entry.after)
        if not seen.secret:
            self._sights[entry.entry] = seen
        self._entry, self._digest, self._now = entry.entry, digest, self._next(entry.entry, before, events)
        self._states[self._entry] = self._now
        self._latest.append(self._entry)
        if len(self._latest) > _SPARSE and (old := self._latest.popleft()) % _SPARSE:
            del self._states[old]
        self._mark = sha256(
            encode([PROGRAM, self._mark, digest, seen, self.sides, *([self.seat] if self.seat else ())])
        ).hexdigest()
        if in_full:
            self._tell(entry, [one for one, _ in seen.facts(entry, events)], events)

    def _next(self, number: int, before: Held, events: Sequence[Event]) -> Held:
        """The state after one more entry, with what players have seen; as before where they know nothing of it."""
        seen = self._sights.get(number)
        if seen is None:
            return before
        state, sightings = before
        return scenes.after(state, events), sightings.after(seen.open(events)) if self._players else sightings

    def _state_after(self, number: int) -> Held:
        """The state after an entry as this view has it, folded from the nearest one that is kept."""
        path: list[int] = []
        for one in (one for first, last in self.store.course(number) for one in range(last, first - 1, -1)):
            if one in self._states:
                held = self._states[one]
                break
            path.append(one)
        else:
            held = self._states[0]
        for one in reversed(path):
            held = self._next(one, held, events_of(self.store.entry(one)))
        return held

    def _tell(self, entry: Entry, shown: Sequence[Event], events: Sequence[Event]) -> None:
        state, sightings = self._now
        encounter = state.encounter
        outcomes = told(shown, systems.recorded_verbs(state.campaign.system))
        said: dict[str, Any] = {
            "entry": entry.entry,
            "after": entry.after,
            "lasts": lasts(events),
            "course": harmless(scenes.correction_of(shown, outcomes))[:_LONGEST_LINE] if shown else "",
            "at": harmless(entry.recorded_at),
            "encounter": encounter.number if encounter.running else 0,
            "title": harmless(View(state).title),
            "round": state.turns.round if encounter.running else 0,
            "over": _is_over(state),
            "digest": self._digest,
            "dice": scenes.dice_of(shown),
            "origin": entry.origin,
            "marks": scenes.marked_by(shown),
            "deed": scenes.is_deed(shown, outcomes, encounter.running),
        }
        self._scene = self._eyes.look(state, sightings)
        board = self._differences.step(self._scene, self._legend())
        id_ = f"{entry.entry}-{self._mark}"
        bare = _sent("entry", encode({**said, "board": board, "told": []}), id_)
        said["told"] = _bounded(outcomes, max(_LEAST, _LONGEST - len(bare)))
        self._messages.append(Message(id_, _sent("entry", encode({**said, "board": board}), id_), encode(said)))

    def _legend(self) -> scenes.Legend:
        return scenes.legend([self._scene], self.sides or systems.players_sides(self._now[0]))

    def snapshot(self) -> Snapshot:
        """The view as it is now."""
        log: list[bytes] = []
        size = 0
        for message in reversed(self._messages):
            size += len(message.logged) + 1
            if size > _LONGEST_LOG:
                break
            log.append(message.logged)
        campaign = self._now[0].campaign
        known = systems.is_known(campaign.system)
        head = {
            "program": PROGRAM,
            "view": "players" if self.sides is not None else "gm",
            "campaign": harmless(campaign.name),
            "system": systems.load(campaign.system).title if known else harmless(campaign.system),
            "head": self._entry,
            "digest": self._digest,
            "began": self._digests[:32].hex(),
            "over": _is_over(self._now[0]),
            "labels": scenes.labels_of(campaign.system),
            "board": scenes.Differences().step(self._scene, self._legend()),
        }
        body = encode(head)[:-1] + b',"log":[' + b",".join(reversed(log)) + b"]}"
        id_ = f"{self._entry}-{self._mark}"
        return Snapshot(id_, _sent("whole", body, id_), tuple(self._messages), self._digests)


def _is_over(state: State) -> bool:
    """Whether there was a fight and none is under way."""
    return state.encounter.number > 0 and not state.encounter.running


def _sent(kind: str, body: bytes, id_: str) -> bytes:
    """An event of a stream of server-sent events."""
    return f"event: {kind}\nid: {id_}\ndata: ".encode() + body + b"\n\n"


def trouble(text: str, damaged: bool = False) -> bytes:
    """An event of the stream that says why nothing new is shown; "" when all is well again."""
    return b"event: trouble\ndata: " + encode({"text": text, "damaged": damaged}) + b"\n\n"


def _bounded(story: Sequence[Told], most: int) -> list[Told]:
    """What is told of an entry, with control characters escaped, in at most so many bytes of JSON: all outcomes, as far
    as there is room for them, then the arithmetic. What is left out is replaced by dots.
    """
    lines = [Told(harmless(one.outcome), tuple(map(harmless, one.arithmetic)), one.tone) for one in story]
    if len(encode(lines)) <= most:
        return lines
    bare = [replace(one, arithmetic=_LEFT_OUT if one.arithmetic else (), outcome=_short(one.outcome)) for one in lines]
    found: list[Told] = []
    spare = most - len(encode(Told(CUT)))
    for one in bare:
        spare -= len(encode(one)) + 1
        if spare < 0:
            return [*found, Told(CUT)]
        found.append(one)
    for at, one in enumerate(lines):
        needed = len(encode(one.arithmetic))
        if one.arithmetic and needed <= spare:
            found[at] = replace(found[at], arithmetic=one.arithmetic)
            spare -= needed
    return found


def _short(text: str) -> str:
    """A line, cut so that some like it have room even where each sign takes four bytes."""
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]} {CUT}"
