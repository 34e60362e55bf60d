"""What the game master lets through is carried out once, and the clauses that would have refused it are recorded."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.paraverse.combat import Attack, Check, Misc, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.encounter import Begin
from commands.rules.paraverse.healing import Heal, Save
from commands.rules.paraverse.magic import Cast, Effect
from commands.rules.paraverse.phases import Phase, Round
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import Refused, UsageError
from ledger.events import (
    AreaEntered,
    Engaged,
    Felled,
    Left,
    Overruled,
    PainSuffered,
    Rolled,
    SkirmishEnded,
    WaitingEnded,
)
from tests.hints import commands, offered_by
from tests.kit import Told, given, lines, no

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
    said,
    sigrun,
    someone,
    vasko,
)

YARD = {"areas": ["hall", "yard"], "link": ["hall:yard"]}


def overruled(told: Told) -> list[str]:
    """The clauses that were overruled in the last action."""
    return [event.clause for event in told.events if isinstance(event, Overruled)]


# Declared too late


def test_a_late_mover_arrives_at_once_and_the_phase_can_be_left():
    """paraverse.planning.closed, paraverse.move.timing: the melee phase is open, and waits for nobody."""
    told = opened(planning(*ALL, **YARD), "melee").when(Move("Sigrun", "yard"), allow="she was quick")
    told.then(AreaEntered("Sigrun", "yard"), WaitingEnded("declared", "Sigrun", "done"))
    assert overruled(told) == ["paraverse.planning.closed"]
    assert told.when(Phase()).state.turns.phase == "magic"


def test_a_late_mover_whose_phase_is_to_come_arrives_then():
    """paraverse.move.arrival"""
    told = opened(planning(*ALL, **YARD), "ranged").when(Move("Sigrun", "yard"), allow="late").then(no(AreaEntered))
    told.when(Phase()).then(AreaEntered("Sigrun", "yard"))


def test_a_late_shot_is_rolled_in_the_phase_that_is_open():
    """paraverse.phase.ranged: 10 + 6 against 9 + 0 in the melee phase; the phase waits for it."""
    told = opened(planning(*ALL), "melee").when(Shoot("Ildar", "Reaver"), allow="he waited").then(no(Rolled))
    assert overruled(told) == ["paraverse.planning.closed", "paraverse.phase.ranged"]
    told.refused(Phase(), "paraverse.phase.order")
    told = told.when(Resolve(), [10, 9, 2]).ruled("paraverse.ranged.hit-if-higher", "hit", [16, 9])
    told.then(PainSuffered("Reaver", 3, 3))  # difference 7: 14 - 3 armour is 11, over 5 is 3
    assert became(told, "Ildar") == "done"
    told.when(Phase())


def test_a_late_attack_is_fought_before_the_round_is_over():
    """paraverse.phase.melee, paraverse.phase.order: in the end phase; Sigrun 12 + 6 against 8 + 4 is 6: x2."""
    told = opened(planning(sigrun(), reaver()), "end").when(Attack("Sigrun", "Reaver"), allow="late")
    assert overruled(told) == ["paraverse.planning.closed", "paraverse.phase.melee"]
    told.refused(Round(), "paraverse.phase.order")
    told = told.when(Resolve("Sigrun"), [12, 8, 2]).then(PainSuffered("Reaver", 3, 3), Engaged("Sigrun", "Reaver"))
    assert told.when(Round()).state.turns.round == 2


def test_a_late_check_and_a_late_spell_are_resolved_once():
    """paraverse.phase.magic, paraverse.phase.misc"""
    told = opened(planning(*ALL), "end").when(Check("Ildar", "acrobatics"), allow="late")
    assert overruled(told) == ["paraverse.planning.closed", "paraverse.phase.misc"]
    told = told.when(Check("Ildar"), [7]).ruled("paraverse.check.success", "acrobatics: success", [11, 10])
    told = told.when(Cast("Sigrun", "Spark"), allow="late")
    told = told.when(Cast(who="Sigrun", target=("Vasko",), pain=2)).then(PainSuffered("Vasko", 2, 2))
    assert became(told, "Sigrun") == "done"
    told.when(Round())


def test_nothing_is_declared_before_a_round():
    """paraverse.planning.closed: it would be lost when the round opens."""
    told = given("paraverse", *ALL, Begin())
    for allow in ("", "now"):
        with pytest.raises(UsageError, match="no round is open"):
            told.when(Attack("Sigrun", "Reaver"), allow=allow)


def test_a_lost_declaration_is_named():
    """paraverse.planning.declare: a new declaration says what it takes the place of."""
    told = planning(*ALL).when(Shoot("Ildar", "Reaver")).when(Check("Ildar", "acrobatics"))
    told.ruled("paraverse.planning.declare", "Ildar takes back: shoot Reaver")


def test_nothing_is_resolved_in_a_phase_without_rolls():
    """paraverse.phase.order: with --allow as well; the planning phase is left by the next command."""
    told = planning(*ALL).refused(Resolve(), "paraverse.phase.order")
    with pytest.raises(UsageError) as error:
        told.when(Resolve(), allow="now")
    assert error.value.message == "There is nothing to resolve."
    assert commands(offered_by(error.value)) == "affray phase --pass-rest"


# A second action


def test_a_second_action_is_refused_by_its_clause_and_then_carried_out():
    """paraverse.action.one: a second shot at the same target, 2 + 6 against 12."""
    told = resolved(said(planning(*ALL), Shoot("Ildar", "Reaver")), "ranged", [2, 12])
    with pytest.raises(Refused, match="Ildar has already acted this round"):
        told.when(Shoot("Ildar", "Reaver"), allow="paraverse.planning.closed: a second arrow")
    told = told.when(Shoot("Ildar", "Reaver"), allow="a second arrow").then(no(Rolled))
    assert overruled(told) == ["paraverse.planning.closed", "paraverse.action.one"]
    told.when(Resolve(), [2, 12]).ruled("paraverse.ranged.hit-if-higher", "miss", [8, 12])


def test_anyone_who_has_cast_acts_again_by_the_game_masters_word_only():
    """paraverse.action.magic: the spell was the action of the round; the shot is resolved in the magic phase."""
    told = opened(said(planning(*ALL), Cast("Ildar", "Spark")), "magic").when(Cast("Ildar"))
    told = told.when(Shoot("Ildar", "Reaver"), allow="he is quick")
    clauses = ["paraverse.planning.closed", "paraverse.action.magic", "paraverse.phase.ranged"]
    assert overruled(told) == clauses
    told.when(Resolve(), [2, 12]).ruled("paraverse.ranged.hit-if-higher", "miss", [8, 12])


def test_a_second_attack_is_a_second_skirmish():
    """paraverse.assign.one-skirmish: both had fought; Sigrun 15 + 6 against 5 + 4 is 12: x3, 18 - 0."""
    told = resolved(said(planning(sigrun(), reaver()), Attack("Sigrun", "Reaver")), "melee", [10, 10, 2])
    told = told.when(Attack("Sigrun", "Reaver"), allow="in a rage")
    clauses = ["paraverse.planning.closed", "paraverse.action.one", "paraverse.assign.one-skirmish"]
    assert overruled(told) == clauses
    told = told.when(Resolve(), [15, 5, 4]).ruled("paraverse.damage.formula", "", [18])
    assert [skirmish.done for skirmish in told.state.skirmishes.of] == [True, True]
    told.when(Phase())


def test_nobody_is_in_two_skirmishes_that_are_to_be_fought():
    """paraverse.assign.one-skirmish"""
    told = opened(said(planning(*ALL), Attack("Sigrun", "Reaver")), "melee").when(Skirmish("Sigrun", "Reaver"))
    with pytest.raises(UsageError, match="skirmish 1, which is not fought yet"):
        told.when(Attack("Reaver", "Ildar"), allow="he turns around")


# With whatever is in hand


def test_bare_hands_fight_and_do_not_only_evade():
    """paraverse.weapon.in-hand: Ildar has a bow in hand; 15 + 1 one-handed, not + 4 evasion, against 5 + 0."""
    told = planning(ildar(hand=""), reaver(hand=""))
    told = told.when(Attack("Ildar", "Reaver"), allow="with his fists")
    assert overruled(told) == ["paraverse.weapon.in-hand"]
    told = resolved(told, "melee", [15, 5, 2]).ruled("paraverse.skirmish.winner", "Ildar wins", [16, 5])
    told.ruled("paraverse.damage.formula", "", [0])  # bare hands: 0 x 2 - 3 armour, at least 0


def test_a_thrown_sword():
    """paraverse.weapon.in-hand: throwing 2, not marksman; 12 + 2 against 5 + 0 is 9: x2, 14 - 3."""
    told = planning(*ALL).when(Shoot("Sigrun", "Reaver"), allow="throws her sword")
    told = resolved(told, "ranged", [12, 5, 3])
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [14, 5]).ruled("paraverse.damage.formula", "", [11])


def test_a_pick_besides_another_action_attacks():
    """paraverse.action.one: Vasko shot; let through, he clubs with the crossbow: one-handed 1, not evasion."""
    told = resolved(said(planning(ildar(), vasko()), Shoot("Vasko", "Ildar")), "ranged", [2, 12])
    told = opened(told, "melee").when(Skirmish("Vasko", "Ildar"), allow="with the butt")
    assert overruled(told) == ["paraverse.action.one", "paraverse.weapon.in-hand"]
    told = told.when(Resolve(), [15, 5, 2])  # 15 + 1 against 5 + 4: 7, x2, 18 - 2 armour
    told.ruled("paraverse.skirmish.winner", "Vasko wins", [16, 9]).ruled("paraverse.damage.formula", "", [16])
    told.when(Phase())


@pytest.mark.parametrize("attack", [Attack("Sigrun", "Vasko"), Shoot("Ildar", "Vasko")])
def test_the_helpless_are_struck_by_the_game_masters_word(attack):
    """paraverse.incapacitated.target: they evade as usual; 15 against 5 + 1."""
    told = planning(sigrun(), ildar(), vasko(pain=9)).refused(attack, "paraverse.incapacitated.target")
    told = told.when(attack, allow="no mercy")
    phase = "melee" if isinstance(attack, Attack) else "ranged"
    told = resolved(told, phase, [15, 5, 4])
    assert any(isinstance(event, PainSuffered) and event.who == "Vasko" for event in told.events)


# The dead


def dead() -> Told:
    """Planning of round 2; Vasko is dead."""
    told = planning(*ALL).when(Effect(("Vasko",), damage=27, location="torso"))
    return next_round(opened(told, "ranged").then(Felled("Vasko", "dead")))


@pytest.mark.parametrize(
    "what",
    [
        Attack("Sigrun", "Vasko"), Shoot("Ildar", "Vasko"), Move("Sigrun", "here", engage="Vasko"), Pass("Vasko"),
        Shoot("Vasko", "Ildar"), Misc("Vasko", "groans"), Effect(("Vasko",), damage=30, location="head"),
        Effect(("Vasko",), heal=2), Effect(("Vasko",), pain=1), Heal("Vasko", pain=3),
    ],
)  # fmt: skip
def test_nothing_is_rolled_for_the_dead_and_nothing_heals_them(what):
    """paraverse.incapacitated.target, paraverse.incapacitated.cannot-act: whatever is allowed."""
    told = dead()
    with pytest.raises((UsageError, Refused)):
        told.when(what)
    with pytest.raises(UsageError, match="Vasko is dead"):
        told.when(what, allow="because")


def test_a_corpse_is_in_no_skirmish():
    """paraverse.incapacitated.target"""
    told = opened(said(dead(), Attack("Sigrun", "Reaver")), "melee")
    impossible(told, Skirmish("Sigrun", "Vasko"), "Vasko is dead")
    impossible(said(opened(told.when(Resolve(), [5, 5, 3]), "end")), Heal("Vasko", wound="bleeder"), "is dead")


def test_no_death_check_of_a_corpse():
    """paraverse.dying.death-check"""
    told = given("paraverse", vasko()).when(Adjust("Vasko", "down", "dead", "the test"))
    told.refused(Save("Vasko"), "paraverse.dying.death-check")
    with pytest.raises(UsageError, match="Vasko is dead"):
        told.when(Save("Vasko"), allow="because")


# Joining and leaving, and three sides


def test_who_joins_in_planning_declares_in_that_round():
    """paraverse.join-leave: Reaver comes when Sigrun has passed, and the round waits for what Reaver does."""
    told = planning(sigrun(), vasko()).when(Pass("Sigrun")).when(Pass("Vasko")).when(reaver())
    told.refused(Phase(), "paraverse.planning.everyone")
    told.when(Attack("Reaver", "Sigrun")).when(Phase())


def test_who_joins_after_planning_has_nothing_declared():
    """paraverse.join-leave: by the game master's word only. The round waits for nobody who had no say in planning, and
    a late attack needs that word too; 15+4 against 10+6 of Sigrun, who passed and fights back.
    """
    told = opened(planning(sigrun(), vasko()).when(Pass("Sigrun")).when(Pass("Vasko")), "ranged")
    told.refused(reaver(), "paraverse.join-leave")
    told = told.when(reaver(), allow="the gate bursts open")
    told.when(Phase("end")).when(Round()).when(Attack("Reaver", "Sigrun"))
    told.refused(Attack("Reaver", "Sigrun"), "paraverse.planning.closed")
    late = told.when(Attack("Reaver", "Sigrun"), allow="at once").when(Phase("melee"))
    late.when(Resolve(), [15, 10, 2]).ruled("paraverse.skirmish.winner", "Reaver wins", [19, 16])


def test_in_the_end_phase_the_next_round_brings_them():
    """paraverse.join-leave: `round` is what is offered."""
    told = opened(planning(sigrun(), vasko()).when(Pass("Sigrun")).when(Pass("Vasko")), "end")
    with pytest.raises(Refused) as refused:
        told.when(reaver())
    assert commands(offered_by(refused.value)) == "affray round"
    told.when(Round()).when(reaver()).when(Attack("Reaver", "Sigrun"))


def test_anyone_who_leaves_leaves_no_skirmish_against_nobody():
    """paraverse.join-leave: the skirmish is off, and the partner's attack is lost by paraverse.phase.target-gone."""
    told = planning(sigrun(), reaver(), vasko(hand="club"))
    told = opened(said(told, Attack("Sigrun", "Vasko"), Attack("Vasko", "Sigrun")), "melee")
    told = told.when(Skirmish("Sigrun", "Vasko")).when(Leave(("Vasko",)), allow="he runs")
    told.then(WaitingEnded("declared", "Vasko", "lost", "attack", "Vasko leaves"), Left("Vasko"))
    told.ruled("paraverse.join-leave", "skirmish 1 with Sigrun is off")
    told.when(Skirmish("Sigrun", "Reaver")).when(Resolve(), [5, 5, 3]).when(Phase())
    told = told.when(Resolve()).then(no(Rolled)).ruled("paraverse.phase.target-gone")
    told.when(Phase())


def test_a_skirmish_that_is_not_fought_is_named():
    """paraverse.phase.order: leaving the melee phase by the game master's word."""
    told = opened(said(planning(*ALL), Attack("Sigrun", "Reaver")), "melee").when(Skirmish("Sigrun", "Reaver"))
    told = told.when(Phase(), allow="a bell rings")
    told.ruled("paraverse.phase.order", "skirmish 1 (Sigrun, Reaver) is not fought").then(SkirmishEnded(1))


def three_sides() -> Told:
    """Melee: Sigrun and a beast have both declared on Reaver; nobody else is there."""
    told = planning(sigrun(), reaver(), someone("Xorn", "beasts", 3))
    return opened(said(told, Attack("Sigrun", "Reaver"), Attack("Xorn", "Reaver")), "melee")


def test_a_third_side_joins_against_a_common_enemy_and_is_no_side_mate_afterwards():
    """paraverse.assign.gang-up: no opponent of the beast is free. Sigrun 10+6 and the beast 4+3 against Reaver 12+4: 16
    all, and Reaver wins on 12; the beast, with the lowest die, suffers 10 damage. Then it can attack Sigrun.
    """
    told = three_sides().when(Resolve(), [10, 4, 12, 2])
    assert told.state.skirmishes.of[0].sides == (("Sigrun", "Xorn"), ("Reaver",))
    told.ruled("paraverse.skirmish.tie-natural").then(PainSuffered("Xorn", 2, 2))
    assert became(told, "Xorn") == "done"
    said(next_round(told), Attack("Xorn", "Sigrun"))
    by_name = three_sides().when(Skirmish("Sigrun", "Reaver")).when(Skirmish("Xorn", "Reaver"))
    assert by_name.state.skirmishes.of[0].sides == (("Sigrun", "Xorn"), ("Reaver",))


# Hints that work


def test_resolve_sends_to_a_pick_that_is_not_refused():
    """paraverse.assign.gang-up, paraverse.assign.players-first: each hint can be typed, until resolve goes through."""
    told = planning(sigrun(), ildar(hand="dagger"), reaver(), someone("Thrall", "foes"))
    told = opened(said(told, Attack("Sigrun", "Reaver"), Attack("Thrall", "Sigrun")), "melee")
    with pytest.raises(Refused) as refused:
        told.when(Resolve())
    assert refused.value.clause == "paraverse.assign.gang-up"
    assert commands(offered_by(refused.value)) == "affray skirmish Thrall Ildar\naffray pass Thrall"
    told = told.when(Skirmish("Thrall", "Ildar"))
    assert told.state.skirmishes.of[0].sides == (("Sigrun",), ("Reaver",))
    told.when(Resolve(), [10, 10, 2, 10, 12, 3])


def test_places_and_wounds_as_people_say_them():
    """paraverse.begin, paraverse.wound.treatment"""
    told = given("paraverse", *ALL).when(
        Begin(areas=("hall", "yard"), link=("hall:yard",), at=("sig=yard", "vas=yard"))
    )
    assert [told.state.areas.at[who] for who in ("Sigrun", "Ildar", "Vasko")] == ["yard", "hall", "yard"]
    told = told.when(Adjust("Vasko", "wound", "fractured-leg", "the test"))
    for word in ("fractured leg", "Fractured-Leg", "fract"):
        assert told.when(Heal("Vasko", wound=word)).state.wounds.names("Vasko") == ()
    told.refused(Heal("Vasko", wound="fractured arm"), "paraverse.wound.treatment")


def test_a_check_names_who_rolls():
    """paraverse.check.success"""
    told = resolved(said(planning(*ALL), Check("Ildar", "acrobatics")), "misc", [7])
    told.ruled("paraverse.check.success", "acrobatics: success", [11, 10])

    assert lines(told.events) == [
        "Ildar's acrobatics check succeeds",
        "    Ildar 11 (d20 7* +4 acrobatics), target 10: success",
    ]
