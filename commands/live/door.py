"""The door: how many connections there may be, and how long one may take to ask for something."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from uvicorn.protocols.http.h11_impl import H11Protocol

_MOST = 200
"""Connections at once."""
_MOST_OF_ONE = 20
"""Connections at once from one address."""
PACE, BURST = 50.0, 100.0
"""New connections a second, and how many may come at once before that: an action at the table comes first."""
PATIENCE = 10.0
"""Seconds for a whole request, and for taking what was sent when too much of it waits."""
_WAITING = 1 << 16
"""Bytes of an answer that the system holds for one connection, about."""
_LOST = 30_000
"""Milliseconds after which a connection whose other end answers nothing is given up."""
LONGEST_REQUEST = 8192
"""The most bytes of a request, and of all that comes before it is answered."""


class Crowd:
    """Counts the connections."""

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Whether there is room for one more from an address."""
        return self.of.total() < _MOST and self.of[address] < _MOST_OF_ONE

    def enter(self, address: str) -> bool:
        """Takes in one more, if there is room."""
        if not self.has_room(address):
            return False
        self.of[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self.of[address] -= 1
        if not self.of[address]:
            del self.of[address]


class Connection(H11Protocol):
    """One connection: closed at once where there is no room, and when a request or an answer takes too long."""

    crowd: Crowd
    """All connections of the server; a subclass made for it has it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._address = str((transport.get_extra_info("peername") or ("",))[0])
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._inside = self.crowd.enter(self._address)
        self._heard = 0
        if not self._inside:
            transport.abort()
            return
        connected = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WAITING)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _LOST)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        self._stop_waiting()
        self._taken()
        if self._inside:
            self._inside = False
            self.crowd.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the clock runs from its first byte to its last."""
        self._heard += len(data)
        if self._heard > LONGEST_REQUEST:
            self.transport.abort()
        if not self._inside or self.transport.is_closing():
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            self._stop_waiting()
        elif self._timer is None:
            self._wait()

    def on_response_complete(self) -> None:
        """An answer is sent; the next request may come."""
        super().on_response_complete()
        self._heard = 0
        if not self.transport.is_closing():
            self._wait()

    def pause_writing(self) -> None:
        """Too much waits to be taken."""
        super().pause_writing()
        self._unread = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        """Most of it is taken."""
        super().resume_writing()
        self._taken()

    def _taken(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
        self._unread = None

    def _wait(self) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


async def let_in(listening: socket.socket, crowd: Crowd, made: Callable[[], asyncio.Protocol]) -> None:
    """Lets in those who connect, at the pace, and turns those away at once for whom there is no room."""
    loop = asyncio.get_running_loop()
    listening.setblocking(False)
    spare, looked = BURST, loop.time()
    while True:
        now = loop.time()
        spare, looked = min(BURST, spare + (now - looked) * PACE), now
        if spare < 1:
            await asyncio.sleep(0.1)
            continue
        spare -= 1
        with suppress(OSError):
            connected, address = await loop.sock_accept(listening)
            if crowd.has_room(str(address[0])):
                await loop.connect_accepted_socket(made, connected)
            else:
                connected.close()


def connection(crowd: Crowd) -> type[Connection]:
    """The kind of connection of a server with this crowd."""
    return type("Connection", (Connection,), {"crowd": crowd})
