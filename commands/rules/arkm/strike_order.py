"""Who strikes first in a pair: reach, charges and set weapons, before initiative is asked."""

from collections.abc import Callable
from typing import Literal

from commands.action.resolution import Remedy, Resolution
from commands.action.view import View

from . import ability, position
from .conditions import BARRED, CHARGING, HASTED, SET
from .hands import FIGHTS_WITH, in_hand, in_use
from .order import acted
from .stat_block import Sheet
from .tohit import ROLLS, is_mounted

Order = Literal["first", "second", "simultaneous", "initiative"]
_OTHER: dict[Order, Order] = {"first": "second", "second": "first"}
SHORT = "charge ended short"
"""What is counted of a round: how far from its target a charge ended, in feet."""


def between(fight: Resolution, who: str, foe: str) -> Order:
    """How somebody strikes in regard to a foe in the melee phase."""
    return _decided(fight, who, foe)[0]


def _decided(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """The order of two, and the clause that says so: the first that applies."""
    for rule in (_set_against_charge, _charge, _reach):
        order, clause = _of_both(rule, fight, who, foe)
        if order != "initiative":
            return order, clause
        if rule is _charge and _hasted(fight, who) != _hasted(fight, foe):
            break
    return "initiative", "arkm.initiative.highest-first"


def _of_both(rule: Callable[..., tuple[Order, str]], fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """What a rule says of two: that it gives the one the first blow, or the other."""
    order, clause = rule(fight, who, foe)
    theirs, their_clause = rule(fight, foe, who)
    if order == "initiative":
        return _OTHER.get(theirs, theirs), their_clause
    return ("initiative", "") if order == theirs == "first" else (order, clause)  # both charged


def clauses(fight: Resolution, who: str, foe: str, unseen: bool) -> list[str]:
    """The clauses that say when somebody strikes at a foe in the melee phase, where it is not initiative alone.

    arkm.strike-order.precedence: when what comes first says otherwise than what comes later. `unseen` is for a blow
    that the foe does not see coming.
    """
    order, clause = _decided(fight, who, foe)
    if unseen and _by_reach(order, clause):
        return ["arkm.reach.not-if-surprised"]
    if order != "initiative" or _hasted(fight, who) != _hasted(fight, foe):
        by_reach, _ = _of_both(_reach, fight, who, foe)
        found = [clause] if order != "initiative" else []
        return [*found, "arkm.strike-order.precedence"] if by_reach not in ("initiative", order) else found
    for one, other in ((who, foe), (foe, who)):
        far = reach(fight, one) - reach(fight, other) if _may_reach(fight, one, other) else 0
        if 0 < far < int(fight.option("reach_advantage_ft")):
            return ["arkm.reach.advantage"]
        if far > 0:
            return ["arkm.reach.not-if-surprised"] if position.is_surprised(fight, one) else []
    return []


def both_double(fight: Resolution, setter: str, charger: str) -> bool:
    """Whether a set weapon and what charges it strike at once, and both do double damage."""
    return _set_against_charge(fight, setter, charger)[0] == "simultaneous"


def _hasted(view: View, who: str) -> bool:
    return view.state.conditions.has(who, HASTED)


def charges(view: View, who: str) -> bool:
    """Whether somebody has charged in this round."""
    return view.state.conditions.has(who, CHARGING)


def has_set(view: View, who: str) -> bool:
    """Whether somebody has a weapon set against a charge."""
    return view.state.conditions.has(who, SET)


def _has_lance(fight: Resolution, who: str) -> bool:
    """Whether somebody has a lance in hand, and fights with it."""
    return any("lance" in weapon.tags for weapon in in_use(fight, who))


def _set_against_charge(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """A weapon that `who` has set, against the charge of `foe`: what is longer, the weapon or the horns."""
    if not (has_set(fight, who) and charges(fight, foe)) or fight.state.counts.get(foe, SHORT):
        return "initiative", ""
    if is_mounted(fight, foe):
        if _has_lance(fight, foe):
            return "simultaneous", "arkm.set.simultaneous-lance"
        return "first", "arkm.set.first-against-normal-weapons"
    held = fight.state.conditions.whom(who, SET)
    if max((weapon.length for weapon in in_hand(fight, who) if weapon.id in held), default=0) > horns(fight.sheet(foe)):
        return "first", "arkm.set.first-against-monster"
    return "simultaneous", "arkm.set.simultaneous-horns"


def horns(sheet: Sheet) -> int:
    """The length of the longest horns or tusks, in feet; 0 without any."""
    return max((line.length for line in sheet.attacks if line.horns), default=0)


def _charge(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """The charge of `who`, against a foe who has set nothing."""
    if not charges(fight, who) or fight.state.counts.get(who, SHORT):
        return "initiative", ""
    if is_mounted(fight, foe) and _has_lance(fight, foe):
        return "simultaneous", "arkm.charge.against-lancers"
    if is_mounted(fight, foe) or not has_bonus(fight, who):
        return "initiative", ""
    return "first", "arkm.charge.unmounted-first-strike"


def has_bonus(fight: Resolution, who: str) -> bool:
    """Whether a charger has the bonus and the first blow: by the option charge_bonus_for, all or lancers alone."""
    return fight.option("charge_bonus_for") == "all" or _has_lance(fight, who)


def _reach(fight: Resolution, who: str, foe: str) -> tuple[Order, str]:
    """In the first round of a pair the weapon that is longer by enough, whatever the initiative; not when surprised."""
    free = ability.is_able(fight, who) and not position.is_surprised(fight, who)
    if not free or not _may_reach(fight, who, foe):
        return "initiative", ""
    if reach(fight, who) - reach(fight, foe) < int(fight.option("reach_advantage_ft")):
        return "initiative", ""
    return "first", "arkm.reach.first-strike"


def _may_reach(view: View, who: str, foe: str) -> bool:
    return foe in view.state.engagement.of(who) and position.first_round_of(view, who, foe)


def reach(fight: Resolution, who: str) -> int:
    """The length of the longest melee weapon in use, or of the longest natural one, in feet; a whip has none."""
    weapons = [weapon.length for weapon in in_use(fight, who) if weapon.is_("melee") and "whip" not in weapon.tags]
    used, sheet = fight.state.counts.of(who, FIGHTS_WITH), fight.sheet(who)
    return max(weapons or [line.length for line in sheet.attacks if not used or line.name in used], default=0)


def has_struck(view: View, who: str) -> bool:
    """Whether somebody has attacked in this round, or given it up."""
    return bool(view.state.counts.of(who, ROLLS) or acted(view, who))


def _by_reach(order: Order, clause: str) -> bool:
    """Whether a foe strikes first for the reach of its weapon alone."""
    return order == "second" and clause == "arkm.reach.first-strike"


def check(fight: Resolution, who: str, foe: str, unseen: bool = False) -> None:
    """Refuses a blow at one who strikes first and has not struck yet.

    arkm.reach.not-if-surprised: reach does not help against a blow that is `unseen`.
    """
    order, clause = _decided(fight, who, foe)
    if unseen and _by_reach(order, clause):
        return
    can = ability.is_able(fight, foe) and not fight.state.conditions.has(foe, BARRED)
    if order == "second" and can and not has_struck(fight, foe):
        ways: list[Remedy] = [("attack", {"who": foe, "target": [who]}), ("pass", {"who": [foe]})]
        fight.refuse(clause, f"{foe} strikes before {who}.", [ways])
