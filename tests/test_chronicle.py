"""The chronicle: what stands, who fought and who fell, how long it took, and the best blow."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec import Raw

from commands.action import systems
from commands.action.book import Book
from ledger.events import (
    Declared,
    EncounterBegan,
    EncounterEnded,
    Event,
    Felled,
    HpLost,
    Joined,
    Left,
    PainSuffered,
    Passage,
    Renamed,
    Rose,
    RoundBegan,
    Ruled,
    SideChanged,
    StressGained,
    WoundsSustained,
)
from ledger.sqlite import SqliteStore
from projections.blows import Blow
from projections.chronicle import BREAK, Chronicle, Encounter, Fall
from projections.persons import Persons
from tests.shell import Shell, new_book, write
from tests.test_golden import FIXTURES

DEMOS = {
    "aachen": [
        (
            "Adalger, Gerlind, Hedwig and Brun (party) against"
            " Chieftain, Goblin-1, Goblin-2, Goblin-3 and Wolf (opponents).",
            "2 rounds",
            "Goblin-1 (dead, e11), Chieftain (dying, e14), Brun (unconscious, e24), Goblin-2 (dead, e25), Wolf (dying,"
            " e26)",
            "Adalger against Chieftain, 9 hp (e14)",
        )
    ],
    "arkm": [
        (
            "Brenna, Corm, Wystan and Spearman (party) against"
            " Lancer, Orc-1, Orc-2, Orc-3, Orc-4 and Arbalist (raiders).",
            "3 rounds",
            "Orc-4 (dead, e17), Spearman (dead, e19), Orc-1 (dead, e24), Orc-3 (dead, e24), Lancer (dead, e39)",
            "Spearman against Lancer, 10 hp (e20)",
        ),
        (
            "Militia (party) against Bandits (raiders).",
            "2 rounds",
            "Bandits (dead, e54)",
            "Bandits against Militia, 30 hp (e49)",
        ),
    ],
    "dungeoneers": [
        (
            "Suori, Ulfarmi and Freya (dungeoneers) against Rattle, Grin, Morwen and Gorm (undead).",
            "3 rounds",
            "Grin (dead, e33), Rattle (dead, e37)",
            "Freya against Grin, 2 wounds (e8)",
        )
    ],
    "freepg": [
        (
            "Boffin, Tilda and Jane (party) against Brak, Grub-1 and Grub-2 (foes).",
            "2 rounds",
            "Tilda (dying, e11, up again), Grub-1 (dead, e19), Brak (dead, e26)",
            "Brak against Tilda, 19 hp (e11)",
        )
    ],
    "paraverse": [
        (
            "Sigrun, Ildar, Hakon and Maelis (party) against Reaver, Vasko, Thrall and Warlord (foes).",
            "3 rounds",
            "Ildar (unconscious, e13, up again), Vasko (unconscious, e13), Thrall (unconscious, e26), Reaver"
            " (unconscious, e28)",
            "Hakon against Thrall, 10 pain (e25)",
        )
    ],
}
"""Of each encounter of a demo, read off its golden transcript: who fought, how long, who fell, the best blow."""


@pytest.fixture(params=systems.SYSTEMS)
def demo(request: pytest.FixtureRequest, shell: Shell) -> tuple[str, Shell]:
    """The demo of a rule system, `test.affray`. It is always noon there."""
    shell.done("import", str(FIXTURES / request.param / "demo.jsonl"), "test.affray")
    return request.param, shell


def exported(shell: Shell, *words: str, file: str = "x.md") -> str:
    """A chronicle in Markdown, without the escapes; or a page."""
    shell.done("export", file, *words)
    return re.sub(r"\\([\\`*_~#\]<&])", r"\1", Path(file).read_text(encoding="utf-8"))


class Log(HTMLParser):
    """The paragraphs and the list items of the log of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.told: list[str] = []
        self.feed(page.partition('<section id="log"')[2].partition("</section>")[0])
        self.told = [one.strip() for one in self.told]

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("p", "li", "h3", "h4"):
            self.told.append("")

    def handle_data(self, data: str) -> None:
        if self.told:
            self.told[-1] += data


# The opening and the closing


@pytest.mark.slow
def test_every_encounter_opens_with_who_fought_and_closes_with_how_it_went(demo: tuple[str, Shell]):
    """In Markdown, on the page and in the log, each at its place."""
    system, shell = demo
    text = exported(shell)
    page = Log(exported(shell, file="x.html")).told
    log = shell.done("log", "--standing", "--last", "0").splitlines()
    for number, (opening, rounds, fell, best) in enumerate(DEMOS[system], 1):
        closing = [f"Over after {rounds} and under a minute at the table.", f"Fell: {fell}.", f"Biggest hit: {best}."]
        after = text.partition(f"\n## Encounter {number}")[2].partition("\n## ")[0]
        assert after.splitlines()[2] == opening
        assert after.rstrip().splitlines()[-1] == " ".join(closing)
        assert page.count(opening) == 1
        assert page[page.index(opening) - 1].startswith(f"Encounter {number}")
        assert page.count(" ".join(closing)) == 1
        at = log.index(opening)
        assert log[at - 1].startswith(f"Encounter {number}")
        end = next(nth for nth, line in enumerate(log) if line.strip().startswith(f"encounter {number} is over"))
        closed = log.index(closing[0], end)  # after what follows from the end, such as who is no longer engaged
        assert log[closed : closed + 3] == closing


def test_an_encounter_that_goes_on_says_so(table: Shell):
    for words in ("join boffin jane", "join grub", "begin", "initiative --dice 15,9,3"):
        table.done(*words.split())
    table.done("attack", "boffin", "grub", "--dice", "14,6")
    assert table.done("log", "--standing").splitlines()[-3:] == [
        "Still going: 1 round and under a minute at the table so far.",
        "Nobody fell.",
        "Biggest hit: Boffin against Grub, 11 hp (e6).",
    ]


def blow(doer: str, victim: str, fact: Event) -> tuple[Event, ...]:
    """An action in which one harms another."""
    return (Declared("attack", {"who": doer}), Passage(doer, victim), Ruled("x.hit", doer, victim, "hit", (), ""), fact)


def chronicle(*course: tuple[int, Sequence[Event]]) -> Encounter:
    """The only encounter of a course: when each entry was played, and its events after the declaration."""
    made = Chronicle()
    for number, (seconds, events) in enumerate(course, 1):
        told = events if isinstance(events[0], Declared) else (Declared("note", {}), *events)
        made.take(number, told, seconds)
    (found,) = made.encounters.values()
    return found


def joined(who: str, side: str) -> Joined:
    return Joined(who, side, Raw(b"{}"))


ANN, BOB, ORC = joined("Ann", "party"), joined("Bob", "party"), joined("Orc", "foes")
BEGUN = (EncounterBegan(1, "", True),)


def test_who_fought_are_those_who_were_there_and_up_and_those_who_came():
    found = chronicle(
        (0, (ANN, BOB, ORC, joined("Cat", "party"))),
        (1, (Felled("Bob", "dead"), Left("Cat"))),
        (2, BEGUN),
        (3, (joined("Wolf", "foes"), SideChanged("Orc", "party"))),
        (4, (Rose("Bob"),)),
        (5, (EncounterEnded(1),)),
        (6, (joined("Late", "foes"),)),
    )
    assert found.sides == {"Ann": "party", "Orc": "party", "Wolf": "foes", "Bob": "party"}


def test_who_fell_in_the_encounter_with_the_last_that_is_known():
    found = chronicle(
        (0, (ANN, BOB, ORC, Felled("Orc", "dead"))),
        (1, BEGUN),
        (2, (Felled("Ann", "dying"),)),
        (3, (Felled("Bob", "unconscious"),)),
        (4, (Rose("Bob"),)),
        (5, (Felled("Ann", "dead"),)),
        (6, (EncounterEnded(1),)),
        (7, (Felled("Bob", "dead"),)),
    )
    assert found.falls == {"Ann": Fall(6, "dead"), "Bob": Fall(4, "unconscious", True)}


def test_a_new_name_counts_from_the_beginning():
    """The same story, told of Grishnak, comes out of the names that the persons are told under."""
    course = (
        (ANN, ORC), BEGUN, blow("Ann", "Orc", HpLost("Orc", 4, 0)), (Felled("Orc", "dead"),),
        (Renamed("Orc", "Grishnak"),),
    )  # fmt: skip
    persons = Persons()
    for number, events in enumerate(course, 1):
        persons.take(number, number - 1, number, events)
    found = chronicle(
        *((number, persons.under_told_names(number, number + 1, events)) for number, events in enumerate(course))
    )
    assert found.sides == {"Ann": "party", "Grishnak": "foes"}
    assert found.falls == {"Grishnak": Fall(4, "dead")}
    assert found.best == Blow(3, "Ann", "Grishnak", "hp", 4, felled=False)


def test_the_best_blow_is_the_most_harm_by_one_to_one_in_one_entry():
    """Two hits of 3 and 4 in e4 are one blow of 7; 6 to each of two in e3 are not one of 12; 7 in e5 is no better."""
    both = (*blow("Ann", "Orc", HpLost("Orc", 6, 9)), *blow("Ann", "Wolf", HpLost("Wolf", 6, 9))[1:])
    twice = (*blow("Bob", "Orc", HpLost("Orc", 3, 6)), HpLost("Orc", 4, 2))
    found = chronicle(
        (0, (ANN, BOB, ORC)), (1, BEGUN), (2, both), (3, twice), (4, blow("Orc", "Ann", HpLost("Ann", 7, 0)))
    )
    assert found.best == Blow(4, "Bob", "Orc", "hp", 7, felled=False)


def test_harm_that_nobody_did_is_no_blow():
    """A fall, what the game master sets, and harm to oneself."""
    found = chronicle(
        (0, (ANN, ORC)),
        (1, BEGUN),
        (2, (HpLost("Orc", 9, 3),)),
        (3, (Declared("adjust", {"who": "Orc"}), HpLost("Orc", 2, 1))),
        (4, (Declared("attack", {"who": "Ann", "target": ["Ann"]}), HpLost("Ann", 5, 3))),
    )
    assert (found.best, found.falls) == (None, {})


def test_wounds_weigh_more_than_stress_and_pain_more_than_wounds():
    """1 wound is better than 6 stress, in whichever order they fall."""
    stress, wound = (blow("Ann", "Orc", StressGained("Orc", 6, 6)), blow("Ann", "Orc", WoundsSustained("Orc", 1, 1)))
    for entry, course in ((4, (stress, wound)), (3, (wound, stress))):
        found = chronicle((0, (ANN, ORC)), (1, BEGUN), (2, course[0]), (3, course[1]))
        assert found.best == Blow(entry, "Ann", "Orc", "wounds", 1, felled=False)
    pain = blow("Ann", "Orc", PainSuffered("Orc", 1, 1))
    found = chronicle((0, (ANN, ORC)), (1, BEGUN), (2, wound), (3, pain))
    assert found.best == Blow(4, "Ann", "Orc", "pain", 1, felled=False)


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ((0, 90, 60), 90),  # a clock that goes back counts nothing
        ((0, BREAK, 2 * BREAK), 2 * BREAK),
        ((0, 600, 600 + BREAK + 1, 1200 + BREAK + 1), 1200),  # an evening ended in between
    ],
)
def test_the_time_at_the_table_leaves_out_long_pauses(times: tuple[int, ...], seconds: int):
    found = chronicle((0, BEGUN), *((time, (RoundBegan(nth),)) for nth, time in enumerate(times)))
    assert (found.rounds, found.seconds) == (len(times) - 1, seconds)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (29, "under a minute"), (30, "1 minute"), (6600, "110 minutes"), (7200, "2 hours"),
        (7500, "2 hours 5 minutes"),
    ],
)  # fmt: skip
def test_the_time_at_the_table_is_told_in_minutes_and_in_hours_from_two_of_them_on(seconds: int, told: str):
    assert Encounter(1, 2, seconds=seconds).closing() == [f"Still going: {told} at the table so far.", "Nobody fell."]


def test_what_was_resolved_again_was_played_when_it_was_first_resolved(tmp_path: Path, shell: Shell):
    """An amendment at two o'clock does not make the encounter of noon two hours long."""
    book = new_book("test.affray")
    said, noon = Declared("note", {"text": "x"}), "2026-05-01T12:{:02}:00Z"
    write(book.store, [said, *BEGUN], recorded_at=noon.format(0))
    write(book.store, [said, RoundBegan(1)], recorded_at=noon.format(7))
    again = {"command": 4, "recorded_at": "2026-05-01T12:50:00Z"}
    write(book.store, [Declared("amend", {})], after=2, **again)
    write(book.store, [said, RoundBegan(1)], origin=3, **again)
    write(book.store, [said, EncounterEnded(1)], origin=6, recorded_at=noon.format(9))
    book.store.close()
    assert "Over after 1 round and 9 minutes at the table." in shell.done("log", "--standing")


# What stands


@pytest.fixture
def amended(table: Shell) -> Shell:
    """e8 is undone by e9; e6 is amended as e11, and e7 is e12 now. e6 did 11, e11 does 9."""
    for words in ("join boffin jane", "join grub --count 2", "begin Mill", "initiative --dice 15,9,3"):
        table.done(*words.split())
    table.done("attack", "boffin", "grub-1", "--dice", "14,6")  # e6
    table.done("done")  # e7
    table.done("note", "nonsense")  # e8
    table.done("undo")  # e9
    table.done("amend", "e6", "--mod", "defense:2:parapet", "--apply")  # e10 to e12
    table.done("note", "On it goes.")  # e13
    return table


def ids(text: str) -> list[int]:
    """The entries that a text tells, in order, each once."""
    found = re.findall(r"^(?:- |> )\*\*e(\d+)\*\*|  e(\d+)$", text, re.M)
    return list(dict.fromkeys(int(one or other) for one, other in found))


def test_standing_leaves_out_what_was_undone_and_amended_and_that_it_was(amended: Shell):
    left = [1, 2, 3, 4, 5, 11, 12, 13]
    assert ids(amended.done("log", "--standing")) == left
    assert ids(exported(amended, "--standing")) == left
    page = exported(amended, "--standing", file="x.html")
    assert [int(one) for one in re.findall(r'<li id="e(\d+)"', page)] == left
    assert "<del>" not in page
    assert ids(exported(amended)) == [*range(1, 14)]
    assert "~~" in amended.done("log")
    for line in amended.done("log", "--standing", "--json").splitlines():
        assert json.loads(line)["stands"] is True


def test_the_id_on_paper_is_found_in_the_chronicle(amended: Shell):
    assert "- **e11** (e6 again) Boffin attacks Grub-1" in exported(amended, "--standing")


@pytest.mark.parametrize("words", [("--standing",), ()])
def test_the_closing_counts_only_what_stands(amended: Shell, words: tuple[str, ...]):
    assert re.findall(r"Biggest hit: .* (\d+) hp \((e\d+)\)", exported(amended, *words)) == [("9", "e11")]


def test_filters_choose_what_is_told_and_not_how_it_went(amended: Shell):
    told = amended.done("log", "--standing", "--name", "jane")
    assert ids(told) == [2, 5, 12]
    assert told.splitlines()[-1].endswith("(e11).")
    assert ids(amended.done("log", "--standing", "--last", "2")) == [12, 13]
    assert ids(amended.done("log", "--standing", "--round", "9")) == []


def test_arithmetic_only_when_it_is_asked_for(amended: Shell):
    for words in (("log", "--standing"), ("export", "-", "--format", "markdown", "--standing")):
        assert "d20 14" not in amended.done(*words)
        assert "d20 14" in amended.done(*words, "--arithmetic")
    assert "d20 14" not in " ".join(Log(exported(amended, file="x.html")).told)
    assert "d20 14" in " ".join(Log(exported(amended, "--arithmetic", file="x.html")).told)


@pytest.mark.parametrize("option", ["--standing", "--arithmetic"])
@pytest.mark.parametrize("format_", ["csv", "jsonl", "parquet"])
def test_a_format_that_is_no_chronicle_refuses_them(table: Shell, option: str, format_: str):
    table.refused("export", "x", "--format", format_, option, code=2)


def test_a_chronicle_of_what_stands_is_the_same_after_undo_and_redo(amended: Shell):
    before = amended.done("log", "--standing")
    amended.done("undo", "e11")
    assert "Biggest hit" not in amended.done("log", "--standing")
    amended.done("redo")
    assert amended.done("log", "--standing") == before


# For the players


def test_players_read_of_no_number_that_they_do_not_know(demo: tuple[str, Shell]):
    """The best blow is the best of those whose number they know: those against their own side."""
    system, shell = demo
    text = exported(shell, "--player-safe", "--standing")
    closings = [line for line in text.splitlines() if line.startswith("Over after")]
    assert len(closings) == len(DEMOS[system])
    ours = systems.load(system).players
    for closing, (opening, rounds, fell, _) in zip(closings, DEMOS[system], strict=True):
        assert closing.startswith(f"Over after {rounds} and under a minute at the table. Fell: {fell}.")
        assert opening in text
        known = re.search(r"Biggest known hit: (\S+) against (\S+), ", closing)
        party = re.split(", | and ", opening.partition(f" ({ours[0]})")[0])
        assert "Biggest hit" not in closing
        assert known is None or known[2] in party


def test_a_secret_blow_is_not_the_best_one_until_it_is_revealed(table: Shell):
    for words in ("join boffin", "join ogre", "begin", "initiative --dice 15,3"):
        table.done(*words.split())
    table.done("attack", "ogre", "boffin", "--dice", "18,2", "--secret", "--allow", "out of turn")
    assert "known hit" not in exported(table, "--player-safe")
    table.done("reveal", "e6")
    assert "known hit: Ogre" in exported(table, "--player-safe")


def test_a_players_file_tells_the_same_chronicle_as_the_export_for_players(demo: tuple[str, Shell]):
    _, shell = demo
    safe = exported(shell, "--player-safe", "--standing")
    shell.done("export", "safe.jsonl", "--player-safe")
    shell.done("import", "safe.jsonl", "players.affray")
    theirs = shell.done("--ledger", "players.affray", "export", "-", "--format", "markdown", "--standing")
    closing = re.compile(r"^(?:Over after|## |[A-Z].* against ).*$", re.M)
    assert closing.findall(re.sub(r"\\([_#])", r"\1", theirs)) == closing.findall(safe)
    assert Book(SqliteStore.open("players.affray")).store.is_for_players
