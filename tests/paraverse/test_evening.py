"""An evening at the well, from the book: four against six, five rounds. The numbers are computed by hand."""

import pytest

from ledger.events import Ruled
from tests.evening import Evening


@pytest.fixture
def evening(tmp_path, capsys) -> Evening:
    """`fixtures/paraverse/evening.fight`, played."""
    return Evening("paraverse", tmp_path)


def test_the_shots(evening: Evening):
    """paraverse.ranged.hit-if-higher: a tie misses, the broken arm keeps the lower of two, the ward adds 2."""
    hit = "paraverse.ranged.hit-if-higher"
    assert evening.ruled(hit, 18, 10) == 1  # Ildar 12 + 6, Vasko 9 + 1
    assert evening.ruled(hit, 14, 14) == 1  # Vasko 11 + 3, Ildar 10 + 4
    assert evening.ruled(hit, 9, 7) == 1  # Vasko's lower die 6 + 3, Ildar 3 + 4
    assert evening.ruled(hit, 12, 14) == 1  # Vasko 9 + 3, Sigrun 8 + 2 + 2 ward + 2 shield
    assert evening.ruled(hit, 20, 8) == 1  # Ildar 14 + 6, Vasko 7 + 1
    assert (evening.ruled(hit, 7, 5), evening.ruled(hit, 7, 8)) == (0, 1)  # as amended: Hakon 8 + 0, not 5


def test_the_damage(evening: Evening):
    """paraverse.damage.formula: base times the multiplier less armour."""
    damage = "paraverse.damage.formula"
    assert evening.ruled(damage, 13) == 1  # arrow 7 x 2 - 1
    assert evening.ruled(damage, 5) == 3  # axe 10 - 5 twice on Sigrun, spear 7 - 2 on Ildar
    assert evening.ruled(damage, 29) == 2  # claymore 10 x 3 - 1 on Thrall-1 and Thrall-3
    assert evening.ruled(damage, 18) == 1  # broadsword 7 x 3 - 3 on Reaver
    assert evening.ruled(damage, 20) == 2  # broadsword 7 x 3 - 1 on Thrall-2, arrow 7 x 3 - 1 on Vasko


def test_how_everybody_is_in_the_end(evening: Evening):
    """paraverse.pain.accumulates, after one watch of rest: each of the living has 1 less."""
    pain, down, wounds = evening.state.pain, evening.state.harm.down, evening.state.wounds
    assert {who: pain.total(who) for who in evening.state.roster.order} == {
        "Sigrun": 1,  # 1 + 1 - 1
        "Ildar": 0,  # 2 + 1 - 2 prayed away - 1
        "Hakon": 0,  # 1 - 1; the amended shot missed him
        "Maelis": 0,
        "Reaver": 3,  # 4 - 1
        "Vasko": 8,  # 13/4 is 4, 20/4 is 5, less 1: his bleeder was treated before the watch
        "Thrall-1": 10,  # 29/3; the dead do not rest
        "Thrall-2": 6,  # 20/3 is 7, less 1
        "Thrall-3": 9,  # 29/3 is 10, less 1
    }
    assert {who: one.how for who, one in down.items()} == {
        "Thrall-1": "dead", "Thrall-2": "unconscious", "Thrall-3": "unconscious", "Vasko": "unconscious",
    }  # fmt: skip
    assert [wounds.names(who) for who in ("Thrall-1", "Thrall-3", "Reaver", "Vasko")] == [
        ("crushed-torso",), ("severed-leg",), ("skull-fracture",), ("fractured-arm",),
    ]  # fmt: skip


def test_what_the_game_master_let_through(evening: Evening):
    """paraverse.gm.allow: an attack out of turn, and two on one; exactly these two clauses."""
    assert evening.overruled() == ["paraverse.planning.closed", "paraverse.assign.gang-up"]
    assert evening.ruled("paraverse.skirmish.rolls", 12, 9) == 1  # Thrall-4 11 + 1, Ildar evades 5 + 4


def test_nobody_fights_in_a_full_fight_and_nobody_is_held_who_got_away(evening: Evening):
    """paraverse.assign.many-on-many, paraverse.disengage.win: Thrall-2's attack is lost; two are free and run."""
    outcomes = [(event.clause, event.who, event.outcome) for event in evening.events if isinstance(event, Ruled)]
    lost = ("paraverse.assign.many-on-many", "Thrall-2", "Sigrun is one of several against Reaver")
    assert lost in outcomes
    assert [who for clause, who, _ in outcomes if clause == "paraverse.disengage.win"] == ["Maelis", "Thrall-4"]
    assert evening.state.roster.members.keys() == {
        "Sigrun", "Ildar", "Hakon", "Maelis", "Reaver", "Vasko", "Thrall-1", "Thrall-2", "Thrall-3",
    }  # fmt: skip
    assert evening.is_sound()
