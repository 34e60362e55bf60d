"""The file with the code of all modules: it makes a start faster, and is never wrong."""

import marshal
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell import LAUNCH, ROOT

pytestmark = pytest.mark.slow
SAYS, SAID = "There is no verb", "There is no word"
"""What a module of the installation says, and what it says in the next version: as long as before."""


class Installed:
    """An installation like that of a wheel: the packages lie inside of `affray`."""

    def __init__(self, site: Path) -> None:
        self.site, self.affray = site, site / "affray"
        leave = shutil.ignore_patterns("__pycache__", "launch", "rules")
        shutil.copytree(LAUNCH / "affray", self.affray, ignore=leave)
        for name in ("ledger", "projections", "commands"):
            shutil.copytree(ROOT / name, self.affray / name, ignore=leave)
        shutil.copytree(ROOT / "commands/rules/freepg", self.affray / "commands/rules/freepg", ignore=leave)
        self.module = self.affray / "commands/action/spelling.py"
        self.folder = self.affray / "__pycache__"

    def start(self, *words: str, path: str = "", how: tuple[str, ...] = ()) -> str:
        """What a command says on standard error, where `shout` is no verb."""
        start = how or (str(self.affray / "__main__.py"),)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AFFRAY", "PYTHON"))}
        kept["PYTHONPATH"] = f"{self.site}{os.pathsep}{path}" if path else str(self.site)
        done = subprocess.run(
            [sys.executable, *start, *(words or ("shout",))], cwd=self.site, env=kept, capture_output=True, text=True
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.stderr

    @property
    def file(self) -> Path:
        """The file; there is one at the most."""
        (found,) = self.folder.glob("affray.*")
        return found

    def upgrade(self, seen: bool) -> None:
        """Another version of the module, as long as the one before; seen by its time, or not."""
        before = self.module.stat()
        self.module.write_text(self.module.read_text(encoding="utf-8").replace(SAYS, SAID), encoding="utf-8")
        time = before.st_mtime_ns + (1 if seen else 0)
        os.utime(self.module, ns=(time, time))


class Tree(Installed):
    """The source tree, as it is."""

    def __init__(self) -> None:
        self.site, self.affray = LAUNCH, LAUNCH / "affray"
        self.folder = self.affray / "__pycache__"


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    """An installation that nobody has started."""
    return Installed(tmp_path)


def test_the_second_start_takes_the_code_from_the_file_and_an_upgrade_in_place_is_seen(installed: Installed):
    """As Python judges its own files: by the time and the size of the source, but to the nanosecond."""
    assert SAYS in installed.start()
    first = installed.file.read_bytes()
    installed.upgrade(seen=False)
    assert SAYS in installed.start()
    assert installed.file.read_bytes() == first
    os.utime(installed.module)
    assert SAID in installed.start()
    assert installed.file.read_bytes() != first
    assert SAID in installed.start()


def test_an_upgrade_within_the_same_second_is_seen(installed: Installed):
    assert SAYS in installed.start()
    installed.upgrade(seen=True)
    shutil.rmtree(installed.module.parent / "__pycache__")  # Python's own file does not see it
    assert SAID in installed.start()


def test_a_module_that_comes_first_on_another_path_is_found(installed: Installed, tmp_path: Path):
    """The file holds the click of one path; another path may have another one."""
    installed.start()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "click.py").write_text("import os\nos.write(2, b'another click')\nos._exit(1)\n")
    said = installed.start("demo", "--help", path=str(tmp_path / "other"))
    assert said == "another click"
    assert SAYS in installed.start()


ANOTHER = marshal.dumps(([sys.version], {"commands": ("", None)}))
"""A file as another version might write it."""


@pytest.mark.parametrize(
    "broken", [b"", b"\0" * 5000, b"(\x02", b"i\x01\0\0\0", ANOTHER], ids=["empty", "zero", "cut", "other", "version"]
)
def test_a_broken_file_is_made_anew_without_a_word(installed: Installed, broken: bytes):
    plain = installed.start()
    whole = installed.file.stat().st_size
    installed.file.write_bytes(broken)
    assert installed.start() == plain
    assert installed.file.stat().st_size > whole / 2


def test_where_it_cannot_be_written_everything_works_as_usual(installed: Installed):
    """The folder belongs to somebody else."""
    installed.folder.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        os.chown(installed.folder, 1, 1)
    else:
        installed.folder.chmod(0o500)
    assert SAYS in installed.start()
    assert not [*installed.folder.glob("affray.*")]


def test_python_m_and_a_source_tree_leave_it_alone(installed: Installed):
    """`python -m` begins with another path in each folder, and in a source tree every module may change."""
    assert SAYS in installed.start(how=("-m", "affray"))
    assert not [*installed.folder.glob("affray.*")]
    assert SAYS in (source := Tree()).start()
    assert not [*source.folder.glob("affray.*")]
