"""Plots: curves as SVG, in the colours and letters of the page around them. No text of the ledger goes into a plot: the
template writes the names into the legend.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from markupsafe import Markup
from msgspec import Struct

_WIDTH, _HEIGHT = 360, 190
"""Of a plot, in its own units: a phone shows it as large as that, so that its letters can be read there."""
LEFT, RIGHT = 34, 336
"""Where the axis across begins and ends, in the same units."""
TOP, BOTTOM = 8, 166
SIDES = 6
"""How many colours for sides the page has."""
_LABELS = 12
"""The most words along the axis across."""
_LINES = 5
"""The most steps of the axis up."""
_LANE, _LANES = 2.2, 12.0
"""How far apart curves are moved, so that none runs over another, and how far all of them together."""
_ROUND = 7
"""The radius of a number in a circle."""


class Curve(Struct, frozen=True):
    """One curve."""

    side: int
    """Whose colour it has."""
    values: Sequence[int | None]
    """A value for every place from 0 on; None where there is none."""


def curves(run: Sequence[Curve], rounds: Mapping[int, int], turning: Sequence[int] = ()) -> Markup:
    """Step curves in the colours of their sides. `rounds` gives the places where rounds begin; numbers from 1 on stand
    over the places `turning`. Each curve lies a little beside the others, so that all can be seen where their values
    are the same.
    """
    length = max(max(len(one.values) for one in run) - 1, 1)
    known = [value for one in run for value in one.values if value is not None]
    up = _Axis(min([0, *known]), max([1, *known]) * 1.04)
    places = sorted(rounds)
    shown = places[:: -(-len(places) // _LABELS) or 1]
    drawn = [_grid(up, [(LEFT + (RIGHT - LEFT) * place / length, str(rounds[place])) for place in shown])]
    lane = min(_LANE, _LANES / len(run))
    for nth, one in enumerate(run):
        moved = _short((nth - (len(run) - 1) / 2) * lane)
        line = _path(
            (LEFT + (RIGHT - LEFT) * at / length, None if value is None else up.of(value))
            for at, value in corners(one.values)
        )
        place = f' transform="translate({moved} {moved})"' if moved != "0" else ""
        drawn.append(f'<path class="curve side-{one.side}"{place} d="{line}"/>')
    drawn += _turning([LEFT + (RIGHT - LEFT) * place / length for place in turning])
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return Markup(f'<svg class="plot" viewBox="{box}" aria-hidden="true" focusable="false">{"".join(drawn)}</svg>')


def _turning(places: Sequence[float]) -> Iterator[str]:
    """Numbers in circles over their places, one below the other where they would touch."""
    row, end = 0, 0.0
    for x, number in sorted((x, nth) for nth, x in enumerate(places, 1)):
        row = row + 1 if x < end else 0
        end = x + 2 * _ROUND + 1
        y = TOP + _ROUND + row * (2 * _ROUND + 1)
        yield (
            f'<path class="turning" d="M{_short(x)} {_short(y)}V{BOTTOM}"/>'
            f'<circle class="turning" cx="{_short(x)}" cy="{_short(y)}" r="{_ROUND}"/>'
            f'<text class="turning" x="{_short(x)}" y="{_short(y + 3.5)}">{number}</text>'
        )


def corners(values: Sequence[int | None]) -> Iterator[tuple[int, int | None]]:
    """The corners of a step curve, each a place and a value; None where the curve breaks off."""
    before: int | None = None
    for at, value in enumerate(values):
        if before is not None and (value != before or at == len(values) - 1):
            yield at, before
        if value != before:
            yield at, value
        before = value


def _path(points: Iterable[tuple[float, float | None]]) -> str:
    """A line through some points; a point without a height breaks it off."""
    words, pen = [], "M"
    for x, y in points:
        if y is None:
            pen = "M"
        else:
            words.append(f"{pen}{_short(x)} {_short(y)}")
            pen = "L"
    return "".join(words)


class _Axis:
    """The axis up, from one value to another."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = low, high

    def of(self, value: float) -> float:
        """Where a value stands."""
        return BOTTOM - (BOTTOM - TOP) * (value - self._low) / (self._high - self._low)

    def marks(self) -> list[int]:
        """The whole numbers that it names: at most six, 1, 2 or 5 apart, or ten times that, and so on."""
        steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
        step = next(step for step in steps if (self._high - self._low) / step <= _LINES)
        return list(range(-(-int(self._low) // step) * step, int(self._high) + 1, step))


def _grid(up: _Axis, across: Sequence[tuple[float, str]]) -> str:
    """The lines of the grid, and the words along both axes."""
    lines, words = [], []
    for value in up.marks():
        y = up.of(value)
        lines.append(f"M{LEFT} {_short(y)}H{RIGHT}")
        words.append(f'<text class="up" x="{LEFT - 4}" y="{_short(y + 4)}">{value}</text>')
    for x, word in across:
        lines.append(f"M{_short(x)} {TOP}V{BOTTOM}")
        words.append(f'<text class="along" x="{_short(x)}" y="{BOTTOM + 14}">{word}</text>')
    return f'<path class="grid" d="{"".join(lines)}"/>{"".join(words)}'


def _short(number: float) -> str:
    """A number with at most one place."""
    return f"{round(number, 1) + 0:g}"
