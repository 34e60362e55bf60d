"""The live page in real browsers: what stands on the screen while a fight is played from a terminal."""

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from commands.action import rulebook, systems
from ledger.sqlite import SqliteStore
from tests.browser import (
    AXE,
    SCREENS,
    Browser,
    board,
    cards,
    illegible,
    is_on_card,
    lacking,
    started,
    tabbed,
    violations,
)
from tests.shell import ROOT, Shell
from tests.test_live import Site, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
SHORT = None if os.environ.get("AFFRAY_EXPLORE") else 6
"""How many commands of each fight are played; all of them where the tests explore."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


def expected(rows: dict[str, Any], sides: tuple[str, ...] | None, told: Sequence[str]) -> dict[str, dict[str, str]]:
    """The board of `status` as somebody may see it; everybody sees the columns `told`."""
    return {
        who: {
            title: cell
            for title, cell in row.items()
            if cell and title != "really" and (sides is None or row["side"] in sides or title in told)
        }
        for who, row in rows.items()
    }


def reaches(browser: Browser, entry: int) -> None:
    """Waits until the page shows an entry."""
    WebDriverWait(browser.driver, 10, 0.02).until(lambda _: text(browser, "#head").startswith(f"affray e{entry} "))


def head(ledger: str) -> int:
    with closing(SqliteStore.open(ledger)) as store:
        return store.head().entry


def text(browser: Browser, what: str) -> str:
    return str(browser.ask("return document.querySelector(arguments[0]).textContent", what))


def fight(system: str) -> list[list[str]]:
    """The commands of the demo that record something."""
    script = (ROOT / "commands" / "rules" / system / "demo.fight").read_text(encoding="utf-8")
    lines = [words for line in script.splitlines() if (words := shlex.split(line, comments=True))]
    return [words for words in lines if words[0] not in ("init", "status", "map", "due", "show")]


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_two_pages_show_what_status_says_at_every_entry(system: str, browser: Browser, shell: Shell):
    """The table and the cards of the game master's page, and the players'. An undo and a redo are shown too."""
    shell.done("--ledger", "live.affray", "init", "Live", "--system", system, "--key", bytes(range(32)).hex())
    sides = systems.load(system).players
    browser.complaints()
    with served("live.affray") as site:
        pages = {}
        for name, at, view in (("players", "", sides), ("gm", f"#{site.token}", None)):
            window = browser.new_tab()
            browser.driver.get(f"http://127.0.0.1:{site.port}/{at}")
            pages[name] = window, view
        for words in [*fight(system)[:SHORT], ["undo"], ["redo"]]:
            shell.done(*words)
            told = shell("status", "--json").json
            entry = head("live.affray")
            for window, view in pages.values():
                browser.turn_to(window)
                reaches(browser, entry)
                rows = expected(told["rows"], view, rulebook.of(system).board.seen)
                assert board(browser) == rows, words
                seen = cards(browser)
                for who in rows if view is None else [who for who, row in rows.items() if row["side"] in view]:
                    assert is_on_card(rows[who], seen[who]), (words, who, seen[who])
                assert {*seen} == {*rows}
        for window, _ in pages.values():
            browser.turn_to(window)
            assert browser.complaints() == []
            browser.close_tab()


@pytest.fixture
def fought(shell: Shell) -> Shell:
    """The demo of a rule system with squares and turns, as far as the middle of its second round."""
    shell.done("import", str(ROOT / "fixtures" / "dungeoneers" / "demo.jsonl"), "live.affray")
    shell.done("undo", "e40")
    return shell


def test_a_page_finds_the_server_again(browser: Browser, fought: Shell):
    """The server ends, something is recorded, and another server listens on the same port."""
    site = Site("--ledger", "live.affray")
    browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}")
    reaches(browser, head("live.affray"))
    site.end()
    WebDriverWait(browser.driver, 5, 0.02).until(lambda _: text(browser, "#live").startswith("The connection is lost"))
    fought.done("note", "meanwhile")
    with served("live.affray", "--port", str(site.port)):
        reaches(browser, head("live.affray"))
        assert text(browser, "#since") == "meanwhile"
        assert text(browser, "#live") == "Live"
        browser.driver.get("about:blank")


def test_the_page_says_so_when_the_ledger_goes_back_to_an_older_copy(browser: Browser, fought: Shell):
    """Also after a reload, and when the copy is played on until it is longer than the ledger was."""
    last = head("live.affray")
    with served("live.affray") as site:
        older = Path("live.affray").read_bytes()
        for _ in range(3):
            fought.done("--ledger", "live.affray", "note", "It rains.")
        browser.driver.get(f"http://127.0.0.1:{site.port}/")
        reaches(browser, last + 3)
        assert text(browser, "#verdict").startswith("✓ Sound")
        Path("older").write_bytes(older)
        Path("older").replace("live.affray")
        reaches(browser, last)
        shorter = (
            f"✗ Not sound: the record is shorter than it was: it ends with e{last}. This browser has seen affray e"
        )
        assert text(browser, "#verdict").startswith(shorter)
        browser.driver.refresh()
        reaches(browser, last)
        assert text(browser, "#verdict").startswith(shorter)
        for _ in range(4):
            fought.done("--ledger", "live.affray", "note", "The sun shines.")
        reaches(browser, last + 4)
        assert text(browser, "#verdict").startswith(
            f"✗ Not sound: the record is other than it was: e{last + 3} differs."
        )
        browser.driver.refresh()
        reaches(browser, last + 4)
        assert text(browser, "#verdict").startswith("✗ Not sound: the record is other than it was")


def test_the_page_asks_the_server_for_an_entry_that_is_no_longer_in_its_log(browser: Browser, fought: Shell):
    """The page comes back after 300 entries, to this ledger or to another copy, and the log it gets begins later."""
    last = head("live.affray")
    Path("rain.fight").write_text("note It rains.\n" * 300, encoding="utf-8")
    older = Path("live.affray").read_bytes()
    with served("live.affray") as site:
        fought.done("--ledger", "live.affray", "note", "The sun shines.")
        browser.driver.get(f"http://127.0.0.1:{site.port}/")
        reaches(browser, last + 1)
        seen = text(browser, "#head")
        browser.driver.get("about:blank")
        fought.done("--ledger", "live.affray", "run", "rain.fight")
        browser.driver.get(f"http://127.0.0.1:{site.port}/")
        reaches(browser, last + 301)
        WebDriverWait(browser.driver, 5, 0.02).until(lambda _: text(browser, "#verdict").startswith("✓ Sound"))
        browser.ask(
            "const kept = document.getElementById('kept');"
            "kept.value = arguments[0]; kept.dispatchEvent(new Event('input'))",
            seen,
        )
        agrees = "agrees with your head line"
        WebDriverWait(browser.driver, 5, 0.02).until(lambda _: agrees in text(browser, "#comparison"))
        browser.driver.get("about:blank")
        Path("older").write_bytes(older)
        Path("older").replace("live.affray")
        fought.done("--ledger", "live.affray", "run", "rain.fight")
        fought.done("--ledger", "live.affray", "run", "rain.fight")
        browser.driver.get(f"http://127.0.0.1:{site.port}/")
        reaches(browser, last + 600)
        other = f"✗ Not sound: the record is other than it was: e{last + 301} differs."
        WebDriverWait(browser.driver, 5, 0.02).until(lambda _: text(browser, "#verdict").startswith(other))
        browser.driver.get("about:blank")


def test_the_page_says_so_after_one_changed_byte(browser: Browser, fought: Shell):
    fought.done("note", "a quiet road")
    sound = Path("live.affray").read_bytes()
    with served("live.affray") as site:
        for at in ("", f"#{site.token}"):
            browser.open_address(f"http://127.0.0.1:{site.port}/{at}")
            reaches(browser, head("live.affray"))
            assert text(browser, "#mark") == "✓ Sound"
            Path("live.affray").write_bytes(sound.replace(b"a quiet road", b"a quiet toad"))
            WebDriverWait(browser.driver, 5, 0.02).until(lambda _: text(browser, "#mark") == "✗ Not sound")
            assert text(browser, "#verdict") == "✗ Not sound: the ledger is not what was recorded."
            Path("live.affray").write_bytes(sound)
            WebDriverWait(browser.driver, 5, 0.02).until(lambda _: text(browser, "#mark") == "✓ Sound")
        kept = fought("verify", "--json").json["head"]
        browser.ask(
            "const kept = document.getElementById('kept');"
            "kept.value = arguments[0]; kept.dispatchEvent(new Event('input'))",
            kept,
        )
        assert "agrees with your head line" in text(browser, "#comparison")
        browser.driver.get("about:blank")


def test_who_looks_back_stays_there_while_the_fight_goes_on(browser: Browser, fought: Shell):
    """The slider reaches back to where the page was opened; the token stays in the address."""
    with served("live.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}")
        first = head("live.affray")
        reaches(browser, first)
        for said in ("one", "two"):
            fought.done("note", said)
        reaches(browser, first + 2)
        assert text(browser, "#since") == "two"
        browser.driver.find_element("id", "back").send_keys(Keys.ENTER)
        assert text(browser, "#since") == "one"
        fought.done("note", "three")
        reaches(browser, first + 3)
        assert text(browser, "#since") == "one"
        assert text(browser, "#now") == f"e{first + 1}, 1 of 3"
        browser.driver.find_element("link text", "Log").send_keys(Keys.ENTER)
        assert browser.ask("return document.activeElement.id") == "log"
        assert browser.ask("return location.hash") == f"#{site.token}"
        shown = browser.ask("return [...document.querySelectorAll('#log li[id]')].map(item => item.id)")
        assert shown[-3:] == [f"e{first + nth}" for nth in (1, 2, 3)]
        browser.driver.get("about:blank")


def test_the_log_of_the_page_is_that_of_the_exported_page(browser: Browser, fought: Shell):
    """Its entries, what was taken back, and the rounds."""
    fought.done("export", "page.html")
    asked = (
        "return [...document.querySelectorAll('#log li[id]')].map(item => [item.id, item.className,"
        " [...item.querySelectorAll('.line')].map(line => line.textContent), !!item.querySelector('del')])"
    )
    rounds = "return [...document.querySelectorAll('#log h3, #log h4')].map(head => head.textContent)"
    browser.open(Path("page.html"))
    browser.verdict()
    exported = browser.ask(asked), browser.ask(rounds)
    with served("live.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}")
        reaches(browser, head("live.affray"))
        assert (browser.ask(asked), browser.ask(rounds)) == exported
        steps = "return [...document.querySelectorAll('#e8 .step')].map(step => step.checkVisibility())"
        assert browser.ask(steps) == [False] * 3
        blank = (
            "return [...document.querySelectorAll('#log li')]"
            ".filter(item => item.checkVisibility() && !item.innerText.trim().includes(' '))"
        )
        assert browser.ask(f"{blank}.map(item => item.id)") == []
        last = "return document.querySelector('#log [aria-current]').getBoundingClientRect().bottom <= innerHeight"
        assert browser.ask(last)
        browser.ask("document.querySelector('#e8 a').click()")
        assert browser.ask(steps) == [True] * 3
        browser.driver.get("about:blank")


def test_heroes_are_told_at_a_tap(browser: Browser, fought: Shell):
    with served("live.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}")
        reaches(browser, head("live.affray"))
        browser.driver.find_element("css selector", "nav a[href='#below']").send_keys(Keys.ENTER)
        WebDriverWait(browser.driver, 10, 0.05).until(
            lambda _: browser.ask("return document.querySelectorAll('#drawn h3').length > 1")
        )
        titles = browser.ask("return [...document.querySelectorAll('#drawn h2')].map(title => title.textContent)")
        assert titles == ["Heroes"]
        assert browser.complaints() == []
        browser.driver.get("about:blank")


def test_no_text_of_the_live_page_lies_on_another_and_none_is_cut(browser: Browser, fought: Shell):
    """On a phone, a laptop and a large screen, scrolled to each section, also to what is drawn at a tap."""
    with served("live.affray") as site:
        for width, height in SCREENS:
            browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}", width, height, still=True)
            reaches(browser, head("live.affray"))
            browser.driver.find_element("css selector", "nav a[href='#below']").send_keys(Keys.ENTER)
            WebDriverWait(browser.driver, 10, 0.05).until(
                lambda _: browser.ask("return document.querySelectorAll('#drawn h3').length > 1")
            )
            assert illegible(browser, ("board", "log", "below", "heroes")) == [], width
        browser.driver.get("about:blank")


def test_an_ended_fight_opens_with_its_story_until_another_begins(browser: Browser, fought: Shell):
    """Also while the page is open. On the players' page it has no numbers of foes; who looks back sees the board."""
    shown = "const one = document.getElementById('story'); return Boolean(one) && one.checkVisibility()"
    with served("live.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/")
        reaches(browser, head("live.affray"))
        assert not browser.ask(shown)
        fought.done("end")
        WebDriverWait(browser.driver, 15, 0.05).until(lambda _: browser.ask(shown))
        assert text(browser, "#story .won") == "Over after 2 rounds"
        assert "No encounter is under way." not in browser.driver.find_element("tag name", "main").text
        for at, says in (("", "Greatest known blows"), (f"#{site.token}", "Greatest blows")):
            browser.open_address("about:blank")
            browser.open_address(f"http://127.0.0.1:{site.port}/{at}")
            WebDriverWait(browser.driver, 15, 0.05).until(lambda _: browser.ask(shown))
            assert text(browser, "#story h3") == says
            top = "return document.getElementById('story').getBoundingClientRect().top"
            assert browser.ask(top) < browser.ask(top.replace("story", "last"))
            if AXE:
                assert violations(browser) == []
        fought.done("note", "The dead are counted.")
        reaches(browser, head("live.affray"))
        browser.driver.find_element("id", "back").send_keys(Keys.ENTER)
        assert not browser.ask(shown)
        browser.driver.find_element("id", "forth").send_keys(Keys.ENTER)
        assert browser.ask(shown)
        fought.done("begin")
        reaches(browser, head("live.affray"))
        assert not browser.ask(shown)
        assert browser.complaints() == []
        browser.driver.get("about:blank")


def test_the_keyboard_alone_reaches_everything_and_keeps_its_place(browser: Browser, fought: Shell):
    with served("live.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}")
        reaches(browser, head("live.affray"))
        for said in ("one", "two"):
            fought.done("note", said)
            reaches(browser, head("live.affray"))
        reached = tabbed(browser, 32)
        assert {*reached} >= {"Fight", "round-back", "back", "at", "The board as a table", "e2"}
        assert {*reached.values()} == {"solid"}
        focused = "return document.activeElement.textContent"
        place = browser.ask(focused)
        fought.done("note", "three")
        reaches(browser, head("live.affray"))
        assert browser.ask(focused) == place
        browser.driver.get("about:blank")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_live_page_fits_a_phone_and_paper_and_axe_reports_nothing(dark: bool, browser: Browser, fought: Shell):
    with served("live.affray") as site:
        for at, width in (("", 360), (f"#{site.token}", 1280)):
            browser.open_address(f"http://127.0.0.1:{site.port}/{at}", width, 800, dark)
            reaches(browser, head("live.affray"))
            assert browser.ask("return document.documentElement.scrollWidth") <= width
            if AXE:
                assert violations(browser) == []
        assert browser.complaints() == []
        browser.open_address(f"http://127.0.0.1:{site.port}/", 688, 970)  # A4 without its margins
        reaches(browser, head("live.affray"))
        browser.command("Emulation.setEmulatedMedia", media="print")
        try:
            assert browser.ask("return document.documentElement.scrollWidth") <= 688
            assert browser.driver.find_element("id", "cards").is_displayed()
            assert not browser.driver.find_element("id", "mark").is_displayed()
        finally:
            browser.command("Emulation.setEmulatedMedia", media="")
        browser.driver.get("about:blank")
