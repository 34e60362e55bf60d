"""Engagement, and getting away from it."""

from commands.action.common import Leave, Option
from commands.rules.paraverse.combat import Attack, Disengage, Move
from commands.rules.paraverse.encounter import End
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.resolve import Resolve
from ledger.events import Disengaged, Engaged, Felled, PainSuffered, Rolled
from tests.kit import no

from .table import became, ildar, next_round, opened, planning, reaver, resolved, said, sigrun

DAGGER = ildar(hand="dagger")


def test_opponents_of_a_skirmish_are_engaged():
    """paraverse.engaged.starts: {Sigrun, Ildar} v {Reaver}: two pairs, no matter who won."""
    told = said(planning(sigrun(), DAGGER, reaver()), Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"))
    resolved(told, "melee", [8, 8, 9, 2]).then(Engaged("Sigrun", "Reaver"), Engaged("Ildar", "Reaver"))


def test_without_the_option_nobody_is_engaged():
    """paraverse.engaged.starts: option engagement."""
    told = said(planning(sigrun(), reaver(), engagement=False), Attack("Sigrun", "Reaver"))
    resolved(told, "melee", [8, 9, 2]).then(no(Engaged))


def engaged(*joining):
    """Everybody has attacked Reaver, 18 or more v 5 on AV 20: 1 pain, and engaged; the second round is planned."""
    told = planning(*(joining or (sigrun(),)), reaver(av=20), areas=["hall", "yard"], link=["hall:yard"])
    names = [who for who in told.state.roster.order if who != "Reaver"]
    told = said(told, *(Attack(who, "Reaver") for who in names))
    return next_round(resolved(told, "melee", [12] * len(names) + [1, 2]))


def test_a_pair_ends_with_a_fall():
    """paraverse.engaged.ends: both pairs with Reaver's; Sigrun may move in the next round."""
    told = engaged(sigrun(), DAGGER).when(Effect(("Reaver",), pain=9))
    told = opened(told, "ranged")
    told.then(Felled("Reaver", "unconscious"), Disengaged("Reaver", "Sigrun"), Disengaged("Reaver", "Ildar"))
    next_round(told).when(Move("Sigrun", "yard"))


def test_a_pair_outlasts_the_round():
    """paraverse.engaged.ends: until the encounter does."""
    told = engaged()
    assert next_round(told).state.engagement.pairs == (("Sigrun", "Reaver"),)
    told.when(End()).then(Disengaged("Sigrun", "Reaver"))


def test_only_the_engaged_disengage():
    """paraverse.disengage.needs-engagement"""
    planning(sigrun(), reaver()).refused(Disengage("Sigrun"), "paraverse.disengage.needs-engagement")


def test_disengaging_is_rolled_with_evasion():
    """paraverse.disengage.roll: 13+2 = 15, not +6."""
    told = resolved(said(engaged(), Disengage("Sigrun")), "melee", [13, 10])
    evasion = Rolled("Sigrun", "melee", "Reaver", "1d20", (13,), (0,))
    told.ruled("paraverse.skirmish.rolls", totals=[15, 14]).then(evasion)


def test_a_disengager_who_wins_is_free():
    """paraverse.disengage.win: 15 v 14; nobody hurt, no location die, and moving is for the next round."""
    told = resolved(said(engaged(), Disengage("Sigrun")), "melee", [13, 10])
    told.ruled("paraverse.disengage.win", "free").then(Disengaged("Sigrun", "Reaver"), no(PainSuffered), no(Engaged))
    assert became(told, "Sigrun") == "done"
    next_round(told).when(Move("Sigrun", "yard"))


def test_a_disengager_who_loses_stays():
    """paraverse.disengage.win: 15 v 16: hit by 1, 10-5 = 5."""
    told = resolved(said(engaged(), Disengage("Sigrun")), "melee", [13, 12, 2])
    told.then(PainSuffered("Sigrun", 1, 1), no(Disengaged))
    told.ruled("paraverse.disengage.win", "does not get away")


def test_a_full_tie_frees_nobody():
    """paraverse.disengage.win: 10+4 v 10+4 frees nobody; 12+2 v 10+4 does, on the naturals 12 and 10."""
    told = said(engaged(sigrun(skills={"evasion": 4})), Disengage("Sigrun"))
    resolved(told, "melee", [10, 10]).ruled("paraverse.disengage.win", "does not get away").then(no(Disengaged))
    resolved(said(engaged(), Disengage("Sigrun")), "melee", [12, 10]).then(Disengaged("Sigrun", "Reaver"))


def test_a_disengager_is_freed_by_its_friends():
    """paraverse.disengage.side-wins: Sigrun 14, Ildar 20, Reaver 14: x2, 8-3 = 5; Ildar stays engaged."""
    told = planning(sigrun(), DAGGER, reaver())
    told = said(told, Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"))
    told = next_round(resolved(told, "melee", [8, 8, 9, 2]))
    told = said(told, Disengage("Sigrun"), Attack("Ildar", "Reaver"))
    told = opened(told, "melee").when(Resolve(), [12, 19, 10, 2])
    told.ruled("paraverse.skirmish.rolls", totals=[14, 20, 14]).ruled("paraverse.damage.formula", totals=[5])
    told.then(PainSuffered("Reaver", 1, 2), no(Engaged))
    assert told.state.engagement.pairs == (("Ildar", "Reaver"),)


def test_one_win_frees_from_all():
    """paraverse.disengage.win: Reaver, engaged with two, joins one skirmish and leaves both."""
    told = said(engaged(sigrun(), DAGGER), Disengage("Reaver"))
    told = opened(told, "melee").when(Resolve(), [19, 2])
    told.then(Disengaged("Reaver", "Sigrun"), Disengaged("Reaver", "Ildar"))


def test_a_house_rule_that_comes_later_frees_all():
    """paraverse.engaged.starts: with the option off nobody is engaged, and no pair outlasts the encounter."""
    told = engaged().when(Option("engagement", "off")).when(Move("Sigrun", "yard"))
    assert told.when(End()).state.engagement.pairs == ()


def test_a_disengager_fights_an_opponent_with_whom_it_is_still_engaged():
    """paraverse.assign.single-opponent: Sigrun is led away in the melee; Reaver picks Ildar, the next."""
    told = opened(said(engaged(sigrun(), DAGGER), Disengage("Reaver")), "melee")
    told = told.when(Leave(("Sigrun",)), allow="led away").when(Resolve(), [10, 12, 2])
    assert [skirmish.sides for skirmish in told.state.skirmishes.of] == [(("Reaver",), ("Ildar",))]


def test_in_the_melee_nobody_changes_its_mind():
    """paraverse.planning.closed: `disengage` does not fight the attack that was declared, nor the other way round."""
    told = opened(said(engaged(), Attack("Sigrun", "Reaver")), "melee")
    told.refused(Disengage("Sigrun"), "paraverse.planning.closed", [12, 1, 2])
    told = opened(said(engaged(), Disengage("Sigrun")), "melee")
    told.refused(Attack("Sigrun"), "paraverse.planning.closed", [13, 10])
    assert became(told.when(Resolve("Sigrun"), [13, 10]), "Sigrun") == "done"
