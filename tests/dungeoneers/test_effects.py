"""Effects by the game master's word: several kinds under one name, how long they last, and which pools they join."""

from commands.action.adjust import Adjust
from commands.rules.dungeoneers.aid import Effect
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.encounter import Done, End, Round
from ledger.events import ConditionEnded, WoundsSustained

from .table import fight, impossible, rolls, skeleton, suori, table, turn_of


def held(told, who="Suori"):
    """What the effects on somebody give."""
    return {one.modifies: one.amount for _, one in told.state.conditions.held(who) if one.modifies}


def test_the_same_name_with_another_kind_adds():
    """dungeoneers.armor.value-sum, dungeoneers.dice.modifiers: stone skin is armor value 2 and 1 dodge die fewer; said
    again, its armor value is 3 instead. Both end together.
    """
    told = fight(skeleton(), suori((1, 1), facing="W"))
    told = told.when(Effect(("Suori",), "stone skin", 2)).when(Effect(("Suori",), "stone skin", -1, "dodge-dice"))
    assert held(told) == {"armor value": 2, "dodge dice": -1}
    struck = told.when(Attack("Skeleton", "Suori"), [4, 3, 2])  # 4 against 1d4: 3; pierce 2 against 0 + 2
    struck.ruled("dungeoneers.attack.hit-roll", "1d4", [1])
    struck.ruled("dungeoneers.attack.pierce-compare", "pierced", [2, 2])
    thicker = told.when(Effect(("Suori",), "stone skin", 3))
    assert held(thicker) == {"armor value": 3, "dodge dice": -1}
    over = thicker.when(Effect(("Suori",), "stone skin", end=True))
    over.then(ConditionEnded("Suori", "stone skin"), ConditionEnded("Suori", "stone skin, dodge dice"))
    assert held(over) == {}
    impossible(over, Effect(("Suori",), "stone skin", end=True), "has no effect")


def test_lasting_dice_and_wounds_join_the_attack():
    """dungeoneers.dice.modifiers, dungeoneers.attack.wounds: prowess 2 and 1 more: 3d4; power 2 and 1 more: 3d8; 1 of
    the warhammer and 1 more, and the skeleton's vulnerability: 3 wounds.
    """
    told = fight(suori(), skeleton())
    for kind in ("hit-dice", "pierce-dice", "wounds"):
        told = told.when(Effect(("Suori",), "wrath", 1, kind))
    struck = told.when(Attack("Suori", "Skeleton"), [1, 1, 1, 3, 1, 1, 2])
    assert [dice for _, dice, _ in rolls(struck)] == ["3d4", "1d4", "3d8"]
    struck.ruled("dungeoneers.attack.hit-compare", "hit", [3, 3]).ruled("dungeoneers.wounds.order", totals=[3])
    struck.then(WoundsSustained("Skeleton", 2, 2, "bludgeoning"))


def test_an_effect_lasts_to_the_end_of_the_turn_that_is_under_way():
    told = fight(suori(), skeleton()).when(Effect(("Suori", "Skeleton"), "fog", -1, "hit-dice", "turn-end"))
    assert (held(told), held(told, "Skeleton")) == ({"hit dice": -1}, {"hit dice": -1})
    over = told.when(Done())
    assert (held(over), held(over, "Skeleton")) == ({}, {})


def test_an_effect_lasts_so_many_rounds_the_present_one_included():
    """Two rounds from the first on: it ends when the third begins."""
    told = fight(suori(), skeleton()).when(Effect(("Suori",), "haste", 1, "movement-points", rounds=2))
    told = turn_of(told, "Skeleton").when(Done()).when(Round())
    assert held(told) == {"movement points": 1}
    told = turn_of(told, "Skeleton").when(Done())
    told.when(End()).then(ConditionEnded("Suori", "haste"))
    told.when(Round()).then(ConditionEnded("Suori", "haste"))
    one = fight(suori(), skeleton()).when(Effect(("Suori",), "haste", 1, "movement-points", "round-end"))
    turn_of(one, "Skeleton").when(Done()).when(Round()).then(ConditionEnded("Suori", "haste"))


def test_rounds_and_turns_are_counted_in_an_encounter():
    impossible(table(suori()), Effect(("Suori",), "haste", 1, rounds=2), "Rounds are counted from the first round")
    impossible(table(suori()), Effect(("Suori",), "haste", 1, until="turn-end"), "there are no turns")
    impossible(fight(suori()), Effect(("Suori",), "haste", 1, until="turn-end", rounds=2), "or until something else")


def test_an_effect_that_waits_for_the_turn_of_one_who_is_gone_ends_with_the_round():
    """The skeleton whose turn would end it is dead: the round ends it, not the round before."""
    told = fight(suori(), skeleton()).when(Effect(("Suori",), "fog", -1, "hit-dice", "turn-start", whose="Skeleton"))
    told = told.when(Adjust(("Skeleton",), "down", "dead", "a stone fell"))
    assert held(told) == {"hit dice": -1}
    told.when(Done()).when(Round()).then(ConditionEnded("Suori", "fog"))
