"""Reaction and morale: what monsters make of it."""

import msgspec
from msgspec import Raw

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.meeting import Declare, Reaction
from commands.rules.arkm.rounds import Phase, Round
from commands.rules.arkm.throws import Morale
from ledger.events import Awaited, Rolled, SheetChanged, WaitingEnded
from tests.kit import given, no

from .rounds import battle, conditions, goblins, hero, next_round, someone, wolves
from .table import bran, impossible, since
from .test_rounds import slain


def fight(count: int = 4, **fields):
    """The hero against goblins, morale 7, in the melee phase of round 1: the hero has initiative."""
    return battle(hero(), goblins(count, **fields), dice=[5, 2], phase="melee")


def test_a_reaction_is_thrown_on_the_table():
    """arkm.reaction.roll: 4 is hostile; 13 counts as 12; player characters have none."""
    told = given("arkm", hero(), goblins()).when(Begin())
    told.when(Reaction("goblin"), dice=[2, 2]).ruled("arkm.reaction.roll", "hostile", [4])
    told.when(Reaction("Goblin", mod=("2:gifts",)), dice=[6, 5]).ruled("arkm.reaction.roll", "friendly", [12])
    told.when(Reaction("Goblin", mod=("-5",)), dice=[2, 2]).ruled("arkm.reaction.roll", "attack", [2])
    told.refused(Reaction("party"), "arkm.reaction.roll")
    impossible(told, Reaction("dragons"), "no group")


def test_the_table_has_a_word_for_animals_and_one_for_those_with_wits():
    """arkm.reaction.animals, arkm.reaction.intelligent: 7 is curious, or in doubt; the game master may differ."""
    told = given("arkm", hero(), goblins(), wolves()).when(Begin())
    told.when(Reaction("Wolf"), dice=[3, 4]).ruled("arkm.reaction.animals", "curious: waits, circles")
    told.when(Reaction("Goblin"), dice=[3, 4]).ruled("arkm.reaction.intelligent", "watches the party in doubt")
    told.when(Reaction("Wolf", as_="curious")).ruled("arkm.reaction.animals", "curious")


def test_the_players_say_what_they_do():
    """arkm.reaction.players-choose"""
    told = given("arkm", hero(), goblins()).when(Begin()).when(Declare("party", "talk"))
    told.ruled("arkm.reaction.players-choose", "talk")


def test_a_group_stands_with_its_score_or_less():
    """arkm.morale.roll: score 7: 3 and 4 stand, 4 and 4 fail by 1: a fighting withdrawal; by 3, and they flee."""
    told = fight()
    told.when(Morale("Goblin", "upset"), dice=[3, 4]).ruled("arkm.morale.roll", "Goblin's morale holds", [7, 7])
    failed = told.when(Morale("Goblin", "upset"), dice=[4, 4]).ruled(
        "arkm.morale.roll", "Goblin's morale breaks", [8, 7]
    )
    failed.ruled("arkm.morale.roll", "fighting withdrawal", [1])
    assert "broken" in conditions(failed, "Goblin")
    told.when(Morale("Goblin", "upset"), dice=[5, 5]).ruled(
        "arkm.morale.roll", "turns and flees, or surrenders if it cannot", [3]
    )
    told.when(Morale("Goblin", "upset", mod=("morale:1:no pay",)), dice=[3, 4]).ruled(
        "arkm.morale.roll", "Goblin's morale breaks", [8, 7]
    )


def test_the_best_score_of_those_who_stand_counts():
    """arkm.morale.roll: a chief of 9 among goblins of 7; a word stands for its score in the table."""
    told = battle(hero(), goblins(2), goblins(1, name="Chief", group="Goblin", morale=9), dice=[5, 2])
    told.when(Morale("Goblin", "upset"), dice=[4, 5]).ruled("arkm.morale.roll", "Goblin's morale holds", [9, 9])
    guards = battle(hero(), goblins(2, morale="fierce"), dice=[5, 2])
    guards.when(Morale("Goblin", "upset"), dice=[4, 6]).ruled("arkm.morale.roll", "Goblin's morale holds", [10, 10])


def test_a_word_that_the_morale_table_does_not_have():
    """On joining; and later, where another table has come since."""
    impossible(given("arkm", hero()), goblins(1, morale="bold"), "The morale table has no 'bold'.")
    told = battle(hero(), goblins(1), dice=[5, 2])
    sheet = told.state.roster.members["Goblin"].sheet
    bold = Raw(msgspec.json.encode({**msgspec.json.decode(sheet), "morale": "bold"}))
    impossible(since(told, SheetChanged("Goblin", sheet, bold)), Morale("Goblin", "upset"), "has no 'bold'")


def test_player_characters_check_no_morale():
    """arkm.morale.roll"""
    told = battle(hero(), bran(), goblins(), dice=[5, 2], phase="melee")
    told.refused(Morale("party", "upset"), "arkm.morale.roll")
    slain(told, "Bran", "Goblin").then(no(Awaited))


def test_at_the_start_and_when_upset_the_game_master_says():
    """arkm.morale.trigger-start, arkm.morale.trigger-upset: as often as the game master calls it."""
    told = fight().when(Morale("Goblin", "start"), dice=[3, 4])
    assert [roll.purpose for roll in told.events if hasattr(roll, "purpose")] == ["morale"]
    told = fight().when(Morale("Goblin", "upset", why="the chief is slain"), dice=[3, 4])
    assert [roll.purpose for roll in told.events if hasattr(roll, "purpose")] == ["morale"]


def test_the_first_death_makes_a_check_due():
    """arkm.morale.trigger-first-death: of 4, once an encounter."""
    told = slain(fight(5), "Goblin-1", "Hero").ruled("arkm.morale.trigger-first-death")
    told = told.when(Morale("Goblin"), dice=[3, 4]).then(WaitingEnded("morale", "Goblin", "done"))
    slain(told, "Goblin-2", "Hero").then(no(Awaited))


def test_one_alone_has_no_first_death():
    """arkm.morale.trigger-first-death"""
    slain(fight(1), "Goblin", "Hero").then(no(Awaited))


def test_the_knocked_out_are_no_deaths_but_count_for_the_half():
    """arkm.morale.trigger-half: of 5, 2 are less than half, 3 are half or more."""
    told = slain(fight(5), "Goblin-1", "Hero", "unconscious").then(no(Awaited))
    told = slain(told, "Goblin-2", "Hero", "unconscious").then(no(Awaited))
    slain(told, "Goblin-3", "Hero", "unconscious").ruled("arkm.morale.trigger-half", totals=[3, 5])


def test_one_roll_answers_both_reasons():
    """arkm.morale.trigger-half: 2 goblins, the first one slain."""
    told = slain(fight(2), "Goblin-1", "Hero")
    told.then(Awaited("morale", "Goblin", "check morale after", {"text": "the first death and the loss of half"}))
    told = told.when(Morale("Goblin"), dice=[3, 4])
    next_round(told, 5, 2).when(Phase("movement"))


def test_reinforcements_raise_the_number():
    """arkm.morale.trigger-half: with two more, one of four is no half. Who leaves on its own legs is no loss."""
    told = slain(fight(3).when(goblins(2, name="Snik", group="Goblin")), "Goblin-1", "Hero").when(
        Morale("Goblin", waive="drunk")
    )
    told = told.when(Leave(("Snik-1",)))
    slain(told, "Goblin-2", "Hero").ruled("arkm.morale.trigger-half", totals=[2, 4])


def test_a_check_that_is_due_holds_up_the_movement_phase():
    """arkm.morale.before-the-phases: until it is rolled or waived."""
    told = next_round(slain(fight(), "Goblin-1", "Hero"), 5, 2)
    told.refused(Phase("movement"), "arkm.morale.before-the-phases")
    told.refused(Phase("melee"), "arkm.morale.before-the-phases")
    told.when(Morale("Goblin"), dice=[3, 4]).when(Phase("movement"))
    waived = told.when(Morale("goblin-2", waive="nobody saw it")).then(
        WaitingEnded("morale", "Goblin", "waived", "check morale after")
    )
    waived.when(Phase("movement"))
    impossible(waived, Morale("Goblin"), "No morale check is due")
    impossible(waived, Morale("Goblin", waive="why not"), "No morale check is due")
    told.when(Phase("movement"), allow="we hurry").then(
        WaitingEnded("morale", "Goblin", "let pass", "check morale after")
    )


def test_no_round_goes_by_without_the_check_that_is_due():
    """arkm.morale.before-the-phases: who dies in melee is mourned after the next initiative, and not a round later."""
    told = next_round(slain(fight(), "Goblin-1", "Hero"), 5, 2)
    told.refused(Round(pass_rest=True), "arkm.morale.before-the-phases")
    told.when(Morale("Goblin"), dice=[3, 4]).when(Round(pass_rest=True), dice=[5, 2])


def test_a_group_without_anybody_standing_has_no_check():
    """arkm.morale.before-the-phases"""
    told = slain(slain(fight(2), "Goblin-1", "Hero"), "Goblin-2", "Hero")
    told.refused(Morale("Goblin"), "arkm.morale.before-the-phases")
    assert not told.state.pending.waiting


def test_anyone_who_makes_it_twice_fights_to_the_death():
    """arkm.morale.twice-to-the-death: at the start and after the first death; no half any more."""
    told = fight().when(Morale("Goblin", "start"), dice=[2, 3])
    told = slain(told, "Goblin-1", "Hero").when(Morale("Goblin"), dice=[2, 4])
    told.ruled("arkm.morale.twice-to-the-death")
    assert "to the death" in conditions(told, "Goblin")
    slain(told, "Goblin-2", "Hero").then(no(Awaited))
    told.refused(Morale("Goblin", "upset"), "arkm.morale.twice-to-the-death")


def test_the_option_says_how_often():
    """arkm.morale.twice-to-the-death, option morale_to_death."""
    told = battle(hero(), goblins(4), dice=[5, 2], morale_to_death=1).when(Morale("Goblin", "start"), dice=[2, 3])
    assert "to the death" in conditions(told, "Goblin")


def test_anyone_who_failed_checks_no_more():
    """arkm.morale.roll: a group whose morale has failed is taken out of the fight by it."""
    told = fight().when(Morale("Goblin", "start"), dice=[6, 3])
    slain(told, "Goblin-1", "Hero").then(no(Awaited))


def test_what_the_game_master_says_is_down_counts():
    """arkm.morale.trigger-first-death"""
    fight().when(Adjust("Goblin-1", "down", "dead", "fell off the bridge")).ruled("arkm.morale.trigger-first-death")


def test_the_end_of_the_encounter_ends_what_is_due():
    told = slain(fight(), "Goblin-1", "Hero").when(End())
    assert not told.state.pending.waiting
    assert not told.state.conditions.of
    impossible(told, Morale("Goblin"), "No encounter")


def test_the_name_of_a_group_goes_before_that_of_somebody_of_another():
    """The group Ogre is Ada alone; the ogre is of the pack."""
    told = battle(hero(), someone("Ogre", "foes", group="Pack"), someone("Ada", "foes", group="Ogre"), dice=[1, 2, 3])
    checked = told.when(Morale("ogre", "start"), dice=[1, 1])
    assert [event.who for event in checked.last if isinstance(event, Rolled)] == ["Ogre"]


def test_a_group_is_named_as_it_is_or_by_one_of_it():
    """Whoever has no group and no class is of the group of its kind; the classed are of their side."""
    told = battle(hero(), someone("Ogre", "foes", 2), dice=[1, 2])
    for word in ("Ogre", "ogre", "og", "Ogre-2", "o2"):
        told.when(Morale(word, "start"), dice=[1, 1])
    for word in ("nobody", "", "x"):
        impossible(told, Morale(word), "no group")
