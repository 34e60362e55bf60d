"""Damaged bytes, in the file and in its indexes: no command breaks down, and none is wrong while verify says Sound."""

import os
import random
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.shell import Answer, Shell, foreign

pytestmark = pytest.mark.slow

LOOKS = (("status",), ("log", "--last", "0"), ("stats",), ("show", "e9"), ("undo", "--dry-run"))
"""What may not differ while the ledger is sound."""
WRITES = (("export", "x.jsonl"), ("export", "x.md"), ("note", "hi"), ("undo",), ("redo",), ("undo", "e5"))
FILES = int(os.environ.get("AFFRAY_DAMAGED", "60"))
"""How many files are damaged at random."""


@pytest.fixture
def whole(shell: Shell) -> bytes:
    """A fight that was undone, brought back, undone further and amended."""
    shell.done("demo", "freepg", "--file", "test.affray")
    for words in ("undo", "undo", "redo", "note a", "undo --to e20", "note b", "amend e12 --drop --apply --lose 1"):
        shell.done(*words.split())
    return Path("test.affray").read_bytes()


def told(shell: Shell, data: bytes, words: tuple[str, ...]) -> Answer:
    """What a command comes to on a ledger of these bytes."""
    Path("test.affray").write_bytes(data)
    for name in ("x.jsonl", "x.md"):
        Path(name).unlink(missing_ok=True)
    began = time.process_time()
    answer = shell._typed(*words)
    assert time.process_time() - began < 5, words
    assert answer.code in (0, 1, 2, 3, 5), (words, answer)
    assert len(answer.err) < 2000
    return answer


def test_flipped_bytes_break_no_command_and_change_no_answer_of_a_sound_ledger(shell: Shell, whole: bytes):
    right = {words: told(shell, whole, words) for words in LOOKS}
    chance = random.Random(14)
    for _ in range(FILES):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 1, 4, 20))):
            at = chance.randrange(len(data))
            data[at] = data[at] ^ (1 << chance.randrange(8)) if chance.random() < 0.6 else chance.randrange(256)
        sound = told(shell, bytes(data), ("verify",)).code == 0
        for words in (*LOOKS, *WRITES):
            answer = told(shell, bytes(data), words)
            assert not sound or words not in right or answer == right[words], words


def pages(data: bytes, name: str) -> list[int]:
    """Where the pages of an index lie in the file."""
    Path("test.affray").write_bytes(data)
    with closing(foreign("test.affray")) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [name]).fetchone()
    return list(range((root - 1) * size, root * size))


@pytest.mark.parametrize("index", ["jumps", "events_of", "resolved_again", "once", "milestones"])
def test_a_flipped_bit_of_an_index_is_found_and_nothing_follows_it_unseen(shell: Shell, whole: bytes, index: str):
    right = {words: told(shell, whole, words) for words in LOOKS}
    page = pages(whole, index)
    used = [at for at in page if whole[at]]
    for at in random.Random(index).sample(used, min(12, len(used))):
        data = bytearray(whole)
        data[at] ^= 1 << at % 8
        sound = told(shell, bytes(data), ("verify",)).code == 0
        for words in LOOKS:
            answer = told(shell, bytes(data), words)
            assert not sound or answer == right[words], words


def test_undo_never_follows_a_jump_that_its_rows_do_not_make(table: Shell):
    """e17 stands after e10. Each bit of what the index of jumps says of that is flipped once."""
    for number in range(2, 17):
        table.done("note", str(number))
    table.done("undo", "--to", "e10")
    table.done("note", "18")
    whole = Path("test.affray").read_bytes()
    record = bytes([4, 1, 1, 1, 17, 10, 17])
    assert whole.count(record) == 1
    right = {words: told(table, whole, words) for words in (("undo",), ("undo", "e9"), ("amend", "e9", "--text", "x"))}
    assert right["undo",].out == "undoes e18: 18  e19\n"
    for at in range(whole.index(record) + 4, whole.index(record) + 7):
        for bit in range(8):
            data = bytearray(whole)
            data[at] ^= 1 << bit
            assert told(table, bytes(data), ("verify",)).code == 5
            for words, answer in right.items():
                found = told(table, bytes(data), words)
                assert found == answer or found.code == 5, (words, found)


def test_the_index_itself_is_named(table: Shell):
    table.done("note", "a")
    with closing(foreign("test.affray")) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'entry - 1', 'entry - 2') WHERE name = 'jumps'")
    answer = table("verify")
    assert answer.code == 5
    assert "The index jumps is not as the format has it." in answer.out
