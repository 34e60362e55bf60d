"""A dry run without dice lists every roll that is certain, and those that the action may need."""

from functools import cache

import pytest

from commands.action.procedures import resolve
from commands.action.resolution import Again, Resolution
from commands.odds import branches, needs
from commands.odds.branches import Action
from ledger.errors import AffrayError
from tests.odds import EveryDie, TooLong
from tests.sample import WHOLE, sampled
from tests.shell import Shell
from tests.test_odds import STORIES, changed

TABLES = {
    "freepg": ["join jane grub", "begin --unordered"],
    "aachen": ["join adalger guard", "begin", "initiative --dice 8,1"],
    "arkm": [
        "join fighter", "join orc --dice 6", "begin", "initiative --dice 6,1", "phase movement",
        "move aldric --feet 20 --to orc", "phase melee",
    ],
    "dungeoneers": ["join freya --at 0,0", "join skeleton --at 1,0", "begin", "round", "turn freya"],
    "paraverse": [
        "join sigrun reaver hakon thrall", "begin", "round", "attack sigrun reaver", "attack reaver sigrun",
        "attack hakon thrall", "attack thrall hakon", "phase melee",
    ],
}  # fmt: skip
KNOWN = [
    # The book of Free P.G. has everybody roll before anything is compared.
    ("freepg", "attack jane grub", ["needs Jane 1d20 for attack (Grub)", "needs Grub 1d20 for defense (Jane)"]),
    ("freepg", "attack jane grub --dice 14", [
        "needs Jane 1d20 for attack (Grub)", "needs Grub 1d20 for defense (Jane)",
    ]),
    # The second attack rolls damage only if it hits; 20 always hits.
    ("aachen", "attack adalger guard --with sword", [
        "needs Adalger 1d20 for attack (Guard)", "perhaps Adalger 1d8 for damage (Guard)",
    ]),
    ("aachen", "attack adalger guard --with sword --dice 20", [
        "needs Adalger 1d20 for attack (Guard)", "needs Adalger 1d8 for damage (Guard)",
    ]),
    ("arkm", "attack aldric orc", [
        "needs Aldric 1d20 for attack (Orc)", "perhaps Aldric 2d6 for damage (Orc)",
        "perhaps Aldric 1d6 for damage (Orc)", "perhaps Aldric 1d20 for fumble check (Orc)",
        "perhaps Aldric 1d6 for fumble", "perhaps Aldric 1d6 for damage to self",
    ]),
    ("arkm", "attack aldric orc --dice 20", [
        "needs Aldric 1d20 for attack (Orc)", "needs Aldric 2d6 for damage (Orc)",
    ]),
    # 2d4 against 1d4 can miss; 6d4 cannot, and four points of stress always have their die.
    ("dungeoneers", "attack freya skeleton", [
        "needs Freya 2d4 for hit (Skeleton)", "needs Skeleton 1d4 for dodge (Freya)",
        "perhaps Freya 2d6 for pierce (Skeleton)",
    ]),
    ("dungeoneers", "attack freya skeleton --dice 1,1,4", []),
    ("dungeoneers", "attack freya skeleton --stress 4", [
        "needs Freya 6d4 for hit (Skeleton)", "needs Skeleton 1d4 for dodge (Freya)",
        "needs Freya 2d6 for pierce (Skeleton)", "needs Freya 1d4 for overstress (Skeleton)", "perhaps more dice",
    ]),
    # 15 against 3 hits; the second pair rolls whatever comes of the first.
    ("paraverse", "resolve", [
        "needs Sigrun 1d20 for melee (Reaver)", "needs Reaver 1d20 for melee (Sigrun)",
        "perhaps Reaver 1d4 for hit location (Sigrun)", "perhaps Sigrun 1d4 for hit location (Reaver)",
        "perhaps more dice",
    ]),
    ("paraverse", "resolve --dice 15,3", [
        "needs Sigrun 1d20 for melee (Reaver)", "needs Reaver 1d20 for melee (Sigrun)",
        "needs Sigrun 1d4 for hit location (Reaver)", "needs Hakon 1d20 for melee (Thrall)",
        "needs Thrall 1d20 for melee (Hakon)", "perhaps more dice",
    ]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "words", "expected"), sampled(KNOWN, 5, True), ids=[f"{one[0]}: {one[1]}" for one in KNOWN]
)
def test_the_dice_of_an_attack(shell: Shell, system: str, words: str, expected: list[str]):
    shell.done("init", "test", "--system", system)
    for line in TABLES[system]:
        shell.done(*line.split())
    told = [line.removesuffix("  (dry run)") for line in shell.done(*words.split(), "--dry-run").splitlines()]
    assert [line for line in told if line.startswith(("needs", "perhaps"))] == expected


def test_many_blows_are_not_walked_for_ever(shell: Shell, monkeypatch):
    """Of eight blows the ways grow twentyfold with each fork: 1, 20, about 220, and thousands are not begun."""
    walked: list[object] = []
    monkeypatch.setattr(needs, "carried_out", lambda fight: (walked.append(fight), branches.carried_out(fight)))
    shell.done("init", "test", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "goblin", "--count", "8")
    goblins = [f"Goblin-{nth}" for nth in range(1, 9)]
    for line in ("begin", "initiative --dice 6,1", f"adjust aldric engaged {','.join(goblins)} x"):
        shell.done(*line.split())
    shell.done("attack", "aldric", *goblins, "--dry-run")
    assert 1 < len(walked) < 500


def test_json_keeps_certain_and_possible_dice_apart(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    for line in TABLES["aachen"]:
        shell.done(*line.split())
    said = shell("attack", "adalger", "guard", "--with", "sword", "--dry-run", "--json").json
    roll = {"who": "Adalger", "dice": "1d20", "purpose": "attack", "about": "Guard"}
    assert said["needs"] == [roll]
    assert said["perhaps"] == [{**roll, "dice": "1d8", "purpose": "damage"}]
    assert said["more_dice"] is False


def test_a_die_of_the_program_is_not_looked_at(shell: Shell):
    """With -, the attack is any number from 1 to 20, so the damage is not certain."""
    shell.done("init", "test", "--system", "aachen")
    for line in TABLES["aachen"]:
        shell.done(*line.split())
    said = shell.facts("attack", "adalger", "guard", "--with", "sword", "--dice", "-", "--dry-run")
    assert said["perhaps"] == [{"who": "Adalger", "dice": "1d8", "purpose": "damage", "about": "Guard"}]


# Against all ways, die by die

Die = tuple[str, str, str, str, int]


def in_every_way(action: Action, most: int) -> set[Die] | None:
    """What an action asks for whatever each single die shows; none when there are more ways than `most`."""
    source, found = EveryDie(), None
    for _ in range(most):
        fight = Resolution(action.state, action.verb, action.said, source.dice, action.allow)
        try:
            resolve(fight)
        except AffrayError:
            pass
        except (TooLong, Again):
            return None
        asked: list[Die] = []
        for roll in fight.asked:
            words = (roll.who, roll.dice, roll.purpose, roll.about)
            asked.append((*words, sum(die[:4] == words for die in asked)))
        found = {*asked} if found is None else found & {*asked}
        if not source.advance():
            return found
    return None


def certain(action: Action) -> tuple[set[Die], bool]:
    rolls, more = needs.needs(action, ())
    found: list[Die] = []
    for roll in rolls:
        if roll.certain:
            words = (roll.who, roll.dice, roll.purpose, roll.about)
            found.append((*words, sum(die[:4] == words for die in found)))
    return {*found}, more


@cache
def small() -> list[tuple[Action, set[Die]]]:
    """Actions of the stories that have few ways, each with what all of its ways ask for."""
    actions = (changed(told, 0, 0, False) for told in STORIES[:: 8 if WHOLE else 20])
    return [(one, expected) for one in actions if (expected := in_every_way(one, 900)) is not None]


@pytest.mark.slow
def test_there_are_actions_of_several_systems_to_compare():
    assert len({one.state.campaign.system for one, _ in small()}) >= 4
    assert len(small()) >= (25 if WHOLE else 12)


@pytest.mark.slow
def test_what_is_certain_is_what_every_way_asks_for():
    for one, expected in small():
        found, more = certain(one)
        assert found <= expected, (one.verb, one.said)
        assert more or found == expected, (one.verb, one.said)


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 25])
def test_nothing_else_is_called_certain_however_few_ways_are_walked(monkeypatch: pytest.MonkeyPatch, most: int):
    monkeypatch.setattr(needs, "MOST_WAYS", most + 1)
    monkeypatch.setattr(needs, "ENOUGH", most)
    for one, expected in small():
        found, more = certain(one)
        assert found <= expected, (one.verb, one.said)
        assert more or found == expected, (one.verb, one.said)
