"""Crossbows and flintlocks: after each shot a round goes by in loading."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained

from . import ability, order, ways
from .ability import RELOADING
from .arms import in_hand, owned
from .sheet import Weapon, names


class Reload(Declaration):
    """Load a crossbow or a flintlock: the whole action of this round."""

    who: Annotated[Fighter, Meta(description="Who loads.")]
    weapon: Annotated[str, Meta(description="Which weapon, if several are empty.", extra={"word": "item"})] = ""


def reload(fight: Resolution, said: Reload) -> None:
    """arkm.reload.takes-one-round: it is loaded at the end of this round."""
    who, clause = said.who, "arkm.reload.takes-one-round"
    phase = fight.state.turns.phase
    order.may_act(fight, who, "reload", phase if phase in ("", "movement") else "missile")
    weapon = _empty_one(fight, who, said.weapon)
    for word in ("dropped", "broken"):
        if f"{word} {weapon}" in ability.conditions(fight, who):
            fight.impossible(f"{who}'s {weapon} is {word}.")
    if done := order.acted(fight, who):
        fight.refuse(clause, f"{who} has had the action of this round ({done}).", ways.next_round(fight))
    order.use_action(fight, who, order.RELOAD)
    fight.rule(clause, f"{weapon} is loaded at the end of round {fight.state.turns.round}", who=who)
    fight.record(ConditionGained(who, RELOADING, "round-end", whom=(weapon,)))


def _empty_one(fight: Resolution, who: str, named: str) -> str:
    """The weapon to load: the one that is named, else the one that is empty, in hand before others."""
    empty = unloaded(fight, who)
    if named:
        weapon = owned(fight, who, named)
        if weapon is None:
            fight.impossible(f"{who} has no {named[:40]}.", f"Empty: {names(empty)}.")
        if weapon.id not in empty:
            fight.refuse("arkm.reload.takes-one-round", f"{who}'s {weapon.id} is not empty.", "It can be shot.")
        return weapon.id
    if not empty:
        fight.impossible(f"{who} has no empty weapon.")
    held = [weapon.id for weapon in in_hand(fight, who) if weapon.id in empty]
    if len(held or empty) > 1:
        fight.impossible(
            f"Which one? Empty: {names(held or empty)}.", f"affray reload {who} --weapon {(held or empty)[0]}"
        )
    return (held or empty)[0]


def unloaded(fight: Resolution, who: str) -> list[str]:
    """The weapons of somebody that must be loaded before they can shoot."""
    return [name.removesuffix(EMPTY) for name, _ in fight.state.conditions.held(who) if name.endswith(EMPTY)]


EMPTY = " unloaded"
"""After the name of a weapon: the condition of whom it belongs to."""


def check_loaded(fight: Resolution, who: str, weapon: Weapon) -> None:
    """arkm.reload.every-other-round: an empty weapon does not shoot."""
    if weapon.id + EMPTY in ability.conditions(fight, who):
        loading = fight.state.conditions.of[who].get(RELOADING)
        when = " until this round ends" if loading and weapon.id in loading.whom else ""
        fight.refuse(
            "arkm.reload.every-other-round",
            f"{who}'s {weapon.id} is not loaded{when}.",
            "It takes a round to load: reload, in place of shooting.",
        )


def fired(fight: Resolution, who: str, weapon: Weapon) -> None:
    """A weapon that must be loaded after each shot is empty now."""
    if weapon.reload_rounds:
        fight.record(ConditionGained(who, weapon.id + EMPTY))


def finish(fight: Resolution, who: str) -> None:
    """The round ends: what was being loaded is loaded, unless its bearer was stunned, pinned or put out of the fight.

    With the option auto_reload, a round without any action loads, too.
    """
    loading = fight.state.conditions.get(who, RELOADING)
    weapons = loading.whom if loading else ()
    if fight.option("auto_reload") and not order.acted(fight, who):
        weapons = tuple(unloaded(fight, who)[:1])
    for weapon in weapons:
        if ability.is_able(fight, who) and weapon + EMPTY in ability.conditions(fight, who):
            fight.rule("arkm.reload.takes-one-round", f"{weapon} is loaded", who=who)
            fight.record(ConditionEnded(who, weapon + EMPTY))


def load_all(fight: Resolution) -> None:
    """An encounter begins: everything is loaded, but for what the sheet says is not."""
    for who in fight.state.roster.order:
        for name in unloaded(fight, who):
            weapon = owned(fight, who, name)
            if weapon is None or weapon.loaded:
                fight.record(ConditionEnded(who, name + EMPTY))
