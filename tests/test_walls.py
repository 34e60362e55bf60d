"""The walls of a course: encounters, rounds and phases that a correction opens earlier, later or not at all."""

import pytest

from commands.past.acts import Act
from commands.past.walls import Moment, Segment, Walls
from ledger.events import Declared
from projections.persons import Names

NOWHERE: Segment = (0, False, 0, "")
BEGIN, ROUND, PHASE = Declared("begin", {}), Declared("round", {}), Declared("phase", {"name": "melee"})


def at(encounter: int, nth: int, phase: str = "") -> Segment:
    """A phase of a round of an encounter that runs."""
    return encounter, True, nth, phase


def moment(before: Segment, after: Segment | None = None, opens: Declared | None = None) -> Moment:
    """When something was done."""
    return Moment(before, after or before, "", "", False, Names(), opens)


@pytest.mark.parametrize(("stood", "stands"), [
    (at(1, 1), at(1, 1)), (at(1, 2, "melee"), at(1, 2, "melee")), (at(1, 3, "melee"), at(1, 2, "melee")),
    (at(1, 4), at(1, 3)), (at(2, 4), at(2, 4)), (at(2, 1), at(2, 1)),
])  # fmt: skip
def test_rounds_from_one_on_have_other_numbers_in_that_encounter_only(stood: Segment, stands: Segment):
    """Round 3 of encounter 1 is round 2 now."""
    assert moment(stood).shifted(at(1, 3), at(1, 2)) == moment(stands)


@pytest.mark.parametrize(("stood", "stands"), [(at(2, 4), at(2, 4)), (at(3, 4), at(2, 4)), (at(4, 1), at(3, 1))])
def test_encounters_from_one_on_have_other_numbers(stood: Segment, stands: Segment):
    """Encounter 3 is encounter 2 now, and its round 1 the same."""
    assert moment(stood).shifted(at(3, 1), at(2, 1)) == moment(stands)


@pytest.mark.parametrize(("stood", "stands"), [(at(1, 3), at(1, 3)), (at(2, 3), at(2, 4)), (at(3, 3), at(3, 3))])
def test_rounds_of_a_later_encounter_have_other_numbers_in_that_one(stood: Segment, stands: Segment):
    """Round 2 of encounter 2 is its round 3 now."""
    assert moment(stood).shifted(at(2, 2), at(2, 3)) == moment(stands)


@pytest.mark.parametrize(("before", "after", "opened"), [
    (NOWHERE, at(1, 0), (1,)), (at(1, 4), at(2, 4), (2,)), (at(1, 1), at(1, 2, "ranged"), (1, 2)),
    (at(1, 1, "ranged"), at(1, 1, "melee"), (1, 1, "melee")),
])  # fmt: skip
def test_an_encounter_opens_with_its_rounds_and_a_round_with_its_phases(
    before: Segment, after: Segment, opened: tuple[object, ...]
):
    assert moment(before, after).opened == opened


def test_what_was_done_in_a_round_that_nothing_opens_is_gone_with_it():
    """e3 opened round 2, and is left out; e5 opened round 3."""
    when = {
        3: moment(at(1, 1), at(1, 2), ROUND), 4: moment(at(1, 2)), 5: moment(at(1, 2), at(1, 3), ROUND),
        6: moment(at(1, 3)),
    }  # fmt: skip
    course = [Act(Declared("note", {}), entry) for entry in (4, 5, 6)]
    walls = Walls(when, course)
    lost = walls.gone_with(when[4], at(1, 1), lets_go=False)
    assert lost
    assert lost.ways == [("round", {})]
    assert walls.gone_with(when[4], at(1, 2), lets_go=False) is None
    assert walls.gone_with(moment(at(1, 1)), at(1, 1), lets_go=False) is None
    assert walls.gone_with(moment((1, False, 2, "")), at(1, 1), lets_go=False) is None


def test_the_next_round_that_opens_stands_for_the_one_that_is_left_out():
    """e5 opens round 2 in place of e3, and all since then is of that round."""
    when = {3: moment(at(1, 1), at(1, 2), ROUND), 5: moment(at(1, 2), at(1, 3), ROUND), 6: moment(at(1, 3))}
    course = [Act(Declared("round", {}), 5), Act(Declared("note", {}), 6)]
    walls = Walls(when, course)
    walls.went(5, at(1, 1), at(1, 2), course[1:])
    assert walls.when[6] == moment(at(1, 2))
    assert walls.gone_with(walls.when[6], at(1, 2), lets_go=False) is None


def test_a_phase_that_nothing_opens_is_gone_while_its_round_is_there():
    """e3 opened melee in round 1; what was done in it is lost in any other phase of that round."""
    when = {3: moment(at(1, 1, "ranged"), at(1, 1, "melee"), PHASE), 4: moment(at(1, 1, "melee"))}
    walls = Walls(when, [Act(Declared("note", {}), 4)])
    lost = walls.gone_with(when[4], at(1, 1, "ranged"), lets_go=False)
    assert lost
    assert lost.ways == [("phase", {"name": "melee"})]
    walls.went(0, at(1, 1, "ranged"), at(1, 1, "melee"), [])
    assert walls.gone_with(when[4], at(1, 1, "ranged"), lets_go=False) is None


def test_an_encounter_that_nothing_opens_is_gone_with_all_in_it_and_no_other():
    """e2 began encounter 1, and is left out."""
    when = {2: moment(NOWHERE, at(1, 0), BEGIN), 4: moment(at(1, 2)), 9: moment(at(2, 2))}
    walls = Walls(when, [Act(Declared("note", {}), 4), Act(Declared("note", {}), 9)])
    lost = walls.gone_with(when[4], NOWHERE, lets_go=False)
    assert lost
    assert lost.ways == [("begin", {})]
    assert walls.gone_with(when[9], at(2, 2), lets_go=False) is None
    walls.went(0, NOWHERE, at(1, 0), [])
    assert walls.gone_with(when[4], NOWHERE, lets_go=False) is None


def test_an_act_comes_too_late_where_nothing_but_another_round_makes_it_possible():
    """In round 1 of any phase; an end of the turn, or an earlier round, still leaves it a place."""
    walls = Walls({3: moment(at(1, 1, "melee"))}, [Act(Declared("note", {}), 3)])
    assert walls.is_late(3, at(1, 1, "missile"), [("round", {}), ("round", {"pass_rest": True})])
    assert not walls.is_late(3, at(1, 1, "missile"), [("done", {}), ("round", {})])
    assert not walls.is_late(3, at(1, 2, "missile"), [("round", {})])


def test_of_two_rounds_that_are_left_out_one_opens_again():
    """Round 2 is there; round 3 is not, nor is what was done in it."""
    when = {3: moment(at(1, 1), at(1, 2), ROUND), 5: moment(at(1, 2), at(1, 3), ROUND), 6: moment(at(1, 3))}
    walls = Walls(when, [Act(Declared("note", {}), 6)])
    walls.went(0, at(1, 1), at(1, 2), [])
    assert walls.gone_with(moment(at(1, 2)), at(1, 1), lets_go=False) is None
    assert walls.gone_with(when[6], at(1, 2), lets_go=False)


def test_a_round_that_is_put_in_moves_what_follows():
    """What was done in round 1 behind it is of round 2 now."""
    act = Act(Declared("note", {}), 4)
    walls = Walls({4: moment(at(1, 1))}, [act])
    walls.went(0, at(1, 1), at(1, 2), [act])
    assert walls.when[4] == moment(at(1, 2))


@pytest.mark.parametrize(("opens", "now"), [(None, at(1, 2)), (ROUND, (1, False, 2, "")), (ROUND, at(1, 3))])
def test_only_what_opens_a_round_of_another_number_moves_what_follows(opens: Declared | None, now: Segment):
    """An act in which the table only went on does not, nor an end, nor one that opens what it opened."""
    act = Act(Declared("note", {}), 4)
    walls = Walls({3: moment(at(1, 2), at(1, 3), opens), 4: moment(at(1, 3))}, [Act(ROUND, 3), act])
    walls.went(3, at(1, 1), now, [act])
    assert walls.when[4] == moment(at(1, 3))


@pytest.mark.parametrize(("stood", "now", "gone"), [
    (at(1, 2, "ranged"), at(1, 1, "ranged"), True), (at(1, 2, "ranged"), at(1, 2, "ranged"), False),
    (at(1, 2, "ranged"), at(1, 2), False), (at(1, 2), at(1, 2, "melee"), False),
])  # fmt: skip
def test_what_opens_its_round_no_more_leaves_that_open_to_nobody(stood: Segment, now: Segment, gone: bool):
    """It stood in round 1 and opened round 2; now it opens nothing, or just that."""
    walls = Walls({3: moment(at(1, 1, "ranged"), stood, ROUND)}, [Act(ROUND, 3)])
    walls.went(3, at(1, 1, "ranged"), now, [])
    here = at(1, 1, "ranged") if now[2] == 1 else at(1, 9)
    assert bool(walls.gone_with(moment(at(1, 2)), here, lets_go=False)) is gone
