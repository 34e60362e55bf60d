"""The combatants of the examples, and short words for setting up a table."""

from typing import Any

import pytest

from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.rules.freepg.encounter import Begin
from commands.rules.freepg.turns import Initiative
from ledger.errors import UsageError
from tests.kit import Told, given

SWORD = {"name": "sword", "slot": "weapon", "attack": 2}
BOW = {"name": "bow", "slot": "weapon", "attack": 1}
RING = {"name": "ring of force", "slot": "ring", "damage": 1}
HELM = {"name": "helm", "slot": "head", "defense": 1}
MAIL = {"name": "mail", "slot": "armor", "armor": 2}


def someone(name: str, at: tuple[int, ...] | None = None, **fields: Any) -> Join:
    """Somebody joins, with the fields of the sheet."""
    square = None if at is None else (*at, 0)[:3]
    return Join(({"name": name, **fields},), at=() if square is None else (square,))


def boffin(*items: dict[str, Any], at: tuple[int, ...] | None = None, **fields: Any) -> Join:
    """Boffin, 55 hp, with some of his items; bare without any."""
    return someone("Boffin", at, health_die=10, items=list(items), **fields)


def jane(*items: dict[str, Any], at: tuple[int, ...] | None = None, **fields: Any) -> Join:
    """Jane, 52 hp."""
    return someone("Jane", at, health_die=4, items=list(items), **fields)


def grub(at: tuple[int, ...] | None = None, name: str = "Grub", **fields: Any) -> Join:
    """Grub, a small enemy of 20 hp."""
    return someone(name, at, kind="enemy", size="small", **fields)


def brak(at: tuple[int, ...] | None = None) -> Join:
    """Brak, a medium enemy of 30 hp with a flat bonus of 2, two squares across."""
    return someone("Brak", at, kind="enemy", size="medium", flat_bonus=2)


ALL_ITEMS = (SWORD, RING, HELM, MAIL)


def table(*joining: Declaration, **options: Any) -> Told:
    """Combatants at a table, before any encounter: nothing is counted."""
    return given("freepg", *joining, options=options)


def fight(*joining: Declaration, first: str, ground: dict[str, Any] | None = None, **options: Any) -> Told:
    """An encounter with turns, in which the seat named won the first turn."""
    told = table(*joining, **options).when(Begin(map=ground or {}))
    seats = told.state.turns.order
    return told.when(Initiative(), [19 if seat == first else 2 for seat in seats])


def impossible(told: Told, declaration: Declaration, words: str = "") -> None:
    """The declaration has no meaning, whatever the game master allows."""
    for allow in ("", "because"):
        with pytest.raises(UsageError) as error:
            told.when(declaration, allow=allow)
        assert words in error.value.message


ITEM_ROWS = (
    'name = "band", slot = "ring", damage = 2',
    'name = "axe", slot = "weapon", attack = 9',
    "band",
)
"""Items as the game master may give them with `adjust`, some of them wrong."""
