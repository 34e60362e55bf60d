"""Grappling: taking hold, escaping, dragging, letting go."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import actions, checks, grapples, shove
from .fighters import PRONE, has
from .shove import Struggle

SKILL = "punch"


class Grapple(Struggle):
    """Take hold of somebody; or escape, drag or throw whom you hold, or let go."""

    who: Annotated[Fighter, Meta(description="Who grapples.")]
    target: Annotated[Fighter, Meta(description="Who is grappled.", extra={"positional": True})] = ""
    escape: Annotated[bool, Meta(description="Break free of all who hold you.")] = False
    release: Annotated[bool, Meta(description="Let go, for nothing.")] = False
    drag: (
        Annotated[
            Literal["back", "throw"], Meta(description="Drag whom you hold up to 10 feet, or throw it to the ground.")
        ]
        | None
    ) = None


def grapple(fight: Resolution, said: Grapple) -> None:
    """Main actions all; only letting go costs nothing."""
    if sum((bool(said.target), said.escape, said.release, bool(said.drag))) != 1:
        fight.impossible("One thing at a time.", "Name a target, or say one of --escape, --release and --drag.")
    if said.with_ and said.with_.casefold() not in ("unarmed", "none"):
        fight.impossible("A grapple takes bare hands.", "Leave out --with.")
    if said.release:
        _release(fight, said.who)
        return
    actions.main_action(fight, said.who)
    carry_out(fight, said)


def carry_out(fight: Resolution, said: Grapple) -> None:
    """What is tried, whatever it cost."""
    if said.escape:
        _escape(fight, said.who)
    elif said.drag:
        _drag(fight, said, said.drag)
    else:
        _seize(fight, said)


def _seize(fight: Resolution, said: Grapple) -> None:
    """aachen.grapple.hit, with bare hands, and aachen.grapple.opposed, STR/Punch on both sides."""
    who, target = said.who, said.target
    held = grapples.held_by(fight, who)
    down = fight.state.harm.down.get(target)
    if down:
        fight.refuse("aachen.damage.out-of-action", f"{target} is {down.how}, and in no grapple.")
    if held:
        fight.refuse("aachen.grapple.one-at-a-time", f"{who} holds {held}.", grapples.way_out(fight, who))
    if not shove.seizes(fight, who, target, said, "unarmed"):  # aachen.grapple.hit
        return
    clauses = ("aachen.grapple.opposed", "aachen.check.opposed")
    if checks.oppose(fight, clauses, *shove.opponents(who, target, SKILL, said), "grappled", "not grappled"):
        if held:
            grapples.let_go(fight, who)
        grapples.grab(fight, who, target)


def _release(fight: Resolution, who: str) -> None:
    """aachen.grapple.release: on the own turn, for nothing."""
    actions.take_turn(fight, who)
    if not has(fight.state, who, "grappling"):
        fight.impossible(f"{who} holds nobody.")
    grapples.let_go(fight, who)


def _escape(fight: Resolution, who: str) -> None:
    """aachen.grapple.escape: one check against each holder's; ties go to a player character, else to the holder."""
    held_by = grapples.holders(fight, who)
    if not held_by:
        fight.impossible(f"Nobody holds {who}.")
    mine = checks.throw(fight, checks.Try(who, "STR", SKILL), held_by[0])
    theirs = {holder: checks.throw(fight, checks.Try(holder, "STR", SKILL), who) for holder in held_by}
    free = True
    for holder, total in theirs.items():
        wins_ties = fight.sheet(who).kind == "pc" and fight.sheet(holder).kind != "pc"
        sign = ">=" if wins_ties else ">"
        free &= fight.compare("aachen.grapple.escape", mine, sign, total, who, holder, yes="free", no="held")
    if free:
        for holder in held_by:
            grapples.let_go(fight, holder)


def _drag(fight: Resolution, said: Grapple, how: str) -> None:
    """aachen.grapple.drag: who loses the check loses its hold."""
    who = said.who
    target = grapples.held_by(fight, who)
    if not target:
        fight.impossible(f"{who} holds nobody.", "affray status")
    clauses, won = ("aachen.grapple.drag", "aachen.check.opposed"), "dragged" if how == "back" else "thrown"
    if not checks.oppose(fight, clauses, *shove.opponents(who, target, SKILL, said), won, "breaks free"):
        grapples.let_go(fight, who)
    elif how == "back":
        for one in (who, target):
            actions.moved(fight, one, "drag" if one == who else "follow", shove.BACK, 0)
    else:
        grapples.part(fight, who, target)
        if not has(fight.state, target, PRONE):
            fight.record(ConditionGained(target, PRONE))
