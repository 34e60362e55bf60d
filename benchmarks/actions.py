"""One action as a whole process, against click's own hello with one argument.

The action is the first blow of the demo fight. It is undone after each run.

python benchmarks/actions.py [--affray PATH] [--runs N] [--small N] [--large N] [--system NAME]
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import big
from report import Row, show
from spawner import Spawner

ACTION, GROWTH, HELP, MEMORY = 1.20, 1.10, 3.3, 5.0
"""The bars: an action over click's hello, many events over few, a help over bare Python, MiB over an empty one."""
HELLO = """import click

@click.command()
@click.argument("name")
def hello(name):
    click.echo(f"Hello {name}!")

hello()
"""
"""What an action is measured beside."""
BESIDE = os.path.join(os.path.dirname(sys.executable), "affray")


def prepared(affray: str, events: int, folder: str, system: str, opening: list[str]) -> str:
    """A copy of a ledger of so many events, in which the demo fight has just come to its first blow."""
    path = os.path.join(folder, f"{events}.affray")
    shutil.copyfile(big.ledger(events, system), path)

    def command(*words: str, may_fail: bool = False) -> str:
        done = subprocess.run([affray, "--ledger", path, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=not may_fail)  # fmt: skip
        return done.stdout

    command("end", may_fail=True)
    everybody = json.loads(command("status", "--json"))["rows"]
    if everybody:
        command("leave", *everybody)
    for typed in opening:
        command(*shlex.split(typed))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--affray", default=BESIDE, help="an installed executable; best from a wheel")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--small", type=int, default=100, help="events of the small ledger")
    parser.add_argument("--large", type=int, default=1_000_000, help="events of the large ledger")
    said = big.systems_of(parser)
    said.affray = os.path.abspath(said.affray)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    *opening, blow = big.until_the_first_blow(system)
    attack = shlex.split(blow)
    affray = said.affray
    python = os.path.join(os.path.dirname(affray), "python")
    with tempfile.TemporaryDirectory() as folder:
        small, large = (prepared(affray, events, folder, system, opening) for events in (said.small, said.large))
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        measured = {
            "bare": [python, "-I", "-c", "pass"],
            "hello": [python, "-c", HELLO, "World"],
            "small": [affray, "--ledger", small, *attack],
            "large": [affray, "--ledger", large, *attack],
            "help": [affray, "--help"],
            "help here": [affray, "--ledger", small, "--help"],
            "nothing": [affray, "--version"],
        }
        times: dict[str, list[float]] = {name: [] for name in measured}
        memory: dict[str, list[int]] = {name: [] for name in measured}
        with Spawner() as spawner:
            for run in range(said.runs + 3):
                for name, words in measured.items():
                    took, held = spawner.spend(words, empty)
                    if name in ("small", "large"):
                        spawner.spend([*words[:3], "undo"], empty)
                    if run >= 3:  # the first ones warm the caches of the system
                        times[name].append(took)
                        memory[name].append(held)
    for kind, of in (("median", statistics.median), ("least", min)):
        took = {name: of(runs) for name, runs in times.items()}

        def row(what: str, name: str, bar: float | None, over: str = "bare", took: dict[str, float] = took) -> Row:
            return Row(what, f"{took[name] * 1000:.1f} ms", took[name] / took[over], bar)

        show(
            f"{system}: time of a process ({kind} of {said.runs})",
            [
                row("python -I -c pass", "bare", None),
                row("click's hello", "hello", None),
                row(f"affray {attack[0]}, {said.small:,} events", "small", ACTION, "hello"),
                row(f"affray {attack[0]}, {said.large:,} events", "large", ACTION, "hello"),
                row("  over the small one", "large", GROWTH, "small"),
                row("affray --help, no ledger", "help", HELP),
                row("affray --help, with a ledger", "help here", None),
            ],
        )
        print()
    held = {name: statistics.median(runs) / 1024 for name, runs in memory.items()}
    show(
        f"{system}: memory of a process (median)",
        [
            Row("python -I -c pass", f"{held['bare']:.1f} MiB"),
            Row("affray --version", f"{held['nothing']:.1f} MiB"),
            Row(f"the action, {said.small:,} events", f"{held['small']:.1f} MiB"),
            Row(f"the action, {said.large:,} events", f"{held['large']:.1f} MiB"),
            Row("  MiB over the small one", "", held["large"] - held["small"]),
            Row("  MiB over --version", "", held["large"] - held["nothing"], MEMORY),
        ],
    )


if __name__ == "__main__":
    main()
