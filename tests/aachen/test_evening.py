"""An evening on the tower stairs, from the book: four against six, five rounds. The numbers are computed by hand."""

import pytest

from ledger.events import Ruled, WaitingEnded
from tests.evening import Evening


@pytest.fixture
def evening(tmp_path, capsys) -> Evening:
    """`fixtures/aachen/evening.fight`, played."""
    return Evening("aachen", tmp_path)


def test_the_attacks(evening: Evening):
    """aachen.attack.hit-test: d20, attack bonus, attribute and skill against the Armor Class."""
    hit = "aachen.attack.hit-test"
    assert evening.ruled(hit, 15, 14) == 2  # Brun's hands 12 + 2 + 1 + 0; Adalger 9 + 4 + 1 + 1 on Guard-2
    assert evening.ruled(hit, 13, 13) == 1  # Gerlind 10 + 1 + 1 + 1 on a goblin
    assert evening.ruled(hit, 8, 11) == 1  # Goblin-2's sling 9 + 1 - 2 at 40 feet
    assert evening.ruled(hit, 16, 15) == 1  # Sergeant 11 + 3 + 1 + 1; the blow on Adalger of Guard-1 was taken back
    assert evening.ruled(hit, 15, 16) == 1  # Adalger 9 + 6 on the sergeant, turned by luck
    assert evening.ruled(hit, 16, 14) == 4  # Gerlind 13 + 3, Guard-1 15 + 1, the snap 19 + 1 - 4, the charge 8 + 6 + 2
    assert evening.ruled(hit, 8, 15) == 1  # the free attack of the sergeant 3 + 5
    assert evening.ruled(hit, 12, 13) == 1  # Sergeant 7 + 5 on Adalger, who charged: 15 - 2
    assert evening.ruled(hit, 16, 16) == 2  # Gerlind's amended 13 + 3, Adalger 10 + 6


def test_how_everybody_is_in_the_end(evening: Evening):
    """aachen.damage.roll, aachen.shock.on-miss"""
    hp = evening.state.harm.hp
    assert {who: hp[who].now for who in evening.state.roster.order} == {
        "Adalger": 13,  # 22 - 5 - 2 shock - 2 shock
        "Gerlind": 9,  # 11 - 5 + 3
        "Hedwig": 5,  # 9 - 4
        "Brun": 8,  # 15 - 4 - 3
        "Guard-1": 2,  # 6 - 2 squeezed - 2
        "Guard-2": 0,  # 6 - 4 - 5
        "Guard-3": 0,  # 6 - 6
        "Sergeant": 1,  # 15 - 7 - 7 - 9, stabilised, and revived with 1
        "Goblin-1": 0,  # 3 - 3
        "Goblin-2": 3,
    }
    assert {who: one.how for who, one in evening.state.harm.down.items()} == {
        "Guard-2": "dying", "Guard-3": "dying", "Goblin-1": "dead",
    }  # fmt: skip


def test_the_struggle(evening: Evening):
    """aachen.grapple.opposed, aachen.grapple.escape, aachen.grapple.round-damage, aachen.grapple.drag"""
    assert evening.ruled("aachen.grapple.opposed", 9, 6) == 1  # 4 + 5 against 3 + 4 - 1
    assert evening.ruled("aachen.grapple.escape", 9, 10) == 1  # 5 + 5 - 1 against 6 + 4
    assert evening.ruled("aachen.grapple.round-damage", 2) == 1  # 1 + 1
    assert evening.ruled("aachen.grapple.drag", 9, 4) == 1  # 5 + 4 against 2 + 3 - 1


def test_courage_and_care(evening: Evening):
    """aachen.morale.check, aachen.mortal.stabilise: the goblin runs from 8, Guard-1 gives up at 9."""
    outcomes = [(event.who, event.outcome) for event in evening.events
                if isinstance(event, Ruled) and event.clause == "aachen.morale.check"]  # fmt: skip
    assert [who for who, outcome in outcomes if outcome == "breaks"] == ["Goblin-2", "Guard-1"]
    assert evening.ruled("aachen.morale.triggers", 1, 6) == evening.ruled("aachen.morale.triggers", 3, 6) == 1
    assert evening.ruled("aachen.mortal.stabilise", 9, 9) == 1  # 4 + 3 + 1 + 1 in the round after the fall
    assert evening.ruled("aachen.mortal.stabilise", 10, 11) == 1  # 6 + 4, three rounds after


def test_what_the_game_master_let_through_and_what_lapsed(evening: Evening):
    """aachen.actions.budget, aachen.actions.charge: exactly these; and Hedwig's held action is lost by name."""
    assert evening.overruled() == ["aachen.actions.budget", "aachen.actions.charge"]
    lost = [event.who for event in evening.events if isinstance(event, WaitingEnded) and event.how == "lost"]
    assert lost == ["Hedwig"]
    assert evening.is_sound()
