"""Struggles: shoves and grapples, whatever they cost."""

from typing import Annotated, Literal

from commands.action.declaration import Fighter, says
from commands.action.modifiers import Modifier
from commands.action.resolution import STATUS, Remedy, Resolution
from ledger.events import ConditionGained, few

from . import actions, checks, contact, grips, melee, strike
from .fighters import ADJACENT, GRAPPLING, PRONE
from .modifiers import Term, read_mods, terms
from .strike import Blow, Swing

_BACK = 10
"""Feet that somebody is shoved back."""
_SIZE_PENALTIES = (0, 2, 4)
_SKILL = "punch"


class Struggle(Blow, kw_only=True):
    """What can be said of a shove or a grapple besides who and whom."""

    size_penalty: Annotated[
        int, says("2 if the target is significantly larger, 4 if it is barely movable.", ge=0, le=4)
    ] = 0


class Push(Struggle):
    """Shove somebody 10 feet back, or to the ground."""

    who: Annotated[Fighter, says("Who shoves.")]
    target: Annotated[Fighter, says("Who is shoved.")]
    result: Annotated[Literal["back", "prone"], says("What the shove tries.")] | None = None


class Grapple(Struggle):
    """Take hold of somebody; or escape; or drag, throw or release the one you hold."""

    who: Annotated[Fighter, says("Who grapples.")]
    target: Annotated[Fighter, says("Who is grappled.", positional=True)] = ""
    escape: Annotated[bool, says("Break free of all who hold you.")] = False
    release: Annotated[bool, says("Let go; it costs nothing.")] = False
    drag: (
        Annotated[Literal["back", "throw"], says("Drag the one you hold up to 10 feet, or throw them to the ground.")]
        | None
    ) = None


def shove(fight: Resolution, said: Push) -> None:
    """aachen.shove.opposed, after a hit, whatever it cost."""
    if said.result is None:
        ways = [fight.otherwise(result=one) for one in ("back", "prone")]
        fight.impossible("Back, or to the ground?", [ways, "Say which: --result back, or --result prone."])
    if down := fight.state.harm.how(said.target):
        message = f"{said.target} is {down}, and cannot resist a shove."
        fight.refuse("aachen.damage.out-of-action", message, "Use act for what is done to somebody who is down.")
    with fight.upon(said.who, said.target):
        _push_over(fight, said)


def _push_over(fight: Resolution, said: Push) -> None:
    """A hit, and the opposed check that moves the target."""
    swing = _swing(fight, said.who, said.target, said, said.with_ or "unarmed")
    if not _seizes(fight, swing, said, "aachen.shove.hit"):
        return
    clauses, two = ("aachen.shove.opposed", "aachen.check.opposed"), (said.who, said.target)
    if not checks.oppose(fight, clauses, *_opponents(two, "punch, exert", said, swing.mods), "shoved", "holds"):
        return
    if said.result == "prone":
        fight.rule("aachen.shove.result", "to the ground", who=said.who, about=said.target)
        if not fight.state.conditions.has(said.target, PRONE):
            fight.record(ConditionGained(said.target, PRONE))
        return
    fight.rule("aachen.shove.result", f"{_BACK} feet back", who=said.who, about=said.target)
    grips.part(fight, said.who, said.target)
    contact.part(fight, said.who, said.target)


def grapple(fight: Resolution, said: Grapple) -> None:
    """What is tried, whatever it cost."""
    if said.escape:
        _escape(fight, said)
        return
    with fight.upon(said.who, grips.held_by(fight, said.who) if said.drag else said.target):
        if said.drag:
            _drag(fight, said, said.drag)
        else:
            _seize(fight, said)


def _seize(fight: Resolution, said: Grapple) -> None:
    """A hit with bare hands, and aachen.grapple.opposed, STR/Punch on both sides."""
    who, target = said.who, said.target
    held = grips.held_by(fight, who)
    if down := fight.state.harm.how(target):
        fight.refuse("aachen.damage.out-of-action", f"{target} is {down}, and cannot be grappled.")
    if held:
        fight.refuse("aachen.grapple.one-at-a-time", f"{who} holds {held}.", grips.way_out(fight, who))
    swing = _swing(fight, who, target, said, "unarmed")
    if not _seizes(fight, swing, said, "aachen.grapple.hit"):
        return
    clauses = ("aachen.grapple.opposed", "aachen.check.opposed")
    if checks.oppose(fight, clauses, *_opponents((who, target), _SKILL, said, swing.mods), "grappled", "not grappled"):
        if held:
            grips.let_go(fight, who)
        grips.grab(fight, who, target)


def release(fight: Resolution, who: str) -> None:
    """aachen.grapple.release: on the own turn, for nothing."""
    actions.take_turn(fight, who)
    if not fight.state.conditions.has(who, GRAPPLING):
        by = grips.holders(fight, who)
        ways: list[Remedy] = [("grapple", {"who": one, "release": True}) for one in by]
        fight.impossible(f"{who} holds nobody{f', and is held by {few(by)}' if by else ''}.", ways)
    grips.let_go(fight, who)


def _escape(fight: Resolution, said: Grapple) -> None:
    """aachen.grapple.escape: one check against each holder's; ties go to a player character, else to the holder."""
    who = said.who
    held_by = grips.holders(fight, who)
    if not held_by:
        fight.impossible(f"Nobody holds {who}.")
    mods = read_mods(fight, said.mod, {"check": (who, *held_by)})
    mine = checks.throw(fight, checks.Try(who, "STR", _SKILL, tuple(terms(mods, "check", who))), held_by[0])
    theirs = {}
    for holder in held_by:
        added = tuple(terms(mods, "check", holder, unnamed=False))
        theirs[holder] = checks.throw(fight, checks.Try(holder, "STR", _SKILL, added), who)
    free = True
    for holder, total in theirs.items():
        sign = ">=" if fight.sheet(who).kind == "pc" and fight.sheet(holder).kind != "pc" else ">"
        with fight.upon(who, holder):
            free &= fight.compare("aachen.grapple.escape", mine, sign, total, who, holder, yes="free", no="held")
    if free:
        for holder in held_by:
            with fight.upon(who, holder):
                grips.let_go(fight, holder)


def _drag(fight: Resolution, said: Grapple, how: str) -> None:
    """aachen.grapple.drag: anyone who loses the check loses its hold."""
    who = said.who
    target = grips.held_by(fight, who)
    if not target:
        fight.impossible(f"{who} holds nobody.", STATUS)
    clauses, won = ("aachen.grapple.drag", "aachen.check.opposed"), "dragged" if how == "back" else "thrown"
    two = _opponents((who, target), _SKILL, said, read_mods(fight, said.mod, {"check": (who, target)}))
    if not checks.oppose(fight, clauses, *two, won, "breaks free"):
        grips.let_go(fight, who)
    elif how == "back":
        for one in (who, target):
            actions.moved(fight, one, "drag" if one == who else "follow", _BACK, 0)
    else:
        grips.part(fight, who, target)
        if not fight.state.conditions.has(target, PRONE):
            fight.record(ConditionGained(target, PRONE))


def _swing(fight: Resolution, who: str, target: str, said: Struggle, name: str) -> Swing:
    """An attack at 5 feet, and what the game master adds to it and to the checks that follow."""
    if said.size_penalty not in _SIZE_PENALTIES:
        ways = [fight.otherwise(size_penalty=one) for one in _SIZE_PENALTIES[1:]]
        fight.impossible(f"{said.size_penalty} is not a penalty for size.", [ways, "Say --size-penalty 2, or 4."])
    used = strike.arm(fight, who, melee.weapon_against(fight, who, target, name), said)
    return strike.swing_at(fight, who, target, used, said, "check", (target,))


def _seizes(fight: Resolution, swing: Swing, said: Struggle, clause: str) -> bool:
    """A normal hit roll that does no damage and no shock, by aachen.shove.hit or aachen.grapple.hit."""
    contact.touch(fight, swing.who, swing.target)
    rows = [*melee.melee_circumstances(fight, swing.who, swing.target, ADJACENT), *_size(said)]
    return strike.hits(fight, swing, rows, also=(clause,))


def _opponents(
    two: tuple[str, str], skills: str, said: Struggle, mods: tuple[Modifier, ...]
) -> tuple[checks.Try, checks.Try]:
    """STR with the better of the skills, on both sides."""
    who, target = two
    mine, theirs = [*_size(said), *terms(mods, "check", who)], terms(mods, "check", target, unnamed=False)
    return checks.Try(who, "STR", skills, tuple(mine)), checks.Try(target, "STR", skills, tuple(theirs))


def _size(said: Struggle) -> list[Term]:
    """Against something larger the attacker has -2 or -4, on the hit roll and on the check."""
    return [(-said.size_penalty, "its size", "aachen.grapple.size")]
