"""Melee: the blow, the attack with one weapon or two, and free attacks on those who leave."""

from collections.abc import Sequence
from typing import Annotated, Literal

from commands.action.declaration import Fighter, says
from commands.action.names import ALL
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import whose

from . import actions, contact, damage, gear, grips, strike
from .fighters import ADJACENT, NO_FIGHT, PRONE, WITHDRAWING, able, grappled_with, lies, ready
from .modifiers import Term
from .strike import SNAP, Blow
from .tables import SHIELD, Weapon

LONG = 10
"""Feet that a long weapon reaches: aachen.melee.long."""


class Attack(Blow):
    """Attack somebody in melee; or (--execution) kill somebody who is unaware or helpless."""

    who: Annotated[Fighter, says("Who attacks.")]
    target: Annotated[Fighter, says("Who is attacked.")]
    distance: Annotated[int, says("Feet to the target.", ge=0, le=100_000)] = ADJACENT
    off_hand: Annotated[str, says("A second weapon, in the other hand.", players=True)] = ""
    snap: Annotated[bool, says("A snap attack: before the attacker's own turn, at -4.")] = False
    execution: Annotated[bool, says("An execution attack.")] = False
    prepared: Annotated[bool, says("After a minute of undisturbed preparation.")] = False
    range_: Annotated[Literal["close", "normal", "extreme"], says("The range of a ranged execution.")] | None = None
    nonlethal: Annotated[bool, says("The execution only knocks out.")] = False


def carry_out(fight: Resolution, said: Attack, circumstances: Sequence[Term] = ()) -> None:
    """aachen.melee.procedure, whatever it cost."""
    who, target = said.who, said.target
    weapon = weapon_against(fight, who, target, said.with_)
    contact.check_distance(fight, who, target, said.distance)
    check_reach(fight, who, weapon, said.distance)
    if said.off_hand:
        _check_off_hand(fight, who, weapon, gear.find(fight, who, said.off_hand))
    with fight.upon(who, target):
        blow(fight, said, weapon, circumstances)


def _check_off_hand(fight: Resolution, who: str, weapon: Weapon, other: Weapon) -> None:
    """aachen.two-weapons.requirements: Stab 1, two one-handed melee weapons, and no shield."""
    clause = "aachen.two-weapons.requirements"
    if (fight.sheet(who).skill("stab") or 0) < 1:
        fight.refuse(clause, f"{who} does not have Stab 1.")
    if other == weapon or not (weapon.skill == other.skill == "stab" and weapon.hands == other.hands == 1):
        fight.refuse(clause, f"{weapon.name} and {other.name} are not two one-handed melee weapons.")
    if gear.has_shield(fight, who):
        fight.refuse(clause, f"{who} has a shield in hand.", [("stow", {"who": who, "item": SHIELD, "drop": True})])


def weapon_against(fight: Resolution, who: str, target: str, name: str) -> Weapon:
    """What somebody strikes a target with, if it may."""
    strike.check_target(fight, who, target)
    actions.check_fights(fight, who)
    weapon = gear.for_melee(fight, who, name)
    if not weapon.melee:
        clause = "aachen.melee.procedure"
        fight.refuse(clause, f"{weapon.name} is not a melee weapon.", "Shoot with it, or name another weapon: --with.")
    gear.check_hands(fight, who, weapon)
    grips.check_attack(fight, who, target, weapon)
    return weapon


def check_reach(fight: Resolution, who: str, weapon: Weapon, distance: int) -> None:
    """aachen.melee.reach: 5 feet; aachen.melee.long: 10 with a long weapon."""
    if weapon.long and distance > LONG:
        fight.refuse("aachen.melee.long", f"{whose(who)} {weapon.name} reaches {LONG} feet, not {distance}.")
    elif not weapon.long and distance > ADJACENT:
        fight.refuse("aachen.melee.reach", f"{whose(who)} {weapon.name} reaches {ADJACENT} feet, not {distance}.")


def melee_circumstances(view: View, who: str, target: str, distance: int) -> list[Term]:
    """The two rows of the table."""
    rows: list[Term] = []
    if distance <= ADJACENT and lies(view.state, target):
        rows.append((2, "prone foe", "aachen.melee.prone-foe"))
    if view.state.conditions.has(who, PRONE):
        rows.append((-4, "while prone", "aachen.melee.while-prone"))
    return rows


def blow(fight: Resolution, said: Attack, weapon: Weapon, circumstances: Sequence[Term] = ()) -> None:
    """aachen.melee.procedure: the d20; on a hit the damage dice, on a miss shock or nothing.

    With two weapons it is one attack with the first of them, at -1, and +2 damage on a hit.
    """
    who, target, two = said.who, said.target, bool(said.off_hand)
    swing = strike.swing_at(fight, who, target, strike.arm(fight, who, weapon, said), said)
    if said.distance <= ADJACENT:
        contact.touch(fight, who, target)
    rows = [*melee_circumstances(fight, who, target, said.distance), *circumstances, *[SNAP] * said.snap]
    rows += [(-1, "two weapons", "aachen.two-weapons.hit-penalty")] * two
    if strike.hits(fight, swing, rows, also=["aachen.two-weapons.one-attack"] * two):
        damage.of_hit(fight, swing, [(2, "two weapons", "aachen.two-weapons.damage-bonus")] * two)
    else:
        damage.of_miss(fight, swing, also=["aachen.two-weapons.no-shock-bonus"] * two)


def leave(fight: Resolution, who: str, leaving: list[str], declined: tuple[str, ...]) -> bool:
    """aachen.melee.free-attack: each able enemy that is left strikes once, before the move; whether it still happens.

    Anyone who withdraws fighting is not struck.
    """
    waived = leaving if ALL in declined else declined
    striking = [enemy for enemy in leaving if enemy not in waived and _may_strike(fight, enemy)]
    if striking and fight.state.conditions.has(who, WITHDRAWING):
        fight.rule("aachen.melee.fighting-withdrawal", "makes a fighting withdrawal", who=who)
        striking = []
    for enemy in leaving:
        if enemy in striking:
            with fight.upon(enemy, who):
                fight.rule("aachen.melee.free-attack", f"{enemy} has a free attack on {who}", who=enemy, about=who)
                blow(fight, Attack(enemy, who), gear.for_melee(fight, enemy, ""))
        if not able(fight.state, who):
            return False
    for enemy in leaving:
        contact.part(fight, who, enemy)
    return True


def _may_strike(view: View, enemy: str) -> bool:
    state = view.state
    free = ready(state, enemy) and not grappled_with(state, enemy)
    broken = any(state.conditions.has(enemy, condition) for condition in NO_FIGHT)
    return bool(view.option("free_attacks")) and free and not broken
