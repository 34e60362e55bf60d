"""Which clauses a ledger names: those that decided, and no others; and whose numbers the game master modifies."""

from commands.rules.arkm.aim import Attack
from commands.rules.arkm.casting import Cast
from commands.rules.arkm.movement import Move
from commands.rules.arkm.ranged import Shoot
from commands.rules.arkm.throws import Save
from ledger.events import Ruled
from tests.kit import Told

from .rounds import battle
from .table import bran, elowen, fighting, having, impossible, marcus, melee, needed, ogre, one_on_one, orcs


def named(told: Told) -> set[str]:
    """The clauses that the rulings of an action name."""
    return {clause for event in told.events if isinstance(event, Ruled) for clause in event.clauses}


def test_a_blow_from_the_flank_names_what_it_denies():
    """arkm.flank.defences-denied: 19 less 2 is 17 from the front; 19 less 5 and 1 is 13 from the flank."""
    told = one_on_one(orcs(), bran())
    front = told.when(Attack("Orc", ("Bran",)), [5])
    side = told.when(Attack("Orc", ("Bran",), from_="flank"), [5])
    assert (needed(front), needed(side)) == ([17], [13])
    assert "arkm.flank.defences-denied" not in named(front)
    assert {"arkm.ac.shield", "arkm.ac.dex"} <= named(front)
    assert {"arkm.flank.bonus", "arkm.flank.defences-denied"} <= named(side)
    assert "arkm.ac.shield" not in named(side)


def test_anyone_who_stands_still_loses_the_bonus_of_dex_by_a_clause():
    """arkm.ac.dex-stationary: 19 less 3 is 16, without the DEX bonus of 1."""
    told = one_on_one(orcs(), bran()).when(Attack("Orc", ("Bran",), stationary=True), [5])
    assert needed(told) == [16]
    assert "arkm.ac.dex-stationary" in named(told)
    slow = one_on_one(orcs(), bran(dex=8)).when(Attack("Orc", ("Bran",), stationary=True), [5])
    assert "arkm.ac.dex-stationary" not in named(slow)


def test_a_wall_keeps_the_third_attacker_from_counting():
    """arkm.surround.back-to-wall: 17 with a wall, 16 without; two attackers ask for neither clause."""
    three = melee(fighting(bran(), orcs(3), nth=2), *[("Bran", f"Orc-{number}") for number in (1, 2, 3)])
    free = three.when(Attack("Orc-1", ("Bran",)), [5])
    wall = having(three, "Bran", "back to the wall").when(Attack("Orc-1", ("Bran",)), [5])
    assert (needed(free), needed(wall)) == ([16], [17])
    assert "arkm.surround.more-than-two" in named(free)
    assert "arkm.surround.back-to-wall" not in named(free)
    assert "arkm.surround.back-to-wall" in named(wall)
    two = melee(fighting(bran(), orcs(2), nth=2), ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    two = having(two, "Bran", "back to the wall").when(Attack("Orc-1", ("Bran",)), [5])
    assert "arkm.surround.back-to-wall" not in named(two)


def test_a_little_longer_is_not_longer_enough():
    """arkm.reach.advantage: a club of 4 feet against a sword of 3, in the first round of the pair alone."""
    first = melee(fighting(ogre(), bran()), ("Ogre", "Bran"), rounds=0).when(Attack("Ogre", ("Bran",)), [5])
    later = one_on_one(ogre(), bran()).when(Attack("Ogre", ("Bran",)), [5])
    assert "arkm.reach.advantage" in named(first)
    assert "arkm.reach.advantage" not in named(later)


def test_a_foe_who_closed_in_this_round_is_in_the_open():
    """arkm.phase.missile-closing-targets: at close quarters 17 less 6, 1 and 1; not at one long in melee."""
    told = melee(fighting(elowen(), bran(), orcs(), phase="missile", nth=2), ("Elowen", "Orc"), rounds=0)
    shot = told.when(Shoot("Elowen", "Orc", range_="short"), [9, 1])
    assert needed(shot) == [9]
    assert {"arkm.phase.missile-closing-targets", "arkm.ranged-hit.short-range"} <= named(shot)
    long = melee(fighting(elowen(), bran(), orcs(), phase="missile", nth=2), ("Bran", "Orc"))
    shot = long.when(Shoot("Elowen", "Orc", range_="medium"), [10, 1])
    assert needed(shot) == [10]
    assert "arkm.phase.missile-closing-targets" not in named(shot)


def test_one_who_charges_is_exposed_to_a_shot():
    """arkm.charge.exposed"""
    told = fighting(elowen(), orcs(), phase="missile")
    shot = having(told, "Orc", "charging", whom=("Elowen",)).when(Shoot("Elowen", "Orc", range_="medium"), [10, 1])
    assert "arkm.charge.exposed" in named(shot)
    assert "arkm.charge.exposed" not in named(told.when(Shoot("Elowen", "Orc", range_="medium"), [10, 1]))


def test_blows_at_one_who_is_down_already_are_said_to_be_skipped():
    """arkm.normal-men.down-target: 4, 1 and STR 2 are 7, more than the 5 of an orc; two blows are skipped."""
    told = one_on_one(bran(), orcs())
    told = told.when(Attack("Bran", ("Orc",) * 3), [15, 4])
    told.ruled("arkm.normal-men.down-target", "is already down: no blow")


def test_the_hasted_move_twice_as_far():
    """arkm.haste.double-move: 240 for 120; named when it takes somebody farther than 120."""
    told = having(fighting(bran(), phase="movement"), "Bran", "hasted")
    told.when(Move("Bran", 200)).ruled("arkm.haste.double-move", "moves 200 feet", [240])
    assert "arkm.haste.double-move" not in named(told.when(Move("Bran", 120)))


def test_two_kinds_of_monsters_are_two_groups():
    """arkm.initiative.monster-groups: orcs and an ogre of one side throw apart; two orcs throw together."""
    assert "arkm.initiative.monster-groups" in named(battle(bran(), orcs(), ogre(), dice=[5, 2, 3]))
    assert "arkm.initiative.monster-groups" not in named(battle(bran(), orcs(2), dice=[5, 2]))


def test_spells_for_the_melee_are_named_when_there_is_one():
    """arkm.cast.power-word-or-touch, arkm.cast.movement-spells"""
    alone = fighting(marcus(), orcs(), phase="magic", nth=2)
    pressed = melee(alone, ("Marcus", "Orc"))
    for kind, clause in (
        ("power-word", "arkm.cast.power-word-or-touch"),
        ("touch", "arkm.cast.power-word-or-touch"),
        ("movement", "arkm.cast.movement-spells"),
    ):
        said = Cast("Marcus", "spell", kind)
        assert clause in named(pressed.when(said))
        assert clause not in named(alone.when(said))


def test_a_modifier_is_that_of_one_blow():
    """arkm.to-hit.modifiers-add: 19 less 6 and 2 is 11 at the first orc, less 3 at the second."""
    told = melee(fighting(bran(), orcs(2), nth=2), ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    said = Attack("Bran", ("Orc-1", "Orc-2"), mod=("hit@orc-2:3:off guard", "damage@orc-1:4"))
    told = told.when(said, [2, 2])
    assert needed(told) == [11, 8]


def test_a_modifier_has_a_number_of_the_verb_and_somebody_who_rolls_it():
    """arkm.to-hit.modifiers-add: a verb says which numbers it has."""
    told = melee(fighting(bran(), orcs(2), nth=2), ("Bran", "Orc-1"), ("Bran", "Orc-2"))
    impossible(told, Attack("Bran", ("Orc-1",), mod=("save:2",)), "no 'save' to modify")
    impossible(told, Attack("Bran", ("Orc-1",), mod=("hit@orc-2:2",)), "Orc-2 has no hit here to modify")
    impossible(told, Attack("Bran", ("Orc-1",), mod=("101",)), "not a modifier from -100 to 100")
    impossible(told, Save("Bran", "spells", mod=("save@orc-1:2",)), "Orc-1 has no save here")


def test_a_spell_is_harder_on_one_of_its_targets():
    """arkm.save.roll: an orc needs 16 or what the table says; 2 more on the die of the second orc alone."""
    told = fighting(marcus(), orcs(2, saves={"spells": 16}), phase="magic")
    said = Cast("Marcus", "hold", target=("Orc-1", "Orc-2"), save="spells", mod=("save@orc-2:2:ring",))
    told = told.when(said, [15, 15])
    outcomes = [event.outcome for event in told.events if isinstance(event, Ruled) and event.clause == "arkm.save.roll"]
    assert outcomes == ["failed", "saved"]
