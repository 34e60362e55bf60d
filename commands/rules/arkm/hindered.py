"""What stands in the way of a blow or a shot: cover, want of room, and a blow from behind."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from commands.action.resolution import Resolution

from . import holding, ways
from .conditions import BARRED, CONFINED
from .scores import Term
from .stat_block import Weapon

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
        message = f"{who} was struck from behind in this round."
        fight.refuse("arkm.backstab.no-attack-back", message, ways.next_round(fight))


def check_space(fight: Resolution, who: str, weapons: Iterable[Weapon]) -> None:
    """arkm.weapon-use.tight-space: anyone who is confined strikes, shoots or throws with what is tight alone.

    arkm.whip.result: whose arm or weapon a whip holds does neither.
    """
    weapons = list(weapons)
    if weapons:
        holding.check_whip(fight, who, moving=False)
    for weapon in weapons:
        if fight.state.conditions.has(who, CONFINED) and "tight" not in weapon.tags:
            message = f"{who} has no room for {weapon.id}."
            fight.refuse("arkm.weapon-use.tight-space", message, "A short weapon has room: --with dagger.")
