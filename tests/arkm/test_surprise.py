"""Who is met, who is taken unawares, and how far apart they are."""

import pytest

from commands.rules.arkm.encounter import Begin, End
from commands.rules.arkm.meeting import Distance
from commands.rules.arkm.movement import Move
from commands.rules.arkm.rounds import Initiative, Phase, Round
from commands.rules.arkm.stances import Parry
from commands.rules.arkm.surprise import Surprise
from ledger.events import ConditionEnded, ConditionGained, Joined, OrderSet, RoundBegan
from tests.kit import Told, given, lines, no
from tests.shell import rulings

from .rounds import GOBLIN, conditions, goblins, hero, someone
from .table import impossible, rolls


def met(*others, **fields) -> Told:
    """The hero meets others."""
    return given("arkm", hero(), *(others or (goblins(2),))).when(Begin(**fields))


def test_a_wandering_encounter_is_recorded_as_such():
    """arkm.encounter.origin"""
    met(wandering=True).ruled("arkm.encounter.origin", "wandering")


def test_how_many_come_is_rolled():
    """arkm.encounter.number-appearing: 2d4 of 3 and 1 brings 4 goblins."""
    told = given("arkm", hero()).when(Begin(meet=(GOBLIN,), number="2d4", group="orcs"), dice=[3, 1])
    told.ruled("arkm.encounter.number-appearing", totals=[4])
    assert [e.who for e in told.events if isinstance(e, Joined)] == ["Goblin-1", "Goblin-2", "Goblin-3", "Goblin-4"]


@pytest.mark.parametrize(("number", "dice", "come"), [
    ("1", [], 1), ("100", [], 100), ("1d4-4", [3], 0), ("1d100+50", [49], 99), ("1d100+50", [51], 100),
])  # fmt: skip
def test_how_many_come_is_from_none_to_a_hundred(number: str, dice: list[int], come: int):
    """arkm.encounter.number-appearing"""
    told = given("arkm", hero()).when(Begin(meet=(GOBLIN,), number=number), dice=dice)
    assert len([event for event in told.events if isinstance(event, Joined)]) == come
    if dice:
        told.ruled("arkm.encounter.number-appearing", totals=[come])


@pytest.mark.parametrize("number", ["0", "101"])
def test_a_number_that_is_said_is_from_1_to_100(number: str):
    impossible(given("arkm", hero()), Begin(meet=(GOBLIN,), number=number), "cannot be met")


def test_a_fixed_number_is_not_rolled():
    """arkm.encounter.number-appearing: 6 are 6."""
    told = given("arkm", hero()).when(Begin(meet=(GOBLIN,), number="6"))
    assert len([e for e in told.events if isinstance(e, Joined)]) == 6
    assert rolls(told) == []


def test_a_single_monster_that_is_met_has_its_plain_name():
    told = given("arkm", hero()).when(Begin(meet=(GOBLIN,)))
    assert told.state.roster.order == ("Hero", "Goblin")


def test_whence_they_come_is_an_even_roll():
    """arkm.encounter.direction: of north, east and the door a 2 is east."""
    given("arkm", hero()).when(Begin(directions=("north", "east", "door")), dice=[2]).ruled(
        "arkm.encounter.direction", "from east"
    )
    given("arkm", hero()).when(Begin(directions=("4",)), dice=[3]).ruled("arkm.encounter.direction", "from way 3")


def test_one_way_needs_no_die_and_none_is_refused():
    """arkm.encounter.direction"""
    told = given("arkm", hero())
    assert rolls(told.when(Begin(directions=("1",)))) == []
    told.refused(Begin(directions=("0",)), "arkm.encounter.direction")
    told.refused(Begin(directions=("-2",)), "arkm.encounter.direction")


def test_there_are_a_thousand_ways_at_the_most():
    """arkm.encounter.direction: a longer number is no name of a way either."""
    told = given("arkm", hero())
    told.when(Begin(directions=("1000",)), dice=[1000]).ruled("arkm.encounter.direction", "from way 1000")
    for words in ("1001", "10000"):
        told.refused(Begin(directions=(words,)), "arkm.encounter.direction")


def test_nonsense_at_the_beginning():
    told = given("arkm", hero())
    impossible(told, Begin(number="4"), "No stat block")
    impossible(told, Begin(meet=(GOBLIN,), unit="Horde"), "A unit needs one stat block")
    impossible(told, Begin(meet=(GOBLIN, GOBLIN), unit="Horde", men=10), "A unit needs one stat block")
    impossible(told, Begin(meet=(GOBLIN,), number="0"), "cannot be met")
    impossible(told.when(Begin()), Begin(), "under way")
    for verb in (End(), Surprise(), Distance(), Initiative(), Round(), Phase()):
        impossible(told, verb, "No encounter")


def test_a_side_that_rolls_within_its_range_is_surprised():
    """arkm.surprise.roll: party 3, goblins 2: the goblins are, the party is not. Then the distance: 4 is 20 feet."""
    told = met().when(Surprise(), dice=[3, 2, 4])
    told.ruled("arkm.surprise.roll", "not surprised", [3, 2])
    told.ruled("arkm.surprise.roll", "surprised", [2, 2])
    told.ruled("arkm.distance.surprise", "20 feet", [20])
    assert [who for who, purpose, _ in rolls(told) if purpose == "surprise"] == ["party", "foes"]
    assert "surprised" in conditions(told, "Goblin-1")
    assert "surprised" not in conditions(told, "Hero")


def test_surprise_is_rolled_once():
    """arkm.surprise.roll"""
    told = met().when(Surprise(), dice=[3, 3])
    told.refused(Surprise(), "arkm.surprise.roll")


def test_surprise_comes_before_initiative():
    """arkm.surprise.roll"""
    met().when(Initiative(), dice=[3, 2]).refused(Surprise(), "arkm.surprise.roll")


def test_anyone_who_knows_rolls_no_die():
    """arkm.surprise.only-when-unaware"""
    told = met().when(Surprise(aware=("party",)), dice=[2, 1])
    assert [who for who, *_ in rolls(told)] == ["foes", ""]
    assert "surprised" in conditions(told, "Goblin-1")


def test_light_or_noise_negates_surprise():
    """arkm.surprise.negated: no dice, nobody is surprised, and a later roll is refused."""
    told = met().when(Surprise(negated_by="noise"))
    told.ruled("arkm.surprise.negated", "no surprise: noise")
    assert rolls(told) == []
    told.refused(Surprise(), "arkm.surprise.roll")
    told.when(Distance(), dice=[5, 3]).ruled("arkm.distance.normal", "80 feet")


@pytest.mark.parametrize(
    ("stealth", "alert", "a_surprises_b", "b_surprises_a"),
    [
        ({"party": "5"}, {}, 5, 2),
        ({"party": "5"}, {"foes": "1"}, 4, 2),
        ({"party": "5", "foes": "4"}, {}, 5, 4),
        ({"party": "5", "foes": "4"}, {"foes": "1"}, 4, 4),
    ],
)
def test_the_four_examples_of_the_book(stealth, alert, a_surprises_b, b_surprises_a):
    """arkm.surprise.range: s + v - 2; the party is A, the goblins are B."""
    told = met().when(Surprise(stealth=stealth, alert=alert), dice=[6, 6])
    told.ruled("arkm.surprise.roll", "not surprised", [6, a_surprises_b])
    told.ruled("arkm.surprise.roll", "not surprised", [6, b_surprises_a])
    just = met().when(Surprise(stealth=stealth, alert=alert, distance=10), dice=[6, a_surprises_b])
    just.ruled("arkm.surprise.roll", "surprised", [a_surprises_b, a_surprises_b])


def test_a_range_below_1_never_surprises_and_one_of_6_always():
    """arkm.surprise.range: 1 + 0 - 2 is below 1; 6 + 2 - 2 is 6. The die is rolled all the same."""
    never = met(goblins(1, surprised_on=0)).when(Surprise(stealth={"party": "1"}), dice=[6, 1])
    never.ruled("arkm.surprise.roll", "not surprised", [1, -1])
    always = met().when(Surprise(stealth={"party": "6"}), dice=[6, 6, 1])
    always.ruled("arkm.surprise.roll", "surprised", [6, 6])


def test_the_sheets_say_how_stealthy_and_alert_a_side_is():
    """arkm.surprise.range: the least stealthy and the most alert count: 2 + 1 - 2 = 1."""
    told = met(goblins(1, surprises=5, surprised_on=1), someone("Ogre", "foes"))
    told.when(Surprise(), dice=[3, 2]).ruled("arkm.surprise.roll", "not surprised", [2, 1])


def test_the_surprised_cannot_respond_and_act_again_in_round_2():
    """arkm.surprise.free-round: round 1 without initiative; then a D6 for each group."""
    told = met().when(Surprise(), dice=[3, 2, 4]).then(RoundBegan(1), OrderSet(("party",)))
    told.ruled("arkm.surprise.free-round", "a free round for the party")
    told.refused(Initiative(), "arkm.initiative.one-die-per-group")
    told = told.when(Phase("movement"))
    told.refused(Parry("Goblin-1"), "arkm.surprise.free-round")
    told = told.when(Parry("Hero")).when(Round(), dice=[4, 5])
    told.then(ConditionEnded("Goblin-1", "surprised"), RoundBegan(2), OrderSet(("Goblin", "party")))
    told.when(Parry("Goblin-1"))


def test_two_unsurprised_sides_roll_among_themselves():
    """arkm.surprise.free-round"""
    told = met(goblins(1), someone("Elf", "elves")).when(Surprise(), dice=[3, 2, 5, 1]).then(no(OrderSet))
    told.refused(Phase("movement"), "arkm.initiative.reroll-each-round")
    told = told.when(Initiative(), dice=[2, 6]).then(OrderSet(("Elf", "party")))
    assert [who for who, *_ in rolls(told)] == ["party", "Elf"]


def test_if_all_are_surprised_nobody_is():
    """arkm.surprise.both-cancel: party 1, goblins 2; the distance is that of a surprise: 3 is 20."""
    told = met(outdoors=True).when(Surprise(), dice=[1, 2, 3]).then(no(ConditionGained), no(RoundBegan))
    told.ruled("arkm.surprise.both-cancel").ruled("arkm.distance.surprise", "20 yards")
    told.when(Initiative(), dice=[1, 2]).then(RoundBegan(1))


@pytest.mark.parametrize(("die", "feet"), [(1, 10), (2, 10), (3, 20), (4, 20), (5, 30), (6, 30)])
def test_the_distance_of_a_surprise(die, feet):
    """arkm.distance.surprise"""
    met().when(Surprise(), dice=[3, 2, die]).ruled("arkm.distance.surprise", f"{feet} feet", [feet])


def test_the_game_master_may_know_the_distance():
    """arkm.distance.surprise, arkm.distance.normal"""
    told = met().when(Surprise(distance=15), dice=[3, 2])
    assert told.state.counts.get("encounter", "apart") == 15
    told.refused(Distance(), "arkm.distance.normal")
    assert told.when(Distance(feet=60)).state.counts.get("encounter", "apart") == 60


def test_the_distance_without_a_surprise():
    """arkm.distance.normal: indoors 5 and 3 are 80 feet, outdoors yards."""
    met().when(Distance(), dice=[5, 3]).ruled("arkm.distance.normal", "80 feet", [80])
    met(outdoors=True).when(Distance(), dice=[5, 3]).ruled("arkm.distance.normal", "80 yards", [80])


def test_wrong_words_of_surprise():
    impossible(met(), Surprise(aware=("nobody",)), "no side")
    impossible(met(), Surprise(stealth={"party": "7"}), "not a range")


def test_the_distance_can_be_known_without_a_surprise():
    """arkm.surprise.negated, arkm.distance.normal: 40 feet, said with it."""
    told = met().when(Surprise(negated_by="light", distance=40))
    told.ruled("arkm.distance.normal", "40 feet, by the game master").refused(Distance(), "arkm.distance.normal")


def test_a_surprise_that_the_game_master_lets_come_late_is_of_the_round_that_runs():
    """arkm.surprise.free-round: in round 2, which stays round 2; the goblins act again in round 3."""
    told = met().when(Initiative(), dice=[3, 2]).when(Round(pass_rest=True), dice=[3, 2])
    told = told.when(Surprise(), dice=[3, 2, 4], allow="they came out of the mist")
    assert told.state.turns.round == 2
    told.refused(Parry("Goblin-1"), "arkm.surprise.free-round")
    told = told.when(Round(pass_rest=True), dice=[3, 2])
    told.then(ConditionEnded("Goblin-1", "surprised"), RoundBegan(3))


def test_a_round_in_which_nobody_has_done_anything_is_not_ended_by_the_way():
    """arkm.surprise.free-round, arkm.phase.next-initiative: the hero is far from his foes, and could only move."""
    told = met().when(Surprise(), dice=[3, 2, 4]).ruled("arkm.surprise.free-round", "a free round for the party")
    told.refused(Round(), "arkm.phase.next-initiative", dice=[3, 2])
    later = told.when(Round(pass_rest=True), dice=[3, 2])
    later.ruled("arkm.phase.order", "Hero does not move").then(RoundBegan(2))
    told.when(Move("Hero", feet=10)).when(Round(), dice=[3, 2]).then(RoundBegan(2))


def test_of_several_sides_it_is_said_who_surprises_whom():
    """arkm.surprise.roll"""
    told = met(goblins(2), someone("Wolf", side="beasts")).when(Surprise(), dice=[1, 5, 6, 4])
    assert [line for line in lines(told.events) if "surprised by" in line and line[0] != " "] == [
        "the party: surprised by the foes; surprised by the beasts",
        "the foes: not surprised by the party; not surprised by the beasts",
        "the beasts: not surprised by the party; not surprised by the foes",
    ]


def test_nobody_is_surprised_by_nobody():
    impossible(given("arkm", hero()).when(Begin()), Surprise(), "needs two sides")


def test_ranges_of_several_sides_stand_in_one_word(shell):
    """arkm.surprise.range: party 5, foes 4."""
    shell.done("init", "test", "--system", "arkm")
    shell.done("join", "fighter")
    shell.done("join", "ogre", "--side", "foes")
    shell.done("begin")
    shell.done("surprise", "--stealth", "party=5,foes=4", "--dice", "6,6")
    assert rulings("arkm.surprise.range") == [("", [4 + 2 - 2]), ("", [5 + 2 - 2])]


def test_a_side_that_is_named_whole_is_meant_though_another_begins_with_its_name():
    """arkm.surprise.range: `orc` is the side orc, not orcs; orcs surprise on 5, so that orc and the party are surprised
    by them on 5 (5 + 2 - 2), and orcs on 2.
    """
    told = met(someone("Orc", "orc"), someone("Urk", "orcs"))
    told = told.when(Surprise(stealth={"orc": "5"}), dice=[6, 6, 6])
    told.ruled("arkm.surprise.roll", "not surprised by the orc", [6, 5])
    told.ruled("arkm.surprise.roll", "not surprised by the orcs", [6, 2])
    impossible(met(someone("Orc", "orca"), someone("Urk", "orcs")), Surprise(stealth={"orc": "5"}), "no side 'orc'")
