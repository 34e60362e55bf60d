"""An evening of three rounds of each rule system, from the desk alone and two phones, without one typed line: it comes
to what the same lines come to in a shell. FReePG's is also played by keyboard alone.
"""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from commands.action import systems
from commands.seats.hand import Tap
from tests.browser import Browser, lacking, started
from tests.kit import KEY
from tests.phones import Phone
from tests.sample import WHOLE
from tests.shell import ROOT, Shell
from tests.test_desk import form_of, recorded
from tests.test_desk_browser import _FIELD, Desk
from tests.test_seats_served import Server, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
_LINK = """
const all = [...document.querySelectorAll("#desk-seats li")];
return all.find((one) => one.textContent.startsWith(arguments[0]))?.querySelector("a").href
"""
_MOVED = "return document.getElementById('head').textContent !== arguments[0]"
_TABS = """
const [wanted] = arguments, here = document.activeElement, order = (one, other) => one.compareDocumentPosition(other);
const back = order(here, wanted) & 2, [from, to] = back ? [wanted, here] : [here, wanted];
const stops = [...document.querySelectorAll("a[href], button, input, select, summary, textarea, [tabindex]")].filter(
  (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && order(from, one) & 4 && order(one, to) & 4);
return here === wanted ? 0 : (back ? -1 : 1) * (stops.length + 1);
"""
"""How often Tab is to be pressed to come to something, backwards if it is less than none."""
_PRESSED = (
    f"{_FIELD} return [...titled(arguments[0]).querySelectorAll('[aria-pressed=true]')].map((o) => o.dataset.word)"
)


class Keyboard(Desk):
    """The desk of somebody who has no pointer: what is tapped elsewhere is reached by Tab, and pressed."""

    def touch(self, script: str, *words: Any) -> None:
        """Presses what a script finds."""
        self._to(self.until(script, *words))
        self.browser.press(Keys.SPACE)

    def opens(self, script: str, *words: Any) -> None:
        """Waits for something, and opens what is folded around it, from outside in."""
        self.until(f"{script} return one", *words)
        while fold := self.ask(
            f"{script} const folds = []; for (let at = one; (at = at.parentElement.closest('details'));)"
            " { if (!at.open) folds.unshift(at.querySelector('summary')); } return folds[0]", *words,
        ):  # fmt: skip
            self._to(fold)
            self.browser.press(Keys.ENTER)

    def _to(self, wanted: Any) -> None:
        for _ in range(100):
            tabs = self.ask(_TABS, wanted)
            if not tabs:
                return
            self.browser.press(*([Keys.SHIFT] if tabs < 0 else []), *[Keys.TAB] * abs(tabs))
        raise AssertionError(self.ask("return arguments[0].outerHTML", wanted))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


def evening(system: str) -> Iterator[tuple[str, list[str]]]:
    """The lines of an evening, each with who proposes it; "" for the game master."""
    for line in (ROOT / "fixtures" / system / "evening.taps").read_text(encoding="utf-8").splitlines():
        if words := shlex.split(line, comments=True):
            yield (words[0][:-1], words[1:]) if words[0].endswith(":") else ("", words)


def pressed(desk: Desk, title: str) -> set[str]:
    """The words that are chosen in a field."""
    return {one.casefold() for one in desk.ask(_PRESSED, title)}


def amends(desk: Desk, system: str, entry: str, line: str) -> None:
    """Taps the pencil of an entry, and makes its form say something else."""
    desk.fresh()
    before = desk.head()
    desk.touch("return document.querySelector(`#${arguments[0]} > .amend`)", entry)
    desk.until("return document.querySelector('#hand-form .sends .send')?.textContent.startsWith('Amend')")
    for field, words in form_of(system, shlex.split(line)).said.items():
        title, wanted = field.rstrip("_").replace("_", " "), {*map(str.casefold, words)}
        if desk.ask(f"{_FIELD} return !!titled(arguments[0])?.querySelector('[data-word]')", title):
            desk.fills(title, tuple(wanted - pressed(desk, title)))
            desk.fills(title, tuple(pressed(desk, title) - wanted))
    desk.until("return document.querySelector('#hand-told').textContent")
    desk.touch("return document.querySelector('.sends .send')")
    desk.until(_MOVED, before)


def proposes(desk: Desk, phone: Phone, system: str, words: list[str], who: str) -> None:
    """Taps something together on a phone, and accepts it at the desk."""
    tap, before = form_of(system, words), desk.head()
    phone.choose(who, tap.verb)
    for field, said in tap.said.items():
        if field != "who":
            assert phone.fill(field, [one.capitalize() if field == "target" else one for one in said] or [""]), words
    phone.send([])
    phone.says("waits for the game master")
    desk.touch("return document.querySelector('#desk-proposals .send')")
    while not desk.ask(_MOVED, before):
        phone.answer([])


def plays(server: Server, browser: Browser, system: str, desk: Desk, shell: Shell) -> None:
    """Plays the evening, and types it. The phones come to the addresses that the desk shows."""
    phones = dict[str, Phone]()
    for seat, words in evening(system):
        shell.done("--ledger", "typed.affray", *words)
        if seat:
            who = words[1].capitalize()
            if seat not in phones:
                server.tokens[seat] = desk.until(_LINK, seat).partition("#")[2]
                phones[seat] = Phone(browser, server, seat)
            proposes(desk, phones[seat], system, words, who)
        elif words[0] == "amend":
            amends(desk, system, words[1], words[3])
        else:
            desk.plays(Tap(verb="undo") if words == ["undo"] else form_of(system, words))
    assert desk.ask("return document.getElementById('hand-line').value") == ""
    for page in (desk, *phones.values()):
        page.close()


SAMPLE: list[tuple[str, type[Desk]]] = [("paraverse", Desk), ("freepg", Keyboard)]
EVENINGS = [*((system, Desk) for system in systems.SYSTEMS), SAMPLE[-1]] if WHOLE else SAMPLE


@pytest.mark.parametrize(("system", "how"), EVENINGS)
def test_an_evening_of_three_rounds(system: str, how: type[Desk], browser: Browser, shell: Shell):
    for name in ("typed", "test"):
        shell.done("--ledger", f"{name}.affray", "init", "Live", "--system", system, "--key", KEY.hex())
    with served("test.affray") as server:
        plays(server, browser, system, how(browser, server), shell)
    assert recorded("test.affray") == recorded("typed.affray")
    shell.done("--ledger", "test.affray", "verify")
