"""The page: a ledger as one HTML file that needs no network. Imported only when a page is written."""

from importlib.util import find_spec
from typing import IO, TYPE_CHECKING

from ledger.errors import UsageError

if TYPE_CHECKING:
    from ..exports.record import Record


def write(record: "Record", file: IO[bytes]) -> None:
    """Writes the page. Raises UsageError when a package that it is made with is missing, or when it would be empty."""
    for needed in ("jinja2", "matplotlib"):
        if find_spec(needed) is None:
            raise UsageError(
                f"A page is made with Jinja and Matplotlib, and {needed} is not installed.",
                "pip install 'affray[report]'",
            )
    from .page import render

    file.write(render(record).encode())
