"""Florentine fighting: a weapon in each hand."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained

from . import hands
from .arms import has_shield, in_hand
from .sheet import AttackLine, Weapon
from .tohit import Blow


def take_up(fight: Resolution, who: str, main: str, off: str) -> tuple[Weapon, tuple[AttackLine, ...], Weapon]:
    """arkm.florentine.requirements: two one-handed melee weapons in hand, and no shield."""
    clause = "arkm.florentine.requirements"
    if not main or not off:
        fight.impossible("Two weapons are needed.", "Say both: --with sword,dagger or --florentine sword,dagger.")
    weapons = hands.own(fight, who, main), hands.own(fight, who, off)
    if weapons[0].id == weapons[1].id:
        fight.impossible("Two weapons are needed.", "Say two that are carried: --with sword,dagger.")
    for weapon in weapons:
        if weapon.hands == 2 or not weapon.is_("melee"):
            fight.refuse(clause, f"{weapon.id} is no one-handed melee weapon.")
    if has_shield(fight, who):
        fight.refuse(clause, f"{who} has a shield in use.", f"The shield can be put away: stow {who} shield.")
    hands.ready(fight, who, weapons[0], beside=weapons[1] in in_hand(fight, who))
    hands.ready(fight, who, weapons[1], beside=True)
    names = (weapons[0].id, weapons[1].id)
    held = fight.state.conditions.get(who, "florentine")
    if held is None or held.whom != names:
        fight.record(ConditionGained(who, "florentine", "encounter-end", whom=names))
    return weapons[0], (), weapons[1]


def end(fight: Resolution, who: str) -> None:
    """arkm.florentine.ac-bonus: the stance ends with the first action without it."""
    if fight.state.conditions.has(who, "florentine"):
        fight.record(ConditionEnded(who, "florentine"))


def which(fight: Resolution, blow: Blow) -> Weapon | None:
    """arkm.florentine.which-weapon: of two of different sizes a D6 says which one hit, 1-3 the main one."""
    main, off = blow.weapon, blow.off_hand
    if main is None or off is None or main.size == off.size:
        return main
    die = fight.roll(blow.who, "1d6", "which weapon", about=blow.target)
    found = main if die.natural <= 3 else off
    fight.rule("arkm.florentine.which-weapon", found.id, [die.number("which weapon")], blow.who, blow.target)
    return found
