"""The game master's word: names, numbers with their range, lines that are crossed, weapons that are found."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.gear import Draw
from commands.rules.arkm.rounds import Round
from ledger.errors import Refused, UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Counted,
    Engaged,
    Equipped,
    Felled,
    HpLost,
    HpSet,
    Rose,
    SideChanged,
    Unequipped,
)
from tests.gm import refuses_with_another_way
from tests.hints import offered_by
from tests.kit import no

from .table import bran, conditions, fighting, impossible, melee, odo, ogre, orcs, since, tessa

WHY = "the game master says so"


def adjust(who, field, value):
    return Adjust(who, field, value, WHY)


@pytest.mark.parametrize(("value", "clause"), [("-1", "arkm.damage.zero-hp"), ("19", "arkm.zero-hp.out")])
def test_hit_points_outside_of_their_range_are_refused_with_the_range(value, clause):
    """Bran has 0 to 18."""
    told = fighting(bran(), orcs())
    with pytest.raises(Refused, match="0 to 18") as refused:
        told.when(adjust("Bran", "hp", value))
    assert refused.value.clause == clause
    told.when(adjust("Bran", "hp", value), allow="so be it").then(HpSet("Bran", int(value), 18))


def test_with_no_hit_point_left_one_is_slain_as_by_a_blow():
    """arkm.damage.zero-hp, and arkm.zero-hp.out by the option."""
    told = fighting(bran(), orcs()).when(adjust("Orc", "hp", "0")).ruled("arkm.damage.zero-hp", "dead")
    told.then(HpSet("Orc", 0, 5), Felled("Orc", "dead"))
    told.when(adjust("Orc", "hp", "3")).ruled("arkm.damage.zero-hp", "stays slain").then(no(Rose))
    told.when(adjust("Orc", "down", "no")).then(HpSet("Orc", 1, 5), Rose("Orc"))
    out = fighting(bran(), orcs(), zero_hp="out").when(adjust("Orc", "hp", "0"))
    out.ruled("arkm.zero-hp.out", "out of the fight").then(Felled("Orc", "unconscious"))
    out.when(adjust("Orc", "hp", "1")).ruled("arkm.zero-hp.out", "no longer out").then(Rose("Orc"))


def test_temporary_damage_puts_out_and_less_of_it_brings_back():
    """arkm.temporary-damage.column, arkm.zero-hp.out: Bran 18: 17 leave 1 effective point, 18 none, and 20 none."""
    told = fighting(bran(), orcs()).when(adjust("Bran", "temporary", "17")).then(no(Felled))
    told = told.when(adjust("Bran", "temporary", "18")).ruled("arkm.zero-hp.out", "out of the fight", [0])
    told.then(Felled("Bran", "unconscious"))
    told.when(adjust("Bran", "temporary", "4")).ruled("arkm.zero-hp.out", "no longer out", [14]).then(Rose("Bran"))
    for most in (told, told.when(adjust("Bran", "temporary", "20"))):
        stands = most.when(adjust("Bran", "down", "no"))
        stands.then(ConditionGained("Bran", "temporary damage", amount=17), Rose("Bran"))
    told.when(adjust("Bran", "temporary", "0")).then(ConditionEnded("Bran", "temporary damage"), Rose("Bran"))
    impossible(told, adjust("Bran", "temporary", "-1"), "0 or more")


def test_a_foe_slain_by_the_game_master_is_missed_by_the_group():
    """arkm.morale.trigger-first-death"""
    told = fighting(bran(), orcs(2))
    for who in ("Orc-1", "Orc-2"):
        assert told.state.stands(who)
    told = since(told, Counted("Orc", "number", 2, until="encounter-end"))
    told.when(adjust("Orc-1", "hp", "0")).ruled("arkm.morale.trigger-first-death", "a morale check is due")


def test_anyone_who_is_unaware_by_the_game_masters_word_stays_so_round_after_round():
    """arkm.surprise-attack.until-faced ends what an ambush made; the game master ends the rest."""
    told = fighting(bran(), orcs()).when(adjust("Orc", "condition", "unaware"))
    told = told.when(Round(), dice=[4, 3], allow=WHY)
    assert "unaware" in conditions(told, "Orc")
    assert "unaware" not in conditions(told.when(adjust("Orc", "no-condition", "un")), "Orc")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("equipped", "xyzzy"), ("equipped", "sword"), ("equipped", ""), ("no-equipped", "dagger"),
        ("dropped", "dagger"),
        ("dropped", "shield"), ("engaged", "bran"), ("engaged", "tessa"), ("no-engaged", "orc"), ("truce", "party"),
        ("no-truce", "foes"), ("stress", "1"), ("at", "1,1"), ("item", "excalibur"), ("no-item", "whip"),
        ("condition", "dropped sword"), ("side", "party"), ("hp", "18"), ("temporary", "0"),
        ("item", 'id = "axe", damage = "two"'), ("ammunition", "arrow=3"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_whatever_is_allowed(field, value):
    impossible(fighting(bran(), tessa(), orcs()), adjust("Bran", field, value))


def test_the_game_master_puts_two_into_melee_and_names_a_side_by_its_beginning():
    told = fighting(bran(), orcs()).when(adjust("Bran", "engaged", "orc")).then(Engaged("Bran", "Orc"))
    told.when(adjust("Orc", "side", "par")).then(SideChanged("Orc", "party"))
    assert not told.when(adjust("Orc", "side", "par")).state.engagement.pairs


def test_a_grapple_is_left_to_its_verb():
    with pytest.raises(UsageError, match="pinned is not set by itself") as error:
        fighting(bran(), tessa(), orcs()).when(adjust("Bran", "condition", "pinned"))
    assert offered_by(error.value) == "affray grapple Orc --target Bran --allow 'the reason'"


def test_a_weapon_of_another_that_lies_on_the_ground_is_taken_up_and_strikes():
    """arkm.to-hit: Bran with the short sword of Odo: THAC0 19, AC 5, STR +2: 12 hits; 3, +1 and +2 are 6 of 22."""
    told = melee(fighting(bran(weapons=["dagger"], shield="none"), odo(), ogre()), ("Bran", "Ogre"))
    told = told.when(adjust("Odo", "dropped", "short"))
    told.then(ConditionGained("Odo", "dropped short-sword", "encounter-end"))
    taken = told.when(adjust("Bran", "equipped", "short-sword"))
    taken.then(
        ConditionEnded("Odo", "dropped short-sword"), Unequipped("Bran", "dagger"), Equipped("Bran", "short-sword")
    )
    struck = taken.when(Attack("Bran", ("Ogre",), with_="short-sword"), dice=[12, 3])
    struck.then(HpLost("Ogre", 6, 16))
    impossible(taken, Draw("Odo", "short-sword"), "has no 'short-sword'")


def test_a_weapon_of_ones_own_is_drawn_though_another_of_its_kind_lies_there():
    """arkm.draw.once: it is no action, and that of Odo stays where it is."""
    told = melee(fighting(bran(weapons=["dagger", "short-sword"], shield="none"), odo(), ogre()), ("Bran", "Ogre"))
    told = told.when(adjust("Odo", "dropped", "short"))
    told = told.when(Draw("Bran", "short-sword")).then(Equipped("Bran", "short-sword"))
    assert "dropped short-sword" in told.state.conditions.of["Odo"]


def test_a_weapon_of_the_table_is_found_and_drawn():
    """arkm.damage.normal-weapon: a mace does 1d6 and 1; with STR +2, 3 on the die are 6 of 22."""
    told = melee(fighting(bran(), ogre()), ("Bran", "Ogre")).when(adjust("Bran", "item", "mace"))
    told = told.when(Draw("Bran", "mace")).then(Equipped("Bran", "mace"))
    told.when(Attack("Bran", ("Ogre",), with_="mace"), dice=[12, 3]).then(HpLost("Ogre", 6, 16))


def test_a_second_weapon_of_a_kind_trains_nobody():
    """arkm.untrained.as-normal-man: Bran knows the sword; with a second dagger he strikes as a Normal Man does."""
    told = melee(fighting(bran(trained=["sword"]), ogre()), ("Bran", "Ogre")).when(adjust("Bran", "item", "dagger"))
    told = told.when(adjust("Bran", "equipped", "dagger-2"))
    told = told.when(Attack("Bran", ("Ogre",), with_="dagger-2"), dice=[2])
    assert "arkm.untrained.as-normal-man" in {clause for event in told.events for clause in event.clauses}


def test_a_weapon_of_its_own_has_its_own_numbers_and_a_second_one_a_number():
    """1d6 of 3, magic 2 and STR +2 are 7 of 22; the trained thief is trained with the second whip, too."""
    found = 'id = "sword", damage = "1d6", magic = 2, length = 3'
    told = melee(fighting(bran(), ogre()), ("Bran", "Ogre")).when(adjust("Bran", "item", found))
    told = told.when(adjust("Bran", "equipped", "sword-2"))
    told.when(Attack("Bran", ("Ogre",), with_="sword-2"), dice=[12, 3]).then(HpLost("Ogre", 7, 15))
    thief = fighting(tessa(trained=["dagger", "whip"]), ogre()).when(adjust("Tessa", "item", "whip"))
    assert b'"trained":["dagger","whip","whip-2"]' in bytes(thief.state.roster.members["Tessa"].sheet)


def test_a_weapon_is_taken_away_with_what_it_was():
    told = fighting(bran(), odo(), orcs()).when(adjust("Bran", "dropped", "sword"))
    told = told.when(adjust("Bran", "no-item", "sword")).then(ConditionEnded("Bran", "dropped sword"))
    impossible(told, Draw("Bran", "sword"), "has no 'sword'")
    broken = fighting(bran(), odo()).when(adjust("Odo", "condition", "broken sling"))
    broken.when(adjust("Bran", "item", "sling@odo")).then(
        ConditionEnded("Odo", "broken sling"), ConditionGained("Bran", "broken sling")
    )


def test_the_game_master_raises_a_shield_for_an_arm_that_is_free():
    """arkm.ac.shield: not with a weapon in both hands; not twice."""
    told = fighting(bran(weapons=["sword", "two-handed-sword"]), orcs())
    impossible(told, adjust("Bran", "equipped", "shield"), "already has the shield in hand")
    down = told.when(adjust("Bran", "no-equipped", "shield"))
    down.when(adjust("Bran", "equipped", "SHI")).then(Equipped("Bran", "shield"), no(Unequipped))
    both = down.when(adjust("Bran", "equipped", "two-handed-sword"))
    with pytest.raises(Refused, match="holds two-handed-sword in both hands") as refused:
        both.when(adjust("Bran", "equipped", "shield"))
    assert refused.value.clause == "arkm.ac.shield"
    assert offered_by(refused.value) == "affray adjust Bran no-equipped two-handed-sword 'the reason'"
    odo_s = fighting(odo(), orcs())
    impossible(odo_s, adjust("Odo", "equipped", "shield"), "has no 'shield'")


def test_the_game_master_ends_a_hold():
    """arkm.grapple.hold-lasts: the orc is free as soon as nobody holds him; another hold of his goes on."""
    held = fighting(bran(), tessa(), orcs(2))
    held = since(
        held,
        ConditionGained("Orc-1", "pinned", "encounter-end", whom=("Bran", "Tessa")),
        ConditionGained("Bran", "holding", "encounter-end", whom=("Orc-1",)),
        ConditionGained("Tessa", "holding", "encounter-end", whom=("Orc-1",)),
    )
    one = held.when(adjust("Bran", "no-condition", "holding"))
    one.then(ConditionEnded("Bran", "holding"), ConditionGained("Orc-1", "pinned", "encounter-end", whom=("Tessa",)))
    assert conditions(one, "Tessa") == {"holding"}
    both = one.when(adjust("Tessa", "no-condition", "holding"))
    both.ruled("arkm.grapple.hold-lasts", "free").then(ConditionEnded("Orc-1", "pinned"))
    assert not conditions(both, "Orc-1") | conditions(both, "Bran") | conditions(both, "Tessa")
    freed = held.when(adjust("Orc-1", "no-condition", "pinned"))
    assert not conditions(freed, "Orc-1") | conditions(freed, "Bran") | conditions(freed, "Tessa")


def test_a_weapon_in_hand_is_taken_away_out_of_the_hand():
    told = fighting(bran(), orcs()).when(adjust("Bran", "equipped", "spear")).when(adjust("Bran", "no-item", "spear"))
    told.then(Unequipped("Bran", "spear"))
    assert "spear" not in told.state.gear.equipped["Bran"]
    impossible(told, Draw("Bran", "spear"), "has no 'spear'")


def test_the_name_of_a_condition_can_be_read():
    told = fighting(bran(), orcs())
    told.when(adjust("Bran", "condition", "c" * 40)).then(ConditionGained("Bran", "c" * 40))
    impossible(told, adjust("Bran", "condition", "c" * 41), "has 1 to 40 characters")
    impossible(told, adjust("Bran", "condition", " = 4"), "has 1 to 40 characters")
    told.when(adjust("Bran", "condition", " Elevation = -4 ")).then(ConditionGained("Bran", "elevation", amount=-4))
    impossible(told, adjust("Bran", "condition", "dazed=4"), "No rule reads a number of 'dazed'.")


def test_what_the_game_master_does_not_set_has_another_way():
    told = fighting(bran(), odo(), orcs(2)).when(adjust("Orc-1", "down", "dead"))
    refuses_with_another_way(told, "arkm", "Bran", "sword", "dagger", "bow")
