"""Spells and wands in the order of a round, and what disturbs them."""

import pytest

from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.concentration import closers
from commands.rules.arkm.formations import Pair
from commands.rules.arkm.gear import Draw
from commands.rules.arkm.meeting import Declare
from commands.rules.arkm.movement import Move, Retreat, Withdraw
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Pass, Phase
from commands.rules.arkm.stances import Parry
from ledger.events import ConditionEnded, ConditionGained, Counted, HpLost, Passage, PhaseBegan
from tests.kit import Told, no

from .rounds import battle, conditions, goblins, having, hero, mage, next_round, someone
from .table import fighting, impossible, marcus, melee, orcs, rolls
from .test_special import stunned


def duel(dice=(3, 5), phase: str = "movement", **options) -> Told:
    """A mage who saves against spells with 15, and two goblins."""
    return battle(mage(**options.pop("mage", {})), goblins(2), dice=dice, phase=phase, **options)


def closing(dice=(3, 5), **options) -> Told:
    """Goblin-1 comes up to the mage in the movement phase."""
    return duel(dice, **options).when(Move("Goblin-1", 30, ("Mage",)))


def test_a_spell_is_cast_in_the_magic_phase():
    """arkm.phase.magic-cast: its targets save then: 17 of 17 saves, 9 does not. Not in the melee phase."""
    told = duel().when(Cast("Mage", "web", target=("Goblin-1", "Goblin-2"), save="spells"), dice=[17, 9])
    told.then(PhaseBegan("magic")).ruled("arkm.phase.magic-cast", "web works")
    told.ruled("arkm.save.roll", "saved", [17, 17]).ruled("arkm.save.roll", "failed", [9, 17])
    duel(phase="melee").refused(Cast("Mage", "web"), "arkm.phase.magic-cast")


def test_only_spellcasters_cast():
    """arkm.spellcaster.who"""
    battle(hero(), goblins(), dice=[5, 2]).refused(Cast("Hero", "web"), "arkm.spellcaster.who")
    impossible(duel(), Cast("Mage"), "Which spell")


def test_a_caster_moves_10_feet_at_most():
    """arkm.phase.caster-ten-feet: 10 and a spell are allowed, 11 are not; a declared caster is refused 11."""
    told = duel((5, 3))
    told.when(Move("Mage", 10)).when(Cast("Mage", "sleep"))
    told.when(Move("Mage", 11)).refused(Cast("Mage", "sleep"), "arkm.phase.caster-ten-feet")
    told.when(Declare("mag", "cast sleep")).refused(Move("Mage", 11), "arkm.phase.caster-ten-feet")


def test_a_healing_spell_or_a_power_word_leaves_the_normal_move():
    """arkm.cast.healing-or-power-word-move: 60 of 120 feet; not for healing oneself; 61 are too many."""
    told = battle(marcus(), hero(), goblins(), dice=[5, 3], phase="movement")
    cure = Cast("Marcus", "cure", "healing", ("Hero",))
    told.when(Move("Marcus", 60)).when(cure).ruled("arkm.phase.magic-cast", "cure works")
    told.when(Move("Marcus", 60)).when(Cast("Marcus", "stun", "power-word"))
    told.when(Move("Marcus", 60)).refused(Cast("Marcus", "cure", "healing", ("Marcus",)), "arkm.phase.caster-ten-feet")
    told.when(Move("Marcus", 61, run=True)).refused(cure, "arkm.cast.healing-or-power-word-move")


def test_a_foe_with_better_initiative_who_closes_prevents_a_spell():
    """arkm.phase.threatened-caster: orcs 5, party 3; with the party ahead the caster is undisturbed."""
    closing().when(Phase("magic")).refused(Cast("Mage", "sleep"), "arkm.phase.threatened-caster")
    ahead = duel((5, 3)).when(Done()).when(Move("Goblin-1", 30, ("Mage",))).when(Phase("magic"))
    ahead.when(Cast("Mage", "sleep")).ruled("arkm.phase.magic-cast", "sleep works")


def test_only_a_standing_foe_who_came_near_in_this_round_has_closed_in():
    """arkm.phase.threatened-caster: Orc-1 was there before, Orc-2 comes, and Orc-3 is far away."""
    told = melee(fighting(marcus(), orcs(3), phase="movement", nth=2), ("Marcus", "Orc-1"))
    assert closers(View(told.state), "Marcus") == []
    told = told.when(Move("Orc-2", feet=20, to=("Marcus",)))
    assert closers(View(told.state), "Marcus") == ["Orc-2"]
    assert closers(View(told.when(Adjust("Orc-2", "down", "unconscious", "a stone")).state), "Marcus") == []
    assert closers(View(told.when(Adjust("Orc-2", "side", "party", "a charm")).state), "Marcus") == []


def test_by_the_option_any_foe_who_closes_prevents_it():
    """arkm.phase.threatened-caster, option caster_threat."""
    told = duel((5, 3), caster_threat="any").when(Done()).when(Move("Goblin-1", 30, ("Mage",))).when(Phase("magic"))
    told.refused(Cast("Mage", "sleep"), "arkm.phase.threatened-caster")


@pytest.mark.parametrize(("feet", "clause"), [(10, ""), (11, "arkm.in-melee.restricted-movement")])
def test_a_threatened_caster_who_has_moved_more_than_10_feet_does_not_get_away(feet: int, clause: str):
    """arkm.phase.threatened-caster-choices"""
    told = duel((5, 3), caster_threat="any").when(Move("Mage", feet)).when(Done())
    told = told.when(Move("Goblin-1", 30, ("Mage",))).when(Phase("magic"))
    away = Retreat("Mage", 60, no_pursuit_roll=True)
    told.refused(away, clause) if clause else told.when(away, dice=[6, 1])


def test_a_threatened_caster_gets_away_in_the_magic_phase():
    """arkm.phase.threatened-caster-choices: accepted from nobody else; or he draws and strikes."""
    told = closing(mage={"weapons": ["staff", "dagger"]}).when(Phase("magic"))
    away = told.when(Retreat("Mage", 60, no_pursuit_roll=True), dice=[6, 1])
    assert away.state.turns.phase == "magic"
    armed = told.when(Draw("Mage", "dagger"))
    armed = armed.when(Phase("melee")).when(Attack("Goblin-1", ("Mage",)), dice=[2])
    armed.when(Attack("Mage", ("Goblin-1",)), dice=[2])
    other = battle(hero(), mage(), goblins(2), dice=[3, 5], phase="movement")
    other = other.when(Move("Goblin-1", 30, ("Mage",))).when(Phase("magic"))
    other.refused(Withdraw("Hero", 20), "arkm.phase.movement-free")


def test_a_caster_who_is_meleed_cannot_cast():
    """arkm.cast.not-while-meleed: in melee since round 1; round 2 the party wins 6 to 1; the initiative is nothing."""
    told = next_round(closing(), 6, 1)
    told.refused(Cast("Mage", "sleep"), "arkm.cast.not-while-meleed")


def test_power_words_and_touch_cannot_be_disturbed():
    """arkm.cast.power-word-or-touch: in melee, shot and tied: no save; a touch obeys the 10 feet."""
    told = having(next_round(closing(), 3, 5), "Mage", "nothing")
    assert rolls(told.when(Cast("Mage", "harm", "touch", ("Goblin-1",)))) == []
    assert rolls(told.when(Cast("Mage", "stun", "power-word", ("Goblin-1",)))) == []
    far = duel((5, 3)).when(Move("Mage", 20))
    far.refused(Cast("Mage", "harm", "touch", ("Goblin-1",)), "arkm.phase.caster-ten-feet")


def test_movement_spells_are_cast_in_melee():
    """arkm.cast.movement-spells: no save for foes in reach; one for missiles remains."""
    told = next_round(closing(), 3, 5)
    assert rolls(told.when(Cast("Mage", "fly", "movement"))) == []
    tied = closing((4, 4)).when(Phase("magic"))
    assert rolls(tied.when(Cast("Mage", "fly", "movement"))) == []
    hurt = shot(2).when(Cast("Mage", "fly", "movement"), dice=[14, 3])
    hurt.ruled("arkm.concentration.lost-or-miscast", "lost")


def test_against_a_tied_foe_the_caster_saves():
    """arkm.concentration.tied-initiative: 15 casts; 14 fails; then a D6: 3 is lost, 4 miscast.

    arkm.concentration.lost-or-miscast
    """
    told = closing((4, 4)).when(Phase("magic"))
    cast = told.when(Cast("Mage", "sleep"), dice=[15]).ruled("arkm.concentration.tied-initiative")
    cast.ruled("arkm.phase.magic-cast", "sleep works")
    told.when(Cast("Mage", "sleep"), dice=[14, 3]).ruled("arkm.concentration.lost-or-miscast", "lost", [3, 3])
    told.when(Cast("Mage", "sleep"), dice=[14, 4, 1]).ruled("arkm.concentration.lost-or-miscast", "miscast", [4, 3])


def shot(*damages: int, dice=(5, 3), **options) -> Told:
    """The mage was hit by short bows for these points."""
    archers = someone("Archer", "foes", 3, weapons=["short-bow"], hp_max=5)
    told = battle(mage(**options.pop("mage", {})), archers, dice=dice, phase="missile", **options)
    told = told.when(Done()) if dice[0] > dice[1] else told
    for nth, points in enumerate(damages, 1):
        mod = {} if points else {"mod": ("damage:-9",)}
        roll = [19, points] if points else [19, 1]
        told = told.when(Shoot(f"Archer-{nth}", "Mage", range_="medium", **mod), dice=roll)
    return told.when(Phase("magic", pass_rest=True))


def test_a_caster_hurt_by_missiles_saves_once():
    """arkm.concentration.missile-damage: arrows of 2 and 3: one save of 16 against 15; by the option one for each."""
    told = shot(2, 3).when(Cast("Mage", "sleep"), dice=[16]).ruled("arkm.concentration.missile-damage")
    told.ruled("arkm.phase.magic-cast", "sleep works")
    each = shot(2, 3, missile_saves="per-hit").when(Cast("Mage", "sleep"), dice=[16, 14, 2])
    each.ruled("arkm.concentration.lost-or-miscast", "lost")


def test_a_hit_that_costs_nothing_asks_for_no_save():
    """arkm.concentration.missile-damage: needed 21, a natural 20 of 1 less 1 is 0."""
    archer = someone("Archer", "foes", weapons=["short-bow"])
    told = battle(mage(ac=-2), archer, dice=[5, 3], phase="missile")
    told = (
        told.when(Done())
        .when(Shoot("Archer", "Mage", range_="medium"), dice=[20, 1])
        .then(no(HpLost))
        .when(Phase("magic"))
    )
    assert rolls(told.when(Cast("Mage", "sleep"))) == []


def test_the_save_for_the_tie_comes_first():
    """arkm.concentration.missile-damage: if it fails the other is not rolled."""
    archers = someone("Archer", "foes", 2, weapons=["short-bow", "dagger"], hp_max=5)
    told = battle(mage(), archers, dice=[4, 4], phase="movement").when(Move("Archer-1", 30, ("Mage",)))
    told = told.when(Shoot("Archer-2", "Mage", range_="medium"), dice=[19, 2]).when(Phase("magic"))
    assert len(rolls(told.when(Cast("Mage", "sleep"), dice=[15, 15]))) == 2
    assert len(rolls(told.when(Cast("Mage", "sleep"), dice=[14, 1]))) == 2


def maintaining(dice=(5, 3)) -> Told:
    """The mage has cast a spell that lasts while he concentrates; the second round."""
    return next_round(duel((5, 3)).when(Cast("Mage", "wall", concentration=True)), *dice)


def test_a_spell_is_kept_up_each_round():
    """arkm.concentration.maintained: or it ends with the magic phase."""
    told = maintaining().when(Cast("Mage", maintain=True)).ruled("arkm.concentration.maintained", "wall goes on")
    assert "maintaining" in conditions(told.when(Phase("melee")), "Mage")
    lapsed = maintaining().when(Phase("melee", pass_rest=True)).ruled("arkm.concentration.maintained", "wall ends")
    assert "maintaining" not in conditions(lapsed, "Mage")
    impossible(duel(), Cast("Mage", maintain=True), "maintains no spell")


def test_the_10_feet_do_not_bind_one_who_maintains():
    """arkm.concentration.maintained, arkm.phase.caster-ten-feet"""
    maintaining().when(Move("Mage", 40)).when(Cast("Mage", maintain=True)).ruled(
        "arkm.concentration.maintained", "wall goes on"
    )


def test_who_struggles_maintains_only_what_is_cast_in_melee():
    """arkm.grapple.struggling, arkm.concentration.maintained"""
    told = having(maintaining(), "Mage", "struggling", until="encounter-end", whom=("Goblin-1",))
    told.refused(Cast("Mage", maintain=True), "arkm.grapple.struggling")
    told.when(Cast("Mage", maintain=True, kind="movement")).ruled("arkm.concentration.maintained", "wall goes on")


def test_a_failed_save_ends_what_is_maintained():
    """arkm.concentration.maintained: a stone of 2, SPELLS 15: 14 ends it, without a D6; 15 keeps it up."""
    slinger = someone("Slinger", "foes", weapons=["sling"])
    told = battle(mage(), slinger, dice=[5, 3], phase="movement").when(Pass(("Slinger",)))
    told = next_round(told.when(Cast("Mage", "wall", concentration=True)), 5, 3).when(Phase("missile")).when(Done())
    told = told.when(Shoot("Slinger", "Mage", range_="medium"), dice=[19, 2])
    ended = told.when(Cast("Mage", maintain=True), dice=[14]).then(ConditionEnded("Mage", "maintaining"))
    assert len(rolls(ended)) == 1
    kept = told.when(Cast("Mage", maintain=True), dice=[15]).ruled("arkm.concentration.maintained", "wall goes on")
    kept.then(Counted("Mage", "maintained", 1))


@pytest.mark.parametrize(("natural", "goes"), [(20, "goes on"), (1, "ends")])
def test_by_the_option_a_natural_20_keeps_up_a_spell_and_a_1_ends_it(natural: int, goes: str):
    """arkm.save.roll: save_naturals; SPELLS 20 and 2."""
    slinger = someone("Slinger", "foes", weapons=["sling"])
    caster = mage(saves={"spells": max(natural, 2)})
    told = battle(caster, slinger, dice=[5, 3], phase="movement", save_naturals=True).when(Pass(("Slinger",)))
    told = next_round(told.when(Cast("Mage", "wall", concentration=True)), 5, 3).when(Phase("missile")).when(Done())
    told = told.when(Shoot("Slinger", "Mage", range_="medium"), dice=[19, 2])
    told.when(Cast("Mage", maintain=True), dice=[natural]).ruled("arkm.concentration.maintained", f"wall {goes}")


def test_a_foe_in_melee_ends_what_is_maintained():
    """arkm.concentration.maintained: where a spell would be refused."""
    told = maintaining((3, 5)).when(Move("Goblin-1", 30, ("Mage",)))
    told.when(Cast("Mage", maintain=True)).ruled("arkm.concentration.maintained", "wall ends, for foes in melee")


def test_the_stunned_maintain_nothing():
    """arkm.concentration.maintained: it ends at once; if a tie caused it, at the end of the magic phase."""
    told = stunned(maintaining(), "Mage", 1, "Goblin-1").then(ConditionEnded("Mage", "maintaining"))
    tied = stunned(maintaining((4, 4)), "Mage", 1, "Goblin-1").then(no(ConditionEnded))
    tied = tied.when(Cast("Mage", maintain=True)).ruled("arkm.concentration.maintained", "wall goes on")
    tied.when(Phase("melee")).then(ConditionEnded("Mage", "maintaining"))
    assert told.state.turns.round == 2


def miscast(die: int, *more: int, **fields) -> Told:
    """The mage's spell is miscast: 14 against 15, then 4, then the table's die."""
    told = closing((4, 4)).when(Phase("magic"))
    return told.when(Cast("Mage", "ray", **fields), dice=[14, 4, die, *more])


def test_dazed_no_spell_in_the_next_round():
    """arkm.miscast.table, 1"""
    told = miscast(1).then(ConditionGained("Mage", "dazed", "round-end", round=2))
    second = next_round(told, 6, 1)
    second.refused(Cast("Mage", "stun", "power-word"), "arkm.miscast.table")
    next_round(second, 6, 1).when(Cast("Mage", "stun", "power-word"))


def test_backlash_hurts_by_the_level():
    """arkm.miscast.table, 2: 3 points for a spell of level 3."""
    miscast(2, level=3).then(HpLost("Mage", 3, 9))


def test_a_miscast_may_stun():
    """arkm.miscast.table, 3: for 1 round."""
    told = miscast(3).then(ConditionGained("Mage", "stunned", "round-end", round=2))
    told.refused(Parry("Mage"), "arkm.stunned.no-attack-no-defence")


@pytest.mark.parametrize(("die", "word"), [(4, "on the caster, or centred on them"), (6, "at half strength")])
def test_the_rest_is_the_game_masters(die, word):
    """arkm.miscast.table, 4 and 6"""
    told = miscast(die)
    assert any(word in getattr(event, "outcome", "") for event in told.events)


def test_a_wild_spell_takes_effect_on_somebody():
    """arkm.miscast.table, 5: one even die over those present."""
    miscast(5, 2).ruled("arkm.miscast.table", "it takes effect on Goblin-1")
    miscast(5, 2, near=("Mage", "Goblin-2")).ruled("arkm.miscast.table", "it takes effect on Goblin-2")
    assert rolls(miscast(5, 1, near=("Goblin-1", "Goblin-2")))[-1] == ("Mage", "wild spell", (1,))
    first = miscast(5, 1, near=("Goblin-2", "Mage")).ruled("arkm.miscast.table", "it takes effect on Goblin-2")
    assert [event.target for event in first.events if isinstance(event, Passage)] == ["Goblin-2"]


def test_a_wand_in_hand_fires_in_the_missile_phase():
    """arkm.phase.wand-in-hand: drawn in round 1; round 2 in the missile phase, and in no other."""
    told = next_round(duel((5, 3)).when(Draw("Mage", "wand")), 5, 3)
    told.when(Cast("Mage", "wand", wand=True)).then(PhaseBegan("missile")).ruled(
        "arkm.phase.wand-in-hand", "wand fires"
    )
    told.when(Cast("Mage", "wand", wand=True, level=2)).ruled("arkm.phase.wand-in-hand", "wand fires", [2])
    told.when(Phase("magic")).refused(Cast("Mage", "wand", wand=True), "arkm.phase.wand-in-hand")
    impossible(duel(), Cast("Mage", "wand", wand=True), "no such wand")


def test_a_wand_just_drawn_fires_in_the_magic_phase():
    """arkm.phase.wand-just-drawn: refused in the missile phase."""
    told = duel((5, 3)).when(Draw("Mage", "wand")).when(Phase("missile"))
    told.refused(Cast("Mage", "wand", wand=True), "arkm.phase.wand-just-drawn")
    told.when(Phase("magic")).when(Cast("Mage", "wand", wand=True)).ruled("arkm.phase.wand-just-drawn", "wand fires")


def test_a_wand_needs_no_caster_and_fears_no_foe():
    """arkm.spellcaster.who: only its phase binds it: not the 10 feet, not foes in melee."""
    wand = {"id": "wand", "kind": "wand"}
    told = battle(hero(weapons=[wand]), goblins(), dice=[5, 3], phase="movement").when(Move("Hero", 60))
    told = melee(told, ("Hero", "Goblin"), rounds=1)
    fired = told.when(Cast("Hero", "wand", wand=True, target=("Goblin",), save="wands"), dice=[15])
    fired.ruled("arkm.save.roll", "saved", [15, 15])


def test_a_spell_is_the_action_of_the_round():
    """arkm.phase.order"""
    told = melee(duel((5, 3)).when(Cast("Mage", "sleep")).when(Phase("melee")), ("Mage", "Goblin-1"), rounds=0)
    told.refused(Attack("Mage", ("Goblin-1",)), "arkm.phase.order")


def test_a_wand_fires_at_any_time_of_a_paired_fight():
    """arkm.paired.no-phases: the large fight is in its melee phase."""
    told = duel((5, 3)).when(Pair(("Mage",), ("Goblin-1",))).when(Draw("Mage", "wand"))
    told = next_round(told, 3, 6, 1).when(Phase("melee"))
    told.when(Cast("Mage", "wand", wand=True)).ruled("arkm.phase.wand-in-hand", "wand fires")


def test_a_new_spell_ends_the_one_that_was_maintained():
    """arkm.concentration.maintained: who casts another does not keep up the first."""
    told = maintaining().when(Cast("Mage", "web", concentration=True))
    told.ruled("arkm.concentration.maintained", "wall ends")
    assert told.state.conditions.of["Mage"]["maintaining"].whom == ("web",)
