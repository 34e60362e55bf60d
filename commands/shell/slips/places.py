"""The words of a command that name nobody: each in an argument or an option that can take it."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from commands.action.declaration import Shape
from commands.action.resolution import REASON
from commands.shell.completion import words as completed
from commands.words.console import Console
from commands.words.parameters import is_option, spelled
from projections.changes import values

from .company import PEOPLE, Company
from .ground import beside, beyond, toward, way
from .kinds import FEW, HOLDING, Choice, Kinds, kind_of, own_words
from .option_words import FAR
from .tokens import SIDES, Token, as_typed, is_unit, text_of

if TYPE_CHECKING:
    from .option_words import Field

_TIME = re.compile(r"rounds?$|turns?$|min|hour|day|week|watch")
"""Units of time."""
_GOALS = frozenset({"to", "target", "against", "who", "name", "engage", "by", "of", "speaker", "foes"})
"""Options for those to whom something is done. Others that name somebody must be said."""
_SIDED = frozenset({"to", "for", "on", "with"})
"""Words before the side that somebody joins."""
_NOTHING = 3
"""The most words that are left out because they mean nothing here."""
_THINGS = ("item", "weapon", "skill")
"""Arguments that name a thing of somebody."""
_LEFT_OUT = ("", "")
"""What stands for a word that has no place."""


class Try(NamedTuple):
    """A command that may have been meant, or the words of it that are no verb."""

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


class Places:
    """Finds a place for each word of one verb: what an option has of its own goes there, then each argument takes the
    first word that it can take, and each word that is left goes to the options that can.
    """

    def __init__(
        self, console: Console, company: Company, fields: Sequence["Field"], deed: bool, typed: Sequence[str]
    ) -> None:
        self.reader, self.company, self._typed = company.reader, company, typed
        self.state, self.verb = company.reader.state, company.verb
        self.kinds = Kinds(console, company.reader, company.verb, deed, typed)
        self._options = [one for one in fields if is_option(*one)]
        self._arguments = [one for one in fields if not is_option(*one)]
        self._own = {one[0].name: own_words(console, one) for one in self._options}
        """The words that only one option takes."""
        joins = any(shape.word == "sheet" for _, shape in self._arguments)
        self._sheets = completed(console, "sheet", "") if joins else []
        """The stat blocks that somebody can join with."""
        self._deed = deed
        """Whether the verb is one of the rule system."""

    def of(self, people: list[str], tokens: list["Token"], said: dict[str, list[str]]) -> Iterator[Try]:
        """The words of the arguments and options."""
        who = next((name for name in people if name in self.state.roster.members), "")
        said = {**said}
        self._claim(tokens, said)
        slots: list[list[Choice]] = []
        for nth, (field, shape) in enumerate(self._arguments):
            later = self._arguments[nth + 1 :]
            before = slots[-1][0][0][0] if slots and slots[-1][0][0] else ""
            if field.name in said:  # an argument that was said as an option
                choices: list[Choice] = [(tuple(said.pop(field.name)), False)]
            elif shape.word in PEOPLE and (people or shape.word != "shown"):
                choices = _named(shape, people, later)
            else:
                choices = self._taken((field, shape), tokens, people, who, later)
                if not choices and field.required and not (shape.word == "sheet" and tokens):
                    choices = [((one,), True) for one in self.kinds.guesses((field, shape), who, before)]
                elif not choices and shape.choices and self._deed:  # `trigger Gerlind` leaves out what she does
                    waits = [str(one.said) for one in self.state.pending.waiting if one.who == who]
                    then = {*re.findall(r"\w+", " ".join(waits).casefold())}  # `ready 'shoot the first'`
                    likely = [one for one in map(str, shape.choices) if one in then]
                    choices = [((), False), *(((one,), True) for one in likely or map(str, shape.choices))]
            if choices:
                slots.append(choices)
            elif field.required:
                return
        yield from self._spread(slots, people, tokens, said, who)

    def _claim(self, tokens: list["Token"], said: dict[str, list[str]]) -> None:
        """Gives the words that only one option takes to this option: the first and the last where a text is said."""
        chosen = {str(one).casefold() for _, shape in self._arguments for one in shape.choices}
        texts = any(shape.word == "text" for _, shape in self._arguments)
        for token in [*tokens[:1], *tokens[1:][-1:]] if texts else [*tokens]:
            low = token.word.casefold()
            for field, shape in [] if low in chosen else self._options:
                unit = is_unit(token) and shape.choices  # `2 squares` is no way to pay
                alone = shape.word == "format" and not tokens[1:]  # `export markdown`
                alone = alone or (shape.word == "encounter" and bool(tokens[1:]))  # `begin crypt gate`
                sides = self.state.roster.sides() if field.name == "side" and self._sheets else ()
                joins = low in sides and (not _SIDED.isdisjoint(token.before) or low not in self._sheets)
                if field.name not in said and (joins or low in self._own[field.name]) and not (unit or alone):
                    said[field.name] = [] if shape.base is bool else [low]
                    tokens.remove(token)
                    break

    def _side_of(self, name: str) -> str:
        """The side of the first of those whom a word names; "" for nobody."""
        members = [one for people in self.reader.token(name).people for one in self.reader.members(people)]
        return self.company.side(members[0]) if members else ""

    # Arguments

    def _taken(
        self, one: "Field", tokens: list["Token"], people: list[str], who: str, later: Sequence["Field"]
    ) -> list[Choice]:
        """What an argument takes of the words that are left; nothing when it can take none."""
        field, shape = one
        if shape.word == "text":
            text = as_typed(text_of(tokens), self._typed)
            tokens.clear()
            return [((text,), False)] if text else [((REASON,), False)] if field.required else []
        if people and (side := self._side_of(people[0])) in shape.choices:  # who is named stands for their side
            people.clear()
            return [((side,), False)]
        if field.name in ("direction", "directions") and (ways := self._ways(field.name, tokens, who, people)):
            return ways
        words = any(shape.base is str and not shape.choices for _, shape in later)
        names = any(other[1].base is str and not other[1].choices for other in self._options)
        held = {token: self.kinds.takes(one, token, who, words) for token in tokens if not is_unit(token)}
        fit = [token for token in tokens if held.get(token)]
        if not fit:
            return []
        if shape.many:
            _remove(tokens, fit)
            every = dict.fromkeys(word for token in fit for word in held[token][0][0])
            return [(tuple(every), any(held[token][0][1] for token in fit))]
        if shape.choices and fit[0] is not tokens[0] and any(shape.word == "text" for _, shape in later):
            if tokens[-1].word in shape.choices and tokens[-2].word != "so":  # `'the shield was down' upheld`
                tokens.pop()
            return held[fit[0]]  # `shield up, so amended` is a reason, too
        here = self.state.areas.at.get(who, "")
        if shape.word == "area" and fit[1:]:  # `move ysolde bank pier`, from one to the other
            _remove(tokens, left := [token for token in fit if held[token][0][0] == (here,)])
            fit = [token for token in fit if token not in left]
        own = [token for token in fit if field.name in _THINGS and self.reader.things(who, token.word)]
        taken = own[-1] if own else fit[0]  # throwing knives are knives
        tokens.remove(taken)
        more = [token for token in tokens if not token.number]
        whole = (
            kind_of(one) == "thing" and not (own or later) and ("fight-begins" in self.verb.hints.ideas or not names)
        )
        if more and whole:  # a name of several words
            _remove(tokens, more)
            return [((text_of([taken, *more]),), False)]
        return held[taken]

    def _ways(self, name: str, tokens: list["Token"], who: str, people: list[str]) -> list[Choice]:
        """The directions that were said, or those that lead to a square, or beside somebody: `face suori 2,3`."""
        steps = [token for token in tokens if token.step]
        to = [token for token in tokens if token.square][:1]
        _remove(tokens, steps or to)
        if steps or not (to or people):
            return [(tuple(token.step.upper() for token in steps), False)] if steps else []
        goal = to[0].square if to else people.pop(0)
        if name == "direction":
            return [((step,), False) for step in toward(self.state, who, goal)]
        squares = [goal] if to else beside(self.state, who, goal)[:FEW]
        return [(tuple(path), len(squares) > 1) for square in squares if (path := way(self.state, who, square))]

    # Options

    def _spread(
        self, slots: list[list[Choice]], people: list[str], tokens: list["Token"], said: dict[str, list[str]], who: str
    ) -> Iterator[Try]:
        """The commands that come of the arguments, with each word that is left in an option that can take it."""
        open_ = [(field, shape) for field, shape in self._options if field.name not in said]
        to = next((shape.word for field, shape in open_ if field.name == "to"), "")
        walks = to == "square" and "squares" not in said and who in self.state.positions.at
        far = next((int(token.number) for token in tokens if walks and token.number.isdigit()), 1)
        steps = [token for token in tokens if token.step]
        _remove(tokens, steps)
        if steps and walks:
            tokens.append(Token("", square=beyond(self.state, who, [token.step for token in steps])))
        own = {one[0].name: one for one in self._options}
        places = [self._said(own[name], word, who) for name, words in said.items() for word in words or [""]][::-1]
        if people:
            places.append(self._goals(open_, people, walks, who))
        alone = self.verb.hints.alone
        texts = [one[0].name for one in open_ if one[1].word == "text" or (one[1].base is str and one[0].name in alone)]
        spoken: list[Token] = []
        dropped = 0
        for token in tokens:
            counts = token.unit and not self.reader.things("", token.word)
            if counts or (walks and token.number):
                continue
            fit = [
                (one[0].name, value[0])
                for one in self._likely(open_, tokens, token, who)
                for value, guessed in self.kinds.takes(one, token, who)
                if not (guessed and one[1].choices) and one[0].name != "via"
            ]
            if fit:
                plain = token.number and not (token.signed or token.unit)
                gets = any(self.kinds.is_free(one) for one in open_ if one[0].name == fit[-1][0])
                places.append([*fit, *[_LEFT_OUT] * bool(plain or gets)])
            elif texts and not token.number and not (texts[0] in alone and (token.before or token.word in SIDES)):
                spoken.append(token)  # what a roll is for, or what somebody is called
            else:
                dropped += 1
        if dropped > _NOTHING:
            return
        if spoken:
            places.append([(texts[0], text_of(spoken))])
        many = {field.name for field, shape in self._options if shape.many}
        for more in product(*places):
            once = [name for name, _ in more if name and name not in many]
            if len({*once}) < len(once):
                continue
            out = dropped + more.count(_LEFT_OUT)
            guessed = out > 0 or any(
                one != place[0] and one[0] not in said for one, place in zip(more, places, strict=True)
            )
            for filled in product(*slots):
                named = [part for name, value in more if name for part in (f"--{spelled(name)}", value) if part]
                made = [*(word for words, _ in filled for word in words), *named]
                yield Try((*made,), guessed or any(guess for _, guess in filled), dropped=out)
                for name, value in self._examples([own[name] for name in own if name not in dict(more)], who, far):
                    yield Try((*made, f"--{spelled(name)}", value), True, True, out)

    def _said(self, one: "Field", value: str, who: str) -> list[tuple[str, str]]:
        """An option with what was said for it, or with what is most like that."""
        name, choices = one[0].name, [*map(str, one[1].choices)]
        value = (self._side_of(value) if name == "side" else "") or value
        takes = self.kinds.takes(one, Token(value), who) if value and (choices or name in HOLDING) else []
        wrong = bool(choices) and value not in choices
        ways = [(name, word) for word in dict.fromkeys((*([value] * (not wrong)), *(words[0] for words, _ in takes)))]
        return [*ways, _LEFT_OUT] if wrong or (name in ("with_", "instead") and value != "none") else ways

    def _goals(self, options: Sequence["Field"], people: Sequence[str], walks: bool, who: str) -> list[tuple[str, str]]:
        """The options for those who were named and are in no argument; one who walks may go beside them."""
        low = [*map(str.casefold, self._typed)]
        near = [("to", square) for square in beside(self.state, who, people[0])[:FEW] if walks]
        goals = [field.name for field, shape in options if shape.word in PEOPLE]
        return [*near, *((name, ",".join(people)) for name in goals if name in _GOALS or name.split("_")[-1] in low)]

    def _likely(
        self, options: Sequence["Field"], tokens: Sequence["Token"], token: "Token", who: str
    ) -> Sequence["Field"]:
        """The options that may take a word. A number with its sign is a modifier; those come first that are called like
        the unit of a number: `1 wound` is --wounds 1.
        """
        if token.signed and (mod := [one for one in options if one[0].name in ("mod", "gives")]):
            return mod
        units = [token.word.casefold() for token in tokens if token.unit]
        if token.number and any(map(_TIME.match, units)):
            return [one for one in options if any(map(one[0].name.startswith, units))]
        if self.verb.hints.alone and token.number:
            return [
                one for name in self.verb.hints.alone for one in options if one[0].name == name and one[1].base is int
            ]
        far = [one for one in options if one[0].name in FAR]
        lengths = [unit for unit in units if any(one[0].name.startswith(unit) for one in far)]
        if token.number and far and lengths == units:
            return far
        first = FAR if token.number else {"with_"}
        if "healing" in self.verb.hints.ideas and token.number:  # what there is to be healed
            first = {name for name in self._own if values(self.state).get(f"{who}.{name}", "0") != "0"}
        return sorted(options, key=lambda one: (not any(map(one[0].name.startswith, units)), one[0].name not in first))

    def _examples(self, options: Sequence["Field"], who: str, far: int) -> Iterator[tuple[str, str]]:
        """Options that nobody said, with what may stand in them: where somebody may go, some feet, how many."""
        for one in options:
            name, rules = one[0].name, self._deed and self.verb.by == "referee"
            may = {"square": name == "to", "number": self._deed or name in FAR, "choice": rules}
            if may.get(kind_of(one)):
                yield from ((name, value) for value in self.kinds.guesses(one, who, "", far)[:8])


def _named(shape: Shape, people: list[str], later: Sequence["Field"]) -> list[Choice]:
    """What an argument takes of those who are named: all who are left, or the next."""
    last = not any(shape.word in PEOPLE for _, shape in later)
    taken = people[: None if last and shape.word in ("fighters", "groups", "blows") else 1]
    del people[: len(taken)]
    words = tuple(taken) if shape.word == "blows" else (",".join(taken),)
    return [(words, False)] if taken else []


def _remove(tokens: list[Token], taken: Sequence[Token]) -> None:
    """Takes some words away."""
    for token in taken:
        tokens.remove(token)
