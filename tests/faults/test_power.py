"""A power cut at any moment leaves the ledger as before the command or as after it; what was printed is there."""

import contextlib
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.shell.cli import run
from ledger.errors import LedgerDamaged
from tests.faults.calls import refusal
from tests.faults.power import Change, Disk, Said, acts
from tests.faults.scenes import LEDGER, THERE, Scene, Stage, entries, kind, scenes

SAID = os.environ.get("AFFRAY_FAULTS", "")
NAMES = ("freepg-attack", "undo", "amend", "run", "import", "export-jsonl", "init", "copy", "salvage")
"""Append, undo, amend, a script, import, export, init, copy, salvage."""
EACH = int(SAID or 5) if SAID != "whole" else 0
"""How many states of each command are examined; 0 for all."""
BY_CHANCE = 40 if SAID == "whole" else 4
"""How many subsets of the changes in memory are drawn by chance at each moment."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(refusal()), reason=f"SKIPPED: {refusal()}")]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFRAY_BY", "tester")
        yield Stage(tmp_path_factory.mktemp("power"))


def outages(folder: Path, scene: Scene) -> Iterator[tuple[str, dict[str, bytes], bytes]]:
    """Every moment of the command at which the power may go: its place, what the disk then holds, what was printed."""
    chance = random.Random(" ".join(scene.words))
    before = Disk(folder)
    printed = b""
    done = acts(folder, [*scene.words])
    for at, act in enumerate(done):
        before.take(act)
        printed += act.text if isinstance(act, Said) else b""
        if not isinstance(act, Change) or at + 1 == len(done) or not isinstance(done[at + 1], Change):
            for files in before.states(chance, BY_CHANCE):
                yield f"after call {at + 1} of {len(done)}", files, printed


@pytest.mark.parametrize("name", NAMES)
def test_a_power_cut_leaves_the_ledger_as_before_or_as_after(name: str, stage: Stage, capsys, request):
    scene = scenes()[name]
    folder = stage.folder(scene)
    before = entries(folder / LEDGER)
    old = _made(scene, folder)
    found = list(outages(folder, scene))
    whole, new = entries(folder / LEDGER), _made(scene, folder)
    assert len(found) > 10
    counts, wrong = Counter[str](), []
    for place, files, printed in random.Random(name).sample(found, min(EACH, len(found))) if EACH else found:
        said = f"{name}, {place}: {sorted(files)}, printed {printed!r}"
        cut = folder.parent / "cut"
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        for file, data in files.items():
            (cut / file).write_bytes(data)
        try:
            now = entries(cut / LEDGER)
            assert now in (range(before, whole + 1) if name == "run" else (before, whole)), f"partial: {said}"
            assert _made(scene, cut) in (old, new), f"partial: {said}"
            numbers = [int(number) for number in re.findall(rb"  e(\d+)$", printed, re.MULTILINE)]
            assert now >= max(numbers, default=0), f"printed and gone: {said}"
            _say_again(name, scene, cut, now, whole, said)
            counts["as before" if now == before else "as after"] += 1
        except (AssertionError, LedgerDamaged) as error:
            counts["damaged" if isinstance(error, LedgerDamaged) else kind(error)] += 1
            wrong.append(f"{said}: {error}")
    request.node.user_properties.append(("power cuts", dict(counts)))
    assert not wrong, "\n\n".join(wrong)


def _say_again(name: str, scene: Scene, cut: Path, now: int, whole: int, said: str) -> None:
    """Said again, the command is recorded once, and no draft and no journal is left."""
    with contextlib.chdir(cut):
        code = run([*scene.words])
    assert code == 0 or (now and name in ("import", "init", "copy", "salvage")), said
    assert entries(cut / LEDGER) == whole, said
    left = {path.name for path in cut.iterdir()}
    assert left <= THERE, said


def _made(scene: Scene, folder: Path) -> bytes:
    """What an export holds; nothing for a ledger, whose bytes are SQLite's affair."""
    return (folder / scene.makes).read_bytes() if scene.makes != LEDGER else b""
