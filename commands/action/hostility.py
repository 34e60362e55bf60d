"""Sides that are enemies of each other, perhaps without anybody meaning it."""

from . import systems
from .resolution import Resolution


def note_enemies(fight: Resolution) -> None:
    """A note where sides that no player is on are enemies of each other, as perhaps nobody meant them to be: when an
    encounter begins, and when another such side joins it. For books in which different sides are hostile, unless there
    is a truce.
    """
    members, players = fight.state.roster.members, systems.players_sides(fight.state)
    standing = dict.fromkeys(members[who].side for who in fight.state.roster.order if fight.state.stands(who))
    others = [side for side in standing if side not in players]
    hostile = [side for side in others if any(_at_odds(fight, side, other) for other in others)]
    before = fight.before
    known = {before.roster.members[who].side for who in before.roster.order if before.stands(who)}
    if hostile and not (before.encounter.running and known.issuperset(hostile)):
        *most, last = hostile
        fight.notes.append(
            f"{', '.join(most)} and {last} are enemies of each other, too: adjust NAME side SIDE WHY puts somebody on"
            " another side."
        )


def _at_odds(fight: Resolution, one: str, other: str) -> bool:
    return one != other and not fight.state.truces.holds(one, other)
