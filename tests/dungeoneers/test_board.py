"""The board and the map, and the example sheets."""

import tomllib
from pathlib import Path

import pytest

from commands.action.adjust import Adjust
from commands.action.board import Due, Lying, Readied
from commands.action.common import Join
from commands.action.view import View
from commands.look.boards import read_board
from commands.rules.dungeoneers import board
from commands.rules.dungeoneers.answers import Opportune
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Defend, Grapple
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.movement import Move
from commands.rules.dungeoneers.ready import Ready, Trigger
from commands.rules.dungeoneers.spells import Cast
from ledger.errors import Refused
from ledger.events import TurnEnded
from projections.plan import draw
from tests.hints import offered_by
from tests.kit import lines, now_and_next
from tests.shell import Shell

from .table import fight, freya, skeleton, someone, suori, table, turn_of, ulfarmi

SHEETS = sorted((Path(board.__file__).parent / "sheets").glob("*.toml"))


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_example_sheet_can_join(path):
    told = table().when(Join((tomllib.loads(path.read_text()),)))
    (who,) = told.state.roster.order
    assert who.casefold() == path.stem
    assert board.row(View(told.state), who)["side"]


def test_whose_turn_of_the_round_is_over():
    """dungeoneers.turn.one-each: nobody's before a round; Suori's when nothing of it is left, and no answer is due."""
    begun = table(suori(initiative=9), skeleton((1, 0)), freya((5, 5), initiative=1)).when(Begin())
    turn = begun.when(Round()).when(Turn())
    ended = turn.when(Done())
    spent = turn.when(Adjust("Suori", "movement", "0", "x")).when(Adjust("Suori", "action", "0", "x"))
    asked = turn.when(Adjust("Suori", "action", "0", "x")).when(Move("Suori", ("W",)))
    third = ended.when(Turn()).when(Done())
    told = (begun, begun.when(Round()), turn, ended, spent, asked, third, third.when(Turn()).when(Done()).when(Round()))
    over = [read_board(one.state).done for one in told]
    assert over == [[], [], [], ["Suori"], ["Suori"], [], ["Suori", "Freya"], []]


def test_there_are_enough_example_sheets():
    names = {path.stem for path in SHEETS}
    assert {"suori", "ulfarmi", "freya", "alberich", "skeleton"} < names
    assert len(names) >= 9


def test_the_header_follows_the_encounter():
    told = table(suori(initiative=2), skeleton())
    assert board.header(View(told.state)) == ["No encounter is under way."]
    assert board.header(View(told.when(Begin("The gate")).state)) == ["Encounter 1: The gate, before the first round"]
    assert board.following(View(told.when(Begin("The gate")).state)) == ["round 1"]
    begun = fight(suori(), skeleton())
    assert board.header(View(begun.state)) == ["Encounter 1, round 1 (0 seconds)"]
    assert board.turn(View(begun.state)) == "Suori"
    assert now_and_next(begun) == (["Suori"], ["Skeleton"])
    assert now_and_next(begun.when(Done())) == (["Skeleton"], ["round 2"])
    over = turn_of(begun, "Skeleton").when(Done())
    assert board.header(View(over.state)) == ["Encounter 1, round 1 (5 seconds)"]
    assert now_and_next(over) == ([], ["round 2"])
    counted = table(suori(initiative=5), skeleton(initiative=3)).when(Begin(ambient=4)).when(Round())
    assert board.header(View(counted.state))[-1] == "Ambient magica: 4"


def test_the_board_says_who_may_answer_a_window():
    told = fight(suori(), skeleton()).when(Move("Suori", ("W",)))
    asked = "may strike: o Skeleton \u00b7 let it pass: resolve"
    assert board.demands(View(told.state)) == [Due(asked, ("Skeleton",), True)]
    assert read_board(told.state).lines()[1] == f"Now: Skeleton ({asked})"
    told = told.when(Opportune("Skeleton"), [1, 4, 4, 1])
    assert now_and_next(told) == (["Suori"], ["Skeleton"])


def test_initials_stand_for_a_name_with_a_number_where_they_are_nobody_elses():
    for names, asked in ((["Skeleton-1"], "o s1"), (["Skeleton-1", "Shade-1"], "o Skeleton-1")):
        others = [skeleton((5, nth), name) for nth, name in enumerate(names[1:])]
        told = fight(suori(), skeleton((1, 0), names[0]), *others).when(Move("Suori", ("W",)))
        assert board.demands(View(told.state))[0].what == f"may strike: {asked} \u00b7 let it pass: resolve"


def test_the_board_says_what_is_readied_on_whom_and_whether_the_moment_is_now():
    told = fight(suori(), skeleton(), ulfarmi((5, 5)))
    told = told.when(Ready("Suori", "push", before="Skeleton", target="Skeleton"))
    assert read_board(told.state).readied == [Readied("Suori", "push", "Skeleton", "before Skeleton's turn")]
    gap = told.when(Done())
    assert "Readied: Suori (push Skeleton before Skeleton's turn: now)" in read_board(gap.state).lines()
    cast = turn_of(told, "Ulfarmi").when(Ready("Ulfarmi", "cast", after="Suori", spell="firebolt"))
    assert board.readied(View(cast.state))[-1] == Readied("Ulfarmi", "cast firebolt", "", "after Suori's turn")


def test_the_board_says_what_lies_on_the_ground_and_what_protects_whom():
    """The natural armor value of the skeleton is 4; the thrown dagger lies where it fell."""
    told = fight(suori(equipped=["dagger"]), skeleton((2, 0), resistance_to={"piercing": 3}, spell_resistance=2))
    told = told.when(Attack("Suori", "Skeleton", toss=True, keep_facing=True), [1, 1, 4])
    assert read_board(told.state).ground == [Lying("dagger", "2,0")]
    row = board.row(View(told.state), "Skeleton")
    assert (row["AV"], row["SR"], row["resists"]) == ("4", "2", "piercing -3, bludgeoning +1")


def test_a_row_says_how_somebody_is():
    told = fight(
        suori(wounds=1, stress=1, action_points=3, ammo={"arrow": 3}, facing="E"), skeleton(), ulfarmi((5, 5), mind=2)
    )
    told = told.when(Defend("Suori")).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    told = told.when(Ready("Suori", "push", before="Ulfarmi"))
    assert board.row(View(told.state), "Suori") == {
        "side": "dungeoneers",
        "down": "",
        "wounds": "1/2",
        "stress": "1/2",
        "magica": "2/2",
        "AP MP RP": "0 0 1",
        "AV": "0",
        "SR": "",
        "resists": "",
        "at": "0,0 E",
        "equipped": "warhammer",
        "carried": "",
        "ammo": "3 arrow",
        "conditions": "defensive until Suori's turn, grappling Skeleton, threatened by Skeleton",
    }
    assert board.row(View(told.state), "Ulfarmi")["magica"] == "4/4"
    assert board.row(View(told.state), "Skeleton")["conditions"] == "grappled by Suori, threatened by Suori"
    dead = told.when(Adjust("Skeleton", "down", "dead", "dust"))
    assert board.row(View(dead.state), "Skeleton")["down"] == "dead"
    assert board.body(View(dead.state), "Skeleton") == []


def test_the_map_shows_facing_threat_and_items():
    told = fight(suori(equipped=["dagger"], facing="NE"), skeleton((2, 0), facing="W"))
    told = told.when(Attack("Suori", "Skeleton", toss=True, keep_facing=True), [1, 1, 4])
    ground = board.ground(View(told.state))
    assert ground["dagger"] == [(2, 0)]
    assert (1, 0) in ground["threatened by dungeoneers and undead"]
    assert (3, 1) in ground["threatened by undead"]
    told = told.when(Adjust("Skeleton", "at", "5,0", "it flees"))
    bodies = {who: board.body(View(told.state), who) for who in told.state.roster.order}
    headings = {who: board.heading(View(told.state), who) for who in bodies}
    drawn, legend = draw(bodies, board.ground(View(told.state)), {}, headings)
    assert "S Suori, facing NE" in legend
    assert "K Skeleton, facing W" in legend
    (row,) = [line for line in drawn if line.startswith(" 0 ")]
    assert row == " 0 . & S↗& % . * K←* ."


def test_a_body_covers_its_tiles():
    told = table(someone("Ogre", (3, 0), size="huge"), freya((9, 9)))
    assert board.body(View(told.state), "Ogre") == [(3, 0), (4, 0), (3, 1)]


def test_the_lines_of_a_window_name_who_did_what():
    """What was done is said, whose strike it was, and what still waits; nothing was done that is still to come."""
    ulf = ulfarmi((0, 0), cantrips=["firebolt"])
    told = fight(ulf, skeleton((1, 0), "A"), skeleton((0, 1), "B"), skeleton((4, 0), "Far"))
    cast = told.when(Cast("Ulfarmi", "firebolt", "Far"), [1, 1, 4])
    assert lines(cast.events)[0] == "Ulfarmi casts firebolt on Far: miss"
    assert lines(cast.events)[-2:] == ["Ulfarmi's cast waits for A, B", "Ulfarmi faces E; spends 2 magica, now 4/6"]
    struck = lines(cast.when(Opportune("A", mod=("-1",)), [1]).events)
    assert struck[:2] == ["A takes the opportunity (-1)", "A strikes at Ulfarmi: miss"]
    assert "Ulfarmi's cast waits for B" in struck
    named = " ".join(
        lines(told.when(Cast("Ulfarmi", "firebolt", "Far", opportune=("A", "B")), [1, 1, 4, 1, 4, 1, 4]).events)
    )
    assert "A strikes at Ulfarmi" in named
    assert "B strikes at Ulfarmi" in named
    ready = fight(suori(), skeleton()).when(Ready("Suori", "push", before="Skeleton")).when(Done())
    pushed = ready.when(Trigger("Suori", "Skeleton"), [1, 1, 4])
    assert lines(pushed.events)[0] == "Suori acts on Skeleton: the readied push; failed"
    moved = fight(suori(facing="W"), skeleton()).when(Move("Suori", ("W",)))
    assert lines(moved.events) == ["Suori's move waits for Skeleton"]


def test_the_readied_action_is_next_as_soon_as_nothing_is_left_of_the_turn_before_it():
    """Who may act is who is shown: not the one behind it, who could not begin before it. Taking it ends the turn."""
    ready = fight(suori(), ulfarmi((-3, 0)), skeleton()).when(Ready("Suori", "push", after="Ulfarmi"))
    told = turn_of(ready, "Ulfarmi")
    walked = told.when(Defend("Ulfarmi"))
    assert board.acting(View(walked.state)) == ["Ulfarmi"]
    spent = walked.when(Move("Ulfarmi", ("W",)))
    assert board.acting(View(spent.state)) == ["Suori"]
    assert read_board(spent.state).readied == [Readied("Suori", "push", "", "after Ulfarmi's turn: now")]
    spent.refused(Move("Skeleton", ("N",)), "dungeoneers.turn.own-turn-only")
    taken = spent.when(Trigger("Suori", "Skeleton"), [1, 1, 4]).then(TurnEnded("Ulfarmi"))
    assert board.acting(View(taken.state)) == ["Skeleton"]


def test_who_could_not_take_what_they_readied_is_not_shown_and_holds_up_nobody():
    """The skeleton is out of reach: it is shown, and begins its turn by moving."""
    told = fight(suori(), skeleton((4, 0))).when(Ready("Suori", "attack", before="Skeleton")).when(Done())
    assert board.acting(View(told.state)) == ["Skeleton"]


def test_an_action_that_was_readied_is_offered_where_somebody_says_it_anew():
    told = fight(suori(), skeleton()).when(Ready("Suori", "attack", before="Skeleton")).when(Done())
    with pytest.raises(Refused) as refused:
        told.when(Attack("Suori", "Skeleton"))
    assert offered_by(refused.value) == "affray trigger Suori Skeleton"
    told = fight(ulfarmi(), skeleton()).when(Ready("Ulfarmi", "cast", before="Skeleton", spell="firebolt")).when(Done())
    with pytest.raises(Refused) as refused:
        told.when(Cast("Ulfarmi", "firebolt", ("Skeleton",)))
    assert offered_by(refused.value) == "affray trigger Ulfarmi Skeleton"


def test_nobody_is_shown_who_cannot_act():
    """Between turns those whose readied action can be taken now; on the turn of one who fell, nobody."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "push", before="Skeleton"))
    assert board.acting(View(told.state)) == ["Suori"]
    gap = told.when(Done())
    assert (board.acting(View(gap.state)), board.following(View(gap.state))) == (["Suori"], ["Skeleton"])
    begun = gap.when(Turn(pass_rest=True))
    assert (board.acting(View(begun.state)), board.following(View(begun.state))) == (["Skeleton"], ["round 2"])
    fallen = begun.when(Adjust("Skeleton", "down", "unconscious", "a blow"))
    assert board.acting(View(fallen.state)) == []


def test_of_those_who_are_threatened_anew_only_what_stands_at_last_is_told(shell: Shell):
    """Two who change sides together: nobody is named twice, nor told to be threatened who no longer is."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", "suori", "ogre", "--at", "9,9/0,0")
    shell.done("join", "skeleton", "--count", "2", "--at", "2,1/2,2")
    shell.done("begin")
    printed = " ".join(shell.done("adjust", "skeleton*", "side", "giants", "allies").split())
    assert " threatened by " not in printed
    assert printed.endswith("Ogre, Skeleton-1 and Skeleton-2 are no longer threatened")


def test_begin_names_those_who_have_no_place(shell: Shell):
    """The second who joins without a place finds that of the stat block taken; the way that is named works."""
    shell.done("init", "test", "--system", "dungeoneers")
    shell.done("join", "suori", "freya", "skeleton")
    note = "Freya and Skeleton have no place on the map: adjust NAME at X,Y WHY puts somebody there."
    assert note in " ".join(shell.done("begin", "--dry-run").split())
    shell.done("adjust", "freya", "at", "1,0", "forgotten")
    assert "Skeleton has no place on the map" in shell.done("begin", "--dry-run")
    shell.done("adjust", "skeleton", "at", "3,0", "forgotten")
    assert "no place on the map" not in shell.done("begin")
