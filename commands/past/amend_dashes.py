"""The dice that an amendment lacks, as dashes in the line that is offered: each may be replaced by a face."""

from contextlib import suppress

from msgspec.structs import replace

from commands.action.book import Book
from commands.action.dice_sources import Stream
from commands.action.procedures import ANY_DICE
from ledger.dice import parse
from ledger.errors import AffrayError
from projections.state import State

from .amend_proposal import Fresh, Proposal, Rolls, propose
from .amend_words import Amend, amendment_of, dice_said, hand_of

_OTHERWISE = (0, 3, 7)
"""Several dice of the program: how many others are lacking may depend on them."""
_MOST = 24
"""How often an entry may lack dice that are told as dashes; the program rolls what is lacking after that."""


def with_dashes(book: Book, said: Amend, proposal: Proposal, present: State, rolled: bool) -> Amend:
    """The same amendment, to be applied, with a dash for each die that it may lack. Where the program was told to roll
    all of them, it does so. `rolled` says that the program has rolled the dashes of the proposal, which lacks others.
    """
    words = said.dice.split(",") if said.dice else []
    if words[-1:] == ["roll"]:
        return replace(said, apply=True)
    if words and words[-1].startswith("ask"):
        words.pop()
    line = replace(said, dice=",".join(words), apply=True)
    if rolled:
        line = _longer(line, proposal)
    times = 0
    for nth in _OTHERWISE:
        with suppress(AffrayError):  # what these dice make impossible lacks no others
            while (worked_out := _with_dice(book, line, proposal, present, nth)).lacking:
                if times == _MOST:
                    return replace(line, dice=f"{line.dice},roll")
                line = _longer(line, worked_out)
                times += 1
    return line


def _with_dice(book: Book, said: Amend, proposal: Proposal, present: State, nth: int) -> Proposal:
    """The amendment worked out with some dice of the program. Raises AffrayError where they make it impossible."""
    head = proposal.head
    spoken = dice_said(book, head, said)
    amendment = amendment_of(book, head, said, spoken)
    program = Stream(bytes([nth]) * len(ANY_DICE), 0)
    hand = hand_of(book, head, present, spoken, amendment.entry)
    return propose(book, head, amendment, Fresh(spoken.later, Rolls(hand, program)))


def _longer(said: Amend, proposal: Proposal) -> Amend:
    """The amendment with a dash more for each die that is lacking, behind the dice of its entry."""
    result = proposal.results[-1]
    entry = result.act.entry or result.act.puts_in or 0
    groups: dict[str, list[str]] = {"": []}
    at = ""
    for word in said.dice.split(",") if said.dice else ():
        name, colon, face = word.strip().rpartition(":")
        at = name if colon else at
        groups.setdefault(at, []).append(face)
    own = not entry or (entry == proposal.amendment.entry and bool(groups[""]) and not said.insert)
    group = groups.setdefault("" if own else f"e{entry}", [])
    group += ["-"] * sum(len(parse(roll.dice)[0]) for roll in proposal.lacking)
    words = [f"{name}:{','.join(faces)}" if name else ",".join(faces) for name, faces in groups.items() if faces]
    return replace(said, dice=",".join(words))
