"""Uses of `adjust`: every field of a system by chance, with values around the lines of the rules; and all that is
refused.
"""

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from random import Random

import pytest

from commands.action.adjust import Adjust
from ledger.errors import AffrayError
from tests.kit import Told

NUMBERS = ("-3", "-1", "0", "1", "2", "3", "5", "9", "20", "55", "500")
CONDITIONS = (
    "unaware", "prone", "helpless", "stunned", "grappled", "grappling", "pinned", "holding", "threatened", "defensive",
    "sprinting", "surrendered", "broken", "frail", "aloft", "mortally wounded", "hasted", "mounted", "fleeing",
    "dazed", "elevation=10", "attacked", "Prone",
)  # fmt: skip
ITEMS = (
    "sword", "dagger", "spear", "warhammer", "mace", "shortsword", "staff", "ring", "shield", "club", "knives", "bow",
    "sh", "xyzzy", "",
)  # fmt: skip


def correction(dice: Random, system: str, who: str, names: Sequence[str]) -> Adjust:
    """One correction of somebody, sensible or not."""
    fields = import_module(f"commands.rules.{system}.gm").FIELDS
    field = dice.choice(tuple(fields))
    item, other = dice.choice(ITEMS), dice.choice(names)
    match field.removeprefix("no-"):
        case "condition":
            value = dice.choice(CONDITIONS)
        case "down":
            value = dice.choice(("dying", "unconscious", "dead", "no", "no", "no", "sleepy"))
        case "side" | "truce":
            value = dice.choice(("party", "foes", "pc", "opp", "undead", "dungeoneers", "giants", "moon"))
        case "at":
            value = f"{dice.randint(-2, 6)},{dice.randint(-2, 6)},{dice.choice((0, 0, 1))}"
        case "facing":
            value = dice.choice(("N", "sw", "up"))
        case "area":
            value = dice.choice(("hall", "ya", "wall", "moon"))
        case "engaged":
            value = other
        case "wound":
            value = dice.choice(("bleeder", "skull-fracture", "severed-arm", "severed-head", "fractured-arm@arms", "x"))
        case "item":
            value = dice.choice((*import_module(f"tests.{system}.table").ITEM_ROWS, f"{item}@{other}", item))
        case "equipped" | "picked-up":
            value = item
        case "dropped":
            value = dice.choice((item, f"{item}@2,2"))
        case "ammunition":
            value = dice.choice(("arrow=3", "arrow=-1", "bolt", "moon=2"))
        case _:
            value = dice.choice(NUMBERS)
    return Adjust((who,), field, value, "the game master says so")


def refuses_with_another_way(told: Told, system: str, who: str, *items: str) -> None:
    """Whatever the game master does not set is refused, and so are impossible values of what is set. The kit
    compares each answer with those in `fixtures/SYSTEM/refusals.txt`.
    """
    rules = import_module(f"commands.rules.{system}.gm")
    elsewhere = [(word, item) for word in rules.ELSEWHERE for item in items]
    by_verb = [("condition", condition) for condition in rules.BY_VERB]
    fields = [field for field in rules.FIELDS if not field.endswith("condition")]
    for field, value in (*elsewhere, *by_verb, *((field, "?") for field in fields)):
        with pytest.raises(AffrayError):
            told.when(Adjust((who,), field, value, "the game master says so"))
    for field, value in ((field, value) for field in rules.FIELDS for value in ("-1", "1000000001")):
        with suppress(AffrayError):
            told.when(Adjust((who,), field, value, "the game master says so"))
