"""The page: what goes into the template, and the record that the reader's browser checks."""

import base64
import gzip
import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import EncounterBegan

from .. import systems
from ..book import PROGRAM, Book
from ..desk import harmless
from ..looking import Chapter
from . import dice, plots
from .moments import MEASURES, Moment, Told, moments

FOLDER = Path(__file__).parent
MOST_ENCOUNTERS = 12
"""How many encounters, the latest, are drawn as curves."""
LONG = 40
"""Names longer than this are cut in a legend."""


class Curves(Struct, frozen=True):
    """One measure of one encounter."""

    measure: str
    plot: Markup
    names: list[str]
    rounds: list[str]
    """Titles of the columns of the table."""
    table: list[tuple[str, list[str]]]
    """For each combatant its value at the end of each round."""


class Encounter(Struct, frozen=True):
    """One encounter, as curves."""

    number: int
    title: str
    entries: list[int]
    """The entries at the places of its plots."""
    curves: list[Curves]


class Dice(Struct, frozen=True):
    """All dice of one size, as bars."""

    thrown: dice.Thrown
    groups: list[dice.Group]
    plot: Markup


def render(book: Book, pages: Iterable[Told], only: str, sides: Collection[str] | None) -> str:
    """The page. Raises UsageError when there are no entries."""
    shown = list(moments(book, pages, sides))
    if not shown:
        raise UsageError("Nothing in the record passes these filters.", "affray log lists what was.")
    head, state = book.present()
    titles = _titles(shown)
    encounters, untold = _encounters(shown)
    boards = _json(_boards(shown, titles, encounters))
    whole = sides is None and len(shown) == head.entry
    script = _read("page.js")
    page: str = _template().render(
        campaign=harmless(state.campaign.name),
        system=systems.load(state.campaign.system).title,
        program=PROGRAM,
        head=head,
        only=only,
        days=sorted({harmless(shown[at].entry.recorded_at[:10]) for at in (0, -1)}),
        kind="whole" if whole else "part" if sides is None else "veiled",
        shown=shown,
        chapters=list(_chapters(shown)),
        titles=titles,
        encounters=encounters,
        untold=untold,
        dice=_dice(shown),
        boards=_packed(boards),
        record=_packed(_json(_record(shown, head.entry, head.digest))) if sides is None else "",
        seal=hashlib.sha256(_told(shown).encode() + boards).hexdigest(),
        style=Markup(_read("page.css")),
        style_hash=_hash(_read("page.css")),
        script=Markup(script),
        script_hash=_hash(script),
        plots=plots,
    )
    return page


@cache
def _template() -> Any:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["counted"] = "{:,}".format
    environment.filters["short"] = lambda name: name if len(name) <= LONG else f"{name[: LONG - 1]}…"
    return environment.get_template("page.html")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What the page's own policy says of a script or style that may be in it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: Any) -> bytes:
    return msgspec.json.encode(data)


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def _titles(shown: Sequence[Moment]) -> list[str]:
    """The columns of the board that hold anything at any time."""
    found: dict[str, bool] = {}
    for row in {id(row): row for moment in shown for row in moment.rows.values()}.values():
        for title, cell in row.items():
            found[title] = found.get(title, False) or bool(cell)
    return [title for title, used in found.items() if used]


def _boards(shown: Sequence[Moment], titles: Sequence[str], encounters: Sequence[Encounter]) -> dict[str, Any]:
    """Every board as what differs from the one before, and at which entries the places of the plots are.

    A difference holds `h`, the lines above the board, `o`, who is on it in order, and `r`, the rows by name.
    """
    differences = []
    header: list[str] = []
    order: list[str] = []
    rows: dict[str, dict[str, str]] = {}
    for moment in shown:
        difference: dict[str, Any] = {}
        if moment.header != header:
            difference["h"] = header = moment.header
        if list(moment.rows) != order:
            difference["o"] = order = list(moment.rows)
        changed = [(who, row) for who, row in moment.rows.items() if row is not rows.get(who)]
        if changed:
            difference["r"] = [(who, [row.get(title, "") for title in titles]) for who, row in changed]
        rows = {**rows, **dict(changed)}
        differences.append(difference)
    return {
        "entries": [moment.entry.entry for moment in shown],
        "titles": titles,
        "boards": differences,
        "plots": [encounter.entries for encounter in encounters],
    }


def _record(shown: Sequence[Moment], head: int, digest: str) -> dict[str, Any]:
    """What the chain is made of: for each entry its numbers and words as text, its events, its digest, and the digest
    of the entry before it where that one is not on the page.
    """
    entries = []
    before = 0
    for moment in shown:
        entry = moment.entry
        fields = [str(getattr(entry, name)) for name in Entry.__struct_fields__ if name != "bodies"]
        gap = "" if entry.entry == before + 1 else moment.previous
        entries.append((fields, entry.bodies, moment.digest, gap))
        before = entry.entry
    return {"head": str(head), "digest": digest, "entries": entries}


def _told(shown: Sequence[Moment]) -> str:
    """The log as the browser reads it off the page."""
    return "".join(
        f"e{moment.entry.entry}{'' if moment.stands else '~'}\n" + "".join(f"{line}\n" for line in moment.lines)
        for moment in shown
    )


def _chapters(shown: Sequence[Moment]) -> Iterator[tuple[str, str, list[Moment]]]:
    """The log in pieces: encounter, round, and the entries; a title is empty where it goes on."""
    names = _names(shown)
    told: set[Chapter] = set()
    encounter = -1
    for chapter, piece in groupby(shown, key=lambda moment: moment.chapter):
        again = ", continued" if chapter in told else ""
        above = "" if chapter.encounter == encounter else names.get(chapter.encounter, "Between the encounters")
        below = f"Round {chapter.round}{again}" if chapter.round else "" if above else "Before the first round" + again
        yield above, below, list(piece)
        told.add(chapter)
        encounter = chapter.encounter


def _names(shown: Sequence[Moment]) -> dict[int, str]:
    """What each encounter is called; the last name that it had."""
    found = {moment.chapter.encounter: f"Encounter {moment.chapter.encounter}" for moment in shown}
    found.pop(0, None)
    for moment in shown:
        for event in moment.events:
            if isinstance(event, EncounterBegan) and event.name:
                found[event.number] = harmless(f"Encounter {event.number}: {event.name}")
    return found


def _encounters(shown: Sequence[Moment]) -> tuple[list[Encounter], int]:
    """The latest encounters as curves, and how many earlier ones are not drawn."""
    names = _names(shown)
    played: dict[int, list[Moment]] = {}
    for moment in shown:
        if moment.stands and moment.chapter.encounter:
            played.setdefault(moment.chapter.encounter, []).append(moment)
    drawn = list(played)[-MOST_ENCOUNTERS:]
    return [_encounter(number, names[number], played[number]) for number in drawn], len(played) - len(drawn)


def _encounter(number: int, title: str, played: Sequence[Moment]) -> Encounter:
    begins: dict[int, int] = {}
    ends: dict[int, Moment] = {}
    for at, moment in enumerate(played):
        if moment.chapter.round and moment.chapter.round not in ends:
            begins[at] = moment.chapter.round
        ends[moment.chapter.round] = moment
    made = []
    for measure in MEASURES:
        names = list(dict.fromkeys(who for moment in played for who in moment.levels.get(measure, {})))
        if not names:
            continue
        values = [[_level(moment, measure, who) for moment in played] for who in names]
        table = [
            (who, ["" if (level := _level(end, measure, who)) is None else str(level) for end in ends.values()])
            for who in names
        ]
        rounds = [f"round {round_}" if round_ else "before" for round_ in ends]
        made.append(Curves(measure, plots.curves(values, begins), names, rounds, table))
    return Encounter(number, title, [moment.entry.entry for moment in played], made)


def _level(moment: Moment, measure: str, who: str) -> int | None:
    """A value; 0 for somebody at the table before anybody has any of a measure that counts up from nothing."""
    levels = moment.levels.get(measure)
    if levels is None:
        return 0 if MEASURES[measure][1] and who in moment.rows else None
    return levels.get(who)


def _dice(shown: Sequence[Moment]) -> list[Dice]:
    made = []
    for thrown in dice.thrown(shown):
        groups = thrown.groups()
        plot = plots.bars(
            [group.typed for group in groups],
            [group.program for group in groups],
            [group.expected for group in groups],
            [group.faces for group in groups],
        )
        made.append(Dice(thrown, groups, plot))
    return made
