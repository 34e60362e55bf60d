"""Movement: areas, links, and when a mover arrives."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Declare, Move, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.encounter import Begin
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.phases import Phase
from commands.rules.paraverse.resolve import Resolve
from ledger.events import AreaEntered, AreasLaid, Awaited, Disengaged, LinkLaid, PainSuffered
from tests.kit import given, no

from .table import ALL, became, ildar, impossible, next_round, opened, planning, reaver, resolved, said, sigrun, vasko

HALL = {"areas": ["hall", "yard", "tower"], "link": ["hall:yard", "yard:tower"]}


def test_an_encounter_without_areas_has_one():
    """paraverse.area.default"""
    told = given("paraverse", *ALL).when(Begin())
    told.then(AreasLaid(("here",)), AreaEntered("Sigrun", "here"))


def test_everybody_begins_where_it_is_said():
    told = planning(sigrun(area="yard"), ildar(), areas=["hall", "yard"], link=["hall:yard:see=no"], at=["ild=yard"])
    assert told.state.areas.at == {"Sigrun": "yard", "Ildar": "yard"}
    assert not told.state.areas.links[0].see
    for link in ("hall", "hall:moon", "hall:yard:open", "hall:hall", "hall:yard:difficulty=15"):
        impossible(given("paraverse"), Begin(areas=("hall", "yard"), link=(link,)))
    impossible(given("paraverse", sigrun()), Begin(areas=("hall",), at=("Sigrun=moon",)), "no area")
    impossible(given("paraverse", sigrun()), Begin(areas=("hall",), at=("Sigrun",)), "is not of the form NAME=AREA")
    impossible(
        given("paraverse", sigrun()), Begin(areas=("hall", "yard"), link=("hall-yard",)), "does not name two areas"
    )


def test_until_it_arrives_a_mover_is_where_it_was():
    """paraverse.move.arrival: knives from the hall reach Sigrun in ranged; in melee only the yard does."""
    told = planning(sigrun(), reaver(hand="rock", weapons={"rock": {"use": "throwing", "base": 4}}), vasko(), **HALL)
    told = said(told, Move("Sigrun", "yard"), Shoot("Reaver", "Sigrun"))
    told = resolved(told, "ranged", [2, 12])
    assert became(told, "Reaver") == "done"
    told = opened(told, "melee").then(AreaEntered("Sigrun", "yard"))
    told.refused(Skirmish("Sigrun", "Vasko"), "paraverse.assign.same-area")


def test_the_game_master_says_when_a_mover_arrives():
    """paraverse.move.timing, paraverse.move.arrival: for the ranged phase; a thrown rock no longer reaches it."""
    told = planning(sigrun(), reaver(hand="rock", weapons={"rock": {"use": "throwing", "base": 4}}), **HALL)
    told = said(told, Move("Sigrun", "yard", arrive="ranged"), Shoot("Reaver", "Sigrun"))
    told = resolved(told, "ranged", []).ruled("paraverse.ranged.throwing-area")
    assert became(told, "Reaver") == "lost"
    impossible(planning(*ALL, **HALL), Declare("Sigrun", "move", ("yard",), arrive="noon"), "arrives")


def test_anyone_who_moves_in_may_fight_there():
    """paraverse.move.engage: 10+6 = 16 v Vasko's Evasion 8+1 = 9: x2, 14-1 = 13."""
    told = planning(sigrun(), vasko(area="yard"), **HALL)
    told = said(told, Move("Sigrun", "yard", engage="Vasko"))
    told = opened(told, "melee").then(Awaited("fight", "Sigrun", "attack", {"target": "Vasko"}, until="melee"))
    told.refused(Phase(), "paraverse.phase.order")
    told = told.when(Resolve(), [10, 8, 2])
    told.ruled("paraverse.skirmish.rolls", totals=[16, 9]).ruled("paraverse.damage.formula", totals=[13])


def test_anyone_who_moves_in_may_pick_there():
    """paraverse.move.engage: without a word in planning."""
    told = opened(said(planning(sigrun(), vasko(area="yard"), **HALL), Move("Sigrun", "yard")), "melee")
    told = told.when(Skirmish("Sigrun", "Vasko")).when(Resolve("Sigrun"), [10, 8, 2])
    assert told.state.engagement.pairs == (("Sigrun", "Vasko"),)


def test_without_the_option_a_mover_only_evades():
    """paraverse.move.engage, option move_and_melee: neither --engage nor a pick; attacked, 8+2 = 10."""
    told = planning(sigrun(), reaver(area="yard"), **HALL, move_and_melee=False)
    told.refused(Move("Sigrun", "yard", engage="Reaver"), "paraverse.action.one")
    told = said(told, Move("Sigrun", "yard"), Attack("Reaver", "Sigrun"))
    opened(told, "melee").refused(Skirmish("Sigrun", "Reaver"), "paraverse.action.one")
    resolved(told, "melee", [7, 8, 2]).ruled("paraverse.skirmish.rolls", totals=[11, 10])


def test_a_late_mover_cannot_fight_on_arrival():
    impossible(planning(sigrun(), vasko(area="yard"), **HALL), Move("Sigrun", "yard", "misc", "Vasko"), "too late")


def test_a_mover_who_falls_stays_where_it_was():
    """paraverse.move.fallen-mover: felled in ranged, Vasko lies in the hall."""
    told = said(planning(ildar(), vasko(pain=4), **HALL), Move("Vasko", "yard"), Shoot("Ildar", "Vasko"))
    told = resolved(told, "ranged", [14, 13, 2]).when(Phase())
    told.ruled("paraverse.move.fallen-mover", "Vasko fell before it arrived").then(no(AreaEntered))
    assert told.state.areas.at["Vasko"] == "hall"


def test_a_late_mover_who_is_attacked_is_caught():
    """paraverse.move.caught: Ildar wins by evading, and stays all the same."""
    told = said(planning(ildar(), reaver(), **HALL), Move("Ildar", "yard", arrive="misc"), Attack("Reaver", "Ildar"))
    told = resolved(told, "melee", [2, 19])
    told = opened(told, "misc").ruled("paraverse.move.caught", "Ildar is caught in a fight")
    assert told.state.areas.at["Ildar"] == "hall"


def test_unless_the_attacker_fell():
    """paraverse.move.caught: the pair ends with Reaver's fall."""
    told = planning(ildar(hand="dagger"), reaver(pain=5), **HALL)
    told = said(told, Move("Ildar", "yard", arrive="misc"), Attack("Reaver", "Ildar"))
    told = resolved(told, "melee", [2, 19, 2])  # 6 v 20: 3x4-3 = 9, over 5 is 2: Stamina -1
    told = opened(told, "misc")
    assert told.state.areas.at["Ildar"] == "yard"


def test_links_bar_the_way_or_lead_one_way():
    """paraverse.move.link: arrows pass a portcullis; nobody climbs up a drop."""
    told = planning(
        ildar(area="hall"), sigrun(area="ledge"), vasko(area="gallery"), areas=["hall", "gallery", "ledge"],
        link=["hall:gallery:move=no", "ledge:hall:oneway"],
    )  # fmt: skip
    told.then(no(LinkLaid))
    assert [(link.one, link.other, link.move, link.oneway) for link in told.state.areas.links] == [
        ("hall", "gallery", False, False), ("ledge", "hall", True, True)
    ]  # fmt: skip
    told.refused(Move("Ildar", "gallery"), "paraverse.move.link").refused(Move("Ildar", "ledge"), "paraverse.move.link")
    said(told, Shoot("Ildar", "Vasko"), Move("Sigrun", "hall"))


WALL = {"areas": ["hall", "wall"], "link": ["hall:wall:check=acrobatics"]}


@pytest.mark.parametrize(("die", "area"), [(7, "wall"), (6, "hall")])
def test_a_wall_is_climbed_by_a_check(die, area):
    """paraverse.move.check-link: 7+4 = 11 is above 10, 6+4 is not."""
    told = planning(ildar(), **WALL).refused(Move("Ildar", "wall"), "paraverse.move.check-link")
    told.refused(Check("Ildar", "evasion", to="wall"), "paraverse.move.check-link")
    told = resolved(said(told, Check("Ildar", "acrobatics", to="wall")), "misc", [die])
    assert told.state.areas.at["Ildar"] == area


def test_a_link_may_be_hard():
    """paraverse.move.check-link: difficulty 20 of the link; 16+4 = 20 is not above it."""
    told = planning(ildar(), areas=["hall", "wall"], link=["hall:wall:check=acrobatics:difficulty=difficult"])
    told = resolved(said(told, Check("Ildar", "acrobatics", to="wall")), "misc", [16])
    told.ruled("paraverse.check.partial", totals=[20, 20])


def test_a_way_may_take_a_check_up_and_be_free_down():
    """paraverse.move.check-link: up by acrobatics, 7+4 above 10, and down by a plain move."""
    way = {"areas": ["hall", "wall"], "link": ["hall:wall:check=acrobatics:free-back"]}
    told = planning(ildar(), **way).refused(Move("Ildar", "wall"), "paraverse.move.check-link")
    told = resolved(said(told, Check("Ildar", "acrobatics", to="wall")), "misc", [7])
    down = said(next_round(told), Move("Ildar", "hall"))
    assert opened(down, "misc").state.areas.at["Ildar"] == "hall"
    impossible(given("paraverse"), Begin(areas=("hall", "wall"), link=("hall:wall:free-back",)), "demands no check")


def _engaged(**fields):
    told = said(planning(sigrun(), reaver(), vasko(), **{**HALL, **fields}), Attack("Sigrun", "Reaver"))
    return next_round(resolved(told, "melee", [9, 10, 2]))


def test_the_engaged_cannot_leave():
    """paraverse.engaged.no-leaving: neither by a move nor by a check."""
    told = _engaged().refused(Move("Sigrun", "yard"), "paraverse.engaged.no-leaving")
    told.refused(Check("Sigrun", "athletics", to="yard"), "paraverse.engaged.no-leaving")


def test_one_whom_the_game_master_lets_out_leaves_the_opponents_behind():
    """paraverse.engaged.no-leaving"""
    told = _engaged().when(Move("Sigrun", "yard"), allow="the floor gives way")
    told = opened(told, "melee").then(Disengaged("Sigrun", "Reaver"), AreaEntered("Sigrun", "yard"))
    assert told.state.engagement.pairs == ()


def test_a_climber_who_was_engaged_in_the_meantime_is_held_back():
    """paraverse.engaged.no-leaving: the check succeeds, [18,15] at 15+4, but Reaver holds on."""
    told = said(planning(ildar(), reaver(), **WALL), Check("Ildar", "acrobatics", to="wall"), Attack("Reaver", "Ildar"))
    told = resolved(resolved(told, "melee", [2, 19, 18]), "misc", [18, 15])
    told.ruled("paraverse.check.success").ruled("paraverse.engaged.no-leaving", "held back").then(no(AreaEntered))


def test_attacks_reach_the_own_area():
    """paraverse.assign.same-area: Sigrun has moved to the yard; far away nobody is declared upon."""
    told = said(planning(sigrun(), reaver(), **HALL), Move("Sigrun", "yard"), Attack("Reaver", "Sigrun"))
    told = opened(told, "melee").when(Resolve()).ruled("paraverse.assign.same-area", "Sigrun is elsewhere")
    assert became(told, "Reaver") == "lost"
    told = planning(sigrun(), reaver(area="tower"), vasko(area="yard", hand="club"), **HALL)
    told.refused(Attack("Sigrun", "Reaver"), "paraverse.assign.same-area").when(Attack("Sigrun", "Vasko"))


def test_arrows_reach_the_next_area():
    """paraverse.ranged.marksman-area: from the hall the yard, not the tower; nor a yard out of sight."""
    told = planning(ildar(), vasko(area="yard"), reaver(area="tower"), **HALL)
    told.when(Shoot("Ildar", "Vasko"))
    told.refused(Shoot("Ildar", "Reaver"), "paraverse.ranged.marksman-area")
    dark = planning(ildar(), vasko(area="yard"), areas=["hall", "yard"], link=["hall:yard:see=no"])
    dark.refused(Shoot("Ildar", "Vasko"), "paraverse.ranged.marksman-area")


def test_an_arrow_at_somebody_who_has_gone_is_lost():
    """paraverse.ranged.marksman-area: Reaver reaches the tower before the ranged phase."""
    told = planning(ildar(), reaver(area="yard"), **HALL)
    told = said(told, Shoot("Ildar", "Reaver"), Move("Reaver", "tower", arrive="ranged"))
    resolved(told, "ranged", []).ruled("paraverse.ranged.marksman-area", "Reaver is at the tower, Ildar at the hall")


def test_the_game_master_allows_a_long_shot():
    """paraverse.ranged.marksman-area: --allow holds when it is resolved, too."""
    told = planning(ildar(), reaver(area="tower"), **HALL).when(Shoot("Ildar", "Reaver"), allow="from the roof")
    assert became(resolved(told, "ranged", [2, 12]), "Ildar") == "done"


def test_thrown_weapons_reach_the_own_area():
    """paraverse.ranged.throwing-area: engaged or not; not the yard."""
    told = said(planning(sigrun(), reaver(), vasko(area="yard"), **HALL), Attack("Sigrun", "Reaver"))
    told = next_round(resolved(told, "melee", [9, 10, 2])).when(Draw("Sigrun", "knives"))
    told.when(Shoot("Sigrun", "Reaver"))
    told.refused(Shoot("Sigrun", "Vasko"), "paraverse.ranged.throwing-area")


def test_without_the_option_everything_is_in_reach():
    """paraverse.ranged.throwing-area, paraverse.ranged.marksman-area: option ranged_targeting."""
    told = planning(sigrun(hand="knives"), ildar(), vasko(area="tower"), **HALL, ranged_targeting=False)
    told = resolved(said(told, Shoot("Sigrun", "Vasko"), Shoot("Ildar", "Vasko")), "ranged", [2, 19, 2, 19])
    assert became(told, "Sigrun") == became(told, "Ildar") == "done"
    told.then(no(PainSuffered))


def test_a_mover_engages_opponents_only():
    """paraverse.action.attack-another: not its own side, but by the game master's word; and not itself."""
    told = planning(sigrun(), ildar(area="yard"), **HALL)
    told.refused(Move("Sigrun", "yard", engage="Ildar"), "paraverse.action.attack-another")
    told = told.when(Move("Sigrun", "yard", engage="Ildar"), allow="a quarrel")
    told = resolved(told, "melee", [10, 8, 2])  # 10+6 v 8+4
    assert [skirmish.sides for skirmish in told.state.skirmishes.of] == [(("Sigrun",), ("Ildar",))]


def test_what_is_allowed_is_what_was_refused():
    """paraverse.gm.allow, paraverse.move.caught: let through the portcullis, not out of a fight."""
    told = planning(ildar(), reaver(), areas=["hall", "yard"], link=["hall:yard:move=no"])
    told = told.when(Move("Ildar", "yard", arrive="misc"), allow="a hole in the bars")
    told = resolved(said(told, Attack("Reaver", "Ildar")), "melee", [2, 19])
    opened(told, "misc").ruled("paraverse.move.caught")


def test_a_long_shot_that_is_allowed_is_none_at_the_helpless():
    """paraverse.gm.allow, paraverse.phase.target-gone: the reach was let through, and nothing else."""
    told = planning(ildar(), vasko(area="tower"), **HALL).when(Shoot("Ildar", "Vasko"), allow="from the roof")
    told = resolved(told.when(Effect(("Vasko",), pain=9)), "ranged", [])
    told.ruled("paraverse.phase.target-gone")


def test_a_word_of_the_game_master_that_lets_nothing_through_is_forgotten():
    """paraverse.gm.allow: nothing was refused when Ildar shot, and so he does not shoot the helpless."""
    told = planning(ildar(), vasko()).when(Shoot("Ildar", "Vasko"), allow="of course")
    told = resolved(told.when(Effect(("Vasko",), pain=9)), "ranged", [])
    told.ruled("paraverse.phase.target-gone")


def test_a_check_leads_where_it_was_declared_to_lead():
    """paraverse.planning.closed: another area is another declaration."""
    told = opened(said(planning(ildar(), **WALL), Check("Ildar", "acrobatics", to="wall")), "misc")
    told.refused(Check("Ildar", to="hall"), "paraverse.planning.closed")
    assert told.when(Check("Ildar", to="Wall"), [7]).state.areas.at["Ildar"] == "wall"
    impossible(given("paraverse", ildar()), Check("Ildar", "acrobatics", to="wall"), "no areas")


def test_a_newcomer_stands_in_an_area_by_any_name_of_it():
    told = planning(sigrun(), **HALL).when(ildar(area="Yard"))
    told.then(AreaEntered("Ildar", "yard"))
