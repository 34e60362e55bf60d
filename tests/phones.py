"""Phones in a real browser: the pages of seats and of the game master, as somebody taps on them."""

import subprocess
import time
from itertools import count
from typing import Any

from msgspec import Struct
from selenium.common.exceptions import TimeoutException

from tests.browser import Browser
from tests.shell import command, environment
from tests.test_seats_served import Server

SECONDS = 40
_NAMES = ("127.0.0.1", "localhost")
"""The names of the server, by turns: each phone keeps its own things, and Chromium opens six connections to a name."""
_PHONES = count()
_SHOWN = "one.checkVisibility() && !one.disabled"
_MIDDLE = """
one?.scrollIntoView({ block: "center", behavior: "instant" });
const { left, top, width, height } = one?.getBoundingClientRect() ?? {}, at = [left + width / 2, top + height / 2];
if (!one?.contains(document.elementFromPoint(...at))) return null;
window.missed = false;
document.addEventListener("click", ({ target }) => {
  window.missed = !one.contains(target) && target.closest(one.localName)?.textContent !== one.textContent;
}, { capture: true, once: true });
const frame = window.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
return [frame.left + at[0], frame.top + at[1]];
"""
"""Where what was found can be tapped, on the page around its frame, once nothing lies on it.
`missed`: something else was tapped there.
"""
_FIELD = """
const titled = (title) => [...document.querySelectorAll("#seat-do form fieldset, #seat-do form label.field")].find(
  (one) => one.querySelector("legend, span").textContent.replace(/ \\(tap .*/, "") === title);
"""


class Throw(Struct):
    """Dice that a player throws."""

    who: str
    purpose: str
    about: str
    faces: list[int]

    def is_asked(self, asked: str) -> bool:
        """Whether a phone asks for these: `Boffin: d20 for defense (Grub-1)`."""
        about = not self.about or f"({self.about})" in asked
        dice = asked.removeprefix(f"{self.who}: ").partition(" for ")[0].split()
        many = sum(int(one.partition("d")[0] or 1) for one in dice if "d" in one)
        return (
            asked.startswith(f"{self.who}: ") and f" for {self.purpose}" in asked and about and many == len(self.faces)
        )


def asking(ledger: str, *words: str) -> "subprocess.Popen[str]":
    """A command of the game master in a process of its own, which waits for the dice of players."""
    return subprocess.Popen(
        command("--ledger", ledger, *words),
        env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def wanted(throws: list[Throw], asked: str) -> Throw | None:
    """The first of some throws that a phone asks for."""
    return next((one for one in throws if one.faces and one.is_asked(asked)), None)


class Phone:
    """A page of a seat, or of the game master, in a tab of its own."""

    def __init__(self, browser: Browser, server: Server, seat: str) -> None:
        self.browser, self.taps, self._port = browser, 0, server.host.rpartition(":")[2]
        self.window = browser.new_tab()
        host = server.host.replace(_NAMES[0], _NAMES[next(_PHONES) % len(_NAMES)])
        browser.open_address(f"http://{host}/#{server.tokens[seat]}", 390, 844)
        self.until("return document.getElementById('live').textContent === 'Live'")
        if seat != "gm":
            self.until("return document.querySelector('#seat-do [data-verb]')")

    def ask(self, script: str, *words: Any) -> Any:
        """What a script finds on it."""
        self.browser.turn_to(self.window)
        return self.browser.ask(script, *words)

    def until(self, script: str, *words: Any) -> Any:
        """Waits on the page for what a script finds."""
        self.browser.turn_to(self.window)
        try:
            return self.browser.until(script, *words)
        except TimeoutException as late:
            raise AssertionError(script, words, *map(self.text, ("#seat", "#desk", "#hand"))) from late

    def text(self, within: str = "#seat") -> str:
        """What can be read in a part of it."""
        return str(self.ask("return document.querySelector(arguments[0]).innerText", within))

    def tap(self, words: str, within: str = "#seat") -> None:
        """Taps what has these words, as soon as it can be tapped."""
        self.taps += 1
        found = (
            "const [words, within] = arguments;"
            "return [...document.querySelectorAll(`${within} button, ${within} summary`)].find("
            f"(one) => one.textContent.trim() === words && {_SHOWN})"
        )
        self.touch(found, words, within)

    def touch(self, script: str, *words: Any) -> None:
        """Taps what a script finds, in the middle of the screen; again, if it was elsewhere by then."""
        found = f"const one = (function () {{ {script} }})(...arguments); {_MIDDLE}"
        self.browser.tap(*self.until(found, *words))
        while self.ask("return window.missed"):
            self.browser.tap(*self.until(found, *words))

    def types(self, line: str, mine: bool = False) -> None:
        """Types a line and sends it; with `mine` the player throws the dice."""
        self.ask(
            "document.getElementById('seat-line').value = arguments[0];"
            "document.getElementById('seat-typing').requestSubmit(arguments[1] ?"
            " document.querySelector('#seat-typing [name=mine]') : null)",
            line, mine,
        )  # fmt: skip

    def says(self, words: str, within: str = "#seat") -> None:
        """Waits until some words stand there."""
        self.until("return document.querySelector(arguments[1]).innerText.includes(arguments[0])", words, within)

    def close(self) -> None:
        """Closes the tab. Nothing went wrong in it."""
        self.browser.turn_to(self.window)
        wrong = [one for one in self.browser.complaints() if f":{self._port}/" in one and "429" not in one]
        assert not wrong, wrong
        self.browser.close_tab()

    # The form of a seat

    def choose(self, who: str, verb: str) -> None:
        """Taps who acts, if they play several, and what is done: under More, if it is not done often."""
        ends = time.monotonic() + 1  # where it is their turn, it opens by itself
        while not self.ask("return document.getElementById('seat-open').open"):
            if time.monotonic() > ends:
                self.touch("return document.getElementById('seat-title')")
            time.sleep(0.03)
        if who and self.ask("return document.querySelector('#seat-do legend').textContent === 'Who'"):
            found = (
                "return [...document.querySelectorAll('#seat-do fieldset:first-child button')].find("
                "(one) => one.textContent.replace(' (now)', '') === arguments[0])"
            )
            self.touch(found, who)
        found = "const one = document.querySelector(`#seat-do [data-verb='${arguments[0]}']`);"
        if not self.until(f"{found} return one && [one.checkVisibility()]", verb)[0]:
            self.tap("More", "#seat-do")
        self.touch(f"{found} return {_SHOWN} && one", verb)

    def fill(self, field: str, value: Any) -> bool:
        """Fills in a field of the form, by taps where words are offered; says whether the form has it."""
        title = field.rstrip("_").replace("_", " ")
        if not self.ask(f"{_FIELD} return titled(arguments[0])", title):
            return False
        if not self.ask(f"{_FIELD} return titled(arguments[0]).checkVisibility()", title):
            self.tap("Options", "#seat-do form")
        left = []
        for word in value if isinstance(value, list) else [value]:
            offered = (
                f"{_FIELD} return"
                " [...titled(arguments[0]).querySelectorAll('button, [type=checkbox]')].find("
                "(one) => [one.dataset.who, one.textContent, one.value].includes(String(arguments[1]))"
                " || one.type === 'checkbox')"
            )
            if self.ask(offered, title, word):
                self.touch(offered, title, word)
            else:
                left.append(str(word))
        if left:
            typed = self.ask(f"{_FIELD} return titled(arguments[0]).querySelector('input')", title)
            assert typed, (field, left, self.text())
            typed.send_keys(",".join(left))
        return True

    def send(self, throws: list[Throw]) -> None:
        """Types the dice that are thrown into the form, as far as it asks for them, and sends it."""
        self.until("return [...document.querySelectorAll('#seat-send .send')].some((one) => one.checkVisibility())")
        self.until("return !document.querySelector('#seat-send .send:first-child').disabled")
        given = False
        for rolls in self.ask("return [...document.querySelectorAll('#seat-send fieldset')]"):
            asked = self.ask("return arguments[0].querySelector('legend').textContent", rolls)
            thrown = wanted(throws, asked)
            if thrown is not None:
                given = True
                self._type(rolls, thrown)
        first = self.ask("return document.querySelector('#seat-send .send').textContent")
        self.tap("Send my dice" if given else first, "#seat-send")

    def _type(self, rolls: Any, thrown: Throw) -> None:
        inputs = self.ask("return [...arguments[0].querySelectorAll('input.face')]", rolls)
        assert len(inputs) == len(thrown.faces), (thrown, self.text())
        for face, cell in zip(thrown.faces, inputs, strict=True):
            cell.send_keys(str(face))
        thrown.faces = []

    def answer(self, throws: list[Throw]) -> None:
        """Answers the first question, if there is one."""
        found = self.ask(
            "return [...document.querySelectorAll('#seat-questions li')]"
            ".filter((one) => one.querySelector('button:enabled'))"
            ".map((one) => [one, one.querySelector('p').textContent])[0]"
        )
        if not found:
            return
        question, asked = found
        thrown = wanted(throws, asked)
        if thrown is None:
            self.ask("arguments[0].querySelector('.send').click()", question)
        elif self.ask("return arguments[0].querySelector('.key')", question):
            (face,) = thrown.faces
            self.ask("arguments[0].querySelectorAll('.key')[arguments[1] - 1].click()", question, face)
            thrown.faces = []
        else:
            self._type(question, thrown)
            self.ask("arguments[0].querySelectorAll('.send')[1].click()", question)
