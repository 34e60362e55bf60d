"""The page: a ledger as one HTML file that needs no network. Imported only when a page is written."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import Event

from ..looking import Chapter
from .moments import Veil

if TYPE_CHECKING:
    from ..book import Book

Choice = Callable[[Entry, Sequence[Event], Chapter], bool]
"""Whether an entry, with its events and the chapter that it belongs to, is wanted on the page."""


def write_page(book: "Book", chosen: Choice | None = None, only: str = "", veil: Veil | None = None) -> str:
    """The page of a ledger, as HTML.

    `chosen` leaves out entries, and `only` then says in words what is left, such as `encounter 2`. `veil` hides what
    is secret; with it the page holds no record. Raises UsageError when the packages that it is made with are missing,
    or when nothing was chosen.
    """
    for needed in ("jinja2", "matplotlib"):
        if find_spec(needed) is None:
            raise UsageError(
                f"A page is made with Jinja and Matplotlib, and {needed} is not installed.", "pip install 'affray[report]'"
            )
    from .page import render

    return render(book, chosen, only, veil)
