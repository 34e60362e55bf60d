"""Advantage and disadvantage, and being attacked at a miscellaneous action."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Disengage, Shoot
from commands.rules.paraverse.drawing import Draw
from commands.rules.paraverse.magic import Effect
from commands.rules.paraverse.resolve import Resolve
from ledger.errors import UsageError
from ledger.events import ConditionGained, PainSuffered, Ruled
from tests.kit import no

from .table import ALL, ildar, impossible, next_round, opened, planning, reaver, resolved, rolls, said, sigrun, vasko


def _shot(words: Resolve, dice, *joining):
    told = said(planning(*(joining or (ildar(), vasko()))), Shoot("Ildar", "Vasko"))
    return opened(told, "ranged").when(words, dice)


def test_with_disadvantage_the_lower_die_counts():
    """paraverse.disadvantage.lower-die: [18,5] is 5, and 5+6 = 11."""
    told = _shot(Resolve(mod=("@Ildar:dis:smoke",)), [18, 5, 12])
    told.ruled("paraverse.disadvantage.lower-die", "disadvantage: smoke", [5])
    told.ruled("paraverse.ranged.hit-if-higher", "miss", [11, 13])


def test_with_advantage_the_higher_die_counts():
    """paraverse.advantage.higher-die: [18,5] is 18, and 18+6 = 24; 13 v 12+1."""
    told = _shot(Resolve(mod=("@Ildar:adv:from above",)), [18, 5, 13, 2])
    told.ruled("paraverse.advantage.higher-die", "advantage: from above", [18])
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [24, 14])


def test_two_dice_stand_next_to_each_other():
    """Both rolls with two dice: the attacker's come first."""
    told = _shot(Resolve(mod=("@Ildar:adv:light", "@Vasko:adv:cover")), [2, 3, 19, 20])
    assert rolls(told) == [("Ildar", "attack", (2, 3)), ("Vasko", "defence", (19, 20))]


def test_several_reasons_count_once():
    """paraverse.advantage.no-stack: broken leg, and busy: [9,12] is 9."""
    told = said(
        planning(ildar(wounds=["fractured-leg"]), vasko()), Check("Ildar", "acrobatics"), Shoot("Vasko", "Ildar")
    )
    told = resolved(told, "ranged", [2, 9, 12])
    told.ruled("paraverse.disadvantage.lower-die", "disadvantage: fractured-leg, busy", [9])
    assert rolls(told)[1] == ("Ildar", "defence", (9, 12))


def test_advantage_and_disadvantage_cancel():
    """paraverse.advantage.cancel: two against one are one die still."""
    told = said(
        planning(ildar(wounds=["fractured-leg"]), vasko()), Check("Ildar", "acrobatics"), Shoot("Vasko", "Ildar")
    )
    told = opened(told, "ranged").when(Resolve(mod=("@Ildar:adv:warned",)), [2, 9])
    told.ruled("paraverse.advantage.cancel", "one die (warned; fractured-leg, busy)")
    (cancel,) = [one for one in told.events if isinstance(one, Ruled) and one.clause == "paraverse.advantage.cancel"]
    assert cancel.aside
    told.ruled("paraverse.ranged.hit-if-higher", "miss", [5, 13])


def test_a_skirmish_is_decided_by_the_die_that_counts():
    """paraverse.disadvantage.lower-die: [18,5] is natural 5 for the lowest natural, too."""
    told = said(planning(*ALL[:3]), Draw("Ildar", "dagger"), Attack("Sigrun", "Reaver"), Attack("Ildar", "Reaver"))
    told = opened(told, "melee").when(Resolve(mod=("@Sigrun:dis:mud",)), [18, 5, 7, 16, 2])
    told.then(PainSuffered("Sigrun", 3, 3))  # Sigrun 11, Ildar 8, Reaver 20: 9 is x2, 20-5 = 15 over 6 is 3


def test_modifiers_of_the_game_master():
    """paraverse.gm.modifier: recorded with their reason."""
    told = _shot(Resolve(mod=("@Ildar:+2:high ground", "evasion@Vasko:-1:mud")), [10, 12, 2])
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [18, 12])
    ruled = next(event for event in told.events if isinstance(event, Ruled) and event.sign)
    assert [(step.value, step.reason) for step in ruled.numbers[0].steps] == [
        (10, "d20"), (6, "marksman"), (2, "high ground")
    ]  # fmt: skip
    impossible(_shot(Resolve(), [2, 19]), Resolve(), "Nothing is left")


def test_anyone_who_climbs_evades_badly():
    """paraverse.misc.attacked-evasion-disadvantage: 9+3 = 12 v [16,7], 7+4 = 11: hit."""
    told = said(planning(*ALL), Check("Ildar", "acrobatics"), Shoot("Vasko", "Ildar"))
    told = resolved(told, "ranged", [9, 16, 7, 2])
    told.ruled("paraverse.ranged.hit-if-higher", "hit", [12, 11])


def test_anyone_who_climbs_evades_badly_hand_to_hand():
    """paraverse.misc.attacked-evasion-disadvantage, paraverse.skirmish.evader: 10+4 = 14 v 7+4 = 11, x1."""
    told = said(planning(*ALL), Check("Ildar", "acrobatics"), Attack("Reaver", "Ildar"))
    told = resolved(told, "melee", [10, 16, 7, 2])
    told.ruled("paraverse.skirmish.rolls", totals=[14, 11])
    told.then(ConditionGained("Ildar", "attacked", "round-end", round=1), PainSuffered("Ildar", 2, 2))


def _attacked(shot: list[int], check: list[int], **fields):
    told = said(planning(sigrun(), ildar(**fields), vasko()), Check("Ildar", "acrobatics"), Shoot("Vasko", "Ildar"))
    return resolved(resolved(told, "ranged", shot), "misc", check)


def test_anyone_who_was_attacked_climbs_badly():
    """paraverse.misc.attacked-action-disadvantage: a miss will do; [14,6] is 6+4 = 10, not above 10."""
    told = _attacked([2, 16, 7], [14, 6])
    told.ruled("paraverse.disadvantage.lower-die", "disadvantage: attacked", [6])
    told.ruled("paraverse.check.partial", "acrobatics: partial failure", [10, 10])


def test_anyone_who_was_not_attacked_climbs_well():
    """paraverse.misc.attacked-action-disadvantage"""
    told = said(planning(*ALL), Check("Ildar", "acrobatics"))
    resolved(told, "misc", [7]).ruled("paraverse.check.success", "acrobatics: success", [11, 10])


def test_a_skirmish_with_somebody_who_fights_is_an_attack():
    """paraverse.misc.attacked-action-disadvantage: no matter who wins."""
    told = said(planning(*ALL), Check("Ildar", "acrobatics"), Attack("Reaver", "Ildar"))
    told = resolved(told, "melee", [2, 16, 7])
    assert "attacked" in told.state.conditions.of["Ildar"]


def test_somebody_who_only_gets_away_attacks_nobody():
    """paraverse.misc.attacked-evasion-disadvantage, paraverse.misc.attacked-action-disadvantage: one opponent must
    fight. Reaver disengages from Ildar, 10 v 8+4 with one die; and he climbs with one die: 7+4.
    """
    told = next_round(resolved(said(planning(ildar(), reaver()), Attack("Reaver", "Ildar")), "melee", [2, 19]))
    told = said(told, Check("Ildar", "acrobatics"), Disengage("Reaver"))
    told = resolved(told, "melee", [10, 8]).ruled("paraverse.skirmish.rolls", totals=[10, 12])
    resolved(told, "misc", [7]).ruled("paraverse.check.success", "acrobatics: success", [11, 10])


def test_a_flagged_effect_is_an_attack():
    """paraverse.misc.attacked-action-disadvantage"""
    told = said(planning(*ALL), Check("Ildar", "acrobatics"), Check("Sigrun", "athletics"))
    told = opened(told, "magic").when(Effect(("Ildar",), attack=True))
    told = resolved(told, "misc", [14, 6, 9])
    assert rolls(told) == [("Ildar", "check", (14, 6)), ("Sigrun", "check", (9,))]


def test_only_the_busy_are_marked():
    told = said(planning(*ALL), Shoot("Vasko", "Ildar"))
    resolved(told, "ranged", [2, 16]).then(no(ConditionGained))


def test_an_attack_of_an_earlier_round_is_forgotten():
    """paraverse.misc.attacked-action-disadvantage: earlier in the round, not earlier; here in the last end phase."""
    told = opened(said(planning(*ALL), Check("Ildar", "acrobatics")), "misc").when(Resolve(), [7])
    told = opened(told, "end").when(Effect(("Ildar",), attack=True))
    told = said(next_round(told), Check("Ildar", "acrobatics"))
    resolved(told, "misc", [7]).ruled("paraverse.check.success", "acrobatics: success", [11, 10])


def test_an_attack_in_planning_counts_for_whatever_is_declared_then():
    """paraverse.misc.attacked-action-disadvantage: a trap springs before Ildar declares."""
    told = said(planning(*ALL), Effect(("Ildar",), attack=True), Check("Ildar", "acrobatics"))
    resolved(told, "misc", [14, 6]).ruled("paraverse.disadvantage.lower-die", "disadvantage: attacked", [6])


def test_what_is_said_of_a_roll_needs_a_roll():
    """paraverse.gm.modifier: Reaver rolls nothing when Ildar shoots Vasko; beginnings of names will do."""
    told = opened(said(planning(*ALL), Shoot("Ildar", "Vasko")), "ranged")
    for words in (Resolve(mod=("@reaver:+2",)), Shoot("Ildar", mod=("@Reaver:dis",))):
        with pytest.raises(UsageError, match="Reaver rolls nothing here"):
            told.when(words, [2, 12])
    told.when(Resolve(mod=("@vas:+2",)), [2, 12]).ruled("paraverse.ranged.hit-if-higher", "miss", [8, 15])


def test_a_modifier_without_a_name_is_for_the_one_who_acts():
    """paraverse.gm.modifier: Ildar 10 + 6 + 2 against Vasko 12 + 1; the defender's roll is not changed."""
    told = opened(said(planning(*ALL), Shoot("Ildar", "Vasko")), "ranged")
    told.when(Shoot("Ildar", mod=("2:high ground",)), [10, 12, 2]).ruled(
        "paraverse.ranged.hit-if-higher", "hit", [18, 13]
    )
    impossible(told, Resolve(mod=("2:high ground",)), "Whose roll does the modifier change")


def test_a_modifier_names_the_skill_that_is_rolled():
    """paraverse.gm.modifier: a skill, or a word for several; another one than is rolled changes nothing and stops."""
    told = opened(said(planning(*ALL), Shoot("Ildar", "Vasko")), "ranged")
    for word in ("marksman:1", "ranged@ildar:1", "all:1", "Marksman@ILDAR:+1:wind"):
        told.when(Shoot("Ildar", mod=(word,)), [10, 12, 2]).ruled("paraverse.ranged.hit-if-higher", "hit", [17, 13])
    for word, says in (
        ("throwing:1", "Ildar does not roll throwing here"),
        ("hit:1", "shoot has no 'hit' to modify"),
        ("marksman:good", "is not a modifier"),
    ):
        with pytest.raises(UsageError, match=says):
            told.when(Shoot("Ildar", mod=(word,)), [10, 12, 2])
