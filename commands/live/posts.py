"""What phones may ask the server to do: propose, answer, take back; and what the game master's page may decide.

Everything else is refused before it is read. `commands/live/PROTOCOL.md` describes it.
"""

import asyncio
import hmac
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from commands.action import systems
from commands.seats import questions
from commands.seats.hand import ASKED, Tap
from commands.seats.proposals import KIND, WAITS, For, Taken, known, propose, told
from commands.seats.sayable import Saying, form, said, typed_line, verbs
from commands.seats.trays import tray_at
from commands.seats.worker import Job, Worker
from commands.seen.twin import twin
from commands.words.reading import Said
from commands.words.shells import Shell
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.tray import Paper, Tray
from projections.state import State

from .follow import Look
from .seating import Sitting
from .views import encode

_MOST_BYTES = 4096
"""The most bytes of what is sent."""
PACE, BURST = 5.0, 5.0
"""Requests a second of one seat, and how many may come at once."""
_SOON, _LATER = 2.0, 8.0
"""Seconds until a page is told that something is still to be decided, and that it cannot be done now."""
_PATIENT = 5
"""How much more what is only reckoned waits for other programs than the server does."""
_AGAIN = 1.0
"""Seconds until a tray that could not be read is read again."""
_UNDER_WAY = {"again": True}
"""What a page is told of what is not done yet: the same again tells what came of it."""
_MOST_DICE, _MOST_SIDES = 100, 1000
_LONGEST_WORD = 100
"""The most characters of a word that says what a die was thrown for."""
_JSON = "application/json"


class _Propose(Struct, forbid_unknown_fields=True):
    id: str
    verb: str = ""
    said: dict[str, tuple[str, ...]] = {}
    line: str = ""
    dice: tuple[int | None, ...] | None = ()
    thrown_for: tuple[For, ...] = ()


class _Needs(Struct, forbid_unknown_fields=True):
    verb: str = ""
    said: dict[str, tuple[str, ...]] = {}
    line: str = ""


class _Answer(Struct, forbid_unknown_fields=True):
    id: str
    faces: tuple[int | None, ...]


class _TakeBack(Struct, forbid_unknown_fields=True):
    id: str


class _Decline(Struct, forbid_unknown_fields=True):
    number: int
    word: str = ""


_SEATS: dict[str, type[Struct]] = {"/propose": _Propose, "/needs": _Needs, "/answer": _Answer, "/take-back": _TakeBack}
_DESK: Mapping[str, type[Struct]] = {f"/{name}": Tap for name in ASKED}
_GM_POSTS: Mapping[str, type[Struct]] = {"/accept": Tap, "/decline": _Decline, **_DESK}
PATHS = frozenset({*_SEATS, *_GM_POSTS})


class Visitor(Struct, frozen=True):
    """Who asks."""

    view: str
    seat: str = ""


UNKNOWN = Visitor("")
"""Somebody of whom nobody can tell yet who they are."""


class Refusal(Exception):
    """An answer other than what was asked for."""

    def __init__(self, status: int, error: str, say: str) -> None:
        super().__init__(say)
        self.status, self.error, self.say = status, error, say

    def response(self) -> Response:
        """As it is sent. The connection ends with it: perhaps not all that was sent has been read."""
        headers = {"content-type": _JSON, "cache-control": "no-store", "connection": "close"}
        if self.status == 429:
            headers["retry-after"] = "1"
        return Response(encode({"error": self.error, "say": self.say}), self.status, headers)


class Pace:
    """How fast requests may come, for each who sends them."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[float, float]] = {}

    def takes(self, who: str) -> bool:
        """Whether one more may come now."""
        now = monotonic()
        spare, looked = self._of.get(who, (BURST, now))
        spare = min(BURST, spare + (now - looked) * PACE)
        self._of[who] = (spare - 1, now) if spare >= 1 else (spare, now)
        return spare >= 1


class Posts:
    """Answers what is sent to the server."""

    def __init__(
        self,
        path: str,
        sides: tuple[str, ...],
        look: Callable[[], Look],
        visitor: Callable[[Headers], Visitor | None],
        shell: Shell,
        hurry: Callable[[], None],
    ) -> None:
        self._path, self._said, self._look, self._visitor, self._hurry = path, sides, look, visitor, hurry
        self.worker, self._reckoner = Worker(path, shell), Worker(path, shell, _PATIENT)
        self._pace = Pace()
        self._tray: Tray | None = None
        self._using = threading.Lock()
        """The tray is used by one at a time."""

    def _reckoned(self, sitting: Sitting) -> State:
        """What a seat may reckon with."""
        return twin(sitting.known, self._said or systems.players_sides(sitting.known), sitting.seat)

    def admit(self, scope: Scope, host: str) -> ASGIApp:
        """Who answers a request that sends something: a refusal, as long as nothing of it was read, or this."""
        try:
            visitor = self._check(scope, Headers(scope=scope), host)
        except Refusal as refusal:
            return refusal.response()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                self._hurry()
                given = await self._answer(scope["path"], visitor, await _body(receive))
                response = Response(encode(given), 200, {"content-type": _JSON, "cache-control": "no-store"})
            except Refusal as refusal:
                response = refusal.response()
            await response(scope, receive, send)

        return answer

    def _check(self, scope: Scope, headers: Headers, host: str) -> Visitor:
        """Who sends it. Raises Refusal unless everything about it is as it must be."""
        if headers.getlist("origin") != [f"http://{host}"]:
            raise Refusal(403, "origin", "Only this server's own page can send something.")
        if headers.getlist("content-type") not in ([_JSON], [f"{_JSON}; charset=utf-8"]):
            raise Refusal(415, "type", "Only JSON can be sent.")
        length = headers.getlist("content-length")
        if len(length) != 1 or not (length[0].isascii() and length[0].isdigit()) or "transfer-encoding" in headers:
            raise Refusal(411, "length", "Its length must be said.")
        if len(length[0]) > 6 or int(length[0]) > _MOST_BYTES:
            raise Refusal(413, "length", f"At most {_MOST_BYTES} bytes can be sent.")
        if scope["query_string"]:
            raise Refusal(400, "words", "This server takes no words with a request.")
        visitor = self._visitor(headers) if len(headers.getlist("authorization")) == 1 else None
        if visitor is None:
            raise Refusal(401, "link", "This link is no longer good.")
        if visitor is UNKNOWN:
            raise Refusal(503, "ledger", "The ledger is being read; again in a moment.")
        if bool(visitor.seat) is not (scope["path"] in _SEATS) or (not visitor.seat and visitor.view != "gm"):
            raise Refusal(403, "who", "That is not yours to do.")
        if visitor.seat and not self._pace.takes(visitor.seat):
            raise Refusal(429, "pace", "That is too fast.")
        return visitor

    async def _answer(self, path: str, visitor: Visitor, body: bytes) -> dict[str, Any]:
        try:
            text = body.decode()
            asked = msgspec.json.decode(text, type={**_SEATS, **_GM_POSTS}[path])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refusal(400, "form", "That is not of the form that is asked for.") from None
        match asked:
            case Tap() if path in _DESK:
                return await self._tapped(path[1:], asked)
            case Tap() | _Decline():
                return await self._decide(asked)
            case _Propose():
                return await self._propose(self._sitting(visitor), asked, text)
            case _Needs():
                return await self._needs(self._sitting(visitor), asked)
            case _Answer():
                return await asyncio.to_thread(self._answered, visitor.seat, asked)
            case _TakeBack():
                return await self._take_back(visitor.seat, asked)
        raise AssertionError(path)

    def _sitting(self, visitor: Visitor) -> Sitting:
        sitting = self._look().seating.sittings.get(visitor.seat)
        if sitting is None:
            raise Refusal(401, "link", "This link is no longer good.")
        return sitting

    # A seat

    async def _propose(self, sitting: Sitting, asked: _Propose, sent: str) -> dict[str, Any]:
        if not _is_id(asked.id):
            raise Refusal(400, "id", "An id has 8 to 40 letters, digits, - and _.")
        paper = await asyncio.to_thread(self._laid, sitting, asked, sent)
        if paper.state == WAITS and sitting.seat.trusted:
            answer = await self.worker.ask(Job("trusted", paper.nth, sitting.seat.name), _SOON)
            if answer and "told" in answer:
                return dict(answer["told"])
        return dict(msgspec.to_builtins(told(paper)))

    def _laid(self, sitting: Sitting, asked: _Propose, sent: str) -> Paper:
        seat = sitting.seat.name
        with self._at_tray() as tray:
            try:
                paper = known(tray, seat, asked.id, sent)
                if paper is None:
                    saying = self._saying(sitting, asked.verb, asked.said, asked.line)
                    _check_faces(asked.dice or ())
                    _check_faces(saying.dice or ())
                    words = [word for one in asked.thrown_for for word in one]
                    fits = not words or len(asked.thrown_for) == len(asked.dice or ())
                    if not fits or any(len(word) > _LONGEST_WORD or not word.isprintable() for word in words):
                        raise UsageError("Each die is thrown for something, or none is said to be.")
                    paper = propose(tray, seat, asked.id, saying, asked.dice, sent, asked.thrown_for)
            except Taken as error:
                raise Refusal(409, "taken", error.message) from None
            except (NameUnknown, UsageError) as error:
                many = "wait already" in error.message
                raise Refusal(429 if many else 400, "many" if many else error.reference, _told(error)) from None
        return paper

    def _saying(self, sitting: Sitting, verb: str, fields: Said, line: str) -> Saying:
        """What a seat says, as far as that rests on what it may know. Raises UsageError and NameUnknown."""
        sits = self._reckoned(sitting), sitting.seat, sitting.now
        return typed_line(*sits, line) if line else said(*sits, verb, fields)

    async def _needs(self, sitting: Sitting, asked: _Needs) -> dict[str, Any]:
        try:
            saying = await asyncio.to_thread(self._saying, sitting, asked.verb, asked.said, asked.line)
        except (NameUnknown, UsageError) as error:
            raise Refusal(400, error.reference, _told(error)) from None
        seat, state, words = sitting.seat, self._reckoned(sitting).encoded(), msgspec.to_builtins(saying.declaration)
        job = Job("needs", seat=seat.name, state=state, verb=saying.verb, said=words, plays=seat.plays)
        return {"line": saying.line, **(await self.worker.ask(job, _LATER) or _UNDER_WAY)}

    def _answered(self, seat: str, asked: _Answer) -> dict[str, Any]:
        with self._at_tray() as tray:
            paper = tray.find(questions.KIND, seat, asked.id)
            if paper is None:
                raise Refusal(404, "id", "Nobody asks for these dice any more.")
            try:
                questions.answer(tray, paper, asked.faces)
            except UsageError as error:
                raise Refusal(409, "dice", error.message) from None
        return {"id": asked.id, "state": questions.ANSWERED}

    async def _take_back(self, seat: str, asked: _TakeBack) -> dict[str, Any]:
        paper = await asyncio.to_thread(self._found, seat, asked.id)
        answer = await self.worker.ask(Job("take back", paper.nth, seat), _LATER)
        if answer is None:
            return _UNDER_WAY
        if "told" not in answer:
            raise Refusal(503, "ledger", "The ledger cannot be read now.")
        return dict(answer["told"])

    def _found(self, seat: str, id_: str) -> Paper:
        with self._at_tray() as tray:
            paper = tray.find(KIND, seat, id_)
        if paper is None:
            raise Refusal(404, "id", "There is no such proposal.")
        return paper

    # The game master

    async def _decide(self, asked: Tap | _Decline) -> dict[str, Any]:
        word = asked.word if isinstance(asked, _Decline) else ""
        if len(word) > 200 or not word.isprintable():
            raise Refusal(400, "word", "What a player is told has at most 200 characters.")
        seat = await asyncio.to_thread(self._whose, asked)
        decided: dict[str, Any] = {"number": asked.number, "state": "", "say": "", "offers": []}
        if not seat:
            return {**decided, "state": "closed" if isinstance(asked, _Decline) else "answered"}
        job = Job("send back", asked.number, seat, word)
        if isinstance(asked, Tap):
            job = Job("record", asked.number, seat, tap=asked)
        answer = await self.worker.ask(job, _LATER) or {"state": "under way"}
        return decided | {name: answer[name] for name in decided if name in answer}

    async def _tapped(self, asked: str, tap: Tap) -> dict[str, Any]:
        """What comes of a tap at the desk. It is carried out though nobody waits for it; the same again tells."""
        if asked == "say" and not _is_id(tap.id):
            raise Refusal(400, "id", "An id has 8 to 40 letters, digits, - and _.")
        reckoned = asked in ("odds", "possible")  # that may take a while, and nothing waits for it
        worker = self._reckoner if reckoned else self.worker
        tap = replace(tap, phones=asked == "say" and bool(self._look().seating.gm))
        patience = _LATER + questions.PATIENCE * (reckoned or tap.phones)
        return await worker.ask(Job("desk", word=asked, tap=tap), patience) or _UNDER_WAY

    def _whose(self, asked: Tap | _Decline) -> str:
        """The seat of a proposal. A question is answered here, and has none: the program rolls, or nobody waits on."""
        with self._at_tray() as tray:
            try:
                for paper in tray.papers(questions.KIND, questions.OPEN):
                    if paper.nth == asked.number and isinstance(asked, _Decline):
                        questions.close(tray, paper)
                        return ""
                    if paper.nth == asked.number:
                        questions.answer(tray, paper, (None,) * len(questions.asked_of(paper).dice))
                        return ""
                found = [paper.seat for paper in tray.papers(KIND) if paper.nth == asked.number]
            except UsageError as error:
                raise Refusal(409, "dice", error.message) from None
        if not found:
            raise Refusal(404, "number", f"There is no proposal {asked.number}.")
        return found[0]

    @contextmanager
    def _at_tray(self) -> Iterator[Tray]:
        """The tray, for one at a time. Raises Refusal where it cannot be read now; it is opened anew next time."""
        with self._using:
            try:
                if self._tray is None:
                    self._tray = tray_at(self._path, self._known())
                yield self._tray
            except AffrayError:
                if self._tray is not None:
                    self._tray.close()
                self._tray = None
                raise Refusal(503, "ledger", "The ledger cannot be read now.") from None

    def _known(self) -> State:
        """A state of the campaign. Raises UsageError where nobody has a seat."""
        for sitting in self._look().seating.sittings.values():
            return sitting.known
        raise UsageError("There is no seat.")

    async def resume(self) -> None:
        """Carries on with what trusted seats proposed before the server was ended."""
        await self.worker.ask(Job("begin"), _LATER)
        for sitting in self._look().seating.sittings.values():
            if sitting.seat.trusted:
                while (papers := await asyncio.to_thread(self._open_of, sitting.seat.name)) is None:
                    await asyncio.sleep(_AGAIN)
                for paper in papers:
                    await self.worker.ask(Job("trusted", paper, sitting.seat.name), 0.01)

    def _open_of(self, seat: str) -> list[int] | None:
        """The numbers of what a seat proposes; None where the tray cannot be read now."""
        try:
            with self._at_tray() as tray:
                return [paper.nth for paper in tray.papers(KIND, WAITS) if paper.seat == seat]
        except Refusal:
            return None

    def end(self) -> None:
        """Ends all that was begun."""
        self.worker.end()
        self._reckoner.end()


@cache
def form_of(system: str) -> str:
    """The verbs of a seat, as a page makes forms of them: JSON, made once for each rule system."""
    return encode({"verbs": [form(*one, system) for one in verbs(system).items()]}).decode()


async def _body(receive: Receive) -> bytes:
    """What was sent. Its length was checked, and the server reads no more than that."""
    body = b""
    while True:
        message = await receive()
        body += bytes(message.get("body", b""))
        if len(body) > _MOST_BYTES or message["type"] == "http.disconnect":
            raise Refusal(413, "length", f"At most {_MOST_BYTES} bytes can be sent.")
        if not message.get("more_body"):
            return body


def _check_faces(faces: Sequence[int | None]) -> None:
    """Raises UsageError unless dice can show this."""
    if len(faces) > _MOST_DICE or any(face is not None and not 0 <= face <= _MOST_SIDES for face in faces):
        raise UsageError("Those are not the faces of dice.")


def _is_id(word: str) -> bool:
    return 8 <= len(word) <= 40 and word.isascii() and all(sign.isalnum() or sign in "-_" for sign in word)


def _told(error: AffrayError) -> str:
    """An error in one text, as a phone shows it."""
    lines = [re.sub("^affray ", "Try: ", line) for line in error.hint.splitlines()]
    return " ".join(filter(None, [error.message, *lines]))[:500]


def visitor_of(headers: Headers, token: bytes, look: Callable[[], Look]) -> Visitor | None:
    """Who sends these headers: the players, a seat, or the game master; UNKNOWN where nothing is read yet, and None for
    a token that is nobody's.
    """
    told = headers.get("authorization")
    if told is None:
        return Visitor("players")
    scheme, _, word = told.partition(" ")
    word = word.strip()
    if scheme.lower() != "bearer":
        return None
    if hmac.compare_digest(word.encode("utf-8", "replace"), token):
        return Visitor("gm")
    seating = look().seating
    if seating.unread:
        return UNKNOWN
    if seat := seating.seat_of(word):
        return Visitor(seating.sittings[seat].view, seat)
    return None
