"""Exports for the players hold no secret. The tests search every byte of every format."""

import io
import json
import re
import shlex
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from commands.action import systems
from commands.action.book import Book
from commands.action.common import Note
from commands.files.exports import FORMATS
from commands.files.exports.tidy import TABLES
from commands.look.filters import Filters
from commands.seen.record import Record
from ledger.events import (
    ALL_OPEN,
    KINDS,
    VAGUE,
    Awaited,
    Declared,
    HpLost,
    HpSet,
    Joined,
    Noted,
    Overruled,
    Renamed,
    Retracted,
    Rolled,
    Ruled,
    SideChanged,
    number,
    tag,
)
from ledger.sqlite import SqliteStore
from tests import archives
from tests.kit import KEY
from tests.reading import packed
from tests.sample import sampled
from tests.shell import Shell, new_book, say, write
from tests.test_golden import FIXTURES, STORIES, golden_of, named

SAFE = [
    name
    for name, form in FORMATS.items()
    if name == "jsonl" or (not form.whole and (name != "parquet" or find_spec("pyarrow")))
]


def everything(shell: Shell, *words: str) -> Iterator[tuple[str, str]]:
    """Each format that players can have, with all that it holds, unpacked."""
    for name in SAFE:
        for table in TABLES if FORMATS[name].tabular else [""]:
            path = Path(f"safe-{name}-{table}")
            more = (*(["--table", table] * bool(table)), *(["--arithmetic"] * FORMATS[name].chronicle))
            shell.done("export", str(path), "--format", name, "--player-safe", *words, *more)
            yield f"{name} {table}", unpacked(name, path.read_bytes())
    shell.done("export", "safe.zip", "--player-safe", *words)
    with zipfile.ZipFile("safe.zip") as archive:
        yield "zip", "".join(archive.read(inside).decode() for inside in archive.namelist())
    if find_spec("pyarrow"):
        shell.done("archive", ".", "--to", "safe", "--player-safe", *words)
        yield "archive", archives.text("safe")


def unpacked(name: str, content: bytes) -> str:
    if name == "parquet":
        from pyarrow import parquet

        table = parquet.read_table(io.BytesIO(content))
        return f"{table.to_pylist()} {table.schema.metadata}"
    text = content.decode()
    if name != "html":
        return text
    for part in ("boards", "record"):
        found = re.search(rf'id="{part}">([^<]+)<', text)
        if found:
            text = text.replace(found[1], str(packed(text, part)))
    return text


DIGEST = re.compile(r"\b(?:[0-9a-f]{32}){1,2}\b")
"""A digest, a leaf or a blind: any sequence of signs may be a part of one, by chance. Only whole ones are found."""


def without_digests(text: str) -> str:
    """What is left to be searched for a secret that is no digest."""
    return DIGEST.sub("", text)


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(systems.SYSTEMS, 5))
def test_no_secret_of_any_rule_system_leaves(system: str, shell: Shell):
    """The hit points of a foe, what the game master writes of it, reasons, loose dice, the key; not what is our own."""
    shell.done("import", str(FIXTURES / system / "demo.jsonl"), "test.affray")
    book = Book(SqliteStore.open("test.affray"))
    state = book.present()[1]
    key = book.store.key().hex()
    ours = systems.load(system).players
    secret = {who for who, member in state.roster.members.items() if member.side not in ours}
    book.store.close()
    foe = next(who for who in state.roster.order if who in secret)
    friend = next(who for who in state.roster.order if who not in secret)
    count = {"dungeoneers": "stress", "paraverse": "pain"}.get(system, "hp-max")
    for words in (
        ("adjust", foe, count, "873019", "sshh-1"),
        ("adjust", foe, count, "873012", "sshh-2"),
        ("adjust", friend, count, "4242", "a wish"),
        ("note", f"{foe} has 873013 left and knows it"),
        ("note", "sshh-3", "--about", foe),
        ("note", f"{foe} laughs.", "--allow", "sshh-4", "--once", "sshh-5"),
        ("roll", "2d1000+873020", "--why", "sshh-6", "--dice", "1,2"),
        ("roll", "1d20+873030", "--who", foe, "--why", "sshh-7", "--dice", "4"),
        ("roll", "1d20+4243", "--who", friend, "--why", "courage"),
        ("adjust", foe, count, "873016", "sshh-8"),
        ("undo",),
    ):
        shell.done(*words)
    for name, text in everything(shell):
        assert key not in text, name
        for word in ("sshh-", "8730"):
            assert word not in without_digests(text), name
        if name.split()[0] in ("markdown", "zip"):
            assert f"{foe} laughs." in text
            assert "4242" in text
            assert "4243" in text


@pytest.mark.parametrize("story", sampled(STORIES, 4), ids=named)
def test_every_story_is_told_without_the_numbers_of_the_others(story: Path, shell: Shell):
    """Of a foe a fact holds its kind, names and words: no number besides squares, areas and rounds."""
    shell.done("import", str(golden_of(story)), "test.affray")
    book = Book(SqliteStore.open("test.affray"))
    players = systems.load(book.present()[1].campaign.system).players
    others: set[str] = set()
    for page in Record(book, Filters(), sides=players).pages():
        assert (page.entry.typed, page.entry.once, page.entry.bodies) == ("", "", ())
        for _, fact in page.facts:
            if fact["event"] == "joined" and fact["side"] not in players:
                others.add(fact["who"])
                assert "sheet" not in fact
            if fact["event"] == "declared":
                assert "allow" not in fact
                assert not others & {sheet.get("name", "") for sheet in fact.get("said", {}).get("sheets", ())}
            if fact.get("who") in others and fact["event"] not in (
                "moved",
                "placed",
                "dropped",
                "picked-up",
                "skirmish-joined",
                "rolled",
            ):
                assert not list(numbers(fact)), fact
            if fact["event"] == "ruled" and others & {fact["who"], fact["about"]}:
                assert "numbers" not in fact
            if fact["event"] == "rolled" and fact["who"] in others:
                assert all(place > 0 for place in fact["places"]), "only dice that fell openly are seen"
    assert others
    book.store.close()


PLACED = ("moved", "placed", "dropped", "picked-up", "skirmish-joined")
"""Facts whose numbers are seen on the map."""


def numbers(value: Any) -> Iterator[int]:
    """Every number in a fact; but `round` says when something ends, and `nth` which ruling it is."""
    match value:
        case dict():
            for name, one in value.items():
                if name not in ("who", "whose", "about", "whom", "round", "condition", "clause", "nth"):
                    yield from numbers(one)
        case list():
            for one in value:
                yield from numbers(one)
        case bool():
            pass
        case int():
            yield value


def told(book: Book, *sides: str) -> list[tuple[tuple[Any, ...], list[dict[str, Any]]]]:
    """The events and the facts of each page but the first."""
    pages = list(Record(book, Filters(), sides=sides or ("party",)).pages())
    return [(page.events, [fact for _, fact in page.facts]) for page in pages[1:]]


ORC = Joined("Orc", "foes", Raw(b'{"hp": 99}'))
KIRA = Joined("Kira", "party", Raw(b'{"hp": 12}'))


def test_an_attack_on_a_foe_shows_our_die_and_how_it_came_out(tmp_path: Path):
    book = new_book(tmp_path / "test.affray")
    numbers_of = (number("attack", 17), number("defense", 12))
    write(book.store, [Declared("join", {"sheets": [{"name": "Orc", "hp": 99}]}), ORC, KIRA, HpSet("Orc", 99, 99)])
    write(
        book.store,
        [
            Declared("attack", {"who": "Kira", "target": "Orc", "mod": ["+2:secret"]}, allow="late"),
            Overruled("x.turn", "it is Orc's turn for 3 more", "late"),
            Rolled("Kira", "attack", "Orc", "1d20", (15,), (0,)),
            Rolled("Orc", "defense", "Kira", "1d20", (9,), (0,)),
            Ruled("x.hit", "Kira", "Orc", "hit", numbers_of, ">"),
            Ruled("x.margin", "Kira", "", "by 5", (number("margin", 5),), ""),
            HpLost("Orc", 5, 94),
        ],
    )
    (_, joined), (_, attack) = told(book)
    assert joined == [
        {"event": "declared", "verb": "join", "said": {}},
        {"event": "joined", "who": "Orc", "side": "foes"},
        {"event": "joined", "who": "Kira", "side": "party", "sheet": {"hp": 12}},
    ]  # fmt: skip
    assert attack == [
        {"event": "declared", "verb": "attack", "said": {"who": "Kira", "target": "Orc"}},
        {"event": "overruled", "clause": "x.turn"},
        {"event": "rolled", "who": "Kira", "purpose": "attack", "about": "Orc", "dice": "1d20", "faces": [15],
         "places": [0]},
        {"event": "ruled", "clause": "x.hit", "who": "Kira", "about": "Orc", "outcome": "hit"},
        {"event": "ruled", "clause": "x.margin", "who": "Kira", "about": ""},
        {"event": "hp-lost", "who": "Orc"},
    ]  # fmt: skip


def test_a_plan_of_a_foe_is_not_told_and_one_of_ours_is(tmp_path: Path):
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("join", {}), ORC, KIRA])
    for who, whom in (("Orc", "Kira"), ("Kira", "Orc")):
        said = {"who": who, "target": whom}
        write(book.store, [Declared("shoot", said), Awaited("declared", who, "shoot", said)])
    _, (events, orc), (_, kira) = told(book)
    assert events == (Noted("Orc decides what to do (unproven)"),)
    assert orc == [{"event": "hidden"}]
    assert [fact["event"] for fact in kira] == ["declared", "awaited"]


def test_somebody_who_joins_the_players_is_secret_only_before(tmp_path: Path):
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("join", {}), ORC, KIRA])
    write(book.store, [Declared("a", {}), HpSet("Orc", 98, 99)])
    write(book.store, [Declared("b", {}), SideChanged("Orc", "party"), HpSet("Orc", 97, 99)])
    write(book.store, [Declared("c", {}), HpSet("Orc", 96, 99)])
    write(book.store, [Declared("d", {}), SideChanged("Kira", "foes")])
    write(book.store, [Declared("e", {}), HpSet("Kira", 3, 12)])
    kinds = [[fact["event"] for fact in facts] for _, facts in told(book)]
    assert kinds == [
        ["declared", "joined", "joined"], ["declared"], ["declared", "side-changed"], ["declared", "hp-set"],
        ["declared", "side-changed"], ["declared"],
    ]  # fmt: skip


def test_a_foe_of_an_undone_course_is_secret_only_there(tmp_path: Path):
    """e3 puts Kira on the other side; e4 takes that back, and e5 is about a friend again."""
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("join", {}), ORC, KIRA])
    write(book.store, [Declared("a", {}), SideChanged("Kira", "foes"), HpSet("Kira", 3, 12)])
    write(book.store, [Declared("undo", {}), Retracted((3,), (3,))], after=2)
    write(book.store, [Declared("b", {}), HpSet("Kira", 2, 12)])
    kinds = [[fact["event"] for fact in facts] for _, facts in told(book)]
    assert kinds[1:] == [["declared", "side-changed"], ["declared", "retracted"], ["declared", "hp-set"]]


def test_a_foe_stays_secret_when_somebody_gets_another_name(tmp_path: Path):
    """So does each other foe; and the players' own people stay their own, under the new name and no other."""
    book = new_book(tmp_path / "test.affray")
    other = Joined("Ogre", "foes", Raw(b'{"hp": 50}'))
    write(book.store, [Declared("join", {}), ORC, KIRA, other])
    write(book.store, [Declared("rename", {}), Renamed("Orc", "Grom")])
    write(book.store, [Declared("rename", {}), Renamed("Kira", "Kyra")])
    write(book.store, [Declared("a", {}), *(HpSet(who, 3, 12) for who in ("Ogre", "Grom", "Orc", "Kyra", "Kira"))])
    *_, (_, facts) = told(book)
    assert [fact.get("who", fact["event"]) for fact in facts] == ["declared", "Kyra", "Kira"]


def test_sides_names_the_sides_of_the_players(tmp_path: Path, shell: Shell):
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("join", {}), ORC, KIRA, HpSet("Orc", 98, 99), HpSet("Kira", 11, 12)])
    book.store.close()
    for sides, orc, kira in (
        ((), False, True), (("foes",), True, False), (("party", "foes"), True, True), (("nobody",), False, False),
    ):  # fmt: skip
        shell.done("export", "a.md", "--player-safe", *(word for side in sides for word in ("--sides", side)))
        text = Path("a.md").read_text(encoding="utf-8")
        assert ("98/99" in text, "11/12" in text) == (orc, kira)


def test_a_name_is_found_as_a_word(tmp_path: Path):
    """`Orchard` does not name Orc; a note that names it tells no number, in any case."""
    book = new_book(tmp_path / "test.affray")
    write(book.store, [Declared("join", {}), ORC, KIRA])
    for text in ("Orchard, 12 trees", "orc has 5 left", "The ORC is nearly down", "Orc-2 is the 2nd"):
        say(book, Note(text))
    assert [[fact.get("text") for fact in facts[1:]] for _, facts in told(book)[1:]] == [
        ["Orchard, 12 trees"], [], ["The ORC is nearly down"], [],
    ]  # fmt: skip


def test_a_new_kind_of_event_is_left_out_for_a_foe():
    """What is told of everybody is a list; a new kind of fact is not on it until somebody puts it there."""
    assert set(KINDS) > ALL_OPEN
    assert not {tag(kind) for kind in ALL_OPEN} & {*VAGUE}
    assert not {HpSet, HpLost, Joined, Declared, Rolled, Ruled, Overruled, Noted, Awaited} & ALL_OPEN


def test_every_rule_system_says_whose_side_the_players_are_on():
    """In its own demo some fight for the players' sides, and some do not."""
    for name in systems.SYSTEMS:
        lines = (FIXTURES / name / "demo.jsonl").read_text(encoding="utf-8").splitlines()[1:]
        sides = {event["side"] for line in lines for event in json.loads(line)["events"] if event["event"] == "joined"}
        players = {*systems.load(name).players}
        assert sides & players, name
        assert sides - players, name


def test_the_key_is_in_no_file_for_players(table: Shell):
    for _, text in everything(table):
        assert KEY.hex() not in text


def test_a_number_beside_a_foe_stays_closed_however_its_name_is_written(shell: Shell):
    """A name of two words is one word on the board; a note may write it as two."""
    for line in (
        "init Table --system freepg", "join boffin", "join ogre --called Hooded-stranger",
        "note 'The HOODED stranger has 12 left'", "note 'Hooded-stranger has 13 left'", "note '14 left'",
    ):  # fmt: skip
        shell.done(*shlex.split(line))
    shell.done("export", "players.jsonl", "--player-safe")
    said = Path("players.jsonl").read_text(encoding="utf-8")
    assert [number in said for number in ("12 left", "13 left", "14 left")] == [False, False, True]


def test_the_morale_score_of_a_group_of_foes_stays_closed(shell: Shell):
    """The group is nobody at the table; the score is that of one of them. The score of hired men of ours is told."""
    for line in (
        "init Table --system arkm", "join fighter", "join orc --count 2 --side foes",
        "join spearman --count 2 --side party", "begin",
        "morale orc --trigger start --dice 5,6", "morale spearman --trigger start --dice 1,2",
    ):  # fmt: skip
        shell.done(*shlex.split(line))
    assert "> score 8 (Orc-1)" in shell.done("log", "--last", "0")
    shell.done("export", "players.md", "--player-safe", "--arithmetic")
    told = Path("players.md").read_text(encoding="utf-8")
    assert "Orc's morale breaks" in told
    assert "score 8 (Orc" not in told
    assert "score 8 (Spearman-1)" in told


@pytest.mark.parametrize(
    ("system", "ours", "foes", "lines", "groups"),
    [
        ("aachen", "adalger", "guard", ["begin", "initiative --dice 8,3"], ("pc", "opp")),
        ("arkm", "fighter", "goblin", ["begin", "round --dice 5,2"], ("party", "Goblin")),
        ("freepg", "boffin", "grub", ["begin", "initiative --dice 17,4"], ("John", "gm")),
    ],
)
def test_a_die_that_is_thrown_for_a_group_of_foes_is_theirs(
    system: str, ours: str, foes: str, lines: list[str], groups: tuple[str, str], shell: Shell
):
    """A group has no stat block; the die that the game master throws for it is as secret as one for a foe."""
    shell.done("init", "Groups", "--system", system)
    for line in (f"join {ours}", f"join {foes} --count 2", *lines):
        shell.done(*line.split())
    (ledger,) = Path().glob("*.affray")
    store = SqliteStore.open(str(ledger))
    record = Record(Book(store), Filters(), sides=systems.load(system).players)
    seen = [event for page in record.pages() for event in page.events if isinstance(event, Rolled)]
    store.close()
    assert [(one.who, bool(one.faces)) for one in seen if one.who in groups] == [(groups[0], True)]
