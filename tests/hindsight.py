"""Hindsight: the fight of a table that had said it right the first time, played anew.

Written from the law (`docs/disputes.md`) and not from the code of `amend`: nothing of `commands.past` that resolves an
amendment is used here. The typed lines are said again, one after another, each with the dice of its own action.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import events_of
from commands.action.dice_sources import LEFT_OUT, Answer, Question, Source
from commands.action.names import resolve_names
from commands.action.procedures import resolve, typed, way_on
from commands.action.resolution import Needed, Resolution
from commands.past.course import standing
from commands.words.command import order_of
from ledger.chain import Entry
from ledger.dice import parse
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Declared, Event, Joined, Renamed, Rolled
from ledger.store import Store
from projections.state import State

STEPS = ("initiative", "done", "round", "phase", "turn", "resolve", "pass")
"""With these the table goes on: nobody's deed."""
WAITS = re.compile(
    r"may still (act|move)|may act in|[Ss]till to (resolve|declare)|^Next is [^n]|has not had its turn"
    r"|turn of .* is under way|must act before|waits for (the turn|an answer)|Morale is due|could still act"
    r"|can still take|has not acted yet"
    r"|^It is the turn of|^Nobody's turn is under way|^This is the \w+ phase\.$|is free for|No round has begun"
    r"|Initiative (has not been|is not) rolled|no round is open|Nobody has a turn yet|acts on (their|the) "
)
"""How a refusal says that the fight only waits, for somebody who may act or for something that must be done."""
OVER = re.compile(
    r"has had its turn|has had the action of this round|phase is over; this is|declared in planning; this is the end"
    r"|Everybody has had a turn"
)
"""How a refusal says that only the next round brings what is said, where nobody has anything left to do."""
OWN_TURN = re.compile(r"^It is the turn of|^Nobody's turn is under way")
"""How a refusal says that somebody acts on their own turn only; who has had it acts no more in this round."""
FREE = re.compile(r"is free for (\S+) to fight")
"""How Paraverse waits for the choice of somebody who is left over; they need not fight."""
GOING_ON = (*STEPS, "morale", "skirmish", "cast", "pray")
"""What may be done when the fight waits."""


Kind = tuple[str, str, int]
"""What a die is for: who rolls it, its purpose and its sides."""


class Thrown(NamedTuple):
    """A die that was thrown."""

    kind: Kind
    face: int
    """0 for one that was left out."""
    by_hand: bool


class Line(Struct, frozen=True):
    """A command as it was said at the table."""

    entry: int
    """The entry that stands for it; 0 for one that is put in."""
    origin: int
    verb: str
    said: dict[str, Any]
    allow: str = ""
    secret: bool = False
    instant: bool = False
    dice: "tuple[Thrown, ...]" = ()
    """Its dice, in order."""
    was: dict[str, Any] | None = None
    """What was said before the correction, if that is otherwise."""
    by_hand: tuple[int, ...] | None = None
    """The true faces of those thrown by hand, if they were misread."""
    called: tuple[str, ...] = ()
    """The names that it gave to people."""


def takes_part(was: dict[str, Any], is_: dict[str, Any]) -> dict[str, str]:
    """Who has whose part now: the actor for the actor, the target for the target, of several those who came for those
    who went.
    """

    def listed(said: dict[str, Any], field: str) -> list[str]:
        value = said.get(field, ())
        return [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]

    found = {}
    for field in [name for name in was if isinstance(was[name], str | list | tuple)]:
        before, after = (
            listed(was, field),
            listed(is_, field) if isinstance(is_.get(field, ()), str | list | tuple) else [],
        )
        went = [name for name in before if name not in after]
        came = [name for name in after if name not in before]
        for old, new in zip(went, came, strict=False):
            found[old] = new
    return found


def dice_of(events: Sequence[Event]) -> tuple[Thrown, ...]:
    """The dice of an entry, in order."""
    declared = events[0]
    assert isinstance(declared, Declared)
    found = []
    for event in events:
        if isinstance(event, Rolled):
            for at, sides in enumerate(parse(event.dice)[0]):
                face, place = (event.faces[at], event.places[at]) if event.faces else (0, 0)
                found.append(Thrown((event.who, event.purpose, sides), face, not place))
    return tuple(found)


def _called(events: Iterable[Event]) -> tuple[str, ...]:
    """The names that are given to people."""
    return tuple(
        one.who if isinstance(one, Joined) else one.name for one in events if isinstance(one, Joined | Renamed)
    )


def under(names: dict[str, str], line: Line) -> Line:
    """A line, said under other names; free words stay."""

    def new(value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"[\w'-]+", lambda found: names.get(found[0], found[0]), value)
        if isinstance(value, dict):
            return {new(key): new(one) for key, one in value.items()}
        return [new(one) for one in value] if isinstance(value, list | tuple) else value

    said = {field: value if field in ("text", "why", "sheets") else new(value) for field, value in line.said.items()}
    dice = tuple(die._replace(kind=(new(die.kind[0]), *die.kind[1:])) for die in line.dice)
    return replace(line, said=said, dice=dice)


def lines_of(store: Store) -> list[Line]:
    """What was said of all that stands, in order."""
    found = []
    for number in standing(store, store.head().entry):
        entry = store.entry(number)
        events = events_of(entry)
        declared = events[0]
        assert isinstance(declared, Declared)
        if declared.verb not in ("undo", "redo", "amend", "stir", "reveal"):
            found.append(
                Line(number, entry.origin, declared.verb, declared.said, declared.allow, declared.secret,
                     declared.instant, _every(store, entry, events), called=_called(events))
            )  # fmt: skip
    return found


def _every(store: Store, entry: Entry, events: Sequence[Event]) -> tuple[Thrown, ...]:
    """The dice of an entry; then those that only the first resolution of its action needed, before an instant."""
    found = list(dice_of(events))
    if entry.origin != entry.entry:
        first = dice_of(events_of(store.entry(entry.origin)))
        for kind in dict.fromkeys(die.kind for die in first):
            here = [die for die in found if die.kind == kind]
            found += [die._replace(by_hand=False) for die in first if die.kind == kind][len(here) :]
    return tuple(found)


class Supply:
    """New dice: what the amended ledger shows for them. They are chance, and no result of the rules."""

    def __init__(self, store: Store | None, command: int) -> None:
        self.of: dict[int, list[Rolled]] = {}
        """The rolls of each entry of the amendment, by the entry that first resolved its action."""
        self.put_in: list[tuple[str, list[Rolled]]] = []
        """The rolls of what was put in, with its verb, in order."""
        if store and command:
            for entry, _ in store.entries(command + 1, store.head().entry):
                events = events_of(entry)
                declared = events[0]
                assert isinstance(declared, Declared)
                rolls = [event for event in events if isinstance(event, Rolled)]
                if entry.origin == entry.entry:
                    self.put_in.append((declared.verb, rolls))
                else:
                    self.of[entry.origin] = rolls

    def rolls(self, line: Line) -> list[Rolled]:
        """The rolls of a line; of what is put in, those of the first that is not used yet and has the verb."""
        if line.origin:
            return self.of.get(line.origin, [])
        at = next((at for at, (verb, _) in enumerate(self.put_in) if verb == line.verb), None)
        return [] if at is None else self.put_in.pop(at)[1]


class Missing(Exception):
    """The amended ledger shows no die where the table would have thrown one."""


class Own(Source):
    """The dice of a line, each for its part, purpose and size, and how many-th it was; then new ones."""

    def __init__(self, line: Line, rolls: Iterable[Rolled], any_face: bool = False) -> None:
        self.any_face = any_face
        """Whether a die that nobody shows falls somehow."""
        self.fell = 0
        part = takes_part(line.was, line.said) if line.was else {}
        self.rest: dict[Kind, list[int]] = defaultdict(list)
        faces = list(line.by_hand or ())
        for die in line.dice:
            misread = faces and die.by_hand and die.face
            who, purpose, sides = die.kind
            self.rest[part.get(who, who), purpose, sides].append(faces.pop(0) if misread else die.face)
        self.new: dict[tuple[str, str, int], list[int]] = defaultdict(list)
        for roll in rolls:
            for at, sides in enumerate(parse(roll.dice)[0]):
                self.new[roll.who, roll.purpose, sides].append(roll.faces[at] if roll.faces else 0)
        self.asked: dict[tuple[str, str, int], int] = defaultdict(int)
        self.missing = ""
        """The last die that the table would have thrown, and that nobody shows."""

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face."""
        alike = (question.who, question.purpose, question.sides)
        nth = self.asked[alike]
        self.asked[alike] += 1
        own = self.rest[alike]
        while own:
            face = own.pop(0)
            if face or optional:
                return Answer(face, 0) if face else LEFT_OUT
        shown = self.new[alike]
        if nth < len(shown) and (shown[nth] or optional):
            return Answer(shown[nth], 0) if shown[nth] else LEFT_OUT
        if not optional:
            self.missing = f"{question.who or 'the table'} d{question.sides} for {question.purpose}"
        if optional:
            return LEFT_OUT
        self.fell += 1
        return Answer(self.fell % question.sides + 1, 0) if self.any_face else None


class Anew:
    """A table that says its lines again."""

    def __init__(self, system: str, state: State, supply: Supply) -> None:
        self.system, self.state, self.supply = system, state, supply
        self.lost: dict[int, str] = {}
        """The entries that the book forbids, with the reason."""
        self.fallen: dict[int, str] = {}
        """Steps for which there is nothing to go on to."""
        self.passed: list[str] = []
        """What was said besides, because the table went on."""
        self.any_face = False
        self.last: Sequence[Event] = ()
        """What came of the last line."""

    def play(self, lines: Sequence[Line]) -> None:
        """Says the lines. What was said of somebody follows another name."""
        lines = list(lines)
        at = 0
        while at < len(lines):
            answered = next(nth for nth in range(at, len(lines)) if not lines[nth].instant) if lines[at].instant else at
            if answered > at:
                self._with_instants(lines[at:answered], lines[answered])
            else:
                self._say(lines[at])
            if names := self._renamed(lines[answered]):
                lines[answered + 1 :] = [under(names, line) for line in lines[answered + 1 :]]
            at = answered + 1

    def _renamed(self, line: Line) -> dict[str, str]:
        """Who is called otherwise by a line than it called them when it was first said."""
        now = _called(self.last) if line.called else ()
        if len(now) != len(line.called):
            return {}
        return {
            old: new for old, new in zip(line.called, now, strict=True) if old not in now and new not in line.called
        }

    def _with_instants(self, instants: Sequence[Line], action: Line) -> None:
        """The action first, as it was said; then each answer to it."""
        rolls = self.supply.rolls(action)
        self._wait(action, rolls)
        for line in instants:
            self._answer(line, action, rolls)
        self._say(action, rolls)

    def _answer(self, line: Line, action: Line, rolls: Sequence[Rolled]) -> None:
        """An answer to an action, after what the fight waits for before it."""
        state, passed, put_in = self.state, list[str](), list(self.supply.put_in)
        try:
            while True:
                try:
                    struck = tuple(self._said(state, action, rolls).events)
                    fight = self._said(state, line, self.supply.rolls(line), lambda struck=struck: struck, True)
                    self._said(fight.state, action, rolls)
                    self.state = fight.state
                    self.passed += passed
                    return
                except (Refused, UsageError) as refused:
                    words = self._way_on(refused, state, line)
                    if not words or len(passed) > 20:
                        raise
                    going = self._line(state, words)
                    passed.append(shlex.join(words))
                    state = self._said(state, going, self.supply.rolls(going)).state
        except AffrayError as error:
            self.supply.put_in = put_in
            self.lost[line.entry] = error.message

    def _wait(self, action: Line, rolls: Sequence[Rolled]) -> None:
        """Those before whom nobody may act have their turn before the action that is answered."""
        trial = Anew(self.system, self.state, self.supply)
        put_in = list(self.supply.put_in)
        trial._say(action, rolls)
        if trial.passed:
            self.supply.put_in = put_in
            for words in trial.passed:
                going = self._line(self.state, shlex.split(words))
                if going.verb == action.verb and "pass_rest" in going.said:
                    return
                self.state = self._said(self.state, going, self.supply.rolls(going)).state
            self.passed += trial.passed

    def _meant(self, line: Line, state: State | None = None) -> Any:
        _, kind = systems.procedure(systems.find_verb(self.system, line.verb))
        return resolve_names(state or self.state, msgspec.convert(line.said, kind))

    def _said(
        self,
        state: State,
        line: Line,
        rolls: Sequence[Rolled],
        latest: Callable[[], tuple[Event, ...]] = tuple,
        instant: bool = False,
    ) -> Resolution:
        """What comes of a line. Raises Missing where the rules let it pass, and a die of it is nowhere."""
        source = Own(line, rolls, self.any_face)
        try:
            meant = self._meant(line, state)
            return resolve(Resolution(state, line.verb, meant, source, line.allow, latest, instant, line.secret))
        except Needed:
            raise Missing(source.missing) from None

    def _say(self, line: Line, rolls: Sequence[Rolled] | None = None) -> None:
        """A line, after what the fight waits for before it. Raises Missing as `_said`, unless it is lost whatever the
        missing die shows.
        """
        rolls = self.supply.rolls(line) if rolls is None else rolls
        before = self.state, list(self.passed), list(self.supply.put_in)
        try:
            self._try(line, rolls)
        except Missing:
            if self.any_face:
                raise
            self.state, self.passed, self.supply.put_in = before
            self.any_face = True
            self._try(line, rolls)
            self.any_face = False
            if line.entry not in {**self.lost, **self.fallen}:
                raise

    def _try(self, line: Line, rolls: Sequence[Rolled]) -> None:
        state, passed, put_in = self.state, list[str](), list(self.supply.put_in)
        first: AffrayError | None = None
        try:
            for _ in range(100):
                try:
                    said = self._said(state, line, rolls)
                    self.state, self.last = said.state, said.events
                    self.passed += passed
                    return
                except (Refused, UsageError) as refused:
                    words = self._way_on(refused, state, line)
                    if not words:
                        raise
                    first = first or refused
                    going = self._line(state, words)
                    passed.append(shlex.join(words))
                    if going.verb == line.verb and {**line.said, **going.said, "pass_rest": True} == going.said:
                        line = replace(line, said=going.said)
                        continue
                    try:
                        state = self._said(state, going, self.supply.rolls(going)).state
                    except AffrayError:
                        raise first from None
        except (AffrayError, msgspec.ValidationError) as error:
            self.supply.put_in = put_in
            error = first or error
            nothing = line.verb in STEPS and (line.verb, self.system) != ("initiative", "dungeoneers")
            (self.fallen if nothing else self.lost)[line.entry] = str(error)

    def _way_on(self, refused: AffrayError, state: State, line: Line) -> list[str]:
        over = OVER.search(refused.message)
        if not (over or WAITS.search(refused.message)) or "--allow overrules one of them" in refused.message:
            return []
        had = state.turns.round and not state.points.left(str(line.said.get("who")), "turn")
        if OWN_TURN.search(refused.message) and had:
            return []
        if free := FREE.search(refused.message):
            return ["pass", free[1]]
        ways = [shlex.split(way)[1:] for way in refused.hint.splitlines() if way.startswith("affray ")]
        ways = [words for words in ways if words[0] in (("round", "done", "initiative") if over else GOING_ON)]
        several = [way if isinstance(way, list) else [way] for way in refused.on]
        named = {one[0] for way in several for one in way if not isinstance(one, str)}
        ways = [words for words in ways if not named or words[0] in named]  # not the names the other way round
        if not ways and (going := way_on(state, refused)):
            return shlex.split(typed(going.verb, going.declaration, going.allow))[1:]
        if "till to resolve" in refused.message:
            ways = [words for words in ways if words[0] != "skirmish"] or [["resolve"]]
        return ["resolve"] if ["resolve"] in ways else ways[0] if ways else []

    def _line(self, state: State, words: Sequence[str]) -> Line:
        import click

        with click.Context(click.Command("affray")):
            order = order_of(words, self.system)
        return Line(0, 0, order.verb, to_builtins(resolve_names(state, order.declaration)), order.allow)
