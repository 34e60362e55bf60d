"""The game master's word: names, pain and wounds with their lines, weapons that are found."""

import pytest

from commands.action.adjust import Adjust
from commands.action.damage import Damage
from commands.action.view import View
from commands.rules.paraverse.combat import Attack, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.phases import Phase
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import UsageError
from ledger.events import (
    AreaEntered,
    Awaited,
    Disengaged,
    Engaged,
    Equipped,
    Felled,
    ItemGained,
    PainEased,
    PainSuffered,
    PointsSet,
    Rolled,
    Rose,
    SideChanged,
    SkirmishLeft,
    Unequipped,
    WaitingEnded,
    WoundSuffered,
)
from projections.state import fold
from tests.gm import refuses_with_another_way
from tests.hints import offered_by
from tests.kit import Told, given, no

from .table import impossible, planning, reaver, sigrun, someone, vasko

WHY = "the game master says so"
AXE = 'name = "axe", use = "melee", base = 10'


def adjust(who, field, value):
    return Adjust(who, field, value, WHY)


def test_pain_that_uses_up_the_stamina_fells_at_once_outside_of_rounds():
    """paraverse.incapacitated.stamina: Sigrun's Endurance is 6: 5 leave 1, 6 leave 0."""
    told = given("paraverse", sigrun(), reaver())
    told.when(adjust("Sigrun", "pain", "5")).then(PainSuffered("Sigrun", 5, 5), no(Felled))
    down = told.when(adjust("Sigrun", "pain", "6")).ruled("paraverse.incapacitated.stamina", "incapacitated", [0])
    down.then(PainSuffered("Sigrun", 6, 6), Felled("Sigrun", "unconscious"))
    down.when(adjust("Sigrun", "pain", "5")).ruled("paraverse.incapacitated.wakes", "awake", [1]).then(
        PainEased("Sigrun", 1, 5), Rose("Sigrun")
    )
    down.when(adjust("Sigrun", "down", "no")).then(PainEased("Sigrun", 1, 5), Rose("Sigrun"))
    deep = told.when(adjust("Sigrun", "pain", "8"))  # 2 more than the Stamina
    deep.when(adjust("Sigrun", "down", "no")).then(PainEased("Sigrun", 3, 5), Rose("Sigrun"))
    impossible(told, adjust("Sigrun", "pain", "-1"), "0 or more")
    felled = told.when(adjust("Sigrun", "pain", "5")).when(adjust("Sigrun", "down", "unconscious"))
    felled.when(adjust("Sigrun", "down", "no")).then(no(PainEased), Rose("Sigrun"))  # 1 Stamina is left


def test_in_a_round_pain_fells_when_the_phase_closes_and_is_announced():
    """paraverse.incapacitated.stamina"""
    told = planning(sigrun(), reaver()).when(adjust("Reaver", "pain", "9"))
    told.ruled("paraverse.incapacitated.stamina", "falls at the end of the phase", [-3]).then(no(Felled))
    told.when(Phase(pass_rest=True)).then(Felled("Reaver", "unconscious"))


def test_a_wound_does_what_it_does():
    """paraverse.wound.severed-head: dead at the end of the phase; paraverse.wound.no-repeat-critical: once."""
    told = given("paraverse", sigrun(), reaver()).when(adjust("Reaver", "wound", "severed-h"))
    told.ruled("paraverse.wound.severed-head", "dead").then(
        WoundSuffered("Reaver", "severed-head", "head"), Felled("Reaver", "dead")
    )
    later = planning(sigrun(), reaver()).when(adjust("Reaver", "wound", "skull"))
    later.then(
        WoundSuffered("Reaver", "skull-fracture", "head"),
        Awaited("fall", "Reaver", "fall", {"text": "unconscious"}, until="at the end of the phase"),
    )
    impossible(later, adjust("Reaver", "wound", "skull-fracture"), "already")
    impossible(later, adjust("Reaver", "wound", "bleeder@head"), "in the torso")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hp", "3"), ("at", "1,1"), ("wounds", "2"), ("stress", "1"), ("equipped", "ax"), ("equipped", "broad"),
        ("no-equipped", "bow"), ("area", "moon"), ("engaged", "sigrun"), ("engaged", "ada"), ("no-engaged", "reaver"),
        ("condition", "attacked"), ("no-condition", "x"), ("down", "dying"), ("item", "axe"), ("no-item", "axe"),
        ("item", 'use = "melee", base = 3'), ("change", "2"), ("death-check", "1"), ("no-wound", "bleeder"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_whatever_is_allowed(field, value):
    impossible(planning(sigrun(), reaver(), someone("Ada", "party")), adjust("Sigrun", field, value))


def test_a_field_of_other_games_is_answered_with_the_way():
    with pytest.raises(UsageError) as error:
        planning(sigrun(), reaver()).when(adjust("Sigrun", "hp", "3"))
    assert offered_by(error.value) == "affray adjust Sigrun pain 1 'the reason'"


def test_places_sides_and_opponents_are_named_by_their_beginning():
    """paraverse.engaged.no-leaving: who is put elsewhere is engaged with nobody there."""
    told = planning(sigrun(), reaver(), areas=("hall", "yard")).when(adjust("Sigrun", "engaged", "rea"))
    told.then(Engaged("Sigrun", "Reaver"))
    moved = told.when(adjust("Sigrun", "area", "YA")).then(
        AreaEntered("Sigrun", "yard"), Disengaged("Sigrun", "Reaver")
    )
    impossible(moved, adjust("Sigrun", "engaged", "reaver"), "not where Sigrun is")
    told.when(adjust("Reaver", "side", "par")).then(SideChanged("Reaver", "party"), Disengaged("Reaver", "Sigrun"))
    told.refused(adjust("Reaver", "side", "rebels"), "paraverse.action.attack-another")


def test_one_weapon_is_in_hand_and_the_attack_is_declared_anew():
    """paraverse.planning.means"""
    told = planning(sigrun(), reaver()).when(Attack("Sigrun", "Reaver")).when(adjust("Sigrun", "equipped", "kni"))
    told.then(
        Unequipped("Sigrun", "broadsword"),
        WaitingEnded("declared", "Sigrun", "withdrawn", "attack", "what is in hand has changed"),
    )
    assert told.state.gear.equipped["Sigrun"] == ("shield", "knives")


def test_a_weapon_that_is_found_is_drawn_and_does_its_damage():
    """paraverse.weapon.free-change, paraverse.damage.formula: base 10."""
    told = planning(sigrun(), reaver()).when(adjust("Sigrun", "item", AXE))
    (gained,) = [event for event in told.events if isinstance(event, ItemGained)]
    assert (gained.who, gained.item) == ("Sigrun", "axe")
    assert b'"axe":{"use":"melee","base":10}' in bytes(told.state.roster.members["Sigrun"].sheet)
    told.when(Draw("Sigrun", "ax")).then(Unequipped("Sigrun", "broadsword"), Equipped("Sigrun", "axe"))


def test_a_weapon_changes_hands_and_a_two_handed_one_lowers_the_shield():
    told = planning(sigrun(), reaver(), vasko()).when(adjust("Sigrun", "item", "great@reaver"))
    told.then(Unequipped("Reaver", "greataxe"))
    assert View(told.state).sheet("Reaver").hand == ""
    assert View(told.state).sheet("Sigrun").hand == "broadsword"
    armed = told.when(adjust("Sigrun", "equipped", "greataxe"))
    armed.then(Unequipped("Sigrun", "broadsword"), Unequipped("Sigrun", "shield"), Equipped("Sigrun", "greataxe"))
    impossible(armed, adjust("Sigrun", "equipped", "shield"), "both hands")
    told.refused(Draw("Reaver", "greataxe"), "paraverse.weapon.free-change")


def test_anyone_who_stands_by_the_game_masters_word_does_not_fall_by_a_wound_before():
    """paraverse.wound.severed-head: Reaver lies, loses his head, and stands up again before the phase closes."""
    told = planning(sigrun(), reaver()).when(adjust("Reaver", "down", "unconscious"))
    told = told.when(adjust("Reaver", "wound", "severed-head"))
    stays = WaitingEnded("fall", "Reaver", "the game master says no", "fall")
    told = told.when(adjust("Reaver", "down", "no")).then(stays)
    told.then(Rose("Reaver"))
    told.when(Phase(pass_rest=True)).then(no(Felled))


def test_the_dead_feel_no_pain():
    """paraverse.magic.effect-damage: the game master's word either."""
    told = planning(sigrun(), reaver()).when(adjust("Reaver", "down", "dead"))
    impossible(told, Damage(("Reaver",), 3, "the test"), "Reaver cannot be harmed any more")


def test_a_shield_in_hand_or_put_away_withdraws_no_attack():
    """paraverse.planning.means: the attack is made with the sword all the same; without the sword it is not."""
    told = planning(sigrun(), reaver()).when(Attack("Sigrun", "Reaver"))
    bare = told.when(adjust("Sigrun", "no-equipped", "shield")).then(Unequipped("Sigrun", "shield"), no(WaitingEnded))
    bare.when(adjust("Sigrun", "equipped", "shield")).then(Equipped("Sigrun", "shield"), no(WaitingEnded))
    told.when(adjust("Sigrun", "equipped", "knives")).then(
        Unequipped("Sigrun", "broadsword"),
        Equipped("Sigrun", "knives"),
        WaitingEnded("declared", "Sigrun", "withdrawn", "attack", "what is in hand has changed"),
    )
    kept = told.when(adjust("Sigrun", "no-item", "knives")).then(no(WaitingEnded), no(Unequipped))
    kept.when(adjust("Sigrun", "no-item", "broad")).then(
        Unequipped("Sigrun", "broadsword"),
        WaitingEnded("declared", "Sigrun", "withdrawn", "attack", "what is in hand has changed"),
    )


def test_the_stat_block_says_what_holds_from_the_start():
    told = given("paraverse", someone("Ulf", "party", conditions=["dazed", "wet"], pain=2))
    assert {*told.state.conditions.of["Ulf"]} == {"dazed", "wet"}
    assert told.state.pain.total("Ulf") == 2


def test_the_death_checks_of_one_who_still_bleeds_go_on():
    """paraverse.dying.stabilized-resets: one of two bleeding wounds is gone; by the later table both bleed."""
    told = planning(sigrun(), reaver(), wound_table="later")
    told = told.when(adjust("Reaver", "wound", "bleeder")).when(adjust("Reaver", "wound", "severed-leg"))
    told = Told(fold(told.state, [PointsSet("Reaver", "death-check", 1)]), ())
    one = told.when(adjust("Reaver", "no-wound", "bleeder"))
    assert one.state.points.left("Reaver", "death-check") == 1
    both = one.when(adjust("Reaver", "no-wound", "severed-leg"))
    assert both.state.points.left("Reaver", "death-check") == 3


def test_what_the_game_master_does_not_set_has_another_way():
    told = planning(sigrun(), vasko(), reaver()).when(adjust("Vasko", "down", "dead"))
    refuses_with_another_way(told, "paraverse", "Sigrun", "knives", "greataxe")


def in_melee(*words):
    """Sigrun attacks Reaver and he her; they have met, and not fought, when the game master speaks of Reaver."""
    told = planning(sigrun(), reaver(), areas=("hall", "yard"), link=("hall:yard",))
    told = told.when(Attack("Sigrun", "Reaver")).when(Attack("Reaver", "Sigrun")).when(Phase("melee", pass_rest=True))
    return told.when(Skirmish("Sigrun", "Reaver")).when(adjust("Reaver", *words)), told.when(adjust("Reaver", *words))


@pytest.mark.parametrize("how", ["dead", "unconscious"])
def test_anyone_who_is_down_by_the_game_masters_word_fights_no_more_in_the_phase_that_runs(how):
    """paraverse.phase.earlier-fall, paraverse.phase.target-gone"""
    met, apart = in_melee("down", how)
    why = f"Reaver is {how}"
    met.then(
        Felled("Reaver", how), SkirmishLeft("Reaver", 1), WaitingEnded("declared", "Reaver", "lost", "attack", why)
    )
    for told in (met, apart):
        fought = told.when(Resolve()).ruled("paraverse.phase.target-gone")
        fought.then(
            WaitingEnded("declared", "Sigrun", "lost", "attack", "the target is down or gone"),
            no(Rolled),
            no(PainSuffered),
        )


@pytest.mark.parametrize(
    ("field", "value", "clause", "whys"),
    [
        ("area", "yard", "paraverse.assign.same-area", ("Reaver is elsewhere", "Sigrun is elsewhere")),
        (
            "side",
            "party",
            "paraverse.action.attack-another",
            ("Sigrun and Reaver are on one side", "Reaver and Sigrun are on one side"),
        ),
    ],
)
def test_anyone_who_is_elsewhere_or_a_friend_by_the_game_masters_word_is_fought_by_nobody(field, value, clause, whys):
    """paraverse.assign.same-area, paraverse.action.attack-another"""
    for told in in_melee(field, value):
        fought = told.when(Resolve()).ruled(clause)
        fought.then(
            WaitingEnded("declared", "Sigrun", "lost", "attack", whys[0]),
            WaitingEnded("declared", "Reaver", "lost", "attack", whys[1]),
            no(Rolled),
        )


def test_a_weapon_gone_by_the_game_masters_word_hurts_nobody_in_the_phase_that_runs():
    """paraverse.skirmish.evader-no-damage: Reaver evades with 20 + 0 against 1 + 6, and hurts nobody."""
    for told in in_melee("no-equipped", "greataxe"):
        fought = told.when(Resolve(), [1, 20]).ruled("paraverse.skirmish.evader-no-damage")
        fought.then(no(PainSuffered))


def test_a_declared_draw_of_wounds_stays_simultaneous_though_the_game_master_corrects_one():
    """paraverse.round.simultaneous: the 2 pain of the correction count at once; the blow before it does not."""
    told = planning(sigrun(), reaver())
    told = told.when(Attack("Sigrun", "Reaver")).when(Phase("melee", pass_rest=True))
    told = told.when(adjust("Sigrun", "pain", "2"))
    assert (told.events[0].counts, told.state.opening.pain.total("Sigrun")) == ("at once", 2)
    assert told.when(adjust("Sigrun", "pain", "3")).events[0].counts == "at once"
    fought = told.when(Resolve(), [20, 1, 2])  # 26 to 5: x3 of 7, less 3, on the head: 18 damage, 4 pain
    fought.then(PainSuffered("Reaver", 4, 4))
    assert (fought.events[0].counts, fought.state.opening.pain.total("Reaver")) == ("at the end", 0)


def test_pain_that_is_felt_already_is_no_correction():
    """Also where there is none."""
    told = given("paraverse", sigrun())
    impossible(told, Adjust("Sigrun", "pain", "0", "the test"), "Nothing would change")
    hurt = told.when(Adjust("Sigrun", "pain", "2", "the test"))
    impossible(hurt, Adjust("Sigrun", "pain", "2", "the test"), "Nothing would change")
