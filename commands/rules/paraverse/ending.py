"""The end phase: bleeding, lasting effects, and what expires."""

from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, number

from . import falls, harm


def end_phase(fight: Resolution) -> None:
    """Applies every end-phase effect at once, lets effects expire, and settles the falls: paraverse.phase.end."""
    for who in fight.opening.roster.order:
        _bleed(fight, who)
        _last(fight, who)
    _expire(fight)
    falls.settle(fight)


def _bleed(fight: Resolution, who: str) -> None:
    """A bleeding character suffers once, however many wounds bleed; not at Stamina 0 or less, nor when dead."""
    if not falls.is_bleeding(fight.opening, who) or _is_dead(fight, who):
        return
    stamina = falls.stamina(fight, fight.opening, who)
    if stamina.total <= 0:
        fight.rule("paraverse.end.bleeding-stops", "no more pain", [stamina], who=who)
        return
    pain = number("pain", fight.option("bleeding_pain"), "bleeding")
    fight.rule("paraverse.end.bleeding", "", [pain], who=who)
    harm.hurt(fight, who, pain.total)


def _last(fight: Resolution, who: str) -> None:
    """Each lasting effect with pain in it hurts."""
    for name, condition in fight.opening.conditions.held(who):
        if condition.modifies == "pain" and not _is_dead(fight, who):
            fight.rule("paraverse.end.effects", "", [number("pain", condition.amount, name)], who=who)
            harm.hurt(fight, who, condition.amount)


def _is_dead(fight: Resolution, who: str) -> bool:
    down = fight.opening.harm.down.get(who)
    return down is not None and down.how == "dead"


def _expire(fight: Resolution) -> None:
    """Effects whose rounds are over end; the round in which they began counted: paraverse.end.expiry."""
    now = fight.state.turns.round
    for who in fight.state.roster.order:
        for name, held in fight.state.conditions.held(who):
            if held.until == "round-end" and held.round <= now:
                fight.record(ConditionEnded(who, name))
