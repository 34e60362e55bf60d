"""The least and the greatest number, and the longest text, that each field of a stat block takes."""

from typing import Any

import pytest

from commands.action.common import read_sheet
from ledger.errors import UsageError

LIMITS = {
    "freepg": """
        items.0.attack -100 100, items.0.armor -100 100, items.0.speed -100 100, health_die 1 20, hp 0 1000000,
        hp_max 1 1000000, speed 0 1000, fly 0 1000, extra_attacks 0 100,
        position.0 -100000 100000, position.1 -100000 100000
    """,
    "aachen": """
        level 1 100, mods.STR -100 100, attack_bonus -100 100, skills.stab 0 20, skill_bonus -100 100, hd 1 100,
        ac -100 100, shield_bonus 0 10, hp_max 1 1000000, hp 0 1000000, rate 0 10000, morale 2 12,
        weapons.0.shock.0 0 100, weapons.0.shock.1 0 100, weapons.0.magic 0 10
    """,
    "arkm": """
        str 3 25, dex 3 25, level 0 36, hp_max 1 999, hp 0 999, ac -20 10, armour_magic 0 5, shield_magic 0 5,
        thac0 -10 20, surround_max 1 50, morale 2 12, surprises 0 6, surprised_on 0 6, spell_skill 0 40, men 1 1000,
        move 0 600, saves.paralysis 2 20, weapons.0.length 0 30, weapons.0.magic 0 5, attacks.0.length 0 30,
        attacks.0.special_on 2 20, attacks.0.hit_mod -10 10, attacks.0.routine 1 9
    """,
    "dungeoneers": """
        power 0 10, mind 0 10, initiative -1000 1000, movement_points -100 100, action_points 0 100,
        effects.hit_dice -100 100, vulnerability.cold 1 3, resistance_to.cold 1 3, footprint.0.0 -10 10
    """,
    "paraverse": """
        phy 1 60, per 1 60, fortitude 1 1000, endurance 1 1000, skills.melee -20 40, av 0 1000, shield 0 1000
    """,
}
"""Of each system its fields, each with the least and the greatest number."""
WHOLE = {
    "items": [{"name": "sword", "slot": "weapon"}],
    "position": [0, 0],
    "weapons": {
        "aachen": [{"name": "axe", "damage": "1d6", "shock": [1, 15]}],
        "arkm": [{"id": "axe"}],
    },
    "attacks": [{"name": "bite", "damage": "1d6"}],
    "footprint": [[0, 0]],
}
"""What holds the fields that are named with a dot."""
TEXTS = {
    "freepg": "name 40, seat 40, items.0.name 40",
    "aachen": "name 40, weapons.0.name 40, weapons.0.damage 20, weapons.0.special 200, special.0 1000",
    "arkm": """
        name 40, group 40, class 40, hd 5, hp_dice 20, special.0 1000, steed 40, weapons.0.damage 20,
        attacks.0.damage 20, attacks.0.special 200
    """,
    "dungeoneers": "side 40",
    "paraverse": "name 40",
}
"""Of each system its texts, each with the letters that it has at the most."""


def rows(table: dict[str, str]) -> list[tuple[str, ...]]:
    return [(system, *row.split()) for system, text in table.items() for row in text.split(",")]


def takes(system: str, field: str, value: object) -> bool:
    """Whether a field may have a value; `weapons.0.length` is in the first weapon."""
    first, *rest = field.split(".")
    holder = WHOLE.get(first, [value] if rest[:1] == ["0"] else {})
    side = {} if system == "freepg" else {"side": "pc"}
    sheet = {"name": "Ann", **side, first: put(holder[system] if first == "weapons" else holder, rest, value)}
    try:
        read_sheet(system, sheet)
    except UsageError as error:
        return f" is wrong at {first}" not in error.message
    return True


def put(holder: Any, place: list[str], value: object) -> Any:
    """A copy of a value that holds another one in a place."""
    if not place:
        return value
    if isinstance(holder, list):
        return [put(one, place[1:], value) if str(nth) == place[0] else one for nth, one in enumerate(holder)]
    return {**holder, place[0]: put(holder.get(place[0], {}), place[1:], value)}


@pytest.mark.parametrize(("system", "field", "least", "most"), rows(LIMITS))
def test_a_number_is_neither_less_nor_more_than_its_limits(system: str, field: str, least: str, most: str):
    taken = [takes(system, field, int(end) + step) for end in (least, most) for step in (-1, 0, 1)]
    assert taken == [False, True, True, True, True, False]


@pytest.mark.parametrize(("system", "field", "most"), rows(TEXTS))
def test_a_text_has_no_more_letters_than_its_limit(system: str, field: str, most: str):
    taken = [takes(system, field, "x" * many) for many in (1, int(most), int(most) + 1)]
    assert taken == [True, True, False]
