"""The page: a ledger as one HTML file that needs no network. Imported only when a page is written."""

from collections.abc import Collection, Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ledger.errors import UsageError

if TYPE_CHECKING:
    from ..book import Book
    from .moments import Told


def write_page(
    book: "Book", pages: "Iterable[Told] | None" = None, only: str = "", sides: Collection[str] | None = None
) -> str:
    """The page of a ledger, as HTML.

    `pages` are the entries to be on it, all when there are none, and `only` says in words what they are, such as
    `encounter 2`. `sides` are those of the players, when it is for them: the numbers of everybody else stay off the
    board and the curves, and the record that the chain is made of is not on the page; their pages must hold nothing
    secret. Raises UsageError when a package that the page is made with is missing, or when there are no entries.
    """
    for needed in ("jinja2", "matplotlib"):
        if find_spec(needed) is None:
            raise UsageError(
                f"A page is made with Jinja and Matplotlib, and {needed} is not installed.",
                "pip install 'affray[report]'",
            )
    from .moments import everything
    from .page import render

    return render(book, everything(book) if pages is None else pages, only, sides)
