"""Where a number is just enough, or just not."""

import pytest
from msgspec import ValidationError, convert

from commands.action.as_written import Blow, Value, Written
from commands.action.damage import Damage
from commands.action.view import View
from commands.rules.aachen.pasted import sheet_of as by_aachen
from commands.rules.arkm.aim import Attack
from commands.rules.arkm.charge import Charge
from commands.rules.arkm.formations import Group
from commands.rules.arkm.movement import Move
from commands.rules.arkm.pasted import _effect, sheet_of
from commands.rules.arkm.pursuit import Pursue
from commands.rules.arkm.sheet import as_it_stands
from ledger.errors import UsageError
from ledger.events import Moved, Rolled, Ruled
from tests.kit import given

from .rounds import battle, goblins, hero
from .table import bran, damages, fighting, garrick, hp, impossible, melee, needed, ogre, orcs, troll
from .test_casting import miscast
from .test_movement import moving
from .test_naturals import ON_ORC, one_on_one
from .test_normal_men import against_orcs, orc


def test_a_natural_20_that_is_needed_hits_by_the_number():
    """arkm.to-hit.formula, arkm.natural-20.over-20-damage: 19 + 1 are 20, and nothing comes off 4 + 1."""
    told = one_on_one(bran(str=10), orcs(ac=-1, hp_max=9)).when(ON_ORC, [20, 4])
    told.ruled("arkm.to-hit.formula", "hit", [20, 20])
    assert (needed(told), damages(told)) == ([20], [5])
    *_, (damage,) = [event.numbers for event in told.events if isinstance(event, Ruled)]
    assert "arkm.natural-20.over-20-damage" not in [step.clause for step in damage.steps]


def test_a_wild_spell_near_one_alone_needs_no_die():
    """arkm.miscast.table, 5"""
    told = miscast(5, near=("Goblin-2",)).ruled("arkm.miscast.table", "it takes effect on Goblin-2")
    assert "wild spell" not in [event.purpose for event in told.events if isinstance(event, Rolled)]


def test_the_ranges_of_a_weapon_may_be_the_same():
    dart = {"id": "dart", "damage": "1d4", "kind": "thrown", "ranges": [10, 10, 10]}
    assert hp(given("arkm", bran(weapons=[dart])), "Bran") == 18
    with pytest.raises(UsageError, match="must rise"):
        given("arkm", bran(weapons=[{**dart, "ranges": [10, 9, 10]}]))


def test_who_has_as_many_points_as_the_most_joins():
    """And who says no most."""
    assert hp(given("arkm", bran(hp=18)), "Bran") == 18
    assert hp(given("arkm", bran(hp=18, hp_max=None)), "Bran") == 18
    with pytest.raises(UsageError):
        given("arkm", bran(hp=19))


def test_a_stat_block_as_it_is_now_says_how_many_points_are_left():
    """Where none are lost it says the most alone."""
    told = given("arkm", bran(hp_max=18))
    assert as_it_stands(View(told.state), "Bran").hp is None
    hurt = told.when(Damage("Bran", 3, "a fall"))
    assert as_it_stands(View(hurt.state), "Bran").hp == 15


def test_a_stat_block_as_it_is_now_names_a_group_that_is_not_its_own():
    told = battle(hero(), goblins(2), dice=[6, 5], phase="movement").when(Group(("Goblin-2",), "chasers"))
    assert [as_it_stands(View(told.state), who).group for who in ("Goblin-1", "Goblin-2")] == ["", "chasers"]


def test_a_move_to_where_one_stands_is_one_of_no_feet():
    """25 feet away, as near as 25 feet; and without a distance nobody knows how far."""
    told = moving(bran(), orcs()).when(Move("Bran", feet=0, to=("Orc",), within=25))
    told.when(Move("Bran", to=("Orc",), within=25)).then(Moved("Bran", "move", 0, measure="0 feet"))
    with pytest.raises(UsageError):
        told.when(Move("Bran", to=("Orc",), within=30))
    with pytest.raises(UsageError):
        moving(bran(), orcs()).when(Move("Bran", to=("Orc",)))


def test_what_a_hit_does_besides_is_kept_up_to_200_letters():
    assert _effect(Blow("bite", "1d6", "x" * 200)) == "x" * 200
    assert _effect(Blow("bite", "1d6", "x" * 201)) == ""


def test_a_pasted_creature_moves_600_feet_at_the_most_and_has_powers_of_1000_letters():
    powers = ("x" * 1000, "y" * 1001)
    entries, asked, _ = sheet_of(Written(move=Value(600, "MV 600"), special=powers))
    assert {entry.field: entry.value for entry in entries} == {"side": "monsters", "move": 600, "special": ["x" * 1000]}
    assert asked == []
    _, asked, _ = sheet_of(Written(move=Value(601, "MV 601")))
    assert [question.field for question in asked] == ["move"]
    blow = Blow("bite", "1d6", f"and {'x' * 201}")
    (weapons,) = [one.value for one in by_aachen(Written(routines=((blow,),)))[0] if one.field == "weapons"]
    assert weapons == [{"name": "bite", "damage": "1d6", "special": "x" * 200}]
    assert [entry.value for entry in by_aachen(Written(special=powers))[0] if entry.field == "special"] == [
        ["x" * 1000]
    ]


def test_who_has_one_attack_anyway_is_refused_more_by_the_level():
    """arkm.normal-men.attacks-by-level: for those who do not qualify too, and against any foes."""
    guard = against_orcs(bran(pc=False, level=1))
    guard.refused(Attack("Bran", orc(1, 2)), "arkm.normal-men.attacks-by-level", [2, 2])
    big = melee(fighting(bran(level=1), ogre(), troll()), ("Bran", "Ogre"), ("Bran", "Troll"))
    big.refused(Attack("Bran", ("Ogre", "Troll")), "arkm.normal-men.attacks-by-level", [2, 2])


def test_a_charge_of_no_feet_is_none():
    """25 feet away, and it ends 25 feet away."""
    told = moving(bran(), garrick()).when(Move("Bran", feet=0, to=("Garrick",), within=25))
    impossible(told, Charge("Garrick", "Bran", ends=25), "How far")


def test_contact_is_of_one_pursuer_and_one_who_flees():
    """arkm.retreat.faster-pursuer"""
    told = fighting(bran(), orcs(2))
    for who, target in ((("Orc-1", "Orc-2"), ("Bran",)), (("Bran",), ("Orc-1", "Orc-2"))):
        impossible(told, Pursue(who, target, contact="yes"), "of one pursuer and one")


@pytest.mark.parametrize(("feet", "taken"), [(-1, False), (0, True), (10_000, True), (10_001, False)])
def test_a_move_is_of_no_feet_or_of_10000_at_the_most(feet: int, taken: bool):
    try:
        convert({"who": "Bran", "feet": feet}, Move)
    except ValidationError:
        assert not taken
    else:
        assert taken
