"""Prints the results of the faults at the end."""

from collections import Counter
from typing import Any

BAR = ("damaged", "partial", "printed and gone", "otherwise")
"""What may happen to no ledger. "otherwise" is any other promise that was not kept."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for the faults at file calls, one for the power cuts: how many, and how the ledgers were found."""
    found: dict[str, Counter[str]] = {}
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        for kind, counts in getattr(report, "user_properties", ()):
            if kind in ("faults", "power cuts") and report.when == "call":
                found.setdefault(kind, Counter()).update(counts)
    for kind, counts in sorted(found.items()):
        told = ", ".join(f"{counts[name]} {name}" for name in dict.fromkeys((*sorted({*counts} - {*BAR}), *BAR)))
        terminalreporter.write_line(f"{kind}: {counts.total()} in all: {told}")
