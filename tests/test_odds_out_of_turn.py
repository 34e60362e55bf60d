"""Odds of actions that the rules refuse now, under assumptions that the answer names."""

import shlex
from pathlib import Path

import pytest

from commands.action import systems
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import Answer, Shell

OUT_OF_TURN = {
    "freepg": (("join boffin jane ogre", "begin", "initiative --dice 15,4,9"), "attack ogre jane",
               ("freepg.turn.out-of-turn",)),
    "aachen": (("join gerlind sigrid ogre", "begin", "initiative"), "attack ogre gerlind",
               ("aachen.initiative.side-completes",)),
    "arkm": (("join fighter orc", "begin"), "attack aldric orc",
             ("arkm.in-melee.attack-distance", "arkm.initiative.reroll-each-round")),
    "dungeoneers": (("join freya --at 0,0", "join skeleton --at 0,1", "begin"), "attack freya skeleton",
                    ("dungeoneers.turn.own-turn-only", "dungeoneers.attack.cost")),
    "paraverse": (("join sigrun reaver", "begin", "round", "pass reaver", "pass sigrun", "phase ranged"),
                  "attack sigrun reaver", ("paraverse.planning.closed",)),
}  # fmt: skip
"""For each rule system what was played, the question, and the clauses that stand against it, in order."""


def hinted(answer: Answer) -> list[str]:
    """The command that an answer says to try."""
    return shlex.split(answer.err.rpartition("Try: affray ")[2])


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_odds_can_be_asked_for_out_of_turn(system: str, shell: Shell):
    """The refusal hints at the question under every assumption that it needs; each is named, and nothing recorded."""
    played, question, clauses = OUT_OF_TURN[system]
    shell.done("--ledger", "test.affray", "init", "Test", "--system", system, "--key", KEY.hex())
    for words in played:
        shell.done(*words.split())
    before = Path("test.affray").read_bytes()
    answer = shell.refused("odds", *question.split(), code=1, clause=clauses[0])
    words = hinted(answer)
    assert [words[at + 1] for at, word in enumerate(words) if word == "--assume"] == [*clauses]
    told = shell.done(*words)
    lines = [line for line in told.splitlines() if line.startswith("  assumed: ")]
    assert {line.split()[1] for line in lines} == {*clauses}
    assert all(" does not refuse, though: " in line for line in lines)
    assumed = shell(*words, "--json").json["assumed"]
    assert {*assumed} == {*clauses}
    assert all(assumed.values())
    assert Path("test.affray").read_bytes() == before


@pytest.fixture
def bridge(table: Shell) -> Shell:
    """FReePG, where it is the turn of Boffin's player."""
    table.done("join", "boffin", "ogre")
    table.done("begin")
    table.done("initiative", "--dice", "15,4")
    return table


@pytest.mark.slow
def test_the_odds_are_those_of_ones_own_turn(bridge: Shell):
    """Asked of the board before initiative, and of the board when it is the turn of the other."""
    own = bridge.done("odds", "attack", "boffin", "ogre").splitlines()
    bridge.done("done")
    for words in (["--assume", "freepg.turn.out-of-turn"], ["--at", "e3", "--assume", "freepg.turn.out-of-turn"]):
        asked = bridge.done("odds", *words, "attack", "boffin", "ogre").splitlines()
        assert asked[-1].startswith("  assumed: freepg.turn.out-of-turn does not refuse, though: ")
        changing = [line for line in asked[1:-1] if "either way:" not in line]
        assert changing == [line for line in own[1:] if "either way:" not in line]


def test_an_assumption_may_stand_before_the_verb_or_after_it_and_may_be_needless(bridge: Shell):
    said = bridge.done("odds", "--assume", "freepg.turn.out-of-turn", "attack", "boffin", "ogre",
                       "--assume", "freepg.attack.hit-test")  # fmt: skip
    assert said.splitlines()[-2:] == [
        "  assumed: freepg.turn.out-of-turn does not refuse",
        "  assumed: freepg.attack.hit-test does not refuse",
    ]


def test_only_clauses_can_be_assumed_and_only_the_clause_that_is_named(bridge: Shell):
    bridge.refused("odds", "--assume", "luck", "attack", "boffin", "ogre", code=3)
    bridge.done("done")
    bridge.refused(
        "odds", "--assume", "freepg.attack.hit-test", "attack", "boffin", "ogre", clause="freepg.turn.out-of-turn",
    )  # fmt: skip
