"""The help of a verb is a page: what a table uses first, the rest behind `--all`."""

import pytest

from commands.action import systems
from commands.action.declaration import shapes
from commands.words.parameters import is_option, spelled
from tests.shell import Shell

SYSTEMS = ("aachen", "arkm", "dungeoneers", "freepg", "paraverse")


@pytest.fixture(params=SYSTEMS)
def table(request: pytest.FixtureRequest, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A new ledger of each system, on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    shell.done("init", "test", "--system", request.param)
    return shell


def options(system: str, verb: str) -> list[str]:
    """The options that a verb has of its own."""
    declaration = systems.procedure(systems.find_verb(system, verb))[1]
    return [f"--{spelled(field.name)}" for field, shape in shapes(declaration) if is_option(field, shape)]


def test_the_help_of_attack_has_at_most_thirty_lines_and_begins_with_the_weapon_and_the_dice(
    table: Shell, request: pytest.FixtureRequest
):
    system = request.node.callspec.params["table"]
    lines = table.done("attack", "--help").splitlines()
    assert len(lines) <= 30
    under = lines[lines.index("Options:") + 1 :]
    first = [one for one in ("--with", "--dice") if one in ("--dice", *options(system, "attack"))]
    assert [line.split()[0] for line in under if line.startswith("  --")][: len(first)] == first


def test_what_is_left_out_is_counted_and_stands_behind_all(table: Shell, request: pytest.FixtureRequest):
    """Every option of the verb, however many they are."""
    system = request.node.callspec.params["table"]
    short, whole = table.done("attack", "--help"), table.done("help", "attack", "--all")
    every = [one for one in options(system, "attack") if f"  {one}" in whole or f"--no-{one[2:]}" in whole]
    assert len(every) == len(options(system, "attack"))
    shown = [line for line in short.splitlines() if line.startswith("  --")]
    listed = [line for line in whole.splitlines() if line.startswith("  --")]
    left = len(listed) - len(shown)
    assert (f"{left} more option" in short) is (left > 0)
    assert ("affray help attack --all" in short) is (left > 0)
    assert "more option" not in whole
