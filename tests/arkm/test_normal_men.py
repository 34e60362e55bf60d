"""Normal Men: many attacks, the shortcut, weapons without training, whips."""

from typing import Any

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.normal_men import _points, decimal
from commands.rules.arkm.rounds import Pass
from ledger.errors import UsageError
from ledger.events import Counted, Felled, HpLost, Rolled
from tests.kit import given, no

from .table import (
    bran,
    conditions,
    damages,
    fighting,
    garrick,
    having,
    hp,
    impossible,
    marcus,
    melee,
    needed,
    next_round,
    ogre,
    orcs,
    rolls,
    since,
    tessa,
    triceratops,
    troll,
)
from .test_tohit import HERO


def against_orcs(attacker: Join, count: int = 4, **options):
    """Somebody in melee with so many orcs."""
    told = fighting(attacker, orcs(count), nth=2, **options)
    who, *foes = told.state.roster.order
    return melee(told, *((who, foe) for foe in foes))


def orc(*numbers: int) -> tuple[str, ...]:
    """Orc-1 and so on."""
    return tuple(f"Orc-{number}" for number in numbers)


@pytest.mark.parametrize(("fields", "normal"), [
    ({}, True), ({"hd": "1"}, True), ({"hd": "1/2"}, True), ({"hd": "1-1"}, True), ({"hd": "1+1"}, False),
    ({"hd": "2"}, False), ({"class": "fighter", "level": 1}, False), ({"class": "dwarf", "level": 0}, True),
    ({"hd": "3", "normal_man": True}, True), ({"hd": "1", "normal_man": False}, False),
])  # fmt: skip
def test_anyone_who_is_a_normal_man(fields, normal):
    """arkm.normal-men.definition"""
    sheet = {"name": "Ork", "side": "foes", "hp_max": 3, "weapons": ["sword"], **fields}
    told = fighting(bran(), Join((sheet,)), Join((sheet,), called="Urk"))
    told = melee(told, ("Bran", "Ork"), ("Bran", "Urk"))
    both = Attack("Bran", ("Ork", "Urk"))
    if normal:
        told.when(both, [2, 2])
    else:
        told.refused(both, "arkm.normal-men.only-normal-men", [2, 2])


def test_level_3_has_three_attacks():
    """arkm.normal-men.attacks-by-level: hit for 7, miss, critical for 5; a fourth is refused."""
    told = against_orcs(bran())
    told.when(Attack("Bran", orc(1, 2, 3)), [11, 4, 5, 20, 1, 1])
    three = told.when(Attack("Bran", orc(1, 2, 3)), [11, 4, 5, 20, 1, 1])
    assert damages(three) == [7, 5]
    told.refused(Attack("Bran", orc(1, 2, 3, 4)), "arkm.normal-men.attacks-by-level", [2, 2, 2, 2])
    three.refused(Attack("Bran", orc(4)), "arkm.attacks.all-at-one-time", [2])


def test_all_attacks_in_one_word():
    """arkm.normal-men.attacks-by-level: --all goes round those named who stand."""
    told = against_orcs(bran(level=5), 2)  # THAC0 17: 9 needed
    told = told.when(Attack("Bran", orc(1, 2), all_=True), [9, 4, 2, 3, 9, 4])
    assert [who for who, purpose, _ in rolls(told) if purpose == "attack"] == ["Bran"] * 4
    told.then(Felled("Orc-1", "dead"), Felled("Orc-2", "dead"))


def test_all_attacks_go_also_to_one_who_was_out_as_they_were_declared():
    """arkm.normal-men.attacks-by-level: five of level 5; Orc-1 dies of the first, 4 + 1 + 2 of 5."""
    told = against_orcs(bran(level=5), 2).when(Adjust("Orc-2", "down", "unconscious", "a stone"))
    told = told.when(Attack("Bran", orc(1, 2), all_=True), [9, 4, 2, 2, 2, 2]).then(Felled("Orc-1", "dead"))
    blows = [event.about for event in told.events if isinstance(event, Rolled) and event.purpose == "attack"]
    assert blows == ["Orc-1", *["Orc-2"] * 4]


def test_the_last_attack_goes_to_the_first_of_those_who_are_named():
    """arkm.normal-men.attacks-by-level: one of three is left, and two are named after --all."""
    told = against_orcs(bran()).when(Attack("Bran", orc(3, 4)), [2, 2])
    last = told.when(Attack("Bran", orc(1, 2), all_=True), [2])
    assert [event.about for event in last.events if isinstance(event, Rolled) and event.purpose == "attack"] == [
        "Orc-1"
    ]


def test_who_has_them():
    """arkm.normal-men.who-qualifies: any player character by default, and important NPCs who are fighters."""
    told = against_orcs(tessa())
    assert len(needed(told.when(Attack("Tessa", orc(1, 2, 3, 4, 1)), [2] * 5))) == 5
    strict = against_orcs(tessa(), normal_men_attackers="fighter-types")
    strict.refused(Attack("Tessa", orc(1, 2)), "arkm.normal-men.who-qualifies", [2, 2])
    for fields in ({}, {"level": 2}, {"important": True, "class": "cleric"}):
        guard = against_orcs(bran(**{"pc": False, "level": 5, **fields}))
        guard.refused(Attack("Bran", orc(1, 2)), "arkm.normal-men.who-qualifies", [2, 2])
    captain = against_orcs(bran(pc=False, important=True))
    assert len(needed(captain.when(Attack("Bran", orc(1, 2, 3)), [2] * 3))) == 3


def test_all_of_a_round_must_be_normal_men():
    """arkm.normal-men.only-normal-men: not an orc and an ogre, in one command or in two."""
    told = fighting(bran(), orcs(2), ogre(), nth=2)
    told = melee(told, ("Bran", "Orc-1"), ("Bran", "Orc-2"), ("Bran", "Ogre"))
    told.refused(Attack("Bran", ("Orc-1", "Ogre")), "arkm.normal-men.only-normal-men", [2, 2])
    told.when(Attack("Bran", ("Ogre",)), [2]).refused(Attack("Bran", ("Orc-1",)), "arkm.attacks.all-at-one-time")
    two = told.when(Attack("Bran", orc(1, 2)), [2, 2])
    two.refused(Attack("Bran", ("Ogre",)), "arkm.normal-men.only-normal-men", [2])


def test_anyone_who_is_down_is_skipped():
    """arkm.normal-men.down-target: the second blow is kept, for now."""
    told = against_orcs(bran()).when(Attack("Bran", orc(1, 1, 2)), [11, 4, 5])
    assert len(needed(told)) == 2
    assert told.state.counts.get("Bran", "attacks left") == 1
    told.when(Attack("Bran", orc(3)), [2])
    told.refused(Attack("Orc-2", ("Bran",)), "arkm.attacks.all-at-one-time", [2])
    lost = told.when(Pass(("Bran",))).when(Attack("Orc-2", ("Bran",)), [2])
    lost.refused(Attack("Bran", orc(3)), "arkm.attacks.all-at-one-time", [2])
    impossible(told, Attack("Bran", orc(1)), "already dead")


def test_monsters_attack_normal_men_by_their_hit_dice():
    """arkm.normal-men.monster-attacks-by-hd: a troll of 6+3 six times, its routine again and again; a hero three."""
    men = orcs(6, side="party")
    told = fighting(troll(), men, bran(), nth=2)
    told = melee(told, *(("Troll", who) for who in told.state.roster.order[1:]))
    six = told.when(Attack("Troll", orc(1, 2, 3, 4, 5, 6)), [19, 1, 19, 1, 19, 9, 19, 2, 19, 2, 19, 10])
    assert [dice for _, purpose, dice in rolls(six) if purpose == "damage"] == [(1,), (1,), (9,), (2,), (2,), (10,)]
    told.when(Attack("Troll", ("Bran",) * 3), [2, 2, 2])
    told.refused(Attack("Troll", ("Bran",) * 4), "arkm.normal-men.only-normal-men", [2] * 4)
    told.refused(Attack("Troll", orc(1, 2, 3, 4, 5, 6, 1)), "arkm.normal-men.monster-attacks-by-hd", [2] * 7)


def test_1_and_1_is_no_more_than_1():
    """arkm.normal-men.monster-attacks-by-hd"""
    bear = ogre(hd="1+1")
    told = fighting(bear, orcs(2, side="party"), nth=2)
    told = melee(told, ("Ogre", "Orc-1"), ("Ogre", "Orc-2"))
    told.refused(Attack("Ogre", orc(1, 2)), "arkm.normal-men.monster-attacks-by-hd", [2, 2])


def test_a_normal_man_throws_for_hit_points():
    """arkm.normal-men.hp-d6"""
    sheet = {"name": "Orc", "side": "foes", "weapons": ["sword"]}
    told = given("arkm", (Join((sheet,), count=3), [2, 6, 3]))
    assert [hp(told, who) for who in orc(1, 2, 3)] == [2, 6, 3]
    for data in ({"name": "A", "side": "b", "hp": 4, "hp_max": 3}, {"name": "Bear", "side": "foes", "kind": "beast",
                 "normal_man": False}):  # fmt: skip
        impossible(told, Join((data,)))


def test_a_monster_throws_its_hit_dice():
    """arkm.hit-dice.d6: 3 + 1 are 3D6 and 1: 2 + 6 + 4 + 1; 2 - 1 are 1 + 1 - 1."""
    told = given("arkm").when(Join(({"name": "Bear", "side": "foes", "hd": "3+1"},)), dice=[2, 6, 4])
    assert hp(told, "Bear") == 13
    told = told.when(Join(({"name": "Imp", "side": "foes", "hd": "2-1"},)), dice=[1, 1])
    assert hp(told, "Imp") == 1


def sweeping(count: int, **fields):
    """The hero of the seed, in melee with orcs of armour class 7 and a D6 of hit points."""
    men = Join(({"name": "Orc", "side": "foes", "ac": 7, "hp_dice": "1d6", "weapons": ["sword"]},), count=count)
    told = given("arkm", HERO, (men, [3] * count))
    told = since(told, *fighting(HERO).events)
    return melee(told, *(("Hero", who) for who in orc(*range(1, count + 1))))


def test_the_5_6_of_the_seed():
    """arkm.normal-men.shortcut-percentage, arkm.normal-men.shortcut-kills, arkm.normal-men.shortcut-rounding.

    8 attacks x 70% are 5.6 hits; 4.5 of damage on 3.5 hit points slay one each: 6 of 8. No dice are thrown.
    """
    told = sweeping(8).when(Attack("Hero", orc(*range(1, 9)), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "70%", [7])
    told.ruled("arkm.normal-men.shortcut-kills", "5.6 hits, 5.6 slain", [8])
    told.ruled("arkm.normal-men.shortcut-rounding", "6 slain")
    assert list(told.state.harm.down) == [f"Orc-{n}" for n in range(1, 7)]
    assert rolls(told) == []
    told.refused(Attack("Hero", orc(7)), "arkm.attacks.all-at-one-time", [2])


@pytest.mark.parametrize(("rounding", "slain"), [("up", 6), ("down", 5), ("nearest", 6)])
def test_rounding(rounding, slain):
    """arkm.normal-men.shortcut-rounding"""
    told = sweeping(8).when(Attack("Hero", orc(*range(1, 9)), expected=True, rounding=rounding))
    assert len(told.state.harm.down) == slain


def test_no_more_than_there_are():
    """arkm.normal-men.shortcut-rounding: four listed."""
    assert len(sweeping(4).when(Attack("Hero", orc(1, 2, 3, 4), expected=True)).state.harm.down) == 4


def test_seven_is_seven():
    """arkm.normal-men.shortcut-rounding: 10 attacks x 70% are exactly 7. Level 10 hits armour class 5 with 7."""
    ten = bran(level=10, str=12)
    swept = melee(fighting(ten, orcs(8, ac=5)), *(("Bran", who) for who in orc(*range(1, 9))))
    swept = swept.when(Attack("Bran", orc(*range(1, 9)), expected=True))
    swept.ruled("arkm.normal-men.shortcut-percentage", "70%").ruled("arkm.normal-men.shortcut-rounding", "7 slain")


def test_damage_that_does_not_slay_counts_in_part():
    """arkm.normal-men.shortcut-kills: 4 x 50% are 2 hits, x 2.5 / 4.5 are 10/9. Level 4 hits armour class 6 with 11."""
    told = fighting(bran(level=4, str=12, weapons=["dagger"]), orcs(1, hp_max=4), orcs(1, hp_max=5, name="Urk"), nth=2)
    told = melee(told, ("Bran", "Orc"), ("Bran", "Urk"))
    told = told.when(Attack("Bran", ("Orc", "Urk"), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "50%", [11])
    told.ruled("arkm.normal-men.shortcut-kills", "2 hits, 1.11 slain").ruled(
        "arkm.normal-men.shortcut-rounding", "2 slain"
    )


def test_the_shortcut_adds_what_the_game_master_gives_to_damage():
    """arkm.normal-men.shortcut-kills: 4 x 50% are 2 hits, x (2.5 + 1) / 7 are 1."""
    told = melee(fighting(bran(level=4, str=12, weapons=["dagger"]), orcs(1, hp_max=7)), ("Bran", "Orc"))
    told = told.when(Attack("Bran", ("Orc",), expected=True, mod=("damage:1",)))
    told.ruled("arkm.normal-men.shortcut-percentage", "50%", [11])
    told.ruled("arkm.normal-men.shortcut-kills", "2 hits, 1 slain")


def test_the_shortcut_adds_the_magic_of_a_weapon():
    """arkm.normal-men.shortcut-kills: 4 x 55% are 2.2 hits, x (2.5 + 1) / 7 are 1.1."""
    kris = {"id": "kris", "damage": "1d4", "magic": 1, "length": 1}
    told = melee(fighting(bran(level=4, str=12, weapons=[kris]), orcs(1, hp_max=7)), ("Bran", "Orc"))
    told = told.when(Attack("Bran", ("Orc",), expected=True)).ruled("arkm.normal-men.shortcut-percentage", "55%", [10])
    told.ruled("arkm.normal-men.shortcut-kills", "2.2 hits, 1.1 slain")


def test_the_shortcut_of_a_monster_goes_round_its_attacks():
    """arkm.normal-men.shortcut-kills, arkm.normal-men.monster-attacks-by-hd: 70% of two claws, a bite, and these again:
    (4 x 3.5 + 2 x 5.5) x 0.7 are 17.5 points, and an orc has 5.
    """
    told = fighting(troll(), orcs(6, side="party"), nth=2)
    told = melee(told, *(("Troll", who) for who in told.state.roster.order[1:]))
    told = told.when(Attack("Troll", orc(1, 2, 3, 4, 5, 6), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "70%", [7])
    told.ruled("arkm.normal-men.shortcut-kills", "4.2 hits, 3.5 slain")


def test_the_shortcut_takes_no_more_from_damage_than_there_is():
    """arkm.normal-men.shortcut-kills: 2.5 - 3 are no points."""
    told = melee(fighting(bran(level=4, str=12, weapons=["dagger"]), orcs(1, hp_max=7)), ("Bran", "Orc"))
    told = told.when(Attack("Bran", ("Orc",), expected=True, mod=("damage:-3",)))
    told.ruled("arkm.normal-men.shortcut-kills", "2 hits, 0 slain")


@pytest.mark.parametrize(("ac", "percent"), [(9, "65%"), (-10, "5%")])
def test_no_chance_is_none_or_certain(ac, percent):
    """arkm.normal-men.shortcut-percentage: 8 needed 65%, 27 needed 5%."""
    told = melee(fighting(bran(), orcs(ac=ac)), ("Bran", "Orc")).when(Attack("Bran", ("Orc",), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", percent)


def test_an_easy_target_is_hit_by_95_of_100():
    """arkm.normal-men.shortcut-percentage: -11 needed."""
    told = melee(fighting(bran(level=13), orcs(ac=9)), ("Bran", "Orc"))
    told = told.when(Attack("Bran", ("Orc",), expected=True, mod=("10",)))
    told.ruled("arkm.normal-men.shortcut-percentage", "95%", [10 - 9 - 2 - 10])


def test_the_shortcut_is_for_all_of_the_round_and_normal_men_alone():
    """arkm.normal-men.shortcut-kills, arkm.normal-men.only-normal-men"""
    told = fighting(bran(), orcs(2), ogre(), nth=2)
    told = melee(told, ("Bran", "Orc-1"), ("Bran", "Orc-2"), ("Bran", "Ogre"))
    told.refused(Attack("Bran", ("Ogre",), expected=True), "arkm.normal-men.only-normal-men")
    struck = told.when(Attack("Bran", orc(1)), [2])
    struck.refused(Attack("Bran", orc(2), expected=True), "arkm.normal-men.shortcut-kills")


def test_decimals():
    """Two at most, to the nearest."""
    assert [decimal(112, 20), decimal(10, 9), decimal(140, 20), decimal(0, 3)] == ["5.6", "1.11", "7", "0"]


UNTRAINED = {"weapons": ["battle-axe"], "trained": ["sword"]}


def test_an_untrained_weapon_is_a_normal_mans():
    """arkm.untrained.as-normal-man: 20 - 6 - 1, and one attack a round; arkm.untrained.half-damage: 7 is 4, 1 is 1."""
    told = against_orcs(bran(**UNTRAINED))
    hit = told.when(Attack("Bran", orc(1)), [13, 5])
    assert (needed(hit), damages(hit)) == ([13], [4])
    told.refused(Attack("Bran", orc(1, 2)), "arkm.untrained.as-normal-man", [2, 2])
    weak = against_orcs(bran(weapons=["dagger"], trained=[], str=10))
    assert damages(weak.when(Attack("Bran", orc(1)), [14, 1])) == [1]


def test_a_house_rule_leaves_the_bonus_and_npcs_know_all_weapons():
    """arkm.untrained.as-normal-man"""
    told = against_orcs(bran(**UNTRAINED), untrained_keeps_class_bonus=True)
    assert needed(told.when(Attack("Bran", orc(1)), [2])) == [12]
    npc = against_orcs(bran(pc=False, **UNTRAINED))
    assert needed(npc.when(Attack("Bran", orc(1)), [2])) == [11]


def test_level_counts_for_a_fumble_all_the_same():
    """arkm.untrained.as-normal-man: 4 is no more than 3 + 1."""
    told = against_orcs(bran(**UNTRAINED)).when(Attack("Bran", orc(1)), [1, 4])
    told.ruled("arkm.natural-1.fumble-check", "a plain miss")


# Whips


def whipping(*others: Join):
    """Tessa with a whip in hand, saving vs Paralysis with 12, 5 feet from somebody."""
    told = fighting(tessa(weapons=["whip", "dagger"]), *others, nth=2)
    who, *foes = told.state.roster.order
    return melee(told, *((who, foe) for foe in foes))


LASH = Attack("Tessa", ("Orc",), entangle=True, part="legs")


def test_a_whip_entangles_by_a_save_of_its_wielder():
    """arkm.whip.entangle-save, arkm.whip.area: 9 hits, 12 saves; no damage, nothing critical, fumbles as ever."""
    told = whipping(orcs())
    flat = told.when(LASH, [9, 12])
    assert needed(flat) == [9]
    assert "prone" in conditions(flat.then(no(HpLost)), "Orc")
    assert "prone" not in conditions(told.when(LASH, [9, 11]), "Orc")
    told.when(LASH, [8]).then(no(HpLost))
    told.when(LASH, [20, 11]).then(no(HpLost))
    told.when(LASH, [1, 7]).ruled("arkm.natural-1.fumble-check", "a plain miss")
    impossible(told, Attack("Tessa", ("Orc",), entangle=True), "to be entangled")


@pytest.mark.parametrize(("die", "prone"), [(14, False), (15, True)])
def test_the_targets_strength_resists(die, prone):
    """arkm.whip.target-str: STR 18: 3 off."""
    told = whipping(orcs(str=18)).when(LASH, [9, die])
    assert ("prone" in conditions(told, "Orc")) is prone


def test_what_a_whip_can_do():
    """arkm.whip.result: prone or hold; pull or hold; nothing from empty hands."""
    told = whipping(orcs())
    held = told.when(Attack("Tessa", ("Orc",), entangle=True, part="arm", then="hold"), [9, 12])
    assert held.state.conditions.of["Orc"]["entangled"].whom == ("Tessa",)
    pulled = told.when(Attack("Tessa", ("Orc",), entangle=True, part="weapon"), [9, 12])
    assert pulled.state.gear.equipped["Orc"] == ()
    assert "dropped sword" in conditions(pulled, "Orc")
    for area, then in (("body", "pull"), ("item", "prone")):
        told.refused(Attack("Tessa", ("Orc",), entangle=True, part=area, then=then), "arkm.whip.result", [9, 12])
    bare = whipping(orcs(weapons=[]))
    bare.refused(Attack("Tessa", ("Orc",), entangle=True, part="weapon"), "arkm.whip.result", [9, 12])


def test_a_whip_is_for_ogres_at_most():
    """arkm.whip.size-limit"""
    told = whipping(ogre())
    told.when(Attack("Tessa", ("Ogre",), entangle=True, part="legs"), [10, 12])
    told = whipping(triceratops())
    told.refused(Attack("Tessa", ("Triceratops",), entangle=True, part="legs"), "arkm.whip.size-limit", [19, 12])


@pytest.mark.parametrize(("weapon", "distance", "clause"), [
    ("whip", 1, ""), ("whip", 10, ""), ("whip", 11, "arkm.whip.reach"), ("whip", None, "arkm.whip.reach"),
    ("dagger", 10, "arkm.in-melee.attack-distance"),
])  # fmt: skip
def test_a_whip_reaches_10_feet(weapon, distance, clause):
    """arkm.whip.reach: 1d2 of damage when it only lashes; nobody knows how far it is where no distance is said."""
    told = fighting(tessa(weapons=[weapon]), orcs(hp_max=9))
    lash = Attack("Tessa", ("Orc",), distance=distance)
    if clause:
        told.refused(lash, clause, [9, 1])
    else:
        assert damages(told.when(lash, [9, 1])) == [3]


def test_a_sword_does_not_entangle():
    """arkm.whip.entangle-save"""
    told = against_orcs(tessa())
    told.refused(Attack("Tessa", orc(1), entangle=True, part="legs"), "arkm.whip.entangle-save")


def test_a_whip_may_hurt_by_a_house_rule():
    """arkm.whip.entangle-save: the option whip_damage."""
    told = melee(fighting(tessa(weapons=["whip"]), orcs(), whip_damage=True, nth=2), ("Tessa", "Orc"))
    told.when(LASH, [9, 1, 12]).then(HpLost("Orc", 3, 2))
    told.when(LASH, [20, 1, 2, 12]).ruled("arkm.natural-20.critical", "a critical hit")


def test_tight_places():
    """arkm.weapon-use.tight-space: a dagger, and nature's weapons."""
    told = against_orcs(bran())
    told = having(told, "Bran", "confined")
    told.refused(Attack("Bran", orc(1)), "arkm.weapon-use.tight-space", [2])
    told.when(Attack("Bran", orc(1), with_="dagger"), [2])
    bitten = having(melee(fighting(troll(), bran()), ("Troll", "Bran")), "Troll", "confined")
    bitten.when(Attack("Troll", ("Bran",)), [2])


def test_next_round_all_begins_anew():
    """arkm.normal-men.attacks-by-level"""
    told = against_orcs(bran()).when(Attack("Bran", orc(1, 2, 3)), [2, 2, 2])
    assert len(needed(next_round(told).when(Attack("Bran", orc(1, 2, 3)), [2, 2, 2]))) == 3


def test_a_cleric_is_no_fighter_but_a_player_character():
    """arkm.normal-men.who-qualifies"""
    assert len(needed(against_orcs(marcus()).when(Attack("Marcus", orc(1, 2, 3, 4)), [2] * 4))) == 4


def test_rounding_by_a_house_rule():
    """arkm.normal-men.shortcut-rounding: the option sweep_rounding: 3 x 50% are 1.5."""
    for option, slain in (("down", 1), ("up", 2), ("nearest", 2)):
        told = melee(fighting(bran(), orcs(3), sweep_rounding=option), *(("Bran", who) for who in orc(1, 2, 3)))
        told = told.when(Attack("Bran", orc(1, 2, 3), expected=True))
        assert len(told.state.harm.down) == slain, option


def test_a_whip_can_be_fumbled():
    """arkm.natural-1.fumble-check: 8 is more than 5 and 2; a 3 lays her flat."""
    assert "prone" in conditions(whipping(orcs()).when(LASH, [1, 8, 3]), "Tessa")


def test_all_needs_something_left():
    """arkm.normal-men.attacks-by-level"""
    told = against_orcs(bran()).when(Attack("Bran", orc(1, 2, 3)), [2, 2, 2])
    told = since(told, Counted("Bran", "attacks left", 1))
    told.refused(Attack("Bran", orc(4), all_=True), "arkm.normal-men.attacks-by-level", [2])


def test_the_shortcut_reckons_without_the_first_attack():
    """arkm.charge.first-attack-only, arkm.normal-men.shortcut-kills: Garrick's lance does 1d6+1+2 in a reckoning, and
    17 - 6 - 2 - 1 for the horse are needed; the charge's bonus and 2D6 are for the first blow alone.
    """
    told = fighting(garrick(), orcs(2, side="party", hp_max=13))
    told = having(told, "Garrick", "charging", whom=("Orc-1",), amount=60)
    told = melee(told, ("Garrick", "Orc-1"), ("Garrick", "Orc-2"), rounds=0)
    told = told.when(Attack("Garrick", orc(1, 2), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "65%", [8])
    told.ruled("arkm.normal-men.shortcut-kills", "3.25 hits, 1.63 slain")  # 3.25 x 6.5 / 13 = 1.625


def test_the_shortcut_from_behind_is_a_surprise_attack():
    """arkm.backstab.first-attack-only: 19 - 6 - 2, and 2 for the surprise."""
    told = against_orcs(bran(), 2)
    told = having(having(told, "Orc-1", "unaware"), "Orc-2", "unaware")
    told = told.when(Attack("Bran", orc(1, 2), backstab=True, expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "60%", [9])


def test_the_shortcut_is_for_blows_that_slay():
    """arkm.natural-20.immune, arkm.untrained.as-normal-man"""
    ghosts = melee(fighting(bran(), orcs(requires=["silver"])), ("Bran", "Orc"))
    ghosts.refused(Attack("Bran", ("Orc",), expected=True), "arkm.natural-20.immune")
    clumsy = against_orcs(bran(**UNTRAINED))
    clumsy.refused(Attack("Bran", orc(1), expected=True), "arkm.untrained.as-normal-man")


def test_what_a_whip_pulls_from_an_empty_hand_is_nothing():
    """arkm.whip.result: also when the game master allows it."""
    bare = whipping(orcs(weapons=[]))
    told = bare.when(Attack("Tessa", ("Orc",), entangle=True, part="weapon"), [9, 12], allow="why not")
    assert conditions(told, "Orc") == set()


def test_an_area_without_entangling():
    """arkm.whip.area: a lash that was meant to entangle is not one that only hurts."""
    impossible(whipping(orcs()), Attack("Tessa", ("Orc",), part="legs"), "entangle")
    impossible(whipping(orcs()), Attack("Tessa", ("Orc",), then="hold"), "entangle")


def test_the_dice_of_a_target_count_by_their_mean():
    """arkm.normal-men.shortcut: twice the mean of 2d6 and 1 is 2 x 7 and 2: 16; of 3 hit points 6."""
    men = Join(({"name": "Man", "side": "foes", "ac": 7, "hp_dice": "2d6+1", "weapons": ["sword"]},))
    told = fighting(bran(), men, orcs(hp_max=3))
    fight = Resolution(told.state, "attack", Attack("Bran", ("Man",)), Dice(faces=()))
    assert (_points(fight, "Man"), _points(fight, "Orc")) == (16, 6)


@pytest.mark.parametrize(("points", "twice"), [
    ({"hp_max": 3}, 6), ({"hp": 4}, 8), ({"hp": 2, "hp_max": 5}, 4), ({}, 7), ({"hp_dice": "1d6", "hp_max": 5}, 7),
])  # fmt: skip
def test_points_of_ones_own_count_where_no_dice_are_said(points: dict[str, Any], twice: int):
    """arkm.normal-men.shortcut-kills: of somebody of whom nothing is said a D6, whose mean is 3.5."""
    told = given("arkm", Join(({"name": "Man", "side": "foes", "ac": 7, **points},)))
    assert _points(View(told.state), "Man") == twice


def test_what_is_needed_beyond_20_lowers_the_damage_of_the_shortcut():
    """arkm.normal-men.shortcut-kills: 19 + 5 - 2 for STR are 22, 2 too many: 3.5 + 1 + 2 - 2 = 4.5 on 8 hit points.

    3 attacks x 5% are 0.15 hits, x 4.5 / 8 are 0.084 slain.
    """
    told = melee(fighting(bran(), orcs(3, ac=-5, hp_max=8), nth=2), *(("Bran", who) for who in orc(1, 2, 3)))
    told = told.when(Attack("Bran", orc(1, 2, 3), expected=True))
    told.ruled("arkm.normal-men.shortcut-percentage", "5%", [22])
    told.ruled("arkm.normal-men.shortcut-kills", "0.15 hits, 0.08 slain", [3])


def test_hit_dice_of_a_sheet_are_dice():
    """arkm.hit-dice.d6: a number alone is none."""
    with pytest.raises(UsageError, match="'5' throws no dice"):
        given("arkm", bran(hp_max=None, hp_dice="5"))
