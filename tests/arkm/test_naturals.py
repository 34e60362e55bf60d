"""Damage, natural 1 and natural 20."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.rule_tables import Table
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.damage import joined
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Pass
from ledger.events import Felled, HpLost, Ruled
from tests.kit import no

from .table import (
    aurochs,
    bran,
    damages,
    fighting,
    hp,
    marcus,
    melee,
    needed,
    ogre,
    one_on_one,
    orcs,
    rolls,
    tessa,
)

ON_ORC = Attack("Bran", ("Orc",))


def owlbear(**fields) -> Join:
    """A beast whose claws hug on 18; THAC0 14."""
    claw = {"name": "claw", "damage": "1d8", "special": "crushing hug", "special_on": 18}
    return Join(({
        "name": "Owlbear", "side": "foes", "hd": "6", "ac": 5, "hp_max": 30, "size": "ogre", "attacks": [claw],
        "thac0": 14, **fields,
    },))  # fmt: skip


@pytest.mark.parametrize(("die", "total"), [(1, 2), (6, 7)])
def test_a_normal_weapon_does_a_d6_and_1(die, total):
    """arkm.damage.normal-weapon: from 2 to 7, on the average 4.5."""
    told = one_on_one(bran(str=10), orcs(hp_max=9)).when(ON_ORC, [13, die])
    assert damages(told) == [total]


def test_double_damage_throws_the_dice_twice():
    """arkm.damage.double: the flat part and every bonus once."""
    told = one_on_one(bran(), orcs(hp_max=20)).when(ON_ORC, [20, 5, 2])
    assert damages(told) == [10]


def test_double_damage_may_be_of_the_sum():
    """arkm.damage.double: by the option double_damage, (5 + 1 + 2) x 2."""
    told = melee(fighting(bran(), orcs(hp_max=20), double_damage="total"), ("Bran", "Orc")).when(ON_ORC, [20, 5])
    assert damages(told) == [16]
    steps = [step for event in told.events if isinstance(event, Ruled) for one in event.numbers for step in one.steps]
    assert [(step.op, step.value) for step in steps if step.reason == "double damage"] == [("x", 2)]


def test_dice_of_one_roll():
    """Several sets of dice are one roll."""
    assert (joined(["1d6", "2d6"]), joined(["1d8", "1d4"])) == ("3d6", "1d8+1d4")


def axe(**fields) -> Join:
    """Bran with a battle axe that he was not trained with: THAC0 20, +1 for STR 16, half damage."""
    return bran(weapons=["battle-axe"], trained=["sword"], **fields)


def test_the_order_of_damage():
    """arkm.damage.order: 7 is halved to 4, and 2 off for a roll of 22: 2, not 3."""
    target = orcs(ac=-3, hp_max=9)  # 20 + 3 - 1
    told = one_on_one(axe(), target).when(ON_ORC, [20, 5])
    assert (needed(told), damages(told)) == ([22], [2])


def test_a_hit_does_something():
    """arkm.damage.minimum: 1d4 with DEX -2 does 1, and with 21 needed nothing, and hits."""
    thief = tessa(dex=5)
    assert damages(one_on_one(thief, orcs()).when(Attack("Tessa", ("Orc",)), [13, 1])) == [1]
    told = one_on_one(thief, orcs(ac=-2)).when(Attack("Tessa", ("Orc",)), [20, 1])  # 17 + 2 + 2
    assert (needed(told), damages(told)) == ([21], [0])
    told.ruled("arkm.natural-20.hit", "hit").then(no(HpLost))


def test_nobody_has_less_than_no_hit_points():
    """arkm.damage.zero-hp: 7 points on 5: 0 left, slain; then nothing of its is accepted."""
    told = one_on_one(bran(), orcs()).when(ON_ORC, [11, 4]).then(HpLost("Orc", 5, 0), Felled("Orc", "dead"))
    told.refused(Attack("Orc", ("Bran",)), "arkm.damage.zero-hp")
    told = told.when(Adjust("Orc", "down", "no", "it only seemed so")).when(Pass(("Bran",)))
    told.when(Attack("Orc", ("Bran",)), [2])


def test_a_natural_1_misses():
    """arkm.natural-1.miss: although -3 is needed."""
    told = one_on_one(bran(level=13), orcs(ac=9), nth=2).when(Attack("Bran", ("Orc",), mod=("2",)), [1, 2])
    assert needed(told) == [-3]
    told.ruled("arkm.natural-1.miss", "miss").then(no(HpLost))


@pytest.mark.parametrize(("attacker", "check", "fumbled"), [
    (bran(), 4, False), (bran(), 5, True), (marcus(), 3, False), (marcus(), 4, True), (orcs(), 1, False),
    (orcs(), 2, True),
])  # fmt: skip
def test_a_fumble_is_more_than_level_and_dex(attacker, check, fumbled):
    """arkm.natural-1.fumble-check: Bran 3 + 1, Marcus 4 - 1, an orc 1."""
    told = one_on_one(attacker, aurochs(side="beasts"))
    who = told.state.roster.order[0]
    told = told.when(Attack(who, ("Aurochs",)), [1, check, 3][: 2 + fumbled])
    told.ruled("arkm.natural-1.fumble-check", "fumble" if fumbled else "a plain miss")


def test_a_fumble_goes_to_the_table():
    """arkm.natural-1.fumble-table: directly after the check; a 3 lays him flat."""
    told = one_on_one(bran(), orcs()).when(ON_ORC, [1, 17, 3])
    assert [purpose for _, purpose, _ in rolls(told)][:2] == ["attack", "fumble check"]
    assert "prone" in told.state.conditions.of["Bran"]


def test_fumbles_are_a_house_rule():
    """arkm.natural-1.fumble-check: off, a 1 only misses."""
    told = melee(fighting(bran(), orcs(), fumbles=False), ("Bran", "Orc"))
    told.when(ON_ORC, [1]).ruled("arkm.natural-1.miss", "miss")


def test_a_natural_20_hits():
    """arkm.natural-20.hit: with 27 needed, and 19 does not."""
    told = one_on_one(bran(), orcs(ac=-10))
    hit = told.when(ON_ORC, [20, 6])
    assert needed(hit) == [27]
    hit.ruled("arkm.natural-20.hit", "hit")
    told.when(ON_ORC, [19]).ruled("arkm.to-hit.formula", "miss")


def test_what_needs_magic_is_not_harmed_without():
    """arkm.natural-20.immune: neither by a 20, but a 1 can be a fumble; a silver dagger is critical."""
    silver = {"id": "silver-dagger", "damage": "1d4", "silver": True, "length": 1, "size": "S"}
    wight = orcs(requires=["magic", "silver"], hp_max=20)
    told = one_on_one(bran(weapons=["sword", silver]), wight)
    told.when(ON_ORC, [20]).ruled("arkm.natural-20.immune", "no effect").then(no(HpLost))
    told.when(ON_ORC, [1, 4]).ruled("arkm.natural-1.fumble-check", "a plain miss")
    cut = told.when(Attack("Bran", ("Orc",), with_="silver-dagger"), [20, 3, 2])
    cut.ruled("arkm.natural-20.critical", "a critical hit")
    assert damages(cut) == [7]
    magical = {"id": "blade", "damage": "1d6", "magic": 1}
    only_silver = one_on_one(bran(weapons=[magical]), orcs(requires=["silver"]))
    only_silver.when(ON_ORC, [19]).ruled("arkm.natural-20.immune", "no effect")


@pytest.mark.parametrize(("die", "total"), [(4, 3), (1, 0)])
def test_what_is_needed_above_20_comes_off_the_damage(die, total):
    """arkm.natural-20.over-20-damage: 22 needed: 2 off a D6 and 1."""
    told = one_on_one(bran(str=10), orcs(ac=-3, hp_max=9)).when(ON_ORC, [20, die])
    assert (needed(told), damages(told)) == ([22], [total])
    *_, (damage,) = [event.numbers for event in told.events if isinstance(event, Ruled)]
    assert (damage.steps[-1].value, damage.steps[-1].clause) == (2, "arkm.natural-20.over-20-damage")


@pytest.mark.parametrize(("ac", "dice", "total", "clause"), [
    (-1, [20, 4, 2], 9, "arkm.natural-20.critical"), (-2, [20, 3], 6, "arkm.natural-20.critical-exception"),
])  # fmt: skip
def test_a_natural_20_is_critical_unless_19_was_needed(ac, dice, total, clause):
    """arkm.natural-20.critical: 18 needed; arkm.natural-20.critical-exception: 19 needed."""
    told = one_on_one(bran(), orcs(ac=ac, hp_max=20)).when(ON_ORC, dice)
    told.ruled(clause)
    assert damages(told) == [total]


def test_a_critical_hit_doubles():
    """arkm.natural-20.critical-effect: 6 + 1 + 2, without another die."""
    told = one_on_one(bran(), orcs(hp_max=20)).when(ON_ORC, [20, 4, 2])
    assert damages(told) == [9]


CRITICALS = {"file": "crits.toml", "content": {"die": "1d4", "rows": [
    {"lo": 1, "hi": 1, "effect": "double"}, {"lo": 2, "hi": 2, "effect": "triple"},
    {"lo": 3, "hi": 3, "effect": "max"}, {"lo": 4, "hi": 4, "effect": "ear", "text": "an ear comes off"},
]}}  # fmt: skip


@pytest.mark.parametrize(("dice", "total"), [
    ([20, 1, 2, 3], 8), ([20, 2, 2, 3, 4], 12), ([20, 3], 9), ([20, 4, 2], 5),
])  # fmt: skip
def test_a_campaigns_own_criticals(dice, total):
    """arkm.natural-20.critical-effect: its die comes before the damage."""
    told = one_on_one(bran(), orcs(hp_max=30)).when(Table("critical", CRITICALS)).when(ON_ORC, dice)
    assert damages(told) == [total]
    word = ("double", "triple", "max", "an ear comes off")[dice[1] - 1]
    told.ruled("arkm.natural-20.critical-effect", word, [dice[1]])


def test_special_attacks():
    """arkm.natural-20.special-attack: a hug on 18 if that hits, besides a critical hit."""
    target = bran(shield="none", armour="light", dex=10, side="party")  # AC 7: 7 needed
    told = one_on_one(owlbear(), target)
    on_bran = Attack("Owlbear", ("Bran",))
    told.when(on_bran, [18, 5]).ruled("arkm.natural-20.special-attack", "crushing hug").then(HpLost("Bran", 5, 13))
    both = told.when(on_bran, [20, 2, 5]).ruled("arkm.natural-20.special-attack").ruled("arkm.natural-20.critical")
    assert hp(both, "Bran") == 18 - 7
    far = one_on_one(owlbear(thac0=20), bran(dex=10, armour="heavy", shield="none"))  # 17 needed
    assert not [e for e in far.when(on_bran, [17, 2]).events if isinstance(e, Ruled) and "special" in e.clause]
    hard = one_on_one(owlbear(thac0=20), bran(dex=13, shield="none", armour="heavy", armour_magic=0))  # 18
    assert needed(hard.when(on_bran, [2])) == [18]


def test_no_hug_without_a_hit():
    """arkm.natural-20.special-attack: 19 needed, 18 thrown; but with 20 it comes in spite of the exception."""
    told = one_on_one(owlbear(thac0=20), bran(shield="none", armour="heavy", dex=15, ac=2))
    on_bran = Attack("Owlbear", ("Bran",))
    assert needed(told.when(on_bran, [18])) == [19]
    told.when(on_bran, [18]).then(no(HpLost))
    told.when(on_bran, [20, 3]).ruled("arkm.natural-20.special-attack").ruled("arkm.natural-20.critical-exception")


def test_a_special_attack_may_replace_the_critical():
    """arkm.natural-20.special-attack: by the option special_replaces_critical."""
    told = fighting(owlbear(), bran(shield="none"), special_replaces_critical=True)
    told = melee(told, ("Owlbear", "Bran")).when(Attack("Owlbear", ("Bran",)), [20, 2])
    assert damages(told) == [2]


def test_the_game_master_has_a_word():
    """arkm.weapon-use.blunt: --damage-mod; --hit-mod likewise."""
    told = one_on_one(marcus(), orcs(hp_max=20)).when(Attack("Marcus", ("Orc",), mod=("2", "damage:3")), [10, 2])
    assert (needed(told), damages(told)) == ([10], [7])


def test_a_shot_can_be_critical():
    """arkm.natural-20.critical"""
    told = fighting(tessa(), ogre(), phase="missile").when(
        Shoot("Tessa", "Ogre", with_="dagger", range_="short"), [20, 3, 2]
    )
    assert damages(told) == [7]


SPIKES = [
    {"name": "claw", "damage": "1d4"}, {"name": "bite", "damage": "2d4"},
    *({"name": "spike", "damage": "1d6", "routine": 2} for _ in range(3)),
]  # fmt: skip


def test_a_routine_is_the_first_unless_another_is_named():
    """arkm.attacks.all-at-one-time: two attacks, or three spikes; a name of the first routine takes that alone."""
    told = one_on_one(owlbear(attacks=SPIKES), bran(side="party"))
    first = told.when(Attack("Owlbear", ("Bran",), all_=True), [2, 3])
    assert [purpose for _, purpose, _ in rolls(first)] == ["attack", "attack"]
    spikes = told.when(Attack("Owlbear", ("Bran",), all_=True, with_="spike"), [19, 4, 2, 2])
    assert [purpose for _, purpose, _ in rolls(spikes)] == ["attack", "damage", "attack", "attack"]
    bite = told.when(Attack("Owlbear", ("Bran",), all_=True, with_="bite"), [19, 4, 4])
    assert [faces for _, _, faces in rolls(bite)] == [(19,), (4, 4)]


def test_a_hit_without_dice_does_no_damage():
    """arkm.damage.normal-weapon: the line says what happens besides; nothing is rolled for damage."""
    spray = {"name": "spray", "damage": "", "special": "stun", "special_on": 2}
    told = one_on_one(owlbear(attacks=[spray]), bran(side="party"))
    hit = told.when(Attack("Owlbear", ("Bran",)), [19]).then(no(HpLost))
    hit.ruled("arkm.natural-20.special-attack", "stun").ruled("arkm.damage.normal-weapon", "no damage of its own")


def test_a_quarter_of_a_hit_die_is_less_than_one():
    """arkm.hit-dice.d6: one D6, as for half of one."""
    bat = Join(({"name": "Bat", "side": "foes", "hd": "1/4", "attacks": [{"name": "bite", "damage": "1"}]},))
    joined_ = one_on_one(owlbear(), bran(side="party")).when(bat, [4])
    assert (hp(joined_, "Bat"), rolls(joined_)) == (4, [("Bat", "hit points", (4,))])


def sting(damage: str) -> Join:
    """A wasp of 4 Hit Dice, THAC0 15, and its sting."""
    lines = [{"name": "sting", "damage": damage}]
    return Join(({"name": "Wasp", "side": "foes", "hd": "4", "ac": 5, "hp_max": 9, "attacks": lines, "thac0": 15},))


@pytest.mark.parametrize(
    ("damage", "hit", "twice", "dice"),
    [("3", [3], [6], ()), ("1d8+1d6", [4 + 5], [4 + 5 + 4 + 5], (4, 5)), ("", [], [], ())],
)
def test_damage_is_a_number_a_sum_of_dice_or_nothing(damage, hit, twice, dice):
    """arkm.damage.normal-weapon, arkm.damage.double: a number counts twice as dice are thrown twice."""
    table = melee(fighting(bran(), sting(damage)), ("Bran", "Wasp"))
    assert damages(table.when(Attack("Wasp", ("Bran",)), [19, *dice])) == hit
    assert damages(table.when(Attack("Wasp", ("Bran",)), [20, *dice, *dice])) == twice


@pytest.mark.parametrize(("damage", "dice", "left"), [("5", (), 7), ("1", (), 8), ("1d8+1d6", (6,), 6), ("", (), 9)])
def test_a_fumble_hurts_by_what_the_attack_does(damage, dice, left):
    """arkm.fumble.table: one die, or the number, halved down, 1 at least; what does no damage does none."""
    table = melee(fighting(bran(), sting(damage)), ("Bran", "Wasp"))
    assert hp(table.when(Attack("Wasp", ("Bran",)), [1, 20, 5, *dice]), "Wasp") == left
