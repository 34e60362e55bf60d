"""Weapons: what somebody owns, and what is in hand."""

from commands.action.resolution import Resolution
from ledger.events import Counted

from .sheet import SHIELD, Sheet, Weapon
from .tables import weapons


def arsenal(fight: Resolution, sheet: Sheet) -> list[Weapon]:
    """The weapons of a sheet, in its order. Raises UsageError when one is in no table, or makes no sense."""
    found = []
    for named in sheet.weapons:
        weapon = named if isinstance(named, Weapon) else weapons(fight.state).find(named)
        if weapon is None:
            known = ", ".join(row.id for row in weapons(fight.state).rows)
            fight.impossible(f"{sheet.name} has a weapon {named!a} that no table holds.", f"There are: {known}.")
        if problem := weapon.problem():
            fight.impossible(f"{sheet.name}'s {weapon.id} is wrong: {problem}.")
        found.append(weapon)
    return found


def owned(fight: Resolution, who: str, name: str) -> Weapon | None:
    """The weapon of somebody that `name` is or begins, in any case; none when there is none or several."""
    sought = name.casefold()
    found = [one for one in arsenal(fight, fight.sheet(who)) if sought and one.id.casefold().startswith(sought)]
    exact = [one for one in found if one.id.casefold() == sought]
    return exact[0] if exact else found[0] if len(found) == 1 else None


def in_hand(fight: Resolution, who: str) -> list[Weapon]:
    """The weapons in hand, in the order of drawing them."""
    mine = {weapon.id: weapon for weapon in arsenal(fight, fight.sheet(who))}
    return [mine[item] for item in fight.state.gear.equipped.get(who, ()) if item in mine]


FIGHTS_WITH = "fights with"
"""What is counted of a round: with what somebody fights, where that is not all that is in hand."""


def fights_with(fight: Resolution, who: str, names: tuple[str, ...]) -> None:
    """Counts with what somebody fights in this round; nothing for all that is in hand."""
    for name in fight.state.counts.of(who, FIGHTS_WITH):
        if name not in names:
            fight.record(Counted(who, FIGHTS_WITH, 0, name))
    for name in names:
        if not fight.state.counts.get(who, FIGHTS_WITH, name):
            fight.record(Counted(who, FIGHTS_WITH, 1, name))


def in_use(fight: Resolution, who: str) -> list[Weapon]:
    """The weapons in hand with which somebody fights in this round."""
    used, held = fight.state.counts.of(who, FIGHTS_WITH), in_hand(fight, who)
    return [weapon for weapon in held if weapon.id in used] if used else held


def has_shield(fight: Resolution, who: str) -> bool:
    """Whether a shield is in hand."""
    return SHIELD in fight.state.gear.equipped.get(who, ())
