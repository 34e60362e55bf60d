"""A session: one command after another on one ledger, however their lines are typed. Runs nothing but verbs."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TextIO

from commands.action.book import events_of
from commands.action.cards import Verb
from commands.action.names import DUE, TURN, acting
from commands.action.quoting import quoted
from commands.action.seats import SetAside
from commands.action.systems import begun
from commands.look.boards import Board, read_board
from commands.look.chapters import changes_course
from commands.seats.aside import set_aside
from commands.words.command_lines import words_of
from commands.words.console import Console
from commands.words.dice_words import BACK
from commands.words.screen import harmless
from ledger.errors import AffrayError, UsageError
from ledger.store import Stamp
from projections.narration import deeds_first, told
from projections.state import State

from .cli import run
from .group import GROUP

_LEAVING = (["quit"], ["exit"])
"""What leaves the prompt when it is typed."""
_STOP = ["q"]
"""What stops an answer that is shown page by page, and is often typed once too often."""
_RELYING = (TURN, f"@{DUE}")
"""Words that mean what the board shows."""
_NEWS = 20
"""The most entries of others that are told at once."""
_QUESTION = re.compile(r"(.*?): [^:]* for (.*?)(?: \(.*\))?\? $")
"""A question about dice: whose they are, and what they are for."""
_ABOUT = re.compile(r" \(.*\)(?=\? $)")
"""Against whom, in such a question."""
_TABLE = "The table"
"""Stands there for nobody in particular."""
_FACES = re.compile(r"(-|[0-9]+)(,(-|[0-9]+))*")
"""Dice, as they are typed alone."""
_LEFT = 130
"""The exit code of a command that somebody left with Ctrl-C."""
_NAMES = 3
"""The most names in front of the prompt's sign."""


class Session(ABC):
    """Commands on one ledger, with what was shown before each of them. Each kind of prompt says how keys are read."""

    def __init__(self, console: Console) -> None:
        self.console = console
        console.short = True
        self.left = False
        """Whether somebody typed quit, or exit."""
        self._stamp: Stamp | None = None
        """The file as it was then."""
        self._turn, self._line = "affray", ""
        self._board: tuple[State, Board] | None = None
        self._answers: list[tuple[str, str]] = []
        """The questions about dice of the command under way, or of the last one when that recorded nothing; each with
        what was typed.
        """
        self._kept: list[tuple[str, str]] = []
        """Those of tries before, which this one has not asked again."""
        self._taken_back: list[tuple[str, str]] = []
        """The one that was just taken back."""
        self._meant: list[str] = []
        """The line that was refused last, if it was an action: dice alone mean it then."""
        self._secretly = False
        """Whether that command was said in secret."""

    @abstractmethod
    def read(self, question: str, default: str) -> str:
        """The line that somebody types at a question, where `default` stands already. Raises KeyboardInterrupt after
        Ctrl-C, EOFError after Ctrl-D.
        """

    @abstractmethod
    def read_unless(self, question: str, arrived: Callable[[], bool]) -> str | None:
        """The line that somebody types at a question, unless something arrives meanwhile; then None. Raises as `read`
        does.
        """

    @abstractmethod
    def typed(self) -> str:
        """What stands at a question that was left."""

    def obey(self, words: list[str]) -> int:
        """Carries out the words of a command, and gives its exit code."""
        return run(words, self.console)

    def tell_where(self) -> None:
        """Tells the last entry that stands, for those who play on."""
        store, verbs = self.console.book.store, self.console.book.verbs
        for first, last in store.course(store.head().entry):
            for entry, _ in reversed([*store.entries(max(first, last - _NEWS), last)]):
                if entry.entry > 1 and not changes_course(events := events_of(entry)):
                    self.console.say(f"The record stops here, {entry.recorded_at[:16].replace('T', ' ')}:")
                    self.console.narrate(deeds_first(told(events, verbs))[:1], f"e{entry.entry}")
                    return

    def ask(self, question: str, for_dice: bool) -> str:
        """The answer to a question, with the board in view. Looks are answered while it is open. After Ctrl-C dice that
        were typed are offered again by the next try. Raises Unanswered after Ctrl-C and Ctrl-D.
        """
        kept = self._offered(question) if for_dice else ""
        while True:
            try:
                line = self.read(question, kept)
            except (KeyboardInterrupt, EOFError):
                if for_dice and (typed := self.typed()):
                    self._answers.append((question, typed))
                dice = " ".join(filter(None, (typed.strip() for _, typed in (*self._answers, *self._kept))))
                again = f" The dice are kept for the next try: {dice}" if dice else ""
                raise _Unanswered(f"Nothing was recorded.{again}") from None
            if not self._looks(line):
                break
        if for_dice and line.strip() == BACK:
            self._kept[:0] = [(question, kept)] if kept else []
            self._taken_back, self._answers[-1:] = self._answers[-1:], []
        elif for_dice:
            self._answers.append((question, line))
        return line

    def ask_unless(self, question: str, arrived: Callable[[], bool]) -> str | None:
        """The answer to a question about dice that somebody else may answer too; None where they did. Looks are
        answered while it is open. Raises Unanswered after Ctrl-C and Ctrl-D.
        """
        while True:
            try:
                line = self.read_unless(question, arrived)
            except (KeyboardInterrupt, EOFError):
                raise _Unanswered("Nothing was recorded.") from None
            if line is None or not self._looks(line):
                return line

    def refuse(self) -> None:
        """Forgets the last answer about dice, which was none."""
        del self._answers[-1:]

    def give_up(self) -> None:
        """Records as set aside what was typed for dice of a command that was given up."""
        thrown, self._answers, self._kept = [*self._answers, *self._kept], [], []
        for question, line in thrown:
            faces = tuple(int(word) for word in line.replace(",", " ").split() if word.isdigit() and len(word) < 4)
            if faces and (asked := _QUESTION.match(question)):
                who = "" if asked[1] == _TABLE else asked[1]
                with suppress(AffrayError):
                    said = SetAside(who, faces, asked[2], "given up")
                    self.console.tell(set_aside(self.console.book, said, secret=self._secretly))

    def _offered(self, question: str) -> str:
        """What was typed before for this question, or for the same dice against somebody else: they belong to who threw
        them and what for. "" when there is nothing.
        """
        back, self._taken_back = self._taken_back, []
        if back and back[0][0] == question:
            return back[0][1]
        for at, (asked, line) in enumerate(self._kept):
            if _ABOUT.sub("", asked) == _ABOUT.sub("", question):
                del self._kept[at]
                return line
        return ""

    def _looks(self, line: str) -> bool:
        """Carries out a verb that only looks, such as map or status, while a question is open; also by a beginning that
        could be several verbs, of which no other is said there. Says whether it was one.
        """
        console = self.console
        if not (line.strip()[:1].isalpha() or line.strip()[:1] == "?"):
            return False
        with suppress(AffrayError):
            words = _asked(words_of(line))
            known = GROUP.known(console.system)
            try:
                name = begun(words[0], known)
            except UsageError:
                name = begun(words[0], {name: verb for name, verb in known.items() if verb.kind == "looks"})
            verb = known.get(name)
            if verb and verb.kind != "records" and not verb.past and not verb.has("not-prompt"):
                said, brief, json, shown = console.words, console.brief, console.json, console.shown
                self.obey([name, *words[1:]])
                console.words, console.brief, console.json, console.shown = said, brief, json, shown
                return True
        return False

    def only_looks(self, words: Sequence[str]) -> bool:
        """Whether a command only shows something, such as the board, an entry or a help text."""
        verb = self.verb(words[0])
        return words[-1] in ("--help", "-h") or (verb is not None and verb.kind == "looks")

    def verb(self, word: str) -> Verb | None:
        """The verb that a word stands for, as a beginning of it if need be; None when it is none, or may be several."""
        with suppress(AffrayError):
            verbs = GROUP.known(self.console.system)
            return verbs.get(begun(word, verbs))
        return None

    def play(self, text: str) -> None:
        """Carries out the lines of what was typed or pasted, up to the first that fails."""
        lines = text.splitlines()
        for at, line in enumerate(lines, 1):
            if not self.carry_out(line) or self.left:
                if rest := len(lines) - at:
                    self.console.whisper(f"The rest was not carried out: {rest} line{'s' if rest > 1 else ''}.")
                return

    def carry_out(self, line: str) -> bool:
        """Carries out one command as a process of its own would, and says whether it succeeded."""
        console = self.console
        console.interrupted, console.making = False, ""
        try:
            words = _asked(words_of(line))
            self.left = words in _LEAVING
            if self.left or not words:
                return True
            _check_sayable(words)
            relies = self._relies(words)
            if self._catch_up() and relies and not self._agreed():
                console.whisper("Nothing was recorded.")
                return False
        except AffrayError as error:
            console.complain(error)
            return False
        if self._meant and all(map(_FACES.fullmatch, words)):
            words = self._with_dice(words)
        brief, console.json = console.brief, "--json" in words
        console.shown = self.console.seen if relies else None
        console.book.store.wrote = False
        self._kept, self._answers = [*self._answers, *self._kept], []
        code = self.obey(words)
        console.json, console.brief = False, brief
        if console.wrote or code == _LEFT:
            self._meant = []
        elif code and (verb := self.verb(words[0])) and verb.by == "combatant" and words[1:]:
            self._meant = words
        if console.wrote:
            self._answers = []
            self.give_up()
            with suppress(AffrayError):
                self.console.seen = console.book.store.head()
                self._tell_window()
        elif self._answers:
            self._secretly = "--secret" in words
        return code == 0

    def _with_dice(self, faces: Sequence[str]) -> list[str]:
        """The line that was refused last, with other dice; told."""
        from commands.past.several import without_dice

        words = [*words_of(without_dice(" ".join(map(quoted, self._meant)))), "--dice", ",".join(faces)]
        self.console.say(harmless(f"{' '.join(words)}:"))
        return words

    def _tell_window(self) -> None:
        """Tells what answers the window that a command has opened, or left open."""
        state = self.console.book.present()[1]
        if state.pending.window and not self.console.json:
            for due in read_board(state).due:
                if due.acting:
                    self.console.say(harmless(f"{', '.join(due.who)} {due.what}"))

    def _relies(self, words: Sequence[str]) -> bool:
        """Whether a command relies on what the board shows: it says `.` or `@due`, it names nobody, as `done` and dice
        alone do, or it changes what was recorded last.
        """
        if words[0].isdigit():
            return True
        if any(piece in _RELYING for word in words for piece in re.split("[,=]", word.casefold())):
            return True
        verb = self.verb(words[0])
        return verb is not None and (verb.past in ("jumps", "amends") or (len(words) == 1 and verb.kind == "records"))

    def _agreed(self) -> bool:
        """Whether somebody says yes to a command, after others have changed the board."""
        return self.console.agrees(f"{f'{self._acting()} may act now. ' if self._acting() else ''}Go on?")

    def _acting(self) -> str:
        """The names of those who may act now; "" for nobody."""
        return listed(_who_acts(self.console.book.present()[1]))

    # What is in view

    def _catch_up(self) -> bool:
        """Tells what others recorded since the board was shown. Says whether there was anything."""
        console, stamp = self.console, self.now()
        if self._stamp and (stamp is None or stamp[:2] != self._stamp[:2]):
            console.close()  # another file has taken its place
        store = console.book.store
        self._stamp = self.now()
        head, before = store.head(), self.console.seen
        self.console.seen = head
        if before in (None, head):
            return False
        assert before is not None
        if head.entry <= before.entry:
            console.say(f"This is another ledger now. It ends with e{head.entry}.")
            return True
        console.say("Recorded in the meantime:")
        first = max(before.entry + 1, head.entry - _NEWS + 1)
        if first > before.entry + 1:
            console.say(f"e{before.entry + 1} to e{first - 1}, and then:")
        standing = list(store.course(head.entry))
        for entry, _ in store.entries(first, head.entry):
            stands = any(low <= entry.entry <= high for low, high in standing)
            console.narrate(told(events_of(entry), console.book.verbs), f"e{entry.entry}", stands=stands)
        return True

    def renew(self) -> None:
        """Makes anew what is in view."""
        self._turn, self._line, self._board = "affray", "", None
        try:
            self._catch_up()
            state = self.console.book.present()[1]
            self._turn = self._acting() or "affray"
            assert self.console.seen is not None
            self._line, self._board = f"e{self.console.seen.entry}", (state, read_board(state))
        except AffrayError as error:
            self.console.complain(error)

    def now(self) -> Stamp | None:
        """The ledger as it is now, without waiting for anybody who writes; None when it is not there."""
        opened = self.console.opened
        return opened.store.stamp() if opened else None

    @property
    def sign(self) -> str:
        """What stands before the line that is typed: who may act now."""
        return f"{self._turn}> "


class _Unanswered(AffrayError):
    """Somebody left a question with Ctrl-C or Ctrl-D."""

    code, reference = 130, "unanswered"

    def heading(self) -> str:
        """Nothing: it is no error."""
        return ""


class Keyboard:
    """Standard input at the prompt, which asks questions in its own way."""

    def __init__(
        self,
        stream: TextIO,
        ask: Callable[[str, bool], str],
        ask_unless: Callable[[str, Callable[[], bool]], str | None] | None = None,
        refuse: Callable[[], None] = lambda: None,
    ) -> None:
        self._stream = stream
        self.ask, self.ask_unless, self.refuse = ask, ask_unless, refuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _check_sayable(words: Sequence[str]) -> None:
    """Raises UsageError for what is said elsewhere only."""
    if words == _STOP:
        raise UsageError("q stops an answer of several pages, and there is none.", "quit leaves the prompt.")
    if words[0].startswith("--ledger"):
        raise UsageError("The prompt stays with one ledger.", "Ctrl-D leaves the prompt.")


def _asked(words: list[str]) -> list[str]:
    """The words of a line; a question mark before them asks for help.

    >>> _asked(["?", "attack"]), _asked(["?attack"]), _asked(["?"]), _asked(["attack", "?"])
    (['help', 'attack'], ['help', 'attack'], ['help'], ['attack', '?'])
    """
    return ["help", *filter(None, [words[0][1:]]), *words[1:]] if words and words[0][:1] == "?" else words


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    more = len(names) - _NAMES
    return ", ".join(names[:_NAMES]) + (f" and {more} more" if more > 0 else "")


def _who_acts(state: State) -> list[str]:
    """Those who may act now; nobody where the rule system cannot say it."""
    with suppress(AffrayError):
        return acting(state)
    return []
