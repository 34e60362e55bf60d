"""The boards of all systems fit every width and lose nothing; tables and paragraphs by themselves."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from commands.action.view import View
from commands.look.boards import board_of, read_board
from commands.look.glance import folded
from commands.look.show import board_lines
from commands.words.console import Console
from commands.words.screen import columns, harmless
from commands.words.tables import fitted, listed, padded
from commands.words.width import breadth, wrapped
from ledger.events import decode
from projections.state import State, fold
from tests.sample import WHOLE, sampled
from tests.shell import ROOT, Shell

STORIES = sorted((ROOT / "fixtures").glob("*/*.jsonl"))
WIDTHS = (40, 60, 80, 120, 200)


def states(story: Path) -> list[State]:
    """The state after every entry of a recorded fight, each board once."""
    after, found = {0: State()}, {}
    for line in story.read_bytes().splitlines()[1:]:
        entry = msgspec.json.decode(line)
        events = [decode(json.dumps(event)) for event in entry["events"]]
        after[entry["entry"]] = state = fold(after[entry["after"]], events)
        found[state.digest()] = state
    return list(found.values())


def lines(state: State, most: int | None) -> list[str]:
    """The board as it is printed."""
    board = read_board(state)
    return list(board_lines(Console(), state, board, most))


def too_wide(line: str, most: int) -> bool:
    """Whether a line is wider than it must be: a word that fits after the deepest indent was put on no new line."""
    return breadth(line) > most and all(breadth(word) <= most - 6 for word in line.split())


def blocks(printed: list[str], names: list[str], now: list[str]) -> dict[str, str]:
    """What stands in the row of each fighter and below it, with single spaces."""
    marks = {f"{mark}{who}" for mark in ("> ", "  ", "") for who in names}
    found: dict[str, str] = {}
    who = ""
    for line in printed:
        plain = re.sub("[\u25cf\u25b2] ", "", line, count=1)
        start = next((mark for mark in marks if plain == mark or plain.startswith(f"{mark} ")), "")
        if start and start.lstrip("> ") not in found:
            who = start.lstrip("> ")
            assert start.startswith("> ") is (who in now)
        if who:
            found[who] = " ".join(f"{found.get(who, '')} {line}".split())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("story", sampled(STORIES, 8), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_every_board_of_a_fight_fits_and_says_the_same_of_everybody_at_every_width(story: Path):
    """With --wide it says everything, on one line for each."""
    every = states(story)[:: 1 if WHOLE else 5]
    assert every
    for state in every:
        board, own = read_board(state), board_of(state)
        above = " ".join(map(harmless, board.lines()))
        for most in (*WIDTHS, None):
            printed = lines(state, most)
            if most:
                assert not [line for line in printed if too_wide(line, most)]
            assert " ".join(above.split()) in " ".join(" ".join(printed).split())
            header = [part for line in board.lines() for part in wrapped(harmless(line), most or 10_000)]
            assert printed[: len(header)] == header
            shown = blocks(printed[len(header) :], list(board.rows), board.now)
            assert list(shown) == list(board.rows)
            for who, row in board.rows.items():
                told = ("down", *own.glance, *own.state) if most else row
                for cell in filter(None, (row.get(title, "") for title in told)):
                    assert " ".join(harmless(cell).split()) in shown[who], (most, who, cell)
            if most is None:
                assert len(printed) == len(board.lines()) + bool(board.rows) + len(board.rows)


@pytest.mark.parametrize("story", sampled(STORIES, 8), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_the_columns_stay_where_they_are(story: Path):
    """As long as the same are at the table, the first measure stands in one place, also when somebody acts or falls."""
    found: dict[tuple[str, ...], set[int]] = {}
    for state in (one for one in states(story) if one.encounter.running):
        board, (first, *_) = read_board(state), board_of(state).glance
        titles = next((line for line in folded(Console(), state, board, 80, 24) if first in line.split()), "")
        if titles:
            found.setdefault(tuple(state.roster.order), set()).add(titles.index(first))
    assert [places for places in found.values() if len(places) > 1] == []


@pytest.mark.parametrize("story", sampled(STORIES, 8), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_the_status_of_twelve_fits_a_terminal_of_24_rows(story: Path):
    """Those who are down share a line then; on a taller terminal nothing is left out."""
    for state in (one for one in states(story) if len(one.roster.order) <= 12):
        board = read_board(state)
        printed = [*board_lines(Console(), state, board, 80, 23)]
        if len(board.lines()) <= 7:
            assert len(printed) <= 23
        assert all(who in " ".join(printed) for who in board.rows)


@pytest.mark.parametrize("story", sampled(STORIES, 4), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_a_board_names_everybody_once_and_nobody_else(story: Path):
    """Those who may act now or have readied something are at the table; every column that is named exists."""
    for state in states(story):
        board = read_board(state)
        assert sorted(board.rows) == sorted(state.roster.order)
        assert {*board.now} <= {*board.rows}
        assert {one.who for one in board.readied} <= {*board.rows}
        titles = {title for row in board.rows.values() for title in row}
        own = board_of(state)
        if titles:
            assert {*own.glance, *own.state, *own.harm, "side", "down"} <= titles
            assert {*own.glance} & {*own.harm}


@pytest.mark.parametrize("story", sampled(STORIES, 8), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_a_folded_board_fits_and_forgets_nobody(story: Path):
    """Those who have no line of their own are named, or counted, with the way to see them."""
    for state in states(story):
        board = read_board(state)
        for width, most in ((80, 15), (120, 36), (60, 8), (40, 0)):
            printed = folded(Console(), state, board, width, most)
            assert [line for line in printed if breadth(line) > width] == []
            assert len(printed) <= max(most, 3 + len(board.waiting()))
            assert printed[0].startswith(board.header[0][: width - 1].rstrip())
            assert bool(board.now) is any(
                line.startswith(f"Now: {board.now[0]}" if board.now else "-") for line in printed
            )
            assert bool(board.next) is ("Next: " in " ".join(printed[:3]))
            if most < 15:
                continue
            up = [who for who in board.rows if who not in state.harm.down]
            shown = blocks(printed[1:], up, board.now)
            left = len(up) - len(shown)
            assert bool(left) is any(
                line.startswith(f"{left} more: ") and "status shows all" in line for line in printed
            )
            assert {*board.now[: most - 8]} & {*up} <= {*shown}
            assert len(up) > most - 6 or not left


@pytest.mark.parametrize("story", sampled(STORIES, 4), ids=lambda story: f"{story.parent.name}-{story.stem}")
def test_bars_and_labels_say_what_the_row_says(story: Path):
    """Each bar has the number of its column, and the most where the cell has one; the labels are all in theirs."""
    bars = 0
    for state in states(story):
        own, view = board_of(state), View(state)
        for who, row in read_board(state).rows.items():
            for bar in own.bars(view, who):
                now, _, most = row[bar.column].partition(" ")[0].partition("/")
                assert now == str(bar.now), (who, bar)
                assert not most or most == str(bar.most), (who, bar)
                assert own.harm.get(bar.column, bar.kind) == bar.kind
                bars += 1
            said = row[own.labelled]
            assert bool(own.labels(view, who)) == bool(said)
            for label in own.labels(view, who):
                assert label.what in said
    assert bars


def test_a_board_in_colour_says_the_same(monkeypatch: pytest.MonkeyPatch):
    """Sides, harm and the fallen are coloured, and each has a word too."""
    state = states(ROOT / "fixtures" / "freepg" / "demo.jsonl")[-1]
    plain = lines(state, 80)
    monkeypatch.setattr(Console, "colour", True)
    coloured = lines(state, 80)
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured] == plain
    rows = {
        line.split()[1].removesuffix("\x1b[0m"): line for line in coloured if line[:1] == "\x1b" and "[1m" not in line
    }
    boffin, jane, grub, brak = (rows[who] for who in ("Boffin", "Jane", "Grub-2", "Brak"))
    assert boffin.startswith("\x1b[36m\u25cf Boffin")
    assert grub.startswith("\x1b[33m\u25b2 Grub-2")
    assert "\x1b[33m\u2588\u2588\u2588\u2591\u2591\u2591 8/20" in grub
    assert "\x1b[32m\u2588" in jane
    assert brak.startswith("\x1b[2m\u25b2 Brak")
    assert "dead" in brak


# The width


def test_the_width_is_80_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("commands.words.screen.USUAL", 80)
    monkeypatch.delenv("COLUMNS", raising=False)
    assert columns() == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert columns() == 132
    for nonsense in ("0", "-4", "wide", ""):
        monkeypatch.setenv("COLUMNS", nonsense)
        assert columns() == 80


TEXT = some.text(some.sampled_from("ab-,\u9b3c\u0301 "), max_size=30)


@given(TEXT, some.integers(10, 40))
@example("\u9b3c" * 6 + " " + "\u9b3c" * 6, 12)
def test_a_wrapped_text_keeps_its_words_and_its_width(text: str, most: int):
    printed = wrapped(text, most)
    assert " ".join(printed).split() == text.split()
    for line in printed:
        assert breadth(line.rstrip()) <= most or len(line.split()) == 1


CELL = some.text(some.sampled_from("abc\u9b3c/5 "), max_size=16).map(str.strip)


@pytest.mark.slow
@given(some.lists(some.tuples(CELL, CELL, CELL, CELL), min_size=1, max_size=4), some.integers(20, 60))
@example([("鬼55鬼55鬼5 5 5鬼鬼55", "", "", "")], 20)
def test_a_table_keeps_its_cells_and_its_width(rows: list[tuple[str, ...]], most: int):
    titles = ["", "one", "two words", "three"]
    printed = list(fitted(titles, rows, most, folds=("two words",)))
    for line in printed:
        assert breadth(line) <= most or len(line.split()) <= 2
    text = " ".join(" ".join(printed).split())
    for row in rows:
        for cell in row:
            assert " ".join(cell.split()) in text


def test_columns_stay_in_line_under_names_of_east_asia():
    printed = list(fitted(["", "hp"], [["\u9b3c\u9b3c-1", "4/9"], ["Grub", "9/9"]], 80))
    assert [breadth(line[: line.index("/") - 1]) for line in printed[1:]] == [8, 8]
    assert padded("\u9b3c", 4) == "\u9b3c  "


def test_a_column_folds_only_where_that_is_needed():
    """The table is 40 places wide, and 34 without b."""
    row = ["Ann", "here", "bbbb", "c" * 23]
    assert list(fitted(["", "a", "b", "c"], [row], 34, folds=("b", "c"))) == [
        "     a     c",
        f"Ann  here  {'c' * 23}",
        "    b: bbbb",
    ]
    assert list(fitted(["", "a", "b", "c"], [row], 33, folds=("b", "c"))) == [
        "     a     b",
        "Ann  here  bbbb",
        "    c: ccccccccccccccccccccccc",
    ]
    assert list(fitted(["", "a", "b", "c"], [row], None, folds=("b", "c"))) == [
        "     a     b     c",
        f"Ann  here  bbbb  {'c' * 23}",
    ]


def test_named_columns_fold_in_their_order_and_then_the_others_from_the_last():
    """In hand takes 5 places in two lines, conditions 10: with the others 26, without in hand 19, without at 22."""
    rows = [["Ann", "sword", "prone", "a"], ["Bo", "knife", "", "b"], ["Cy", "spear", "", "c"]]
    titles = ["", "in hand", "conditions", "at"]
    assert list(fitted(titles, rows, 20, folds=("in hand", "conditions"))) == [
        "     conditions  at",
        "Ann  prone       a",
        "    in hand: sword",
        "Bo               b",
        "    in hand: knife",
        "Cy               c",
        "    in hand: spear",
    ]
    assert list(fitted(titles, rows, 20, folds=("conditions", "in hand")))[:3] == [
        "     in hand  at",
        "Ann  sword    a",
        "    conditions:",
    ]
    assert list(fitted(titles, rows, 22))[:4] == [
        "     in",
        "     hand   conditions",
        "Ann  sword  prone",
        "    at: a",
    ]


def test_a_column_that_many_rows_have_is_wrapped_at_the_end_of_the_rows_where_there_is_room():
    rows = [["Ann", "sword, ring of force, helm", "1"], ["Bo", "bow", "2"]]
    assert list(fitted(["", "in hand", "at"], rows, 30, folds=("in hand",))) == [
        "     at  in hand",
        "Ann  1   sword, ring of force,",
        "         helm",
        "Bo   2   bow",
    ]


def test_a_title_of_several_words_stands_on_several_lines_before_a_column_folds():
    assert list(fitted(["", "wounds taken", "fell"], [["Ann", "2", "1"]], 20)) == [
        "     wounds",
        "     taken   fell",
        "Ann  2       1",
    ]


def test_what_is_folded_is_wrapped_under_its_row():
    row = ["Ann", "here", "prone, blinded until the round ends", "sword"]
    assert list(fitted(["", "at", "conditions", "in hand"], [row, ["Bo", "", "", "axe"]], 24, ("conditions",))) == [
        "     at    in hand",
        "Ann  here  sword",
        "    conditions: prone,",
        "      blinded until the",
        "      round ends",
        "Bo         axe",
    ]


# Tables of other verbs


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    shell = Shell(capsys)
    shell("demo", "dungeoneers")
    shell("dispute", "e50", "a long dispute about who stood where when the push came, and who saw it")
    shell("settle", "e50", "stands", "the game master decides that everybody saw it, and will remember it for long")
    shell("dispute", "e60", "another one")
    shell("undo")
    return shell


READ = (
    ("status",), ("stats",), ("sheets",), ("disputes",), ("rules",), ("rules", "options"),
    ("rules", "dungeoneers.ready.lapse"), ("odds", "table"), ("odds", "table", "--ac", "12"),
    ("odds", "--at", "e20", "attack", "suori", "rattle", "--allow", "all: x"), ("diff", "e20..e60"),
    ("odds", "--at", "e20", "--full", "attack", "suori", "rattle", "--allow", "all: x"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", sampled(READ), ids=" ".join)
def test_every_table_fits_and_says_the_same_at_every_width(demo: Shell, monkeypatch, words: tuple[str, ...]):
    """Bars are shorter and columns elsewhere, but no word is lost."""
    said = {}
    for most in (*WIDTHS, 1000):
        monkeypatch.setenv("COLUMNS", str(most))
        answer = demo(*words)
        assert answer.code == 0
        assert not [line for line in answer.out.splitlines() if too_wide(line, most)]
        signs = answer.out.replace(":", " ").replace(";", " ").replace("~~", " ")
        said[most] = {word for word in signs.split() if not set(word) <= set("#.█░")}
    for most in WIDTHS:
        assert said[1000] <= said[most], most


def test_a_last_column_is_wrapped_under_itself_and_rows_are_paragraphs_where_it_has_no_room():
    rows = [["Ann.hp:", "9 -> 4", "Grub attacks Ann"], ["Bo.hp:", "12 -> 10", "Bo falls"]]
    assert list(listed(rows, 40)) == [
        "Ann.hp:  9 -> 4    Grub attacks Ann",
        "Bo.hp:   12 -> 10  Bo falls",
    ]
    rows[0][2] = "Grub attacks Ann with a club"
    assert list(listed(rows, 40)) == [
        "Ann.hp:  9 -> 4    Grub attacks Ann with",
        "                   a club",
        "Bo.hp:   12 -> 10  Bo falls",
    ]
    assert list(listed(rows, 30, "  ")) == [
        "  Ann.hp:  9 -> 4  Grub",
        "      attacks Ann with a club",
        "  Bo.hp:  12 -> 10  Bo falls",
    ]


def test_what_ends_a_condition_is_left_out_where_it_has_no_room(shell: Shell):
    """No word is broken; where there are rows enough, all is said."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", "suori", "goblin", "--at", "0,0/9,9")
    shell.done("begin")
    shell.done("round")
    shell.done("sprint", "suori")
    console = Console()
    state = console.book.present()[1]
    brief, ample = (folded(console, state, read_board(state), 80, most) for most in (5, 6))
    console.close()
    assert brief[-2].endswith("  sprinting")
    assert "sprinting until Suori's turn" in " ".join(" ".join(ample).split())
