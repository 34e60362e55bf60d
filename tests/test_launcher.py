"""The one name `affray`: the program always finds its own packages, whatever way it is started and whatever lies around
it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell import LAUNCH, ROOT

SCRIPT = LAUNCH / "affray" / "__main__.py"
STARTS = {"module": ("-m", "affray"), "script": (str(SCRIPT),)}
"""`python -m affray`, and the file that is installed as the script `affray`."""


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A folder that holds packages with the names of ours, which cannot be imported."""
    for name in ("commands", "ledger", "projections", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('a foreign {name}')\n")
    return tmp_path


def started(*words: str, cwd: Path, path: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFRAY")}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env={**kept, "PYTHONPATH": path}, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("how", STARTS)
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_foreign_packages_of_the_same_name_do_not_interfere(how: str, first: bool, crowded: Path):
    """They lie in the folder of the game master, and stand on PYTHONPATH before or after ours."""
    path = os.pathsep.join([str(crowded), str(LAUNCH)] if first else [str(LAUNCH), str(crowded)])
    played = started(*STARTS[how], "init", "The mill", "--system", "freepg", cwd=crowded, path=path)
    assert (played.returncode, played.stderr) == (0, "The ledger is the-mill.affray.\n")
    noted = started(*STARTS[how], "note", "It rains.", cwd=crowded, path=path)
    assert (noted.returncode, noted.stdout, noted.stderr) == (0, "It rains.  e2\n", "")


@pytest.mark.slow
def test_importing_affray_brings_its_packages_before_all_others(crowded: Path):
    """A plug-in says it first."""
    lines = "import affray, commands, ledger, projections, tests.kit; print(commands.__file__)"
    done = started("-c", lines, cwd=crowded, path=os.pathsep.join([str(crowded), str(LAUNCH)]))
    assert (done.stdout.strip(), done.stderr) == (str(ROOT / "commands" / "__init__.py"), "")
