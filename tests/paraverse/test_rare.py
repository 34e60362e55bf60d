"""What seldom comes up at the table."""

import pytest

from .table import reaver, sigrun
from .test_skirmish import duel

CLAUSE = "paraverse.combat.no-natural-effects"


@pytest.mark.parametrize(("natural", "named"), [(1, True), (2, False), (19, False), (20, True)])
def test_only_a_natural_1_and_20_could_mean_something(natural: int, named: bool):
    """paraverse.combat.no-natural-effects: Sigrun rolls 10 + 6, Reaver the other."""
    told = duel([10, natural, 2], sigrun(), reaver())
    assert any(CLAUSE in getattr(event, "clauses", ()) for event in told.events) is named
