"""Area attacks: their shape, and whom they reach."""

import pytest

from commands.rules.freepg.attack import Attack
from commands.rules.freepg.encounter import Begin
from ledger.errors import Refused
from ledger.events import HpLost, Rolled
from tests.hints import offered_by
from tests.kit import Told, no

from .table import RING, SWORD, boffin, brak, fight, grub, impossible, jane, table


def rolling(told: Told) -> list[str]:
    return [event.who for event in told.events if isinstance(event, Rolled)]


def test_a_radius_counts_the_origin():
    """freepg.area.shape: origin (0,0), radius 3: (2,-2) is in, (3,0) is out."""
    told = table(boffin(at=(0, 9)), grub(at=(2, -2)), grub(at=(3, 0), name="Orc"))
    told = told.when(Attack("Boffin", (), at=(0, 0, 0), radius=3), [15, 4])
    assert rolling(told) == ["Boffin", "Grub"]


def test_a_house_rule_counts_the_radius_beyond_the_origin():
    """freepg.area.shape: radius 1 is 3x3, without --radius it is one square all the same."""
    told = table(boffin(at=(0, 5)), grub(at=(0, 0)), grub(at=(1, 1), name="Orc"), area_radius="beyond-origin")
    assert rolling(told.when(Attack("Boffin", ("Grub",), radius=1), [15, 4, 4])) == ["Boffin", "Grub", "Orc"]
    assert rolling(told.when(Attack("Boffin", ("Grub",)), [15, 4])) == ["Boffin", "Grub"]


def test_a_radius_below_1_is_refused():
    """freepg.area.shape"""
    told = table(boffin(), grub())
    told.refused(Attack("Boffin", ("Grub",), radius=0), "freepg.area.shape")
    told.when(Attack("Boffin", ("Grub",), radius=0), [9, 4], allow="a pinprick").then(HpLost("Grub", 5, 15))


def test_height_belongs_to_the_area():
    """freepg.area.shape: a flyer two squares up is out of a radius of 2, and in one of 3."""
    told = table(boffin(at=(9, 0)), grub(at=(0, 0)), jane(at=(0, 1, 2)))
    assert rolling(told.when(Attack("Boffin", ("Grub",), radius=2), [9, 8])) == ["Boffin", "Grub"]
    assert rolling(told.when(Attack("Boffin", ("Grub",), radius=3), [9, 8, 8])) == ["Boffin", "Grub", "Jane"]


def test_anyone_who_stands_behind_another_is_shielded():
    """freepg.area.line-of-sight: creatures on (0,0), (1,0), (2,0); the second shields the third."""
    told = table(boffin(at=(0, 5)), grub(at=(0, 0)), brak(at=(7, 7)), jane(at=(1, 0)), grub(at=(2, 0), name="Orc"))
    told = told.when(Attack("Boffin", ("Grub",), radius=3), [15, 4, 4])
    assert rolling(told) == ["Boffin", "Grub", "Jane"]
    told.ruled("freepg.area.line-of-sight", "shielded", about="Orc")


def test_the_attacker_shields_unless_it_stands_on_the_origin():
    """freepg.area.line-of-sight"""
    told = table(boffin(at=(1, 0)), grub(at=(0, 0)), grub(at=(2, 0), name="Orc"))
    assert rolling(told.when(Attack("Boffin", ("Grub",), radius=3), [15, 4])) == ["Boffin", "Grub"]
    assert rolling(told.when(Attack("Boffin", (), at=(1, 0, 0), radius=2), [15, 4, 4])) == ["Boffin", "Grub", "Orc"]


def test_a_wall_shields_and_the_game_master_may_say_otherwise():
    """freepg.area.line-of-sight, freepg.los.elevation"""
    told = table(boffin(at=(0, 5)), grub(at=(0, 0)), jane(at=(2, 0)))
    told = told.when(Begin(map={"obstacles": [[1, 0]]}, unordered=True))
    area = Attack("Boffin", ("Grub",), radius=3)
    assert rolling(told.when(area, [15, 4])) == ["Boffin", "Grub"]
    over = Attack("Boffin", ("Grub",), radius=3, los=("clear@jane",))
    assert rolling(told.when(over, [15, 4, 4])) == ["Boffin", "Grub", "Jane"]
    under = Attack("Boffin", (), at=(0, 0, 0), radius=3, los=("clear", "blocked@grub"))
    assert rolling(told.when(under, [15])) == ["Boffin"]


def test_an_area_hits_friend_and_foe_with_one_die():
    """freepg.area.everyone: radius 2 on an orc beside Jane: 15-1-8 and 15-1-11."""
    told = table(boffin(at=(0, 0)), jane(at=(1, 1)), grub(at=(1, 0), name="Orc"))
    told = told.when(Attack("Boffin", ("Orc",), radius=2), [15, 8, 11])
    told.ruled("freepg.area.everyone", "in the area: Jane, Orc").then(HpLost("Jane", 6, 46), HpLost("Orc", 3, 17))


def test_nobody_outside_the_area_can_be_named():
    """freepg.area.everyone"""
    told = table(boffin(at=(0, 0)), jane(at=(1, 1)), grub(at=(9, 0)))
    told.refused(Attack("Boffin", ("Jane", "Grub"), radius=2), "freepg.area.everyone")
    told.when(Attack("Boffin", ("Jane", "Grub"), radius=2), [15, 9, 9], allow="a spark").then(HpLost("Grub", 5, 15))


def test_the_radius_that_reaches_all_is_offered_also_where_they_are_all_it_reaches():
    """freepg.area.everyone, freepg.area.shape: Grub is 3 squares from (5,0), and the first square is the origin."""
    told = table(boffin(at=(0, 0)), grub(at=(8, 0)))
    refused = refusal(told, Attack("Boffin", ("Grub",), at=(5, 0, 0), radius=2))
    assert offered_by(refused) == "affray attack Boffin Grub --at 5,0 --radius 4"


def test_a_big_body_is_hit_once_however_many_squares_are_affected():
    """freepg.area.everyone, freepg.enemy.footprint"""
    told = table(boffin(at=(0, 0)), brak(at=(1, 0))).when(Attack("Boffin", ("Brak",), radius=3), [15, 4])
    assert rolling(told) == ["Boffin", "Brak"]
    told.then(HpLost("Brak", 7, 23))


def test_without_places_the_defenders_are_those_named():
    """freepg.area.everyone: the radius is what the player says, here 18-3 less 6."""
    table(boffin(), grub(), jane()).when(Attack("Boffin", ("Grub",), radius=4), [18, 6]).then(HpLost("Grub", 9, 11))


def test_an_area_with_nobody_in_it_spends_the_attack():
    """freepg.attack.dice, freepg.area.everyone: only the attacker's die."""
    told = fight(boffin(at=(0, 0)), grub(at=(9, 9)), first="Boffin")
    told = told.when(Attack("Boffin", (), at=(3, 0, 0), radius=2), [15]).ruled(
        "freepg.area.everyone", "in the area: nobody"
    )
    assert told.state.points.left("Boffin", "attack") == 0


def test_the_attacker_is_never_among_its_targets():
    """freepg.area.not-attacker: even inside the area; and it cannot be named."""
    told = table(boffin(at=(0, 0)), grub(at=(1, 0)), jane(at=(2, 1)))
    told.refused(Attack("Boffin", ("Boffin",)), "freepg.area.not-attacker")
    assert rolling(told.when(Attack("Boffin", (), at=(1, 0, 0), radius=3), [15, 4, 4])) == ["Boffin", "Grub", "Jane"]


def test_the_attackers_own_square_can_be_the_origin():
    """freepg.area.own-square: 12 against 7, and 12+1-1-7."""
    told = table(boffin(SWORD, RING, at=(0, 0)), grub(at=(1, 0)))
    told = told.when(Attack("Boffin", (), at=(0, 0, 0), radius=2), [10, 7])
    told.ruled("freepg.attack.hit-test", "hit", [12, 7]).then(HpLost("Grub", 5, 15))


def test_an_area_has_one_range_penalty_to_its_origin():
    """freepg.range.definition: the origin is 3 away, its victims 2 and 4."""
    told = table(boffin(at=(0, 0)), grub(at=(2, 1)), grub(at=(4, 0), name="Orc"))
    told = told.when(Attack("Boffin", (), at=(3, 0, 0), radius=2), [15, 4, 4])
    told.ruled("freepg.attack.hit-test", "hit", [13, 4], about="Grub")
    told.ruled("freepg.attack.hit-test", "hit", [13, 4], about="Orc")


def test_an_attack_on_one_square_hits_everybody_on_it():
    """freepg.area.shape: an empty square may be attacked, too."""
    told = table(boffin(at=(0, 0)), grub(at=(1, 0))).when(Attack("Boffin", (), at=(0, 1, 0)), [15])
    told.then(no(HpLost))


def test_words_on_lines_are_checked():
    impossible(table(boffin(), grub()), Attack("Boffin", ("Grub",), los=("foggy",)), "says nothing")


def refusal(told: Told, declaration: Attack) -> Refused:
    with pytest.raises(Refused) as refused:
        told.when(declaration)
    return refused.value


def test_without_a_mat_several_targets_take_an_area_with_a_radius():
    """freepg.area.everyone, freepg.attack.radius-penalty: 15-1 less 4; one square holds one of them."""
    told = table(boffin(), grub(), grub(name="Orc"))
    for radius in (None, 1):
        refused = refusal(told, Attack("Boffin", ("Grub", "Orc"), radius=radius))
        assert (refused.clause, offered_by(refused)) == (
            "freepg.area.everyone",
            "affray attack Boffin Grub,Orc --radius 2",
        )
    told.when(Attack("Boffin", ("Grub", "Orc"), radius=2), [15, 4, 4]).then(HpLost("Grub", 10, 10))
    told.when(Attack("Boffin", ("Grub", "Orc")), [15, 4, 4], allow="a whirl").then(HpLost("Grub", 11, 9))
    beyond = table(boffin(), grub(), grub(name="Orc"), area_radius="beyond-origin")
    beyond.when(Attack("Boffin", ("Grub", "Orc"), radius=1), [15, 4, 4]).then(HpLost("Orc", 11, 9))


def test_a_friend_who_is_named_with_one_foe_is_hardly_meant():
    """freepg.area.everyone: only the foe is offered first, then an area with the friend in it; between foes none."""
    told = table(boffin(), jane(), grub(), grub(name="Orc"))
    offered = {names: offered_by(refusal(told, Attack("Boffin", names))).splitlines()[0] for names in (
        ("Grub", "Jane"), ("Jane", "Grub"), ("Grub", "Orc"), ("Grub", "Orc", "Jane"),
    )}  # fmt: skip
    assert offered == {
        ("Grub", "Jane"): "affray attack Boffin Grub",
        ("Jane", "Grub"): "affray attack Boffin Grub",
        ("Grub", "Orc"): "affray attack Boffin Grub,Orc --radius 2",
        ("Grub", "Orc", "Jane"): "affray attack Boffin Grub,Orc,Jane --radius 2",
    }
    beyond = table(boffin(), grub(), grub(name="Orc"), area_radius="beyond-origin")
    wide = offered_by(refusal(beyond, Attack("Boffin", ("Grub", "Orc")))).splitlines()[0]
    assert wide == "affray attack Boffin Grub,Orc --radius 1"


def test_a_refused_second_target_is_told_the_radius_that_reaches_it():
    """freepg.area.everyone: 3 squares from the origin take radius 4; behind somebody no radius helps. By the
    house rule one square beyond the origin takes radius 1.
    """
    told = table(boffin(at=(0, 0)), grub(at=(1, 0)), grub(at=(4, 2), name="Orc"), grub(at=(3, 0), name="Far"))
    refused = refusal(told, Attack("Boffin", ("Grub", "Orc")))
    assert offered_by(refused) == "affray attack Boffin Grub,Orc --radius 4"
    told = table(boffin(at=(0, 0)), grub(at=(1, 0)), grub(at=(2, 0), name="Orc"), grub(at=(3, 0), name="Far"))
    assert offered_by(refusal(told, Attack("Boffin", ("Grub", "Far")))) == "affray attack Boffin Grub"
    beyond = table(boffin(at=(0, 0)), grub(at=(1, 0)), grub(at=(2, 1), name="Orc"), area_radius="beyond-origin")
    refused = refusal(beyond, Attack("Boffin", ("Grub", "Orc")))
    assert offered_by(refused) == "affray attack Boffin Grub,Orc --radius 1"
