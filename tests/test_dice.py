"""Dice: anybody who holds the key can check each face."""

import hashlib
import hmac as standard_hmac
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.action.dice_sources import Dice, Question, stream
from ledger import hashing
from ledger.dice import MOST_DICE, MOST_SIDES, commitments, committed, face, new_key, parse
from ledger.errors import UsageError
from ledger.sqlite import SqliteStore
from tests.kit import answer
from tests.proof import face_by_the_book, secret_by_the_book
from tests.shell import ROOT, Shell, forge

VECTORS = json.loads((ROOT / "fixtures" / "dice-vectors.json").read_text())


def attempts(key: bytes, place: int, sides: int) -> int:
    """How many words are rejected before the first one that counts."""
    limit = (1 << 32) // sides * sides
    rejected = 0
    for attempt in range(1000):
        block = standard_hmac.digest(key, place.to_bytes(8, "big") + attempt.to_bytes(4, "big"), "sha256")
        for at in range(0, 32, 4):
            if int.from_bytes(block[at : at + 4], "big") < limit:
                return rejected
            rejected += 1
    raise AssertionError


def test_there_are_more_than_a_hundred_published_faces():
    assert VECTORS["format"] == 1
    assert len(VECTORS["faces"]) > 100
    assert {2, 3, 6, 7, 20, 100, 1000, 2**31 + 1, 3_000_000_000, 2**32} <= {
        sides for _, _, sides, _ in VECTORS["faces"]
    }


@pytest.mark.parametrize(("key", "place", "sides", "shown"), VECTORS["faces"])
def test_the_stream_shows_the_published_faces(key: str, place: int | str, sides: int, shown: int):
    """Twice: by the code, and by another implementation that knows only the page."""
    assert face(bytes.fromhex(key), int(place), sides) == shown
    assert face_by_the_book(bytes.fromhex(key), int(place), sides) == shown


def test_a_published_place_that_a_reader_with_floating_numbers_would_change_is_a_string():
    """JSON in JavaScript holds whole numbers up to 2^53 - 1; the largest place of all is 2^64 - 1."""
    written = {place for _, place, _, _ in VECTORS["faces"]}
    assert {type(place) for place in written if int(place) >= 2**53} == {str}
    assert {type(place) for place in written if int(place) < 2**53} == {int}
    assert str(2**64 - 1) in written


def test_among_the_published_faces_some_are_drawn_again():
    """One of them needs more than the eight words of its first block."""
    rejected = [attempts(bytes.fromhex(key), int(place), sides) for key, place, sides, _ in VECTORS["faces"]]
    assert sum(map(bool, rejected)) > 20
    assert max(rejected) >= 8


@pytest.mark.slow
@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**64 - 1), st.integers(2, 2**32))
def test_any_face_is_the_one_of_the_book(key: bytes, place: int, sides: int):
    shown = face(key, place, sides)
    assert 1 <= shown <= sides
    assert shown == face_by_the_book(key, place, sides)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100, MOST_SIDES])
def test_every_face_of_a_die_comes_up(sides: int):
    """Each of the accepted words belongs to exactly one face, and each face to as many words as every other."""
    accepted = 2**32 - 2**32 % sides
    assert accepted % sides == 0
    assert 2**32 - accepted < sides
    shown = {face(bytes(32), place, sides) for place in range(1, 12 * sides + 1)}
    assert shown == set(range(1, sides + 1))


def test_a_face_depends_on_its_place_alone():
    """Drawn in any order, any number of times, with anything between."""
    places = [5, 1, 9, 5, 2]
    assert [face(bytes(32), place, 20) for place in places] == [
        face_by_the_book(bytes(32), place, 20) for place in places
    ]


def test_the_stream_counts_on_and_never_back():
    dice = Dice(stream(bytes(32), 41))
    question = Question("", "a roll", "", 0, 0, 6)
    assert [answer(dice, question, False).place for _ in range(3)] == [42, 43, 44]


def test_a_commitment_is_the_hash_of_a_secret():
    """Of the open dice and of the hidden ones; the first entry has those of epochs 0 and 1."""
    for epoch in (0, 1, 12):
        secrets = [secret_by_the_book(bytes(32), hidden, epoch) for hidden in (False, True)]
        wanted = tuple(hashlib.sha256(secret).hexdigest() for secret in secrets)
        assert commitments(bytes(32), epoch) == wanted
        assert len({*secrets, *wanted}) == 4
    assert committed(bytes(32)) == (commitments(bytes(32), 0), commitments(bytes(32), 1))


def test_every_key_is_new():
    keys = Counter(new_key() for _ in range(50))
    assert len(keys) == 50
    assert {len(key) for key in keys} == {32}


# Hashing


@pytest.mark.parametrize(("key", "message", "digest"), [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
])  # fmt: skip
def test_hmac_gives_the_answers_of_rfc_4231(key: bytes, message: bytes, digest: str):
    """Test cases 1 to 4; the others have keys longer than a block, which no campaign has."""
    assert hashing.hmac(key, message).hex() == digest


def test_long_work_takes_openssl_which_gives_the_same(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hashing, "sha256", before := hashing.sha256)
    expected = hashing.digest(b"hi"), hashing.hmac(b"key", b"hi")
    hashing.in_bulk(999)
    assert hashing.sha256 is before
    hashing.in_bulk(1000)
    assert hashing.sha256 is hashlib.sha256
    assert (hashing.digest(b"hi"), hashing.hmac(b"key", b"hi")) == expected


@given(st.binary(max_size=64), st.binary(max_size=300))
def test_hmac_and_sha_256_are_those_of_the_standard_library(key: bytes, message: bytes):
    assert hashing.hmac(key, message) == standard_hmac.digest(key, message, "sha256")
    assert hashing.digest(message) == hashlib.sha256(message).digest()
    assert hashing.hexdigest(message) == hashlib.sha256(message).hexdigest()


# Writing dice


@pytest.mark.parametrize(("written", "sides", "constant"), [
    ("d20", (20,), 0),
    ("1d20", (20,), 0),
    ("2d6+1", (6, 6), 1),
    ("2D6 + 1d4 - 2", (6, 6, 4), -2),
    ("d20+3-1+10", (20,), 12),
    ("5", (), 5),
    ("-3", (), -3),
    ("-3+d6", (6,), -3),
    ("100d1000", (1000,) * 100, 0),
    ("d2+d3", (2, 3), 0),
    ("03d06", (6, 6, 6), 0),
])  # fmt: skip
def test_a_roll_is_read(written: str, sides: tuple[int, ...], constant: int):
    assert parse(written) == (sides, constant)


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        "d",
        "2d",
        "x",
        "2x6",
        "d6d6",
        "2d6+",
        "+",
        "-",
        "--1",
        "2d6++1",
        "-1d6",
        "d6-d4",
        "1.5d6",
        "d6.0",
        "²d6",
        "d²",
        "d1",
        "d0",
        "0d6",
        "d1001",
        "101d6",
        "50d6+51d6",
        "d9999999",
        "9999999",
        "2d6;",
        "2d6\x00",
        "\x1b[31m",
        "１d6",
        "9" * 5000,
        "d" * 5000,
        "2d6 drop 1",
        "d%",
    ],
)
def test_a_text_that_is_not_a_roll_is_refused(written: str):
    with pytest.raises(UsageError) as caught:
        parse(written)
    assert len(caught.value.message) < 200
    assert caught.value.message.isprintable()


@pytest.mark.slow
@settings(max_examples=300)
@given(st.text("d0123456789+- x", max_size=12))
def test_every_text_is_a_roll_within_bounds_or_refused(written: str):
    try:
        sides, constant = parse(written)
    except UsageError:
        return
    assert len(sides) <= MOST_DICE
    assert all(2 <= size <= MOST_SIDES for size in sides)
    assert abs(constant) < 10**8


def test_a_ledger_uses_no_place_that_not_every_reader_of_json_holds(table: Shell):
    """The last one is 2^53 - 1; somebody who changed the file is told so, and nothing is recorded."""
    for hidden, code in ((2**53 - 3, 0), (2**53 - 2, 5), (2**53 - 1, 5)):
        forge("test.affray", ("UPDATE entries SET hidden = ? WHERE entry = (SELECT max(entry) FROM entries)", [hidden]))
        answer = table("roll", "2d6")
        assert answer.code == code
        assert code == 0 or "there are no more." in answer.err
    assert SqliteStore.open("test.affray").head().entry == 2
