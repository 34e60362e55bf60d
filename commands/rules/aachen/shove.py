"""Shoving: a hit, an opposed check, and the other gives way."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import actions, checks, contact, grapples, melee, strike
from .fighters import ADJACENT, PRONE, has
from .strike import Blow, Circumstances

BACK = 10
"""Feet that somebody is shoved back."""
SIZE_PENALTIES = (0, 2, 4)


class Struggle(Blow, kw_only=True):
    """What can be said of a shove or a grapple besides who and whom."""

    size_penalty: Annotated[
        int, Meta(ge=0, le=4, description="2 if the target is significantly larger, 4 if it is barely movable.")
    ] = 0


class Push(Struggle):
    """Shove somebody 10 feet back, or to the ground."""

    who: Annotated[Fighter, Meta(description="Who shoves.")]
    target: Annotated[Fighter, Meta(description="Who is shoved.")]
    result: Annotated[Literal["back", "prone"], Meta(description="What is tried.")] | None = None


def push(fight: Resolution, said: Push) -> None:
    """aachen.shove.hit: a main action."""
    actions.main_action(fight, said.who)
    carry_out(fight, said)


def carry_out(fight: Resolution, said: Push) -> None:
    """The shove, whatever it cost."""
    if said.result is None:
        fight.impossible("Back, or to the ground?", "Say which: --result back, or --result prone.")
    down = fight.state.harm.down.get(said.target)
    if down:
        message = f"{said.target} is {down.how}, and resists no shove."
        fight.refuse("aachen.damage.out-of-action", message, "What is done to somebody who is down, act tells.")
    if not seizes(fight, said.who, said.target, said, said.with_ or "unarmed"):
        return
    clauses = ("aachen.shove.opposed", "aachen.check.opposed")
    if not checks.oppose(fight, clauses, *opponents(said.who, said.target, "punch, exert", said), "shoved", "holds"):
        return
    if said.result == "prone":
        fight.rule("aachen.shove.result", "to the ground", who=said.who, about=said.target)
        if not has(fight.state, said.target, PRONE):
            fight.record(ConditionGained(said.target, PRONE))
        return
    fight.rule("aachen.shove.result", f"{BACK} feet back", who=said.who, about=said.target)
    grapples.part(fight, said.who, said.target)
    contact.part(fight, said.who, said.target)


def seizes(fight: Resolution, who: str, target: str, said: Struggle, weapon_name: str) -> bool:
    """aachen.shove.hit: a normal hit roll at 5 feet that does no damage and no shock."""
    if said.size_penalty not in SIZE_PENALTIES:
        fight.impossible(f"{said.size_penalty} is no penalty for size.", "Say --size-penalty 2, or 4.")
    weapon = melee.weapon_against(fight, who, target, weapon_name)
    contact.touch(fight, who, target)
    rows: Circumstances = [*contact.melee_circumstances(fight, who, target, ADJACENT), *_size(said)]
    return strike.hits(fight, who, target, strike.arm(fight, who, weapon, said), said, rows)


def opponents(who: str, target: str, skills: str, said: Struggle) -> tuple[checks.Try, checks.Try]:
    """aachen.shove.opposed: STR with the better of the skills, on both sides."""
    return checks.Try(who, "STR", skills, tuple(_size(said))), checks.Try(target, "STR", skills)


def _size(said: Struggle) -> Circumstances:
    """aachen.grapple.size: against something larger the attacker has -2 or -4, on the hit roll and on the check."""
    return [(-said.size_penalty, "its size")]
