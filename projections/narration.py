"""Narration: what an entry says, in lines that read like the game and show their arithmetic."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ledger.events import (
    Agreed,
    AmbientMagicaSet,
    AmbientMagicaSpent,
    AmmunitionSet,
    AmmunitionSpent,
    AreaEntered,
    AreasLaid,
    Awaited,
    CampaignBegan,
    ConditionEnded,
    ConditionGained,
    Declared,
    Disengaged,
    DisputeClosed,
    DisputeOpened,
    Dropped,
    EncounterBegan,
    EncounterEnded,
    Engaged,
    Equipped,
    Event,
    Faced,
    Felled,
    GroundCleared,
    GroundLaid,
    HpGained,
    HpLost,
    HpSet,
    InitiativeSet,
    ItemGained,
    ItemLost,
    Joined,
    Left,
    LinkLaid,
    MagicaGained,
    MagicaSpent,
    Moved,
    Noted,
    Number,
    OptionChanged,
    OrderSet,
    Overruled,
    PainEased,
    PainSuffered,
    PhaseBegan,
    PickedUp,
    Placed,
    Reinstated,
    Retracted,
    Rolled,
    Rose,
    RoundBegan,
    Ruled,
    Settled,
    SideChanged,
    SkirmishJoined,
    Step,
    StressEased,
    StressGained,
    TableSet,
    TieBroken,
    TruceEnded,
    TruceMade,
    TurnBegan,
    TurnEnded,
    Unequipped,
    WoundsHealed,
    WoundsSustained,
    WoundSuffered,
    WoundTreated,
)

if TYPE_CHECKING:
    from projections.areas import Link

SIGNS = {"+": "+", "-": "-", "x": "x", "/down": "/", "/up": "/", "max": "at least ", "min": "at most "}
"""How a step of a sum is written."""


def lines(events: Sequence[Event]) -> list[str]:
    """The lines of one entry: a headline with the actor's own part, and a line for each other one that it concerns.

    When everything concerns the same one, the headline says it all.
    """
    if not events:
        return []
    actor = _actor(events[0])
    told: list[tuple[str, list[str]]] = [(actor, [])]
    shown = _shown_rolls(events)
    for at, event in enumerate(events[1:]):
        text = _dice(event) if isinstance(event, Rolled) and at not in shown else phrase(event)
        if isinstance(event, Unequipped) and _falls(event, events[at + 2 :]):
            continue
        if not text:
            continue
        subject = _subject(event) or told[-1][0]
        if subject != told[-1][0]:
            told.append((subject, []))
        told[-1][1].append(text)
    told = [(subject, _without_echoes(texts)) for subject, texts in told if texts]
    head = "" if told and (_bare(events[0]) or _announced(events)) else headline(events[0])
    if len(told) == 1 or (told and told[0][0] == actor):
        head = ": ".join(filter(None, [head, "; ".join(told.pop(0)[1])]))
    indent = "  " if head else ""
    return [*filter(None, [head]), *(indent + _named(subject, "; ".join(texts)) for subject, texts in told)]


def _falls(event: Unequipped, rest: Sequence[Event]) -> bool:
    """Whether what leaves the hand is not put away, but dropped or broken, as is said next."""
    names = (f"dropped {event.item}", f"broken {event.item}")
    return any(isinstance(one, ConditionGained) and one.who == event.who and one.condition in names for one in rest)


def _without_echoes(texts: list[str]) -> list[str]:
    """The texts without those that only say a word that another one ends with."""
    return [text for text in texts if not any(_repeats(text, other) for other in texts)]


def _repeats(text: str, other: str) -> bool:
    """Whether another text says the same, perhaps with the moment in which it comes true."""
    return other.endswith((f" {text}", f" {text} when the phase closes"))


def _named(subject: str, text: str) -> str:
    return text if not subject.strip("\0") or text.startswith(subject) else f"{subject}: {text}"


def _actor(event: Event) -> str:
    who = event.said.get("who", "") if isinstance(event, Declared) else ""
    return who if isinstance(who, str) else ""


def headline(event: Event) -> str:
    """What was declared, in words."""
    if not isinstance(event, Declared):
        return phrase(event)
    if event.verb == "amend":
        return _amendment(event.said)
    said = {key.rstrip("_").replace("_", "-"): value for key, value in event.said.items() if key not in _SILENT}
    who, why = said.pop("who", ""), said.pop("why", "")
    upon = said.pop("target", "") if "spell" in said or event.verb in ("cast", "pray") else ""
    words = [_value(said.pop(key)) for key in _BY_VALUE if key in said]
    words += [f"on {_value(upon)}"] if upon else []
    verb = f"{who} {_does(event.verb)}" if isinstance(who, str) and who else event.verb
    if isinstance(who, list | tuple) and who:
        verb = f"{_value(who)} {event.verb if who[1:] else _does(event.verb)}"
    if event.verb in _PLAIN and who:
        verb = f"{event.verb} {_value(who)}"
    rest = ", ".join(key if value is True else f"{key} {_value(value)}" for key, value in said.items())
    allowed = f" [allowed: {event.allow}]" if event.allow else ""
    return f"{' '.join([verb, *words])}{f' ({rest})' if rest else ''}{f', because {why}' if why else ''}{allowed}"


def _does(verb: str) -> str:
    """The verb in its third person: attacks, passes, flies."""
    if verb == "opportune":
        return "takes the opportunity"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"


def _bare(event: Event) -> bool:
    """Whether what follows says all that the declaration said."""
    return isinstance(event, Declared) and not event.allow and event.verb in _BARE and "target" not in event.said


def _announced(events: Sequence[Event]) -> bool:
    """Whether what was declared is said again by what it announces for later; a window announces nothing."""
    declared = events[0]
    if not isinstance(declared, Declared) or declared.allow:
        return False
    later = (event for event in events if isinstance(event, Awaited) and not event.answerable)
    return any(event.who == _actor(declared) for event in later)


_BARE = {
    "init", "option", "join", "leave", "note", "roll", "begin", "end", "done", "initiative", "act", "terrain", "move",
    "draw", "stow", "undo", "redo", "round", "phase", "turn", "face", "prone", "stand", "heal", "rest", "table",
    "dispute", "settle", "assert", "group",
}  # fmt: skip
_PLAIN = {"adjust", "effect", "resolve", "morale", "reaction", "distance"}
_TELLING = ("skill", "text", "spell", "prayer", "area", "target", "targets")
_SILENT = {"sheets", "ground", "commitment", "map"}
_BY_VALUE = ("action", "spell", "target", "targets", "field", "value", "item", "text", "name")


def _value(value: Any) -> str:
    match value:
        case True:
            return "yes"
        case dict():
            return " ".join(f"{key}={_value(one)}" for key, one in value.items())
        case list() | tuple() if value and all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return ", ".join(map(_value, value))
    return str(value)


def _shown_rolls(events: Sequence[Event]) -> set[int]:
    """Which of the rolls are seen in the arithmetic of a ruling, or were left out, by their place in the entry."""
    seen = {
        (step.value, step.reason.partition(" ")[0])
        for event in events
        if isinstance(event, Ruled)
        for number in event.numbers
        for step in number.steps
    }
    return {
        at
        for at, event in enumerate(events[1:])
        if isinstance(event, Rolled)
        and (not event.faces or (sum(event.faces), event.dice[event.dice.startswith("1d") :]) in seen)
    }


def _dice(event: Rolled) -> str:
    faces = "+".join(map(str, event.faces))
    return f"{event.who or 'the table'} rolls {event.dice} for {event.purpose}: {faces}"


def _subject(event: Event) -> str:
    if isinstance(event, Ruled | Rolled):
        return event.about or event.who
    if isinstance(event, RoundBegan | PhaseBegan | TurnEnded | EncounterBegan | EncounterEnded):
        return "\x00"
    return getattr(event, "who", "")


def arithmetic(number: Number) -> str:
    """A number with its steps: `16 (14 d20 +2 sword)`; a single step that says no more than its name is left out."""
    if len(number.steps) == 1 and number.steps[0].reason == number.of:
        return f"{number.of} {number.total}".strip()
    if len(number.steps) == 1:
        return f"{number.of} {number.total} ({number.steps[0].reason})".strip()
    if not number.steps:
        return f"{number.of} {number.total}".strip()
    first, *others = number.steps
    steps = [_step(step) for step in others]
    return f"{number.of} {number.total} ({' '.join([f'{first.value} {first.reason}', *steps])})".strip()


def _step(step: Step) -> str:
    """One step of a sum: `+2 sword`, `at least 0`."""
    reason = "" if step.op == "max" and step.reason.startswith("least") else f" {step.reason}"
    return f"{SIGNS.get(step.op, step.op)}{step.value}{reason}"


def ruling(event: Ruled) -> str:
    """A ruling with its numbers and what it came to."""
    reasons = {step.reason for number in event.numbers for step in number.steps if step.reason != number.of}
    told = event.numbers if event.sign else [one for one in event.numbers if one.of not in reasons or one.steps[1:]]
    numbers = list(map(arithmetic, told))
    words = f" {_relation(event)} ".join(numbers) if event.sign else ", ".join(numbers)
    if not words:
        return event.outcome
    return f"{words}: {event.outcome}" if event.outcome else words


def _relation(event: Ruled) -> str:
    """The sign of a comparison that holds; of one that does not, how the two numbers really stand to each other."""
    if len(event.numbers) != 2:
        return event.sign
    left, right = (number.total for number in event.numbers)
    holds = {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right, "=": left == right}
    if holds.get(event.sign, True):
        return event.sign
    return "<" if left < right else ">" if left > right else "="


def linked(link: "LinkLaid | Link") -> str:
    """How two areas hang together, in words."""
    words = [
        "" if link.move else "no way",
        "" if link.see else "out of sight",
        f"only to {link.other}" if link.oneway else "",
        f"by {link.check} {link.difficulty}" if link.check else "",
    ]
    return ", ".join(filter(None, words)) or "open"


def square(at: Sequence[int]) -> str:
    """`3,2`, or `3,2,1` above the ground."""
    x, y, z = at
    return f"{x},{y},{z}" if z else f"{x},{y}"


def lasting(until: str, whose: str, round_: int) -> str:
    """How long a condition lasts, in words; "" for one that only ends when somebody ends it."""
    words = {
        "removed": "",
        "turn-start": f"until {whose}'s turn starts",
        "turn-end": f"until {whose}'s turn ends",
        "round-end": "until the round ends",
        "encounter-end": "until the encounter ends",
        "place-left": "while there",
    }[until]
    return f"{words} (round {round_})".lstrip() if round_ else words


def _condition(event: ConditionGained) -> str:
    die = event.modifies.endswith(" die")
    amount = f" d{event.amount}" if die else f" {event.amount:+d}" if event.amount else ""
    modifies = f" {event.modifies}" if event.modifies else ""
    whom = f" ({', '.join(event.whom)})" if event.whom else ""
    until = lasting(event.until, event.whose, event.round)
    return f"{event.who}: {event.condition}{amount}{modifies}{whom}{f' {until}' if until else ''}"


def _over(condition: str) -> str:
    """What is said when a condition ends: a word that describes somebody holds no longer, a thing is over."""
    if condition.endswith(" empty"):
        return f"{condition.removesuffix(' empty')} is loaded"
    if condition in _DESCRIBING or condition.endswith(("ed", "ing")):
        return f"no longer {condition}"
    return f"{condition} is over"


_DESCRIBING = {
    "prone", "helpless", "unaware", "stable", "frail", "broken", "gone", "hidden", "aloft", "out", "out of luck",
    "defensive", "asleep", "blind", "deaf", "invisible",
}  # fmt: skip
"""Conditions that are adjectives without being participles."""


def _whose(who: str) -> str:
    """The name with the sign of what belongs to it: Corm's, the raiders'."""
    return f"{who}'" if who.endswith("s") else f"{who}'s"


def phrase(event: Event) -> str:
    """What one event says; "" for one that only keeps count."""
    match event:
        case Ruled():
            return ruling(event)
        case Overruled(clause=clause, why=why):
            return f"overruled {clause}: {why.rstrip('.')}"
        case Noted(text=text, who=who):
            return f"{who}: {text}" if who else text
        case CampaignBegan(name=name, system=system):
            return f"the campaign {name} begins ({system})"
        case OptionChanged(option=option, value=value):
            return f"{option} is {_value(value) if value is not False else 'no'}"
        case TableSet(table=table, digest=digest, file=file) if file:
            return f"the {table} table is that of {file} ({digest[:12]})"
        case Joined(who=who, side=side):
            return f"{who} joins the {side}"
        case Left(who=who):
            return f"{who} leaves"
        case SideChanged(who=who, side=side):
            return f"{who} fights for the {side}"
        case TruceMade(one=one, other=other):
            return f"truce between {one} and {other}"
        case TruceEnded(one=one, other=other):
            return f"no more truce between {one} and {other}"
        case EncounterBegan(number=number, name=name):
            return f"encounter {number}{f', {name}' if name else ''}"
        case EncounterEnded(number=number):
            return f"encounter {number} is over"
        case GroundLaid(feature=feature, squares=squares) if len(squares) > 6:
            return f"{feature} on {len(squares)} squares"
        case GroundLaid(feature=feature, squares=squares):
            return f"{feature} on {' '.join(f'{x},{y}' for x, y in squares)}"
        case GroundCleared(feature=feature, squares=squares):
            return f"no {feature} on {' '.join(f'{x},{y}' for x, y in squares)}"
        case InitiativeSet(who=who, score=score):
            return f"{who}'s initiative is {score}"
        case TieBroken(order=order):
            return f"{', '.join(order)} in this order"
        case OrderSet(order=order):
            return f"order {', '.join(order)}"
        case RoundBegan(round=number):
            return f"round {number}"
        case PhaseBegan(phase=name):
            return f"{name} phase"
        case TurnBegan(who=who):
            return f"{_whose(who)} turn"
        case TurnEnded(who=who):
            return f"{_whose(who)} turn ends"
        case HpSet(who=who, hp=hp, most=most):
            return f"{who} has {hp} of {most} hp"
        case HpLost(who=who, points=points, left=left):
            return f"{who} loses {points} hp, {left} left"
        case HpGained(who=who, points=points, left=left):
            return f"{who} regains {points} hp, now {left}"
        case PainSuffered(who=who, points=points, total=total):
            return f"{who} suffers {points} pain, now {total}"
        case PainEased(who=who, points=points, total=total):
            return f"{who} has {points} pain less, now {total}"
        case WoundSuffered(who=who, wound=wound, place=place):
            return f"{who} has a {wound} ({place})"
        case WoundTreated(who=who, wound=wound):
            return f"{who}'s {wound} is treated"
        case StressGained(who=who, points=points, total=total):
            return f"{who} gains {points} stress, now {total}"
        case StressEased(who=who, points=points, total=total):
            return f"{who} loses {points} stress, now {total}"
        case WoundsSustained(who=who, wounds=wounds, total=total, type=kind):
            return f"{who} sustains {_count(wounds, f'{kind} wound'.strip())}, now {total}"
        case WoundsHealed(who=who, wounds=wounds, total=total):
            return f"{who} is healed of {_count(wounds, 'wound')}, now {total}"
        case MagicaGained(who=who, points=points, left=left):
            return f"{who} gains {points} magica, now {left}"
        case MagicaSpent(who=who, points=points, left=left):
            return f"{who} spends {points} magica, {left} left"
        case AmbientMagicaSet(points=points):
            return f"{points} ambient magica"
        case AmbientMagicaSpent(points=points, left=left):
            return f"{points} ambient magica is spent, {left} left"
        case Felled(who=who, how=how):
            return f"{who} is {how}"
        case Rose(who=who):
            return f"{who} is up again"
        case ConditionGained():
            return _condition(event)
        case ConditionEnded(who=who, condition=condition):
            return f"{who}: {_over(condition)}"
        case Equipped(who=who, item=item):
            return f"{who} takes {item}"
        case Unequipped(who=who, item=item):
            return f"{who} puts {item} away"
        case AmmunitionSet(who=who, kind=kind, left=left):
            return f"{who} has {_count(left, kind)}"
        case AmmunitionSpent(who=who, kind=kind, pieces=pieces, left=left):
            return f"{who} spends {_count(pieces, kind)}, {left} left"
        case Dropped(who=who, item=item, at=at):
            return f"{who}'s {item} lies at {square(at)}"
        case PickedUp(who=who, item=item, at=at):
            return f"{who} picks {item} up at {square(at)}"
        case ItemGained(who=who, item=item):
            return f"{who} has {item} now"
        case ItemLost(who=who, item=item):
            return f"{who} has {item} no more"
        case Faced(who=who, direction=direction):
            return f"{who} faces {direction}"
        case Placed(who=who, at=at):
            return f"{who} at {square(at)}"
        case Moved(who=who, how=how, measure=measure) if measure:
            return f"{who} {_does(how)} {measure}"
        case Moved(who=who, how=how, squares=squares, to=to):
            return f"{who} {_does(how)} {squares} square{'s' * (squares != 1)}{f' to {square(to)}' if to else ''}"
        case AreasLaid(areas=areas):
            return f"areas {', '.join(areas)}"
        case LinkLaid(one=one, other=other):
            return f"{one} and {other}: {linked(event)}"
        case AreaEntered(who=who, area=area):
            return f"{who} enters {area}"
        case Engaged(who=who, whom=whom):
            return f"{who} and {whom} are engaged"
        case Disengaged(who=who, whom=whom):
            return f"{who} and {whom} are no longer engaged"
        case SkirmishJoined(who=who, skirmish=number, lasting=True):
            return f"{who} in paired fight {number}"
        case SkirmishJoined(who=who, skirmish=number):
            return f"{who} in skirmish {number}"
        case Awaited(who=who, verb=verb, answerable=answerable) if answerable:
            return f"{who}'s {verb} waits for {', '.join(answerable)}"
        case Awaited(kind="fall", who=who, said=said, until=until):
            return f"{who} will be {said['text']} {until}"
        case Awaited(who=who, verb=verb, said=said, until=until):
            told = {**said, "area": f"to {said['area']}"} if "area" in said else said
            words = " ".join(str(told[key]) for key in _TELLING if key in told)
            return f"{who} will {verb}{f' {words}' if words else ''}{f' ({until})' if until else ''}"
        case Settled(how="done"):
            return ""
        case Settled(who=who, kind=kind, how=how):
            return f"{who}'s {'action' if kind == 'declared' else kind}: {how}"
        case DisputeOpened(entry=entry, why=why):
            return f"e{entry} is disputed: {why}"
        case DisputeClosed(entry=entry, how=how, why=why):
            return f"e{entry} is {how}: {why}"
        case Agreed(name=name, value=value):
            return f"{name} is {value}, as on the sheet" if value != "-" else f"no {name}, as on the sheet"
        case Retracted(entries=entries):
            return f"{_entries(entries)} taken back"
        case Reinstated(entries=entries):
            return f"{_entries(entries)} stand{'s' if len(entries) == 1 else ''} again"
    return ""


def _amendment(said: dict[str, Any]) -> str:
    """What was corrected, in words."""
    put_in = said.get("insert")
    parts = [
        f"{field.rstrip('_').replace('_', '-')} {_value(value)}" for field, value in said.get("change", {}).items()
    ]
    if "allow" in said:
        parts.append(f"allowed: {said['allow']}" if said["allow"] else "no longer allowed")
    if "dice" in said:
        parts.append(f"the dice showed {', '.join(map(str, said['dice']))}")
    if said.get("drop"):
        parts.append("left out")
    if put_in:
        parts.append(f"before it {headline(Declared(put_in['verb'], put_in['said'], put_in.get('allow', '')))}")
    why = f", because {said['why']}" if said.get("why") else ""
    return f"amend {said.get('entry', '')}: {'; '.join(parts)}{why}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _entries(entries: Sequence[int]) -> str:
    if len(entries) > 3:
        return f"{len(entries)} entries, e{min(entries)} to e{max(entries)},"
    return ", ".join(f"e{entry}" for entry in entries)
