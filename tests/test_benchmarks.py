"""The benchmarks run, on ledgers too small to tell anything, and the ledgers that they make are sound.

`.ci/run` counts instructions itself.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands.action.systems import SYSTEMS
from tests.postgres import programs

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
AFFRAY = Path(sys.executable).parent / "affray"
RUNS = {
    "folding": ["--events", "300", "--runs", "1"],
    "odds": ["--most", "450", "--runs", "5", "--system", SYSTEMS[0]],
    "auditing": ["--events", "300"],
    "amending": ["--events", "300", "--entries", "20"],
    "what_if": ["--events", "300"],
    "exporting": ["--events", "300", "--runs", "1"],
    "scripts": ["--affray", str(AFFRAY), "--commands", "60", "--system", SYSTEMS[-1]],
    "keystrokes": ["--system", "aachen"],
    "prompt": ["--actions", "5", "--system", SYSTEMS[-1]],
    "live": ["--affray", str(AFFRAY), "--phones", "3", "--entries", "2", "--strangers", "20", "--system", SYSTEMS[-1]],
    "actions": ["--affray", str(AFFRAY), "--runs", "1", "--small", "100", "--large", "300", "--system", SYSTEMS[-1]],
}


@pytest.mark.parametrize("name", RUNS)
def test_a_benchmark_measures_each_rule_system(name, tmp_path):
    if str(AFFRAY) in RUNS[name] and not AFFRAY.exists():
        pytest.skip("no executable beside this Python")
    script = ROOT / "benchmarks" / f"{name}.py"
    surroundings = {word: value for word, value in os.environ.items() if not word.startswith("AFFRAY_")}
    done = subprocess.run(
        [sys.executable, str(script), *RUNS[name]],
        env={**surroundings, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "measured" in done.stdout
    played = [RUNS[name][-1]] if "--system" in RUNS[name] else list(SYSTEMS)
    assert list(dict.fromkeys(re.findall(r"^(\w+): ", done.stdout, re.M))) == played


def test_the_benchmark_of_archives_measures_files(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    words = ["--affray", str(AFFRAY), "--campaigns", "5", "--events", "60"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "archiving.py"), *words],
        env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(\w+): (\d+) campaigns", done.stdout, re.M) == [("files", "5")]
    assert "said again" in done.stdout


SERVED = {
    "postgres": [
        "--actions", "24", "--writers", "1,2", "--campaigns", "1,3", "--runs", "1", "--notes", "2", "--small", "120",
        "--large", "300",
    ],
    "scale": ["--campaigns", "5", "--events", "60", "--runs", "2", "--processes", "2"],
}  # fmt: skip
"""What runs on a PostgreSQL of its own."""


@pytest.mark.parametrize("name", SERVED)
def test_a_benchmark_measures_a_server(name, tmp_path):
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    surroundings = {word: value for word, value in os.environ.items() if not word.startswith("AFFRAY_")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *SERVED[name]],
        env={**surroundings, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "measured" in done.stdout


def test_the_long_campaign_of_the_benchmarks_is_sound():
    """It comes from no rules: its events and digests are made by hand."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    checked = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "benchmarks")!r})
        from postgres import Database, long_campaign, server
        from commands.action.book import Book
        from commands.past.audit import audit
        from commands.words.discovery import opened
        database = Database(server())
        long_campaign(database, "long", 420)
        print(audit(Book(opened(database.at("long")))).entries)
    """
    done = subprocess.run([sys.executable, "-c", checked], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("420\n", "")


BALLAST = "held = bytearray(b'x') * (100 << 20)"


def test_the_memory_of_a_process_is_its_own(tmp_path):
    """A parent that holds 100 MiB adds nothing to what its child holds; 100 MiB in the child are seen, and missed."""
    program = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "benchmarks")!r})
        from report import Row
        from spawner import Spawner
        {BALLAST}
        with Spawner() as spawner:
            words = [[sys.executable, "-c", code] for code in sys.argv[1:]]
            lean, wasteful = (spawner.spend(one, {str(tmp_path)!r})[1] for one in words)
        print(lean, wasteful, Row("", "", (wasteful - lean) / 1024, 5).cells()[-1], Row("", "", 0, 5).cells()[-1])
    """
    done = subprocess.run([sys.executable, "-c", program, "pass", BALLAST], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    lean, wasteful, *verdicts = done.stdout.split()
    assert int(lean) < 60 << 10
    assert int(wasteful) > 100 << 10
    assert verdicts == ["MISSED", "ok"]


def test_json_lines_for_players_are_counted_against_the_whole_ones(tmp_path):
    if not shutil.which("valgrind") or not AFFRAY.exists():
        pytest.skip("valgrind is not installed, or no executable beside this Python")
    words = ["--affray", str(AFFRAY), "--exports", "--events", "300", "--system", SYSTEMS[0]]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "instructions.py"), *words],
        env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{SYSTEMS[0]}: counted instructions of the whole command, 300 events" in done.stdout
    assert re.search(r"^jsonl for players, against jsonl +1\.\d\d +4\.00 +ok$", done.stdout, re.M)


def test_a_command_that_takes_more_instructions_than_are_kept_fails():
    """3 % are let pass, but never more than 1.20 of click's hello for an action. Of another build of Python nothing is
    compared, and a figure that is not kept fails too.
    """
    program = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "benchmarks")!r})
        from instructions import verdict
        kept = {{"python": "3", "ratios": {{"note": 1.0}}}}
        for this, ratio in (("3", 1.02), ("3", 1.04), ("4", 9.0)):
            print(verdict(this, kept, {{"note": ratio}}))
        print(verdict("3", {{"python": "3", "ratios": {{"note": 1.19}}}}, {{"note": 1.21}}))
        print(verdict("3", kept, {{"verify": 1.0}}))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [
        "None",
        "instructions: dearer than 3% over kept, or than 1.20 for an action: note: 1.040, kept 1.000.",
        "NOT COMPARED: the kept figures are of Python 3.",
        "None",
        "instructions: dearer than 3% over kept, or than 1.20 for an action: note: 1.210, kept 1.190.",
        "instructions: instructions.toml keeps ['note'], counted were ['verify'].",
    ]
