"""Evenings on phones: four players at theirs, and a game master who types only for the foes.

`evenings/phones/SYSTEM.fight` holds three rounds as a shell takes them. `--dice` holds the players' dice, which they
throw by hand; the program rolls those of the foes. Here the fight is typed in a shell, and played again: each player
taps their line on the form of their phone, types their dice there, and is asked there for those that others need from
them; the game master taps Accept. Both ledgers hold the same.
"""

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import pytest
from msgspec import Struct

from commands.action.book import Book, events_of
from commands.action.systems import SYSTEMS
from commands.seats.sayable import verbs
from commands.words.discovery import opened
from ledger.events import Declared, Event, Rolled
from tests.browser import Browser, lacking, started
from tests.kit import KEY
from tests.phones import SECONDS, Phone, Throw, asking
from tests.sample import WHOLE
from tests.shell import Shell
from tests.test_seats_served import LEDGER, Server, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
FOLDER = Path(__file__).parent / "evenings" / "phones"
PLAYED = SYSTEMS if WHOLE else ("freepg",)
"""The rule systems that are played."""
ROUNDS = 3 if WHOLE else 1
"""How many rounds of each."""
PLAIN = "plain.affray"
TOGETHER, APART = "together", "apart"
"""Around lines that all say on their phones before the game master accepts the first."""


class Line(Struct, frozen=True):
    """A line of the evening, as it was carried out in the shell."""

    words: Sequence[str]
    said: Declared
    throws: list[Throw]
    """What the players threw for it, in order."""
    together: bool
    """Whether it is proposed before the line before it is accepted."""


def lines_of(system: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of an evening, each with whether it is said together with others."""
    together, rounds = False, 0
    for row in (FOLDER / f"{system}.fight").read_text(encoding="utf-8").splitlines():
        rounds += row.startswith("# Round ")
        if rounds > ROUNDS:
            return
        if row in (TOGETHER, APART):
            together = row == TOGETHER
        elif words := shlex.split(row, comments=True):
            yield words, together


def entries(ledger: str, after: int) -> list[tuple[Event, ...]]:
    """The events of each entry from a number on."""
    with closing(opened(ledger)) as store:
        return [events_of(entry) for entry, _ in store.entries(after + 1, store.head().entry)]


def in_the_shell(system: str, shell: Shell) -> Iterator[Line]:
    """Plays an evening in a shell."""
    shell.done("--ledger", PLAIN, "init", "Evening", "--system", system, "--key", KEY.hex())
    head = 1
    for words, together in lines_of(system):
        shell.done("--ledger", PLAIN, *words)
        new = entries(PLAIN, head)
        head += len(new)
        said = next(one for events in new for one in events if isinstance(one, Declared) and one.verb == words[0])
        rolls = [one for events in new for one in events if isinstance(one, Rolled)]
        throws = [
            Throw(one.who, one.purpose, one.about, [*one.faces]) for one in rolls if one.faces and not any(one.places)
        ]
        typed = words[: words.index("--dice")] if "--dice" in words else words
        yield Line(typed, said, throws, together)


class Table:
    """Four phones, the game master's page, and a shell for the foes."""

    def __init__(self, browser: Browser, server: Server, shell: Shell, system: str) -> None:
        self.shell, self.verbs = shell, verbs(system)
        self.phones = {seat: Phone(browser, server, seat) for seat in server.tokens if seat != "gm"}
        self.page = Phone(browser, server, "gm")

    def seat_of(self, line: Line) -> str:
        """The seat that says a line; "" for the game master."""
        with closing(opened(LEDGER)) as store:
            state = Book(store).present()[1]
        card = self.verbs.get(line.said.verb)
        who = (
            state.turns.who if card and card.role == "turn-end" else str(line.said.said.get("who", "")) if card else ""
        )
        return next((seat.name for seat in state.seats.taken if who in (seat.name, *seat.plays)), "")

    def play(self, line: Line) -> None:
        """Somebody says a line: a player, whose proposal is accepted, or the game master."""
        if seat := self.seat_of(line):
            self.propose(seat, line)
            self.accept(line.throws)
        elif line.throws:
            self.asked(line)
        else:
            self.shell.done("--ledger", LEDGER, *line.words)

    def propose(self, seat: str, line: Line) -> None:
        """A player fills in the form of their phone, with the dice that they have thrown."""
        phone, said = self.phones[seat], dict(line.said.said)
        phone.choose(str(said.pop("who", "")), line.said.verb)
        if all(phone.fill(name, value) for name, value in said.items()):
            phone.send(line.throws)
        else:  # what only a line can say
            phone.choose("", line.said.verb)  # closes the form
            phone.types(shlex.join(line.words), mine=True)
        phone.until("return document.querySelector('#seat-proposals .open')")

    def accept(self, throws: list[Throw]) -> None:
        """The game master taps Accept at the oldest; the players are asked for what they have not thrown yet."""
        waiting = self.page.until("return document.querySelectorAll('#desk-proposals li').length")
        self.page.tap("Accept", "#desk-proposals li:first-child")
        self.answered(
            throws, lambda: self.page.ask("return document.querySelectorAll('#desk-proposals li').length") < waiting
        )

    def asked(self, line: Line) -> None:
        """The game master types something for which players are asked."""
        typed = asking(LEDGER, *line.words)
        try:
            self.answered(line.throws, lambda: typed.poll() is not None)
        finally:
            typed.kill()
            told, _ = typed.communicate()
        assert typed.returncode == 0, told

    def answered(self, throws: list[Throw], over: Callable[[], bool]) -> None:
        """Those who are asked throw their dice, until there is nothing more to ask."""
        until = time.monotonic() + SECONDS
        while not over():
            assert time.monotonic() < until, (
                throws,
                [one.text("body")[:900] for one in (self.page, *self.phones.values())],
            )
            for phone in self.phones.values():
                phone.answer(throws)

    def leave(self) -> None:
        """Everybody closes their page."""
        for phone in (*self.phones.values(), self.page):
            phone.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


@pytest.mark.parametrize("system", PLAYED)
def test_four_players_at_their_phones_give_the_events_of_the_shell(system: str, shell: Shell, browser: Browser):
    lines = [*in_the_shell(system, shell)]
    shell.done("--ledger", LEDGER, "init", "Evening", "--system", system, "--key", KEY.hex())
    while lines[0].said.verb in ("join", "seat"):
        shell.done("--ledger", LEDGER, *lines.pop(0).words)
    with served(LEDGER) as server:
        table = Table(browser, server, shell, system)
        assert len(table.phones) == 4
        for at, line in enumerate(lines):
            if line.together and not lines[at - 1].together:
                these = [*takewhile(lambda one: one.together, lines[at:])]
                for one in these:
                    table.propose(table.seat_of(one), one)
                for one in these:
                    table.accept(one.throws)
            elif not line.together:
                table.play(line)
        table.leave()
    for ledger in (PLAIN, LEDGER):
        shell.done("--ledger", ledger, "verify")
    assert entries(LEDGER, 1) == entries(PLAIN, 1)
