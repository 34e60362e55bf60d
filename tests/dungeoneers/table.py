"""The creatures of the examples, and short words for setting up a fight."""

from typing import Any

import pytest

from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from ledger.errors import Refused, UsageError
from ledger.events import ConditionEnded, ConditionGained, Rolled, Ruled
from tests.hints import commands, offered_by
from tests.kit import Told, given

HEROES = "dungeoneers"


def someone(name: str, at: tuple[int, int] | None = None, **fields: Any) -> Join:
    """Somebody joins, with the fields of the sheet."""
    return Join(({"name": name, **fields},), at=() if at is None else ((*at, 0),))


def suori(at: tuple[int, int] = (0, 0), **fields: Any) -> Join:
    """Suori: power 2, prowess 2, endurance 2, a warhammer that she knows how to use."""
    basics = {"power": 2, "prowess": 2, "endurance": 2, "ranks": {"cudgel": "D", "blade": "D"}}
    return someone("Suori", at, **{"equipped": ["warhammer"], **basics, **fields})


def freya(at: tuple[int, int] = (0, 1), **fields: Any) -> Join:
    """Freya: power 2, prowess 2, endurance 3, a mace."""
    basics = {"power": 2, "prowess": 2, "endurance": 3, "ranks": {"cudgel": "E"}}
    return someone("Freya", at, **{"equipped": ["mace"], **basics, **fields})


def ulfarmi(at: tuple[int, int] = (0, 2), **fields: Any) -> Join:
    """Ulfarmi: resistance 2, spell 2, mind 3, and both spells of the book as cantrips."""
    basics = {"resistance": 2, "spell": 2, "mind": 3, "cantrips": ["firebolt", "mage armor"]}
    return someone("Ulfarmi", at, **{**basics, **fields})


def alberich(at: tuple[int, int] = (0, 3), **fields: Any) -> Join:
    """Alberich: endurance 0, so that nothing is absorbed."""
    return someone("Alberich", at, **{"endurance": 0, **fields})


def skeleton(at: tuple[int, int] = (1, 0), name: str = "Skeleton", **fields: Any) -> Join:
    """The skeleton: endurance 0, armor value 4, vulnerable to bludgeoning, nearly proof against piercing."""
    basics = {
        "side": "undead", "endurance": 0, "armor_value": 4, "vulnerability": {"bludgeoning": 1},
        "resistance_to": {"piercing": 3}, "ranks": {"blade": "E"}, "equipped": ["shortsword"], "spell": 0, "mind": 0,
    }  # fmt: skip
    return someone(name, at, **{**basics, **fields})


def table(*joining: Declaration, **options: Any) -> Told:
    """Creatures at a table, before any encounter."""
    return given("dungeoneers", *joining, options=options)


def fight(*joining: Join, **options: Any) -> Told:
    """The first turn of a fight: anyone who joins first has the highest initiative, unless the sheets say otherwise."""
    ordered = []
    for at, join in enumerate(joining):
        ordered.append(Join(({"initiative": 50 - at, **join.sheets[0]},), at=join.at))
    return table(*ordered, **options).when(Begin()).when(Round()).when(Turn())


def turn_of(told: Told, who: str) -> Told:
    """Plays on, with nothing done, until somebody's turn has begun."""
    told = told.when(Done()) if told.state.turns.who else told
    while True:
        waiting = [
            one for one in told.state.turns.order if told.state.stands(one) and told.state.points.left(one, "turn")
        ]
        told = told if waiting else told.when(Round(pass_rest=True))
        told = told.when(Turn(pass_rest=True))
        if told.state.turns.who == who:
            return told
        told = told.when(Done())


def impossible(told: Told, declaration: Declaration, words: str = "") -> None:
    """The declaration has no meaning, whatever the game master allows."""
    for allow in ("", "because"):
        with pytest.raises(UsageError) as error:
            told.when(declaration, allow=allow)
        assert words in error.value.message


def hint_of(told: Told, declaration: Declaration) -> str:
    """What the refusal of a declaration suggests."""
    with pytest.raises(Refused) as refused:
        told.when(declaration)
    return commands(offered_by(refused.value))


def points(told: Told, who: str) -> tuple[int, int, int]:
    """Action, movement and reaction points."""
    left = told.state.points.left
    return left(who, "action"), left(who, "movement"), left(who, "reaction")


def at(told: Told, who: str) -> tuple[int, int]:
    """Where somebody stands."""
    return told.state.positions.at[who][:2]


def facing(told: Told, who: str) -> str:
    return told.state.facing.of[who]


def threatened(told: Told, who: str) -> tuple[str, ...]:
    """By whom somebody is threatened."""
    held = told.state.conditions.of.get(who, {}).get("threatened")
    return held.whom if held else ()


def conditions(told: Told, who: str) -> set[str]:
    """The names of somebody's conditions, without threatened."""
    return set(told.state.conditions.of.get(who, {})) - {"threatened"}


def rolls(told: Told) -> list[tuple[str, str, str]]:
    """Whose dice were rolled in the last action, which, and for what."""
    return [(event.who, event.dice, event.purpose) for event in told.events if isinstance(event, Rolled)]


def clauses(told: Told) -> set[str]:
    """What the rulings of the last action name."""
    return {clause for event in told.events if isinstance(event, Ruled) for clause in event.clauses}


def gained(who: str, condition: str, whom: str) -> ConditionGained:
    return ConditionGained(who, condition, "encounter-end", whom=(whom,))


def ended(who: str, condition: str) -> ConditionEnded:
    return ConditionEnded(who, condition)


ITEM_ROWS = (
    "dagger",
    "leather",
    'name = "great maul", hit = 6, pierce = 6, wounds = 1, type = "b"',
    "rope",
)
"""Items as the game master may give them with `adjust`, some of them wrong."""
