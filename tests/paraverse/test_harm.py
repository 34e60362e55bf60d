"""Hit location, damage, pain and critical wounds."""

import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from commands.action.view import View
from commands.rules.paraverse.harm import PLACES
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.stat_block import Sheet
from ledger.events import PainSuffered, Ruled, WoundSuffered
from projections.harm import Wound
from tests.kit import no

from .table import ildar, planning, reaver, rolls, sigrun, vasko
from .test_ranged import shot
from .test_skirmish import duel


@pytest.mark.parametrize(
    ("dice", "place"),
    [
        ([2], "torso"), ([3], "arms"), ([4], "legs"),
        ([1, 1], "head"), ([1, 2], "head"), ([1, 3], "torso"), ([1, 4], "torso"),
    ],
)  # fmt: skip
def test_where_a_hit_lands(dice, place):
    """paraverse.hit-location, paraverse.hit-location.second-die: after a 1 a second d4."""
    told = shot("Ildar", "Vasko", [7, 11, *dice])
    clause = "paraverse.hit-location.second-die" if len(dice) > 1 else "paraverse.hit-location"
    told.ruled(clause, place, about="Vasko")
    assert len(rolls(told)) == 2 + len(dice)


def test_the_location_is_rolled_even_without_damage():
    """paraverse.hit-location.before-damage: dagger 4 v AV 5; the d4 is among the dice."""
    told = duel([19, 12, 2], vasko(hand="knife", weapons={"knife": {"use": "melee", "base": 4}}), sigrun())
    told.ruled("paraverse.damage.formula", totals=[0]).ruled("paraverse.hit-location", "torso").then(no(PainSuffered))


def test_the_seeds_example_of_damage():
    """paraverse.damage.formula: 15 against 4 with base 7 on AV 5: 11 is x3, 21-5 = 16."""
    told = shot("Ildar", "Sigrun", [9, 2, 2], ildar(), sigrun(shield_up=False), vasko())
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [15, 4])
    told.ruled("paraverse.damage.multiplier", "x3", [11]).ruled("paraverse.damage.formula", totals=[16])


@pytest.mark.parametrize(("by", "times"), [(1, 1), (5, 1), (6, 2), (10, 2), (11, 3), (15, 3)])
def test_the_multiplier_goes_by_the_difference(by, times):
    """paraverse.damage.multiplier: 7 + 6 or more, against 12 less; no tie, which is worth nothing by the option."""
    told = shot("Ildar", "Vasko", [12, 17 - by, 2], tie_multiplier=0)
    told.ruled("paraverse.damage.multiplier", f"x{times}", [by])
    told.ruled("paraverse.damage.formula", totals=[7 * times - 1])


def test_damage_is_never_negative():
    """paraverse.damage.minimum-zero: 4-9 is no damage, and heals nothing."""
    told = duel([12, 12, 2], ildar(hand="dagger", skills={"one-handed": 5}), vasko(av=9, hand="club", pain=2))
    told.ruled("paraverse.damage.formula", totals=[0]).then(no(PainSuffered), no(WoundSuffered))
    assert told.state.pain.total("Vasko") == 2


def test_a_shield_may_soak_damage():
    """paraverse.damage.shield-soak: 10-5-2 = 3; 5 without the option, and with the shield down."""
    duel([9, 12, 2], shield_soak=True).ruled("paraverse.damage.formula", totals=[3])
    duel([9, 12, 2]).ruled("paraverse.damage.formula", totals=[5])
    duel([9, 12, 2], sigrun(shield_up=False), reaver(), shield_soak=True).ruled("paraverse.damage.formula", totals=[5])


def damaged(damage: int, *location: str, **fields):
    """Vasko, C 9 and Fortitude 4, suffers damage to a place."""
    return planning(vasko(**fields)).when(
        Effect(("Vasko",), damage=damage, location=location[0] if location else "none")
    )


@pytest.mark.parametrize(("damage", "fortitude", "pain"), [(6, 5, 2), (6, 6, 1), (1, 5, 1), (10, 5, 2)])
def test_pain_is_rounded_up(damage, fortitude, pain):
    """paraverse.pain.ceiling: the seed's two examples among them."""
    damaged(damage, fortitude=fortitude).ruled("paraverse.pain.ceiling", totals=[pain]).then(
        PainSuffered("Vasko", pain, pain)
    )


def test_no_damage_no_pain():
    """paraverse.pain.ceiling: 0."""
    duel([9, 12, 2], sigrun(av=10), reaver()).ruled("paraverse.pain.ceiling", totals=[0]).then(no(PainSuffered))


def test_each_hit_is_rounded_by_itself():
    """paraverse.pain.per-hit: 6 and 6 over 5 are 2 and 2, also within a phase."""
    told = damaged(6, fortitude=5).when(Effect(("Vasko",), damage=6))
    told.then(PainSuffered("Vasko", 2, 4))


def _sheet(**fields) -> Sheet:
    return Sheet("Ada", "party", **fields)


@pytest.mark.parametrize(("wil", "fortitude"), [(11, 6), (10, 5), (8, 4), (6, 3), (1, 1)])
def test_fortitude(wil, fortitude):
    """paraverse.stat.fortitude: rounded towards minus infinity; WIL 1 is -3+4. A sheet may say otherwise."""
    assert _sheet(wil=wil).toughness == fortitude
    assert _sheet(wil=wil, fortitude=9).toughness == 9


@pytest.mark.parametrize(("con", "endurance"), [(12, 6), (10, 5), (6, 3)])
def test_endurance(con, endurance):
    """paraverse.stat.endurance"""
    assert _sheet(con=con).stamina == endurance
    assert _sheet(con=con, endurance=9).stamina == 9


def test_stamina_may_be_negative():
    """paraverse.stat.endurance: Endurance 5 and pain 7 are -2."""
    from commands.rules.paraverse.board import row

    assert row(View(planning(vasko(pain=7)).state), "Vasko")["Stamina"] == "-2/5"


def test_a_skill_that_is_not_on_the_sheet():
    """paraverse.stat.base-skill: its stat less 10; Reaver's marksman is DEX 9: -1."""
    assert Sheet("Reaver", "foes", dex=9).modifier("marksman") == -1
    assert _sheet(skills={"juggling": 3}).modifier("juggling") == 3
    assert _sheet(cog=12).modifier("cog") == 2
    assert _sheet().modifier("juggling") is None


@pytest.mark.parametrize(("damage", "wound"), [(8, None), (9, "fractured-arm"), (26, "fractured-arm")])
def test_critical_wounds(damage, wound):
    """paraverse.wound.critical: C 9; 8 none, 9 and 26 critical."""
    told = damaged(damage, "arms")
    if wound:
        told.ruled("paraverse.wound.critical", wound, [damage, 9]).then(WoundSuffered("Vasko", wound, "arms"))
    else:
        told.then(no(WoundSuffered))


def test_supercritical_wounds():
    """paraverse.wound.supercritical: 27, and not both."""
    told = damaged(27, "arms").ruled("paraverse.wound.supercritical", "severed-arm", [27, 27])
    assert told.state.wounds.of["Vasko"] == (Wound("severed-arm", "arms"),)


@pytest.mark.parametrize(
    ("place", "critical", "severe"),
    [
        ("head", "skull-fracture", "severed-head"),
        ("torso", "bleeder", "crushed-torso"),
        ("arms", "fractured-arm", "severed-arm"),
        ("legs", "fractured-leg", "severed-leg"),
    ],
)
def test_wounds_by_location(place, critical, severe):
    """paraverse.wound.table"""
    damaged(9, place).then(WoundSuffered("Vasko", critical, place))
    damaged(27, place).then(WoundSuffered("Vasko", severe, place))


def test_a_place_is_critical_only_once():
    """paraverse.wound.no-repeat-critical: 12 to the broken arm: pain 3, no wound."""
    told = damaged(12, "arms", wounds=["fractured-arm"]).then(PainSuffered("Vasko", 3, 3), no(WoundSuffered))
    told.ruled("paraverse.wound.no-repeat-critical", "no second fractured-arm")


def test_a_broken_arm_may_be_severed():
    """paraverse.wound.super-over-critical: both are recorded."""
    told = damaged(27, "arms", wounds=["fractured-arm"])
    told.ruled("paraverse.wound.super-over-critical", "severed-arm", [27, 27])
    assert told.state.wounds.names("Vasko") == ("fractured-arm", "severed-arm")


def test_a_place_is_severed_only_once():
    """paraverse.wound.no-repeat-super, paraverse.wound.super-not-downgraded: 27 over 4 is 7 pain, and nothing else."""
    told = damaged(27, "legs", wounds=["severed-leg"]).then(PainSuffered("Vasko", 7, 7), no(WoundSuffered))
    told.ruled("paraverse.wound.no-repeat-super", "no second severed-leg")
    told.ruled("paraverse.wound.super-not-downgraded", "no fractured-leg instead")
    both = damaged(27, "legs", wounds=["severed-leg", "fractured-leg"]).then(no(WoundSuffered))
    assert [one for one in both.events if isinstance(one, Ruled) and "downgraded" in one.clause] == []


def test_a_severed_leg_may_break():
    """paraverse.wound.critical-after-super: 9 to the legs."""
    told = damaged(9, "legs", wounds=["severed-leg"]).then(WoundSuffered("Vasko", "fractured-leg", "legs"))
    told.ruled("paraverse.wound.critical-after-super", "fractured-leg", [9, 9])


@pytest.mark.slow
@any_of(st.lists(st.tuples(st.integers(1, 60), st.sampled_from(list(PLACES))), max_size=6), st.randoms())
@settings(max_examples=40, deadline=None)
def test_the_order_of_hits_never_matters(hits, random):
    """paraverse.wound.critical-after-super, paraverse.pain.per-hit: the same pain and the same wounds in any order."""

    def after(order):
        told = planning(vasko())
        for damage, place in order:
            told = told.when(Effect(("Vasko",), damage=damage, location=place))
        return told.state.pain, set(told.state.wounds.names("Vasko"))

    assert after(hits) == after(random.sample(hits, len(hits)))


def test_a_miss_rules_nothing_more():
    told = shot("Ildar", "Vasko", [2, 12])
    assert [event.clause for event in told.events if isinstance(event, Ruled)] == ["paraverse.ranged.hit-if-higher"]
