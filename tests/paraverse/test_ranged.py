"""Ranged attacks, step by step."""

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.paraverse.combat import Attack, Shoot
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.resolve import Resolve
from ledger.events import PainSuffered, Rolled, Ruled, Step, WoundSuffered
from tests.kit import no

from .table import became, ildar, impossible, next_round, opened, planning, reaver, resolved, rolls, said, sigrun, vasko


def shot(who: str, target: str, dice: list[int], *joining, **options):
    """One shot of the first round."""
    told = planning(*(joining or (sigrun(), ildar(), reaver(), vasko())), **options)
    return resolved(said(told, Shoot(who, target)), "ranged", dice)


def test_the_attacker_uses_the_skill_of_its_weapon():
    """paraverse.ranged.attack-roll: Ildar 9+6 = 15; Sigrun with knives 9+2 = 11."""
    shot("Ildar", "Reaver", [9, 19]).ruled("paraverse.ranged.hit-if-higher", totals=[15, 19])
    shot("Sigrun", "Reaver", [9, 19], sigrun(hand="knives"), reaver()).ruled(
        "paraverse.ranged.hit-if-higher", totals=[11, 19]
    )


def test_the_defender_evades():
    """paraverse.ranged.defence-roll: Reaver 12+0 = 12, also while he attacks somebody."""
    told = said(planning(sigrun(), ildar(), reaver()), Shoot("Ildar", "Reaver"), Attack("Reaver", "Sigrun"))
    resolved(told, "ranged", [2, 12]).ruled("paraverse.ranged.hit-if-higher", "miss", [8, 12])


def test_a_shield_in_use_helps():
    """paraverse.ranged.shield: Sigrun 8+2+2 = 12, or 10 with it down."""
    shot("Vasko", "Sigrun", [2, 8]).ruled("paraverse.ranged.hit-if-higher", "miss", [5, 12])
    told = said(planning(sigrun(), vasko()), Draw("Sigrun", "broadsword", no_shield=True), Shoot("Vasko", "Sigrun"))
    resolved(told, "ranged", [2, 8]).ruled("paraverse.ranged.hit-if-higher", "miss", [5, 10])


def test_equal_misses():
    """paraverse.ranged.hit-if-higher: 12 v 12 misses, 13 v 12 hits: 7-3 = 4, 1 pain."""
    shot("Ildar", "Reaver", [6, 12]).ruled("paraverse.ranged.hit-if-higher", "miss", [12, 12])
    told = shot("Ildar", "Reaver", [7, 12, 2]).ruled("paraverse.ranged.hit-if-higher", "hit", [13, 12])
    told.then(PainSuffered("Reaver", 1, 1))


def test_a_miss_rolls_nothing_more():
    """paraverse.ranged.miss-ends: two dice."""
    told = shot("Ildar", "Reaver", [6, 12]).then(no(PainSuffered))
    assert len(rolls(told)) == 2


def test_a_hit_goes_on_in_order():
    """paraverse.ranged.sequence: 20 v 9, x3, arms, 21-3 = 18, pain 4, and 18 is over 11."""
    told = shot("Ildar", "Reaver", [14, 9, 3])
    clauses = [event.clause.removeprefix("paraverse.") for event in told.events if isinstance(event, Ruled)]
    assert clauses == [
        "ranged.hit-if-higher", "hit-location", "damage.multiplier", "damage.formula", "pain.ceiling", "wound.critical"
    ]  # fmt: skip
    told.ruled("paraverse.damage.formula", totals=[18])
    told.then(Rolled("Ildar", "hit location", "Reaver", "1d4", (3,), (0,)), PainSuffered("Reaver", 4, 4))
    told.then(WoundSuffered("Reaver", "fractured-arm", "arms"))


def test_a_sum_remembers_its_terms():
    told = shot("Vasko", "Sigrun", [2, 8])
    ruled = next(event for event in told.events if isinstance(event, Ruled))
    assert ruled.numbers[1].steps == (
        Step(8, "d20", "+", "paraverse.ranged.defence-roll", 2),
        Step(2, "evasion"),
        Step(2, "shield", "+", "paraverse.ranged.shield"),
    )


def test_an_engaged_archer_cannot_shoot():
    """paraverse.ranged.marksman-engaged: Ildar, attacked by Reaver; the game master may allow it."""
    told = said(planning(ildar(), reaver(), vasko()), Attack("Reaver", "Ildar"))
    told = next_round(resolved(told, "melee", [2, 19]))
    told.refused(Shoot("Ildar", "Vasko"), "paraverse.ranged.marksman-engaged")
    told.when(Shoot("Ildar", "Vasko"), allow="point blank")


def test_a_miss_at_somebody_engaged_may_hit_another():
    """paraverse.ranged.stray: natural 12, 18 v 18 misses; 12 v 7+2+2 = 11 hits Sigrun by 1: 7-5 = 2, 1 pain."""
    told = said(planning(sigrun(), ildar(), reaver(), stray_shots=True), Attack("Sigrun", "Reaver"))
    told = next_round(resolved(told, "melee", [10, 12, 2]))
    told = opened(said(told, Shoot("Ildar", "Reaver")), "ranged")
    hit = told.when(Resolve(), [12, 18, 7, 2])
    hit.ruled("paraverse.ranged.hit-if-higher", "miss", [18, 18])
    hit.ruled("paraverse.ranged.stray", "flies on to Sigrun")
    hit.ruled("paraverse.ranged.hit-if-higher", "hit", [12, 11]).then(PainSuffered("Sigrun", 1, 2))
    missed = told.when(Resolve(), [11, 18, 7])
    missed.ruled("paraverse.ranged.hit-if-higher", "miss", [11, 11]).then(no(PainSuffered))
    told.refused(Resolve(stray="Ildar"), "paraverse.ranged.stray", [12, 18])
    assert became(told.when(Resolve(stray="Sigrun"), [12, 18, 19]), "Ildar") == "done"


def test_no_miss_flies_on_to_the_fallen():
    """paraverse.ranged.stray: Sigrun, who fought the Reaver, is down."""
    told = said(planning(sigrun(), ildar(), reaver(), stray_shots=True), Attack("Sigrun", "Reaver"))
    told = next_round(resolved(told, "melee", [10, 12, 2])).when(Adjust(("Sigrun",), "down", "dead", "x"))
    opened(said(told, Shoot("Ildar", "Reaver")), "ranged").when(Resolve(), [12, 18]).then(no(PainSuffered))


def test_a_miss_is_a_miss_without_the_option():
    """paraverse.ranged.stray: off by default."""
    told = said(planning(sigrun(), ildar(), reaver()), Attack("Sigrun", "Reaver"))
    told = next_round(resolved(told, "melee", [10, 12, 2]))
    assert len(rolls(resolved(said(told, Shoot("Ildar", "Reaver")), "ranged", [12, 18]))) == 2


def test_nobody_near_no_stray():
    """paraverse.ranged.stray: the target is engaged with nobody."""
    told = shot("Ildar", "Reaver", [12, 18], stray_shots=True)
    assert len(rolls(told)) == 2


def test_a_natural_20_or_1_means_nothing():
    """paraverse.combat.no-natural-effects: 20-3 = 17 misses 17; 1+6 = 7 hits 6."""
    bad = ildar(skills={"marksman": -3, "evasion": 4})
    shot("Ildar", "Reaver", [20, 17], bad, reaver()).ruled("paraverse.ranged.hit-if-higher", "miss", [17, 17])
    shot("Ildar", "Reaver", [1, 6, 2]).ruled("paraverse.ranged.hit-if-higher", "hit", [7, 6])


def test_one_shot_by_its_name():
    """The short verb resolves what it declared, with or without its words."""
    told = opened(said(planning(sigrun(), ildar(), reaver()), Shoot("Ildar", "Reaver")), "ranged")
    assert became(told.when(Shoot("Ildar"), [2, 12]), "Ildar") == "done"
    assert became(told.when(Shoot("Ildar", "Reaver"), [2, 12]), "Ildar") == "done"
    assert became(told.when(Resolve("Ildar"), [2, 12]), "Ildar") == "done"
    impossible(told.when(Resolve(), [2, 12]), Resolve(), "Nothing is left")


def test_an_arrow_does_not_stray_to_the_archer():
    """paraverse.ranged.stray: Ildar shoots at the one with whom he is engaged."""
    told = said(planning(ildar(), reaver(), stray_shots=True), Attack("Reaver", "Ildar"))
    told = next_round(resolved(told, "melee", [10, 10]))
    told = told.when(Shoot("Ildar", "Reaver"), allow="he steps back")
    assert len(rolls(opened(told, "ranged").when(Resolve(), [12, 18]))) == 2


def test_an_arrow_does_not_stray_to_somebody_who_is_gone():
    """paraverse.ranged.stray: Sigrun, engaged with the target when the phase opened, was led away since."""
    told = said(planning(sigrun(), ildar(), reaver(), stray_shots=True), Attack("Sigrun", "Reaver"))
    told = next_round(resolved(told, "melee", [10, 12, 2]))
    told = opened(said(told, Shoot("Ildar", "Reaver")), "ranged").when(Leave(("Sigrun",)), allow="led away")
    assert len(rolls(told.when(Resolve(), [12, 18]))) == 2
