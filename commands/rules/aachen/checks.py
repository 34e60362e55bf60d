"""Checks and saves: 2d6 and a skill against a difficulty or somebody else's; a d20 against a score of the sheet."""

from collections.abc import Sequence

from msgspec import Struct

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Number, number, whose

from .modifiers import Term, effects, with_terms
from .tables import UNSKILLED, Attribute

BASE, MONSTER_BASE = 16, 15
_ATTRIBUTES: dict[str, tuple[Attribute, ...]] = {
    "physical": ("STR", "CON"),
    "evasion": ("DEX", "INT"),
    "mental": ("WIS", "CHA"),
    "luck": (),
}
"""aachen.save.score: the better of two attributes."""


class Try(Struct, frozen=True):
    """Somebody's check: with which attribute and which skills, of which the best counts."""

    who: str
    attribute: Attribute
    skills: str
    """One, or several with commas between."""
    terms: tuple[Term, ...] = ()
    """What else is added."""


def _best_skill(view: View, one: Try) -> tuple[str, int | None]:
    """The skill that counts, with its level; none for unskilled."""
    sheet = view.sheet(one.who)
    levels = [(name.strip(), sheet.skill(name.strip())) for name in one.skills.split(",")]
    return max(levels, key=lambda level: UNSKILLED if level[1] is None else level[1])


def bonus(view: View, one: Try) -> int:
    """What somebody adds to 2d6, without modifiers of the game master."""
    sheet = view.sheet(one.who)
    if sheet.kind == "monster":
        return int(sheet.skill_bonus)
    _, level = _best_skill(view, one)
    return int(sheet.modifier(one.attribute)) + (UNSKILLED if level is None else level)


def throw(fight: Resolution, one: Try, about: str = "") -> Number:
    """aachen.check.roll: 2d6, the level in the skill and the attribute; a monster adds its one bonus."""
    sheet = fight.sheet(one.who)
    skill, level = _best_skill(fight, one)
    named = f"{whose(one.who)} {one.attribute}/{skill.capitalize()}"
    total = fight.roll(one.who, "2d6", "check", about).number(named)
    if sheet.kind == "monster":
        total = total.plus(sheet.skill_bonus, "skill bonus")
    else:
        by_score = "" if one.attribute in sheet.mods else "aachen.attribute.modifier"
        total = total.plus(sheet.modifier(one.attribute), one.attribute, by_score)
        if level is None:
            total = total.plus(UNSKILLED, "unskilled", "aachen.check.unskilled")
        else:
            total = total.plus(level, skill)
    return with_terms(total, [*effects(fight, one.who, "check"), *one.terms])


def oppose(
    fight: Resolution, clauses: tuple[str, str], active: Try, passive: Try, yes: str = "success", no: str = "failure"
) -> bool:
    """Two checks, the active side's first; the higher wins. The second clause is for ties.

    aachen.check.opposed: a tie is the player character's; if both or neither is one, both roll again.
    """
    clause, tie = clauses
    mine, theirs = (fight.sheet(one.who).kind == "pc" for one in (active, passive))
    while True:
        left = throw(fight, active, about=passive.who)
        right = throw(fight, passive, about=active.who)
        if left.total != right.total:
            return fight.compare(clause, left, ">", right, active.who, passive.who, yes, no)
        if mine != theirs and fight.option("opposed_ties") == "pc":
            return fight.compare(tie, left, ">=" if mine else ">", right, active.who, passive.who, yes, no)
        fight.rule(tie, "both roll again", [left, right], active.who, passive.who)


def score(view: View, who: str, kind: str) -> Number:
    """aachen.save.score: 16 - the better modifier - level; aachen.save.monster: 15 - half the hit dice, down."""
    sheet = view.sheet(who)
    if sheet.kind != "pc":
        half = number("save", sheet.hit_dice, "hit dice").over(2, "half").total
        base = number("save", MONSTER_BASE, "base", "aachen.save.monster")
        return base.minus(half, f"half of {sheet.hit_dice} hit dice")
    total = number("save", BASE, "base", "aachen.save.score")
    if _ATTRIBUTES[kind]:
        best = max(_ATTRIBUTES[kind], key=sheet.modifier)
        total = total.minus(sheet.modifier(best), best)
    return total.minus(sheet.level, "level")


def saves(
    fight: Resolution, who: str, kind: str, terms: Sequence[Term], clause: str = "aachen.save.roll", about: str = ""
) -> bool:
    """aachen.save.roll: 1 fails and 20 succeeds, whatever the score."""
    roll = fight.roll(who, "1d20", "saving throw", about)
    total = with_terms(roll.number("save"), [*effects(fight, who, "save"), *terms])
    needed = score(fight, who, kind).called(kind)
    if roll.natural in (1, 20):
        return fight.rule(clause, "saved" if roll.natural == 20 else "failed", [total, needed], who) == "saved"
    return fight.compare(clause, total, ">=", needed, who, yes="saved", no="failed")
