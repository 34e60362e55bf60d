"""Whole fights, said at random on the command line: whatever is said is refused whole or recorded whole."""

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action.book import Book
from commands.past.audit import audit
from commands.shell.cli import run
from ledger.events import decode
from ledger.sqlite import SqliteStore
from projections.state import State, fold
from tests import hints
from tests.courses import amended_at_random
from tests.gm import correction
from tests.kit import KEY
from tests.sample import FIGHTS

COMBATANTS = ("boffin", "jane", "tilda", "brak", "grub-1", "grub-2", "flames", "nobody")
NAMES = st.sampled_from(COMBATANTS)
SQUARE = st.tuples(st.integers(-1, 7), st.integers(-1, 5)).map(lambda at: f"{at[0]},{at[1]}")


def corrected(seed: int, allow: bool) -> tuple[str, ...]:
    """The words of any correction."""
    dice = Random(seed)
    said = correction(dice, "freepg", dice.choice(COMBATANTS), COMBATANTS)
    return "adjust", *said.who, said.field, said.value, said.why, *(("--allow", "so be it") if allow else ())


SAID = st.one_of(
    st.tuples(st.just("attack"), NAMES, NAMES),
    st.tuples(st.just("attack"), NAMES, NAMES, st.just("--allow"), st.just("it is so")),
    st.tuples(st.just("attack"), NAMES, st.just("--at"), SQUARE, st.just("--radius"), st.sampled_from("123")),
    st.tuples(st.just("attack"), NAMES, NAMES, st.just("--dice"), st.sampled_from(["20,3", "1", "12,9", "14", "21,2"])),
    st.tuples(st.just("move"), NAMES, st.just("--to"), SQUARE),
    st.tuples(st.just("move"), NAMES, st.just("--to"), SQUARE, st.just("--mode"), st.sampled_from(["run", "fly"])),
    st.tuples(st.just("heal"), NAMES, NAMES),
    st.tuples(st.just("check"), NAMES, st.just("--dt"), st.just("12")),
    st.tuples(st.just("effect"), NAMES, st.just("blessing"), st.just("--amount"), st.just("2")),
    st.tuples(st.just("adjust"), NAMES, st.just("hp"), st.sampled_from("019"), st.just("because")),
    st.builds(corrected, st.integers(0, 2**32), st.booleans()),
    st.builds(corrected, st.integers(0, 2**32), st.booleans()),
    st.sampled_from([("done",), ("done",), ("initiative",), ("undo",), ("undo",), ("redo",), ("end",), ("begin",)]),
    st.tuples(st.just("option"), st.just("opportunity_attacks"), st.sampled_from(["yes", "no"])),
    st.tuples(st.just("option"), st.just("weapon_slots"), st.sampled_from("12")),
)
OPENING = (
    ("join", "boffin", "--at", "0,0"),
    ("join", "jane", "--at", "0,2"),
    ("join", "tilda", "--at", "1,4"),
    ("join", "brak", "--at", "4,1"),
    ("join", "grub", "--called", "Grub-1", "--at", "2,1"),
    ("join", "grub", "--called", "Grub-2", "--at", "3,4"),
    ("join", "flames"),
    ("begin",),
    ("initiative",),
)


@pytest.mark.slow
@given(st.lists(SAID, min_size=5, max_size=25))
@settings(max_examples=4 * FIGHTS, deadline=None)
def test_whatever_is_said_the_record_is_whole_and_retells_itself(said):
    """Refused: the head is as before. Recorded: the chain, the rules and both ways of folding agree."""
    with tempfile.TemporaryDirectory() as folder:
        ledger, copy = str(Path(folder, "fight.affray")), str(Path(folder, "copy.affray"))
        assert run(["--ledger", ledger, "init", "Random", "--system", "freepg", "--key", "ab" * 32]) == 0
        for words in OPENING:
            assert run(["--ledger", ledger, *words]) == 0
        book = Book(SqliteStore.open(ledger))
        for words in said:
            before = book.store.head()
            hints.listen(book.present()[1], list(words), KEY)
            code = run(["--ledger", ledger, *words])
            assert code in (0, 1, 2, 3)
            assert book.store.head().entry == before.entry + (code == 0)
        found = audit(book)
        head = book.store.head()
        whole = fold(State(), map(decode, book.store.bodies(sorted(book.store.course(head.entry)))))
        assert whole.digest() == book.present()[1].digest() == found.state_digest
        assert run(["--ledger", ledger, "export", f"{folder}/out.jsonl"]) == 0
        assert run(["import", f"{folder}/out.jsonl", copy]) == 0
        assert audit(Book(SqliteStore.open(copy))) == found
        state = book.present()[1]
        assert all(hp.now > 0 or not state.stands(who) for who, hp in state.harm.hp.items())
        amended_at_random(book, Random(len(said)))
