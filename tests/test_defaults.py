"""What is so where nothing else is said: of a stat block, of a row of a table, of an event, at the start of a ledger.

Old ledgers and people's own files leave out what is so by default; a default that changed would change what they say.
Those of the verbs stand on the pages in `docs/verbs`.
"""

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

import commands
import ledger
import projections
from commands.action.declaration import Declaration
from commands.action.mistakes import allowed
from tests.test_golden import FIXTURES, same

DEFAULTS: dict[str, dict[str, Any]] = {
    "commands.action.board.Bar": {"kind": "left"},
    "commands.action.book.Need": {"certain": True},
    "commands.action.cards.System": {"players": ("party",), "version": 1},
    "commands.action.cards.Window": {"clause": "table.window"},
    "commands.pasted.families.Family": {"ordered": True, "paired": True},
    "commands.look.precedents.DisputeRecord": {"status": "open", "stands": True},
    "commands.rules.aachen.sheet.Sheet": {"side": "pc", "kind": "pc", "level": 1, "ac": 10, "hp_max": 1, "rate": 30,
        "shield_bonus": 1,
    },
    "commands.rules.aachen.tables.Weapon": {
        "skill": "stab", "attr": "STR", "hands": 1, "reload": "none", "ready": True,
    },
    "commands.rules.arkm.stat_block.AttackLine": {"special_on": 20, "routine": 1},
    "commands.rules.arkm.stat_block.Sheet": {
        "armour": "none", "shield": "none", "size": "human", "move": 120, "trained": ("*",), "intelligent": True,
        "surprises": 2, "surprised_on": 2,
    },
    "commands.rules.arkm.stat_block.Weapon": {
        "damage": "1d4", "kind": "melee", "hands": 1, "size": "M", "loaded": True,
    },
    "commands.rules.arkm.tohit.Blow": {"direction": "front", "sets": 1},
    "commands.rules.dungeoneers.stat_block.Sheet": {
        "side": "dungeoneers", "size": "medium", "power": 1, "prowess": 1, "endurance": 1, "resistance": 1, "spell": 1,
        "mind": 1, "movement_points": 1, "dodge_die": 4, "spell_pierce_die": 4, "position": (0, 0), "facing": "N",
    },
    "commands.rules.dungeoneers.tables.Armor": {"slot": "wield"},
    "commands.rules.dungeoneers.tables.Focus": {"slot": "wield"},
    "commands.rules.dungeoneers.tables.Improvised": {"slot": "wield"},
    "commands.rules.dungeoneers.tables.Item": {"slot": "wield"},
    "commands.rules.dungeoneers.tables.Spell": {"save_score": "resistance", "ap": 1, "hit_die": 4, "save_die": 4},
    "commands.rules.dungeoneers.tables.Tome": {"slot": "wield"},
    "commands.rules.dungeoneers.tables.Weapon": {"slot": "wield"},
    "commands.rules.freepg.aim.Aim": {"distance": 1, "radius": 1},
    "commands.rules.freepg.stat_block.Item": {"equipped": True},
    "commands.rules.freepg.stat_block.Sheet": {"kind": "pc", "size": "small", "speed": 5, "fly": 3},
    "commands.rules.paraverse.gm.Found": {"hands": 1},
    "commands.rules.paraverse.stat_block.Sheet": {
        "area": "here", "phy": 10, "dex": 10, "con": 10, "wil": 10, "cog": 10, "emp": 10, "per": 10,
    },
    "commands.rules.paraverse.stat_block.Weapon": {"hands": 1},
    "ledger.dice.Epoch": {"first": 1, "first_hidden": 1},
    "ledger.events.encounter.Counted": {"until": "round-end"},
    "ledger.events.encounter.EncounterBegan": {"ordered": True},
    "ledger.events.harm.ConditionGained": {"until": "removed"},
    "ledger.events.positions.LinkLaid": {"move": True, "see": True},
    "ledger.events.declared.Ruled": {"nth": 1},
    "ledger.events.declared.Step": {"op": "+"},
    "projections.encounter.Encounter": {"ordered": True},
    "projections.encounter.Skirmish": {"sides": ((), ())},
    "projections.harm.Condition": {"until": "removed"},
    "projections.positions.Link": {"move": True, "see": True},
}  # fmt: skip
"""All that is not empty, no or nothing."""
UNBOUNDED = {"a text", "a list, each of them a text", "a whole number", "true or false", "another value"}
"""What says neither limits nor choices."""
OF_NO_RECORD = {"commands.past.soundness", "commands.past.findings"}
"""Modules whose structs are made whole by the program."""


@cache
def structs_of_the_program() -> tuple[type[Struct], ...]:
    """Every struct, in the order of their names."""
    return tuple(_structs())


def _structs() -> Iterator[type[Struct]]:
    for package in (commands, ledger, projections):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if ".launch" in module.name or module.name in OF_NO_RECORD:
                continue
            for _, kind in inspect.getmembers(import_module(module.name), inspect.isclass):
                if issubclass(kind, Struct) and kind.__module__ == module.name:
                    yield kind


def taken(kind: Any) -> str:
    """What a type takes, in words; of names with values what the values are."""
    if get_origin(kind) is dict:
        return f"names with values, each of them {taken(get_args(kind)[1])}"
    return allowed(kind)


def test_what_each_field_takes():
    """`fixtures/fields.txt`: limits and choices of all that people type and write, and of what ledgers hold."""
    told = [
        f"{kind.__module__}.{kind.__name__}.{name}: {words}"
        for kind in structs_of_the_program()
        if issubclass(kind, Declaration) or kind.__module__.startswith(("commands.rules.", "ledger.events."))
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if name in kind.__struct_fields__ and (words := taken(hint)) not in UNBOUNDED
    ]
    same(FIXTURES / "fields.txt", "\n".join(told) + "\n")


def test_what_is_not_said_is_empty_no_or_nothing_but_for_these():
    found: dict[str, dict[str, Any]] = {}
    for kind in structs_of_the_program():
        if issubclass(kind, Declaration):
            continue
        for field in structs.fields(kind):
            if isinstance(field.default, Struct):  # an aspect of the state, which is one of the parts
                continue
            if field.default is not structs.NODEFAULT and field.default:
                found.setdefault(f"{kind.__module__}.{kind.__name__}", {})[field.name] = field.default
    assert found == DEFAULTS
