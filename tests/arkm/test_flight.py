"""Flight and distance: how far everybody is, who pursues, when a flight is over, and groups that are split."""

from pathlib import Path

import pytest

from commands.action.adjust import Adjust
from commands.action.book import Book, events_of
from commands.action.dice_sources import Dice
from commands.action.resolution import Resolution
from commands.action.view import View
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.charge import Charge
from commands.rules.arkm.distance import known, least
from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.formations import Group
from commands.rules.arkm.grapple import Disarm, Grapple
from commands.rules.arkm.meeting import Distance
from commands.rules.arkm.movement import Disengage, Move, Retreat, Withdraw
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.rounds import Done, Initiative, Pass, Phase
from commands.rules.arkm.stances import Face, Parry
from commands.rules.arkm.throws import Morale
from commands.shell.cli import run
from ledger.errors import Refused
from ledger.events import Counted, EncounterBegan, Moved, OrderSet, Overruled, PhaseBegan, RoundBegan, Ruled, TurnBegan
from ledger.sqlite import SqliteStore
from tests.hints import offered_by
from tests.kit import Told, given, lines, no

from .rounds import battle, goblins, hero, mage, wolves
from .rounds import next_round as rolled_round
from .table import (
    aurochs,
    bran,
    conditions,
    elowen,
    fighting,
    garrick,
    impossible,
    marcus,
    melee,
    needed,
    next_round,
    odo,
    ogre,
    orcs,
    rolls,
    since,
    tessa,
)
from .test_retreat import locked

HALL = Path(__file__).parent.parent.parent / "fixtures" / "arkm" / "the-long-hall.fight"


def outdoors(*joining, phase="movement", nth=2) -> Told:
    """The same as `fighting`, with figures in yards."""
    return since(
        given("arkm", *joining),
        EncounterBegan(1),
        Counted("encounter", "outdoors", 1, until="encounter-end"),
        RoundBegan(nth),
        PhaseBegan(phase),
    )


def between(told: Told, one: str, other: str) -> tuple[int, int]:
    """The feet between two: exactly, as far as it is known, and at least."""
    fight = Resolution(told.state, "move", Move(one), Dice(faces=[]))
    return known(fight, one, other), least(fight, one, other)


def hint(told: Told, declaration) -> str:
    """The command that a refusal proposes."""
    with pytest.raises(Refused) as refused:
        told.when(declaration)
    return offered_by(refused.value)


# One unit


def test_nearness_is_in_feet_outdoors_too():
    """arkm.distance.pair, arkm.ranged-hit.range-bands: 120 feet are 40 yards: short range of a short bow (50)."""
    told = outdoors(odo(), orcs()).when(Move("Odo", feet=0, to=("Orc",), within=120))
    shot = told.when(Shoot("Odo", "Orc", with_="short-bow"), [2])
    shot.ruled("arkm.ranged-hit.range-bands", "short range", [40])
    told.then(Counted("Odo", "distance", 120, "Orc", "encounter-end"))


def test_a_range_in_yards_is_kept_to_the_foot():
    """arkm.ranged-hit.range-bands: 150 feet are 50 yards, short; 151 feet are more, medium."""
    told = outdoors(odo(), orcs())
    for feet, band, yards in ((150, "short range", 50), (151, "medium range", 51)):
        near = told.when(Move("Odo", feet=0, to=("Orc",), within=feet))
        near.when(Shoot("Odo", "Orc", with_="short-bow"), [2]).ruled("arkm.ranged-hit.range-bands", band, [yards])


def test_a_charge_outdoors_is_measured_in_yards():
    """arkm.charge.distance: of 120 feet, 115 are charged: 39 yards, a charge; of 20 feet, 5 yards are none."""
    told = outdoors(garrick(move=180), bran()).when(Move("Bran", feet=0, to=("Garrick",), within=120))
    told.when(Charge("Garrick", "Bran")).then(Moved("Garrick", "charge", 0, measure="39 yards"))
    near = told.when(Move("Bran", feet=40, to=("Garrick",), within=20))
    near.refused(Charge("Garrick", "Bran"), "arkm.charge.distance")
    assert hint(near, Charge("Garrick", "Bran")) == "affray move Garrick --feet 5 --to Bran"
    far = told.when(Move("Bran", feet=0, to=("Garrick",), within=120))
    assert hint(far, Charge("Garrick", "Bran", 20)) == "affray move Garrick --feet 39 --to Bran"
    since(far, PhaseBegan("melee")).refused(Attack("Bran", ("Garrick",)), "arkm.in-melee.attack-distance")


@pytest.mark.parametrize(("apart", "words"), [
    (49, "--feet 44 --to Orc"), (50, "--feet 45 --to Orc"), (51, "--feet 45 --to Orc --within 6"),
])  # fmt: skip
def test_who_may_not_charge_goes_as_near_as_half_the_movement(apart: int, words: str):
    """arkm.charge.who, arkm.move.half-and-attack: 45 of 90 feet, and a melee is of 5."""
    told = met(apart, bran(move=90), orcs())
    assert hint(told, Charge("Bran", "Orc")) == f"affray move Bran {words}"


def test_who_may_not_charge_a_foe_in_melee_strikes_it():
    """arkm.charge.who"""
    told = melee(met(5, bran(), orcs()), ("Bran", "Orc"))
    assert hint(told, Charge("Bran", "Orc")).startswith("affray attack Bran Orc")


def test_those_of_a_pursuit_are_as_far_apart_as_its_gap():
    """arkm.distance.pair: whoever of the two asks; the gap goes before the 90 feet of the parties."""
    told = given("arkm", hero(), wolves()).when(Begin(distance=90))
    assert (known(View(told.state), "Hero", "Wolf"), known(View(told.state), "Wolf", "Hero")) == (90, 90)
    told = told.when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4])
    assert (known(View(told.state), "Hero", "Wolf"), known(View(told.state), "Wolf", "Hero")) == (60, 60)


def test_the_record_keeps_feet():
    """arkm.distance.normal, arkm.pursuit.catch: 70 yards are 210 feet, 60 yards 180, and a gap of 62 yards 186."""
    told = given("arkm", hero(move=90), wolves(move=120)).when(Begin(outdoors=True)).when(Distance(feet=70))
    told.then(Counted("encounter", "apart", 210, until="encounter-end"))
    told.when(Pursue(("Wolf",), ("party",), 62), dice=[4, 4]).then(
        Counted("Wolf", "gap", 186, "party", "encounter-end")
    )
    walking = told.when(Initiative(), dice=[1, 2]).when(Move("Wolf", feet=60))
    walking.then(Counted("Wolf", "feet", 180))


def test_ten_feet_of_a_caster_are_three_yards():
    """arkm.move.caster-10ft: and the proposal can be typed outdoors, too."""
    told = outdoors(marcus(), orcs())
    told.when(Move("Marcus", feet=3, casting=True))
    told.refused(Move("Marcus", feet=4, casting=True), "arkm.move.caster-10ft")
    assert hint(told, Move("Marcus", feet=4, casting=True)) == "affray move Marcus --feet 3 --casting"


# Distances that are known


def met(apart: int, *joining, **options) -> Told:
    """The movement phase of round 1 between two groups, so far apart; the first of them is first."""
    told = given("arkm", *joining, options=options).when(Begin(distance=apart))
    return told.when(Initiative(), dice=[6, 5]).when(Phase("movement"))


def test_anyone_who_comes_near_covers_the_distance_of_the_parties():
    """arkm.distance.covered: 60 feet less the 5 of a melee; the game master may say otherwise."""
    told = met(60, bran(), orcs())
    told.refused(Move("Bran", feet=54, to=("Orc",)), "arkm.distance.covered")
    assert told.when(Move("Bran", feet=55, to=("Orc",))).state.engagement.of("Bran") == ("Orc",)
    told.when(Move("Bran", to=("Orc",))).then(Moved("Bran", "move", 0, measure="55 feet"))
    allowed = told.when(Move("Bran", feet=5, to=("Orc",)), allow="a rope")
    allowed.then(Overruled("arkm.distance.covered", "Orc is 60 feet from Bran, and 5 feet are not enough.", "a rope"))


def test_what_the_refusal_proposes_is_not_refused():
    """arkm.distance.covered: as near as the movement of the round brings one: 200 - 120 = 80 feet."""
    told = met(200, bran(), orcs())
    assert hint(told, Move("Bran", feet=100, to=("Orc",))) == "affray move Bran --feet 120 --to Orc --within 80"
    after = told.when(Move("Bran", feet=120, to=("Orc",), within=80))
    assert between(after, "Bran", "Orc") == (80, 80)
    field = outdoors(bran(), orcs()).when(Move("Orc", feet=0, to=("Bran",), within=600))  # 120 yards are 360 feet
    assert hint(field, Move("Bran", feet=100, to=("Orc",))) == "affray move Bran --feet 120 --to Orc --within 240"


def test_an_unknown_distance_is_not_checked():
    """arkm.distance.covered: a table that never says distances plays as ever."""
    told = fighting(bran(), orcs(), phase="movement", nth=2)
    assert told.when(Move("Bran", feet=5, to=("Orc",))).state.engagement.of("Bran") == ("Orc",)
    assert not [event for event in told.when(Move("Bran", feet=5)).events if getattr(event, "kind", "") == "distance"]


def test_two_who_have_moved_leave_what_is_left_between_them():
    """arkm.distance.pair: of 60 feet, 20 and 15 in whatever direction leave 25 at least."""
    told = met(60, bran(), orcs()).when(Move("Bran", feet=20)).when(Move("Orc", feet=15))
    assert between(told, "Bran", "Orc") == (0, 25)
    told.refused(Move("Orc", feet=19, to=("Bran",)), "arkm.distance.covered")
    told.when(Move("Orc", feet=20, to=("Bran",)))


def test_an_archer_shoots_at_the_distance_that_was_said():
    """arkm.ranged-hit.range-bands: 60 feet, short; after a movement without an aim somebody has to say it."""
    told = met(60, elowen(), orcs())
    told.when(Shoot("Elowen", "Orc"), [2]).ruled("arkm.ranged-hit.range-bands", "short range", [60])
    told.when(Move("Elowen", feet=10)).refused(Shoot("Elowen", "Orc"), "arkm.ranged-hit.range-bands", [2])


def test_newcomers_are_at_no_known_distance():
    """arkm.distance.pair"""
    told = met(60, bran(), orcs()).when(ogre())
    assert between(told, "Bran", "Ogre") == (0, 0)


def test_the_game_master_says_how_far_two_are():
    """arkm.distance.pair: 40 feet, whatever was known; not of two in melee."""
    told = met(60, bran(), orcs(2)).when(Distance("Bran", "Orc-1", 40)).ruled("arkm.distance.pair")
    assert between(told, "Bran", "Orc-1") == (40, 40)
    assert between(told, "Orc-2", "Bran") == (60, 60)
    impossible(told, Distance("Bran", "Orc-1"), "How far")
    impossible(told, Distance("Bran", "Bran", 5), "to whom")
    close = told.when(Move("Bran", to=("Orc-1",)))
    impossible(close, Distance("Orc-1", "Bran", 9), "in melee")


def test_a_new_distance_of_the_parties_takes_the_place_of_all():
    """arkm.distance.normal"""
    told = met(60, bran(), orcs(2)).when(Distance("Bran", "Orc-1", 40)).when(Move("Bran", feet=30))
    again = told.when(Distance(feet=90))
    assert {between(again, "Bran", orc) for orc in ("Orc-1", "Orc-2")} == {(90, 90)}


def test_a_flight_leaves_its_length_between_them():
    """arkm.distance.pair: 120 feet after a clean retreat: 5 feet do not bring the orc into melee, and 115 do."""
    fled = locked(bran(), orcs()).when(Retreat("Bran", 120, no_pursuit_roll=True), [6, 1])
    assert between(fled, "Orc", "Bran") == (120, 120)
    fled.refused(Move("Orc", feet=5, to=("Bran",)), "arkm.distance.covered")
    fled.when(Move("Orc", feet=115, to=("Bran",)))
    on = next_round(fled, "movement").when(Move("Bran", feet=100, run=True))
    assert between(on, "Orc", "Bran") == (220, 220)


def test_anyone_who_is_left_is_as_far_as_one_has_gone():
    """arkm.distance.pair: 30 feet after a withdrawal; 45 after disengaging and a move straight away."""
    backed = locked(bran(), orcs()).when(Withdraw("Bran", 30))
    assert between(backed, "Bran", "Orc") == (30, 30)
    told = melee(locked(bran(), odo(), orcs()), ("Odo", "Orc")).when(Disengage("Bran")).when(Move("Bran", feet=45))
    assert between(told, "Bran", "Orc") == (45, 45)


def test_after_a_melee_the_distance_of_the_parties_holds_no_longer():
    """arkm.distance.pair: the game master put two together; where the one goes then, nobody has said."""
    told = met(60, bran(), odo(), orcs()).when(Adjust("Bran", "engaged", "Orc", "a trapdoor"))
    told = told.when(Adjust("Odo", "engaged", "Orc", "a trapdoor")).when(Disengage("Bran"))
    assert between(told, "Bran", "Orc") == (0, 1)


def test_a_charge_covers_the_distance():
    """arkm.distance.covered: 100 feet less 5; it may end short."""
    told = met(100, garrick(move=180), bran())
    told.refused(Charge("Garrick", "Bran", 60), "arkm.distance.covered")
    assert hint(told, Charge("Garrick", "Bran", 60)) == "affray charge Garrick Bran --feet 95"
    told.when(Charge("Garrick", "Bran", 60, ends=40))
    told.when(Charge("Garrick", "Bran")).then(Moved("Garrick", "charge", 0, measure="95 feet"))


# Who pursues, and until when


def test_only_pursuers_have_the_advantage_of_a_flight():
    """arkm.retreat.faster-pursuer, arkm.retreat.no-shield: the aurochs 17 - 4 - 2 = 11; the ogre, from whom he never
    fled, 15 - 2 = 13 against shield and DEX.
    """
    told = fighting(bran(), aurochs(), ogre(), phase="movement", nth=2)
    told = melee(told, ("Bran", "Aurochs")).when(Retreat("Bran", 120, no_pursuit_roll=True), [6, 1])
    told = next_round(told, "movement").when(Pursue(("Aurochs",), ("Bran",), contact="speed"))
    told = told.when(Move("Ogre", feet=30, to=("Bran",)))
    assert needed(told.when(Attack("Aurochs", ("Bran",)), [2])) == [11]
    assert needed(told.when(Attack("Ogre", ("Bran",)), [2])) == [13]


def test_one_who_did_not_pursue_has_no_advantage_over_the_fleer():
    """arkm.retreat.faster-pursuer: of two orcs one comes up to him: 19 - 4 - 2 = 13; when the game master puts
    the other there, 19 - 2 = 17.
    """
    told = locked(bran(), orcs(2)).when(Retreat("Bran", 60, no_pursuit_roll=True), [6, 1, 1])
    told = told.when(Move("Orc-1", feet=60, to=("Bran",))).ruled("arkm.retreat.faster-pursuer", "is after Bran")
    told.then(Counted("Orc-1", "after", 1, "Bran", "encounter-end"))
    told = told.when(Adjust("Bran", "engaged", "Orc-2", "a corner"))
    assert needed(told.when(Attack("Orc-1", ("Bran",)), [2])) == [13]
    assert needed(told.when(Attack("Orc-2", ("Bran",)), [2])) == [17]


def chased() -> Told:
    """Bran has fled from an aurochs, which is in contact with him in the next round."""
    told = locked(bran(), aurochs()).when(Retreat("Bran", 120, no_pursuit_roll=True), [6, 1])
    return next_round(told, "movement").when(Pursue(("Aurochs",), ("Bran",), contact="speed"))


def test_nobody_knows_how_far_a_pursuer_is_who_has_lost_contact():
    """arkm.retreat.faster-pursuer, arkm.distance.pair: 5 feet in contact; then nobody has said it."""
    told = chased()
    assert between(told, "Aurochs", "Bran") == (5, 5)
    told = told.when(Pursue(("Aurochs",), ("Bran",), contact="no"))
    assert between(told, "Aurochs", "Bran") == (0, 0)


@pytest.mark.parametrize(
    ("turning", "dice"),
    [
        (Attack("Bran", ("Aurochs",)), [2]),
        (Parry("Bran"), []),
        (Face("Bran", "Aurochs"), []),
        (Withdraw("Bran", 20), []),
        (Grapple(("Bran",), "Aurochs"), [2]),
    ],
)
def test_a_flight_is_over_when_the_fleer_turns(turning, dice):
    """arkm.retreat.turn-and-reengage: attacks, parries, faces, backs away fighting, grapples."""
    told = chased().when(turning, dice).ruled("arkm.retreat.turn-and-reengage")
    assert "fleeing" not in conditions(told, "Bran")
    assert not told.state.counts.get("Aurochs", "after", "Bran")


def test_anyone_who_has_turned_has_the_shield_again():
    """arkm.retreat.turn-and-reengage: 17 - 2 = 15, and no +2."""
    told = chased().when(Attack("Bran", ("Aurochs",)), [2])
    assert needed(told.when(Attack("Aurochs", ("Bran",)), [2])) == [15]


def test_to_shoot_or_to_come_up_to_a_foe_is_to_turn():
    """arkm.retreat.turn-and-reengage"""
    fled = locked(elowen(), orcs(2)).when(Retreat("Elowen", 60, no_pursuit_roll=True), [6, 1, 1])
    later = next_round(fled, "movement")
    assert "fleeing" not in conditions(later.when(Shoot("Elowen", "Orc-1"), [2]), "Elowen")
    up = later.when(Move("Elowen", to=("Orc-1",))).ruled("arkm.retreat.turn-and-reengage", "fights Orc-1 again")
    assert "fleeing" not in conditions(up, "Elowen")
    assert "fleeing" in conditions(later.when(Move("Elowen", feet=30)), "Elowen")


def test_a_new_foe_is_not_run_past():
    """arkm.in-melee.restricted-movement: he runs on from those from whom he fled, and not from an ogre in his way."""
    told = chased()
    told.when(Move("Bran", feet=120, run=True))
    caught = told.when(ogre()).when(Adjust("Ogre", "engaged", "Bran", "round the corner"))
    caught.refused(Move("Bran", feet=120, run=True), "arkm.in-melee.restricted-movement")


# One flight, one roll


def test_a_pursuit_goes_by_the_roll_of_the_retreat():
    """arkm.retreat.pursuit-roll: 3 + 4 = 7: they pursue; the 60 feet of the flight are the gap; no die is thrown."""
    told = locked(bran(), orcs()).when(Retreat("Bran", 60), [6, 1, 3, 4])
    told = told.when(Pursue(("Orc",), ("party",)))
    assert rolls(told) == []
    told.ruled("arkm.pursuit.decision", "they pursue", [60])
    impossible(
        locked(bran(), orcs()).when(Retreat("Bran", 60), [6, 1, 3, 4]),
        Pursue(("Orc",), ("party",), mod=("1",)),
        "too late",
    )


def test_anyone_who_rolled_not_to_pursue_does_not():
    """arkm.retreat.pursuit-roll: 6 + 5 = 11; the game master may overrule it; the next flight has a roll of its own."""
    told = locked(bran(), orcs()).when(Retreat("Bran", 60), [6, 1, 6, 5])
    told.refused(Pursue(("Orc",), ("party",)), "arkm.retreat.pursuit-roll")
    told.when(Pursue(("Orc",), ("party",)), allow="they see his purse").ruled("arkm.pursuit.decision", "they pursue")
    again = melee(next_round(told, "movement"), ("Bran", "Orc")).when(Retreat("Bran", 60), [6, 1, 3, 4])
    assert rolls(again.when(Pursue(("Orc",), ("party",)))) == []


def test_after_a_no_there_is_no_second_roll_in_the_round():
    """arkm.retreat.pursuit-roll: also when nobody fled from melee: 5 + 4 = 9."""
    told = given("arkm", hero(), wolves()).when(Begin()).when(Pursue(("Wolf",), ("party",), 60), dice=[5, 4])
    told.refused(Pursue(("Wolf",), ("party",), 60), "arkm.retreat.pursuit-roll", [1, 1])


def test_players_decide_whether_they_pursue():
    """arkm.retreat.pursuit-roll: an orc flees from Bran: two dice of footwork, and no more."""
    told = locked(orcs(), bran()).when(Retreat("Orc", 60), [6, 1])
    told.ruled("arkm.retreat.pursuit-roll", "their players decide whether they pursue")
    told.when(Pursue(("party",), ("Orc",))).ruled("arkm.pursuit.decision", "they pursue", [60])


def test_after_a_pursuit_the_gap_is_the_distance():
    """arkm.distance.pair: given up at 60 feet: 55 bring a wolf to him; caught: a step does."""
    told = given("arkm", hero(), wolves()).when(Begin()).when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4])
    told = told.when(Pursue(("Wolf",), ("party",), lost_sight=True))
    assert between(told, "Wolf", "Hero") == (60, 60)
    caught = given("arkm", hero(), wolves()).when(Begin()).when(Pursue(("Wolf",), ("party",), 5), dice=[4, 4])
    assert between(caught, "Wolf", "Hero") == (5, 5)


def test_one_who_runs_turns_and_the_others_run_on():
    """arkm.retreat.turn-and-reengage, arkm.initiative.group-split: Ada faces the wolf, at the gap of 60 feet."""
    told = battle(hero(), hero(name="Ada"), wolves(), dice=[6, 1], phase="movement")
    told = told.when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4])
    with pytest.raises(Refused, match="running") as refused:
        told.when(Parry("Ada"))
    assert offered_by(refused.value) == "affray pursue Wolf party"
    turned = told.when(Face("Ada", "Wolf")).ruled("arkm.retreat.turn-and-reengage", "Ada turns to fight Wolf")
    assert between(turned, "Ada", "Wolf") == (60, 60)
    turned.when(Parry("Ada")).refused(Parry("Hero"), "arkm.pursuit.rounds-running")


# A withdrawal is followed


def test_a_withdrawal_after_ones_place_is_followed_at_once():
    """arkm.withdraw.followed: the orc has had its place; it may follow Bran all the same, once, if it has not moved."""
    told = melee(battle(bran(), orcs(), ogre(), dice=[1, 6, 5], phase="movement"), ("Bran", "Orc"))
    back = told.when(Done()).when(Done()).when(Withdraw("Bran", 30))
    assert back.state.turns.who == "party"
    back.refused(Move("Orc", feet=30), "arkm.initiative.highest-first")
    back.refused(Move("Ogre", feet=30, to=("Bran",)), "arkm.initiative.highest-first")
    after = back.when(Move("Orc", to=("Bran",))).then(Moved("Orc", "move", 0, measure="25 feet"), no(TurnBegan))
    after.ruled("arkm.withdraw.followed", "Orc follows Bran at once")
    assert after.state.engagement.of("Bran") == ("Orc",)
    after.refused(Move("Orc", feet=5), "arkm.initiative.highest-first")
    back.when(Phase("missile")).refused(Move("Orc", to=("Bran",)), "arkm.phase.movement-free")


# Groups that are split


def test_one_of_a_group_pursues_without_the_others():
    """arkm.initiative.group-split: Orc-1 runs after Tessa; Orc-2 and Bran fight on."""
    told = melee(battle(bran(), tessa(), orcs(2), dice=[6, 5], phase="movement"), ("Bran", "Orc-2"), ("Tessa", "Orc-1"))
    told = told.when(Retreat("Tessa", 60), [6, 1, 3, 4]).when(Pursue(("Orc-1",), ("Tessa",)))
    told.ruled("arkm.initiative.group-split", "Orc-1 leaves the group Orc for the group Orc-1")
    told.refused(Attack("Orc-1", ("Bran",)), "arkm.pursuit.rounds-running")
    told.when(Attack("Bran", ("Orc-2",)), [2]).when(Pass(("Bran",))).when(Attack("Orc-2", ("Bran",)), [2])


def test_a_new_group_keeps_its_place_and_then_has_its_own():
    """arkm.initiative.group-split: this round beside the others; in the next a die each, in the order of joining."""
    told = battle(hero(), goblins(3), dice=[6, 5], phase="movement").when(Group(("Goblin-2", "Goblin-3"), "chasers"))
    assert told.state.turns.order == ("party", "Goblin and chasers")
    later = rolled_round(told, 2, 3, 4)
    assert later.state.turns.order == ("chasers", "Goblin", "party")
    joined = later.when(Group(("chasers",), "goblin"))
    assert rolled_round(joined, 2, 3).state.turns.order == ("Goblin", "party")
    assert conditions(joined, "Goblin-2") == set()


def test_a_group_that_leaves_nobody_behind_takes_its_place():
    """arkm.initiative.group-split: also while it is the turn of the old one."""
    told = battle(hero(), goblins(2), dice=[1, 5], phase="movement")
    assert told.state.turns.who == "Goblin"
    told = told.when(Group(("Goblin-1", "Goblin-2"), "raid"))
    assert (told.state.turns.order, told.state.turns.who) == (("raid", "party"), "raid")


def test_a_line_says_whose_place_goes_to_whom():
    """arkm.initiative.group-split: the hero alone is hasted, and takes his place with him into the new group."""
    told = battle(hero(hasted=True), mage(), goblins(), dice=[1, 6], phase="movement")
    assert told.state.turns.who == "party (hasted)"
    told = told.when(Group(("Hero",), "chasers"))
    assert told.state.turns.order == ("chasers (hasted)", "Goblin", "party")
    assert told.state.turns.who == "chasers (hasted)"
    told.ruled("arkm.initiative.group-split", "the place of party (hasted) goes to chasers (hasted)")
    back = told.when(Group(("Hero",), "party"))
    back.ruled("arkm.initiative.group-split", "the place of chasers (hasted) goes to party (hasted)")
    alone = battle(hero(hasted=True), hero(name="Ada", side="foes"), goblins(), dice=[1, 5, 6])
    alone = alone.when(Adjust("Hero", "side", "foes", "a charm"))
    assert alone.state.turns.order == ("foes (hasted)", "Goblin", "foes", "party")
    alone.ruled("arkm.initiative.group-split", "the place of party (hasted) goes to foes (hasted)")


def test_nobody_loses_a_place_by_joining():
    """arkm.initiative.group-split: the chasers are last; the place of the goblins has passed in this phase."""
    told = battle(hero(), goblins(2), dice=[6, 5], phase="movement").when(Group(("Goblin-2",), "chasers"))
    told = rolled_round(told, 4, 6, 2).when(Phase("movement")).when(Done()).when(Move("Hero", feet=10))
    assert told.state.turns.order == ("Goblin", "party", "chasers")
    told.refused(Group(("Goblin-2",), "goblin"), "arkm.initiative.group-split")
    told.when(Done()).refused(Group(("Goblin-2",), "goblin"), "arkm.initiative.group-split")  # in its own place
    told.when(Group(("Goblin-2",), "goblin"), allow="let him wait")


def test_a_place_of_nobody_goes():
    """arkm.initiative.group-split: the one chaser joins the others again; it is the turn of those who are left."""
    told = battle(hero(), goblins(2), dice=[5, 6], phase="movement").when(Group(("Goblin-2",), "chasers"))
    assert told.state.turns.order == ("Goblin and chasers", "party")
    told = told.when(Group(("Goblin-2",), "goblin")).then(OrderSet(("Goblin", "party")), TurnBegan("Goblin"))
    apart = rolled_round(told.when(Group(("Goblin-2",), "chasers")), 4, 2, 6).when(Phase("movement"))
    assert apart.state.turns.order == ("chasers", "party", "Goblin")
    apart.when(Group(("Goblin-2",), "goblin")).then(OrderSet(("party", "Goblin")), TurnBegan("party"))


def test_the_places_stay_where_both_groups_have_one_or_neither_has():
    """arkm.initiative.group-split: the goblins and the chasers have a die each, or nobody has one yet."""
    new = given("arkm", hero(), goblins(3)).when(Begin()).when(Group(("Goblin-2",), "chasers")).then(no(OrderSet))
    told = rolled_round(new, 4, 6, 2)
    told.when(Group(("Goblin-3",), "chasers")).then(no(OrderSet))
    assert told.state.turns.order == ("Goblin", "party", "chasers")


def test_anyone_who_changes_sides_keeps_the_place():
    """arkm.initiative.group-split: Ada, of the party with 5, fights for the foes, who have no place of that name."""
    told = battle(hero(), hero(name="Ada"), goblins(), dice=[5, 2], phase="melee")
    told = told.when(Adjust("Ada", "side", "foes", "a charm")).then(OrderSet(("party and foes", "Goblin")))
    assert told.state.turns.who == "party and foes"
    assert "no place left" not in " ".join(lines(told.events))
    joined = battle(hero(), hero(name="Ada", side="foes"), dice=[5, 2], phase="melee").when(Done())
    joined = joined.when(Adjust("Ada", "side", "party", "a charm")).then(OrderSet(("party",)), TurnBegan("party"))
    assert joined.state.turns.order == ("party",)


def test_anyone_who_changes_sides_too_late_has_no_place_left():
    """arkm.initiative.group-split: the party has had its place; a line says whose is lost."""
    ada = hero(name="Ada", side="foes")
    told = battle(hero(), ada, hero(name="Bea", side="foes"), dice=[5, 2], phase="melee").when(Done())
    told = told.when(Adjust("Ada", "side", "party", "a charm"))
    told.ruled("arkm.initiative.group-split", "has no place left in the melee phase")


def test_a_pursuit_ends_with_the_group_that_runs():
    """arkm.initiative.group-split: the chaser joins the others again, and nobody pursues Tessa any more."""
    told = melee(battle(bran(), tessa(), orcs(2), dice=[6, 5], phase="movement"), ("Bran", "Orc-2"), ("Tessa", "Orc-1"))
    told = (
        told.when(Retreat("Tessa", 60), [6, 1, 3, 4])
        .when(Pursue(("orc-1",), ("tessa",)))
        .when(Group(("Orc-1",), "orc"))
    )
    assert "in flight" not in conditions(told, "Tessa")
    assert told.events[0].said["who"] == ("Orc-1",)


def test_a_part_has_the_morale_of_the_whole():
    """arkm.initiative.group-split, arkm.morale.roll: a broken group stays broken in its parts."""
    told = battle(hero(), goblins(3), dice=[6, 5]).when(Morale("Goblin", "start"), dice=[6, 6])
    told = told.when(Group(("Goblin-3",), "chasers"))
    assert "broken" in conditions(told, "chasers")
    assert told.state.counts.get("Goblin", "number") == 2
    assert told.state.counts.get("chasers", "number") == 1


def test_one_who_runs_with_the_others_stops_alone():
    """arkm.initiative.group-split, arkm.pursuit.food: Wolf-1 eats, Wolf-2 runs on with the gap of both."""
    told = given("arkm", hero(), wolves(2)).when(Begin()).when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4])
    told = told.when(Pursue(("Wolf-1",), ("party",), bait="food"), dice=[5])
    assert "pursuing" not in conditions(told, "Wolf-1")
    told.refused(Parry("Hero"), "arkm.pursuit.rounds-running")
    told.when(Pursue(("Wolf",), ("party",))).ruled("arkm.pursuit.catch", "60 feet apart", [60])
    assert between(told, "Hero", "Wolf-1") == (60, 60)


def test_groups_fall_together_when_the_encounter_ends():
    """arkm.initiative.group-split; a group is of one side."""
    told = battle(hero(), goblins(2), dice=[6, 5])
    impossible(told, Group(("Hero", "Goblin-1"), "mix"), "cannot share a group")
    impossible(told, Group(("Goblin",), "Goblin"), "already")
    ended = told.when(Group(("Goblin-2",), "chasers")).when(End())
    assert conditions(ended, "Goblin-2") == set()
    impossible(ended, Group(("Goblin-2",), "chasers"), "No encounter")


# An evening: fixtures/arkm/the-long-hall.fight

NEEDED = {
    "charge elowen": 7,  # 17 - 6, STR 2, mounted 1, charge 1
    "flight": 6,  # 17 - 6, STR 2, mounted 1, on the run 2
    "turned": 8,  # the same without the run
    "withdrawal": 10,  # and 2 for a fighting withdrawal
}
"""What the lancer needs against Elowen, in this order, by the book: THAC0 17 at level 5, AC 7 and DEX 1."""


def test_the_long_hall_comes_to_the_numbers_of_the_book(tmp_path):
    """arkm.charge.unmounted-bonus, arkm.retreat.faster-pursuer, arkm.retreat.turn-and-reengage, arkm.withdraw.defence,
    arkm.distance.pair, arkm.initiative.group-split: the story is played, and its key numbers computed by hand.
    """
    ledger = tmp_path / "hall.affray"
    assert run(["--ledger", str(ledger), "init", "hall", "--system", "arkm"]) == 0
    assert run(["--ledger", str(ledger), "run", str(HALL)]) == 0
    store = SqliteStore.open(str(ledger))
    state = Book(store).present()[1]
    events = [event for entry, _ in store.entries(1, store.head().entry) for event in events_of(entry)]
    store.close()
    ruled = [event for event in events if isinstance(event, Ruled)]

    def by(clause: str) -> list[tuple[str, list[int]]]:
        """The outcome and the totals of each ruling by a clause."""
        return [(one.outcome, [number.total for number in one.numbers]) for one in ruled if one.clause == clause]

    # Aldric 44 - (3 + 1); Tessa 14 - (4 + 1); Marcus 16 - 5; Elowen 15 - (3 + 4 + 2); the lancer 30 - (5 + 1) - (3 + 1)
    left = {who: hp.now for who, hp in state.harm.hp.items()}
    assert left == {"Aldric": 40, "Tessa": 9, "Elowen": 6, "Marcus": 11, "Lancer": 20}
    attacks = [one for one in ruled if (one.clause, one.who, one.about) == ("arkm.to-hit.formula", "Lancer", "Elowen")]
    assert [one.numbers[1].total for one in attacks] == list(NEEDED.values())
    assert by("arkm.ranged-hit.range-bands") == [
        ("short range", [60]),  # 60 feet of the parties
        ("short range", [2]),  # 5 feet are 2 yards
        ("long range", [60]),  # as the game master said
        ("short range", [60]),  # 60 yards from where she left
    ]
    assert by("arkm.reaction.roll") == [("uncertain", [4 + 3]), ("hostile", [5])]  # one for each flight
    assert by("arkm.pursuit.decision") == [("they pursue", [120])]
    assert by("arkm.morale.trigger-half") == [("a morale check is due", [3, 5])]
    assert ("", [6, 3, 1, 2, 5]) in by("arkm.initiative.highest-first"), "party, Tessa, Orc, Orc-3, Wolf"
    assert ("Orc-3 joins the group Orc", []) in by("arkm.initiative.group-split")
    assert ("in contact", [180, 120]) in by("arkm.retreat.faster-pursuer")
    moves = {(event.who, event.measure) for event in events if isinstance(event, Moved)}
    assert moves >= {("Orc-3", "55 feet"), ("Aldric", "25 feet"), ("Lancer", "99 yards"), ("Lancer", "19 yards")}
    overruled = {event.clause for event in events if isinstance(event, Overruled)}
    assert overruled >= {"arkm.distance.covered", "arkm.ranged-hit.range-bands"}
    assert OrderSet(("Orc and Orc-3", "party and Tessa", "Wolf")) in events


# What is said


def test_on_foot_nobody_is_sent_to_a_steed():
    """arkm.charge.who: a move in its place; whose sheet has a steed mounts it."""
    assert hint(met(60, bran(), orcs()), Charge("Bran", "Orc")) == "affray move Bran --feet 55 --to Orc"
    far = met(200, bran(), orcs())
    assert hint(far, Charge("Bran", "Orc")) == "affray move Bran --feet 60 --to Orc --within 140"
    far.when(Move("Bran", feet=60, to=("Orc",), within=140))
    rider = fighting(bran(steed="grey"), orcs(), phase="movement", nth=2)
    assert hint(rider, Charge("Bran", "Orc", 60)) == "affray mount Bran --on grey"


def test_a_friend_is_no_target():
    """arkm.in-melee.attack-distance, arkm.grapple.to-hit, arkm.disarm.eligibility: not "not within 5 feet"."""
    told = melee(fighting(bran(), odo(), orcs(), nth=2), ("Bran", "Orc"))
    for deed, clause in (
        (Attack("Bran", ("Odo",)), "arkm.in-melee.attack-distance"),
        (Grapple(("Bran",), "Odo"), "arkm.grapple.to-hit"),
        (Disarm("Bran", "Odo"), "arkm.disarm.eligibility"),
    ):
        told.refused(deed, clause)
        with pytest.raises(Refused, match="Odo is on Bran's side"):
            told.when(deed)
        assert hint(told, deed) == "In melee with Bran: Orc."


def test_a_truce_is_said():
    """arkm.in-melee.attack-distance"""
    told = fighting(bran(), orcs(), nth=2).when(Adjust("Bran", "truce", "foes", "a white flag"))
    assert hint(told, Attack("Bran", ("Orc",))) == "affray adjust Bran no-truce foes 'the reason'"
