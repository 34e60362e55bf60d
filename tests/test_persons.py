"""Persons: who bears which name, through renaming, leaving, undone names and corrected joins;
and all that is told of them.
"""

import csv
import io
import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import Raw

from commands.action.book import Book
from commands.archive.archived import STATISTICS
from ledger.events import Declared, Event, Joined, Left, Renamed, Ruled, decode, encode, split
from ledger.sqlite import SqliteStore
from projections.encounter import Encounter, Turns
from projections.harm import Condition, Conditions
from projections.pending import Counts, Pending, Waiting
from projections.persons import Person, Persons
from projections.positions import Areas
from projections.roster import Gear
from projections.state import State
from tests.archives import rows
from tests.kit import KEY
from tests.shell import Shell
from tests.test_heroes import hero

SHEET = Raw(b"{}")


def joined(who: str, place: int = 0) -> Joined:
    return Joined(who, "foes", SHEET, place)


def persons(*entries: tuple[int, int, list[Event]]) -> Persons:
    """Of entries from the second on, each with what it stands after, its origin, and its events."""
    found = Persons()
    for number, (after, origin, events) in enumerate(entries, 2):
        found.take(number, after, origin, events)
    return found


def test_a_person_is_the_entry_and_place_of_their_first_join_whatever_the_name() -> None:
    found = persons((1, 2, [joined("Grub-1"), joined("Grub-2")]), (2, 3, [Renamed("Grub-2", "Snot")]))
    snot = Person(2, 2)
    assert found.at(2).of == {"Grub-1": Person(2, 1), "Grub-2": snot}
    assert found.at(3).of == {"Grub-1": Person(2, 1), "Snot": snot}
    assert (found.names(snot), found.told(snot), found.name_at(2, snot)) == (("Grub-2", "Snot"), "Snot", "Grub-2")
    assert found.called("grub-2") == found.called("SNOT") == [snot]


def test_who_leaves_and_joins_again_is_somebody_else_and_is_told_apart() -> None:
    found = persons((1, 2, [joined("Ogre")]), (2, 3, [Left("Ogre")]), (3, 4, [joined("Ogre")]))
    assert found.called("Ogre") == [Person(2, 1), Person(4, 1)]
    assert [found.told(one) for one in found.called("Ogre")] == ["Ogre (e2)", "Ogre"]


def test_a_name_that_was_undone_is_nobodys_on_the_course_that_stands() -> None:
    found = persons((1, 2, [joined("Ogre")]), (2, 3, [Renamed("Ogre", "Gnasher")]), (2, 4, []))
    assert found.at(3).of == {"Gnasher": Person(2, 1)}
    assert found.at(4).of == {"Ogre": Person(2, 1)}
    assert found.told(Person(2, 1)) == "Ogre"


def test_a_join_that_is_resolved_again_says_which_person_each_place_is() -> None:
    """Place 2 of the corrected join is the person of place 3 of the first."""
    first = [joined("Grub-1"), joined("Grub-2"), joined("Grub-3")]
    found = persons((1, 2, first), (1, 3, []), (3, 2, [joined("Grub-1"), joined("Grub-2", 3)]))
    assert found.at(2).of["Grub-3"] == found.at(4).of["Grub-2"] == Person(2, 3)


def test_the_place_stands_in_the_open_half_before_the_sheet() -> None:
    event = joined("Grub-2", 3)
    body = encode(event)
    assert body == b'{"event":"joined","who":"Grub-2","side":"foes","place":3,"sheet":{}}'
    assert body[: split(event, body)] == b'{"event":"joined","who":"Grub-2","side":"foes","place":3'
    assert encode(joined("Grub-2")) == b'{"event":"joined","who":"Grub-2","side":"foes","sheet":{}}'
    assert decode(body) == event


def test_a_deed_out_of_order_says_so_in_its_closed_half() -> None:
    event = Declared("pass", {"who": "Bo"}, out_of_order=True)
    body = encode(event)
    assert body == b'{"event":"declared","verb":"pass","said":{"who":"Bo"},"out_of_order":true}'
    assert body[split(event, body) :] == b'},"out_of_order":true}'


@pytest.mark.parametrize("renamed", [False, True])
def test_events_are_told_under_the_last_names_of_those_whom_they_are_about(renamed: bool) -> None:
    table = [(1, 2, [joined("Ogre"), joined("Bo")]), (2, 3, [Renamed("Ogre", "Gnasher")] * renamed)]
    found, last = persons(*table), "Gnasher" if renamed else "Ogre"
    blow = [
        Declared("fight", {"who": "Bo", "target": ["Ogre"], "why": "Ogre"}),
        Ruled("clause", "Ogre", "Bo", "Ogre wins", (), ""),
        Left("Ogre"),
    ]
    assert found.under_told_names(2, 9, blow) == [
        Declared("fight", {"who": "Bo", "target": [last], "why": "Ogre"}),
        Ruled("clause", last, "Bo", f"{last} wins", (), ""),
        Left(last),
    ]


class Told(NamedTuple):
    """A fight of Boffin with an ogre, in which the ogre gets another name or leaves between two blows of 7 and 8 hp."""

    join: tuple[str, ...]
    between: tuple[tuple[str, ...], ...]
    last: tuple[tuple[str, ...], ...]
    """What is said after the second blow."""
    first: str
    """The name of the first victim, at the first blow."""
    second: str
    taken: dict[str, int]
    """How many hp each foe lost, by the name that is told."""
    down_to: str
    """What hp the second victim has at last."""
    beside: tuple[str, ...] = ()
    """Foes who lose nothing."""

    @property
    def foes(self) -> dict[str, int]:
        """How many hp each foe lost."""
        return {**self.taken, **dict.fromkeys(self.beside, 0)}


OGRE, GNASHER = ("join", "ogre"), ("join", "ogre", "--called", "Gnasher")
FIGHTS = {
    "nothing": Told(OGRE, (), (), "Ogre", "Ogre", {"Ogre": 15}, "25"),
    "renamed": Told(OGRE, (("rename", "ogre", "Gnasher"),), (), "Ogre", "Gnasher", {"Gnasher": 15}, "25"),
    "renamed at last": Told(OGRE, (), (("rename", "ogre", "Gnasher"),), "Ogre", "Gnasher", {"Gnasher": 15}, "25"),
    "unmasked": Told(
        (*GNASHER, "--seen-as", "Stranger"), (("unmask", "stranger"),), (), "Stranger", "Gnasher",
        {"Gnasher": 15}, "25",
    ),
    "the name used again": Told(
        OGRE, (("leave", "ogre"), OGRE), (), "Ogre", "Ogre", {"Ogre (e3)": 7, "Ogre": 8}, "32",
    ),
    "the join corrected": Told(
        OGRE, (), (("amend", "e3", "--called", "Gnasher", "--because", "x", "--apply"),), "Ogre", "Gnasher",
        {"Gnasher": 15}, "25",
    ),
    "the join corrected to two": Told(
        OGRE, (), (("amend", "e3", "--count", "2", "--because", "x", "--apply"),), "Ogre", "Ogre-1",
        {"Ogre-1": 15}, "25", ("Ogre-2",),
    ),
    "unmasked at last": Told(
        (*GNASHER, "--seen-as", "Stranger"), (), (("unmask", "stranger"),), "Stranger", "Gnasher",
        {"Gnasher": 15}, "25",
    ),
    "the name used again, and changed": Told(
        OGRE, (("leave", "ogre"), OGRE), (("rename", "ogre", "Gnasher"),), "Ogre", "Gnasher",
        {"Ogre": 7, "Gnasher": 8}, "32",
    ),
}  # fmt: skip


@pytest.fixture(params=FIGHTS)
def fought(request: pytest.FixtureRequest, shell: Shell) -> tuple[Shell, Told]:
    """Boffin's sword hits twice: 14 + 2 sword + 1 ring - 9 defense - 1 hide = 7 hp, and with a 15 it is 8. Ann plays
    him.
    """
    told = FIGHTS[request.param]
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin")
    shell.done(*told.join)
    shell.done("begin")
    shell.done("initiative", "--dice", "14,3")
    shell.done("attack", "boffin", told.first, "--dice", "14,6")
    for words in told.between:
        shell.done(*words)
    shell.done("attack", "boffin", "@foes", "--dice", "15,6", "--allow", "once more")
    for words in told.last:
        shell.done(*words)
    return shell, told


def counted(shell: Shell, *words: str) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """What statistics say of the fighters and of the sides."""
    found = json.loads(shell.done("stats", *words, "--json"))
    fighters = {row["name"]: row for row in found["fighters"]}
    assert len(fighters) == len(found["fighters"])
    return fighters, {row["side"]: row for row in found["sides"]}


def test_statistics_are_a_persons_whatever_the_name(fought: tuple[Shell, Told]) -> None:
    """By hand: 15 hp, two hits, two dice of 6 for defence."""
    shell, told = fought
    fighters, sides = counted(shell)
    assert {name: row["taken"]["hp"] for name, row in fighters.items() if row["side"] == "foes"} == told.foes
    assert {*fighters} == {"Boffin", *told.foes}
    assert (sides["foes"]["taken"]["hp"], sides["party"]["dealt"]["hp"], sides["party"]["hits"]) == (15, 15, 2)
    dice = {one["who"]: one["faces"] for one in json.loads(shell.done("stats", "--json"))["dice"]}
    assert {who: dice[who][5] for who in told.taken} == {who: 2 // len(told.taken) for who in told.taken}


def test_statistics_of_a_name_are_those_of_its_bearer(fought: tuple[Shell, Told]) -> None:
    """A name means who bears it; where nobody does, who bore it last; `Ogre (e3)` the one who joined in e3."""
    shell, told = fought
    for word in {*told.taken, told.second, *([told.first] if told.last or told.second != told.first else [])}:
        fighters, _ = counted(shell, "--name", word)
        name = word if word in told.taken else told.second
        assert {one: row["taken"]["hp"] for one, row in fighters.items()} == {name: told.taken[name]}


def test_an_archive_adds_up_the_same(fought: tuple[Shell, Told]) -> None:
    shell, told = fought
    shell.done("archive", "test.affray", "--to", "store")
    taken = [row for row in rows("store", STATISTICS) if row["measure"] == "hp taken" and row["side"] == "foes"]
    assert {row["who"]: row["value"] for row in taken if row["value"]} == {
        name: points for name, points in told.foes.items() if points
    }


def test_why_goes_on_through_another_name(fought: tuple[Shell, Told]) -> None:
    """From 40 hp down by 7 and by 8; of the second ogre only by 8."""
    shell, told = fought
    found = json.loads(shell.done("why", f"{told.second}.hp", "--json"))
    befores = ["33", "40"] if told.down_to == "25" else ["40"]
    assert (found["value"], [one["before"] for one in found["changes"]]) == (told.down_to, [*befores, "-"])


def test_a_search_follows_a_person(fought: tuple[Shell, Told]) -> None:
    """The second victim is below 35 hp since the first blow, the second ogre since the second one."""
    shell, told = fought
    rows = [json.loads(line) for line in shell.done("find", f"{told.second}.hp < 35", "--json").splitlines()]
    before = "40"
    assert [row["changes"][0] | {"name": ""} for row in rows] == [
        {"name": "", "before": before, "after": "33" if told.down_to == "25" else "32"}
    ]


def test_the_log_of_a_name_is_that_of_its_bearer(fought: tuple[Shell, Told]) -> None:
    shell, told = fought
    log = shell.done("log", "--standing", "--name", told.second, "--json").splitlines()
    lost = [event["points"] for line in log for event in json.loads(line)["events"] if event["event"] == "hp-lost"]
    assert lost == ([7, 8] if told.down_to == "25" else [8])


def test_the_players_file_adds_up_the_same_blows(fought: tuple[Shell, Told]) -> None:
    """They do not read how much the foes lost, but who was hit."""
    shell, told = fought
    shell.done("export", "players.jsonl", "--player-safe")
    shell.done("import", "players.jsonl", "players.affray")
    Path("test.affray").unlink()
    fighters, sides = counted(shell)
    assert {*fighters} == {"Boffin", *told.foes}
    assert (fighters["Boffin"]["hits"], sides["party"]["hits"]) == (2, 2)


def test_tables_say_which_person_each_row_is_about(fought: tuple[Shell, Told]) -> None:
    """The ogre joined in e3 as its first; who joins again did so in e8."""
    shell, told = fought
    rows = csv.DictReader(io.StringIO(shell.done("export", "--format", "csv", "--table", "damage", "-")))
    taken: Counter[str] = Counter()
    for row in rows:
        if row["stands"] == "1":
            taken[row["person"]] += int(row["amount"])
    assert taken == ({"e3.1": 7, "e8.1": 8} if told.down_to == "32" else {"e3.1": 15})


def test_the_chronicle_tells_the_best_blow_of_a_person(fought: tuple[Shell, Told]) -> None:
    shell, told = fought
    assert f"Biggest hit: Boffin against {told.second}, 8 hp" in shell.done("export", "--format", "markdown", "-")


def test_an_evening_is_a_persons(fought: tuple[Shell, Told]) -> None:
    """Also of the one who left, by the words with which they are told; `Ogre (e3)` means the first in any case."""
    shell, told = fought
    assert [(blow.victim, blow.points) for blow in hero("Boffin").dealt][1:] == [(told.second, 8)]
    assert sum(blow.points for blow in hero("Boffin").dealt) == 15
    for name, hp in [*told.taken.items(), (f"{told.first} (e3)", next(iter(told.taken.values())))]:
        assert f"{hp} hp in all" in shell.done("show", name, "--evening"), name


def test_a_house_rule_is_told_of_persons(fought: tuple[Shell, Told]) -> None:
    """Hits of 7 and 8 hp become two of 10."""
    shell, told = fought
    [_, fight] = map(json.loads, shell.done("what-if", "--option", "min_hit_damage=10", "--json").splitlines())
    one = {"side": "foes", "first": [{"name": "hp", "recorded": "33", "what_if": "30"}], "end": []}
    both = {**one, "end": [{"name": "hp", "recorded": "25", "what_if": "20"}]}
    hp = [{"name": "hp", "recorded": "32", "what_if": "30"}]
    other = {"side": "foes", "first": hp, "end": hp}
    foes = {row.pop("name"): row for row in fight["fighters"] if row.pop("entry")}
    assert foes == ({told.second: both} if told.down_to == "25" else dict(zip(told.taken, (one, other), strict=True)))


def test_what_differs_is_told_of_persons(fought: tuple[Shell, Told]) -> None:
    """Between the first blow and the end: the foe who stays loses 8 hp, whatever they are called; who left is gone, and
    another one has come.
    """
    shell, told = fought
    rows = json.loads(shell.done("diff", "e6..", "--json"))["differences"]
    found = {row["name"]: (row["before"], row["after"]) for row in rows if row["name"].endswith(".hp")}
    gone = next(iter(told.taken)) if told.down_to == "32" else ""
    both = {f"{gone}.hp": ("33", "-"), f"{told.second}.hp": ("-", "32")}
    expected = both if gone else {f"{told.second}.hp": ("33", "25")}
    assert found == {**expected, **{f"{name}.hp": ("-", "40") for name in told.beside}}


def test_why_tells_of_the_one_who_left_by_the_words_with_which_they_are_told(fought: tuple[Shell, Told]) -> None:
    shell, told = fought
    called = told.first.casefold() + " (e3)" * (told.first != told.second or told.down_to == "32")
    rows = json.loads(shell.done("why", f"{called}.hp", "--json"))["changes"]
    changes = [(one["before"], one["after"]) for one in rows]
    assert changes[-2:] == [("40", "33"), ("-", "40")]
    assert changes[:-2] == ([("33", "-")] if told.down_to == "32" else [("33", "25")])


def test_a_name_means_somebody_who_was_there_before_one_whose_join_was_undone() -> None:
    """Person e2 was undone; e4 was called so, and left under another name."""
    joins = [(1, 2, [joined("Ogre")]), (1, 3, []), (3, 4, [joined("Ogre")])]
    found = persons(*joins, (4, 5, [Renamed("Ogre", "Gnasher")]), (5, 6, [Left("Gnasher")]))
    assert found.bearer("ogre", 6) == found.bearer("Gnasher", 6) == Person(4, 1)
    assert found.bearer("Ogre (e2)", 6) == Person(2, 1)
    assert found.bearer("Ogress", 6) is None


@pytest.mark.parametrize("words", [("rename", "ogre", "Gnasher"), ("amend", "e3", "--called", "Gnasher")])
def test_another_name_changes_nothing_on_the_board(shell: Shell, words: tuple[str, ...]) -> None:
    """Neither for `replay` and `diff`, nor in what an amendment tells of the end."""
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin")
    shell.done("join", "ogre")
    if words[0] == "amend":
        assert shell.facts(*words)["changes"] == []
        words = (*words, "--because", "x", "--apply")
    shell.done(*words)
    assert json.loads(shell.done("diff", "e3..", "--json"))["differences"] == []
    if words[0] == "rename":
        assert json.loads(shell.done("replay", "--since", "e4", "--json"))["changes"] == []


def players_read(shell: Shell, word: str) -> list[int]:
    """The entries in whose open words a word stands, in an export for the players."""
    shell.done("export", "players.jsonl", "--player-safe")
    lines = Path("players.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return [entry for line in lines if word in line and (entry := json.loads(line)["entry"])]


def test_one_true_name_of_two_persons_is_opened_of_one(shell: Shell) -> None:
    """The first was undone, or left; the players learn who the second is. Its words are those of `masked`."""
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    for words in (("undo", "--yes"), ("leave", "stranger"), ()):
        shell.done(*GNASHER, "--seen-as", "Stranger")
        if words:
            shell.done(*words)
    assert players_read(shell, "Gnasher") == []
    shell.done("unmask", "stranger")
    assert players_read(shell, '\\"event\\":\\"masked\\",\\"who\\":\\"Stranger\\",\\"name\\":\\"Gnasher\\"') == [6]
    assert players_read(shell, "Gnasher") == [6, 7]
    shell.done("verify", "players.jsonl")


def test_numbers_of_a_foe_stay_closed_when_a_friend_bears_the_name_later(shell: Shell) -> None:
    """The hp of the ogre who left are the game master's; those of the friend are known, and again those of the next foe
    are not.
    """
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin")
    for side in ("foes", "party", "foes"):
        shell.done("join", "ogre", "--side", side)
        shell.done("damage", "ogre", "4", "a fall")
        shell.done("leave", "ogre")
    assert players_read(shell, ',\\"points\\":4,\\"left\\":36') == [7]
    assert players_read(shell, "thick hide") == [6]


def test_a_word_that_is_also_a_name_is_no_name(shell: Shell) -> None:
    """A condition, an area, an item and a feature of the ground keep their words, anybody who is renamed."""
    shell.done("init", "Test", "--system", "dungeoneers", "--key", KEY.hex())
    shell.done("join", "suori", "freya")
    shell.done("adjust", "suori", "condition", "Freya", "a spell")
    shell.done("rename", "freya", "Bo")
    assert shell.value("Suori.Freya") == "yes"
    state = State(
        conditions=Conditions({"Ada": {"Ada": Condition(whose="Ada", whom=("Ada",), modifies="Ada")}}),
        counts=Counts(round={"Ada": {"Ada": {"Ada": 1}}}),
        areas=Areas(("Ada",), at={"Ada": "Ada"}),
        gear=Gear({"Ada": ("Ada",)}),
        encounter=Encounter(ground={"Ada": ((0, 0),)}),
        turns=Turns(("Ada",), phase="Ada", who="Ada"),
        pending=Pending((Waiting("window", "Ada", "Ada", {"struck": ["Ada"], "strikers": {"Ada": "Ada"}}),)),
    )
    assert state.under({"Ada": "Bo"}) == State(
        conditions=Conditions({"Bo": {"Ada": Condition(whose="Bo", whom=("Bo",), modifies="Ada")}}),
        counts=Counts(round={"Bo": {"Ada": {"Bo": 1}}}),
        areas=Areas(("Ada",), at={"Bo": "Ada"}),
        gear=Gear({"Bo": ("Ada",)}),
        encounter=Encounter(ground={"Ada": ((0, 0),)}),
        turns=Turns(("Bo",), phase="Ada", who="Bo"),
        pending=Pending((Waiting("window", "Bo", "Ada", {"struck": ["Bo"], "strikers": {"Bo": "Bo"}}),)),
    )


def test_a_seat_plays_a_person(shell: Shell) -> None:
    """Ann plays Boffin under every name, and the one who joins under his old name is not hers."""
    shell.done("init", "Test", "--system", "freepg", "--key", KEY.hex())
    shell.done("join", "boffin", "ogre")
    shell.done("seat", "Ann", "boffin")
    shell.done("rename", "boffin", "Bo")
    shell.done("join", "boffin")
    with closing(SqliteStore.open("test.affray")) as store:
        assert [seat.plays for seat in Book(store).present()[1].seats.taken] == [("Bo",)]
