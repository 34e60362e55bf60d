"""Narration: an entry in the words of the game, the outcomes first and below each how it was reached.

Each event tells itself (`Event.told`, `Event.arithmetic`), and each belongs to a passage, which says who acts upon
whom. Here is a line made for each pair, with what was done and what came of it; and one for everybody to whom something
happens besides. What another event says too is left out.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ledger.events.campaign import Retracted
from ledger.events.declared import Declared, Event, Overruled, Passage, Rolled, Ruled
from ledger.events.encounter import Disengaged, Engaged, TurnBegan, TurnEnded, WaitingEnded
from ledger.events.harm import ConditionEnded, ConditionGained
from ledger.events.positions import AreaEntered
from ledger.events.roster import Joined
from ledger.events.sentences import Sentence, alone, do, few, own, spoken

from . import declarations
from .by_hand import marked
from .declarations import actor, acts, deed, marks, reason, stem, targets
from .joined import ARRIVING, JOINED, Outcome, farther
from .passages import AS_DECLARED, passages, unsaid

if TYPE_CHECKING:
    from .declarations import Verbs

_FIGHT = "\0"
"""Stands in place of a name where a round, a phase or the whole encounter is concerned."""
_DECIDES = (Rolled, Ruled, Overruled)
"""The kinds that belong to the deed in whose passage they stand, also where they name another."""
Events = Sequence[Event]
"""The events of an entry, or some of them."""
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


class _Part:
    """An event as it is told, with its sentence and its arithmetic, each made once."""

    def __init__(self, event: Event, passage: Passage, short: bool, nth: int) -> None:
        self.event, self.passage, self.nth = event, passage, nth
        self.sentence, self.step = event.sentence(), event.arithmetic()
        self.who = str(getattr(event, "who", ""))
        self.alike = _alike(self, short)
        """What is told once where it is so of several; "" where it is told of each."""


class _Line:
    """What is done to one in a passage; or outside of all what becomes of one, of the fight, or of nobody."""

    def __init__(self, subject: str, passage: Passage = AS_DECLARED, alike: str = "") -> None:
        self.subject = subject
        """A name, `_FIGHT`, or ""."""
        self.passage, self.doer = passage, passage.who
        self.alike = alike
        """What is told of all whom the events name; "" where it is not the same."""
        self.parts: list[_Part] = []

    def is_of(self, who: str) -> bool:
        return (self.doer, self.subject) == ("", who)

    @property
    def events(self) -> list[Event]:
        return [part.event for part in self.parts]

    @property
    def told(self) -> list[_Part]:
        return [part for part in self.parts if part.sentence[2]]

    @property
    def deed(self) -> str:
        """What is done, as its first event says it itself: `strikes at Marcus`; else ""."""
        who, _, what = self.told[0].sentence if self.told and self.doer else alone("")
        return what if who in ("", self.doer) and f" {self.subject} " in f" {what.replace(',', '')} " else ""

    @property
    def does(self) -> bool:
        """Whether its first outcome says by a word for how it came off what one did to the other."""
        who, _, what = self.told[0].sentence if self.told and self.doer != self.subject else alone("")
        return bool(self.doer) and who in ("", self.doer) and what.partition(" ")[0] in _DOES

    @property
    def keeps_books(self) -> bool:
        return all(part.event.ASIDE or (self.alike and not isinstance(part.event, Ruled)) for part in self.told)

    @property
    def tone(self) -> str:
        return next((part.event.TONE for part in self.parts if part.event.TONE), "")

    def steps(self, outcome: str) -> list[str]:
        """Its arithmetic, without what the outcome repeats."""
        repeated = {text for part in self.parts for text in part.event.repeats()} if outcome else set()
        return [_in_brief(part, outcome) for part in self.parts if part.step and part.step not in repeated]


def _in_brief(part: _Part, outcome: str) -> str:
    """An arithmetic, without a whole sentence at its end that the outcome says."""
    ruled = part.event.outcome if isinstance(part.event, Ruled) else ""
    return part.step.removesuffix(f": {ruled}") if ruled.count(" ") > 1 and ruled in outcome else part.step


_Lines = list[_Line]
_Deeds = list[tuple[_Line, Sentence]]
"""Lines, each with what was declared, as it is done to the one whom the line concerns."""


def story(events: Events, verbs: "Verbs", arithmetic: bool) -> list[Told]:
    """The outcome lines of an entry, with or without what stands below them."""
    return [one if arithmetic or not one.outcome else replace(one, arithmetic=()) for one in told(events, verbs)]


def told(
    events: Events, verbs: "Verbs", before: Callable[[Events], str] = lambda _: "", short: bool = False
) -> list[Told]:
    """The outcome lines of an entry, each with its arithmetic: first whose turn it begins, then what was declared, with
    a line for each target, then what else came of it, and then what keeps the books. `before` says what stands before
    the outcome of some events; in `short` what keeps the books names only those who are concerned.
    """
    if not events:
        return []
    found, who = _lines(events, short), actor(events[0])
    decreed = declarations.is_decreed(events[0], verbs) and any(one.told for one in found)
    spared = _is_spared(events, found, verbs)
    head = alone("") if decreed or spared else deed(events[0], verbs)
    first = _deeds(events[0], found, head, verbs)
    begun, takes_turn = [one for one, _ in first], declarations.is_of_turn(events[0], verbs)
    others = [(one, alone("")) for one in found if one not in begun]
    opening, steps = list[Told](), list[str]()
    lines = _untold(events, head, first, found)
    for nth, (one, done) in enumerate([*first, *others]):
        aside = nth >= len(first) and one.keeps_books
        outcome = _outcome(one, done, short, _goes_on(one, begun, who) if short and aside else "")
        steps += one.steps(outcome)
        if outcome:
            opens = _opens(one, begun)
            tone = ASIDE if aside or (opens and not takes_turn) else one.tone
            (opening if opens else lines).append(Told(before(one.events) + outcome, tuple(steps), tone))
            steps = []
    return [*opening, *deeds_first(_finished(lines, steps, _behind(events, decreed, spared)))]


def _goes_on(one: _Line, begun: _Lines, who: str) -> str:
    """Who need not be named again behind what they have done."""
    return who if begun and (begun[0].is_of(who) or not one.alike) else ""


def _finished(lines: list[Told], steps: Sequence[str], behind: str) -> list[Told]:
    """The lines, with the steps that no outcome follows in the last of them, and `behind` at the end of the first."""
    if steps:
        lines = lines or [Told("")]
        lines[-1] = replace(lines[-1], arithmetic=(*lines[-1].arithmetic, *steps))
    return [replace(lines[0], outcome=f"{lines[0].outcome}{behind}"), *lines[1:]] if lines else []


def deeds_first(lines: Sequence[Told]) -> list[Told]:
    """The outcome lines of an entry with what keeps the books last, also whose turn it begins."""
    return sorted(lines, key=lambda one: one.tone == ASIDE)


def _opens(line: _Line, begun: _Lines) -> bool:
    """Whether it tells that a turn begins in which what comes first is done."""
    turns = [part for part in line.parts if isinstance(part.event, TurnBegan | TurnEnded)]
    return bool(begun and turns) and isinstance(turns[-1].event, TurnBegan) and turns[-1].nth < begun[0].parts[-1].nth


def _behind(events: Events, decreed: bool, spared: bool) -> str:
    """What stands behind the first line: why the game master says so, or the marks of what is not said again."""
    return reason(events[0]) if decreed else marks(events[0]) if spared else ""


def _untold(events: Events, head: Sentence, first: _Deeds, found: _Lines) -> list[Told]:
    """A line for what was declared, where none of what was done tells it."""
    acting = next((one for one in found if one.doer == actor(events[0])), _Line(""))
    told_by = acting.does and not head[2].endswith((")", "]"))
    if told_by or not any(head) or any(any(done) for _, done in first):
        return []
    nothing = head == alone(getattr(events[0], "verb", "")) and not events[1:]
    return [Told(f"{head[2]}: nothing changes" if nothing else spoken(head))]


def _is_spared(events: Events, found: _Lines, verbs: "Verbs") -> bool:
    """Whether what follows says all that was declared; not where nothing follows of who did it."""
    who = actor(events[0])
    undone = bool(who) and any(one.doer for one in found) and not any(one.told for one in found if one.is_of(who))
    repeated = declarations.is_repeated(events[0], verbs) and not undone
    return bool(found) and (repeated or declarations.is_announced(events))


def _deeds(said: Event, found: _Lines, head: Sentence, verbs: "Verbs") -> _Deeds:
    """The lines that come first, each with what was declared, as it is done to the one whom the line concerns."""
    who = actor(said)
    own = [one for one in found if one.is_of(who)]
    if any(head) and (upon := _upon(said, found)):
        done = [(one, deed(said, verbs, one.subject, one is not upon[0], one.doer)) for one in upon]
    else:
        done = [(one, head) for one in sorted(own, key=lambda one: not one.told)[:1]]
        others = next((nth for nth, one in enumerate(found) if one.doer or not who), len(found))
        if not any(one in found[: others + 1] or any(event.GOES for event in one.events) for one, _ in done):
            return _without_deed(said, found, head)
    _lead(done[0][0], found, own)
    verb, said_first = head[2].partition(" ")[0], [part.sentence[2] for part in done[0][0].parts]
    full = next((what for what in said_first if what.startswith(f"{verb} ")), verb)  # casts Ward
    return done[:1] + [(one, (*does[:2], does[2].replace(f"{verb} on ", f"{full} on ", 1))) for one, does in done[1:]]


def _upon(said: Event, found: _Lines) -> _Lines:
    """The lines of those to whom it is done."""
    aims = targets(said)
    upon = [one for one in found if aims and acts(said, one.doer) and not one.deed]
    return upon or [one for one in found if one.subject in aims and not one.doer]


def _lead(first: _Line, found: _Lines, own: _Lines) -> None:
    """Puts what was ruled and thrown for a deed before it was done to anybody into the first line of those."""
    for one in found[: found.index(first)]:
        if first.passage.target and one in own and not one.passage.target:
            led = [part for part in one.parts if isinstance(part.event, _DECIDES)]
            one.parts = [part for part in one.parts if part not in led]
            first.parts[:0] = led


def _without_deed(said: Event, found: _Lines, head: Sentence) -> _Deeds:
    """The lines that come first where nobody does what was declared: the only one, or those of pairs."""
    if any(head) and len(found) == 1 and not found[0].doer:
        worded = isinstance(said, Declared) and said.said
        return [] if worded and found[0].subject == _FIGHT else [(found[0], head)]
    paired = any(one.doer for one in found)
    return [(one, alone("")) for one in found if paired and (one.doer or not one.told)]


def _lines(events: Events, short: bool) -> _Lines:
    """A line for each pair of one who acts and one who is acted upon, for all others concerned, and for what is the
    same for several, in the order in which they come first.
    """
    every = marked(events)
    left_out = {id(event) for event in unsaid(every)}
    parts: list[_Part] = []
    for passage, event in passages(every[1:]):
        if id(event) not in left_out:
            part = _Part(event, passage, short, len(parts))
            parts += [part] if part.sentence[2] or part.step else []
    sorting = _Sorting(actor(events[0]), parts)
    for part in parts:
        sorting.take(part)
    return [one for one in sorting.found if one.parts]


class _Sorting:
    """The lines of an entry while one part after another is sorted into them. What a window held up is another deed
    than those that answered it.
    """

    def __init__(self, who: str, parts: Sequence[_Part]) -> None:
        """`who`: who does what was declared."""
        several: dict[str, _Line] = {}
        joined = {part.who for part in parts if isinstance(part.event, Joined)}
        for part in parts:
            part.alike *= not (isinstance(part.event, AreaEntered) and part.who in joined)  # which is told with them
            if part.alike:
                several.setdefault(part.alike, _Line(_FIGHT, alike=part.alike)).parts.append(part)
        self._several = {text: one for text, one in several.items() if len({part.who for part in one.parts}) > 1}
        self._who, self._now = who, _Line(who)
        self.found = [self._now]
        self._answers = 0

    def take(self, part: _Part) -> None:
        """Sorts the next part."""
        line = self._line(part)
        self.found += [line] if line not in self.found else []
        if not line.alike:
            line.parts.append(part)
            self._now = self._now if isinstance(part.event, Rolled) else line
        if isinstance(part.event, WaitingEnded) and part.event.how == "resolved":
            self._answers = len(self.found)

    def _line(self, part: _Part) -> _Line:
        event, passage = part.event, part.passage
        subject = _FIGHT if event.OF_FIGHT else part.who
        if self._who and isinstance(event, Overruled | Rolled):  # which belong to what is declared
            subject = self._who
        if part.alike in self._several:
            return self._several[part.alike]
        if passage.target and (isinstance(event, _DECIDES) or subject in ("", passage.target)):
            same = (one for one in self.found[self._answers :] if one.passage == passage)
            return next(same, _Line(passage.target, passage))
        now = self._now  # who goes on goes on from where they were
        goes_on = now.is_of(subject) or (not (subject or now.doer) and now.subject in ("", _FIGHT, self._who))
        own = sorted((one for one in self.found if event.GOES and one.is_of(subject)), key=lambda one: not one.told)
        return own[0] if own and (own[0].told or not goes_on) else now if goes_on else _Line(subject)


def _alike(part: _Part, short: bool) -> str:
    """What is told once where it is so of several: what ends, what begins until somebody moves, which goes without
    saying, and in `short` a ruling of nobody's deed without a number; "" for all else.
    """
    match part.event:
        case ConditionGained(until="move") as event:
            return replace(event, whom=(), until="removed").sentence()[2]
        case ConditionEnded() | AreaEntered():
            return part.sentence[2]
        case Ruled(numbers=()) if short and part.who and not part.passage.target:
            return part.sentence[2]
    return ""


def _outcome(line: _Line, done: Sentence, short: bool, goes_on: str) -> str:
    """An outcome line: what was done, and what came of it. A name is not repeated while the same one is meant, nor that
    of who `goes_on` from the line before.
    """
    if line.alike:
        return _of_all(line, short, goes_on)
    subject = line.subject.strip(_FIGHT)
    sentences = _outcomes([part for part in line.parts if not _is_said(part, line, done)])
    if subject and sentences and not any(done):
        done, sentences = _begun(line, subject, sentences)
    done, sentences = _merged(done, sentences)
    others = [one for one in sentences if not (done[0] and f" {one[2]} " in f" {done[2]} ")]
    said = _with_names(others, line, done, line.is_of(goes_on))
    return ": ".join(filter(None, (spoken(done), "; ".join(said).replace("; is dead", ", and dies"))))


def _merged(done: Sentence, sentences: list[Sentence]) -> tuple[Sentence, list[Sentence]]:
    """What was done, in the words of an outcome that says it with the same verb: casts Ward on Sigrun."""
    verb, _, rest = done[2].partition(" ")
    first, _, others = rest.partition(" ")
    if not rest and sentences and sentences[0][:2] == (done[0], own(done[0])) and stem(verb) in sentences[0][2].split():
        return alone(""), sentences
    for one in sentences:
        if one[:2] == done[:2] and one[2].partition(" ")[0] == verb and first in ("", "on", "for"):
            longer = f"{one[2]} on {others}" if first else one[2]
            return (*done[:2], longer), [other for other in sentences if other != one]
    return done, sentences


def _with_names(sentences: list[Sentence], line: _Line, done: Sentence, named: bool) -> Iterator[str]:
    """What came of it, with the names that are not clear yet."""
    subject = line.subject.strip(_FIGHT)
    named = named or done[0] == subject
    for who, joint, what in sentences:
        of_subject = bool(subject) and who == subject
        goes_on = of_subject and joint in _OWN
        spare = goes_on and (named or (any(done) and joint == ": "))
        spare |= bool(line.doer) and (who, joint) == (line.doer, " ")
        yield what if spare else spoken((who, joint, what))
        named = named or (of_subject and not spare and joint != own(who))


def _of_all(line: _Line, short: bool, goes_on: str) -> str:
    """What is the same for several, and for whom: Freya is threatened by Grin; Grin and Rattle by Freya."""
    each = {part.who: "" if short else part.sentence[2].removeprefix(line.alike) for part in line.parts}
    if line.parts[0].sentence[1] != " ":
        return f"{line.alike}: {few([*each])}"
    if goes_on in each and line.alike.startswith("is "):
        rest = [who for who in each if who != goes_on]
        return f"{line.alike}, as {'are' if rest[1:] else 'is'} {few(rest, said=True)}"
    of = {by: [who for who, other in each.items() if other == by] for by in each.values()}
    (by, names), *others = of.items()
    does = do(line.alike) if names[1:] else line.alike
    return "; ".join([f"{few(names, said=True)} {does}{by}", *(f"{few(who, said=True)}{by}" for by, who in others)])


def _begun(line: _Line, subject: str, sentences: list[Sentence]) -> tuple[Sentence, list[Sentence]]:
    """How a line begins for which nothing was declared, and what is left to tell."""
    who, _, what = sentences[0]
    if what and what == line.deed:
        return (line.doer, " ", what), sentences[1:]
    if line.doer in ("", subject):
        return (alone("") if who == subject else (subject, "", "")), sentences
    outcome, blank, rest = what.partition(" ")
    if who in ("", line.doer) and outcome in _DOES:
        return (line.doer, " ", f"{_DOES[outcome]} {subject}{blank}{rest}"), sentences[1:]
    if who == line.doer:
        return sentences[0], sentences[1:]
    if line.tone == "harm":
        return (line.doer, " ", f"hurts {subject}"), sentences
    return (alone("") if who == subject else (line.doer, " ", f"against {subject}")), sentences


_DOES = {
    "hit": "hits",
    "miss": "misses",
    "wins": "beats",
    "thrown": "throws",
    "dragged": "drags",
    "pushed": "pushes",
    "held": "does not get free of",
    "broken": "breaks free of",
    "free": "breaks free of",
    "surprise": "surprises",
}
"""What one does to another, by the word for how it comes off, where nothing else says it."""


def _is_said(part: _Part, line: _Line, done: Sentence) -> bool:
    """Whether a line says in another form of the word what somebody is from now on, as who charges is charging."""
    event = part.event
    if not isinstance(event, ConditionGained) or event.amount or event.who != (line.doer or line.subject):
        return False
    others = ["".join(other.sentence) for other in line.parts if other is not part]
    words = " ".join([done[2].partition(" (")[0], *others]).replace(",", "").split()
    otherwise = any(word != event.condition and stem(word) == stem(event.condition) for word in words)
    return otherwise and all(who in " ".join([*done, *others]) for who in event.whom)


def _outcomes(parts: Sequence[_Part]) -> list[Sentence]:
    """What came of it, each once: without what another event says too; also a number at the end that nothing came of,
    such as 0 damage. Why something is lost goes without saying where it has just been told.
    """
    found: list[Outcome] = []
    number = alone("")
    for part in _ordered(parts):
        event, sentence = part.event, part.sentence
        if isinstance(event, WaitingEnded) and any("".join(one) == event.why for one in _each_once(found)):
            event = replace(event, why="")
            sentence = event.sentence()
        if not sentence[2]:
            number = event.sums() if isinstance(event, Ruled) else number
            continue
        number = alone("")
        kinds, join = JOINED.get(type(event), ((), farther))
        if found and isinstance(found[-1][0][0], kinds) and (longer := join(found[-1], event)):
            found[-1] = longer
        elif not (isinstance(event, Ruled) and _is_ruled(event, sentence, found)):
            found.append(([event], sentence))
    kept = _each_once(found)
    return [*kept, number] if number[2] else kept


def _is_ruled(event: Ruled, sentence: Sentence, found: list[Outcome]) -> bool:
    """Whether another rule has said the same. By the same rule it is a second try."""
    alike = (events[-1] for events, other in found if other == sentence)
    return any(isinstance(one, Ruled) and one.clause != event.clause for one in alike)


def _each_once(found: list[Outcome]) -> list[Sentence]:
    """The sentences without those that another event repeats."""
    repeats = [(at, events[-1].repeats(), sentence) for at, (events, sentence) in enumerate(found)]
    return [
        one
        for nth, (_, one) in enumerate(found)
        if not any(
            (one[2] in texts or "".join(one) in texts) and (at > nth or other != one) for at, texts, other in repeats
        )
    ]


def _ordered(parts: Sequence[_Part]) -> list[_Part]:
    """The order in which a line tells what came of it: what somebody joins with before all else; what passes, and who
    is engaged, behind the harm or the way.
    """
    joined, ruled = (any(isinstance(part.event, kind) for part in parts) for kind in (Joined, Ruled))
    main = max((at for at, part in enumerate(parts) if part.event.TONE == "harm" or part.event.GOES), default=0)
    passing = Engaged | Disengaged | ConditionGained

    def place(one: tuple[int, _Part]) -> int:
        at, event = one[0], one[1].event
        passes = isinstance(event, passing) and getattr(event, "until", "") not in _STAYS
        arriving = (nth for nth, kinds in enumerate(ARRIVING) if joined and isinstance(event, kinds))
        return next(arriving, 5 if ruled and isinstance(event, Retracted) else 3 + (at > main or passes))

    return [part for _, part in sorted(enumerate(parts), key=place)]


_STAYS = ("removed", "acted")
"""How long a condition lasts that is told where it comes."""
