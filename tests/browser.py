"""A headless Chromium for tests of the page, and for its pictures in the documentation.

`python -m tests.browser` takes the pictures in `docs/pictures` anew. It needs Debian's packages `chromium` and
`chromium-driver`, and the extra `test` with what belongs to it.
"""

import base64
import contextlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commands.shell.cli import run

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip


def lacking() -> str:
    """What there is to install before a browser can be started; "" when there is nothing."""
    programs = [name for name, found in (("chromium", CHROMIUM), ("chromium-driver", DRIVER)) if not found]
    packages = [name for name in ("selenium", "jinja2", "matplotlib") if not find_spec(name)]
    return ", ".join([*programs, *packages])


class Browser:
    """A Chromium of its own, without a window."""

    def __init__(self, driver: "Chrome") -> None:
        self.driver = driver

    def open(
        self, page: Path, width: int = 1280, height: int = 900, dark: bool = False, still: bool = False,
        script: bool = True, at: str = "",
    ) -> None:  # fmt: skip
        """Opens a file, on a screen of this size, for somebody who likes it dark, or without movement, or scripts."""
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
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
        self.driver.get(page.resolve().as_uri() + at)

    def command(self, name: str, **words: Any) -> Any:
        """Says something in Chromium's own protocol."""
        return self.driver.execute_cdp_cmd(name, words)

    def complaints(self) -> list[str]:
        """What the console of the browser has said since it was asked last."""
        return [line["message"] for line in self.driver.get_log("browser")]

    def ask(self, script: str, *words: Any) -> Any:
        """What a script of the test finds on the page."""
        return self.driver.execute_script(script, *words)

    def verdict(self) -> str:
        """What the page says of its chain, when it has checked it."""
        return str(
            self.driver.execute_async_script(
                "const done = arguments[0];"
                "const look = () => { const text = document.getElementById('verdict').textContent;"
                "  /^Checking|does not run here/.test(text) ? setTimeout(look, 10) : done(text); };"
                "look();"
            )
        )

    def picture(self) -> bytes:
        """What is on the screen, as a PNG."""
        return base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])


@contextlib.contextmanager
def started() -> Iterator[Browser]:
    """A browser, which is gone afterwards with all that it wrote."""
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    assert CHROMIUM
    assert DRIVER
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = CHROMIUM
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        for switch in (*SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        driver = Chrome(options=options, service=ChromeService(DRIVER))
        try:
            driver.set_script_timeout(20)
            yield Browser(driver)
        finally:
            driver.quit()


def main() -> None:
    """Takes the pictures."""
    if missing := lacking():
        sys.exit(f"No picture was taken: {missing} is missing.")
    from PIL import Image

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), started() as browser:
        os.environ["AFFRAY_BY"] = "gm"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert run(["demo", "freepg"]) == 0
            assert run(["export", "page.html"]) == 0
        page = Path("page.html")
        for name, width, height, dark in (("page-light", 1280, 1340, False), ("page-dark-phone", 390, 844, True)):
            browser.open(page, width, height, dark)
            browser.verdict()
            browser.ask("const at = document.getElementById('at'); at.value = 18; at.dispatchEvent(new Event('input'))")
            if width < 600:
                browser.ask("document.getElementById('board').scrollIntoView()")
            picture = Image.open(io.BytesIO(browser.picture())).convert("RGB").quantize(200, Image.Quantize.MAXCOVERAGE)
            picture.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
