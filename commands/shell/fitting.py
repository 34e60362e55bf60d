"""How typed words fit what a verb takes, in whatever order they stand. Loaded only when a command has failed."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice, product
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from commands.action import systems
from commands.action.declaration import Shape, is_entry, shapes
from commands.action.mistakes import structs_in
from commands.action.names import acting, find, group, nearest
from commands.action.view import sheet_decoder
from commands.words.console import Console
from commands.words.parameters import BEFORE_DICE, dice_apart
from ledger.errors import AffrayError, NameUnknown
from projections.changes import values

from .completion import words as completed

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from projections.state import State

    Field = tuple[FieldInfo, Shape]

_FILLING = (
    "to at with using the a an on in into from for by of against toward towards up my his her its is and then"
    " vs v versus near next takes gets suffers loses does > -> => all"
)
_FILLERS = frozenset(_FILLING.split())
"""Words that add nothing to the ones beside them."""
_PEOPLE = ("fighter", "fighters", "blows", "group", "groups")
_STEPS = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1)
}  # fmt: skip
"""The directions, each with how far east and how far north it leads."""
DIRECTIONS = {
    north + between + east: north[:1] + east[:1]
    for north in ("", "north", "south")
    for between in ("", "-")
    for east in ("", "east", "west")
    if (north and east) or (not between and north + east)
} | {step: step for step in _STEPS}  # fmt: skip
"""What directions are called, and their short names."""
_SHARED = ("dice", "spare", "allow", "dry-run", "secret", "once", "brief", "json")
"""The options that every recorded verb has; of these `_WITH_VALUE` take a word."""
_WITH_VALUE = ("allow", "once")
_FACES = re.compile(r"\d+(,\d+)*")
_DICE = re.compile(r"[\d,;./-]+")
_JOINS = ("and", "&", "+")
"""Words between the names of several."""
_MEANING = {
    "bonus": "mod",
    "malus": "mod",
    "penalty": "mod",
    "modifier": "mod",
    "d": "dice",
    "die": "dice",
    "roll": "dice",
    "using": "with",
}
"""Options that are called otherwise here."""
_AIMS = ("target", "against")
"""Options that name whom something is done to."""
_REASON = "the reason"
"""What stands for a reason that somebody left out, for them to replace."""
_FEW = 4
"""How many are tried where somebody or something was left out or is misspelt."""


class Try(NamedTuple):
    """A command that may have been meant."""

    words: tuple[str, ...]
    guessed: bool
    """Whether it holds what nobody said."""
    example: bool = False
    """Whether it holds an option that nobody said, with a value that is only an example."""


class _Token(NamedTuple):
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


Choice = tuple[tuple[str, ...], bool]
"""What may stand in one place of a command, and whether nobody said it."""


class Fitting:
    """What the words of one command may mean, at one moment of one ledger."""

    def __init__(self, console: Console, state: "State") -> None:
        self.console, self.state = console, state
        self._deeds = systems.load(state.campaign.system).verbs
        self._deed = False
        """Whether the verb whose words are fitted is one of the rule system."""
        self._verb = systems.Verb("", "", "")
        self._fields = {
            name
            for one in [
                sheet_decoder(state.campaign.system).type,
                *structs_in(sheet_decoder(state.campaign.system).type),
            ]
            for field in msgspec.structs.fields(one)
            for name in [
                field.encode_name,
                *(inner for kind in structs_in(field.type) for inner in kind.__struct_encode_fields__),
            ]
        }
        """The names of the fields of a stat block, which are no things."""
        self._acting: list[str] = []
        with suppress(AffrayError):
            self._acting = acting(state)

    def commands(self, name: str, verb: systems.Verb, words: Sequence[str]) -> Iterator[Try]:
        """Commands of a verb that take all these words, the likeliest first."""
        self._deed = name in self._deeds
        self._verb = verb
        fields = shapes(systems.procedure(verb)[1])
        if verb.by == "combatant":
            words = self._numbered(words)
        options = self._options(fields, words)
        if options is None:
            return
        said, shared, left = options
        if thrown := self._thrown(verb, fields, left, shared):
            yield from self.commands(name, verb, [*left[: -len(thrown)], *_said(said), "--dice", *thrown, *shared])
        tokens = self._tokens(left, any(_is_place(*one) for one in fields))
        aim = next((field.name for field, shape in fields if field.name in _AIMS and _is_option(field, shape)), "")
        for people, guessed in self._people(fields, tokens, said):
            rest = [token for token in tokens if not token.people]
            ways: list[tuple[list[str], dict[str, list[str]]]] = [([*people], said)]
            if aim and people[1:]:
                ways.insert(0, (people[:-1], {**said, aim: people[-1:]}))
            for names, options_said in ways:
                for made, more, example in self._placed(fields, [*names], [*rest], options_said):
                    yield Try((*name.split(), *made, *shared), guessed or more, example)

    def _thrown(
        self, verb: systems.Verb, fields: Sequence["Field"], left: Sequence[str], shared: Sequence[str]
    ) -> list[str]:
        """The faces at the end of a deed that takes no number there: `attack boffin grub 14`."""
        if not self._deed or verb.by != "combatant" or "--dice" in shared:
            return []
        if any(
            (shape.base is int or _is_place(field, shape)) and not _is_option(field, shape) for field, shape in fields
        ):
            return []
        end = next((at for at, word in enumerate(reversed(left)) if not _FACES.fullmatch(word)), len(left))
        return [*left[len(left) - end :]]

    # Options

    def _options(
        self, fields: Sequence["Field"], words: Sequence[str]
    ) -> tuple[dict[str, list[str]], list[str], list[str]] | None:
        """What the options say, by the field; the options of every verb; and the words that are left. None where an
        option is none of the verb's.
        """
        said: dict[str, list[str]] = {}
        shared: list[str] = []
        left: list[str] = []
        rest = [part for word in words for part in (word.split("=", 1) if re.match(r"--[\w-]+=", word) else [word])]
        rest = dice_apart(rest)
        for at, word in enumerate(rest):
            if word == BEFORE_DICE or (
                word.casefold() in ("-d", "dice") and _DICE.fullmatch("".join(rest[at + 1 : at + 2]))
            ):
                rest[at] = "--dice"
            elif word == "-w":
                rest[at] = "--with"
        while rest:
            word = rest.pop(0)
            with_ = word.casefold() in ("with", "using") and not _option("with", fields)[1:]
            if not with_ and (not word.startswith("--") or len(word) < 3):
                left.append(word)
                continue
            name = _option("with" if with_ else word[2:].casefold(), fields)
            if not name:
                return None
            if name[0] == "dice" and re.match(r"[^\W\d][^:]*:", "".join(rest[:1])):
                return None  # `sigrun:6,grum:13`: whose dice these are stays as it was said
            if name[0] == "dice":
                shared += _dice(rest)
            elif name[0] in _SHARED:
                shared += [f"--{name[0]}", *(rest.pop(0) for _ in rest[:1] if name[0] in _WITH_VALUE)]
            elif name[0] == "-":  # something in hand, where the verb uses what is in hand
                del rest[:1]
            else:
                shape = next(shape for field, shape in fields if field.name == name[0])
                if shape.base is bool:
                    said[name[0]] = []
                elif rest := [word for at, word in enumerate(rest) if at or word.casefold() not in _FILLERS]:
                    said.setdefault(name[0], []).append(rest.pop(0))
                    self._go_on(shape, said[name[0]], rest)
        return said, shared, left

    def _go_on(self, shape: Shape, said: list[str], rest: list[str]) -> None:
        """What belongs to the value of an option: the reason of a modifier, or more words of a thing's name."""
        more = rest and not rest[0].startswith("--")
        if more and shape.word == "words" and re.fullmatch(r"[+-]?\d+", said[-1]) and not self._token(rest[0]).people:
            said[-1] = f"{said[-1].removeprefix('+')}:{rest.pop(0)}"
        elif more and shape.word == "words" and said[-1].isalpha() and re.fullmatch(r"[+-]?\d+", rest[0]):
            said[-1] = f"{rest.pop(0).removeprefix('+')}:{said[-1]}"
        while rest and shape.base is str and not shape.word and self._things("", f"{said[-1]} {rest[0]}"):
            said[-1] += f" {rest.pop(0)}"

    # Words

    def _tokens(self, words: Sequence[str], maps: bool) -> list[_Token]:
        """What the words may stand for, without those that add nothing. Where there are `maps`, two numbers are a
        square.
        """
        found: list[_Token] = []
        words = self._joined(words)
        for word in words:
            token = self._token(word)
            if maps and token.number and found and found[-1].number:
                token = _Token(word, square=f"{found.pop().number},{token.number}")
            if token.people or word.casefold() not in _FILLERS:
                after = bool(found and found[-1].number) and not (token.people or token.square or token.number)
                found.append(token._replace(unit=after))
        return found

    def _numbered(self, words: Sequence[str]) -> list[str]:
        """The words, with a name and the number behind it as one: `guard 2` is Guard-2, where there is one."""
        made: list[str] = []
        for word in words:
            one = f"{made[-1]}-{word}".casefold() if made and word.isdigit() else ""
            name = next((name for name in self.state.roster.order if one and name.casefold() == one), "")
            if name:
                made.pop()
            made.append(name or word)
        return made

    def _joined(self, words: Sequence[str]) -> list[str]:
        """The words, with those who are named with `and` between them as one word that names several."""
        joined: list[str] = []
        for at, word in enumerate(words):
            before, after = "".join(joined[-1:]), "".join(words[at + 1 : at + 2])
            if joined[-1:] and before.endswith(",") and at and words[at - 1].casefold() in _JOINS:
                joined[-1] = before + word
            elif word.casefold() in _JOINS and self._names_somebody(before) and self._names_somebody(after):
                joined[-1] = f"{before},"
            else:
                joined.append(word)
        return joined

    def _names_somebody(self, word: str) -> bool:
        """Whether a word, or each of those with commas between them, names somebody."""
        names = word.split(",")
        return bool(word) and all(one and bool(self._token(one).people) for one in names)

    def _token(self, word: str) -> _Token:
        low = word.casefold()
        if found := re.fullmatch(r"\(?(-?\d+,-?\d+(?:,-?\d+)?)\)?", word):
            return _Token(word, square=found[1])
        if found := re.fullmatch(r"([+-]?\d+)([a-z]*)", low):
            return _Token(word, number=found[1])
        step = DIRECTIONS.get(low, "")
        if "," in word:
            several: list[str] = []
            for part in filter(None, word.split(",")):
                several += [name for name in self._token(part).people if name not in several][:1] or [""]
            return _Token(word, (",".join(several),) if all(several) else ())
        if word.startswith("@"):
            sides = [] if self._names_some(word) else nearest(word[1:], self.state.roster.sides())
            return _Token(word, tuple(f"@{side}" for side in sides) or (word,))
        with suppress(NameUnknown):
            if low not in _FILLERS and low != "":
                return _Token(word, (find(self.state, word),), step=step)
        if step or low in _FILLERS:
            return _Token(word, step=step)
        with suppress(NameUnknown):
            return _Token(word, tuple(group(self.state, f"@{word}")[0]))
        if low.endswith("s") and self._names_some(f"@{low[:-1]}"):  # orcs are those whose names begin with orc
            return _Token(word, (f"@{low[:-1]}", *group(self.state, f"@{low[:-1]}")[0]))
        return _Token(word, () if self._things("", low) else tuple(nearest(word, self.state.roster.order)))

    def _names_some(self, word: str) -> bool:
        """Whether a word with @ names somebody."""
        with suppress(NameUnknown):
            return bool(group(self.state, word)[0])
        return False

    def _things(self, who: str, begun: str = "") -> list[str]:
        """What stands in the stat block of somebody, or in those of all, and lies about, of that beginning."""
        members = self.state.roster.members
        texts = [
            text for name in members if who in ("", name) for text in _texts(msgspec.json.decode(members[name].sheet))
        ]
        texts += [item.item for item in self.state.lying.items]
        begun = begun.casefold()
        fit = (text for text in dict.fromkeys(texts) if text.casefold().startswith(begun))
        return [text for text in fit if text not in members and text not in self._fields]

    # Whom

    def _people(
        self, fields: Sequence["Field"], tokens: Sequence[_Token], said: dict[str, list[str]]
    ) -> Iterator[tuple[list[str], bool]]:
        """The names in their order: those who were named, and where one is lacking, who acts before them, or on whom
        behind them.
        """
        named = [token.people for token in tokens if token.people]
        unsure = any(names[1:] for names in named)
        places = [
            field.name
            for field, shape in fields
            if shape.word in _PEOPLE and not _is_option(field, shape) and field.name not in said
        ]
        several = any(shape.word in ("fighters", "groups") for field, shape in fields if field.name in places)
        required = sum(field.required for field, shape in fields if field.name in places)
        if not any(shape.word in _PEOPLE for _, shape in fields) or (self._verb.by == "turn" and not places and named):
            ends = self._verb.by == "referee" and named and not fields  # `end boffin` ends no fight
            if all({*names} & {*self._acting} for names in named) and not ends:
                yield [], False  # `done boffin` on Boffin's turn
            return
        for chosen in islice(product(*named), _FEW):
            if len(chosen) >= required and chosen:
                yield [*chosen], unsure
            if len(chosen) > len(places) > 1 and not several and all(self._fits(chosen[0], one) for one in chosen[1:]):
                yield [*chosen[: len(places)]], True  # one blow is for one of them
            if len(chosen) == len(places) > 1:
                yield from (([*chosen[:-1], other], True) for other in self._others(chosen[0]))
            if self._verb.by == "referee":
                if not chosen and not required:
                    yield [], False
                continue  # the referee says to whom something happens
            for many in dict.fromkeys((required, len(places))):
                if len(chosen) < many or (not chosen and not many):
                    yield from self._filled(chosen, many, unsure)

    def _filled(self, chosen: tuple[str, ...], many: int, unsure: bool) -> Iterator[tuple[list[str], bool]]:
        """Those who were named with others, so that they are so many."""
        if not many:
            yield [], False
            return
        doers = self._acting[:_FEW] or [who for who in self.state.roster.order if self.state.stands(who)][:_FEW]
        sure = len(doers) == 1
        before = [
            ([who, *chosen], unsure or not sure)
            for who in doers
            if many - len(chosen) == 1 and (not chosen or self._fits(who, chosen[0]))
        ]
        firsts = [*chosen] if chosen else doers
        behind = [
            ([one, *others], True) for one in firsts[:_FEW] for others in product(self._others(one), repeat=many - 1)
        ]
        own_first = (
            bool(chosen) and chosen[0] in self._acting and not self._verb.friendly and many > 1
            and (sure or self._side(chosen[0]) in systems.load(self.state.campaign.system).players)
        )  # fmt: skip
        yield from [*behind, *before] if own_first else [*before, *behind]

    def _others(self, who: str) -> list[str]:
        """Those on whom somebody may act: of another side, or of the same one where it is done for friends."""
        standing = [other for other in self.state.roster.order if self.state.stands(other)]
        return [other for other in standing if self._fits(who, other)][:_FEW]

    def _fits(self, who: str, other: str) -> bool:
        return (self._side(who) == self._side(other)) is self._verb.friendly

    def _side(self, who: str) -> str:
        """The side of somebody; "" where a word names no single one."""
        return self.state.roster.members[who].side if who in self.state.roster.members else ""

    # Places

    def _placed(
        self, fields: Sequence["Field"], people: list[str], tokens: list[_Token], said: dict[str, list[str]]
    ) -> Iterator[tuple[list[str], bool, bool]]:
        """The words of the arguments and options: each field takes the first word that it can take."""
        who = next((name for name in people if name in self.state.roster.members), "")
        recorded = bool(people) or any(field.name == "why" for field, _ in fields)
        slots: list[list[Choice]] = []
        said = {name: [*values] for name, values in said.items()}
        arguments = [(field, shape) for field, shape in fields if field.required or shape.positional]
        for nth, (field, shape) in enumerate(arguments):
            if field.name in said:  # an argument that was said as an option
                slots.append([(tuple(said.pop(field.name)), False)])
            elif shape.word in _PEOPLE:
                last = not any(shape.word in _PEOPLE for _, shape in arguments[nth + 1 :])
                if people and last and shape.word in ("fighters", "groups"):
                    foes = self._verb.by == "combatant" and not self._verb.friendly and nth > 0
                    if foes and people[1:] and any(self._side(one) == self._side(who) for one in people):
                        return
                    slots.append([((",".join(people),), False)])
                    people.clear()
                elif people:
                    slots.append([((people.pop(0),), False)])
                elif field.required:
                    return
            else:
                later = [shape for _, shape in arguments[nth + 1 :]]
                choices = self._taken(field, shape, tokens, who, later, fields)
                if not choices and field.required:
                    choices = [((one,), True) for one in self._guesses(field, shape, who, slots, recorded)]
                if choices:
                    slots.append(choices)
                elif field.required:
                    return
        if not arguments and not any(token.number for token in tokens):  # `end fight`
            tokens.clear()
        options = [(field, shape) for field, shape in fields if _is_option(field, shape)]
        yield from self._spread(options, slots, people, tokens, said, who)

    def _taken(
        self, field: "FieldInfo", shape: Shape, tokens: list[_Token], who: str, later: Sequence[Shape],
        fields: Sequence["Field"],
    ) -> list[Choice]:  # fmt: skip
        """What a field takes of the words that are left; nothing when it can take none."""
        if shape.word == "text":
            text = " ".join(token.word for token in tokens)
            tokens.clear()
            return [((text,), False)] if text else [((_REASON,), False)] if field.required else []
        if field.name == "directions":
            return self._way(tokens, who)
        alone = field.required and not later and not any(s.base is str and _is_option(f, s) for f, s in fields)
        words = any(one.base is str and not one.choices and one.word != "text" for one in later)
        for token in tokens:
            if made := self._value(field, shape, token, who, words):
                tokens.remove(token)
                more = [one for one in tokens if not (one.number or one.square)]
                if more and alone and shape.base is str and not shape.choices:  # a name of several words
                    for one in more:
                        tokens.remove(one)
                    return [((" ".join([token.word, *(one.word for one in more)]),), False)]
                if shape.base is str and not shape.choices and more and not any(s.base is str for s in later):
                    whole = " ".join([token.word, *(one.word for one in more)])
                    if self._things("", whole):  # a thing of two words
                        for one in more:
                            tokens.remove(one)
                        return [((whole,), False)]
                    for one in more:
                        if not self._things("", token.word) and self._things("", one.word):  # a long sword is a sword
                            tokens.remove(one)
                            return [((one.word,), True)]
                return made
        return []

    def _value(self, field: "FieldInfo", shape: Shape, token: _Token, who: str, last: bool = False) -> list[Choice]:
        """What a field makes of a word: it as it is, or what is most like it; nothing where the word is of another
        kind. A word that is no choice stands for any of them, unless a later field takes it (`last`).
        """
        if shape.choices:
            names = [str(choice) for choice in shape.choices]
            sought = token.step.upper() if token.step.upper() in names else token.word.casefold()
            exact = [name for name in names if name == sought] or [name for name in names if name.startswith(sought)]
            if exact or token.number or token.square:
                return [((name,), False) for name in exact]
            close = get_close_matches(sought, names, 1, 0.6)
            return [((name,), not close) for name in close or ([] if last or _is_option(field, shape) else names)]
        if shape.word == "square":
            at = token.square or (self._beyond(who, [token.step]) if token.step else "")
            return [((at,), False)] if at else []
        if shape.base is int:
            return [((token.number,), False)] if token.number else []
        if shape.word == "entry":
            entry = f"e{token.number}" if token.number.isdigit() else token.word
            return [((entry,), False)] if is_entry(entry) else []
        if token.square or (token.number and field.name != "value") or is_entry(token.word):
            return []
        if shape.base not in (str, tuple, dict) or shape.word in ("places", "toml", "table"):
            return []
        pool = [
            *completed(self.console, shape.word, ""),
            *(self._things(who) if shape.word in ("", "item", "spell") else ()),
        ]
        known = any(one.casefold().startswith(token.word.casefold()) for one in pool)
        alike = [one for one in _alike(token.word, pool) if one != token.word]
        said = [token.word] if known or alike or field.required or shape.positional else []
        return [((one,), False) for one in (*said, *alike)]

    def _guesses(
        self, field: "FieldInfo", shape: Shape, who: str, slots: Sequence[list[Choice]], recorded: bool
    ) -> list[str]:
        """What may stand in an argument that nobody said."""
        if shape.choices:
            return [str(choice) for choice in shape.choices][: 2 * _FEW]
        if shape.base is int:
            return ["30", "10", "5", "1"] if field.name == "feet" else ["1"]
        if shape.word == "square" or field.name == "directions":
            steps = list(_STEPS)
            return (
                [step.upper() for step in steps]
                if shape.word != "square"
                else [self._beyond(who, [step]) for step in steps]
            )
        if field.name == "value" and slots and slots[-1]:
            now = values(self.state).get(f"{who}.{slots[-1][0][0][0]}", "")
            return [str(max(int(now) - 1, 1)), now] if now.isdigit() else [now or "1"]
        if shape.word == "entry":
            return completed(self.console, "entry", "")[:1]
        if shape.word in ("option", "table-name"):
            return []
        if shape.word:
            return completed(self.console, shape.word, "")[: 6 * _FEW]
        if field.name in ("action", "verb"):
            return [name for name, verb in self._deeds.items() if verb.by == "combatant"]
        return self._things(who)[: 6 * _FEW] if recorded and self._verb.by == "combatant" else []

    # What is left

    def _spread(
        self, options: Sequence["Field"], slots: list[list[Choice]], people: list[str], tokens: list[_Token],
        said: dict[str, list[str]], who: str,
    ) -> Iterator[tuple[list[str], bool, bool]]:  # fmt: skip
        """The commands that come of the arguments, with each word that is left in an option that can take it."""
        places: list[list[tuple[str, str]]] = []
        maps = any(shape.word == "square" for _, shape in options)
        tokens = [token for token in tokens if maps or not (token.square or token.step)]
        steps = [token.step for token in tokens if token.step]
        if steps and who in self.state.positions.at:
            tokens = [token for token in tokens if not token.step]
            tokens.append(_Token("", square=self._beyond(who, steps)))
        if people:
            names = [field.name for field, shape in options if shape.word in _PEOPLE and field.name not in said]
            places.append([(name, ",".join(people)) for name in names])
        to = next((shape.word for field, shape in options if field.name == "to"), "")
        walks = to == "square" and not {"to", "squares"} & {*said} and who in self.state.positions.at
        far = [int(token.number) for token in tokens if walks and token.number.isdigit()]
        for token in tokens:
            if (token.unit and not self._things("", token.word)) or (walks and token.number):
                continue
            fit = [
                (field.name, value[0])
                for field, shape in self._by_unit(options, tokens)
                if field.name not in said and shape.base is not bool and shape.word != "text"
                for value, guessed in self._value(field, shape, token, who)
                if value and (not shape.choices or not guessed)
            ]  # fmt: skip
            if fit:
                places.append(fit)
            elif not token.step and not (token.number and maps):
                return
        plain = {field.name for field, shape in options if shape.base is str and not (shape.word or shape.choices)}
        for name, held in said.items():
            for value in held or [""]:
                alike = [one for one in _alike(value, self._things(who)) if one != value] if name in plain else []
                places.insert(0, [(name, one) for one in (value, *alike)])
        for more in product(*places):
            for filled in product(*slots):
                made = [word for words, _ in filled for word in words]
                for name, value in more:
                    made += [f"--{_spelled(name)}", *([value] if value else [])]
                unsure = any(
                    one != place[0] and name not in said
                    for (name, _), one, place in zip(more, more, places, strict=True)
                )
                yield made, unsure or any(guess for _, guess in filled), False
                for name, value in self._how_far(options, {name for name, _ in more}, who, *far[:1]):
                    yield [*made, f"--{_spelled(name)}", value], True, True

    def _by_unit(self, options: Sequence["Field"], tokens: Sequence[_Token]) -> list["Field"]:
        """The options, those first that are called like the unit of a number: `1 wound` is --wounds 1."""
        units = [token.word.casefold() for token in tokens if token.unit]
        return sorted(options, key=lambda one: (not any(map(one[0].name.startswith, units)), one[0].name != "with_"))

    def _how_far(self, options: Sequence["Field"], said: set[str], who: str, far: int = 1) -> Iterator[tuple[str, str]]:
        """Where somebody may go, where nothing says it: a square beside them or so many away, or some feet."""
        names = {field.name: shape for field, shape in options}
        if (
            "to" in names
            and names["to"].word == "square"
            and not said & {"to", "squares"}
            and who in self.state.positions.at
        ):
            yield from (("to", self._beyond(who, [step] * far)) for step in _STEPS)
        for name in ("feet", "distance"):
            if name in names and name not in said:
                yield from ((name, feet) for feet in ("30", "10", "5"))
        if self._deed:
            yield from ((name, "1") for name, shape in names.items() if shape.base is int and name not in said)

    def _way(self, tokens: list[_Token], who: str) -> list[Choice]:
        """The directions that were said, or those that lead to a square."""
        if steps := [token for token in tokens if token.step]:
            for token in steps:
                tokens.remove(token)
            far = [token for token in tokens if token.number.isdigit() and 0 < int(token.number) < 10]
            if far and not steps[1:]:  # `2 east`
                tokens.remove(far[0])
                steps *= int(far[0].number)
            return [(tuple(token.step.upper() for token in steps), False)]
        to = next((token for token in tokens if token.square), None)
        here = self.state.positions.at.get(who)
        if to is None or here is None:
            return []
        tokens.remove(to)
        x, y = (int(part) for part in to.square.split(",")[:2])
        way = _path(x - here[0], y - here[1])
        return [(tuple(way), False)] if way else []

    def _beyond(self, who: str, steps: Sequence[str]) -> str:
        """The square to which steps lead somebody; "" for one who has no place."""
        if who not in self.state.positions.at:
            return ""
        x, y, height = self.state.positions.at[who]
        x, y = x + sum(_STEPS[one][0] for one in steps), y + sum(_STEPS[one][1] for one in steps)
        return f"{x},{y},{height}" if height else f"{x},{y}"


def _said(options: dict[str, list[str]]) -> list[str]:
    """The words of options and their values."""
    return [word for name, values in options.items() for word in (f"--{_spelled(name)}", *values)]


def _is_option(field: "FieldInfo", shape: Shape) -> bool:
    return not (field.required or shape.positional)


def _is_place(field: "FieldInfo", shape: Shape) -> bool:
    """Whether a field takes a square, or the way there."""
    return shape.word == "square" or field.name == "directions"


def _option(word: str, fields: Sequence["Field"]) -> list[str]:
    """The option that a word means, as the only one in a list: of that name or beginning, or one whose help has the
    word; ["-"] for a weapon where no option names one, none where no option is meant.
    """
    own = {_spelled(field.name): (field.name, shape) for field, shape in fields}
    every = [*own, *_SHARED]
    word = _MEANING.get(word, word) if word not in every else word
    found = [one for one in every if one == word] or [one for one in every if one.startswith(word)]
    if not found:
        found = [one for one, (_, shape) in own.items() if word in re.findall(r"\w+", shape.description.casefold())]
    found = found or get_close_matches(word, every, 1, 0.75)
    if word in ("with", "weapon", "item"):
        found = ["with"] if "with" in own else found or ["-"]
    return [own[found[0]][0] if found[0] in own else found[0]] if found else []


def _alike(word: str, pool: Sequence[str]) -> list[str]:
    """Those of which a part begins so, as bow of large bow; else those that are spelled alike."""
    sought = word.casefold()
    parts = [one for one in pool if any(part.startswith(sought) for part in re.split(r"\W+", one.casefold()))]
    spelled = {one.casefold(): one for one in pool}
    return parts[:2] or [spelled[one] for one in get_close_matches(sought, spelled, 2, 0.6)]


def _dice(rest: list[str]) -> list[str]:
    """The dice behind --dice, taken from the words that are left, with commas between them. What names dice, as d20,
    leaves them to the program.
    """
    thrown: list[str] = []
    while rest and _DICE.fullmatch(rest[0]):
        thrown.append(rest.pop(0))
    faces = [face for face in re.split(r"[^\d-]+", " ".join(thrown)) if face]
    if not faces and rest:
        del rest[:1]
    return ["--dice", ",".join(faces)] if faces else []


def _spelled(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


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


def _path(east: int, north: int) -> list[str]:
    """The directions of the shortest way, diagonal steps first; none for a way that nobody goes."""
    steps: list[str] = []
    while (east or north) and len(steps) < 20:
        x, y = (east > 0) - (east < 0), (north > 0) - (north < 0)
        steps.append(next(name for name, step in _STEPS.items() if step == (x, y)).upper())
        east, north = east - x, north - y
    return [] if east or north else steps
