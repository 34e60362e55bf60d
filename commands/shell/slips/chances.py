"""What has to be assumed so that an action has odds: they may be asked out of turn."""

from typing import TYPE_CHECKING

from commands.action.declaration import Declaration
from commands.action.resolution import Again
from commands.odds.branches import Action
from commands.odds.odds import stand_against
from commands.odds.outcomes import foresee
from ledger.errors import AffrayError, Refused

if TYPE_CHECKING:
    from projections.state import State

_TRIES = 100
"""The least tries that odds are made of."""


def assumed(state: "State", verb: str, said: Declaration, allow: str) -> list[str]:
    """The words of odds by which the clauses that refuse an action now are assumed not to. Raises AffrayError where it
    has no odds.
    """
    action = Action(state, verb, said, allow)
    try:
        foresee(action, 1, _TRIES)
    except Refused as refused:
        if not (clauses := stand_against(refused, action)):
            raise
        return [word for clause in clauses for word in ("--assume", clause)]
    except Again:
        raise AffrayError(f"{verb} has no odds.") from None
    return []
