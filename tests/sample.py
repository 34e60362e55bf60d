"""What the usual run leaves out of what takes long: `--slow`, and so `.ci/run`, has all of it."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

FIGHTS = int(os.environ.get("AFFRAY_FIGHTS", "1"))
"""How many times as many random fights as usual are played."""
WHOLE = bool(os.environ.get("AFFRAY_WHOLE"))
"""Whether also that is tried of which `.ci/run` has a fixed sample; `.ci/run --whole` does so."""


def sampled(cases: Iterable[Any], every: int = 3, several: bool = False) -> list[Any]:
    """The cases of a test, or with `several` their values; each that is not the first of so many is marked as slow."""
    values = [case if several else (case,) for case in cases]
    return [pytest.param(*one, marks=[pytest.mark.slow] if nth % every else []) for nth, one in enumerate(values)]
