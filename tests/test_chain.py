"""The chain: anybody can check it, and no two different entries share a digest."""

import hashlib
import hmac

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Note
from ledger.chain import GENESIS, Blinds, Entry, digest, leaf, leaves
from tests.shell import KEY, digest_by_the_book, foreign, say

ENTRY = Entry(
    entry=7, after=4, command=7, origin=7, drawn=12, hidden=3, recorded_at="2026-05-01T18:30:00Z", by="Zoë",
    typed="note 'hi'", program="affray 0.1.0", once="", bodies=('{"event":"noted","text":"hi"}',), splits=(16,),
)  # fmt: skip
BLINDS = Blinds(KEY)


def linked(entry: Entry, previous: str = GENESIS) -> str:
    return digest(previous, entry, leaves(entry, BLINDS))


def test_the_digest_is_sha_256_over_frames_of_length_and_bytes():
    """Written out by hand, frame by frame, with 32 bytes in place of each of the four leaves."""
    frames = (
        b"\0\0\0\0\0\0\0\x0eaffray entry 1"
        + b"\0\0\0\0\0\0\0\x40" + b"0" * 64
        + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x014" + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x017"
        + b"\0\0\0\0\0\0\0\x142026-05-01T18:30:00Z"
        + b"\0\0\0\0\0\0\0\x0caffray 0.1.0"
        + b"\0\0\0\0\0\0\0\x80" + b"w" * 32 + b"c" * 32 + b"o" * 32 + b"x" * 32
    )  # fmt: skip
    of_parts = b"w" * 32 + b"c" * 32 + b"o" * 32 + b"x" * 32
    assert digest(GENESIS, ENTRY, of_parts) == hashlib.sha256(frames).hexdigest()


def test_a_leaf_is_sha_256_over_a_blind_and_what_it_covers():
    frames = b"\0\0\0\0\0\0\0\x10" + b"b" * 16 + b"\0\0\0\0\0\0\0\x05" + "Zoë.".encode() + b"\0\0\0\0\0\0\0\x01!"
    assert leaf(b"b" * 16, "Zoë.".encode(), b"!") == hashlib.sha256(frames).digest()


def test_the_leaves_of_an_entry_cover_its_words_its_counts_and_both_halves_of_each_event():
    """The blinds come from the campaign's key, the number of the entry and that of the event."""
    of_blinds = hmac.digest(KEY, b"blinds 0", "sha256")
    of_entry = hmac.digest(of_blinds, b"\0" * 7 + b"\x07", "sha256")
    first, second = (hashlib.sha256(of_entry + b"\0" * 7 + part).digest() for part in (b"\0", b"\x01"))
    assert leaves(ENTRY, BLINDS) == (
        leaf(first[:16], b"Zo\xc3\xab", b"note 'hi'", b"") + leaf(first[16:], b"12", b"3")
        + leaf(second[:16], b'{"event":"noted"') + leaf(second[16:], b',"text":"hi"}')
    )  # fmt: skip


def test_no_two_parts_of_a_campaign_share_a_blind():
    blinds = [one for entry in range(1, 9) for pair in BLINDS.of(entry, 5) for one in pair]
    assert len(set(blinds)) == len(blinds) == 8 * 6 * 2
    assert {len(one) for one in blinds} == {16}


def test_nothing_stands_before_the_first_entry_but_64_zeros():
    assert GENESIS == "0" * 64


def test_a_stranger_with_the_page_in_hand_finds_the_same_digests(book: Book):
    """The page of the store and SQLite are enough to check a whole ledger."""
    for text in ("one", "Zoë", "it's"):
        say(book, Note(text), typed=f"note {text}")
    db = foreign(book.store.path)
    previous, checked = "0" * 64, 0
    for row in db.execute("SELECT * FROM entries ORDER BY entry").fetchall():
        events = db.execute("SELECT body, split FROM events WHERE entry = ? ORDER BY seq", row[:1]).fetchall()
        previous = digest_by_the_book(KEY, previous, row[:-1], events)
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
    replace(ENTRY, bodies=('{"event":"noted",', '"text":"hi"}'), splits=(16, 1)),
    replace(ENTRY, bodies=(*ENTRY.bodies, ""), splits=(16, 0)),
    replace(ENTRY, bodies=(), splits=()),
    replace(ENTRY, splits=(15,)),
    replace(ENTRY, drawn=1, hidden=23),
])  # fmt: skip
def test_a_byte_that_moves_to_the_next_field_changes_the_digest(other: Entry):
    assert linked(other) != linked(ENTRY)


def test_every_digest_depends_on_the_one_before():
    assert linked(ENTRY, "1" + GENESIS[1:]) != linked(ENTRY)
