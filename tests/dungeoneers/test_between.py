"""Between the clauses: effects in a fight, named strikers, windows, and what would lapse."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.dungeoneers.aid import Effect, Heal
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Grapple, Push
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.movement import Move, Resolve
from commands.rules.dungeoneers.ready import Ready, Trigger
from commands.rules.dungeoneers.spells import Cast
from ledger.errors import Refused
from ledger.events import (
    ConditionGained,
    Felled,
    Noted,
    OrderSet,
    PointsSet,
    WaitingEnded,
    WoundsHealed,
    WoundsSustained,
)
from tests.hints import commands, offered_by
from tests.kit import lines, no

from .table import alberich, fight, freya, impossible, points, rolls, skeleton, someone, suori, table, turn_of, ulfarmi

WALL = {"kind": "save", "cost": 0, "effect": "cannot see"}


def refusal(told, declaration):
    with pytest.raises(Refused) as refused:
        told.when(declaration)
    return refused.value


# Effects


def test_a_blessing_works_as_it_is_cast():
    """dungeoneers.spell.effect, dungeoneers.defensive.extra-die: prowess 2 and the blessing: 3 dodge dice."""
    told = fight(ulfarmi((0, 1), cantrips=["blessing"]), suori((0, 0)), skeleton((1, 0)))
    told = told.when(Cast("Ulfarmi", "blessing", "Suori", fail_save=True, let_through=True))
    told.then(ConditionGained("Suori", "blessing", amount=1, modifies="dodge dice"))
    struck = turn_of(told, "Skeleton").when(Attack("Skeleton", "Suori"), [4, 1, 2, 2])
    assert rolls(struck)[:2] == [("Skeleton", "1d6", "hit"), ("Suori", "3d4", "dodge")]
    ended = told.when(Effect(("Suori",), "blessing", end=True))
    plain = turn_of(ended, "Skeleton").when(Attack("Skeleton", "Suori"), [1, 1, 2])
    assert rolls(plain) == [("Skeleton", "1d6", "hit"), ("Suori", "2d4", "dodge")]


def test_the_game_master_puts_an_effect_in_words_in_force():
    """dungeoneers.spell.effect: the ruling names the verb."""
    told = fight(ulfarmi((0, 1), spells={"dark": WALL}, cantrips=["dark"]), suori((0, 0)))
    told = told.when(Cast("Ulfarmi", "dark", "Suori", fail_save=True, let_through=True))
    told.then(Noted("cannot see", "Suori"), no(ConditionGained))
    told.ruled("dungeoneers.spell.effect", "the game master puts it in force with effect", about="Suori")
    told.when(Effect(("Suori",), "dark")).then(ConditionGained("Suori", "dark"))


def test_an_effect_changes_the_dodge_die():
    """dungeoneers.dice.dodge-die: a d8 by one effect, a d6 by another: the d8 counts, until it ends."""
    told = fight(skeleton((1, 0)), suori((0, 0))).when(Effect(("Suori",), "mist", amount=8, kind="dodge-die"))
    told = told.when(Effect(("Suori",), "haze", amount=6, kind="dodge-die"))
    assert lines(told.events)[0] == "Suori has haze, d6 dodge die"
    struck = told.when(Attack("Skeleton", "Suori"), [1, 8, 7]).ruled("dungeoneers.dice.dodge-die", "d8")
    assert rolls(struck)[1] == ("Suori", "2d8", "dodge")
    assert lines(struck.events)[0] == "Skeleton attacks Suori: miss"  # the d8 stands below it
    struck = told.when(Effect(("Suori",), "mist", end=True)).when(Attack("Skeleton", "Suori"), [1, 6, 5])
    assert rolls(struck)[1] == ("Suori", "2d6", "dodge")
    impossible(told, Effect(("Suori",), "fog", amount=5, kind="dodge-die"), "has 4, 6, 8, 10, 12 sides")


def test_effects_change_spell_pierce_and_resistance():
    """dungeoneers.spell-resistance.die-size, dungeoneers.spell-save.roll: 1 extra and 1 more: 2d8; resistance 1+2."""
    told = fight(ulfarmi((0, 0), cantrips=["dark"], spells={"dark": WALL}), suori((0, 1), spell_resistance=2))
    told = told.when(Effect(("Ulfarmi",), "focus", amount=8, kind="spell-pierce-die"))
    told = told.when(Effect(("Ulfarmi",), "song", amount=1, kind="spell-pierce-dice"))
    told = told.when(Effect(("Suori",), "will", amount=2, kind="resistance"))
    cast = told.when(Cast("Ulfarmi", "dark", "Suori", extra=1), [4, 4, 4, 1, 1, 1, 1, 1])
    assert rolls(cast) == [
        ("Ulfarmi", "3d4", "save"),
        ("Suori", "3d4", "save"),
        ("Ulfarmi", "2d8", "spell-pierce"),
    ]
    cast.ruled("dungeoneers.spell-resistance.compare", "takes effect", [2, 2])


def test_resistance_by_an_effect_counts_as_spell_resistance_where_resistance_does():
    """dungeoneers.spell-resistance.value: 1 and 2 more, against 2."""
    told = fight(
        ulfarmi((0, 0), cantrips=["dark"], spells={"dark": WALL}), suori((0, 1)), spell_resistance_base="resistance"
    )
    told = told.when(Effect(("Suori",), "will", amount=2, kind="resistance"))
    cast = told.when(Cast("Ulfarmi", "dark", "Suori", extra=1, fail_save=True), [2])
    cast.ruled("dungeoneers.spell-resistance.compare", "resisted", [2, 3])


def test_an_effect_on_movement_points_counts_from_the_base():
    """dungeoneers.movement.default-point: 1 and 2 more at the turn's start; on the own turn at once, and back."""
    told = fight(suori((0, 0)), skeleton((9, 9)))
    hasty = told.when(Effect(("Suori",), "haste", amount=2, kind="movement-points"))
    assert points(hasty, "Suori")[1] == 3
    assert points(hasty.when(Effect(("Suori",), "haste", amount=1, kind="movement-points")), "Suori")[1] == 2
    assert points(hasty.when(Effect(("Suori",), "haste", end=True)), "Suori")[1] == 1
    assert points(turn_of(hasty, "Suori"), "Suori")[1] == 3
    slow = told.when(Effect(("Skeleton",), "mud", amount=-2, kind="movement-points")).then(no(PointsSet))
    assert points(turn_of(slow, "Skeleton"), "Skeleton")[1] == -1


# Readied actions


def test_only_what_the_creature_can_use_is_readied():
    """dungeoneers.ready.actions-only: no spell without its tome, no shot without anything that shoots."""
    told = fight(ulfarmi((0, 0)), skeleton((5, 0)))
    told.refused(Ready("Ulfarmi", "cast", spell="smite", before="Skeleton"), "dungeoneers.ready.actions-only")
    told.refused(Ready("Ulfarmi", "shoot", before="Skeleton"), "dungeoneers.ready.actions-only")
    told.when(Ready("Ulfarmi", "cast", spell="firebolt", before="Skeleton"))
    thrower = fight(alberich(ranks={"blade": "E"}, carried=["dagger"]), skeleton((5, 0)))
    thrower.when(Ready("Alberich", "shoot", before="Skeleton"))


def test_a_second_readied_action_says_that_it_takes_the_place_of_the_first():
    """dungeoneers.ready.lapse"""
    told = fight(suori(action_points=2), skeleton()).when(Ready("Suori", "push", before="Skeleton"))
    told = told.when(Ready("Suori", "attack", before="Skeleton"))
    told.then(WaitingEnded("readied", "Suori", "lapsed", "push", "Suori readies another action"))
    assert "Suori's readied push is dropped: Suori readies another action" in " ".join(lines(told.events))


def test_a_shot_that_was_readied_can_be_taken_as_far_as_the_bow_shoots():
    """dungeoneers.ready.lapse, dungeoneers.weapon.range: a hunting bow shoots 5 tiles, but not without an arrow."""
    bow = {"ranks": {"bow": "E"}, "equipped": ["hunting bow"], "prowess": 1}
    for arrows, where, can in ((1, (4, 0), True), (0, (4, 0), False), (1, (7, 0), False)):
        told = fight(suori(**bow, ammo={"arrow": arrows}), skeleton(where))
        told = told.when(Ready("Suori", "shoot", before="Skeleton"), allow="she finds one").when(Done())
        told.refused(Turn(), "dungeoneers.ready.lapse") if can else told.when(Turn())


def test_a_readied_action_that_can_still_be_taken_is_not_passed_over():
    """dungeoneers.ready.lapse: the refusal names whose it is; without a reaction point it lapses."""
    told = fight(suori(), skeleton()).when(Ready("Suori", "attack", before="Skeleton")).when(Done())
    refused = refusal(told, Turn())
    assert refused.clause == "dungeoneers.ready.lapse"
    assert commands(offered_by(refused)) == "affray trigger Suori Skeleton\naffray turn --pass-rest"
    lapsed = WaitingEnded("readied", "Suori", "lapsed", "attack", "it waited for the moment before Skeleton's turn")
    told.when(Turn("Skeleton", pass_rest=True)).then(lapsed)
    spent = told.when(Adjust("Suori", "reaction", "0", "it is spent"))
    spent.when(Turn()).then(lapsed)


# Turns


def test_no_hint_begins_the_turn_of_nobody():
    """dungeoneers.turn.order: everybody has had a turn, and nobody is next."""
    told = fight(suori()).when(Done())
    assert commands(offered_by(refusal(told, Turn("Suori")))) == "affray round"


def test_a_newcomer_has_a_turn_in_the_running_round():
    """dungeoneers.turn.one-each: scores 50, 49 and 48, Suori's turn is over. Whoever comes with 60 is next, with 49
    behind Freya, with 1 last; and after the last turn of a round one who comes then is still to have one.
    """
    told = fight(suori(), freya(), alberich()).when(Done())
    for score, order in (
        (60, ("Suori", "Skeleton", "Freya", "Alberich")),
        (49, ("Suori", "Freya", "Skeleton", "Alberich")),
        (1, ("Suori", "Freya", "Alberich", "Skeleton")),
    ):
        joined = told.when(skeleton((9, 9), initiative=score)).then(OrderSet(order))
        assert turn_of(joined, "Skeleton").state.turns.round == 1
    late = told.when(Turn()).when(Done()).when(Turn()).when(Done()).when(skeleton((9, 9), initiative=60))
    late.refused(Round(), "dungeoneers.round.complete")
    assert late.when(Turn()).state.turns.who == "Skeleton"


def test_who_joins_before_the_first_round_or_again_has_a_turn_as_all_have():
    """dungeoneers.turn.one-each: the order is made as the round begins; who left in it and is back keeps the place."""
    begun = table(suori()).when(Begin()).when(skeleton((9, 9), initiative=60)).then(no(OrderSet))
    assert not begun.state.turns.order
    told = fight(suori(), skeleton((9, 9)), freya((4, 4))).when(Leave(("Skeleton",)))
    back = told.when(skeleton((9, 9), initiative=49))
    assert back.state.turns.order == ("Suori", "Skeleton", "Freya")


# Named strikers and windows


def test_a_named_striker_must_come_to_strike():
    """dungeoneers.opportune.leave-range: the second step would leave the skeleton, but it cannot be entered."""
    told = fight(suori((0, 0), movement_points=3), freya((0, 2)), skeleton((1, 1)), skeleton((-1, 3), "Far"))
    told.refused(Move("Suori", ("N", "N", "N"), opportune=("Far",)), "dungeoneers.opportune.leave-range")
    told.refused(Move("Suori", ("NW", "N", "W"), opportune=("Freya",)), "dungeoneers.opportune.leave-range")
    alone = fight(suori((0, 0), movement_points=3), freya((1, 0)), skeleton((9, 9)))
    alone.refused(Move("Suori", ("W", "W"), opportune=("Freya",)), "dungeoneers.opportune.leave-range")
    blocked = fight(suori((0, 0), movement_points=3), freya((-1, 0)), skeleton((1, 0)))
    blocked.refused(Move("Suori", ("N", "SW", "W"), opportune=("Skeleton",)), "dungeoneers.opportune.leave-range")
    blocked.when(Move("Suori", ("N", "NW", "W"), opportune=("Skeleton",)), [1, 4, 4, 1])


def test_nobody_strikes_at_a_push_that_is_blocked():
    """dungeoneers.opportune.forced-move"""
    told = fight(suori((0, 0)), skeleton((1, 0)), freya((2, 1)), forced_moves_provoke=True)
    told.refused(Push("Suori", "Skeleton", blocked=True, opportune=("Freya",)), "dungeoneers.opportune.forced-move")


def test_the_game_masters_word_may_be_said_while_a_window_is_open():
    """dungeoneers.opportune.window: effect and heal like adjust; an action waits."""
    told = fight(suori(wounds=1), skeleton()).when(Move("Suori", ("W",)))
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.opportune.window")
    told = told.when(Heal("Suori", wounds=1)).then(WoundsHealed("Suori", 1, 0))
    told = told.when(Effect(("Suori",), "mist", amount=8, kind="dodge-die"))
    told = told.when(Adjust("Suori", "stress", "1", "fear")).when(Resolve())
    assert told.state.positions.at["Suori"] == (-1, 0, 0)


def test_an_opportune_strike_names_the_striker_and_the_target():
    """dungeoneers.opportune.resolution"""
    told = fight(suori(), skeleton())
    said = lines(told.when(Move("Suori", ("W",), opportune=("Skeleton",)), [1, 4, 4, 2]).events)
    assert said[0].startswith("Suori faces W; moves 1 square to -1,0")
    assert said[1] == "Skeleton strikes at Suori: miss"


# The helpless


def test_anyone_who_is_unconscious_by_the_game_masters_word_can_be_struck_and_dies():
    """dungeoneers.death.no-target, dungeoneers.wounds.death-at-maximum: 2 of 2 wounds, and one more."""
    told = fight(suori((0, 0)), someone("Rat", (1, 0), side="undead", endurance=0, wounds=2))
    told = told.when(Adjust("Rat", "down", "unconscious", "a sleep"))
    struck = told.when(Attack("Suori", "Rat", mod=("dodge:-1",)), [1, 1, 4, 4])
    struck.then(Felled("Rat", "dead"), no(WoundsSustained))
    held = told.when(Grapple("Suori", "Rat", mod=("dodge:-1",)), [1, 1])
    held.ruled("dungeoneers.grapple.roll", "grappled")


def test_the_dead_are_not_struck():
    """dungeoneers.death.no-target"""
    told = fight(suori((0, 0), action_points=2), skeleton()).when(Adjust("Skeleton", "down", "dead", "dust"))
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.death.no-target")


def test_what_was_allowed_to_wait_for_the_dead_is_taken_in_any_gap():
    """dungeoneers.ready.declare-turn, dungeoneers.ready.trigger-window: one word of the game master is enough."""
    told = fight(suori((0, 0)), skeleton(), skeleton((5, 5), "Bones"))
    told = told.when(Adjust("Bones", "down", "dead", "dust"))
    wait = Ready("Suori", "attack", before="Bones", target="Skeleton")
    told.refused(wait, "dungeoneers.ready.declare-turn")
    told = told.when(wait, allow="until the bones stir")
    told.refused(Trigger("Suori"), "dungeoneers.ready.trigger-window")
    with pytest.raises(Refused) as refused:
        told.when(Trigger("Suori"))
    assert ("turn", {}) in refused.value.on, "a gap is still to come"
    told.when(Done()).when(Trigger("Suori"), [1, 1, 4]).ruled("dungeoneers.ready.reaction-point")


def test_a_weapon_in_hand_is_named_by_its_beginning():
    """dungeoneers.attack.weapon-or-fist: its own name goes before a longer one, and what could be two is neither."""
    told = fight(suori((0, 0), equipped=["warhammer"]), skeleton())
    struck = told.when(Attack("Suori", "Skeleton", with_="WAR"), [1, 1, 4])
    struck.ruled("dungeoneers.attack.hit-compare", "miss")


def test_anyone_who_sleeps_by_the_game_masters_word_holds_nobody_and_wakes():
    """dungeoneers.grapple.separated"""
    told = fight(suori((0, 0)), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    slept = told.when(Adjust("Suori", "down", "unconscious", "a sleep"))
    assert "grappled" not in slept.state.conditions.of.get("Skeleton", {})
    assert slept.when(Adjust("Suori", "down", "no", "she wakes")).state.stands("Suori")
