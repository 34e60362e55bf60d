"""Flight and pursuit, rival casters, and saving throws."""

import pytest

from commands.action.adjust import Adjust
from commands.action.rule_tables import Table
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast, Check
from commands.rules.arkm.encounter import Begin
from commands.rules.arkm.formations import Group
from commands.rules.arkm.meeting import Reaction
from commands.rules.arkm.movement import Move
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.rounds import Initiative, Phase
from commands.rules.arkm.stances import Parry
from commands.rules.arkm.throws import Morale, Save
from ledger.errors import UsageError
from ledger.events import ConditionEnded
from tests.kit import given, no

from .rounds import battle, conditions, goblins, having, hero, mage, next_round, someone, wolves
from .table import impossible, rolls, troll


def flight(*others, party=120, monsters=120, **fields):
    """A party of one flees from wolves, or others."""
    return given("arkm", hero(move=party), *(others or (wolves(2, move=monsters),))).when(Begin(**fields))


def chase(gap: int, *others, party=120, monsters=120, **fields):
    """They pursue: 4 and 4 are 8."""
    group = others[0].sheets[0]["name"] if others else "Wolf"
    return flight(*others, party=party, monsters=monsters, **fields).when(
        Pursue((group,), ("party",), gap), dice=[4, 4]
    )


def test_a_low_roll_pursues_and_a_high_one_does_not():
    """arkm.pursuit.decision: 8 yes, 9 no."""
    told = flight()
    told.when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4]).ruled("arkm.pursuit.decision", "they pursue")
    told.when(Pursue(("Wolf",), ("party",), 60), dice=[5, 4]).ruled("arkm.pursuit.decision", "they do not pursue")
    told.when(Pursue(("Wolf",), ("party",), 60, mod=("1",)), dice=[4, 4]).ruled(
        "arkm.pursuit.decision", "they do not pursue"
    )
    assert rolls(told.when(Pursue(("party",), ("Wolf",), 60))) == []
    impossible(told, Pursue(("Wolf",), ("party",)), "do not pursue")
    impossible(told, Pursue(("Wolf",), ("Wolf",), 5), "cannot pursue")


def test_a_group_runs_at_the_rate_of_its_slowest():
    """arkm.pursuit.rounds-running: 120, 120 and 60: 60. Who runs does nothing else."""
    told = given("arkm", hero(), hero(name="Ada"), hero(name="Odo", move=60), wolves()).when(Begin())
    told = told.when(Pursue(("Wolf",), ("party",), 65), dice=[4, 4])
    told.ruled("arkm.pursuit.catch", "caught in round 1", [1])
    told.refused(Parry("Wolf"), "arkm.pursuit.rounds-running")
    told.refused(Parry("Hero"), "arkm.pursuit.rounds-running")


def test_who_leaves_a_pursuing_group_pursues_at_the_same_gap():
    """arkm.initiative.group-split: 60 feet behind the party, as the wolves that they leave."""
    told = chase(60).when(Group(("Wolf-2",), "strays"))
    assert [told.state.counts.get(hunters, "gap", "party") for hunters in ("Wolf", "strays")] == [60, 60]
    assert told.state.counts.get("party", "gap", "strays") == 0


def test_the_gap_closes_by_the_difference_of_the_rates():
    """arkm.pursuit.catch: gap 60, party 90, ghouls 120: 30, then 0: caught in round 2; ceil(55 / 30) = 2."""
    told = chase(60, party=90).ruled("arkm.pursuit.catch", "caught in round 2", [2])
    told = told.when(Pursue(("Wolf",), ("party",))).ruled("arkm.pursuit.catch", "30 feet apart", [30])
    told = told.when(Pursue(("Wolf",), ("party",))).ruled("arkm.pursuit.catch", "caught", [0])
    assert "pursuing" not in conditions(told, "Wolf")
    assert "in flight" not in conditions(told, "party")


def test_five_feet_are_caught():
    """arkm.pursuit.catch: gap 65: 35, then 5."""
    told = chase(65, party=90).when(Pursue(("Wolf",), ("party",), rounds=2))
    told.ruled("arkm.pursuit.catch", "35 feet apart", [35]).ruled("arkm.pursuit.catch", "caught", [5])
    chase(5).ruled("arkm.pursuit.catch", "in melee range")


def test_anyone_who_is_not_faster_never_catches_them():
    """arkm.pursuit.catch: 120 and 120."""
    told = chase(60).ruled("arkm.pursuit.catch", "never caught by running")
    told.when(Pursue(("Wolf",), ("party",), rounds=9)).ruled("arkm.pursuit.catch", "60 feet apart", [60])


def test_one_foot_a_round_catches_them():
    """arkm.pursuit.catch: 119 and 120: 60 - 5."""
    chase(60, party=119).ruled("arkm.pursuit.catch", "caught in round 55", [55])


def test_outdoors_one_yard_is_caught_and_two_are_not():
    """arkm.pursuit.catch: 2 yards are 6 feet. 62 - 30 = 32, 2, 0: ceil(61 / 30) = 3; 61 - 30 = 31, 1: caught in 2."""
    told = chase(62, party=90, outdoors=True).ruled("arkm.pursuit.catch", "caught in round 3", [3])
    told.when(Pursue(("Wolf",), ("party",), rounds=3)).ruled("arkm.pursuit.catch", "caught", [0])
    told = chase(61, party=90, outdoors=True).ruled("arkm.pursuit.catch", "caught in round 2", [2])
    told.when(Pursue(("Wolf",), ("party",), rounds=2)).ruled("arkm.pursuit.catch", "caught", [1])


def test_those_who_are_caught_can_be_struck():
    """arkm.pursuit.catch, arkm.in-melee.definition: within 5 feet; the wolf strikes, and the two are in melee."""
    told = chase(65, wolves(1), party=90).when(Pursue(("Wolf",), ("party",), rounds=2))
    told = told.when(Initiative(), dice=[1, 6]).when(Phase("melee", pass_rest=True))
    told = told.when(Attack("Wolf", ("Hero",)), dice=[2])
    assert told.state.engagement.of("Wolf") == ("Hero",)


def test_the_hasted_run_twice_as_fast():
    """arkm.haste.double-move: 120 becomes 240; 125 - 120 = 5 after one round."""
    told = chase(125, wolves(1, hasted=True)).ruled("arkm.pursuit.catch", "caught in round 1", [1])
    told.when(Pursue(("Wolf",), ("party",))).ruled("arkm.pursuit.catch", "caught", [5])


def test_out_of_sight_they_give_up():
    """arkm.pursuit.in-sight: unless the game master says otherwise."""
    told = chase(60).when(Pursue(("Wolf",), ("party",), lost_sight=True)).then(ConditionEnded("Wolf", "pursuing"))
    told.ruled("arkm.pursuit.in-sight", "they give up")
    told = chase(60).when(Pursue(("Wolf",), ("party",), lost_sight=True, keep=True)).then(no(ConditionEnded))
    told.ruled("arkm.pursuit.in-sight", "they go on nevertheless")


def test_food_stops_the_unintelligent():
    """arkm.pursuit.food: wolves stop on 5, and go on with 6; to goblins it is nothing."""
    chase(60).when(Pursue(("Wolf",), ("party",), bait="food"), dice=[5]).ruled("arkm.pursuit.food", "they stop", [5, 5])
    chase(60).when(Pursue(("Wolf",), ("party",), bait="food"), dice=[6]).then(no(ConditionEnded))
    told = chase(60, goblins()).when(Pursue(("Goblin",), ("party",), bait="food"))
    told.ruled("arkm.pursuit.food", "they ignore it")
    assert rolls(told) == []


def test_treasure_stops_the_intelligent():
    """arkm.pursuit.treasure: goblins stop on 3; to wolves it is nothing."""
    chase(60, goblins()).when(Pursue(("Goblin",), ("party",), bait="treasure"), dice=[3]).ruled(
        "arkm.pursuit.treasure", "they stop", [3, 5]
    )
    chase(60).when(Pursue(("Wolf",), ("party",), bait="treasure")).ruled("arkm.pursuit.treasure", "they ignore it")


@pytest.mark.parametrize("place", ["corner", "stairs", "door"])
def test_past_a_corner_they_follow_on_2(place):
    """arkm.pursuit.corner-stairs-door"""
    chase(60).when(Pursue(("Wolf",), ("party",), past=place), dice=[2]).then(no(ConditionEnded))
    chase(60).when(Pursue(("Wolf",), ("party",), past=place), dice=[3]).then(ConditionEnded("Wolf", "pursuing"))


def test_through_a_secret_door_they_follow_on_1():
    """arkm.pursuit.secret-door"""
    chase(60).when(Pursue(("Wolf",), ("party",), past="secret-door"), dice=[1]).then(no(ConditionEnded))
    chase(60).when(Pursue(("Wolf",), ("party",), past="secret-door"), dice=[2]).then(ConditionEnded("Wolf", "pursuing"))


def test_a_pursuit_is_not_begun_twice():
    impossible(chase(60), Pursue(("Wolf",), ("party",), 30), "already")


def test_two_casters_contend():
    """arkm.control-contest.opposed-roll: skills 7 and 5: 9 and 12 are 16 and 17; then 10 and 12 are equal: it stays."""
    told = battle(mage(spell_skill=7), mage(name="Lich", side="foes", pc=False), dice=[1, 2])
    told = told.when(Check("Mage", "Lich", "golem"), dice=[9, 12])
    told.ruled("arkm.control-contest.opposed-roll", "Lich controls it", [16, 17])
    assert told.state.conditions.of["Lich"]["controls"].whom == ("golem",)
    told.refused(Check("Mage", "Lich", "golem"), "arkm.control-contest.opposed-roll")
    told = next_round(told, 1, 2).when(Check("Mage", "Lich", "golem"), dice=[10, 12])
    told.ruled("arkm.control-contest.opposed-roll", "it stays as it was", [17, 17])
    assert told.state.conditions.of["Lich"]["controls"].whom == ("golem",)
    told = next_round(told, 1, 2).when(Check("Mage", "Lich", "golem", mod=("2:wand", "check@Lich:-1")), dice=[9, 12])
    told.ruled("arkm.control-contest.opposed-roll", "Mage controls it", [18, 16])
    assert told.state.conditions.of["Mage"]["controls"].whom == ("golem",)
    assert "controls" not in conditions(told, "Lich")
    impossible(told, Check("Mage", "Mage", "golem"), "two casters")


def test_casters_contend_also_while_they_struggle_with_each_other():
    """arkm.control-contest.opposed-roll: it takes no weapon, no move and no spell; 7 + 9 to 4 + 12 are equal."""
    told = battle(mage(spell_skill=7), mage(name="Lich", side="foes", pc=False, spell_skill=4), dice=[1, 2])
    told = having(having(told, "Mage", "struggling", whom=("Lich",)), "Lich", "struggling", whom=("Mage",))
    told = told.when(Check("Mage", "Lich", "golem"), dice=[9, 12])
    told.ruled("arkm.control-contest.opposed-roll", "it stays as it was", [16, 16])


def test_anyone_who_loses_one_thing_keeps_control_of_the_other():
    """arkm.control-contest.opposed-roll: the mage controls imp and golem, and the lich, 9 to 12, takes the imp."""
    told = battle(mage(), mage(name="Lich", side="foes", pc=False), dice=[1, 2])
    told = told.when(Check("Mage", "Lich", "imp"), dice=[12, 9]).when(Check("Mage", "Lich", "golem"), dice=[12, 9])
    assert told.state.conditions.of["Mage"]["controls"].whom == ("imp", "golem")
    told = next_round(told, 1, 2).when(Check("Mage", "Lich", "imp"), dice=[9, 12])
    assert told.state.conditions.of["Mage"]["controls"].whom == ("golem",)
    assert told.state.conditions.of["Lich"]["controls"].whom == ("imp",)
    impossible(given("arkm", mage(), mage(name="Lich")), Check("Mage", "Lich", "imp"), "No encounter is under way")


def test_equal_at_the_start_is_nobodys():
    """arkm.control-contest.opposed-roll"""
    told = battle(mage(), mage(name="Lich", side="foes", pc=False), dice=[1, 2], opposed_roll="2d6+skill")
    told = told.when(Check("Mage", "Lich", "golem"), dice=[3, 4, 6, 1])
    assert "controls" not in conditions(told, "Mage") | conditions(told, "Lich")


def test_a_save_is_a_d20_of_the_number_or_more():
    """arkm.save.roll: number 14: 14 saves, 13 does not; with -7 a 20 is 13."""
    told = given("arkm", hero(saves={"reflex": 14}))
    told.when(Save("Hero", "reflex"), dice=[14]).ruled("arkm.save.roll", "saved", [14, 14])
    told.when(Save("Hero", "reflex"), dice=[13]).ruled("arkm.save.roll", "failed", [13, 14])
    told.when(Save("Hero", "reflex", mod=("-7",)), dice=[20]).ruled("arkm.save.roll", "failed", [13, 14])


def test_saves_by_the_options():
    """arkm.save.roll: save_naturals: a 20 saves; reflex_dex: DEX 16 adds 2 to REFLEX."""
    natural = given("arkm", hero(saves={"reflex": 14}), options={"save_naturals": True})
    natural.when(Save("Hero", "reflex", mod=("-7",)), dice=[20]).ruled("arkm.save.roll", "saved")
    natural.when(Save("Hero", "reflex", mod=("20",)), dice=[1]).ruled("arkm.save.roll", "failed")
    quick = given("arkm", hero(saves={"reflex": 14}, dex=16), options={"reflex_dex": True})
    quick.when(Save("Hero", "reflex"), dice=[12]).ruled("arkm.save.roll", "saved", [14, 14])


@pytest.mark.parametrize(
    ("who", "category", "wanted"),
    [
        (hero(level=8), "reflex", 11),
        (hero(level=8), "spells", 12),
        (hero(level=1), "spells", 16),
        (hero(level=36), "death", 2),
        (goblins(), "reflex", 17),
        (troll(), "reflex", 13),
        (mage(saves={}), "spells", 15),
        (mage(saves={}, level=6), "spells", 13),
        (hero(**{"class": "dwarf", "level": 1}), "spells", 12),
        (hero(**{"class": "druid", "level": 5}), "paralysis", 12),
        (someone("Guard", kind="normal-man"), "breath", 17),
        (someone("Ogre", hd="4+1"), "paralysis", 12),
    ],
)
def test_saves_by_class_and_level(who, category, wanted):
    """arkm.save.table: fighter 8 has REFLEX 15 - 4; a goblin is a Normal Man; a troll of 6+3 saves as fighter 6."""
    name = who.sheets[0]["name"]
    given("arkm", who).when(Save(name, category), dice=[wanted]).ruled("arkm.save.roll", "saved", [wanted, wanted])


def test_no_running_outside_of_a_fight():
    impossible(given("arkm", hero(), wolves()), Pursue(("Wolf",), ("party",), 5), "No encounter")
    told = battle(hero(), wolves(), dice=[1, 2]).when(Phase("melee"))
    told.when(Adjust("Wolf", "condition", "hasted", "drums"))


def test_the_options_say_when_one_is_caught_and_when_bait_stops():
    """arkm.pursuit.catch, arkm.pursuit.food, options caught_gap and bait_chance: 10 feet; a 3 on 1-2 goes on."""
    options = {"caught_gap": 10, "bait_chance": 2}
    told = given("arkm", hero(move=90), wolves(), options=options).when(Begin())
    told = told.when(Pursue(("Wolf",), ("party",), 70), dice=[4, 4]).ruled(
        "arkm.pursuit.catch", "caught in round 2", [2]
    )
    told.when(Pursue(("Wolf",), ("party",), bait="food"), dice=[3]).ruled("arkm.pursuit.food", "they go on", [3, 2])


EVERYTHING = {"lo": 1, "hi": 4}


def with_table(name: str, content: dict):
    """The hero and a wolf, in a campaign with a table of its own."""
    return given("arkm", Table(name, {"file": f"{name}.toml", "content": content}), hero(), wolves()).when(Begin())


def test_a_reaction_table_of_ones_own():
    """arkm.table.replaceable: a D4, on which nobody pursues."""
    rows = [{**EVERYTHING, "effect": "bored", "animals": "yawns", "intelligent": "sighs", "pursues": False}]
    told = with_table("reaction", {"die": "1d4", "rows": rows})
    told.when(Reaction("Wolf"), dice=[3]).ruled("arkm.reaction.animals", "yawns")
    told.when(Pursue(("Wolf",), ("party",), 60), dice=[1]).ruled("arkm.pursuit.decision", "they do not pursue")


def test_a_morale_table_of_ones_own():
    """arkm.table.replaceable: 1D4 of at most 2; by 1 they sulk, by more they weep."""
    rows = [{"lo": 1, "hi": 1, "effect": "sulk"}, {"lo": 2, "hi": 0, "effect": "weep"}]
    content = {"die": "1d4", "default": 2, "scores": {}, "rows": rows}
    told = with_table("morale", content).when(goblins())
    told.when(Morale("Goblin", "start"), dice=[2]).ruled("arkm.morale.roll", "Goblin's morale holds", [2, 2])
    told.when(Morale("Goblin", "start"), dice=[3]).ruled("arkm.morale.roll", "sulk", [1])
    told.when(Morale("Goblin", "start"), dice=[4]).ruled("arkm.morale.roll", "weep", [2])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("miscast", {"die": "1d6", "rows": [{"lo": 1, "hi": 3, "effect": "a"}, {"lo": 5, "hi": 6, "effect": "b"}]},
         "no row is for 4"),
        ("reaction", {"die": "2d6", "rows": []}, "no row is for 2"),
        ("morale", {"die": "2d6", "default": 7, "scores": {}, "rows": [{"lo": 1, "hi": 2, "effect": "flee"}]}, "row 1"),
        ("morale", {"die": "2d6", "default": 7, "scores": {}, "rows": [{"lo": 2, "hi": 0, "effect": "flee"}]}, "for 1"),
        ("morale", {"die": "2d6", "default": 7, "scores": {},
                    "rows": [{"lo": 1, "hi": 98, "effect": "flee"}, {"lo": 100, "hi": 0, "effect": "run"}]}, "for 99"),
        ("morale", {"die": "2d6", "default": 99, "scores": {}, "rows": []}, "default"),
        ("saves", {"other_classes": "x", "monsters": "x", "level_0": "x", "classes": {}, "rows": []}, "no row 'x'"),
    ],
)  # fmt: skip
def test_a_malformed_table_of_this_half_is_refused(name, content, words):
    """arkm.table.replaceable: with the file, the row and the reason."""
    with pytest.raises(UsageError, match=f"{name}.toml.*{words}"):
        with_table(name, content)


def test_saves_of_ones_own():
    """arkm.save.table, arkm.table.replaceable: one row for all, 9 and never less."""
    row = {"row": "all", "band": 0, **dict.fromkeys(("death", "wands", "paralysis", "reflex", "breath", "spells"), 9)}
    content = {"other_classes": "all", "monsters": "all", "level_0": "all", "classes": {}, "rows": [row]}
    told = with_table("saves", content)
    told.when(Save("Wolf", "breath"), dice=[9]).ruled("arkm.save.roll", "saved", [9, 9])


def test_a_miscast_table_of_ones_own():
    """arkm.table.replaceable: a file with a D4 of four rows: dice asked for become one D4."""
    rows = [{"lo": n, "hi": n, "effect": word} for n, word in enumerate(("fizz", "stink", "stun", "toads"), 1)]
    told = given(
        "arkm", Table("miscast", {"file": "m.toml", "content": {"die": "1d4", "rows": rows}}), mage(), wolves()
    )
    told = told.when(Begin()).when(Initiative(), dice=[4, 4]).when(Move("Wolf", 30, ("Mage",))).when(Phase("magic"))
    told.when(Cast("Mage", "ray"), dice=[14, 4, 4]).ruled("arkm.miscast.table", "toads", [4])


def test_two_groups_pursue_and_one_of_them_gives_up():
    """arkm.pursuit.rounds-running: the party runs until the last has given up."""
    told = flight(wolves(), goblins())
    for group in ("Wolf", "Goblin"):
        told = told.when(Pursue((group,), ("party",), 60), dice=[4, 4])
    told = told.when(Pursue(("Wolf",), ("party",), bait="food"), dice=[5])
    told.refused(Parry("Hero"), "arkm.pursuit.rounds-running")
    told = told.when(Pursue(("Goblin",), ("party",), lost_sight=True))
    assert "in flight" not in conditions(told, "party")


def test_one_group_pursues_two():
    """arkm.pursuit.catch: each gap of its own."""
    told = flight(wolves(), hero(name="Ada", group="rear")).when(Pursue(("Wolf",), ("party",), 60), dice=[4, 4])
    told = told.when(Pursue(("Wolf",), ("rear",), 90), dice=[4, 4])
    told.when(Pursue(("Wolf",), ("party",))).ruled("arkm.pursuit.catch", "60 feet apart", [60])
    told.when(Pursue(("Wolf",), ("rear",))).ruled("arkm.pursuit.catch", "90 feet apart", [90])


def test_a_pursuit_of_the_slain_is_over():
    """arkm.pursuit.rounds-running: when nobody is left to run after them, the party is free."""
    told = chase(60, wolves()).when(Adjust("Wolf", "down", "dead", "a pit")).when(Pursue(("Wolf",), ("party",)))
    assert "in flight" not in conditions(told, "party")


def test_anyone_who_flees_does_not_pursue():
    impossible(chase(60), Pursue(("party",), ("Wolf",), 60), "flee from")


def test_one_thing_at_a_time_stops_pursuers():
    impossible(chase(60), Pursue(("Wolf",), ("party",), bait="food", past="door"), "One thing at a time")


def test_only_casters_who_can_act_contend():
    """arkm.control-contest.opposed-roll"""
    told = battle(mage(), hero(), mage(name="Lich", side="foes", pc=False), dice=[1, 2])
    told.refused(Check("Mage", "Hero", "golem"), "arkm.control-contest.opposed-roll")
    out = told.when(Adjust("Lich", "down", "dead", "at last"))
    out.refused(Check("Mage", "Lich", "golem"), "arkm.damage.zero-hp")
