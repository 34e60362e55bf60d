"""Healing: stabilising the mortally wounded, magic, and rest."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Felled, HpGained, Rose, number

from . import actions, checks, falls
from .fighters import MORTAL, STABLE, able, has
from .sheet import FRAIL

DIFFICULTY = 8


class Heal(Declaration):
    """Stabilise somebody who is mortally wounded; or heal somebody by magic."""

    who: Annotated[Fighter, Meta(description="Who heals.")]
    target: Annotated[Fighter, Meta(description="Who is healed.")]
    attr: Annotated[Literal["DEX", "INT"], Meta(description="The attribute of the Heal check.")] = "INT"
    magic: Annotated[int, Meta(ge=0, le=1_000_000, description="Hit points that magic heals.")] | None = None


def heal(fight: Resolution, said: Heal) -> None:
    """A main action in a fight."""
    actions.main_action(fight, said.who, combat=False)
    carry_out(fight, said)


def carry_out(fight: Resolution, said: Heal) -> None:
    """The healing, whatever it cost."""
    if said.magic is None:
        _stabilise(fight, said)
    else:
        _by_magic(fight, said.who, said.target, said.magic)


def _stabilise(fight: Resolution, said: Heal) -> None:
    """aachen.mortal.stabilise: a Heal check, harder by 1 for each round since the fall."""
    clause, target = "aachen.mortal.stabilise", said.target
    if not has(fight.state, target, MORTAL):
        how = "is stable already" if has(fight.state, target, STABLE) else "is not mortally wounded"
        down = fight.state.harm.down.get(target)
        living = not (down and down.how == "dead")
        hint = f"affray heal {said.who} {target} --magic 1" if living and actions.could_act(fight, said.who) else ""
        fight.refuse(clause, f"{target} {how}.", hint)
        fight.impossible(f"There is nothing to stabilise in {target}.")
    needed = number("difficulty", DIFFICULTY, "base").plus(falls.since(fight, target), "rounds since the fall")
    score = checks.throw(fight, checks.Try(said.who, said.attr, "heal"), target)
    if fight.compare(clause, score, ">=", needed, said.who, target, yes="stable", no="failure"):
        fight.record(ConditionEnded(target, MORTAL))
        fight.record(ConditionGained(target, STABLE))
        fight.record(Felled(target, "unconscious"))


def _by_magic(fight: Resolution, who: str, target: str, points: int) -> None:
    """aachen.mortal.magic-healing: up to the maximum; it stabilises, revives, and ends frailty."""
    clause = "aachen.mortal.magic-healing"
    down, hp = fight.state.harm.down.get(target), fight.state.harm.hp[target]
    if down and down.how == "dead":
        fight.refuse(clause, f"{target} is dead.")
        fight.impossible(f"Nothing heals {target}.", f"affray adjust {target} down no 'the reason'")
    gained = number("healing", points, "magic").at_most(max(hp.most - hp.now, 0), "maximum")
    fight.rule(clause, "", [gained], who, target)
    if gained.total:
        fight.record(HpGained(target, gained.total, hp.now + gained.total))
    if down and hp.now + gained.total > 0:
        falls.rise(fight, target)
    if has(fight.state, target, FRAIL):
        fight.record(ConditionEnded(target, FRAIL))


class Rest(Declaration):
    """Rest for ten minutes, after which the stable revive; or (--week) for a week, which ends frailty."""

    who: Annotated[Fighter, Meta(description="Who rests.")]
    week: Annotated[bool, Meta(description="A week of bed rest.")] = False


def rest(fight: Resolution, said: Rest) -> None:
    """aachen.mortal.revive: with 1 hit point, and frail; aachen.mortal.frail-ends."""
    who, clause = said.who, "aachen.mortal.revive"
    down = fight.state.harm.down.get(who)
    if down and down.how != "unconscious":
        healer = next((one for one in fight.state.roster.order if able(fight.state, one)), "")
        mortal = healer and has(fight.state, who, MORTAL) and not actions.counted(fight.state)
        hint = f"affray heal {healer} {who}" if mortal else "affray status"
        fight.refuse(clause, f"{who} is {'not stable' if down.how == 'dying' else 'dead'} and does not revive.", hint)
        fight.impossible(f"Rest does not help {who}.", hint)
    if not down and not (said.week and has(fight.state, who, FRAIL)):
        fight.impossible(f"There is nothing that rest would do for {who}.")
    if actions.counted(fight.state):
        clause = "aachen.mortal.revive" if down else "aachen.mortal.frail-ends"
        time = "A week" if said.week else "Ten minutes"
        fight.refuse(clause, f"{time} of rest: rounds of six seconds are counted now.", "affray end")
    if down:
        _revive(fight, who)
    if said.week and has(fight.state, who, FRAIL):
        fight.record(ConditionEnded(who, FRAIL))


def _revive(fight: Resolution, who: str) -> None:
    """Whoever was only knocked out just wakes up."""
    fight.rule("aachen.mortal.revive", f"{who} revives", who=who)
    wounded, hp = has(fight.state, who, STABLE), fight.state.harm.hp[who]
    falls.get_up(fight, who)
    if hp.now < 1:
        fight.record(HpGained(who, 1 - hp.now, 1))
    fight.record(Rose(who))
    if wounded:
        fight.record(ConditionGained(who, FRAIL))
