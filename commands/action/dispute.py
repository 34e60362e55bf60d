"""Disputes: open and settle a dispute about an entry, and compare a value with a player's sheet."""

from typing import Annotated, Literal

from msgspec import Meta

from ledger.errors import Disagreement, NameUnknown
from ledger.events import Agreed, DisputeOpened, DisputeSettled

from .declaration import Declaration, Text, number, says
from .resolution import REASON, Resolution

Disputed = Annotated[str, Meta(pattern="^e?[0-9]{1,12}$", extra={"word": "entry"})]
"""The id of an entry, such as e42."""


class Dispute(Declaration):
    """Dispute what an entry says. `affray status` shows the dispute until it is settled."""

    entry: Annotated[Disputed, says("The entry in dispute, such as e42.")]
    why: Annotated[Text, says("What is said against it.")]


def dispute(fight: Resolution, said: Dispute) -> None:
    """Opens a dispute. An entry has one open dispute at a time."""
    entry = number(said.entry)
    if case := fight.state.disputes.of(entry):
        way = "settle", {"entry": f"e{entry}", "how": "stands", "why": REASON}
        fight.impossible(f"e{entry} is already in dispute: {case.why}", [way])
    fight.record(DisputeOpened(entry, said.why))


class Settle(Declaration):
    """Settle a dispute. The decision is a precedent: `affray disputes` lists them by clause."""

    entry: Annotated[Disputed, says("The entry in dispute.", word="disputed")]
    how: Annotated[Literal["stands", "amended"], says("stands: the entry stays as it is; amended: it was corrected.")]
    why: Annotated[Text, says("The reasons.")]


def settle(fight: Resolution, said: Settle) -> None:
    """Closes an open dispute."""
    entry, cases = number(said.entry), fight.state.disputes.open
    if not fight.state.disputes.of(entry):
        listed = ", ".join(f"e{case.entry}" for case in cases)
        fight.impossible(
            f"e{entry} is not in dispute.",
            f"In dispute: {listed}." if cases else f"To dispute it: dispute e{entry}, with a reason.",
        )
    fight.record(DisputeSettled(entry, said.how, said.why))


class Assert(Declaration):
    """Compare a value of the board with a player's sheet. If they agree, that is recorded. If they differ, nothing is
    recorded, and the answer names the entries that changed the value since they last agreed.
    """

    name: Annotated[str, says("Which value, such as kira.hp.", word="value")]
    value: Annotated[Text, says("What the sheet says; 'no' when the sheet has no such value.")]


def assert_(fight: Resolution, said: Assert) -> None:
    """Records that board and sheet agree."""
    from projections.changes import values

    from .names import find
    from .values import agree, meant, on_board

    board = values(fight.state)
    try:
        name = meant(board, said.name)
    except NameUnknown:
        head, _, tail = said.name.partition(".")
        name = f"{find(fight.state, head)}.{tail}" if tail else ""
        if not tail or not agree(on_board(fight.state, board, name), said.value):
            raise
    value = on_board(fight.state, board, name)
    if not agree(value, said.value):
        raise Disagreement(f"{name} is {value} on the board, not {said.value}.", f"affray why {name}")
    fight.record(Agreed(name, value))
