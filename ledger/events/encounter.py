"""A fight: order, rounds, phases and turns; points and counts; actions that wait; and who fights whom."""

from typing import Any, Literal

from .declared import Event
from .sentences import Sentence, alone, articled, own, side_word, whereabouts


class EncounterBegan(Event, tag="encounter-began"):
    """A fight began."""

    OF_FIGHT = True
    OPEN = ("number", "name", "ordered")
    number: int
    """1 for the first fight of the campaign."""
    name: str = ""
    """What the fight is called; "" if it has no name."""
    ordered: bool = True
    """False when the fight is played without turns."""

    def sentence(self) -> Sentence:
        return alone(f"encounter {self.number}{f', {self.name}' if self.name else ''}")


class EncounterEnded(Event, tag="encounter-ended"):
    """The fight is over."""

    OF_FIGHT = True
    OPEN = ("number",)
    number: int
    """Which fight."""
    TOLD = "encounter {number} is over"


class InitiativeSet(Event, tag="initiative-set"):
    """A combatant's initiative differs from the sheet until the encounter ends."""

    who: str
    """Whose initiative."""
    score: int
    """The score from now on."""

    def sentence(self) -> Sentence:
        return self.who, own(self.who), f"initiative is {self.score}"


class TieBroken(Event, tag="tie-broken"):
    """Equal scores of initiative were put in order."""

    order: tuple[str, ...]
    """The first to act first."""
    score: int
    """The score that they share."""
    numbers: tuple[tuple[int, ...], ...] = ()
    """What each of them rolled, in the same order. Several numbers: this one rolled again."""

    def sentence(self) -> Sentence:
        return alone("")  # the order of all tells it


class OrderSet(Event, tag="order-set"):
    """The order of turns was decided."""

    OPEN = ("order",)
    order: tuple[str, ...]
    """Seats, sides or combatants, the first to act first."""

    def sentence(self) -> Sentence:
        return alone(f"order: {self.repeats()[0]}")

    def repeats(self) -> tuple[str, ...]:
        return ", ".join(map(side_word, self.order)), ", ".join(self.order)


class RoundBegan(Event, tag="round-began"):
    """A round of the fight began."""

    OF_FIGHT = True
    OPEN = ("round",)
    round: int
    """1 for the first round of the fight."""
    TOLD = "round {round}"


class PhaseBegan(Event, tag="phase-began"):
    """A phase of the round opened."""

    OF_FIGHT = True
    OPEN = ("phase", "simultaneous")
    phase: str
    """The name of the phase."""
    simultaneous: bool = False
    """True when every action of the phase is resolved from the state at its start."""
    TOLD = "{phase} phase"


class TurnBegan(Event, tag="turn-began"):
    """A turn began."""

    OF_FIGHT = True
    OPEN = ("who",)
    who: str
    """The seat, side or combatant whose turn it is."""
    simultaneous: bool = False
    """True when several act in it at the same time, and what they do is resolved from the state at its start."""

    def sentence(self) -> Sentence:
        return (self.who, " ", "begin their turn") if " and " in self.who else (self.who, own(self.who), "turn")


class TurnEnded(Event, tag="turn-ended"):
    """A turn ended."""

    OF_FIGHT = True
    OPEN = ("who",)
    who: str
    """The seat, side or combatant whose turn it was."""

    def sentence(self) -> Sentence:
        return (self.who, " ", "end their turn") if " and " in self.who else (self.who, own(self.who), "turn ends")


class PointsSet(Event, tag="points-set"):
    """An allowance was set, usually at the start of a turn."""

    who: str
    """Whose allowance."""
    kind: str
    """What is counted: action, attack, swap, movement, reaction ..."""
    left: int
    """What may be spent."""


class PointsSpent(Event, tag="points-spent"):
    """Part of an allowance was spent."""

    who: str
    """Whose allowance."""
    kind: str
    """What is counted."""
    points: int
    """What was spent."""
    left: int
    """What remains."""


class Counted(Event, tag="counted"):
    """Something was counted for a rule that asks for it later in the round or encounter."""

    who: str
    """Whose count."""
    kind: str
    """What is counted, in the word of the rule system: feet, attacks, distance ..."""
    count: int
    """The count now; 0 removes it."""
    whom: str = ""
    """The other one whom the count concerns; each has a separate count; "" for nobody in particular."""
    until: Literal["round-end", "encounter-end"] = "round-end"
    """When the count ends."""


class Awaited(Event, tag="awaited"):
    """Something waits: a declared action for its phase, a readied action for its moment, or a window for an answer."""

    kind: str
    """What sort of thing waits: declared, readied, window ..."""
    who: str
    """Whose it is. A combatant has one of each kind; a new one replaces the old."""
    verb: str
    """The verb that is carried out later."""
    said: dict[str, Any]
    """The fields of its declaration."""
    answerable: tuple[str, ...] = ()
    """Those who may answer; nobody else may act meanwhile. Empty when nobody has to wait."""
    until: str = ""
    """The moment at which it lapses, in the words of the rule system."""

    def sentence(self) -> Sentence:
        if self.answerable:
            return self.who, own(self.who), f"{self.verb} waits for {', '.join(self.answerable)}"
        if self.kind == "fall":
            return self.who, " ", f"will be {self.said['text']} {self.until}"
        if self.kind == "hold":
            return self.who, " ", f"holds an action: {self.said['text']} ({self.until})"
        if self.kind == "luck":  # which the rule that gives it tells
            return alone("")
        if self.kind == "declared" and "text" in self.said:
            return self.who, " ", f"declares: {self.said['text']}"
        checks, verb = "skill" in self.said, self.verb
        said = dict(self.said)
        if checks:
            verb, said["skill"] = "make", articled(f"{said['skill']} check")
        if "area" in said:
            said["area"] = whereabouts("to reach" if checks else "to", said["area"])
        if "target" in said and "area" in said:
            said["target"] = f"and engage {said['target']}"
        said = {**said, "prayer": f"for {said['prayer']}"} if "prayer" in said else said
        words = " ".join(str(said[key]) for key in _TELLING if key in said)
        until = f" ({self.until}{' phase' * (' ' not in self.until)})" if self.until else ""
        owed = "must" if self.kind == "morale" else "will"
        return self.who, " ", f"{owed} {verb}{f' {words}' if words else ''}{until}"

    def repeats(self) -> tuple[str, ...]:
        if self.answerable:
            return (f"waits for {', '.join(self.answerable)}",)
        if self.kind == "morale":
            return ("a morale check is due",)
        return (self.said["text"],) if self.kind == "fall" else ()


class WaitingEnded(Event, tag="waiting-ended"):
    """What waited was carried out, declined, lost or lapsed."""

    kind: str
    """What sort of thing waited."""
    who: str
    """Whose it was."""
    how: str
    """How it ended, in the words of the rule system: done, lost, lapsed ..."""
    verb: str = ""
    """The verb that was not carried out; "" when it was done."""
    why: str = ""
    """Why it was not done, in a few words, or what was done; "" where another event says it."""

    def sentence(self) -> Sentence:
        if self.how in ("done", "triggered", "taken"):
            return (self.who, " ", self.why) if self.why else alone("")
        what = _WAITED.get(self.kind, self.kind).format(self.verb).rstrip()
        ending = f" {_ENDINGS[self.how]}" if self.how in _ENDINGS else f": {self.how}"
        return self.who, own(self.who), f"{what}{ending}{f': {self.why}' if self.why else ''}".lstrip()

    def repeats(self) -> tuple[str, ...]:
        return (self.why,) if self.why else ()


class Engaged(Event, tag="engaged"):
    """Two combatants are locked in combat with each other."""

    ASIDE = True
    OPEN = ("who", "whom")
    who: str
    """One of the two."""
    whom: str
    """The other."""
    UNDOES = "disengaged"

    def sentence(self) -> Sentence:
        return self.who, " and ", f"{self.whom} are engaged"


class Disengaged(Event, tag="disengaged"):
    """Two combatants are no longer locked in combat with each other."""

    ASIDE = True
    OPEN = ("who", "whom")
    who: str
    """One of the two."""
    whom: str
    """The other."""
    UNDOES = "engaged"

    def sentence(self) -> Sentence:
        return self.who, " and ", f"{self.whom} are no longer engaged"


class SkirmishJoined(Event, tag="skirmish-joined"):
    """A combatant takes part in a skirmish, on one of its two sides."""

    OF_FIGHT = ASIDE = True
    OPEN = ("who", "skirmish", "side", "lasting")
    who: str
    """Who takes part."""
    skirmish: int
    """1 for the first skirmish of the round."""
    side: int
    """0 for the side that picked the fight, 1 for the other."""
    lasting: bool = False
    """Whether it lasts beyond the round."""

    @property
    def fight(self) -> str:
        """What it is called, with its number."""
        return f"{'paired fight' if self.lasting else 'skirmish'} {self.skirmish}"

    def sentence(self) -> Sentence:
        return self.who, " ", f"joins {self.fight}"


class SkirmishLeft(Event, tag="skirmish-left"):
    """A combatant takes no part any more in a skirmish that is not fought yet. One with an empty side is over."""

    OPEN = ("who", "skirmish")
    who: str
    """Who is out of it."""
    skirmish: int
    """Which skirmish."""
    SAYS = "is out of skirmish {skirmish}"


class SkirmishEnded(Event, tag="skirmish-ended"):
    """A skirmish was fought."""

    OPEN = ("skirmish",)
    skirmish: int
    """Which skirmish."""


_WAITED = {"hold": "held action", "morale": "morale check", "window": "{}", "fight": "{} on arrival"}
_WAITED |= {kind: f"{kind} {{}}" for kind in ("declared", "readied")}
"""How what waited is called, by its kind, with its verb."""
_ENDINGS = {how: f"is {how}" for how in ("lost", "waived", "withdrawn", "resolved")}
_ENDINGS |= {"lapsed": "is dropped", "failed": "fails"}
"""How it ended, as the end of a sentence."""
_TELLING = ("skill", "text", "spell", "prayer", "area", "target")
"""The fields of an announced action that its line shows."""
