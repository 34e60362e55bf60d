"""Short words for fights with initiative: who is met, and which dice decide the order."""

from collections.abc import Sequence
from typing import Any

from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.rounds import Initiative, Phase, Round
from ledger.events import ConditionGained, Ruled
from tests.kit import Told, given

GOBLIN = {"name": "Goblin", "side": "foes", "hd": "1/2", "hp_max": 3, "ac": 6, "weapons": ["short-sword"]}
MAGE = {
    "name": "Mage", "side": "party", "pc": True, "class": "magic-user", "level": 5, "hp_max": 12, "caster": True,
    "weapons": ["dagger", {"id": "wand", "kind": "wand"}], "saves": {"spells": 15},
}  # fmt: skip
WOLF = {
    "name": "Wolf", "side": "foes", "kind": "beast", "hd": "2+2", "hp_max": 11, "ac": 7, "intelligent": False,
    "attacks": [{"name": "bite", "damage": "1d6"}],
}  # fmt: skip


def someone(name: str, side: str = "party", count: int = 1, **fields: Any) -> Join:
    """Somebody with a club and no bonuses: THAC0 19 as a monster of 1 HD, AC 9, 10 hp."""
    basics = {"hp_max": 10, "weapons": ["club"]}
    return Join(({"name": name, "side": side, **basics, **fields},), count=count)


def hero(**fields: Any) -> Join:
    """A player's fighter of level 3 without bonuses: THAC0 19, AC 9, sword 1d6+1, 12 hp."""
    basics = {"pc": True, "class": "fighter", "level": 3, "hp_max": 12, "weapons": ["sword", "dagger"]}
    return someone(**{"name": "Hero", **basics, **fields})


def mage(**fields: Any) -> Join:
    """A magic-user of level 5 who saves against spells with 15; dagger, wand; 12 hp."""
    return Join(({**MAGE, **fields},))


def goblins(count: int = 1, **fields: Any) -> Join:
    """Goblin, or Goblin-1 and so on: less than 1 HD, 3 hp, morale 7."""
    return Join(({**GOBLIN, **fields},), count=count)


def wolves(count: int = 1, **fields: Any) -> Join:
    """Wolf, or Wolf-1 and so on: no wits, 2+2 HD, bite 1d6, 11 hp."""
    return Join(({**WOLF, **fields},), count=count)


def battle(*joining: Declaration, dice: Sequence[int], phase: str = "", **options: Any) -> Told:
    """The first round of an encounter, with these dice for initiative, in the order of joining of the groups."""
    told = given("arkm", *joining, options=options).when(Begin()).when(Initiative(), dice=dice)
    return told.when(Phase(phase, pass_rest=True)) if phase else told


def next_round(told: Told, *dice: int) -> Told:
    """The next round, with these dice for initiative."""
    return told.when(Round(pass_rest=True), dice=dice)


def having(told: Told, who: str, condition: str, **fields: Any) -> Told:
    """The table with a condition that holds for somebody."""
    from .table import since

    return since(told, ConditionGained(who, condition, **fields))


def conditions(told: Told, who: str) -> set[str]:
    """The names of somebody's conditions."""
    return {*told.state.conditions.of.get(who, {})}


def clauses(told: Told) -> list[str]:
    """The clauses of the last action's rulings, in order."""
    return [event.clause for event in told.events if isinstance(event, Ruled)]


def acted(told: Told, who: str) -> str:
    """What somebody has done this round."""
    return ", ".join(told.state.counts.of(who, "acted"))
