"""The to-hit roll, armour class, and what abilities give by class and weapon."""

import msgspec
import pytest

from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.stat_block import Hd, Sheet
from commands.rules.arkm.tables import ToHit
from ledger.errors import UsageError
from ledger.events import HpLost
from tests.kit import given, no

from .table import (
    bran,
    damages,
    elowen,
    fighting,
    garrick,
    having,
    impossible,
    marcus,
    melee,
    needed,
    odo,
    ogre,
    one_on_one,
    orcs,
    rolls,
    tessa,
)

HERO = Join(({
    "name": "Hero", "side": "party", "pc": True, "class": "fighter", "level": 8, "hp_max": 44, "str": 12, "dex": 12,
    "armour": "heavy", "shield": "large", "weapons": ["sword"],
},))  # fmt: skip
ORC_ON_BRAN = Attack("Orc", ("Bran",))


def on(attacker: Join, target: Join, dice: int = 2, **said):
    """What one attack of the first on the second needs."""
    told = one_on_one(attacker, target)
    first, second = told.state.roster.order
    return needed(told.when(Attack(first, (second,), **said), [dice]))[0]


def shot(shooter: Join, target: Join, weapon: str, **said):
    """What one shot needs."""
    told = fighting(shooter, target, phase="missile")
    first, second = told.state.roster.order
    return needed(told.when(Shoot(first, second, with_=weapon, **{"range_": "medium", **said}), [2]))[0]


def test_the_hero_of_the_seed_hits_with_7_or_better():
    """arkm.to-hit.formula: THAC0 14 at 8th level against armour class 7 without any bonus."""
    told = one_on_one(HERO, orcs(ac=7))
    assert needed(told.when(Attack("Hero", ("Orc",)), [7, 1])) == [7]
    told.when(Attack("Hero", ("Orc",)), [7, 1]).then(HpLost("Orc", 2, 3))
    told.when(Attack("Hero", ("Orc",)), [6]).then(no(HpLost))


def test_a_20_that_is_needed_hits_by_the_numbers():
    """arkm.to-hit.formula, arkm.natural-20.hit: 14 + 6 is 20, and 14 + 7 more than a die shows."""
    for ac, clause in ((-6, "arkm.to-hit.formula"), (-7, "arkm.natural-20.hit")):
        told = one_on_one(HERO, orcs(ac=ac)).when(Attack("Hero", ("Orc",)), [20, 1])
        told.ruled(clause, "hit", [20, 14 - ac])


def test_the_22_of_the_seed():
    """arkm.to-hit.formula: THAC0 19 against heavy armour, a large shield and DEX 18, together -3."""
    first = bran(level=1, str=12, dex=12)
    target = garrick(mounted=False, shield="large", dex=18, weapons=["sword"])
    assert on(first, target) == 22


@pytest.mark.parametrize(("name", "level", "thac0"), [
    ("fighter", 3, 19), ("fighter", 4, 17), ("fighter", 13, 10), ("fighter", 36, 10), ("elf", 4, 17), ("thief", 5, 17),
    ("bard", 8, 17), ("cleric", 4, 19), ("monk", 13, 12), ("magic-user", 5, 19), ("magic-user", 6, 17),
])  # fmt: skip
def test_thac0_by_class_and_level(name, level, thac0):
    """arkm.to-hit.table"""
    assert ToHit.used(given("arkm").state).of_class(name, level) == thac0


@pytest.mark.parametrize(("whole", "doubled", "thac0"), [
    (0, 1, 19), (1, 2, 19), (1, 3, 18), (4, 8, 16), (4, 9, 15), (5, 10, 15), (6, 12, 14), (6, 13, 13), (22, 44, 5),
])  # fmt: skip
def test_thac0_by_hit_dice(whole, doubled, thac0):
    """arkm.to-hit.table: 4+1 reads "more than 4, to 5"."""
    assert ToHit.used(given("arkm").state).of_hd(Hd(whole, doubled)) == thac0


@pytest.mark.parametrize(("hd", "read", "roll"), [
    ("1/2", Hd(0, 1), 15), ("1-1", Hd(0, 1), 15), ("1", Hd(1, 2), 15), ("1+1", Hd(1, 3), 14), ("2-1", Hd(1, 3), 14),
    ("2", Hd(2, 4), 14), ("2+1", Hd(2, 5), 13),
])  # fmt: skip
def test_hit_dice_are_read_with_their_plus_and_minus(hd, read, roll):
    """arkm.to-hit.table: 1-1 is less than 1 and 1+1 more; against AC 4 THAC0 19, 18 and 17 need 15, 14 and 13."""
    assert msgspec.convert({"name": "Orc", "side": "foes", "hd": hd}, Sheet).hit_dice == read
    assert on(orcs(hd=hd), marcus()) == roll


def test_a_sheet_may_have_its_own_thac0_and_a_normal_man_has_20():
    """arkm.to-hit.table"""
    assert on(orcs(thac0=11), marcus()) == 11 - 4
    assert on(orcs(kind="normal-man"), marcus()) == 20 - 4


def test_modifiers_add():
    """arkm.to-hit.modifiers-add: STR +2, a ledge +1 and the flank +1: 19 - 6 - 4 is 9."""
    told = having(one_on_one(bran(), orcs()), "Bran", "elevation", amount=10)
    told = told.when(Attack("Bran", ("Orc",), from_="flank"), [9, 3])
    assert needed(told) == [9]
    told.then(HpLost("Orc", 5, 0))


@pytest.mark.parametrize(("strength", "bonus"), [(3, -3), (5, -2), (8, -1), (12, 0), (15, 1), (16, 2), (18, 3)])
def test_ability_modifiers(strength, bonus):
    """arkm.ability.modifier"""
    assert on(bran(str=strength), orcs()) == 19 - 6 - bonus


def test_a_sheet_may_say_its_modifiers_and_a_house_rule_forgive_low_scores():
    """arkm.ability.modifier"""
    assert on(bran(str=3, str_mod=1), orcs()) == 12
    told = melee(fighting(bran(str=3), orcs(), ability_penalties=False), ("Bran", "Orc"))
    assert needed(told.when(Attack("Bran", ("Orc",)), [2])) == [13]


def test_armour():
    """arkm.ac.armour: medium armour +1 without a shield, DEX 10, is 4."""
    assert on(orcs(), bran(shield="none", dex=10, armour_magic=1)) == 15


@pytest.mark.parametrize(("face", "loss"), [(16, 0), (17, 3)])
def test_a_shield(face, loss):
    """arkm.ac.shield: medium armour 5, DEX 1, medium shield 2: 2; the orc needs 17."""
    told = one_on_one(orcs(), bran()).when(ORC_ON_BRAN, [face, 3][: 1 + bool(loss)])
    assert needed(told) == [17]
    assert damages(told) == [loss] * bool(loss)


@pytest.mark.parametrize(
    ("shield", "magic", "roll"), [("buckler", 0, 16), ("targe", 0, 16), ("large", 0, 18), ("medium", 1, 18)]
)
def test_shields_differ(shield, magic, roll):
    """arkm.ac.shield"""
    assert on(orcs(), bran(shield=shield, shield_magic=magic)) == roll


def test_dex_lowers_or_raises_the_armour_class():
    """arkm.ac.dex: Tessa 5, Marcus 4."""
    assert on(orcs(), tessa()) == 14
    assert on(orcs(), marcus()) == 15


def test_anyone_who_stands_still_has_no_dex_bonus():
    """arkm.ac.dex-stationary: 12 hits Tessa asleep, who is 7; alert she is 5, and 14 is needed."""
    told = fighting(orcs(weapons=["short-bow"]), tessa(), phase="missile")
    asleep = told.when(Shoot("Orc", "Tessa", range_="medium", stationary=True), [12, 4])
    assert needed(asleep) == [12]
    asleep.then(HpLost("Tessa", 4, 10))
    awake = told.when(Shoot("Orc", "Tessa", range_="medium"), [12])
    assert needed(awake) == [14]
    awake.then(no(HpLost))
    for condition in ("stationary", "stunned"):
        state = having(told, "Tessa", condition)
        assert needed(state.when(Shoot("Orc", "Tessa", range_="medium"), [2])) == [12]


def test_a_penalty_is_not_lost():
    """arkm.ac.dex-stationary: Marcus has DEX -1 asleep, too."""
    assert on(orcs(), marcus(), stationary=True) == 15


@pytest.mark.parametrize(("name", "bonus"), [("elf", 1), ("dwarf", 3), ("paladin", 3), ("pirate", 3), ("bard", 1)])
def test_the_fighter_group(name, bonus):
    """arkm.class.fighter-group: STR 18 gives 3 to some, and 1 to all others. Level 1: THAC0 19."""
    assert on(bran(**{"class": name}, level=1, str=18), orcs()) == 19 - 6 - bonus


def test_fighters_hit_by_str():
    """arkm.melee-hit.fighter-str"""
    told = one_on_one(bran(), orcs()).when(Attack("Bran", ("Orc",)), [11, 4])
    assert needed(told) == [11]
    assert damages(told) == [7]


def test_thieves_hit_by_dex():
    """arkm.melee-hit.thief-dex: also when STR would be better."""
    assert on(tessa(), orcs()) == 9
    assert on(tessa(str=18, dex=8), orcs()) == 17 - 6 + 1


@pytest.mark.parametrize(("strength", "roll"), [(17, 12), (16, 12), (15, 13), (5, 13)])
def test_others_hit_by_one_if_they_are_strong(strength, roll):
    """arkm.melee-hit.others"""
    assert on(marcus(str=strength), orcs()) == roll


def test_a_sheet_without_str_has_no_bonus():
    """arkm.melee-hit.others: THAC0 15 and no STR against 4."""
    assert on(ogre(), marcus()) == 15 - 4


PIRATE = {"class": "pirate", "level": 1, "str": 10, "dex": 18, "armour": "light", "shield": "none"}


def test_a_pirate_may_fight_by_dex():
    """arkm.melee-hit.swashbuckler-dex, arkm.melee-damage.swashbuckler-dex: chosen for each roll."""
    told = one_on_one(bran(**PIRATE), orcs(hp_max=9))
    both = told.when(Attack("Bran", ("Orc",), ability="dex"), [10, 4])
    assert (needed(both), damages(both)) == ([10], [8])
    only_hit = told.when(Attack("Bran", ("Orc",), hit_ability="dex"), [10, 4])
    assert (needed(only_hit), damages(only_hit)) == ([10], [5])
    only_damage = told.when(Attack("Bran", ("Orc",), damage_ability="dex"), [13, 4])
    assert (needed(only_damage), damages(only_damage)) == ([13], [8])


@pytest.mark.parametrize("fields", [
    {"armour": "medium"}, {"armour": "none"}, {"class": "ranger"}, {"weapons": ["two-handed-sword"]},
])  # fmt: skip
def test_some_classes_may_not(fields):
    """arkm.melee-hit.swashbuckler-dex, arkm.melee-damage.swashbuckler-dex: class, armour, weapon."""
    told = one_on_one(bran(**{**PIRATE, **fields}), orcs())
    told.refused(Attack("Bran", ("Orc",), ability="dex"), "arkm.melee-hit.swashbuckler-dex")
    told.refused(Attack("Bran", ("Orc",), damage_ability="dex"), "arkm.melee-damage.swashbuckler-dex")


def test_damage_bonuses_in_melee():
    """arkm.melee-damage.fighter-str, arkm.melee-damage.thief-dex, arkm.melee-damage.others."""
    for attacker, face, die, total in ((bran(), 11, 4, 7), (tessa(), 9, 3, 5), (marcus(), 12, 2, 4)):
        told = one_on_one(attacker, orcs(hp_max=20))
        who = told.state.roster.order[0]
        assert damages(told.when(Attack(who, ("Orc",)), [face, die])) == [total]


def test_dex_helps_everybody_to_hit_at_range():
    """arkm.ranged-hit.dex: Marcus -1, Bran +1; STR is not added."""
    assert shot(marcus(), orcs(), "hand-axe") == 14
    assert shot(bran(), orcs(), "spear") == 12
    assert shot(elowen(), orcs(), "crossbow") == 17 - 6 - 1


def test_dex_helps_with_the_kinds_of_the_house_rule():
    """arkm.ranged-hit.dex"""
    told = fighting(elowen(), orcs(), phase="missile", dex_to_hit_kinds="bow,thrown")
    assert needed(told.when(Shoot("Elowen", "Orc", with_="crossbow", range_="medium"), [2])) == [11]


def test_a_great_bow_takes_both():
    """arkm.ranged-hit.great-bow, arkm.ranged-damage.great-bow-str: 17 - 6 - 2 - 1; 1d8 + 2."""
    told = fighting(elowen(), orcs(hp_max=9), phase="missile")
    told = told.when(Shoot("Elowen", "Orc", with_="great-bow", range_="medium"), [8, 5])
    assert (needed(told), damages(told)) == ([8], [7])


@pytest.mark.parametrize(("distance", "roll"), [(60, 9), (70, 9), (71, 10), (140, 10), (141, 11), (210, 11)])
def test_ranges(distance, roll):
    """arkm.ranged-hit.short-range, arkm.ranged-hit.long-range, arkm.ranged-hit.range-bands: a long bow's."""
    assert shot(elowen(), orcs(), "", range_=None, distance=distance) == roll


def test_nothing_flies_for_ever_or_at_no_distance():
    """arkm.ranged-hit.range-bands"""
    told = fighting(elowen(), orcs(), phase="missile")
    told.refused(Shoot("Elowen", "Orc", distance=211), "arkm.ranged-hit.range-bands")
    told.refused(Shoot("Elowen", "Orc"), "arkm.ranged-hit.range-bands")


def test_a_shield_serves_against_two_archers():
    """arkm.ranged-hit.shields: 17, 17, and 15 for the third; not at all by a house rule."""
    archers = orcs(3, weapons=["short-bow"])
    told = fighting(archers, bran(), phase="missile")
    for name, roll in (("Orc-1", 17), ("Orc-2", 17), ("Orc-3", 15)):
        told = told.when(Shoot(name, "Bran", range_="medium"), [2])
        assert needed(told) == [roll]
    bare = fighting(orcs(weapons=["short-bow"]), bran(), phase="missile", shield_vs_missiles=False)
    assert needed(bare.when(Shoot("Orc", "Bran", range_="medium"), [2])) == [15]


@pytest.mark.parametrize(("shooter", "weapon", "face", "die", "total"), [
    (bran(), "spear", 12, 3, 6), (tessa(), "dagger", 9, 1, 3), (elowen(), "javelin", 10, 5, 6),
    (elowen(), "long-bow", 10, 5, 6), (marcus(), "short-bow", 14, 1, 1), (elowen(), "crossbow", 10, 5, 6),
    (odo(), "sling", 11, 2, 3),
])  # fmt: skip
def test_damage_at_range(shooter, weapon, face, die, total):
    """arkm.ranged-damage.thrown-fighter-str, arkm.ranged-damage.thrown-thief-dex, arkm.ranged-damage.thrown-others,
    arkm.ranged-damage.bow-dex (0 counts as 1), arkm.ranged-damage.mechanical; a sling counts as thrown.
    """
    told = fighting(shooter, orcs(hp_max=9), phase="missile")
    who = told.state.roster.order[0]
    told = told.when(Shoot(who, "Orc", with_=weapon, range_="medium"), [face, die])
    assert damages(told) == [total]


def test_a_crossbow_may_have_the_dex_by_a_house_rule():
    """arkm.ranged-damage.mechanical"""
    told = fighting(elowen(), orcs(hp_max=9), phase="missile", crossbow_damage_dex=True)
    assert damages(told.when(Shoot("Elowen", "Orc", with_="crossbow", range_="medium"), [10, 5])) == [7]


def test_what_one_attack_rolls():
    """The d20, then the damage."""
    told = one_on_one(bran(), orcs()).when(Attack("Bran", ("Orc",)), [11, 4])
    assert rolls(told) == [("Bran", "attack", (11,)), ("Bran", "damage", (4,))]


def test_house_rules_that_are_lists():
    """arkm.class.fighter-group, arkm.melee-hit.swashbuckler-dex: options of words, with commas between."""
    told = melee(fighting(marcus(), orcs(), fighter_group="fighter, cleric"), ("Marcus", "Orc"))
    assert needed(told.when(Attack("Marcus", ("Orc",)), [2])) == [19 - 6 - 2]
    free = {"swashbuckler_classes": "cleric", "swashbuckler_armour": "none+light"}
    bare = melee(fighting(marcus(dex=18, armour="none"), orcs(), **free), ("Marcus", "Orc"))
    assert needed(bare.when(Attack("Marcus", ("Orc",), ability="dex"), [2])) == [19 - 6 - 3]


def test_a_hit_may_do_more_or_nothing_at_least_by_a_house_rule():
    """arkm.damage.minimum: the option minimum_damage."""
    told = melee(fighting(bran(), orcs(hp_max=9), minimum_damage=6), ("Bran", "Orc"))
    assert damages(told.when(Attack("Bran", ("Orc",)), [11, 1])) == [6]


def test_dex_with_an_untrained_weapon():
    """arkm.untrained.as-normal-man: helped as all others are, not by DEX; the house rule leaves the choice."""
    clumsy = bran(**{"class": "pirate", "armour": "light", "str": 10, "dex": 18, "trained": ["dagger"]})
    by_dex = Attack("Bran", ("Orc",), ability="dex")
    one_on_one(clumsy, orcs()).refused(by_dex, "arkm.untrained.as-normal-man", [2])
    keeps = one_on_one(clumsy, orcs(), untrained_keeps_class_bonus=True)
    assert needed(keeps.when(by_dex, [2])) == [20 - 6 - 3]


def test_a_thief_has_no_choice():
    """arkm.melee-hit.thief-dex: not STR."""
    one_on_one(tessa(), orcs()).refused(Attack("Tessa", ("Orc",), ability="str"), "arkm.melee-hit.thief-dex", [2])


def test_the_ability_of_one_roll_comes_before_that_of_both():
    """arkm.melee-hit.swashbuckler-dex: DEX +3 for both, but STR +2 to hit: 19 - 6 - 2, and 4 + 1 + 3."""
    pirate = bran(**{"class": "pirate", "armour": "light", "dex": 18})
    told = one_on_one(pirate, orcs(hp_max=20)).when(Attack("Bran", ("Orc",), ability="dex", hit_ability="str"), [11, 4])
    assert (needed(told), damages(told)) == ([11], [8])


def test_the_range_is_said_once():
    """arkm.ranged-hit.range-bands"""
    told = fighting(elowen(), orcs(), phase="missile")
    impossible(told, Shoot("Elowen", "Orc", range_="short", distance=200), "twice")


def test_the_fields_of_a_sheet_are_named_as_they_are_written():
    """Class and str, not the words of the program."""
    with pytest.raises(UsageError) as wrong:
        given("arkm", Join(({"name": "Bran", "side": "party", "klass": "fighter"},)))
    assert "important, class, level" in wrong.value.message
    assert "hp_dice, str, dex" in wrong.value.message
