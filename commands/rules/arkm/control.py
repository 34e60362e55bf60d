"""Rival casters: two who would control the same creature or thing."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Counted, Number

from . import ability, ways

CONTROLS = "controls"


class Check(Declaration):
    """Two casters contend for the control of one creature or thing: once a round."""

    who: Annotated[Fighter, Meta(description="One caster.")]
    against: Annotated[Fighter, Meta(description="The other.")]
    control: Annotated[str, Meta(max_length=60, description="The creature or thing they contend for.")] = ""
    mod: Annotated[int, Meta(ge=-20, le=20, description="Added to the first caster's roll.")] = 0


def check(fight: Resolution, said: Check) -> None:
    """arkm.control-contest.opposed-roll: the higher controls it this round; equal, and it stays as it was."""
    who, other, clause = said.who, said.against, "arkm.control-contest.opposed-roll"
    if not said.control:
        fight.impossible("For the control of what?", f"affray check {who} {other} --control elemental")
    if who == other:
        fight.impossible("A contest needs two casters.")
    require_encounter(fight)
    for one in (who, other):
        ability.check(fight, one, struggling=True)
        if not fight.sheet(one).caster:
            fight.refuse(clause, f"{one} is no spellcaster.", "The sheet of a spellcaster says caster = true.")
    if fight.state.counts.get("encounter", "contest", said.control):
        fight.refuse(clause, f"{said.control} was contended for in this round.", ways.next_round(fight))
    fight.record(Counted("encounter", "contest", 1, said.control))
    mine = _skill_roll(fight, who, said.control).plus(said.mod, "modifier")
    theirs = _skill_roll(fight, other, said.control)
    if mine.total == theirs.total:
        fight.compare(clause, mine, "=", theirs, who, other, yes="it stays as it was")
        return
    winner, sign = (who, ">") if mine.total > theirs.total else (other, "<")
    fight.compare(clause, mine, sign, theirs, who, other, yes=f"{winner} controls it")
    for holder in fight.state.roster.order:
        held = fight.state.conditions.get(holder, CONTROLS)
        if held and said.control in held.whom and holder != winner:
            rest = tuple(thing for thing in held.whom if thing != said.control)
            if rest:
                fight.record(ConditionGained(holder, CONTROLS, "encounter-end", whom=rest))
            else:
                fight.record(ConditionEnded(holder, CONTROLS))
    held = fight.state.conditions.get(winner, CONTROLS)
    things = held.whom if held else ()
    if said.control not in things:
        fight.record(ConditionGained(winner, CONTROLS, "encounter-end", whom=(*things, said.control)))


def _skill_roll(fight: Resolution, who: str, about: str) -> Number:
    """The die of the option opposed_roll, and the skill: the level, if the sheet says nothing else."""
    sheet = fight.sheet(who)
    skill = sheet.experience if sheet.spell_skill is None else sheet.spell_skill
    dice = "2d6" if fight.option("opposed_roll") == "2d6+skill" else "1d20"
    return fight.roll(who, dice, "control", about).number(who).plus(skill, "skill")
