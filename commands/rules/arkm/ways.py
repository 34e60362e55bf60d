"""Ways on: what a refusal offers. A command is offered only where it works from how the fight stands."""

from commands.action.resolution import Resolution


def next_round(fight: Resolution) -> str:
    """The command that ends the round; who can still act in it goes first."""
    if not fight.state.encounter.running:
        return "affray begin"
    if not (fight.state.turns.order or fight.state.initiative.scores):
        return "affray initiative"
    from .waiting import left_in_round

    if still := list(dict.fromkeys(who for who, _ in left_in_round(fight))):
        return f"Wait for the next round: {', '.join(still)} may still act in this one."
    return "affray round"


def next_place(fight: Resolution) -> str:
    """The command that goes on to the next place, phase or round."""
    from . import order

    if not order.is_decided(fight):
        return next_round(fight)
    if not fight.state.turns.phase and fight.state.pending.waiting:
        return f"affray morale {fight.state.pending.waiting[0].who}"
    at_the_end = order.pointer(fight) + 1 >= len(order.places(fight))
    return next_round(fight) if fight.state.turns.phase == order.PHASES[-1] and at_the_end else "affray done"


def passes(*names: str) -> str:
    """The command that lets the actions of these go by."""
    return f"affray pass {','.join(names)}"


def come_up(fight: Resolution, who: str, target: str) -> str:
    """How somebody gets within 5 feet of another."""
    return f"{who} first has to move to {target}, in the movement phase: move {who} --to {target}."
