"""Empty hands, temporary damage, and grappling."""

from commands.action.adjust import Adjust
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.encounter import End
from commands.rules.arkm.grapple import Grapple
from commands.rules.arkm.movement import Move, Retreat
from commands.rules.arkm.recovery import Heal, Rest
from commands.rules.arkm.rounds import Pass, Phase
from commands.rules.arkm.stances import Parry
from ledger.events import ConditionEnded, ConditionGained, Felled, HpGained, HpLost, Passage, Rose
from tests.kit import Told, lines, no

from .rounds import acted, battle, conditions, hero, mage, next_round, someone
from .table import impossible, melee, ogre, orcs, rolls, tessa
from .test_rounds import slain
from .test_special import stunned

FIST = {"empty_hand": True}


def temp(told: Told, who: str = "Orc") -> tuple[int, int]:
    """Hit points and temporary damage."""
    held = told.state.conditions.of.get(who, {}).get("temporary damage")
    return told.state.harm.hp[who].now, held.amount if held else 0


def brawl(first=None, hp: int = 30, rounds: int = 2, **options) -> Told:
    """The hero, or another, and an orc of AC 6 that is no Normal Man, in melee since an earlier round."""
    first = first or hero()
    told = battle(first, orcs(1, hp_max=hp, normal_man=False), dice=[5, 2], phase="melee", **options)
    return melee(told, (first.sheets[0]["name"], "Orc"), rounds=rounds)


def punch(told: Told, *dice: int, who: str = "Hero", **fields) -> Told:
    """A punch in this round, then the next round."""
    struck = told.when(Attack(who, ("Orc",), **{**FIST, **fields}), dice=dice)
    after = next_round(struck, 5, 2)
    return Told(after.state, struck.events)


def knocked_out() -> Told:
    """An orc of 4 hp with 4 points of temporary damage."""
    return brawl(hp=4).when(Attack("Hero", ("Orc",), pull=True, **FIST), dice=[13, 4])


def test_an_empty_hand_does_a_d4():
    """arkm.empty-hand.d4: AC 6 needs 13; 3 points, all of them temporary so far."""
    told = punch(brawl(), 13, 3).ruled("arkm.damage.order", totals=[3])
    assert temp(told) == (30, 3)


def test_one_point_of_every_two_dice_is_actual():
    """arkm.empty-hand.actual-share: 3 then 2: actual 1, temporary 4; a third of 4: actual 1, temporary 8."""
    told = punch(punch(brawl(), 13, 3), 13, 2).then(HpLost("Orc", 1, 29))
    assert temp(told) == (29, 4)
    assert temp(punch(told, 13, 4)) == (29, 8)
    assert temp(punch(punch(told, 13, 4), 13, 1)) == (28, 8)


def test_blows_worth_nothing_have_no_actual_part():
    """arkm.empty-hand.actual-share: needed 21 and 21: a natural 20 of 1 less 1 is 0, twice: no point."""
    told = brawl(hero(), hp=30)
    fields = {"mod": ("-8",)}
    told = punch(punch(told, 20, 1, **fields), 20, 1, **fields)
    assert temp(told) == (30, 0)


def test_the_strong_have_two_actual_points():
    """arkm.empty-hand.strong: a thief with STR 16 and no DEX bonus: 3 then 1: actual 2, temporary 2."""
    told = brawl(tessa(str=16, dex=10))
    told = punch(punch(told, 13, 3, who="Tessa"), 13, 1, who="Tessa")
    told.then(HpLost("Orc", 2, 28), ConditionGained("Orc", "temporary damage", amount=2))
    assert temp(told) == (28, 2)


def test_two_columns():
    """arkm.temporary-damage.column: 10 hp: a sword takes 4, a punch adds 4 and is no actual damage: effective 2."""
    told = brawl(hp=10).when(Attack("Hero", ("Orc",)), dice=[13, 3]).then(HpLost("Orc", 4, 6))
    told = punch(next_round(told, 5, 2), 13, 4).ruled("arkm.temporary-damage.column", totals=[2])
    assert temp(told) == (6, 4)
    assert told.state.stands("Orc")


def test_anyone_without_effective_hit_points_is_out():
    """arkm.zero-hp.out: hp 6, temp 4; 2 more: out, not slain; everything it declares is refused."""
    told = punch(brawl(hp=6), 13, 4, pull=True)
    told = told.when(Attack("Hero", ("Orc",), pull=True, **FIST), dice=[13, 2]).then(Felled("Orc", "unconscious"))
    next_round(told, 5).refused(Parry("Orc"), "arkm.zero-hp.out")


def test_a_sword_slays_or_puts_out():
    """arkm.zero-hp.out: at temp 0 a sword blow of 6 on hp 6 slays; at temp 4 one of 3 puts out: hp 3, effective -1."""
    brawl(hp=6).when(Attack("Hero", ("Orc",)), dice=[13, 5]).then(Felled("Orc", "dead"))
    told = punch(brawl(hp=6), 13, 4, pull=True)
    told = told.when(Attack("Hero", ("Orc",)), dice=[13, 2]).then(HpLost("Orc", 3, 3), Felled("Orc", "unconscious"))
    assert temp(told) == (3, 4)


def test_an_empty_hand_never_slays():
    """arkm.zero-hp.out: although the actual point takes the last hit point."""
    told = brawl(hp=1).when(Attack("Hero", ("Orc",), **FIST), dice=[13, 1])
    told.then(Felled("Orc", "unconscious"))
    two = brawl(hp=1)
    told = two.when(Attack("Hero", ("Orc",), surprise=True, **FIST), dice=[13, 1, 1], allow="he slept")
    told.then(HpLost("Orc", 1, 0), Felled("Orc", "unconscious"))


def test_ordinary_damage_only_puts_out_by_the_option():
    """arkm.zero-hp.out, option zero_hp."""
    brawl(hp=6, zero_hp="out").when(Attack("Hero", ("Orc",)), dice=[13, 5]).then(Felled("Orc", "unconscious"))


def test_one_who_is_out_can_be_slain():
    """arkm.zero-hp.out: an ordinary blow that takes the last hit point slays."""
    told = knocked_out().then(Felled("Orc", "unconscious"))
    struck = next_round(told, 5).when(Attack("Hero", ("Orc",)), dice=[13, 6]).then(Felled("Orc", "dead"))
    impossible(struck, Attack("Hero", ("Orc",)), "already dead")


def test_the_line_tells_how_much_temporary_damage_there_is_now():
    """A number that is added to nothing has no sign: a punch for 3 and another for 2, of which 1 is actual, are 4."""
    told = punch(punch(brawl(), 13, 3), 13, 2)
    (line,) = [line for line in lines(told.events) if "temporary damage" in line]
    assert "temporary damage 4" in line


def test_temporary_damage_comes_back_by_resting():
    """arkm.temporary-damage.recovery: level 3, temp 7, 2 Turns: 6 regained; a Normal Man by kind 1 for each Turn."""
    told = next_round(brawl(hero(name="Ada", level=3)), 5, 2)
    told = told.when(Attack("Orc", ("Ada",), pull=True), dice=[20, 4, 3], allow="he is drunk")
    assert temp(told, "Ada") == (12, 7)
    told.refused(Rest(("Ada",)), "arkm.temporary-damage.recovery")
    told = told.when(End()).when(Rest(("Ada",), 2)).ruled("arkm.temporary-damage.recovery", totals=[6])
    assert temp(told, "Ada") == (12, 1)
    assert temp(told.when(Rest(("Ada",), minutes=9)), "Ada") == (12, 1)
    assert temp(told.when(Rest(("Ada",), minutes=10)), "Ada") == (12, 0)
    assert temp(told.when(Rest(("Ada",))), "Ada") == (12, 0)


def test_a_rest_is_said_in_one_measure():
    """arkm.temporary-damage.recovery: so many Turns, minutes or days."""
    told = knocked_out().when(End())
    for words in ({"turns": 1, "minutes": 10}, {"turns": 1, "days": 1}, {"minutes": 10, "days": 1}):
        impossible(told, Rest(("Orc",), **words), "Turns, minutes or days")


def test_a_day_of_rest_has_as_many_turns_as_fit_into_it():
    """arkm.rest.day: a day has 2 Turns of 12 hours, so level 3 regains 6 of 7; it has 144 of ten minutes, so all 7."""
    long, usual = (
        next_round(brawl(hero(name="Ada", level=3), turn_minutes=minutes), 5, 2)
        .when(Attack("Orc", ("Ada",), pull=True), dice=[20, 4, 3], allow="he is drunk")
        .when(End())
        for minutes in (720, 10)
    )
    told = long.when(Rest(("Ada", "Orc"), days=1)).ruled("arkm.temporary-damage.recovery", totals=[6])
    assert temp(told, "Ada") == (12, 1)
    assert "arkm.rest.day" in {clause for event in told.events for clause in event.clauses}
    beginner = brawl(hero(name="Ada", level=1)).when(Attack("Orc", ("Ada",), pull=True), dice=[20, 4, 3], allow="x")
    beginner.when(End()).when(Rest(("Ada",))).ruled("arkm.temporary-damage.recovery", totals=[1])
    short = brawl(hero(name="Ada", level=1), turn_minutes=1)
    short = short.when(Attack("Orc", ("Ada",), pull=True), dice=[20, 4, 3], allow="x").when(End())
    short.when(Rest(("Ada",), minutes=5)).ruled("arkm.temporary-damage.recovery", totals=[5])
    told = usual.when(Rest(("Ada",), days=1)).ruled("arkm.temporary-damage.recovery", totals=[7])
    assert temp(told, "Ada") == (12, 0)


def test_a_turn_may_be_shorter():
    """arkm.temporary-damage.recovery, option turn_minutes: 20 minutes are 4 Turns of 5: 4 points for an orc of 1 HD."""
    told = punch(brawl(turn_minutes=5), 13, 4, pull=True).when(End())
    assert temp(told.when(Rest(("Orc",), minutes=20))) == (30, 0)
    assert temp(told.when(Rest(("Orc",), minutes=14))) == (30, 2)


def test_anyone_who_has_effective_hit_points_again_is_back():
    """arkm.temporary-damage.recovery, arkm.zero-hp.out: temp 4 of hp 4: a Turn gives an orc of 1 HD a point."""
    told = knocked_out().when(End()).when(Rest(("Orc",))).then(Rose("Orc"))
    assert temp(told) == (4, 3)


def test_healing_gives_actual_points_back():
    """arkm.zero-hp.out: up to the maximum; the slain stay slain."""
    told = brawl(hp=10).when(Attack("Hero", ("Orc",)), dice=[13, 3])
    told.when(Heal("Orc", 9)).then(HpGained("Orc", 4, 10))
    told.when(Heal("Hero", 9)).then(HpGained("Hero", 0, 12))
    brawl(hp=4).when(Attack("Hero", ("Orc",)), dice=[13, 5]).refused(Heal("Orc", 4), "arkm.damage.zero-hp")
    out = knocked_out().when(Adjust("Orc", "hp-max", "9", "tough"))
    out.when(Heal("Orc", 1)).then(HpGained("Orc", 1, 5), Rose("Orc"))


def test_pulled_punches_are_all_temporary():
    """arkm.pull-punches.all-temporary: 2, 4 and 1: 7; an unpulled one after them is the first of a pair."""
    told = brawl()
    for die in (2, 4, 1):
        told = punch(told, 13, die, pull=True)
    assert temp(told) == (30, 7)
    assert temp(punch(told, 13, 3)) == (30, 10)


def test_any_weapon_can_subdue():
    """arkm.subdue.any-weapon: a sword of 5 and 1: temporary 6: an orc of 6 is out, its hp unchanged."""
    told = brawl(hp=6).when(Attack("Hero", ("Orc",), subdue=True), dice=[13, 5]).then(Felled("Orc", "unconscious"))
    assert temp(told) == (6, 6)


def test_with_the_option_a_part_of_what_subdues_is_actual():
    """arkm.subdue.any-weapon, option subdue_share: two dice: 1 actual."""
    told = brawl(hp=30, subdue_share="as-empty-hand")
    for _ in range(2):
        told = next_round(told.when(Attack("Hero", ("Orc",), subdue=True), dice=[13, 5]), 5, 2)
    assert temp(told) == (29, 11)


def test_a_thing_that_is_no_weapon_does_a_d4():
    """arkm.object-as-weapon.d4: a shovel of 4: actual; no training is needed."""
    told = brawl(hero(trained=["sword"]), hp=10)
    told.when(Attack("Hero", ("Orc",), object="shovel"), dice=[13, 4]).then(HpLost("Orc", 4, 6))
    impossible(told, Attack("Hero", ("Orc",), object="shovel", empty_hand=True), "only one of")


def test_a_surprise_doubles_the_dice_of_temporary_damage():
    """arkm.temporary-damage.surprise-doubles: 3 and 4: two dice: actual 1, temporary 6; pulled: 7; needs 11."""
    told = brawl(rounds=0).when(Attack("Hero", ("Orc",), surprise=True, **FIST), dice=[11, 3, 4])
    assert temp(told) == (29, 6)
    told = brawl(rounds=0).when(Attack("Hero", ("Orc",), surprise=True, pull=True, **FIST), dice=[11, 3, 4])
    assert temp(told) == (30, 7)
    told = brawl(rounds=0).when(Attack("Hero", ("Orc",), surprise=True, subdue=True), dice=[11, 3, 4])
    assert temp(told) == (30, 8)


def test_a_blow_from_behind_has_sets_of_its_own():
    """arkm.temporary-damage.surprise-doubles: not multiplied: a thief of 5 has three sets."""
    told = brawl(tessa(), rounds=0).when(Attack("Tessa", ("Orc",), backstab=True, pull=True, **FIST),
                                         dice=[9, 3, 4, 1])  # fmt: skip
    assert temp(told) == (30, 10)


def five(level: int = 3, **options) -> Told:
    """Five orcs of THAC0 19 around a hero of AC 5: they need 13 with the +1 of more than two."""
    told = battle(hero(level=level, armour="medium"), orcs(5), dice=[2, 5], phase="melee", **options)
    return melee(told, *((f"Orc-{n}", "Hero") for n in range(1, 6)), rounds=2)


ALL = tuple(f"Orc-{n}" for n in range(1, 6))


def test_where_all_foes_are_stunned_no_initiative_is_rolled_again():
    """arkm.grapple.initiative-again: the only orc had hold, 1 against 18, and is stunned for the difference."""
    told = brawl().when(Pass(("Hero",))).when(Grapple(("Orc",), "Hero"), dice=[18, 1, 6, 6, 6])
    assert "stunned" in conditions(told, "Orc")
    assert "arkm.grapple.initiative-again" not in [getattr(event, "clause", "") for event in told.events]


def test_each_foe_around_makes_a_to_hit_roll():
    """arkm.grapple.to-hit: 13, 3, 16, 8 and 11: the first and third have hold; the whole attack of the round."""
    told = five().when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 3, 4, 4])
    assert [e.who for e in told.events if getattr(e, "clause", "") == "arkm.grapple.to-hit"] == ["Orc-1", "Orc-3"]
    assert Passage("", "Hero") in told.events, "those who have hold strive together"
    assert acted(told, "Orc-2") == "grapple"
    assert rolls(told)[5:] == [
        ("Orc-1", "grapple", (2,)), ("Orc-3", "grapple", (5,)), ("Hero", "grapple", (3, 4, 4)),
    ]  # fmt: skip


def test_a_natural_20_has_hold_and_is_no_critical_hit():
    """arkm.grapple.to-hit"""
    told = five().when(Grapple(("Orc-1",), "Hero"), dice=[20, 2, 5, 3, 4])
    told.ruled("arkm.grapple.to-hit", "Orc-1 has hold of Hero")
    assert "arkm.natural-20.critical" not in {clause for event in told.events for clause in event.clauses}


def test_nobody_succeeds_and_there_is_no_contest():
    """arkm.grapple.to-hit"""
    told = five().when(Grapple(("Orc-1",), "Hero"), dice=[3])
    assert len(rolls(told)) == 1
    impossible(five(), Grapple(("Orc-1",)), "Whom")


def test_the_grapple_of_the_book():
    """arkm.grapple.thrown-off: 2 and 5 are 7 against 11: both are thrown off and stunned for 4 rounds: to round 5.

    arkm.grapple.attackers-dice, arkm.grapple.defender-dice, arkm.grapple.initiative-again
    """
    told = five().when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 5, 4, 2])
    told.ruled("arkm.grapple.attackers-dice", totals=[7]).ruled("arkm.grapple.defender-dice", totals=[11])
    told.ruled("arkm.grapple.thrown-off", "thrown off", [11, 7])
    told.then(
        ConditionGained("Orc-1", "stunned", "round-end", round=5),
        ConditionGained("Orc-3", "stunned", "round-end", round=5),
    )
    assert "stunned" not in conditions(told, "Orc-2")
    told.ruled("arkm.grapple.initiative-again", "initiative is rolled again for the next round")
    told = next_round(told, 4, 2)
    told.refused(Attack("Orc-1", ("Hero",)), "arkm.stunned.no-attack-no-defence")
    struck = told.when(Attack("Hero", ("Orc-2",)), dice=[2]).when(Pass(("Hero",)))
    struck.when(Attack("Orc-2", ("Hero",)), dice=[2])


def test_with_the_option_the_round_ends_at_once():
    """arkm.grapple.initiative-again, option grapple_reroll."""
    told = five(grapple_reroll="now").when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 5, 4, 2, 4, 2])
    assert told.state.turns.round == 2
    told.ruled("arkm.grapple.initiative-again", "initiative is rolled again now")


def test_an_ogre_throws_a_die_for_each_of_its_hit_dice():
    """arkm.grapple.attackers-dice: 4D6 of 3, 3, 4, 2 and 1D6 of 6: 18; the hero's 8 is less: pinned by both.

    arkm.grapple.pinned
    """
    told = battle(hero(), ogre(group="foes"), orcs(1, group="foes"), dice=[2, 5], phase="melee")
    told = melee(told, ("Ogre", "Hero"), ("Orc", "Hero"), rounds=2)
    told = told.when(Grapple(("Ogre", "Orc"), "Hero"), dice=[15, 15, 3, 3, 4, 2, 6, 3, 4, 1])
    told.ruled("arkm.grapple.attackers-dice", totals=[18]).ruled("arkm.grapple.pinned", "pinned", [8, 18])
    assert told.state.conditions.of["Hero"]["pinned"].whom == ("Ogre", "Orc")


def pinned(**fields) -> Told:
    """Orc-1 and Orc-3 hold the hero: 7 against 6."""
    return five(**fields).when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 1, 2, 3])


def struggling() -> Told:
    """Orc-1 and Orc-3 strive with the hero: 7 against 7."""
    return five().when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 1, 2, 4])


def test_the_pinned_can_do_nothing():
    """arkm.grapple.pinned: nor does his shield or DEX count: AC 5 - 1 - 1, then 5."""
    told = pinned()
    for verb in (Parry("Hero"), Attack("Hero", ("Orc-2",)), Grapple(("Hero",), "Orc-1")):
        told.refused(verb, "arkm.grapple.pinned")
    told.refused(Grapple(("Hero",), contest=True), "arkm.grapple.hold-lasts")
    nimble = hero(dex=13, armour="medium", shield="buckler")
    told = battle(nimble, orcs(2), dice=[2, 5], phase="melee")
    told = melee(told, ("Orc-1", "Hero"), ("Orc-2", "Hero"), rounds=2)
    told = told.when(Grapple(("Orc-1",), "Hero"), dice=[16, 6, 1, 1, 1])
    told.when(Attack("Orc-2", ("Hero",)), dice=[2]).ruled("arkm.to-hit.formula", "miss", [2, 14])


def test_anyone_who_struggles_cannot_use_a_weapon():
    """arkm.grapple.struggling: 7 against 7: no weapon, parry, move or ordinary spell; an empty hand is allowed."""
    told = struggling().ruled("arkm.grapple.struggling", "struggling", [7, 7])
    for verb in (Parry("Hero"), Attack("Hero", ("Orc-1",)), Attack("Hero", ("Orc-1",), pull=True)):
        told.refused(verb, "arkm.grapple.struggling")
    told.when(Attack("Hero", ("Orc-1",), **FIST), dice=[2])
    told = next_round(told, 5, 2)
    told.refused(Move("Hero", 20), "arkm.grapple.struggling")
    told.refused(Retreat("Hero", 20), "arkm.grapple.struggling")


def test_a_mage_who_struggles_can_teleport():
    """arkm.grapple.struggling: an ordinary spell is refused."""
    told = battle(mage(), orcs(2), dice=[2, 5], phase="melee")
    told = melee(told, ("Orc-1", "Mage"), ("Orc-2", "Mage"), rounds=2)
    told = told.when(Grapple(("Orc-1",), "Mage"), dice=[16, 5, 1, 1, 1, 1, 1])
    told = next_round(told, 5, 2)
    told.refused(Cast("Mage", "web"), "arkm.grapple.struggling")
    told.when(Cast("Mage", "teleport", "movement")).ruled("arkm.phase.magic-cast", "teleport works")


def test_a_hold_lasts_while_somebody_holds():
    """arkm.grapple.hold-lasts: who does anything else lets go; with the last the hero is free."""
    told = next_round(pinned(), 2, 5).when(Attack("Orc-1", ("Hero",)), dice=[2])
    told.then(ConditionEnded("Orc-1", "holding"))
    assert told.state.conditions.of["Hero"]["pinned"].whom == ("Orc-3",)
    free = slain(told, "Orc-3", "Hero").then(ConditionEnded("Hero", "pinned"))
    assert "pinned" not in conditions(free, "Hero")
    told.when(Pass(("Orc-3",)))


def test_a_holder_stunned_by_a_tied_foe_lets_go_when_the_round_ends():
    """arkm.grapple.hold-lasts, arkm.initiative.tie-simultaneous"""
    told = battle(hero(), someone("Ada", group="party"), orcs(1), dice=[4, 4], phase="melee")
    told = melee(told, ("Hero", "Orc"), rounds=2).when(Grapple(("Orc",), "Hero"), dice=[16, 6, 1, 1, 1])
    told = stunned(told, "Orc", 1, "Ada").then(no(ConditionEnded))
    next_round(told, 4, 4).then(ConditionEnded("Orc", "holding"), ConditionEnded("Hero", "pinned"))


def test_the_game_master_frees_somebody():
    """arkm.grapple.hold-lasts: anyone who had hold has it no longer; who is put down lets go."""
    told = pinned().when(Adjust("Hero", "no-condition", "pinned", "greased"))
    told.then(ConditionEnded("Orc-1", "holding"), ConditionEnded("Orc-3", "holding"))
    told = pinned().when(Adjust("Orc-1", "down", "dead", "an arrow"))
    assert told.state.conditions.of["Hero"]["pinned"].whom == ("Orc-3",)


def test_holders_and_held_strive_again():
    """arkm.grapple.hold-lasts: orcs 4 and 1 are 5; the hero's 1, 1, 2 are 4: pinned. No to-hit rolls."""
    told = next_round(struggling(), 2, 5).when(Grapple(("Orc-1", "Orc-3"), "Hero", contest=True), dice=[4, 1, 1, 1, 2])
    told.ruled("arkm.grapple.pinned", "pinned", [4, 5])
    assert "struggling" not in conditions(told, "Hero")
    own = next_round(struggling(), 5, 2).when(Grapple(("Hero",), contest=True), dice=[1, 1, 3, 2, 2])
    own.ruled("arkm.grapple.thrown-off", "thrown off", [7, 2])
    told = next_round(struggling(), 2, 5)
    impossible(told, Grapple(("Orc-2",), "Hero", contest=True), "does not hold")
    told.refused(Grapple(("Orc-2",), "Orc-4", contest=True), "arkm.grapple.hold-lasts")


def test_more_foes_join():
    """arkm.grapple.hold-lasts: against one who struggles all strive anew; a pinned one is held by more."""
    told = next_round(struggling(), 2, 5).when(Grapple(("Orc-2",), "Hero"), dice=[13, 1, 1, 1, 3, 3, 3])
    told.ruled("arkm.grapple.thrown-off", "thrown off", [9, 3])
    told = next_round(pinned(), 2, 5).when(Grapple(("Orc-2",), "Hero"), dice=[13])
    assert told.state.conditions.of["Hero"]["pinned"].whom == ("Orc-1", "Orc-3", "Orc-2")
    assert told.state.conditions.of["Orc-2"]["holding"].whom == ("Hero",)


def test_one_who_is_pinned_by_a_tied_group_still_acts_this_round():
    """arkm.initiative.tie-simultaneous"""
    told = battle(hero(), orcs(1), dice=[4, 4], phase="melee")
    told = melee(told, ("Hero", "Orc"), rounds=2).when(Grapple(("Orc",), "Hero"), dice=[16, 6, 1, 1, 1])
    told = told.when(Attack("Hero", ("Orc",)), dice=[2])
    next_round(told, 4, 4).refused(Parry("Hero"), "arkm.grapple.pinned")


def test_the_stunned_to_whom_a_tie_owes_a_blow_throw_their_dice():
    """arkm.initiative.tie-simultaneous, arkm.grapple.defender-dice: 18 against 1."""
    told = melee(battle(hero(), orcs(1), dice=[4, 4], phase="melee"), ("Hero", "Orc"), rounds=2)
    told = stunned(told, "Hero", 1, "Orc").when(Grapple(("Orc",), "Hero"), dice=[18, 1, 6, 6, 6])
    told.ruled("arkm.grapple.thrown-off", "thrown off", [18, 1])


def test_the_stunned_throw_no_dice():
    """arkm.stunned.no-attack-no-defence: score 0."""
    told = five()
    told = told.when(Adjust("Hero", "condition", "stunned", "a rock"))
    told = told.when(Grapple(("Orc-1",), "Hero"), dice=[13, 1]).ruled("arkm.grapple.pinned", "pinned", [0, 1])


def test_there_is_no_hold_on_a_friend():
    """arkm.grapple.to-hit"""
    told = battle(hero(), someone("Ada", group="party"), orcs(1), dice=[4, 4], phase="melee")
    told.refused(Grapple(("Hero",), "Ada"), "arkm.grapple.to-hit")


def test_a_natural_1_may_be_a_fumble():
    """arkm.grapple.to-hit: an ordinary roll: its fumble dice come directly after it."""
    told = five().when(Grapple(("Orc-1",), "Hero"), dice=[1, 20, 3])
    assert "prone" in conditions(told, "Orc-1")


def test_a_hit_that_costs_nothing_is_a_hit():
    """arkm.temporary-damage.column: no point, nothing to tell."""
    told = brawl().when(Attack("Hero", ("Orc",), mod=("-8",), **FIST), dice=[20, 1]).then(no(ConditionGained))
    assert temp(told) == (30, 0)


def test_a_hand_that_strikes_a_friend_is_empty():
    """arkm.fumble.table, 6, arkm.empty-hand.d4: of 1D4 a 3 is temporary: who grapples has no weapon."""
    told = five().when(Grapple(("Orc-1",), "Hero"), dice=[1, 20, 6, 1, 18, 3])
    told.then(ConditionGained("Orc-2", "temporary damage", amount=3), no(HpLost))


def test_anyone_who_seizes_another_lets_go_of_the_first():
    """arkm.grapple.hold-lasts: both orcs pin the hero; in the next round Orc-3 rolls at Ada and misses."""
    told = battle(hero(armour="medium"), hero(name="Ada"), orcs(5), dice=[2, 5], phase="melee")
    told = melee(told, *((f"Orc-{n}", "Hero") for n in range(1, 6)), ("Orc-3", "Ada"), rounds=2)
    told = told.when(Grapple(ALL, "Hero"), dice=[13, 3, 16, 8, 11, 2, 5, 1, 2, 3])
    told = next_round(told, 2, 5).when(Grapple(("Orc-3",), "Ada"), dice=[2]).then(ConditionEnded("Orc-3", "holding"))
    assert told.state.conditions.of["Hero"]["pinned"].whom == ("Orc-1",)


def test_a_new_contest_waits_for_a_later_melee_phase():
    """arkm.grapple.hold-lasts: not in the round in which he was seized; both may call one in the next."""
    struggling().refused(Grapple(("Hero",), contest=True), "arkm.grapple.hold-lasts")
    told = next_round(struggling(), 2, 5).when(Pass(("Orc-2", "Orc-4", "Orc-5")))
    told = told.when(Grapple(("Orc-1", "Orc-3"), "Hero", contest=True), dice=[2, 2, 1, 1, 2])
    told.when(Grapple(("Hero",), contest=True), dice=[1, 1, 3, 2, 2]).ruled("arkm.grapple.thrown-off", totals=[7, 2])


def test_two_ways_of_one_blow_are_no_blow():
    """The shortcut slays: nobody is subdued by it; a rider is unhorsed or entangled."""
    told = brawl()
    impossible(told, Attack("Hero", ("Orc",), expected=True, subdue=True), "cannot be combined with")
    impossible(told, Attack("Hero", ("Orc",), expected=True, **FIST), "cannot be combined with")
    impossible(told, Attack("Hero", ("Orc",), dismount=True, entangle=True, part="legs"), "cannot be combined with")


def test_the_slain_hold_nobody_when_the_round_is_over():
    """arkm.grapple.hold-lasts, arkm.initiative.tie-simultaneous: the owed grapple pins, to the end of the round."""
    told = battle(hero(), orcs(1), dice=[4, 4], phase="melee")
    told = melee(told, ("Hero", "Orc"), rounds=2).when(Attack("Hero", ("Orc",)), dice=[13, 5])
    told = told.when(Grapple(("Orc",), "Hero"), dice=[16, 6, 1, 1, 1])
    assert "pinned" in conditions(told, "Hero")
    assert "pinned" not in conditions(next_round(told, 4), "Hero")


def test_a_grappler_struck_down_by_a_fumbling_friend_holds_nobody():
    """arkm.fumble.table, 6, arkm.grapple.to-hit: before his roll he makes none, after it he does not hold."""
    told = battle(hero(), orcs(2, hp_max=1), dice=[2, 5], phase="melee")
    told = melee(told, ("Orc-1", "Hero"), ("Orc-2", "Hero"), rounds=2)
    told.when(Grapple(("Orc-1", "Orc-2"), "Hero"), dice=[1, 20, 6, 18, 3]).then(Felled("Orc-2", "unconscious"))
    late = told.when(Grapple(("Orc-1", "Orc-2"), "Hero"), dice=[18, 1, 20, 6, 18, 3])
    late.then(Felled("Orc-1", "unconscious"))
    assert "holding" not in conditions(late, "Orc-1")


def test_anyone_who_walks_away_lets_go():
    """arkm.grapple.hold-lasts: Orc-1 and Orc-3 hold the hero; Orc-1 goes."""
    told = pinned()
    assert "holding" in conditions(told, "Orc-1")
    told = next_round(told, 5, 2).when(Phase("movement", pass_rest=True))
    gone = told.when(Move("Orc-1", feet=5))
    assert "holding" not in conditions(gone, "Orc-1")
    assert gone.state.conditions.of["Hero"]["pinned"].whom == ("Orc-3",)
