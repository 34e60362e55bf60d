"""Melee skirmishes, step by step."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Pass, Shoot, Skirmish
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.magic import Cast
from commands.rules.paraverse.resolve import Resolve
from ledger.events import Engaged, PainSuffered, Ruled, WoundSuffered
from tests.kit import no

from .table import ALL, ildar, impossible, opened, planning, reaver, resolved, rolls, said, sigrun, someone, vasko

DAGGER = ildar(hand="dagger")


def duel(dice: list[int], *joining, words: Resolve | None = None, **options):
    """The first against the last of those who join; the others join the first."""
    joining = joining or (sigrun(), reaver())
    names = [join.sheets[0]["name"] for join in joining]
    told = said(planning(*joining, **options), *(Attack(who, names[-1]) for who in names[:-1]))
    return opened(told, "melee").when(words or Resolve(), dice)


def totals(told) -> list[int]:
    """The results of the skirmish, in the order of rolling."""
    rolled = next(e for e in told.events if isinstance(e, Ruled) and e.clause == "paraverse.skirmish.rolls")
    return [number.total for number in rolled.numbers]


def test_everybody_rolls_one_die():
    """paraverse.skirmish.rolls: Sigrun 8+6 = 14, Reaver 9+4 = 13."""
    told = duel([8, 9, 2]).ruled("paraverse.skirmish.rolls", "skirmish 1", [14, 13])
    assert [purpose for _, purpose, _ in rolls(told)] == ["melee", "melee", "hit location"]


def test_the_side_that_picked_rolls_first():
    """paraverse.skirmish.rolls"""
    told = duel([8, 7, 19, 2], sigrun(), DAGGER, reaver())
    assert [who for who, *_ in rolls(told)] == ["Sigrun", "Ildar", "Reaver", "Reaver"]


def test_the_skill_goes_with_the_weapon():
    """paraverse.skirmish.skill-by-weapon: +6 with the shield, +5 without; +4 with both hands."""
    assert totals(duel([8, 9, 2])) == [14, 13]
    told = said(planning(sigrun(), reaver()), Draw("Sigrun", "broad", no_shield=True), Attack("Sigrun", "Reaver"))
    told = resolved(told, "melee", [8, 10, 2])
    assert totals(told) == [13, 14]


def test_the_side_with_the_highest_total_wins():
    """paraverse.skirmish.winner, paraverse.skirmish.dealer: {14, 9} v {13}; Sigrun deals 7-3 = 4, 1 pain."""
    told = duel([8, 8, 9, 2], sigrun(), DAGGER, reaver())
    told.ruled("paraverse.skirmish.winner", "Sigrun wins", [14, 13]).ruled("paraverse.damage.formula", totals=[4])
    told.then(PainSuffered("Reaver", 1, 1))


def test_the_lowest_natural_suffers():
    """paraverse.skirmish.victim: natural 5 (11) against natural 7 (8): Sigrun. 20-11 = 9: x2, 20-5 = 15."""
    told = duel([5, 7, 16, 2], sigrun(), DAGGER, reaver())
    assert totals(told) == [11, 8, 20]
    told.ruled("paraverse.damage.formula", totals=[15]).then(PainSuffered("Sigrun", 3, 3))


def test_a_skirmish_hurts_one():
    """paraverse.skirmish.one-victim: the others suffer nothing."""
    told = duel([5, 7, 16, 2], sigrun(), DAGGER, reaver())
    assert [event.who for event in told.events if isinstance(event, PainSuffered)] == ["Sigrun"]


def test_the_difference_is_between_the_sides():
    """paraverse.skirmish.difference: natural 12 (18), natural 7 (8), Reaver 20: victim Ildar, 2, x1: 10-2 = 8."""
    told = duel([12, 7, 16, 2], sigrun(), DAGGER, reaver())
    told.ruled("paraverse.damage.multiplier", "x1", [2]).ruled("paraverse.damage.formula", totals=[8])
    told.then(PainSuffered("Ildar", 2, 2))


def test_or_to_the_victim():
    """paraverse.skirmish.difference, option victim: 20-8 = 12, x3: 30-2 = 28."""
    told = duel([12, 7, 16, 2], sigrun(), DAGGER, reaver(), skirmish_difference="victim")
    told.ruled("paraverse.damage.multiplier", "x3", [12]).ruled("paraverse.damage.formula", totals=[28])


def test_equal_results_go_by_the_natural_roll():
    """paraverse.skirmish.tie-natural: 10+6 = 12+4; Reaver wins on 12 v 10."""
    duel([10, 12, 2]).ruled("paraverse.skirmish.tie-natural", "Reaver wins", [12, 10])


def test_the_natural_may_be_anybodys():
    """paraverse.skirmish.tie-natural: 16 v 16, and Ildar's natural 15 is the highest; with it he deals: 4-3 = 1."""
    told = duel([10, 15, 12, 2], sigrun(), DAGGER, reaver())
    assert totals(told) == [16, 16, 16]
    told.ruled("paraverse.skirmish.tie-natural", "Ildar wins", [15, 12])
    told.ruled("paraverse.damage.formula", totals=[1])


def test_won_on_naturals_the_multiplier_is_1():
    """paraverse.skirmish.tie-multiplier: 1*10-5 = 5, pain 1; with the option 0 no damage."""
    told = duel([10, 12, 2]).ruled("paraverse.skirmish.tie-multiplier", "x1", [0])
    told.ruled("paraverse.damage.formula", totals=[5]).then(PainSuffered("Sigrun", 1, 1))
    duel([10, 12, 2], tie_multiplier=0).ruled("paraverse.damage.formula", totals=[0]).then(no(PainSuffered))


def test_a_full_tie_hurts_nobody():
    """paraverse.skirmish.tie-none: 10+1 and 10+1: no location die; both are engaged."""
    told = duel([10, 10], DAGGER, vasko(hand="club")).ruled("paraverse.skirmish.tie-none", "nobody wins", [10, 10])
    told.ruled("paraverse.skirmish.tie-none", about="Vasko", who="Ildar")
    told.then(Engaged("Ildar", "Vasko"), no(PainSuffered))


def _three(a: int, b: int, **fields):
    """Two fighters with these skills against a third."""
    return someone("Ada", "party", a), someone("Ben", "party", b), someone("Cid", "foes", **fields)


def test_among_equal_totals_the_higher_natural_deals():
    """paraverse.skirmish.dealer-tie: 14+2 and 12+4 against 9: Ada."""
    told = duel([14, 12, 9, 2], *_three(2, 4))
    dealt = [event.who for event in told.events if isinstance(event, Ruled) and event.clause.endswith("formula")]
    assert dealt == ["Ada"]


def test_among_equals_the_winner_chooses_who_deals():
    """paraverse.skirmish.dealer-tie: 14+2 twice; the first to join, or as said; nobody else."""
    duel([14, 14, 9, 2], *_three(2, 2)).ruled(
        "paraverse.skirmish.dealer-tie", "Ada deals the damage; Ben rolled the same"
    )
    told = duel([14, 14, 9, 2], *_three(2, 2), words=Resolve(dealer="Ben"))
    told.ruled("paraverse.skirmish.dealer-tie", "Ben deals the damage; Ada rolled the same")
    told = opened(said(planning(*_three(2, 4)), Attack("Ada", "Cid"), Attack("Ben", "Cid")), "melee")
    told.refused(Resolve(dealer="Ben"), "paraverse.skirmish.dealer-tie", [14, 12, 9, 2])
    told.refused(Resolve(dealer="Cid"), "paraverse.skirmish.dealer-tie", [14, 12, 9, 2])


def test_a_choice_must_be_in_a_skirmish():
    told = opened(said(planning(*ALL), Attack("Sigrun", "Reaver")), "melee")
    for words in (Resolve(dealer="Vasko"), Resolve("Sigrun", victim="Vasko")):
        with pytest.raises(Exception, match="Vasko is in no skirmish"):
            told.when(words, [8, 9, 2])


def test_among_equal_naturals_the_lower_total_suffers():
    """paraverse.skirmish.victim-tie: 6+3 and 6+1 against 18: Ben."""
    told = duel([6, 6, 18, 2], *_three(3, 1))
    assert [event.who for event in told.events if isinstance(event, PainSuffered)] == ["Ben"]


def test_among_equals_the_winner_chooses_who_suffers():
    """paraverse.skirmish.victim-tie: 6+2 twice; the first to join, or as said; nobody else."""
    duel([6, 6, 18, 2], *_three(2, 2)).then(PainSuffered("Ada", 2, 2))  # 18 v 8: x2, 10 over 5
    duel([6, 6, 18, 2], *_three(2, 2), words=Resolve(victim="Ben")).then(PainSuffered("Ben", 2, 2))
    told = opened(said(planning(*_three(3, 1)), Attack("Ada", "Cid"), Attack("Ben", "Cid")), "melee")
    told.refused(Resolve(victim="Ada"), "paraverse.skirmish.victim-tie", [6, 6, 18, 2])


def test_after_the_winner_comes_the_rest_in_order():
    """paraverse.skirmish.sequence: 23 v 12, x3, legs, 21-3 = 18, pain 4, fractured leg."""
    told = duel([17, 8, 4])
    clauses = [event.clause.removeprefix("paraverse.") for event in told.events if isinstance(event, Ruled)]
    assert clauses == [
        "skirmish.rolls", "skirmish.winner", "hit-location", "damage.multiplier", "damage.formula", "pain.ceiling",
        "wound.critical", "engaged.starts",
    ]  # fmt: skip
    told.ruled("paraverse.damage.formula", totals=[18])
    told.then(PainSuffered("Reaver", 4, 4), WoundSuffered("Reaver", "fractured-leg", "legs"))


def test_anyone_who_shot_evades():
    """paraverse.skirmish.evader: 8+4 = 12 v 10+4 = 14: hit by 2, 10-2 = 8."""
    told = said(planning(ildar(), reaver(), vasko()), Shoot("Ildar", "Vasko"), Attack("Reaver", "Ildar"))
    told = resolved(resolved(told, "ranged", [2, 19]), "melee", [10, 8, 2])
    assert totals(told) == [14, 12]
    told.then(PainSuffered("Ildar", 2, 2))


def test_a_shield_does_not_help_an_evader():
    """paraverse.skirmish.evader: knives in hand, Sigrun evades with 8+2, and no 2 for the shield."""
    told = resolved(said(planning(sigrun(hand="knives"), reaver()), Attack("Reaver", "Sigrun")), "melee", [10, 8, 2])
    assert totals(told) == [14, 10]


def test_anyone_who_passes_fights_back():
    """paraverse.skirmish.evader: and so does who declared nothing or something against another."""
    told = resolved(said(planning(sigrun(), reaver()), Pass("Sigrun"), Attack("Reaver", "Sigrun")), "melee", [10, 8, 2])
    assert totals(told) == [14, 14]


def test_a_house_rule_lets_shooters_fight():
    """paraverse.skirmish.evader, option busy_defence: a caster with a dagger, 8+1 = 9, not 8+4 = 12."""
    for way, result in (("fight", 9), ("evade", 12)):
        told = planning(DAGGER, reaver(), busy_defence=way)
        told = said(told, Cast("Ildar", "Ignition"), Attack("Reaver", "Ildar"))
        assert totals(resolved(told, "melee", [10, 8, 2])) == [14, result]


def test_an_evader_who_wins_hurts_nobody():
    """paraverse.skirmish.evader-no-damage: 12+4 = 16 v 14; no location die, and he is engaged."""
    told = said(planning(ildar(), reaver(), vasko()), Shoot("Ildar", "Vasko"), Attack("Reaver", "Ildar"))
    told = resolved(resolved(told, "ranged", [2, 19]), "melee", [10, 12])
    told.ruled("paraverse.skirmish.evader-no-damage", "nobody is hurt")
    told.then(Engaged("Reaver", "Ildar"), no(PainSuffered))


def test_a_natural_20_wins_by_a_house_rule():
    """paraverse.skirmish.critical-hit: 21 v 23; Ildar wins, x2: 8-3 = 5. Without the option Reaver does."""
    told = duel([20, 19, 2], DAGGER, reaver(), critical_hits=True)
    told.ruled("paraverse.skirmish.critical-hit", "Ildar wins").ruled("paraverse.skirmish.critical-hit", "x2", [-2])
    told.ruled("paraverse.damage.formula", totals=[5])
    duel([20, 19, 2], DAGGER, reaver()).ruled("paraverse.skirmish.winner", "Reaver wins", [23, 21])


def test_a_natural_20_of_the_one_who_was_attacked_wins_too():
    """paraverse.skirmish.critical-hit: 19+6 v 20+4 is -1 for Reaver, who wins; x2."""
    told = duel([19, 20, 2], critical_hits=True)
    told.ruled("paraverse.skirmish.critical-hit", "Reaver wins").ruled("paraverse.skirmish.critical-hit", "x2", [-1])


def test_two_natural_20s_mean_nothing():
    """paraverse.skirmish.critical-hit: 26 v 24, x1."""
    told = duel([20, 20, 2], critical_hits=True)
    told.ruled("paraverse.skirmish.winner", "Sigrun wins", [26, 24]).ruled("paraverse.damage.multiplier", "x1", [2])


def test_a_good_critical_hit_is_better_than_twice():
    """paraverse.skirmish.critical-hit: at least 2; 26 v 5 is 3."""
    duel([20, 1, 2], critical_hits=True).ruled("paraverse.damage.multiplier", "x3", [21])


def test_skirmishes_are_fought_in_the_order_of_forming():
    told = planning(sigrun(), DAGGER, reaver(), vasko(hand="club"))
    told = said(told, Attack("Ildar", "Vasko"), Attack("Sigrun", "Reaver"))
    told = resolved(told, "melee", [2, 12, 2, 8, 9, 2])
    fought = [who for who, purpose, _ in rolls(told) if purpose != "hit location"]
    assert fought == ["Ildar", "Vasko", "Sigrun", "Reaver"]


def test_one_skirmish_by_a_name_of_it():
    told = planning(sigrun(), DAGGER, reaver(), vasko(hand="club"))
    told = said(told, Attack("Ildar", "Vasko"), Attack("Sigrun", "Reaver"))
    told = opened(told, "melee").when(Attack("Sigrun"), [8, 9, 2])
    assert [skirmish.done for skirmish in told.state.skirmishes.of] == [False, True]
    told = told.when(Resolve("Vasko"), [2, 12, 2])
    assert all(skirmish.done for skirmish in told.state.skirmishes.of)
    impossible(told, Resolve(), "Nothing is left")
    told.refused(Skirmish("Vasko", "Sigrun"), "paraverse.action.one")


def test_a_critical_hit_with_a_lower_result_is_no_tie():
    """paraverse.skirmish.critical-hit: 20+1 v 19+4 is -2; x2, whatever a tie would be worth."""
    told = duel([20, 19, 2], DAGGER, reaver(), critical_hits=True, tie_multiplier=3)
    told.ruled("paraverse.skirmish.critical-hit", "x2", [-2])


def test_an_attack_is_resolved_against_whom_it_is_said():
    """paraverse.action.one, paraverse.assign.single-opponent: Ildar shot, and is in no skirmish; Sigrun has picked
    Reaver, who declared to attack Ildar. 8+6 = 14 against 9+4 = 13.
    """
    told = said(planning(sigrun(), ildar(), reaver()), Shoot("Ildar", "Reaver"), Attack("Sigrun", "Reaver"),
                Attack("Reaver", "Ildar"))  # fmt: skip
    told = opened(resolved(told, "ranged", [1, 20]), "melee").refused(Attack("Ildar"), "paraverse.action.one")
    impossible(told, Attack("Reaver", "Ildar"), "Reaver is in skirmish 1, against Sigrun, and does not fight Ildar")
    for own in (Attack("Reaver"), Attack("Sigrun", "Reaver")):
        fought = told.when(own, [8, 9, 2]).ruled("paraverse.skirmish.rolls", "skirmish 1", [14, 13])
        fought.refused(Attack("Sigrun"), "paraverse.action.one")


def test_who_only_fights_back_does_not_attack():
    """paraverse.action.one: `resolve` fights the skirmish of Ildar, who passes: 9+4 = 13 against 13+1 = 14."""
    told = opened(said(planning(DAGGER, reaver()), Pass("Ildar"), Attack("Reaver", "Ildar")), "melee")
    told.refused(Attack("Ildar"), "paraverse.action.one")
    told.when(Resolve("Ildar"), [9, 13, 2]).ruled("paraverse.skirmish.rolls", "skirmish 1", [13, 14])


def test_whom_the_game_master_lets_attack_fights():
    """paraverse.gm.allow: Ildar climbs, and would evade; 14+1 = 15 against 9+4 = 13, and his dagger does 4-3 = 1."""
    told = opened(said(planning(DAGGER, reaver()), Check("Ildar", "acrobatics"), Attack("Reaver", "Ildar")), "melee")
    told = told.when(Attack("Ildar"), [9, 14, 2], allow="he drops on him")
    told.ruled("paraverse.skirmish.rolls", "skirmish 1", [13, 15]).then(PainSuffered("Reaver", 1, 1))


def test_an_empty_hand_does_no_damage():
    """paraverse.damage.formula: 0 x 2, against no armour, where the game master lets fists fight."""
    told = planning(someone("Ulf", "party", hand=""), reaver(av=0)).when(Attack("Ulf", "Reaver"), allow="with fists")
    told = opened(told, "melee").when(Resolve(), [19, 2, 2], allow="with fists")
    told.ruled("paraverse.damage.formula", totals=[0])
