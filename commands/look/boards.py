"""The board of a campaign: its rule system's own, or a plain one where that is not installed."""

from typing import Any

from commands.action import systems
from commands.action.view import View
from ledger.errors import RulesMissing
from projections.state import State


def board_of(state: State) -> Any:
    """Has `header`, `row` and `body`, like the `board` of a rule system."""
    system = state.campaign.system
    return systems.part(system, "board") if systems.is_known(system) else Plain


class Plain:
    """A board with the numbers that every rule system keeps."""

    @staticmethod
    def header(view: View) -> list[str]:
        """Why the board is a plain one."""
        return [RulesMissing(view.state.campaign.system).message]

    @staticmethod
    def row(view: View, who: str) -> dict[str, str]:
        """Side, hit points, and whether somebody is down."""
        state = view.state
        hp, down = state.harm.hp.get(who), state.harm.down.get(who)
        return {
            "side": state.roster.members[who].side,
            **({"hp": f"{hp.now}/{hp.most}"} if hp else {}),
            **({"down": down.how} if down else {}),
        }

    @staticmethod
    def body(view: View, who: str) -> list[tuple[int, int]]:
        """The square on which somebody stands."""
        at = view.state.positions.at
        return [at[who][:2]] if who in at else []
