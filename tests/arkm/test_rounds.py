"""Initiative, ties, the four phases, haste, and paired combat."""

import pytest

from commands.action.adjust import Adjust
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import header
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.formations import Pair
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.losses import fell
from commands.rules.arkm.rounds import Done, Initiative, Pass, Phase, Round
from commands.rules.arkm.stances import Parry
from commands.rules.arkm.throws import Morale
from commands.rules.arkm.waiting import goes_on_apart
from ledger.errors import Refused
from ledger.events import ConditionEnded, Counted, Felled, OrderSet, PhaseBegan, RoundBegan, TurnBegan
from tests.hints import offered_by
from tests.kit import Told, given, no

from .rounds import acted, battle, conditions, goblins, having, hero, mage, next_round, someone, wolves
from .table import impossible, melee, ogre, rolls, since


def five():
    """Five armies."""
    return [someone(f"Army-{number}", f"side-{number}") for number in range(1, 6)]


def test_names_never_change_places_in_what_is_offered():
    """arkm.initiative.highest-first: it is Hero's place, and the goblin's blow is not read as his."""
    told = melee(battle(hero(), goblins(2), dice=[6, 1], phase="melee"), ("Hero", "Goblin-1"))
    with pytest.raises(Refused) as refused:
        told.when(Attack("Goblin-1", ("Hero",)))
    assert offered_by(refused.value) == "affray pass Hero\n(gives up Hero's blow)"
    with pytest.raises(Refused) as refused:
        told.when(Attack("Goblin-2", ("Hero",)))
    assert offered_by(refused.value) == "Goblin-2 must first move to Hero, in the movement phase."


def test_a_spell_of_a_later_phase_is_one_step_away():
    """arkm.phase.order, arkm.initiative.highest-first: Archer may still shoot, and Hag, who rolled higher, cast before
    Mage. Who gives up what stands beside either way; the casters have wands.
    """
    told = battle(
        mage(), someone("Archer", "foes", weapons=["long-bow"]), mage(name="Hag", side="foes", pc=False), dice=[1, 6, 5]
    )
    with pytest.raises(Refused) as refused:
        told.when(Cast("Mage", "web"))
    assert offered_by(refused.value).splitlines() == [
        "affray phase magic --pass-rest", "(gives up the movement and shot of Mage, Archer and Hag)",
        "affray phase magic --to Mage --pass-rest",
        "(gives up the movement and shot of Mage and Archer; Hag's movement, shot and spell)",
    ]  # fmt: skip
    told = told.when(Phase("magic", to="Mage", pass_rest=True)).then(PhaseBegan("magic"), TurnBegan("party"))
    told.ruled("arkm.initiative.highest-first", "does not cast")
    told.when(Cast("Mage", "web")).ruled("arkm.phase.magic-cast", "web works")


def test_nobody_is_gone_to_whose_place_is_over_or_under_way():
    """arkm.phase.order: there a phase is not opened anew; arkm.initiative.highest-first: no place comes back."""
    told = battle(hero(), goblins(), dice=[1, 6]).when(Phase("movement", to="Hero", pass_rest=True))
    told.refused(Phase("movement", to="Hero"), "arkm.phase.order")
    told.refused(Phase("movement", to="Goblin"), "arkm.initiative.highest-first")


def test_every_group_rolls_one_die():
    """arkm.initiative.one-die-per-group: five dice, in the order of entry; a second roll is refused."""
    told = given("arkm", *five()).when(Begin()).when(Initiative(), dice=[6, 3, 3, 1, 5])
    assert [(who, faces) for who, _, faces in rolls(told)] == [
        ("Army-1", (6,)), ("Army-2", (3,)), ("Army-3", (3,)), ("Army-4", (1,)), ("Army-5", (5,)),
    ]  # fmt: skip
    told.refused(Initiative(), "arkm.initiative.one-die-per-group")


def test_the_highest_goes_first_in_every_phase():
    """arkm.initiative.highest-first: 1, then 5, then 2 and 3 together, then 4."""
    told = battle(*five(), dice=[6, 3, 3, 1, 5])
    told.then(OrderSet(("Army-1", "Army-5", "Army-2 and Army-3", "Army-4")))
    told.ruled("arkm.initiative.tie-simultaneous", "Army-2 and Army-3 at the same time")
    told = told.when(Phase("melee"))
    told = melee(told, ("Army-4", "Army-1")).when(Done()).when(Disarm("Army-4", "Army-1"), dice=[2])
    told.refused(Disarm("Army-1", "Army-4"), "arkm.initiative.highest-first")


def test_different_monsters_roll_for_themselves():
    """arkm.initiative.monster-groups: party 4, hobgoblins 6, bugbears 4, wizard 2."""
    monsters = [someone("Hobgoblin", "foes", 2), someone("Bugbear", "foes", 2), someone("Wizard", "foes")]
    told = battle(hero(), *monsters, dice=[4, 6, 4, 2])
    told.then(OrderSet(("Hobgoblin", "party and Bugbear", "Wizard")))


def test_everybody_rolls_again_each_round():
    """arkm.initiative.reroll-each-round: 5 and 2, then 1 and 4: the order turns round. arkm.phase.next-initiative"""
    told = battle(hero(), goblins(), dice=[5, 2]).then(OrderSet(("party", "Goblin")))
    next_round(told, 1, 4).then(RoundBegan(2), OrderSet(("Goblin", "party")))


def test_no_movement_before_initiative():
    """arkm.initiative.reroll-each-round"""
    told = given("arkm", hero(), goblins()).when(Begin())
    told.refused(Phase("movement"), "arkm.initiative.reroll-each-round")
    told.refused(Done(), "arkm.initiative.reroll-each-round")
    told.refused(Parry("Hero"), "arkm.initiative.reroll-each-round")


def test_round_opens_the_first_round_too():
    told = given("arkm", hero(), goblins()).when(Begin()).when(Round(), dice=[3, 1])
    told.then(RoundBegan(1), OrderSet(("party", "Goblin")))


def test_a_group_with_nobody_standing_rolls_no_die():
    """arkm.initiative.one-die-per-group"""
    told = since(battle(hero(), goblins(), someone("Ogre", "foes"), dice=[5, 2, 1]), Felled("Goblin", "dead"))
    next_round(told, 3, 4).then(OrderSet(("Ogre", "party")))


def test_phases_go_forward_one_after_the_other():
    """arkm.phase.order: movement, missile, magic, melee."""
    told = battle(hero(), goblins(), dice=[5, 2])
    for name in ("movement", "missile", "magic", "melee"):
        told = told.when(Phase()).then(PhaseBegan(name), TurnBegan("party"))
    impossible(told, Phase(), "the last")
    told.refused(Phase("missile"), "arkm.phase.order")


def test_a_later_phase_passes_over_those_between():
    """arkm.phase.order: it is recorded."""
    battle(hero(), goblins(), dice=[5, 2]).when(Phase("melee")).ruled(
        "arkm.phase.order", "skips movement, missile, magic"
    )


def test_what_belongs_to_a_later_phase_opens_it():
    """arkm.phase.order; with the option strict_phases it is refused."""
    told = melee(battle(hero(), goblins(), dice=[5, 2]), ("Hero", "Goblin"))
    told.when(Disarm("Hero", "Goblin"), dice=[2]).then(PhaseBegan("melee"))
    strict = melee(battle(hero(), goblins(), dice=[5, 2], strict_phases=True), ("Hero", "Goblin"))
    strict.refused(Disarm("Hero", "Goblin"), "arkm.phase.order")


def test_done_goes_through_the_order():
    told = battle(hero(), goblins(), dice=[2, 5])
    told = told.when(Done()).then(PhaseBegan("movement"), TurnBegan("Goblin"))
    told = told.when(Done()).then(TurnBegan("party"), no(PhaseBegan))
    told = told.when(Done()).then(PhaseBegan("missile"))
    told = told.when(Phase("melee")).when(Done())
    impossible(told, Done(), "last phase")


def test_a_group_that_comes_after_the_roll_is_last():
    told = battle(hero(), goblins(), dice=[2, 5], phase="melee").when(someone("Ogre", "foes"))
    told = melee(told, ("Ogre", "Hero")).when(Pass(("Hero",))).when(Disarm("Ogre", "Hero"), dice=[2])
    assert told.state.turns.who == "Ogre"


def test_one_who_is_slain_in_a_tie_still_has_a_blow():
    """arkm.initiative.tie-simultaneous: 4 and 4; refused in the next round."""
    told = melee(battle(hero(), goblins(2), dice=[4, 4], phase="melee"), ("Hero", "Goblin-1"))
    told = slain(told, "Goblin-1", "Hero")
    assert "last blow" in conditions(told, "Goblin-1")
    told = told.when(Disarm("Goblin-1", "Hero"), dice=[2])
    told.refused(Disarm("Goblin-1", "Hero"), "arkm.phase.order")
    told = told.when(Morale("Goblin", waive="brave"))
    next_round(told, 4, 4).then(ConditionEnded("Goblin-1", "last blow")).refused(
        Disarm("Goblin-1", "Hero"), "arkm.damage.zero-hp"
    )


def slain(told, who, by, how="dead"):
    """The table after somebody was felled by another, by the rules."""
    fight = Resolution(told.state, "pass", Pass((by,)), Dice(faces=[]))
    fell(fight, who, how, by)
    return Told(fight.state, fight.events)


def test_anyone_who_comes_later_is_slain_at_once():
    """arkm.initiative.tie-simultaneous: party 5, orcs 4."""
    told = melee(battle(hero(), goblins(), dice=[5, 4], phase="melee"), ("Hero", "Goblin"))
    told = slain(told, "Goblin", "Hero")
    assert "last blow" not in conditions(told, "Goblin")
    told.refused(Disarm("Goblin", "Hero"), "arkm.damage.zero-hp")


def test_anyone_who_has_had_an_action_is_owed_none():
    """arkm.initiative.tie-simultaneous"""
    told = melee(battle(hero(), goblins(), dice=[4, 4], phase="melee"), ("Hero", "Goblin"))
    told = slain(told.when(Disarm("Goblin", "Hero"), dice=[2]), "Goblin", "Hero")
    assert "last blow" not in conditions(told, "Goblin")


def test_with_the_option_a_tie_ends_with_the_phase():
    """arkm.initiative.tie-simultaneous, option tie_scope."""
    told = battle(hero(), goblins(), dice=[4, 4], phase="missile", tie_scope="phase")
    told = slain(told, "Goblin", "Hero").when(Phase()).then(ConditionEnded("Goblin", "last blow"))
    told.refused(Parry("Goblin"), "arkm.damage.zero-hp")


def test_without_the_option_a_tie_lasts_until_the_round_ends():
    """arkm.initiative.tie-simultaneous"""
    told = slain(battle(hero(), goblins(), dice=[4, 4], phase="missile"), "Goblin", "Hero")
    told.when(Phase()).then(no(ConditionEnded)).when(Parry("Goblin"))


def test_one_action_a_round():
    """arkm.phase.order: a second full action is refused; a new round brings a new one."""
    told = melee(battle(hero(), goblins(), dice=[5, 2], phase="melee"), ("Hero", "Goblin"))
    told = told.when(Pass(("Hero",)))
    assert acted(told, "Hero") == "pass"
    told.refused(Disarm("Hero", "Goblin"), "arkm.phase.order")
    impossible(told, Pass(("Hero",)), "already acted")
    impossible(told.when(Pass(("Goblin",))), Pass(("Hero", "Goblin")), "Hero has already acted")
    next_round(told, 5, 2).when(Disarm("Hero", "Goblin"), dice=[2])


def test_nobody_waits_for_a_group_that_is_down():
    """arkm.initiative.highest-first: the goblin, the wolf and the hero; each of the first two is slain in its turn."""
    told = battle(hero(), goblins(), wolves(1), dice=[1, 6, 4], phase="movement")
    assert told.state.turns.order == ("Goblin", "Wolf", "party")
    wolf = told.when(Adjust("Wolf", "down", "dead", "a trap"))
    wolf.when(Done()).then(TurnBegan("party"))
    goblin = told.when(Adjust("Goblin", "down", "dead", "a trap"))
    goblin.when(Phase("missile")).then(TurnBegan("Wolf"))
    last = goblin.when(Phase("melee")).when(Done()).then(TurnBegan("party"))
    impossible(last, Done(), "Everybody has had their turn")
    alone = last.when(Adjust("Wolf", "down", "dead", "a trap")).when(Adjust("Hero", "down", "dead", "a trap"))
    impossible(alone, Done(), "Everybody has had their turn")


def test_the_hasted_come_first():
    """arkm.haste.has-initiative: orcs 6, party 1: the hasted hero, the orcs, the rest of the party."""
    told = battle(hero(hasted=True), mage(), goblins(), dice=[1, 6])
    told.then(OrderSet(("party (hasted)", "Goblin", "party")))
    told = told.when(Phase("melee", pass_rest=True)).then(TurnBegan("party (hasted)"))


def test_anyone_who_is_hasted_in_the_round_comes_first_too():
    """arkm.haste.has-initiative"""
    told = battle(hero(), mage(), goblins(), dice=[1, 6]).when(Adjust("Mage", "condition", "hasted", "potion"))
    told.when(Phase("movement")).then(TurnBegan("party (hasted)"))


def test_hasted_on_both_sides_roll_once_more():
    """arkm.haste.both-sides: party 4, orcs 6, then 5 and 2 for the hasted."""
    told = battle(hero(hasted=True), mage(), goblins(1, hasted=True), goblins(1, name="Snik", group="Goblin"),
                  dice=[4, 6, 5, 2])  # fmt: skip
    told.then(OrderSet(("party (hasted)", "Goblin (hasted)", "Goblin", "party")))
    tied = battle(hero(hasted=True), goblins(1, hasted=True), dice=[4, 6, 3, 3])
    tied.then(OrderSet(("party (hasted) and Goblin (hasted)", "Goblin", "party")))


def test_the_hasted_strike_in_the_missile_phase():
    """arkm.phase.missile-hasted-melee: once; for others a blow belongs to the melee phase."""
    told = melee(battle(hero(hasted=True), goblins(), dice=[1, 6], phase="movement"), ("Hero", "Goblin"))
    told = told.when(Disarm("Hero", "Goblin"), dice=[2]).then(PhaseBegan("missile"))
    told.when(Phase("melee")).refused(Disarm("Hero", "Goblin"), "arkm.phase.order")
    plain = melee(battle(hero(), goblins(), dice=[6, 1], phase="movement"), ("Hero", "Goblin"))
    plain.when(Disarm("Hero", "Goblin"), dice=[2]).then(PhaseBegan("melee"))


def test_by_the_option_the_hasted_strike_twice():
    """arkm.phase.missile-hasted-melee, option haste_double_attacks: in the missile phase and in the melee phase."""
    for option in (True, False):
        told = battle(hero(hasted=True), ogre(), dice=[1, 6], phase="movement", haste_double_attacks=option)
        told = melee(told, ("Hero", "Ogre")).when(Attack("Hero", ("Ogre",)), dice=[2]).when(Phase("melee"))
        if option:
            told = told.when(Attack("Hero", ("Ogre",)), dice=[2])
        told.refused(Attack("Hero", ("Ogre",)), "arkm.attacks.all-at-one-time")


def test_the_hasted_who_had_no_foe_in_reach_strike_in_the_melee_phase():
    """arkm.phase.missile-hasted-melee"""
    told = melee(battle(hero(hasted=True), goblins(), dice=[1, 6], phase="melee"), ("Hero", "Goblin"))
    assert told.when(Disarm("Hero", "Goblin"), dice=[2]).state.turns.phase == "melee"


def paired(*dice: int, **fields):
    """The hero and two hobgoblins, the mage and a troll: pairs from the second round on."""
    told = battle(hero(**fields), mage(), someone("Hob", "foes", 2), someone("Troll", "foes"), dice=[1, 2, 3])
    told = told.when(Pair(("Hero",), ("Hob-1", "Hob-2"))).when(Pair(("Mage",), ("Troll",)))
    return next_round(told, *dice)


def test_a_large_fight_breaks_up():
    """arkm.paired.split: nobody is in two."""
    told = paired(5, 3, 2, 6)
    told.refused(Pair(("Hero",), ("Troll",)), "arkm.paired.split")
    impossible(told, Pair(("Hero",)), "Against whom")
    impossible(told, Pair(("Hero",), ("Hero",)), "themselves")


def test_who_is_paired_anew_leaves_each_pair_behind():
    """arkm.paired.split: the game master lets the hero fight the troll; the mage and the hobgoblins roll with
    their groups again.
    """
    told = paired(5, 3, 2, 6).when(Pair(("Hero",), ("Troll",)), allow="they meet")
    told.then(*(Counted("encounter", "dissolved", 1, pair, "encounter-end") for pair in "12"))
    told = next_round(told, 5, 3, 2, 6).ruled("arkm.paired.initiative", totals=[2, 6])
    assert [who for who, *_ in rolls(told)] == ["party", "Hob", "Hero", "Troll"]


def test_each_pair_rolls_for_itself():
    """arkm.paired.initiative: 5 to 3 and 2 to 6; nobody rolls a common die."""
    told = paired(5, 3, 2, 6).ruled("arkm.paired.initiative", "Hero first", [5, 3])
    told.ruled("arkm.paired.initiative", "Troll first", [2, 6])
    assert [who for who, *_ in rolls(told)] == ["Hero", "Hob-1 and Hob-2", "Mage", "Troll"]


def test_in_a_pair_the_first_side_acts_first_whatever_the_phase():
    """arkm.paired.no-phases: a hobgoblin waits for the hero, and not for the troll."""
    told = melee(paired(5, 3, 2, 6), ("Hero", "Hob-1"), ("Hero", "Hob-2"))
    told.refused(Disarm("Hob-1", "Hero"), "arkm.paired.no-phases")
    told = told.when(Pass(("Hero",))).when(Disarm("Hob-1", "Hero"), dice=[2])
    assert told.state.turns.phase == ""


def test_the_board_shows_pairs():
    """arkm.paired.initiative"""
    assert header(View(paired(5, 3, 2, 6).state))[1:] == [
        "Paired fight 1: Hero 5 against Hob-1 3, Hob-2 3", "Paired fight 2: Mage 2 against Troll 6",
    ]  # fmt: skip


@pytest.mark.parametrize(("dice", "hero", "hob"), [((5, 4), True, False), ((5, 5), True, True), ((4, 5), False, True)])
def test_in_a_pair_nobody_goes_on_while_a_foe_of_a_better_die_can(dice: tuple[int, int], hero: bool, hob: bool):
    """arkm.paired.no-phases: of equal dice both; and all once the better one has had its turn."""
    told = melee(paired(*dice, 2, 6), ("Hero", "Hob-1"), ("Hero", "Hob-2"))
    assert [goes_on_apart(View(told.state), who) for who in ("Hero", "Hob-1")] == [hero, hob]
    first, second = ("Hero", "Hob-1") if hero else ("Hob-1", "Hero")
    told = told.when(Pass((first,) if hero else ("Hob-1", "Hob-2")))
    assert [goes_on_apart(View(told.state), who) for who in (first, second)] == [False, True]


def test_in_a_pair_haste_holds():
    """arkm.paired.no-phases, arkm.haste.has-initiative: 1 to 6, but hasted."""
    told = melee(paired(1, 6, 2, 6, hasted=True), ("Hero", "Hob-1"))
    told.refused(Disarm("Hob-1", "Hero"), "arkm.paired.no-phases")


def test_in_a_pair_reach_holds():
    """arkm.paired.no-phases, arkm.reach.first-round-initiative: 1 to 6, but a long spear against a club."""
    told = melee(paired(1, 6, 2, 6, weapons=["long-spear"]), ("Hero", "Hob-1"), rounds=0)
    told.refused(Attack("Hob-1", ("Hero",)), "arkm.reach.first-strike")
    told = told.when(Attack("Hero", ("Hob-1",)), dice=[2]).when(Pass(("Hero",)))
    told.when(Attack("Hob-1", ("Hero",)), dice=[2])


def test_in_a_pair_a_spell_is_kept_up_at_any_time_of_the_round():
    """arkm.paired.no-phases, arkm.concentration.maintained: it does not end with the common magic phase."""
    told = having(paired(5, 3, 6, 2), "Mage", "maintaining", until="encounter-end", whom=("wall",))
    told = told.when(Phase("melee"))
    assert "maintaining" in conditions(told, "Mage")
    kept = next_round(told.when(Cast("Mage", maintain=True)), 5, 3, 6, 2)
    assert "maintaining" in conditions(kept, "Mage")
    assert "maintaining" not in conditions(next_round(told, 5, 3, 6, 2), "Mage")


def test_a_tied_pair_strikes_at_the_same_time():
    """arkm.paired.tie: 4 and 4: the troll still attacks."""
    told = paired(5, 3, 4, 4).ruled("arkm.paired.tie", totals=[4, 4])
    told = slain(melee(told, ("Mage", "Troll")), "Troll", "Mage")
    told.when(Disarm("Troll", "Mage"), dice=[2])


def test_a_dissolved_pair_returns_with_the_next_roll():
    """arkm.paired.split: also when a side of it is gone."""
    told = paired(5, 3, 2, 6).when(Pair(("Hero",), dissolve=True))
    told = next_round(told, 4, 2, 3, 1).then(OrderSet(("party", "Hob")))
    assert [who for who, *_ in rolls(told)] == ["party", "Hob", "Mage", "Troll"]
    gone = since(paired(5, 3, 2, 6), Felled("Troll", "dead"))
    assert [who for who, *_ in rolls(next_round(gone, 1, 2, 3))] == ["party", "Hero", "Hob-1 and Hob-2"]
    impossible(told, Pair(("Hero",), dissolve=True), "no paired fight")


def test_the_end_ends_pairs_and_what_lasts_as_long_as_the_fight():
    told = having(paired(5, 3, 2, 6), "Hero", "controls", until="encounter-end").when(End())
    assert not told.state.skirmishes.of
    assert not told.state.conditions.of
    assert not told.state.turns.order


def test_reach_and_grapples_are_for_foes_in_melee():
    """arkm.grapple.to-hit"""
    told = battle(hero(), goblins(), dice=[5, 2], phase="melee")
    told.refused(Grapple(("Hero",), "Goblin"), "arkm.grapple.to-hit")
