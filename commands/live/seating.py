"""The seats as the server knows them: their links, and what their phones and the game master's page are shown of them.
Read in the thread of the follower.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256

from msgspec import Struct

from commands.seats.links import address_of, addresses, keep, served, tokens
from commands.seats.phone import for_gm, for_seat
from commands.seats.proposals import BACK, DECLINED, RECORDED
from commands.seats.questions import ASIDE, CLOSED, USED
from commands.seats.trays import tray_at
from ledger.errors import AffrayError
from ledger.tray import PROPOSAL, QUESTION, Tray
from projections.roster import Seat
from projections.state import State

from .views import Watched, encode


class Sitting(Struct, frozen=True):
    """One seat."""

    seat: Seat
    view: str
    """The view that its phone sees."""
    known: State
    now: tuple[str, ...]
    """Those of the seat who may act, as its phone is shown."""
    sent: bytes
    """As an event of the stream."""


class Seating(Struct, frozen=True):
    """All seats at one moment."""

    sittings: Mapping[str, Sitting]
    """By the name of the seat; none before anything was read."""
    links: Mapping[bytes, str]
    """The seats by a digest of their secrets."""
    gm: bytes
    """What the game master's page is shown, as an event of the stream."""
    unread: bool = False
    """Whether nothing was read yet: nobody can tell a good link from a bad one."""

    def seat_of(self, token: str) -> str:
        """The seat whose secret this is; "" for none. Takes as long whatever the secrets are."""
        seat = self.links.get(_mark(token), "")
        return seat if seat in self.sittings else ""


NOBODY = Seating({}, {}, b"")
"""Where no seats are served."""
UNREAD = Seating({}, {}, b"", unread=True)
"""Before anything was read."""


def _mark(token: str) -> bytes:
    """The digest by which a secret is looked up: how long that takes says nothing of the secret."""
    return sha256(token.encode("utf-8", "replace")).digest()


def own_view(seat: str) -> str:
    """The name of the view of a seat that sees more than the players."""
    return f"seat {seat}"


def seats_apart(known: State, sides: Collection[str]) -> list[str]:
    """The seats from which somebody is played who is on no side of the players: they have views of their own."""
    strangers = {who for who, member in known.roster.members.items() if member.side not in sides}
    return [seat.name for seat in known.seats.taken if not strangers.isdisjoint(seat.plays)]


class Usher:
    """Reads the tray whenever it or the ledger has changed."""

    def __init__(self, path: str, players: str, gm: str) -> None:
        self._path, self._players, self._gm = path, players, gm
        self._tray: Tray | None = None
        self._version: tuple[int, int] | None = None
        self._seen = UNREAD
        self._links: dict[str, str] = {}
        """The links as they were read last."""
        self._address = ""
        """Where the page is served."""

    def look(self, views: Mapping[str, Watched], changed: bool) -> Seating:
        """The seats now; the same object where nothing has changed. Raises AffrayError when the tray cannot be read."""
        if not views:
            return self._seen
        known, truth = views[self._players].state, views[self._gm].state
        try:
            if self._tray is None:
                self._tray = tray_at(self._path, truth)
                self._lay_again(self._tray, truth)
                self._tray.tidy(PROPOSAL, RECORDED, DECLINED, BACK)
                self._tray.tidy(QUESTION, CLOSED, USED, ASIDE)
            version = self._tray.version()
            if changed or version != self._version:
                self._seen, self._version = self._read(self._tray, views, known, truth), version
        except AffrayError:
            self.close()
            raise
        return self._seen

    def _read(self, tray: Tray, views: Mapping[str, Watched], known: State, truth: State) -> Seating:
        sittings = {}
        for seat in known.seats.taken:
            if truth.seats.named(seat.name) is None:
                continue
            name = own_view(seat.name) if own_view(seat.name) in views else self._players
            view = views[name]
            now = tuple(who for who in seat.plays if who in view.scene.now)
            said = for_seat(tray, view.state, view.board, now, seat)
            sittings[seat.name] = Sitting(seat, name, view.state, now, _event("seat", said))
        pages = addresses(tray, truth)
        seats = [
            {"name": one.name, "plays": one.plays, "address": pages[one.name], "code": _code(pages[one.name])}
            for one in truth.seats.taken
        ]
        self._links, self._address = tokens(tray), address_of(tray)
        links = {_mark(token): seat for seat, token in self._links.items()}
        return Seating(sittings, links, _event("desk", {"seats": seats, **for_gm(tray, truth)}))

    def _lay_again(self, tray: Tray, truth: State) -> None:
        """Where a new tray lies in place of the one that was read before, everybody keeps their link."""
        if not self._address or address_of(tray):
            return
        served(tray, self._address)
        for seat, token in self._links.items():
            if truth.seats.named(seat):
                keep(tray, seat, token)

    def close(self) -> None:
        """Closes the tray; the next look opens it anew."""
        if self._tray is not None:
            with suppress(AffrayError):
                self._tray.close()
        self._tray = self._version = None


@cache
def _code(address: str) -> list[str]:
    """The rows of the QR code of an address, with a 1 for what is dark."""
    import segno

    return ["".join(map(str, row)) for row in segno.make(address, error="m", micro=False).matrix]


def _event(kind: str, said: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + encode(said) + b"\n\n"
