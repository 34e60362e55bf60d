"""At the table: commands as they are typed."""

import json

import pytest

from commands.action.book import Book
from commands.shell.cli import run
from ledger.events import (
    Moved,
    Overruled,
    PointsSet,
    Reinstated,
    Retracted,
    Rolled,
    Ruled,
    TurnEnded,
)
from ledger.sqlite import SqliteStore
from tests.shell import Shell, recorded, rulings, terms


@pytest.fixture
def bridge(tmp_path, monkeypatch, capsys) -> Shell:
    """Guard has hit Gerlind for 6 in the first turn: e5."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_BY", "gm")
    monkeypatch.delenv("AFFRAY_LEDGER", raising=False)
    shell = Shell(capsys)
    shell.done("init", "bridge", "--system", "aachen", "--key", "ab" * 32)
    shell.done("join", "adalger", "gerlind", "guard")
    shell.done("begin", "The bridge")
    shell.done("initiative", "--dice", "1,8")
    shell.done("attack", "guard", "gerlind", "--dice", "13,6")
    return shell


def test_a_shot_is_offered_at_the_longest_distance_of_each_band(shell: Shell):
    """aachen.ranged.bands: a large bow reaches 100 and 600 feet; at 100 it is long range, but for the house rule."""
    shell.done("init", "x", "--system", "aachen")
    for line in ("join gerlind goblin", "begin", "initiative --dice 5,1"):
        shell.done(*line.split())
    for inclusive, near in (("false", 95), ("true", 100)):
        shell.done("option", "short_range_inclusive", inclusive)
        said = shell.refused("shoot", "gerlind", "goblin", clause="aachen.ranged.bands").err.splitlines()
        assert said[-2:] == [f"Try: affray shoot Gerlind Goblin {feet}" for feet in (near, 600)]


def hp(who: str) -> int:
    store = SqliteStore.open("bridge.affray")
    points = Book(store).present()[1].harm.hp[who].now
    store.close()
    return points


def test_a_defense_after_the_roll_is_one_command(bridge: Shell):
    """aachen.actions.instant-after-roll: undo takes the instant and the attack resolved again back together."""
    assert hp("Gerlind") == 5
    bridge.done("defend", "ger", "--after-roll")
    assert rulings("aachen.attack.hit-test", 7) == [("miss", [14, 15])]
    assert terms("aachen.attack.hit-test", 7)["total defense"] == 2
    assert hp("Gerlind") == 11
    bridge.done("undo")
    assert recorded()[1:] == (Retracted((6, 7), (7,)), Reinstated((5,)))
    assert hp("Gerlind") == 5
    bridge.done("redo")
    bridge.done("verify")


def test_an_attack_that_was_answered_is_lost_with_its_round(bridge: Shell):
    """Without e4 there is no round 1; with the initiative that it offers the attack is put in again."""
    bridge.done("defend", "ger", "--after-roll")
    drop = ("amend", "e4", "--drop", "--because", "nobody rolled", "--apply")
    bridge.refused(*drop, code=2)
    bridge.done(*drop, "--lose", "2")
    bridge.done("amend", "e7", "--insert", "initiative", "--dice", "roll", "--apply")
    bridge.done("verify")


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "thrown"), [("2,e7:3", True), ("2,roll", False)], ids=["thrown", "rolled"])
def test_an_answer_sees_the_new_dice_of_the_action_that_it_answers(bridge: Shell, dice: str, thrown: bool):
    """aachen.actions.instant-after-roll: in hindsight Guard charges out of contact with Adalger, who strikes first. His
    die is new; the defense answers the 16 of the charge all the same: 13 + 1 + 2 against 13 + 2.
    """
    bridge.done("undo")
    bridge.done("charge", "guard", "gerlind", "30", "--dice", "13,6")
    bridge.done("defend", "ger", "--after-roll")
    put_in = ("--insert", "attack adalger guard --allow 'all: he stood there'", "--dice", dice)
    course = bridge.course("e7", *put_in, "--apply")
    assert course[8][0] == "same"
    charge = bridge.facts("status")["entry"]
    (struck, answered) = rulings("aachen.attack.hit-test", charge)
    assert answered == ("hit", [13 + 1 + 2, 13 + 2])
    (first, *_) = (event for event in recorded(charge) if isinstance(event, Rolled))
    assert (first.who, first.places == (0,)) == ("Adalger", thrown)
    assert not thrown or struck[1][0] == 3 + 4 + 1 + 1
    bridge.done("verify")


def test_an_amendment_after_something_was_dropped_says_what_is_recorded(bridge: Shell):
    """A thing that falls has the word `drop` as an amendment has that leaves an entry out."""
    bridge.done("stow", "adalger", "sword", "--drop")
    said = bridge.done("amend", "e6", "--drop", "--because", "he kept it", "--apply", "--json")
    assert json.loads(said)["entry"] == 7


def test_luck_asks_for_new_dice_only(bridge: Shell):
    """aachen.fighters-luck.miss-to-hit: the d20 lies there; only damage is rolled."""
    bridge.done("done")
    bridge.done("attack", "adalger", "guard", "--with", "sword", "--dice", "2")
    (needed,) = bridge.facts("trigger", "adalger", "--luck", "--dry-run")["needs"]
    assert needed == {"who": "Adalger", "dice": "1d8", "purpose": "damage", "about": "Guard"}
    bridge.refused("trigger", "adalger", "--luck", "--dice", "7,3", code=2)
    bridge.done("trigger", "adalger", "--luck", "--dice", "7")
    assert rulings("aachen.damage.roll") == [("", [7 + 1])]
    bridge.done("verify")


def test_an_instant_answers_the_amended_dice_of_its_action(bridge: Shell):
    """aachen.actions.instant-after-roll: 13 and 14, 15 against AC 15. Before the second die is thrown nobody knows what
    is answered, so the preview asks for it.
    """
    bridge.done("defend", "ger", "--after-roll")
    assert bridge.course("e7", "--mod", "adv")[7] == ("needs new dice", None)
    assert bridge.course("e7", "--mod", "adv", "--dice", "e7:14", "--apply")[6][0] == "same"
    assert rulings("aachen.attack.hit-test") == [("hit", [14 + 1, 13 + 2])]
    assert hp("Gerlind") == 5
    bridge.done("verify")


@pytest.mark.slow
def test_an_instant_does_not_outlive_what_it_answers(bridge: Shell):
    """aachen.fighters-luck.window: with a move before it, the second needs the main action that the defense took.

    Then the defense goes, and luck is spent on the free attack for which it was called on, not on a later one.
    """
    bridge.done("done")
    bridge.done("adjust", "adalger", "engaged", "guard", "he is close")
    bridge.done("move", "adalger", "30", "--leave", "all", "--dice", "19,4")
    bridge.done("trigger", "adalger", "--luck")
    bridge.done("defend", "adalger", "--after-roll")
    course = bridge.course("e7", "--insert", "move adalger 5", "--apply", "--lose", "1")
    assert course[11] == ("no longer possible", None)
    assert rulings("aachen.fighters-luck.hit-to-miss") == [("luck makes it a miss", [])]
    assert bridge.value("Adalger.luck") == "use fighter's luck, done"
    assert hp("Adalger") == 22
    bridge.done("verify")


def test_a_refusal_names_its_clause(bridge: Shell):
    """aachen.actions.budget: in words and in JSON; nothing is recorded."""
    bridge.refused("attack", "guard", "adalger", clause="aachen.actions.budget")
    error = bridge("attack", "guard", "adalger", "--json").json["error"]
    assert (error["clause"], error["code"]) == ("aachen.actions.budget", 1)
    bridge.done("attack", "guard", "adalger", "--dice", "2", "--allow", "two swords")
    (overruled,) = (event for event in recorded() if isinstance(event, Overruled))
    assert (overruled.clause, overruled.reason) == ("aachen.actions.budget", "two swords")


def test_a_dry_run_says_which_dice_are_needed(bridge: Shell):
    bridge.done("done")
    needed = bridge("attack", "adalger", "guard", "--mod", "adv", "--dry-run", "--json").json["needs"]
    assert needed == [{"who": "Adalger", "dice": "2d20", "purpose": "attack", "about": "Guard"}]


@pytest.mark.slow
def test_luck_goes_with_the_blow_that_it_turned(bridge: Shell):
    """aachen.fighters-luck.window: when the heroes' 8 comes first, the blow stands and is turned as it was; there
    is no round when the Guard never came, and no blow to turn.
    """
    bridge.done("init", "mill", "--system", "aachen")
    for line in ("join adalger gerlind", "join guard", "begin", "initiative --dice 1,8"):
        bridge.done("--ledger", "mill.affray", *line.split())
    bridge.done("--ledger", "mill.affray", "attack", "guard", "adalger", "--dice", "15,5")
    bridge.done("--ledger", "mill.affray", "trigger", "adalger", "--luck")
    late = bridge.done("--ledger", "mill.affray", "amend", "e5", "--dice", "8,1", "--because", "misread").splitlines()
    assert "     out of the order as corrected: Adalger and Gerlind must act before Guard." in late
    assert not any("pass" in line for line in late)
    course = bridge.facts("--ledger", "mill.affray", "amend", "e5", "--dice", "8,1", "--because", "misread")["course"]
    assert {one["outcome"] for one in course} == {"different", "same"}
    gone = bridge.facts("--ledger", "mill.affray", "amend", "e3", "--drop")["course"]
    assert {one["entry"]: one["why"] for one in gone if one["outcome"] == "no longer possible"}.items() >= {
        (7, "Round 1 is left out."), (8, "Round 1 is left out."),
    }  # fmt: skip


def test_replay_and_status_and_show(bridge: Shell):
    """The round again, the board as data, a sheet."""
    assert "change  Gerlind.hp: 11 -> 5" in bridge.done("replay", "--round", "1")
    assert bridge.facts("status")["rows"]["Gerlind"]["contact"] == "Guard"
    assert "sheet class" in bridge.done("show", "gerlind")


def test_amending_a_circumstance(bridge: Shell):
    """One more circumstance on the same dice: with -2 the Guard's 12 misses AC 13, and shock does 2."""
    bridge.done("amend", "e5", "--mod=-2:dark", "--apply")
    assert hp("Gerlind") == 9
    bridge.done("verify")


def test_hints_can_be_typed(bridge: Shell):
    """An instant out of turn is not helped by `done`, which would end somebody else's turn."""
    bridge.done("done")
    bridge.done("attack", "adalger", "guard", "--dice", "2")
    refused = bridge.refused("defend", "adalger", clause="aachen.actions.total-defense")
    assert "affray done" not in refused.err
    bridge.refused("attack", "adalger", "guard", "--snap", code=1)
    bridge.done("stow", "gerlind", "large bow", "--drop")
    bridge.refused("shoot", "gerlind", "guard", "--with", "large bow", code=1)


def test_what_is_said_at_the_wrong_time_is_answered_with_the_next_step(bridge: Shell):
    """The end of a turn, or whose turn it is; nobody loses a turn without a word."""
    bridge.refused("initiative", code=1)
    bridge.done("done")
    for words in ("initiative", "done", "round"):
        assert bridge(words).err.endswith("Try: affray turn Adalger\n")
    bridge.done("turn", "gerlind", "--after", "adalger")
    bridge.done("turn", "adalger")
    bridge.refused("round", code=1)


def test_what_ends_is_told_in_plain_english(bridge: Shell):
    """An adjective holds no longer, a thing is over, a crossbow is loaded."""
    bridge.done("effect", "gerlind", "ward", "--amount", "2")
    assert "Gerlind's ward ends" in bridge.done("effect", "gerlind", "ward", "--end")
    bridge.done("done")
    bridge.done("prone", "gerlind")
    assert "Gerlind is no longer prone" in bridge.done("stand", "gerlind")
    bridge.done("attack", "adalger", "guard", "--dice", "2")
    assert "has no luck left" in bridge.done("trigger", "adalger", "--luck", "--dice", "1")
    assert "Adalger has luck again" in bridge.done("end")
    bridge.done("join", "sigrid")
    bridge.done("shoot", "sigrid", "guard", "40", "--dice", "2", "--allow", "no fight")
    assert "Sigrid reloads: Sigrid's crossbow is loaded" in bridge.done("reload", "sigrid")


def test_what_is_named_alone_is_reloaded_though_another_begins_so(bridge: Shell):
    """aachen.ranged.reload: both are empty; the hint names the one that was to shoot."""
    bridge.done("end")
    bridge.done("join", "sigrid")
    second = 'name = "crossbow", skill = "shoot", attr = "DEX", damage = "1d10", range = [9, 99], reload = "main"'
    bridge.done("adjust", "sigrid", "item", second, "a second one")
    bridge.done("adjust", "sigrid", "equipped", "crossbow-2", "at hand")
    for weapon in ("crossbow", "crossbow-2"):
        bridge.done("shoot", "sigrid", "guard", "40", "--with", weapon, "--dice", "2", "--allow", "x")
    bridge.done("begin")
    bridge.done("initiative", "--dice", "8,1")
    again = bridge("shoot", "sigrid", "guard", "40", "--with", "crossbow")
    assert "\nTry: affray reload Sigrid crossbow\n" in again.err
    bridge.done("reload", "sigrid", "crossbow")


@pytest.mark.slow
def test_nobody_is_not_a_name(bridge: Shell):
    """An empty name is nobody's, for who acts and for whom it hits."""
    for words in (("stow", "", "sword"), ("attack", "", "guard"), ("attack", "guard", "")):
        bridge.refused(*words, code=3)


@pytest.mark.parametrize("word", ["disengage", "phase", "declare", "parry", "skirmish"])
def test_words_of_other_systems(bridge: Shell, word: str):
    bridge.refused(word, "adalger", code=2)


def test_the_odds_of_a_target(bridge: Shell):
    """aachen.odds.from-attack: d20 + 6 against 14 is target 8: 65%, 87.75%; aachen.odds.limits: -2 is 95%, 27 is 5%."""

    def row(*words: str) -> list[str]:
        (_, line) = bridge.done("odds", "table", *words).splitlines()
        return line.split()

    assert row("--ac", "14", "--bonus", "6") == row("8") == ["8", "65%", "87.75%", "+5", "42.25%", "-5"]
    assert row("--", "-2")[1:3] == ["95%", "99.75%"]
    assert row("27")[1:] == ["5%", "9.75%", "+1", "0.25%", "-1"]
    bridge.refused("odds", "table", "8", "--ac", "14", code=2)
    bridge.refused("odds", "table", "--bonus", "6", code=2)


def test_help_is_short(bridge: Shell, capsys):
    assert run(["trigger", "--help"]) == 0
    assert "--luck" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["initiative", "end", "round", "done", "surprise pc", "begin"])
def test_the_hint_at_an_empty_table_says_who_may_join(words: str, bridge: Shell):
    """And the command that it offers works."""
    bridge.done("end")
    bridge.done("leave", "adalger,gerlind,guard")
    assert "Try: affray join adalger" in bridge(*words.split()).err


def test_a_natural_1_is_named_before_sums_that_it_decides_against(bridge: Shell):
    """Adalger has 1 + 4 + 1 + 1 + 30 = 37 against 14; the 20 of the guard comes to 21 against 15 and needs no name."""
    bridge.done("pass", "guard")
    told = bridge.done("attack", "adalger", "guard", "--mod", "30:blessed", "--dice", "1")
    assert "natural 1: attack 37 (d20 1* +4 attack bonus +1 STR +1 Stab" in told
    assert rulings("aachen.attack.natural-1") == [("miss", [37, 14])]
    bridge.done("pass", "gerlind")
    bridge.done("round")
    told = bridge.done("attack", "guard", "adalger", "--mod", "adv:above", "--dice", "20,5,4")
    assert "    attack 21 (higher d20 20 +1 attack bonus) >= AC 15: hit" in told


def test_all_who_are_left_behind_may_be_declined_at_once(bridge: Shell):
    """Neither Guard nor Wolf strikes at Gerlind, with 5 of her 11 hit points left."""
    bridge.done("join", "wolf")
    bridge.done("attack", "wolf", "gerlind", "--dice", "1")
    bridge.done("move", "gerlind", "20", "--decline", "all")
    assert Moved("Gerlind", "move", 0, measure="20 feet") in recorded()
    assert rulings("aachen.melee.free-attack") == []
    assert hp("Gerlind") == 5
    bridge.done("undo")
    bridge.done("move", "gerlind", "20", "--leave", "ALL", "--decline", "gu")
    (struck,) = (
        event for event in recorded() if isinstance(event, Ruled) and event.clause == "aachen.melee.free-attack"
    )
    assert (struck.who, struck.about) == ("Wolf", "Gerlind")
    bridge.refused("move", "adalger", "20", "all", code=3, ledger="bridge.affray")
    bridge.done("verify")


def test_nobody_owes_a_morale_check_that_is_not_due(bridge: Shell):
    """Adalger and Gerlind may act, but @due behind morale means only those who must check."""
    bridge.done("done")
    bridge.refused("morale", "@due", code=3, ledger="bridge.affray")
    bridge.refused("odds", "morale", "@due", code=3, ledger="bridge.affray")
    bridge.done("pass", "@due")
    assert TurnEnded("Adalger") in recorded()


def test_who_only_has_a_move_left_gives_up_no_turn_by_beginning_it(bridge: Shell):
    """Adalger has spent the main action before his turn, and still has the move action when it begins."""
    bridge.done("attack", "adalger", "guard", "--snap", "--dice", "2")
    bridge.done("pass", "guard")
    answer = bridge.refused("ready", "guard", "an arrow", clause="aachen.round.one-turn-each", ledger="bridge.affray")
    assert "gives up" not in answer.err


def test_luck_that_comes_too_late_does_not_ask_to_undo_what_made_it_needless(bridge: Shell):
    """14 hits Adalger's 15 - 1 = 14, and no longer 16."""
    bridge.done("undo")
    bridge.done("attack", "guard", "adalger", "--mod", "armor:-1:slipped", "--dice", "13,4")
    bridge.done("defend", "adalger", "--after-roll")
    answer = bridge.refused(
        "trigger",
        "adalger",
        "--luck",
        clause="aachen.fighters-luck.window",
        ledger="bridge.affray",
    )
    assert "Try: affray undo" not in answer.err
    bridge.done("pass", "guard")
    bridge.refused("trigger", "adalger", "--luck", clause="aachen.fighters-luck.window", ledger="bridge.affray")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("attack guard adalger = 19", "attack guard adalger --dice 19,-"),
        ("a guard adalger --dice 19", "attack guard adalger --dice 19,-"),
        ("a gu ada = 19 --mod 1:above", "attack gu ada --mod 1:above --dice 19,-"),
    ],
)
def test_dice_that_are_lacking_are_left_to_the_program_however_they_were_typed(typed, offered, bridge: Shell):
    """The face that fell stands in the example, and beside it one that the other die has: d8."""
    bridge.done("undo")
    bridge.refused(*typed.split(), code=2, ledger="bridge.affray")


def test_what_somebody_does_is_not_said_twice(bridge: Shell):
    """Neither that they charge nor the words of their spell; and of a turn that is over no move is left."""
    bridge.done("pass", "guard")
    assert "Adalger charges Guard: miss" in bridge.done("charge", "adalger", "guard", "40", "--dice", "1")
    assert bridge.done("cast", "gerlind", "healing light").splitlines()[1] == "Gerlind casts healing light"
    bridge.done("done")
    rows = bridge("status", "--json").json["rows"]
    assert [(rows[who]["turn"], rows[who]["left"]) for who in ("Adalger", "Gerlind", "Guard")] == [
        ("turn over", ""), ("turn over", ""), ("turn over", ""),
    ]  # fmt: skip
    bridge.done("round")
    bridge.done("pass", "guard")
    assert bridge("status", "--json").json["rows"]["Guard"]["left"] == "main"


def test_who_is_surprised_by_the_game_masters_word_has_no_turn_left_in_the_round(shell: Shell):
    """aachen.surprise.free-round: also where initiative has been rolled: their turn is gone as the phase begins."""
    shell.done("init", "x", "--system", "aachen", "--key", "00" * 31 + "07")
    for line in (
        "join brun",
        "join goblin",
        "begin",
        "initiative --dice 5,3",
        "surprise pc --allow word --dice 6,6,1,1",
    ):
        shell.done(*line.split())
    assert PointsSet("Goblin", "turn", 0) in recorded()
