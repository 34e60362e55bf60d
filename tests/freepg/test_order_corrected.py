"""A correction of the order in the round that is open: each seat has its turn once."""

import re

import pytest

from tests.shell import Shell


@pytest.mark.parametrize("done", [1, 2, 3])
@pytest.mark.parametrize("dice", ["11,15,8,4", "4,8,11,15", "8,4,15,11"])
def test_no_seat_loses_its_turn_and_none_has_two(shell: Shell, dice: str, done: int):
    """freepg.initiative.roll, freepg.initiative.clockwise: clockwise from the seat that was really the highest,
    wherever the round stood when the dice turned out to be misread, as often as seats said done by then.
    """
    shell.done("init", "Test", "--system", "freepg")
    shell.done("join", "boffin", "jane", "tilda", "grub")
    shell.done("begin")
    shell.done("initiative", "--dice", "15,11,8,4")  # John, Jane, Tilda, the game master
    for _ in range(done):
        shell.done("done")
    shell.done("amend", "e4", "--dice", dice, "--because", "misread", "--apply")
    while "round 1" in shell.done("status").splitlines()[0]:
        shell.done("done")
    told = "\n".join(line for line in shell.done("log").splitlines() if not line.startswith("~~"))
    first = told.partition("round 2")[0]
    faces = dict(zip(("John", "Jane", "Tilda", "GM"), map(int, dice.split(",")), strict=True))
    clockwise = [*faces, *faces]
    at = clockwise.index(max(faces, key=lambda seat: faces[seat]))
    assert re.findall(r"(\w+)'s turn ends", first) == clockwise[at : at + 4]
    assert shell("verify").code == 0
