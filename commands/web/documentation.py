"""The documentation as a site: every page, a search in all of them, and a button on the examples that can be tried.

Its links lead from page to page of it; what is no page of it, such as a program of the tests, is named and not linked.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from commands.action import systems
from commands.action.book import PROGRAM
from commands.seen.page.templates import template
from commands.shell.run import words_of
from commands.shell.tools import TOOLS
from ledger import SUFFIX
from ledger.errors import AffrayError

_ROOT = Path(__file__).parent.parent.parent
_STATIC = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'"
)
_FILE = re.compile(r"^(?:#|//|--|<!--) ([\w./-]+\.\w+)(?: -->)?\n")
"""The first line of a block that shows a file."""
_SHELL = re.compile(r"[|<>;&`$\\]")
"""Signs that only a shell understands."""
_QUOTED = re.compile(r"'[^']*'")
_READING = ("cat ", "cut ", "duckdb ", "echo ", "grep ", "python -c ", "sed -n ")
"""What lines of other programs begin with that change nothing."""
_ROOM = re.compile(r"^floor +(\d+)  (.*?)(\w+)$", re.M)
_COLUMN = 3
"""Columns of each room in the drawing of the rooms."""


class _Try(Struct, frozen=True):
    """An example that can be tried in the page."""

    files: dict[str, str]
    """What stands in files before it, by name."""
    before: list[str]
    """The commands of its page before it."""
    lines: list[str]


class _Section(Struct, frozen=True):
    """A part of a page that the search finds."""

    id: int
    page: str
    anchor: str
    title: str
    text: str


def write(folder: Path) -> None:
    """Writes the site into a folder. Raises OSError."""
    pages = dict(_pages())
    tries: dict[str, _Try] = {}
    sections: list[_Section] = []
    titles = {name: _title(path) for path, name in pages.items()}
    for path, name in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * name.count("/")
        body = _Body(path, name, pages, tries, sections).html
        html = template("docs.html", _STATIC).render(
            policy=_POLICY, program=PROGRAM, title=titles[name], body=body, up=up, here=name, chapters=_chapters(titles)
        )
        target.write_text(html, encoding="utf-8")
    shutil.copytree(_ROOT / "docs" / "pictures", folder / "pictures", dirs_exist_ok=True)
    for name in ("docs.css", "docs.js"):
        shutil.copyfile(_STATIC / name, folder / name)
    for name, data in (("search.json", sections), ("tries.json", tries)):
        (folder / name).write_text(json.dumps(_plain(data), separators=(",", ":")), encoding="utf-8")


def _plain(data: Any) -> Any:
    from msgspec import to_builtins

    return to_builtins(data)


def _pages() -> Iterator[tuple[Path, str]]:
    """Each page, with its place in the site."""
    yield _ROOT / "README.md", "index.html"
    for path in sorted((_ROOT / "docs").glob("**/*.md")):
        yield path, path.relative_to(_ROOT / "docs").with_suffix(".html").as_posix()
    for system in systems.SYSTEMS:
        yield Path(systems.folder(system)) / "RULES.md", f"rules/{system}.html"
    yield _ROOT / "benchmarks" / "README.md", "benchmarks.html"


def _title(path: Path) -> str:
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)
    return found[1].replace("`", "") if found else path.stem


def _chapters(titles: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The pages for the list beside each of them, by chapter."""
    named = (("", "Guides"), ("verbs", "Verbs"), ("sheets", "Stat blocks"), ("rules", "Clauses"))
    return [
        (chapter, [(name, title) for name, title in titles.items() if name.rpartition("/")[0] == folder])
        for folder, chapter in named
    ]


class _Body:
    """The body of a page. Notes what can be tried there, and what the search finds."""

    def __init__(
        self, path: Path, name: str, pages: Mapping[Path, str], tries: dict[str, _Try], sections: list[_Section]
    ) -> None:
        self._path, self._name, self._pages = path, name, pages
        self._tries, self._sections = tries, sections
        self._files: dict[str, str] = {}
        self._before: list[str] = []
        self._opened = False
        """Whether the examples since the last ledger was made all work in the page: the next one may build on them."""
        self._anchors: dict[str, int] = {}
        parser = MarkdownIt("commonmark").enable("table")
        tokens = parser.parse(path.read_text(encoding="utf-8"))
        for token in tokens:
            self._link(token)
        self._head(tokens)
        self.html = "".join(self._rendered(parser, tokens))

    def _rendered(self, parser: MarkdownIt, tokens: Sequence[Token]) -> Iterator[str]:
        piece: list[Token] = []
        for token in tokens:
            if token.type != "fence":
                piece.append(token)
                continue
            yield str(parser.renderer.render(piece, parser.options, {}))
            piece = []
            if "floor 1 " in token.content and _ROOM.search(token.content):
                yield rooms(token.content)
            yield f'<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n'
            yield self._try(token)
        yield str(parser.renderer.render(piece, parser.options, {}))

    def _head(self, tokens: Sequence[Token]) -> None:
        """Gives each heading its anchor, and notes each section for the search."""
        title, anchor, said = "", "", list[str]()
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                self._note(title, anchor, said)
                title, said = _text(tokens[at + 1]), []
                anchor = self._anchor(title)
                token.attrs["id"] = anchor
            elif token.type == "inline" and tokens[at - 1].type != "heading_open":
                said.append(_text(token))
            elif token.type == "fence":
                said.append(token.content)
        self._note(title, anchor, said)

    def _note(self, title: str, anchor: str, said: Sequence[str]) -> None:
        if title:
            text = " ".join(" ".join(said).split())
            self._sections.append(_Section(len(self._sections), self._name, anchor, title, text))

    def _anchor(self, title: str) -> str:
        """The anchor of a heading, as the pages of a repository have it."""
        plain = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        nth = self._anchors[plain] = self._anchors.get(plain, -1) + 1
        return f"{plain}-{nth}" if nth else plain

    def _link(self, token: Token) -> None:
        """Turns links to pages into links within the site; what is no page of it is no link."""
        for child in (token, *(token.children or [])):
            if child.type.startswith("html_"):
                child.content = re.sub(r'(?<=src=")[^"]+', lambda found: self._to(found[0]), child.content)
            if child.type == "image":
                child.attrs["src"] = self._to(str(child.attrs["src"]))
            if child.type == "link_open":
                place = self._to(str(child.attrs["href"]))
                if place:
                    child.attrs["href"] = place
                else:
                    child.tag, child.attrs = "span", {}
            if child.type == "link_close" and token.children:
                opening = [one for one in token.children[: token.children.index(child)] if one.type == "link_open"]
                child.tag = opening[-1].tag

    def _to(self, link: str) -> str:
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        file, _, anchor = link.partition("#")
        target = Path(os.path.normpath(self._path.parent / file))
        name = self._pages.get(target, "")
        if not name and target.parent == _ROOT / "docs" / "pictures":
            name = f"pictures/{target.name}"
        up = "../" * self._name.count("/")
        return f"{up}{name}{f'#{anchor}' if anchor else ''}" if name else ""

    def _try(self, token: Token) -> str:
        """The button below an example, if all of it can be tried."""
        if file := _FILE.match(token.content):
            self._files[file[1]] = token.content
            return ""
        if token.info.strip() != "console":
            return ""
        shown = [piece.partition("\n")[0] for piece in re.split(r"^\$ ", token.content, flags=re.M)[1:]]
        lines = [line for line in shown if _works(line)]
        before = [*self._before]
        self._before += lines
        for line in shown:
            self._opened = self._opened if _reads(line) else _works(line) and (self._opened or _opens(line))
        if not lines or not self._opened:
            return ""
        key = f"{self._name.removesuffix('.html').replace('/', '.')}-{len(self._tries) + 1}"
        self._tries[key] = _Try(dict(self._files), before, lines)
        up = "../" * (self._name.count("/") + 1)
        return f'<p class="try"><a href="{up}index.html#try={key}">Try it here</a></p>\n'


def _text(token: Token) -> str:
    """What a line of a page says, without its marks."""
    read = ("text", "code_inline", "softbreak")
    return "".join(child.content or " " for child in token.children or [] if child.type in read)


def _words(line: str) -> list[str]:
    """The words of a command of ours behind `--ledger`; [] for another line."""
    try:
        words = words_of(line) if line.startswith("affray ") else []
    except AffrayError:
        return []
    return words[2:] if words[:1] == ["--ledger"] else words


def _works(line: str) -> bool:
    """Whether a line of an example works in the page."""
    words = _words(line)
    folders = any("/" in word and SUFFIX in word for word in words)
    if not words or folders or _SHELL.search(_QUOTED.sub("", line)) or "-" in words:
        return False
    system = words[words.index("--system") + 1] if "--system" in words[:-1] else systems.SYSTEMS[0]
    verb = TOOLS.get(" ".join(words[:2])) or TOOLS.get(words[0])
    return system in systems.SYSTEMS and (verb is None or "browser" not in verb.not_in)


def _reads(line: str) -> bool:
    """Whether a line of another program only looks, so that what follows works without it."""
    return line.startswith(_READING)


def _opens(line: str) -> bool:
    """Whether a line of an example makes a ledger."""
    words = _words(line)
    not_in = TOOLS[words[0]].not_in if words and words[0] in TOOLS else ()
    return "prompt" in not_in and "browser" not in not_in


def rooms(drawing: str) -> str:
    """The rooms of the program as one picture, from their drawing in text: each on its floor, with a line to each room
    that it imports.
    """
    found = [(int(floor), marks, name) for floor, marks, name in _ROOM.findall(drawing)]
    order = [name for _, _, name in found]
    floors: dict[int, list[str]] = {}
    for floor, _, name in found:
        floors.setdefault(floor, []).append(name)
    high, wide, box = max(floors), max(map(len, floors.values())), 116
    width, height = max(4, wide) * 150, high * 74
    at = {}
    for floor, names in floors.items():
        for nth, name in enumerate(names):
            middle = width * (nth + 0.5) / len(names) + (26 if floor % 2 else -26) * (len(names) == 1)
            at[name] = middle, (high - floor) * 74 + 30
    lines = [
        f'<path d="M{at[order[mark]][0]:.0f} {at[order[mark]][1] + 17} L{at[name][0]:.0f} {at[name][1] - 17}"/>'
        for _, marks, name in found
        for mark in range(len(marks) // _COLUMN)
        if marks[mark * _COLUMN] == "▼"
    ]
    boxes = [
        f'<rect x="{x - box / 2:.0f}" y="{y - 17}" width="{box}" height="34" rx="6"/>'
        f'<text x="{x:.0f}" y="{y + 5}">{escape(name)}</text>'
        for name, (x, y) in at.items()
    ]
    return (
        f'<figure><svg class="rooms" viewBox="0 0 {width} {height}" role="img" aria-label="The rooms: each is joined to'
        f' those below that it imports"><g>{"".join(lines)}</g>{"".join(boxes)}</svg></figure>\n'
    )
