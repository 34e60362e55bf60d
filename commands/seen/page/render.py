"""The page: fills the template, and packs the record that the reader's browser checks."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import groupby
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from commands.action.book import PROGRAM
from commands.look.filters import Chapter
from commands.seen.record import Record
from commands.seen.scenes import Differences, Legend, labels_of, legend
from commands.words.screen import harmless
from ledger.errors import UsageError

from .hero_cards import heroes_of
from .moments import Moment, moments
from .tale import Tale, tale
from .templates import SCENES, bundle, style_sheet, template

_UNSEALED = "0" * 64
"""The placeholder for the seal until it is known."""


def render(record: Record) -> str:
    """The page. Raises UsageError when it would be empty."""
    shown = list(moments(record))
    if not shown:
        raise UsageError("Nothing in the record passes these filters.", "affray log")
    common = legend([moment.scene for moment in shown], record.players)
    drawn = _drawn(shown, common, record)
    boards = msgspec.json.encode(_boards(shown, common, record))
    style, script = style_sheet(), bundle("kinds.js", "verify.js", *SCENES, "page.js")
    page: str = template("page.html").render(
        campaign=harmless(record.campaign.name),
        system=record.title,
        program=PROGRAM,
        head=record.head.entry,
        line=record.line,
        days=sorted({harmless(shown[at].page.entry.recorded_at[:10]) for at in (0, -1)}),
        kind="part" if len(shown) < record.head.entry else "whole" if record.sides is None else "veiled",
        shown=shown,
        last=len(shown) - 1,
        now=f"e{shown[-1].page.entry.entry}",
        scene=shown[-1].scene,
        chapters=list(_chapters(shown, record)),
        arithmetic=record.arithmetic,
        titles=common.titles,
        boards=_packed(boards),
        record=_packed(msgspec.json.encode(_chain(shown, record))),
        seal=_UNSEALED,
        style=Markup(style),
        style_hash=_hash(style),
        script=Markup(script),
        script_hash=_hash(script),
        **drawn,
    )
    seal = hashlib.sha256(_letters(page).encode() + boards).hexdigest()
    return page.replace(f'data-seal="{_UNSEALED}"', f'data-seal="{seal}"', 1)


def drawings(record: Record) -> str:
    """The story and the heroes alone, for a page that has the rest."""
    shown = list(moments(record))
    common = legend([moment.scene for moment in shown], record.players)
    drawn: str = template("drawings.html").render(**_drawn(shown, common, record))
    return drawn


def _drawn(shown: Sequence[Moment], common: Legend, record: Record) -> dict[str, Any]:
    """What the templates of the story and of the heroes are filled with."""
    return {"tale": _tale(shown, common, record), "evening": heroes_of(shown, record.players, record.persons)}


def _hash(text: str) -> str:
    """The hash of a script or style for the page's security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_DIGITS = re.compile(rb"[0-9a-f]{32}")
_MARK = b"\x01"
"""Stands for digits that are packed apart. JSON holds no such sign."""


def _packed(data: bytes) -> str:
    """JSON in base64: what is readable in it, compressed, then the digits of digests and leaves as bytes. Those are as
    random as dice, and compressed they would take up more or less room by chance.
    """
    digits = b"".join(map(bytes.fromhex, map(bytes.decode, _DIGITS.findall(data))))
    parts = gzip.compress(_DIGITS.sub(_MARK, data), mtime=0), digits
    return " ".join(base64.b64encode(part).decode() for part in parts)


_TAG = re.compile("<[^>]*>")
"""An element begins or ends. No attribute holds such a bracket: the template escapes them."""
_LINE = re.compile('<path[^>]* d="([^"]*)"')


def _letters(page: str) -> str:
    """What the script of the page reads, and what is sealed except the boards: the letters of title and main part, and
    the lines of the plots.
    """
    title, main = (page[page.index(f"<{name}>") : page.index(f"</{name}>")] for name in ("h1", "main"))
    return "\n".join([*(unescape(_TAG.sub("", part)) for part in (title, main)), *_LINE.findall(main)])


def _boards(shown: Sequence[Moment], common: Legend, record: Record) -> dict[str, Any]:
    """Every scene as its differences from the one before."""
    differences = Differences()
    return {
        "entries": [moment.page.entry.entry for moment in shown],
        "labels": labels_of(record.campaign.system),
        "boards": [
            differences.step(moment.scene, common, [one.arithmetic for one in moment.told], moment.dice)
            for moment in shown
        ],
    }


def _chain(shown: Sequence[Moment], record: Record) -> dict[str, Any]:
    """What the script checks: the lines of an export for players, in runs of entries that follow each other. Each run
    has the digest of the entry before it and that entry's number. `began` is the digest of the first entry.
    """
    runs: list[dict[str, Any]] = []
    before = 0
    for moment in shown:
        number = moment.page.entry.entry
        if not runs or number != before + 1:
            runs.append({"previous": moment.previous, "before": number - 1, "lines": []})
        runs[-1]["lines"].append(moment.line)
        before = number
    [(_, began)] = record.store.entries(1, 1)
    return {"head": str(record.head.entry), "began": began, "runs": runs}


class _Line(Struct, frozen=True):
    """A line of the log: an entry, or a course that no longer stands, folded."""

    entries: list[Moment]
    folded: str
    """What became of the course, and how long it is; "" for an entry that stands."""
    chapter: Chapter
    """Where it stands in the log: a course stands where it was left."""


class _Piece(Struct, frozen=True):
    """A piece of the log."""

    encounter: str
    """The title of the encounter that begins here; "" where it goes on."""
    opening: str
    """Who fought, where the encounter is told first."""
    round: str
    """The title of the round, likewise."""
    lines: list[_Line]
    closing: list[str]
    """How the encounter went, after its last piece."""


def _chapters(shown: Sequence[Moment], record: Record) -> Iterator[_Piece]:
    """The log in pieces: encounter, round, and the entries."""
    told: set[Chapter] = set()
    played = record.played()
    encounter = -1
    for chapter, piece in groupby(_lines(shown), key=lambda line: line.chapter):
        again = ", continued" if chapter in told else ""
        above = below = opening = ""
        if chapter.encounter != encounter:
            whole = Chapter(chapter.encounter, 0)
            above = f"{_title(record, chapter.encounter)}{', continued' if whole in told else ''}"
            if not chapter.encounter:
                above = "Between encounters" if told else "Before the first encounter"
            opening = "" if whole in told else harmless(played.opening(chapter.encounter))
            told.add(whole)
            encounter = chapter.encounter
        if chapter.round:
            below = f"Round {chapter.round}{again}"
        elif not above:
            below = "Before the first round, again"
        lines = list(piece)
        last = [(one.page.entry.entry, one.page.chapter) for line in lines for one in line.entries]
        yield _Piece(above, opening, below, lines, [harmless(said) for one in last for said in played.closing(*one)])
        told.add(chapter)


def _lines(shown: Sequence[Moment]) -> Iterator[_Line]:
    """The lines of the log: the entries that stand, and between them what does not."""
    chapter = next((moment.page.chapter for moment in shown if not moment.passing), shown[0].page.chapter)
    for passing, run in groupby(shown, key=lambda moment: moment.passing):
        moments = list(run)
        if passing:
            yield _Line(moments, _folded(moments), chapter)
        else:
            yield from (_Line([moment], "", moment.page.chapter) for moment in moments)
            chapter = moments[-1].page.chapter


def _folded(course: Sequence[Moment]) -> str:
    """What became of a course that no longer stands: the last correction in it says so."""
    said = next((moment.correction for moment in reversed(course) if moment.correction), "taken back")
    return f"{said}; {len(course):,} {'entry' if len(course) == 1 else 'entries'}"


def _title(record: Record, encounter: int) -> str:
    """The title of an encounter."""
    name = record.encounters.get(encounter, "")
    return harmless(f"Encounter {encounter}{f': {name}' if name else ''}")


def _tale(shown: Sequence[Moment], common: Legend, record: Record) -> Tale | None:
    """The story of the latest encounter, if it is over."""
    number = max((one.page.chapter.encounter for one in shown if not one.passing), default=0)
    played = [one for one in shown if not one.passing and one.page.chapter.encounter == number]
    return tale(played, _title(record, number), common, record.sides is not None) if number else None
