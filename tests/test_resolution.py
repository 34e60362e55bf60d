"""Resolution: what a procedure can do, and what is recorded."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from commands.action import systems
from commands.action.adjust import Adjust
from commands.action.book import Book, Order
from commands.action.common import Join, Leave, Note, Option
from commands.action.declaration import Declaration
from commands.action.dice_sources import LEFT_OUT, Answer, Dice, Question, of_record, stream
from commands.action.procedures import resolve
from commands.action.resolution import Needed, Resolution, listed
from commands.action.rolling import Roll
from commands.past.perform import perform
from ledger.dice import committed, face
from ledger.errors import LedgerBusy, NameUnknown, Refused, UsageError
from ledger.events import (
    CampaignBegan,
    Declared,
    Felled,
    HpSet,
    Joined,
    Left,
    Noted,
    Number,
    OptionChanged,
    Overruled,
    PhaseBegan,
    Placed,
    PointsSet,
    Rolled,
    Ruled,
    Step,
    number,
)
from projections.state import State, fold
from tests.kit import KEY, answer, given, no
from tests.shell import say

TABLE = fold(State(), [CampaignBegan("test", "freepg", committed(KEY))])
BOB = {"name": "Bob", "kind": "enemy"}


class Try(Declaration):
    """Something that only these tests declare."""

    what: str = ""


def fight(dice: Dice | None = None, allow: str = "", state: State = TABLE) -> Resolution:
    return Resolution(state, "try", Try("luck"), dice or Dice(faces=[]), allow)


@pytest.fixture
def attempt(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Resolution]:
    """Resolves a procedure of the test's own."""

    def run(procedure: Callable[[Resolution], None], dice: Dice, allow: str = "") -> Resolution:
        monkeypatch.setattr(systems, "find_verb", lambda system, verb: None)
        monkeypatch.setattr(systems, "procedure", lambda verb: (lambda one, said: procedure(one), Try))
        return resolve(Resolution(TABLE, "try", Try(), dice, allow))

    return run


# Every entry begins with what was said


def test_the_declaration_comes_first():
    assert fight().events == [Declared("try", {"what": "luck"})]
    assert fight(allow="because").events == [Declared("try", {"what": "luck"}, "because")]


def test_a_default_is_not_recorded():
    assert Resolution(TABLE, "try", Try(), Dice(faces=[])).events == [Declared("try", {})]


# Rolling


def test_a_roll_is_recorded_with_its_question():
    one = fight(Dice(faces=[3, 4]))
    roll = one.roll("Ann", "2d6", "attack", "Bob")
    assert one.events[1:] == [Rolled("Ann", "attack", "Bob", "2d6", (3, 4), (0, 0))]
    assert (roll.total, roll.faces, roll.known) == (7, (3, 4), True)
    assert roll.number() == Number("attack", (Step(7, "2d6 [3+4]", roll=1),), 7)


def test_a_single_die_has_a_natural_face():
    roll = fight(Dice(faces=[20])).roll("Ann", "1d20", "attack")
    assert (roll.natural, roll.shows(20), roll.shows(1)) == (20, True, False)
    assert roll.number("strike") == Number("strike", (Step(20, "d20", roll=1),), 20)


def test_program_dice_take_the_next_places_of_the_stream():
    one = fight(Dice(stream(KEY, 7)))
    one.roll("Ann", "1d20", "attack")
    one.roll("Bob", "2d6", "harm")
    assert [event.places for event in one.events[1:]] == [(8,), (9, 10)]
    assert [event.faces for event in one.events[1:]] == [
        (face(KEY, 8, 20),),
        (face(KEY, 9, 6), face(KEY, 10, 6)),
    ]


def test_an_optional_roll_that_nobody_threw_is_left_out_and_shows_nothing():
    one = fight(Dice(faces=[5]))
    one.roll("Ann", "1d20", "attack")
    left = one.roll("Bob", "1d20", "flavour", optional=True)
    assert one.events[2] == Rolled("Bob", "flavour", "", "1d20", (), ())
    assert (left.known, left.faces, left.shows(1), left.total) == (True, (), False, 0)


def test_an_optional_roll_that_somebody_threw_counts():
    one = fight(Dice(faces=[5, 1]))
    one.roll("Ann", "1d20", "attack")
    assert one.roll("Bob", "1d20", "flavour", optional=True).shows(1)


def test_an_optional_roll_is_not_asked_for():
    asked: list[Question] = []

    def ask(pool: Sequence[Question]) -> list[int]:
        asked.extend(pool)
        return [2] * len(pool)

    source = Dice(stream(bytes(32)), ask=ask)
    one = fight(source)
    one.roll("Ann", "2d6", "attack", "Bob")
    one.roll("Ann", "1d4", "flavour", optional=True)
    assert asked == [Question("Ann", "attack", "Bob", 0, 0, 6), Question("Ann", "attack", "Bob", 0, 1, 6)]
    assert source.as_typed() == (2, 2)


@pytest.mark.parametrize("given_face", [0, 7, -1, 1000000])
def test_an_impossible_face_is_refused_by_name(given_face: int):
    with pytest.raises(UsageError, match=f"{given_face} is not a face of the d6 for attack \\(Ann\\)."):
        fight(Dice(faces=[given_face])).roll("Ann", "1d6", "attack")


@pytest.mark.parametrize(("dice", "given_face", "is_sum"), [
    ("2d20", 40, True), ("2d20", 41, False), ("21d20", 21, True), ("1d20", 21, False),
])  # fmt: skip
def test_a_face_that_may_be_the_sum_of_all_dice_says_so(dice: str, given_face: int, is_sum: bool):
    with pytest.raises(UsageError) as refused:
        fight(Dice(faces=[given_face])).roll("Ann", dice, "attack")
    assert ("dice, not their sum" in refused.value.hint) is is_sum


def test_too_few_dice_name_all_that_were_asked_for_in_order(attempt: Callable[..., Resolution]):
    """The first is there, the second is not; the third was never asked for, as it depends on the second."""

    def procedure(one: Resolution) -> None:
        one.roll("Ann", "1d20", "attack", "Bob")
        if one.roll("Bob", "2d6", "defense").total > 3:
            one.roll("Ann", "1d8", "harm")

    with pytest.raises(Needed) as caught:
        attempt(procedure, Dice(faces=[11, 4]))
    assert [(roll.who, roll.dice) for roll in caught.value.rolls] == [("Ann", "1d20"), ("Bob", "2d6")]
    assert caught.value.message == (
        "More dice are needed than were given; so far, in this order: Ann 1d20 for attack (Bob), Bob 2d6 for defense."
    )
    assert caught.value.hint.startswith("Give them all, as --dice 11,4,2 - "), (
        "what was typed, and a face for the third"
    )
    assert caught.value.code == 2


def test_dice_that_nobody_reads_are_needed_all_the_same(attempt: Callable[..., Resolution]):
    """A preview lists them together, so that they can be thrown at once."""

    def procedure(one: Resolution) -> None:
        one.roll("Ann", "1d20", "attack")
        one.roll("", "1d20", "defense")

    with pytest.raises(Needed) as caught:
        attempt(procedure, Dice(faces=[]))
    assert listed(caught.value.rolls) == "Ann 1d20 for attack, the table 1d20 for defense"


def test_too_many_dice_are_refused_with_what_was_needed(attempt: Callable[..., Resolution]):
    with pytest.raises(
        UsageError, match=r"Too many dice: 5, 6 left over\. Needed, in this order: Ann 1d6 for attack\."
    ):
        attempt(lambda one: one.roll("Ann", "1d6", "attack"), Dice(faces=[4, 5, 6]))
    with pytest.raises(UsageError, match=r"Too many dice: 4 left over\. This rolls no dice\."):
        attempt(lambda one: None, Dice(faces=[4]))


def test_a_recorded_die_answers_its_question_wherever_it_stands():
    """Asked in another order, each question finds its old die; the second of the same kind finds the second."""
    rolls = [
        Rolled("Ann", "attack", "Bob", "1d20", (15,), (3,)),
        Rolled("Bob", "defense", "", "2d6", (2, 5), (0, 0)),
        Rolled("Ann", "attack", "Bob", "1d20", (9,), (4,)),
        Rolled("Ann", "flavour", "", "1d4", (), ()),
    ]
    source = Dice(of_record(rolls))
    one = fight(source)
    assert one.roll("Bob", "2d6", "defense").faces == (2, 5)
    assert one.roll("Ann", "1d20", "attack", "Bob").faces == (15,)
    assert one.roll("Ann", "1d20", "attack", "Bob").faces == (9,)
    assert one.roll("Ann", "1d4", "flavour", optional=True).faces == ()
    assert len(source.given()) == 5
    assert not one.roll("Ann", "1d20", "attack", "Bob").known


def test_a_recorded_die_answers_no_other_question():
    source = Dice(of_record([Rolled("Ann", "attack", "Bob", "1d20", (15,), (3,))]))
    assert answer(source, Question("Ann", "attack", "Cat", 0, 0, 20), False) is None
    assert answer(source, Question("Ann", "attack", "Bob", 0, 0, 12), False) is None
    assert answer(source, Question("Ann", "attack", "Bob", 1, 0, 20), False) is None
    assert answer(source, Question("Ann", "attack", "Bob", 0, 0, 20), False) == Answer(15, 3)


def test_typed_dice_answer_in_the_order_given():
    source = Dice(faces=[2])
    assert answer(source, Question("", "", "", 0, 0, 6), False) == Answer(2, 0)
    assert answer(source, Question("", "", "", 0, 0, 6), False) is None
    assert answer(source, Question("", "", "", 0, 0, 6), True) is LEFT_OUT


# Ruling


@pytest.mark.parametrize(("left", "sign", "right", "holds"), [
    (3, ">=", 3, True), (3, ">", 3, False), (3, "=", 3, True), (3, "<=", 3, True), (3, "<", 3, False),
    (2, ">=", 3, False), (2, "<", 3, True), (4, ">", 3, True), (4, "=", 3, False), (4, "<=", 3, False),
])  # fmt: skip
def test_two_numbers_are_compared_and_both_are_recorded(left: int, sign: str, right: int, holds: bool):
    one = fight()
    numbers = (number("attack", left), number("defense", right))
    assert one.compare("a.b", numbers[0], sign, numbers[1], who="Ann", about="Bob", yes="hit", no="miss") is holds
    assert one.events[1:] == [Ruled("a.b", "Ann", "Bob", "hit" if holds else "miss", numbers, sign)]


def test_a_rule_records_its_outcome_and_gives_it_back():
    one = fight()
    assert one.rule("a.b", "arm", [number("row", 3)], who="Ann") == "arm"
    assert one.events[1:] == [Ruled("a.b", "Ann", "", "arm", (number("row", 3),), "")]


# Recording, refusing, allowing


def test_a_fact_is_part_of_the_state_at_once():
    one = fight()
    one.record(HpSet("Bob", 3, 9))
    assert one.state.harm.hp["Bob"].now == 3


def test_the_opening_is_the_present_where_nothing_is_simultaneous():
    one = fight()
    one.record(HpSet("Bob", 9, 9))
    assert one.opening is one.state
    one.record(PhaseBegan("fire", True))
    one.record(HpSet("Bob", 2, 9))
    assert (one.opening.harm.hp["Bob"].now, one.state.harm.hp["Bob"].now) == (9, 2)


def test_a_rule_refuses_with_its_clause():
    with pytest.raises(Refused) as caught:
        fight().refuse("a.b", "Bob is too far.", "Come closer.")
    assert (caught.value.clause, caught.value.message, caught.value.hint, caught.value.code) == (
        "a.b", "Bob is too far.", "Come closer.", 1)  # fmt: skip


def test_the_game_master_may_allow_it_and_that_is_recorded():
    one = fight(allow="long arms")
    one.refuse("a.b", "Bob is too far.")
    assert one.events[1:] == [Overruled("a.b", "Bob is too far.", "long arms")]


def test_an_impossible_action_cannot_be_allowed():
    with pytest.raises(UsageError, match=r"Nobody is there\."):
        fight(allow="long arms").impossible("Nobody is there.")


def test_a_house_rule_has_its_default_until_it_is_set():
    assert fight().option("weapon_slots") == 2
    changed = fold(TABLE, [OptionChanged("weapon_slots", 1)])
    assert fight(state=changed).option("weapon_slots") == 1


# The verbs that every system has


def test_roll_records_dice_and_sum():
    given("freepg").when(Roll("2d6+1d4-2", why="luck"), [6, 1, 4]).then(
        Declared("roll", {"dice": "2d6+1d4-2", "why": "luck"}),
        Rolled("", "luck", "", "2d6+1d4", (6, 1, 4), (0, 0, 0)),
        Ruled(
            "table.roll",
            "",
            "",
            "",
            (Number("luck", (Step(11, "2d6+1d4 [6+1+4]", roll=1), Step(2, "bonus", "-")), 9),),
            "",
        ),
    )


def test_note_changes_nothing():
    told = given("freepg", Join((BOB,)))
    noted = told.when(Note("stumbles", "bo"))
    noted.then(Declared("note", {"text": "stumbles", "about": "Bob"}), Noted("stumbles", "Bob"))
    assert noted.state == told.state


def test_an_option_takes_its_value_in_words():
    for word, value in (("off", False), ("No", False), ("TRUE", True), ("yes", True)):
        given("freepg").when(Option("critical_ignores_range", word)).then(
            OptionChanged("critical_ignores_range", value)
        )
    given("freepg").when(Option("min_hit_damage", "3")).then(OptionChanged("min_hit_damage", 3))
    given("freepg").when(Option("area_radius", "beyond-origin")).then(OptionChanged("area_radius", "beyond-origin"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("critical_ignores_range", "1"),
        ("critical_ignores_range", "maybe"),
        ("weapon_slots", "3"),
        ("weapon_slots", "yes"),
        ("min_hit_damage", "-1"),
        ("min_hit_damage", "x"),
        ("min_hit_damage", ""),
        ("area_radius", "BEYOND"),
        ("nothing", "1"),
    ],
)
def test_option_refuses_what_it_cannot_be(name: str, value: str):
    with pytest.raises(UsageError):
        given("freepg").when(Option(name, value))


def test_join_numbers_several_of_a_kind_and_goes_on_counting():
    told = given("freepg", Join((BOB,), count=2), Join((BOB,), count=2))
    assert told.state.roster.order == ("Bob-1", "Bob-2", "Bob-3", "Bob-4")
    again = told.when(Leave(("Bob-2",))).then(Left("Bob-2")).when(Join((BOB,), count=1, called="Bob-9"))
    assert again.when(Join((BOB,), count=2)).state.roster.order[-2:] == ("Bob-2", "Bob-5")


def test_join_takes_another_name_side_and_square():
    told = given("freepg").when(Join((BOB,), side="party", called="Robert", at=((3, 2, 1),)))
    told.then(no(Felled), Placed("Robert", (3, 2, 1)))
    (joined,) = [event for event in told.events if isinstance(event, Joined)]
    assert (joined.who, joined.side, msgspec.json.decode(joined.sheet)["name"]) == ("Robert", "party", "Bob")


def test_adjust_corrects_each_number():
    told = given("freepg", Join((BOB,)))
    for field, value, event in [
        ("hp", "7", HpSet("Bob", 7, 20)),
        ("hp-max", "30", HpSet("Bob", 20, 30)),
        ("at", "3,-2", Placed("Bob", (3, -2, 0))),
        ("at", "3,2,1", Placed("Bob", (3, 2, 1))),
        ("down", "dead", Felled("Bob", "dead")),
    ]:
        told.when(Adjust(("bob",), field, value, "why")).then(
            Declared("adjust", {"who": ("Bob",), "field": field, "value": value, "why": "why"}), event
        )


def test_adjust_corrects_points_that_somebody_has():
    told = given("freepg", Join((BOB,)))
    with pytest.raises(UsageError, match="Bob has no 'action' now"):
        told.when(Adjust("bob", "action", "1", "why"))
    state = fold(told.state, [PointsSet("Bob", "action", 0)])
    assert resolve(Resolution(state, "adjust", Adjust(("Bob",), "action", "1", "why"), Dice(faces=[]))).events[
        1
    ] == PointsSet("Bob", "action", 1)


def test_an_unknown_name_stops_everything():
    with pytest.raises(NameUnknown):
        given("freepg").when(Adjust("bob", "hp", "1", "why"))


# Through the book


def order(declaration: Declaration, verb: str, **more: object) -> Order:
    return Order(verb, declaration, verb, **more)  # type: ignore[arg-type]


def test_a_preview_asks_for_dice_and_never_looks_at_the_coming_ones(book: Book):
    head = book.store.head()
    done = perform(book, order(Roll("2d6", why="luck"), "roll", dry_run=True))
    assert [(roll.dice, roll.purpose) for roll in done.needed] == [("2d6", "luck")]
    assert (done.entry, done.events, done.after) == (0, (), done.before)
    assert book.store.head() == head


def test_a_preview_with_dice_shows_all_and_records_nothing(book: Book):
    head = book.store.head()
    done = perform(book, order(Roll("2d6"), "roll", dry_run=True, dice=(3, 4)))
    assert [type(event) for event in done.events] == [Declared, Rolled, Ruled]
    assert book.store.head() == head


def test_a_refused_action_leaves_no_trace_and_draws_no_die(book: Book):
    say(book, Join((BOB,)))
    head = book.store.head()
    for declaration, verb in ((Join(({**BOB, "flat_bonus": 9, "name": "Cat"},)), "join"), (Join((BOB,)), "join")):
        with pytest.raises((Refused, UsageError)):
            perform(book, order(declaration, verb))
    assert book.store.head() == head
    say(book, Roll("d6"))
    assert (book.store.head().drawn, book.store.head().hidden) == (0, 1)


def test_asked_dice_are_recorded_as_typed(book: Book):
    done = perform(book, order(Roll("2d6"), "roll", ask=lambda pool: [3, 4]))
    assert done.events[1] == Rolled("", "a roll", "", "2d6", (3, 4), (0, 0))
    assert (book.store.head().drawn, book.store.head().hidden) == (0, 0)


def test_dice_that_were_thrown_while_somebody_else_recorded_do_not_count(book: Book):
    """What they were thrown for may have changed."""
    other = Book(book.store, by="other", clock=book.clock)

    def ask(pool: Sequence[Question]) -> list[int]:
        say(other, Note("meanwhile"))
        return [3] * len(pool)

    with pytest.raises(LedgerBusy, match="Somebody else recorded e2 while the dice were thrown"):
        perform(book, order(Roll("d6"), "roll", ask=ask))
    assert book.store.head().entry == 2


def test_a_repeated_command_gives_what_was_recorded(book: Book):
    first = perform(book, order(Roll("2d6"), "roll", once="a"))
    again = perform(book, order(Roll("2d6"), "roll", once="a"))
    assert (again.entry, again.events, again.repeated) == (first.entry, first.events, True)
    assert book.store.head() == first.head
    with pytest.raises(UsageError, match="The command id 'a' is taken"):
        perform(book, order(Note("hi"), "note", once="a"))


# A rule system on top


def test_an_attack_by_hand():
    """Ann, +2 with her sword, rolls 14 against Bob's 9: 16 to 9."""
    from commands.rules.freepg.attack import Attack

    ann = {"name": "Ann", "items": [{"name": "sword", "slot": "weapon", "attack": 2}], "health_die": 10}
    told = given("freepg", Join((ann,)), Join((BOB,)))
    struck = told.when(Attack("ann", ("bob",)), [14, 9])
    rolled = [event for event in struck.events if isinstance(event, Rolled)]
    assert [(roll.who, roll.faces) for roll in rolled] == [("Ann", (14,)), ("Bob", (9,))]
    assert struck.state.harm.hp["Bob"].now == 20 - (16 - 9)
