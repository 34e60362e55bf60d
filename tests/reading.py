"""A page of `affray export FILE.html`, as a test reads it."""

import base64
import gzip
import io
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct

from commands.action.book import Book
from commands.look.filters import Filters
from commands.seen.record import Record
from ledger.events import Declared, HpSet, Joined, Noted, Rolled
from tests.shell import new_book, write

HOSTILE = (
    "<script>hacked=1</script>",
    "</script><script>hacked=2</script>",
    "\"'><img src=x onerror=hacked=3>",
    "{{ 7*7 }}{% raw %}",
    "\u202egnol\u200f",
    "__proto__",
    "a\x00b\r\nc",
    "X" * 10_000,
)
"""Names of somebody who wishes the readers of a ledger ill."""
VOID = {"meta", "input", "br", "link", "img", "hr"}


class Element(Struct):
    """An element of a page, with what is in it."""

    name: str
    attributes: dict[str, str | None]
    children: "list[Element | str]"

    @property
    def text(self) -> str:
        """All letters in it."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, name: str, **attributes: str) -> "list[Element]":
        """The elements in it of this name with these attributes, in order; of any name for `*`."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                fits = name in (child.name, "*") and attributes.items() <= child.attributes.items()
                found += [*([child] if fits else []), *child.all(name, **attributes)]
        return found

    def one(self, name: str, **attributes: str) -> "Element":
        """The only one of its kind."""
        (found,) = self.all(name, **attributes)
        return found

    def rows(self) -> list[list[str]]:
        """The cells of the table that it is."""
        return [[cell.text for cell in row.all("*") if cell.name in ("th", "td")] for row in self.all("tr")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {}, [])
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, dict(attrs), [])
        self._open[-1].children.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().name == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def page_of(book: Book, sides: Sequence[str] | None = None, **filters: Any) -> str:
    """The page of an open ledger."""
    from commands.seen.page import write

    file = io.BytesIO()
    write(Record(book, Filters(**filters), sides=sides), file)
    return file.getvalue().decode()


def parsed(page: str) -> Element:
    """The page as a tree. Raises AssertionError where an element is not closed."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader._open == [reader.root]
    return reader.root


def packed(page: str, name: str) -> Any:
    """The data of a page: `boards` or `record`."""
    return json.loads(_unpacked(_held(page, name)))


def _held(page: str, name: str) -> str:
    found = re.search(rf'id="{name}">([^<]*)<', page)
    assert found
    return found[1]


def _unpacked(held: str) -> str:
    """The JSON: each sign 1 in it stands for 32 digits, which are packed apart as bytes."""
    readable, digits = map(base64.b64decode, held.split(" "))
    left = iter(re.findall(".{32}", digits.hex()))
    return re.sub("\x01", lambda _: next(left), gzip.decompress(readable).decode())


def repacked(page: str, name: str, old: str, new: str) -> str:
    """The page after somebody put `new` for the first `old` in its data, and packed it again."""
    held = _held(page, name)
    text = _unpacked(held)
    assert old in text
    data = base64.b64encode(gzip.compress(text.replace(old, new, 1).encode())).decode()
    return page.replace(held, f"{data} ")


def forged(path: Path) -> Book:
    """A ledger, made by hand, in which everybody and everything has a hostile name."""
    book = new_book(path)
    for name in HOSTILE:
        sheet = Raw(b'{"name":"Grub","kind":"enemy","size":"small"}')
        rolled = Rolled(name, name, name, "1d6", (1,), (0,))
        said = Declared("join", {"who": name, "side": name})
        events = [said, Joined(name, name, sheet), HpSet(name, 3, 9), Noted(name), rolled]
        write(book.store, events, typed=name, by=name)
    return book
