"""The blow: rolled, with its harm and all that it leaves behind; fumbles, riders unhorsed, and units of men."""

from msgspec.structs import replace

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, number

from . import damage, hands, losses, mass, position, tables, temporary, tohit
from .conditions import BARRED, MOUNTED, OFF_BALANCE, broken
from .mass import is_unit, survivors_of
from .saves import saved
from .stat_block import split
from .tables import row_of
from .tohit import Blow, HitRoll, is_mounted


def strike(fight: Resolution, blow: Blow, slots: int = 1) -> HitRoll:
    """A blow or a shot, rolled, with its harm and all that it leaves behind."""
    with fight.upon(blow.who, blow.target):
        if blow.dismount:
            clause = "arkm.dismount.eligibility"
            if blow.weapon is None or "polearm" not in blow.weapon.tags:
                fight.refuse(clause, f"{blow.who} has no polearm in hand.", "A polearm is needed, in hand.")
            if not is_mounted(fight, blow.target):
                fight.refuse(clause, f"{blow.target} is not mounted.", "Strike without --dismount.")
        if fight.sheet(blow.who).men:
            return _strike_as_one(fight, blow, slots)
        outcome = rolled(fight, blow, slots)
        if not outcome.hit:
            return outcome
        tohit.special(fight, blow, outcome.natural)
        harm = _unhorse if blow.dismount else _hurt
        harm(fight, blow, outcome)
        losses.last_blow(fight, blow.who, blow.target)
        return outcome


def rolled(fight: Resolution, blow: Blow, slots: int) -> HitRoll:
    """The to-hit roll, what it leaves behind, and the fumble that it may be."""
    outcome = tohit.roll(fight, blow)
    _after(fight, blow, slots)
    if outcome.fumble:
        _fumble(fight, blow)
    return outcome


def _fumble(fight: Resolution, blow: Blow) -> None:
    """arkm.fumble.table: one roll, directly after the check. Effects that it does not know are the game master's."""
    table = tables.effects(fight.state, "fumble")
    with fight.upon("", blow.who):
        die = fight.roll(blow.who, table.die, "fumble")
        row = row_of(table.rows, die.total)
        said, also = row.text or row.effect, ("arkm.natural-1.fumble-table",)
        if row.effect in ("drop", "break") and blow.weapon is None:  # claws, teeth and fists are neither
            said = f"nothing happens, for {_unarmed(blow)} is not a weapon"
        fight.rule("arkm.fumble.table", said, [die.number()], blow.who, also=also)
        _apply(fight, blow, row.effect)


def _hurt(fight: Resolution, blow: Blow, outcome: HitRoll, half: bool = False) -> None:
    """The damage of a hit, if it does any; `half` of it to a rider who stays in the saddle."""
    if not damage.does_any(fight, blow):
        return
    points = damage.roll(fight, blow, outcome)
    if half:
        points = points.over(2, "in the saddle")
        fight.rule("arkm.dismount.saved-half-damage", "", [points], blow.who, blow.target)
    if blow.manner:
        temporary.hurt(fight, blow, points)
    else:
        damage.take(fight, blow.target, points, blow.who, blow.shot)


def _after(fight: Resolution, blow: Blow, slots: int) -> None:
    """What a to-hit roll leaves behind: counts, where the attacker stands, and one who was taken unawares."""
    tohit.note(fight, blow, slots)
    if not blow.shot and not blow.free:
        position.turn_to(fight, blow.who, blow.target)
    if not fight.state.stands(blow.target):
        return  # who is out of the fight has nothing to turn to or to attack back with
    if blow.surprise or blow.backstab:
        position.ambush(fight, blow.target)
    elif not blow.shot and not blow.free:
        position.comes_from(fight, blow.who, blow.target, blow.direction)
    if blow.backstab:
        fight.record(ConditionGained(blow.target, BARRED, "round-end"))


def _strike_as_one(fight: Resolution, blow: Blow, slots: int = 1) -> HitRoll:
    """arkm.mass.one-throw: one to-hit roll with the values of one man; neither fumble, critical nor more attacks.

    arkm.mass.miss: a miss means that all missed, or did nothing that matters.
    """
    who, target = blow.who, blow.target
    fight.rule("arkm.mass.one-throw", "one throw for all", who=who, about=target, aside=True)
    outcome = tohit.roll(fight, replace(blow, harmless=True, unit=True))
    tohit.note(fight, blow, slots)
    if not outcome.hit:
        fight.rule("arkm.mass.miss", "no damage", who=who, about=target)
        return outcome
    men = (fight.sheet(who).men or 1) if is_unit(fight, target) else 1
    points = fight.roll(who, "1d6", "damage", about=target).number("damage")
    points = points.times(men, "men") if men > 1 else points
    fight.rule("arkm.mass.damage", "", [points], who=who, about=target)
    before = fight.state.harm.hp[target].now
    damage.take(fight, target, points, who)
    if is_unit(fight, target) and before and not fight.state.harm.hp[target].now:
        fight.rule("arkm.mass.slain-to-a-man", "slain to a man", who=target)
        members, state = fight.state.roster.members, fight.state
        units = [one for one in state.roster.order if state.stands(one) and is_unit(fight, one)]
        if all(members[one].side == members[who].side for one in units):
            for one in units:
                survivors_of(fight, one)
    return outcome


_STUNNED_FOR = ((1, 2, 2), (3, 4, 1), (5, 6, 0))
"""arkm.dismount.stun-roll: from, to, and rounds stunned."""


def _unhorse(fight: Resolution, blow: Blow, outcome: HitRoll) -> None:
    """The rider saves and takes half the damage, or falls off unhurt and may be stunned."""
    rider = blow.target
    fight.rule("arkm.dismount.reflex-save", "saves to stay in the saddle", who=rider)
    if saved(fight, rider, "reflex", about=blow.who):
        _hurt(fight, blow, outcome, half=True)
        return
    fight.rule("arkm.dismount.unhorsed", "unhorsed", who=blow.who, about=rider)
    if is_mounted(fight, rider):
        fight.record(ConditionEnded(rider, MOUNTED))
    die = fight.roll(rider, "1d6", "stun")
    rounds = next(rounds for low, high, rounds in _STUNNED_FOR if low <= die.natural <= high)
    outcome_word = f"stunned for {rounds} round{'s' * (rounds > 1)}" if rounds else "not stunned"
    fight.rule("arkm.dismount.stun-roll", outcome_word, [die.number()], who=rider)
    losses.stun(fight, rider, rounds, blow.who)


def _unarmed(blow: Blow) -> str:
    """What strikes without a weapon: the line of a monster, or a bare hand."""
    return blow.line.name if blow.line else "a bare hand"


def _apply(fight: Resolution, blow: Blow, effect: str) -> None:
    """Carries out a row of the table."""
    who = blow.who
    match effect:
        case "drop":
            _drop(fight, blow)
        case "off-balance":
            fight.record(ConditionGained(who, OFF_BALANCE, "round-end", round=fight.state.turns.round + 1))
        case "fall":
            position.fall(fight, who)
        case "break":
            _break(fight, blow)
        case "hurt-self":
            _hurt_self(fight, blow)
        case "hit-friend":
            _hit_friend(fight, blow)


def _drop(fight: Resolution, blow: Blow) -> None:
    if blow.weapon and blow.weapon.id in fight.state.gear.equipped.get(blow.who, ()):
        hands.drop(fight, blow.who, blow.weapon.id)


def _break(fight: Resolution, blow: Blow) -> None:
    """A magical weapon is dropped instead."""
    weapon = blow.weapon
    if weapon is None or weapon.magic or weapon.id not in fight.state.gear.equipped.get(blow.who, ()):
        _drop(fight, blow)
        return
    hands.let_go(fight, blow.who, weapon.id)
    fight.record(ConditionGained(blow.who, broken(weapon.id)))


def _hurt_self(fight: Resolution, blow: Blow) -> None:
    """One damage die, or the number in place of dice, without bonus, halved down, 1 at least; what does no damage of
    its own does none here.
    """
    if not damage.does_any(fight, replace(blow, target=blow.who, set_=False, lance=False)):
        return
    dice, flat = split(damage.own(blow))
    thrown = fight.roll(blow.who, f"1d{dice[0].partition('d')[2]}", "damage to self") if dice else None
    points = thrown.number("damage") if thrown else number("damage", flat)
    points = points.over(2, "half").at_least(1, "at least")
    fight.rule("arkm.fumble.table", "", [points], blow.who)
    damage.take(fight, blow.who, points, blow.who)


def _hit_friend(fight: Resolution, blow: Blow) -> None:
    """The same attack at a friend in melee with the same foe; nobody there, and the weapon is dropped."""
    near = fight.state.engagement.of(blow.target)
    others = [one for one in fight.state.roster.order if one in near and one != blow.who and fight.state.stands(one)]
    friends = [one for one in others if not fight.hostile(one, blow.who) and mass.may_fight(fight, blow.who, one)]
    if not friends:
        if blow.weapon is None:
            fight.rule("arkm.fumble.table", f"nobody there, and {_unarmed(blow)} is not a weapon to drop", who=blow.who)
        _drop(fight, blow)
        return
    at = fight.roll(blow.who, f"1d{len(friends)}", "which friend").natural if len(friends) > 1 else 1
    stray = blow.plain(target=friends[at - 1], direction="front")
    with fight.upon(blow.who, stray.target):
        numbers = [number("friend", at)] if len(friends) > 1 else ()
        fight.rule("arkm.fumble.table", f"strikes at {stray.target}", numbers, blow.who, stray.target)
        outcome = tohit.roll(fight, stray)
        if outcome.hit:
            _hurt(fight, stray, outcome)
