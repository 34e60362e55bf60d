"""Attacks: with whatever is in hand, on a creature within reach."""

from typing import Annotated

from commands.action.declaration import Fighter, says
from commands.action.resolution import Remedies, Remedy, Resolution
from ledger.events import AmmunitionSpent, Dropped, counted

from . import gear, points, strikes, threat
from .bodies import distance, turn_to
from .chain import Blow, strike
from .strikes import Opportune
from .tables import Weapon
from .threat import approach, check_target, within_reach


class Aimed(Blow, kw_only=True):
    """What can be said of an attack besides who attacks whom."""

    toss: Annotated[bool, says("The weapon is thrown.")] = False
    hostile: Annotated[bool, says("The target counts as hostile.")] = False
    keep_facing: Annotated[bool, says("The attacker does not turn to its target.")] = False
    opportune: Opportune = ()


class Attack(Aimed):
    """Attack somebody: strike, throw a weapon (--toss) or shoot."""

    who: Annotated[Fighter, says("Who attacks.")]
    target: Annotated[Fighter, says("Who is attacked.")]


class Shoot(Aimed):
    """Attack from afar: an attack that must be ranged."""

    who: Annotated[Fighter, says("Who shoots.")]
    target: Annotated[Fighter, says("Who is shot at.")]


def attack(fight: Resolution, said: Attack | Shoot) -> None:
    """dungeoneers.attack.cost: one action point; then what it takes, the chain, and what a ranged attack provokes."""
    who, target = said.who, said.target
    points.act(fight, who, "attack", clause="dungeoneers.attack.cost")
    check_target(fight, who, target, said.hostile)
    name, weapon = gear.in_hand(fight, who, said.with_)
    ranged = _reach(fight, said, name, weapon)
    if weapon.ammunition and not fight.state.ammunition.left(who, weapon.ammunition):
        fight.refuse("dungeoneers.weapon.ammunition", f"{who} has no {weapon.ammunition} left for the {name}.")
    strikers, names = strikes.provoked(fight, who, ranged, said.opportune)
    turn_to(fight, who, target, said.keep_facing)
    if weapon.ammunition and (left := fight.state.ammunition.left(who, weapon.ammunition)):
        fight.record(AmmunitionSpent(who, weapon.ammunition, 1, left - 1))
    strike(fight, who, target, weapon, said, ranged, strikes.pools(names, (who,)))
    if said.toss and weapon.toss and fight.state.stands(who):
        fight.rule("dungeoneers.weapon.toss-leaves", "", who=who)
        fight.record(Dropped(who, name, fight.state.positions.at[target]))
    strikes.after_ranged(fight, who, "attack", strikers, names, said.mod)


shoot = attack
"""The same, from beyond the own threat range."""


def _reach(fight: Resolution, said: Attack | Shoot, name: str, weapon: Weapon) -> bool:
    """Whether the attack is ranged, once it is clear that the weapon reaches that far.

    dungeoneers.attack.melee-or-ranged: it is when the target is beyond the attacker's threat range.
    """
    who, target = said.who, said.target
    far, reach = distance(fight, who, target), threat.threat_range(fight, who)
    ranged = far.total > reach.total
    if isinstance(said, Shoot) and not ranged:
        clause = "dungeoneers.attack.melee-or-ranged"
        fight.refuse(clause, f"{target} is {counted(far.total, 'tile')} away, within reach.", _in_melee(fight, said))
    if weapon.range:
        if not ranged or far.total > weapon.range:
            ways = approach(fight, who, target, weapon.range) if ranged else [fight.otherwise(with_="improvised")]
            shoots = f"{reach.total + 1} to {weapon.range} tiles; {target} is {far.total} away."
            fight.refuse("dungeoneers.weapon.range", f"The {weapon.name} shoots {shoots}", ways)
    elif said.toss:
        _check_throw(fight, said, name, weapon, far.total, reach.total)
    else:
        shot = _shooting(fight, who, name, far.total) if isinstance(said, Shoot) else []
        within_reach(fight, who, target, "dungeoneers.attack.requires-threat", _clumsy(who, name, weapon) or shot)
    if ranged:
        clause = "dungeoneers.attack.melee-or-ranged"
        with fight.upon(who, target):
            fight.compare(clause, far, ">", reach, who, target, yes="ranged", no="melee", aside=True)
    return ranged


def _in_melee(fight: Resolution, said: Attack | Shoot) -> Remedies:
    """The way on to one who is too near to be shot at: the same as an attack, with the weapon or without."""
    _, words, _ = fight.otherwise()
    return [("attack", words), ("attack", {**words, "with_": "improvised"})]


def _shooting(fight: Resolution, who: str, name: str, far: int) -> Remedies:
    """The way on for one who would shoot with what does not: the weapon in hand or carried that shoots so far."""
    _, words, _ = fight.otherwise()
    worn, able = gear.worn(fight, who), gear.reaching(fight, who, far)
    ways: list[Remedy] = []
    for one in able:
        ways += [("shoot", {**words, "with_": one.name})] if one in worn else gear.drawing(fight, who, one)
    return [*ways, f"{name or 'A fist'} does not shoot."]


def _clumsy(who: str, name: str, weapon: Weapon) -> Remedies:
    """A hint when what is held is no weapon to its wielder: dungeoneers.weapon.rank-improvised."""
    return [f"In the hands of {who}, {name} is improvised."] if name and name != weapon.name else ()


def _check_throw(fight: Resolution, said: Attack | Shoot, name: str, weapon: Weapon, far: int, reach: int) -> None:
    """dungeoneers.weapon.toss-range: up to power and threat range, with a weapon that is made for it."""
    clause = "dungeoneers.weapon.toss-range"
    most = fight.sheet(said.who).power + reach
    if not weapon.toss:
        able = next((one.name for one in gear.weapons(fight, said.who) if one.toss), "")
        hint = _clumsy(said.who, name, weapon) or ([fight.otherwise(with_=able)] if able else "")
        fight.refuse(clause, f"{said.who} cannot throw that: {name or weapon.name}.", hint)
    elif far > most:
        message = f"{said.target} is {counted(far, 'tile')} away; {said.who} throws up to {most}."
        fight.refuse(clause, message, approach(fight, said.who, said.target, most))
