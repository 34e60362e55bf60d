"""What somebody has in hand when a phase opens: weapon and shield."""

from typing import TYPE_CHECKING

from commands.resolution import Resolution

if TYPE_CHECKING:
    from .sheet import Sheet, Weapon

SHIELD = "shield"
"""What a shield is called among the things in hand."""


def held(fight: Resolution, who: str) -> str:
    """The name of the weapon in hand; "" for an empty hand."""
    return next((item for item in fight.opening.gear.equipped.get(who, ()) if item != SHIELD), "")


def weapon(fight: Resolution, who: str) -> "Weapon | None":
    """The weapon in hand."""
    weapons: dict[str, Weapon] = fight.sheet(who).weapons
    return weapons.get(held(fight, who))


def shield(fight: Resolution, who: str) -> int:
    """The modifier of the shield in use; 0 without one."""
    sheet: Sheet = fight.sheet(who)
    return (sheet.shield or 0) if SHIELD in fight.opening.gear.equipped.get(who, ()) else 0


def has_shield_up(fight: Resolution, who: str) -> bool:
    """Whether a shield is in use."""
    return SHIELD in fight.opening.gear.equipped.get(who, ())
