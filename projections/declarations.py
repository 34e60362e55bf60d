"""Declarations in words: what was declared, and to whom it is done."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ledger.events import Awaited, Declared, Event, Sentence, alone, counted, do, does, spoken, together, whose

if TYPE_CHECKING:
    from typing import Protocol

    class Manner(Protocol):
        """What the card of a verb says of how its declaration is told."""

        def has(self, trait: str) -> bool:
            """Whether it is said with a trait: `turn`, `gm`, `amends`; `repeated` where its events say all of it."""

        @property
        def passive(self) -> bool:
            """Whether its `who` does nothing, but something is done to them: `adjust Boffin`."""

        @property
        def told(self) -> str:
            """How it is told where not in its third person, with what an option makes of it."""

    Verbs = Mapping[str, Manner]
    """The cards of the verbs that a ledger may hold, by name. A verb without a card is one whose rules are not here."""


def headline(event: Event, verbs: "Verbs") -> str:
    """What was declared, in words."""
    return spoken(deed(event, verbs))


def deed(event: Event, verbs: "Verbs", upon: str = "", briefly: bool = False, by: str = "") -> Sentence:
    """What was declared: all of it, or as it is done to one of the targets, by one of those who do it, and `briefly`
    without the rest of what was said.
    """
    if not isinstance(event, Declared):
        return alone(event.line())
    card = verbs.get(event.verb)
    if card and card.has("amends"):
        return alone(_amendment(event.said, verbs))
    said = _said(event, upon, by)
    who, why = said.pop("who", ""), str(said.pop("why", "")).rstrip(".")
    plain, *ways = card.told.split("; ") if card else ("",)
    does_so, _, works = plain.rstrip("}").partition("{")
    third = _instead(said, ways) or does_so.strip() or does(event.verb)
    words = _objects(said, works, third.endswith(" for"))
    third = third if words else third.rstrip(":").removesuffix(" for").removesuffix(" at")
    several = isinstance(who, list | tuple) and who[1:]
    named = together(who) if several else _value(who)
    if who and (does_so or not card or not card.passive):
        doer, joint, verb = named, " ", do(third) if several else third
    else:
        doer, joint, verb = "", "", event.verb
        words = [named, *words] if who else words
    what = " ".join([verb, *words])
    if briefly:  # checks morale (or retreat)
        return doer, joint, " ".join([verb.partition(" (")[0], *words])
    rest = ", ".join(_option(key, said[key]) for key in sorted(said, key=_rank))
    return doer, joint, f"{what}{f' ({rest})' if rest else ''}{f' ({why})' if why else ''}{marks(event)}"


def _instead(said: dict[str, Any], ways: Sequence[str]) -> str:
    """What an option makes of it, which is not said any more; else ""."""
    for way in ways:
        option, _, words = way.partition(": ")
        key, _, value = option.partition(" ")
        if said.get(key) == (value or True):
            del said[key]
            return words
    return ""


def _rank(key: str) -> int:
    """Where an option stands: first with what it is done, last what the game master adds."""
    return 0 if key == "with" else 2 if key in _MODIFIERS else 1


def _option(key: str, value: Any) -> str:
    """An option as it is said: `at range 60`, `with sword`, `+2 rain`."""
    if isinstance(value, bool):
        return f"{'' if value else 'not '}{key.replace('-', ' ')}"
    said = _value(value).upper() if key in _ABILITIES else _value(value)
    if key == "rounds":
        return f"for {counted(value, 'round')}"
    if key in _MODIFIERS:
        said = ", ".join(_modifier(one) for one in said.split(", "))
    return _SAID.get(key, f"{key.replace('-', ' ')} {{}}").replace("{}", said)


_MODIFIERS, _ABILITIES = ("mod", "gives"), ("ability", "attr", "hit-ability")


def _modifier(word: str) -> str:
    """A modifier as it is said.

    >>> _modifier("2:rain"), _modifier("hit:+2:height"), _modifier("defense@bo:-1"), _modifier("adv:above")
    ('+2 rain', '+2 height to hit', "-1 to Bo's defense", 'advantage: above')
    """
    first, _, rest = word.partition(":")
    if first in _LUCK:
        return ": ".join(filter(None, (_LUCK[first], rest)))
    if not first.lstrip("+-").isdecimal():
        what, _, who = first.partition("@")
        to = f" to {f'{whose(who[:1].upper() + who[1:])} ' if who else ''}{what}"
        return f"{_modifier(rest)}{to}" if rest else word
    return f"{int(first):+d}{f' {rest}' if rest else ''}"


def _said(event: Declared, upon: str, by: str) -> dict[str, Any]:
    """What was said of it that is told, by its words, as it is done to one by one."""
    said = {key.rstrip("_").replace("_", "-"): said for key, said in sorted(event.said.items()) if key not in _SILENT}
    said |= {"who": by} if acts(event, by) else {}
    return {**said, "target" if "target" in said else "who": upon} if upon else said


def _objects(said: dict[str, Any], works: str, led: bool = False) -> list[str]:
    """Takes out of it what stands behind the verb without its word, first what `works` on somebody; whom, where nothing
    does and the verb is `led` to them by a word of its own.
    """
    aim, _ = (said.pop("target", ""), said.pop("name", "")) if works else ("", "")
    rule = "option" if "value" in said else ""
    words = [_value(said.pop(key)) for key in ("action", works, rule, *_BY_VALUE) if key in said]
    return [*words, f"{'' if led and not words else 'on '}{_value(aim)}"] if aim else words


def actor(event: Event) -> str:
    """The only one who does what was declared; "" where there is none, or several."""
    who = event.said.get("who", "") if isinstance(event, Declared) else ""
    match who:
        case str():
            return who
        case [str(only)]:
            return only
    return ""


def acts(event: Event, doer: str) -> bool:
    """Whether somebody is the one, or one of those, who do what was declared."""
    who = event.said.get("who") if isinstance(event, Declared) else None
    several = who if isinstance(who, list | tuple) else (who,)
    return bool(doer) and doer.casefold() in (one.casefold() for one in several if isinstance(one, str))


def targets(event: Event) -> tuple[str, ...]:
    """Those to whom it is done, each with a line of their own; of an action that several do, each of them."""
    said = event.said if isinstance(event, Declared) else {}
    match said.get("target", said.get("who")):
        case str(only) if "target" in said:
            return (only,)
        case [_, *_] as names if "target" in said or names[1:]:
            return tuple(name for name in names if isinstance(name, str))
    return ()


def is_repeated(event: Event, verbs: "Verbs") -> bool:
    """Whether what follows says all that the declaration said."""
    if not isinstance(event, Declared) or event.allow:
        return False
    card = verbs.get(event.verb)
    return card is not None and (
        (card.has("repeated") and "target" not in event.said) or (card.has("turn") and not event.said)
    )


def is_decreed(event: Event, verbs: "Verbs") -> bool:
    """Whether the game master did it to somebody, so that what became of them and the reason say it all."""
    if not isinstance(event, Declared) or bool(event.said.get("who")) == ("target" in event.said):
        return False
    card = verbs.get(event.verb)
    return card is not None and card.has("gm") and card.passive and not card.told


def is_of_turn(event: Event, verbs: "Verbs") -> bool:
    """Whether somebody's turn, or the course of all, is what was declared."""
    card = verbs.get(getattr(event, "verb", ""))
    return card is not None and card.has("turn")


def reason(event: Event) -> str:
    """Why the game master did it, as it stands behind what became of it; "" where nobody says."""
    if not isinstance(event, Declared):
        return ""
    why = str(next((event.said[key] for key in _REASONS if key in event.said), "")).rstrip(".")
    return f"{f' ({why})' if why else ''}{marks(event)}"


def marks(event: Event) -> str:
    """That it is secret, and what the game master allowed."""
    if not isinstance(event, Declared):
        return ""
    allowed = event.allow.removeprefix("all: ")
    return f"{' [secret]' if event.secret else ''}{f' [allowed: {allowed}]' if allowed else ''}"


def is_announced(events: Sequence[Event]) -> bool:
    """Whether the action that is announced for later repeats the declaration. A window announces nothing."""
    said = events[0]
    later = (event for event in events if isinstance(event, Awaited) and not event.answerable)
    return any(event.who == actor(said) for event in later)


_SILENT = {"sheets", "sheet", "ground", "commitments", "map", "feet", "on_hit"}
"""Fields that are not told: they are long, or what comes of them says them, as how far somebody goes."""
_REASONS = ("why", "waive")
_BY_VALUE = ("target", "field", "name", "value", "item", "text", "points", "direction")
_SAID = {
    **dict.fromkeys(["attr", "category", "dice", "kind", "mod", "part", "result", "skill"], "{}"),
    "ability": "by {}",
    "ambient": "{} ambient magica",
    "cover": "{} cover",
    "distance": "at range {}",
    "dt": "target {}",
    "extra": "{} extra magica",
    "gives": "{}",
    "heal": "heals {}",
    "hit-ability": "hits by {}",
    "los": "line of sight {}",
    "magic": "{} by magic",
    "off-hand": "off-hand {}",
    "opportune": "opportunity for {}",
    "range": "{} range",
    "save": "save against {}",
    "speaker": "{} speaks",
    "stress": "{} stress",
    "throw": "thrown {} feet",
}
"""How an option is said, where not as `with sword`: by its word and its value."""
_LUCK = {"adv": "advantage", "dis": "disadvantage"}

_DEEPEST = 8
"""How deep what was declared may be nested: no declaration of any verb goes deeper than a stat block does."""


def _value(value: Any, deep: int = 0) -> str:
    match value:
        case True:
            return "yes"
        case dict() | list() | tuple() if deep > _DEEPEST:
            return "..."
        case {"file": str(word)} | {"name": str(word)}:
            return word
        case dict():
            return " ".join(f"{key}={_value(one, deep + 1)}" for key, one in value.items())
        case [int(x), int(y), 0]:
            return f"{x},{y}"
        case list() | tuple() if value and all(isinstance(one, int) for one in value):
            return ",".join(map(str, value))
        case list() | tuple():
            return ", ".join(_value(one, deep + 1) for one in value)
    return str(value)


_MOVED = (("before", "before"), ("behind", "after"))
"""The fields of an amendment that name the entry beside which it moves one, each with the word for it."""


def _amendment(said: dict[str, Any], verbs: "Verbs") -> str:
    """What was corrected, in words."""
    changes = {} if "verb" in said else said.get("change", {})
    words = {field.rstrip("_").replace("_", "-"): value for field, value in changes.items()}
    parts = [_option(key, value) if value not in ("", []) else f"no {key}" for key, value in words.items()]
    if "verb" in said:
        parts.append(f"it was {headline(Declared(said['verb'], said.get('change', {})), verbs)}")
    if "allow" in said:
        parts.append(f"allowed: {said['allow']}" if said["allow"] else "no longer allowed")
    if "dice" in said:
        shown = ", ".join("-" if face is None else str(face) for face in said["dice"])
        parts.append(f"the dice are {shown}")
    if said.get("drop"):
        parts.append("left out")
    parts += [f"moved {where} e{said[field]}" for field, where in _MOVED if field in said]
    for put_in in said.get("insert", ()):
        where = "in its place:" if said.get("drop") else "inserted before it:"
        parts.append(f"{where} {headline(Declared(put_in['verb'], put_in['said'], put_in.get('allow', '')), verbs)}")
    why = f" ({said['why'].rstrip('.')})" if said.get("why") else ""
    return f"amend {said.get('entry', '')}{why}: {'; '.join(parts) or 'restored'}"


_LEAST = 4
"""The fewest letters of a word that are compared."""


def stem(word: str) -> str:
    """A word without its ending.

    >>> [stem(word) for word in ("charges", "charging", "flees", "fleeing", "surrender", "surrendered", "prone")]
    ['charg', 'charg', 'flee', 'flee', 'surrender', 'surrender', 'pron']
    """
    found = (word.removesuffix(ending) for ending in ("ing", "ed", "es", "e", "s") if word.endswith(ending))
    return next((stem for stem in found if len(stem) >= _LEAST), word)
