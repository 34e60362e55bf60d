"""When each act of a course was done: between which walls, in whose turn, who bore which name; who is waited for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.common_verbs import ends_turn
from commands.action.names import acting
from commands.action.resolution import Resolution
from ledger.errors import UsageError
from ledger.events import Declared, OrderSet, TurnBegan, TurnEnded
from projections.persons import Names
from projections.state import State, fold

from .acts import Act, said_by
from .people import named_after, names_of

MOST_PASSES = 100
"""How many commands may be put in before one entry, because the table went on."""

Segment = tuple[int, bool, int, str]
"""What stands between two walls: the encounter and whether it runs, the round and the phase."""

Near = set[Segment] | None
"""Between which walls acts are sought; None for those of the phase that is open."""
Stretch = tuple[int | str, ...]
"""An encounter, a round of it, or a phase of that."""


def segment_of(state: State) -> Segment:
    """Between which walls a fight is."""
    return state.encounter.number, state.encounter.running, state.turns.round, state.turns.phase


def _stretch(segment: Segment, many: int) -> Stretch:
    """The encounter of a segment (1), with its round (2), and its phase (3)."""
    return (segment[0], segment[2], segment[3])[:many]


def _opens_between(before: Segment, after: Segment) -> Stretch:
    """What opens from one segment to another: the encounter, with a round that round, with a phase that phase."""
    return _stretch(after, 1 if before[:2] != after[:2] else 2 if before[2] != after[2] else 3)


def round_of(segment: Segment) -> Stretch:
    """The round of a segment."""
    return _stretch(segment, 2)


class Moment(Struct, frozen=True):
    """When an act was done."""

    before: Segment
    after: Segment
    began: str
    """Whose turn it was before it, or whose it began and ended."""
    ended: str
    """Whose turn it was after it."""
    waits: bool
    """Whether something waits for an answer after it."""
    names: Names
    """Who bore which name before it."""
    opens: Declared | None
    """What was said, if it opened an encounter, a round or a phase by its own words."""
    placed: bool = False
    """Whether a correction moves it: then it stands where it is put, or nowhere."""

    @property
    def opened(self) -> Stretch:
        """What it opened: the encounter, with a round that round, with a phase that phase."""
        return _opens_between(self.before, self.after)

    def shifted(self, was: Segment, now: Segment) -> "Moment":
        """The moment, where a round and all that come later have other numbers."""

        def moved(segment: Segment) -> Segment:
            encounter, running, nth, phase = segment
            nth += (now[2] - was[2]) * (encounter == was[0] and nth >= was[2])
            return (encounter + (now[0] - was[0]) * (encounter >= was[0]), running, nth, phase)

        return replace(self, before=moved(self.before), after=moved(self.after))


class Walls:
    """Between which walls the acts of a course belong, while they are resolved again."""

    def __init__(self, when: Mapping[int, Moment], acts: Iterable[Act]) -> None:
        self.when = {**when}
        """When each act was done, by its entry, under the numbers that the rounds have now."""
        stay = {act.entry for act in acts}
        out = (moment for entry, moment in when.items() if entry not in stay)
        self._gone = {moment.opened: moment.opens for moment in out if moment.opens}
        """What nothing opens any more, each with what opened it."""

    def went(self, entry: int, before: Segment, now: Segment, rest: Sequence[Act]) -> None:
        """What an act opened as it stood is gone where it does not open that now. Where it opens a round of another
        number, what was done in that round, and later, is of those numbers.
        """
        moment, ahead = self.when.get(entry), [one.entry for one in rest if one.entry in self.when]
        was = moment.after if moment else self.when[ahead[0]].before if ahead else now
        opens = now[1] and now[:3] != before[:3] and (moment is None or moment.opens)
        if moment and moment.opens and not (now[:3] == was[:3] and now[3] in (was[3], "")):
            opens = opens and len(moment.opened) < 3
            self._gone |= {} if opens else {moment.opened: moment.opens}
        if opens and was[:3] != now[:3]:
            self.when |= {one: self.when[one].shifted(was, now) for one in ahead}
        if now != before:
            self._is_there(now, _opens_between(before, now))

    def _is_there(self, now: Segment, opened: Stretch) -> None:
        """What has opened is there, with all that it opens later."""
        is_gone = {gone for gone in self._gone if _stretch(now, len(gone)) != gone and gone[: len(opened)] != opened}
        self._gone = {gone: wall for gone, wall in self._gone.items() if gone in is_gone}

    def ahead(self, here: Segment, rest: Sequence[Act]) -> bool:
        """Whether an act that is still to come stood, or ended, elsewhere than between some walls."""
        return any(one.entry in self.when and self.when[one.entry].after != here for one in rest)

    def is_wall(self, entry: int) -> bool:
        """Whether an act opened a round or a phase, or closed one."""
        return (moment := self.when.get(entry)) is not None and moment.before != moment.after

    def is_late(self, entry: int, here: Segment, ways: Iterable[Sequence[Any]]) -> bool:
        """Whether an act that is held up comes too late for its round, so that it waits for nobody."""
        moment = self.when.get(entry)
        return bool(moment and moment.after[:3] == here[:3]) and all(way[0] == "round" for way in ways)

    def between(self, here: Segment, there: Segment) -> set[Segment]:
        """Where the acts of a round stand before those of another phase of it, all where that has none."""
        if there == here or round_of(there) != round_of(here):
            return set()
        every = [*dict.fromkeys(one.after for one in self.when.values() if round_of(one.after) == round_of(here))]
        return {*every[: every.index(there)]} if there in every else {*every}

    def gone_with(self, moment: Moment, here: Segment, lets_go: bool) -> UsageError | None:
        """Why an act is lost whose encounter, round or phase is gone; None where that is there, as the phase is that
        somebody opened by an act, and that was not let go by. What opens one is not in it.
        """
        at = moment.after if moment.opens or not lets_go else moment.before
        for many in range(1, len(moment.opened) if moment.opens else 4) if at[1] else ():
            if (wall := self._gone.get(_stretch(at, many))) and _stretch(at, many) != _stretch(here, many):
                if moment.before != moment.after:
                    self._gone[moment.opened] = wall
                what = ("The encounter", f"Round {at[2]}", f"The {at[3]} phase of round {at[2]}")[many - 1]
                gone = UsageError(f"{what} is left out.")
                gone.ways = [(wall.verb, wall.said)]
                return gone
        return None


def moments(state: State, stood: Iterable[Act]) -> dict[int, Moment]:
    """When each act of a course was done, by its entry. `state` is the one before the first."""
    found: dict[int, Moment] = {}
    names = names_of(state)
    for act in stood:
        after = fold(state, act.before)
        here, there, waits = segment_of(state), segment_of(after), after.pending.window is not None
        by = systems.find_verb(after.campaign.system, act.declared.verb).by
        opens = here != there and there[1] and by != "combatant" and not ends_turn(act.declared.verb)
        wall = act.declared if opens else None
        passed = [one.who for one in act.before if isinstance(one, TurnBegan) and ends_turn(act.declared.verb)]
        began = state.turns.who or "".join(passed[:1])
        found[act.entry] = Moment(here, there, began, after.turns.who, waits, names, wall)
        state, names = after, named_after(names, act.before, act.origin)
    return found


def waited_for(state: State, found: Resolution) -> set[str]:
    """Those for whom the course waits, given what comes of the command by which it goes on: those who may act now, and
    those whose turn it ends, or begins.
    """
    if any(isinstance(event, OrderSet) for event in found.events):
        return set()
    said = getattr(found.declaration, "who", ())
    names = {said} if isinstance(said, str) else {*said}
    turns = {event.who for event in found.events if isinstance(event, TurnEnded | TurnBegan)}
    ends = [event for event in found.events if isinstance(event, TurnEnded)]
    return ((names or ({ends[0].who} if ends else turns)) | {*acting(state)}) - {""}


def said_itself(act: Act, found: Resolution, moment: Moment | None) -> Act | None:
    """The act that says itself what lets it go on, as a wall by which the others pass; None where that is another
    command, or leads elsewhere than the act did, or says.
    """
    going = said_by(found)
    if going.verb != act.declared.verb or going.said != {**going.said, **act.declared.said, "pass_rest": True}:
        return None
    there = moment is None or segment_of(found.state)[3] in ("", moment.after[3], act.declared.said.get("name"))
    return replace(act, declared=replace(act.declared, said=going.said)) if there else None
