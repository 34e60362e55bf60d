"""Words for what stands in the record: an entry that is told and not named, and a value of the board."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from commands.action import rulebook, systems, vocabulary
from commands.action.book import Book, events_of
from commands.action.declaration import is_entry
from commands.action.house_words import house_rules
from commands.past.course import newest
from ledger.events import Declared, EncounterBegan, RoundBegan, Ruled
from projections.changes import values

from .lifting import lifted
from .tokens import DROPS, FILLERS

if TYPE_CHECKING:
    from .option_words import Field
    from .tokens import Reader

_BACK = 300
"""The most entries among which one is looked for that is told."""
LAST = ("last", "latest", "previous", "that")
"""Words for the entry before."""
_SPANS = ("round", "fight", "combat", "encounter", "battle")
"""Words for what has a beginning in the record."""
_SIGNS = {
    "<": "< below under less fewer lower beneath",
    "<=": "<= most",
    ">": "> above over more greater higher exceeds",
    ">=": ">= least",
    "=": "= == is equals equal exactly was",
}
"""How two numbers are compared, with the words for it."""
_SIGN = {word: sign for sign, words in _SIGNS.items() for word in words.split()}
_FALLING = (
    "die dies died dying dead death kill kills killed slain fall falls fell fallen down downed drop dropped drops"
    " unconscious out"
)
_DOWN = frozenset(_FALLING.split())
"""Words that ask when somebody went down."""
_LEADING = "to at on in is now = into the a"
_LEADS = frozenset(_LEADING.split())
"""Words that lead to the value that is set."""
WHERE = ("position", "place", "square", "location", "pos")
"""What the square on which somebody stands is called elsewhere."""
_ASKED = "when did does do was were why how than at so have has had get got become became"
_YES = ("yes", "on", "true")
"""Words for what somebody has from now on."""
_HOW_DOWN = ("dying", "unconscious", "dead", "no")
"""How somebody may be down, in one rule system or another."""
_ASKING = FILLERS | frozenset(_ASKED.split())
"""Words that say nothing of a value."""


class RecordWords:
    """Finds the entry or the value that some words mean, at one moment of one ledger. `named` gives the verbs that a
    word means.
    """

    def __init__(self, book: Book, reader: "Reader", named: Callable[[str], Iterable[str]]) -> None:
        self._book, self._reader, self._named = book, reader, named

    def put(self, fields: Sequence["Field"], words: Sequence[str]) -> list[str]:
        """The words, with those in front that tell of an entry, or of a value of the board, as one that names it."""
        made = [bare if is_entry(bare := word.rstrip(",:;")) else word for word in words]
        if any(shape.word == "option" for _, shape in fields):
            system = systems.load(self._book.present()[1].campaign.system)
            made = [word for rule in house_rules(made, system.options, system.players) for word in rule if word] or made
        if {"who", "field", "value"} <= {field.name for field, _ in fields}:
            made = self.setting(made) or made
        if any(shape.word == "value" for _, shape in fields):
            compared = any(shape.word == "value" and shape.many for _, shape in fields)
            made = self.value(made, compared) or made
            if not compared and not any(field.required for field, shape in fields if shape.word == "value"):
                made = [word for word in made if not word.isdigit() or len(made) < 2 or "." not in made[0]]
        kinds = ("entry", "shown") if not {*LAST}.isdisjoint(map(str.casefold, made)) else ("entry",)
        told = [
            field.required for field, shape in fields if shape.word in kinds and (field.required or shape.positional)
        ]
        if told and not any(map(is_entry, made)) and not "".join(made[:1]).isdigit():
            entry, left = self.entry(made, any(told))
            made = [entry, *left] if entry else made
        return made

    # Entries

    def entry(self, words: Sequence[str], surely: bool = False) -> tuple[str, list[str]]:
        """The entry that the first words tell of, and the other words; "" for none. Where one is `surely` meant, it is
        the last that was done in the fight, if no words tell of one.
        """
        deeds = systems.load(self._book.present()[1].campaign.system).verbs
        verbs: list[Container[str]] = []
        names: list[str] = []
        last, end = False, 0
        for at, word in enumerate(words, 1):
            low = word.casefold().rstrip(".,:;!?").removesuffix("'s")
            people = self._reader.token(low).people if self._reader.is_name(low) else ()
            if people and not names:
                names += people
            elif low in LAST:
                last = True
            elif low in DROPS:
                break
            elif found := {*self._named(low), *(name for name, verb in deeds.items() if low in verb.ideas)}:
                verbs.append(found)
            elif low in FILLERS:
                continue
            else:
                break
            if not (people and verbs) or words[at - 2].casefold() in FILLERS:  # `last attack wolf was dead`
                end = at
            if word[-1:] in (",", ":", ";"):  # the rest says why
                break
        if not (verbs or names or last or surely):
            return "", [*words]
        for number, declared in self._declared():
            if verbs and declared.verb not in verbs[0]:
                continue
            if not verbs and (declared.verb not in deeds or (not names and deeds[declared.verb].by != "combatant")):
                continue
            if all(name in said_of(declared) for name in names):
                told = verbs or (last and not names)
                return f"e{number}", [*words[end:]] if told else [*words]
        return "", [*words]

    def deeds(self, most: int) -> list[str]:
        """The last entries by which something was done in the fight, the newest first."""
        known = systems.load(self._book.present()[1].campaign.system).verbs
        found: list[str] = []
        for number, declared in self._declared():
            if declared.verb in known:
                found.append(f"e{number}")
            if len(found) == most:
                break
        return found

    def _declared(self) -> Iterator[tuple[int, Declared]]:
        """What was said in the entries that stand, the newest first."""
        for entry in newest(self._book.store, _BACK):
            declared = events_of(entry)[0]
            if isinstance(declared, Declared):
                yield entry.entry, declared

    def began(self, words: Sequence[str]) -> str:
        """The entry with which the round or the fight began that words name, the present one where none is numbered; ""
        for none.
        """
        low = [*map(str.casefold, words)]
        number = next((int(word) for word in low if word.isdigit() and len(word) < 5), 0)
        for entry in newest(self._book.store, _BACK) if not {*_SPANS}.isdisjoint(low) else ():
            events = events_of(entry)
            fight = any(isinstance(event, EncounterBegan) for event in events)
            rounds = [event.round for event in events if isinstance(event, RoundBegan)] if "round" in low else []
            if (fight and "round" not in low) or (rounds and number in (0, *rounds)):
                return f"e{entry.entry}"
            if fight:
                break
        return ""

    def ruled(self, who: str) -> str:
        """The last entry in which something was decided about what somebody did; "" for none."""
        for entry in newest(self._book.store, _BACK):
            if any(isinstance(event, Ruled) and event.who == who for event in events_of(entry)):
                return f"e{entry.entry}"
        return ""

    # Values

    @cached_property
    def settings(self) -> set[str]:
        """The fields that the referee sets."""
        return {*rulebook.of(self._book.present()[1].campaign.system).referee.fields}

    def setting(self, words: Sequence[str]) -> list[str]:
        """Whose value is set, which, and to what, and then the other words; none where that is not clear."""
        parts = [
            part for word in words for part in (word.split("=", 1) if re.match(r"[a-z-]+=[\d+-]", word) else [word])
        ]
        at = next((at for at, part in enumerate(parts) if self._reader.is_name(part)), None)
        if at is None or any(part.startswith("--") for part in parts):
            return []
        if any(map(self._named, map(str.casefold, parts[:at]))):  # `give Grub 3 hp` is said by its verb
            return []
        state = self._book.present()[1]
        square = any(re.fullmatch(r"-?\d+,-?\d+(,-?\d+)?", part) for part in parts)
        who = self._reader.token(parts.pop(at)).people[0]
        known = [name.partition(".")[2] for name in values(state) if name.startswith(f"{who}.")]
        if len(parts) > 1 and parts[1].casefold() in _YES and vocabulary.condition(parts[0]):
            return [who, "condition", parts[0], *parts[2:]]  # `adjust brun stunned yes`
        if len(parts) == 2 and (ended := lifted(self._reader, [who, *parts])[1]):  # `adjust ulfgar dazed off`
            return [who, "no-condition", ended]
        field, left = self._in_sheet(who, parts)
        if not field and "".join(parts[:1]) in self.settings:
            field, *left = parts
        if not field:
            field, left = _field(parts, [*(self.settings if square else self.settings - {"at"}), *known])
        if not field:
            first = next(iter(rulebook.of(state.campaign.system).referee.fields))
            field = "at" if square else "area" if any(part in state.areas.names for part in left) else ""
            field = field or (first if "".join(left[:1]).isdigit() else "")  # `adjust dagna 31`
            left = [part for part in left if field != "at" or part.casefold() not in WHERE]  # `position 3,3`
        if not field and "".join(parts[:1]).isalpha() and " " in "".join(parts[1:2]) and "condition" in self.settings:
            return [who, "condition", *parts]  # `adjust orc-3 fled 'down the stairs'`
        if not field:
            return []
        if field == "down" and (how := vocabulary.choice("".join(left[:1]), _HOW_DOWN)):
            left = [how, *left[1:]]
        elif field == "down" and "".join(left[:1]).casefold() not in _HOW_DOWN:  # `adjust ogre dead`
            hows = (
                low if (low := part.casefold()) in _HOW_DOWN else vocabulary.choice(low, _HOW_DOWN) for part in parts
            )
            left = [*filter(None, hows), *left]
        elif field.startswith("no-") and (not left or " " in left[0]):  # of what
            left = [*values(state).get(f"{who}.{field.removeprefix('no-')}", "").split(",")[:1], *left]
        if field == "item" and (given := self._given(who, left)):
            thing, _, owner = given.casefold().partition("@")
            told = [part for part in left if owner not in map(str.casefold, self._reader.token(part).people)]
            return [who, field, given, *(part for part in told if part.casefold() not in thing.split())]
        leads = next((at for at, part in enumerate(left) if part.casefold() not in _LEADS), len(left))
        numbers = (at for at, part in enumerate(left) if re.fullmatch(r"[+-]?\d+(,-?\d+)*", part))
        set_to = next(numbers, next((at for at, part in enumerate(left) if re.fullmatch(r"\d+/\d+", part)), leads))
        value = "".join(left[set_to : set_to + 1]).partition("/")[0]  # `40/55`
        left = [*(part for part in left[:set_to] if part.casefold() not in _LEADS), *left[set_to + 1 :]]
        by = ["by"] if value.startswith("-") and "," not in value else []
        return [who, field, *by, *([value] if value else []), *(part for part in left if part.casefold() != "by")]

    def _given(self, who: str, words: Sequence[str]) -> str:
        """The thing of somebody who is named that goes to another: `ring of force from boffin`; "" for none."""
        others = [name for word in words if self._reader.is_name(word) for name in self._reader.token(word).people]
        said = " ".join(words).casefold()
        things = [(one, name) for name in others if name != who for one in self._reader.things(name)]
        fit = sorted((one for one in things if one[0].casefold() in said), key=lambda one: -len(one[0]))
        return "@".join(fit[0]) if fit else ""

    def _in_sheet(self, who: str, words: Sequence[str]) -> tuple[str, list[str]]:
        """The field in a table of somebody's stat block that two words name, as `skills.shoot` does, and the other
        words; "" for none.
        """
        sheet = msgspec.json.decode(self._book.present()[1].roster.members[who].sheet)
        for at, (table, name) in enumerate(pairwise(words)):
            if isinstance(sheet.get(table), dict) and name in sheet[table]:
                return f"{table}.{name}", [*words[:at], *words[at + 2 :]]
        return "", [*words]

    def _in_full(self, value: str, board: Mapping[str, str]) -> str:
        """The name of a value with that of its owner in full, where it is one of the board: `brun.wounds`."""
        owner, point, field = value.partition(".")
        found = (f"{who}.{field}" for who in self._reader.token(owner).people if point)
        return next((one for one in found if one in board), value)

    def value(self, words: Sequence[str], compared: bool) -> list[str]:
        """The words with those for a value of somebody as its name, and where values are `compared`, as a condition;
        none where they name no value.
        """
        parts = [part for word in words for part in re.split(r"\s*(<=|>=|==|[<=>])\s*|\s+", word) if part]
        board = values(self._book.present()[1])
        if any("." in part and not part.startswith("--") for part in parts):
            parts = [self._in_full(part, board) for part in parts]
            if not compared and len(parts) == 1:
                return parts
            return [part for part in parts if part not in ("=", "==")] if not compared and "=" in parts else []
        members = self._book.present()[1].roster.members
        theirs = [[one for one in self._reader.token(part).people if one in members] for part in parts]
        named = [at for at, people in enumerate(theirs) if people]
        at = next((at for at in named if self._reader.is_name(parts[at])), next(iter(named), None))
        if at is None:
            return []
        parts.pop(at)
        who = theirs[at][0]
        field, left = _field(parts, [name.partition(".")[2] for name in board if name.startswith(f"{who}.")])
        sign = next((_SIGN[low] for part in left if compared and (low := part.casefold()) in _SIGN), "")
        number = next((part for part in left if compared and re.fullmatch(r"[+-]?\d+", part)), "")
        if not field and number:
            field = _counted(board, who)
        if not field:
            return []
        condition = f"{who}.{field} {sign or '='} {number}" if number else f"{who}.{field}"
        used = {*_SIGN, number, *_ASKING} if compared else _ASKING
        return [condition, *(part for part in left if part.casefold() not in used)]


def said_of(declared: Declared) -> list[str]:
    """Those whom a command names."""
    every = [one if isinstance(one, list | tuple) else [one] for one in declared.said.values()]
    return [one for some in every for one in some if isinstance(one, str)]


def _field(words: Sequence[str], fields: Sequence[str]) -> tuple[str, list[str]]:
    """The field of somebody that some words mean, and the other words; "" for none."""
    for length in (3, 2, 1):
        for at in range(len(words) - length + 1):
            said = " ".join(words[at : at + length]).casefold().replace("-", " ")
            exact = [field for field in fields if field.casefold().replace("-", " ") == said]
            begun = [field for field in fields if len(said) > 2 and field.casefold().startswith(said)]
            if found := exact or ([] if said in _ASKING else begun):
                return found[0], [*words[:at], *words[at + length :]]
    down = next((at for at, word in enumerate(words) if word.casefold() in _DOWN), None)
    if down is None:
        return "", [*words]
    return "down", [*words[:down], *words[down + 1 :]]


def _counted(board: Mapping[str, str], who: str) -> str:
    """The first field of somebody that is a number."""
    numbers = (name.partition(".")[2] for name, now in board.items() if name.startswith(f"{who}.") and now.isdigit())
    return next(numbers, "")
