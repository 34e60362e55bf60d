"""Grapples: taking hold, dragging, breaking free, and all that ends one."""

from commands.action.adjust import Adjust
from commands.action.common import Leave
from commands.rules.dungeoneers.aid import Effect
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Defend, Disengage, Grapple, Push, Sprint
from commands.rules.dungeoneers.encounter import End
from commands.rules.dungeoneers.hands import Draw, Stow
from commands.rules.dungeoneers.movement import Face, Move, Prone, Stand
from ledger.events import ConditionEnded, ConditionGained, Faced, Moved, Placed, PointsSet, Rolled
from tests.kit import no

from .table import (
    at,
    clauses,
    conditions,
    facing,
    fight,
    freya,
    gained,
    impossible,
    points,
    rolls,
    skeleton,
    someone,
    suori,
    turn_of,
)

HOLDS = [4, 4, 1]
"""Suori's two d4, and the skeleton's."""


def holding(*others, **fields):
    """Suori at (0,0) holds the skeleton at (1,0), and has an action point and her movement left."""
    return fight(suori(**{"action_points": 3, **fields}), skeleton(), *others).when(Grapple("Suori", "Skeleton"), HOLDS)


def test_somebody_who_is_grappled_in_the_own_turn_moves_no_further():
    """dungeoneers.grapple.conditions: the skeleton had a movement point left; its action stays."""
    told = turn_of(fight(suori(), skeleton()), "Skeleton")
    assert points(told, "Skeleton") == (1, 1, 1)
    held = told.when(Grapple("Suori", "Skeleton"), HOLDS, allow="she has readied it")
    assert points(held, "Skeleton") == (1, 0, 1)


def free(told):
    return "grappling" not in conditions(told, "Suori") and "grappled" not in conditions(told, "Skeleton")


def test_a_grapple_needs_reach():
    """dungeoneers.grapple.requires-threat: 2 tiles are too far, but not with a glaive."""
    told = fight(suori(), skeleton((2, 0)))
    told.refused(Grapple("Suori", "Skeleton"), "dungeoneers.grapple.requires-threat")
    fight(suori(equipped=["glaive"]), skeleton((2, 0))).when(Grapple("Suori", "Skeleton"), [6, 6, 1])
    impossible(told, Grapple("Suori"), "Whom")


def test_power_and_the_weapons_dice_against_the_dodge():
    """dungeoneers.grapple.roll, dungeoneers.grapple.conditions: 2+2 against 4 succeeds."""
    told = fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton"), [2, 2, 4])
    told.ruled("dungeoneers.grapple.roll", "grappled", [4, 4])
    told.then(gained("Suori", "grappling", "Skeleton"), gained("Skeleton", "grappled", "Suori"))
    assert rolls(told) == [("Suori", "2d4", "hit"), ("Skeleton", "1d4", "dodge")]
    failed = fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton"), [2, 1, 4]).then(no(ConditionGained))
    assert points(failed, "Suori")[0] == 0


def test_which_weapon_a_grapple_is_made_with():
    """dungeoneers.grapple.roll: the first that does not shoot, the one named, or a d4."""
    armed = {"ranks": {"bow": "D", "blade": "E"}, "slots": {"wield": 3}, "equipped": ["short bow", "shortsword"]}
    assert rolls(fight(suori(**armed), skeleton()).when(Grapple("Suori", "Skeleton"), [1, 1, 4]))[0][1] == "2d6"
    fist = fight(suori(**armed), skeleton()).when(Grapple("Suori", "Skeleton", with_="improvised"), [1, 1, 4])
    assert rolls(fist)[0][1] == "2d4"
    told = fight(suori(**armed), skeleton())
    told.refused(Grapple("Suori", "Skeleton", with_="short bow"), "dungeoneers.grapple.roll")
    told.refused(Grapple("Suori", "Skeleton", with_="mace"), "dungeoneers.equipment.equipped-only")


def test_the_defender_chooses_its_score():
    """dungeoneers.grapple.defender-choice: an ogre with prowess 1 and power 4 rolls 4 dice, or 1 if it likes."""
    ogre = someone("Ogre", (1, 0), side="giants", power=4)
    told = fight(suori(), ogre)
    assert rolls(told.when(Grapple("Suori", "Ogre"), [1, 1, 4, 4, 4, 4]))[1][1] == "4d4"
    assert rolls(told.when(Grapple("Suori", "Ogre", defend_with="prowess"), [1, 1, 4]))[1][1] == "1d4"


def test_the_game_master_may_add_dice_to_a_grapple():
    """dungeoneers.dice.modifiers"""
    told = fight(suori(), skeleton()).when(Grapple("Suori", "Skeleton", mod=("-1", "dodge:1")), [1, 4, 4])
    assert [roll[1] for roll in rolls(told)] == ["1d4", "2d4"]


def test_the_grappled_cannot_move():
    """dungeoneers.grappled.movement: points go, none come, a sprint gives 0, and they do not come back."""
    told = turn_of(holding(), "Skeleton")
    assert points(told, "Skeleton")[1] == 0
    told.refused(Move("Skeleton", ("E",)), "dungeoneers.grappled.movement")
    assert points(told.when(Sprint("Skeleton")), "Skeleton")[1] == 0
    broken = told.when(Disengage("Skeleton"), [1, 1, 4])
    assert points(broken, "Skeleton")[1] == 0
    own_turn = fight(skeleton(action_points=2), suori()).when(Grapple("Skeleton", "Suori"), [4, 1, 1])
    assert points(own_turn, "Suori")[1] == 0


def test_a_grappler_moves_half_as_far():
    """dungeoneers.grappling.movement: 3 become 1; a turn of base 1 has 0, and a sprint gives 1."""
    told = holding(movement_points=3)
    assert points(told, "Suori")[1] == 1
    slow = turn_of(holding(), "Suori")
    assert points(slow, "Suori")[1] == 0
    assert points(slow.when(Sprint("Suori")), "Suori")[1] == 1
    assert points(turn_of(holding(movement_points=3), "Suori"), "Suori")[1] == 1


def test_anyone_who_is_held_is_dragged_along():
    """dungeoneers.grapple.drag: Suori to (-1,0), the skeleton to (0,0), still facing N."""
    told = holding(movement_points=4).when(Move("Suori", ("W",)))
    told.then(Moved("Suori", "move", 1, (-1, 0, 0)), Placed("Skeleton", (0, 0, 0)))
    assert facing(told, "Skeleton") == "N"
    assert not free(told)


def test_anyone_who_is_held_turns_and_rises_likewise():
    """dungeoneers.grapple.drag"""
    told = holding(movement_points=4).when(Face("Suori", "SW")).then(Faced("Suori", "SW"), Faced("Skeleton", "SW"))
    down = fight(skeleton(), suori(movement_points=2)).when(Prone("Skeleton"))
    down = turn_of(down, "Suori").when(Prone("Suori")).when(Grapple("Suori", "Skeleton"), HOLDS)
    down = down.when(Stand("Suori")).then(ConditionEnded("Suori", "prone"), ConditionEnded("Skeleton", "prone"))
    assert points(told, "Suori")[1] == 1


def test_a_drag_may_be_blocked():
    """dungeoneers.grapple.drag-blocked: Freya at (1,1) bars N; E is free, into the tile that the skeleton leaves."""
    told = holding(freya((1, 1)), movement_points=2)
    told.refused(Move("Suori", ("N",)), "dungeoneers.grapple.drag-blocked")
    told.when(Move("Suori", ("E",))).then(Moved("Suori", "move", 1, (1, 0, 0)), Placed("Skeleton", (2, 0, 0)))
    own = holding(freya((0, 1)), movement_points=2)
    own.refused(Move("Suori", ("N",)), "dungeoneers.movement.occupied")


def test_a_grappler_that_is_pushed_lets_go():
    """dungeoneers.grapple.moved-off-turn: B pushes Suori a tile; A stays."""
    told = turn_of(holding(skeleton((0, 1), "B")), "B")
    told = told.when(Push("B", "Suori"), [6, 1, 1]).then(Placed("Suori", (0, -1, 0)))
    told.ruled("dungeoneers.grapple.moved-off-turn")
    assert free(told)
    assert at(told, "Skeleton") == (1, 0)


def test_a_grappler_that_is_dragged_lets_go():
    """dungeoneers.grapple.moved-off-turn: the ogre drags Suori W; she loses the skeleton, which stays."""
    ogre = someone("Ogre", (-1, 0), side="giants", power=4, prowess=4, movement_points=2)
    told = turn_of(holding(ogre), "Ogre").when(Grapple("Ogre", "Suori"), [4, 4, 4, 4, 1, 1, 8])
    moved = told.when(Move("Ogre", ("W",), opportune=("none",)))
    moved.then(Placed("Suori", (-1, 0, 0))).ruled("dungeoneers.grapple.moved-off-turn")
    assert free(moved)
    assert at(moved, "Skeleton") == (1, 0)
    assert conditions(moved, "Suori") == {"grappled"}
    assert free(told.when(Face("Ogre", "S")))


def test_a_grappler_moved_by_the_game_master_between_turns_lets_go():
    """dungeoneers.grapple.moved-off-turn, dungeoneers.grapple.separated: on its own turn only if out of reach."""
    told = holding()
    assert not free(told.when(Adjust("Suori", "at", "0,1", "a tremor")))
    assert free(told.when(Adjust("Suori", "at", "0,5", "a portal")))
    assert free(turn_of(told, "Skeleton").when(Adjust("Suori", "at", "0,1", "a tremor")))


def test_breaking_free():
    """dungeoneers.grapple.break, dungeoneers.grapple.break-tie: 3 against 3 is enough."""
    told = turn_of(holding(), "Skeleton")
    broken = told.when(Disengage("Skeleton"), [1, 2, 3]).ruled("dungeoneers.grapple.break", "broken", [3, 3])
    assert "dungeoneers.grapple.break-tie" in clauses(broken)
    broken.then(ConditionEnded("Suori", "grappling"), ConditionEnded("Skeleton", "grappled"))
    assert rolls(broken) == [("Suori", "2d4", "hit"), ("Skeleton", "1d4", "dodge")]
    assert points(broken, "Skeleton")[0] == 0
    held = told.when(Disengage("Skeleton"), [1, 3, 3]).ruled("dungeoneers.grapple.break", "held", [3, 4])
    assert "dungeoneers.grapple.break-tie" not in clauses(held)
    held.then(no(ConditionEnded))
    assert not free(held)


def test_anyone_who_breaks_free_chooses_and_may_be_held_from_behind():
    """dungeoneers.grapple.break, dungeoneers.facing.rear-penalty: power 3; the skeleton faces E: 9 less 8 is 1."""
    told = fight(suori(), skeleton(power=3, facing="E")).when(Grapple("Suori", "Skeleton"), [4, 4, 1, 1, 1, 8])
    told = turn_of(told, "Skeleton").when(Disengage("Skeleton"), [1, 1, 3, 3, 3, 8])
    told.ruled("dungeoneers.grapple.break", "held", [1, 2])
    assert [roll[1] for roll in rolls(told)] == ["2d4", "3d4", "1d8"]


def test_nobody_holds_two_or_is_held_by_two():
    """dungeoneers.grapple.one-pair"""
    told = holding(skeleton((0, 1), "B"), freya((1, 1)))
    told.refused(Grapple("Suori", "B"), "dungeoneers.grapple.one-pair")
    turn_of(told, "Freya").refused(Grapple("Freya", "Skeleton"), "dungeoneers.grapple.one-pair")
    told.when(Grapple("Suori", "B"), [*HOLDS, 8], allow="a third arm").then(no(ConditionGained))


def test_a_grapple_ends_out_of_reach():
    """dungeoneers.grapple.separated: Freya pushes the skeleton from 1 to 2 tiles of Suori."""
    east = fight(suori(), freya((0, -1), facing="E"), skeleton((1, 0))).when(Grapple("Suori", "Skeleton"), HOLDS)
    east = turn_of(east, "Freya").when(Push("Freya", "Skeleton", keep_facing=True), [4, 4, 1])
    east.then(Placed("Skeleton", (2, 0, 0)), ConditionEnded("Suori", "grappling"))
    east.ruled("dungeoneers.grapple.separated")
    assert free(east)


def test_a_grapple_ends_with_either_or_the_fight():
    """dungeoneers.grapple.separated, dungeoneers.death.effects"""
    assert free(holding().when(Adjust("Skeleton", "down", "dead", "a stone")))
    assert free(holding().when(Adjust("Suori", "down", "dead", "a stone")))
    assert free(holding().when(Leave(("Skeleton",))))
    assert free(holding().when(End()))


def test_letting_go():
    """dungeoneers.grapple.release: free, on the own turn; movement does not come back."""
    told = holding()
    gone = told.when(Grapple("Suori", release=True)).then(ConditionEnded("Suori", "grappling"), no(Rolled))
    assert free(gone)
    assert points(gone, "Suori")[1] == 0
    gone.refused(Grapple("Suori", release=True), "dungeoneers.grapple.release")
    turn_of(told, "Skeleton").refused(Grapple("Suori", release=True), "dungeoneers.grapple.release")
    dead = told.when(Adjust("Suori", "down", "dead", "the game master says so"))
    dead.refused(Grapple("Suori", release=True), "dungeoneers.death.no-acting")


def test_defending_helps_against_a_grapple():
    """dungeoneers.defensive.extra-die"""
    told = turn_of(fight(skeleton(), suori()).when(Defend("Skeleton")), "Suori")
    assert rolls(told.when(Grapple("Suori", "Skeleton"), [1, 1, 1, 2]))[1] == ("Skeleton", "2d4", "dodge")


def test_a_held_one_may_still_attack():
    told = turn_of(holding(), "Skeleton").when(Attack("Skeleton", "Suori"), [1, 4, 4])
    told.then(no(PointsSet))


def test_a_grappler_that_moves_on_anothers_turn_lets_go():
    """dungeoneers.grapple.moved-off-turn: by an ability, moving, turning or rising: nobody follows it."""
    told = holding(movement_points=4).when(Prone("Suori"))
    told = turn_of(told, "Skeleton").when(Adjust("Suori", "movement", "1", "winged boots"))
    assert not free(told)
    moved = told.when(Move("Suori", ("W",), opportune=("none",)), allow="winged boots")
    moved.then(Moved("Suori", "move", 1, (-1, 0, 0)), no(Placed)).ruled("dungeoneers.grapple.moved-off-turn")
    assert free(moved)
    assert at(moved, "Skeleton") == (1, 0)
    turned = told.when(Face("Suori", "S"), allow="winged boots").then(Faced("Suori", "S"))
    assert free(turned)
    assert facing(turned, "Skeleton") == "N"
    risen = told.when(Stand("Suori"), allow="winged boots").then(ConditionEnded("Suori", "prone"))
    assert free(risen)


def test_anyone_who_moves_on_anothers_turn_does_not_turn_for_nothing():
    """dungeoneers.facing.automatic: on its own turn only."""
    told = turn_of(fight(suori(), skeleton((5, 5))), "Skeleton")
    told = told.when(Adjust("Suori", "movement", "1", "winged boots"))
    told.when(Move("Suori", ("W",)), allow="winged boots").then(Moved("Suori", "move", 1, (-1, 0, 0)), no(Faced))


def test_a_grapple_ends_when_the_reach_does():
    """dungeoneers.grapple.separated: Suori holds at 2 tiles with a glaive; put away, lost or swapped, she reaches 1."""
    armed = {"equipped": ["glaive"], "carried": ["dagger"], "action_points": 2}
    told = fight(suori(**armed), skeleton((2, 0))).when(Grapple("Suori", "Skeleton"), [6, 6, 1])
    assert not free(told)
    stowed = told.when(Stow("Suori", "glaive"))
    stowed.then(ConditionEnded("Suori", "grappling"), ConditionEnded("Skeleton", "grappled"))
    stowed.ruled("dungeoneers.grapple.separated")
    assert free(told.when(Draw("Suori", "dagger", instead=("glaive",))))
    assert free(told.when(Adjust("Suori", "dropped", "glaive@0,0", "it slipped")))
    assert free(told.when(Adjust("Suori", "no-equipped", "glaive", "it slipped")))
    assert free(told.when(Adjust("Suori", "no-item", "glaive", "it broke")))
    long = fight(suori(), skeleton((2, 0))).when(Effect(("Suori",), "long arms", 1, "threat-range", until="turn-start"))
    long = long.when(Grapple("Suori", "Skeleton"), HOLDS)
    assert free(long.when(Effect(("Suori",), "long arms", end=True)))
    assert free(turn_of(long, "Suori"))
    assert points(turn_of(long, "Suori"), "Suori")[1] == 1
    near = fight(suori((1, 0), **armed), skeleton((2, 0))).when(Grapple("Suori", "Skeleton"), [6, 6, 1])
    assert not free(near.when(Stow("Suori", "glaive")))


def test_a_loss_of_movement_is_not_halved():
    """dungeoneers.grappling.movement: 5 points, halved to 2 by the grapple; slowed by 2 they are 0, quickened by 2 they
    are 3. The next turn starts with 5 - 2 = 3, halved: 1; with -2 alone it starts with -2.
    """
    told = fight(suori(movement_points=5), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    assert points(told, "Suori")[1] == 2
    slowed = told.when(Effect(("Suori",), "mud", -2, "movement-points"))
    assert points(slowed, "Suori")[1] == 0
    assert points(told.when(Effect(("Suori",), "haste", 2, "movement-points")), "Suori")[1] == 3
    assert points(turn_of(turn_of(slowed, "Skeleton"), "Suori"), "Suori")[1] == 1
    lame = fight(suori(movement_points=-2), skeleton()).when(Grapple("Suori", "Skeleton"), [4, 4, 1])
    assert points(turn_of(turn_of(lame, "Skeleton"), "Suori"), "Suori")[1] == -2


def test_the_grappler_of_whom_somebody_breaks_free_chooses_its_weapon():
    """dungeoneers.grapple.break: Suori rolls the d4 of the warhammer, or the d6 of the shortsword: 2d6 against 1d4."""
    joining = (suori(equipped=["warhammer", "shortsword"]), skeleton())
    held = turn_of(fight(*joining).when(Grapple("Suori", "Skeleton"), [4, 4, 1]), "Skeleton")
    assert rolls(held.when(Disengage("Skeleton"), [1, 1, 1]))[0] == ("Suori", "2d4", "hit")
    sword = held.when(Disengage("Skeleton", with_="shortsword"), [6, 6, 4])
    assert rolls(sword)[0] == ("Suori", "2d6", "hit")
    sword.ruled("dungeoneers.grapple.break", "held")
