"""The program in a page: in a real browser that reaches nothing but this machine."""

import functools
import http.server
import re
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from commands.action.systems import SYSTEMS
from commands.web.build import build, packed
from tests import hostile
from tests.browser import AXE, Browser, lacking, started, violations
from tests.sample import WHOLE
from tests.shell import Shell, chain_anew, forge
from tests.test_desk import form_of, lines
from tests.test_desk_browser import SHORT, Desk

missing = ", ".join(filter(None, [lacking(), *(name for name in ("node", "npm") if not shutil.which(name))]))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing), reason=f"to test the program in a page, install {missing}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""A switch of Chromium: no name but this machine's address is known."""
MOST_PACKED = 8_000_000
TAPPED = ("aachen", "dungeoneers")
"""The rule systems of which an evening is tapped where a program cannot wait: many dice are asked for in it."""
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


@pytest.fixture(scope="module")
def waitless(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same page for a browser without JSPI, as Firefox and Safari are: the engine finds none."""
    folder = tmp_path_factory.mktemp("waitless") / "page"
    shutil.copytree(built, folder)
    first = folder / "engine" / "pyodide.mjs"
    gone = "delete WebAssembly.Suspending; delete WebAssembly.promising;\n"
    first.write_text(gone + first.read_text(encoding="utf-8"), encoding="utf-8")
    with Server(folder) as server:
        yield server
        server.shutdown()


class Page:
    """The page in a browser, and somebody who types there."""

    def __init__(self, browser: Browser, address: str, width: int = 1280, height: int = 1600) -> None:
        self.browser, self.address = browser, address
        browser.open_address(address, width, height)
        self.ready()

    def ready(self, state: str = "ready") -> None:
        """Waits until the page takes a line, or asks something."""
        self.browser.until("return document.getElementById('terminal').dataset.state === arguments[0]", state)

    def keys(self, text: str) -> None:
        self.browser.driver.find_element(By.CSS_SELECTOR, ".xterm-helper-textarea").send_keys(text)

    def type(self, line: str, state: str = "ready") -> str:
        """Types a line, and gives what is printed below it."""
        self.keys(line)
        self.browser.ask("document.getElementById('terminal').dataset.state = ''")
        self.keys(ENTER)
        self.ready(state)
        return self.said(line)

    def _rows(self) -> list[str]:
        """The rows of the terminal, after what waited to be drawn."""
        rows: list[str] = self.browser.driver.execute_async_script(
            "const [done] = arguments, frame = requestAnimationFrame;"
            "const rows = () => [...document.querySelectorAll('.xterm-rows > div')].map((one) => one.textContent);"
            "setTimeout(() => frame(() => frame(() => done(rows()))), 50);"
        )
        return rows

    def said(self, line: str = "") -> str:
        """What stands on the terminal, after a line that was typed. It is drawn a moment after it is printed."""
        rows, before = self._rows(), None
        while rows != before:
            before, rows = rows, self._rows()
        text = "\n".join(row.replace("\xa0", " ").rstrip() for row in rows).rstrip()
        return text.rpartition(f"> {line}\n")[2] if line else text

    def beside(self, script: str) -> Any:
        """What a script finds on the live page beside the terminal."""
        return self.browser.ask(f"return (document => {script})(document.getElementById('view').contentDocument)")

    def follows(self, entry: int) -> None:
        """Waits until the live page shows an entry."""
        self.browser.until(
            "const head = document.getElementById('view').contentDocument.getElementById('head');"
            "return head?.textContent.startsWith(arguments[0])",
            f"affray e{entry} ",
        )

    def drop(self, path: Path) -> str:
        """Opens a file, and gives the verdict."""
        self.browser.ask("document.getElementById('terminal').dataset.state = ''")
        self.browser.driver.find_element(By.ID, "file").send_keys(str(path))
        self.ready()
        return self.verdict()

    def verdict(self) -> str:
        return str(self.browser.ask("return document.getElementById('verdict').textContent"))


@pytest.fixture(scope="module")
def page(browser: Browser, site: Server) -> Page:
    """The page of somebody who comes for the first time, and stays: to start it takes seconds."""
    return Page(browser, site.address)


def test_python_and_the_wheels_are_at_most_8_mb(built: Path):
    assert packed(built)["all"] <= MOST_PACKED


def test_every_licence_is_shipped(built: Path):
    text = (built / "licences.txt").read_text(encoding="utf-8")
    for name in ("pyodide 314.0.7: MPL-2.0", "@xterm/xterm 6.0.0: MIT", "sqlite_utils 4.2.1: Apache-2.0", "msgspec"):
        assert name in text


def test_an_evening_is_played_in_the_page(page: Page, site: Server):
    """Questions, dice as they fall, amend, undo, odds, why and export; the live page follows each."""
    assert "There is no ledger" in page.type("affray status")
    page.type("affray init Bridge --system freepg")
    page.type("join boffin jane")
    page.type("join grub --count 2 --side foes")
    page.type("begin Bridge")
    page.type("initiative --dice 17,3,5")
    page.follows(5)
    assert page.beside("document.querySelectorAll('.card').length") == 4
    assert "%" in page.type("odds attack boffin grub-1")
    page.type("attack boffin grub-1 --dice ask", "asking")
    page.type("15", "asking")
    page.type("2")
    assert "Boffin attacks Grub-1: hit" in page.said("attack boffin grub-1 --dice ask")
    page.follows(6)
    assert "Boffin attacks Grub-1" in page.beside("document.getElementById('told').textContent")
    assert "e6" in page.type("amend e6 --dice 16,2 --because misread --apply")
    assert "Sound" in page.type("affray verify")
    assert page.verdict().startswith("✓ Sound, rule by rule: 8 entries")
    page.type("undo")
    page.follows(9)
    assert "Since then one entry was recorded here." in page.beside("document.getElementById('verdict').textContent")
    page.type("redo")
    assert "e8" in page.type("why grub-1.hp")
    page.type("export fight.html")
    assert "fight.html" in page.browser.ask("return document.getElementById('files').textContent")
    assert "does not work in a page" in page.type("serve")
    assert "plays no script from the keyboard" in page.type("run -")
    page.keys("att" + TAB)
    assert "> attack " in page.said()
    page.keys(CTRL_C)
    page.keys(UP)
    assert page.said().endswith("> run -")
    page.keys(CTRL_C)
    if AXE:
        assert violations(page.browser) == []
    assert page.browser.complaints() == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_demo_ends_in_the_same_state_as_on_this_machine(system: str, page: Page, shell: Shell):
    shell.done("demo", system)
    (state,) = re.findall(r"^state (\w+)$", shell.done("verify", "--state"), re.M)
    page.type(f"affray demo {system}")
    assert f"state {state}" in page.type("affray verify --state")
    assert page.verdict().startswith("✓ Sound, rule by rule: ")


def test_a_fight_is_played_by_tapping_from_a_new_campaign_on(page: Page):
    """The desk of the game master's page: the same as that of `affray serve`."""
    driver = page.browser.driver
    driver.find_element(By.ID, "new").click()
    driver.find_element(By.ID, "campaign-name").send_keys("Tapped at the bridge")
    driver.find_element(By.CSS_SELECTOR, "#campaign-system [value=freepg]").click()
    driver.find_element(By.CSS_SELECTOR, "#campaign [value=yes]").click()
    page.follows(1)
    driver.switch_to.frame("view")

    def tap(what: str) -> None:
        look = "const one = document.querySelector(arguments[0]); return one?.checkVisibility() && !one.disabled && one"
        wait = WebDriverWait(driver, 20, 0.02, (StaleElementReferenceException, ElementClickInterceptedException))
        wait.until(lambda _: (one := page.browser.ask(look, what)) and (one.click() or True))

    def fresh() -> None:
        WebDriverWait(driver, 20, 0.02).until(
            lambda _: page.browser.ask(
                "const hand = document.getElementById('hand');"
                "return !hand.hasAttribute('aria-busy') && !document.querySelector('#hand-form form')"
                " && hand.dataset.head === document.getElementById('head').textContent"
            )
        )

    fresh()
    tap("[data-verb=begin]")
    tap("#hand-form [data-word=bridge]")
    for before in ("", "[data-verb=initiative]"):
        if before:
            tap(before)
        tap("#hand-form .send")
        fresh()
    tap("[data-verb=attack]")
    tap("#hand-form [data-who='Grub-1']")
    tap("#hand-form .send")
    fresh()
    told = page.browser.ask("return document.getElementById('told').textContent")
    driver.switch_to.default_content()
    assert " attacks Grub-1: " in told
    assert "attacks Grub-1" in page.said()
    assert "Sound: 4 entries" in page.type("verify")


class Framed(Desk):
    """The desk beside the terminal."""

    def __init__(self, page: Page) -> None:
        self.browser, self.taps, self.window = page.browser, 0, page.browser.window
        self.browser.driver.switch_to.frame("view")
        self.until("return document.querySelector('#hand:not([hidden]) [data-verb]')")


def test_what_the_page_runs_reaches_no_other_server(page: Page, tmp_path: Path):
    """The policy of the page holds for the program too, which runs in a worker."""
    with Server(tmp_path) as other:
        asked = "return fetch(arguments[0]).then(() => 'reached', () => 'refused')"
        assert page.browser.ask(asked, other.address) == "refused"
        page.browser.driver.execute_async_script(
            "const [address, done] = arguments;"
            "const text = `fetch(${JSON.stringify(address)}).then(() => 1, () => 0).then((one) => postMessage(one))`;"
            "const made = new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})));"
            "made.onmessage = ({data}) => done(data)",
            other.address,
        )
        assert other.asked == []
        other.shutdown()


def test_ctrl_c_leaves_a_question_and_stops_a_long_command(page: Page, tmp_path: Path):
    page.type("affray init Long --system freepg")
    page.type("roll 1d6+1d8 --dice ask", "asking")
    page.keys("5" + CTRL_C)
    page.ready()
    assert "Nothing was recorded. The dice are kept for the next try: 5" in page.said()
    script = tmp_path / "long.txt"
    script.write_text("note again\n" * 20_000, encoding="utf-8")
    page.drop(script)
    page.keys("run long.txt" + ENTER)
    time.sleep(0.5)
    page.keys(CTRL_C)
    page.ready()
    (last,) = re.findall(r"Interrupted. The ledger ends with e(\d+)", page.said())
    assert 1 < int(last) < 20_001
    assert f"Sound: {last} entries" in page.type("verify")


def test_two_tabs_lose_no_entry(page: Page):
    """Each sees what the other recorded, and writes after it; after a reload all of it is there."""
    page.type("affray init Tabs --system freepg")
    first = page.browser.window
    second = page.browser.new_tab()
    other = Page(page.browser, page.address)
    other.type("note theirs")
    page.browser.turn_to(first)
    page.follows(2)
    assert "e3" in page.type("note ours")
    assert "theirs  e2" in page.said()
    page.browser.turn_to(second)
    other.follows(3)
    page.browser.close_tab()
    page.browser.driver.refresh()
    page.ready()
    assert "Sound: 3 entries" in page.type("verify")


def test_a_forged_ledger_is_caught_at_the_rule(page: Page, shell: Shell, tmp_path: Path):
    """Its chain is sound, and so says the check of the chain."""
    shell.done("demo", "freepg")
    assert page.drop(tmp_path / "demo-freepg.affray").startswith("✓ Sound, rule by rule: 31 entries")
    forge(
        "demo-freepg.affray",
        "UPDATE events SET body = replace(body, '\"points\":16', '\"points\":17') WHERE body LIKE '%\"points\":16%'",
    )
    chain_anew("demo-freepg.affray")
    shutil.copyfile("demo-freepg.affray", "stranger.affray")
    assert page.drop(tmp_path / "stranger.affray").startswith("✗ Not sound: ")
    WebDriverWait(page.browser.driver, 5).until(
        lambda _: str(page.beside("document.getElementById('verdict')?.textContent")).startswith("✗ Not sound: ")
    )


def test_what_somebody_ill_disposed_sends_runs_nothing_and_leaves_a_prompt(page: Page, shell: Shell, tmp_path: Path):
    """Nor does it write a verdict into the terminal, where somebody looks at its story, its board and its log."""
    ran = "window.run === undefined && document.getElementById('view').contentWindow.run === undefined"
    for name, data in hostile.ledgers(shell).items():
        (tmp_path / name).write_bytes(data)
        assert not page.drop(tmp_path / name).startswith("✓"), name
        for view in ("told", "players", "gm"):
            page.browser.driver.find_element(By.ID, view).click()
        page.type("log --last 5")
        rows = page.said().splitlines()
        assert rows[-1].endswith(">"), name
        assert not [row for row in rows if row.strip().startswith(hostile.VERDICT)], name
        assert page.browser.ask(f"return {ran}"), name
    large = tmp_path / "large.affray"
    with large.open("wb") as file:
        file.truncate(65 * 2**20)
    page.browser.driver.find_element(By.ID, "file").send_keys(str(large))
    WebDriverWait(page.browser.driver, 5, 0.02).until(lambda _: "is larger than 64 MiB" in page.said())
    assert page.said().splitlines()[-1].endswith(">")
    assert page.browser.complaints() == []


def test_ctrl_c_stops_the_check_of_a_file(page: Page, shell: Shell, tmp_path: Path):
    """It is not verified then, and not called unsound."""
    shell.done("init", "x", "--system", "freepg", "--key", "00" * 32)
    (tmp_path / "many.txt").write_text("note again\n" * 6_000, encoding="utf-8")
    shell.done("run", str(tmp_path / "many.txt"))
    page.browser.ask("document.getElementById('terminal').dataset.state = ''")
    page.browser.driver.find_element(By.ID, "file").send_keys(str(tmp_path / "x.affray"))
    WebDriverWait(page.browser.driver, 5, 0.02).until(lambda _: "is being verified" in page.said())
    page.keys(CTRL_C)
    page.ready()
    assert page.verdict() == "Not verified yet: it was interrupted."
    page.type("verify")
    assert page.verdict().startswith("✓ Sound, rule by rule: 6001 entries")


def test_a_file_for_players_is_checked_as_far_as_it_shows(page: Page, shell: Shell, tmp_path: Path):
    shell.done("demo", "freepg")
    shell.done("export", "players.jsonl", "--player-safe")
    assert "Nobody can repeat the rules" in page.drop(tmp_path / "players.jsonl")


def test_a_phone_has_a_plain_line_and_nothing_wider_than_its_screen(browser: Browser, site: Server):
    page = Page(browser, site.address, 390, 844)
    if AXE:
        assert violations(browser) == []
    browser.driver.find_element(By.ID, "typed").send_keys("affray demo freepg --file phone.affray" + ENTER)
    page.follows(31)
    assert browser.ask("return document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("system", SYSTEMS if WHOLE else TAPPED)
def test_an_evening_is_tapped_also_where_a_program_cannot_wait_for_an_answer(
    system: str, browser: Browser, waitless: Server, shell: Shell
):
    """Without one typed line, with the dice that are thrown at the table: it comes to what it comes to in a shell.
    Last, as the browser stays on that other page.
    """
    shell.done("init", f"Tapped {system}", "--system", system)
    page = Page(browser, waitless.address)
    assert "This browser cannot stop a program" in page.said()
    driver = browser.driver
    driver.find_element(By.ID, "new").click()
    driver.find_element(By.ID, "campaign-name").send_keys(f"Tapped {system}")
    driver.find_element(By.CSS_SELECTOR, f"#campaign-system [value={system}]").click()
    driver.find_element(By.CSS_SELECTOR, "#campaign [value=yes]").click()
    page.follows(1)
    desk = Framed(page)
    for words in [*lines(system)][:SHORT]:
        desk.plays(form_of(system, words))
        shell.done(*words)
    driver.switch_to.default_content()
    told, shown = (
        Counter(text.split()) for text in (shell.done("log", "--last", "3"), page.type("affray log --last 3"))
    )
    assert told <= shown  # lines break elsewhere
    assert "Sound: " in page.type("affray verify")
    assert browser.complaints() == []
