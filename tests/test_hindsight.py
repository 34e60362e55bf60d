"""The law: a correction equals hindsight.

For any fight, and any correction of an earlier entry, the amended ledger is in the state of a table that had said it
right the first time, on the same dice, and had then gone on as it did go on (`tests/hindsight.py` is that table).
`AFFRAY_CORRECTIONS=10000` tries more than the sample; `.ci/run` tries 500.
"""

import io
import json
import os
import shlex
import shutil
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order
from commands.action.common import Init
from commands.action.declaration import Declaration, shapes
from commands.action.resolution import Needed
from commands.past.perform import perform
from commands.shell.cli import run
from commands.words.toml_lines import toml
from ledger.dice import committed
from ledger.errors import AffrayError
from ledger.sqlite import SqliteStore
from tests.kit import KEY, verb_of
from tests.scheduler import Evening, Table, evening
from tests.table import STEPS, Line, Missing, Supply
from tests.test_golden import STORIES, tell

CORRECTIONS = int(os.environ.get("AFFRAY_CORRECTIONS", "12"))
SHARES = 6
"""Parts of the sample, each of which is a test."""
KINDS = ("die", "die", "target", "target", "option", "mod", "drop", "insert", "sheet", "step")


def quiet(*words: str) -> tuple[int, dict[str, Any]]:
    """A command of this process that answers in JSON."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(words)
    last = out.getvalue().splitlines()[-1:] or err.getvalue().splitlines()[-1:]
    return code, json.loads(last[0]) if last and last[0].startswith("{") else {"says": err.getvalue()}


# Fights


def said_at_random(system: str, seed: int) -> list[tuple[Declaration, str]]:
    """What is said in a random fight of a system, with what is allowed."""
    random = Random(seed)
    if system == "freepg":
        from commands.rules.freepg.encounter import Begin
        from commands.rules.freepg.turns import Initiative
        from tests.freepg.table import boffin, grub, jane
        from tests.freepg.test_random_turns import said

        names = ("Boffin", "Grub", "Jane")
        start: list[Declaration] = [boffin(), grub(), jane(), Begin(), Initiative()]
        return [(one, "") for one in start] + [(said(random, names), random.choice(("", "", "why"))) for _ in range(90)]
    fight = import_module(f"tests.{system}.test_random").Fight(seed)
    fight.play(4)
    found: list[tuple[Declaration, str]] = fight.said
    return found


def play_at_random(system: str, seed: int, path: str) -> None:
    """Records a random fight. In every other one the dice are thrown by hand."""
    random = Random(seed)
    book = Book(SqliteStore.create(path, KEY))
    book.play()
    if system == "dungeoneers":
        import_module("tests.dungeoneers.test_properties").play(book, random, 3)
    elif system == "aachen":
        import_module("tests.aachen.test_random").Fight(seed, book.store).play(3)
    else:
        said = said_at_random(system, seed)
        ask = (lambda pool: [random.randint(1, question.sides) for question in pool]) if seed % 2 else None
        perform(book, Order("init", Init("Random", system, committed(KEY))))
        for declaration, allow in said:
            try:
                perform(book, Order(verb_of(declaration), declaration, ask=ask, allow=allow))
            except (AffrayError, Needed):
                continue
    book.keep()
    book.store.close()


FOLDER = tempfile.TemporaryDirectory()


@cache
def fight(at: int) -> tuple[str, str]:
    """A ledger with a fight, and its name: the stories first, then random evenings of each system in turn."""
    path = f"{FOLDER.name}/{os.getpid()}-{at}.affray"
    if at < len(STORIES):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            tell(STORIES[at], Path(path))
        return path, f"{STORIES[at].parent.name}/{STORIES[at].stem}"
    system, seed = systems.SYSTEMS[at % len(systems.SYSTEMS)], at
    play_at_random(system, seed, path)
    return path, f"{system}, random evening {seed}"


# Corrections


class Correction(Struct):
    """A correction, as it is typed, and what the table would have said instead."""

    words: list[str]
    at: int
    """Which line it concerns."""
    instead: list[Line]
    """What is said in its place; nothing when it is left out."""


def correction(random: Random, kind: str, lines: list[Line], state: Any, folder: str) -> Correction | None:
    """A correction of some kind; None when the fight has nothing of that kind to correct."""
    chosen = [at for at, line in enumerate(lines) if _fits(kind, line) and not line.instant and line.verb != "init"]
    chosen = [at for at in chosen if not lines[at - 1].instant]
    if not chosen:
        return None
    at = random.choice(chosen)
    line = lines[at]
    words = ["amend", f"e{line.entry}"]
    if kind == "drop" or (kind == "step" and random.random() < 0.5):
        return Correction([*words, "--drop"], at, [])
    if kind == "insert":
        other = random.choice(
            [one for one in lines if not one.instant and one.verb in ("note", "attack", "pass")] or [None]
        )
        if other is None or other.verb != "attack":
            note = Line(0, 0, "note", {"text": "He was there all the time."})
            return Correction([*words, "--insert", "note 'He was there all the time.'"], at, [note, line])
        target = other.said.get("target", "")
        names = target if isinstance(target, str) else ",".join(target)
        who = other.said["who"]
        said = {"who": who}
        if names:
            said["target"] = target if isinstance(target, str) else list(target)
        put_in = Line(0, 0, "attack", said, allow="he did")
        return Correction([*words, "--insert", f"attack {who} {names} --allow 'he did'"], at, [put_in, line])
    if kind == "die":
        by_hand = [die for die in line.dice if die.by_hand and die.face]
        faces = tuple(random.randint(1, die.kind[2]) for die in by_hand)
        said = ["--dice", ",".join(map(str, faces)), "--because", "misread"]
        return Correction([*words, *said], at, [replace(line, by_hand=faces)])
    if kind == "sheet":
        return _sheet(random, line, words, at, folder)
    changed = _change(random, kind, line, state)
    if changed is None:
        return None
    field, value, option = changed
    return Correction([*words, *option], at, [replace(line, said={**line.said, field: value}, was=line.said)])


def _fits(kind: str, line: Line) -> bool:
    """Whether a line can be corrected so."""
    if kind == "die":
        return any(die.by_hand and die.face for die in line.dice)
    if kind == "sheet":
        return line.verb == "join" and len(line.said["sheets"]) == 1
    if kind == "step":
        return line.verb in (*STEPS, "begin")
    if kind == "target":
        return bool(line.said.get("target"))
    return line.verb not in ("init", "option")


def _sheet(random: Random, line: Line, words: list[str], at: int, folder: str) -> Correction:
    """A number of a stat block was wrong from the start."""
    sheet = dict(line.said["sheets"][0])
    numbers = [name for name, value in sheet.items() if isinstance(value, int) and not isinstance(value, bool)]
    if numbers:
        name = random.choice(numbers)
        sheet[name] = max(1, sheet[name] + random.choice((-2, -1, 1, 2, 5)))
    path = Path(folder) / "sheet.toml"
    path.write_text("".join(f"{name} = {toml(value)}\n" for name, value in sheet.items()))
    said = {**line.said, "sheets": [sheet]}
    return Correction([*words, "--sheets", str(path)], at, [replace(line, said=said)])


def _change(random: Random, kind: str, line: Line, state: Any) -> tuple[str, Any, list[str]] | None:
    """Another value of a field, and the option that says so."""
    _, declaration = systems.procedure(systems.find_verb(state.campaign.system, line.verb))
    names = state.roster.order
    found: list[tuple[str, Any, list[str]]] = []
    for field, shape in shapes(declaration):
        option = f"--{field.name.rstrip('_').replace('_', '-')}"
        is_target = field.name == "target"
        if kind == "mod":
            if field.name == "mod":
                given = [*line.said.get("mod", ()), "1:luck"]
                found.append(("mod", given, [word for one in given for word in ("--mod", one)]))
        elif is_target is not (kind == "target") or not names:
            continue
        elif shape.word == "fighter":
            name = random.choice(names)
            found.append((field.name, name, [option, name]))
        elif shape.word in ("fighters", "blows"):
            name = random.choice(names)
            found.append((field.name, [name], [option, name]))
        elif shape.choices:
            choice = random.choice(shape.choices)
            found.append((field.name, choice, [option, str(choice)]))
        elif shape.base is int:
            number = random.randint(0, 9)
            found.append((field.name, number, [option, str(number)]))
        elif shape.base is bool:
            said = not line.said.get(field.name, field.default)
            found.append((field.name, said, [option if said else f"--no-{option[2:]}"]))
    return random.choice(found) if found else None


# The law


def corrected(ledger: str, words: list[str]) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Applies a correction, as its answers say how: with the program's dice where thrown ones are missing, and with the
    losses that it counts. Gives the exit code, the answer, and the preview of the last try.
    """
    words = [*words, "--apply"]
    for _ in range(4):
        code, answer = quiet("--ledger", ledger, *words, "--json")
        if not code:
            return code, answer, {}
        error = answer.get("error", {})
        says = str(error.get("message", ""))
        if "More dice are needed" in says and "--dice" not in words:
            assert error["hints"][0].startswith("affray amend "), answer
            words = [*words, "--dice", "roll"]
        elif "More dice are needed" in says and not words[words.index("--dice") + 1].endswith("roll"):
            words[words.index("--dice") + 1] += ",roll"
        elif "More dice are needed" in says:
            hint = shlex.split(error["hints"][0])
            words = hint[1:]
        elif "would be lost" in says:
            hint = shlex.split(error["hints"][0])
            ways = [(loss["hint"], f"affray amend e{loss['entry']} ") for loss in answer["losses"]]
            assert all(way.startswith(begins) and way.endswith(" --apply") for way, begins in ways), answer
            assert hint[1] == "amend", answer
            words = [*words, "--lose", str(len(answer["losses"]))]
        else:
            break
    return code, answer, {}


def check(at: int, seed: int, folder: str) -> str:
    """One correction of one fight; what differs from hindsight, or "" when nothing does."""
    random = Random(seed)
    original, name = fight(at)
    ledger = f"{folder}/{seed}.affray"
    shutil.copy(original, ledger)
    book = Book(SqliteStore.open(ledger))
    try:
        state, before = book.present()[1], evening(book.store)
        made = None
        for kind in random.sample(KINDS, len(KINDS)):
            if made := correction(random, kind, before.lines, state, folder):
                break
        if made is None:
            return ""
        book.store.close()
        words = f"{name}, seed {seed}: affray {shlex.join(made.words)}"
        code, answer, _ = corrected(ledger, made.words)
        book = Book(SqliteStore.open(ledger))
        if code == 70 or "says" in answer:
            return f"{words}: {answer}"
        found = judged(book, before, made, code, answer)
        if found:
            return f"{words}: {found}"
        if not code and answer["losses"]:
            way = random.choice(answer["losses"])["hint"]
            code, answer, _ = corrected(ledger, shlex.split(way.removesuffix(" --apply"))[1:])
            if code:
                return f"{words}: the way out is refused, {way}: {answer}"
        if random.random() < 0.5:
            code, answer = quiet("--ledger", ledger, "verify", "--json")
            if code:
                return f"{words}: verify says {answer}"
        return ""
    finally:
        book.store.close()
        os.unlink(ledger)


def judged(book: Book, before: Evening, made: "Correction", code: int, answer: dict[str, Any]) -> str:
    """What differs between an amended ledger and the table that had said it right; "" when nothing does."""
    recorded = not code and answer.get("entry")
    supply = Supply(book.store, answer["entry"]) if recorded else Supply(None, 0)
    at = made.at
    while at and before.lines[at - 1].instant:
        at -= 1
    first = before.lines[at].entry
    table = Table(before.starts[first], supply, before.when, before.when[first].names)
    try:
        table.play([*before.lines[at : made.at], *made.instead, *before.lines[made.at + 1 :]])
    except Missing as missing:
        return "" if code else f"no die for {missing}, after {[(one.entry, one.verb) for one in table.typed]}"
    mine = {line.entry for line in made.instead} | {0}
    forbidden = [
        why for entry, why in {**table.lost, **table.fallen}.items() if entry in mine and not _only_put_in(made, entry)
    ]
    if code:
        return "" if forbidden or _misfit(made) else f"refused, {answer}; the table could have said it"
    if forbidden:
        return f"recorded, but {forbidden}"
    lost = {loss["entry"]: loss["why"] for loss in answer["losses"]}
    if {*lost} != {*table.lost}:
        return f"lost {lost}, by the table {table.lost}"
    if book.present()[1].digest() != table.state.digest():
        said = [(line.entry, line.verb) for line in table.typed if not line.entry or line.out_of_order]
        return f"another state; put in {said}, fallen {table.fallen}, lost {lost}"
    return ""


def _only_put_in(made: Correction, entry: int) -> bool:
    """Whether an entry is only the one before which something is put in."""
    return len(made.instead) > 1 and entry != 0


def _misfit(made: Correction) -> bool:
    """Whether the words themselves were wrong, as two faces where three dice fall."""
    return False


@pytest.mark.parametrize("share", range(SHARES))
def test_a_correction_equals_hindsight(share: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in os.environ if name.startswith("AFFRAY") and name != "AFFRAY_CORRECTIONS"]:
        monkeypatch.delenv(name)
    evenings = max(len(STORIES) // 2, CORRECTIONS // 20)
    for seed in range(share, CORRECTIONS, SHARES):
        found = check(Random(seed).randrange(len(STORIES) + evenings), seed, str(tmp_path))
        assert not found, found
