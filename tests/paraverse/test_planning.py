"""Planning: everybody declares one action; weapons are changed."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.paraverse.combat import Attack, Check, Declare, Disengage, Misc, Move, Pass, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.healing import Heal
from commands.rules.paraverse.magic import Cast, Effect, Pray
from commands.rules.paraverse.phases import Phase
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import UsageError
from ledger.events import Awaited, Equipped, Felled, Overruled, PointsSpent, Rolled, Unequipped, WaitingEnded
from tests.kit import given, no

from .table import ALL, became, ildar, impossible, next_round, opened, planning, reaver, resolved, said, sigrun, vasko


def test_a_declaration_is_recorded_and_nothing_rolled():
    """paraverse.planning.declare"""
    told = planning(*ALL).when(Attack("Sigrun", "Reaver"))
    told.then(Awaited("declared", "Sigrun", "attack", {"target": "Reaver"}, until="melee"), no(Rolled))


def test_declare_serves_every_verb():
    """paraverse.planning.declare"""
    told = planning(*ALL, areas=["hall", "yard"], link=["hall:yard"])
    for words, verb, said_ in (
        (("Sigrun", "attack", ("rea",)), "attack", {"target": "Reaver"}),
        (("Ildar", "shoot", ("vasko",)), "shoot", {"target": "Vasko"}),
        (("Ildar", "move", ("yard",)), "move", {"area": "yard"}),
        (("Ildar", "check", ("acrobatics",)), "check", {"skill": "acrobatics", "difficulty": 10}),
        (("Ildar", "misc", ("bars", "the", "door")), "misc", {"text": "bars the door"}),
        (("Ildar", "cast", ("Ignition",)), "cast", {"spell": "Ignition"}),
        (("Ildar", "pray", ("Mercy",)), "pray", {"prayer": "Mercy"}),
        (("Ildar", "pass"), "pass", {}),
        (("Ildar", "defend"), "pass", {}),
    ):
        told = told.when(Declare(*words))
        waiting = told.state.pending.of("declared", words[0])
        assert (waiting.verb, waiting.said) == (verb, said_)
    impossible(told, Declare("Ildar", "dance"), "cannot be declared")
    engaged = planning(*ALL).when(Adjust("Sigrun", "engaged", "Reaver", "they wrestle"))
    waiting = engaged.when(Declare("Sigrun", "disengage")).state.pending.of("declared", "Sigrun")
    assert (waiting.verb, waiting.said) == ("disengage", {})
    told.refused(Declare("Sigrun", "disengage"), "paraverse.disengage.needs-engagement")


def test_planning_closes_when_everybody_has_declared():
    """paraverse.planning.everyone: --pass-rest declares the rest."""
    told = said(planning(*ALL), Attack("Sigrun", "Reaver")).refused(Phase(), "paraverse.planning.everyone")
    told = told.when(Phase("ranged", pass_rest=True))
    told.then(*(Awaited("declared", who, "pass", {}) for who in ("Ildar", "Reaver", "Vasko")))
    assert told.state.turns.phase == "ranged"


def test_anyone_who_is_down_need_not_declare():
    """paraverse.planning.everyone"""
    told = planning(ildar(), vasko(pain=9))  # Vasko has no Stamina: he is down when the round opens
    told = said(told, Pass("Ildar")).when(Phase())
    assert told.state.turns.phase == "ranged"


def test_after_planning_nothing_is_declared():
    """paraverse.planning.closed: nor changed, nor resolved without a declaration."""
    told = opened(said(planning(*ALL), Attack("Sigrun", "Reaver")), "melee")
    told.refused(Declare("Vasko", "shoot", ("Ildar",)), "paraverse.planning.closed")
    told.refused(Shoot("Vasko", "Ildar"), "paraverse.planning.closed")
    told.refused(Attack("Sigrun", "Vasko"), "paraverse.planning.closed")
    told.refused(Resolve("Vasko"), "paraverse.planning.closed", [10, 9])


def test_only_what_was_declared_is_resolved():
    """paraverse.planning.closed"""
    told = opened(said(planning(*ALL), Cast("Sigrun", "Ignition")), "magic")
    told.refused(Cast(who="Ildar", target=("Vasko",), pain=1), "paraverse.planning.closed")
    told.refused(Pray(who="Sigrun", target=("Vasko",), pain=1), "paraverse.planning.closed")


def test_one_action_a_round():
    """paraverse.action.one: a second shot, and a pick by somebody who shot."""
    told = resolved(said(planning(*ALL), Shoot("Ildar", "Reaver")), "ranged", [2, 12])
    told.refused(Resolve("Ildar"), "paraverse.action.one").refused(Shoot("Ildar"), "paraverse.action.one")
    told = opened(told, "melee").refused(Skirmish("Ildar", "Reaver"), "paraverse.action.one")
    told.refused(Skirmish("Vasko", "Ildar"), "paraverse.action.one")


def test_a_second_skirmish_is_a_second_action():
    """paraverse.action.one"""
    told = resolved(said(planning(*ALL), Attack("Sigrun", "Reaver")), "melee", [10, 9, 2])
    told.refused(Attack("Sigrun"), "paraverse.action.one").refused(Resolve("Reaver"), "paraverse.action.one")


def test_a_new_declaration_replaces_the_old():
    """paraverse.action.one"""
    told = said(planning(*ALL), Shoot("Ildar", "Reaver"), Check("Ildar", "acrobatics"))
    assert [one.verb for one in told.state.pending.waiting if one.who == "Ildar"] == ["check"]


def test_nobody_attacks_itself_or_its_own_side():
    """paraverse.action.attack-another: an arrow may be aimed at anybody else."""
    told = planning(*ALL).refused(Shoot("Ildar", "Ildar"), "paraverse.action.attack-another")
    with pytest.raises(UsageError, match="cannot attack themselves"):
        told.when(Attack("Sigrun", "Sigrun"), allow="in despair")
    told.refused(Attack("Sigrun", "Ildar"), "paraverse.action.attack-another")
    told.when(Shoot("Ildar", "Sigrun"))
    told = said(told, Attack("Sigrun", "Reaver"))
    opened(told, "melee").refused(Skirmish("Sigrun", "Ildar"), "paraverse.action.attack-another")


def test_the_game_master_lets_friends_fight():
    """paraverse.action.attack-another"""
    told = planning(*ALL).when(Attack("Sigrun", "Ildar"), allow="a quarrel")
    told.then(Overruled("paraverse.action.attack-another", "Sigrun and Ildar are on one side.", "a quarrel"))
    told = resolved(told, "melee", [2, 12])
    assert [s.sides for s in told.state.skirmishes.of] == [(("Sigrun",), ("Ildar",))]


def test_a_move_goes_to_an_adjacent_area():
    """paraverse.action.move: hall-yard, yard-tower."""
    told = planning(*ALL, areas=["hall", "yard", "tower"], link=["hall:yard", "yard:tower"])
    told.when(Move("Sigrun", "yard")).then(Awaited("declared", "Sigrun", "move", {"area": "yard"}, until="melee"))
    for area in ("tower", "hall", "moon"):
        told.refused(Move("Sigrun", area), "paraverse.action.move")


def test_casting_is_the_action_of_the_round():
    """paraverse.action.magic, paraverse.action.one: no second outcome, and she evades in melee."""
    told = said(planning(sigrun(), reaver()), Cast("Sigrun", "Ignition"), Attack("Reaver", "Sigrun"))
    told = resolved(told, "melee", [9, 3, 2])  # Reaver's die first; she evades with 3+2
    told.ruled("paraverse.skirmish.rolls", totals=[13, 5])


def test_a_second_outcome_of_a_spell_is_refused():
    """paraverse.action.magic"""
    told = opened(said(planning(sigrun(), reaver()), Cast("Sigrun", "Ignition")), "magic")
    told = told.when(Cast(who="Sigrun", target=("Reaver",), pain=1))
    told.refused(Cast(who="Sigrun", target=("Reaver",), pain=1), "paraverse.action.magic")


def test_weapons_are_changed_for_free():
    """paraverse.weapon.free-change: dagger in hand, Ildar attacks in the same round."""
    told = planning(*ALL).when(Draw("Ildar", "dag"))
    told.then(Unequipped("Ildar", "short bow"), Equipped("Ildar", "dagger"), PointsSpent("Ildar", "change", 1, 0))
    told.when(Attack("Ildar", "Reaver"))


def test_the_shield_goes_along():
    """paraverse.weapon.free-change: down with a word, or for a two-handed weapon; the same weapon is no change."""
    told = planning(*ALL).when(Draw("Sigrun", "broadsword", no_shield=True)).then(Unequipped("Sigrun", "shield"))
    told = next_round(told).when(Draw("Sigrun", "broadsword", shield=True)).then(Equipped("Sigrun", "shield"))
    next_round(told).refused(Draw("Sigrun", "broadsword"), "paraverse.weapon.free-change")
    planning(*ALL).refused(Draw("Sigrun", "halberd"), "paraverse.weapon.free-change")
    pike = {"pike": {"use": "melee", "hands": 2, "base": 11}, "mace": {"use": "melee", "base": 6}}
    told = planning(sigrun(weapons=pike, hand="mace")).when(Draw("Sigrun", "pike"))
    assert told.state.gear.equipped["Sigrun"] == ("pike",)
    impossible(planning(sigrun(weapons=pike, hand="mace")), Draw("Sigrun", "pike", shield=True), "shield")


def test_one_free_change_a_round():
    """paraverse.weapon.one-change: next round again."""
    told = planning(*ALL).when(Draw("Sigrun", "knives"))
    told.refused(Draw("Sigrun", "broadsword"), "paraverse.weapon.one-change")
    next_round(told).when(Draw("Sigrun", "broadsword"))


def test_weapons_are_changed_in_planning_only():
    """paraverse.weapon.start-only"""
    opened(planning(*ALL), "melee").refused(Draw("Ildar", "dagger"), "paraverse.weapon.start-only")


def test_a_change_withdraws_the_attack():
    """paraverse.weapon.start-only: Ildar must declare anew."""
    told = said(planning(*ALL), Shoot("Ildar", "Vasko")).when(Draw("Ildar", "dagger"))
    told.then(WaitingEnded("declared", "Ildar", "withdrawn", "shoot", "what is in hand has changed"))
    said(told, *(Pass(who) for who in ("Sigrun", "Reaver", "Vasko"))).refused(Phase(), "paraverse.planning.everyone")
    assert became(told.when(Attack("Ildar", "Vasko")), "Ildar") == ""


def test_an_attack_uses_the_weapon_in_hand():
    """paraverse.weapon.in-hand"""
    told = planning(*ALL).refused(Attack("Ildar", "Reaver"), "paraverse.weapon.in-hand")
    told.refused(Shoot("Sigrun", "Reaver"), "paraverse.weapon.in-hand")
    planning(sigrun(hand=""), reaver()).refused(Attack("Sigrun", "Reaver"), "paraverse.weapon.in-hand")


def test_the_incapacitated_do_nothing():
    """paraverse.incapacitated.cannot-act: declare, change weapons, pick, resolve."""
    told = opened(said(planning(*ALL), Effect(("Vasko",), pain=9)), "melee")
    told.refused(Skirmish("Vasko", "Ildar"), "paraverse.incapacitated.cannot-act")
    told.refused(Resolve("Vasko"), "paraverse.incapacitated.cannot-act")
    told = next_round(told).refused(Shoot("Vasko", "Ildar"), "paraverse.incapacitated.cannot-act")
    told.refused(Draw("Vasko", "club"), "paraverse.incapacitated.cannot-act")


def test_the_helpless_are_no_targets():
    """paraverse.incapacitated.target: neither of arrows nor of picks."""
    told = next_round(opened(said(planning(*ALL), Effect(("Vasko",), pain=9)), "melee"))
    told.refused(Shoot("Ildar", "Vasko"), "paraverse.incapacitated.target")
    told.refused(Attack("Sigrun", "Vasko"), "paraverse.incapacitated.target")
    told = opened(said(told, Attack("Sigrun", "Reaver")), "melee")
    told.refused(Skirmish("Sigrun", "Vasko"), "paraverse.incapacitated.target")


def test_the_game_master_may_let_the_helpless_be_attacked():
    """paraverse.incapacitated.target: then it is rolled as usual, and in a skirmish the helpless evades."""
    told = next_round(opened(said(planning(*ALL), Effect(("Vasko",), pain=9)), "melee"))
    shot = resolved(told.when(Shoot("Ildar", "Vasko"), allow="mercy"), "ranged", [10, 4, 2])
    assert became(shot, "Ildar") == "done"
    told = resolved(told.when(Attack("Sigrun", "Vasko"), allow="mercy"), "melee", [10, 4, 2])
    told.ruled("paraverse.skirmish.rolls", totals=[16, 5])
    assert told.state.engagement.pairs == ()


def test_refusals_come_in_their_order():
    """declare: planning closed, actor not able, self, target not able, weapon, engaged, area."""
    areas = {"areas": ["hall", "yard", "tower"], "link": ["hall:yard", "yard:tower"]}
    told = planning(sigrun(hand="broadsword"), ildar(), vasko(pain=9, area="tower"), reaver(area="tower"), **areas)
    told = next_round(opened(said(told, Pass("Sigrun")), "ranged"))
    assert told.state.harm.down["Vasko"].how == "unconscious"
    opened(told, "melee").refused(Shoot("Vasko", "Vasko"), "paraverse.planning.closed")
    told.refused(Shoot("Vasko", "Vasko"), "paraverse.incapacitated.cannot-act")
    told.refused(Shoot("Sigrun", "Sigrun"), "paraverse.action.attack-another")
    told.refused(Shoot("Sigrun", "Vasko"), "paraverse.incapacitated.target")
    told.refused(Shoot("Sigrun", "Reaver"), "paraverse.weapon.in-hand")
    told.refused(Shoot("Ildar", "Reaver"), "paraverse.ranged.marksman-area")


def test_words_are_needed():
    told = planning(*ALL)
    impossible(told, Shoot("Ildar"), "Whom does Ildar attack?")
    impossible(told, Misc("Ildar"), "What does")
    impossible(told, Cast(who="Ildar"), "Which spell")
    impossible(told, Check("Ildar", "juggling"), "no modifier")
    impossible(told, Cast(who="Ildar", spell="Balm", heal=2), "magic phase")
    impossible(told, Heal("Ildar"), "What is healed")
    told.refused(Disengage("Ildar"), "paraverse.disengage.needs-engagement")
    told.then(no(Felled))


def test_nobody_has_two_weapons_in_hand():
    """paraverse.weapon.in-hand: whatever is let through, what was in hand goes away first."""
    told = opened(planning(ildar()), "melee")
    told = told.when(Draw("Ildar", "dagger"), allow="quick hands").when(Draw("Ildar", "short bow"), allow="quicker")
    told.then(Unequipped("Ildar", "dagger"), Equipped("Ildar", "short bow"))
    assert told.state.gear.equipped["Ildar"] == ("short bow",)


def test_the_incapacitated_do_nothing_after_the_fight_either():
    """paraverse.incapacitated.cannot-act: neither draw nor check."""
    told = given("paraverse", vasko()).when(Effect(("Vasko",), pain=5))
    told.refused(Draw("Vasko", "club"), "paraverse.incapacitated.cannot-act")
    told.refused(Check("Vasko", "athletics"), "paraverse.incapacitated.cannot-act", [10])


@pytest.mark.parametrize(
    "early",
    [
        Shoot("Ildar", "Vasko", mod=("@Ildar:adv:height",)), Shoot("Ildar", "Vasko", stray="Sigrun"),
        Attack("Sigrun", "Reaver", mod=("2:rage",)), Attack("Sigrun", "Reaver", dealer="Sigrun"),
        Check("Ildar", "acrobatics", mod=("@Ildar:dis:rain",)), Misc("Ildar", "sings", outcome="they laugh"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_roll_is_said_when_it_is_rolled(early):
    """paraverse.gm.modifier: in planning nothing would remember it."""
    impossible(planning(*ALL), early, "is said when the action is resolved")


def test_a_target_must_be_named():
    impossible(planning(*ALL), Declare("Sigrun", "attack"), "Whom does Sigrun attack?")
    impossible(planning(*ALL), Declare("Ildar", "shoot"), "Whom does Ildar attack?")


def test_a_declaration_is_repeated_in_any_case():
    """paraverse.planning.closed: the same words resolve it, others are another declaration."""
    told = opened(said(planning(sigrun(), reaver()), Cast("Sigrun", "Fire Bolt")), "magic")
    assert became(told.when(Cast(who="Sigrun", spell="fire bolt", target=("Reaver",), pain=1)), "Sigrun") == "done"
    told.refused(Cast(who="Sigrun", spell="Frost", target=("Reaver",), pain=1), "paraverse.planning.closed")


@pytest.mark.parametrize(
    "words",
    [
        Declare("Sigrun", "attack", ("Reaver",), engage="Reaver"), Declare("Sigrun", "pass", arrive="misc"),
        Declare("Sigrun", "attack", ("Reaver",), to="here"), Declare("Sigrun", "misc", ("sings",), difficulty="20"),
        Declare("Sigrun", "pass", ("please",)), Declare("Sigrun", "disengage", ("Reaver",)),
    ],
)  # fmt: skip
def test_declare_takes_no_words_that_the_verb_does_not_take(words):
    impossible(planning(*ALL), words, "belongs to|Nothing follows")
