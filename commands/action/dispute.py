"""Disputes: a case is opened about an entry and settled; and a value is compared with a player's sheet."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import number
from ledger.errors import Disagreement, NameUnknown
from ledger.events import Agreed, DisputeClosed, DisputeOpened

from .declaration import Declaration, Text
from .resolution import Resolution

Disputed = Annotated[str, Meta(pattern="^e?[0-9]{1,12}$")]
"""The id of an entry, such as e42."""


class Dispute(Declaration):
    """Dispute what an entry says. The case stands in `affray status` until it is settled."""

    entry: Annotated[Disputed, Meta(description="The entry in dispute, such as e42.")]
    why: Annotated[Text, Meta(description="What is said against it.")]


def dispute(fight: Resolution, said: Dispute) -> None:
    """Opens a case; there is one for each entry at a time."""
    entry = number(said.entry)
    if case := fight.state.disputes.of(entry):
        fight.impossible(f"e{entry} is in dispute already: {case.why}", "settle closes it, with the reasons.")
    fight.record(DisputeOpened(entry, said.why))


class Settle(Declaration):
    """Settle a dispute. It is a precedent from now on: `affray disputes` lists them by clause."""

    entry: Annotated[Disputed, Meta(description="The entry in dispute.")]
    how: Annotated[
        Literal["upheld", "amended"], Meta(description="upheld: the entry stays as it is; amended: it was corrected.")
    ]
    why: Annotated[Text, Meta(description="The reasons.")]


def settle(fight: Resolution, said: Settle) -> None:
    """Closes a case that is open."""
    entry, cases = number(said.entry), fight.state.disputes.open
    if not fight.state.disputes.of(entry):
        listed = ", ".join(f"e{case.entry}" for case in cases)
        fight.impossible(f"e{entry} is not in dispute.", f"In dispute: {listed}." if cases else "dispute opens a case.")
    fight.record(DisputeClosed(entry, said.how, said.why))


class Assert(Declaration):
    """Compare a value of the board with a player's sheet. That both agree is recorded. If they do not, the entries
    that touched the value since they last agreed are named, and nothing is recorded.
    """

    name: Annotated[str, Meta(description="Which value, such as kira.hp.", extra={"word": "value"})]
    value: Annotated[Text, Meta(description="What the sheet says; 'no' when it has nothing of the kind.")]


def assert_(fight: Resolution, said: Assert) -> None:
    """Records that board and sheet agree."""
    from projections.changes import values

    from .names import find
    from .values import agree, meant

    board = values(fight.state)
    try:
        name = meant(board, said.name)
    except NameUnknown:
        head, _, tail = said.name.partition(".")
        if not tail or not agree("-", said.value):
            raise
        name = f"{find(fight.state, head)}.{tail}"
    if not agree(board.get(name, "-"), said.value):
        raise Disagreement(f"{name} is {board.get(name, '-')} on the board, not {said.value}.", f"affray why {name}")
    fight.record(Agreed(name, board.get(name, "-")))
