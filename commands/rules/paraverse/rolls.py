"""Rolls: a d20 and a skill, with advantage or disadvantage, effects, and the game master's word."""

from collections.abc import Iterable
from typing import Annotated

from msgspec.structs import replace

from commands.action.declaration import Declaration, Fighter, says
from commands.action.modifiers import DICE, DiceMods, Modifier, read
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Declared, Number, number
from projections.state import State

from . import actions
from .harm import HINDRANCES, is_felled
from .stat_block import GOVERNING, KEYWORDS, names


class Circumstances(Declaration, kw_only=True):
    """What the game master says of the rolls of a resolution."""

    mod: DiceMods = ()


WhatCame = Annotated[str, says("The outcome in words; it changes nothing.", max_length=2000)]


class Choices(Circumstances, kw_only=True):
    """What the winner of a skirmish may choose."""

    dealer: Annotated[Fighter, says("Who deals the damage, if several are tied.")] = ""
    victim: Annotated[Fighter, says("Who suffers it, if several are tied.")] = ""


_LATER = ("mod", "dealer", "victim", "stray", "outcome")
"""What is said when an action is resolved, and not when it is declared."""


def check_early(fight: Resolution, said: Declaration) -> None:
    """Stops what is said of a roll while its action is only declared: nothing would remember it."""
    for name in _LATER:
        if value := getattr(said, name, None):
            ways = [fight.otherwise(**{name: type(value)()}), "Leave it out."]
            fight.impossible(f"--{name} is said when the action is resolved, not when it is declared.", ways)


def check_heard(fight: Resolution, said: Circumstances) -> None:
    """Stops what is said of the roll of somebody who rolls nothing, or nothing of the kind. What was recorded stays:
    a correction gave the roll to somebody else.
    """
    rolled = {(roll.who, roll.of or roll.purpose) for roll in fight.asked}
    before = next((event.said.get("mod", ()) for event in fight.recorded if isinstance(event, Declared)), ())
    for one in _modifiers(fight, replace(said, mod=tuple(word for word in said.mod if word not in before))):
        _check_rolled(fight, rolled, one.who, one.what)


def _check_rolled(fight: Resolution, rolled: set[tuple[str, str]], who: str, what: str) -> None:
    skills = [skill for one, skill in rolled if one == who]
    if rolled and not skills:
        those = ", ".join(sorted({one for one, _ in rolled}))
        fight.impossible(f"{who} rolls nothing here.", f"Those who roll: {those}.")
    if skills and not any(names(what, skill) for skill in skills):
        fight.impossible(f"{who} does not roll {what} here.", f"{who} rolls: {', '.join(sorted(skills))}.")


_PURPOSES = {"paraverse.ranged.attack-roll": "attack", "paraverse.ranged.defence-roll": "defence", "": "check"}
"""What a die is thrown for, whichever skill is added, by the clause that asks for it; else in a skirmish."""


class Throw:
    """Somebody's d20 for a skill; two of them, of which one counts, with advantage or disadvantage.

    `by` is the clause that asks for the roll, and `attacked` whether it is of somebody who is attacked.
    """

    def __init__(
        self, fight: Resolution, who: str, skill: str, said: Circumstances, about: str, by: str, attacked: bool = True
    ) -> None:
        self.who, self.skill = who, skill
        self._fight, self._by = fight, by
        mods = [one for one in _modifiers(fight, said) if one.who == who and names(one.what, skill)]
        self._mods = [one for one in mods if not one.dice]
        better, worse = ([(one.why, "") for one in mods if one.dice == dice] for dice in DICE)
        self.better = [*_effects(fight.opening, who, "advantage", skill), *better]
        self.worse = [
            *_wounds(fight.opening, who, skill),
            *_occupation(fight, who, skill, attacked),
            *_effects(fight.opening, who, "disadvantage", skill),
            *worse,
        ]
        self.two = bool(self.better) != bool(self.worse)
        self._roll = fight.roll(who, "2d20" if self.two else "1d20", _PURPOSES.get(by, "melee"), about)
        self._roll.of = skill

    @property
    def natural(self) -> int:
        """The die that counts."""
        if not self.two:
            return self._roll.natural
        return self._roll.highest if self.better else self._roll.lowest

    @property
    def roll(self) -> int:
        """Which roll of the entry the die is; 0 where one of two counts."""
        return 0 if self.two else self._roll.nth

    @property
    def also(self) -> tuple[str, ...]:
        """The clauses by which the phase is simultaneous, where they make a difference to this roll."""
        fight, clauses = self._fight, []
        if _read(fight.opening, self.who, self.skill) != _read(fight.state, self.who, self.skill):
            clauses.append("paraverse.phase.snapshot")
        if is_felled(fight, self.who):
            clauses.append("paraverse.phase.same-phase")
        return tuple(clauses)

    def number(self) -> Number:
        """The die that counts, with the skill, effects and the game master's modifiers."""
        natural = self._natural()
        sheet = self._fight.sheet(self.who)
        by = "" if self.skill in sheet.skills else "paraverse.stat.base-skill"
        score = natural.plus(sheet.modifier(self.skill) or 0, self.skill, by)
        for name, amount in _given(self._fight.opening, self.who, self.skill):
            score = score.plus(amount, name)
        for one in self._mods:
            score = score.plus(one.amount, one.why)
        return score

    def _natural(self) -> Number:
        """The natural roll, with the ruling on the second die where there is one."""
        kept, dice = self.natural, self._roll.shown(", ")
        clauses = tuple(clause for _, clause in (*self.better, *self.worse) if clause)
        if self.better and self.worse:
            reasons = f"{_listed(self.better)}; {_listed(self.worse)}"
            told = f"one die ({reasons})"
            self._fight.rule("paraverse.advantage.cancel", told, who=self.who, also=clauses, aside=True)
        if not self.two:
            return number(self.skill, kept, "d20", self._by, self.roll)
        kind = self.better or self.worse
        clause = "paraverse.advantage.higher-die" if self.better else "paraverse.disadvantage.lower-die"
        word, how = ("higher", "advantage") if self.better else ("lower", "disadvantage")
        if len(kind) > 1:
            clauses = (*clauses, "paraverse.advantage.no-stack")
        counted = number("natural", kept, f"{word} of {dice}")
        self._fight.rule(clause, f"{how}: {_listed(kind)}", [counted], who=self.who, also=clauses, aside=True)
        return number(self.skill, kept, f"{word} d20", self._by)


Reason = tuple[str, str]
"""Why there is a second die, and the clause that says so; "" where it is an effect or the game master."""


def _listed(reasons: list[Reason]) -> str:
    return ", ".join(reason for reason, _ in reasons)


def _read(state: State, who: str, skill: str) -> tuple[object, ...]:
    """What a roll reads of a state besides the stat block."""
    effects = [*_effects(state, who, "advantage", skill), *_effects(state, who, "disadvantage", skill)]
    return state.gear.equipped.get(who, ()), [*_wounds(state, who, skill)], effects, [*_given(state, who, skill)]


def _wounds(state: State, who: str, skill: str) -> Iterable[Reason]:
    """The wounds that hinder a skill."""
    if View(state).option("critical_wound_effects"):
        for wound in state.wounds.names(who):
            clause, words = HINDRANCES.get(wound, ("", ()))
            if any(names(word, skill) for word in words):
                yield wound, clause


def _occupation(fight: Resolution, who: str, skill: str, attacked: bool) -> Iterable[Reason]:
    """What a miscellaneous action costs anyone who is attacked while at it."""
    if not actions.is_busy(fight, who) or not fight.state.encounter.running:
        return
    if skill == "evasion" and fight.state.turns.phase != "misc":
        if attacked:
            yield "busy", "paraverse.misc.attacked-evasion-disadvantage"
    elif actions.was_attacked(fight.opening, who):
        yield actions.ATTACKED, "paraverse.misc.attacked-action-disadvantage"


def _given(state: State, who: str, skill: str) -> Iterable[tuple[str, int]]:
    """The modifiers that effects give to a skill."""
    for name, condition in state.conditions.held(who):
        if condition.amount and names(condition.modifies, skill):
            yield name, condition.amount


def _effects(state: State, who: str, kind: str, skill: str) -> Iterable[Reason]:
    """The effects that give advantage or disadvantage on a skill."""
    for name, condition in state.conditions.held(who):
        word, _, skills = condition.modifies.partition(" ")
        if word == kind and any(names(one, skill) for one in skills.split(",")):
            yield name, ""


def _modifiers(fight: Resolution, said: Circumstances) -> Iterable[Modifier]:
    """The game master's modifiers, each with the one whose roll it changes: paraverse.gm.modifier.

    Without a skill it is for every roll, and without a name for the rolls of the one who acts.
    """
    if not said.mod:
        return
    skills = dict.fromkeys(skill for who in fight.state.roster.order for skill in fight.sheet(who).skills)
    for one in read(fight, said.mod, ("all", *KEYWORDS, *dict.fromkeys((*skills, *GOVERNING))), dice=DICE):
        who = one.who or getattr(said, "who", "")
        if not who:
            some = next(iter(fight.state.roster.order), "")
            message = "Whose roll does the modifier change?"
            fight.impossible(message, f"Say whose: --mod @{some}:{one.dice or one.amount}:{one.why}.")
        yield replace(one, who=who)
