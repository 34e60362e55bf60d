"""What a grapple does to those who are held, at the end of each round."""

from commands.action.resolution import Resolution

from . import damage
from .grapples import holders
from .strike import Blow, arm
from .tables import UNARMED


def squeeze(fight: Resolution) -> None:
    """aachen.grapple.round-damage: each holder's unarmed damage, without a roll to hit."""
    for who in fight.state.roster.order:
        for holder in holders(fight, who):
            if fight.state.stands(who):
                _hurt(fight, holder, who)


def _hurt(fight: Resolution, holder: str, who: str) -> None:
    used = arm(fight, holder, UNARMED, Blow())
    dice, _ = UNARMED.dice
    total = fight.roll(holder, dice, "grapple damage", who).number("damage")
    total = damage.added(fight, holder, used, total).at_least(0, "damage")
    fight.rule("aachen.grapple.round-damage", "", [total], holder, who)
    damage.lose(fight, who, total.total)
