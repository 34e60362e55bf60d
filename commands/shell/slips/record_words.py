"""Words for what stands in the record: an entry that is told and not named, and a value of the board."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from commands.action import rulebook, systems, vocabulary
from commands.action.book import Book, events_of
from commands.action.declaration import is_entry
from commands.action.house_words import house_rules
from commands.action.view import View
from commands.past.course import newest
from commands.words.parameters import is_option
from ledger.events import Declared, EncounterBegan, RoundBegan, Ruled
from projections.changes import values

from .amounts import HARMED
from .handing import handed
from .lifting import lifted
from .tokens import FILLERS

if TYPE_CHECKING:
    from .option_words import Field
    from .tokens import Reader

_BACK = 300
"""The most entries among which one is looked for that is told."""
LAST = ("last", "latest", "previous", "that")
"""Words for the entry before."""
_CASES = ("dispute", "case")
"""Words for what is settled."""
_TOO = ("too", "also", "well")
"""Words by which somebody is played beside others."""
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
_HURT = ("hurt", "wounded", "injured", "harmed")
"""Words that ask for the value that harm changes."""
_LEADING = "to at on in is now = into the a by"
_LEADS = frozenset(_LEADING.split())
"""Words that lead to the value that is set."""
WHERE = ("position", "place", "square", "location", "pos")
"""What the square on which somebody stands is called elsewhere."""
_ASKED = "when did does do was were why how than at so have has had get got become became"
_OFF = ("off", "no", "false", "ends", "ended", "over", "gone")
"""Words for what somebody has no longer."""
FULL = ("full", "max", "maximum", "fully", "whole")
"""Words for the most that a value can be."""
_NONE = ("none", "zero", "nothing", "nil")
"""Words for 0."""
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
            needed = compared or any(field.required for field, shape in fields if shape.word == "value")
            said = [word for word in made if needed or not word.isdigit()]  # `why has brun 16 hp`
            made = self.value(said, compared) or made
        if any(field.name == "seat" for field, _ in fields):
            made = self._seated(made)
        if any(shape.word == "disputed" for _, shape in fields) and made:
            made = self._disputed(made)
        kinds = ("entry", "shown") if not {*LAST}.isdisjoint(map(str.casefold, made)) else ("entry",)
        told = [field.required for field, shape in fields if shape.word in kinds and not is_option(field, shape)]
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
        verbs: Container[str] = ()
        names: list[str] = []
        last, end = False, 0
        for at, word in enumerate(words, 1):
            low = word.casefold().rstrip(".,:;!?").removesuffix("'s")
            people = self._reader.token(low).people if self._reader.is_name(low) else ()
            if people and not names:
                names += people
            elif low in LAST:
                last = True
            elif not verbs and (
                found := [*self._named(low), *(one for one, verb in deeds.items() if low in verb.hints.ideas)]
            ):
                verbs = found
            elif low in FILLERS:
                continue
            else:
                break
            if not (people and verbs) or words[at - 2].casefold() in FILLERS:  # `last attack wolf was dead`
                end = at
        if not (verbs or names or last or surely):
            return "", [*words]
        for number, declared in self._declared():
            acts = declared.verb in deeds and deeds[declared.verb].by == "combatant"
            if (declared.verb in verbs if verbs else acts) and {*names} <= {*said_of(declared)}:
                told = verbs or (last and not names)
                return f"e{number}", [*words[end:]] if told else [*words]
        return "", [*words]

    def _disputed(self, words: Sequence[str]) -> list[str]:
        """The words with the text of a dispute in front, or its beginning, as the entry; with that of the only dispute
        where none is said.
        """
        words = words[1:] if words[0].casefold() in _CASES else words
        open_ = self._book.present()[1].disputes.open
        for case in open_:
            text = case.why.casefold()
            for end in range(len(words), 0, -1):
                said = " ".join(words[:end]).casefold()
                if text.startswith(said) and (" " in said or said == text):
                    return [f"e{case.entry}", *words[end:]]
        named = any(is_entry(word) or word.isdigit() for word in words)
        return [*words] if named or len(open_) != 1 else [f"e{open_[0].entry}", *words]

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

    def _seated(self, words: Sequence[str]) -> list[str]:
        """The words with the name of a player who is known in front, and where somebody is played `too` with those whom
        they play now: `seat John plays tilda too`, `seat jane=boffin`.
        """
        pairs = [at for at, word in enumerate(words) if "=" in word[1:]]
        words = words[: pairs[1]] if pairs[1:] else words  # `john=boffin jane=jane` are two commands
        parts = [part for word in words for part in re.split("[=:]", word) if part]
        left = [part for part in parts if part.casefold() not in _TOO]
        known = sorted((part for part in left if part.casefold() in self.seats), key=self._reader.is_name)
        if not known:
            return left
        seat = known[0]  # sooner a player than one of the fight who is called so
        left.remove(seat)
        return [seat, *(self.seats[seat.casefold()] if len(left) + 1 < len(parts) else ()), *left]

    @cached_property
    def seats(self) -> dict[str, tuple[str, ...]]:
        """Whom each player plays who is known, by their names in small letters."""
        state = self._book.present()[1]
        seats = rulebook.of(state.campaign.system).board.seats(View(state))
        known = {name.casefold(): (*plays,) for name, plays in seats.items()}
        return known | {one.name.casefold(): one.plays for one in state.seats.taken}

    # Values

    @cached_property
    def settings(self) -> set[str]:
        """The fields that the referee sets."""
        return {*rulebook.of(self._book.present()[1].campaign.system).referee.fields}

    def setting(self, words: Sequence[str]) -> list[str]:
        """Whose value is set, which, and to what, and then the other words; none where that is not clear."""
        every = "\n".join(self._reader.numbered(words))
        parts = re.sub(r"(?mi)^minus\n(?=\d+$)", "-", every).split("\n")  # `hp minus 2`
        at = next((at for at, part in enumerate(parts) if self._reader.is_name(part)), None)
        before = {*map(str.casefold, parts[:at])} - self.settings
        if at is None or any(map(self._named, before)):  # `give Grub 3 hp` is said by its verb
            return []
        state = self._book.present()[1]
        who = self._reader.token(parts.pop(at)).people[0]
        parts[:2] = ["-".join(parts[:2])] if parts[:1] == ["no"] else parts[:2]  # `ulfgar no dazed`
        sign = re.fullmatch(r"(?:-+|no-)([a-z]\S*)", "".join(parts[:1]))  # `adjust orc-1 -webbed burnt off`
        signed = sign is not None and parts[0] not in self.settings
        parts[:1] = [sign[1]] if sign is not None and signed else parts[:1]
        ends = "off" if signed or "".join(parts[1:2]).casefold() in _OFF else "".join(parts[1:2])
        if ends and (ended := lifted(self._reader, [who, parts[0], ends])[1]):  # `adjust orc-1 webbed off he tore free`
            return [who, "no-condition", ended, *parts[1 if signed else 2 :]]
        sheet = msgspec.json.decode(state.roster.members[who].sheet)
        tables = [f"{table}.{name}" for table, one in sheet.items() if isinstance(one, dict) for name in one]
        known = [name.partition(".")[2] for name in values(state) if name.startswith(f"{who}.")]
        points = {f"{kind[:1]}p": kind for kind in state.points.of.get(who, ())}  # `suori has 2 ap`
        parts = [part if part in self.settings else points.get(part.casefold(), part) for part in parts]
        field, left = _field(parts, [*self.settings, *known, *tables])
        if not field:
            first = next(iter(rulebook.of(state.campaign.system).referee.fields))
            square = any(re.fullmatch(r"-?\d+,-?\d+(,-?\d+)?", part) for part in parts)
            field = "at" if square else "area" if any(part in state.areas.names for part in left) else ""
            counts = "".join(left[:1]).isdigit() or {*map(str.casefold, left[:1])} & {*FULL}
            field = field or (first if counts else "")  # `adjust dagna 31`
            left = [part for part in left if field != "at" or part.casefold() not in WHERE]  # `position 3,3`
        if not field and "".join(parts[:1]).isalpha() and " " in "".join(parts[1:2]) and "condition" in self.settings:
            return [who, "condition", *parts]  # `adjust orc-3 fled 'down the stairs'`
        if not field:
            return []
        most = field.endswith("-max") and not any(part[-1:].isdigit() for part in left)
        field, left = (field.removesuffix("-max"), ["max", *left]) if most else (field, left)  # `hp max`
        if field == "down" and (how := vocabulary.choice("".join(left[:1]), _HOW_DOWN)):
            left = [how, *left[1:]]
        elif field == "down" and "".join(left[:1]).casefold() not in _HOW_DOWN:  # `adjust ogre dead`
            hows = (
                low if (low := part.casefold()) in _HOW_DOWN else vocabulary.choice(low, _HOW_DOWN) for part in parts
            )
            left = [*filter(None, hows), *(part for part in left if part.casefold() not in _HOW_DOWN)]
        elif field.startswith("no-") and (not left or " " in left[0]):  # of what
            left = [*values(state).get(f"{who}.{field.removeprefix('no-')}", "").split(",")[:1], *left]
        if field == "item" and (given := handed(self._reader, ["give", who, *left])):  # `item ysbrands dagger`
            thing, _, owner = given[-1].casefold().partition("@")
            told = [part for part in left if owner not in map(str.casefold, self._reader.token(part).people)]
            return [*given, *(part for part in told if part.casefold() not in thing.split())]
        begins = next((at for at, part in enumerate(left) if part.casefold() not in _LEADS), len(left))
        at = next((at for at, part in enumerate(left) if re.fullmatch(r"[+-]?\d+(,-?\d+)*(/\d+)?", part)), begins)
        value = self._whole(f"{who}.{field}", "".join(left[at : at + 1]).partition("/")[0])  # `40/55`
        return [who, field, *filter(None, [value]), *left[begins:at], *left[at + 1 :]]

    def _whole(self, value: str, said: str) -> str:
        """What is said of a number of the board, with its most for a word such as `full`, 0 for none, and what it is
        lowered by, but for hit points, which are lost by damage.
        """
        board, low = values(self._book.present()[1]), said.casefold()
        now, most = board.get(value, ""), board.get(f"{value}-max", "")
        if not now.isdigit():
            return said
        if re.fullmatch(r"-\d+", said) and int(now) + int(said) >= 0 and not value.endswith(".hp"):
            return f"by {said}"
        return most if low in FULL and most else "0" if low in _NONE else said

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
        if any("." in part for part in parts):
            whole = [self._in_full(part, board) for part in parts if part not in ("=", "==")]
            return [] if compared else whole
        named = [part for part in parts if self._reader.token(part).people]
        if not named:
            return []
        parts.remove(named[0])
        who = self._reader.token(named[0]).people[0]
        field, left = _field(parts, [name.partition(".")[2] for name in board if name.startswith(f"{who}.")])
        sign = next((_SIGN[low] for part in left if compared and (low := part.casefold()) in _SIGN), "")
        number = next((part for part in left if compared and re.fullmatch(r"[+-]?\d+", part)), "")
        counts = (name.partition(".")[2] for name, now in board.items() if name.startswith(f"{who}.") and now.isdigit())
        field = field or (next(counts, "") if number else "")
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
            said = re.sub("[-.]", " ", " ".join(words[at : at + length]).casefold())
            exact = [field for field in fields if re.sub("[-.]", " ", field.casefold()) == said]
            begun = [field for field in fields if len(said) > 2 and field.casefold().startswith(said)]
            if found := exact or ([] if said in _ASKING else begun):
                return found[0], [*words[:at], *words[at + length :]]
    down = next((at for at, word in enumerate(words) if word.casefold() in _DOWN), None)
    hurt = next((at for at, word in enumerate(words) if word.casefold() in _HURT), None)
    harm = next((field for field in fields if field in HARMED), "")
    if down is None and hurt is not None and harm:  # `why is reaver hurt`
        return harm, [*words[:hurt], *words[hurt + 1 :]]
    if down is None:
        return "", [*words]
    return "down", [*words[:down], *words[down + 1 :]]
