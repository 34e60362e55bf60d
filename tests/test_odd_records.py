"""Records that no verb makes: a ledger may hold them all the same, and what is told of it stays whole."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from commands.files.init import OpenLedger
from commands.look.filters import Chapter
from commands.look.find import read_criteria
from commands.seen.page.render import _chapters, _letters
from commands.words.command_lines import typed
from ledger.errors import UsageError
from ledger.events import (
    ConditionGained,
    Declared,
    Dropped,
    Event,
    ItemLost,
    Joined,
    PickedUp,
    TurnEnded,
)
from projections.changes import values
from projections.declarations import headline
from projections.state import State, fold
from tests.kit import lines, verbs
from tests.script import Script, toml

SHEET = msgspec.Raw(b'{"name":"Bob"}')
BOB = Joined("Bob", "foes", SHEET)


def after(*events: Event) -> State:
    return fold(State(), events)


# The board


def test_three_of_one_name_have_three_names():
    state = after(BOB, ConditionGained("Bob", "ward"), ConditionGained("Bob", "Ward"), ConditionGained("Bob", "WARD"))
    assert len([name for name in values(state) if "ward" in name.casefold()]) == 3
    assert [*values(state, "Bob")] == [*values(state)][: len(values(state, "Bob"))]


def test_what_was_found_and_dropped_is_neither_found_nor_lost():
    stone, here = "stone", (1, 2, 0)
    found = after(BOB, Dropped("Ann", stone, here), PickedUp("Bob", stone, here))
    assert (found.lying.found, found.lying.lost, found.lying.items) == ({"Bob": (stone,)}, {"Ann": (stone,)}, ())
    dropped = fold(found, [Dropped("Bob", stone, here)])
    assert (dropped.lying.found, dropped.lying.lost) == ({"Bob": ()}, {"Ann": (stone,)})
    assert [(one.item, one.at) for one in dropped.lying.items] == [(stone, here)]
    twice = after(BOB, PickedUp("Bob", stone, here), PickedUp("Bob", stone, here), ItemLost("Bob", stone, SHEET))
    assert twice.lying.found == {"Bob": (stone,)}
    assert after(BOB, ItemLost("Bob", "axe", SHEET)).lying.found == {}
    back = fold(after(BOB), [Dropped("Bob", "axe", here), PickedUp("Bob", "axe", here)])
    assert (back.lying.found, back.lying.lost) == ({}, {"Bob": ()})


# Narration


@pytest.mark.parametrize("field", ["sheets", "ground", "commitments", "map"])
def test_what_is_too_long_for_a_line_is_not_told(field: str):
    assert headline(Declared("begin", {"name": "Keep", field: {"a": 1}}), {}) == "begin Keep"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"change": {"prone": True}}, "prone"),
        ({"change": {"with_": "axe", "no_shield": True}}, "with axe; no shield"),
        ({"change": {"at": [1, 2, 0]}}, "at 1,2"),
        ({"change": {"targets": ["Ann", "Bob"]}}, "targets Ann, Bob"),
        ({"change": {"option": {"a": True, "b": 2}}}, "option a=yes b=2"),
        ({"change": {"targets": []}}, "no targets"),
        ({"allow": "he may"}, "allowed: he may"),
        ({"allow": ""}, "no longer allowed"),
        ({"dice": [3, 4]}, "the dice are 3, 4"),
        ({"drop": True}, "left out"),
        ({"insert": [{"verb": "note", "said": {"text": "hi"}}]}, "inserted before it: note hi"),
        (
            {"insert": [{"verb": "note", "said": {"text": "h"}, "allow": "x"}]},
            "inserted before it: note h [allowed: x]",
        ),
        ({"drop": True, "dice": [3]}, "the dice are 3; left out"),
    ],
)
def test_an_amendment_says_what_was_corrected(said: dict[str, Any], told: str):
    assert lines([Declared("amend", {"entry": "e3", **said})]) == [f"amend e3: {told}"]
    assert lines([Declared("amend", {"entry": "e3", **said, "why": "so"})]) == [f"amend e3 (so): {told}"]


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (Declared("attack", {"who": "Ann", "target": "Bob"}), "Ann attacks Bob"),
        (Declared("attack", {"who": "Ann", "target": ["Bo", "Al"], "with_": "axe"}), "Ann attacks Bo, Al (with axe)"),
        (Declared("cast", {"who": "Ann", "spell": "web", "target": "Bob"}), "Ann casts web on Bob"),
        (Declared("act", {"who": "Ann", "free": True, "why": "so"}, "no"), "Ann acts (free) (so) [allowed: no]"),
        (Declared("prone", {"who": "Ann"}, "no"), "Ann drops prone [allowed: no]"),
        (Declared("pass", {"who": ["Ann", "Bob"]}), "Ann and Bob pass"),
        (Declared("pass", {"who": ["Ann"]}), "Ann passes"),
        (Declared("adjust", {"who": "Ann", "field": "hp", "value": "3"}), "adjust Ann hp 3"),
        (Declared("option", {"option": "stray_shots", "value": "false"}), "option stray_shots false"),
        (Declared("defend", {"who": ""}), "defend"),
    ],
)  # fmt: skip
def test_a_declaration_says_who_does_what_to_whom(declared: Declared, told: str):
    assert headline(declared, verbs()) == told


def test_an_event_that_no_declaration_heads_tells_itself():
    assert headline(TurnEnded("Ann"), {}) == TurnEnded("Ann").line()
    assert lines([]) == []


# Words


@pytest.mark.parametrize(
    ("words", "told"),
    [(["bob.hp", "<", "3"], "bob.hp < 3"), (["bob.hp<=3"], "bob.hp <= 3"), (["bob.down"], "bob.down"),
     (["bob.hp==3"], "bob.hp = 3"), (["bob.side != foes"], "bob.side != foes")],
)  # fmt: skip
def test_a_condition_is_said_as_it_was_typed(words: list[str], told: str):
    (criterion,) = read_criteria(words)
    assert " ".join(filter(None, (criterion.name, criterion.sign, criterion.value))) == told


def test_a_declaration_is_typed_with_all_that_differs_from_its_default():
    said = OpenLedger("Keep", "freepg", {"weapon_slots": "1", "min_hit_damage": "2"})
    assert typed("init", said) == ("affray init Keep --system freepg --option weapon_slots=1 --option min_hit_damage=2")
    assert typed("init", OpenLedger("Keep"), "so it is") == "affray init Keep --allow 'so it is'"


# Exports and the page


@pytest.mark.parametrize("name", ["", "a/b.toml", "a\n.toml"])
def test_a_table_of_an_odd_file_name_has_no_command(name: str):
    script = Script(SimpleNamespace(campaign=SimpleNamespace(system="arkm")))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="is not a file name"):
        script._table({"file": name, "content": {}})


def test_two_tables_of_one_file_name_lie_in_two_folders():
    script = Script(SimpleNamespace(campaign=SimpleNamespace(system="arkm")))  # type: ignore[arg-type]
    one, other = {"file": "my.toml", "content": {"a": 1}}, {"file": "my.toml", "content": {"a": 2}}
    assert [script._table(table) for table in (one, other, one)] == [
        "tables-1/my.toml", "tables-2/my.toml", "tables-1/my.toml",
    ]  # fmt: skip
    assert script.files == {"tables-1/my.toml": "a = 1\n", "tables-2/my.toml": "a = 2\n"}


def test_a_file_of_toml_holds_texts_numbers_truths_lists_and_tables():
    content = {"a b": True, "c": [1, "x\x7f"], "d": {"e-f": False, "g.h": -1}}
    assert toml(content) == '"a b" = true\nc = [1, "x\\u007f"]\nd = {e-f = false, "g.h" = -1}\n'
    with pytest.raises(UsageError, match="cannot be written in TOML"):
        toml({"a": 1.5})


def test_the_seal_of_a_page_is_over_its_title_its_main_part_and_its_curves():
    page = '<head>no</head><h1>The <i>mill</i></h1><p>no</p><path d="M0"/><main>b &amp; <i>c</i><path d="M1"/></main>no'
    assert _letters(page) == "The mill\nb & c\nM1"


def test_the_chapters_of_a_log_that_goes_back():
    """Encounter 1 begins, round 1 is played and undone, the encounter is undone too, and begun again: what does not
    stand is one line where it was left.
    """
    played = SimpleNamespace(opening=lambda encounter: f"who {encounter}" if encounter else "", closing=lambda *_: [])
    record = SimpleNamespace(encounters={1: "The mill"}, played=lambda: played)
    places = [(0, 0), (1, 0), (1, 1), (1, 0), (1, 1), (0, 0), (1, 0), (2, 0)]

    def pieces(undone: Sequence[int]) -> list[tuple[str, str, str, list[int]]]:
        shown = [
            SimpleNamespace(
                page=SimpleNamespace(chapter=Chapter(*place), entry=SimpleNamespace(entry=0)),
                passing=at in undone, correction="e1 taken back" if at == 5 else "",
            )
            for at, place in enumerate(places)
        ]  # fmt: skip
        told = _chapters(shown, record)  # type: ignore[arg-type]
        return [(one.encounter, one.opening, one.round, [len(line.entries) for line in one.lines]) for one in told]

    assert pieces(()) == [
        ("Before the first encounter", "", "", [1]), ("Encounter 1: The mill", "who 1", "", [1]),
        ("", "", "Round 1", [1]), ("", "", "Before the first round, again", [1]),
        ("", "", "Round 1, continued", [1]), ("Between encounters", "", "", [1]),
        ("Encounter 1: The mill, continued", "", "", [1]), ("Encounter 2", "who 2", "", [1]),
    ]  # fmt: skip
    assert pieces(range(1, 6)) == [
        ("Before the first encounter", "", "", [1, 5]), ("Encounter 1: The mill", "who 1", "", [1]),
        ("Encounter 2", "who 2", "", [1]),
    ]  # fmt: skip
