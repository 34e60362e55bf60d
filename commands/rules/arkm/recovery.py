"""Rest and healing: temporary damage comes back with time, hit points by magic or medicine."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.resolution import Resolution, adjusted
from commands.action.resting import Days, note_rest
from ledger.events import HpGained, number

from .ability import temporary
from .temporary import add, come_round

_DAY = 1440
"""Minutes."""


class Rest(Declaration):
    """Rest for one or more Turns, of ten minutes each, or for days: temporary damage heals."""

    who: Annotated[Fighters, says("Who rests.")]
    turns: Annotated[int, says("How many Turns; 1 by default.", ge=1, le=10_000)] | None = None
    minutes: Annotated[int, says("How many minutes; only whole Turns count.", ge=1, le=100_000)] | None = None
    days: Days | None = None


def rest(fight: Resolution, said: Rest) -> None:
    """arkm.temporary-damage.recovery: a point for each level or Hit Die, and Turn; 1 at least."""
    clause = "arkm.temporary-damage.recovery"
    if fight.state.encounter.running:
        message = f"A Turn is {fight.option('turn_minutes')} minutes, and a fight is under way."
        fight.refuse(clause, message, [("end", {})])
    if sum(one is not None for one in (said.turns, said.minutes, said.days)) > 1:
        one = fight.otherwise(turns=None, minutes=None) if said.days else fight.otherwise(turns=None)
        fight.impossible("A rest is so many Turns, minutes or days, not several of them.", [one])
    minutes = max(int(fight.option("turn_minutes")), 1)
    turns = said.turns or 1 if said.minutes is None else said.minutes // minutes
    for who in said.who:
        back = number("regained", max(fight.sheet(who).experience, 1), "level")
        if said.days is None:
            back = back.times(turns, "Turns")
        elif temporary(fight, who):
            days = "day" if said.days == 1 else "days"
            back = back.times(_DAY // minutes, "Turns a day", "arkm.rest.day").times(said.days, days)
        else:
            continue
        back = back.at_most(temporary(fight, who), "all of it")
        fight.rule(clause, "", [back], who=who)
        add(fight, who, -back.total)
        come_round(fight, who)
    if said.days is not None:
        note_rest(fight, said.who, "heal NAME N")


class Heal(Declaration):
    """Give hit points back, by any magic or medicine."""

    who: Annotated[Fighter, says("Who is healed.")]
    points: Annotated[int, says("Hit points, up to the maximum.", ge=1, le=999)]


def heal(fight: Resolution, said: Heal) -> None:
    """Actual damage comes back in no other way; the slain stay slain."""
    who, hp = said.who, fight.state.harm.hp[said.who]
    if fight.state.harm.how(who) == "dead":
        fight.refuse("arkm.damage.zero-hp", f"{who} is slain.", [adjusted(who, "down", "no")])
    back = min(said.points, max(hp.most - hp.now, 0))
    fight.record(HpGained(who, back, hp.now + back, hp.most))
    come_round(fight, who)
