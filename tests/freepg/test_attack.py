"""Attacks: the eleven steps, one after another."""

import pytest

from commands.action.resolution import Needed
from commands.rules.freepg.attack import Attack
from commands.rules.freepg.effects import Effect
from commands.rules.freepg.encounter import Begin, End
from commands.rules.freepg.movement import Move
from commands.rules.freepg.turns import Done
from ledger.errors import UsageError
from ledger.events import Felled, HpLost, Noted, Overruled, PointsSpent, Rolled, Ruled, Step
from tests.kit import given, no

from .table import ALL_ITEMS, BOW, HELM, MAIL, RING, SWORD, boffin, brak, fight, grub, impossible, jane, table


def hit(*targets: str, who: str = "Boffin", **options: object) -> Attack:
    return Attack(who, targets, **options)


def test_everybody_rolls_before_anything_is_compared():
    """freepg.attack.dice: the attacker's d20, then one for each defender in the order named."""
    told = table(boffin(), grub(), brak()).when(hit("Grub", "Brak", radius=3), [12, 7, 15])
    rolled = [event for event in told.events if isinstance(event, Rolled)]
    assert [(roll.who, roll.faces) for roll in rolled] == [("Boffin", (12,)), ("Grub", (7,)), ("Brak", (15,))]
    assert not any(isinstance(event, Ruled) for event in told.events[: told.events.index(rolled[-1])])


def test_defenders_roll_even_against_a_one():
    """freepg.attack.dice: rolling is the first step, stopping the second."""
    told = table(boffin(), grub()).when(hit("Grub"), [1, 17])
    told.then(Rolled("Grub", "defense", "Boffin", "1d20", (17,), (0,)))


def test_against_a_typed_one_the_defenders_need_not_roll():
    """freepg.attack.dice"""
    told = table(boffin(), grub(), brak()).when(hit("Grub", "Brak", radius=2), [1])
    told.then(Rolled("Grub", "defense", "Boffin", "1d20", (), ()), Rolled("Brak", "defense", "Boffin", "1d20", (), ()))


def test_a_preview_asks_for_all_dice_at_once():
    """freepg.attack.dice"""
    with pytest.raises(Needed) as needed:
        table(boffin(), grub(), brak()).when(hit("Grub", "Brak", radius=2))
    assert [roll.who for roll in needed.value.rolls] == ["Boffin", "Grub", "Brak"]


def test_the_dead_are_no_targets():
    """freepg.attack.legal-target"""
    told = fight(boffin(SWORD), grub(hp=1), first="Boffin").when(hit("Grub"), [15, 4])
    told.then(HpLost("Grub", 1, 0), Felled("Grub", "dead"))
    told.when(Done()).when(Done()).refused(hit("Grub"), "freepg.attack.legal-target")


def test_an_attack_needs_a_target_or_a_square():
    impossible(table(boffin()), hit(), "names no target and no square")


def test_the_dying_may_be_attacked_and_stay_at_0():
    """freepg.attack.legal-target: it rolls its d20, and its health stays at 0."""
    told = table(grub(), jane(hp=0)).when(hit("Jane", who="Grub"), [19, 2])
    told.ruled("freepg.attack.damage", totals=[17]).then(no(HpLost), no(Felled))


def test_a_natural_1_always_fails():
    """freepg.attack.natural-1: 3 against 1 is never compared."""
    told = fight(boffin(SWORD), grub(), first="Boffin").when(hit("Grub"), [1, 1])
    told.ruled("freepg.attack.natural-1", "miss").then(no(HpLost), no(Overruled))
    assert not any(isinstance(event, Ruled) and event.clause == "freepg.attack.hit-test" for event in told.events)
    told.then(PointsSpent("Boffin", "attack", 1, 0), PointsSpent("Boffin", "action", 1, 1))
    assert told.state.harm.hp["Grub"].now == 20


def test_a_natural_20_always_hits():
    """freepg.attack.natural-20-hit: 20 against 19 and a flat bonus of 2."""
    told = table(boffin(), brak()).when(hit("Brak"), [20, 19])
    told.ruled("freepg.attack.natural-20-hit", "hit", [20, 21], about="Brak").then(HpLost("Brak", 4, 26))


def test_a_natural_20_adds_5_to_the_damage():
    """freepg.attack.natural-20-damage: 20 +2 sword +1 ring +5, less 10."""
    told = table(boffin(SWORD, RING), grub()).when(hit("Grub"), [20, 10])
    told.ruled("freepg.attack.damage", totals=[18]).then(HpLost("Grub", 18, 2))


def test_untyped_modifiers_count_for_attacker_and_defender():
    """freepg.attack.untyped-bonus: a run, a power amplifier, a power drain."""
    ground = {"amplifiers": [[7, 0]], "drains": [[8, 0]]}
    told = fight(boffin(SWORD, RING, at=(0, 0)), grub(at=(8, 0)), first="Boffin", ground=ground)
    told = told.when(Move("Boffin", to=(7, 0, 0), mode="run")).when(hit("Grub"), [11, 14])
    told.ruled("freepg.attack.hit-test", "hit", [13, 12]).ruled("freepg.attack.damage", totals=[2])
    score = next(event for event in told.events if isinstance(event, Ruled) and event.sign == ">").numbers[0]
    assert score.steps == (
        Step(11, "d20", roll=1),
        Step(2, "running", "-", "freepg.attack.untyped-bonus"),
        Step(2, "power amplifier", "+", "freepg.terrain.amplifier"),
        Step(2, "sword", "+", "freepg.bonus.weapon-must-be-used"),
    )


def test_a_weapon_helps_to_hit():
    """freepg.attack.attack-bonus: 12 against 11; bare it would be 10."""
    told = table(boffin(SWORD, RING), grub()).when(hit("Grub"), [10, 11])
    told.ruled("freepg.attack.hit-test", "hit", [12, 11]).then(HpLost("Grub", 2, 18))
    table(boffin(), grub()).when(hit("Grub"), [10, 11]).ruled("freepg.attack.hit-test", "miss", [10, 11])


def test_a_helm_helps_to_escape():
    """freepg.attack.defense-bonus: 12 against 11+1 misses; without the helm it hits for 12-11-2, so 0."""
    told = table(boffin(HELM, MAIL), grub()).when(hit("Boffin", who="Grub"), [12, 11])
    told.ruled("freepg.attack.hit-test", "miss", [12, 12])
    told = table(boffin(MAIL), grub()).when(hit("Boffin", who="Grub"), [12, 11])
    told.ruled("freepg.attack.hit-test", "hit", [12, 11]).ruled("freepg.attack.damage", totals=[0]).then(no(HpLost))


def test_an_equal_score_misses():
    """freepg.attack.hit-test: 14 against 14; and 14 against 13 hits for 14+1-13."""
    told = table(boffin(SWORD, RING), grub()).when(hit("Grub"), [12, 14])
    told.ruled("freepg.attack.hit-test", "miss", [14, 14]).then(no(HpLost))
    told.when(hit("Grub"), [12, 13]).ruled("freepg.attack.hit-test", "hit", [14, 13]).then(HpLost("Grub", 2, 18))


def test_each_defender_is_tested_by_itself():
    """freepg.attack.hit-test: 13+2 against 15 and 13; the area of radius 2 takes 1 from the damage."""
    told = table(boffin(SWORD), grub(), grub(name="Orc")).when(hit("Grub", "Orc", radius=2), [13, 15, 13])
    told.ruled("freepg.attack.hit-test", "miss", [15, 15], about="Grub")
    told.ruled("freepg.attack.hit-test", "hit", [15, 13], about="Orc").then(HpLost("Orc", 1, 19))


def test_a_ring_adds_damage_and_never_helps_to_hit():
    """freepg.attack.damage-score: attack 9+2, damage 12-5."""
    told = table(boffin(SWORD, RING), grub()).when(hit("Grub"), [9, 5])
    told.ruled("freepg.attack.hit-test", "hit", [11, 5]).then(HpLost("Grub", 7, 13))
    told.when(hit("Grub"), [9, 11]).ruled("freepg.attack.hit-test", "miss", [11, 11])


def test_armor_lessens_damage_and_never_turns_a_hit_into_a_miss():
    """freepg.attack.armor: defense 10+1 is hit by 15; armored it is 13, so 2."""
    told = table(boffin(HELM, MAIL), grub()).when(hit("Boffin", who="Grub"), [15, 10])
    told.ruled("freepg.attack.hit-test", "hit", [15, 11]).ruled("freepg.attack.damage", totals=[2])
    told.then(HpLost("Boffin", 2, 53))
    damage = next(event for event in told.events if isinstance(event, Ruled) and event.clause.endswith("damage"))
    assert damage.numbers[0].steps == (
        Step(15, "d20", roll=1),
        Step(11, "defense", "-"),
        Step(2, "mail", "-", "freepg.attack.armor"),
    )


def test_a_wide_area_hurts_less():
    """freepg.attack.radius-penalty: radius 4, 18-3 less 6."""
    told = table(boffin(), grub()).when(hit("Grub", radius=4), [18, 6])
    told.ruled("freepg.attack.damage", totals=[9]).then(HpLost("Grub", 9, 11))


def test_a_natural_20_does_not_waive_the_radius():
    """freepg.attack.radius-penalty: 20+5-1 less 14."""
    table(boffin(), grub()).when(hit("Grub", radius=2), [20, 14]).then(HpLost("Grub", 10, 10))


def test_damage_is_the_damage_score_less_the_armored_score():
    """freepg.attack.damage: 16+2+1-4."""
    told = table(boffin(SWORD, RING), grub()).when(hit("Grub"), [16, 4])
    told.ruled("freepg.attack.damage", totals=[15]).then(HpLost("Grub", 15, 5))
    damage = next(event for event in told.events if isinstance(event, Ruled) and event.clause.endswith("damage"))
    assert damage.numbers[0].steps == (
        Step(16, "d20", roll=1),
        Step(2, "sword", "+", "freepg.bonus.weapon-must-be-used"),
        Step(1, "ring of force", "+", "freepg.attack.damage-score"),
        Step(4, "defense", "-"),
    )


def test_damage_is_never_negative():
    """freepg.attack.damage-floor: 15 against 13+1 hits, 15-16 counts as 0."""
    told = table(boffin(*ALL_ITEMS), grub()).when(hit("Boffin", who="Grub"), [15, 13])
    told.ruled("freepg.attack.hit-test", "hit", [15, 14]).ruled("freepg.attack.damage", totals=[0])
    told.then(no(HpLost))
    told.when(hit("Boffin", who="Grub"), [14, 13]).ruled("freepg.attack.hit-test", "miss", [14, 14])


def test_health_never_falls_below_0():
    """freepg.attack.damage-floor: 15 points of damage, and 3 to lose."""
    table(boffin(), grub(hp=3)).when(hit("Grub"), [18, 3]).then(HpLost("Grub", 3, 0))


def test_a_house_rule_lets_every_hit_hurt():
    """freepg.attack.damage-floor: the option min_hit_damage."""
    told = table(boffin(HELM, MAIL), grub(), min_hit_damage=1)
    told.when(hit("Boffin", who="Grub"), [15, 13]).then(HpLost("Boffin", 1, 54))


def test_the_form_of_an_attack_changes_nothing():
    """freepg.attack.any-form"""
    start = table(boffin(SWORD), grub())
    chair, laser = (start.when(hit("Grub", as_=form), [15, 4]) for form in ("a thrown chair", "a laser"))
    assert chair.events[1:] == laser.events[1:]


def test_the_game_master_modifies_single_attacks():
    """freepg.attack.situational: 10 +2 scope against 11; 12 +3 fire, less 11 and 1 oil-soaked armor."""
    mods = ("hit:+2:sniper scope", "damage:3:fire", "armor@grub:1:wet hide")
    told = table(boffin(), grub()).when(hit("Grub", mod=mods), [10, 11])
    told.ruled("freepg.attack.hit-test", "hit", [12, 11]).ruled("freepg.attack.damage", totals=[3])
    assert Step(2, "sniper scope", "+", "freepg.attack.attack-bonus") in told.events[4].numbers[0].steps


def test_a_modifier_without_a_name_is_everybodys_who_makes_such_a_score():
    """freepg.attack.situational"""
    wide = hit("Grub", "Brak", radius=2, mod=("defense:-3", "untyped:1"))
    told = table(boffin(), grub(), brak()).when(wide, [10, 12, 11])
    told.ruled("freepg.attack.hit-test", "hit", [11, 9], about="Grub")
    told.ruled("freepg.attack.hit-test", "hit", [11, 10], about="Brak")


@pytest.mark.parametrize("word", ["luck:2", "hit:", "hit:two", "defense@:1", "hit:+-2", "hit:9999999"])
def test_a_modifier_that_is_none_is_impossible(word):
    impossible(table(boffin(), grub()), hit("Grub", mod=(word,)), "mod")


def test_a_modifier_has_bounds():
    """1000 either way: 10 + 1000 against 11, and 10 - 1000 is not a hit."""
    told = table(boffin(), grub())
    told.when(hit("Grub", mod=("1000",)), [10, 11]).ruled("freepg.attack.hit-test", "hit", [1010, 11])
    told.when(hit("Grub", mod=("-1000",)), [10, 11]).ruled("freepg.attack.hit-test", "miss", [-990, 11])
    for word in ("1001", "-1001"):
        impossible(told, hit("Grub", mod=(word,)), "from -1000 to 1000")


def test_an_effect_counts_until_its_time():
    """freepg.attack.untyped-bonus: a blessing lasts until the start of the own next turn."""
    told = fight(boffin(), grub(), first="Boffin").when(Effect(("Boffin",), "blessing", amount=2))
    told.when(hit("Grub"), [8, 9]).ruled("freepg.attack.hit-test", "hit", [10, 9])
    later = told.when(Done()).when(Done())
    later.when(hit("Grub"), [8, 9]).ruled("freepg.attack.hit-test", "miss", [8, 9])


def test_a_defenders_own_1_and_20_mean_nothing():
    """freepg.attack.hit-test: unless the option defender_naturals is on."""
    told = table(boffin(SWORD), grub()).when(hit("Grub"), [19, 20]).ruled("freepg.attack.hit-test", "hit", [21, 20])
    on = table(boffin(SWORD), grub(), defender_naturals=True)
    on.when(hit("Grub"), [19, 20]).ruled("freepg.attack.hit-test", "miss", [21, 20]).then(no(HpLost))
    on.when(hit("Grub"), [20, 20]).ruled("freepg.attack.natural-20-hit", "hit")
    blinded = hit("Grub", mod=("hit:-9",))
    on.when(blinded, [2, 1]).ruled("freepg.attack.hit-test", "hit", [-5, 1])
    told.when(blinded, [2, 1]).ruled("freepg.attack.hit-test", "miss", [-5, 1])


def test_a_refused_attack_records_nothing_and_an_allowed_one_goes_on():
    told = fight(jane(BOW), grub(), first="gm")
    told.refused(hit("Grub", who="Jane"), "freepg.turn.out-of-turn")
    allowed = told.when(hit("Grub", who="Jane"), [12, 4], allow="a quick shot")
    allowed.then(HpLost("Grub", 9, 11), no(PointsSpent))
    overruled = next(event for event in allowed.events if isinstance(event, Overruled))
    assert (overruled.clause, overruled.reason) == ("freepg.turn.out-of-turn", "a quick shot")


def test_a_gm_may_allow_blows_at_the_dead():
    told = table(boffin(), grub(hp=0))
    told.when(hit("Grub"), [15, 4], allow="to be sure").then(no(HpLost), no(Felled))


def test_only_a_trap_is_triggered():
    impossible(table(boffin(), grub()), hit("Grub", triggered=True), "not a trap")


def test_too_many_dice_are_refused():
    with pytest.raises(UsageError, match="left over"):
        table(boffin(), grub()).when(hit("Grub"), [12, 7, 3])


def test_outside_an_encounter_and_without_turns_nothing_is_counted():
    told = given("freepg", boffin(), grub(), Begin(unordered=True))
    for _ in range(3):
        told = told.when(hit("Grub"), [10, 9]).then(no(PointsSpent))
    told.when(End()).when(hit("Grub"), [10, 9]).then(no(Noted), no(PointsSpent))


def test_a_modifier_is_not_given_to_a_score_that_nobody_makes():
    """freepg.attack.situational: Grub attacks nobody here, so that attack@Grub would change nothing."""
    told = table(boffin(), grub())
    for word in ("hit@Grub:2", "damage@Grub:2"):
        impossible(told, hit("Grub", mod=(word,)), "belongs to Boffin, not to Grub")
    told.when(hit("Grub", mod=("hit@Boffin:2",)), [10, 11]).ruled("freepg.attack.hit-test", "hit", [12, 11])
