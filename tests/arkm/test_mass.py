"""Mass combat, and the order of a round where both halves of the rules meet: charges, reach, archers, haste."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.charge import Charge, Set
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.formations import Survivors
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.movement import Move, Withdraw
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Initiative, Pass, Phase
from ledger.events import Felled, HpLost, HpSet
from tests.kit import Told, given, no

from .rounds import battle, goblins, hero, next_round, someone
from .table import aurochs, elowen, garrick, impossible, melee, rolls

MAN = {"name": "Bandit", "side": "foes", "kind": "normal-man", "ac": 7, "weapons": ["sword"], "hp_max": 4}
FORTY = [3, 5, 1, 6, 4, 2, 6, 3, 5, 5]
"""Ten dice: 40."""


def unit(name: str, side: str, men: int = 10, hp: int = 40) -> Join:
    """A unit that was formed already, with AC 7 and THAC0 20: another needs 13."""
    return Join(({**MAN, "name": name, "side": side, "men": men, "hp_max": hp},))


def field(men: int = 10, hp: int = 40, dice=(5, 2), **options) -> Told:
    """A unit of hirelings and one of bandits, in melee."""
    told = battle(unit("Troops", "party", men, hp), unit("Bandits", "foes"), dice=dice, phase="melee", **options)
    return melee(told, ("Troops", "Bandits"), rounds=2)


def test_men_are_grouped_in_sets_and_throw_a_die_each():
    """arkm.mass.units, arkm.mass.hit-points: 3, 5, 1, 6, 4, 2, 6, 3, 5, 5: 40 for ten men."""
    told = given("arkm", hero()).when(Begin(meet=(MAN,), unit="Horde", men=10), dice=FORTY)
    told.then(HpSet("Horde", 40, 40)).ruled("arkm.mass.hit-points", totals=[40])


@pytest.mark.parametrize("said", [Begin(unit="Horde"), Begin(men=10), Begin(group="Wolves"), Begin(number="2d4")])
def test_a_unit_without_a_stat_block_is_refused(said):
    """Each of the words alone says that somebody is met, and nobody is named."""
    impossible(given("arkm", hero()), said, "No stat block is named")


def test_creatures_of_more_hit_dice_throw_more():
    """arkm.mass.hit-points: five of 2 HD throw ten; a hundred and twenty throw in two goes."""
    told = given("arkm", hero()).when(
        Begin(meet=({**MAN, "hd": "2", "kind": "monster"},), unit="Ogres", men=5), dice=FORTY
    )
    told.ruled("arkm.mass.hit-points", totals=[40])
    many = given("arkm", hero()).when(Begin(meet=(MAN,), unit="Legion", men=120), dice=[1] * 120)
    many.then(HpSet("Legion", 120, 120))


def test_a_unit_has_five_men_or_more_and_no_player_character():
    """arkm.mass.units, option mass_min_men."""
    told = given("arkm", hero())
    told.refused(Begin(meet=(MAN,), unit="Few", men=4), "arkm.mass.units")
    told.refused(Begin(meet=({**MAN, "kind": None, "pc": True},), unit="Heroes", men=10), "arkm.mass.units")
    few = given("arkm", hero(), options={"mass_min_men": 3})
    few.when(Begin(meet=(MAN,), unit="Few", men=3), dice=[1, 1, 1])


def test_a_unit_fights_no_single_combatant():
    """arkm.mass.units: either way; by the option mass_individuals it does: a hit on him is its one D6."""
    for options, refused in (({}, True), ({"mass_individuals": True}, False)):
        told = battle(hero(), unit("Bandits", "foes"), dice=[2, 5], phase="melee", **options)
        told = melee(told, ("Hero", "Bandits"), rounds=2)
        blow = Attack("Bandits", ("Hero",))
        if refused:
            told.refused(blow, "arkm.mass.units")
            told.refused(Attack("Hero", ("Bandits",)), "arkm.mass.units")
        else:
            told.when(blow, dice=[11, 3]).then(HpLost("Hero", 3, 9))


def test_a_unit_makes_one_throw():
    """arkm.mass.one-throw: needs 13: 13 hits. No fumble, no critical hit, no second attack."""
    told = field()
    told.when(Attack("Troops", ("Bandits",)), dice=[13, 1]).ruled("arkm.to-hit.formula", "hit", [13, 13])
    assert len(rolls(told.when(Attack("Troops", ("Bandits",)), dice=[1]))) == 1
    told.when(Attack("Troops", ("Bandits",)), dice=[20, 3]).then(HpLost("Bandits", 30, 10))
    told.refused(Attack("Troops", ("Bandits", "Bandits")), "arkm.mass.one-throw")


def test_a_unit_of_archers_shoots_as_one_man():
    """arkm.mass.one-throw, arkm.mass.damage: 20 - 7 = 13 at medium range; 2 is 20. It grapples and disarms nobody."""
    archers = Join(({**MAN, "name": "Archers", "side": "party", "men": 10, "hp_max": 40, "weapons": ["short-bow"]},))
    told = battle(hero(), archers, unit("Bandits", "foes"), dice=[5, 5, 2])
    told.refused(Shoot("Archers", "Hero", range_="medium"), "arkm.mass.units")
    told.when(Shoot("Archers", "Bandits", range_="medium"), dice=[13, 2]).then(HpLost("Bandits", 20, 20))
    assert len(rolls(told.when(Shoot("Archers", "Bandits", range_="medium"), dice=[1]))) == 1
    told.refused(Grapple(("Archers",), "Bandits"), "arkm.mass.units")
    told.refused(Disarm("Hero", "Bandits"), "arkm.mass.units")


def test_a_miss_is_nothing():
    """arkm.mass.miss: 12."""
    told = field().when(Attack("Troops", ("Bandits",)), dice=[12]).ruled("arkm.mass.miss", "no damage")
    told.then(no(HpLost))


@pytest.mark.parametrize(("men", "points"), [(10, 30), (5, 15)])
def test_damage_is_a_die_for_each_man(men, points):
    """arkm.mass.damage: 3 is 30 for a unit of ten, 15 for one of five."""
    told = field(men).when(Attack("Troops", ("Bandits",)), dice=[13, 3]).ruled("arkm.mass.damage", totals=[points])
    told.then(HpLost("Bandits", points, 40 - points))


def test_a_unit_without_points_is_slain_to_a_man():
    """arkm.mass.slain-to-a-man: 28 points, 30 damage; the victor's men are counted."""
    told = field().when(Adjust("Bandits", "hp", "28", "arrows"))
    told = told.when(Attack("Troops", ("Bandits",)), dice=[13, 3]).then(
        HpLost("Bandits", 28, 0), Felled("Bandits", "dead")
    )
    told.ruled("arkm.mass.slain-to-a-man").ruled("arkm.mass.survivors", "10 of 10 men left", [10])
    told.refused(Attack("Bandits", ("Troops",)), "arkm.damage.zero-hp")


def test_a_tied_unit_that_is_slain_strikes_back():
    """arkm.mass.slain-to-a-man, arkm.initiative.tie-simultaneous"""
    told = field(dice=(4, 4)).when(Attack("Troops", ("Bandits",)), dice=[13, 4])
    told.when(Attack("Bandits", ("Troops",)), dice=[13, 2]).then(HpLost("Troops", 20, 20))


@pytest.mark.parametrize(
    ("original", "left", "live"), [(40, 4, 1), (40, 8, 2), (37, 8, 3), (40, 40, 10), (40, 1, 1), (40, 0, 0)]
)
def test_a_man_lives_for_each_share_that_remains(original, left, live):
    """arkm.mass.survivors: ten men of 40: a share is 4: 4 points are 1 man, 8 are 2; of 37, 8 are 80/37: 3 men."""
    told = field(hp=original)
    if left < original:
        told = told.when(Adjust("Troops", "hp", str(left), "the battle"))
    told.when(Survivors("Troops")).ruled("arkm.mass.survivors", f"{live} of 10 men left", [live])


def test_the_end_counts_those_who_lost_something():
    """arkm.mass.survivors"""
    told = field().when(Attack("Troops", ("Bandits",)), dice=[13, 2]).when(End())
    told.ruled("arkm.mass.survivors", "5 of 10 men left", [5])
    impossible(battle(hero(), goblins(), dice=[1, 2]), Survivors("Hero"), "not a unit")


def test_a_hundred_troops_are_ten_units():
    """arkm.mass.purpose: ten of ten, and thirty of three hundred."""
    told = given("arkm", Join(({**MAN, "name": "Unit", "men": 10},), count=10))
    assert len(told.state.roster.order) == 10


def riders(dice=(3, 6), **spear) -> Told:
    """Three orcs with spears and Garrick the lancer, before anybody moves."""
    orcs = someone("Orc", "party", 3, **{"weapons": ["spear"], "hd": "1", "ac": 6, "hp_max": 5, **spear})
    return battle(orcs, garrick(), dice=dice, phase="movement")


def test_a_side_that_moves_first_sets_spears_if_it_believes_in_a_charge():
    """arkm.phase.set-spears-ahead: belief is enough; who has moved cannot, who has set does not move."""
    told = riders((6, 3))
    told.when(Set("Orc-1")).refused(Move("Orc-1", 10), "arkm.set.declare")
    told.when(Move("Orc-1", 10)).refused(Set("Orc-1"), "arkm.set.declare")
    nothing = next_round(told.when(Set("Orc-1")).when(Done()).when(Move("Garrick", 30)), 6, 3)
    assert "set" not in nothing.state.conditions.of.get("Orc-1", {})
    engaged = melee(told, ("Orc-1", "Garrick"), rounds=2)
    engaged.refused(Set("Orc-1"), "arkm.phase.set-spears-ahead")


def test_a_side_that_moves_later_sets_spears_only_when_charged():
    """arkm.phase.set-spears-charged: riders who walk do not let orcs set; a charge at one of them lets all."""
    told = riders((3, 6))
    told.when(Move("Garrick", 30)).refused(Set("Orc-1"), "arkm.phase.set-spears-charged")
    told.when(Charge("Garrick", "Orc-2", 60)).when(Set("Orc-1"))


def test_the_longer_weapon_has_initiative_in_the_first_round():
    """arkm.reach.first-round-initiative: orcs 6, Bron with a long spear 1: the orc waits; slain, it does not strike.

    Also against a tie, and from the second round on by the dice.
    """
    bron = hero(name="Bron", weapons=["long-spear"])
    for dice in ((1, 6), (4, 4)):
        told = battle(bron, goblins(1, hp_max=3, weapons=["sword"]), dice=dice, phase="melee")
        told = melee(told, ("Bron", "Goblin"), rounds=0)
        told.refused(Attack("Goblin", ("Bron",)), "arkm.reach.first-strike")
        dead = told.when(Attack("Bron", ("Goblin",)), dice=[20, 5, 5]).then(Felled("Goblin", "dead"))
        dead.refused(Attack("Goblin", ("Bron",)), "arkm.damage.zero-hp")
        told.when(Pass(("Bron",))).when(Attack("Goblin", ("Bron",)), dice=[2])
    second = next_round(told.when(Pass(("Bron",))), 1, 6).when(Phase("melee"))
    second.when(Attack("Goblin", ("Bron",)), dice=[2])


def test_the_hasted_move_twice_as_far():
    """arkm.haste.double-move: half of 120 becomes 120 with an attack, running 240; a caster's 10 feet stay."""
    told = battle(hero(hasted=True), goblins(1, hp_max=9), dice=[5, 2], phase="movement")
    told.when(Move("Hero", 120, ("Goblin",))).when(Attack("Hero", ("Goblin",)), dice=[2])
    told.when(Move("Hero", 240, run=True))
    told.refused(Move("Hero", 241, run=True), "arkm.move.run")


def test_archers_may_shoot_before_they_move():
    """arkm.phase.reversed-for-archers: in the movement phase, in their group's place; then the move, no second shot."""
    told = battle(elowen(), goblins(), dice=[5, 2], phase="movement")
    shot = told.when(Shoot("Elowen", "Goblin", range_="medium", reversed_=True), dice=[2])
    assert shot.state.turns.phase == "movement"
    shot = shot.when(Phase("missile"))
    shot.refused(Shoot("Elowen", "Goblin", range_="medium"), "arkm.phase.order")
    moved = shot.when(Move("Elowen", 30))
    assert moved.state.turns.phase == "missile"
    told.when(Move("Elowen", 30)).refused(
        Shoot("Elowen", "Goblin", range_="medium", reversed_=True), "arkm.phase.reversed-for-archers"
    )
    engaged = melee(told, ("Elowen", "Goblin"), rounds=2)
    engaged.refused(Shoot("Elowen", "Goblin", range_="medium", reversed_=True), "arkm.in-melee.no-missiles")


def test_missiles_are_shot_in_the_missile_phase():
    """arkm.phase.missile-attacks: not in the melee phase."""
    told = battle(elowen(), goblins(), dice=[5, 2], phase="melee")
    told.refused(Shoot("Elowen", "Goblin", range_="medium"), "arkm.phase.missile-attacks")


def test_missiles_reach_those_who_close_in():
    """arkm.phase.missile-closing-targets: also the archer's own foe; in the next round not."""
    told = battle(elowen(), hero(), goblins(), dice=[2, 5], phase="movement").when(Move("Goblin", 30, ("Elowen",)))
    told.when(Shoot("Elowen", "Goblin", range_="short"), dice=[2])
    told = next_round(told.when(Phase("melee")), 2, 5)
    told.refused(Shoot("Elowen", "Goblin", range_="short"), "arkm.in-melee.no-missiles")


def test_a_plain_move_belongs_to_the_movement_phase():
    """arkm.phase.movement-free"""
    battle(hero(), goblins(), dice=[5, 2], phase="melee").refused(Move("Hero", 60), "arkm.phase.movement-free")


def test_those_in_melee_move_only_defensively():
    """arkm.phase.movement-defensive-only: since an earlier round."""
    told = melee(battle(hero(), goblins(), dice=[5, 2], phase="movement"), ("Hero", "Goblin"), rounds=2)
    told.refused(Move("Hero", 20), "arkm.phase.movement-defensive-only")
    told.when(Withdraw("Hero", 20))


def test_a_charging_beast_can_be_shot_before_its_blow():
    """arkm.phase.missile-closing-targets"""
    told = battle(elowen(), hero(), aurochs(), dice=[2, 5], phase="movement").when(Charge("Aurochs", "Hero", 60))
    told.when(Shoot("Elowen", "Aurochs", range_="short"), dice=[2])


def test_a_fight_begins_again():
    """What lasted as long as the first fight is over."""
    told = field().when(End()).when(Begin()).when(Initiative(), dice=[1, 2])
    assert told.state.turns.round == 1
    assert told.state.campaign.encounters == 2


def test_a_unit_strikes_in_one_way():
    """arkm.mass.one-throw: it subdues, unhorses and counts nobody."""
    for fields in ({"subdue": True}, {"dismount": True}, {"empty_hand": True}, {"expected": True}):
        field().refused(Attack("Troops", ("Bandits",), **fields), "arkm.mass.one-throw")
