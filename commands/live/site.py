"""The site: what can be asked of the server, and who gets an answer. `commands/live/PROTOCOL.md` describes it."""

import asyncio
import zlib
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commands.action.book import PROGRAM
from commands.seen.page.templates import SCENES, bundle, style_sheet, template
from commands.seen.scenes import NOTHING
from ledger.errors import AffrayError, LedgerDamaged

from .drawings import Drawings
from .follow import Look
from .posts import PATHS, UNKNOWN, Posts, Visitor, form_of, visitor_of
from .seating import Seating
from .views import number_in, trouble

PLAYERS, GM = "players", "gm"
"""The views."""
_STREAM, _DRAWN = "/events", "/drawings"
"""The paths of the streams, and of story and heroes. No word may follow them: no token is put there by mistake."""
_FORM = "/form"
"""The path of what a seat can say."""
_DIGESTS = "/digests/"
"""The path of a digest, before the number of its entry."""
_SCRIPTS = ("live", "controls", "form", "seat", "desk")
_STATIC = Path(__file__).parent / "static"
_SAFE = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""Headers of every answer."""
_BEAT = 15.0
"""Seconds of silence after which a stream says that it is still there."""
_GZIP = 16 + 13
"""Packed as gzip, with a window of 8 KiB: two hundred streams take little memory."""
_GONE = "The ledger cannot be read now; what you see may be old."
_DAMAGED = "The ledger is not what was recorded; what you see may be old."
_UNSEATED = "Your seat cannot be read now: tell the game master."
_DESK = "The seats cannot be read now; the terminal of affray serve says why."
"""What pages say then. Why is told only where the server runs."""


class Live:
    """What the streams send, as it is now."""

    def __init__(self, seating: Seating) -> None:
        self.seen = Look({}, None, seating)
        self._changed = asyncio.Event()
        self.ended = False

    def look(self) -> Look:
        """What is seen now."""
        return self.seen

    def change(self, seen: Look) -> None:
        """Takes what was seen, and wakes all streams."""
        self.seen = seen
        self._wake()

    def end(self) -> None:
        """Ends all streams."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> bool:
        """Waits for a change, but no longer than for one beat; whether there was one."""
        with suppress(TimeoutError):
            return await asyncio.wait_for(self._changed.wait(), _BEAT)
        return False


_FOREIGN = PlainTextResponse("This is not a token of this page.\n", 401)
_EARLY = PlainTextResponse("Nothing is read yet.\n", 503)
_OUT = b"event: out\ndata: {}\n\n"
"""Tells the phone of a seat that its link is no longer good."""


class _Answers:
    """What is answered at once: story and heroes, what a seat can say, and the digest of an entry."""

    def __init__(self, live: Live, drawings: Drawings, token: str) -> None:
        self._live, self._drawings, self._token = live, drawings, token.encode()

    async def drawn(self, request: Request) -> Response:
        """Story and heroes."""
        visitor = visitor_of(request.headers, self._token, self._live.look)
        if not visitor or visitor is UNKNOWN:
            return _FOREIGN
        view = PLAYERS if visitor.seat else visitor.view
        snapshot = self._live.seen.views.get(view)
        try:
            drawn = await self._drawings.of(view, snapshot.id if snapshot else "")
        except AffrayError:
            return PlainTextResponse(f"{_GONE}\n", 503)
        return HTMLResponse(drawn, headers={"cache-control": "no-store"})

    async def form(self, request: Request) -> Response:
        """The verbs that a seat can say."""
        visitor = visitor_of(request.headers, self._token, self._live.look)
        sitting = self._live.seen.seating.sittings.get(visitor.seat) if visitor else None
        if sitting is None:
            return _EARLY if visitor is UNKNOWN else _FOREIGN
        body = await asyncio.to_thread(form_of, sitting.known.campaign.system)
        return await _File(body, "application/json").answer(request)

    async def digest(self, request: Request) -> Response:
        """The digest of an entry: what a page that has seen it, and no longer has it, compares. It is no secret."""
        snapshot = self._live.seen.views.get(PLAYERS)
        found = snapshot.digest(number_in(request.path_params["number"])) if snapshot else ""
        text, status = (found, 200) if found else ("There is no such entry.\n", 404)
        return PlainTextResponse(text, status, {"cache-control": "no-store"})


class Stream:
    """The stream of a view: the whole of it or what is new since a known entry, then each entry as it is recorded."""

    def __init__(self, live: Live, token: str) -> None:
        self._live, self._token = live, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        headers = Headers(scope=scope)
        visitor = visitor_of(headers, self._token, self._live.look)
        if not visitor:
            await _FOREIGN(scope, receive, send)
            return
        start = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        packed = "gzip" in headers.get("accept-encoding", "")
        if packed:
            start += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        await send({"type": "http.response.start", "status": 200, "headers": start})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        sending = asyncio.ensure_future(self._stream(headers, headers.get("last-event-id", ""), Pieces(send, packed)))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def _stream(self, headers: Headers, known: str, pieces: "Pieces") -> None:
        said, beside = "", b""
        while not self._live.ended:
            seen = self._live.seen
            visitor = visitor_of(headers, self._token, self._live.look)
            if visitor is None:
                await pieces.send(_OUT)
                break
            if visitor is UNKNOWN:
                await self._live.changed()
                continue
            if snapshot := seen.views.get(visitor.view):
                if known != snapshot.id:
                    for piece in snapshot.news(known):
                        await pieces.send(piece)
                known = snapshot.id
            if (told := _beside(seen, visitor)) != beside:
                await pieces.send(told)
                beside = told
            text = _wrong(seen, visitor)
            if text != said:
                await pieces.send(trouble(text, isinstance(seen.trouble, LedgerDamaged)))
                said = text
            if seen is self._live.seen and not self._live.ended and not await self._live.changed():
                await pieces.send(b":\n\n")
        await pieces.end()


def _wrong(seen: Look, visitor: Visitor) -> str:
    """What somebody is told of what cannot be read; "" when all is well for them."""
    if seen.trouble:
        return _DAMAGED if isinstance(seen.trouble, LedgerDamaged) else _GONE
    if seen.unseated and (visitor.seat or visitor.view == GM):
        return _UNSEATED if visitor.seat else _DESK
    return ""


def _beside(seen: Look, visitor: Visitor) -> bytes:
    """What somebody is shown of the seats, as an event of the stream; nothing to the players."""
    if visitor.seat:
        return seen.seating.sittings[visitor.seat].sent
    return seen.seating.gm if visitor.view == GM else b""


class Pieces:
    """A body that is sent piece by piece, packed where the browser takes that. Each piece can be read when it comes."""

    def __init__(self, send: Send, packed: bool) -> None:
        self._send = send
        self._packer = zlib.compressobj(wbits=_GZIP, memLevel=6) if packed else None

    async def send(self, piece: bytes) -> None:
        """Sends a piece."""
        if self._packer:
            piece = self._packer.compress(piece) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self) -> None:
        """Ends the body."""
        await self._send({"type": "http.response.body", "body": self._packer.flush() if self._packer else b""})


async def _left(receive: Receive) -> None:
    """Waits until somebody leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _File:
    """A file of the page, packed where the browser takes that. A browser that has it already does not get it again."""

    def __init__(self, text: str, kind: str) -> None:
        self._body = text.encode()
        self._packed = zlib.compress(self._body, 9, wbits=31)  # as gzip
        self._kind = f"{kind}; charset=utf-8"
        self._tag = f'"{sha256(self._body).hexdigest()[:32]}"'

    async def answer(self, request: Request) -> Response:
        """What a request for it is answered."""
        headers = {"etag": self._tag, "cache-control": "no-cache", "content-type": self._kind}
        body, headers["vary"] = self._body, "accept-encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["content-encoding"] = self._packed, "gzip"
        same = request.headers.get("if-none-match") == self._tag
        return Response(b"", 304, headers) if same else Response(body, 200, headers)


def _files() -> dict[str, _File]:
    """The files of the page by their path. Nothing of a ledger is in them."""
    page = template("live.html", _STATIC).render(
        campaign="Affray", program=PROGRAM, last=0, now="", line="", scene=NOTHING, titles=()
    )
    return {
        "/": _File(page, "text/html"),
        "/live.css": _File(style_sheet() + (_STATIC / "seat.css").read_text(encoding="utf-8"), "text/css"),
        "/live.js": _File(bundle(*SCENES, *(_STATIC / f"{name}.js" for name in _SCRIPTS)), "text/javascript"),
        "/live.svg": _File((_STATIC / "live.svg").read_text(encoding="utf-8"), "image/svg+xml"),
    }


class _Gate:
    """Stands before the whole site: refuses names of the server that others gave it, and all but reading and what seats
    may ask for.
    """

    def __init__(self, site: ASGIApp, names: Iterable[str], posts: Posts) -> None:
        self._site, self._names, self._posts = site, {name.lower() for name in names}, posts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SAFE.items():
                    headers[name] = value
            await send(message)

        await self._answers(scope)(scope, receive, safely)

    def _answers(self, scope: Scope) -> ASGIApp:
        headers = Headers(scope=scope)
        said = headers.get("host", "").lower()
        host, _, port = said.rpartition(":") if said.rpartition(":")[2].isdigit() else (said, "", "80")
        address, here = scope["server"]
        named = host in self._names or host in (address, f"[{address}]")
        if not named or port != str(here) or len(headers.getlist("host")) != 1:
            return PlainTextResponse("This server is not known by that name.\n", 421, {"connection": "close"})
        if scope["method"] == "POST" and scope["path"] in PATHS:
            return self._posts.admit(scope, said)
        if scope["method"] not in ("GET", "HEAD"):
            closed = {"allow": "GET, HEAD", "connection": "close"}
            return PlainTextResponse("This server can only be read.\n", 405, closed)
        words = scope["query_string"] and scope["path"] in (_STREAM, _DRAWN)
        if words or "content-length" in headers or "transfer-encoding" in headers:
            return PlainTextResponse("This server takes no words with a request.\n", 400, {"connection": "close"})
        return self._site


def site(live: Live, drawings: Drawings, token: str, names: Iterable[str], posts: Posts) -> ASGIApp:
    """The site, which is known by these names besides its addresses. By `posts` those in seats can propose."""
    answers = _Answers(live, drawings, token)
    routes = [Route(path, file.answer) for path, file in _files().items()]
    routes += [Route(_STREAM, Stream(live, token)), Route(_DRAWN, answers.drawn), Route(_FORM, answers.form)]
    routes.append(Route(f"{_DIGESTS}{{number}}", answers.digest))
    return _Gate(Starlette(routes=routes), names, posts)
