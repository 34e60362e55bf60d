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
        ("a g1 = 2 14", "attack Boffin g1 = 2 14"),
        ("a g1 2 14", "attack Boffin g1 = 2 14"),
        ("a gr1 2 14", "attack Boffin gr1 = 2 14"),
        ("a 2 14", "attack Boffin Grub-1 = 2 14"),
        ("2 14", "attack Boffin Grub-1 = 2 14"),
        ("2 -", "attack Boffin Grub-1 = 2 '-'"),
        ("a g1 sword 2 14", "attack Boffin g1 --with sword = 2 14"),
        ("a g1 2 14 --mod 1:bless", "attack Boffin g1 --mod 1:bless = 2 14"),
        ("a g1 --mod 1:bless 2 14", "attack Boffin g1 --mod 1:bless = 2 14"),
        ("a g1 boffin:2 grub-1:14", "attack Boffin g1 = boffin:2 grub-1:14"),
        ("a g1 boffin:2,grub-1:14", "attack Boffin g1 = boffin:2,grub-1:14"),
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
    mat.refused("attack", code=2, says="attack needs TARGET, who is attacked.")
    mat.refused("heal", "boffin", code=2, says="heal needs TARGET, who is healed.")
    assert mat("attack", "boffin").code


def test_numbers_are_dice_only_where_nothing_else_is_possible(mat: Shell):
    """A move of so many squares, a die that does not exist, and more dice than a blow needs record nothing."""
    for line in ("move 3", "move boffin 30", "a g1 2 44", "a g1 2 14 6", "check 14", "stand jane 4"):
        before = Path("test.affray").read_bytes()
        assert mat(*line.split()).code, line
        assert Path("test.affray").read_bytes() == before, line


def test_a_number_behind_an_action_without_dice_is_how_far_somebody_goes(shell: Shell):
    """25 feet are not the faces 2 and 5 of two dice; said as these, they are. A number that may be that of another
    option, and is no face of a die, is neither.
    """
    shell.done("init", "test", "--system", "arkm")
    for line in ("join fighter goblin", "begin"):
        shell.done(*line.split())
    assert "distance: 70 feet" in shell.done("distance", "2", "5")
    shell.done("undo")
    shell.done("distance", "25")
    assert typed() == "distance --feet 25"
    shell.refused("surprise", "34", code=2, says="Try: affray surprise --distance 34")
    shell.done("initiative", "--dice", "6,1")
    shell.done("move", "20")
    assert typed() == "move Aldric --feet 20"
    shell.done("undo")
    shell.done("move", "aldric", "goblin", "25")
    assert typed() == "move aldric --to goblin --feet 25"


def test_several_who_act_in_turn_need_no_more_words_than_one(shell: Shell):
    """As `move orc-1 aldric` does for one, `move @goblin aldric` says where all of them go."""
    shell.done("init", "test", "--system", "arkm")
    for line in ("join fighter", "join goblin --count 2", "begin", "initiative --dice 1,6", "distance --feet 30"):
        shell.done(*line.split())
    told = shell.done("move", "@goblin", "aldric")
    assert [f"Goblin-{nth} and Aldric are engaged" in told for nth in (1, 2)] == [True, True]


def test_a_number_where_only_scores_by_name_may_stand_is_a_die(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    shell.done("join", "adalger", "guard")
    shell.done("begin")
    assert "pc's initiative is 4" in shell.done("initiative", "4", "2")
    shell.done("initiative", "pc=7")


def test_one_who_strikes_again_strikes_the_same(mat: Shell):
    """With the same weapon, and only if nobody else is named."""
    mat.done("adjust", "grub-2", "down", "no", "set")
    mat.done("adjust", "grub-2", "at", "0,1", "set")
    answer = mat.refused("2", "14", code=2, says="These dice may be those of several blows; say who strikes whom.")
    assert "Try: affray attack Boffin Grub-2 = 2 14" in answer.err
    mat.done("a", "g2", "--with", "sword", "2", "14")
    for _ in range(3):
        mat.done("done", "--pass-rest")
    mat.done("3", "12")
    assert typed() == "attack Boffin Grub-2 = 3 12 --with sword"
    mat.done("undo")
    mat.done("attack", "g1", "4", "12")
    assert typed() == "attack Boffin g1 = 4 12"
    mat.done("verify")


def test_dice_of_a_blow_that_the_rules_refuse_say_why(tiles: Shell):
    """Freya acts out of turn, and Suori reaches nobody any more."""
    tiles.done("turn")
    tiles.refused("a", "freya", "4", "4", code=1, says="It is the turn of Suori, not of Freya.")
    tiles.done("adjust", "goblin-1", "at", "5,5", "set")
    answer = tiles.refused("4", "4", code=1, says="Goblin-1 is 4 tiles away")
    assert "Try: affray move Suori" in answer.err


def test_dice_alone_say_why_they_are_nobodys(mat: Shell):
    mat.done("end")
    mat.refused("14", "6", code=2, says="14 6 stands alone, as the dice of a blow do, but nobody can strike anybody")


def test_dice_alone_say_what_the_rules_have_against_a_blow(shell: Shell):
    """In Paraverse they mean `resolve`, which has nothing left to do."""
    shell.done("init", "test", "--system", "paraverse")
    for line in ("begin --from gatehouse", "round", "declare @due pass", "phase"):
        shell.done(*line.split())
    answer = shell.refused("12", code=2, says="12 stands alone, as the dice of a blow do. Nothing is left to resolve")
    assert "Try: affray phase" in answer.err


def test_who_is_named_acts_where_a_declared_attack_needs_no_target(shell: Shell):
    """In Paraverse's planning Reaver is the target; in the melee phase who attacks him is not asked to do so."""
    shell.done("init", "test", "--system", "paraverse")
    for line in ("join ildar sigrun", "join reaver", "begin", "round", "shoot ildar reaver", "attack reaver ildar"):
        shell.done(*line.split())
    shell.done("attack", "reaver")
    assert typed() == "attack Sigrun reaver"
    for line in ("pass sigrun", "phase", "resolve --dice 1,20", "phase"):
        shell.done(*line.split())
    before = Path("test.affray").read_bytes()
    shell.refused("attack", "ildar", "--dice", "9,14,2", code=1, says="Ildar declared shoot, and has no attack to make")
    assert Path("test.affray").read_bytes() == before
    shell.done("attack", "reaver", "--dice", "9,14")


def test_dice_do_not_hide_that_the_turn_is_that_of_several(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    for line in ("join adalger", "join goblin --count 2", "begin", "initiative --dice 1,6"):
        shell.done(*line.split())
    shell.refused("a", ".", "ada", "15", "4", code=3, says="'.' could be Goblin-1, Goblin-2")


def test_those_who_join_stand_on_a_square_and_are_so_many(mat: Shell):
    mat.done("end")
    mat.done("join", "2", "minion", "4,4/4,5")
    assert typed() == "join minion --count 2 --at 4,4/4,5"
    mat.done("join", "brak", "6,0")
    assert "at = 6,0" in mat.done("show", "brak")


def test_where_an_action_takes_a_number_its_dice_need_their_sign(shell: Shell):
    """A shot in Aachen says how far it goes: neither number is taken for the other."""
    shell.done("init", "test", "--system", "aachen")
    for line in ("join gerlind", "join goblin", "begin", "initiative --dice 6,1"):
        shell.done(*line.split())
    before = Path("test.affray").read_bytes()
    assert shell("shoot", "gerlind", "goblin", "60", "9").code
    assert Path("test.affray").read_bytes() == before
    shell.done("shoot", "gerlind", "goblin", "60", "=", "9", "2")


def test_one_with_a_bow_does_not_strike_with_bare_hands_unless_it_is_said(shell: Shell):
    shell.done("init", "test", "--system", "aachen")
    for line in ("join gerlind", "join goblin", "begin", "initiative --dice 6,1"):
        shell.done(*line.split())
    assert "Try: affray shoot Gerlind Goblin 100" in shell("attack").err
    shell.done("attack", "gerlind", "goblin")


def test_the_next_one_begins_their_turn_by_acting(tiles: Shell):
    """It is an entry of its own, as if `turn` had been typed."""
    assert tiles.done("attack", "g1").splitlines()[0].startswith("Suori's turn  e")
    assert (typed(1), typed()) == ("turn", "attack Suori g1")
    tiles.done("move", "e")  # nothing of her turn is left
    assert "Now: Freya" in tiles.done("status")
    tiles.done("defend")
    assert (typed(1), typed()) == ("turn", "defend Freya")
    tiles.done("verify")


def test_no_turn_begins_by_what_is_refused(tiles: Shell):
    answer = tiles.refused("attack", "g2", code=1, says="Goblin-2 is 3 tiles away")
    assert "Try: affray move Suori NE" in answer.err
    tiles.done("turn")
    tiles.refused("attack", "freya", "g1", code=1, says="It is the turn of Suori")


def test_nobody_loses_what_is_left_of_a_turn_by_somebody_elses_action(tiles: Shell):
    tiles.done("attack", "g1")
    tiles.refused("defend", "freya", code=1, says="It is the turn of Suori, not of Freya.")


def test_typed_dice_are_those_of_the_side_that_throws_by_hand(tiles: Shell):
    """Those of the goblin are the program's, and a run of small faces is taken apart."""
    tiles.done("option", "hand_dice", "dungeoneers")
    told = tiles.done("attack", "g1", "=", "44", "64")
    assert "hit 8 (2d4 [4*+4*])" in told
    assert "pierce 10 (2d8 [6*+4*])" in told
    tiles.done("verify")


def test_why_alone_tells_the_last_entry_with_its_arithmetic(mat: Shell):
    told = mat.done("attack", "g1", "--dice", "2,14")
    assert mat.done("why") == told


def test_what_every_verb_takes_is_told_once(mat: Shell):
    assert "What every verb takes (--allow, --dry-run, ...): affray help options" in mat.done("help", "attack")
    assert "--once ID" not in mat.done("help", "attack")
    assert "--once ID" in mat.done("help", "options")
    options = [line.split()[0] for line in mat.done("help", "attack").splitlines() if line.startswith("  --")]
    assert options[:2] == ["--with", "--dice"]
