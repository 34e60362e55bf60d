"""A shell for tests: commands of this process or of one of their own, and ledgers made by hand."""

import contextlib
import hashlib
import hmac
import json
import os
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commands.action import systems
from commands.action.book import PROGRAM, Book, Order, events_of
from commands.action.common import Init
from commands.action.declaration import Declaration
from commands.past.perform import perform
from commands.shell.cli import run
from ledger.chain import Entry
from ledger.dice import committed
from ledger.events import Event, Ruled, encode, split
from ledger.sqlite import SqliteStore
from tests import refusals
from tests.kit import KEY, verb_of

HERE = f"{PROGRAM} {systems.rules('freepg')}"
"""What entries say of the program that is tested."""
NOON = "2026-05-01T12:00:00Z"
ROOT = Path(__file__).parents[1]
LAUNCH = ROOT / "commands" / "launch"
"""The folder that holds the launcher, the package `affray`."""


class Answer(NamedTuple):
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on standard output."""
        (line,) = self.out.splitlines()
        return json.loads(line)


def _no_files(folder: str, names: list[str]) -> list[str]:
    """What cannot be copied, such as a pipe."""
    return [name for name in names if Path(folder, name).is_fifo()]


class Shell:
    """Carries out commands in this process, in the folder where it stands."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> Answer:
        answer = self._typed(*words)
        for line in answer.err.splitlines() if answer.code else ():
            if line.startswith("Try: affray "):
                self._try(words, line.removeprefix("Try: "))
        return answer

    def _typed(self, *words: str) -> Answer:
        self.capsys.readouterr()
        code = run(words)
        return Answer(code, *self.capsys.readouterr())

    def _try(self, refused: tuple[str, ...], hint: str) -> None:
        """Types what a refusal offers, in a copy of this folder, and of the campaign in a database that is meant: it is
        not refused in turn.
        """
        words = shlex.split(hint)[1:]
        ledger = [*refused[:2]] if refused[:1] == ("--ledger",) else []
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(".", copy, dirs_exist_ok=True, symlinks=True, ignore=_no_files)
            with contextlib.chdir(copy):
                meant = os.environ.get("AFFRAY_LEDGER", "")
                if meant.startswith("postgresql:") and self._typed("copy", meant, "copied.affray").code == 0:
                    ledger = ledger or ["--ledger", "copied.affray"]
                again = self._typed(*ledger, *words)
        assert again.code == 0 or "verify" in words, f"{refused} offers `{hint}`, which fails: {again.err}"

    def done(self, *words: str) -> str:
        """What a command prints that succeeds."""
        answer = self(*words)
        assert answer.code == 0, answer
        return answer.out

    def facts(self, *words: str) -> Any:
        """What a command that succeeds says in JSON."""
        return json.loads(self.done(*words, "--json"))

    def value(self, name: str) -> str | None:
        """What `show` says of something now, such as `Grub.hp` or `round`; None where it says nothing."""
        value: str | None = self.facts("show")["values"].get(name)
        return value

    def course(self, *words: str) -> dict[int | None, tuple[str, int | None]]:
        """What an amendment makes of each entry, and as which entry it stands now."""
        return {one["entry"]: (one["outcome"], one.get("now")) for one in self.facts("amend", *words)["course"]}

    def refused(
        self, *words: str, code: int = 1, says: str = "", clause: str = "", ledger: str = "test.affray"
    ) -> Answer:
        """A command fails with one clear sentence, by a clause if one is named, and nothing is recorded. Where the
        test `says` nothing of the sentence, it stands in `fixtures/refused`.
        """
        before = Path(ledger).read_bytes() if os.path.isfile(ledger) else None
        answer = self(*words)
        assert answer.code == code, answer
        clear(answer, f"Refused by {clause}: " if clause else says)
        if not says:
            refusals.check_said(answer.err or answer.out)
        after = Path(ledger).read_bytes() if os.path.isfile(ledger) else None
        assert before == after
        return answer


def ledger_here() -> str:
    """The one ledger of this folder."""
    (name,) = Path().glob("*.affray")
    return str(name)


def recorded(entry: int = 0) -> tuple[Event, ...]:
    """The facts of an entry of the ledger in this folder; without a number, of the last."""
    with contextlib.closing(SqliteStore.open(ledger_here())) as store:
        return events_of(store.entry(entry or store.head().entry))


def rulings(clause: str, entry: int = 0) -> list[tuple[str, list[int]]]:
    """Outcome and totals of each ruling by a clause in an entry."""
    found = [event for event in recorded(entry) if isinstance(event, Ruled) and event.clause == clause]
    return [(event.outcome, [number.total for number in event.numbers]) for event in found]


def terms(clause: str, entry: int = 0) -> dict[str, int]:
    """What the numbers of all rulings by a clause in an entry are made of: each reason with its value."""
    found = [event for event in recorded(entry) if isinstance(event, Ruled) and event.clause == clause]
    return {
        step.reason: -step.value if step.op == "-" else step.value
        for event in found
        for number in event.numbers
        for step in number.steps
    }


def aside(act: dict[str, Any]) -> list[tuple[str, int, str]]:
    """The dice that an entry of an amendment sets aside: who threw each, what it showed and what for."""
    return [(die["who"], die["face"], die["purpose"]) for die in act["aside"]]


def clear(answer: Answer, says: str) -> None:
    """One sentence on standard error, without a traceback and without a sign that a terminal would obey."""
    said = answer.err or answer.out
    assert says in said, said
    assert "Traceback" not in said
    assert "fault of Affray" not in said
    assert len(said) < 2000
    assert "\x1b" not in said


def affray(*words: str, cwd: Path, stdin: str | bytes | None = "", env: dict[str, str] | None = None) -> Answer:
    """A command in a process of its own."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(command(*words), cwd=cwd, input=given, capture_output=True, env=environment(env), timeout=60)
    return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def command(*words: str) -> list[str]:
    """The words of a process that carries out a command."""
    return [sys.executable, "-m", "affray", *words]


def environment(more: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a test's own processes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AFFRAY", "_AFFRAY"))}
    return {**kept, "PYTHONPATH": str(LAUNCH), "AFFRAY_BY": "tester", "COLUMNS": "1000", **(more or {})}


def new_book(path: Path | str, name: str = "Test") -> Book:
    """A new ledger with its first entry. Its dice are those of `KEY`, and it is always noon."""
    book = Book(SqliteStore.create(str(path), KEY), by="tester", clock=lambda: NOON)
    say(book, Init(name, "freepg", committed(KEY)))
    return book


def say(book: Book, declaration: Declaration, **order: Any) -> int:
    """Records a declaration, and gives the number of its entry."""
    verb = verb_of(declaration)
    return perform(book, Order(verb, declaration, order.pop("typed", verb), **order)).entry


def write(store: SqliteStore, events: Iterable[Event], **fields: Any) -> None:
    """Appends an entry by hand, whatever any rule says of it."""
    with store.writing() as head:
        number = head.entry + 1
        entry = {
            "entry": number, "after": head.entry, "command": number, "origin": number, "drawn": head.drawn,
            "hidden": head.hidden, "recorded_at": NOON, "by": "tester", "typed": "by hand", "program": HERE, "once": "",
        }  # fmt: skip
        events = tuple(events)
        bodies = [*map(encode, events)]
        halves = {"bodies": tuple(map(bytes.decode, bodies)), "splits": tuple(map(split, events, bodies))}
        store.append(Entry(**{**entry, **halves, **fields}), head)


def foreign(path: Path | str) -> sqlite3.Connection:
    """Another program's connection, with the settings that SQLite has by itself."""
    return sqlite3.connect(path, isolation_level=None)


@contextlib.contextmanager
def without_guards(path: Path | str) -> Iterator[sqlite3.Connection]:
    """A connection that may change anything: the triggers are gone meanwhile, and back afterwards."""
    db = foreign(path)
    guards = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        db.execute(f"DROP TRIGGER {name}")
    yield db
    for _, sql in guards:
        db.execute(sql)
    db.close()


def forge(path: Path | str, *changes: str | tuple[str, Sequence[Any]]) -> None:
    """Changes a ledger as somebody could who removes its triggers first, and leaves no trace of that."""
    with without_guards(path) as db:
        for change in changes:
            statement, values = (change, ()) if isinstance(change, str) else change
            assert db.execute(statement, values).rowcount, statement


def chain_anew(path: Path | str) -> None:
    """Makes every number and digest follow again from what stands in the ledger, as a careful forger would."""
    previous = "0" * 64
    with without_guards(path) as db:
        number_anew(db)
        [(key,)] = db.execute("SELECT key FROM keys")
        for row in db.execute("SELECT * FROM entries ORDER BY entry").fetchall():
            number = row[0]
            events = db.execute("SELECT body, split FROM events WHERE entry = ? ORDER BY seq", (number,)).fetchall()
            previous = digest_by_the_book(bytes.fromhex(key), previous, row[:-1], events)
            db.execute("UPDATE entries SET digest = ? WHERE entry = ?", (previous, number))
        db.execute("DELETE FROM checkpoints")


def number_anew(db: sqlite3.Connection) -> None:
    """Numbers the events without gaps."""
    for number, (seq,) in enumerate(db.execute("SELECT seq FROM events ORDER BY seq").fetchall(), 1):
        db.execute("UPDATE events SET seq = ? WHERE seq = ?", (number, seq))


def seal_by_the_book(bodies: Sequence[str]) -> str:
    """The seal of an entry, written from `docs/store.md` and not from the code."""
    try:
        events = [json.loads(body) for body in bodies]
        said = events[0]["said"].get("who")
    except (ValueError, LookupError, RecursionError):
        return ""
    if events[0].get("secret"):
        return "secret"
    waits = [one["who"] for one in events if one["event"] == "awaited" and not one.get("answerable")]
    fell = [one for one in events if one["event"] == "rolled" and one["faces"]]
    return f"plan {said}" if said in waits and not fell else ""


def digest_by_the_book(key: bytes, previous: str, fields: Sequence[Any], events: Sequence[tuple[str, int]]) -> str:
    """The digest of an entry, written from `docs/store.md` and not from the code. `fields` are those of its row up to
    `once`, `events` their bodies and splits.
    """

    def framed(*texts: bytes) -> bytes:
        return b"".join(struct.pack(">Q", len(text)) + text for text in texts)

    entry, after, command, origin, drawn, hidden, recorded_at, by, typed, program, once = map(str, fields[:11])
    of_blinds = hmac.digest(key, b"blinds 0", "sha256")

    opened = [body.encode()[:at] for body, at in events]
    parts = [[by.encode(), typed.encode(), once.encode()], [drawn.encode(), hidden.encode()]]
    parts += [[body.encode()[at:]] for body, at in events if body.encode()[at:]]
    covered = [*opened, *(text for part in parts for text in part)]
    seed = hmac.digest(of_blinds, framed(previous.encode(), entry.encode(), *covered), "sha256")

    def blinds(place: object) -> bytes:
        return hashlib.sha256(framed(seed, str(place).encode())).digest()

    leaves = [hashlib.sha256(framed(*opened)).digest()]
    for nth, part in enumerate(parts):
        blind = blinds(nth // 2)[16:] if nth % 2 else blinds(nth // 2)[:16]
        leaves.append(hashlib.sha256(framed(blind, *part)).digest())
    seal = seal_by_the_book([body for body, _ in events])
    if seal:
        leaves = [hashlib.sha256(framed(blinds("seal")[:16], b"".join(leaves))).digest()]
    heading = ["affray entry 1", previous, entry, after, command, origin, recorded_at, program, seal]
    return hashlib.sha256(framed(*map(str.encode, heading), b"".join(leaves))).hexdigest()
