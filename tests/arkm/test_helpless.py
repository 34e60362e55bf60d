"""Those who are out of the fight, or held, can be struck; free attacks of units; what is in use says who is first."""

from commands.action.adjust import Adjust
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.movement import Move, Retreat
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Pass
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Counted,
    Felled,
    HpLost,
    OrderSet,
    Overruled,
    Rolled,
    TurnBegan,
)
from tests.kit import Told, no

from .rounds import battle, hero
from .table import (
    bran,
    conditions,
    damages,
    fighting,
    garrick,
    having,
    impossible,
    melee,
    needed,
    next_round,
    orcs,
    rolls,
    since,
    tessa,
)
from .test_mass import unit


def knocked_out(*joining, hp: int = 5, **fields) -> Told:
    """Bran and others with an orc beside Bran that is out of the fight, with some hit points left; round 2, melee."""
    told = fighting(bran(), *joining, orcs(hp_max=hp, dex=16, shield="medium", **fields), nth=2)
    return since(melee(told, ("Bran", "Orc")), Felled("Orc", "unconscious"))


def test_one_who_is_out_is_struck_without_shield_and_dexterity():
    """arkm.zero-hp.out, arkm.ac.dex-stationary: 19 less AC 6 and STR 2 is 11; sword 3 + 1 + 2 slays 5 hp."""
    told = knocked_out().when(Attack("Bran", ("Orc",)), [11, 3])
    assert needed(told) == [11]
    told.then(HpLost("Orc", 5, 0), Felled("Orc", "dead"))
    impossible(told, Attack("Bran", ("Orc",)), "already dead")
    missed = knocked_out().when(Attack("Bran", ("Orc",)), [10])
    missed.then(no(HpLost))


def test_one_who_is_out_with_no_hit_point_left_is_slain_by_a_blow():
    """arkm.damage.zero-hp: there is nothing to lose but life."""
    told = since(knocked_out(), HpLost("Orc", 5, 0)).when(Attack("Bran", ("Orc",)), [11, 1])
    told.then(Felled("Orc", "dead"), no(HpLost))


def test_one_who_is_out_can_be_shot_and_stabbed_from_behind():
    """arkm.backstab.requirements: he sees nothing coming; 17 less AC 6, DEX 2 and 4 is 5; three d4 of level 5."""
    told = melee(knocked_out(tessa(), hp=20), ("Tessa", "Orc"))
    stabbed = told.when(Attack("Tessa", ("Orc",), backstab=True), [5, 1, 2, 3])
    assert (needed(stabbed), damages(stabbed)) == ([5], [8])
    shot = told.when(Shoot("Tessa", "Orc", with_="dagger"), [8, 2], allow="a throw at his feet")
    assert needed(shot) == [8]  # 17 - 6 - DEX 2 - short range 1


def test_one_who_is_out_when_the_blows_are_declared_is_struck_and_one_who_goes_down_meanwhile_is_not():
    """arkm.normal-men.down-target: the second and third blow at the orc that was out are made; it has 20 hp."""
    told = knocked_out(hp=20).when(Attack("Bran", ("Orc", "Orc", "Orc")), [11, 1, 11, 1, 2])
    assert len(needed(told)) == 3
    dead = knocked_out(hp=3).when(Attack("Bran", ("Orc", "Orc")), [11, 1])
    assert len(needed(dead)) == 1


def test_a_pinned_foe_is_struck_without_shield_and_dexterity():
    """arkm.grapple.pinned: 19 less AC 6 and STR 2."""
    told = melee(fighting(bran(), orcs(dex=16, shield="medium"), nth=2), ("Bran", "Orc"))
    assert needed(having(told, "Orc", "pinned", whom=("Bran",)).when(Attack("Bran", ("Orc",)), [2])) == [11]
    assert needed(told.when(Attack("Bran", ("Orc",)), [2])) == [15]


def two_weapons(**fields) -> Told:
    """Bran with sword and dagger against an orc with a sword, in that stance; round 2, melee."""
    told = melee(fighting(bran(shield="none", **fields), orcs(hp_max=20), nth=2), ("Bran", "Orc"))
    told = told.when(Attack("Bran", ("Orc",), with_="sword", off_hand="dagger"), [2, 3])
    return next_round(since(told, Counted("Bran", "drawn", 0)))


def test_a_disarm_with_two_weapons_rolls_two_dice():
    """arkm.florentine.two-dice: 4 and 12, of which 12 counts; 11 is needed. 14 fails a REFLEX save of 15."""
    told = two_weapons().when(Disarm("Bran", "Orc"), [4, 12, 16])
    assert rolls(told)[0] == ("Bran", "attack", (4, 12))
    told.ruled("arkm.to-hit.formula", "hit", [12, 11]).ruled("arkm.florentine.two-dice", "12 counts")
    assert "florentine" in conditions(told, "Bran")


def test_every_other_action_ends_the_stance_of_two_weapons():
    """arkm.florentine.ac-bonus: a grapple, a bare hand, a stool, one weapon alone, a retreat."""
    ended = ConditionEnded("Bran", "florentine")
    two_weapons().when(Grapple(("Bran",), "Orc"), [2]).then(ended)
    two_weapons().when(Attack("Bran", ("Orc",), empty_hand=True), [2]).then(ended)
    two_weapons().when(Attack("Bran", ("Orc",), object="stool"), [2]).then(ended)
    two_weapons().when(Attack("Bran", ("Orc",), with_="sword"), [2]).then(ended)
    fleeing = next_round(two_weapons(), "movement")
    fleeing = fleeing.when(Retreat("Bran", feet=60, no_pursuit_roll=True), [1, 6, 13, 2]).then(ended)
    fleeing.ruled("arkm.to-hit.formula", "hit", [13, 13])  # 19 - AC 5 + DEX 1 - 2; the second weapon does not count


def test_anyone_who_is_held_does_not_defend_with_two_weapons():
    """arkm.grapple.struggling: 3 against 3: the stance is over."""
    told = two_weapons(level=1).when(Grapple(("Orc",), "Bran"), [19, 3, 3])
    told.ruled("arkm.grapple.struggling", "struggling").then(ConditionEnded("Bran", "florentine"))


def test_a_parting_shot_of_two_weapons_has_two_dice():
    """arkm.florentine.two-dice: the orc flees from Bran."""
    told = next_round(two_weapons(), "movement").when(
        Retreat("Orc", feet=30, no_pursuit_roll=True), [1, 5, 3, 2], allow="fear"
    )
    assert ("Bran", "attack", (3, 2)) in rolls(told)


def spears(dice=(2, 5)) -> Told:
    """Bran with his spear (6 feet) has met an orc with a short sword in this round; the orcs have initiative."""
    told = battle(bran(shield="none", weapons=["spear", "dagger"]), orcs(weapons=["short-sword"]), dice=dice,
                  phase="melee")  # fmt: skip
    return melee(told, ("Bran", "Orc"), rounds=1)


def test_a_spear_that_is_put_away_gives_no_first_blow():
    """arkm.reach.first-strike: the spear strikes out of place, the dagger, the fist and a hold do not."""
    spears().when(Attack("Bran", ("Orc",)), [2])
    clause = "arkm.initiative.highest-first"
    spears().refused(Attack("Bran", ("Orc",), with_="dagger"), clause)
    spears().refused(Attack("Bran", ("Orc",), empty_hand=True), clause)
    spears().refused(Grapple(("Bran",), "Orc"), clause)


def test_a_lance_that_is_put_away_is_no_lance():
    """arkm.set.simultaneous-lance: against a set spear the sword of a charger waits."""
    told = fighting(garrick(), bran(weapons=["spear"], shield="none"), nth=2)
    told = since(melee(told, ("Garrick", "Bran"), rounds=1), OrderSet(("raiders", "party")), TurnBegan("raiders"))
    told = having(told, "Garrick", "charging", whom=("Bran",), amount=60)
    told = having(told, "Bran", "set", whom=("spear",))
    told.when(Attack("Garrick", ("Bran",)), [2])
    told.refused(Attack("Garrick", ("Bran",), with_="sword"), "arkm.set.first-against-normal-weapons")


def test_a_disarm_and_a_grapple_take_the_modifiers_of_the_roll():
    """arkm.to-hit.modifiers-add: 19 less 6, STR 2, flank 1 and height 3, half cover 4 harder: 11; surprised, 9."""
    told = melee(fighting(bran(), orcs(), nth=2), ("Bran", "Orc"))
    aim = {"from_": "flank", "mod": ("3:height",), "cover": 50}
    assert needed(told.when(Disarm("Bran", "Orc", **aim), [2])) == [11]
    assert needed(told.when(Grapple(("Bran",), "Orc", **aim), [2])) == [11]
    unaware = having(told, "Orc", "unaware")
    assert needed(unaware.when(Disarm("Bran", "Orc", surprise=True, **aim), [2])) == [9]
    told.refused(Disarm("Bran", "Orc", hit_ability="dex"), "arkm.melee-hit.swashbuckler-dex")
    still = melee(fighting(bran(), orcs(dex=16), nth=2), ("Bran", "Orc"))
    assert needed(still.when(Grapple(("Bran",), "Orc", stationary=True), [2])) == [11]


def units() -> Told:
    """Two units of ten in melee with each other since the round before, and Bran beside the foes' one."""
    told = fighting(unit("Blues", "party"), unit("Bandits", "foes"), bran(), phase="movement", nth=2)
    return melee(told, ("Blues", "Bandits"))


def test_a_parting_shot_of_a_unit_is_one_throw_for_all():
    """arkm.mass.one-throw, arkm.mass.damage: a natural 20 is neither critical nor more than 10 x 2."""
    told = units().when(Retreat("Blues", feet=60, no_pursuit_roll=True), [1, 5, 20, 2])
    told.ruled("arkm.mass.one-throw", "one throw for all").ruled("arkm.mass.damage", totals=[20])
    told.then(HpLost("Blues", 20, 20))
    fumbled = units().when(Retreat("Blues", feet=60, no_pursuit_roll=True), [1, 5, 1])
    assert [event.purpose for event in fumbled.events if isinstance(event, Rolled)] == [
        "footwork",
        "footwork",
        "attack",
    ]


def test_units_do_not_strike_single_men_who_pass():
    """arkm.mass.units: by option they do, for one D6."""
    told = units().when(Move("Bran", 30, through=("Bandits",)), [1, 5]).ruled("arkm.mass.units")
    told.then(no(HpLost))
    by_option = fighting(unit("Bandits", "foes"), bran(), phase="movement", nth=2, mass_individuals=True)
    by_option = by_option.when(Move("Bran", 30, through=("Bandits",)), [1, 5, 19, 4])
    by_option.then(HpLost("Bran", 4, 14))


def test_a_blow_at_one_who_was_slain_by_the_game_master_is_no_blow():
    told = knocked_out().when(Adjust("Orc", "down", "dead", "throat cut"))
    impossible(told, Attack("Bran", ("Orc",)), "already dead")


def test_a_hero_who_knocks_somebody_out_stops_striking_them():
    """arkm.normal-men.down-target: two pulled blows; the first one knocks him out, and the second is kept."""
    told = melee(battle(hero(), orcs(hp_max=2), dice=[5, 2], phase="melee"), ("Hero", "Orc"), rounds=2)
    told = told.when(Attack("Hero", ("Orc", "Orc"), pull=True, empty_hand=True), [13, 3])
    told.then(ConditionGained("Orc", "temporary damage", amount=3), Felled("Orc", "unconscious"))


def test_what_the_game_master_allows_a_disarm_is_recorded_once():
    """arkm.stunned.no-attack-no-defence"""
    told = having(melee(fighting(bran(), orcs(), nth=2), ("Bran", "Orc")), "Bran", "stunned")
    allowed = told.when(Disarm("Bran", "Orc"), [2], allow="he shakes it off")
    assert [one.why for one in allowed.events if isinstance(one, Overruled)] == ["Bran is stunned."]


def from_behind() -> Told:
    """Tessa has come up behind two orcs that do not fight her yet; THAC0 17, AC 6, DEX 2."""
    told = fighting(tessa(), orcs(2, hp_max=30, dex=16, shield="medium"), nth=2)
    return melee(told, ("Tessa", "Orc-1"), ("Tessa", "Orc-2"), rounds=0)


def test_later_attacks_from_behind_are_surprise_attacks_in_commands_of_their_own_too():
    """arkm.backstab.first-attack-only: 17 - 6 - 2 - 4 = 5, then 17 - 6 - 2 - 2 = 7, without shield and DEX bonus."""
    told = from_behind().when(Attack("Tessa", ("Orc-1",), backstab=True), [3])
    assert needed(told) == [5]
    for words in ({}, {"backstab": True}, {"surprise": True}, {"from_": "rear"}):
        assert needed(told.when(Attack("Tessa", ("Orc-1",), **words), [3])) == [7]
    assert needed(told.when(Attack("Tessa", ("Orc-2",), backstab=True), [3])) == [7]
    assert needed(from_behind().when(Attack("Tessa", ("Orc-1", "Orc-2", "Orc-1"), backstab=True), [3, 3, 3])) == [
        5,
        7,
        7,
    ]


def test_the_victim_of_a_backstab_attacks_nobody_in_that_round():
    """arkm.backstab.no-attack-back: neither the thief nor Bran, nor by a grapple; in the next round it does."""
    told = melee(fighting(tessa(), orcs(hp_max=30), bran(), nth=2), ("Tessa", "Orc"), ("Bran", "Orc"), rounds=0)
    told = told.when(Attack("Tessa", ("Orc",), backstab=True), [2]).when(Pass(("Tessa",)))
    clause = "arkm.backstab.no-attack-back"
    told.refused(Attack("Orc", ("Tessa",)), clause).refused(Attack("Orc", ("Bran",)), clause)
    told.refused(Grapple(("Orc",), "Bran"), clause).refused(Disarm("Orc", "Bran"), clause)


def test_anyone_who_strikes_at_a_foe_behind_has_turned():
    """arkm.flank.until-faced: at his rear Tessa needs 17 - 6 - 2 - 2 = 7, and 17 - 6 - 2 after he struck at her."""
    told = melee(fighting(tessa(), orcs(hp_max=30), phase="movement", nth=2), ("Tessa", "Orc"), rounds=1)
    told = told.when(Move("Tessa", 10, to_rear=("Orc",)), allow="round the pillar")
    behind = next_round(told)
    assert needed(behind.when(Attack("Tessa", ("Orc",)), [2])) == [7]
    turned = behind.when(Attack("Orc", ("Tessa",)), [2]).ruled("arkm.flank.until-faced", "faces Tessa")
    assert needed(turned.when(Attack("Tessa", ("Orc",)), [2])) == [9]
