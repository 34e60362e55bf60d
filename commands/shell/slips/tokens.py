"""Words, each with all that it may stand for at one moment of one ledger: people, a square, a number, a direction."""

import re
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from commands.action.declaration import is_entry
from commands.action.mistakes import structs_in
from commands.action.names import acting, find, find_all, group, nearest, of_stat_block
from commands.action.view import sheet_decoder
from ledger.errors import AffrayError, NameUnknown

from .ground import DIRECTIONS

if TYPE_CHECKING:
    from projections.state import State

_FILLING = (
    "to at with using the a an on onto in into from for by of off against toward towards up my his her their its your"
    " is are plays then vs v versus near next takes take gets suffers loses does do > -> => all out away back again now"
    " please just also me i he she we will would wants try tries still nearest closest first"
    " new another more over both some his hers this that it him who about fight combat battle as"
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
_GROUPS = {
    "party": "heroes players pcs us",
    "foes": "enemies opponents monsters villains baddies them",
}
"""Words for the groups that @party and @foes name."""
_FALLEN = ("dead", "fallen", "corpses", "bodies")
"""Words for all who are down."""
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
    after: tuple[str, ...] = ()
    """Such words behind it, at the end."""

    @property
    def signed(self) -> bool:
        """Whether it is a number with its sign, as a modifier is."""
        return self.number[:1] in ("+", "-")


def is_unit(token: Token) -> bool:
    """Whether a word is a unit of the number before it."""
    return token.unit and bool(_UNITS.fullmatch(token.word.casefold()))


def text_of(tokens: Sequence[Token]) -> str:
    """The words as they were said, without those at the beginning that only lead to the others, as `from` does."""
    plain = [
        token
        for before, token in zip([None, *tokens], tokens, strict=False)
        if not is_unit(token) or (before and before.number)
    ]
    words = [word for token in plain for word in (*token.before, token.word, *token.after)]
    leads = next((at for at, word in enumerate(words) if word.casefold() not in FILLERS - _KEPT), 0)
    return " ".join(words[leads:])


def as_typed(text: str, typed: Sequence[str]) -> str:
    """The words as they were typed of which a text is made, with their signs and with the small words among them."""
    sought = text.casefold().split()
    for start in range(len(typed)):
        found, end = 0, start
        while found < len(sought) and end < len(typed):
            same = typed[end].casefold().rstrip(_ENDS) == sought[found].rstrip(_ENDS)
            if not same and (end == start or typed[end].casefold() not in FILLERS | {*JOINS}):
                break
            found, end = found + same, end + 1
        if sought and found == len(sought):
            while end < len(typed) and typed[end].casefold() in PARTICLES:  # `fell off 3`
                end += 1
            return " ".join(typed[start:end]).rstrip(" ,;:")
    return text


class Reader:
    """Reads words at one moment of one ledger."""

    def __init__(self, state: "State") -> None:
        self.state = state
        block = sheet_decoder(state.campaign.system).type
        self.fields = {
            name
            for one in (block, *structs_in(block))
            for field in msgspec.structs.fields(one)
            for name in (
                field.encode_name,
                *(inner for kind in structs_in(field.type) for inner in kind.__struct_encode_fields__),
            )
        }
        """The names of the fields of a stat block, which are no things."""
        self.unknown = ""
        """The word that was typed for a name and names nobody."""
        self.acting: list[str] = []
        """Those who may act now."""
        with suppress(AffrayError):
            self.acting = acting(state)

    def tokens(self, words: Sequence[str], maps: bool, known: Container[str] = ()) -> list[Token]:
        """What the words may stand for, without those that add nothing. Where there are `maps`, two numbers are a
        square. Words that are `known` to mean something else are no misspelt names.
        """
        found: list[Token] = []
        empty: list[str] = []
        every = self._joined(self._together(words))
        for word, behind in zip(every, [*every[1:], ""], strict=False):
            token = self.token(word)
            if word.casefold() in _SELF:
                token = Token(word, next((one.people for one in reversed(found) if one.people), ()))
            if _GENITIVE.search(word) and found and self.is_thing(behind):
                continue  # `draw suori freya's warhammer`
            if word.casefold() in known and token.people and not self.is_name(word):
                token = Token(word, step=token.step)
            if word.casefold() in JOINS or (word.casefold() == "one" and found and found[-1].people):
                continue  # `the cloaked one`
            if maps and token.number and found and found[-1].number:
                token = Token(word, square=f"{found.pop().number},{token.number}")
            if token.people or word.casefold() not in FILLERS:
                after = bool(found and found[-1].number) and not (token.people or token.square or token.number)
                found.append(token._replace(unit=after, before=tuple(empty)))
                empty.clear()
            else:
                empty.append(word)
        if empty and found:
            found[-1] = found[-1]._replace(after=tuple(empty))
        return found

    def _together(self, words: Sequence[str]) -> list[str]:
        """The words, with those as one that are together the name of a thing: `magic missile`."""
        things = {re.sub(r"[\s-]", "", one.casefold()): one for one in self.things("")}
        names = {one.casefold(): one for one in self.state.roster.order}
        made: list[str] = []
        rest = [*words]
        while rest:
            name = names.get("-".join(rest[:2]).casefold(), "") if rest[1:] else ""
            if name and not rest[1].isdigit():  # `old moss`
                made.append(name)
                del rest[:2]
                continue
            for many in (4, 3, 2, 1):
                said = re.sub(r"[\s-]", "", "".join(rest[:many]).casefold())
                whole = things.get(said, "") if many > 1 or things.get(said, "").casefold() != said else ""
                if whole and len(rest) >= many and not any(map(self.is_name, rest[:many])):
                    made.append(whole)
                    del rest[:many]
                    break
            else:
                made.append(rest.pop(0))
        return made

    def numbered(self, words: Sequence[str]) -> list[str]:
        """The words, with a name and the number behind it as one: `guard 2` is Guard-2, where there is one."""
        made: list[str] = []
        for word in words:
            begun = made[-1].casefold() if made and word.isdigit() and not self.is_name(made[-1]) else ""
            fit = [one for one in self.state.roster.order if begun and one.casefold().startswith(begun)]
            name = next((one for one in fit if one.endswith(f"-{word}")), "")
            if name:
                made.pop()
            made.append(name or word)
        return made

    def token(self, word: str) -> Token:
        """What a word may stand for."""
        word = _GENITIVE.sub("", word)
        low = word.casefold()
        if "@" in word[1:] or "=" in word:  # a thing of somebody, or a number
            return Token(word)
        if found := re.fullmatch(r"\(?(-?\d+)[,;/x](-?\d+)(?:[,;/x](-?\d+))?\)?", word):
            return Token(word, square=",".join(filter(None, found.groups())))
        if found := re.fullmatch(r"([+-]?)[x*]?(\d{1,9})(?:['x*]|[a-z]*)", low):
            return Token(word, number=found[1] + found[2])
        if low in _NUMBERS:
            return Token(word, number=str(_NUMBERS.index(low) + 2))
        if "." in word and self.is_name(word.partition(".")[0]):  # a value of theirs
            return Token(word)
        if low == "i" and len(self.acting) == 1:
            return Token(word, (*self.acting,))
        if low in EVERYBODY:
            return Token(word, ("@due" if self.acting else "@all",))
        if many := next((name for name, words in _GROUPS.items() if low in (name, *words.split())), ""):
            return Token(word, (f"@{many}",) if self._names_some(f"@{many}") else ())
        if low in _FALLEN and self.state.harm.down:
            return Token(word, (",".join(self.state.harm.down),))
        step = DIRECTIONS.get(low, "")
        if "," in word:
            several: list[str] = []
            for part in filter(None, word.split(",")):
                several += [name for name in self.token(part).people if name not in several][:1] or [""]
            return Token(word, (",".join(several),) if all(several) else ())
        if word.startswith("@"):
            sides = [] if self._names_some(word) else nearest(word[1:], self.state.roster.sides())
            return Token(word, tuple(f"@{side}" for side in sides) or (word,))
        with suppress(NameUnknown):
            if low not in FILLERS and low != "":
                return Token(word, (find(self.state, word),), step=step)
        if played := self._played(word):
            return Token(word, played)
        if step or low in FILLERS:
            return Token(word, step=step)
        for one in (low[:-1], f"{low[:-3]}f"):  # orcs are those whose names begin with orc, and wolves with wolf
            if low.endswith("s" if len(one) == len(low) - 1 else "ves") and self._names_some(f"@{one}"):
                return Token(word, (f"@{one}", *group(self.state, f"@{one}")[0]))
        with suppress(NameUnknown):
            return Token(word, tuple(group(self.state, f"@{word}")[0]))
        if low.endswith("s") and self.is_name(low[:-1]):
            return Token(word, (find(self.state, low[:-1]),))
        if blocks := self._of_block(word) or tuple(of_stat_block(self.state, low)):
            return Token(word, blocks)
        known = self.things("", low) or low in map(str.casefold, self.state.areas.names)
        least = 0.6 if low == self.unknown else _LIKE
        return Token(word, () if known else tuple(nearest(word, self.state.roster.order, least)))

    def _of_block(self, name: str) -> tuple[str, ...]:
        """Those who joined by the stat block of this name."""
        members = self.state.roster.members.items()
        blocks = {who: str(msgspec.json.decode(one.sheet).get("name", "")).casefold() for who, one in members}
        low = name.casefold()
        like = get_close_matches(low, {*blocks.values()}, 1, _BLOCK) if low == self.unknown else []
        return tuple(who for who, block in blocks.items() if block in (low, *like))

    def _played(self, player: str) -> tuple[str, ...]:
        """Whom a player plays, if that is one alone."""
        seat = self.state.seats.named(player)
        members = self.state.roster.members
        seats = {name: str(msgspec.json.decode(members[name].sheet).get("seat", "")) for name in members}
        named = [name for name, whose in seats.items() if whose and whose.casefold() == player.casefold()]
        plays = seat.plays if seat else named
        return tuple(plays) if len(plays) == 1 else ()

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
        meant = low in {*known, "down"} or self.is_thing(low) or _THROW.fullmatch(low)
        unknown = low == self.unknown and not meant
        return unknown or bool(_NAME.fullmatch(token.word) and not _THROW.fullmatch(low))

    def members(self, word: str) -> list[str]:
        """Those whom a word names that may stand for a group."""
        with suppress(NameUnknown):
            return [*find_all(self.state, (word,))]
        return []

    def skills(self, who: str) -> list[str]:
        """The skills in the stat block of somebody."""
        member = self.state.roster.members.get(who)
        skills = msgspec.json.decode(member.sheet).get("skills") if member else None
        return [*_texts(skills)] if isinstance(skills, dict | list) else []

    def names_somebody(self, word: str) -> bool:
        """Whether a word, or each of those with commas between them, names somebody, though it may be misspelt."""
        names = word.split(",")
        return bool(word) and all(one and bool(self.token(one).people) for one in names)

    def things(self, who: str, begun: str = "") -> list[str]:
        """What stands in the stat block of somebody, or in those of all, and lies about, of that beginning."""
        members = self.state.roster.members
        texts = [
            text for name in members if who in ("", name) for text in _texts(msgspec.json.decode(members[name].sheet))
        ]
        texts += [text.partition(":")[2] for text in texts if ":" in text]  # the spell of tome:firebolt
        texts += [item.item for item in self.state.lying.items]
        begun = begun.casefold().replace("-", " ")
        fit = (text for text in dict.fromkeys(texts) if text.casefold().replace("-", " ").startswith(begun))
        return [text for text in fit if text not in members and text not in self.fields]

    def owners(self, thing: str) -> dict[str, set[str]]:
        """Those in whose stat blocks a thing stands, each with the tables that hold it, such as `spells`, or with what
        stands before it, as in `tome:firebolt`.
        """
        sought = thing.casefold().replace("-", " ")
        found: dict[str, set[str]] = {}
        for name, member in self.state.roster.members.items():
            block = msgspec.json.decode(member.sheet)
            held = [(table, text) for table, one in block.items() for text in _texts(one)]
            held += [(text.partition(":")[0], text.partition(":")[2]) for _, text in held if ":" in text]
            for table, text in held:
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
        return self.is_name(word) or any(self._names_some(f"@{one}") for one in (low, low.removesuffix("s")) if one)

    def _joined(self, words: Sequence[str]) -> list[str]:
        """The words without the signs at their ends, with those who are named with `and` between them as one word that
        names several, and `1d20 + 5` as one word.
        """
        joined: list[str] = []
        words = [part for word in words if word not in ("-", "--") for part in self._parts(self._bare(word))]
        for at, word in enumerate(words):
            before, after = "".join(joined[-1:]), "".join(words[at + 1 : at + 2])
            if (
                (before.endswith(",") and at and words[at - 1].casefold() in JOINS)
                or (_THROW.fullmatch(before) and (word[0] in "+-" or before[-1] in "+-"))
                or (before.isdigit() and re.fullmatch(r"[dw]\d+.*", word))
            ):
                joined[-1] = before + word
            elif word.casefold() == "one" and _UNITS.fullmatch(after.casefold()):
                joined.append("1")
            elif word.casefold() in JOINS and self.names_somebody(before) and self.names_somebody(after):
                joined[-1] = f"{before},"
            else:
                joined.append(word)
        return joined

    def _parts(self, word: str) -> list[str]:
        """A word, or a number and a name that stand with a comma between them: `20,rolf`."""
        parts = word.split(",")
        mixed = (
            len(parts) == 2 and {part.isdigit() for part in parts} == {True, False} and any(map(self.is_name, parts))
        )
        return parts if mixed else [word]

    def _bare(self, word: str) -> str:
        """A word without the signs at its end, where they are no part of it."""
        bare = word.rstrip(_ENDS)
        return bare if bare and (word[-1] in ",;" or self.names_somebody(bare)) else word

    def is_name(self, word: str) -> bool:
        """Whether a word names somebody as it is, also in the genitive."""
        for one in (_GENITIVE.sub("", word), word[:-1] if word[-1:] == "s" else ""):
            with suppress(NameUnknown):
                return bool(one and find(self.state, one))
        return False

    def _names_some(self, word: str) -> bool:
        """Whether a word with @ names somebody."""
        with suppress(NameUnknown):
            return bool(group(self.state, word)[0])
        return False


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
