"""How typed words fit what a verb takes, in whatever order they stand."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from commands.action import systems, vocabulary
from commands.action.declaration import Shape, is_entry, shapes
from commands.shell.completion import words as completed
from commands.words.console import Console
from commands.words.parameters import is_option, spelled
from projections.changes import values as current

from . import option_words
from .company import PEOPLE, UNLIKELY, Company
from .option_words import written
from .places import Places
from .record_words import RecordWords
from .thrown import faces_of, hit_points, thrown
from .tokens import EVERYBODY, Reader, Token
from .verb_words import VerbWords

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from projections.state import State

    from .option_words import Field

_STEPS = re.compile(r"(?i)^(\d)([ns]?[ew]|[ns])$|^([ns]?[ew]|[ns])(\d)$")
"""A direction with the number of steps in one word."""
_SQUARE = re.compile(r"\(?-?\d+,-?\d+(,-?\d+)?\)?")
"""Two or three numbers as one word, which are a square where there are any."""
_TOWARD = frozenset({"to", "toward", "towards", "near", "next", "beside", "after", "behind"})
"""Words before the one to whom somebody goes."""
_VALUE = re.compile(r"(?i)^([a-z][a-z-]*)[=:]?([+-]?\d+)$")
"""The name of a value, and the value."""
_PAIRS = "NAME=N"
"""What the help of a field says that takes several of these."""
_PLACE = "position"
"""What stands for the field `at`, which is else a word that adds nothing."""
_SIDES = {"left": "w", "right": "e", "up": "n", "down": "s"}
"""Directions on a map."""
_LEADS = frozenset({"encounter", "fight", "combat", "battle", "scene", "named", "called", "name", "titled"})
"""Words before the name of a fight."""
_VALUES = frozenset({"hp", "health", "life", "hits", "ac", "av", "level", "lvl", "hd", "mana", "armour", "armor"})
"""What a stat block says in some rule system."""
_TIMES = re.compile(r"(?i)[x*]\d|\d[x*]|twice|thrice|once|\d*d\d+([+-]\d+)?")
"""How often, and dice by their sizes."""
_SUM = re.compile(r"(?i)\d*d\d+([+-]\d+)*")
"""Dice of which the sum is meant."""
_FEW = 3
"""For how many free words are offered."""
_AS_SAID = 3
"""How far a command is that only repeats the words."""
_WHOLE = frozenset({"all", "everything", "fully", "full", "completely", "whole", "max"})
"""Words for as much as there is."""
_HEALS = ("points", "magic")
"""Fields for the hit points that somebody gets back."""
_MAKES = frozenset({"add", "set", "new", "create"})
"""Words behind a verb of the referee that say nothing more."""
_REASONS = frozenset({"because", "since"})
"""Words before a reason."""
_AWAY = frozenset({"away", "back", "off"})
"""Words before `from`, and the one who is left behind."""
_AIMS = ("target", "against")
"""Options that name whom something is done to."""


class Try(NamedTuple):
    """A command that may have been meant."""

    words: tuple[str, ...]
    guessed: bool
    """Whether it holds what nobody said, or leaves out what somebody said."""
    example: bool = False
    """Whether it holds an option that nobody said, with a value that is only an example."""
    dropped: int = 0
    """How many of the words that were said it leaves out."""
    filled: bool = False
    """Whether it names somebody whom nobody named, and who is not the only one who may act."""
    unlikely: int = 0
    """How unlikely the order of the names is."""
    lost: bool = False
    """Whether it leaves out the name of somebody who is not there."""
    subject: bool = False
    """Whether somebody is named before the verb, who does it."""

    @property
    def far(self) -> int:
        """How far it is from what was said."""
        return self.dropped + 2 * self.example + self.unlikely


class Fitting:
    """What the words of one command may mean, at one moment of one ledger."""

    def __init__(self, console: Console, state: "State") -> None:
        self.console, self.reader = console, Reader(state)
        self.verbs = VerbWords(state.campaign.system, self.reader)
        self.record = RecordWords(console.book, self.reader, self.verbs.names.named)
        self._deeds = systems.load(state.campaign.system).verbs

    def commands(self, name: str, verb: systems.Verb, words: Sequence[str], subject: bool = False) -> Iterator[Try]:
        """Commands of a verb that take these words, the likeliest first. Where somebody is named before the verb, they
        are its `subject`.
        """
        fields = shapes(systems.procedure(verb)[1])
        words = self._sheets(fields, self.record.put(fields, words))
        if any(shape.word == "sheet" for _, shape in fields) and (rolled := self._rolled(words)):
            words, faces = rolled
            yield from self.commands(name, verb, [*words, "--dice", faces], subject)
        if any(shape.any_order and _PAIRS in shape.description for _, shape in fields):
            words = self._paired(words)
        elif verb.by == "referee":  # `seat freya=anna`
            words = [part for word in words for part in self._sides_of(word)]
        names = any(shape.word in PEOPLE for _, shape in fields)
        if verb.by == "combatant" or (names and not any(_is_count(*one) for one in fields)):
            words = self.reader.numbered(words)
        if verb.by == "combatant" and not verb.passive and (at := self._by_whom(words)):
            words, subject = [words[at], *words[: at - 1], *words[at + 1 :]], True
        if not any(shape.word == "text" for _, shape in fields):
            words = _without_reason(words)
        if any(shape.word == "blows" for _, shape in fields):
            words = _repeated(words)
        for one in [*dict.fromkeys((tuple(option_words.bare(fields, words)), tuple(words)))]:
            yield from self._fitting(name, verb, one, subject)

    def _by_whom(self, words: Sequence[str]) -> int:
        """Where the one stands by whom it is done, as in `cast Ward on sigrun by maelis`; 0 where nobody does."""
        pairs = enumerate(pairwise(words), 1)
        return next((at for at, (word, who) in pairs if word == "by" and self.reader.is_name(who)), 0)

    def _sides_of(self, word: str) -> list[str]:
        """A word, or the two of which one is a name, with = between them."""
        parts = word.split("=")
        return parts if len(parts) == 2 and all(parts) and any(map(self.reader.is_name, parts)) else [word]

    def _paired(self, words: Sequence[str]) -> list[str]:
        """The words, with a name and the number behind it as NAME=N."""
        made: list[str] = []
        for word in words:
            sides = self.reader.state.roster.sides()
            word = word.rstrip(",") or word
            pairs = word.isdigit() and made and (made[-1] in sides or self.reader.names_somebody(made[-1]))
            made[-1:] = [f"{made[-1]}={word}"] if pairs else [*made[-1:], word]
        return made

    def _rolled(self, words: Sequence[str]) -> tuple[list[str], str] | None:
        """The words without a value of a stat block, and the value, which may be what dice showed: `join orc hp 4`;
        None where there is no such value.
        """
        known = self.reader.fields | _VALUES
        for at, word in enumerate(words[:-1]):
            if word.removeprefix("--").casefold() in known and re.fullmatch(r"\d+([,/;.]\d+)*", words[at + 1]):
                return [*words[:at], *words[at + 2 :]], words[at + 1]
        return None

    def _sheets(self, fields: Sequence["Field"], words: Sequence[str]) -> list[str]:
        """The words, with those of a stat block as one: `join magic user`."""
        kind = next((shape.word for _, shape in fields if shape.word in ("sheet", "shipped")), "")
        pool = completed(self.console, kind, "") if kind else []
        made: list[str] = []
        for word in words:
            whole = f"{made[-1]}-{word}".casefold() if made else ""
            if whole in pool:
                made.pop()
            made.append(whole if whole in pool else word)
        return made

    def _fitting(self, name: str, verb: systems.Verb, words: Sequence[str], subject: bool) -> Iterator[Try]:
        """Commands of a verb whose options are those with -- before them."""
        fields = shapes(systems.procedure(verb)[1])
        if "taking" in verb.ideas:  # `equip ildar with a halberd`
            words = [word for word in words if word.casefold() != "with"]
        said = option_words.read(self.reader, fields, words, verb.by == "combatant")
        if "healing" in verb.ideas and (rest := [word for word in words if word.casefold() not in _WHOLE]) != [*words]:
            for whole in self._whole(fields, rest):
                yield from self._fitting(name, verb, [*rest, *whole], subject)
        thrown_ = [*self._thrown(name, verb, fields, said)]
        maps = any(shape.word == "square" for _, shape in fields)
        goes = not verb.blow and (maps or any(field.name in option_words.FAR for field, _ in fields))
        goes = goes and not any(field.name == "count" for field, _ in fields)
        goes = goes or (maps and bool(self.reader.state.positions.at) and any(map(_SQUARE.fullmatch, said.left)))
        if goes:  # a number is sooner a place
            yield from self._in_fields(name, verb, said, subject)
        for nth, (faces, left) in enumerate(thrown_):
            shared = [word for word in said.shared if word not in ("--dice", faces)]
            words = [*left, *written(said.options), *shared, "--dice", faces]
            for one in self._fitting(name, verb, words, subject):
                yield one._replace(unlikely=one.unlikely + nth + goes)
        if not goes:
            for one in self._in_fields(name, verb, said, subject):
                yield one._replace(unlikely=one.unlikely + bool(thrown_))

    def _in_fields(self, name: str, verb: systems.Verb, said: option_words.Said, subject: bool) -> Iterator[Try]:
        """Commands of a verb with the words that name no option in its fields."""
        fields = shapes(systems.procedure(verb)[1])
        own = {field.name for field, _ in fields}
        left = self._reworded(name, fields, said.left)
        if "fight-begins" in verb.ideas:
            left = _title(left, not own.isdisjoint(option_words.FAR))
        known = _own_words(fields) | {*self._deeds} | {*vocabulary.CONDITIONS}
        if "field" in own:  # `area` is no misspelt Reaver
            known |= {"dead", *self.record.settings}
        if not verb.looks and not any(map(self.reader.names_somebody, left)):
            left = ["@all" if word.casefold() == "all" else word for word in left]
        if verb.by == "referee":  # `leave everyone`
            left = ["@all" if word.casefold() in EVERYBODY else word for word in left]
        tokens = self.reader.tokens(left, any(_is_place(*one) for one in fields), known)
        if verb.by == "combatant" and not subject:
            tokens = _in_order(tokens)
        texts = [field.name for field, shape in fields if shape.word == "text" and field.required]
        people = [is_option(*one) for one in fields if one[1].word in PEOPLE]
        deed = name in self._deeds and "fight-begins" not in verb.ideas
        if not people and fields and not deed and verb.by == "referee" and not verb.looks:
            tokens = [token._replace(people=()) for token in tokens]  # it names nobody: `join thrall 3`
        arguments = [one for one in fields if not is_option(*one)]
        if "field" in own:  # `side goblins` names a side
            pairs = zip([Token(""), *tokens], tokens, strict=False)
            tokens = [one._replace(people=()) if before.word.casefold() == "side" else one for before, one in pairs]
        if tokens and arguments and _is_free(*arguments[0]) and verb.by == "referee":  # `seat john Boffin`
            nobody = (one for one in tokens if not (one.people or self.reader.is_name(one.word)))
            free = next(nobody, next((one for one in tokens if not self.reader.is_name(one.word)), tokens[0]))
            tokens = [
                free._replace(word=free.word.rstrip(":="), people=()),
                *(one for one in tokens if one is not free),
            ]
        if (
            people[:1] == [False]
            and people.count(False) == 1
            and not subject
            and (texts or (_is_free(*arguments[-1]) and "curse" not in verb.ideas))
        ):  # `rename Grub-1 Big Grub`
            at = next((at for at, token in enumerate(tokens) if token.people), len(tokens))
            named = [*tokens[: at + 1], *(token._replace(people=()) for token in tokens[at + 1 :])]
            yield from self._placed(name, verb, said, named, [], subject)
        if texts and all(people):  # `settle e12 upheld Jane was hit` names nobody to whom something is done
            yield from self._placed(name, verb, said, [token._replace(people=()) for token in tokens], [], subject)
        lost = [token for token in tokens if self.reader.is_lost(token, known)]
        curse = "curse" in verb.ideas
        text = any(_is_free(*one) or one[0].name == "spell" or (curse and one[0].name == "name") for one in fields)
        if text and lost and any(token.people for token in tokens):  # `effect blessing Jane`
            yield from self._placed(name, verb, said, tokens, [], subject)
        others = [token for token in tokens if token not in lost]  # somebody is guessed in their place
        yield from self._placed(name, verb, said, others, lost, subject)

    def _reworded(self, name: str, fields: Sequence["Field"], words: Sequence[str]) -> list[str]:
        """The words that name no option, as the fields of a verb would say them: feet in squares, left as west, `hp=20`
        as two.
        """
        own = {field.name for field, _ in fields}
        left = [word for word in words if word.casefold() != name]  # `takes 4 damage`
        verb = self.verbs.cards.known[name]
        makes = verb.by == "referee" and not verb.without_ledger
        if makes and left[1:] and left[0].casefold() in _MAKES:  # `seat add lisa`
            left = left[1:]
        if "field" in own:  # `hp=20`
            left = [
                part
                for word in left
                for part in ([word] if self.reader.is_name(word) or not _VALUE.match(word) else _VALUE.split(word)[1:3])
            ]
            left = [_PLACE if word.casefold() == "at" else word for word in left]
        if {"feet", "to", "squares", "directions"} & own:  # `15 away from adalger`
            left = _from_there(left)
        if {"to", "squares", "directions"} & own or any("NE" in shape.choices for _, shape in fields):
            left = [_SIDES.get(word.casefold(), word) for word in left]
        if "count" in own:  # hit points say not how many
            left = hit_points(left)[1]
        if own.isdisjoint(("count", "dice")):
            left = [word for word in left if not _TIMES.fullmatch(word)]
        if "feet" not in own and "squares" in own:  # a square is 5 feet
            left = _in_squares(left)
        if "minutes" in own:
            left = _in_minutes(left)
        if "directions" in own:  # `2e` is 2 e
            left = [part for word in left for part in filter(None, _STEPS.split(word))]
        plain = [
            field
            for field, shape in fields
            if shape.base is str and shape.word not in PEOPLE and not is_option(field, shape)
        ]
        choices = [one for field, shape in fields if not (plain and is_option(field, shape)) for one in shape.choices]
        if any(shape.word == "text" for _, shape in fields):  # only what stands before it
            end = next((at for at, word in enumerate(left) if not (is_entry(word) or self.reader.is_name(word))), 0)
            return [
                *left[:end],
                *(vocabulary.choice(word, choices) or word for word in left[end:][:1]),
                *left[end + 1 :],
            ]
        return [vocabulary.choice(word, choices) or word for word in left] if choices else left

    def _placed(
        self, name: str, verb: systems.Verb, said: option_words.Said, tokens: Sequence[Token], lost: Sequence[Token],
        subject: bool,
    ) -> Iterator[Try]:  # fmt: skip
        """Commands of a verb with these words in their places, `lost` those that name nobody."""
        fields = shapes(systems.procedure(verb)[1])
        aim = next((field.name for field, shape in fields if field.name in _AIMS and is_option(field, shape)), "")
        company = Company(self.reader, verb, name in self._deeds)
        square = any(token.square for token in tokens)  # `move brak to 2,2` says where to
        toward = not (square or _TOWARD.isdisjoint(map(str.casefold, said.left))) or any(
            "NE" in shape.choices for _, shape in fields
        )
        goal = 0 if toward else 1 if any(field.name in _AIMS for field, _ in fields) else UNLIKELY
        places = Places(self.console, self.reader, company, name in self._deeds, said.left)
        for people, guessed, filled, far in company.of(fields, tokens, said.options, goal, subject, len(lost)):
            rest = [token for token in tokens if not token.people]
            ways: list[tuple[list[str], dict[str, list[str]]]] = [([*people], said.options)]
            if aim and people[1:]:
                ways.insert(0, (people[:-1], {**said.options, aim: people[-1:]}))
            for names, options in ways:
                for made in places.of(fields, [*names], [*rest], options):
                    dropped = made.dropped + said.dropped + (0 if filled else len(lost))
                    wordy = made.dropped == 0 and all(token.word.isalpha() for token in lost)
                    if dropped and (
                        (filled and verb.by != "turn")
                        or (people and verb.by == "referee" and verb.records and name not in self._deeds and not wordy)
                    ):
                        continue  # a word that is left out may be a name, or change what is meant
                    unsure = guessed or made.guessed or dropped > 0
                    words = (*name.split(), *made.words, *said.shared)
                    yield Try(words, unsure, made.example, dropped, filled, far, bool(lost))

    def _whole(self, fields: Sequence["Field"], words: Sequence[str]) -> list[list[str]]:
        """The options of a verb with all that somebody has of what they are called like: `--pain 6`."""
        now = current(self.reader.state)
        hurt = [name for word in words for name in self.reader.token(word).people][-1:]
        have = {field.name: now.get(f"{who}.{field.name}", "") for who in hurt for field, _ in fields}
        for who in hurt:
            most, hp = now.get(f"{who}.hp-max", ""), now.get(f"{who}.hp", "")
            if most.isdigit() and hp.isdigit():
                have |= {field.name: str(int(most) - int(hp)) for field, _ in fields if field.name in _HEALS}
        return [[f"--{spelled(name)}", amount] for name, amount in have.items() if amount.isdigit() and amount != "0"]

    def told(self, name: str, verb: systems.Verb, words: Sequence[str]) -> list[Try] | None:
        """The words as they were said, for a verb that takes free words and is not named by any of them. None for any
        other verb.
        """
        fields = shapes(systems.procedure(verb)[1])
        free = [
            field.name for field, shape in fields
            if "text" in (shape.word, field.name) and not is_option(field, shape)
        ]  # fmt: skip
        if not free or free == ["why"] or name in map(str.casefold, words):
            return None
        if not any(field.name == "who" and field.required for field, _ in fields):
            return [Try((name, " ".join(words)), True, dropped=_AS_SAID)]
        said = self.reader.token(words[0]).people if words else ()
        sure = bool(words) and self.reader.is_name(words[0])
        able = [*said] if sure else self.reader.acting
        acts = [one for word in words for one in self.reader.token(word).people if one in self.reader.acting]
        doers = [one for one in said if one in able] or acts[:1] or able
        rest = words[1:] if {*said} & {*able} else words
        return [Try((name, who, " ".join(rest)), True, dropped=_AS_SAID) for who in doers[:_FEW] if rest]

    def sum_of(self, verb: systems.Verb, words: Sequence[str]) -> str:
        """The dice that were said where a verb needs a number, and no number was said: `heal Aldric 1d6+1`."""
        counts = any(field.required and shape.base is int for field, shape in shapes(systems.procedure(verb)[1]))
        if not counts or any(map(str.isdigit, words)):
            return ""
        return next((word for word in words if _SUM.fullmatch(word)), "")

    def _thrown(
        self, name: str, verb: systems.Verb, fields: Sequence["Field"], said: option_words.Said
    ) -> Iterator[tuple[str, list[str]]]:
        """The faces among the words of a deed, where it takes no place as an argument, and the other words; or the
        words with those who threw the dice, where nobody else is named.
        """
        if "--dice" in said.shared:
            read = said.shared[said.shared.index("--dice") + 1]
            owners = [owner for face in read.split(",") for owner in [face.rpartition(":")[0]] if owner]
            if owners and verb.blow and not any(map(self.reader.names_somebody, said.left)):
                yield read, [*dict.fromkeys(owners), *said.left]
            return
        arguments = [(field, shape) for field, shape in fields if not is_option(field, shape)]
        rolls = any(field.name == "dice" for field, _ in arguments) and any(map(self.reader.is_throw, said.left))
        if any(field.name == "count" for field, _ in fields):
            faces, left = hit_points(said.left)
            if faces:
                yield ",".join(faces), left
            return
        several = any(faces_of(word)[1:] for word in said.left)
        counted = verb.by == "referee" and any(shape.base is int for _, shape in fields)
        deed = name in self._deeds and (several or not counted)
        if (rolls or deed) and not any(_is_place(*one) for one in arguments):
            counts = sum(shape.base is int and field.name not in said.options for field, shape in arguments)
            yield from thrown(self.reader, said.left, counts, rolls)


def _in_order(tokens: Sequence[Token]) -> list[Token]:
    """The words with the one who acts before the one it is done to: `shoot at vasko ildar`, `attack grub with
    boffin`.
    """
    people = [token for token in tokens if token.people]
    if len(people) != 2:
        return [*tokens]
    first, second = people
    led, by = "".join(first.before[-1:]), "".join(second.before[-1:])
    if by not in ("with", "by", "from") and led not in ("at", "upon", "to", "toward", "towards"):
        return [*tokens]
    return [second if one is first else first if one is second else one for one in tokens]


def _title(words: Sequence[str], far: bool) -> list[str]:
    """The name of a fight, without what leads to it, and without lists behind it, and numbers that do not say how
    `far` away it is: `encounter Hall distance 80`.
    """
    begins = next((at for at, word in enumerate(words) if word.casefold() not in _LEADS), len(words))
    more = "," if far else r"[\d,]"
    ends = (at for at in range(begins + 1, len(words) - 1) if re.search(more, words[at + 1]))
    return [*words[begins : next(ends, len(words))]]


def _repeated(words: Sequence[str]) -> list[str]:
    """The words with a name as often as is said behind it: `attack aldric orc-2 x3`."""
    made: list[str] = []
    for word in words:
        times = re.fullmatch(r"(?i)[x*]([2-9])|([2-9])[x*]", word)
        many = int(times[1] or times[2]) if times else {"twice": 2, "thrice": 3}.get(word.casefold(), 0)
        made += made[-1:] * (many - 1) if many else [word]
    return made


def _in_squares(words: Sequence[str]) -> list[str]:
    """The words with the number of squares for a number of feet."""
    made: list[str] = []
    for word in words:
        feet = re.fullmatch(r"(?i)(\d+)(feet|foot|ft|')", word)
        alone = made and made[-1].isdigit() and word.casefold() in ("feet", "foot", "ft")
        if feet or alone:
            far = int(feet[1] if feet else made.pop())
            made += [str(max(far // 5, 1)), "squares"]
        else:
            made.append(word)
    return made


def _without_reason(words: Sequence[str]) -> list[str]:
    """The words up to the reason, for a verb that takes none: `unmask imke because the hood slips`."""
    return [*takewhile(lambda word: word.casefold() not in _REASONS, words)]


def _from_there(words: Sequence[str]) -> list[str]:
    """The words without the place that somebody only goes away from: `15 away from adalger`."""
    low = [*map(str.casefold, words)]
    at = next((at for at, word in enumerate(low[:-2]) if word in _AWAY and low[at + 1] == "from"), None)
    return [*words] if at is None else [*words[:at], *words[at + 3 :]]


def _in_minutes(words: Sequence[str]) -> list[str]:
    """The words with the number of minutes for a number of hours."""
    made: list[str] = []
    for word in words:
        if word.casefold() in ("hour", "hours", "h") and made and made[-1].isdigit():
            made += [str(int(made.pop()) * 60), "minutes"]
        else:
            made.append(word)
    return made


def _is_free(field: "FieldInfo", shape: Shape) -> bool:
    """Whether a field takes any word, and must be said."""
    return field.required and shape.base is str and not (shape.word or shape.choices)


def _is_count(field: "FieldInfo", shape: Shape) -> bool:
    """Whether a number may stand as an argument."""
    return not is_option(field, shape) and (shape.base is int or field.name == "value")


def _own_words(fields: Sequence["Field"]) -> set[str]:
    """The words that a verb has of its own: its choices and its options without a value."""
    choices = {str(one).casefold() for _, shape in fields for one in shape.choices}
    return choices | {
        name for field, shape in fields if shape.base is bool for name in (spelled(field.name), *shape.also)
    }


def _is_place(field: "FieldInfo", shape: Shape) -> bool:
    """Whether a field takes a square, or the way there."""
    return shape.word == "square" or field.name == "directions"
