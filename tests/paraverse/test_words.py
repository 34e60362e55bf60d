"""The words of the verbs: every declaration can be recorded and read back, and every verb has its procedure."""

import json

import pytest

from commands.look.boards import read_board
from commands.shell.cli import obey
from commands.words.console import Console
from ledger.errors import AffrayError, NameUnknown, Refused, UsageError
from ledger.events import ConditionEnded
from tests.completed import completed
from tests.hints import commands, offered_by
from tests.kit import KEY
from tests.shell import recorded, rulings


@pytest.fixture
def console(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Console(str(tmp_path / "pv.affray"))
    obey(["--ledger", made.ledger, "init", "PV", "--system", "paraverse", "--key", KEY.hex()], made)
    yield made
    made.book.store.close()


def do(console, *lines: str):
    for line in lines:
        obey(line.split(), console)


@pytest.mark.parametrize("verb", ["initiative", "turn", "done"])
def test_there_is_no_order_between_characters(console, verb):
    """paraverse.round.simultaneous: refused by its clause, with the way out."""
    with pytest.raises(Refused, match=r"everybody acts at the same time.*; use") as refused:
        do(console, verb)
    assert refused.value.clause == "paraverse.round.simultaneous"


def test_what_paraverse_does_not_have_is_said(console):
    with pytest.raises(UsageError, match="no charge: use attack, or move AREA --engage NAME"):
        do(console, "charge")


def test_a_round_in_words(console, capsys):
    """Short verbs, declare, resolve, typed dice, the board and the map."""
    do(
        console,
        "join sigrun ildar reaver",
        "join vasko --area yard",
        "begin --areas hall,yard --link hall:yard",
        "round",
    )
    do(console, "attack sig rea", "declare ild shoot vas", "shoot vasko ildar", "status")
    assert read_board(console.book.present()[1]).now == ["Reaver"]
    do(console, "pass reaver", "phase", "shoot ild --dice 7,11,2", "resolve vasko --dice 2,19", "phase melee")
    assert rulings("paraverse.ranged.hit-if-higher", 11) == [("hit", [7 + 6, 11 + 1])]
    capsys.readouterr()
    do(console, "attack sigrun --mod 2:rage --dice 8,9,2", "status", "map", "show vasko", "log")
    assert rulings("paraverse.skirmish.rolls") == [("skirmish 1", [8 + 6 + 2, 9 + 4])]
    assert "hall -- yard: open" in capsys.readouterr().out
    do(console, "phase end", "undo", "redo", "verify", "replay --round 1")
    assert "Sound:" in capsys.readouterr().out


def test_areas_are_completed(console):
    do(console, "join sigrun", "begin --areas hall,yard,yew")
    assert completed(console, "area", "Y") == ["yard", "yew"]


@pytest.mark.slow
def test_a_preview_asks_for_the_dice(console, capsys):
    do(console, "join sigrun reaver", "begin", "round", "attack sigrun reaver", "pass reaver", "phase melee")
    capsys.readouterr()
    do(console, "resolve --dry-run --json")
    said = json.loads(capsys.readouterr().out)
    rolls = [[tuple(one.values()) for one in said[list_]] for list_ in ("needs", "perhaps")]
    assert rolls == [
        [("Sigrun", "1d20", "melee", "Reaver"), ("Reaver", "1d20", "melee", "Sigrun")],
        [("Reaver", "1d4", "hit location", "Sigrun"), ("Sigrun", "1d4", "hit location", "Reaver")],
    ]
    assert said["more_dice"]


def test_corrections(console):
    """paraverse.gm.adjust: pain, wounds, area, engagement, what is in hand."""
    do(console, "join sigrun reaver", "begin --areas hall,yard", "round")
    do(console, "adjust sigrun pain 3 counted", "adjust sigrun pain 1 counted")
    do(console, "adjust sigrun wound bleeder@torso seen", "adjust sigrun no-wound bleeder seen")
    do(
        console,
        "adjust sigrun engaged reaver seen",
        "adjust sigrun no-engaged reaver seen",
        "adjust sigrun area YA pushed",
    )
    do(console, "adjust sigrun no-equipped shield broken", "adjust sigrun equipped knives seen")
    state = console.book.present()[1]
    assert state.pain.of["Sigrun"] == 1
    assert state.areas.at["Sigrun"] == "yard"
    assert state.engagement.pairs == ()
    assert state.gear.equipped["Sigrun"] == ("knives",)
    for words in ("pain 1 x", "pain -1 x", "area moon x", "no-wound bleeder x", "no-equipped bow x"):
        with pytest.raises(UsageError):
            do(console, f"adjust sigrun {words}")
    with pytest.raises(NameUnknown):
        do(console, "adjust sigrun engaged nobody x")


def test_joining(console):
    """paraverse.join-leave: in planning; a square means nothing."""
    do(console, "join sigrun", "begin", "round", "join reaver", "leave reaver", "pass sigrun", "phase end")
    for words in ("join reaver", "leave sigrun"):
        with pytest.raises(Refused) as refused:
            do(console, words)
        assert refused.value.clause == "paraverse.join-leave"
    do(console, "round")
    for words in ("join reaver --at 1,2", "join reaver --area moon"):
        with pytest.raises(UsageError):
            do(console, words)


@pytest.mark.parametrize(
    "fields",
    [
        'hand = "pike"', "shield_up = true", 'wounds = ["hiccups"]', "con = 0",
        'weapons = { shield = { use = "melee", base = 1 } }',
        "skills = { Evasion = 5 }", "skills = { weapon_and_shield = 5 }", 'skills = { "Rope use" = 5 }',
    ],
)  # fmt: skip
def test_a_sheet_must_make_sense(console, fields):
    with open("ada.toml", "w") as sheet:
        sheet.write(f'name = "Ada"\nside = "party"\n{fields}\n')
    with pytest.raises(UsageError):
        do(console, "join ada.toml")


def test_every_example_sheet_joins(console):
    from commands.words.sheet_files import example_sheets

    names = sorted(example_sheets("paraverse"))
    assert len(names) >= 8
    do(console, f"join {' '.join(names)}", "begin", "round", "status")
    state = console.book.present()[1]
    assert len(state.roster.order) == len(names)
    assert state.wounds.names("Rook") == ("fractured-arm",)


def test_what_comes_and_what_ends_is_told_in_plain_english(console, capsys):
    """A move has its area, a fall its moment, an earlier declaration is taken back, an effect is over."""
    do(
        console,
        "join sigrun ildar reaver vasko",
        "begin --areas hall,yard --link hall:yard",
        "round",
        "move ildar yard",
    )
    assert "Ildar will move to the yard (melee phase)" in capsys.readouterr().out
    do(console, "check ildar acrobatics", "effect ildar --name ward --rounds 1")
    assert "Ildar takes back: move to the yard; will make an acrobatics check (misc phase)" in capsys.readouterr().out
    do(console, "adjust reaver wound skull struck")
    told = capsys.readouterr().out
    assert told.splitlines()[-1].startswith(
        "Reaver has a skull fracture (head); will be unconscious at the end of the phase (struck)  e"
    )
    do(console, "phase misc --pass-rest", "resolve --dice 9", "phase")
    assert ConditionEnded("Ildar", "ward") in recorded()


def test_a_hint_quotes_a_weapon_of_two_words(console):
    do(
        console,
        "join ildar reaver",
        "begin",
        "round",
        "draw ildar dagger",
        "pass ildar",
        "phase end --pass-rest",
        "round",
    )
    with pytest.raises(Refused, match="dagger in hand") as refused:
        do(console, "shoot ildar reaver")
    assert offered_by(refused.value) == "affray draw Ildar 'short bow'"
    do(console, "pass ildar")


def test_a_second_one_is_told_who_is_free(console):
    """paraverse.assign.gang-up: he may fight him, or let it go; Sigrun's own pick forms by itself before."""
    do(console, "join sigrun ildar reaver vasko", "begin", "round", "draw vasko club")
    do(console, "attack sigrun reaver", "attack reaver sigrun", "attack vasko sigrun", "phase melee --pass-rest")
    with pytest.raises(Refused) as refused:
        do(console, "resolve --dice roll")
    assert refused.value.clause == "paraverse.assign.gang-up"
    assert commands(offered_by(refused.value)) == "affray skirmish Vasko Ildar\naffray pass Vasko"
    do(console, "skirmish Vasko Ildar", "resolve --dice roll")


@pytest.mark.parametrize(
    "words", ["round", "phase", "resolve", "end", "attack sigrun reaver", "skirmish sigrun reaver"]
)
def test_without_an_encounter_the_hint_is_to_begin_one(console, words):
    do(console, "join sigrun reaver")
    with pytest.raises(AffrayError) as refused:
        do(console, words)
    assert offered_by(refused.value) == "affray begin"
