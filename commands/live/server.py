"""The server: runs the site and the follower until Ctrl-C."""

import asyncio
import contextlib
import hmac
import signal
import socket
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import uvicorn

from commands.words.shells import Shell

from .door import LONGEST_REQUEST, Crowd, connection, let_in
from .drawings import Drawings
from .follow import Follower, Look
from .posts import Posts, visitor_of
from .seating import NOBODY, UNREAD, Usher
from .site import GM, PLAYERS, Live, site


def token_of(key: bytes) -> str:
    """The game master's token for a campaign. It comes from the campaign's key, so that a page outlives the server."""
    return urlsafe_b64encode(hmac.digest(key, b"live page 0", "sha256")[:24]).decode()


class _Server(uvicorn.Server):
    """Ends at Ctrl-C without another word."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C, and a request to end, end the server."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


async def run(
    path: str,
    sides: Sequence[str],
    token: str,
    listening: socket.socket,
    names: Sequence[str],
    whisper: Callable[[str], None],
    shell: Shell,
    seats: bool = False,
) -> None:
    """Serves a ledger until Ctrl-C, with `seats` also what players propose. `whisper` is told when the ledger cannot be
    read.
    """
    live, loop = Live(UNREAD if seats else NOBODY), asyncio.get_running_loop()
    audiences, crowd, secret = {PLAYERS: sides, GM: None}, Crowd(), token.encode()
    kind = connection(crowd)
    resumed: list[asyncio.Future[None]] = []

    def change(seen: Look) -> None:
        if seen.trouble:
            whisper(seen.trouble.message)
        elif seen.unseated and seen.unseated is not live.seen.unseated:
            whisper(f"{seen.unseated.message} {seen.unseated.hint} The players' page goes on; the seats wait.")
        live.change(seen)
        if seen.seating.sittings and not resumed:
            resumed.append(asyncio.ensure_future(posts.resume()))

    def tell(seen: Look) -> None:
        with contextlib.suppress(RuntimeError):  # the server has just ended
            loop.call_soon_threadsafe(change, seen)

    follower = Follower(path, audiences, tell, Usher(path, PLAYERS, GM) if seats else None)
    whose = partial(visitor_of, token=secret, look=live.look)
    posts = Posts(path, tuple(sides), live.look, whose, shell, follower.hurry)
    config = _config(site(live, Drawings(path, audiences), token, names, posts), kind)
    config.load()
    server = _Server(config)
    follower.start()
    ending = asyncio.ensure_future(_end(server, live))
    door = asyncio.ensure_future(
        let_in(listening, crowd, lambda: kind(config=config, server_state=server.server_state, app_state={}))
    )
    try:
        await server.serve(sockets=[])
    finally:
        ending.cancel()
        door.cancel()
        listening.close()
        live.end()
        posts.end()
        await asyncio.to_thread(follower.end)


def _config(app: Any, kind: Any) -> uvicorn.Config:
    """A server that takes connections of this kind, and says nothing by itself."""
    return uvicorn.Config(
        app,
        http=kind,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        h11_max_incomplete_event_size=LONGEST_REQUEST,
        timeout_graceful_shutdown=1,
    )


async def _end(server: uvicorn.Server, live: Live) -> None:
    """Ends the streams as soon as the server is to end, so that it need not wait for them."""
    while not server.should_exit:
        await asyncio.sleep(0.05)
    live.end()
