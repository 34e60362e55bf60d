"""Melee attacks, with one weapon or two."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Fighter
from commands.action.resolution import Resolution

from . import actions, contact, gear, grapples, strike
from .fighters import ADJACENT
from .strike import Blow, Circumstances
from .tables import Weapon

LONG = 10
"""Feet that a long weapon reaches: aachen.melee.long."""
SNAP = (-4, "snap attack")


class Attack(Blow):
    """Attack somebody hand to hand; or (--execution) kill somebody who is unaware or helpless."""

    who: Annotated[Fighter, Meta(description="Who attacks.")]
    target: Annotated[Fighter, Meta(description="Who is attacked.")]
    distance: Annotated[int, Meta(ge=0, le=100_000, description="Feet to the target.")] = ADJACENT
    off_hand: Annotated[str, Meta(description="A second weapon, in the other hand.")] = ""
    snap: Annotated[bool, Meta(description="A snap attack: before the own turn, at -4.")] = False
    execution: Annotated[bool, Meta(description="An execution attack.")] = False
    prepared: Annotated[bool, Meta(description="After a minute of undisturbed preparation.")] = False
    band: (
        Annotated[Literal["close", "normal", "extreme"], Meta(description="How far a ranged execution is.")] | None
    ) = None
    nonlethal: Annotated[bool, Meta(description="The execution only knocks out.")] = False


def attack(fight: Resolution, said: Attack) -> None:
    """A main action, or an instant before the own turn; and the attack."""
    if said.execution:
        from . import execution

        execution.execute(fight, said)
        return
    if said.prepared or said.band or said.nonlethal:
        fight.impossible(
            "Preparation, a band and mercy belong to an execution attack.", "Leave them out, or say --execution."
        )
    if said.snap:
        actions.snap(fight, said.who)
    else:
        actions.main_action(fight, said.who)
    carry_out(fight, said)


def carry_out(fight: Resolution, said: Attack, circumstances: Circumstances | None = None) -> None:
    """aachen.melee.procedure, whatever it cost."""
    who, target = said.who, said.target
    weapon = weapon_against(fight, who, target, said.with_)
    check_reach(fight, who, weapon, said.distance)
    rows = list(circumstances or ())
    more: tuple[tuple[int, str], ...] = ()
    if said.snap:
        rows.append(SNAP)
    if said.off_hand:
        # aachen.two-weapons.no-shock-bonus: what is added to a hit is not part of the shock
        rows, more = [*rows, _off_hand(fight, who, weapon, said.off_hand)], ((2, "two weapons"),)
        # aachen.two-weapons.one-attack: one roll, with the first weapon; aachen.two-weapons.damage-bonus: +2 on a hit
    contact.blow(fight, who, target, weapon, said, said.distance, rows, more)


def weapon_against(fight: Resolution, who: str, target: str, name: str) -> Weapon:
    """What somebody strikes a target with, if it may."""
    strike.check_target(fight, who, target)
    actions.check_fights(fight, who)
    weapon = gear.for_melee(fight, who, name)
    if not weapon.melee:
        clause = "aachen.melee.procedure"
        fight.refuse(clause, f"{weapon.name} is no melee weapon.", "Shoot with it, or name another weapon: --with.")
    grapples.check_attack(fight, who, target, weapon)
    return weapon


def check_reach(fight: Resolution, who: str, weapon: Weapon, distance: int) -> None:
    """aachen.melee.reach: 5 feet; aachen.melee.long: 10 with a long weapon."""
    if weapon.long and distance > LONG:
        fight.refuse("aachen.melee.long", f"{who}'s {weapon.name} reaches {LONG} feet, not {distance}.")
    elif not weapon.long and distance > ADJACENT:
        fight.refuse("aachen.melee.reach", f"{who}'s {weapon.name} reaches {ADJACENT} feet, not {distance}.")


def _off_hand(fight: Resolution, who: str, weapon: Weapon, name: str) -> tuple[int, str]:
    """aachen.two-weapons.requirements, and aachen.two-weapons.hit-penalty."""
    clause, other = "aachen.two-weapons.requirements", gear.find(fight, who, name)
    if (fight.sheet(who).skill("stab") or 0) < 1:
        fight.refuse(clause, f"{who} does not have Stab 1.")
    if other == weapon or not (weapon.skill == other.skill == "stab" and weapon.hands == other.hands == 1):
        fight.refuse(clause, f"{weapon.name} and {other.name} are not two one-handed melee weapons.")
    if gear.has_shield(fight, who):
        fight.refuse(clause, f"{who} has a shield in hand.", f"affray stow {who} shield --drop")
    return -1, "two weapons"
