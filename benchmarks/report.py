"""How a benchmark prints what it measured."""

from collections.abc import Sequence


class Row:
    """One line: what was measured, as a number with its unit, as a ratio or amount against its bar if it has one."""

    def __init__(self, what: str, measured: str, ratio: float | None = None, bar: float | None = None) -> None:
        self.what, self.measured, self.ratio, self.bar = what, measured, ratio, bar

    def cells(self) -> tuple[str, str, str, str, str]:
        """The line as words."""
        verdict = "" if self.ratio is None or self.bar is None else "ok" if self.ratio <= self.bar else "MISSED"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return self.what, self.measured, ratio, "" if self.bar is None else f"{self.bar:.2f}", verdict


def show(title: str, rows: Sequence[Row]) -> None:
    """Prints a table."""
    table = [(title, "measured", "ratio", "bar", ""), *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for what, *numbers in table:
        cells = [what.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True))]
        print("  ".join(cells).rstrip(), flush=True)
