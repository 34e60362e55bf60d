"""Areas: which are adjacent, which are seen, and who is where."""

from commands.action.resolution import Resolution
from ledger.errors import UsageError
from projections.state import State

HERE = "here"
"""The one area of an encounter that names none."""


def of(state: State, who: str) -> str:
    """The area that somebody is in."""
    return state.areas.at.get(who, HERE)


def shared(state: State, one: str, other: str) -> bool:
    """Whether two are in the same area."""
    return of(state, one) == of(state, other)


def adjacent(state: State, one: str, other: str) -> bool:
    """Whether two are in adjacent areas: a link joins them, of whatever kind."""
    return state.areas.link(of(state, one), of(state, other)) is not None


def seen(state: State, one: str, other: str) -> bool:
    """Whether two are in adjacent areas of which each is seen from the other.

    Whether it is, the referee says by the link's flag `see`.
    """
    link = state.areas.link(of(state, one), of(state, other))
    return link is not None and link.see


def find(state: State, word: str) -> str:
    """The area whose name `word` is or begins, in any case; "" when there is none or several."""
    found = [area for area in state.areas.names if word and area.casefold().startswith(word.casefold())]
    exact = [area for area in found if area.casefold() == word.casefold()]
    return exact[0] if exact else found[0] if len(found) == 1 else ""


def way_out(fight: Resolution, who: str) -> str:
    """A move that somebody can make from its area; passing where there is none."""
    if not fight.state.stands(who) or fight.state.turns.phase != "planning":
        return "affray status"
    from commands.action.names import quoted

    here = of(fight.state, who)
    for there in fight.state.areas.names:
        link = fight.state.areas.link(here, there)
        if link and link.move and not link.check and not (link.oneway and link.one != here):
            return f"affray move {who} {quoted(there)}"
    return f"affray pass {who}"


def neighbour(fight: Resolution, who: str, word: str) -> str:
    """The area that somebody can go to by that name. Refuses any that is not adjacent: paraverse.action.move."""
    here = of(fight.state, who)
    near = [area for area in fight.state.areas.names if fight.state.areas.link(here, area)]
    hint = f"From {here} one can go to: {', '.join(near) or 'no other area'}."
    there = find(fight.state, word)
    if not there:
        fight.refuse("paraverse.action.move", f"There is no area {word[:40]!a}.", hint)
        raise UsageError(f"There is no area {word[:40]!a}.", hint)
    if there not in near:
        fight.refuse("paraverse.action.move", f"{there} is not adjacent to {here}, where {who} is.", hint)
    return there


def check_way(fight: Resolution, here: str, there: str) -> None:
    """Refuses a link that cannot be walked: barred, or only the other way."""
    link = fight.state.areas.link(here, there)
    if link and not link.move:
        fight.refuse("paraverse.move.link", f"Nobody gets from {here} to {there}; one only sees across.")
    if link and link.oneway and link.one != here:
        fight.refuse("paraverse.move.link", f"The way goes only from {link.one} to {link.other}.")
