"""Slips: words that no verb understands lead to the command that was meant, which works as it is offered."""

import contextlib
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from commands.action.systems import folder
from commands.words.examples import blocks
from ledger.sqlite import SqliteStore
from tests.shell import Answer, Shell

pytestmark = pytest.mark.slow

MOMENTS = tomllib.loads((Path(__file__).parent / "slips.toml").read_text(encoding="utf-8"))["moment"]


def test_nineteen_of_twenty_slips_lead_to_a_line_in_every_rule_system():
    slips = [line for moment in MOMENTS for _, line in moment["slips"]]
    assert len(slips) >= 60
    assert {moment["system"] for moment in MOMENTS} == {"aachen", "arkm", "dungeoneers", "freepg", "paraverse"}
    assert sum(not line for line in slips) * 20 <= len(slips)


def demo(system: str) -> list[str]:
    """The commands of the demo fight of a rule system."""
    return [line for block in blocks(str(Path(folder(system)) / "demo.fight")) for line in block]


def meant(answer: Answer) -> list[str]:
    """The lines that an answer offers for what was meant, without what only explains a verb or can be done now."""
    said = answer.err.partition("What can be done now:")[0].splitlines()
    lines = [line.removeprefix("Try: affray ") for line in said if line.startswith("Try: affray ")]
    return [line for line in lines if not line.endswith("--help")]


def head() -> int:
    """The number of the last entry."""
    with contextlib.closing(SqliteStore.open("test.affray")) as store:
        return store.head().entry


@pytest.mark.parametrize("moment", MOMENTS, ids=[f"{nth}-{one['system']}" for nth, one in enumerate(MOMENTS, 1)])
def test_a_slip_leads_to_the_line_that_was_meant(moment: dict[str, Any], shell: Shell):
    """The shell of the tests types each line that is offered in a copy. A slip records nothing."""
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", moment["system"], "--key", "00" * 32)
    for line in moment.get("before") or demo(moment["system"]):
        if head() == moment.get("demo"):
            break
        shell.done(*shlex.split(line))
    ledger = Path("test.affray").read_bytes()
    found = []
    for slip, _ in moment["slips"]:
        answer = shell(*shlex.split(slip))
        offered = meant(answer)
        found.append([slip, "does" if answer.code == 0 else offered[0] if offered else ""])
        if answer.code == 0:
            Path("test.affray").write_bytes(ledger)
        assert Path("test.affray").read_bytes() == ledger, slip
    assert found == moment["slips"]


def test_what_nobody_meant_is_not_offered(shell: Shell):
    """Nobody is harmed, renamed or sent away whom nobody named; no verb is offered by its spelling alone."""
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    for words in (("join", "boffin", "jane"), ("join", "grub"), ("begin",), ("initiative", "--dice", "14,12,11")):
        shell.done(*words)
    for slip in ("damage guard 3", "leave", "rename", "stab maelis goblin", "corm cleaves ute"):
        assert {line.split()[0] for line in meant(shell(*shlex.split(slip)))} <= {"note", "show"}, slip


def test_where_the_rules_refuse_what_was_meant_they_say_why(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    shell.done("join", "boffin")
    answer = shell.refused("equip", "sword", code=2, says="If you mean draw Boffin sword: ")
    assert "Boffin has sword equipped already." in answer.err


def test_what_takes_a_sum_stands_below_its_roll(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    shell.done("join", "boffin")
    told = shell("damage", "boffin", "2d6", "a", "beam", "falls").err.splitlines()
    assert told[-2:] == ["Try: affray roll 2d6", "(then, with the sum for N: affray damage Boffin N 'a beam falls')"]


def test_another_ledger_is_opened_by_its_file(shell: Shell):
    for name in ("ford", "mill"):
        shell.done("--ledger", f"{name}.affray", "init", name, "--system", "freepg")
    for slip in ("open mill.affray", "use ford.affray", "switch to mil.affray"):
        file = "ford.affray" if "ford" in slip else "mill.affray"
        assert meant(shell("--ledger", "ford.affray", *slip.split())) == [f"--ledger {file} status"], slip


@pytest.mark.parametrize(("slip", "offered"), [("disputess", "disputes"), ("logg --name Nobody", "log --name Nobody")])
def test_what_is_only_tried_prints_nothing(slip: str, offered: str, shell: Shell):
    """A command that looks is carried out to see whether it works; what it answers is not told."""
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    answer = shell(*slip.split())
    assert answer.out == ""
    assert answer.err.splitlines() == [f"Error: There is no verb '{slip.split()[0]}'.", f"Try: affray {offered}"]


def test_an_example_that_is_offered_has_no_dice_that_nobody_threw(shell: Shell):
    """The examples of the book are played with some; who takes one throws their own."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("begin", "--from", "crypt")
    shell.done("round")
    for _ in range(3):
        shell.done("turn")
        shell.done("done")
    offered = shell("cast").err
    assert "Try: affray cast " in offered
    assert "--dice" not in offered


def test_an_action_that_the_rules_refuse_is_not_answered_with_a_look(shell: Shell):
    """`re` is the beginning of resolve, and no guess at what else it could be goes before what the rules offer."""
    shell.done("init", "test", "--system", "paraverse")
    shell.done("begin", "--from", "gatehouse")
    shell.done("join", "thrall", "--count", "2", "--area", "yard")
    shell.done("round")
    shell.done("attack", "sigrun,hakon", "reaver")
    shell.done("attack", "reaver", "sigrun")
    shell.done("phase", "melee", "--pass-rest")
    offered = [line for line in shell("re").err.splitlines() if line.startswith("Try: ")]
    assert offered[0] == "Try: affray skirmish Hakon Thrall-1"
    assert "Try: affray show" not in offered


def test_of_two_deeds_in_one_line_the_second_stands_below_the_first(shell: Shell):
    """It is tried as if the first were done: nobody shoots a broadsword."""
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "paraverse")
    for line in ("join sigrun reaver", "begin", "round"):
        shell.done(*line.split())
    said = shell.refused(
        "draw", "sigrun", "knives,", "then", "shoot", "sigrun", "reaver", code=2, says="draw has no place for"
    ).err
    assert said.endswith("Try: affray draw Sigrun knives\n(then: affray shoot Sigrun Reaver)\n")


def test_a_name_that_nobody_has_is_told_and_a_ledger_stands_before_the_verb(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "paraverse")
    for line in ("join sigrun reaver", "begin", "round"):
        shell.done(*line.split())
    shell.refused("attack", "reaver-3", "sigrun", "4", "5", code=2, says="Nobody at the table is called 'reaver-3'.")
    said = shell.refused("status", "--ledger", "test.affray", code=2, says="No such option '--ledger'").err
    assert "Try: affray --ledger test.affray status" in said
    said = shell.refused("status", "--ledger", "nobody.affray", code=2, says="No such option '--ledger'").err
    assert "nobody.affray" not in said, "there is no such ledger"


def test_what_the_second_deed_costs_stands_behind_it(shell: Shell):
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    for line in ("join boffin jane", "join grub", "begin", "initiative --dice 14,4,3"):
        shell.done(*line.split())
    said = shell.refused("attack", "boffin", "grb;", "done", code=3, says="Nobody at the table is called 'grb;'").err
    assert said.endswith("Try: affray attack Boffin Grub\n(then: affray done (gives up Boffin's action))\n")


def test_the_example_of_lacking_dice_keeps_those_that_were_typed(shell: Shell):
    """In the order in which the dice are needed, also where one was typed with who threw it."""
    shell.done("--ledger", "test.affray", "init", "Slips", "--system", "freepg")
    for line in ("join boffin jane", "join grub", "begin", "initiative --dice 14,4,3"):
        shell.done(*line.split())
    shell.refused("attack", "boffin", "grub", "--dice", "9", code=2, says="Give them all, as --dice 9,14 -")
    shell.refused("attack", "boffin", "grub", "--dice", "grub:9", code=2, says="Give them all, as --dice 14,9 -")
