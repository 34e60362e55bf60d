"""Counted instructions, against click's own hello with one argument: what guards the speed of commands.

Instructions are the same on a quiet machine and on a busy one, so `.ci/run` can fail on them. Counted are, as whole
processes: the first blow of the demo fight of each rule system, `note`, and of a ledger of some 500 commands `verify`,
JSON Lines, and JSON Lines for players. Each is a ratio to the hello, counted in the same run. An action takes at most
1.20. The kept figures stand in `instructions.toml`; a change that needs more keeps its own there, and its commit says
why.

JSON Lines for players take at most four times what the whole ones take: counted instructions of the whole commands, of
100,000 events of each rule system (`--exports`).

python benchmarks/instructions.py [--affray PATH] [--system NAME] [--events N] [--check | --keep | --exports]
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import big
from actions import BESIDE, HELLO, prepared
from report import Row, show

KEPT = Path(__file__).with_suffix(".toml")
MORE = 1.03
"""The bar: a ratio over the kept one."""
MOST = 1.20
"""The bar for an action, whatever is kept."""
SMALL = 100
"""Events of the ledger that an action is added to."""
LONG = 3700
"""Events of the ledger that is verified and exported: some 500 commands of FReePG."""
LONG_SYSTEM = "freepg"
WHOLE_LINES, FOR_PLAYERS = "jsonl", "jsonl for players"
LINES = "lines.jsonl"
EXPORTS = {WHOLE_LINES: ["export", LINES], FOR_PLAYERS: ["export", LINES, "--player-safe"]}
LARGE = 100_000
"""Events of the ledgers of which the two are compared."""
MOST_FOR_PLAYERS = 4.0
"""The bar: JSON Lines for players over the whole ones."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--affray", default=BESIDE, help="an installed executable, from a wheel")
    parser.add_argument("--events", type=int, help="events of the ledger that is verified and exported")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--check", action="store_true", help="fail when a ratio is above the kept one by 3 in 100")
    kept.add_argument("--keep", action="store_true", help=f"write the ratios to {KEPT.name}")
    kept.add_argument("--exports", action="store_true", help="only JSON Lines, whole and for players, of each system")
    said = big.systems_of(parser)
    said.affray = os.path.abspath(said.affray)
    if said.exports:
        show_exports(said)
        return
    python = os.path.join(os.path.dirname(said.affray), "python")
    ratios = counted(said, python)
    this = " ".join(run([python, "-I", "-c", "import sys; print(sys.version)"], "/").stdout.split())
    figures = tomllib.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"python": "", "ratios": {}}
    bars = {name: bar(name, ratio) for name, ratio in figures["ratios"].items()}
    rows = [Row(name, "", ratio, bars.get(name)) for name, ratio in ratios.items()]
    show(f"all: instructions over click's hello ({this})", rows)
    if said.keep:
        lines = [f'python = "{this}"', "", "[ratios]", *(f'"{name}" = {ratio:.3f}' for name, ratio in ratios.items())]
        KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif said.check:
        sys.exit(verdict(this, figures, ratios))


def verdict(this: str, figures: dict[str, object], ratios: dict[str, float]) -> str | None:
    """Why the ratios are not kept to; None when they are. Those of another build of Python are not compared with the
    kept ones.
    """
    if this != figures["python"]:
        print(f"NOT COMPARED: the kept figures are of Python {figures['python']}.")
        return None
    kept = figures["ratios"]
    assert isinstance(kept, dict)
    if set(kept) != set(ratios):
        return f"instructions: {KEPT.name} keeps {sorted(kept)}, counted were {sorted(ratios)}."
    dearer = [f"{n}: {r:.3f}, kept {kept[n]:.3f}" for n, r in ratios.items() if r > bar(n, kept[n])]
    if not dearer:
        return None
    return f"instructions: dearer than {MORE - 1:.0%} over kept, or than {MOST:.2f} for an action: {'; '.join(dearer)}."


def bar(name: str, kept: float) -> float:
    """The most that a command may take, for the ratio that is kept."""
    return kept * MORE if name in (*EXPORTS, "verify") else min(kept * MORE, MOST)


def counted(said: argparse.Namespace, python: str) -> dict[str, float]:
    """The ratio of each command to click's hello."""
    with tempfile.TemporaryDirectory() as folder:
        long = os.path.join(folder, "long.affray")
        shutil.copyfile(big.ledger(said.events or LONG, LONG_SYSTEM), long)
        commands: dict[str, tuple[str, list[str]]] = {}
        for system in said.systems:
            *opening, blow = big.until_the_first_blow(system)
            os.mkdir(place := os.path.join(folder, system))
            commands[f"{system} {blow.split()[0]}"] = (
                prepared(said.affray, SMALL, place, system, opening),
                shlex.split(blow),
            )
        commands["note"] = (next(iter(commands.values()))[0], ["note", "the torch goes out"])
        commands["verify"] = (long, ["verify"])
        commands |= {name: (long, words) for name, words in EXPORTS.items()}
        hello = [python, "-c", HELLO, "World"]
        run(hello, folder)
        beside = instructions(hello, folder)
        return {name: of_command(said.affray, *words, folder) / beside for name, words in commands.items()}


def show_exports(said: argparse.Namespace) -> None:
    """JSON Lines for players against the whole ones, in each rule system."""
    for system in said.systems:
        events = said.events or LARGE
        ledger = str(big.ledger(events, system))
        with tempfile.TemporaryDirectory() as folder:
            whole, players = (of_command(said.affray, ledger, words, folder) for words in EXPORTS.values())
        rows = [Row(name, f"{count / 1e6:,.0f} M") for name, count in zip(EXPORTS, (whole, players), strict=True)]
        rows.append(Row(f"{FOR_PLAYERS}, against {WHOLE_LINES}", "", players / whole, MOST_FOR_PLAYERS))
        show(f"{system}: counted instructions of the whole command, {events:,} events", rows)


def of_command(affray: str, ledger: str, words: list[str], folder: str) -> int:
    """How many instructions a command on a copy of a ledger takes."""
    copy = os.path.join(folder, "copy.affray")
    line = [affray, "--ledger", copy, *words]
    counts = []
    for work in (run, instructions):  # the first run is not counted: it compiles what is imported
        shutil.copyfile(ledger, copy)
        Path(folder, LINES).unlink(missing_ok=True)
        counts.append(work(line, folder))
    return int(counts[-1])


def instructions(words: list[str], folder: str) -> int:
    """How many instructions a process takes. Raises RuntimeError when it fails."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    found = re.search(r"I\s+refs:\s+([\d,]+)", run([*valgrind, *words], folder).stderr)
    assert found, words
    return int(found[1].replace(",", ""))


def run(words: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    """A process that has ended well, in an environment that is the same each time."""
    same = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "AFFRAY_BY": "gm", "HOME": folder, "LANG": "C.UTF-8"}
    done = subprocess.run(words, cwd=folder, env=same, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(words)} failed: {done.returncode} {done.stderr}")
    return done


if __name__ == "__main__":
    main()
