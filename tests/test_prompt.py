"""`affray play`: a prompt takes the verbs without the program's name."""

import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest
from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from commands.shell import cli, session
from commands.shell.prompt import Lines, Prompt, history
from commands.shell.session import Keyboard, listed
from commands.shell.suggestions import Suggestions
from commands.words import installed
from commands.words.console import Console
from ledger.events import Noted, Rolled
from ledger.sqlite import SqliteStore
from tests import refusals
from tests.shell import Answer, Shell, recorded
from tests.test_cli import head

Step = str | Callable[[], object]
UP, F2, CTRL_C, CTRL_D, ENTER = "\x1b[A", "\x1bOQ", "\x03", "\x04", "\r"
F3_SHOWS = "F3 or why shows the arithmetic"
PASTE, PASTED = "\x1b[200~", "\x1b[201~"


class Answers(io.StringIO):
    """A terminal at which somebody types these answers to questions."""

    def isatty(self) -> bool:
        return True


def replies(hands: TextIO) -> Callable[..., str]:
    """Answers questions with what somebody types; an empty line takes what is offered, and the end is Ctrl-D."""

    def reply(question: str, default: str = "", **_: object) -> str:
        sys.stderr.write(f"{question}{default}")
        if not (line := hands.readline()):
            raise EOFError
        if CTRL_D in line:
            raise EOFError
        return line.removesuffix("\n") or default

    return reply


class Table:
    """A ledger, and a prompt for it."""

    def __init__(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shell, self.monkeypatch = shell, monkeypatch

    def keys(self, keys: str) -> Answer:
        """What is printed for these keys; Ctrl-D comes last."""
        self.shell.capsys.readouterr()
        with create_pipe_input() as pipe, create_app_session(pipe, DummyOutput()):
            pipe.send_text(keys + CTRL_D)
            Prompt(Console("test.affray")).stay()
        return Answer(0, *self.shell.capsys.readouterr())

    def play(self, *steps: Step, answers: str = "") -> Answer:
        """What is printed for these lines. Between them something else may happen, such as another terminal's
        command. The answers to questions are typed at the terminal.
        """
        self.shell.capsys.readouterr()
        self.monkeypatch.setattr(sys, "stdin", Answers(answers))
        made, lines = Prompt(Console("test.affray"), screen=DummyOutput()), self._lines(steps)
        self.monkeypatch.setattr(made.session, "prompt", lambda: next(lines))
        self.monkeypatch.setattr(made.questions, "prompt", replies(sys.stdin))
        made.stay()
        return Answer(0, *self.shell.capsys.readouterr())

    def _lines(self, steps: tuple[Step, ...]) -> Iterator[str]:
        for step in steps:
            if isinstance(step, str):
                yield step
            else:
                step()
        raise EOFError

    def elsewhere(self, *words: str) -> Callable[[], object]:
        """A command that another terminal gives meanwhile."""
        return lambda: self._quietly(words)

    def _quietly(self, words: tuple[str, ...]) -> None:
        console = Console("test.affray")
        out, sys.stdout = sys.stdout, io.StringIO()
        try:
            assert cli.run(words, console) == 0
        finally:
            sys.stdout = out
            console.close()


@pytest.fixture
def sitting(table: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Table(table, monkeypatch)


@pytest.fixture
def fight(sitting: Table) -> Table:
    """A fight in which Grub-1 and Grub-2 may act, as freepg plays it."""
    for words in (
        ("join", "boffin", "--at", "0,0"), ("join", "jane", "--at", "0,2"),
        ("join", "grub", "--count", "2", "--at", "1,1"), ("begin", "--seats", "gm,John,Jane"),
        ("initiative", "--dice", "20,9,4"),
    ):  # fmt: skip
        sitting.shell.done(*words)
    return sitting


# Pages


def test_what_is_longer_than_the_terminal_is_shown_page_by_page(sitting: Table, terminal: None):
    """Enter shows the next page, q stops, and so does Ctrl-C; what records something is never held back."""
    whole = sitting.shell.done("help", "all")
    assert len(whole.splitlines()) > 80
    assert sitting.play("help all", "note after", answers="\n\n\n").out.count("Attack one or more targets") == 1
    first = sitting.play("help all", "note after", answers="q\n")
    assert "Attack one or more targets" in first.out
    assert whole.splitlines()[45] not in first.out
    assert "after  e3" in first.out
    assert first.err.count("more: Enter; q stops") == 1


def test_a_command_typed_at_the_end_of_a_page_is_carried_out(fight: Table, terminal: None):
    """It is not lost; while a die is asked for, what is typed there answers the question."""
    fight.keys("help all\rnote ahead\r")
    assert recorded()[1:] == (Noted("ahead"),)
    fight.keys("attack grub-1 jane --dice ask\rhelp all\r18\r4\r")
    assert faces() == [18, 4]


# What is told


def test_what_is_ruled_alike_for_several_is_one_line(fight: Table):
    """The two grubs do nothing together, and Jane by herself."""
    out = fight.play("done --pass-rest", "done", "done").out
    assert "Jane does nothing" in out
    assert "Grub-1 and Grub-2 do nothing" in out
    assert out.count("does nothing") == 2
    log = fight.shell.done("log")
    assert "Grub-1 does nothing" in log
    assert "Grub-2 does nothing" in log


def test_what_the_dice_came_to_stands_before_the_outcome(fight: Table):
    """Also a face that decides by itself. A walk throws no dice."""
    told = fight.play("a g1 bof 20 3", "a g2 bof --distance 1 --dice 1", "m g1 2,1").out
    assert "\nnatural 20  Grub-1 attacks Boffin: hit; " in told
    assert "\nnatural 1  Grub-2 attacks Boffin (at range 1): miss  e" in told
    assert "\nGrub-1 walks 1 square to 2,1  e" in told


def made_by(shell: Shell, system: str, lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A prompt for a new ledger in which some lines, with / between them, were carried out."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shell.done("init", "test", "--system", system)
    for line in lines.split(" / "):
        shell.done(*line.split())
    return Table(shell, monkeypatch)


def test_an_amendment_shows_no_arithmetic(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """11 + 2 + 1 - 9 are 5, as 10 + 2 + 1 - 8 were; in the shell the two sums are shown."""
    table = made_by(shell, "freepg", "join boffin grub / attack boffin grub --dice 10,8", tmp_path, monkeypatch)
    told = table.play("amend e3 --dice 11,9 --because misread").out
    assert "e3  the same in the log; the record differs: Boffin attacks Grub: hit; Grub loses 5 hp, now 15/20" in told
    assert "d20 11*" not in told


def test_the_harm_of_a_blow_comes_first(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Tessa stabs the ogre in the back: what it keeps it from comes behind what it loses. At the end of the encounter
    no line says who is engaged with nobody any more.
    """
    lines = "join thief ogre / begin / initiative --dice 6,1 / phase / move tessa --to-rear ogre --feet 10"
    table = made_by(shell, "arkm", f"{lines} / phase melee --pass-rest", tmp_path, monkeypatch)
    told = " ".join(table.play("a t o backstab 17 3 4 4", "end").out.split())
    assert "Tessa attacks Ogre (backstab): hit; 3 sets of dice; Ogre loses 13 hp, now 9/22; is unaware until " in told
    assert "encounter 1 is over e9 Ogre is no longer barred from attacking" in told
    assert "engaged" not in told.partition("encounter 1 is over")[2]


def test_who_acts_is_not_named_again(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither alone nor among others."""
    lines = "join freya --at 0,0 / join skeleton --at 2,1 / begin / round --set freya=9,skeleton=4 / turn"
    table = made_by(shell, "dungeoneers", lines, tmp_path, monkeypatch)
    told = table.play("move freya E", "attack freya skeleton = 1 1 4").out
    assert "Freya faces E; moves 1 square to 1,0 \u00b7 is threatened, as is Skeleton  e7" in told
    assert "Freya attacks Skeleton: miss \u00b7 faces NE  e8" in told


def test_a_skirmish_says_who_is_engaged(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its line is enough."""
    lines = "join sigrun reaver / begin / round / attack sigrun reaver / pass reaver / phase melee"
    table = made_by(shell, "paraverse", lines, tmp_path, monkeypatch)
    told = table.play("resolve = 10 10 2").out
    assert "skirmish 1: Sigrun v Reaver" in told
    assert "engaged" not in told


def test_what_the_other_one_loses_before_a_blow_comes_behind_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Aldric has attacks left, which end when the goblin strikes by the game master's word: the goblin's hit comes
    first.
    """
    lines = "join fighter goblin / begin / initiative --dice 6,1 / move aldric --to goblin --feet 30"
    lines += " / phase melee --pass-rest / attack aldric goblin --dice 2"
    table = made_by(shell, "arkm", lines, tmp_path, monkeypatch)
    told = " ".join(table.play("a g a --dice 19,3 --allow 'all: quick'").out.split())
    hit = "Goblin attacks Aldric [allowed: quick]: hit; Aldric loses 3 hp, now 41/44 e8"
    assert f"{hit} Aldric loses 7 attacks" in told


def test_an_answer_to_a_blow_is_told_once(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither what it takes back nor what it will do has a line of its own: the blow is told again below."""
    lines = "join adalger guard / begin / initiative --dice 7,1 / attack adalger guard --dice 3"
    table = made_by(shell, "aachen", lines, tmp_path, monkeypatch)
    told = " ".join(table.play("tr a --luck --dice 1").out.split())
    luck = "uses fighter's luck on Adalger's attack; has no luck left until the end of the encounter"
    first = f"Adalger acts (luck): {luck} e6 again: "
    assert f"{first}9 < 14 Adalger attacks Guard: miss; luck makes it a hit" in told


def test_a_turn_that_changes_nothing_in_view_is_told(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Wystan may cast on the turn before his side's as well as on its own: only a line shows that it has begun."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shell.done("init", "test", "--system", "arkm")
    for line in ("begin --from bridge", "initiative --dice 4,2,3,3,5", "done", "phase", "done", "phase --pass-rest"):
        shell.done(*line.split())
    assert "party's turn  e8" in Table(shell, monkeypatch).play("done --pass-rest").out


# Commands


def test_the_verbs_are_typed_without_the_name_of_the_program(sitting: Table):
    answer = sitting.keys("note 'two words'\raffray note three\rj boffin # a comment\r\r   \rnot four\r")
    assert answer.err == ""
    store = SqliteStore.open("test.affray")
    assert [store.entry(entry).typed for entry in (2, 3, 4, 5)] == [
        "note 'two words'", "note three", "join boffin", "note four",
    ]  # fmt: skip


@pytest.mark.parametrize("leaving", ["quit\r", "exit\r", CTRL_D, "affray quit\r"])
def test_it_is_left_with_ctrl_d_or_a_word(leaving: str, sitting: Table):
    sitting.keys(f"note one\r{leaving}note two\r")
    assert head() == 2


def test_quit_and_exit_are_words_of_the_prompt_only(table: Shell):
    table.refused("quit", code=2)


def test_ctrl_c_forgets_a_line(sitting: Table):
    sitting.keys(f"note one{CTRL_C}note two\r")
    assert head() == 2
    assert recorded(2)[1:] == (Noted("two"),)


@pytest.mark.parametrize("line", ["!ls", "$(touch made)", "`touch made`", "note a; touch made", "note a > made", "ls"])
def test_no_shell_reads_a_line(line: str, sitting: Table):
    answer = sitting.keys(f"{line}\r")
    assert not Path("made").exists()
    if line.startswith("note"):
        assert recorded(2)[1:] == (Noted(line.removeprefix("note ")),)
    else:
        assert (head(), bool(answer.err)) == (1, True)


@pytest.mark.parametrize(
    "line",
    [
        "note 'one", "init Other --system freepg", "demo freepg", "import old.jsonl new.affray", "play", "pl",
        "--ledger other.affray note x", "--ledger=other.affray note x", "run -", "attack nobody nobody",
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_carried_out_leaves_no_trace(line: str, sitting: Table):
    """And the prompt goes on."""
    refusals.check_said(sitting.keys(f"{line}\rnote on\r").err)
    assert recorded(2)[1:] == (Noted("on"),)
    assert {*os.listdir()} == {"test.affray", "state"}


def test_a_script_is_played_and_its_words_rely_on_nothing_that_is_shown(fight: Table):
    Path("script").write_text("attack . jane --dice 1\nnote x\n")
    before = head()
    fight.play(fight.elsewhere("move", "grub-1", "--to", "0,1"), "run script")
    Path("script").write_text("note a\nnote b\n")
    fight.play("run script")
    assert head() == before + 3


def test_json_answers_one_line_only(sitting: Table):
    out = sitting.keys("note one --json\rnote two\r").out
    assert '"ok":true,"entry":2' in out
    assert "\ntwo  e3" in out


def test_help_names_the_verbs(sitting: Table):
    out = sitting.keys("help\rhelp note\rnote --help\r--version\r").out
    assert "To begin: affray join NAME" in out
    assert out.count("Usage: affray note") == 2


def test_a_question_mark_explains(sitting: Table):
    out = sitting.keys("?\r? note\r?note\r").out
    assert "To begin: affray join NAME" in out
    assert out.count("Usage: affray note") == 2


def test_pasted_lines_are_carried_out_up_to_the_first_that_fails(sitting: Table):
    sitting.keys(f"{PASTE}affray note one\naffray nonsense\naffray note two\n{PASTED}\r")
    assert head() == 2
    sitting.keys(f"{PASTE}note two\nnote three{PASTED}\r")
    assert head() == 4
    answer = sitting.keys(f"{PASTE}note four\nquit\nnote five\nnote six{PASTED}\r")
    assert answer.err == "The rest was not carried out: 2 lines.\n"
    assert head() == 5


def test_an_interrupted_command_leaves_the_prompt_open(sitting: Table, monkeypatch: pytest.MonkeyPatch):
    obey = cli.obey

    def interrupt(words: list[str], console: Console) -> None:
        obey(words, console)
        if words == ["note", "two"]:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli, "obey", interrupt)
    answer = sitting.keys("note one\rnote two\rnote three\r")
    assert answer.err == "\nInterrupted. The ledger ends with e3.\n"
    assert "Recorded in the meantime:\ntwo  e3\nthree  e4" in answer.out


def test_a_course_that_changes_after_verify_is_seen(sitting: Table):
    """Verify reads the jumps of the course from the file once; undo, here or elsewhere, adds one."""
    told = sitting.play("join boffin", "verify", "undo", sitting.elsewhere("note", "theirs"), "join boffin", "log")
    assert told.err == ""
    assert "theirs  e4\nBoffin joins" in told.out
    assert "~~Boffin joins" in told.out
    sitting.shell.done("verify")


@pytest.mark.slow
def test_a_star_stands_for_the_rest_of_a_name(fight: Table):
    """As @ before the beginning does."""
    fight.play("adjust bof* hp 5 'a fall'", "leave jane,GRUB*", "note 'what a *'")
    state = fight.shell("status", "--json").json
    assert [*state["rows"]] == ["Boffin"]
    assert state["rows"]["Boffin"]["hp"] == "5/55"
    assert recorded()[1:] == (Noted("what a *"),)
    before = head()
    fight.play("leave zz*")
    assert head() == before


# Others at the same ledger


def test_what_others_record_meanwhile_is_told(sitting: Table):
    answer = sitting.play("note mine", sitting.elsewhere("note", "theirs"), "", "note mine again")
    assert answer.out.endswith("mine  e2\nRecorded in the meantime:\ntheirs  e3\nmine again  e4\n")


def test_what_others_record_during_a_look_is_told_afterwards(sitting: Table, monkeypatch: pytest.MonkeyPatch):
    """Also when an earlier command has made another file."""

    def slow(words: list[str], console: Console) -> int:
        monkeypatch.setattr(session, "run", cli.run)
        sitting.elsewhere("note", "theirs")()
        return cli.run(words, console)

    answer = sitting.play("copy there.affray", lambda: monkeypatch.setattr(session, "run", slow), "log --last 1", "")
    assert answer.out.endswith("\nRecorded in the meantime:\ntheirs  e2\n")


def test_of_many_entries_of_others_only_the_last_are_told(sitting: Table):
    steps = [sitting.elsewhere("note", f"n{number}") for number in range(30)]
    told = sitting.play(*steps, "").out
    assert "\ne2 to e11, and then:\nn10  e12\n" in told
    assert "n29  e31" in told
    assert "n9 " not in told


@pytest.mark.parametrize("line", ["attack . jane --dice 1", "leave jane,@due", "undo", "d"])
def test_a_command_that_relies_on_the_board_asks_when_others_changed_it(line: str, fight: Table):
    fight.shell.done("leave", "Grub-2")
    before = head()
    answer = fight.play(fight.elsewhere("note", "theirs"), line, answers="n\n")
    assert answer.err == "Grub-1 may act now. Go on? [y/N] Nothing was recorded.\n"
    assert head() == before + 1
    fight.play(fight.elsewhere("note", "theirs"), line, answers="y\n")
    assert head() == before + 3


@pytest.mark.parametrize("line", ["attack grub-1 jane --dice 1", "note one", "leave grub-1,@party"])
def test_a_command_that_names_everybody_does_not_ask(line: str, fight: Table):
    before = head()
    answer = fight.play(fight.elsewhere("note", "theirs"), line)
    assert "Go on?" not in answer.err
    assert head() == before + 2


@pytest.mark.parametrize("line", ["status", "log", "show .", "nonsense"])
def test_what_records_nothing_by_itself_asks_only_for_the_turn(line: str, fight: Table):
    answer = fight.play(fight.elsewhere("note", "theirs"), line, answers="y\n")
    assert ("Go on?" in answer.err) is (line == "show .")


def test_a_command_does_not_ask_twice(fight: Table):
    answer = fight.play(
        fight.elsewhere("leave", "Grub-2"), "attack . jane --dice 1", "move . --to 0,1", answers="y\ny\n"
    )
    assert answer.err.count("Go on?") == 1


def test_others_who_record_after_the_question_are_noticed_too(fight: Table, monkeypatch: pytest.MonkeyPatch):
    """Nothing can come between the board and the entry."""
    fight.shell.done("leave", "Grub-2")
    before, run = head(), session.run

    def late(words: list[str], console: Console) -> int:
        monkeypatch.setattr(session, "run", run)
        fight.elsewhere("note", "theirs")()
        return run(words, console)

    monkeypatch.setattr(session, "run", late)
    answer = fight.play("attack . jane --dice 1")
    assert f"e{before + 1}" in answer.err
    assert head() == before + 1


def test_another_file_in_place_of_the_ledger_is_noticed(sitting: Table):
    Path("other.affray").write_bytes(Path("test.affray").read_bytes())
    sitting.shell.done("--ledger", "other.affray", "note", "theirs")
    answer = sitting.play("note mine", "note mine", lambda: os.replace("other.affray", "test.affray"), "note on")
    assert "This is another ledger now. It ends with e2.\non  e3\n" in answer.out
    assert head() == 3


def test_a_ledger_that_is_gone_is_told(sitting: Table):
    refusals.check_said(sitting.play("note mine", lambda: os.remove("test.affray"), "note on").err)
    assert not Path("test.affray").exists()


# Questions


def test_enter_rolls_at_a_question_and_a_number_is_a_die(fight: Table):
    fight.play("attack grub-1 jane --dice ask", answers="12\n\n")
    assert [(roll.who, bool(*roll.places)) for roll in recorded() if isinstance(roll, Rolled)] == [
        ("Grub-1", False), ("Jane", True),
    ]  # fmt: skip
    assert faces()[0] == 12


def test_ctrl_d_at_a_question_goes_back_to_the_line(fight: Table):
    before = head()
    fight.play("attack grub-1 jane --dice ask", "note on")
    assert recorded(before + 1)[1:] == (Noted("on"),)


def faces(entry: int = 0) -> list[int]:
    """The dice of an entry; of the last one by default."""
    events = SqliteStore.open("test.affray").entry(entry or head()).bodies
    return [face for body in events for face in json.loads(body).get("faces", ())]


@pytest.mark.parametrize("typed", ["6 2 6\n", "626\n", "6,2,6\n", "6\n2\n6\n", "6 2\n<\n2,6\n", "6 5\n<\n2\n6\n"])
def test_a_pool_is_one_question(typed: str, sitting: Table):
    answer = sitting.play("roll 3d6 --dice ask", answers=typed)
    assert answer.err.startswith("The table: 3d6 for a roll? ")
    assert faces() == [6, 2, 6]
    sitting.shell.done("verify")


def test_too_many_dice_are_asked_for_again(sitting: Table):
    answer = sitting.play("roll 2d20 --dice ask", answers="1 2 3\n21\n14 20\n")
    assert "3 dice are too many: 2 are asked for. Enter lets the program roll them.\n" in answer.err
    assert faces() == [14, 20]


def test_a_smaller_sign_goes_back_to_the_dice_before(fight: Table):
    """They are offered as they were typed."""
    answer = fight.play("attack grub-1 jane --dice ask", answers="18\n<\n19\n4\n")
    first, _, rest = answer.err.partition("? ")
    assert f"{first}? 18" in rest
    assert faces()[:2] == [19, 4]


def test_of_several_dice_a_smaller_sign_takes_back_the_last_alone(fight: Table):
    fight.play("attack grub-1 jane,boffin --radius 3 --dice ask", answers="18\n3\n<\n4\n5\n")
    assert faces()[:3] == [18, 4, 5]


def test_what_is_offered_at_a_question_is_marked_so_that_typing_replaces_it(fight: Table):
    fight.monkeypatch.setattr(sys, "stdin", Answers(""))
    fight.keys("attack grub-1 jane --dice ask\r18\r<\r17\r4\r")
    assert faces()[:2] == [17, 4]


def test_ctrl_d_leaves_a_question_where_something_stands_already(fight: Table):
    before = head()
    fight.monkeypatch.setattr(sys, "stdin", Answers(""))
    fight.keys(f"attack grub-1 jane --dice ask\r18{CTRL_D}note on\r")
    assert recorded(before + 1)[1:] == (Noted("on"),)


def test_an_answer_that_was_refused_is_not_kept(sitting: Table):
    sitting.play(*["roll 2d6 --dice ask"] * 2, answers=f"77\n3\n{CTRL_D}\n\n4\n")
    assert faces() == [3, 4]


def test_a_look_is_answered_while_a_question_is_open(fight: Table):
    """There no action can be meant, so that a beginning takes nothing from one: `s` is status."""
    answer = fight.play("attack grub-1 jane --dice ask", answers="s\nstatus\nmap\n? attack\n1\n")
    assert "Usage: affray attack" in answer.out
    assert answer.out.count("Now: Grub-1, Grub-2") == 2
    assert "J Jane" in answer.out
    assert answer.err.count("Grub-1: d20 for") == 5
    store = SqliteStore.open("test.affray")
    assert store.entry(head()).typed == "attack grub-1 jane --dice ask"


def test_what_records_is_no_answer_to_a_question(fight: Table):
    before = head()
    answer = fight.play("attack grub-1 jane --dice ask", answers="note x\na g1 j\nundo\n1\n")
    assert answer.err.count("A d20 shows 1 to 20.") == 3
    assert head() == before + 1


def test_dice_that_are_missing_behind_an_action_are_asked_for(fight: Table):
    """`<` goes back to one that was typed. The line that is kept says them all."""
    answer = fight.play("a g1 j 18", answers="<\n19\n4\n")
    asked = [line.split("? ")[0] for line in answer.err.splitlines()]
    assert answer.err.count("Grub-1: d20 for attack (Jane)? ") == 1, asked
    assert answer.err.count("Jane: d20 for defense (Grub-1)? ") == 2, asked
    assert faces()[:2] == [19, 4]
    assert SqliteStore.open("test.affray").entry(head()).typed == "attack g1 j --dice 19,4"


def test_dice_are_kept_for_the_next_try(fight: Table):
    """Only for that: once something is recorded, they are forgotten. A yes is never kept."""
    answer = fight.play("attack grub-1 jane --dice ask", answers="18\n")
    assert answer.err.endswith("Nothing was recorded. The dice are kept for the next try: 18\n")
    before = head()
    answer = fight.play(*["roll 2d6 --dice ask"] * 3, answers=f"3\n{CTRL_D}\n\n4\n5 5\n")
    assert answer.err.count("The table: 2d6 for a roll? 3") == 1
    assert head() == before + 2
    assert faces() == [5, 5]


def test_all_dice_are_kept_in_their_places(fight: Table):
    """What is typed in place of one leaves the others as they were."""
    fight.monkeypatch.setattr(sys, "stdin", Answers(""))
    ask = "attack grub-1 jane --dice ask\r"
    fight.keys(f"{ask}17\r4{CTRL_D}{ask}16\r\r")
    assert faces() == [16, 4]


def test_kept_dice_belong_to_who_threw_them_and_not_to_the_target(fight: Table):
    fight.monkeypatch.setattr(sys, "stdin", Answers(""))
    fight.keys(f"attack grub-1 boffin --dice ask\r17\r4{CTRL_D}attack grub-1 jane --dice ask\r\r5\r")
    assert faces(head() - 1) == [17, 5], "Jane defends herself with her own die"
    assert faces() == [4], "Boffin's is set aside"


def test_what_was_thrown_for_a_command_that_is_given_up_is_set_aside(fight: Table):
    """Also the dice that were kept of a try before, whose place another command did not ask for."""
    fight.monkeypatch.setattr(sys, "stdin", Answers(""))
    fight.keys(f"attack grub-1 boffin --dice ask\r17\r4{CTRL_D}roll d6 --dice ask\r3\r")
    assert [thrown for at in range(3) for thrown in faces(head() - at)] == [4, 17, 3]


def test_the_keyboard_is_the_terminal_again_afterwards(sitting: Table):
    sitting.play("note one")
    assert isinstance(sys.stdin, Answers)
    assert Keyboard(sys.stdin, lambda *_: "").isatty()


def test_who_plays_on_is_told_where_the_record_stops(fight: Table):
    fight.shell.done("note", "The door is shut.")
    last = head()
    fight.shell.done("note", "wrong")
    fight.shell.done("undo")
    assert "The record stops here, 20" in fight.play().out
    assert f"The door is shut.  e{last}\n" in fight.play().out


# What is in view


class Screen(DummyOutput):
    """A terminal of 24 rows and 80 columns, until somebody pulls at its window."""

    rows, columns = 24, 80

    def get_size(self):
        return super().get_size()._replace(rows=self.rows, columns=self.columns)


def shown(made: Prompt, screen: Screen) -> tuple[str, list[str]]:
    """The sign of the prompt, and the lines of the toolbar."""
    made.session.app.output = screen
    made.renew()
    return made.sign, "".join(text for _, text, *_ in made._toolbar()).splitlines()


def test_turn_and_board_are_in_view(fight: Table):
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()
    sign, lines = shown(made, screen)
    assert sign == "Grub-1, Grub-2> "
    assert lines[:2] == ["Encounter 1, round 1, the GM's turn", "Now: Grub-1, Grub-2 \u00b7 Next: John"]
    assert any(line.startswith("  \u25cf Boffin  \u2588\u2588\u2588\u2588\u2588\u2588 55/55") for line in lines)
    assert lines[-1] == f"e{head()} \u00b7 F2 hides the board \u00b7 {F3_SHOWS}"
    made.unfolded = False
    assert shown(made, screen)[1] == [*lines[:2], f"e{head()} \u00b7 F2 shows the board \u00b7 {F3_SHOWS}"]
    made.carry_out("attack grub-1 jane --dice 1")
    fight.shell.done("end")
    sign, lines = shown(made, screen)
    assert sign == "affray> "
    assert lines == ["No encounter is under way.", f"e{head()} \u00b7 F2 shows the board \u00b7 {F3_SHOWS}"]


def test_the_board_makes_room_for_what_was_asked_for(fight: Table, terminal: None, monkeypatch: pytest.MonkeyPatch):
    """Until the next line, or F2."""
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()
    monkeypatch.setattr(made.questions, "prompt", lambda _: "")
    _, board = shown(made, screen)
    made.play("help attack")
    assert shown(made, screen)[1] == [f"e{head()} \u00b7 F2 shows the board \u00b7 {F3_SHOWS}"]
    made.makes_room = False
    assert shown(made, screen)[1] == board
    made.play("status")
    assert shown(made, screen)[1] == board


def test_the_board_is_laid_out_anew_when_the_window_is_pulled_at(fight: Table):
    """Twelve stand on 24 rows. On fewer, those who may act now are shown and the others are counted."""
    fight.shell.done("join", "grub", "--count", "8", "--at", "5,5")
    fight.shell.done("adjust", "jane", "condition", "held by a very old and very angry tree", "tree")
    fight.shell.done("adjust", "jane", "condition", "stung by bees", "tree")
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()

    def named(lines: list[str]) -> list[str]:
        return [
            line.split()[-4 if "\u2588" not in line else 0] for line in lines if "\u25cf" in line or "\u25b2" in line
        ]

    _, lines = shown(made, screen)
    assert len(lines) == 16
    assert len(named(lines)) == 12
    assert max(map(len, lines)) <= 80
    (jane,) = (line for line in lines if "Jane" in line)
    assert jane.endswith("\u2026")
    screen.rows = 14
    _, lines = shown(made, screen)
    assert lines[1] == "Now: Grub-1, Grub-2, Grub-3, Grub-4, Grub-5, Grub-6 and 4 more \u00b7 Next: John"
    assert [line.split()[2] for line in lines if line.startswith("> ")] == ["Grub-1", "Grub-2"]
    assert lines[-2] == "10 more: Grub-3, Grub-4, Grub-5, Grub-6, Grub-7 and 5 more \u00b7 status shows all"
    screen.rows, screen.columns = 45, 120
    _, lines = shown(made, screen)
    assert len(named(lines)) == 12
    (jane,) = (line for line in lines if "\u25cf Jane" in line)
    assert "held by a very old and very angry" in jane


def test_the_map_stands_beside_the_board_of_a_wide_terminal(fight: Table):
    """From 110 columns on; its legend to the right of it, if there is room."""
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()
    screen.rows, screen.columns = 24, 109
    _, narrow = shown(made, screen)
    screen.columns = 120
    _, wide = shown(made, screen)
    assert max(map(len, wide)) <= 120
    assert len(wide) == len(narrow)
    assert [line[:50].rstrip() for line in wide[:2]] == [line[:50].rstrip() for line in narrow[:2]]
    for sign in ("B Boffin", "J Jane", "1 Grub-1", "2 . J ."):
        assert sum(sign in line for line in wide) == 1


def test_the_board_of_nine_takes_half_of_a_small_terminal(fight: Table):
    """However much there is to say of somebody."""
    fight.shell.done("join", "grub", "--count", "5", "--at", "5,5")
    fight.shell.done("adjust", "jane", "condition", "held by a very old and very angry tree", "tree")
    fight.shell.done("adjust", "jane", "condition", "stung by a great many very angry bees", "tree")
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()
    _, (*board, _) = shown(made, screen)
    assert len(board) == 12


def test_dice_alone_mean_the_line_that_was_refused(fight: Table):
    """They never strike anybody else than the one who was named."""
    refused = fight.play("attack jane grub-2", "status", "14 3")
    assert "attack jane grub-2 --dice 14,3:" in refused.out
    assert refused.err.count("freepg.turn.out-of-turn") == 2
    done = fight.play("attack jane grub-2", "attack grub-1 boffin 1", "14 3")
    assert "attack jane grub-2 --dice" not in done.out


def test_a_narrow_window_leaves_out_keys_and_breaks_no_word(fight: Table):
    made, screen = Prompt(Console("test.affray"), screen=DummyOutput()), Screen()
    screen.columns = 50
    assert shown(made, screen)[1][-1] == f"e{head()} \u00b7 F2 hides the board"


def test_f2_hides_the_board(sitting: Table, monkeypatch: pytest.MonkeyPatch):
    folded: list[bool] = []
    monkeypatch.setattr(Prompt, "carry_out", lambda made, _: bool(folded.append(made.unfolded)) or True)
    sitting.keys(f"x\r{F2}x\r{F2}x\r")
    assert folded == [True, False, True]


def test_somebody_elses_entry_is_announced_while_one_types(sitting: Table):
    made = Prompt(Console("test.affray"), screen=DummyOutput())
    assert shown(made, Screen())[1][-1] == f"e1 · F2 hides the board · {F3_SHOWS}"
    sitting.elsewhere("note", "theirs")()
    with create_pipe_input() as pipe, create_app_session(pipe, Screen()):
        assert made._toolbar()[-1][1] == "Somebody else has recorded something: Enter shows it."


def test_names_that_would_fill_the_line_are_counted():
    assert listed(()) == ""
    assert listed(("a", "b", "c")) == "a, b, c"
    assert listed(("a", "b", "c", "d", "e")) == "a, b, c and 2 more"


# Completion


def offered(line: str) -> dict[str, str]:
    """What Tab offers for the end of a line, and what each of it means."""
    found = Suggestions(Console("test.affray")).get_completions(Document(line), None)  # type: ignore[arg-type]
    return {line[: len(line) + one.start_position] + one.text: one.display_meta_text for one in found}


def test_tab_offers_verbs_options_people_and_sides(fight: Table):
    assert {*offered("stat")} == {"stats ", "status "}
    assert offered("stat")["status "].startswith("Show the board")
    assert {*offered("attack gr")} == {"attack Grub-1 ", "attack Grub-2 "}
    assert {*offered("affray attack gr")} == {"affray attack Grub-1 ", "affray attack Grub-2 "}
    assert {*offered("att boffin GR")} == {"att boffin Grub-1 ", "att boffin Grub-2 "}
    assert "attack Boffin --radius " in offered("attack Boffin --r")
    assert {*offered("leave Boffin,@")} == {"leave Boffin,@party ", "leave Boffin,@foes "}
    assert offered("attack 'Bo") == {"attack Boffin ": "may not act now"}
    assert offered("attack grub-1 'Bo") == {"attack grub-1 Boffin ": ""}
    assert offered("log --name=Bo") == {"log --name=Boffin ": ""}
    assert "sheet boffin " in offered("sheet bo")
    assert "join boffin " in offered("join bo")
    assert {*offered("odds att")} == {"odds attack "}


def test_those_who_are_hardly_meant_come_last_with_the_reason(fight: Table):
    """Grub-2 is dead, so nobody is offered it first as a target; it can still be named. Boffin may not act now."""
    fight.shell.done("adjust", "grub-2", "hp", "0", "a rock fell")
    targets = offered("attack grub-1 ")
    assert [*targets][-1] == "attack grub-1 Grub-2 "
    assert [targets[f"attack grub-1 {name} "] for name in ("Boffin", "Jane", "Grub-1", "Grub-2")] == [
        "",
        "",
        "",
        "dead",
    ]
    assert [*offered("attack ")] == ["attack Grub-1 ", "attack Boffin ", "attack Jane ", "attack Grub-2 "]
    assert offered("leave gr") == {"leave Grub-1 ": "", "leave Grub-2 ": "dead"}


def test_whom_an_action_may_be_for_is_offered_first(fight: Table):
    """Foes for an attack, friends for a healing; behind the verb alone only where one alone may act, as `a b` is clear
    only then.
    """
    assert [*offered("attack grub-1 ")][:2] == ["attack grub-1 Boffin ", "attack grub-1 Jane "]
    assert [*offered("heal grub-1 ")][:2] == ["heal grub-1 Grub-2 ", "heal grub-1 Grub-1 "]
    assert offered("attack ")["attack Jane "] == "may not act now"
    fight.shell.done("done", "--pass-rest")
    fight.shell.done("done", "--pass-rest")
    actors = offered("attack ")
    assert next(iter(actors)) == "attack Jane "
    assert (actors["attack Grub-1 "], actors["attack Boffin "]) == ("", "may not act now")
    assert offered("stand ")["stand Grub-1 "] == "may not act now"


def test_the_help_of_the_program_fits_the_prompt(fight: Table):
    """Also with the two rows of the prompt itself on a terminal of 24."""
    out = fight.play("?").out
    page = out[out.index("To begin") :]
    assert "FReePG, the most common verbs:" in page
    assert "affray play" not in page
    assert len(page.splitlines()) <= 22


def test_q_at_the_prompt_says_what_it_is_for(fight: Table):
    assert "quit leaves the prompt." in fight.play("q").err


def test_a_terminal_without_block_signs_has_plain_bars(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """20 of 20 hp are six cells of six."""
    table.done("join", "grub", "--at", "1,1")
    assert "▲ Grub  ██████ 20/20" in table.done("status")
    paper = io.TextIOWrapper(io.BytesIO(), encoding="iso8859-1", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", paper)
    cli.run(["status"], Console("test.affray"))
    paper.seek(0)
    assert "^ Grub  ###### 20/20" in paper.read()


def test_tab_offers_entries_with_what_was_typed(fight: Table):
    fight.shell.done("note", "one")
    fight.shell.done("undo")
    entry = head() - 2
    found = offered("undo e")
    assert found[f"undo e{entry} "].startswith("initiative")
    assert f"undo e{entry + 1} " not in found
    assert next(iter(found)) == f"undo e{entry + 2} "
    assert {f"amend e{entry} ", f"dispute e{entry} "} <= {*offered("amend e"), *offered("dispute e")}
    assert f"show e{entry} " in offered("show e")
    assert f"status --at e{entry} " in offered("status --at e")


def test_tab_offers_what_a_correction_may_say(fight: Table):
    """The options of the entry's own verb, without an entry those of the last command; and what they take."""
    fight.shell.done("attack", "grub-1", "jane", "--dice", "9,4")
    entry = head()
    fight.shell.done("move", "grub-1", "--to", "2,1")
    assert "am --to " in offered("am --t")
    assert {*offered(f"amend e{entry} --ta")} == {f"amend e{entry} --target "}
    assert "N:WHY" in offered(f"am e{entry} --m")[f"am e{entry} --mod "]
    names = {f"am e{entry} --target {name} " for name in ("Grub-1", "Grub-2")}
    assert {*offered(f"am e{entry} --target GR")} == names
    assert {*offered("amend --dro")} == {"amend --drop "}
    assert {*offered("amend --to 1,1 --al")} == {"amend --to 1,1 --allow "}
    assert {*offered("amend e999 --dr")} == {"amend e999 --drop "}
    assert {*offered("amend e1 --di")} == {"amend e1 --dice "}


def test_tab_offers_the_options_of_the_campaign_with_their_meaning(sitting: Table):
    found = offered("option ha")
    assert [*found] == ["option hand_dice "]
    assert found["option hand_dice "].startswith("Whose dice are rolled by hand")


@pytest.mark.parametrize("line", ["nonsense ", "attack zz", "'", '"', "note \\"])
def test_tab_never_fails(line: str, fight: Table):
    offered(line)


def test_tab_offers_nothing_without_a_ledger(sitting: Table):
    os.remove("test.affray")
    assert offered("attack gr") == {}


# History


@pytest.mark.slow
def test_lines_come_back_in_the_next_session(sitting: Table):
    sitting.keys("note one\rnote two\r")
    sitting.keys(f"{UP}{UP}{ENTER}")
    sitting.keys(f"note o{UP}{ENTER}")
    assert head() == 5
    assert sitting.shell.done("log").count("one  e") == 3
    path = Path("state/affray/history")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_after_undo_the_line_before_is_two_keys_away(sitting: Table):
    sitting.keys("note one\rnote two\rundo\r")
    sitting.keys(f"{UP}{UP}{ENTER}")
    store = SqliteStore.open("test.affray")
    assert [store.entry(entry).typed for entry in (3, 4, 5)] == ["note two", "undo", "note two"]


def test_the_history_is_in_the_folder_for_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    kept = history()
    assert isinstance(kept, Lines)
    assert kept.filename == str(tmp_path / ".local" / "state" / "affray" / "history")


def test_a_folder_that_cannot_be_written_stops_nothing(sitting: Table):
    Path("state").write_text("a file in place of the folder")
    sitting.keys("note one\r")
    assert head() == 2
    assert Path("state").read_text() == "a file in place of the folder"


def test_a_disk_that_takes_no_line_stops_nothing(sitting: Table):
    kept = history()
    assert isinstance(kept, Lines)
    os.remove(kept.filename)
    os.mkdir(kept.filename)
    kept.store_string("note one")
    assert [*kept.load_history_strings()] == []


# Opening it


def test_without_a_terminal_it_says_what_plays_lines(table: Shell):
    table.refused("play", code=2)


def test_it_does_not_answer_in_json_itself(table: Shell):
    table.refused("play", "--json", code=2)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input and output are a terminal."""
    monkeypatch.setattr(sys, "stdin", Answers())
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)


def test_without_prompt_toolkit_one_line_says_what_to_install(
    table: Shell, terminal: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    monkeypatch.delitem(sys.modules, "commands.shell.prompt")
    monkeypatch.delitem(sys.modules, "commands.shell.suggestions")
    answer = table("play")
    assert (answer.code, answer.err.splitlines()[1:]) == (2, [f"Try: {installed.adding('play')}"])


def test_without_a_ledger_it_says_what_to_type(shell: Shell, terminal: None):
    shell.refused("play", code=2)
    shell.refused("play", "nowhere.affray", code=2)


def test_a_file_for_players_is_not_played_on(table: Shell, terminal: None):
    table.done("export", "players.jsonl", "--player-safe")
    table.done("import", "players.jsonl", "players.affray")
    table.refused("play", "players.affray", code=2)


def test_a_script_cannot_open_a_prompt(table: Shell):
    Path("script").write_text("play\n")
    table.refused("run", "script", code=2)
