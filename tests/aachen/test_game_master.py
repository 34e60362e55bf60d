"""The game master's word: names, numbers with their range, lines that are crossed, weapons that are found."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.damage import Damage
from commands.action.stat_blocks import SheetSet
from commands.rules.aachen.encounter import Rest
from commands.rules.aachen.hands import Draw
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rounds import Initiative
from ledger.errors import Refused, UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Disengaged,
    Engaged,
    Equipped,
    Felled,
    HpGained,
    HpLost,
    HpSet,
    Rose,
    Ruled,
    Unequipped,
)
from tests.gm import refuses_with_another_way
from tests.hints import offered_by
from tests.kit import no

from .table import CROSSBOW, DAGGER, SWORD, adalger, begun, fight, gerlind, guard, has, impossible, someone, table, wolf

WHY = "the game master says so"
AXE = 'name = "axe", damage = "1d6", attr = "STR"'


def adjust(who, field, value):
    return Adjust(who, field, value, WHY)


@pytest.mark.parametrize(("value", "clause"), [("-3", "aachen.damage.floor"), ("23", "aachen.mortal.magic-healing")])
def test_hit_points_outside_of_their_range_are_refused_with_the_range(value, clause):
    """Adalger has 0 to 22."""
    told = fight(adalger(), guard())
    with pytest.raises(Refused, match="0 to 22") as refused:
        told.when(adjust("Adalger", "hp", value))
    assert refused.value.clause == clause
    told.when(adjust("Adalger", "hp", value), allow="so be it").then(HpSet("Adalger", int(value), 22))


def test_at_0_hit_points_they_fall_as_by_a_blow():
    """aachen.mortal.wound: the clock runs to the end of round 1 + 6; contact ends; a minor npc dies."""
    told = fight(adalger(), gerlind(), guard(), guard("Minor", minor=True)).when(adjust("Adalger", "engaged", "guard"))
    told.then(Engaged("Adalger", "Guard"))
    down = told.when(adjust("Adalger", "hp", "0")).ruled("aachen.mortal.wound", "mortally wounded")
    down.then(
        HpSet("Adalger", 0, 22),
        Felled("Adalger", "dying"),
        ConditionGained("Adalger", "mortally wounded", "round-end", round=7),
        Disengaged("Adalger", "Guard"),
    )
    down.refused(Attack("Adalger", "Guard"), "aachen.damage.out-of-action")
    told.when(adjust("Minor", "hp", "0")).ruled("aachen.mortal.minor-dies").then(Felled("Minor", "dead"))


def test_above_0_they_revive_as_by_magic_and_the_dead_do_not():
    """aachen.mortal.magic-healing"""
    down = fight(adalger(), guard()).when(adjust("Adalger", "hp", "0"))
    down.when(adjust("Adalger", "hp", "3")).ruled("aachen.mortal.magic-healing", "revives").then(
        HpSet("Adalger", 3, 22), ConditionEnded("Adalger", "mortally wounded"), Rose("Adalger")
    )
    dead = down.when(adjust("Adalger", "down", "dead"))
    dead.when(adjust("Adalger", "hp", "3")).ruled("aachen.mortal.magic-healing", "stays dead").then(no(Rose))


def test_the_stable_and_the_dying_revive_above_0_and_who_is_only_out_cold_does_not():
    """aachen.mortal.magic-healing: stable at 0; dying by the game master's word, with all 22; out cold with 22."""
    hurt = fight(adalger(), guard()).when(adjust("Adalger", "hp", "0"))
    stable = hurt.when(adjust("Adalger", "down", "unconscious"))
    stable.when(adjust("Adalger", "hp", "1")).ruled("aachen.mortal.magic-healing", "revives").then(Rose("Adalger"))
    dying = fight(adalger(), guard()).when(adjust("Adalger", "down", "dying"))
    dying.when(adjust("Adalger", "hp", "1")).ruled("aachen.mortal.magic-healing", "revives").then(Rose("Adalger"))
    asleep = fight(adalger(), guard()).when(adjust("Adalger", "down", "unconscious"))
    asleep.when(adjust("Adalger", "hp", "1")).then(no(Rose))


def test_the_unconscious_with_hit_points_left_can_still_be_wounded():
    """aachen.mortal.wound: out cold with 22 hit points, and then with none."""
    asleep = fight(adalger(), guard()).when(adjust("Adalger", "down", "unconscious"))
    wounded = asleep.when(adjust("Adalger", "hp", "0")).ruled("aachen.mortal.wound", "mortally wounded")
    wounded.then(Felled("Adalger", "dying"))


def test_the_dead_are_told_to_stay_dead_only_with_hit_points():
    """aachen.mortal.magic-healing: above 0 one revives, and the dead do not; at 0 there is nothing to say."""
    dead = table(adalger(), guard()).when(adjust("Adalger", "down", "dead"))
    dead.when(adjust("Adalger", "hp", "1")).ruled("aachen.mortal.magic-healing", "stays dead")
    dead.when(adjust("Adalger", "hp", "0")).then(no(Ruled))
    stunned = table(adalger(), guard()).when(adjust("Adalger", "down", "unconscious"))
    stunned.when(adjust("Adalger", "hp", "1")).then(no(Rose), no(Ruled))
    woken = stunned.when(adjust("Adalger", "hp", "0")).when(adjust("Adalger", "hp", "1"))
    woken.ruled("aachen.mortal.magic-healing", "revives").then(Rose("Adalger"))


def test_who_has_a_hit_point_left_is_given_none_by_being_raised():
    """aachen.mortal.revive: 1 is what those with none get."""
    told = table(adalger(), guard()).when(adjust("Adalger", "hp", "1")).when(adjust("Adalger", "down", "unconscious"))
    told.when(adjust("Adalger", "down", "no")).then(no(HpSet), Rose("Adalger"))


def test_who_has_a_hit_point_left_regains_none_by_waking():
    """aachen.mortal.revive: 1 is what those with none get."""
    told = table(adalger(), guard()).when(adjust("Adalger", "hp", "1")).when(adjust("Adalger", "down", "unconscious"))
    told.when(Rest("Adalger")).then(no(HpGained), Rose("Adalger"))


def test_who_wakes_below_0_has_1_hit_point():
    """aachen.mortal.revive: the 3 below 0 are a ruling of the game master; 4 are regained."""
    told = table(adalger(), guard()).when(adjust("Adalger", "hp", "-3"), allow="so be it")
    told = told.when(adjust("Adalger", "down", "unconscious")).when(Rest("Adalger"))
    told.then(HpGained("Adalger", 4, 1), Rose("Adalger"))


def test_nobody_stands_at_0_and_one_who_is_unconscious_there_is_stable():
    """aachen.mortal.revive: after ten minutes with 1 hit point, and frail."""
    down = table(adalger(), guard()).when(adjust("Adalger", "hp", "0"))
    down.when(adjust("Adalger", "down", "no")).then(HpSet("Adalger", 1, 22), Rose("Adalger"))
    stable = down.when(adjust("Adalger", "down", "unconscious")).then(ConditionGained("Adalger", "stable"))
    woken = stable.when(Rest("Adalger"))
    assert woken.state.harm.hp["Adalger"].now == 1
    assert has(woken, "Adalger", "frail")


@pytest.mark.parametrize("who", ["Adalger", "Gerlind", "Guard"])
def test_contact_is_between_two_enemies_who_stand(who):
    told = fight(adalger(), gerlind(), guard()).when(adjust("Guard", "down", "dead"))
    impossible(told, adjust("Adalger", "engaged", who))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("equipped", "xyzzy"), ("equipped", "sword"), ("no-equipped", "bow"), ("no-condition", "prone"), ("pain", "1"),
        ("at", "1,1"), ("magica", "1"), ("no-engaged", "guard"), ("down", "no"), ("hp", "22"), ("hp-max", "0"),
        ("main", "-1"), ("turn", "2"), ("item", "axe"), ("no-item", "shield"), ("item", "bow@guard"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_whatever_is_allowed(field, value):
    impossible(fight(adalger(weapons=[SWORD]), guard()), adjust("Adalger", field, value))


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("grappled", "affray grapple Guard Adalger --allow 'the reason'"),
        ("Grappling", "affray grapple Adalger Guard --allow 'the reason'"),
        ("total defense", "The verb defend gives it; it ends with the round."),
        ("stable", "It follows from the field down: dying, unconscious, dead or no."),
    ],
)
def test_a_condition_of_a_verb_is_left_to_it(condition, hint):
    with pytest.raises(UsageError, match="is not set by itself") as error:
        fight(adalger(), gerlind(), guard()).when(adjust("Adalger", "condition", condition))
    assert offered_by(error.value) == hint


def test_a_weapon_is_named_by_its_beginning():
    told = fight(adalger(weapons=[SWORD, {**DAGGER, "ready": False}]), guard()).when(
        adjust("Adalger", "equipped", "DAG")
    )
    told.then(Equipped("Adalger", "dagger", drawn=True))
    told.when(adjust("Adalger", "no-equipped", "da")).then(Unequipped("Adalger", "dagger"))


def test_a_weapon_that_is_found_strikes_when_it_is_drawn():
    """aachen.attack.readied-weapon, aachen.damage.roll: 1d6 of 4 and STR +1: 5 of the guard's 6."""
    told = fight(adalger(weapons=[SWORD]), guard()).when(adjust("Adalger", "item", AXE))
    told.refused(Attack("Adalger", "Guard", with_="axe"), "aachen.attack.readied-weapon")
    drawn = told.when(Draw("Adalger", "axe", at_hand=True)).then(Equipped("Adalger", "axe", drawn=True))
    drawn.when(Attack("Adalger", "Guard", with_="axe"), dice=[15, 4]).then(HpLost("Guard", 5, 1))
    axe = {"name": "axe", "damage": "1d6", "attr": "STR"}
    ready = SheetSet("Adalger", {**adalger().sheets[0], "weapons": [SWORD, axe]})
    told.when(ready).then(Equipped("Adalger", "axe"))


def test_a_weapon_changes_hands():
    told = fight(adalger(weapons=[DAGGER]), guard(weapons=[SWORD])).when(adjust("Adalger", "item", "sword@guard"))
    told.then(Unequipped("Guard", "sword"))
    told = told.when(adjust("Adalger", "equipped", "sword"))
    told.when(Attack("Adalger", "Guard", with_="sword"), dice=[15, 4]).then(HpLost("Guard", 5, 1))
    impossible(told, Draw("Guard", "sword"), "has no 'sword'")
    assert told.when(adjust("Adalger", "no-item", "sword")).state.gear.equipped["Adalger"] == ("dagger",)


def test_a_second_sword_has_a_number_and_dice():
    told = fight(adalger(weapons=[SWORD]), guard(weapons=[SWORD])).when(adjust("Adalger", "item", "sword@guard"))
    told.when(Draw("Adalger", "sword-2", at_hand=True)).then(Equipped("Adalger", "sword-2", drawn=True))
    impossible(told, adjust("Adalger", "item", 'name = "mist", damage = "two"'), "neither dice nor points")


def test_anyone_who_was_stable_and_dies_again_has_a_new_clock():
    """aachen.mortal.six-rounds: the game master lets Adalger die after he was stable."""
    told = fight(adalger(), guard()).when(adjust("Adalger", "hp", "0")).when(adjust("Adalger", "down", "unconscious"))
    assert has(told, "Adalger", "stable")
    told = told.when(adjust("Adalger", "down", "dying")).then(Felled("Adalger", "dying"))
    told.then(ConditionEnded("Adalger", "stable"))
    assert has(told, "Adalger", "mortally wounded")
    assert not has(told, "Adalger", "stable")


def test_an_empty_crossbow_that_is_taken_away_is_empty_no_more():
    told = fight(gerlind(weapons=[CROSSBOW, DAGGER]), guard())
    told = told.when(adjust("Gerlind", "condition", "crossbow empty"))
    told = told.when(adjust("Gerlind", "no-item", "crossbow"))
    told.then(Unequipped("Gerlind", "crossbow"), ConditionEnded("Gerlind", "crossbow empty"))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Heal("Gerlind", "Guard", magic=3), "Nothing heals Guard"),
        (Rest("Guard"), "Rest does not help Guard"),
        (Trigger("Adalger", luck=True), "Luck can change no attack now"),
        (Shoot("Adalger", "Wolf", with_="sword", distance=30), "The sheet does not say how far sword reaches"),
        (Shoot("Gerlind", "Wolf", with_="large bow"), "A shot needs a distance"),
        (Join(({"name": "Odd", "attributes": {"STR": 19}},)), "The table has no modifier for STR 19"),
    ],
)
def test_what_the_game_master_allows_must_still_mean_something(said, words):
    told = fight(adalger(), gerlind(), guard(), wolf()).when(adjust("Guard", "down", "dead"))
    with pytest.raises(Refused):
        told.when(said)
    with pytest.raises(UsageError, match=words):
        told.when(said, allow="so be it")


def test_no_initiative_is_rolled_where_nobody_can_act():
    """aachen.initiative.side-roll"""
    told = begun(adalger(), guard()).when(adjust("Adalger", "down", "dead")).when(adjust("Guard", "down", "dead"))
    told.refused(Initiative(), "aachen.initiative.side-roll")
    with pytest.raises(UsageError, match="Nobody is able to act"):
        told.when(Initiative(), allow="so be it")


def test_a_stat_block_that_says_little_has_1_hit_point():
    told = table(someone("Rat"))
    assert (told.state.harm.hp["Rat"].now, told.state.harm.hp["Rat"].most) == (1, 1)
    impossible(table(), someone("Rat", hp_max=0), "hp_max")


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("initiative", "affray initiative Adalger=5"),
        ("prone", "affray adjust Adalger condition prone 'the reason'"),
        ("wounds", "set hp or down"),
        ("at", "set engaged or no-engaged"),
        ("dropped", "stow --drop"),
        ("picked-up", "draw --pick-up"),
    ],
)
def test_what_is_set_elsewhere_is_said_with_where(field, says):
    with pytest.raises(UsageError, match=f"does not set {field} with adjust") as error:
        fight(adalger(), guard()).when(adjust("Adalger", field, "5"))
    assert says in offered_by(error.value)


def test_nobody_acts_before_initiative_or_outside_of_a_fight():
    """aachen.round.sequence"""
    for told, says in ((table(adalger(), guard()), "No encounter"), (begun(adalger(), guard()), "Initiative has not")):
        with pytest.raises(Refused, match=says) as refused:
            told.when(Attack("Adalger", "Guard"))
        assert refused.value.clause == "aachen.round.sequence"


def test_what_the_game_master_does_not_set_has_another_way():
    told = fight(adalger(), gerlind(), guard(), wolf()).when(adjust("Guard", "down", "dead"))
    refuses_with_another_way(told, "aachen", "Adalger", "sword", "shield")


def test_who_is_put_out_with_a_hit_point_left_is_not_stable():
    """aachen.mortal.stabilise is for those who have none: the others can still be wounded."""
    told = fight(adalger(), guard(hp=1)).when(adjust("Guard", "down", "unconscious"))
    assert not has(told, "Guard", "stable")
    none = fight(adalger(), guard()).when(adjust("Guard", "hp", "0")).when(adjust("Guard", "down", "unconscious"))
    assert has(none, "Guard", "stable")


def test_frailty_comes_and_goes_with_the_stat_block_and_without_it_by_itself():
    """aachen.mortal.revive"""
    frail = fight(adalger(), guard()).when(adjust("Adalger", "frail", "true"))
    frail.then(ConditionGained("Adalger", "frail"))
    frail.when(adjust("Adalger", "ac", "16")).then(no(ConditionGained))
    frail.when(adjust("Adalger", "frail", "false")).then(ConditionEnded("Adalger", "frail"))
    rested = frail.when(adjust("Adalger", "no-condition", "frail"))
    rested.when(adjust("Adalger", "frail", "false")).then(no(ConditionEnded))
    bare = fight(adalger(shield=True), guard()).when(adjust("Adalger", "no-equipped", "shield"))
    bare.when(adjust("Adalger", "ac", "16")).then(no(Equipped))
    woken = fight(adalger(), guard()).when(adjust("Adalger", "condition", "frail"))
    woken.when(adjust("Adalger", "ac", "16")).then(no(ConditionEnded))


def test_the_dead_with_hit_points_left_lose_them_by_the_game_masters_word():
    """aachen.damage.floor: 3 of 22."""
    dead = fight(adalger(), guard()).when(adjust("Adalger", "down", "dead"))
    dead.when(Damage(("Adalger",), 3, WHY)).then(HpLost("Adalger", 3, 19, 22))
