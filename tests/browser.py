"""A headless Chromium for tests of the page, and for its pictures in the documentation.

`python -m tests.browser` takes the pictures in `docs/pictures` anew. It needs Debian's packages `chromium` and
`chromium-driver`, and the extra `test` with what belongs to it.
"""

import base64
import contextlib
import io
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commands.shell.cli import run
from ledger.events import side_word

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
_ROOT = Path(__file__).parent.parent
_FILES = (os.environ.get("AFFRAY_AXE", ""), str(_ROOT / "node_modules" / "axe-core" / "axe.min.js"))
AXE = next((Path(file) for file in _FILES if file and Path(file).is_file()), None)
"""The script of axe-core, which looks for what keeps people from using a page; None when it is not there."""
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip


def lacking() -> str:
    """What there is to install before a browser can be started; "" when there is nothing."""
    programs = [name for name, found in (("chromium", CHROMIUM), ("chromium-driver", DRIVER)) if not found]
    packages = [name for name in ("selenium", "jinja2") if not find_spec(name)]
    return ", ".join([*programs, *packages])


class Browser:
    """A Chromium of its own, without a window."""

    def __init__(self, driver: "Chrome") -> None:
        self.driver, self.window = driver, driver.current_window_handle

    def turn_to(self, window: str) -> None:
        """Goes to a tab, if it is at another one."""
        if window != self.window:
            self.driver.switch_to.window(window)
            self.window = window

    def new_tab(self) -> str:
        """Opens a tab and goes there."""
        self.driver.switch_to.new_window("tab")
        self.window = self.driver.current_window_handle
        return self.window

    def close_tab(self) -> None:
        """Closes the tab and goes to the first one."""
        self.driver.close()
        self.turn_to(self.driver.window_handles[0])

    def press(self, *keys: str) -> None:
        """Presses keys together, wherever the focus is."""
        from selenium.webdriver import ActionChains

        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.key_down(key)
        for key in reversed(keys):
            chain.key_up(key)
        chain.perform()

    def tap(self, x: float, y: float) -> None:
        """Moves the mouse to a place and clicks there. What it costs is a fifth of a click on an element."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        actions = ActionBuilder(self.driver, duration=0)
        actions.pointer_action.move_to_location(int(x), int(y)).click()
        actions.perform()

    def open(
        self, page: Path, width: int = 1280, height: int = 900, dark: bool = False, still: bool = False,
        script: bool = True, at: str = "",
    ) -> None:  # fmt: skip
        """Opens a file, on a screen of this size, for somebody who likes it dark, or without movement, or scripts."""
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        self.open_address(page.resolve().as_uri() + at, width, height, dark, still)

    def open_address(
        self, address: str, width: int = 1280, height: int = 900, dark: bool = False, still: bool = False
    ) -> None:
        """Opens what is at an address, likewise."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        likes = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if still else "no-preference",
        }
        self.command(
            "Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in likes.items()]
        )
        self.driver.get("about:blank")
        self.complaints()
        self.driver.get(address)

    def command(self, name: str, **words: Any) -> Any:
        """Says something in Chromium's own protocol."""
        return self.driver.execute_cdp_cmd(name, words)

    def complaints(self) -> list[str]:
        """What the console of the browser has said since it was asked last."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def ask(self, script: str, *words: Any) -> Any:
        """What a script of the test finds on the page."""
        return self.driver.execute_script(script, *words)

    def until(self, script: str, *words: Any) -> Any:
        """Waits on the page for what a script of the test finds there."""
        return self.driver.execute_async_script(
            f"const words = [...arguments], done = words.pop(), find = function () {{ {script} }};"
            "const look = () => { const found = find(...words); found ? done(found) : setTimeout(look, 10); };"
            "look();",
            *words,
        )

    def verdict(self) -> str:
        """What the page says of its chain, when it has checked it."""
        return str(
            self.until(
                "const text = document.getElementById('verdict').textContent;"
                "return !/^Checking|does not run here/.test(text) && text"
            )
        )

    def picture(self) -> bytes:
        """What is on the screen, as a PNG."""
        return base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])


@contextlib.contextmanager
def started(*more: str) -> Iterator[Browser]:
    """A browser, which is gone afterwards with all that it wrote; `more` are switches besides the usual ones."""
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    assert CHROMIUM
    assert DRIVER
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = CHROMIUM
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for switch in (*SWITCHES, *more, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        driver = Chrome(options=options, service=ChromeService(DRIVER))
        try:
            driver.set_script_timeout(30)
            yield Browser(driver)
        finally:
            driver.quit()


def board(browser: Browser) -> dict[str, dict[str, str]]:
    """The board as the reader sees it: for each combatant the cells with something in them."""
    titles, *rows = browser.ask(
        "return [...document.querySelectorAll('#table tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return {who: {title: cell for title, cell in zip(titles[1:], cells, strict=True) if cell} for who, *cells in rows}


def cards(browser: Browser) -> dict[str, dict[str, list[str]]]:
    """The cards as the reader sees them: for each combatant its classes, bars, labels, words and facts."""
    found: dict[str, dict[str, list[str]]] = browser.ask(
        "const texts = (one, what) => [...one.querySelectorAll(what)]"
        "  .map(part => part.textContent.replaceAll('\\u00a0', ' '));"
        "return Object.fromEntries([...document.querySelectorAll('#cards .card')].map(card => ["
        "  card.querySelector('h4').textContent, {classes: [...card.classList], bars: texts(card, '.bar'),"
        "  labels: texts(card, '.labels li'), words: texts(card, '.word'), facts: texts(card, '.facts > div'),"
        "  side: [card.closest('section').querySelector('h3').textContent],"
        "  shape: [card.querySelector('.badge path').getAttribute('d')]}]))"
    )
    return found


def is_on_card(row: dict[str, str], card: dict[str, list[str]]) -> bool:
    """Whether a card says every cell of a row of `status`, each in its place, and who is down in words."""
    said = ", ".join(card["labels"])
    for title, cell in row.items():
        if title == "side":
            found = card["side"] == [side_word(cell)]
        elif title == "down":
            found = card["words"] == [cell] and "fallen" in card["classes"]
        elif title in ("conditions", "effects", "state"):
            found = all(one.partition(" (to round")[0] in said for one in cell.split(", "))
        else:
            bar = any(one.startswith(title + cell.partition("/")[0]) for one in card["bars"])
            found = bar or f"{title} {cell}" in card["facts"]
        if not found:
            return False
    return ("fallen" in card["classes"]) == ("down" in row)


def tabbed(browser: Browser, times: int) -> dict[str, str]:
    """What Tab reaches, by its id or its text, each with the style of the line around it."""
    reached = dict[str, str]()
    for _ in range(times):
        browser.press("\ue004")
        name, line = browser.ask(
            "const one = document.activeElement;"
            "return [one.id || one.textContent.trim(), getComputedStyle(one).outlineStyle]"
        )
        reached[name] = line
    return reached


def violations(browser: Browser) -> list[Any]:
    """What axe-core finds on a page with every detail open."""
    browser.ask("for (const one of document.querySelectorAll('details')) one.open = true")
    browser.ask(AXE.read_text(encoding="utf-8") if AXE else "")
    found: list[Any] = browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(({violations}) => done("
        "  violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(one => one.html.slice(0, 200))])))"
    )
    return found


LEGIBLE = (Path(__file__).parent / "legible.js").read_text(encoding="utf-8")
SCREENS = ((390, 844), (1280, 900), (1920, 1080))
"""A phone, a laptop, and a screen on the wall."""


_DRAWN = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
"""Waits until what has come into view is drawn."""


def illegible(browser: Browser, sections: Sequence[str]) -> list[Any]:
    """The texts that another one lies on or that are cut, as the page is scrolled to each of its sections."""
    found = []
    for section in sections:
        if browser.ask(
            "const one = document.getElementById(arguments[0]); one?.scrollIntoView(); return !!one", section
        ):
            browser.driver.execute_async_script(_DRAWN)
            found += [(section, *one) for one in browser.ask(LEGIBLE)]
    return found


def main() -> None:
    """Takes the pictures."""
    if missing := ", ".join(filter(None, [lacking(), "" if find_spec("PIL") else "pillow"])):
        sys.exit(f"No picture was taken: {missing} is missing.")
    PICTURES.mkdir(exist_ok=True)
    os.environ["AFFRAY_BY"] = "gm"
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), started() as browser:
        _exported(browser)
        _live(browser)
        _desk(browser)
        _seat(browser)


def _exported(browser: Browser) -> None:
    """The exported page: the story with which it opens, and the middle of the fight."""
    _type("demo", "freepg")
    _type("export", "page.html")
    browser.open(Path("page.html"), 1280, 800)
    browser.verdict()
    _save(browser, "page-story")
    for name, width, height, dark in (("page-light", 1280, 800, False), ("page-dark-phone", 390, 844, True)):
        browser.open(Path("page.html"), width, height, dark)
        browser.verdict()
        browser.ask("const at = document.getElementById('at'); at.value = 18; at.dispatchEvent(new Event('input'))")
        if width < 600:
            browser.ask("document.getElementById('board').scrollIntoView()")
        _save(browser, name)


def _live(browser: Browser) -> None:
    """The live page, while the fight is played up to the moment when a spell kills."""
    from tests.test_live import served

    _type("--ledger", "live.affray", "init", "The crypt gate", "--system", "dungeoneers", "--key", "00" * 32)
    os.environ["AFFRAY_LEDGER"] = "live.affray"
    with served("live.affray") as site:
        for name, width, height, dark in (("live-table", 1440, 900, False), ("live-phone", 390, 844, True)):
            browser.open_address(f"http://127.0.0.1:{site.port}/", width, height, dark)
            if not dark:
                for words in _demo("dungeoneers", "attack suori rattle"):
                    _type(*words)
            time.sleep(1)
            _save(browser, name)


def _desk(browser: Browser) -> None:
    """The desk, on which the game master is about to let Jane shoot."""
    from tests.test_live import served

    os.environ["AFFRAY_LEDGER"] = "desk.affray"
    _type("init", "The toll bridge", "--system", "freepg", "--key", "00" * 32)
    for words in _demo("freepg", "initiative"):
        _type(*words)
    with served("desk.affray") as site:
        browser.open_address(f"http://127.0.0.1:{site.port}/#{site.token}", 1280, 1000)
        _touch(browser, "#hand [data-verb=attack]")
        while not browser.ask("return document.querySelector('#hand-form small:not(:empty)')"):
            time.sleep(0.1)  # the odds are counted
        _save(browser, "desk")


def _touch(browser: Browser, touched: str) -> None:
    """Taps something once it is there."""
    while not browser.ask(
        "const one = document.querySelector(arguments[0]); one?.click(); return Boolean(one)", touched
    ):
        time.sleep(0.1)


def _seat(browser: Browser) -> None:
    """The phone of a player who has chosen whom to attack, and the game master's with what others propose."""
    from tests.phones import Phone
    from tests.test_seats_served import served

    os.environ["AFFRAY_LEDGER"] = "seats.affray"
    _type("init", "The toll bridge", "--system", "freepg", "--key", "00" * 32)
    for line in ("join boffin jane tilda", "join grub --count 2", "seat jane boffin tilda", "seat john jane", "begin"):
        _type(*line.split())
    _type("initiative", "--dice", "14,9,3")
    with served("seats.affray") as server:
        phone = Phone(browser, server, "Jane")
        phone.tap("attack")
        phone.tap("Grub-1")
        phone.says("Roll for me")
        _save(browser, "seat-phone")
        phone.tap("Roll for me")
        phone.says("waits for the game master")
        phone.types("stand tilda")
        phone.until("return document.querySelectorAll('#seat-proposals li').length === 2")
        desk = Phone(browser, server, "gm")
        desk.says("2 Jane: stand Tilda", "#desk")
        desk.until("return document.querySelector('#desk').checkVisibility()")
        desk.ask("document.getElementById('desk').scrollIntoView({behavior: 'instant'})")
        time.sleep(1)
        _save(browser, "seat-game-master")


def _demo(system: str, last: str) -> list[list[str]]:
    """The commands of a demo up to one that begins so."""
    script = (_ROOT / "commands" / "rules" / system / "demo.fight").read_text(encoding="utf-8")
    lines = [words for line in script.splitlines() if (words := shlex.split(line, comments=True))]
    return lines[: next(at for at, words in enumerate(lines) if " ".join(words).startswith(last)) + 1]


def _type(*words: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert run(words) == 0, words


def _save(browser: Browser, name: str) -> None:
    from PIL import Image

    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB").quantize(200, Image.Quantize.MAXCOVERAGE)
    picture.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
