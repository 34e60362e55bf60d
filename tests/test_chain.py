"""The chain: anybody can check it, and no two different entries share a digest."""

import hashlib
import hmac

import pytest
from msgspec.structs import replace

from commands.action.book import Book
from commands.action.common import Note
from ledger.chain import GENESIS, Blinds, Entry, covered, digest, leaf, leaf_of, sealed
from tests.shell import KEY, digest_by_the_book, foreign, say

ENTRY = Entry(
    entry=7, after=4, command=7, origin=7, drawn=12, hidden=3, recorded_at="2026-05-01T18:30:00Z", by="Zoë",
    typed="note 'hi'", program="affray 0.1.0", once="", bodies=('{"event":"noted","text":"hi"}',), splits=(16,),
)  # fmt: skip
BLINDS = Blinds(KEY)


def linked(entry: Entry, previous: str = GENESIS) -> str:
    return digest(previous, entry, *covered(previous, entry, BLINDS))


def test_the_digest_is_sha_256_over_frames_of_length_and_bytes():
    """Written out by hand, frame by frame, with 32 bytes in place of each of the four leaves."""
    frames = (
        b"\0\0\0\0\0\0\0\x0eaffray entry 1"
        + b"\0\0\0\0\0\0\0\x40" + b"0" * 64
        + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x014" + b"\0\0\0\0\0\0\0\x017" + b"\0\0\0\0\0\0\0\x017"
        + b"\0\0\0\0\0\0\0\x142026-05-01T18:30:00Z"
        + b"\0\0\0\0\0\0\0\x0caffray 0.1.0"
        + b"\0\0\0\0\0\0\0\x06secret"
        + b"\0\0\0\0\0\0\0\x80" + b"w" * 32 + b"c" * 32 + b"o" * 32 + b"x" * 32
    )  # fmt: skip
    of_parts = b"w" * 32 + b"c" * 32 + b"o" * 32 + b"x" * 32
    assert digest(GENESIS, ENTRY, "secret", of_parts) == hashlib.sha256(frames).hexdigest()


def test_a_leaf_is_sha_256_over_a_blind_and_what_it_covers():
    frames = b"\0\0\0\0\0\0\0\x10" + b"b" * 16 + b"\0\0\0\0\0\0\0\x05" + "Zoë.".encode() + b"\0\0\0\0\0\0\0\x01!"
    assert leaf(b"b" * 16, "Zoë.".encode(), b"!") == hashlib.sha256(frames).digest()


def framed(*texts: bytes) -> bytes:
    return b"".join(b"\0" * 7 + bytes([len(text)]) + text for text in texts)


def blinds(place: bytes, *texts: bytes) -> tuple[bytes, bytes]:
    """The digest before, the number of the entry, and all that is covered give the seed; seed and place two blinds."""
    of_blinds = hmac.digest(KEY, b"blinds 0", "sha256")
    seed = hmac.digest(of_blinds, framed(b"0" * 64, b"7", *texts), "sha256")
    both = hashlib.sha256(framed(seed, place)).digest()
    return both[:16], both[16:]


def test_the_leaves_of_an_entry_cover_the_open_halves_its_words_its_counts_and_each_closed_half():
    words, counts = (b"Zo\xc3\xab", b"note 'hi'", b""), (b"12", b"3")
    opened, closed = b'{"event":"noted"', b',"text":"hi"}'
    of_words, of_counts = blinds(b"0", opened, *words, *counts, closed)
    of_closed, _ = blinds(b"1", opened, *words, *counts, closed)
    of_open = hashlib.sha256(framed(opened)).digest()
    expected = [leaf(of_words, *words), leaf(of_counts, *counts), leaf(of_closed, closed)]
    assert [leaf_of(*part) for part in BLINDS.of(GENESIS, ENTRY).parts()] == expected
    assert covered(GENESIS, ENTRY, BLINDS) == ("", b"".join([of_open, *expected]))


def test_one_leaf_covers_the_open_halves_of_all_events():
    """Nobody leaves one of them out, so they need no blind: each is a frame, an empty one too."""
    entry = replace(ENTRY, bodies=('{"a":1}', "{}", '{"c":"ö"}'), splits=(6, 0, 9))
    of_open = hashlib.sha256(framed(b'{"a":1', b"", '{"c":"ö"'.encode())).digest()
    assert BLINDS.of(GENESIS, entry).leaves()[:32] == of_open
    assert len(BLINDS.of(GENESIS, entry).leaves()) == 6 * 32


def test_an_event_of_which_all_is_open_has_no_leaf_of_its_own():
    """Its open half is the whole event, in the leaf of all open halves; the blinds of the others move up."""
    whole, halved = b'{"event":"turn-ended","who":"A"}', (b'{"event":"noted"', b',"text":"hi"}')
    bodies = (whole.decode(), b"".join(halved).decode())
    entry = replace(ENTRY, bodies=bodies, splits=(len(whole), len(halved[0])))
    of_closed, _ = blinds(b"1", whole, halved[0], b"Zo\xc3\xab", b"note 'hi'", b"", b"12", b"3", halved[1])
    found = BLINDS.of(GENESIS, entry)
    assert found.parts()[2:] == [(of_closed, framed(halved[1]))]
    assert found.leaves()[:32] == hashlib.sha256(framed(whole, halved[0])).digest()
    assert len(found.leaves()) == 4 * 32


def test_a_secret_entry_has_one_leaf_over_all_of_its_leaves():
    body = b'{"event":"declared","verb":"note","said":{},"secret":true}'
    entry = replace(ENTRY, bodies=(body.decode(),), splits=(42,))
    of_parts = BLINDS.of(GENESIS, entry).leaves()
    assert len(of_parts) == 4 * 32
    found, _ = blinds(b"seal", body[:42], b"Zo\xc3\xab", b"note 'hi'", b"", b"12", b"3", body[42:])
    assert covered(GENESIS, entry, BLINDS) == ("secret", leaf(found, of_parts))


def test_no_blind_of_an_entry_is_that_of_another_which_differs_in_one_byte_anywhere():
    """A copy of the ledger is played on: its blinds open nothing of the original."""
    others = [
        replace(ENTRY, hidden=4),
        replace(ENTRY, bodies=('{"event":"noted","text":"ho"}',)),
        replace(ENTRY, entry=8),
    ]
    kept = {blind for blind, _ in BLINDS.of(GENESIS, ENTRY).parts()}
    assert len(kept) == 3
    for other in others:
        assert kept.isdisjoint(blind for blind, _ in BLINDS.of(GENESIS, other).parts())
    assert kept.isdisjoint(blind for blind, _ in BLINDS.of("1" * 64, ENTRY).parts())


def test_an_entry_is_secret_by_its_own_word_wherever_that_stands():
    """Also before the word for when it counts; not where a stat block, or a text, holds the same letters."""
    said = '{"event":"declared","verb":"note","said":%s,"secret":true%s}'
    assert sealed((said % ("{}", ""),)) == sealed((said % ("{}", ',"counts":"at the end"'),)) == "secret"
    words = r'{"sheets":[{"secret":true}],"text":"\"secret\":true}"}'
    assert sealed((said.replace(',"secret":true', "") % (words, ""),)) == ""


def test_an_entry_in_which_somebody_only_decides_what_to_do_is_sealed_with_their_name():
    """An open window is no plan, and nor is an action in which dice fell."""
    declared = '{"event":"declared","verb":"shoot","said":{"who":"Orc"}}'
    waits = '{"event":"awaited","kind":"declared","who":"Orc","verb":"shoot","said":{}}'
    window = waits[:-1] + ',"answerable":["Boffin"]}'
    fell = '{"event":"rolled","who":"Orc","purpose":"luck","about":"","dice":"1d6","faces":[3],"places":[0]}'
    assert sealed((declared, waits)) == "plan Orc"
    assert sealed((declared, window)) == sealed((declared, fell, waits)) == sealed((declared,)) == sealed(()) == ""
    assert sealed((declared, waits.replace("Orc", "Elf"))) == ""


def test_no_two_parts_of_a_campaign_share_a_blind():
    """Not at another place, in another entry, after another digest; nor for another text."""
    entries = [
        replace(ENTRY, entry=number, hidden=hidden, bodies=bodies, splits=(0,) * len(bodies))
        for number in (1, 2, 12) for hidden in (3, 13) for bodies in (("a",), ("b",), ("a", "a"))
    ]  # fmt: skip
    made = [BLINDS.of(previous, entry) for previous in (GENESIS, "1" * 64) for entry in entries]
    found = [blind for of_entry in made for blind in (*(blind for blind, _ in of_entry.parts()), of_entry.of_seal())]
    assert len({*found}) == len(found) == 2 * 3 * 2 * (4 + 4 + 5)
    assert {len(one) for one in found} == {16}


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


def test_damaged_events_have_no_seal():
    """No digest fits them, and `verify` says so: it does not stop."""
    waits = '{"event":"awaited","kind":"declared","who":"Ann"}'
    for damaged in ('{"event":"declared","said":{"who"', "[]", '"x"', "3", '{"event":"declared","said":[]}'):
        assert sealed([damaged, waits]) == ""
