"""Reach, riders, high ground, numbers, shields, flanks, surprise, backstabs, two weapons."""

import pytest

from commands.action.adjust import Adjust
from commands.action.common import Join
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Initiative, Pass
from commands.rules.arkm.stances import Defend, Face, Mount, Parry, Prone, Stand
from ledger.events import ConditionGained, Counted, Felled, HpLost, OrderSet, Overruled, Ruled, TurnBegan
from tests.kit import Told, given, no

from .rounds import battle, goblins
from .table import (
    bran,
    conditions,
    damages,
    elowen,
    fighting,
    garrick,
    having,
    impossible,
    marcus,
    melee,
    needed,
    next_round,
    ogre,
    one_on_one,
    orcs,
    rolls,
    said,
    since,
    tessa,
    troll,
)

LONG = {"id": "long-spear", "damage": "1d6+1", "hands": 2, "length": 9, "tags": ["spear", "set"]}
SPEAR = {"id": "spear", "damage": "1d6+1", "length": 6, "tags": ["spear", "set"]}
SHORT = {"id": "short-sword", "damage": "1d6+1", "length": 2}
PIKE = {"id": "pike", "damage": "1d8+1", "hands": 2, "length": 15, "tags": ["pike", "set"]}


def round_one(*joining: Join, rounds: int = 0, **options) -> Told:
    """The melee phase of round 2; the first of one side is in melee with all others, since this round."""
    told = fighting(*joining, nth=2, **options)
    who, *others = told.state.roster.order
    return melee(told, *((who, other) for other in others), rounds=rounds)


def attack(who: str, target: str, dice: int, told: Told, **fields) -> list[int]:
    """What one attack needs, or several."""
    return needed(told.when(Attack(who, (target,), **fields), [dice]))


def test_a_fight_may_begin_in_melee():
    """arkm.in-melee.definition, arkm.in-melee.no-missiles: Bran and the first orc are, and since before round 1."""
    told = given("arkm", bran(), orcs(2, weapons=["short-bow"]), Begin(engaged=("bran:orc-1",)), (Initiative(), [2, 5]))
    assert told.state.engagement.pairs == (("Bran", "Orc-1"),)
    told.refused(Shoot("Orc-1", "Bran", range_="short"), "arkm.in-melee.no-missiles", [2])
    told.when(Shoot("Orc-2", "Bran", range_="short"), [2, 6])
    for wrong in ("bran", "bran:bran", "orc-1:orc-2"):
        impossible(given("arkm", bran(), orcs(2)), Begin(engaged=(wrong,)))


# Reach


def test_the_longer_weapon_strikes_first():
    """arkm.reach.first-strike: spear 6, short sword 2, whatever the initiative; from the second round by that."""
    told = round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT]))
    told.refused(Attack("Orc", ("Bran",)), "arkm.reach.first-strike", [2])
    told.when(Attack("Bran", ("Orc",)), [2]).when(Pass(("Bran",))).when(Attack("Orc", ("Bran",)), [2])
    told.when(Attack("Bran", ("Orc",)), [11, 4]).refused(Attack("Orc", ("Bran",)), "arkm.damage.zero-hp")
    later = round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT]), rounds=1)
    later.when(Attack("Orc", ("Bran",)), [2])


@pytest.mark.parametrize(("mine", "theirs", "first"), [
    (SPEAR, "sword", False), ("sword", "dagger", False), (PIKE, SPEAR, True), (LONG, "sword", True),
    ("whip", SPEAR, False), (SPEAR, "whip", True), (SPEAR, SHORT, True),
])  # fmt: skip
def test_what_is_enough(mine, theirs, first):
    """arkm.reach.advantage: four feet or more."""
    told = round_one(bran(shield="none", weapons=[mine]), orcs(weapons=[theirs]))
    strike = Attack("Orc", ("Bran",))
    told.refused(strike, "arkm.reach.first-strike", [2]) if first else told.when(strike, [2])


def test_what_is_enough_by_a_house_rule():
    """arkm.reach.advantage: the option reach_advantage_ft."""
    told = round_one(bran(weapons=[SPEAR]), orcs(), reach_advantage_ft=3)
    told.refused(Attack("Orc", ("Bran",)), "arkm.reach.first-strike", [2])


def test_a_foot_is_enough_by_a_house_rule():
    """arkm.reach.not-if-surprised, option reach_advantage_ft: sword 3, short sword 2; Bran is surprised."""
    told = round_one(bran(weapons=[{**SHORT, "length": 3}]), orcs(weapons=[SHORT]), reach_advantage_ft=1)
    struck = having(told, "Bran", "surprised").when(Attack("Orc", ("Bran",)), [2])
    ruled = [event for event in struck.events if isinstance(event, Ruled) and event.clause == "arkm.to-hit.formula"]
    assert ["arkm.reach.not-if-surprised" in event.also for event in ruled] == [True]


def test_a_natural_weapon_reaches_as_far_as_it_is_long():
    """arkm.reach.first-strike: a tentacle of 9 feet against a sword."""
    told = round_one(bran(), ogre(attacks=[{"name": "tentacle", "damage": "1d6", "length": 9}]))
    told.refused(Attack("Bran", ("Ogre",)), "arkm.reach.first-strike", [2])


def test_the_surprised_have_no_first_strike():
    """arkm.reach.not-if-surprised"""
    told = having(round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT])), "Bran", "surprised")
    told.when(Attack("Orc", ("Bran",)), [2])


@pytest.mark.parametrize("unseen", [{"surprise": True}, {"backstab": True}])
def test_reach_does_not_help_against_a_blow_that_is_not_seen_coming(unseen):
    """arkm.reach.not-if-surprised: the orc comes from behind; in the open it would wait for the spear."""
    told = round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT]))
    told.refused(Attack("Orc", ("Bran",)), "arkm.reach.first-strike")
    struck = told.when(Attack("Orc", ("Bran",), **unseen), [2])
    ruled = [event for event in struck.events if isinstance(event, Ruled) and event.clause == "arkm.to-hit.formula"]
    assert ["arkm.reach.not-if-surprised" in event.also for event in ruled] == [True]
    assert not any("arkm.reach.first-strike" in event.also for event in ruled)


# Riders and heights


def test_riders():
    """arkm.mounted.bonus: 17 - 6 - 2 - 1; arkm.mounted.ground-penalty: 19 - 3 + 1."""
    told = one_on_one(garrick(weapons=["sword"]), orcs(side="party"))
    assert attack("Garrick", "Orc", 2, told) == [8]
    assert attack("Orc", "Garrick", 2, told) == [17]


@pytest.mark.parametrize(("weapon", "on_orc", "on_garrick"), [
    (LONG, 9, 16), (SPEAR, 8, 17), (PIKE, 9, 16), ("polearm", 9, 16),
])  # fmt: skip
def test_a_long_spear_keeps_riders_off(weapon, on_orc, on_garrick):
    """arkm.mounted.long-weapon-exception: nine feet, pikes and polearms, both ways."""
    told = one_on_one(garrick(weapons=["sword"]), orcs(side="party", weapons=[weapon]))
    assert attack("Garrick", "Orc", 2, told) == [on_orc]
    assert attack("Orc", "Garrick", 2, told) == [on_garrick]


def test_a_rider_shoots_without_it():
    """arkm.mounted.bonus: melee only; by the option mounted_missiles, shots too."""
    archer = garrick(weapons=["short-bow"], dex=9)
    for on, roll in ((False, 11), (True, 10)):
        told = fighting(archer, orcs(side="party"), phase="missile", mounted_missiles=on)
        assert needed(told.when(Shoot("Garrick", "Orc", range_="medium"), [2])) == [roll]


def test_mounting_and_getting_down():
    """arkm.mounted.bonus: `mount`, and `mount --off`."""
    told = fighting(bran(), orcs(), phase="movement").when(Mount("Bran", on="Dobbin"))
    told.then(ConditionGained("Bran", "mounted", whom=("Dobbin",)))
    assert told.state.conditions.of["Bran"]["mounted"].whom == ("Dobbin",)
    impossible(told, Mount("Bran"), "already mounted")
    assert conditions(told.when(Mount("Bran", off=True)), "Bran") == set()


def test_high_ground():
    """arkm.high-ground.bonus: 19 - 2 - 1; arkm.high-ground.penalty: 19 - 6 - 2 + 1; equal: none."""
    told = one_on_one(bran(), orcs())
    high = having(told, "Orc", "elevation", amount=5)
    assert attack("Orc", "Bran", 2, high) == [16]
    assert attack("Bran", "Orc", 2, high) == [12]
    level = having(high, "Bran", "elevation", amount=5)
    assert attack("Bran", "Orc", 2, level) == [11]


def test_high_ground_and_missiles():
    """arkm.high-ground.bonus: shots too, unless the option high_ground_missiles says no."""
    for on, roll in ((True, 9), (False, 10)):
        told = fighting(elowen(), orcs(), phase="missile", high_ground_missiles=on)
        told = having(told, "Elowen", "elevation", amount=5)
        assert needed(told.when(Shoot("Elowen", "Orc", range_="medium"), [2])) == [roll]


# Numbers and shields


def crowd(target: Join, count: int, **fields) -> Told:
    """So many orcs around somebody, since an earlier round."""
    return round_one(target, orcs(count, **fields), rounds=1)


def test_six_at_most():
    """arkm.surround.max-six: a seventh is refused, the first may strike again."""
    told = crowd(bran(hp_max=99), 7)
    for number in range(1, 7):
        told = told.when(Attack(f"Orc-{number}", ("Bran",)), [2])
    told.refused(Attack("Orc-7", ("Bran",)), "arkm.surround.max-six", [2])
    told.when(Attack("Orc-7", ("Bran",), slots=0), [2])
    again = told.when(Attack("Orc-1", ("Bran",)), [2], allow="a second blow")
    assert "arkm.surround.max-six" not in [one.clause for one in again.events if isinstance(one, Overruled)]


@pytest.mark.parametrize(("fields", "most", "clause"), [
    ({"size": "ogre"}, 8, "larger"), ({"size": "huge"}, 12, "larger"), ({"size": "small"}, 4, "smaller"),
    ({"size": "tiny"}, 2, "smaller"), ({"size": "ogre", "surround_max": 3}, 3, "larger"),
])  # fmt: skip
def test_other_sizes(fields, most, clause):
    """arkm.surround.larger, arkm.surround.smaller"""
    told = crowd(bran(**fields), most + 1)
    for number in range(1, most + 1):
        told = told.when(Attack(f"Orc-{number}", ("Bran",)), [2])
    told.refused(Attack(f"Orc-{most + 1}", ("Bran",)), f"arkm.surround.{clause}", [2])


def test_room_for_a_weapon():
    """arkm.surround.weapon-room: the game master counts one as several, or sees no room."""
    told = crowd(bran(), 3).when(Attack("Orc-1", ("Bran",), slots=6), [2])
    told.refused(Attack("Orc-2", ("Bran",)), "arkm.surround.max-six", [2])
    told.refused(Attack("Orc-2", ("Bran",), no_room=True), "arkm.surround.weapon-room", [2])


def test_more_than_two():
    """arkm.surround.more-than-two, arkm.shield.two-attackers: 16, 16, and 14 when the shield is used up."""
    told = crowd(bran(), 3)
    for number, roll in ((1, 16), (2, 16), (3, 14)):
        told = told.when(Attack(f"Orc-{number}", ("Bran",)), [2])
        assert needed(told) == [roll]


def test_two_are_not_more_than_two():
    """arkm.surround.more-than-two: also when the third is down, or strikes another; --attackers says otherwise."""
    assert attack("Orc-1", "Bran", 2, crowd(bran(), 2)) == [17]
    three = since(crowd(bran(), 3), Felled("Orc-1", "dead"))
    assert attack("Orc-2", "Bran", 2, three) == [17]
    assert attack("Orc-2", "Bran", 2, three, attackers=3) == [16]
    assert attack("Orc-2", "Bran", 2, three, attackers=2) == [17]
    busy = fighting(bran(), tessa(), orcs(3), nth=2)
    busy = melee(busy, *(("Bran", f"Orc-{n}") for n in (1, 2, 3)), ("Tessa", "Orc-3"))
    busy = busy.when(Attack("Orc-3", ("Tessa",)), [2])
    assert attack("Orc-1", "Bran", 2, busy) == [17]


def test_a_wall_at_the_back():
    """arkm.surround.back-to-wall: 17, 17, and 15 for the third; a step ends it."""
    told = melee(fighting(bran(), orcs(3), phase="movement", nth=2), *(("Bran", f"Orc-{n}") for n in (1, 2, 3)))
    told = told.when(Face("Bran", wall=True))
    for number, roll in ((1, 17), (2, 17), (3, 15)):
        told = told.when(Attack(f"Orc-{number}", ("Bran",)), [2])
        assert needed(told) == [roll]
    free = fighting(bran(), orcs(), phase="movement").when(Face("Bran", wall=True)).when(Move("Bran", feet=5))
    assert conditions(free, "Bran") == set()


def test_a_shield_can_be_chosen():
    """arkm.shield.two-attackers: for the second and the third: 14, 16, 16; a buckler serves against one."""
    told = crowd(bran(), 3).when(Defend("Bran", shield_against=("Orc-2", "Orc-3")))
    for number, roll in ((1, 14), (2, 16), (3, 16)):
        told = told.when(Attack(f"Orc-{number}", ("Bran",)), [2])
        assert needed(told) == [roll]
    told.refused(Defend("Bran", shield_against=("Orc-1",)), "arkm.shield.two-attackers")
    many = Defend("Bran", shield_against=("Orc-1", "Orc-2", "Orc-3"))
    crowd(bran(), 3).refused(many, "arkm.shield.two-attackers")
    small = crowd(bran(shield="buckler"), 2).when(Attack("Orc-1", ("Bran",)), [2])
    assert needed(small) == [16]
    assert attack("Orc-2", "Bran", 2, small) == [15]
    impossible(crowd(tessa(), 1), Defend("Tessa", shield_against=("Orc",)), "no shield in hand")


def test_one_chosen_leaves_the_other_place_unused():
    """arkm.shield.two-attackers"""
    told = crowd(bran(), 2).when(Defend("Bran", shield_against=("Orc-2",)))
    assert attack("Orc-1", "Bran", 2, told) == [15]


def test_a_shield_that_served_against_an_arrow_is_not_kept_for_others():
    """arkm.shield.two-attackers: it is chosen before anybody attacks, with a bow too."""
    told = battle(bran(), goblins(2, weapons=["short-bow"]), dice=[2, 5], phase="missile")
    chosen = Defend("Bran", shield_against=("Goblin-2",))
    told.when(chosen)
    told.when(Shoot("Goblin-1", "Bran", range_="medium"), [2]).refused(chosen, "arkm.shield.two-attackers")


def test_a_shield_that_is_barred_is_not_used_up():
    """arkm.shield.two-attackers: two from the flank, then two from the front; a new round, a new shield."""
    told = crowd(bran(), 4)
    for number, where, roll in ((1, "flank", 12), (2, "flank", 12), (3, "front", 16), (4, "front", 16)):
        told = told.when(Attack(f"Orc-{number}", ("Bran",), from_=where), [2])
        assert needed(told) == [roll]
    again = next_round(told)
    assert attack("Orc-3", "Bran", 2, again) == [16]


# Flanks, rears, surprise


def test_the_flank():
    """arkm.flank.bonus: 14 and 15 on Marcus; arkm.flank.defences-denied: 13 on Bran, who has 17 in front."""
    marc = one_on_one(orcs(), marcus())
    assert attack("Orc", "Marcus", 2, marc, from_="flank") == [14]
    assert attack("Orc", "Marcus", 2, marc) == [15]
    told = one_on_one(orcs(), bran())
    told.when(Attack("Orc", ("Bran",), from_="flank"), [13, 3]).then(HpLost("Bran", 3, 15))
    assert attack("Orc", "Bran", 2, told, from_="flank") == [13]


def test_the_rear():
    """arkm.rear.bonus: 13 on Marcus; arkm.rear.defences-denied: 12 on Bran."""
    assert attack("Orc", "Marcus", 2, one_on_one(orcs(), marcus()), from_="rear") == [13]
    assert attack("Orc", "Bran", 2, one_on_one(orcs(), bran()), from_="rear") == [12]


def test_until_faced():
    """arkm.flank.until-faced: the flank is kept, until he turns; then it is refused until the orc moves."""
    told = melee(fighting(bran(), orcs(2), phase="movement", nth=2), ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    flanked = told.when(Attack("Orc-1", ("Bran",), from_="flank"), [2])
    flanked = next_round(flanked, "movement")
    assert attack("Orc-1", "Bran", 2, flanked) == [13]
    turned = flanked.when(Face("Bran", "Orc-1"))
    turned.refused(Attack("Orc-1", ("Bran",), from_="flank"), "arkm.flank.until-faced", [2])
    assert attack("Orc-1", "Bran", 2, turned) == [17]
    assert attack("Orc-2", "Bran", 2, turned, from_="flank") == [13]


def test_who_faces_an_archer_is_not_shot_in_the_flank():
    """arkm.flank.until-faced: whether the archer faces him does not matter."""
    shot = Shoot("Orc", "Bran", range_="medium", from_="flank")
    told = fighting(orcs(weapons=["short-bow"]), bran(), phase="missile")
    since(told, Counted("Bran", "faced", 1, "Orc", "encounter-end")).refused(shot, "arkm.flank.until-faced", [2])
    since(told, Counted("Orc", "faced", 1, "Bran", "encounter-end")).when(shot, [2])


def test_a_move_to_the_flank():
    """arkm.flank.bonus: `move --to-flank` is remembered; --to-rear likewise."""
    told = fighting(orcs(), bran(), phase="movement", nth=2)
    side = told.when(Move("Orc", feet=30, to_flank=("Bran",)))
    assert attack("Orc", "Bran", 2, side) == [13]
    behind = told.when(Move("Orc", feet=30, to_rear=("Bran",)))
    assert attack("Orc", "Bran", 2, behind) == [12]
    faced = behind.when(Face("Bran", "Orc"))
    assert attack("Orc", "Bran", 2, faced) == [17]
    impossible(told, Face("Bran"), "To whom")


@pytest.mark.parametrize(
    ("fields", "kind"), [({"to_flank": ("Bran",)}, "at the flank"), ({"to_rear": ("Bran",)}, "at the rear")]
)
def test_who_moves_off_stands_no_longer_at_flank_or_rear(fields: dict[str, tuple[str]], kind: str):
    """arkm.flank.bonus: the place is given up with the first step, once, also by who stays near."""
    there = fighting(orcs(), bran(), phase="movement", nth=2).when(Move("Orc", feet=30, **fields))
    there.then(Counted("Orc", kind, 1, "Bran", "encounter-end"))
    for to in ((), ("Bran",)):
        gone = there.when(Move("Orc", feet=10, to=to), allow="he may")
        assert gone.events.count(Counted("Orc", kind, 0, "Bran", "encounter-end")) == 1
        assert not gone.state.counts.get("Orc", kind, "Bran")


def test_surprise():
    """arkm.surprise-attack.bonus: 12, from the flank 11; arkm.surprise-attack.defences-denied: Tessa 10."""
    told = round_one(orcs(), bran())
    assert attack("Orc", "Bran", 2, told, surprise=True) == [12]
    assert attack("Orc", "Bran", 2, told, surprise=True, from_="flank") == [11]
    side = having(told, "Bran", "surprised")
    assert attack("Orc", "Bran", 2, side) == [12]
    assert attack("Orc", "Tessa", 2, having(round_one(orcs(), tessa()), "Tessa", "surprised")) == [10]
    assert attack("Orc", "Marcus", 2, round_one(orcs(), marcus()), surprise=True) == [19 - 4 - 2]


def test_surprise_lasts_for_the_round():
    """arkm.surprise-attack.until-faced: he does not turn in it, and is not surprised again in the next."""
    told = round_one(bran(), orcs(2)).when(Attack("Orc-1", ("Bran",), surprise=True), [2])
    assert attack("Orc-2", "Bran", 2, told) == [12]
    moving = having(fighting(bran(), orcs(), phase="movement"), "Bran", "unaware")
    moving.refused(Face("Bran", "Orc"), "arkm.surprise-attack.until-faced")
    later = next_round(told)
    awake = later.when(Adjust("Bran", "no-condition", "unaware", "the round is over"))
    awake.refused(Attack("Orc-1", ("Bran",), surprise=True), "arkm.surprise-attack.until-faced", [2])
    anew = awake.when(Adjust("Bran", "condition", "unaware", "a cloak of invisibility"))
    assert attack("Orc-1", "Bran", 2, anew) == [12]
    open_fight = one_on_one(orcs(), bran())
    open_fight.refused(Attack("Orc", ("Bran",), surprise=True), "arkm.surprise-attack.until-faced", [2])


def test_a_stun_prolongs_it():
    """arkm.surprise-attack.until-faced: Bran stunned through the next round is surprised through it."""
    from commands.rules.arkm.rounds import Round
    from ledger.events import ConditionGained

    told = round_one(orcs(), bran()).when(Attack("Orc", ("Bran",), surprise=True), [2])
    told = since(told, ConditionGained("Bran", "stunned", "round-end", round=3))
    told = told.when(Round(), [3, 3], allow="no morale here")
    assert {"unaware", "stunned"} <= conditions(told, "Bran")
    over = told.when(Round(), [3, 3], allow="no morale here")
    assert conditions(over, "Bran").isdisjoint({"unaware", "stunned"})


def test_a_shot_from_behind_on_the_surprised():
    """arkm.surprise-attack.bonus: the two add, +4; arkm.backstab.requirements: it is no backstab."""
    told = fighting(orcs(weapons=["short-bow"]), bran(), phase="missile")
    shot = told.when(Shoot("Orc", "Bran", range_="medium", surprise=True, from_="rear"), [10, 3])
    assert (needed(shot), damages(shot)) == ([10], [3])
    told.refused(Shoot("Orc", "Bran", range_="medium", backstab=True), "arkm.backstab.requirements", [2])
    free = fighting(orcs(weapons=["short-bow"]), bran(), phase="missile", backstab_ranged=True)
    stab = free.when(Shoot("Orc", "Bran", range_="medium", backstab=True), [10, 3, 2])
    assert damages(stab) == [5]


# Backstab


STAB = Attack("Tessa", ("Orc",), backstab=True)


def test_a_backstab():
    """arkm.backstab.bonus: 17 - 6 - 2 - 4; arkm.backstab.thief-multiplier: three dice for a thief of level 5."""
    told = round_one(tessa(), orcs(hp_max=20)).when(STAB, [5, 1, 2, 4])
    assert (needed(told), damages(told)) == ([5], [9])
    critical = round_one(tessa(), orcs(hp_max=20)).when(STAB, [20, 1, 2, 4, 4])
    assert damages(critical) == [13]


def test_surprise_from_behind_is_the_same():
    """arkm.backstab.requirements"""
    told = round_one(tessa(), orcs())
    assert needed(told.when(Attack("Tessa", ("Orc",), surprise=True, from_="rear"), [2])) == [5]
    behind = having(round_one(tessa(), orcs()), "Orc", "surprised")
    assert needed(behind.when(Attack("Tessa", ("Orc",), from_="rear"), [2])) == [5]


def test_the_victim_has_no_defences():
    """arkm.backstab.defences-denied: 19 - 5 - 4 for a thief of level 1 with no bonus."""
    thief = tessa(level=1, dex=10, side="foes")
    assert needed(round_one(thief, bran()).when(Attack("Tessa", ("Bran",), backstab=True), [2])) == [10]


def test_one_who_knows_is_not_surprised():
    """arkm.backstab.requirements: fighting openly, or facing her; not from the front."""
    one_on_one(tessa(), orcs()).refused(STAB, "arkm.backstab.requirements", [2])
    told = fighting(tessa(), orcs(), phase="movement", nth=2)
    near = told.when(Move("Tessa", feet=30, to=("Orc",)))
    near.when(Face("Orc", "Tessa")).refused(STAB, "arkm.backstab.requirements", [2])
    near.refused(Attack("Tessa", ("Orc",), backstab=True, from_="front"), "arkm.backstab.requirements", [2])


def test_the_victim_does_not_strike_back():
    """arkm.backstab.no-attack-back: this round; shots and free attacks, too."""
    told = round_one(tessa(), orcs(hp_max=20)).when(STAB, [2]).when(Pass(("Tessa",)))
    told.refused(Attack("Orc", ("Tessa",)), "arkm.backstab.no-attack-back", [2])
    shooting = having(fighting(orcs(weapons=["short-bow"]), bran(), phase="missile"), "Orc", "barred from attacking")
    shooting.refused(Shoot("Orc", "Bran", range_="short"), "arkm.backstab.no-attack-back", [2])
    ended = told.when(Adjust("Orc", "no-condition", "barred from attacking", "the round is over"))
    next_round(ended).when(Attack("Orc", ("Tessa",)), [2])


def test_only_the_first_attack():
    """arkm.backstab.first-attack-only: 7, then surprise alone, 9 and 9."""
    told = having(having(round_one(bran(), orcs(3)), "Orc-2", "surprised"), "Orc-3", "surprised")
    told = told.when(Attack("Bran", ("Orc-1", "Orc-2", "Orc-3"), backstab=True), [2, 2, 2])
    assert needed(told) == [7, 9, 9]


def test_a_fighters_backstab_doubles():
    """arkm.backstab.double-damage"""
    told = round_one(bran(), orcs(hp_max=20)).when(Attack("Bran", ("Orc",), backstab=True), [7, 2, 5])
    assert damages(told) == [10]


@pytest.mark.parametrize(("level", "sets"), [(1, 2), (4, 2), (5, 3), (8, 3), (9, 4), (13, 5), (36, 5)])
def test_thieves_do_more(level, sets):
    """arkm.backstab.thief-multiplier"""
    told = round_one(tessa(level=level), orcs(hp_max=99)).when(STAB, [19, *[1] * sets])
    assert damages(told) == [sets + 2]
    named = {clause for event in told.events for clause in event.clauses}
    assert ("arkm.backstab.thief-multiplier" in named) is (sets > 2)


# Two weapons


TOUGH = orcs(hp_max=20)


def florentine(target: Join = TOUGH, **fields) -> Told:
    """Bran without his shield, with sword and dagger."""
    return one_on_one(bran(**{"shield": "none", **fields}), target)


BOTH = Attack("Bran", ("Orc",), with_="sword", off_hand="dagger")


@pytest.mark.parametrize(("dice", "outcome"), [
    ([4, 11, 1, 3], "hit"), ([1, 9], "miss"), ([20, 3, 1, 3, 3], "hit"),
])  # fmt: skip
def test_two_dice_the_better_counts(dice, outcome):
    """arkm.florentine.two-dice"""
    florentine().when(BOTH, dice).ruled("arkm.to-hit.formula", outcome)


def test_two_ones_are_a_one():
    """arkm.florentine.two-dice; a 20 of two is critical."""
    florentine().when(BOTH, [1, 1, 4]).ruled("arkm.natural-1.miss")
    florentine().when(BOTH, [20, 3, 1, 3, 3]).ruled("arkm.natural-20.critical")


def test_which_weapon_hit():
    """arkm.florentine.which-weapon: 1-3 the sword, 3 + 3; 4-6 the dagger, 3 + 2; two of one size need no die."""
    found = {die: damages(florentine().when(BOTH, [4, 11, die, 3])) for die in (1, 3, 4, 6)}
    assert found == {1: [6], 3: [6], 4: [5], 6: [5]}
    twins = [{**SHORT, "size": "S"}, {**SHORT, "id": "short-sword-2", "size": "S"}]
    same = florentine(weapons=twins).when(
        Attack("Bran", ("Orc",), with_="short-sword", off_hand="short-sword-2"), [4, 11, 3]
    )
    assert damages(same) == [6]


def test_two_weapons_guard():
    """arkm.florentine.ac-bonus: 16 in melee, 15 for an arrow, until he fights otherwise."""
    told = florentine().when(Defend("Bran", with_="sword", off_hand="dagger"))
    assert attack("Orc", "Bran", 2, told) == [16]
    archer = fighting(bran(shield="none"), orcs(weapons=["short-bow"]), phase="missile")
    archer = archer.when(Defend("Bran", with_="sword", off_hand="dagger"))
    assert needed(archer.when(Shoot("Orc", "Bran", range_="medium"), [2])) == [15]
    kept = next_round(told).when(Attack("Bran", ("Orc",)), [2, 3]).when(Pass(("Bran",)))
    assert attack("Orc", "Bran", 2, kept) == [16]
    ended = next_round(told).when(Attack("Bran", ("Orc",), with_="sword"), [2]).when(Pass(("Bran",)))
    assert attack("Orc", "Bran", 2, ended) == [15]


def test_the_flank_does_not_take_it_away():
    """arkm.florentine.ac-bonus: 19 - 5 + 1 - 1."""
    told = florentine().when(Defend("Bran", with_="sword", off_hand="dagger"))
    assert attack("Orc", "Bran", 2, told, from_="flank") == [14]


def test_what_two_weapons_need():
    """arkm.florentine.requirements: no shield, one hand each, melee."""
    told = one_on_one(bran(), orcs())
    told.refused(BOTH, "arkm.florentine.requirements", [2, 2])
    two_handed = florentine(weapons=["two-handed-sword", "dagger"])
    two_handed.refused(
        Attack("Bran", ("Orc",), with_="two-handed-sword", off_hand="dagger"), "arkm.florentine.requirements", [2, 2]
    )
    impossible(florentine(), Attack("Bran", ("Orc",), with_="sword", off_hand="sword"), "Two weapons")


# Lying and standing


def test_lying_and_standing():
    """arkm.whip.result: prone has neither shield nor DEX bonus, until he stands, which takes his movement."""
    told = melee(fighting(bran(), orcs(), phase="movement", nth=2), ("Bran", "Orc")).when(Prone("Bran"))
    assert attack("Orc", "Bran", 2, told) == [14]
    impossible(told, Prone("Bran"), "is already prone")
    up = told.when(Stand("Bran"))
    assert conditions(up, "Bran") == set()
    impossible(up, Stand("Bran"), "is not prone")
    free = said(fighting(bran(), orcs(), phase="movement"), Prone("Bran"), Stand("Bran"))
    free.refused(Move("Bran", feet=61), "arkm.move.run")


def test_passing_lets_the_shorter_strike():
    """arkm.reach.first-strike: the longer has passed."""
    told = round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT]))
    told = told.when(Pass(("Bran",)), allow="nobody rolled initiative")
    told.when(Attack("Orc", ("Bran",)), [2])


def test_a_troll_hits_a_whole_crowd_of_none():
    """arkm.in-melee.attack-distance: nobody in melee, nobody to strike."""
    fighting(troll(), bran()).refused(Attack("Troll", ("Bran",)), "arkm.in-melee.attack-distance", [2])
    impossible(one_on_one(ogre(), bran()), Attack("Ogre", ("Ogre",)), "themselves")
    assert rolls(one_on_one(ogre(), bran()).when(Attack("Ogre", ("Bran",)), [2])) == [("Ogre", "attack", (2,))]
    one_on_one(ogre(), bran()).when(Attack("Ogre", ("Bran",)), [2]).then(no(HpLost))


def test_nobody_waits_for_a_blow_that_cannot_come():
    """arkm.reach.first-strike, arkm.backstab.no-attack-back: the longer weapon's bearer was struck from behind."""
    told = having(round_one(bran(weapons=[SPEAR]), orcs(weapons=[SHORT])), "Bran", "barred from attacking")
    told.when(Attack("Orc", ("Bran",)), [2])


def test_a_friend_is_not_faced():
    """And one who has moved does not stand up as well."""
    impossible(fighting(bran(), tessa(), phase="movement"), Face("Bran", "Tessa"), "not a foe")
    told = fighting(bran(), orcs(), phase="movement").when(Move("Bran", 10)).when(Prone("Bran"))
    told.refused(Stand("Bran"), "arkm.whip.result")


def test_a_step_brings_the_attacker_round_again():
    """arkm.flank.until-faced: when the attacker has moved, the flank is open again."""
    told = melee(fighting(bran(), orcs(), tessa(), phase="movement", nth=2), ("Bran", "Orc"), ("Tessa", "Orc"))
    faced = told.when(Face("Bran", "Orc"))
    faced.refused(Attack("Orc", ("Bran",), from_="flank"), "arkm.flank.until-faced", [2])
    moved = faced.when(Move("Orc", feet=5, to_flank=("Bran",)), allow="round the table")
    assert attack("Orc", "Bran", 2, moved) == [13]


def test_the_helpless_do_not_beset():
    """arkm.surround.more-than-two: one of three who is stunned attacks nobody: 17; while he can, 16."""
    told = round_one(bran(), orcs(3))
    assert needed(told.when(Attack("Orc-1", ("Bran",)), [2])) == [16]
    stunned = having(told, "Orc-3", "stunned", until="round-end", round=3)
    assert needed(stunned.when(Attack("Orc-1", ("Bran",)), [2])) == [17]


def test_who_parries_or_passes_does_not_beset():
    """arkm.surround.more-than-two, arkm.parry.no-attacks: with the third parrying or passing, two attack: 17; 16 while
    he can, and once he has struck himself.
    """
    told = crowd(bran(), 3)
    assert needed(told.when(Attack("Orc-3", ("Bran",)), [2]).when(Attack("Orc-1", ("Bran",)), [2])) == [16]
    assert needed(told.when(Parry("Orc-3")).when(Attack("Orc-1", ("Bran",)), [2])) == [17]
    assert needed(told.when(Pass(("Orc-3",))).when(Attack("Orc-1", ("Bran",)), [2])) == [17]


def test_anyone_who_was_struck_from_behind_neither_disarms_nor_grapples():
    """arkm.backstab.no-attack-back"""
    told = having(round_one(bran(), orcs()), "Orc", "barred from attacking", until="round-end")
    told.refused(Disarm("Orc", "Bran"), "arkm.backstab.no-attack-back", [2])
    told.refused(Grapple(("Orc",), target="Bran"), "arkm.backstab.no-attack-back", [2])


def test_two_weapons_are_two():
    """arkm.florentine.requirements"""
    told = round_one(tessa(), orcs())
    for declaration in (Defend("Tessa", with_="dagger"), Attack("Tessa", ("Orc",), off_hand="dagger")):
        impossible(told, declaration, "Two weapons")


def test_a_weapon_that_breaks_ends_the_stance():
    """arkm.florentine.ac-bonus, arkm.natural-1.fumble-table: the sword breaks; next comes the dagger."""
    told = florentine().when(BOTH, [1, 1, 20, 4])
    assert "broken sword" in conditions(told, "Bran")
    assert "florentine" not in conditions(told, "Bran")
    assert len(needed(next_round(told).when(Attack("Bran", ("Orc",)), [2]))) == 1


def test_a_shield_is_chosen_at_any_time():
    """arkm.shield.two-attackers: before those who come first attack, and without taking their place from them."""
    told = round_one(bran(), orcs(3))
    told = since(told, OrderSet(("Orc", "party")), TurnBegan("Orc"))
    told = told.when(Defend("Bran", shield_against=("Orc-2", "Orc-3")))
    assert needed(told.when(Attack("Orc-1", ("Bran",)), [2])) == [14]  # 19 - 4 - 1
    mine = since(told, OrderSet(("party", "Orc")), TurnBegan("Orc"))
    assert mine.when(Defend("Bran", shield_against=("Orc-1",))).state.turns.who == "Orc"


def test_nobody_comes_up_to_one_unaware():
    """arkm.backstab.requirements, arkm.surprise-attack.until-faced: who has closed in in this round knows."""
    told = fighting(orcs(), tessa(), phase="movement", nth=2).when(Move("Orc", feet=30, to=("Tessa",)))
    told.refused(Attack("Tessa", ("Orc",), surprise=True), "arkm.surprise-attack.until-faced", [2])
    told.refused(Attack("Tessa", ("Orc",), backstab=True), "arkm.backstab.requirements", [2])
    ambush = fighting(orcs(), tessa(), phase="movement", nth=2).when(Move("Tessa", feet=30, to=("Orc",)))
    struck = ambush.when(Attack("Tessa", ("Orc",), backstab=True), [2])
    struck.then(ConditionGained("Orc", "unaware", "round-end"), Counted("Orc", "ambushed", 1, until="encounter-end"))


def test_the_game_master_says_how_high_somebody_stands():
    """arkm.high-ground.bonus: also of one who is in melee; 17 from a ledge is 16."""
    told = round_one(bran(), orcs()).when(Adjust("Orc", "condition", "elevation=10", "a ledge"))
    assert needed(told.when(Attack("Orc", ("Bran",)), [2])) == [16]
    found = round_one(bran(), orcs()).when(Adjust("Orc", "condition", "elevation", "a ledge"))
    assert needed(found.when(Attack("Orc", ("Bran",)), [2])) == [16]
    impossible(told, Adjust("Orc", "condition", "elevation=high", "a ledge"))


def test_a_shield_is_for_foes():
    """arkm.shield.two-attackers"""
    told = round_one(bran(), orcs(), bran(name="Odo"))
    impossible(told, Defend("Bran", shield_against=("Odo",)), "not a foe")
