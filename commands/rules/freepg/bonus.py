"""What is added to a roll: items, flat bonuses, effects in force, the ground, and the referee's word."""

from typing import TYPE_CHECKING

from msgspec import Struct

from commands.action.names import find
from commands.action.resolution import Resolution
from ledger.events import Number

from . import bodies

if TYPE_CHECKING:
    from .sheet import Item

KINDS = ("attack", "damage", "defense", "armor", "untyped")
"""What a modifier can be added to."""
GROUND = {"amplifier": (2, "power amplifier"), "drain": (-2, "power drain")}
"""freepg.terrain.amplifier and freepg.terrain.drain: untyped, on every roll made while standing there."""
ALOFT = "aloft"
"""Held by a flyer that stands on nothing."""


class Mod(Struct, frozen=True):
    """A modifier that the referee gives for one attack."""

    kind: str
    who: str
    """Whose score it changes; "" for everybody's who makes such a score."""
    amount: int
    reason: str


def read_mod(fight: Resolution, word: str, attacker: str) -> Mod:
    """A modifier written as KIND[@NAME]:AMOUNT[:REASON]. Without a name an untyped one is the attacker's."""
    kind, _, rest = word.partition(":")
    kind, at, name = kind.partition("@")
    amount, _, reason = rest.partition(":")
    digits = amount[1:] if amount[:1] in ("+", "-") else amount
    if kind not in KINDS or (at and not name) or not (digits.isascii() and digits.isdigit() and len(digits) < 7):
        fight.impossible(
            f"{word[:40]!a} is not a modifier.", "Write it like attack:+2:scope or defense@jane:-1:blinded."
        )
    who = find(fight.state, name) if name else attacker if kind == "untyped" else ""
    if kind in ("attack", "damage") and who not in ("", attacker):
        fight.impossible(
            f"The {kind} score here is that of {attacker}, not of {who}.",
            f"Leave the name out, {kind}:{amount}, or say defense@{name} or armor@{name}.",
        )
    return Mod(kind, who, int(amount), reason.strip("\"' ") or "referee")


def worn(fight: Resolution, who: str) -> "list[Item]":
    """The equipped items, in the order of putting them on; what is only carried gives nothing.

    freepg.bonus.equipped-only
    """
    equipped = fight.state.gear.equipped.get(who, ())
    items = [fight.sheet(who).item(name) for name in equipped]
    return [item for item in items if item]


def used_weapon(fight: Resolution, who: str, named: str) -> "Item | None":
    """The weapon that an attack is made with: the one named, else the first equipped; none for `none`.

    freepg.bonus.weapon-must-be-used
    """
    wielded = [item for item in worn(fight, who) if item.slot == "weapon"]
    if not named:
        return wielded[0] if wielded else None
    if named.casefold() == "none":
        return None
    item: Item | None = fight.sheet(who).item(named)
    if item not in wielded:
        fight.refuse(
            "freepg.bonus.equipped-only",
            f"{who} has no weapon {named[:40]!a} in hand.",
            [*([("draw", {"who": who, "item": item.name})] if item else []), fight.otherwise(with_="none")],
        )
    return item


def plus_kind(fight: Resolution, who: str, score: Number, kind: str, mods: tuple[Mod, ...] = ()) -> Number:
    """Adds everything of one kind besides weapons used: worn items, effects in force, the referee's modifiers.

    freepg.bonus.stack-with-untyped: nothing replaces anything else, all of it adds up.
    """
    if kind != "untyped":
        for item in worn(fight, who):
            if item.slot != "weapon" or kind in ("defense", "armor"):
                score = score.plus(getattr(item, kind), item.name)
    for name, condition in sorted(fight.state.conditions.of.get(who, {}).items(), key=lambda one: one[0]):
        if condition.modifies == kind:
            score = score.plus(condition.amount, name)
    for mod in mods:
        if mod.kind == kind and mod.who in ("", who):
            score = score.plus(mod.amount, mod.reason)
    return score


def plus_untyped(fight: Resolution, who: str, score: Number, mods: tuple[Mod, ...] = ()) -> Number:
    """Adds what counts on every roll of its owner: effects such as a run, and the ground under the feet.

    freepg.attack.untyped-bonus
    """
    score = plus_kind(fight, who, score, "untyped", mods)
    if fight.state.conditions.has(who, ALOFT):
        return score
    under = {(x, y) for x, y, _ in bodies.squares(fight, who)}
    for feature, (amount, reason) in GROUND.items():
        if under.intersection(fight.state.encounter.ground.get(feature, ())):
            score = score.plus(amount, reason)
    return score
