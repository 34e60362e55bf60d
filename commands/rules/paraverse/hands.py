"""What somebody has in hand when a phase opens: weapon and shield."""

from commands.action.resolution import STATUS, Remedies, Resolution

from .stat_block import Sheet, Weapon

SHIELD = "shield"
"""What a shield is called among the things in hand."""
CHANGE = "change"
"""The one free change of weapons in a round, as it is counted."""


def held(fight: Resolution, who: str) -> str:
    """The name of the weapon in hand; "" for an empty hand."""
    return next((item for item in fight.opening.gear.equipped.get(who, ()) if item != SHIELD), "")


def weapon(fight: Resolution, who: str) -> Weapon | None:
    """The weapon in hand."""
    weapons: dict[str, Weapon] = fight.sheet(who).weapons
    return weapons.get(held(fight, who))


def has_melee_weapon(fight: Resolution, who: str) -> bool:
    """Whether somebody has a melee weapon in hand."""
    found = weapon(fight, who)
    return found is not None and found.use == "melee"


def check_melee(fight: Resolution, who: str) -> None:
    """Refuses to attack hand to hand without a melee weapon: paraverse.weapon.in-hand."""
    if not has_melee_weapon(fight, who):
        message = f"{who} has {held(fight, who) or 'nothing'} in hand; that is not a melee weapon."
        fight.refuse("paraverse.weapon.in-hand", message, drawing(fight, who, "melee"))


def drawing(fight: Resolution, who: str, *uses: str) -> Remedies:
    """How somebody gets a weapon of such a use in hand; a pass where it has none, or cannot draw it any more."""
    carried = [name for name, weapon in fight.sheet(who).weapons.items() if weapon.use in uses]
    return [*[("draw", {"who": who, "item": name}) for name in carried], ("pass", {"who": who}), STATUS]


def shield(fight: Resolution, who: str) -> int:
    """The modifier of the shield in use; 0 without one."""
    sheet: Sheet = fight.sheet(who)
    return (sheet.shield or 0) if SHIELD in fight.opening.gear.equipped.get(who, ()) else 0


def has_shield_up(fight: Resolution, who: str) -> bool:
    """Whether a shield is in use."""
    return SHIELD in fight.opening.gear.equipped.get(who, ())
