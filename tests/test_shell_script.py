"""The script that plays a ledger again: in a fresh folder, with nothing else, it comes to the same state."""

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.action.book import Book
from commands.action.cards import Verb
from commands.action.common_verbs import COMMON
from commands.action.rule_tables import shipped
from commands.files.exports.shell_script import _faces, shell_words, toml
from commands.past.audit import audit
from commands.words.sheet_files import read_toml
from ledger.dice import committed
from ledger.errors import UsageError
from ledger.events import Declared, Rolled
from ledger.sqlite import SqliteStore
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import Answer, Shell, command, environment, new_book, write
from tests.test_golden import SAMPLE, golden_of, named

pytestmark = pytest.mark.slow


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh folder, with nothing but the program on its path."""
    folder = tmp_path_factory.mktemp("elsewhere")
    program = folder / "bin" / "affray"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(command())} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


def play(script: Path, folder: Path, *words: str) -> Answer:
    """What the script comes to, played by a shell in a folder."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", str(script), *words], cwd=folder, env=environment({"PATH": path, "AFFRAY_DICE": "ask"}),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return Answer(done.returncode, done.stdout, done.stderr)


def state(path: Path | str) -> str:
    """The digest of the state of a ledger that is sound."""
    book = Book(SqliteStore.open(str(path)))
    found = audit(book).state_digest
    book.store.close()
    return found


def played_again(shell: Shell, elsewhere: Path, ledger: str = "test.affray") -> Path:
    """A new ledger that the script of a ledger made, of which it is known that it has the same state."""
    script = Path("again.sh").absolute()
    shell.done("--ledger", ledger, "export", str(script))
    answer = play(script, elsewhere, "new.affray")
    assert (answer.code, answer.err.splitlines()[-1].split(" has ")[1:]) == (0, [f"the state of e{last(ledger)}"]), (
        answer
    )
    assert state(elsewhere / "new.affray") == state(ledger)
    assert sorted(os.listdir(elsewhere)) == ["bin", "new.affray"]
    return elsewhere / "new.affray"


def last(ledger: str) -> int:
    store = SqliteStore.open(ledger)
    head = store.head().entry
    store.close()
    return head


def typed(ledger: Path | str) -> list[str]:
    store = SqliteStore.open(str(ledger))
    words = [entry.typed for entry, _ in store.entries(1, store.head().entry)]
    store.close()
    return words


@pytest.mark.parametrize("story", sampled(SAMPLE), ids=named)
def test_the_script_of_a_story_comes_to_its_state(story: Path, shell: Shell, elsewhere: Path):
    """Every golden fight of every rule system; dice of the program are typed."""
    shell.done("import", str(golden_of(story)), "test.affray")
    played_again(shell, elsewhere)


def test_words_of_every_kind_come_through(shell: Shell, elsewhere: Path):
    """Quotes, dashes, emoji, apostrophes in names, negative numbers, reasons, ids, maps, two sheets of one name."""
    Path("one.toml").write_text('kind = "enemy"\nname = "O\'Grady"\nsize = "small"\n', encoding="utf-8")
    Path("two.toml").write_text('kind = "enemy"\nname = "O\'Grady"\nsize = "large"\n', encoding="utf-8")
    shell.done("init", "It's $HOME & `rm` \\n #5", "--system", "freepg", "--key", KEY.hex())
    os.rename("it-s-home-rm-n-5.affray", "test.affray")
    for words in (
        ("join", "boffin", "--at", "-1,-2"),
        ("join", "one.toml", "--side", "guards"),
        ("join", "two.toml", "--called", "Big_O'Grady", "--at", "3,4,5"),
        ("join", "grub", "--count", "2"),
        ("note", "--", "--dice is 'no' option; it costs $5 \"now\" \\ # or `later`"),
        ("note", "  two spaces, Zoë 🐉 and a dash -5", "--about", "boffin", "--once", "--id-1"),
        ("note", "END_OF_COMMANDS"),
        ("adjust", "boffin", "at", "-3,2", "pushed by -5"),
        ("begin", "The #1 'gate'"),
        ("initiative", "--dice", "14,3"),
        ("roll", "2d6+1", "--why", "wandering monsters"),
        ("attack", "boffin", "o'grady", "--mod", "hit:-1:wet", "--allow", "the table's wish; it's late"),
        ("effect", "grub-1,grub-2", "dazed", "--amount", "-1", "--until", "encounter-end"),
        ("leave", "grub-1", "grub-2"),
    ):
        shell.done(*words)
    new = played_again(shell, elsewhere)
    found = SqliteStore.open(str(new))
    assert found.recorded("--id-1") == 7
    assert [entry.bodies for entry, _ in found.entries(6, 9)] == [
        entry.bodies for entry, _ in SqliteStore.open("test.affray").entries(6, 9)
    ]


def test_house_rules_and_maps_come_along(shell: Shell, elsewhere: Path):
    Path("map.toml").write_text("obstacles = [[1, 1], [2, -1]]\n", encoding="utf-8")
    shell.done(
        "--ledger",
        "test.affray",
        "init",
        "Test",
        "--system",
        "freepg",
        "--key",
        KEY.hex(),
        "--option",
        "weapon_slots=1",
    )
    shell.done("join", "boffin")
    shell.done("begin", "--map", "map.toml")
    played_again(shell, elsewhere)


def test_what_was_undone_is_a_comment_and_what_was_redone_is_said(table: Shell, elsewhere: Path):
    table.done("join", "boffin", "grub")
    table.done("adjust", "grub", "hp", "12", "fell")
    table.done("undo")
    table.done("adjust", "grub", "hp", "16", "fell softly")
    table.done("undo")
    table.done("redo")
    new = played_again(table, elsewhere)
    lines = Path("again.sh").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("# e")] == [
        "# e3, which does not stand: adjust grub hp 12 fell", "# e4, which does not stand: undo",
        "# e6, which does not stand: undo", "# e7, which does not stand: redo",
    ]  # fmt: skip
    assert typed(new)[1:] == ["join boffin.toml grub.toml", "adjust Grub hp 16 'fell softly'"]


def test_an_optional_roll_that_was_left_out_stays_out(table: Shell, elsewhere: Path):
    """freepg.attack.natural-1: who throws by hand need not throw the defense against a 1."""
    for words in (("join", "boffin", "grub"), ("begin",), ("initiative", "--dice", "14,3")):
        table.done(*words)
    table.done("attack", "boffin", "grub", "--dice", "1")
    new = played_again(table, elsewhere)
    assert typed(new)[-1] == "attack Boffin Grub --dice 1"


def test_an_amended_course_is_said_as_it_stands(table: Shell, elsewhere: Path):
    """e3 should have been 9: e5 opens the amendment, e6 and e7 resolve e3 and e4 again."""
    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub")
    table.done("note", "Ouch.")
    table.done("amend", "e3", "--mod", "hit:+2:scope", "--apply")
    new = played_again(table, elsewhere)
    again = typed(new)[2:]
    assert again[0].startswith("attack Boffin Grub --mod hit:+2:scope --dice ")
    assert again[1:] == ["note Ouch."]


@pytest.fixture
def brace(table: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """e3: Boffin hits Grub with 9 + 2 against 10. Grub can brace against it, in this process."""
    monkeypatch.setitem(COMMON, "brace", Verb("tests.brace:brace", "Brace."))
    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub", "--dice", "9,10")
    return table


def played_here(shell: Shell) -> list[str]:
    """The commands of the script of a ledger, played in this process into another one: it has the same state."""
    shell.done("--ledger", "test.affray", "export", "again.sh")
    head, commands, _ = Path("again.sh").read_text(encoding="utf-8").split("END_OF_COMMANDS")
    for path, content in re.findall(r"^cat >(\S+) <<'END_OF_FILE'\n(.*?)^END_OF_FILE$", head, re.M | re.S):
        Path(path).write_text(content, encoding="utf-8")
    opening = next(line for line in head.splitlines() if " init " in line)
    Path("again.txt").write_text(commands.partition("\n")[2], encoding="utf-8")
    Path("new.affray").unlink(missing_ok=True)
    shell.done(*shlex.split(opening.replace('"$ledger"', "new.affray"))[1:])
    shell.done("--ledger", "new.affray", "run", "again.txt")
    assert state("new.affray") == state("test.affray")
    return typed("new.affray")[2:]


def test_an_instant_is_said_after_the_action_that_it_answers(brace: Shell):
    brace.done("brace", "grub", "--dice", "5")
    assert played_here(brace) == ["attack Boffin Grub --dice 9,10", *["brace Grub --dice 5"] * 2]


def test_several_instants_are_said_one_after_the_other(brace: Shell):
    brace.done("brace", "grub", "--dice", "5")
    brace.done("brace", "grub", "--dice", "3")
    brace.done("note", "Phew.")
    assert played_here(brace) == [
        "attack Boffin Grub --dice 9,10", *["brace Grub --dice 5"] * 2, *["brace Grub --dice 3"] * 2, "note Phew.",
    ]  # fmt: skip


def test_an_instant_that_was_undone_is_a_comment(brace: Shell):
    brace.done("brace", "grub", "--dice", "5")
    brace.done("undo")
    assert played_here(brace) == ["attack Boffin Grub --dice 9,10"]
    brace.done("--ledger", "test.affray", "redo")
    assert played_here(brace)[1:] == ["brace Grub --dice 5"] * 2


def test_an_instant_of_an_amended_course_is_said_after_its_action(brace: Shell):
    """The attack comes from a better sword, and the brace still answers it."""
    brace.done("brace", "grub", "--dice", "5")
    brace.done("note", "Ouch.")
    brace.done("amend", "e5", "--mod", "hit:+1:better sword", "--apply")
    assert played_here(brace) == [
        "attack Boffin Grub --mod 'hit:+1:better sword' --dice 9,10", *["brace Grub --dice 5"] * 2, "note Ouch.",
    ]  # fmt: skip


def test_a_misread_die_of_an_answered_action_is_said_as_it_was(brace: Shell):
    """The brace's own die is the program's, and is typed."""
    brace.done("brace", "grub")
    brace.done("amend", "e5", "--dice", "20,10", "--because", "misread", "--apply")
    said = played_here(brace)
    assert said[0] == "attack Boffin Grub --dice 20,10"
    assert re.fullmatch("brace Grub --dice [1-6]", said[1])
    assert len(said) == 3


def test_entries_keep_their_numbers_where_a_command_names_one(table: Shell, elsewhere: Path):
    """Notes hold the places of what does not stand, so that a dispute of e3 is about e3 again."""
    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub", "--dice", "14,6")
    table.done("note", "one")
    table.done("undo")
    table.done("dispute", "e3", "he was prone")
    table.done("amend", "e3", "--mod", "hit:-1:prone", "--apply")
    table.done("settle", "e3", "amended", "he was")
    table.done("dispute", "e2", "two of them?")
    table.done("assert", "boffin.hp", "55")
    new = played_again(table, elsewhere)
    assert typed(new)[1:] == [
        "join boffin.toml grub.toml", *(f"note 'e{n} does not stand'" for n in (3, 4, 5, 6, 7)),
        "attack Boffin Grub --mod hit:-1:prone --dice 14,6", "dispute e3 'he was prone'",
        "settle e3 amended 'he was'", "dispute e2 'two of them?'", "assert Boffin.hp 55",
    ]  # fmt: skip


def test_an_instant_keeps_its_number_too(brace: Shell):
    brace.done("brace", "grub", "--dice", "5")
    brace.done("dispute", "e5", "too late")
    assert played_here(brace)[-1] == "dispute e5 'too late'"


def test_the_script_does_not_touch_what_is_there(table: Shell, elsewhere: Path):
    table.done("export", "again.sh")
    (elsewhere / "test.affray").write_text("mine", encoding="utf-8")
    answer = play(Path("again.sh").absolute(), elsewhere)
    assert answer.code == 2
    assert "test.affray already exists; nothing was changed." in answer.err
    assert (elsewhere / "test.affray").read_text(encoding="utf-8") == "mine"
    assert sorted(os.listdir(elsewhere)) == ["bin", "test.affray"]


def test_the_script_says_so_when_the_state_is_another(table: Shell, elsewhere: Path):
    """Somebody changed a line of it."""
    table.done("join", "grub")
    table.done("export", "again.sh")
    script = Path("again.sh")
    script.write_text(script.read_text(encoding="utf-8").replace("join grub.toml", "join grub.toml --at 1,1"))
    answer = play(script.absolute(), elsewhere, "new.affray")
    assert (answer.code, "does not have the state of e2" in answer.err) == (5, True)


def test_what_no_command_line_can_say_is_refused_by_its_entry(shell: Shell, tmp_path: Path):
    book = new_book(tmp_path / "test.affray")
    rolls = [Rolled("a", "b", "", "1d6", (), ()), Rolled("a", "c", "", "1d6", (3,), (0,))]
    write(book.store, [Declared("roll", {"dice": "1d6"}), *rolls])
    book.store.close()
    shell.refused(
        "export", "a.sh", code=2, says="e2 cannot be typed again as a command: a die was not thrown, but later"
    )
    assert os.listdir() == ["test.affray"]


def test_an_action_whose_dice_were_all_left_out_cannot_be_said_again(shell: Shell, tmp_path: Path):
    """Without --dice the program would roll them; one left out at the end is simply not typed."""
    book = new_book(tmp_path / "test.affray")
    none = [Rolled("a", "b", "", "1d6", (), ()), Rolled("a", "c", "", "1d6", (), ())]
    write(book.store, [Declared("roll", {"dice": "1d6"}), *none])
    book.store.close()
    words = "e2 cannot be typed again as a command: none of its dice were thrown, so the program would roll them."
    shell.refused("export", "a.sh", code=2, says=words)
    assert os.listdir() == ["test.affray"]
    assert _faces([Rolled("a", "b", "", "2d6", (4, 2), (0, 0)), none[0]]) == [4, 2]
    assert _faces([Declared("note", {})]) == []


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Zs")), max_size=20)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_a_shell_reads_the_words_as_they_are(words: list[str]):
    assert shlex.split(shell_words(words), comments=True) == words


def test_no_line_holds_a_control_character():
    for word in ("a\nb", "\x1b[2J", "\x00", "\u2028"):
        with pytest.raises(UsageError):
            shell_words(["note", word])


CONTENT = st.recursive(
    WORDS | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(WORDS, CONTENT, max_size=4))
def test_a_toml_file_holds_what_was_put_in(content: dict[str, object]):
    assert tomllib.loads(toml(content)) == content


def test_a_toml_file_is_read_as_a_stat_block_is(tmp_path: Path):
    path = tmp_path / "a.toml"
    content = {"name": "O'\"Grady", "items": [{"a b": 1, "deep": {"x": [True, -2]}}], "é": "\\n # ]"}
    path.write_text(toml(content), encoding="utf-8")
    assert read_toml(str(path)) == content
    with pytest.raises(UsageError):
        toml({"x": 1.5})


def test_the_key_comes_along(table: Shell):
    """The state holds the campaign's commitment to its dice."""
    table.done("export", "again.sh")
    text = Path("again.sh").read_text(encoding="utf-8")
    assert f"--key {KEY.hex()}" in text
    assert not [one for both in committed(KEY) for one in both if one in text]


@pytest.mark.parametrize("number", [2**53, -(2**53)])
def test_a_number_that_not_every_reader_holds_is_refused(number: int, tmp_path: Path):
    """2^53 - 1 is the largest whole number that every reader of JSON holds."""
    path = tmp_path / "n.toml"
    path.write_text(f"n = {number - 1 if number > 0 else number + 1}\n")
    assert abs(read_toml(str(path))["n"]) == 2**53 - 1
    path.write_text(f"n = {number}\n")
    with pytest.raises(UsageError, match=f"line 1: n is {number}; it takes a text, a whole number below"):
        read_toml(str(path))


def test_tables_of_the_campaigns_own_come_with_the_script(shell: Shell, elsewhere: Path):
    """One from the beginning, one set later, then another of the same name for it: each keeps the name of its file."""
    for name, file in (("morale", "mine.toml"), ("reaction", "theirs.toml")):
        Path(file).write_text(toml(shipped("arkm", name)[0]))
    shell.done("--ledger", "test.affray", "init", "Test", "--system", "arkm", "--table", "morale=mine.toml")
    shell.done("table", "reaction", "theirs.toml")
    Path("mine.toml").write_text(toml(shipped("arkm", "reaction")[0]))
    shell.done("table", "reaction", "mine.toml")
    script = shell.done("export", "-", "--format", "commands")
    assert script.count("--table morale=tables-1/mine.toml") == 1
    assert script.count("\ntable reaction tables-1/theirs.toml\n") == 1
    assert script.count("\ntable reaction tables-2/mine.toml\n") == 1
    played_again(shell, elsewhere)
