"""Random corrections: what every amendment of every fight must keep."""

import contextlib
import shlex
import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from commands.action import systems
from commands.action.book import Book, Order, events_of
from commands.action.common import Init
from commands.action.declaration import Declaration, shapes
from commands.action.dice_sources import Dice, program, stream
from commands.look.filters import Filters
from commands.past.acts import act_of
from commands.past.amend_proposal import Amendment, Inserted, propose, record
from commands.past.audit import audit
from commands.past.course import standing, tip
from commands.past.lacking_dice import Fresh, Spoken
from commands.past.perform import perform
from commands.past.undo import Redo, Undo, redo, undo
from commands.seen.record import Record
from commands.shell.cli import run
from commands.words.console import Console
from ledger.chain import secret
from ledger.dice import HIDDEN, OPEN, committed, dice_key
from ledger.errors import AffrayError
from ledger.events import Declared, Rolled
from ledger.sqlite import SqliteStore
from projections.state import State
from tests.kit import KEY, verb_of
from tests.script import Script

NOTHING = Fresh(Spoken(), Dice(faces=()))
"""No dice but those that were thrown."""


def first_dice(drawn: int, hidden: int) -> Dice:
    """The dice of a campaign before the first stir, as a ledger throws them."""
    return Dice(stream(lambda unseen: dice_key(secret(KEY, HIDDEN if unseen else OPEN, 0), ""), drawn, hidden))


def drawn(dice: Dice, before: tuple[int, int]) -> tuple[int, int]:
    """How many open and hidden dice of the program have fallen, of so many before an action."""
    places = [answer.place for answer in dice.given()]
    return max(before[0], *places, 0), max(before[1], *(-place for place in places), 0)


def recorded(system: str, said: Iterable[tuple[Declaration, str]], random: Random) -> State:
    """Records what was said, and what was allowed, in a new ledger: `verify` passes, and corrections can be made.

    Gives the state before the corrections.
    """
    with tempfile.TemporaryDirectory() as folder:
        book = Book(SqliteStore.create(f"{folder}/fight.affray", KEY))
        state = recorded_in(book, system, said)
        amended_at_random(book, random)
        book.store.close()
    return state


def recorded_in(book: Book, system: str, said: Iterable[tuple[Declaration, str]]) -> State:
    """Records what was said in a ledger without entries: `verify` passes. Gives the state."""
    perform(book, Order("init", Init("Random", system, committed(KEY))))
    acts = [perform(book, Order(verb_of(declaration), declaration, allow=allow)) for declaration, allow in said]
    assert audit(book).entries == len(acts) + 1
    return book.present()[1]


def amended_at_random(book: Book, random: Random, times: int = 3) -> int:
    """Corrects a fight some times, and counts how often that was possible. Its script leads to the same state."""
    possible = sum(_amended(book, random) for _ in range(times))
    check_played_again(book)
    return possible


def check_played_again(book: Book) -> None:
    """The commands that a fight is exported as, carried out in another ledger, come to the same state; only where a
    correction overruled the order the rules may refuse one.
    """
    said = (events_of(book.store.entry(entry))[0] for entry in standing(book.store, book.present()[0].entry))
    overruled = any(isinstance(one, Declared) and one.out_of_order for one in said)
    script = Script(Record(book, Filters()))
    opening, *commands = script.commands()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for path, content in script.files.items():
            Path(path).parent.mkdir(exist_ok=True)
            Path(path).write_text(content, encoding="utf-8")
        Path("again.txt").write_text("\n".join(commands), encoding="utf-8")
        assert run(["--ledger", "again.affray", *shlex.split(opening)]) == 0
        code = run(["--ledger", "again.affray", "run", "again.txt"])
        assert code in ((0, 1) if overruled else (0,))
        again = Book(SqliteStore.open("again.affray"))
        assert code or again.present()[1].encoded() == book.present()[1].encoded()
        again.store.close()


def check_amending_nothing(book: Book, entry: int) -> None:
    """Amending with nothing changed changes nothing."""
    head, present = book.present()
    nothing = propose(book, head, Amendment(entry), NOTHING)
    assert nothing.same, [result for result in nothing.results if not result.same]
    assert nothing.end.encoded() == present.encoded()


def _amended(book: Book, random: Random) -> bool:
    head, present = book.present()
    store = book.store
    stands = [entry for entry in standing(store, tip(store, head.entry)) if act_of(store.entry(entry))][1:]
    entry = random.choice(stands[-25:])
    check_amending_nothing(book, entry)
    before = list(store.entries(1, head.entry))
    try:
        proposal = propose(book, head, _correction(book, random, entry), NOTHING)
        if proposal.same:
            return False
        again = partial(propose, book, head, proposal.amendment, Fresh(Spoken(), Dice(program(store, head))))
        recorded, last = record(book, proposal, Order("amend", Undo()), again)
    except AffrayError:
        assert book.present() == (head, present)
        return False
    assert last == head.entry + 1 + sum(bool(result.events) for result in recorded.results)
    assert list(store.entries(1, head.entry)) == before
    assert Book(store).present()[1] == book.present()[1] == recorded.end
    assert audit(book).state_digest == recorded.end.digest()
    console = Console(json=True)
    console.book = book
    undo(console, Undo())
    assert Book(store).present()[1].encoded() == present.encoded()
    if random.random() < 0.7:
        redo(console, Redo())
        assert book.present()[1].encoded() == recorded.end.encoded()
    assert audit(book).entries == store.head().entry
    return True


def _correction(book: Book, random: Random, entry: int) -> Amendment:
    """A random correction, sensible or not."""
    act = act_of(book.store.entry(entry))
    assert act
    state = book.state_at(book.store.after(entry))
    by_hand = [face for event in act.before if isinstance(event, Rolled) for face in event.faces]
    if by_hand and not any(place for e in act.before if isinstance(e, Rolled) for place in e.places):
        return Amendment(entry, dice=tuple(random.randint(1, 6) for _ in by_hand), why="misread")
    kind = random.choice(["drop", "insert", "allow", "change", "change", "change"])
    if kind == "drop":
        return Amendment(entry, drop=True)
    if kind == "insert":
        return Amendment(entry, insert=(Inserted("note", {"text": "He was there all the time."}),))
    if kind == "allow":
        return Amendment(entry, allow="it is so")
    return Amendment(entry, change=_change(random, state, act.declared.verb, act.declared.said), allow="it is so")


def _change(random: Random, state: Any, verb: str, said: dict[str, Any]) -> dict[str, Any]:
    """Another fighter, number or choice in one field of a declaration."""
    _, declaration = systems.procedure(systems.find_verb(state.campaign.system, verb))
    change: dict[str, Any] = {}
    for field, shape in shapes(declaration):
        if shape.word == "fighter" and state.roster.order:
            change[field.name] = random.choice(state.roster.order)
        elif shape.word == "fighters" and state.roster.order:
            change[field.name] = (random.choice(state.roster.order),)
        elif shape.choices:
            change[field.name] = random.choice(shape.choices)
        elif shape.base is int:
            change[field.name] = random.randint(0, 9)
        elif shape.base is bool:
            change[field.name] = random.random() < 0.5
    wanted = random.sample(sorted(change), min(len(change), random.randint(1, 2)))
    return {name: change[name] for name in wanted if change[name] != said.get(name)}
