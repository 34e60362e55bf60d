"""What seldom comes up at the table."""

import pytest

from commands.rules.paraverse.combat import Disengage, Move
from commands.rules.paraverse.drawing import Draw
from ledger.events import AreaEntered, Disengaged, Equipped, Overruled, Unequipped

from .table import ildar, opened, planning, reaver, said, sigrun, vasko
from .test_engagement import engaged
from .test_movement import HALL
from .test_skirmish import duel

CLAUSE = "paraverse.combat.no-natural-effects"


@pytest.mark.parametrize(("natural", "named"), [(1, True), (2, False), (19, False), (20, True)])
def test_only_a_natural_1_and_20_could_mean_something(natural: int, named: bool):
    """paraverse.combat.no-natural-effects: Sigrun rolls 10 + 6, Reaver the other."""
    told = duel([10, natural, 2], sigrun(), reaver())
    assert any(CLAUSE in getattr(event, "clauses", ()) for event in told.events) is named


@pytest.mark.parametrize(("phase", "late"), [("ranged", False), ("melee", True), ("misc", True)])
def test_who_sets_out_in_the_melee_was_elsewhere_when_it_opened(phase: str, late: bool):
    """paraverse.assign.same-area, paraverse.planning.closed: both are let through by one word of the game master."""
    told = opened(planning(sigrun(), vasko(area="yard"), ildar(), **HALL), phase)
    told = told.when(Move("Sigrun", "yard", engage="Vasko", arrive="ranged" if not late else "melee"), allow="late")
    let = [event.clause for event in told.events if isinstance(event, Overruled)]
    assert let == ["paraverse.planning.closed", *(["paraverse.assign.same-area"] if late else [])]
    told.then(AreaEntered("Sigrun", "yard"))


def test_a_disengagement_is_fought_by_its_own_verb():
    """paraverse.disengage.win: 13 + 2 against 10 + 4, as with `resolve`."""
    told = opened(said(engaged(), Disengage("Sigrun")), "melee")
    told = told.when(Disengage("Sigrun"), [13, 10]).ruled("paraverse.disengage.win", "free")
    told.then(Disengaged("Sigrun", "Reaver"))


def test_the_shield_is_put_away_after_the_weapon():
    """paraverse.weapon.free-change: with an axe for both hands no shield goes; the axe comes to hand last."""
    weapons = {"broadsword": {"use": "melee", "base": 7}, "zweihander": {"use": "melee", "base": 9, "hands": 2}}
    told = planning(sigrun(weapons=weapons, hand="broadsword"), reaver()).when(Draw("Sigrun", "zweihander"))
    told.then(Unequipped("Sigrun", "broadsword"), Unequipped("Sigrun", "shield"), Equipped("Sigrun", "zweihander"))


@pytest.mark.parametrize(
    ("flags", "move", "see", "oneway"),
    [("", True, True, False), (":move=yes:see=no", True, False, False), (":move=no:see=yes:oneway", False, True, True)],
)
def test_a_link_is_as_its_flags_say(flags: str, move: bool, see: bool, oneway: bool):
    """paraverse.move.link"""
    (link,) = planning(sigrun(), areas=["hall", "yard"], link=[f"hall:yard{flags}"]).state.areas.links
    assert (link.move, link.see, link.oneway) == (move, see, oneway)
