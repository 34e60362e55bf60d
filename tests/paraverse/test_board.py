"""The board: what everybody does, how everybody is, and where."""

from commands.action.board import Due
from commands.action.view import View
from commands.look.boards import board_of, read_board
from commands.rules.paraverse.board import chances, done, following, header, row
from commands.rules.paraverse.combat import Attack, Check, Move, Pass, Shoot
from commands.rules.paraverse.encounter import Begin
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.resolve import Resolve
from projections.changes import values
from projections.plan import draw_areas
from tests.kit import given, lines, now_and_next
from tests.shell import Shell

from .table import ALL, next_round, opened, planning, reaver, resolved, said, sigrun, vasko


def test_before_and_between_fights():
    told = given("paraverse", sigrun())
    assert header(View(told.state)) == ["No encounter is under way."]
    told = told.when(Begin("The hall"))
    assert header(View(told.state)) == ["Encounter 1: The hall, before the first round"]
    assert following(View(told.state)) == ["round 1"]
    assert row(View(told.state), "Sigrun")["action"] == ""


def test_the_board_says_who_has_declared_what():
    told = planning(*ALL)
    assert now_and_next(told) == (["Sigrun", "Ildar", "Reaver", "Vasko"], ["the ranged phase"])
    told = said(told, Attack("Sigrun", "Reaver"), Shoot("Ildar", "Vasko"))
    assert read_board(told.state).due == [Due("to declare", ("Reaver", "Vasko"), True)]
    assert row(View(told.state), "Sigrun")["action"] == "attack Reaver (melee)"
    assert row(View(told.state), "Vasko")["action"] == "not declared"
    told = resolved(told, "ranged", [2, 12])
    assert row(View(told.state), "Ildar")["action"] == "shoot Vasko - done"
    assert now_and_next(told) == ([], ["the melee phase"])
    told = opened(told, "melee")
    assert now_and_next(told) == (["Sigrun"], ["the magic phase"])
    assert read_board(told.state).due == [Due("to resolve", ("Sigrun",), True)]
    told = told.when(Resolve(), [17, 8, 4])
    assert read_board(opened(told, "end").state).next == ["round 2"]
    assert row(View(told.state), "Vasko")["action"] == "pass"


def test_a_mover_who_means_to_fight_is_said_to_engage():
    """paraverse.move.engage"""
    told = planning(sigrun(), vasko(area="yard"), areas=("hall", "yard"), link=("hall:yard",), at=("Sigrun=hall",))
    told = told.when(Move("Sigrun", "yard", engage="Vasko"))
    assert lines(told.events) == ["Sigrun will move to the yard and engage Vasko (melee phase)"]
    assert row(View(told.state), "Sigrun")["action"] == "move to the yard and engage Vasko (melee)"


def test_harm_and_engagement():
    told = said(planning(*ALL), Attack("Sigrun", "Reaver"), Check("Ildar", "acrobatics"))
    told = resolved(told, "melee", [17, 8, 4])
    assert header(View(told.state))[1:] == ["Skirmish 1: Sigrun v Reaver (fought)"]
    assert row(View(told.state), "Reaver") == {
        "side": "foes", "area": "here", "pain": "4", "Stamina": "2/6", "Fortitude": "5", "down": "", "AV": "3",
        "wounds": "fractured leg", "action": "pass", "engaged": "Sigrun", "in hand": "greataxe", "effects": "",
    }  # fmt: skip
    assert row(View(told.state), "Sigrun")["in hand"] == "broadsword, shield"
    assert values(told.state)["skirmish.1"] == "Sigrun v Reaver, done"


def test_effects_and_falls():
    told = planning(*ALL).when(Effect(("Reaver",), damage=33, location="torso", name="burning", each=2, rounds=3))
    assert row(View(told.state), "Reaver")["effects"] == "burning +2 pain (to round 3), dead at the end of the phase"
    told = opened(told, "ranged")
    assert row(View(told.state), "Reaver")["down"] == "dead"


def test_the_dying_are_named():
    told = planning(*ALL).when(Effect(("Vasko",), damage=20, location="torso"))
    assert row(View(opened(told, "ranged").state), "Vasko")["down"] == "dying"


def test_areas_are_drawn():
    told = planning(*ALL, areas=["hall", "yard"], link=["hall:yard:oneway:see=no"], at=["vasko=yard"])
    told = next_round(told.when(Effect(("Ildar",), pain=9)))
    assert draw_areas(told.state) == [
        "[hall]  Sigrun, Ildar (unconscious), Reaver",
        "[yard]  Vasko",
        "hall -> yard: out of sight, only to yard",
    ]
    assert board_of(told.state).body(View(told.state), "Sigrun") == []


def test_areas_stay_drawn_until_another_encounter_begins(shell: Shell):
    """Who comes in between stands nowhere yet, whatever areas there were."""
    shell.done("init", "Hall", "--system", "paraverse")
    shell.done("join", "sigrun")
    shell.done("begin", "--area", "hall,yard", "--link", "hall:yard")
    drawn = shell.done("map")
    shell.done("end")
    assert shell.done("map") == drawn
    shell.done("join", "reaver")
    assert shell("map", "--json").json["at"] == {"Sigrun": "hall"}
    shell.done("begin", "--area", "cellar")
    again = shell("map", "--json").json
    assert (again["areas"], again["links"], again["at"]) == (["cellar"], [], {"Sigrun": "cellar", "Reaver": "cellar"})


def test_what_is_left_of_the_unhurt_is_shown(shell: Shell):
    """Hakon: CON 14 and WIL 10, so Endurance 7 and Fortitude 5."""
    for words in ("init test --system paraverse", "join hakon"):
        shell.done(*words.split())
    shown = shell.done("show", "hakon").splitlines()
    for line in ("  pain = 0", "  Stamina = 7/7", "  Fortitude = 5"):
        assert line in shown


def test_who_has_declared_is_done_in_planning_and_who_has_acted_later():
    """paraverse.planning.everyone: Sigrun declares, waits in the melee phase, and strikes; Reaver passes."""
    told = planning(sigrun(), reaver())
    assert done(View(told.state)) == []
    told = told.when(Attack("Sigrun", "Reaver"))
    assert done(View(told.state)) == ["Sigrun"]
    told = opened(told, "melee")
    assert done(View(told.state)) == []
    assert done(View(told.when(Resolve(), [15, 5, 2]).state)) == ["Sigrun"]


def test_who_passes_has_nothing_left_to_declare_and_nothing_to_resolve():
    told = said(planning(*ALL), Pass("Sigrun"), Attack("Reaver", "Sigrun"))
    assert chances(View(told.state)) == {"Ildar": ("declaration",), "Vasko": ("declaration",), "Reaver": ("attack",)}
