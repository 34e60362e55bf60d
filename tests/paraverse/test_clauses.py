"""A ruling comes out by name where it decides something, and only there."""

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.rules.paraverse.combat import Attack, Check, Disengage, Move, Pass, Shoot
from commands.rules.paraverse.healing import Heal, Rest, Save
from commands.rules.paraverse.magic import Effect
from ledger.events import Disengaged, Overruled, PainSuffered, Rolled, Ruled
from tests.kit import Told, given, no

from .table import ALL, became, ildar, next_round, opened, planning, reaver, resolved, said, sigrun, vasko

DAGGER = ildar(hand="dagger")
THREE = (sigrun(), DAGGER, reaver())
TWO = (Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"))


def rulings(told: Told, clause: str = "") -> list[set[str]]:
    """The clauses that each ruling of the last action names, or each one by a clause."""
    named = (event for event in told.events if isinstance(event, Ruled))
    return [set(event.clauses) for event in named if clause in ("", event.clause)]


def out(told: Told, *clauses: str) -> bool:
    """Whether all of these clauses came out in the last action; fails when only some did."""
    found = {f"paraverse.{clause}" for clause in clauses} & set().union(*rulings(told))
    assert len(found) in (0, len(clauses)), found
    return bool(found)


def shots(dice: list[int], *shooting: Shoot, **options: object) -> Told:
    return resolved(said(planning(*ALL, **options), *shooting), "ranged", dice)


def melee(dice: list[int], *said_: object, joining: tuple[Join, ...] = THREE, **options: object) -> Told:
    return resolved(said(planning(*joining, **options), *said_), "melee", dice)


# Ranged


def test_a_miss_ends_the_attack_and_a_hit_goes_on_in_order():
    """paraverse.ranged.miss-ends, paraverse.ranged.sequence: Ildar 12 and 13 against Reaver 12."""
    miss = shots([6, 12], Shoot("Ildar", "Reaver"))
    assert out(miss, "ranged.miss-ends")
    assert not out(miss, "ranged.sequence")
    hit = shots([7, 12, 2], Shoot("Ildar", "Reaver"))
    assert not out(hit, "ranged.miss-ends")
    assert rulings(hit, "paraverse.hit-location") == [{"paraverse.hit-location", "paraverse.ranged.sequence"}]


def test_a_miss_that_flies_on_does_not_end_the_attack():
    """paraverse.ranged.miss-ends: Vasko 5 against Sigrun 12 flies on to Reaver, who evades with 9 against 2."""
    told = said(planning(*ALL, stray_shots=True), Adjust("Sigrun", "engaged", "Reaver", "seen"))
    told = resolved(said(told, Shoot("Vasko", "Sigrun")), "ranged", [2, 8, 9])
    ends = ["paraverse.ranged.miss-ends" in one for one in rulings(told, "paraverse.ranged.hit-if-higher")]
    assert ends == [False, True]


def test_a_natural_20_is_only_a_high_roll():
    """paraverse.combat.no-natural-effects: 20 + 3 misses 20 + 4; of 10 + 3 against 12 + 4 there is nothing to say."""
    told = shots([20, 20], Shoot("Vasko", "Ildar")).ruled("paraverse.ranged.hit-if-higher", "miss", [23, 24])
    assert out(told, "combat.no-natural-effects")
    assert not out(shots([10, 12], Shoot("Vasko", "Ildar")), "combat.no-natural-effects")


def test_a_natural_1_can_win_a_skirmish():
    """paraverse.combat.no-natural-effects: 1 + 6 beats 2 + 4; the option critical_hits makes another rule of it."""
    attack = Attack("Sigrun", "Reaver")
    told = melee([1, 2, 2], attack, joining=(sigrun(), reaver())).ruled("paraverse.skirmish.winner", totals=[7, 6])
    assert out(told, "combat.no-natural-effects")
    told = melee([1, 2, 2], attack, joining=(sigrun(), reaver()), critical_hits=True)
    assert not out(told, "combat.no-natural-effects")


def test_anyone_who_is_felled_in_a_phase_still_acts_in_it():
    """paraverse.phase.same-phase: 25 against 2 is 20 damage, 5 pain of 5 Stamina; then Vasko shoots back, 13 v 14."""
    told = shots([19, 1, 2, 10, 10], Shoot("Ildar", "Vasko"), Shoot("Vasko", "Ildar"))
    told.then(PainSuffered("Vasko", 5, 5)).ruled("paraverse.ranged.hit-if-higher", "miss", [13, 14])
    same = ["paraverse.phase.same-phase" in one for one in rulings(told, "paraverse.ranged.hit-if-higher")]
    assert same == [False, True]
    assert not out(told, "phase.snapshot")  # a bleeder hinders no shot


def test_a_wound_of_the_phase_does_not_hinder_in_it():
    """paraverse.phase.snapshot: the arm is fractured, but Vasko still shoots with one die."""
    told = shots([19, 1, 3, 10, 10], Shoot("Ildar", "Vasko"), Shoot("Vasko", "Ildar"))
    assert [roll.dice for roll in told.events if isinstance(roll, Rolled) and roll.purpose == "attack"] == [
        "1d20", "1d20"
    ]  # fmt: skip
    snapshot = ["paraverse.phase.snapshot" in one for one in rulings(told, "paraverse.ranged.hit-if-higher")]
    assert snapshot == [False, True]


# Melee


def test_one_against_one_leaves_no_choice_of_dealer_and_victim():
    """paraverse.skirmish.dealer, paraverse.skirmish.victim, paraverse.skirmish.one-victim: 14 against 9 is 5."""
    told = melee([8, 5, 2], Attack("Sigrun", "Reaver"), joining=(sigrun(), reaver()))
    told.ruled("paraverse.damage.multiplier", "x1", [5])
    assert out(told, "skirmish.difference", "skirmish.sequence")
    assert not out(told, "skirmish.dealer")
    assert not out(told, "skirmish.victim", "skirmish.one-victim")


def test_the_best_of_the_winners_deals():
    """paraverse.skirmish.dealer: Sigrun 14 and Ildar 8 against Reaver 9; her 14 less his 9."""
    told = melee([8, 7, 5, 2], *TWO).ruled("paraverse.damage.multiplier", "x1", [5])
    assert out(told, "skirmish.dealer")
    assert not out(told, "skirmish.victim", "skirmish.one-victim")


def test_the_lowest_natural_of_the_losers_suffers_alone():
    """paraverse.skirmish.victim, paraverse.skirmish.one-victim: Reaver 23 against 14 (8) and 8 (7): Ildar."""
    told = melee([8, 7, 19, 2], *TWO).ruled("paraverse.damage.multiplier", "x2", [9], about="Ildar")
    assert out(told, "skirmish.victim", "skirmish.one-victim")
    assert not out(told, "skirmish.dealer")


def test_anyone_who_passes_is_drawn_into_a_skirmish():
    """paraverse.assign.single-opponent: and who has picked as well is not."""
    pair = {"joining": (sigrun(), reaver())}
    assert out(melee([8, 5, 2], Attack("Sigrun", "Reaver"), **pair), "assign.single-opponent")
    both = melee([8, 5, 2], Attack("Sigrun", "Reaver"), Attack("Reaver", "Sigrun"), **pair)
    assert not out(both, "assign.single-opponent")


def test_each_rolls_by_what_it_does():
    """paraverse.skirmish.skill-by-weapon, paraverse.skirmish.evader: Sigrun fights, Vasko evades."""
    told = melee([8, 5, 2], Attack("Sigrun", "Vasko"), Pass("Vasko"), joining=(sigrun(), vasko()))
    (rolled,) = (event for event in told.events if isinstance(event, Ruled) and event.clause.endswith("skirmish.rolls"))
    assert [number.steps[0].clause for number in rolled.numbers] == [
        "paraverse.skirmish.skill-by-weapon", "paraverse.skirmish.evader"
    ]  # fmt: skip
    assert not out(told, "disengage.roll")


def _leaving(dice: list[int]) -> Told:
    """Ildar gets away from Reaver, whom Sigrun attacks: her +6, his evasion +4, Reaver +4."""
    told = said(planning(sigrun(), DAGGER, reaver()), Adjust("Ildar", "engaged", "Reaver", "seen"))
    return resolved(said(told, Attack("Sigrun", "Reaver"), Disengage("Ildar")), "melee", dice)


def test_a_friend_wins_the_way_out():
    """paraverse.disengage.side-wins: Sigrun 16 and Ildar 9 against Reaver 10; she deals, and he is free."""
    told = _leaving([10, 5, 6, 2]).then(Disengaged("Ildar", "Reaver"))
    assert out(told, "disengage.win", "disengage.side-wins", "disengage.roll")


def test_anyone_who_wins_its_own_way_out_needs_no_friend():
    """paraverse.disengage.side-wins: Ildar 19 is the best, and nobody is hurt."""
    told = _leaving([10, 15, 6]).then(Disengaged("Ildar", "Reaver"), no(PainSuffered))
    assert out(told, "disengage.win")
    assert not out(told, "disengage.side-wins")


def test_the_game_master_lets_somebody_disengage_from_anyone_who_picks_it():
    """paraverse.disengage.needs-engagement: Ildar 15 + 4 against Reaver 5 + 4; they are not engaged afterwards."""
    told = planning(DAGGER, reaver()).refused(Disengage("Ildar"), "paraverse.disengage.needs-engagement")
    told = told.when(Disengage("Ildar"), allow="he keeps away")
    told.then(Overruled("paraverse.disengage.needs-engagement", "Ildar is engaged with nobody.", "he keeps away"))
    picked = resolved(said(told, Attack("Reaver", "Ildar")), "melee", [5, 15]).then(no(PainSuffered))
    assert picked.state.engagement.pairs == ()
    assert became(picked, "Ildar") == "done"
    alone = resolved(told, "melee", []).ruled(
        "paraverse.disengage.needs-engagement", "there is nobody to get away from"
    )
    assert became(alone, "Ildar") == "lost"


def test_opponents_are_engaged_once_and_until_one_leaves():
    """paraverse.engaged.starts, paraverse.engaged.ends"""
    told = melee([8, 5, 2], Attack("Sigrun", "Reaver"), joining=(sigrun(), reaver()))
    assert out(told, "engaged.starts")
    again = resolved(said(next_round(told), Attack("Sigrun", "Reaver")), "melee", [8, 5, 2])
    assert not out(again, "engaged.starts")
    assert out(said(again, Adjust("Reaver", "down", "dead", "the test")), "engaged.ends")


# Harm


def test_the_location_of_a_hit_that_does_nothing_is_rolled():
    """paraverse.hit-location.before-damage, paraverse.damage.minimum-zero: 17 v 16, 4 - 5 is 0; 18 v 12, 8 - 5 is 3."""
    told = melee([16, 10, 2], Attack("Reaver", "Sigrun"), joining=(reaver(**DAGGER_HAND), sigrun()))
    told.ruled("paraverse.damage.formula", "", [0]).ruled("paraverse.hit-location", "torso")
    assert out(told, "hit-location.before-damage", "damage.minimum-zero")
    told = melee([17, 6, 2], Attack("Reaver", "Sigrun"), joining=(reaver(**DAGGER_HAND), sigrun()))
    told.ruled("paraverse.damage.formula", "", [3])
    assert not out(told, "hit-location.before-damage", "damage.minimum-zero")


DAGGER_HAND = {
    "hand": "dagger", "skills": {"one-handed": 1}, "weapons": {"dagger": {"use": "melee", "base": 4}}
}  # fmt: skip


def test_each_hit_is_rounded_by_itself():
    """paraverse.pain.per-hit: 4 damage is 1 pain of Fortitude 5, then 2 more damage is another one."""
    told = said(planning(ildar(), sigrun(hand="knives"), reaver()), Shoot("Ildar", "Reaver"), Shoot("Sigrun", "Reaver"))
    told = resolved(told, "ranged", [7, 12, 2, 15, 12, 2])
    told.then(PainSuffered("Reaver", 1, 1), PainSuffered("Reaver", 1, 2))
    per_hit = ["paraverse.pain.per-hit" in one for one in rulings(told, "paraverse.pain.ceiling")]
    assert per_hit == [False, True]


def test_a_shield_soaks_by_the_option_only():
    """paraverse.damage.shield-soak: 10 less 5 armour less 2 shield is 3."""
    attack, both = Attack("Reaver", "Sigrun"), (reaver(), sigrun())
    told = melee([12, 6, 2], attack, joining=both, shield_soak=True).ruled("paraverse.damage.formula", "", [3])
    assert out(told, "damage.shield-soak")
    assert not out(melee([12, 6, 2], attack, joining=both), "damage.shield-soak")


def test_a_stat_that_stands_on_the_sheet_is_not_derived():
    """paraverse.stat.fortitude, paraverse.stat.endurance: Reaver has 5 by WIL 9 and 6 by CON 11, or what is written."""
    burn = Effect(("Reaver",), damage=30)
    for fields, derived in (({}, True), ({"fortitude": 5, "endurance": 6}, False)):
        told = given("paraverse", reaver(**fields)).when(burn).ruled("paraverse.pain.ceiling", "", [6])
        assert out(told, "stat.fortitude", "stat.endurance") == derived


def test_a_skill_that_is_not_on_the_sheet_is_its_stat():
    """paraverse.stat.base-skill: Vasko has DEX 11, so +1; Ildar has acrobatics 4."""
    told = given("paraverse", *ALL)
    vaskos = told.when(Check("Vasko", "acrobatics"), [10]).ruled("paraverse.check.success", totals=[11, 10])
    assert out(vaskos, "stat.base-skill", "check.difficulty")
    ildars = told.when(Check("Ildar", "acrobatics"), [10]).ruled("paraverse.check.success", totals=[14, 10])
    assert not out(ildars, "stat.base-skill")


def test_only_those_in_pain_are_tired():
    """paraverse.check.fatigue: 10 + 4, or less 2."""
    for pain, score in ((0, 14), (2, 12)):
        told = given("paraverse", ildar(pain=pain)).when(Check("Ildar", "acrobatics"), [10])
        assert out(told.ruled("paraverse.check.success", totals=[score, 10]), "check.fatigue") == bool(pain)


def test_two_reasons_do_not_stack():
    """paraverse.advantage.no-stack: of [15, 4] the 4 counts, with one reason or with two."""
    told = given("paraverse", ildar())
    for reasons in (("dis:mud",), ("dis:mud", "dis:rain")):
        one = told.when(Check("Ildar", "acrobatics", mod=reasons), [15, 4])
        one.ruled("paraverse.disadvantage.lower-die", totals=[4])
        assert out(one, "advantage.no-stack") == (len(reasons) == 2)


def test_a_wound_that_hinders_is_named():
    """paraverse.wound.fractured-arm, paraverse.wound.fractured-leg: arms hinder no evasion, legs do."""
    for wound, hinders in (("fractured-arm", False), ("fractured-leg", True)):
        told = said(planning(*ALL), Adjust("Ildar", "wound", wound, "seen"), Shoot("Vasko", "Ildar"))
        told = resolved(told, "ranged", [2, 12, 8] if hinders else [2, 12])
        assert out(told, f"wound.{wound}") == hinders


def test_a_wound_comes_from_the_table():
    """paraverse.wound.table: 18 damage wounds, 4 does not."""
    assert out(shots([14, 9, 3], Shoot("Ildar", "Reaver")), "wound.table")
    assert not out(shots([7, 12, 3], Shoot("Ildar", "Reaver")), "wound.table")


# At a deed


def test_anyone_who_is_at_a_deed_is_hindered_by_its_clauses():
    """paraverse.misc.attacked-evasion-disadvantage, paraverse.misc.attacked-action-disadvantage"""
    told = resolved(said(planning(*ALL), Check("Ildar", "acrobatics"), Shoot("Vasko", "Ildar")), "ranged", [2, 12, 9])
    assert out(told, "misc.attacked-evasion-disadvantage")
    assert not out(told, "misc.attacked-action-disadvantage")
    told = resolved(told, "misc", [9, 6])
    assert out(told, "misc.attacked-action-disadvantage")
    assert not out(told, "misc.attacked-evasion-disadvantage")


# Movement, the end phase, and afterwards


def test_a_mover_arrives_and_may_fight():
    """paraverse.move.arrival, paraverse.move.engage"""
    yard = {"areas": ["hall", "yard"], "link": ["hall:yard"], "at": ["reaver=yard"]}
    for move, fights in ((Move("Sigrun", "yard"), False), (Move("Sigrun", "yard", engage="Reaver"), True)):
        told = opened(said(planning(sigrun(), reaver(), **yard), move), "melee")
        assert out(told, "move.arrival")
        assert out(told, "move.engage") == fights


def test_an_effect_is_over_when_its_rounds_are():
    """paraverse.end.expiry, paraverse.phase.end: one round or two."""
    for rounds in (1, 2):
        told = said(planning(ildar()), Effect(("Ildar",), name="ward", rounds=rounds))
        assert out(opened(told, "end"), "end.expiry", "phase.end") == (rounds == 1)


def test_which_wound_bleeds():
    """paraverse.wound.bleeder, paraverse.phase.end: by the option a skull fracture bleeds, too."""
    for wound, bleeder in (("bleeder", True), ("skull-fracture", False)):
        told = said(planning(reaver(), ildar(), wound_table="later"), Adjust("Reaver", "wound", wound, "seen"))
        told = opened(told, "end").then(PainSuffered("Reaver", 1, 1))
        assert out(told, "end.bleeding", "phase.end")
        assert out(told, "wound.bleeder") == bleeder


def test_the_death_checks_are_there_again_if_one_was_made():
    """paraverse.dying.stabilized-resets: Stamina 0 and 9 is no success."""
    told = said(given("paraverse", vasko(pain=5)), Adjust("Vasko", "wound", "bleeder", "seen"))
    assert not out(told.when(Heal("Vasko", wound="bleeder")), "dying.stabilized-resets")
    told = told.when(Save("Vasko"), [9]).ruled("paraverse.dying.death-check", "failed", [9, 15])
    told = told.when(Heal("Vasko", wound="bleeder"))
    assert out(told, "dying.stabilized-resets")
    assert told.state.points.left("Vasko", "death-check") == 3


def test_a_watch_eases_those_who_are_in_pain():
    """paraverse.rest.stamina"""
    assert out(given("paraverse", ildar(pain=2)).when(Rest()), "rest.stamina")
    assert not out(given("paraverse", ildar()).when(Rest()), "rest.stamina")


def test_a_day_has_six_watches():
    """paraverse.rest.day: 2 days of 2 watches ease 4 of 5 pain; without the option 3 days have 18."""
    told = (
        given("paraverse", ildar(pain=5), options={"watches_a_day": 2})
        .when(Rest(days=2))
        .ruled("paraverse.rest.stamina", "", [4])
    )
    assert told.state.pain.total("Ildar") == 1
    told = given("paraverse", ildar(pain=20)).when(Rest(days=3)).ruled("paraverse.rest.stamina", "", [18])
    assert told.state.pain.total("Ildar") == 2
