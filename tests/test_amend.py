"""Amend: an entry corrected, everything since then resolved again on the same dice, and both courses kept."""

import json
import re
import shlex
from pathlib import Path

import pytest

from commands.action import systems
from commands.action.book import Book
from commands.action.common import Join, Leave
from commands.past.acts import Act
from commands.past.audit import audit
from commands.past.course import standing
from commands.past.rerun import as_recorded, differing, named
from commands.words.orders import corrected
from ledger.errors import LedgerDamaged
from ledger.events import Declared, HpLost, HpSet, Noted, Overruled, Reinstated, Retracted, Rolled, Ruled, decode
from ledger.sqlite import SqliteStore
from tests.courses import check_amending_nothing
from tests.kit import given
from tests.shell import Shell, aside, chain_anew, forge, recorded, rulings, terms
from tests.test_cli import Terminal

FIGHT = (
    "join boffin",  # e2: with sword +2, ring of force +1, helm +1 and mail 2; 55 hp
    "join grub --count 2",  # e3: 20 hp each
    "attack boffin grub-1 --dice 14,5",  # e4: 16 against 5, damage 16 + 1 - 5 = 12, 8 left
    "note 'The bridge creaks.'",  # e5
    "attack boffin grub-1 --dice 10,8",  # e6: 12 against 8, damage 12 + 1 - 8 = 5, 3 left
    "attack grub-2 boffin --dice 1",  # e7: a natural 1 misses
)


@pytest.fixture
def fight(table: Shell) -> Shell:
    """e4 and e6 hurt Grub-1, of whose 20 hp 3 are left; e7 misses."""
    for line in FIGHT:
        play(table, line)
    return table


def play(shell: Shell, line: str) -> str:
    """Carries out a line of a script."""
    Path("line.fight").write_text(line)
    return shell.done("run", "line.fight")


def book() -> Book:
    return Book(SqliteStore.open("test.affray"))


def hp(who: str, at: int | None = None) -> int:
    """The hit points that somebody has, after an entry or now."""
    opened = book()
    return opened.state_at(opened.store.head().entry if at is None else at).harm.hp[who].now


def stands() -> list[int]:
    store = book().store
    return standing(store, store.head().entry)


def back(shell: Shell, *words: str) -> list[int]:
    """The entries that an undo takes back."""
    return [one["entry"] for one in shell.facts("undo", *words)["taken_back"]]


def events(entry: int) -> list[object]:
    return [decode(body) for body in book().store.entry(entry).bodies]


def test_a_correction_goes_through_everything_that_follows(fight: Shell):
    """With -4 for the fog e4 does 12 + 1 - 5 = 8, so that 12 and after e6 7 hp are left."""
    said = fight.facts("amend", "e4", "--mod", "hit:-4:fog", "--because", "there was fog", "--apply")
    assert [(one["entry"], one["outcome"], one["now"]) for one in said["course"]] == [
        (4, "different", 9), (5, "same", 10), (6, "different", 11), (7, "same", 12)
    ]  # fmt: skip
    assert (said["entry"], said["last"]) == (8, 12)
    assert said["changes"] == [{"name": "Grub-1.hp", "before": "3", "after": "7"}]
    assert (hp("Grub-1", 9), hp("Grub-1", 11), hp("Grub-1")) == (12, 7, 7)
    assert HpLost("Grub-1", 8, 12, 20) in events(9)
    assert stands() == [1, 2, 3, 8, 9, 10, 11, 12]
    fight.done("verify")


def test_the_dice_stay_with_their_questions(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    for old, new in ((4, 9), (6, 11), (7, 12)):
        assert [e for e in events(old) if isinstance(e, Rolled)] == [e for e in events(new) if isinstance(e, Rolled)]
        assert book().store.entry(new).origin == old
        assert book().store.entry(new).command == 8


def test_a_preview_records_nothing_and_says_how_to_go_on(fight: Shell):
    before = Path("test.affray").read_bytes()
    said = fight.facts("amend", "e4", "--mod", "hit:-4:fog")
    assert (said["entry"], said["changes"]) == (None, [{"name": "Grub-1.hp", "before": "3", "after": "7"}])
    assert said["try"] == "affray amend e4 --mod hit:-4:fog --apply"
    assert Path("test.affray").read_bytes() == before


def test_an_amendment_without_a_change_records_nothing(fight: Shell):
    before = Path("test.affray").read_bytes()
    said = fight.facts("amend", "e4", "--target", "grub-1", "--apply")
    assert [one["outcome"] for one in said["course"]] == ["same"] * 4
    assert (said["entry"], said["changes"], said["try"]) == (None, [], "")
    assert Path("test.affray").read_bytes() == before


def test_undo_takes_the_whole_amendment_back_and_redo_brings_it_back(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("undo")
    assert recorded()[1:] == (Retracted((8, 9, 10, 11, 12), (12,)), Reinstated((4, 5, 6, 7)))
    assert hp("Grub-1") == 3
    assert stands() == [1, 2, 3, 4, 5, 6, 7]
    fight.done("redo")
    assert hp("Grub-1") == 7
    fight.done("note", "on it goes")  # e15
    fight.done("undo", "e8")
    assert (hp("Grub-1"), stands()[-1]) == (3, 7)
    fight.done("verify")


def test_undo_of_one_entry_that_was_resolved_again_leaves_the_amendment(fight: Shell):
    """With the fog e9 leaves 12 of Grub-1's 20 hp. What is named is taken back, and what came later; a second undo
    takes back the action before it, and the amendment goes when it is named.
    """
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("note", "on it goes")  # e13
    fight.done("undo", "e11")
    assert recorded(14)[1:] == (Retracted((11, 12, 13), (13,)),)
    assert (hp("Grub-1"), stands()) == (12, [1, 2, 3, 8, 9, 10])
    fight.done("undo")
    assert (hp("Grub-1"), stands()) == (12, [1, 2, 3, 8, 9])
    fight.done("undo", "e8")
    assert (hp("Grub-1"), stands()) == (3, [1, 2, 3, 4, 5, 6, 7])
    fight.done("verify")


def test_undo_never_brings_back_what_was_undone_by_hand(fight: Shell):
    """The attack e6 leaves 3 hp; without it there are 8, and with fog 12 (e8 to e12 are the amended course)."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    assert back(fight, "e12") == [12]
    for entry, left in ((11, 12), (10, 12), (9, 20)):
        assert back(fight) == [entry]
        assert hp("Grub-1") == left
    assert stands() == [1, 2, 3, 8], "of the amendment only its own entry is left"
    assert back(fight) == [3, 8]
    assert back(fight) == [2]
    fight.refused("undo", code=2)
    for _ in range(6):
        fight.done("redo")
    assert (hp("Grub-1"), stands()) == (7, [1, 2, 3, 8, 9, 10, 11, 12])
    fight.done("verify")


def test_undo_several_times_counts_the_actions_of_an_amended_course(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("note", "on it goes")
    assert back(fight, "--times", "2", "--dry-run") == [12, 13]
    fight.refused("undo", "--times", "9", code=2)
    fight.done("undo")
    assert back(fight, "--dry-run") == [12], "one by one, and not the amendment as a whole"
    fight.done("redo")
    assert back(fight) == [13], "redo brought back the note, and not the amendment"


def test_redo_of_an_amendment_and_undo_again_take_turns(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    for _ in range(2):
        fight.done("undo")
        assert (hp("Grub-1"), stands()) == (3, [1, 2, 3, 4, 5, 6, 7])
        fight.done("redo")
        assert (hp("Grub-1"), stands()) == (7, [1, 2, 3, 8, 9, 10, 11, 12])


@pytest.mark.parametrize(("typed", "agreed"), [("y\n", True), ("n\n", False)])
def test_an_older_amendment_as_a_whole_is_asked_for(fight: Shell, typing, typed: str, agreed: bool):
    """Named, or because nothing else is left; it says what comes back."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("undo", "e10")
    typing(typed)
    answer = fight("undo", "e8")
    assert "Take back the amendment e8, and bring back what it replaced? [y/N]" in answer.err
    assert hp("Grub-1") == (3 if agreed else 12)
    answer = fight("undo", "e8", "--yes") if not agreed else answer
    assert (answer.code, hp("Grub-1")) == (0, 3)


def test_an_amendment_goes_as_a_whole_when_nothing_else_is_left(fight: Shell, typing):
    fight.done("amend", "e2", "--drop", "--apply", "--lose", "3")
    fight.done("undo", "--to", "e8")
    assert stands() == [1, 8]
    typing("n\n")
    fight("undo")
    assert stands() == [1, 8]
    typing("y\n")
    fight.done("undo")
    assert stands() == [1, 2, 3, 4, 5, 6, 7]
    fight.done("verify")


def test_both_courses_stay_readable(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--because", "there was fog", "--apply")
    log = [json.loads(line) for line in fight.done("log", "--json").splitlines()]
    assert [(one["entry"], one["origin"]) for one in log if not one["stands"]] == [(4, 4), (5, 5), (6, 6), (7, 7)]
    assert [(one["entry"], one["origin"]) for one in log][-4:] == [(9, 4), (10, 5), (11, 6), (12, 7)]
    assert terms("freepg.attack.hit-test", 9)["fog"] == -4
    assert "(now e11)" in fight.done("show", "e6")
    fight.done("undo", "e6")
    assert "(undone)" in fight.done("show", "e6")


def test_an_entry_may_be_left_out(fight: Shell):
    """Without e4, 15 hp are left after e6."""
    assert fight.course("e4", "--drop", "--apply")[4] == ("left out", None)
    assert hp("Grub-1") == 15
    assert stands() == [1, 2, 3, 8, 9, 10, 11]
    fight.done("verify")


def test_the_last_entry_may_be_left_out_and_the_amendment_taken_back(fight: Shell):
    fight.done("amend", "e7", "--drop", "--apply")
    assert stands() == [1, 2, 3, 4, 5, 6, 8]
    fight.done("undo")
    assert stands() == [1, 2, 3, 4, 5, 6, 7]
    fight.done("verify")


def test_an_inserted_action_has_its_own_dice(fight: Shell):
    """Grub-2 hits Boffin with 19 against 3 + 1 for the helm: 19 - 4 - 2 for the mail are 13 of 55 hp."""
    insert = ("amend", "e6", "--insert", "attack grub-2 boffin")
    (new,) = fight.facts("--ledger", "test.affray", *insert)["course"]
    assert (new["entry"], new["outcome"]) == (None, "needs new dice")
    assert [(one["who"], one["dice"], one["purpose"], one["about"]) for one in new["needs"]] == [
        ("Grub-2", "1d20", "attack", "Boffin"), ("Boffin", "1d20", "defense", "Grub-2"),
    ]  # fmt: skip
    assert fight.course(*insert[1:], "--dice", "19,3", "--apply")[None] == ("inserted", 9)
    assert hp("Boffin") == 42
    assert book().store.entry(9).origin == 9
    fight.done("verify")


def test_all_dice_of_a_new_roll_are_asked_for_together(table: Shell):
    """2d6 for luck were thrown, but not for woe."""
    table.done("roll", "2d6", "--why", "luck")
    table.done("roll", "1d8", "--why", "luck")
    (needs,) = table.facts("amend", "e2", "--why", "woe")["course"][0]["needs"]
    assert needs == {"who": "", "dice": "2d6", "purpose": "woe", "about": ""}
    assert table.done("amend", "e2", "--why", "woe", "--dice", "5,6", "--apply")
    assert [event.faces for event in events(5) if isinstance(event, Rolled)] == [(5, 6)]


def test_the_program_rolls_for_an_inserted_action_when_it_is_applied(fight: Shell):
    fight.done("amend", "e6", "--insert", "attack grub-2 boffin", "--dice", "roll", "--apply")
    rolled = [event for event in events(9) if isinstance(event, Rolled)]
    assert [roll.places for roll in rolled] == [(1,), (2,)]
    assert events(8)[0] == Declared(
        "amend", {"entry": "e6", "insert": [{"verb": "attack", "said": {"who": "Grub-2", "target": ["Boffin"]}}]}
    )
    assert book().store.head().drawn == 2
    fight.done("verify")


def test_whose_dice_are_thrown_by_hand_is_told_by_the_entries_near_the_amended_one(
    fight: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Grub-2 threw a die by hand in e7. That is seen from e9, and not where only the note of e8 is looked at."""
    fight.done("note", "Nobody moves.")
    fight.done("note", "Still nobody moves.")
    words = ("amend", "e9", "--insert", "attack grub-2 boffin", "--apply")
    fight.refused(*words, code=2)
    monkeypatch.setattr("commands.past.amend_words.HABITS", 1)
    fight.done(*words)
    assert book().store.head().drawn == 2


def test_a_misread_die_is_corrected_beside_the_old_one(fight: Shell):
    """The 10 was a 16: 18 against 8, damage 18 + 1 - 8 = 11, more than the 8 that are left."""
    fight.refused("amend", "e6", "--dice", "16,8", code=2)
    fight.refused("amend", "e6", "--mod", "1", "--dice", "16,8", code=2)
    fight.done("amend", "e6", "--dice", "16,8", "--because", "the 10 was a 16", "--apply")
    assert hp("Grub-1") == 0
    assert [roll.faces for roll in events(6) if isinstance(roll, Rolled)] == [(10,), (8,)]
    assert [roll.faces for roll in events(9) if isinstance(roll, Rolled)] == [(16,), (8,)]
    fight.done("verify")


def test_a_corrected_die_may_need_another_one(fight: Shell):
    """e7 was no natural 1: 17 against 3 + 1, so 17 - 4 - 2 = 11 of 55 hp."""
    (act,) = fight.facts("amend", "e7", "--dice", "17", "--because", "no 1")["course"]
    assert (act["entry"], act["outcome"]) == (7, "needs new dice")
    assert act["needs"] == [{"who": "Boffin", "dice": "1d20", "purpose": "defense", "about": "Grub-2"}]
    fight.done("amend", "e7", "--dice", "17,3", "--because", "no 1", "--apply")
    assert hp("Boffin") == 44
    fight.done("verify")


def test_a_new_die_stays_with_its_question_through_undo_and_amendment(fight: Shell):
    """Taking an amendment back and repeating it does not give another die."""
    amend = ("amend", "e7", "--dice", "17,-", "--because", "no 1", "--apply")
    fight.done(*amend)
    first = hp("Boffin")
    fight.done("undo")
    fight.done(*amend)
    assert (hp("Boffin"), book().store.head().drawn) == (first, 1)
    fight.done("verify")


def test_program_dice_cannot_be_corrected(fight: Shell):
    fight.done("attack", "boffin", "grub-2")
    fight.refused(
        "amend",
        "e8",
        "--dice",
        "20,1",
        "--because",
        "x",
        code=2,
    )
    fight.refused("amend", "e6", "--dice", "20,1,3", "--because", "x", code=2)
    fewer = ("amend", "e6", "--dice", "20", "--because", "x")
    fight.refused(*fewer, code=2)
    for because in ((), ("--because", "x")):  # what cannot be is said before a reason is asked for
        fight.refused("amend", "e6", "--dice", "20,21", *because, code=2)


@pytest.mark.slow
def test_an_impossible_action_is_left_out_and_its_clause_is_named(fight: Shell):
    """If the 14 was a 20, 22 + 5 + 1 - 5 = 23 fell Grub-1 in e4; the dead do not strike in e8."""
    fight.done("attack", "grub-1", "boffin", "--dice", "9,9")
    amend = ("amend", "e4", "--dice", "20,5", "--because", "a 20", "--apply")
    fight.refused(*amend, code=2)
    fight.refused(*amend, "--lose", "1", code=2)
    losses = fight.facts("amend", "e4", "--dice", "20,5", "--because", "a 20")["losses"]
    assert [(one["entry"], one["clause"], one["saved"]) for one in losses] == [
        (6, "freepg.attack.legal-target", True), (8, "freepg.dying.no-actions", True),
    ]  # fmt: skip
    *_, lost = fight.facts(*amend, "--lose", "2")["course"]
    assert (lost["entry"], lost["outcome"], lost["clause"]) == (8, "no longer possible", "freepg.dying.no-actions")
    assert book().present()[1].harm.down["Grub-1"].how == "dead"
    fight.done("verify")


def test_a_correction_that_the_rules_refuse_is_refused(fight: Shell):
    fight.done("attack", "grub-2", "grub-1", "--dice", "20,1")  # 20 + 5 - 1 = 24: dead
    fight.refused("amend", "e8", "--who", "nobody", code=3)
    fight.done("attack", "grub-2", "boffin", "--dice", "1")
    fight.refused("amend", "e9", "--who", "grub-1", "--apply", clause="freepg.dying.no-actions")
    fight.done("amend", "e9", "--who", "grub-1", "--allow", "a last twitch", "--apply")
    assert [(one.clause, one.reason) for one in recorded() if isinstance(one, Overruled)] == [
        ("freepg.dying.no-actions", "a last twitch")
    ]
    fight.done("verify")


@pytest.mark.slow
def test_an_amended_entry_can_be_amended_under_its_old_number(fight: Shell):
    """First fog, -4; then thick fog, -10: 14 + 2 - 10 = 6 against 5, damage 2."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("amend", "e4", "--mod", "hit:-10:thick fog", "--apply")
    assert hp("Grub-1") == 20 - 2 - 5
    assert [book().store.entry(number).origin for number in stands()[-4:]] == [4, 5, 6, 7]
    assert book().store.entry(14).command == 13
    fight.done("undo")
    assert hp("Grub-1") == 7
    fight.done("undo", "e8")
    assert hp("Grub-1") == 3
    fight.done("verify")


def test_the_new_course_has_no_undone_entries(fight: Shell):
    fight.done("attack", "boffin", "grub-2", "--dice", "15,2")
    fight.done("undo")
    fight.refused("amend", "e8", "--drop", code=2)
    fight.done("note", "instead")
    fight.done("amend", "e4", "--drop", "--apply")
    assert hp("Grub-2") == 20
    assert [book().store.entry(number).origin for number in stands()[-4:]] == [5, 6, 7, 10]
    fight.done("verify")


def test_another_verb_keeps_the_dice_by_what_they_were_for(shell: Shell):
    """The 14 of the blow is the disarming one's, the 3 of its harm is put aside; the orc saves with 17 - 7 against 15.
    Dice that are typed are those of the new command, in its order.
    """
    shell.done("init", "Test", "--system", "arkm")
    for line in ("join fighter", "join orc --dice 6", "begin", "initiative --dice 6,1", "phase movement"):
        shell.done(*line.split())
    for line in ("move aldric --feet 20 --to orc", "phase melee", "attack aldric orc --dice 14,3"):
        shell.done(*line.split())
    instead = "amend", "e9", "--as", "disarm aldric orc", "--because", "meant"
    (kept,) = shell.facts(*instead, "--dice=-,17", "--apply")["course"]
    assert aside(kept) == [("Aldric", 3, "damage")]
    assert (rulings("arkm.to-hit.formula"), rulings("arkm.save.roll")) == ([("hit", [14, 7])], [("failed", [10, 15])])
    shell.done("undo")
    assert shell.done(*instead, "--dice", "14,17") == shell.done(*instead, "--dice=-,17")
    shell.refused(*instead, "--dice", "14,17,3", code=2)
    shell.refused(*instead, "--dice", "aldric:14", code=2)
    shell.done("amend", "e9", "--as", "roll 3d6 --who aldric", "--dice", "1,2,3", "--because", "x", "--apply")
    assert [one.faces for one in recorded() if isinstance(one, Rolled)] == [(1, 2, 3)]
    shell.done("verify")


def test_words_and_their_defaults(fight: Shell):
    """A flag can be switched off, and an option set back to its default."""
    fight.done("attack", "boffin", "grub-2", "--as", "a kick", "--dice", "1")
    fight.done("amend", "e8", "--as", "attack boffin grub-2 --as 'a bite'", "--because", "bitten", "--apply")
    assert events(10)[0] == Declared("attack", {"who": "Boffin", "target": ["Grub-2"], "as_": "a bite"})
    fight.done("amend", "e8", "--as", "attack boffin grub-2", "--because", "a blow", "--apply")
    assert recorded()[0] == Declared("attack", {"who": "Boffin", "target": ["Grub-2"]})
    fight.done("verify")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["e1", "--drop"], 2),
        (["e1", "--name", "Another"], 2),
        (["e99", "--drop"], 3),
        (["", "--drop"], 2),
        (["e4", "--cover", "half"], 2),
        (["e4", "--drop", "--target", "grub-2"], 2),
        (["e4", "--insert", "status"], 2),
        (["e4", "--as", "undo"], 2),
        (["e4", "--as", "atack bof grub-2"], 2),
        (["e4", "--insert", "'"], 2),
        (["e4", "--insert", "attack boffin grub-1 --dice 3,4"], 2),
        (["e4", "--as", "attack boffin grub-2 --dry-run", "--apply"], 2),
        (["e4", "--as", "attack boffin grub-2 --once q1", "--apply"], 2),
        (["e4", "--insert", "attack boffin nobody"], 3),
        (["e4", "--mod", "hit:-4:fog", "--dice", "14,5,3"], 2),
        (["e4", "--mod", "hit:-4:fog", "--dice", "e6:3"], 2),
        (["e4", "--dice", "14,9"], 2),
        (["e4", "--dice", ","], 2),
        (["e4", "--insert", "attack grub-2 boffin", "--dice", "3", "--apply"], 2),
    ],
)
def test_what_cannot_be_amended_is_refused_in_a_sentence(fight: Shell, words: list[str], code: int):
    fight.refused("amend", *words, code=code)


def test_undo_redo_and_amend_themselves_are_not_actions(fight: Shell):
    fight.done("amend", "e7", "--drop", "--apply")
    fight.refused("amend", "e8", "--drop", code=2)


def test_json_names_the_clause_of_what_is_no_longer_possible(fight: Shell):
    """If the 14 was a 20, 22 + 5 + 1 - 5 = 23 fell Grub-1 in e4; the dead do not strike in e8."""
    fight.done("attack", "grub-1", "boffin", "--dice", "9,9")
    said = fight("amend", "e4", "--dice", "20,5", "--because", "a 20", "--json").json
    *_, last = said["course"]
    assert (last["entry"], last["outcome"], last["now"], last["after"]) == (8, "no longer possible", None, [])
    assert (last["clause"], last["why"]) == ("freepg.dying.no-actions", "Grub-1 is dead and cannot act.")


def test_an_amendment_is_recorded_once_under_its_id(fight: Shell):
    words = ("amend", "e4", "--mod", "hit:-4:fog", "--apply", "--once", "fog")
    fight.done(*words)
    head = book().store.head()
    again = fight.facts(*words)
    assert (again["entry"], again["repeated"]) == (8, True)
    assert book().store.head() == head


def test_an_amended_ledger_survives_export_and_import(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("undo")
    fight.done("export", "all.jsonl")
    fight.done("import", "all.jsonl", "copy.affray")
    assert fight.done("--ledger", "copy.affray", "verify") == fight.done("--ledger", "test.affray", "verify")


@pytest.mark.slow
def test_a_terminal_asks_before_anything_is_recorded(fight: Shell, tmp_path: Path):
    for answer, entries in (("n\n", 7), ("y\n", 12)):
        terminal = Terminal("amend", "e4", "--mod", "hit:-4:fog", cwd=tmp_path)
        terminal.see("Append this course in place of the old one? [y/N] ")
        terminal.type(answer)
        assert terminal.end() == 0
        assert book().store.head().entry == entries


@pytest.mark.slow
def test_new_dice_are_asked_for_on_a_terminal(fight: Shell, tmp_path: Path):
    words = ("amend", "e6", "--insert", "attack grub-2 boffin", "--dice", "ask", "--apply")
    terminal = Terminal(*words, cwd=tmp_path)
    for prompt, face in (("Grub-2: d20 for attack (Boffin)? ", "19\n"), ("Boffin: d20 for defense (Grub-2)? ", "3\n")):
        terminal.see(prompt)
        terminal.type(face)
    assert terminal.end() == 0
    assert hp("Boffin") == 42


@pytest.mark.parametrize(("dice", "offered"), [("ask", "-,-,roll"), ("19,ask", "19,-,roll"), ("roll", "roll")])
def test_a_preview_asks_for_no_dice(fight: Shell, dice: str, offered: str):
    """Without a terminal nobody can be asked: the program rolls the two dice, or the one that was not said."""
    said = fight.facts("amend", "e6", "--insert", "attack grub-2 boffin", "--dice", dice)
    assert said["try"] == f"affray amend e6 --insert 'attack grub-2 boffin' --dice {offered} --apply"


@pytest.mark.parametrize("dice", ["ask", "19,ask"])
def test_dice_that_nobody_can_be_asked_for_are_no_reason_to_overrule_a_rule(fight: Shell, dice: str):
    insert = ("amend", "e6", "--insert", "attack grub-2 boffin", "--dice", dice, "--apply")
    refused = fight.refused(*insert, code=2, says="Affray can ask for dice only on a terminal.")
    assert "--allow" not in refused.err
    assert "let the program roll them: --dice roll" in refused.err


def test_where_only_the_arithmetic_differs_it_is_shown(fight: Shell):
    """11 + 2 + 1 - 9 are 5, as 10 + 2 + 1 - 8 were."""
    told = fight.done("amend", "e6", "--dice", "11,9", "--because", "misread")
    assert "damage 5 (d20 11* +2 sword +1 ring of force -9 defense)" in told


def test_amending_with_nothing_changed_changes_nothing(fight: Shell):
    for entry in range(2, 8):
        check_amending_nothing(book(), entry)


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        ("UPDATE entries SET origin = 5 WHERE entry = 9", "does not stand where e8"),
        ("UPDATE entries SET command = 9 WHERE entry = 9", "belongs to another command"),
        ("UPDATE entries SET after = 4 WHERE entry = 10", "does not stand where e8"),
        ("UPDATE events SET body = replace(body, '\"faces\":[10]', '\"faces\":[11]') WHERE entry = 11", "differs"),
        ("UPDATE events SET body = replace(body, 'fog', 'mist') WHERE entry = 8", "differs"),
        ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events WHERE entry = 9)", "differs"),
    ],
)
def test_an_audit_resolves_an_amendment_again(fight: Shell, tamper: str, says: str):
    """Even somebody who writes the chain anew cannot change what an amendment comes to."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    forge("test.affray", tamper)
    chain_anew("test.affray")
    with pytest.raises(LedgerDamaged, match=says):
        audit(book())


def test_an_amendment_is_not_blamed_for_an_entry_that_is_damaged(fight: Shell):
    """e9 is; e10 to e12 are compared with what the amendment comes to behind it."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    forge("test.affray", "UPDATE events SET body = replace(body, 'fog', 'dew') WHERE entry = 9")
    assert [one["entry"] for one in fight("verify", "--json").json["findings"]] == [9]


def test_an_amendment_is_not_blamed_for_an_entry_out_of_its_place(fight: Shell):
    """e10 is, and with it what stands behind it; e8 leaves nothing out."""
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    forge("test.affray", "UPDATE entries SET after = 4 WHERE entry = 10")
    chain_anew("test.affray")
    assert [one["entry"] for one in fight("verify", "--json").json["findings"]] == [10, 11, 12]


def test_an_option_may_be_set_back_to_its_default(table: Shell):
    """What the record says of a default is what an audit reads there."""
    for line in ("join boffin --at 0,0", "begin --unordered", "move boffin --to 1,0 --mode run", "note x"):
        play(table, line)
    table.done("amend", "e4", "--mode", "walk", "--apply")
    table.done("verify")
    table.done("amend", "e4", "--mode", "run", "--apply")
    table.done("verify")


def test_the_dice_of_an_undone_correction_do_not_count(fight: Shell):
    """The 16 of the undone amendment is not what e6 showed."""
    fight.done("amend", "e6", "--dice", "16,8", "--because", "misread", "--apply")
    fight.done("undo")
    fight.done("amend", "e6", "--allow", "so be it", "--apply")
    assert HpLost("Grub-1", 5, 3, 20) in recorded(13)
    assert hp("Grub-1") == 3
    fight.done("verify")


@pytest.mark.slow
def test_after_a_yes_an_amendment_asks_for_missing_dice(fight: Shell, tmp_path: Path):
    """19 and 3: 19 - 4 - 2 are 13 of 55 hp; what the new dice come to is shown."""
    terminal = Terminal("amend", "e6", "--insert", "attack grub-2 boffin", "--dice", "ask", cwd=tmp_path)
    terminal.see("needs new dice: Grub-2 attacks Boffin")
    terminal.see("[y/N] ")
    terminal.type("y\n")
    for prompt, face in (("Grub-2: d20 for attack (Boffin)? ", "19\n"), ("Boffin: d20 for defense (Grub-2)? ", "3\n")):
        terminal.see(prompt)
        terminal.type(face)
    assert terminal.end() == 0
    assert hp("Boffin") == 42


def test_only_several_entries_are_counted(fight: Shell):
    """e5 between two that differ stands alone."""
    said = fight.done("amend", "e4", "--mod", "hit:-4:fog", "--full")
    assert "e5  the same" in said.splitlines()


def test_a_difference_that_no_line_shows_is_described():
    """Two dice of the same face at other places of the stream read alike, so the preview lists the fields."""
    before, after = (Rolled("Boffin", "attack", "Grub", "2d6", (3, 3), (at, at + 1)) for at in (1, 3))
    assert differing([before], [after], {}) == (
        ["Boffin: rolled (purpose attack, about Grub, dice 2d6, faces 3,3, places 1,2)"],
        ["Boffin: rolled (purpose attack, about Grub, dice 2d6, faces 3,3, places 3,4)"],
    )


def test_words_of_an_action_that_stand_in_another_order_are_no_difference():
    """The record sorts them, and an action that was resolved just now has them in the order of its fields."""
    said = {"who": "Boffin", "target": "Grub"}
    recorded, anew = Declared("attack", dict(sorted(said.items()))), Declared("attack", said)
    before, after = (Rolled("Boffin", "attack", "Grub", "2d6", (3, 3), (at, at + 1)) for at in (1, 3))
    assert [len(lines) for lines in differing([recorded, before], [anew, after], {})] == [1, 1]


def test_without_an_entry_the_last_command_is_amended(fight: Shell):
    assert [*fight.course("--mod", "defense:+9:cover")] == [7]
    fight.done("amend", "--target", "grub-1", "--apply")
    (declared, *_) = events(8)
    assert isinstance(declared, Declared)
    assert (declared.verb, declared.said["entry"], declared.said["change"]) == ("amend", "e7", {"target": ["Grub-1"]})
    assert hp("Grub-1") == 3


def test_the_last_command_is_the_last_that_stands(fight: Shell):
    fight.done("undo", "e6")
    fight.done("amend", "--drop", "--apply")
    assert stands() == [1, 2, 3, 4, 9], "the note e5 is left out"


def test_a_word_that_is_no_entry_is_not_taken_for_the_last(fight: Shell):
    for word in ("boffin", "e1x", "", "e" + "9" * 13, "9" * 5000):
        fight.refused("amend", word, "--drop", code=2)


@pytest.mark.slow
def test_a_fact_that_no_log_tells_is_not_told_in_a_preview(shell: Shell):
    """A turn that somebody has is counted, and no log tells it."""
    shell.done("demo", "aachen")
    said = shell.done("amend", "e4", "--insert", "join wolf --side opp --called zz", "--full")
    assert "the same in the log; the record differs" in said
    assert "points set" not in said
    assert "(kind turn" not in said


def test_an_entry_that_was_held_up_is_refused_by_what_forbids_it_in_the_end(shell: Shell):
    """aachen.melee.free-attack: Brun passes for Goblin-3, who is in contact with him then."""
    shell.done("demo", "aachen")
    clauses = {one.get("clause") for one in shell.facts("amend", "e19", "--drop")["course"]}
    assert "aachen.melee.free-attack" in clauses
    assert "aachen.round.sequence" not in clauses


@pytest.mark.slow
def test_what_was_said_of_somebody_follows_an_amended_name(table: Shell):
    """Boffin of e2 was Bofur all the time: his blow, his harm and his seat are his own, and free words stay as said."""
    for line in (
        "join boffin", "join grub", "begin --seats John,gm", "initiative --dice 14,3",
        "attack boffin grub --dice 14,5", "done", "attack grub boffin --dice 20,1", "note 'Boffin laughs.'",
    ):  # fmt: skip
        play(table, line)
    before = table.done("status")
    assert table.facts("amend", "e2", "--called", "Bofur", "--because", "misheard", "--apply")["losses"] == []
    table.done("verify")
    assert table.done("status").split() == before.replace("Boffin", "Bofur").split()
    assert [one for one in stands() if Noted("Boffin laughs.") in events(one)]
    table.done("amend", "e2", "--called", "Bif", "--because", "misread", "--apply")
    table.done("verify")
    table.done("undo")
    table.done("verify")


@pytest.mark.slow
def test_an_entry_that_was_lost_is_named_when_it_is_possible_again(table: Shell):
    """A 20 against 1 fells Grub in e5, which leaves nothing to strike in e6; 14 against 6 leaves 9 of 20. What was left
    out on purpose is not named.
    """
    for line in (
        "join boffin",
        "join jane",
        "join grub",
        "attack boffin grub --dice 14,6",
        "attack jane grub --dice 12,4",
    ):
        play(table, line)
    table.done("note", "x")
    table.done("amend", "e7", "--drop", "--because", "x", "--apply")
    lost = table.facts("amend", "e5", "--dice", "20,1", "--because", "misread", "--apply", "--lose", "1")
    assert ([one["entry"] for one in lost["losses"]], lost["again"]) == ([6], [])
    again = table.facts("amend", "e5", "--dice", "14,6", "--because", "misread after all", "--apply")["again"]
    assert again == [{"entry": 6, "hint": "affray amend e6 --apply"}]
    table.done("amend", "e6", "--apply")
    table.done("verify")
    assert hp("Grub") == 0


def test_who_joins_under_another_name_keeps_the_dice_of_their_hit_points(shell: Shell):
    """3 and 4 were thrown for two of them. One keeps the 3, and the 4 is put aside; the three that it was in the end
    have 3 and 4, and need one die.
    """
    shell.done("init", "Test", "--system", "arkm")
    play(shell, "join crossbowman --count 2 --dice 3,4")
    (alone,) = shell.facts("amend", "e2", "--called", "Tom", "--count", "1", "--because", "misheard", "--apply")[
        "course"
    ]
    assert hp("Tom") == 3
    assert aside(alone) == [("Arbalist-2", 4, "hit points")]
    said = shell.facts("amend", "e2", "--called", "Tim", "--count", "3", "--because", "misheard")
    assert said["course"][0]["needs"] == [{"who": "Tim-3", "dice": "1d6", "purpose": "hit points", "about": ""}]
    assert said["try"].endswith(" --dice e4:-,roll --because misheard --apply")
    shell.done("amend", "e2", "--called", "Tim", "--count", "3", "--because", "misheard", "--apply", "--dice", "e4:6")
    assert [hp(f"Tim-{nth}") for nth in (1, 2, 3)] == [3, 4, 6]
    shell.done("verify")


def test_a_lost_entry_that_nothing_makes_possible_is_kept_as_a_note(table: Shell):
    """Without his join nobody called Grub can be struck, whatever is allowed; his own line falls away with it."""
    for line in ("join boffin", "join grub", "attack boffin grub --dice 14,6"):
        play(table, line)
    (lost,) = table.facts("amend", "e3", "--drop", "--because", "he was not there")["losses"]
    assert (lost["entry"], lost["saved"]) == (4, False)
    way = lost["hint"].removeprefix("affray ")
    table.done("amend", "e3", "--drop", "--because", "he was not there", "--apply", "--lose", "1")
    play(table, way)
    assert [one.text for one in recorded() if isinstance(one, Noted)] == ["Boffin attacks Grub"]
    table.done("verify")


def test_what_was_done_to_one_who_has_not_joined_is_not_done_to_another_of_that_name(table: Shell):
    """In place of the encounter a Grub joins, so that the Grub of e4 cannot: nobody else is struck for them."""
    for line in ("join boffin", "begin --unordered", "join grub", "attack boffin grub --dice 14,6"):
        play(table, line)
    losses = table.facts("amend", "e3", "--as", "join grub")["losses"]
    assert [(one["entry"], one["saved"]) for one in losses] == [(4, False), (5, False)]


def test_a_note_keeps_the_first_200_letters_of_what_is_lost(shell: Shell):
    """Thirteen of them say who did what."""
    shell.done("init", "x", "--system", "paraverse")
    for line in ("join sigrun", "join reaver", "begin", "round", f"misc reaver {'x' * 250}"):
        play(shell, line)
    (lost,) = shell.facts("amend", "e3", "--drop")["losses"]
    assert lost["hint"] == f"affray amend e6 --as \"note 'Reaver acts: {'x' * 187}'\" --apply"


def test_the_end_of_a_turn_belongs_to_whose_turn_it_closed(table: Shell):
    """Jane's shot is put before the end of John's turn: his turn ends first. 12 + 1 against 4, damage 13 - 4 = 9. She
    attacks once on a turn: freepg.turn.one-attack forbids what she did later.
    """
    for line in (
        "join boffin", "join jane", "join grub --count 2", "begin --seats John,Jane,gm", "initiative --dice 14,3,2",
        "done", "attack jane grub-1 --dice 12,4",
    ):  # fmt: skip
        play(table, line)
    insert = ("amend", "e7", "--insert", "attack jane grub-2", "--dice", "12,4", "--apply", "--lose", "1")
    outcomes = {one["entry"]: one["outcome"] for one in table.facts(*insert)["course"]}
    assert outcomes[8] == "no longer possible"
    assert "went on" not in outcomes.values()
    assert (hp("Grub-1"), hp("Grub-2")) == (20, 11)
    table.done("verify")


@pytest.mark.slow
def test_what_is_put_in_again_stands_before_what_the_table_went_on_with(shell: Shell):
    """Without the step into the magic phase what Maelis cast in it is lost, and the table goes on with a cast that
    fails. Where she casts after all, that one is lost, and the wards are cast as they were.
    """
    shell.done("demo", "paraverse")
    amended = ("--ledger", "demo-paraverse.affray", "amend")
    (lost,) = shell.facts(*amended, "e15", "--drop", "--apply", "--lose", "1")["losses"]
    assert (lost["entry"], lost["hint"]) == (16, "affray amend e16 --insert phase --apply")
    course = shell.course("e16", "--insert", "phase", "--apply", "--lose", "1")
    assert course[16] == ("same", 86)
    assert course[51] == ("no longer possible", None)
    assert shell("--ledger", "demo-paraverse.affray", "verify").code == 0


def test_who_need_not_fight_passes_where_only_their_pick_is_waited_for(shell: Shell):
    """paraverse.assign.gang-up: Sigrun is taken by Reaver and Ildar is free, so Thrall may not join against her. Nobody
    said that Thrall attacks Ildar; Sigrun still wins by 15 + 6 against 3 + 4.
    """
    table = shell
    table.done("init", "yard", "--system", "paraverse", "--key", "00" * 31 + "07")
    for line in (
        "join sigrun ildar reaver thrall --area yard", "begin --areas yard", "round", "attack sigrun reaver",
        "misc ildar waits", "attack reaver sigrun", "attack thrall ildar", "phase melee", "resolve",
    ):  # fmt: skip
        play(table, line)
    table.refused("amend", "e8", "--target", "sigrun", "--apply", code=2)
    course = table.course("e8", "--target", "sigrun", "--apply", "--lose", "1")
    assert (course[None], course[10]) == (("went on", 14), ("different", 15))
    (declared, *_) = recorded(14)
    assert isinstance(declared, Declared)
    assert (declared.verb, declared.said) == ("pass", {"who": "Thrall"})
    assert ("Sigrun wins", [15 + 6, 3 + 4]) in rulings("paraverse.skirmish.winner", 15)
    table.done("verify")


def test_the_line_that_goes_on_from_a_preview_counts_what_is_lost(shell: Shell):
    """paraverse.phase.order: Ildar declared a shot at the other reaver, so the table resolves that, and e8 is lost."""
    shell.done("init", "Test", "--system", "paraverse", "--key", "00" * 31 + "07")
    for line in (
        "join ildar", "join reaver --count 2", "begin", "round", "shoot ildar reaver-2", "phase --pass-rest",
        "shoot ildar reaver-2 --dice 1,9", "phase",
    ):  # fmt: skip
        shell.done(*line.split())
    line = shell.facts("amend", "e6", "--target", "reaver-1")["try"]
    assert line == "affray amend e6 --target reaver-1 --dice e9:-,-,roll --apply --lose 1"
    shell.done(*line.split()[1:])
    rollers = [roll.who for entry in stands() for roll in events(entry) if isinstance(roll, Rolled)]
    assert rollers[:2] == ["Ildar", "Reaver-1"]
    shell.done("verify")


def test_the_line_for_lacking_dice_has_dashes_for_all_that_may_be_needed(shell: Shell):
    """Ildar's shot is left out, and the table goes on with another one: 1d20 each, and 1d4 for the place of a hit.
    Thrall may stand then and strike: 1d20 each, and 1d4, once more after a 1. 15 + 6 against 2 hits; 1 + 6 against 20
    does not.
    """
    shell.done("init", "Test", "--system", "paraverse", "--key", "00" * 31 + "07")
    for line in (
        "join ildar", "join thrall", "begin", "round", "shoot ildar thrall", "attack thrall ildar", "phase",
        "shoot ildar --dice 20,3,1,2", "phase", "phase end",
    ):  # fmt: skip
        shell.done(*line.split())
    drop = ("amend", "e9", "--drop")

    def offered(*more: str) -> str:
        return str(shell.facts(*drop, *more)["try"])

    line = offered()
    assert line == "affray amend e9 --drop --dice e10:-,-,roll --apply"
    assert offered("--dice", "e10:15,2") == "affray amend e9 --drop --dice e10:15,2,-,roll --apply"
    assert offered("--dice", "e10:-,2") == "affray amend e9 --drop --dice e10:-,2,roll --apply"
    missed = offered("--dice", "e10:1,20")
    assert missed == "affray amend e9 --drop --dice e10:1,20,e11:-,-,roll --apply"
    shell.refused(*drop, "--dice", "4,9", code=2)
    for way in (line, missed):
        shell.done(*way.split()[1:])
        shell.done("undo")
    shell.done("verify")


def test_what_the_table_goes_on_with_is_none_of_the_entries_that_depend_on_dice(shell: Shell):
    """Without Ildar's shot e9 another one is needed before e10: e10 and e11 depend on it. It misses, Thrall strikes
    before e11, and only e11 depends on that.
    """
    shell.done("init", "Test", "--system", "paraverse")
    for line in (
        "join ildar", "join thrall", "begin", "round", "shoot ildar thrall", "attack thrall ildar", "phase",
        "shoot ildar --dice 20,3,1,2", "phase", "phase end",
    ):  # fmt: skip
        shell.done(*line.split())
    for dice, depend in (((), "2"), (("--dice", "e10:1,20"), "1")):
        assert re.findall(r"(\d+) more", shell.done("amend", "e9", "--drop", *dice)) == [depend]
    lacks = shell.refused("amend", "e9", "--drop", "--apply", code=2).err
    assert lacks.startswith("Error: More dice are needed: what comes before e10 (resolve) lacks Ildar 1d20")


def test_dice_of_what_falls_away_or_is_no_longer_possible_are_put_aside_and_named(table: Shell):
    """Without Thrall's attack there is no skirmish, and without Ildar's declaration no shot. 14 + 1 beat 5 + 4 and hit
    the place 3; 20 + 6 beat 3, and for the place 1 and 2 were thrown.
    """
    fight = ("join ildar", "join thrall", "begin", "round")
    skirmish = ("pass ildar", "attack thrall ildar", "phase", "phase melee", "resolve --dice 14,5,3", "phase end")
    shot = ("shoot ildar thrall", "attack thrall ildar", "phase", "shoot ildar --dice 20,3,1,2", "phase")
    for ledger, lines in (("skirmish.affray", skirmish), ("shot.affray", shot)):
        table.done("init", ledger.removesuffix(".affray"), "--system", "paraverse")
        for line in (*fight, *lines):
            table.done("--ledger", ledger, *line.split())
    course = table.facts("--ledger", "skirmish.affray", "amend", "e7", "--drop")["course"]
    (away,) = [one for one in course if one["outcome"] == "falls away"]
    assert away["entry"] == 10
    assert aside(away) == [("Thrall", 14, "melee"), ("Ildar", 5, "melee"), ("Thrall", 3, "hit location")]
    gone = table.facts("--ledger", "shot.affray", "amend", "e6", "--drop")["course"][3]
    assert (gone["entry"], gone["outcome"], gone["clause"]) == (9, "no longer possible", "paraverse.planning.closed")
    assert [(die["who"], die["face"]) for die in gone["aside"]] == [
        ("Ildar", 20), ("Thrall", 3), ("Ildar", 1), ("Ildar", 2),
    ]  # fmt: skip


def test_an_entry_that_is_put_in_again_follows_an_amended_name(fight: Shell):
    """Grub-2's natural 1 against Boffin was left out, and then Boffin was Bo from the start."""
    fight.done("amend", "e7", "--drop", "--apply")
    fight.done("amend", "e2", "--called", "Bo", "--apply")
    fight.done("amend", "e7", "--apply")
    assert recorded()[0] == Declared("attack", {"who": "Grub-2", "target": ["Bo"]})
    fight.done("verify")


def test_nobody_is_taken_for_another_where_fewer_join(table: Shell):
    """Boffin of `join boffin grub jane` was not there: what he did is lost, and nobody does it in his place."""
    for line in ("join boffin grub jane", "attack boffin grub --dice 14,6", "attack jane grub --dice 12,4"):
        play(table, line)
    without = ("amend", "e2", "--sheets", "grub", "--sheets", "jane", "--because", "he was ill")
    course = table.course(*without[1:], "--apply", "--lose", "1")
    assert course[3] == ("no longer possible", None)
    assert course[4][0] in ("different", "same")
    table.done("verify")


def test_what_was_lost_is_put_in_again_as_it_was_last_meant(fight: Shell):
    """The attack was at Grub-2 when Boffin's wounds forbade it: 14 + 2 against 5, 12 of 20 hp."""
    fight.done("amend", "e4", "--target", "grub-2", "--apply")  # e9
    fight.done("amend", "e4", "--insert", "adjust boffin hp 0 x", "--apply", "--lose", "2")
    again = fight.facts("amend", "e14", "--value", "54", "--apply")["again"]
    assert again == [{"entry": entry, "hint": f"affray amend e{entry} --apply"} for entry in (9, 11)]
    fight.done("amend", "e4", "--apply")
    (struck,) = [one for one in stands() if HpLost("Grub-2", 12, 8, 20) in events(one)]
    (hurt,) = [one for one in stands() if HpSet("Boffin", 54, 55) in events(one)]
    assert hurt < struck, "it stands behind what was inserted"
    fight.done("verify")


def test_what_is_put_in_again_stands_behind_what_was_put_in_its_place(table: Shell):
    """Whatever else was said in the same words before: of mist, rain, sun the rain is left out for mist and hail."""
    for text in ("mist", "rain", "sun"):
        table.done("note", text)
    table.done("amend", "e3", "--drop", "--insert", "note mist", "--insert", "note hail", "--apply")
    table.done("amend", "e3", "--apply")
    told = [event.text for one in stands() for event in events(one) if isinstance(event, Noted)]
    assert told == ["mist", "mist", "hail", "rain", "sun"]


def test_what_may_be_put_in_instead_of_one_keeps_the_others(fight: Shell):
    """freepg.dying.no-actions: of three that are put in the second is refused."""
    first, second, third = "adjust boffin hp 0 x", "attack boffin grub-1", "note dusk"
    words = [word for one in (first, second, third) for word in ("--insert", one)]
    hint = fight.refused("amend", "e5", *words, clause="freepg.dying.no-actions").err.splitlines()[-1]
    allowed = f"{second} --allow 'the reason'"
    assert shlex.split(hint)[4:] == [word for one in (first, allowed, third) for word in ("--insert", one)]


def test_what_was_dropped_on_purpose_is_never_called_lost(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")  # e5 is e10 now
    for words in (("e10", "--drop"), ("e4", "--mod", "hit:-1:fog"), ("e4", "--mod", "hit:-2:fog")):
        said = fight.facts("amend", *words, "--apply")
        assert (said["losses"], said["again"]) == ([], [])
    fight.done("amend", "e5", "--apply")
    assert [one for one in stands() if Noted("The bridge creaks.") in events(one)]


def test_two_amendments_are_taken_back_by_two_undos(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    fight.done("amend", "e4", "--mod", "hit:-2:mist", "--apply")
    fight.done("undo")
    assert (hp("Grub-1"), stands()) == (7, [1, 2, 3, 8, 9, 10, 11, 12])
    fight.done("undo")
    assert (hp("Grub-1"), stands()) == (3, [1, 2, 3, 4, 5, 6, 7])
    fight.done("redo")
    fight.done("redo")
    fight.done("undo", "--times", "2")
    assert stands() == [1, 2, 3, 4, 5, 6, 7]
    fight.done("verify")


def test_a_face_is_said_by_the_name_of_who_threw_it(fight: Shell):
    """e6: 10 against 8. With 9 the damage is 12 + 1 - 9 = 4, and 4 of 8 hp are left."""
    fight.done("amend", "e6", "--dice", "grub-1:9", "--because", "a 9", "--apply")
    assert hp("Grub-1") == 4
    fight.refused("amend", "e6", "--dice", "boffin:9,9", "--because", "x", code=2)


def test_a_modifier_is_taken_away_by_none(fight: Shell):
    fight.done("amend", "e4", "--mod", "hit:-4:fog", "--apply")
    assert hp("Grub-1") == 7
    fight.done("amend", "e4", "--mod", "none", "--apply")
    assert hp("Grub-1") == 3


def test_one_sheet_of_several_means_the_one_of_its_name(table: Shell):
    """Only Grub has another sheet; it says what is otherwise on it. 14 + 2 against 6 + 2."""
    for line in ("join boffin grub jane", "attack boffin grub --dice 14,6"):
        play(table, line)
    Path("grub.toml").write_text('name = "Grub"\nkind = "enemy"\nsize = "small"\nflat_bonus = 2\n')
    told = table.done("amend", "e2", "--sheets", "grub.toml", "--apply")
    assert "     the sheet of Grub: flat_bonus - -> 2\n" in told
    assert "not there" not in told
    assert {"Boffin", "Grub", "Jane"} <= {*book().present()[1].roster.order}
    table.refused("amend", "e2", "--sheets", "ogre", code=2)


def test_a_die_may_be_said_of_the_one_who_is_named_in_place_of_its_thrower(fight: Shell):
    """The 9 is the defence of Grub-2, in place of Grub-1: 14 + 2 beat it, for 14 + 2 + 1 - 9."""
    for owner in ("grub-2", "grub-1"):
        fight.done("amend", "e4", "--target", "grub-2", "--dice", f"{owner}:9", "--because", "a 9", "--apply")
        assert hp("Grub-2", 9 if owner == "grub-2" else 15) == 20 - 8
        fight.done("undo")
    fight.refused("amend", "e4", "--dice", "grub-2:9", "--because", "x", code=2)


def test_dice_of_somebody_who_is_gone_are_put_aside_under_their_name_alone(table: Shell):
    for line in ("join boffin", "join grub", "attack boffin grub --dice 14,6"):
        play(table, line)
    told = table.done("amend", "e2", "--drop")
    assert "     set aside: Boffin's 14 (d20 for attack), Grub's 6 (d20 for defense)\n" in told


def test_dice_that_the_program_rolled_are_not_corrected_by_name(fight: Shell):
    fight.done("attack", "boffin", "grub-2")
    fight.refused("amend", "e8", "--dice", "boffin:9", "--because", "x", code=2)


def test_dice_that_were_typed_for_a_group_are_corrected_by_its_name(shell: Shell):
    """The party's 5 was a 2, against the orc's 3."""
    shell.done("init", "Road", "--system", "arkm")
    for line in ("join fighter", "join orc --dice 6", "begin --outdoors --distance 10", "round --dice party:5,orc:3"):
        shell.done(*line.split())
    changes = shell.facts("amend", "e5", "--dice", "party:2", "--because", "a 2")["changes"]
    assert {"name": "order", "before": "party, Orc", "after": "Orc, party"} in changes


def test_a_preview_has_two_dozen_lines_at_the_most(fight: Shell):
    for nth in range(20):
        fight.done("attack", "boffin", "grub-2", "--dice", "1", "--allow", str(nth))
        fight.done("adjust", "boffin", "hp", str(50 - nth), "x")
    brief = fight.done("amend", "e2", "--called", "Bo")
    assert 20 < len(brief.splitlines()) <= 24
    assert "more lines; --full shows all." in brief
    assert len(fight.done("amend", "e2", "--called", "Bo", "--full").splitlines()) > 60


def test_a_preview_that_is_cut_has_room_for_the_ways_on_of_five_losses(shell: Shell):
    """They take 16 of its 22 lines, two and a way on each, and who is who 3: what differs in the end has the last 3.
    Four losses take 13 lines and leave it 6; without any it has 7.
    """
    shell.done("init", "Road", "--system", "freepg")
    play(shell, "join boffin\njoin grub --count 12\n")
    play(shell, "".join(f"attack boffin grub-{nth} --dice 9,5\n" for nth in range(8, 13)))
    play(shell, "".join(f"attack boffin grub-{nth} --dice {8 + nth},5\n" for nth in range(1, 8)))

    def told(*words: str) -> list[int]:
        answer = shell("amend", *words)
        some = "in the end", "e", "     ", "Nothing restores", "Grub"
        return [len(re.findall(f"^{start}", answer.out + answer.err, re.MULTILINE)) for start in some]

    fewer = "--called", "Bo", "--sheets", "minion", "--count"
    assert told("e3", *fewer, "7") == [3, 5, 5, 5, 3]
    assert told("e3", *fewer, "8") == [6, 4, 4, 4, 3]
    assert told("e2", "--sheets", "jane")[0] == 7


def test_a_preview_ends_with_the_command_that_records_it_where_an_entry_would_be_lost(fight: Shell):
    """Grub-2, who does not join, cannot attack; where nothing is lost --apply is all that it needs."""
    answer = fight("amend", "e3", "--count", "1")
    assert answer.err.splitlines()[-1] == "Try: affray amend e3 --count 1 --apply --lose 1"
    assert "Try" not in fight("amend", "e6", "--drop").err


def test_a_blow_that_falls_away_leaves_its_dice_and_the_next_blow_keeps_its_own(shell: Shell):
    """Orc-1 has 5 hp: the first blow kills with 5 + 1 where it left 2 of them. The second one falls away with 16 and 3,
    and Orc-2 is still hit by 15 for 1 + 1.
    """
    shell.done("init", "x", "--system", "arkm")
    for line in (
        "join fighter", "join orc --count 3 --dice 5,6,2", "begin", "initiative --dice 5,4",
        "move aldric --feet 45 --to orc-1,orc-2,orc-3",
        "attack aldric orc-1,orc-1,orc-2,orc-3 --dice 17,2,16,3,15,1,14,2",
    ):  # fmt: skip
        shell.done(*line.split())
    (act,) = shell.facts("amend", "e7", "--dice", "17,5,16,3,15,1,14,2", "--because", "a 5", "--apply")["course"]
    assert aside(act) == [("Aldric", 16, "attack"), ("Aldric", 3, "damage")]
    assert HpLost("Orc-2", 2, 4, 6) in recorded()
    shell.done("verify")


def test_lose_says_how_many_may_be_lost_at_most(fight: Shell):
    """An adjustment of hit points that are corrected loses nothing."""
    fight.done("note", "one")
    fight.done("amend", "--text", "two", "--apply", "--lose", "9")


def test_what_is_left_out_is_called_as_it_was_typed(fight: Shell):
    """An entry that was renumbered before it was left out: e9 is e12 by then."""
    fight.done("note", "one")
    fight.done("note", "two")
    fight.done("amend", "e8", "--text", "three", "--apply")
    fight.done("amend", "e9", "--drop", "--apply")
    fight.refused("amend", "e8", "--after", "e9", code=2)
    fight.refused("amend", "e9", "--drop", code=2)
    assert "restored: two" in fight.done("amend", "e9", "--after", "e8")


def test_a_field_called_no_shield_is_said_and_denied_by_its_own_name():
    """--no-shield lowers it with the javelin; --no-no-shield takes that word back."""
    draw = systems.procedure(systems.find_verb("paraverse", "draw"))[1]
    assert corrected("draw", draw, ["--no-shield"], "paraverse") == ({"no_shield": True}, None)
    assert corrected("draw", draw, ["--no-no-shield"], "paraverse") == ({"no_shield": False}, None)


@pytest.mark.parametrize(
    ("entry", "words"),
    [("e6", ("--target", "boffin")), ("e6", ("--as", "attack boffin boffin")), ("e8", ("--allow", ""))],
)
def test_what_is_said_otherwise_beside_an_insertion_is_refused_and_not_lost(
    fight: Shell, entry: str, words: tuple[str, ...]
):
    """Nobody attacks themselves without the game master's word."""
    fight.done("attack", "boffin", "boffin", "--allow", "he is mad", "--dice", "1")
    refused = fight("amend", entry, "--insert", "note rain", *words, "--apply", "--json")
    assert (refused.code, "losses" in refused.json) == (1, False)
    assert fight.course("e8", "--insert", "note rain", "--apply")[8][0] == "same"


def test_a_correction_of_what_was_left_out_stays_sound_whatever_is_taken_back_later(fight: Shell):
    """e5 is left out, and put in again otherwise; both are undone, and then e5 itself by hand."""
    fight.done("amend", "e5", "--drop", "--apply")
    assert fight.course("e5", "--text", "It holds.", "--apply")[5][0] == "different"
    for words in ((), (), ("e5",)):
        fight.done("undo", *words, "--yes")
    assert "creaks" not in fight.done("log", "--standing")
    fight.done("verify")


def test_each_inserted_command_is_said_as_it_is_after_the_one_before_it(fight: Shell):
    """Brak joins, and is named by what comes next; a natural 1 misses."""
    put_in = ("--insert", "join brak", "--insert", "attack brak boffin")
    fight.done("amend", "e5", *put_in, "--dice", "1", "--apply")
    assert next(one.who for one in recorded(10) if isinstance(one, Rolled)) == "Brak"
    fight.done("verify")


def test_facts_are_kept_while_all_whom_they_name_are_at_the_table():
    """Also in what was declared, but not in a ruling: it is Boffin who hurts Grub, beside Jane."""
    sheets = ({"name": "Boffin"}, {"name": "Jane"}, {"name": "Grub", "kind": "enemy"})
    told = given("freepg", *(Join((sheet,)) for sheet in sheets))
    before = (
        Declared("attack", {"who": "Boffin"}),
        HpLost("Grub", 3, 17, 20),
        Ruled("freepg.attack.hit-test", "Jane", "Jane", "hit", (), ""),
    )
    assert named(told.state, before) == ("Boffin", "Grub")
    act = Act(before[0], 5, 5, before)
    kept = as_recorded(told.state, act, ("Boffin", "Grub"), lambda _: {})
    assert (kept.refused, kept.events[1:], kept.state.harm.hp["Grub"].now) == (None, before[1:], 17)
    gone = told.when(Leave(("Grub",)))
    lost = as_recorded(gone.state, act, ("Boffin", "Grub"), lambda _: {})
    assert (str(lost.refused), lost.events, lost.state) == ("Grub is not at the table.", (), gone.state)


def test_what_is_corrected_of_one_is_left_of_the_others(shell: Shell):
    """dungeoneers.initiative.order: the Skeleton's 9 is a 3; Freya keeps her 5, Suori her 4, and all their places."""
    shell.done("init", "x", "--system", "dungeoneers")
    for line in (
        "join freya skeleton suori", "begin --at freya=0,0 --at skeleton=5,0 --at suori=0,3",
        "round --set skeleton=9,freya=5,suori=4", "amend e4 --set skel=3 --apply", "amend e3 --at skel=6,0 --apply",
    ):  # fmt: skip
        shell.done(*line.split())
    rows = shell.facts("status")["rows"]
    assert [(who, rows[who]["at"]) for who in rows] == [("Freya", "0,0 N"), ("Suori", "0,3 N"), ("Skeleton", "6,0 N")]
