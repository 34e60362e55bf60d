"""Dice: how often each face fell, and how often it should have."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from ledger.dice import MOST_SIDES, parse
from ledger.errors import UsageError
from ledger.events import Rolled

from .moments import Moment

_GROUPS = 20
"""The most bars of a plot; dice with more sides are counted in groups of faces."""


class Rolls(Struct, frozen=True):
    """All dice of one size."""

    sides: int
    typed: tuple[int, ...]
    """How often each face was typed, from 1 on."""
    program: tuple[int, ...]
    """How often the program rolled each face."""

    @property
    def count(self) -> int:
        """How many were thrown."""
        return sum(self.typed) + sum(self.program)

    @property
    def mean(self) -> float:
        """Their average."""
        faces = enumerate(zip(self.typed, self.program, strict=True), 1)
        return sum(face * sum(times) for face, times in faces) / self.count

    def groups(self) -> "list[Group]":
        """The bars: one for each face, or for groups of neighbouring faces."""
        size = -(-self.sides // _GROUPS)
        found = []
        for first in range(1, self.sides + 1, size):
            last = min(first + size - 1, self.sides)
            found.append(
                Group(
                    str(first) if first == last else f"{first}-{last}",
                    sum(self.typed[first - 1 : last]),
                    sum(self.program[first - 1 : last]),
                    self.count * (last - first + 1) / self.sides,
                )
            )
        return found


class Group(Struct, frozen=True):
    """A bar."""

    faces: str
    typed: int
    program: int
    expected: float
    """How often these faces should have fallen."""


def rolls_by_size(shown: Iterable[Moment]) -> list[Rolls]:
    """The dice of some entries, undone ones too, by size; each die once, however often its action was resolved."""
    faces: dict[tuple[Any, ...], tuple[int, int, bool]] = {}
    for moment in shown:
        asked: dict[tuple[Any, ...], int] = {}
        for event in moment.page.events:
            if not isinstance(event, Rolled):
                continue
            question = (moment.page.entry.origin, event.who, event.purpose, event.about, event.dice)
            asked[question] = nth = asked.get(question, 0) + 1
            for at, (sides, face, place) in enumerate(zip(_sides(event), event.faces, event.places, strict=False)):
                if 1 <= face <= sides:
                    faces[(place,) if place else (*question, nth, at)] = (sides, face, bool(place))
    counts: dict[int, tuple[list[int], list[int]]] = {}
    for sides, face, of_program in faces.values():
        both = counts.setdefault(sides, ([0] * sides, [0] * sides))
        both[of_program][face - 1] += 1
    return [Rolls(sides, tuple(typed), tuple(program)) for sides, (typed, program) in sorted(counts.items())]


def _sides(event: Rolled) -> tuple[int, ...]:
    """The sides of each die; none for dice that cannot be counted."""
    try:
        sides, _ = parse(event.dice)
    except UsageError:
        return ()
    return sides if max(sides, default=0) <= MOST_SIDES else ()
