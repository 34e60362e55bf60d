"""Numbers on the sheet, attack rolls, melee and ranged attacks."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.rules.aachen.deeds import Effect
from commands.rules.aachen.hands import Draw, Reload, Stow
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Prone, Withdraw
from commands.rules.aachen.ranged import Shoot
from commands.rules.aachen.rounds import Turn
from commands.rules.aachen.tables import ATTACK_BONUS, modifier
from ledger.errors import Refused
from ledger.events import ConditionEnded, ConditionGained, Disengaged, Engaged, Equipped, HpLost, Moved, Unequipped
from tests.hints import offered_by
from tests.kit import given, no

from .table import (
    BOW,
    CROSSBOW,
    DAGGER,
    JAVELIN,
    SPEAR,
    SWORD,
    adalger,
    adjusted,
    contact,
    fight,
    gerlind,
    guard,
    hp,
    impossible,
    left,
    next_round,
    passed,
    rolls,
    table,
    wolf,
)

TRIO = (adalger(), gerlind(), guard())
HIT = "aachen.attack.hit-test"


def swing(told, die, *more, target="Guard", **words):
    """Adalger attacks."""
    return told.when(Attack("Adalger", target, **words), dice=[die, *more])


def shot(told, die, *more, target="Guard", distance=50, **words):
    """Gerlind shoots."""
    return told.when(Shoot("Gerlind", target, distance=distance, **words), dice=[die, *more])


def prone(told, who):
    """Somebody lies on the ground."""
    return adjusted(told, who, "condition", "prone")


def near(told, one, other):
    """Two are in contact."""
    return adjusted(told, one, "engaged", other)


# Numbers on the sheet


@pytest.mark.parametrize(("score", "change"), [(3, -2), (4, -1), (7, -1), (8, 0), (13, 0), (14, 1), (17, 1), (18, 2)])
def test_attribute_modifiers(score, change):
    """aachen.attribute.modifier"""
    assert modifier(score) == change


def test_attributes_are_3_to_18():
    """aachen.attribute.modifier: other scores are refused; a modifier may be given directly."""
    table().refused(adalger(attributes={"STR": 19}), "aachen.attribute.modifier")
    table().refused(adalger(attributes={"DEX": 2}), "aachen.attribute.modifier")
    swing(fight(adalger(attributes={}, mods={"STR": 3}), guard()), 6, 1).ruled(HIT, "hit", [14, 14])


@pytest.mark.parametrize(
    ("name", "bonuses"),
    [
        ("fighter", "1 2 3 4 5 6 7 8 9 10"),
        ("expert", "0 1 1 2 2 3 3 4 4 5"),
        ("weaver", "0 0 1 1 2 2 3 3 3 4"),
        ("expert/fighter", "1 2 2 3 4 5 5 6 6 7"),
        ("expert/weaver", "0 1 1 2 2 3 3 4 4 5"),
        ("weaver/fighter", "1 2 2 3 4 5 5 6 6 7"),
    ],
)
def test_class_attack_bonuses(name, bonuses):
    """aachen.attack.class-bonus: for the levels 1 to 10."""
    assert list(ATTACK_BONUS[name]) == [int(bonus) for bonus in bonuses.split()]


def test_the_sheet_may_give_the_bonus():
    """aachen.attack.class-bonus: unless the sheet gives attack_bonus."""
    swing(fight(adalger(attack_bonus=0), guard()), 12, 1).ruled(HIT, "hit", [14, 14])
    table().refused(adalger(level=11, attack_bonus=11), "aachen.attack.class-bonus")
    impossible(table(), adalger(level=11), "has no attack bonus")
    table().refused(adalger(skills={"stab": 5}), "aachen.attack.skill")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"weapons": [{"name": "club", "damage": "lots"}]}, "neither dice nor points"),
        ({"weapons": [{"name": "club", "damage": "0"}]}, "neither dice nor points"),
        ({"weapons": [SWORD, SWORD]}, "same name"),
        ({"weapons": [{"name": "shield", "damage": "1d4"}]}, "same name"),
        ({"weapons": [{"name": "bow", "damage": "1d6", "skill": "shoot"}]}, "no distances"),
        ({"weapons": [{"name": "bow", "damage": "1d6", "skill": "shoot", "range": [60, 30]}]}, "longer"),
        ({"hp": 30}, "30 hp of 22"),
    ],
)
def test_sheets_that_cannot_be(fields, words):
    impossible(table(), adalger(**fields), words)
    impossible(table(), Join(({"name": "Bo"},), at=((1, 1, 0),)), "squares")


# Attack rolls


def test_the_fighter_of_the_book():
    """aachen.attack.roll: d20 + 4 + 1 + 1; aachen.attack.hit-test: 14 hits AC 14, 13 does not."""
    swing(fight(*TRIO), 9, 4).ruled(HIT, "hit", [15, 14])
    swing(fight(*TRIO), 8, 4).ruled(HIT, "hit", [14, 14])
    swing(fight(*TRIO), 7).ruled(HIT, "miss", [13, 14]).then(no(HpLost))


def test_untrained_is_minus_two():
    """aachen.attack.untrained: d20 + 4 + 1 - 2 needs 11; level 0 is 0."""
    told = fight(adalger(skills={}), guard())
    swing(told, 11, 4).ruled(HIT, "hit", [14, 14])
    swing(told, 10).ruled(HIT, "miss", [13, 14])
    swing(fight(adalger(skills={"stab": 0}), guard()), 9, 1).ruled(HIT, "hit", [14, 14])


def test_the_weapon_names_the_skill():
    """aachen.attack.skill: Adalger has no Punch: d20 + 4 + 1 - 2. Without a weapon one strikes with bare hands."""
    for bare in ("unarmed", "none", "None"):
        swing(fight(*TRIO), 11, 1, with_=bare).ruled(HIT, "hit", [14, 14])


def test_the_weapon_names_the_attribute():
    """aachen.attack.attribute: Gerlind's bow takes DEX: d20 + 1 + 1 + 1."""
    shot(fight(*TRIO), 11, 3).ruled(HIT, "hit", [14, 14])


def test_some_weapons_leave_the_choice():
    """aachen.attack.attribute-choice: by default the higher, STR on equals; others refuse it."""
    nimble = adalger(attributes={"STR": 7, "DEX": 18}, weapons=[DAGGER, SWORD])
    told = fight(nimble, guard())
    swing(told, 7, 1).ruled(HIT, "hit", [14, 14])  # 7 + 4 + 2 + 1
    swing(told, 10, 1, attr="STR").ruled(HIT, "hit", [14, 14])  # 10 + 4 - 1 + 1
    told.refused(Attack("Adalger", "Guard", with_="sword", attr="DEX"), "aachen.attack.attribute-choice")
    swing(told, 10, 1, with_="sword", attr="STR")


def test_one_attribute_for_the_whole_attack():
    """aachen.attack.attribute-consistency: dagger, DEX +2: hit +2, damage 1d4 + 2, shock 3."""
    nimble = adalger(attributes={"STR": 7, "DEX": 18}, weapons=[DAGGER])
    told = fight(nimble, guard())
    swing(told, 10, 3, attr="DEX").ruled("aachen.damage.roll", "", [5])
    swing(told, 2, attr="DEX").ruled("aachen.shock.on-miss", "", [3]).then(HpLost("Guard", 3, 3))


def test_a_natural_1_misses():
    """aachen.attack.natural-1: with +20 against AC 10; shock is as on any miss."""
    told = swing(fight(adalger(attack_bonus=20), guard(ac=10)), 1, with_="sword")
    told.ruled("aachen.attack.natural-1", "miss", [23, 10]).then(HpLost("Guard", 3, 3))


def test_a_natural_20_hits():
    """aachen.attack.natural-20: Guard's 21 against AC 30."""
    told = passed(fight(adalger(ac=30), guard()), "Adalger").when(Attack("Guard", "Adalger"), dice=[20, 5])
    told.ruled("aachen.attack.natural-20", "hit", [21, 30]).then(HpLost("Adalger", 5, 17))


def test_without_naturals():
    """aachen.attack.natural-1 and aachen.attack.natural-20 are a house rule that may be off."""
    swing(fight(adalger(attack_bonus=20), guard(ac=10), naturals=False), 1, 3).ruled(HIT, "hit", [23, 10])
    swing(fight(adalger(), guard(ac=30), naturals=False), 20).ruled(HIT, "miss", [26, 30])


def test_advantage_keeps_the_higher():
    """aachen.attack.advantage: 3, 12 is 12 + 6."""
    told = swing(fight(*TRIO), 3, 12, 4, mod=("adv",))
    told.ruled("aachen.attack.advantage", "game master", [12]).ruled(HIT, "hit", [18, 14])
    assert rolls(told)[0] == ("Adalger", "2d20", "attack")
    swing(fight(*TRIO), 1, 20, 4, mod=("adv",)).ruled("aachen.attack.natural-20", "hit")


def test_disadvantage_keeps_the_lower():
    """aachen.attack.disadvantage: 3, 12 is 3 + 6; both at once are refused, and cancel if they are allowed."""
    swing(fight(*TRIO), 3, 12, mod=("dis",)).ruled("aachen.attack.disadvantage", "game master", [3]).ruled(
        HIT, "miss", [9, 14]
    )
    fight(*TRIO).refused(Attack("Adalger", "Guard", mod=("adv", "dis")), "aachen.attack.disadvantage")
    told = fight(*TRIO).when(Attack("Adalger", "Guard", mod=("adv", "dis")), dice=[9, 4], allow="they cancel")
    assert rolls(told)[0] == ("Adalger", "1d20", "attack")


def test_magic_helps_everywhere():
    """aachen.attack.magic: sword +1, 7 + 6 + 1 hits AC 14; 1d8 + 1 + 1."""
    told = fight(adalger(weapons=[{**SWORD, "magic": 1}]), guard())
    swing(told, 7, 2).ruled(HIT, "hit", [14, 14]).ruled("aachen.damage.roll", "", [4])


def test_a_monsters_bonus_holds_everything():
    """aachen.attack.monster: Wolf's 12 is 14; its damage is as printed."""
    told = passed(fight(adalger(ac=14), wolf()), "Adalger").when(Attack("Wolf", "Adalger"), dice=[12, 4])
    told.ruled(HIT, "hit", [14, 14]).ruled("aachen.damage.roll", "", [4])
    strong = wolf(weapons=[{"name": "bite", "damage": "1d6+3"}])
    told = passed(fight(adalger(), strong), "Adalger").when(Attack("Wolf", "Adalger"), dice=[20, 4])
    told.then(HpLost("Adalger", 7, 15))
    passed(fight(adalger(), wolf()), "Adalger").refused(Attack("Wolf", "Adalger", attr="DEX"), "aachen.attack.monster")


def test_only_readied_weapons_are_used():
    """aachen.attack.readied-weapon: a stowed sword is refused; bare hands are always ready."""
    told = fight(adalger(weapons=[SPEAR, {**SWORD, "ready": False}]), guard())
    told.refused(Attack("Adalger", "Guard", with_="sword"), "aachen.attack.readied-weapon")
    told = fight(adalger(weapons=[{**SWORD, "ready": False}]), guard())
    swing(told, 2).ruled(HIT, "miss", [5, 14])  # unarmed: 2 + 4 + 1 - 2
    impossible(told, Attack("Adalger", "Guard", with_="halberd"), "no weapon")


def test_legal_targets():
    """aachen.attack.legal-target: neither oneself nor the dead; the mortally wounded stay at 0."""
    told = fight(*TRIO)
    told.refused(Attack("Adalger", "Adalger"), "aachen.attack.legal-target")
    adjusted(told, "Guard", "down", "dead").refused(Attack("Adalger", "Guard"), "aachen.attack.legal-target")
    adjusted(told, "Guard", "down", "dead").refused(
        Shoot("Gerlind", "Guard", distance=50), "aachen.attack.legal-target"
    )
    told = swing(told, 12, 8)
    assert hp(told, "Guard") == 0
    told = next_round(told)
    assert hp(swing(told, 12, 8).then(no(HpLost)), "Guard") == 0


def test_the_game_masters_modifiers():
    """Each with its reason, added to the roll; what is no number makes no sense."""
    swing(fight(*TRIO), 7, 1, mod=("+2:height", "-1:dark")).ruled(HIT, "hit", [14, 14])
    impossible(fight(*TRIO), Attack("Adalger", "Guard", mod=("much",)), "not a modifier")


def test_effects_count():
    """An effect on attacks or on Armor Class counts while it lasts."""
    told = fight(*TRIO).when(Effect(("Adalger",), "blessed", 1, "attack")).when(Effect(("Guard",), "hexed", -1))
    swing(told, 6, 1).ruled(HIT, "hit", [13, 13])
    told.when(Effect(("Guard",), "hexed", end=True)).then(ConditionEnded("Guard", "hexed"))
    impossible(told, Effect(("Guard",), "prone"), "The rules use the name")
    impossible(told, Effect(("Guard",), "blessed", end=True), "no effect")
    impossible(told, Effect(("Guard",), "blessed", kind="attack"), "How much does blessed add to attack?")


def test_an_effect_gives_several_things_under_one_name():
    """One for the armor class stands beside one for attacks; the same again takes its place; all end together."""
    told = (
        fight(*TRIO).when(Effect(("Adalger",), "blessed", 1, "attack")).when(Effect(("Adalger",), "blessed", 2, "ac"))
    )
    told = told.when(Effect(("Adalger",), "blessed", 3, "attack"))
    held = told.state.conditions.held("Adalger")
    assert sorted((one.modifies, one.amount) for _, one in held) == [("AC", 2), ("attack", 3)]
    over = told.when(Effect(("Adalger",), "blessed", end=True))
    assert over.state.conditions.held("Adalger") == []


# In and out of melee


def test_contact():
    """aachen.melee.contact: an attack at 5 feet makes it, one with a long weapon from 10 does not."""
    swing(fight(*TRIO), 2).then(Engaged("Adalger", "Guard"))
    assert not contact(swing(fight(*TRIO), 2, distance=10), "Adalger")
    told = fight(*TRIO).when(Move("Adalger", 20, engage=("Guard",)))
    assert contact(told, "Guard") == {"Adalger"}
    assert not contact(swing(told, 12, 8), "Adalger")
    impossible(told, Adjust("Adalger", "engaged", "Gerlind", "why"), "on one side")
    impossible(swing(told, 12, 8), Adjust("Adalger", "engaged", "Guard", "why"), "is down")
    impossible(fight(*TRIO), Move("Adalger", 20, engage=("Gerlind",)), "not an enemy")


def test_free_attacks_on_those_who_leave():
    """aachen.melee.free-attack: Guard 11 misses for 2 shock, Wolf 12 hits for 4; Gerlind has 5 hp, and moves."""
    told = near(near(fight(gerlind(), wolf(), guard()), "Gerlind", "Guard"), "Gerlind", "Wolf")
    told = told.when(Move("Gerlind", 30, leave=("all",)), dice=[12, 4, 11])
    told.then(HpLost("Gerlind", 4, 7), HpLost("Gerlind", 2, 5), Disengaged("Gerlind", "Wolf"))
    told.then(Moved("Gerlind", "move", 0, measure="30 feet"))
    assert [who for who, *_ in rolls(told)] == ["Wolf", "Wolf", "Guard"]
    assert not contact(told, "Gerlind")


def test_some_may_be_left_and_some_decline():
    """aachen.melee.free-attack: --leave names them, --decline waives."""
    told = near(near(fight(gerlind(), guard(), wolf()), "Gerlind", "Guard"), "Gerlind", "Wolf")
    one = told.when(Move("Gerlind", 5, leave=("Wolf",)), dice=[2])
    assert contact(one, "Gerlind") == {"Guard"}
    assert rolls(told.when(Move("Gerlind", 5, leave=("all",), decline=("Wolf", "Guard")))) == []
    impossible(one, Move("Gerlind", 5, leave=("Wolf",)), "not in contact")


def test_anyone_who_falls_does_not_move():
    """aachen.melee.free-attack: the rest do not strike, and the move does not happen."""
    told = near(near(fight(gerlind(hp=4), guard(), wolf()), "Gerlind", "Guard"), "Gerlind", "Wolf")
    told = told.when(Move("Gerlind", 30, leave=("all",)), dice=[12, 4])
    told.then(HpLost("Gerlind", 4, 0), no(Moved))


def test_anyone_who_cannot_strike_does_not():
    """aachen.melee.free-attack: not the broken, nor anyone who is in a grapple; by the house rule nobody."""
    told = near(fight(gerlind(), guard()), "Gerlind", "Guard")
    assert rolls(adjusted(told, "Guard", "condition", "broken").when(Move("Gerlind", 30, leave=("all",)))) == []
    told = near(fight(gerlind(), guard(), free_attacks=False), "Gerlind", "Guard")
    assert rolls(told.when(Move("Gerlind", 30, leave=("all",)))) == []


def test_free_attacks_cost_nothing():
    """aachen.melee.free-attack: the Guard still has its turn."""
    told = near(fight(gerlind(), guard()), "Gerlind", "Guard").when(Move("Gerlind", 30, leave=("all",)), dice=[2])
    assert left(told, "Guard") == (1, 1)


def test_a_fighting_withdrawal():
    """aachen.melee.fighting-withdrawal: no free attack, and no main action either."""
    told = near(fight(gerlind(), guard()), "Gerlind", "Guard").when(Withdraw("Gerlind"))
    told = told.when(Move("Gerlind", 30, leave=("all",)))
    assert rolls(told) == []
    assert not contact(told, "Gerlind")
    told.refused(Shoot("Gerlind", "Guard", distance=30), "aachen.actions.budget")
    passed(told).then(no(Moved))


def test_a_withdrawal_ends_with_the_turn():
    """aachen.melee.fighting-withdrawal: for the rest of the turn."""
    told = fight(*TRIO).when(Withdraw("Gerlind"))
    told.then(ConditionGained("Gerlind", "withdrawing", "turn-end", "Gerlind"))
    told.when(Prone("Adalger")).then(ConditionEnded("Gerlind", "withdrawing"))


# Melee attacks


def test_reach():
    """aachen.melee.reach: 5 feet; aachen.melee.long: 10 feet."""
    told = fight(*TRIO)
    told.refused(Attack("Adalger", "Guard", 10, with_="sword"), "aachen.melee.reach")
    swing(told, 2, distance=10)
    told.refused(Attack("Adalger", "Guard", 15), "aachen.melee.long")


def test_the_melee_procedure():
    """aachen.melee.procedure: 9; 4: 15 hits, 4 + 1; Guard has 1 hp."""
    told = swing(fight(*TRIO), 9, 4).then(HpLost("Guard", 5, 1))
    assert left(told, "Adalger") == (0, 1)
    fight(*TRIO).refused(Attack("Gerlind", "Guard", with_="javelin"), "aachen.melee.procedure")


def test_prone_foes_are_easier_to_hit():
    """aachen.melee.prone-foe: 6 + 6 + 2 at 5 feet; not with the spear at 10."""
    told = prone(fight(*TRIO), "Guard")
    swing(told, 6, 1).ruled(HIT, "hit", [14, 14])
    swing(told, 6, distance=10).ruled(HIT, "miss", [12, 14])


def test_the_prone_hit_badly():
    """aachen.melee.while-prone: 11 + 6 - 4; against a prone foe 2 more."""
    told = prone(fight(*TRIO), "Adalger")
    swing(told, 11).ruled(HIT, "miss", [13, 14])
    swing(prone(told, "Guard"), 11, 1).ruled(HIT, "hit", [15, 14])


# Ranged attacks


def test_bands():
    """aachen.ranged.bands: at 99 feet no modifier; the distance is said, and the weapon must have some."""
    shot(fight(*TRIO), 11, 3, distance=99).ruled(HIT, "hit", [14, 14])
    fight(*TRIO).refused(Shoot("Gerlind", "Guard"), "aachen.ranged.bands")
    fight(*TRIO).refused(Shoot("Adalger", "Guard", distance=5, with_="sword"), "aachen.ranged.bands")
    impossible(fight(*TRIO), Shoot("Adalger", "Guard", distance=5), "nothing in hand")


def test_long_range():
    """aachen.ranged.long-range: -2 at 100 and at 600 feet; by the house rule not at exactly 100."""
    shot(fight(*TRIO), 11, distance=100).ruled(HIT, "miss", [12, 14])
    shot(fight(*TRIO), 11, distance=600).ruled(HIT, "miss", [12, 14])
    shot(fight(*TRIO, short_range_inclusive=True), 11, 3, distance=100).ruled(HIT, "hit", [14, 14])
    shot(fight(*TRIO, short_range_inclusive=True), 11, distance=101).ruled(HIT, "miss", [12, 14])


def test_out_of_range():
    """aachen.ranged.out-of-range: at 601 feet there is no chance, and nothing is spent."""
    fight(*TRIO).refused(Shoot("Gerlind", "Guard", distance=601), "aachen.ranged.out-of-range")


def test_an_adjacent_prone_foe():
    """aachen.ranged.adjacent-prone: an unconscious Guard, javelin 9 + 3 + 2; an able one is in contact too: -4."""
    asleep = adjusted(fight(*TRIO), "Guard", "down", "unconscious")
    shot(asleep, 9, 3, distance=5, with_="javelin").ruled(HIT, "hit", [14, 14])
    shot(prone(fight(*TRIO), "Guard"), 12, distance=5, with_="javelin").ruled(HIT, "miss", [13, 14])


def test_a_distant_prone_foe():
    """aachen.ranged.distant-prone: 12 + 3 - 2."""
    shot(prone(fight(*TRIO), "Guard"), 12).ruled(HIT, "miss", [13, 14])


def test_one_hand_in_contact():
    """aachen.ranged.one-handed-in-contact: for any target: 15 + 3 - 4."""
    told = near(fight(*TRIO, wolf()), "Gerlind", "Wolf")
    shot(told, 15, 3, distance=20, with_="javelin").ruled(HIT, "hit", [14, 14])
    shot(fight(*TRIO), 15, 3, distance=5, with_="javelin").ruled(HIT, "hit", [14, 14])


def test_two_hands_in_contact():
    """aachen.ranged.two-handed-in-contact: refused."""
    told = near(fight(*TRIO, wolf()), "Gerlind", "Wolf")
    told.refused(Shoot("Gerlind", "Guard", distance=50), "aachen.ranged.two-handed-in-contact")
    allowed = told.when(Shoot("Gerlind", "Guard", distance=50), dice=[11, 3], allow="at arm's length")
    allowed.ruled(HIT, "hit", [14, 14])  # 11 + 3: the -4 is of one hand
    shot(adjusted(told, "Wolf", "down", "unconscious"), 2)


def test_cover():
    """aachen.ranged.half-cover: 13 + 3 - 2; aachen.ranged.near-full-cover: 13 + 3 - 4, not 6."""
    shot(fight(*TRIO), 13, 3, cover="half").ruled(HIT, "hit", [14, 14])
    shot(fight(*TRIO), 13, cover="full").ruled(HIT, "miss", [12, 14])


def test_rows_add_up():
    """aachen.ranged.stacking: long range, prone and half cover: 17 + 3 - 6."""
    told = prone(fight(*TRIO), "Guard")
    shot(told, 17, 3, distance=150, cover="half").ruled(HIT, "hit", [14, 14])


def test_who_shoots_an_empty_crossbow_in_their_turn_is_offered_to_reload_it():
    """aachen.ranged.reload: with the main action that the shot would take; the next round brings it."""
    told = fight(gerlind(weapons=[CROSSBOW]), guard(hp_max=20)).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told = next_round(told).when(Turn("Gerlind"))
    with pytest.raises(Refused) as refused:
        told.when(Shoot("Gerlind", "Guard", distance=50))
    assert offered_by(refused.value).splitlines()[0] == "affray reload Gerlind crossbow"


def test_a_crossbow_is_reloaded():
    """aachen.ranged.reload: a main action, after each shot; bows are reloaded for nothing."""
    told = fight(gerlind(weapons=[CROSSBOW]), guard()).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told = next_round(told)
    told.refused(Shoot("Gerlind", "Guard", distance=50), "aachen.ranged.reload")
    told = told.when(Reload("Gerlind")).then(ConditionEnded("Gerlind", "crossbow empty"))
    told.refused(Shoot("Gerlind", "Guard", distance=50), "aachen.actions.budget")
    shot(next_round(told), 2)
    bow = next_round(shot(fight(*TRIO), 2))
    shot(bow, 2)
    impossible(bow, Reload("Gerlind"), "nothing to reload")


@pytest.mark.parametrize(("inclusive", "word"), [(False, "from"), (True, "beyond")])
def test_where_no_shot_can_be_offered_the_distance_is_asked_for(inclusive, word):
    """aachen.ranged.bands: a crossbow that is not loaded."""
    told = fight(gerlind(weapons=[CROSSBOW]), guard(), short_range_inclusive=inclusive)
    told = next_round(told.when(Shoot("Gerlind", "Guard", distance=50), dice=[2]))
    with pytest.raises(Refused) as refused:
        told.when(Shoot("Gerlind", "Guard"))
    asked = f"Say how many feet, after the target; {word} 100 feet it is long range."
    assert offered_by(refused.value) == asked


def test_a_spear_may_be_thrown():
    """aachen.attack.skill: what is thrown takes Shoot, here untrained; STR by the weapon: 11 + 4 + 1 - 2."""
    told = fight(adalger(weapons=[{**SPEAR, "range": [20, 60], "thrown": True}]), guard())
    told.when(Shoot("Adalger", "Guard", distance=15), dice=[11, 4]).ruled(HIT, "hit", [14, 14])


# Items


def test_items_cost_actions():
    """aachen.actions.items: readying is a main action, at hand none, from the ground a move action, dropping free."""
    told = fight(gerlind(weapons=[BOW, {**JAVELIN, "ready": False}], shield=True), guard())
    outside = given("aachen", gerlind(weapons=[BOW, {**JAVELIN, "ready": False}], shield=False))
    outside.when(Draw("Gerlind", "jav")).then(Equipped("Gerlind", "javelin", drawn=True))
    drawn = told.when(Draw("Gerlind", "jav")).then(Equipped("Gerlind", "javelin", drawn=True))
    drawn.refused(Shoot("Gerlind", "Guard", distance=20, with_="javelin"), "aachen.actions.budget")
    assert left(told.when(Draw("Gerlind", "javelin", at_hand=True)), "Gerlind") == (1, 1)
    assert left(told.when(Draw("Gerlind", "javelin", pick_up=True)), "Gerlind") == (1, 0)
    assert left(told.when(Stow("Gerlind", "shield")), "Gerlind") == (0, 1)
    dropped = passed(told, "Gerlind").when(Stow("Gerlind", "large", drop=True)).then(Unequipped("Gerlind", "large bow"))
    impossible(dropped, Stow("Gerlind", "large bow"), "not have large bow in hand")
    impossible(told, Draw("Gerlind", "shield"), "in hand")
    impossible(told, Draw("Gerlind", "anvil"), "no 'anvil'")
    impossible(told, Draw("Gerlind", "javelin", at_hand=True, pick_up=True), "at hand, or")


def test_what_was_drawn_last_strikes():
    """aachen.attack.readied-weapon: the axe with its d10, though the sword is in hand, too."""
    told = fight(adalger(weapons=[SWORD, {**SWORD, "name": "axe", "damage": "1d10", "ready": False}]), guard())
    told = told.when(Draw("Adalger", "axe", at_hand=True)).when(Attack("Adalger", "Guard"), dice=[19, 10])
    assert [dice for _, dice, *_ in rolls(told)][-1] == "1d10"


def test_two_empty_crossbows():
    """aachen.ranged.reload: which one must be said."""
    two = gerlind(weapons=[CROSSBOW, {**CROSSBOW, "name": "arbalest"}])
    told = fight(two, guard()).when(Shoot("Gerlind", "Guard", distance=50), dice=[2])
    told = next_round(told).when(Shoot("Gerlind", "Guard", distance=50, with_="arbalest"), dice=[2])
    told = next_round(told)
    impossible(told, Reload("Gerlind"), "Which one")
    told.when(Reload("Gerlind", "arb")).then(ConditionEnded("Gerlind", "arbalest empty"))


def test_sides_are_free_to_fight_their_own():
    """aachen.melee.contact is between enemies only."""
    told = fight(*TRIO).when(Attack("Adalger", "Gerlind", with_="sword"), dice=[2]).then(no(Engaged))
    assert not contact(told, "Adalger")
    assert hp(told, "Gerlind") == 8  # AC 13 and 8: shock 3
