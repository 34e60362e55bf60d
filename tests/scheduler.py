"""The scheduler: which lines a table would have typed that had said it right the first time, written from the law.

Nothing of `commands.past` is used, and no hint of the program is read: the book is asked by trying a line, whom it
waits for by what it refuses, and who may act by looking at the board.

An act belongs to its person, and to the round and phase in which it was done. The recorded order stands wherever the
book allows it; where the course waits for somebody, their next act between the same walls is taken forward, and so is
what they did in a turn that would end before it. Before a recorded wall who has no act passes; behind the last one
nobody does. Acts of a round that is gone are lost. The end of a turn belongs to that turn and its round, a plain
`phase` to the phase that it opened.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import events_of
from commands.action.names import acting, resolve_names
from commands.action.procedures import resolve
from commands.action.resolution import Again, Needed, Resolution
from commands.action.view import View
from commands.action.whose_dice import stood_for
from commands.rules.freepg.actions import taken
from commands.rules.paraverse.actions import PHASES
from ledger.errors import AffrayError
from ledger.events import Awaited, Event, Joined, Left, Renamed, Retracted, Rolled, TurnBegan, WaitingEnded
from ledger.store import Store
from projections.state import State, fold
from tests.table import Line, Missing, Own, Supply, lines_of, listed, under

Wall = tuple[int, bool, int, str]
"""What stands between two walls: the encounter and whether it runs, the round and the phase."""
Person = tuple[int, int]
"""Somebody: the entry that first resolved their join, and their place in it."""
Names = dict[str, Person]
_MOST = 60
"""The most lines that are put in before one."""


def walls(state: State) -> Wall:
    """Between which walls a fight is."""
    return state.encounter.number, state.encounter.running, state.turns.round, state.turns.phase


def _counted(wall: Wall, was: Wall, now: Wall) -> Wall:
    """A wall, where one that was counted so is counted otherwise now."""
    encounter, running, nth, phase = wall
    if encounter == was[0] and nth >= was[2]:
        nth += now[2] - was[2]
    if encounter >= was[0]:
        encounter += now[0] - was[0]
    return encounter, running, nth, phase


class When(Struct, frozen=True):
    """When a line was said."""

    before: Wall
    after: Wall
    began: str
    """Whose turn it was before it."""
    ended: str
    """Whose turn it was after it."""
    waits: bool
    """Whether a window was open after it."""
    names: Names
    """Who bore which name before it."""


def names_after(names: Names, events: Sequence[Event], persons: Sequence[Person]) -> Names:
    """The names after an entry, given the persons who join by it."""
    found, coming = dict(names), iter(persons)
    for event in events:
        match event:
            case Joined(who=who):
                found[who] = next(coming)
            case Renamed():
                found = dict(event.moves(found))
            case Left(who=who):
                found.pop(who, None)
    return found


def persons_of(line: Line, events: Sequence[Event], anew: int) -> list[Person]:
    """The persons who join by a line. Of each sheet the first stays the first, and so on; a sheet that replaces another
    one brings its persons, by place. Others are new.
    """
    joined = [event for event in events if isinstance(event, Joined)]
    if not line.joined or "sheets" not in line.said:
        return [(line.origin or -anew, event.place or nth) for nth, event in enumerate(joined, 1)]
    sheets, many = line.said["sheets"], line.said.get("count", 1)
    now = [str(sheets[min(nth // many, len(sheets) - 1)].get("name")) for nth in range(len(joined))]
    was = [sheet for sheet, _ in line.joined]
    gone = [sheet for sheet in dict.fromkeys(was) if sheet not in now]
    came = [sheet for sheet in dict.fromkeys(now) if sheet not in was]
    whose = dict(zip(came, gone, strict=False))
    left = list(line.joined)
    found = []
    for nth, sheet in enumerate(now):
        own = next((one for one in left if one[0] == whose.get(sheet, sheet)), None)
        if own:
            left.remove(own)
        found.append(own[1] if own else (-anew, nth + 1))
    return found


def _same_people(line: Line, events: Sequence[Event], persons: Sequence[Person]) -> dict[str, str]:
    """How those are called now who joined by a line before, "" for one who does not join now."""
    names = [event.who for event in events if isinstance(event, Joined)]
    now = dict(zip(persons, names, strict=True))
    before = [event.who for event in line.before if isinstance(event, Joined)]
    return {who: now.get(person, "") for who, (_, person) in zip(before, line.joined, strict=True)}


class Evening(Struct):
    """What was said, and when."""

    lines: list[Line]
    when: dict[int, When]
    starts: dict[int, State]
    """The state before each line."""


def evening(store: Store) -> Evening:
    """The lines that stand in a ledger."""
    found = Evening(lines_of(store), {}, {})
    state, names = State(), Names()
    for line in found.lines:
        events = tuple(event for event in events_of(store.entry(line.entry)) if not isinstance(event, Retracted))
        after = fold(state, events)
        waits = after.pending.window is not None
        ends = line.verb == "done" or systems.find_verb(after.campaign.system, line.verb).role == "turn-end"
        passed = [event.who for event in events if isinstance(event, TurnBegan) and ends]
        began = state.turns.who or "".join(passed[:1])  # also of one who lets a turn go by that had not begun
        found.starts[line.entry] = state
        found.when[line.entry] = When(walls(state), walls(after), began, after.turns.who, waits, names)
        state, names = after, names_after(names, events, [person for _, person in line.joined])
    return found


class Table:
    """A table that types its lines."""

    def __init__(
        self, state: State, supply: Supply, when: Mapping[int, When], names: Names, left_out: Sequence[Line] = ()
    ) -> None:
        self.system, self.state, self.supply = state.campaign.system, state, supply
        self.when, self.names = dict(when), names
        self.lost: dict[int, str] = {}
        """The entries that the book forbids, with the reason."""
        self.fallen: dict[int, str] = {}
        """Those by which nobody does anything, and for which there is nothing to go on to."""
        self.typed: list[Line] = []
        """What was said, in order; an entry of 0 stands for what was put in."""
        self.placed = set[int]()
        """The lines that are moved: they stand where they are put, or nowhere."""
        self._forward = set[int]()
        """What was taken forward since the last line was said."""
        self._asked: list[Any] = []
        """Who the book says lets the line go on that was tried last, by passing."""
        self._fault: Line | None = None
        """What answers the line that was tried last, if the book forbade that, or forbade the line after it."""
        self._anew = 0
        self._lands = walls(state)
        """Between which walls the line would be said for which the table would go on."""
        self._so = False
        """Whether a line was said so that the table went on by it, and not something else before it."""
        self._crossed: tuple[Wall, Wall] = walls(state), walls(state)
        """Between which walls the line was said that was said last, and between which the table was then."""
        self._gone = {self._opens(line) for line in left_out} - {()}
        """The encounters, rounds and phases whose wall is not there any more."""

    # What a line is

    def _card(self, line: Line) -> systems.Verb:
        return systems.find_verb(self.system, line.verb)

    def _otherwise(self, line: Line) -> dict[str, str]:
        """The names under which a line was said, with those that the same persons bear."""
        when = self.when.get(line.entry)
        if when is None or when.names == self.names:
            return {}
        now = {person: name for name, person in self.names.items()}
        return {name: now.get(one, f"{name} (gone)") for name, one in when.names.items() if now.get(one) != name}

    def _meant(self, line: Line) -> Line:
        if line.meant or not (names := self._otherwise(line)):
            return line
        return replace(under(names, line, self._seats(names)), meant=True)

    def _seats(self, names: Collection[str]) -> list[str]:
        """Those of some names that only a seat or a group bears now."""
        return [name for name in names if name not in self.state.roster.members and stood_for(self.state, name)]

    def _turn(self, line: Line) -> tuple[str, str]:
        """Whose turn it was before a line and after it, as they are called."""
        when, names = self.when.get(line.entry), self._otherwise(line)
        names |= {name: name for name in self._seats(names)}
        return (names.get(when.began, when.began), names.get(when.ended, when.ended)) if when else ("", "")

    def _whose(self, line: Line) -> set[str]:
        """Whose a line is: of a turn the one whose it opened or closed, or who is named; else those who act."""
        card, who = self._card(line), self._meant(line).said.get("who", ())
        began, ended = self._turn(line)
        names = {who} if isinstance(who, str) else {*who}
        if card.by == "turn" and self._is_wall(line):
            return set()
        if card.by == "turn":
            turn = {began or ended} if self._closes(line) else names or {ended}
            return turn - {""}
        if card.by != "combatant" or card.passive:
            return set()
        seat = {ended} - {"", *self.state.roster.order}  # what somebody does in their turn may begin it
        return names | seat

    def _is_wall(self, line: Line) -> bool:
        """Whether a line opened a round or a phase by its own words."""
        when = self.when.get(line.entry)
        return self._card(line).by == "turn" and not self._closes(line) and bool(when and when.before != when.after)

    def _closes(self, line: Line) -> bool:
        return self._card(line).role == "turn-end" or line.verb == "done"

    def _begins(self, line: Line) -> bool:
        """Whether a line, which may say whose, began a turn."""
        (began, ended), card = self._turn(line), self._card(line)
        named = "who" in systems.procedure(card)[1].__struct_fields__
        return card.by == "turn" and not self._closes(line) and named and ended not in ("", began)

    # Rounds that are gone

    def _opens(self, line: Line, by_itself: bool = False) -> tuple[int | str, ...]:
        """Which encounter, which round of it, or which phase of that a line opened as it stood, by its own words or
        else because nobody was left to act; () for none.
        """
        when = self.when.get(line.entry)
        said = self._card(line).by != "combatant" and not self._closes(line)
        if when is None or when.before == when.after or not when.after[1] or not (said or by_itself):
            return ()
        encounter, _, nth, phase = when.after
        if when.before[:2] != when.after[:2]:
            return (encounter,)
        return (encounter, nth) if when.before[2] != nth else (encounter, nth, phase)

    def _is_gone(self, line: Line) -> bool:
        """Whether a line was done in what is gone: somebody's act, or how the table went on."""
        when, card = self.when.get(line.entry), self._card(line)
        opens = self._opens(line)
        if when is None or card.passive or (card.by == "gm" and not opens):
            return False
        itself = not card.lets_go and when.after[:3] == when.before[:3]  # the phase is what somebody opened by an act
        at, here = when.after if opens or itself else when.before, walls(self.state)
        places = [at[:1] + at[2:], here[:1] + here[2:]]
        gone = at[1] and any(
            places[0][:many] in self._gone and places[0][:many] != places[1][:many]
            for many in range(1, len(opens) or 4)  # what opens a phase is not in it
        )
        if gone and (more := self._opens(line, by_itself=True)):
            self._gone.add(more)
        return bool(gone)

    def _at_the_wall(self, line: Line, before: Wall) -> None:
        """What a line opened is gone if it opens nothing now. If it opens a round of another number, the lines of that
        round are of that number, and later ones of later numbers.
        """
        now, when, opens = walls(self.state), self.when.get(line.entry), self._opens(line)
        if now != before:
            here, many = now[:1] + now[2:], 1 if now[:2] != before[:2] else 2 if now[2] != before[2] else 3
            self._gone = {one for one in self._gone if one != here[: len(one)] and one[:many] != here[:many]}
        was = (
            when.after
            if when
            else next((self.when[one.entry].before for one in self.rest if one.entry in self.when), now)
        )
        another = now[1] and now[:3] != before[:3]
        if opens and (was[:3] != now[:3] or now[3] not in ("", was[3])) and not (another and len(opens) < 3):
            self._gone.add(opens)
        elif another and was[:3] != now[:3] and (opens or not when):
            for one in self.rest:
                if then := self.when.get(one.entry):
                    self.when[one.entry] = replace(
                        then, before=_counted(then.before, was, now), after=_counted(then.after, was, now)
                    )

    # Playing

    def play(self, lines: Sequence[Line]) -> None:
        """Says the lines of a course, as the law orders them."""
        self.rest = list(lines)
        self._gone |= {self._opens(one) for one in lines if self._is_renamed(one)}
        while self.rest:
            answered = next((nth for nth, one in enumerate(self.rest) if not one.instant), len(self.rest) - 1)
            line = self.rest[answered]
            if self._is_gone(line):
                self._gives_up(self.rest[:answered], line, "The round is gone.", self._as_is())
                del self.rest[: answered + 1]
                continue
            if self._next(self.rest[: answered + 1]):
                del self.rest[: answered + 1]
                here = walls(self.state)
                said = self.typed and self.typed[-1].entry == line.entry
                self._at_the_wall(line, self._crossed[0] if said else here)

    def _is_renamed(self, line: Line) -> bool:
        """Whether a line that opened a phase is said of another one now."""
        opens = self._opens(line)
        return len(opens) == 3 and line.said.get("name") not in (None, "next", opens[2])

    def _next(self, lines: Sequence[Line]) -> bool:
        """Says the next line with the instants that answer it. Whether it is done with: others may be before it."""
        instants, line = lines[:-1], self._meant(lines[-1])
        before = near = self._as_is()
        for _ in range(_MOST):
            falls = self._falls(line)
            if falls == "waits":
                error: AffrayError | None = None
            elif falls:
                return self._gives_up(instants, line, falls, before)
            else:
                if self._cuts_short(line):
                    return False
                error = self._try(instants, line)
                if error is None:
                    return True
                if not error.on:
                    break
            due = self._due()
            when, here = self.when.get(line.entry), walls(self.state)
            if error and when and when.after[:3] == here[:3] and all(way[0] == "round" for way in error.on):
                break  # it comes too late for its round, and waits for nobody
            later = (
                when is not None and self._card(line).by != "turn" and when.after != here and when.after[:3] == here[:3]
            )
            first = self._first_of(due, line) or self._first_of({*self._asked}, line)
            if first and (line.entry in self.placed or self._crosses(first, line)):
                return self._gives_up(instants, line, "It would not stand where it is put.", before)
            if self._forward_of(due, line) or self._forward_of({*self._asked}, line):
                return False  # a turn that is under way is over first
            if later and self._forward_of({*self.state.roster.order} - due, line, before_it=True):
                return False
            due -= set() if self._closes(line) else self._whose(line)
            comes = falls or self._comes_to(instants, line, due)
            passed = set() if falls else self._passed_over()
            if line.entry in self.placed and (self._overtakes(line, passed) or (error and self._cuts_off(line, due))):
                return self._gives_up(instants, line, "It would not stand where it is put.", before)
            if self._is_renamed(line):
                passed = set()
            if passed and self._forward_of({*self.state.roster.order}, line, before_it=True, passed=passed):
                return False  # those of the phases between have their acts before it
            if error and self._resolved_later(line, error):
                return False
            if not comes:
                break  # nobody passes for nothing
            if not self._goes_on(line, due):
                break
            if walls(self.state)[:3] != here[:3]:
                near = self._as_is()  # those stay passed who were before the wall of its round
            if self._so:
                return True
        own = self.when.get(line.entry)
        gone = own is not None and own.after[2] and not self.state.turns.round
        nowhere = line.entry in self.placed and self._is_of_later(line)
        if error is None or not error.on or not self.state.encounter.running or gone or nowhere:
            return self._gives_up(instants, line, str(error or "The turn is another's."), before)
        late = replace(line, out_of_order=True)
        self.state, self.typed, self.supply.put_in, self._anew = near
        if (again := self._try(instants, late)) is None:
            return True
        return self._gives_up(instants, line, str(error if error.held else again), before)

    def _cuts_short(self, line: Line) -> bool:
        """Whether a line would end another turn than it ended, or go by the place of others, before which somebody has
        an act that the book forbids them afterwards: that is taken forward.
        """
        now, when, before = self.state.turns.who, self.when.get(line.entry), self.state
        stays = self._turn(line)[0] == now if now else self._card(line).by != "combatant"
        if stays or when is None or line.entry in self.placed:
            return False
        try:
            ended = self._carried_out(before, line, self.supply.rolls(line)).state
        except Missing as missing:
            ended = fold(before, missing.events)
        except (Again, AffrayError, ValidationError):
            return False
        places = [{one, *stood_for(before, one)} for one in before.turns.order]
        over = {now}.union(*takewhile(self._whose(line).isdisjoint, places)) - {""}  # and those whose places are before
        return ended.turns.who != now and self._forward_of(over, line, then=ended)

    def _comes_to(self, instants: Sequence[Line], line: Line, due: set[str]) -> bool:
        """Whether the book does not forbid a line once the table has gone on, if some pass."""
        before = self._as_is()
        self._lands = start = walls(self.state)
        others = set(self._forward), self._crossed, self.names, self._asked
        try:
            for _ in range(_MOST):
                if not self._goes_on(line, due):
                    when, now = self.when.get(line.entry), walls(self.state)
                    reached = when is not None and start[:3] != when.after[:3] == now[:3]  # its round, behind a wall
                    return reached or self._card(line).by == "turn"  # somebody may have an act before it
                self._lands = walls(self.state)
                if self._so or (error := self._try(instants, line)) is None:
                    self._lands = walls(self.state)
                    return True
                if not error.on:
                    return False
                due = self._due() - (set() if self._closes(line) else self._whose(line))
        except Missing:
            return True
        finally:
            self.state, self.typed, self.supply.put_in, self._anew = before
            self._forward, self._crossed, self.names, self._asked = others
        return False

    def _as_is(self) -> tuple[State, list[Line], list[tuple[str, list[Rolled]]], int]:
        self._fault = None
        return self.state, list(self.typed), list(self.supply.put_in), self._anew

    def _gives_up(self, instants: Sequence[Line], line: Line, why: str, before: Any) -> bool:
        """A line is lost with what was put in for it; where something that answers it is at fault, that alone."""
        self.state, self.typed, self.supply.put_in, self._anew = before
        if self._fault:
            self.lost[self._fault.entry] = why
            self.rest.remove(self._fault)
            return False
        for one in (*instants, line):
            (self.fallen if self._card(one).lets_go else self.lost)[one.entry] = why
        return True

    def _falls(self, line: Line) -> str:
        """Why the end of a turn falls away: it is over, or never was; `waits` where it is still to come."""
        began, ended = self._turn(line)
        now = self.state.turns.who
        if self._card(line).by == "turn" and not self._is_wall(line) and "(gone)" in began + ended:
            return "Who is not there has no turn."
        if self._begins(line) and now == (line.said.get("who") or ended):
            return "It is their turn already."
        if not self._closes(line) or not began or now == began:
            return ""
        if not now and (began in acting(self.state) or self._lets_go_by(line) == began):
            return ""
        same = self.when[line.entry].before == walls(self.state)
        comes = self._later(line) or (same and self._is_to_come(began))
        return "waits" if comes and self._has_turns(began) else "The turn is over."

    def _lets_go_by(self, line: Line) -> str:
        """Whose turn a line begins and ends, "" where it does neither."""
        try:
            events = self._carried_out(self.state, line).events
        except (Needed, Missing, Again, AffrayError):
            return ""
        return next((event.who for event in events if isinstance(event, TurnBegan)), "")

    def _is_to_come(self, who: str) -> bool:
        """Whether somebody's turn comes yet between the same walls, as turns end one by one; those of FreePG go around
        the table.
        """
        order, now = self.state.turns.order, self.state.turns.who
        if self.system == "freepg":
            return who in order[order.index(now) + 1 :] if now in order else not now
        before, here, coming = self.state, walls(self.state), False
        while not coming and (done := self._turn_on()) and walls(done.state) == here:
            coming = any(isinstance(event, TurnBegan) and event.who == who for event in done.events)
            self.state = done.state
        self.state = before
        return coming

    def _turn_on(self) -> Resolution | None:
        """What comes of the end of the turn that is under way, though some could still act in it, and of the beginning
        of the next one where that does not begin by itself; None where there is neither.
        """
        nobody = not self.state.turns.who
        verb = "turn" if self.system == "dungeoneers" and nobody else "done"
        passes = [("pass", {"who": [who]}) for who in acting(self.state) if self.system == "aachen" and nobody][:1]
        for way in ((verb, {}), (verb, {"pass_rest": True}), *passes):
            try:
                return self._carried_out(self.state, Line(0, 0, *way))
            except (Needed, Missing, Again, AffrayError, ValidationError):
                continue
        return None

    def _is_of_later(self, line: Line) -> bool:
        """Whether only another round allows a line, as turns end one by one."""
        before, here, over = self.state, walls(self.state), False
        while self._forbidden(line):
            done = self._turn_on()
            if done is None or walls(done.state)[:3] != here[:3]:
                over = self.state.pending.window is None  # that waits for an answer, and for no turn
                break
            self.state = done.state
        self.state = before
        return over

    def _later(self, line: Line) -> bool:
        """Whether a line was said in a later round than this."""
        when, here = self.when.get(line.entry), walls(self.state)
        return bool(when and (when.before[0], when.before[2]) > (here[0], here[2]))

    def _has_turns(self, who: str) -> bool:
        """Whether somebody has turns: a seat of FReePG for which somebody is at the table, else who is not down."""
        if self.system == "freepg":
            return who in self.state.turns.order and taken(View(self.state), who)
        return who in self.state.turns.order and who not in self.state.harm.down

    def _due(self) -> set[str]:
        """For whom the course waits first: those who may act, and the one whose turn is under way."""
        return {*acting(self.state), self.state.turns.who} - {""}

    def _first_of(self, due: set[str], line: Line) -> Line | None:
        """The act of those for whom the course waits that would be taken before a line."""
        rest, forward = list(self.rest), set(self._forward)
        taken = self._forward_of(due, line)
        gone, self.rest, self._forward = self._forward - forward, rest, forward
        return [one for one in rest if one.entry in gone][-1] if taken else None

    def _passed_over(self) -> set[Wall]:
        """Where the acts of the round stand that come before the phase in which a line would be said."""
        of_round = [one.after for one in self.when.values() if one.after[:3] == walls(self.state)[:3]]
        every, here = [*dict.fromkeys(of_round)], walls(self.state)
        if self._lands == here or self._lands[:3] != here[:3]:
            return set()
        return {*every[: every.index(self._lands)]} if self._lands in every else {*every}

    def _overtakes(self, line: Line, passed: set[Wall]) -> bool:
        """Whether somebody has an act in a phase of the round that a line would pass over."""
        ahead = [one for one in self.rest if one.entry in self.when and one.entry != line.entry and not one.instant]
        acts = [one for one in ahead if self._card(one).by == "combatant" and not self._card(one).passive]
        return any(self.when[one.entry].after in passed for one in acts)

    def _cuts_off(self, line: Line, due: set[str]) -> bool:
        """Whether a line ends a turn in which those who may act have an act to come."""
        here = walls(self.state)
        acts = (one for one in self.rest if one.entry in self.when and self.when[one.entry].after == here)
        acts = (one for one in acts if self._card(one).by == "combatant" and not self._card(one).passive)
        return self._closes(line) and any(self._whose(one) & due & {*self.names} for one in acts)

    def _crosses(self, first: Line, line: Line) -> bool:
        """Whether a line that did not stand would come behind the wall of a round."""
        own = self.when[first.entry]
        return line.entry not in self.when and own.before[:3] != own.after[:3]

    def _forward_of(
        self,
        due: set[str],
        held: Line,
        before_it: bool = False,
        passed: Collection[Wall] = (),
        then: State | None = None,
    ) -> bool:
        """Takes forward the next act of those for whom the course waits, with what answers it and what changes them;
        one of a phase that a line opens only where it is not to come `before_it` opens that; also one of the phases
        that would be `passed` over; with a state `then`, one that the book forbids there.
        """
        here, own = walls(self.state), self.when.get(held.entry)
        itself = own and self._card(held).by != "turn" and not before_it
        opens = own.after if own and itself and own.after != here else None
        whose, now = self._whose(held), stood_for(self.state, self.state.turns.who)
        in_turn = not whose.isdisjoint(now)
        if self._card(held).by != "turn":
            whose -= {self.state.turns.who} - {*self.names}  # each of a group has acts of their own
        open_now = self.rest if self.state.pending.window else ()
        awaited = {one.entry for one in takewhile(lambda one: one.entry == held.entry or self._waits(one), open_now)}
        for at, one in enumerate(self.rest):
            when = self.when.get(one.entry)
            if len(self._opens(one)) in (1, 2):
                break  # no act crosses the wall of its round
            if one.instant or when is None or one.entry in (held.entry, *self._forward):
                continue
            answered = self.rest[at - 1] if at else held
            if answered.entry not in {held.entry, *awaited} and self._waits(answered):
                continue  # what answers an act moves with it
            if self._is_wall(one):
                continue
            stood, near = (when.before, (here,)) if self._card(one).lets_go else (when.after, (here, opens, *passed))
            if stood not in near or (stood != here and stood[:1] + stood[2:] in self._gone):
                continue  # no act crosses a wall, and none is in a phase that is gone
            mine = self._whose(one) & due
            if not mine or (in_turn and self._closes(one)):
                continue  # the end of a turn is not before what was done in it
            if error := self._forbidden(self._meant(one)):
                keeps = error.on and (self._card(one).by != "turn" or self._closes(one))
                whose |= self._whose(one) if keeps else set()  # who waits with one act waits with the next
                continue
            if self._begins(one) and not self._has_its_acts(at, one):
                continue  # it is due, and comes when they can act
            if when.after in (opens, *passed) and when.after != here and self._after(one) != when.after:
                continue  # it is not to come before what is between
            own_act = (mine | {*self.state.roster.order}) & whose & self._whose(one)
            if own_act and (self._card(one).by != "turn" or self._closes(one)):
                continue  # everybody's own acts keep their order
            if then and self._is_possible(then, one):
                whose |= self._whose(one) & {*self.state.roster.order}
                continue
            if own and held.entry not in self.placed and self._closes(one) and self._after(one)[:3] != here[:3]:
                return False  # no act crosses a wall
            first, last = at, at + 1
            while first and self.rest[first - 1].instant:
                first -= 1
            while last < len(self.rest) and self.when[self.rest[last - 1].entry].waits:
                last += 1
            sets = [other for other in self.rest[:first] if self._sets(other, mine)]
            moved = [*sets, *self.rest[first:last]]
            self._forward |= {other.entry for other in moved}
            self.rest = [*moved, *(other for other in self.rest if other not in moved)]
            return True
        return False

    def _resolved_later(self, held: Line, error: AffrayError) -> bool:
        """Puts a line behind what is resolved later between the same walls, where it waits for that."""
        here = walls(self.state)
        for at, one in enumerate(self.rest):
            when = self.when.get(one.entry)
            if len(self._opens(one)) in (1, 2):
                break
            answers = at and self.rest[at - 1].entry in self.when and self.when[self.rest[at - 1].entry].waits
            if (
                when
                and one.verb == "resolve"
                and not answers
                and when.before == when.after == here
                and ("resolve", {}) in error.on
            ):
                own = next(nth for nth, other in enumerate(self.rest) if other.entry == held.entry)
                if own < at and one.entry not in self._forward:
                    self._forward |= {other.entry for other in self.rest[own + 1 : at + 1]}
                    self.rest[own : at + 1] = [*self.rest[own + 1 : at + 1], self.rest[own]]
                    return True
        return False

    def _has_its_acts(self, at: int, line: Line) -> bool:
        """Whether the book allows what was done in a turn, where no wall comes any more before which it would pass."""
        here, before, whose = walls(self.state), self.state, self._turn(line)[1]
        if any(self.when[one.entry].after != here for one in self.rest if one.entry in self.when):
            return True
        own = [one for one in self.rest[at + 1 :] if self._turn(one)[0] == whose and whose in self._whose(one)]
        try:
            for one in [line, *own]:
                self.state = self._carried_out(self.state, self._meant(one)).state
        except AffrayError as error:
            return bool(error.on)
        except (Needed, Missing, Again):
            return True
        finally:
            self.state = before
        return bool(own)

    def _after(self, line: Line) -> Wall:
        """Between which walls a table would be after a line; where it is if that is not possible."""
        try:
            return walls(self._carried_out(self.state, self._meant(line)).state)
        except (Needed, Missing, Again, AffrayError):
            return walls(self.state)

    def _waits(self, line: Line) -> bool:
        """Whether something waited for an answer after a line."""
        return line.entry in self.when and self.when[line.entry].waits

    def _sets(self, line: Line, some: set[str]) -> bool:
        """Whether a line changes somebody of them."""
        who = self._meant(line).said.get("who", ())
        return self._card(line).role == "sets" and not some.isdisjoint([who] if isinstance(who, str) else who)

    def _forbidden(self, line: Line) -> AffrayError | None:
        """Why the book forbids a line as things stand."""
        try:
            self._carried_out(self.state, line)
        except (Needed, Missing, Again):
            return None
        except AffrayError as error:
            return error
        return None

    # Going on

    def _is_possible(self, then: State, line: Line) -> bool:
        """Whether the book allows a line in another state."""
        before, self.state = self.state, then
        forbidden = self._forbidden(self._meant(line))
        self.state = before
        return forbidden is None

    def _goes_on(self, line: Line, due: set[str]) -> bool:
        """Says how the table went on, for those who have no act before the next recorded wall. Whether it did."""
        when, here = self.when.get(line.entry), walls(self.state)
        ahead = [self.when[one.entry] for one in self.rest if one.entry in self.when]
        said = self._card(line).by == "turn" and not self._begins(line) and not self._falls(line)
        nobody = self.state.turns.who and not acting(self.state) and not self._closes(line)  # a seat that nobody plays
        if not any(one.after != here for one in ahead) and not said and not nobody:
            return False
        same_round = when is not None and when.after[:3] == here[:3]
        dice = list(self.supply.put_in)
        for verb, said in self._ways(line, due):
            try:
                kind = systems.procedure(systems.find_verb(self.system, verb))[1]
                put_in = Line(0, 0, verb, to_builtins(resolve_names(self.state, convert(said, kind))), went_on=True)
            except (AffrayError, ValidationError):
                continue
            rest = {"pass_rest": True} if said.get("pass_rest") else {}
            so = said and verb == line.verb and {**said, **line.said, **rest} == put_in.said and not self._falls(line)
            done: Resolution | None = None
            said_before = put_in
            for one in (*([replace(line, said=put_in.said)] if so else []), put_in):  # it is said so, or before it
                self.supply.put_in = list(dice)
                try:
                    done, put_in = self._carried_out(self.state, one, self.supply.rolls(one)), one
                    break
                except (AffrayError, ValidationError):
                    continue
                except Missing:
                    if not (same_round and verb in ("initiative", "round")):
                        raise
            if done is None:
                continue
            if self._falls(line) and not self._later(line) and walls(done.state) != here:
                continue  # nobody's turn of a round comes behind its wall
            if same_round and walls(done.state)[:3] != here[:3]:
                continue
            self._so = put_in is not said_before
            self._took(put_in, done)
            return True
        return False

    def _ways(self, line: Line, due: set[str]) -> list[tuple[str, dict[str, Any]]]:
        """How a table of each system goes on, as its book says it."""
        turns = self.state.turns
        some, every = [who for who in self.state.roster.order if who in due], self._asked
        if line.entry in self.placed:  # nobody who has an act passes for what is moved
            some, every = self._without_act(some), self._without_act(every)
        asked = self._without_act(every) or every
        passing: list[tuple[str, dict[str, Any]]] = [("pass", {"who": some})] if some else []
        when = self.when.get(line.entry)
        if self.state.pending.window:
            return [("resolve", {})]
        match self.system:
            case "freepg":
                return [("done", {}), ("done", {"pass_rest": True}), ("initiative", {})]
            case "dungeoneers":
                itself = [("round", {"pass_rest": True})] * (line.verb == "round" and not turns.who)
                steps: list[tuple[str, dict[str, Any]]] = [("turn", {}), ("turn", {"pass_rest": True}), ("round", {})]
                return [("done", {})] if turns.who else [*itself, *steps]
            case "aachen":
                asks = [("pass", {"who": asked})] if asked else []
                return [*asks, ("done", {}), *passing, ("initiative", {}), ("round", {})]
            case "arkm":
                same = when is not None and when.after[:3] == walls(self.state)[:3]
                opens = when.after[3] if when and same else turns.phase
                opens = line.said.get("name", "next").replace("next", opens)
                done: list[tuple[str, dict[str, Any]]] = [("done", {}), ("done", {"pass_rest": True})]
                idle = [("pass", {"who": one})] if (one := self._without_act(some)) else []
                passes = ([("pass", {"who": asked})] if asked else idle if turns.phase == "melee" else []) or done
                phases = [("phase", {"name": one, "pass_rest": True}) for one in (turns.phase or opens, opens)]
                if self._is_renamed(line):
                    return [("initiative", {}), *phases[1:]]
                due_now = () if turns.phase or line.allow else self.state.pending.waiting
                checks = [("morale", {"who": one.who}) for one in due_now if one.kind == "morale"]
                return [("initiative", {}), *passes, *phases, ("round", {"pass_rest": True}), *checks]
            case _:
                passes = [("pass", {"who": who}) for who in sorted(some, key=lambda who: who not in self._asked)]
                waiting = [one for one in self.state.pending.waiting if one.until == turns.phase]
                said = [(one.verb, {"who": one.who}) for one in waiting if one.verb in ("cast", "pray")]
                return [*said, ("resolve", {}), *passes, ("phase", self._phase_on(line)), ("round", {})]

    def _phase_on(self, line: Line) -> dict[str, Any]:
        """The next phase of Paraverse that is not left out, as by a line that is said of a later one, or for which
        somebody waits.
        """
        turns, encounter = self.state.turns, self.state.encounter.number
        until = {one.until for one in self.state.pending.waiting}
        later = PHASES[PHASES.index(turns.phase) + 1 :] if turns.phase else ()
        gone = {name for name in later if self._is_renamed(line) or (encounter, turns.round, name) in self._gone}
        stands = [name for name in later if name in until or name not in gone]
        return {"name": stands[0]} if stands and stands[0] != later[0] else {}

    def _without_act(self, some: Sequence[str]) -> list[str]:
        """Those of some who have no act to come in this round."""
        here = walls(self.state)[:3]
        ahead = [one for one in self.rest if one.entry in self.when and self.when[one.entry].after[:3] == here]
        busy = set[str]().union(*(self._whose(one) for one in ahead if self._card(one).by != "turn"))
        return [who for who in some if who not in busy]

    # Saying

    def _try(self, instants: Sequence[Line], line: Line) -> AffrayError | None:
        """Says a line, after the instants that answer it; gives the reason where the book forbids it."""
        rolls = self.supply.rolls(line)
        before = self.state, list(self.typed), self._anew
        self._fault, self._asked = None, []
        try:
            for one in instants:
                self._fault = one
                struck = self._as_far(line, rolls)
                meant = self._meant(one)
                self._took(meant, self._carried_out(self.state, meant, self.supply.rolls(one), struck))
            self._took(line, self._carried_out(self.state, line, rolls))
        except (AffrayError, ValidationError) as error:
            self.state, self.typed, self._anew = before
            found = error if isinstance(error, AffrayError) else AffrayError(str(error))
            self._asked = [who for way in found.on if way[:1] == ("pass",) for who in listed(way[1].get("who"))]
            living = self._of_the_living(line)
            return found if found.on or living == line or self._try(instants, living) else None
        return None

    def _of_the_living(self, line: Line) -> Line:
        """A line as it was said, without those of several named in it who are dead now."""
        if line.was is not None or not line.before:
            return line
        dead = [who for who in self.state.roster.order if self.state.harm.how(who) == "dead"]
        lists = {field: value for field, value in line.said.items() if isinstance(value, list)}
        rest = {field: [one for one in value if one not in dead] for field, value in lists.items()}
        return replace(line, said={**line.said, **{field: value for field, value in rest.items() if value}})

    def _as_far(self, line: Line, rolls: Sequence[Any]) -> Callable[[], tuple[Event, ...]]:
        """What an action comes to before anything answers it, as far as its dice go."""
        try:
            events = tuple(self._carried_out(self.state, line, rolls).events)
        except Missing as missing:
            events = missing.events
        return lambda: events

    def _carried_out(
        self, state: State, line: Line, rolls: Sequence[Any] = (), latest: Callable[[], tuple[Event, ...]] = tuple
    ) -> Resolution:
        """What comes of a line. Raises Missing where the rules let it pass and a die of it is nowhere."""
        kind = systems.procedure(self._card(line))[1]
        meant = resolve_names(state, convert(self._of_whom(state, line).said, kind))
        try:
            allow_stays = line.before and line.before[0].allow == line.allow
            how = line.allow, latest, line.instant, line.secret, line.before if allow_stays else (), line.out_of_order
            joining = {}
            if line.joined:
                free = resolve(Resolution(state, line.verb, meant, Own(line, (), any_face=True).dice, *how)).events
                joining = _same_people(line, free, persons_of(line, free, self._anew + 1))
            source = Own(line, rolls, joining)
            fight = Resolution(state, line.verb, meant, source.dice, *how)
            return resolve(fight)
        except Needed:
            raise Missing(source.missing, tuple(fight.events)) from None

    def _of_whom(self, state: State, line: Line) -> Line:
        """A `turn` that names nobody, said of the one whose turn it opened; a `phase` that names none, of the phase
        that it opened, where the table is elsewhere now.
        """
        ended, when = self._turn(line)[1], self.when.get(line.entry)
        if when and line.verb == "phase" and line.said.get("name") in (None, "next") and when.before != walls(state):
            return replace(line, said={**line.said, "name": when.after[3]})
        if self._begins(line) and not line.said.get("who") and ended in state.roster.members:
            return replace(line, said={**line.said, "who": ended})
        return line

    def _took(self, line: Line, done: Resolution) -> None:
        """A line was said."""
        self._anew += not line.origin
        self._crossed = walls(self.state), walls(done.state)
        self.names = names_after(self.names, done.events, persons_of(line, done.events, self._anew))
        self.state = done.state
        self._forward.clear()
        self.typed.append(replace(line, before=tuple(done.events)))

    def let_go(self, earlier: Sequence[Line]) -> dict[int, str]:
        """The entries by which somebody had declared, at this table or `earlier`, what they lost by a pass that nobody
        said.
        """
        found: dict[int, str] = {}
        for at, line in enumerate(self.typed):
            for event in line.before if line.went_on else ():
                if isinstance(event, WaitingEnded) and event.how == "lost":
                    said = [*earlier, *self.typed[:at]]
                    by = next(one for one in reversed(said) if _waits_by(one, event.kind, event.who))
                    theirs = by.entry and by.said.get("who") == event.who  # who arrives where they go declares nothing
                    found |= {by.entry: "Nobody had said that they pass."} if theirs else {}
        return found


def _waits_by(line: Line, kind: str, who: str) -> bool:
    """Whether something of a kind waits for somebody by a line."""
    return any(isinstance(event, Awaited) and (event.kind, event.who) == (kind, who) for event in line.before)
