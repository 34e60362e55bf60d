"""Morale: when it is due, and whether it holds."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighters
from commands.action.resolution import Resolution
from ledger.events import ConditionGained, PointsSet, number

from .fighters import BROKEN, MORALE, NO_FIGHT, RETREATING, SURRENDERED, able, has, members, side
from .order import TURN

MOST_MODIFIER = 2
REPORTS = "morale reports"
"""Counted for each side: 1 after the first report, 2 after that of the half."""
RESULTS = {"retreat": RETREATING, "surrender": SURRENDERED}


def report(fight: Resolution, fallen: str) -> None:
    """aachen.morale.triggers: when the first of a side is down, and when half of it is."""
    state = fight.state
    of_side = side(state, fallen)
    joined = [who for who in state.roster.of_side(of_side) if TURN in state.points.of.get(who, {})]
    downed = [who for who in joined if who in state.harm.down]
    _settle(fight, (fallen,))
    if not state.encounter.running or fallen not in downed:
        return
    half = 2 * len(downed) >= len(joined)
    given, due = state.points.left(of_side, REPORTS), 2 if half else 1
    must = [who for who in members(state, of_side) if _checks(fight, who)]
    if given >= due or not must:
        return
    counts = [number("down", len(downed)), number("joined", len(joined))]
    fight.rule("aachen.morale.triggers", "half are down" if half else "the first is down", counts, who=of_side)
    fight.record(PointsSet(of_side, REPORTS, due))
    fight.wait(MORALE, of_side, "check morale:", {"text": ", ".join(must)})


def _checks(fight: Resolution, who: str) -> bool:
    sheet = fight.sheet(who)
    broken = any(has(fight.state, who, condition) for condition in NO_FIGHT)
    return sheet.kind != "pc" and sheet.morale is not None and not broken


class Morale(Declaration):
    """Check the morale of some of the referee's characters, with one roll for all."""

    who: Annotated[Fighters, Meta(description="Who checks.")]
    mod: Annotated[int, Meta(ge=-100, le=100, description="What changes their number, -2 to +2.")] = 0
    result: (
        Annotated[Literal["retreat", "surrender"], Meta(description="What those do who fail, if it is known.")] | None
    ) = None
    score: (
        Annotated[int, Meta(ge=2, le=12, description="The number of those whose sheet has none: irregulars 6, a horde "
                                                     "7, regulars 8; mounted or elite 1 more, fanatics 2.")] | None
    ) = None  # fmt: skip


def morale(fight: Resolution, said: Morale) -> None:
    """aachen.morale.check: 2d6; higher than the number fails."""
    for who in said.who:
        sheet = fight.sheet(who)
        if sheet.kind == "pc":
            fight.refuse("aachen.morale.npc-only", f"{who} is a player character, whose courage is the player's.")
        if not able(fight.state, who):
            fight.refuse("aachen.damage.out-of-action", f"{who} is not able to act.")
        if (said.score or sheet.morale) is None:
            fight.impossible(f"{who} has no morale number.", "Say the number: --score 8.")
    if abs(said.mod) > MOST_MODIFIER:
        fight.refuse("aachen.morale.modifier", f"{said.mod:+d} is more than the 2 that a number may be changed by.")
    roll = fight.roll("", "2d6", "morale")
    for who in said.who:
        needed = number("morale", fight.sheet(who).morale or said.score or 0).plus(said.mod, "referee")
        if not fight.compare("aachen.morale.check", roll.number("roll"), "<=", needed, who, yes="holds", no="breaks"):
            fight.rule("aachen.morale.failed", said.result or "retreats or surrenders", who=who)
            fight.record(ConditionGained(who, RESULTS[said.result] if said.result else BROKEN))
            if said.result == "surrender":
                from . import falls

                falls.drop_out(fight, who)
    _settle(fight, said.who)


def _settle(fight: Resolution, checked: tuple[str, ...]) -> None:
    for one in fight.state.pending.waiting:
        if one.kind != MORALE:
            continue
        names = one.said["text"].split(", ")
        rest = [who for who in names if who not in checked and able(fight.state, who)]
        if not rest:
            fight.settle(MORALE, one.who, "done")
        elif rest != names:
            fight.wait(MORALE, one.who, one.verb, {"text": ", ".join(rest)})
