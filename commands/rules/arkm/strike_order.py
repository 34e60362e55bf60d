"""Who strikes first in a pair: reach, charges and set weapons, before initiative is asked."""

from typing import Literal

from commands.action.resolution import Resolution

from . import ability, position
from .groups import HASTED
from .hands import FIGHTS_WITH, in_hand, in_use
from .order import acted
from .stat_block import Sheet
from .tohit import ROLLS, is_mounted

Order = Literal["first", "second", "simultaneous", "initiative"]
OTHER: dict[Order, Order] = {
    "first": "second", "second": "first", "simultaneous": "simultaneous", "initiative": "initiative",
}  # fmt: skip
CHARGING, SET = "charging", "set"
SHORT = "charge ended short"
"""What is counted of a round: how far from its target a charge ended, in feet."""


def between(fight: Resolution, who: str, foe: str) -> Order:
    """How somebody strikes in regard to a foe in the melee phase. arkm.strike-order.precedence"""
    return decided(fight, who, foe)[0]


def decided(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """The order of two, and the clause that says so: the first that applies."""
    for rule in (_set_against_charge, _charge, _reach):
        order, clause = rule(fight, who, foe)
        theirs, their_clause = rule(fight, foe, who)
        if order == "initiative":
            order, clause = OTHER[theirs], their_clause
        elif order == theirs == "first":  # both charged
            order = "initiative"
        if order != "initiative":
            return order, clause
        if rule is _charge and _hasted(fight, who) != _hasted(fight, foe):
            break
    return "initiative", "arkm.initiative.highest-first"


def _hasted(fight: Resolution, who: str) -> bool:
    return HASTED in ability.conditions(fight, who)


def charges(fight: Resolution, who: str) -> bool:
    """Whether somebody has charged in this round."""
    return CHARGING in ability.conditions(fight, who)


def has_set(fight: Resolution, who: str) -> bool:
    """Whether somebody has a weapon set against a charge."""
    return SET in ability.conditions(fight, who)


def has_lance(fight: Resolution, who: str) -> bool:
    """Whether somebody has a lance in hand, and fights with it."""
    return any("lance" in weapon.tags for weapon in in_use(fight, who))


def is_lancer(fight: Resolution, who: str) -> bool:
    """Whether somebody is mounted, with a lance in hand."""
    return is_mounted(fight, who) and has_lance(fight, who)


def _set_against_charge(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """A weapon that `who` has set, against the charge of `foe`.

    arkm.set.simultaneous-lance, arkm.set.first-against-normal-weapons; arkm.set.simultaneous-horns,
    arkm.set.first-against-monster: what is longer, the weapon or the horns.
    """
    if not (has_set(fight, who) and charges(fight, foe)) or fight.state.counts.get(foe, SHORT):
        return "initiative", ""
    if is_mounted(fight, foe):
        if has_lance(fight, foe):
            return "simultaneous", "arkm.set.simultaneous-lance"
        return "first", "arkm.set.first-against-normal-weapons"
    if set_length(fight, who) > horns(fight.sheet(foe)):
        return "first", "arkm.set.first-against-monster"
    return "simultaneous", "arkm.set.simultaneous-horns"


def set_length(fight: Resolution, who: str) -> int:
    """The length of the weapon that somebody has set, in feet."""
    held = fight.state.conditions.of[who][SET].whom
    return max((weapon.length for weapon in in_hand(fight, who) if weapon.id in held), default=0)


def horns(sheet: Sheet) -> int:
    """The length of the longest horns or tusks, in feet; 0 without any."""
    return max((line.length for line in sheet.attacks if line.horns), default=0)


def _charge(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """The charge of `who`, against a foe who has set nothing.

    arkm.charge.against-lancers, arkm.charge.unmounted-first-strike
    """
    if not charges(fight, who) or fight.state.counts.get(who, SHORT):
        return "initiative", ""
    if is_lancer(fight, foe):
        return "simultaneous", "arkm.charge.against-lancers"
    if is_mounted(fight, foe) or not has_bonus(fight, who):
        return "initiative", ""
    return "first", "arkm.charge.unmounted-first-strike"


def has_bonus(fight: Resolution, who: str) -> bool:
    """Whether a charger has the bonus and the first blow: by the option charge_bonus_for, all or lancers alone."""
    return fight.option("charge_bonus_for") == "all" or has_lance(fight, who)


def _reach(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """arkm.reach.first-strike: in the first round of a pair the longer weapon, whatever the initiative.

    arkm.reach.advantage: longer by enough. arkm.reach.not-if-surprised: not when surprised.
    """
    if foe not in fight.state.engagement.of(who) or not position.first_round_of(fight, who, foe):
        return "initiative", ""
    if position.is_surprised(fight, who) or not ability.is_able(fight, who):
        return "initiative", ""
    if reach(fight, who) - reach(fight, foe) < int(fight.option("reach_advantage_ft")):
        return "initiative", ""
    return "first", "arkm.reach.first-strike"


def reach(fight: Resolution, who: str) -> int:
    """The length of the longest melee weapon in use, or of the longest natural one, in feet; a whip has none."""
    weapons = [weapon.length for weapon in in_use(fight, who) if weapon.is_("melee") and "whip" not in weapon.tags]
    used, sheet = fight.state.counts.of(who, FIGHTS_WITH), fight.sheet(who)
    lines = [line.length for line in sheet.attacks if not used or line.name in used]
    return max(weapons or lines, default=0)


def has_struck(fight: Resolution, who: str) -> bool:
    """Whether somebody has attacked in this round, or given it up."""
    return bool(fight.state.counts.of(who, ROLLS) or acted(fight, who))


def check(fight: Resolution, who: str, foe: str) -> None:
    """Refuses a blow at one who strikes first and has not struck yet."""
    order, clause = decided(fight, who, foe)
    can = ability.is_able(fight, foe) and "barred from attacking" not in ability.conditions(fight, foe)
    if order == "second" and can and not has_struck(fight, foe):
        fight.refuse(clause, f"{foe} strikes before {who}.", f"affray attack {foe} {who}\naffray pass {foe}")
