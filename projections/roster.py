"""The roster: who is at the table, on which side, and with which gear, worn, carried, lost and found."""

from collections.abc import Collection
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from ledger import events

from . import Aspect, Part, Reducer, Said, anew, without


class Member(Part):
    """A combatant as it joined."""

    side: str
    sheet: Raw
    """Its stat block as JSON, in the words of its rule system; with what it was given since, without what was taken."""
    truly: str = ""
    """Its true name, where the players know it by another; "" where they do not."""
    joined: str = ""
    """The side on which it came to the table."""


def _of_member(field: str, value: str = "") -> Reducer:
    """Sets a field of one member to a field of the event, if they are there."""

    def reduce(state: "Roster", event: Any) -> "Roster":
        if (member := state.members.get(event.who)) is None:
            return state
        changed = replace(member, **{field: getattr(event, value or field)})
        return replace(state, members={**state.members, event.who: changed})

    return reduce


class Roster(Aspect):
    """Everybody at the table."""

    WORDS = ("side",)
    PLACE = 0
    NAMES = ("order",)

    order: tuple[str, ...] = ()
    """In the order of joining."""
    members: dict[str, Member] = {}
    unknown: tuple[str, ...] = ()
    """The true names of those who left before the players learned them."""
    players: tuple[str, ...] = ()
    """The sides on which those came to the table whom players play; none before the first of them. Nobody makes a side
    theirs by changing over to it.
    """

    def board(self, who: str) -> Said:
        """The side."""
        return [("side", self.members[who].side, "")] if who in self.members else ()

    def of_side(self, side: str) -> list[str]:
        """The members of one side, in the order of joining."""
        return [who for who in self.order if self.members[who].side == side]

    def sides(self) -> list[str]:
        """The sides, in the order of their first member."""
        return list(dict.fromkeys(self.members[who].side for who in self.order))

    def unknown_names(self) -> dict[str, str]:
        """Each true name that the players do not know, with the name that they know; "" of those who left."""
        present = {member.truly: who for who, member in self.members.items() if member.truly}
        return {**dict.fromkeys(self.unknown, ""), **present}

    def _joined(self, event: events.Joined) -> "Roster":
        unknown = tuple([name for name in self.unknown if name != event.who])
        new = Member(event.side, event.sheet, joined=event.side)
        ours = _with_side(self.players, event.side) if event.player else self.players
        return Roster((*self.order, event.who), {**self.members, event.who: new}, unknown, ours)

    def _left(self, event: events.Left) -> "Roster":
        order, member = tuple([who for who in self.order if who != event.who]), self.members.get(event.who)
        unknown = (*self.unknown, member.truly) if member and member.truly else self.unknown
        return Roster(order, without(self.members, event.who), unknown, self.players)

    def _unmasked(self, event: events.Unmasked) -> "Roster":
        return replace(self, unknown=tuple([name for name in self.unknown if name != event.name]))

    def _seated(self, event: events.Seated) -> "Roster":
        ours = self.players
        for who in event.plays:
            if member := self.members.get(who):
                ours = _with_side(ours, member.joined)
        return self if ours == self.players else replace(self, players=ours)

    REDUCERS = {
        events.Joined: _joined,
        events.Left: _left,
        events.SideChanged: _of_member("side"),
        events.SheetChanged: _of_member("sheet"),
        events.ItemGained: _of_member("sheet"),
        events.ItemLost: _of_member("sheet"),
        events.Masked: _of_member("truly", "name"),
        events.Unmasked: _unmasked,
        events.Seated: _seated,
    }


def _with_side(sides: tuple[str, ...], side: str) -> tuple[str, ...]:
    return sides if side in sides else (*sides, side)


class Seat(Part):
    """A player at the table."""

    NAMES = ("plays",)

    name: str
    plays: tuple[str, ...]
    """The combatants that they play; none once all of them have left."""
    trusted: bool = False
    """Whether what they propose for these is recorded without being asked about."""


class Seats(Aspect):
    """The players, and whom each plays."""

    taken: tuple[Seat, ...] = ()
    """In the order in which they were given; nobody is played from two of them."""

    def named(self, name: str) -> Seat | None:
        """The seat of that name, in any case, if there is one."""
        return next((seat for seat in self.taken if seat.name.casefold() == name.casefold()), None)

    def of(self, who: str) -> Seat | None:
        """The seat from which a combatant is played, if there is one."""
        return next((seat for seat in self.taken if who in seat.plays), None)

    def _seated(self, event: events.Seated) -> "Seats":
        new = Seat(event.seat, event.plays, event.trusted)
        seats = self.taken if event.seat in [seat.name for seat in self.taken] else (*self.taken, new)
        kept = [new if seat.name == new.name else _leaving(seat, event.plays) for seat in seats]
        return Seats(tuple([seat for seat in kept if seat is not new or event.plays]))

    def _left(self, event: events.Left) -> "Seats":
        return Seats(tuple([_leaving(seat, (event.who,)) for seat in self.taken])) if self.taken else self

    REDUCERS = {events.Seated: _seated, events.Left: _left}


def _leaving(seat: Seat, gone: Collection[str]) -> Seat:
    """A seat from which some are no longer played."""
    if not any(who in gone for who in seat.plays):
        return seat
    return replace(seat, plays=tuple([who for who in seat.plays if who not in gone]))


class Truces(Aspect):
    """Truces between sides."""

    between: tuple[tuple[str, str], ...] = ()
    """Pairs of sides, each in the order of the alphabet."""

    def holds(self, one: str, other: str) -> bool:
        """Whether two sides are at peace."""
        return _pair(one, other) in self.between

    def _made(self, event: events.TruceMade) -> "Truces":
        return Truces(tuple(sorted({*self.between, _pair(event.one, event.other)})))

    def _broken(self, event: events.TruceEnded) -> "Truces":
        return Truces(tuple(sorted({*self.between} - {_pair(event.one, event.other)})))

    REDUCERS = {events.TruceMade: _made, events.TruceEnded: _broken, events.EncounterEnded: anew}


def _pair(one: str, other: str) -> tuple[str, str]:
    return min(one, other), max(one, other)


class Gear(Aspect):
    """Everybody's equipment."""

    WORDS = ("equipped",)
    PLACE = 70

    equipped: dict[str, tuple[str, ...]] = {}
    """For each combatant the names of the items it wears or wields, in the order of putting them on; what was drawn
    comes first, the last one before the others."""

    def board(self, who: str) -> Said:
        """The items."""
        items = self.equipped.get(who)
        return [("equipped", ", ".join(items), "")] if items else ()

    def _equipped(self, event: events.Equipped) -> "Gear":
        others = self._besides(event)
        items = (event.item, *others) if event.drawn else (*others, event.item)
        return Gear({**self.equipped, event.who: items})

    def _unequipped(self, event: events.Unequipped | events.Dropped) -> "Gear":
        return Gear({**self.equipped, event.who: self._besides(event)})

    def _besides(self, event: events.Equipped | events.Unequipped | events.Dropped) -> tuple[str, ...]:
        items = self.equipped.get(event.who, ())
        return tuple([other for other in items if other != event.item]) if event.item in items else items

    REDUCERS = {events.Equipped: _equipped, events.Unequipped: _unequipped, events.Dropped: _unequipped}


class Ammunition(Aspect):
    """Everybody's ammunition."""

    PLACE = 70

    of: dict[str, dict[str, int]] = {}
    """For each combatant how many pieces of each kind; a kind that was never counted is missing."""

    def board(self, who: str) -> Said:
        """How many pieces of each kind."""
        return [(f"{kind}s", str(left), "ammunition") for kind, left in sorted(self.of.get(who, {}).items())]

    def left(self, who: str, kind: str) -> int:
        """How many pieces a combatant has."""
        return self.of.get(who, {}).get(kind, 0)

    def _changed(self, event: events.AmmunitionSet | events.AmmunitionSpent) -> "Ammunition":
        return Ammunition({**self.of, event.who: {**self.of.get(event.who, {}), event.kind: event.left}})

    REDUCERS = {events.AmmunitionSet: _changed, events.AmmunitionSpent: _changed}


class Item(Part):
    """Something that lies on a square."""

    item: str
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class Lying(Aspect):
    """Items out of their bearers' hands."""

    WORDS = ("picked-up", "no-longer-has")

    items: tuple[Item, ...] = ()
    """In the order in which they fell."""
    lost: dict[str, tuple[str, ...]] = {}
    """For each combatant what they brought to the table and no longer have."""
    found: dict[str, tuple[str, ...]] = {}
    """For each combatant what they picked up and did not bring."""

    def board(self, who: str) -> Said:
        """What they picked up, and what they brought and no longer have."""
        for word, held in (("picked-up", self.found), ("no-longer-has", self.lost)):
            if items := held.get(who):
                yield word, ", ".join(items), ""

    def _dropped(self, event: events.Dropped) -> "Lying":
        items = (*self.items, Item(event.item, event.at))
        if event.item in self.found.get(event.who, ()):
            return replace(self, items=items, found=_less(self.found, event))
        return replace(self, items=items, lost=_more(self.lost, event))

    def _picked_up(self, event: events.PickedUp) -> "Lying":
        fallen = Item(event.item, event.at)
        at = self.items.index(fallen) if fallen in self.items else len(self.items)
        items = (*self.items[:at], *self.items[at + 1 :])
        if event.item in self.lost.get(event.who, ()):
            return replace(self, items=items, lost=_less(self.lost, event))
        return replace(self, items=items, found=_more(self.found, event))

    def _item_lost(self, event: events.ItemLost) -> "Lying":
        held = event.item in self.found.get(event.who, ())
        return replace(self, found=_less(self.found, event)) if held else self

    REDUCERS = {events.Dropped: _dropped, events.PickedUp: _picked_up, events.ItemLost: _item_lost}


def _more(held: dict[str, tuple[str, ...]], event: events.Dropped | events.PickedUp) -> dict[str, tuple[str, ...]]:
    return {**held, event.who: (*held.get(event.who, ()), event.item)}


def _less(
    held: dict[str, tuple[str, ...]], event: events.Dropped | events.PickedUp | events.ItemLost
) -> dict[str, tuple[str, ...]]:
    mine = held[event.who]
    at = mine.index(event.item)
    return {**held, event.who: (*mine[:at], *mine[at + 1 :])}
