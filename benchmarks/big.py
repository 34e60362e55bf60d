"""Large ledgers for the benchmarks: the demo fight, played again and again by the real rules into a real store.

python benchmarks/big.py EVENTS SYSTEM makes one and prints its path. It is kept in the folder for temporary files,
and used again as long as the code that decides and records is the same.
"""

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from msgspec import Struct

from commands.action import systems
from commands.action.book import PROGRAM
from commands.action.common import Init, Leave
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, Layer, program, stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Again, Resolution
from commands.shell.tools import TOOLS
from commands.words.command import order_of
from ledger.chain import Entry
from ledger.dice import committed
from ledger.errors import AffrayError
from ledger.events import Rolled, Ruled, encode, split
from ledger.hashing import hexdigest
from ledger.sqlite import SqliteStore
from ledger.store import SPARSE, Head, Store
from projections.state import VERSION, State

ROOT = Path(__file__).parent.parent
KEY = bytes(range(32))
BATCH = 2000
"""Entries written in one transaction."""


class Line(Struct, frozen=True):
    """One command of the demo fight."""

    verb: str
    said: Declaration
    dice: tuple[int, ...] | None
    """As thrown in the script; none where it throws none."""
    typed: str

    def thrown(self, program: Layer) -> Dice:
        """The dice of the script, and the program's where it throws none."""
        return Dice(program) if self.dice is None else Dice(faces=self.dice)


def script(system: str) -> list[Line]:
    """The recorded commands of the demo fight of a rule system."""
    lines = []
    text = (ROOT / "commands" / "rules" / system / "demo.fight").read_text(encoding="utf-8")
    for words in (shlex.split(line, comments=True) for line in text.splitlines()):
        if not words or words[0] in TOOLS:
            continue
        order = order_of(words, system)
        lines.append(Line(order.verb, order.declaration, order.dice, shlex.join(words)))
    return lines


def accepted(system: str) -> Iterator[str]:
    """The commands of the demo fight again and again, with the dice of the script or of a campaign with KEY.

    Leaves out instants, and commands that the rules then refuse.
    """
    state, drawn = State(), 0
    for line, _ in campaign(system):
        said = Leave(state.roster.order) if isinstance(line.said, Leave) else line.said
        dice = line.thrown(stream(KEY, drawn))
        try:
            state = resolve(Resolution(state, line.verb, resolve_names(state, said), dice)).state
        except (AffrayError, Again):
            continue
        drawn += sum(answer.place > 0 for answer in dice.given())
        if line.verb != "init":
            yield f"leave {' '.join(said.who)}" if isinstance(said, Leave) else line.typed


def until_the_first_blow(system: str) -> list[str]:
    """The commands of the demo fight, up to the first of a round in which a roll is compared with somebody else."""
    state, typed = State(), []
    for line, _ in campaign(system):
        fight = resolve(Resolution(state, line.verb, resolve_names(state, line.said), line.thrown(stream(KEY))))
        fights, state = state.turns.round > 0, fight.state
        if line.verb != "init":
            typed.append(line.typed)
        if (
            fights
            and any(isinstance(event, Rolled) for event in fight.events)
            and any(
                isinstance(event, Ruled) and event.sign and event.who and event.about and event.who != event.about
                for event in fight.events
            )
        ):
            break
    return typed


def systems_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What was said, with the rule systems in `systems`: that of --system, or all that come with Affray."""
    parser.add_argument("--system", choices=systems.SYSTEMS, help="one rule system; by default each of them")
    said = parser.parse_args()
    said.systems = [said.system] if said.system else systems.SYSTEMS
    return said


def campaign(system: str, key: bytes = KEY) -> Iterator[tuple[Line, bool]]:
    """The opening, and then fight after fight; whether the dice of a line are those of the script.

    In every other fight the program rolls, and what the rules then refuse is left out.
    """
    yield Line("init", Init("A long campaign", system, committed(key)), None, "init 'A long campaign'"), False
    lines = script(system)
    by_hand = True
    while True:
        for line in lines:
            yield line, by_hand or line.verb == "initiative"
        by_hand = not by_hand
        yield Line("leave", Leave(()), None, "leave everybody"), False


def build(path: str, events: int, system: str) -> int:
    """Makes a ledger of at least this many events, and gives the number of its entries."""
    store = SqliteStore.create(path, KEY)
    last = fill(store, campaign(system), events)
    store.close()
    return last


def fill(store: Store, lines: Iterator[tuple[Line, bool]], events: int) -> int:
    """Puts at least this many events into a ledger without entries, and gives the number of its entries."""
    state, written = State(), 0
    while written < events:
        with store.writing() as head:
            for _ in range(BATCH):
                if written >= events:
                    break
                head, state, more = _write(store, head, state, *next(lines), last=events - written)
                written += more
    return head.entry


def _write(store: Store, head: Head, state: State, line: Line, by_hand: bool, last: int) -> tuple[Head, State, int]:
    """Appends what a line comes to, if the rules allow it."""
    said = Leave(state.roster.order) if isinstance(line.said, Leave) else line.said
    ours = program(store, head)
    dice = line.thrown(ours) if by_hand else Dice(ours)
    try:
        fight = resolve(Resolution(state, line.verb, resolve_names(state, said), dice))
    except AffrayError:
        return head, state, 0
    places = [answer.place for answer in dice.given()]
    number, bodies = head.entry + 1, [*map(encode, fight.events)]
    entry = Entry(
        entry=number, after=head.entry, command=number, origin=number,
        drawn=head.drawn + sum(place > 0 for place in places), hidden=head.hidden + sum(place < 0 for place in places),
        recorded_at="2026-05-01T18:30:00Z", by="gm", typed=line.typed, once="",
        program=f"{PROGRAM} {systems.rules(fight.state.campaign.system)}",
        bodies=tuple(map(bytes.decode, bodies)),
        splits=tuple(map(split, fight.events, bodies)),
    )  # fmt: skip
    kept = not number % SPARSE or len(fight.events) >= last
    head = store.append(entry, head, *((VERSION, fight.state.encoded()) if kept else ()))
    return head, fight.state, len(fight.events)


def ledger(events: int, system: str) -> str:
    """The path of a ledger of this many events, made when there is none for this code."""
    code = b"".join(
        path.read_bytes()
        for room in ("ledger", "projections", "commands")
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in (".py", ".fight", ".toml")
    )
    folder = Path(tempfile.gettempdir()) / "affray-benchmarks"
    folder.mkdir(exist_ok=True)
    path = folder / f"{system}-{events}-{hexdigest(code)[:12]}.affray"
    if not path.exists():
        for stale in folder.glob(f"{system}-{events}-*.affray"):
            stale.unlink()
        draft = f"{path}.{os.getpid()}.new"
        build(draft, events, system)
        os.replace(draft, path)
    return str(path)


if __name__ == "__main__":
    print(ledger(int(sys.argv[1]), sys.argv[2]))
