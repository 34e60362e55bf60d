"""Grappling: taking hold together, and the contest of strength; and disarming."""

from typing import Annotated

from msgspec.structs import replace

from commands.action.declaration import Fighter, Fighters, says
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, Counted, Number, number, whose

from . import ability, acting, blows, damage, hands, holding, losses, mass, ways
from .ability import is_able
from .aim import Aim, Arms, aimed, arms_used, as_attack, at_hand, check_ability
from .conditions import BLOW_DUE, HOLDING, PINNED, STRUGGLING, STUNNED
from .holding import check_may_strike, check_space
from .new_round import go_on
from .position import check_hostile, comes_near
from .saves import saved
from .scores import Term
from .stat_block import Weapon

_GRAPPLE = "grapple"
_SEIZED = "seized"
"""What is counted of one who was seized in this round."""


class Grapple(Aim):
    """Take hold of somebody, alone or together (--target); or contest a grapple again (--contest)."""

    who: Annotated[Fighters, says("Who grapples.")]
    target: Annotated[Fighter, says("Who is grappled.")] = ""
    contest: Annotated[bool, says("Roll the grapple's dice again, as an action, without a to-hit roll.")] = False


def grapple(fight: Resolution, said: Grapple) -> None:
    """Each to-hit roll that succeeds takes hold; then all who hold throw against the one held."""
    if said.contest:
        _contest(fight, said)
        return
    target = said.target
    if not target:
        foes = [fight.otherwise(target=foe) for foe in fight.state.engagement.of(said.who[0])]
        fight.impossible(f"Whom does {said.who[0]} grapple?", [foes, "Name them after --target."])
    mass.check_single(fight, target, *said.who)
    if not fight.state.stands(target):
        fight.impossible(f"{target} is already down.")
    up = [who for who in dict.fromkeys(said.who) if fight.state.stands(who)]
    taken = [who for who in dict.fromkeys(said.who) if not _is_struck_down(fight, who, up) and _seize(fight, said, who)]
    taken = [who for who in taken if not _is_struck_down(fight, who, up)]
    before = tuple(who for who in holding.held_by(fight, target) if who not in taken)
    if not taken:
        return
    if fight.state.conditions.has(target, PINNED):
        fight.rule("arkm.grapple.hold-lasts", "more take hold", who=target)
        _hold(fight, target, PINNED, (*before, *taken))
        return
    strive(fight, target, (*before, *taken))


def _is_struck_down(view: View, who: str, up: list[str]) -> bool:
    """Whether a friend who fumbled has felled one of those who stood before."""
    return who in up and not view.state.stands(who)


def _seize(fight: Resolution, said: Grapple, who: str) -> bool:
    """arkm.grapple.to-hit: an ordinary roll, the whole attack of the round; whether it takes hold."""
    target, bare = said.target, Arms(None, ())
    check_hostile(fight, who, target, "arkm.grapple.to-hit")
    comes_near(fight, who, target)
    if target not in fight.state.engagement.of(who) or not fight.hostile(who, target):
        near = ways.come_up(fight, who, target)
        fight.refuse("arkm.grapple.to-hit", f"{target} is not a foe within 5 feet of {who}.", near)
    check_may_strike(fight, who)
    ability.check(fight, who, target=target)
    arms_used(fight, who, bare)
    acting.may_act(fight, who, _GRAPPLE, "melee", target, able=True)
    if holding.holds(fight, who) not in ("", target):
        holding.let_go(fight, who)
    attack = as_attack(said, who, target)
    check_ability(fight, attack, bare)
    blow = replace(aimed(fight, attack, bare, target, ("hit",)), harmless=True, manner="empty-hand")
    acting.use_action(fight, who, _GRAPPLE)
    with fight.upon(who, target):
        outcome = blows.rolled(fight, blow, said.slots)
        if outcome.hit:
            fight.rule("arkm.grapple.to-hit", f"{who} has hold of {target}", who=who, about=target)
    return outcome.hit


def _contest(fight: Resolution, said: Grapple) -> None:
    """arkm.grapple.hold-lasts: one who struggles, or those who hold him, strive again in a later melee phase."""
    held = said.target or said.who[0]
    holders = holding.held_by(fight, held)
    if not holders and holding.entangled(fight, held) and held in said.who:
        _break_whip(fight, held, holding.entangled(fight, held))
        return
    if not holders or not fight.state.conditions.has(held, STRUGGLING):
        message = f"{held} is not struggling in a grapple."
        fight.refuse("arkm.grapple.hold-lasts", message, "To take hold of somebody, say whom after --target.")
        fight.impossible(f"Nobody has hold of {held}.")
    if fight.state.counts.get(held, _SEIZED):
        fight.refuse("arkm.grapple.hold-lasts", f"Somebody took hold of {held} this round.", ways.next_round(fight))
    for who in dict.fromkeys(said.who):
        if who != held and who not in holders:
            fight.impossible(f"{who} does not hold {held}.", f"They are held by: {', '.join(holders)}.")
        acting.may_act(fight, who, "contest", "melee")
        acting.use_action(fight, who, _GRAPPLE)
    strive(fight, held, holders)


def _break_whip(fight: Resolution, who: str, holders: tuple[str, ...]) -> None:
    """arkm.whip.break: the dice of a grapple, as the action of the round; a higher score frees, and stuns nobody."""
    acting.may_act(fight, who, "contest", "melee")
    acting.use_action(fight, who, _GRAPPLE)
    with fight.upon(who, holders[0]):
        mine = _score(fight, "arkm.grapple.defender-dice", (who,), "")
        theirs = _score(fight, "arkm.grapple.attackers-dice", holders, who)
        free, held = "free of the whip", "held still"
        if fight.compare("arkm.whip.break", mine, ">", theirs, who, holders[0], yes=free, no=held):
            holding.free_of_whips(fight, who)


def strive(fight: Resolution, target: str, holders: tuple[str, ...]) -> None:
    """The dice of those who hold, added, against those of the one held: less, equal or more."""
    with fight.upon("" if holders[1:] else holders[0], target):
        thrown_off = _strive(fight, target, holders)
    if thrown_off:
        _throw_off(fight, target, holders, thrown_off)


def _strive(fight: Resolution, target: str, holders: tuple[str, ...]) -> int:
    """By how much the one held throws them off; 0 where he does not."""
    theirs = _score(fight, "arkm.grapple.attackers-dice", holders, target)
    mine = _score(fight, "arkm.grapple.defender-dice", (target,), "")
    mine, theirs = number(mine.of, mine.total), number(theirs.of, theirs.total)
    if mine.total < theirs.total:
        fight.compare("arkm.grapple.pinned", mine, "<", theirs, target, yes="pinned")
        _hold(fight, target, PINNED, holders)
    elif mine.total == theirs.total:
        fight.compare("arkm.grapple.struggling", mine, "=", theirs, target, yes="struggling")
        _hold(fight, target, STRUGGLING, holders)
    else:
        fight.compare("arkm.grapple.thrown-off", mine, ">", theirs, target, yes="thrown off")
        holding.free(fight, target)
        return mine.total - theirs.total
    return 0


def _score(fight: Resolution, clause: str, names: tuple[str, ...], about: str) -> Number:
    """As many D6 as level or Hit Dice, 1 at least; nothing for the stunned."""
    score = Number(names[0] if len(names) == 1 else "together", (), 0)
    for who in names:
        if fight.state.conditions.has(who, STUNNED) and not is_able(fight, who):
            continue
        thrown = fight.roll(who, f"{max(fight.sheet(who).experience, 1)}d6", "grapple", about)
        score = score.plus(thrown.total, f"{thrown.named} {who}", roll=thrown.nth)
    fight.rule(clause, "", [score], who=names[0] if len(names) == 1 else "", about=about)
    return score


def _hold(fight: Resolution, target: str, condition: str, holders: tuple[str, ...]) -> None:
    """They have hold of him, until each lets go."""
    able = is_able(fight, target)
    holding.let_go(fight, target)
    if not holding.held_by(fight, target):
        fight.record(Counted(target, _SEIZED, 1))
    for name in (PINNED, STRUGGLING):
        if name != condition and fight.state.conditions.has(target, name):
            fight.record(ConditionEnded(target, name))
    fight.record(ConditionGained(target, condition, "encounter-end", whom=holders))
    for who in holders:
        if holding.holds(fight, who) != target:
            fight.record(ConditionGained(who, HOLDING, "encounter-end", whom=(target,)))
    losses.keep_back(fight, target, holders[-1], able)
    if not fight.state.conditions.has(target, BLOW_DUE):
        hands.end_florentine(fight, target)  # arkm.grapple.struggling: he cannot defend himself with his weapons


def _throw_off(fight: Resolution, target: str, holders: tuple[str, ...], rounds: int) -> None:
    """All who had hold are stunned for the difference; the fight goes on with initiative rolled again.

    arkm.grapple.initiative-again: that is the roll for the next round; with the option grapple_reroll `now`, at once.
    """
    for who in holders:
        with fight.upon(target, who):
            losses.stun(fight, who, rounds, target)
    able = (one for one in fight.state.roster.order if is_able(fight, one) and fight.state.stands(one))
    if not any(fight.hostile(one, target) for one in able):
        return
    now = fight.option("grapple_reroll") == "now"
    when = "now" if now else "for the next round"
    fight.rule("arkm.grapple.initiative-again", f"initiative is rolled again {when}", who=target)
    if now:
        go_on(fight, pass_rest=True)


class Disarm(Aim):
    """Try to strike a one-handed weapon out of a foe's hand, with a one-handed weapon."""

    who: Annotated[Fighter, says("Who tries.")]
    target: Annotated[Fighter, says("Whose weapon.")]


def disarm(fight: Resolution, said: Disarm) -> None:
    """The ordinary to-hit roll, with two weapons the better of two dice; on a hit the target saves, or is disarmed."""
    who, target = said.who, said.target
    mass.check_single(fight, who, target)
    if not fight.state.stands(target):
        fight.impossible(f"{target} is already down.")
    ability.check(fight, who, target=target)
    weapon, theirs = _check_weapons(fight, who, target)
    arms = (at_hand(fight, who) if weapon else None) or Arms(None, ())
    arms_used(fight, who, arms)
    acting.may_act(fight, who, "disarm", "melee", target, able=True)
    check_may_strike(fight, who)
    check_space(fight, who, arms.weapons)
    attack = as_attack(said, who, target)
    check_ability(fight, attack, arms)
    blow = aimed(fight, attack, arms, target)
    acting.use_action(fight, who, "disarm")
    blow = replace(blow, harmless=not fight.option("disarm_damage"))
    with fight.upon(who, target):
        outcome = blows.rolled(fight, blow, said.slots)
        if not outcome.hit:
            return
        if not _saves(fight, who, target) and theirs:
            losses.lose_weapon(fight, target, theirs.id, who)
        if fight.option("disarm_damage") and damage.does_any(fight, blow):
            damage.take(fight, target, damage.roll(fight, blow, outcome), who)


def _check_weapons(fight: Resolution, who: str, target: str) -> tuple[Weapon | None, Weapon | None]:
    """arkm.disarm.eligibility: both hold a one-handed weapon, within 5 feet of each other."""
    clause = "arkm.disarm.eligibility"
    check_hostile(fight, who, target, clause)
    if target not in fight.state.engagement.of(who):
        fight.refuse(clause, f"{target} is not within 5 feet of {who}.", ways.come_up(fight, who, target))
    weapons = []
    for one in (who, target):
        held = [weapon for weapon in hands.in_hand(fight, one) if weapon.is_("melee")]
        if not held:
            fight.refuse(clause, f"{one} has no weapon in hand.")
        elif held[0].hands == 2:
            fight.refuse(clause, f"{whose(one)} {held[0].id} needs both hands.")
        weapons.append(held[0] if held else None)
    return weapons[0], weapons[1]


def _saves(fight: Resolution, who: str, target: str) -> bool:
    """arkm.disarm.reflex-save: with the difference of the levels."""
    difference = fight.sheet(target).experience - fight.sheet(who).experience
    fight.rule("arkm.disarm.reflex-save", f"saves with {difference:+d} for the levels", who=target)
    return saved(fight, target, "reflex", [Term(difference, "levels", "arkm.disarm.reflex-save")], about=who)
