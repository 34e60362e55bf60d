"""Disengage, opportune strikes, defend, sprint."""

import pytest
from msgspec.structs import replace

from commands.action.adjust import Adjust
from commands.action.common import Note
from commands.rules.dungeoneers.aid import Effect
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack, Shoot
from commands.rules.dungeoneers.basics import Defend, Disengage, Grapple, Push, Sprint
from commands.rules.dungeoneers.encounter import Begin, Done, End, Round
from commands.rules.dungeoneers.hands import Stow
from commands.rules.dungeoneers.movement import Face, Move, Prone, Resolve, Stand
from commands.rules.dungeoneers.spells import Cast
from ledger.errors import Refused, UsageError
from ledger.events import (
    Awaited,
    ConditionEnded,
    ConditionGained,
    Faced,
    Felled,
    Moved,
    Overruled,
    Placed,
    PointsSpent,
    Rolled,
    WaitingEnded,
)
from tests.hints import commands, offered_by
from tests.kit import no

from .table import (
    alberich,
    at,
    clauses,
    conditions,
    facing,
    fight,
    freya,
    impossible,
    points,
    rolls,
    skeleton,
    suori,
    table,
    threatened,
    turn_of,
    ulfarmi,
)

ARCHER = {"ranks": {"bow": "E"}, "equipped": ["hunting bow"], "ammo": {"arrow": 5}}


def test_anyone_who_disengages_leaves_in_peace():
    """dungeoneers.disengage.clear-threatened"""
    told = fight(suori(), skeleton()).when(Disengage("Suori")).then(ConditionEnded("Suori", "threatened"))
    assert points(told, "Suori") == (0, 1, 1)
    told.when(Move("Suori", ("W",))).then(Moved("Suori", "move", 1, (-1, 0, 0)), no(Awaited))
    told.refused(Move("Suori", ("W",), opportune=("Skeleton",)), "dungeoneers.opportune.leave-range")


def test_anyone_who_disengaged_can_still_be_attacked():
    """dungeoneers.disengage.clear-threatened: attacks look at positions."""
    told = turn_of(fight(suori(), skeleton()).when(Disengage("Suori")), "Skeleton")
    told.when(Attack("Skeleton", "Suori"), [1, 4, 4])


def test_a_move_after_disengaging_may_bring_the_threat_back():
    """dungeoneers.disengage.threatened-again: N to (0,1) is beside A again; W to (-1,1) leaves it."""
    told = fight(suori(movement_points=2), skeleton((1, 0), "A"), skeleton((2, 2), "B")).when(Disengage("Suori"))
    told = told.when(Move("Suori", ("N",)))
    assert threatened(told, "Suori") == ("A",)
    assert told.when(Move("Suori", ("W",))).state.pending.window.answerable == ("A",)
    told.when(Move("Suori", ("W",), opportune=("A",)), [1, 4, 4]).then(PointsSpent("A", "reaction", 1, 0))


def test_two_steps_of_one_move_are_two_moves():
    """dungeoneers.movement.move, dungeoneers.disengage.threatened-again: the strike comes at the second step."""
    told = fight(suori(movement_points=2), skeleton((1, 0), "A")).when(Disengage("Suori"))
    told = told.when(Move("Suori", ("N", "W"), opportune=("A",)), [6, 1, 1, 1])
    told.then(
        Moved("Suori", "move", 1, (0, 1, 0)),
        PointsSpent("A", "reaction", 1, 0),
        Moved("Suori", "move", 1, (-1, 1, 0)),
    )
    fight(suori(movement_points=2), skeleton((1, 0), "A")).refused(
        Move("Suori", ("N", "S"), opportune=("A",)), "dungeoneers.opportune.leave-range"
    )


def test_no_opportunity_comes_of_a_step_that_cannot_be_paid():
    """dungeoneers.opportune.leave-range: the second step leaves the range of A, and there is one movement point."""
    fight(suori(movement_points=1), skeleton((1, 0), "A")).refused(
        Move("Suori", ("N", "W"), opportune=("A",)), "dungeoneers.opportune.leave-range"
    )


def test_only_leaving_the_range_gives_an_opportunity():
    """dungeoneers.opportune.leave-range: N to (0,1) is still 1 away; W to (-1,0) is 2."""
    told = fight(suori(), skeleton())
    told.when(Move("Suori", ("N",))).then(no(Awaited))
    told.refused(Move("Suori", ("N",), opportune=("Skeleton",)), "dungeoneers.opportune.leave-range")
    held = told.when(Move("Suori", ("W",)))
    assert held.state.pending.window.answerable == ("Skeleton",)
    for said in (Face("Suori", "W"), Prone("Suori")):
        told.when(said).then(no(Awaited))
    told.when(Prone("Suori")).when(Stand("Suori")).then(no(Awaited))


def test_the_game_master_may_let_somebody_strike_who_has_no_opportunity():
    """dungeoneers.opportune.leave-range, dungeoneers.opportune.ranged-use, dungeoneers.opportune.forced-move: once, at
    the first step, before a step, after a shot and before a push; a 4 against 1 and 2, and against 3.
    """
    told = fight(suori(movement_points=2), skeleton())
    struck = told.when(Move("Suori", ("N", "S"), opportune=("Skeleton",)), [4, 1, 2, 1], allow="he is quick")
    struck.ruled("dungeoneers.attack.hit-compare", "hit", [4, 3]).then(PointsSpent("Skeleton", "reaction", 1, 0))
    struck.then(Rolled("Skeleton", "pierce", "Suori", "1d4", (1,), (0,)), Moved("Suori", "move", 1, (0, 1, 0)))
    far = fight(suori((3, 0), **ARCHER), skeleton((0, 0)), skeleton((6, 0), "Far"))
    shot = Shoot("Suori", "Skeleton", opportune=("Far",))
    far.when(shot, [1, 1, 4, 1, 4, 4, 1], allow="he is quick").then(PointsSpent("Far", "reaction", 1, 0))
    beside = fight(suori((0, 0)), freya((0, 1)), skeleton((1, 0)))
    push = Push("Suori", "Skeleton", opportune=("Freya",))
    pushed = beside.when(push, [4, 4, 1, 1, 1, 4], allow="so")
    pushed.then(PointsSpent("Freya", "reaction", 1, 0), Placed("Skeleton", (2, 0, 0)))


def test_whom_the_game_master_lets_strike_strikes_the_foe_of_those_who_move():
    """dungeoneers.opportune.forced-move: Freya strikes at the skeleton that Suori drags away, and not at Suori."""
    told = fight(suori(movement_points=2, action_points=2), skeleton((1, 0)), freya((2, 0)))
    told = told.when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    struck = told.when(Move("Suori", ("W",), opportune=("Freya",)), [1, 1, 4], allow="so")
    struck.then(Rolled("Freya", "hit", "Skeleton", "2d4", (1, 1), (0, 0)), Placed("Skeleton", (0, 0, 0)))


def test_nobody_strikes_themselves_as_they_move():
    """dungeoneers.reaction.trigger: Suori herself gives the opportunity, whatever the game master allows."""
    told = fight(suori(), skeleton((1, 0))).when(Move("Suori", ("W",)))
    with pytest.raises(UsageError, match="nobody to strike"):
        told.when(Opportune("Suori"), allow="so")


def test_a_ranged_action_gives_an_opportunity():
    """dungeoneers.opportune.ranged-use: to each that threatens the shooter, after the shot."""
    told = fight(ulfarmi((0, 0), **ARCHER, action_points=2), skeleton((1, 0), "Near"), skeleton((4, 0), "Far"))
    shot = told.when(Shoot("Ulfarmi", "Far"), [1, 4])
    assert shot.state.pending.window.answerable == ("Near",)
    struck = shot.when(Opportune("Near"), [4, 4, 1]).then(PointsSpent("Near", "reaction", 1, 0))
    struck.then(WaitingEnded("window", "Ulfarmi", "resolved", "attack"), no(Moved))
    told.refused(Shoot("Ulfarmi", "Far", opportune=("Far",)), "dungeoneers.opportune.ranged-use")
    free = told.when(Disengage("Ulfarmi"))
    free.when(Shoot("Ulfarmi", "Far"), [1, 4]).then(no(Awaited))
    free.refused(Shoot("Ulfarmi", "Far", opportune=("Near",)), "dungeoneers.opportune.ranged-use")


def test_only_those_who_still_live_strike_after_a_shot():
    """dungeoneers.opportune.ranged-use: the first of two slays the archer, who had 2 wounds of 2."""
    told = fight(
        ulfarmi((0, 0), **ARCHER, endurance=0, wounds=2),
        skeleton((1, 0), "Near"),
        skeleton((0, 1), "Next"),
        skeleton((4, 0), "Far"),
    )
    told = told.when(Shoot("Ulfarmi", "Far", opportune=("Near", "Next")), [1, 4, 4, 1, 4])
    told.then(PointsSpent("Near", "reaction", 1, 0), Felled("Ulfarmi", "dead"))
    assert "Next" not in {event.who for event in told.events if isinstance(event, PointsSpent)}


def test_a_strike_for_a_shot_is_rolled_after_it():
    """dungeoneers.opportune.ranged-use, dungeoneers.opportune.resolution: and a spell from afar is the same."""
    told = fight(ulfarmi((0, 0), **ARCHER), skeleton((1, 0), "Near"), skeleton((4, 0), "Far"))
    shot = told.when(Shoot("Ulfarmi", "Far", opportune=("Near",)), [1, 4, 4, 1, 1])
    assert [who for who, _, _ in rolls(shot)] == ["Ulfarmi", "Far", "Near", "Ulfarmi", "Near"]
    cast = told.when(Cast("Ulfarmi", "firebolt", "Far", opportune=("Near",)), [1, 1, 4, 1, 4])
    assert [purpose for _, _, purpose in rolls(cast)] == ["spell-hit", "dodge", "hit", "dodge"]
    told.when(Shoot("Ulfarmi", "Far", opportune=("none",)), [1, 4]).then(no(Awaited))


def test_a_melee_action_gives_no_opportunity():
    told = fight(suori(), skeleton())
    told.refused(Attack("Suori", "Skeleton", opportune=("Skeleton",)), "dungeoneers.opportune.ranged-use")
    impossible(told, Attack("Suori", "Skeleton", opportune=("Skeleton", "none")), "none")


def test_an_opportune_strike_costs_a_reaction_point():
    """dungeoneers.opportune.cost, dungeoneers.reaction.any-turn, dungeoneers.reaction.points: 1 to 0; at 0 refused."""
    told = turn_of(fight(suori((9, 9)), freya((2, 0), action_points=3), skeleton()), "Skeleton")
    leaving = Move("Skeleton", ("W",), opportune=("Freya",))
    struck = told.when(leaving, [1, 1, 4, 1])  # It faces W: Freya is behind it, and 4 less 1 is still more than 2.
    struck.then(PointsSpent("Freya", "reaction", 1, 0), no(Felled))
    assert points(struck, "Freya") == (0, 0, 0)
    told.when(Adjust("Freya", "reaction", "0", "stunned")).refused(leaving, "dungeoneers.opportune.cost")
    both = turn_of(fight(suori((2, 1)), freya((2, 0)), skeleton()), "Skeleton").when(Move("Skeleton", ("W",)))
    asked = both.when(Adjust("Freya", "reaction", "0", "stunned"))
    assert asked.state.pending.window.answerable == ("Suori",)
    asked.refused(Opportune("Freya"), "dungeoneers.reaction.points")


def test_anyone_who_has_no_reaction_point_is_not_asked():
    """dungeoneers.opportune.cost"""
    told = fight(suori(), skeleton()).when(Adjust("Skeleton", "reaction", "0", "stunned"))
    told.when(Move("Suori", ("W",))).then(Moved("Suori", "move", 1, (-1, 0, 0)), no(Awaited))


def test_the_strike_comes_before_the_step():
    """dungeoneers.opportune.resolution: she faces W, so the skeleton is behind her: 4 against 2+2-5 = -1 hits."""
    told = fight(suori(), skeleton()).when(Move("Suori", ("W",), opportune=("Skeleton",)), [4, 2, 2, 5, 1])
    told.ruled("dungeoneers.attack.hit-compare", "hit", [4, -1])
    told.then(
        Faced("Suori", "W"),
        Rolled("Suori", "rear", "Skeleton", "1d8", (5,), (0,)),
        Moved("Suori", "move", 1, (-1, 0, 0)),
    )
    assert facing(told, "Skeleton") == "N"
    assert points(told, "Skeleton")[2] == 0


def test_anyone_who_dies_of_the_strike_does_not_move():
    """dungeoneers.opportune.resolution: 3 wounds kill; the second striker keeps its point."""
    deadly = {"ranks": {"blade": "C"}, "equipped": ["broadsword"]}
    told = fight(alberich((0, 0)), skeleton((1, 0), "A", **deadly), skeleton((1, 1), "B", **deadly))
    told = told.when(Move("Alberich", ("W",), opportune=("A", "B")), [6, 1, 1, 4])
    told.then(Felled("Alberich", "dead"), no(Moved))
    assert at(told, "Alberich") == (0, 0)
    assert points(told, "B")[2] == 1


def test_a_window_stays_open_until_it_is_answered():
    """dungeoneers.opportune.window"""
    told = fight(suori(), skeleton(), freya((5, 5))).when(Move("Suori", ("W",)))
    assert at(told, "Suori") == (0, 0)
    assert points(told, "Suori") == (1, 0, 1)
    for said in (Attack("Suori", "Skeleton"), Done(), Move("Suori", ("W",)), End(), Defend("Suori")):
        told.refused(said, "dungeoneers.opportune.window")
    told.when(Note("tense")).when(Adjust("Suori", "stress", "1", "fear"))
    told.refused(Opportune("Freya"), "dungeoneers.opportune.leave-range")
    two = fight(suori(), skeleton(), freya((5, 5)), skeleton((1, 1), "Bones")).when(Move("Suori", ("W",)))
    with pytest.raises(Refused, match="Freya has no opportunity; Skeleton and Bones have"):
        two.when(Opportune("Freya"))
    with pytest.raises(Refused) as refused:
        two.when(Attack("Suori", "Bones"))
    assert offered_by(refused.value).splitlines()[:2] == ["affray opportune Bones", "affray resolve"]
    gone = told.when(Opportune("Skeleton"), [1, 4, 4, 1]).then(
        WaitingEnded("window", "Suori", "resolved", "move"), Moved("Suori", "move", 1, (-1, 0, 0))
    )
    assert points(gone, "Suori") == (1, 0, 1)
    told.when(Resolve()).then(Moved("Suori", "move", 1, (-1, 0, 0)), no(Rolled))


def test_who_has_no_opportunity_is_told_so_before_what_it_would_cost():
    """dungeoneers.opportune.leave-range: Freya stands too far away, with a reaction point or without."""
    told = fight(suori(), skeleton(), freya((5, 5))).when(Move("Suori", ("W",)))
    told.when(Adjust("Freya", "reaction", "0", "x")).refused(Opportune("Freya"), "dungeoneers.opportune.leave-range")


def test_a_window_opens_again_at_a_later_step():
    """dungeoneers.opportune.window: the rest of the path goes on, as its own entry."""
    told = fight(suori(movement_points=3), skeleton((1, 0), "A"), skeleton((-2, 1), "B"))
    first = told.when(Move("Suori", ("W", "S", "S")))
    assert first.state.pending.window.answerable == ("A",)
    second = first.when(Resolve())
    assert second.state.pending.window.answerable == ("B",)
    assert at(second, "Suori") == (-1, 0)
    assert points(second, "Suori")[1] == 1
    last = second.when(Resolve())
    assert at(last, "Suori") == (-1, -2)
    assert last.state.pending.window is None


def test_a_window_closes_when_the_mover_dies():
    """dungeoneers.opportune.window, dungeoneers.opportune.resolution"""
    deadly = {"ranks": {"blade": "C"}, "equipped": ["broadsword"]}
    told = fight(alberich((0, 0)), skeleton(**deadly)).when(Move("Alberich", ("W",)))
    told = told.when(Opportune("Skeleton"), [6, 1, 1, 4])
    told.then(Felled("Alberich", "dead"), WaitingEnded("window", "Alberich", "lost", "move", "Alberich is dead"))
    told.when(Done())


def test_the_game_master_may_overrule_a_window():
    """dungeoneers.opportune.window"""
    told = fight(suori(), skeleton()).when(Move("Suori", ("W",)))
    with pytest.raises(Refused) as refused:
        told.when(Defend("Suori"))
    assert commands(offered_by(refused.value)) == "affray opportune Skeleton\naffray resolve"
    why = "Suori's move waits for an answer of Skeleton."
    overruled = Overruled("dungeoneers.opportune.window", why, "she shouts")
    told.when(Defend("Suori"), allow="she shouts").then(overruled)


def test_a_reaction_answers_a_trigger():
    """dungeoneers.reaction.trigger: nobody has moved or shot."""
    told = fight(suori(), freya((5, 5)), skeleton())
    told.refused(Opportune("Freya"), "dungeoneers.reaction.trigger")
    impossible(told, Resolve(), "Nothing waits")


def test_forced_moves_give_no_opportunity():
    """dungeoneers.opportune.forced-move: nor may anybody be named; by the house rule somebody may."""
    joining = (suori(), freya((2, 1)), skeleton((1, 0)))
    told = fight(*joining)
    push = Push("Suori", "Skeleton", opportune=("Freya",))
    assert threatened(told, "Skeleton") == ("Suori", "Freya")
    wide = (suori(), freya((0, 1)), skeleton((1, 0)))
    told = fight(*wide)
    told.refused(push, "dungeoneers.opportune.forced-move")
    told.when(Push("Suori", "Skeleton"), [4, 4, 1]).then(Placed("Skeleton", (2, 0, 0)), no(Awaited))
    provoked = fight(*wide, forced_moves_provoke=True)
    held = provoked.when(Push("Suori", "Skeleton"), [4, 4, 1])
    assert at(held, "Skeleton") == (1, 0)
    assert held.state.pending.window.answerable == ("Suori", "Freya")
    struck = held.when(Opportune("Freya"), [4, 4, 1, 1, 1])
    struck.when(Resolve()).then(Placed("Skeleton", (2, 0, 0)))
    provoked.when(push, [4, 4, 1, 1, 1, 4]).then(PointsSpent("Freya", "reaction", 1, 0), Placed("Skeleton", (2, 0, 0)))


def test_who_is_slain_by_the_first_strike_is_not_struck_again():
    """dungeoneers.opportune.forced-move: it bears 2 wounds and has them; Freya slays it, and Suori strikes nobody."""
    told = fight(suori(), freya((0, 1)), skeleton((1, 0), wounds=2), forced_moves_provoke=True)
    struck = told.when(Push("Suori", "Skeleton", opportune=("Freya", "Suori")), [4, 4, 1, 4, 4, 1, 4, 4])
    struck.then(PointsSpent("Freya", "reaction", 1, 0), Felled("Skeleton", "dead"), no(Placed))


def test_anyone_who_is_dragged_may_be_struck_by_the_house_rule():
    """dungeoneers.opportune.forced-move: Freya strikes the skeleton that Suori drags away."""
    joining = (suori(movement_points=2, action_points=2), skeleton((1, 0)), freya((2, 0)))
    dice = [4, 4, 1]
    told = fight(*joining).when(Grapple("Suori", "Skeleton"), dice)
    told.when(Move("Suori", ("W",))).then(Placed("Skeleton", (0, 0, 0)), no(Awaited))
    told.refused(Move("Suori", ("W",), opportune=("Freya",)), "dungeoneers.opportune.forced-move")
    told = fight(*joining, forced_moves_provoke=True).when(Grapple("Suori", "Skeleton"), dice)
    held = told.when(Move("Suori", ("W",)))
    assert held.state.pending.window.said["strikers"] == {"Freya": "Skeleton"}
    struck = held.when(Opportune("Freya"), [1, 1, 4]).then(Placed("Skeleton", (0, 0, 0)))
    assert "dungeoneers.opportune.forced-move" in clauses(struck)


def test_a_defender_rolls_one_more_die():
    """dungeoneers.defend.action, dungeoneers.defensive.extra-die: prowess 1 and defensive: 2d4."""
    told = fight(skeleton(), suori((2, 0), prowess=2)).when(Defend("Skeleton"))
    told.then(ConditionGained("Skeleton", "defensive", "turn-start", "Skeleton"))
    told = turn_of(told, "Suori")
    struck = told.when(Attack("Suori", "Skeleton"), [1, 1, 2, 2]).ruled("dungeoneers.attack.hit-roll", "2d4", [2])
    struck.ruled("dungeoneers.attack.hit-compare", "miss", [2, 4])
    assert conditions(turn_of(told, "Skeleton"), "Skeleton") == set()


def test_defending_does_not_help_against_a_save():
    """dungeoneers.defensive.extra-die: resistance 1 is 1 die."""
    told = fight(skeleton(), ulfarmi((2, 0))).when(Defend("Skeleton"))
    told = turn_of(told, "Ulfarmi").when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 1, 1, 4])
    assert rolls(told)[1] == ("Skeleton", "1d4", "save")


def test_a_condition_is_held_once():
    """dungeoneers.condition.no-stacking: the second costs nothing."""
    told = fight(suori(action_points=2)).when(Defend("Suori"))
    told.refused(Defend("Suori"), "dungeoneers.condition.no-stacking")
    assert points(told, "Suori")[0] == 1
    told.when(Sprint("Suori")).refused(Sprint("Suori"), "dungeoneers.sprint.action")
    twice = fight(suori(action_points=2)).when(Sprint("Suori"))
    twice.refused(Sprint("Suori"), "dungeoneers.condition.no-stacking")
    assert points(twice.when(Sprint("Suori"), allow="she is quick"), "Suori") == (0, *points(twice, "Suori")[1:])


def test_a_sprint_gives_two_points():
    """dungeoneers.sprint.action, dungeoneers.sprinting.points: 0 to 2; from base 1, none spent, 3; then 1 again."""
    told = fight(suori()).when(Move("Suori", ("N",))).when(Sprint("Suori"))
    told.then(ConditionGained("Suori", "sprinting", "turn-start", "Suori"))
    assert points(told, "Suori") == (0, 2, 1)
    assert points(fight(suori()).when(Sprint("Suori")), "Suori")[1] == 3
    again = turn_of(told, "Suori")
    assert points(again, "Suori") == (1, 1, 1)
    assert conditions(again, "Suori") == set()


def test_a_window_asks_those_who_have_not_struck():
    """dungeoneers.opportune.window: A has struck; B is asked; when both have, Suori moves on."""
    told = fight(suori(), skeleton((1, 0), "A"), skeleton((1, 1), "B")).when(Move("Suori", ("W",)))
    assert told.state.pending.window.answerable == ("A", "B")
    told = told.when(Opportune("A"), [1, 4, 4, 1])  # It stands behind her, B beside that.
    assert told.state.pending.window.answerable == ("B",)
    told.refused(Opportune("A"), "dungeoneers.reaction.trigger")
    told = told.when(Opportune("B"), [1, 4, 4]).then(Moved("Suori", "move", 1, (-1, 0, 0)))
    assert told.state.pending.window is None


def test_nobody_is_asked_who_does_not_reach_the_tile_that_is_left():
    """dungeoneers.opportune.leave-range: Suori threatened the skeleton with her glaive, two tiles away, and has put it
    away: her fist reaches one tile. Nor is somebody asked who reached it by an effect that has ended.
    """
    joining = (suori(equipped=["glaive"], movement_points=0), skeleton((2, 0), movement_points=1))
    told = fight(*joining)
    assert threatened(told, "Skeleton") == ("Suori",)
    asked = turn_of(told, "Skeleton").when(Move("Skeleton", ("E",)))
    assert asked.state.pending.window.answerable == ("Suori",)
    away = turn_of(told.when(Stow("Suori", "glaive")), "Skeleton")
    assert threatened(away, "Skeleton") == ("Suori",)
    away.when(Move("Skeleton", ("E",))).then(Moved("Skeleton", "move", 1, (3, 0, 0)), no(Awaited))
    away.refused(Move("Skeleton", ("E",), opportune=("Suori",)), "dungeoneers.opportune.leave-range")
    told = table(suori(initiative=5), skeleton((2, 0))).when(Effect(("Suori",), "long arm", 1, "threat-range"))
    told = turn_of(told.when(Begin()).when(Round()), "Suori")
    assert threatened(told, "Skeleton") == ("Suori",)
    over = turn_of(told.when(Effect(("Suori",), "long arm", end=True)), "Skeleton")
    over.when(Move("Skeleton", ("E",))).then(Moved("Skeleton", "move", 1, (3, 0, 0)), no(Awaited))


def test_a_shot_is_answered_only_by_those_who_reach_the_shooter_now():
    """dungeoneers.opportune.ranged-use: the skeleton's glaive threatened from two tiles away, and is put away."""
    ranked = {"ranks": {"blade": "D"}, "equipped": ["glaive"]}
    told = fight(skeleton((2, 0), "Near", **ranked), ulfarmi((0, 0), **ARCHER), skeleton((4, 0), "Far"))
    assert threatened(told, "Ulfarmi") == ("Near",)
    asked = turn_of(told, "Ulfarmi").when(Shoot("Ulfarmi", "Far"), [1, 4])
    assert asked.state.pending.window.answerable == ("Near",)
    away = turn_of(told.when(Stow("Near", "glaive")), "Ulfarmi")
    away.when(Shoot("Ulfarmi", "Far"), [1, 4]).then(no(Awaited))


@pytest.mark.parametrize(
    ("who", "field", "value"),
    [
        ("A", "down", "dead"),
        ("A", "side", "dungeoneers"),
        ("A", "truce", "dungeoneers"),
        ("A", "at", "9,9"),
        ("A", "reaction", "0"),
    ],
)
def test_a_window_asks_nobody_who_can_strike_no_more_by_the_word_of_the_game_master(who, field, value):
    """dungeoneers.opportune.window: of two one is left to be asked; of one none, and Suori moves on by herself."""
    said = Adjust(who, field, value, "as it was")
    both = fight(suori(), skeleton((1, 0), "A"), skeleton((1, 1), "B", side="bones")).when(Move("Suori", ("W",)))
    assert both.state.pending.window.answerable == ("A", "B")
    assert both.when(said).state.pending.window.answerable == ("B",)
    one = fight(suori(), skeleton((1, 0), "A")).when(Move("Suori", ("W",)))
    gone = one.when(said).then(Moved("Suori", "move", 1, (-1, 0, 0)))
    assert gone.state.pending.window is None


def test_the_game_master_modifies_a_strike_that_is_named_with_the_move():
    """dungeoneers.opportune.resolution: A rolls three dice to hit and the skeletons' foe one to dodge; what is said of
    A is not said of B.
    """
    told = fight(suori(), skeleton((1, 0), "A", prowess=2), skeleton((1, 1), "B", prowess=2))
    said = Move("Suori", ("W",), opportune=("A", "B"), mod=("hit@a:1:high ground", "dodge:-1:mud"), keep_facing=True)
    struck = told.when(said, [1, 1, 1, 4, 1, 1, 4])
    struck.ruled("dungeoneers.attack.hit-compare", "miss", [3, 4]).ruled(
        "dungeoneers.attack.hit-compare", "miss", [2, 4]
    )
    impossible(told, replace(said, opportune=("none",)), "nothing is rolled")
    impossible(told, replace(said, mod=("hit@suori:1",)), "belongs to A")
    shooter = fight(skeleton((2, 0), "Near"), ulfarmi((1, 0), **ARCHER), skeleton((4, 0), "Far"))
    shot = Shoot("Ulfarmi", "Far", opportune=("Near",), mod=("hit:1", "hit@near:1", "armor@ulfarmi:9:cover"))
    both = turn_of(shooter, "Ulfarmi").when(shot, [1, 1, 4, 4, 4, 1, 4])
    both.ruled("dungeoneers.attack.hit-compare", "miss", [2, 4]).ruled("dungeoneers.attack.hit-compare", "hit", [8, 1])
    both.ruled("dungeoneers.attack.pierce-compare", "deflected", [4, 9])
