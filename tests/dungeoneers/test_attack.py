"""The attack chain: hit, pierce, wounds."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.attack import Attack, Shoot
from commands.rules.dungeoneers.basics import Sprint
from commands.rules.dungeoneers.encounter import Begin, Done
from commands.rules.dungeoneers.ready import Ready, Trigger
from ledger.events import AmmunitionSpent, Dropped, Felled, Noted, StressGained, WoundsSustained
from tests.kit import no

from .table import (
    alberich,
    fight,
    freya,
    hint_of,
    impossible,
    points,
    rolls,
    skeleton,
    someone,
    suori,
    table,
    turn_of,
    ulfarmi,
)

BOW = {"ranks": {"bow": "E"}, "equipped": ["hunting bow"], "ammo": {"arrow": 1}, "prowess": 1}


def test_a_fist_is_a_weapon():
    """dungeoneers.attack.weapon-or-fist: unarmed Suori: 2d4, 2d4, 1 bludgeoning wound (and vulnerability 1)."""
    told = fight(suori(equipped=[]), skeleton()).when(Attack("Suori", "Skeleton"), [4, 4, 1, 2, 2])
    assert [roll[1] for roll in rolls(told)] == ["2d4", "1d4", "2d4"]
    told.ruled("dungeoneers.wounds.order", "", [2])
    armed = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton", with_="improvised"), [4, 4, 1, 2, 2])
    assert rolls(armed)[2][1] == "2d4"
    shield = fight(suori(equipped=["buckler"]), skeleton())
    assert rolls(shield.when(Attack("Suori", "Skeleton", with_="buckler"), [4, 4, 1, 2, 1]))[2][1] == "2d4"


def test_a_melee_attack_needs_reach():
    """dungeoneers.attack.requires-threat"""
    fight(freya((0, 0)), skeleton((2, 0))).refused(Attack("Freya", "Skeleton"), "dungeoneers.attack.requires-threat")


def test_a_target_out_of_reach_is_walked_to_and_without_movement_points_sprinted_to():
    """dungeoneers.attack.requires-threat: every offer works from how the fight stands."""
    told = fight(freya((0, 0)), skeleton((9, 0)))
    walk = " ".join(["E"] * points(told, "Freya")[1])
    assert hint_of(told, Attack("Freya", "Skeleton")) == f"affray move Freya {walk}"
    tired = told.when(Adjust("Freya", "movement", "0", "she ran"))
    no_nearer = "Freya comes no nearer in this turn: sprinting takes the action point as well."
    assert hint_of(tired, Attack("Freya", "Skeleton")) == no_nearer
    fresh = tired.when(Adjust("Freya", "action", "2", "she may"))
    assert hint_of(fresh, Attack("Freya", "Skeleton")) == "affray sprint Freya\naffray done"
    spent = fresh.when(Sprint("Freya")).when(Adjust("Freya", "movement", "0", "she ran"))
    assert hint_of(spent, Attack("Freya", "Skeleton")) == no_nearer


@pytest.mark.parametrize(("weapon", "steps"), [("glaive", "E E"), ("warhammer", "E E E")])
def test_a_target_is_walked_to_no_nearer_than_the_weapon_reaches(weapon: str, steps: str):
    """dungeoneers.attack.requires-threat: of 4 tiles a glaive reaches 2, a warhammer 1."""
    told = fight(suori(equipped=[weapon], movement_points=5), skeleton((4, 0)))
    assert hint_of(told, Attack("Suori", "Skeleton")) == f"affray move Suori {steps}"


def test_nobody_is_sent_round_those_who_stand_in_the_way():
    """dungeoneers.attack.requires-threat: all three nearer tiles are taken; the others are as far away, or farther."""
    wall = [skeleton((1, y), name=f"Skeleton-{y + 2}") for y in (-1, 0, 1)]
    told = fight(freya((0, 0)), skeleton((4, 0), name="Lord"), *wall)
    assert not hint_of(told, Attack("Freya", "Lord")).startswith("affray move")


def test_beyond_the_threat_range_an_attack_is_ranged():
    """dungeoneers.attack.melee-or-ranged: a glaive at 2 tiles is melee; a dagger tossed at 2 is ranged."""
    long = fight(suori(equipped=["glaive"]), skeleton((2, 0))).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    assert not [event for event in long.events if getattr(event, "outcome", "") == "ranged"]
    thrown = fight(suori(equipped=["dagger"]), skeleton((2, 0)))
    thrown.when(Attack("Suori", "Skeleton", toss=True), [1, 1, 4]).ruled(
        "dungeoneers.attack.melee-or-ranged", "ranged", [2, 1]
    )


def test_to_shoot_is_to_attack_from_afar():
    """dungeoneers.attack.melee-or-ranged: refused at or inside the threat range."""
    near = fight(suori(**BOW), skeleton())
    near.refused(Shoot("Suori", "Skeleton"), "dungeoneers.attack.melee-or-ranged")
    fight(suori(**BOW), skeleton((3, 0))).when(Shoot("Suori", "Skeleton"), [1, 4])
    mace = fight(freya((0, 0)), skeleton((3, 0)))
    mace.refused(Shoot("Freya", "Skeleton"), "dungeoneers.attack.requires-threat")


def test_a_miss_ends_the_attack():
    """dungeoneers.attack.sequence: only hit and dodge dice."""
    told = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton"), [1, 2, 4])
    assert [roll[2] for roll in rolls(told)] == ["hit", "dodge"]


def test_a_deflection_inflicts_nothing():
    """dungeoneers.attack.sequence"""
    told = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton"), [4, 4, 1, 1, 1])
    told.ruled("dungeoneers.attack.pierce-compare", "deflected", [2, 4]).then(no(WoundsSustained))


def test_dice_more_or_fewer_to_pierce_are_ruled_by_their_own_clause():
    """dungeoneers.attack.pierce-roll: power 2 and one die more is 3d8; two fewer are no dice."""
    more = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton", mod=("pierce:1",)), [4, 4, 1, 1, 1, 1])
    more.ruled("dungeoneers.attack.pierce-roll", "3d8", [3], about="Skeleton")
    assert [roll[1:] for roll in rolls(more)][2] == ("3d8", "pierce")
    none = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton", mod=("pierce:-2",)), [4, 4, 1])
    none.ruled("dungeoneers.attack.pierce-roll", "0d8", [0], about="Skeleton")
    assert [event.clause for event in none.events if getattr(event, "outcome", "") == "0d8"] == [
        "dungeoneers.attack.pierce-roll"
    ]


def test_the_example_of_the_hit():
    """dungeoneers.attack.hit-roll, dungeoneers.attack.hit-compare: 1+3 against 4 hits, 1+2 does not."""
    told = fight(suori(), skeleton())
    hit = told.when(Attack("Suori", "Skeleton"), [1, 3, 4, 1, 1])
    hit.ruled("dungeoneers.attack.hit-compare", "hit", [4, 4])
    assert rolls(hit)[:2] == [("Suori", "2d4", "hit"), ("Skeleton", "1d4", "dodge")]
    told.when(Attack("Suori", "Skeleton"), [1, 2, 4]).ruled("dungeoneers.attack.hit-compare", "miss", [3, 4])


def test_the_example_of_the_pierce():
    """dungeoneers.attack.pierce-roll, dungeoneers.attack.pierce-compare: Freya's 2d6, 1+3 against 4; 3 deflects."""
    told = fight(freya((0, 0)), skeleton())
    pierced = told.when(Attack("Freya", "Skeleton"), [4, 4, 1, 1, 3])
    pierced.ruled("dungeoneers.attack.pierce-compare", "pierced", [4, 4])
    assert rolls(pierced)[2] == ("Freya", "2d6", "pierce")
    told.when(Attack("Freya", "Skeleton"), [4, 4, 1, 1, 2]).ruled(
        "dungeoneers.attack.pierce-compare", "deflected", [3, 4]
    )


def test_the_example_of_the_wounds():
    """dungeoneers.attack.wounds, dungeoneers.trait.vulnerability: 1 bludgeoning and vulnerability 1 make 2."""
    told = fight(freya((0, 0)), skeleton()).when(Attack("Freya", "Skeleton"), [4, 4, 1, 1, 3])
    told.ruled("dungeoneers.wounds.order", "", [2])
    told.then(WoundsSustained("Skeleton", 2, 2, "bludgeoning"), no(Felled))


def test_the_attacker_may_inflict_more_or_fewer():
    """dungeoneers.attack.wounds: +1 makes 3, which kills; -1 makes none."""
    told = fight(freya((0, 0)), skeleton())
    told.when(Attack("Freya", "Skeleton", mod=("wounds:1",)), [4, 4, 1, 1, 3]).then(Felled("Skeleton", "dead"))
    told.when(Attack("Freya", "Skeleton", mod=("wounds:-1",)), [4, 4, 1, 1, 3]).then(no(WoundsSustained))


def test_effects_are_kept_with_the_attack():
    told = fight(freya((0, 0)), skeleton())
    words = {"on_hit": "rattled", "on_miss": "laughs", "on_pierce": "cracked", "on_deflect": "sparks"}
    told.when(Attack("Freya", "Skeleton", **words), [4, 4, 1, 1, 3]).then(
        Noted("rattled", "Skeleton"), Noted("cracked", "Skeleton"), WoundsSustained("Skeleton", 2, 2, "bludgeoning")
    )
    told.when(Attack("Freya", "Skeleton", **words), [1, 1, 4]).then(Noted("laughs", "Skeleton"))
    told.when(Attack("Freya", "Skeleton", **words), [4, 4, 1, 1, 1]).then(Noted("sparks", "Skeleton"))


@pytest.mark.parametrize(
    ("weapon", "rank", "category", "hit", "pierce"),
    [
        ("claymore", "B", "blade", "2d8", "2d6"),
        ("dagger", "E", "blade", "2d4", "2d6"),
        ("partisan", "B", "lance", "2d10", "2d6"),
        ("maul", "B", "cudgel", "2d6", "2d10"),
        ("shortsword", "E", "blade", "2d6", "2d4"),
    ],
)
def test_a_weapon_has_its_dice(weapon, rank, category, hit, pierce):
    """dungeoneers.dice.hit-die, dungeoneers.dice.pierce-die"""
    told = fight(suori(equipped=[weapon], ranks={category: rank}), skeleton())
    told = told.when(Attack("Suori", "Skeleton"), [4, 4, 1, 1, 1])
    assert [roll[1] for roll in rolls(told)] == [hit, "1d4", pierce]


def test_a_duelist_dodges_with_larger_dice():
    """dungeoneers.dice.dodge-die: dodge_die 6 and prowess 2: 2d6."""
    told = fight(suori(), someone("Duelist", (1, 0), side="bandits", prowess=2, dodge_die=6))
    assert rolls(told.when(Attack("Suori", "Duelist"), [1, 1, 6, 6]))[1] == ("Duelist", "2d6", "dodge")


def test_effects_add_and_take_dice():
    """dungeoneers.dice.modifiers: 3d4 with the warhammer; of the same size, in each pool."""
    told = fight(suori(), skeleton())
    told = told.when(Attack("Suori", "Skeleton", mod=("hit:1", "dodge:1", "pierce:-1")), [4, 4, 4, 1, 1, 1])
    assert [roll[1] for roll in rolls(told)] == ["3d4", "2d4", "1d8"]
    told.ruled("dungeoneers.attack.hit-roll", "3d4", [3])


def test_additions_and_penalties_come_before_the_floor():
    """dungeoneers.dice.order-of-counting: 1 + 1 (defensive) - 2 (power) is 0 dice."""
    from commands.rules.dungeoneers.basics import Defend

    heavy = {"power": 1, "prowess": 1, "equipped": ["plate"]}
    told = fight(suori(**heavy), skeleton()).when(Defend("Suori"))
    told = turn_of(told, "Skeleton").when(Attack("Skeleton", "Suori"), [1, 1])
    assert [roll[2] for roll in rolls(told)] == ["hit", "pierce"]
    told.ruled("dungeoneers.attack.hit-compare", "hit", [1, 0])


def test_no_dice_total_nothing():
    """dungeoneers.dice.empty-pool: 0 against 0 hits; 0 pierces armor value 0 and not 1; or one die by a house rule."""
    weak = {"power": 0, "prowess": 0, "equipped": []}
    for value, outcome in ((0, "pierced"), (1, "deflected")):
        told = fight(suori(**weak), someone("Rat", (1, 0), side="vermin", prowess=0, armor_value=value))
        told = told.when(Attack("Suori", "Rat"), [])
        told.ruled("dungeoneers.attack.hit-compare", "hit", [0, 0])
        told.ruled("dungeoneers.attack.pierce-compare", outcome, [0, value])
    least = fight(suori(**weak), someone("Rat", (1, 0), side="vermin", prowess=0), minimum_dice=1)
    assert [roll[1] for roll in rolls(least.when(Attack("Suori", "Rat"), [4, 1, 1]))] == ["1d4", "1d4", "1d4"]


def test_the_example_of_the_armor():
    """dungeoneers.armor.value-sum: natural 0, mage armor 3 and leather 1 make 4."""
    told = fight(freya((0, 0), side="rivals"), ulfarmi((1, 0), equipped=["leather"], effects={"armor_value": 3}))
    told = told.when(Attack("Freya", "Ulfarmi"), [4, 4, 1, 1, 2])
    told.ruled("dungeoneers.attack.pierce-compare", "deflected", [3, 4])


def test_a_bow_needs_arrows():
    """dungeoneers.weapon.ammunition: 1, then none."""
    told = fight(suori(**BOW, action_points=2), skeleton((3, 0))).when(Attack("Suori", "Skeleton"), [1, 4])
    told.then(AmmunitionSpent("Suori", "arrow", 1, 0))
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.weapon.ammunition")
    told.when(Attack("Suori", "Skeleton"), [1, 4], allow="one was left").then(no(AmmunitionSpent))
    told.when(Adjust("Suori", "ammunition", "arrow=3", "found some")).when(Attack("Suori", "Skeleton"), [1, 4])


@pytest.mark.parametrize(("far", "may"), [(1, False), (2, True), (5, True), (6, False)])
def test_a_bow_has_its_range(far, may):
    """dungeoneers.weapon.range: a hunting bow (5) with threat range 1: 2 to 5 tiles."""
    told = fight(suori(**BOW), skeleton((far, 0)))
    if may:
        told.when(Attack("Suori", "Skeleton"), [1, 4])
    else:
        told.refused(Attack("Suori", "Skeleton"), "dungeoneers.weapon.range")


@pytest.mark.parametrize(("far", "may"), [(1, True), (3, True), (4, False)])
def test_a_dagger_is_thrown_as_far_as_power_goes(far, may):
    """dungeoneers.weapon.toss-range: power 2 and threat range 1: up to 3 tiles."""
    told = fight(suori(equipped=["dagger"]), skeleton((far, 0)))
    if may:
        told.when(Attack("Suori", "Skeleton", toss=True), [1, 1, 4])
    else:
        told.refused(Attack("Suori", "Skeleton", toss=True), "dungeoneers.weapon.toss-range")


def test_only_some_weapons_are_thrown():
    """dungeoneers.weapon.toss-range"""
    fight(suori(), skeleton()).refused(Attack("Suori", "Skeleton", toss=True), "dungeoneers.weapon.toss-range")


def test_a_thrown_weapon_lies_on_the_targets_tile():
    """dungeoneers.weapon.toss-leaves: hit or miss; too far away to be picked up, but for the game master's word."""
    told = fight(suori(equipped=["dagger"], action_points=2), skeleton((3, 0)))
    thrown = told.when(Attack("Suori", "Skeleton", toss=True), [1, 1, 4]).then(Dropped("Suori", "dagger", (3, 0, 0)))
    assert thrown.state.gear.equipped["Suori"] == ()
    thrown.refused(Attack("Suori", "Skeleton", toss=True, with_="dagger"), "dungeoneers.equipment.equipped-only")
    from commands.rules.dungeoneers.hands import Draw

    thrown.refused(Draw("Suori", "dagger"), "dungeoneers.equipment.pick-up")
    back = thrown.when(Adjust("Suori", "picked-up", "dagger", "it bounced back")).when(Draw("Suori", "dagger"))
    back.when(Attack("Suori", "Skeleton", toss=True), [1, 1, 4])
    kept = told.when(Adjust("Skeleton", "at", "1,0", "it charges")).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    kept.then(no(Dropped))


def test_the_weapon_must_be_in_hand():
    """dungeoneers.equipment.equipped-only: a glaive that is only carried gives neither blow nor reach."""
    told = fight(suori(equipped=["dagger"], carried=["glaive"]), skeleton((2, 0)))
    told.refused(Attack("Suori", "Skeleton", with_="glaive"), "dungeoneers.equipment.equipped-only")
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.attack.requires-threat")
    impossible(told, Attack("Suori", "Skeleton", with_="spoon"), "no weapon")


def test_without_the_rank_a_weapon_is_improvised():
    """dungeoneers.weapon.rank-improvised: Freya (cudgel E) with a warhammer (D): d4, d4, 1 bludgeoning."""
    told = fight(freya((0, 0), equipped=["warhammer"]), skeleton()).when(Attack("Freya", "Skeleton"), [4, 4, 1, 2, 2])
    assert [roll[1] for roll in rolls(told)] == ["2d4", "1d4", "2d4"]
    told.ruled("dungeoneers.wounds.order", "", [2])
    bow = fight(freya((0, 0), equipped=["hunting bow"], ammo={"arrow": 3}), skeleton((3, 0)))
    bow.refused(Attack("Freya", "Skeleton"), "dungeoneers.attack.requires-threat")
    dagger = fight(freya((0, 0), equipped=["dagger"]), skeleton((2, 0)))
    dagger.refused(Attack("Freya", "Skeleton", toss=True), "dungeoneers.weapon.toss-range")
    glaive = fight(freya((0, 0), equipped=["glaive"]), skeleton((2, 0)))
    glaive.refused(Attack("Freya", "Skeleton"), "dungeoneers.attack.requires-threat")


def test_a_higher_rank_includes_the_lower():
    """dungeoneers.weapon.rank-improvised: Suori (cudgel D) with a mace (E): d6 to pierce."""
    told = fight(suori(equipped=["mace"]), skeleton()).when(Attack("Suori", "Skeleton"), [4, 4, 1, 1, 1])
    assert rolls(told)[2][1] == "2d6"


def test_what_a_refusal_names_when_several_apply():
    """First the actor, then its points, then the target, then the weapon, the distance, the ammunition."""
    told = fight(suori(**{**BOW, "ammo": {}}), skeleton((9, 0)), freya((9, 9)))
    told.refused(Attack("Suori", "Freya", with_="dagger"), "dungeoneers.threat.hostility")
    told.refused(Attack("Suori", "Skeleton", with_="dagger"), "dungeoneers.equipment.equipped-only")
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.weapon.range")
    near = told.when(Adjust("Skeleton", "at", "3,0", "it comes"))
    near.refused(Attack("Suori", "Skeleton", opportune=("Skeleton",)), "dungeoneers.weapon.ammunition")
    spent = told.when(Adjust("Suori", "action", "0", "stunned"))
    spent.refused(Attack("Suori", "Freya"), "dungeoneers.attack.cost")
    dead = told.when(Adjust("Suori", "down", "dead", "fever"))
    dead.refused(Attack("Suori", "Freya"), "dungeoneers.death.no-acting")
    other = turn_of(told, "Freya")
    other.refused(Attack("Suori", "Freya"), "dungeoneers.turn.own-turn-only")


def test_there_is_nothing_to_attack_before_a_turn():
    """dungeoneers.turn.own-turn-only"""
    told = table(suori(), skeleton()).when(Begin())
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.turn.own-turn-only")
    assert points(told, "Suori") == (0, 0, 0)


def test_a_wound_may_be_absorbed():
    told = fight(freya((0, 0)), alberich((1, 0), endurance=1, side="rivals"))
    told = told.when(Attack("Freya", "Alberich"), [4, 4, 1, 1, 1])
    told.then(StressGained("Alberich", 1, 1), no(WoundsSustained))


def test_the_hints_of_a_weapon_that_does_not_reach():
    """dungeoneers.weapon.range, dungeoneers.weapon.rank-improvised, dungeoneers.weapon.toss-range"""
    bow = fight(suori(**BOW), skeleton())
    assert hint_of(bow, Attack("Suori", "Skeleton")) == "affray attack Suori Skeleton --with improvised"
    far = fight(suori(**BOW), skeleton((9, 0)))
    assert hint_of(far, Attack("Suori", "Skeleton")) == "affray move Suori E"
    clumsy = fight(freya((0, 0), equipped=["hunting bow"], ammo={"arrow": 3}), skeleton((3, 0)))
    improvised = "In the hands of Freya, hunting bow is improvised."
    assert hint_of(clumsy, Shoot("Freya", "Skeleton")) == improvised
    mace = fight(freya((0, 0)), skeleton((3, 0)))
    assert hint_of(mace, Shoot("Freya", "Skeleton")) == "mace does not shoot."
    bare = fight(freya((0, 0), equipped=[]), skeleton((3, 0)))
    assert hint_of(bare, Shoot("Freya", "Skeleton")) == "A fist does not shoot."
    both = fight(suori(equipped=["warhammer", "dagger"]), skeleton((2, 0)))
    assert hint_of(both, Attack("Suori", "Skeleton", toss=True)) == "affray attack Suori Skeleton --with dagger --toss"
    plain = fight(suori(), skeleton((3, 0)))
    assert hint_of(plain, Attack("Suori", "Skeleton")) == "affray move Suori E"
    gap = plain.when(Ready("Suori", "attack", before="Skeleton")).when(Done())
    assert hint_of(gap, Trigger("Suori", "Skeleton")) == "affray turn"


def test_what_a_hit_does_to_the_armor_counts_before_the_pierce():
    """dungeoneers.attack.hit-miss-effects: 3 against 4 is deflected, and against 2 of 4 it pierces."""
    told = fight(suori(power=1), skeleton())
    told.when(Attack("Suori", "Skeleton"), [4, 4, 1, 3]).ruled("dungeoneers.attack.pierce-compare", "deflected", [3, 4])
    acid = Attack("Suori", "Skeleton", on_hit="acid eats it", mod=("armor:-2:acid",))
    told.when(acid, [4, 4, 1, 3]).ruled("dungeoneers.attack.pierce-compare", "pierced", [3, 2])
