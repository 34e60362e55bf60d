"""Miscellaneous actions: checks of skills, and deeds told in words."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution
from ledger.events import number
from projections.pending import Waiting

from . import actions, areas, engagement, movement
from .rolls import Circumstances, Throw, check_early, check_heard
from .skills import GOVERNING, KEYWORDS

DIFFICULTY = {"normal": 10, "difficult": 20, "extreme": 25}
"""Targets by name: paraverse.check.difficulty."""
EXTREME = 25
"""From this target on a natural 20 is no success of itself."""
PARTIAL = 5
"""A result that misses the target by less is a partial failure."""

Told = Annotated[str, Meta(max_length=2000, description="What came of it; changes nothing.")]


class Check(Circumstances):
    """Try a skill: in planning declares it, in the misc phase rolls it; outside of a fight rolls at once."""

    who: Annotated[Fighter, Meta(description="Who tries.")]
    skill: Annotated[str, Meta(description="The skill, or a stat; in planning.", extra={"positional": True})] = ""
    difficulty: Annotated[str, Meta(description="normal, difficult, extreme, or a number.")] = ""
    to: Annotated[str, Meta(description="The area that a success leads to.", extra={"word": "area"})] = ""
    outcome: Told = ""


def check(fight: Resolution, said: Check) -> None:
    """Declares the check, or rolls it. What comes of it, the referee says: paraverse.check.outcome."""
    if not fight.state.encounter.running:
        actions.check_able(fight, fight.state, said.who)
        skill = known_skill(fight, said.who, said.skill)
        if said.to:
            fight.impossible("Outside of an encounter there are no areas.", "Leave out --to.")
        roll_check(fight, said.who, skill, difficulty(fight, said.difficulty), said)
        check_heard(fight, said)
    elif actions.is_resolved(fight, said.who, "check", skill=said.skill, area=_area(fight, said.to)):
        waiting = actions.due(fight, said.who, "check")
        _check_difficulty(fight, waiting, said.difficulty)
        resolve_misc(fight, waiting, said)
        check_heard(fight, said)
    else:
        announce(fight, said.who, said.skill, said.difficulty, said.to)
        check_early(fight, said)


def _area(fight: Resolution, word: str) -> str:
    return areas.find(fight.state, word) or word


def _check_difficulty(fight: Resolution, waiting: Waiting, word: str) -> None:
    """Stops another difficulty than the one that was declared."""
    declared = waiting.said.get("difficulty")
    if word and difficulty(fight, word) != declared:
        fight.impossible(
            f"The difficulty was declared as {declared}.",
            "Leave out --difficulty; a modifier says what has changed: --mod.",
        )


class Misc(Circumstances):
    """Do something that no other verb tells: in planning declares it, in the misc phase records what came of it."""

    who: Annotated[Fighter, Meta(description="Who does it.")]
    text: Annotated[str, Meta(max_length=2000, description="What; in planning.", extra={"positional": True})] = ""
    outcome: Told = ""


def misc(fight: Resolution, said: Misc) -> None:
    """Declares the deed, or records that it is done: paraverse.action.misc."""
    if actions.is_resolved(fight, said.who, "misc", text=said.text):
        resolve_misc(fight, actions.due(fight, said.who, "misc"), said)
    else:
        announce_deed(fight, said.who, said.text)
        check_early(fight, said)


def announce_deed(fight: Resolution, who: str, text: str) -> None:
    """Declares a deed."""
    actions.check_time(fight, who)
    if not text:
        fight.impossible(f"What does {who} do?", f"affray misc {who} 'bars the door'")
    actions.announce(fight, who, "misc", {"text": text}, actions.PHASE_OF["misc"])


def announce(fight: Resolution, who: str, skill: str, hard: str, to: str) -> None:
    """Refuses a check that cannot be made, or declares it."""
    actions.check_time(fight, who)
    skill = known_skill(fight, who, skill)
    said: dict[str, object] = {"skill": skill}
    target = difficulty(fight, hard)
    if to:
        engagement.check_leaving(fight, who)
        there = areas.neighbour(fight, who, to)
        here = areas.of(fight.state, who)
        areas.check_way(fight, here, there)
        link = fight.state.areas.link(here, there)
        if link and link.check and link.check != skill:
            fight.refuse(
                "paraverse.move.check-link",
                f"The way from {here} to {there} must be won by {link.check}, not {skill}.",
                movement.checking(fight, who, link.check, there),
            )
        if link and link.check and not hard:
            target = link.difficulty
        said["area"] = there
    actions.announce(fight, who, "check", {**said, "difficulty": target}, actions.PHASE_OF["check"])


def known_skill(fight: Resolution, who: str, skill: str) -> str:
    """The skill, if a modifier is known for it."""
    word = skill.casefold()
    if not word or fight.sheet(who).modifier(word) is None:
        known = ", ".join(dict.fromkeys((*fight.sheet(who).skills, *GOVERNING)))
        fight.impossible(f"{who} has no modifier for the skill {skill[:40]!a}.", f"Skills: {known}.")
    return word


def difficulty(fight: Resolution, word: str) -> int:
    """The target of a check, from its name or as a number; normal without a word."""
    if word.casefold() in DIFFICULTY:
        return DIFFICULTY[word.casefold()]
    digits = word.removeprefix("-")
    if word and not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        fight.impossible(f"{word[:40]!a} is no difficulty.", f"{', '.join(DIFFICULTY)}, or a number.")
    return int(word) if word else DIFFICULTY["normal"]


# Resolving


def resolve_misc(fight: Resolution, waiting: Waiting, said: Circumstances) -> None:
    """Rolls a declared check, or closes a declared deed."""
    who = waiting.who
    if waiting.verb == "check":
        success = roll_check(fight, who, waiting.said["skill"], waiting.said["difficulty"], said)
        if success and "area" in waiting.said:
            _cross(fight, waiting)
    actions.settle(fight, who)


def _cross(fight: Resolution, waiting: Waiting) -> None:
    """A won check leads to the other area, unless a fight of this round holds its actor back."""
    clause = "paraverse.engaged.no-leaving"
    if engagement.opponents(fight.opening, waiting.who) and not actions.allowed(waiting, clause):
        fight.rule(clause, "held back", who=waiting.who)
        return
    movement.go(fight, waiting.who, waiting.said["area"])  # paraverse.move.check-link


def roll_check(fight: Resolution, who: str, skill: str, target: int, said: Circumstances) -> bool:
    """A d20 and the skill, against the target. Answers whether it succeeds."""
    throw = Throw(fight, who, skill, said)
    score = throw.number().called(who)
    if fight.option("fatigue_in_checks") and not _is_exempt(fight, skill):
        score = score.minus(fight.opening.pain.points(who), "fatigue")  # paraverse.check.fatigue
    clause, outcome = degree(throw.natural, score.total, target)
    fight.rule(clause, outcome, [score, number("target", target)], who=who)
    return outcome == "success"


def _is_exempt(fight: Resolution, skill: str) -> bool:
    """Combat skills do not tire in combat."""
    return fight.state.encounter.running and skill in (*KEYWORDS["melee"], *KEYWORDS["ranged"], "evasion")


def degree(natural: int, score: int, target: int) -> tuple[str, str]:
    """How well a check went, and by which clause.

    >>> degree(7, 11, 10), degree(7, 10, 10), degree(2, 5, 10)  # doctest: +NORMALIZE_WHITESPACE
    (('paraverse.check.success', 'success'), ('paraverse.check.partial', 'partial failure'),
     ('paraverse.check.failure', 'failure'))
    """
    if natural == 1:
        return "paraverse.check.natural-1", "failure"
    if score > target:
        return "paraverse.check.success", "success"
    if natural == 20 and target < EXTREME:
        return "paraverse.check.natural-20", "success"
    extreme = natural == 20  # paraverse.check.extreme
    if target - score < PARTIAL:
        return "paraverse.check.extreme" if extreme else "paraverse.check.partial", "partial failure"
    return "paraverse.check.extreme" if extreme else "paraverse.check.failure", "failure"
