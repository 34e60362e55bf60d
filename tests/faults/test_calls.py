"""Every file call of every recording verb fails once: nothing is damaged, nothing is partial, nothing printed is gone.

`AFFRAY_FAULTS` is how many faults each command meets, or `whole` for all of them.
"""

import contextlib
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.action import systems
from commands.shell.cli import run
from ledger.errors import LedgerDamaged
from ledger.sqlite import SqliteStore
from tests.faults.calls import FAULTS, Call, Ended, calls, refusal, struck
from tests.faults.scenes import LEDGER, ON, ONCE, THERE, Scene, Stage, entries, kind, scenes

SAID = os.environ.get("AFFRAY_FAULTS", "")
USUAL = (
    "undo", "redo", "amend", "init", "import", "copy", "salvage", "export-jsonl", "freepg-attack", "paraverse-resolve",
)  # fmt: skip
"""The commands that meet faults in the default suite."""
NAMES = sorted(scenes()) if SAID else USUAL
EACH = int(SAID or 2) if SAID != "whole" else 0
"""How many faults each command meets; 0 for all."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(refusal()), reason=f"SKIPPED: {refusal()}")]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFRAY_BY", "tester")
        yield Stage(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_every_recording_verb_of_a_rule_system_is_made_to_fail(system: str):
    said = ([word for word in scene.words if word not in ON] for scene in scenes().values())
    tried = {systems.verb_of(words, systems.COMMON) for words in said}
    assert {f"{system}-{verb}" for verb in systems.load(system).verbs} <= {*scenes()}
    assert {*systems.COMMON} <= tried


@pytest.mark.parametrize("name", NAMES)
def test_a_file_call_that_fails_leaves_the_ledger_as_before_or_as_after(name: str, stage: Stage, capsys, request):
    scene = scenes()[name]
    found, whole, _ = _clean(scene, stage)
    faults = [(call, fault) for call in found for fault in FAULTS]
    counts, wrong = Counter[str](), []
    for call, fault in random.Random(name).sample(faults, min(EACH, len(faults))) if EACH else faults:
        try:
            counts[_try(name, scene, stage.folder(scene), call, fault, whole)] += 1
        except (AssertionError, LedgerDamaged) as error:
            counts["damaged" if isinstance(error, LedgerDamaged) else kind(error)] += 1
            wrong.append(f"{fault} at {call.words}: {error}")
    request.node.user_properties.append(("faults", dict(counts)))
    assert not wrong, "\n\n".join(wrong)


def _try(name: str, scene: Scene, folder: Path, call: Call, fault: str, whole: int) -> str:
    """One fault at one call. Gives whether the ledger is as before, as after, or between two lines of a script."""
    before = entries(folder / LEDGER)
    old = (folder / scene.makes).read_bytes() if (folder / scene.makes).exists() else b""
    ended = struck(folder, [*scene.words], call, fault)
    said = f"{name}, {fault} at {call.words}: {ended}"
    assert ended.struck, f"the fault missed: {said}"
    _check_words(ended, said)
    now = _check_ledger(scene, folder, before, whole, ended, said)
    _check_made(scene, folder, old, said)
    _say_again(scene, folder, whole, said)
    return "as before" if now == before else "as after" if now == whole else "some lines"


def _clean(scene: Scene, stage: Stage) -> tuple[list[Call], int, str]:
    """The calls of the command when nothing fails, the entries then, and what it prints."""
    folder = stage.folder(scene)
    found, out = calls(folder, [*scene.words])
    return found, entries(folder / LEDGER), out


def _check_words(ended: Ended, said: str) -> None:
    """One clear sentence, whatever failed."""
    assert "Traceback" not in ended.err, said
    assert ended.code != 70, said
    assert ended.code <= 0 or ended.err, said


def _check_ledger(scene: Scene, folder: Path, before: int, whole: int, ended: Ended, said: str) -> int:
    """The entries that are there: all of the command, or none."""
    now = entries(folder / LEDGER)
    several = scene.words[0] == "demo" or "run" in scene.words
    assert now in (range(before, whole + 1) if several else (before, whole)), f"partial: {said}"
    printed = 0
    if scene.makes == LEDGER and not {"import", "copy", "salvage"} & {*scene.words}:
        printed = max(map(int, re.findall(r"  e(\d+)$", ended.out, re.MULTILINE)), default=0)
        assert now >= printed, f"printed and gone: {said}"
    if ended.code > 0 and now > (max(before, printed) if several else before):
        assert f"ends with e{now}" in ended.err, f"recorded, and not said so: {said}"
    return now


def _check_made(scene: Scene, folder: Path, old: bytes, said: str) -> None:
    """An export is the old file or the new one, whole."""
    if scene.makes != LEDGER:
        held = (folder / scene.makes).read_bytes()
        assert held == old or (held.endswith(b"\n") and len(held) > 1000), f"partial: {said}"


def _say_again(scene: Scene, folder: Path, whole: int, said: str) -> None:
    """Said again, the command is recorded once, and no draft and no journal is left."""
    with contextlib.chdir(folder):
        there = os.path.exists(LEDGER)
        code = run([*scene.words])
        if scene.words[0] in ("import", "demo", "copy", "salvage") or "init" in scene.words:
            assert code == (2 if there else 0), said
        else:
            assert code == 0, said
        if scene.words[0] == "demo" and there:  # the next command that writes clears what SQLite left
            assert run(["--ledger", LEDGER, "note", "on"]) == 0, said
    held = entries(folder / LEDGER)
    assert held == whole or (scene.words[0] == "demo" and there), said
    if ONCE[1] in scene.words:
        store = SqliteStore.open(str(folder / LEDGER))
        assert store.recorded(ONCE[1]), said
        store.close()
    if "run" in scene.words:  # its lines stand already: it writes nothing
        with contextlib.chdir(folder):
            assert run([*ON, "note", "on"]) == 0, said
    left = {path.name for path in folder.iterdir()}
    assert left <= THERE, said
