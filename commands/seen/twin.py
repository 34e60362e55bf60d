"""The twin of a state: what somebody in a seat may reckon with.

It is the state as the players know it. The numbers and the stat blocks of all whom they do not know are replaced by
those of the first whom the player plays. So what the rules say of it depends on nothing that is hidden: with two
ledgers that differ only in that, it is the same, whatever it is. It may also be wrong: then the rules of the real fight
decide otherwise.
"""

from collections.abc import Collection
from typing import Any

from msgspec.structs import fields, replace

from ledger.errors import UsageError
from ledger.events import ALL_OPEN
from projections.pending import Pending, Waiting
from projections.roster import Member, Roster, Seat
from projections.state import ASPECTS, State

from .scenes import is_known

_TOLD = frozenset(name for name, first in ASPECTS.items() if all(kind in ALL_OPEN for kind in first.REDUCERS)) | {
    "turns"
}
"""The aspects that everybody sees change: whose turn it is, where everybody stands ..."""
_APART = {"campaign", "roster", "pending", "disputes"}
"""The aspects that are made anew here, each in its own way."""


def twin(known: State, sides: Collection[str], seat: Seat) -> State:
    """The twin of a state that players of these sides know, for a seat. Raises UsageError where it plays nobody who is
    at the table.
    """
    like = next((who for who in seat.plays if who in known.roster.members), "")
    if not like:
        raise UsageError(f"{seat.name} plays nobody now.")
    mine = {who for who in known.roster.order if is_known(known, who, sides, seat.name)}
    others = {who: like for who in known.roster.order if who not in mine}
    changes: dict[str, Any] = {
        name: _alike(getattr(known, name), others) for name in ASPECTS if name not in _TOLD | _APART
    }
    changes["campaign"] = replace(known.campaign, tables={})
    changes["roster"] = _roster(known.roster, others)
    seen = [one for one in known.pending.waiting if one.who in mine or not mine.isdisjoint(one.answerable)]
    changes["pending"] = Pending(tuple([one if one.who in mine else _window(one, mine) for one in seen]))
    changes["disputes"] = ASPECTS["disputes"]
    changes["harm"] = replace(changes["harm"], down=known.harm.down)
    changes["lying"] = replace(changes["lying"], items=known.lying.items)
    opening = twin(known.opening, sides, seat) if known.opening and like in known.opening.roster.members else None
    return replace(known, **changes, opening=opening)


def _alike(aspect: Any, others: dict[str, str]) -> Any:
    """An aspect in which each of the others has what the one has to whom they are likened."""
    changes: dict[str, Any] = {}
    for field in fields(type(aspect)):
        held = getattr(aspect, field.name)
        if not isinstance(held, dict):
            changes[field.name] = field.default if field.required is False else held
            continue
        kept = {who: value for who, value in held.items() if who not in others}
        changes[field.name] = kept | {who: held[like] for who, like in others.items() if like in held}
    return replace(aspect, **changes)


def _roster(roster: Roster, others: dict[str, str]) -> Roster:
    """Everybody under the name that everybody sees."""
    members = {
        who: Member(member.side, roster.members[others.get(who, who)].sheet) for who, member in roster.members.items()
    }
    return Roster(roster.order, members, players=roster.players)


def _window(one: Waiting, mine: set[str]) -> Waiting:
    return replace(one, said={}, answerable=tuple([who for who in one.answerable if who in mine]))
