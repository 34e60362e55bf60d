"""Odds: exact, recorded nowhere, and the same as counting every die."""

import json
import os
import subprocess
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st
from msgspec import Raw

from commands.action import cards, systems
from commands.action.common import Join, Note
from commands.action.rolling import Roll
from commands.odds import branches as forking
from commands.odds import outcomes
from commands.odds.branches import Action, TooMany, Way, every_way, spread
from ledger.errors import Refused, UsageError
from ledger.events import Declared, OptionChanged, SheetChanged, decode
from ledger.sqlite import SqliteStore
from projections.state import State, fold
from tests.kit import given
from tests.odds import action, folded, foreseen, one_by_one
from tests.shell import Shell, command, environment
from tests.test_cli import Terminal, completed

FIXTURES = Path(__file__).parent.parent / "fixtures"
EMPTY = given("freepg")


# What stops an action


def test_a_way_that_is_refused_says_by_what():
    """Of four ways two are possible, one is refused by a clause, and one says in words what is missing."""
    (way,) = every_way(action(EMPTY, Note("hush")))
    tally = outcomes.Tally(EMPTY.state)
    for refused, ways in ((None, 2), (Refused("freepg.attack.range", "Too far."), 1), (UsageError("On whom?"), 1)):
        tally.add(Way(way.fight, refused, ways, 4))
    told = {outcome.refused: ways for outcome, ways in tally.odds(True).outcomes}
    assert told == {"": 2, "refused by freepg.attack.range": 1, "On whom?": 1}


# Folding is exact


def recorded(path: Path) -> list[tuple[State, Declared]]:
    """What was declared in an export, each with the state before it."""
    states = {0: State()}
    said = []
    for line in path.read_bytes().splitlines()[1:]:
        entry = msgspec.json.decode(line)
        events = [decode(msgspec.json.encode(event)) for event in entry["events"]]
        before = states[entry["after"]]
        states[entry["entry"]] = fold(before, events)
        assert isinstance(events[0], Declared)
        if not events[0].instant and any(event["event"] == "rolled" for event in entry["events"]):
            said.append((before, events[0]))
    return said


STORIES = [said for path in sorted(FIXTURES.glob("*/*.jsonl")) for said in recorded(path)]


def changed(told: tuple[State, Declared], who: int, whom: int, allow: bool) -> Action:
    """A recorded action, said by somebody else or of somebody else."""
    state, declared = told
    said = dict(declared.said)
    names = state.roster.order
    if who and isinstance(said.get("who"), str):
        said["who"] = names[who % len(names)]
    if whom and "target" in said:
        one = names[whom % len(names)]
        said["target"] = one if isinstance(said["target"], str) else [one]
    verb = systems.find_verb(state.campaign.system, declared.verb)
    kind = systems.procedure(verb)[1]
    return Action(state, declared.verb, msgspec.convert(said, kind), declared.allow or ("because" if allow else ""))


@pytest.mark.slow
@any_of(st.sampled_from(STORIES), st.integers(0, 5), st.integers(0, 5), st.booleans())
@settings(max_examples=20)
def test_folded_ways_are_those_of_every_single_die(told, who, whom, allow):
    """Actions of all rule systems from all golden fights: each outcome has the chance that it has die by die."""
    tried = changed(told, who, whom, allow)
    expected = one_by_one(tried, most=400)
    if expected is not None:
        assert sum(expected.values()) == 1
        assert folded(tried) == expected


def test_the_golden_fights_hold_dice_of_every_kind():
    """Opposed rolls, pools, second dice, of each rule system."""
    assert len(STORIES) > 50
    assert {state.campaign.system for state, _ in STORIES} == set(systems.SYSTEMS)
    assert {"attack", "shoot", "resolve", "check", "grapple", "push"} <= {declared.verb for _, declared in STORIES}


@pytest.mark.parametrize("reads", [("total",), ("highest",), ("lowest",), ("highest", "total"), ("total", "faces"),
                                   ("lowest", "highest", "total"), ("faces", "total")])  # fmt: skip
def test_every_reading_of_a_roll_has_the_chance_that_it_has_die_by_die(reads):
    """2d4+1d6: 96 ways, in whatever order their total, best, least and faces are looked at."""
    path = forking.Path()
    found: dict[tuple[object, ...], Fraction] = {}
    going_on = True
    while going_on:
        path.begin()
        roll = forking.Undecided(path, 0, (4, 4, 6), "", "2d4+1d6", "", "")
        key = tuple(getattr(roll, what) for what in reads)
        assert key == tuple(getattr(roll, what) for what in reads), "it does not change when it is looked at again"
        found[key] = found.get(key, Fraction(0)) + Fraction(*path.ways())
        going_on = path.advance()
    expected: dict[tuple[object, ...], Fraction] = {}
    look = {"total": sum, "highest": max, "lowest": min, "faces": tuple}
    for one in range(1, 5):
        for other in range(1, 5):
            for third in range(1, 7):
                key = tuple(look[what]((one, other, third)) for what in reads)
                expected[key] = expected.get(key, Fraction(0)) + Fraction(1, 96)
    assert found == expected


def test_the_ways_of_a_total_are_binomial():
    """Of 60 dice with two sides, 60 + k in comb(60, k) ways."""
    found = spread((2,) * 60, "total")
    assert found.of == 2**60
    assert [*found.ways] == [comb(60, nth) for nth in range(61)]


def test_two_dice_by_hand():
    """7 comes in 6 of 36 ways, 12 in one; the better of two d20 is 20 in 39 of 400, the worse in one."""
    odds = foreseen(EMPTY, Roll("2d6"))
    (ways,) = odds.sums.values()
    assert (odds.of, ways[7], ways[12], odds.tried) == (36, 6, 1, 11)
    assert spread((20, 20), "highest").ways[-1] == 39
    assert spread((20, 20), "lowest").ways[-1] == 1


def test_dice_without_end_are_not_told_apart():
    with pytest.raises(TooMany):
        spread((1000,) * 100, "total")
    with pytest.raises(TooMany):
        spread((20,) * 6, "faces")


def test_the_most_that_is_told_apart():
    """10,000 totals of ten dice with 1,000 sides, 100,000 faces of five d10; not one more."""
    assert spread((1000,) * 10, "total").of == 1000**10
    with pytest.raises(TooMany):
        spread((1000,) * 10 + (1,), "total")
    assert spread((10,) * 5, "faces").of == 100_000
    with pytest.raises(TooMany):
        spread((100_001,), "faces")


def test_whether_anything_depends_on_dice_and_how_many_ways_there_are():
    """Dice that nobody can tell apart are dice all the same, and more than any number of ways."""
    pick = Random(3).randrange
    for said, dice, ways in ((Note("hush"), False, 1), (Roll("1d6"), True, 6), (Roll("2d6"), True, 11)):
        assert forking.rolls(action(EMPTY, said)) is dice
        assert forking.guess(action(EMPTY, said), pick) == ways
    many = action(EMPTY, Roll("100d1000"))
    assert forking.rolls(many) is True
    assert forking.guess(many, pick) == forking.MOST_WAYS + 1


def test_what_changes_within_an_action_is_read_anew():
    """A stat block and a house rule that were read before are kept; those that changed since are not."""
    told = given("freepg", Join(({"name": "Ann", "speed": 5},)))
    (way,) = every_way(action(told, Note("hush")))
    fight = way.fight
    assert (fight.sheet("Ann").speed, fight.option("min_hit_damage")) == (5, 0)
    fight.record(SheetChanged("Ann", Raw(b'{"name":"Ann","speed":5}'), Raw(b'{"name":"Ann","speed":7}')))
    fight.record(OptionChanged("min_hit_damage", 3))
    assert (fight.sheet("Ann").speed, fight.option("min_hit_damage")) == (7, 3)
    (again,) = every_way(action(told, Note("hush")))
    assert (again.fight.sheet("Ann").speed, again.fight.option("min_hit_damage")) == (5, 0)


def test_more_ways_than_are_wanted_stop_the_count():
    with pytest.raises(TooMany):
        list(every_way(action(EMPTY, Roll("3d6")), most=15))
    assert len(list(every_way(action(EMPTY, Roll("3d6")), most=16))) == 16


# Estimates


@pytest.mark.slow
def test_an_estimate_is_within_its_error_and_the_same_for_the_same_seed():
    """10,000 tries: sqrt(ln 200 / 20,000) = 0.01628 at most, 99 times in 100; a 7 comes in 6 of 36 ways."""
    odds = foreseen(EMPTY, Roll("2d6"), draws=10_000, seed=3)
    (ways,) = odds.sums.values()
    assert not odds.exact
    assert odds.of == odds.tried == sum(ways.values()) == 10_000
    assert abs(odds.error - 0.016276) < 0.000001
    exactly = {total: (6 - abs(total - 7)) / 36 for total in range(2, 13)}
    assert all(abs(ways[total] / 10_000 - chance) < odds.error for total, chance in exactly.items())
    assert foreseen(EMPTY, Roll("2d6"), draws=10_000, seed=3) == odds
    assert foreseen(EMPTY, Roll("2d6"), draws=10_000, seed=4) != odds


def test_an_action_without_dice_is_never_estimated():
    odds = foreseen(EMPTY, Note("hi"), draws=500)
    assert (odds.exact, odds.of, odds.tried) == (True, 1, 1)


# On the command line


@pytest.fixture
def bridge(table: Shell) -> Shell:
    """Boffin with his sword, and two grubs without anything."""
    table.done("join", "boffin")
    table.done("join", "grub", "--count", "2")
    return table


def test_odds_leave_no_trace_and_look_at_no_coming_die(bridge: Shell, monkeypatch: pytest.MonkeyPatch):
    def never(*_: object) -> None:
        raise AssertionError("the campaign's key was read")

    before = Path("test.affray").read_bytes()
    monkeypatch.setattr(SqliteStore, "key", never)
    monkeypatch.setattr(SqliteStore, "writing", never)
    bridge.done("odds", "attack", "boffin", "grub-1")
    bridge.done("odds", "--draws", "100", "attack", "boffin", "grub-1", "--full")
    assert Path("test.affray").read_bytes() == before
    assert os.listdir() == ["test.affray"]


def test_the_answer_is_a_few_lines(bridge: Shell):
    """Sword +2 against nothing: natural 20, or a + 2 > d. 3 + 4 + ... + 19 = 187 ways for a from 2 to 18, 20 for 19,
    20 for 20: 227 of 400.
    """
    lines = bridge.done("odds", "attack", "boffin", "grub-1").splitlines()
    assert lines[0] == "Boffin attacks Grub-1: 400 combinations, exact to two decimal places."
    assert lines[1] == "  Boffin, Grub-1  hit          56.75%  #################"
    assert lines[2] == "                  miss         43.25%  #############"
    assert len(lines) < 14
    assert all(len(line) <= 80 for line in lines)


def test_full_shows_every_value_and_every_ruling(bridge: Shell):
    out = bridge.done("odds", "attack", "boffin", "grub-1", "--full")
    lines = [line.split() for line in out.splitlines()]
    assert [words for words in lines if "freepg.attack.natural-1" in words] == [
        ["freepg.attack.natural-1", "(Boffin)", "miss", "5.00%", "##"]
    ]
    dead = "with 2, 1 for the ring and 5: a 20 against 1 to 8, a 19 against 1 and 2, an 18 against 1"
    assert ["-20", "2.75%", "2.75%", "or", "more", "#"] in lines, dead
    assert ["-19", "1.00%", "3.75%", "or", "more", "."] in lines


def test_what_changes_nothing_on_the_board_is_told_by_its_rulings(shell: Shell):
    """A reaction of 2D6: 6 to 8 are 16 ways of 36."""
    shell.done("init", "Test", "--system", "arkm")
    shell.done("join", "wolf")
    shell.done("begin")
    lines = shell.done("odds", "reaction", "wolf").splitlines()
    assert lines[1].split("  ")[1:3] == ["arkm.reaction.animals (Wolf)", "curious: waits, circles"]
    assert "44.44%" in lines[1]


def test_odds_show_changes_of_a_group(shell: Shell):
    """Wolves pursue on 2 to 8 of 2D6: 26 ways of 36."""
    shell.done("init", "Test", "--system", "arkm")
    shell.done("join", "wolf", "thief")
    shell.done("begin")
    odds = shell.facts("odds", "pursue", "wolf", "party", "--distance", "60")
    (flight,) = (one["outcomes"] for one in odds["values"] if one["name"] == "party.in flight")
    assert [(one["after"], one["ways"], one["of"]) for one in flight] == [
        ("(Wolf) until the end of the encounter", 26, 36), ("-", 10, 36),
    ]  # fmt: skip


def test_json_has_exact_ways_beside_a_float(bridge: Shell):
    answer = bridge("odds", "attack", "boffin", "grub-1", "--json").json
    assert (answer["verb"], answer["of"], answer["exact"], answer["estimate"]) == ("attack", 400, True, None)
    assert answer["tests"] == [
        {"who": "Boffin", "about": "Grub-1", "outcomes": [
            {"outcome": "hit", "ways": 227, "of": 400, "chance": 0.5675},
            {"outcome": "miss", "ways": 173, "of": 400, "chance": 0.4325},
        ]}
    ]  # fmt: skip
    (hp,) = (value for value in answer["values"] if value["name"] == "Grub-1.hp")
    assert hp["before"] == "20"
    assert sum(one["ways"] for one in hp["outcomes"]) == 400
    assert "outcomes" not in answer
    full = bridge("odds", "--full", "--json", "attack", "boffin", "grub-1").json
    assert sum(one["ways"] for one in full["outcomes"]) == 400


def test_json_keeps_whole_numbers_of_any_length(table: Shell):
    answer = table("odds", "roll", "40d6", "--json").json
    assert answer["of"] == 6**40
    assert answer["sums"][0]["outcomes"][0] == {"total": 40, "ways": 1, "of": 6**40, "chance": 1 / 6**40}


def test_a_possible_outcome_is_never_0_and_an_uncertain_one_never_100(table: Shell):
    out = table.done("odds", "roll", "6d6", "--full")
    assert "<0.01%" in out
    assert ">99.99% or more" in out


def test_an_action_that_is_refused_is_refused_in_the_same_words(bridge: Shell):
    bridge.done("begin", "--seats", "John,gm")
    bridge.done("initiative", "--dice", "9,3")
    said = bridge("attack", "grub-1", "boffin", "--dice", "1")
    foreseen = bridge("odds", "attack", "grub-1", "boffin")
    assert said.code == foreseen.code == 1
    refusal, _, hint = foreseen.err.partition("Try: ")
    assert refusal == said.err.partition("Try: ")[0]
    assert hint == "affray odds --assume freepg.turn.out-of-turn attack grub-1 boffin\n"
    allowed = bridge.facts("odds", "attack", "grub-1", "boffin", "--allow", "it is quick")
    assert (allowed["allow"], allowed["exact"], allowed["of"]) == ("it is quick", True, 400)


@pytest.mark.slow
def test_wrong_words_are_refused(bridge: Shell):
    bridge.refused("odds", "attack", "boffin", "nobody", code=3)
    bridge.refused("odds", "undo", code=2)
    bridge.refused("odds", "init", code=2)
    bridge.refused("odds", "atack", code=2)
    bridge.refused("odds", "parry", code=2)
    bridge.refused("odds", code=2)
    bridge.refused("odds", "attack", code=2)
    bridge.refused("odds", "attack", "boffin", "--dice", "3", code=2)
    bridge.refused("odds", "--draws", "5", "attack", "boffin", "grub-1", code=2)
    bridge.refused("odds", "--at", "e99", "attack", "boffin", "grub-1", code=3)
    bridge.refused("odds", "--at", "never", "attack", "boffin", "grub-1", code=2)
    assert bridge("odds", "--json", "atack").json["error"]["code"] == 2


def test_work_that_takes_long_is_told_beforehand_and_goes_on(table: Shell, monkeypatch: pytest.MonkeyPatch):
    """The estimate that is offered is the same command, and works."""
    monkeypatch.setattr("commands.odds.outcomes._SAMPLE", 0)
    monkeypatch.setattr("commands.odds.outcomes.LONG", 0)
    answer = table("odds", "roll", "1d6")
    said, hint = answer.err.splitlines()
    assert said == "To count all of about 6 ways takes 0 seconds. Ctrl-C stops it; an estimate is there sooner."
    assert hint == "Try: affray odds --draws 20000 roll 1d6"
    assert "exact" in answer.out
    assert not table.facts(*hint.split()[2:])["exact"]


def test_without_a_ledger_there_is_nothing_to_foresee(shell: Shell):
    shell.refused("--ledger", "none.affray", "odds", "roll", "2d6", code=2)


def test_an_action_without_dice_says_so_and_what_it_comes_to(bridge: Shell):
    assert bridge.done("odds", "adjust", "boffin", "hp", "3", "why not").splitlines() == [
        "adjust Boffin hp 3 (why not): no dice are rolled, so this is certain.",
        "  then: Boffin.hp 55 -> 3",
    ]
    assert "Nothing on the board changes." in bridge.done("odds", "note", "hi")


def test_an_instant_is_not_foreseen(bridge: Shell, monkeypatch: pytest.MonkeyPatch):
    """It changes an action that has its dice; where there is none, it is refused as it would be."""
    monkeypatch.setitem(systems.COMMON, "brace", cards.Verb("tests.brace:brace", "Brace."))
    bridge.refused("odds", "brace", "grub-1", clause="freepg.test.brace")
    bridge.done("attack", "boffin", "grub-1", "--dice", "9,10")
    bridge.refused("odds", "brace", "grub-1", code=2)


def test_odds_of_the_past(bridge: Shell):
    """After e2 Boffin was alone; before the option of the verb of the same name, --at is an entry."""
    bridge.refused("odds", "--at", "e2", "attack", "boffin", "grub-1", code=3)
    for line, ways in (("--at 3 attack boffin grub-1", 400), ("check boffin --dt 9 --at e3", 20)):
        odds = bridge.facts("odds", *line.split())
        assert (odds["entry"], odds["exact"], odds["of"]) == (3, True, ways)
    bridge.refused("odds", "attack", "boffin", "grub-1", "--at", "e3", code=2)


@pytest.mark.slow
def test_an_estimate_says_that_it_is_one(bridge: Shell, monkeypatch: pytest.MonkeyPatch):
    """400 tries: sqrt(ln 200 / 800) = 8.14 points. Ties of initiative are rolled again, without end."""
    out = bridge.done("odds", "--draws", "400", "--seed", "7", "attack", "boffin", "grub-1")
    words = "an estimate from 400 tries (seed 7): each chance to within 8.14 points, 99 times in 100."
    assert out.splitlines()[0].endswith(words)
    monkeypatch.setattr(outcomes, "DRAWS", 300)
    bridge.done("begin", "--seats", "John,gm")
    estimate = bridge("odds", "initiative", "--json").json
    assert (estimate["exact"], estimate["of"], estimate["estimate"]["seed"]) == (False, 300, 1)


def test_too_many_ways_are_estimated(bridge: Shell, monkeypatch: pytest.MonkeyPatch):
    """Five dice: 20^5 = 3,200,000 ways."""
    bridge.done("join", "grub", "--called", "Grub-3")
    bridge.done("join", "grub", "--called", "Grub-4")
    monkeypatch.setattr(outcomes, "DRAWS", 100)
    names = [f"grub-{number}" for number in range(1, 5)]
    odds = bridge.facts("odds", "attack", "boffin", *names, "--radius", "2")
    assert (odds["exact"], odds["of"]) == (False, 100)


def test_odds_in_a_script(bridge: Shell):
    Path("script").write_text("odds attack boffin grub-1\nodds --full check boffin --dt 9\n")
    out = bridge.done("run", "script")
    assert "56.75%" in out
    assert "60.00%" in out


@pytest.mark.slow
def test_help_and_completion_are_those_of_the_verb(bridge: Shell, tmp_path: Path):
    help_ = bridge.done("odds", "attack", "--help")
    assert "Usage: affray odds attack [OPTIONS] WHO [TARGET...]" in help_
    assert "--with" in help_
    assert "--dice" not in help_
    assert "attack" in bridge.done("odds", "--help")
    assert completed("affray odds att", tmp_path) == ["attack"]
    assert completed("affray odds attack gr", tmp_path) == ["Grub-1", "Grub-2"]
    assert "--full" in completed("affray odds attack --f", tmp_path)


def test_odds_end_quietly_when_nobody_reads_the_output(bridge: Shell, tmp_path: Path):
    process = subprocess.Popen(
        command("odds", "roll", "60d20", "--full"), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(),
    )  # fmt: skip
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


@pytest.mark.slow
def test_long_work_shows_how_far_it_is_and_can_be_stopped(bridge: Shell, tmp_path: Path):
    """On a terminal only; Ctrl-C leaves nothing behind."""
    bridge.done("join", "ogre")
    terminal = Terminal("odds", "attack", "boffin", "grub-1", "grub-2", "ogre", "--radius", "2", cwd=tmp_path)
    terminal.see("odds (--draws 20000 is quicker): ")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.shown
    assert os.listdir() == ["test.affray"]


# The table of 1d20

SEED = """
 2 95 99.75 1 90.25 | 3 90 99.00 2 81.00 | 4 85 97.75 3 72.25 | 5 80 96.00 3 64.00 | 6 75 93.75 4 56.25
 7 70 91.00 4 49.00 | 8 65 87.75 5 42.25 | 9 60 84.00 5 36.00 | 10 55 79.75 5 30.25 | 11 50 75.00 5 25.00
 12 45 69.75 5 20.25 | 13 40 64.00 5 16.00 | 14 35 57.75 5 12.25 | 15 30 51.00 4 9.00 | 16 25 43.75 4 6.25
 17 20 36.00 3 4.00 | 18 15 27.75 3 2.25 | 19 10 19.00 2 1.00 | 20 5 9.75 1 0.25
"""
"""The table "1d20 vs target" of the seed: target, once, with advantage, like +, with disadvantage; the last is like the
same, taken away."""


def test_the_table_is_that_of_the_seed(shell: Shell):
    """Every cell, without a ledger: aachen.odds.single, aachen.odds.advantage, aachen.odds.disadvantage."""
    cells = [row.split() for row in SEED.replace("\n", "|").split("|") if row.strip()]
    expected = [
        [target, f"{once}%", f"{better}%", f"+{like}", f"{worse}%", f"-{like}"]
        for target, once, better, like, worse in cells
    ]
    lines = shell.done("odds", "table").splitlines()
    assert [line.split() for line in lines[1:]] == expected
    assert len(expected) == 19
    rows = [json.loads(line) for line in shell.done("odds", "table", "--json").splitlines()]
    assert rows[6] == {
        "target": 8, "single": 260, "advantage": 351, "disadvantage": 169, "like_advantage": 5, "like_disadvantage": -5,
        "of": 400,
    }  # fmt: skip
