"""Dismounting, stuns, parrying, disarming, reloading, cover, fumbles."""

import pytest

from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import acting
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.gear import Draw, Reload
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.losses import stun
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Pass, Phase
from commands.rules.arkm.stances import Parry
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Felled, HpLost, Ruled, Unequipped
from tests.hints import offered_by
from tests.kit import Told, no

from .rounds import battle, conditions, goblins, having, hero, mage, next_round, someone
from .table import bran, elowen, impossible, marcus, melee, rolls, tessa
from .test_rounds import slain

WEAPONS = ["short-sword", "dagger", {"id": "sling", "kind": "sling", "ranges": [1, 2, 3], "reload_rounds": 1}]


def joust(reflex: int = 14, weapon: str = "polearm", dice=(5, 2), **fields) -> Told:
    """A guard of 1 HD (THAC0 19, -1 on foot, which a polearm spares him) and a rider with AC 6 and 11 hp."""
    guard = someone("Guard", weapons=[weapon, "dagger"], ac=9, group="guards", str_mod=2, level=0,
                    **{"class": "fighter"})  # fmt: skip
    rider = someone("Rider", "foes", ac=6, hp_max=11, mounted=True, saves={"reflex": reflex}, weapons=["lance"])
    told = battle(guard, rider, dice=dice, phase="melee", **fields)
    return melee(told, ("Guard", "Rider"), rounds=2)


def test_only_a_polearm_unhorses_and_only_a_rider():
    """arkm.dismount.eligibility: a level 0 fighter needs 20 - 6 - 2 = 12; 11 is a plain miss."""
    joust().when(Attack("Guard", ("Rider",), dismount=True), dice=[11]).ruled("arkm.to-hit.formula", "miss", [11, 12])
    joust(weapon="pike").refused(Attack("Guard", ("Rider",), dismount=True), "arkm.dismount.eligibility")
    told = joust().when(Pass(("Guard",)))
    told = next_round(told, 2, 5)
    told.refused(Attack("Rider", ("Guard",), dismount=True), "arkm.dismount.eligibility")
    far = battle(someone("Guard", weapons=["polearm"]), someone("Rider", "foes", mounted=True), dice=[5, 2])
    far.refused(Attack("Guard", ("Rider",), dismount=True), "arkm.in-melee.attack-distance")


def test_a_rider_who_saves_takes_half():
    """arkm.dismount.reflex-save, arkm.dismount.saved-half-damage: 15 hits, 14 saves; 1d8+1+2 of 4 is 7, half is 3."""
    told = joust().when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 14, 4])
    told.ruled("arkm.dismount.saved-half-damage", totals=[3]).then(HpLost("Rider", 3, 8), no(ConditionEnded))
    assert [purpose for _, purpose, _ in rolls(told)] == ["attack", "saving throw", "damage"]


def test_a_rider_may_be_subdued():
    """arkm.subdue.any-weapon, arkm.dismount.saved-half-damage: the half of 7, 3, is temporary."""
    told = joust().when(Attack("Guard", ("Rider",), dismount=True, subdue=True), dice=[15, 14, 4])
    told.then(ConditionGained("Rider", "temporary damage", amount=3), no(HpLost))


def test_a_rider_who_fails_falls_unhurt():
    """arkm.dismount.unhorsed, arkm.dismount.stun-roll: 13 fails; 5 is not stunned."""
    told = joust().when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 13, 5])
    told.then(ConditionEnded("Rider", "mounted"), no(HpLost)).ruled("arkm.dismount.stun-roll", "not stunned", [5])
    assert "stunned" not in conditions(told, "Rider")


@pytest.mark.parametrize(("die", "last"), [(1, 3), (2, 3), (3, 2), (4, 2)])
def test_anyone_who_falls_may_be_stunned(die, last):
    """arkm.dismount.stun-roll, arkm.stunned.duration: in round 1, 2 rounds last to the end of round 3, 1 of round 2."""
    told = joust().when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 13, die])
    told.then(ConditionGained("Rider", "stunned", "round-end", round=last))


def test_the_option_counts_this_round_as_the_first():
    """arkm.stunned.duration, option stun_counting."""
    told = joust(stun_counting="current").when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 13, 1])
    told.then(ConditionGained("Rider", "stunned", "round-end", round=2))


def test_the_stunned_can_do_nothing():
    """arkm.stunned.no-attack-no-defence: no attack, parry, draw or move; the shield does not count: AC 6, then 7."""
    told = battle(hero(), goblins(1, ac=7, shield="buckler", weapons=WEAPONS), dice=[5, 2], phase="melee")
    told = melee(told, ("Hero", "Goblin"), rounds=2)
    told.when(Attack("Hero", ("Goblin",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 13])
    told = having(told, "Goblin", "stunned", until="round-end", round=2)
    told.when(Attack("Hero", ("Goblin",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 12])
    for verb in (Attack("Goblin", ("Hero",)), Parry("Goblin"), Draw("Goblin", "dagger"), Reload("Goblin", "sling")):
        told.refused(verb, "arkm.stunned.no-attack-no-defence")
    told = next_round(told, 5, 2)
    told.refused(Move("Goblin", 10), "arkm.stunned.no-attack-no-defence")
    told = next_round(told, 5, 2).then(no(ConditionGained))
    told.when(Parry("Goblin"))


def test_a_stun_lasts_through_its_last_round():
    """arkm.stunned.duration: 1 round in round 1: refused in 2, allowed in 3; a second stun in 2 moves that to 4."""
    told = joust().when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 13, 3])
    second = next_round(told, 5, 2)
    second.refused(Parry("Rider"), "arkm.stunned.no-attack-no-defence")
    next_round(second, 5, 2).then(ConditionEnded("Rider", "stunned")).when(Parry("Rider"))
    again = stunned(second, "Rider", 1, "Guard")
    next_round(again, 5, 2).refused(Parry("Rider"), "arkm.stunned.no-attack-no-defence")
    shorter = stunned(stunned(second, "Rider", 3, "Guard"), "Rider", 1, "Guard").then(no(ConditionGained))
    assert shorter.state.conditions.of["Rider"]["stunned"].round == 5


def stunned(told: Told, who: str, rounds: int, by: str) -> Told:
    """The table after somebody was stunned by another, by the rules."""
    fight = Resolution(told.state, "pass", Pass((by,)), Dice(faces=[]))
    stun(fight, who, rounds, by)
    return Told(fight.state, fight.events)


def test_stunned_by_a_tied_foe_one_still_acts_this_round():
    """arkm.stunned.duration, arkm.initiative.tie-simultaneous"""
    told = joust(dice=(4, 4)).when(Attack("Guard", ("Rider",), dismount=True), dice=[15, 13, 1])
    told = told.when(Attack("Rider", ("Guard",)), dice=[2])
    next_round(told, 4, 4).refused(Parry("Rider"), "arkm.stunned.no-attack-no-defence")


def test_one_who_is_stunned_by_a_tied_foe_keeps_the_parry_of_this_round():
    """arkm.stunned.duration, arkm.initiative.tie-simultaneous: 17 and 2 for the parry, and no longer in the next."""
    told = next_round(duel(dice=(4, 4)), 4, 4).when(Parry("Bran")).when(Phase("melee", pass_rest=True))
    told = stunned(told, "Bran", 1, "Orc")
    told.when(Attack("Orc", ("Bran",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 19])
    told = next_round(told, 4, 4)
    told.when(Attack("Orc", ("Bran",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 14])


def test_with_the_option_the_stunned_move():
    """arkm.stunned.no-attack-no-defence, option stunned_moves."""
    told = having(battle(hero(), goblins(), dice=[5, 2], stunned_moves=True), "Hero", "stunned", round=2)
    told.when(Move("Hero", 10))
    told.refused(Parry("Hero"), "arkm.stunned.no-attack-no-defence")


def duel(*joining, dice=(5, 2), **options) -> Told:
    """Bran (AC 2) and an orc of THAC0 19, in melee since the round before."""
    orc = someone("Orc", "foes", ac=6, weapons=["short-sword"])
    return melee(battle(bran(), orc, *joining, dice=dice, phase="melee", **options), ("Bran", "Orc"), rounds=2)


def test_a_parry_needs_2_more_to_the_end_of_the_round():
    """arkm.parry.defence: an orc needs 17 against Bran, 19 when he parries, and 17 again in the next round."""
    told = duel()
    told.when(Pass(("Bran",))).when(Attack("Orc", ("Bran",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 17])
    told = told.when(Parry("Bran")).when(Attack("Orc", ("Bran",)), dice=[18])
    told.ruled("arkm.to-hit.formula", "miss", [18, 19])
    told = next_round(told, 1, 6).then(ConditionEnded("Bran", "parrying"))
    told.when(Attack("Orc", ("Bran",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 17])


def test_anyone_who_parries_does_nothing_else():
    """arkm.parry.no-attacks: neither in this round, nor after an attack."""
    told = duel().when(Parry("Bran"))
    told.refused(Attack("Bran", ("Orc",)), "arkm.parry.no-attacks")
    told.refused(Disarm("Bran", "Orc"), "arkm.parry.no-attacks")
    next_round(told, 5, 2).when(Attack("Bran", ("Orc",)), dice=[2])
    duel().when(Attack("Bran", ("Orc",)), dice=[2]).refused(Parry("Bran"), "arkm.parry.defence")


def test_a_parry_is_declared_at_any_time_up_to_ones_place():
    """arkm.parry.defence: before the enemy strikes, although he is first; not when one's own place has passed."""
    early = duel(dice=(2, 5))
    early.when(Parry("Bran")).when(Attack("Orc", ("Bran",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 19])
    early.when(Parry("Bran")).ruled("arkm.parry.defence", "attacks need 2 more")
    tied = duel(dice=(4, 4)).when(Parry("Bran"))
    tied.ruled("arkm.parry.defence", "attacks need 2 more, but not those at the same time")
    late = duel(dice=(5, 2)).when(Done()).when(Attack("Orc", ("Bran",)), dice=[2])
    late.refused(Parry("Bran"), "arkm.initiative.highest-first")


def test_nobody_parries_with_a_bow():
    """arkm.parry.defence"""
    told = battle(elowen(), goblins(), dice=[5, 2])
    told.refused(Parry("Elowen"), "arkm.parry.defence")


def test_with_the_option_a_parry_is_no_help_against_missiles():
    """arkm.parry.defence, option parry_scope: short bow, medium range: 19 - 2 = 17, and 19 with the default."""
    for scope, wanted in (("all", 19), ("melee", 17)):
        archer = someone("Archer", "foes", weapons=["short-bow"])
        told = battle(bran(), archer, dice=[2, 5], parry_scope=scope).when(Parry("Bran"))
        told.when(Shoot("Archer", "Bran", range_="medium"), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, wanted])


def test_a_disarm_needs_two_one_handed_weapons():
    """arkm.disarm.eligibility: sword against two-handed axe is refused, against a spear it is not."""
    axeman = someone("Axeman", "foes", weapons=["battle-axe"])
    told = battle(bran(), axeman, dice=[5, 2])
    told.refused(Disarm("Bran", "Axeman"), "arkm.disarm.eligibility")
    told = melee(told, ("Bran", "Axeman"))
    told.refused(Disarm("Bran", "Axeman"), "arkm.disarm.eligibility")
    told = melee(battle(bran(), someone("Wolf", "foes", weapons=[]), dice=[5, 2]), ("Bran", "Wolf"))
    told.refused(Disarm("Bran", "Wolf"), "arkm.disarm.eligibility")
    told = melee(battle(bran(), someone("Spearman", "foes", weapons=["spear"]), dice=[5, 2]), ("Bran", "Spearman"))
    told.when(Disarm("Bran", "Spearman"), dice=[2])


def disarming(level: int, other: int, reflex: int, **fields) -> Told:
    first = hero(level=level, name="Ada")
    second = someone("Bo", "foes", **{"class": "fighter", "level": other, "saves": {"reflex": reflex},
                                      "weapons": ["sword", "dagger"], "str_mod": 0})  # fmt: skip
    dice = fields.pop("dice", (5, 2))
    return melee(battle(first, second, dice=dice, phase="melee", **fields), ("Ada", "Bo"), rounds=2)


def test_the_levels_modify_the_save():
    """arkm.disarm.reflex-save: level 5 against 3: -2: 16 gives 14 against 15, 17 gives 15."""
    told = disarming(5, 3, 15)
    told.when(Disarm("Ada", "Bo"), dice=[18, 16]).ruled("arkm.save.roll", "failed", [14, 15])
    saved = told.when(Disarm("Ada", "Bo"), dice=[18, 17]).ruled("arkm.save.roll", "saved", [15, 15])
    saved.then(no(HpLost), no(Unequipped))
    disarming(3, 5, 15).when(Disarm("Ada", "Bo"), dice=[18, 13]).ruled("arkm.save.roll", "saved", [15, 15])


def test_a_disarmed_weapon_lies_on_the_ground():
    """arkm.disarm.outcome: no damage; another is drawn for free, picking up takes the round."""
    told = disarming(5, 3, 15).when(Disarm("Ada", "Bo"), dice=[18, 16])
    told.then(Unequipped("Bo", "sword"), no(HpLost))
    told.refused(Attack("Bo", ("Ada",), with_="sword"), "arkm.disarm.outcome")
    told.when(Attack("Bo", ("Ada",), with_="dagger"), dice=[2])
    picked = told.when(Draw("Bo", "sword"))
    picked.refused(Attack("Bo", ("Ada",)), "arkm.phase.order")
    next_round(picked, 2, 5).when(Attack("Bo", ("Ada",)), dice=[2])


def test_with_the_option_picking_up_is_free():
    """arkm.disarm.outcome, option pickup_action."""
    told = disarming(5, 3, 15, pickup_action=False).when(Disarm("Ada", "Bo"), dice=[18, 16])
    told.when(Draw("Bo", "sword")).when(Attack("Bo", ("Ada",)), dice=[2])


def test_disarmed_by_a_tied_foe_one_strikes_before_it_falls():
    """arkm.disarm.outcome, arkm.initiative.tie-simultaneous"""
    told = disarming(5, 3, 15, dice=(4, 4)).when(Disarm("Ada", "Bo"), dice=[18, 16]).then(no(Unequipped))
    told = told.when(Attack("Bo", ("Ada",)), dice=[2])
    next_round(told, 4, 4).then(Unequipped("Bo", "sword"))


def reaching(**options) -> Told:
    """Ada with a spear of 8 feet and Bo with a dagger, tied, in the first round of their melee."""
    spear = {"id": "long-spear", "damage": "1d6", "length": 8}
    second = someone("Bo", "foes", weapons=["dagger", "sword"], saves={"reflex": 20})
    told = battle(hero(name="Ada", weapons=[spear]), second, dice=[4, 4], phase="melee", **options)
    return melee(told, ("Ada", "Bo"))


def test_what_a_longer_weapon_disarms_falls_at_once():
    """arkm.reach.first-round-initiative: what the longer does counts at once, also against a tie."""
    told = reaching().when(Disarm("Ada", "Bo"), dice=[18, 2]).then(Unequipped("Bo", "dagger"))
    told.refused(Attack("Bo", ("Ada",), with_="dagger"), "arkm.disarm.outcome")


def test_what_was_disarmed_falls_though_it_was_put_away():
    """arkm.disarm.outcome: a tie leaves the sword to him until the round ends, and no longer."""
    told = disarming(5, 3, 15, dice=(4, 4)).when(Disarm("Ada", "Bo"), dice=[18, 16])
    told = next_round(told.when(Draw("Bo", "dagger")), 4, 4)
    assert "dropped sword" in conditions(told, "Bo")
    told.refused(Attack("Bo", ("Ada",), with_="sword"), "arkm.disarm.outcome")


def test_by_the_option_what_was_disarmed_falls_with_the_phase():
    """arkm.initiative.tie-simultaneous, option tie_scope: the hasted disarm in the missile phase."""
    first, second = hero(name="Ada", hasted=True), someone("Bo", "foes", hasted=True, saves={"reflex": 20})
    told = battle(first, second, dice=[4, 4, 3, 3], phase="missile", tie_scope="phase")
    told = melee(told, ("Ada", "Bo"), rounds=2).when(Disarm("Ada", "Bo"), dice=[18, 2]).then(no(Unequipped))
    told.when(Phase("magic")).then(Unequipped("Bo", "club"))


def test_a_20_disarms_as_any_hit_does():
    """arkm.natural-20.critical: a disarm harms nobody, so that it is none; the goblin saves with 20."""
    told = melee(battle(hero(), goblins(1, hp_max=9), dice=[5, 2]), ("Hero", "Goblin"))
    told = told.when(Disarm("Hero", "Goblin"), dice=[20, 20]).then(no(HpLost))
    assert "arkm.natural-20.critical" not in [event.clause for event in told.last if isinstance(event, Ruled)]


def test_with_the_option_a_disarm_hurts():
    """arkm.disarm.outcome, option disarm_damage: 1d6+1 of 3 is 4."""
    told = melee(battle(hero(), goblins(1, hp_max=9), dice=[5, 2], disarm_damage=True), ("Hero", "Goblin"))
    told.when(Disarm("Hero", "Goblin"), dice=[15, 20, 3]).then(HpLost("Goblin", 4, 5))


def crossbow(**options) -> Told:
    """An archer with a crossbow, and a goblin far off."""
    archer = hero(name="Archer", weapons=["crossbow", "sword"])
    return battle(archer, goblins(1, hp_max=9), dice=[5, 2], **options)


def test_a_crossbow_fires_every_other_round():
    """arkm.reload.every-other-round: shot in 1, refused in 2, loaded in 2, shot in 3."""
    told = crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2])
    assert "crossbow unloaded" in conditions(told, "Archer")
    told.refused(Reload("Archer"), "arkm.reload.takes-one-round")
    told = next_round(told, 5, 2)
    told.refused(Shoot("Archer", "Goblin", range_="short"), "arkm.reload.every-other-round")
    told = told.when(Reload("Archer")).ruled("arkm.reload.takes-one-round", "crossbow is loaded at the end of round 2")
    told.refused(Reload("Archer"), "arkm.reload.takes-one-round")
    told = next_round(told, 5, 2).then(ConditionEnded("Archer", "crossbow unloaded"))
    told.when(Shoot("Archer", "Goblin", range_="short"), dice=[2])


def test_reloading_is_the_action_of_the_round():
    """arkm.reload.takes-one-round: no attack and no parry after it; not after a parry; not when it is loaded."""
    told = next_round(crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    loading = melee(told.when(Reload("Archer")), ("Archer", "Goblin"))
    loading.refused(Parry("Archer"), "arkm.parry.defence")
    loading.refused(Attack("Archer", ("Goblin",), with_="sword"), "arkm.reload.takes-one-round")
    armed = told.when(Draw("Archer", "sword")).when(Parry("Archer"))
    armed.refused(Reload("Archer"), "arkm.reload.takes-one-round")
    crossbow().refused(Reload("Archer", "crossbow"), "arkm.reload.takes-one-round")
    impossible(crossbow(), Reload("Archer"), "no empty weapon")
    impossible(crossbow(), Reload("Archer", "musket"), "has no musket")


def test_among_several_empty_weapons_the_one_in_hand_is_loaded_first():
    """arkm.reload.takes-one-round: of two that are not in hand one must be named."""
    archer = hero(name="Archer", weapons=["crossbow", "sling", "sword"])
    told = battle(archer, goblins(1), dice=[5, 2])
    told = having(having(told, "Archer", "crossbow unloaded"), "Archer", "sling unloaded")
    with pytest.raises(UsageError, match=r"Which one\? Empty: crossbow and sling") as which:
        told.when(Draw("Archer", "sword")).when(Phase("missile", pass_rest=True)).when(Reload("Archer"))
    assert offered_by(which.value) == "affray reload Archer crossbow\naffray reload Archer sling"


def test_the_stunned_lose_what_they_were_loading():
    """arkm.reload.takes-one-round: stunned in round 2 for 1 round: still empty; it can be begun again in round 4."""
    told = next_round(crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    told = stunned(told.when(Reload("Archer")), "Archer", 1, "Goblin")
    told = next_round(next_round(told, 5, 2), 5, 2)
    assert "crossbow unloaded" in conditions(told, "Archer")
    told.when(Reload("Archer"))


def test_anyone_who_was_pinned_for_a_while_has_not_loaded():
    """arkm.reload.takes-one-round: not if he was pinned in that round, though he is free when it ends."""
    told = next_round(crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 2, 5)
    told = melee(told.when(Reload("Archer")), ("Archer", "Goblin"), rounds=2)
    told = told.when(Grapple(("Goblin",), "Archer"), dice=[18, 6, 1, 1, 1]).then(ConditionGained(
        "Archer", "pinned", "encounter-end", whom=("Goblin",)))  # fmt: skip
    told = slain(told, "Goblin", "Archer").then(ConditionEnded("Archer", "pinned"))
    assert "crossbow unloaded" in conditions(next_round(told, 2), "Archer")


def test_what_lies_on_the_ground_is_not_loaded():
    """arkm.reload.takes-one-round"""
    told = next_round(crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    impossible(having(told, "Archer", "dropped crossbow"), Reload("Archer"), "dropped")


def test_a_brace_of_pistols_is_two_weapons():
    """arkm.reload.every-other-round: loading is kept for each; who carries the other loaded may shoot, and is waited
    for.
    """
    pistols = [{"id": f"pistol-{n}", "kind": "firearm", "damage": "1d8", "ranges": [20, 40, 60], "reload_rounds": 1}
               for n in (1, 2)]  # fmt: skip
    told = battle(hero(weapons=pistols), goblins(1, hp_max=9), dice=[5, 2])
    told = next_round(told.when(Shoot("Hero", "Goblin", range_="short"), dice=[2]), 5, 2)
    in_phase = told.when(Phase("missile")).refused(Phase("melee"), "arkm.phase.order")
    assert acting(View(in_phase.state)) == ["Hero"]
    told = told.when(Shoot("Hero", "Goblin", with_="pistol-2", range_="short"), dice=[2])
    told = next_round(told, 5, 2)
    assert {"pistol-1 unloaded", "pistol-2 unloaded"} <= conditions(told, "Hero")
    assert acting(View(told.when(Phase("missile")).state)) == []
    assert told.when(Reload("Hero")).state.conditions.of["Hero"]["reloading"].whom == ("pistol-2",)


def test_a_round_without_any_action_loads_by_the_option():
    """arkm.reload.takes-one-round, option auto_reload."""
    told = next_round(crossbow(auto_reload=True).when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    assert "crossbow unloaded" in conditions(told, "Archer")
    next_round(told, 5, 2).then(ConditionEnded("Archer", "crossbow unloaded"))
    both = having(told, "Archer", "sling unloaded")  # one of them in a round
    assert conditions(next_round(both, 5, 2), "Archer") == {"sling unloaded"}


def test_everything_is_loaded_when_a_fight_begins():
    """arkm.reload.every-other-round"""
    told = crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]).when(End()).when(Begin())
    assert conditions(told, "Archer") == set()


def test_a_sheet_may_say_that_a_weapon_is_not_loaded():
    """arkm.reload.every-other-round"""
    musket = {"id": "musket", "kind": "firearm", "ranges": [50, 100, 150], "reload_rounds": 1, "loaded": False}
    told = battle(hero(weapons=[musket]), goblins(), dice=[5, 2])
    told.refused(Shoot("Hero", "Goblin", range_="short"), "arkm.reload.every-other-round")
    told = next_round(told.when(Reload("Hero")), 5, 2)
    told.when(Shoot("Hero", "Goblin", range_="short"), dice=[2])


@pytest.mark.parametrize(("cover", "wanted"), [(0, 12), (25, 14), (50, 16), (75, 18)])
def test_cover_makes_it_harder(cover, wanted):
    """arkm.cover.penalty: Elowen with a long bow, medium range, AC 4: 17 - 4 - 1 = 12; the die must show more."""
    told = battle(elowen(), goblins(1, ac=4), dice=[5, 2])
    shot = Shoot("Elowen", "Goblin", range_="medium", cover=cover)
    told.when(shot, dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, wanted])


def test_cover_is_25_50_or_75():
    """arkm.cover.penalty: in melee, too; needs 17 with 75%: 23; a natural 20 hits with 3 less damage."""
    told = battle(elowen(), goblins(1, ac=-1), dice=[5, 2])
    told.refused(Shoot("Elowen", "Goblin", range_="medium", cover=60), "arkm.cover.penalty")
    hit = told.when(Shoot("Elowen", "Goblin", range_="medium", cover=75), dice=[20, 4])
    hit.ruled("arkm.damage.order", totals=[2])
    close = melee(battle(hero(), goblins(), dice=[5, 2]), ("Hero", "Goblin"))
    close.when(Attack("Hero", ("Goblin",), cover=50), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 17])


def test_anybody_may_be_trained_in_firearms():
    """arkm.firearms.any-class: a magic-user's musket."""
    told = battle(mage(weapons=["flintlock-musket"], trained=["flintlock-musket"]), goblins(), dice=[5, 2])
    told.when(Shoot("Mage", "Goblin", range_="short"), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 12])


def fumbling(die: int, *more: int, joining=(), **fields) -> Told:
    """The hero of level 3 strikes a natural 1, and 17 is above it; then the fumble table's die."""
    told = melee(battle(hero(**fields), *joining, goblins(), dice=[5, 2], phase="melee"), ("Hero", "Goblin"), rounds=2)
    for other in joining:
        told = melee(told, (other.sheets[0]["name"], "Goblin"))
    return told.when(Attack("Hero", ("Goblin",)), dice=[1, 17, die, *more])


def test_a_fumble_drops_the_weapon():
    """arkm.fumble.table, 1."""
    fumbling(1).ruled("arkm.fumble.table", totals=[1]).then(Unequipped("Hero", "sword"))


def test_a_fumble_ends_the_blows_of_that_weapon():
    """arkm.fumble.table, 1 and 5: at once: two of three blows are left for the dagger; none for one who fell."""
    goblin = goblins(1, hp_max=9)
    three = ("Goblin", "Goblin", "Goblin")
    told = melee(battle(hero(), goblin, dice=[5, 2], phase="melee"), ("Hero", "Goblin"), rounds=2)
    dropped = told.when(Attack("Hero", three), dice=[1, 17, 1])
    dropped.when(Attack("Hero", three[:2], with_="dagger"), dice=[2, 2])
    weak = melee(battle(hero(hp_max=2), goblin, dice=[5, 2], phase="melee"), ("Hero", "Goblin"), rounds=2)
    weak.when(Attack("Hero", three), dice=[1, 17, 5, 5]).then(Felled("Hero", "dead"))


def test_a_fumble_throws_off_balance():
    """arkm.fumble.table, 2: attacks on him are at +2 to the end of the next round: 19 - 9 - 2 = 8."""
    told = fumbling(2).then(ConditionGained("Hero", "off-balance", "round-end", round=2))
    struck = told.when(Pass(("Hero",))).when(Attack("Goblin", ("Hero",)), dice=[2])
    struck.ruled("arkm.to-hit.formula", "miss", [2, 8])
    assert "off-balance" in conditions(next_round(told, 5, 2), "Hero")
    assert "off-balance" not in conditions(next_round(next_round(told, 5, 2), 5, 2), "Hero")


def test_a_fumble_throws_down():
    """arkm.fumble.table, 3: prone."""
    assert "prone" in conditions(fumbling(3), "Hero")


def test_a_fumble_breaks_the_weapon():
    """arkm.fumble.table, 4: a magical one is dropped."""
    told = fumbling(4).then(Unequipped("Hero", "sword"))
    assert "broken sword" in conditions(told, "Hero")
    impossible(told, Draw("Hero", "sword"), "broken")
    magic = [{"id": "excalibur", "damage": "1d6+1", "magic": 1}]
    assert "dropped excalibur" in conditions(fumbling(4, weapons=magic), "Hero")


def test_a_fumble_hurts_the_attacker():
    """arkm.fumble.table, 5: a D6 of 5 halved is 2; of 1 it is 1."""
    fumbling(5, 5).then(HpLost("Hero", 2, 10))
    fumbling(5, 1).then(HpLost("Hero", 1, 11))


def test_a_fumble_hits_a_friend():
    """arkm.fumble.table, 6: the same attack at one of the friends who fight the same foe; nobody there: as 1."""
    fumbling(6).then(Unequipped("Hero", "sword"))
    told = fumbling(6, 17, 4, joining=(marcus(),)).ruled("arkm.to-hit.formula", "hit", [17, 15])
    told.then(HpLost("Marcus", 5, 11), no(Unequipped)).ruled("arkm.fumble.table", "strikes at Marcus", about="Marcus")
    fumbling(6, 2, 5, joining=(marcus(), tessa())).ruled("arkm.to-hit.formula", "miss", [5, 14], about="Tessa")


def test_a_fumble_hits_nobody_of_another_side():
    """arkm.fumble.table, 6: an ogre for itself fights the goblin, too; nobody there: as 1, the weapon is dropped."""
    beast = someone("Beast", "wild", hd="2", hp_max=9)
    told = melee(
        battle(hero(), goblins(1), beast, dice=[5, 2, 1], phase="melee"), ("Hero", "Goblin"), ("Beast", "Goblin")
    )
    told = told.when(Attack("Hero", ("Goblin",)), dice=[1, 17, 6])
    told.then(Unequipped("Hero", "sword"), no(HpLost))


def test_a_fumbled_blow_to_subdue_slays_no_friend():
    """arkm.fumble.table, 6, arkm.subdue.any-weapon: the same attack: 5 temporary, no hit point lost."""
    told = melee(battle(hero(), marcus(), goblins(), dice=[5, 2], phase="melee"), ("Hero", "Goblin"), rounds=2)
    told = melee(told, ("Marcus", "Goblin")).when(Attack("Hero", ("Goblin",), subdue=True), dice=[1, 17, 6, 17, 4])
    told.then(ConditionGained("Marcus", "temporary damage", amount=5), no(HpLost))


def test_all_attacks_are_made_at_one_time():
    """arkm.attacks.all-at-one-time: level 3 has three on Normal Men; another's deed, once allowed, loses the third."""
    told = battle(hero(), goblins(3, hp_max=30), dice=[4, 4], phase="melee")
    told = melee(told, *((f"Goblin-{n}", "Hero") for n in (1, 2, 3)), rounds=2)
    told = told.when(Attack("Hero", ("Goblin-1", "Goblin-2")), dice=[2, 2])
    told.when(Attack("Hero", ("Goblin-3",)), dice=[2])
    told.refused(Attack("Goblin-3", ("Hero",)), "arkm.attacks.all-at-one-time")
    told = told.when(Attack("Goblin-3", ("Hero",)), dice=[2], allow="they are quick")
    told.ruled("arkm.attacks.all-at-one-time", "Hero loses 1 attack")
    told.refused(Attack("Hero", ("Goblin-3",)), "arkm.attacks.all-at-one-time")


def test_a_slain_crossbowman_loads_no_more():
    """arkm.reload.takes-one-round"""
    told = next_round(crossbow().when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    told = slain(told.when(Reload("Archer")), "Archer", "Goblin").then(Felled("Archer", "dead"))
    assert "crossbow unloaded" in conditions(next_round(told, 2), "Archer")
    told = next_round(crossbow(auto_reload=True).when(Shoot("Archer", "Goblin", range_="short"), dice=[2]), 5, 2)
    told = slain(told, "Archer", "Goblin").then(Felled("Archer", "dead"))
    assert "crossbow unloaded" in conditions(next_round(told, 2), "Archer")


def test_a_melee_blow_needs_the_melee_phase_and_five_feet():
    """arkm.phase.melee-within-five-feet: an orc at 10 feet is out of reach."""
    told = battle(hero(), goblins(), dice=[5, 2], phase="melee")
    told.refused(Attack("Hero", ("Goblin",)), "arkm.in-melee.attack-distance")
    melee(told, ("Hero", "Goblin")).when(Attack("Hero", ("Goblin",)), dice=[2])
