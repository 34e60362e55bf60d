"""Markdown (CommonMark with GitHub's strikethrough): a chronicle to read.

Front matter, encounters and rounds as headings, a list item for each entry. An encounter opens with who fought, and
closes with how long it took, who fell, and the best blow. What no longer stands is struck through, unless it is left
out; disputes are quotes.
"""

import codecs
import re
from collections.abc import Iterator
from typing import IO

import msgspec

from commands.look.filters import Chapter
from commands.seen.record import Page, Record
from commands.words.screen import harmless
from ledger.events import DisputeOpened, DisputeSettled
from projections.narration import story

_ACTIVE = re.compile(r"([\\`*_~#]|%(?=%)|=(?==)|\[(?=\[)|<(?=[A-Za-z/!?])|&(?=[#\w]+;)|\](?=[(\[:]))")
"""Signs in a line that mean something in Markdown."""
_FRONT = re.compile(r"[`*_~<>&\[\]()]|:(?=//)")
"""Signs in front matter that may mean something in Markdown; they are escaped as in JSON and YAML."""
_OPENING = re.compile(r"^(\d*)([->+=|.)[])")
"""Signs that begin a list, a quote, a rule or a table."""


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the chronicle."""
    codecs.getwriter("utf-8")(file).writelines(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield from _front(record)
    yield f"# {plain(record.campaign.name)}"
    told: set[Chapter] = set()
    last: Chapter | None = None
    kind = ""
    played = record.played()
    for page in record.pages():
        if page.chapter != last:
            first = Chapter(page.chapter.encounter, 0) not in told
            headings = [*_headings(page.chapter, last, told, record.encounters.get(page.chapter.encounter, ""))]
            opening = played.opening(page.chapter.encounter) if first else ""
            yield from headings[:2]
            yield from ("", below(plain(opening))) if opening else ()
            yield from headings[2:]
            last, kind = page.chapter, ""
        item = _quote(page) if _disputed(page) else _item(page, record.arithmetic)
        if item[0][:1] != kind or kind == ">":
            kind = item[0][:1]
            yield ""
        yield from item
        if closing := played.closing(page.entry.entry, page.chapter):
            kind = ""
            yield from ("", below(plain(" ".join(closing))))
    if last is None:
        yield from ("", "Nothing in the record passes the filters.")


def _front(record: Record) -> Iterator[str]:
    facts = {
        "title": record.campaign.name,
        "rules": record.title,
        "head": record.line,
        "state": record.state_digest,
        "recorded": record.store.entry(record.head.entry).recorded_at,
        "player-safe": record.sides is not None,
    }
    if record.sides is not None:
        del facts["state"]
    yield "---"
    yield from (f"{name}: {_quoted(value)}" for name, value in facts.items())
    yield from ("---", "")


def _quoted(value: object) -> str:
    """A value of the front matter, harmless also for a reader that takes front matter for Markdown."""
    words = msgspec.json.encode(harmless(value) if isinstance(value, str) else value).decode()
    return _FRONT.sub(lambda sign: f"\\u{ord(sign[0]):04x}", words)


def _headings(chapter: Chapter, last: Chapter | None, told: set[Chapter], name: str) -> Iterator[str]:
    """The headings of a chapter that begins, or goes on after an undo."""
    encounter = Chapter(chapter.encounter, 0)
    if last is None or last.encounter != chapter.encounter:
        again = ", continued" if encounter in told else ""
        title = f"Encounter {chapter.encounter}{f': {plain(name)}' if name else ''}{again}"
        if not chapter.encounter:
            title = "Between encounters" if told else "Before the first encounter"
        yield from ("", f"## {title}")
    if chapter.round:
        yield from ("", f"### Round {chapter.round}{', continued' if chapter in told else ''}")
    told |= {encounter, chapter}


def _item(page: Page, arithmetic: bool) -> list[str]:
    """An entry as an item of a list: its first line in the item, the others below."""
    entry = page.entry
    again = f" (e{entry.origin} again)" if entry.origin != entry.entry else ""
    items: list[str] = []
    for one in story(page.events, page.verbs, arithmetic):
        outcome, *steps = (_struck(plain(line.strip()), page.stands) for line in (one.outcome, *one.arithmetic))
        indent = "    " if items else "  "
        items.append(f"  - {below(outcome)}" if items else f"- **e{entry.entry}**{again} {outcome}".rstrip())
        items += [f"{indent}- {below(step)}" for step in steps]
    return items or [f"- **e{entry.entry}**{again}"]


def _quote(page: Page) -> list[str]:
    said = [_struck(plain(one.outcome), page.stands) for one in story(page.events, page.verbs, False)] or [""]
    return [f"> **e{page.entry.entry}** {'  '.join(said)}".rstrip()]


def _disputed(page: Page) -> bool:
    """Whether an entry is a quote: somebody disputes something, or settles a dispute."""
    return any(isinstance(event, DisputeOpened | DisputeSettled) for event in page.events)


def _struck(line: str, stands: bool) -> str:
    return line if stands or not line else f"~~{line}~~"


def plain(words: str) -> str:
    """The words on one line, with everything escaped that means something in Markdown."""
    return _ACTIVE.sub(r"\\\1", harmless(words))


def below(line: str) -> str:
    """The line, escaped so that it can begin an item of a list."""
    return _OPENING.sub(r"\1\\\2", line)
