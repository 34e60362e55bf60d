"""An id that somebody wrote down stays good: what was resolved again under another id is meant by the old one too."""

import json
from pathlib import Path

import pytest

from commands.action.cards import Verb
from commands.action.common_verbs import COMMON
from ledger.events import DisputeOpened, DisputeSettled, Revealed
from tests.shell import Shell, recorded
from tests.test_amend import events, fight, hp, play, stands

__all__ = ["fight"]

FOG = ("--mod", "hit:-4:fog")


@pytest.fixture
def twice(fight: Shell) -> Shell:
    """Grub-1's hp: e4 left 8 and e6 left 3. The fog of e4 makes e9 of it (12 left) and e11 of e6 (7 left); that e6 had
    +1 makes e14 of e11 (6 left). e8 and e13 are the amendments; e14 and e15 are what e6 and e7 are now.
    """
    fight.done("amend", "e4", *FOG, "--apply")
    fight.done("amend", "e6", "--mod", "hit:1:luck", "--apply")
    assert (hp("Grub-1", 9), hp("Grub-1", 11), hp("Grub-1")) == (12, 7, 6)
    assert stands() == [1, 2, 3, 8, 9, 10, 13, 14, 15]
    return fight


# Looking


def test_looking_verbs_take_the_entry_as_it_was_typed(twice: Shell):
    shown = twice.done("show", "e6")
    assert shown.startswith("e6  ")
    assert "  (now e14)\n" in shown
    assert "left 3" in shown
    assert twice.facts("status", "--at", "e6")["rows"]["Grub-1"]["hp"] == "3/20"
    hurt = {"name": "Grub-1.hp", "before": "8", "after": "3"}
    assert twice.facts("replay", "--since", "e6", "--until", "e6")["changes"] == [hurt]
    (differs,) = twice.facts("diff", "e4", "e6")["differences"]
    assert {name: differs[name] for name in hurt} == hurt


# Undo


@pytest.mark.parametrize("typed", ["e6", "e11", "e14"])
def test_undo_takes_back_what_stands_in_its_place_and_all_later_ones(twice: Shell, typed: str):
    said = twice.facts("undo", typed)
    assert said["notes"] == ([f"{typed}, now e14"] if typed != "e14" else [])
    assert [one["entry"] for one in said["taken_back"]] == [14, 15]
    assert stands() == [1, 2, 3, 8, 9, 10, 13]
    assert hp("Grub-1") == 12
    twice.done("verify")


def test_undo_to_an_old_id_keeps_what_stands_in_its_place(twice: Shell):
    twice.done("undo", "--to", "e4")
    assert (stands(), hp("Grub-1")) == ([1, 2, 3, 8, 9], 12)
    twice.done("redo")
    assert (stands()[-1], hp("Grub-1")) == (15, 6)
    twice.done("verify")


def test_the_new_id_of_an_amendment_that_was_taken_back_means_the_old_entry(fight: Shell):
    fight.done("amend", "e4", *FOG, "--apply")
    fight.done("undo")
    fight.done("undo", "e11")
    assert (stands(), hp("Grub-1")) == ([1, 2, 3, 4, 5], 8)
    fight.done("verify")


def test_what_was_undone_and_redone_keeps_its_id(fight: Shell):
    fight.done("undo", "e6")
    fight.done("redo")
    assert [one["entry"] for one in fight.facts("undo", "e6")["taken_back"]] == [6, 7]
    assert hp("Grub-1") == 8


def test_json_tells_it_in_the_notes(twice: Shell):
    preview = twice("undo", "e6", "--dry-run", "--json").json
    assert preview["notes"] == ["e6, now e14"]
    assert twice("undo", "e6", "--json").json["notes"] == ["e6, now e14"]


def test_undo_of_an_action_that_an_instant_changed_takes_both_back(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """e4 hits Grub; e5 braces against it, and e6 is e4 resolved again."""
    monkeypatch.setitem(COMMON, "brace", Verb("tests.brace:brace", "Brace."))
    for line in ("join boffin", "join grub", "attack boffin grub --dice 9,10", "brace grub --dice 5"):
        play(table, line)
    assert [one["entry"] for one in table.facts("undo", "e4")["taken_back"]] == [5, 6]
    assert (stands(), hp("Grub")) == ([1, 2, 3], 20)
    table.done("verify")


# What is gone


def test_what_was_undone_and_is_gone_is_refused_with_what_became_of_it(fight: Shell):
    fight.done("undo", "e6")  # e8
    fight.done("note", "on it goes")  # e9
    for words in (("undo", "e6"), ("amend", "e6", *FOG), ("dispute", "e6", "really?"), ("undo", "--to", "e6")):
        fight.refused(*words, code=2)


def test_what_an_amendment_left_out_is_refused_with_what_became_of_it(fight: Shell):
    fight.done("amend", "e6", "--drop", "--apply")  # e8
    for words in (("undo", "e6"), ("dispute", "e6", "really?")):
        fight.refused(*words, code=2)
    assert fight.course("e6", "--apply")[6][0] == "same"


def test_an_undo_is_not_play(fight: Shell):
    fight.done("undo")
    fight.refused("undo", "e8", code=2)
    fight.done("dispute", "e8", "who took that back?")


# Disputes


def test_a_dispute_is_about_what_stands(twice: Shell):
    assert twice.facts("dispute", "e6", "he missed")["notes"] == ["e6, now e14"]
    assert DisputeOpened(14, "he missed") in events(16)
    for typed in ("e6", "e11", "e14"):
        twice.refused("dispute", typed, "again", code=2)
    twice.done("settle", "e11", "stands", "he hit")
    assert DisputeSettled(14, "stands", "he hit") in events(17)
    twice.done("verify")


def test_a_dispute_of_before_the_amendment_is_settled_by_any_of_its_ids(fight: Shell):
    fight.done("dispute", "e6", "he missed")  # e8
    fight.done("amend", "e4", *FOG, "--apply")  # e6 is e12 now
    assert stands()[-2:] == [13, 14]
    fight.refused("dispute", "e12", "he missed", code=2)
    fight.done("settle", "e12", "stands", "he hit")
    assert DisputeSettled(6, "stands", "he hit") in recorded()
    assert fight("disputes").out.startswith("freepg.")
    fight.done("verify")


# Reveal


def test_reveal_opens_what_stands_and_what_was_typed(fight: Shell):
    """The secret e8 is resolved again as e13; both are opened, because they are the same action."""
    fight.done("note", "Zarquon is a spy.", "--secret")  # e8
    fight.done("amend", "e4", *FOG, "--apply")
    assert stands()[-1] == 14
    fight.done("reveal", "e8")
    assert [event for event in events(15) if isinstance(event, Revealed)] == [Revealed(14), Revealed(8)]
    fight.done("export", "safe.jsonl", "--player-safe")
    entries = [json.loads(line) for line in Path("safe.jsonl").read_text().splitlines()[1:]]
    assert [entry["entry"] for entry in entries if "Zarquon" in json.dumps(entry["parts"])] == [8, 14]
    fight.done("verify")


def test_what_is_gone_can_still_be_revealed(fight: Shell):
    """Players may see what stood there once."""
    fight.done("note", "Zarquon is a spy.", "--secret")
    fight.done("undo")
    fight.done("reveal", "e8")
    assert Revealed(8) in recorded(10)
