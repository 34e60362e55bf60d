"""The audit: whatever was changed, it is found, and said in one sentence."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.action.common import Join, Note, Option
from commands.action.rolling import Roll
from commands.past import examined_states
from commands.past.audit import Checking, audit, verify
from commands.past.examined_dice import Grades
from commands.past.findings import CHECKS
from commands.past.soundness import examine
from commands.past.undo import Redo, Undo, redo, undo
from commands.words.console import Console
from ledger.errors import LedgerDamaged, UsageError
from ledger.events import Declared, Noted, Retracted, Rolled
from ledger.sqlite import SqliteStore
from ledger.store import seal
from projections.state import VERSION, State
from tests.proof import die
from tests.shell import ROOT, Shell, chain_anew, foreign, forge, say, write


@pytest.fixture
def played(book: Book) -> Book:
    """e2 rolls 2d6+1, e3 two typed dice; e4 is a note, e5 a house rule, e6 takes it back, e7 brings it again."""
    say(book, Roll("2d6+1"))
    say(book, Roll("2d6"), dice=(6, 3))
    say(book, Note("hi"))
    say(book, Option("min_hit_damage", "3"))
    console = Console()
    console.book = book
    undo(console, Undo())
    redo(console, Redo())
    return book


def check(book: Book, *heads: str) -> None:
    console = Console()
    console.book = Book(book.store)
    verify(console, Checking(heads), console.book)


def found(book: Book, sentence: str) -> None:
    """An audit finds the damage, and says so."""
    with pytest.raises(LedgerDamaged, match=re.escape(sentence)) as caught:
        check(book)
    assert caught.value.code == 5


def reopened(book: Book) -> Book:
    """The ledger as another process would open it: with the key that it has now."""
    return Book(SqliteStore.open(book.store.path))


def head_line(book: Book) -> str:
    head = book.store.head()
    return f"affray e{head.entry} {head.digest}"


def test_a_sound_ledger_passes(played: Book, capsys: pytest.CaptureFixture[str]):
    """Seven entries; events: 2 + 3 + 3 + 2 + 2 + 2 + 2; two dice of the stream."""
    capsys.readouterr()
    check(played, head_line(played))
    assert capsys.readouterr().out == (
        "Sound: 7 entries in one chain, 16 events replayed with identical results,"
        " all 2 program dice match the stream.\n"
        "Dice: 2 proven, 2 rolled by hand. 2 fell before the first stir.\n"
        f"on the chain: {head_line(played)}\n"
        f"{head_line(played)}\n"
    )


def test_the_digest_of_the_state_is_printed_on_request(table: Shell):
    """It is not blinded: who knows all but a foe's hit points could try them."""
    state = f"state {Book(SqliteStore.open('test.affray')).present()[1].digest()}"
    assert "state" not in table.done("verify")
    assert table("verify", "--json").json["state_digest"] == ""
    assert state in table.done("verify", "--state").splitlines()


@pytest.mark.parametrize("written", ["affray {0} {1}", "{0} {1}", "{0} {2} {3}", "AFFRAY  {0} {2}  {3}"])
def test_a_head_line_is_known_by_what_is_read_aloud_of_it(played: Book, written: str):
    """Its entry and the first 16 digits."""
    head = played.store.head()
    short = head.digest[:16]
    check(played, written.format(f"e{head.entry}", short, short[:4], short[4:]))
    with pytest.raises(LedgerDamaged, match="The record is another one: its e7 has the digest"):
        check(played, written.format(f"e{head.entry}", short[::-1], short[4:8], short[:4] + short[8:]))


def test_an_older_head_line_is_still_part_of_the_record(played: Book):
    head = head_line(played)
    say(played, Note("later"))
    check(played, head)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("after", 2),
        ("command", 1),
        ("origin", 1),
        ("drawn", 3),
        ("hidden", 1),
        ("recorded_at", "2026-05-02T12:00:00Z"),
        ("by", "somebody else"),
        ("typed", "note 'hello'"),
        ("program", "affray 9.9.9"),
        ("once", "x"),
        ("digest", "0" * 64),
    ],
)
def test_whatever_is_changed_of_an_entry_breaks_the_chain(played: Book, column: str, value: object):
    forge(played.store.path, (f"UPDATE entries SET {column} = ? WHERE entry = 4", [value]))
    found(played, "e4 is not what was recorded: its digest does not follow from the entry before it.")


def test_a_changed_event_breaks_the_chain(played: Book):
    forge(played.store.path, "UPDATE events SET body = replace(body, 'hi', 'ho') WHERE entry = 4")
    found(played, "e4 is not what was recorded")


def test_swapped_events_break_the_chain(played: Book):
    db = foreign(played.store.path)
    (first, one), (second, two) = db.execute("SELECT seq, body FROM events WHERE entry = 4 ORDER BY seq").fetchall()
    db.close()
    forge(played.store.path, ("UPDATE events SET body = ? WHERE seq = ?", (two, first)),
          ("UPDATE events SET body = ? WHERE seq = ?", (one, second)))  # fmt: skip
    found(played, "e4 is not what was recorded")


def test_an_event_that_went_over_to_the_next_entry_breaks_the_chain(played: Book):
    forge(played.store.path, "UPDATE events SET entry = 5 WHERE seq = (SELECT max(seq) FROM events WHERE entry = 4)")
    found(played, "e4 is not what was recorded")


@pytest.mark.parametrize(("texts", "told"), [(["a"], "1 entry comes"), (["a", "b"], "2 entries come")])
def test_how_many_entries_come_out_differently_is_said(
    book: Book, texts: list[str], told: str, capsys: pytest.CaptureFixture[str]
):
    """By the rules of an older version a note was written in capitals."""
    for text in ("a", "b"):
        say(book, Note(text))
    for text in texts:
        older = f"UPDATE events SET body = replace(body, '\"{text}\"', '\"{text.upper()}\"') WHERE body LIKE '%noted%'"
        forge(book.store.path, "UPDATE entries SET program = 'affray 0.0.9 freepg-0' WHERE entry > 1", older)
    chain_anew(book.store.path)
    check(reopened(book))
    assert f" {told} out differently under today's rules; what was recorded stands." in capsys.readouterr().out


def test_of_several_missing_entries_the_first_is_to_blame(played: Book):
    forge(played.store.path, "DELETE FROM entries WHERE entry IN (4, 5)", "DELETE FROM events WHERE entry IN (4, 5)")
    found(played, "e4 to e5 are missing.")
    said = [(one.entry, one.message) for one in examine(Book(played.store), ["rules"]).findings]
    assert said[1:] == [(6, "e6 to e7 could not be resolved again because of e4.")]


def test_a_removed_entry_is_missed(played: Book):
    forge(played.store.path, "DELETE FROM entries WHERE entry = 4", "DELETE FROM events WHERE entry = 4")
    found(played, "e4 is missing.")


def test_events_without_their_entry_are_found(played: Book):
    forge(played.store.path, "DELETE FROM entries WHERE entry = 7")
    found(played, "holds events of an entry that it does not hold.")


def test_events_of_no_entry_are_found(played: Book):
    forge(played.store.path, "UPDATE events SET entry = 0 WHERE entry = 7")
    chain_anew(played.store.path)
    found(played, "e7 holds no events.")


def test_an_entry_without_events_is_found(played: Book):
    forge(played.store.path, "DELETE FROM events WHERE entry = 4")
    chain_anew(played.store.path)
    found(played, "e4 holds no events.")


def test_a_shorter_record_does_not_pass_for_the_whole_one(played: Book):
    """Nothing inside of a ledger can show that its end was cut off; a head line that somebody kept can."""
    head = head_line(played)
    forge(played.store.path, "DELETE FROM entries WHERE entry = 7", "DELETE FROM events WHERE entry = 7")
    check(played)
    with pytest.raises(LedgerDamaged, match="The record is shorter than it was: it ends with e6, the head line names"):
        check(played, head)


def test_another_record_does_not_pass_for_this_one(played: Book):
    head = head_line(played)
    forge(played.store.path, "UPDATE entries SET by = 'somebody else' WHERE entry = 2")
    chain_anew(played.store.path)
    check(played)
    with pytest.raises(LedgerDamaged, match="The record is another one: its e7 has the digest"):
        check(played, head)


@pytest.mark.parametrize(
    "line",
    ["affray", "e7", "affray e7", f"e7 {'0' * 15}", f"e7 {'0' * 17}", f"affray x7 {'0' * 64}", f"affray e² {'0' * 64}",
     f"affray e {'0' * 64}", "affray e7 00", f"affray e7 {'x' * 64}", "what is it?", ""],
)  # fmt: skip
def test_what_is_no_head_line_is_refused(played: Book, line: str):
    with pytest.raises(UsageError, match="is not a head line"):
        check(played, line)


# Forgers who make every digest follow again


def forged(book: Book, *changes: object) -> Book:
    forge(book.store.path, *changes)  # type: ignore[arg-type]
    chain_anew(book.store.path)
    return book


def body(entry: int, kind: str, old: str, new: str) -> tuple[str, tuple[object, ...]]:
    return "UPDATE events SET body = replace(body, ?, ?) WHERE entry = ? AND kind = ?", (old, new, entry, kind)


def test_a_changed_die_is_found(played: Book):
    """The key says what each place of the stream shows."""
    faces = [die(-1, 6), die(-2, 6)]
    other = [faces[0] % 6 + 1, faces[1]]
    forged(played, body(2, "rolled", f"[{faces[0]},{faces[1]}]", f"[{other[0]},{other[1]}]"))
    found(played, f"e2 says that the die at place 1 of the hidden stream showed {other[0]}; it did not.")


def test_a_changed_die_behind_one_that_was_thrown_by_hand_is_found(book: Book):
    """The program rolls a dash of --dice 6,-."""
    say(book, Roll("2d6"), dice=(6, None))
    face = die(-1, 6)
    assert examine(book).grades == Grades(proven=1, by_hand=1, unstirred=1)
    forged(book, body(2, "rolled", f"[6,{face}]", f"[6,{face % 6 + 1}]"))
    found(book, f"e2 says that the die at place 1 of the hidden stream showed {face % 6 + 1}; it did not.")


@pytest.mark.parametrize(("places", "sentence"), [
    ("[-1,-3]", "e2 has a die from place 3 of the hidden stream, not 2."),
    ("[-2,-1]", "e2 has a die from place 2 of the hidden stream, not 1."),
    ("[-1,-1]", "e2 names the die at place 1 of the hidden stream twice."),
    ("[2,-1]", "e2 has a die from place 2 of the stream, not 1."),
    ("[0,0]", "e2 counts 2 hidden dice; 0 were drawn."),
])  # fmt: skip
def test_a_die_that_was_skipped_or_thrown_twice_is_found(played: Book, places: str, sentence: str):
    found(forged(played, body(2, "rolled", "[-1,-2]", places)), sentence)


def test_a_count_of_dice_that_is_not_true_is_found(played: Book):
    forged(played, "UPDATE entries SET drawn = 5 WHERE entry = 4")
    found(played, "e4 counts 5 dice of the stream; 0 were drawn.")


def test_a_count_of_hidden_dice_that_is_not_true_is_found(played: Book):
    forged(played, "UPDATE entries SET hidden = 5 WHERE entry = 4")
    found(played, "e4 counts 5 hidden dice; 2 were drawn.")


def test_an_impossible_typed_die_is_found(played: Book):
    forged(played, body(3, "rolled", "[6,3]", "[7,3]"))
    found(played, "e3 says that a d6 showed 7.")


def test_a_die_too_many_is_found(played: Book):
    forged(played, body(3, "rolled", '"faces":[6,3],"places":[0,0]', '"faces":[6,3,1],"places":[0,0,0]'))
    found(played, "e3 does not hold one face and one place for each die of 2d6.")


def test_a_roll_of_what_are_no_dice_is_found(played: Book):
    forged(played, body(3, "rolled", '"2d6"', '"2x6"'))
    found(played, "e3 holds a roll of '2x6', which are not dice.")


def test_a_roll_for_something_else_is_found(played: Book):
    forged(played, body(3, "rolled", "a roll", "b roll"))
    found(played, "e3")


def test_another_key_is_found(played: Book):
    """The blinds come from it, so that no digest follows any more."""
    forge(played.store.path, ("UPDATE keys SET key = ?", ["ff" * 32]))
    found(reopened(played), "e1 is not what was recorded: its digest does not follow")
    assert places(reopened(played), "chain") == [("damage", entry) for entry in range(1, 8)]


def test_another_key_is_found_where_the_chain_was_made_anew_with_it(played: Book):
    forge(played.store.path, ("UPDATE keys SET key = ?", [bytes(32).hex()]))
    chain_anew(played.store.path)
    assert places(reopened(played), "chain") == []
    found(reopened(played), "e1 commits the campaign to other dice than its key gives.")


def test_an_altered_sum_is_found(played: Book):
    """The arithmetic is done again: a total of 9 stays a total of 9."""
    forged(played, body(3, "ruled", '"total":9', '"total":11'))
    found(played, "e3, resolved again by the rules, differs from the record at its event 3.")


def test_an_altered_reason_is_found(played: Book):
    forged(played, body(2, "ruled", '"bonus"', '"luck"'))
    found(played, "e2, resolved again by the rules, differs from the record at its event 3.")


def test_a_fact_that_no_rule_makes_is_found(played: Book):
    forged(played, body(4, "noted", '"hi"', '"ho"'))
    found(played, "e4, resolved again by the rules, differs from the record at its event 2.")


def test_a_fact_that_was_left_out_is_found(played: Book):
    forged(played, "DELETE FROM events WHERE entry = 5 AND kind = 'option-changed'")
    found(played, "e5, resolved again by the rules, differs from the record at its event 2.")


def test_an_event_written_in_another_way_is_found(played: Book):
    """The same meaning in other bytes is not what this program writes."""
    forged(played, body(4, "noted", '"text":', '"text": '))
    found(played, "e4, resolved again by the rules, differs from the record at its event 2.")


@pytest.mark.parametrize(("new", "sentence"), [
    ('"verb":"fly"', "e4 would be refused by this version's rules: There is no verb 'fly'"),
    ('"verb":"option"', "e4 would be refused by this version's rules: it has no field 'text'"),
    ('"verb":"undo"', "e4 could not have been recorded: it has no field 'text'"),
])  # fmt: skip
def test_a_declaration_that_makes_no_sense_is_found(played: Book, new: str, sentence: str):
    found(forged(played, body(4, "declared", '"verb":"note"', new)), sentence)


def test_an_entry_that_does_not_begin_with_a_declaration_is_found(played: Book):
    forged(played, "DELETE FROM events WHERE entry = 4 AND kind = 'declared'")
    found(played, "e4 does not begin with a declaration.")


def test_an_unknown_kind_of_event_is_found(played: Book):
    forged(played, body(4, "noted", '"event":"noted"', '"event":"sung"'))
    found(played, "e4 holds an event that this program does not know: 'sung' is unknown")


def test_an_action_that_the_rules_refuse_is_found(played: Book):
    """Bob joins; a forger has him join once more."""
    say(played, Join(({"name": "Bob", "kind": "enemy"},)))
    joined = played.store.entry(8)
    halves = [*zip(joined.bodies, joined.splits, strict=True)]
    forge(
        played.store.path,
        "INSERT INTO entries SELECT 9, 8, 9, 9, drawn, hidden, recorded_at, by, typed, program, once, '', ''"
        " FROM entries WHERE entry = 8",
        *[
            ("INSERT INTO events (seq, entry, body, split) SELECT max(seq) + 1, 9, ?, ? FROM events", half)
            for half in halves
        ],
    )
    chain_anew(played.store.path)
    found(played, "e9 would be refused by this version's rules: Bob is already at the table.")


# Forged courses


def test_a_jump_without_undo_is_found(played: Book):
    write(played.store, [Declared("note", {"text": "x"}), Noted("x")], after=3)
    found(played, "e8 stands after e3, but is not an undo, redo or amendment.")


def test_an_undo_that_leads_elsewhere_than_it_says_is_found(played: Book):
    write(played.store, [Declared("undo", {}), Retracted((5,), (5,))], after=2)
    found(played, "e8 stands after e2; its words lead to e4.")


def test_an_undo_that_lists_other_entries_is_found(played: Book):
    write(played.store, [Declared("undo", {}), Retracted((3, 5), (5,))], after=4)
    found(played, "e8, resolved again by the rules, differs from the record at its event 2.")


def test_an_undo_that_does_more_than_undo_is_found(played: Book):
    write(played.store, [Declared("undo", {}), Noted("x"), Retracted((5,), (5,))], after=4)
    found(played, "e8, resolved again by the rules, differs from the record at its event 2.")


@pytest.mark.parametrize(("verb", "said", "why"), [
    ("redo", {}, "There is nothing to redo"),
    ("undo", {"entry": "e1"}, "e1 opens the ledger"),
    ("undo", {"entry": "x"}, "entry takes an entry, such as e12"),
    ("undo", {"entry": 3}, "entry takes an entry, such as e12"),
    ("undo", {"to": "e99"}, "e99 does not stand"),
])  # fmt: skip
def test_an_undo_that_nobody_could_have_said_is_found(played: Book, verb: str, said: dict[str, object], why: str):
    write(played.store, [Declared(verb, said), Retracted((5,), (5,))], after=4)
    found(played, f"e8 could not have been recorded: {why}")


# Checkpoints


def test_a_sealed_checkpoint_of_another_state_is_found(played: Book):
    head = played.store.head()
    state = played.present()[1].encoded().replace('"min_hit_damage":3', '"min_hit_damage":9')
    db = foreign(played.store.path)
    assert db.execute("UPDATE checkpoints SET state = ?, seal = ?", (state, seal(head.digest, VERSION, state))).rowcount
    db.close()
    found(played, "The checkpoint of e7 holds another state than its events make.")


def test_a_checkpoint_of_an_older_program_is_no_damage(played: Book):
    db = foreign(played.store.path)
    db.execute("UPDATE checkpoints SET reducers = 'older', state = '{}'")
    db.close()
    check(played)


def test_behind_a_wrong_checkpoint_states_are_made_of_the_events_alone(played: Book, monkeypatch: pytest.MonkeyPatch):
    """The checkpoint of e2 holds the state of an empty ledger. After two undos and a redo more entries stand after old
    ones, and of these no state is kept.
    """
    monkeypatch.setattr(examined_states, "_KEPT", 1)
    console = Console()
    console.book = played
    for value in ("4", "5"):
        undo(console, Undo())
        say(played, Option("min_hit_damage", value))
    undo(console, Undo())
    redo(console, Redo())
    [digest] = [digest for _, digest in played.store.entries(2, 2)]
    played.store.save_checkpoint(2, digest, VERSION, State().encoded())
    assert everything(played) == [("damage", 2)]


@pytest.mark.parametrize(
    ("damaged", "because"),
    [((7,), []), ((4, 5), ["e6 could not be resolved again because of e4.",
                           "e7 could not be resolved again because of e5."])],
)  # fmt: skip
def test_an_entry_that_cannot_be_read_is_itself_to_blame(
    played: Book, monkeypatch: pytest.MonkeyPatch, damaged: tuple[int, ...], because: list[str]
):
    """As on a damaged page: the last one, or e4 and e5; e6 stands after e4, and e7 after e5."""
    read = SqliteStore.entries

    def entries(store: SqliteStore, first: int, last: int, strays: set[int] | None = None) -> object:
        for found in read(store, first, last, strays):
            if found[0].entry in damaged:
                raise LedgerDamaged("it lies there")
            yield found

    monkeypatch.setattr(SqliteStore, "entries", entries)
    told = examine(Book(played.store)).findings
    assert [one.message for one in told if one.sort == "damage"] == [f"e{one} cannot be read." for one in damaged]
    assert [one.message for one in told if "resolved" in one.message] == because


def test_an_audit_does_not_rely_on_checkpoints(played: Book):
    digest = audit(played).state_digest
    db = foreign(played.store.path)
    db.execute("DELETE FROM checkpoints")
    db.close()
    assert audit(Book(played.store)).state_digest == digest


# From the command line


def test_verify_ends_with_5_when_something_differs(table: Shell):
    table.done("note", "hi")
    forge("test.affray", "UPDATE events SET body = replace(body, 'hi', 'ho')")
    table.refused("verify", code=5)


def test_verify_compares_with_a_head_line(table: Shell):
    head = table.done("verify").splitlines()[-1]
    table.done("note", "hi")
    table.done("verify", "--head", head)
    table.refused("verify", "--head", head.replace("e1", "e3"), code=5)
    assert table("verify", "--json").json["head"].startswith("affray e2 ")


@pytest.mark.parametrize(
    "look", [("log",), ("status",), ("replay", "--since", "e1"), ("show",), ("note", "more"), ("undo",)]
)
def test_a_ledger_with_an_event_that_cannot_be_read_is_damaged(table: Shell, look: tuple[str, ...]):
    """Every verb that meets it says so."""
    table.done("note", "hi")
    forge("test.affray", """UPDATE events SET body = '{"event":"sung"}' WHERE kind = 'noted'""",
          "DELETE FROM checkpoints")  # fmt: skip
    table.refused(*look, code=5)


@pytest.fixture
def sealed(played: Book) -> Callable[[str], None]:
    def change(state: str) -> None:
        db = foreign(played.store.path)
        head = played.store.head()
        db.execute("UPDATE checkpoints SET state = ?, seal = ?", (state, seal(head.digest, VERSION, state)))
        db.close()

    return change


@pytest.mark.parametrize("state", ["", "{", "[]", '{"campaign":3}'])
def test_a_sealed_checkpoint_without_sense_is_found(played: Book, sealed: Callable[[str], None], state: str):
    sealed(state)
    found(played, "The checkpoint of e7 holds another state than its events make.")


def test_a_file_without_its_guards_is_not_sound(played: Book):
    """Everything in it is right, but anybody could have changed it."""
    db = foreign(played.store.path)
    db.execute("DROP TRIGGER events_are_never_deleted")
    db.close()
    found(played, "The trigger events_are_never_deleted is missing.")


@pytest.mark.parametrize("column", ["command", "origin"])
def test_an_entry_that_claims_to_be_part_of_another_command_is_found(played: Book, column: str):
    """The chain was made anew, so only the claim itself gives it away."""
    forge(played.store.path, f"UPDATE entries SET {column} = 2 WHERE entry = 4")
    chain_anew(played.store.path)
    found(played, "e4 says that it belongs to another command, but it does not.")


# One run finds everything


def everything(book: Book) -> list[tuple[str, int]]:
    """The sort and the entry of each finding."""
    return [(finding.sort, finding.entry) for finding in examine(Book(book.store)).findings]


def test_all_that_is_wrong_is_found_in_one_run(played: Book):
    """A die of e2 and the words of e4 were changed, the file lost a guard; e5 to e7 are as they were."""
    face_ = die(-1, 6)
    forge(played.store.path, body(2, "rolled", f'"faces":[{face_},', f'"faces":[{face_ % 6 + 1},'),
          body(4, "noted", '"hi"', '"ho"'))  # fmt: skip
    db = foreign(played.store.path)
    db.execute("DROP TRIGGER events_are_never_deleted")
    db.close()
    assert everything(played) == [("damage", 0), ("damage", 2), ("damage", 2), ("damage", 4)]


def test_after_a_broken_link_the_chain_is_checked_on(played: Book):
    """The digest that stands in the file, or the one that should, is the one that the next entry follows from."""
    forge(played.store.path, f"UPDATE entries SET digest = '{'0' * 64}' WHERE entry = 3")
    forge(played.store.path, "UPDATE entries SET typed = 'x' WHERE entry = 6")
    assert everything(played) == [("damage", 3), ("damage", 6)]


def test_an_entry_after_a_gap_cannot_be_checked_against_it(played: Book):
    """e5 to e7 stand after e4, or after what stood after it."""
    forge(played.store.path, "DELETE FROM entries WHERE entry = 4", "DELETE FROM events WHERE entry = 4")
    assert everything(played) == [("damage", 0), ("damage", 4), ("unchecked", 5), ("unchecked", 5)]
    found(played, "e4 is missing.")
    assert "holds 14 events, numbered from 1 to 16." in examine(Book(played.store)).findings[0].message


def test_events_of_a_missing_entry_in_the_middle_are_found(played: Book):
    forge(played.store.path, "DELETE FROM entries WHERE entry = 4")
    assert ("damage", 4) in everything(played)
    found(played, "e4 is missing.")
    assert f"e4 is not there, but {played.store.path} holds events of it." in [
        finding.message for finding in examine(Book(played.store)).findings
    ]


def test_an_entry_that_cannot_be_read_leaves_the_rest_to_be_checked(played: Book):
    """e6, an undo, has to read what it takes back; e7 brings back what stands after e4."""
    forged(played, body(4, "noted", '"event":"noted"', '"event":"sung"'))
    forge(played.store.path, ("UPDATE entries SET drawn = 9 WHERE entry = 7", ()))
    sorts = everything(played)
    assert ("damage", 4) in sorts
    assert ("damage", 7) in sorts
    assert ("unchecked", 5) in sorts


@pytest.mark.parametrize("after", [4, 5, 6, 99])
def test_a_course_that_goes_round_in_a_circle_is_damage(played: Book, after: int):
    """No command follows it for ever."""
    forged(played, f"UPDATE entries SET after = {after} WHERE entry = 4")
    found(played, f"e4 stands after e{after}, which does not come before it.")
    with pytest.raises(LedgerDamaged, match="which does not come before it"):
        Book(played.store).present()


@pytest.mark.parametrize("after", [4, 5, 99])
def test_a_course_that_goes_round_in_a_circle_is_damage_in_a_file_for_players(table: Shell, after: int):
    """e5 takes back the entry that stands after itself, or after a later one."""
    for words in ("note one", "note two", "note three", "undo e2"):
        table.done(*words.split())
    table.done("export", "p.jsonl", "--player-safe")
    table.done("import", "p.jsonl", "p.affray")
    forge("p.affray", f"UPDATE entries SET after = {after} WHERE entry = 4")
    findings = table("--ledger", "p.affray", "verify", "--json").json["findings"]
    assert ("damage", 4) in [(one["sort"], one["entry"]) for one in findings]


def test_without_the_key_everything_else_is_checked(played: Book):
    forge(played.store.path, "DELETE FROM keys", body(4, "noted", '"hi"', '"ho"'))
    assert everything(played) == [("damage", 0), ("unchecked", 0), ("fault", 4)]
    assert "Neither the chain nor the faces of the dice were checked" in examine(played).findings[1].message


def test_the_findings_of_a_damaged_ledger_are_data(table: Shell):
    """One object, with the error and with all findings."""
    table.done("note", "hi")
    table.done("note", "hi")
    forge("test.affray", "UPDATE events SET body = replace(body, 'hi', 'ho')")
    answer = table("verify", "--json")
    assert (answer.code, answer.json["ok"], answer.json["error"]["code"]) == (5, False, 5)
    assert [(one["sort"], one["entry"]) for one in answer.json["findings"]] == [("damage", 2), ("damage", 3)]
    listed = table("verify")
    assert listed.out.count("is not what was recorded") == 2
    assert "(1 more finding in the list)" in listed.err
    assert listed.err.endswith("Save what is sound into a new ledger with salvage.\n")


# Single checks


def places(book: Book, check: str) -> list[tuple[str, int]]:
    """What one check finds: sorts and places."""
    audit = examine(Book(book.store), [check])
    assert all(finding.check == check for finding in audit.findings)
    return [(finding.sort, finding.entry) for finding in audit.findings]


SINGLE = {
    "a byte of e4": ([body(4, "noted", '"hi"', '"ho"')], "chain", [4]),
    "two bytes": ([body(4, "noted", '"hi"', '"ho"'), "UPDATE entries SET by = 'x' WHERE entry = 6"], "chain", [4, 6]),
    "a face": ([body(2, "rolled", '"faces":[2,6]', '"faces":[1,6]')], "dice", [2]),
    "the key": ([("UPDATE keys SET key = ?", ["00" * 32])], "dice", [1, 2]),
    "a jump": (["UPDATE entries SET after = 3 WHERE entry = 6"], "course", [6]),
    "a fact": ([body(4, "noted", '"hi"', '"ho"')], "rules", [4]),
    "an event without its entry": (
        ["UPDATE events SET entry = 9 WHERE seq = (SELECT max(seq) FROM events)"],
        "file",
        [0],
    ),
}
"""What is changed, with the check that finds it and where; the careful forger chains it all anew, but for the chain.
The dice of e2 show 2 and 6; with the other key the second shows 6 as well.
"""


@pytest.mark.parametrize("change", SINGLE)
def test_a_single_check_reports_all_that_it_finds_with_their_places(played: Book, change: str):
    changes, check, expected = SINGLE[change]
    forge(played.store.path, *changes)  # type: ignore[arg-type]
    if check not in ("chain", "file"):
        chain_anew(played.store.path)
    assert [entry for _, entry in places(reopened(played), check)] == expected


@pytest.mark.parametrize("check", CHECKS)
def test_a_single_check_of_a_sound_ledger_finds_nothing(played: Book, check: str):
    assert places(played, check) == []


def test_a_checkpoint_is_found_by_its_own_check_alone(played: Book):
    state = played.present()[1].encoded().replace("Test", "Tost")
    sealed = seal(played.store.head().digest, VERSION, state)
    forge(played.store.path, ("UPDATE checkpoints SET state = ?, seal = ? WHERE entry = 7", (state, sealed)))
    assert places(played, "checkpoints") == [("damage", 7)]
    assert [places(played, other) for other in CHECKS if other != "checkpoints"] == [[]] * 5


def test_the_guards_are_checked_with_the_file(played: Book):
    db = foreign(played.store.path)
    db.execute("DROP TRIGGER entries_are_never_changed")
    db.close()
    assert places(played, "file") == [("damage", 0)]
    assert places(played, "chain") == []


@pytest.mark.parametrize("check", CHECKS)
def test_a_missing_entry_is_a_finding_of_every_check(played: Book, check: str):
    """No check can say anything of it."""
    forge(played.store.path, "DELETE FROM entries WHERE entry = 4", "DELETE FROM events WHERE entry = 4")
    assert ("damage", 4) in places(played, check)


def test_what_damage_keeps_from_being_resolved_again_is_said_by_a_single_check_too(played: Book):
    """Of an altered entry the rules alone cannot say whose fault it is."""
    forge(played.store.path, body(4, "noted", '"hi"', '"ho"'))
    assert places(played, "rules") == [("unchecked", 4)]
    assert places(played, "dice") == []


def test_verify_says_which_checks_it_made(table: Shell):
    assert table.done("verify", "--check", "dice", "--check", "chain") == (
        "1 entry was checked, only for this:\n"
        "  chain       every digest follows from the entry and the digest before it\n"
        "  dice        every die of the stream shows the face that the key gives at its place\n"
        + table.done("verify").splitlines()[-1]
        + "\n"
    )
    assert table("verify", "--check", "file", "--json").json["checks"] == ["file"]
    table.refused("verify", "--check", "weather", code=2)


# Head lines


def test_verify_tells_which_head_lines_lie_on_the_chain(table: Shell):
    one = table.done("verify").splitlines()[-1]
    table.done("note", "hi")
    two = table.done("verify").splitlines()[-1]
    said = table.done("verify", "--head", one, "--head", two).splitlines()
    assert said[1:3] == [f"on the chain: {one}", f"on the chain: {two}"]
    other = one[:-1] + ("0" if one[-1] != "0" else "1")
    answer = table("verify", "--head", one, "--head", other, "--head", two.replace("e2", "e3"))
    assert answer.code == 5
    assert answer.out.splitlines()[:3] == [
        f"on the chain: {one}", f"not on the chain: {other}", f"not on the chain: {two.replace('e2', 'e3')}",
    ]  # fmt: skip
    heads = table("verify", "--json", "--head", one, "--head", other).json["heads"]
    assert [kept["lies"] for kept in heads] == [True, False]


def test_a_head_line_needs_the_chain_whatever_else_is_checked(table: Shell):
    head = table.done("verify").splitlines()[-1]
    assert table("verify", "--check", "file", "--head", head, "--json").json["checks"] == ["chain", "file"]


def test_behind_a_break_of_the_chain_no_head_line_is_taken_for_sound(table: Shell):
    """The digest of e3 stands there untouched, but what it followed from does not."""
    table.done("note", "hi")
    before = table.done("verify").splitlines()[-1]
    table.done("note", "hi")
    head = table.done("verify").splitlines()[-1]
    forge("test.affray", ("UPDATE entries SET digest = ? WHERE entry = 2", ["0" * 64]))
    answer = table("verify", "--head", head, "--json")
    assert (answer.code, answer.json["heads"][0]["lies"]) == (5, False)
    assert "it breaks at e2" in answer.json["heads"][0]["why"]
    assert table("verify", "--head", before, "--json").json["heads"][0]["lies"] is False


@pytest.mark.slow
def test_of_a_page_that_cannot_be_read_the_entries_are_named_and_the_rest_is_checked(
    table: Shell, monkeypatch: pytest.MonkeyPatch
):
    """The page that holds e40 is overwritten: some entries before and after it are lost with it, and no others, in
    batches of any size.
    """
    for number in range(2, 121):
        table.done("note", f"note {number} " + "x" * 100)
    path = Path("test.affray")
    data = path.read_bytes()
    start = data.index(b"note 'note 40 ") // 4096 * 4096
    path.write_bytes(data[:start] + b"\xa5" * 4096 + data[start + 4096 :])
    findings = table("verify", "--json").json["findings"]
    lost = [one["entry"] for one in findings if one["message"].endswith("cannot be read.")]
    assert 40 in lost
    assert {one["entry"] for one in findings if one["message"].startswith("SQLite finds")} <= {0}
    assert lost == list(range(min(lost), max(lost) + 1))
    assert 2 < min(lost) <= max(lost) < 120
    table.refused("verify", "--check", "dice", code=5)
    for batch in (7, 20):
        monkeypatch.setattr("commands.past.examined_file.BATCH", batch)
        monkeypatch.setattr("ledger.sqlite.BATCH", batch)
        assert table("verify", "--json").json["findings"] == findings
    saved = table("salvage", "test.affray", "new.affray", "--json").json["entries"]
    assert lost[0] - 1 <= saved < 40


# Dice that are named again


def test_dice_that_nothing_asks_for_are_found(played: Book):
    write(played.store, [Declared("note", {"text": "x"}), Rolled("", "luck", "", "1d6", (3,), (0,)), Noted("x")])
    found(played, "e8 holds dice that its action does not ask for.")


def test_what_an_amendment_resolved_again_is_checked_alone_where_nobody_knows_what_it_amends(table: Shell):
    """e5 amends an e9 that is not there, and e6 to e8 stand for e2 to e4; what e7 records was not said."""
    for text in ("one", "two", "three"):
        table.done("note", text)
    table.done("amend", "e2", "--text", "ONE", "--because", "louder", "--apply")
    forge("test.affray", body(5, "declared", '"entry":"e2"', '"entry":"e9"'), body(7, "noted", "two", "TWO"))
    chain_anew("test.affray")
    found = table("verify", "--json").json["findings"]
    assert [(one["sort"], one["entry"]) for one in found] == [("unchecked", 5), ("fault", 7)]


@pytest.mark.slow
def test_a_die_of_another_action_does_not_pass_for_one_that_is_named_again(table: Shell):
    """e5 resolves e2 again for another purpose, with a new die. A forger gives it the die of e3, which shows the same,
    and lowers the counts.
    """
    sides = next(sides for sides in range(2, 100) if die(-2, sides) == die(-3, sides))
    table.done("roll", f"1d{sides}", "--why", "first")
    table.done("roll", f"1d{sides}", "--why", "second")
    table.done("amend", "e2", "--why", "third", "--dice", "roll", "--apply")
    table.done("verify")
    assert checked_by_the_page() == "3 dice, each where its stream has it\n"
    forge("test.affray", body(5, "rolled", '"places":[-3]', '"places":[-2]'),
          "UPDATE entries SET hidden = 2 WHERE entry > 4")  # fmt: skip
    chain_anew("test.affray")
    table.refused(
        "verify",
        code=5,
    )
    said = "damage    e5 names the die at place 2 of the hidden stream again, which was thrown for something else."
    assert said in table("verify").out.splitlines()
    found = table("verify", "--json").json["findings"]
    assert [(one["sort"], one["entry"]) for one in found] == [("damage", 5)], "it is not resolved again besides"
    assert "e5: a die was altered" in checked_by_the_page()


def checked_by_the_page() -> str:
    """What the program that `docs/store.md` prints says of the dice."""
    page = (ROOT / "docs" / "store.md").read_text()
    (program,) = re.findall(r"```python\n(# check_dice.py\n.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program, "test.affray"], capture_output=True, text=True)
    return done.stdout + done.stderr
