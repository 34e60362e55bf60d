"""What a hit does: location, damage, pain, critical wound, in this order; and who falls by it, and wakes again."""

from collections.abc import Sequence

from commands.action.resolution import Resolution
from commands.action.view import View
from ledger import events
from ledger.events import Awaited, Felled, Number, PainEased, PainSuffered, PointsSet, Rose, WaitingEnded, number
from projections.state import State

from . import hands, places

_MULTIPLIER = ((11, 3), (6, 2), (1, 1))
"""(least roll difference, multiplier), highest first. Combat, "Attack Damage"."""

LOCATION = {2: "torso", 3: "arms", 4: "legs"}
_SECOND = {1: "head", 2: "head", 3: "torso", 4: "torso"}
"""Hit locations by the d4, and by the second one that a 1 asks for. Combat, "Hit Location"."""

CHECKS = 3
"""Death checks of a dying character, and how many failed ones kill."""
DYING = DEATH_CHECK, DEATH_FAILURE = "death-check", "death-failure"
"""What is counted of the dying, and outlasts the encounter."""

FALL = "fall"
"""Under which kind a fall waits that takes effect when the phase closes."""

PLACES = {
    "head": ("skull-fracture", "severed-head"),
    "torso": ("bleeder", "crushed-torso"),
    "arms": ("fractured-arm", "severed-arm"),
    "legs": ("fractured-leg", "severed-leg"),
}
"""For each hit location its critical and its supercritical wound."""

_BLEEDING = {"seed": ("bleeder",), "later": ("bleeder", "skull-fracture", "severed-arm", "severed-leg")}
"""Which wounds bleed, by the option `wound_table`."""

ARM, LEG = ("melee", "ranged", "physical", "manual", "magic"), ("melee", "ranged", "physical", "evasion")
HINDRANCES = {
    "skull-fracture": ("paraverse.wound.skull-fracture", ("cog", "wil", "stabilization", "trauma-treatment")),
    "fractured-arm": ("paraverse.wound.fractured-arm", ARM),
    "severed-arm": ("paraverse.wound.severed-arm", ARM),
    "fractured-leg": ("paraverse.wound.fractured-leg", LEG),
    "severed-leg": ("paraverse.wound.severed-leg", LEG),
}
"""For each wound its clause, and the skills, or keywords of skills, that are at a disadvantage with it."""

_FALLS = {
    "skull-fracture": ("paraverse.wound.skull-fracture", "unconscious"),
    "severed-head": ("paraverse.wound.severed-head", "dead"),
    "crushed-torso": ("paraverse.wound.crushed-torso", "dead"),
    "severed-arm": ("paraverse.wound.severed-arm", "unconscious"),
    "severed-leg": ("paraverse.wound.severed-leg", "unconscious"),
}
"""Wounds that fell anyone who suffers them, when the phase closes: by which clause, and how."""


def strike(
    fight: Resolution, dealer: str, victim: str, margin: Number, sequence: str, least: int = 0, also: Sequence[str] = ()
) -> None:
    """Steps 4 to 7 of a ranged attack, 3 to 6 of a skirmish.

    `sequence` is the clause that puts them in this order, `also` the clauses by which it is this victim.
    """
    place = hit_location(fight, dealer, victim, (sequence,))
    times = multiplier(fight, dealer, victim, margin, least, also)
    damage, before = _attack_damage(fight, dealer, victim, times), stamina(fight, fight.state, victim)
    suffer_pain(fight, victim, damage.total)
    suffer_wound(fight, victim, damage.total, place)
    if before.total > 0 and not fight.state.pending.of(FALL, victim):
        use_up(fight, victim)


def hit_location(fight: Resolution, who: str, victim: str, also: tuple[str, ...] = ()) -> str:
    """A d4; a 1 asks for a second one: head or torso."""
    die = fight.roll(who, "1d4", "hit location", about=victim)
    if die.natural != 1:
        clause, place = "paraverse.hit-location", LOCATION[die.natural]
    else:
        die = fight.roll(who, "1d4", "hit location", about=victim)
        clause, place = "paraverse.hit-location.second-die", _SECOND[die.natural]
    return fight.rule(clause, place, [die.number("location")], who=who, about=victim, also=also, aside=True)


def multiplier(
    fight: Resolution, dealer: str, victim: str, difference: Number, least: int = 0, also: Sequence[str] = ()
) -> int:
    """The damage multiplier of a roll difference; won on natural dice alone, it is what the option says."""
    tie = 0 if difference.total < 0 else fight.option("tie_multiplier")
    times = next((times for from_, times in _MULTIPLIER if difference.total >= from_), tie)
    clause = "paraverse.damage.multiplier"
    if difference.total <= 0:
        clause = "paraverse.skirmish.tie-multiplier"
    if times < least:
        clause, times = "paraverse.skirmish.critical-hit", least
    fight.rule(clause, f"x{times}", [difference], who=dealer, about=victim, also=also, aside=True)
    return times


def _attack_damage(fight: Resolution, dealer: str, victim: str, times: int) -> Number:
    """The multiplier times the base damage of the weapon in hand, less the armour value of the one hit, at least 0."""
    weapon = hands.weapon(fight, dealer)
    name, base = (hands.held(fight, dealer), weapon.base) if weapon else ("empty hand", 0)
    damage = number("damage", base, name).times(times, "multiplier").minus(fight.sheet(victim).av, "armour")
    if fight.option("shield_soak"):
        damage = damage.minus(hands.shield(fight, victim), "shield", "paraverse.damage.shield-soak")
    damage = damage.at_least(0, "damage", "paraverse.damage.minimum-zero")
    located = () if damage.total else ("paraverse.hit-location.before-damage",)
    fight.rule("paraverse.damage.formula", "", [damage], who=dealer, about=victim, also=located)
    return damage


def suffer_pain(fight: Resolution, who: str, damage: int) -> None:
    """Damage divided by Fortitude, rounded up, for each hit by itself."""
    sheet = fight.sheet(who)
    by = "" if sheet.fortitude else "paraverse.stat.fortitude"
    pain = number("pain", damage, "damage").over(sheet.toughness, "Fortitude", up=True, clause=by)
    again = fight.state.pain.total(who) and damage % sheet.toughness
    fight.rule("paraverse.pain.ceiling", "", [pain], who=who, also=("paraverse.pain.per-hit",) if again else ())
    hurt(fight, who, pain.total)


def hurt(fight: Resolution, who: str, points: int) -> None:
    """Adds pain to what there is."""
    if points > 0:
        fight.record(PainSuffered(who, points, fight.state.pain.total(who) + points, fight.sheet(who).stamina))


def suffer_wound(fight: Resolution, who: str, damage: int, place: str) -> None:
    """Damage of at least the Constitution wounds critically, of three times as much supercritically instead.

    Like bars like: a place takes each of its two wounds once, in whatever order they come.
    """
    critical, severe = PLACES[place]
    con = number("Constitution", fight.sheet(who).con)
    dealt = number("damage", damage)
    if damage >= 3 * con.total:
        clause, wound, bar = "paraverse.wound.supercritical", severe, "paraverse.wound.no-repeat-super"
        limit = con.times(3, "for a supercritical wound")
        if critical in fight.state.wounds.names(who):
            clause = "paraverse.wound.super-over-critical"
    elif damage >= con.total:
        clause, wound, bar = "paraverse.wound.critical", critical, "paraverse.wound.no-repeat-critical"
        limit = con
        if severe in fight.state.wounds.names(who):
            clause = "paraverse.wound.critical-after-super"
    else:
        return
    if wound in fight.state.wounds.names(who):
        fight.rule(bar, f"no second {wound}", [dealt, limit], who=who)
        if wound == severe and critical not in fight.state.wounds.names(who):
            fight.rule("paraverse.wound.super-not-downgraded", f"no {critical} instead", who=who)
        return
    fight.compare(clause, dealt, ">=", limit, who=who, yes=wound, also=("paraverse.wound.table",), aside=True)
    bear(fight, who, wound, place)


def bear(fight: Resolution, who: str, wound: str, place: str) -> None:
    """From now on somebody has a wound, and may fall by it."""
    fight.record(events.WoundSuffered(who, wound, place))
    if wound in _FALLS and fight.option("critical_wound_effects"):
        clause, how = _FALLS[wound]
        fight.rule(clause, how, who=who)
        waiting = fight.state.pending.of(FALL, who)
        if not (waiting and waiting.said["text"] == "dead"):
            fight.record(Awaited(FALL, who, "fall", {"text": how}, until="at the end of the phase"))


# Wounds


def place_of(wound: str) -> str:
    """The hit location of a wound; "" for a word that names none.

    >>> place_of("bleeder"), place_of("hiccups")
    ('torso', '')
    """
    return next((place for place, pair in PLACES.items() if wound in pair), "")


def is_supercritical(wound: str) -> bool:
    """Whether a wound is a supercritical one, which cannot be treated."""
    return any(wound == pair[1] for pair in PLACES.values())


# Falling and waking


def stamina(view: View, state: State, who: str) -> Number:
    """Endurance less pain; it may be negative."""
    sheet = view.sheet(who)
    by = "" if sheet.endurance else "paraverse.stat.endurance"
    return number("Stamina", sheet.stamina, "Endurance", by).minus(state.pain.total(who), "pain")


def is_felled(fight: Resolution, who: str) -> bool:
    """Whether somebody who stood when the phase opened goes down when it closes."""
    if not fight.opening.stands(who):
        return False
    used_up = fight.option("incapacitation") and stamina(fight, fight.state, who).total <= 0
    return bool(used_up or fight.state.pending.of(FALL, who))


def is_bleeding(state: State, who: str) -> bool:
    """Whether a wound bleeds."""
    bleeding = _BLEEDING[View(state).option("wound_table")]
    return bool(View(state).option("critical_wound_effects")) and any(w in bleeding for w in state.wounds.names(who))


def is_dying(state: State, who: str) -> bool:
    """Whether somebody is incapacitated and bleeding: paraverse.dying.definition."""
    return state.harm.how(who) not in ("", "dead") and is_bleeding(state, who)


def settle(fight: Resolution) -> None:
    """A phase closes: anyone who was felled in it goes down now, and is engaged no longer."""
    for who in fight.state.roster.order:
        _settle(fight, who)
        if who in fight.state.harm.down:
            places.free(fight, who)


def _settle(fight: Resolution, who: str) -> None:
    """Falls by wounds, and by pain that has used up the Stamina: paraverse.incapacitated.stamina."""
    by_wound, down = fight.state.pending.of(FALL, who), fight.state.harm.how(who)
    if by_wound:
        fight.record(WaitingEnded(FALL, who, "done"))
    if by_wound and by_wound.said["text"] == "dead" and down != "dead":
        fight.record(Felled(who, "dead"))
        return
    if down:
        return
    left = stamina(fight, fight.state, who)
    if left.total <= 0 and fight.option("incapacitation"):
        fight.rule("paraverse.incapacitated.stamina", "incapacitated", [left], who=who, aside=True)
        fight.record(Felled(who, "unconscious"))
    elif by_wound:
        fight.record(Felled(who, "unconscious"))


def use_up(fight: Resolution, who: str) -> None:
    """Falls count at once where no phase is open; else they are announced: paraverse.incapacitated.stamina."""
    if not fight.state.turns.phase:
        settle(fight)
        return
    left = stamina(fight, fight.state, who)
    if fight.state.stands(who) and left.total <= 0 and fight.option("incapacitation"):
        fight.rule("paraverse.incapacitated.stamina", "falls at the end of the phase", [left], who=who)


def ease(fight: Resolution, who: str, points: int) -> None:
    """Takes pain away, down to 0. Who has Stamina again by that, wakes."""
    pain = fight.state.pain.total(who)
    eased = min(points, pain)
    fight.record(PainEased(who, eased, pain - eased, fight.sheet(who).stamina))
    if eased:
        wake(fight, who)


def wake(fight: Resolution, who: str) -> None:
    """Who has Stamina again wakes, whatever had felled it."""
    left = stamina(fight, fight.state, who)
    if left.total >= 1 and fight.state.harm.how(who) not in ("", "dead"):
        fight.rule("paraverse.incapacitated.wakes", "awake", [left], who=who, aside=True)
        fight.record(Rose(who))


def begin_anew(fight: Resolution, who: str) -> None:
    """Anyone who stops bleeding has all death checks again, for the next time."""
    used = [kind for kind in DYING if fight.state.points.of.get(who, {}).get(kind, CHECKS) != CHECKS]
    if used:
        fight.rule("paraverse.dying.stabilized-resets", "", who=who)
    for kind in used:
        fight.record(PointsSet(who, kind, CHECKS))
