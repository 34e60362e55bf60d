"""The program in a page: in a real browser that reaches nothing but this machine."""

import functools
import http.server
import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from commands.action.systems import SYSTEMS
from commands.web.build import build, packed
from ledger.sqlite import SqliteStore
from tests.browser import AXE, Browser, lacking, started, violations
from tests.sample import WHOLE
from tests.shell import Shell, chain_anew, forge

missing = ", ".join(filter(None, [lacking(), *(name for name in ("node", "npm") if not shutil.which(name))]))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing), reason=f"to test the program in a page, install {missing}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""A switch of Chromium: no name but this machine's address is known."""
MOST_PACKED = 8_000_000
ENTER, TAB, UP, CTRL_C = "\ue007", "\ue004", "\ue013", "\ue009c\ue000"


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder as `python -m http.server` does, and keeps what was asked for."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        assert isinstance(self.server, Server)
        self.server.asked.append(self.path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built anew from PyPI and npm."""
    folder = tmp_path_factory.mktemp("web") / "page"
    build(folder)
    return folder


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[Server]:
    with Server(built) as server:
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started(ALONE) as made:
        yield made


class Page:
    """The page in a browser, and somebody who types there."""

    def __init__(self, browser: Browser, address: str, width: int = 1280, height: int = 1600) -> None:
        self.browser, self.address = browser, address
        browser.open_address(address, width, height)
        self.ready()

    def ready(self, state: str = "ready") -> None:
        """Waits until the page takes a line, or asks something."""
        WebDriverWait(self.browser.driver, 30, 0.02).until(
            lambda _: self.browser.ask("return document.getElementById('terminal').dataset.state") == state
        )

    def keys(self, text: str) -> None:
        self.browser.driver.find_element(By.CSS_SELECTOR, ".xterm-helper-textarea").send_keys(text)

    def type(self, line: str, state: str = "ready") -> str:
        """Types a line, and gives what is printed below it."""
        self.keys(line)
        self.browser.ask("document.getElementById('terminal').dataset.state = ''")
        self.keys(ENTER)
        self.ready(state)
        return self.said(line)

    def said(self, line: str = "") -> str:
        """What stands on the terminal, after a line that was typed. It is drawn a moment after it is printed."""
        time.sleep(0.15)
        rows = self.browser.ask(
            "return [...document.querySelectorAll('.xterm-rows > div')].map(one => one.textContent)"
        )
        text = "\n".join(row.replace("\xa0", " ").rstrip() for row in rows).rstrip()
        return text.rpartition(f"> {line}\n")[2] if line else text

    def beside(self, script: str) -> Any:
        """What a script finds on the live page beside the terminal."""
        return self.browser.ask(f"return (document => {script})(document.getElementById('view').contentDocument)")

    def follows(self, entry: int) -> None:
        """Waits until the live page shows an entry."""
        wanted = f"affray e{entry} "
        WebDriverWait(self.browser.driver, 10, 0.02).until(
            lambda _: (self.beside("document.getElementById('head')?.textContent") or "").startswith(wanted)
        )

    def drop(self, path: Path) -> str:
        """Opens a file, and gives the verdict."""
        self.browser.ask("document.getElementById('terminal').dataset.state = ''")
        self.browser.driver.find_element(By.ID, "file").send_keys(str(path))
        self.ready()
        return self.verdict()

    def verdict(self) -> str:
        return str(self.browser.ask("return document.getElementById('verdict').textContent"))


@pytest.fixture
def page(browser: Browser, site: Server) -> Page:
    """The page of somebody who comes for the first time."""
    browser.driver.get(f"{site.address}licences.txt")
    browser.command("Storage.clearDataForOrigin", origin=site.address.rstrip("/"), storageTypes="all")
    return Page(browser, site.address)


def answers(shell: Shell, *words: str) -> str:
    return shell.done(*words)


def test_python_and_the_wheels_are_at_most_8_mb(built: Path):
    assert packed(built)["all"] <= MOST_PACKED


def test_every_licence_is_shipped(built: Path):
    text = (built / "licences.txt").read_text(encoding="utf-8")
    for name in ("pyodide 314.0.7: MPL-2.0", "@xterm/xterm 6.0.0: MIT", "sqlite_utils 4.2.1: Apache-2.0", "msgspec"):
        assert name in text


@pytest.mark.parametrize("system", SYSTEMS if WHOLE else SYSTEMS[:1])
def test_a_demo_ends_in_the_same_state_as_on_this_machine(system: str, page: Page, shell: Shell):
    shell.done("demo", system)
    (state,) = re.findall(r"^state (\w+)$", shell.done("verify"), re.M)
    page.type(f"affray demo {system}")
    assert f"state {state}" in page.type("affray verify")
    assert page.verdict().startswith("✓ Sound, rule by rule: ")


def test_an_evening_is_played_in_the_page(page: Page, site: Server):
    """Questions, dice as they fall, amend, undo, odds, why and export; the live page follows each."""
    assert "No ledger" in page.type("affray status") or "There is no ledger" in page.said("affray status")
    page.type("affray init Bridge --system freepg")
    page.type("join boffin jane")
    page.type("join grub --count 2 --side foes")
    page.type("begin Bridge")
    page.follows(4)
    assert page.beside("document.querySelectorAll('.card').length") == 4
    page.type("attack boffin grub-1", "asking")
    page.type("15", "asking")
    said = page.type("12")
    assert "Boffin attacks Grub-1" in page.said("attack boffin grub-1")
    assert said
    page.follows(5)
    assert "Grub-1" in page.beside("document.getElementById('told').textContent")
    assert "e5" in page.type("amend e5 --dice 16,12 --apply")
    assert "attack" in page.type("odds attack boffin grub-2")
    assert "hp" in page.type("why grub-1 hp")
    page.type("undo")
    page.type("redo")
    page.type("export fight.html")
    assert "fight.html" in page.browser.ask("return document.getElementById('files').textContent")
    assert "Sound" in page.type("affray verify")
    assert "does not work in a page" in page.type("serve")
    assert "plays no script from the keyboard" in page.type("run -")
    assert page.browser.complaints() == []
    assert {path for path in site.asked if path.startswith("http")} == set()


def test_ctrl_c_leaves_a_question_and_stops_a_long_command(page: Page):
    page.type("affray demo freepg")
    page.type("roll 2d6", "asking") if page.browser.ask("return false") else None
    page.keys("what-if hidden_dice true --jobs 1")
    before = page.said()
    page.keys(CTRL_C)
    assert "^C" in page.said()
    assert before != page.said()
