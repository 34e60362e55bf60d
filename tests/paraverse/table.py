"""The combatants of the examples, and short words for setting up a table."""

from collections.abc import Iterable
from typing import Any

import pytest

from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.rules.paraverse.encounter import Begin
from commands.rules.paraverse.phases import Phase, Round
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import UsageError
from ledger.events import Rolled
from tests.kit import Told, given

SIGRUN = {
    "name": "Sigrun", "side": "party", "player": True, "phy": 13, "dex": 11, "con": 12, "wil": 11, "per": 9, "av": 5,
    "shield": 2, "hand": "broadsword",
    "skills": {"weapon-and-shield": 6, "one-handed": 5, "evasion": 2, "throwing": 2, "athletics": 3},
    "weapons": {"broadsword": {"use": "melee", "base": 7}, "knives": {"use": "throwing", "base": 5}},
}  # fmt: skip
ILDAR = {
    "name": "Ildar", "side": "party", "player": True, "dex": 13, "per": 12, "av": 2, "hand": "short bow",
    "skills": {"marksman": 6, "evasion": 4, "one-handed": 1, "acrobatics": 4},
    "weapons": {"short bow": {"use": "marksman", "base": 7}, "dagger": {"use": "melee", "base": 4}},
}  # fmt: skip
REAVER = {
    "name": "Reaver", "side": "foes", "phy": 12, "dex": 9, "con": 11, "wil": 9, "av": 3, "hand": "greataxe",
    "skills": {"two-handed": 4, "evasion": 0},
    "weapons": {"greataxe": {"use": "melee", "hands": 2, "base": 10}},
}  # fmt: skip
VASKO = {
    "name": "Vasko", "side": "foes", "dex": 11, "con": 9, "wil": 8, "av": 1, "hand": "crossbow",
    "skills": {"marksman": 3, "evasion": 1, "one-handed": 1},
    "weapons": {"crossbow": {"use": "marksman", "base": 9}, "club": {"use": "melee", "base": 5}},
}  # fmt: skip


def sigrun(**fields: Any) -> Join:
    """Fortitude 6, Endurance 6, C 12, AV 5; broadsword 7 at +6 with the shield up, +5 without."""
    return Join(({**SIGRUN, **fields},))


def ildar(**fields: Any) -> Join:
    """Fortitude 5, Endurance 5, C 10, AV 2; short bow 7 at +6."""
    return Join(({**ILDAR, **fields},))


def reaver(**fields: Any) -> Join:
    """Fortitude 5, Endurance 6, C 11, AV 3; greataxe 10 at +4."""
    return Join(({**REAVER, **fields},))


def vasko(**fields: Any) -> Join:
    """Fortitude 4, Endurance 5, C 9, AV 1; crossbow 9 at +3."""
    return Join(({**VASKO, **fields},))


def someone(name: str, side: str, skill: int = 0, **fields: Any) -> Join:
    """A fighter with a club of base 5; everything else is 10."""
    skills, weapons = {"one-handed": skill}, {"club": {"use": "melee", "base": 5}}
    return Join(({"name": name, "side": side, "hand": "club", "skills": skills, "weapons": weapons, **fields},))


ALL = (sigrun(), ildar(), reaver(), vasko())


def planning(*joining: Declaration, **fields: Any) -> Told:
    """An encounter in the planning of its first round; fields of `begin` by name, the others are house rules."""
    ground = {name: tuple(fields.pop(name)) for name in ("areas", "link", "at") if name in fields}
    return said(given("paraverse", *joining, options=fields), Begin(**ground), Round())


def said(told: Told, *declarations: Declaration) -> Told:
    """The table after these declarations, which need no dice."""
    for declaration in declarations:
        told = told.when(declaration)
    return told


def opened(told: Told, phase: str) -> Told:
    """The phase is opened; anyone who declared nothing passes."""
    return told.when(Phase(phase, pass_rest=told.state.turns.phase == "planning"))


def resolved(told: Told, phase: str, dice: Iterable[int]) -> Told:
    """All that was declared for a phase is resolved, with these dice."""
    return opened(told, phase).when(Resolve(), list(dice))


def next_round(told: Told) -> Told:
    """Planning of the next round; everything of this one is resolved."""
    return said(opened(told, "end") if told.state.turns.phase != "end" else told, Round())


def became(told: Told, who: str) -> str:
    """How the action of somebody was settled in this round; "" while it waits."""
    outcome = told.state.pending.outcome("declared", who)
    return outcome.how if outcome else ""


def rolls(told: Told) -> list[tuple[str, str, tuple[int, ...]]]:
    """Who rolled what for what."""
    return [(roll.who, roll.purpose, roll.faces) for roll in told.events if isinstance(roll, Rolled)]


def impossible(told: Told, declaration: Declaration, words: str = "") -> None:
    """The declaration has no meaning, whatever the game master allows."""
    for allow in ("", "because"):
        with pytest.raises(UsageError, match=words or None):
            told.when(declaration, allow=allow)


ITEM_ROWS = (
    'name = "axe", use = "melee", base = 6',
    'use = "melee", base = 6',
    "axe",
)
"""Items as the game master may give them with `adjust`, some of them wrong."""
