"""Tables that fit the terminal.

Nothing is imported for them: to import tabulate takes some 50 ms, rich 40 and wcwidth 25, and none of them moves a
column below its row.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from .width import breadth, wrapped

GAP, _INDENT = "  ", "    "
"""Between columns, and before what stands below a row."""

Paint = Callable[[int, int, str], str]
"""Colours a cell: the number of its row, 0 for the titles, that of its column, and the text as it is printed."""
_LEAST = 20
"""The least places for a last column that is wrapped."""
_BELOW = -1
"""In place of a column: what stands below a row."""


def padded(text: str, places: int) -> str:
    """The text with spaces behind it, up to so many places."""
    return text + " " * (places - breadth(text))


def fitted(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    most: int | None,
    folds: Sequence[str] = (),
    paint: Paint = lambda row, column, text: text,
) -> Iterator[str]:
    """The lines of a table of at most so many places; None for any number. The first column names the rows.

    Empty columns are left out. Where the others do not fit, titles of several words stand on two lines, and columns
    move below their row as `title: value`, first those of `folds`. If there is room for it, the one of them that most
    rows have stands at the end of the rows, wrapped.
    """
    places, folded = _laid_out(titles, rows, most if most is not None else 1 << 30, folds)
    above = [wrapped(titles[at], width, "") for at, width in places.items()]
    tall = max(map(len, above))
    for line in zip(*([""] * (tall - len(lines)) + lines for lines in above), strict=True):
        if any(line):
            yield _row(line, places, 0, paint)
    for nth, row in enumerate(rows, 1):
        for line in zip_longest(*(wrapped(row[at], width, "") for at, width in places.items()), fillvalue=""):
            yield _row(line, places, nth, paint)
        below = ((titles[at].strip(), row[at].strip()) for at in folded if row[at].strip())
        told = [f"{title}: {word}" if title else word for title, word in below]
        yield from (paint(nth, _BELOW, line) for line in _stacked(told, most or 0))


def _laid_out(
    titles: Sequence[str], rows: Sequence[Sequence[str]], most: int, folds: Sequence[str]
) -> tuple[dict[int, int], list[int]]:
    """The columns with their places, in the order in which they stand; and those that move below their row."""
    cells = {at: max((breadth(row[at]) for row in rows), default=0) for at in range(len(titles))}
    used = [at for at, width in cells.items() if width or not at]
    widths = {at: max(cells[at], breadth(titles[at])) for at in used}
    least = {at: max(cells[at], _in_two_lines(titles[at])) for at in used}
    folded = sorted(_folded(titles, least, most, folds)) if _across(widths) > most else []
    widths, places = ({at: some[at] for at in used if at not in folded} for some in (widths, least))
    if _across(widths) <= most:
        places = widths
    if folded:
        last = max(folded, key=lambda at: sum(bool(row[at]) for row in rows))
        room = most - _across(places) - len(GAP)
        if room >= max(_LEAST, *(breadth(word) for row in (titles, *rows) for word in row[last].split(" "))):
            folded.remove(last)
            places[last] = room
    if len(places) == 1:
        places = {at: min(width, most) for at, width in places.items()}
    return places, folded


def _in_two_lines(title: str) -> int:
    """The places that a title takes when it stands on two lines.

    >>> _in_two_lines("in melee with"), _in_two_lines("hp")
    (8, 2)
    """
    words = title.split(" ")
    return min(max(breadth(" ".join(words[:at])), breadth(" ".join(words[at:]))) for at in range(1, len(words) + 1))


def _row(cells: Sequence[str], places: dict[int, int], nth: int, paint: Paint) -> str:
    """A line of a table, with nothing behind its last cell."""
    last = max((place for place, cell in enumerate(cells) if cell), default=0)
    shown = [*map(padded, cells[:last], places.values()), cells[last]]
    return GAP.join(paint(nth, at, cell) for at, cell in zip(places, shown, strict=False))


def listed(rows: Sequence[Sequence[str]], most: int, indent: str = "") -> Iterator[str]:
    """Rows whose last cell is a text: in columns, with the last one wrapped; where there is no room for that, each row
    as a paragraph.
    """
    *firsts, _ = [max(map(breadth, column)) for column in zip(*rows, strict=True)] or [0]
    start = len(indent) + sum(places + len(GAP) for places in firsts)
    apart = start + _LEAST > most
    for *cells, text in rows:
        shown = cells if apart else [padded(cell, places) for cell, places in zip(cells, firsts, strict=True)]
        line = GAP.join([*shown, text]).rstrip()
        yield from wrapped(indent + line, most, indent + _INDENT if apart else " " * start)


def _across(places: dict[int, int]) -> int:
    """How many places columns of these widths take."""
    return sum(one + len(GAP) for one in places.values()) - len(GAP)


def _folded(titles: Sequence[str], widths: dict[int, int], most: int, folds: Sequence[str]) -> list[int]:
    """The columns that move below their row, no more than have to: those of `folds`, then the others from the last."""
    named = sorted((at for at in widths if titles[at] in folds), key=lambda at: folds.index(titles[at]))
    folding = [at for at in dict.fromkeys([*named, *reversed(widths)]) if at]
    left = dict(widths)
    for nth, at in enumerate(folding):
        if _across(left) <= most:
            return folding[:nth]
        del left[at]
    return folding


def _stacked(words: Sequence[str], most: int) -> Iterator[str]:
    """What stands below a row: as many as fit on each line; a longer one is wrapped."""
    line = ""
    for word in words:
        if line and breadth(f"{line}; {word}") <= most:
            line = f"{line}; {word}"
            continue
        if line:
            yield line
        *full, line = wrapped(_INDENT + word, most, _INDENT + GAP)
        yield from full
    if line:
        yield line
