"""Statistics: who did what to whom, how the dice fell, how long it took; counted by hand from the demo fights."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from commands.action.book import Book
from commands.action.systems import in_play
from commands.look.filters import Filters
from commands.look.stats import Fortune, _words, report
from ledger.events import (
    Declared,
    EncounterBegan,
    EncounterEnded,
    Event,
    Felled,
    HpLost,
    Joined,
    PainSuffered,
    Passage,
    Retracted,
    Rolled,
    RoundBegan,
    Ruled,
    SideChanged,
    TurnBegan,
    TurnEnded,
)
from projections.statistics import Statistics, median
from tests.shell import Shell, new_book, recorded, write

DEEDS = {
    # Boffin 14 and 16; Tilda 7 and 8; Jane 4 and 13; Brak 19, and a blow that mail stops.
    ("freepg", "Boffin"): ({"hp": 30}, {}, 2, 0, 1, 0),
    ("freepg", "Tilda"): ({"hp": 15}, {"hp": 19}, 2, 1, 0, 1),
    ("freepg", "Brak"): ({"hp": 19}, {"hp": 30}, 2, 0, 1, 1),
    # Freya screams, which is stress that nobody did to her; Grin falls by her second blow.
    ("dungeoneers", "Freya"): ({"wounds": 2}, {"stress": 4}, 2, 0, 1, 0),
    ("dungeoneers", "Ulfarmi"): ({"stress": 1}, {"stress": 1, "wounds": 1}, 1, 0, 0, 0),
    # Reaver: 4 pain and a bleeder from Sigrun, then 1 and 1 from the bleeder, which fells him: nobody's deed.
    ("paraverse", "Reaver"): ({"pain": 1}, {"pain": 6, "wounds": 1}, 1, 1, 0, 1),
    # Sigrun: 4 of Reaver's pain and 1 of the warlord's; she wins twice and loses once.
    ("paraverse", "Sigrun"): ({"pain": 5, "wounds": 1}, {"pain": 1}, 2, 1, 0, 0),
    # Ildar's arrow fells Vasko when the phase closes, an entry later.
    ("paraverse", "Ildar"): ({"pain": 6, "wounds": 1}, {"pain": 6, "wounds": 1}, 2, 0, 1, 1),
}
"""Of fighters in the demo fights: harm dealt, harm taken, hits, misses, others felled, own falls."""


def whole(score: dict[str, Any]) -> tuple[Any, ...]:
    """A score as above."""
    dealt, taken = ({unit: points for unit, points in score[way].items() if points} for way in ("dealt", "taken"))
    return dealt, taken, *(score[measure] for measure in ("hits", "misses", "felled", "fell"))


@pytest.mark.parametrize(("whom", "deeds"), DEEDS.items(), ids=[" ".join(whom) for whom in DEEDS])
def test_who_did_what(shell: Shell, whom, deeds):
    system, who = whom
    shell.done("demo", system, "--file", "test.affray")
    (score,) = shell("stats", "--name", who, "--json").json["fighters"]
    assert whole(score) == deeds


def test_a_side_did_what_its_fighters_did(shell: Shell):
    shell.done("demo", "freepg", "--file", "test.affray")
    party, foes = shell("stats", "--json").json["sides"]
    assert (party["side"], party["dealt"]["hp"], party["taken"]["hp"]) == ("party", 30 + 15 + 17, 19)
    assert (foes["side"], foes["dealt"]["hp"], foes["taken"]["hp"]) == ("foes", 19, 62)


def test_the_tables(shell: Shell):
    shell.done("demo", "freepg", "--file", "test.affray")
    damage = shell.done("stats", "damage", "--name", "tilda").splitlines()
    assert damage == [
        "Damage and hits:",
        "         side   hp dealt  hp taken  hits  misses  of blows  felled  fell",
        "  Tilda  party  15        19        2     1       66%       0       1",
    ]
    # 17, 3, 14, 12, 4: fifty in five throws, of which 52.5 was to be expected.
    dice = shell.done("stats", "dice", "--name", "tilda").splitlines()
    assert dice[2].split() == ["Tilda", "d20", "typed", "5", "10.0", "10.5"]
    assert dice[3] == "Rolled by hand: 5. Rolled again after an undo: 0."
    luck = shell.done("stats", "luck", "--name", "tilda").splitlines()
    assert luck[2].split() == ["Tilda", "5", "50", "52.5", "-2.5", "42", "times", "in", "100"]


@pytest.fixture
def duel(shell: Shell, tmp_path) -> Shell:
    """A ledger made by hand: A throws a dozen sixes; B one of each face by program, and a one.

    A hits B for 3 and for 7, which fells B; B misses once and does 2 points of pain. One blow of 5 is taken back.
    """
    book = new_book(tmp_path / "test.affray")
    six = (1, 2, 3, 4, 5, 6)
    blow = [Declared("attack", {"who": "A", "target": "B"}), Passage("A", "B"), ruled("A", "B", "hit")]
    for at, *events in (
        ("00", *joined("A", "B")),
        ("00", Declared("begin", {}), EncounterBegan(1), RoundBegan(1), TurnBegan("A")),
        ("05", Declared("attack", {}), Rolled("A", "blow", "B", "12d6", (6,) * 12, (0,) * 12)),
        ("05", *blow, HpLost("B", 3, 7)),
        ("10", *blow, HpLost("B", 5, 2)),
        ("15", Declared("undo", {}), Retracted((6,), (6,))),
        ("20", Declared("done", {}), TurnEnded("A"), TurnBegan("B"), Rolled("B", "luck", "", "6d6", six, six)),
        (
            "25",
            Declared("attack", {}),
            Passage("B", "A"),
            ruled("B", "A", "miss"),
            Rolled("B", "blow", "A", "1d6", (1,), (0,)),
        ),
        ("25", Declared("curse", {"who": "B", "target": "A"}), Passage("B", "A"), PainSuffered("A", 2, 2)),
        ("30", Declared("done", {}), TurnEnded("B"), RoundBegan(2), TurnBegan("A")),
        ("40", *blow, HpLost("B", 7, 0), Felled("B", "dying")),
        ("50", Declared("end", {}), TurnEnded("A"), EncounterEnded(1)),
    ):
        after = {"after": 5} if isinstance(events[-1], Retracted) else {}
        write(book.store, events, recorded_at=f"2026-05-01T12:00:{at}Z", **after)
    book.store.close()
    return shell


def test_all_of_a_small_ledger_as_text(duel: Shell):
    """A's sum: 72 for 42, over five standard deviations; B's: 22 for 24.5, 0.55 below."""
    assert duel.done("stats").splitlines() == [
        "Damage and hits:",
        "              side       hp dealt  hp taken  pain dealt  pain taken  hits  misses  of blows  felled  fell",
        "  A           side of A  10        0         0           2           2     0       100%      1       0",
        "  B           side of B  0         10        2           0           0     1       0%        0       1",
        "  @side of A             10        0         0           2           2     0       100%      1       0",
        "  @side of B             0         10        2           0           0     1       0%        0       1",
        "Dice:",
        "             die  source   thrown  mean  fair mean",
        "  A          d6   typed    12      6.0   3.5",
        "  B          d6   program  6       3.5   3.5",
        "  B          d6   typed    1       1.0   3.5",
        "  everybody  d6   typed    13      5.6   3.5",
        "Rolled by hand: 13. Rolled again after an undo: 0.",
        "Luck:",
        "     dice  sum  expected  difference  fair dice come to less",
        "  A  12    72   42.0      +30.0       more than 99 times in 100, high",
        "  B  7     22   24.5      -2.5        29 times in 100",
        "Pace:",
        "            ended  median  in all",
        "  a round   2      20 s    50 s",
        "  A's turn  2      20 s    40 s",
        "  B's turn  1      10 s    10 s",
    ]


def test_the_numbers_of_a_small_ledger(duel: Shell):
    """A dozen sixes are 30 over 42, whose variance is 12 x 35/12: 5.071 deviations. B: 2.5 under 24.5, 0.553."""
    said = duel("stats", "--json").json
    assert [(one["who"], one["score"], one["higher"]) for one in said["luck"]] == [
        ("A", 5.071, 1.0),
        ("B", -0.553, 0.29),
    ]
    first = said["dice"][0]
    assert (first["who"], first["thrown"], first["faces"], first["mean"], first["expected"]) == (
        "A", 12, [0, 0, 0, 0, 0, 12], 6.0, 3.5,
    )  # fmt: skip
    assert said["fighters"][1] == {
        "name": "B", "side": "side of B", "hits": 0, "misses": 1, "felled": 0, "fell": 1,
        "dealt": {"hp": 0, "pain": 2, "stress": 0, "wounds": 0},
        "taken": {"hp": 10, "pain": 0, "stress": 0, "wounds": 0},
    }  # fmt: skip


def test_one_fighter_of_a_small_ledger(duel: Shell):
    """Of B alone: no sides, nobody together, and a turn, but all rounds."""
    said = duel("stats", "--name", "B", "--json").json
    assert ([one["name"] for one in said["fighters"]], said["sides"], said["encounters"]) == (["B"], [], 1)
    assert [(one["who"], one["source"]) for one in said["dice"]] == [("B", "program"), ("B", "typed")]
    assert [one["who"] for one in said["luck"]] == ["B"]
    assert said["pace"]["turns"] == [{"who": "B", "ended": 1, "median": 10, "total": 10}]


@pytest.mark.parametrize(("higher", "score", "words"), [
    (0.5, 0, "50 times in 100"), (0.994, 1.99, "99 times in 100"), (0.996, 2, "more than 99 times in 100, high"),
    (0.004, -2, "less than once in 100, low"), (0.006, -1.99, "once in 100"),
    (0.977, 2.0, "98 times in 100, high"),
])  # fmt: skip
def test_luck_in_words(higher, score, words):
    """High or low from two standard deviations on; neither 0 nor 100 times in 100."""
    assert _words(Fortune("A", 1, 1, 1.0, score, higher)) == words


def test_stats_shares_its_filters_with_log(shell: Shell):
    """In the second round Boffin's last blow, 16, and Jane's arrow, 13, hurt somebody."""
    shell.done("demo", "freepg", "--file", "test.affray")
    fighters = {one["name"]: one for one in shell("stats", "--round", "2", "--json").json["fighters"]}
    assert {who: one["dealt"]["hp"] for who, one in fighters.items() if one["dealt"]["hp"]} == {
        "Boffin": 16,
        "Jane": 13,
    }
    assert fighters["Jane"]["felled"] == 1
    assert shell.facts("stats", "--encounter", "2")["fighters"] == []
    shell.refused("stats", "--kind", "fallen", code=2)
    shell.refused("stats", "weather", code=2)


def test_what_was_undone_did_no_harm_but_its_dice_were_thrown(table: Shell):
    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub", "--dice", "14,6")
    table.done("undo")
    said = table("stats", "--json").json
    assert [one["dealt"]["hp"] for one in said["fighters"]] == [0, 0]
    assert [(one["who"], one["thrown"]) for one in said["dice"]] == [("Boffin", 1), ("Grub", 1), ("everybody", 2)]


def test_an_empty_campaign_has_no_statistics(table: Shell):
    assert table.done("stats").splitlines() == [
        "Damage and hits:", "  No combatant took part.", "Dice:", "  Nothing was rolled.",
        "Luck:", "  Nothing was rolled.", "Pace:", "  No round and no turn has ended.",
    ]  # fmt: skip
    assert json.loads(table.done("stats", "--json"))["dice"] == []


def counted(
    *entries: list[Event], again: dict[int, int] | None = None, stands: tuple[int, ...] | None = None
) -> Statistics:
    """What entries come to, each ten seconds after the one before."""
    found = Statistics(again or {})
    for number, events in enumerate(entries, 1):
        found.take(number, events, stands is None or number in stands, 10 * number, in_play=in_play(events[0]))
    found.finish()
    return found


def joined(*names: str) -> list[Event]:
    return [Declared("join", {}), *(Joined(who, f"side of {who}", Raw(b"{}")) for who in names)]


def ruled(who: str, about: str, outcome: str = "") -> Ruled:
    return Ruled("x.y", who, about, outcome, (), "")


def test_the_passage_names_who_did_the_harm():
    found = counted(
        joined("A", "B", "C"),
        [
            Declared("resolve", {}),
            Passage("A", "B"),
            ruled("A", "B", "hit"),
            Passage("B", "A"),
            ruled("B", "A", "parried"),
            Passage("A", "B"),
            HpLost("B", 3, 0),
        ],
        [Declared("curse", {"who": "C", "target": "B"}), Passage("C", "B"), PainSuffered("B", 2, 2)],
        [Declared("effect", {"who": ["B"]}), PainSuffered("B", 1, 3)],
        [Declared("rage", {"who": "B"}), Passage("B", "C"), PainSuffered("B", 4, 7)],
        [Declared("adjust", {"who": "B"}), PainSuffered("B", 9, 16)],
    )
    score = {who: one for (who, _), one in found.fighters.items()}
    assert (score["A"].dealt, score["C"].dealt, score["B"].dealt) == ({"hp": 3}, {"pain": 2}, {})
    assert score["B"].taken == {"hp": 3, "pain": 2 + 1 + 4}
    assert (score["A"].hits, score["B"].hits) == (1, 0)


def test_the_one_who_did_the_last_harm_felled():
    """B is dying by A, and dead a round later; that is one fall. C, who changed sides, falls by nobody."""
    found = counted(
        joined("A", "B", "C"),
        [Declared("attack", {}), Passage("A", "B"), ruled("A", "B", "hit"), HpLost("B", 3, 0)],
        [Declared("phase", {}), Felled("B", "dying")],
        [Declared("done", {}), Felled("B", "dead")],
        [Declared("side", {}), SideChanged("C", "side of A")],
        [Declared("done", {}), PainSuffered("C", 1, 1), Felled("C", "unconscious")],
    )
    score = dict(found.fighters)
    assert (score["A", "side of A"].felled, score["B", "side of B"].fell) == (1, 1)
    assert (score["C", "side of C"].fell, score["C", "side of A"].fell) == (0, 1)
    assert (found.sides()["side of A"].felled, found.sides()["side of A"].fell) == (1, 1)


def test_who_was_there_before_what_counts_is_counted_in_it():
    """A has hurt C before. Since then A hits, B misses, D hurts B without a blow, and C falls of the old wound."""
    before = joined("A", "B", "C", "D"), [Declared("attack", {}), Passage("A", "C"), HpLost("C", 3, 0)]
    since = (
        [Declared("attack", {}), Passage("A", "B"), ruled("A", "B", "hit")],
        [Declared("attack", {}), Passage("B", "D"), ruled("B", "D", "miss")],
        [Declared("cast", {}), Passage("D", "B"), PainSuffered("B", 2, 2)],
        [Declared("done", {}), Felled("C", "dead")],
    )
    found = Statistics({})
    for number, events in enumerate((*before, *since), 1):
        found.take(number, events, True, 10 * number, counts=number > len(before))
    found.finish()
    score = {who: one for (who, _), one in found.fighters.items()}
    assert (score["A"].hits, score["A"].dealt, score["A"].felled) == (1, {}, 1)
    assert (score["B"].misses, score["B"].taken, score["D"].dealt) == (1, {"pain": 2}, {"pain": 2})
    assert (score["C"].fell, score["C"].taken) == (1, {})


def test_an_exchange_of_blows_is_hit_by_one_and_missed_by_the_other():
    first, second = [Passage("A", "B"), ruled("A", "B", "A wins")], [Passage("B", "A"), ruled("B", "A", "miss")]
    found = counted(joined("A", "B"), [Declared("resolve", {}), *first, *second])
    assert [(one.hits, one.misses) for one in found.fighters.values()] == [(1, 0), (0, 2)]


def rolled(*faces: int, places: tuple[int, ...] = (), purpose: str = "attack") -> Rolled:
    return Rolled("A", purpose, "B", f"{len(faces)}d6", faces, places or (0,) * len(faces))


def test_a_blow_that_luck_turns_is_what_it_turned_into(shell: Shell):
    """Adalger misses, and his luck makes it a hit; the guard hits, and his luck makes it a miss."""
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger", "guard")
    for line in ("begin", "initiative --dice 7,1", "attack adalger guard --dice 3"):
        shell.done(*line.split())
    assert hits(shell, "Adalger") == (0, 1)
    shell.done("trigger", "adalger", "--luck", "--dice", "1")
    assert hits(shell, "Adalger") == (1, 0)
    shell.done("undo")
    shell.done("done")
    shell.done("attack", "guard", "adalger", "--dice", "18,3")
    assert hits(shell, "Guard") == (1, 0)
    shell.done("trigger", "adalger", "--luck")
    assert hits(shell, "Guard") == (0, 1)


def test_a_natural_1_in_freepg_is_a_miss(shell: Shell):
    """It is compared with nobody's defense, so that its ruling is about nobody."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin", "grub")
    shell.done("attack", "boffin", "grub", "--distance", "1", "--dice", "1")
    assert hits(shell, "Boffin") == (0, 1)


def hits(shell: Shell, who: str) -> tuple[int, int]:
    """How often somebody hit, and missed."""
    (score,) = shell("stats", "--name", who, "--json").json["fighters"]
    return score["hits"], score["misses"]


def test_a_die_that_answers_again_is_counted_once():
    """e3 resolves e1 again with its program dice 1 and 2 and a new one, 3; e4 resolves e2 again with its typed die,
    of which a 4 was misread as a 5, and a new one.
    """
    found = counted(
        [Declared("attack", {}), rolled(6, 1, places=(1, 2))],
        [Declared("attack", {}), rolled(5)],
        [Declared("attack", {}), rolled(6, 1, places=(1, 2)), rolled(3, places=(3,), purpose="damage")],
        [Declared("attack", {}), rolled(4), rolled(2, purpose="damage")],
        [Declared("attack", {}), rolled(5)],
        again={3: 1, 4: 2},
        stands=(3, 4, 5),
    )
    assert {(pile.source, pile.sides): faces for pile, faces in found.faces.items()} == {
        ("program", 6): [1, 0, 1, 0, 0, 1],
        ("typed", 6): [0, 1, 0, 1, 1, 0],
    }
    assert (found.luck["A"].dice, found.luck["A"].total, found.luck["A"].halves) == (6, 6 + 1 + 3 + 4 + 2 + 5, 6 * 7)


def test_hidden_dice_have_places_of_their_own():
    """Two open dice and one by hand before the first hidden one: 1, 2, 5 and 6."""
    dice = [rolled(1, 2, places=(1, 2)), rolled(5), rolled(6, places=(-1,))]
    found = counted([Declared("attack", {}), *dice])
    assert [*found.faces.values()] == [[1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]]


def test_two_equal_questions_of_one_action_are_two_dice():
    """A throws 5 and 2 for the same thing, once by hand and once by program; resolved again, they are still four."""
    twice = [Declared("attack", {}), rolled(5), rolled(2), rolled(6, places=(1,)), rolled(6, places=(2,))]
    found = counted(twice, twice, again={2: 1}, stands=(2,))
    assert {pile.source: faces for pile, faces in found.faces.items()} == {
        "typed": [0, 1, 0, 0, 1, 0], "program": [0, 0, 0, 0, 0, 2],
    }  # fmt: skip


def test_the_dice_of_one_throw_are_told_apart():
    """3d6 by hand, all of them resolved again: a 4, a 4 and a 1."""
    thrown = [Declared("attack", {}), rolled(4, 4, 1)]
    assert [*counted(thrown, thrown, again={2: 1}).faces.values()] == [[1, 0, 0, 2, 0, 0]]


def test_an_amended_ledger_counts_each_die_once(tmp_path):
    book = new_book(tmp_path / "book.affray")
    roll = [Declared("roll", {"dice": "1d6"}), Rolled("", "a roll", "", "1d6", (5,), (0,))]
    write(book.store, roll)
    write(book.store, [Declared("amend", {}), Retracted((2,), (2,))], after=1)
    write(book.store, roll, command=3, origin=2)
    (dice,) = report(book, Filters()).dice
    assert (dice.who, dice.source, dice.thrown, dice.faces) == ("the table", "typed", 1, [0, 0, 0, 0, 1, 0])
    book.store.close()


def test_luck_by_hand():
    """Three sixes of six: 18 where 10.5 was to be expected, with a variance of 3 x 35/12."""
    found = counted([Declared("roll", {}), rolled(6, 6, 6)])
    luck = found.luck["A"]
    assert (luck.dice, luck.total, luck.halves, luck.twelfths) == (3, 18, 21, 105)


def test_pace_by_hand():
    """Entries are ten seconds apart. A's turns last 10 and 20; the rounds 40 and 10; nothing is counted outside."""
    found = counted(
        [Declared("begin", {}), EncounterBegan(1)],
        [Declared("initiative", {}), RoundBegan(1), TurnBegan("A")],
        [Declared("done", {}), TurnEnded("A"), TurnBegan("B")],
        [Declared("done", {}), TurnEnded("B"), TurnBegan("A")],
        [Declared("note", {})],
        [Declared("done", {}), TurnEnded("A"), RoundBegan(2), TurnBegan("B")],
        [Declared("end", {}), EncounterEnded(1)],
        [Declared("note", {})],
    )
    assert found.rounds == [40, 10]
    assert found.turns == {"A": [10, 20], "B": [10, 10]}
    assert found.encounters == 1
    assert (median([10, 20, 40]), median([10, 20]), median([])) == (20, 10, 0)


def test_a_clock_that_runs_backwards_takes_no_time():
    """The round and the turn end 40 seconds before they began; the next ones last 60 seconds."""
    found = Statistics({})
    for entry, seconds, *events in (
        (1, 100, Declared("begin", {}), EncounterBegan(1), RoundBegan(1), TurnBegan("A")),
        (2, 60, Declared("done", {}), TurnEnded("A"), RoundBegan(2), TurnBegan("A")),
        (3, 120, Declared("end", {}), EncounterEnded(1)),
    ):
        found.take(entry, events, True, seconds)
    assert (found.rounds, found.turns) == ([0, 60], {"A": [0, 60]})


@pytest.mark.parametrize(("seconds", "words"), [
    (0, "0 s"), (1, "1 s"), (59, "59 s"), (60, "1 min 0 s"), (61, "1 min 1 s"), (185, "3 min 5 s"),
    (3599, "59 min 59 s"), (3600, "1 h 0 min"), (7799, "2 h 9 min"), (7800, "2 h 10 min"), (90000, "25 h 0 min"),
])  # fmt: skip
def test_a_length_of_time_in_words(tmp_path, shell: Shell, seconds, words):
    """One round and one turn of so many seconds."""
    book = new_book(tmp_path / "test.affray")
    began, ended = ((datetime(2026, 5, 1, tzinfo=UTC) + timedelta(seconds=at)).isoformat() for at in (0, seconds))
    write(book.store, [Declared("begin", {}), EncounterBegan(1), RoundBegan(1), TurnBegan("A")], recorded_at=began)
    write(book.store, [Declared("end", {}), TurnEnded("A"), EncounterEnded(1)], recorded_at=ended)
    book.store.close()
    assert [re.split("  +", line.strip()) for line in shell.done("stats", "pace").splitlines()[1:]] == [
        ["ended", "median", "in all"], ["a round", "1", words, words], ["A's turn", "1", words, words],
    ]  # fmt: skip


def test_what_is_resolved_again_happened_when_it_was_first_resolved(tmp_path):
    """A round of a minute, from e2 to e3, is amended an hour later: e4 jumps, e5 and e6 stand now."""
    book = new_book(tmp_path / "book.affray")
    began, ended = [Declared("begin", {}), EncounterBegan(1), RoundBegan(1)], [Declared("end", {}), EncounterEnded(1)]
    write(book.store, began, recorded_at="2026-05-01T12:00:00Z")
    write(book.store, ended, recorded_at="2026-05-01T12:01:00Z")
    late = {"recorded_at": "2026-05-01T13:00:00Z", "command": 4}
    write(book.store, [Declared("amend", {}), Retracted((2, 3), (3,))], after=1, **late)
    write(book.store, began, origin=2, **late)
    write(book.store, ended, origin=3, **late)
    assert report(book, Filters()).pace["rounds"] == {"ended": 1, "median": 60, "total": 60}
    book.store.close()


def test_a_clock_that_cannot_be_read_harms_nothing(book: Book):
    write(book.store, [Declared("begin", {}), EncounterBegan(1), RoundBegan(1)], recorded_at="sometime")
    write(book.store, [Declared("end", {}), EncounterEnded(1)])
    assert report(book, Filters()).pace["rounds"]["ended"] == 1


def test_harm_that_somebody_brings_or_that_the_game_master_sets_was_not_suffered(shell: Shell):
    """Pain 2 and a wound at the table, 2 more by `adjust`; then 1 in play, at which she falls."""
    shell.done("init", "test", "--system", "paraverse")
    Path("ann.toml").write_text('name = "Ann"\nside = "party"\npain = 2\nwounds = ["bleeder"]\n')
    shell.done("join", "ann.toml")
    shell.done("adjust", "ann", "pain", "4", "a fall")
    shell.done("effect", "ann", "--damage", "2", "--location", "torso")
    assert PainSuffered("Ann", 1, 5, 5) in recorded()
    (ann,) = shell("stats", "--json").json["fighters"]
    assert (ann["taken"]["pain"], ann["taken"]["wounds"], ann["fell"]) == (1, 0, 1)


def test_a_die_that_was_thrown_by_hand_is_counted_once_by_all(shell: Shell):
    """Two for initiative and two of the blow, though a bonus comes to it, another foe and another attacker; and two of
    Guard's blow, which luck turns.
    """

    def by_hand() -> tuple[str, ...]:
        counted = re.findall(r"(\d+) rolled by hand|Rolled by hand: (\d+)", shell.done("verify") + shell.done("stats"))
        return tuple(one or other for one, other in counted)

    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger", "brun", "guard", "wolf")
    shell.done("begin")
    shell.done("initiative", "--dice", "8,1")
    shell.done("attack", "adalger", "guard", "--dice", "12,2")
    assert by_hand() == ("4", "4")
    shell.done("amend", "e5", "--mod", "1:flank", "--because", "flank", "--apply")
    shell.done("amend", "e5", "--target", "wolf", "--apply")
    assert by_hand() == ("4", "4")
    shell.done("amend", "e5", "--who", "brun", "--apply")
    assert by_hand() == ("4", "4")
    dice = {(one["who"], one["sides"]): one["faces"].index(1) + 1 for one in shell("stats", "--json").json["dice"]}
    assert (dice["Brun", 20], ("Adalger", 20) in dice) == (12, False)
    shell.done("pass", "adalger")
    shell.done("attack", "guard", "adalger", "--dice", "19,3")
    shell.done("trigger", "adalger", "--luck")
    assert by_hand() == ("6", "6")
