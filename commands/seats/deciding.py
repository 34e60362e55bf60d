"""`proposals`, `accept` and `decline`: what the game master does with what players propose, from any shell."""

from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

from commands.action.declaration import Declaration, says
from commands.action.names import acting
from commands.words.command import order_of
from commands.words.console import Console
from commands.words.dice_words import read_dice
from commands.words.screen import harmless
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.tray import Paper, Tray
from projections.state import State

from . import questions
from .proposals import KIND, Settled, body_of, once, shown, waiting, who_acts
from .proposals import accept as record
from .proposals import decline as send_back
from .questions import Phones
from .sayable import Saying
from .trays import tray_of

_ALL = "all"
Number = Annotated[str, says("Its number, or all; by default the oldest.", positional=True, max_length=12)]


class Proposals(Declaration):
    """List what players propose, what they are asked for, and from whom nothing has come yet."""


def proposals(console: Console, said: Proposals) -> None:
    """Lists them."""
    state = console.book.present()[1]
    with closing(tray_of(console)) as tray:
        papers, asked = waiting(tray), tray.papers(questions.KIND, questions.OPEN)
    late = missing(state, papers)
    if console.json:
        found = {"proposals": [*map(shown, papers)], "questions": [*map(questions.shown, asked)]}
        console.give({"ok": True, **found, "missing": late})
        return
    for paper in papers:
        console.say(harmless(told(paper)))
        if why := body_of(paper).why:
            console.note(f"    {why}")
    for paper in asked:
        console.say(harmless(f"{paper.nth}  {questions.shown(paper).told()}"))
    if late:
        console.say(harmless(f"Waiting for: {', '.join(late)}"))
    if not papers and not asked:
        console.say("No player proposes anything.")


def told(paper: Paper) -> str:
    """`3  Jane: attack Boffin Grub-1 (dice 14)`."""
    body = body_of(paper)
    dice = ", ".join("-" if face is None else str(face) for face in body.dice or ())
    return f"{paper.nth}  {paper.seat}: {body.line}{f' (dice {dice})' if dice else ''}"


def missing(state: State, papers: Sequence[Paper]) -> list[str]:
    """Those in seats who may act now and for whom nothing is proposed."""
    said = {who for paper in papers for who in who_acts(paper)}
    return [who for who in able(state) if state.seats.of(who) and who not in said]


def able(state: State) -> list[str]:
    """Those who may act now; nobody where the rules cannot say."""
    try:
        return acting(state)
    except AffrayError:
        return []


class Accept(Declaration):
    """Record what a player proposes, perhaps with other words in place of theirs. For dice that a player is asked for,
    it gives the faces, or lets the program roll them.
    """

    number: Number = ""
    words: Annotated[
        tuple[str, ...], says("The action instead, or the faces of dice.", word="rest", positional=True)
    ] = ()


def accept(console: Console, said: Accept) -> None:
    """Records them, each as an entry."""
    with closing(tray_of(console)) as tray:
        papers = _meant(tray, said.number)
        if said.words and len(papers) > 1:
            raise UsageError("Other words can be given for one proposal at a time.")
        for paper in papers:
            if paper.kind == questions.KIND:
                _answer(console, tray, paper, said.words)
            else:
                _accept(console, tray, paper, said.words)


def _accept(console: Console, tray: Tray, paper: Paper, words: Sequence[str]) -> None:
    instead = instead_of(words, console.system) if words else None
    asking = Phones.of(console, tray, once(paper))
    try:
        done = record(console.book, tray, paper, asking, f"{paper.seat}, accepted by {console.book.by}", instead)
    except Settled:
        raise
    except AffrayError as error:
        error.hint = "\n".join(filter(None, [error.hint, f"affray decline {paper.nth}"]))
        raise
    finally:
        asking.settle()
    console.tell(done)


def instead_of(words: Sequence[str], system: str) -> Saying:
    """Another action in place of one that is proposed. Raises UsageError where more than that is said."""
    order = order_of(words, system)
    if order.dice or order.allow or order.secret or order.once or order.dry_run:
        more = "what else there is to say of it goes with a command of your own"
        raise UsageError(f"Say only the action instead; {more}.")
    return Saying(order.verb, order.declaration)


def _answer(console: Console, tray: Tray, paper: Paper, words: Sequence[str]) -> None:
    """Answers for somebody who is asked for dice."""
    held = questions.asked_of(paper)
    faces: tuple[int | None, ...] = (None,) * len(held.dice)
    if words:
        faces = read_dice(",".join(words))[0] or faces
    questions.answer(tray, paper, faces)
    rolled = "the program rolls" if None in faces else ", ".join(map(str, faces))
    console.say(f"{held.purpose} of {held.who}: {rolled}")


class Decline(Declaration):
    """Send back what a player proposes, or stop waiting for dice that a player is asked for. Dice that came with it are
    recorded as set aside.
    """

    number: Annotated[str, says("Its number, or all.", max_length=12)]
    word: Annotated[tuple[str, ...], says("What the player is told.", word="rest", positional=True)] = ()


def decline(console: Console, said: Decline) -> None:
    """Sends them back."""
    word = " ".join(said.word)
    if len(word) > 200 or not word.isprintable():
        raise UsageError("What a player is told has at most 200 characters, all of which can be printed.")
    with closing(tray_of(console)) as tray:
        for paper in _meant(tray, said.number):
            if paper.kind == questions.KIND:
                questions.close(tray, paper)
                console.say(harmless(f"No longer {questions.shown(paper).told()}."))
                continue
            send_back(console.book, tray, paper, word)
            console.say(harmless(f"Sent back to {paper.seat}: {body_of(paper).line}"))


def _meant(tray: Tray, number: str) -> list[Paper]:
    """The papers that a word means: one by its number, the oldest proposal, or all of them."""
    papers = waiting(tray)
    if number == _ALL:
        return papers
    if not number:
        if not papers:
            raise NameUnknown("No player proposes anything.", "affray proposals")
        return papers[:1]
    asked = tray.papers(questions.KIND, questions.OPEN)
    found = [paper for paper in (*papers, *asked) if str(paper.nth) == number]
    if not found:
        old = [paper for paper in tray.papers(KIND) if str(paper.nth) == number]
        how = f"Proposal {number} is already {old[0].state}." if old else f"There is no proposal {number[:12]}."
        raise NameUnknown(how, "affray proposals")
    return found
