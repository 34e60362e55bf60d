"""The table as a program sits at it: carries out command lines as the shell does, and keeps what they answer."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import Any, Literal

import msgspec
from msgspec import Struct

from commands.action import cards, systems
from commands.action.book import Done
from commands.action.declaration import Declaration
from commands.action.names import find
from commands.look.boards import read_board
from commands.odds.choices import tree
from commands.seats.hand import card_of, still
from commands.words.command_lines import words_of
from commands.words.console import Console, problem
from commands.words.form import Table as Form
from commands.words.orders import SHARED, name_of
from commands.words.screen import harmless
from commands.words.sheet_files import example_files
from commands.words.shells import Shell
from ledger.chain import head_line
from ledger.errors import AffrayError, AlreadyRecorded, UsageError
from ledger.store import Head

from .guide import guide

Tool = Literal["look", "act", "needs"]
"""What a program can ask for: to see something, to do something, or what dice that would need."""
_MOST = 24_000
"""The most characters of an answer: some six thousand words of a language model."""
_LONGEST_NAME = 60
"""The most characters of a client's name that the record keeps."""
_FOLDERS = {"sheet": "sheets", "encounter": "encounters"}
"""For each kind of file that comes with the rules, its folder."""
_BY_PROGRAM = "roll"
"""What anybody may say of dice: that the program rolls them."""
_POWERS = "Only a server that was started by affray mcp --gm lets a program say it."
_OURS = re.compile(r" --dry-run\b| --once (\S*'[^']*'\S*|\S+)")
"""What is put into the lines of a program, and belongs into no hint."""


class Answered(Struct, frozen=True):
    """What a program is answered."""

    text: str
    data: dict[str, Any]
    failed: bool = False


class Refusal(UsageError):
    """Something that is not for a program to say."""

    reference = "not-for-you"


class Table(Console):
    """A ledger that a program plays on: the one that `$AFFRAY_LEDGER` names, so that no hint has to name it. Each call
    opens the ledger anew, as a command does.
    """

    role = "gm"
    says: Mapping[str, str] = {}

    def __init__(self, shell: Shell, gm: bool = False, folder: str = "") -> None:
        super().__init__()
        self.shell = shell
        self.gm = gm
        """Whether the program has the game master's own powers."""
        self.overrules = gm
        self.stoppable = False
        self.guide = guide(self.role)
        self.folder = folder
        """Where stat blocks and other files lie that it may name; "" for none but those that come with the rules."""
        self._tool: Tool = "look"
        self._done: list[Done] = []
        self._error: AffrayError | None = None

    # What a program may say

    def admit(
        self, name: str, card: cards.Verb | None, declaration: type[Declaration], values: Mapping[str, Any]
    ) -> None:
        """Raises Refusal for a verb or an option that is not for a program, or not for this tool."""
        if card is None or card.kind == "looks":
            return
        power = card.kind == "records" and not card.has("not-script")
        if card.by == "gm" and not (power and self.gm):
            raise Refusal(f"{name} is for the game master at a terminal.", _POWERS if power else "")
        if self._tool == "look":
            raise Refusal(f"{name} does not only look.", "The tools act and needs take it.")
        for option, settings in () if self.gm else SHARED.items():
            said = values.get(name_of(option))
            if "by" in settings and said and said != _BY_PROGRAM:
                raise Refusal(f"{option} is for the game master at a terminal.", _POWERS)

    def file(self, word: str, kind: str) -> str:
        """A file by its name: one that comes with the rules, or one in the folder, which is where the line is carried
        out. Raises Refusal for any other name, and for a path.
        """
        name = word.removesuffix(".toml")
        files = _files(self.folder)
        if f"{name}.toml" in files:
            return f"{name}.toml"
        shipped = example_files(_FOLDERS.get(kind, ""), self.system)
        if name.casefold() not in shipped or os.path.exists(name):
            known = sorted({*shipped, *(file.removesuffix(".toml") for file in files)})
            raise Refusal(
                f"There is no {kind} {word[:40]!r} here.",
                f"There are: {', '.join(known) or 'none'}. A server that was started by affray mcp --sheets FOLDER"
                " takes those of a folder, too.",
            )
        return name

    @property
    def asks(self) -> bool:
        """Nobody is there who can be asked."""
        return False

    # What it says

    def look(self, line: str) -> Answered:
        """What a verb that only looks prints."""
        return self._carry_out("look", [line])

    def act(self, lines: Sequence[str], once: str, head: str = "") -> Answered:
        """Carries out lines of a script, one after the other, up to the first that fails; each is recorded once under
        an id that belongs to its place. With the head line of what was seen, only if nothing was recorded since.
        """
        return self._carry_out("act", lines, once, head)

    def choices(self, who: str) -> Answered:
        """What somebody can do now, or with "" all who may act, and the head line of which it is true."""
        try:
            head, state = self.book.present()
            form = Form(state)
            return chosen(head, {one: [*tree(form, one)] for one in ([find(state, who)] if who else form.acting)})
        except AffrayError as error:
            text = "\n".join([error.message, *error.hint.splitlines()])
            return Answered(text, {"ok": False, "error": problem(error)}, True)
        finally:
            self.close()

    def needs(self, line: str) -> Answered:
        """The dice that an action needs, or what comes of one that needs none."""
        return self._carry_out("needs", [line])

    def _carry_out(self, tool: Tool, lines: Sequence[str], once: str = "", seen: str = "") -> Answered:
        self._tool, texts, entries = tool, list[str](), list[dict[str, Any]]()
        self._error = None
        recorded: list[int] = []
        try:
            recorded = self.book.written
            self.shown = still(self.book.store, seen, once)
            for nth, line in enumerate(lines, 1):
                self._done.clear()
                sound = len(recorded)
                text = self._say(line, f"{once}.{nth}" if once and nth > 1 else once)
                entries += [_told(self.as_data(one)) for done in self._done for one in (done, *done.then)]
                texts.append(f"Line {nth}, {harmless(line[:200])}: {text}" if self._error and len(lines) > 1 else text)
                if self._error:
                    if not isinstance(self._error, AlreadyRecorded):
                        del recorded[sound:]
                    break
                self.shown = None
        except AffrayError as error:  # the ledger cannot be opened, or went on
            self._error = error
            texts.append("\n".join([error.message, *error.hint.splitlines()]))
        finally:
            self.shown = None
            answer = self._answered(texts, entries, recorded)
            self.close()
        return answer

    def _answered(self, texts: list[str], entries: list[dict[str, Any]], recorded: list[int]) -> Answered:
        """What was said, what was recorded here, and how the fight goes on."""
        data: dict[str, Any] = {"ok": not self._error, **({} if self._tool == "look" else {"entries": entries})}
        with suppress(AffrayError):
            _, state = self.book.present()
            if recorded:
                data["recorded"] = [f"e{entry}" for entry in recorded]
            if self._tool == "act":
                board = read_board(state)
                texts.append("\n".join(map(harmless, board.lines())))
                due = [{"who": one.who, "what": one.what} for one in board.due]
                data |= {"now": board.now, "done": board.done, "next": board.next, "due": due}
        if self._error:
            data["error"] = problem(self._error)
            if self._tool == "act":
                texts.insert(-1, f"Recorded before that: {', '.join(data.get('recorded', ())) or 'nothing'}.")
        text = "\n".join(filter(None, texts))
        if len(text) > _MOST:
            text = f"{text[:_MOST]}\n... and {len(text) - _MOST:,} characters more; ask for less, as by log --last 20."
        return Answered(text, msgspec.to_builtins(data), self._error is not None)

    def _say(self, line: str, once: str) -> str:
        """Carries out one line, and gives what it prints."""
        heard = StringIO()
        with redirect_stdout(heard), redirect_stderr(heard), chdir(self.folder or os.curdir):
            try:
                words = words_of(line)
                if not words or words[0].startswith("-"):
                    raise UsageError("A line begins with a verb.", "affray help")
                self.json, self.making = False, ""
                self.shell.run(self._completed(words, once), self)
            except AffrayError as error:
                self.complain(error)
        return heard.getvalue().strip("\n")

    def _completed(self, words: list[str], once: str) -> list[str]:
        """The words with the id of the command, where one is recorded, or with what shows its dice."""
        length = len(systems.verb_of(words, systems.COMMON).split())
        card = card_of(self.shell, self.system, words)
        if card is None or card.kind != "records":
            return words
        added = ["--dry-run"] if self._tool == "needs" else ["--once", once] if once else []
        return [*words[:length], *added, *words[length:]]

    # What is answered

    def tell(self, done: Done) -> None:
        """Keeps the result of a recorded command, and prints it."""
        self._done.append(done)
        super().tell(done)

    def complain(self, error: AffrayError) -> int:
        """Keeps what went wrong, and prints it."""
        self._error = error
        error.hint = _OURS.sub("", error.hint)
        return super().complain(error)


def chosen(head: Head, could: Mapping[str, Sequence[str]]) -> Answered:
    """What some can do, with the head line of the ledger of which it is true."""
    seen = head_line(head.entry, head.digest)
    lines = [line for who, some in could.items() for line in (who, *(f"  {one}" for one in some))]
    said = "\n".join(map(harmless, lines)) or "Nobody may act now."
    return Answered(f"{said}\nhead: {seen}", {"ok": True, "head": seen, "choices": dict(could)})


def _files(folder: str) -> list[str]:
    """The names of the TOML files in a folder; none where it cannot be read."""
    with suppress(OSError):
        return [name for name in os.listdir(folder) if name.endswith(".toml")] if folder else []
    return []


def _told(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without its events, which the told lines say in words."""
    again = answer["again"]
    return {
        **{name: value for name, value in answer.items() if name not in ("ok", "events", "again")},
        **({"again": again["lines"]} if again else {}),
    }


def named(client: str) -> str:
    """Who gives the commands of a client, as the record keeps it: never the name of a person at the table."""
    name = harmless(" ".join(client[: 4 * _LONGEST_NAME].split()))
    return f"mcp:{name[:_LONGEST_NAME] or 'unnamed'}"
