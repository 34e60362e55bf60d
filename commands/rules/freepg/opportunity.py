"""Opportunity attacks, a house rule: anyone who leaves an enemy's side may be struck."""

from commands.action.grid import gap
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import bodies
from .aim import Aim
from .attack import strike
from .bonus import used_weapon

_TAKEN = "opportunity taken"
"""Held by an enemy until the mover's turn ends; names those whom it has struck."""


def run_the_gauntlet(fight: Resolution, mover: str, declined: tuple[str, ...]) -> bool:
    """Each living enemy beside the mover strikes once a turn, in roster order; whether the mover still stands.

    freepg.opportunity-attack
    """
    for enemy in _beside(fight, mover):
        struck = fight.state.conditions.whom(enemy, _TAKEN)
        if enemy in declined or mover in struck or mover in fight.state.harm.down:
            continue
        whose = fight.state.turns.who
        with fight.upon(enemy, mover):
            fight.rule("freepg.opportunity-attack", f"strikes at {mover}", who=enemy)
            if whose:
                fight.record(ConditionGained(enemy, _TAKEN, "turn-end", whose, whom=(*struck, mover)))
            strike(fight, enemy, Aim((mover,)), used_weapon(fight, enemy, ""))
    return mover not in fight.state.harm.down


def _beside(fight: Resolution, mover: str) -> list[str]:
    sides = {who: member.side for who, member in fight.state.roster.members.items()}
    around = bodies.all_bodies(fight)
    mine = around.get(mover, ())
    near = [who for who, theirs in around.items() if mine and gap(mine, theirs) <= 1]
    return [who for who in near if sides[who] != sides[mover] and fight.state.stands(who)]
