"""The game master's word: what can be set, and what follows by the rules."""

from functools import partial

from msgspec.structs import asdict, replace

from commands.action import adjust, ground
from commands.action.adjust import Field
from commands.action.resolution import Resolution, adjusted
from ledger.events import AreaEntered, Equipped, Felled, PainEased, PainSuffered, Rose, Unequipped, WoundTreated, number
from projections.state import State

from . import actions, assignment, declarations, harm, places
from .hands import CHANGE, SHIELD
from .harm import PLACES, place_of
from .stat_block import Name, Sheet, Weapon

_WOUNDS = tuple(name for pair in PLACES.values() for name in pair)


class Found(Weapon, frozen=True, kw_only=True):
    """A weapon as in a stat block, with the name that it has there."""

    name: Name


def _pain(fight: Resolution, who: str, value: str) -> None:
    """Pain that uses up the Stamina fells when the phase closes; outside of rounds at once. Less of it wakes."""
    before = fight.state.pain.total(who)
    points = adjust.ranged(fight, who, "pain", value, before)
    if points > before:
        fight.record(PainSuffered(who, points - before, points, fight.sheet(who).stamina))
    elif points < before:
        fight.record(PainEased(who, before - points, points, fight.sheet(who).stamina))
        harm.wake(fight, who)
    harm.use_up(fight, who)


def kinds(_: State) -> list[str]:
    """The kinds of damage that are told apart, by where it is done."""
    return [*PLACES]


def damage(fight: Resolution, who: str, points: int, kind: str) -> None:
    """Pain as of a hit that no armour stops, and a wound if it is enough: paraverse.magic.effect-damage. A place that
    is not said is rolled where it matters.
    """
    if fight.state.harm.how(who) == "dead":
        return
    place = kind or (harm.hit_location(fight, "", who) if points >= fight.sheet(who).con else "")
    amount = number("damage", points, "the game master")
    fight.rule("paraverse.magic.effect-damage", place, [amount], about=who, aside=True)
    harm.suffer_pain(fight, who, points)
    if place:
        harm.suffer_wound(fight, who, points, place)
    harm.use_up(fight, who)


def _wound(fight: Resolution, who: str, value: str) -> None:
    """A wound is in its place, once, and does what it does: paraverse.wound.table."""
    word, sign, place = value.partition("@")
    wound = adjust.one_of(fight, word, _WOUNDS, "wound")
    if sign and place.strip().casefold() != place_of(wound):
        fight.impossible(f"A {wound} is in the {place_of(wound)}.", adjust.repeated(who, "wound", wound))
    if wound in fight.state.wounds.names(who):
        fight.impossible(f"{who} already has a {wound}.")
    harm.bear(fight, who, wound, place_of(wound))
    if not fight.state.turns.phase:
        harm.settle(fight)


def _no_wound(fight: Resolution, who: str, value: str) -> None:
    """Anyone who bleeds no longer has all death checks again: paraverse.dying.stabilized-resets."""
    fight.record(WoundTreated(who, adjust.one_of(fight, value, fight.state.wounds.names(who), f"wound of {who}")))
    if not harm.is_bleeding(fight.state, who):
        harm.begin_anew(fight, who)


def _down(fight: Resolution, who: str, value: str) -> None:
    """Anyone who is down is engaged with nobody; anyone who stands has Stamina."""
    match adjust.how_down(fight, who, value, ("unconscious", "dead")):
        case "no":
            left = harm.stamina(fight, fight.state, who).total
            if left < 1 and fight.option("incapacitation"):
                pain, over = fight.state.pain.total(who), 1 - left
                fight.record(PainEased(who, over, pain - over, fight.sheet(who).stamina))
            if fight.state.pending.of(harm.FALL, who):
                fight.settle(harm.FALL, who, "the game master says no")
            fight.record(Rose(who))
        case how:
            fight.record(Felled(who, "dead" if how == "dead" else "unconscious"))
            places.free(fight, who)
            assignment.drop_out(fight, who)
            for waiting in actions.due_now(fight.state):
                if waiting.who == who and fight.state.opening:
                    actions.lose(fight, "paraverse.phase.earlier-fall", waiting, f"{who} is {how}")


def _side(fight: Resolution, who: str, value: str) -> None:
    """Nobody fights those who are friends now: in a skirmish that is not fought yet neither."""
    adjust.set_side(fight, who, value, "paraverse.action.attack-another")
    adjust.part_friends(fight, who)
    if any(assignment.side(fight, one) == assignment.side(fight, who) for one in assignment.against(fight, who)):
        assignment.drop_out(fight, who)


def _area(fight: Resolution, who: str, value: str) -> None:
    """Anyone who is put elsewhere is engaged with nobody there."""
    there = adjust.one_of(fight, value, fight.state.areas.names, "area")
    if there != places.of(fight.state, who):
        fight.record(AreaEntered(who, there))
        places.free(fight, who)
        assignment.drop_out(fight, who)


def _engaged(fight: Resolution, who: str, value: str) -> None:
    """Opponents are in one area: paraverse.engaged.no-leaving."""
    for other in adjust.several(fight, value):
        adjust.engage(fight, who, other)
        if not places.shared(fight.state, who, other):
            there = places.of(fight.state, other)
            fight.impossible(f"{other} is {places.at(there)}, not where {who} is.", adjust.repeated(who, "area", there))


def _equipped(fight: Resolution, who: str, value: str) -> None:
    """As `draw` does it: one weapon in hand, and a shield if there is a hand for it; an attack is declared anew."""
    sheet: Sheet = fight.sheet(who)
    held = fight.state.gear.equipped.get(who, ())
    in_hand = next((item for item in held if item != SHIELD), "")
    things = [*sheet.weapons, *[SHIELD] * (sheet.shield is not None)]
    item = adjust.one_of(fight, value, things, f"thing of {who}")
    if item in held:
        fight.impossible(f"{who} already has {item} in hand.")
    if item == SHIELD and not sheet.can_raise_shield(in_hand):
        fight.impossible(f"{who} needs both hands for {in_hand}.", adjust.repeated(who, "no-equipped", in_hand))
    if item != SHIELD:
        for other in held:
            if other != SHIELD or not sheet.can_raise_shield(item):
                fight.record(Unequipped(who, other))
    ground.lift(fight, who, item)
    fight.record(Equipped(who, item))


def _give(fight: Resolution, who: str, found: Found, owner: str) -> None:
    """A weapon as in a stat block, with its name, or of somebody else; it is carried."""
    if owner:
        _take(fight, owner, found)
    sheet: Sheet = fight.sheet(who)
    name = adjust.free_name(found.name, [SHIELD, *sheet.weapons])
    weapon = Weapon(found.use, found.base, found.hands)
    adjust.gain(fight, who, name, replace(sheet, weapons={**sheet.weapons, name: weapon}))


def _own(fight: Resolution, who: str, word: str) -> Found:
    weapons: dict[str, Weapon] = fight.sheet(who).weapons
    name = adjust.one_of(fight, word, tuple(weapons), f"weapon of {who}")
    return Found(name=name, **asdict(weapons[name]))


def _take(fight: Resolution, who: str, found: Found) -> None:
    name = found.name
    if name in fight.state.gear.equipped.get(who, ()):
        fight.record(Unequipped(who, name))
    ground.lift(fight, who, name)
    sheet: Sheet = fight.sheet(who)
    rest = {other: weapon for other, weapon in sheet.weapons.items() if other != name}
    adjust.lose(fight, who, name, replace(sheet, weapons=rest, hand="" if sheet.hand == name else sheet.hand))


BY_VERB: dict[str, adjust.Way] = {
    actions.ATTACKED: [("effect", {"who": ["{who}"], "name": "attacked-before", "gives": ["all:dis"]})]
}
"""Conditions that come of something else, which sets them and ends them."""


_FIELDS = {
    "pain": Field("0 or more: at Endurance or above they fall when the phase ends, below it they wake", _pain),
    "wound": Field("a wound of the table, such as fractured-arm", _wound),
    "no-wound": Field("a wound they have", _no_wound),
    "down": Field("unconscious, dead or no", _down),
    **adjust.conditions(BY_VERB, (actions.SILENCED,)),
    "side": Field("a side at the table", _side),
    "area": Field("an area of the encounter", _area),
    "engaged": Field("opponents in the same area", _engaged),
    "no-engaged": Field("opponents", adjust.disengage),
    "equipped": Field("a weapon that is carried, or shield", _equipped),
    "no-equipped": Field("a weapon in hand, or shield", adjust.put_away),
    **adjust.items(
        "a weapon that was found, as in a stat block with its name; or WEAPON@NAME from somebody",
        "a weapon that is carried",
        partial(adjust.read_row, kind=Found),
        _own,
        _give,
        _take,
        'name = "{}", use = "melee", base = 3',
    ),
    **adjust.on_the_ground(_own, _give, SHIELD),
    CHANGE: adjust.allowance(CHANGE, 1),
    **{kind: adjust.allowance(kind, harm.CHECKS) for kind in harm.DYING},
}
FIELDS = {name: Field(one.takes, adjust.then(one.set, declarations.check_means)) for name, one in _FIELDS.items()}
"""What can be set. After each falls what can no more be done."""

ELSEWHERE: dict[str, adjust.Way] = {
    "hp": [adjusted("{who}", "pain", 1)],
    "wounds": [adjusted("{who}", "wound", "bleeder")],
    "at": "Paraverse counts areas, not squares: set area.",
    "prone": [("effect", {"who": ["{who}"], "name": "prone", "gives": ["evasion:dis"]})],
}
"""What cannot, and how to get it."""

RESTS = "rest --days {days}"
ON_JOINING = ("name", "hand", "shield_up", "conditions")
"""Fields of a stat block that nothing reads once somebody has joined."""
