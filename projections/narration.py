"""Narration: an entry in the words of the game, the outcomes first and below each how it was reached.

Each event tells itself (`Event.told`, `Event.arithmetic`), and each belongs to a passage, which says who acts upon
whom. Here is a line made for each pair, with what was done and what came of it; and one for everybody to whom something
happens besides. What another event says too is left out.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Declared,
    Disengaged,
    EncounterEnded,
    Engaged,
    Equipped,
    Event,
    Felled,
    Moved,
    Overruled,
    Passage,
    Rolled,
    Ruled,
    Sentence,
    SkirmishJoined,
    WaitingEnded,
    agreeing,
    alone,
    few,
    tag,
)

from .declarations import actor, acts, deed, is_announced, is_decreed, is_repeated, marks, reason, stem, targets
from .passages import AS_DECLARED, passages
from .thrown import marked

if TYPE_CHECKING:
    from .declarations import Verbs

_FIGHT = "\0"
"""Stands in place of a name where a round, a phase or the whole encounter is concerned."""
_DECIDES = (Rolled, Ruled, Overruled)
"""The kinds that belong to the deed in whose passage they stand, also where they name another."""
_OWN = (" ", ": ")
"""What joins a name to what is told of somebody; behind it the name may be left out."""
ASIDE = "aside"
"""The tone of what only keeps the books of where everybody stands, and of what is used up."""


class Told(Struct, frozen=True):
    """An outcome line, and the lines of its arithmetic."""

    outcome: str
    """Who did what to whom, what came of it, and the new value with its maximum."""
    arithmetic: tuple[str, ...] = ()
    """A line for each roll and ruling behind it, in the order of the book."""
    tone: str = ""
    """harm or healing, when it tells of one of them; aside, when it only keeps the books."""

    @property
    def lines(self) -> list[str]:
        """The outcome, and below it the arithmetic, indented."""
        return [self.outcome, *(f"    {step}" for step in self.arithmetic)]


class _Line(Struct, eq=False):
    """What is done to one in a passage; or outside of all what becomes of one, of the fight, or of nobody."""

    subject: str
    """A name, `_FIGHT`, or ""."""
    passage: Passage = AS_DECLARED
    events: list[Event] = []
    alike: str = ""
    """What is told of all whom the events name; "" where it is not the same."""

    @property
    def doer(self) -> str:
        return self.passage.who

    def is_of(self, who: str) -> bool:
        return (self.doer, self.subject) == ("", who)

    @property
    def told(self) -> list[Event]:
        return [event for event in self.events if event.sentence()[2]]

    @property
    def deed(self) -> str:
        """What is done, as its first event says it itself: `strikes at Marcus`; else ""."""
        who, _, what = self.told[0].sentence() if self.told and self.doer else alone("")
        return what if who in ("", self.doer) and f" {self.subject} " in f" {what.replace(',', '')} " else ""

    @property
    def keeps_books(self) -> bool:
        return all(event.ASIDE or (self.alike and not isinstance(event, Ruled)) for event in self.told)


def _tells(event: Event) -> bool:
    return bool(event.sentence()[2] or event.arithmetic())


def story(events: Sequence[Event], verbs: "Verbs", arithmetic: bool) -> list[Told]:
    """The outcome lines of an entry, with or without what stands below them."""
    return [one if arithmetic or not one.outcome else replace(one, arithmetic=()) for one in told(events, verbs)]


def told(
    events: Sequence[Event],
    verbs: "Verbs",
    before: Callable[[Sequence[Event]], str] = lambda _: "",
    short: bool = False,
) -> list[Told]:
    """The outcome lines of an entry, each with its arithmetic: first what was declared, with a line for each target,
    then what else came of it, and then what keeps the books. `before` says what stands before the outcome of some
    events; in `short` what keeps the books names only those who are concerned.
    """
    if not events:
        return []
    found, who = _lines(events, short), actor(events[0])
    undone = bool(who) and any(one.doer for one in found) and not any(one.told for one in found if one.is_of(who))
    decreed = is_decreed(events[0], verbs) and any(one.told for one in found)
    announced = is_announced(events)
    spared = decreed or announced or (is_repeated(events[0], verbs) and not undone)
    head = alone("") if found and spared else deed(events[0], verbs)
    first = _deeds(events[0], found, head, verbs)
    begun = [one for one, _ in first]
    lines = [] if not any(head) or any(any(done) for _, done in first) else [Told("".join(agreeing(head)))]
    if lines and head == alone(getattr(events[0], "verb", "")) and not events[1:]:
        lines = [Told(f"{head[2]}: nothing changes")]
    steps: list[str] = []
    for one, done in [*first, *((one, alone("")) for one in found if one not in begun)]:
        aside = one not in begun and one.keeps_books
        outcome = _outcome(one, done, short, named=short and aside and bool(begun) and one.is_of(who))
        repeated = {text for event in one.events for text in event.repeats()} if outcome else set()
        steps += [step for event in one.events if (step := event.arithmetic()) and step not in repeated]
        if outcome:
            tone = ASIDE if aside else next((event.TONE for event in one.events if event.TONE), "")
            lines.append(Told(before(one.events) + outcome, tuple(steps), tone))
            steps = []
    if steps:
        last = lines.pop() if lines else Told("")
        lines.append(replace(last, arithmetic=(*last.arithmetic, *steps)))
    if lines and (decreed or announced):
        behind = reason(events[0]) if decreed else marks(events[0])
        lines[0] = replace(lines[0], outcome=f"{lines[0].outcome}{behind}")
    return sorted(lines, key=lambda one: one.tone == ASIDE)


def _deeds(said: Event, found: list[_Line], head: Sentence, verbs: "Verbs") -> list[tuple[_Line, Sentence]]:
    """The lines that come first, each with what was declared, as it is done to the one whom the line concerns. What was
    ruled and thrown for the deed before it was done to anybody stands in the first of them.
    """
    who, aims = actor(said), targets(said)
    own = [one for one in found if one.is_of(who)]
    upon = [one for one in found if aims and acts(said, one.doer) and not one.deed]
    upon = upon or [one for one in found if one.subject in aims and not one.doer]
    if upon and any(head):
        done = [(one, deed(said, verbs, one.subject, one is not upon[0], one.doer)) for one in upon]
    else:
        done = [(one, head) for one in sorted(own, key=lambda one: not one.told)[:1]]
        others = next((nth for nth, one in enumerate(found) if one.doer or not who), len(found))
        if not any(one in found[: others + 1] or any(event.GOES for event in one.events) for one, _ in done):
            return _without_deed(said, found, head)
    first = done[0][0]
    for one in found[: found.index(first)]:
        if first.passage.target and one in own and not one.passage.target:
            led = [event for event in one.events if isinstance(event, _DECIDES)]
            one.events = [event for event in one.events if event not in led]
            first.events[:0] = led
    return done


def _without_deed(said: Event, found: list[_Line], head: Sentence) -> list[tuple[_Line, Sentence]]:
    """The lines that come first where nobody does what was declared: the only one, or those of pairs."""
    if any(head) and len(found) == 1 and not found[0].doer:
        worded = isinstance(said, Declared) and said.said
        return [] if worded and found[0].subject == _FIGHT else [(found[0], head)]
    paired = any(one.doer for one in found)
    return [(one, alone("")) for one in found if paired and (one.doer or not one.told)]


def _lines(events: Sequence[Event], short: bool) -> list[_Line]:
    """A line for each pair of one who acts and one who is acted upon, for all others concerned, and for what is the
    same for several, in the order in which they come first. What a window held up is another deed than those that
    answered it.
    """
    every = marked(events)
    who, left_out = actor(events[0]), _left_out(every)
    told = [(*one, _alike(*one, short)) for one in passages(every[1:]) if id(one[1]) not in left_out and _tells(one[1])]
    several: dict[str, _Line] = {}
    for _, event, text in told:
        if text:
            several.setdefault(text, _Line(_FIGHT, alike=text)).events.append(event)
    found, answers = [now := _Line(who)], 0
    for passage, event, text in told:
        subject = _FIGHT if event.OF_FIGHT else getattr(event, "who", "")
        if who and isinstance(event, Overruled | Rolled):  # what is thrown and allowed belongs to what is declared
            subject = who
        if text and len({getattr(one, "who", "") for one in several[text].events}) > 1:
            line = several[text]
        elif passage.target and (isinstance(event, _DECIDES) or subject in ("", passage.target)):
            line = next((one for one in found[answers:] if one.passage == passage), _Line(passage.target, passage))
        else:  # who goes on goes on from where they were
            goes_on = now.is_of(subject) or (not (subject or now.doer) and now.subject in ("", _FIGHT, who))
            own = sorted((one for one in found if event.GOES and one.is_of(subject)), key=lambda one: not one.told)
            line = own[0] if own and (own[0].told or not goes_on) else now if goes_on else _Line(subject)
        found += [line] if line not in found else []
        if not line.alike:
            line.events.append(event)
            now = now if isinstance(event, Rolled) else line
        answers = len(found) if isinstance(event, WaitingEnded) and event.how == "resolved" else answers
    return [one for one in found if one.events]


def _left_out(events: Sequence[Event]) -> set[int]:
    """The identities of rolls that a ruling's arithmetic shows, or that were not thrown; and of events that undo each
    other, such as an engagement that begins and ends in the entry.
    """
    shown = {
        step.roll for event in events if isinstance(event, Ruled) for number in event.numbers for step in number.steps
    }
    rolls = [event for event in events if isinstance(event, Rolled)]
    found = {id(event) for nth, event in enumerate(rolls, 1) if not event.faces or nth in shown}
    changed = [event for event in events if isinstance(event, ConditionGained | ConditionEnded)]
    last = {(event.who, event.condition): event for event in changed}
    passing = {event.condition for event in changed if isinstance(event, ConditionGained) and event.until == "move"}
    found |= {id(one) for one in changed if one.condition in passing and one is not last[one.who, one.condition]}
    down = {event.who for event in events if isinstance(event, Felled)}
    found |= {id(one) for one in events if isinstance(one, Disengaged) and down & {one.who, one.whom}}
    if any(isinstance(event, EncounterEnded) for event in events):
        found |= {id(event) for event in events if isinstance(event, Disengaged)}
    begun: dict[tuple[str, frozenset[Any]], Event] = {}
    for event in events:
        if event.UNDOES:
            about = frozenset(astuple(event))
            if before := begun.pop((event.UNDOES, about), None):
                found |= {id(before), id(event)}
            else:
                begun[tag(type(event)), about] = event
    return found


def _alike(passage: Passage, event: Event, short: bool) -> str:
    """What is told once where it is so of several: what ends, what begins until somebody moves, which goes without
    saying, and in `short` a ruling of nobody's deed without a number; "" for all else.
    """
    match event:
        case ConditionGained(until="move"):
            return replace(event, whom=(), until="removed").sentence()[2]
        case ConditionEnded():
            return event.sentence()[2]
        case Ruled(numbers=()) if short and event.who and not passage.target:
            return event.sentence()[2]
    return ""


def _outcome(line: _Line, done: Sentence, short: bool, named: bool) -> str:
    """An outcome line: what was done, and what came of it. A name is not repeated while the same one is meant, nor
    where it was `named` just before.
    """
    if line.alike:
        each = {str(getattr(event, "who", "")): ", ".join(getattr(event, "whom", ())) for event in line.events}
        shown = [f"{who} ({whom})" for who, whom in each.items() if whom and not short]
        return f"{line.alike}: {'; '.join(shown) or few([*each])}"
    subject, doer = line.subject.strip(_FIGHT), line.doer
    sentences = _outcomes([event for event in line.events if not _is_said(event, line, done)])
    if subject and sentences and not any(done):
        who, _, what = sentences[0]
        if what and what == line.deed:
            done, sentences = (doer, " ", what), sentences[1:]
        elif doer != subject and doer:
            done = doer, " ", f"against {subject}"
        elif who != subject:
            done = subject, "", ""
    named, done = named or done[0] == subject, agreeing(done)
    said: list[str] = []
    for who, joint, what in map(agreeing, sentences):
        if done[0] and what and f" {what} " in f" {done[2]} ":  # the deed says it
            continue
        own = bool(subject) and who == subject and joint in _OWN
        spare = own and (named or (any(done) and joint == ": "))
        spare |= bool(doer) and (who, joint) == (doer, " ")
        said.append(what if spare else f"{who}{joint}{what}")
        named = named or (own and not spare) or (bool(subject) and who == subject and joint not in _OWN)
    return ": ".join(filter(None, ("".join(done), "; ".join(said))))


def _is_said(event: Event, line: _Line, done: Sentence) -> bool:
    """Whether a line says in another form of the word what somebody is from now on, as who charges is charging."""
    if not isinstance(event, ConditionGained) or event.amount or event.who != (line.doer or line.subject):
        return False
    others = ["".join(other.sentence()) for other in line.events if other is not event]
    words = " ".join([done[2].partition(" (")[0], *others]).replace(",", "").split()
    again = any(word != event.condition and stem(word) == stem(event.condition) for word in words)
    return again and all(who in " ".join([*done, *others]) for who in event.whom)


def _outcomes(events: Sequence[Event]) -> list[Sentence]:
    """What came of it, each once: without what another event says too; also a number at the end that nothing came of,
    such as 0 damage. Why something is lost goes without saying where it has just been told.
    """
    found: list[tuple[Event, Sentence]] = []
    joined: list[SkirmishJoined] = []
    number = ""
    for event in sorted(events, key=_rank(events)):
        if isinstance(event, WaitingEnded) and any("".join(sentence) == event.why for _, sentence in found):
            event = replace(event, why="")
        who, joint, what = sentence = event.sentence()
        if not what:
            number = event.sums() if isinstance(event, Ruled) else number
            continue
        number = ""
        last, before = found[-1] if found else (None, alone(""))
        if isinstance(event, Equipped) and isinstance(last, Equipped):
            found[-1] = event, (who, joint, f"{before[2]}, {event.item}")
        elif isinstance(event, SkirmishJoined) and isinstance(last, SkirmishJoined) and event.fight == last.fight:
            joined = [*(joined if joined[-1:] == [last] else [last]), event]
            sides = (", ".join(one.who for one in joined if one.side == side) for side in (0, 1))
            found[-1] = event, alone(f"{event.fight}: {' v '.join(filter(None, sides))}")
        elif isinstance(event, Moved) and isinstance(last, Moved) and not event.measure and event.how == last.how:
            farther = replace(event, squares=last.squares + event.squares)
            found[-1] = farther, farther.sentence()
        elif isinstance(event, Ruled):  # by the same rule it is a second try
            alike = [one for one, other in found if isinstance(one, Ruled) and other == sentence]
            found += [] if any(one.clause != event.clause for one in alike) else [(event, sentence)]
        else:
            found.append((event, sentence))
    repeats = [(at, event.repeats(), sentence) for at, (event, sentence) in enumerate(found)]
    kept = [
        sentence
        for nth, (_, sentence) in enumerate(found)
        if not any(
            (sentence[2] in texts or "".join(sentence) in texts) and (at > nth or (at < nth and again != sentence))
            for at, texts, again in repeats
        )
    ]
    return [*kept, alone(number)] if number else kept


def _rank(events: Sequence[Event]) -> Callable[[Event], int]:
    """The order in which a line tells what came of it: what passes, and who is engaged, behind the harm or the way."""
    main = max((at for at, event in enumerate(events) if event.TONE == "harm" or event.GOES), default=0)
    first = {
        id(event)
        for event in events[: main + 1]
        if not isinstance(event, Engaged | Disengaged | ConditionGained)
        or getattr(event, "until", "") in ("removed", "acted")
    }
    return lambda event: id(event) not in first
