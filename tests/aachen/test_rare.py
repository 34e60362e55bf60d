"""What seldom comes up at the table."""

import pytest

from commands.action.adjust import Adjust
from commands.rules.aachen.encounter import Surprise
from commands.rules.aachen.healing import Heal
from commands.rules.aachen.instants import Ready, Trigger
from commands.rules.aachen.rolls import Check
from commands.rules.aachen.rounds import Initiative, Turn
from commands.rules.aachen.tables import Weapon
from ledger.errors import Refused, UsageError
from ledger.events import HpGained, InitiativeSet, Noted, Ruled
from tests.hints import offered_by

from .table import adalger, adjusted, begun, fight, gerlind, guard, impossible, waiting


def test_nobody_who_is_down_is_named_for_a_surprise():
    """aachen.damage.out-of-action"""
    told = adjusted(begun(adalger(), gerlind(), guard(), guard("Other")), "Adalger", "down", "unconscious")
    told.refused(Surprise("pc", by="Adalger"), "aachen.damage.out-of-action")
    told = adjusted(told, "Other", "condition", "surrendered")
    told.refused(Surprise("pc", against="Other"), "aachen.morale.failed")


def test_an_act_that_was_held_is_written_down():
    told = fight(adalger(), guard()).when(Ready("Adalger", "watch"))
    told.when(Trigger("Adalger", "act")).then(Noted("acts", "Adalger"))
    told.when(Trigger("Adalger", "act", text="bars the door")).then(Noted("bars the door", "Adalger"))


def test_a_healing_that_was_held_heals():
    """aachen.actions.hold: 5 and 3 are 8."""
    told = adjusted(fight(adalger(), gerlind(), guard()), "Gerlind", "hp", "5").when(Ready("Adalger", "heal her"))
    told.when(Trigger("Adalger", "heal", "Gerlind", magic=3)).then(HpGained("Gerlind", 3, 8))


@pytest.mark.parametrize(("amount", "said"), [(-3, True), (-2, False), (2, False), (3, True)])
def test_more_than_2_either_way_is_unusual(amount: int, said: bool):
    """aachen.check.circumstances"""
    told = fight(adalger(), guard()).when(
        Check("Adalger", "STR", "exert", difficulty=8, mod=(f"{amount}:mud",)), dice=[4, 4]
    )
    found = [event.outcome for event in told.events if isinstance(event, Ruled) and "usual 2" in event.outcome]
    assert found == ([f"{amount:+d} is more than the usual 2"] if said else [])


def test_nobody_helps_itself():
    """aachen.check.aid"""
    impossible(
        fight(adalger(), guard()),
        Check("Adalger", "STR", "exert", difficulty=8, aid=("Adalger",)),
        "Adalger cannot help",
    )


@pytest.mark.parametrize("word", ["Guard", "Guard=", "Guard=x", "Guard=1x", "Guard=²", "Guard=--1", "Guard=1000001"])
def test_a_score_is_a_name_and_a_number(word: str):
    told = fight(adalger(), guard())
    with pytest.raises(UsageError):
        told.when(Initiative((word,)))


@pytest.mark.parametrize(("word", "score"), [("Guard=-3", -3), ("guard=0", 0), ("Guard=1000000", 1_000_000)])
def test_a_score_may_be_below_0_and_up_to_a_million(word: str, score: int):
    fight(adalger(), guard()).when(Initiative((word,))).then(InitiativeSet("Guard", score))


def test_magic_is_offered_for_the_living_and_not_for_the_dead():
    """aachen.mortal.stabilise: nobody is mortally wounded here."""
    told = fight(adalger(), gerlind(), guard())
    with pytest.raises(Refused) as refused:
        told.when(Heal("Adalger", "Gerlind"))
    assert "--magic" in offered_by(refused.value)
    told = adjusted(told, "Gerlind", "down", "dead")
    with pytest.raises(Refused) as refused:
        told.when(Heal("Adalger", "Gerlind"))
    assert offered_by(refused.value) == ""


def test_who_is_down_is_offered_to_rise_before_he_is_engaged():
    told = adjusted(fight(adalger(), guard()), "Guard", "down", "unconscious")
    with pytest.raises(UsageError) as error:
        told.when(Adjust("Adalger", "engaged", "guard", "they fight"))
    assert offered_by(error.value).startswith("affray adjust Guard down no ")


def test_who_waits_in_the_own_turn_by_the_game_masters_word_ends_it():
    """aachen.round.one-turn-each, aachen.actions.delay"""
    told = fight(adalger(), gerlind(), guard()).when(Turn("Adalger"))
    told.refused(Turn("Adalger", after="Gerlind"), "aachen.round.one-turn-each")
    told = told.when(Turn("Adalger", after="Gerlind"), allow="he thinks again")
    assert told.state.turns.who == ""
    assert waiting(told) == ["Adalger", "Gerlind", "Guard"]


@pytest.mark.parametrize(
    ("damage", "dice", "constant", "most"),
    [("1d8", "1d8", 0, 8), ("1d8+2", "1d8", 2, 10), ("2d6-1", "2d6", -1, 11), ("1d6+1d4+3", "1d6+1d4", 3, 13)],
)
def test_the_damage_of_a_weapon_in_dice_and_the_most_of_it(damage: str, dice: str, constant: int, most: int):
    weapon = Weapon("club", damage)
    assert (weapon.dice, weapon.most) == ((dice, constant), most)
