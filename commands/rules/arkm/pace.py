"""How far somebody moves, and what else that leaves time for in the same round."""

from typing import Annotated

from msgspec import Meta

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Counted, Moved, number

from . import distance, flight, holding, order, position, strike_order, ways
from .conditions import HASTED, MOUNTED, PRONE, WALL, WITHDRAWING
from .distance import FEET, MELEE, figure, words
from .order import RUN
from .stat_block import Sheet, Weapon

STANDING = "shot from where it stood"
"""What is counted of one whose shot of this round was not one that is made on the run."""
_WHIP = 10
"""The feet that a whip reaches."""
CASTER = 10
"""The feet that a caster moves at most; of whole yards, 3."""


Feet = Annotated[int, Meta(ge=0, le=10_000)]


def check_free(fight: Resolution, who: str, hurrying: bool) -> None:
    """arkm.in-melee.restricted-movement: the engaged only withdraw, retreat, move through or disengage.

    arkm.phase.movement-defensive-only says the same of those in melee since an earlier round.
    """
    foes = position.unoccupied(fight, who)
    if not foes:
        if position.foes(fight, who):
            fight.rule("arkm.disengage.free", "leaves without a blow", who=who, also=("arkm.in-melee.engaged",))
        return
    clause = "arkm.in-melee.restricted-movement"
    if not hurrying and position.engaged_since_earlier(fight, who):
        clause = "arkm.phase.movement-defensive-only"
    message = f"{who} is engaged with {', '.join(foes)}, and can only withdraw, retreat, move through or disengage."
    fight.refuse(clause, message, ways.get_away(fight, who))


def check_up(fight: Resolution, who: str) -> None:
    """Who lies does not move, who has set a weapon stands, and who withdraws moves freely in the next round.

    arkm.set.declare, arkm.whip.result, arkm.withdraw.no-free-attack
    """
    if fight.state.conditions.has(who, WITHDRAWING) and moved(fight, who):
        fight.refuse("arkm.withdraw.no-free-attack", f"{who} has withdrawn this round.", ways.next_round(fight))
    if strike_order.has_set(fight, who):
        fight.refuse("arkm.set.declare", f"{who} has set a weapon, and cannot move.", ways.next_round(fight))
    if fight.state.conditions.has(who, PRONE):
        fight.refuse("arkm.whip.result", f"{who} is prone, and must stand up first.", [("stand", {"who": who})])


def full(view: View, who: str) -> int:
    """The Turn movement, in feet; in the saddle that of the steed. Of the hasted twice as much."""
    sheet: Sheet = view.sheet(who)
    saddle = view.state.conditions.get(who, MOUNTED)
    own = sheet.move if saddle is None else saddle.amount or sheet.steed_move or sheet.move
    return distance.feet(view, own * (2 if view.state.conditions.has(who, HASTED) else 1))


def half(view: View, who: str, divisor: int = 2) -> int:
    """Half the Turn movement, in feet: what leaves time to act. A part of a foot, or of a yard, is dropped."""
    return distance.feet(view, figure(view, full(view, who)) // divisor)


def moved(view: View, who: str) -> int:
    """How far somebody has moved in this round, in feet."""
    return view.state.counts.get(who, FEET)


def is_running(view: View, who: str, feet: int, said: bool) -> bool:
    """Whether a movement leaves no time to act: said so, or more than half, except for those who shoot on the run."""
    return said or (moved(view, who) + feet > half(view, who) and not _fires_on_the_run(view, who))


def _fires_on_the_run(view: View, who: str) -> bool:
    """arkm.move.elf-run-and-fire, arkm.move.hobbit-run-and-throw: elves and hobbits have that gift, with what they
    shoot or throw so.
    """
    sheet: Sheet = view.sheet(who)
    shot = order.acted(view, who) == order.SHOT
    return sheet.class_.lower() in ("elf", "hobbit") and not (shot and view.state.counts.get(who, STANDING))


def fires(sheet: Sheet, weapon: Weapon) -> bool:
    """Whether a weapon is one that an elf, or a hobbit, shoots or throws on the run and into a melee."""
    if sheet.class_.lower() == "elf":
        return weapon.is_("bow", "great-bow") or "javelin" in weapon.tags
    return sheet.class_.lower() == "hobbit" and weapon.is_("sling", "thrown")


_ON_THE_RUN = {"elf": "arkm.move.elf-run-and-fire", "hobbit": "arkm.move.hobbit-run-and-throw"}
"""The clauses by which elves shoot, and hobbits throw, on the run."""


def check_after(fight: Resolution, who: str, verb: str, shooting: Weapon | None = None) -> None:
    """Refuses an attack or a shot after too long a movement."""
    if order.acted(fight, who) == RUN:
        fight.refuse("arkm.move.run", f"{who} runs this round, and can do nothing else.", ways.next_round(fight))
        return
    far, most = moved(fight, who), half(fight, who)
    if far <= most or (strike_order.charges(fight, who) and not shooting):
        return
    sheet: Sheet = fight.sheet(who)
    clause = _ON_THE_RUN.get(sheet.class_.lower() if shooting else "", "arkm.move.half-and-attack")
    if shooting and fires(sheet, shooting):
        fight.rule(clause, "on the run", who=who)
        return
    message = f"{who} has moved {words(fight, far)} this round, and can {verb} only after at most"
    fight.refuse(clause, f"{message} {words(fight, most)}.", ways.next_round(fight))


def go(fight: Resolution, who: str, feet: int, how: str) -> None:
    """Records how far somebody moved, in feet, and what a movement ends."""
    fight.record(Moved(who, how, 0, measure=words(fight, feet)))
    before, far = moved(fight, who), moved(fight, who) + feet
    fight.record(Counted(who, FEET, far))
    own = full(fight, who) // 2 if fight.state.conditions.has(who, HASTED) else far
    if before <= own < far:
        twice = number("Turn movement", figure(fight, own), "own").times(2, "hasted")
        fight.rule("arkm.haste.double-move", f"moves {words(fight, far)}", [twice], who=who)
    fight.no_longer(who, WALL)
    position.moves_off(fight, who)
    distance.roam(fight, who, feet)
    if feet > _WHIP and holding.entangled(fight, who):
        fight.rule("arkm.whip.result", f"free of the whip, which reaches {_WHIP} feet", who=who)
        holding.free_of_whips(fight, who)


def leave_all(fight: Resolution, who: str, keep: tuple[str, ...], gone: int = 0) -> None:
    """Somebody is near nobody any more, save some; pursuers faster than one who flees stay with him.

    `gone` is how many feet away the others are then, if that is known: within 5 all are near still
    (arkm.in-melee.definition).
    """
    if 0 < gone <= MELEE:
        return
    for other in fight.state.engagement.of(who):
        if other in keep or (not gone and flight.pursues(fight, other, who) and full(fight, other) > full(fight, who)):
            continue
        position.part(fight, who, other, gone)


def arrive(fight: Resolution, who: str, near: tuple[str, ...], within: int = MELEE, obstacle: bool = False) -> None:
    """arkm.in-melee.definition: within 5 feet of a foe, with nothing between, is in melee."""
    for other in near:
        if within <= MELEE and not obstacle and fight.hostile(who, other):
            flight.comes_up(fight, who, other)
            position.meet(fight, who, other)
        else:
            why = ", something between" if obstacle else ""
            feet = number("distance", within, "feet")
            with fight.upon(who, other):
                fight.rule("arkm.in-melee.definition", f"{who} is not in melee with {other}{why}", [feet], who, other)
            position.part(fight, who, other, within)
            distance.apart(fight, who, other, within)
            position.separate(fight, who, other, obstacle and within <= MELEE)
