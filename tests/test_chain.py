"""The chain: anybody can check it, and no two different entries share a digest."""

import hashlib

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Note
from ledger.chain import GENESIS, Entry, digest
from tests.shell import digest_by_the_book, foreign, say

ENTRY = Entry(
    entry=7, after=4, command=7, origin=7, drawn=12, recorded_at="2026-05-01T18:30:00Z", by="Zoë",
    typed="note 'hi'", program="affray 0.1.0", once="", bodies=('{"event":"noted","text":"hi"}',),
)  # fmt: skip


def test_the_digest_is_sha_256_over_frames_of_length_and_bytes():
    """Written out by hand, frame by frame."""
    frames = (
        b"\0\0\0\0\0\0\0\x0eaffray entry 1"
        + b"\0\0\0\0\0\0\0\x40" + b"0" * 64
        + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x014" + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x017"
        + b"\0\0\0\0\0\0\0\x0212"
        + b"\0\0\0\0\0\0\0\x142026-05-01T18:30:00Z"
        + b"\0\0\0\0\0\0\0\x04Zo\xc3\xab"
        + b"\0\0\0\0\0\0\0\x09note 'hi'"
        + b"\0\0\0\0\0\0\0\x0caffray 0.1.0"
        + b"\0\0\0\0\0\0\0\0"
        + b"\0\0\0\0\0\0\0\x011"
        + b'\0\0\0\0\0\0\0\x1d{"event":"noted","text":"hi"}'
    )  # fmt: skip
    assert digest(GENESIS, ENTRY) == hashlib.sha256(frames).hexdigest()


def test_nothing_stands_before_the_first_entry_but_64_zeros():
    assert GENESIS == "0" * 64


def test_a_stranger_with_the_page_in_hand_finds_the_same_digests(book: Book):
    """Sixteen lines, the page of the store and SQLite are enough to check a whole ledger."""
    for text in ("one", "Zoë", "it's"):
        say(book, Note(text), typed=f"note {text}")
    db = foreign(book.store.path)
    previous, checked = "0" * 64, 0
    for row in db.execute(
        "SELECT entry, after, command, origin, drawn, recorded_at, by, typed, program, once, digest"
        " FROM entries ORDER BY entry"
    ).fetchall():
        bodies = [body for (body,) in db.execute("SELECT body FROM events WHERE entry = ? ORDER BY seq", row[:1])]
        previous = digest_by_the_book(previous, row[:-1], bodies)
        assert previous == row[-1]
        checked += 1
    db.close()
    assert checked == 4


@pytest.mark.parametrize("other", [
    replace(ENTRY, by="Zo", typed="ënote 'hi'"),
    replace(ENTRY, by="", typed="Zoënote 'hi'"),
    replace(ENTRY, program="affray 0.1.", once="0"),
    replace(ENTRY, drawn=1, recorded_at="22026-05-01T18:30:00Z"),
    replace(ENTRY, command=77, origin=7),
    replace(ENTRY, bodies=('{"event":"noted",', '"text":"hi"}')),
    replace(ENTRY, bodies=(*ENTRY.bodies, "")),
    replace(ENTRY, bodies=()),
])  # fmt: skip
def test_a_byte_that_moves_to_the_next_field_changes_the_digest(other: Entry):
    assert digest(GENESIS, other) != digest(GENESIS, ENTRY)


def test_every_digest_depends_on_the_one_before():
    assert digest("1" + GENESIS[1:], ENTRY) != digest(GENESIS, ENTRY)
