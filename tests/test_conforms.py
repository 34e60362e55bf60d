"""`affray.testing.conforms` checks a rule system in one line."""

import pytest

from commands.action import systems
from tests import conforms as checks
from tests.conforms import conforms
from tests.sample import sampled


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_our_own_rule_systems_conform(system: str):
    conforms(system)


def test_a_ruling_that_no_module_decides_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checks, "silent", lambda system: set())
    monkeypatch.setattr(checks.os, "walk", lambda folder: [])
    with pytest.raises(AssertionError, match="No module decides freepg"):
        conforms("freepg")
