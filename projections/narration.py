"""Narration: an entry in the words of the game, the outcomes first and below each how it was reached.

Each event tells itself (`Event.told`, `Event.arithmetic`), and each belongs to a passage, which says who acts upon
whom. Here is a line made for each pair, with what was done and what came of it; and one for everybody to whom something
happens besides. What another event says too is left out.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from msgspec import Struct
from msgspec.structs import astuple, replace

from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Declared,
    Disengaged,
    Engaged,
    Equipped,
    Event,
    Moved,
    Overruled,
    Passage,
    Rolled,
    Ruled,
    Sentence,
    SkirmishJoined,
    WaitingEnded,
    alone,
    few,
    tag,
)

from .declarations import actor, acts, deed, is_announced, is_repeated, targets
from .passages import passages, said_of_fights
from .thrown import marked

if TYPE_CHECKING:
    from .declarations import Verbs

_FIGHT = "\0"
"""Stands in place of a name where a round, a phase or the whole encounter is concerned."""
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
    """What somebody does to one, or what becomes of one, of the fight, or of nobody in particular."""

    doer: str
    """"" where nobody acts upon the subject."""
    subject: str
    """A name, `_FIGHT`, or ""."""
    events: list[Event] = []
    shared: bool = False
    """Whether the same begins, ends or is ruled here for all whom the events name."""

    def is_of(self, who: str) -> bool:
        return (self.doer, self.subject) == ("", who)

    @property
    def told(self) -> list[Event]:
        return [event for event in self.events if event.sentence()[2]]


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
    spared = is_announced(events) or (is_repeated(events[0], verbs) and not undone)
    head = alone("") if found and spared else deed(events[0], verbs)
    first = _deeds(events[0], found, head, verbs)
    begun = [one for one, _ in first]
    lines = [] if not any(head) or any(any(done) for _, done in first) else [Told("".join(head))]
    steps: list[str] = []
    for one, done in [*first, *((one, alone("")) for one in found if one not in begun)]:
        kept = all(event.ASIDE for event in one.told)
        again = short and kept and bool(begun) and one is not begun[0] and one.is_of(who)
        outcome = _outcome(one, done, short, again and not any(done))
        repeated = {text for event in one.events for text in event.repeats()} if outcome else set()
        steps += [step for event in one.events if (step := event.arithmetic()) and step not in repeated]
        if outcome:
            lasts = one.shared and not isinstance(one.events[0], Ruled)
            aside = lasts or (kept and one not in begun)
            tone = ASIDE if aside else next((event.TONE for event in one.events if event.TONE), "")
            lines.append(Told(before(one.events) + outcome, tuple(steps), tone))
            steps = []
    if steps:
        last = lines.pop() if lines else Told("")
        lines.append(replace(last, arithmetic=(*last.arithmetic, *steps)))
    return sorted(lines, key=lambda one: one.tone == ASIDE)


def _deeds(said: Event, found: list[_Line], head: Sentence, verbs: "Verbs") -> list[tuple[_Line, Sentence]]:
    """The lines that come first, each with what was declared, as it is done to the one whom the line concerns. What was
    ruled and thrown for the deed before it was done to anybody stands in the first of them.
    """
    who, aims = actor(said), targets(said)
    struck = {one.subject for one in found if aims and acts(said, one.doer)}
    done = [
        one for one in found if any(head) and (acts(said, one.doer) if one.subject in struck else one.subject in aims)
    ]
    own = [one for one in found if one.is_of(who) and one not in done]
    if done:
        for one in own:
            if found.index(one) < found.index(done[0]):
                led = [event for event in one.events if isinstance(event, Ruled | Rolled | Overruled)]
                one.events = [event for event in one.events if event not in led]
                done[0].events = [*led, *done[0].events]
        return [(one, deed(said, verbs, one.subject, one is not done[0], one.doer)) for one in done]
    if any(head) and not own and len(found) == 1 and not found[0].doer:
        alike = found[0].subject != _FIGHT or not (isinstance(said, Declared) and said.said)
        own = found if alike else own
    at = next((at for at, one in enumerate(found) if one.doer), len(found))
    own = [one for one in own[:1] if found.index(one) < at or any(event.GOES for event in one.events)]
    if own:
        return [(own[0], head)]
    pairs = [one for one in found if one.doer or not one.told]
    return [(one, alone("")) for one in pairs if at < len(found)]


def _lines(events: Sequence[Event], short: bool) -> list[_Line]:
    """A line for each pair of one who acts and one who is acted upon, and for all others concerned, in the order in
    which they come first. What a window held up is another deed than those that answered it.
    """
    every = marked(events)
    who, left_out = actor(events[0]), _left_out(every)
    found, answers = [now := _Line("", who)], 0
    for passage, event in passages(every[1:]):
        if id(event) in left_out or not (event.sentence()[2] or event.arithmetic()):
            continue
        declared = isinstance(event, Overruled) or (isinstance(event, Rolled) and event.about == who)
        subject = _FIGHT if event.OF_FIGHT else who if declared else getattr(event, "who", "")
        pair = passage.who if passage.who != passage.target else "", passage.target
        line = next((one for one in found[answers:] if pair[0] and (one.doer, one.subject) == pair), None)
        if passage.target and (subject in ("", passage.target) or _is_of_pair(event, passage, line)):
            line = line or (now if (now.doer, now.subject) == pair else _Line(*pair))
        else:  # who goes on goes on from where they were
            own = sorted((one for one in found if event.GOES and one.is_of(subject)), key=lambda one: not one.told)
            goes_on = now.is_of(subject) or not (subject or now.doer)
            line = own[0] if own and (own[0].told or not goes_on) else now if goes_on else _Line("", subject)
        if line not in found:
            found.append(line)
        line.events.append(event)
        now = now if isinstance(event, Rolled) else line
        answers = len(found) if isinstance(event, WaitingEnded) and event.how == "resolved" else answers
    lines = _together([one for one in found if one.events])
    return _ruled_alike(lines) if short else lines


def _is_of_pair(event: Event, passage: Passage, line: _Line | None) -> bool:
    """Whether dice or a ruling of one who acts belong to the line of the pair. What is ruled of them alone, once the
    line tells what they do, is theirs: that a fumble makes them stumble.
    """
    if not isinstance(event, Ruled | Rolled) or event.who not in ("", passage.who):
        return isinstance(event, Ruled | Rolled) and passage.target in (event.who, event.about)
    if isinstance(event, Rolled) or event.aside or event.about == passage.target:
        return True
    return not event.about and not (line and any(isinstance(one, Ruled) for one in line.told))


def _left_out(events: Sequence[Event]) -> set[int]:
    """The identities of rolls that a ruling's arithmetic shows, or that were not thrown; and of events that undo each
    other, such as an engagement that begins and ends in the entry.
    """
    shown = {
        step.roll for event in events if isinstance(event, Ruled) for number in event.numbers for step in number.steps
    }
    rolls = [event for event in events if isinstance(event, Rolled)]
    found = {id(event) for nth, event in enumerate(rolls, 1) if not event.faces or nth in shown}
    begun: dict[tuple[str, frozenset[Any]], Event] = {}
    for event in events:
        if event.UNDOES:
            about = frozenset(astuple(event))
            if before := begun.pop((event.UNDOES, about), None):
                found |= {id(before), id(event)}
            else:
                begun[tag(type(event)), about] = event
    return found


def _together(found: list[_Line]) -> list[_Line]:
    """The lines, with one for each condition that lasts until somebody moves, or ends, of several. Of one that somebody
    gains and loses until somebody moves, only what stands at last is told.
    """
    every = [event for one in found for event in one.events if isinstance(event, ConditionGained | ConditionEnded)]
    last = {(event.who, event.condition): event for event in every}
    passing = {event.condition for event in every if _until_a_move(event)}
    gone = [event for event in every if event.condition in passing and last[event.who, event.condition] is not event]
    alike: dict[str, list[Event]] = {}
    for event in every:
        if event not in gone and (isinstance(event, ConditionEnded) or _until_a_move(event)):
            alike.setdefault(_alike(event), []).append(event)
    several = [some for some in alike.values() if len({event.who for event in some if hasattr(event, "who")}) > 1]
    moved = [*gone, *(event for some in several for event in some)]
    for some in several:
        after = max(at for at, one in enumerate(found) if any(event in one.events for event in some))
        found.insert(after + 1, _Line("", _FIGHT, some, shared=True))
    for one in found:
        if not one.shared:
            one.events = [event for event in one.events if not any(event is other for other in moved)]
    return [one for one in found if one.events]


def _until_a_move(event: Event) -> TypeGuard[ConditionGained]:
    return isinstance(event, ConditionGained) and event.until == "move"


def _ruled_alike(found: list[_Line]) -> list[_Line]:
    """The lines, with one for all of whom nothing is told but the same ruling, without a number."""
    alike: dict[str, list[_Line]] = {}
    for one in found:
        match one.events:
            case [Ruled(numbers=(), outcome=outcome) as only] if one.subject == only.who and any(only.sentence()):
                alike.setdefault(outcome, []).append(one)
    for first, *more in alike.values():
        if more:
            shared = _Line("", _FIGHT, [event for one in (first, *more) for event in one.events], shared=True)
            found = [shared if one is first else one for one in found if one not in more]
    return found


def _alike(event: ConditionGained | ConditionEnded) -> str:
    return (replace(event, whom=()) if isinstance(event, ConditionGained) else event).sentence()[2]


def _of_several(events: Sequence[Event], short: bool) -> str:
    """The line of a ruling on several, or of a condition that begins or ends for them: `no longer threatened: Grin,
    Freya`. That it lasts until one of them moves goes without saying; in `short` also who else is concerned, which the
    board shows.
    """
    if isinstance(events[0], Ruled):
        return f"{events[0].outcome}: {few([event.who for event in events if isinstance(event, Ruled)])}"
    found = [event for event in events if isinstance(event, ConditionGained | ConditionEnded)]
    by = {event.who: event.whom for event in found if isinstance(event, ConditionGained)}
    each = "" if short else "; ".join(f"{who} ({', '.join(whom)})" for who, whom in by.items())
    first = found[0]
    what = _alike(replace(first, until="removed") if isinstance(first, ConditionGained) else first)
    return f"{what}: {each or ', '.join(one.who for one in found)}"


def _outcome(line: _Line, done: Sentence, short: bool, named: bool) -> str:
    """An outcome line: what was done, and what came of it. A name is not repeated while the same one is meant, nor
    where it was `named` just before.
    """
    if line.shared:
        return _of_several(line.events, short)
    subject, doer = line.subject.strip(_FIGHT), line.doer
    sentences = _outcomes([event for event in line.events if not _is_said(event, line, done)])
    if subject and sentences and not any(done):
        who, _, what = sentences[0]
        if doer and who in ("", doer) and subject in what:  # which says itself what is done
            done, sentences = (doer, " ", what), sentences[1:]
        elif doer:
            done = doer, " ", f"against {subject}"
        elif who != subject:
            done = subject, "", ""
    named = named or done[0] == subject
    said: list[str] = []
    for who, joint, what in sentences:
        if done[0] and what and f" {what} " in f" {done[2]} ":  # the deed says it
            continue
        own = bool(subject) and who == subject and joint in (" ", ": ")
        spare = own and (named or (any(done) and joint == ": "))
        spare |= bool(doer) and (who, joint) == (doer, " ")
        said.append(what if spare else f"{who}{joint}{what}")
        named = named or (own and not spare)
    return ": ".join(filter(None, ("".join(done), "; ".join(said))))


def _is_said(event: Event, line: _Line, done: Sentence) -> bool:
    """Whether a line says in another form of the word what somebody is from now on, as who charges is charging."""
    if not isinstance(event, ConditionGained) or event.amount or event.who != (line.doer or line.subject):
        return False
    others = ["".join(other.sentence()) for other in line.events if other is not event]
    words = " ".join([done[2].partition(" (")[0], *others]).replace(",", "").split()
    again = any(word != event.condition and _stem(word) == _stem(event.condition) for word in words)
    return again and all(who in " ".join([*done, *others]) for who in event.whom)


_LEAST = 4
"""The fewest letters of a word that are compared."""


def _stem(word: str) -> str:
    """A word without its ending.

    >>> [_stem(word) for word in ("charges", "charging", "flees", "fleeing", "surrender", "surrendered", "prone")]
    ['charg', 'charg', 'flee', 'flee', 'surrender', 'surrender', 'pron']
    """
    found = (word.removesuffix(ending) for ending in ("ing", "ed", "es", "e", "s") if word.endswith(ending))
    return next((stem for stem in found if len(stem) >= _LEAST), word)


def _outcomes(events: Sequence[Event]) -> list[Sentence]:
    """What came of it, each once: without what another event says too; also a number at the end that nothing came of,
    such as 0 damage. Why something is lost goes without saying where it has just been told.
    """
    found: list[tuple[Event, Sentence]] = []
    joined: list[SkirmishJoined] = []
    number = ""
    for event in sorted(said_of_fights(events), key=_rank(events)):
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
        elif not (sentence == before and isinstance(event, Ruled) and isinstance(last, Ruled)
                  and event.clause != last.clause):  # by the same rule it is a second try  # fmt: skip
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
        if not isinstance(event, Engaged | Disengaged | ConditionGained) or getattr(event, "until", "") == "removed"
    }
    return lambda event: id(event) not in first
