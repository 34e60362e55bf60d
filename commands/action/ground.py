"""The ground: what somebody has dropped lies near them, or near another at whom it was thrown, until it is taken up or
the encounter ends. In a system in which it lies on a square, `projections.roster.Lying` says so.
"""

from collections.abc import Iterator

from ledger.events import DROPPED, ConditionGained, Unequipped

from .resolution import Resolution
from .view import View


def dropped(item: str) -> str:
    """The condition of somebody whose thing lies on the ground."""
    return DROPPED + item


def lies(view: View, who: str, item: str) -> bool:
    """Whether a thing of somebody lies on the ground."""
    return view.state.conditions.has(who, dropped(item))


def lying(view: View) -> Iterator[tuple[str, str, str]]:
    """What lies on the ground: whose it is, its name, and near whom it lies."""
    for who in view.state.roster.order:
        for name, held in view.state.conditions.held(who):
            if name.startswith(DROPPED):
                yield who, name.removeprefix(DROPPED), held.whom[0] if held.whom else who


def meant(view: View, who: str, word: str) -> list[tuple[str, str]]:
    """Whose things of a name, or else of its beginning, lie on the ground, each with the whole of its name. Of several
    that of the one who picks it up is meant.
    """
    low, there = word.casefold(), [(owner, item) for owner, item, _ in lying(view)]
    found = [one for one in there if one[1].casefold() == low]
    found = found or [one for one in there if low and one[1].casefold().startswith(low)]
    return [one for one in found if one[0] == who] or found


def found(view: View, who: str, word: str) -> tuple[str, str]:
    """Whose thing lies on the ground, and its name, where one alone is meant; else two empty words."""
    several = meant(view, who, word)
    return several[0] if len(several) == 1 else ("", "")


def lay(fight: Resolution, who: str, item: str, near: str = "") -> None:
    """A thing leaves the hand, and lies near its owner or another."""
    if item in fight.state.gear.equipped.get(who, ()):
        fight.record(Unequipped(who, item))
    fight.record(ConditionGained(who, dropped(item), "encounter-end", whom=(near,) if near else ()))


def lift(fight: Resolution, who: str, item: str) -> None:
    """A thing of somebody lies on the ground no more, if it did."""
    fight.no_longer(who, dropped(item))
