"""Stat blocks: what a combatant brings to the table."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from commands.action.names import proper
from commands.action.resolution import Resolution, about
from commands.action.spelling import nearly
from commands.action.view import View
from ledger import events
from ledger.events import AreaEntered, ConditionGained, Equipped, PointsSet, Unequipped, whose
from projections.state import State

from . import actions, harm
from .hands import CHANGE, SHIELD
from .harm import PLACES, place_of
from .places import HERE, find
from .stat_block import GOVERNING, KEYWORDS, STATS, Sheet


def skills(state: State) -> dict[str, str]:
    """Characters, "List of Skills", each with its stat and the keyword that stands for it; and the bare stats."""
    words = {skill: word for word, several in KEYWORDS.items() for skill in several}
    return {
        skill: "a primary stat" if skill in STATS else stat.upper() + (f", {words[skill]}" if skill in words else "")
        for skill, stat in GOVERNING.items()
    }


def player(data: Mapping[str, Any]) -> bool:
    """With player: a player plays it. What goes without saying does not count."""
    return data.get("player") is True


def check(fight: Resolution, who: str, sheet: Sheet) -> None:
    """Refuses a sheet that contradicts itself, and a newcomer after planning."""
    phase = fight.state.turns.phase
    if phase not in ("", "planning") and who not in fight.state.roster.members:
        later = "Let them come with the next round; or say why they come now: --allow 'the gate bursts open'."
        message = f"{who} can join in planning; this is the {phase} phase."
        fight.refuse("paraverse.join-leave", message, [("round", {}), later])
    with about(at=("area",)):
        proper(sheet.area)
    if sheet.hand and sheet.hand not in sheet.weapons:
        fight.impossible(f"{who} has {sheet.hand!r} in hand, but not among its weapons.", at=("hand",))
    if SHIELD in sheet.weapons:
        fight.impossible(f"{whose(who)} shield is not a weapon.", "shield = 2 says its modifier.", ("weapons", SHIELD))
    if sheet.shield_up and not sheet.can_raise_shield(sheet.hand):
        message = f"{who} cannot have a shield up: it owns none, or needs both hands for {sheet.hand}."
        fight.impossible(message, at=("shield_up",))
    for skill in sheet.skills:
        meant = skill.casefold().replace("_", "-").replace(" ", "-")
        proper_name = meant if meant in GOVERNING else skill.casefold()
        if skill != proper_name:
            message = f"{whose(who)} skill {skill!r} is written {proper_name!r}."
            fight.impossible(message, "Skills are in small letters.", ("skills", skill))
        if skill not in GOVERNING and not _closest(skill) and (near := nearly(skill, GOVERNING)):
            fight.notes.append(f"No rule asks for {whose(who)} skill {skill!r}; one asks for {near}.")
        if skill not in GOVERNING and (near := _closest(skill)):
            message = f"{whose(who)} skill {skill!r} is none of the book's; {near} is one."
            known = ", ".join(sorted(GOVERNING))
            fight.impossible(message, f"The book has: {known}. Give one of your own another name.", ("skills", skill))
    for nth, wound in enumerate(sheet.wounds):
        _check_wound(fight, who, wound, ("wounds", nth))


def _check_wound(fight: Resolution, who: str, wound: str, at: tuple[str | int, ...]) -> None:
    """Stops a wound that the rules do not know."""
    if not place_of(wound):
        known = ", ".join(name for pair in PLACES.values() for name in pair)
        fight.impossible(f"{who} cannot have the wound {wound[:40]!r}.", f"Wounds: {known}.", at)


def enter(fight: Resolution, who: str, sheet: Sheet, at: object) -> None:
    """Records place, gear, pain, wounds and conditions of a newcomer."""
    if at is not None:
        message = "Paraverse counts areas, not squares."
        fight.impossible(message, "The area stands on the sheet; adjust area changes it.")
    areas = fight.state.areas.names if fight.state.encounter.running else ()
    area = find(fight.state, sheet.area) if areas else sheet.area
    if not area and sheet.area != HERE:
        fight.impossible(f"There is no area {sheet.area!r}.", f"Areas: {', '.join(areas)}.", ("area",))
    if areas or sheet.area != HERE:
        fight.record(AreaEntered(who, area or areas[0]))
    if sheet.hand:
        fight.record(Equipped(who, sheet.hand))
    if sheet.can_raise_shield(sheet.hand) and sheet.shield_up is not False:
        fight.record(Equipped(who, SHIELD))
    if sheet.pain:
        fight.record(events.PainSuffered(who, sheet.pain, sheet.pain, sheet.stamina))
    for wound in sheet.wounds:
        fight.record(events.WoundSuffered(who, wound, place_of(wound)))
    for condition in sheet.conditions:
        fight.record(ConditionGained(who, condition))
    if fight.state.turns.round:
        fight.record(PointsSet(who, CHANGE, 1))


def leaves(fight: Resolution, who: str) -> None:
    """Refuses to let somebody go in the middle of a round: paraverse.join-leave.

    A skirmish in which nobody is left on one side is off; what somebody declared who leaves is lost.
    """
    phase, fights = fight.state.turns.phase, fight.state.skirmishes
    if phase not in ("", "planning"):
        message = f"{who} can leave in planning; this is the {phase} phase."
        fight.refuse("paraverse.join-leave", message, actions.onward(fight))
    number = fights.with_(who)
    one = fights.number(number)
    if number and not one.done and (who,) in one.sides:
        others = [other for other in one.members if other != who]
        fight.rule("paraverse.join-leave", f"skirmish {number} with {', '.join(others)} is off", who=who)
    for waiting in fight.state.pending.waiting:
        if waiting.who == who and (waiting.verb == "pass" or waiting.kind == harm.FALL):
            actions.settle(fight, who, kind=waiting.kind)
    from . import declarations

    declarations.check_means(fight, gone=who)


def keep(fight: Resolution, who: str, named: Sheet) -> Sheet:
    """Another stat block for somebody, with the weapons that they have and it does not name: they carry them."""
    before: Sheet = fight.sheet(who)
    others = {name: weapon for name, weapon in before.weapons.items() if name not in named.weapons}
    return replace(named, weapons={**named.weapons, **others})


def changes(fight: Resolution, who: str, before: Sheet, named: Sheet) -> None:
    """What follows for somebody who has another stat block now, in which these things are named."""
    _change_gear(fight, who, named, before)
    if before.stamina - fight.state.pain.total(who) < 1:
        harm.wake(fight, who)
    else:
        harm.use_up(fight, who)
    from . import declarations

    declarations.check_means(fight)


def _change_gear(fight: Resolution, who: str, sheet: Sheet, before: Sheet) -> None:
    """What is not named leaves the hand; a new weapon is taken into an empty hand, a new shield is raised."""
    held = fight.state.gear.equipped.get(who, ())
    for item in [item for item in held if item != SHIELD and item not in sheet.weapons]:
        fight.record(Unequipped(who, item))
    in_hand = next((item for item in held if item in sheet.weapons), "")
    if not in_hand and sheet.hand and sheet.hand != before.hand:
        fight.record(Equipped(who, sheet.hand))
        in_hand = sheet.hand
    if SHIELD in held and not sheet.can_raise_shield(in_hand):
        fight.record(Unequipped(who, SHIELD))
    elif before.shield is None and sheet.can_raise_shield(in_hand) and sheet.shield_up is not False:
        fight.record(Equipped(who, SHIELD))


def as_it_stands(view: View, who: str) -> Sheet:
    """The stat block with which somebody would join as they are now."""
    sheet: Sheet = view.sheet(who)
    held = view.state.gear.equipped.get(who, ())
    hand = next((item for item in held if item in sheet.weapons), "")
    up = SHIELD in held
    return replace(
        sheet,
        hand=hand,
        shield_up=sheet.shield_up if up == (sheet.can_raise_shield(hand) and sheet.shield_up is not False) else up,
        pain=view.state.pain.total(who),
        wounds=view.state.wounds.names(who),
    )


def _closest(skill: str) -> str:
    """The skill of the book that begins with the same five letters; "" for none."""
    return next((one for one in GOVERNING if one[:5] == skill[:5]), "")
