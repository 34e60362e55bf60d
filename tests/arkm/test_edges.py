"""What lies between the clauses: attacks that are left, who is within reach, whips, units in a group, newcomers."""

import pytest

from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import acting
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.gear import Draw, Stow
from commands.rules.arkm.grapple import Grapple
from commands.rules.arkm.meeting import Distance
from commands.rules.arkm.movement import Move
from commands.rules.arkm.rounds import Initiative, Pass, Phase, Round
from commands.rules.arkm.stances import Parry
from commands.rules.arkm.surprise import Surprise
from commands.rules.arkm.throws import Morale
from commands.rules.arkm.ways import LATER
from ledger.events import ConditionEnded, ConditionGained, Counted, Equipped
from tests.kit import given, no

from .rounds import battle, conditions, goblins, hero, mage, next_round, someone
from .table import impossible, melee, since
from .test_flight import hint


def adjusted(told, who, field, value):
    """The game master's word."""
    return told.when(Adjust(who, field, value, "the test"))


def now(told):
    """Who is shown as acting now."""
    return acting(View(told.state))


# Attacks that are left


def fighters():
    """Ute of level 8 and Ruf against three men of 20 hit points, all in melee; the party first."""
    men = someone("Man", "foes", 3, hp_max=20, normal_man=True)
    told = battle(hero(name="Ute", level=8), hero(name="Ruf"), men, dice=[6, 1], phase="melee")
    return melee(told, ("Ute", "Man-1"), ("Ruf", "Man-2"), ("Ute", "Man-3"))


def test_anyone_with_attacks_left_is_shown():
    """arkm.attacks.all-at-one-time: Ute has 7 of 8 left: she acts now, and the table is asked before they are lost."""
    told = fighters()
    assert now(told) == ["Ute", "Ruf"]
    told = told.when(Attack("Ute", ("Man-1",)), dice=[2])
    assert now(told) == ["Ute", "Ruf"]
    told = told.when(Attack("Ute", ("Man-3",)), dice=[2])
    told = told.refused(Attack("Ruf", ("Man-2",)), "arkm.attacks.all-at-one-time", dice=[2])
    told = told.when(Pass(("Ute",))).ruled("arkm.attacks.all-at-one-time", "Ute loses 6 attacks")
    assert "Ute" not in now(told.when(Attack("Ruf", ("Man-2",)), dice=[2]))


def test_attacks_that_are_left_can_be_passed():
    """arkm.attacks.all-at-one-time: Ute lets 7 go, and a round does not end before."""
    told = fighters().when(Attack("Ute", ("Man-1",)), dice=[2])
    others = told.when(Pass(("Ute", "Ruf", "Man-1", "Man-2", "Man-3")))
    others.ruled("arkm.attacks.all-at-one-time", "Ute loses 7 attacks").when(Round(), dice=[6, 1])
    told.refused(Round(), "arkm.phase.next-initiative")
    told.when(Round(pass_rest=True), dice=[6, 1]).ruled("arkm.attacks.all-at-one-time", "Ute loses 7 attacks")
    told = told.when(Pass(("Ute",))).ruled("arkm.attacks.all-at-one-time", "Ute loses 7 attacks")
    assert now(told) == ["Ruf"]


def test_nobody_who_has_acted_is_shown():
    """arkm.phase.order: when all of a place have acted, those of the next place may act."""
    told = fighters().when(Attack("Ute", ("Man-1",)), dice=[2]).when(Pass(("Ute",)))
    told = told.when(Attack("Ruf", ("Man-2",)), dice=[2])
    assert now(told) == ["Ruf"]  # of level 3: two attacks are left
    assert now(told.when(Pass(("Ruf",)))) == ["Man-1", "Man-2", "Man-3"]


def test_those_who_do_not_move_are_named():
    """arkm.phase.order: the first blow leaves the movement phase: Ruf, who is in no melee, has not moved."""
    told = melee(battle(hero(name="Ute"), hero(name="Ruf"), goblins(), dice=[6, 1]), ("Ute", "Goblin"))
    told = told.when(Phase("movement")).when(Attack("Ute", ("Goblin",)), dice=[2])
    told.ruled("arkm.phase.order", "Ruf does not move")
    moved = melee(battle(hero(name="Ute"), hero(name="Ruf"), goblins(), dice=[6, 1]), ("Ute", "Goblin"))
    moved = moved.when(Move("Ruf", feet=30)).when(Phase("melee")).when(Attack("Ute", ("Goblin",)), dice=[2])
    assert not [event for event in moved.events if "does not move" in getattr(event, "outcome", "")]


def test_bystanders_are_passed_once_in_a_round():
    """arkm.phase.order: Ruf and Tam, who could throw their daggers, hold up the first blow, and nothing after it."""
    ruf, tam = (hero(name=name, weapons=["dagger"]) for name in ("Ruf", "Tam"))
    told = battle(hero(name="Ute"), ruf, tam, goblins(), dice=[6, 1])
    told = melee(told, ("Ute", "Goblin")).when(Phase("movement"))
    told.refused(Attack("Ute", ("Goblin",)), "arkm.phase.order")
    told = told.when(Phase("melee", pass_rest=True)).when(Attack("Ute", ("Goblin",)), dice=[2])
    told = told.when(Pass(("Ute",))).when(Attack("Goblin", ("Ute",)), dice=[2])
    told.when(Round(), dice=[6, 1])


def test_nobody_acts_before_the_morale_check_that_is_due():
    """arkm.morale.before-the-phases: after the initiative of round 2 the board shows nobody, until it is rolled."""
    told = battle(hero(name="Ute"), goblins(4), dice=[6, 1], phase="melee")
    told = next_round(adjusted(told, "Goblin-1", "down", "dead"), 6, 1)
    assert now(told) == []
    assert now(told.when(Morale("Goblin"), dice=[3, 3])) == ["Ute"]
    assert now(told.when(Phase("movement"), allow="no time")) == ["Ute"]


# Within 5 feet


def test_who_is_far_is_not_struck_whatever_the_phase():
    """arkm.in-melee.attack-distance: said before Ruf's dagger holds up the melee phase, which helps nobody."""
    ruf = hero(name="Ruf", weapons=["dagger"])
    told = battle(hero(name="Ute"), ruf, goblins(), dice=[6, 1]).when(Phase("movement"))
    told.refused(Attack("Ute", ("Goblin",)), "arkm.in-melee.attack-distance")


def test_one_who_has_moved_as_far_as_possible_waits_for_the_next_round():
    """arkm.move.run: 120 feet in a round; 30 are left after 90, and none after 120."""
    told = battle(hero(move=120), goblins(), dice=[6, 1]).when(Move("Hero", feet=90))
    assert hint(told, Move("Hero", feet=60)) == "affray move Hero --feet 30"
    assert hint(told.when(Move("Hero", feet=30)), Move("Hero", feet=60)) == LATER


@pytest.mark.parametrize(("feet", "near"), [(3, True), (5, True), (6, False)])
def test_within_5_feet_is_melee(feet: int, near: bool):
    """arkm.in-melee.definition: at 3 feet a blow falls, and both are in melee; at 6 it does not."""
    told = given("arkm", hero(), goblins()).when(Begin()).when(Distance(feet=feet))
    told = told.when(Initiative(), dice=[6, 1]).when(Phase("melee", pass_rest=True))
    if not near:
        told.refused(Attack("Hero", ("Goblin",)), "arkm.in-melee.attack-distance")
        return
    assert now(told) == ["Hero"]
    told = told.when(Attack("Hero", ("Goblin",)), dice=[2])
    assert told.state.engagement.of("Hero") == ("Goblin",)


def test_an_obstacle_keeps_two_apart():
    """arkm.in-melee.definition: 4 feet with a table between are no melee, until somebody moves."""
    told = given("arkm", hero(), goblins()).when(Begin()).when(Initiative(), dice=[6, 1])
    told = told.when(Move("Hero", feet=20, to=("Goblin",), within=4, obstacle=True)).when(
        Phase("melee", pass_rest=True)
    )
    told.refused(Attack("Hero", ("Goblin",)), "arkm.in-melee.attack-distance")


def test_a_touch_reaches_nobody_who_is_far():
    """arkm.cast.power-word-or-touch: not at 60 feet; at 5 it does."""
    told = given("arkm", mage(), goblins()).when(Begin(distance=60)).when(Initiative(), dice=[6, 1])
    touch = Cast("Mage", "chill", kind="touch", target=("Goblin",))
    told.refused(touch, "arkm.cast.power-word-or-touch")
    melee(told, ("Mage", "Goblin")).when(touch)


# Whips


def entangled(part: str, then: str = "hold"):
    """Hero's whip holds Ogre of 4 Hit Dice: 19 - 9 = 10 is needed, and 14 saves."""
    ogre = someone("Ogre", "foes", hd="4", weapons=["club", "short-bow"])
    told = battle(hero(weapons=["whip", "sword"], saves={"paralysis": 14}), ogre, dice=[6, 1], phase="melee")
    told = melee(told, ("Hero", "Ogre"))
    return told.when(Attack("Hero", ("Ogre",), entangle=True, part=part, then=then), dice=[15, 14])


def test_a_whip_that_leaves_the_hand_holds_nobody():
    """arkm.whip.result: stowed, it lets go."""
    told = entangled("legs")
    assert "entangled" in conditions(told, "Ogre")
    told.when(Stow("Hero", "whip")).then(ConditionEnded("Ogre", "entangled"))
    both = since(told, Equipped("Hero", "sword"))
    adjusted(both, "Hero", "no-equipped", "sword").then(no(ConditionEnded))
    adjusted(both, "Hero", "no-equipped", "whip").then(ConditionEnded("Ogre", "entangled"))
    adjusted(told, "Hero", "no-equipped", "whip").then(ConditionEnded("Ogre", "entangled"))


def test_a_whip_reaches_ten_feet():
    """arkm.whip.result: the one held by the arm moves 11 feet, and is free; not after 10."""
    for feet, free in ((10, False), (11, True)):
        told = adjusted(entangled("arm"), "Ogre", "no-engaged", "Hero")
        told = next_round(told, 1, 6).when(Move("Ogre", feet=feet))
        assert ("entangled" not in conditions(told, "Ogre")) == free


def test_a_whip_can_be_broken():
    """arkm.whip.break: 4D6 of Ogre against 3D6 of Hero, as the action of the round: 9 against 8 frees, 8 does not."""
    told = entangled("legs")
    contest = Grapple(("Ogre",), contest=True)
    free = told.when(contest, dice=[3, 2, 2, 2, 3, 3, 2]).ruled("arkm.whip.break", "free of the whip", [9, 8])
    assert not {"entangled", "stunned"} & (conditions(free, "Ogre") | conditions(free, "Hero"))
    told = told.when(contest, dice=[2, 2, 2, 2, 3, 3, 2]).ruled("arkm.whip.break", "held still", [8, 8])
    told.refused(Attack("Ogre", ("Hero",)), "arkm.phase.order")


# Morale counts men


def company():
    """A captain and a unit of ten men with 40 hit points in one group, against a unit of the party."""
    men = {"group": "Company", "morale": 8, "men": 10}
    return given(
        "arkm", hero(), someone("Captain", "foes", group="Company", morale=8),
        someone("Pikes", "foes", hp_max=40, **men), Begin(), (Initiative(), [6, 1]),
    )  # fmt: skip


def test_the_men_of_a_unit_count_for_morale():
    """arkm.morale.trigger-half: the captain is 1 of 11; seven more men of ten make 8 of 11."""
    told = adjusted(company(), "Captain", "down", "dead")
    told.ruled("arkm.morale.trigger-first-death", "a morale check is due")
    assert told.state.pending.of("morale", "Company").said == {"text": "the first death"}
    told = told.when(Morale("Company"), dice=[3, 3])
    told = adjusted(told, "Pikes", "hp", "12")  # 3 shares of 4
    told.ruled("arkm.morale.trigger-half", "a morale check is due", [8, 11])


def test_a_unit_alone_loses_heart_for_its_men():
    """arkm.morale.trigger-first-death, arkm.morale.trigger-half: 36 of 40 are 9 men; 20 are 5, half of ten."""
    told = given("arkm", hero(), someone("Pikes", "foes", men=10, hp_max=40), Begin(), (Initiative(), [6, 1]))
    told = adjusted(told, "Pikes", "hp", "36").ruled("arkm.morale.trigger-first-death", "a morale check is due")
    told = told.when(Morale("Pikes"), dice=[3, 3])
    adjusted(told, "Pikes", "hp", "20").ruled("arkm.morale.trigger-half", "a morale check is due", [5, 10])


# Newcomers


def test_newcomers_take_others_unawares():
    """arkm.surprise.newcomers: in round 2 Hero cannot respond, and is struck at +2; in round 3 he can."""
    told = next_round(battle(hero(), goblins(), dice=[6, 1]), 1, 6).when(goblins(hp_max=4, name="Late"))
    told = told.when(Surprise(of=("Hero",))).then(
        ConditionGained("Hero", "surprised", "round-end", round=2),
        Counted("Hero", "ambushed", 1, until="encounter-end"),
    )
    told.refused(Move("Hero", feet=10), "arkm.surprise.free-round")
    third = next_round(told, 6, 1, 1)
    third.when(Move("Hero", feet=10))
    third.when(Surprise(of=("Hero",))).then(no(Counted))
    impossible(told, Surprise(of=("Hero",)), "cannot be surprised now")
    impossible(told, Surprise(of=("Goblin",), negated_by="light"), "without dice")
    impossible(given("arkm", hero(), goblins()).when(Begin()), Surprise(of=("Goblin",)), "No round is under way")


# Ties are simultaneous in their numbers, too


def three_on_hild(dice):
    """Hild of level 3, AC 5 without a shield, and three orcs of THAC0 19 and 1 hit point, all in melee since before."""
    men = someone("Orc", "foes", 3, hp_max=1, hd="1", normal_man=True)
    told = battle(hero(name="Hild", ac=5), men, dice=(3, 3))
    told = melee(told, *((f"Orc-{nth}", "Hild") for nth in (1, 2, 3)))
    return next_round(told, *dice).when(Phase("melee", pass_rest=True))


def roll_needed(told, who, target, **words):
    """What an attack needs: the second number of its ruling."""
    told = told.when(Attack(who, (target,), **words), dice=[2])
    return next(
        event.numbers[1].total for event in told.events if getattr(event, "clause", "") == "arkm.to-hit.formula"
    )


def clauses_of(told):
    """The clauses of all rulings of an action."""
    return {clause for event in told.events for clause in getattr(event, "clauses", ())}


def test_who_is_slain_in_a_tie_leaves_the_count_of_attackers_at_once():
    """arkm.initiative.tie-numbers: 19 - 5 - 1 for more than two; when Hild slays one of them first, 14 at once.

    arkm.surround.more-than-two
    """
    told = three_on_hild((3, 3))
    assert roll_needed(told, "Orc-1", "Hild") == 13
    told = told.when(Attack("Hild", ("Orc-3",)), dice=[19, 6]).when(Pass(("Hild",)))
    assert not told.state.stands("Orc-3")
    assert [roll_needed(told, who, "Hild") for who in ("Orc-1", "Orc-2", "Orc-3")] == [14, 14, 14]


def test_without_a_tie_the_slain_count_no_more():
    """arkm.surround.more-than-two: Hild comes first and slays one; the two others need 14."""
    told = three_on_hild((5, 2)).when(Attack("Hild", ("Orc-3",)), dice=[19, 6]).when(Pass(("Hild",)))
    assert roll_needed(told, "Orc-1", "Hild") == 14


def test_a_rider_unhorsed_in_a_tie_strikes_as_a_rider():
    """arkm.initiative.tie-numbers, arkm.mounted.bonus: 19 - 9 - 1 at Mate, though he is on the ground by then."""
    for dice, needs in (((3, 3), 9), ((5, 2), 10)):
        rider = someone("Rider", "foes", hd="1", weapons=["sword"])
        told = battle(hero(weapons=["polearm"]), someone("Mate", group="party"), rider, dice=(3, 3))
        told = adjusted(melee(told, ("Hero", "Rider"), ("Mate", "Rider")), "Rider", "condition", "mounted")
        told = next_round(told, *dice).when(Phase("melee", pass_rest=True))
        told = told.when(Attack("Hero", ("Rider",), dismount=True), dice=[19, 2, 6]).when(Pass(("Hero", "Mate")))
        assert "mounted" not in conditions(told, "Rider")
        assert roll_needed(told, "Rider", "Mate") == needs


def test_a_parry_in_a_tie_counts_against_none_or_all():
    """arkm.initiative.tie-numbers: 13 + 2 where it is said before the tied phase, and 13 in it."""
    told = three_on_hild((3, 3))
    assert roll_needed(told.when(Parry("Hild")), "Orc-1", "Hild") == 13
    told = next_round(told, 3, 3).when(Parry("Hild")).when(Phase("melee", pass_rest=True))
    assert roll_needed(told, "Orc-1", "Hild") == 15


# What others have dropped


def test_a_weapon_that_another_dropped_can_be_picked_up():
    """arkm.disarm.outcome: as the action of the round; it is Hero's from then on."""
    told = battle(hero(), someone("Orc", "foes", weapons=["mace"]), dice=[6, 1], phase="melee")
    told = melee(told, ("Hero", "Orc"))
    told = adjusted(told, "Orc", "dropped", "mace").when(Draw("Hero", "mace"))
    assert told.state.gear.equipped["Hero"][0] == "mace"
    assert not conditions(told, "Orc")
    told.refused(Attack("Hero", ("Orc",)), "arkm.phase.order")
    impossible(told, Draw("Orc", "mace"), "has no 'mace'")
