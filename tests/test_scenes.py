"""What a page shows of a state: for players words in place of numbers, and nothing that tells a secret."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the page needs the extra `report`")

from commands.action import rulebook
from commands.action.board import Label
from commands.action.book import events_of
from commands.action.names import acting
from commands.action.rulebook import BoardParts
from commands.action.systems import load
from commands.live.views import Watched
from commands.seen.scenes import Eyes, Scene
from commands.seen.sightings import Sightings
from commands.shell.cli import run
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Event,
    Felled,
    HpLost,
    Joined,
    PainSuffered,
    Renamed,
    Rose,
    WoundSuffered,
    WoundTreated,
)
from ledger.sqlite import SqliteStore
from projections.state import State, fold
from tests.reading import packed
from tests.sample import sampled
from tests.shell import ROOT, Shell
from tests.test_golden import STORIES, golden_of, named
from tests.test_state import SHEET

GRUB = Joined("Grub", "foes", SHEET)


def told(*events: Event) -> tuple[str, list[Label]]:
    """The word and the labels of Grub after some events."""
    state, seen = fold(State(), events), Sightings().after(events)
    return seen.word(state, "Grub"), seen.labels(state, "Grub")


@pytest.mark.parametrize(("events", "word"), [
    ((), "unhurt"),
    ((HpLost("Grub", 1, 19, 20),), "hurt"),
    ((HpLost("Grub", 19, 1, 20),), "hurt"),
    ((HpLost("Grub", 1, 19, 20), PainSuffered("Grub", 1, 1)), "hurt 2 times"),
    ((HpLost("Grub", 20, 0, 20), Felled("Grub", "dying")), "down"),
    ((HpLost("Grub", 20, 0, 20), Felled("Grub", "dying"), Rose("Grub")), "badly hurt"),
    ((HpLost("Kira", 20, 0, 20),), "unhurt"),
])  # fmt: skip
def test_a_foe_is_told_in_words_that_hang_on_what_was_seen(events: tuple[Event, ...], word: str):
    """How often harm came to it and whether it fell; never how much is left."""
    kira = Joined("Kira", "party", SHEET)
    assert told(GRUB, kira, *events)[0] == word


def test_somebody_who_comes_again_is_unhurt():
    assert told(GRUB, HpLost("Grub", 1, 19, 20), GRUB)[0] == "unhurt"


def test_a_wound_with_a_name_is_a_label_until_it_is_treated():
    wounds = (WoundSuffered("Grub", "bleeder", "torso"), WoundSuffered("Grub", "severed-arm", "arms"))
    assert told(GRUB, *wounds) == ("hurt", [Label("bleeder (torso)"), Label("severed-arm (arms)")])
    assert told(GRUB, *wounds, WoundTreated("Grub", "bleeder"))[1] == [Label("severed-arm (arms)")]


def test_a_condition_is_a_label_with_its_end_and_without_its_number():
    ward = ConditionGained("Grub", "ward", "turn-end", "Kira", 0, ("Kira",), 4, "defense")
    assert told(GRUB, ward)[1] == [Label("ward (Kira)", "until the end of Kira's turn")]
    assert told(GRUB, ward, ConditionEnded("Grub", "ward"))[1] == []


def test_sightings_follow_a_new_name():
    events = (Joined("Stranger", "foes", SHEET), HpLost("Stranger", 1, 19, 20), Renamed("Stranger", "Grub"))
    assert told(*events)[0] == "hurt"


def boards(shell: Shell, name: str, system: str, lines: Sequence[Sequence[str]]) -> Any:
    """What the page for players shows of a fight, entry by entry."""
    ledger, page = f"{name}.affray", f"{name}.html"
    shell.done("--ledger", ledger, "init", "Pair", "--system", system, "--key", bytes(range(32)).hex())
    for words in lines:
        shell.done("--ledger", ledger, *words)
    shell.done("--ledger", ledger, "export", page, "--player-safe")
    return packed(Path(page).read_text(encoding="utf-8"), "boards")


def story(shell: Shell, name: str) -> str:
    """The story of such a fight, once it is ended, without the dice of those whose dice are told."""
    ledger, page = f"{name}.affray", f"{name}-story.html"
    shell.done("--ledger", ledger, "end")
    shell.done("--ledger", ledger, "export", page, "--player-safe")
    text = Path(page).read_text(encoding="utf-8")
    return text[text.index('<section id="story"') : text.index("</section>")].partition("<h3>Luck")[0]


def live(ledger: str, system: str) -> list[Any]:
    """What the live page for players draws of it, entry by entry."""
    with closing(SqliteStore.open(ledger)) as store:
        view = Watched(store, load(system).players)
        for entry, digest in store.entries(1, store.head().entry):
            view.take(entry, digest, events_of(entry))
        return [json.loads(message.sent.split(b"data: ", 1)[1])["board"] for message in view.snapshot().messages]


FREEPG = (
    ("join", "boffin", "grub", "ogre"), ("adjust", "grub", "hp", "{0}", "ill"), ("begin", "Pair", "--seats", "John,gm"),
    ("initiative", "--dice", "14,3"), ("attack", "boffin", "grub", "--dice", "10,6"),
)  # fmt: skip
AACHEN = (
    ("join", "adalger"), ("join", "guard", "--count", "2"),
    ("option", "individual_initiative", "true"), ("begin", "Pair"),
    ("initiative", "--dice", "8,{0}"),
)  # fmt: skip
PARAVERSE = (
    ("join", "sigrun"), ("join", "reaver"), ("begin", "Pair"), ("round",), ("pass", "sigrun"),
    ("{0}", "reaver", "{1}"), ("phase",), ("phase",),
)  # fmt: skip


ARKM = (
    ("join", "thief", "{0}.toml"), ("begin", "Pair"), ("round", "--dice", "5,2"), ("phase", "missile", "--pass-rest"),
)  # fmt: skip
DUNGEONEERS = (
    ("join", "suori"), ("join", "ogre"), ("adjust", "ogre", "stress", "{0}", "ill"), ("begin", "Pair"),
    ("round",),
)  # fmt: skip
ORC = 'name = "Orc"\nside = "raiders"\nhd = "1"\nhp_max = 4\nac = 7\nweapons = ["{}"]\n'


def filled(lines: Sequence[Sequence[str]], *words: str) -> list[list[str]]:
    """The commands with these words in them; an empty word is left out."""
    return [[word for one in line if (word := one.format(*words))] for line in lines]


@pytest.mark.parametrize("story", sampled(STORIES), ids=map(named, STORIES))
def test_what_is_looked_at_entry_by_entry_is_what_is_seen_at_once(story: Path, tmp_path: Path):
    """A card is made anew only where the state holds something else of somebody, or of nobody alone: of each entry of
    every story, as the game master and as the players see it, also after an undo.
    """
    ledger = tmp_path / "story.affray"
    assert run(["import", str(golden_of(story)), str(ledger)]) == 0
    for sides in (None, load(story.parent.name).players):
        eyes, kept = Eyes(sides), {0: (State(), Sightings())}
        with closing(SqliteStore.open(str(ledger))) as store:
            for entry, _ in store.entries(1, store.head().entry):
                (state, seen), events = kept[entry.after], events_of(entry)
                kept[entry.entry] = state, seen = fold(state, events), seen.after(events)
                assert eyes.look(state, seen) == Eyes(sides).look(state, seen), entry.entry


@pytest.mark.parametrize(("system", "lines", "one", "other"), [
    ("freepg", FREEPG, ("19",), ("12",)),
    ("aachen", AACHEN, ("1",), ("2",)),
    ("paraverse", PARAVERSE, ("attack", "sigrun"), ("pass", "")),
    ("arkm", ARKM, ("sling",), ("club",)),
    ("dungeoneers", DUNGEONEERS, ("1",), ("3",)),
])  # fmt: skip
def test_what_players_cannot_know_changes_nothing_that_their_page_draws(
    system: str, lines: Sequence[Sequence[str]], one: tuple[str, ...], other: tuple[str, ...], shell: Shell
):
    """Hit points, the score of an initiative whose order is the same, what somebody has declared for later, and the
    weapon of one who could shoot now.
    """
    for weapon in ("sling", "club"):
        Path(f"{weapon}.toml").write_text(ORC.format(weapon), encoding="utf-8")
    shown = [boards(shell, name, system, filled(lines, *words)) for name, words in (("one", one), ("other", other))]
    for board in shown:
        for step in board["boards"]:
            step.pop("s", None)  # the arithmetic and the dice are those of the log
            step.pop("d", None)
    assert shown[0] == shown[1]
    drawn = live("one.affray", system)
    assert drawn == live("other.affray", system)
    assert any("r" in board for board in drawn)
    assert story(shell, "one") == story(shell, "other")


def test_a_foe_is_as_large_on_the_players_map_as_its_miniature_on_the_table(table: Shell):
    """Everybody sees how large it is, though its stat block is the game master's."""
    table.done("join", "boffin", "brak")
    table.done("adjust", "brak", "at", "1,1", "here")
    table.done("export", "master.html")
    table.done("export", "players.html", "--player-safe")
    bodies = [
        {body[0]: body[3:5] for body in packed(Path(name).read_text(encoding="utf-8"), "boards")["boards"][-1]["p"][0]}
        for name in ("master.html", "players.html")
    ]
    assert [both["Brak"] for both in bodies] == [[2, 2], [2, 2]]


def test_each_combatant_stands_in_its_area(shell: Shell):
    shell.done("init", "Hall", "--system", "paraverse")
    shell.done("join", "sigrun", "reaver")
    shell.done("begin", "--area", "hall,yard", "--link", "hall:yard")
    shell.done("adjust", "sigrun", "area", "yard", "set up")
    shell.done("export", "page.html")
    drawn = packed(Path("page.html").read_text(encoding="utf-8"), "boards")["boards"][-1]["p"]
    assert drawn[-1] == [["Sigrun", "yard"], ["Reaver", "hall"]]


def test_players_read_an_attack_in_one_line_and_whose_turn_begins(shell: Shell):
    """Of the arithmetic they know only the dice; of the turn only whose it is."""
    shell.done("init", "Players", "--system", "dungeoneers")
    shell.done("begin", "--from", "crypt")
    shell.done("round", "--dice", "9,6,4,7,3")
    for words in (
        ("turn", "suori"), ("done",), ("turn", "freya"), ("attack", "freya", "grin", "--dice", "4,3,2,1,3"), ("done",),
        ("turn",), ("export", "seen.md", "--player-safe"),
    ):  # fmt: skip
        shell.done(*words)
    said = Path("seen.md").read_text(encoding="utf-8")
    assert "- **e7** Freya attacks Grin: hit; pierced; Grin is wounded\n" in said
    assert "- **e9** Rattle's turn\n" in said
    order = "order: Suori, Freya, Rattle, Grin, Morwen, Ulfarmi, Gorm"
    assert said.count(order) == said.count(f"round 1; {order}") == 1


def test_an_undone_blow_was_never_seen(table: Shell):
    table.done("join", "boffin", "grub")
    table.done("attack", "boffin", "grub", "--dice", "14,6")
    table.done("undo")
    table.done("export", "page.html", "--player-safe")
    data = packed(Path("page.html").read_text(encoding="utf-8"), "boards")["boards"]
    assert [card["w"] for step in data for who, card in step.get("r", []) if who == "Grub"] == [
        "unhurt", "hurt", "unhurt",
    ]  # fmt: skip


BARE = BoardParts(
    header=lambda view: ["A brawl"],
    row=lambda view, who: {"gang": view.state.roster.members[who].side},
    body=lambda view, who: [],
)
"""A board with the least that a rule system must have, and with a word of its own for sides; nobody is on the map."""


def test_a_board_without_bars_and_labels_has_cards_too(table: Shell, monkeypatch: pytest.MonkeyPatch):
    for place in ("commands.look.boards", "commands.seen.scenes"):
        monkeypatch.setattr(f"{place}.board_of", lambda state: BARE)
    table.done("join", "boffin", "grub")
    table.done("export", "page.html")
    data = packed(Path("page.html").read_text(encoding="utf-8"), "boards")
    assert data["boards"][0]["l"] == {
        "titles": ["gang"],
        "sides": ["party", "foes"],
        "signs": {"Boffin": "B", "Grub": "G"},
    }
    assert data["boards"][0]["h"] == [["", "A brawl"]]
    assert data["boards"][-1]["r"] == [
        ["Boffin", {"c": {"gang": "party"}, "s": "party"}], ["Grub", {"c": {"gang": "foes"}, "s": "foes"}],
    ]  # fmt: skip


def test_a_filter_does_not_show_what_happened_secretly(table: Shell):
    """The secret entry is none of those on the page, and the board of a later one does not know of it either."""
    table.done("join", "boffin")
    table.done("adjust", "boffin", "hp", "5", "poison", "--secret")
    table.done("note", "It rains.")
    table.done("export", "page.html", "--player-safe", "--kind", "noted")
    data = packed(Path("page.html").read_text(encoding="utf-8"), "boards")
    assert data["entries"][-1] == 4
    assert [card["b"] for step in data["boards"] for _, card in step.get("r", [])] == [[["hp", 55, 55, 55, "much"]]]


def test_those_of_a_seat_are_next_when_the_seat_is(table: Shell):
    """The page for players says of the others that they are next, because everybody hears the order."""
    table.done("join", "boffin", "grub")
    table.done("begin", "Seats", "--seats", "John,gm")
    table.done("initiative", "--dice", "14,3")
    for more in ((), ("--player-safe",)):
        table.done("export", "page.html", *more)
        data = packed(Path("page.html").read_text(encoding="utf-8"), "boards")
        assert data["boards"][-1]["t"] == [["Boffin"], ["Grub"], []]


def test_a_seat_with_the_name_of_another_fighter_has_the_place_of_those_whom_it_plays(table: Shell):
    """Jane plays Boffin and Tilda, and John plays Jane."""
    table.done("join", "boffin", "jane", "tilda", "grub")
    table.done("seat", "Jane", "boffin", "tilda")
    table.done("seat", "John", "jane")
    table.done("begin", "Seats", "--seats", "Jane,John,gm")
    table.done("initiative", "--dice", "14,9,3")
    table.done("export", "page.html")
    boards = packed(Path("page.html").read_text(encoding="utf-8"), "boards")["boards"]
    assert boards[-1]["t"] == [["Boffin", "Tilda"], ["Jane"], []]
    assert next(board["u"] for board in reversed(boards) if "u" in board) == ["Boffin", "Tilda", "Jane", "Grub"]


def test_players_are_told_whose_turn_it_is_where_sides_have_turns(shell: Shell):
    """The name of a foe whose turn has begun, and its side while any of it may begin."""
    shell.done("init", "Test", "--system", "aachen", "--key", bytes(range(32)).hex())
    shell.done("join", "adalger")
    shell.done("join", "goblin", "--count", "2")
    shell.done("begin", "Sides")
    shell.done("initiative", "--dice", "1,6")
    shell.done("move", "goblin-1", "10")
    shell.done("export", "page.html", "--player-safe")
    boards = packed(Path("page.html").read_text(encoding="utf-8"), "boards")["boards"]
    assert [step["t"] for step in boards if "t" in step][-2:] == [
        [["opponents"], ["Adalger"], []],
        [["Goblin-1"], ["opponents"], []],
    ]


def test_everybody_has_a_place_in_the_order_of_groups(shell: Shell):
    """In Arkm groups act, some at the same time: the strip names those of each. Players know only those of their own
    group; another one has its name there.
    """
    shell.done("import", str(ROOT / "fixtures" / "arkm" / "demo.jsonl"), "arkm.affray")
    with closing(SqliteStore.open("arkm.affray")) as store:
        gm, players = Watched(store, None), Watched(store, ("party",))
        compared, groups = 0, set[str]()
        for entry, digest in store.entries(1, store.head().entry):
            for view in (gm, players):
                view.take(entry, digest, events_of(entry))
            whole, part = ([*view._scene.turns] for view in (gm, players))
            standing = {who for who, card in gm._scene.cards.items() if not card.row["down"]}
            party = {who for who, card in gm._scene.cards.items() if card.side == "party"}
            if whole:
                compared += 1
                assert standing <= {*whole}, entry.entry
                assert [who for who in part if who in party] == [who for who in whole if who in party]
                groups |= {who for who in part if who not in gm._scene.cards}
    assert compared > 20
    assert groups == {"Orc"}


def marked(scene: Scene) -> dict[str, str]:
    """Of each who has a place in the order, or may act: what the strip of turns says of them."""
    down = {who for who, card in scene.cards.items() if card.row.get("down")}
    found = dict[str, str]()
    for who in (*scene.turns, *(who for who in scene.now if who in scene.cards)):
        marks = {"now": scene.now, "done": scene.done, "next": scene.next}
        found[who] = next((mark for mark, names in marks.items() if who in names), "")
        assert who not in scene.now or who not in scene.done
        if who in down and found[who] != "now":
            found[who] = "down"
    return found


@pytest.mark.parametrize("story", STORIES, ids=named)
def test_what_players_and_the_game_master_both_know_of_the_order_is_the_same(story: Path, shell: Shell):
    """Who may act, who has acted and who is next: on the players' page never otherwise than on the game master's, and
    of their own the same, unless the book does not tell them who is next; and who may act on a page is who may act in
    the terminal.
    """
    shell.done("import", str(golden_of(story)), "t.affray")
    with closing(SqliteStore.open("t.affray")) as store:
        system = events_of(store.entry(1))[0].said["system"]
        sides, untold = load(system).players, rulebook.of(system).board.untold
        gm, players = Watched(store, None), Watched(store, sides)
        for entry, digest in store.entries(1, store.head().entry):
            for view in (gm, players):
                view.take(entry, digest, events_of(entry))
            if players.state is not gm.state and players.state != gm.state:
                continue  # something is secret
            whole, part = marked(gm.scene), marked(players.scene)
            own = {who for who, card in gm.scene.cards.items() if card.side in sides}
            at = f"{story.name} e{entry.entry}: {whole} {part}"
            for who in own & whole.keys():
                assert part.get(who) == whole[who] or (untold and whole[who] == "next"), at
            assert all(mark in ("", whole[who]) for who, mark in part.items() if who in whole), at
            assert {*acting(gm.state)} == {*gm.board.now}
