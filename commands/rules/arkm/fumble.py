"""Critical fumbles: the table, and what it does at once."""

from msgspec.structs import replace

from commands.action.resolution import Resolution
from ledger.events import ConditionGained, number

from . import damage, hands, mass, position, tables, temporary, tohit
from .position import hostile
from .sheet import split
from .tables import row_of
from .tohit import Blow


def fumble(fight: Resolution, blow: Blow) -> None:
    """arkm.fumble.table: one roll, directly after the check. Effects that the table does not know are the referee's.

    arkm.natural-1.fumble-table
    """
    table = tables.effects(fight.state, "fumble")
    rolled = fight.roll(blow.who, table.die, "fumble")
    row = row_of(table.rows, rolled.total)
    fight.rule("arkm.fumble.table", _words(blow, row.effect, row.text), [rolled.number()], blow.who)
    apply(fight, blow, row.effect)


def _words(blow: Blow, effect: str, text: str) -> str:
    """What a row says; claws, teeth and fists are neither dropped nor broken."""
    if effect in ("drop", "break") and blow.weapon is None:
        return f"{effect}: nothing, for {blow.line.name if blow.line else 'a bare hand'} is no weapon"
    return f"{effect}: {text}" if text else effect


def apply(fight: Resolution, blow: Blow, effect: str) -> None:
    """Carries out a row of the table."""
    who = blow.who
    match effect:
        case "drop":
            _drop(fight, blow)
        case "off-balance":
            fight.record(ConditionGained(who, "off-balance", "round-end", round=fight.state.turns.round + 1))
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
    fight.record(ConditionGained(blow.who, f"broken {weapon.id}"))


def _hurt_self(fight: Resolution, blow: Blow) -> None:
    """One damage die, without bonus, halved down, 1 at least."""
    dice, _ = split(blow.line.damage if blow.line else blow.weapon.damage if blow.weapon else "1d4")
    die = f"1d{dice[0].partition('d')[2]}"
    points = fight.roll(blow.who, die, "damage on himself").number("damage").over(2, "half").at_least(1, "at least")
    fight.rule("arkm.fumble.table", "", [points], blow.who)
    damage.take(fight, blow.who, points, blow.who)


def _hit_friend(fight: Resolution, blow: Blow) -> None:
    """The same attack at a friend in melee with the same foe; nobody there, and the weapon is dropped."""
    near = fight.state.engagement.of(blow.target)
    friends = [
        one
        for one in fight.state.roster.order
        if one in near
        and one != blow.who
        and not hostile(fight, one, blow.who)
        and fight.state.stands(one)
        and mass.may_fight(fight, blow.who, one)
    ]
    if not friends:
        _drop(fight, blow)
        return
    at = fight.roll(blow.who, f"1d{len(friends)}", "which friend").natural if len(friends) > 1 else 1
    stray = replace(blow, target=friends[at - 1], direction="front", surprise=False, backstab=False, charge=False,
                    charge_bonus=False, lance=False, set_=False)  # fmt: skip
    fight.rule("arkm.fumble.table", f"strikes at {stray.target}", [number("friend", at)] if len(friends) > 1 else (),
               blow.who, stray.target)  # fmt: skip
    outcome = tohit.roll(fight, stray)
    if outcome.hit and stray.manner:
        temporary.hurt(fight, stray, damage.roll(fight, stray, outcome))
    elif outcome.hit:
        damage.take(fight, stray.target, damage.roll(fight, stray, outcome), blow.who, blow.shot)
