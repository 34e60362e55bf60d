"""Charges, and weapons set against them."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, says
from commands.action.resolution import Remedies, Remedy, Resolution
from commands.action.view import View
from ledger.events import ConditionGained, Counted, whose

from . import acting, distance, flight, order, pace, position, tohit, ways
from .ability import is_dead
from .aim import wield
from .conditions import CHARGING, SET
from .distance import MELEE, figure, measure, words
from .groups import group, members
from .hands import in_hand
from .pace import Feet
from .stat_block import Sheet
from .strike_order import SHORT

_LEAST = 30
"""3 inches, in the measure of the place: 30 feet, outdoors 30 yards."""


class Charge(Declaration):
    """Charge a foe, in the movement phase; the blow falls in the melee phase."""

    who: Annotated[Fighter, says("Who charges.")]
    target: Annotated[Fighter, says("Who is charged.")]
    feet: Annotated[Feet, says("How far, at least 30 feet, or yards outdoors; else as far as needed.")] | None = None
    ends: Annotated[int, says("Feet from the target at the end.", ge=0, le=1000)] = 5
    with_: Annotated[str, says("The weapon, drawn if need be.")] = ""


def charge(fight: Resolution, said: Charge) -> None:
    """arkm.charge.who, arkm.charge.distance, arkm.charge.max-distance, arkm.charge.end-within-5.

    Missiles and spells come before its blow.
    """
    who, target = said.who, said.target
    if not fight.hostile(who, target):
        fight.impossible(f"{target} is on {whose(who)} side.")
    if is_dead(fight, target):
        fight.impossible(f"{target} is already dead.")
    acting.may_act(fight, who, "charge", "movement")
    sheet: Sheet = fight.sheet(who)
    can = sheet.can_charge if sheet.can_charge is not None else sheet.is_kind in ("monster", "beast")
    if not can and not tohit.is_mounted(fight, who):
        clause = "arkm.move.elf-not-charge" if sheet.class_.lower() == "elf" else "arkm.charge.who"
        mount: Remedy = ("mount", {"who": who, **({"on": sheet.steed} if sheet.steed else {})})
        instead = [*[mount] * bool(sheet.steed or sheet.mounted), *_on_foot(fight, who, target)]
        fight.refuse(clause, f"{who} is on foot; only monsters, beasts and the mounted charge.", instead)
    pace.check_up(fight, who)
    pace.check_free(fight, who, hurrying=True)
    feet = _how_far(fight, said)
    far, gone = pace.moved(fight, who) + feet, pace.moved(fight, who)
    most = pace.full(fight, who) if fight.option("charge_max") == "full" else pace.half(fight, who)
    if figure(fight, feet) < _LEAST:
        run: Remedy = ("move", {"who": who, "to": [target], "feet": figure(fight, feet)})
        near = _on_foot(fight, who, target) if distance.least(fight, who, target) else [run]
        message = f"A charge is at least {_LEAST} {measure(fight)}, not {figure(fight, feet)}."
        fight.refuse("arkm.charge.distance", message, near)
    if far > most:
        allowed = words(fight, most)
        shorter = [fight.otherwise(feet=figure(fight, max(most - gone, 0)))]
        fight.refuse("arkm.charge.max-distance", f"{who} charges at most {allowed}, not {figure(fight, far)}.", shorter)
    distance.check_covers(fight, who, target, feet, said.ends, most - gone, "ends")
    if order.acted(fight, who):
        fight.refuse("arkm.move.run", f"{who} has already acted this round.", ways.next_round(fight))
    if said.with_:
        wield(fight, who, said.with_)
    pace.go(fight, who, feet, "charge")
    pace.leave_all(fight, who, (target,) if said.ends <= MELEE else ())
    flight.turns(fight, who, target)
    fight.record(ConditionGained(who, CHARGING, "round-end", whom=(target,)))
    pace.arrive(fight, who, (target,), said.ends)
    if said.ends > MELEE:
        fight.record(Counted(who, SHORT, said.ends))


def _how_far(fight: Resolution, said: Charge) -> int:
    """In feet: as said, or what is between the two; outdoors whole yards."""
    if said.feet is not None:
        return distance.feet(fight, said.feet)
    known = distance.known(fight, said.who, said.target)
    if known > said.ends:
        return distance.feet(fight, figure(fight, known - said.ends))
    return fight.impossible(f"How far does {said.who} charge?", [fight.otherwise(feet=_LEAST)])


def _on_foot(view: View, who: str, target: str) -> Remedies:
    """What takes the place of a charge: a move as near to the foe as half the Turn movement goes, or the blow."""
    far, most = distance.least(view, who, target), pace.half(view, who)
    if target in view.state.engagement.of(who):
        return [("attack", {"who": who, "target": [target]})]
    if far <= most + MELEE:
        return [("move", {"who": who, "to": [target], "feet": figure(view, max(far - MELEE, 0)) or 5})]
    return [("move", {"who": who, "to": [target], "feet": figure(view, most), "within": far - most})]


class Set(Declaration):
    """Set a spear, or a pike or polearm with a spear point, against a charge, instead of moving."""

    who: Annotated[Fighter, says("Who sets it.")]
    weapon: Annotated[str, says("Which one; drawn if need be.", positional=True)] = ""


def set_(fight: Resolution, said: Set) -> None:
    """arkm.set.declare: to the end of the round."""
    who, clause = said.who, "arkm.set.declare"
    acting.may_act(fight, who, "set", "movement")
    _check_when(fight, who)
    if said.weapon:
        weapon = wield(fight, who, said.weapon)
    else:
        held = [one for one in in_hand(fight, who) if "set" in one.tags] or in_hand(fight, who)
        if not held:
            message = f"{who} has nothing in hand to set."
            fight.impossible(message, "Say what is drawn: a spear, pike or polearm that is carried.")
        weapon = held[0]
    pace.check_up(fight, who)
    if "set" not in weapon.tags:
        message = f"{weapon.id} cannot be set against a charge."
        fight.refuse(clause, message, "A spear can, or a pike or polearm with a spear point.")
    if tohit.is_mounted(fight, who):
        fight.refuse(clause, f"{who} is mounted; a weapon is set on foot.", [("mount", {"who": who, "off": True})])
    if pace.moved(fight, who):
        fight.refuse(clause, f"{who} has already moved this round.", ways.next_round(fight))
    if done := order.acted(fight, who):
        fight.refuse(clause, f"{who} has already acted this round ({done}).", ways.next_round(fight))
    fight.record(ConditionGained(who, SET, "round-end", whom=(weapon.id,)))


def _check_when(fight: Resolution, who: str) -> None:
    """arkm.phase.set-spears-ahead: not in melee since an earlier round; arkm.phase.set-spears-charged: when no enemy
    can still charge, only if one has charged at the setter's group.
    """
    if position.engaged_since_earlier(fight, who):
        fight.refuse("arkm.phase.set-spears-ahead", f"{who} has been in melee since an earlier round.")
    foes = [foe for foe in fight.state.roster.order if fight.hostile(who, foe) and fight.state.stands(foe)]
    if not order.is_decided(fight) or any(_is_to_move(fight, foe, who) for foe in foes):
        return
    charged = {whom for foe in foes for whom in fight.state.conditions.whom(foe, CHARGING)}
    if charged.isdisjoint(members(fight, group(fight, who))):
        message = f"Nobody charges {whose(who)} group, and no foe is left to move."
        fight.refuse("arkm.phase.set-spears-charged", message, "A side that moves first can set spears on a guess.")


def _is_to_move(view: View, foe: str, who: str) -> bool:
    """Whether a foe moves after somebody, or at the same time and has not moved."""
    later = order.before(view, who, foe)
    return later < 0 or (later == 0 and not pace.moved(view, foe))
