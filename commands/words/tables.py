"""Tables that fit the terminal.

Nothing is imported for them: to import tabulate takes some 50 ms, rich 40 and wcwidth 25, and none of them moves a
column below its row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, zip_longest

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
    folds: Iterable[str] = (),
    paint: Paint = lambda row, column, text: text,
) -> Iterator[str]:
    """The lines of a table of at most so many places; None for any number. The first column names the rows.

    Empty columns are left out. Where the others do not fit, titles of several words stand on two lines, and columns
    move below their row as `title: value`, first those of `folds`. If there is room for it, the one of them that most
    rows have stands at the end of the rows, wrapped.
    """
    used = [at for at in range(len(titles)) if not at or any(row[at] for row in rows)]
    widths, least = {}, {}
    for at in used:
        cells = max((breadth(row[at]) for row in rows), default=0)
        widths[at] = max(cells, breadth(titles[at]))
        least[at] = max(cells, _in_two_lines(titles[at]))
    folded = _folded(titles, rows, least, most, folds) if most is not None and _across(widths) > most else []
    kept = [at for at in used if at not in folded]
    places = {at: least[at] for at in kept}
    if most is None or _across({at: widths[at] for at in kept}) <= most:
        places = {at: widths[at] for at in kept}
    if folded and most is not None:
        at = max(folded, key=lambda at: sum(bool(row[at]) for row in rows))
        room = most - _across(places) - len(GAP)
        words = [word for row in (titles, *rows) for word in row[at].split(" ")]
        if room >= max(_LEAST, *map(breadth, words)):
            folded.remove(at)
            kept.append(at)
            places[at] = room
    if most is not None and len(kept) == 1:
        places[kept[0]] = min(places[kept[0]], most)
    above = [wrapped(titles[at], places[at], "") for at in kept]
    tall = max(map(len, above))
    for line in zip(*([""] * (tall - len(lines)) + lines for lines in above), strict=True):
        if any(line):
            yield _row(line, kept, places, 0, paint)
    for nth, row in enumerate(rows, 1):
        for line in zip_longest(*(wrapped(row[at], places[at], "") for at in kept), fillvalue=""):
            yield _row(line, kept, places, nth, paint)
        below = ((titles[at].strip(), row[at].strip()) for at in sorted(folded) if row[at].strip())
        told = [f"{title}: {word}" if title else word for title, word in below]
        yield from (paint(nth, _BELOW, line) for line in _stacked(told, most or 0))


def _in_two_lines(title: str) -> int:
    """The places that a title takes when it stands on two lines.

    >>> _in_two_lines("in melee with"), _in_two_lines("hp")
    (8, 2)
    """
    words = title.split(" ")
    return min(max(breadth(" ".join(words[:at])), breadth(" ".join(words[at:]))) for at in range(1, len(words) + 1))


def _row(cells: Sequence[str], kept: Sequence[int], places: dict[int, int], nth: int, paint: Paint) -> str:
    """A line of a table, with nothing behind its last cell."""
    last = max((place for place, cell in enumerate(cells) if cell), default=0)
    shown = [*(padded(cell, places[at]) for at, cell in zip(kept[:last], cells[:last], strict=True)), cells[last]]
    return GAP.join(paint(nth, at, cell) for at, cell in zip(kept, shown, strict=False))


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


def _folded(
    titles: Sequence[str], rows: Sequence[Sequence[str]], widths: dict[int, int], most: int, folds: Iterable[str]
) -> list[int]:
    """The columns that move below their row: those of `folds` that leave the fewest rows with something below, where
    that is equal the fewest and the first of them; where all of them are not enough, the others too, from the last on.
    """
    firsts = [at for title in folds for at in widths if at and titles[at] == title]
    missing = _across(widths) - most
    saved = {at: widths[at] + len(GAP) for at in widths}
    if sum(saved[at] for at in firsts) < missing:
        folded = firsts
        for at in reversed([at for at in widths if at and at not in firsts]):
            if sum(saved[one] for one in folded) < missing:
                folded = [*folded, at]
        return folded
    having = {at: sum(1 << nth for nth, row in enumerate(rows) if row[at]) for at in firsts}
    enough: list[tuple[int, ...]] = [
        some
        for several in range(len(firsts) + 1)
        for some in combinations(firsts, several)
        if sum(saved[at] for at in some) >= missing
    ]

    def cost(some: tuple[int, ...]) -> tuple[int, int, int]:
        below = 0
        for at in some:
            below |= having[at]
        return below.bit_count(), len(some), sum(map(firsts.index, some))

    best = min(enough, key=cost)
    return list(best)


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
