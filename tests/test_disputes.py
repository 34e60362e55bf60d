"""Disputes: opened about an entry, shown until they are settled, and precedents afterwards; and sheets compared."""

import json
from typing import Any

import pytest

from commands.action.book import Book
from commands.action.dispute import Assert, Dispute, Settle
from commands.action.values import meant
from commands.look.precedents import DisputeRecord, dispute_records
from ledger.errors import Disagreement, NameUnknown
from ledger.events import Agreed, Declared, DisputeOpened, DisputeSettled, Noted, Retracted
from tests.freepg.table import boffin
from tests.kit import given
from tests.shell import Shell, new_book, recorded, say, write

SYSTEMS = {
    "freepg": ("e15", "Boffin attacks Brak", "freepg.attack.damage", "Brak.hp", "0"),
    "dungeoneers": ("e30", "Suori attacks Rattle", "dungeoneers.attack.pierce-compare", "Rattle.wounds", "2"),
    "paraverse": ("e16", "Maelis casts on", "paraverse.magic.referee", "Thrall.pain", "9"),
}
"""For each rule system an entry of its demo fight, its headline, a clause that ruled there, and a value at the end."""


@pytest.fixture
def played(shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """A shell in a folder with the demo fight of a rule system."""
    shell.done("demo", request.param, "--file", "test.affray")
    return shell


@pytest.fixture
def played_freepg(shell: Shell) -> Shell:
    """A shell in a folder with the toll bridge."""
    shell.done("demo", "freepg", "--file", "test.affray")
    return shell


def cases(shell: Shell) -> list[dict[str, Any]]:
    """What `disputes` lists."""
    return [json.loads(line) for line in shell.done("disputes", "--json").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("played", SYSTEMS, indirect=True, ids=list(SYSTEMS))
def test_a_dispute_from_start_to_end(played: Shell, request: pytest.FixtureRequest):
    entry, headline, clause, name, value = SYSTEMS[request.node.callspec.params["played"]]
    played.done("dispute", entry, "he", "was", "prone")
    assert entry in played.facts("status")["header"][-1]
    (case,) = cases(played)
    assert (case["entry"], case["status"], case["why"]) == (int(entry[1:]), "open", "he was prone")
    assert case["headline"].startswith(headline)
    played.refused("dispute", entry, "really", code=2)
    played.refused("dispute", entry, "he stood", code=2)
    played.refused("settle", "e2", "stands", "why", code=2)
    played.done("settle", entry, "stands", "he stood")
    assert entry not in played.facts("status")["header"][-1]
    assert played.done("disputes", clause).splitlines()[0] == (clause or "no clause")
    assert [(one["status"], one["reasons"]) for one in cases(played)] == [("stands", "he stood")]
    played.done("assert", name.lower(), value)
    played.done("verify")


def test_what_is_disputed_must_be_there(table: Shell):
    table.refused("dispute", "e2", "what?", code=3)
    table.refused("settle", "e2", "stands", "what?", code=2)
    table.refused("settle", "e1", "stands", "what?", code=2)
    table.refused("dispute", "what", "what?", code=2)
    table.refused("dispute", "e1", code=2)
    table.refused("settle", "e1", "perhaps", "what?", code=2)
    table.refused("disputes", "no.such.clause", code=3)
    assert table("disputes").err == "There are no disputes.\n"
    assert table.done("disputes", "freepg.attack.damage") == ""


def test_the_game_master_may_dispute_what_is_not_there(table: Shell):
    """As when a ledger is rebuilt, in which the entries have other numbers."""
    table.done("dispute", "e40", "it was another ledger", "--allow", "rebuilt")
    (case,) = cases(table)
    assert (case["entry"], case["status"], case["why"]) == (40, "open", "it was another ledger")
    table.done("verify")


def test_a_case_can_be_opened_again_and_several_at_a_time():
    told = given("freepg", Dispute("e1", "no"), Dispute("e2", "never"), Settle("e1", "amended", "well"))
    told.then(DisputeSettled(1, "amended", "well"))
    assert [(case.entry, case.why) for case in told.state.disputes.open] == [(2, "never")]
    told = told.when(Dispute("1", "still no")).then(DisputeOpened(1, "still no"))
    assert [case.entry for case in told.state.disputes.open] == [2, 1]


def test_a_state_without_disputes_does_not_mention_them():
    """So that the digests of older ledgers stay as they are."""
    assert "disputes" not in given("freepg", Dispute("e1", "no"), Settle("e1", "stands", "yes")).state.encoded()


def test_what_was_undone_is_listed_as_undone(table: Shell):
    table.done("note", "He falls.")
    table.done("dispute", "e2", "he", "did", "not")
    table.done("undo", "--to", "e1")
    assert "e2" not in table.facts("status")["header"][-1]
    assert table.done("disputes").splitlines()[0] == "~~e2 (undone) taken back: he did not  e3 tester~~"
    table.done("redo")
    (case,) = cases(table)
    fields = ("entry", "why", "by", "opened", "status")
    assert [case[field] for field in fields] == [2, "he did not", "tester", 3, "open"]


def test_a_dispute_of_an_entry_that_no_longer_stands(table: Shell):
    table.done("note", "He falls.")
    table.done("undo")
    table.refused("dispute", "e2", "what?", code=2)
    table.done("dispute", "e2", "who", "took", "that", "back?", "--allow", "it matters")
    assert [(one["entry"], one["status"], one["stands"]) for one in cases(table)] == [(2, "open", False)]


def amended(path: str) -> Book:
    """A ledger in which e3 disputes e2; then both were resolved again, as e5 and e6, and the case was closed."""
    book = new_book(path)
    fell = [Declared("note", {"text": "He falls."}), Noted("He falls.")]
    stands = [Declared("note", {"text": "He stands."}), Noted("He stands.")]
    case = [Declared("dispute", {"entry": "e2", "why": "he stood"}), DisputeOpened(2, "he stood")]
    write(book.store, fell)
    write(book.store, case)
    write(book.store, [Declared("amend", {}), Retracted((2, 3), (3,))], after=1)
    write(book.store, stands, command=4, origin=2)
    write(book.store, case, command=4, origin=3)
    say(book, Settle("e2", "amended", "he stood indeed"))
    return book


def test_a_dispute_that_was_resolved_again_is_one_case(tmp_path):
    book = amended(str(tmp_path / "book.affray"))
    assert dispute_records(book) == [
        DisputeRecord(
            entry=2, why="he stood", by="tester", opened=6, status="amended", closed=7,
            reasons="he stood indeed", stands=False, again=5, headline="by hand", clauses=(),
        )
    ]  # fmt: skip
    book.store.close()


@pytest.mark.slow
@pytest.mark.parametrize("played", SYSTEMS, indirect=True, ids=list(SYSTEMS))
def test_a_dispute_that_is_settled_by_an_amendment(played: Shell, request: pytest.FixtureRequest):
    """The disputed entry is dropped, and everything since then resolved again, the dispute too."""
    entry, *_ = SYSTEMS[request.node.callspec.params["played"]]
    played.done("dispute", entry, "that", "never", "happened")
    amendment = played("amend", entry, "--drop", "--dice", "roll", "--apply", "--json").json["entry"]
    assert [one["status"] for one in cases(played)] == ["open"]
    played.done("settle", entry, "amended", "so be it")
    (case,) = map(json.loads, played.done("disputes", "--json").splitlines())
    assert (case["status"], case["stands"], case.get("again")) == ("amended", False, None)
    assert case["opened"] > amendment
    said = played("diff", "--before-amendment", f"e{amendment}", "--json").json
    assert said["fork"] == int(entry[1:]) - 1
    assert all(one["entry"] > said["fork"] for one in said["differences"])
    played.done("verify")
    played.done("undo", f"e{amendment}")
    assert [(one["entry"], one["status"]) for one in cases(played)] == [(int(entry[1:]), "open")]


@pytest.mark.slow
def test_an_amendment_that_leaves_the_action_shows_where_it_stands_now(played_freepg: Shell):
    """Of 18 + 4 an 8 + 4 is left: a blow of 4 in place of 14, so Brak has 9 at the end, and no sheet says 0."""
    shell = played_freepg
    shell.done("assert", "brak.hp", "0")
    shell.done("dispute", "e15", "that", "was", "an", "8")
    shell.done("amend", "e15", "--dice", "8,7", "--because", "misread", "--apply", "--lose", "1")
    assert [(one["entry"], one["again"], one["status"], one["opened"]) for one in cases(shell)] == [
        (15, 35, "open", 52)
    ]
    assert [one["entry"] for one in shell("why", "brak.hp", "--json").json["changes"]] == [46, 35, 2]
    shell.refused(
        "assert",
        "brak.hp",
        "0",
        code=1,
    )
    boffin = shell("stats", "--name", "boffin", "--json").json
    assert boffin["fighters"][0]["dealt"]["hp"] == 4 + 17
    assert [(one["thrown"], one["faces"][7], one["faces"][17]) for one in boffin["dice"]] == [(3, 2, 1)]


def test_a_value_that_agrees_with_the_sheet_is_recorded(table: Shell):
    table.done("join", "tilda")
    table.done("assert", "til.hp", "53")
    assert recorded(3)[1:] == (Agreed("Tilda.hp", "53"),)
    assert table.done("assert", "Tilda.equipped", "Staff of Embers, amber pendant").endswith("e4\n")
    table.done("adjust", "tilda", "condition", "sea sick", "as a test")
    table.done("assert", "tilda.sea-sick", "yes")
    assert recorded(6)[1:] == (Agreed("Tilda.sea sick", "yes"),)
    table.done("adjust", "tilda", "no-condition", "sea sick", "as a test")
    table.done("assert", "tilda.sea-sick", "no")
    table.done("verify")
    assert table("assert", "tilda.hp", "53", "--dry-run").out.endswith("(dry run)\n")


def test_a_value_that_differs_names_what_touched_it_since_they_agreed(table: Shell):
    """53 on joining; e3 makes it 50, e4 agrees, e6 and e7 make it 40 and 45, which e5 does not touch."""
    table.done("join", "tilda")
    table.done("adjust", "tilda", "hp", "50", "a fall")
    table.refused("assert", "tilda.hp", "7", code=1)
    table.done("assert", "tilda.hp", "50")
    table.done("adjust", "tilda", "condition", "dazed", "a fright")
    table.done("adjust", "tilda", "hp", "40", "a fall")
    table.done("adjust", "tilda", "hp", "45", "a softer one")
    table.refused("assert", "tilda.hp", "50", code=1)
    said = table("assert", "tilda.hp", "50", "--json").json["error"]
    assert (said["reference"], said["code"]) == ("disagreement", 1)


def test_harm_begins_with_nothing_when_somebody_joins(shell: Shell):
    shell.done("init", "X", "--system", "paraverse")
    shell.done("join", "ildar")
    shell.refused("assert", "ildar.pain", "3", code=1)
    shell.done("assert", "ildar.pain", "0")
    assert Agreed("Ildar.pain", "0") in recorded()


def test_harm_that_the_rules_do_not_know_is_none(shell: Shell):
    """FReePG has no pain, so there is no 0 of it either."""
    shell.done("init", "X", "--system", "freepg")
    shell.done("join", "boffin")
    shell.done("assert", "boffin.pain", "0")
    assert Agreed("Boffin.pain", "-") in recorded()


def test_an_undone_agreement_does_not_count(table: Shell):
    table.done("join", "tilda")
    table.done("assert", "tilda.hp", "53")
    table.done("undo")
    table.refused("assert", "tilda.hp", "7", code=1)


def test_what_is_not_on_the_board_cannot_be_compared(table: Shell):
    table.done("join", "tilda")
    table.refused("assert", "tilda.tail", "1", code=3)
    table.refused("assert", "tilda.tail", "no", code=3)
    table.refused("assert", "tilda.h", "1", code=3)
    table.refused("assert", "tilda.hp", code=2)


def test_the_rules_alone_come_to_the_same_answer():
    """As `verify` does, which sees the state and not the ledger."""
    given("freepg").when(Assert("round", "0")).then(Agreed("round", "0"))
    with pytest.raises(Disagreement, match="round is 0 on the board, not 3"):
        given("freepg").when(Assert("round", "3"))


@pytest.mark.parametrize("words", [("assert", "tilda.hp", "53"), ("dispute", "e2", "no")])
def test_a_repeated_command_is_recorded_once(table: Shell, words):
    table.done("join", "tilda")
    assert table.done(*words, "--once", "one") == table.done(*words, "--once", "one")


def test_the_values_of_one_who_is_named_whole_are_listed_and_twelve_at_the_most():
    """Of Jane, and not of Janet; of a mere beginning, of both."""
    board = ["Jane.hp", "Jane.at", "Janet.hp"]
    for word, listed in (("jane", "Jane.hp, Jane.at"), ("jan", "Jane.hp, Jane.at, Janet.hp")):
        with pytest.raises(NameUnknown) as error:
            meant(board, word)
        assert error.value.hint == f"Say which: {listed}."
    for many, end in ((12, "12.hp"), (13, "12.hp and 1 more"), (14, "12.hp and 2 more")):
        with pytest.raises(NameUnknown) as error:
            meant([f"Grub-{nth}.hp" for nth in range(1, many + 1)], "grub")
        assert error.value.hint.endswith(f" Grub-{end}.")


def test_a_value_that_was_never_on_the_board_agrees_only_with_no():
    """Also where an assertion is resolved again: Boffin never had a tail."""
    told = given("freepg", boffin())
    with pytest.raises(NameUnknown, match="called 'boffin\\.tail'"):
        told.when(Assert("boffin.tail", "1"))
    with pytest.raises(NameUnknown, match="Nothing on the board is called 'tail'"):
        told.when(Assert("tail", "no"))
    told.when(Assert("boffin.tail", "no"))
