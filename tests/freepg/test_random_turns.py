"""Random fights with turns: whatever is said and let through, nothing lapses silently (`tests/losses.py`)."""

from random import Random

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.action.resolution import Needed
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin, End
from commands.rules.freepg.turns import Act, Done, Initiative
from ledger.errors import AffrayError
from tests.kit import Told, given

from .table import boffin, grub, jane


def said(dice: Random, names: tuple[str, ...]):
    """Something that somebody might say, at any time."""
    who, other = dice.choice(names), dice.choice(names)
    return dice.choice(
        (
            Done(), Done(), Done(pass_rest=True), Initiative(), Act(who, "waits"), Attack(who, (other,)),
            Attack(who, (other,)), Leave((who,)), Adjust((who,), "down", dice.choice(("dying", "dead", "no")), "why"),
            Adjust((who,), "action", str(dice.randint(0, 2)), "why"), Adjust((who,), "side", "party", "why"),
        )
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_a_random_fight_tells_who_loses_what(seed: int):
    """Sixty words, some of them let through, with random dice."""
    dice = Random(seed)
    told: Told = given("freepg", boffin(), grub(), jane(), Begin())
    begun = 0
    for _ in range(60):
        declaration, allow = said(dice, ("Boffin", "Grub", "Jane")), dice.choice(("", "", "because"))
        faces: list[int] = []
        for _ in range(8):
            try:
                told = told.when(declaration, faces, allow)
                begun += 1
                break
            except Needed as needed:
                asked = sum(int(roll.dice.partition("d")[0]) for roll in needed.rolls)
                faces += [dice.randint(1, 20) for _ in range(max(asked - len(faces), 1))]
            except AffrayError:
                break
    if told.state.encounter.running:
        told.when(End())
    assert begun > 5
