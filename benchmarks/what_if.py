"""`affray what-if` over a large ledger: a house rule tried on every fight.

python benchmarks/what_if.py [--events N] [--system NAME]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action import systems
from commands.what_if.answers import answers
from commands.what_if.fights import Compared
from commands.what_if.house_rule import Wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    said = big.systems_of(parser)
    for system in said.systems:
        measure(system, said)


def measure(system: str, said: argparse.Namespace) -> None:
    """Measures one rule system."""
    gc.disable()  # as every command does
    path = big.ledger(said.events, system)
    option, chosen = next(iter(systems.load(system).options.items()))
    wanted = Wanted({option: str(chosen.default)})
    began = time.perf_counter()
    told = [one for one in answers(wanted, [path]) if isinstance(one, Compared)]
    took = time.perf_counter() - began
    entries = sum(one.entries for one in told)
    show(
        f"{system}: what-if over {len(told):,} fights, {entries:,} entries",
        [Row("entries a second", f"{entries / took:,.0f}")],
    )


if __name__ == "__main__":
    main()
