"""Instants: they change dice that were already thrown. The action is resolved again after them."""

import pytest

from commands.action.book import Book
from commands.action.cards import Verb
from commands.action.common_verbs import COMMON
from commands.past.audit import audit
from commands.past.course import standing
from ledger.errors import LedgerDamaged
from ledger.events import Declared, HpLost, Reinstated, Retracted, Rolled, decode
from ledger.sqlite import SqliteStore
from tests.courses import check_amending_nothing
from tests.shell import Shell, chain_anew, forge, recorded, rulings


@pytest.fixture
def fight(table: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """e4: Boffin hits Grub with 9 + 2 against 10: damage 9 + 2 + 1 - 10 = 2, 18 of 20 hp left."""
    monkeypatch.setitem(COMMON, "brace", Verb("tests.brace:brace", "Brace."))
    table.done("join", "boffin")
    table.done("join", "grub")
    table.done("attack", "boffin", "grub", "--dice", "9,10")
    return table


def book() -> Book:
    return Book(SqliteStore.open("test.affray"))


def hp() -> int:
    return book().present()[1].harm.hp["Grub"].now


def events(entry: int) -> list[object]:
    return [decode(body) for body in book().store.entry(entry).bodies]


def test_the_last_action_is_resolved_again_on_its_dice_after_the_instant(fight: Shell):
    """The d6 shows 5, so the hit does 5 instead of 2."""
    fight.done("brace", "grub", "--dice", "5")
    assert rulings("freepg.attack.hit-test", 6) == [("hit", [9 + 2, 10])]
    assert hp() == 15
    instant, again = book().store.entry(5), book().store.entry(6)
    assert (instant.after, instant.command, instant.origin) == (3, 5, 5)
    assert (again.after, again.command, again.origin) == (5, 5, 4)
    assert events(5)[:2] == [Declared("brace", {"who": "Grub"}, instant=True), Retracted((4,), ())]
    assert [e for e in events(6) if isinstance(e, Rolled)] == [e for e in events(4) if isinstance(e, Rolled)]
    fight.done("verify")


def test_undo_takes_the_instant_back_with_its_consequences(fight: Shell):
    fight.done("brace", "grub", "--dice", "5")
    fight.done("undo")
    assert recorded()[1:] == (Retracted((5, 6), (6,)), Reinstated((4,)))
    assert hp() == 18
    fight.done("redo")
    assert hp() == 15
    fight.done("undo", "e5")
    assert hp() == 18
    fight.done("verify")


def test_several_instants_answer_the_same_action(fight: Shell):
    fight.done("brace", "grub", "--dice", "5")
    fight.done("brace", "grub", "--dice", "3")
    assert hp() == 17
    assert standing(book().store, 8) == [1, 2, 3, 5, 7, 8]
    fight.done("undo")
    assert hp() == 15
    fight.done("verify")


def test_an_instant_comes_too_late_after_another_action(fight: Shell):
    fight.done("attack", "grub", "boffin", "--dice", "2,15", "--allow", "the test")
    fight.refused("brace", "grub", clause="freepg.test.brace")


def test_a_note_a_roll_and_a_dispute_come_between(fight: Shell):
    """They are recorded again after the action that the instant changes, and undo takes all back with it."""
    fight.done("note", "wait")
    fight.done("roll", "1d6", "--dice", "4")
    fight.done("dispute", "e4", "was that a hit?")
    fight.done("brace", "grub", "--dice", "5")
    assert hp() == 15
    log = fight.done("log")
    assert log.count("wait") == 2
    assert standing(book().store, 12) == [1, 2, 3, 8, 9, 10, 11, 12]
    fight.done("settle", "e9", "stands", "it was")
    fight.done("undo", "--times", "2")
    assert hp() == 18
    assert standing(book().store, 14) == [1, 2, 3, 4, 5, 6, 7]
    fight.done("verify")


def test_the_word_of_the_game_master_comes_between(fight: Shell):
    """A stone for 3 after the hit for 2: 15 of 20. With the instant the hit does 5 and the stone 3: 12."""
    fight.done("damage", "grub", "3", "a stone")
    fight.done("adjust", "boffin", "hp", "12", "he had rested")
    assert hp() == 15
    fight.done("brace", "grub", "--dice", "5")
    assert hp() == 12
    fight.done("verify")
    fight.done("undo")
    assert hp() == 15
    fight.done("verify")


def test_only_new_questions_need_dice(fight: Shell):
    needs = fight.facts("brace", "grub", "--dry-run")["needs"]
    assert needs == [{"who": "Grub", "dice": "1d6", "purpose": "bracing", "about": ""}]
    fight.refused("brace", "grub", "--dice", "5,4", code=2)
    said = fight.facts("brace", "grub", "--dice", "6", "--dry-run")
    assert {"event": "hp-lost", "who": "Grub", "points": 6, "left": 14, "most": 20} in said["again"]["events"]


def test_dice_of_the_stream_serve_too(fight: Shell):
    fight.done("brace", "grub")
    assert [roll.places for roll in events(5) if isinstance(roll, Rolled)] == [(1,)]
    assert book().store.head().drawn == 1
    fight.done("verify")


def test_json_tells_both_entries(fight: Shell):
    said = fight("brace", "grub", "--dice", "5", "--json").json
    assert said["entry"] == 5
    assert said["again"]["events"][-1] == {"event": "hp-lost", "who": "Grub", "points": 5, "left": 15, "most": 20}


def test_an_instant_is_recorded_once_under_its_id(fight: Shell):
    fight.done("brace", "grub", "--dice", "5", "--once", "x")
    said = fight.facts("brace", "grub", "--dice", "5", "--once", "x")
    assert (said["entry"], said["repeated"]) == (5, True)
    assert book().store.head().entry == 6


def test_amending_an_action_resolves_its_instants_again(fight: Shell):
    """With +4 the blow does 15 + 1 - 10 = 6, more than the 5; before the instant it has done the 6 as well."""
    fight.done("brace", "grub", "--dice", "5")
    for entry in (4, 5, 6):
        check_amending_nothing(book(), entry if entry != 4 else 6)
    course = fight.course("e4", "--mod", "hit:4:scope", "--apply")
    assert (course[5][0], course[6]) == ("same", ("different", 9))
    assert hp() == 14
    assert [book().store.entry(number).origin for number in (8, 9)] == [5, 4]
    fight.done("verify")
    fight.done("undo")
    assert hp() == 15


def test_an_instant_without_an_action_to_change_is_left_out(fight: Shell):
    """With -4 the blow misses: 7 against 10. Nobody braces against a miss."""
    fight.done("brace", "grub", "--dice", "5")
    assert fight.course("e6", "--mod", "hit:-4:fog", "--apply", "--lose", "1")[5] == ("no longer possible", None)
    assert hp() == 20
    fight.done("verify")


def test_an_instant_may_be_left_out_and_an_action_with_its_instants(fight: Shell):
    fight.done("brace", "grub", "--dice", "5")
    fight.done("amend", "e5", "--drop", "--apply")
    assert hp() == 18
    fight.done("undo")
    fight.done("amend", "e6", "--drop", "--apply")
    assert hp() == 20
    fight.done("verify")


def test_an_instant_may_be_put_in_before_the_action_that_it_answers(fight: Shell):
    fight.done("note", "later")
    fight.done("amend", "e4", "--insert", "brace grub", "--dice", "4", "--apply")
    assert hp() == 16
    assert events(7)[0] == Declared("brace", {"who": "Grub"}, instant=True)
    fight.done("verify")


def test_an_instant_in_a_ledger_survives_export_and_import(fight: Shell):
    fight.done("brace", "grub", "--dice", "5")
    fight.done("export", "all.jsonl")
    fight.done("import", "all.jsonl", "copy.affray")
    assert fight.done("--ledger", "copy.affray", "verify") == fight.done("--ledger", "test.affray", "verify")


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE entries SET origin = 6 WHERE entry = 6",
        "UPDATE entries SET after = 4 WHERE entry = 5",
        'UPDATE events SET body = replace(body, \'"points":5,"left":15\', \'"points":4,"left":16\') WHERE entry = 6',
        "UPDATE events SET body = replace(body, '\"entries\":[4]', '\"entries\":[3]') WHERE entry = 5",
        "UPDATE events SET body = replace(body, ',\"instant\":true', '') WHERE entry = 5",
    ],
)
def test_an_audit_resolves_an_instant_again(fight: Shell, tamper: str):
    fight.done("brace", "grub", "--dice", "5")
    forge("test.affray", tamper)
    chain_anew("test.affray")
    with pytest.raises(LedgerDamaged):
        audit(book())


def test_the_damage_is_that_of_the_new_course_only(fight: Shell):
    fight.done("brace", "grub", "--dice", "5")
    assert [event for event in events(6) if isinstance(event, HpLost)] == [HpLost("Grub", 5, 15, 20)]


def test_an_instant_is_never_secret(fight: Shell):
    """Players see that the blow was resolved again, so they may know by what; an amendment puts none in either."""
    fight.refused("brace", "grub", "--dice", "5", "--secret", code=2)
    fight.refused("amend", "e4", "--insert", "brace grub --secret", "--dice", "5", code=2)
    assert hp() == 18
