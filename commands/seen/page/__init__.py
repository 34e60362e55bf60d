"""The page: a ledger as one HTML file that needs no network. Imported only when a page is written."""

from typing import IO, TYPE_CHECKING

from commands.words.installed import adding
from ledger.errors import UsageError

if TYPE_CHECKING:
    from commands.seen.record import Record


def write(record: "Record", file: IO[bytes]) -> None:
    """Writes the page. Raises UsageError when a package that it is made with is missing, or when it would be empty."""
    try:
        import jinja2  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("A page is made with Jinja, and jinja2 is not installed.", adding("report")) from None
    from .render import render

    file.write(render(record).encode())
