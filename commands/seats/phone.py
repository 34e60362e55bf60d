"""What the phone of a seat is shown besides the players' page, and what the game master's page is shown of seats."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from commands.action.cards import Verb
from commands.look.boards import Board
from commands.words.form import Table
from ledger.tray import Tray
from projections.roster import Seat
from projections.state import State

from . import questions
from .deciding import missing
from .proposals import KIND, shown, told, waiting
from .sayable import verbs

_LATEST = 10
"""So many settled proposals of a seat are shown."""


def for_seat(tray: Tray, known: State, board: Board, now: Sequence[str], seat: Seat) -> dict[str, Any]:
    """What the phone of a seat is shown. `known` and `board` are what it may know, and `now` those who may act."""
    papers = [paper for paper in tray.papers(KIND) if paper.seat == seat.name]
    asked = [paper for paper in tray.papers(questions.KIND, questions.OPEN) if paper.seat == seat.name]
    said, table = verbs(known.campaign.system), Table(known)
    open_ = {paper.nth for paper in waiting(tray)} | {paper.nth for paper in papers[-_LATEST:]}
    return {
        "seat": seat.name,
        "plays": seat.plays,
        "trusted": seat.trusted,
        "now": [who for who in seat.plays if who in now],
        "due": [
            {"what": one.what, "who": who}
            for one in board.due
            if (who := [who for who in one.who if who in seat.plays])
        ],
        "verbs": {who: first for who in seat.plays if (first := [*asked_for(said, known, board, who)])},
        "words": {who: table.by_kind(said, who) if who in known.roster.members else {} for who in seat.plays},
        "proposals": [told(paper) for paper in papers if paper.nth in open_],
        "questions": [_unnamed(known, questions.shown(paper)) for paper in asked],
    }


def _unnamed(known: State, question: questions.Wanted) -> questions.Wanted:
    """A question without the name of somebody whom the seat does not know to be there."""
    return question if question.about in known.roster.members else replace(question, about="")


def asked_for(said: Mapping[str, Verb], known: State, board: Board, who: str) -> Iterator[str]:
    """The verbs that somebody is asked for now."""
    window = known.pending.window
    if window and who in window.answerable:
        yield from (name for name, verb in said.items() if verb.has("answers") or verb.role == "waiver")
    if any(one.who == who for one in board.readied) and "trigger" in said:
        yield "trigger"
    words = {word for one in board.due if who in one.who for word in one.what.split()}
    yield from (name for name in said if name in words and not (window and who in window.answerable))


def for_gm(tray: Tray, truth: State) -> dict[str, Any]:
    """What the game master's page is shown."""
    papers, asks = waiting(tray), [*map(questions.shown, tray.papers(questions.KIND, questions.OPEN))]
    return {"proposals": [*map(shown, papers)], "questions": asks, "missing": missing(truth, papers)}
