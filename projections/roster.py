"""The roster: who is at the table, in the order of joining."""

from msgspec import Raw, Struct

from ledger.events import ItemGained, ItemLost, Joined, Left, SideChanged


class Member(Struct, frozen=True, omit_defaults=True, gc=False):
    """A combatant as it joined."""

    side: str
    sheet: Raw
    """Its stat block as JSON, in the words of its rule system; with what it was given since, without what was taken."""


class Roster(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody at the table."""

    order: tuple[str, ...] = ()
    """In the order of joining."""
    members: dict[str, Member] = {}

    def of_side(self, side: str) -> list[str]:
        """The members of one side, in the order of joining."""
        return [who for who in self.order if self.members[who].side == side]

    def sides(self) -> list[str]:
        """The sides, in the order of their first member."""
        return list(dict.fromkeys(self.members[who].side for who in self.order))


def _joined(state: Roster, event: Joined) -> Roster:
    order = [who for who in state.order if who != event.who]
    return Roster((*order, event.who), {**state.members, event.who: Member(event.side, event.sheet)})


def _left(state: Roster, event: Left) -> Roster:
    return Roster(
        tuple([who for who in state.order if who != event.who]),
        {who: member for who, member in state.members.items() if who != event.who},
    )


def _side(state: Roster, event: SideChanged) -> Roster:
    member = state.members.get(event.who)
    if member is None:
        return state
    return Roster(state.order, {**state.members, event.who: Member(event.side, member.sheet)})


def _sheet(state: Roster, event: ItemGained | ItemLost) -> Roster:
    member = state.members.get(event.who)
    if member is None:
        return state
    return Roster(state.order, {**state.members, event.who: Member(member.side, event.sheet)})


REDUCERS = {Joined: _joined, Left: _left, SideChanged: _side, ItemGained: _sheet, ItemLost: _sheet}
