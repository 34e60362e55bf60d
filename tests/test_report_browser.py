"""The page in the reader's hands: in a real browser, without a network."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from commands.action.book import Book
from commands.action.systems import SYSTEMS
from commands.shell.cli import run
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
from tests.reading import HOSTILE, forged, packed, repacked
from tests.reading import page_of as page_of_book
from tests.sample import WHOLE
from tests.shell import ROOT, Shell

pytestmark = [
    pytest.mark.slow,
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
    entries = int(browser.ask("return document.querySelector('#log > ol:last-of-type > li:last-child').id.slice(1)"))
    assert browser.verdict() == f"✓ Sound: {entries} entries in one chain, and the page is unchanged."
    numbers = drawn = 0
    ledger = str(page.with_suffix(".affray"))
    for entry in (entries, 1, entries // 3, entries // 2, entries // 2 + 1, entries - 3):
        browser.ask(f"document.querySelector('#e{entry} > a').click()")
        told = shell("--ledger", ledger, "status", "--at", f"e{entry}", "--json").json
        shown = board(browser)
        assert shown == {who: {title: cell for title, cell in row.items() if cell} for who, row in told["rows"].items()}
        above = browser.ask("return [...document.querySelectorAll('#above p')].map(line => line.textContent)")
        assert above[0] == told["header"][0]
        seen = cards(browser)
        assert {*seen} == {*shown}
        assert [who for who, card in seen.items() if "acting" in card["classes"]] == [
            who for who in seen if who in told["now"]
        ]
        for who, row in shown.items():
            drawn += len(seen[who]["bars"])
            assert is_on_card(row, seen[who]), (entry, who)
        values = shell("--ledger", ledger, "show", "--at", f"e{entry}", "--json").json["values"]
        for who, row in shown.items():
            for measure in {"hp", "pain", "stress", "wounds"} & row.keys():
                if (number := row[measure].partition("/")[0]).isdigit():
                    assert number == values.get(f"{who}.{measure}", "0")
                    numbers += 1
    assert numbers > 10
    assert drawn > 10
    assert browser.ask("return performance.getEntriesByType('resource').length") == 0, "nothing was asked for"
    assert browser.complaints() == []


def test_the_log_beside_the_board_shows_the_entry_of_the_slider(browser: Browser, page_of: Page):
    """Also at its end, where entries get their true height only when they come near."""
    browser.open(page_of("arkm"))
    browser.verdict()
    for place in (54, 0, 30, 54):
        say(browser, "at", place)
        top, bottom, height = browser.driver.execute_async_script(
            "const done = arguments[0];"
            "const wait = (times) => times ? requestAnimationFrame(() => wait(times - 1)) : look();"
            "const look = () => { const { top, bottom } = document.querySelector('#log [aria-current]')"
            "  .getBoundingClientRect(); done([top, bottom, innerHeight]); };"
            "wait(15);"
        )
        assert 0 <= top < bottom <= height


def test_the_slider_and_the_log_move_together(browser: Browser, page_of: Page):
    """By keys, by the buttons, by a click in the log and by the address."""
    browser.open(page_of("freepg"))
    browser.verdict()
    now = "return document.getElementById('now').textContent + ' ' + document.querySelector('#log [aria-current]').id"
    slider = browser.driver.find_element("id", "at")
    slider.send_keys("\ue011")  # Home
    assert browser.ask(now) == "e1, 1 of 31 e1"
    slider.send_keys("\ue014\ue014")  # right, twice
    assert browser.ask(now) == "e3, 3 of 31 e3"
    assert "e3: Tilda has 19/53 hp (the river was not kind to her)" in slider.get_attribute("aria-valuetext")
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
    """In an event, the words as typed, a digest, the log, the title, a board, or what is packed."""
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
        (text.replace("<h1>demo", "<h1>Demo"), "something on this page was changed."),
        (repacked(text, "boards", '"0/53"', '"1/53"'), "something on this page was changed."),
        (text.replace(middle, ("B" if middle[0] == "A" else "A") + middle[1:]), "is damaged and cannot be read."),
    ):
        assert altered != text
        browser.open(changed(page, altered))
        assert browser.verdict().startswith("✗ Not sound: ")
        assert says in browser.verdict()
        assert browser.ask("return document.getElementById('check').className") == "broken"


def test_a_page_of_a_shorter_or_other_record_than_the_browser_has_seen_says_so(browser: Browser, tmp_path: Path):
    """Of one campaign: its 33 entries, then an older copy that ends with e20, then that copy played on otherwise. A
    reload forgets nothing, and the newest page is sound as before.
    """
    lines = (ROOT / "fixtures" / "aachen" / "demo.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    pages = {}
    for name, last, notes in (("now", 33, 0), ("older", 20, 0), ("other", 20, 14)):
        record, ledger, page = (tmp_path / f"{name}.{ending}" for ending in ("jsonl", "affray", "html"))
        record.write_text("".join(lines[: last + 1]), encoding="utf-8")
        assert run(["import", str(record), str(ledger)]) == 0
        for _ in range(notes):
            assert run(["--ledger", str(ledger), "note", "Nobody was hurt."]) == 0
        assert run(["--ledger", str(ledger), "export", str(page)]) == 0
        pages[name] = page
    browser.open(pages["now"])
    browser.verdict()
    browser.ask("localStorage.clear()")
    for name, says in (
        ("older", "✓ Sound: 20 entries"), ("now", "✓ Sound: 33 entries"),
        ("older", "✗ Not sound: the record is shorter than it was: it ends with e20. This browser has seen affray e33"),
        ("other", "✗ Not sound: the record is other than it was: e33 differs. This browser has seen affray e33"),
        ("now", "✓ Sound: 33 entries"),
    ):  # fmt: skip
        for _ in range(2):
            browser.open(pages[name])
            assert browser.verdict().startswith(says)
    assert browser.complaints() == []


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
    halves = [closed for line in lines[1:] for _, closed in line["parts"].get("events", [])]
    shown, leaf = (next(half for half in halves if isinstance(half, form)) for form in (list, str))
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
        hidden = browser.ask(
            "return [...document.querySelectorAll('#heroes .tale > div')]"
            ".filter(one => one.scrollHeight > one.clientHeight + 1).length"
        )
        assert hidden == 0, "nothing of a hero is clipped"
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
    assert "Tilda loses 19 hp, now 0/53; is mortally wounded" in text
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


@pytest.mark.parametrize("system", SYSTEMS)
def test_sides_differ_by_colour_and_by_shape(system: str, browser: Browser, page_of: Page):
    browser.open(page_of(system))
    browser.verdict()
    seen = cards(browser).values()
    looks = {
        (card["side"][0], card["shape"][0], next(one for one in card["classes"] if "side-" in one)) for card in seen
    }
    assert len(looks) == len({side for side, *_ in looks}) == len({shape for _, shape, _ in looks}) == 2


def test_the_last_action_has_its_arithmetic_beside_it(browser: Browser, page_of: Page, shell: Shell):
    """Also where the log was written without it."""
    page = page_of("freepg")
    browser.open(page)
    browser.verdict()
    logged = [
        json.loads(line)
        for line in shell("--ledger", str(page.with_suffix(".affray")), "log", "--last", "0", "--json").out.splitlines()
    ]
    for entry in (5, 11, 19):
        say(browser, "at", entry - 1)
        lines = logged[entry - 1]["lines"]
        assert browser.ask("return [...document.querySelectorAll('#told p')].map(line => line.textContent)") == [
            one["outcome"] for one in lines
        ]
        steps = [step for one in lines for step in one["arithmetic"]]
        assert browser.ask("return document.getElementById('how').hidden") == (not steps)
        if steps:
            assert browser.driver.find_element("id", "steps").text.splitlines() == steps


def test_the_headline_is_what_came_upon_somebody_and_not_the_phase_in_which_it_did(
    browser: Browser, page_of: Page, shell: Shell
):
    """Also for players, who know none of the arithmetic. The phase stands below, with what else came of it."""
    page = page_of("paraverse").with_name("headline.html")
    shell.done("--ledger", str(page_of("paraverse").with_suffix(".affray")), "export", str(page), "--player-safe")
    browser.open(page)
    browser.verdict()
    compared = 0
    for at in range(int(browser.ask("return document.getElementById('at').max")) + 1):
        say(browser, "at", at)
        first, harmed, large, small = browser.ask(
            "const lines = [...document.querySelectorAll('#log [aria-current] .line')];"
            "const harmed = lines.find(line => line.matches('.harm, .healing'));"
            "return [lines[0]?.textContent ?? '', harmed?.textContent ?? '',"
            "  document.querySelector('#told > p').textContent, document.querySelector('#told .also').textContent]"
        )
        if harmed and first.endswith(" phase") and ":" not in first:
            compared += 1
            assert large == harmed
            assert first in small
    assert compared


@pytest.mark.parametrize(("system", "begins"), [
    ("freepg", "Round 1 begins: Jane to act"), ("aachen", "Round 1 begins: party to act"),
    ("arkm", "Round 1 begins: Arbalist to act"), ("dungeoneers", "Round 1 begins: Suori to act"),
    ("paraverse", "Round 1 begins: all to declare"),
])  # fmt: skip
def test_before_the_first_blow_the_headline_says_that_the_round_begins_and_who_may_act(
    system: str, begins: str, browser: Browser, page_of: Page
):
    """The order of turns stands in the strip, and the dice for it beside the headline."""
    browser.open(page_of(system))
    browser.verdict()
    headline = "return document.querySelector('#told > p').textContent"
    first = browser.ask(
        "const round = [...document.querySelectorAll('#log h4')].find(one => one.textContent === 'Round 1');"
        "round.nextElementSibling.querySelector('li > a').click();" + headline
    )
    assert first == begins
    dice = browser.ask("return [...document.querySelectorAll('#faces svg')].length")
    assert dice == {"freepg": 6, "aachen": 2, "arkm": 5, "dungeoneers": 5, "paraverse": 0}[system]


def test_a_fight_begins_with_its_name_and_not_with_the_last_blow_of_another(browser: Browser, page_of: Page):
    """The second fight of Arkm's demo, the companies in the field, up to its first blow."""
    browser.open(page_of("arkm"))
    browser.verdict()
    headline = "document.querySelector('#e{} > a').click(); return document.querySelector('#told > p').textContent"
    *begun, fought = (browser.ask(headline.format(entry)) for entry in (45, 46, 47, 48))
    assert begun == [
        "The field below begins", "Round 1 begins: Militia to act",
        "Militia moves 60 feet; Militia and Bandits are engaged",
    ]  # fmt: skip
    assert fought.startswith("Militia attacks Bandits: hit; Bandits loses 20 hp, now 17/37")


_TOGGLED = "return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 50))"
"""Ends when a fold that was opened or closed has said so: a browser does that a moment later."""


def test_log_and_slider_have_only_what_stands_until_the_reader_opens_what_does_not(
    browser: Browser, shell: Shell, tmp_path: Path
):
    """A course that was amended, and one that was taken back, is a line that says why and how long it is."""
    shell.done("init", "Standing", "--system", "freepg")
    for words in (
        ("join", "boffin"), ("note", "kept"), ("note", "wrong"), ("note", "said since"),
        ("amend", "e4", "--text", "right", "--because", "he stood behind the parapet", "--apply"),
        ("note", "dropped"), ("undo",), ("note", "later"),
    ):  # fmt: skip
        shell.done(*words)
    shell.done("export", "page.html")
    browser.open(Path("page.html"))
    browser.verdict()
    shown = (
        "return [...document.querySelectorAll('#log li[id]')].filter(one => one.checkVisibility()).map(one => one.id)"
    )
    assert browser.ask(shown) == ["e1", "e2", "e3", "e7", "e8", "e11"]
    folds = "return [...document.querySelectorAll('#log summary')].map(one => one.textContent)"
    assert browser.ask(folds) == ["amended: he stood behind the parapet; 3 entries", "e9 is taken back; 2 entries"]
    now = "return document.getElementById('now').textContent"
    assert browser.ask(now) == "e11, 6 of 6"
    browser.ask("document.getElementById('back').click()")
    assert browser.ask(now) == "e8, 5 of 6"
    fold = browser.driver.find_element("css selector", "#log summary")
    fold.send_keys("\ue007")
    browser.ask(_TOGGLED)
    browser.ask("document.querySelector('#e5 > a').click()")
    assert browser.ask(now) == "e5, taken back, 5 of 9"
    assert browser.ask("return document.getElementById('told').className") == "undone"
    browser.driver.find_element("css selector", "#log summary").send_keys("\ue007")
    browser.ask(_TOGGLED)
    assert browser.ask(now) == "e3, 3 of 6"
    assert browser.complaints() == []


def test_who_acts_is_the_largest_text_and_what_happened_last_the_next(browser: Browser, page_of: Page):
    """At the table, on an old screen and on a phone; the headline keeps the blow while turns are taken."""
    for width, height in ((1920, 1080), (1024, 768), (390, 844)):
        browser.open(page_of("freepg"), width, height)
        browser.verdict()
        say(browser, "at", 19)  # Jane's turn ends after her blow
        sizes = browser.ask(
            "const size = one => parseFloat(getComputedStyle(one).fontSize), found = {};"
            "const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
            "while (walk.nextNode()) { const one = walk.currentNode.parentElement;"
            "  if (walk.currentNode.data.trim() && one.checkVisibility() && !one.closest('svg, noscript'))"
            "    (found[size(one)] ??= []).push(walk.currentNode.data); }"
            "return Object.entries(found).sort((one, other) => other[0] - one[0])"
        )
        assert [said for _, said in sizes[:2]] == [
            ["Tilda"],
            ["Jane attacks Grub-1: hit; Grub-1 loses 13 hp, now 0/20, and dies"],
        ]
        assert browser.ask("return document.getElementById('since').textContent") == "Jane's turn ends; Tilda's turn"
        dice = browser.ask(
            "return [...document.querySelectorAll('#faces svg')].map(one => one.getAttribute('aria-label'))"
        )
        assert dice == ["d20: 20", "d20: 11"]
        turns = browser.ask(
            "return [...document.querySelectorAll('#turns li')].map(one => one.innerText.split('\\n').at(-1))"
        )
        assert turns == ["done", "now", "next", "down", "next", "Boffin"]
        assert browser.ask("return document.body.innerText.match(/turn of|Now:/g)") is None


def test_several_who_may_act_are_larger_than_any_card(browser: Browser, page_of: Page):
    """Where a side has its turn together, and where all declare at once."""
    size = (
        "const size = what => Math.max(...[...document.querySelectorAll(what)]"
        "  .map(one => parseFloat(getComputedStyle(one).fontSize)));"
        "return ['#acting', '#cards h4', '#cards .number'].map(size)"
    )
    browser.open(page_of("aachen"), 1024, 768)
    browser.verdict()
    browser.ask("document.querySelector('#e10 > a').click()")
    now, name, number = browser.ask(size)
    assert browser.ask("return document.querySelectorAll('.turn.now').length") == 4
    assert now > max(name, number)
    assert browser.ask("return document.getElementById('acting').textContent") == "party act now"
    browser.open(page_of("paraverse"), 1024, 768)
    browser.verdict()
    browser.ask("document.querySelector('#e3 > a').click()")
    assert browser.ask("return document.querySelectorAll('.turn.now').length") == 7
    assert browser.ask("return document.getElementById('acting').textContent") == "all to declare"


def test_an_ended_fight_is_played_like_a_film(browser: Browser, page_of: Page):
    """From the beginning, by a key; the story stands at its end, and its links lead to the entries."""
    browser.open(page_of("freepg"))
    browser.verdict()
    story = browser.driver.find_element("id", "story")
    assert story.is_displayed()
    assert "Tilda by Brak, dying, up again e11" in story.text
    play = browser.driver.find_element("id", "play")
    browser.ask("window.setInterval = (play) => { window.frame = play; return 1; }")
    play.send_keys(" ")
    assert browser.ask("return document.getElementById('now').textContent") == "e1, 1 of 31"
    assert (play.get_attribute("aria-pressed"), story.is_displayed()) == ("true", False)
    browser.ask("frame(); frame()")
    assert browser.ask("return document.getElementById('now').textContent") == "e3, 3 of 31"
    play.send_keys("\ue014")  # right
    assert browser.ask("return document.getElementById('now').textContent") == "e4, 4 of 31"
    assert play.get_attribute("aria-pressed") == "false"
    say(browser, "at", 30)
    story.find_element("link text", "e11").send_keys("\ue007")  # the page hears of its new address a moment later
    WebDriverWait(browser.driver, 5, 0.02).until(
        lambda _: browser.ask("return document.getElementById('now').textContent") == "e11, 11 of 31"
    )
    assert browser.complaints() == []


def test_the_map_stands_beside_the_cards_and_a_whole_fight_fits_a_large_screen(browser: Browser, page_of: Page):
    """Seven fighters: the players' side, the map, the others."""
    box = "const box = one => document.querySelector(one).getBoundingClientRect();"
    for width, height in ((1920, 1080), (1024, 768)):
        browser.open(page_of("dungeoneers"), width, height)
        browser.verdict()
        say(browser, "at", 40)
        assert browser.ask(
            box + "const [ours, map, others] = ['#ours', '#map', '#others'].map(box);"
            "return ours.right <= map.left && map.right <= others.left && map.top < innerHeight"
        )
        if width == 1920:
            assert browser.ask(box + "return box('#cards').bottom") <= height


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_text_lies_on_another_and_none_is_cut(system: str, browser: Browser, page_of: Page):
    """On a phone, a laptop and a large screen, scrolled to each section."""
    for width, height in SCREENS:
        browser.open(page_of(system), width, height, still=True)
        browser.verdict()
        assert illegible(browser, ("board", "log", "heroes", "check")) == [], width


_FIRST_ROUND = """
round
shoot ildar vasko
shoot vasko ildar
attack sigrun reaver
attack hakon hound
attack reaver sigrun
attack hound hakon
attack thrall-2,thrall-4 maelis
cast maelis Ward
attack thrall-1,thrall-3 ildar
move warlord yard
phase
resolve --dice 3,15,3,15
phase
resolve --dice 18,6,3,16,4,3,17,7,3,3,18,3,9,3 --spare
phase
cast maelis --target sigrun,hakon --gives evasion:+2 --rounds 2
phase end
round
"""
"""Four fights, each with a location, and a ward for two."""


@pytest.mark.parametrize("fight", ["freepg", "aachen", "arkm", "twelve/dungeoneers", "twelve/paraverse"])
def test_ten_or_twelve_fighters_with_their_map_fit_a_large_screen_and_no_card_is_clipped(
    fight: str, browser: Browser, shell: Shell
):
    """Beside the map there is room for six columns of cards; a large side gets more of them."""
    shell.done("init", "Large", "--system", fight.rpartition("/")[2])
    shell.done("begin", "--from", str(ROOT / "tests" / "evenings" / f"{fight}.toml"))
    if fight == "twelve/paraverse":  # all are to declare, engaged, and two have a ward: as full as it becomes
        Path("first.fight").write_text(_FIRST_ROUND, encoding="utf-8")
        shell.done("run", "first.fight")
    shell.done("export", "page.html")
    browser.open(Path("page.html"), 1920, 1080)
    browser.verdict()
    bottom, clipped, shown = browser.ask(
        "const cards = [...document.querySelectorAll('#cards .card')];"
        "const parts = [...document.querySelectorAll('#cards h4, #cards .facts, #cards .labels')];"
        "return [document.getElementById('cards').getBoundingClientRect().bottom,"
        "  parts.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent), cards.length]"
    )
    assert shown == (12 if "twelve" in fight else 10)
    assert clipped == []
    assert bottom <= (980 if fight == "twelve/paraverse" else 1080), "100 for a headline of more lines, and its dice"


def test_the_first_screen_of_a_phone_shows_both_sides_and_every_foe_in_a_line(
    browser: Browser, page_of: Page, shell: Shell
):
    """Headline, both sides, whose turn, the map, the foes; then the players' own cards."""
    page = page_of("freepg").with_name("phone.html")
    shell.done("--ledger", str(page_of("freepg").with_suffix(".affray")), "export", str(page), "--player-safe")
    browser.open(page, 390, 844)
    browser.verdict()
    say(browser, "at", 18)
    order = ["last", "score", "turns", "map", "others", "ours"]
    boxes = browser.ask(
        "return arguments[0].map(one => document.getElementById(one).getBoundingClientRect())"
        ".map(({top, bottom}) => [top, bottom])",
        order,
    )
    assert boxes == sorted(boxes)
    assert boxes[-1][0] < 844
    foes = browser.ask(
        "return [...document.querySelectorAll('#others .card')]"
        ".map(card => [card.offsetHeight, card.scrollWidth <= card.clientWidth])"
    )
    assert len(foes) == 3
    assert all(height < 36 and fits for height, fits in foes)


def test_beside_the_map_the_words_for_a_foe_leave_room_for_the_name_and_no_label_is_cut(
    browser: Browser, page_of: Page, shell: Shell
):
    """Whatever the game allows: here it is put on the page by hand."""
    page = page_of("freepg").with_name("words.html")
    shell.done("--ledger", str(page_of("freepg").with_suffix(".affray")), "export", str(page), "--player-safe")
    browser.open(page, 1024, 768)
    browser.verdict()
    say(browser, "at", 18)
    cut = browser.ask(
        "const card = document.querySelector('#others .card:not(.fallen)'), labels = document.createElement('ul');"
        "card.querySelector('.word').textContent = 'badly hurt 12 times';"
        "labels.className = 'labels';"
        "labels.innerHTML = '<li>barred from attacking</li><li>mounted on a large warhorse</li>';"
        "card.append(labels);"
        "return [...card.querySelectorAll('h4, .word, li')].filter(one => one.scrollWidth > one.clientWidth)"
        ".map(one => one.textContent)"
    )
    assert cut == []


def test_a_side_is_a_bar_with_a_part_for_each_fighter(browser: Browser, page_of: Page, shell: Shell):
    """Filled by what is left to them; of those whom players know by a word by whether they stand."""
    page = page_of("freepg").with_name("strength.html")
    shell.done("--ledger", str(page_of("freepg").with_suffix(".affray")), "export", str(page), "--player-safe")
    filled = (
        "return [...document.querySelectorAll('.strength')].map(bar => [...bar.children].map(part =>"
        "  Math.round(100 * part.firstChild.getBoundingClientRect().width / part.clientWidth)))"
    )
    for one, foes in ((page_of("freepg"), [53, 0, 40]), (page, [100, 0, 100])):
        browser.open(one)
        browser.verdict()
        say(browser, "at", 19)
        hp = [cell["hp"] for who, cell in board(browser).items() if cell["side"] == "party"]
        assert hp == ["55/55", "10/53", "52/52"]
        assert browser.ask(filled) == [[100, 19, 100], foes]


def test_at_a_change_of_turn_no_card_is_yellow(browser: Browser, page_of: Page):
    """Only what comes upon somebody marks a card: harm, healing, a condition, a fall."""
    browser.open(page_of("freepg"))
    browser.verdict()
    yellow = "return [...document.querySelectorAll('.card.touched h4')].map(name => name.textContent)"
    say(browser, "at", 18)
    assert browser.ask(yellow) == ["Grub-1"]
    say(browser, "at", 19)
    assert browser.ask(yellow) == []
    assert browser.ask("return document.querySelectorAll('.facts .changed').length") > 0


def test_no_card_clips_the_accent_of_a_capital(browser: Browser, shell: Shell):
    """The highest sign that a name can have lies within its line, on a card and on the line of a foe."""
    shell.done("init", "Accents", "--system", "freepg")
    shell.done("join", "jane", "--called", "Élodie")
    shell.done("join", "grub", "--called", "Ṩṻ Ǻ")
    for name, words in (("all.html", ()), ("players.html", ("--player-safe",))):
        shell.done("export", name, *words)
        for width in (1280, 390):
            browser.open(Path(name), width)
            browser.verdict()
            room = browser.ask(
                "const pen = document.createElement('canvas').getContext('2d');"
                "return [...document.querySelectorAll('.card h4')].map(name => {"
                "  const style = getComputedStyle(name), words = document.createRange();"
                "  pen.font = style.font; words.selectNodeContents(name);"
                "  const line = words.getBoundingClientRect(), sign = pen.measureText(name.textContent);"
                "  const base = line.top + sign.fontBoundingBoxAscent;"
                "  return base - sign.actualBoundingBoxAscent - name.getBoundingClientRect().top; })"
            )
            assert len(room) == 2
            assert min(room) >= 0, (words, width)


@pytest.mark.parametrize("system", ["freepg", "dungeoneers"])
def test_the_map_shows_the_squares_of_affray_map(system: str, browser: Browser, page_of: Page, shell: Shell):
    """The token of each body lies in the middle of its squares; the fallen are crossed out."""
    page = page_of(system)
    browser.open(page)
    entries = int(browser.ask("return document.getElementById('at').max")) + 1
    browser.verdict()
    compared = 0
    for entry in (entries // 2, 4 * entries // 5):
        say(browser, "at", entry - 1)
        told = shell("--ledger", str(page.with_suffix(".affray")), "map", "--at", f"e{entry}", "--json").json
        shown = browser.ask(
            "return [...document.querySelectorAll('#map .token')].map(one => {"
            "  const {x, y, width, height} = one.querySelector('path:not(.looks)').getBoundingClientRect();"
            "  return [one.querySelector('title').textContent, x + width / 2, y + height / 2]; })"
        )
        middles = {title.partition(",")[0]: (x, y) for title, x, y in shown}
        assert {*told["bodies"]} <= {*middles}
        square = browser.ask("const svg = document.querySelector('#map svg'); return 24 * svg.getScreenCTM().a")
        bodies = {
            who: [sum(axis) / len(cells) for axis in zip(*cells, strict=True)] for who, cells in told["bodies"].items()
        }
        first, (west, south) = next(iter(bodies.items()))
        for who, (x, y) in bodies.items():
            right, up = (middles[who][0] - middles[first][0]) / square, (middles[first][1] - middles[who][1]) / square
            assert (right, up) == pytest.approx((x - west, y - south), abs=0.1), who
            compared += 1
        fallen = browser.ask("return [...document.querySelectorAll('#map .cross')].length")
        assert fallen == len([who for who in middles if "fallen" in cards(browser)[who]["classes"]])
    assert compared > 5
    label = browser.ask("return document.querySelector('#map svg').getAttribute('aria-label')")
    assert label.startswith("Map. ")
    assert browser.complaints() == []


def test_the_map_of_areas_shows_who_is_where_and_how_areas_are_joined(browser: Browser, page_of: Page, shell: Shell):
    page = page_of("paraverse")
    browser.open(page)
    browser.verdict()
    say(browser, "at", 20)
    told = shell("--ledger", str(page.with_suffix(".affray")), "map", "--at", "e21", "--json").json
    boxes, tokens = browser.ask(
        "const box = one => { const {x, y, right, bottom} = one.getBoundingClientRect();"
        "  return [x, y, right, bottom]; };"
        "const all = (what, name) => [...document.querySelectorAll(what)].map(one =>"
        "  [name(one).textContent, ...box(one)]);"
        "return [all('#map .area', one => one.nextSibling),"
        "  all('#map .token', one => one.querySelector('title'))]"
    )
    where = {
        token[0].partition(",")[0]: box[0]
        for token in tokens
        for box in boxes
        if box[1] <= token[1] and box[2] <= token[2] and token[3] <= box[3] and token[4] <= box[4]
    }
    assert where == told["at"]
    assert [box[0] for box in boxes] == told["areas"]
    legend = browser.ask("return [...document.querySelectorAll('#map .legend li')].map(one => one.textContent)")
    assert legend == ["yard \u2013 gate: open", "yard \u2013 wall: athletics check against 10"]


def test_the_keyboard_alone_reaches_everything(browser: Browser, page_of: Page):
    """Tab goes through all that can be used, and each shows that it has the focus."""
    browser.open(page_of("dungeoneers"))
    browser.verdict()
    reached = tabbed(browser, 30)
    assert {*reached} >= {"Fight", "mark", "at", "back", "The board as a table", "As recorded"}
    assert {*reached.values()} == {"solid"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_printed_page_fits_a4_and_has_the_whole_log(system: str, browser: Browser, page_of: Page):
    browser.open(page_of(system), 688, 970)  # A4 without its margins, at 96 dots an inch
    browser.verdict()
    browser.command("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.ask("return document.documentElement.scrollWidth") <= 688
        assert (
            browser.ask("const log = document.getElementById('log'); return log.scrollHeight - log.clientHeight") <= 1
        )
        assert not browser.driver.find_element("id", "at").is_displayed()
        assert browser.driver.find_element("id", "cards").is_displayed()
    finally:
        browser.command("Emulation.setEmulatedMedia", media="")


DRAWN = [*((system, False) for system in SYSTEMS), *((system, True) for system in (SYSTEMS if WHOLE else SYSTEMS[:1]))]
"""A page of each system, light, and in the dark that of the first; on request all of them."""


@pytest.mark.skipif(not AXE, reason="to test the page with axe-core, unpack its npm package into node_modules")
@pytest.mark.parametrize(("system", "dark"), DRAWN)
def test_axe_reports_nothing(system: str, dark: bool, browser: Browser, page_of: Page, shell: Shell):
    """At the table for the game master, in the middle of the fight; on a phone for players, at its end with the story;
    with every detail open.
    """
    page = page_of(system)
    players = page.with_name(f"axe-{system}.html")
    shell.done("--ledger", str(page.with_suffix(".affray")), "export", str(players), "--player-safe")
    for one, width, part in ((page, 1280, 2), (players, 360, 1)):
        browser.open(one, width, 800, dark, still=True)
        browser.verdict()
        say(browser, "at", int(browser.ask("return document.getElementById('at').max")) // part)
        assert violations(browser) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_players_read_words_in_place_of_the_numbers_of_foes(system: str, browser: Browser, page_of: Page, shell: Shell):
    page = page_of(system).with_name(f"words-{system}.html")
    ledger = str(page_of(system).with_suffix(".affray"))
    shell.done("--ledger", ledger, "export", str(page), "--player-safe")
    browser.open(page)
    browser.verdict()
    ours = browser.ask("return document.querySelector('#cards h3').textContent")
    words = set()
    for entry in range(0, int(browser.ask("return document.getElementById('at').max")) + 1, 3):
        say(browser, "at", entry)
        rows = board(browser)
        for who, card in cards(browser).items():
            if card["side"] == [ours]:
                assert card["bars"]
            else:
                assert card["bars"] == []
                (word,) = card["words"]
                if "down" in rows[who]:
                    assert word == rows[who]["down"]
                else:
                    words.add(re.split(" [0-9]", word)[0])
                assert {fact.split(" ")[0] for fact in card["facts"]} <= {"at", "area", "contact", "engaged", "in"}
    assert words <= {"unhurt", "hurt", "badly hurt"}
    assert {"unhurt", "hurt"} <= words or system == "dungeoneers"


def test_the_slider_has_a_tick_at_each_mark_with_its_words(browser: Browser, tmp_path: Path):
    """A mark stays with an action that was resolved again; one that was taken back has no tick."""
    ledger, page = str(tmp_path / "marks.affray"), tmp_path / "marks.html"
    for words in (
        ["init", "Marks", "--system", "freepg"], ["join", "boffin"], ["join", "grub"], ["join", "jane"],
        ["mark", "e2", "a fighter"], ["mark", "e3", "a foe"], ["undo"], ["mark", "e4", "she comes"],
        ["amend", "e3", "--called", "Grob", "--apply"], ["export", str(page)],
    ):  # fmt: skip
        assert run(["--ledger", ledger, *words]) == 0
    browser.open(page)
    browser.verdict()
    ticks = browser.ask("return [...document.querySelectorAll('#marks option')].map((one) => Number(one.value))")
    place = "return document.getElementById('now').textContent + ': ' + document.getElementById('marked').textContent"
    found = []
    for tick in ticks:
        say(browser, "at", tick)
        found.append(browser.ask(place))
    assert found == ["e2, 2 of 6: mark at e2: a fighter", "e11, 4 of 6: mark at e4: she comes"]
