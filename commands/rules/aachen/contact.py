"""Contact: who fights whom hand to hand, and the free attacks on those who leave."""

from commands.action.resolution import Resolution
from ledger.events import Disengaged, Engaged

from . import damage, gear, strike
from .fighters import (
    ADJACENT,
    NO_FIGHT,
    PRONE,
    WITHDRAWING,
    able,
    enemies,
    grappled_with,
    has,
    in_contact,
    lies,
    surprised,
)
from .strike import Blow, Circumstances
from .tables import Weapon


def touch(fight: Resolution, who: str, target: str) -> None:
    """aachen.melee.contact: able enemies within 5 feet of each other are in contact."""
    near = able(fight.state, who) and able(fight.state, target) and enemies(fight.state, who, target)
    if near and target not in fight.state.engagement.of(who):
        fight.record(Engaged(who, target))


def part(fight: Resolution, who: str, other: str) -> None:
    """Two are out of reach of each other."""
    if other in fight.state.engagement.of(who):
        fight.record(Disengaged(who, other))


def melee_circumstances(fight: Resolution, who: str, target: str, distance: int) -> Circumstances:
    """The two rows of the table: aachen.melee.prone-foe and aachen.melee.while-prone."""
    rows: Circumstances = []
    if distance <= ADJACENT and lies(fight.state, target):
        rows.append((2, "prone foe"))
    if has(fight.state, who, PRONE):
        rows.append((-4, "while prone"))
    return rows


def blow(
    fight: Resolution,
    who: str,
    target: str,
    weapon: Weapon,
    said: Blow,
    distance: int,
    circumstances: Circumstances,
    more: tuple[tuple[int, str], ...] = (),
) -> None:
    """aachen.melee.procedure: the d20; on a hit the damage dice, on a miss shock or nothing."""
    used = strike.arm(fight, who, weapon, said)
    if distance <= ADJACENT:
        touch(fight, who, target)
    rows = [*melee_circumstances(fight, who, target, distance), *circumstances]
    if strike.hits(fight, who, target, used, said, rows):
        damage.of_hit(fight, who, target, used, True, more)
    else:
        damage.of_miss(fight, who, target, used)


def leave(fight: Resolution, who: str, leaving: list[str], declined: tuple[str, ...]) -> bool:
    """aachen.melee.free-attack: each able enemy that is left strikes once, before the move; whether it still happens.

    Whoever withdraws fighting is not struck: aachen.melee.fighting-withdrawal.
    """
    for enemy in leaving:
        if enemy not in declined and _may_strike(fight, who, enemy):
            fight.rule("aachen.melee.free-attack", f"a free attack of {enemy}", who=enemy, about=who)
            blow(fight, enemy, who, gear.for_melee(fight, enemy, ""), Blow(), ADJACENT, [])
        if not able(fight.state, who):
            return False
    for enemy in leaving:
        part(fight, who, enemy)
    return True


def _may_strike(fight: Resolution, who: str, enemy: str) -> bool:
    state = fight.state
    ready = able(state, enemy) and not grappled_with(state, enemy) and not surprised(state, enemy)
    broken = any(has(state, enemy, condition) for condition in NO_FIGHT)
    return bool(fight.option("free_attacks")) and ready and not broken and not has(state, who, WITHDRAWING)


def left_behind(fight: Resolution, who: str, words: tuple[str, ...]) -> list[str]:
    """Those whom `--leave` names, in roster order."""
    from commands.action.names import find

    near = in_contact(fight.state, who)
    names = [name for word in words for name in word.split(",") if name]
    if any(name.casefold() == "all" for name in names):
        return near
    meant = [find(fight.state, name) for name in names]
    for name in meant:
        if name not in near:
            fight.impossible(f"{who} is not in contact with {name}.", f"In contact: {', '.join(near) or 'nobody'}.")
    return [other for other in near if other in meant]
