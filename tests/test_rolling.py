"""Loose dice: some kept, some thrown again, one twice; each die is in the record."""

import json

import pytest

from tests.shell import Shell


@pytest.mark.parametrize(
    ("words", "faces", "total"),
    [
        (("4d6kh3",), "6,5,2,3", 14),
        (("4d6k2",), "1,5,2,3", 8),
        (("2d6k",), "1,5", 5),
        (("2d20kl1+2",), "14,3", 5),
        (("1d20", "adv"), "4,17", 17),
        (("d20+3", "dis"), "4,17", 7),
        (("1d6!",), "6,2", 8),
        (("4d6!",), "6,6,1,2,6,3,4", 28),
        (("2d6!-1",), "1,2", 2),
        (("2d6+1",), "3,4", 8),
        (("96d2!",), f"{'1,' * 93}2,2,2,2,2,1,2", 106),
    ],
)
def test_a_roll_keeps_some_dice_or_throws_some_again(words: tuple[str, ...], faces: str, total: int, shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.done("roll", *words, "--dice", faces)
    events = json.loads(shell.done("log", "--json").splitlines()[-1])["events"]
    assert [event["numbers"][0]["total"] for event in events if event["event"] == "ruled"] == [total]
    thrown = [face for event in events if event["event"] == "rolled" for face in event["faces"]]
    assert thrown == [int(face) for face in faces.split(",")]


@pytest.mark.parametrize(
    "words",
    [
        ("2d6", "adv"),
        ("4d6kh9",),
        ("4d6kh0",),
        ("4dx",),
        ("7",),
    ],
)
def test_what_is_no_roll_is_refused(words: tuple[str, ...], shell: Shell):
    shell.done("init", "test", "--system", "freepg")
    shell.refused("roll", *words, code=2)
