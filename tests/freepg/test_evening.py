"""An evening from the combat chapter, its numbers computed by hand in the comments of the story."""

from pathlib import Path

from tests.evening import Evening


def test_the_evening_comes_out_as_the_book_says(tmp_path: Path):
    """Damage 5, 8, 6+2+0+8, 6, 12, 3, 2, 11 for 3, 9, 3, 10, 4, 16, 6 (fall), 6, 12, 2, 4, 5 and 11."""
    evening = Evening("freepg", tmp_path, "the-evening")
    for clause, *totals in (
        ("freepg.attack.hit-test", 12 + 1 - 3, 8 + 2), ("freepg.attack.hit-test", 9, 12 + 1),
        ("freepg.heal.difficulty", 8 + 5, 13), ("freepg.move.fly-landing", 4, 10), ("freepg.turn.two-actions",),
        ("freepg.attack.hit-test", 14 + 4, 10 + 1),
    ):  # fmt: skip
        assert evening.ruled(clause, *totals), (clause, totals)
    assert "freepg.turn.out-of-turn" in evening.overruled()
    assert evening.is_sound()
    state = evening.state
    assert {who: hp.now for who, hp in state.harm.hp.items()} == {
        "Boffin": 28, "Jane": 46, "Tilda": 10, "Guard": 50, "Brak": 0,
        "Grub-1": 0, "Grub-2": 0, "Grub-3": 9, "Minion": 0,
    }  # fmt: skip
    assert {who: down.how for who, down in state.harm.down.items()} == dict.fromkeys(
        ("Brak", "Grub-1", "Grub-2", "Minion"), "dead"
    )
    assert (state.positions.at["Jane"], state.positions.at["Flames"]) == ((0, 3, 0), (4, 2, 0))
