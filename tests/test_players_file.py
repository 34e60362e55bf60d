"""The players' file: JSON Lines that chain to the game master's head and hold nothing that is hidden from them."""

import hashlib
import json
import random
import re
import shlex
import tempfile
import tomllib
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from commands.action import systems
from commands.action.book import events_of
from commands.live.views import Watched
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from projections.glimpses import known_events
from tests.kit import KEY
from tests.sample import sampled
from tests.script import toml
from tests.shell import NOON, Shell
from tests.test_golden import FIXTURES


@pytest.fixture(params=systems.SYSTEMS)
def players(request: pytest.FixtureRequest, shell: Shell) -> tuple[Shell, str]:
    """The demo of a rule system, `gm.affray`; its file for players, `p.jsonl`, imported as `p.affray`; the head."""
    shell.done("import", str(FIXTURES / request.param / "demo.jsonl"), "gm.affray")
    head = shell.done("--ledger", "gm.affray", "verify").splitlines()[-1]
    shell.done("--ledger", "gm.affray", "export", "p.jsonl", "--player-safe")
    shell.done("import", "p.jsonl", "p.affray")
    return shell, head


@pytest.mark.slow
def test_the_file_chains_to_the_head_of_the_game_master(players: tuple[Shell, str]):
    """As a file and as a ledger made of it; a head line with one other digit does not lie on the chain."""
    shell, head = players
    for words in (("verify", "p.jsonl"), ("--ledger", "p.affray", "verify")):
        said = shell.done(*words, "--head", head).splitlines()
        assert said[0].startswith("Sound: ")
        assert f"on the chain: {head}" in said
        assert said[-1] == head
        other = head[:-1] + ("0" if head[-1] != "0" else "1")
        assert shell(*words, "--head", other).code == 5


def test_the_file_comes_back_byte_for_byte(players: tuple[Shell, str]):
    shell, _ = players
    shell.done("--ledger", "p.affray", "export", "again.jsonl")
    assert Path("again.jsonl").read_bytes() == Path("p.jsonl").read_bytes()


def test_the_log_tells_every_entry_of_the_file(players: tuple[Shell, str]):
    """The same ones as the game master's, each with a line at least."""
    shell, head = players
    last = int(head.split()[1][1:])
    log = shell.done("--ledger", "p.affray", "log", "--last", "0")
    numbers = [int(number) for number in re.findall(r"  e(\d+)$", log, re.MULTILINE)]
    assert sorted(set(numbers)) == [*range(1, last + 1)]


def test_what_needs_the_whole_record_is_refused_with_one_sentence(shell: Shell):
    shell.done("import", str(FIXTURES / "freepg" / "demo.jsonl"), "gm.affray")
    shell.done("--ledger", "gm.affray", "export", "p.jsonl", "--player-safe")
    shell.done("import", "p.jsonl", "p.affray")
    Path("x.toml").write_text('name = "Xavier"\nkind = "enemy"\n')
    for words in (
        "status", "undo", "redo", "note hi", "roll 2d6", "join x.toml", "amend e2 --drop", "map", "stir dragons",
        "reveal e2", "reveal dice", "show", "option hidden_dice true", "odds roll 1d6",
    ):  # fmt: skip
        shell.refused("--ledger", "p.affray", *words.split(), code=2, ledger="p.affray")


def test_most_of_what_the_table_sees_is_proven(players: tuple[Shell, str]):
    """At least 80 of 100 events that are told have a leaf that their words make; each other one says so."""
    with closing(SqliteStore.open("p.affray")) as store:
        events = [one for entry, _ in store.entries(1, store.head().entry) for one in known_events(entry.parts)]
    lines = [(event.line(), proven) for event, proven in events if event.line()]
    assert sum(proven for _, proven in lines) >= 0.8 * len(lines) > 20
    assert all(line.endswith("(unproven)") for line, proven in lines if not proven)


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_every_changed_sign_is_found(system: str, shell: Shell):
    """Of 40 signs that are changed by chance anywhere behind the first line."""
    shell.done("import", str(FIXTURES / system / "demo.jsonl"), "gm.affray")
    shell.done("--ledger", "gm.affray", "export", "p.jsonl", "--player-safe")
    head = shell.done("verify", "p.jsonl").splitlines()[-1]
    text = Path("p.jsonl").read_text(encoding="utf-8")
    chance = random.Random(7)
    for _ in range(40):
        at = chance.randrange(text.index("\n") + 1, len(text))
        sign = chance.choice([one for one in '0123456789abcdefxyz"{}[],:' if one != text[at]])
        changed = text[:at] + sign + text[at + 1 :]
        Path("changed.jsonl").write_text(changed, encoding="utf-8")
        answer = shell("verify", "changed.jsonl", "--head", head)
        assert answer.code in (2, 5), (at, sign, text[at - 60 : at + 20])
        assert "fault of Affray" not in answer.err


# Secrecy: what is hidden moves nothing but leaves


def played(place: Path, system: str, sheets: dict[str, dict[str, Any]], said: list[list[str]]) -> list[Any]:
    """What the players' file of a new ledger holds, without leaves and digests."""
    place.mkdir()
    with chdir(place), redirect_stdout(StringIO()) as out, redirect_stderr(out):
        for file, sheet in sheets.items():
            Path(f"{file}.toml").write_text(toml(sheet), encoding="utf-8")
        commands = [["init", "T", "--system", system, "--key", KEY.hex()], *said,
                    ["export", "p.jsonl", "--player-safe"], ["verify", "p.jsonl"], ["verify"]]  # fmt: skip
        for command in commands:
            assert run(command) == 0, (command, out.getvalue()[-2000:])
        lines = [json.loads(line) for line in Path("p.jsonl").read_text(encoding="utf-8").splitlines()]
    kept = [{name: one for name, one in line.items() if name not in ("digest", "recorded_at")} for line in lines]
    return [*map(_without_leaves, kept)]


def _without_leaves(value: Any) -> Any:
    match value:
        case str() if re.fullmatch("([0-9a-f]{32}){1,2}", value):
            return "leaf" if value[32:] else "blind"
        case str():
            return re.sub("[0-9a-f]{64}", "commitment", value)
        case list():
            return [*map(_without_leaves, value)]
        case dict():
            return {name: _without_leaves(one) for name, one in value.items()}
    return value


WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12)
FEW = st.integers(1, 9)
"""A hidden number."""
HIDDEN = {"aachen": "ac", "arkm": "ac", "dungeoneers": "armor_value", "freepg": "hp", "paraverse": "av"}
"""What of a foe's stat block is hidden in it."""


@st.composite
def hidden(draw: st.DrawFn) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Two draws of everything that is hidden."""
    one = st.tuples(FEW, FEW, WORDS, WORDS, WORDS, FEW)
    return draw(one), draw(one)


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
@settings(max_examples=2, phases=(Phase.generate,))
@given(pair=hidden())
def test_hidden_values_move_nothing_but_leaves(system: str, pair: tuple[tuple[Any, ...], tuple[Any, ...]]):
    """A foe's stat block and its wounds, secret notes with their ids, reasons, hidden rolls: two ledgers that differ in
    these alone give players' files that differ in leaves, blinds and digests alone.
    """
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for nth, (number, bonus, text, reason, once, face) in enumerate(pair):
            foe, friend = sheets(system)
            count = {"dungeoneers": "stress", "paraverse": "pain"}.get(system, "hp-max")
            value = str(100 + number if count == "hp-max" else 1 + number // 2)  # too little pain to fall
            said = [
                ["join", "friend.toml"],
                ["join", "foe.toml"],
                ["adjust", "Foe", count, value, reason],
                ["note", text, "--secret", "--once", once],
                ["note", f"{text} {number}", "--about", "Foe"],
                ["roll", f"2d6+{bonus}", "--why", reason, "--secret"],
                ["roll", "1d20", "--who", "Foe", "--why", reason, "--secret"],
                ["roll", "1d20", "--why", reason, "--dice", str(face)],
                ["adjust", "Friend", count, value, reason, "--secret"],
                ["note", "All of us see this.", "--allow", reason],
                ["undo"],
                ["redo"],
                ["stir", "dragons"],
                ["amend", "e5", "--text", f"{reason} {text}", "--because", text, "--apply"],
                ["roll", "1d20", "--who", "Friend", "--why", "courage"],
            ]
            foe[HIDDEN[system]] = number
            files.append(played(Path(folder) / f"{nth}", system, {"friend": friend, "foe": foe}, said))
    assert files[0] == files[1]


def sheets(system: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A foe and a friend, from the shipped stat blocks."""
    folder = Path(systems.folder(system)) / "sheets"
    foe, friend = {
        "aachen": ("goblin", "adalger"), "arkm": ("orc", "ranger"), "dungeoneers": ("skeleton", "freya"),
        "freepg": ("brak", "boffin"), "paraverse": ("reaver", "sigrun"),
    }[system]  # fmt: skip
    made = []
    for file, name in ((foe, "Foe"), (friend, "Friend")):
        sheet = tomllib.loads((folder / f"{file}.toml").read_text())
        made.append({**sheet, "name": name})
    return made[0], made[1]


def test_what_is_open_in_a_copy_opens_nothing_that_is_closed_in_the_other(shell: Shell):
    """The first entry after a copy has the same number and the same digest before it in both. In one the ogre's hit
    points stay closed, or the entry is secret; in the other the same field is open, of Boffin. No blind that is shown
    opens a leaf that is closed, though the guesser tries the very texts that are behind them.
    """
    ledger = ["--ledger", "a.affray"]
    shell.done(*ledger, "init", "Table", "--system", "freepg", "--key", "00" * 32)
    shell.done(*ledger, "join", "boffin", "ogre")
    shell.done("copy", "a.affray", "b.affray")
    shell.done("copy", "a.affray", "c.affray")
    shell.done(*ledger, "adjust", "ogre", "hp", "17", "fell")
    shell.done("--ledger", "b.affray", "adjust", "ogre", "hp", "17", "fell", "--secret")
    shell.done("--ledger", "c.affray", "adjust", "boffin", "hp", "30", "fell")
    shown, closed = set[str](), set[str]()
    texts = dict[str, str]()
    for name, sides in (("a", "party"), ("b", "party"), ("c", "party"), ("a", "foes,party")):
        shell.done("--ledger", f"{name}.affray", "export", "file.jsonl", "--player-safe", "--sides", sides)
        parts = json.loads(Path("file.jsonl").read_text().splitlines()[3])["parts"]
        if "leaf" in parts:
            closed.add(parts["leaf"])
            continue
        for half in (parts["words"], parts["counts"], *(closed for _, closed in parts["events"])):
            if isinstance(half, str):
                closed.add(half)
            elif sides == "party":
                shown.add(half[0])
            else:
                texts[half[-1]] = half[0]
    assert len(closed) >= 3
    assert any("17" in text for text in texts)
    for blind in shown:
        for text in texts:
            framed = b"".join(len(one).to_bytes(8, "big") + one for one in (bytes.fromhex(blind), text.encode()))
            assert hashlib.sha256(framed).hexdigest() not in closed, text


# Length: what is hidden does not move any length either


LEAF = re.compile(rb"[0-9a-f]{32}")
BLOWS = {"aachen": 25, "arkm": 53, "dungeoneers": 61, "freepg": 26, "paraverse": 41}
"""The last entry of each demo in which somebody strikes."""


def given_out(place: Path, ledger: Path, system: str, nth: int) -> dict[str, bytes]:
    """All that players get of a ledger that somebody began with a demo, by the names of files: one of two evenings that
    differ only in what is secret, from the order of what happens in secret to the length of a true name.
    """
    place.mkdir()
    foe, _ = sheets(system)
    blow = [word for word in typed(ledger, BLOWS[system]) if "," not in word and word != "--dice"]
    count = {"dungeoneers": "stress", "paraverse": "pain"}.get(system, "hp-max")
    late = ["--allow", "late"] if system == "paraverse" else []
    secret = [
        blow,
        ["roll", "9d100", "--why", "an avalanche that buries the whole valley"],
        ["note", "no"],
        ["join", "lurker.toml", *late],
        ["note", "Nobody knows how long this secret is.", "--once", "an-id"],
        ["adjust", "Foe", count, "4", "a curse"],
    ]
    if nth:
        secret = [secret[at] for at in (2, 3, 4, 1, 5, 0)]
    public = [
        ["option", "hidden_dice", "yes"],
        ["roll", "1d20", "--who", "Foe"],
        ["note", "All of us see this."],
        ["roll", "3d6", "--who", "Foe"],
        ["roll", "2d8", "--who", "Foe"],
        ["note", "The end."],
    ]
    with chdir(place), redirect_stdout(StringIO()) as out, redirect_stderr(out):
        Path("foe.toml").write_text(toml({**foe, HIDDEN[system]: (7, 10)[nth]}), encoding="utf-8")
        Path("lurker.toml").write_text(
            toml({**foe, "name": ("Bo", "Zarquon-of-the-Hollow-Hill")[nth]}), encoding="utf-8"
        )
        seen = [["join", "lurker.toml", "--called", ("Al", "Aldegrim-the-Old")[nth], "--seen-as", "Stranger", *late]]
        said = [["import", str(ledger), "t.affray"], ["stir", "dragons"]]  # a stir hangs on all before it
        said += [["undo", f"e{BLOWS[system]}"], ["join", "foe.toml", *late], *seen]
        said += [words for both in zip(([*one, "--secret"] for one in secret), public, strict=True) for words in both]
        said += [["export", f"p.{ending}", "--player-safe"] for ending in ("jsonl", "md", "html", "csv", "zip")]
        if find_spec("pyarrow"):
            said += [["export", "parquet.zip", "--format", "parquet", "--player-safe"]]
            said += [["archive", "t.affray", "--to", "archive", "--player-safe"]]
        for words in said:
            assert run(words) == 0, (words, out.getvalue()[-2000:])
        files = [file for file in Path().rglob("*") if file.is_file() and file.suffix not in (".affray", ".toml")]
        found = {str(file): file.read_bytes() for file in files}
        with closing(SqliteStore.open("t.affray")) as store:
            view = Watched(store, systems.load(system).players)
            for entry, digest in store.entries(1, store.head().entry):
                view.take(entry, digest, events_of(entry))
    snapshot = view.snapshot()
    return {**found, "board": snapshot.whole, "stream": b"".join(message.sent for message in snapshot.messages)}


def typed(ledger: Path, number: int) -> list[str]:
    """The words of an entry of a demo."""
    words: str = json.loads(ledger.read_text(encoding="utf-8").splitlines()[number])["typed"]
    return shlex.split(words)


@pytest.mark.slow
@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_what_is_secret_changes_the_length_of_nothing(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A blow, a roll, a join, an adjustment and notes of other lengths, in another order; another true name and other
    values: every file, page, table, archive and stream for players is as long as before, and says the same.
    """
    monkeypatch.setattr("commands.action.book.time.strftime", lambda *_: NOON.rstrip("Z"))
    ledger = FIXTURES / system / "demo.jsonl"
    one, other = (given_out(tmp_path / f"{nth}", ledger, system, nth) for nth in range(2))
    assert {name: len(content) for name, content in one.items()} == {
        name: len(content) for name, content in other.items()
    }
    for name, content in one.items():
        if not name.endswith((".html", ".zip", ".parquet")):
            assert LEAF.sub(b"", content) == LEAF.sub(b"", other[name]), name
