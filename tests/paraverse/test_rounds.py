"""Rounds and phases: all at once within a phase, one phase after another."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.healing import Heal
from commands.rules.paraverse.magic import Cast, Effect
from commands.rules.paraverse.phases import Phase, Round
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import Refused, UsageError
from ledger.events import AreaEntered, ConditionEnded, Felled, PainSuffered, PhaseBegan, WaitingEnded, WoundSuffered
from tests.hints import offered_by
from tests.kit import no

from .table import (
    ALL,
    became,
    ildar,
    impossible,
    next_round,
    opened,
    planning,
    reaver,
    resolved,
    rolls,
    said,
    sigrun,
    vasko,
)


def test_two_who_attack_each_other_roll_one_die_each():
    """paraverse.round.simultaneous: one skirmish, never two attacks."""
    told = planning(sigrun(), reaver())
    told = resolved(said(told, Attack("Sigrun", "Reaver"), Attack("Reaver", "Sigrun")), "melee", [10, 9, 2])
    assert [who for who, purpose, _ in rolls(told) if purpose != "hit location"] == ["Sigrun", "Reaver"]
    assert became(told, "Sigrun") == became(told, "Reaver") == "done"


def test_phases_come_in_their_order():
    """paraverse.phase.order: a phase with an unresolved action is not left; empty ones are passed."""
    told = opened(said(planning(*ALL), Shoot("Vasko", "Ildar")), "ranged")
    told.refused(Phase("melee"), "paraverse.phase.order")
    told = told.when(Resolve(), [2, 9]).when(Phase("magic"))
    told.then(PhaseBegan("melee", simultaneous=True), PhaseBegan("magic", simultaneous=True))


def test_phases_go_forward_only_and_a_round_follows_the_end():
    """paraverse.phase.order"""
    told = opened(planning(*ALL), "misc")
    told.refused(Phase("melee"), "paraverse.phase.order").refused(Phase("misc"), "paraverse.phase.order")
    told.refused(Round(), "paraverse.phase.order")
    told = told.when(Phase()).when(Round())
    assert told.state.turns.round == 2
    assert told.state.turns.phase == "planning"


def test_the_next_phase_needs_no_name():
    """paraverse.phase.order"""
    told = opened(planning(*ALL), "ranged")
    assert said(told, Phase(), Phase()).state.turns.phase == "magic"


@pytest.mark.parametrize("phase", ["planning", "magic", "end"])
def test_nothing_is_resolved_in_planning_magic_and_the_end_phase(phase):
    """paraverse.phase.order"""
    told = planning(*ALL)
    told = told if phase == "planning" else opened(told, phase)
    told.refused(Resolve(), "paraverse.phase.order")


def test_what_the_game_master_lets_go_unresolved_is_lost():
    """paraverse.phase.order, with the game master's word."""
    told = opened(said(planning(*ALL), Shoot("Vasko", "Ildar")), "ranged").when(Phase(), allow="the storm")
    assert became(told, "Vasko") == "lost"
    told.then(no(PainSuffered))


def test_knives_and_arrows_fly_in_one_phase():
    """paraverse.phase.ranged: in declaration order."""
    told = said(planning(*ALL), Draw("Sigrun", "knives"), Shoot("Sigrun", "Reaver"), Shoot("Ildar", "Reaver"))
    told = resolved(told, "ranged", [2, 12, 3, 12])
    assert [(who, skill) for who, skill, _ in rolls(told)] == [
        ("Sigrun", "attack"), ("Reaver", "defence"), ("Ildar", "attack"), ("Reaver", "defence")
    ]  # fmt: skip


def test_nobody_shoots_in_another_phase():
    """paraverse.phase.ranged"""
    told = opened(said(planning(*ALL), Shoot("Ildar", "Reaver")), "ranged")
    told = opened(told.when(Resolve(), [2, 12]), "misc")
    told.refused(Shoot("Ildar"), "paraverse.phase.ranged")


def test_skirmishes_belong_to_the_melee_phase():
    """paraverse.phase.melee"""
    told = opened(said(planning(*ALL), Attack("Sigrun", "Reaver")), "ranged")
    told.refused(Skirmish("Sigrun", "Reaver"), "paraverse.phase.melee")
    told.refused(Attack("Sigrun"), "paraverse.phase.melee")
    for phase, on in (("ranged", [("phase", {"name": "melee"})]), ("misc", []), ("end", [("round", {})])):
        with pytest.raises(Refused) as refused:
            opened(said(planning(*ALL), Pass("Ildar")), phase).when(Skirmish("Sigrun", "Reaver"))
        assert refused.value.on == on


def test_spells_take_effect_in_the_magic_phase():
    """paraverse.phase.magic"""
    told = opened(said(planning(*ALL), Cast("Sigrun", "Ignition")), "melee")
    told.refused(Cast(who="Sigrun", target=("Reaver",), pain=2), "paraverse.phase.magic")
    told = opened(told, "magic").when(Cast(who="Sigrun", target=("Reaver",), pain=2))
    told.then(PainSuffered("Reaver", 2, 2), WaitingEnded("declared", "Sigrun", "done"))


def test_checks_come_after_all_skirmishes():
    """paraverse.phase.misc"""
    told = opened(said(planning(*ALL), Check("Ildar", "acrobatics")), "melee")
    told.refused(Check("Ildar"), "paraverse.phase.misc")
    opened(told, "misc").when(Check("Ildar"), [7]).ruled("paraverse.check.success", "acrobatics: success", [11, 10])


def test_the_end_phase_needs_no_word():
    """paraverse.phase.end: Vasko bleeds for 1, Reaver burns for 2, in one entry; what is over ends."""
    told = planning(sigrun(), reaver(), vasko(wounds=["bleeder"]))
    told = told.when(Effect(("Reaver",), name="burning", each=2, rounds=1))
    told = opened(told, "misc").when(Phase())
    told.then(PhaseBegan("end", simultaneous=True), PainSuffered("Reaver", 2, 2), PainSuffered("Vasko", 1, 1))
    told.then(ConditionEnded("Reaver", "burning"))


def test_falls_of_the_end_phase_settle_in_it():
    """paraverse.phase.end: Endurance 5, pain 4, bleeding."""
    told = opened(planning(sigrun(), vasko(wounds=["bleeder"], pain=4)), "end")
    told.then(PainSuffered("Vasko", 1, 5), Felled("Vasko", "unconscious"))


BOW_10 = {"short bow": {"use": "marksman", "base": 10}}


def test_anyone_who_falls_still_acts_in_the_same_phase():
    """paraverse.phase.same-phase: the seed's two archers. 30-1 = 29 is over 27; then 9-2 = 7, over 5, is 2 pain."""
    told = said(planning(ildar(weapons=BOW_10), vasko()), Shoot("Ildar", "Vasko"), Shoot("Vasko", "Ildar"))
    told = resolved(told, "ranged", [15, 4, 1, 1, 12, 9, 2])
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [21, 5]).ruled("paraverse.damage.formula", totals=[29])
    told.then(WoundSuffered("Vasko", "severed-head", "head"), PainSuffered("Ildar", 2, 2), no(Felled))
    opened(told, "melee").then(Felled("Vasko", "dead"), PhaseBegan("melee", simultaneous=True))


def test_a_second_arrow_flies_at_one_whom_the_first_has_felled():
    """paraverse.phase.same-phase, paraverse.incapacitated.target: it is resolved normally."""
    told = planning(ildar(weapons=BOW_10), sigrun(hand="knives"), vasko())
    told = said(told, Shoot("Ildar", "Vasko"), Shoot("Sigrun", "Vasko"))
    told = resolved(told, "ranged", [15, 4, 1, 1, 10, 5, 2])
    assert became(told, "Sigrun") == "done"
    told.then(PainSuffered("Vasko", 8, 8), PainSuffered("Vasko", 3, 11))  # 29 over 4; 12 v 6: x2, 10-1 = 9 over 4


def test_inputs_are_those_of_the_start_of_the_phase():
    """paraverse.phase.snapshot: 20 v 13, x2, arms, 16 is over 10; the arrow of the same phase rolls one die."""
    told = said(planning(ildar(), vasko()), Shoot("Vasko", "Ildar"), Shoot("Ildar", "Vasko"))
    told = resolved(told, "ranged", [17, 9, 3, 10, 18])
    told.then(PainSuffered("Ildar", 4, 4), WoundSuffered("Ildar", "fractured-arm", "arms"))
    assert ("Ildar", "attack", (10,)) in rolls(told)
    told = resolved(said(next_round(told), Shoot("Ildar", "Vasko")), "ranged", [17, 4, 18])
    told.ruled("paraverse.disadvantage.lower-die", "disadvantage: fractured-arm", [4])


def test_anyone_who_fell_in_an_earlier_phase_loses_its_action():
    """paraverse.phase.earlier-fall: Reaver is knocked out before the melee; no dice."""
    told = said(planning(ildar(), sigrun(), reaver(pain=5)), Shoot("Ildar", "Reaver"), Attack("Reaver", "Sigrun"))
    told = resolved(told, "ranged", [14, 13, 2]).when(Phase())
    told.then(
        Felled("Reaver", "unconscious"),
        PhaseBegan("melee", simultaneous=True),
        WaitingEnded("declared", "Reaver", "lost", "attack", "Reaver is unconscious"),
    )
    told.ruled("paraverse.phase.earlier-fall", "Reaver is unconscious")
    assert rolls(told) == []


def _reaver_falls_in_ranged():
    told = said(
        planning(ildar(), sigrun(), reaver(pain=5), vasko()), Shoot("Ildar", "Reaver"), Attack("Sigrun", "Reaver")
    )
    return opened(resolved(told, "ranged", [14, 13, 2]), "melee")


def test_an_attack_on_somebody_who_fell_before_is_lost():
    """paraverse.phase.target-gone"""
    told = _reaver_falls_in_ranged().when(Resolve())
    told.ruled("paraverse.phase.target-gone")
    assert became(told, "Sigrun") == "lost"


def test_unless_its_actor_picks_another():
    """paraverse.phase.target-gone"""
    told = _reaver_falls_in_ranged().when(Skirmish("Sigrun", "Vasko")).when(Resolve(), [9, 12, 2])
    assert became(told, "Sigrun") == "done"
    told.then(PainSuffered("Vasko", 2, 2))  # 15 v 13: 7-1 = 6, over 4


def test_a_shot_at_somebody_who_fell_in_planning_is_lost():
    """paraverse.phase.target-gone, in the ranged phase."""
    told = said(planning(ildar(), vasko()), Shoot("Ildar", "Vasko"), Effect(("Vasko",), pain=9))
    told = resolved(told, "ranged", [])
    assert became(told, "Ildar") == "lost"


def test_before_a_round_nothing_is_declared():
    """paraverse.planning.closed"""
    from commands.rules.paraverse.encounter import Begin, End
    from tests.kit import given

    told = given("paraverse", *ALL)
    impossible(told, Shoot("Ildar", "Vasko"), "No encounter")
    impossible(told, Round(), "No encounter")
    impossible(told, End(), "No encounter")
    told = told.when(Begin())
    impossible(told, Shoot("Ildar", "Vasko"), "no round is open")
    impossible(told, Begin(), "under way")
    with pytest.raises(UsageError, match="No round is open"):
        told.when(Phase())


def test_a_mover_arrives_before_the_snapshot():
    """paraverse.phase.snapshot: arrivals are part of it."""
    told = said(planning(*ALL, areas=["hall", "yard"], link=["hall:yard"]), Move("Sigrun", "yard"))
    told = opened(told, "ranged").when(Phase())
    told.then(AreaEntered("Sigrun", "yard"), PhaseBegan("melee", simultaneous=True))


def test_healing_in_the_phase_of_the_wound_is_in_time():
    """paraverse.incapacitated.stamina: what counts is the Stamina when the phase closes."""
    told = said(planning(ildar(), vasko(pain=4)), Cast("Ildar", "Balm"))
    told = opened(told, "magic").when(Effect(("Vasko",), pain=3)).when(Heal("Vasko", pain=3))
    opened(told.when(Cast(who="Ildar")), "misc").then(no(Felled))


@pytest.mark.parametrize("late", [Shoot("Ildar"), Skirmish("Ildar", "Reaver"), Attack("Ildar")])
def test_nobody_is_sent_back_to_a_phase(late):
    """paraverse.phase.order: a phase that is over cannot be opened, and no hint says so; one that comes can."""
    told = opened(said(planning(*ALL), Pass("Ildar")), "misc")
    with pytest.raises(Refused) as refused:
        told.when(late)
    assert offered_by(refused.value) == "affray phase"
    with pytest.raises(Refused) as refused:
        opened(said(planning(*ALL), Pass("Ildar")), "ranged").when(Skirmish("Ildar", "Reaver"))
    assert offered_by(refused.value) == "affray phase melee"
