"""Checks: 2d6 and a skill against a difficulty, or against somebody else's."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from commands.action.declaration import AnyOrder, Declaration, Fighter, Fighters
from commands.action.resolution import Resolution
from ledger.events import Number, number

from . import actions
from .modifiers import MOD, read_mods, with_mods
from .tables import UNSKILLED, Attribute

USUAL = 2
"""What the referee's modifiers come to at most, either way, "usually": aachen.check.circumstances."""
QUALITIES = (
    (5, "exceptional success"),
    (1, "success"),
    (0, "marginal success"),
    (-1, "marginal failure"),
    (-4, "failure"),
)
"""aachen.check.quality: (least difference, quality), highest first; anything less is an exceptional failure."""
Worth = Callable[[str], int]


class Try(Struct, frozen=True):
    """Somebody's check: with which attribute and which skills, of which the best counts."""

    who: str
    attribute: Attribute
    skills: str
    """One, or several with commas between."""
    mods: tuple[tuple[int, str], ...] = ()


def best_skill(fight: Resolution, one: Try) -> tuple[str, int | None]:
    """The skill that counts, with its level; none for unskilled."""
    sheet = fight.sheet(one.who)
    levels = [(name.strip(), sheet.skill(name.strip())) for name in one.skills.split(",")]
    return max(levels, key=lambda level: UNSKILLED if level[1] is None else level[1])


def bonus(fight: Resolution, one: Try) -> int:
    """What somebody adds to 2d6, without modifiers of the referee."""
    sheet = fight.sheet(one.who)
    if sheet.kind == "monster":
        return int(sheet.skill_bonus)
    _, level = best_skill(fight, one)
    return int(sheet.modifier(one.attribute)) + (UNSKILLED if level is None else level)


def throw(fight: Resolution, one: Try, about: str = "") -> Number:
    """aachen.check.roll: 2d6, the level in the skill and the attribute; a monster adds its one bonus.

    aachen.check.unskilled: no level is -1.
    """
    sheet = fight.sheet(one.who)
    skill, level = best_skill(fight, one)
    purpose = f"{one.attribute}/{skill.capitalize()}"
    total = fight.roll(one.who, "2d6", purpose, about).number(f"{one.who}'s {purpose}")
    if sheet.kind == "monster":
        total = total.plus(sheet.skill_bonus, "skill bonus")
    else:
        total = total.plus(sheet.modifier(one.attribute), one.attribute)
        total = total.plus(UNSKILLED, "unskilled") if level is None else total.plus(level, skill)
    return with_mods(total, list(one.mods))


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


class Check(Declaration):
    """Make a skill check against a difficulty, or an opposed one against somebody. In a fight a main action."""

    who: Annotated[Fighter, Meta(description="Who tries.")]
    attr: Annotated[Attribute, Meta(description="The attribute.")]
    skill: Annotated[str, Meta(min_length=1, max_length=40, description="The skill.")]
    difficulty: Annotated[int, Meta(ge=-1000, le=1000, description="What the check must reach.")] | None = None
    vs: Annotated[Fighter, Meta(description="Who opposes it.")] = ""
    vs_attr: Annotated[Attribute, Meta(description="The opponent's attribute, if not the same.")] | None = None
    vs_skill: Annotated[str, Meta(max_length=40, description="The opponent's skill, if not the same.")] = ""
    mod: Annotated[AnyOrder, Meta(description=MOD)] = ()
    aid: Annotated[Fighters, Meta(description="Those who help.")] = ()
    free: Annotated[bool, Meta(description="It costs no action, on any turn.")] = False


def check(fight: Resolution, said: Check) -> None:
    """aachen.actions.use-skill: a main action, unless the referee says that it is none."""
    if (said.difficulty is None) == (not said.vs):
        fight.impossible(
            "A check is against a difficulty, or against somebody.",
            "Say one of the two: --difficulty 8, or --vs and a name.",
        )
    if not said.vs and (said.vs_attr or said.vs_skill):
        message = "Nobody opposes this check, so --vs-attr and --vs-skill mean nothing."
        fight.impossible(message, "Leave them out, or say who opposes it: --vs and a name.")
    if said.vs and (said.vs == said.who or said.aid):
        fight.impossible(
            "A check against somebody has another opponent, and no helpers.", "Name somebody else; leave out --aid."
        )
    if said.free:
        actions.check_able(fight, said.who)
    else:
        actions.main_action(fight, said.who, combat=False)  # aachen.actions.use-skill
    if said.vs:
        actions.check_able(fight, said.vs)
    make_check(fight, said)


def make_check(fight: Resolution, said: Check) -> None:
    """The check itself, whatever it cost."""
    mods = tuple(_judged(fight, said))
    mine = Try(said.who, said.attr, said.skill, mods)
    if said.vs:
        theirs = Try(said.vs, said.vs_attr or said.attr, said.vs_skill or said.skill)
        oppose(fight, ("aachen.check.opposed", "aachen.check.opposed"), mine, theirs)
        return
    difficulty = number("difficulty", said.difficulty or 0)
    if said.aid:
        mine = Try(said.who, said.attr, said.skill, (*mods, *_aid(fight, said, difficulty)))
    score = throw(fight, mine)
    fight.compare("aachen.check.roll", score, ">=", difficulty, said.who, yes="success", no="failure")
    margin = score.total - difficulty.total
    quality = next((told for least, told in QUALITIES if margin >= least), "exceptional failure")
    fight.rule("aachen.check.quality", quality, who=said.who)


def _judged(fight: Resolution, said: Check) -> list[tuple[int, str]]:
    """aachen.check.circumstances: more than 2 either way is unusual, and said so."""
    mods = read_mods(fight, said.mod)
    total = sum(value for value, _ in mods)
    if abs(total) > USUAL:
        fight.rule("aachen.check.circumstances", f"{total:+d} is more than the usual 2", who=said.who)
    return mods


def _aid(fight: Resolution, said: Check, difficulty: Number) -> list[tuple[int, str]]:
    """aachen.check.aid: helpers roll first; one success or more gives +1."""
    helped = False
    for helper in said.aid:
        if helper == said.who:
            fight.impossible(f"{helper} cannot help itself.", "Name others after --aid.")
        actions.check_able(fight, helper)
        score = throw(fight, Try(helper, said.attr, said.skill), about=said.who)
        helped |= fight.compare(
            "aachen.check.aid", score, ">=", difficulty, helper, said.who, yes="of help", no="no help"
        )
    return [(1, "aid")] if helped else []
