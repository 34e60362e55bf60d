"""A declaration lives only while its means do: paraverse.planning.means."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.paraverse.combat import Attack, Check, Disengage, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.magic import Cast, Effect, Pray
from commands.rules.paraverse.phases import Phase
from commands.rules.paraverse.resolve import Resolve
from ledger.events import Rolled, SkirmishJoined, WaitingEnded
from tests.kit import no

from .table import became, ildar, opened, planning, reaver, resolved, said, sigrun, someone, vasko

YARD = {"areas": ["yard", "wall", "moor"], "link": ["yard:wall:check=athletics"]}
FOUR = (sigrun(), ildar(), reaver(), vasko())


def adjust(who, field, value):
    return Adjust((who,), field, value, "because")


LOST_MEANS = [
    (Shoot("Vasko", "Sigrun"), "Vasko", adjust("Vasko", "no-item", "crossbow"), "what is in hand has changed"),
    (Shoot("Vasko", "Sigrun"), "Vasko", adjust("Vasko", "equipped", "club"), "what is in hand has changed"),
    (Attack("Reaver", "Sigrun"), "Reaver", adjust("Reaver", "no-equipped", "greataxe"), "what is in hand has changed"),
    (Shoot("Ildar", "Reaver"), "Ildar", adjust("Reaver", "area", "moor"), "Reaver is at the moor, Ildar at the yard"),
    (Attack("Sigrun", "Reaver"), "Sigrun", adjust("Reaver", "area", "moor"), "Reaver is far away, at the moor"),
    (Shoot("Ildar", "Reaver"), "Ildar", adjust("Reaver", "down", "dead"), "Reaver is dead; the game master decides"),
    (Check("Sigrun", "athletics", to="wall"), "Sigrun", adjust("Sigrun", "area", "moor"), "wall is not adjacent"),
    (Cast("Ildar", "spark"), "Ildar", adjust("Ildar", "condition", "silenced"), "Ildar is silenced"),
    (Pray("Ildar", "rain"), "Ildar", adjust("Ildar", "condition", "Silenced"), "Ildar is silenced"),
    (Pray("Ildar", "rain"), "Ildar", adjust("Ildar", "condition", "dazed"), ""),
]  # fmt: skip


@pytest.mark.parametrize("phase", ["planning", "ranged"])
@pytest.mark.parametrize(("declared", "who", "word", "why"), LOST_MEANS)
def test_what_can_no_more_be_done_falls_in_every_phase_and_its_actor_may_pass(declared, who, word, why, phase):
    """paraverse.planning.means: weapon, target, way or speech is gone by the game master's word. A condition of another
    name takes nothing.
    """
    told = planning(*FOUR, **YARD).when(declared)
    told = opened(told, phase) if phase != "planning" else told
    told = told.when(word)
    if not why:
        told.then(no(WaitingEnded))
        return
    (fell,) = [event for event in told.events if isinstance(event, WaitingEnded)]
    assert (fell.who, fell.how) == (who, "withdrawn")
    assert fell.why.startswith(why)
    told.ruled("paraverse.planning.means")
    passed = told.when(Pass(who))
    assert passed.state.pending.of("declared", who).verb == "pass"
    if phase == "planning":
        told.when(Pass(who)).when(Phase(pass_rest=True))
    else:
        told.refused(declared, "paraverse.planning.closed")
        told.when(Phase("end"))


def test_only_the_one_whose_declaration_fell_passes_after_planning():
    """paraverse.planning.closed: Ildar's shot stands."""
    told = opened(said(planning(*FOUR), Shoot("Ildar", "Reaver"), Shoot("Vasko", "Sigrun")), "ranged")
    told = told.when(adjust("Vasko", "no-item", "crossbow"))
    told.refused(Pass("Ildar"), "paraverse.planning.closed")
    told.when(Pass("Vasko")).refused(Pass("Vasko"), "paraverse.planning.closed")


def test_what_the_game_master_let_through_falls_only_by_something_else():
    """paraverse.planning.means: Sigrun shoots with a sword by the game master's word, and goes on without it;
    not when her target is dead.
    """
    told = planning(*FOUR).when(Shoot("Sigrun", "Reaver"), allow="she throws it")
    told.when(adjust("Sigrun", "no-equipped", "broadsword")).then(no(WaitingEnded))
    told.when(adjust("Reaver", "down", "dead")).then(
        WaitingEnded("declared", "Sigrun", "withdrawn", "shoot", "Reaver is dead")
    )


def test_the_target_leaves_the_table():
    """paraverse.planning.means, paraverse.join-leave"""
    told = planning(*FOUR).when(Attack("Sigrun", "Reaver")).when(Leave(("Reaver",)))
    told.then(WaitingEnded("declared", "Sigrun", "withdrawn", "attack", "Reaver is gone"))
    told.when(Attack("Sigrun", "Vasko"))


def test_who_passed_and_leaves_has_passed():
    """paraverse.join-leave: nothing of theirs is lost."""
    told = planning(*FOUR).when(Pass("Reaver")).when(Leave(("Reaver",)))
    told.then(WaitingEnded("declared", "Reaver", "done", ""))


def test_nobody_disengages_from_nobody():
    """paraverse.planning.means, paraverse.disengage.needs-engagement"""
    told = planning(*FOUR).when(adjust("Sigrun", "engaged", "reaver")).when(Disengage("Sigrun"))
    told.when(adjust("Sigrun", "no-engaged", "reaver")).then(
        WaitingEnded("declared", "Sigrun", "withdrawn", "disengage", "Sigrun is engaged with nobody")
    )


def test_an_effect_silences_from_the_next_phase_on():
    """paraverse.magic.speech, paraverse.magic.effect: in planning at once; in the ranged phase when magic comes; in the
    magic phase itself too late.
    """
    silence = Effect(("Ildar",), name="silenced")
    told = planning(*FOUR).when(Cast("Ildar", "spark"))
    told.when(silence).then(WaitingEnded("declared", "Ildar", "withdrawn", "cast", "Ildar is silenced"))
    told.when(silence).refused(Cast("Ildar", "spark"), "paraverse.magic.speech")
    ranged = opened(told, "ranged").when(silence).then(no(WaitingEnded))
    lost = ranged.when(Phase("magic")).ruled("paraverse.magic.speech", "Ildar is silenced")
    assert became(lost, "Ildar") == "lost"
    late = opened(told, "magic").when(silence).when(Cast("Ildar"))
    assert became(late, "Ildar") == "failed"


def test_who_moves_into_a_gap_that_is_there_no_more_stays():
    """paraverse.planning.means, paraverse.move.check-link: put into the yard, Sigrun would have to climb."""
    told = planning(sigrun(area="hall"), reaver(area="hall"), areas=["hall", "gate", "yard", "wall"],
                    link=["hall:gate", "yard:gate:check=athletics"])  # fmt: skip
    told = told.when(Move("Sigrun", "gate"))
    told.when(adjust("Sigrun", "area", "yard")).then(
        WaitingEnded(
            "declared", "Sigrun", "withdrawn", "move", "The way from the yard to the gate takes a check of athletics"
        )
    )


def test_a_player_whose_foe_has_fallen_picks_first_until_resolve():
    """paraverse.phase.target-gone, paraverse.assign.players-first: Ildar shoots Ulf down, 20 + 6 against 1:
    three times 7 is 21 damage, 5 pain of 5. Sigrun, who declared to attack Ulf, picks before Reaver; at `resolve` her
    attack is lost.
    """
    told = planning(sigrun(), ildar(), reaver(), someone("Ulf", "foes"))
    told = said(told, Attack("Sigrun", "Ulf"), Shoot("Ildar", "Ulf"), Attack("Reaver", "Sigrun"))
    told = opened(resolved(told, "ranged", [20, 1, 2]), "melee")
    told.refused(Skirmish("Reaver", "Ildar"), "paraverse.assign.players-first")
    told.when(Skirmish("Sigrun", "Reaver")).then(SkirmishJoined("Sigrun", 1, 0), SkirmishJoined("Reaver", 1, 1))
    lost = told.when(Resolve(), [9, 10, 2]).ruled("paraverse.phase.target-gone", "the target is down or gone")
    assert lost.state.skirmishes.of[0].sides == (("Reaver",), ("Sigrun",))


def test_a_player_who_can_pick_nobody_else_is_not_waited_for():
    """paraverse.assign.players-first: Sigrun's foe has fallen, and Reaver is elsewhere."""
    told = planning(sigrun(), ildar(area="yard", hand="dagger"), reaver(area="yard"), someone("Ulf", "foes"),
                    areas=["hall", "yard"], link=["hall:yard"], at=["Ulf=hall", "Sigrun=hall"])  # fmt: skip
    told = said(told, Attack("Sigrun", "Ulf"), Attack("Reaver", "Ildar"))
    told = opened(told.when(adjust("Ulf", "down", "dead")), "melee")
    told.when(Skirmish("Reaver", "Ildar")).then(no(Rolled))
