"""An effect may end at the start or at the end of a named turn, at once or in the last of some rounds: one grammar in
every rule system with effects and turns.
"""

import pytest

from tests.shell import Shell

BEGUN = {
    "freepg": (("boffin", "grub"), ("initiative --dice 5,3",), "Boffin", "Grub"),
    "aachen": (("brun", "goblin"), ("initiative --dice 5,1",), "Brun", "Goblin"),
    "dungeoneers": (("freya", "goblin"), ("round --dice 6,1",), "Freya", "Goblin"),
}
"""Who joins, how the first round begins, and the two in the order of their turns."""


def fight(shell: Shell, system: str) -> tuple[str, str]:
    joins, begun, first, second = BEGUN[system]
    shell.done("init", "Test", "--system", system)
    shell.done("join", *joins)
    for line in ("begin", *begun):
        shell.done(*line.split())
    return first, second


def turns(shell: Shell, system: str, *names: str) -> None:
    """The turns of those who are named, one after the other."""
    for name in names:
        if system == "aachen":
            shell.done("turn", name)
        shell.done("done")


@pytest.mark.parametrize("system", BEGUN)
@pytest.mark.parametrize("until", ["turn-start", "turn-end"])
def test_an_effect_ends_with_the_turn_of_another_in_its_last_round(shell: Shell, system: str, until: str):
    """Of two rounds, in the second: not with the turn of the first round, nor with that of the one who has it."""
    first, second = fight(shell, system)
    shell.done("effect", first, "slow", "--until", until, "--whose", second, "--rounds", "2")
    turns(shell, system, first, second)
    assert shell.value(f"{first}.slow")
    if system != "freepg":
        shell.done("round", *(["--dice", "6,1"] if system == "dungeoneers" else []))
    turns(shell, system, first, second)
    assert shell.value(f"{first}.slow") is None
    assert shell("verify").code == 0


@pytest.mark.parametrize("system", BEGUN)
def test_a_named_turn_is_its_start_or_its_end(shell: Shell, system: str):
    first, second = fight(shell, system)
    until = ("--until", "round-end", "--whose", second)
    shell.refused("effect", first, "slow", *until, code=2)
    shell.done("effect", first, "slow", "--until", "turn-end", "--whose", second)
    assert shell.value(f"{first}.slow")
    turns(shell, system, first, second)
    assert shell.value(f"{first}.slow") is None
