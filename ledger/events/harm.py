"""How everybody is: hit points, pain, wounds, stress, who is down, magica, and conditions."""

from collections.abc import Sequence
from typing import Literal

from .declared import Event
from .sentences import Sentence, counted, of, own, spoken, together, whereabouts


class HpSet(Event, tag="hp-set"):
    """A combatant's hit points were set: on joining, or by the game master."""

    WORD, NOW = "hp", "left"
    who: str
    """Whose hit points."""
    left: int
    """What the combatant has now."""
    most: int
    """The maximum."""
    SAYS = "has {left}/{most} hp"


class HpLost(Event, tag="hp-lost"):
    """Hit points were lost."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "harm", "hp", "points", "left"
    who: str
    """Who lost them."""
    VAGUE = "{who} loses hp"
    points: int
    """What was really lost, 1 or more."""
    left: int
    """What remained."""
    most: int = 0
    """The maximum; 0 where there is none."""
    SAYS = "loses {points} hp, now {now}"


class HpGained(Event, tag="hp-gained"):
    """Hit points were regained."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "healing", "hp", "points", "left"
    who: str
    """Who regained them."""
    VAGUE = "{who} regains hp"
    points: int
    """What was really regained, 0 or more."""
    left: int
    """What the combatant has now."""
    most: int = 0
    """The maximum; 0 where there is none."""
    SAYS = "regains {points} hp, now {now}"


class PainSuffered(Event, tag="pain-suffered"):
    """Somebody is in more pain than before."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "harm", "pain", "points", "total"
    HAS = "pain"
    who: str
    """Who is in pain."""
    VAGUE = "{who} suffers pain"
    points: int
    """What was added, 1 or more."""
    total: int
    """Their total pain now."""
    most: int = 0
    """The pain that uses up all Stamina; 0 where there is no Stamina."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"suffers {self.points} pain, now {self.total}{_stamina(self.total, self.most)}"

    def has(self) -> str:
        return f"{self.total} pain{_stamina(self.total, self.most)}"


class PainEased(Event, tag="pain-eased"):
    """Pain went away."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "healing", "pain", "points", "total"
    who: str
    """Whose pain went away."""
    VAGUE = "{who} is in less pain"
    points: int
    """What really went, 0 or more."""
    total: int
    """Their total pain now."""
    most: int = 0
    """The pain that uses up all Stamina; 0 where there is no Stamina."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"heals {self.points} pain, now {self.total}{_stamina(self.total, self.most)}"


class WoundSuffered(Event, tag="wound-suffered"):
    """Somebody suffers a named wound."""

    OPEN = ("who", "wound", "place")
    TONE, WORD, UNIT = "harm", "wound", "wounds"
    who: str
    """Who is wounded."""
    wound: str
    """Its name, in the word of the rule system."""
    place: str
    """Where on the body, in the word of the rule system."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"has a {injury(self.wound, self.place)}"

    def repeats(self) -> tuple[str, ...]:
        return self.wound, self.place


def injury(wound: str, place: str) -> str:
    """A wound with its place, where its name does not say it: `bleeder (torso)`, `fractured arm`."""
    wound = wound.replace("-", " ")
    return wound if place.removesuffix("s") in wound.split() else f"{wound} ({place})"


class WoundTreated(Event, tag="wound-treated"):
    """A wound was treated and no longer counts."""

    OPEN = ("who", "wound")
    TONE, WORD, UNIT = "healing", "wound", "wounds"
    who: str
    """Who had the wound."""
    wound: str
    """Its name."""

    def sentence(self) -> Sentence:
        return self.who, own(self.who), f"{self.wound.replace('-', ' ')} is treated"


class StressGained(Event, tag="stress-gained"):
    """Somebody is under more stress than before."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "harm", "stress", "points", "total"
    BODILY = False
    HAS = "stress"
    who: str
    """Who gained it."""
    VAGUE = "{who} gains stress"
    points: int
    """What was added, 1 or more."""
    total: int
    """Their total stress now."""
    most: int = 0
    """The capacity; 0 where there is none."""
    SAYS = "gains {points} stress, now {now}"


class StressEased(Event, tag="stress-eased"):
    """Stress went away."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "healing", "stress", "points", "total"
    who: str
    """Whose stress was eased."""
    VAGUE = "{who} loses stress"
    points: int
    """What really went, 0 or more."""
    total: int
    """Their total stress now."""
    most: int = 0
    """The capacity; 0 where there is none."""
    SAYS = "loses {points} stress, now {now}"


class WoundsSustained(Event, tag="wounds-sustained"):
    """Somebody suffers wounds that are only counted."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "harm", "wounds", "wounds", "total"
    HAS = "wounds"
    who: str
    """Who suffers them."""
    VAGUE = "{who} is wounded"
    wounds: int
    """How many were really added, 1 or more."""
    total: int
    """Their total wounds now."""
    kind: str = ""
    """What caused them: piercing, heat ...; "" for wounds of no kind."""
    most: int = 0
    """The capacity; 0 where there is none."""

    def sentence(self) -> Sentence:
        wounds = counted(self.wounds, f"{self.kind} wound".strip())
        return self.who, " ", f"sustains {wounds}, now {of(self.total, self.most)}"


class WoundsHealed(Event, tag="wounds-healed"):
    """Counted wounds were healed."""

    OPEN = ("who",)
    TONE, WORD, AMOUNT, NOW = "healing", "wounds", "wounds", "total"
    who: str
    """Whose wounds were healed."""
    VAGUE = "{who} is healed of wounds"
    wounds: int
    """How many were really healed, 0 or more."""
    total: int
    """Their total wounds now."""
    most: int = 0
    """The capacity; 0 where there is none."""

    def sentence(self) -> Sentence:
        return self.who, " ", f"is healed of {counted(self.wounds, 'wound')}, now {of(self.total, self.most)}"


class Felled(Event, tag="felled"):
    """A combatant went down."""

    OPEN = ("who", "how")
    TONE = "harm"
    who: str
    """Who went down."""
    how: Literal["dying", "unconscious", "dead"]
    """What the combatant is now."""
    SAYS = "is {how}"

    def repeats(self) -> tuple[str, ...]:
        return (self.how,)


class Rose(Event, tag="rose"):
    """A combatant is no longer down."""

    OPEN = ("who",)
    TONE = "healing"
    who: str
    """Who is up again."""
    SAYS = "is up again"


class MagicaGained(Event, tag="magica-gained"):
    """Somebody gained magica."""

    HAS = "magica"
    who: str
    """Who gained it."""
    points: int
    """What was really gained, 0 or more."""
    left: int
    """What the combatant has now."""
    most: int = 0
    """The capacity; 0 where there is none."""
    SAYS = "gains {points} magica, now {now}"


class MagicaSpent(Event, tag="magica-spent"):
    """Somebody spent magica."""

    ASIDE = True
    who: str
    """Who spent it."""
    points: int
    """1 or more."""
    left: int
    """What the combatant has now."""
    most: int = 0
    """The capacity; 0 where there is none."""
    SAYS = "spends {points} magica, now {now}"


class AmbientMagicaSet(Event, tag="ambient-magica-set"):
    """The magica of the place was set. It is counted until the encounter ends."""

    OPEN = ("left",)
    left: int
    """What there is."""
    TOLD = "{left} ambient magica"


class AmbientMagicaSpent(Event, tag="ambient-magica-spent"):
    """Somebody spent magica of the place."""

    OPEN = ("points", "left")
    points: int
    """1 or more."""
    left: int
    """What there is now."""
    TOLD = "{points} ambient magica is spent, {left} left"


Until = Literal["removed", "turn-start", "turn-end", "round-end", "encounter-end", "move", "acted"]
"""When a condition ends: when somebody removes it, when the turn of `whose` starts or ends, when the round or the
encounter ends, when one of those whom it concerns moves, or when all of them have acted."""


class ConditionGained(Event, tag="condition-gained"):
    """A condition began. It replaces one of the same name."""

    OPEN = ("who", "condition", "until", "whose", "round", "whom")
    who: str
    """Who has the condition."""
    condition: str
    """Its name, in the word of the rule system."""
    until: Until = "removed"
    """What ends it."""
    whose: str = ""
    """Whose turn ends it: a seat, side or combatant; "" when no turn ends it."""
    round: int = 0
    """In which round it ends at the earliest; 0 for the first occasion."""
    whom: tuple[str, ...] = ()
    """The others whom it concerns, such as the one who holds."""
    amount: int = 0
    """Its number, if it has one."""
    modifies: str = ""
    """The kind of roll or score that `amount` is added to; "" if it is added to none."""

    def sentence(self) -> Sentence:
        near = f" near {', '.join(self.whom)}" if self.whom else ""
        if self.condition.startswith(DROPPED):
            item = self.condition.removeprefix(DROPPED)
            return (self.who, own(self.who), f"{item} lies{near}") if near else (self.who, " ", f"drops the {item}")
        if thing := _of_thing(self.condition):
            return self.who, own(self.who), f"{thing[0]} is {thing[1]}"
        until = "" if self.until == "move" or (self.whom and self.until == "encounter-end") else self.until
        ends = lasting(until, self.whose, self.round, self.whom, self.condition)
        if self.condition == FATAL:
            harder = f", {self.amount} harder to stabilise" if self.amount else ""
            return self.who, " ", f"is {FATAL}{harder}{f' and {ends} unless helped' if ends else ''}"
        what = _holding(self.condition, "" if self.until == "acted" else together(self.whom))
        return self.who, " ", f"{what}{self._amount()}{f' {ends}' if ends else ''}"

    def _amount(self) -> str:
        """Its number, and what that is added to."""
        if not self.amount or not self.modifies:
            return f" {self.amount}" if self.amount else ""
        number = f"d{self.amount}" if self.modifies.endswith(" die") else f"{self.amount:+d}"
        modifies = "" if self.condition.endswith(self.modifies) else f" {_ADDED.get(self.modifies, self.modifies)}"
        return f", {number}{modifies}"

    def repeats(self) -> tuple[str, ...]:
        """A condition that names an item says what became of it: `dropped axe`."""
        from .roster import Unequipped

        _, _, item = self.condition.partition(" ")
        amount = (f"{self.amount:+d}",) if self.amount else ()
        dying = ("is dying",) if self.condition == FATAL else ()
        return (self.condition, *amount, *dying, *([Unequipped(self.who, item).told()] if item else []))


FATAL = "mortally wounded"
"""The condition that kills when it ends by itself."""
DROPPED = "dropped "
"""Before the name of a thing: the condition of its owner while it lies on the ground."""


class ConditionEnded(Event, tag="condition-ended"):
    """A condition ended."""

    OPEN = ("who", "condition")
    who: str
    """Who has the condition."""
    condition: str
    """Its name."""

    def sentence(self) -> Sentence:
        condition = self.condition
        if condition in _BACK:
            return self.who, " ", _BACK[condition]
        if thing := _of_thing(condition):
            return self.who, own(self.who), f"{thing[0]} is {'whole again' if thing[1] == 'broken' else 'loaded'}"
        if condition.startswith(DROPPED):
            return self.who, " ", f"has the {condition.removeprefix(DROPPED)} again"
        if condition in _PHRASES or _describes(condition):
            is_, _, what = _holding(condition).partition(" ")
            return self.who, " ", f"is no longer {what}" if is_ == "is" else f"no longer {is_} {what}"
        several = condition.endswith("s") and not condition.endswith("ss")
        return self.who, own(self.who), f"{condition} {'end' if several else 'ends'}"

    def repeats(self) -> tuple[str, ...]:
        """A ruling that a weapon is loaded."""
        return (self.sentence()[2],) if self.condition.endswith((" empty", " unloaded")) else ()


def _of_thing(condition: str) -> tuple[str, str] | None:
    """The thing of which a condition tells, and how it is: `crossbow`, `unloaded`; None where it tells of its owner."""
    first, _, last = condition.rpartition(" ")
    if first and last in ("empty", "unloaded"):
        return first, last
    return (condition.removeprefix("broken "), "broken") if condition.startswith("broken ") else None


def _holding(condition: str, whom: str = "") -> str:
    """A condition as it is said of somebody: is prone, is grappled by Brun, has haste."""
    has = "has an" if condition.startswith("effect") else "has"
    what = _PHRASES.get(condition) or f"{'is' if _describes(condition) else has} {condition}"
    if not whom:
        return what
    if condition in _THINGS:
        return f"{what} {whereabouts(_THINGS[condition], whom).lstrip()}"
    direct = condition in ("controls", "in group") or condition.endswith("ing")
    led = _LED.get(condition, "" if direct else "(")
    return f"{what} ({whom})" if led == "(" else " ".join(filter(None, (what, led, whom)))


def _describes(condition: str) -> bool:
    """Whether a condition is an adjective, a participle, or where somebody is."""
    first = condition.partition(" ")[0]
    return condition in _DESCRIBING or first in ("in", "on") or (first.endswith(("ed", "ing")) and first != "blessing")


_BACK = {
    "gone": "may turn up again",
    "without luck": "has luck again",
    "controls": "loses control",
    "in group": "is back in their own group",
    "last blow": "has no last blow left",
}
"""What is said when a condition ends, where not that it does."""
_PHRASES = {
    "gone": "is out",
    "without luck": "has no luck left",
    "last blow": "may still strike a last blow",
    "controls": "controls",
    "florentine": "fights florentine",
    "total defense": "is on total defense",
    "to the death": "fights to the death",
    "back to the wall": "has their back to the wall",
    "elevation": "stands at height",
    "opportunity taken": "has no more opportunity",
    "shock blocked": "has blocked shock",
}
"""Conditions that are neither said with `is` nor with `has`."""
_LED = {
    **dict.fromkeys(("grappled", "pinned", "threatened", "entangled"), "by"),
    **dict.fromkeys(("fleeing", "in flight"), "from"),
    **dict.fromkeys(("struggling", "florentine"), "with"),
    "last blow": "at",
    "opportunity taken": "against",
}
"""What stands between a condition and those whom it concerns."""
_THINGS = {"mounted": "on", "set": "with", "reloading": "", "disarmed": "of"}
"""The same of conditions that concern a thing."""
_ADDED = {"untyped": "on all rolls"}
"""How what a condition modifies is said, where not in its own word."""
_DESCRIBING = {
    FATAL,
    *["prone", "helpless", "unaware", "stable", "frail", "broken", "gone", "hidden", "aloft", "out"],
    *["defensive", "off-balance", "asleep", "blind", "deaf", "invisible", "set"],
}
"""Conditions that are adjectives without being participles."""


def _stamina(pain: int, most: int) -> str:
    return f" (Stamina {of(most - pain, most)})" if most else ""


def lasting(until: str, by: str, round_: int, whom: Sequence[str] = (), condition: str = "") -> str:
    """How long a condition lasts, in words, and a mortal wound when it kills; "" when it lasts until somebody ends it.
    `whom`: those who must have acted.
    """
    if until == "acted":
        when = f"{together(whom) or 'all of them'} {'has' if len(whom) == 1 else 'have'} acted"
        return f"{'will die when' if condition == FATAL else 'until'} {when}"
    turn, later = spoken((by, own(by), "turn")), f" in round {round_}" if round_ else ""
    when = {
        "removed": f"the end of {turn}{later}" if round_ else "",
        "turn-start": f"the start of {turn}{later}",
        "turn-end": f"the end of {turn}{later}",
        "round-end": f"the end of round {round_}" if round_ else "the end of the round",
        "encounter-end": "the end of the encounter",
        "move": "one of them moves",
    }.get(until, "")
    return f"{'will die at' if condition == FATAL else 'until'} {when}" if when else ""
