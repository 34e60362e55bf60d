"""Finding: the entries at which a condition became true, and what a condition means."""

import json

import pytest

from commands.action.values import agree, meant
from commands.look.find import Criterion, read_criteria
from ledger.errors import NameUnknown, UsageError
from tests.sample import sampled
from tests.shell import Shell

FOUND = {
    # Brak has 30; a blow for 14 leaves 16, the next one nothing.
    ("freepg", "brak.hp < 20"): [15],
    ("freepg", "brak.hp <= 0"): [26],
    # 19 hp; all of it is lost to a natural 20, a potion gives 10, a salve 8.
    ("freepg", "tilda.hp > 5"): [2, 16],
    ("freepg", "tilda.mortally wounded"): [11],
    ("dungeoneers", "ulfarmi.grappled"): [46],
    ("dungeoneers", "freya.stress >= 4"): [33],
    ("paraverse", "ildar.down = unconscious"): [13],
    ("paraverse", "phase = melee"): [13, 24, 38],
    ("paraverse", "sigrun.area != yard"): [1, 38],
    ("paraverse", "hakon.ward"): [16],
}
"""For conditions in the demo fights the entries at which they became true."""


def demo(shell: Shell, system: str) -> Shell:
    """The demo fight of a rule system, in test.affray."""
    shell.done("demo", system, "--file", "test.affray")
    return shell


@pytest.mark.parametrize(("asked", "found"), sampled(FOUND.items(), 4, True), ids=[" ".join(asked) for asked in FOUND])
def test_when_a_condition_became_true(shell: Shell, asked, found):
    system, condition = asked
    demo(shell, system)
    lines = shell.done("find", condition, "--json").splitlines()
    assert [int(line.split(",")[0].removeprefix('{"entry":')) for line in lines] == found


def test_several_conditions_must_hold_together(shell: Shell):
    """Tilda is dying from e11 on, and round 2 begins at e17, when she is up again."""
    demo(shell, "freepg")
    assert shell("find", "tilda.hp > 5", "round = 2").out.startswith("John's turn ends; round 2; Jane's turn  e17\n")
    assert shell("find", "tilda.down", "round = 2").err == "No entry ever matched.\n"


def test_find_shows_the_values_before_and_after(shell: Shell):
    told = demo(shell, "freepg").done("find", "brak.hp < 20").splitlines()
    assert told[0].startswith("Boffin attacks Brak: ")
    assert told[-1] == "    Brak.hp: 30 -> 16"


def test_each_time_is_found_even_if_it_did_not_last(table: Shell):
    """The condition holds at e3, and no longer at e4, and again at e5."""
    table.done("join", "tilda")
    for hp in (0, 30, 0):
        table.done("adjust", "tilda", "hp", str(hp), "a test")
    assert [json.loads(line)["entry"] for line in table.done("find", "tilda.hp = 0", "--json").splitlines()] == [3, 5]


def test_what_was_undone_does_not_count(table: Shell):
    table.done("join", "tilda")
    table.done("adjust", "tilda", "hp", "0", "a test")
    table.done("undo")
    assert table.done("find", "tilda.hp = 0") == ""
    table.done("redo")
    assert table("find", "tilda.hp = 0", "--json").json["entry"] == 3


def test_somebody_who_left_can_still_be_found(table: Shell):
    table.done("join", "grub")
    table.done("adjust", "grub", "hp", "0", "a test")
    table.done("leave", "grub")
    assert table("find", "grub.hp < 5", "--json").json["entry"] == 3
    assert table("why", "grub.hp", "--json").json["value"] == "-"
    assert table.done("log", "--name", "gru", "--json").count('"entry":') == 3


def test_find_shares_its_filters_with_log(shell: Shell):
    """In the first round Boffin hurts Brak, and Tilda both grubs; Jane shot before, and again in the second."""
    demo(shell, "freepg")
    for words in (["--kind", "hp-lost"], ["--round", "1", "--kind", "hp-lost"], ["--name", "jane", "--encounter", "1"]):
        found, listed = shell.done("find", *words), shell.done("log", *words)
        assert found == listed
    assert [line[-3:] for line in shell.done("find", "--kind", "felled", "--brief").splitlines()] == [
        "e11",
        "e19",
        "e26",
    ]
    assert shell.done("find", "brak.hp < 20", "--round", "2") == ""
    assert shell("find", "--round", "7").err == "Nothing that stands passes these filters.\n"
    assert shell("find", "--kind", "felled", "--last", "1", "--json").json["entry"] == 26
    shell.refused("find", "--kind", "fallen", code=2)


def test_conditions_are_read_as_people_write_them():
    read = lambda *words: [(one.name, one.sign, one.value) for one in read_criteria(words)]  # noqa: E731
    assert read("kira.hp<0") == read("kira.hp", "<", "0") == read(" kira.hp  < 0 ") == [("kira.hp", "<", "0")]
    assert read("kira.prone", "b.hp >= 3") == [("kira.prone", "", ""), ("b.hp", ">=", "3")]
    assert read("a.area == old mill") == [("a.area", "=", "old mill")]
    for wrong in ("", "< 3", "kira.hp <", "kira.hp < x", "="):
        with pytest.raises(UsageError):
            read_criteria([wrong])


@pytest.mark.parametrize(
    ("condition", "held", "holds"),
    [
        (("hp", "<", "0"), "-3", True),
        (("hp", "<", "0"), "0", False),
        (("hp", "<", "5"), "-", False),
        (("hp", "<=", "5"), "5", True),
        (("hp", ">", "-1"), "0", True),
        (("at", ">", "1"), "3,2", False),
        (("area", "=", "Old Mill"), "old mill", True),
        (("area", "!=", "mill"), "-", True),
        (("down", "=", "-"), "-", True),
        (("down", "", ""), "dead", True),
        (("down", "", ""), "-", False),
        (("stress", "", ""), "0", False),
        (("turn", "", ""), "nobody's", False),
    ],
)
def test_what_a_condition_means(condition, held, holds):
    assert Criterion(*condition).holds(held) is holds


def test_a_name_may_be_shortened_while_it_is_clear():
    board = ["Kira.hp", "Kira.hp-max", "Kirsten.hp", "Kirsten.mortally wounded", "round"]
    assert meant(board, "kira.hp") == "Kira.hp"
    assert meant(board, "kira.hp-") == "Kira.hp-max"
    assert meant(board, "kirs.m") == meant(board, "KIRSTEN.mortally-wounded") == "Kirsten.mortally wounded"
    assert meant(board, "rou") == "round"
    assert meant(board, "kira.mort") == "Kira.mortally wounded", "she never was, but somebody else is"
    with pytest.raises(NameUnknown, match=r"could be Kira.hp, Kirsten.hp"):
        meant(board, "kir.hp")
    with pytest.raises(NameUnknown, match=r"Nothing on the board is called 'k.x'"):
        meant(board, "k.x")


def test_what_agrees_with_a_sheet():
    assert agree("12", "12")
    assert agree("-", "0")
    assert agree("-", "no")
    assert agree("until the end of the round", "yes")
    assert not agree("12", "1")
    assert not agree("-", "yes")


def test_wrong_conditions_are_refused(table: Shell):
    table.done("join", "tilda")
    table.refused("find", "tilda.hp <", code=2)
    table.refused("find", "tilda.hp < much", code=2)
    table.refused("find", "tilda.tail", code=3)
    table.refused("find", "tilda.h > 1", code=3)
