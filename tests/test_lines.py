"""Lines that people read: the outcome first and its arithmetic below, within the width of the terminal."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.action import systems
from commands.shell.cli import run
from commands.words.colours import dyed
from commands.words.console import Console
from commands.words.screen import columns
from commands.words.width import breadth, wrapped
from ledger.events import (
    Declared,
    Event,
    HpGained,
    HpLost,
    Joined,
    PainEased,
    PainSuffered,
    StressGained,
    WoundsSustained,
)
from ledger.events import decode as event_of
from projections.narration import Told, told
from tests.kit import verbs
from tests.sample import sampled
from tests.shell import Shell, affray

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"
STORIES = sorted(FIXTURES.glob("*/*.jsonl"))
WIDTHS = (40, 60, 80, 200)
SYSTEMS = sorted(systems.every())
COPIED = re.compile(r"Try: affray |To restore e\d+ once this is recorded: affray |(state|affray e\d+) [0-9a-f]{64}$")
CODES = re.compile("\x1b\\[[0-9;]*m")
COUNTED = HpLost | HpGained | PainSuffered | PainEased | StressGained | WoundsSustained


def entries(story: Path) -> Iterator[list[Event]]:
    """The events of each entry of a golden ledger."""
    for line in story.read_text(encoding="utf-8").splitlines()[1:]:
        yield [event_of(msgspec.json.encode(event)) for event in msgspec.json.decode(line)["events"]]


def check_width(text: str, width: int) -> None:
    """No line is wider, unless it is one word. What is typed or copied stays whole: a command after "Try:", digests."""
    for line in text.splitlines():
        assert breadth(line) <= width or " " not in line.strip() or COPIED.match(line), line


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The demo fight of each rule system, in a ledger."""
    folder = tmp_path_factory.mktemp("demos")
    made = {system: str(folder / f"{system}.affray") for system in SYSTEMS}
    for system, path in made.items():
        assert run(["demo", system, "--file", path]) == 0
    return made


# Width


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("system", sampled(SYSTEMS, 5))
def test_no_line_is_wider_than_the_terminal(
    system: str, width: int, demos: dict[str, str], shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    """Verbs that tell, look and explain, and refusals."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("AFFRAY_LEDGER", demos[system])
    for words in (
        "log --last 0", "log --last 0 --brief", "replay --encounter 1", "replay --round 1 --encounter 1 --brief",
        "find --verb attack", "show e2", "show e15", "rules", "disputes", "undo --dry-run", "verify",
        "note 'a long line that somebody wrote about what happened on the bridge that night' --dry-run",
        "roll 20d20 --dry-run --why 'a very long reason for very many dice that are rolled at once'",
        "amend e12 --drop", "attack nobody somebody", "join nobody", "odds", "show nobody", "why nothing.hp",
        "diff e3 e30",
    ):  # fmt: skip
        answer = shell._typed(*shlex.split(words))
        check_width(answer.out + answer.err, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/*.log")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_line_of_every_story_fits_and_loses_no_word(log: Path, width: int):
    for line in log.read_text(encoding="utf-8").splitlines():
        lines = wrapped(line, width)
        check_width("\n".join(lines), width)
        assert " ".join(lines).split() == line.split()


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])), st.integers(1, 50))
def test_any_text_fits(text: str, width: int):
    """Long words, wide characters and accents too."""
    lines = wrapped(text, width)
    assert all(breadth(line) <= width or " " not in line.strip(" ") for line in lines)
    assert [word for line in lines for word in line.split(" ") if word] == [word for word in text.split(" ") if word]


def test_a_line_is_broken_at_its_spaces_and_goes_on_further_in():
    """Two spaces in a row stay, where the line is not broken there."""
    assert wrapped("    dice  Ada 2d6 for blow", 20) == ["    dice  Ada 2d6", "      for blow"]
    assert wrapped("    unbreakable", 12) == [" unbreakable"]
    assert wrapped("a unbreakable word", 8) == ["a", "unbreakable", "  word"]
    assert wrapped("", 8) == [""]


def test_wide_characters_take_two_columns_and_accents_none():
    """勇者 takes four columns."""
    assert (breadth("勇者"), breadth("e\u0301"), breadth("\x1b[1;31mhit\x1b[0m")) == (4, 1, 3)
    assert wrapped("勇者 勇者 hits", 9) == ["勇者 勇者", "  hits"]


def test_a_hostile_name_keeps_to_the_width(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    foe = 'name = "勇者勇者勇者勇者勇者勇者勇者勇者"\nkind = "enemy"\nside = "foes"\nsize = "small"\n'
    Path("foe.toml").write_text(foe, encoding="utf-8")
    shell.done("init", "Test", "--system", "freepg")
    monkeypatch.setenv("COLUMNS", "40")
    for words in (("join", "foe.toml"), ("join", "boffin"), ("adjust", "勇", "hp", "3", "a blow"), ("log",), ("nope",)):
        answer = shell._typed(*words)
        check_width(answer.out + answer.err, 40)


@pytest.mark.slow
@pytest.mark.parametrize(("value", "width"), [("60", 60), ("", 80), ("0", 80), ("-5", 80), ("wide", 80)])
def test_columns_says_how_wide_the_terminal_is(value: str, width: int, tmp_path: Path):
    """80 where there is no terminal and nothing that makes sense is said."""
    assert affray("init", "Test", "--system", "freepg", cwd=tmp_path).code == 0
    why = " ".join(["word"] * 100)
    lines = affray("note", why, cwd=tmp_path, env={"COLUMNS": value}).out.splitlines()
    assert width - 5 < max(map(len, lines)) <= width


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((53, 20)))
    monkeypatch.setattr("sys.stdout.fileno", lambda: 1, raising=False)
    assert columns() == 53


@pytest.mark.slow
def test_what_programs_read_is_not_broken(demos: dict[str, str], shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("AFFRAY_LEDGER", demos["freepg"])
    for line in shell.done("log", "--json").splitlines():
        msgspec.json.decode(line)
    assert re.search(r"^affray e\d+ [0-9a-f]{64}$", shell.done("verify"), re.M)


# Outcome and arithmetic


@pytest.mark.parametrize("story", STORIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_change_of_a_value_is_told_with_its_maximum(story: Path):
    """As `now 9/20`; pain with the Stamina that is left. A capacity of 0 is no maximum. Who joins `has 9/20`."""
    for events in entries(story):
        outcomes = " ".join(one.outcome for one in told(events, verbs()))
        for event in events:
            if isinstance(event, COUNTED) and event.most:
                said = event.told().removeprefix(event.who).strip()
                if any(isinstance(one, Joined) and one.who == event.who for one in events):
                    said = f"{event.total} pain (" if isinstance(event, PainSuffered) else said.rpartition("now ")[2]
                assert said in outcomes, (event, outcomes)
                assert f"/{event.most}" in event.told()
            assert not isinstance(event, HpLost | HpGained) or event.most, event


@pytest.mark.parametrize("story", STORIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_attack_is_told_by_who_did_what_to_whom(story: Path):
    """The first line of an attack, shot, spell or cure begins with the one who acts, the deed and the target."""
    deeds = {"attack": "attacks", "shoot": "shoots at", "grapple": "grapples", "disarm": "disarms", "push": "pushes"}
    for events in entries(story):
        declared = events[0]
        if not isinstance(declared, Declared) or declared.verb not in deeds or "target" not in declared.said:
            continue
        who, target = declared.said.get("who"), declared.said["target"]
        lines = [one.outcome for one in told(events, verbs())]
        if not isinstance(who, str) or any(" will " in line or "waits" in line for line in lines):
            continue
        for one in [target] if isinstance(target, str) else target:
            assert any(line.startswith(f"{who} {deeds[declared.verb]} {one}") for line in lines), (one, lines)


@pytest.mark.parametrize("story", STORIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_comparisons_are_true_as_written(story: Path):
    """`7 < AC 12: miss`: the sign between two totals holds."""
    compared = re.compile(r"^[^();:]*?(-?\d+)(?: \([^()]*\))? (<=|>=|<|>|=) [^();:]*?(-?\d+)(?: \([^()]*\))?(?::|$)")
    holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "=": int.__eq__}
    for events in entries(story):
        for step in (step for one in told(events, verbs()) for step in one.arithmetic):
            if match := compared.match(step):
                assert holds[match[2]](int(match[1]), int(match[3])), step


def test_an_attack_of_each_system(demos: dict[str, str], shell: Shell):
    """Who, what, whom, and the new value with its maximum; the arithmetic is below, indented."""
    for system, expected in {
        "freepg": [
            "Boffin attacks Brak: hit; Brak loses 14 hp, now 16/30  e15",
            "    attack 22 (d20 18* +2 power amplifier +2 sword) > defense 9 (d20 7* +2 flat bonus): hit",
            "    damage 14 (d20 18* +2 power amplifier +2 sword +1 ring of force -9 defense)",
        ],
        "aachen": [
            "Goblin-2 attacks Hedwig: miss; Hedwig loses 1 hp, now 8/9",
            "    attack 3 (d20 4* -1 STR) < AC 11: miss",
            "    shock 1 (2 short spear -1 STR)",
        ],
        "arkm": [
            "Militia attacks Bandits: hit; Bandits loses 20 hp, now 17/37",
            "    one throw for all",
            "    attack 13 (d20*) >= needed 13 (20 THAC0 -7 light armour): hit",
            "    damage 20 (d6 2* x10 men)",
        ],
        "dungeoneers": [
            "Suori attacks Rattle: hit; pierced; Rattle sustains 2 bludgeoning wounds, now 2/2  e30",
            "    hit 6 (2d4 [3*+3*]) >= dodge 2 (d4*): hit",
            "    pierce 9 (2d8 [5*+4*]) >= armor value 4 (natural): pierced",
            "    bludgeoning wounds 2 (1 warhammer +1 vulnerability)",
        ],
        "paraverse": [
            "Ildar hits Warlord: Warlord suffers 1 pain, now 1 (Stamina 7/8)  e37",
            "    Ildar 18 (d20 12* +6 marksman) > Warlord 11 (d20 7* +1 evasion +3 shield): hit",
            "    location 2 (d4*): torso",
            "    difference 7 (18 Ildar -11 Warlord): x2",
            "    damage 8 (7 short bow x2 multiplier -6 armour)",
            "    pain 1 (8 damage /8 Fortitude)",
        ],
    }.items():
        lines = shell.done("--ledger", demos[system], "log", "--last", "0").splitlines()
        at = lines.index(expected[0])
        assert lines[at : at + len(expected)] == expected


def test_a_die_of_the_program_has_no_asterisk(shell: Shell):
    """In `--dice 14,-` the second die is the program's."""
    shell.done("init", "Test", "--system", "freepg", "--key", "00" * 32)
    assert re.search(r"\(2d6 \[4\*\+[1-6]\]\)", shell.done("roll", "2d6", "--dice", "4,-"))
    assert "*" not in shell.done("roll", "2d6")


# Brief


@pytest.mark.parametrize("system", SYSTEMS)
def test_brief_prints_the_outcomes_and_no_arithmetic(
    system: str, demos: dict[str, str], shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_LEDGER", demos[system])
    whole, brief = shell.done("log", "--last", "0"), shell.done("log", "--last", "0", "--brief")
    assert whole != brief
    assert [line for line in whole.splitlines() if not line.startswith("    ")] == brief.splitlines()
    monkeypatch.setenv("AFFRAY_BRIEF", "1")
    assert shell.done("log", "--last", "0") == brief
    monkeypatch.setenv("AFFRAY_BRIEF", "0")
    assert shell.done("log", "--last", "0") == whole


def test_brief_is_no_part_of_the_command_in_the_record(shell: Shell):
    shell.done("init", "Test", "--system", "freepg")
    assert shell.done("roll", "1d20", "--dice", "7", "--brief") == "a roll: 7  e2\n"
    assert shell.done("log", "--json").splitlines()[-1].count("--brief") == 0


# Colour


@pytest.mark.parametrize("system", SYSTEMS)
def test_without_colour_the_text_is_the_same(
    system: str, demos: dict[str, str], shell: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFRAY_LEDGER", demos[system])
    monkeypatch.setenv("COLUMNS", "60")
    plain = shell.done("log", "--last", "0")
    monkeypatch.setattr("commands.words.console.Console.colour", True)
    coloured = shell.done("log", "--last", "0")
    assert "\x1b[" not in plain
    assert coloured != plain
    assert CODES.sub("", coloured) == plain


def test_colour_shows_sides_harm_and_healing(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    monkeypatch.setattr("commands.words.console.Console.colour", True)
    told = shell.done("attack", "boffin", "grub", "--allow", "a test", "--dice", "14,6")
    assert "\x1b[1;36mBoffin\x1b[0m" in told
    assert "\x1b[1;35mGrub\x1b[0m\x1b[31m loses 11 hp" in told
    assert "\x1b[2m    attack 16" in told
    shell.done("adjust", "boffin", "hp", "9", "a test")
    assert "\x1b[32m" in shell.done("heal", "boffin", "boffin", "--potion", "--allow", "a test")


def test_only_whole_names_are_coloured():
    names = {"Grub": "1", "Grub-1": "2"}
    assert dyed("Grub-1 hits Grub, Grubber and Grub's dog", "", names) == (
        "\x1b[2mGrub-1\x1b[0m hits \x1b[1mGrub\x1b[0m, Grubber and \x1b[1mGrub\x1b[0m's dog"
    )


def test_no_color_and_pipes_are_respected(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    shell.done("init", "Test", "--system", "freepg")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "\x1b[" in shell.done("note", "hi")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in shell.done("note", "hi")


@pytest.mark.parametrize(
    ("width", "lines"), [(23, ["Boffin hits Grub-1  e12"]), (22, ["Boffin hits", "  Grub-1  e12"])]
)
def test_at_the_prompt_the_number_of_an_entry_stands_with_the_last_word(
    width: int, lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """18 letters, two spaces and three more: in 22 columns the number is neither alone nor lost."""
    monkeypatch.setenv("COLUMNS", str(width))
    console = Console()
    console.short = True
    console.narrate([Told("Boffin hits Grub-1")], "e12")
    assert capsys.readouterr().out.splitlines() == lines
