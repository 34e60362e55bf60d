"""The page: fills the template, and packs the record that the reader's browser checks."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
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
from projections.changes import HARM

from . import faces, plots
from .hero_cards import heroes_of
from .moments import Moment, from_nothing, moments
from .tale import Tale, tale
from .templates import SCENES, bundle, style_sheet, template

MOST_ENCOUNTERS = 12
"""How many encounters, the latest, are drawn as curves."""
_MOST_CURVES = 24
"""How many combatants have a curve each; of more than that each side has one."""
_UNSEALED = "0" * 64
"""The placeholder for the seal until it is known."""


class _Curves(Struct, frozen=True):
    """One measure of one encounter."""

    measure: str
    plot: Markup
    curves: dict[str, plots.Curve]
    """Those that are drawn, by whose they are."""
    still: list[str]
    """Those that are not drawn beside them, because they stay at 0."""
    rounds: list[str]
    """Titles of the columns of the table."""
    table: list[tuple[str, list[str]]]
    """For each combatant its value at the end of each round."""


class _Encounter(Struct, frozen=True):
    """One encounter, as curves."""

    number: int
    title: str
    entries: list[int]
    """The entries at the places of its plots."""
    curves: list[_Curves]


class _Dice(Struct, frozen=True):
    """All dice of one size, as bars."""

    thrown: faces.Rolls
    groups: list[faces.Group]
    plot: Markup


def render(record: Record) -> str:
    """The page. Raises UsageError when it would be empty."""
    shown = list(moments(record))
    if not shown:
        raise UsageError("Nothing in the record passes these filters.", "affray log")
    common = legend([moment.scene for moment in shown], record.players)
    drawn = _drawn(shown, common, record)
    boards = _json(_boards(shown, common, drawn["encounters"], record))
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
        record=_packed(_json(_chain(shown, record))),
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
    """The curves and the dice alone, for a page that has the rest."""
    shown = list(moments(record))
    common = legend([moment.scene for moment in shown], record.players)
    kind = "whole" if record.sides is None else "veiled"
    drawn: str = template("drawings.html").render(kind=kind, **_drawn(shown, common, record))
    return drawn


def _drawn(shown: Sequence[Moment], common: Legend, record: Record) -> dict[str, Any]:
    """What the templates of the story, the heroes, the curves and the dice are filled with."""
    encounters, untold = _encounters(shown, common, record)
    return {
        "tale": _tale(shown, common, record),
        "evening": heroes_of(shown, record.players, record.persons),
        "encounters": encounters,
        "untold": untold,
        "dice": _dice(shown),
        "standing": record.standing,
        "plots": plots,
    }


def _hash(text: str) -> str:
    """The hash of a script or style for the page's security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: Any) -> bytes:
    return msgspec.json.encode(data)


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


def _boards(
    shown: Sequence[Moment], common: Legend, encounters: Sequence[_Encounter], record: Record
) -> dict[str, Any]:
    """Every scene as its differences from the one before, and the entries at the places of the plots."""
    differences = Differences()
    return {
        "entries": [moment.page.entry.entry for moment in shown],
        "labels": labels_of(record.campaign.system),
        "boards": [
            differences.step(moment.scene, common, [one.arithmetic for one in moment.told], moment.dice)
            for moment in shown
        ],
        "plots": [encounter.entries for encounter in encounters],
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
        closing = [harmless(said) for one in last for said in played.closing(*one)]
        yield _Piece(above, opening, below, lines, closing)
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


def _encounters(shown: Sequence[Moment], common: Legend, record: Record) -> tuple[list[_Encounter], int]:
    """The latest encounters as curves, and how many earlier ones are not drawn."""
    played: dict[int, list[Moment]] = {}
    for moment in shown:
        if moment.page.stands and moment.page.chapter.encounter:
            played.setdefault(moment.page.chapter.encounter, []).append(moment)
    drawn = list(played)[-MOST_ENCOUNTERS:]
    made = [_encounter(number, _title(record, number), common, played[number]) for number in drawn]
    return made, len(played) - len(drawn)


def _tale(shown: Sequence[Moment], common: Legend, record: Record) -> Tale | None:
    """The story of the latest encounter, if it is over."""
    number = max((one.page.chapter.encounter for one in shown if not one.passing), default=0)
    played = [one for one in shown if not one.passing and one.page.chapter.encounter == number]
    return tale(played, _title(record, number), common, record.sides is not None) if number else None


def _encounter(number: int, title: str, common: Legend, played: Sequence[Moment]) -> _Encounter:
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    for at, moment in enumerate(played):
        round_ = moment.page.chapter.round
        if round_ and round_ not in ends:
            begins[at] = round_
        ends[round_] = at
    rounds = [f"round {round_}" if round_ else "before" for round_ in ends]
    sides = {who: card.side for moment in played for who, card in moment.scene.cards.items()}
    made = []
    for measure in HARM:
        run = _curves(measure, sides, common, played)
        if not run:
            continue
        table = [
            (who, ["" if (level := one.values[end]) is None else str(level) for end in ends.values()])
            for who, one in run.items()
        ]
        rising = {who: one for who, one in run.items() if any(one.values)} or run
        still = [who for who in run if who not in rising]
        made.append(_Curves(measure, plots.curves([*rising.values()], begins), rising, still, rounds, table))
    return _Encounter(number, title, [moment.page.entry.entry for moment in played], made)


def _curves(measure: str, sides: Mapping[str, str], common: Legend, played: Sequence[Moment]) -> dict[str, plots.Curve]:
    """A curve for each combatant who has a value, by name; for each side together where they are too many."""
    names = dict.fromkeys(who for moment in played for who in moment.levels.get(measure, {}))
    found: dict[str, plots.Curve] = {}
    drawn = dict.fromkeys(sides.values(), 0)
    if len(names) > _MOST_CURVES:
        for side in dict.fromkeys(sides[who] for who in names):
            nth = common.sides.index(side)
            found[side] = plots.Curve(nth % plots.SIDES, 0, "", [_together(moment, measure, side) for moment in played])
        return found
    for who in names:
        side = sides[who]
        values = [_level(moment, measure, who) for moment in played]
        dash = drawn[side] % plots.DASHES
        found[who] = plots.Curve(common.sides.index(side) % plots.SIDES, dash, common.signs[who], values)
        drawn[side] += any(values)
    return found


def _together(moment: Moment, measure: str, side: str) -> int | None:
    """The values of all of a side; None before any of them is there."""
    values = [level for who, level in moment.levels.get(measure, {}).items() if moment.scene.cards[who].side == side]
    return sum(values) if values else None


def _level(moment: Moment, measure: str, who: str) -> int | None:
    """A value; 0 for somebody at the table without a value, where the measure counts up from 0."""
    levels = moment.levels.get(measure)
    if levels is None:
        return 0 if from_nothing(measure) and who in moment.scene.cards else None
    return levels.get(who)


def _dice(shown: Sequence[Moment]) -> list[_Dice]:
    made = []
    for thrown in faces.rolls_by_size(shown):
        groups = thrown.groups()
        made.append(_Dice(thrown, groups, plots.bars(groups)))
    return made
