"""Holds: who has hold of whom, by hands or by a whip, and what ends it; and what else stands in the way of a blow."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from commands.action.resolution import Remedy, Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, whose

from . import ways
from .conditions import BARRED, CONFINED, ENTANGLED, HOLDING, PINNED, STRUGGLING
from .scores import Term
from .stat_block import Weapon

BODY = ("body", "legs")
"""By what one is held who cannot move; by anything else, he cannot use the weapon in hand."""


def entangled(view: View, who: str) -> tuple[str, ...]:
    """Whose whip holds somebody; nobody's for most."""
    return view.state.conditions.whom(who, ENTANGLED)


def check_whip(fight: Resolution, who: str, moving: bool) -> None:
    """arkm.whip.result: one held by body or legs does not move, by arm, weapon or item uses no weapon in hand."""
    held = fight.state.conditions.get(who, ENTANGLED)
    if held and held.whom and (held.modifies in BODY) == moving:
        message = f"{whose(held.whom[0])} whip holds {who} by the {held.modifies}."
        blow: Remedy = ("attack", {"who": who, "target": [held.whom[0]], "empty_hand": not moving})
        breaks: Remedy = ("grapple", {"who": [who], "contest": True})
        later = f"{who} can break it in the melee phase: affray grapple {who} --contest."
        fight.refuse("arkm.whip.result", message, [[blow, breaks], later])


def held_by(view: View, who: str) -> tuple[str, ...]:
    """Those who have hold of somebody, in the order of taking it."""
    held = view.state.conditions.of.get(who, {})
    return next((held[name].whom for name in (PINNED, STRUGGLING) if name in held), ())


def holds(view: View, who: str) -> str:
    """Of whom somebody has hold; "" for nobody."""
    return next(iter(view.state.conditions.whom(who, HOLDING)), "")


def let_go(fight: Resolution, who: str) -> None:
    """arkm.grapple.hold-lasts: a holder lets go; when the last one does, the one held is free.

    arkm.whip.result: so does the wielder of a whip.
    """
    whip_slackens(fight, who)
    victim = holds(fight, who)
    if not victim:
        return
    fight.record(ConditionEnded(who, HOLDING))
    rest = tuple(other for other in held_by(fight, victim) if other != who)
    for name in (PINNED, STRUGGLING):
        if fight.state.conditions.has(victim, name):
            if rest:
                fight.record(ConditionGained(victim, name, "encounter-end", whom=rest))
            else:
                with fight.upon("", victim):
                    fight.rule("arkm.grapple.hold-lasts", "free", who=victim)
                    fight.record(ConditionEnded(victim, name))


def whip_slackens(fight: Resolution, who: str) -> None:
    """arkm.whip.result: those whom somebody's whip holds are free."""
    for other in fight.state.roster.order:
        if who in entangled(fight, other):
            with fight.upon("", other):
                fight.rule("arkm.whip.result", "free of the whip", who=other)
                fight.record(ConditionEnded(other, ENTANGLED))


def free_of_whips(fight: Resolution, who: str) -> None:
    """No whip holds somebody any more."""
    if entangled(fight, who):
        fight.record(ConditionEnded(who, ENTANGLED))


def free(fight: Resolution, who: str) -> None:
    """Nobody holds somebody any more."""
    free_of_whips(fight, who)
    for other in held_by(fight, who):
        if holds(fight, other) == who:
            fight.record(ConditionEnded(other, HOLDING))
    fight.no_longer(who, PINNED, STRUGGLING)


def tidy(fight: Resolution) -> None:
    """Anyone who has hold of one who is held no longer has hold of nobody."""
    for who in fight.state.roster.order:
        victim = holds(fight, who)
        if victim and who not in held_by(fight, victim):
            fight.record(ConditionEnded(who, HOLDING))


# Blows and shots

Cover = Annotated[int, Meta(ge=0, le=100)]
"""Percent."""


def covered(fight: Resolution, percent: int) -> tuple[Term, ...]:
    """25% cover is -2, 50% -4, 75% -6; the game master says which."""
    if percent not in (0, 25, 50, 75):
        message = f"Cover is 25, 50 or 75 percent, not {percent}."
        fight.refuse("arkm.cover.penalty", message, "Say the nearest: --cover 50.")
    return (Term(-percent * 2 // 25, f"{percent}% cover", "arkm.cover.penalty"),) if percent else ()


def check_may_strike(fight: Resolution, who: str) -> None:
    """arkm.backstab.no-attack-back: anyone who was struck from behind does not attack in that round."""
    if fight.state.conditions.has(who, BARRED):
        message = f"{who} was struck from behind this round."
        fight.refuse("arkm.backstab.no-attack-back", message, ways.next_round(fight))


def check_space(fight: Resolution, who: str, weapons: Iterable[Weapon]) -> None:
    """arkm.weapon-use.tight-space: anyone who is confined strikes, shoots or throws with what is tight alone.

    arkm.whip.result: whose arm or weapon a whip holds does neither.
    """
    weapons = list(weapons)
    if weapons:
        check_whip(fight, who, moving=False)
    for weapon in weapons:
        if fight.state.conditions.has(who, CONFINED) and "tight" not in weapon.tags:
            message = f"{who} has no room for {weapon.id}."
            fight.refuse("arkm.weapon-use.tight-space", message, "A short weapon has room: --with dagger.")
