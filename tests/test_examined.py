"""What an examination of a record asks of each entry and each die, one question at a time."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Note
from commands.past.examined_course import ExaminedCourse
from commands.past.examined_dice import ExaminedDice
from commands.past.findings import Finding, Findings
from commands.past.soundness import examine
from ledger.chain import Entry
from ledger.dice import MOST_PLACE, committed
from ledger.events import (
    CampaignBegan,
    Declared,
    DiceRevealed,
    Event,
    Joined,
    Masked,
    Noted,
    Retracted,
    Revealed,
    Rolled,
    Stirred,
    Unmasked,
)
from ledger.parts import Parts
from tests.kit import KEY
from tests.shell import HERE, NOON, chain_anew, forge, say, write
from tests.test_audit import found, reopened

BEGUN = (Declared("init", {}), CampaignBegan("x", "freepg", committed(KEY)))
NOTE = (Declared("note", {"text": "x"}), Noted("x"))
AMENDS = Declared("amend", {"entry": "e2"})


def entry(number: int, after: int = -1, command: int = 0, origin: int = 0) -> Entry:
    """An entry that stands after the one before it, and is a command and an action of its own, unless it says so."""
    after = number - 1 if after < 0 else after
    return Entry(number, after, command or number, origin or number, 0, 0, NOON, "", "", "", "", (), ())


def wrong_of(course: Sequence[tuple[Entry, tuple[Event, ...]]]) -> list[int]:
    """The entries of a record that are not as they should be in its course."""
    wrong = list[int]()
    examined = ExaminedCourse(lambda number, _: wrong.append(number))
    for one, events in course:
        examined.examine(one, events, None)
    return wrong


def test_a_record_begins_its_campaign_with_the_first_entry_alone():
    """A note does not begin one, and the second entry cannot."""
    assert wrong_of([(entry(1), BEGUN), (entry(2), NOTE)]) == []
    assert wrong_of([(entry(1), NOTE), (entry(2), BEGUN)]) == [1, 2]


@pytest.mark.parametrize(("origin", "wrong"), [(3, []), (2, [5]), (4, [5]), (1, [5])])
def test_an_entry_of_an_amendment_resolves_an_action_again_that_does_not_stand(origin: int, wrong: list[int]):
    """The amendment e4 stands after e2, so e1 and e2 stand already; and it is no action of its own."""
    amends = entry(4, after=2), (AMENDS, Retracted((3,), ()))
    again = entry(5, command=4, origin=origin), NOTE
    assert wrong_of([(entry(1), BEGUN), (entry(2), NOTE), (entry(3), NOTE), amends, again]) == wrong


def test_an_entry_that_stands_after_none_before_it_stands_after_the_last_one():
    """e3 is said to stand after e9, so that the amendment e4 stands after e1 to e3: e2 is not resolved again by it."""
    amends = entry(4, after=3), (AMENDS, Retracted((), ()))
    again = entry(5, command=4, origin=2), NOTE
    assert wrong_of([(entry(1), BEGUN), (entry(2), NOTE), (entry(3, after=9), NOTE), amends, again]) == [3, 5]


def test_what_is_resolved_again_is_named_by_the_entry_that_resolved_it_first():
    """e5 resolves e3 again; e7 may resolve e3 once more, but not e5."""
    begun = [
        (entry(1), BEGUN), (entry(2), NOTE), (entry(3), NOTE),
        (entry(4, after=2), (AMENDS, Retracted((3,), ()))), (entry(5, command=4, origin=3), NOTE),
        (entry(6, after=2), (AMENDS, Retracted((4, 5), ()))),
    ]  # fmt: skip
    assert wrong_of([*begun, (entry(7, command=6, origin=3), NOTE)]) == []
    assert wrong_of([*begun, (entry(7, command=6, origin=5), NOTE)]) == [7]


def joins(*places: int) -> tuple[Event, ...]:
    """Some who join, each in a place for persons; 0 for the place of the event."""
    return Declared("join", {}), *(Joined(f"G{nth}", "foes", Raw(b"{}"), place) for nth, place in enumerate(places))


@pytest.mark.parametrize(
    ("places", "fine"),
    [((0,), True), ((0, 0), True), ((1,), False), ((2,), False), ((0, 1), False), ((0, 2), False), ((0, 3), False)],
)
def test_who_joins_first_is_the_person_of_their_own_place(places: tuple[int, ...], fine: bool):
    assert (wrong_of([(entry(1), BEGUN), (entry(2), joins(*places))]) == []) is fine


@pytest.mark.parametrize(("places", "fine"), [
    ((0,), True), ((0, 0), True), ((0, 0, 0), True), ((2,), True), ((2, 1), True), ((3,), True), ((2, 3), True),
    ((1,), False), ((4,), False), ((2, 0), False), ((3, 3), False), ((0, 2), False), ((3, 5), False), ((-1,), False),
])  # fmt: skip
def test_who_joins_again_is_one_of_the_persons_of_the_first_join_or_the_next(places: tuple[int, ...], fine: bool):
    """Two joined in e2. A place is said only where it is not that of the event."""
    course = [(entry(1), BEGUN), (entry(2), joins(0, 0)), (entry(3, after=1), (AMENDS, Retracted((2,), ())))]
    assert (wrong_of([*course, (entry(4, command=3, origin=2), joins(*places))]) == []) is fine


def wrong_for_players(join: Sequence[Event], then: Event, left_out: bool) -> list[int]:
    """The wrong entries of a file for players: of who joins in e2, which may be left out, and of e3."""
    wrong = list[int]()
    examined = ExaminedCourse(lambda number, _: wrong.append(number))
    sealed = Parts(sealed="secret", leaf="00") if left_out else Parts()
    for one, events, parts in (
        (entry(1), BEGUN, Parts()), (entry(2), (Declared("join", {}), *([] if left_out else join)), sealed),
        (entry(3), (Declared("x", {}), then), Parts()),
    ):  # fmt: skip
        examined.examine(one, events, parts)
    return wrong


@pytest.mark.parametrize(("masked", "left_out", "wrong"), [
    ([Masked("G0", "Gnasher")], False, []), ([], False, [3]), ([Masked("G0", "Bo")], False, [3]),
    ([Masked("G1", "Gnasher")], False, [3]), ([], True, []),
])  # fmt: skip
def test_a_true_name_is_opened_that_was_shown_where_its_bearer_joined(
    masked: list[Event], left_out: bool, wrong: list[int]
):
    """Nobody knows what stands in an entry that is left out."""
    assert wrong_for_players([*joins(0)[1:], *masked], Unmasked("G0", "Gnasher"), left_out) == wrong


class Dice:
    """Dice that are examined, of a record that holds nothing else."""

    def __init__(self, players: bool = False) -> None:
        self.wrong = list[int]()
        store: Any = SimpleNamespace(is_for_players=players, entry=entry)
        self.examined = ExaminedDice(store, lambda number, _: self.wrong.append(number))

    def roll(self, number: int, place: int, origin: int = 0, drawn: int = 0) -> bool:
        """Examines an entry that rolls a d6 from a place; whether nothing is wrong with it."""
        roll = Rolled("Bo", "hit", "", "1d6", (3,), (place,))
        one = replace(entry(number, origin=origin), drawn=drawn)
        self.examined.examine(one, (Declared("roll", {}), roll), "")
        return number not in self.wrong


def test_in_a_file_for_players_hidden_dice_may_be_left_out_but_none_is_shown_twice_or_late():
    dice = Dice(players=True)
    assert dice.roll(2, -3)
    assert dice.examined.grades.skipped == 2
    assert dice.roll(3, -4)
    assert dice.examined.grades.skipped == 2
    assert not dice.roll(4, -4)
    assert not dice.roll(5, -2)
    assert dice.roll(6, -6)
    assert dice.examined.grades.skipped == 3


def test_a_place_of_the_hidden_stream_has_its_greatest_number():
    """`docs/store.md`: whole numbers are less than 2 to the 53rd."""
    assert Dice(players=True).roll(2, -(2**53) + 1)
    assert not Dice(players=True).roll(2, -(2**53))
    assert MOST_PLACE == 2**53 - 1


def test_a_hidden_die_of_an_action_that_is_left_out_may_be_named_late_again():
    """A die of e2 was not shown, because parts of e2 are left out: e4 names it again."""
    dice = Dice(players=True)
    assert dice.roll(3, -5)
    dice.examined.skip(replace(entry(2), hidden=5))
    assert dice.roll(4, -2, origin=2)
    assert not dice.roll(5, -3)
    assert not dice.roll(6, -4, origin=3)


def test_open_dice_follow_one_another():
    dice = Dice()
    assert dice.roll(2, 1, drawn=1)
    assert dice.roll(3, 2, drawn=2)
    assert not dice.roll(4, 4, drawn=3)
    assert not dice.roll(5, 2, drawn=4)
    assert dice.roll(6, 2, origin=3, drawn=4)
    assert not dice.roll(7, 2, origin=5, drawn=4)
    dice.examined.skip(replace(entry(8), drawn=5))
    assert dice.roll(9, 5, origin=8, drawn=5)


def test_an_epoch_of_a_record_without_its_beginning_is_believed():
    """e1 is missing: what the key gives in epoch 1 hangs on a digest that nobody knows, and its die is unproven."""
    dice = Dice()
    dice.examined.miss()
    stir = Stirred(1, "boars", 1, committed(KEY)[0], 1)
    dice.examined.examine(entry(2), (Declared("stir", {"words": "boars"}), stir), None)
    assert dice.wrong == []
    assert dice.roll(3, 1, drawn=1)
    assert (dice.examined.grades.unproven, dice.examined.grades.proven) == (1, 0)


@pytest.mark.parametrize("check", ["chain", "dice"])
def test_an_examination_is_spoilt_by_damage_and_by_what_it_could_not_check(check: Any):
    """Drift and faults of the rules spoil nothing; nor does damage that only a check finds which is not made."""
    for sort, spoils in (("damage", True), ("unchecked", True), ("drift", False), ("fault", False)):
        findings = Findings(["chain", "dice"])
        findings.all.append(Finding(sort, 2, "x", check))  # type: ignore[arg-type]
        assert findings.spoils is spoils
    elsewhere = Findings(["rules"])
    elsewhere.damage(2, "x", check)
    assert not elsewhere.spoils
    elsewhere.spoiled(2, "x", check)
    assert elsewhere.spoils


@pytest.mark.parametrize(("said", "event"), [
    ({"what": "dice"}, DiceRevealed(True, ())), ({"what": "dice", "hidden": True}, DiceRevealed(False, ())),
    ({"what": "e2"}, DiceRevealed(False, ())), ({"what": "e3"}, Revealed(2)), ({"what": "2"}, Revealed(2)),
])  # fmt: skip
def test_other_dice_than_were_said_are_not_revealed(book: Book, said: dict[str, Any], event: Event):
    say(book, Note("x"))
    write(book.store, [Declared("reveal", said), event])
    found(book, "e3 is neither a stir nor a reveal that could have been recorded.")


@pytest.mark.parametrize(("entry_", "why"), [(1, "opens the ledger"), (2, "is an undo, a redo or an amendment")])
def test_what_is_no_action_is_not_amended(book: Book, entry_: int, why: str):
    write(book.store, [Declared("undo", {}), Retracted((), ())])
    write(book.store, [Declared("amend", {"entry": f"e{entry_}"}), Retracted((), ())])
    assert f"e{entry_} {why} and cannot be amended." in examine(Book(book.store)).findings[-1].message


@pytest.mark.parametrize(("program", "sort"), [(HERE, "fault"), ("affray 0.0.9 freepg-0", "drift")])
def test_an_action_that_an_amendment_leaves_out_although_it_is_possible_is_found(book: Book, program: str, sort: str):
    """e4 amends e2, and resolves e2 and e3 again; the last of its entries is gone. Where an older program wrote e3, its
    rules may have been others.
    """
    for text in ("a", "b"):
        say(book, Note(text))
    write(book.store, [Declared("amend", {"entry": "e2", "change": {"text": "c"}}), Retracted((2, 3), ())], after=1)
    again = [Declared("note", {"text": "c"}), Noted("c")]
    write(book.store, again, command=4, origin=2)
    for _ in range(2):  # also where another command follows
        assert "e4 leaves out e3, which is possible." in examine(Book(book.store)).findings[-1].message
        write(book.store, NOTE)
    forge(book.store.path, ("UPDATE entries SET program = ? WHERE entry = 3", (program,)))
    chain_anew(book.store.path)
    assert [(one.sort, one.entry) for one in examine(reopened(book)).findings] == [(sort, 4)]
