"""What the game master keeps secret: `--secret`, hidden dice, and `reveal`, in every rule system."""

import contextlib
import csv
import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.action.book import Book
from ledger.sqlite import SqliteStore
from tests.kit import KEY
from tests.proof import die
from tests.sample import sampled
from tests.shell import Shell, chain_anew, foreign, forge
from tests.test_golden import FIXTURES
from tests.test_player_safe import everything, without_digests

BLOWS = ("attack", "shoot", "resolve")
"""Verbs that throw dice in the demos."""


def lines(ledger: str = "") -> list[dict[str, Any]]:
    """The entries of an export, with e1 at place 1; a file for players has parts in place of events."""
    return [json.loads(line) for line in Path(ledger or "record.jsonl").read_text(encoding="utf-8").splitlines()]


def entry(shell: Shell, number: int) -> dict[str, Any]:
    shell.done("export", "record.jsonl")
    return lines()[number]


def rolls(shell: Shell, number: int) -> list[dict[str, Any]]:
    """The rolls of an entry of which the faces are there."""
    return [event for event in entry(shell, number)["events"] if event["event"] == "rolled" and event["faces"]]


def system_of(record: list[dict[str, Any]]) -> str:
    """The rule system of a record."""
    return str(record[1]["program"].split()[-1].rpartition("-")[0])


def last(shell: Shell) -> int:
    return int(shell.done("verify", "--check", "chain").split()[0])


@pytest.fixture(params=sampled(systems.SYSTEMS, 5))
def demo(request: pytest.FixtureRequest, shell: Shell) -> Shell:
    """The demo of a rule system, `test.affray`."""
    shell.done("import", str(FIXTURES / request.param / "demo.jsonl"), "test.affray")
    return shell


def a_blow() -> tuple[int, list[str]]:
    """The number and the words of the last blow of the demo, without its dice."""
    found = [
        (line["entry"], re.sub(r" --dice [\d,]+", "", line["typed"]))
        for line in lines()[1:]
        if line["typed"].startswith(BLOWS) and any(event["event"] == "rolled" for event in line["events"])
    ]
    return found[-1][0], shlex.split(found[-1][1])


@pytest.fixture
def struck(demo: Shell) -> tuple[Shell, int]:
    """The last blow of the demo is taken back and struck again with the program's dice, in secret. Gives its entry."""
    demo.done("export", "record.jsonl")
    number, words = a_blow()
    demo.done("undo", f"e{number}")
    demo.done(*words, "--secret")
    return demo, last(demo)


# --secret


def test_secret_dice_are_hidden_dice(struck: tuple[Shell, int]):
    """All of them, whosever they are: each has a place in the hidden stream, one after another."""
    shell, number = struck
    before, after = entry(shell, number - 1), entry(shell, number)
    places = [place for roll in rolls(shell, number) for place in roll["places"]]
    assert places
    assert places == [-before["hidden"] - nth for nth in range(1, len(places) + 1)]
    assert (after["drawn"], after["hidden"]) == (before["drawn"], before["hidden"] + len(places))
    shell.done("verify")


@pytest.mark.slow
def test_players_are_told_of_a_secret_entry_that_something_happens(struck: tuple[Shell, int]):
    """In every format nothing of it stands there but one line that nothing proves, and one leaf for all of it."""
    shell, number = struck
    texts = dict(everything(shell))
    told = [line for line in texts["markdown "].splitlines() if f"**e{number}**" in line]
    assert told == [f"- **e{number}** something happens (unproven)"]
    parts = json.loads(texts["jsonl "].splitlines()[number])["parts"]
    assert [*parts] == ["sealed", "leaf"]
    assert parts["sealed"] == "secret"
    assert re.fullmatch("[0-9a-f]{64}", parts["leaf"])
    events = [row for row in csv.DictReader(io.StringIO(texts["csv events"])) if row["entry"] == str(number)]
    assert [event["kind"] for event in events] == ["hidden"]
    assert "said" not in events[0]["body"]


def test_no_secret_word_leaves_in_any_format(demo: Shell):
    """Secret notes, reasons, rolls and house rules, of a friend or of nobody."""
    _, friends = foes_and_friends(demo)
    with contextlib.closing(SqliteStore.open("test.affray")) as store:
        who = next(name for name in Book(store).present()[1].roster.order if name in friends)
    count = {"dungeoneers": "stress", "paraverse": "pain"}.get(system_of(lines()), "hp-max")
    for words in (
        ("note", "Zarquon sleeps beneath the bridge.", "--secret", "--once", "quondam-1"),
        ("note", "Vexillum knew.", "--about", who, "--secret"),
        ("roll", "2d6+700931", "--why", "ambuscade", "--secret"),
        ("roll", "2d6", "--who", who, "--why", "perfidious", "--secret"),
        ("roll", "2d6", "--why", "hecatomb", "--dice", "1,2", "--secret"),
        ("adjust", who, count, "700932", "nightshade", "--secret"),
    ):
        demo.done(*words)
    hidden = (
        "zarquon", "sleeps", "beneath", "quondam", "vexillum", "70093", "ambuscade", "perfidious", "hecatomb",
        "nightshade",
    )  # fmt: skip
    for name, text in everything(demo):
        plain = without_digests(text).lower()
        assert not [word for word in hidden if word in plain], name


def test_the_terminal_shows_all_of_a_secret_entry(table: Shell):
    """The log and the record say that it is one."""
    assert table.done("note", "Brak is a spy.", "--secret") == "Brak is a spy. [secret]  e2\n"
    assert "[secret]" in table.done("roll", "2d6", "--why", "weather", "--secret")
    log = table.done("log")
    assert log.count("[secret]") == 2
    assert "Brak is a spy." in log
    assert entry(table, 2)["events"][0] == {
        "event": "declared", "verb": "note", "said": {"text": "Brak is a spy."}, "secret": True,
    }  # fmt: skip


@pytest.mark.slow
def test_a_secret_entry_stays_secret_when_it_is_resolved_again(table: Shell):
    """e2 and e3 are secret; an amendment puts something before them, undo and redo take them and bring them back."""
    table.done("note", "one", "--secret")
    table.done("roll", "1d6", "--why", "two", "--secret")
    table.done("amend", "e2", "--insert", "note before", "--apply")
    again = [line["events"][0] for line in lines_of(table)[5:]]
    assert [(event["said"].get("text"), event.get("secret", False)) for event in again] == [
        ("before", False), ("one", True), (None, True),
    ]  # fmt: skip
    table.done("amend", "e6", "--text", "other", "--apply")
    assert [line["events"][0].get("secret") for line in lines_of(table)[9:]] == [True, True]
    table.done("undo", "e9")
    table.done("redo")
    table.done("verify")
    told = dict(everything(table))["markdown "]
    assert "one" not in re.findall(r"[a-z]+", told.split("## ")[-1].lower())


def lines_of(shell: Shell) -> list[dict[str, Any]]:
    shell.done("export", "record.jsonl")
    return lines()


def test_what_is_put_in_by_an_amendment_can_be_secret(table: Shell):
    table.done("note", "open")
    table.done("amend", "e2", "--insert", "roll 2d6 --why ambush --secret", "--dice", "roll", "--apply")
    assert entry(table, 4)["events"][0]["secret"] is True
    assert [roll["places"] for roll in rolls(table, 4)] == [[-1, -2]]
    table.done("verify")
    assert "ambush" not in without_digests(dict(everything(table))["jsonl "])


def test_an_audit_finds_a_die_of_the_other_stream(table: Shell):
    """Nobody may choose between the next open die and the next hidden one. All is chained anew: the count, the place,
    the face that the other stream has there.
    """
    Path("jane.toml").write_text('kind = "pc"\nname = "Jane"\nhealth_die = 10\n')
    table.done("join", "jane.toml")
    table.done("roll", "1d20", "--who", "Jane")
    body = "UPDATE events SET body = replace(body, ?, ?) WHERE kind = ? AND entry = 3"
    opened, hidden = (f'"faces":[{die(place, 20)}],"places":[{place}]' for place in (1, -1))
    forge("test.affray", (body, (opened, hidden, "rolled")),
          (body, (f'"value":{die(1, 20)}', f'"value":{die(-1, 20)}', "ruled")),
          (body, (f'"total":{die(1, 20)}', f'"total":{die(-1, 20)}', "ruled")),
          "UPDATE entries SET drawn = 0, hidden = 1 WHERE entry = 3")  # fmt: skip
    chain_anew("test.affray")
    assert table("verify", "--check", "chain,dice").code == 0
    table.refused("verify", code=5)


def test_events_that_stand_beside_parts_are_found(table: Shell):
    """The parts alone are in the chain: with the true leaves beside other words the head line would stay the same."""
    table.done("note", "hello")
    head = table.done("verify").splitlines()[-1]
    table.done("export", "p.jsonl", "--player-safe")
    table.done("import", "p.jsonl", "p.affray")
    with contextlib.closing(foreign("p.affray")) as db:
        [(parts,)] = db.execute("SELECT parts FROM entries WHERE entry = 2")
    forge("test.affray", ("UPDATE entries SET parts = ? WHERE entry = 2", [parts]),
          "UPDATE events SET body = replace(body, 'hello', 'gone!') WHERE entry = 2")  # fmt: skip
    table.refused(
        "--ledger",
        "test.affray",
        "verify",
        "--head",
        head,
        code=5,
    )
    assert "resolved again" not in table("verify").out, "what is known to be damaged is no drift"
    forge("p.affray", "UPDATE entries SET typed = 'note gone!' WHERE entry = 2")
    table.refused("--ledger", "p.affray", "verify", code=5, ledger="p.affray")


# Hidden dice


def foes_and_friends(shell: Shell) -> tuple[set[str], set[str]]:
    """Who stood on the players' side, and who did not."""
    record = lines_of(shell)
    players = systems.load(system_of(record)).players
    joined = [event for line in record[1:] for event in line["events"] if event["event"] == "joined"]
    friends = {event["who"] for event in joined if event["side"] in players}
    return {event["who"] for event in joined} - friends, friends


def struck_again(shell: Shell, hidden: bool = False) -> Iterator[dict[str, Any]]:
    """All blows of the demo, each from where it stood and with the program's dice; their rolls."""
    shell.done("export", "record.jsonl")
    blows = [
        (line["entry"], re.sub(r" --dice [\d,]+", "", line["typed"]))
        for line in lines()[1:]
        if line["typed"].startswith(BLOWS)
    ]
    for number, typed in reversed(blows):
        if shell("undo", f"e{number}").code:
            continue  # it was undone already
        if hidden:
            shell.done("option", "hidden_dice", "true")
        shell.done(*shlex.split(typed))
        yield from rolls(shell, last(shell))


@pytest.mark.slow
def test_dice_of_foes_fall_openly_where_nobody_said_otherwise(demo: Shell):
    """They have places of the open stream, and players see them."""
    foes, friends = foes_and_friends(demo)
    thrown = list(struck_again(demo))
    assert {roll["who"] for roll in thrown} & foes
    assert {roll["who"] for roll in thrown} & friends
    assert all(place > 0 for roll in thrown for place in roll["places"])
    demo.done("export", "players.jsonl", "--player-safe")
    halves = [half for line in lines("players.jsonl")[1:] for half in line["parts"].get("events", ())]
    shown = [opened + closed[1] for opened, closed in halves if isinstance(closed, list)]
    seen = {event["who"] for event in map(json.loads, shown) if event["event"] == "rolled"}
    assert seen & foes


@pytest.mark.slow
def test_by_the_option_the_dice_of_foes_are_hidden_and_those_of_friends_are_not(demo: Shell):
    foes, friends = foes_and_friends(demo)
    thrown = list(struck_again(demo, hidden=True))
    assert {roll["who"] for roll in thrown} & foes
    assert {roll["who"] for roll in thrown} & friends
    for roll in thrown:
        if roll["who"] in foes:
            assert all(place < 0 for place in roll["places"]), roll
        elif roll["who"] in friends:
            assert all(place > 0 for place in roll["places"]), roll
    demo.done("verify")


def test_dice_that_make_the_stat_block_of_a_foe_are_hidden_and_those_of_a_friend_are_open(shell: Shell):
    """Arkm rolls hit points on joining: an orc is a foe, and a friend where it joins the company."""
    shell.done("init", "Test", "--system", "arkm", "--key", KEY.hex())
    ledger = next(Path().glob("*.affray"))
    ledger.rename("test.affray")
    players = systems.load("arkm").players[0]
    shell.done("join", "orc", "--side", "raiders")
    shell.done("join", "orc", "--called", "Friend", "--side", players)
    assert [roll["places"] for number in (2, 3) for roll in rolls(shell, number)] == [[-1], [1]]
    sides = int(rolls(shell, 2)[0]["dice"].rpartition("d")[2])
    assert [roll["faces"] for number in (2, 3) for roll in rolls(shell, number)] == [[die(-1, sides)], [die(1, sides)]]


# Reveal


@pytest.mark.slow
def test_a_revealed_entry_stands_in_later_exports(table: Shell):
    """e2 and e3 are secret: e4 opens e2. What was exported before does not change; all formats show it now."""
    table.done("note", "Zarquon is a spy.", "--secret", "--once", "quondam")
    table.done("roll", "2d6", "--why", "ambuscade", "--secret")
    before = dict(everything(table))
    table.done("reveal", "e2")
    after = dict(everything(table))
    for name in ("markdown ", "jsonl ", "csv events", "html "):
        assert "Zarquon" not in before[name], name
        assert "Zarquon" in after[name], name
        assert "ambuscade" not in without_digests(after[name]), name
    shown = json.loads(after["jsonl "].splitlines()[2])["parts"]
    assert shown["words"][1:] == ["tester", "note 'Zarquon is a spy.' --secret --once quondam", "quondam"]
    assert re.fullmatch("[0-9a-f]{64}", shown["counts"]), "it would tell how many hidden dice there were"
    assert [len(closed) for _, closed in shown["events"]] == [2, 2]


def test_the_first_entry_can_be_revealed(table: Shell):
    """e1 opens the campaign, and comes before every reveal: the record is sound."""
    table.done("reveal", "e1")
    table.done("verify")


def test_what_is_revealed_stays_so_when_the_reveal_is_undone(table: Shell):
    """No undo takes a reveal back: e4 takes back e2 itself, and players see that it stood there."""
    table.done("note", "Zarquon is a spy.", "--secret")
    table.done("reveal", "e2")
    assert [one["entry"] for one in table.facts("undo")["taken_back"]] == [2]
    assert "Zarquon" in dict(everything(table))["markdown "]
    table.refused("undo", "e3", code=2)
    assert "Zarquon" in dict(everything(table))["jsonl "]
    table.done("verify")


@pytest.mark.slow
def test_an_amendment_about_a_secret_entry_tells_nothing_of_it(table: Shell):
    """The correction, the dispute and what comes of them: all of it is secret as long as the entry is."""
    table.done("note", "Zarquon is a spy.", "--secret")
    table.done("dispute", "e2", "quondam")
    table.done("settle", "e2", "stands", "vexillum")
    table.done("amend", "e2", "--text", "Nightshade", "--because", "perfidious", "--apply")
    for name, text in everything(table):
        plain = without_digests(text).lower()
        assert not [word for word in ("zarquon", "quondam", "vexillum", "nightshade", "perfidious") if word in plain], (
            name
        )
