"""The verb `done` in all rule systems: it ends the turn that is under way, and takes no name."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from commands.action import systems
from commands.action.book import Book
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, stream
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Event, PhaseBegan, RoundBegan, TurnBegan, TurnEnded
from ledger.sqlite import SqliteStore
from projections.state import State
from tests import hints
from tests.kit import KEY
from tests.sample import sampled
from tests.shell import ROOT, Shell

FIXTURES = ROOT / "fixtures"
WITH = [system for system in systems.SYSTEMS if "done" in systems.load(system).verbs]
WITHOUT = [system for system in systems.SYSTEMS if system not in WITH]


def said(system: str, **fields: object) -> Declaration:
    """The declaration."""
    _, kind = systems.procedure(systems.load(system).verbs["done"])
    return msgspec.convert(fields, kind)


def moments(system: str, shell: Shell) -> Iterator[tuple[int, State]]:
    """How every story of a system stands after each of its entries."""
    for story in sorted((FIXTURES / system).glob("*.jsonl")):
        shell.done("import", str(story), f"{story.stem}.affray")
        book = Book(SqliteStore.open(f"{story.stem}.affray"))
        for entry in range(1, book.store.head().entry + 1):
            yield entry, book.state_at(entry)


def done(state: State, **fields: object) -> tuple[tuple[Event, ...], State]:
    """What comes of it; where it is refused, what is offered works."""
    try:
        fight = resolve(Resolution(state, "done", said(state.campaign.system, **fields), Dice(stream(KEY))))
    except AffrayError as error:
        hints.check(state, error, KEY)
        raise
    return tuple(fight.events), fight.state


def tried(state: State) -> tuple[tuple[Event, ...], State] | AffrayError:
    """The same, or why not."""
    try:
        return done(state)
    except AffrayError as error:
        return error


def rests(system: str) -> bool:
    """Whether somebody of several who share a turn could be forgotten."""
    return hasattr(said(system), "pass_rest")


@pytest.mark.parametrize("system", WITH)
def test_there_is_nothing_to_end_outside_of_an_encounter(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    shell.refused("done", code=2, ledger="words.affray")


@pytest.mark.parametrize("system", WITH)
def test_it_names_nobody(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    shell.refused("done", "somebody", code=2)


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(WITH, 4))
def test_at_every_moment_it_ends_what_is_under_way_or_says_why_not(system: str, shell: Shell):
    """A turn that is under way ends, or those who could still act are named. Else no turn is under way."""
    ended = stopped = 0
    for entry, state in moments(system, shell):
        turns, answer = state.turns, tried(state)
        if isinstance(answer, Refused):
            assert answer.clause.startswith(f"{system}."), entry
            named = any(who in answer.message for who in (*state.roster.order, *turns.order))
            assert named or not turns.order, entry
            stopped += 1
        elif isinstance(answer, AffrayError):
            assert not turns.who or not state.encounter.running or "last phase" in answer.message, entry
            assert answer.message.startswith(("No encounter is", "No turn is", "This encounter is", "Everybody has"))
            stopped += 1
        else:
            events, after = answer
            assert state.encounter.running, entry
            assert any(isinstance(event, TurnEnded | TurnBegan | PhaseBegan | RoundBegan) for event in events), entry
            assert after.turns != turns
            ended += 1
    assert ended > 5, ended
    assert stopped > 5, stopped


@pytest.mark.slow
@pytest.mark.parametrize("system", sampled(WITH, 4))
def test_twice_in_a_row_it_never_ends_a_turn_twice(system: str, shell: Shell):
    """The second ends the turn that the first one began; where the first began none, it passes that of the next one, or
    says that no turn is under way.
    """
    seen = set()
    for entry, state in moments(system, shell):
        answer = tried(state)
        if isinstance(answer, AffrayError):
            continue
        _, after = answer
        seen.add(bool(after.turns.who))
        if after.turns.who:
            continue
        match tried(after):
            case UsageError(message=message):
                assert "No turn is under way" in message, entry
            case Refused(clause=clause):
                assert clause == "dungeoneers.ready.lapse", entry
            case _, again:  # between two turns the next one passes their turn
                assert not again.turns.who, entry
                assert again.turns.last not in (state.turns.who, after.turns.last), entry
    assert len(seen) == 1, "the next turn always begins at once, or never"
    (at_once,) = seen
    _, kind = systems.procedure(systems.load(system).verbs["done"])
    told = " ".join((kind.__doc__ or "").split())
    assert ("begins at once, as" in told) == at_once, "the help says when the next turn begins, and why"
    assert ("The next one begins with `turn`" in told) == (not at_once)


@pytest.mark.slow
@pytest.mark.parametrize("system", [system for system in WITH if rests(system)])
def test_those_who_share_a_turn_are_not_forgotten(system: str, shell: Shell):
    """Who could still act is named, --pass-rest is offered, and with it the turn ends."""
    named = 0
    for entry, state in moments(system, shell):
        answer = tried(state)
        if isinstance(answer, Refused) and "--pass-rest" in hints.offered_by(answer):
            assert re.search(r"(could|may) still act", answer.message), entry
            done(state, pass_rest=True)
            named += 1
    assert named


@pytest.mark.parametrize("system", WITHOUT)
def test_a_system_without_turns_says_so_by_its_book(system: str, shell: Shell):
    shell.done("init", "Words", "--system", system)
    shell.refused("done", code=1)


def test_very_many_who_could_still_act_are_counted(shell: Shell):
    """The refusal stays short, and what the way on costs, too."""
    shell.done("init", "test", "--system", "freepg")
    shell.done("join", "boffin")
    shell.done("join", "grub", "--count", "30")
    shell.done("begin")
    shell.done("initiative", "--dice", "1,20")
    shell.refused("done", clause="freepg.turn.two-actions")
