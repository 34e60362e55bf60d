"""The verbs that some words may mean, each with the other words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from commands.action import systems, vocabulary
from commands.action.declaration import shapes
from commands.shell.tools import TOOLS
from commands.words.parameters import is_option, spelled
from ledger.errors import UsageError
from projections.changes import values as current

from .ground import DIRECTIONS
from .handing import handed
from .lifting import lifted
from .option_words import EACH
from .tokens import DROPS, FILLERS, asks

if TYPE_CHECKING:
    from .tokens import Reader, Token

_MOST = 3
"""The most verbs that are tried for a word that is spelled like them."""
_ENDINGS = ("", "s", "es", "ing", "ed", "d")
"""Endings of a verb, as in `attacks`."""
_BEFORE = "!/.-"
"""Signs with which other programs begin a command, as in `!attack` and `/roll`."""
_GAINED = ("give", "heal", "regain", "gain", "get", "restore")
"""Words for a number by which a value rises."""
_HARMED = ("hp", "pain", "wounds", "stress")
"""Values that harm changes."""
_SHORT = 2
"""The most letters of a beginning that is a verb before it is a name."""
_PARTICLES = frozenset({"back", "over", "out", "off", "away", "up", "again", "now"})
"""Words that say no verb beside other words."""
_TOWARD = frozenset({"to", "toward", "towards"})
"""Words before the one to whom somebody goes."""
_CONDITIONS = frozenset({"if", "when", "until", "once", "unless"})
"""Words for what somebody waits."""
_BECOMES = {
    "dead": (
        "dies", "died", "dead", "killed", "die", "drop dead", "drops dead", "fall dead", "falls dead", "is killed",
        "is slain", "is dead", "bleeds out", "kill", "kills", "slain", "slay",
    ),
    "no": (
        "revive", "revives", "wakes", "wake", "raise", "resurrect", "resurrects", "awake", "wakes up", "comes to",
        "wake up",
    ),
}  # fmt: skip
"""What becomes of somebody, in words that are no verb, by the word for it in `adjust NAME down`."""


_USE = re.compile(r"use (\w+(?: [\w-]+(?::[\w-]+)*)*)")
"""What a rule system says to use."""
_TIME = frozenset({"round", "rounds", "turn", "turns"})
"""Units of time that are called like a verb."""
_ARMS = ("blow", "shot", "taking")
_DONE_WITH = {
    "spell": ("magic",),
    "cantrip": ("magic",),
    "tome": ("magic",),
    "prayer": ("prayer",),
    "skill": ("trial",),
    "weapon": _ARMS,
    "item": _ARMS,
    "carried": _ARMS,
    "hand": _ARMS,
}
"""The tables of a stat block by a part of their names, each with the ideas of what is done with the things in it."""
_IS_NOW = ("is at", "is now at", "is down to", "is up to")
"""Words before the number that a value has now."""
_BLOWS = frozenset({"blow", "shot"})
"""The ideas of what harms a foe."""
_SWITCHED = {"on": "true", "off": "false"}
_BECOMING = frozenset({"is", "are", "becomes", "falls", "gets", "goes", "was"})
"""Words between a name and a condition."""
_ENDS_USE = frozenset({"and", "or", "then", "for", "to", "with", "in", "by", "of", "the", "a"})
"""Words of a sentence that stand behind what it says to use."""


_NIGHT = frozenset({"long", "full", "night"})
"""Words for a rest of a day."""
_BY_NAME, _BY_WORD, _PERHAPS = range(3)
"""How sure it is that words mean a verb."""


class Reading(NamedTuple):
    """A verb with the other words."""

    verb: str
    rest: list[str]
    guessed: bool = False
    """Whether no word says the verb for sure."""
    unsure: bool = False
    """Whether the words say another verb as well."""
    subject: bool = False
    """Whether somebody is named before the verb."""
    named: bool = False
    """Whether the verb is said by its name."""


def _words_for(verb: systems.Verb, rank: int) -> list[str]:
    """The other words for a verb that are so sure."""
    if rank == _BY_WORD:
        return [*verb.also, *vocabulary.means(verb.ideas)]
    return [*verb.perhaps, *vocabulary.may_mean(verb.ideas)]


def _more(words: Sequence[str]) -> list[str]:
    """The words of a command as it is shown that are typed as they are: its options, their values, and what stands
    behind a NAME; none of those that stand for something.
    """
    end = next((at for at, word in enumerate(words) if word in _ENDS_USE), len(words))
    shown = words[:end]
    if not any(word.isupper() or word.startswith("--") for word in shown):
        return []
    pairs = zip(shown, [*shown[1:], ""], strict=True)
    return [word for word, behind in pairs if not word.isupper() and not (word.startswith("--") and behind.isupper())]


def _is_unit(words: Sequence[str], at: int) -> bool:
    """Whether a word says how long, as in `3 rounds`, how often, as in `1 per round`, or what is added, as in `+2
    attack`.
    """
    before = words[at - 1].casefold() if at else ""
    return bool(re.fullmatch(r"[+-]\d+", before)) or (
        words[at].casefold() in _TIME and (before.isdigit() or before in EACH)
    )


def _phrase(words: Sequence[str], at: int, length: int) -> str:
    """Some words as they are compared."""
    return " ".join(words[at : at + length]).casefold().rstrip("!?.,:;").replace("'s", "").replace("'", "")


class VerbWords:
    """Finds the verbs that words may mean, in one rule system."""

    def __init__(self, system: str, reader: "Reader") -> None:
        self.system, self.reader = system, reader
        self.recorded: dict[str, systems.Verb] = {**systems.COMMON, **systems.load(system).verbs}
        self.known: Mapping[str, systems.Verb] = {**self.recorded, **TOOLS}
        self._values = current(reader.state)
        """What is known of everybody, such as Boffin.hp."""
        self._elsewhere = systems.load(system).elsewhere
        self._words: dict[str, dict[str, int]] = {}
        """The verbs by their other words, each with how sure that is."""
        for rank in (_BY_WORD, _PERHAPS):
            for name, verb in self.known.items():
                for word in _words_for(verb, rank):
                    self._words.setdefault(word, {}).setdefault(name, rank)

    def readings(self, words: Sequence[str]) -> Iterator[Reading]:
        """The verbs that words say: only the one whose name comes first, where that means nothing else."""
        name = systems.verb_of([*words, ""], self.known)
        rest = [*words[len(name.split()) :]]
        if self.is_tool(words) or (name in TOOLS and rest):
            yield Reading(name, rest, named=True)
            other = systems.verb_of([*rest, ""], TOOLS)
            if other in TOOLS:  # `show log`
                yield Reading(other, [*rest[len(other.split()) :]], True, named=True)
        if not self.is_tool(words):
            yield from self.said(words)

    def said(self, words: Sequence[str]) -> Iterator[Reading]:
        """The verbs that words say, the likeliest first: by their name, by another word for it, by a word that may mean
        it; else by a beginning, or misspelt.
        """
        words = [word.lstrip(_BEFORE) if not nth and word.strip(_BEFORE) else word for nth, word in enumerate(words)]
        many = 3 if words and words[0] in self.known and not self.counts(words[0]) else 2
        words = [*self.reader.numbered(words[:many]), *words[many:]]
        words = self._turn_of(self._phase_of(words))
        plain = [at for at, word in enumerate(words) if word.strip() and not word.startswith("--") and word != "-"]
        plain = [at for at in plain if not _is_unit(words, at)]
        found: list[tuple[int, int, int, str, list[str]]] = []
        counted, timed = any(map(str.isdigit, words)), not _TIME.isdisjoint(map(str.casefold, words))
        behind = 0
        for at in plain:
            for length in (3, 2, 1) if at >= behind else ():
                phrase = _phrase(words, at, length)
                adds = length < len(words) and phrase in _PARTICLES
                names = self.named(phrase) if at + length <= len(words) and not adds else {}
                sayings = self._sayings(phrase, words) if at + length <= len(words) and not adds else []
                here = [(rank, at, length, name, more) for rank, (name, *more) in sayings]
                named = [(rank, at, length, name, list[str]()) for name, rank in names.items()]
                found += [*named, *here] if counted and not timed else [*here, *named]
                if names or sayings:
                    behind = at + length
                    break
        if rest := handed(self.reader, words):
            yield Reading("adjust", rest, unsure=True)
        yield from self._lifted(words)
        yield from self._set(words)
        if all(name == "roll" for rank, *_, name, _ in found if rank == _BY_NAME):
            yield from self._blows(words)
        other = [one for one in found if not (one[4] and vocabulary.condition(one[4][-1]))]
        if any(one[0] == _BY_NAME or (one[0] == _BY_WORD and one[1] < found[-1][1]) for one in other):
            found = other  # `attack the stunned orc` stuns nobody
        found.sort(key=lambda one: (one[0] > _BY_NAME, one[1], one[0]))
        if found and found[0][:2] == (_BY_NAME, plain[0]):  # the first word is a verb: words behind it hardly are
            found = [one for one in found if one[0] < _PERHAPS or one[1] == plain[0]]
        tool = words[plain[0]] if plain and words[plain[0]] in TOOLS else ""
        if tool and self._has_option(TOOLS[tool], words):  # `init again --system arkm` rolls no initiative
            found = [one for one in found if one[3] == tool]
        if plain and found and self._only_looks(words[plain[0]]):
            found = [one for one in found if one[1] == plain[0]] or found
        fields = [word for word in map(str.casefold, words) if word in self._fields]
        if counted and fields and not (found and found[0][0] == _BY_NAME and self._has(found[0][3], fields)):
            found.sort(
                key=lambda one: (one[0] == _PERHAPS, one[0] < _PERHAPS and not self._sets(one[3]))
            )  # `set suori stress 0`
        if found and asks(words):  # a question is no deed
            found = [one for one in found if one[3] not in self.recorded] or found
        waits = self._meaning("waiting")
        if waits and found and not _CONDITIONS.isdisjoint(map(str.casefold, words)):
            named = [one for one in found if one[3] in waits or one[3] not in self.recorded]
            found = named or [(_PERHAPS, found[0][1], 0, name, ()) for name in waits]
        if found and found[0][0] != _BY_NAME:
            for word in words[1:]:  # `start melee`
                yield from (Reading(name, [word]) for name in self._choosing(word.casefold(), False))
        blows = [at for _, at, _, name, _ in found if not _BLOWS.isdisjoint(self.known[name].ideas)]
        if any(one[3] == "damage" for one in found):
            blows = []
        if blows and (harm := self._harm(words[: blows[0]], words[blows[0] + 1 :])):
            yield Reading("damage", harm, True)
            words = ["-" if word == harm[1] else word for word in words]
        for rank, at, length, name, more in found:
            if rank == _PERHAPS and (self._gains(name, words) or self._counts_else(name, words)):
                continue
            if name == "damage" and "0" in words:  # `reaver pain 0`
                continue
            if rank > _BY_NAME and name in TOOLS and TOOLS[name].past == "jumps" and self._of_somebody(words[:at]):
                continue  # `ildar goes back` takes nothing back
            if name in TOOLS and _phrase(words, at, length) != name and self._of_somebody(words[:at]):
                continue  # `hedwig helps brun` asks for no help
            guessed = rank == _PERHAPS or ((rank, at) != found[0][:2] and not (more and found[0][0] == _PERHAPS))
            unsure = guessed and ((rank, at) != found[0][:2] or sum(one[1] == at for one in found) > 1)
            phrase, before, behind_it = _phrase(words, at, length), words[:at], words[at + length :]
            if length > 1 and phrase.endswith(" at") and phrase not in self._phrases:  # `fire at` says upon whom
                behind_it = ["at", *behind_it]
            if found[0][0] == _BY_NAME and found[0][1] < at:  # the other verb is no part of what is said by this one
                before = [word for nth, word in enumerate(before) if nth != found[0][1]]
            if name in self._meaning("taking") and "for" in map(str.casefold, behind_it):  # `swap spear for sword`
                at_for = [*map(str.casefold, behind_it)].index("for")
                people = [word for word in behind_it[:at_for] if self.reader.token(word).people]
                behind_it = [*people, *behind_it[at_for + 1 :]]
            if self._sets(name) and self._gained(words):
                before, behind_it = (
                    [f"+{word}" if word.isdigit() else word for word in part] for part in (before, behind_it)
                )
            rest = [*[word for word in before if word not in more], *more, *behind_it]
            rest = self._by_owner(rest) if name in self._meaning("magic") else rest
            phrased = bool(more) and not {phrase, *self._stems(phrase)}.isdisjoint(self._phrases)
            subject = phrased or self._of_somebody(before)  # `sneak hedwig`
            kept = [] if more else self._kept(name, phrase)
            if kept:
                yield Reading(name, [*before, *kept, *behind_it], guessed, unsure, subject, rank == _BY_NAME)
            if phrase not in DIRECTIONS and not (kept and self._sets(name)):
                yield Reading(name, rest, guessed, unsure, subject, rank == _BY_NAME)
        if not found:
            yield from self._like(words, plain)
        if not [one for one in found if one[0] < _PERHAPS]:
            for at in plain:
                yield from (Reading(name, [*words], True) for name in self._with_flag(words[at].casefold()))

    def _by_owner(self, words: Sequence[str]) -> list[str]:
        """The words with the one first who alone has the spell that is named: `cast firebolt at troll ulfarmi`."""
        owners = next((found for word in words if (found := self.reader.owners(word))), {})
        mine = [word for word in words if len(owners) == 1 and self.reader.token(word).people == (*owners,)]
        return [*mine[:1], *(word for word in words if word not in mine[:1])]

    def _lifted(self, words: Sequence[str]) -> Iterator[Reading]:
        """What ends of somebody, by the verb that gave it, or else as the referee says."""
        who, name = lifted(self.reader, words)
        if who:
            yield from (Reading(one[0], [who, name, "--end"]) for one in self._curses if one[0] != "adjust")
            yield Reading("adjust", [who, "no-condition", name])

    def _set(self, words: Sequence[str]) -> Iterator[Reading]:
        """A house rule that is named where a verb stands: `hidden dice on`."""
        options = systems.load(self.system).options
        for length in range(len(words), 0, -1):
            name = "_".join(words[:length]).casefold().replace("-", "_")
            if name in options:
                option = options[name]
                value = [_SWITCHED.get(word.casefold(), word) for word in words[length:]]
                now = self.reader.state.campaign.options.get(name, option.default)
                others = [str(one).casefold() for one in option.choices if one != now]
                yield from (
                    Reading("option", [name, *one]) for one in ([value] if value else [[one] for one in others])
                )
                return

    def _blows(self, words: Sequence[str]) -> Iterator[Reading]:
        """The blows of two of whom each is said with the face of a die: `hakon 14 thrall-1 6`."""
        faces = [at for at, word in enumerate(words) if word.isdigit() and at]
        names = [words[at - 1] for at in faces if self.reader.names_some(words[at - 1])]
        if len(names) == 2 and len(names) + sum(self.reader.names_some(word) for word in words) == 4:
            thrown = ["--dice", ",".join(words[at] for at in faces)]
            for name, verb in systems.load(self.system).verbs.items():
                if verb.blow:
                    yield Reading(name, [*names[: 1 if verb.by == "turn" else 2], *thrown], True)

    def _harm(self, before: Sequence[str], behind: Sequence[str]) -> list[str]:
        """The words of harm that a blow is said to do: `grub-2 bites boffin for 5`; none where it is not said so."""
        said = [*map(str.casefold, behind)]
        counts = [at for at, word in enumerate(said) if word.isdigit() and said[at - 1 : at] in (["for"], ["does"])]
        people = [word for word in (*before, *behind) if self.reader.is_name(word)]
        return [people[-1], said[counts[0]]] if people and counts else []

    def _of_somebody(self, before: Sequence[str]) -> bool:
        """Whether words name the one who does what stands behind them."""
        return any(self.reader.token(word).people for word in before)

    def _phase_of(self, words: Sequence[str]) -> list[str]:
        """The words with the verb before its choice: `magic phase` is `phase magic`."""
        known = self.known.get(words[0].casefold()) if words else None
        deed = known is None or known.by == "combatant"  # `end phase` is another
        if len(words) == 2 and deed and words[1] in self._choosing(words[0].casefold(), False):
            return [words[1], words[0]]
        return [*words]

    def _turn_of(self, words: Sequence[str]) -> list[str]:
        """The words with the one whose turn it is behind it: `end guard's turn` is `end turn guard`."""
        for at, word in enumerate(words[:-1]):
            whose = word.removesuffix("'s")
            if at and whose != word and words[at + 1].casefold() == "turn" and self.reader.token(whose).people:
                return [*words[:at], *words[at + 1 :], whose]
        return [*words]

    def _like(self, words: Sequence[str], plain: Sequence[int]) -> Iterator[Reading]:
        """The verbs that begin like the first word that names nobody, or are spelled like it."""
        values = {name.partition(".")[2] for name in self._values} | self.reader.fields
        short = words[0].casefold() if words and len(words[0]) <= _SHORT else ""
        if short.isalpha() and (begun := self._begun(short)) in self.recorded:  # `m ne` where a Minion stands
            yield Reading(begun, [*words[1:]])
            return
        plain = [at for at in plain if words[at].casefold() not in FILLERS]
        at = next((at for at in plain if not self.reader.token(words[at]).people), None)
        if at is None:
            return
        first, rest = words[at].casefold(), [*words[:at], *words[at + 1 :]]
        if first in values and any(map(str.isdigit, words)):  # `stress suori 1`
            return
        begun = self._begun(first)
        spelled_so = self._shortened(first) or self._alike(first)
        if at and begun not in self.recorded:  # `odo back to wall` is no backup
            begun = ""
        for name in [begun] if begun else spelled_so or self._about(first):
            if name in self._with_flag(first):
                continue  # which is read with its flag
            several = not begun and len(spelled_so) > 1
            yield Reading(name, rest, guessed=several, unsure=not begun and name not in spelled_so)

    def unsaid(self, words: Sequence[str], said: bool) -> Iterator[Reading]:
        """The verbs that go without saying: what is done with what was named, or to those who were. Where a verb was
        `said`, only what is done to a foe.
        """
        words = self.reader.numbered(words)
        for how, becomes in _BECOMES.items():
            rest = [word for word in words if word.casefold() not in becomes]
            if any(map(self.reader.is_name, rest)) and rest != [*words]:
                yield from (
                    Reading(name, [rest[0], "down", how, *rest[1:]], True)
                    for name in systems.COMMON
                    if self._sets(name)
                )
        if said:
            words = [word for word in words if word.casefold() not in self.known]
            if len([word for word in words if self.reader.is_name(word)]) > 1:
                yield from (Reading(name, [*words], True) for name in self.upon_foes())
            return
        asked = [word for word in words if self.reader.is_name(word)]
        fields = [word for word in map(str.casefold, words) if word in self.reader.fields and not self._with_flag(word)]
        if len(words) == 2 and asked and fields:
            yield Reading("show", asked, True)  # `ac ogre`
        if words and self.reader.is_throw(words[0]):
            yield Reading("roll", [*words], True)
        for word in words:
            yield from (Reading(name, [word], True) for name in self._choosing(word.casefold(), not words[1:]))
        tokens = self.reader.tokens([word for word in words if not word.startswith("--")], False)
        people = [token for token in tokens if token.people]
        others = [token for token in tokens if not token.people]
        if people and not _TOWARD.isdisjoint(map(str.casefold, words)):  # `brenna to corm`
            verbs = systems.load(self.system).verbs
            yield from (Reading(name, [*words], True) for name, verb in verbs.items() if "step" in verb.ideas)
        if people[1:] and any(token.number for token in tokens):
            yield from (
                Reading(name, [*words], True) for name in dict.fromkeys([*self._meaning("shot"), *self.upon_foes()])
            )
        if any(token.number for token in tokens) and people and all(map(self._is_counted, others)):
            counting = (name for name in systems.COMMON if self.counts(name))
            numbers = [token for token in tokens if token.number]
            words = [f"+{word}" if word.isdigit() and self._gained(words) else word for word in words]
            yield from (
                Reading(name, [*words], True)
                for name in counting
                if not (self._gains(name, words) or self._counts_else(name, words) or numbers[1:])
            )
        elif any(self.reader.is_thing(token.word) for token in others):
            yield from self._with_things(words)
        elif people[1:]:
            yield from (Reading(name, [*words], True) for name in self.upon_foes())
        elif people and not others:
            yield from (Reading(name, [*words], True) for name in ("show", systems.load(self.system).opens) if name)

    def lacking(self, words: Sequence[str]) -> list[str]:
        """Why this rule system does not have a verb that some of the words mean."""
        for word in map(str.casefold, words):
            for name in (word, *self._of_others(word)):
                if name in self._elsewhere and name not in self.known:
                    return [systems.elsewhere(self.system, name).message]
        return []

    def _sets(self, name: str) -> bool:
        """Whether a verb sets a field of somebody."""
        return name in systems.COMMON and "field" in self._arguments(name)

    def _gains(self, name: str, words: Sequence[str]) -> bool:
        """Whether a verb harms somebody of whom the words say that they gain: `give boffin 4 hp`."""
        return name == "damage" and self._gained(words)

    def _has(self, name: str, fields: Sequence[str]) -> bool:
        """Whether a verb of the rule system itself takes some of what is known of somebody: `heal freya 2 stress`."""
        own = shapes(systems.procedure(self.known[name])[1]) if name in systems.load(self.system).verbs else ()
        return any(field.name in fields for field, _ in own)

    def _gained(self, words: Sequence[str]) -> bool:
        """Whether a word says that a value rises."""
        said = {stem for word in words for stem in (word.casefold(), *self._stems(word.casefold()))}
        return not said.isdisjoint(_GAINED)

    def _counts_else(self, name: str, words: Sequence[str]) -> bool:
        """Whether a verb harms somebody where the words name another value: `suori loses 1 magica`."""
        said = {word.casefold() for word in words} & self._fields
        return name == "damage" and bool(said - {*_HARMED})

    @cached_property
    def _fields(self) -> set[str]:
        """The values that somebody has."""
        return {name.partition(".")[2] for name, now in self._values.items() if now.isdigit()}

    def _has_option(self, verb: systems.Verb, words: Sequence[str]) -> bool:
        """Whether words hold an option of a verb."""
        own = {
            f"--{spelled(field.name)}" for field, shape in shapes(systems.procedure(verb)[1]) if is_option(field, shape)
        }
        return not own.isdisjoint(words)

    def _only_looks(self, word: str) -> bool:
        """Whether a word means a verb that looks, and nothing else."""
        names = self.named(word.casefold())
        return bool(names) and all(name in TOOLS and name not in self.recorded for name in names)

    def is_sure(self, name: str, words: Sequence[str]) -> bool:
        """Whether words say a verb for sure."""
        return any(one.verb == name and not one.guessed for one in self.said(words))

    def counts(self, name: str) -> bool:
        """Whether a verb of every rule system says of somebody how much."""
        return name in systems.COMMON and not {"value", "points"}.isdisjoint(self._arguments(name)[1:])

    def _arguments(self, name: str) -> list[str]:
        """The fields of a verb that must be said."""
        fields = shapes(systems.procedure(self.known[name])[1])
        return [field.name for field, _ in fields if field.required]

    def _choosing(self, word: str, alone: bool) -> list[str]:
        """The verbs that take the turn on, to one of several ends that they name: `melee` is `phase melee`."""
        return [
            name
            for name, verb in systems.load(self.system).verbs.items()
            if verb.by == "turn"
            for _, shape in shapes(systems.procedure(verb)[1])
            if get_close_matches(word, [str(choice) for choice in shape.choices], 1, 0.8 if alone else 1.0)
        ]

    def _with_things(self, words: Sequence[str]) -> Iterator[Reading]:
        """The deeds that name a thing: a spell, a weapon, a skill; where its kind is known, those for that kind; by the
        only one who has it before others.
        """
        owners: dict[str, set[str]] = {}
        things = [word for word in words if not self.reader.is_name(word)]
        for at, word in enumerate(things):
            owners = owners or self.reader.owners(" ".join(things[at : at + 2])) or self.reader.owners(word)
        tables = {table for held in owners.values() for table in held}
        fit = {idea for kind, ideas in _DONE_WITH.items() for table in tables if kind in table for idea in ideas}
        deeds = [name for name, verb in systems.load(self.system).verbs.items() if self._takes_thing(verb)]
        named = any(word.casefold() == name.casefold() for name in owners for word in words)
        for name in [name for name in deeds if not fit.isdisjoint(self.recorded[name].ideas)] or deeds:
            if len(owners) == 1 and not named:
                yield Reading(name, [*owners, *words], True)
            yield Reading(name, [*words], True)
        if "blow" in fit:  # `sigrun broadsword reaver`, where a blow is dealt with what is in hand
            bare = [word for word in words if not self.reader.owners(word) or self.reader.is_name(word)]
            for name, verb in systems.load(self.system).verbs.items():
                if "blow" in verb.ideas and name not in deeds:
                    yield Reading(name, bare, True)

    def _takes_thing(self, verb: systems.Verb) -> bool:
        """Whether somebody does something with a thing by a verb."""
        fields = shapes(systems.procedure(verb)[1]) if verb.by == "combatant" and not verb.seldom else ()
        return any(
            shape.base is str and shape.word in ("", "item", "spell") and not shape.choices
            and (field.name in ("with_", "skill") or not is_option(field, shape))
            for field, shape in fields
        )  # fmt: skip

    def upon_foes(self) -> list[str]:
        """The deeds that are done most often to a foe."""
        return [
            name
            for name, verb in systems.load(self.system).verbs.items()
            if verb.blow and verb.often
        ]  # fmt: skip

    def _is_counted(self, token: "Token") -> bool:
        """Whether a word is a number, its unit, or a value that somebody has."""
        fields = {name.partition(".")[2] for name in self._values} | self.reader.fields
        far = token.word.casefold() in ("feet", "foot", "ft", "squares", "square", "away")
        return not far and bool(token.number or token.unit or token.word.casefold() in fields)

    def _with_flag(self, said: str) -> list[str]:
        """The deeds that have an option without a value which is called so: `potion` of heal, `release` of grapple."""
        stems = {said, *self._stems(said)}
        return [
            name
            for name, verb in systems.load(self.system).verbs.items()
            for field, shape in shapes(systems.procedure(verb)[1])
            if shape.base is bool and spelled(field.name) in stems
        ]

    def _meaning(self, idea: str) -> list[str]:
        """The deeds of an idea."""
        return [name for name, verb in systems.load(self.system).verbs.items() if idea in verb.ideas]

    def means(self, word: str) -> bool:
        """Whether a word says a verb for sure."""
        return any(rank < _PERHAPS for rank in self.named(word.casefold()).values())

    def like(self, word: str) -> list[str]:
        """The verbs that a word means or is spelled like."""
        return [*self.named(word.casefold())] or self._alike(word.casefold())

    def strikes(self, words: Sequence[str]) -> bool:
        """Whether words name a blow."""
        blows = self.upon_foes()
        return any(name in blows for word in words for name in self.named(word.casefold()))

    def named(self, said: str) -> dict[str, int]:
        """The verbs that words name, or that mean the same, also with an ending as in `attacks`; each with how sure
        that is.
        """
        said = "north" if said in DIRECTIONS else said
        found: dict[str, int] = {}
        for stem in (said, *self._stems(said)):
            if stem in self.known and not self.is_deed(stem):  # `run` is a step of somebody
                found[stem] = _BY_NAME
            found |= {name: rank for name, rank in self._words.get(stem, {}).items() if name not in found}
            if _BY_WORD not in self._words.get(stem, {}).values():
                found |= {one[0]: _BY_WORD for one in self._instead(stem) if one[0] not in found}
        return found

    def is_tool(self, words: Sequence[str]) -> bool:
        """Whether words begin with the name of a verb that means nothing else: it looks at the record, or keeps it."""
        name = systems.verb_of([*words, ""], self.known) if words else ""
        tool = name in TOOLS or (name in self.recorded and self.recorded[name].by == "referee")
        return tool and name not in systems.load(self.system).verbs and not self.is_deed(name)

    def is_deed(self, word: str) -> bool:
        """Whether a word is the name of a tool, and means what somebody does in the fight."""
        ranks = self._words.get(word, {})
        return word in TOOLS and any(rank == _BY_WORD and name in self.recorded for name, rank in ranks.items())

    def _stems(self, said: str) -> list[str]:
        """What a word is without its ending; of several words the first has one."""
        first, _, behind = said.partition(" ")
        stems = {first.removesuffix(ending) for ending in _ENDINGS if first.endswith(ending)} - {first}
        stems |= {f"{one}e" for one in stems} | {one[:-1] for one in stems if one[-2:-1] == one[-1:]}
        stems |= {f"{one[:-1]}y" for one in stems if one.endswith("i")}
        return sorted(f"{one} {behind}".rstrip() for one in stems)

    def _shortened(self, said: str) -> list[str]:
        """The verbs of which a word has some consonants, as `atk` of attack."""
        if len(said) < 2 or not said.isalpha() or set(said[1:]) & set("aeiou"):
            return []
        found: dict[str, bool] = {}
        for name, verb in self.known.items():
            for word in (name, *(word for word in _words_for(verb, _BY_WORD) if " " not in word)):
                letters = iter(word[1:])
                if word[0] == said[0] and not verb.seldom and all(letter in letters for letter in said[1:]):
                    found.setdefault(name, word == name and verb.usual)
        return sorted(found, key=lambda name: not found[name])[:_MOST]

    def _kept(self, verb: str, said: str) -> list[str]:
        """Those of the words for a verb that say more than the verb: a direction, a thing, or a choice that it has."""
        if verb in TOOLS and verb != said:
            fields = shapes(systems.procedure(TOOLS[verb])[1])
            choices = {str(one) for _, shape in fields for one in shape.choices}
            return [
                word for word in said.split() if word in choices or (TOOLS[verb].past == "amends" and word in DROPS)
            ]
        if verb == said or verb not in self.recorded:
            return []
        if self._sets(verb) and any(name.endswith(f".{said}") for name in self._values):
            return [said]
        fields = shapes(systems.procedure(self.recorded[verb])[1])
        if any(field.name == "days" for field, _ in fields) and not _NIGHT.isdisjoint(said.split()):
            return ["1", "day"]
        if self.recorded[verb].by == "referee":
            return []
        choices = {str(one).casefold() for _, shape in fields for one in shape.choices}
        flags = {field.name for field, shape in fields if shape.base is bool}
        meant = [vocabulary.choice(word, choices) or word for word in said.split()]
        return [word for word in meant if word in DIRECTIONS or word in choices | flags or self.reader.things("", word)]

    @cached_property
    def _foreign(self) -> dict[str, list[str]]:
        """The verbs of other rule systems by the words for them."""
        found: dict[str, list[str]] = {}
        for system in systems.playable().values():
            for name, verb in system.verbs.items():
                for word in _words_for(verb, _BY_WORD) if name in self._elsewhere else ():
                    found.setdefault(word, []).append(name)
        return found

    def _of_others(self, said: str) -> list[str]:
        """The verbs of other rule systems that a word means."""
        return self._foreign.get(said, [])

    def _instead(self, said: str) -> list[list[str]]:
        """The commands that this rule system says to use instead of a verb that it does not have: each the verb, and
        the words of `use adjust NAME no-equipped ITEM` that say more.
        """
        said_of = (self._elsewhere.get(name, "") for name in (said, *self._of_others(said)) if name not in self.known)
        found = [one.split() for text in said_of for one in _USE.findall(text)]
        return [[one[0], *_more(one[1:])] for one in found if one[0] in self.known]

    def _sayings(self, said: str, words: Sequence[str]) -> list[tuple[int, list[str]]]:
        """The commands that some of the words are here, each with how sure that is: what the card of the rule system
        says of them, or instead of the verb of another one; or an effect, where they are a condition.
        """
        stems = [said, *self._stems(said)]
        own = [self._phrases[one] for one in stems if one in self._phrases][:1]
        own += [one for stem in stems for one in self._instead(stem) if one[1:]]
        first, _, behind = said.partition(" ")
        name = vocabulary.condition(said) or (
            vocabulary.condition(behind) if first in _BECOMING and not self.named(behind) else ""
        )
        harms = said in self._words and any(map(str.isdigit, words))  # `burn boffin 5`
        lasting = [(_PERHAPS if harms or own else _BY_WORD, [*one, name]) for one in self._curses]
        return [*((_BY_WORD, one) for one in own), *(lasting if name and said not in self.known else ())]

    @cached_property
    def _phrases(self) -> dict[str, list[str]]:
        """The words of the table that the card of the rule system, or what becomes of somebody, gives a command to."""
        found = {word: ["adjust", "down", how] for how, words in _BECOMES.items() for word in words if " " in word}
        found |= {word: ["adjust"] for word in _IS_NOW}
        for said, command in systems.load(self.system).phrases.items():
            found |= dict.fromkeys(vocabulary.phrases(said) or [said], command.split())
        return found

    @cached_property
    def _curses(self) -> list[list[str]]:
        """The commands by which somebody gets a condition."""
        own = [[name] for name, verb in self.recorded.items() if "curse" in verb.ideas]
        others = {
            name: self._instead(name)
            for system in systems.playable().values()
            for name, verb in system.verbs.items()
            if "curse" in verb.ideas
        }
        return own or [one for instead in others.values() for one in instead]

    def begins_several(self, said: str) -> bool:
        """Whether a word begins several verbs, so that none is meant."""
        return said not in self.known and sum(name.startswith(said) for name in self.known) > 1

    def _begun(self, said: str) -> str:
        with suppress(UsageError):
            return systems.begun(said, self.known.items())
        return ""

    def _alike(self, said: str) -> list[str]:
        """Verbs that are spelled very much like a word, or of which another word is."""
        known = [name for name, verb in self.known.items() if not verb.seldom and " " not in name]
        spelled = {
            word: name
            for word, names in self._words.items()
            for name in names
            if name in known and names[name] < _PERHAPS
        }
        same = [word for word in (*known, *spelled) if word[0] == said[0]]  # nobody misses the first letter
        close = [word for word in get_close_matches(said, same, 3, 0.75) if word in known]
        close.sort(key=lambda word: sorted(word) != sorted(said))  # two letters stand the other way round
        return close or [spelled[word] for word in get_close_matches(said, same, 2, 0.8)]

    def _about(self, said: str) -> list[str]:
        """Verbs of which the summary has a word."""
        return [
            name
            for name, verb in self.known.items()
            if len(said) > 3 and verb.by == "combatant" and said in re.findall(r"\w+", verb.summary.casefold())
        ][:_MOST]
