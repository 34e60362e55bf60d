"""`affray what-if` over a large ledger: a house rule tried on every fight, by one process and by several.

python benchmarks/what_if.py [--events N] [--jobs N] [--system NAME]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action import systems
from commands.what_if.house_rule import Wanted
from commands.what_if.what_if import answers

TWO = 0.56
"""The bar: the time of two processes over that of one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    gc.disable()  # as every command does
    path = big.ledger(said.events, system)
    option, chosen = next(iter(systems.load(system).options.items()))
    wanted = Wanted({option: str(chosen.default)})
    took, told = {}, {}
    for jobs in (1, said.jobs):
        began = time.perf_counter()
        told[jobs] = [one for answer in answers(wanted, [path], jobs) for one in answer.compared]
        took[jobs] = time.perf_counter() - began
    assert told[1] == told[said.jobs]
    entries = sum(one.entries for one in told[1])
    show(
        f"{system}: what-if over {len(told[1]):,} fights, {entries:,} entries",
        [
            Row("entries a second, one process", f"{entries / took[1]:,.0f}"),
            Row(f"entries a second, {said.jobs} processes", f"{entries / took[said.jobs]:,.0f}"),
            Row(
                f"time of {said.jobs} processes over that of one",
                f"{took[said.jobs]:.1f} s",
                took[said.jobs] / took[1],
                TWO if said.jobs == 2 else None,
            ),
        ],
    )


if __name__ == "__main__":
    main()
