"""Narration: an entry in the words of the game, the outcomes first and below each how it was reached.

Each event tells itself (`Event.told`, `Event.arithmetic`). This file does what takes a whole entry: who did what to
whom, which events belong together, and what to leave out because another event says it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from msgspec import Raw, Struct, json
from msgspec.structs import astuple, replace

from ledger.events import (
    Awaited,
    ConditionEnded,
    ConditionGained,
    Declared,
    EncounterEnded,
    Engaged,
    Equipped,
    Event,
    Moved,
    Number,
    Overruled,
    Retracted,
    Rolled,
    Ruled,
    Sentence,
    SkirmishJoined,
    Step,
    TurnBegan,
    TurnEnded,
    WaitingEnded,
    alone,
    does,
    few,
    tag,
)

if TYPE_CHECKING:
    from typing import Protocol

    class Manner(Protocol):
        """What the card of a verb says of how its declaration is told."""

        @property
        def by(self) -> str:
            """Whose it is at the table: `turn` for what takes the turn on."""

        @property
        def repeated(self) -> bool:
            """Whether the events that it records say all that the declaration says, so that a story leaves it out."""

        @property
        def passive(self) -> bool:
            """Whether its `who` does nothing, but something is done to them: `adjust Boffin`."""

        @property
        def told(self) -> str:
            """How it is told where not in its third person, perhaps with a field in braces that is told first."""

        @property
        def past(self) -> str:
            """What it does to the record: `amends` for what corrects an entry."""

    Verbs = Mapping[str, Manner]
    """The cards of the verbs that a ledger may hold, by name. A verb without a card is one whose rules are not here."""

_FIGHT = "\0"
"""Stands in place of a name where a round, a phase or the whole encounter is concerned."""
_ASIDE = "aside"
"""The tone of what only keeps the books of where everybody stands, and of what is used up."""
_BY_HAND = "*"
"""Marks a die that was thrown by hand."""


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


class _Passage(Struct, eq=False):
    """What an entry says about one combatant, about the fight, or about nobody."""

    subject: str
    """Whom it concerns: a name, `_FIGHT`, or ""."""
    doer: str = ""
    """Who acts upon the subject, by a ruling; "" when nobody does."""
    events: list[Event] = []
    shared: bool = False
    """Whether the same begins, ends or is ruled here for all whom the events name, in one line."""


def story(events: Sequence[Event], verbs: "Verbs", arithmetic: bool) -> list[Told]:
    """The outcome lines of an entry, with or without what stands below them."""
    return [one if arithmetic or not one.outcome else replace(one, arithmetic=()) for one in told(events, verbs)]


def fights(found: list[Told], events: Sequence[Event], verbs: "Verbs") -> list[Told]:
    """The outcome lines of an entry, as `found` tells them. Where it decides several fights at once, each begins with
    what the dice came to, as in `19 > 12  Grub against Jane: wins`, and has no arithmetic.
    """
    fought = told(events, verbs, _dice)
    several = sum(one != other for one, other in zip(found, fought, strict=True)) > 1
    return [replace(one, arithmetic=()) if one.outcome else one for one in fought] if several else found


def _dice(events: Sequence[Event]) -> str:
    """What the dice of a fight came to, by its first comparison: `19 > 12  `; "" where nothing was compared."""
    return next((f"{one}  " for one in _compared(events)), "")


def _every_die(events: Sequence[Event]) -> str:
    """The same by all its comparisons: `6 >= 1, 9 >= 4  `."""
    found = ", ".join(_compared(events))
    return f"{found}  " if found else ""


def _compared(events: Sequence[Event]) -> Iterator[str]:
    """The two sums of each comparison, as in `19 > 12`, without steps on the way to another one; `natural 20` where the
    face of a die hits or misses by itself. Nothing of what only had to be allowed, as a walk.
    """
    for event in events:
        if not isinstance(event, Ruled) or event.aside:
            continue
        thrown = any(step.roll for number in event.numbers for step in number.steps)
        if event.sign and (thrown or event.outcome not in ("yes", "no")):
            yield event.compared()
        elif event.outcome in ("hit", "miss") and event.natural:
            yield f"natural {event.natural}"


def in_short(events: Sequence[Event], verbs: "Verbs", massed: bool = False) -> list[Told]:
    """The outcome lines of an entry without their arithmetic, each behind what the dice came to, as in
    `6 >= 1, 9 >= 4  Freya attacks Grub: hit; pierced`; of a `massed` one only by the first comparison. Of a blow the
    harm comes first, then what else follows from it. What keeps the books is one line, the last.
    """
    if any(isinstance(event, SkirmishJoined) for event in events):  # which say who is engaged with whom
        events = [event for event in events if not isinstance(event, Engaged)]
    rest = [event for event in events if not isinstance(event, TurnBegan | TurnEnded)]
    if any(event.sentence()[2] for event in rest[1:]):  # whose turn it is, the sign of the prompt says
        events = rest
    if any(isinstance(event, Retracted) for event in events) and any(isinstance(event, Ruled) for event in events):
        events = [event for event in events if not isinstance(event, Retracted | Awaited)]  # it is told again below
    if ended := [event for event in events[1:] if isinstance(event, EncounterEnded)]:  # and all that keeps the books
        events = [events[0], *ended, *(event for event in events[1:] if not event.ASIDE and event not in ended)]
    before = _dice if massed else _every_die
    found = [replace(one, arithmetic=()) for one in told(events, verbs, before, short=True) if one.outcome]
    aside = " \u00b7 ".join(one.outcome for one in found if one.tone == _ASIDE)
    return [*(one for one in found if one.tone != _ASIDE), *([Told(aside, tone=_ASIDE)] if aside else [])]


def told(
    events: Sequence[Event],
    verbs: "Verbs",
    before: Callable[[Sequence[Event]], str] = lambda _: "",
    short: bool = False,
) -> list[Told]:
    """The outcome lines of an entry, each with its arithmetic: first what was done, with a line for each target, then
    what else came of it, and then what keeps the books; each in the order of the book. `before` says what stands before
    the outcome of some events; in `short` what keeps the books names only those who are concerned.
    """
    if not events:
        return []
    declared, found = events[0], _passages(events)
    found = _ruled_alike(found) if short else found
    actor, targets = _actor(declared), _targets(declared)
    head = alone("") if found and (_bare(declared, verbs) or _announced(events)) else _headline(declared, verbs)
    deeds = [one for one in found if any(head) and (one.subject in targets or (targets and _acts(declared, one.doer)))]
    own = [one for one in found if one.subject == actor and not one.doer and one not in deeds]
    if deeds:
        _lead(deeds[0], [one for one in own if found.index(one) < found.index(deeds[0])])
    elif (
        any(head)
        and not own
        and len(found) == 1
        and not found[0].doer
        and (found[0].subject != _FIGHT or not (isinstance(declared, Declared) and declared.said))
    ):
        own = found
    if deeds:
        first = [(one, _deed(declared, one, verbs, briefly=one is not deeds[0])) for one in deeds]
    elif own or actor:
        first = [(one, head) for one in own[:1]]
    else:
        done = next((at for at, one in enumerate(found) if one.doer), 0)
        first = [(one, alone("")) for at, one in enumerate(found) if one.doer or (at < done and one.subject != _FIGHT)]
    begun = [one for one, _ in first]
    lines = [Told("".join(head))] if any(head) and not (deeds or own) else []
    steps: list[str] = []
    for one, deed in [*first, *((one, alone("")) for one in found if one not in begun)]:
        meant = short and not any(deed) and bool(first) and first[0][0] is not one and one.subject == actor
        outcome = _outcome(one, deed, short, meant and not one.doer and _keeps_books(one.events))
        steps += _steps(one.events, told=bool(outcome))
        if outcome:
            lasts = one.shared and not isinstance(one.events[0], Ruled)
            kept = lasts or (one not in begun and _keeps_books(one.events))
            tone = _ASIDE if kept else _tone(one.events)
            lines.append(Told(before(one.events) + outcome, tuple(steps), tone))
            steps = []
    if steps:
        last = lines.pop() if lines else Told("")
        lines.append(replace(last, arithmetic=(*last.arithmetic, *steps)))
    return sorted(lines, key=lambda one: one.tone == _ASIDE)


def _keeps_books(events: Sequence[Event]) -> bool:
    """Whether all that these events tell only keeps the books."""
    return all(event.ASIDE for event in events if event.sentence()[2])


def _steps(events: Sequence[Event], told: bool) -> list[str]:
    """The arithmetic of some events; where an outcome is told, without what that repeats."""
    repeated = {text for event in events for text in event.repeats()} if told else ()
    return [step for event in events if (step := event.arithmetic()) and step not in repeated]


def _lead(deed: _Passage, own: Sequence[_Passage]) -> None:
    """Moves what was ruled before the deed, as far as it concerns nobody else, to the deed."""
    led = [event for one in own for event in one.events if isinstance(event, Ruled | Rolled | Overruled)]
    for one in own:
        one.events = [event for event in one.events if event not in led]
    deed.events = [*led, *deed.events]


def _acts(event: Event, doer: str) -> bool:
    """Whether somebody is the one, or one of those, who do what was declared."""
    who = event.said.get("who") if isinstance(event, Declared) else None
    return bool(doer) and (doer == who or (isinstance(who, list | tuple) and doer in who))


def _deed(event: Event, passage: _Passage, verbs: "Verbs", briefly: bool) -> Sentence:
    """What was declared, as it is done to the one whom a passage concerns."""
    if isinstance(event, Declared) and _acts(event, passage.doer):
        event = replace(event, said={**event.said, "who": passage.doer})
    return _headline(event, verbs, passage.subject, briefly)


def _passages(events: Sequence[Event]) -> list[_Passage]:
    """The events of an entry that say something, by the one whom they concern. All that somebody does to the same one
    is together with what comes of it, even if something else happens in between.
    """
    actor, left_out = _actor(events[0]), {*_shown_rolls(events), *_undone(events)}
    found = [_Passage(actor)]
    now = found[0]
    for at, event in enumerate(_marked(events)):
        if at == 0 or at in left_out:
            continue
        if not event.sentence()[2] and not event.arithmetic():
            continue
        subject, doer = (
            actor if isinstance(event, Overruled) else _subject(event) or _going_on(now, event),
            _doer(event),
        )
        if doer and _meets(event, events[at + 1 :]):
            subject, doer = doer, subject
        goes = subject == actor and event.GOES
        if subject != now.subject or (doer and now.doer not in ("", doer)) or (goes and now.doer):
            same = [one for one in found if one.subject == subject and _goes_on(one, doer, goes)]
            now = same[-1] if same else _Passage(subject)
            if doer and not now.doer and now in found:  # the dice that were thrown for it
                found.remove(now)
            found += [] if now in found else [now]
        now.doer = now.doer or doer
        now.events.append(event)
    return _together([one for one in found if one.events])


def _goes_on(passage: _Passage, doer: str, goes: bool) -> bool:
    """Whether what somebody does belongs to a passage about the same one: it is theirs, or holds only the dice that
    were thrown for it.
    """
    if doer and not passage.doer and passage.events and not goes:
        return all(isinstance(event, Rolled) for event in passage.events)
    return bool(passage.doer) != goes and doer in ("", passage.doer)


def _going_on(passage: _Passage, event: Event) -> str:
    """Whom an event without a subject concerns: the one of the passage before it, or all if that only has dice and
    nobody is told of.
    """
    dice = passage.events and all(isinstance(one, Rolled) for one in passage.events)
    return _FIGHT if dice and not event.sentence()[0] else passage.subject


def _meets(event: Event, rest: Sequence[Event]) -> bool:
    """Whether these are dice of one whom the other acts upon: somebody rolls them to meet what is ruled next."""
    if not (isinstance(event, Ruled) and event.aside and rest and isinstance(rest[0], Rolled)):
        return False
    pair = {event.who, event.about}
    ruled = (one for one in rest if isinstance(one, Ruled) and not one.aside and {one.who, one.about} == pair)
    return rest[0].who == event.who and next((one.about for one in ruled), "") == event.who


def _together(found: list[_Passage]) -> list[_Passage]:
    """The passages, with a line of its own for each condition that lasts until somebody moves, or ends, of several. Of
    one that somebody gains and loses until somebody moves, only what stands at last is told.
    """
    last = {
        (event.who, event.condition): event
        for one in found
        for event in one.events
        if isinstance(event, ConditionGained | ConditionEnded)
    }
    passing = {event.condition for one in found for event in one.events if _until_a_move(event)}
    for one in found:
        one.events = [
            event
            for event in one.events
            if not isinstance(event, ConditionGained | ConditionEnded)
            or event.condition not in passing
            or last[event.who, event.condition] is event
        ]
    alike: dict[str, list[tuple[_Passage, Event]]] = {}
    for one in found:
        for event in one.events:
            if isinstance(event, ConditionEnded) or _until_a_move(event):
                alike.setdefault(_alike(event), []).append((one, event))
    for several in alike.values():
        if len({one.subject for one, _ in several}) > 1:
            for one, event in several:
                one.events = [other for other in one.events if other is not event]
            after = max(found.index(one) for one, _ in several)
            found.insert(after + 1, _Passage(_FIGHT, events=[event for _, event in several], shared=True))
    return [one for one in found if one.events]


def _until_a_move(event: Event) -> TypeGuard[ConditionGained]:
    """Whether somebody gains what lasts until somebody moves."""
    return isinstance(event, ConditionGained) and event.until == "move"


def _ruled_alike(found: list[_Passage]) -> list[_Passage]:
    """The passages, with one for all of whom nothing is told but the same ruling, without a number."""
    alike: dict[str, list[_Passage]] = {}
    for one in found:
        match one.events:
            case [Ruled(numbers=(), outcome=outcome) as only] if one.subject == only.who and any(only.sentence()):
                alike.setdefault(outcome, []).append(one)
    for first, *more in alike.values():
        if more:
            shared = _Passage(_FIGHT, events=[event for one in (first, *more) for event in one.events], shared=True)
            found = [shared if one is first else one for one in found if one not in more]
    return found


def _alike(event: ConditionGained | ConditionEnded) -> str:
    """What begins or ends, without who has it and whom it concerns."""
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
    names = each or ", ".join(one.who for one in found)
    first = found[0]
    return f"{_alike(replace(first, until='removed') if isinstance(first, ConditionGained) else first)}: {names}"


def _outcome(passage: _Passage, deed: Sentence, short: bool, named: bool) -> str:
    """An outcome line: the deed, and what came of it. A name is not repeated while the same one is meant, nor where it
    was `named` just before.
    """
    if passage.shared:
        return _of_several(passage.events, short)
    subject, doer, told = passage.subject.strip(_FIGHT), passage.doer, _outcomes(passage.events)
    told = _blow_first(told, doer)
    sentences = [sentence for _, sentence in told]
    if subject and told and not any(deed):
        event, (who, _, _) = told[0]
        if doer and not (who == doer and isinstance(event, Ruled) and event.about == subject in event.outcome):
            deed = doer, " ", f"against {subject}"
            sentences = [alone(what) if (who, joint) == (doer, " ") else (who, joint, what)
                         for who, joint, what in sentences]  # fmt: skip
        elif not who or who not in (subject, doer):
            deed = subject, "", ""
    sentences = [sentence for sentence in sentences if not _is_said(deed, sentence[2])]
    named = named or deed[0] == subject
    said: list[str] = []
    for who, joint, what in sentences:
        own = bool(subject) and who == subject and joint in (" ", ": ")
        spare = own and (named or (any(deed) and joint == ": "))
        said.append(what if spare else f"{who}{joint}{what}")
        named = named or (own and not spare)
    return ": ".join(filter(None, ("".join(deed), "; ".join(said))))


def _is_said(deed: Sentence, what: str) -> bool:
    """Whether the deed of somebody tells what came of it itself: that they charge, or the words of what they cast."""
    return bool(deed[0] and what) and f" {what} " in f" {deed[2]} "


def _outcomes(events: Sequence[Event]) -> list[tuple[Event, Sentence]]:
    """What came of it, without what another event says too; also a number at the end that nothing came of, such as 0
    damage. Why something is lost goes without saying where it has just been told: a fall is told as what it is.
    """
    found: list[tuple[Event, Sentence]] = []
    joined: list[SkirmishJoined] = []
    number = ""
    for event in events:
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
            found[-1] = event, alone(_matched(joined))
        elif isinstance(event, Moved) and isinstance(last, Moved) and not event.measure and event.how == last.how:
            farther = replace(event, squares=last.squares + event.squares)
            found[-1] = farther, farther.sentence()
        elif not (sentence == before and _by_another_rule(event, last)):
            found.append((event, sentence))
    repeats = [(at, event.repeats(), sentence) for at, (event, sentence) in enumerate(found)]
    found = [
        (event, sentence)
        for nth, (event, sentence) in enumerate(found)
        if not any(
            (sentence[2] in texts or "".join(sentence) in texts) and (at > nth or (at < nth and again != sentence))
            for at, texts, again in repeats
        )
    ]
    return [*found, (events[-1], alone(number))] if number else found


def _blow_first(found: list[tuple[Event, Sentence]], doer: str) -> list[tuple[Event, Sentence]]:
    """What came of it, with the conditions that are gained before the blow or the last harm, and that pass, behind it;
    what was ruled on the other one before it, such as attacks that are lost, comes last, with the name.
    """
    blow = next((at for at, (event, _) in enumerate(found) if isinstance(event, Ruled) and event.about), 0)
    other = [one for one in found[:blow] if doer and isinstance(one[0], Ruled) and one[0].who not in ("", doer)]
    struck = found[blow][0] if found else None
    found = [one for one in found if one not in other]
    last = max((at for at, (event, _) in enumerate(found) if event.TONE == "harm" or event is struck), default=0)
    gained = [one for one in found[:last] if isinstance(one[0], ConditionGained) and one[0].until != "removed"]
    kept = [(event, alone(f"{getattr(event, 'who', '')}: {what}")) for event, (_, _, what) in other]
    return [*(one for one in found[: last + 1] if one not in gained), *gained, *found[last + 1 :], *kept]


def _matched(joined: Sequence[SkirmishJoined]) -> str:
    """Who fights whom, of some who join the same fight."""
    sides = [", ".join(one.who for one in joined if one.side == side) for side in (0, 1)]
    return f"{joined[0].fight}: {' v '.join(filter(None, sides))}"


def _by_another_rule(event: Event, last: Event | None) -> bool:
    """Whether a ruling comes to the same as the one before by another rule. By the same rule it is a second try."""
    return isinstance(event, Ruled) and isinstance(last, Ruled) and event.clause != last.clause


def _tone(events: Sequence[Event]) -> str:
    return next((event.TONE for event in events if event.TONE), "")


def _marked(events: Sequence[Event]) -> list[Event]:
    """The events; in the arithmetic of rulings the dice that were thrown by hand are marked."""
    rolls = [event for event in events if isinstance(event, Rolled)]
    if not any(0 in roll.places for roll in rolls):
        return [*events]
    return [_by_hand(event, rolls) if isinstance(event, Ruled) else event for event in events]


def _by_hand(event: Ruled, rolls: Sequence[Rolled]) -> Ruled:
    """A ruling whose dice are marked."""

    def step(one: Step) -> Step:
        roll = rolls[one.roll - 1] if 0 < one.roll <= len(rolls) else None
        if roll is None or 0 not in roll.places:
            return one
        dice, space, rest = one.reason.partition(" ")
        if rest[:1] != "[":
            return replace(one, reason=f"{dice}{_BY_HAND}{space}{rest}")
        return replace(one, reason=f"{dice} [{roll.shown()}{rest[rest.find(']') :]}")

    return replace(
        event,
        numbers=tuple(Number(one.of, tuple(map(step, one.steps)), one.total) for one in event.numbers),
    )


def _actor(event: Event) -> str:
    who = event.said.get("who", "") if isinstance(event, Declared) else ""
    match who:
        case str():
            return who
        case [str(only)]:
            return only
    return ""


def headline(event: Event, verbs: "Verbs") -> str:
    """What was declared, in words."""
    return "".join(_headline(event, verbs))


def _headline(event: Event, verbs: "Verbs", upon: str = "", briefly: bool = False) -> Sentence:
    """What was declared: all of it, or as it is done to one of the targets, and `briefly` without the rest of what was
    said.
    """
    if not isinstance(event, Declared):
        return alone(event.line())
    card = verbs.get(event.verb)
    if card and card.past == "amends":
        return alone(_amendment(event.said, verbs))
    said = {key.rstrip("_").replace("_", "-"): said for key, said in sorted(event.said.items()) if key not in _SILENT}
    if upon:
        said["target" if "target" in said else "who"] = upon
    who, why = said.pop("who", ""), said.pop("why", "")
    does_so, _, works = card.told.rstrip("}").partition("{") if card else ("", "", "")
    aim = said.pop("target", "") if works else ""
    words = [_value(said.pop(key)) for key in ("action", works, *_BY_VALUE) if key in said]
    words += [f"on {_value(aim)}"] if aim else []
    acts = does_so.strip() or does(event.verb)
    doer, joint = ("", "") if not who or (card and card.passive and not does_so) else (_value(who), " ")
    verb = acts if doer else event.verb
    if doer and isinstance(who, list | tuple) and who[1:]:
        verb = event.verb
    elif who and not doer:
        words = [_value(who), *words]
    if briefly:
        return doer, joint, " ".join([verb, *words])
    rest = ", ".join(key if value is True else f"{key} {_value(value)}" for key, value in said.items())
    reason = event.allow.removeprefix("all: ")
    marks = f"{' [secret]' if event.secret else ''}{f' [allowed: {reason}]' if reason else ''}"
    what = f"{' '.join([verb, *words])}{f' ({rest})' if rest else ''}{f', because {why}' if why else ''}{marks}"
    return doer, joint, what


def _targets(event: Event) -> tuple[str, ...]:
    """Those to whom it is done, each with a line of their own; of an action that several do, each of them."""
    said = event.said if isinstance(event, Declared) else {}
    match said.get("target", said.get("who")):
        case str(only) if "target" in said:
            return (only,)
        case [_, *_] as names if "target" in said or names[1:]:
            return tuple(name for name in names if isinstance(name, str))
    return ()


def _bare(event: Event, verbs: "Verbs") -> bool:
    """Whether what follows says all that the declaration said."""
    if not isinstance(event, Declared) or event.allow or event.secret:
        return False
    card = verbs.get(event.verb)
    return card is not None and (
        (card.repeated and "target" not in event.said) or (card.by == "turn" and not event.said)
    )


def _announced(events: Sequence[Event]) -> bool:
    """Whether the action that is announced for later repeats the declaration. A window announces nothing."""
    declared = events[0]
    if not isinstance(declared, Declared) or declared.allow or declared.secret:
        return False
    later = (event for event in events if isinstance(event, Awaited) and not event.answerable)
    return any(event.who == _actor(declared) for event in later)


_SILENT = {"sheets", "sheet", "ground", "commitments", "map"}
_BY_VALUE = ("target", "field", "name", "value", "item", "text", "points")


def plainly(event: Event) -> str:
    """An event with all its fields, in words: `Boffin: points spent (kind action, points 1, left 1)`."""
    said = {name: getattr(event, name) for name in event.__struct_fields__}
    who = said.pop("who", "")
    return f"{f'{who}: ' if who else ''}{tag(type(event)).replace('-', ' ')}{_fields(said)}"


def _fields(said: Mapping[str, Any]) -> str:
    words = ", ".join(f"{name} {worded(value)}" for name, value in said.items() if value not in ("", (), {}, None))
    return f" ({words})" if words else ""


def worded(value: Any) -> str:
    """Any value of an event or of a stat block, in words."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Struct():
            return _fields({name: getattr(value, name) for name in value.__struct_fields__}).strip()
        case Raw():
            return worded(json.decode(value))
        case dict():
            return _fields(dict(sorted(value.items()))).strip()
        case list() | tuple() if all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return " ".join(map(worded, value))
    return str(value)


_DEEPEST = 8
"""How deep what was declared may be nested: no declaration of any verb goes deeper than a stat block does."""


def _value(value: Any, deep: int = 0) -> str:
    match value:
        case True:
            return "yes"
        case dict() | list() | tuple() if deep > _DEEPEST:
            return "..."
        case {"file": str(file)}:
            return file
        case dict():
            return " ".join(f"{key}={_value(one, deep + 1)}" for key, one in value.items())
        case list() | tuple() if value and all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return ", ".join(_value(one, deep + 1) for one in value)
    return str(value)


def _shown_rolls(events: Sequence[Event]) -> set[int]:
    """The places in the entry of rolls that a ruling's arithmetic shows, or that were left out."""
    shown = {
        step.roll for event in events if isinstance(event, Ruled) for number in event.numbers for step in number.steps
    }
    rolls = ((at, event) for at, event in enumerate(events) if isinstance(event, Rolled))
    return {at for nth, (at, event) in enumerate(rolls, 1) if not event.faces or nth in shown}


def _undone(events: Sequence[Event]) -> set[int]:
    """The places in the entry of events that undo each other, such as an engagement that begins and ends in it."""
    found: set[int] = set()
    open_: dict[tuple[str, frozenset[Any]], int] = {}
    for at, event in enumerate(events):
        if event.UNDOES:
            about = frozenset(astuple(event))
            if (before := open_.pop((event.UNDOES, about), None)) is not None:
                found |= {before, at}
            else:
                open_[tag(type(event)), about] = at
    return found


def _subject(event: Event) -> str:
    if isinstance(event, Ruled | Rolled):
        return event.about or event.who
    return _FIGHT if event.OF_FIGHT else getattr(event, "who", "")


def _doer(event: Event) -> str:
    """Who acts upon the one whom a ruling concerns; "" when it says nothing of that."""
    return event.who if isinstance(event, Ruled) and event.about not in ("", event.who) else ""


_MOVED = (("before", "before"), ("behind", "after"))
"""The fields of an amendment that name the entry beside which it moves one, each with the word for it."""


def _amendment(said: dict[str, Any], verbs: "Verbs") -> str:
    """What was corrected, in words."""
    parts = [
        f"{field.rstrip('_').replace('_', '-')} {_value(value)}"
        for field, value in said.get("change", {}).items()
        if "verb" not in said
    ]
    if "verb" in said:
        parts.append(f"it was {headline(Declared(said['verb'], said.get('change', {})), verbs)}")
    if "allow" in said:
        parts.append(f"allowed: {said['allow']}" if said["allow"] else "no longer allowed")
    if "dice" in said:
        shown = ", ".join("-" if face is None else str(face) for face in said["dice"])
        parts.append(f"the dice showed {shown}")
    if said.get("drop"):
        parts.append("left out")
    parts += [f"moved {where} e{said[field]}" for field, where in _MOVED if field in said]
    for put_in in said.get("insert", ()):
        where = "in its place" if said.get("drop") else "before it"
        parts.append(f"{where} {headline(Declared(put_in['verb'], put_in['said'], put_in.get('allow', '')), verbs)}")
    why = f", because {said['why']}" if said.get("why") else ""
    return f"amend {said.get('entry', '')}: {'; '.join(parts)}{why}"
