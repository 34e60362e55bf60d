"""Push, ready and trigger."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.view import View
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Defend, Disengage, Grapple, Push
from commands.rules.dungeoneers.encounter import Done, Round, Turn
from commands.rules.dungeoneers.movement import Move
from commands.rules.dungeoneers.order import taken
from commands.rules.dungeoneers.ready import Ready, Trigger
from commands.rules.dungeoneers.tables import READIED
from ledger.errors import Refused, UsageError
from ledger.events import Awaited, ConditionGained, Faced, MagicaSpent, Placed, PointsSpent, WaitingEnded
from tests.hints import offered_by
from tests.kit import Told, no

from .table import (
    at,
    conditions,
    facing,
    fight,
    freya,
    impossible,
    points,
    rolls,
    skeleton,
    someone,
    suori,
    threatened,
    turn_of,
    ulfarmi,
)


def test_an_action_is_readied_by_its_beginning():
    """dungeoneers.ready.actions-only: att is attack."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "att", before="Skeleton"))
    assert [waiting.verb for waiting in told.state.pending.waiting] == ["attack"]


def test_a_push_needs_reach():
    """dungeoneers.push.requires-threat"""
    fight(suori(), skeleton((2, 0))).refused(Push("Suori", "Skeleton"), "dungeoneers.push.requires-threat")


def test_a_push_rolls_power_against_the_dodge():
    """dungeoneers.push.roll: 3 against 4 fails, and costs the point; 3 against 3 succeeds."""
    told = fight(suori(), skeleton())
    failed = told.when(Push("Suori", "Skeleton"), [1, 2, 4]).ruled("dungeoneers.push.roll", "failed", [3, 4])
    failed.then(no(Placed))
    assert points(failed, "Suori")[0] == 0
    told.when(Push("Suori", "Skeleton"), [1, 2, 3]).ruled("dungeoneers.push.roll", "pushed", [3, 3])


def test_the_pushed_choose_their_score():
    """dungeoneers.push.defender-choice: a troll with prowess 1 and power 3 defends with 3."""
    told = fight(suori(), someone("Troll", (1, 0), side="giants", power=3))
    assert rolls(told.when(Push("Suori", "Troll"), [1, 1, 4, 4, 4]))[1][1] == "3d4"
    assert rolls(told.when(Push("Suori", "Troll", defend_with="prowess"), [1, 1, 4]))[1][1] == "1d4"
    assert rolls(fight(suori(), skeleton()).when(Push("Suori", "Skeleton"), [1, 1, 4]))[1][1] == "1d4"


def test_a_push_goes_where_the_pusher_looks():
    """dungeoneers.push.move: (1,1) to (2,2), she faces NE; with --keep-facing, facing N, to (1,2)."""
    told = fight(suori(), skeleton((1, 1)))
    pushed = told.when(Push("Suori", "Skeleton"), [4, 4, 1]).then(Faced("Suori", "NE"), Placed("Skeleton", (2, 2, 0)))
    assert facing(pushed, "Skeleton") == "N"
    assert points(pushed, "Skeleton") == points(told, "Skeleton")
    told.when(Push("Suori", "Skeleton", keep_facing=True), [4, 4, 1]).then(Placed("Skeleton", (1, 2, 0)))


def test_a_push_may_be_blocked():
    """dungeoneers.push.blocked: another skeleton at (2,2), or the game master's word."""
    told = fight(suori(), skeleton((1, 1)), skeleton((2, 2), "Bones"))
    told.when(Push("Suori", "Skeleton"), [4, 4, 1]).ruled("dungeoneers.push.blocked", "blocked").then(no(Placed))
    wall = fight(suori(), skeleton((1, 1))).when(Push("Suori", "Skeleton", blocked=True), [4, 4, 1])
    wall.ruled("dungeoneers.push.blocked", "blocked").then(no(Placed))


def test_ready_is_for_the_own_turn():
    """dungeoneers.ready.own-turn"""
    told = turn_of(fight(suori(), skeleton()), "Skeleton")
    told.refused(Ready("Suori", "push", before="Skeleton"), "dungeoneers.ready.own-turn")


def test_a_readied_action_is_paid_now():
    """dungeoneers.ready.cost: 1 to 0, and not again; refused with none; a spell costs its own."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "push", before="Skeleton"))
    assert points(told, "Suori")[0] == 0
    told.refused(Ready("Suori", "push", before="Skeleton"), "dungeoneers.ready.cost")
    used = told.when(Done()).when(Trigger("Suori", "Skeleton"), [4, 4, 1])
    assert points(used, "Suori") == (0, 0, 0)
    mage = fight(ulfarmi(cantrips=["binding ring"]), skeleton())
    mage.refused(Ready("Ulfarmi", "cast", after="Skeleton", spell="binding ring"), "dungeoneers.action.cost-varies")


def test_a_turn_is_named():
    """dungeoneers.ready.declare-turn"""
    told = fight(suori(), skeleton(), ulfarmi())
    told.refused(Ready("Suori", "push"), "dungeoneers.ready.declare-turn")
    told.refused(Ready("Suori", "push", before="Ulfarmi", after="Ulfarmi"), "dungeoneers.ready.declare-turn")
    told.when(Ready("Suori", "push", before="Ulfarmi")).then(
        Awaited("readied", "Suori", "push", {}, until="before Ulfarmi")
    )
    dead = told.when(Adjust("Ulfarmi", "down", "dead", "fever"))
    dead.refused(Ready("Suori", "push", before="Ulfarmi"), "dungeoneers.ready.declare-turn")


def test_only_actions_can_be_readied():
    """dungeoneers.ready.actions-only"""
    told = fight(suori(), skeleton())
    for word in ("move", "ready", "face", "stand"):
        told.refused(Ready("Suori", word, before="Skeleton"), "dungeoneers.ready.actions-only")


def test_a_word_that_is_told_back_is_cut_after_forty_letters():
    """dungeoneers.ready.actions-only: with a quote on either side."""
    told, long = fight(suori(), skeleton()), Ready("Suori", 41 * "x", before="Skeleton")
    with pytest.raises(Refused, match=f"^'{'x' * 40}' is not an action"):
        told.when(long)
    with pytest.raises(UsageError, match=f"^There is no action '{'x' * 40}'"):
        told.when(long, allow="a waltz")


def test_what_is_no_action_at_all_cannot_be_readied_whatever_is_allowed():
    """dungeoneers.ready.actions-only: there is nothing to carry out when the moment comes."""
    with pytest.raises(UsageError, match="There is no action 'dance'"):
        fight(suori(), skeleton()).when(Ready("Suori", "dance", before="Skeleton"), allow="a waltz")


def test_a_trigger_has_its_gap():
    """dungeoneers.ready.trigger-window: before Ulfarmi: not in the skeleton's turn, nor before it, nor in his."""
    told = fight(suori(), skeleton((2, 0)), ulfarmi()).when(Ready("Suori", "defend", before="Ulfarmi"))
    told.refused(Trigger("Suori"), "dungeoneers.ready.trigger-window")
    told = told.when(Done())
    told.refused(Trigger("Suori"), "dungeoneers.ready.trigger-window")
    told = told.when(Turn())
    told.refused(Trigger("Suori"), "dungeoneers.ready.trigger-window")
    told = told.when(Done())
    told.when(Trigger("Suori")).then(
        PointsSpent("Suori", "reaction", 1, 0), WaitingEnded("readied", "Suori", "triggered", "defend")
    )
    told.refused(Turn(), "dungeoneers.ready.lapse")
    begun = told.when(Turn(pass_rest=True)).then(
        WaitingEnded("readied", "Suori", "lapsed", "defend", "it waited for the moment before Ulfarmi's turn")
    )
    begun.refused(Trigger("Suori"), "dungeoneers.ready.lapse")


def test_a_trigger_after_a_turn():
    """dungeoneers.ready.trigger-window: after the skeleton: in the gap, not once the next turn or round began."""
    told = fight(suori(), skeleton(), ulfarmi()).when(Ready("Suori", "defend", after="Skeleton"))
    told = told.when(Done())
    told.refused(Trigger("Suori"), "dungeoneers.ready.trigger-window")
    told = told.when(Turn()).when(Done())
    told.when(Trigger("Suori")).then(ConditionGained("Suori", "defensive", "turn-start", "Suori"))
    told.when(Turn(pass_rest=True)).refused(Trigger("Suori"), "dungeoneers.ready.lapse")
    last = fight(suori(), skeleton()).when(Ready("Suori", "defend", after="Skeleton"))
    last = last.when(Done()).when(Turn()).when(Done())
    last.refused(Round(), "dungeoneers.ready.lapse")
    last.when(Round(pass_rest=True)).then(
        WaitingEnded("readied", "Suori", "lapsed", "defend", "it waited for the moment after Skeleton's turn")
    )
    last.when(Trigger("Suori"))


def test_who_waits_for_a_turn_that_comes_or_ends_is_told_how_the_round_goes_on_to_it():
    """dungeoneers.ready.trigger-window: after the skeleton, before its turn and in it; before a turn of the next round
    nothing leads there.
    """

    def on(told: Told) -> object:
        with pytest.raises(Refused) as refused:
            told.when(Trigger("Suori"))
        return refused.value.on

    turns = [("turn", {}), ("turn", {"pass_rest": True})]
    told = fight(suori(), skeleton(), ulfarmi()).when(Ready("Suori", "defend", after="Skeleton")).when(Done())
    assert on(told) == turns
    assert on(told.when(Turn())) == [("done", {}), *turns]
    told = fight(skeleton(), suori(), ulfarmi()).when(Done()).when(Turn())
    assert on(told.when(Ready("Suori", "defend", before="Skeleton"))) == ()


def test_a_trigger_before_the_first_turn_of_a_round():
    """dungeoneers.ready.trigger-window: the gap is after `round`."""
    told = fight(suori(), skeleton()).when(Done()).when(Turn()).when(Ready("Skeleton", "defend", before="Suori"))
    told = told.when(Done())
    told.refused(Trigger("Skeleton"), "dungeoneers.ready.trigger-window")
    told.when(Round()).when(Trigger("Skeleton"))


def test_what_comes_after_a_turn_comes_before_what_comes_before_the_next():
    """dungeoneers.ready.trigger-window: once a before-action was taken, an after-action is too late."""
    told = fight(suori(), freya(), skeleton(), ulfarmi()).when(Ready("Suori", "defend", after="Skeleton"))
    told = told.when(Done()).when(Turn()).when(Ready("Freya", "defend", before="Ulfarmi")).when(Done())
    told = told.when(Turn()).when(Done())
    told.when(Trigger("Suori")).when(Trigger("Freya"))
    told.refused(Trigger("Freya"), "dungeoneers.ready.lapse")
    late = told.when(Trigger("Freya", pass_rest=True)).then(
        WaitingEnded("readied", "Suori", "lapsed", "defend", "it waited for the moment after Skeleton's turn")
    )
    late.refused(Trigger("Suori"), "dungeoneers.ready.lapse")


def test_one_may_act_after_the_own_turn():
    """dungeoneers.ready.declare-turn: for oneself, after means the turn that is under way."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "attack", after="Suori")).when(Done())
    told.when(Trigger("Suori", "Skeleton"), [1, 1, 4])
    told.when(Turn(pass_rest=True)).refused(Trigger("Suori"), "dungeoneers.ready.lapse")


def test_the_readied_push_of_the_book():
    """dungeoneers.ready.reaction-point: to (2,2), two tiles from Ulfarmi, who can run away.

    Suori (0,0), Ulfarmi (0,1), the skeleton (2,1): 3+2 against 2.
    """
    told = fight(suori(), skeleton((2, 1)), ulfarmi((0, 1), facing="E"))
    told = told.when(Ready("Suori", "push", before="Ulfarmi", target="Skeleton"))
    assert points(told, "Suori") == (0, 1, 1)
    assert facing(told, "Suori") == "NE"
    told = told.when(Done()).when(Turn()).when(Move("Skeleton", ("W",)))
    assert at(told, "Skeleton") == (1, 1)
    told = told.when(Attack("Skeleton", "Ulfarmi"), [6, 1, 1]).ruled("dungeoneers.attack.hit-compare", "hit", [6, 1])
    told = told.when(Done()).when(Trigger("Suori"), [3, 2, 2]).ruled("dungeoneers.push.roll", "pushed", [5, 2])
    told.then(Placed("Skeleton", (2, 2, 0)))
    assert points(told, "Suori") == (0, 0, 0)
    assert threatened(told, "Ulfarmi") == ()
    told.when(Turn()).when(Move("Ulfarmi", ("W",))).then(no(Awaited))


def test_a_trigger_costs_a_reaction_point():
    """dungeoneers.ready.reaction-point"""
    told = fight(suori(), skeleton()).when(Ready("Suori", "defend", before="Skeleton")).when(Done())
    spent = told.when(Adjust("Suori", "reaction", "0", "stunned"))
    spent.refused(Trigger("Suori"), "dungeoneers.ready.reaction-point")


def test_what_an_action_needs_is_asked_when_it_is_taken():
    """dungeoneers.ready.legality-at-trigger: the skeleton never came near; the point and the action stay."""
    told = fight(suori(), skeleton((5, 5)), freya()).when(Ready("Suori", "push", before="Freya"))
    told = told.when(Done()).when(Turn()).when(Done())
    told.refused(Trigger("Suori", "Skeleton"), "dungeoneers.push.requires-threat")
    assert points(told, "Suori")[2] == 1
    assert told.state.pending.of("readied", "Suori")
    impossible(told, Trigger("Suori"), "On whom")
    two = fight(suori(), skeleton(), skeleton((0, 1), "Bones")).when(Ready("Suori", "push", before="Bones"))
    two = two.when(Done()).when(Turn()).when(Done())
    with pytest.raises(UsageError) as error:
        two.when(Trigger("Suori"))
    assert offered_by(error.value).splitlines() == ["affray trigger Suori Bones", "affray trigger Suori Skeleton"]


def test_nobody_turns_for_nothing_between_turns():
    """dungeoneers.ready.legality-at-trigger, dungeoneers.facing.automatic: facing N, she pushes N."""
    told = fight(suori(), skeleton((1, 1))).when(Ready("Suori", "push", before="Skeleton")).when(Done())
    told.when(Trigger("Suori", "Skeleton"), [4, 4, 1]).then(Placed("Skeleton", (1, 2, 0)), no(Faced))


def test_a_readied_action_lapses():
    """dungeoneers.ready.lapse: with the own next turn, with death; and a new one replaces it."""
    told = fight(suori(action_points=2), skeleton((5, 5)), skeleton((6, 6), "Bones"))
    told = told.when(Ready("Suori", "push", before="Skeleton"))
    again = told.when(Ready("Suori", "defend", before="Skeleton"))
    assert [one.verb for one in again.state.pending.waiting] == ["defend"]
    lapsed = WaitingEnded("readied", "Suori", "lapsed", "push", "Skeleton has no turn any more")
    told.when(Leave(("Skeleton",))).then(lapsed)
    died = told.when(Adjust("Skeleton", "down", "dead", "dust")).then(lapsed)
    turn_of(died, "Suori").refused(Trigger("Suori"), "dungeoneers.ready.lapse")
    dead = told.when(Adjust("Suori", "down", "dead", "dust")).then(
        WaitingEnded("readied", "Suori", "lost", "push", "Suori is dead")
    )
    dead.refused(Trigger("Suori"), "dungeoneers.ready.lapse")


def test_what_is_readied_for_after_a_turn_can_be_taken_though_who_had_it_has_died_or_left():
    """dungeoneers.ready.trigger-window: a moment follows the turn that is under way, or was the last."""
    told = fight(suori(), skeleton(), skeleton((6, 6), "Bones"))
    told = turn_of(told.when(Ready("Suori", "defend", after="Skeleton")), "Skeleton")
    for gone in (Adjust("Skeleton", "down", "dead", "dust"), Leave(("Skeleton",))):
        for then in (told.when(gone), told.when(Done()).when(gone)):
            taken = then.then(no(WaitingEnded)).when(Trigger("Suori"))
            taken.then(WaitingEnded("readied", "Suori", "triggered", "defend"))


def test_every_action_can_be_readied():
    """dungeoneers.ready.actions-only, dungeoneers.ready.legality-at-trigger"""
    near = fight(suori(), skeleton((1, 0), facing="W"), ulfarmi((5, 5)))
    taken = {}
    for verb, dice in (("attack", [1, 1, 4]), ("grapple", [4, 4, 1]), ("sprint", []), ("disengage", [])):
        told = near.when(Ready("Suori", verb, before="Skeleton", target="Skeleton")).when(Done())
        taken[verb] = told.when(Trigger("Suori"), dice).then(WaitingEnded("readied", "Suori", "triggered", verb))
    taken["attack"].ruled("dungeoneers.attack.hit-compare", "miss", [2, 4])
    assert conditions(taken["grapple"], "Suori") == {"grappling"}
    assert conditions(taken["sprint"], "Suori") == {"sprinting"}
    assert threatened(near, "Suori") == ("Skeleton",)
    assert threatened(taken["disengage"], "Suori") == ()
    mage = fight(ulfarmi((0, 0)), skeleton((1, 0), facing="W"))
    mage = mage.when(Ready("Ulfarmi", "spellcast", before="Skeleton", spell="firebolt")).when(Done())
    mage.when(Trigger("Ulfarmi", "Skeleton"), [1, 1, 4]).then(MagicaSpent("Ulfarmi", 2, 4))
    bow = {"ranks": {"bow": "E"}, "equipped": ["hunting bow"], "ammo": {"arrow": 5}}
    archer = fight(suori(**bow), skeleton((3, 0)), skeleton((1, 0), "Near"))
    archer = archer.when(Ready("Suori", "shoot", before="Skeleton")).when(Done())
    shot = archer.when(Trigger("Suori", "Skeleton"), [1, 1, 4])
    shot.when(Opportune("Near"), [1, 4, 4]).when(Turn())


def test_a_readied_spell_can_be_cast_on_several_and_a_blow_falls_on_one():
    """dungeoneers.ready.legality-at-trigger: whom, is said when it is taken; 8 against 1 and 2 against 4."""
    mage = fight(ulfarmi((0, 0)), skeleton((1, 0), facing="W"), skeleton((1, 1), "Bones", facing="W"))
    ready = mage.when(Ready("Ulfarmi", "cast", before="Skeleton", spell="firebolt", target="Bones")).when(Done())
    cast = ready.when(Trigger("Ulfarmi", ("Skeleton", "Bones")), [4, 4, 1, 1, 1, 4])
    cast.then(MagicaSpent("Ulfarmi", 2, 4)).ruled("dungeoneers.spell-attack.compare", "hit", [8, 1], about="Skeleton")
    cast.ruled("dungeoneers.spell-attack.compare", "miss", [2, 4], about="Bones")
    blow = fight(suori(), skeleton(), skeleton((1, 1), "Bones")).when(Ready("Suori", "attack", before="Skeleton"))
    impossible(blow.when(Done()), Trigger("Suori", ("Skeleton", "Bones")), "is on one")


def test_a_readied_grapple_may_break_at_once():
    """dungeoneers.grapple.moved-off-turn: what the grappler does between turns is off its turn."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "grapple", before="Skeleton")).when(Done())
    told = told.when(Trigger("Suori", "Skeleton"), [4, 4, 1])
    assert conditions(told, "Suori") == {"grappling"}
    moved = told.when(Adjust("Suori", "at", "0,1", "a wave"))
    assert conditions(moved, "Suori") == set()


def test_the_dead_are_no_target():
    """dungeoneers.death.no-target, dungeoneers.death.no-acting"""
    told = fight(suori(), skeleton()).when(Adjust("Skeleton", "down", "dead", "dust"))
    for said in (Push("Suori", "Skeleton"), Grapple("Suori", "Skeleton"), Attack("Suori", "Skeleton")):
        told.refused(said, "dungeoneers.death.no-target")
    assert points(told, "Suori")[0] == 1
    told.refused(Disengage("Skeleton"), "dungeoneers.death.no-acting")
    held = told.when(Grapple("Suori", "Skeleton"), [4, 4, 1], allow="she takes the bones along")
    assert conditions(held, "Suori") | conditions(held, "Skeleton") == set()


def test_what_says_nothing_of_the_readied_action_is_not_passed_over():
    """dungeoneers.ready.legality-at-trigger: no stress for a push, no dice for defending, no spell for an attack."""
    told = fight(suori(), skeleton())
    push = told.when(Ready("Suori", "push", before="Skeleton")).when(Done())
    impossible(push, Trigger("Suori", "Skeleton", stress=1), "takes no --stress")
    impossible(push, Trigger("Suori", "Skeleton", fail_save=True), "takes no --fail-save")
    guard = told.when(Ready("Suori", "defend", before="Skeleton")).when(Done())
    impossible(guard, Trigger("Suori", mod=("dodge:1",)), "takes no --mod")
    impossible(told, Ready("Suori", "attack", before="Skeleton", spell="firebolt"), "names no spell")
    impossible(told, Ready("Suori", "cast", before="Skeleton"), "Which spell")


def test_anyone_who_is_denied_an_action_does_not_ready_it():
    """dungeoneers.action.basic-list: shooting is attacking, too."""
    told = fight(suori(denied_actions=["attack"]), skeleton())
    for action in ("attack", "shoot"):
        told.refused(Ready("Suori", action, after="Skeleton"), "dungeoneers.action.basic-list")
    fight(suori(denied_actions=["grapple"]), skeleton()).when(Ready("Suori", "attack", after="Skeleton"))


def test_a_spell_that_is_not_at_hand_is_named_and_so_are_those_that_are():
    """dungeoneers.ready.actions-only"""
    told = fight(ulfarmi(cantrips=["firebolt"]), skeleton())
    with pytest.raises(Refused) as refused:
        told.when(Ready("Ulfarmi", "cast", after="Skeleton", spell="mage armor"))
    assert refused.value.clause == "dungeoneers.ready.actions-only"
    assert offered_by(refused.value) == "Ulfarmi can cast: firebolt."


def test_what_cannot_be_taken_lapses_and_holds_up_nobody():
    """dungeoneers.ready.lapse: the skeleton that was named is three tiles away; beside her, or within the range of a
    dagger (power 2 and reach 1), the readied attack could be taken; the dead are nobody's target.
    """
    told = fight(suori(), skeleton((3, 0))).when(Ready("Suori", "attack", before="Skeleton", target="Skeleton"))
    told = told.when(Done())
    gone = told.when(Turn())
    gone.then(WaitingEnded("readied", "Suori", "lapsed", "attack", "it waited for the moment before Skeleton's turn"))
    near = fight(suori(), skeleton((1, 0))).when(Ready("Suori", "attack", before="Skeleton", target="Skeleton"))
    near.when(Done()).refused(Turn(), "dungeoneers.ready.lapse")
    thrower = fight(suori(equipped=["dagger"]), skeleton((3, 0))).when(Ready("Suori", "attack", before="Skeleton"))
    thrower.when(Done()).refused(Turn(), "dungeoneers.ready.lapse")
    pushes = fight(suori(), skeleton((2, 0))).when(Ready("Suori", "push", before="Skeleton")).when(Done())
    pushes.when(Turn())


def test_a_readied_blow_is_for_the_first_foe_who_lives_and_has_a_place_within_reach():
    """dungeoneers.ready.lapse: A is dead, B has no place, C is two tiles away, and D is beside her; then nobody is."""
    foes = [someone("B", side="undead"), skeleton((1, 0), "A"), skeleton((2, 0), "C"), skeleton((0, 1), "D")]
    told = fight(suori(), *foes).when(Ready("Suori", "attack", before="D"))
    waiting = told.state.pending.of(READIED, "Suori")
    for dead, target in (("A", "D"), ("D", "")):
        told = told.when(Adjust(dead, "down", "dead", "a fall"))
        way = ("trigger", {"who": "Suori", "target": [target]}) if target else None
        assert taken(View(told.state), waiting) == way


def test_a_readied_guard_or_spell_that_does_nothing_holds_up_nobody():
    """dungeoneers.ready.lapse: nobody defends twice, and the skeleton that the spell was for is dead; a spell for
    anybody waits.
    """
    guard = (
        fight(suori(action_points=2), skeleton()).when(Defend("Suori")).when(Ready("Suori", "defend", after="Suori"))
    )
    guard.when(Done()).when(Turn()).then(
        WaitingEnded("readied", "Suori", "lapsed", "defend", "it waited for the moment after Suori's turn")
    )
    told = fight(ulfarmi((0, 0)), skeleton((5, 0)), skeleton((6, 0), "Bones"))
    aimed = told.when(Ready("Ulfarmi", "cast", before="Skeleton", spell="firebolt", target="Bones")).when(Done())
    aimed.refused(Turn(), "dungeoneers.ready.lapse")
    aimed.when(Adjust("Bones", "down", "dead", "dust")).when(Turn()).then(
        WaitingEnded("readied", "Ulfarmi", "lapsed", "cast", "it waited for the moment before Skeleton's turn")
    )
