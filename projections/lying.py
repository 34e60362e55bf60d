"""What lies on the ground, and who lost or found it."""

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import Dropped, ItemLost, Left, PickedUp


class Item(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that lies on a square."""

    item: str
    at: tuple[int, int, int]
    """x, y and height, in squares."""


class Lying(Struct, frozen=True, omit_defaults=True, gc=False):
    """Items out of their bearers' hands."""

    items: tuple[Item, ...] = ()
    """In the order in which they fell."""
    lost: dict[str, tuple[str, ...]] = {}
    """For each combatant what it brought to the table and has no more."""
    found: dict[str, tuple[str, ...]] = {}
    """For each combatant what it picked up and did not bring."""


def _dropped(state: Lying, event: Dropped) -> Lying:
    items = (*state.items, Item(event.item, event.at))
    if event.item in state.found.get(event.who, ()):
        return replace(state, items=items, found=_less(state.found, event.who, event.item))
    return replace(state, items=items, lost=_more(state.lost, event.who, event.item))


def _picked_up(state: Lying, event: PickedUp) -> Lying:
    fallen = Item(event.item, event.at)
    at = state.items.index(fallen) if fallen in state.items else len(state.items)
    items = (*state.items[:at], *state.items[at + 1 :])
    if event.item in state.lost.get(event.who, ()):
        return replace(state, items=items, lost=_less(state.lost, event.who, event.item))
    return replace(state, items=items, found=_more(state.found, event.who, event.item))


def _item_lost(state: Lying, event: ItemLost) -> Lying:
    if event.item not in state.found.get(event.who, ()):
        return state
    return replace(state, found=_less(state.found, event.who, event.item))


def _more(held: dict[str, tuple[str, ...]], who: str, item: str) -> dict[str, tuple[str, ...]]:
    return {**held, who: (*held.get(who, ()), item)}


def _less(held: dict[str, tuple[str, ...]], who: str, item: str) -> dict[str, tuple[str, ...]]:
    at = held[who].index(item)
    return {**held, who: (*held[who][:at], *held[who][at + 1 :])}


def _left(state: Lying, event: Left) -> Lying:
    if event.who not in state.lost and event.who not in state.found:
        return state
    return Lying(
        state.items,
        {who: items for who, items in state.lost.items() if who != event.who},
        {who: items for who, items in state.found.items() if who != event.who},
    )


REDUCERS = {Dropped: _dropped, PickedUp: _picked_up, ItemLost: _item_lost, Left: _left}
