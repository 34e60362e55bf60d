"""Contact: who comes into it, what a move leaves, and how far a shot is."""

import pytest

from commands.action import ground
from commands.action.adjust import Adjust
from commands.action.view import View
from commands.rules.aachen.hands import Draw, Stow
from commands.rules.aachen.melee import Attack
from commands.rules.aachen.movement import Move, Retreat, Withdraw
from commands.rules.aachen.ranged import Shoot
from ledger.errors import Refused, UsageError
from ledger.events import Disengaged, Engaged, Equipped, HpLost, ItemLost
from tests.hints import offered_by
from tests.kit import no

from .table import (
    JAVELIN,
    SPEAR,
    SWORD,
    adalger,
    adjusted,
    begun,
    contact,
    fight,
    gerlind,
    guard,
    hp,
    impossible,
    next_round,
    passed,
    wolf,
)

CONTACT, FREE = "aachen.melee.contact", "aachen.melee.free-attack"
JAVELINS = gerlind(weapons=[JAVELIN])


def beset():
    """Gerlind, whose turn it is, is in contact with Guard and Wolf."""
    told = fight(gerlind(), guard(), wolf())
    return adjusted(adjusted(told, "Gerlind", "engaged", "Guard"), "Gerlind", "engaged", "Wolf")


def test_more_than_a_step_leaves_contact():
    """aachen.melee.contact: 30 feet leave both, who strike: 12 misses AC 13, 12 + 2 hits for 4."""
    told = beset().when(Move("Gerlind", 30), dice=[11, 12, 4])
    told.then(HpLost("Gerlind", 2, 9), HpLost("Gerlind", 4, 5), Disengaged("Gerlind", "Guard"))
    assert contact(told, "Gerlind") == set()


def test_a_step_stays_in_contact():
    """aachen.melee.contact: 5 feet leave nobody; with --leave they leave those who are named."""
    told = beset()
    assert contact(told.when(Move("Gerlind", 5)), "Gerlind") == {"Guard", "Wolf"}
    told = told.when(Move("Gerlind", 5, leave=("wolf",)), dice=[2]).then(no(HpLost))
    assert contact(told, "Gerlind") == {"Guard"}


def test_a_move_stays_with_those_whom_it_reaches():
    """aachen.melee.contact: 30 feet around Guard leave Wolf alone, who strikes: 2 + 2 misses."""
    told = beset().when(Move("Gerlind", 30, engage=("Guard",)), dice=[2]).then(no(Engaged))
    assert contact(told, "Gerlind") == {"Guard"}


def test_a_withdrawal_leaves_unstruck():
    """aachen.melee.fighting-withdrawal: a move without --leave after it gives no free attacks either."""
    told = beset().when(Withdraw("Gerlind")).when(Move("Gerlind", 30)).then(no(HpLost))
    assert contact(told, "Gerlind") == set()


def test_nobody_leaves_contact_without_a_step():
    """aachen.melee.contact: 0 feet leave nobody."""
    told = beset().refused(Move("Gerlind", 0, leave=("all",)), CONTACT)
    impossible(told, Move("Gerlind", 10, engage=("Wolf",), leave=("all",)), "leaves Wolf, or reaches Wolf")
    fight(gerlind(), guard()).when(Move("Gerlind", 0, leave=("all",)))
    told.refused(Retreat("Gerlind"), FREE)
    early = begun(gerlind(), guard()).when(Adjust(("Gerlind",), "engaged", "Guard", "she is grabbed"))
    with pytest.raises(Refused) as refused:
        early.when(Retreat("Gerlind"))
    assert offered_by(refused.value).splitlines()[0] == "affray adjust Gerlind no-engaged Guard 'the reason'"


def test_a_shot_from_five_feet_makes_contact():
    """aachen.melee.contact, aachen.ranged.one-handed-in-contact: 15 + 3 - 4 hits AC 14, and the two are in contact."""
    told = fight(JAVELINS, guard()).when(Shoot("Gerlind", "Guard", 5), dice=[15, 1]).then(Engaged("Gerlind", "Guard"))
    told.ruled("aachen.attack.hit-test", "hit", [14, 14])
    assert contact(fight(JAVELINS, guard()).when(Shoot("Gerlind", "Guard", 6), dice=[2]), "Gerlind") == set()


def test_in_contact_nobody_asks_how_far():
    """aachen.ranged.bands: a shot at somebody in contact is from 5 feet, and no other distance is right."""
    told = adjusted(fight(JAVELINS, guard(hp_max=20)), "Gerlind", "engaged", "Guard")
    told.when(Shoot("Gerlind", "Guard"), dice=[15, 1]).ruled("aachen.attack.hit-test", "hit", [14, 14])
    told.refused(Shoot("Gerlind", "Guard", 20), CONTACT)
    adjusted(told, "Gerlind", "no-engaged", "Guard").refused(Shoot("Gerlind", "Guard"), "aachen.ranged.bands")
    long = adjusted(fight(adalger(), guard()), "Adalger", "engaged", "Guard")
    long.refused(Attack("Adalger", "Guard", distance=10), CONTACT)


# What lies on the ground


def test_what_somebody_let_fall_can_be_picked_up():
    """aachen.actions.items: Guard's sword, for a move action; it is Gerlind's from then on, and Guard's no more."""
    told = fight(gerlind(skills={"stab": 0}), guard(), wolf()).when(Stow("Guard", "sword", drop=True))
    told = told.when(Draw("Gerlind", "sword"))
    assert told.state.points.left("Gerlind", "main") == 1
    assert told.state.points.left("Gerlind", "move") == 0
    assert not told.state.conditions.of.get("Guard")
    told = told.when(Attack("Gerlind", "Wolf", with_="sword"), dice=[11, 4]).then(HpLost("Wolf", 4, 5))
    impossible(passed(told, "Gerlind"), Draw("Guard", "sword", pick_up=True), "has no 'sword'")


def test_an_own_thing_on_the_ground_takes_a_move_action():
    """aachen.actions.items: without a word; and a shield that another let fall is worth to the finder what it was."""
    told = fight(adalger(weapons=[SPEAR]), guard(shield=True, ac=15)).when(Stow("Adalger", "spear", drop=True))
    told = told.when(Draw("Adalger", "spear")).then(Equipped("Adalger", "spear", drawn=True), no(ItemLost))
    assert (told.state.points.left("Adalger", "main"), told.state.points.left("Adalger", "move")) == (1, 0)
    told = fight(adalger(), guard(shield=True, ac=15)).when(Stow("Guard", "shield", drop=True))
    told = passed(told.when(Draw("Adalger", "shield")), "Adalger").when(Attack("Guard", "Adalger"), dice=[14])
    told.ruled("aachen.attack.hit-test", "miss", [15, 16])


def test_the_whole_name_of_a_thing_goes_before_the_beginning_of_another():
    """aachen.actions.items: a sword cane lies there, too, and is meant by the beginning that is its own."""
    told = fight(adalger(weapons=[]), guard(weapons=[{**SWORD, "name": "sword cane"}, SWORD]))
    for item in ("sword cane", "sword"):
        told = told.when(Stow("Guard", item, drop=True))
    assert [ground.meant(View(told.state), "Adalger", word) for word in ("Sword", "sword c")] == [
        [("Guard", "sword")], [("Guard", "sword cane")],
    ]  # fmt: skip


def test_a_shield_that_another_took_up_can_be_taken_back():
    """aachen.actions.items: the guard has none meanwhile; with it his Armor Class is 15 again."""
    told = fight(adalger(), guard(shield=True, ac=15)).when(Stow("Guard", "shield", drop=True))
    told = next_round(told.when(Draw("Adalger", "shield"))).when(Stow("Adalger", "shield", drop=True))
    told = next_round(passed(told, "Adalger").when(Draw("Guard", "shield"))).when(
        Attack("Adalger", "Guard"), dice=[9, 1]
    )
    told.ruled("aachen.attack.hit-test", "hit", [15, 15])


def test_the_own_sword_and_that_of_another():
    """aachen.actions.items: --pick-up means what lies there where the own one is in hand; it gets a name of its own."""
    told = fight(adalger(weapons=[SWORD]), guard()).when(Stow("Guard", "sword", drop=True))
    with pytest.raises(UsageError, match="already has sword in hand"):
        told.when(Draw("Adalger", "sword"))
    told = told.when(Draw("Adalger", "sword", pick_up=True))
    assert told.state.gear.equipped["Adalger"] == ("sword-2", "sword")
    assert hp(told, "Adalger") == 22
