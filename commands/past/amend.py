"""Amend: correct an entry, show how everything since changes, and record the new course when asked."""

import sys
from contextlib import suppress
from functools import partial

from msgspec import to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order
from commands.action.dice_sources import Asked, Program, Source, Typed
from commands.action.procedures import typed
from commands.action.resolution import Needed, listed
from commands.words.console import Console
from commands.words.dice_words import Hand
from ledger.errors import AffrayError, Refused, UsageError
from ledger.store import Head
from projections.state import State

from .amend_dashes import with_dashes
from .amend_proposal import REASONS, Fresh, Proposal, Rolls, check_unsaid, possible_again, propose, record
from .amend_report import counted, recorded_as, say_again, say_losses, show, show_course, show_end
from .amend_words import Amend, amendment_of, dice_said, entry_meant, hand_of, written_out
from .course import renumbered
from .rerun import Act


def amend(console: Console, said: Amend) -> None:
    """Shows what the correction would do; records it with --apply or after a yes."""
    book = console.book
    said = written_out(console, said)
    order = Order("amend", said, console.typed, once=said.once)
    if said.once and (entry := book.store.recorded(said.once)):
        console.tell(book.repeat(order, entry))
        return
    head, before = book.present()
    systems.load(before.campaign.system)
    spoken = dice_said(book, head, said)
    amendment = amendment_of(book, head, said, spoken, console.file)
    named, _ = entry_meant(book, head, said)
    if named != amendment.entry and not console.json:
        console.say(console.paint(renumbered(named, amendment.entry), "2"))
    instead = partial(_ways_on, book, head, said)
    hand = hand_of(book, head, before, spoken, amendment.entry)
    proposal = propose(book, head, amendment, Fresh(spoken.later, Rolls(hand, None)), instead)
    check_unsaid(book, proposal)
    agreed = not said.apply and _agreed(console, proposal, before)
    if proposal.same or not (said.apply or agreed):
        show(console, proposal, before, said)
        return
    seen = agreed and not proposal.lacking
    faces: tuple[int | None, ...] | None = None
    if proposal.lacking and (spoken.ask or console.asks):
        asked = Asked(spoken.ask or Hand(), Program(book.store, head), hand)
        proposal = asked.until_given(lambda: propose(book, head, amendment, Fresh(spoken.later, asked), instead))
        faces = tuple(asked.faces)

    def check(worked_out: Proposal) -> None:
        _check_complete(book, worked_out, said, before)
        if not seen:
            _check_losses(console, worked_out, said, before)

    def new(program: Source) -> Fresh:
        return Fresh(spoken.later, Rolls(hand, program) if faces is None else Typed(faces, program))

    recorded, last = record(book, proposal, order, new, check)
    if seen:
        console.say(recorded_as(head.entry + 1, last))
        say_losses(console, recorded)
    else:
        again = _again(book, recorded) if console.json else ()
        show(console, recorded, before, said, head.entry + 1, last, again)
    if not console.json:
        say_again(console, _again(book, recorded))


def _again(book: Book, recorded: Proposal) -> list[int]:
    """What is possible again. The amendment is recorded by now: what cannot be read is only not offered."""
    with suppress(AffrayError):
        return possible_again(book, recorded)
    return []


def _check_complete(book: Book, proposal: Proposal, said: Amend, present: State) -> None:
    """Raises Needed with the dice that nobody has thrown."""
    if proposal.lacking:
        needed = Needed(list(proposal.lacking))
        act = proposal.results[-1].act
        needed.message = f"More dice are needed: {_named(act)} lacks {listed(proposal.lacking)}."
        needed.args = (needed.message,)
        way = typed("amend", with_dashes(book, said, proposal, present, rolled=True))
        needed.hint = (
            f"{way}\nPut faces in place of dashes, in order; Affray rolls what stays a dash. Not all may be needed."
        )
        raise needed


def _named(act: Act) -> str:
    """An action in the words of a report."""
    if act.puts_in is not None:
        before = f"e{act.puts_in}" if act.puts_in else "what is put in"
        return f"what comes before {before} ({act.declared.verb})"
    return f"e{act.entry}" if act.entry else "what is put in"


def _check_losses(console: Console, proposal: Proposal, said: Amend, present: State) -> None:
    """Asks on a terminal whether the entries may be lost that are no longer possible; elsewhere --lose says it. Raises
    UsageError when they may not.
    """
    losses = proposal.losses()
    if len(losses) == said.lose:
        return
    if console.asks and not said.lose:
        show_course(console, proposal)
        show_end(console, proposal, present)
        if console.agrees(f"{counted(losses, 'are')} Append this course all the same?"):
            return
        raise UsageError("Nothing was amended.")
    if not losses:
        raise UsageError(f"No entry would be lost, and --lose says {said.lose}.", typed("amend", replace(said, lose=0)))
    way = typed("amend", replace(said, apply=True, lose=len(losses)))
    error = UsageError(counted(losses, "would be"), "\n".join([way, *(loss.way for loss in losses)]))
    error.data = {"losses": [to_builtins(loss) for loss in losses]}
    raise error


def _agreed(console: Console, proposal: Proposal, present: State) -> bool:
    """Whether somebody at a terminal says yes to the preview."""
    if proposal.same or not (console.asks and sys.stdout.isatty()):
        return False
    show_course(console, proposal)
    show_end(console, proposal, present)
    return console.agrees("Append this course in place of the old one?")


def _ways_on(book: Book, head: Head, said: Amend, refused: AffrayError) -> str:
    """What to say instead, as an amendment; a command that would go on from that moment comes too late.

    What a refusal offers is tried in place of what was put in, and then the same with --allow.
    """
    lines = refused.hint.splitlines()
    others: list[Amend] = []
    if said.insert:
        verbs = [command.removeprefix("affray ").split(" ")[0] for command in said.insert]
        offered = [(n, line) for n, verb in enumerate(verbs) for line in lines if line.startswith(f"affray {verb} ")]
        instead = [(n, line.removeprefix("affray ")) for n, line in offered]
        instead += [(n, f"{command} --allow '{why}'") for why in REASONS for n, command in enumerate(said.insert)]
        others = [replace(said, insert=(*said.insert[:n], one, *said.insert[n + 1 :])) for n, one in instead]
    elif said.as_ and isinstance(refused, Refused):
        others = [replace(said, as_=f"{said.as_} --allow '{why}'") for why in REASONS]
    elif isinstance(refused, Refused):
        others = [replace(said, words=(*said.words, "--allow", why)) for why in REASONS]
    for other in others:
        try:
            spoken = dice_said(book, head, other)
            propose(
                book,
                head,
                amendment_of(book, head, other, spoken),
                Fresh(spoken.later, Rolls(lambda _: True, None)),
            )
        except AffrayError:
            continue
        return typed("amend", other)
    return "\n".join(line for line in lines if not line.startswith("affray "))
