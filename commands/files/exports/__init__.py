"""Exports: the formats by name. The verb export imports the module of each when it is used."""

from collections.abc import Sequence

from msgspec import Struct

from ledger.errors import UsageError


class Format(Struct, frozen=True):
    """A format that a ledger can be exported to."""

    endings: tuple[str, ...]
    """The endings of file names of this format."""
    summary: str
    whole: bool = False
    """Whether it is always the whole record: no filters, nothing left out."""
    tabular: bool = False
    """Whether it holds one table, or all tables as a zip file."""
    binary: bool = False
    """Whether it is binary, and not for a terminal."""
    chronicle: bool = False
    """Whether people read it from beginning to end: it can leave out what does not stand, and show the arithmetic."""


FORMATS: dict[str, Format] = {
    "jsonl": Format(
        (".jsonl", ".ndjson"),
        "JSON Lines: the whole record, without loss; import makes the same ledger of it.",
        whole=True,
    ),
    "markdown": Format((".md", ".markdown"), "A chronicle to read: Markdown.", chronicle=True),
    "html": Format((".html", ".htm"), "One page to read: boards, log, story, heroes, and a check.", chronicle=True),
    "csv": Format((".csv",), "One table for a spreadsheet.", tabular=True),
    "parquet": Format((".parquet",), "One table for DuckDB, pandas and the like.", tabular=True, binary=True),
}
"""Every format; `affray export --format NAME`."""

ZIP = ".zip"
"""The ending of a file with all tables."""


def format_of(file: str, said: str) -> tuple[str, Format]:
    """The format and its name, from --format or from the ending of the file. Raises UsageError without either."""
    if said:
        named = [name for name, form in FORMATS.items() if said == name or f".{said}" in form.endings]
        if not named:
            raise UsageError(f"There is no format {said[:40]!r}.", f"There are: {', '.join(FORMATS)}.")
        return named[0], FORMATS[named[0]]
    if file == "-":
        return "jsonl", FORMATS["jsonl"]
    lower = file.lower()
    if lower.endswith(ZIP):
        return "csv", FORMATS["csv"]
    endings = [(ending, name) for name, form in FORMATS.items() for ending in form.endings if lower.endswith(ending)]
    if not endings:
        hint = f"End it with {_listed([form.endings[0] for form in FORMATS.values()])}, or use --format."
        raise UsageError(f"The ending of {file[-80:]!r} does not give a format.", hint)
    _, name = max(endings, key=lambda found: len(found[0]))
    return name, FORMATS[name]


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
