"""`--allow` overrules one thing: a clause that stands alone, one that is named, or all."""

import json
from pathlib import Path

import pytest

from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from ledger.errors import Refused
from ledger.events import Declared, Overruled
from tests.kit import _Given, given
from tests.shell import Shell, rulings

TABLE = [
    "init test --system freepg",
    "join boffin brak",
    "begin",
    "initiative --dice 15,2",
    "attack boffin brak --dice 2,19",
]


@pytest.fixture
def fight(shell: Shell) -> Shell:
    """Boffin has attacked, and has no second action left: two clauses refuse another attack of his."""
    for line in TABLE:
        shell.done(*line.split())
    shell.done("act", "boffin", "shouts")
    return shell


TWICE, ACTIONS = "freepg.turn.one-attack", "freepg.turn.two-actions"


def overruled(shell: Shell) -> list[tuple[str, str]]:
    """What the last entry overruled, and why."""
    entry = json.loads(shell.done("log", "--json").splitlines()[-1])
    return [(event["clause"], event["reason"]) for event in entry["events"] if event["event"] == "overruled"]


def test_a_reason_alone_overrules_one_clause_and_several_are_listed(fight: Shell):
    """freepg.turn.one-attack, freepg.turn.two-actions"""
    refused = fight("attack", "boffin", "brak", "--dice", "2,19", "--allow", "haste")
    assert refused.code == 1
    said = " ".join(refused.err.split())
    assert said.startswith(
        f"Refused by {TWICE}: Boffin has already attacked this turn. {ACTIONS} refuses it too: Boffin has no"
    )
    assert "Try: affray attack Boffin Brak --dice 2,19 --allow 'all: haste'" in said
    for why in ("haste", "haste: a potion", ": haste"):
        assert fight("attack", "boffin", "brak", "--allow", why, "--json").json["clauses"] == [TWICE, ACTIONS]


def test_one_that_is_named_leaves_the_others(fight: Shell):
    """freepg.turn.one-attack, freepg.turn.two-actions"""
    refused = fight("attack", "boffin", "brak", "--dice", "2,19", "--allow", f"{TWICE}: twice a day")
    assert refused.err.startswith(f"Refused by {ACTIONS}: Boffin has no action left")
    refused = fight("attack", "boffin", "brak", "--dice", "2,19", "--allow", f"{ACTIONS}: twice a day")
    assert refused.err.startswith(f"Refused by {TWICE}: Boffin has already attacked this turn.")


def test_where_the_rules_hand_over_nothing_both_are_offered_for_the_same_reason(shell: Shell):
    """freepg.dying.no-actions, freepg.area.not-attacker: Brak is dead, and strikes himself."""
    for line in ("init test --system freepg", "join brak", "begin", "initiative --dice 2", "adjust brak hp 0 poison"):
        shell.done(*line.split())
    for named, other in (("dying.no-actions", "area.not-attacker"), ("area.not-attacker", "dying.no-actions")):
        refused = shell("attack", "brak", "brak", "--dice", "2", "--allow", f"freepg.{named}: spite").err
        assert refused.startswith(f"Refused by freepg.{other}:")
        assert "Try: affray attack Brak Brak --dice 2,- --allow 'all: spite'" in refused


def test_all_overrules_them_all_and_the_reason_is_recorded_without_the_prefix(fight: Shell):
    """freepg.turn.one-attack, freepg.turn.two-actions"""
    fight.done("attack", "boffin", "brak", "--dice", "2,19", "--allow", "all: haste")
    assert overruled(fight) == [(TWICE, "haste"), (ACTIONS, "haste")]
    fight.done("verify")


def test_a_clause_that_is_named_is_that_clause_and_any_other_prefix_is_part_of_the_reason(shell: Shell):
    """freepg.turn.one-attack: Boffin has an action left, so that it stands alone."""
    for line in TABLE:
        shell.done(*line.split())
    for reason in ("freepg.turn.out-of-turn:x", "freepg.turn.out-of-turn: x", "freepg.no-such-clause: x"):
        refused = shell("attack", "boffin", "brak", "--dice", "2,19", "--allow", reason)
        assert refused.err.startswith(f"Refused by {TWICE}: Boffin has already attacked this turn.")
        assert f"{reason.partition(':')[0]} is another clause." in " ".join(refused.err.split())
        assert f"Try: affray attack Boffin Brak --dice 2,19 --allow '{TWICE}: x'" in refused.err
    for reason, kept in ((f"{TWICE}: twice a day", "twice a day"), (f"{TWICE}:x", "x"), ("note: quick", "note: quick")):
        shell.done("attack", "boffin", "brak", "--dice", "2,19", "--allow", reason)
        assert overruled(shell) == [(TWICE, kept)]
        shell.done("undo")


def test_an_entry_that_was_recorded_before_keeps_its_meaning():
    """A bare reason that overruled two clauses does so when its entry is resolved again; typed now it does not."""
    from commands.action.dice_sources import Dice
    from commands.action.procedures import resolve
    from commands.action.resolution import Resolution
    from commands.rules.freepg.turns import Act, Initiative
    from tests.freepg.table import boffin, brak

    told = given("freepg", boffin(), brak(), Begin(), (Initiative(), [15, 2]))
    told = told.when(Attack("Boffin", ("Brak",)), [2, 19]).when(Act("Boffin", "shouts"))
    again = Attack("Boffin", ("Brak",))
    with pytest.raises(Refused, match="refuses it too"):
        _Given(told).when(again, [2, 19], "haste")
    before = (Declared("attack", {}, "haste"), Overruled(TWICE, "", "haste"), Overruled(ACTIONS, "", "haste"))
    with pytest.raises(Refused, match="refuses it too"):
        resolve(Resolution(told.state, "attack", again, Dice(faces=[2, 19]), "haste", recorded=before[:2]))
    fight = resolve(Resolution(told.state, "attack", again, Dice(faces=[2, 19]), "haste", recorded=before))
    assert [event.reason for event in fight.events if isinstance(event, Overruled)] == ["haste", "haste"]


def test_an_offer_keeps_the_damage_die_of_a_miss(shell: Shell):
    """aachen.ranged.two-handed-in-contact: 2 + 3 misses AC 13, and the 4 for the damage stays: 15 + 3 hit,
    for 4 + 1 of dexterity.
    """
    block = shell.done("sheet", "gerlind", "--system", "aachen")
    Path("bow.toml").write_text("".join(line for line in block.splitlines(True) if "javelin" not in line))
    shell.done("init", "test", "--system", "aachen")
    for line in ("join bow.toml goblin", "begin", "initiative --dice 1,8", "attack goblin gerlind --dice 2"):
        shell.done(*line.split())
    shell.refused("shoot", "gerlind", "goblin", "--dice", "2,4", clause="aachen.ranged.two-handed-in-contact")
    shell.done("shoot", "gerlind", "goblin", "--dice", "2,4", "--allow", "x")
    now = shell.course("e6", "--dice", "15", "--because", "a 15", "--apply")[6][1]
    assert now
    assert rulings("aachen.damage.roll", now) == [("", [4 + 1])]
