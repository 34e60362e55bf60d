"""The console: one process's view of its ledger, its user and its terminal."""

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from commands.action.quoting import quoted
from ledger.errors import AffrayError, NoLedger, Refused

from .discovery import find_ledger, is_there, opened, shown, system_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commands.action.book import Book, Done
    from commands.action.cards import Verb
    from commands.action.declaration import Declaration
    from commands.action.dice_sources import Question
    from ledger.events import Event
    from ledger.store import Head
    from projections.narration import Told


_AT_ONCE = 0.05
"""A ledger that opens within this many seconds was not busy."""
_DIM = "2"
"""The style of what is less important."""
_ASIDE = "aside"
"""The tone of outcomes that only keep the books."""
_TONES = {"harm": "31", "healing": "32"}
"""The colours of outcomes."""
_OWN, _OTHER = "1;36", "1;35"
"""The colours of names: of those whom the players play, and of all others."""


_TIED = "\u00a0"
"""A space at which no line is broken; the names and texts of users have none, as `harmless` escapes it."""
_PLAIN = str.maketrans("█░●▲…·", "#-*^~|")
"""What stands for the signs of bars and boards where the terminal has no such signs."""
USUAL = 80
"""Columns where there is no terminal."""


def columns() -> int:
    """The width of the terminal: `$COLUMNS`, or what the terminal says."""
    for asked in (lambda: os.environ["COLUMNS"], lambda: os.get_terminal_size(sys.stdout.fileno()).columns):
        try:
            if (found := int(asked())) > 0:
                return found
        except (KeyError, OSError, ValueError, AttributeError):
            continue
    return USUAL


def _fitting(text: str, width: int, hanging: str | None = None) -> list[str]:
    """The text on lines that are no wider, unless one word is."""
    if len(text) <= width and text.isascii():
        return [text]
    from .width import wrapped

    return wrapped(text, width, hanging)


def drawable(text: str, encoding: str | None) -> str:
    """The text with plain signs in bars and boards, where an encoding does not have the others.

    >>> drawable("● Jane  ███░ 6/8", "iso8859-1"), drawable("● Jane", "utf-8")
    ('* Jane  ###- 6/8', '● Jane')
    """
    try:
        text.isascii() or text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


class Unsaid(Exception):
    """The output cannot be written. Not an OSError, so that nobody takes it for an error of a file."""


class Unheard(Exception):
    """Nobody reads our output any more. Not a BrokenPipeError, because click would turn that into a failure."""


class Ended(Exception):
    """A command has done all that it does, such as to print its help, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


class Console:
    """What a command works with: the ledger and the output."""

    overrules = True
    """Whether those who give the commands may overrule the rules by --allow."""

    def __init__(self, ledger: str = "", json: bool = False) -> None:
        self.ledger = ledger
        """The path from --ledger; "" to look for the ledger."""
        self.by: str | None = None
        """Who gives the commands; None for what `$AFFRAY_BY` says."""
        self.json = json
        self.brief = os.environ.get("AFFRAY_BRIEF", "") not in ("", "0")
        """Whether only the outcome lines of entries are printed, without arithmetic."""
        self.making = ""
        """The file of a new ledger that this command makes; else ""."""
        self.interrupted = False
        """Whether somebody pressed Ctrl-C, even if the code under way turned that into another error."""
        self.missing: NoLedger | None = None
        """Why no ledger says which rule system is played; None before anybody asked, and where there is a ledger."""
        self.words: list[str] = []
        """The words of the command, as the record keeps them."""
        self.playing = False
        """Whether the command is a line of a script."""
        self.stoppable = True
        """Whether somebody waits who can stop long work with Ctrl-C."""
        self.prompting = False
        """Whether the command was typed at the prompt of `affray play`."""
        self.short = False
        """Whether what is recorded is told in short: the dice before the outcome, without arithmetic, and what keeps
        the books on one line."""
        self.shown: Head | None = None
        """The end of the ledger that the words of the command rely on; None when they rely on none."""
        self.seen: Head | None = None
        """The end of the ledger that the board at the prompt shows."""
        self.own_shell: Callable[[], Any] | None = None
        """Gives the `Shell` that carries out its commands, for what goes on to say commands of its own."""
        self._decided: list[str] = []
        """The outcomes of the command under way that are printed already."""
        self._book: Book | None = None
        self._system = ""

    @property
    def book(self) -> "Book":
        """The ledger, opened when it is first needed. Raises LedgerMissing when there is none."""
        if self._book is None:
            from commands.action.book import Book

            path, began = find_ledger(self.ledger), time.monotonic()
            store = opened(path)
            if (waited := time.monotonic() - began) > _AT_ONCE:
                store.hurry(waited)
            self._book = Book(store, self.by)
        return self._book

    @book.setter
    def book(self, book: "Book") -> None:
        self._book, self._system = book, ""

    def close(self) -> None:
        """Closes the ledger. The next command opens it anew."""
        if self._book is not None:
            self._book.store.close()
        self._book = None

    @property
    def system(self) -> str:
        """The rule system of the ledger, found without opening it; "" when there is no ledger. Raises AffrayError when
        the ledger cannot be read now.
        """
        if not self._system:
            try:
                self._system = system_of(find_ledger(self.ledger))
            except NoLedger as missing:
                self.missing = missing
        return self._system

    def open(self) -> str:
        """Opens the ledger, for a command that needs it, and gives its rule system; "" when there is no ledger. Raises
        AffrayError when the ledger cannot be read now. A script asks the file only once: no ledger changes its system.
        """
        if self._book is not None and self._system:
            return self._system
        try:
            self._system = self.book.present()[1].campaign.system
        except NoLedger as missing:
            self.missing = missing
        return self._system

    def need(self) -> None:
        """Finds the ledger, before anything else of a command is looked at. Raises NoLedger when there is none."""
        if self._book is None:
            if self.missing:
                raise self.missing
            find_ledger(self.ledger)

    @property
    def typed(self) -> str:
        """The words of the command, quoted for a shell."""
        return " ".join(map(quoted, self.words))

    def admit(
        self, name: str, card: "Verb | None", declaration: "type[Declaration]", values: "Mapping[str, Any]"
    ) -> None:
        """Raises AffrayError when a verb, or one of the words that were said with it, is not for those who say it."""

    def file(self, word: str, kind: str) -> str:
        """The file that a word names: a `sheet`, an `encounter`, a `party`, a `table`, or other `toml`."""
        return word

    def write_out(self, said: str, meant: str) -> None:
        """Keeps what a word meant in place of it, where it first stands in the command."""
        for at, word in enumerate(self.words):
            if word == said or (word.startswith("--") and word.partition("=")[2] == said):
                self.words[at] = word.removesuffix(said) + meant
                return

    @property
    def opened(self) -> "Book | None":
        """The ledger, if it was opened; None else."""
        return self._book

    @property
    def colour(self) -> bool:
        """Whether to use colour: on a terminal, unless `$NO_COLOR` is set."""
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, text: str, code: str) -> str:
        """The text in a colour or style of ANSI, such as `1` for bold, where colour is used."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    @property
    def width(self) -> int:
        """The columns that the terminal has now; 80 where there is none."""
        return columns()

    @property
    def height(self) -> int:
        """The rows that the terminal has now for an answer, without the line that is typed next and, at the prompt, the
        last one; more than anybody fills where there is no terminal.
        """
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if sys.stdout.isatty() and (rows := os.get_terminal_size(sys.stdout.fileno()).lines):
                return rows - 1 - self.prompting
        return sys.maxsize

    def say(self, text: str = "", whole: bool = False, hanging: str | None = None) -> None:
        """Prints a line of the answer on standard output, on several lines if it is too wide, perhaps with something
        before all but the first. `whole` is for what is copied or read by programs, and for what is as wide as it has
        to be.
        """
        for line in [text] if whole else _fitting(text, self.width, hanging):
            line = line if whole else line.replace(_TIED, " ")
            try:
                sys.stdout.write(drawable(line, sys.stdout.encoding) + "\n")
            except BrokenPipeError:
                raise
            except OSError as error:
                raise Unsaid(error.strerror) from None

    def give(self, data: Any) -> None:
        """Prints the answer as one line of JSON on standard output."""
        import msgspec

        self.say(msgspec.json.encode(data).decode(), whole=True)

    def whisper(self, text: str, whole: bool = False) -> None:
        """Prints a line on standard error, if possible, behind what was said before; like `say`."""
        with contextlib.suppress(OSError):
            sys.stdout.flush()  # where both go into one pipe
        with contextlib.suppress(OSError):
            for line in [text] if whole else _fitting(text, self.width):
                sys.stderr.write(line + "\n")

    def agrees(self, question: str) -> bool:
        """Whether somebody says yes to a question; no is what anything else means."""
        from .asking import agrees

        return agrees(question)

    @property
    def asks(self) -> bool:
        """Whether somebody is there who can be asked: at a terminal, not in a script and not for an answer in JSON."""
        return not self.json and not self.playing and sys.stdin is not None and sys.stdin.isatty()

    def watch(self) -> "Callable[[Sequence[Event], Sequence[Question]], None]":
        """Prints each fight of an action as it is decided, between two questions about dice. What it printed is not
        told again at the end.
        """
        from projections.in_short import in_short

        verbs, before = self.book.verbs, set[str]()

        def look(events: "Sequence[Event]", asked: "Sequence[Question]") -> None:
            lines = [one for one in in_short(events, verbs, massed=True) if one.outcome[:1].isdigit()]
            for one in lines:
                over = one.outcome in before or asked[0].who not in one.outcome
                if over and one.outcome not in self._decided:
                    self._decided.append(one.outcome)
                    self.say(self._dyed(harmless(one.outcome), one.tone))
            before.update(one.outcome for one in lines)

        self._decided.clear()
        return look

    def tell(self, done: "Done") -> None:
        """Prints the result of a recorded command."""
        if self.json:
            answer = self._answer(done)
            self.give({**answer, "then": [self._answer(one) for one in done.then]} if done.then else answer)
            return
        for one in (done, *done.then):
            if not (self.short and _only_goes_on(one)):
                self._tell(one)

    def _answer(self, done: "Done") -> dict[str, Any]:
        """The result of a recorded command as data."""
        from commands.action.systems import recorded_verbs
        from projections.narration import told

        verbs = recorded_verbs(done.after.campaign.system)
        now, again = told(done.events, verbs), told(done.again, verbs)
        needs, perhaps = (
            [
                {"who": roll.who, "dice": roll.dice, "purpose": roll.purpose, "about": roll.about}
                for roll in done.needed
                if roll.certain is certain
            ]
            for certain in (True, False)
        )
        return {
            "ok": True,
            "entry": done.entry or None,
            "digest": done.head.digest if done.entry and not done.repeated else None,
            "repeated": done.repeated,
            "lines": now,
            "needs": needs,
            **({"perhaps": perhaps, "more_dice": done.open_ended} if done.needed else {}),
            "notes": done.notes,
            "events": done.events,
            "again": {"lines": again, "events": done.again} if again else None,
            **done.more,
        }

    def _tell(self, done: "Done") -> None:
        from commands.action.systems import recorded_verbs
        from projections.in_short import fights, in_short
        from projections.narration import told

        verbs = recorded_verbs(done.after.campaign.system)
        now, again = told(done.events, verbs), told(done.again, verbs)
        for line in done.notes:
            self.note(line)
        deed = verbs.get(getattr(done.events[0], "verb", "")) if done.events else None
        massed = deed is not None and deed.role == "massed"
        if self.short and not self.brief:
            now, again = (in_short(events, verbs, massed) for events in (done.events, done.again))
        short = fights(now, done.events, verbs) if massed and not self.short else now
        decided = [one for one in short if one.outcome in self._decided]
        self._decided.clear()
        self.narrate([one for one in short if one not in decided], f"e{done.entry}" if done.entry else "(dry run)")
        if short != now and done.entry and not self.brief:
            self.note("affray why shows the arithmetic.")
        mark = f"e{done.entry + 1}" if done.entry else "(dry run)"
        self.narrate(again, mark, before="again: ")
        for roll in done.needed:
            how, about = "needs" if roll.certain else "perhaps", f" ({roll.about})" if roll.about else ""
            sought = f"{how} {roll.who or 'the table'} {roll.dice} for {roll.purpose}{about}"
            self.say(f"{harmless(sought)}  {self.paint(mark, _DIM)}")
        if done.open_ended:
            self.say(f"perhaps more dice  {self.paint(mark, _DIM)}")
        if done.repeated:
            self.whisper(f"This was already recorded as e{done.entry}; nothing was recorded now.")

    def note(self, line: str) -> None:
        """Prints a remark on a command, dimmed; a command that it offers on a line of its own."""
        self.say(self.paint(harmless(line), _DIM), whole=line.startswith(TRY))

    def narrate(self, told: "Sequence[Told]", mark: str, before: str = "", stands: bool = True) -> None:
        """Prints the outcome lines of an entry, the first with its mark, and below each its arithmetic. What was undone
        is struck through, by signs as well as by style. In short, what keeps the books stands behind the only
        line before it.
        """
        if self.short and stands and len(told) == 2 and told[1].tone == _ASIDE and not told[0].arithmetic:
            done, kept = (harmless(one.outcome) for one in told)
            behind = self.paint(f" \u00b7 {kept}", _DIM)
            shown = f"{before}{self._dyed(done, told[0].tone)}{behind}"
            self.say(shown + self._mark(mark, f"{before}{done} \u00b7 {kept}"))
            return
        for at, one in enumerate(told):
            line = harmless(one.outcome)
            dyed = self.paint(line, _DIM) if one.tone == _ASIDE else self._dyed(line, one.tone)
            line = f"{before}{dyed}" if stands else self.paint(f"~~{line}~~", "9;2")
            self.say(line if at else line + self._mark(mark, before + one.outcome))
            for step in () if self.brief else one.arithmetic:
                shown = f"    {harmless(step)}"
                self.say(self.paint(shown, _DIM if stands else "9;2"))

    def _mark(self, mark: str, text: str) -> str:
        """The mark of an entry, behind a text. In short it never stands on a line alone, but with the last word."""
        alone = self.short and len(_fitting(text, self.width)[-1]) + len(mark) + 2 > self.width
        return f"{2 * (_TIED if alone else ' ')}{self.paint(mark, _DIM)}"

    def _dyed(self, line: str, tone: str) -> str:
        """An outcome in the colour of its tone, with the names in those of their sides, where colour is used."""
        if not self.colour:
            return line
        from .colours import dyed

        return dyed(line, _TONES.get(tone, ""), self._sides())

    def _sides(self) -> dict[str, str]:
        """For each name at the table the colour of its side."""
        from commands.action import systems

        state = self.book.present()[1]
        players = systems.players_sides(state) if state.campaign.system else ()
        return {harmless(who): _OWN if one.side in players else _OTHER for who, one in state.roster.members.items()}

    def last_word(self) -> str:
        """How the ledger ends, for somebody who wonders whether the last command was recorded. Reads the file itself,
        after giving up whatever was under way.
        """
        path = self.making
        if self._book is not None:
            path = self._book.store.path
            self.close()
        try:
            if not (path and is_there(path)):
                return "Nothing was recorded."
            with contextlib.closing(opened(path)) as store:
                head = store.head()
        except AffrayError:
            return "affray log shows how the ledger ends."
        return f"{'The ledger' if path != self.making else shown(path)} ends with e{head.entry}."

    @property
    def wrote(self) -> bool:
        """Whether this command recorded something already."""
        return (self._book is not None and self._book.store.wrote) or bool(self.making and is_there(self.making))

    def complain(self, error: AffrayError) -> int:
        """Prints what went wrong, and gives the exit code."""
        if self.json:
            answer = {"ok": False, "error": problem(error), **error.data}
            try:
                self.give(answer)
                sys.stdout.flush()
            except (OSError, Unsaid):
                import msgspec

                self.whisper(msgspec.json.encode(answer).decode(), whole=True)
            return error.code
        self.whisper(self._paint_error(error.heading()) + harmless(error.message))
        if isinstance(error, Refused):
            self.whisper("Nothing was recorded.")
        self.advise(error.hint)
        return error.code

    def advise(self, hint: str) -> None:
        """Prints what to do next. A line with a command in it stays one line, so that it can be copied."""
        for line in hint.splitlines():
            shown = tried(line)
            self.whisper(harmless(shown), whole=shown != line or ": affray " in line)

    def _paint_error(self, text: str) -> str:
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return f"\x1b[1;31m{text}\x1b[0m" if coloured else text


TRY = "Try: "
"""Stands before a command that is offered."""


def problem(error: AffrayError) -> dict[str, Any]:
    """An error as data. Its hint is a list of commands, each as it can be typed, and a list of sentences."""
    lines = [harmless(line) for line in error.hint.splitlines()]
    return {
        "reference": error.reference,
        "code": error.code,
        "message": harmless(error.message),
        "hints": [line for line in lines if _is_command(line)],
        "advice": [line for line in lines if not _is_command(line)],
        "clause": error.clause or None,
    }


def _only_goes_on(done: "Done") -> bool:
    """Whether an entry tells only that a turn ends or begins, which the sign of the prompt shows, too."""
    from commands.action.names import acting
    from ledger.events import TurnBegan, TurnEnded

    told = [event for event in done.events[1:] if event.sentence()[2]]
    goes_on = bool(told) and all(isinstance(event, TurnBegan | TurnEnded) for event in told)
    now = acting(done.after)
    begun = any(isinstance(event, TurnBegan) and event.who in now for event in told)
    return goes_on and (begun or acting(done.before) != now)


def tried(line: str) -> str:
    """A line of a hint as it is printed: a command with "Try:" in front, a sentence unchanged."""
    return f"{TRY}{line}" if _is_command(line) else line


def _is_command(line: str) -> bool:
    """Whether a line of a hint is a command that can be typed as it stands."""
    return line.startswith(("affray ", "export ", "pip ", "pipx ", "uv "))


def harmless(text: str) -> str:
    """The text with its control characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
