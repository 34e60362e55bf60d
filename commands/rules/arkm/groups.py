"""Groups: who rolls initiative together, and who checks morale together."""

from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter, is_
from typing import Any, TypeVar

from commands.action.names import find, left_out
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.errors import AffrayError
from projections.state import State

from . import stat_block
from .conditions import IN_GROUP

Found = TypeVar("Found")


def while_same(*parts: str) -> Callable[[Callable[[View], Found]], Callable[[View], Found]]:
    """Of a function that finds something in these parts of the state, and in no other: it works only when one of them
    is another object than the last time, as nothing that a state holds ever changes.
    """
    read = attrgetter(*parts)

    def of(work: Callable[[View], Found]) -> Callable[[View], Found]:
        last: list[tuple[State, tuple[Any, ...], Found]] = []

        def found(view: View) -> Found:
            state = view.state
            if last and last[0][0] is state:
                return last[0][2]
            now = read(state)
            what = last[0][2] if last and all(map(is_, now, last[0][1])) else work(view)
            last[:] = [(state, now, what)]
            return what

        return found

    return of


def group(view: View, who: str) -> str:
    """The group of a combatant. arkm.initiative.monster-groups: different kinds of monsters are different groups.

    arkm.initiative.group-split: one who was put into another is of that.
    """
    return _groups(view)[who]


@while_same("roster", "conditions")
def _groups(view: View) -> dict[str, str]:
    """The group of everybody."""
    found = {}
    for who in view.state.roster.order:
        found[who] = next(iter(view.state.conditions.whom(who, IN_GROUP)), "") or own_group(view, who)
    return found


def own_group(view: View, who: str) -> str:
    """The group of a combatant by its sheet. Somebody whom the players know by another name is alone in a group of that
    name: the group of the sheet would tell what it is.
    """
    member = view.state.roster.members[who]
    name = stat_block.group(view.sheet(who), member.side)
    return who if member.truly and name != member.side else name


def members(view: View, name: str) -> list[str]:
    """Everybody in a group, down or not, in the order of joining."""
    return [who for who in view.state.roster.order if group(view, who) == name]


def standing(view: View, name: str) -> list[str]:
    """Those of a group who are not down."""
    return [who for who in members(view, name) if view.state.stands(who)]


def groups(view: View) -> list[str]:
    """All groups with somebody standing, in the order of their first member."""
    return list(dict.fromkeys(group(view, who) for who in view.state.roster.order if view.state.stands(who)))


def sides(view: View) -> list[str]:
    """All sides with somebody standing: those with a player character first, then in the order of joining."""
    roster = view.state.roster
    found = list(dict.fromkeys(roster.members[who].side for who in roster.order if view.state.stands(who)))
    return sorted(found, key=lambda side: not any(view.sheet(who).pc for who in roster.of_side(side)))


def of_players(view: View, name: str) -> bool:
    """Whether a player character is in the group: it has no morale and no reaction."""
    return any(view.sheet(who).pc for who in members(view, name))


def find_some(fight: Resolution, words: tuple[str, ...]) -> list[str]:
    """Those who are meant by several names: combatants, or all who stand of a group, each once. What names nobody is
    left out, unless nobody is left.
    """
    found, absent = list[str](), list[AffrayError]()
    for word in words:
        try:
            found += _some(fight, word)
        except AffrayError as error:
            absent.append(error)
    if absent and not found:
        raise absent[0]
    fight.notes += left_out(absent)
    return list(dict.fromkeys(found))


def _some(fight: Resolution, word: str) -> list[str]:
    """Those whom one of several names means."""
    every = {group(fight, who).casefold() for who in fight.state.roster.order}
    names = [who for who in fight.state.roster.order if who.casefold() == word.casefold()]
    if names and word.casefold() not in every:
        return names
    name = find_group(fight, word)
    member = not name.casefold().startswith(word.casefold())
    return [find(fight.state, word)] if member else standing(fight, name) or members(fight, name)


def find_group(fight: Resolution, word: str) -> str:
    """The group of that name, or the one that begins so, in any case; a member's name will do, too."""
    order, sought = fight.state.roster.order, word.casefold()
    every = list(dict.fromkeys(group(fight, who) for who in order))
    found: list[str] = []
    for fits in (str.__eq__, str.startswith):
        found = found or [name for name in every if fits(name.casefold(), sought)]
        found = found or [group(fight, who) for who in order if fits(who.casefold(), sought)]
    if not found and sought.strip(","):
        with suppress(AffrayError):
            found = [group(fight, find(fight.state, word))]
    if not sought or len({*found}) != 1:
        fight.impossible(f"There is no group {word[:40]!r}.", f"There are: {', '.join(every) or 'none'}.")
    if found[0].casefold().startswith(sought):
        fight.write_in_full(word, found[0])
    return found[0]
