"""Healing: a skill check, or a potion."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, says
from commands.action.modifiers import Mods
from commands.action.resolution import Resolution, adjusted
from ledger.events import number

from . import actions
from .checks import HEAL, plus_skill, succeeds, with_mods
from .health import regain

SELF_TARGET, OTHER_TARGET = 16, 13
"""freepg.heal.difficulty: the target on oneself, and on another."""
_LEAST = 5
"""Health points that any success restores: freepg.heal.amount."""
_POTION = 10


class Heal(Declaration):
    """Heal somebody, or oneself, by a skill check or with a potion."""

    who: Annotated[Fighter, says("Who heals.")]
    target: Annotated[Fighter, says("Who is healed.")]
    potion: Annotated[bool, says("With a potion: 10 points, no roll.")] = False
    mod: Mods = ()


def heal(fight: Resolution, said: Heal) -> None:
    """One action: the check, and what its success restores."""
    who, target = said.who, said.target
    if fight.sheet(who).kind == "trap":
        fight.impossible(f"{who} is a trap, and heals nobody.")
    actions.spend(fight, who)
    if fight.sheet(target).kind == "trap":
        fight.impossible(f"{target} is a trap, and has no health.")
    if actions.is_enemy(fight, target) and fight.state.encounter.running:
        fight.refuse("freepg.heal.no-enemies", f"{target} is an enemy, and regains nothing during combat.")
    if fight.state.harm.how(target) == "dead":
        fight.refuse("freepg.dying.dead", f"{target} is dead.", [adjusted(target, "down", "no")])
    with fight.upon(who, target):
        _treat(fight, said)


def _treat(fight: Resolution, said: Heal) -> None:
    """freepg.heal.potion, or the check; what it restores."""
    who, target = said.who, said.target
    if said.potion:
        regain(fight, target, "freepg.heal.potion", number("healing", _POTION, "potion"), by=who)
        return
    die = fight.roll(who, "1d20", "check", about=target)
    difficulty = number("target", SELF_TARGET if who == target else OTHER_TARGET, "healing")
    score = with_mods(fight, plus_skill(fight, die, HEAL), said.mod)
    if not succeeds(fight, "freepg.heal.difficulty", who, score, difficulty):
        return
    judged = die.natural if fight.option("heal_bonus_from") == "die" else score.total
    margin = number("healing", _LEAST, "base").plus(judged - difficulty.total, "margin")
    regain(fight, target, "freepg.heal.amount", margin.at_least(_LEAST, "least healing"), by=who)
