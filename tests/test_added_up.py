"""What the projections add up: chances, who is concerned, ways of several steps, what was settled, and words for it."""

from fractions import Fraction

import pytest
from msgspec import Raw
from msgspec.structs import replace

from ledger.events import (
    Awaited,
    ConditionEnded,
    Counted,
    Declared,
    Disengaged,
    EncounterEnded,
    Engaged,
    Event,
    HpLost,
    Joined,
    MagicaSpent,
    Moved,
    Number,
    OptionChanged,
    Passage,
    Retracted,
    Rolled,
    Ruled,
    Step,
    TurnBegan,
    WaitingEnded,
)
from projections import chance, narration
from projections.blows import Blow
from projections.chance import chance_of
from projections.changes import concerned
from projections.declarations import headline
from projections.in_short import fights, in_short
from projections.joined import farther
from projections.state import State, fold
from tests.kit import lines, total, verbs

DICE = {1: Rolled("Bo", "hit", "", "1d6", (5,), (0,)), 2: Rolled("Grub", "dodge", "", "2d6", (1, 2), (0, 0))}


def compared(*steps: Step, against: tuple[Step, ...] = (Step(4, "defense"),), sign: str = ">") -> Fraction | None:
    """The chance of a number against another."""
    numbers = tuple(Number("x", one, sum(step.value for step in one)) for one in (steps, against))
    return chance_of(Ruled("x.y", "Bo", "Grub", "hit", numbers, sign), DICE)


def test_a_chance_is_told_of_dice_that_are_known_and_counted_as_they_fell():
    """A d6 is more than 4 in 2 of 6 cases, and with 1 more at least 4 in 4 of 6; and more than 2d6 in 20 of 216."""
    five = Step(5, "d6", roll=1)
    assert compared(five) == Fraction(1, 3)
    assert compared(five, Step(1, "luck"), sign=">=") == Fraction(2, 3)
    assert compared(five, against=(Step(3, "2d6", roll=2),)) == Fraction(10 + 6 + 3 + 1, 216)
    assert compared(Step(5, "d6", roll=3)) is None
    assert compared(Step(5, "d6", op="x", roll=1)) is None
    assert compared(Step(4, "d6", roll=1)) is None
    assert compared(five, sign="") is None


@pytest.mark.parametrize(
    ("left", "sign", "right", "told"),
    [
        ((Step(5, "d6", roll=1), Step(1, "fog", "-")), ">", 2, Fraction(3, 6)),
        ((Step(9, "base"), Step(5, "d6", "-", roll=1)), "<", 5, Fraction(2, 6)),
        ((Step(5, "d6", roll=1), Step(2, "twice", "x")), ">", 7, Fraction(3, 6)),
        ((Step(5, "d6", roll=1), Step(2, "half", "/down")), ">=", 2, Fraction(3, 6)),
        ((Step(5, "d6", roll=1), Step(2, "half", "/up")), ">=", 2, Fraction(4, 6)),
        ((Step(5, "d6", roll=1), Step(4, "at least", "max")), ">", 4, Fraction(2, 6)),
        ((Step(5, "d6", roll=1), Step(3, "at most", "min")), ">=", 3, Fraction(4, 6)),
        ((Step(5, "d6", roll=1),), "<=", 5, Fraction(5, 6)),
        ((Step(5, "d6", roll=1),), "<", 6, Fraction(5, 6)),
        ((Step(5, "d6", roll=1),), ">", 5, Fraction(5, 6)),
        ((Step(5, "d6", roll=1),), "<", 5, Fraction(2, 6)),
        ((Step(5, "d6", roll=1), Step(5, "d6", roll=1)), ">", 3, None),
    ],
)
def test_a_chance_is_of_what_came_whatever_is_done_with_the_die(
    left: tuple[Step, ...], sign: str, right: int, told: Fraction | None
):
    """A d6 that shows 5; the ways of those faces in which the comparison comes to the same. No die counts twice."""
    came = total(Number("x", left, 0))
    numbers = (Number("x", left, came), Number("y", (Step(right, "needed"),), right))
    assert chance_of(Ruled("x.y", "Bo", "Grub", "hit", numbers, sign), DICE) == told


def test_a_comparison_of_too_many_ways_has_no_chance(monkeypatch: pytest.MonkeyPatch):
    """A d6 against 2d6 has 6 times 11 of them; either number alone has no more than 11."""
    five, three = Step(5, "d6", roll=1), Step(3, "2d6", roll=2)
    for most, told in ((66, True), (65, False), (11, False), (10, False)):
        monkeypatch.setattr(chance, "_MOST_WAYS", most)
        chance._compared.cache_clear()
        chance._ways.cache_clear()
        assert (compared(five, against=(three,)) is not None) is told
        assert (compared(three) is not None) is (most >= 11)
        assert (compared(Step(4, "all"), against=(three,), sign="<=") is not None) is (most >= 11)
    chance._compared.cache_clear()
    chance._ways.cache_clear()


def test_who_is_concerned_is_known_where_only_theirs_differs():
    """Not of the turn, of a house rule, or of where an encounter began."""
    state = fold(State(), [Joined(name, "party", Raw(b"{}")) for name in ("Bo", "Jane")])
    assert concerned(state, fold(state, [HpLost("Bo", 3, 7, 10)])) == {"Bo"}
    assert concerned(state, fold(state, [HpLost("Bo", 3, 7, 10), HpLost("Jane", 3, 7, 10)])) == {"Bo", "Jane"}
    assert concerned(state, state) == frozenset()
    for event in (OptionChanged("min_hit_damage", 2), TurnBegan("Bo")):
        assert concerned(state, fold(state, [event])) is None
    assert concerned(state, replace(state, opening=State())) is None
    assert concerned(replace(state, opening=State()), state) is None


def test_a_way_in_several_steps_is_one_where_it_is_gone_alike_and_counted_in_squares():
    """2 and 3 squares are 5."""
    first = Moved("Bo", "walk", 2, (2, 0, 0))
    found = farther(([first], first.sentence()), Moved("Bo", "walk", 3, (5, 0, 0)))
    assert found
    assert found[0] == [Moved("Bo", "walk", 5, (5, 0, 0))]
    for other in (Moved("Bo", "run", 3, (5, 0, 0)), Moved("Bo", "walk", 0, None, "60 feet")):
        assert farther(([first], first.sentence()), other) is None


def test_what_was_settled_for_one_stays_settled_while_others_wait():
    """Until the round is over. Anyone who waits again for the same has not settled it."""
    began = [Awaited("aim", "Bo", "shoot", {}), Awaited("aim", "Jane", "shoot", {}), WaitingEnded("aim", "Bo", "done")]
    state = fold(State(), [*began, WaitingEnded("aim", "Jane", "lost")])
    assert [(one.what.who, one.how) for one in state.pending.settled] == [("Bo", "done"), ("Jane", "lost")]
    state = fold(state, [Awaited("aim", "Jane", "shoot", {})])
    assert [one.what.who for one in state.pending.settled] == ["Bo"]
    assert [one.who for one in state.pending.waiting] == ["Jane"]


def test_what_was_declared_is_told_nine_deep():
    """Whatever somebody forged: the tenth list is not looked into."""
    nested: object = "core"
    for _ in range(9):
        nested = [nested]
    assert "core" in headline(Declared("shout", {"x": nested}), verbs())
    told = headline(Declared("shout", {"x": [nested]}), verbs())
    assert "core" not in told
    assert "..." in told


@pytest.mark.parametrize(
    ("outcome", "face", "told"),
    [("hit", 20, "natural 20"), ("miss", 1, "natural 1"), ("saved", 20, ""), ("hit", 0, "")],
)
def test_a_face_that_hits_by_itself_is_told_in_short(outcome: str, face: int, told: str):
    steps = (Step(face, "d20", roll=1),) if face else (Step(3, "always"),)
    event = Ruled("freepg.attack.natural-20", "Bo", "Grub", outcome, (Number("x", steps, face or 3),), "")
    said = [Declared("attack", {"who": "Bo", "target": "Grub"}), event, HpLost("Grub", 3, 7, 10)]
    lines = " ".join(str(one.lines) for one in in_short(said, verbs()))
    assert ("natural" in lines) is bool(told)
    assert told in lines


def test_what_was_compared_stands_before_an_outcome_in_short():
    """Also a sum without dice, but not a plain yes or no without any; of a blow of many only the first."""

    def ruled(outcome: str, left: Step, right: int) -> Ruled:
        numbers = (Number("x", (left,), left.value), Number("x", (Step(right, "defense"),), right))
        return Ruled("freepg.attack.hit-test", "Bo", "Grub", outcome, numbers, ">")

    fixed, rolled = ruled("hit", Step(9, "always"), 8), ruled("yes", Step(5, "d6", roll=1), 4)
    plain = ruled("no", Step(2, "always"), 3)
    blow = Declared("attack", {"who": "Bo", "target": "Grub"})
    said = [blow, Passage("Bo", "Grub"), fixed, plain, rolled, HpLost("Grub", 3, 7, 10)]
    first, *_ = in_short(said, verbs())
    assert first.outcome.startswith("9 > 8, 5 > 4  Bo attacks Grub")
    first, *_ = in_short(said, verbs(), massed=True)
    assert first.outcome.startswith("9 > 8  Bo attacks Grub")


def test_one_fight_keeps_its_arithmetic():
    """Of two that an entry decides each begins with what the dice came to."""

    def fought(target: str) -> list[Event]:
        numbers = (Number("x", (Step(19, "d20", roll=1),), 19), Number("x", (Step(12, "defense"),), 12))
        return [Passage("Bo", target), Ruled("freepg.attack.hit-test", "Bo", target, "hit", numbers, ">")]

    for targets, starts in ((("Grub",), "Bo attacks"), (("Grub", "Jane"), "19 > 12  Bo attacks")):
        events = [Declared("attack", {"who": "Bo", "target": list(targets)}), *(e for t in targets for e in fought(t))]
        found = fights(narration.told(events, verbs()), events, verbs())
        assert [one.outcome.startswith(starts) for one in found] == [True] * len(targets)
        assert [bool(one.arithmetic) for one in found] == [len(targets) == 1] * len(targets)


def test_of_equal_blows_the_one_that_felled_comes_first():
    """Before an earlier one; a harder blow comes before both."""
    early, felling = (Blow(entry, "Bo", "Grub", "hp", 5, entry == 2) for entry in (1, 2))
    hard = Blow(3, "Bo", "Grub", "hp", 6, False)
    assert sorted((early, felling, hard), key=lambda one: one.rank) == [hard, felling, early]


def test_whose_turn_begins_is_told_in_short_only_where_nothing_else_is():
    begun = [Declared("done", {"who": "Bo"}), TurnBegan("Grub")]
    assert "Grub" in " ".join(one.outcome for one in in_short(begun, verbs()))
    hurt = in_short([*begun, HpLost("Bo", 3, 4, 10)], verbs())
    assert "Grub" not in " ".join(one.outcome for one in hurt)


def test_what_is_taken_back_is_told_in_short_where_nothing_is_ruled():
    (told,) = in_short([Declared("undo", {}), Retracted((4,), ())], verbs())
    assert "e4" in told.outcome


def test_what_an_instant_takes_back_is_told_last():
    """Behind what was ruled and lost, and behind who is engaged, which comes after a loss."""
    ruled = Ruled("freepg.x.y", "Bo", "", "braced", (Number("x", (Step(3, "luck"),), 3),), "")
    brace = Declared("brace", {"who": "Bo"}, instant=True)
    events = [brace, Retracted((4,), ()), ruled, Engaged("Bo", "Grub"), HpLost("Bo", 3, 4, 10)]
    first, *_ = lines(events, "freepg")
    assert first == "Bo braces: braced; loses 3 hp, now 4/10; Bo and Grub are engaged; e4 is taken back"


def test_where_only_what_no_line_tells_has_changed_something_has():
    assert lines([Declared("done", {})]) == ["done: nothing changes"]
    assert lines([Declared("done", {}), Counted("Bo", "feet", 1)]) == ["done"]


def test_the_end_of_an_encounter_in_short_leaves_out_what_keeps_the_books():
    """Who is engaged with nobody any more, and whom a spell cost its last magica; what ends for somebody is told."""
    ended = (EncounterEnded(1), Disengaged("Ann", "Bob"), MagicaSpent("Ann", 2, 1, 4), ConditionEnded("Bob", "dazed"))
    told = " ".join(one.outcome for one in in_short((Declared("end", {}), *ended), verbs()))
    assert told.startswith("encounter 1 is over")
    assert "Bob is no longer dazed" in told
    assert "engaged" not in told
    assert "magica" not in told
    assert told.count("encounter 1 is over") == 1
