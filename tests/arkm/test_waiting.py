"""Nobody loses a place, a shot, a spell or a blow in silence."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.action.dice_sources import Dice
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.board import acting, header, row
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.charge import Charge
from commands.rules.arkm.gear import Draw
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Pass, Phase, Round
from ledger.errors import Refused
from ledger.events import Moved, PhaseBegan, RoundBegan, TurnBegan
from tests.hints import commands, offered_by
from tests.kit import Told, no

from .rounds import battle, goblins, hero, mage, next_round, someone
from .table import melee

ARCHER = {"weapons": ["short-bow"]}


def archers(**fields) -> Join:
    """An archer of the party."""
    return someone("Archer", group="party", **ARCHER, **fields)


def brawl(dice=(5, 2)) -> Told:
    """The hero and Ada of the party, each with a goblin in melee, in the melee phase; the party is first."""
    told = battle(hero(), hero(name="Ada"), goblins(2), dice=dice, phase="melee")
    return melee(told, ("Hero", "Goblin-1"), ("Ada", "Goblin-2"), rounds=2)


def refusal(told: Told, said) -> tuple[str, str]:
    """The clause that refuses something, and what is offered."""
    with pytest.raises(Refused) as refused:
        told.when(said)
    return refused.value.clause, commands(offered_by(refused.value))


def test_a_lower_group_does_not_strike_past_those_who_can_still_strike():
    """arkm.initiative.highest-first: party 5, goblins 2; the refusal names both, and passing lets the goblin strike."""
    first, blow = "arkm.initiative.highest-first", Attack("Goblin-1", ("Hero",))
    told = brawl().refused(blow, first)
    assert refusal(told, blow) == (first, "affray pass Hero,Ada")
    struck = told.when(Attack("Hero", ("Goblin-1",)), [2])
    assert refusal(struck, blow) == (first, "affray pass Hero,Ada")
    struck = struck.when(Pass(("Hero",)))
    assert refusal(struck, blow) == (first, "affray pass Ada")
    struck.when(Pass(("Ada",))).when(Attack("Goblin-1", ("Hero",)), [2]).then(TurnBegan("Goblin"))


def test_the_game_master_may_allow_it_and_nobody_loses_a_blow():
    """arkm.initiative.highest-first: it stays the place of the party; Goblin-2 still waits for it."""
    told = brawl().when(Attack("Goblin-1", ("Hero",)), [2], allow="they hesitate").then(no(TurnBegan))
    told.refused(Attack("Goblin-2", ("Ada",)), "arkm.initiative.highest-first")
    told = told.when(Attack("Ada", ("Goblin-2",)), [2]).when(Pass(("Ada",)))
    told = told.when(Attack("Hero", ("Goblin-1",)), [2]).when(Pass(("Hero",)))
    told.when(Attack("Goblin-2", ("Ada",)), [2]).then(TurnBegan("Goblin"))


def test_whom_the_game_master_lets_strike_in_an_earlier_phase_takes_nobodys_shot():
    """arkm.phase.order: the archer may still shoot when the Goblin strikes, and does."""
    told = melee(battle(archers(), hero(), goblins(2), dice=[5, 2], phase="missile"), ("Hero", "Goblin-1"), rounds=2)
    told.refused(Attack("Hero", ("Goblin-1",)), "arkm.phase.order")
    told = told.when(Attack("Hero", ("Goblin-1",)), [2], allow="quick").then(no(PhaseBegan))
    assert told.state.turns.phase == "missile"
    told.when(Pass(("Hero",))).when(Shoot("Archer", "Goblin-2", distance=60), [2])


def test_done_says_who_does_not_act_in_the_phase():
    """arkm.initiative.highest-first: of a place of several those who could still act are named first."""
    told = brawl()
    told.refused(Done(), "arkm.initiative.highest-first")
    told = told.when(Done(pass_rest=True)).ruled("arkm.initiative.highest-first", "does not strike")
    told.then(TurnBegan("Goblin"))


def test_one_who_has_a_place_alone_is_done_without_more_words():
    """arkm.initiative.highest-first"""
    told = melee(battle(hero(), goblins(2), dice=[5, 2], phase="melee"), ("Hero", "Goblin-1"), rounds=2)
    told.when(Done()).ruled("arkm.initiative.highest-first", "does not strike").then(TurnBegan("Goblin"))


def test_nobody_waits_for_one_who_cannot_act():
    """arkm.initiative.highest-first: the helpless, those in no melee and those who hold somebody lose no blow."""
    told = battle(hero(), hero(name="Ada"), goblins(2), dice=[5, 2], phase="melee")
    melee(told, ("Hero", "Goblin-1"), rounds=2).when(Pass(("Hero",))).when(Attack("Goblin-1", ("Hero",)), [2])


def test_nobody_waits_for_one_who_charged_and_ended_short():
    """arkm.charge.end-within-5: at 6 feet from its target the rider strikes nobody in this round, at 5 it does."""
    table = battle(hero(pc=False, can_charge=True), goblins(2), dice=[5, 2], phase="movement")
    at, short = (
        melee(table.when(Charge("Hero", "Goblin-1", 60, ends=ends)), ("Hero", "Goblin-2"), rounds=0) for ends in (5, 6)
    )
    at.when(Phase("melee")).refused(Attack("Goblin-2", ("Hero",)), "arkm.initiative.highest-first")
    short.when(Phase("melee")).when(Attack("Goblin-2", ("Hero",)), [2]).then(TurnBegan("Goblin"))


def test_a_lower_group_does_not_move_first():
    """arkm.initiative.highest-first: in the movement phase those in no melee who have not moved."""
    told = battle(hero(), goblins(), dice=[5, 2], phase="movement")
    told.refused(Move("Goblin", 30), "arkm.initiative.highest-first")
    told.when(Move("Hero", 10)).when(Move("Goblin", 30)).then(Moved("Goblin", "move", 0, measure="30 feet"))
    told.when(Done()).when(Move("Goblin", 30)).then(Moved("Goblin", "move", 0, measure="30 feet"))


def test_anyone_who_can_still_shoot_does_not_hold_up_the_movement_phase():
    """arkm.initiative.highest-first: the archer shoots later; a line says that his place in this phase went by."""
    told = battle(archers(), goblins(), dice=[5, 2], phase="movement").when(Move("Goblin", 30))
    told.ruled("arkm.initiative.highest-first", "does not move").then(TurnBegan("Goblin"))
    told.refused(Move("Archer", 30), "arkm.initiative.highest-first").when(Phase("missile"))


def test_those_of_a_side_pass_who_have_not_acted():
    """arkm.phase.order: the hero has struck, and Ada passes with the rest of the party."""
    told = brawl().when(Attack("Hero", ("Goblin-1",)), [2]).when(Pass(("@party",)))
    assert told.state.counts.of("Ada", "acted") == {"pass": 1}
    assert told.state.counts.of("Hero", "acted") == {"attack": 1}
    told.when(Attack("Goblin-1", ("Hero",)), [2])


def test_a_lower_group_does_not_shoot_or_cast_first():
    """arkm.initiative.highest-first: an archer with a loaded bow, a caster whom nobody prevents."""
    told = battle(archers(), someone("Bowman", "foes", **ARCHER), dice=[5, 2], phase="missile")
    told.refused(Shoot("Bowman", "Archer", range_="medium"), "arkm.initiative.highest-first")
    casters = battle(mage(), mage(name="Witch", side="foes", pc=False), dice=[5, 2], phase="magic")
    casters.refused(Cast("Witch", "sleep"), "arkm.initiative.highest-first")
    casters.when(Done()).when(Cast("Witch", "sleep"))


def test_a_phase_is_not_left_while_it_is_somebodys_last_chance():
    """arkm.phase.order: the archer's shot, and then the mage's spell; a fighter near a foe has the melee phase."""
    told = battle(archers(), mage(), hero(), goblins(), dice=[5, 2], phase="missile")
    told = melee(told, ("Hero", "Goblin"), rounds=2)
    told.refused(Phase("melee"), "arkm.phase.order").refused(Attack("Hero", ("Goblin",)), "arkm.phase.order")
    assert refusal(told, Attack("Hero", ("Goblin",))) == ("arkm.phase.order", "affray phase melee --pass-rest")
    shot = told.when(Shoot("Archer", "Goblin", range_="medium"), [2, 6])
    shot.refused(Phase("melee"), "arkm.phase.order")
    left = shot.when(Phase("melee", pass_rest=True)).ruled("arkm.phase.order", "does not cast")
    left.then(PhaseBegan("melee"))


def test_the_magic_phase_is_not_left_while_a_spell_is_kept_up_in_it():
    """arkm.concentration.maintained, arkm.phase.caster-ten-feet: the mage has moved 30 feet, which stops a new spell
    alone, and may keep up the old one; it ends when the phase is left.
    """
    told = battle(mage(), goblins(), dice=[5, 2], phase="magic").when(Cast("Mage", "light", concentration=True))
    told = next_round(told, 5, 2).when(Move("Mage", 30)).when(Phase("magic", pass_rest=True))
    assert "Mage" in acting(View(told.state))
    told.refused(Phase("melee"), "arkm.phase.order").refused(Cast("Mage", "sleep"), "arkm.phase.caster-ten-feet")
    told.when(Cast("Mage", maintain=True)).when(Phase("melee"))
    told.when(Phase("melee", pass_rest=True)).ruled("arkm.concentration.maintained", "light ends")


def test_a_spell_that_is_kept_up_is_asked_for_though_its_caster_could_strike():
    """arkm.concentration.maintained: a goblin of equal initiative has closed in, and nothing is prevented."""
    told = battle(mage(), goblins(), dice=[5, 2], phase="magic").when(Cast("Mage", "light", concentration=True))
    told = next_round(told, 4, 4).when(Move("Goblin", 30, to=("Mage",))).when(Phase("magic", pass_rest=True))
    told.refused(Phase("melee"), "arkm.phase.order")


def test_a_wand_just_drawn_is_waited_for_in_the_magic_phase():
    """arkm.phase.wand-just-drawn: not in the missile phase, in which it does not fire."""
    arms = ["sword", {"id": "wand", "kind": "wand"}]
    told = battle(hero(weapons=arms), goblins(), dice=[5, 3], phase="movement").when(Draw("Hero", "wand"))
    told = told.when(Phase("missile")).when(Phase("magic"))
    told.refused(Phase("melee"), "arkm.phase.order").when(Cast("Hero", "wand", wand=True)).when(Phase("melee"))


def test_anyone_who_does_not_move_loses_no_action():
    """arkm.phase.order: a swordsman who stands still does not hold up the missile phase."""
    battle(hero(), goblins(), dice=[5, 2], phase="movement").when(Phase("missile"))


def test_a_round_does_not_end_before_everybody_has_struck():
    """arkm.phase.next-initiative: --pass-rest lets them, and says whose blow it was."""
    told = brawl().refused(Round(), "arkm.phase.next-initiative")
    assert refusal(told, Round()) == ("arkm.phase.next-initiative", "affray round --pass-rest")
    after = told.when(Round(pass_rest=True), [3, 4]).then(RoundBegan(2))
    after.ruled("arkm.phase.next-initiative", "does not strike")
    told.when(Pass(("Hero", "Ada", "Goblin-1", "Goblin-2"))).when(Round(), [3, 4]).then(RoundBegan(2))


def test_what_is_offered_in_place_of_an_action_holds_its_dice():
    """arkm.phase.next-initiative: the dice of initiative that were typed with `round` stand behind --pass-rest."""
    with pytest.raises(Refused) as refused:
        brawl().when(Round(), [3, 4])
    assert "affray round --pass-rest --dice 3,4" in offered_by(refused.value).splitlines()


def test_attacks_left_are_not_lost_in_silence():
    """arkm.attacks.all-at-one-time: a hero of level 3 has struck once of three times when Ada acts."""
    told = brawl().when(Attack("Hero", ("Goblin-1",)), [2])
    assert refusal(told, Attack("Ada", ("Goblin-2",))) == ("arkm.attacks.all-at-one-time", "affray pass Hero")
    told.when(Pass(("Hero",))).ruled("arkm.attacks.all-at-one-time", "Hero loses 2 attacks")
    anyway = told.when(Attack("Ada", ("Goblin-2",)), [2], allow="they are late")
    anyway.ruled("arkm.attacks.all-at-one-time", "Hero loses 2 attacks")


def test_anyone_who_shot_before_moving_moves_in_the_missile_phase_alone():
    """arkm.phase.reversed-for-archers: the move opens the missile phase, in which the goblins' archer still shoots."""
    told = battle(archers(), someone("Bowman", "foes", **ARCHER), dice=[5, 2], phase="movement")
    told = told.when(Shoot("Archer", "Bowman", range_="medium", reversed_=True), [2])
    moved = told.when(Move("Archer", 30)).then(PhaseBegan("missile"), Moved("Archer", "move", 0, measure="30 feet"))
    moved.when(Shoot("Bowman", "Archer", range_="medium"), [2])
    late = next_round(told, 5, 2).when(Phase("movement"))
    late.when(Move("Archer", 30)).then(Moved("Archer", "move", 0, measure="30 feet"))


def test_newcomers_act_last_and_are_named_in_the_order():
    """arkm.initiative.highest-first: who comes in the melee phase acts after all; of a place only who stands begins."""
    told = brawl().when(Join(({"name": "Ork", "side": "foes", "hp_max": 5, "hd": "1"},)))
    told = told.when(Join(({"name": "Wolf", "side": "foes", "hp_max": 5, "hd": "2"},)))
    assert header(View(told.state))[1] == "Initiative: *party*, Goblin, Ork and Wolf"
    told = told.when(Done(pass_rest=True)).when(Adjust("Ork", "down", "dead", "the test"))
    told = told.when(Done(pass_rest=True)).then(TurnBegan("Wolf"))
    assert header(View(told.state))[1] == "Initiative: party, Goblin, *Wolf*"
    late = told.when(Join(({"name": "Bat", "side": "foes", "hp_max": 2, "hd": "1/2"},)))
    assert header(View(late.state))[1] == "Initiative: party, Goblin, *Wolf and Bat*"


def test_a_side_that_joins_a_fight_is_told_to_be_an_enemy():
    """As when an encounter begins: goblins and wolves are at odds; a second wolf is no news."""
    told = brawl()
    for expected in (1, 0):
        join = Join(({"name": "Wolf", "side": "beasts", "hp_max": 5, "hd": "2"},), called=f"Wolf-{expected}")
        fight = resolve(Resolution(told.state, "join", join, Dice(faces=())))
        assert len(fight.notes) == expected
        told = told.when(join)


def test_a_blow_that_was_struck_is_due_no_more():
    """arkm.initiative.tie-simultaneous: a goblin of 1 hit point, slain in a tie, has it until it strikes: d20 2."""
    told = melee(battle(hero(), goblins(1, hp_max=1), dice=(4, 4), phase="melee"), ("Hero", "Goblin"), rounds=2)
    slain = told.when(Attack("Hero", ("Goblin",)), [19, 6])
    assert row(View(slain.state), "Goblin")["state"] == "last blow"
    struck = slain.when(Attack("Goblin", ("Hero",)), [2])
    assert row(View(struck.state), "Goblin")["state"] == ""
