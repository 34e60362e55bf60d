"""The page in the reader's hands: in a real browser, without a network."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.shell.cli import run
from ledger.sqlite import SqliteStore
from tests.browser import Browser, lacking, started
from tests.reading import HOSTILE, forged, packed, repacked
from tests.reading import page_of as page_of_book
from tests.shell import ROOT, Shell

pytestmark = [
    pytest.mark.skipif(bool(lacking()), reason=f"to test the page in a browser, install {lacking()}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
Page = Callable[[str], Path]
FACES = '\\\\\\"faces\\\\\\":[{}]'
"""How the faces of a roll stand in the record of a page: JSON in a line of JSON, which stands in JSON."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One process for all tests."""
    with started() as made:
        yield made


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The page of the demo fight of a rule system, with its ledger beside it."""
    folder = tmp_path_factory.mktemp("pages")

    def made(system: str) -> Path:
        ledger, page = folder / f"{system}.affray", folder / f"{system}.html"
        if not page.exists():
            assert run(["import", str(ROOT / "fixtures" / system / "demo.jsonl"), str(ledger)]) == 0
            assert run(["--ledger", str(ledger), "export", str(page)]) == 0
        return page

    return made


def changed(page: Path, text: str) -> Path:
    """Another page beside it."""
    other = page.with_name(f"changed-{page.name}")
    other.write_text(text, encoding="utf-8")
    return other


def board(browser: Browser) -> dict[str, dict[str, str]]:
    """The board as the reader sees it: for each combatant the cells with something in them."""
    titles, *rows = browser.ask(
        "return [...document.querySelectorAll('#table tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return {who: {title: cell for title, cell in zip(titles[1:], cells, strict=True) if cell} for who, *cells in rows}


def say(browser: Browser, field: str, value: object) -> None:
    """Moves a slider, or types into a field."""
    browser.ask(
        "const [field, value] = arguments, one = document.getElementById(field);"
        "one.value = value; one.dispatchEvent(new Event('input'))",
        field,
        value,
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_slider_shows_the_board_as_it_was(system: str, browser: Browser, page_of: Page, shell: Shell):
    """The same cells as `affray status --at`, the same numbers as `affray show --at`, and nothing on the console."""
    page = page_of(system)
    browser.open(page)
    entries = int(browser.ask("return document.getElementById('at').max")) + 1
    assert browser.verdict() == f"✓ Sound: {entries} entries in one chain, and the page is unchanged."
    numbers = 0
    ledger = str(page.with_suffix(".affray"))
    for entry in (entries, 1, entries // 3, entries // 2, entries // 2 + 1, entries - 3):
        say(browser, "at", entry - 1)
        told = shell("--ledger", ledger, "status", "--at", f"e{entry}", "--json").json
        shown = board(browser)
        assert shown == {who: {title: cell for title, cell in row.items() if cell} for who, row in told["rows"].items()}
        above = browser.ask("return [...document.querySelectorAll('#above p')].map(line => line.textContent)")
        lines = shell("--ledger", ledger, "status", "--at", f"e{entry}", "--wide").out.splitlines()
        assert above == lines[: len(above)]
        assert above[0] == told["header"][0]
        values = shell("--ledger", ledger, "show", "--at", f"e{entry}", "--json").json["values"]
        for who, row in shown.items():
            for measure in {"hp", "pain", "stress", "wounds"} & row.keys():
                if (number := row[measure].partition("/")[0]).isdigit():
                    assert number == values.get(f"{who}.{measure}", "0")
                    numbers += 1
    assert numbers > 10
    assert browser.ask("return performance.getEntriesByType('resource').length") == 0, "nothing was asked for"
    assert browser.complaints() == []


def test_the_slider_and_the_log_move_together(browser: Browser, page_of: Page):
    """By keys, by the buttons, by a click in the log and by the address."""
    browser.open(page_of("freepg"))
    browser.verdict()
    now = "return document.getElementById('now').textContent + ' ' + document.querySelector('[aria-current]').id"
    slider = browser.driver.find_element("id", "at")
    slider.send_keys("\ue011")  # Home
    assert browser.ask(now) == "e1, 1 of 31 e1"
    slider.send_keys("\ue014\ue014")  # right, twice
    assert browser.ask(now) == "e3, 3 of 31 e3"
    assert "e3: adjust Tilda hp 19" in slider.get_attribute("aria-valuetext")
    browser.ask("document.getElementById('forth').click()")
    assert browser.ask(now) == "e4, 4 of 31 e4"
    browser.ask("document.getElementById('round-forth').click()")
    assert browser.ask(now) == "e18, 18 of 31 e18"
    browser.ask("document.getElementById('round-back').click()")
    assert browser.ask(now) == "e4, 4 of 31 e4"
    browser.ask("document.querySelector('#e11 > a').click()")
    assert browser.ask(now) == "e11, 11 of 31 e11"
    assert browser.ask("return location.hash") == "#e11"
    assert board(browser)["Tilda"]["hp"] == "0/53"
    assert (
        browser.ask("return [...document.querySelectorAll('td.changed')].map(cell => cell.title)[0]") == "before: 19/53"
    )
    browser.open(page_of("freepg"), at="#e5")
    browser.verdict()
    assert browser.ask(now) == "e5, 5 of 31 e5"
    assert browser.complaints() == []


def test_a_changed_byte_is_found(browser: Browser, page_of: Page):
    """In an event, the words as typed, a digest, the log, a table, a curve, the title, a board, or what is packed."""
    page = page_of("freepg")
    text = page.read_text(encoding="utf-8")
    held = re.search(r'id="record">([^<]{200})', text)
    assert held
    middle = held[1][100:]
    digest = re.search(r"affray e31 ([0-9a-f]{64})", text)
    assert digest
    for altered, says in (
        (repacked(text, "record", FACES.format(17), FACES.format(18)), "e4 is not what was recorded."),
        (repacked(text, "record", "begin --from bridge", "begin --from Bridge"), "e2 is not what was recorded."),
        (repacked(text, "record", digest[1], digest[1][:-1] + "x"), "e31 is not what was recorded."),
        (text.replace(digest[1], digest[1][::-1]), "the chain does not end with the head line above."),
        (text.replace("Tilda loses 19 hp", "Tilda loses 18 hp"), "something on this page was changed."),
        (text.replace("<td>20</td>", "<td>21</td>", 1), "something on this page was changed."),
        (re.sub(r'(<path d="M [0-9]+)', r"\g<1>1", text, count=1), "something on this page was changed."),
        (text.replace("<h1>demo", "<h1>Demo"), "something on this page was changed."),
        (repacked(text, "boards", '"0/53"', '"1/53"'), "something on this page was changed."),
        (text.replace(middle, ("B" if middle[0] == "A" else "A") + middle[1:]), "is damaged and cannot be read."),
    ):
        assert altered != text
        browser.open(changed(page, altered))
        assert browser.verdict().startswith("✗ Not sound: ")
        assert says in browser.verdict()
        assert browser.ask("return document.getElementById('check').className") == "broken"


def test_a_head_line_that_somebody_kept_is_found_again(browser: Browser, page_of: Page):
    """The digest of any earlier entry will do."""
    page = page_of("paraverse")
    book = Book(SqliteStore.open(str(page.with_suffix(".affray"))))
    ((_, digest),) = book.store.entries(7, 7)
    book.store.close()
    browser.open(page)
    browser.verdict()
    for kept, says in (
        (f"affray e7 {digest}", "✓ The same: up to e7 this page agrees with your head line."),
        (f"affray e8 {digest}", "✗ Different: e8 on this page does not agree with your head line."),
        (f"affray e99 {digest}", "e99 is not on this page."),
        ("affray", "That is not a head line, such as affray e12 and 64 digits."),
        ("", ""),
    ):
        say(browser, "kept", kept)
        assert browser.ask("return document.getElementById('comparison').textContent") == says


def test_a_page_of_a_part_says_that_its_chain_is_not_whole(browser: Browser, page_of: Page):
    page = page_of("dungeoneers")
    book = Book(SqliteStore.open(str(page.with_suffix(".affray"))))
    part = page_of_book(book, name="Grin", round=1)
    veiled = page_of_book(book, sides=["dungeoneers"])
    book.store.close()
    browser.open(changed(page, part))
    assert browser.verdict() == (
        "6 of 72 entries are on this page, and each fits its digest. The chain is not whole, because the other "
        "entries are left out."
    )
    say(browser, "at", 2)
    assert browser.ask("return document.getElementById('now').textContent") == "e14, 3 of 6"
    browser.open(changed(page, repacked(part, "record", "Freya", "Freja")))
    assert browser.verdict() == "✗ Not sound: e3 is not what was recorded."
    browser.open(changed(page, veiled))
    assert browser.verdict() == (
        "✓ Sound: 72 entries in the game master's own chain. What the players do not see is left out of it, and sealed."
    )
    assert set(board(browser)["Gorm"]) <= {"side", "down", "at"}
    assert browser.complaints() == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_for_players_checks_what_it_shows_and_what_it_leaves_out(
    system: str, browser: Browser, page_of: Page, shell: Shell
):
    """It ends with the game master's own head line. A shown half, a leaf, a missing line and the seal are checked."""
    ledger, page = page_of(system).with_suffix(".affray"), page_of(system).with_name(f"players-{system}.html")
    shell.done("--ledger", str(ledger), "export", str(page), "--player-safe")
    text = page.read_text(encoding="utf-8")
    head = shell.done("--ledger", str(ledger), "verify").splitlines()[-1]
    browser.open(page)
    assert browser.verdict().startswith(f"✓ Sound: {head.split()[1][1:]} entries in the game master's own chain.")
    assert browser.ask("return document.getElementById('head').textContent") == head
    say(browser, "kept", head)
    assert browser.ask("return document.getElementById('comparison').textContent").startswith("✓ The same")
    assert browser.complaints() == []

    (run,) = packed(text, "record")["runs"]
    lines = list(map(json.loads, run["lines"]))
    shown = next(half for line in lines[1:] for event in line["events"] for half in event[:2] if isinstance(half, list))
    leaf = next(half for line in lines[1:] for event in line["events"] for half in event[:2] if isinstance(half, str))
    end = json.dumps(run["lines"][-1], ensure_ascii=False)
    for old, new, says in (
        (shown[0], "0" * 32, "is not what was recorded."),
        (leaf, "0" * 64, "is not what was recorded."),
        (f",{end}]", "]", "is damaged and cannot be read."),
    ):
        browser.open(changed(page, repacked(text, "record", old, new)))
        assert browser.verdict().startswith("✗ Not sound: ")
        assert says in browser.verdict()
    browser.open(changed(page, text.replace("<h1>demo", "<h1>Demo")))
    assert browser.verdict() == "✗ Not sound: something on this page was changed."


def test_hostile_words_do_nothing_in_a_browser(browser: Browser, tmp_path: Path):
    """No script of theirs runs, nothing is wider than a phone, and every row is there."""
    page = tmp_path / "hostile.html"
    book = forged(tmp_path / "hostile.affray")
    page.write_text(page_of_book(book), encoding="utf-8")
    book.store.close()
    browser.open(page, 390, 844)
    assert browser.verdict().startswith("✓ Sound: 9 entries")
    for entry in (1, 4, 9):
        say(browser, "at", entry - 1)
    shown = list(board(browser))
    assert shown[:4] == list(HOSTILE[:4])
    assert shown[5] == "__proto__"
    assert browser.ask("return typeof hacked") == "undefined"
    assert browser.ask("return document.documentElement.scrollWidth") == 390
    say(browser, "at", 5)
    assert "\\u{202e}" in browser.ask("return document.getElementById('recorded').textContent")
    assert browser.complaints() == []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_fits_a_phone_and_a_desk_by_day_and_by_night(
    system: str, dark: bool, browser: Browser, page_of: Page, tmp_path: Path
):
    for width, height in ((360, 740), (1280, 900)):
        browser.open(page_of(system), width, height, dark, still=True)
        browser.verdict()
        ground, ink = browser.ask(
            "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
        )
        assert (ground, ink) == (
            ("rgb(19, 19, 22)", "rgb(231, 231, 236)") if dark else ("rgb(255, 255, 255)", "rgb(27, 27, 31)")
        )
        assert browser.ask("return document.documentElement.scrollWidth") <= width
        sizes = browser.ask(
            "return [...document.querySelectorAll('figure > svg text')].map(one => one.getBoundingClientRect().height)"
        )
        assert min(sizes) > 9, "letters of a plot can be read on a phone"
        small = browser.ask(
            "return [...document.querySelectorAll('button')].map(one => one.getBoundingClientRect())"
            ".filter(box => box.width < 24 || box.height < 24).length"
        )
        assert small == 0, "WCAG 2.2, 2.5.8: a finger hits the buttons"
        assert browser.ask("return document.getAnimations().length") == 0
        picture = browser.picture()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 10_000
    assert browser.complaints() == []


def test_without_its_script_the_page_still_tells_the_story(browser: Browser, page_of: Page):
    page = page_of("freepg")
    browser.open(page, script=False)
    text = browser.driver.find_element("tag name", "body").text
    assert "Without its script this page shows the last board and the whole log." in text
    assert "A script on this page checks its chain, but scripts do not run here." in text
    assert "Tilda loses 19 hp, now 0/53; is dying" in text
    assert not browser.driver.find_element("id", "at").is_displayed()
    shown = browser.driver.find_element("id", "table").text
    assert "Boffin\nparty\n55/55" in shown
    browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_the_words_of_the_log_are_those_of_the_command_line(browser: Browser, page_of: Page, shell: Shell):
    """What a reader copies from the page, letter by letter, struck through or not."""
    page = page_of("dungeoneers")
    whole = page.with_name("whole.html")
    shell.done("--ledger", str(page.with_suffix(".affray")), "export", str(whole), "--arithmetic")
    browser.open(whole)
    shown = browser.ask("return [...document.querySelectorAll('#log .line, #log .step')].map(line => line.textContent)")
    logged = shell("--ledger", str(page.with_suffix(".affray")), "log", "--last", "0", "--json").out.splitlines()
    assert shown == [
        words
        for entry in map(json.loads, logged)
        for told in entry["lines"]
        for words in (told["outcome"], *told["arithmetic"])
    ]
