"""A round of twelve on the desk: how often the game master taps and looks, which is counted and not timed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from commands.action.book import events_of
from commands.seats.hand import Hand, Tap
from commands.shell.cli import shell as own_shell
from commands.words.discovery import opened
from ledger.events import Declared, Rolled
from tests.browser import Browser, lacking, started
from tests.kit import KEY
from tests.sample import WHOLE
from tests.shell import Shell
from tests.test_desk_browser import _FIELD, Desk, server_of
from tests.test_evenings import A_KEY, A_LINE, A_ROUND, AT_THE_PROMPT, TWELVE, Evening, states
from tests.test_live import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
SYSTEMS = sorted((path.stem for path in TWELVE.glob("*.keys")), reverse=True)
TAPPED = "tapped.affray"
_FOLDS = "let n = 0; for (let at = one; (at = at.parentElement.closest('details'));) n += !at.open; return n"
"""How many folds are to be opened before something is seen."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as made:
        yield made


class Counting(Desk):
    """A desk on which every tap and every key is counted: `taps` has them."""

    def touch(self, script: str, *words: Any) -> None:
        self.taps += 1
        super().touch(script, *words)

    def opened(self, script: str, *words: Any) -> None:
        self.until(f"{script} return one", *words)
        self.taps += self.ask(f"{script} {_FOLDS}", *words)
        super().opened(script, *words)

    def fills(self, title: str, words: tuple[str, ...]) -> None:
        """By taps where all of it can be tapped, else letter by letter."""
        script = f"{_FIELD} const one = titled(arguments[0])"
        self.until(f"{script}; return one", title)
        self.taps += self.ask(f"{script}; {_FOLDS}", title)
        exact, begun = (f"one?.querySelector(`[data-word{how}'${{arguments[1]}}' i]`)" for how in ("=", "^="))
        chip = f"{_FIELD} let one = titled(arguments[0]); one = {exact} ?? {begun}; return one"
        if words and all(self.ask(chip, title, word) for word in words):
            for word in words:
                self.touch(chip, title, word)
        else:
            self.taps += len(" ".join(words)) + bool(words)
            super().fills(title, words)

    def throws(self, cell: Any, face: int) -> None:
        """A face that may be the beginning of another one takes a key to go on."""
        self.taps += len(str(face)) + (10 * face <= int(cell.get_property("max")))
        super().throws(cell, face)


def thrown(entry: int) -> tuple[int, ...]:
    """The faces of an entry that were thrown by hand."""
    with closing(opened(AT_THE_PROMPT)) as store:
        rolls = [event for event in events_of(store.entry(entry)) if isinstance(event, Rolled)]
    return tuple(face for roll in rolls for face, place in zip(roll.faces, roll.places, strict=True) if not place)


def is_opened(entry: int) -> bool:
    """Whether an entry is a turn that begins with what is done in it."""
    with closing(opened(AT_THE_PROMPT)) as store:
        return any(isinstance(event, Declared) and event.verb == "turn" for event in events_of(store.entry(entry)))


@pytest.mark.parametrize("system", SYSTEMS if WHOLE else SYSTEMS[:1])
def test_a_round_of_twelve_takes_a_minute_of_taps_and_looks(
    system: str, browser: Browser, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evening that is typed in `evenings/twelve`. The players throw their dice; a look belongs to each tap that is
    recorded, and to each die that is asked for.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with monkeypatch.context() as typed:
        evening = Evening(system, shell, typed, TWELVE)
    begin, *rest = [command for command in evening.commands if command.entries]
    shell.done("--ledger", TAPPED, "init", "Evening", "--system", system, "--key", KEY.hex())
    shell.done("--ledger", TAPPED, "option", "hand_dice", evening.players)
    shell.done("--ledger", TAPPED, *begin.line.split())
    hand, rounds = Hand(AT_THE_PROMPT, own_shell()), list[float]()
    with served(TAPPED) as site:
        desk = Counting(browser, server_of(site))
        for command in rest:
            for entry in command.entries:
                if entry != command.entries[-1] and is_opened(entry):
                    continue
                tap = Tap(**hand.filled(Tap(entry=entry)))
                before, faces = desk.taps, thrown(entry)
                desk.plays(structs.replace(tap, dice=faces))
                rounds += [0.0] if tap.verb == "round" else []
                rounds[-1] += A_KEY * (desk.taps - before) + A_LINE * (1 + len(faces))
        desk.close()
    assert [*states(TAPPED).values()][-1].digest() == [*states(AT_THE_PROMPT).values()][-1].digest()
    assert len(rounds) >= 2
    assert max(rounds) <= A_ROUND, rounds
