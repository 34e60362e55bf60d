"""Assignment: who is in which skirmish."""

import pytest

from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.paraverse.board import row
from commands.rules.paraverse.combat import Attack, Check, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import Refused, UsageError
from ledger.events import Overruled, SkirmishEnded, SkirmishJoined
from tests.hints import commands, offered_by
from tests.kit import lines, no

from .table import ALL, became, ildar, next_round, opened, planning, reaver, resolved, said, sigrun, someone, vasko

FOUR = (sigrun(), ildar(hand="dagger"), reaver(), vasko(hand="club"))


def _melee(*declarations, joining=FOUR, **options):
    return opened(said(planning(*joining, **options), *declarations), "melee")


def sides(told):
    """The skirmishes of the round."""
    return [skirmish.sides for skirmish in told.state.skirmishes.of]


def test_one_picks_one():
    """paraverse.assign.single-opponent: Reaver declared on Ildar, who is not attacked then."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Reaver", "Ildar")).when(Resolve(), [9, 10, 2])
    told.then(SkirmishJoined("Sigrun", 1, 0), SkirmishJoined("Reaver", 1, 1), SkirmishEnded(1))
    assert sides(told) == [(("Sigrun",), ("Reaver",))]
    assert became(told, "Reaver") == "done"


def test_the_board_says_against_whom_it_was_fought():
    """paraverse.assign.single-opponent: until then whom somebody declared to attack."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Reaver", "Ildar"))
    assert row(View(told.state), "Reaver")["action"] == "attack Ildar (melee)"
    fought = told.when(Resolve(), [9, 10, 2])
    assert row(View(fought.state), "Reaver")["action"] == "attack Sigrun - done"
    assert row(View(fought.state), "Sigrun")["action"] == "attack Reaver - done"


def test_the_picked_one_is_in_whatever_it_declared():
    """paraverse.assign.single-opponent: Vasko shot, and is picked."""
    told = said(planning(*ALL), Shoot("Vasko", "Ildar"), Attack("Sigrun", "Vasko"))
    told = resolved(resolved(told, "ranged", [2, 12]), "melee", [9, 10, 2])
    assert sides(told) == [(("Sigrun",), ("Vasko",))]


def test_two_against_one_need_a_reason():
    """paraverse.assign.gang-up: not while Vasko is free."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver")).when(Skirmish("Sigrun", "Reaver"))
    told.refused(Skirmish("Ildar", "Reaver"), "paraverse.assign.gang-up")
    told.refused(Resolve(), "paraverse.assign.gang-up")
    told = told.when(Skirmish("Ildar", "Vasko")).when(Resolve(), [9, 10, 2, 9, 10, 2])
    assert sides(told) == [(("Sigrun",), ("Reaver",)), (("Ildar",), ("Vasko",))]


def test_nobody_is_free_for_somebody_who_cannot_fight_them():
    """paraverse.assign.gang-up, paraverse.skirmish.rolls: Ildar shot and Vasko has a crossbow, so that both would only
    evade, and Vasko joins against Sigrun; with a club he is asked to fight Ildar.
    """
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    for hand, joins in (("crossbow", True), ("club", False)):
        told = planning(sigrun(), ildar(), someone("Ulf", "foes"), vasko(area="yard", hand=hand), **ground)
        told = said(told, Attack("Sigrun", "Ulf"), Attack("Ulf", "Sigrun"), Shoot("Ildar", "Ulf"),
                    Move("Vasko", "hall", engage="Sigrun"))  # fmt: skip
        told = opened(resolved(told, "ranged", [1, 20]), "melee")
        if joins:
            assert sides(told.when(Resolve(), [12, 14, 13, 2])) == [(("Sigrun",), ("Ulf", "Vasko"))]
        else:
            told.refused(Resolve(), "paraverse.assign.gang-up")
            told.when(Skirmish("Vasko", "Ildar"))


def test_two_may_pick_the_only_one():
    """paraverse.assign.gang-up: without Vasko, or with Vasko taken or elsewhere."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"), joining=FOUR[:3])
    assert sides(told.when(Resolve(), [9, 8, 10, 2])) == [(("Sigrun", "Ildar"), ("Reaver",))]


def test_one_who_is_engaged_from_before_is_taken():
    """paraverse.assign.gang-up: Reaver, engaged with Sigrun, may not be picked by Ildar while Vasko is free."""
    told = resolved(said(planning(*FOUR), Attack("Sigrun", "Reaver")), "melee", [9, 10, 2])
    told = opened(said(next_round(told), Attack("Ildar", "Reaver")), "melee")
    told.refused(Skirmish("Ildar", "Reaver"), "paraverse.assign.gang-up")
    told = told.when(Skirmish("Ildar", "Vasko"))
    assert sides(told) == [(("Ildar",), ("Vasko",))]


def test_those_who_are_engaged_pick_each_other():
    """paraverse.assign.gang-up: not tested between the engaged; Sigrun joins Ildar against Reaver."""
    told = resolved(said(planning(*FOUR), Attack("Sigrun", "Reaver")), "melee", [9, 10, 2])
    told = said(next_round(told), Attack("Sigrun", "Reaver"), Attack("Ildar", "Vasko"))
    told = opened(told, "melee").when(Skirmish("Ildar", "Reaver"), allow="he turns round")
    told = told.when(Skirmish("Sigrun", "Reaver"))
    assert sides(told) == [(("Ildar", "Sigrun"), ("Reaver",))]


def test_many_on_many_is_the_game_masters():
    """paraverse.assign.many-on-many: refused, or a battle line."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"), Attack("Vasko", "Sigrun"))
    told = told.when(Skirmish("Sigrun", "Reaver")).when(Skirmish("Ildar", "Reaver"), allow="a corner")
    told.refused(Skirmish("Vasko", "Sigrun"), "paraverse.assign.many-on-many")
    line = told.when(Skirmish("Vasko", "Sigrun"), allow="battle line")
    line.then(
        Overruled("paraverse.assign.many-on-many", "Sigrun is one of several against Reaver.", "battle line"),
        SkirmishJoined("Vasko", 1, 1),
    )
    told = told.when(Resolve(), [9, 8, 10, 2])
    told.ruled("paraverse.assign.many-on-many", "Sigrun is one of several against Reaver")
    assert became(told, "Vasko") == "lost"


def test_one_skirmish_each():
    """paraverse.assign.one-skirmish: Reaver, picked by Sigrun, picks nobody; a skirmish that was fought is over."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Reaver", "Ildar"), Attack("Ildar", "Vasko"))
    told = told.when(Skirmish("Sigrun", "Reaver"))
    told.refused(Skirmish("Reaver", "Ildar"), "paraverse.assign.one-skirmish")
    told = _melee(Attack("Sigrun", "Reaver"), joining=(*FOUR, someone("Ulf", "foes")))
    told = said(told.when(Resolve(), [9, 10, 2]))
    told.refused(Skirmish("Sigrun", "Ulf"), "paraverse.assign.one-skirmish")


def test_players_pick_first():
    """paraverse.assign.players-first: after their picks Reaver is assigned; with the option off he may be first."""
    declared = (Attack("Sigrun", "Reaver"), Attack("Ildar", "Vasko"), Attack("Reaver", "Ildar"))
    told = _melee(*declared).refused(Skirmish("Reaver", "Ildar"), "paraverse.assign.players-first")
    told = said(told, Skirmish("Sigrun", "Reaver"), Skirmish("Ildar", "Vasko"))
    told.refused(Skirmish("Reaver", "Ildar"), "paraverse.assign.one-skirmish")
    _melee(*declared, players_first=False).when(Skirmish("Reaver", "Ildar")).then(SkirmishJoined("Reaver", 1, 0))
    assert sides(_melee(*declared[::-1]).when(Resolve(), [9, 10, 2, 9, 8, 2])) == [
        (("Ildar",), ("Vasko",)), (("Sigrun",), ("Reaver",))
    ]  # fmt: skip
    first = _melee(declared[2], declared[1], players_first=False).when(Resolve(), [9, 8, 2])
    assert sides(first) == [(("Reaver",), ("Ildar",))]


def test_the_game_master_waits_only_for_those_who_can_pick():
    """paraverse.assign.players-first: Sigrun passes, nobody else is there."""
    told = _melee(Pass("Sigrun"), Attack("Reaver", "Sigrun"), joining=(sigrun(), reaver()))
    told.when(Skirmish("Reaver", "Sigrun"))


def test_a_mover_with_an_opponent_in_mind_picks_first():
    """paraverse.assign.players-first: move --engage counts as an attack."""
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    told = planning(sigrun(), reaver(area="yard"), vasko(area="yard"), **ground)
    told = opened(said(told, Move("Sigrun", "yard", engage="Vasko"), Draw("Vasko", "club")), "melee")
    told.refused(Skirmish("Reaver", "Sigrun"), "paraverse.action.one")
    told = opened(
        said(planning(sigrun(), reaver(area="yard"), vasko(area="yard", hand="club"), **ground),
             Move("Sigrun", "yard", engage="Vasko"), Attack("Reaver", "Sigrun")), "melee")  # fmt: skip
    told = told.when(Skirmish("Reaver", "Sigrun"))
    assert told.state.skirmishes.of[0].sides == (("Sigrun",), ("Vasko", "Reaver"))


def test_one_pick_that_is_not_allowed_does_not_stop_the_others():
    """paraverse.assign.gang-up: Vasko is free, and Ildar may not pick Reaver. He lets it go, and only fights back; or
    Vasko picks him, and nothing is left to ask.
    """
    unclear = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"))
    unclear.refused(Resolve(), "paraverse.assign.gang-up")
    let_go = unclear.when(Pass("Ildar")).ruled("paraverse.assign.single-opponent", "Ildar lets the fight go")
    assert became(let_go, "Ildar") == "lost"
    assert sides(let_go.when(Resolve(), [9, 10, 2])) == [(("Sigrun",), ("Reaver",))]
    picked = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"), Attack("Vasko", "Ildar"))
    picked = picked.when(Resolve(), [9, 10, 2, 9, 10, 2])
    assert sides(picked) == [(("Sigrun",), ("Reaver",)), (("Vasko",), ("Ildar",))]


def test_a_pick_that_another_pick_makes_possible_is_made_without_a_question():
    """paraverse.assign.gang-up: nobody is free for Bo to fight when Cid has picked Ildar, so Bo joins Fay against Eve;
    then nobody is free for Ann, who is engaged with Zed, and she joins Sigrun against Reaver.
    """
    party, foes = ("Ann", "Eve"), ("Bo", "Cid", "Fay", "Zed")
    others = [someone(name, side) for side, names in (("party", party), ("foes", foes)) for name in names]
    told = planning(sigrun(), ildar(hand="dagger"), reaver(), *others, players_first=False)
    wanted = {"Sigrun": "Reaver", "Eve": "Fay", "Ann": "Reaver", "Bo": "Eve", "Cid": "Ildar"}
    told = said(told, Adjust("Ann", "engaged", "Zed", "x"), *(Attack(*pair) for pair in wanted.items()))
    fought = opened(told, "melee").when(Resolve(), [2] * 10)
    assert sides(fought) == [
        (("Sigrun", "Ann"), ("Reaver",)), (("Eve",), ("Fay", "Bo")), (("Cid",), ("Ildar",)),
    ]  # fmt: skip


def test_a_fight_that_will_not_form_is_told_when_it_is_declared():
    """paraverse.assign.gang-up: Vasko comes into the yard to fight Sigrun, whom Reaver fights, and Ildar is free there.
    Where Ildar is declared upon, or Reaver does something else, nothing is said.
    """
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    joining = (
        sigrun(area="yard"),
        ildar(area="yard", hand="dagger"),
        reaver(area="yard"),
        vasko(area="hall", hand="club"),
    )
    told = said(planning(*joining, **ground), Attack("Reaver", "Sigrun"))
    comes = Move("Vasko", "yard", engage="Sigrun")
    warned = told.when(comes).ruled("paraverse.assign.gang-up")
    text = "so far Sigrun is taken, and Ildar is free for Vasko to fight"
    assert text in " ".join(lines(warned.events))
    assert "so far" not in " ".join(lines(told.when(Move("Vasko", "yard", engage="Ildar")).events))
    assert "so far" not in " ".join(lines(said(told, Pass("Reaver")).when(comes).events))
    asked = opened(warned, "melee")
    asked.refused(Resolve(), "paraverse.assign.gang-up")
    fought = asked.when(Skirmish("Vasko", "Ildar")).when(Resolve(), [9, 10, 2, 9, 10, 2])
    assert sides(fought) == [(("Vasko",), ("Ildar",)), (("Reaver",), ("Sigrun",))]


def test_nobody_waits_for_a_pick_that_cannot_be_made_any_more():
    """paraverse.assign.players-first: Ildar's target has gone to the hall, so that Reaver picks; the refusal offers
    Reaver's other foe, and that Reaver lets it go.
    """
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    joining = (
        sigrun(area="yard"),
        ildar(area="yard", hand="dagger"),
        reaver(area="yard"),
        vasko(area="yard", hand="club"),
    )
    told = planning(*joining, someone("Ulf", "foes", area="yard"), **ground)
    told = said(told, Attack("Sigrun", "Vasko"), Attack("Ildar", "Ulf"), Attack("Reaver", "Sigrun"),
                Move("Ulf", "hall"))  # fmt: skip
    told = opened(told, "melee")
    with pytest.raises(Refused) as refused:
        told.when(Resolve())
    offered = commands(offered_by(refused.value))
    assert "affray skirmish Reaver Ildar" in offered
    assert "affray pass Reaver" in offered
    fought = told.when(Skirmish("Reaver", "Ildar")).when(Resolve(), [9, 10, 2, 9, 10, 2])
    assert sides(fought) == [(("Sigrun",), ("Vasko",)), (("Reaver",), ("Ildar",))]


def test_a_third_side_joins_for_one_skirmish():
    """paraverse.assign.gang-up: of three sides Ca joins Ba against Aa, 4 against 12 and 6; then they may fight each
    other.
    """
    three = [someone(name, side) for name, side in (("Aa", "a"), ("Ba", "b"), ("Ca", "c"))]
    told = _melee(Attack("Aa", "Ba"), Attack("Ba", "Aa"), Attack("Ca", "Aa"), joining=three)
    fought = told.when(Resolve(), [4, 12, 6, 2])
    assert sides(fought) == [(("Aa",), ("Ba", "Ca"))]
    fought.ruled("paraverse.skirmish.winner", "Ba wins", [12, 4])
    after = opened(said(next_round(fought), Attack("Ba", "Ca")), "melee").when(Resolve(), [9, 10, 2])
    assert sides(after) == [(("Ba",), ("Ca",))]


def test_each_skirmish_has_its_own_arithmetic():
    """paraverse.skirmish.rolls: 9+6 against 2+4, and 3+1 against 8+1."""
    told = _melee(Attack("Sigrun", "Reaver"), Attack("Ildar", "Vasko")).when(Resolve(), [9, 2, 2, 3, 8, 2])
    told = lines(told.events)
    first, second = (at for at, line in enumerate(told) if ": skirmish " in line)
    assert told[first - 1].startswith("Sigrun beats Reaver: ")
    assert told[second - 1].startswith("Vasko beats Ildar: ")


def test_somebody_must_fight():
    """paraverse.skirmish.rolls: bow and crossbow in hand, Ildar arrives and his pick is lost."""
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    told = said(planning(ildar(), vasko(area="yard"), **ground), Move("Ildar", "yard", engage="Vasko"))
    told = opened(told, "melee").refused(Skirmish("Ildar", "Vasko"), "paraverse.skirmish.rolls")
    told = told.when(Resolve()).ruled("paraverse.skirmish.rolls", "Neither Ildar nor Vasko would fight")
    told.then(no(SkirmishJoined))


def test_refusals_of_a_pick_come_in_their_order():
    """skirmish: side before action, action before area, assigned, players first, gang-up."""
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    told = planning(*FOUR, someone("Ulf", "foes", area="yard"), **ground)
    told = opened(
        said(told, Check("Ildar", "acrobatics"), Attack("Sigrun", "Reaver"), Attack("Reaver", "Sigrun")), "melee"
    )
    told.refused(Skirmish("Ildar", "Sigrun"), "paraverse.action.attack-another")
    told.refused(Skirmish("Ildar", "Ulf"), "paraverse.action.one")
    told.refused(Skirmish("Sigrun", "Ulf"), "paraverse.assign.same-area")
    told.refused(Skirmish("Reaver", "Ildar"), "paraverse.assign.players-first")


def test_a_lost_attack_is_not_made_elsewhere():
    """paraverse.action.one, paraverse.phase.target-gone: another is picked before `resolve`, not after it."""
    told = said(planning(*FOUR), Attack("Sigrun", "Reaver"), Effect(("Reaver",), pain=9))
    told = opened(told, "melee").when(Resolve())
    assert became(told, "Sigrun") == "lost"
    told.refused(Skirmish("Sigrun", "Vasko"), "paraverse.action.one")


def test_a_lost_pick_of_a_mover_is_not_made_elsewhere():
    """paraverse.action.one"""
    ground = {"areas": ["hall", "yard"], "link": ["hall:yard"]}
    told = said(planning(sigrun(), reaver(area="yard"), vasko(area="yard"), **ground), Effect(("Reaver",), pain=9))
    told = opened(said(told, Move("Sigrun", "yard", engage="Reaver")), "melee").when(Resolve())
    told.ruled("paraverse.phase.target-gone").refused(Skirmish("Sigrun", "Vasko"), "paraverse.action.one")


def test_nobody_fights_itself():
    """paraverse.action.attack-another"""
    told = _melee(Attack("Sigrun", "Reaver")).refused(Skirmish("Sigrun", "Sigrun"), "paraverse.action.attack-another")
    with pytest.raises(UsageError, match="cannot fight themselves"):
        told.when(Skirmish("Sigrun", "Sigrun"), allow="madness")


def test_the_game_master_lets_a_pike_reach_the_next_area_but_one():
    """paraverse.assign.same-area, paraverse.gm.allow: what was let through in planning is fought in the melee."""
    ground = {"areas": ["hall", "yard", "tower"], "link": ["hall:yard", "yard:tower"]}
    told = planning(sigrun(), reaver(area="tower"), **ground).when(Attack("Sigrun", "Reaver"), allow="a long pike")
    told = resolved(told, "melee", [9, 10, 2])
    assert sides(told) == [(("Sigrun",), ("Reaver",))]
