"""Plots: Matplotlib's SVG with the colours and letters of the page around it. No text of the ledger goes into a plot:
the template writes the names into the legend.
"""

import io
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import nan

from markupsafe import Markup
from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

WIDTH, HEIGHT = 360, 190
"""Of a plot, in its own units: a phone shows it as large as that, so that its letters can be read there."""
LEFT, RIGHT = 34, 352
"""Where the axis across begins and ends, in the same units."""
TOP, BOTTOM = 8, 166
COLOURS = 8
"""How many colours the page has for curves."""
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (1.5, 2.5))
"""The dashes of curves, in turn, so that curves differ not only in colour."""
LABELS = 12
"""The most words along an axis."""

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it talks of its caches

INK, GRID = "#000000", "#b0b0b0"
BAND, TYPED, PROGRAM = "#010002", "#010003", "#010004"
_PAINT = {
    INK: "currentColor",
    GRID: "var(--line)",
    BAND: "var(--band)",
    TYPED: "var(--curve-1)",
    PROGRAM: "var(--curve-0)",
}
_PAINT |= {f"#0200{nth:02x}": f"var(--curve-{nth})" for nth in range(COLOURS)}


def curves(values: Sequence[Sequence[int | None]], rounds: Mapping[int, int]) -> Markup:
    """Step curves, each with a value for every place from 0 on; none where there is no value. `rounds` gives the places
    where rounds begin.
    """
    length = max(map(len, values))
    with _plot() as (axes, drawn):
        for nth, run in enumerate(values):
            xs, ys = _steps(run)
            dash = DASHES[nth % len(DASHES)]
            axes.plot(
                xs, ys, color=f"#0200{nth % COLOURS:02x}", linewidth=2, clip_on=False,
                linestyle=(0, dash) if dash else "-", dash_capstyle="butt", solid_capstyle="butt",
            )  # fmt: skip
        places = sorted(rounds)
        shown = places[:: -(-len(places) // LABELS) or 1]
        axes.set_xticks(shown, [str(rounds[place]) for place in shown])
        axes.set_xlim(0, max(length - 1, 1))
        known = [value for run in values for value in run if value is not None]
        axes.set_ylim(min([0, *known]), max([1, *known]) * 1.04)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(axis="both", color=GRID, linewidth=0.8, clip_on=False)
    return drawn[0]


def _steps(run: Sequence[int | None]) -> tuple[list[int], list[float]]:
    """The corners of a step curve; not a number where it breaks off."""
    xs: list[int] = []
    ys: list[float] = []
    before: int | None = None
    for at, value in enumerate(run):
        if at and before is not None and (value != before or at == len(run) - 1):
            xs.append(at)
            ys.append(before)
        if value is None and before is not None:
            xs.append(at)
            ys.append(nan)
        elif value is not None and value != before:
            xs.append(at)
            ys.append(value)
        before = value
    return xs, ys


def _band(mean: float, count: int) -> tuple[float, float]:
    """From where to where about 95 of 100 bars end, when so many dice fell: 1.96 deviations of a binomial count."""
    around = 1.96 * (mean * (1 - mean / count)) ** 0.5 if count else 0.0
    return max(0.0, mean - around), mean + around


def bars(typed: Sequence[int], program: Sequence[int], expected: Sequence[float], words: Sequence[str]) -> Markup:
    """Stacked bars, one for each face or group of faces, with a line for the expected number and a band that holds
    about 95 of 100 such bars.
    """
    count = sum(typed) + sum(program)
    with _plot() as (axes, drawn):
        low, high = zip(*(_band(mean, count) for mean in expected), strict=True)
        edges = [at - 0.5 for at in range(len(expected) + 1)]
        axes.stairs(high, edges, baseline=low, fill=True, color=BAND, clip_on=False)
        axes.hlines(expected, edges[:-1], edges[1:], color=INK, linewidth=1.4, linestyle=(0, (3, 2)), clip_on=False)
        places = range(len(expected))
        axes.bar(places, program, width=0.6, color=PROGRAM, clip_on=False)
        axes.bar(places, typed, width=0.6, bottom=program, color=TYPED, clip_on=False)
        shown = list(places) if len(words) <= LABELS else [at for at in places if at == 0 or (at + 1) % 5 == 0]
        axes.set_xticks(shown, [words[at] for at in shown])
        axes.set_xlim(-0.5, len(expected) - 0.5)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(axis="y", color=GRID, linewidth=0.8, clip_on=False)
    return drawn[0]


@contextmanager
def _plot() -> Iterator[tuple[Axes, list[Markup]]]:
    """Axes to draw on, whatever Matplotlib's settings on this machine are; afterwards the list holds the SVG."""
    drawn: list[Markup] = []
    with rc_context():
        rcdefaults()
        rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "affray", "font.size": 11, "axes.axisbelow": True})
        figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
        figure.patch.set_visible(False)
        axes = figure.add_axes((LEFT / WIDTH, 1 - BOTTOM / HEIGHT, (RIGHT - LEFT) / WIDTH, (BOTTOM - TOP) / HEIGHT))
        axes.patch.set_visible(False)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(length=0, colors=INK)
        yield axes, drawn
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        drawn.append(Markup(_fitted(text.getvalue())))


def _fitted(svg: str) -> str:
    """The plot without parts that the page already has, with styles as attributes and the colours of the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.S)
    svg = re.sub(
        r"<svg [^>]*>", f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">', svg, count=1
    )
    svg = re.sub(r'<g id="line2d_\d+">\s*(<defs>.*?</defs>\s*)?<g>\s*<use [^>]*/>\s*</g>\s*</g>', "", svg, flags=re.S)
    svg = re.sub(r' (?:id="[^"]*"|transform="rotate\(-0 [^"]*")', "", svg)
    svg = re.sub(r' style="([^"]*)"', _attributes, svg)
    svg = re.sub(r"(\.\d)\d+", r"\1", svg)
    svg = re.sub(r"\s*\n\s*", " ", svg)
    svg = re.sub(r"<(/?)g>\s*", "", svg)
    return re.sub(r"> <", "><", svg)


def _attributes(style: "re.Match[str]") -> str:
    pairs = (pair.split(": ", 1) for pair in style[1].split("; "))
    return "".join(f' {name}="{_PAINT.get(value, value)}"' for name, value in pairs if name != "font-family")
