"""What was counted, for as long as a rule may ask for it."""

from msgspec import Struct

from ledger.events import Counted, EncounterEnded, Event, Left, RoundBegan

Tally = dict[str, dict[str, dict[str, int]]]
"""For each combatant, for each thing counted, in regard to whom: the count, never 0."""


class Counts(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's counts."""

    round: Tally = {}
    """What is forgotten when the next round begins."""
    encounter: Tally = {}
    """What is forgotten when the encounter ends."""

    def get(self, who: str, what: str, whom: str = "") -> int:
        """One count; 0 when there is none."""
        return self._held(who, what).get(whom, 0)

    def of(self, who: str, what: str) -> dict[str, int]:
        """The counts of one thing, by the name of whom they regard, in the order of these names."""
        return dict(sorted(self._held(who, what).items()))

    def _held(self, who: str, what: str) -> dict[str, int]:
        return self.round.get(who, {}).get(what) or self.encounter.get(who, {}).get(what) or {}


def _with(tally: Tally, event: Counted) -> Tally:
    who, what = event.who, event.what
    mine = tally.get(who) or {}
    if event.count:
        return {**tally, who: {**mine, what: {**(mine.get(what) or {}), event.whom: event.count}}}
    held = {whom: count for whom, count in mine.get(what, {}).items() if whom != event.whom}
    mine = {**mine, what: held} if held else {other: counts for other, counts in mine.items() if other != what}
    return {**tally, who: mine} if mine else {other: counts for other, counts in tally.items() if other != who}


def _counted(state: Counts, event: Counted) -> Counts:
    if event.until == "round-end":
        return Counts(_with(state.round, event), state.encounter)
    return Counts(state.round, _with(state.encounter, event))


def _round(state: Counts, event: Event) -> Counts:
    return Counts(encounter=state.encounter)


def _ended(state: Counts, event: Event) -> Counts:
    return Counts()


def _without(tally: Tally, gone: str) -> Tally:
    kept: Tally = {}
    for who, mine in tally.items():
        if who == gone:
            continue
        for what, counts in mine.items():
            if held := {whom: count for whom, count in counts.items() if whom != gone}:
                kept.setdefault(who, {})[what] = held
    return kept


def _left(state: Counts, event: Left) -> Counts:
    if not state.round and not state.encounter:
        return state
    return Counts(_without(state.round, event.who), _without(state.encounter, event.who))


REDUCERS = {Counted: _counted, RoundBegan: _round, EncounterEnded: _ended, Left: _left}
