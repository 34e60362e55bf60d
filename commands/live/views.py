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
from commands.action.book import PROGRAM, events_of
from commands.files.exports.player_safe import WHOLE, Players
from commands.files.page.moments import Boards, Row, after
from commands.words.console import harmless
from ledger.chain import GENESIS, Entry
from ledger.events import Event, lasts, tag
from ledger.store import Store
from projections.narration import Told, told
from projections.state import State

KEPT = 200
"""How many of the latest entries are kept in full: a page that knows one of them catches up from there."""
SPARSE = 128
"""The state after entries divisible by this is kept, and after the latest so many entries."""
LONGEST = 4_096
"""The most bytes of an entry as it is sent, unless the board changes in more than can be said with so many."""
AROUND = 500
"""The bytes of it that are neither told nor of the board are fewer."""
LEAST = 1_000
"""So many bytes may be told of an entry, however much of the board changes."""
LONGEST_LOG = 40_000
"""The most bytes of log that a page gets at first."""
LONGEST_LINE = 200
"""The most signs of an outcome, where not all is told."""
LEFT_OUT = ("...",)
CUT = "... (the log of the ledger has the rest)"

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

    def since(self, known: str) -> tuple[Message, ...] | None:
        """The entries after the one with this id; None when this view does not continue what had that id."""
        at = _number(known) - _number(self.messages[0].id) if self.messages else -1
        if not 0 <= at < len(self.messages) or self.messages[at].id != known:
            return None
        return self.messages[at + 1 :]


def _number(id_: str) -> int:
    """The number of the entry in an id; -1 for what is no id."""
    word = id_.partition("-")[0]
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else -1


class View:
    """What some see of a ledger: the players (`sides` are theirs), or the game master (None)."""

    def __init__(self, store: Store, sides: Sequence[str] | None) -> None:
        self.store, self.sides = store, sides
        self._players = Players(store, sides) if sides is not None else None
        self._entry, self._mark, self._digest = 0, GENESIS, GENESIS
        self._state = State()
        self._states = {0: self._state}
        self._latest: deque[int] = deque()
        self._secret: set[int] = set()
        self._board = Boards(sides)
        self._lines: list[str] = []
        self._rows: dict[str, Row] = {}
        self._messages: deque[Message] = deque(maxlen=KEPT)

    def is_outdated_by(self, events: Sequence[Event]) -> bool:
        """Whether some new events change what the players see of earlier entries, so that the view is to be made
        anew.
        """
        kinds = {tag(type(event)) for event in events}
        return self._players is not None and self._players.is_outdated_by(kinds, self.store)

    def take(self, entry: Entry, digest: str, events: Sequence[Event], in_full: bool = True) -> None:
        """Adds the next entry. Only one that is taken `in_full` gets a message."""
        seen = self._players.see(entry, events) if self._players else WHOLE
        state = self._state if entry.after == self._entry else self._state_after(entry.after)
        if seen.secret:
            self._secret.add(entry.entry)
        else:
            state = after(state, events)
        self._entry, self._digest, self._state = entry.entry, digest, state
        self._keep()
        self._mark = sha256(encode([PROGRAM, self._mark, digest, seen, self.sides])).hexdigest()
        if in_full:
            self._tell(entry, [one for one, _ in seen.told(entry, events)], lasts(events))

    def _keep(self) -> None:
        self._states[self._entry] = self._state
        self._latest.append(self._entry)
        if len(self._latest) > SPARSE and (old := self._latest.popleft()) % SPARSE:
            del self._states[old]

    def _state_after(self, number: int) -> State:
        """The state after an entry as this view has it, folded from the nearest one that is kept."""
        path: list[int] = []
        for one in (one for first, last in self.store.course(number) for one in range(last, first - 1, -1)):
            if one in self._states:
                state = self._states[one]
                break
            path.append(one)
        else:
            state = self._states[0]
        for one in reversed(path):
            if one not in self._secret:
                state = after(state, events_of(self.store.entry(one)))
        return state

    def _tell(self, entry: Entry, shown: Sequence[Event], lasting: bool) -> None:
        encounter = self._state.encounter
        said: dict[str, Any] = {
            "entry": entry.entry,
            "after": entry.after,
            "lasts": lasting,
            "at": harmless(entry.recorded_at),
            "encounter": encounter.number if encounter.running else 0,
            "round": self._state.turns.round if encounter.running else 0,
        }
        lines, rows = self._board.look(self._state)
        board: dict[str, Any] = {}
        if lines != self._lines:
            board["lines"] = lines
        if list(rows) != list(self._rows):
            board["order"] = list(rows)
        changed = {who: row for who, row in rows.items() if row is not self._rows.get(who)}
        if changed:
            board["rows"] = changed
        self._lines, self._rows = lines, rows
        said["told"] = _bounded(told(shown), max(LEAST, LONGEST - AROUND - len(encode(board))))
        id_ = f"{entry.entry}-{self._mark}"
        body = encode({**said, "digest": self._digest, "board": board})
        self._messages.append(Message(id_, _sent("entry", body, id_), encode(said)))

    def snapshot(self) -> Snapshot:
        """The view as it is now."""
        log: list[bytes] = []
        size = 0
        for message in reversed(self._messages):
            size += len(message.logged) + 1
            if size > LONGEST_LOG:
                break
            log.append(message.logged)
        campaign = self._state.campaign
        known = systems.is_known(campaign.system)
        head = {
            "program": PROGRAM,
            "view": "players" if self.sides is not None else "referee",
            "campaign": harmless(campaign.name),
            "system": systems.load(campaign.system).title if known else harmless(campaign.system),
            "head": self._entry,
            "digest": self._digest,
            "board": {"lines": self._lines, "order": list(self._rows), "rows": self._rows},
        }
        body = encode(head)[:-1] + b',"log":[' + b",".join(reversed(log)) + b"]}"
        id_ = f"{self._entry}-{self._mark}"
        return Snapshot(id_, _sent("whole", body, id_), tuple(self._messages))


def _sent(kind: str, body: bytes, id_: str) -> bytes:
    """An event of a stream of server-sent events."""
    return f"event: {kind}\nid: {id_}\ndata: ".encode() + body + b"\n\n"


def trouble(text: str) -> bytes:
    """An event of the stream that says why nothing new is shown; "" when all is well again."""
    return b"event: trouble\ndata: " + encode({"text": text}) + b"\n\n"


def _bounded(story: Sequence[Told], most: int) -> list[Told]:
    """What is told of an entry, with control characters escaped, in at most so many bytes of JSON: all outcomes, as far
    as there is room for them, then the arithmetic. What is left out is replaced by dots.
    """
    lines = [
        replace(one, outcome=harmless(one.outcome), arithmetic=tuple(map(harmless, one.arithmetic))) for one in story
    ]
    if len(encode(lines)) <= most:
        return lines
    bare = [replace(one, arithmetic=LEFT_OUT if one.arithmetic else (), outcome=_short(one.outcome)) for one in lines]
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
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} {CUT}"
