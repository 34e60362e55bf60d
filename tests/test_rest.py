"""Rest by days, and what somebody is told who begins an encounter days after the last one, in every rule system."""

import shlex
from collections.abc import Callable
from pathlib import Path

from tests.shell import Shell, rulings, terms

Later = Callable[..., None]


def opened(shell: Shell, system: str, *said: str) -> Shell:
    """A ledger of a rule system after some commands and an encounter."""
    shell.done("init", "Test", "--system", system)
    for line in said:
        shell.done(*shlex.split(line))
    return shell


def offer(answer: str) -> str:
    """The command that is offered."""
    (line,) = (line for line in answer.splitlines() if line.startswith("Try: "))
    return line.removeprefix("Try: affray ")


def check_put_before(shell: Shell, answer: str) -> None:
    """What is offered works as typed, and the ledger is sound after it."""
    shell.done(*shlex.split(offer(answer)))
    shell.done("verify")


def test_a_rest_in_arkm_is_said_in_one_unit(shell: Shell):
    opened(shell, "arkm", "join fighter", "adjust aldric temporary 5 fists")
    answer = shell.refused("rest", "aldric", "--turns", "2", "--days", "1", code=2)
    assert offer(answer.err) == "rest Aldric --days 1"


def test_arkm_gives_temporary_damage_back_and_no_hit_points(shell: Shell, later: Later):
    """arkm.rest.day: level 3 regains 3 x 144 x 7, at most all of it. The hit points that are lost stay lost."""
    later(0)
    opened(
        shell, "arkm", "join fighter orc", "begin", "end",
        "adjust aldric temporary 5 fists", "adjust aldric hp 9 a sword",
    )  # fmt: skip
    later(7)
    answer = shell.done("begin", "The next one")
    assert answer.splitlines()[1].startswith(
        "7 days since e6. Rest by the book would give: Aldric's temporary damage ends."
    )
    assert "Still hurt then, for the game master to say: Aldric 9/" in answer
    check_put_before(shell, answer)
    assert rulings("arkm.temporary-damage.recovery", 9) == [("", [5])]
    shell.done("end")
    assert "The book does no more for" not in shell.done("rest", "aldric", "--turns", "1")
    rested = shell.done("rest", "aldric", "orc", "--days", "1")  # the orc lacks nothing
    assert "The book does no more for: Aldric 9/44 hp. The game master may say more" in rested
    assert terms("arkm.temporary-damage.recovery", 9) == {"level": 8, "Turns a day": 144, "days": 7, "all of it": 5}
    assert shell.value("Aldric.temporary") is None


def test_aachen_ends_frailty_after_a_week(shell: Shell, later: Later):
    """aachen.mortal.week"""
    later(0)
    opened(
        shell, "aachen", "join adalger gerlind goblin", "begin", "end", "adjust adalger condition frail hurt",
        "adjust gerlind condition frail hurt",
    )  # fmt: skip
    later(6)
    assert "Rest" not in shell.done("begin", "--dry-run")
    assert "Rest" not in shell.done("begin")
    shell.done("undo")
    later(13)
    answer = shell.done("begin")
    assert offer(answer).count("--insert") == 2
    check_put_before(shell, answer)
    assert rulings("aachen.mortal.week", 11) == [("", [13, 7])]
    assert {row["conditions"] for row in shell.facts("status")["rows"].values()} == {""}


def test_aachen_leaves_hit_points_to_the_game_master(shell: Shell):
    """Who rests for days is told of, and who rests for a week to be frail no more is not."""
    opened(shell, "aachen", "join adalger", "adjust adalger hp 9 a wolf")
    assert "The book does no more for: Adalger 9/22 hp." in shell.done("rest", "adalger", "--days", "1")
    shell.done("adjust", "adalger", "condition", "frail", "hurt")
    assert "The book does no more" not in shell.done("rest", "adalger", "--week")


def test_dungeoneers_has_a_full_rest(shell: Shell, later: Later):
    """dungeoneers.wounds.recovery, dungeoneers.stress.rest"""
    later(0)
    opened(
        shell, "dungeoneers", "join freya suori", "begin", "end", "adjust freya wounds 1 a fall",
        "adjust suori stress 1 bats", "adjust suori magica 0 spent",
    )  # fmt: skip
    later(2)
    answer = shell.done("begin")
    assert "rest @party full" in offer(answer)
    check_put_before(shell, answer)
    assert (shell.value("Freya.wounds"), shell.value("Suori.stress")) == ("0", "0")
    shell.done("end")
    said = shell.done("rest", "suori", "freya", "full")  # Freya's magica is whole
    assert "The book does no more for: Suori 0/2 magica. The game master may say more: adjust NAME magica N." in said


def test_paraverse_eases_pain_watch_by_watch(shell: Shell, later: Later):
    """paraverse.rest.day: two days have 12 watches. Wounds wait for treatment."""
    later(0)
    opened(
        shell, "paraverse", "join ildar vasko", "begin", "end", "adjust ildar pain 3 a fall",
        "adjust ildar wound fractured-arm a fall",
    )  # fmt: skip
    later(2.4)
    answer = shell.done("begin")
    assert answer.splitlines()[1].startswith("2 days since e6. Rest by the book would give: Ildar heals 3 pain, now 0")
    check_put_before(shell, answer)
    assert rulings("paraverse.rest.stamina", 9) == [("", [2 * 6])]
    shell.done("adjust", "ildar", "pain", "1", "a fall")
    shell.done("end")
    assert "The book does no more for: Ildar fractured-arm." in shell.done("rest", "--days", "1")
    assert rulings("paraverse.rest.stamina") == [("", [6])]
    assert [terms("paraverse.rest.stamina", entry) for entry in (9, 0)] == [
        {"days": 2, "watches a day": 6}, {"day": 1, "watches a day": 6},
    ]  # fmt: skip


def test_freepg_has_no_rest_and_says_so(shell: Shell, later: Later):
    later(0)
    opened(shell, "freepg", "join jane grub", "begin", "end")
    later(7)
    assert "FReePG" not in shell.done("begin")
    for words in ("end", "adjust jane hp 20 a fall"):
        shell.done(*shlex.split(words))
    later(14)
    said = shell.done("begin").splitlines()[1]
    assert (
        said == "7 days since e7. FReePG has no rest: resting is outside combat; use adjust NAME hp N with the reason."
    )
    shell.refused("rest", "jane", code=2)


def test_nothing_is_offered_on_the_same_evening_or_to_those_who_have_rested(shell: Shell, later: Later):
    """Nor where nobody needs any; foes of the next evening may have joined before, and a rest counts once."""
    later(0)
    opened(shell, "paraverse", "join ildar", "begin", "end", "adjust ildar pain 3 a fall")
    later(0.9)
    assert "Rest" not in shell.done("begin")
    shell.done("end")
    later(8)
    shell.done("join", "vasko")
    shell.done("mark", "the second evening")
    assert offer(shell.done("begin"))
    shell.done("undo")
    shell.done("rest", "--days", "1")
    assert "Rest" not in shell.done("begin")
    shell.done("end")
    shell.done("adjust", "ildar", "pain", "3", "a", "fall")
    later(15)
    shell.done("rest", "--days", "1")
    shell.done("adjust", "ildar", "pain", "3", "another")
    assert "Rest" not in shell.done("begin")
    shell.done("end")
    shell.done("adjust", "ildar", "pain", "0", "a", "potion")
    later(20)
    assert "Rest" not in shell.done("begin")


def test_the_clock_is_in_no_entry_of_rest(shell: Shell, later: Later):
    """What is recorded says the days; played on another day it is the same."""
    heads = []
    for day in (0, 400):
        later(day)
        Path(f"{day}").mkdir()
        ledger = ("--ledger", f"{day}/test.affray")
        shell.done(*ledger, "init", "Test", "--system", "paraverse", "--key", "00" * 32)
        shell.done(*ledger, "join", "ildar")
        shell.done(*ledger, "adjust", "ildar", "pain", "5", "a", "fall")
        shell.done(*ledger, "rest", "--days", "1")
        heads.append(shell.done(*ledger, "log", "--last", "1").strip())
    assert heads[0] == heads[1]


def test_rest_by_days_is_amended_and_undone(shell: Shell):
    opened(shell, "paraverse", "join ildar", "adjust ildar pain 9 a fall", "rest --days 1")
    assert "ildar.pain" in shell.done("status", "--json").casefold()
    shell.done("amend", "e4", "--days", "2", "--apply")
    assert rulings("paraverse.rest.stamina") == [("", [2 * 6])]
    shell.done("verify")
    shell.done("undo")
    shell.done("undo")
    shell.done("verify")
    shell.refused("rest", "--days", "0", code=2)
