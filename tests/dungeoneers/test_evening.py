"""An evening from the combat chapter, its numbers computed by hand in the comments of the story."""

from pathlib import Path

from tests.evening import Evening


def test_the_evening_comes_out_as_the_book_says(tmp_path: Path):
    """The book's 4 against 4 is a hit, and a tie sets the held free; who comes new to a kept tie alone rolls."""
    evening = Evening("dungeoneers", tmp_path, "the-evening")
    for clause, *totals in (
        ("dungeoneers.attack.hit-compare", 1 + 3, 4), ("dungeoneers.attack.pierce-compare", 2 + 3, 4),
        ("dungeoneers.grapple.break", 2, 1 + 1), ("dungeoneers.attack.pierce-compare", 4, 0 + 1 + 3),
        ("dungeoneers.wounds.order", 0), ("dungeoneers.spell-attack.compare", 1, 3),
        ("dungeoneers.initiative.tie-d10", 3, 7, 9),
    ):  # fmt: skip
        assert evening.ruled(clause, *totals), (clause, totals)
    assert evening.is_sound()
    state = evening.state
    bones = ("Skeleton-1", "Skeleton-2", "Skeleton-3", "Skeleton-4")
    assert [state.injuries.total(who) for who in bones] == [2, 2, 0, 0]
    assert (state.stress.total("Suori"), state.magica.left("Ulfarmi")) == (1, 6)
    assert [state.positions.at[who][:2] for who in ("Skeleton-1", "Skeleton-3", "Ulfarmi")] == [(4, 1), (3, 0), (-5, 0)]
    assert "mage armor" not in state.conditions.of.get("Suori", {})
