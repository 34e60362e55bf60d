"""What becomes of a spell whose caster loses concentration."""

from typing import TYPE_CHECKING

from commands.action.resolution import Resolution
from ledger.events import ConditionGained, number

from . import tables
from .tables import row_of

if TYPE_CHECKING:
    from .casting import Cast

LOST = 3
"""A D6 of so much or less loses the spell; more, and it is miscast."""


def fail(fight: Resolution, said: "Cast") -> None:
    """arkm.concentration.lost-or-miscast: used up without effect, or thrown on the miscast table."""
    who = said.who
    die = fight.roll(who, "1d6", "spell lost or miscast")
    clause = "arkm.concentration.lost-or-miscast"
    lost = fight.compare(clause, die.number("D6"), "<=", number("lost on", LOST), who, yes="lost", no="miscast")
    if lost:
        return
    table = tables.effects(fight.state, "miscast")
    rolled = fight.roll(who, table.die, "miscast")
    row = row_of(table.rows, rolled.total)
    fight.rule(
        "arkm.miscast.table", f"{row.effect}: {row.text}" if row.text else row.effect, [rolled.number()], who=who
    )
    _apply(fight, said, row.effect)


def _apply(fight: Resolution, said: "Cast", effect: str) -> None:
    """What of the effect needs no judgement; the rest is the referee's."""
    from .damage import take
    from .losses import stun

    who = said.who
    match effect:
        case "dazed":
            fight.record(ConditionGained(who, "dazed", "round-end", round=fight.state.turns.round + 1))
        case "backlash":
            take(fight, who, number("damage", said.level, "level of the spell"), who)
        case "stun":
            stun(fight, who, 1)
        case "wild":
            near = said.near or tuple(filter(fight.state.stands, fight.state.roster.order))
            at = fight.roll(who, f"1d{len(near)}", "wild spell").natural if len(near) > 1 else 1
            fight.rule("arkm.miscast.table", f"it takes effect on {near[at - 1]}", who=who, about=near[at - 1])
