"""What is told of an amendment: the lines that differ, what a board shows at the end, and where else to correct."""

import pytest

from commands.past.lost import Loss
from ledger.events import Reinstated
from tests.shell import Shell, recorded


def said(shell: Shell, system: str, *lines: str) -> str:
    """Carries out lines in a new ledger, and gives what the last one told."""
    shell.done("init", "x", "--system", system)
    return [shell.done(*line.split()) for line in lines][-1]


def test_another_command_in_its_place_loses_no_allowance_that_it_never_had(shell: Shell):
    said(shell, "freepg", "note a", "note b")
    shell.done("amend", "e2", "--as", "note z", "--apply")
    assert "amend e2: it was note z: e2, e3 are taken back" in shell.done("log")
    assert "allowed" not in shell.done("undo")


def test_another_command_in_its_place_says_when_it_is_allowed_no_longer(shell: Shell):
    said(shell, "freepg", "join jane", "join grub", "begin", "initiative --dice 3,9")
    shell.done("attack", "jane", "grub", "--allow", "haste", "--dice", "9,3")
    shell.done("amend", "e6", "--as", "note z", "--apply")
    assert "it was note z; no longer allowed" in shell.done("log")


def test_undo_to_an_entry_says_which_one_stands_for_it_and_offers_the_amendment(shell: Shell):
    """e3 and e4 stand as e6 and e7 since the amendment e5."""
    said(shell, "dungeoneers", "join suori", "note a", "note b")
    shell.refused("undo", "--to", "e4", code=2)
    shell.done("amend", "e3", "--as", "note z", "--apply")
    shell.refused("undo", "--to", "e4", code=2)
    shell.done("undo", "e5")
    assert [one.entries for one in recorded() if isinstance(one, Reinstated)] == [(3, 4)]


def test_the_arithmetic_is_shown_where_nothing_else_differs(shell: Shell):
    """freepg.check.skill: an 11 in place of a 10 climbs as well."""
    said(shell, "freepg", "join boffin", "check boffin --skill climb --dt 5 --dice 10")
    told = shell.done("amend", "e3", "--dice", "11", "--because", "misread")
    assert "(d20 11" in told


@pytest.fixture
def shot(shell: Shell) -> Shell:
    """e6 declares a shot, and e8 resolves it."""
    lines = ("join ildar", "join thrall --count 2", "begin", "round", "shoot ildar thrall-1", "phase --pass-rest")
    said(shell, "paraverse", *lines, "resolve --dice 15,3,2")
    return shell


def test_what_was_declared_is_corrected_where_it_was_declared(shot: Shell):
    """The shot needs another defence, as another one is its target."""
    shot.refused("amend", "e8", "--target", "thrall-2", code=2)
    (needs,) = [one["needs"] for one in shot.facts("amend", "e6", "--target", "thrall-2")["course"] if one["needs"]]
    assert ("Thrall-2", "1d20", "defence") in [(one["who"], one["dice"], one["purpose"]) for one in needs]
    shot.refused("amend", "e8", "--colour", "red", code=2)


def test_what_a_resolution_does_not_say_is_corrected_where_it_was_declared(shot: Shell):
    """Also where the verb has the option: e6 says whom Ildar shoots, and e10 the modifier."""
    shot.done("undo")
    shot.done("shoot", "ildar", "--mod", "2:height", "--dice", "15,3,2")
    shot.refused("amend", "e10", "--target", "thrall-2", code=2)
    shot.done("amend", "e10", "--mod", "", "--apply")
    assert "amend e10: no mod:" in shot.done("log")


def test_a_modifier_of_the_one_who_was_shot_at_does_not_lose_the_shot_at_another(shot: Shell):
    """paraverse.gm.modifier: Ildar's 4 and 6 against Thrall-1's 8 and 2 for cover miss, against Thrall-2's 8 they hit:
    the difference 2 is 7 damage less 1, and 6 by Fortitude 3 are 2 pain.
    """
    shot.done("undo")
    shot.done("shoot", "ildar", "--mod", "evasion@thrall-1:2:cover", "--dice", "4,8")
    shot.done("amend", "e6", "--target", "thrall-2", "--dice", "e10:8,2", "--apply")
    assert (shot.value("Thrall-1.pain"), shot.value("Thrall-2.pain")) == (None, "2")
    shot.done("verify")


def test_where_something_stands_is_not_told_while_its_dice_are_lacking(shot: Shell):
    """The preview ends at Thrall-1's die, and has not reached e8."""
    told = shot.done("amend", "e8", "--insert", "note a", "--insert", "roll 1d20 --who thrall-1")
    assert "needs new dice" in told
    assert "it stands" not in told


def test_what_is_left_out_names_the_entry_that_declared_it(shot: Shell):
    assert "     e6 declared it: amend e6 corrects that and keeps the dice\n" in shot.done("amend", "e8", "--drop")


def test_a_check_that_a_blow_made_due_was_declared_by_nobody(shell: Shell):
    """aachen.morale.triggers: 8 + 4 + 1 + 1 hits AC 13, and 8 + 1 fells one of two goblins of 3 points."""
    lines = ("join adalger", "join goblin --count 2", "begin", "initiative --dice 8,1")
    said(shell, "aachen", *lines, "attack adalger goblin-1 --dice 8,8", "morale goblin-2 --dice 3,3")
    assert "left out" in (told := shell.done("amend", "e7", "--drop"))
    assert "declared it" not in told


def test_an_entry_in_which_only_whose_turn_it_is_differs_is_the_same(shell: Shell):
    """aachen.turn.order: opponents first, so that Guard moves before Adalger."""
    said(shell, "aachen", "join adalger guard", "begin", "initiative --dice 8,1", "move adalger 20", "move guard 20")
    told = shell.done("amend", "e4", "--dice", "4,5", "--because", "misread")
    assert told.endswith("  +  opponents first; order: opponents, party\ne6  the same\ne5  the same\n")
    assert "  +  Guard's turn\n" in shell.done("amend", "e4", "--dice", "4,5", "--because", "misread", "--full")


def test_a_stat_block_that_joins_as_before_is_no_newcomer(shell: Shell):
    with open("s.toml", "w") as file:
        file.write(shell.done("sheet", "--system", "dungeoneers", "skeleton"))
    said(shell, "dungeoneers", "join s.toml")
    with open("s.toml") as file, open("t.toml", "w") as other:
        other.write(file.read().replace("armor_value = 4", "armor_value = 3"))
    told = shell.done("amend", "e2", "--sheets", "t.toml")
    assert told.startswith("e2  changed: Skeleton joins the undead ")
    assert "armor_value 4 -> 3" in told
    assert "  +  " not in told


def test_what_is_counted_for_the_rules_is_told_only_in_full(shell: Shell):
    said(shell, "arkm", "join cleric ogre", "begin --distance 30", "initiative --dice 4,2", "move marcus --feet 25")
    amend = ("amend", "e5", "--feet", "30", "--to", "ogre")
    ends = [line for line in shell.done(*amend).splitlines() if line.startswith("in the end")]
    assert ends == ["in the end  Marcus.engaged: - -> Ogre", "in the end  Ogre.engaged: - -> Marcus"]
    assert "in the end  Marcus.closed: - -> Ogre 1\n" in shell.done(*amend, "--full")


def test_whose_turn_begins_is_told_before_what_it_gives(shell: Shell):
    """dungeoneers.magica.regain: 6 - 2 + 1."""
    lines = ("join ulfarmi --at 0,0", "join skeleton --at 4,0", "begin", "round", "done", "turn")
    cast = "cast ulfarmi firebolt skeleton --dice 4,2,3"
    said(shell, "dungeoneers", *lines, cast, "done", "round", "done", "turn ulfarmi")
    assert "undoes e12: Ulfarmi's turn; Ulfarmi gains 1 magica, now 5/6" in shell.done("undo")


def test_words_in_another_order_are_another_line(shell: Shell):
    shell.done("init", "x", "--system", "freepg")
    shell.done("note", "Ann and Bob, then Cy")
    told = shell.done("amend", "--text", "Bob and Ann, then Cy")
    assert "  -  Ann and Bob, then Cy\n  +  Bob and Ann, then Cy\n" in told, told


def test_a_declared_attack_that_goes_with_a_pass_is_counted(shell: Shell):
    """paraverse.assign.gang-up: with the thrall on his feet Hakon may not fight the reaver besides Sigrun. He had
    declared it, and nobody said that he passes; in place of the pass he fights the thrall.
    """
    said(
        shell, "paraverse", "join sigrun hakon reaver thrall", "begin", "adjust thrall down unconscious knock", "round"
    )
    for line in ("attack sigrun reaver", "attack hakon reaver", "attack reaver hakon", "phase melee"):
        shell.done(*line.split())
    shell.done("resolve", "--dice", "14,6,5,2")
    shell.refused("amend", "e4", "--drop", "--apply", code=2)
    (lost,) = shell.facts("amend", "e4", "--drop", "--apply", "--lose", "1")["losses"]
    assert lost["entry"] == 7
    assert lost["hint"] == "affray amend e17 --as 'skirmish Hakon Thrall' --apply"
    fights = shell.facts("amend", "e17", "--as", "skirmish Hakon Thrall", "--dice", "e18:9,roll", "--apply")
    assert {"name": "Hakon.declared", "before": "attack, lost", "after": "attack, done"} in fights["changes"]


def test_what_was_said_before_is_told_under_the_names_of_then(shell: Shell):
    """A 14 and 2 against 6: the sword and the ring of force do 11; Boffin has another name now."""
    said(shell, "freepg", "join boffin", "join grub", "attack boffin grub --dice 14,6")
    told = shell.done("amend", "e2", "--called", "Bo")
    hit = "attacks Grub: hit; Grub loses 11 hp, now 9/20"
    assert told.endswith(f"e4  changed\n  -  Boffin {hit}\n  +  Bo {hit}\nBoffin is Bo now\n")


@pytest.mark.parametrize(
    ("saved", "behind", "recorded", "said"),
    [
        (True, 0, True, "Try: HINT"),
        (True, 0, False, "To restore e5 once this is recorded: HINT"),
        (True, 4, True, "To restore e5 once e4 is back: HINT"),
        (True, 4, False, "To restore e5 once e4 is back: HINT"),
        (False, 0, True, "Nothing restores e5. To keep it as a note: HINT"),
        (False, 0, False, "Nothing restores e5. To keep it as a note once this is recorded: HINT"),
    ],
)
def test_when_a_lost_entry_can_be_put_in_again_is_said(saved: bool, behind: int, recorded: bool, said: str):
    """At once only after the correction is recorded, and where no other entry has to be put in again before it."""
    assert Loss(5, "it is down", "x.y", "HINT", saved, behind).way(recorded) == said


def test_what_the_corrected_action_has_no_more_is_offered_as_it_can_be_said(shell: Shell):
    """dungeoneers.dice.modifiers: one die more for the skeleton's dodge, whichever it is that Freya attacks."""
    said(
        shell, "dungeoneers", "join freya", "join skeleton --count 2",
        "begin --at freya=3,3 --at skeleton-1=3,2 --at skeleton-2=2,2", "round --set freya=9,skeleton-1=7,skeleton-2=5",
        "turn", "attack freya skeleton-1 --mod dodge@skeleton-1:1 --dice roll",
    )  # fmt: skip
    told = shell.refused("amend", "e7", "--target", "skeleton-2", code=2).err
    assert "Try: affray amend e7 --as 'attack Freya Skeleton-2 --mod dodge:1'" in told


def test_what_befalls_three_alike_is_told_once_and_of_two_each(shell: Shell):
    said(shell, "freepg", "join grub --count 3", "adjust grub-1,grub-2,grub-3 hp 10 x")
    shell.done("adjust", "grub-1,grub-2", "condition", "dazed", "x")
    ends = [line for line in shell.done("amend", "e3", "--value", "7").splitlines() if line.startswith("in the end")]
    assert ends == ["in the end  hp: 10 -> 7 for Grub-1, Grub-2, Grub-3"]
    ends = [line for line in shell.done("amend", "e4", "--drop").splitlines() if line.startswith("in the end")]
    assert ends == ["in the end  Grub-1.dazed: yes -> -", "in the end  Grub-2.dazed: yes -> -"]
