"""Ways on: what a refusal offers. The first that works from how the fight stood is offered."""

from commands.action.resolution import Remedies, Remedy
from commands.action.view import View

DONE: list[Remedy] = [("done", {}), ("done", {"pass_rest": True})]
"""Those whose place it is let the phase go by; if it must be, though they could still act."""

LATER = "Wait for the next round: others may still act in this one."


def next_round(view: View) -> Remedies:
    """The command that ends the round; anyone who can still act in it goes first."""
    return [("begin", {}), ("initiative", {}), ("round", {}), ("round", {"pass_rest": True}), LATER]


def next_place(view: View) -> Remedies:
    """The command that goes on to the next place, phase or round."""
    due: list[Remedy] = [("morale", {"who": one.who}) for one in view.state.pending.waiting]
    return [("begin", {}), ("initiative", {}), *due, *DONE, *next_round(view)[2:]]


def come_up(view: View, who: str, target: str) -> Remedies:
    """How somebody gets within 5 feet of another."""
    return [("move", {"who": who, "to": [target]}), f"{who} must first move to {target}, in the movement phase."]


def get_away(view: View, who: str) -> Remedies:
    """How one who is engaged gets away; with the next round, when it is too late in this one."""
    leave: list[Remedy] = [("withdraw", {"who": who}), ("retreat", {"who": who})]
    return [leave, *next_round(view)]
