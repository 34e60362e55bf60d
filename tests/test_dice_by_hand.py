"""Dice of the players and dice of the program meet in one command."""

import io
import shlex
import sys
from pathlib import Path

import pytest

from commands.action import systems
from commands.action.book import events_of
from commands.action.common import Join
from commands.action.dice_sources import Dice, Question
from commands.action.seats import Seat
from commands.action.systems import SYSTEMS
from commands.action.whose_dice import by_hand
from ledger.events import Noted, Number, OptionChanged, Rolled, Ruled, Step
from ledger.sqlite import SqliteStore
from tests.kit import given, lines
from tests.shell import Shell, recorded, rulings
from tests.test_who_is_meant import seated


def rolled(ledger: str = "test.affray") -> list[Rolled]:
    """The rolls of the last entry."""
    store = SqliteStore.open(ledger)
    found = [event for event in events_of(store.entry(store.head().entry)) if isinstance(event, Rolled)]
    store.close()
    return found


KEY = "ab" * 32


@pytest.fixture
def stream(shell: Shell) -> tuple[int, int]:
    """The first two open d6 of a campaign with this key; they are rolled in another ledger."""
    shell.done("--ledger", "other.affray", "init", "other", "--system", "freepg", "--key", KEY)
    shell.done("--ledger", "other.affray", "join", "jane")
    shell.done("--ledger", "other.affray", "roll", "2d6", "--who", "jane")
    (roll,) = rolled("other.affray")
    assert roll.places == (1, 2)
    return roll.faces[0], roll.faces[1]


@pytest.fixture
def jane(shell: Shell, stream: tuple[int, int]) -> Shell:
    shell.done("--ledger", "test.affray", "init", "test", "--system", "freepg", "--key", KEY)
    Path("other.affray").unlink()
    shell.done("join", "jane")
    return shell


def test_the_program_rolls_a_dash(jane: Shell, stream: tuple[int, int]):
    """Among typed dice, first and last too; the others count as thrown by hand."""
    jane.done("roll", "4d6", "--who", "jane", "--dice", "2,-,6,-")
    (roll,) = rolled()
    assert (roll.faces, roll.places) == ((2, stream[0], 6, stream[1]), (0, 1, 0, 2))
    jane.done("roll", "2d6", "--who", "jane", "--dice", "-,-")
    assert rolled()[0].places == (3, 4)
    jane.done("roll", "1d6", "--dice", "3,-")  # a dash too many is not a die
    assert rolled()[0].faces == (3,)
    jane.refused("roll", "1d6", "--dice", "3,,", code=2)
    jane.done("verify")


def test_a_preview_does_not_roll_a_dash(jane: Shell):
    (needed,) = jane.facts("roll", "2d6", "--who", "jane", "--dice", "3,-", "--dry-run")["needs"]
    assert (needed["who"], needed["dice"]) == ("Jane", "2d6")


def test_a_zero_is_the_highest_face_of_dice_with_ten_faces(jane: Shell):
    jane.done("roll", "2d10", "--dice", "0,7")
    assert rolled()[0].faces == (10, 7)
    jane.done("roll", "2d10", "--dice", "10,7")  # the 10 is a face, and not a 1 and a 0
    assert rolled()[0].faces == (10, 7)
    jane.done("roll", "2d10", "--dice", "17")
    assert rolled()[0].faces == (1, 7)
    jane.done("roll", "1d100", "--dice", "00")
    assert rolled()[0].faces == (100,)
    for dice, face in (("1d20", "0"), ("1d6", "0"), ("1d100", "0"), ("1d10", "00")):
        jane.refused("roll", dice, "--dice", face, code=2)


def test_enter_leaves_a_die_to_the_program(jane: Shell, stream: tuple[int, int], typing):
    """So does a dash. A face that the die does not have is asked for again; a zero is read as ten."""
    typing("2\n9\n-\n\n")
    jane.done("roll", "3d6", "--who", "jane", "--dice", "ask")
    assert (rolled()[0].faces, rolled()[0].places) == ((2, *stream), (0, 1, 2))
    typing("0\n")
    jane.done("roll", "1d10", "--who", "jane", "--dice", "ask")
    assert (rolled()[0].faces, rolled()[0].places) == ((10,), (0,))
    jane.done("verify")


@pytest.mark.parametrize(
    ("typed", "dice", "faces", "asked"),
    [
        ("0\n4\n", "1d6", (4,), 1),
        ("7\n6\n", "1d6", (6,), 1),
        ("1\n", "1d6", (1,), 0),
        ("00\n", "1d100", (100,), 0),
        ("0\n00\n", "1d100", (100,), 1),
        ("00\n0\n", "1d10", (10,), 1),
        ("0\n20\n", "1d20", (20,), 1),
        ("+3\n\u0663\n3\n", "1d6", (3,), 2),
        ("1000000\n999999\n000003\n", "1d6", (3,), 2),
    ],
)
def test_a_face_that_the_die_does_not_have_is_asked_for_again(
    jane: Shell, typing, typed: str, dice: str, faces: tuple[int, ...], asked: int
):
    """A zero is ten on a d10 and two zeros are a hundred on a d100; on no other die."""
    typing(typed)
    answer = jane("roll", dice, "--who", "jane", "--dice", "ask")
    assert rolled()[0].faces == faces
    assert answer.err.count(f"A {dice[1:]} shows 1 to {dice[2:]}. Enter lets the program roll it.") == asked
    assert answer.err.count(f"Jane: {dice[1:]} for a roll? ") == asked + 1


def test_some_faces_of_a_pool_may_stand_together(jane: Shell, typing):
    typing("62\n4\n")
    assert "Jane: d6 more for a roll? " in jane("roll", "3d6", "--who", "jane", "--dice", "ask").err
    assert rolled()[0].faces == (6, 2, 4)


def test_dice_that_are_not_all_given_record_nothing(jane: Shell, typing):
    typing("3\n")
    jane.refused("roll", "2d6", "--dice", "ask", code=2)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_dice_of_one_side_are_asked_for(system: str, shell: Shell, typing, monkeypatch: pytest.MonkeyPatch):
    """By --dice, by $AFFRAY_DICE, or by the campaign's option; the program rolls the others. --dice roll rolls all."""
    ours, _ = seated(shell, system)

    def by_hand(who: str, *words: str, typed: str = "3\n") -> bool:
        typing(typed)
        shell.done("roll", "1d6", "--who", who, *words)
        return not any(rolled()[0].places)

    assert by_hand("boffin", "--dice", f"ask:{ours.upper()}")
    assert not by_hand("g1", "--dice", f"ask:{ours}", typed="")
    assert not by_hand("boffin")
    monkeypatch.setenv("AFFRAY_DICE", f"ask:{ours}")
    assert by_hand("boffin")
    assert not by_hand("g1", typed="")
    monkeypatch.delenv("AFFRAY_DICE")
    shell.done("option", "hand_dice", ours)
    assert by_hand("boffin")
    assert not by_hand("boffin", typed="\n")
    assert not by_hand("g1", typed="")
    assert not by_hand("boffin", "--dice", "roll", typed="")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\n"))
    shell.refused("roll", "1d6", "--who", "boffin", code=2)
    shell.done("roll", "1d6", "--who", "g1")
    shell.done("option", "hand_dice", "")
    shell.done("roll", "1d6", "--who", "boffin")


@pytest.mark.parametrize("system", SYSTEMS)
def test_those_who_throw_by_hand_are_a_side_or_a_seat(system: str, shell: Shell):
    """Nobody else can be named, by the option or by --dice. The players' side can be named before they come."""
    shell.done("init", "test", "--system", system)
    ours = systems.load(system).players[0]
    for word in ("party", ours.upper(), f"@{ours}"):  # also where no side is called party
        shell.done("option", "hand_dice", word)
        assert OptionChanged("hand_dice", ours) in recorded()
    shell.refused("option", "hand_dice", "nobody", code=2)
    shell.refused("roll", "1d6", "--dice", "ask:nobody", code=2)
    shell.done("option", "hand_dice", "none")
    shell.done("verify")


def test_a_side_that_throws_by_hand_may_leave(shell: Shell):
    """What was set while it was there is not refused to anybody who rolls later."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "grub")
    shell.done("option", "hand_dice", "foes")
    shell.done("leave", "grub")
    shell.done("roll", "1d6")


def test_an_amendment_asks_for_the_new_dice_of_that_side(shell: Shell, typing, monkeypatch: pytest.MonkeyPatch):
    """By the campaign's option: a miss by 1 becomes a hit, and the player throws the damage."""
    shell.done("init", "test", "--system", "arkm")
    for words in ("join fighter goblin", "begin", "initiative --dice 6,1", "phase", "move aldric --feet 5 --to goblin"):
        shell.done(*words.split())
    shell.done("phase", "melee", "--pass-rest")
    shell.done("option", "hand_dice", "party")
    shell.done("attack", "aldric", "goblin", "--dice", "7")
    monkeypatch.setattr(sys, "stdin", io.StringIO("5\n"))
    shell.refused("amend", "--mod", "1", "--apply", code=2)
    typing("5\n")
    shell.done("amend", "--mod", "1", "--apply")
    assert rulings("arkm.damage.order") == [("", [5 + 1])]


@pytest.mark.parametrize(("party", "goblin"), [("3*", "3"), ("3", "3*"), ("3", "3"), ("3*", "3*")])
def test_a_die_of_the_program_beside_an_equal_one_by_hand_has_no_mark(party: str, goblin: str):
    """Two rolls with one result: only the line of the one who threw by hand has the asterisk."""
    both = {"party": party, "Goblin": goblin}
    rolls = [Rolled(who, "initiative", "", "1d6", (3,), (0 if "*" in shown else 1,)) for who, shown in both.items()]
    numbers = tuple(Number(who, (Step(3, "d6", roll=nth),), 3) for nth, who in enumerate(both, 1))
    ruling = Ruled("arkm.initiative.highest-first", "", "", "", numbers, "")
    told = "\n".join(lines([*rolls, ruling]))
    marks = {who: "*" in shown for who, shown in both.items()}
    assert {who: f"{who} 3 (d6*)" in told for who in both} == marks
    assert {who: f"{who} 3 (d6)" in told for who in both} == {who: not mark for who, mark in marks.items()}


def test_dice_that_nothing_needs_are_set_aside(jane: Shell, typing, monkeypatch: pytest.MonkeyPatch):
    """By one short option, which the refusal offers, or by an answer on a terminal."""
    jane.refused("roll", "1d20", "--dice", "13,4", code=2)
    jane.refused("check", "jane", "--dt", "9", "=", "13", "7", code=2)
    told = jane.done("roll", "1d20", "--dice", "13,4,-", "--spare")
    assert told.splitlines()[-1].startswith("4, - set aside")
    assert rolled()[0].faces == (13,)
    answer = jane("roll", "1d20", "--dice", "13,4", "--spare", "--dry-run", "--json").json
    assert answer["notes"] == ["4 set aside: nothing needed this die."]
    typing("y\n")
    jane.done("roll", "1d20", "--dice", "12,4")
    assert rolled()[0].faces == (12,)
    typing("\n")
    jane.refused("roll", "1d20", "--dice", "11,4", code=2)


@pytest.fixture
def bran(shell: Shell) -> Shell:
    """Arkm: Bran and an orc in melee. Bran hits from 14 THAC0 - 7 AC = 7 on; his sword does 1d6+1."""
    shell.done("init", "test", "--system", "arkm")
    shell.done("join", "fighter", "--called", "Bran")
    shell.done("join", "orc", "--dice", "4")
    shell.done("begin")
    shell.done("initiative", "--dice", "5,2")
    shell.done("move", "bran", "--to", "orc", "--feet", "30")
    shell.done("phase", "melee")
    return shell


def test_the_damage_of_a_miss_is_not_needed(bran: Shell):
    """Attack and damage are thrown together; the die of the damage is put aside without a question, and named."""
    for dry in (["--dry-run"], []):
        assert bran.facts("attack", "bran", "orc", "--dice", "2,6", *dry)["notes"] == ["damage die 6 not needed"]
    assert [roll.faces for roll in rolled()] == [(2,)]


def test_dice_that_the_action_could_not_need_are_refused(bran: Shell):
    """A hit needs two dice; no roll of the attack shows a 30; and a die of 1d6 does not show a 7."""
    for dice in ("15,6,3", "2,30", "2,7", "2,6,6,6"):
        bran.refused("attack", "bran", "orc", "--dice", dice, code=2)


def test_the_damage_of_a_miss_counts_when_it_was_a_hit(bran: Shell):
    """The die lies on the table: the amended hit takes it, 6 + 1 with the sword. A fumble check, which a
    natural 1 needs, cannot take it. And undone, the miss has it still.
    """
    bran.done("attack", "bran", "orc", "--dice", "2,6")  # e8
    bran.done("amend", "e8", "--mod", "+15", "--apply")
    assert rulings("arkm.damage.order") == [("", [6 + 1])]
    bran.done("verify")
    bran.done("undo")
    (needed,) = bran.facts("amend", "e8", "--dice", "1", "--because", "it was a 1")["course"][0]["needs"]
    assert (needed["who"], needed["dice"], needed["purpose"]) == ("Bran", "1d20", "fumble check")
    bran.done("amend", "e8", "--dice", "12", "--because", "it was a 12", "--apply")
    assert rulings("arkm.damage.order") == [("", [6 + 1])]
    bran.done("verify")


def test_dice_that_are_said_for_an_amendment_come_before_those_put_aside(bran: Shell):
    bran.done("attack", "bran", "orc", "--dice", "2,6")
    bran.done("amend", "e8", "--mod", "+15", "--dice", "e8:3", "--apply")
    assert rulings("arkm.damage.order") == [("", [3 + 1])]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_roll_that_repeats_an_undone_one_says_so(system: str, shell: Shell):
    """The same verb by the same actor at the same place of the course; not by somebody else, nor after something new.
    `stats` and `verify` count the same.
    """
    seated(shell, system)
    said = "Re-rolls the action undone in e"

    def rolls(who: str, *words: str) -> str:
        return shell.done("roll", "1d6", "--who", who, *words).splitlines()[-1]

    assert said not in rolls("boffin", "--dice", "1")  # e4
    shell.done("undo")
    assert said not in rolls("g1")  # e6
    shell.done("undo")
    assert rolls("boffin") == f"{said}4."  # e8, found behind the undone e6
    assert said not in rolls("boffin")
    shell.done("undo", "e8")  # e10
    assert rolls("g1") == f"{said}6."  # e11
    shell.done("note", "a pause")
    shell.done("undo")
    assert said not in rolls("boffin")
    answer = shell("stats", "--json").json
    assert (answer["again"], answer["by_hand"]) == (2, 1)
    assert shell("verify", "--json").json["grades"]["again"] == 2


def test_the_same_faces_that_are_typed_again_are_the_same_throw(shell: Shell):
    """Other ones are another throw; `verify` counts the same."""
    shell.done("init", "test", "--system", "freepg")
    said = "Re-rolls the action undone in e"
    for face, again in (("4", ""), ("4", ""), ("5", f"{said}4.")):
        told = shell.done("roll", "1d6", "--dice", face)  # e2, e4, e6
        assert (said in told, again in told) == (bool(again), True)
        shell.done("undo")
    assert shell("verify", "--json").json["grades"]["again"] == 1


def test_what_follows_an_amendment_that_was_brought_back_rolls_nothing_again(shell: Shell):
    """The redo takes the old blow back for the corrected one: the next blow of the same fighter is another one."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    for line in ("attack boffin grub --distance 1 --dice 9,8", "amend e3 --mod 1 --apply", "undo", "redo"):
        shell.done(*line.split())
    assert "Re-rolls" not in shell.done("attack", "boffin", "grub", "--distance", "1", "--dice", "10,8")
    assert shell("verify", "--json").json["grades"]["again"] == 0


def test_a_seat_throws_for_those_whom_it_plays(shell: Shell, typing):
    """freepg.initiative.roll: John plays Boffin, the game master's seat plays the foes."""
    shell.done("init", "test", "--system", "freepg", "--key", "00" * 32)
    shell.done("join", "boffin", "jane", "grub")
    shell.done("begin")
    typing("11\n12\n")
    shell.done("initiative", "--dice", "ask:party")
    by_hand = [not any(roll.places) for roll in rolled()]
    assert [roll.who for roll in rolled()] == ["John", "Jane", "gm"]
    assert by_hand == [True, True, False]


@pytest.mark.parametrize(
    ("system", "sheet", "foe", "of_ours", "of_theirs"),
    [
        ("aachen", {"side": "pc", "hp_max": 9}, {"side": "opp", "hp_max": 9}, "pc", "opp"),
        ("arkm", {"side": "party", "hd": "1", "hp_max": 5}, {"side": "foes", "hd": "1", "hp_max": 5}, "party", "foes"),
    ],
)
def test_a_die_of_several_is_thrown_by_hand_by_who_plays_all_of_them(
    system: str, sheet: dict[str, object], foe: dict[str, object], of_ours: str, of_theirs: str
):
    """Of a side of Aachen, and a group of Arkm: John has Ann and Ben, and nobody has Foe."""
    ours = [Join(({**sheet, "name": name},)) for name in ("Ann", "Ben")]
    told = given(system, *ours, Join(({**foe, "name": "Foe"},))).when(Seat("John", ("Ann",)))
    both = told.when(Seat("John", ("Ann", "Ben")))
    for who, of_one, of_both in (
        ("Ann", True, True),
        (of_ours, False, True),
        ("Foe", False, False),
        (of_theirs, False, False),
    ):
        question = Question(who, "luck", "", 0, 0, 6)
        assert [by_hand(one.state, "John", question) for one in (told, both)] == [of_one, of_both], who


def test_a_seat_throws_for_no_other_seat_and_the_seats_for_nobody_without_one():
    three = [Join(({"name": name},)) for name in ("Ann", "Ben", "Cid")]
    state = given("freepg", *three, Seat("John", ("Ann",)), Seat("June", ("Ben",))).state
    for who, johns, of_a_seat in (("Ann", True, True), ("Ben", False, True), ("Cid", False, False)):
        question = Question(who, "luck", "", 0, 0, 6)
        assert (by_hand(state, "John", question), by_hand(state, "seats", question)) == (johns, of_a_seat)


def test_a_group_throws_for_its_members(shell: Shell, typing):
    """arkm.initiative.one-die-per-group: the spearmen are a group of the party's side."""
    shell.done("init", "test", "--system", "arkm", "--key", "00" * 32)
    shell.done("join", "fighter", "spearman", "orc", "--dice", "roll")
    shell.done("begin")
    typing("3\n4\n")
    shell.done("initiative", "--dice", "ask:party")
    assert {roll.who: any(roll.places) for roll in rolled()} == {"party": False, "spearmen": False, "Orc": True}


# Behind the action, and by name


def test_dice_are_set_aside_with_commas_or_spaces(jane: Shell):
    """What is no face of a die is refused in plain words."""
    assert jane.done("set-aside", "jane", "14,3", "2").startswith("Jane: 14*+3*+2* set aside")
    jane.refused("set-aside", "jane", "14,x", code=2)
    jane.refused("set-aside", "jane", "14,2000", code=2)


@pytest.mark.parametrize("words", ["= 2 6", "= 2,6", "= 2 - --why luck"])
def test_dice_stand_behind_the_action(jane: Shell, words: str):
    """In the shell as at the prompt; options may follow."""
    jane.done("roll", "2d6", "--who", "jane", *words.split())
    (roll,) = rolled()
    assert roll.faces[0] == 2
    assert roll.places[0] == 0
    assert (roll.faces[1] == 6) is (words[-1] == "6")
    jane.done("verify")


def test_a_text_keeps_its_equals_sign(jane: Shell):
    jane.done("note", "two", "and", "two", "=", "4")
    assert recorded()[1:] == (Noted("two and two = 4"),)


def test_what_stands_behind_the_equals_sign_is_a_die(jane: Shell):
    jane.refused("roll", "1d6", "=", "boffin", code=2)
    jane.refused("roll", "1d6", "=", code=2)


@pytest.mark.slow
def test_dice_are_given_by_name(shell: Shell):
    """In any order of names; those of one name in the order needed."""
    shell.done("init", "test", "--system", "paraverse", "--key", KEY)
    shell.done("join", "sigrun", "reaver")
    shell.done("begin", "--areas", "yard")
    shell.done("round")
    shell.done("attack", "sigrun", "reaver")
    shell.done("attack", "reaver", "sigrun")
    shell.done("phase", "melee", "--pass-rest")
    needed = [(one["who"], one["dice"]) for one in shell.facts("resolve", "--dry-run")["needs"]]
    assert needed[:2] == [("Sigrun", "1d20"), ("Reaver", "1d20")]
    shell.done("resolve", "--dice", "reav:4,sig:15,2")
    assert [(roll.who, roll.faces) for roll in rolled()] == [("Sigrun", (15,)), ("Reaver", (4,)), ("Sigrun", (2,))]
    shell.done("verify")
    shell.refused("amend", "--dice", "sigrun:3", code=2)


def test_digits_that_stand_together_leave_those_of_others_in_place():
    """Grub's 63 are 6 and 3 once Ann has had her 20, which was typed behind them, and the 5 is still his."""
    dice = Dice(faces=[63, 20, 5], owners=["Grub", "Ann", "Grub"])
    pools = [("Ann", 20, 1), ("Grub", 6, 2), ("Grub", 6, 1)]
    given = [dice.answers([Question(who, str(at), "", 0, nth, sides) for nth in range(many)], False)
             for at, (who, sides, many) in enumerate(pools)]  # fmt: skip
    assert [[one and one.face for one in pool] for pool in given] == [[20], [6, 3], [5]]
    assert dice.rest == ()


def test_dashes_for_those_who_tie_are_no_fault(shell: Shell):
    """They might have been for a second tie."""
    shell.done("init", "Table", "--system", "dungeoneers", "--key", "00" * 32)
    for line in ("join freya suori", "join goblin --count 2", "begin"):
        shell.done(*shlex.split(line))
    assert "fault" not in shell("round", "--dice", "5,2,-,-,-,7").err


def test_too_many_dice_are_compared_with_those_that_are_thrown_by_hand(shell: Shell):
    """Where the option names a side, the refusal lists its dice alone, and says for whom the program rolls."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    shell.done("option", "hand_dice", "party")
    shell.refused("attack", "boffin", "grub", "--dice", "15,3", code=2)
    shell.refused("roll", "1d20", "--who", "grub", "--dice", "3", code=2)


@pytest.mark.parametrize(
    ("line", "purpose", "face"),
    [
        ("roll 1d20 --why =luck", "=luck", None),
        ("roll 1d20 --why '=luck and 14'", "=luck and 14", None),
        ("roll 1d20 --why =14", "=14", None),
        ("roll 1d20 = 14 --why =luck", "=luck", 14),
        ("roll 1d20 --why luck = 14", "luck", 14),
        ("roll 1d20 --why=luck =14", "luck", 14),
        ("roll 1d20 --secret =14", "", 14),
    ],
)
def test_a_value_that_begins_with_the_sign_of_dice_keeps_its_words(
    line: str, purpose: str, face: int | None, table: Shell
):
    """On the command line, and in a script, where plain lines are read without click."""
    Path("lines").write_text(f"{line}\n")
    for words in (shlex.split(line), ["run", "lines"]):
        table.done(*words)
        (roll,) = rolled()
        assert (roll.purpose or "", roll.places == (0,)) == (purpose or roll.purpose or "", face is not None)
        assert face in (None, roll.faces[0])


@pytest.fixture
def gate(shell: Shell) -> Shell:
    """Boffin's turn, before two Grubs."""
    shell.done("init", "Gate", "--system", "freepg", "--key", "00" * 32)
    for line in ("join boffin jane", "join grub --count 2", "begin", "initiative --dice 14,9,3"):
        shell.done(*shlex.split(line))
    return shell


def test_where_dice_were_typed_by_name_the_one_who_lacks_a_die_is_named_too(gate: Shell):
    """A dash alone would be one more of Boffin's."""
    way = "attack bof grub-1 --dice bof:14,grub-1:-"
    gate.refused("attack", "bof", "grub-1", "--dice", "bof:14", code=2)
    gate.done(*way.split())


def test_a_die_of_nobody_at_the_table_says_who_is_meant(gate: Shell):
    """Too few dice or too many, the name is what is wrong."""
    for dice in ("bof:14,gruub:6", "bof:14,grub-1:6,gruub:6"):
        gate.refused("attack", "bof", "grub-1", "--dice", dice, code=3)


def test_a_die_of_somebody_who_throws_none_says_so(gate: Shell):
    """A dash is none: in the last line Boffin's 9 is too many, and not what Grub-2 does not throw."""
    for dice in ("bof:14,grub-2:6", "bof:14,grub-1:6,grub-2:6", "bof:14,9,grub-1:6,grub-2:-"):
        gate.refused("attack", "bof", "grub-1", "--dice", dice, code=2)
