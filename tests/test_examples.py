"""The example at the end of each verb's help works as it stands."""

import io
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from uvicorn import Server

from commands.action import systems
from commands.shell.tools import TOOLS
from commands.words.examples import blocks, examples, path
from tests.documents import Typing
from tests.engines import Postgres
from tests.kit import KEY
from tests.sample import sampled
from tests.seats import proposes
from tests.shell import Shell

ADDRESS = "postgresql://gm@localhost/club"
"""In examples: the database of a club."""
WHERE = ("", *systems.SYSTEMS)
BLOCKS = [(system, block) for system in WHERE for block in blocks(path(system))[1:]]
COMMON = {**systems.COMMON, **TOOLS}
VERBS = [
    *(("", verb) for verb in COMMON),
    *((system, verb) for system in systems.SYSTEMS for verb in systems.load(system).verbs),
]


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A terminal at which somebody presses Ctrl-D."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sys, "stdin", Typing([], io.StringIO()))
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        keys.send_text("\x04")
        yield


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that somebody ends at once. It does not make this process wait for others."""

    async def at_once(_: Server) -> None:
        pass

    monkeypatch.setattr(Server, "main_loop", at_once)
    monkeypatch.setattr(os, "nice", lambda _: 0)


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that goes away at once."""
    monkeypatch.setattr("commands.agents.protocol.serve", lambda *_: None)


@pytest.mark.parametrize(
    ("system", "block"), sampled(BLOCKS, 3, True), ids=[f"{system} {block[-1]}".strip() for system, block in BLOCKS]
)
def test_an_example_runs(system: str, block: list[str], shell: Shell, request: pytest.FixtureRequest):
    if block[-1].startswith("play "):
        request.getfixturevalue("leaving")
    if block[-1].startswith("serve "):
        request.getfixturevalue("ended")
    if block[-1].startswith("mcp "):
        request.getfixturevalue("gone")
    first = ("init", "Test", "--system", system or "freepg", "--key", KEY.hex())
    shell.done("--ledger", "test.affray", *first)
    Path("hounds.txt").write_text("Bog Hound: AC 7, HD 2+2, #AT 1, D 1-6, MV 180' (60'), ML 8\n", encoding="utf-8")
    Path("evening.fight").write_text("note 'The bats sleep.'\n", encoding="utf-8")
    for line in [*blocks(path(system))[0], *block]:
        if line.startswith(("accept ", "decline ")):
            proposes("test.affray", "Jane", "attack boffin ogre")
        if ADDRESS in line:
            club = Postgres()
            line = line.replace(ADDRESS, club.server.address(club.database, club.player))
        shell.done(*shlex.split(line))


@pytest.mark.parametrize(
    ("system", "verb"), sampled(VERBS, 3, True), ids=[f"{system} {verb}".strip() for system, verb in VERBS]
)
def test_the_help_of_a_verb_ends_with_an_example(system: str, verb: str, shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Test", "--system", system or "freepg")
    shown = examples(system, verb)[:2]
    told = ["Examples:" if shown[1:] else "Example:", *(f"  {one}" for one in shown)]
    assert shell.done("help", verb).splitlines()[-len(told) :] == told
