"""The ground: what somebody has dropped lies near them, or near another at whom it was thrown, until it is taken up or
the encounter ends. In a system in which it lies on a square, `projections.roster.Lying` says so.
"""

from ledger.events import ConditionEnded, ConditionGained, Unequipped

from .resolution import Resolution
from .view import View

DROPPED = "dropped "
"""Before the name of a thing: the condition of its owner while it lies on the ground."""


def dropped(item: str) -> str:
    """The condition of somebody whose thing lies on the ground."""
    return DROPPED + item


def lies(view: View, who: str, item: str) -> bool:
    """Whether a thing of somebody lies on the ground."""
    return view.state.conditions.has(who, dropped(item))


def found(view: View, word: str, but: str = "") -> tuple[str, str]:
    """Whose thing of a name, or of its beginning, lies on the ground, and the whole of its name; two empty words when
    nobody's, or when it may be several. That of `but` is not meant.
    """
    low = word.casefold()
    there = [
        (who, name.removeprefix(DROPPED))
        for who in view.state.roster.order
        for name, _ in view.state.conditions.held(who)
        if name.startswith(DROPPED) and low and who != but
    ]
    meant = [one for one in there if one[1].casefold() == low]
    meant = meant or [one for one in there if one[1].casefold().startswith(low)]
    return meant[0] if len(meant) == 1 else ("", "")


def lay(fight: Resolution, who: str, item: str, near: str = "") -> None:
    """A thing leaves the hand, and lies near its owner or another."""
    if item in fight.state.gear.equipped.get(who, ()):
        fight.record(Unequipped(who, item))
    fight.record(ConditionGained(who, dropped(item), "encounter-end", whom=(near,) if near else ()))


def lift(fight: Resolution, who: str, item: str) -> None:
    """A thing of somebody lies on the ground no more, if it did."""
    if lies(fight, who, item):
        fight.record(ConditionEnded(who, dropped(item)))
