"""Random fights in PostgreSQL: each comes to the same bytes, digests and state as in a file.

A short fight of each rule system; long ones, with corrections, where `AFFRAY_EXPLORE` is set.
"""

import contextlib
import io
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from commands.action.book import Book
from commands.past.audit import Audit, audit
from commands.shell.cli import run
from commands.words.discovery import opened
from ledger.chain import Entry
from ledger.store import Store
from tests.aachen.test_random import Fight as AachenFight
from tests.arkm.test_random import Fight as ArkmFight
from tests.courses import amended_at_random, recorded_in
from tests.dungeoneers import test_properties as dungeoneers
from tests.engines import ENGINES, engine_named
from tests.freepg.test_fights import OPENING, SAID
from tests.kit import KEY
from tests.paraverse.test_random import Fight as ParaverseFight
from tests.shell import NOON

pytestmark = pytest.mark.slow

LONG = bool(os.environ.get("AFFRAY_EXPLORE"))
SEEDS = range(12) if LONG else (3,)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is always noon, so that nothing depends on the clock."""
    utc = SimpleNamespace(tm_gmtoff=0)
    noon = SimpleNamespace(strftime=lambda *_: NOON.rstrip("Z"), localtime=lambda: utc)
    monkeypatch.setattr("commands.action.book.time", noon)
    monkeypatch.setenv("AFFRAY_BY", "tester")


def aachen(store: Store, seed: int) -> Book:
    fight = AachenFight(seed, store)
    fight.play(10 if LONG else 1)
    return fight.book


def arkm(store: Store, seed: int) -> Book:
    fight, book = ArkmFight(seed), Book(store)
    fight.play(10 if LONG else 1)
    assert recorded_in(book, "arkm", fight.said).harm == fight.state.harm
    return book


def dungeoneer(store: Store, seed: int) -> Book:
    book = Book(store)
    dungeoneers.play(book, Random(seed), 10 if LONG else 1)
    return book


def paraverse(store: Store, seed: int) -> Book:
    fight, book = ParaverseFight(seed), Book(store)
    fight.play(10 if LONG else 1)
    assert recorded_in(book, "paraverse", fight.said).pain == fight.state.pain
    return book


Kept = tuple[Audit, bytes, list[tuple[Entry, str]]]
"""What an audit found, the state as bytes, and all entries with their digests."""


def kept(book: Book) -> Kept:
    """What is in a ledger."""
    found = audit(book)
    return found, book.present()[1].encoded(), [*book.store.entries(1, found.entries)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("play", [aachen, arkm, dungeoneer, paraverse])
def test_a_random_fight_and_its_corrections_are_the_same_on_every_engine(
    play: Callable[[Store, int], Book], seed: int, tmp_path: Path
):
    ends = []
    for name in ENGINES:
        engine = engine_named(name, tmp_path)
        place = engine.place()
        with contextlib.closing(engine.create(place, KEY)) as store:
            amended_at_random(play(store, seed), Random(seed), 3 if LONG else 1)
        with contextlib.closing(opened(place)) as again:
            ends.append(kept(Book(again)))
    assert len(ends[0][2]) > 15
    assert ends[0] == ends[1]


@any_of(said=st.lists(SAID, min_size=8, max_size=25 if LONG else 10))
@settings(max_examples=25 if LONG else 1)
def test_random_commands_are_answered_and_recorded_the_same_on_every_engine(said, tmp_path_factory):
    ends = []
    for name in ENGINES:
        place, told = engine_named(name, tmp_path_factory.mktemp(name)).place(), io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            codes = [
                run(["--ledger", place, *words])
                for words in (("init", "Random", "--system", "freepg", "--key", KEY.hex()), *OPENING, *said)
            ]
        with contextlib.closing(opened(place)) as store:
            ends.append((codes, told.getvalue().replace(store.path, "PLACE"), kept(Book(store))))
    assert ends[0] == ends[1]
