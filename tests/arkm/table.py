"""The combatants of the examples, and short words for setting up a table."""

from typing import Any

import pytest

from commands.action.common import Join
from commands.action.declaration import Declaration
from ledger.errors import UsageError
from ledger.events import (
    ConditionGained,
    Counted,
    EncounterBegan,
    Engaged,
    Event,
    PhaseBegan,
    Rolled,
    RoundBegan,
    Ruled,
)
from projections.state import fold
from tests.kit import Told, given

BRAN = {
    "name": "Bran", "side": "party", "pc": True, "class": "fighter", "level": 3, "str": 16, "dex": 13,
    "armour": "medium", "shield": "medium", "hp_max": 18, "weapons": ["sword", "spear", "dagger"],
}  # fmt: skip
TESSA = {
    "name": "Tessa", "side": "party", "pc": True, "class": "thief", "level": 5, "str": 9, "dex": 17,
    "armour": "light", "hp_max": 14, "weapons": ["dagger", "short-sword", "whip"], "saves": {"paralysis": 12},
}  # fmt: skip
MARCUS = {
    "name": "Marcus", "side": "party", "pc": True, "class": "cleric", "level": 4, "str": 17, "dex": 8,
    "armour": "heavy", "hp_max": 16, "caster": True, "weapons": ["mace", "hand-axe", "short-bow"],
}  # fmt: skip
ELOWEN = {
    "name": "Elowen", "side": "party", "pc": True, "class": "elf", "level": 4, "str": 16, "dex": 14,
    "armour": "light", "hp_max": 15, "caster": True,
    "weapons": ["long-bow", "great-bow", "javelin", "sword", "crossbow"],
}  # fmt: skip
ODO = {
    "name": "Odo", "side": "party", "pc": True, "class": "hobbit", "level": 2, "str": 13, "dex": 16,
    "armour": "light", "hp_max": 9, "weapons": ["short-sword", "sling", "short-bow"],
}  # fmt: skip
GARRICK = {
    "name": "Garrick", "side": "foes", "group": "raiders", "important": True, "class": "fighter", "level": 5,
    "str": 16, "dex": 9, "armour": "heavy", "hp_max": 30, "mounted": True, "weapons": ["lance", "sword"],
}  # fmt: skip
ORC = {
    "name": "Orc", "side": "foes", "hd": "1", "ac": 6, "hp_max": 5, "normal_man": True,
    "weapons": [{"id": "sword", "damage": "1d6", "length": 3}],
}  # fmt: skip
OGRE = {
    "name": "Ogre", "side": "foes", "hd": "4+1", "ac": 5, "size": "ogre", "hp_max": 22,
    "attacks": [{"name": "club", "damage": "1d8+2", "length": 4}],
}  # fmt: skip
TROLL = {
    "name": "Troll", "side": "foes", "hd": "6+3", "ac": 4, "size": "ogre", "hp_max": 30,
    "attacks": [
        {"name": "claw", "damage": "1d6"}, {"name": "claw", "damage": "1d6"}, {"name": "bite", "damage": "1d10"},
    ],
}  # fmt: skip
AUROCHS = {
    "name": "Aurochs", "side": "foes", "kind": "beast", "hd": "3", "ac": 7, "size": "ogre", "hp_max": 16,
    "move": 180, "attacks": [{"name": "gore", "damage": "1d6", "horns": True, "length": 2}],
}  # fmt: skip
TRICERATOPS = {
    "name": "Triceratops", "side": "foes", "kind": "beast", "hd": "11", "ac": 2, "size": "huge", "hp_max": 55,
    "attacks": [{"name": "horns", "damage": "1d8", "horns": True, "length": 7}],
}  # fmt: skip


def bran(**fields: Any) -> Join:
    """Fighter 3: THAC0 19, STR +2, DEX +1, AC 2 with the shield, 5 without shield and DEX; sword 1d6+1; 18 hp."""
    return Join(({**BRAN, **fields},))


def tessa(**fields: Any) -> Join:
    """Thief 5: THAC0 17, DEX +2, AC 5, 7 without DEX; dagger 1d4; 14 hp."""
    return Join(({**TESSA, **fields},))


def marcus(**fields: Any) -> Join:
    """Cleric 4: THAC0 19, STR 17 (+1 as others do), DEX -1, AC 4; mace 1d6+1; 16 hp."""
    return Join(({**MARCUS, **fields},))


def elowen(**fields: Any) -> Join:
    """Elf 4: THAC0 17, STR 16, DEX +1, AC 6; long bow 1d6; 15 hp."""
    return Join(({**ELOWEN, **fields},))


def odo(**fields: Any) -> Join:
    """Hobbit 2: THAC0 19, STR +1, DEX +2, AC 5; short sword 1d6+1; 9 hp."""
    return Join(({**ODO, **fields},))


def garrick(**fields: Any) -> Join:
    """Fighter 5, an important NPC on a horse: THAC0 17, STR +2, AC 3; lance 1d6+1; 30 hp."""
    return Join(({**GARRICK, **fields},))


def orcs(count: int = 1, **fields: Any) -> Join:
    """Orc, or Orc-1 and so on: HD 1, a Normal Man, THAC0 19, AC 6; sword 1d6; 5 hp."""
    return Join(({**ORC, **fields},), count=count)


def ogre(**fields: Any) -> Join:
    """HD 4+1: THAC0 15, AC 5; club 1d8+2; 22 hp."""
    return Join(({**OGRE, **fields},))


def troll(**fields: Any) -> Join:
    """HD 6+3: THAC0 13, AC 4; claw 1d6, claw 1d6, bite 1d10; 30 hp."""
    return Join(({**TROLL, **fields},))


def aurochs(**fields: Any) -> Join:
    """HD 3: THAC0 17, AC 7; horns 1d6 of 2 feet; move 180; 16 hp."""
    return Join(({**AUROCHS, **fields},))


def triceratops(**fields: Any) -> Join:
    """HD 11: THAC0 11, AC 2; horns 1d8 of 7 feet; 55 hp."""
    return Join(({**TRICERATOPS, **fields},))


def since(told: Told, *events: Event) -> Told:
    """The table after these facts, however they came about."""
    return Told(fold(told.state, events), events)


def fighting(*joining: Declaration, phase: str = "melee", nth: int = 1, **options: Any) -> Told:
    """An encounter in some phase of a round, without initiative; `options` are house rules."""
    told = given("arkm", *joining, options=options)
    return since(told, EncounterBegan(1), RoundBegan(nth), PhaseBegan(phase))


def melee(told: Told, *pairs: tuple[str, str], rounds: int = 1) -> Told:
    """These pairs are in melee, since so many rounds before this one, 0 for this round."""
    entered = told.state.turns.round - rounds + 1
    for one, other in pairs:
        told = since(
            told,
            Engaged(one, other),
            Counted(one, "met before round", entered, other, "encounter-end"),
            Counted(other, "met before round", entered, one, "encounter-end"),
        )
    return told


def having(told: Told, who: str, condition: str, **fields: Any) -> Told:
    """The table with a condition that holds for somebody."""
    return since(told, ConditionGained(who, condition, **fields))


def next_round(told: Told, phase: str = "melee") -> Told:
    """The same phase of the next round; nothing but the counts of the round ended."""
    return since(told, RoundBegan(told.state.turns.round + 1), PhaseBegan(phase))


def said(told: Told, *declarations: Declaration) -> Told:
    """The table after these declarations, which need no dice."""
    for declaration in declarations:
        told = told.when(declaration)
    return told


def rolls(told: Told) -> list[tuple[str, str, tuple[int, ...]]]:
    """Who rolled what for what."""
    return [(roll.who, roll.purpose, roll.faces) for roll in told.events if isinstance(roll, Rolled)]


def impossible(told: Told, declaration: Declaration, words: str = "") -> None:
    """The declaration has no meaning, whatever the game master allows."""
    for allow in ("", "because"):
        with pytest.raises(UsageError, match=words or None):
            told.when(declaration, allow=allow)


def needed(told: Told) -> list[int]:
    """The natural rolls needed for the attacks of an action, in order."""
    return [
        number.total
        for event in told.events
        if isinstance(event, Ruled)
        for number in event.numbers
        if number.of == "needed"
    ]


def damages(told: Told) -> list[int]:
    """The damage of the blows of an action, in order."""
    return [
        number.total
        for event in told.events
        if isinstance(event, Ruled) and event.clause == "arkm.damage.order"
        for number in event.numbers
    ]


def hp(told: Told, who: str) -> int:
    """The hit points of somebody."""
    return told.state.harm.hp[who].now


def conditions(told: Told, who: str) -> set[str]:
    """The names of somebody's conditions."""
    return {*told.state.conditions.of.get(who, {})}


def one_on_one(attacker: Join, target: Join, **fields: Any) -> Told:
    """Two in melee with each other since an earlier round; `fields` are those of `fighting`."""
    told = fighting(attacker, target, **{"nth": 2, **fields})
    first, second = told.state.roster.order
    return melee(told, (first, second))


ITEM_ROWS = (
    "spear",
    "mace",
    'id = "axe of iron", damage = "1d6", magic = 1',
    "no such thing",
)
"""Items as the game master may give them with `adjust`, some of them wrong."""
