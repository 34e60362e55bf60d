"""Instants that answer dice: total defense after the roll, and fighter's luck."""

import pytest

from commands.action.dice_sources import Dice
from commands.past.acts import Act
from commands.past.order import Course
from commands.rules.aachen.encounter import Begin, End, Surprise
from commands.rules.aachen.instants import Defend, Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rounds import Done, Initiative
from commands.rules.aachen.struggles import Push
from ledger.errors import AffrayError, Refused
from ledger.events import Declared, Felled, HpLost
from tests.kit import no

from .table import (
    SWORD,
    adalger,
    adjusted,
    begun,
    fight,
    gerlind,
    guard,
    has,
    hp,
    left,
    next_round,
    opposed,
    passed,
    rolls,
    wolf,
)

TRIO = (adalger(weapons=[SWORD]), gerlind(), guard())
AFTER = "aachen.actions.instant-after-roll"
HIT = "aachen.attack.hit-test"
LUCK = Trigger("Adalger", luck=True)


def struck(*joining, die=13, damage=6, target="Gerlind", **options):
    """Guard hits, in the first turn of the fight."""
    return opposed(*(joining or TRIO), **options).when(Attack("Guard", target), dice=[die, damage])


# Total defense after the roll


def test_a_defense_after_the_roll():
    """aachen.actions.instant-after-roll: 14 hits AC 13 for 6; against AC 15 it misses, and the 6 return."""
    told = struck()
    assert hp(told, "Gerlind") == 5
    told = told.when(Defend("Gerlind", after_roll=True)).ruled(HIT, "miss", [14, 15]).then(no(HpLost))
    assert hp(told, "Gerlind") == 11
    assert left(told, "Gerlind") == (0, 1)
    assert left(told, "Guard") == (0, 1)


def test_a_defense_against_shock_after_the_roll():
    """aachen.actions.instant-after-roll, aachen.shock.total-defense: AC 11, a miss with 2 shock."""
    told = opposed(gerlind(ac=11), guard()).when(Attack("Guard", "Gerlind"), dice=[2])
    assert hp(told, "Gerlind") == 9
    assert hp(told.when(Defend("Gerlind", after_roll=True)), "Gerlind") == 11


def test_a_hit_that_stays_a_hit():
    """aachen.actions.instant-after-roll: 20 + 1 hits AC 15 as well, on the same damage dice."""
    told = struck(die=20).when(Defend("Gerlind", after_roll=True))
    told.ruled("aachen.attack.natural-20", "hit", [21, 15])
    assert hp(told, "Gerlind") == 5


def test_even_the_fatal_attack_is_answered():
    """aachen.actions.instant-after-roll: an exception to aachen.damage.out-of-action."""
    told = struck(gerlind(hp=6), guard())
    told.then(Felled("Gerlind", "dying"))
    told = told.when(Defend("Gerlind", after_roll=True))
    assert told.state.stands("Gerlind")
    assert hp(told, "Gerlind") == 6


def test_too_late():
    """aachen.actions.instant-after-roll: another action has come since, or it was no attack on her."""
    told = struck()
    told.when(Done()).refused(Defend("Gerlind", after_roll=True), AFTER)
    told.refused(Defend("Adalger", after_roll=True), AFTER)
    opposed(*TRIO).refused(Defend("Gerlind", after_roll=True), AFTER)


def test_a_defense_after_the_roll_costs_the_main_action():
    """aachen.actions.total-defense: refused when it is spent."""
    told = fight(*TRIO).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told = passed(told, "Adalger").when(Attack("Guard", "Gerlind"), dice=[13, 6])
    told.refused(Defend("Gerlind", after_roll=True), "aachen.actions.total-defense")


# Fighter's luck


def test_luck_turns_a_miss():
    """aachen.fighters-luck.miss-to-hit: 3 shock on AC 13; luck, 7: 8 in all, not 11."""
    told = fight(adalger(weapons=[SWORD]), guard(ac=13, hp_max=20))
    told = told.when(Attack("Adalger", "Guard"), dice=[5])
    assert hp(told, "Guard") == 17
    told = told.when(LUCK, dice=[7]).ruled("aachen.fighters-luck.miss-to-hit", "luck makes it a hit")
    assert hp(told, "Guard") == 12
    assert has(told, "Adalger", "without luck")
    assert not told.state.pending.waiting


def test_luck_turns_a_hit():
    """aachen.fighters-luck.hit-to-miss: Guard's sword for 5 on AC 15: 0, since 15 is above 13."""
    told = struck(die=15, damage=5, target="Adalger")
    assert hp(told, "Adalger") == 17
    told = told.when(LUCK).ruled("aachen.fighters-luck.hit-to-miss", "luck makes it a miss")
    told.ruled("aachen.shock.ac-limit", "no shock", [15, 13])
    assert hp(told, "Adalger") == 22


def test_a_hit_that_luck_turned_still_does_shock():
    """aachen.fighters-luck.hit-to-miss: it is a miss, and AC 13 lets shock through."""
    told = struck(adalger(ac=13), guard(), die=15, damage=5, target="Adalger").when(LUCK)
    assert hp(told, "Adalger") == 20


def test_luck_even_against_the_fatal_hit():
    """aachen.fighters-luck.hit-to-miss: it answers the attack that fells, a natural 20 too."""
    told = struck(adalger(hp=4), guard(), die=20, damage=5, target="Adalger").then(Felled("Adalger", "dying"))
    told = told.when(LUCK)
    assert told.state.stands("Adalger")
    assert hp(told, "Adalger") == 4


def test_luck_of_both():
    """aachen.fighters-luck.window: luck against luck: the miss becomes a hit, and that hit a miss again."""
    told = fight(adalger(weapons=[SWORD]), guard(luck=True, hp_max=20)).when(Attack("Adalger", "Guard"), dice=[2])
    told = told.when(LUCK, dice=[7])
    assert hp(told, "Guard") == 12
    told = told.when(Trigger("Guard", luck=True)).ruled("aachen.fighters-luck.hit-to-miss", "luck makes it a miss")
    assert hp(told, "Guard") == 20
    told.refused(LUCK, "aachen.fighters-luck.once")


def test_luck_is_answered_by_luck_in_either_order():
    """aachen.fighters-luck.window: the hit becomes a miss, and that own miss a hit again: 5 + 1."""
    told = fight(adalger(weapons=[SWORD]), guard(luck=True, hp_max=20)).when(Attack("Adalger", "Guard"), dice=[9, 5])
    assert hp(told, "Guard") == 14
    told = told.when(Trigger("Guard", luck=True))
    assert hp(told, "Guard") == 20
    told = told.when(LUCK, dice=[5]).ruled("aachen.fighters-luck.hit-to-miss", "luck makes it a miss")
    told.ruled("aachen.fighters-luck.miss-to-hit", "luck makes it a hit").then(HpLost("Guard", 6, 14))
    assert not told.state.pending.waiting


def test_luck_with_a_shove():
    """aachen.fighters-luck.miss-to-hit: a missed shove goes on to its check."""
    told = fight(adalger(), guard()).when(Push("Adalger", "Guard", "prone"), dice=[2])
    told = told.when(LUCK, dice=[6, 6, 1, 1])
    assert has(told, "Guard", "prone")


def test_luck_against_a_free_attack():
    """aachen.fighters-luck.hit-to-miss: a move is resolved again with the free attack that it provoked."""
    told = adjusted(fight(adalger(hp=4), guard()), "Adalger", "engaged", "Guard")
    told = told.when(Move("Adalger", 30, leave=("all",)), dice=[15, 5])
    assert not told.state.stands("Adalger")
    told = told.when(LUCK)
    assert hp(told, "Adalger") == 4
    assert not told.state.engagement.pairs


def test_once_in_a_fight():
    """aachen.fighters-luck.once: used in round 1, refused later; there is luck again in the next fight."""
    told = next_round(struck(die=15, damage=5, target="Adalger").when(LUCK))
    told = told.when(Attack("Guard", "Adalger"), dice=[15, 5])
    told.refused(LUCK, "aachen.fighters-luck.once")
    told = told.when(End()).when(Begin()).when(Initiative(), dice=[1, 8])
    told.when(Attack("Guard", "Adalger"), dice=[15, 5]).when(LUCK)


def test_only_fighters_are_lucky():
    """aachen.fighters-luck.who: not Gerlind, not a partial fighter, no npc unless its sheet says so."""
    struck().refused(Trigger("Gerlind", luck=True), "aachen.fighters-luck.who")
    half = struck(adalger(**{"class": "expert/fighter"}), guard(), die=15, damage=5, target="Adalger")
    half.refused(LUCK, "aachen.fighters-luck.who")
    told = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), dice=[9, 4])
    told.refused(Trigger("Guard", luck=True), "aachen.fighters-luck.who")
    told = fight(adalger(), guard(luck=True)).when(Attack("Adalger", "Guard"), dice=[9, 4])
    assert hp(told.when(Trigger("Guard", luck=True)), "Guard") == 6


def test_the_window_of_luck():
    """aachen.fighters-luck.window: not after further actions, nor on a hit of his own or a miss against him."""
    clause = "aachen.fighters-luck.window"
    told = fight(*TRIO, wolf()).when(Attack("Adalger", "Guard"), dice=[2])
    told.when(Done()).refused(LUCK, clause)
    fight(*TRIO).when(Attack("Adalger", "Guard"), dice=[9, 4]).refused(LUCK, clause)
    opposed(*TRIO).when(Attack("Guard", "Adalger"), dice=[2]).refused(LUCK, clause)
    struck().refused(LUCK, clause)
    fight(*TRIO).refused(LUCK, clause)


def test_luck_without_any_action_is_refused():
    """aachen.fighters-luck.window: in a course that is resolved again no action follows it, and so none is answered."""
    luck = Act(Declared("trigger", {"who": "Adalger", "luck": True}, instant=True))
    (result,) = Course((luck,), lambda _: {}, lambda _: Dice(faces=())).results(fight(*TRIO).state)
    assert isinstance(result.refused, Refused)
    assert result.refused.clause == "aachen.fighters-luck.window"


def test_the_surprised_have_their_luck():
    """aachen.surprise.free-round: the one instant that spends no action."""
    told = begun(*TRIO).when(Surprise("opp", result="yes")).when(Attack("Guard", "Adalger"), dice=[15, 5])
    told.refused(Defend("Adalger", after_roll=True), "aachen.surprise.free-round")
    told = told.when(LUCK)
    assert hp(told, "Adalger") == 22
    assert rolls(told)[0] == ("Guard", "1d20", "attack")


def test_an_instant_looks_at_new_dice_only_where_these_are_known_beforehand():
    """The attack has lost its dice: 14 of the new ones hits AC 13, and against AC 15 it misses."""
    told = struck()
    attack = Act(told.events[0], 1, 1, tuple(told.events))
    defend = Act(Declared("defend", {"who": "Gerlind", "after_roll": True}, instant=True))
    course, none = (defend, attack), Dice(faces=())
    (lacking,) = Course(course, lambda _: {}, lambda _: none).results(told.before)
    assert (lacking.lacking, lacking.act) == (True, attack)
    answered, missed = Course(course, lambda _: {}, lambda act: Dice(faces=[13, 6]) if act.entry else none).results(
        told.before
    )
    assert (answered.refused, missed.refused) == (None, None)
    assert missed.state.harm.hp["Gerlind"].now == 11


# Which attack is answered


def test_no_attack_no_answer():
    """aachen.actions.instant-after-roll: --allow takes no main action for nothing."""
    told = fight(*TRIO)
    for allow in ("", "the game master"):
        with pytest.raises(AffrayError):
            told.when(Defend("Gerlind", after_roll=True), allow=allow)


def test_luck_against_one_of_two_free_attacks():
    """aachen.fighters-luck.window: of two hits for 5 and 3 the one that --against names becomes a miss."""
    told = fight(adalger(), guard("Guard-1"), guard("Guard-2"))
    for name in ("Guard-1", "Guard-2"):
        told = adjusted(told, "Adalger", "engaged", name)
    told = told.when(Move("Adalger", 30), dice=[15, 5, 16, 3])
    assert hp(told, "Adalger") == 14
    assert hp(told.when(Trigger("Adalger", luck=True, against="Guard-1")), "Adalger") == 19
    assert hp(told.when(Trigger("Adalger", luck=True, against="Guard-2")), "Adalger") == 17
    assert hp(told.when(LUCK).when(Defend("Adalger", after_roll=True)), "Adalger") == 22


def test_both_strikers_of_one_move_have_their_luck():
    """aachen.fighters-luck.window: two fighters miss the one who leaves, and both turn their miss: 4 + 1 and 5 + 1."""
    told = opposed(adalger(), adalger("Bert", side="opp"), adalger("Carl", side="opp"))
    for name in ("Bert", "Carl"):
        told = adjusted(told, "Adalger", "engaged", name)
    told = passed(told, "Bert", "Carl").when(Move("Adalger", 30), dice=[3, 4])
    told = told.when(Trigger("Bert", luck=True), dice=[4]).when(Trigger("Carl", luck=True), dice=[5])
    assert hp(told, "Adalger") == 11
