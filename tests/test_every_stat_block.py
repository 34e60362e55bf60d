"""Each stat block that joins can be fought with: those of the sheets, of the fixtures and their stories, and those read
from text.

It joins, meets somebody, and strikes with each of its weapons and attacks: with a natural 1, 19 and 20, with each row
of the fumble table, and by its odds. Hurt, it can be said again as a stat block.
"""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from commands.action import rulebook, systems
from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.odds.branches import Action
from commands.odds.outcomes import foresee
from commands.pasted.sheet_import import SheetImport, sheets_of
from commands.rules.aachen import melee as aachen_melee
from commands.rules.aachen import ranged as aachen_ranged
from commands.rules.arkm import aim as arkm_aim
from commands.rules.arkm import hands, tables
from commands.rules.arkm import ranged as arkm_ranged
from commands.rules.dungeoneers import attack as dungeoneers_attack
from commands.rules.freepg import aim as freepg_aim
from commands.rules.paraverse import combat as paraverse_combat
from commands.rules.paraverse import resolve as paraverse_resolve
from commands.words.next_steps import with_lacking
from commands.words.sheet_files import example_sheets
from ledger.errors import AffrayError
from ledger.events import Rolled, Ruled
from tests.judge import OWN
from tests.kit import KEY, Told, given, verb_of
from tests.shell import ROOT

from .aachen import table as aachen
from .arkm import table as arkm
from .dungeoneers import table as dungeoneers
from .freepg import table as freepg
from .paraverse import table as paraverse

HERO = arkm.bran(name="Hero", side="others", hp_max=60)
REST = "all: the test"
Blow = tuple[Told, Declaration]
SWARM = "Swarm: HD 1, AC 7 [12], Att 1 x swarm (2 hp), MV 30, ML 8"
ODD = (
    ("nothing", {"attacks": [{"name": "gaze", "damage": "", "special": "stone", "special_on": 15}]}),
    ("a number", {"attacks": [{"name": "sting", "damage": "3"}]}),
    ("a sum", {"attacks": [{"name": "slam", "damage": "1d8+1d6"}]}),
    ("horns", {"attacks": [{"name": "gore", "damage": "2", "horns": True}]}),
    ("a dart", {"weapons": [{"id": "needle", "damage": "1", "kind": "thrown", "ranges": [10, 20, 30]}]}),
    ("a net", {"weapons": [{"id": "net", "damage": ""}]}),
)


def joined(system: str) -> dict[str, dict[str, Any]]:
    """The stat blocks with which somebody joins in a story of the fixtures, each once."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted((ROOT / "fixtures" / system).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for event in json.loads(line).get("events", ()):
                if event["event"] == "joined":
                    sheet = event["sheet"]
                    found.setdefault(json.dumps({**sheet, "name": ""}), (f"{path.stem} {event['who']}", sheet))
    return dict(found.values())


@cache
def sheets(system: str) -> dict[str, dict[str, Any]]:
    """Every stat block of a system, by where it comes from."""
    paths = [Path(path) for path in example_sheets(system).values()]
    paths += sorted((ROOT / "fixtures" / system).glob("*.toml"))
    found = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}
    found |= joined(system)
    if systems.has_module(system, "pasted"):
        texts = {one.name: one.read_text(encoding="utf-8") for one in sorted(OWN.glob("*-*.txt"))}
        for name, text in {**texts, "swarm": SWARM}.items():
            read = tomllib.loads(sheets_of(text, system, SheetImport(move="round")))
            rows = read.get("sheets") or [read]
            found |= {f"{name} {row['name']}": row for row in rows}
    if system == "arkm":
        found |= {name: {"name": "Odd", "side": "monsters", "hd": "2", "hp_max": 9, **more} for name, more in ODD}
    return found


ALL = [(system, name) for system in systems.SYSTEMS for name in sheets(system)]


def _arkm(sheet: dict[str, Any]) -> list[Blow]:
    told = arkm.fighting(arkm.bran(name="Ally", side=sheet["side"], hp_max=40), Join((sheet,)), HERO)
    who = told.state.roster.order[1]
    told = arkm.melee(told, (who, "Hero"), ("Ally", "Hero"))
    view = View(told.state)
    weapons = hands.arsenal(view, view.sheet(who))
    near = [*{line["name"]: 0 for line in sheet.get("attacks", ())}, *(one.id for one in weapons if one.is_("melee"))]
    shots = [one for one in weapons if one.shoots and not sheet.get("men")]
    found: list[Blow] = [(told, arkm_aim.Attack(who, ("Hero",), with_=name)) for name in near]
    return [*found, *((told, arkm_ranged.Shoot(who, "Hero", with_=one.id, distance=10)) for one in shots)]


def _freepg(sheet: dict[str, Any]) -> list[Blow]:
    told = given("freepg", Join((sheet,)), freepg.someone("Hero", health_die=4))
    (who, _), names = (
        told.state.roster.order,
        [item["name"] for item in sheet.get("items", ()) if item["slot"] == "weapon"],
    )
    trap = sheet.get("kind") == "trap"
    return [(told, freepg_aim.Attack(who, ("Hero",), with_=name, distance=1, triggered=trap)) for name in names or [""]]


def _aachen(sheet: dict[str, Any]) -> list[Blow]:
    side = "opp" if sheet.get("side", "pc") == "pc" else "pc"
    told = aachen.fight(Join((sheet,)), aachen.guard("Hero", side=side, kind="npc", hp_max=40))
    who, found = told.state.roster.order[0], []
    for weapon in sheet.get("weapons", ()):
        if weapon.get("skill") == "shoot":
            found.append((told, aachen_ranged.Shoot(who, "Hero", with_=weapon["name"], distance=20)))
        else:
            found.append((told, aachen_melee.Attack(who, "Hero", with_=weapon["name"])))
    return found


def _dungeoneers(sheet: dict[str, Any]) -> list[Blow]:
    told = dungeoneers.fight(
        Join(({**sheet, "equipped": sheet.get("equipped", [])},), at=((0, 0, 0),)),
        dungeoneers.someone("Hero", (5, 5), side="others"),
    )
    who = next(one for one in told.state.roster.order if one != "Hero")
    return [(told, dungeoneers_attack.Attack(who, "Hero"))]


def _paraverse(sheet: dict[str, Any]) -> list[Blow]:
    told = paraverse.planning(Join((sheet,)), paraverse.someone("Hero", "others", 3))
    who = told.state.roster.order[0]
    told = told.when(paraverse_combat.Attack(who, "Hero"), allow=REST)
    return [(paraverse.opened(told, "melee"), paraverse_resolve.Resolve())]


FACES = {"dungeoneers": (1, 4)}
"""Faces of the first die, where a blow is no d20."""
BLOWS = {"arkm": _arkm, "freepg": _freepg, "aachen": _aachen, "dungeoneers": _dungeoneers, "paraverse": _paraverse}


def struck(told: Told, said: Declaration, *faces: int) -> Resolution:
    """A blow with these faces and with dice of the program behind them, whatever the rules say of the occasion."""

    def carry_out(dice: Dice) -> Resolution:
        return resolve(Resolution(told.state, verb_of(said), resolve_names(told.state, said), dice, REST))

    return with_lacking(Dice(stream(KEY), faces=faces, spare=True), carry_out)[0]


@pytest.mark.parametrize(("system", "name"), ALL)
def test_a_stat_block_that_joins_can_be_fought_with(system: str, name: str):
    """With every weapon and attack: a natural 1, 19 and 20, and by the odds, in which nothing is an error."""
    blows = BLOWS[system](sheets(system)[name])
    for told, said in blows:
        for natural in FACES.get(system, (1, 19, 20)):
            fight = struck(told, said, natural)
            assert any(isinstance(event, Rolled) for event in fight.events)
        odds = foresee(Action(told.state, verb_of(said), resolve_names(told.state, said), REST), 1, 60)
        assert [outcome.refused for outcome, _ in odds.outcomes if outcome.refused] == []


HURT = {
    "aachen": [("hp", "1"), ("hp", "0")], "arkm": [("hp", "1"), ("hp", "0")], "freepg": [("hp", "1"), ("hp", "0")],
    "dungeoneers": [("wounds", "1"), ("stress", "1"), ("magica", "0")],
    "paraverse": [("pain", "1"), ("wound", "fractured-leg")],
}  # fmt: skip
"""What can be set of somebody who is hurt."""
UNSAID = {("aachen", "shield")}
"""What is in use although no stat block can say that it is not; in Arkm that is everything."""


def stat_blocks(told: Told, who: str) -> list[Any]:
    """The one with which somebody would join as they are, and the one that they have, without the most hit points."""
    found = (
        rulebook.of(told.state.campaign.system).sheet.as_it_stands(View(told.state), who),
        View(told.state).sheet(who),
    )
    return [replace(one, hp_max=None) if hasattr(one, "hp_max") else one for one in found]


def in_use(told: Told, who: str) -> list[str]:
    """The items in somebody's hands and on their body, as far as a stat block says which."""
    system, items = told.state.campaign.system, told.state.gear.equipped.get(who, ())
    return [item for item in items if system != "arkm" and (system, item) not in UNSAID]


@pytest.mark.parametrize(("system", "name"), ALL)
def test_the_stat_block_of_somebody_as_they_are_is_the_one_with_which_they_joined(system: str, name: str):
    """Who is hurt, or has put an item away, joins from it hurt and so armed."""
    told = given(system, Join((sheets(system)[name],)))
    who = told.state.roster.order[-1]
    now, had = stat_blocks(told, who)
    assert now == had
    for field, value in (*HURT[system], *(("no-equipped", item) for item in in_use(told, who))):
        try:
            then = told.when(Adjust((who,), field, value, "x"))
        except AffrayError:
            continue  # a trap has no hit points
        sheet = rulebook.of(system).sheet.as_it_stands(View(then.state), who)
        again = given(system, Join((to_builtins(sheet),)))
        same = again.state.roster.order[-1]
        assert stat_blocks(again, same)[0] == stat_blocks(then, who)[0], (field, value)
        assert in_use(again, same) == in_use(then, who), (field, value)


@pytest.mark.parametrize("name", sheets("arkm"))
def test_every_row_of_the_fumble_table_is_carried_out(name: str):
    """arkm.fumble.table: also on oneself, by what does a number, several dice or no damage."""
    for told, said in _arkm(sheets("arkm")[name]):
        if sheets("arkm")[name].get("men"):
            continue  # arkm.mass.one-throw: a unit does not fumble
        rows = tables.effects(told.state, "fumble").rows
        for row in rows:
            fight = struck(told, said, 1, 20, row.lo)
            (ruled, *_) = [one for one in fight.events if isinstance(one, Ruled) and one.clause == "arkm.fumble.table"]
            nothing = ruled.outcome.startswith("nothing happens, for ") and row.effect in ("drop", "break")
            assert nothing or ruled.outcome == row.text
