"""`affray serve`: shows the fight on a page that follows the ledger."""

import asyncio
import errno
import gc
import os
import socket
import sys
from contextlib import closing
from typing import Annotated

from commands.action import systems
from commands.action.declaration import Declaration, Words, says
from commands.action.quoting import quoted
from commands.seats.links import addresses, in_words, served
from commands.seats.trays import tray_of
from commands.words.console import Console
from commands.words.discovery import find_ledger, is_address
from commands.words.installed import adding
from commands.words.screen import harmless
from ledger.errors import LedgerMissing, UsageError
from projections.state import State

_HERE, _EVERYWHERE = "127.0.0.1", "0.0.0.0"
_UNSENT = ("192.0.2.1", 9)
"""An address that nobody has. Asked which of its own a machine would use for it, it sends nothing."""
_PATIENT = 10
"""How much the server waits for other programs: an action at the table comes first."""
_QUIET = 2
"""Modules of white around a QR code. Terminals are dark around it, or white themselves."""


class Serve(Declaration):
    """Show the fight on a page that follows the ledger while any terminal writes. Prints the address for the players,
    whose page holds what a file for players holds, and the game master's own, which shows everything. Ctrl-C ends it.
    """

    host: Annotated[str, says("The address to listen on; by default only this machine reaches the page.")] = ""
    port: Annotated[int, says("The port; 0 for one that is free.", ge=0, le=65535)] = 0
    lan: Annotated[bool, says("Listen on the network, and print a QR code for the players.")] = False
    seats: Annotated[
        bool, says("Let players propose from their seats, and print the address and a QR code of each seat.")
    ] = False
    sides: Annotated[Words, says("The players' sides, about which everything is shown.")] = ()


def serve(console: Console, said: Serve) -> None:
    """Serves until Ctrl-C."""
    book = console.book
    state = book.present()[1]
    _check(said, state)
    _check_installed()
    from .server import run
    from .server import token_of as secret_of

    path, token = find_ledger(console.ledger), secret_of(book.store.key())
    listening = _listen(_EVERYWHERE if said.lan else said.host or _HERE, said.port)
    host, port = listening.getsockname()[:2]
    host = _own_address() if host == _EVERYWHERE else f"[{host}]" if ":" in host else host
    players = f"http://{host}:{port}/"
    gm = f"{players}#{token}"
    seats = dict[str, str]()
    if said.seats:
        with closing(tray_of(console)) as tray:
            served(tray, players)
            seats = addresses(tray, state)
    console.close()
    if console.json:
        answer = {"ok": True, "players": players, "gm": gm}
        console.give(answer | {"seats": seats} if said.seats else answer)
    else:
        _show_page(console, f"The players' page: {players}", players if said.lan else "")
        for seat in state.seats.taken if said.seats else ():
            _show_page(console, f"{in_words(seat)}: {seats[seat.name]}", seats[seat.name] if said.lan else "")
        console.say(f"Your page, which shows everything: {gm}", whole=True)
        console.say("Ctrl-C ends it.")
    sys.stdout.flush()
    gc.enable()
    if hasattr(os, "nice"):
        os.nice(_PATIENT)
    where = path if is_address(path) else os.path.abspath(path)
    assert console.own_shell
    shell = console.own_shell()
    names = ["localhost", *filter(None, [said.host])]
    asyncio.run(
        run(where, said.sides, token, listening, names, lambda text: console.whisper(harmless(text)), shell, said.seats)
    )
    if not console.json:
        console.say("\nThe page is no longer served; the ledger stays as it is.")


def _check(said: Serve, state: State) -> None:
    """Raises UsageError for words that do not go together, and for what the table lacks."""
    if said.lan and said.host:
        raise UsageError("--lan listens on every address of this machine, so it takes no --host.", "affray serve --lan")
    system = state.campaign.system
    if not said.sides and not systems.is_known(system):
        raise UsageError(
            f"The rule system {system[:40]!r} is not installed, so the players' sides are not known.",
            "Name them with --sides.",
        )
    known = [*dict.fromkeys([*systems.players_sides(state), *state.roster.sides()])]
    if known and (unknown := [side for side in said.sides if side not in known]):  # nothing would be told of their own
        raise UsageError(
            f"Nobody at the table is on the side {unknown[0][:40]!r}. Sides: {', '.join(known)}.",
            f"affray serve --sides {quoted(known[0])}",
        )


def _check_installed() -> None:
    """Raises UsageError where a library is missing."""
    try:
        import jinja2  # noqa: F401
        import segno  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"The page is served with Starlette, uvicorn, Jinja and segno, and {missing.name} is not installed.",
            adding("live"),
        ) from None


def _show_page(console: Console, line: str, code: str) -> None:
    """Prints where a page is, and the QR code of an address; "" for none."""
    import segno

    console.say(line, whole=True)
    for row in _drawn(segno.make(code, error="m", micro=False).matrix) if code else ():
        console.say(console.paint(row, "30;107"), whole=True)


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises LedgerMissing when the address cannot be had."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=128)
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise LedgerMissing(f"Port {port} of {host} is taken by another program.", "affray serve") from None
        number = error.errno if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else None
        why = os.strerror(number) if number else "it is not an address of this machine"
        raise LedgerMissing(f"Affray cannot listen on {host[:80]!r}, port {port}: {why}.", "affray serve") from None


def _own_address() -> str:
    """The address of this machine in its network. Raises LedgerMissing when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_UNSENT)
            return str(asking.getsockname()[0])
        except OSError:
            why = "This machine is in no network, so --lan has no address for the players."
            raise LedgerMissing(why, "affray serve") from None


def _drawn(matrix: "tuple[bytearray, ...]") -> list[str]:
    """A QR code in half blocks, two rows of it in a line, with a margin. Dark is drawn, as on paper."""
    width = len(matrix) + 2 * _QUIET
    margin = [bytearray(width)] * _QUIET
    rows = [*margin, *(bytearray(_QUIET) + row + bytearray(_QUIET) for row in matrix), *margin]
    rows += [bytearray(width)] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(" ▄▀█"[2 * top + below] for top, below in zip(*pair, strict=True)) for pair in pairs]
