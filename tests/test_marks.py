"""Marks: a bookmark at an entry, or a comment on it, wherever the entry is told."""

import json
from pathlib import Path

import pytest

from ledger.events import Marked, OptionChanged
from projections.narration import told
from tests.reading import parsed
from tests.shell import Shell

SAID = "¡Qué golpe, Jürgen!"


@pytest.fixture
def fight(table: Shell) -> Shell:
    """Boffin hits Grub (e6); a roll aside follows."""
    table.done("join", "boffin")
    table.done("join", "grub")
    table.done("begin", "The gate", "--seats", "John,gm")
    table.done("initiative", "--dice", "14,3")
    table.done("attack", "boffin", "grub", "--with", "sword", "--dice", "14,6")
    table.done("roll", "1d20", "--dice", "3")
    return table


def players_lines(shell: Shell) -> list[str]:
    """The log of the file for players."""
    Path("seen").mkdir(exist_ok=True)
    Path("seen/seen.affray").unlink(missing_ok=True)
    shell.done("export", "seen/seen.jsonl", "--player-safe")
    shell.done("import", "seen/seen.jsonl", "seen/seen.affray")
    return shell.done("--ledger", "seen/seen.affray", "log", "--last", "0").splitlines()


def marks(shell: Shell, *ledger: str) -> list[tuple[int, str]]:
    """The marks that stand: of each the entry marked, and the words."""
    log = shell.done(*ledger, "log", "--standing", "--last", "0", "--kind", "marked", "--json").splitlines()
    events = [event for line in log for event in json.loads(line)["events"] if event["event"] == "marked"]
    return [(event["entry"], event["text"]) for event in events]


def places(shell: Shell, *words: str) -> dict[str, tuple[str, str]]:
    """The entries of the page that set a mark: the entry marked, and the words."""
    pytest.importorskip("jinja2", reason="the page needs the extra `report`")
    shell.done("export", "page.html", *words)
    items = parsed(Path("page.html").read_text(encoding="utf-8")).one("section", id="log").all("li")
    marks = [item for item in items if "data-marks" in item.attributes]
    return {one.attributes["id"]: (one.attributes["data-marks"], one.all("span")[0].text) for one in marks}


def test_a_mark_without_an_entry_is_at_the_last_action(fight: Shell):
    """A roll aside is none, nor is another mark."""
    assert fight.done("mark", "¡Qué", "golpe,", "Jürgen!") == f"mark at e6: {SAID}  e8\n"
    fight.done("mark", "again")
    assert marks(fight) == [(6, SAID), (6, "again")]


def test_an_entry_may_stand_before_the_words_or_behind_them(fight: Shell):
    assert fight.done("mark", "e4", "the", "gate").startswith("mark at e4: the gate")
    assert fight.done("mark", "the gate", "--entry", "4").startswith("mark at e4: the gate")


def test_a_mark_is_told_in_the_log_in_the_chronicle_and_with_its_entry(fight: Shell):
    fight.done("mark", "e6", SAID)
    fight.done("export", "story.md")
    assert SAID in Path("story.md").read_text(encoding="utf-8")
    for words in (("log",), ("log", "--standing"), ("log", "--kind", "marked"), ("show", "e6")):
        assert SAID in fight.done(*words), words
    assert places(fight) == {"e8": ("6", f"mark at e6: {SAID}")}


def test_a_mark_needs_words_and_an_entry_that_is_there(fight: Shell):
    fight.refused("mark", "e6", code=2)
    fight.refused("mark", code=2)
    fight.refused("mark", "e99", "what a blow", code=3)


def test_undo_takes_a_mark_back_and_only_the_mark(fight: Shell):
    fight.done("mark", "e6", SAID)
    assert [one["entry"] for one in fight.facts("undo")["taken_back"]] == [8]
    assert SAID not in fight.done("show", "e6")
    assert (fight.value("Grub.hp"), marks(fight)) == ("9", [])


def test_a_mark_goes_with_an_action_that_is_resolved_again(fight: Shell):
    """It is set at what stands now, also where somebody names the number of before."""
    fight.done("mark", "e6", SAID)
    fight.done("amend", "e6", "--dice", "15,6", "--because", "misread", "--apply")
    assert SAID in fight.done("show", "e10")
    fight.done("mark", "e6", "indeed")
    assert marks(fight)[1:] == [(10, "indeed")]
    fight.done("verify")


def test_what_was_undone_or_left_out_can_be_marked_too(fight: Shell):
    fight.done("mark", "e6", SAID)
    fight.done("amend", "e6", "--drop", "--apply")
    fight.done("mark", "e6", "what if?")
    assert marks(fight) == [(6, SAID), (6, "what if?")]
    fight.done("verify")


def test_a_mark_itself_is_amended_and_put_in(fight: Shell):
    fight.done("mark", "e6", "what a blow")
    fight.done("amend", "e8", "--text", SAID, "--apply")
    assert marks(fight) == [(6, SAID)]
    fight.done("amend", "e7", "--insert", "mark e6 put in", "--apply")
    assert marks(fight) == [(6, "put in"), (6, SAID)]
    fight.refused("amend", "e6", "--insert", "mark put in", code=2)


def test_a_copy_up_to_an_entry_has_the_marks_up_to_it(fight: Shell):
    fight.done("mark", "e6", SAID)
    fight.done("copy", "--at", "e8", "other.affray")
    assert marks(fight, "--ledger", "other.affray") == [(6, SAID)]


def test_a_new_name_leaves_the_words_of_a_mark_as_they_are(fight: Shell):
    fight.done("mark", "e6", "Grub staggers")
    fight.done("rename", "grub", "Knorz")
    assert marks(fight) == [(6, "Grub staggers")]


def test_players_read_a_mark_with_the_names_and_numbers_in_it(fight: Shell):
    fight.done("mark", "e6", "Grub has 9 left")
    assert "mark at e6: Grub has 9 left  e8" in players_lines(fight)
    assert places(fight, "--player-safe") == {"e8": ("6", "mark at e6: Grub has 9 left")}


def test_players_do_not_read_a_secret_mark(fight: Shell):
    fight.done("mark", "e6", SAID, "--secret")
    assert not any("golpe" in line or "mark" in line for line in players_lines(fight))
    assert places(fight, "--player-safe") == {}
    fight.done("reveal", "e8")
    assert any(SAID in line for line in players_lines(fight))


def test_players_know_of_a_mark_at_a_secret_entry_no_more_than_its_place(fight: Shell):
    """Its words may tell what happens there, until that is revealed."""
    fight.done("note", "the door opens", "--secret")
    fight.done("mark", "e8", "the door!")
    lines = players_lines(fight)
    assert "a mark at e8  e9" in lines
    assert not any("door" in line for line in lines)
    fight.done("reveal", "e8")
    assert "mark at e8: the door!  e9" in players_lines(fight)


def test_a_mark_with_a_true_name_that_the_players_do_not_know_is_secret_or_refused(table: Shell):
    table.done("join", "grub", "--called", "Zarquon", "--seen-as", "Stranger")
    table.refused("mark", "e2", "Zarquon", "comes", code=2)
    table.done("mark", "e2", "Zarquon", "comes", "--secret")
    table.done("mark", "e2", "the stranger comes")
    table.done("unmask", "stranger")
    table.done("mark", "e2", "Zarquon came")
    assert not any("Zarquon comes" in line for line in players_lines(table))


def test_a_true_name_that_is_hidden_later_is_left_out_with_the_words_around_it(table: Shell):
    table.done("mark", "e1", "wait for Zarquon")
    table.done("join", "grub", "--called", "Zarquon", "--seen-as", "Stranger")
    assert not any("Zarquon" in line for line in players_lines(table))
    assert "Zarquon" not in Path("seen/seen.jsonl").read_text()


def test_mark_takes_no_beginning_from_another_verb(fight: Shell):
    fight.refused("m", code=2)
    assert fight.done("ma") == fight.done("map")
    fight.done("mar", "foo")
    assert marks(fight) == [(6, "foo")]
    fight.refused("bookmark", "bar", code=2)


def test_a_mark_is_told_of_its_entry_alone():
    (line,) = told([Marked(6, SAID)], {})
    assert line.outcome == f"mark at e6: {SAID}"
    assert not OptionChanged("a", "b").FOR_ALL


def test_json_lines_hold_a_mark(fight: Shell):
    fight.done("mark", "e6", SAID)
    event = json.loads(fight.done("log", "--json", "--last", "1"))["events"][1]
    assert event == {"event": "marked", "entry": 6, "text": SAID}
