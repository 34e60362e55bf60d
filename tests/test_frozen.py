"""What is frozen stays (docs/stability.md): all lines of `fixtures/frozen.txt` come out of the program."""

import re

import pytest

from tests.frozen import FROZEN, ROOT, frozen

pytestmark = pytest.mark.slow


def test_nothing_that_is_frozen_is_gone_and_all_that_is_new_is_listed():
    """If something is new: `python -m tests.frozen`. If something is gone, put it back."""
    held, found = {*FROZEN.read_text(encoding="utf-8").splitlines()}, {*frozen()}
    assert not held - found, "frozen, and no longer there"
    assert not found - held, "new, and not yet listed: python -m tests.frozen"


def test_every_key_of_an_answer_is_explained():
    """In backquotes, in some page of docs; of the board only what is not one of its columns."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    told = {*re.findall(r"`([a-z_]+)(?=[`:])", pages), "NAME"}
    answers = re.findall(r"^answer [\w -]+: (.+)$", FROZEN.read_text(encoding="utf-8"), re.M)
    keys = {key for path in answers if not path.startswith(("rows.", "options.")) for key in re.findall(r"\w+", path)}
    assert not keys - told
