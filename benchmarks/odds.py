"""`affray odds`: the actions of a demo fight foreseen, for each resolution of a way against one plain resolution.

python benchmarks/odds.py [--system NAME] [--most N] [--runs N]
"""

import argparse
import gc
import time

import big
from report import Row, show

from commands.action.dice_sources import Dice, stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Again, Resolution
from commands.odds import outcomes
from commands.odds.branches import Action, guess, rolls
from commands.odds.outcomes import foresee
from ledger.errors import AffrayError
from projections.state import State

BAR = 1.5


def actions(system: str, most: int) -> list[Action]:
    """What of a demo fight hangs on dice, in at most so many ways, each with the state before it.

    Instants, and what would not be possible without them, are left out.
    """
    state, found = State(), []
    for line, _ in big.campaign(system):
        if line.verb == "leave":
            return found
        action = Action(state, line.verb, resolve_names(state, line.said))
        try:
            after = resolve(Resolution(state, line.verb, action.said, line.thrown(stream(big.KEY)))).state
        except (AffrayError, Again):
            continue
        if line.verb != "init" and rolls(action) and guess(action, outcomes.picker("benchmark")) <= most:
            found.append(action)
        state = after
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=5_000, help="ways that an action may have")
    parser.add_argument("--runs", type=int, default=500, help="plain resolutions of each action")
    said = big.systems_of(parser)
    rows = []
    gc.disable()  # as every command does
    for system in said.systems:
        plain = folded = 0.0
        tried = ways = 0
        some = actions(system, said.most)
        for action in some:
            dice = Dice(stream(big.KEY))
            began = time.perf_counter()
            for _ in range(said.runs):
                resolve(Resolution(action.state, action.verb, action.said, dice))
            each = (time.perf_counter() - began) / said.runs
            gc.collect()
            began = time.perf_counter()
            odds = foresee(action)
            folded += time.perf_counter() - began
            plain += each * odds.tried
            tried += odds.tried
            ways += odds.of
        rows += [
            Row(f"{system}: {len(some)} actions, a plain resolution", f"{plain / tried * 1e6:.0f} us"),
            Row("  a resolution of odds", f"{folded / tried * 1e6:.0f} us", folded / plain, BAR),
            Row("  ways of the dice for each", f"{ways / tried:,.1f}"),
        ]
    show("odds", rows)


if __name__ == "__main__":
    main()
