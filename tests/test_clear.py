"""What is clear need not be said, and is said in full in the record."""

from pathlib import Path

import pytest

from ledger.sqlite import SqliteStore
from tests.shell import Shell


def typed(nth: int = 0) -> str:
    """The words of the last entry, or of one before it."""
    store = SqliteStore.open("test.affray")
    try:
        return store.entry(store.head().entry - nth).typed
    finally:
        store.close()


@pytest.fixture
def mat(shell: Shell) -> Shell:
    """FReePG: the turn of Boffin, who stands beside one grub; the other is dead."""
    shell.done("init", "test", "--system", "freepg")
    for line in (
        "join boffin jane", "join grub --count 2", "begin", "initiative --dice 14,12,11", "adjust boffin at 0,0 set",
        "adjust jane at 0,2 set", "adjust grub-1 at 1,0 set", "adjust grub-2 down dead set",
    ):  # fmt: skip
        shell.done(*line.split())
    return shell


@pytest.fixture
def tiles(shell: Shell) -> Shell:
    """Dungeoneers: a round in which Suori is the first, beside one goblin of two."""
    shell.done("init", "test", "--system", "dungeoneers")
    for line in (
        "join suori freya", "join goblin --count 2", "begin", "adjust suori at 1,1 set", "adjust freya at 9,9 set",
        "adjust goblin-1 at 1,0 set", "adjust goblin-2 at 4,4 set", "round --dice 9,1,2",
    ):  # fmt: skip
        shell.done(*line.split())
    return shell


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("attack", "attack Boffin Grub-1"),
        ("attack boffin", "attack boffin Grub-1"),
        ("a g1 = 2 14", "attack Boffin g1 --dice 2,14"),
        ("a g1 2 14", "attack Boffin g1 --dice 2,14"),
        ("a gr1 2 14", "attack Boffin gr1 --dice 2,14"),
        ("a 2 14", "attack Boffin Grub-1 --dice 2,14"),
        ("a g1 sword 2 14", "attack Boffin g1 --with sword --dice 2,14"),
        ("a g1 2 14 --mod 1:bless", "attack Boffin g1 --mod 1:bless --dice 2,14"),
        ("a g1 --mod 1:bless 2 14", "attack Boffin g1 --mod 1:bless --dice 2,14"),
        ("a g1 boffin:2 grub-1:14", "attack Boffin g1 --dice boffin:2,grub-1:14"),
        ("a g1 boffin:2,grub-1:14", "attack Boffin g1 --dice boffin:2,grub-1:14"),
        ("m 1,1 shift", "move Boffin --to 1,1 --mode shift"),
        ("move 1,1", "move Boffin --to 1,1"),
        ("move boffin 1,1", "move boffin --to 1,1"),
    ],
)
def test_who_acts_and_upon_whom_is_filled_in(said: str, meant: str, mat: Shell):
    mat.done(*said.split())
    assert typed() == meant


@pytest.mark.parametrize("said", ["attack jane", "attack jane grub-1", "attack bofin", "attack grub-9", "heal grub-1"])
def test_nothing_is_filled_in_for_what_was_said_wrongly(said: str, mat: Shell):
    """Jane acts out of turn, and is on Boffin's side; nobody is called so."""
    before = Path("test.affray").read_bytes()
    assert mat(*said.split()).code
    assert Path("test.affray").read_bytes() == before


def test_where_it_could_be_two_it_has_to_be_said(mat: Shell):
    mat.done("adjust", "grub-2", "down", "no", "set")
    mat.done("adjust", "grub-2", "at", "0,1", "set")
    mat.refused("attack", code=2)
    mat.refused("heal", "boffin", code=2)
    assert mat("attack", "boffin").code


def test_numbers_are_dice_only_where_nothing_else_is_possible(mat: Shell):
    """A move of so many squares, a die that does not exist, and more dice than a blow needs record nothing."""
    for line in ("move 3", "move boffin 30", "a g1 2 44", "a g1 2 14 6", "check 14", "stand jane 4"):
        before = Path("test.affray").read_bytes()
        assert mat(*line.split()).code, line
        assert Path("test.affray").read_bytes() == before, line


def test_several_who_act_in_turn_need_no_more_words_than_one(shell: Shell):
    """As `move orc-1 aldric` does for one, `move @goblin aldric` says where all of them go."""
    shell.done("init", "test", "--system", "arkm")
    for line in ("join fighter", "join goblin --count 2", "begin", "initiative --dice 1,6", "distance --feet 30"):
        shell.done(*line.split())
    shell.done("move", "@goblin", "aldric")
    assert [shell.value(f"Goblin-{nth}.engaged") for nth in (1, 2)] == ["Aldric", "Aldric"]


def test_dice_of_a_blow_that_the_rules_refuse_say_why(tiles: Shell):
    """Freya acts out of turn, and Suori reaches nobody any more."""
    tiles.done("turn")
    tiles.refused("a", "freya", "4", "4", code=2)


def test_dice_do_not_hide_that_the_turn_is_that_of_several(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    for line in ("join adalger", "join goblin --count 2", "begin", "initiative --dice 1,6"):
        shell.done(*line.split())
    shell.refused("a", ".", "ada", "15", "4", code=3)


def test_where_an_action_takes_a_number_its_dice_need_their_sign(shell: Shell):
    """A shot in Aachen says how far it goes: neither number is taken for the other."""
    shell.done("init", "test", "--system", "aachen")
    for line in ("join gerlind", "join goblin", "begin", "initiative --dice 6,1"):
        shell.done(*line.split())
    before = Path("test.affray").read_bytes()
    assert shell("shoot", "gerlind", "goblin", "60", "9").code
    assert Path("test.affray").read_bytes() == before
    shell.done("shoot", "gerlind", "goblin", "60", "=", "9", "2")


def test_the_next_one_begins_their_turn_by_acting(tiles: Shell):
    """It is an entry of its own, as if `turn` had been typed."""
    tiles.done("attack", "g1")
    assert (typed(1), typed()) == ("turn", "attack Suori g1")
    tiles.done("move", "e")  # nothing of her turn is left
    assert tiles.facts("status")["now"] == ["Freya"]
    tiles.done("defend")
    assert (typed(1), typed()) == ("turn", "defend Freya")
    tiles.done("verify")


def test_no_turn_begins_by_what_is_refused(tiles: Shell):
    tiles.refused("attack", "g2", code=2)
    tiles.done("turn")
    tiles.refused("attack", "freya", "g1", clause="dungeoneers.turn.own-turn-only")


def test_nobody_loses_what_is_left_of_a_turn_by_somebody_elses_action(tiles: Shell):
    tiles.done("attack", "g1")
    tiles.refused("defend", "freya", clause="dungeoneers.turn.own-turn-only")


def test_why_alone_tells_the_last_entry_with_its_arithmetic(mat: Shell):
    told = mat.done("attack", "g1", "--dice", "2,14")
    assert mat.done("why") == told


def test_what_every_verb_takes_is_told_once(mat: Shell):
    assert "Options that every verb takes (--allow, --dry-run, ...): affray help options" in mat.done("help", "attack")
    assert "--once ID" not in mat.done("help", "attack")
    assert "--once ID" in mat.done("help", "options")
    options = [line.split()[0] for line in mat.done("help", "attack").splitlines() if line.startswith("  --")]
    assert options[:2] == ["--with", "--dice"]
