"""What waits and what was counted: announced actions, points to spend, and counts that a rule asks for later."""

from msgspec.structs import astuple

from ledger.events import Event, Left
from ledger.events.encounter import Awaited, Counted, EncounterEnded, PointsSet, PointsSpent, RoundBegan, WaitingEnded

from . import Aspect, Part, Said, anew, without


class Waiting(Awaited, tag=False):
    """Something that waits."""

    NAMES = ("who", "said", "answerable")


class Settlement(Part):
    """Something that waited, and how it was settled."""

    what: Waiting
    how: str


class Pending(Aspect):
    """Everything that waits, in the order of its announcement."""

    waiting: tuple[Waiting, ...] = ()
    settled: tuple[Settlement, ...] = ()
    """What was settled in this round and is not announced anew, in the order of settling."""

    def of(self, kind: str, who: str) -> Waiting | None:
        """What waits of one kind for one combatant, if anything does."""
        return next((one for one in self.waiting if one.who == who and one.kind == kind), None)

    def outcome(self, kind: str, who: str) -> Settlement | None:
        """How the last thing of one kind was settled for one combatant in this round, if it was."""
        return next((one for one in self.settled if (one.what.kind, one.what.who) == (kind, who)), None)

    @property
    def window(self) -> Waiting | None:
        """The window that is open, if one is: only those who may answer it may act."""
        return next((one for one in self.waiting if one.answerable), None)

    def _others(self, event: Awaited | WaitingEnded) -> tuple[Waiting, ...]:
        return tuple([one for one in self.waiting if one.who != event.who or one.kind != event.kind])

    def _before(self, event: Awaited | WaitingEnded) -> tuple[Settlement, ...]:
        return tuple([one for one in self.settled if one.what.who != event.who or one.what.kind != event.kind])

    def _awaited(self, event: Awaited) -> "Pending":
        return Pending((*self._others(event), Waiting(*astuple(event))), self._before(event))

    def _ended(self, event: WaitingEnded) -> "Pending":
        settled = self._before(event)
        one = self.of(event.kind, event.who)
        if one is None:
            return Pending(self.waiting, settled)
        return Pending(self._others(event), (*settled, Settlement(one, event.how)))

    def _round(self, event: Event) -> "Pending":
        return Pending(self.waiting)

    def _left(self, event: Left) -> "Pending":
        waiting = tuple([one for one in self.waiting if one.who != event.who])
        return Pending(waiting, tuple([one for one in self.settled if one.what.who != event.who]))

    REDUCERS = {Awaited: _awaited, WaitingEnded: _ended, RoundBegan: _round, EncounterEnded: _round, Left: _left}


class Points(Aspect):
    """Everybody's allowances."""

    PLACE = 70

    of: dict[str, dict[str, int]] = {}
    """For each combatant what is left of each kind; a kind that was never set is missing."""

    def board(self, who: str) -> Said:
        """What is left of each kind."""
        return [(kind, str(points), "points") for kind, points in sorted(self.of.get(who, {}).items())]

    def left(self, who: str, kind: str) -> int:
        """What is left; 0 when it was never set."""
        return self.of.get(who, {}).get(kind, 0)

    def _set(self, event: PointsSet) -> "Points":
        return Points({**self.of, event.who: {**self.of.get(event.who, {}), event.kind: event.left}})

    def _spent(self, event: PointsSpent) -> "Points":
        held = self.of.get(event.who, {})
        return Points({**self.of, event.who: {**held, event.kind: held.get(event.kind, 0) - event.points}})

    REDUCERS = {PointsSet: _set, PointsSpent: _spent, EncounterEnded: anew}


Tally = dict[str, dict[str, dict[str, int]]]
"""The count, never 0: for each combatant, each thing counted, and each other one it concerns."""


class Counts(Aspect):
    """Everybody's counts."""

    round: Tally = {}
    """Counts that end when the next round begins."""
    encounter: Tally = {}
    """Counts that end when the encounter ends."""

    def get(self, who: str, what: str, whom: str = "") -> int:
        """One count; 0 when there is none."""
        return self._held(who, what).get(whom, 0)

    def of(self, who: str, what: str) -> dict[str, int]:
        """The counts of one thing, by the name of the other one they concern, in the order of these names."""
        held = self._held(who, what)
        return dict(sorted(held.items())) if held else {}

    def _held(self, who: str, what: str) -> dict[str, int]:
        if (mine := self.round.get(who)) and (held := mine.get(what)):
            return held
        mine = self.encounter.get(who)
        return (mine and mine.get(what)) or {}

    def _counted(self, event: Counted) -> "Counts":
        if event.until == "round-end":
            return Counts(_with(self.round, event), self.encounter)
        return Counts(self.round, _with(self.encounter, event))

    def _round(self, event: RoundBegan) -> "Counts":
        return Counts(encounter=self.encounter)

    def _left(self, event: Left) -> "Counts":
        return Counts(_unnamed(self.round, event.who), _unnamed(self.encounter, event.who))

    REDUCERS = {Counted: _counted, RoundBegan: _round, EncounterEnded: anew, Left: _left}


def _with(tally: Tally, event: Counted) -> Tally:
    who, what = event.who, event.kind
    mine = tally.get(who) or {}
    if event.count:
        return {**tally, who: {**mine, what: {**(mine.get(what) or {}), event.whom: event.count}}}
    held = without(mine.get(what, {}), event.whom)
    mine = {**mine, what: held} if held else without(mine, what)
    return {**tally, who: mine} if mine else without(tally, who)


def _unnamed(tally: Tally, gone: str) -> Tally:
    """The counts without those of somebody, and without those that concern them."""
    kept: Tally = {}
    for who, mine in tally.items():
        if who == gone:
            continue
        for what, counts in mine.items():
            if held := without(counts, gone):
                kept.setdefault(who, {})[what] = held
    return kept
