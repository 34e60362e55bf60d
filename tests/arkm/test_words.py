"""The words of the verbs: every declaration can be recorded and read back, and every verb can be typed."""

import json

import pytest

from commands.shell.cli import obey
from commands.words.console import Console
from ledger.errors import AffrayError, UsageError
from tests.completed import completed
from tests.kit import KEY
from tests.shell import Shell, rulings


@pytest.fixture
def console(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Console(str(tmp_path / "arkm.affray"))
    obey(["--ledger", made.ledger, "init", "Arkm", "--system", "arkm", "--key", KEY.hex()], made)
    yield made
    made.book.store.close()


def do(console, *lines: str):
    for line in lines:
        obey(line.split(), console)


def test_a_fight_in_words(console, capsys):
    """From who is met to the end, with the board between."""
    do(console, "join fighter elf magic-user")
    do(
        console,
        "begin --meet goblin --number 2d4 --group goblins --wandering --directions 3 --dice 1,1,2,2,2",
        "status",
    )
    assert rulings("arkm.encounter.number-appearing") == [("", [1 + 1])]
    assert rulings("arkm.encounter.direction") == [("from way 2", [2])]
    do(
        console,
        "surprise --dice 3,2,5",
        "phase",
        "move aldric --to goblin-1 --feet 30",
        "phase melee --pass-rest",
        "attack ald goblin-1 --dice 2",
    )
    do(console, "round --pass-rest --dice 3,5", "status")
    assert len(rulings("arkm.surprise.free-round", 4)) == 1
    assert console.book.present()[1].turns.order == ("goblins", "party")
    do(
        console,
        "phase",
        "done",
        "phase missile",
        "shoot elowen goblin-2 --range short --dice 18,5",
        "morale goblins --dice 3,3",
    )
    do(
        console,
        "round --pass-rest --dice 4,4",
        "phase melee --pass-rest",
        "attack aldric goblin-1 --dice 18,4",
        "end",
        "verify",
        "replay --round 2",
    )
    assert "Sound:" in capsys.readouterr().out


def test_groups_are_completed(console):
    do(console, "join fighter", "join goblin --count 2")
    assert completed(console, "group", "g") == ["Goblin-1", "Goblin-2"]


def test_a_preview_asks_for_the_dice(console, capsys):
    do(console, "join fighter goblin", "begin")
    capsys.readouterr()
    do(console, "initiative --dry-run --json")
    needs = json.loads(capsys.readouterr().out)["needs"]
    assert [(one["who"], one["dice"], one["purpose"]) for one in needs] == [
        ("party", "1d6", "initiative"), ("Goblin", "1d6", "initiative"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "attack aldric", "attack aldric nobody", "attack nobody goblin", "attack aldric aldric", "move aldric --feet x",
        "cast", "cast aldric", "cast aldric light", "grapple aldric", "grapple aldric --target aldric", "phase sleep",
        "save aldric luck", "morale", "morale dragons", "morale party --trigger start", "pursue aldric", "pair aldric",
        "pursue goblin party", "pair aldric --against aldric", "check aldric goblin", "check aldric aldric --control x",
        "reload aldric", "parry", "disarm aldric goblin", "disarm aldric aldric", "heal aldric 0", "heal aldric x",
        "rest aldric", "rest nobody", "survivors aldric", "declare aldric", "declare nobody run", "reaction party",
        "distance --feet -1", "surprise --aware nobody", "surprise --stealth party=9", "begin", "begin --meet dragon",
        "pass nobody", "initiative now", "done now", "end now", "cast aldric wand --wand", "attack aldric goblin "
        "--dismount", "attack aldric goblin --cover 30", "draw aldric spoon", "round round",
    ],
)  # fmt: skip
def test_wrong_words_are_refused_and_record_nothing(console, line, capsys):
    """One clear sentence, and the ledger as it was."""
    do(console, "join fighter goblin", "begin", "initiative --dice 4,2")
    before = console.book.present()[1].digest()
    with pytest.raises(AffrayError):
        do(console, line)
    assert console.book.present()[1].digest() == before


@pytest.mark.parametrize("condition", ["holding", "maintaining", "florentine", "struggling", "pinned", "Set"])
def test_a_condition_that_regards_somebody_is_left_to_its_verb(console, condition):
    do(console, "join fighter", "join orc --dice 4", "begin", "initiative --dice 4,4")
    with pytest.raises(UsageError, match=f"{condition.lower()} is not set by itself"):
        do(console, f"adjust aldric condition {condition} why")


def test_a_choice_that_is_missing_is_asked_for_in_one_line(console):
    with pytest.raises(UsageError, match="Choose from: death, wands, paralysis, reflex, breath, spells"):
        do(console, "save hero")


def test_a_pistol_that_is_not_loaded_is_told_before_anything_is_drawn(shell: Shell):
    """arkm.reload.every-other-round before arkm.draw.once, as he has drawn his dagger."""
    shell.done("init", "test", "--system", "arkm")
    for line in (
        "join pirate", "join orc --dice 6", "begin --distance 15", "initiative 5 2", "phase missile --pass-rest",
        "shoot finn orc --with flintlock --dice 2", "round --pass-rest --dice 5,2", "phase missile --pass-rest",
        "draw finn dagger",
    ):  # fmt: skip
        shell.done(*line.split())
    said = shell.refused("shoot", "finn", "orc", "--with", "flintlock", clause="arkm.reload.every-other-round")
    assert "arkm.reload.every-other-round" in said.err


def test_who_changes_sides_and_not_groups_is_told_how(shell: Shell):
    """arkm.initiative.group-split: the line names `group`; one who joins a group by it has nothing to be told."""
    shell.done("init", "Test", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "wolf", "--count", "2")
    shell.done("begin")
    told = shell.done("adjust", "wolf-2", "side", "party", "tamed")
    assert "Wolf-2 is in the group Wolf still: affray group Wolf-2 party puts Wolf-2 into another." in told
    shell.done("group", "Wolf-2", "party")
