"""How typed words fit what a verb takes, in whatever order they stand."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commands.action import cards, systems, vocabulary
from commands.action.declaration import shapes
from commands.words.console import Console
from commands.words.parameters import is_option

from . import option_words
from .company import PEOPLE, UNLIKELY, Company
from .kinds import kind_of, own_words
from .option_words import written
from .places import Places, Try
from .record_words import RecordWords
from .rewordings import reworded
from .thrown import faces_of, hit_points, thrown
from .tokens import EVERYBODY, Reader, Token
from .verb_words import VerbWords

if TYPE_CHECKING:
    from projections.state import State

    from .option_words import Field

_TOWARD = frozenset({"to", "toward", "towards", "near", "next", "beside", "after", "behind"})
"""Words before the one to whom somebody goes."""
_SUM = re.compile(r"(?i)\d*d\d+([+-]\d+)*")
"""Dice of which the sum is meant."""
_FAR_OFF = ("distance", "range", "at")
"""Words before the number that says how far all are apart."""
_FEW = 3
"""For how many free words are offered."""
_AS_SAID = 3
"""How far a command is that only repeats the words."""
_ROLLED_AGAINST = frozenset({"dt", "difficulty", "score"})
"""Options with a number that is rolled against."""
_NEAR = frozenset(map(str, range(1, 11)))
"""Numbers that are as well a distance as a die."""
_AIMS = ("target", "against")
"""Options that name whom something is done to."""


class Fitting:
    """What the words of one command may mean, at one moment of one ledger."""

    def __init__(self, console: Console, state: "State") -> None:
        self.console, self.reader = console, Reader(state)
        self.verbs = VerbWords(state.campaign.system, self.reader)
        self.record = RecordWords(console.book, self.reader, self.verbs.names.named)
        self.deeds = systems.load(state.campaign.system).verbs

    def commands(self, name: str, verb: cards.Verb, words: Sequence[str], subject: bool = False) -> Iterator[Try]:
        """Commands of a verb that take these words, the likeliest first. Where somebody is named before the verb, they
        are its `subject`.
        """
        return _OfVerb(self, name, verb).commands(words, subject)

    def told(self, name: str, verb: cards.Verb, words: Sequence[str]) -> list[Try] | None:
        """The words as they were said, for a verb that takes free words and is not named by any of them. None for any
        other verb.
        """
        fields = shapes(systems.procedure(verb)[1])
        free = [one[0].name for one in fields if "text" in (one[1].word, one[0].name) and not is_option(*one)]
        if not free or free == ["why"] or name in map(str.casefold, words):
            return None
        if not any(field.name == "who" and field.required for field, _ in fields):
            return [Try((name, " ".join(words)), True, dropped=_AS_SAID)]
        first = self.reader.token(words[0]).people if words else ()
        acts = [one for word in words for one in self.reader.token(word).people if one in self.reader.acting]
        doers = [*first] if words and self.reader.is_name(words[0]) else acts[:1] or self.reader.acting
        rest = words if {*first}.isdisjoint(doers) else words[1:]
        rest = rest[1:] if rest[1:] and rest[0].casefold() == "will" else rest  # `wystan will cast sleep`
        return [Try((name, who, " ".join(rest)), True, dropped=_AS_SAID) for who in doers[:_FEW] if rest]

    def sum_of(self, verb: cards.Verb, words: Sequence[str]) -> str:
        """The dice that were said where a verb needs a number, and no number was said: `heal Aldric 1d6+1`."""
        counts = any(field.required and shape.base is int for field, shape in shapes(systems.procedure(verb)[1]))
        if not counts or any(map(str.isdigit, words)):
            return ""
        return next((word for word in words if _SUM.fullmatch(word)), "")


class _OfVerb:
    """How words fit one verb."""

    def __init__(self, fitting: Fitting, name: str, verb: cards.Verb) -> None:
        self._fitting, self.reader, self.name, self.verb = fitting, fitting.reader, name, verb
        self.fields = shapes(systems.procedure(verb)[1])
        self.arguments = [one for one in self.fields if not is_option(*one)]
        self.people = [one for one in self.fields if one[1].word in PEOPLE]
        self.own = {name for field, shape in self.fields for name in (field.name, shape.word)}
        """The names of its fields, and the words for what they take."""
        self._deed = name in fitting.deeds
        """Whether it is one of the rule system."""

    def commands(self, words: Sequence[str], subject: bool) -> Iterator[Try]:
        """Commands of the verb, with and without words that are called like its options as these."""
        first = "".join(words[:1])
        if "directions" in self.own and first[-1:].isdigit() and self.reader.is_name(first):
            words = [*self.reader.token(first).people, *words[1:]]  # `move s1 n` goes no step south
        words = reworded(self.own, self._fitting.record.put(self.fields, words))
        named = self.people and not any(kind_of(one) in ("number", "value") for one in self.arguments)
        if self.verb.by == "combatant" or named:
            words = self.reader.numbered(words)
        if self.verb.by == "combatant" and not any(map(self.reader.names_somebody, words)):
            words = [*self._owner(words), *words]
        by = next((at for at in range(1, len(words)) if words[at - 1] == "by" and self.reader.is_name(words[at])), 0)
        if self.verb.by == "combatant" and by:  # `cast Ward on sigrun by maelis`
            words, subject = [words[by], *words[: by - 1], *words[by + 1 :]], True
        for one in dict.fromkeys((tuple(option_words.bare(self.fields, words)), tuple(words))):
            yield from self._read(one, subject)

    def _owner(self, words: Sequence[str]) -> list[str]:
        """The only one who has the thing that is named, where nobody has it who may act: `reload crossbow`."""
        for word in self.reader.together(words):
            owners = [*filter(self.reader.state.stands, self.reader.owners(word))]
            if len(owners) == 1 and owners[0] not in self.reader.acting:
                return owners
        return []

    def _read(self, words: Sequence[str], subject: bool) -> Iterator[Try]:
        """Commands of the verb whose options are those with -- before them."""
        said = option_words.read(self.reader, self.fields, words, self.verb.by == "combatant")
        number = next((field.name for field, shape in self.arguments if field.required and shape.base is int), "")
        if number and "--dice" in said.shared and number not in said.options and not any(map(str.isdigit, said.left)):
            at = said.shared.index("--dice")  # `heal aldric --dice 4`
            shared = [*said.shared[:at], *said.shared[at + 2 :]]
            yield from self._in_fields(said._replace(left=[*said.left, said.shared[at + 1]], shared=shared), subject)
        goes = (
            not self.verb.hints.blow
            and "shot" not in self.verb.hints.ideas
            and "count" not in self.own
            and not self.own.isdisjoint({"square", *option_words.FAR})
        )
        left = hit_points(said.left)[1] if "count" in self.own else said.left
        squares = [
            word for word in left if self.reader.token(word).square and not (self.verb.hints.blow and ";" in word)
        ]
        goes = goes or ("square" in self.own and bool(squares))
        if goes:  # a number is sooner a place
            yield from self._in_fields(said, subject)
        thrown_ = [*self._thrown(said)]
        either = bool(thrown_) and thrown_[0][0] in _NEAR and "shot" in self.verb.hints.ideas  # `shoot jane ogre 6`
        plain = [] if goes else [*self._in_fields(said, subject)]
        near = [one for one in plain if either and "--distance" in one.words and not (one.example or said.options)]
        yield from (one._replace(guessed=True) for one in near)
        for nth, (faces, left) in enumerate(thrown_):
            shared = [word for word in said.shared if word not in ("--dice", faces)]
            for one in self._read([*left, *written(said.options), *shared, "--dice", faces], subject):
                yield one._replace(guessed=one.guessed or bool(near), unlikely=one.unlikely + nth + goes)
        yield from (one._replace(unlikely=one.unlikely + bool(thrown_)) for one in plain if one not in near)

    def _in_fields(self, said: option_words.Said, subject: bool) -> Iterator[Try]:
        """Commands of the verb with the words that name no option in its fields."""
        verb = self.verb
        left = [word for word in said.left if word.casefold() != self.name]  # `takes 4 damage`
        left = hit_points(left)[1] if "count" in self.own else left
        if "fight-begins" in verb.hints.ideas:
            seats = [word.rstrip(",") for word in left[1:]]
            seats = [word for word in seats if word.casefold() in self._fitting.record.seats]
            if seats and "seats" in self.own and (seats[1:] or " " in left[0]):  # `begin 'The ford' John Jane gm`
                said = said._replace(options={**said.options, "seats": [",".join(seats)]})
                left = [word for word in left if word.rstrip(",") not in seats]
            left = _title(left, not self.own.isdisjoint(option_words.FAR))
        choices = [choice for _, shape in self.fields for choice in shape.choices]
        known = {word for one in self.fields for word in own_words(self._fitting.console, one)}
        known |= {word for word in map(str.casefold, left) if vocabulary.choice(word, choices)}
        known |= {*self._fitting.deeds}
        if "field" in self.own:  # `area` is no misspelt Reaver
            known |= self._fitting.record.settings
        everybody = {*EVERYBODY} if verb.by == "referee" else set[str]()
        if not any(map(self.reader.names_somebody, left)):  # `leave all`
            everybody.add("all")
        left = ["@all" if word.casefold() in everybody else word for word in left]
        tokens = self.reader.tokens(left, not self.own.isdisjoint({"square", "directions"}), known)
        if verb.by == "combatant" and not subject:
            tokens = _in_order(tokens, "step" in verb.hints.ideas)
        if not self.people and verb.by == "referee" and verb.kind != "looks":  # it names nobody: `join thrall 3`
            tokens = _unnamed(tokens)
        if tokens and any(map(_is_free, self.arguments[:1])) and verb.by == "referee":  # `seat Boffin john`
            called = {token: any(map(self.reader.is_name, token.word.split(","))) for token in tokens}
            tokens.sort(key=lambda token: (called[token], bool(token.people)))
            tokens[:1] = _unnamed(tokens[:1])
        many = sum(not is_option(*one) for one in self.people)
        texts = any(shape.word == "text" and field.required for field, shape in self.fields)
        if many == 1 and "curse" not in verb.hints.ideas:  # `rename Grub-1 Big Grub`
            texts = texts or _is_free(self.arguments[-1])
        if texts and many < 2 - subject:
            end = [0, *(at for at, token in enumerate(tokens, 1) if token.people), len(tokens)][many]
            yield from self._placed(said, [*tokens[:end], *_unnamed(tokens[end:])], [], subject)
        lost = [token for token in tokens if self.reader.is_lost(token, known)]
        named = ("spell", "prayer", *(["name"] if "curse" in verb.hints.ideas else []))
        text = any(_is_free(one) or one[0].name in named for one in self.fields)
        if text and lost and any(token.people for token in tokens):  # `effect blessing Jane`
            yield from self._placed(said, tokens, [], subject)
        others = [token for token in tokens if token not in lost]  # somebody is guessed in their place
        yield from self._placed(said, others, lost, subject)

    def _placed(
        self, said: option_words.Said, tokens: Sequence[Token], lost: Sequence[Token], subject: bool
    ) -> Iterator[Try]:
        """Commands of the verb with these words in their places, `lost` those that name nobody."""
        verb = self.verb
        aims = [one for one in self.fields if one[0].name in _AIMS]
        aim = next((one[0].name for one in aims if is_option(*one)), "")
        company = Company(self.reader, verb, self._deed)
        square = any(token.square for token in tokens)  # `move brak to 2,2` says where to
        toward = not (square or _TOWARD.isdisjoint(map(str.casefold, said.left))) or "direction" in self.own
        goal = 0 if toward else 1 if aims else UNLIKELY
        places = Places(self._fitting.console, company, self.fields, self._deed, said.left)
        for people, guessed, filled, far in company.of(self.fields, tokens, said.options, goal, subject, len(lost)):
            rest = [token for token in tokens if not token.people]
            ways = [([*people], said.options)]
            if aim and people[1:]:
                ways.insert(0, (people[:-1], {**said.options, aim: people[-1:]}))
            for names, options in ways:
                for made in places.of([*names], [*rest], options):
                    dropped = made.dropped + said.dropped + (0 if filled else len(lost))
                    wordy = made.dropped == 0 and all(token.word.isalpha() for token in lost)
                    changes = (
                        people and verb.by == "referee" and verb.kind == "records" and not self._deed and not wordy
                    )
                    if dropped and (changes or (filled and verb.by != "turn")):
                        continue  # a word that is left out may be a name, or change what is meant
                    unsure = guessed or made.guessed or dropped > 0
                    words = (*self.name.split(), *made.words, *said.shared)
                    yield Try(words, unsure, made.example, dropped, filled, far, bool(lost))

    def _thrown(self, said: option_words.Said) -> Iterator[tuple[str, list[str]]]:
        """The faces among the words of a deed, where it takes no place as an argument, and the other words; or the
        words with those who threw the dice, where nobody else is named.
        """
        if "--dice" in said.shared:
            read = said.shared[said.shared.index("--dice") + 1]
            owners = [face.rpartition(":")[0] for face in read.split(",") if face.rpartition(":")[0]]
            if owners and self.verb.hints.blow and not any(map(self.reader.names_somebody, said.left)):
                yield read, [*dict.fromkeys(owners), *said.left]
            return
        rolls = any(field.name == "dice" for field, _ in self.arguments) and any(map(self.reader.is_throw, said.left))
        if "count" in self.own:
            faces, left = hit_points(said.left)
            if faces:
                told = "count" in said.options or re.search(r"\d", " ".join(left))
                yield ",".join(faces), left if told or not faces[1:] else [*left, f"x{len(faces)}"]
            return
        numbers = [at for at, word in enumerate(said.left) if word.rstrip(",").isdigit()]
        several = any(faces_of(word)[1:] for word in said.left)
        ints = {field.name: field.required for field, shape in self.fields if shape.base is int}
        counted = self.verb.by == "referee" and ints and (any(ints.values()) or not numbers[1:])
        deed = self._deed and (several or not counted)
        if not (rolls or deed) or any(kind_of(one) in ("square", "directions") for one in self.arguments):
            return
        counts = sum(shape.base is int and field.name not in said.options for field, shape in self.arguments)
        asked = _ROLLED_AGAINST & ints.keys() - said.options.keys()
        if asked and len(numbers) == 1 and not several:  # `check boffin climb 12`
            return
        ends = numbers == [len(said.left) - 2, len(said.left) - 1]
        if (
            ends and self.verb.hints.blow and "shot" not in self.verb.hints.ideas
        ):  # `attack guard-1 adalger 25 3`: no die shows 25
            yield ",".join(said.left[-2:]), said.left[:-2]
        yield from thrown(self.reader, said.left, counts, rolls)
        if numbers[1:] and asked:
            least = said.left[numbers[0]].rstrip(",")  # `check boffin climb 12 vs 9`
            rest = [word for at, word in enumerate(said.left) if at != numbers[0]]
            yield from ((faces, [*left, least]) for faces, left in thrown(self.reader, rest, counts, rolls))


def _in_order(tokens: Sequence[Token], goes: bool) -> list[Token]:
    """The words with the one who acts before the one it is done to: `shoot at vasko ildar`, `attack grub with
    boffin`. Somebody `goes` into melee with another.
    """
    first, second, *more = [*(token for token in tokens if token.people), Token(""), Token("")]
    led, by = "".join(first.before[-1:]), "".join(second.before[-1:])
    turned = by in ("by", "from") or (by == "with" and not goes) or led in ("at", "upon", "to", "toward", "towards")
    other = {first: second, second: first} if turned and len(more) == 2 else {}
    return [other.get(token, token) for token in tokens]


def _title(words: Sequence[str], far: bool) -> list[str]:
    """The name of a fight, without lists and, where it is not said how `far` all are apart, numbers, and the word
    before these: `begin Hall distance 80`; the first words where they are quoted.
    """
    number = next((at for at, word in enumerate(words) if at and word[0].isdigit()), len(words))
    if words and " " in words[0]:
        return [words[0], *(words[number:] if far else [])]
    lists = next((at - 1 for at, word in enumerate(words) if at > 1 and "," in word[:-1]), len(words))
    leads = number > 1 and words[number - 1].casefold() in _FAR_OFF
    return [*words[: min(lists, len(words) if far or number < 2 else number - leads)]]


def _unnamed(tokens: Sequence[Token]) -> list[Token]:
    """The words as what names nobody."""
    return [token._replace(people=()) for token in tokens]


def _is_free(one: "Field") -> bool:
    """Whether a field takes any word, and must be said."""
    field, shape = one
    return field.required and shape.base is str and not (shape.word or shape.choices)
