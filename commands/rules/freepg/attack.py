"""Attacks: the eleven steps of the combat chapter."""

from commands.action.resolution import Resolution, Roll
from ledger.events import Number

from . import actions, traps
from .aim import Aim, Attack, take_aim
from .bonus import WEAPON, Mods, armor, plus_defense, plus_kind, plus_untyped, read_mods, stacked, used_weapon
from .health import suffer
from .sight import ADJACENT
from .stat_block import Item


def attack(fight: Resolution, said: Attack) -> None:
    """Who attacks whom, from where, with what; then the eleven steps."""
    mods = read_mods(fight, said.mod, said.who)
    if fight.sheet(said.who).kind == "trap":
        mods += traps.spring(fight, said)
    elif said.triggered:
        fight.impossible(f"{said.who} is not a trap, and cannot be triggered.")
    else:
        actions.spend(fight, said.who, attack=True)
    weapon = used_weapon(fight, said.who, said.with_)
    aim = take_aim(fight, said)
    with fight.upon(said.who, aim.only):
        strike(fight, said.who, aim, weapon, mods)
    traps.spent(fight, said.who)


def strike(fight: Resolution, attacker: str, aim: Aim, weapon: Item | None, mods: Mods = ()) -> None:
    """The eleven steps: one die of the attacker against one of each defender, for hit and damage alike."""
    die, guards = _dice(fight, attacker, aim.defenders)  # 1
    if die.natural == 1:  # 2
        fight.rule("freepg.attack.natural-1", "miss", [die.number("attack")], attacker, also=("freepg.attack.dice",))
        return
    critical = die.natural == 20  # 3
    score = _attack_score(fight, die, aim.distance, weapon, mods)  # 4 to 6
    damage_score = _damage_score(fight, attacker, score, weapon, mods)  # 8
    if critical:
        damage_score = damage_score.plus(5, "natural 20", "freepg.attack.natural-20-damage")  # 8
    damage_score = damage_score.minus(aim.radius - 1, f"radius {aim.radius}", "freepg.attack.radius-penalty")  # 10
    for who, guard in guards.items():
        with fight.upon(attacker, who):
            defense = plus_defense(fight, who, guard.number("defense"), mods)  # 4 and 5
            if _is_hit(fight, die, guard, score, defense, aim.clauses):  # 7
                damage = damage_score.minus(defense.total, "defense")  # 11
                damage = _less_armor(fight, who, damage, mods)  # 9
                # freepg.attack.damage-floor, unless a house rule lets every hit hurt
                damage = damage.at_least(fight.option("min_hit_damage"), "least damage")
                fight.rule("freepg.attack.damage", "", [damage], who=attacker, about=who)
                suffer(fight, who, damage.total)


def _dice(fight: Resolution, attacker: str, defenders: tuple[str, ...]) -> tuple[Roll, dict[str, Roll]]:
    """Everybody rolls before anything is compared; against a typed 1 the defenders need not."""
    die = fight.roll(attacker, "1d20", "attack", about="" if defenders[1:] else "".join(defenders))
    return die, {who: fight.roll(who, "1d20", "defense", about=attacker, optional=die.shows(1)) for who in defenders}


def _attack_score(fight: Resolution, die: Roll, distance: int, weapon: Item | None, mods: Mods) -> Number:
    """Natural, untyped, the attack bonus, and the range: 1 for each square beyond adjacent."""
    score = plus_untyped(fight, die.who, die.number("attack"), mods)
    if weapon:
        score = score.plus(weapon.attack, weapon.name, WEAPON)
    score = score.plus(fight.sheet(die.who).flat_bonus, "flat bonus", "freepg.enemy.flat-bonus")
    score = plus_kind(fight, die.who, score, "attack", mods)
    beyond = max(distance - ADJACENT, 0)
    if beyond and die.natural == 20 and fight.option("critical_ignores_range"):
        fight.rule("freepg.range.critical", "natural 20: no range penalty", who=die.who, aside=True)
        return score
    return score.minus(beyond, f"range {distance}", "freepg.range.penalty")


def _is_hit(fight: Resolution, die: Roll, guard: Roll, score: Number, defense: Number, aimed: tuple[str, ...]) -> bool:
    """The attack score must be higher; a natural 20 always hits.

    A house rule, `defender_naturals`, lets a defender's own 20 escape and its own 1 fail.
    """
    who, about = die.who, guard.who
    also = tuple(dict.fromkeys((*aimed, *stacked(score), *stacked(defense))))
    if die.natural == 20:
        return bool(fight.rule("freepg.attack.natural-20-hit", "hit", [score, defense], who, about, also))
    if fight.option("defender_naturals") and guard.natural in (1, 20):
        outcome = "hit" if guard.natural == 1 else "miss"
        return fight.rule("freepg.attack.hit-test", outcome, [score, defense], who, about, also) == "hit"
    return fight.compare("freepg.attack.hit-test", score, ">", defense, who, about, yes="hit", no="miss", also=also)


def _damage_score(fight: Resolution, attacker: str, score: Number, weapon: Item | None, mods: Mods) -> Number:
    """The attack score and the damage modifiers, which never helped to hit."""
    damage = score.called("damage")
    if weapon:
        damage = damage.plus(weapon.damage, weapon.name, "freepg.attack.damage-score")
    return plus_kind(fight, attacker, damage, "damage", mods)


def _less_armor(fight: Resolution, who: str, damage: Number, mods: Mods) -> Number:
    """After the hit test it is added to the defense, and so taken from the damage."""
    for step in armor(fight, who, mods).steps:
        damage = damage.minus(step.value if step.op == "+" else -step.value, step.reason, step.clause)
    return damage
