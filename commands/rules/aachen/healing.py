"""Healing: stabilising the mortally wounded, magic, and waking up."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, says
from commands.action.modifiers import Mods
from commands.action.resolution import Resolution, adjusted
from ledger.events import ConditionEnded, ConditionGained, Felled, HpGained, number

from . import checks, falls
from .fighters import FRAIL, MORTAL, STABLE
from .modifiers import read_mods, terms

_DIFFICULTY = 8


class Heal(Declaration):
    """Stabilise somebody who is mortally wounded; or heal somebody by magic."""

    who: Annotated[Fighter, says("Who heals.")]
    target: Annotated[Fighter, says("Who is healed.")]
    attr: Annotated[Literal["DEX", "INT"], says("The attribute of the Heal check.")] = "INT"
    magic: Annotated[int, says("Hit points that magic heals.", ge=0, le=1_000_000)] | None = None
    mod: Mods = ()


def carry_out(fight: Resolution, said: Heal) -> None:
    """The healing, whatever it cost."""
    with fight.upon(said.who, said.target):
        if said.magic is None:
            _stabilise(fight, said)
        elif said.mod:
            fight.impossible("Magic heals without a roll.", "Leave out --mod.")
        else:
            _by_magic(fight, said.who, said.target, said.magic)


def _by_magic(fight: Resolution, who: str, target: str, points: int) -> None:
    """aachen.mortal.magic-healing: up to the maximum; it stabilises, revives, and ends frailty."""
    clause, down, hp = "aachen.mortal.magic-healing", fight.state.harm.how(target), fight.state.harm.hp[target]
    if down == "dead":
        fight.refuse(clause, f"{target} is dead.")
        fight.impossible(f"Nothing heals {target}.", [adjusted(target, "down", "no")])
    gained = number("healing", points, "magic").at_most(max(hp.most - hp.now, 0), "maximum")
    fight.rule(clause, "", [gained], who, target)
    if gained.total:
        fight.record(HpGained(target, gained.total, hp.now + gained.total, hp.most))
    if down and hp.now + gained.total:
        falls.rise(fight, target)
    fight.no_longer(target, FRAIL)


def _stabilise(fight: Resolution, said: Heal) -> None:
    """aachen.mortal.stabilise: a Heal check, harder by 1 for each round since the fall."""
    clause, target = "aachen.mortal.stabilise", said.target
    if not fight.state.conditions.has(target, MORTAL):
        how = "is already stable" if fight.state.conditions.has(target, STABLE) else "is not mortally wounded"
        hint = "" if fight.state.harm.how(target) == "dead" else "Magic heals anybody: say --magic and how much."
        fight.refuse(clause, f"{target} {how}.", hint)
        fight.impossible(f"{target} needs no stabilising.")
    needed = number("difficulty", _DIFFICULTY, "base").plus(falls.since(fight, target), "rounds since the fall")
    added = terms(read_mods(fight, said.mod, {"check": (said.who,)}), "check", said.who)
    score = checks.throw(fight, checks.Try(said.who, said.attr, "heal", tuple(added)), target)
    if fight.compare(clause, score, ">=", needed, said.who, target, yes="stable", no="fails"):
        fight.record(ConditionEnded(target, MORTAL))
        fight.record(ConditionGained(target, STABLE))
        fight.record(Felled(target, "unconscious"))
