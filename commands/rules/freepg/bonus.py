"""What is added to a roll: items, flat bonuses, effects in force, the ground, and the game master's word."""

from msgspec.structs import replace

from commands.action.effects import called
from commands.action.modifiers import Modifier, read
from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import Number

from . import bodies
from .conditions import ALOFT, DIFFICULT
from .stat_block import Item

Mods = tuple[Modifier, ...]
"""The game master's modifiers of an attack, as they are read."""
KINDS = ("hit", "attack", "damage", "defense", "armor", "untyped")
"""What the game master's modifier of an attack can change."""
_CLAUSES = {
    "attack": "freepg.attack.attack-bonus",
    "damage": "freepg.attack.damage-score",
    "defense": "freepg.attack.defense-bonus",
    "armor": "freepg.attack.armor",
    "untyped": "freepg.attack.untyped-bonus",
}
"""By which clause what is of a kind is added."""
GROUND = {
    "amplifier": (2, "power amplifier", "freepg.terrain.amplifier"),
    "drain": (-2, "power drain", "freepg.terrain.drain"),
}
"""Untyped, on every roll made while standing there, with the reason and the clause."""
WEAPON = "freepg.bonus.weapon-must-be-used"
"""The clause by which the weapon counts with which an attack is made."""


def read_mods(fight: Resolution, words: tuple[str, ...], attacker: str) -> Mods:
    """The game master's modifiers of an attack. Without a name an untyped one is the attacker's."""
    made = []
    for mod in read(fight, words, KINDS):
        if mod.what in ("hit", "attack", "damage") and mod.who not in ("", attacker):
            hint = f"Leave the name out, {mod.what}:{mod.amount}, or say defense@{mod.who} or armor@{mod.who}."
            fight.impossible(f"In this attack {mod.what} belongs to {attacker}, not to {mod.who}.", hint)
        own = replace(mod, who=attacker) if mod.what == "untyped" and not mod.who else mod
        made.append(replace(own, what="attack") if own.what == "hit" else own)
    return tuple(made)


def worn(view: View, who: str) -> list[Item]:
    """The equipped items, in the order of putting them on; what is only carried gives nothing.

    freepg.bonus.equipped-only
    """
    return [item for item in [view.sheet(who).item(name) for name in view.state.gear.equipped.get(who, ())] if item]


def used_weapon(fight: Resolution, who: str, named: str) -> Item | None:
    """The weapon that an attack is made with: the one named, else the first equipped; none for `none`."""
    wielded = [item for item in worn(fight, who) if item.slot == "weapon"]
    if not named:
        return wielded[0] if wielded else None
    if named.casefold() == "none":
        return None
    item: Item | None = fight.sheet(who).item(named)
    if item not in wielded:
        drawn: list[Remedy] = [("draw", {"who": who, "item": item.name})] if item else []
        ways = [*drawn, fight.otherwise(with_="" if wielded else "none")]
        fight.refuse("freepg.bonus.equipped-only", f"{who} has no weapon {named[:40]!r} in hand.", ways)
    fight.write_in_full(named, item.name if item else named)
    return item


def plus_kind(view: View, who: str, score: Number, kind: str, mods: Mods = ()) -> Number:
    """Adds everything of one kind besides weapons used: worn items, effects in force, the game master's modifiers."""
    clause = _CLAUSES[kind]
    if kind != "untyped":
        for item in worn(view, who):
            if item.slot != "weapon" or kind in ("defense", "armor"):
                score = score.plus(getattr(item, kind), item.name, clause)
    for name, condition in sorted(view.state.conditions.of.get(who, {}).items(), key=lambda one: one[0]):
        if condition.modifies == kind:
            by = "freepg.terrain.difficult" if name == DIFFICULT else clause
            score = score.plus(condition.amount, called(name), by)
    for mod in mods:
        if mod.what == kind and mod.who in ("", who):
            score = score.plus(mod.amount, mod.why, clause)
    return score


def plus_untyped(view: View, who: str, score: Number, mods: Mods = ()) -> Number:
    """Adds what counts on every roll of its owner: effects such as a run, and the ground under the feet."""
    score = plus_kind(view, who, score, "untyped", mods)
    if view.state.conditions.has(who, ALOFT):
        return score
    under = {(x, y) for x, y, _ in bodies.squares(view, who)}
    for feature, (amount, reason, clause) in GROUND.items():
        if under.intersection(view.state.encounter.ground.get(feature, ())):
            score = score.plus(amount, reason, clause)
    return score


def plus_defense(view: View, who: str, score: Number, mods: Mods = ()) -> Number:
    """Adds all that counts for a defense: untyped, a flat bonus, and the defense bonus."""
    score = plus_untyped(view, who, score, mods)
    score = score.plus(view.sheet(who).flat_bonus, "flat bonus", "freepg.enemy.flat-bonus")
    return plus_kind(view, who, score, "defense", mods)


def armor(view: View, who: str, mods: Mods = ()) -> Number:
    """What is taken from the damage of each blow."""
    return plus_kind(view, who, Number("armor", (), 0), "armor", mods)


def stacked(score: Number) -> tuple[str, ...]:
    """freepg.bonus.stack-with-untyped, where untyped modifiers and others really meet in one score: all add up."""
    terms = {step.clause for step in score.steps}
    both = _CLAUSES["untyped"] in terms and terms & {_CLAUSES["attack"], _CLAUSES["defense"], WEAPON}
    return ("freepg.bonus.stack-with-untyped",) if both else ()
