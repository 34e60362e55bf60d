"""Fighters: who is able, who is near whom, and what is so of somebody."""

from projections.state import State

SIDES = ("pc", "opp")
"""aachen.sides: the player characters with their allies, and the opposition. The first wins ties."""
PRONE, SURPRISED, UNAWARE, HELPLESS = "prone", "surprised", "unaware", "helpless"
WITHDRAWING, DELAYING, CHARGING, TOTAL_DEFENSE = "withdrawing", "waiting", "charging", "total defense"
SHOCK_BLOCKED, LUCK_SPENT = "shock blocked", "without luck"
MORTAL, STABLE, FRAIL = "mortally wounded", "stable", "frail"
GRAPPLING, GRAPPLED = "grappling", "grappled"
BROKEN, RETREATING, SURRENDERED, GONE = "broken", "retreating", "surrendered", "gone"
NO_FIGHT = (BROKEN, RETREATING, SURRENDERED)
"""aachen.morale.failed: anyone who is one of these attacks nobody."""
BY_WORD = (PRONE, UNAWARE, HELPLESS, SHOCK_BLOCKED, LUCK_SPENT, *NO_FIGHT, GONE, FRAIL)
"""Conditions that the game master can give by their names alone."""
_ACTING = (SURPRISED, WITHDRAWING, DELAYING, CHARGING, TOTAL_DEFENSE)
RESERVED = (*BY_WORD, *_ACTING, MORTAL, STABLE, GRAPPLING, GRAPPLED)
"""Conditions that the rules give and take themselves."""
HELD, LUCK, MORALE = "hold", "luck", "morale"
"""What can wait: a held main action, luck that was called on, and a morale check that is due."""
ADJACENT = 5
"""Feet within which enemies are in contact: aachen.melee.contact."""


def able(state: State, who: str) -> bool:
    """Whether somebody can act: at the table, not down, and neither gone nor surrendered."""
    return state.stands(who) and not out_of_it(state, who)


def out_of_it(state: State, who: str) -> bool:
    """Whether somebody takes no part in the fight any more, down or not: gone, or surrendered."""
    return state.conditions.has(who, GONE) or state.conditions.has(who, SURRENDERED)


def ready(state: State, who: str) -> bool:
    """Whether somebody is able to act now: nobody acts in the surprise round of others."""
    return able(state, who) and not surprised(state, who)


def surprised(state: State, who: str) -> bool:
    """Whether this is the surprise round of others."""
    return state.turns.phase == "surprise" and state.conditions.has(who, SURPRISED)


def side(state: State, who: str) -> str:
    """The side that somebody is on."""
    return state.roster.members[who].side


def enemies(state: State, one: str, other: str) -> bool:
    """Whether two are on different sides."""
    return side(state, one) != side(state, other)


def members(state: State, name: str) -> list[str]:
    """The able members of a side, in roster order."""
    return [who for who in state.roster.of_side(name) if able(state, who)]


def other_side(name: str) -> str:
    """The other one of the two sides."""
    return SIDES[1 - SIDES.index(name)]


def in_contact(state: State, who: str) -> list[str]:
    """Those with whom somebody is in contact, in roster order: aachen.melee.contact."""
    near = state.engagement.of(who)
    return [other for other in state.roster.order if other in near]


def lies(state: State, who: str) -> bool:
    """Whether somebody is on the floor: prone, or down."""
    return state.conditions.has(who, PRONE) or who in state.harm.down


def grappled_with(state: State, who: str) -> tuple[str, ...]:
    """Those whom somebody holds or by whom it is held."""
    held = state.conditions.of.get(who, {})
    return tuple(other for name in (GRAPPLING, GRAPPLED) if name in held for other in held[name].whom)
