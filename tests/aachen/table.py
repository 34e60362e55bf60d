"""The combatants of the examples, and short words for setting up a fight."""

from typing import Any

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.rules.aachen.actions import up_next
from commands.rules.aachen.encounter import Begin
from commands.rules.aachen.rounds import Initiative, Pass, Round
from ledger.errors import UsageError
from ledger.events import Rolled
from tests.kit import Told, given

SPEAR = {"name": "spear", "skill": "stab", "attr": "STR", "damage": "1d8", "long": True}
SWORD = {"name": "sword", "skill": "stab", "attr": "STR", "damage": "1d8", "shock": [2, 13]}
DAGGER = {"name": "dagger", "skill": "stab", "attr": "either", "damage": "1d4", "shock": [1, 15]}
BOW = {
    "name": "large bow", "skill": "shoot", "attr": "DEX", "damage": "1d8", "range": [100, 600], "hands": 2,
    "reload": "on-turn",
}  # fmt: skip
JAVELIN = {"name": "javelin", "skill": "shoot", "attr": "DEX", "damage": "1d6", "range": [30, 60], "thrown": True}
CROSSBOW = {"name": "crossbow", "skill": "shoot", "attr": "DEX", "damage": "1d10", "range": [100, 300], "hands": 2,
            "reload": "main"}  # fmt: skip


def someone(name: str, **fields: Any) -> Join:
    """Somebody joins, with the fields of the sheet."""
    return Join(({"name": name, **fields},))


def adalger(name: str = "Adalger", **fields: Any) -> Join:
    """A fighter of level 4: attack +4, STR +1, Stab 1, AC 15, 22 hp."""
    basics = {
        "class": "fighter", "level": 4, "attributes": {"STR": 14, "CON": 12, "INT": 9, "WIS": 11},
        "skills": {"stab": 1}, "ac": 15, "hp_max": 22, "weapons": [SPEAR, SWORD],
    }  # fmt: skip
    return someone(name, **{**basics, **fields})


def gerlind(name: str = "Gerlind", **fields: Any) -> Join:
    """An expert of level 3: attack +1, DEX +1, Shoot 1, AC 13, 11 hp."""
    basics = {
        "class": "expert", "level": 3, "attributes": {"STR": 9, "DEX": 15, "INT": 12, "WIS": 11, "CHA": 12},
        "skills": {"shoot": 1, "notice": 0, "heal": 0}, "ac": 13, "hp_max": 11, "weapons": [BOW, JAVELIN],
    }  # fmt: skip
    return someone(name, **{**basics, **fields})


def guard(name: str = "Guard", **fields: Any) -> Join:
    """A guard: attack +1, Stab 0, AC 14, 6 hp, morale 8."""
    basics = {
        "side": "opp", "kind": "npc", "attack_bonus": 1, "skills": {"stab": 0}, "ac": 14, "hp_max": 6,
        "morale": 8, "weapons": [SWORD],
    }  # fmt: skip
    return someone(name, **{**basics, **fields})


def wolf(name: str = "Wolf", **fields: Any) -> Join:
    """A wolf: 2 hit dice, attack +2, AC 12, 9 hp, morale 7."""
    basics = {
        "side": "opp", "kind": "monster", "hd": 2, "attack_bonus": 2, "skill_bonus": 1, "ac": 12, "hp_max": 9,
        "rate": 40, "morale": 7, "weapons": [{"name": "bite", "damage": "1d6"}],
    }  # fmt: skip
    return someone(name, **{**basics, **fields})


def table(*joining: Declaration, **options: Any) -> Told:
    """Combatants at a table, before any encounter."""
    return given("aachen", *joining, options=options)


def begun(*joining: Declaration, **options: Any) -> Told:
    """An encounter, before initiative."""
    return table(*joining, **options).when(Begin())


def fight(*joining: Declaration, **options: Any) -> Told:
    """The first round of a fight in which the player side acts first."""
    return begun(*joining, **options).when(Initiative(), dice=[8, 1])


def opposed(*joining: Declaration, **options: Any) -> Told:
    """The first round of a fight in which the opposition acts first."""
    return begun(*joining, **options).when(Initiative(), dice=[1, 8])


def waiting(told: Told) -> list[str]:
    """Those who still have their turn."""
    state = told.state
    return [who for who in state.roster.order if state.points.left(who, "turn") and state.stands(who)]


def passed(told: Told, *names: str) -> Told:
    """The turns of some go by; of everybody who is still to act, without names."""
    if names:
        return told.when(Pass(names))
    while following := up_next(told.state):
        told = told.when(Pass(tuple(following)))
    return told


def next_round(told: Told, dice: tuple[int, ...] = ()) -> Told:
    """Everybody passes, and the next round begins."""
    return passed(told).when(Round(), dice=dice)


def adjusted(told: Told, who: str, field: str, value: str) -> Told:
    """The game master's word."""
    return told.when(Adjust(who, field, value, "the test"))


def impossible(told: Told, declaration: Declaration, words: str = "") -> None:
    """The declaration has no meaning, whatever the game master allows."""
    for allow in ("", "because"):
        with pytest.raises(UsageError) as error:
            told.when(declaration, allow=allow)
        assert words in error.value.message


def hp(told: Told, who: str) -> int:
    """Hit points."""
    return told.state.harm.hp[who].now


def has(told: Told, who: str, condition: str) -> bool:
    """Whether a condition holds."""
    return condition in told.state.conditions.of.get(who, {})


def contact(told: Told, who: str) -> set[str]:
    """With whom somebody is in contact."""
    return set(told.state.engagement.of(who))


def left(told: Told, who: str) -> tuple[int, int]:
    """Main and move action."""
    return told.state.points.left(who, "main"), told.state.points.left(who, "move")


def rolls(told: Told) -> list[tuple[str, str, str]]:
    """Whose dice were rolled in the last action, which, and for what."""
    return [(event.who, event.dice, event.purpose) for event in told.events if isinstance(event, Rolled)]


ITEM_ROWS = (
    'name = "axe", damage = "1d6"',
    "axe",
    '{ name = "axe", damage = "two" }',
)
"""Items as the game master may give them with `adjust`, some of them wrong."""
