"""Moving, lying and standing, facing."""

import pytest

from commands.action.grid import bearing
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Defend, Grapple, Sprint
from commands.rules.dungeoneers.movement import Face, Move, Prone, Stand
from commands.rules.dungeoneers.ready import Ready
from commands.rules.dungeoneers.spells import Cast
from ledger.events import Faced, Moved, Rolled
from tests.kit import no

from .table import (
    at,
    conditions,
    facing,
    fight,
    freya,
    hint_of,
    impossible,
    points,
    rolls,
    skeleton,
    someone,
    suori,
    turn_of,
    ulfarmi,
)


def test_everybody_has_one_movement_point():
    """dungeoneers.movement.default-point: a second move is refused."""
    told = fight(suori()).when(Move("Suori", ("N",)))
    told.refused(Move("Suori", ("N",)), "dungeoneers.movement.points")
    assert points(told, "Suori") == (1, 0, 1)
    assert hint_of(told, Move("Suori", ("N",))) == "affray sprint Suori\naffray done"
    assert hint_of(told.when(Defend("Suori")), Move("Suori", ("N",))) == "affray done"


def test_base_points_may_be_negative():
    """dungeoneers.movement.negative: -1, and a sprint makes it 1."""
    told = fight(suori(movement_points=-1))
    assert points(told, "Suori")[1] == -1
    told.refused(Move("Suori", ("N",)), "dungeoneers.movement.points")
    assert points(told.when(Sprint("Suori")), "Suori")[1] == 1


def test_every_movement_action_costs_a_point():
    """dungeoneers.movement.points, dungeoneers.prone.stand, dungeoneers.facing.change: up, a tile, and nothing more."""
    told = fight(suori(movement_points=2)).when(Prone("Suori")).when(Stand("Suori"))
    assert points(told, "Suori")[1] == 1
    told = told.when(Move("Suori", ("E",)))
    told.refused(Face("Suori", "W"), "dungeoneers.facing.change")
    told.refused(Move("Suori", ("E",)), "dungeoneers.movement.points")
    told.when(Prone("Suori")).refused(Stand("Suori"), "dungeoneers.prone.stand")


def test_a_move_goes_in_eight_directions():
    """dungeoneers.movement.move: NE is (1,1)."""
    told = fight(suori()).when(Move("Suori", ("ne",))).then(Faced("Suori", "NE"), Moved("Suori", "move", 1, (1, 1, 0)))
    assert points(told, "Suori")[1] == 0
    impossible(fight(suori()), Move("Suori", ("up",)), "not a direction")


def test_several_moves_stop_at_the_first_that_cannot_be_done():
    """dungeoneers.movement.move: the steps before it stand; a first one is refused."""
    told = fight(suori(movement_points=3), freya((2, 0))).when(Move("Suori", ("E", "E", "N")))
    told.then(Moved("Suori", "move", 1, (1, 0, 0))).ruled("dungeoneers.movement.move")
    assert at(told, "Suori") == (1, 0)
    assert points(told, "Suori")[1] == 2
    short = fight(suori(movement_points=2)).when(Move("Suori", ("E", "E", "E")))
    assert at(short, "Suori") == (2, 0)
    told.refused(Move("Suori", ("E", "N")), "dungeoneers.movement.occupied")


def test_dropping_prone_is_free_on_the_own_turn():
    """dungeoneers.prone.drop"""
    told = fight(suori(), skeleton()).when(Attack("Suori", "Skeleton"), [1, 1, 4]).when(Move("Suori", ("N",)))
    assert conditions(told.when(Prone("Suori")), "Suori") == {"prone"}
    turn_of(told, "Skeleton").refused(Prone("Suori"), "dungeoneers.prone.drop")
    told.when(Prone("Suori")).refused(Prone("Suori"), "dungeoneers.condition.no-stacking")


def test_standing_up():
    """dungeoneers.prone.stand"""
    told = fight(suori())
    told.refused(Stand("Suori"), "dungeoneers.prone.stand")
    told = told.when(Prone("Suori")).when(Stand("Suori"))
    assert conditions(told, "Suori") == set()
    assert points(told, "Suori")[1] == 0
    held = fight(skeleton(), suori()).when(Prone("Skeleton"))
    held = turn_of(held, "Suori").when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    turn_of(held, "Skeleton").refused(Stand("Skeleton"), "dungeoneers.grappled.movement")


def test_the_prone_dodge_with_one_die():
    """dungeoneers.prone.dodge-cap: prowess 2 and defensive make 3 dice, capped to 1."""
    told = fight(suori(), skeleton()).when(Prone("Suori")).when(Defend("Suori"))
    told = turn_of(told, "Skeleton").when(Attack("Skeleton", "Suori"), [1, 3])
    assert rolls(told) == [("Skeleton", "1d6", "hit"), ("Suori", "1d4", "dodge")]
    told.ruled("dungeoneers.attack.hit-roll", "1d4", [1])


def test_the_prone_save_with_one_die_by_prowess_only():
    """dungeoneers.prone.save-cap: 1 die by prowess, 2 by power."""
    dark = {
        "spells": {
            "trip": {"kind": "save", "cost": 1, "save_score": "prowess"},
            "pull": {"kind": "save", "cost": 1, "save_score": "power"},
        }
    }
    for spell, dice in (("trip", "1d4"), ("pull", "2d4")):
        told = fight(suori(), ulfarmi((3, 0), side="cult", cantrips=["trip", "pull"], **dark)).when(Prone("Suori"))
        told = turn_of(told, "Ulfarmi").when(Cast("Ulfarmi", spell, "Suori"), [1, 1, 1, *[4] * int(dice[0])])
        assert rolls(told)[-1] == ("Suori", dice, "save")


def test_the_prone_are_hard_to_shoot():
    """dungeoneers.prone.ranged-cap: prowess 3 with a short bow at 4 tiles: 1d6; with a sword at 1 tile: 3 dice."""
    archer = {"side": "bandits", "prowess": 3, "ranks": {"bow": "D", "blade": "E"}, "ammo": {"arrow": 9}}
    told = fight(suori(), someone("Archer", (4, 0), equipped=["short bow"], **archer)).when(Prone("Suori"))
    shot = turn_of(told, "Archer").when(Attack("Archer", "Suori", stress=1), [1, 4])
    assert rolls(shot)[0] == ("Archer", "1d6", "hit")
    near = fight(suori(), someone("Archer", (1, 0), equipped=["shortsword"], **archer)).when(Prone("Suori"))
    assert rolls(turn_of(near, "Archer").when(Attack("Archer", "Suori"), [1, 1, 1, 4]))[0] == ("Archer", "3d6", "hit")


def test_the_prone_are_hard_to_hit_with_spells_from_afar():
    """dungeoneers.prone.ranged-cap: spell 2, 1 die from 3 tiles."""
    told = fight(suori(), ulfarmi((3, 0), side="cult")).when(Prone("Suori"))
    assert rolls(turn_of(told, "Ulfarmi").when(Cast("Ulfarmi", "firebolt", "Suori"), [1, 4]))[0][1] == "1d4"


def test_turning_to_a_target_is_free_on_the_own_turn():
    """dungeoneers.facing.automatic: from S to E before the dice; not with --keep-facing."""
    told = fight(suori(facing="S"), skeleton())
    told.when(Attack("Suori", "Skeleton"), [1, 1, 4]).then(Faced("Suori", "E"))
    told.when(Attack("Suori", "Skeleton", keep_facing=True), [1, 1, 4]).then(no(Faced))
    told.when(Ready("Suori", "attack", before="Skeleton", target="Skeleton")).then(Faced("Suori", "E"))
    told.when(Ready("Suori", "attack", before="Skeleton")).then(no(Faced))
    told.when(Move("Suori", ("W",), keep_facing=True, opportune=("none",))).then(no(Faced))
    told.when(Grapple("Suori", "Skeleton"), [1, 1, 4]).then(Faced("Suori", "E"))
    mage = fight(ulfarmi((0, 0), facing="S"), skeleton((2, 0))).when(Cast("Ulfarmi", "firebolt", "Skeleton"), [1, 1, 4])
    mage.then(Faced("Ulfarmi", "E"))


def test_turning_alone_costs_a_point():
    """dungeoneers.facing.change"""
    told = fight(suori()).when(Face("Suori", "W"))
    assert (facing(told, "Suori"), points(told, "Suori")[1]) == ("W", 0)


def test_anyone_who_is_attacked_from_behind_dodges_less():
    """dungeoneers.facing.rear-penalty: hit 1+1, dodge 4 less 3: 2 against 1 hits; from the front it misses."""
    told = fight(suori((0, -1)), skeleton((0, 0))).when(Attack("Suori", "Skeleton"), [1, 1, 4, 3, 1, 1])
    told.ruled("dungeoneers.attack.hit-compare", "hit", [2, 1])
    assert rolls(told)[2] == ("Skeleton", "1d8", "rear")
    front = fight(suori((0, -1)), skeleton((0, 0), facing="S")).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    front.ruled("dungeoneers.attack.hit-compare", "miss", [2, 4])


def test_the_rear_die_is_not_capped_and_may_lead_below_zero():
    """dungeoneers.facing.rear-penalty: a prone defender: dodge 2 less 8 is -6; a spell attack meets it, too."""
    told = fight(skeleton((0, 0)), suori((0, -1))).when(Prone("Skeleton"))
    told = turn_of(told, "Suori").when(Attack("Suori", "Skeleton"), [1, 1, 2, 8, 1, 1])
    told.ruled("dungeoneers.attack.hit-compare", "hit", [2, -6])
    mage = fight(ulfarmi((0, -3)), skeleton((0, 0))).when(Cast("Ulfarmi", "firebolt", "Skeleton"), [1, 1, 4, 3])
    mage.ruled("dungeoneers.spell-attack.compare", "hit", [2, 1])
    save = fight(ulfarmi((0, -3)), skeleton((0, 0))).when(Cast("Ulfarmi", "mage armor", "Skeleton"), [1, 1, 1, 4])
    assert [roll[2] for roll in rolls(save)] == ["save", "save"]


BEHIND = [
    ((1, -3), True, True),
    ((1, -2), False, True),
    ((2, -2), False, True),
    ((2, -1), False, True),
    ((3, -1), False, False),
    ((0, 3), False, False),
]


@pytest.mark.parametrize(("there", "rear", "arc"), BEHIND)
def test_what_is_behind(there, rear, arc):
    """dungeoneers.facing.opposite: (1,-3) is S, as (3+1)**2 = 16 < 18; (1,-2) is SE, as 9 >= 8."""
    archer = {"prowess": 1, "ranks": {"bow": "D"}, "equipped": ["short bow"], "ammo": {"arrow": 9}}
    for option, behind in (("tile", rear), ("arc", arc)):
        told = fight(suori(there, **archer), skeleton((0, 0)), rear_arc=option)
        told = told.when(Attack("Suori", "Skeleton"), [1, 4, *([1] if behind else [])])
        told.ruled("dungeoneers.attack.hit-compare", "miss", [1, 3 if behind else 4])


def test_directions_are_the_nearest_of_eight():
    """dungeoneers.facing.opposite"""
    assert bearing(1, -3) == "S"
    assert bearing(1, -2) == "SE"
    around = [(0, 5), (5, 5), (5, 0), (5, -5), (0, -5), (-5, -5), (-5, 0), (-5, 5), (0, 0)]
    assert [bearing(*way) for way in around] == ["N", "NE", "E", "SE", "S", "SW", "W", "NW", ""]
    assert bearing(-5, 2) == "W"  # 49 < 50
    assert bearing(-12, 5) == "NW"  # 289 >= 288


def test_facing_between_bodies_goes_from_middle_to_middle():
    """dungeoneers.facing.opposite: a massive one at (0,0) has its middle at (1/2,1/2); Suori at (2,0)
    is 3/2 east and 1/2 south of that, which is E: (3+1)**2 = 16 < 18. From her it lies W.
    """
    told = fight(suori((2, 0)), someone("Giant", (0, 0), side="giants", size="massive")).when(
        Attack("Suori", "Giant"), [1, 1, 4]
    )
    told.then(Faced("Suori", "W"), Rolled("Giant", "dodge", "Suori", "1d4", (4,), (0,)))
