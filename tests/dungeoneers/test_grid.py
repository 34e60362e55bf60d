"""Distance, size, threat, hostility."""

import pytest

from commands.action import systems
from commands.action.adjust import Adjust
from commands.action.common import Join, Leave
from commands.rules.dungeoneers import bodies
from commands.rules.dungeoneers.attack import Attack
from commands.rules.dungeoneers.basics import Disengage, Grapple, Push
from commands.rules.dungeoneers.encounter import Begin, Done, Round, Turn
from commands.rules.dungeoneers.hands import Draw, Stow
from commands.rules.dungeoneers.movement import Move
from ledger.errors import UsageError
from ledger.events import ConditionEnded, ConditionGained, Faced, Moved, Placed, TruceMade
from projections import narration
from tests.hints import offered_by
from tests.kit import lines, no

from .table import (
    alberich,
    at,
    ended,
    fight,
    freya,
    hint_of,
    impossible,
    skeleton,
    someone,
    suori,
    table,
    threatened,
    turn_of,
)

BOW = {"equipped": ["short bow"], "ranks": {"bow": "D"}, "ammo": {"arrow": 1}}


@pytest.mark.parametrize(("there", "far"), [((2, 1), 2), ((4, 3), 4), ((-3, 2), 3), ((5, 5), 5)])
def test_a_diagonal_step_is_a_step(there, far):
    """dungeoneers.grid.distance: (0,0) to (2,1) is 2."""
    told = fight(suori(**BOW), skeleton(there, facing="W")).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    told.ruled("dungeoneers.attack.melee-or-ranged", "ranged", [far, 1])


def test_a_diagonal_neighbour_is_near():
    """dungeoneers.grid.distance: (0,0) to (1,1) is 1."""
    fight(suori(), skeleton((1, 1))).when(Attack("Suori", "Skeleton"), [1, 1, 4])


def test_distance_is_between_the_nearest_tiles():
    """dungeoneers.grid.distance: a large troll at (2,0) also takes (3,0): Suori at (4,0) is 1 away, at (5,0) 2."""
    troll = {"side": "giants", "size": "large"}
    fight(suori((4, 0)), someone("Troll", (2, 0), **troll)).when(Attack("Suori", "Troll"), [1, 1, 4])
    far = fight(suori((5, 0)), someone("Troll", (2, 0), **troll))
    far.refused(Attack("Suori", "Troll"), "dungeoneers.attack.requires-threat")


def test_small_creatures_share_a_tile():
    """dungeoneers.size.sharing: two small ones fill it; one small and two tiny, too."""
    small = {"size": "small"}
    told = table(someone("A", (0, 0), **small), someone("B", (0, 0), **small))
    told.refused(someone("C", (0, 0), **small), "dungeoneers.movement.occupied")
    told.refused(suori((0, 0)), "dungeoneers.movement.occupied")
    tiny = {"size": "tiny"}
    mixed = table(someone("A", (0, 0), **small), someone("B", (0, 0), **tiny), someone("C", (0, 0), **tiny))
    mixed.refused(someone("D", (0, 0), **tiny), "dungeoneers.movement.occupied")


def test_anyone_who_passes_over_a_full_tile_cannot_stay():
    """dungeoneers.movement.occupied, dungeoneers.size.sharing"""
    told = fight(suori(movement_points=2), freya((1, 0)))
    told.refused(Move("Suori", ("E",)), "dungeoneers.movement.occupied")
    on = told.when(Move("Suori", ("E",), allowed=True)).then(Moved("Suori", "move", 1, (1, 0, 0)))
    on.refused(Done(), "dungeoneers.size.sharing")
    on.when(Move("Suori", ("E",))).when(Done())
    table(suori(), freya()).refused(Begin(at=("Freya=0,0",)), "dungeoneers.size.sharing")


def test_the_sheet_of_one_whose_tile_is_taken_has_no_place_yet():
    told = table(suori(), someone("Freya")).then(no(Placed))
    assert "Freya" not in told.state.positions.at
    told = told.when(Begin(at=("Freya=3,4,SE",))).then(Placed("Freya", (3, 4, 0)), Faced("Freya", "SE"))
    impossible(fight(suori(), someone("Rat", side="vermin")), Attack("Suori", "Rat"), "no place")
    impossible(table(suori()), Begin(at=("Suori",)), "NAME=X,Y")


def test_several_of_a_kind_find_free_tiles_by_themselves():
    """Around Suori on (0,0), line by line from the south-west; a place that is said goes before, and none is shared."""
    told = table(suori()).when(Join(({"name": "Goblin", "side": "foes"},), count=4))
    assert [told.state.positions.at[f"Goblin-{nth}"] for nth in (1, 2, 3, 4)] == [
        (-1, -1, 0), (-1, 0, 0), (-1, 1, 0), (0, -1, 0)
    ]  # fmt: skip
    told = table(suori()).when(Join(({"name": "Goblin", "side": "foes"},), count=2, at=((-1, 0, 0),)))
    assert [told.state.positions.at[f"Goblin-{nth}"] for nth in (1, 2)] == [(-1, 0, 0), (-1, -1, 0)]
    told = table(Join(({"name": "Goblin", "side": "foes", "size": "small"},), count=3))  # who could stand two to a tile
    assert [told.state.positions.at[f"Goblin-{nth}"] for nth in (1, 2, 3)] == [(0, 0, 0), (-1, -1, 0), (-1, 0, 0)]


def test_a_newcomer_looks_where_it_is_said():
    """dungeoneers.facing.always: one word for all, or one for each."""
    goblin = {"name": "Goblin", "side": "foes"}
    told = table(Join((goblin,), count=2, facing="w"))
    assert told.state.facing.of == {"Goblin-1": "W", "Goblin-2": "W"}
    told = table(Join((goblin,), count=3, facing="S/NE"))
    assert told.state.facing.of == {"Goblin-1": "S", "Goblin-2": "NE", "Goblin-3": "N"}
    with pytest.raises(UsageError, match="facing"):
        table(Join((goblin,), facing="up"))
    with pytest.raises(UsageError, match="More facings are named"):
        table(Join((goblin,), facing="S/N"))


def test_anyone_who_has_no_place_is_offered_the_nearest_free_tile():
    """Beside Suori at (0,0), line by line from the south-west: (-1,-1) is Freya's, so (-1,0); then (-1,1)."""
    rat = someone("Rat", side="vermin")
    one = fight(suori(), freya((-1, -1)), rat)
    with pytest.raises(UsageError) as error:
        one.when(Attack("Suori", "Rat"))
    assert offered_by(error.value) == "affray adjust Rat at -1,0 'the reason'"
    two = fight(suori(), freya((-1, -1)), alberich((-1, 0)), rat)
    with pytest.raises(UsageError) as error:
        two.when(Attack("Suori", "Rat"))
    assert offered_by(error.value) == "affray adjust Rat at -1,1 'the reason'"


def test_threat_range():
    """dungeoneers.threat.range: a huge ogre 2, with a halberd 3; an effect adds to it."""
    ogre = {"side": "giants", "size": "huge", "ranks": {"axe": "B"}}
    bare = table(someone("Ogre", (0, 0), **ogre), suori((3, 0))).when(Begin())
    assert threatened(bare, "Suori") == ("Ogre",)  # its tile (1,0) is 2 away
    assert threatened(table(someone("Ogre", (0, 0), **ogre), suori((4, 0))).when(Begin()), "Suori") == ()
    armed = {**ogre, "equipped": ["halberd"], "power": 2}
    assert threatened(table(someone("Ogre", (0, 0), **armed), suori((4, 0))).when(Begin()), "Suori") == ("Ogre",)
    grown = {**ogre, "effects": {"threat_range": 2}}
    assert threatened(table(someone("Ogre", (0, 0), **grown), suori((5, 0))).when(Begin()), "Suori") == ("Ogre",)


def test_threat_begins_one_tile_away():
    """dungeoneers.threat.threatened: two tiles apart neither is; one tile closer both are."""
    told = fight(suori(), skeleton((2, 0)))
    assert threatened(told, "Suori") == threatened(told, "Skeleton") == ()
    near = told.when(Move("Suori", ("E",))).then(
        ConditionGained("Suori", "threatened", "move", whom=("Skeleton",)),
        ConditionGained("Skeleton", "threatened", "move", whom=("Suori",)),
    )
    assert "Suori is threatened by Skeleton; Skeleton by Suori" in lines(near.events)
    assert [
        one.tone
        for one in narration.told(near.events, systems.load("dungeoneers").verbs)
        if one.outcome.startswith("Suori is threatened")
    ] == ["aside"]
    apart = near.when(Disengage("Suori")).when(Adjust("Suori", "at", "-5,0", "a wave"))
    assert [one.who for one in apart.events if isinstance(one, ConditionEnded)] == ["Skeleton"]
    back = near.when(Adjust("Suori", "at", "-5,0", "a wave"))
    assert [one.who for one in back.events if isinstance(one, ConditionEnded)] == ["Suori", "Skeleton"]


def test_threat_need_not_be_mutual():
    """dungeoneers.threat.threatened, dungeoneers.weapon.threat-plus: a glaive reaches 2."""
    told = fight(suori(equipped=["glaive"]), skeleton((2, 0)))
    assert threatened(told, "Suori") == ()
    assert threatened(told, "Skeleton") == ("Suori",)


def test_a_long_weapon_reaches_only_while_it_is_equipped():
    """dungeoneers.weapon.threat-plus: a partisan makes it 2; stowed again it is 1. Stowing recalculates nothing."""
    lance = {"equipped": ["partisan"], "ranks": {"lance": "B"}, "action_points": 2}
    told = fight(suori(**lance), skeleton((2, 0))).when(Attack("Suori", "Skeleton"), [1, 1, 4])
    told = told.when(Stow("Suori", "partisan"))
    assert threatened(told, "Skeleton") == ("Suori",)
    told.refused(Attack("Suori", "Skeleton"), "dungeoneers.attack.requires-threat")
    told.when(Draw("Suori", "partisan")).when(Attack("Suori", "Skeleton"), [1, 1, 4])


def test_sides_are_hostile():
    """dungeoneers.threat.hostility"""
    told = fight(suori(), freya((1, 0)))
    for said in (Push("Suori", "Freya"), Grapple("Suori", "Freya"), Attack("Suori", "Freya")):
        told.refused(said, "dungeoneers.threat.hostility")
    told.when(Push("Suori", "Freya", hostile=True), [1, 1, 4, 4]).ruled("dungeoneers.push.roll", "failed", [2, 8])
    impossible(told, Attack("Suori", "Suori"), "themselves")


def test_a_truce_ends_hostility():
    """dungeoneers.threat.hostility: on beginning, or later by the game master."""
    told = table(suori(initiative=2), skeleton()).when(Begin(truce=("dungeoneers:undead",)))
    told.then(TruceMade("dungeoneers", "undead"), no(ConditionGained))
    fought = fight(suori(), skeleton()).when(Adjust("Suori", "truce", "undead", "a parley"))
    fought.refused(Attack("Suori", "Skeleton"), "dungeoneers.threat.hostility")
    again = fought.when(Adjust("Skeleton", "no-truce", "dungeoneers", "it failed"))
    again.when(Attack("Suori", "Skeleton"), [1, 1, 4])
    turned = fight(suori(), skeleton()).when(Adjust("Skeleton", "side", "dungeoneers", "charmed"))
    turned.refused(Attack("Suori", "Skeleton"), "dungeoneers.threat.hostility")
    impossible(table(suori()), Begin(truce=("dungeoneers:nobody",)), "two sides")


def test_threat_is_worked_out_after_every_tile_anybody_moves():
    """dungeoneers.threat.recalculate: Suori disengages; Freya's step brings it back."""
    told = fight(suori(), freya((5, 5)), skeleton()).when(Disengage("Suori")).then(ended("Suori", "threatened"))
    told = turn_of(told, "Freya")
    assert threatened(told, "Suori") == ()
    assert threatened(told.when(Move("Freya", ("N",))), "Suori") == ("Skeleton",)


def test_threat_is_worked_out_when_somebody_joins_or_is_moved_by_the_game_master():
    """dungeoneers.threat.recalculate"""
    told = fight(suori(), freya((5, 5)))
    assert threatened(told.when(skeleton()), "Suori") == ("Skeleton",)
    late = told.when(skeleton((9, 9)))
    assert threatened(late, "Suori") == ()
    assert threatened(late.when(Adjust("Skeleton", "at", "0,1", "a portal")), "Suori") == ("Skeleton",)


def test_the_dead_and_the_gone_threaten_nobody():
    """dungeoneers.threat.recalculate, dungeoneers.death.effects: the others' threats stay as they were."""
    told = fight(suori(), skeleton(), skeleton((0, 1), "Bones"))
    assert threatened(told, "Suori") == ("Skeleton", "Bones")
    assert threatened(told.when(Adjust("Bones", "down", "dead", "dust")), "Suori") == ("Skeleton",)
    assert threatened(told.when(Leave(("Skeleton",))), "Suori") == ("Bones",)
    risen = told.when(Adjust("Bones", "down", "dead", "dust")).when(Adjust("Bones", "down", "no", "it was a feint"))
    assert threatened(risen, "Suori") == ("Skeleton", "Bones")


@pytest.mark.parametrize(
    ("size", "capacity", "reach", "tiles"),
    [
        ("tiny", 0, 1, 1),
        ("small", 1, 1, 1),
        ("medium", 2, 1, 1),
        ("large", 3, 1, 2),
        ("huge", 4, 2, 3),
        ("massive", 5, 2, 4),
    ],
)
def test_the_table_of_sizes(size, capacity, reach, tiles):
    """dungeoneers.wounds.capacity, dungeoneers.threat.range"""
    row = bodies.SIZES[size]
    assert (row.wounds, row.threat, len(row.footprint)) == (capacity, reach, tiles)


def test_a_sheet_may_have_a_footprint_of_its_own():
    told = fight(suori((3, 0)), someone("Worm", (0, 0), side="vermin", footprint=[[0, 0], [1, 0], [2, 0]]))
    assert threatened(told, "Suori") == ("Worm",)
    assert at(told, "Worm") == (0, 0)


def test_anyone_who_cannot_leave_an_over_full_tile_is_told_how_to_go_on():
    """dungeoneers.size.sharing: with a point left she may move on; with none only the game master helps."""
    for base, hint in ((2, "affray move Suori N"), (1, "affray adjust Suori at 0,-1 'the reason'")):
        told = fight(suori(movement_points=base), freya((1, 0))).when(Move("Suori", ("E",), allowed=True))
        assert hint_of(told, Done()) == hint


def test_the_first_who_is_put_on_an_empty_map_stands_on_the_ground():
    """Suori takes the only place of a stat block, and leaves with it."""
    told = table(suori(None), freya(None), skeleton(None)).when(Leave(("Suori",)))
    told = told.when(Begin()).when(Round(), [2, 1]).when(Turn())
    with pytest.raises(UsageError) as error:
        told.when(Attack("Freya", "Skeleton"))
    assert offered_by(error.value) == "affray adjust Freya at 0,0 'the reason'"
