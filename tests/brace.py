"""An instant for the tests of the kernel: the target braces, and the hit then does at least the face of a d6."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import Declared, HpLost, OptionChanged


class Brace(Declaration):
    """Brace against the last blow."""

    who: Annotated[Fighter, Meta(description="Who braces.")]


def brace(fight: Resolution, said: Brace) -> None:
    """The house rule `min_hit_damage` becomes what the d6 shows."""
    if not any(isinstance(event, HpLost) and event.who == said.who for event in fight.latest):
        fight.refuse("freepg.test.brace", f"Nothing hurt {said.who} just now.")
    fight.again()
    assert isinstance(fight.latest[0], Declared)
    fight.record(OptionChanged("min_hit_damage", fight.roll(said.who, "1d6", "bracing").natural))
