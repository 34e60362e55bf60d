"""What is true of all that is recorded by any rules: names are names, words are words, facts change something, sums
come out, clauses stand in the book, and what is thrown and ruled while one acts upon another is about one of them.
"""

from collections.abc import Container, Iterator, Sequence

import msgspec

from commands.action.effects import called
from commands.look.clauses import clauses
from ledger.events import (
    Agreed,
    AmbientMagicaSpent,
    AmmunitionSpent,
    Awaited,
    ConditionGained,
    Counted,
    Declared,
    Event,
    Faced,
    Felled,
    HpGained,
    HpLost,
    InitiativeSet,
    MagicaGained,
    MagicaSpent,
    Moved,
    Noted,
    OrderSet,
    Overruled,
    PainEased,
    PainSuffered,
    Passage,
    PhaseBegan,
    PointsSet,
    PointsSpent,
    Rolled,
    RoundBegan,
    Ruled,
    StressEased,
    StressGained,
    TieBroken,
    TurnBegan,
    TurnEnded,
    WaitingEnded,
    WoundsHealed,
    WoundsSustained,
)
from projections.passages import passages
from projections.state import State, fold
from tests import losses, printed
from tests.purposes import is_name
from tests.vocabulary import is_known

WORDS = ("condition", "what", "kind", "item", "wound", "verb", "purpose", "modifies", "how", "clause")
"""Fields that never hold the name of somebody."""
OF_RULES: dict[type[Event], tuple[str, ...]] = {
    Awaited: ("kind", "verb", "until"),
    ConditionGained: ("condition", "modifies", "until"),
    Counted: ("kind", "until"),
    Felled: ("how",),
    PhaseBegan: ("phase",),
    PointsSet: ("kind",),
    PointsSpent: ("kind",),
    Rolled: ("purpose",),
    WaitingEnded: ("kind", "how"),
}
"""Fields that hold words of the rules."""
SAID = Agreed | Declared | Passage | Rolled | Ruled | Overruled | Noted
"""What is told, but changes nothing."""
RENEWED = (
    Awaited
    | ConditionGained
    | Counted
    | Faced
    | HpGained
    | InitiativeSet
    | Moved
    | OrderSet
    | RoundBegan
    | TieBroken
    | TurnBegan
)
"""What may come to what was so before."""


def check(before: State, events: Sequence[Event], after: State) -> None:
    """Every fact has a known name, a known word and the right sum, and changes something."""
    members = {**before.roster.members, **after.roster.members}
    sides = {*before.roster.sides(), *after.roster.sides()}
    groups = {*before.counts.encounter, *after.counts.encounter, *map(_stem, members)}
    known = {*members, *sides, *groups, "", "encounter"}
    state = before
    losses.check(before, events, after)
    printed.check(events)
    book = clauses(after.campaign.system)
    for passage, event in passages(events):
        if passage.target and isinstance(event, Ruled | Rolled):
            assert {event.who or passage.target, event.about} & {passage.who, passage.target}, (passage, event)
        assert not (passage.target and isinstance(event, RoundBegan | PhaseBegan)), (passage, event)
    for event in events:
        for who in _named(event):
            assert who in known, (who, event)
        for field in WORDS:
            assert getattr(event, field, "") not in members, (field, event)
        if isinstance(event, Ruled | Overruled):
            _check_clauses(event, book)
        if isinstance(event, Rolled) and getattr(events[0], "verb", "") != "roll":
            named = is_name(after.campaign.system, event.purpose)
            said = _is_said(event.purpose, events[0], before, after)  # a skill that only a sheet has
            assert named or said, f"not in NAMES of tests/purposes.py: the purpose of {event}"
        for word in _words(event):
            known_word = is_known(after.campaign.system, word) or _is_said(word, events[0], before, after)
            assert known_word, f"{word!r} is not in fixtures/{after.campaign.system}/words.json: {event}"
        if isinstance(event, SAID):
            continue
        was, change, now = _sum(state, event)
        assert was + change == now, (was, event)
        last, state = state, fold(state, (event,))
        assert state != last or isinstance(event, RENEWED), f"nothing changes by {event}"


def _check_clauses(event: Ruled | Overruled, book: Container[str]) -> None:
    """Every clause that it names stands in the book; none stands where a word of the table should."""
    named = event.clauses if isinstance(event, Ruled) else (event.clause,)
    for clause in named:
        assert clause in book or clause.startswith("table."), (clause, event)
    if isinstance(event, Ruled):
        steps = [step for number in event.numbers for step in number.steps]
        for word in (event.outcome, *(number.of for number in event.numbers), *(step.reason for step in steps)):
            assert word not in book, (word, event)


def _words(event: Event) -> Iterator[str]:
    """The words of a fact that rules look for later."""
    for kind, fields in OF_RULES.items():
        if isinstance(event, kind):
            yield from (word for field in fields if (word := getattr(event, field)))


def _is_said(word: str, declared: Event, before: State, after: State) -> bool:
    """Whether somebody said a word, just now or in what waits; or it stands in a stat block, or was held before."""
    said = msgspec.json.encode((before.pending, declared.said if isinstance(declared, Declared) else {})).decode()
    sheets = (bytes(one.sheet).decode() for state in (before, after) for one in state.roster.members.values())
    held = (name for names in before.conditions.of.values() for name in names)
    name = called(word)
    return name in said or word in held or any(name in sheet for sheet in sheets)


def _stem(name: str) -> str:
    """The group that somebody belongs to by name: Orc for Orc-2."""
    return name.rstrip("0123456789").rstrip("-")


def _named(event: Event) -> Iterator[str]:
    """Everybody whom a fact names: combatants, groups and sides; "" where nobody is meant."""
    match event:
        case TurnBegan() | TurnEnded() | Rolled(purpose="initiative" | "control") | Counted(kind="number"):
            pass  # a seat, several sides at the same time, a group of any name
        case Counted(who=who) | ConditionGained(who=who):
            yield who  # what it is counted of need not be somebody
        case _:
            for field in ("who", "whom", "whose", "about", "target"):
                yield getattr(event, field, "")


def _sum(state: State, event: Event) -> tuple[int, int, int]:
    """How much there was, how much was added, and how much there is said to be."""
    match event:
        case HpLost(who=who, points=points, left=left):
            return state.harm.hp[who].now, -points, left
        case HpGained(who=who, points=points, left=left):
            return state.harm.hp[who].now, points, left
        case PainSuffered(who=who, points=points, total=total):
            return state.pain.total(who), points, total
        case PainEased(who=who, points=points, total=total):
            return state.pain.total(who), -points, total
        case StressGained(who=who, points=points, total=total):
            return state.stress.total(who), points, total
        case StressEased(who=who, points=points, total=total):
            return state.stress.total(who), -points, total
        case WoundsSustained(who=who, wounds=wounds, total=total):
            return state.injuries.total(who), wounds, total
        case WoundsHealed(who=who, wounds=wounds, total=total):
            return state.injuries.total(who), -wounds, total
        case MagicaGained(who=who, points=points, left=left):
            return state.magica.left(who), points, left
        case MagicaSpent(who=who, points=points, left=left):
            return state.magica.left(who), -points, left
        case AmbientMagicaSpent(points=points, left=left):
            return state.magica.ambient or 0, -points, left
        case PointsSpent(who=who, kind=kind, points=points, left=left):
            return state.points.left(who, kind), -points, left
        case AmmunitionSpent(who=who, kind=kind, pieces=pieces, left=left):
            return state.ammunition.left(who, kind), -pieces, left
    return 0, 0, 0
