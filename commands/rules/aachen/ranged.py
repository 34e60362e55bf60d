"""Ranged attacks: the shot and the throw."""

from collections.abc import Sequence
from typing import Annotated, Literal

from commands.action.declaration import Fighter, says
from commands.action.resolution import STATUS, Remedies, Resolution
from commands.action.view import View

from . import actions, contact, damage, gear, grips, strike
from .fighters import ADJACENT, able, enemies, in_contact, lies
from .modifiers import Term
from .strike import SNAP, Blow
from .tables import Weapon

_COVER: dict[str, Term] = {
    "half": (-2, "half cover", "aachen.ranged.half-cover"),
    "full": (-4, "almost full cover", "aachen.ranged.near-full-cover"),
}
"""One of the two, by the game master's word."""


class Shoot(Blow):
    """Shoot or throw at somebody."""

    who: Annotated[Fighter, says("Who shoots.")]
    target: Annotated[Fighter, says("Who is shot at.")]
    distance: Annotated[int, says("Feet to the target.", ge=0, le=100_000, positional=True)] | None = None
    cover: Annotated[Literal["none", "half", "full"], says("half: at least half in cover; full: almost all.")] = "none"
    snap: Annotated[bool, says("A snap attack: before the shooter's own turn, at -4.")] = False


def carry_out(fight: Resolution, said: Shoot, circumstances: Sequence[Term] = ()) -> None:
    """The shot, whatever it cost."""
    who, target = said.who, said.target
    strike.check_target(fight, who, target)
    actions.check_fights(fight, who)
    grips.check_free(fight, who, "shoot")
    weapon = gear.for_shooting(fight, who, said.with_)
    distance = _distance(fight, who, target, weapon, said.distance)
    gear.check_hands(fight, who, weapon)
    gear.check_loaded(fight, who, weapon)
    rows = [*_circumstances(fight, said, weapon, distance), *circumstances, *([SNAP] if said.snap else [])]
    near = () if _far(fight, weapon, distance) else ("aachen.ranged.bands",)
    if distance <= ADJACENT:
        contact.touch(fight, who, target)
    several = ("aachen.ranged.stacking",) if len(rows) > 1 else ()
    swing = strike.swing_at(fight, who, target, strike.arm(fight, who, weapon, said, thrown=True), said)
    with fight.upon(who, target):
        harm = damage.of_hit if strike.hits(fight, swing, rows, rated=(*near, *several)) else damage.of_miss
        harm(fight, swing)
    gear.shot(fight, who, weapon)


def _distance(fight: Resolution, who: str, target: str, weapon: Weapon, distance: int | None) -> int:
    """aachen.ranged.bands: a ranged weapon has distances, and the shot one that is said; in contact it is 5 feet."""
    if weapon.range is None:
        fight.refuse("aachen.ranged.bands", f"{weapon.name} is neither shot nor thrown.", STATUS)
        message = f"The sheet does not say how far {weapon.name} reaches."
        fight.impossible(message, "Say it on the sheet: range = [30, 60].")
    if distance is None and target in in_contact(fight.state, who):
        distance = ADJACENT
    if distance is None:
        short, far = weapon.range
        within = _far(fight, weapon, short)  # the short distance itself is far
        each = [fight.otherwise(distance=feet) for feet in (short - 5 * within, far)]
        word = "from" if within else "beyond"
        ways: Remedies = [each, f"Say how many feet, after the target; {word} {short} feet it is long range."]
        fight.refuse("aachen.ranged.bands", f"How far away is {target}?", ways)
        fight.impossible("A shot needs a distance.", ways)
    contact.check_distance(fight, who, target, distance)
    if distance > weapon.range[1]:
        message = f"{weapon.name} reaches {weapon.range[1]} feet; {distance} is out of range."
        fight.refuse("aachen.ranged.out-of-range", message)
    return distance


def _far(view: View, weapon: Weapon, distance: int) -> bool:
    """Whether a shot goes beyond the short distance; by a house rule that distance itself is short."""
    short = weapon.range[0] if weapon.range else 0
    return distance > short or (distance == short and not view.option("short_range_inclusive"))


def _circumstances(fight: Resolution, said: Shoot, weapon: Weapon, distance: int) -> list[Term]:
    """All rows that apply, added up: aachen.ranged.stacking."""
    rows: list[Term] = []
    if _far(fight, weapon, distance):
        rows.append((-2, "long range", "aachen.ranged.long-range"))
    if lies(fight.state, said.target) and distance <= ADJACENT:
        rows.append((2, "adjacent prone foe", "aachen.ranged.adjacent-prone"))
    elif lies(fight.state, said.target):
        rows.append((-2, "distant prone foe", "aachen.ranged.distant-prone"))
    close = distance <= ADJACENT and able(fight.state, said.target) and enemies(fight.state, said.who, said.target)
    if check_hands(fight, said.who, weapon, close):
        rows.append((-4, "in contact", "aachen.ranged.one-handed-in-contact"))
    if said.cover in _COVER:
        rows.append(_COVER[said.cover])
    return rows


def check_hands(fight: Resolution, who: str, weapon: Weapon, close: bool = False) -> bool:
    """Whether the shooter, with a weapon for one hand, is in contact with an able enemy, as with one that is close by.

    aachen.ranged.two-handed-in-contact: refused with a weapon that takes two hands.
    """
    beset = close or any(able(fight.state, other) for other in in_contact(fight.state, who))
    if beset and weapon.hands == 2:
        message = f"{who} is in contact with an enemy, and {weapon.name} takes two hands."
        later = f"{who} must leave contact first: withdraw, and then move; or move and be struck."
        others = [one.name for one in gear.readied(fight, who) if one.range and one.hands == 1]
        ways = [*(fight.otherwise(with_=name) for name in others), later]
        fight.refuse("aachen.ranged.two-handed-in-contact", message, ways)
    return beset and weapon.hands != 2
