"""The live page in real browsers: what stands on the screen while a fight is played from a terminal."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from commands.action import systems
from commands.files.page.moments import SEEN
from ledger.sqlite import SqliteStore as Store
from tests.browser import Browser, lacking, started
from tests.shell import ROOT, Shell
from tests.test_live import Site, served

pytestmark = [
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


def board(browser: Browser) -> dict[str, dict[str, str]]:
    """The board as the reader sees it: for each combatant the cells with something in them."""
    titles, *rows = browser.ask(
        "return [...document.querySelectorAll('#board tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    ) or [[]]
    return {who: {title: cell for title, cell in zip(titles[1:], cells, strict=True) if cell} for who, *cells in rows}


def expected(rows: dict[str, Any], sides: tuple[str, ...] | None) -> dict[str, dict[str, str]]:
    """The board of `status` as somebody may see it."""
    return {
        who: {
            title: cell
            for title, cell in row.items()
            if cell and title != "really" and (sides is None or row["side"] in sides or title in SEEN)
        }
        for who, row in rows.items()
    }


def reaches(browser: Browser, entry: int) -> None:
    """Waits until the page shows an entry."""
    WebDriverWait(browser.driver, 10, 0.02).until(
        lambda _: browser.ask("return document.getElementById('head').textContent").startswith(f"e{entry} ")
    )


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_two_pages_show_what_status_says_at_every_entry(system: str, browser: Browser, shell: Shell):
    shell.done("--ledger", "live.affray", "init", "Live", "--system", system, "--key", bytes(range(32)).hex())
    script = (ROOT / "commands" / "rules" / system / "demo.fight").read_text(encoding="utf-8")
    lines = [words for line in script.splitlines() if (words := shlex.split(line, comments=True))]
    sides = systems.load(system).players
    browser.complaints()
    with served("live.affray") as site:
        pages = {}
        for name, at, view in (("players", "", sides), ("referee", f"#{site.token}", None)):
            browser.driver.switch_to.new_window("tab")
            browser.driver.get(f"http://127.0.0.1:{site.port}/{at}")
            pages[name] = browser.driver.current_window_handle, view
        for words in [*lines, ["undo"], ["redo"]]:
            if words[0] == "init":
                continue
            shell.done(*words)
            rows = shell("status", "--json").json["rows"]
            store = Store.open("live.affray")
            head = store.head().entry
            store.close()
            for window, view in pages.values():
                browser.driver.switch_to.window(window)
                reaches(browser, head)
                assert board(browser) == expected(rows, view), words
        for window, _ in pages.values():
            browser.driver.switch_to.window(window)
            assert browser.complaints() == []
            browser.driver.get("about:blank")


def test_a_page_finds_the_server_again(browser: Browser, shell: Shell):
    """The server ends, something is recorded, and another server listens on the same port."""
    shell.done("--ledger", "live.affray", "init", "Live", "--system", "freepg")
    site = Site("--ledger", "live.affray")
    browser.driver.get(f"http://127.0.0.1:{site.port}/#{site.token}")
    reaches(browser, 1)
    site.end()
    shell.done("note", "meanwhile")
    with served("live.affray", "--port", str(site.port)):
        reaches(browser, 2)
        assert "meanwhile" in browser.ask("return document.getElementById('log').textContent")
        browser.driver.get("about:blank")
