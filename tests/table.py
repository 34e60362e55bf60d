"""The lines of an evening, as they were said at a table, each with the dice of its own action."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import events_of
from commands.action.dice_sources import LEFT_OUT, Answer, Dice, Layer, Question, Throw
from ledger.chain import Entry
from ledger.dice import parse
from ledger.events import Declared, Event, Joined, Retracted, Rolled
from ledger.store import Store
from projections.persons import persons_of

STEPS = ("initiative", "done", "round", "phase", "turn", "resolve", "pass")
"""With these the table goes on: nobody's deed."""

Kind = tuple[str, str, int, str]
"""What a die is for: who rolls it, its purpose, its sides, and about whom."""
Part = tuple[str, str, int, str, int]
"""The same, with the blow of theirs that it belongs to."""


class Thrown(NamedTuple):
    """A die that was thrown."""

    kind: Kind
    face: int
    """0 for one that was left out."""
    by_hand: bool
    begins: bool
    """Whether it is the first of those that were thrown together."""


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
    older: "tuple[tuple[Thrown, ...], ...]" = ()
    """Those of older resolutions of its action, of which an instant may have taken some away; the newest first."""
    was: dict[str, Any] | None = None
    """What was said before the correction, if that is otherwise."""
    by_hand: tuple[int, ...] | None = None
    """The true faces of those thrown by hand, if they were misread."""
    joined: tuple[tuple[str, tuple[int, int]], ...] = ()
    """Those who joined by it: of each the name of the sheet, and the person."""
    before: tuple[Event, ...] = ()
    """What came of it."""
    out_of_order: bool = False
    """Whether it stands out of the order that a correction changed."""
    went_on: bool = False
    """Whether nobody said it: the table went on by it."""
    meant: bool = False
    """Whether it is said under the names of now."""


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
                found.append(Thrown((event.who, event.purpose, sides, event.about), face, not place, not at))
    return tuple(found)


def joined_by(declared: Declared, events: Iterable[Event], origin: int) -> tuple[tuple[str, tuple[int, int]], ...]:
    """Those who join by an entry: of each the name of the sheet, and the person."""
    sheets, many = declared.said.get("sheets", ()), declared.said.get("count", 1)
    joined = [event for event in events if isinstance(event, Joined)]
    return tuple(
        (str(sheets[min(nth // many, len(sheets) - 1)].get("name")) if sheets else "", (origin, event.place or nth + 1))
        for nth, event in enumerate(joined)
    )


def under(names: dict[str, str], line: Line, seats: Sequence[str] = ()) -> Line:
    """A line, said under other names; free words stay, and seats that are called as somebody was, with their dice of
    initiative.
    """
    now = {name.casefold(): other for name, other in names.items()}

    def new(value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"[\w'-]+", lambda found: now.get(found[0].casefold(), found[0]), value)
        if isinstance(value, dict):
            return {new(key): new(one) for key, one in value.items()}
        return [new(one) for one in value] if isinstance(value, list | tuple) else value

    stays = ("text", "why", "sheets", *(["seats"] if seats else []))
    said = {field: value if field in stays else new(value) for field, value in line.said.items()}
    own = {(seat, "initiative") for seat in seats}
    dice, *older = (
        tuple(
            die if die.kind[:2] in own else die._replace(kind=(new(die.kind[0]), *die.kind[1:3], new(die.kind[3])))
            for die in some
        )
        for some in (line.dice, *line.older)
    )
    return replace(line, said=said, dice=dice, older=tuple(older))


def lines_of(store: Store) -> list[Line]:
    """What was said of all that stands, in order."""
    found, again = [], store.resolved_again(store.head().entry)
    course = [range(first, last + 1) for first, last in store.course(store.head().entry)]
    for number in sorted(number for some in course for number in some):
        entry = store.entry(number)
        events = events_of(entry)
        declared = events[0]
        assert isinstance(declared, Declared)
        if declared.verb not in ("undo", "redo", "amend", "stir", "reveal"):
            found.append(
                Line(number, entry.origin, declared.verb, _of_all(store, entry, again), declared.allow, declared.secret,
                     declared.instant, dice_of(events),
                     tuple(_as_of(store, one, entry) for one, of in reversed([(entry.origin, entry.origin), *again])
                           if of == entry.origin and one < entry.entry),
                     joined=joined_by(declared, events, entry.origin),
                     before=events)
            )  # fmt: skip
    return found


def _of_all(store: Store, entry: Entry, again: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """What a line says, also of those who fell away from it as dead when another line was corrected."""
    said, of_it = _said(entry), [entry.origin, *(one for one, of in again if of == entry.origin and one < entry.entry)]
    while entry.entry != entry.origin:
        correction = events_of(store.entry(entry.command))
        gone = {one for event in correction if isinstance(event, Retracted) for one in event.entries}
        if not gone.intersection(of_it) or _said(store.entry(entry.command)).get("entry") in {
            f"e{one}" for one in of_it
        }:
            break
        entry = store.entry(max(gone.intersection(of_it)))
        lists = {field: value for field, value in _said(entry).items() if value != said.get(field)}
        names = {field: listed(said.get(field)) for field in lists}
        if any(names[field] != [one for one in listed(value) if one in names[field]] for field, value in lists.items()):
            break
        said = {**said, **lists}
    return said


def _said(entry: Entry) -> dict[str, Any]:
    """What the declaration of an entry says."""
    declared = events_of(entry)[0]
    assert isinstance(declared, Declared)
    return declared.said


def _as_of(store: Store, older: int, entry: Entry) -> tuple[Thrown, ...]:
    """The dice of an older resolution of an action, as it is said in the newest."""
    persons = persons_of(store)
    names = persons.at(store.after(older)).among(persons.at(store.after(entry.entry)))
    before, now = events_of(store.entry(older)), events_of(store.entry(entry.entry))
    assert isinstance(before[0], Declared)
    assert isinstance(now[0], Declared)
    said = under(names, Line(0, 0, "", before[0].said, dice=dice_of(before)))
    return under(takes_part(said.said, now[0].said), said).dice


def listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]


def _is_many(value: Any) -> bool:
    """Whether somebody is named together with others."""
    return isinstance(value, list | tuple) and len(listed(value)) > 1


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

    def __init__(self, die: str, events: tuple[Event, ...]) -> None:
        super().__init__(die)
        self.events = events
        """What came of the line before that die."""


class Strikes:
    """Tells which blow of somebody's a die belongs to: each begins with what they throw first."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], str] = {}
        self.many: dict[tuple[str, str], int] = defaultdict(int)

    def of(self, who: str, purpose: str, sides: int, blow: str, begins: bool) -> Part:
        """What a die is for, with its blow."""
        self.many[who, blow] += begins and self.first.setdefault((who, blow), purpose) == purpose
        return who, purpose, sides, blow, self.many[who, blow]


class Own:
    """The dice of a line, each for its part, purpose and size, and how many-th it was; then new ones."""

    def __init__(
        self, line: Line, rolls: Iterable[Rolled], joining: dict[str, str] | None = None, any_face: bool = False
    ) -> None:
        """`joining` says how those are called now who joined by it before, "" for one who does not join."""
        self.any_face = any_face
        """Whether a die that nobody shows falls somehow."""
        self.fell = 0
        part = joining or (takes_part(line.was, line.said) if line.was else {})
        both = [line.said, *([line.was] if line.was else [])]
        many = {field for said in both for field, value in said.items() if _is_many(value)}
        self.several = {name for said in both for field in many for name in listed(said.get(field, ()))}
        """Against whom it is, of an act against several: each blow has its own dice."""
        self.rest: dict[Part, list[int]] = defaultdict(list)
        faces, strikes = list(line.by_hand or ()), Strikes()
        for die in line.dice:
            misread = faces and die.by_hand and die.face
            self.rest[strikes.of(*self.kind(die, part), die.begins)].append(faces.pop(0) if misread else die.face)
        for older in line.older:
            fell, strikes = defaultdict[Part, list[int]](list), Strikes()
            for die in older:
                fell[strikes.of(*self.kind(die, part), die.begins)].append(die.face)
            for use, some in fell.items():
                self.rest[use] += some[len(self.rest[use]) :]
        self.new: dict[Part, list[int]] = defaultdict(list)
        strikes = Strikes()
        for roll in rolls:
            for at, sides in enumerate(parse(roll.dice)[0]):
                use = strikes.of(roll.who, roll.purpose, sides, self.blow(roll.about), not at)
                self.new[use].append(roll.faces[at] if roll.faces else 0)
        self.strikes = Strikes()
        self.asked: dict[Part, int] = defaultdict(int)
        self.missing = ""
        """The last die that the table would have thrown, and that nobody shows."""

    def kind(self, die: Thrown, part: dict[str, str]) -> Kind:
        """Whose a die is now and what for."""
        who, purpose, sides, about = die.kind
        return part.get(who, who), purpose, sides, self.blow(part.get(about, about), about)

    def blow(self, about: str, before: str = "") -> str:
        """Which blow of several a die is of: the one against somebody, or against who was in their place before."""
        return about if (before or about) in self.several else ""

    @property
    def dice(self) -> Dice:
        """The dice of the line."""

        def ask(throw: Throw, used: list[Any]) -> None:
            throw.found |= {nth: self.answer(die, throw.optional) for nth, die in enumerate(throw.pool)}

        return Dice(Layer(ask))

    def answer(self, question: Question, optional: bool) -> Answer | None:
        """The face."""
        kind = question.who, question.purpose, question.sides, self.blow(question.about)
        alike = self.strikes.of(*kind, not question.die)
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
