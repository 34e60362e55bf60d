"""Rolls that are asked for: checks, saves, reaction, morale."""

from typing import Annotated, Literal

from msgspec.structs import replace

from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.modifiers import Modifier, Mods
from commands.action.resolution import Resolution, adjusted
from ledger.events import ConditionGained, Number, number, whose

from . import actions, falls
from .actions import check_able
from .checks import Try, oppose, saves, throw
from .fighters import BROKEN, RETREATING, SURRENDERED, able
from .modifiers import Term, read_mods, terms, with_terms
from .tables import Attribute

_USUAL = 2
"""What the game master's modifiers come to at most, either way, "usually": aachen.check.circumstances."""
_GRADES = (5, "exceptional success"), (1, "success"), (0, "marginal success"), (-1, "marginal failure"), (-4, "failure")
"""aachen.check.quality: (least difference, quality), highest first; anything less is an exceptional failure."""
_REACTIONS = (
    (12, "friendly, helpful"),
    (9, "indifferent, uninterested"),
    (6, "wary, neutral"),
    (3, "unfriendly: may hinder or harm"),
    (-1000, "hostile: attacks if it can"),
)
"""aachen.reaction.roll: (least total, reaction), highest first."""
_MOST_MODIFIER = 2
_RESULTS = {"retreat": RETREATING, "surrender": SURRENDERED}


class Check(Declaration):
    """Make a skill check against a difficulty, or an opposed check. In a fight it is a main action."""

    who: Annotated[Fighter, says("Who tries.")]
    attr: Annotated[Attribute, says("The attribute.")]
    skill: Annotated[str, says("The skill.", min_length=1, max_length=40)]
    difficulty: Annotated[int, says("What the check must reach.", ge=-1000, le=1000)] | None = None
    against: Annotated[Fighter, says("Who opposes it.")] = ""
    against_attr: Annotated[Attribute, says("The opponent's attribute, if not the same.")] | None = None
    against_skill: Annotated[str, says("The opponent's skill, if not the same.", max_length=40)] = ""
    mod: Mods = ()
    aid: Annotated[Fighters, says("Those who help.")] = ()
    free: Annotated[bool, says("It costs no action, and can be made on any turn.")] = False


def check(fight: Resolution, said: Check) -> None:
    """A main action, unless the game master says that it is none."""
    if (said.difficulty is None) == (not said.against):
        hint = "Say one of the two: --difficulty 8, or --against and a name."
        fight.impossible("A check is against a difficulty, or against somebody.", hint)
    if not said.against and (said.against_attr or said.against_skill):
        message = "Nobody opposes this check, so --against-attr and --against-skill mean nothing."
        fight.impossible(message, "Leave them out, or say who opposes it: --against and a name.")
    if said.against and (said.against == said.who or said.aid):
        message = "A check against somebody has another opponent, and no helpers."
        fight.impossible(message, "Name somebody else; leave out --aid.")
    if said.free:
        actions.check_able(fight, said.who)
    else:
        actions.main_action(fight, said.who, combat=False, clause="aachen.actions.use-skill")
    if said.against:
        actions.check_able(fight, said.against)
    _make_check(fight, said)


def _make_check(fight: Resolution, said: Check) -> None:
    """The check itself, whatever it cost."""
    mods = read_mods(fight, said.mod, {"check": (said.who, *([said.against] if said.against else said.aid))})
    mine = Try(said.who, said.attr, said.skill, _judged(fight, mods, said.who))
    if said.against:
        attr, skill = said.against_attr or said.attr, said.against_skill or said.skill
        theirs = Try(said.against, attr, skill, _judged(fight, mods, said.against, unnamed=False))
        oppose(fight, ("aachen.check.opposed", "aachen.check.opposed"), mine, theirs)
        return
    difficulty = number("difficulty", said.difficulty or 0)
    if said.aid:
        mine = replace(mine, terms=(*mine.terms, *_aid(fight, said, difficulty, mods)))
    score = throw(fight, mine)
    fight.compare("aachen.check.roll", score, ">=", difficulty, said.who, yes="success", no="failure")
    margin = score.total - difficulty.total
    quality = next((told for least, told in _GRADES if margin >= least), "exceptional failure")
    fight.rule("aachen.check.quality", quality, who=said.who)


def _judged(fight: Resolution, mods: tuple[Modifier, ...], who: str, unnamed: bool = True) -> tuple[Term, ...]:
    """aachen.check.circumstances: more than 2 either way is unusual, and said so."""
    clause = "aachen.check.circumstances"
    added = terms(mods, "check", who, unnamed, clause)
    total = sum(value for value, _, _ in added)
    if abs(total) > _USUAL:
        fight.rule(clause, f"{total:+d} is more than the usual 2", who=who)
    return tuple(added)


def _aid(fight: Resolution, said: Check, difficulty: Number, mods: tuple[Modifier, ...]) -> list[Term]:
    """aachen.check.aid: helpers roll first; one success or more gives +1."""
    helped = False
    for helper in said.aid:
        if helper == said.who:
            fight.impossible(f"{helper} cannot help themselves.", "Name others after --aid.")
        actions.check_able(fight, helper)
        added = _judged(fight, mods, helper, unnamed=False)
        with fight.upon(helper, said.who):
            score = throw(fight, Try(helper, said.attr, said.skill, added), about=said.who)
            helped |= fight.compare("aachen.check.aid", score, ">=", difficulty, helper, said.who, "of help", "no help")
    return [(1, "aid", "aachen.check.aid")] if helped else []


class Save(Declaration):
    """Make a saving throw."""

    who: Annotated[Fighter, says("Who saves.")]
    kind: Annotated[Literal["physical", "evasion", "mental", "luck"], says("What they save against.")]
    mod: Mods = ()


def save(fight: Resolution, said: Save) -> None:
    """At any time, at no action; the dying save too."""
    if fight.state.harm.how(said.who) == "dead":
        fight.impossible(f"{said.who} is dead.", [adjusted(said.who, "down", "no")])
    saves(fight, said.who, said.kind, terms(read_mods(fight, said.mod, {"save": (said.who,)}), "save", said.who))


class Reaction(Declaration):
    """Roll 2d6 for the reaction of the other party."""

    speaker: Annotated[Fighter, says("Who greets them, and adds their CHA.")] = ""


def reaction(fight: Resolution, said: Reaction) -> None:
    """The result binds nobody."""
    if said.speaker:
        check_able(fight, said.speaker)
    total = fight.roll("", "2d6", "reaction").number()
    if said.speaker:
        charm = fight.sheet(said.speaker).modifier("CHA")
        total = total.plus(charm, f"{whose(said.speaker)} CHA", "aachen.reaction.cha")
    outcome = next(told for least, told in _REACTIONS if total.total >= least)
    fight.rule("aachen.reaction.roll", outcome, [total], about=said.speaker)


_UNSAID = (
    "The morale of those whose sheet has none: irregulars 6, a horde 7, regulars 8; mounted or elite 1 more,"
    " fanatics 2."
)


class Morale(Declaration):
    """Check the morale of some of the game master's characters, with one roll for all."""

    who: Annotated[Fighters, says("Who checks.")]
    mod: Mods = ()
    result: Annotated[Literal["retreat", "surrender"], says("What they do if they fail, if you know it.")] | None = None
    score: Annotated[int, says(_UNSAID, ge=2, le=12)] | None = None


def morale(fight: Resolution, said: Morale) -> None:
    """aachen.morale.check: 2d6; higher than the number fails."""
    for who in said.who:
        sheet = fight.sheet(who)
        if sheet.kind == "pc":
            fight.refuse("aachen.morale.npc-only", f"{who} is a player character; the player decides.")
        if not able(fight.state, who):
            fight.refuse("aachen.damage.out-of-action", f"{who} is not able to act.")
        if (said.score or sheet.morale) is None:
            fight.impossible(f"{who} has no morale number.", "Say the number: --score 8.")
    changes = _changes(fight, said)
    roll = fight.roll("", "2d6", "morale")
    for who in said.who:
        with fight.upon("", who):
            needed = with_terms(number("morale", fight.sheet(who).morale or said.score or 0), changes[who])
            thrown = roll.number("roll")
            if not fight.compare("aachen.morale.check", thrown, "<=", needed, who, yes="holds", no="breaks"):
                does = f"{said.result}s" if said.result else "retreats or surrenders"
                fight.rule("aachen.morale.failed", does, who=who)
                fight.record(ConditionGained(who, _RESULTS[said.result] if said.result else BROKEN))
                if said.result == "surrender":
                    falls.drop_out(fight, who)
    falls.settle_morale(fight, said.who)


def _changes(fight: Resolution, said: Morale) -> dict[str, list[Term]]:
    """aachen.morale.modifier: what changes the number of each, by 2 at most; where nobody is named, everybody's."""
    clause, mods = "aachen.morale.modifier", read_mods(fight, said.mod, {"morale": said.who})
    changes = {who: terms(mods, "morale", who, clause=clause) for who in said.who}
    totals = (sum(value for value, _, _ in added) for added in changes.values())
    for total in dict.fromkeys(total for total in totals if abs(total) > _MOST_MODIFIER):
        fight.refuse(clause, f"{total:+d} is more than the {_MOST_MODIFIER} that a number may be changed by.")
    return changes
