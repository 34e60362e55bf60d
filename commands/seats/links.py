"""The links of seats: a random secret for each, by which its phone is known."""

from contextlib import closing
from secrets import token_urlsafe
from typing import Annotated

import msgspec
from msgspec import Struct

from commands.action import systems
from commands.action.book import Done
from commands.action.declaration import Declaration, says
from commands.action.seats import Seat
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.events import Seated, whose
from ledger.tray import LINK, SERVED, Tray
from projections.roster import Seat as Taken
from projections.state import State

from .trays import tray_of

_GOOD = "good"
_BYTES = 24
"""Random bytes of a secret."""
_SHOWN = "affray serve --lan --seats"
"""The command that shows the addresses."""


class _Link(Struct, frozen=True):
    token: str


class _Served(Struct, frozen=True):
    address: str


def tokens(tray: Tray) -> dict[str, str]:
    """The secret of each seat that has one."""
    return {paper.seat: msgspec.json.decode(paper.body, type=_Link).token for paper in tray.papers(LINK)}


def token_of(tray: Tray, seat: str) -> str:
    """The secret of a seat, made when it is first asked for."""
    return msgspec.json.decode(tray.lay(LINK, seat, "", _GOOD, _json()).body, type=_Link).token


def keep(tray: Tray, seat: str, token: str) -> None:
    """Gives a seat that has no secret one that it had before."""
    tray.lay(LINK, seat, "", _GOOD, _json(token))


def _json(token: str = "") -> str:
    return msgspec.json.encode(_Link(token or token_urlsafe(_BYTES))).decode()


def served(tray: Tray, address: str) -> None:
    """Notes where the page is served."""
    tray.put(SERVED, "", "", _GOOD, msgspec.json.encode(_Served(address)).decode())


def address_of(tray: Tray) -> str:
    """Where the page was served last; "" where it never was."""
    paper = tray.find(SERVED, "", "")
    return msgspec.json.decode(paper.body, type=_Served).address if paper else ""


def addresses(tray: Tray, state: State) -> dict[str, str]:
    """The address of the page of each seat."""
    page = address_of(tray)
    return {one.name: f"{page}#{token_of(tray, one.name)}" for one in state.seats.taken}


def follow(console: Console, done: Done, said: Declaration) -> None:
    """What follows beside the ledger when a seat was given or taken away."""
    assert isinstance(said, Seat)
    names = [event.seat for event in done.events if isinstance(event, Seated)]
    if not names or not (said.nobody or said.new_link):
        return
    with closing(tray_of(console)) as tray:
        for name in names:
            if said.nobody:
                tray.take(LINK, name)
                continue
            tray.put(LINK, name, "", _GOOD, _json())  # the secret before is of no use from now on
            address = f"{address_of(tray)}#{token_of(tray, name)}"
            if not console.json:
                console.say(f"{whose(name)} page: {address}" if address[0] != "#" else f"Try: {_SHOWN}", whole=True)


class Seats(Declaration):
    """List the seats, and whom each plays."""

    links: Annotated[bool, says("Show the address of each page, which nobody else should see.")] = False


def seats(console: Console, said: Seats) -> None:
    """Lists them. Those of the players' sides whom nobody plays from a seat stand at the end."""
    state = console.book.present()[1]
    found = dict[str, str]()
    if said.links:
        with closing(tray_of(console)) as tray:
            found = addresses(tray, state)
    ours = systems.players_sides(state)
    free = [who for who in state.roster.order if state.roster.members[who].side in ours and not state.seats.of(who)]
    if console.json:
        listed = [
            {"seat": one.name, "plays": one.plays, "trusted": one.trusted}
            | ({"address": found[one.name]} if said.links else {})
            for one in state.seats.taken
        ]
        console.give({"ok": True, "seats": listed, "unseated": free})
        return
    for one in state.seats.taken:
        console.say(harmless(in_words(one)))
        if said.links:
            console.say(f"    {found[one.name]}", whole=True)
    if not state.seats.taken:
        console.say("Nobody has a seat yet.")
        if free:
            console.advise(f"affray seat PLAYER {free[0]}")
    elif free:
        console.say(harmless(f"No seat: {', '.join(free)}"))
    if said.links and any(address[:1] == "#" for address in found.values()):
        console.advise(_SHOWN)


def in_words(seat: Taken) -> str:
    """`Jane plays Boffin, Tilda (trusted)`."""
    return f"{seat.name} plays {', '.join(seat.plays) or 'nobody'}{' (trusted)' * seat.trusted}"
