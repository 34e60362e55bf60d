"""given / when / then: a state, a declaration with its dice, and what must be recorded."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.declaration import Declaration
from commands.action.dice_sources import Answer, Dice, Question, stream
from commands.action.names import resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Again, Resolution
from commands.look.boards import read_board
from commands.past.acts import Act
from commands.past.answers import possible
from commands.past.order import Course
from commands.past.thrown import dice_of
from ledger.dice import committed
from ledger.errors import AffrayError, Refused
from ledger.events import CampaignBegan, Declared, Event, Number, Overruled, Passage, Rolled, Ruled
from projections.narration import told
from projections.state import State, fold
from tests import clauses, hints, refusals, truths

KEY = bytes(range(32))
"""The key of program dice in tests."""


class no(Struct):  # noqa: N801
    """In `then`: nothing of this kind was recorded."""

    kind: type[Event]


class Told:
    """The result of an action."""

    def __init__(
        self, state: State, events: Sequence[Event], before: State | None = None, last: Sequence[Event] = ()
    ) -> None:
        self.state = state
        self.events = tuple(events)
        clauses.note(self.events)
        self.before = state if before is None else before
        """As it was before the last action."""
        self.last = tuple(last) or self.events
        """The events of the last action: of one that an instant answered, without those of the instant."""

    def then(self, *expected: Event | no) -> "Told":
        """Each event was recorded, in this order, perhaps with others between; no event of a `no(Kind)` was. An
        expected event that names no maximum says nothing about it.
        """
        rest = iter(self.events)
        for one in expected:
            if isinstance(one, no):
                found = [event for event in self.events if isinstance(event, one.kind)]
                assert not found, f"unexpected: {found}"
            else:
                assert any(fits(event, one) for event in rest), f"missing or out of order: {one}\nin: {self.facts()}"
        return self

    def facts(self) -> list[Event]:
        """What was recorded besides words, dice and rulings."""
        return [event for event in self.events if not isinstance(event, Declared | Passage | Rolled | Ruled)]

    def ruled(
        self,
        clause: str,
        outcome: str | None = None,
        totals: Sequence[int] | None = None,
        about: str | None = None,
        **fields: Any,
    ) -> "Told":
        """A ruling by this clause has this outcome and these totals, and says this in other fields."""
        found = [event for event in self.events if isinstance(event, Ruled) and event.clause == clause]
        for event in found:
            fits = outcome in (None, event.outcome) and about in (None, event.about)
            fits = fits and all(getattr(event, field) == value for field, value in fields.items())
            if fits and (totals is None or [number.total for number in event.numbers] == list(totals)):
                return self
        raise AssertionError(f"no such ruling by {clause}; there are {[_brief(event) for event in found]}")

    def when(self, declaration: Declaration, dice: Iterable[int] = (), allow: str = "") -> "Told":
        """The next action; where several clauses refuse it, `allow` overrules all of them."""
        dice = tuple(dice)
        try:
            return _Given(self).when(declaration, dice, allow)
        except Refused as refused:
            if not refused.data.get("clauses"):
                raise
        return _Given(self).when(declaration, dice, f"all: {allow}")

    def refused(self, declaration: Declaration, clause: str, dice: Iterable[int] = ()) -> "Told":
        """A clause refuses this action; nothing changes."""
        _Given(self).refused(declaration, clause, dice)
        return self


def now_and_next(told: Told) -> tuple[list[str], list[str]]:
    """Who may act now, and what comes next."""
    board = read_board(told.state)
    return board.now, board.next


def lines(events: Sequence[Event], system: str = "") -> list[str]:
    """An entry as it is printed on a wide terminal: outcomes, and below each its arithmetic, indented. `system`: whose
    cards tell it, where those of another differ.
    """
    cards = systems.recorded_verbs(system) if system else verbs()
    return [line for one in told(events, cards) for line in one.lines]


@cache
def verbs() -> dict[str, cards.Verb]:
    """The cards of the verbs of all rule systems."""
    return {name: verb for system in systems.playable() for name, verb in systems.recorded_verbs(system).items()}


def fits(event: Event, expected: Event) -> bool:
    """Whether an event is the expected one. Where that names no maximum, any is right."""
    if getattr(expected, "most", None) == 0 and type(event) is type(expected):
        event = replace(event, most=0)
    return event == expected


def _brief(event: Ruled) -> tuple[str, str, list[int]]:
    return event.outcome, event.about, [number.total for number in event.numbers]


class _Given:
    def __init__(self, told: Told) -> None:
        self.told = told
        self.state = told.state

    def when(self, declaration: Declaration, dice: Iterable[int] = (), allow: str = "") -> Told:
        verb, said, source = verb_of(declaration), resolve_names(self.state, declaration), Dice(faces=list(dice))
        try:
            fight = resolve(Resolution(self.state, verb, said, source, allow, lambda: self.told.last))
        except Again:
            return self._instant(Declared(verb, to_builtins(said), allow, instant=True), source)
        except AffrayError as error:
            if "clauses" in error.data:
                raise
            hints.check(self.state, error, KEY)
            refusals.check(self.state.campaign.system, error)
            raise
        truths.check(self.state, fight.events, fight.state)
        return Told(fight.state, fight.events, self.state)

    def _instant(self, declared: Declared, new: Dice) -> Told:
        """The instant, and the last action on its own dice; the events of both."""
        last = self.told.last
        assert isinstance(last[0], Declared)
        dice = dice_of(last, last[0])
        course = (Act(declared), Act(last[0], 1, 1, last))
        results = Course(course, lambda act: dice if act.entry else {}, lambda _: new).results(self.told.before)
        first, second = map(possible, results)
        assert not new.rest, f"left over: {new.rest}"
        return Told(second.state, (*first.events, *second.events), first.state, second.events)

    def refused(self, declaration: Declaration, clause: str, dice: Iterable[int] = ()) -> Told:
        with pytest.raises(Refused) as refused:
            self.when(declaration, dice)
        assert refused.value.clause == clause, f"refused by {refused.value.clause}: {refused.value.message}"
        self._allowed(declaration, refused.value)
        return self.told

    def _allowed(self, declaration: Declaration, refused: AffrayError) -> None:
        """Plays a refused action again with --allow, so that its clause comes out in a ledger; where several clauses
        refuse, with all of them overruled.
        """
        then = self._played(declaration, "the game master")
        several = then.data.get("clauses", ()) if then else ()
        if several:
            then = self._played(declaration, "all: the game master")
        refusals.check_allowed(self.state.campaign.system, refused, [str(one) for one in several], then)

    def _played(self, declaration: Declaration, allow: str) -> AffrayError | None:
        """What refuses an action all the same, if anything does."""
        said = resolve_names(self.state, declaration)
        try:
            fight = resolve(
                Resolution(self.state, verb_of(declaration), said, Dice(stream(KEY)), allow, lambda: self.told.last)
            )
            clauses.note(event for event in fight.events if isinstance(event, Overruled))
        except Again:
            pass
        except AffrayError as error:
            return error
        return None


def given(
    system: str,
    *declarations: Declaration | tuple[Declaration, Sequence[int]],
    options: Mapping[str, Any] | None = None,
) -> Told:
    """The table after some declarations, with given dice or program dice."""
    state = fold(State(), [CampaignBegan("test", system, committed(KEY))])
    told = Told(state, ())
    from commands.action.common import Option

    for name, value in (options or {}).items():
        told = told.when(Option(name, str(value).lower() if isinstance(value, bool) else str(value)))
    for said in declarations:
        declaration, dice = said if isinstance(said, tuple) else (said, None)
        source = Dice(stream(KEY)) if dice is None else Dice(faces=list(dice))
        fight = resolve(Resolution(told.state, verb_of(declaration), resolve_names(told.state, declaration), source))
        truths.check(told.state, fight.events, fight.state)
        told = Told(fight.state, fight.events, told.state)
    return told


def verb_of(declaration: Declaration) -> str:
    """The verb that a declaration belongs to: its class name, in small letters with hyphens, or as two words."""
    name = type(declaration).__name__
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).lstrip()
    return words if words in systems.COMMON else words.replace(" ", "-")


def total(number: Number) -> int:
    """What the steps of a number come to, computed anew."""
    value = 0
    for step in number.steps:
        match step.op:
            case "+":
                value += step.value
            case "-":
                value -= step.value
            case "x":
                value *= step.value
            case "/down":
                value //= step.value
            case "/up":
                value = -(-value // step.value)
            case "max":
                value = max(value, step.value)
            case "min":
                value = min(value, step.value)
    return value


def answer(dice: Dice, question: Question, optional: bool = False) -> Answer | None:
    """The answer to one die."""
    return dice.answers((question,), optional)[0]
