"""Words, each with all that it may stand for at one moment of one ledger: people, a square, a number, a direction."""

import re
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from commands.action.declaration import is_entry
from commands.action.mistakes import structs_in
from commands.action.names import acting, find, find_all, nearest, of_stat_block
from commands.action.view import sheet_decoder
from ledger.errors import AffrayError, NameUnknown

from .ground import DIRECTIONS, FARTHEST

if TYPE_CHECKING:
    from projections.state import State

_FILLING = (
    "to at with using the a an on onto in into from for by of off against toward towards up my his her their its your"
    " is are plays then vs v versus near next takes take gets suffers loses does do > -> => all out away back again now"
    " please just also me i he she we will would wants try tries still nearest closest first"
    " new another more over both some his hers this that it him who about fight combat battle as apart"
)
FILLERS = frozenset(_FILLING.split())
"""Words that add nothing to the ones beside them."""
_ASKS = frozenset(["what", "who", "how", "where", "when", "why", "tell", "is", "does", "did", "can", "has"])
"""Words with which a question begins."""
DROPS = frozenset(["drop", "delete", "remove", "cancel", "skip", "only", "just", "alone"])
"""Words by which an entry is left out."""
PARTICLES = frozenset({"back", "over", "out", "off", "away", "up", "again", "now"})
"""Words that say nothing but beside other words."""
JOINS = ("and", "&", "+")
"""Words between the names of several."""
EVERYBODY = ("everyone", "everybody", "they")
"""Words for all who may act now."""
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
"""The numbers from 2 on."""
_LARGE = {
    "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
}  # fmt: skip
"""Larger ones."""
_ONES = ["", "one", *_NUMBERS[:8]]
_GROUPS = {
    "party": "heroes players pcs us",
    "foes": "enemies opponents monsters villains baddies them",
}
"""Words for the groups that @party and @foes name."""
_LIKE = 0.7
"""How like a name a word must be that was not said to be unknown, 1 for the same."""
_SELF = ("herself", "himself", "itself", "themselves", "self")
"""Words for the one who was named before."""
_BLOCK = 0.8
"""How alike a name that nobody has is to that of a stat block."""
_KEPT = frozenset(
    ["i", "he", "she", "we", "it", "this", "that", "the", "a", "an", "his", "her", "my", "their", "both", "some"]
)
"""Those of these words with which a text may begin."""
_UNITS = re.compile(
    r"rounds?|turns?|min|minutes?|hours?|days?|weeks?|feet|foot|ft|yards?|yds?|squares?|hp|points?|wounds?|pain|stress|damage|dmg|harm"
)
"""Units of numbers."""
SIDES = frozenset(word for name, words in _GROUPS.items() for word in (name, *words.split()))
"""Words for a side, which are no name."""
_FALLEN = ("dead", "fallen", "corpses", "bodies")
"""Words for all who are down."""
_ENDS = ".,;:!?"
"""Signs at the end of a word that are no part of it."""
_NAME = re.compile(r"[^\W\d]+[-_]?\d+")
"""A word that can only be a name, as in `grub-9`."""
_GENITIVE = re.compile(r"(?<=\w)['’]s?$")
"""The ending of `suori's`."""
_THROW = re.compile(r"\d*[dw]\d+.*")
"""Dice, as in `1d20`."""


def asks(words: Sequence[str]) -> bool:
    """Whether words are a question."""
    return bool(words) and words[0].casefold().removesuffix("'s") in _ASKS


def counted(words: Sequence[str]) -> list[str]:
    """The words with large numbers in digits, and all before a unit: `thirty feet`, `five feet`."""
    made: list[str] = []
    for word, behind in zip(words, [*words[1:], ""], strict=True):
        tens, _, ones = word.casefold().partition("-")
        number = _LARGE.get(tens, "")
        if ones:  # `twenty-five`
            number = str(int(number) + _ONES.index(ones)) if number and ones in _ONES else ""
        elif tens in _NUMBERS and _UNITS.fullmatch(behind.casefold()):
            number = str(_NUMBERS.index(tens) + 2)
        made.append(number or word)
    return made


class Token(NamedTuple):
    """A word, with what it may stand for."""

    word: str
    people: tuple[str, ...] = ()
    """Those whom it may name; several where it is misspelt or fits several."""
    square: str = ""
    number: str = ""
    step: str = ""
    """The short name of a direction."""
    unit: bool = False
    """Whether it stands behind a number, as in `30 feet`."""
    before: tuple[str, ...] = ()
    """The words just before it that add nothing."""

    @property
    def signed(self) -> bool:
        """Whether it is a number with its sign, as a modifier is."""
        return self.number[:1] in ("+", "-")


def is_unit(token: Token) -> bool:
    """Whether a word is a unit of the number before it."""
    return token.unit and bool(_UNITS.fullmatch(token.word.casefold()))


def text_of(tokens: Sequence[Token]) -> str:
    """The words as they were said, without those at the beginning that only lead to the others, as `from` does."""
    words = [word for token in tokens if not is_unit(token) for word in (*token.before, token.word)]
    leads = next((at for at, word in enumerate(words) if word.casefold() not in FILLERS - _KEPT), 0)
    return " ".join(words[leads:])


def as_typed(text: str, typed: Sequence[str]) -> str:
    """The words as they were typed of which a text is made, with their signs and with the small words among them."""
    small = "|".join(map(re.escape, FILLERS | {*JOINS}))
    between = rf"[{_ENDS}]*\n(?:(?:{small})\n)*"
    words = between.join(re.escape(word.rstrip(_ENDS)) for word in text.split())
    end = rf"(?:(?:\n(?:{small}))*(?=(?:\n\d+)*\Z))?"  # `the roof fell on him`
    found = re.search(rf"^{words}[{_ENDS}]*{end}$", "\n".join(typed), re.IGNORECASE | re.MULTILINE)
    return " ".join(found[0].split("\n")).rstrip(" ,;:") if found and text else text


class Reader:
    """Reads words at one moment of one ledger."""

    def __init__(self, state: "State") -> None:
        self.state = state
        block = sheet_decoder(state.campaign.system).type
        tables = [block, *(table for field in msgspec.structs.fields(block) for table in structs_in(field.type))]
        self.fields = {name for table in tables for name in table.__struct_encode_fields__}
        """The names of the fields of a stat block, which are no things."""
        self.unknown = ""
        """The word that was typed for a name and names nobody."""
        self.acting: list[str] = []
        """Those who may act now."""
        with suppress(AffrayError):
            self.acting = acting(state)

    def tokens(self, words: Sequence[str], maps: bool, known: Container[str] = ()) -> list[Token]:
        """What the words may stand for, without those that add nothing. Where there are `maps`, two numbers are a
        square, and `2 east` are two steps. Words that are `known` to mean something else are no misspelt names.
        """
        found: list[Token] = []
        empty: list[str] = []
        for word in self._joined(self.together(words)):
            token = self.token(word)
            if word.casefold() in _SELF:
                token = Token(word, next((one.people for one in reversed(found) if one.people), ()))
            if word.casefold() in known and token.people and not self.is_name(word):
                token = Token(word, step=token.step)
            if word.casefold() in JOINS or (word.casefold() == "one" and found and found[-1].people):
                continue  # `the cloaked one`
            if maps and token.number and found and found[-1].number:
                token = Token(word, square=f"{found.pop().number},{token.number}")
            if token.people or word.casefold() in known or word.casefold() not in FILLERS:
                after = bool(found and found[-1].number) and not (token.people or token.square or token.number)
                found.append(token._replace(unit=after, before=tuple(empty)))
                empty.clear()
            else:
                empty.append(word)
        return _stepped(found) if maps else found

    def together(self, words: Sequence[str]) -> list[str]:
        """The words, with those as one that are together the name of a thing or of somebody: `magic missile`."""
        names = self.state.roster.order
        whole = {_squeezed(one): one for one in (*self.things(""), *names)}
        made: list[str] = []
        rest = [*words]
        while rest:
            for many in (4, 3, 2):
                found = whole.get(_squeezed(*rest[:many]), "") if rest[many - 1 :] else ""
                digits = any(map(str.isdigit, rest[:many]))
                if found and not digits and (found in names or not any(map(self.is_name, rest[:many]))):
                    made.append(found)
                    del rest[:many]
                    break
            else:
                one = rest.pop(0)
                made.append(one if self.is_name(one) else whole.get(_squeezed(one), one))
        return made

    def numbered(self, words: Sequence[str]) -> list[str]:
        """The words, with a name and the number behind it as one: `guard 2` is Guard-2, where there is one."""
        made: list[str] = []
        for word in words:
            number = word.rstrip(",")
            number = str(_NUMBERS.index(number) + 2) if number in _NUMBERS else number  # `orc two`
            whole = f"{made[-1]}{number}" if made and number.isdigit() and not self.is_name(made[-1]) else ""
            if self.is_name(whole):
                made[-1] = find(self.state, whole)
            else:
                made.append(word)
        return made

    def token(self, word: str) -> Token:
        """What a word may stand for."""
        word = _GENITIVE.sub("", word)
        low = word.casefold()
        if "@" in word[1:] or "=" in word or ("." in word and self.is_name(word.partition(".")[0])):
            return Token(word)  # a thing or a value of somebody, or a number
        if found := re.fullmatch(r"\(?x?(-?\d+)[,;/xy](-?\d+)(?:[,;/x](-?\d+))?\)?", word):
            return Token(word, square=",".join(filter(None, found.groups())))
        if found := re.fullmatch(r"([+-]?)[x*]?(\d{1,9})(?:['x*]|[a-z]*)", low):
            return Token(word, number=found[1] + found[2])
        if low in _NUMBERS:
            return Token(word, number=str(_NUMBERS.index(low) + 2))
        if low == "i" and len(self.acting) == 1:
            return Token(word, (*self.acting,))
        if low in EVERYBODY:
            return Token(word, ("@due" if self.acting else "@all",))
        if side := next((name for name, words in _GROUPS.items() if low in (name, *words.split())), ""):
            return Token(word, (f"@{side}",) if self.members(f"@{side}") else ())
        if low in _FALLEN and self.state.harm.down:
            return Token(word, (",".join(self.state.harm.down),))
        step = DIRECTIONS.get(low, "")
        if "," in word:
            several: list[str] = []
            for part in filter(None, word.split(",")):
                several += [name for name in self.token(part).people if name not in several][:1] or [""]
            return Token(word, (",".join(several),) if all(several) else ())
        if word.startswith("@"):
            sides = [] if self.members(word) else nearest(word[1:], self.state.roster.sides())
            return Token(word, tuple(f"@{side}" for side in sides) or (word,))
        with suppress(NameUnknown):
            if low not in FILLERS and low != "":
                return Token(word, (find(self.state, word),), step=step)
        if step or low in FILLERS:
            return Token(word, step=step)
        stem = f"{low[:-3]}f" if low.endswith("ves") else low[:-1] if low.endswith("s") else ""
        if self.is_name(stem):
            return Token(word, (find(self.state, stem),))
        if many := self.members(f"@{stem}"):  # orcs are those whose names begin with orc, and wolves with wolf
            return Token(word, (f"@{stem}", *many))
        if many := self.members(f"@{word}"):
            return Token(word, tuple(sorted(many, key=lambda who: not self.state.stands(who))))
        if came := self._came_as(low) or of_stat_block(self.state, low):
            return Token(word, tuple(came))
        known = self.things("", low)
        least = 0.6 if low == self.unknown else _LIKE
        return Token(word, () if known else tuple(nearest(word, self.state.roster.order, least)))

    def _came_as(self, low: str) -> list[str]:
        """Those whose stat block is called so, or whose player is."""
        called: dict[str, list[str]] = {}
        for who, member in self.state.roster.members.items():
            block = msgspec.json.decode(member.sheet)
            for key in ("name", "seat"):
                called.setdefault(str(block.get(key, "")).casefold(), []).append(who)
        like = get_close_matches(low, called, 1, _BLOCK if low == self.unknown else 1)
        return [who for name in like for who in called[name]]

    def is_several(self, word: str) -> bool:
        """Whether a word names several."""
        return word[:1] == "@" or ("," in word and self.names_somebody(word))

    def is_throw(self, word: str) -> bool:
        """Whether a word names dice, as in `2d6+1`."""
        return bool(_THROW.fullmatch(word.casefold()))

    def is_lost(self, token: Token, known: Container[str] = ()) -> bool:
        """Whether a word is a name that nobody has, and that is like no name. `known` words have another meaning."""
        if token.people or token.number or token.square or token.step or token.unit or is_entry(token.word):
            return False
        low = token.word.casefold()
        meant = low in known or self.is_thing(low)
        return not _THROW.fullmatch(low) and (bool(_NAME.fullmatch(low)) or (low == self.unknown and not meant))

    def is_nobody(self, word: str) -> bool:
        """Whether a word can only be a name, as `grub-9`, and is that of nobody."""
        return bool(_NAME.fullmatch(word.casefold())) and not (self.is_name(word) or self.is_thing(word))

    def members(self, word: str) -> list[str]:
        """Those whom a word names that may stand for a group."""
        with suppress(NameUnknown):
            return [*find_all(self.state, (word,))]
        return []

    def skills(self, who: str) -> list[str]:
        """The skills in the stat block of somebody."""
        return [text for table, text in self.held(who) if table == "skills"]

    def names_somebody(self, word: str) -> bool:
        """Whether a word, or each of those with commas between them, names somebody, though it may be misspelt."""
        names = word.split(",")
        return bool(word) and all(one and bool(self.token(one).people) for one in names)

    def things(self, who: str, begun: str = "") -> list[str]:
        """What stands in the stat block of somebody, or in those of all, and lies about, of that beginning."""
        members = self.state.roster.members
        held = [text for name in members if who in ("", name) for _, text in self.held(name)]
        every = dict.fromkeys([*held, *(item.item for item in self.state.lying.items)])
        begun = begun.casefold().replace("-", " ")
        fit = (text for text in every if text.casefold().replace("-", " ").startswith(begun))
        return [text for text in fit if text not in members and text not in self.fields]

    def held(self, who: str) -> Iterator[tuple[str, str]]:
        """What stands in the stat block of somebody, each with its table, such as `spells`, or with what stands before
        it, as in `tome:firebolt`.
        """
        for table, value in msgspec.json.decode(self.state.roster.members[who].sheet).items():
            for text in _texts(value):
                yield table, text
                if ":" in text:
                    yield text.partition(":")[0], text.partition(":")[2]

    def owners(self, thing: str) -> dict[str, set[str]]:
        """Those in whose stat blocks a thing stands, each with the tables that hold it."""
        sought = thing.casefold().replace("-", " ")
        found: dict[str, set[str]] = {}
        for name in self.state.roster.members:
            for table, text in self.held(name):
                if text.casefold().replace("-", " ") == sought:
                    found.setdefault(name, set()).add(table)
        return found

    def is_thing(self, word: str) -> bool:
        """Whether a word is a thing of somebody, or a part of its name."""
        low = word.casefold()
        return any(low in (one.casefold(), *re.split(r"\W+", one.casefold())) for one in self.things(""))

    def names_some(self, word: str) -> bool:
        """Whether a word is a name, or the beginning of the names of some, also as `orcs`, in no way misspelt."""
        low = word.casefold()
        return self.is_name(word) or any(self.members(f"@{one}") for one in (low, low.removesuffix("s")) if one)

    def _joined(self, words: Sequence[str]) -> list[str]:
        """The words without the signs at their ends, with those who are named with `and` between them as one word that
        names several.
        """
        joined: list[str] = []
        words = [self._bare(word) for word in words if word not in ("-", "--")]
        for at, word in enumerate(words):
            before, after = "".join(joined[-1:]), "".join(words[at + 1 : at + 2])
            if before.endswith(",") and at and words[at - 1].casefold() in JOINS:
                joined[-1] = before + word
            elif word.casefold() in JOINS and self.names_somebody(before) and self.names_somebody(after):
                joined[-1] = f"{before},"
            else:
                joined.append(word)
        return joined

    def _bare(self, word: str) -> str:
        """A word without the signs at its end, where they are no part of it."""
        bare = word.rstrip(_ENDS)
        return bare if bare and (word[-1] in ",;" or self.names_somebody(bare)) else word

    def is_name(self, word: str) -> bool:
        """Whether a word names somebody as it is, also in the genitive."""
        word = word.rstrip(",")
        if word.casefold() in FILLERS:
            return False
        for one in (_GENITIVE.sub("", word), word[:-1] if word[-1:] == "s" else ""):
            with suppress(NameUnknown):
                return bool(one and find(self.state, one))
        return False


def _stepped(tokens: Sequence[Token]) -> list[Token]:
    """The words with a direction as often as the number beside it says: `2 east`, `3 squares east`."""
    steps = [token for token in tokens if token.step]
    far = [token for token in tokens if token.number.isdigit() and 0 < int(token.number) <= FARTHEST]
    if not far or len(steps) != 1:
        return [*tokens]
    return [*(token for token in tokens if token not in (*far[:1], *steps)), *steps * int(far[0].number)]


def _squeezed(*words: str) -> str:
    """Words as one, without what stands between them."""
    return re.sub(r"[\s-]", "", "".join(words).casefold())


def _texts(value: Any) -> Iterator[str]:
    """The texts in a stat block: its values, and the names of its tables."""
    match value:
        case str():
            yield value
        case dict():
            for name, one in value.items():
                yield name
                yield from _texts(one)
        case list():
            for one in value:
                yield from _texts(one)
