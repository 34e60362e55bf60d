"""What is frozen stays (docs/stability.md): all lines of `fixtures/frozen.txt` come out of the program."""

import pytest

from tests.frozen import FROZEN, frozen

pytestmark = pytest.mark.slow


def test_nothing_that_is_frozen_is_gone_and_all_that_is_new_is_listed():
    """If something is new: `python -m tests.frozen`. If something is gone, put it back."""
    held, found = {*FROZEN.read_text(encoding="utf-8").splitlines()}, {*frozen()}
    assert not held - found, "frozen, and no longer there"
    assert not found - held, "new, and not yet listed: python -m tests.frozen"
