"""Plots: curves and bars as SVG, in the colours and letters of the page around them. No text of the ledger goes into a
plot but the signs that stand for names: the template writes the names into the legend.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from markupsafe import Markup
from msgspec import Struct

from .faces import Group

_WIDTH, _HEIGHT = 360, 190
"""Of a plot, in its own units: a phone shows it as large as that, so that its letters can be read there."""
LEFT, RIGHT = 34, 336
"""Where the axis across begins and ends, in the same units. Right of it stand the signs of the curves."""
TOP, BOTTOM = 8, 166
SIDES = 6
"""How many colours for sides the page has."""
DASHES = 5
"""How many dashes the page has for curves of one colour."""
_LABELS = 12
"""The most words along the axis across."""
_LINES = 5
"""The most steps of the axis up."""
_LANE, _LANES = 2.2, 12.0
"""How far apart curves are moved, so that none runs over another, and how far all of them together."""
_ROUND = 7
"""The radius of a number in a circle."""
_HIGH = 11
"""How much room a sign needs from the next one."""


class Curve(Struct, frozen=True):
    """One curve."""

    side: int
    """Whose colour it has."""
    dash: int
    """Which of its side's curves it is, and so its dash."""
    sign: str
    """What stands at its end."""
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
    across = [(LEFT + (RIGHT - LEFT) * place / length, str(rounds[place])) for place in shown]
    drawn = [_grid(up, across, upright=True)]
    lane = min(_LANE, _LANES / len(run))
    ends: list[tuple[float, Curve]] = []
    for nth, one in enumerate(run):
        moved = _short((nth - (len(run) - 1) / 2) * lane)
        line = _path(
            (LEFT + (RIGHT - LEFT) * at / length, None if value is None else up.of(value))
            for at, value in corners(one.values)
        )
        place = f' transform="translate({moved} {moved})"' if moved != "0" else ""
        drawn.append(f'<path class="curve side-{one.side} dash-{one.dash}"{place} d="{line}"/>')
        last = next((value for value in reversed(one.values) if value is not None), None)
        if last is not None and one.sign:
            ends.append((up.of(last), one))
    drawn += _turning([LEFT + (RIGHT - LEFT) * place / length for place in turning])
    for y, one in _apart(ends):
        drawn.append(
            f'<text class="end side-{one.side}" x="{RIGHT + 8}" y="{_short(y + 3.5)}">{Markup.escape(one.sign)}</text>'
        )
    return _svg(drawn)


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


def _apart(ends: Sequence[tuple[float, Curve]]) -> Iterator[tuple[float, Curve]]:
    """Signs from above to below, so far apart that they can be read; those that find no room are left out."""
    placed = sorted(ends, key=lambda end: end[0])[: (BOTTOM - TOP) // _HIGH + 1]
    lowest = float(BOTTOM)
    heights = []
    for y, _ in reversed(placed):
        heights.append(min(y, lowest))
        lowest = heights[-1] - _HIGH
    highest = float(TOP)
    for y, (_, one) in zip(reversed(heights), placed, strict=True):
        yield max(y, highest), one
        highest = max(y, highest) + _HIGH


def bars(run: Sequence[Group]) -> Markup:
    """Stacked bars, with a line for the expected number and a band that holds about 95 of 100 such bars."""
    total = sum(bar.typed + bar.program for bar in run)
    bands = [band(bar.expected, total) for bar in run]
    most = max([1.0, *(high for _, high in bands), *(float(bar.typed + bar.program) for bar in run)])
    up, wide = _Axis(0, most * 1.04), (RIGHT - LEFT) / len(run)
    lefts = [LEFT + wide * at for at in range(len(run))]
    shown = [at for at in range(len(run)) if len(run) <= _LABELS or at == 0 or (at + 1) % 5 == 0]
    drawn = [_grid(up, [(lefts[at] + wide / 2, run[at].faces) for at in shown], upright=False)]
    for left, (low, high) in zip(lefts, bands, strict=True):
        drawn.append(_bar("band", left, up.of(high), wide, up.of(low)))
    for left, bar in zip(lefts, run, strict=True):
        middle = up.of(bar.program)
        if bar.program:
            drawn.append(_bar("program", left + wide * 0.2, middle, wide * 0.6, BOTTOM))
        if bar.typed:
            drawn.append(_bar("typed", left + wide * 0.2, up.of(bar.program + bar.typed), wide * 0.6, middle))
        y = _short(up.of(bar.expected))
        drawn.append(f'<path class="expected" d="M{_short(left)} {y}H{_short(left + wide)}"/>')
    return _svg(drawn)


def band(mean: float, total: int) -> tuple[float, float]:
    """From where to where about 95 of 100 bars end, when so many dice fell: 1.96 deviations of a binomial count."""
    around = 1.96 * (mean * (1 - mean / total)) ** 0.5 if total else 0.0
    return max(0.0, mean - around), mean + around


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
        first = -(-int(self._low) // step) * step
        return list(range(first, int(self._high) + 1, step))


def _grid(up: _Axis, across: Sequence[tuple[float, str]], upright: bool) -> str:
    """The lines of the grid, and the words along both axes."""
    lines, words = [], []
    for value in up.marks():
        y = up.of(value)
        lines.append(f"M{LEFT} {_short(y)}H{RIGHT}")
        words.append(f'<text class="up" x="{LEFT - 4}" y="{_short(y + 4)}">{value}</text>')
    for x, word in across:
        if upright:
            lines.append(f"M{_short(x)} {TOP}V{BOTTOM}")
        words.append(f'<text class="along" x="{_short(x)}" y="{BOTTOM + 14}">{word}</text>')
    return f'<path class="grid" d="{"".join(lines)}"/>{"".join(words)}'


def _bar(kind: str, x: float, top: float, wide: float, bottom: float) -> str:
    left, right = _short(x), _short(x + wide)
    return f'<path class="{kind}" d="M{left} {_short(top)}H{right}V{_short(bottom)}H{left}z"/>'


def _short(number: float) -> str:
    """A number with at most one place."""
    return f"{round(number, 1) + 0:g}"


def _svg(drawn: Sequence[str]) -> Markup:
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return Markup(f'<svg class="plot" viewBox="{box}" aria-hidden="true" focusable="false">{"".join(drawn)}</svg>')
