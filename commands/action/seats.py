"""Seats: who plays whom, and dice that were thrown and not used."""

from typing import Annotated

from msgspec import Meta

from ledger.events import DiceSetAside, Seated
from projections.roster import Seat as Taken

from . import rulebook
from .declaration import Declaration, Fighters, says
from .names import proper
from .resolution import Resolution
from .view import View


class Seat(Declaration):
    """Say whom a player plays. Their phone may then propose actions for these, roll their dice, and see their numbers;
    `affray serve --lan --seats` shows the address of each seat. Anyone played from another seat leaves it.
    """

    seat: Annotated[str, says("The name of the player.", max_length=40)]
    who: Annotated[Fighters, says("Whom they play from now on.", positional=True)] = ()
    nobody: Annotated[bool, says("Remove the seat; its phone is cut off at once.")] = False
    trusted: Annotated[bool, says("On their turn, record what they propose for their own without asking.")] = False
    untrusted: Annotated[bool, says("Ask about everything again.")] = False
    new_link: Annotated[bool, says("Give the seat a new address; the old one stops working at once.")] = False


def seat(fight: Resolution, said: Seat) -> None:
    """Records the seat as it is from now on, and what follows for those who are played from another one."""
    name = _name(fight, said.seat)
    before = fight.state.seats.named(name)
    _check(fight, said, name, before)
    plays = () if said.nobody else said.who or (before.plays if before else ())
    if not plays and not said.nobody:
        fight.impossible(f"{name} plays nobody now.", "Name somebody to play.")
    held = before or Taken(name, ())
    fight.record(Seated(held.name, plays, bool(plays) and (said.trusted or held.trusted) and not said.untrusted))
    rules = rulebook.of(fight.state.campaign.system).sheet
    for who in (*(one for one in held.plays if one not in plays), *plays):
        rules.seated(fight, who, held.name if who in plays else "")


def _check(fight: Resolution, said: Seat, name: str, before: Taken | None) -> None:
    """Raises UsageError for words that do not go together, and for a seat that is not there."""
    if said.nobody and (said.who or said.trusted or said.untrusted or said.new_link):
        fight.impossible("--nobody takes the seat away, so nothing else can be said of it.")
    if said.trusted and said.untrusted:
        fight.impossible("A seat is trusted or not.", "Say one of --trusted and --untrusted.")
    if before is None and (said.nobody or not said.who):
        seats = ", ".join(one.name for one in fight.state.seats.taken) or "none yet"
        fight.impossible(f"There is no seat {name}.", f"Seats: {seats}. A new one needs somebody to play.")


def _name(fight: Resolution, said: str) -> str:
    """The name of a seat: as it is written already, else with a capital letter. Raises UsageError when it cannot be
    one.
    """
    name = proper(said)
    if name.casefold() == "gm":
        fight.impossible(f"{name} is the game master, who needs no seat.", "Give the name of a player.")
    known = [one.name for one in fight.state.seats.taken]
    known += rulebook.of(fight.state.campaign.system).board.seats(View(fight.state))
    capital = name[0].upper() + name[1:] if name.islower() else name
    return next((one for one in known if one.casefold() == name.casefold()), capital)


class SetAside(Declaration):
    """Record dice that somebody threw and that were not used. Affray does so by itself; this is for dice that it was
    not told about.
    """

    who: Annotated[str, says("Who threw them.", word="group")]
    faces: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
        says("What they show.", min_length=1, max_length=100, word="faces"),
    ]
    for_: Annotated[str, says("What they were thrown for.", max_length=100)] = ""
    why: Annotated[str, says("Why they are not used.", max_length=200)] = ""


def set_aside(fight: Resolution, said: SetAside) -> None:
    """Records them."""
    fight.record(DiceSetAside(said.who, said.faces, said.for_, said.why))
