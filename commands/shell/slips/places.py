"""The words of a command that name nobody: each in an argument or an option that can take it."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from commands.action import rulebook, systems, vocabulary
from commands.action.declaration import PEOPLE as FIGHTERS
from commands.action.declaration import Shape, is_entry
from commands.action.resolution import REASON
from commands.shell.completion import words as completed
from commands.words.console import Console
from commands.words.parameters import is_option, spelled
from projections.changes import values

from .company import PEOPLE, Company
from .ground import STEPS, beside, beyond, toward, way
from .option_words import FAR
from .record_words import WHERE
from .tokens import Token, as_typed, is_unit, text_of

if TYPE_CHECKING:
    from msgspec.structs import FieldInfo

    from .option_words import Field
    from .tokens import Reader

_FEW = 4
"""How many are tried where something was left out or is misspelt."""
_NAME = "Another name"
"""Stands for a name that somebody left out, for them to replace."""
_FILES = "commands.files."
"""The room of the verbs that take the name of a file, which may be any word."""
_HOLDING = ("with_", "off_hand", "skill", "wound", "name", "as_", "item", "via", "control")
"""Options without a kind of their own that name a thing."""
_TIME = re.compile(r"rounds?$|turns?$|min|hour|day|week|watch")
"""Units of time."""
_LIFE = ("health", "life", "hitpoints", "hit-points", "hits", "hp", "damage")
"""What the first value of somebody is called elsewhere."""
_SIZES = ("2", "3", "4", "6", "8", "10", "12", "20", "100")
"""The sizes of dice."""
_GOALS = frozenset({"to", "target", "against", "who", "name", "engage", "by", "of", "speaker", "foes"})
"""Options for those to whom something is done. Others that name somebody must be said."""
_TARGETS = ("dt", "difficulty")
"""Options for what a roll must reach."""
_LENGTHS = {"ft": "feet", "foot": "feet", "sq": "squares", "yards": "distance", "yard": "distance"}
"""Units of length, as the options are called that take them."""
_PART = 0.82
"""How alike a word is to a part of a name."""
_NOTHING = 3
"""The most words that are left out because they mean nothing here."""

Choice = tuple[tuple[str, ...], bool]
"""What may stand in one place of a command, and whether nobody said it."""


class Made(NamedTuple):
    """The words of a verb's arguments and options."""

    words: list[str]
    guessed: bool
    """Whether they hold what nobody said."""
    example: bool = False
    """Whether they hold an option that nobody said, with a value that is only an example."""
    dropped: int = 0
    """How many of the words that were said they leave out."""


class Places:
    """Finds a place for each word of one verb."""

    def __init__(
        self, console: Console, reader: "Reader", company: Company, deed: bool, typed: Sequence[str] = ()
    ) -> None:
        self.console, self.reader, self.company, self._typed = console, reader, company, typed
        self.state, self.verb = reader.state, company.verb
        self._deed = deed
        """Whether the verb is one of the rule system."""

    def of(
        self, fields: Sequence["Field"], people: list[str], tokens: list["Token"], said: dict[str, list[str]]
    ) -> Iterator[Made]:
        """The words of the arguments and options: each field takes the first word that it can take."""
        who = next((name for name in people if name in self.state.roster.members), "")
        recorded = bool(people) or any(field.name == "why" for field, _ in fields)
        slots: list[list[Choice]] = []
        said = {name: [*values] for name, values in said.items()}
        if sides := [side for word in said.get("side", ()) if (side := self._side_of([word]))]:
            said["side"] = sides
        arguments = [(field, shape) for field, shape in fields if not is_option(field, shape)]
        for field, shape in fields:
            if is_option(field, shape) and shape.word == "encounter":  # `begin bridge` is a prepared one
                prepared = completed(self.console, shape.word, "")
                if token := next((one for one in tokens if one.word in prepared and field.name not in said), None):
                    said[field.name] = [token.word]
                    tokens.remove(token)
        for token in [*tokens[:1], *tokens[1:][-1:]]:  # `effect end Ulfarmi armour`
            flags = [field.name for field, shape in fields if _is_flag(field, shape, token.word)]
            if flags and flags[0] not in said:
                said[flags[0]] = []
                tokens.remove(token)
        for field, shape in fields if self.verb.module.startswith(_FILES) else ():  # `verify dice`, `init freepg Ford`
            one_of = [*map(str, (shape.inner or shape).choices), *(systems.every() if shape.word == "system" else ())]
            if shape.word == "format" and tokens[1:]:  # `export markdown cave.md`
                one_of += completed(self.console, shape.word, "")
            if is_option(field, shape) and (token := next((one for one in tokens if one.word in one_of), None)):
                said.setdefault(field.name, [token.word])
                tokens.remove(token)
        for nth, (field, shape) in enumerate(arguments):
            if field.name in said:  # an argument that was said as an option
                slots.append([(tuple(said.pop(field.name)), False)])
            elif shape.word in PEOPLE and (people or shape.word != "shown"):
                last = not any(shape.word in PEOPLE for _, shape in arguments[nth + 1 :])
                if people and last and shape.word in ("fighters", "groups", "blows"):
                    foes = self.verb.by == "combatant" and not self.verb.friendly and nth > 0
                    if foes and people[1:] and any(self.company.side(one) == self.company.side(who) for one in people):
                        return
                    slots.append([(tuple(people) if shape.word == "blows" else (",".join(people),), False)])
                    people.clear()
                elif people:
                    slots.append([((people.pop(0),), False)])
                elif field.required:
                    return
            else:
                later = [shape for _, shape in arguments[nth + 1 :]]
                side = self._side(shape, people)
                choices: list[Choice]
                if side:
                    choices = [((side,), False)]
                elif "NE" in shape.choices and (goal := self._goal(people, tokens)):  # `face suori 2,3`
                    choices = [((one,), False) for one in toward(self.state, who, goal)]
                elif field.name == "directions":
                    choices = self._way(tokens, who, people)
                else:
                    choices = self._taken(field, shape, tokens, who, later, fields)
                if not choices and field.required and not (shape.word == "sheet" and tokens):
                    choices = [((one,), True) for one in self._guesses(field, shape, who, slots, recorded)]
                if choices:
                    slots.append(choices)
                elif field.required:
                    return
                elif shape.choices and shape.positional and self._deed:  # `trigger Gerlind` leaves out what she does
                    slots.append([((), False), *(((str(one),), True) for one in shape.choices)])
        options = [(field, shape) for field, shape in fields if is_option(field, shape)]
        yield from self._spread(options, slots, people, tokens, said, who)

    # Arguments

    def _taken(
        self, field: "FieldInfo", shape: Shape, tokens: list["Token"], who: str, later: Sequence[Shape],
        fields: Sequence["Field"],
    ) -> list[Choice]:  # fmt: skip
        """What a field takes of the words that are left; nothing when it can take none."""
        if shape.word == "text":
            text = as_typed(text_of(tokens), self._typed)
            tokens.clear()
            return [((text,), False)] if text else [((REASON,), False)] if field.required else []
        if shape.word == "area" and (known := [one for one in tokens if one.word in self.state.areas.names]):
            for token in known:  # `from gate to yard`
                tokens.remove(token)
            return [((token.word,), False) for token in reversed(known)]
        if shape.many and (several := [token for token in tokens if self.value_of(field, shape, token, who)]):
            for token in several:
                tokens.remove(token)
            held = [self.value_of(field, shape, token, who)[0] for token in several]
            if several[1:]:
                return [(tuple(word for words, _ in held for word in words), any(guess for _, guess in held))]
            return self.value_of(field, shape, several[0], who)
        title = "fight-begins" in self.verb.ideas
        alone = not later and (title or not any(s.base is str and not s.choices and is_option(f, s) for f, s in fields))
        words = any(one.base is str and not one.choices for one in later)
        told = any(one.word == "text" for one in later)
        chosen = {str(one).casefold() for f, s in fields if is_option(f, s) for one in s.choices}
        to_area = shape.word != "area" and any(one.word == "area" for _, one in fields)
        for token in tokens:
            if (shape.positional and is_unit(token)) or (to_area and token.word in self.state.areas.names):
                continue  # `begin at 60 feet`, `check loft acrobatics ildar`
            if made := self.value_of(field, shape, token, who, words):
                if told and shape.choices and token is not tokens[0]:  # `shield up, so amended` is a reason, too
                    return made
                tokens.remove(token)
                more = [one for one in tokens if not (one.number or one.square or is_unit(one))]
                more = [one for one in more if one.word.casefold() not in chosen]  # `shield +2 defense`
                own = [one.word for one in (token, *more) if self.reader.things(who, one.word)]
                if more and field.name == "item" and own and not self.reader.things(who, text_of([token, *more])):
                    tokens.clear()  # throwing knives are knives
                    return [((own[-1],), True)]
                if more and alone and shape.base is str and not shape.choices:  # a name of several words
                    for one in more:
                        tokens.remove(one)
                    return [((text_of([token._replace(before=()), *more]),), False)]
                if shape.base is str and not shape.choices and more and not any(s.base is str for s in later):
                    whole = " ".join([token.word, *(one.word for one in more)])
                    if self.reader.things("", whole):  # a thing of two words
                        for one in more:
                            tokens.remove(one)
                        return [((whole,), False)]
                    for one in more:
                        if not self.reader.things("", token.word) and self.reader.things("", one.word):
                            tokens.remove(one)  # a long sword is a sword
                            return [((one.word,), True)]
                return made
        return []

    def value_of(self, field: "FieldInfo", shape: Shape, token: "Token", who: str, last: bool = False) -> list[Choice]:
        """What a field makes of a word: it as it is, or what is most like it; nothing where the word is of another
        kind. A word that is no choice stands for any of them, unless a later field takes it (`last`).
        """
        if shape.choices:
            names = [str(choice) for choice in shape.choices]
            sought = token.step.upper() if token.step and token.step.upper() in names else token.word.casefold()
            low = {name: name.casefold() for name in names}
            exact = [name for name in names if sought in (name, low[name])]
            exact = exact or [name for name in names if low[name].startswith(sought.casefold())]
            exact = exact or [name for name in names if len(name) > 2 and sought.startswith(low[name])]
            if exact or token.number or token.square:
                return [((name,), False) for name in exact]
            close = get_close_matches(sought, names, 1, 0.75 if last else 0.6)
            any_ = not (last or is_option(field, shape)) and self.verb.records
            return [((name,), not close) for name in close or (names if any_ else [])]
        if shape.word == "square":
            at = token.square or (beyond(self.state, who, [token.step]) if token.step else "")
            return [((at,), False)] if at else []
        if shape.base is int and token.number:
            bare = [((token.number.lstrip("+-"),), True)] if token.signed else []
            return [((token.number,), False), *bare]
        if field.name == "dice" and token.number:  # `roll 20`
            return [((f"1d{token.number}",), True)] if token.number in _SIZES else []
        if field.name == "dice" and (sum_of := re.fullmatch(r"(\d+[+-]\d+)", token.word)):  # `roll 20+3`
            return [((f"d{sum_of[1]}",), True)]
        if field.name == "dice" and not self.reader.is_throw(token.word):
            return []
        if field.name == "mod" and token.signed:
            return [((token.number.removeprefix("+"),), False)]
        if field.name == "area" and token.word in self.state.areas.names:
            return [((token.word,), False)]
        if field.name in _TARGETS and shape.base is str and not shape.choices:  # `check ysolde sneaking hard`
            ways = re.findall(r"[a-z]+", shape.description)
            difficulty = token.word if token.word in ways or token.number else vocabulary.choice(token.word, ways)
            return [((difficulty,), False)] if difficulty else []
        if field.name == "gives" and token.signed:  # `effect sigrun blessed +1`
            return [((f"all:{token.number}",), True)]
        if shape.base is int:
            return [(("1",), False)] if field.required and token.word.casefold() == "one" else []
        if shape.word == "new-sheet":
            return [((token.word.casefold().removesuffix(".toml") + ".toml",), False)]
        if shape.word in ("entry", "disputed", "shown"):
            entry = f"e{token.number}" if token.number.isdigit() else token.word
            return [((entry,), False)] if is_entry(entry) else []
        if field.name == "value" and token.square:
            return [((token.square,), False)]
        if token.square or (token.number and field.name != "value") or is_entry(token.word):
            return []
        if is_option(field, shape) and shape.base is str and not shape.word and field.name not in _HOLDING:
            return []
        if shape.base not in (str, tuple, dict) or shape.word in (*FIGHTERS, "places", "toml", "table"):
            return []
        if field.name == "field" and (meant := self._called(token.word.casefold(), who)):
            return [((meant,), False)]
        if shape.word == "sheet":
            token = token._replace(word=re.sub(r"\.\w*$", "", token.word))
        pool = [
            *completed(self.console, shape.word, ""),
            *(self.reader.things(who) if shape.word in ("", "item", "spell") and (who or self._deed) else ()),
        ]
        if field.name == "wound":  # those that are told on the board
            pool += re.findall(r"[\w-]+", values(self.state).get(f"{who}.wound", ""))
        known = any(one.casefold().startswith(token.word.casefold()) for one in pool)
        alone = shape.word == "sheet" and not token.word.endswith("s")  # wolves are some of wolf
        least = 0.75 if alone else 0.6 if self.verb.records else 0.8
        alike = [one for one in _alike(token.word, pool, least) if one != token.word]
        held = field.name == "with_" and self.reader.is_thing(token.word)
        free = held or (shape.word != "sheet" and (field.required or shape.positional or self._is_condition(field)))
        said = [token.word] if known or alike or free else []
        return [((one,), False) for one in (*said, *alike)]

    def _called(self, word: str, who: str) -> str:
        """The value that is called by another word."""
        now = {
            name.partition(".")[2]: value for name, value in values(self.state).items() if name.startswith(f"{who}.")
        }
        if word in _LIFE and word not in now:
            return next((name for name, value in now.items() if value.isdigit()), "")
        fields = rulebook.of(self.state.campaign.system).referee.fields
        if (short := [one for one in fields if f"{one[0]}p" == word]) and word not in now:  # `rp` are reaction points
            return short[-1]
        return "at" if word in WHERE and ("at" in now or "at" in fields) else ""

    def _is_condition(self, field: "FieldInfo") -> bool:
        """Whether a field names what somebody gets, or what is fought for, which may be any word."""
        return field.name == "control" or (field.name == "name" and "curse" in self.verb.ideas)

    def _guesses(
        self, field: "FieldInfo", shape: Shape, who: str, slots: Sequence[list[Choice]], recorded: bool
    ) -> list[str]:
        """What may stand in an argument that nobody said."""
        if shape.choices:
            said, ways = {*map(str.casefold, self._typed)}, systems.load(self.state.campaign.system).phrases.values()
            usual = [one for way in ways if not said.isdisjoint(way.split()) for one in way.split()]
            every = [str(choice) for choice in shape.choices]
            return sorted(every, key=lambda one: one not in usual)[: 2 * _FEW]  # `check hedwig notice` is by WIS
        if field.name == "dice":
            return ["1d20"] if who else []
        if shape.base is int:
            return ["30", "10", "5", "1"] if field.name == "feet" else ["1"]
        if field.name == "directions":
            return [step.upper() for step in STEPS]
        if shape.word == "square":
            return [beyond(self.state, who, [step]) for step in STEPS]
        rules = systems.load(self.state.campaign.system).options
        if field.name == "value" and slots and slots[-1] and slots[-1][0][0][0] in rules:
            rule = rules[slots[-1][0][0][0]]
            now = self.state.campaign.options.get(slots[-1][0][0][0], rule.default)
            return [str(choice).lower() for choice in rule.choices if choice != now] or ["1"]
        if field.name == "value" and slots and slots[-1]:
            name = f"{who}.{slots[-1][0][0][0]}"
            now, most = values(self.state).get(name, ""), values(self.state).get(f"{name}-max", "")
            if most.isdigit() and most != now:  # `rest boffin`
                return [most, now]
            return [str(max(int(now) - 1, 1)), now] if now.isdigit() else [now or "1"]
        if shape.word in ("entry", "disputed"):
            return completed(self.console, shape.word, "")[:1]
        if field.name == "field":
            own = (name.partition(".") for name, now in values(self.state).items() if now.isdigit())
            return [name for owner, _, name in own if owner == who][:2]
        if shape.word in ("option", "table-name"):
            return []
        if field.name == "name" and not self._deed:
            return [_NAME]
        if shape.word:
            here = self.state.areas.at.get(who, "") if shape.word == "area" else ""
            return [one for one in completed(self.console, shape.word, "") if one != here][: 6 * _FEW]
        if field.name == "skill" and (skills := self.reader.skills(who)):
            return skills[: 6 * _FEW]
        deeds = systems.load(self.state.campaign.system).verbs
        if field.name in ("action", "verb"):
            return [name for name, verb in deeds.items() if verb.by == "combatant"]
        held = self.state.gear.equipped.get(who, ())
        things = sorted(self.reader.things(who), key=lambda one: one not in held)  # `draw --shield`
        return things[: 6 * _FEW] if recorded and self.verb.by == "combatant" else []

    def _side(self, shape: Shape, people: list[str]) -> str:
        """The side of those who were named, where a side is what is chosen: they are named by it."""
        members = [one for name in people[:1] for one in self.reader.members(name)]
        side = self._side_of(people[:1])
        if side not in shape.choices or not side:
            return ""
        people[:] = [name for name in people if name in members and self.company.side(name) != side]
        return side

    def _side_of(self, names: Sequence[str]) -> str:
        """The side of the first of those whom a word names; "" for nobody."""
        members = [
            one for name in names for people in self.reader.token(name).people for one in self.reader.members(people)
        ]
        return self.company.side(members[0]) if members else ""

    # Options

    def _spread(
        self, options: Sequence["Field"], slots: list[list[Choice]], people: list[str], tokens: list["Token"],
        said: dict[str, list[str]], who: str,
    ) -> Iterator[Made]:  # fmt: skip
        """The commands that come of the arguments, with each word that is left in an option that can take it."""
        places: list[list[tuple[str, str]]] = []
        maps = any(shape.word == "square" for _, shape in options)
        dropped = sum(bool(token.square) for token in tokens if not maps)
        tokens = [token for token in tokens if maps or not (token.square or token.step)]
        to = next((shape.word for field, shape in options if field.name == "to"), "")
        walks = to == "square" and not {"to", "squares"} & {*said} and who in self.state.positions.at
        far = [int(token.number) for token in tokens if walks and token.number.isdigit()]
        steps = [token.step for token in tokens if token.step]
        if steps and who in self.state.positions.at:
            tokens = [token for token in tokens if not token.step]
            if far and not steps[1:]:  # `3 squares east`
                steps, far = steps * min(far[0], 20), []
            tokens.append(Token("", square=beyond(self.state, who, steps)))
        if people:
            low = [*map(str.casefold, self._typed)]
            goals = [field.name for field, shape in options if shape.word in PEOPLE and field.name not in said]
            names = [name for name in goals if name in _GOALS or name.split("_")[-1] in low]
            near = [("to", square) for one in people[:1] if walks for square in beside(self.state, who, one)[:_FEW]]
            places.append([*near, *((name, ",".join(people)) for name in names)])
        holds = any(field.name in _HOLDING for field, _ in options)
        own = [
            field.name
            for field, shape in options
            if shape.word == "text" or (shape.base is str and field.name in self.verb.alone)
        ]
        free = next((name for name in own if name not in said), "")
        kinds = {str(one).casefold() for _, shape in options for one in shape.choices}
        kinds -= {spelled(field.name) for field, _ in options}
        spoken: list[Token] = []
        for token, behind in zip(tokens, [*tokens[1:], Token("")], strict=False):
            if token.number and behind.unit and self.reader.is_thing(behind.word):
                continue  # `2 arrows`
            counts = token.unit and token.word.casefold() not in kinds and not self.reader.things("", token.word)
            if counts or (walks and token.number):
                continue
            flags = [
                (field.name, "")
                for field, shape in options
                if _is_flag(field, shape, token.word) and field.name not in said
            ]
            fit = flags or [
                (field.name, value[0])
                for field, shape in self._likely(options, tokens, token)
                if field.name not in said and shape.base is not bool and shape.word != "text"
                for value, guessed in self.value_of(field, shape, token, who)
                if value and (not shape.choices or not guessed)
            ]  # fmt: skip
            if token.square:  # nobody means to go by way of it
                fit = [one for one in fit if one[0] != "via"]
            if fit:
                places.append(fit)
            elif holds and self.reader.is_thing(token.word) and (not who or self.reader.things(who, token.word)):
                return  # it would be left out
            elif free and not token.number and self._is_said(token, free):  # what a roll is for
                spoken.append(token)
            elif not token.step and not (token.number and maps):
                dropped += 1
            named = (
                bool(fit)
                and any(self._is_condition(field) for field, _ in options)
                and fit[-1][0] in ("name", "control")
            )
            if named or (fit and token.number and not token.signed and not token.unit):
                fit.append(("", ""))
        if dropped > _NOTHING:
            return
        if spoken:
            places.append([(free, text_of(spoken))])
        plain = {field.name for field, shape in options if shape.base is str and not (shape.word or shape.choices)}
        for name, held in said.items():
            for value in held or [""]:
                things = self.reader.things(who) if name in plain else []
                alike = [one for one in _alike(value, things) if one != value]
                chosen = next((shape.choices for field, shape in options if field.name == name), ())
                if chosen and value not in map(str, chosen):
                    close = [one] if (one := vocabulary.choice(value, chosen)) else []
                    close = close or get_close_matches(value, [*map(str, chosen)], 2, 0.6)
                    places.insert(0, [*((name, one) for one in close), ("", "")])
                    continue
                unknown = name in ("with_", "instead") and value != "none" and not alike and value not in things
                places.insert(0, [(name, one) for one in (value, *alike)] + [("", "")] * unknown)
        many = {field.name for field, shape in options if shape.many}
        for more in product(*places):
            names_once = [name for name, _ in more if name and name not in many]
            if len({*names_once}) < len(names_once):
                continue
            for filled in product(*slots):
                made = [word for words, _ in filled for word in words]
                for name, value in more:
                    made += [f"--{spelled(name)}", *([value] if value else [])] if name else []
                out = dropped + sum(not name for name, _ in more)
                unsure = any(
                    one != place[0] and name not in said
                    for (name, _), one, place in zip(more, more, places, strict=True)
                )
                guessed = unsure or out > 0 or any(guess for _, guess in filled)
                yield Made(made, guessed, dropped=out)
                for name, value in self._how_far(options, {name for name, _ in more}, who, *far[:1]):
                    yield Made([*made, f"--{spelled(name)}", value], True, True, out)

    def _is_said(self, token: Token, option: str) -> bool:
        """Whether a word may be the text of an option, or what somebody is called: no field, and no goal."""
        named = option in self.verb.alone
        return token.word.casefold() not in self.reader.fields and not (named and token.before)

    def _likely(self, options: Sequence["Field"], tokens: Sequence["Token"], token: "Token") -> list["Field"]:
        """The options that may take a word. A number with its sign is a modifier; those come first that are called like
        the unit of a number: `1 wound` is --wounds 1.
        """
        time = next((one.word.casefold() for one in tokens if one.unit and _TIME.match(one.word.casefold())), "")
        if token.number and time:
            return [one for one in options if one[0].name.startswith(time[:3])]
        if self.verb.alone and token.number:
            return [one for name in self.verb.alone for one in options if one[0].name == name and one[1].base is int]
        if token.signed and (mod := [one for one in options if one[0].name in ("mod", "gives")]):
            return mod
        units = [_LENGTHS.get(low, low) for token in tokens if token.unit for low in [token.word.casefold()]]
        far = [one for one in options if one[0].name in FAR]
        if token.number and far and all(any(one[0].name.startswith(unit) for one in far) for unit in units):
            return far
        return sorted(
            options,
            key=lambda one: (
                not any(map(one[0].name.startswith, units)),
                one[0].name not in FAR if token.number else one[0].name != "with_",
            ),
        )

    def _how_far(self, options: Sequence["Field"], said: set[str], who: str, far: int = 1) -> Iterator[tuple[str, str]]:
        """Where somebody may go, where nothing says it: a square beside them or so many away, or some feet."""
        names = {field.name: shape for field, shape in options}
        placed = who in self.state.positions.at
        if "to" in names and names["to"].word == "square" and not said & {"to", "squares"} and placed:
            yield from (("to", beyond(self.state, who, [step] * far)) for step in STEPS)
        for name in ("feet", "distance"):
            if name in names and name not in said:
                yield from ((name, feet) for feet in ("30", "10", "5"))
        if self._deed and self.verb.by == "referee":
            named = {name: shape.choices for name, shape in names.items() if name not in said}
            yield from ((name, str(one)) for name, choices in named.items() if choices for one in choices[:_FEW])
        if self._deed:
            counts = [name for name, shape in names.items() if shape.base is int and name not in said]
            yield from ((name, "10" if name in _TARGETS else "1") for name in counts)

    def _goal(self, people: list[str], tokens: list["Token"]) -> str:
        """The next who was named, or the square that was said, where no direction was."""
        if any(token.step for token in tokens):
            return ""
        if people:
            return people.pop(0)
        token = next((token for token in tokens if token.square), None)
        if token:
            tokens.remove(token)
        return token.square if token else ""

    def _way(self, tokens: list["Token"], who: str, people: list[str]) -> list[Choice]:
        """The directions that were said, or those that lead to a square, or beside somebody."""
        if steps := [token for token in tokens if token.step]:
            for token in steps:
                tokens.remove(token)
            far = [token for token in tokens if token.number.isdigit() and 0 < int(token.number) < 10]
            if far and not steps[1:]:  # `2 east`
                tokens.remove(far[0])
                steps *= int(far[0].number)
            return [(tuple(token.step.upper() for token in steps), False)]
        to = next((token for token in tokens if token.square), None)
        squares = [to.square] if to else beside(self.state, who, people.pop(0)) if people else []
        if to:
            tokens.remove(to)
        ways = [tuple(way(self.state, who, square)) for square in squares[:_FEW]]
        return [(steps, len(ways) > 1) for steps in ways if steps]


def _is_flag(field: "FieldInfo", shape: Shape, word: str) -> bool:
    """Whether a word is an option without a value."""
    return shape.base is bool and word.casefold() in (spelled(field.name), *shape.also)


def _alike(word: str, pool: Sequence[str], least: float = 0.6) -> list[str]:
    """Those of which a part begins so, as bow of large bow; else those that are spelled alike, at `least` so much."""
    sought = re.sub(r"^x-?(?=\w)", "cross", word.casefold())
    parts = [one for one in pool if any(part.startswith(sought) for part in re.split(r"\W+", one.casefold()))]
    parts = parts or [one for one in pool if len(sought) > 3 and sought in one.casefold()]
    parts = parts or [  # a short-bow is a bow
        one for one in pool if any(len(part) > 2 and sought.endswith(part) for part in re.split(r"\W+", one.casefold()))
    ]
    whole = {one.casefold(): one for one in pool}
    part = {part: one for one in pool for part in re.split(r"\W+", one.casefold())}
    return (
        parts[:2]
        or [whole[one] for one in get_close_matches(sought, whole, 2, least)]
        or [part[one] for one in get_close_matches(sought, part, 1, _PART)]
        or [one for one in pool if one.casefold().endswith(tuple(vocabulary.arms_like(sought)))][:1]
    )
