"""Amend: a die that somebody threw stays theirs, for what is put in, a wider area, and where a target falls away."""

import pytest

from commands.action.book import Book, events_of
from ledger.events import Rolled
from ledger.sqlite import SqliteStore
from tests.shell import Shell, aside, rulings
from tests.test_order import creature


def said(shell: Shell, system: str, *lines: str) -> None:
    """A new ledger in which some lines are said."""
    shell.done("init", "test", "--system", system)
    for line in lines:
        shell.done(*line.split())


def hp(who: str) -> int:
    """The hit points that somebody has."""
    return Book(SqliteStore.open("test.affray")).present()[1].harm.hp[who].now


def rolled(entry: int) -> list[tuple[str, tuple[int, ...]]]:
    """Who rolled what for an entry."""
    events = events_of(SqliteStore.open("test.affray").entry(entry))
    return [(event.who, event.faces) for event in events if isinstance(event, Rolled)]


ARCHER = ("join gerlind goblin", "begin", "initiative --dice 8,1", "note waits")
SHOT = "shoot gerlind goblin 50"


@pytest.mark.parametrize("how", ["--insert", "--as"])
def test_what_is_put_in_keeps_the_damage_die_of_a_miss(shell: Shell, how: str):
    """2 + 1 + 1 + 1 misses AC 13; a d8 for damage shows no 9, and a shot needs no third die."""
    said(shell, "aachen", *ARCHER)
    course = shell.facts("amend", "e5", how, SHOT, "--dice", "2,5", "--apply")["course"]
    assert rulings("aachen.attack.hit-test", 7) == [("miss", [2 + 1 + 1 + 1, 13])]
    assert [die for act in course for die in aside(act)] == [("Gerlind", 5, "damage")]
    shell.done("verify")
    shell.done("undo")
    for dice in ("2,9", "2,5,5"):
        shell.refused("amend", "e5", how, SHOT, "--dice", dice, code=2)


def test_the_damage_of_a_miss_that_was_put_in_counts_when_it_was_a_hit(shell: Shell):
    """15 + 3 hit AC 13, for 5 + 1 of dexterity."""
    said(shell, "aachen", *ARCHER)
    shell.done("amend", "e5", "--insert", SHOT, "--dice", "2,5", "--apply")
    now = shell.course("e7", "--dice", "15", "--because", "a 15", "--apply")[7][1]
    assert now
    assert rulings("aachen.damage.roll", now) == [("", [5 + 1])]


def test_of_two_who_are_put_in_nobody_knows_whose_a_die_was(shell: Shell):
    """The 5 may be that of either."""
    said(shell, "aachen", *ARCHER)
    shell.done("amend", "e5", "--insert", SHOT, "--insert", "pass goblin", "--dice", "2,5", "--apply")
    needs = shell.facts("amend", "e7", "--dice", "15", "--because", "a 15")["course"][0]["needs"]
    assert needs == [{"who": "Gerlind", "dice": "1d8", "purpose": "damage", "about": "Goblin"}]


TWO = ("join adalger guard", "join adalger --called Bert", "begin", "initiative --dice 8,1")
BOTH = ("attack adalger,bert guard", "--dice", "adalger:1,adalger:8,bert:3")


def test_several_who_do_the_same_are_put_in_one_after_the_other(shell: Shell):
    """1 + 6 and 3 + 6 miss AC 14; the 8 is the damage of Adalger's miss: 15 + 6 hit, for 8 + 1."""
    said(shell, "aachen", *TWO, "note waits")
    course = shell.facts("amend", "e6", "--insert", *BOTH, "--apply")["course"]
    assert [die for act in course for die in aside(act)] == [("Adalger", 8, "damage")]
    assert (rolled(8), rolled(9)) == ([("Adalger", (1,))], [("Bert", (3,))])
    shell.done("verify")
    needs = shell.facts("amend", "e9", "--dice", "15", "--because", "a 15")["course"][0]["needs"]
    assert needs == [{"who": "Bert", "dice": "1d8", "purpose": "damage", "about": "Guard"}]
    now = shell.course("e8", "--dice", "15", "--because", "a 15", "--apply")[8][1]
    assert now
    assert rulings("aachen.damage.roll", now) == [("", [8 + 1])]


def test_several_who_do_the_same_keep_the_damage_of_a_miss_by_name(shell: Shell):
    """As a single one does; a d8 shows no 9, and Guard throws no die."""
    said(shell, "aachen", *TWO)
    verb, *dice = BOTH
    for wrong in ("adalger:1,adalger:9,bert:3", "adalger:1,bert:3,guard:3"):
        shell.refused(*verb.split(), "--dice", wrong, code=2)
    shell.done(*verb.split(), *dice)
    assert (rolled(6), rolled(7)) == ([("Adalger", (1,))], [("Bert", (3,))])
    now = shell.course("e6", "--dice", "15", "--because", "a 15", "--apply")[6][1]
    assert now
    assert rulings("aachen.damage.roll", now) == [("", [8 + 1])]


def test_who_is_put_in_may_act_in_the_same_amendment(shell: Shell):
    """9 - 5 of Jane's 52; the first of two who join has no die."""
    said(shell, "freepg", "join jane", "begin --unordered", "note waits")
    put_in = ("--insert", "join grub --count 2", "--insert", "attack g2 jane", "--dice", "grub-2:9,jane:5")
    shell.done("amend", "e4", *put_in, "--apply")
    assert (hp("Jane"), rolled(7)) == (48, [("Grub-2", (9,)), ("Jane", (5,))])
    shell.done("verify")


def test_what_is_put_in_first_counts_also_where_the_last_says_the_same(shell: Shell):
    """9 - 5 of Jane's 52."""
    said(shell, "freepg", "join jane", "begin --unordered", "note waits")
    put_in = "--insert", "join grub --count 2", "--insert", "attack g2 jane", "--insert", "join grub --count 2"
    shell.done("amend", "e4", *put_in, "--dice", "9,5", "--apply")
    assert hp("Jane") == 48


AREA = ("join tilda jane", "join grub --count 2", "begin --unordered")
BURST = "attack tilda {} --radius 2 --distance 2 --dice {}"


@pytest.mark.parametrize("dice", ["18,11,13", "-,-,13", "grub-2:13", "tilda:18,grub-2:13"])
def test_a_wider_area_keeps_the_dice_that_were_thrown_and_takes_those_of_who_comes_in(shell: Shell, dice: str):
    """18 + 1 - 1 - 1 - 11 = 6 and - 13 = 4 of 20 hp each."""
    said(shell, "freepg", *AREA, BURST.format("grub-1", "18,11"))
    shell.done("amend", "--target", "grub-1,grub-2", "--dice", dice, "--because", "both", "--apply")
    assert (hp("Grub-1"), hp("Grub-2")) == (14, 16)
    assert rolled(7) == [("Tilda", (18,)), ("Grub-1", (11,)), ("Grub-2", (13,))]
    shell.done("verify")


def test_a_blow_at_one_takes_no_die_of_a_blow_at_another(shell: Shell):
    """arkm.attacks.all-at-one-time: a claw misses Aldric-1, the other hits Aldric-2 for 5, the bite misses Aldric-1.
    The first hits, too, for 6 of 44.
    """
    said(
        shell, "arkm", "join troll", "join fighter --count 2", "begin", "initiative --dice 6,1",
        "move troll --to aldric-1,aldric-2 --feet 30", "phase melee --pass-rest",
        "attack troll aldric-1,aldric-2 --all --dice 2,19,5,2",
    )  # fmt: skip
    shell.done("amend", "e8", "--dice", "19,-,-,-,6", "--because", "a 19", "--apply")
    assert (hp("Aldric-1"), hp("Aldric-2")) == (38, 39)


def test_a_narrower_area_keeps_the_attack_die(shell: Shell):
    """18 + 1 - 1 - 1 - 13 = 4; the 11 of Grub-1 is put aside."""
    said(shell, "freepg", *AREA, BURST.format("grub-1,grub-2", "18,11,13"))
    (act,) = shell.facts("amend", "--target", "grub-2", "--apply")["course"]
    assert aside(act) == [("Grub-1", 11, "defense")]
    assert (hp("Grub-1"), hp("Grub-2")) == (20, 16)
    shell.done("verify")


def test_the_dice_of_who_is_left_out_need_not_be_said(shell: Shell):
    """The 13 was a 10: 18 + 1 - 1 - 1 - 10 = 7."""
    said(shell, "freepg", *AREA, BURST.format("grub-1,grub-2", "18,11,13"))
    for dice in ("18,10", "-,-,10"):
        shell.done("amend", "e5", "--target", "grub-2", "--dice", dice, "--because", "a 10", "--apply")
        assert (hp("Grub-1"), hp("Grub-2")) == (20, 13)
        shell.done("undo")
    shell.refused("amend", "e5", "--target", "grub-2", "--dice", "18,10", code=2)


def test_faces_for_an_entry_without_dice_are_refused_with_and_without_names(shell: Shell):
    said(shell, "freepg", *AREA, "note rain")
    shell.refused("amend", "e5", "--dice", "17,grub-1:3", "--because", "x", code=2)
    shell.refused("amend", "e5", "--dice", "grub-1:3", "--because", "x", code=2)


def test_who_comes_in_throws_one_die_and_nobody_throws_the_attack_again(shell: Shell):
    """Of two who come in nobody knows which die is which before they are rolled: by name they are refused."""
    said(shell, "freepg", *AREA, BURST.format("grub-1", "18,11"))
    why = ("--because", "x")
    twice = ("--target", "grub-1,grub-2", "--dice", "grub-2:13,grub-2:14")
    shell.refused("amend", *twice, *why, code=2)
    both = ("--target", "grub-1,grub-2,jane", "--dice", "jane:3,grub-2:14")
    shell.refused("amend", *both, *why, code=2)
    needs = shell.facts("amend", "--target", "grub-1,grub-2")["course"][0]["needs"]
    assert needs == [{"who": "Grub-2", "dice": "1d20", "purpose": "defense", "about": "Tilda"}]


def test_who_comes_in_with_more_dice_says_those_by_name(shell: Shell):
    """dungeoneers.dice.dodge-die: of Bee one, which is the first of Cee's three."""
    sheets = creature("Ada", 3, power=2, prowess=2), creature("Bee", 2), creature("Cee", 1, prowess=3)
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", *sheets)
    for line in ("begin", "round", "turn", "attack ada bee --dice 3,3,2,4,4"):
        shell.done(*line.split())
    shell.refused("amend", "e6", "--target", "cee", "--dice", "cee:2,3,1,4", "--because", "it was Cee", code=2)
    shell.done("amend", "e6", "--target", "cee", "--dice", "cee:2,3,1", "--because", "it was Cee", "--apply")
    fell = [("Ada", (3, 3)), ("Cee", (2, 3, 1)), ("Ada", (4, 4))]
    assert rolled(8) == fell
    shell.done("verify")
    shell.done("undo")
    shell.done("amend", "e6", "--target", "cee", "--dice", "3,3,2,3,1,4,4", "--apply")  # all seven, as they fell
    assert rolled(11) == fell
    shell.done("verify")


def test_who_is_dead_in_hindsight_falls_away_from_the_targets_of_an_area(shell: Shell):
    """A natural 20 against 1 is 20 + 1 + 5 - 1 = 25 of 20 hp; Grub-2 loses 18 - 1 - 10 = 7 on the same die."""
    said(shell, "freepg", *AREA, "attack jane grub-1 --dice 10,5", BURST.format("grub-1,grub-2", "18,11,10"))
    amended = shell.facts("amend", "e5", "--dice", "20,1", "--because", "a 20", "--apply")
    assert amended["losses"] == []
    assert [die for act in amended["course"] for die in aside(act)] == [("Grub-1", 11, "defense")]
    assert (hp("Grub-1"), hp("Grub-2")) == (0, 13)
    assert rolled(9) == [("Tilda", (18,)), ("Grub-2", (10,))]
    shell.done("verify")
    shell.done("amend", "e8", "--dice", "10,5", "--because", "a 10", "--apply")
    assert (hp("Grub-1"), hp("Grub-2")) == (8, 13)  # who is not dead after all is hit again: 20 - 6 - 6
    shell.done("amend", "e6", "--target", "grub-2", "--apply")
    shell.done("amend", "e5", "--dice", "10,6", "--because", "a 6", "--apply")
    assert (hp("Grub-1"), hp("Grub-2")) == (15, 13)  # left out by word, Grub-1 stays so: 20 - 5
    shell.done("verify")


def test_an_attack_on_the_dead_alone_is_lost(shell: Shell):
    """freepg.attack.legal-target: nobody is left in it."""
    said(shell, "freepg", *AREA, "attack jane grub-1 --dice 10,5", BURST.format("grub-1", "18,11"))
    assert len(shell.facts("amend", "e5", "--dice", "20,1", "--because", "a 20")["losses"]) == 1


def test_a_sheet_is_compared_with_that_of_its_name(shell: Shell):
    """The Ogre is the same, and the Minion new; a Troll in place of the Ogre is told beside it."""
    said(shell, "freepg", "join grub ogre", "begin --unordered")
    told = shell.done("amend", "e2", "--sheets", "grub,minion,ogre")
    assert "the sheet of" not in told
    assert "  +  Minion joins the foes" in told
    assert "     the sheet of Minion: flat_bonus 3 -> -, name Ogre -> Minion" in shell.done(
        "amend", "e2", "--sheets", "grub,minion"
    )


def test_an_undo_tells_no_amendment_that_a_newer_one_took_over(shell: Shell):
    """Nor does it tell twice what came out the same; the amendment that is taken back, or brought back, is told."""
    said(shell, "freepg", "join grub ogre", "join boffin", "attack boffin grub --dice 14,6")
    shell.done("amend", "e4", "--dice", "13,6", "--because", "a 13", "--apply")
    shell.done("amend", "e2", "--sheets", "grub,minion,ogre", "--apply")  # e7
    told = [line.split(":")[0] for line in shell.done("undo").splitlines() if "does e" in line]
    assert told == ["undoes e7", "undoes e8", "redoes e2"]
    assert "redoes e7:" in shell.done("redo")


def test_the_preview_is_not_cut_for_two_lines(shell: Shell):
    """Who joins makes four lines, three of what was put in and one of the end: six who do 24, of which 22 have room."""
    said(shell, "freepg", "join boffin", "note two")
    for many, cut in ((6, ""), (7, "and 6 more lines; --full shows all.\n")):
        put_in = [word for nth in range(many) for word in ("--insert", f"join minion --called Snag{nth}")]
        told = shell.done("amend", "e3", *put_in)
        assert "  +  Snag5 joins the foes; has 1/1 hp\n" in told or cut
        assert ("more lines" in told, cut in told) == (bool(cut), True)


def test_a_target_that_was_taken_back_stays_away(shell: Shell):
    """20 - 5 and then 20 - 4 by Jane alone; 20 - 7: that the burst hit Grub-1, too, was said and undone."""
    said(shell, "freepg", *AREA, "attack jane grub-1 --dice 10,5", BURST.format("grub-2", "18,10"))
    shell.done("amend", "e6", "--target", "grub-1,grub-2", "--dice", "18,10,11", "--because", "x", "--apply")
    shell.done("undo")
    for face, left in ((6, 15), (7, 16)):
        shell.done("amend", "e5", "--dice", f"10,{face}", "--because", "x", "--apply")
        assert (hp("Grub-1"), hp("Grub-2")) == (left, 13)
    shell.done("verify")


@pytest.mark.parametrize("right", [(), ("--dice", "9", "--because", "it lay askew")])
def test_one_save_by_hand_is_not_that_of_two(shell: Shell, right: tuple[str, ...]):
    """arkm.save.roll: the goblin who comes in takes over the die; where both are in the web, the first saves anew."""
    said(shell, "arkm", "join magic-user", "join goblin --count 2", "begin", "initiative --dice 6,1",
         "phase magic --pass-rest", "cast wystan web --save spells --target goblin-1 --dice 14")  # fmt: skip
    if right:
        shell.done("amend", *right, "--apply")
    shell.done("amend", "--target", "goblin-2", "--apply")
    shell.refused("amend", "--target", "goblin-1,goblin-2", "--apply", code=2)
    shell.done("amend", "--target", "goblin-1,goblin-2", "--dice", "-,3", "--apply")
    face = 9 if right else 14
    assert rolled(SqliteStore.open("test.affray").head().entry) == [("Goblin-1", (3,)), ("Goblin-2", (face,))]
    shell.done("verify")


def test_each_claw_keeps_its_own_damage(shell: Shell):
    """arkm.attacks.all-at-one-time: the first claw hits after all, for a 6 of its own; the second did 4, and does."""
    said(shell, "arkm", "join fighter --called aldric", "join troll", "begin", "initiative --dice 2,5",
         "adjust troll engaged aldric x", "phase melee", "attack troll aldric --all --dice 2,19,4,2")  # fmt: skip
    shell.done("amend", "--dice", "19,-,-,-,6", "--because", "x", "--apply")
    faces = [face for _, (face,) in rolled(SqliteStore.open("test.affray").head().entry)]
    assert faces == [19, 6, 19, 4, 2]
    shell.done("verify")
