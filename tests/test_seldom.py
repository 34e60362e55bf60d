"""What is seldom asked: JSON of every look, formats on a terminal, words to complete, faults, odd file systems."""

import contextlib
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from commands.action.common import Note
from commands.files import drafts, init, salvage, transfer
from commands.shell import cli
from commands.words.console import Console
from commands.words.parameters import impossible
from ledger import errors
from ledger.errors import AffrayError
from ledger.events import Declared
from tests.completed import completed as offered
from tests.kit import given
from tests.shell import Shell
from tests.test_cli import completed


def objects(text: str) -> list[dict[str, object]]:
    """The objects that were printed, one a line."""
    return [json.loads(line) for line in text.splitlines()]


# Completion


@pytest.mark.parametrize(
    ("kind", "begun", "offers"),
    [
        ("system", "f", ["freepg"]),
        ("system", "A", ["aachen", "arkm"]),
        ("format", "j", ["jsonl"]),
        ("exported-table", "ru", ["rulings"]),
        ("table-name", "", []),
        ("nothing-such", "", []),
        ("fighter", "b", ["Boffin"]),
        ("shown", "GRUB-2", ["Grub-2"]),
        ("fighters", "boffin,g", ["Boffin,Grub-1", "Boffin,Grub-2"]),
        ("fighters", "x,@f", ["x,@foes"]),
        ("group", "", ["party", "foes", "Boffin", "Grub-1", "Grub-2"]),
        ("area", "", []),
        ("table", "", ["here.toml"]),
    ],
)
def test_each_kind_of_word_has_its_offers(table: Shell, kind: str, begun: str, offers: list[str]):
    table.done("join", "boffin")
    table.done("join", "grub", "--count", "2")
    Path("here.toml").write_text("")
    Path("there.txt").write_text("")
    found = offered(Console(), kind, begun)
    assert [one.casefold() for one in found] == [one.casefold() for one in offers]


def test_areas_and_tables_are_offered_where_the_rules_have_them(shell: Shell):
    shell.done("init", "Test", "--system", "paraverse")
    shell.done("join", "sigrun")
    shell.done("begin", "--areas", "hall,yard", "--link", "hall:yard")
    assert offered(Console(), "area", "") == ["hall", "yard"]
    shell.done("--ledger", "other.affray", "init", "Test", "--system", "arkm")
    assert "morale" in offered(Console("other.affray"), "table-name", "m")
    assert offered(Console("other.affray"), "clause", "freepg") == []


def test_completion_asks_for_the_shell_in_use(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHELL", "/usr/local/bin/fish")
    answer = table("completion", "--json").json
    assert (answer["ok"], answer["shell"]) == (True, "fish")
    assert "_AFFRAY_COMPLETE=fish_complete" in answer["script"]
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    table.refused("completion", code=2)
    monkeypatch.delenv("SHELL")
    table.refused("completion", code=2)


# JSON of what is shown


def test_a_demo_an_import_and_a_map_of_areas_answer_in_json(shell: Shell):
    *_, last = objects(shell.done("demo", "paraverse", "--json"))
    assert last == {"ok": True, "ledger": "demo-paraverse.affray"}
    shell.done("export", "x.jsonl")
    end = json.loads(Path("x.jsonl").read_text().splitlines()[-1])
    assert shell("import", "x.jsonl", "y.affray", "--json").json == {
        "ok": True, "entries": end["entry"], "digest": end["digest"], "ledger": "y.affray",
    }  # fmt: skip


def test_the_map_of_areas_in_json_says_who_is_where(shell: Shell):
    shell.done("init", "Test", "--system", "paraverse")
    shell.done("join", "sigrun", "vasko")
    shell.done("begin", "--areas", "hall,yard", "--link", "hall:yard", "--at", "vasko=yard")
    said = shell("map", "--json").json
    assert (said["areas"], said["at"]) == (["hall", "yard"], {"Sigrun": "hall", "Vasko": "yard"})
    assert len(said["links"]) == 1


def test_house_rules_in_json_have_value_default_and_choices(table: Shell):
    table.done("option", "weapon_slots", "1")
    found = {one["option"]: one for one in objects(table.done("rules", "options", "--json"))}
    assert "meaning" in found["weapon_slots"]
    told = found["weapon_slots"]
    assert (told["value"], told["default"], told["choices"]) == (1, 2, [1, 2])
    assert found["min_hit_damage"]["value"] == 0
    assert found["min_hit_damage"]["choices"] == []


def test_tables_in_json_have_what_they_hold(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Test", "--system", "arkm")
    found = objects(shell.done("rules", "tables", "--json"))
    assert [{*one} for one in found] == [{"table", "holds", "file", "digest", "content"}] * 13
    assert all(one["holds"] and one["file"] == "" for one in found)


def test_a_clause_in_json_has_its_mark(table: Shell):
    (found,) = objects(table.done("rules", "freepg.attack.natural-1", "--json"))
    assert (found["clause"], found["mark"]) == ("freepg.attack.natural-1", "ruling")
    begun = objects(table.done("rules", "attack.natural", "--json"))
    assert [one["clause"] for one in begun] == [
        "freepg.attack.natural-1", "freepg.attack.natural-20-hit", "freepg.attack.natural-20-damage",
    ]  # fmt: skip


@pytest.mark.usefixtures("wide")
def test_up_to_three_clauses_are_explained_and_more_are_listed(table: Shell):
    three = table.done("rules", "attack.natural")
    assert three.count("Decided in:") == 3
    assert "clauses." not in three
    many = table.done("rules", "attack.nat", "--system", "freepg")
    assert many == three
    assert "Decided in:" not in table.done("rules", "freepg.attack.d")
    assert table.done("rules", "freepg.attack.d").splitlines()[-1].startswith("5 clauses. ")
    assert table.done("rules", "freepg.range.").splitlines()[-1].startswith("4 clauses. ")


def test_the_beginning_of_a_clause_names_its_rule_system(shell: Shell):
    assert "freepg.attack.natural-1  [ruling]" in shell.done("rules", "freepg.attack.natural-1")
    shell.refused("rules", "attack.natural-1", code=2)
    shell.refused("rules", "gurps.attack", code=2)


def test_where_nothing_was_played_there_is_nothing_to_replay(table: Shell):
    table.refused("replay", "--round", "99", code=2)


def test_a_round_that_an_earlier_encounter_has_is_offered(table: Shell):
    """An encounter without rounds follows one with a round."""
    for words in ("join boffin", "begin", "initiative", "end", "begin", "end"):
        table.done(*words.split())
    table.refused("replay", "--round", "1", code=2)


# Export


def test_a_format_that_is_no_text_is_not_for_a_terminal(table: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    table.refused("export", "-", "--format", "parquet", code=2)
    assert table.done("export", "-", "--format", "jsonl").startswith('{"affray":')


def test_an_export_goes_to_whatever_stands_for_standard_output(table: Shell):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert cli.run(["export", "-", "--format", "jsonl"]) == 0
    assert out.getvalue() == table.done("export", "-", "--format", "jsonl")
    assert len(out.getvalue().splitlines()) == 2


def test_what_was_written_is_said_and_where(table: Shell):
    table.done("note", "hi")
    head = table("export", "x.jsonl", "--json").json
    assert (head["ok"], head["entries"], head["file"]) == (True, 2, "x.jsonl")
    for words, told in (
        (["y.jsonl"], ["2 entries", "y.jsonl"]),
        (["x.csv", "--table", "dice"], ["x.csv", "table dice", head["digest"]]),
        (["x.md"], ["x.md", "markdown", head["digest"]]),
        (["all.zip", "--format", "csv"], ["all.zip", "all tables", head["digest"]]),
    ):
        answer = table("export", *words)
        assert (answer.code, answer.out) == (0, "")
        assert all(word in answer.err for word in told), answer.err


def test_filters_hold_in_an_export_for_players_too(table: Shell):
    """e3 is a note, e4 a roll of Boffin, e5 another note."""
    table.done("join", "boffin")
    table.done("note", "hi")
    table.done("roll", "1d6", "--who", "boffin")
    table.done("note", "ho")
    for more in ([], ["--player-safe"]):
        told = table.done("export", "-", "--format", "csv", "--kind", "noted", *more)
        assert [line.split(",")[0] for line in told.splitlines()[1:]] == ["3", "5"]


def test_a_settled_dispute_is_told_with_how_it_was_settled(table: Shell):
    for word, status in (("a", "amended"), ("b", "stands"), ("c", "")):
        table.done("note", word)
        entry = json.loads(table.done("log", "--last", "1", "--json"))["entry"]
        table.done("dispute", f"e{entry}", "why", word)
        if status:
            table.done("settle", f"e{entry}", status, "so", "be", "it")
    told = table.done("disputes")
    said = ("disputed: why a", "amended: so be it", "disputed: why b", "stands: so be it", "open: why c")
    assert [word for word in said if word not in told] == []


def test_lines_are_counted_only_for_somebody_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"a\n" * 700_000)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert transfer._lines(str(path)) == 700_000
    assert transfer._lines(str(tmp_path)) == 0
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    assert transfer._lines(str(path)) == 0


# Drafts


def test_a_file_system_without_links_renames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def link(*_: str) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", link)
    draft, path = tmp_path / "draft", tmp_path / "path"
    draft.write_text("new")
    drafts.appear(str(draft), str(path))
    assert (draft.exists(), path.read_text()) == (False, "new")
    draft.write_text("newer")
    with pytest.raises(FileExistsError):
        drafts.appear(str(draft), str(path))
    assert (draft.read_text(), path.read_text()) == ("newer", "new")


def test_a_python_without_links_makes_ledgers(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """As on Android."""
    monkeypatch.delattr(os, "link")
    shell.done("init", "Test", "--system", "freepg")
    shell.refused("init", "Test", "--system", "freepg", code=2)
    shell.done("sheet", "new", "kira.toml")
    shell.refused("sheet", "new", "kira.toml", code=2)


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path):
    draft, path = tmp_path / "draft", tmp_path / "path"
    draft.write_text("new")
    path.write_text("old")
    with pytest.raises(FileExistsError):
        drafts.appear(str(draft), str(path))
    assert path.read_text() == "old"


def test_the_log_shows_the_last_twenty_entries(table: Shell):
    for number in range(2, 23):
        table.done("note", str(number))
    first, *last = table.done("log").splitlines()
    assert first == "2 earlier entries: affray log --last 0"
    assert [line.split()[0] for line in last] == [str(number) for number in range(3, 23)]
    assert len(table.done("log", "--last", "0").splitlines()) == 22
    assert len(table.done("log", "--last", "0", "--kind", "noted").splitlines()) == 21


# Words that are typed


def test_a_blank_line_stands_before_what_a_demo_offers(shell: Shell):
    lines = shell.done("demo", "freepg").splitlines()
    assert lines.count("") == 1
    assert lines[lines.index("") + 1].startswith("The fight is in demo-freepg.affray.")


def test_the_help_of_odds_lists_its_own_options_and_those_of_every_action(table: Shell):
    told = table.done("odds", "--help")
    assert all(f"  {option} " in told for option in ("--assume", "--at", "--full", "--draws", "--seed"))
    assert "  attack " in told


def test_the_ledger_counts_on_whichever_side_of_help_it_stands(table: Shell):
    table.done("--ledger", "other.affray", "init", "Other", "--system", "arkm")
    told = table.done("--ledger", "other.affray", "--help")
    assert "Arkm, the most common verbs:\n" in told
    assert table.done("--help", "--ledger", "other.affray") == told
    assert "\n  pursue " in table.done("--ledger", "other.affray", "help", "all")
    assert "\n  pursue " not in table.done("help", "all")


def test_the_help_of_a_verb_lists_its_arguments_and_its_options(table: Shell):
    told = table.done("attack", "--help")
    arguments, _, options = told.partition("\nOptions:\n")
    assert [line.split()[0] for line in arguments.partition("\nArguments:\n")[2].splitlines() if line] == [
        "WHO", "[TARGET...]",
    ]  # fmt: skip
    assert "\n  --radius N " in options


def test_help_of_more_words_than_verbs_is_that_of_the_verb(table: Shell):
    assert table.done("help", "note", "of", "hands") == table.done("help", "note")


def test_a_verb_that_other_rules_have_is_no_question_of_odds_and_no_entry_to_put_in(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Test", "--system", "paraverse")
    shell.done("note", "hi")
    shell.refused("amend", "e2", "--insert", "turn sigrun", clause="paraverse.round.simultaneous")


def test_nothing_is_allowed_by_itself():
    assert given("freepg", Note("hi")).events[0] == Declared("note", {"text": "hi"})


def test_what_is_no_declaration_at_all_cannot_be_said():
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(5, Note)
    assert impossible(error.value, Note) == "That is not possible: it takes a table with the fields text, about."


def test_the_last_word_of_a_ledger_that_cannot_be_read_is_where_to_look(tmp_path: Path):
    console = Console()
    console.making = str(tmp_path / "text.affray")
    assert console.last_word() == "Nothing was recorded."
    (tmp_path / "text.affray").write_text("no ledger")
    assert console.last_word() == "affray log shows how the ledger ends."


def test_nothing_is_offered_for_a_verb_of_a_ledger_that_cannot_be_read(tmp_path: Path):
    (tmp_path / "text.affray").write_text("no ledger")
    assert not any(completed("affray attack gr", tmp_path))


def test_odds_of_what_changes_a_stat_block_are_told(table: Shell):
    table.done("join", "boffin")
    gift = 'name = "band", slot = "ring", damage = 2'
    assert table.facts("odds", "adjust", "boffin", "item", gift, "a gift")["of"] == 1


# Amendments


def test_an_amendment_that_needs_dice_says_which_and_how_much_depends_on_them(table: Shell):
    table.done("note", "a")
    table.done("note", "b")
    said = table("amend", "e2", "--insert", "roll 2d6", "--json").json
    (first,) = said["course"]
    assert (first["entry"], first["outcome"], first["now"], first["why"], first["clause"]) == (
        None, "needs new dice", None, None, None,
    )  # fmt: skip
    assert first["needs"] == [{"who": "", "dice": "2d6", "purpose": "a roll", "about": ""}]
    assert (said["entry"], said["last"], said["changes"]) == (None, None, [])
    assert "     2 more entries depend on these dice." in table.done("amend", "e2", "--insert", "roll 2d6")
    assert "     1 more entry depends on these dice." in table.done("amend", "e3", "--insert", "roll 2d6")
    told = table("amend", "e2", "--insert", "roll 2d6", "--dice", "3,4", "--because", "so", "--apply", "--json").json
    assert [(one["entry"], one["outcome"], one["now"], one["needs"]) for one in told["course"]] == [
        (None, "inserted", 5, []), (2, "same", 6, []), (3, "same", 7, []),
    ]  # fmt: skip
    assert (told["entry"], told["last"]) == (4, 7)


# Files that a command makes


def test_a_command_knows_which_file_it_makes_and_which_was_there(table: Shell):
    """What was there before says nothing about what was recorded now."""
    Path("text").write_text("no ledger")

    def making(do: Callable[[Console], object]) -> str:
        console = Console()
        assert console.making == ""
        with pytest.raises(AffrayError):
            do(console)
        return console.making

    assert making(lambda console: transfer.bring_in(console, transfer.BringIn("text", "new.affray"))) == "new.affray"
    assert making(lambda console: transfer.bring_in(console, transfer.BringIn("text", "test.affray"))) == ""
    assert making(lambda console: salvage.salvage(console, salvage.Salvage("text", "new.affray"))) == "new.affray"
    assert making(lambda console: salvage.salvage(console, salvage.Salvage("text", "test.affray"))) == ""
    odd = init.OpenLedger("Odd", "freepg", {"weapon_slots": "9"})
    assert making(lambda console: init.open_ledger(console, odd)) == "odd.affray"
    Path("odd.affray").write_text("")
    assert making(lambda console: init.open_ledger(console, odd)) == ""


# Errors


def test_each_kind_of_error_has_its_word_and_its_code():
    """As `docs/command-line.md` lists them."""
    kinds = [
        errors.UsageError, errors.NameUnknown, errors.RulesMissing, errors.Disagreement, errors.LedgerBusy,
        errors.LedgerDamaged, errors.LedgerMissing, errors.NoLedger, errors.AlreadyRecorded, errors.Refused,
    ]  # fmt: skip
    assert [(kind.reference, kind.code) for kind in kinds] == [
        ("usage", 2), ("name", 3), ("rules", 2), ("disagreement", 1), ("busy", 4), ("damaged", 5), ("ledger", 2),
        ("ledger", 2), ("recorded", 6), ("refused", 1),
    ]  # fmt: skip


# Faults


def test_a_fault_is_said_in_one_sentence_or_where_it_happened(table: Shell, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(cli, "obey", broken)
    answer = table("status")
    assert answer.code == 70
    assert "This is a fault of Affray, not yours: ZeroDivisionError: by nought" in answer.err
    monkeypatch.setenv("AFFRAY_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.run(["status"])


def test_a_fault_in_what_is_offered_hides_no_refusal(table: Shell, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    table.done("join", "boffin", "grub")
    table.done("begin")
    table.done("initiative", "--dice", "19,2")
    monkeypatch.setattr("commands.words.next_steps._overruled", broken)
    monkeypatch.setattr("commands.words.next_steps.handed_over", broken)
    table.refused("attack", "grub", "boffin", "--dice", "19,2", clause="freepg.turn.out-of-turn")


def test_a_fault_in_the_rules_is_no_damage(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """After attacks that were recorded too, which the broken rules cannot resolve again."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub")
    monkeypatch.setattr("commands.rules.freepg.attack.strike", broken)
    answer = table("attack", "boffin", "grub")
    assert (answer.code, "ZeroDivisionError" in answer.err) == (70, True)
    assert "damage" not in answer.err
    table.refused("verify", code=5)
