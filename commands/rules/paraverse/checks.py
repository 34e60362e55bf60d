"""Miscellaneous actions: checks of skills, and deeds told in words."""

from commands.action.resolution import Remedy, Resolution
from commands.action.spelling import nearly
from ledger.events import number, whose
from projections.pending import Waiting

from . import actions, places
from .rolls import Circumstances, Throw
from .stat_block import GOVERNING, KEYWORDS

_DIFFICULTY = {"normal": 10, "difficult": 20, "extreme": 25}
"""Targets by name."""
_EXTREME = 25
"""From this target on a natural 20 is no success of itself."""
_PARTIAL = 5
"""A result that misses the target by less is a partial failure."""


def check_difficulty(fight: Resolution, waiting: Waiting, word: str) -> None:
    """Stops another difficulty than the one that was declared."""
    declared = waiting.said.get("difficulty")
    if word and difficulty(fight, word) != declared:
        message = f"The difficulty was declared as {declared}."
        fight.impossible(message, [fight.otherwise(difficulty=""), "A modifier says what has changed: --mod."])


def announce(fight: Resolution, who: str, skill: str, hard: str, to: str) -> None:
    """Refuses a check that cannot be made, or declares it."""
    actions.check_time(fight, who)
    skill = known_skill(fight, who, skill)
    said: dict[str, object] = {"skill": skill}
    target = difficulty(fight, hard)
    if to:
        places.check_leaving(fight, who)
        there = places.neighbour(fight, who, to)
        here = places.of(fight.state, who)
        places.check_way(fight, here, there)
        link = fight.state.areas.link(here, there)
        demanded = link.demanded(here) if link else ""
        if demanded not in ("", skill):
            ways = [fight.otherwise(skill=demanded), ("check", {"who": who, "skill": demanded, "to": there})]
            message = f"The way {places.way(here, there)} takes a check of {demanded}, not of {skill}."
            fight.refuse("paraverse.move.check-link", message, ways)
        if link and demanded and not hard:
            target = link.difficulty
        said["area"] = there
    actions.announce(fight, who, "check", {**said, "difficulty": target}, actions.PHASE_OF["check"])


def known_skill(fight: Resolution, who: str, skill: str) -> str:
    """The skill, if a modifier is known for it."""
    word = skill.casefold()
    if not word or fight.sheet(who).modifier(word) is None:
        known = ", ".join(dict.fromkeys((*fight.sheet(who).skills, *GOVERNING)))
        missing = f"{whose(who)} check names no skill"
        if word:
            missing = f"{who} has no modifier for the skill {skill[:40]!r}"
        deed: list[Remedy] = [("misc", {"who": who, "text": skill})] if word else []
        meant = nearly(word, (*fight.sheet(who).skills, *GOVERNING)) if word else ""
        fight.impossible(f"{missing}. Skills: {known}.", [[*([fight.otherwise(skill=meant)] if meant else []), *deed]])
    return word


def difficulty(fight: Resolution, word: str) -> int:
    """The target of a check, from its name or as a number; normal without a word."""
    if word.casefold() in _DIFFICULTY:
        return _DIFFICULTY[word.casefold()]
    digits = word.removeprefix("-")
    if word and not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        fight.impossible(f"{word[:40]!r} is not a difficulty.", f"{', '.join(_DIFFICULTY)}, or a number.")
    return int(word) if word else _DIFFICULTY["normal"]


# Resolving


def resolve_misc(fight: Resolution, waiting: Waiting, said: Circumstances, deed: str = "") -> None:
    """Rolls a declared check, or closes a declared deed, with the words that tell it."""
    who = waiting.who
    if waiting.verb == "check":
        success = roll_check(fight, who, waiting.said["skill"], waiting.said["difficulty"], said)
        if success and "area" in waiting.said:
            _cross(fight, waiting)
    actions.settle(fight, who, why=deed)


def _cross(fight: Resolution, waiting: Waiting) -> None:
    """A won check leads to the other area, unless a fight of this round holds its actor back."""
    clause = "paraverse.engaged.no-leaving"
    if places.opponents(fight.opening, waiting.who) and not actions.allowed(waiting, clause):
        fight.rule(clause, "held back", who=waiting.who)
        return
    places.go(fight, waiting.who, waiting.said["area"])  # paraverse.move.check-link


def roll_check(fight: Resolution, who: str, skill: str, target: int, said: Circumstances) -> bool:
    """A d20 and the skill, against the target. Answers whether it succeeds. Combat skills do not tire in combat."""
    throw = Throw(fight, who, skill, said, "", "")
    score = throw.number().called(who)
    tireless = (*KEYWORDS["melee"], *KEYWORDS["ranged"], "evasion") if fight.state.encounter.running else ()
    if fight.option("fatigue_in_checks") and skill not in tireless:
        score = score.minus(fight.opening.pain.total(who), "fatigue", "paraverse.check.fatigue")
    clause, outcome = degree(throw.natural, score.total, target)
    hard = number("target", target, clause="paraverse.check.difficulty")
    fight.rule(clause, f"{skill}: {outcome}", [score, hard], who=who, also=throw.also)
    return outcome == "success"


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
    if natural == 20 and target < _EXTREME:
        return "paraverse.check.natural-20", "success"
    extreme = natural == 20  # paraverse.check.extreme
    if target - score < _PARTIAL:
        return "paraverse.check.extreme" if extreme else "paraverse.check.partial", "partial failure"
    return "paraverse.check.extreme" if extreme else "paraverse.check.failure", "failure"
