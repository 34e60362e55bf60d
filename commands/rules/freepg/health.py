"""Health points: where they start, how they are lost, dying, and coming back."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained, Felled, HpGained, HpLost, Number, PointsSet, Rose, number
from projections.harm import Condition

from .actions import RESCUED, counted, is_enemy
from .flight import fall_down, hovers

DYING = "mortally wounded"
"""The clock of a dying combatant: a condition that names the player characters who have still to end a turn."""


def start(fight: Resolution, who: str, kind: str, size: str, size_hp: int, die: "int | str | None") -> int:
    """Health points at the start: an enemy's by its size, everybody else's from a d20; 50 when none was rolled."""
    if kind == "enemy":
        fight.rule("freepg.enemy.health", "", [number("health", size_hp, size)], who=who)
        return size_hp
    if die is None:
        return 50
    rolled = fight.roll(who, "1d20", "health").number("health") if die == "roll" else number("health", int(die), "d20")
    points = rolled.over(2, "half").plus(50, "base")
    fight.rule("freepg.health.start", "", [points], who=who)
    return points.total


def points(die: int | None) -> int:
    """Health points at the start of one who is no enemy, by the d20 that was rolled: half of it and 50."""
    return 50 + (die or 0) // 2


def suffer(fight: Resolution, who: str, points: int) -> None:
    """Takes health points, down to 0, and lets fall whom that fells."""
    hp = fight.state.harm.hp[who]
    if (lost := min(points, hp.now)) > 0:
        fight.record(HpLost(who, lost, hp.now - lost, hp.most))
    if points > 0 and hp.now == lost and who not in fight.state.harm.down:
        fall(fight, who)


def fall(fight: Resolution, who: str) -> None:
    """At 0: an enemy is dead at once, a player character or a game master's ally is dying."""
    if is_enemy(fight, who):
        fight.rule("freepg.enemy.dies-at-zero", "", who=who)
        fight.record(Felled(who, "dead"))
        drop(fight, who)
        return
    fight.rule("freepg.dying.start", "", who=who)
    begin_dying(fight, who)


def begin_dying(fight: Resolution, who: str) -> None:
    """From now on somebody is dying; where turns are counted, the clock runs."""
    fight.record(Felled(who, "dying"))
    if counted(fight.state):
        _start_clock(fight, who)
    drop(fight, who)


def drop(fight: Resolution, who: str) -> None:
    """freepg.move.fall: nobody flies who is dying or dead; the fall has nothing left to hurt."""
    if hovers(fight, who):
        fight.rule("freepg.move.fall", "falls to the ground", who=who)
        fall_down(fight, who)


def _start_clock(fight: Resolution, who: str) -> None:
    """freepg.dying.death: every other living player character must end a turn; alone, the present seat one round on."""
    others = tuple(other for other in _player_characters(fight) if other != who)
    turns = fight.state.turns
    alone = ConditionGained(who, DYING, whose=turns.who or turns.last, round=turns.round + 1)
    fight.record(ConditionGained(who, DYING, "acted", whom=others) if others else alone)


def _player_characters(fight: Resolution) -> list[str]:
    """The living ones, in roster order; the dying still live."""
    down = fight.state.harm.down
    living = [who for who in fight.state.roster.order if who not in down or down[who].how != "dead"]
    return [who for who in living if fight.sheet(who).kind == "pc"]


def count_turn(fight: Resolution, seat: str) -> None:
    """A seat's turn has ended: the dying come nearer to death, and those whose time is up are dead."""
    living = _player_characters(fight)
    for who, clock in _clocks(fight).items():
        if clock is None:
            _start_clock(fight, who)
        elif clock.whom:
            rest = tuple(other for other in clock.whom if other in living and fight.sheet(other).seat_of(other) != seat)
            if rest and rest != clock.whom:
                fight.record(ConditionGained(who, DYING, "acted", whom=rest))
            elif not rest:
                _die(fight, who)
        elif clock.whose in ("", seat) and fight.state.turns.round >= clock.round:
            _die(fight, who)
    while late := [who for who, clock in _clocks(fight).items() if clock and _nobody_left(fight, clock)]:
        _die(fight, late[0])


def _clocks(fight: Resolution) -> dict[str, Condition | None]:
    """The dying in roster order, with their clocks."""
    down, held = fight.state.harm.down, fight.state.conditions.of
    dying = [who for who in fight.state.roster.order if who in down and down[who].how == "dying"]
    return {who: held.get(who, {}).get(DYING) for who in dying}


def _nobody_left(fight: Resolution, clock: Condition) -> bool:
    return bool(clock.whom) and not set(clock.whom) & set(_player_characters(fight))


def _die(fight: Resolution, who: str) -> None:
    with fight.upon("", who):
        fight.rule("freepg.dying.death", "nobody came in time", who=who)
        fight.record(ConditionEnded(who, DYING))
        fight.record(Felled(who, "dead"))
        drop(fight, who)


def regain(fight: Resolution, who: str, clause: str, amount: Number, by: str) -> None:
    """Gives health points, up to the maximum, and brings back whom that rescues."""
    hp = fight.state.harm.hp[who]
    gained = amount.at_most(max(hp.most - hp.now, 0), "maximum")  # freepg.heal.maximum
    fight.rule(clause, "", [gained], who=by, about=who)
    fight.record(HpGained(who, gained.total, hp.now + gained.total, hp.most))
    if fight.state.harm.how(who) == "dying" and hp.now + gained.total:
        rescue(fight, who)


def rescue(fight: Resolution, who: str) -> None:
    """freepg.dying.rescue: health above 0 stops the clock; the rescued act again on their next turn."""
    fight.rule("freepg.dying.rescue", "rescued", who=who)
    stop_clock(fight, who)
    fight.record(Rose(who))
    seat = fight.sheet(who).seat_of(who)
    if counted(fight.state) and fight.state.turns.who == seat:
        fight.record(ConditionGained(who, RESCUED, "turn-end", seat))  # It may act on its next turn.
        if fight.state.points.left(who, "action"):
            fight.record(PointsSet(who, "action", 0))


def stop_clock(fight: Resolution, who: str) -> None:
    """The clock of somebody runs no more."""
    fight.no_longer(who, DYING)
