"""Damage, shock, mortal wounds, executions, two weapons."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.aachen.deeds import Effect
from commands.rules.aachen.encounter import Begin, End, Rest, Surprise
from commands.rules.aachen.hands import Stow
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Defend
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rolls import Check, Save
from ledger.errors import Refused
from ledger.events import ConditionEnded, ConditionGained, Felled, HpGained, HpLost, Rose, Ruled
from projections.state import fold
from tests.hints import offered_by
from tests.kit import Told, given, no

from .table import (
    BOW,
    CROSSBOW,
    DAGGER,
    SPEAR,
    SWORD,
    adalger,
    adjusted,
    begun,
    contact,
    fight,
    gerlind,
    guard,
    has,
    hp,
    impossible,
    left,
    next_round,
    opposed,
    passed,
    rolls,
    table,
    wolf,
)

DUEL = (adalger(weapons=[SWORD]), guard())
SOFT = guard(ac=13)
DAMAGE = "aachen.damage.roll"


def swing(told, die, *more, target="Guard", **words):
    """Adalger attacks."""
    return told.when(Attack("Adalger", target, **words), dice=[die, *more])


# Damage


def test_damage():
    """aachen.damage.roll: Gerlind's bow, 3 + 1: Guard has 2."""
    told = fight(gerlind(), guard()).when(Shoot("Gerlind", "Guard", distance=50), dice=[11, 3])
    told.ruled(DAMAGE, "", [4]).then(HpLost("Guard", 4, 2))


def test_the_attribute_is_added():
    """aachen.damage.attribute: sword 6 + 1; the skill is not."""
    swing(fight(adalger(weapons=[SWORD], skills={"stab": 4}), guard()), 11, 6).ruled(DAMAGE, "", [7])


def test_punch_is_added():
    """aachen.damage.punch: Punch 1, STR +2: d2 2 is 5; untrained 0."""
    strong = adalger(attributes={"STR": 18}, skills={"punch": 1})
    swing(fight(strong, guard()), 11, 2, with_="unarmed").ruled(DAMAGE, "", [5])
    swing(fight(adalger(), guard()), 11, 2, with_="unarmed").ruled(DAMAGE, "", [3])


def test_damage_is_never_below_0():
    """aachen.damage.floor: 1d4 - 1 with a 1 is 0; by the house rule a hit does at least 1; hp stop at 0."""
    weak = adalger(attributes={"STR": 7}, weapons=[{"name": "cudgel", "damage": "1d4"}])
    swing(fight(weak, guard()), 15, 1).ruled(DAMAGE, "", [0]).then(no(HpLost))
    swing(fight(weak, guard(), min_hit_damage=1), 15, 1).then(HpLost("Guard", 1, 5))
    swing(fight(*DUEL), 15, 8).ruled(DAMAGE, "", [9]).then(HpLost("Guard", 6, 0))


def test_a_blow_of_0_does_not_fell_the_unconscious_at_0():
    """aachen.damage.floor: 1d4 - 1 with a 1 is 0, and Guard lies as it lay; with a 2 it is 1, and it is dying."""
    weak = adalger(attributes={"STR": 7}, weapons=[{"name": "cudgel", "damage": "1d4"}])
    told = fight(weak, guard())
    lying = Told(fold(told.state, [HpLost("Guard", 6, 0), Felled("Guard", "unconscious")]), ())
    swing(lying, 15, 1).ruled(DAMAGE, "", [0]).then(no(HpLost), no(Felled))
    swing(lying, 15, 2).ruled(DAMAGE, "", [1]).then(no(HpLost), Felled("Guard", "dying"))


def test_the_fallen_are_out_of_action():
    """aachen.damage.out-of-action: refused, skipped, and in no contact."""
    told = swing(fight(*DUEL), 15, 8)
    told.refused(Attack("Guard", "Adalger"), "aachen.damage.out-of-action")
    told.refused(Defend("Guard"), "aachen.damage.out-of-action")
    assert not told.state.engagement.pairs
    next_round(told)


# Mortal wounds


def test_a_mortal_wound():
    """aachen.mortal.wound: the round is noted: fallen in 3, the sixth round after it is 9."""
    told = next_round(next_round(fight(*DUEL)))
    told = swing(told, 15, 8).ruled("aachen.mortal.wound", "mortally wounded")
    told.then(Felled("Guard", "dying"), ConditionGained("Guard", "mortally wounded", "round-end", round=9))


def test_minor_npcs_die():
    """aachen.mortal.minor-dies"""
    told = swing(fight(adalger(weapons=[SWORD]), guard(minor=True)), 15, 8)
    told.ruled("aachen.mortal.minor-dies", "dead", aside=True).then(Felled("Guard", "dead"))


def test_the_frail_die():
    """aachen.mortal.frail-dies"""
    told = passed(fight(adalger(), gerlind(frail=True, hp=2), guard()), "Adalger", "Gerlind")
    told = told.when(Attack("Guard", "Gerlind"), dice=[15, 2])
    told.ruled("aachen.mortal.frail-dies", "dead", aside=True).then(Felled("Gerlind", "dead"))


def test_nobody_survives_that():
    """aachen.mortal.unsurvivable: the game master says so, and nothing of the wound remains."""
    told = adjusted(swing(fight(*DUEL), 15, 8), "Guard", "down", "dead")
    told.then(ConditionEnded("Guard", "mortally wounded"))


def test_the_mortally_wounded_die():
    """aachen.mortal.death: fallen in round 3, dead at the end of round 9."""
    told = swing(next_round(next_round(fight(*DUEL, wolf()))), 15, 8)
    for _ in range(6):
        told = next_round(told)
        assert told.state.harm.down["Guard"].how == "dying"
    assert told.state.turns.round == 9
    told = next_round(told).ruled("aachen.mortal.death", "dies", [6])
    told.then(Felled("Guard", "dead"), ConditionEnded("Guard", "mortally wounded"))


def dying(fallen_in=3, **fields):
    """Adalger, mortally wounded in some round, with Gerlind beside him."""
    told = fight(adalger(hp=1), gerlind(**fields), wolf())
    for _ in range(fallen_in - 1):
        told = next_round(told)
    told = passed(told, "Adalger", "Gerlind").when(Attack("Wolf", "Adalger"), dice=[19, 3])
    assert told.state.harm.down["Adalger"].how == "dying"
    return told


def test_an_ally_stabilises():
    """aachen.mortal.stabilise: fallen in 3, tried in 5: difficulty 10; 6, 4 with Heal 0 and INT 0."""
    told = next_round(next_round(dying()))
    told = told.when(Heal("Gerlind", "Adalger"), dice=[6, 4])
    told.ruled("aachen.mortal.stabilise", "stable", [10, 10])
    told.then(ConditionEnded("Adalger", "mortally wounded"), ConditionGained("Adalger", "stable"))
    assert left(told, "Gerlind") == (0, 1)
    assert told.state.harm.down["Adalger"].how == "unconscious"
    for _ in range(9):
        told = next_round(told)
    assert told.state.harm.down["Adalger"].how == "unconscious"


def test_stabilising_may_fail_or_take_dexterity():
    """aachen.mortal.stabilise: 5, 4 fails; DEX +1 makes it 10."""
    told = next_round(next_round(dying()))
    told.when(Heal("Gerlind", "Adalger"), dice=[5, 4]).ruled("aachen.mortal.stabilise", "fails", [9, 10])
    told.when(Heal("Gerlind", "Adalger", attr="DEX"), dice=[5, 4]).ruled("aachen.mortal.stabilise", "stable", [10, 10])


def test_only_the_mortally_wounded_are_stabilised():
    """aachen.mortal.stabilise: neither the sound nor the stable."""
    told = next_round(dying())
    told.refused(Heal("Gerlind", "Wolf"), "aachen.mortal.stabilise")
    told = next_round(told.when(Heal("Gerlind", "Adalger"), dice=[6, 4]))
    told.refused(Heal("Gerlind", "Adalger"), "aachen.mortal.stabilise")


def stable():
    """Adalger, stable, after the fight."""
    return next_round(dying()).when(Heal("Gerlind", "Adalger"), dice=[6, 4]).when(End())


def test_the_stable_revive():
    """aachen.mortal.revive: with 1 hp, and frail; the unstable do not."""
    told = stable().when(Rest("Adalger")).ruled("aachen.mortal.revive", "Adalger revives")
    told.then(HpGained("Adalger", 1, 1), Rose("Adalger"), ConditionGained("Adalger", "frail"))
    dying().refused(Rest("Adalger"), "aachen.mortal.revive")
    outside = given("aachen", adalger(), gerlind()).when(Adjust("Adalger", "hp", "0", "a fall"))
    with pytest.raises(Refused) as refused:
        outside.when(Rest("Adalger"))
    assert offered_by(refused.value) == "affray heal Gerlind Adalger"
    impossible(told, Rest("Gerlind"), "Rest does nothing for")


def test_nobody_rests_while_rounds_are_counted():
    """aachen.mortal.revive: ten minutes are a hundred rounds; aachen.mortal.frail-ends: a week is more."""
    told = next_round(dying()).when(Heal("Gerlind", "Adalger"), dice=[6, 4])
    told.refused(Rest("Adalger"), "aachen.mortal.revive")
    frail = adjusted(fight(*DUEL), "Adalger", "condition", "frail")
    frail.refused(Rest("Adalger", week=True), "aachen.mortal.frail-ends")


def test_frailty_ends_after_a_week():
    """aachen.mortal.frail-ends"""
    told = stable().when(Rest("Adalger"))
    impossible(told, Rest("Adalger"), "nothing")
    told.when(Rest("Adalger", week=True)).then(ConditionEnded("Adalger", "frail"))


def test_seven_days_are_the_week_that_ends_frailty():
    """aachen.mortal.week: six days are not; the stable revive before."""
    told = stable().when(Rest("Adalger", days=6)).ruled("aachen.mortal.week", "still frail", [6, 7])
    told.then(Rose("Adalger"), ConditionGained("Adalger", "frail"))
    assert told.state.conditions.has("Adalger", "frail")
    told = told.when(Rest("Adalger", days=7)).ruled("aachen.mortal.week", "", [7, 7])
    told.then(ConditionEnded("Adalger", "frail"))
    told.when(Rest("Gerlind", days=7)).then(no(HpGained))


def test_magic_heals_at_once():
    """aachen.mortal.magic-healing: mortal, --magic 5: 5 hp and not frail; up to the maximum; and ends frailty."""
    told = next_round(dying()).when(Heal("Gerlind", "Adalger", magic=5))
    told.ruled("aachen.mortal.magic-healing", "", [5]).then(HpGained("Adalger", 5, 5), Rose("Adalger"))
    assert not has(told, "Adalger", "frail")
    assert not has(told, "Adalger", "mortally wounded")
    least = next_round(dying()).when(Heal("Gerlind", "Adalger", magic=1))
    least.then(HpGained("Adalger", 1, 1), Rose("Adalger"))
    told.when(Attack("Adalger", "Wolf"), dice=[2])
    frail = stable().when(Rest("Adalger")).when(Heal("Gerlind", "Adalger", magic=50))
    frail.then(HpGained("Adalger", 21, 22), ConditionEnded("Adalger", "frail"))
    told.when(Heal("Gerlind", "Gerlind", magic=5), allow="twice").then(no(HpGained))  # 11 of 11
    dead = adjusted(frail, "Adalger", "down", "dead")
    dead.refused(Heal("Gerlind", "Adalger", magic=5), "aachen.mortal.magic-healing")


def test_the_clock_stands_still_between_fights():
    """aachen.mortal.death: rounds are counted in encounters; two have passed, so four are left."""
    told = next_round(next_round(dying())).when(End())
    told.then(ConditionGained("Adalger", "mortally wounded", amount=2, modifies="difficulty"))
    told.when(Heal("Gerlind", "Adalger"), dice=[6, 4]).ruled("aachen.mortal.stabilise", "stable", [10, 10])
    told.when(Begin()).then(ConditionGained("Adalger", "mortally wounded", "round-end", round=4))


def test_the_game_master_starts_and_ends_a_mortal_wound():
    """aachen.mortal.wound, by the game master's word."""
    told = adjusted(fight(*DUEL), "Guard", "down", "dying")
    assert has(told, "Guard", "mortally wounded")
    assert not has(adjusted(told, "Guard", "down", "no"), "Guard", "mortally wounded")
    told = table(adalger(hp=0))
    assert told.state.harm.down["Adalger"].how == "dying"


# Shock


def test_shock_is_for_melee_only():
    """aachen.shock.melee-only: a thrown spear that misses does nothing."""
    told = fight(adalger(weapons=[{**SPEAR, "shock": [2, 13], "range": [20, 60]}]), SOFT)
    told.when(Shoot("Adalger", "Guard", distance=15), dice=[2]).then(no(HpLost))
    told.when(Shoot("Adalger", "Guard", distance=15), dice=[19, 1]).ruled(DAMAGE, "", [2])


def test_a_miss_does_shock():
    """aachen.shock.on-miss: 2 / AC 13, STR +1, against AC 13: 5 is 11, a miss, 3 damage."""
    told = swing(fight(adalger(weapons=[SWORD]), SOFT), 5)
    told.ruled("aachen.attack.hit-test", "miss", [11, 13]).ruled("aachen.shock.on-miss", "", [3])
    told.then(HpLost("Guard", 3, 3))


@pytest.mark.parametrize(("die", "points"), [(1, 3), (2, 3), (3, 4)])
def test_a_hit_does_at_least_the_shock(die, points):
    """aachen.shock.on-hit: 1d8 + 1: 1 and 2 both do 3; 3 does 4."""
    swing(fight(adalger(weapons=[SWORD]), SOFT), 15, die).ruled(DAMAGE, "", [points])


def test_magic_adds_to_shock():
    """aachen.shock.modifiers: sword +1, 2 / AC 13, STR +1: 4; a Punch weapon adds Punch."""
    told = fight(adalger(weapons=[{**SWORD, "magic": 1}]), SOFT)
    swing(told, 2).ruled("aachen.shock.on-miss", "", [4])
    claws = {"name": "claws", "skill": "punch", "attr": "STR", "damage": "1d4", "shock": [1, 13]}
    told = fight(adalger(weapons=[claws], skills={"punch": 2}), SOFT)
    swing(told, 2).ruled("aachen.shock.on-miss", "", [4])


def test_shock_is_never_less_than_none():
    """aachen.damage.floor: 2 with STR +1, and -5 for the smoke."""
    told = swing(fight(adalger(weapons=[SWORD]), SOFT), 2, mod=("shock:-5:smoke",))
    told.ruled("aachen.shock.on-miss", "", [0]).then(no(HpLost))


def test_a_high_armor_class_lets_no_shock_through():
    """aachen.shock.ac-limit: AC 14 against 2 / AC 13: a miss 0, a hit with 1 does 2."""
    swing(fight(*DUEL), 2).ruled("aachen.shock.ac-limit", "no shock", [14, 13]).then(no(HpLost))
    swing(fight(*DUEL), 15, 1).ruled(DAMAGE, "", [2])


def test_a_shield_stops_the_first_shock_of_a_round():
    """aachen.shock.shield: two misses with 3 shock each: 0, then 3; next round 0 again."""
    brawl = (adalger(weapons=[SWORD]), adalger("Bero", weapons=[SWORD]), guard(ac=13, shield=True, hp_max=20))
    told = swing(fight(*brawl), 2).ruled("aachen.shock.shield", "no shock").then(no(HpLost))
    told = told.when(Attack("Bero", "Guard"), dice=[2]).then(HpLost("Guard", 3, 17))
    told = swing(next_round(told), 2).ruled("aachen.shock.shield", "no shock")
    swing(fight(*brawl), 15, 1).ruled(DAMAGE, "", [3])  # the least damage of a hit stays
    stowed = passed(fight(*brawl), "Adalger", "Bero").when(Stow("Guard", "shield"))
    swing(next_round(stowed), 2).then(HpLost("Guard", 3, 17))


def test_total_defense_stops_shock():
    """aachen.shock.total-defense: AC 11 + 2 is 13 against 2 / AC 13: 0 on a miss, no least damage on a hit."""
    told = fight(adalger(weapons=[SWORD]), guard(ac=11)).when(Defend("Guard"))
    swing(told, 2).ruled("aachen.shock.total-defense", "no shock").then(no(HpLost))
    swing(told, 15, 1).ruled(DAMAGE, "", [2])


# Execution attacks

ASSASSIN = (adalger(weapons=[DAGGER, {**SWORD, "ready": False}]), gerlind(), guard(ac=18, level=1))


def unaware(*joining, **options):
    """Before initiative, with a guard that suspects nothing."""
    return adjusted(begun(*joining, **options), "Guard", "condition", "unaware")


def kill(who, target="Guard", **words):
    return Attack(who, target, execution=True, **words)


def test_an_execution_is_prepared():
    """aachen.execution.preparation: a minute, against somebody unaware; before initiative, too."""
    told = unaware(*ASSASSIN)
    told.refused(kill("Adalger"), "aachen.execution.preparation")
    begun(*ASSASSIN).refused(kill("Adalger", prepared=True), "aachen.execution.preparation")
    told.when(kill("Adalger", prepared=True), dice=[2]).then(ConditionEnded("Guard", "unaware"))
    impossible(fight(*ASSASSIN), Attack("Adalger", "Guard", prepared=True), "belong to an execution")
    impossible(told, Attack("Adalger", "Guard", execution=True, snap=True), "neither a snap attack")


def test_an_execution_is_a_main_action():
    """aachen.execution.preparation: in a round it takes the main action; the surprised cannot."""
    told = adjusted(fight(*ASSASSIN), "Guard", "condition", "unaware").when(kill("Adalger", prepared=True), dice=[2])
    assert left(told, "Adalger") == (0, 1)
    told = unaware(*ASSASSIN).when(Surprise("pc", result="yes"))
    told.when(kill("Adalger", prepared=True), dice=[2])
    adjusted(told, "Adalger", "condition", "helpless").refused(kill("Guard", "Adalger"), "aachen.surprise.free-round")


def test_melee_executions_hit():
    """aachen.execution.melee: dagger, AC 18, no roll to hit."""
    told = unaware(*ASSASSIN).when(kill("Adalger", prepared=True), dice=[2])
    told.ruled("aachen.execution.melee", "hit")
    assert rolls(told) == [("Guard", "1d20", "saving throw")]
    unaware(*ASSASSIN).refused(kill("Adalger", prepared=True, distance=10), "aachen.melee.reach")


def test_ranged_executions_aim():
    """aachen.execution.ranged: extreme, 4, 3 + 1 + 1 is 9 of 10: no damage, and the target is warned."""
    told = unaware(*ASSASSIN)
    missed = told.when(kill("Gerlind", prepared=True, range_="extreme", with_="large bow"), dice=[4, 3])
    missed.ruled("aachen.execution.ranged", "miss", [9, 10]).then(ConditionEnded("Guard", "unaware"), no(HpLost))
    hit = told.when(kill("Gerlind", prepared=True, range_="normal", with_="large bow"), dice=[4, 3, 2])
    hit.ruled("aachen.execution.ranged", "hit", [9, 8]).then(Felled("Guard", "dying"))
    close = told.when(kill("Gerlind", prepared=True, range_="close", with_="large bow"), dice=[1, 3, 16])
    close.ruled("aachen.execution.ranged", "hit", [6, 6])
    impossible(told, kill("Gerlind", prepared=True, with_="large bow"), "How far")
    impossible(told, kill("Adalger", prepared=True, range_="close"), "not a ranged weapon")


def test_the_victim_saves():
    """aachen.execution.save: Guard's save is 15; Shoot 1: 15 is 14, mortally wounded; 16 saves."""
    told, shot = unaware(*ASSASSIN), kill("Gerlind", prepared=True, range_="close", with_="large bow")
    failed = told.when(shot, dice=[4, 3, 15]).ruled("aachen.execution.save", "failed", [14, 15])
    failed.then(HpLost("Guard", 6, 0), Felled("Guard", "dying"))
    told.when(shot, dice=[4, 3, 16]).ruled("aachen.execution.save", "saved", [15, 15])
    told.when(shot, dice=[4, 3, 20]).ruled("aachen.execution.maximum-damage")
    killed = told.when(shot, dice=[4, 3, 1]).ruled("aachen.execution.save", "failed", [0, 15])
    assert "aachen.execution.maximum-damage" not in [one.clause for one in killed.events if isinstance(one, Ruled)]


def test_anyone_who_saves_takes_the_most_damage():
    """aachen.execution.maximum-damage: bow 8 + 1."""
    told = unaware(adalger(), gerlind(weapons=[BOW]), guard(hp_max=20))
    told = told.when(kill("Gerlind", prepared=True, range_="close", with_="large bow"), dice=[4, 3, 16])
    told.ruled("aachen.execution.maximum-damage", "", [9]).then(HpLost("Guard", 9, 11))


def test_the_most_damage_of_weak_hands_is_none():
    """aachen.execution.maximum-damage, aachen.damage.floor: fists 2, STR -2, and untrained Punch."""
    told = unaware(adalger(weapons=[], attributes={"STR": 3, "DEX": 3}), gerlind(), guard())
    told = told.when(kill("Adalger", prepared=True), dice=[16])
    told.ruled("aachen.execution.maximum-damage", "", [0]).then(no(HpLost))


def test_the_helpless_do_not_save():
    """aachen.execution.helpless: mortally wounded, or dead if minor; without preparation."""
    told = adjusted(begun(*ASSASSIN), "Guard", "condition", "helpless").when(kill("Adalger"))
    told.ruled("aachen.execution.helpless", "no save").then(HpLost("Guard", 6, 0), Felled("Guard", "dying"))
    minor = adjusted(begun(adalger(weapons=[DAGGER]), guard(minor=True)), "Guard", "down", "unconscious")
    minor.when(kill("Adalger")).then(Felled("Guard", "dead"))


def test_the_execution_may_only_knock_out():
    """aachen.execution.save: --nonlethal; anyone who is only knocked out wakes up as it was."""
    told = unaware(*ASSASSIN).when(kill("Adalger", prepared=True, nonlethal=True), dice=[2])
    told.then(Felled("Guard", "unconscious"), no(HpLost))
    told.when(Rest("Guard")).then(Rose("Guard"), no(HpGained))
    assert not has(told.when(Rest("Guard")), "Guard", "frail")
    assert hp(told, "Guard") == 6


def test_a_blade_that_does_not_kill_makes_contact():
    """aachen.melee.contact: anyone who saves against a melee execution is 5 feet away; from afar nobody is."""
    told = unaware(*ASSASSIN).when(kill("Adalger", prepared=True), dice=[16])  # 4 + 1 of 6
    assert hp(told, "Guard") == 1
    assert contact(told, "Guard") == {"Adalger"}
    shot = kill("Gerlind", prepared=True, range_="close", with_="javelin")
    assert not contact(unaware(*ASSASSIN).when(shot, dice=[1, 1]), "Guard")


def test_an_execution_from_afar_is_a_shot():
    """aachen.ranged.reload: not with an empty crossbow; aachen.ranged.two-handed-in-contact: nor beside an enemy."""
    shot = kill("Gerlind", prepared=True, range_="close")
    told = unaware(gerlind(weapons=[CROSSBOW]), guard(), wolf())
    adjusted(told, "Gerlind", "engaged", "Wolf").refused(shot, "aachen.ranged.two-handed-in-contact")
    told = adjusted(told.when(shot, dice=[1, 1]), "Guard", "condition", "unaware")
    told.refused(shot, "aachen.ranged.reload")


def test_a_band_means_a_weapon_that_has_distances():
    """aachen.execution.ranged: a knife is thrown by DEX/Shoot: 3, 3 + 1 + 1, and saved against at -1 for Shoot 1."""
    knife = {**DAGGER, "range": [10, 30], "thrown": True}
    told = unaware(gerlind(weapons=[SWORD, knife]), guard()).when(
        kill("Gerlind", prepared=True, range_="normal"), dice=[3, 3, 15]
    )
    told.ruled("aachen.execution.ranged", "hit", [8, 8]).ruled("aachen.execution.save", "failed", [14, 15])


def test_an_execution_has_no_attack_roll():
    """aachen.execution.melee: so nothing changes it."""
    impossible(unaware(*ASSASSIN), kill("Adalger", prepared=True, mod=("adv",)), "no attack roll")
    impossible(unaware(*ASSASSIN), kill("Adalger", prepared=True, mod=("+2:dark",)), "no attack roll")


def test_an_execution_empties_a_crossbow():
    """aachen.ranged.reload"""
    told = unaware(adalger(), gerlind(weapons=[CROSSBOW]), guard())
    told = told.when(kill("Gerlind", prepared=True, range_="close", with_="crossbow"), dice=[6, 6, 2])
    assert has(told, "Gerlind", "crossbow empty")


# Two weapons


def test_two_weapons_need_training():
    """aachen.two-weapons.requirements: Stab 1, two one-handed melee weapons in hand, no shield."""
    clause = "aachen.two-weapons.requirements"
    pair = [SWORD, DAGGER]
    both = Attack("Adalger", "Guard", with_="sword", off_hand="dagger")
    fight(adalger(weapons=pair, skills={"stab": 0}), guard()).refused(both, clause)
    fight(adalger(weapons=pair, shield=True), guard()).refused(both, clause)
    fight(adalger(weapons=[SWORD, {**DAGGER, "hands": 2}]), guard()).refused(both, clause)
    fight(adalger(weapons=pair), guard()).refused(Attack("Adalger", "Guard", off_hand="sword"), clause)
    fight(adalger(weapons=[SWORD, {**DAGGER, "ready": False}]), guard()).refused(both, "aachen.attack.readied-weapon")


def test_two_weapons():
    """aachen.two-weapons.hit-penalty: 8 + 6 - 1; aachen.two-weapons.damage-bonus: 4 + 1 + 2.

    aachen.two-weapons.one-attack: one d20, one damage roll; aachen.two-weapons.no-shock-bonus: shock 3.
    """
    told = fight(adalger(weapons=[SWORD, DAGGER]), guard())
    swing(told, 8, off_hand="dagger").ruled("aachen.attack.hit-test", "miss", [13, 14])
    hit = swing(told, 9, 4, off_hand="dagger").ruled(DAMAGE, "", [7])
    assert [dice for _, dice, _ in rolls(hit)] == ["1d20", "1d8"]
    told = fight(adalger(weapons=[SWORD, DAGGER]), SOFT)
    swing(told, 2, off_hand="dagger").ruled("aachen.shock.on-miss", "", [3])


def test_an_opposition_that_acts_first():
    """aachen.damage.roll: the Guard's sword 5 on Gerlind, with no attribute at all."""
    told = opposed(gerlind(), guard()).when(Attack("Guard", "Gerlind"), dice=[12, 5])
    told.then(HpLost("Gerlind", 5, 6))


def test_a_guard_whom_the_game_master_takes_to_0_falls_as_by_a_blow():
    """aachen.mortal.wound"""
    told = fight(*DUEL).when(Adjust("Guard", "hp", "0", "a slip"))
    told.ruled("aachen.mortal.wound", "mortally wounded").then(Felled("Guard", "dying"))


# What adds to shock, and lasts


def test_what_the_game_master_adds_to_damage_adds_to_shock():
    """aachen.shock.modifiers: sword 2/13, STR +1, holy +2: 5 on a miss, and a hit for 1 + 1 + 2 does 5 as well."""
    told = fight(adalger(weapons=[SWORD]), guard(ac=13, hp_max=20))
    swing(told, 2, mod=("damage:2:holy",)).ruled("aachen.shock.on-miss", "", [5]).then(HpLost("Guard", 5, 15))
    swing(told, 15, 1, mod=("damage:2:holy",)).then(HpLost("Guard", 5, 15))
    swing(told, 2, mod=("shock:3:runes",)).then(HpLost("Guard", 6, 14))
    swing(told, 15, 2, mod=("shock:3:runes",)).then(HpLost("Guard", 6, 14))
    swing(told, 15, 8, mod=("shock:3:runes",)).then(HpLost("Guard", 9, 11))
    impossible(fight(gerlind(), guard()), Shoot("Gerlind", "Guard", 50, mod=("shock:1",)), "no 'shock' to modify")


def test_the_words_of_the_sheet_name_numbers():
    """aachen.attack.roll: attack and ac are hit and armor: 7 + 6 + 2 against 14 + 1."""
    told = fight(adalger(weapons=[SWORD]), guard())
    swing(told, 7, 1, mod=("attack:2:aim", "ac:1:wall")).ruled("aachen.attack.hit-test", "hit", [15, 15])


def test_an_effect_on_damage_lasts_some_rounds():
    """+2 damage for 2 rounds: 8 + 1 + 2 in the first and in the second, 8 + 1 in the third."""
    told = fight(adalger(weapons=[SWORD]), guard(hp_max=40))
    told = told.when(Effect(("Adalger",), "runes", 2, "damage", rounds=2))
    told = next_round(swing(told, 15, 8).then(HpLost("Guard", 11, 29)))
    told = next_round(swing(told, 2).then(no(HpLost))).then(ConditionEnded("Adalger", "runes"))
    swing(told, 15, 8).then(HpLost("Guard", 9, 20))


def test_effects_end_with_a_turn():
    """An effect until the end of a turn ends with that of the one who has it."""
    told = fight(adalger(weapons=[SWORD]), guard()).when(Effect(("Guard",), "daze", -2, "ac", until="turn-end"))
    told = passed(told, "Adalger")
    assert has(told, "Guard", "daze")
    passed(told, "Guard").then(ConditionEnded("Guard", "daze"))
    impossible(told, Effect(("Guard",), "x", 1, rounds=2, until="turn-end"), "for some rounds")
    impossible(table(guard()), Effect(("Guard",), "x", 1, rounds=2), "Rounds are counted")


def test_an_effect_that_waits_for_the_turn_of_one_who_is_gone_ends_with_the_round():
    """The second guard, whose turn would end it, is dead: the round ends it."""
    daze = Effect(("Guard",), "daze", -2, "ac", until="turn-start", whose="Other")
    told = fight(adalger(weapons=[SWORD]), guard(), guard(name="Other")).when(daze)
    told = told.when(Adjust(("Other",), "down", "dead", "a stone fell"))
    assert has(told, "Guard", "daze")
    next_round(told).then(ConditionEnded("Guard", "daze"))


def test_effects_on_checks_and_saves():
    """+1 to each: 2d6 3, 4 + 1 STR - 1 + 1 = 8; 1d20 11 + 1 against 16 - 1 - 4."""
    told = table(adalger()).when(Effect(("Adalger",), "luck", 1, "check"))
    told.when(Check("Adalger", "STR", "exert", 8), dice=[3, 4]).ruled("aachen.check.roll", "success", [8, 8])
    told = table(adalger()).when(Effect(("Adalger",), "faith", 1, "save"))
    told.when(Save("Adalger", "physical"), dice=[10]).ruled("aachen.save.roll", "saved", [11, 11])
    sure = table(adalger()).when(Effect(("Adalger",), "faith", 10, "save"))
    sure.when(Save("Adalger", "physical"), dice=[1]).ruled("aachen.save.roll", "failed", [11, 11])
    sure.when(Save("Adalger", "physical"), dice=[2]).ruled("aachen.save.roll", "saved", [12, 11])


# Hands and the shield


def test_a_shield_counts_while_it_is_in_hand():
    """aachen.shield.in-hand: AC 14 with it, 13 without it, 12 if the sheet says that it adds 2."""
    for bonus, ac in ((1, 13), (2, 12)):
        told = fight(adalger(weapons=[SWORD]), guard(shield=True, shield_bonus=bonus))
        swing(told, 2).ruled("aachen.attack.hit-test", "miss", [8, 14])
        told = told.when(Stow("Guard", "shield", drop=True))
        swing(told, 2).ruled("aachen.attack.hit-test", "miss", [8, ac])


def test_two_hands_and_a_shield():
    """aachen.attack.hands: no crossbow with a shield in hand; when it is dropped, the crossbow shoots."""
    told = fight(gerlind(weapons=[CROSSBOW], shield=True), guard())
    told.refused(Shoot("Gerlind", "Guard", 50), "aachen.attack.hands")
    told.when(Stow("Gerlind", "shield", drop=True)).when(Shoot("Gerlind", "Guard", 50), dice=[2])


def test_bare_hands_are_told():
    """aachen.attack.readied-weapon: a bow is nothing to strike with: 12 + 1 + 1 - 2 with bare hands, for 1 + 1."""
    told = fight(gerlind(), guard(ac=12)).when(Attack("Gerlind", "Guard"), dice=[12, 1])
    told.ruled("aachen.attack.readied-weapon", "Gerlind strikes with bare hands", aside=True)
    told.then(HpLost("Guard", 2, 4))


def test_damage_without_a_die_and_what_a_hit_does_besides():
    """aachen.damage.special: a sting of 1 point with STR +1 is 2, and its poison is told with the hit."""
    sting = {"name": "sting", "damage": "1", "special": "poison"}
    hit = swing(fight(adalger(weapons=[sting]), guard()), 15).ruled(DAMAGE, "", [2])
    hit.ruled("aachen.damage.special", "poison").then(HpLost("Guard", 2, 4))
    assert [dice for _, dice, _ in rolls(hit)] == ["1d20"]
    missed = swing(fight(adalger(weapons=[sting]), guard()), 2)
    assert not [event for event in missed.events if "aachen.damage.special" in getattr(event, "clause", ())]
