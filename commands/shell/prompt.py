"""The prompt: takes one command after another from a terminal, with the board in view. Runs nothing but verbs."""

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from commands.look.glance import cut, folded
from commands.seats.at_hand import AtHand
from commands.words.console import Console
from commands.words.screen import drawable, harmless
from commands.words.width import breadth
from ledger.errors import AffrayError

from .session import Keyboard, Session
from .suggestions import Suggestions

_STYLE = Style.from_dict({"bottom-toolbar": "noreverse"})
_KEPT = 5000
"""The most lines of earlier sessions that can be brought back."""
_PERIOD = 0.1
"""Seconds between two looks at what may have arrived while a question is open."""
_WIDE, _BOARD, _BETWEEN = 110, 72, 3
"""Columns from which on the map stands beside the board, those that the board keeps, and those between the two."""
_SPARE = 9
"""Rows of the terminal that the board leaves free: for its last line, the line that is typed, and what was printed."""


_OWN_ROWS = 2
"""Rows that a page of output leaves free: for the line that is typed and the last one."""
_MORE = "more: Enter; q stops "
"""Asked at the end of a page."""
_STOPS = ("q", "quit", "exit")
"""Answers to that which are no command."""
_STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""What sets a colour or a style."""


class _Paper:
    """Standard output of the terminal, of which what is written is kept until it is shown."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self.text = ""

    def write(self, text: str) -> int:
        """Keeps a text."""
        self.text += text
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._terminal, name)


class Prompt(Session):
    """A prompt for one ledger."""

    def __init__(self, console: Console, source: Input | None = None, screen: Output | None = None) -> None:
        super().__init__(console)
        self.unfolded = True
        """Whether everybody is shown below the prompt, or only whose turn it is."""
        self.makes_room = False
        """Whether the board is left out for once, because what was asked for fills the terminal."""
        self.typed_ahead = ""
        """What was typed at the end of a page that was no answer to it: it is the next line."""
        keys = KeyBindings()
        keys.add("f2")(self._fold)
        keys.add("f3")(self._explain)
        self.at_hand = AtHand(console)
        """What players propose."""
        keys.add("f4")(lambda event: self._offer(event, self.at_hand.deciding("accept").strip(), True))
        keys.add("f5")(lambda event: self._offer(event, self.at_hand.deciding("accept", words=True), False))
        keys.add("f6")(lambda event: self._offer(event, self.at_hand.deciding("decline"), False))
        self.session: PromptSession[str] = PromptSession(
            lambda: [("bold", self.sign)],
            completer=Suggestions(console),
            complete_while_typing=False,
            enable_history_search=True,
            enable_suspend=True,
            history=history(),
            key_bindings=keys,
            bottom_toolbar=self._toolbar,
            refresh_interval=1,
            style=_STYLE,
            input=source,
            output=screen,
        )
        asking = KeyBindings()
        asking.add("f2")(self._fold)
        asking.add("f3")(self._explain)
        asking.add("c-d")(lambda event: event.app.exit(exception=EOFError()))
        self.questions: PromptSession[str] = PromptSession(
            key_bindings=asking, bottom_toolbar=self._toolbar, style=_STYLE, input=source, output=screen
        )
        """Asks for dice, and for yes or no."""

    def read(self, question: str, default: str) -> str:
        """The answer to a question, with the board in view. What is offered is marked: what is typed replaces it."""
        line = self._ahead(question) or str(self.questions.prompt(question, default=default, pre_run=self._mark))
        self.makes_room = False
        return line

    def _ahead(self, question: str) -> str:
        """What was typed ahead, shown as if it had been typed at this question; "" for nothing."""
        line, self.typed_ahead = self.typed_ahead, ""
        if line:
            self.console.say(harmless(f"{question}{line}"))
        return line

    def _mark(self) -> None:
        offered = self.questions.default_buffer
        if offered.text:
            offered.cursor_position = 0
            offered.start_selection()
            if offered.selection_state:
                offered.selection_state.enter_shift_mode()
            offered.cursor_position = len(offered.text)

    def read_unless(self, question: str, arrived: Callable[[], bool]) -> str | None:
        """The answer to a question, unless something arrives meanwhile."""

        async def look() -> None:
            app = self.questions.app
            while True:
                await asyncio.sleep(_PERIOD)
                try:
                    if arrived():
                        app.exit(result="")
                        return
                except AffrayError as error:
                    app.exit(exception=error)
                    return

        def begin() -> None:
            self.questions.app.create_background_task(look())

        line = self.questions.prompt(question, pre_run=begin)
        return None if arrived() else str(line)

    def typed(self) -> str:
        """What stands at a question that was left."""
        return self.questions.default_buffer.text

    def stay(self) -> None:
        """Carries out what is typed until Ctrl-D. Raises AffrayError when there is no ledger to play on."""
        console, stdin = self.console, sys.stdin
        console.book.present()
        name = harmless(console.book.store.name)
        console.say(f"{name}: help lists the verbs, Tab completes a word, and F2 hides the board.")
        console.say("? attack explains a verb; Ctrl-C leaves a question, and Ctrl-D leaves the prompt.")
        self.tell_where()
        console.prompting, sys.stdin = True, Keyboard(stdin, self.ask, self.ask_unless, self.refuse)
        try:
            while not self.left:
                with suppress(KeyboardInterrupt):
                    self.renew()
                    typed = self._ahead(self.sign) or self.session.prompt()
                    self.makes_room = False
                    self.play(typed)
        except EOFError:
            pass
        finally:
            self.give_up()
            self.at_hand.close()
            console.prompting, sys.stdin = False, stdin

    def obey(self, words: list[str]) -> int:
        """Carries out a command. What only shows something is shown page by page, if it is longer than the terminal;
        the board makes room for it until the next line.
        """
        if not (self.only_looks(words) and sys.stdout.isatty()):
            return super().obey(words)
        terminal, paper = sys.stdout, _Paper(sys.stdout)
        sys.stdout = paper
        try:
            code = super().obey(words)
        finally:
            sys.stdout = terminal
        self._show(paper.text.splitlines())
        return code

    def _show(self, lines: list[str]) -> None:
        """Shows lines, and waits after each page. Anything but Enter stops; what is a command is carried out then."""
        size = self.session.output.get_size()
        rows = [-(-breadth(_STYLES.sub("", line)) // size.columns) or 1 for line in lines]
        self.makes_room = sum(rows) + len(self._folded(size.columns, size.rows)) + _OWN_ROWS > size.rows
        free = size.rows - _OWN_ROWS
        for line, row in zip(lines, rows, strict=True):
            if free < row:
                try:
                    answer = self.questions.prompt(_MORE).strip()
                except (KeyboardInterrupt, EOFError):
                    return
                if answer:
                    self.typed_ahead = answer if answer.casefold() not in _STOPS else ""
                    return
                free = size.rows - _OWN_ROWS
            free -= row
            self.console.say(line, whole=True)

    def _folded(self, columns: int, rows: int) -> list[str]:
        """The board, as much of it as fits."""
        if not self._board or self.makes_room:
            return []
        most = max(1, rows - _SPARE) if self.unfolded else 0
        drawn = self._map(columns - _BOARD, most) if columns >= _WIDE else []
        width = columns - max(map(breadth, drawn), default=-_BETWEEN) - _BETWEEN
        board = folded(self.console, *self._board, width, most, rows // 2)
        if not drawn:
            return board
        across, both = width + _BETWEEN, zip_longest(board, drawn, fillvalue="")
        return [f"{line}{' ' * (across - breadth(_STYLES.sub('', line)))}{row}".rstrip() for line, row in both]

    def _map(self, width: int, most: int) -> list[str]:
        """The map beside the board, with its legend if there is room; [] where nobody has a place, or it has none."""
        from commands.look.show import beside, plan

        assert self._board
        state = self._board[0]
        if not (state.areas.at or state.positions.at):
            return []
        drawn, legend = plan(state)
        ways = (beside(drawn, legend, width), drawn)
        return next((way for way in ways if way and len(way) <= most and max(map(breadth, way)) <= width), [])

    def _toolbar(self) -> StyleAndTextTuples:
        """What stands below it: the board, as much of it as fits, and the last entry."""
        size = self.session.output.get_size()
        lines = self._folded(size.columns, size.rows)
        keys = (
            f"F2 {'hides' if self.unfolded and not self.makes_room else 'shows'} the board",
            ("F3 or why shows the arithmetic" if self.console.short else "F3 hides the arithmetic"),
        )
        parts = [*filter(None, [self._line, *keys])]
        while parts[1:] and breadth(" · ".join(parts)) > size.columns:
            parts.pop()
        last = " · ".join(parts)
        if self._stamp != self.now():
            last = "Somebody else has recorded something: Enter shows it."
        elif proposed := self.at_hand.line():
            last = f"{proposed} · F4 accepts, F5 changes, F6 sends back"
        shown = self.session.output.encoding()
        board = to_formatted_text(ANSI(drawable("".join(f"{line}\n" for line in lines), shown)))
        return [*board, ("reverse", drawable(cut(last, size.columns), shown))]

    def _offer(self, event: KeyPressEvent, line: str, at_once: bool) -> None:
        """The keys that decide what is proposed: one carries out a line, the others put it there to be changed."""
        if not line:
            return
        event.current_buffer.text = line
        event.current_buffer.cursor_position = len(line)
        if at_once:
            event.current_buffer.validate_and_handle()

    def _fold(self, event: KeyPressEvent) -> None:
        """The key that hides and shows the board."""
        self.unfolded = self.makes_room or not self.unfolded
        self.makes_room = False
        event.app.invalidate()

    def _explain(self, event: KeyPressEvent) -> None:
        """The key that shows the arithmetic of each command from now on, and hides it."""
        self.console.short = not self.console.short
        event.app.invalidate()


def history() -> History:
    """The lines that were typed before, also in earlier sessions. Without a file that can be written, those of this
    session.
    """
    folder = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = os.path.join(folder, "affray", "history")
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError:
        return InMemoryHistory()
    return Lines(path)


class Lines(FileHistory):
    """The lines of all sessions, in a file."""

    def load_history_strings(self) -> Iterator[str]:
        """The newest lines, the last first."""
        with suppress(OSError):
            yield from islice(super().load_history_strings(), _KEPT)

    def store_string(self, string: str) -> None:
        """Keeps a line, if the disk takes it."""
        with suppress(OSError):
            super().store_string(string)
