"""The program inside of the page. Runs under Pyodide, in a worker: `static/worker.js` calls it for each line.

The working directory holds the files that the browser keeps. One of its ledgers is current: a session plays on it, and
the live page follows it.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO

import msgspec
from msgspec import Struct

from commands.action.book import Book
from commands.action.quoting import quoted
from commands.live.follow import Follower, Look, Sides
from commands.live.views import trouble
from commands.look.filters import Filters
from commands.seats.hand import ASKED, Hand, Tap
from commands.seen.record import Record
from commands.shell.cli import run, shell
from commands.shell.offers import Completions
from commands.shell.run import words_of
from commands.shell.session import Keyboard, Session
from commands.shell.tools import TOOLS
from commands.words.console import Console
from commands.words.discovery import ledgers, opened
from ledger import SUFFIX
from ledger.errors import AffrayError, LedgerDamaged, UsageError

_PLAYERS, _GM = "players", "gm"
"""The two views of the live page, as its server names them."""
_LEAVING = (["quit"], ["exit"])
_LONGEST = 60
"""The most signs of the name of a file that comes into the folder, before its ending and of it."""
_BESIDE = ("-journal", "-wal", "-shm")
"""How the names of files end that SQLite reads as part of a ledger beside them: nothing from outside is called so."""
_MOST_SAID = 300
"""The most signs of a verdict."""


class _Answer(Struct, frozen=True):
    """What somebody did at a question."""

    text: str
    left: str = ""
    """`interrupt` after Ctrl-C, `end` after Ctrl-D; "" after Enter."""


Ask = Callable[[str, str], _Answer]
"""Asks a question, with what stands at it already, and waits for the answer."""


class _Verdict(Struct, frozen=True):
    """What `verify` found in a ledger."""

    ledger: str
    sound: bool | None
    """None where the chain is sound, and the rules of this page make other events of some entries."""
    players: bool
    """Whether it is a file for players, from which no rule can be repeated."""
    head: int
    """The last entry that was checked."""
    text: str
    """What was checked and found, in a sentence or two."""


class _Sitting(Session):
    """A session whose questions the page asks."""

    def __init__(self, console: Console, ask: Ask) -> None:
        super().__init__(console)
        self._put, self._typed = ask, ""

    def read(self, question: str, default: str) -> str:
        """The line that somebody types in the page."""
        answer = self._put(question, default)
        self._typed = answer.text
        if answer.left:
            raise KeyboardInterrupt if answer.left == "interrupt" else EOFError
        return answer.text

    def read_unless(self, question: str, arrived: Callable[[], bool]) -> str | None:
        """The same: nobody else answers a page."""
        return self.read(question, "")

    def typed(self) -> str:
        """What stood there when they left."""
        return self._typed


class _Keys(Keyboard):
    """The keyboard of the page, from which nothing can be read but answers."""

    def readline(self) -> str:
        """The answer to a question that is printed already; "" after Ctrl-D."""
        try:
            return f"{self.ask('', False)}\n"
        except AffrayError:
            return ""


class Engine:
    """The program for one page. What it prints goes to the standard streams."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._stdin = sys.stdin
        self._sitting = _Sitting(Console(), ask)
        self.ledger = ""
        """The current ledger; "" when there is none."""
        self._veiled = False
        """Whether it holds only what the players see: it can be read, and nothing can be added up from it."""
        self._follower: Follower | None = None
        self._look = Look({})
        self._files: dict[str, tuple[int, int]] = {}

    # The terminal

    @property
    def sign(self) -> str:
        """What stands before the line that is typed."""
        return self._sitting.sign

    def state(self) -> str:
        """What the page shows besides, as JSON: the sign, the current ledger, all ledgers, and the other files."""
        files = sorted(one.name for one in os.scandir(".") if one.is_file() and not one.name.startswith("."))
        others = [name for name in files if not name.endswith((SUFFIX, *_BESIDE))]
        return _json(
            {"sign": self.sign, "ledger": self.ledger, "ledgers": ledgers("."), "files": others, "veiled": self._veiled}
        )

    def use(self, name: str) -> None:
        """Makes a ledger of this folder the current one; "" for none."""
        self._sitting.console.close()
        self.ledger, self._follower, self._look, self._veiled = name, None, Look({}), False
        self._sitting = _Sitting(Console(), self._ask)
        self._heard(self._sitting)
        os.environ.pop("AFFRAY_LEDGER", None)
        if name:
            os.environ["AFFRAY_LEDGER"] = name
            with suppress(AffrayError):
                self._veiled = self._sitting.console.book.store.is_for_players
            self._sitting.console.prompting = not self._veiled
            self.renew()

    def _heard(self, sitting: _Sitting) -> None:
        """Lets a session ask, where the browser can wait for an answer."""
        if self._stdin.isatty():
            sys.stdin = _Keys(self._stdin, sitting.ask)

    def renew(self) -> None:
        """Tells what another tab has recorded, and makes anew what is in view."""
        if self.ledger and not self._veiled:
            self._sitting.renew()

    def carry_out(self, line: str) -> bool:
        """Carries out one line, and says whether it succeeded."""
        try:
            words = words_of(line.strip().removeprefix("$ "))
            if words[:1] == ["--ledger"] and words[1:]:
                self._choose(words[1])
                words = words[2:] or ["status"]
            return not words or self._carried(words)
        except AffrayError as error:
            self._sitting.console.complain(error)
            return False

    def _choose(self, name: str) -> None:
        if name not in ledgers("."):
            there = ", ".join(ledgers(".")) or "none yet"
            raise UsageError(f"This browser keeps no ledger {name[:40]!r}.", f"There are: {there}.")
        if name != self.ledger:
            self.use(name)

    def _carried(self, words: list[str]) -> bool:
        if words in _LEAVING:
            self._sitting.console.whisper("Close the page to leave it. Your ledgers stay in this browser.")
            return True
        verb = self._sitting.verb(words[0]) or TOOLS.get(words[0])
        if verb and verb.has("not-browser"):
            message = f"{words[0]} does not work in a page, which has no server, no folder and no other program."
            raise UsageError(message, "It works where Affray is installed.")
        there = verb is None or not verb.has("not-prompt")
        if self.ledger and there and not self._veiled:
            return self._sitting.carry_out(" ".join(map(quoted, words)))
        if words[0][:1] == "?":
            words = ["help", *filter(None, [words[0][1:]]), *words[1:]]
        return self._alone(words, there)

    def _alone(self, words: Sequence[str], there: bool) -> bool:
        """Carries out a command as a process of its own would, on the current ledger where it may be `there`. A ledger
        that it makes is current afterwards.
        """
        before, console = {*ledgers(".")}, Console()
        self._heard(_Sitting(console, self._ask))
        if not there:
            os.environ.pop("AFFRAY_LEDGER", None)
        try:
            return run(words, console) == 0
        finally:
            console.close()
            new = sorted({*ledgers(".")} - before)
            self.use(new[0] if new else self.ledger)  # also where it failed: the ledger is named again

    def offers(self, line: str) -> str:
        """What the word at the end of a line may become, as JSON: for each what replaces how many characters, how it is
        shown, what it means, and whether it is hardly meant.
        """
        return _json([*Completions(self._sitting.console).at(line)])

    # The files

    def changes(self) -> str:
        """The names of the files that changed since the last call, and of those that are gone, as JSON."""
        before, self._files = self._files, {}
        for one in os.scandir("."):
            if one.is_file() and not one.name.startswith(".") and not one.name.endswith("-journal"):
                self._files[one.name] = one.stat().st_mtime_ns, one.stat().st_size
        changed = [name for name, stamp in self._files.items() if before.get(name) != stamp]
        return _json({"changed": changed, "gone": [name for name in before if name not in self._files]})

    def take(self, name: str) -> str:
        """A file that came into the folder: a ledger as it is, an export made into one. The verdict on it, as JSON."""
        ledger = name
        if not name.endswith(SUFFIX):
            ledger = self.free(name.rpartition(".")[0] + SUFFIX)
            code, _, wrong = _quietly("import", name, ledger)
            os.remove(name)
            if code:
                return _json(_Verdict("", False, False, 0, wrong.strip()))
        self.use(ledger)
        return self.verdict()

    def free(self, name: str) -> str:
        """A name for a file that comes into the folder: its own, or the next that is free."""
        plain = "".join(sign if sign.isprintable() and sign not in "/\\:" else "-" for sign in name)
        name = " ".join(plain.split()).lstrip(".-") or "file"
        stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
        stem, ending = stem[:_LONGEST], ending[:_LONGEST]
        if ending.casefold() == SUFFIX[1:]:
            ending = SUFFIX[1:]
        if ending.casefold().endswith(_BESIDE):
            ending += "-"
        name = f"{stem}{dot}{ending}"
        found = (name, *(f"{stem}-{nth}{dot}{ending}" for nth in range(2, 1000)))
        return next(one for one in found if not os.path.lexists(one))

    def renamed(self, name: str, other: str) -> None:
        """Gives a file another name, because another tab has taken this one."""
        was = self.ledger
        if was == name:
            self.use("")
        os.rename(name, other)
        self.changes()
        if was == name:
            self.use(other)

    # What verify says

    def verdict(self) -> str:
        """What `verify` finds in the current ledger, as JSON."""
        _, said, _ = _quietly("verify", "--json")
        if not said:  # Ctrl-C
            return _json(_Verdict(self.ledger, None, self._veiled, 0, "Not verified yet: it was interrupted."))
        return _json(_verdict(self.ledger, msgspec.json.decode(said)))

    # The live page

    def view(self, name: str, known: str) -> bytes:
        """What a view does not have yet whose last entry has this id: events of a stream, as the server sends them."""
        if not self.ledger:
            return trouble("There is no ledger yet.")
        if self._veiled:
            return trouble("This file for players holds no board. Its story is told.")
        if self._follower is None:
            self._follower = Follower(os.path.abspath(self.ledger), self._audiences(), lambda _: None)
        seen = self._look = self._follower.look()
        snapshot = seen.views.get(name)
        sent = snapshot.news(known) if snapshot and snapshot.id != known else []
        damaged = isinstance(seen.trouble, LedgerDamaged)
        return b"".join([*sent, trouble(seen.trouble.message if seen.trouble else "", damaged)])

    def desk(self, asked: str, tap: str) -> str:
        """What comes of a tap on the desk, as the server of a live page answers it."""
        try:
            if not self.ledger or self._veiled or asked not in ASKED:
                raise UsageError("There is no fight here that a desk can go on with.")
            return _json(ASKED[asked](Hand(self.ledger, shell()), msgspec.json.decode(tap, type=Tap)))
        except AffrayError as error:
            return _json({"error": error.reference, "say": error.message})
        except msgspec.MsgspecError as error:
            return _json({"error": "form", "say": str(error)})

    def digest(self, number: int) -> str:
        """The digest of an entry; "" where there is none."""
        snapshot = self._look.views.get(_PLAYERS)
        return snapshot.digest(number) if snapshot else ""

    def drawings(self, name: str) -> str:
        """The story and the heroes of a view, as HTML."""
        from commands.seen.page.render import drawings

        with closing(opened(self.ledger)) as store:
            return drawings(Record(Book(store), Filters(), sides=self._audiences()[name]))

    def story(self) -> str:
        """The chronicle of the current ledger, in Markdown; of what stands, where all of it is there."""
        return _quietly("export", "--format", "markdown", *([] if self._veiled else ["--standing"]))[1]

    def _audiences(self) -> dict[str, Sides]:
        return {_PLAYERS: (), _GM: None}


def _quietly(*words: str) -> tuple[int, str, str]:
    """Carries out a command that shows nothing in the terminal: its exit code, its output, and what was wrong."""
    said, wrong = StringIO(), StringIO()
    with redirect_stdout(said), redirect_stderr(wrong):
        code = run(words)
    return code, said.getvalue(), wrong.getvalue()


def _json(data: object) -> str:
    return msgspec.json.encode(data).decode()


def _verdict(ledger: str, found: dict[str, object]) -> _Verdict:
    """The verdict of the answer of `verify --json`."""
    players, entries = bool(found.get("players")), int(str(found.get("entries", 0)))
    error, findings = found.get("error"), found.get("findings")
    if isinstance(error, dict):
        text = str(error["message"])
        return _Verdict(ledger, False, players, entries, text[:_MOST_SAID] + "…" * (len(text) > _MOST_SAID))
    if isinstance(findings, list) and findings:
        text = (
            f"{entries} entries in one chain, which is sound. {len({one['entry'] for one in findings})} of them say"
            " that another version of the rules resolved them; by the rules of this page they come out differently."
        )
        return _Verdict(ledger, None, players, entries, text)
    text = f"Sound, rule by rule: {entries} entries in one chain, and every event and die comes out again."
    if players:
        text = (
            f"Sound: {entries} entries in one chain, with every half and every die that this players' file shows."
            " Nobody can repeat the rules without the rest."
        )
    return _Verdict(ledger, True, players, entries, text)


def begin() -> Engine:
    """The program for the page that started this Python."""
    from affray_page import ask  # what the worker registers
    from pyodide.ffi import can_run_sync, run_sync

    def answered(question: str, standing: str) -> _Answer:
        if not can_run_sync():
            return _Answer("", "end")
        found = run_sync(ask(question, standing))
        return _Answer(str(found.text), str(found.left))

    return Engine(answered)
