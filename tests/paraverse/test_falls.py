"""Wound effects, bleeding, falling, waking, dying, resting."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Option
from commands.rules.paraverse.combat import Attack, Check, Shoot
from commands.rules.paraverse.encounter import Begin, End
from commands.rules.paraverse.healing import Heal, Rest, Save
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.resolve import Resolve
from ledger.events import (
    ConditionEnded,
    Felled,
    PainEased,
    PainSuffered,
    PointsSet,
    PointsSpent,
    Rose,
    Ruled,
    WoundTreated,
)
from projections.harm import Wound
from tests.kit import given, lines, no

from .table import ildar, impossible, next_round, opened, planning, reaver, resolved, rolls, said, sigrun, vasko


def hurt(*, then: str = "melee", **effect):
    """Vasko, Endurance 5, suffers an effect in planning; then a phase opens."""
    fields = effect.pop("fields", {})
    options = effect.pop("options", {})
    return opened(planning(sigrun(), vasko(**fields), **options).when(Effect(("Vasko",), **effect)), then)


def down(told, who: str = "Vasko") -> str:
    """How somebody is down; "" for standing."""
    return told.state.harm.down[who].how if who in told.state.harm.down else ""


# Wounds


def test_a_skull_fracture_fells():
    """paraverse.wound.skull-fracture: 9 over 4 is 3, Stamina 2 is left; out when the phase closes, not bleeding."""
    told = hurt(damage=9, location="head")
    assert down(told) == "unconscious"
    opened(told, "end").then(no(PainSuffered))


def test_a_skull_fracture_clouds_the_mind():
    """paraverse.wound.skull-fracture: COG and WIL checks; not others."""
    told = planning(ildar(wounds=["skull-fracture"], skills={"acrobatics": 4}))
    for skill in ("wil", "cog", "stabilization"):
        assert len(rolls(resolved(said(told, Check("Ildar", skill)), "misc", [9, 8]))[0][2]) == 2
    resolved(said(told, Check("Ildar", "acrobatics")), "misc", [9])


def test_a_bleeder_bleeds():
    """paraverse.wound.bleeder, paraverse.end.bleeding: first pain in this round's end phase: 3, and 1."""
    told = hurt(damage=9, location="torso", then="misc")
    assert told.state.pain.total("Vasko") == 3
    opened(told, "end").then(PainSuffered("Vasko", 1, 4))


def test_a_fractured_arm_hinders_the_arms():
    """paraverse.wound.fractured-arm: [17,4] counts 4; his Evasion is one die."""
    told = said(planning(ildar(wounds=["fractured-arm"]), vasko()), Shoot("Ildar", "Vasko"), Shoot("Vasko", "Ildar"))
    told = resolved(told, "ranged", [17, 4, 19, 2, 9])
    told.ruled("paraverse.ranged.hit-if-higher", "miss", [10, 20]).ruled(
        "paraverse.ranged.hit-if-higher", "miss", [5, 13]
    )


def test_a_fractured_leg_hinders_the_legs():
    """paraverse.wound.fractured-leg: he evades with [15,6]: 6+4."""
    told = said(planning(ildar(wounds=["fractured-leg"]), vasko()), Shoot("Vasko", "Ildar"))
    resolved(told, "ranged", [2, 15, 6]).ruled("paraverse.ranged.hit-if-higher", "miss", [5, 10])


def test_a_fractured_leg_hinders_climbing():
    """paraverse.wound.fractured-leg, paraverse.wound.fractured-arm: Physical skills; Manual only by the arm."""
    for wound, skill, dice in (
        ("fractured-leg", "acrobatics", 2), ("fractured-arm", "acrobatics", 2),
        ("fractured-leg", "lock-picking", 1), ("fractured-arm", "lock-picking", 2),
        ("fractured-arm", "mercantile", 1),
    ):  # fmt: skip
        told = said(planning(ildar(wounds=[wound])), Check("Ildar", skill))
        assert len(rolls(resolved(told, "misc", [9] * dice))[0][2]) == dice


@pytest.mark.parametrize(("wound", "place"), [("severed-head", "head"), ("crushed-torso", "torso")])
def test_some_wounds_kill(wound, place):
    """paraverse.wound.severed-head: 29; paraverse.wound.crushed-torso: 27. Dead when the phase closes."""
    told = planning(sigrun(), vasko()).when(Effect(("Vasko",), damage=29 if place == "head" else 27, location=place))
    told.ruled(f"paraverse.wound.{wound}", "dead").then(no(Felled))
    opened(told, "ranged").then(Felled("Vasko", "dead"))


def test_a_severed_arm_fells_and_hinders_for_ever():
    """paraverse.wound.severed-arm: awake again, every stroke is two dice."""
    told = hurt(damage=27, location="arms", fields={"endurance": 20, "hand": "club"})
    assert down(told) == "unconscious"
    told = said(next_round(told), Heal("Vasko", pain=1), Attack("Vasko", "Sigrun"))
    resolved(told, "melee", [9, 8, 19, 2]).ruled("paraverse.disadvantage.lower-die", "disadvantage: severed-arm", [8])


def test_a_severed_leg_fells_and_hinders_for_ever():
    """paraverse.wound.severed-leg: awake again, Evasion is two dice."""
    told = hurt(damage=27, location="legs", fields={"endurance": 20})
    assert down(told) == "unconscious"
    told = said(next_round(told), Heal("Vasko", pain=1), Attack("Sigrun", "Vasko"))
    told = resolved(told, "melee", [9, 15, 6, 2]).ruled(
        "paraverse.disadvantage.lower-die", "disadvantage: severed-leg", [6]
    )
    assert down(opened(told, "end")) == ""  # an old wound does not fell again


def test_without_the_option_wounds_do_nothing():
    """paraverse.wound.severed-head, paraverse.wound.bleeder: option critical_wound_effects."""
    told = hurt(damage=29, location="head", fields={"endurance": 20}, options={"critical_wound_effects": False})
    assert down(told) == ""
    told = hurt(damage=9, location="torso", options={"critical_wound_effects": False}, then="end")
    assert told.state.pain.total("Vasko") == 3


def test_more_wounds_bleed_by_the_later_table():
    """paraverse.wound.table, option wound_table: a skull fracture bleeds too."""
    told = hurt(damage=9, location="head", options={"wound_table": "later"}, then="end")
    assert told.state.pain.total("Vasko") == 4


def test_treatment():
    """paraverse.wound.treatment: a critical wound goes, with its effects; a supercritical one stays."""
    told = planning(vasko(wounds=["fractured-arm", "severed-leg"]))
    told.when(Heal("Vasko", wound="fractured-arm")).then(WoundTreated("Vasko", "fractured-arm"))
    impossible(told, Heal("Vasko"), "What is healed of Vasko?")
    told.refused(Heal("Vasko", wound="severed-leg"), "paraverse.wound.treatment")
    told.refused(Heal("Vasko", wound="bleeder"), "paraverse.wound.treatment")
    told.when(Heal("Vasko", wound="severed-leg"), allow="a wonder").then(WoundTreated("Vasko", "severed-leg"))


# The end phase


def test_bleeding_is_1_however_many_wounds():
    """paraverse.end.bleeding: pain 3, so 4; by the option 2 each."""
    fields = {"wounds": ["bleeder", "skull-fracture"], "pain": 3}
    opened(planning(vasko(**fields), wound_table="later"), "end").then(PainSuffered("Vasko", 1, 4))
    opened(planning(vasko(**fields), bleeding_pain=2), "end").then(PainSuffered("Vasko", 2, 5))


def test_bleeding_stops_at_stamina_0():
    """paraverse.end.bleeding-stops: pain 4, then 5 and down; then still 5."""
    told = opened(planning(sigrun(), vasko(wounds=["bleeder"], pain=4)), "end")
    assert (told.state.pain.total("Vasko"), down(told)) == (5, "unconscious")
    told = opened(next_round(told), "end").then(no(PainSuffered))
    told.ruled("paraverse.end.bleeding-stops", "bleeding causes no further pain", [0])


def test_the_dead_do_not_bleed():
    """paraverse.end.bleeding-stops"""
    told = planning(sigrun(), vasko(wounds=["bleeder"])).when(Adjust("Vasko", "down", "dead", "a story"))
    opened(told, "end").then(no(PainSuffered))


def test_lasting_effects_spenteach_round():
    """paraverse.end.effects, paraverse.end.expiry: burning 2 for 2 rounds, in the magic phase of round 1."""
    told = opened(planning(sigrun(), reaver()), "magic").when(Effect(("Reaver",), name="burning", each=2, rounds=2))
    told = opened(told, "end").then(PainSuffered("Reaver", 2, 2), no(ConditionEnded))
    told = opened(next_round(told), "end").then(PainSuffered("Reaver", 2, 4), ConditionEnded("Reaver", "burning"))
    opened(next_round(told), "end").then(no(PainSuffered))


def test_the_round_of_declaration_counts():
    """paraverse.end.expiry: a disadvantage for 1 round, declared in magic, ends in the same round."""
    told = opened(planning(reaver()), "magic").when(Effect(("Reaver",), name="dazed", gives=("all:dis",), rounds=1))
    opened(told, "end").then(ConditionEnded("Reaver", "dazed"))


# Falling and waking


@pytest.mark.parametrize(("pain", "how"), [(5, ""), (6, "unconscious"), (20, "unconscious")])
def test_pain_fells_and_does_not_kill(pain, how):
    """paraverse.incapacitated.stamina: Reaver, Endurance 6."""
    told = opened(planning(sigrun(), reaver()).when(Effect(("Reaver",), pain=pain)), "ranged")
    assert down(told, "Reaver") == how


def test_a_fall_by_pain_is_announced_with_the_blow_that_causes_it():
    """paraverse.incapacitated.stamina: 25 against 5 with a broadsword is three times 7 less 3, 18: 4 pain for a
    Fortitude of 5, which leaves Reaver 2 of 6; two more leave none. What was announced is not said again.
    """
    told = resolved(said(planning(sigrun(), reaver()), Attack("Sigrun", "Reaver")), "melee", [19, 1, 4])
    assert "falls at the end of the phase" not in " ".join(lines(told.events))
    magic = opened(told, "magic")
    spent = magic.when(Effect(("Reaver",), pain=2)).ruled("paraverse.incapacitated.stamina", None, [0])
    assert lines(spent.events)[0].endswith("falls at the end of the phase")
    assert "falls" not in " ".join(lines(spent.when(Effect(("Reaver",), pain=1)).events))


def test_a_hit_on_somebody_without_stamina_announces_no_second_fall():
    """paraverse.incapacitated.stamina: 25 beats his evasion by 11 and more: three times 7 less 1 is 20, which is 5 pain
    for a Fortitude of 4, all of Vasko's 5. The next shot of the phase finds a Stamina of 0.
    """
    told = said(planning(ildar(), ildar(name="Dagny"), vasko()), Shoot("Ildar", "Vasko"), Shoot("Dagny", "Vasko"))
    first = opened(told, "ranged").when(Resolve("Ildar"), [19, 2, 4])
    first.then(PainSuffered("Vasko", 5, 5)).ruled("paraverse.incapacitated.stamina", None, [0])
    second = first.when(Resolve("Dagny"), [19, 2, 4]).then(PainSuffered("Vasko", 5, 10))
    assert "paraverse.incapacitated.stamina" not in [one.clause for one in second.events if isinstance(one, Ruled)]


def test_without_the_option_pain_fells_nobody():
    """paraverse.incapacitated.stamina: option incapacitation."""
    told = planning(sigrun(), reaver(), incapacitation=False).when(Effect(("Reaver",), pain=20))
    assert down(opened(told, "ranged"), "Reaver") == ""


def test_anyone_who_has_stamina_again_wakes():
    """paraverse.incapacitated.wakes: Stamina -1; healed 1 is still out, healed 2 awake."""
    told = hurt(pain=6)
    told.when(Heal("Vasko", pain=1)).then(PainEased("Vasko", 1, 5), no(Rose))
    told.when(Heal("Vasko", pain=2)).then(PainEased("Vasko", 2, 4), Rose("Vasko"))


def test_waking_whatever_had_felled():
    """paraverse.incapacitated.wakes: a skull fracture, pain 3 of 5; nothing eased wakes nobody."""
    told = hurt(damage=9, location="head")
    told.when(Heal("Vasko", pain=1)).then(Rose("Vasko"))
    told.when(Heal("Vasko", wound="skull-fracture")).then(no(Rose))


def test_the_dead_do_not_wake():
    """paraverse.incapacitated.wakes: a corpse is not healed of anything, whatever is allowed."""
    impossible(hurt(damage=27, location="torso"), Heal("Vasko", pain=9), "Vasko is dead")


def test_pain_is_not_eased_below_0():
    """paraverse.magic.effect-heal"""
    planning(vasko(pain=2)).when(Effect(("Vasko",), heal=5)).then(PainEased("Vasko", 2, 0))


# Dying


def dying(stamina: int = 4):
    """Vasko is unconscious and bleeding, after the fight; his Endurance gives him this Stamina."""
    told = hurt(damage=9, location="head", fields={"endurance": 3 + stamina, "wounds": ["bleeder"]}, then="misc")
    return told.when(End())


@pytest.mark.parametrize(("die", "outcome"), [(10, "failed"), (11, "failed"), (12, "passed"), (20, "passed")])
def test_a_death_check_is_passed_above_15(die, outcome):
    """paraverse.dying.death-check: Stamina 4; 14 and 15 fail, 16 passes."""
    told = dying().when(Save("Vasko"), [die]).ruled("paraverse.dying.death-check", outcome, [die + 4, 15])
    told.then(PointsSpent("Vasko", "death-check", 1, 2))


def test_naturals_mean_nothing_in_a_death_check():
    """paraverse.dying.death-check: 1 and 15 of Stamina are 16."""
    dying(15).when(Save("Vasko"), [1]).ruled("paraverse.dying.death-check", "passed", [16, 15])


def test_three_failures_kill():
    """paraverse.dying.three-failures"""
    told = dying().when(Save("Vasko"), [1]).when(Save("Vasko"), [2]).then(no(Felled))
    told.when(Save("Vasko"), [3]).ruled("paraverse.dying.three-failures", "dead").then(Felled("Vasko", "dead"))


def test_one_success_survives():
    """paraverse.dying.three-failures: fail, fail, pass; and no fourth check."""
    told = dying().when(Save("Vasko"), [1]).when(Save("Vasko"), [2]).when(Save("Vasko"), [19])
    assert down(told) == "unconscious"
    told.refused(Save("Vasko"), "paraverse.dying.death-check", [10])


def test_only_the_dying_check():
    """paraverse.dying.death-check: not the stable, not those who stand; nor during the fight."""
    hurt(pain=9).when(End()).refused(Save("Vasko"), "paraverse.dying.death-check", [10])
    dying().refused(Save("Sigrun"), "paraverse.dying.death-check", [10])


def test_anyone_who_stops_bleeding_begins_anew():
    """paraverse.dying.stabilized-resets: two failures, treated, bleeding anew: three new checks."""
    told = dying().when(Save("Vasko"), [1]).when(Save("Vasko"), [2]).when(Heal("Vasko", wound="bleeder"))
    told.then(PointsSet("Vasko", "death-check", 3), PointsSet("Vasko", "death-failure", 3))
    told = told.when(Adjust("Vasko", "wound", "bleeder@torso", "it opens again"))
    for die in (1, 2):
        told = told.when(Save("Vasko"), [die])
    assert down(told) == "unconscious"


@pytest.mark.parametrize("wound", ["bleeder", "fractured-arm"])
def test_who_bleeds_on_has_no_new_death_checks(wound: str):
    """paraverse.dying.stabilized-resets: his skull bleeds on, whichever other wound is treated."""
    told = dying().when(Option("wound_table", "later"))
    told = told.when(Adjust("Vasko", "wound", "fractured-arm", "and his arm")).when(Save("Vasko"), [1])
    told.when(Heal("Vasko", wound=wound)).then(WoundTreated("Vasko", wound), no(PointsSet))


def test_death_checks_outlast_another_fight():
    """paraverse.dying.death-check: one was made."""
    told = dying().when(Save("Vasko"), [1]).when(Begin()).when(End())
    assert told.state.points.of["Vasko"] == {"death-check": 2, "death-failure": 2}


def test_a_watch_of_rest_heals_1():
    """paraverse.rest.stamina: pain 3, two watches: 1; the dying and the dead get nothing."""
    told = given("paraverse", sigrun(pain=3)).when(Rest(watches=2)).then(PainEased("Sigrun", 2, 1))
    told = dying().when(Rest()).then(no(PainEased))
    told = hurt(damage=27, location="torso", then="misc").when(End()).when(Rest())
    told.then(no(PainEased))


def test_rest_wakes():
    """paraverse.rest.stamina, paraverse.incapacitated.wakes: pain 5 of 5."""
    hurt(pain=5).when(End()).when(Rest()).then(PainEased("Vasko", 1, 4), Rose("Vasko"))


def test_watches_pass_after_the_fight():
    """paraverse.rest.after-combat: neither rest nor a death check before its end."""
    told = hurt(damage=9, location="head", fields={"wounds": ["bleeder"]}, then="end")
    told.refused(Rest(), "paraverse.rest.after-combat").refused(Save("Vasko"), "paraverse.rest.after-combat", [10])


def test_the_end_settles_everything():
    """paraverse.end-encounter: falls, engagements, effects; pain and gear stay."""
    told = planning(sigrun(), reaver()).when(Effect(("Reaver",), pain=9, name="dazed", gives=("all:dis",)))
    told = told.when(End()).then(Felled("Reaver", "unconscious"), ConditionEnded("Reaver", "dazed"))
    assert told.state.pain.total("Reaver") == 9
    assert told.state.gear.equipped["Reaver"] == ("greataxe",)


def test_after_the_fight_an_effect_fells_at_once():
    """paraverse.incapacitated.stamina: there is no phase to close."""
    given("paraverse", vasko()).when(Effect(("Vasko",), pain=5)).then(Felled("Vasko", "unconscious"))
    impossible(given("paraverse", vasko()), Effect(("Vasko",), name="dazed", rounds=2), "Rounds are counted")


def test_a_correction_of_pain_wakes_and_fells():
    """paraverse.incapacitated.wakes, paraverse.incapacitated.stamina: Endurance 5; outside of a phase at once."""
    told = hurt(pain=6).when(Adjust("Vasko", "pain", "4", "miscounted"))
    told.ruled("paraverse.incapacitated.wakes", "awake", [1]).then(Rose("Vasko"))
    hurt(pain=6).when(Adjust("Vasko", "pain", "5", "miscounted")).then(no(Rose))
    told = given("paraverse", vasko()).when(Adjust("Vasko", "pain", "5", "miscounted"))
    told.then(Felled("Vasko", "unconscious"))
    hurt(pain=1).when(Adjust("Vasko", "pain", "5", "miscounted")).then(no(Felled))


def test_a_correction_of_wounds_ends_the_bleeding():
    """paraverse.dying.stabilized-resets"""
    told = dying().when(Save("Vasko"), [1]).when(Adjust("Vasko", "no-wound", "bleeder", "it was the other one"))
    told.then(PointsSet("Vasko", "death-check", 3), PointsSet("Vasko", "death-failure", 3))


def test_a_correction_names_a_wound_of_the_rules():
    """paraverse.wound.table: in its place, also when none is said."""
    told = planning(vasko()).when(Adjust("Vasko", "wound", "fractured-arm", "forgotten"))
    assert told.state.wounds.of["Vasko"] == (Wound("fractured-arm", "arms"),)
    impossible(
        planning(vasko()), Adjust("Vasko", "wound", "broken-arm", "forgotten"), "No wound is called 'broken-arm'"
    )


@pytest.mark.parametrize("wounds", [("severed-head", "severed-arm"), ("severed-arm", "severed-head")])
def test_who_is_to_fall_dead_does_so_whatever_else_would_fell_them(wounds):
    """paraverse.wound.severed-head, paraverse.wound.severed-arm: in either order."""
    told = opened(planning(sigrun(), vasko()), "melee")
    for wound in wounds:
        told = told.when(Adjust("Vasko", "wound", wound, "an axe"))
    assert down(opened(told, "end")) == "dead"
