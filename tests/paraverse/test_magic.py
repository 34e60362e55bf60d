"""Magic, prayer, and effects of whatever cause."""

import pytest

from commands.rules.paraverse.combat import Attack, Check, Shoot
from commands.rules.paraverse.magic import Cast, Effect, Pray
from commands.rules.paraverse.phases import Phase
from ledger.errors import Refused, UsageError
from ledger.events import ConditionEnded, ConditionGained, PainEased, PainSuffered, Rolled, WaitingEnded, WoundSuffered
from tests.hints import offered_by
from tests.kit import no

from .table import became, ildar, impossible, next_round, opened, planning, reaver, resolved, rolls, said, sigrun, vasko


def magic():
    """Sigrun has declared a spell; it is the magic phase."""
    return opened(said(planning(sigrun(), vasko(), reaver()), Cast("Sigrun", "Ignition")), "magic")


def test_the_game_master_says_what_a_spell_does():
    """paraverse.magic.referee: damage on several, a lasting effect named after the spell; no effect, no success."""
    told = magic().when(Cast(who="Sigrun", target=("Vasko", "Reaver"), damage=4, each=1, rounds=2))
    burning = ConditionGained("Vasko", "Ignition", "round-end", round=2, amount=1, modifies="pain")
    told.then(PainSuffered("Vasko", 1, 1), burning)
    told.then(PainSuffered("Reaver", 1, 1), WaitingEnded("declared", "Sigrun", "done"))
    told.ruled("paraverse.magic.referee", "casts Ignition")
    failed = magic().when(Cast(who="Sigrun")).ruled("paraverse.magic.referee", "casts Ignition")
    assert became(failed, "Sigrun") == "failed"
    impossible(magic(), Cast(who="Sigrun", target=("Vasko",)), "What does the spell do")


def test_who_is_offered_a_spell_without_an_effect_gives_it_up():
    """paraverse.magic.referee: nobody said what it does, so it fails, and the hint says whose it is."""
    for said_, what in ((Cast(who="Sigrun", spell="spark"), "spell"), (Pray(who="Sigrun", prayer="Mercy"), "prayer")):
        told = opened(said(planning(sigrun(), vasko()), said_), "magic")
        with pytest.raises(Refused) as refused:
            told.when(Phase())
        verb = type(said_).__name__.lower()
        assert offered_by(refused.value) == f"affray {verb} Sigrun\n(gives up Sigrun's {what})"


def test_prayers_are_spoken_like_spells():
    """paraverse.phase.magic"""
    told = opened(said(planning(sigrun(), vasko(pain=2)), Pray("Sigrun", "Mercy")), "magic")
    told.when(Pray(who="Sigrun", target=("Vasko",), heal=1)).then(PainEased("Vasko", 1, 1))


def test_effect_damage_goes_through_pain_and_wounds():
    """paraverse.magic.effect-damage: 12 on Vasko, arms: pain 3, fractured arm; without location pain only."""
    told = planning(vasko()).when(Effect(("Vasko",), damage=12, location="arms"))
    told.then(PainSuffered("Vasko", 3, 3), WoundSuffered("Vasko", "fractured-arm", "arms"))
    planning(vasko()).when(Effect(("Vasko",), damage=12)).then(PainSuffered("Vasko", 3, 3), no(WoundSuffered))


def test_armour_counts_when_it_is_said():
    """paraverse.magic.effect-damage: 5 less AV 1 is 4, 1 pain; 5 is 2; 1 less 1 is none."""
    planning(vasko()).when(Effect(("Vasko",), damage=1, armour=True)).then(no(PainSuffered))
    planning(vasko()).when(Effect(("Vasko",), damage=5, armour=True)).then(PainSuffered("Vasko", 1, 1))
    planning(vasko()).when(Effect(("Vasko",), damage=5)).then(PainSuffered("Vasko", 2, 2))


def test_the_location_may_be_rolled():
    """paraverse.magic.effect-damage: 1, 2 is the head."""
    told = planning(vasko()).when(Effect(("Vasko",), damage=12, location="roll"), [1, 2])
    told.then(Rolled("", "hit location", "Vasko", "1d4", (2,), (0,)), WoundSuffered("Vasko", "skull-fracture", "head"))


def test_an_effect_acts_from_the_next_phase_on():
    """paraverse.magic.effect, paraverse.phase.snapshot: dazed in the ranged phase, one die; two in the melee."""
    told = said(planning(ildar(), reaver()), Shoot("Ildar", "Reaver"), Attack("Reaver", "Ildar"))
    told = opened(told, "ranged").when(Effect(("Reaver",), name="dazed", gives=("evasion:dis", "melee:dis")))
    told = resolved_here(told, [2, 12])
    assert rolls(told)[1] == ("Reaver", "defence", (12,))
    told = resolved(told, "melee", [15, 9, 17])
    assert rolls(told)[0] == ("Reaver", "melee", (15, 9))


def resolved_here(told, dice):
    from commands.rules.paraverse.resolve import Resolve

    return told.when(Resolve(), dice)


def test_advantage_and_modifiers_of_effects():
    """paraverse.magic.effect: [3,10]+6+2 = 18."""
    effect = Effect(
        ("Ildar",),
        name="blessed",
        gives=(
            "ranged:adv",
            "marksman:+2",
        ),
    )
    told = said(planning(ildar(), reaver()), effect, Shoot("Ildar", "Reaver"))
    told = resolved(told, "ranged", [3, 10, 18])
    told.ruled("paraverse.advantage.higher-die", "advantage: blessed", [10])
    told.ruled("paraverse.ranged.hit-if-higher", "miss", [18, 18])


def test_an_effect_may_be_ended():
    """paraverse.magic.effect: all of its parts."""
    told = planning(ildar()).when(
        Effect(
            ("Ildar",),
            name="blessed",
            gives=(
                "all:adv",
                "all:+2",
            ),
        )
    )
    assert list(told.state.conditions.of["Ildar"]) == ["blessed", "blessed, all"]
    assert [one.amount for one in told.state.conditions.of["Ildar"].values()] == [0, 2]
    told = told.when(Effect(("Ildar",), name="blessed", end=True))
    told.then(ConditionEnded("Ildar", "blessed"), ConditionEnded("Ildar", "blessed, all"))
    impossible(told, Effect(("Ildar",), name="cursed", end=True), "no effect")


def test_of_several_effects_the_first_is_offered_to_be_ended():
    """paraverse.magic.effect: --end with anything but a name says what would be meant."""
    told = planning(ildar()).when(Effect(("Ildar",), name="blessed")).when(Effect(("Ildar",), name="inspired"))
    with pytest.raises(UsageError) as error:
        told.when(Effect(("Ildar",), name="blessed", end=True, pain=1))
    assert offered_by(error.value) == "affray effect Ildar --end --name blessed"


def test_an_effect_without_rounds_lasts_all_the_fight():
    """paraverse.magic.effect: and a bare name is a condition."""
    told = planning(ildar()).when(Effect(("Ildar",), name="inspired"))
    told.then(ConditionGained("Ildar", "inspired", "encounter-end"))
    assert "inspired" in next_round(told).state.conditions.of["Ildar"]
    impossible(planning(ildar()), Effect(("Ildar",)), "What does the effect do")
    impossible(planning(ildar()), Effect(("Ildar",), gives=("luck",)), "not a modifier")
    impossible(planning(ildar()), Effect(("Ildar",), name="attacked"), "The rules use the name")


def test_an_effect_in_the_end_phase_begins_in_the_next_round():
    """paraverse.end.expiry: burning for 1 round, after this round's end has come and gone."""
    told = opened(planning(reaver()), "end").when(Effect(("Reaver",), name="burning", each=2, rounds=1))
    told.then(ConditionGained("Reaver", "burning", "round-end", round=2, amount=2, modifies="pain"))
    opened(next_round(told), "end").then(PainSuffered("Reaver", 2, 2), ConditionEnded("Reaver", "burning"))


def test_the_skills_of_an_effect_are_known_and_written_in_any_case():
    """paraverse.magic.effect: Evasion is evasion, and nobody here has luck; 8+4+2 = 14."""
    told = said(
        planning(ildar(), vasko()), Effect(("Ildar",), name="ward", gives=("Evasion:+2",)), Shoot("Vasko", "Ildar")
    )
    resolved(told, "ranged", [2, 8]).ruled("paraverse.ranged.hit-if-higher", "miss", [5, 14])
    told = said(planning(ildar(), vasko()), Effect(("Ildar",), gives=("All:dis",)), Shoot("Vasko", "Ildar"))
    assert rolls(resolved(told, "ranged", [2, 8, 9]))[1] == ("Ildar", "defence", (8, 9))
    for words in ({"gives": ("luck:+2",)}, {"gives": ("pain:+2",)}, {"gives": ("evasoin:adv",)}):
        impossible(planning(ildar()), Effect(("Ildar",), **words), "is not a skill")
    impossible(planning(ildar()), Effect(("Ildar",), gives=(f"{41 * 'x'}:+2",)), f"'{40 * 'x'}' is not a skill")
    told = planning(ildar(skills={"rope use": 2})).when(Effect(("Ildar",), gives=("rope use:+2",)))
    told = resolved(said(told, Check("Ildar", "rope use")), "misc", [9])
    told.ruled("paraverse.check.success", totals=[13, 10])


def test_effects_without_a_name_do_not_replace_each_other():
    """paraverse.magic.effect: burning for 2, and dazzled as well."""
    told = said(planning(reaver()), Effect(("Reaver",), each=2), Effect(("Reaver",), gives=("evasion:-2",)))
    assert list(told.state.conditions.of["Reaver"]) == ["effect", "effect-2"]
    opened(told, "end").then(PainSuffered("Reaver", 2, 2))


def test_an_effect_of_the_same_name_adds_what_it_did_not_give_yet():
    """paraverse.magic.effect: the ward gives 1 pain and evasion +2; then melee +1 besides, and evasion +3 instead; all
    of it ends together.
    """
    told = planning(ildar()).when(Effect(("Ildar",), name="ward", each=1, gives=("evasion:+2",)))
    told = told.when(Effect(("Ildar",), name="ward", gives=("melee:+1", "evasion:+3")))
    held = {held.modifies: held.amount for _, held in told.state.conditions.held("Ildar")}
    assert held == {"pain": 1, "evasion": 3, "melee": 1}
    assert not told.when(Effect(("Ildar",), name="ward", end=True)).state.conditions.held("Ildar")


def test_words_of_which_nothing_comes_are_not_taken():
    """paraverse.magic.effect: 2 pain for 2 rounds is --each 2; a location and armour belong to damage."""
    impossible(planning(ildar()), Effect(("Ildar",), pain=2, rounds=2), "What lasts 2 rounds")
    impossible(magic(), Cast(who="Sigrun", target=("Vasko",), pain=2, rounds=2), "What lasts 2 rounds")
    for words in ({"location": "head"}, {"armour": True}):
        impossible(planning(ildar()), Effect(("Ildar",), pain=2, **words), "--location and --armour need")
    impossible(planning(ildar()), Effect(("Ildar",), gives=("marksman:+10000",), rounds=2), "is not a modifier")
