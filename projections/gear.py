"""What is worn and wielded."""

from msgspec import Struct

from ledger.events import Dropped, Equipped, Left, Unequipped


class Gear(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's equipment."""

    equipped: dict[str, tuple[str, ...]] = {}
    """For each combatant the names of the items it wears or wields, in the order of putting them on."""


def _without(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return tuple([other for other in items if other != item]) if item in items else items


def _equipped(state: Gear, event: Equipped) -> Gear:
    held = _without(state.equipped.get(event.who, ()), event.item)
    return Gear({**state.equipped, event.who: (*held, event.item)})


def _unequipped(state: Gear, event: Unequipped | Dropped) -> Gear:
    return Gear({**state.equipped, event.who: _without(state.equipped.get(event.who, ()), event.item)})


def _left(state: Gear, event: Left) -> Gear:
    if event.who not in state.equipped:
        return state
    return Gear({who: held for who, held in state.equipped.items() if who != event.who})


REDUCERS = {Equipped: _equipped, Unequipped: _unequipped, Dropped: _unequipped, Left: _left}
