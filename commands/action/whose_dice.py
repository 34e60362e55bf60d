"""Whose dice are thrown by hand: those of a side, of a seat, of everybody."""

from functools import partial

from ledger.errors import NameUnknown
from projections.roster import Seat
from projections.state import State

from .book import Order
from .dice_sources import Dice, Layer, Question
from .names import SEATS, find
from .view import View


def typed_dice(state: State, order: Order, *layers: Layer) -> Dice:
    """The dice that were typed for a command. Where the campaign says whose dice are thrown by hand, those of the
    others are left to the program, unless a name before them says that they are theirs.
    """
    hand = "" if order.whole else order.side or str(state.campaign.options.get("hand_dice") or "")
    ours = partial(by_hand, state, hand)
    faces, owners = order.dice or (), [owner_in(state, word) for word in order.owners]
    return Dice(*layers, faces=faces, owners=owners, spare=order.spare, by_hand=ours)


def owner_in(state: State, word: str) -> str:
    """The name of one who threw a typed die; a seat or a group that rolls keeps its word."""
    try:
        return find(state, word) if word else ""
    except NameUnknown:
        return word


def check_owners(state: State, order: Order) -> None:
    """Raises NameUnknown where dice were typed for somebody who is nobody at the table, no seat, and no group."""
    groups = [*state.roster.sides(), *(seat.name for seat in state.seats.taken)]
    for word in order.owners:
        if word and word.casefold() not in map(str.casefold, groups) and not stood_for(state, word):
            find(state, word)


def by_hand(state: State, side: str, question: Question) -> bool:
    """Whether a die is one of a side, of somebody on it, of a seat, or of a group that stands for nobody else; of
    anybody in a seat for `seats`; always where no side is named.
    """
    if not side or {one.casefold() for one in sides_of(state, question.who)} == {side.casefold()}:
        return True
    seats = [seat.name.casefold() for seat in seats_of(state, question.who)]
    return bool(seats) and side.casefold() in (SEATS, *seats)


def seats_of(state: State, who: str) -> list[Seat]:
    """The seats of those for whom a die is rolled, of a group or a whole side; none where one of them has none."""
    if not state.seats.taken:
        return []
    names = [who] if who in state.roster.members else stood_for(state, who) or state.roster.of_side(who)
    seats = [state.seats.of(one) for one in names]
    return [seat for seat in seats if seat] if all(seats) else []


def sides_of(state: State, who: str) -> list[str]:
    """The sides of those for whom a die is rolled; the name itself where it stands for nobody."""
    members = state.roster.members
    return [members[who].side] if who in members else [members[one].side for one in stood_for(state, who)] or [who]


def stood_for(state: State, word: str) -> list[str]:
    """Those for whom a seat or a group rolls."""
    from . import rulebook

    return rulebook.of(state.campaign.system).board.stand_for(View(state), word)
