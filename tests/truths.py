"""What is true of all that is recorded, whatever the rules: names are names, and words are words."""

from collections.abc import Iterator, Sequence

from ledger.events import ConditionGained, Counted, Event, Rolled, TurnBegan, TurnEnded
from projections.state import State, fold

WORDS = ("condition", "what", "kind", "item", "wound", "verb", "purpose", "modifies", "how", "clause")
"""Fields that never hold the name of somebody."""


def check(before: State, events: Sequence[Event]) -> None:
    """Every fact of an action says who by name and what by word."""
    state = before
    for event in events:
        after = fold(state, (event,))
        members = {**state.roster.members, **after.roster.members}
        sides = {*state.roster.sides(), *after.roster.sides()}
        known = {*members, *sides, *map(_stem, members), *state.counts.encounter, "", "encounter"}
        for who in _named(event):
            assert who in known, (who, event)
        for field in WORDS:
            assert getattr(event, field, "") not in members, (field, event)
        state = after


def _stem(name: str) -> str:
    """The group that somebody belongs to by name: Orc for Orc-2."""
    return name.rstrip("0123456789").rstrip("-")


def _named(event: Event) -> Iterator[str]:
    """Everybody whom a fact names: combatants, groups and sides; "" where nobody is meant."""
    match event:
        case TurnBegan() | TurnEnded() | Rolled(purpose="initiative" | "control") | Counted(what="number"):
            pass  # a seat, several sides at the same time, a group of any name
        case Counted(who=who) | ConditionGained(who=who):
            yield who  # what it is counted of need not be somebody
        case _:
            for field in ("who", "whom", "whose", "about"):
                yield getattr(event, field, "")
