"""Names: somebody whom the players know by another name, until it is revealed; and new names, in every rule system."""

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from commands.action import systems
from commands.action.book import Book, events_of
from commands.live.views import Watched
from ledger.sqlite import SqliteStore
from projections.state import State
from tests.courses import check_played_again
from tests.kit import KEY
from tests.sample import sampled
from tests.script import toml
from tests.shell import Shell
from tests.test_golden import STORIES, golden_of, named
from tests.test_player_safe import everything, without_digests
from tests.test_players_file import sheets

TRUE, SEEN = "Zarquon", "Hooded-stranger"


@pytest.fixture(params=sampled(systems.SYSTEMS, 5))
def masked(request: pytest.FixtureRequest, shell: Shell) -> Shell:
    """A friend (e2), a foe whom the players know by another name (e3), a die of the foe's (e4), in `test.affray`."""
    shell.done("init", "Test", "--system", request.param, "--key", KEY.hex())
    foe, friend = sheets(request.param)
    Path("foe.toml").write_text(toml({**foe, "name": TRUE}), encoding="utf-8")
    Path("friend.toml").write_text(toml(friend), encoding="utf-8")
    shell.done("join", "friend.toml")
    shell.done("join", "foe.toml", "--seen-as", "Hooded stranger")
    shell.done("roll", "1d20", "--who", "zarq", "--why", "courage")
    return shell


def state() -> State:
    store = SqliteStore.open("test.affray")
    try:
        return Book(store).present()[1]
    finally:
        store.close()


@pytest.mark.slow
def test_players_read_the_name_that_they_know_in_every_format(masked: Shell):
    """Also where the game master typed the true one, and where a note says that nobody may know it."""
    masked.done("note", "Zarquon smiles.")
    masked.done("note", "He smiles.", "--about", "zarquon")
    count = {"dungeoneers": "stress", "paraverse": "pain"}.get(state().campaign.system, "hp-max")
    masked.done("adjust", "zarquon", count, "9", "he is Zarquon", "--allow", "ZARQUON wishes it")
    for name, text in everything(masked):
        assert TRUE.lower() not in without_digests(text).lower(), name
    for name in ("markdown ", "html ", "jsonl "):
        assert SEEN in dict(everything(masked))[name], name


UNKNOWN = "The players do not know the name Zarquon yet, and would read it here."


@pytest.mark.slow
def test_a_true_name_is_refused_where_everybody_would_read_it(masked: Shell):
    """A place, other names, the words of a stir: also when it is only tried, and when its bearer has left."""
    for _ in range(2):
        for words in (
            ("begin", "The lair of ZARQUON"), ("join", "foe.toml", "--called", "Zarquon-2"), ("stir", "zarquon"),
            ("rename", "friend", "Zarquon's bane"), ("rename", "friend", "Zarquon's bane", "--dry-run"),
            ("join", "foe.toml", "--called", "Bo", "--seen-as", "Zarquon's man"),
        ):  # fmt: skip
            masked.refused(*words, code=2)
        if "Hooded" in masked.done("status"):
            masked.done("leave", "hooded")


def test_a_true_name_that_is_a_word_of_known_names_may_be_said(masked: Shell):
    """Two more of a kind come openly: that the stranger is one of them, nobody learns by it."""
    Path("others.toml").write_text(Path("foe.toml").read_text(encoding="utf-8"), encoding="utf-8")
    masked.done("join", "others.toml", "--count", "2", "--secret")
    masked.done("begin", "The Zarquon twins")
    masked.done("verify")


EVERYWHERE = (
    ("begin", "Brawl"), ("initiative",), ("round",),
    ("adjust", "friend", "condition", "Zarquon's-curse", "x"), ("adjust", "friend", "item", "Zarquon's-gift", "x"),
    ("adjust", "friend", "equipped", "zarquon", "x"), ("adjust", "friend", "area", "Zarquon's-hall", "x"),
    ("adjust", "friend", "group", "zarquon", "x"), ("adjust", "friend", "type", "zarquon", "x"),
    ("adjust", "hooded", "condition", "like-Zarquon", "x"), ("adjust", "hooded", "item", "Zarquon's-axe", "x"),
    ("join", "friend.toml", "--called", "Bo", "--area", "Zarquon's-hall"),
    ("join", "friend.toml", "--called", "Cy", "--group", "Zarquon"), ("join", "sword.toml"),
    ("join", "friend.toml", "--called", "Di", "--side", "Zarquon"),
    ("effect", "friend", "Zarquon's-blessing"), ("effect", "friend", "--name", "Zarquon's-blessing"),
    ("effect", "friend", "blessed", "--by", "zarquon"), ("effect", "friend", "zarquon", "--rounds", "2"),
    ("act", "friend", "calls for Zarquon"), ("misc", "friend", "calls for Zarquon"), ("act", "zarquon", "says Zarquon"),
    ("ready", "friend", "act", "until Zarquon comes"), ("declare", "friend", "talk to Zarquon"),
    ("attack", "friend", "zarquon", "--as", "Zarquon's-own-axe"),
    ("attack", "friend", "zarquon", "--mod", "+1:zarquon sleeps"),
    ("cast", "friend", "Zarquon's-ruin"), ("pray", "friend", "Zarquon's-ruin"), ("pray", "friend", "--name", "zarquon"),
    ("check", "friend", "zarquon-lore"), ("save", "friend", "zarquon"), ("terrain", "Zarquon", "0,0"),
    ("roll", "1d20", "--who", "friend", "--why", "Zarquon's fate"), ("note", "Zarquon smiles.", "--about", "friend"),
    ("note", "Zarquon laughs."), ("dispute", "e2", "Zarquon was there"), ("settle", "e2", "stands", "Zarquon was"),
    ("damage", "friend", "1", "Zarquon's bite"), ("damage", "friend", "1", "--type", "zarquon", "a bite"),
    ("damage", "zarquon", "1", "Zarquon falls"), ("adjust", "friend", "nickname", "zarquon", "x"),
    ("done",), ("undo",), ("redo",), ("amend", "e2", "--because", "Zarquon said so", "--apply"),
    ("amend", "e4", "--why", "Zarquon's wits", "--apply"), ("leave", "zarquon"), ("note", "Zarquon left."),
    ("adjust", "friend", "condition", "misses-Zarquon", "x"), ("end", "Zarquon's end"),
)  # fmt: skip
"""The true name, wherever anybody can type it in any of the systems; many lines are refused for other reasons."""


@pytest.mark.slow
def test_no_export_holds_a_true_name_wherever_it_was_typed(masked: Shell):
    """What is recorded of it is closed, and what would be open is refused; the board of the page holds it nowhere."""
    friend = Path("friend.toml").read_text(encoding="utf-8")
    Path("sword.toml").write_text(friend.replace("Friend", "Zarquon-slayer"), encoding="utf-8")
    answers = [masked._typed(*words) for words in EVERYWHERE]
    assert sum(answer.code == 0 for answer in answers) > 12
    assert sum("do not know the name" in answer.err for answer in answers) >= 4
    for name, text in everything(masked):
        plain = without_digests(text).lower()
        assert TRUE.lower() not in plain, (name, plain[plain.index(TRUE.lower()) - 300 :][:400])
    with closing(SqliteStore.open("test.affray")) as store:
        view = Watched(store, systems.load(state().campaign.system).players)
        for entry, digest in store.entries(1, store.head().entry):
            view.take(entry, digest, events_of(entry))
    snapshot = view.snapshot()
    assert TRUE.lower() not in (snapshot.whole + b"".join(one.sent for one in snapshot.messages)).decode().lower()
    masked.done("verify")


def test_a_preview_of_an_amendment_refuses_a_true_name_already(masked: Shell):
    masked.done("adjust", "friend", "condition", "hunted", "x")
    words = ("amend", "e5", "--value", "hunted by Zarquon", "--because", "x")
    for more in ((), ("--apply",)):
        masked.refused(*words, *more, code=2)


def test_a_group_is_not_called_by_what_its_one_member_truly_is(shell: Shell):
    """Arkm: groups bear the names of their kind, and roll for initiative together."""
    shell.done("init", "Test", "--system", "arkm", "--key", KEY.hex())
    Path("test.affray").touch()
    shell.done("join", "ranger")
    shell.done("join", "orc", "--called", "Gnash", "--seen-as", "Hooded stranger")
    shell.done("begin", "Fight")
    said = shell.done("initiative")
    assert "Hooded-stranger" in said
    assert "Orc" not in said
    shell.done("export", "p.jsonl", "--player-safe")
    assert not re.search(r"\borc\b|gnash", Path("p.jsonl").read_text(encoding="utf-8"), re.IGNORECASE)


@pytest.mark.slow
def test_a_reveal_opens_the_name_in_the_past_too(masked: Shell):
    before = Path("test.affray").read_bytes()
    assert "Zarquon" in masked.done("reveal", "hooded", "--dry-run")
    assert Path("test.affray").read_bytes() == before
    masked.done("reveal", "hooded")
    told = dict(everything(masked))
    for name in ("markdown ", "html ", "jsonl "):
        assert TRUE in told[name], name
    (joined,) = [line for line in told["markdown "].splitlines() if "**e3**" in line]
    assert "Hooded-stranger joins" in joined
    assert "; is really Zarquon" in joined
    masked.done("export", "record.jsonl")
    entry = json.loads(Path("record.jsonl").read_text(encoding="utf-8").splitlines()[5])
    assert entry["events"] == [
        {"event": "declared", "verb": "unmask", "said": {"who": SEEN}},
        {"event": "unmasked", "who": SEEN, "name": TRUE},
        {"event": "renamed", "who": SEEN, "name": TRUE},
    ]
    masked.done("verify")
    masked.refused("reveal", "zarquon", code=2)


@pytest.mark.slow
def test_a_reveal_after_another_seen_name_opens_the_name_in_the_past_too(masked: Shell):
    """Hooded-stranger is called Pilgrim first: what the players learn is who both of them were."""
    masked.done("rename", "hooded", "Pilgrim")
    for name, text in everything(masked):
        assert TRUE.lower() not in without_digests(text).lower(), name
    masked.done("reveal", "pilgrim")
    masked.done("note", "Zarquon laughs.")
    told = dict(everything(masked))["markdown "]
    assert "Hooded-stranger joins" in told
    assert "; is really Zarquon" in told
    assert "Zarquon laughs." in told
    masked.done("verify")


def test_the_board_of_the_game_master_says_who_it_really_is(masked: Shell):
    rows = masked("status", "--json").json["rows"]
    assert {who: row.get("really") for who, row in rows.items()} == {"Friend": None, SEEN: TRUE}
    masked.done("reveal", "zarquon")
    assert "really" not in masked("status", "--json").json["rows"][TRUE]


@pytest.mark.slow
def test_an_undone_reveal_gives_the_seen_name_back_and_hides_nothing(masked: Shell):
    masked.done("reveal", "hooded")
    masked.done("undo")
    assert state().roster.order == ("Friend", SEEN)
    assert state().roster.members[SEEN].truly == TRUE
    assert TRUE in dict(everything(masked))["markdown "]
    masked.done("redo")
    assert state().roster.order == ("Friend", TRUE)
    masked.done("verify")


def test_an_amendment_across_a_reveal_keeps_the_names(masked: Shell):
    """What stood before is resolved again under the seen name, and what stands after under the true one."""
    masked.done("reveal", "hooded")
    masked.done("roll", "1d20", "--who", "zarquon", "--why", "courage")
    masked.done("amend", "e4", "--why", "wits", "--dice", "roll", "--apply")
    masked.done("export", "record.jsonl")
    lines = [json.loads(line) for line in Path("record.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    rolled = [(line["origin"], event["who"]) for line in lines for event in line["events"] if event["event"] == "rolled"
              and event["purpose"] in ("courage", "wits")]  # fmt: skip
    assert rolled == [(4, SEEN), (6, TRUE), (4, SEEN), (6, TRUE)]
    assert state().roster.order == ("Friend", TRUE)
    masked.done("verify")


@pytest.mark.parametrize("words", [
    ("join", "friend.toml", "--called", "zarquon"), ("join", "friend.toml", "--called", "HOODED-stranger"),
    ("rename", "friend", "Zarquon"), ("rename", "friend", "hooded stranger"), ("rename", "hooded", "Friend"),
    ("join", "friend.toml", "--called", "Bo", "--seen-as", "Zarquon"), ("join", "foe.toml", "--seen-as", "Fog"),
])  # fmt: skip
def test_a_name_that_is_taken_is_refused(masked: Shell, words: tuple[str, ...]):
    """The seen one, the true one, and a second one with the same true name."""
    masked.refused(*words, code=2)


def test_nobody_else_is_seen_as_somebody(masked: Shell):
    masked.refused("join", "foe.toml", "--count", "2", "--seen-as", "Fog", code=2)
    masked.refused("join", "foe.toml", "friend.toml", "--seen-as", "Fog", code=2)
    masked.refused("reveal", "friend", code=2)
    masked.refused("reveal", "nobody", code=3)
    masked.refused("rename", "friend", "?!", code=2)


def test_a_script_says_names_stirs_and_reveals_again(masked: Shell):
    """Played again it comes to the same state: the true name is typed nowhere before its reveal."""
    for words in (("stir", "gold"), ("roll", "1d20", "--who", "zarquon"), ("reveal", "hooded"), ("reveal", "dice"),
                  ("reveal", "e4"), ("rename", "zarquon", "Gnash"), ("roll", "1d20", "--who", "gnash")):  # fmt: skip
        masked.done(*words)
    store = SqliteStore.open("test.affray")
    check_played_again(Book(store))
    store.close()


# New names


def held(value: Any) -> list[str]:
    """Every text that stands somewhere in the values, and every name of a value."""
    match value:
        case str():
            return [value]
        case list():
            return [text for one in value for text in held(one)]
        case dict():
            return [text for name, one in value.items() for text in (name, *held(one))]
    return []


@pytest.mark.parametrize("story", sampled(STORIES, 6), ids=named)
def test_a_new_name_stands_wherever_the_old_one_stood(story: Path, shell: Shell):
    """At the end of each story everybody is renamed: conditions, gear, places, what waits and what is counted follow.
    The state is the one before but for the names, and back again it is the one before.
    """
    shell.done("import", str(golden_of(story)), "test.affray")
    first = state()
    names = first.roster.order
    for nth, who in enumerate(names):
        shell.done("rename", who, f"Quux{nth}")
    after = json.loads(state().encoded())
    assert state().roster.order == tuple(f"Quux{nth}" for nth in range(len(names)))
    sheets = {who: json.loads(bytes(member.sheet)) for who, member in first.roster.members.items()}
    for member in after["roster"]["members"].values() if names else ():
        assert member.pop("sheet") in sheets.values(), "the stat block stays as it came"
    left = {text.casefold() for text in held(after)} & {who.casefold() for who in names}
    assert not left
    for nth, who in enumerate(names):
        shell.done("rename", f"Quux{nth}", who)
    assert state().encoded() == first.encoded()
    shell.done("verify")


def test_a_side_of_the_same_name_keeps_its_name(masked: Shell):
    """And so does the rule system."""
    (side,) = {state().roster.members["Friend"].side}
    system = state().campaign.system
    for name in (side, system):
        masked.done("rename", "friend", name)
        masked.done("rename", name, "Friend")
        assert (state().roster.members["Friend"].side, state().campaign.system) == (side, system)


def test_a_new_name_throws_no_die_and_can_be_undone(masked: Shell):
    masked.done("rename", "friend", "Gnasher the Bold")
    assert state().roster.order == ("Gnasher-the-Bold", SEEN)
    masked.done("undo")
    assert state().roster.order == ("Friend", SEEN)
    masked.done("redo")
    masked.done("roll", "1d20", "--who", "gnasher")
    masked.done("verify")


# Files for players


def test_a_file_for_players_has_no_page_and_no_board(masked: Shell):
    masked.done("export", "p.jsonl", "--player-safe")
    answer = masked("import", "p.jsonl", "p.affray")
    assert answer.err == "4 entries are in p.affray. They are what the players see: log, verify and export read them.\n"
    masked.refused(
        "--ledger", "p.affray", "export", "fight.html", code=2, ledger="p.affray",
    )  # fmt: skip
    masked.refused("--ledger", "p.affray", "export", "p.md", "--player-safe", code=2, ledger="p.affray")
    assert not Path("fight.html").exists()


def test_the_game_master_is_gm_where_nobody_said_otherwise(masked: Shell, monkeypatch: pytest.MonkeyPatch):
    """No login name is recorded."""
    monkeypatch.delenv("AFFRAY_BY")
    for variable in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(variable, "somebody")
    masked.done("note", "one")
    monkeypatch.setenv("AFFRAY_BY", "Kim")
    masked.done("note", "two")
    masked.done("export", "record.jsonl")
    lines = [json.loads(line) for line in Path("record.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    assert [line["by"] for line in lines[-2:]] == ["gm", "Kim"]
