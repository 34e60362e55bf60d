"""Bonus Sources: which item may give what, how much, and how many may be equipped."""

from commands.action.resolution import Resolution
from ledger.events import articled

from .stat_block import Item

_CAPS = {
    "attack": (("weapon",), 5, "freepg.bonus.weapon-cap"),
    "damage": (("ring", "hand"), 2, "freepg.bonus.damage-cap"),
    "defense": (("head", "pendant"), 2, "freepg.bonus.defense-cap"),
    "armor": (("armor",), 5, "freepg.bonus.armor-cap"),
}
"""For each kind of bonus the slots that may give it, the most that one item gives, and the clause that says so."""

_UTILITY_SLOTS = ("belt", "feet", "head")
"""freepg.bonus.other-slots: what may carry skill or speed bonuses."""
_UTILITY_CAP = 5

_PLACES = {
    "ring": (2, "freepg.bonus.ring-count"),
    "hand": (1, "freepg.bonus.hand-count"),
    "head": (1, "freepg.bonus.head-count"),
    "pendant": (1, "freepg.bonus.pendant-count"),
}
"""How many items of a slot may be equipped, and the clause that says so. All others: see `places`."""


def places(fight: Resolution, slot: str) -> tuple[int, str]:
    """How many items of a slot may be equipped, and by which clause."""
    return _PLACES.get(slot) or (fight.option("weapon_slots") if slot == "weapon" else 1, "freepg.bonus.other-slots")


def check_items(fight: Resolution, who: str, items: tuple[Item, ...]) -> None:
    """Refuses items that give what they may not, and more equipped items than there are places."""
    names = [item.name.casefold() for item in items]
    for nth, item in enumerate(items):
        if names[nth] in names[:nth]:
            message = f"Each item of {who} needs a name of its own, and no item may be called 'none'."
            fight.impossible(message, at=("items", nth, "name"))
        check_item(fight, who, item, ("items", nth))
    for slot in dict.fromkeys(item.slot for item in items):
        most, clause = places(fight, slot)
        places_of = [nth for nth, item in enumerate(items) if item.slot == slot and item.equipped]
        worn = [items[nth].name for nth in places_of]
        if len(worn) > most:
            message = f"{who} has {' and '.join(worn)} equipped; there is room for {most} in the slot {slot}."
            fight.refuse(clause, message, "Carry the rest: equipped = false.", ("items", places_of[most], "slot"))


def check_item(fight: Resolution, who: str, item: Item, at: tuple[str | int, ...] = ()) -> None:
    """Refuses an item that gives what it may not. Only bonuses are bound: a penalty is valid in any slot.

    `at` is where it stands in a stat block.
    """
    if item.name.casefold() == "none":
        message = f"Each item of {who} needs a name of its own, and no item may be called 'none'."
        fight.impossible(message, at=(*at, "name"))
    for kind, (slots, most, clause) in _CAPS.items():
        bonus = getattr(item, kind)
        if bonus > 0 and item.slot not in slots:
            only = f"only {' or '.join(slots)} can give +{bonus} {kind}"
            message = f"{item.name} is {articled(f'{item.slot} item')}: {only}."
            fight.refuse("freepg.bonus.slot-kind", message, at=(*at, kind))
        elif bonus > most:
            fight.refuse(clause, f"{item.name} gives +{bonus} {kind}; +{most} is the most.", at=(*at, kind))
    best = max(item.speed, item.fly, *item.skill.values()) if item.skill else max(item.speed, item.fly)
    if best > (_UTILITY_CAP if item.slot in _UTILITY_SLOTS else 0):
        fight.refuse(
            "freepg.bonus.other-slots",
            f"{item.name} gives +{best} to a speed or a skill; {articled(f'{item.slot} item')} gives at most"
            f" +{_UTILITY_CAP if item.slot in _UTILITY_SLOTS else 0}.",
            at=(*at, "speed" if best == item.speed else "fly" if best == item.fly else "skill"),
        )
