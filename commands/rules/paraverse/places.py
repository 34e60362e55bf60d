"""Places: areas and the ways between them, who is where, and who is locked in combat with whom."""

from commands.action.names import one_word
from commands.action.resolution import STATUS, Remedies, Resolution
from commands.action.view import View
from ledger.events import AreaEntered, Disengaged, Engaged, whereabouts
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

    Whether it is, the game master says by the link's flag `see`.
    """
    link = state.areas.link(of(state, one), of(state, other))
    return link is not None and link.see


def find(state: State, word: str) -> str:
    """The area whose name `word` is or begins, in any case; "" when there is none or several."""
    sought = one_word(word).casefold()
    found = [area for area in state.areas.names if sought and area.casefold().startswith(sought)]
    exact = [area for area in found if area.casefold() == sought]
    return exact[0] if exact else found[0] if len(found) == 1 else ""


def ways_out(fight: Resolution, who: str) -> Remedies:
    """The moves that somebody can make from its area; passing where there is none."""
    return [*[("move", {"who": who, "to": there}) for there in fight.state.areas.names], ("pass", {"who": who}), STATUS]


def reached(state: State, here: str) -> list[str]:
    """The areas that are linked with one."""
    return [area for area in state.areas.names if state.areas.link(here, area)]


def neighbour(fight: Resolution, who: str, word: str) -> str:
    """The area that somebody can go to by that name. Refuses any that is not adjacent: paraverse.action.move."""
    here = of(fight.state, who)
    near = reached(fight.state, here)
    hint = f"Areas that can be reached from {here}: {', '.join(near) or 'no other area'}."
    there = find(fight.state, word)
    if not there:
        fight.refuse("paraverse.action.move", f"There is no area {word[:40]!r}.", hint)
        fight.impossible(f"There is no area {word[:40]!r}.", hint)
    if there not in near:
        first = [fight.otherwise(to=area) for area in near if there in reached(fight.state, area)]  # on the way there
        fight.refuse("paraverse.action.move", f"{there} is not adjacent to {here}, where {who} is.", [*first, hint])
    return fight.write_in_full(word, there)


def at(area: str) -> str:
    """Where somebody is, in words."""
    return whereabouts("at", area)


def way(here: str, there: str) -> str:
    """From where to where, in words."""
    return f"{whereabouts('from', here)} {whereabouts('to', there)}"


def check_way(fight: Resolution, here: str, there: str) -> None:
    """Refuses a link that cannot be walked: barred, or only the other way."""
    link = fight.state.areas.link(here, there)
    if link and not link.move:
        fight.refuse("paraverse.move.link", f"Nobody can go {way(here, there)}; the link is for sight only.")
    if link and link.oneway and link.one != here:
        fight.refuse("paraverse.move.link", f"The way goes only {way(link.one, link.other)}.")


def go(fight: Resolution, who: str, area: str) -> None:
    """Stands somebody in another area; opponents that it was engaged with stay behind."""
    free(fight, who)
    fight.record(AreaEntered(who, area))


# Engagement


def opponents(state: State, who: str) -> list[str]:
    """Those with whom somebody is engaged, in roster order; nobody without the option."""
    engaged = state.engagement.of(who) if View(state).option("engagement") else ()
    return [other for other in state.roster.order if other in engaged]


def engage(fight: Resolution, one: str, other: str) -> None:
    """After a skirmish its opponents are engaged."""
    if fight.option("engagement") and other not in fight.state.engagement.of(one):
        fight.rule("paraverse.engaged.starts", "", who=one, about=other)
        fight.record(Engaged(one, other))


def free(fight: Resolution, who: str) -> None:
    """Ends every pair that somebody is in."""
    for other in sorted(fight.state.engagement.of(who), key=fight.state.roster.order.index):
        fight.rule("paraverse.engaged.ends", "", who=who, about=other)
        fight.record(Disengaged(who, other))


def check_leaving(fight: Resolution, who: str) -> None:
    """Refuses to let an engaged character leave its area; whom the game master lets out leaves its opponents behind."""
    engaged = opponents(fight.state, who)
    if engaged:
        message = f"{who} is engaged with {', '.join(engaged)} and cannot leave the area."
        fight.refuse("paraverse.engaged.no-leaving", message, [("disengage", {"who": who}), STATUS])
