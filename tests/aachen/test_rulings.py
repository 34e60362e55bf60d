"""Clauses that come out in the ledger beside the ruling that they decide; and the modifiers of the game master."""

import pytest

from commands.rules.aachen.encounter import Begin
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Ready, Trigger
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Prone, Stand, Withdraw
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rolls import Check, Morale, Save
from commands.rules.aachen.rounds import Initiative
from commands.rules.aachen.struggles import Grapple, Push
from ledger.events import HpLost, Overruled, Ruled
from tests.kit import Told, no

from .table import (
    BOW,
    DAGGER,
    JAVELIN,
    SPEAR,
    SWORD,
    adalger,
    adjusted,
    fight,
    gerlind,
    guard,
    impossible,
    opposed,
    passed,
    someone,
    table,
    wolf,
)

HIT = "aachen.attack.hit-test"
BANDS, STACKING, LONG = "aachen.ranged.bands", "aachen.ranged.stacking", "aachen.ranged.long-range"


def named(told: Told) -> set[str]:
    """Every clause that the rulings of the last action name."""
    return {clause for event in told.events if isinstance(event, Ruled) for clause in event.clauses}


def terms(told: Told, clause: str) -> list[tuple[str, int]]:
    """The terms by a clause, each with the number in which it stands and what it adds."""
    return [
        (number.of, -step.value if step.op == "-" else step.value)
        for event in told.events
        if isinstance(event, Ruled)
        for number in event.numbers
        for step in number.steps
        if step.clause == clause
    ]


# The attack roll


def test_the_terms_of_an_attack_name_their_clauses():
    """aachen.attack.roll: 9 + 4 by class + STR 1 + Stab 1 + magic 2 is 17; the sword does 5 + 1 + 2."""
    told = fight(adalger(weapons=[{**SWORD, "magic": 2}]), guard(hp_max=20))
    told = told.when(Attack("Adalger", "Guard"), dice=[9, 5]).ruled(HIT, "hit", [17, 14])
    assert "aachen.attack.roll" in named(told)
    assert terms(told, "aachen.attack.class-bonus") == [("attack", 4)]
    assert terms(told, "aachen.attack.attribute") == [("attack", 1)]
    assert terms(told, "aachen.attack.skill") == [("attack", 1)]
    assert terms(told, "aachen.attack.magic") == [("attack", 2), ("damage", 2)]
    assert terms(told, "aachen.damage.attribute") == [("damage", 1)]
    told.ruled("aachen.damage.roll", "", [8])


def test_a_natural_1_is_no_matter_of_the_total():
    """aachen.attack.roll does not decide what aachen.attack.natural-1 decides."""
    told = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), dice=[1])
    assert "aachen.attack.roll" not in named(told.ruled("aachen.attack.natural-1", "miss"))


def test_the_untrained_attack_at_2_less():
    """aachen.attack.untrained: 12 + 4 + 1 - 2 is 15."""
    told = fight(adalger(skills={}), guard()).when(Attack("Adalger", "Guard", with_="sword"), dice=[12, 4])
    assert terms(told.ruled(HIT, "hit", [15, 14]), "aachen.attack.untrained") == [("attack", -2)]


def test_the_bonus_of_a_monster_is_its_only_term():
    """aachen.attack.monster: 10 + 2 is 12."""
    told = opposed(adalger(ac=12), wolf()).when(Attack("Wolf", "Adalger"), dice=[10, 3])
    assert terms(told.ruled(HIT, "hit", [12, 12]), "aachen.attack.monster") == [("attack", 2)]


@pytest.mark.parametrize(("attribute", "change"), [("STR", 1), ("DEX", 2)])
def test_a_chosen_attribute_counts_throughout(attribute, change):
    """aachen.attack.attribute-consistency, aachen.attack.attribute-choice: STR 14 or DEX 18 with a dagger."""
    told = fight(adalger(attributes={"STR": 14, "DEX": 18}, weapons=[DAGGER]), guard(hp_max=20))
    told = told.when(Attack("Adalger", "Guard", attr=attribute), dice=[11, 3])
    told.ruled(HIT, "hit", [16 + change, 14]).ruled("aachen.damage.roll", "", [3 + change])
    assert terms(told, "aachen.attack.attribute-choice") == [("attack", change)]
    assert "aachen.attack.attribute-consistency" in named(told)
    plain = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), dice=[11, 3])
    assert not {"aachen.attack.attribute-consistency", "aachen.attack.attribute-choice"} & named(plain)


def test_a_punch_adds_its_level_to_the_damage():
    """aachen.damage.punch: d2 of 1 + STR 1 + Punch 2."""
    told = fight(adalger(skills={"punch": 2}), guard(hp_max=20))
    told = told.when(Attack("Adalger", "Guard", with_="unarmed"), dice=[12, 1]).ruled("aachen.damage.roll", "", [4])
    assert terms(told, "aachen.damage.punch") == [("damage", 2)]


# Melee


def test_the_rows_of_melee_name_their_clauses():
    """aachen.melee.prone-foe, aachen.melee.while-prone: 10 + 6 + 2 - 4 is 14."""
    told = adjusted(fight(adalger(), guard()), "Guard", "condition", "prone")
    told = adjusted(told, "Adalger", "condition", "prone").when(Attack("Adalger", "Guard"), dice=[10, 1])
    told.ruled(HIT, "hit", [14, 14])
    assert terms(told, "aachen.melee.prone-foe") == [("attack", 2)]
    assert terms(told, "aachen.melee.while-prone") == [("attack", -4)]


def test_two_weapons_on_a_hit_and_on_a_miss():
    """aachen.two-weapons.one-attack, hit-penalty, damage-bonus and no-shock-bonus: 10 + 6 - 1, damage 3 + 1 + 2."""
    told = fight(adalger(weapons=[SWORD, DAGGER]), guard(hp_max=20, ac=13))
    hit = told.when(Attack("Adalger", "Guard", off_hand="dagger"), dice=[10, 3]).ruled(HIT, "hit", [15, 13])
    assert terms(hit, "aachen.two-weapons.hit-penalty") == [("attack", -1)]
    assert terms(hit.ruled("aachen.damage.roll", "", [6]), "aachen.two-weapons.damage-bonus") == [("damage", 2)]
    assert "aachen.two-weapons.one-attack" in named(hit)
    assert "aachen.two-weapons.no-shock-bonus" not in named(hit)
    miss = told.when(Attack("Adalger", "Guard", off_hand="dagger"), dice=[2]).ruled(HIT, "miss", [7, 13])
    assert "aachen.two-weapons.no-shock-bonus" in named(miss.ruled("aachen.shock.on-miss", "", [3]))
    one = told.when(Attack("Adalger", "Guard"), dice=[2])
    assert not {clause for clause in named(one) if clause.startswith("aachen.two-weapons")}


def test_anyone_who_withdraws_fighting_is_not_struck():
    """aachen.melee.fighting-withdrawal: a ruling where a free attack is spared, and only there."""
    told = adjusted(fight(adalger(), guard()), "Adalger", "engaged", "Guard").when(Withdraw("Adalger"))
    spared = told.when(Move("Adalger", 10, leave=("all",)))
    spared.ruled("aachen.melee.fighting-withdrawal", "makes a fighting withdrawal").then(no(HpLost))
    free = told.when(Move("Adalger", 10, leave=("all",), decline=("Guard",)))
    assert "aachen.melee.fighting-withdrawal" not in named(free)


def test_a_withdrawal_takes_a_main_action():
    """aachen.melee.fighting-withdrawal: refused without one."""
    told = fight(adalger(), guard(hp_max=20)).when(Attack("Adalger", "Guard"), dice=[10, 1])
    told.refused(Withdraw("Adalger"), "aachen.melee.fighting-withdrawal")


# Shots


def test_the_short_band_adds_nothing():
    """aachen.ranged.bands: at 50 feet 14 + 1 + 1 + 1; no term, but the ruling names the clause."""
    told = fight(gerlind(), guard()).when(Shoot("Gerlind", "Guard", distance=50), dice=[14, 1])
    assert BANDS in named(told.ruled(HIT, "hit", [17, 14]))
    assert not {LONG, STACKING} & named(told)


def test_the_rows_of_shots_name_their_clauses():
    """aachen.ranged.stacking: long range, distant prone foe, half cover: 18 + 3 - 2 - 2 - 2 is 15."""
    told = adjusted(fight(gerlind(), guard()), "Guard", "condition", "prone")
    told = told.when(Shoot("Gerlind", "Guard", distance=200, cover="half"), dice=[18, 1]).ruled(HIT, "hit", [15, 14])
    assert terms(told, LONG) == [("attack", -2)]
    assert terms(told, "aachen.ranged.distant-prone") == [("attack", -2)]
    assert terms(told, "aachen.ranged.half-cover") == [("attack", -2)]
    assert STACKING in named(told)
    assert BANDS not in named(told)


def test_one_row_does_not_stack():
    """aachen.ranged.near-full-cover: 16 + 3 - 4 is 15, and aachen.ranged.stacking decides nothing."""
    told = fight(gerlind(), guard()).when(Shoot("Gerlind", "Guard", distance=50, cover="full"), dice=[16, 1])
    assert terms(told.ruled(HIT, "hit", [15, 14]), "aachen.ranged.near-full-cover") == [("attack", -4)]
    assert STACKING not in named(told)


def test_a_javelin_close_by():
    """aachen.ranged.adjacent-prone, aachen.ranged.one-handed-in-contact: 13 + 3 + 2 - 4 is 14. So two stack."""
    told = adjusted(fight(gerlind(weapons=[JAVELIN]), guard()), "Guard", "condition", "prone")
    told = told.when(Shoot("Gerlind", "Guard", distance=5), dice=[13, 1]).ruled(HIT, "hit", [14, 14])
    assert terms(told, "aachen.ranged.adjacent-prone") == [("attack", 2)]
    assert terms(told, "aachen.ranged.one-handed-in-contact") == [("attack", -4)]
    assert STACKING in named(told)


# Shock


def test_a_thrown_dagger_does_no_shock():
    """aachen.shock.melee-only: a ruling where a weapon with shock is thrown and misses; a bow has none to do."""
    thrown = {**DAGGER, "range": [20, 40], "thrown": True}
    told = fight(gerlind(weapons=[thrown, BOW]), guard(ac=15))
    miss = told.when(Shoot("Gerlind", "Guard", distance=10, with_="dagger"), dice=[2])
    miss.ruled("aachen.shock.melee-only", "no shock").then(no(HpLost))
    bow = told.when(Shoot("Gerlind", "Guard", distance=10, with_="large bow"), dice=[2])
    assert "aachen.shock.melee-only" not in named(bow)


def test_shock_names_its_terms():
    """aachen.shock.modifiers: 2 + STR 1 on a miss; aachen.shock.on-hit: a hit of 1 + 1 does 3."""
    told = fight(adalger(weapons=[SWORD]), guard(ac=13))
    miss = told.when(Attack("Adalger", "Guard"), dice=[2]).ruled("aachen.shock.on-miss", "", [3])
    assert terms(miss, "aachen.shock.modifiers") == [("shock", 1)]
    low = told.when(Attack("Adalger", "Guard"), dice=[10, 1]).ruled("aachen.damage.roll", "", [3])
    assert terms(low, "aachen.shock.on-hit") == [("damage", 3)]
    high = told.when(Attack("Adalger", "Guard"), dice=[10, 3]).ruled("aachen.damage.roll", "", [4])
    assert "aachen.shock.on-hit" not in named(high)


# Struggles


@pytest.mark.parametrize(
    ("said", "mine", "other"),
    [
        (Push("Adalger", "Guard", "prone", size_penalty=2), "aachen.shove.hit", "aachen.grapple.hit"),
        (Grapple("Adalger", "Guard", size_penalty=2), "aachen.grapple.hit", "aachen.shove.hit"),
    ],
    ids=["push", "grapple"],
)
def test_what_seizes_names_its_own_clause(said, mine, other):
    """aachen.shove.hit, aachen.grapple.hit, aachen.grapple.size: 13 + 4 + 1 - 2 - 2 hits; 6 + 5 + 1 - 1 - 2 is 9."""
    told = fight(adalger(), guard()).when(said, dice=[13, 6, 5, 1, 2]).ruled(HIT, "hit", [14, 14])
    assert mine in named(told)
    assert other not in named(told)
    assert terms(told, "aachen.grapple.size") == [("attack", -2), ("Adalger's STR/Punch", -2)]


# Turns and actions


def test_a_side_of_several_acts_in_any_order():
    """aachen.initiative.any-order: named with the order where a side has more than one who acts."""
    told = table(adalger(), gerlind(), guard()).when(Begin()).when(Initiative(), dice=[8, 1])
    assert "aachen.initiative.any-order" in named(told)
    duel = table(adalger(), guard()).when(Begin()).when(Initiative(), dice=[8, 1])
    assert "aachen.initiative.any-order" not in named(duel)


def test_dropping_prone_takes_no_action_and_standing_up_takes_one():
    """aachen.actions.prone, aachen.actions.stand"""
    told = fight(adalger(), guard()).when(Prone("Adalger")).ruled("aachen.actions.prone", "takes no action")
    assert told.state.points.left("Adalger", "move") == 1
    told = told.when(Move("Adalger", 5)).when(Attack("Adalger", "Guard"), dice=[5])
    told.refused(Stand("Adalger"), "aachen.actions.stand")
    assert "aachen.actions.prone" not in named(table(adalger()).when(Prone("Adalger")))


def test_a_check_in_a_fight_takes_the_main_action():
    """aachen.actions.use-skill: refused without one."""
    told = fight(adalger(), guard()).when(Attack("Adalger", "Guard"), dice=[5])
    told.refused(Check("Adalger", "STR", "exert", difficulty=8), "aachen.actions.use-skill")


# Checks and saves


def test_the_terms_of_a_check():
    """aachen.attribute.modifier, aachen.check.unskilled: 7 + STR 1 - 1; a modifier that is given has no clause."""
    told = table(adalger(), someone("Udo", mods={"STR": 3}))
    told = told.when(Check("Adalger", "STR", "exert", difficulty=7), dice=[3, 4])
    told.ruled("aachen.check.roll", "success", [7, 7])
    assert terms(told, "aachen.attribute.modifier") == [("Adalger's STR/Exert", 1)]
    assert terms(told, "aachen.check.unskilled") == [("Adalger's STR/Exert", -1)]
    told = told.when(Check("Udo", "STR", "exert", difficulty=7), dice=[3, 4]).ruled("aachen.check.roll", None, [9, 7])
    assert "aachen.attribute.modifier" not in named(told)


def test_the_score_of_a_save_names_its_clause():
    """aachen.save.score: 16 - STR 1 - 4 levels; aachen.save.monster: 15 - half of 2 hit dice."""
    told = table(adalger(), wolf()).when(Save("Adalger", "physical"), dice=[11])
    assert terms(told.ruled("aachen.save.roll", "saved", [11, 11]), "aachen.save.score") == [("physical", 16)]
    told = told.when(Save("Wolf", "physical"), dice=[13]).ruled("aachen.save.roll", "failed", [13, 14])
    assert terms(told, "aachen.save.monster") == [("physical", 15)]
    assert "aachen.save.score" not in named(told)


# What the game master lets through


def test_the_game_master_gives_luck_to_somebody_else():
    """aachen.fighters-luck.who: the expert's miss, 2 + 3, becomes a hit by the game master's word."""
    told = fight(gerlind(), guard()).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told.refused(Trigger("Gerlind", luck=True), "aachen.fighters-luck.who")
    told = told.when(Trigger("Gerlind", luck=True), dice=[4], allow="a blessing")
    told.ruled("aachen.fighters-luck.miss-to-hit", "luck makes it a hit")
    assert [event.clause for event in told.events if isinstance(event, Overruled)] == ["aachen.fighters-luck.who"]


def test_the_game_master_gives_luck_twice():
    """aachen.fighters-luck.once: a second miss of the fighter in the same encounter."""
    told = fight(adalger(weapons=[SPEAR]), guard(hp_max=30)).when(Attack("Adalger", "Guard"), dice=[2])
    told = passed(told.when(Trigger("Adalger", luck=True), dice=[3]))
    told = adjusted(told, "Adalger", "main", "1")
    told = told.when(Attack("Adalger", "Guard"), dice=[2], allow="again")
    told.refused(Trigger("Adalger", luck=True), "aachen.fighters-luck.once")
    told = told.when(Trigger("Adalger", luck=True), dice=[3], allow="twice lucky")
    assert "aachen.fighters-luck.once" in [event.clause for event in told.events if isinstance(event, Overruled)]
    told.ruled("aachen.fighters-luck.miss-to-hit", "luck makes it a hit")


def test_the_game_master_asks_a_player_character_for_morale():
    """aachen.morale.npc-only: let through, a roll of 7 holds against 8."""
    told = fight(adalger(), guard())
    told.refused(Morale(("Adalger",), score=8), "aachen.morale.npc-only")
    told = told.when(Morale(("Adalger",), score=8), dice=[3, 4], allow="a nightmare")
    told.then(Overruled("aachen.morale.npc-only", "Adalger is a player character; the player decides.",
                        "a nightmare")).ruled("aachen.morale.check", "holds", [7, 8])  # fmt: skip


# --mod


def test_the_numbers_of_an_attack_are_modified():
    """5 + 6 + 2 is 13 against 14 - 1; the damage of 3 + 1 is 1 less: 3. Without WHAT it is the roll to hit."""
    told = fight(adalger(), guard(hp_max=20))
    said = Attack("Adalger", "Guard", mod=("2:height", "armor:-1:broken shield", "damage:-1:blunt"))
    told.when(said, dice=[5, 3]).ruled(HIT, "hit", [13, 13]).ruled("aachen.damage.roll", "", [3])
    named_ones = Attack("Adalger", "Guard", mod=("hit@adalger:2:height", "armor@guard:-1"))
    told.when(named_ones, dice=[5, 3]).ruled(HIT, "hit", [13, 13])


def test_the_armor_class_of_the_game_master_counts_for_shock_too():
    """aachen.shock.ac-limit: AC 13 + 1 for the mist is above the shock's 13."""
    told = fight(adalger(weapons=[SWORD]), guard(ac=13))
    told.when(Attack("Adalger", "Guard", mod=("armor:1:mist",)), dice=[2]).ruled("aachen.shock.ac-limit", "no shock")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Attack("Adalger", "Guard", mod=("save:2",)), "no 'save' to modify"),
        (Attack("Adalger", "Guard", mod=("much",)), "not a modifier"),
        (Attack("Adalger", "Guard", mod=("hit@guard:2",)), "Guard has no hit to modify"),
        (Attack("Adalger", "Guard", mod=("armor@adalger:2",)), "Adalger has no armor to modify"),
        (Push("Adalger", "Guard", "prone", mod=("damage:2",)), "no 'damage' to modify"),
        (Grapple("Adalger", release=True, mod=("2",)), "no roll"),
        (Check("Adalger", "STR", "exert", difficulty=8, mod=("hit:2",)), "no 'hit' to modify"),
        (Heal("Adalger", "Guard", magic=2, mod=("2",)), "without a roll"),
        (Trigger("Adalger", luck=True, mod=("2",)), "no roll"),
    ],
)
def test_a_number_that_an_action_does_not_have(said, words):
    """Refused with a sentence, whatever the game master allows."""
    impossible(fight(adalger(), guard()), said, words)


def test_the_checks_of_a_struggle_are_modified():
    """11 + 3 hits; 3, 4 + 1 - 1 + 2 is 9 against 5, 4 - 1 - 1, which is 7."""
    told = fight(adalger(), guard())
    said = Push("Adalger", "Guard", "prone", mod=("check:2:slope", "check@guard:-1:wet"))
    told.when(said, dice=[11, 3, 4, 5, 4]).ruled("aachen.shove.opposed", "shoved", [9, 7])


def test_both_sides_of_an_opposed_check_are_modified():
    """aachen.check.circumstances: 7 + 1 - 1 + 1 is 8 against 9 - 1 - 2, which is 6."""
    told = table(adalger(), guard())
    said = Check("Adalger", "STR", "exert", against="Guard", mod=("1:rope", "check@guard:-2:mud"))
    told = told.when(said, dice=[3, 4, 4, 5]).ruled("aachen.check.opposed", "success", [8, 6])
    assert terms(told, "aachen.check.circumstances") == [("Adalger's STR/Exert", 1), ("Guard's STR/Exert", -2)]


def test_a_helper_is_modified_by_name():
    """aachen.check.aid: Ida's 7 - 1 + 1 is 7, of help: Udo has 6 - 1 + 1."""
    told = table(someone("Udo"), someone("Ida"))
    said = Check("Udo", "STR", "exert", difficulty=7, aid=("Ida",), mod=("check@ida:1:lever",))
    told = told.when(said, dice=[3, 4, 3, 3]).ruled("aachen.check.aid", "of help", [7, 7])
    assert terms(told.ruled("aachen.check.roll", "failure", [6, 7]), "aachen.check.aid") == [("Udo's STR/Exert", 1)]
    told = table(someone("Udo"), someone("Ida")).when(
        Check("Udo", "STR", "exert", difficulty=7, aid=("Ida",), mod=("1:rope", "check@ida:1:lever")), dice=[3, 4, 3, 3]
    )
    told.ruled("aachen.check.aid", "of help", [7, 7]).ruled("aachen.check.roll", "success", [7, 7])


def test_heal_and_escape_are_modified():
    """aachen.mortal.stabilise: 7 + INT 0 + Heal 0 + 1 is 8; aachen.grapple.escape: 6 - 1 + 3 is 8 against 3 + 1 - 1."""
    told = adjusted(table(adalger(), gerlind()), "Adalger", "down", "dying")
    said = Heal("Gerlind", "Adalger", mod=("1:bandages",))
    told.when(said, dice=[3, 4]).ruled("aachen.mortal.stabilise", "stable", [8, 8])
    told = passed(
        fight(adalger(), guard(hp_max=20)).when(Grapple("Adalger", "Guard"), dice=[11, 6, 5, 1, 1]), "Adalger"
    )
    said_too = Grapple("Guard", escape=True, mod=("3:oil",))
    told.when(said_too, dice=[3, 3, 1, 2]).ruled("aachen.grapple.escape", "free", [8, 3])


def test_morale_is_modified_for_some_or_for_all():
    """aachen.morale.modifier: 9 holds at 8 + 1 for all, and breaks at 8 + 1 - 1 for one of them."""
    told = fight(adalger(), guard("One"), guard("Two"))
    told = told.when(Morale(("One", "Two"), mod=("1:leader", "morale@two:-1:alone")), dice=[4, 5])
    told.ruled("aachen.morale.check", "holds", [9, 9]).ruled("aachen.morale.check", "breaks", [9, 8])
    assert terms(told, "aachen.morale.modifier") == [("morale", 1), ("morale", 1), ("morale", -1)]


def test_the_game_master_lets_a_large_change_through_once_for_all():
    """aachen.morale.modifier: one change of 3 is overruled once, however many check."""
    told = fight(adalger(), guard("One"), guard("Two"))
    told = told.when(Morale(("One", "Two"), mod=("3",)), dice=[4, 5], allow="dread")
    assert [event.clause for event in told.events if isinstance(event, Overruled)] == ["aachen.morale.modifier"]


def test_a_held_action_is_modified_as_the_action_itself():
    """aachen.actions.hold: 7 + 6 + 1 is 14."""
    told = fight(adalger(), guard(hp_max=20)).when(Ready("Adalger", "strike"))
    said = Trigger("Adalger", "attack", "Guard", mod=("1:waiting",))
    told.when(said, dice=[7, 2]).ruled(HIT, "hit", [14, 14])
    impossible(told, Trigger("Adalger", "defend", mod=("1",)), "no roll")
