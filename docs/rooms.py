"""Draws the rooms of the program from their imports, for `docs/CONTRIBUTING.md`: python docs/rooms.py."""

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.test_architecture import HOUSE, ROOMS, imports, module_name, room


@cache
def below() -> dict[str, set[str]]:
    """The rooms that each room imports."""
    found: dict[str, set[str]] = {name: set() for name in ROOMS}
    for path in HOUSE:
        if home := room(module_name(path)):
            found[home] |= {other for name in imports(path) if (other := room(name)) and other != home}
    return found


@cache
def floor(name: str) -> int:
    """The floor of a room: one above the highest room that it imports; 1 for a room that imports none."""
    return 1 + max((floor(other) for other in below()[name]), default=0)


def drawing() -> str:
    """The rooms from the highest floor to the lowest, each with a line down to all that it imports."""
    order = sorted(ROOMS, key=lambda name: (-floor(name), name))
    lowest = {name: max((order.index(other) for other in below()[name]), default=0) for name in order}
    lines = []
    for at, name in enumerate(order):
        marks = ["▼" if name in below()[above] else "│" if lowest[above] > at else " " for above in order[:at]]
        lines.append(f"floor {floor(name):<2}  {'  '.join([*marks, name])}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(drawing().encode())
