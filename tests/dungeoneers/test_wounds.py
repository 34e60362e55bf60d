"""Wounds, stress, death, rest."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.aid import Heal, Rest
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Push
from commands.rules.dungeoneers.encounter import Done
from commands.rules.dungeoneers.movement import Move, Prone
from commands.rules.dungeoneers.spells import Cast
from ledger.events import (
    Dropped,
    Felled,
    Number,
    Rolled,
    Step,
    StressEased,
    StressGained,
    WoundsHealed,
    WoundsSustained,
)
from tests.kit import no

from .table import alberich, at, fight, freya, impossible, points, rolls, skeleton, someone, suori, table, ulfarmi

PIERCED = [4, 4, 1, 6, 6]
"""Freya or Suori hits one who dodges with 1 die, and pierces."""


def struck(more=0, type_="slashing", **victim):
    """Freya strikes somebody, with a weapon of 1 wound and as many more as are said."""
    row = {"hit": 4, "pierce": 6, "wounds": 1, "type": type_}
    told = fight(
        freya((0, 0), weapons={"thing": row}, equipped=["thing"]), someone("Victim", (1, 0), side="rivals", **victim)
    )
    return told.when(Attack("Freya", "Victim", mod=(f"wounds:{more}",)), PIERCED)


def borne(told, who="Victim"):
    """Wounds, stress, and how it is down."""
    down = told.state.harm.down.get(who)
    return told.state.injuries.total(who), told.state.stress.total(who), down.how if down else ""


def test_the_example_of_the_order():
    """dungeoneers.wounds.order, dungeoneers.stress.double-wounds: 1, 2 by stress, 3 by vulnerability."""
    told = fight(freya((0, 0)), skeleton(stress=1)).when(Attack("Freya", "Skeleton"), PIERCED)
    told.ruled("dungeoneers.wounds.order", "", [3]).then(Felled("Skeleton", "dead"))
    fight(freya((0, 0)), skeleton()).when(Attack("Freya", "Skeleton"), PIERCED).ruled(
        "dungeoneers.wounds.order", None, [2]
    )


def test_the_attackers_modifications_come_after_the_doubling_and_before_the_defenders():
    """dungeoneers.wounds.order: 1 x2, +1 attacker, +1 vulnerability, -2 resistance, -0 absorbed: 2."""
    told = struck(
        1, "heat", endurance=0, stress=1, size="massive", vulnerability={"heat": 1}, resistance_to={"heat": 2}
    )
    (ruling,) = [event for event in told.events if getattr(event, "clause", "") == "dungeoneers.wounds.order"]
    assert ruling.numbers == (
        Number(
            "heat wounds",
            (
                Step(1, "thing", "+", "dungeoneers.attack.wounds"),
                Step(2, "over-stressed", "x", "dungeoneers.stress.double-wounds"),
                Step(1, "game master", "+", "dungeoneers.attack.wounds"),
                Step(1, "vulnerability", "+", "dungeoneers.trait.vulnerability"),
                Step(2, "resistance", "-", "dungeoneers.trait.resistance"),
            ),
            2,
        ),
    )


def test_a_number_is_never_negative():
    """dungeoneers.wounds.floor-zero: 1 piercing against resistance 3 is no wound; nor is 1-3, and no vulnerability."""
    assert borne(struck(0, "piercing", endurance=0, wounds=2, resistance_to={"piercing": 3})) == (2, 0, "")
    assert borne(struck(-3, "heat", endurance=0, vulnerability={"heat": 3})) == (0, 0, "")


def test_vulnerability_counts_once_a_blow():
    """dungeoneers.trait.vulnerability: 2 become 3, not 4."""
    assert borne(struck(1, "heat", endurance=0, size="large", vulnerability={"heat": 1})) == (3, 0, "")
    assert borne(struck(1, "cold", endurance=0, vulnerability={"heat": 1})) == (2, 0, "")


@pytest.mark.parametrize(("wounds", "left"), [(1, 0), (3, 0), (4, 1)])
def test_resistance_takes_its_level(wounds, left):
    """dungeoneers.trait.resistance: 3 or fewer become 0; 4 become 1."""
    told = struck(wounds - 1, "piercing", endurance=0, resistance_to={"piercing": 3})
    assert borne(told) == (left, 0, "")


def test_a_medium_creature_has_two_wounds_at_most():
    """dungeoneers.wounds.capacity"""
    assert borne(struck(1, endurance=0)) == (2, 0, "")


def test_wounds_stop_at_the_capacity():
    """dungeoneers.wounds.cap-at-maximum: 1 and 2 more are 2, alive."""
    told = struck(1, endurance=0, wounds=1).then(WoundsSustained("Victim", 1, 2, "slashing"), no(Felled))
    assert borne(told) == (2, 0, "")


def test_one_more_wound_kills():
    """dungeoneers.wounds.death-at-maximum"""
    told = struck(0, endurance=0, wounds=2).ruled("dungeoneers.wounds.death-at-maximum", "dead", [1, 2])
    assert borne(told) == (2, 0, "dead")


def test_more_than_the_capacity_at_once_kills():
    """dungeoneers.wounds.instant-death: 3 kill; with room for 1 stress they do not; 1 kills a tiny creature."""
    told = struck(2, endurance=0).ruled("dungeoneers.wounds.instant-death", "dead", [3, 2])
    assert borne(told) == (2, 0, "dead")
    assert borne(struck(2, endurance=1)) == (2, 1, "")
    assert borne(struck(0, endurance=0, size="tiny")) == (0, 0, "dead")


def test_the_dead_do_nothing():
    """dungeoneers.death.no-acting"""
    told = struck(2, endurance=0).when(Done())
    told.refused(Prone("Victim"), "dungeoneers.death.no-acting")
    told.refused(Heal("Victim", 1), "dungeoneers.death.no-acting")
    told.when(Adjust("Victim", "wounds", "1", "a miracle")).when(Adjust("Victim", "down", "no", "a miracle"))


def test_the_dead_are_no_targets_and_take_no_room():
    """dungeoneers.death.no-target, dungeoneers.death.effects"""
    told = struck(2, endurance=0)
    told = told.when(Adjust("Freya", "action", "1", "haste"))
    told.refused(Attack("Freya", "Victim"), "dungeoneers.death.no-target")
    told.refused(Push("Freya", "Victim"), "dungeoneers.death.no-target")
    assert points(told, "Freya")[0] == 1
    assert at(told.when(Move("Freya", ("E",))), "Freya") == (1, 0)
    mage = fight(ulfarmi((0, 0)), skeleton()).when(Adjust("Skeleton", "down", "dead", "dust"))
    mage.refused(Cast("Ulfarmi", "firebolt", "Skeleton"), "dungeoneers.death.no-target")


def test_wounds_heal_by_magic_or_a_full_rest():
    """dungeoneers.wounds.recovery: 2, healed to 1; a long rest leaves it, a full one does not."""
    told = table(freya((0, 0), wounds=2, stress=5)).when(Heal("Freya", 1)).then(WoundsHealed("Freya", 1, 1))
    told = told.when(Rest(("Freya",), "long")).then(StressEased("Freya", 5, 0), no(WoundsHealed))
    told.when(Rest(("Freya",), "full")).then(WoundsHealed("Freya", 1, 0))
    told.when(Heal("Freya", wounds=9)).then(WoundsHealed("Freya", 1, 0))
    impossible(told, Heal("Freya"), "Nothing")


def test_endurance_is_the_capacity_for_stress():
    """dungeoneers.stress.capacity: Freya handles 3 stress; wounds fill it up to that."""
    told = struck(3, endurance=3)
    assert borne(told) == (1, 3, "")


def test_stress_absorbs_wounds():
    """dungeoneers.stress.absorb: 2/3 stress and 2 wounds: stress 3, 1 wound; none of it doubled."""
    told = struck(1, endurance=3, stress=2)
    told.then(StressGained("Victim", 1, 3), WoundsSustained("Victim", 1, 1, "slashing"))


def test_stress_buys_hit_dice():
    """dungeoneers.stress.hit-dice: 2 stress, 4d4."""
    told = fight(freya((0, 0)), skeleton()).when(Attack("Freya", "Skeleton", stress=2), [1, 1, 1, 1, 4, 1, 1])
    told.then(StressGained("Freya", 2, 2))
    assert rolls(told)[0] == ("Freya", "4d4", "hit")


def test_stress_may_buy_d4s_of_their_own():
    """dungeoneers.stress.hit-dice, stress_hit_die: 2d6 of the sword and 1d4, rolled last: 1+1+4."""
    armed = {"equipped": ["shortsword"], "ranks": {"blade": "E"}}
    told = fight(freya((0, 0), **armed), skeleton(), stress_hit_die="d4")
    told = told.when(Attack("Freya", "Skeleton", stress=1), [1, 1, 4, 4, 1, 1])
    assert [roll[1:] for roll in rolls(told)[:3]] == [("2d6", "hit"), ("1d4", "stress-hit"), ("1d4", "dodge")]
    told.ruled("dungeoneers.attack.hit-compare", "hit", [6, 4])


def test_stress_is_not_limited():
    """dungeoneers.stress.past-capacity: 3/3 and 1 is 4."""
    told = fight(freya((0, 0), stress=3), skeleton()).when(Attack("Freya", "Skeleton", stress=1), [1, 1, 1, 4])
    told.then(StressGained("Freya", 1, 4))


@pytest.mark.parametrize(("before", "after"), [(3, 5), (4, 8)])
def test_the_over_stressed_gain_twice_as_much(before, after):
    """dungeoneers.stress.double-stress: 3/3 and 2 are 5; 4/3 and 2 are 8. The dice are 4 in either case."""
    told = fight(freya((0, 0), stress=before), skeleton())
    told = told.when(Attack("Freya", "Skeleton", stress=2), [1, 1, 1, 1, 4, 1, 1, 1])
    assert borne(told, "Freya")[1] == after
    assert rolls(told)[0][1] == "4d4"


@pytest.mark.parametrize(("before", "wounds", "after"), [(3, 0, 1), (4, 0, 2)])
def test_the_over_stressed_take_twice_the_wounds(before, wounds, after):
    """dungeoneers.stress.double-wounds: 3/3: 1; 4/3: 2."""
    assert borne(struck(0, endurance=3, stress=before))[0] == after


def test_three_times_the_capacity_wounds():
    """dungeoneers.stress.triple-wound: 9/3 and 2, doubled, is 13 > 9: 1 wound, doubled to 2; 5/3 to 9 is none."""
    told = fight(freya((0, 0), stress=9), skeleton())
    told = told.when(Attack("Freya", "Skeleton", stress=2), [1, 1, 1, 1, 4, 1, 1, 1])
    told.then(StressGained("Freya", 4, 13), WoundsSustained("Freya", 2, 2))
    assert borne(told, "Freya") == (2, 13, "")
    calm = fight(freya((0, 0), stress=5), skeleton())
    calm = calm.when(Attack("Freya", "Skeleton", stress=2), [1, 1, 1, 1, 4, 1, 1, 1])
    assert borne(calm, "Freya") == (0, 9, "")


def test_anyone_who_dies_of_over_exertion_attacks_no_more():
    """dungeoneers.stress.triple-wound: the attack ends, its point is spent."""
    told = fight(freya((0, 0), stress=9, wounds=2), skeleton()).when(Attack("Freya", "Skeleton", stress=1), [])
    told.then(Felled("Freya", "dead"), no(Rolled))
    assert points(told, "Freya")[0] == 0


def test_the_over_stressed_pierce_with_a_d4_more():
    """dungeoneers.stress.pierce-die: 2d6 and 1d4; the stress that leads over counts at once."""
    told = fight(freya((0, 0), stress=4), skeleton()).when(Attack("Freya", "Skeleton"), [4, 4, 1, 1, 1, 2])
    assert [roll[1:] for roll in rolls(told)[2:]] == [("2d6", "pierce"), ("1d4", "overstress")]
    told.ruled("dungeoneers.attack.pierce-compare", "pierced", [4, 4])
    leads = fight(freya((0, 0), stress=3), skeleton()).when(
        Attack("Freya", "Skeleton", stress=1), [4, 4, 1, 1, 1, 1, 2]
    )
    assert rolls(leads)[-1] == ("Freya", "1d4", "overstress")


def test_stress_is_relieved():
    told = table(freya((0, 0), stress=4)).when(Heal("Freya", stress=3)).then(StressEased("Freya", 3, 1))
    told.when(Heal("Freya", stress=3)).then(StressEased("Freya", 1, 0))


def test_rest_relieves_stress():
    """dungeoneers.stress.rest: 7/3: a short rest leaves 4, a long one 0; never below."""
    told = table(freya((0, 0), stress=7))
    short = told.when(Rest(("Freya",), "short")).then(StressEased("Freya", 3, 4))
    told.when(Rest(("Freya",), "long")).then(StressEased("Freya", 7, 0))
    short.when(Rest(("Freya",), "short")).when(Rest(("Freya",), "short")).then(StressEased("Freya", 1, 0))


def test_nobody_rests_in_a_fight():
    """dungeoneers.rest.outside-encounter"""
    fight(freya((0, 0))).refused(Rest(("Freya",), "short"), "dungeoneers.rest.outside-encounter")


def test_a_sheet_cannot_bear_more_than_its_size():
    """dungeoneers.wounds.capacity, dungeoneers.magica.capacity"""
    table().refused(alberich(wounds=3), "dungeoneers.wounds.capacity")
    table().refused(ulfarmi(magica=7), "dungeoneers.magica.capacity")
    assert borne(table(suori(wounds=1, stress=4)), "Suori") == (1, 4, "")


def test_anyone_who_dies_of_over_exertion_throws_nothing():
    """dungeoneers.stress.triple-wound, dungeoneers.weapon.toss-leaves: the dagger stays in the dead hand."""
    armed = {"equipped": ["dagger"], "ranks": {"blade": "E"}, "stress": 9, "wounds": 2}
    told = fight(freya((0, 0), **armed), skeleton((2, 0))).when(Attack("Freya", "Skeleton", toss=True, stress=1), [])
    told.then(Felled("Freya", "dead"), no(Dropped))
    assert told.state.gear.equipped["Freya"] == ("dagger",)


def test_the_cap_against_the_prone_holds_for_a_granted_die():
    """dungeoneers.prone.ranged-cap, dungeoneers.dice.empty-pool: the house rule's die is the one; no d4 besides."""
    archer = {"prowess": 0, "equipped": ["short bow"], "ranks": {"bow": "D"}, "ammo": {"arrow": 2}}
    told = fight(freya((0, 0), **archer), skeleton((4, 0)), stress_hit_die="d4", minimum_dice=1)
    told = told.when(Adjust("Skeleton", "condition", "prone", "it tripped"))
    told = told.when(Attack("Freya", "Skeleton", stress=1), [1, 2])
    assert [roll[1:] for roll in rolls(told)] == [("1d6", "hit"), ("1d4", "dodge")]


def test_the_unconscious_are_healed_and_rest():
    """dungeoneers.death.no-acting, dungeoneers.stress.rest, dungeoneers.wounds.recovery: 1 of 2 wounds, then all."""
    told = table(suori(wounds=2, stress=1), freya(stress=2)).when(Adjust("Suori", "down", "unconscious", "a blow"))
    told.when(Heal("Suori", wounds=1)).then(WoundsHealed("Suori", 1, 1))
    rested = told.when(Rest(("Suori", "Freya"), "full")).then(WoundsHealed("Suori", 2, 0), StressEased("Freya", 2, 0))
    assert rested.state.harm.down["Suori"].how == "unconscious"
    dead = told.when(Adjust("Suori", "down", "dead", "cold"))
    dead.refused(Heal("Suori", wounds=1), "dungeoneers.death.no-acting")
    dead.refused(Rest(("Suori",), "full"), "dungeoneers.death.no-acting")
