"""Skill checks: a d20 against a target, or against other people's d20."""

from typing import Annotated

from commands.action.declaration import Amount, Declaration, Fighter, Fighters, says
from commands.action.modifiers import Mods, read
from commands.action.resolution import Remedies, Resolution, Roll, adjusted
from commands.action.spelling import nearly
from ledger.events import Number, number, whose

from . import actions, flight
from .bonus import plus_untyped, worn
from .health import suffer

_BANDS = ((17, "very hard"), (13, "hard"), (8, "average"))
"""(least target, name), highest first; anything lower is easy. For naming only."""
_MOST_UNRELATED = 3
_FALL_TARGET = 15
HEAL, HEALING = "heal", "healing"
"""The one skill that a rule asks for, freepg.heal.difficulty, and another word for it."""


class Check(Declaration):
    """Make a skill check against a target, or an opposed roll against others."""

    who: Annotated[Fighter, says("Who tries.")]
    dt: Annotated[int, says("The target, set by the game master.", ge=-1000, le=1000)] | None = None
    against: Annotated[Fighters, says("Those who oppose it.")] = ()
    skill: Annotated[str, says("The skill used.", max_length=40)] = ""
    unrelated: Annotated[Amount, says("How much a loosely related skill raises the target, 1 to 3.")] = 0
    harmful: Annotated[bool, says("Failure hurts.")] = False
    free: Annotated[bool, says("The check is forced: no action, on any turn.")] = False
    fall: Annotated[bool, says("To keep from falling: free, harmful, target 15.")] = False
    mod: Mods = ()


def check(fight: Resolution, said: Check) -> None:
    """One check: opposed, to keep from falling, or against a target."""
    ways = [said.dt is not None, bool(said.against), said.fall]
    if sum(ways) != 1 or (said.against and said.harmful) or fight.sheet(said.who).kind == "trap":
        hint = "Say one of them: --dt with a number, --against with names, or --fall."
        fight.impossible("A check is one against a target, one against others, or a fall.", hint)
    if said.unrelated and said.dt is None:
        message = "--unrelated raises a target that the game master sets, and none is set."
        fight.impossible(message, "Say the target, too: --dt.")
    if said.fall:
        _keep_from_falling(fight, said)
        return
    _check_skill(fight, said)
    if said.free:
        actions.able(fight, said.who)
    else:
        actions.spend(fight, said.who)  # freepg.check.skill: one action
    if said.against:
        _oppose(fight, said)
        return
    target = _target(fight, said)
    score = with_mods(fight, plus_skill(fight, fight.roll(said.who, "1d20", "check"), said.skill), said.mod)
    if not succeeds(fight, "freepg.check.skill", said.who, score, target) and said.harmful:
        harm(fight, said.who, score, target)


def _check_skill(fight: Resolution, said: Check) -> None:
    """Stops a skill of theirs that is misspelt; the table may name any other, but hears that it adds nothing."""
    own = [*dict.fromkeys(meant(word) for one in (fight.sheet(said.who), *worn(fight, said.who)) for word in one.skill)]
    if not said.skill or meant(said.skill) in own:
        return
    if near := nearly(meant(said.skill), own):
        fight.impossible(f"{said.who} has no skill {said.skill!r}.", [fight.otherwise(skill=near)])
    has = f"{whose(said.who)} skills: {', '.join(own) or 'none'}."
    fight.notes.append(f"{said.who} has nothing for {said.skill!r}; {has}")


def _target(fight: Resolution, said: Check) -> Number:
    """The game master's target, raised by 1 to 3 for a skill that is only loosely related."""
    if not 0 <= said.unrelated <= _MOST_UNRELATED:
        message = f"A loosely related skill raises the target by 1 to {_MOST_UNRELATED}, not {said.unrelated}."
        fight.refuse("freepg.check.unrelated-skill", message)
    dt = said.dt or 0
    band = next((name for least, name in _BANDS if dt >= least), "easy")
    return number("target", dt, band).plus(said.unrelated, "unrelated skill")


def plus_skill(fight: Resolution, die: Roll, skill: str) -> Number:
    """The roll with untyped modifiers and the bonus of a skill: the sheet's own, and that of worn items.

    freepg.check.skill-bonus
    """
    score = plus_untyped(fight, die.who, die.number("check"))
    if not skill:
        return score
    score = score.plus(_bonus(fight.sheet(die.who).skill, skill), skill)
    for item in worn(fight, die.who):
        score = score.plus(_bonus(item.skill, skill), item.name)
    return score


def with_mods(fight: Resolution, score: Number, words: tuple[str, ...]) -> Number:
    """The roll of a check with the game master's modifiers."""
    for mod in read(fight, words, ("check",)):
        if mod.who not in ("", fight.asked[0].who):
            fight.impossible(f"The check is {whose(fight.asked[0].who)}, not {whose(mod.who)}.", "Leave the name out.")
        score = score.plus(mod.amount, mod.why)
    return score


def meant(skill: str) -> str:
    """A skill as the rules call it: `heal`, which the book calls healing too; every other word in small letters.

    freepg.check.skill-bonus
    """
    return HEAL if skill.casefold() == HEALING else skill.casefold()


def _bonus(skills: dict[str, int], skill: str) -> int:
    return next((bonus for name, bonus in skills.items() if meant(name) == meant(skill)), 0)


def succeeds(fight: Resolution, clause: str, who: str, score: Number, target: Number, sign: str = ">=") -> bool:
    """Whether a check comes off: equal or more does, but a natural 1 always fails and a natural 20 never."""
    natural = score.steps[0].value
    if natural in (1, 20):
        outcome = "success" if natural == 20 else "failure"
        return fight.rule("freepg.check.natural", outcome, [score, target], who=who) == "success"
    return fight.compare(clause, score, sign, target, who, yes="success", no="failure")


def harm(fight: Resolution, who: str, score: Number, target: Number) -> None:
    """What a harmful failure costs: the target less the roll, at least 0."""
    points = target.called("harm").minus(score.total, "roll").at_least(0, "least harm")
    fight.rule("freepg.check.harm", "", [points], who=who)
    suffer(fight, who, points.total)


def _oppose(fight: Resolution, said: Check) -> None:
    """freepg.check.opposed: strictly higher than every opponent."""
    for other in said.against:
        if other == said.who or other in fight.state.harm.down or fight.sheet(other).kind == "trap":
            fight.refuse("freepg.check.opposed", f"{other} cannot oppose {said.who}.")
    die = fight.roll(said.who, "1d20", "check", about="" if said.against[1:] else said.against[0])
    against = {other: fight.roll(other, "1d20", "opposition", about=said.who) for other in said.against}
    score = with_mods(fight, plus_skill(fight, die, said.skill), said.mod)
    scores = [plus_untyped(fight, other, roll.number("opposition")) for other, roll in against.items()]
    succeeds(fight, "freepg.check.opposed", said.who, score, max(scores, key=lambda one: one.total), ">")


def _keep_from_falling(fight: Resolution, said: Check) -> None:
    """A creature forced to where it would fall: no action, on anybody's turn; anyone who fails falls and is hurt."""
    if fight.state.harm.how(said.who) == "dead":
        at = fight.state.positions.at.get(said.who)
        down: Remedies = [adjusted(said.who, "at", f"{at[0]},{at[1]}")] if at and at[2] else ()
        fight.refuse("freepg.dying.dead", f"{said.who} is dead.", down)  # A body falls by the game master's word.
    target = number("target", _FALL_TARGET, "fall")
    score = with_mods(fight, plus_skill(fight, fight.roll(said.who, "1d20", "check"), said.skill), said.mod)
    if not succeeds(fight, "freepg.move.fall", said.who, score, target):
        flight.fall_down(fight, said.who)
        harm(fight, said.who, score, target)
