"""A name is typed in full or by a beginning that nothing else has, in any case: wherever one is asked for."""

from collections.abc import Callable

import msgspec
import pytest

from commands.action import names
from commands.action.adjust import one_of
from commands.action.cards import Verb
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.systems import begun as verb_begun
from commands.rules.aachen.sheet import Sheet as AachenSheet
from commands.rules.arkm.gear import Stow
from commands.rules.arkm.hands import owned
from commands.rules.dungeoneers.gear import begun
from commands.rules.freepg.stat_block import Sheet as FreepgSheet
from commands.rules.paraverse import places
from commands.rules.paraverse.stat_block import Sheet as ParaverseSheet
from ledger.errors import AffrayError
from ledger.events import AreasLaid, Joined
from projections.state import State, fold
from tests.arkm.table import bran, fighting

THINGS = ("Bow", "bow of yew", "axe")
WORDS = [
    ("bow", "Bow"), ("BOW", "Bow"), ("bow o", "bow of yew"), ("Bow Of", "bow of yew"), ("a", "axe"), ("AXE", "axe"),
    ("b", ""), ("", ""), ("bows", ""), ("xe", ""), ("axes", ""),
]  # fmt: skip
"""What is typed, and the one that is meant; "" for none and for several."""


def by_error(find: Callable[[str], str]) -> Callable[[str], str]:
    """An error is none."""

    def found(word: str) -> str:
        try:
            return find(word)
        except AffrayError:
            return ""

    return found


def at_the_table(word: str) -> str:
    state = fold(State(), [Joined(name, "party", msgspec.Raw(b"{}")) for name in THINGS])
    return names.find(state, word)


def aachen(word: str) -> str:
    rows = [{"name": name, "damage": "1d6"} for name in THINGS]
    found = msgspec.convert({"name": "Ann", "weapons": rows}, AachenSheet).weapon(word)
    return found.name if found else ""


def adjusted(word: str) -> str:
    fight = Resolution(fighting(bran()).state, "stow", Stow("Bran", word), Dice(faces=[]))
    return one_of(fight, word, THINGS, "thing")


def arkm(word: str) -> str:
    rows = [{"id": name, "damage": "1d6", "length": 3} for name in THINGS]
    told = fighting(bran(weapons=rows))
    found = owned(Resolution(told.state, "stow", Stow("Bran", word), Dice(faces=[])), "Bran", word)
    return found.id if found else ""


def freepg(word: str) -> str:
    rows = [{"name": name, "slot": "weapon"} for name in THINGS]
    found = msgspec.convert({"name": "Ann", "items": rows}, FreepgSheet).item(word)
    return found.name if found else ""


def paraverse(word: str) -> str:
    rows = {name: {"use": "melee", "base": 3} for name in THINGS}
    return msgspec.convert({"name": "Ann", "side": "party", "weapons": rows}, ParaverseSheet).weapon(word)


def areas(word: str) -> str:
    """An area of several words is one word."""
    laid = AreasLaid(tuple(map(names.one_word, THINGS)))
    return places.find(fold(State(), [laid]), word).replace("-", " ")


@pytest.mark.parametrize(("word", "meant"), WORDS)
@pytest.mark.parametrize(
    "find",
    [
        by_error(at_the_table), by_error(adjusted), lambda word: begun(THINGS, word),
        aachen, arkm, freepg, paraverse, areas,
    ],
    ids=["at the table", "adjust", "dungeoneers", "aachen", "arkm", "freepg", "paraverse", "areas"],
)  # fmt: skip
def test_a_beginning_stands_for_the_only_one_that_has_it(find: Callable[[str], str], word: str, meant: str):
    assert find(word) == meant


def test_a_verb_that_nobody_needs_in_a_fight_stands_back_behind_the_others():
    verbs = {"leave": Verb("", ""), "ledgers": Verb("", "", traits="seldom"), "copy": Verb("", "", traits="seldom")}
    assert [verb_begun(word, verbs) for word in ("l", "le", "led", "c", "x")] == [
        "leave", "leave", "ledgers", "copy", "",
    ]  # fmt: skip
