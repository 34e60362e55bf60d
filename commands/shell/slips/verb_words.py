"""The verbs that some words may mean, each with the other words."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from commands.action import systems, vocabulary
from commands.action.declaration import is_entry
from commands.files.exports import FORMATS
from commands.shell.tools import TOOLS

from .amounts import Amounts
from .ground import DIRECTIONS
from .handing import handed
from .lifting import lifted
from .option_words import EACH, FAR
from .record_words import FULL, LAST
from .sayings import BECOMES, Sayings
from .tokens import DROPS, FILLERS, PARTICLES, asks
from .verb_cards import VerbCards
from .verb_names import BY_NAME, BY_WORD, PERHAPS, VerbNames, stems

if TYPE_CHECKING:
    from .tokens import Reader

_SHORT = 4
"""How long a word is that may begin a verb behind a name."""
_BEFORE = "!/.-"
"""Signs with which other programs begin a command, as in `!attack` and `/roll`."""
_CONDITIONS = frozenset({"if", "when", "until", "once", "unless"})
"""Words for what somebody waits."""
_TIME = frozenset({"round", "rounds", "turn", "turns"})
"""Units of time that are called like a verb."""
_SETTING = {
    "house": "", "rule": "", "rules": "", "houserule": "", "set": "", "option": "", "turn": "", "switch": "",
    "use": "on", "enable": "on", "activate": "on", "on": "on", "with": "on", "disable": "off", "deactivate": "off",
    "off": "off", "without": "off",
}  # fmt: skip
"""Words before the name of a house rule, with the value that they set it to."""
_CHANGES = frozenset({"change", "correct", "fix", "edit", "make", "switch"})
"""Words before the entry that is to be otherwise, or before somebody who is to do something else."""
_LAST = frozenset({"go", "down", "free"})
"""Words, beside these that say nothing alone, that may stand behind the name of somebody and belong to the verb."""
_ENDINGS = tuple(ending for form in FORMATS.values() if not form.new for ending in form.endings)
"""How the names of files end that others read."""


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


class _Found(NamedTuple):
    """A verb that some of the words say."""

    rank: int
    """How sure that is."""
    at: int
    length: int
    name: str
    more: Sequence[str] = ()
    """What a saying holds beside its verb."""


class VerbWords:
    """Finds the verbs that words may mean, at one moment of one ledger."""

    def __init__(self, system: str, reader: "Reader") -> None:
        self.reader = reader
        self.cards = VerbCards(system)
        self.names = VerbNames(system, self.cards)
        self.amounts = Amounts(reader.state)
        self._sayings = Sayings(system, self.cards, self.names)
        self._options = systems.load(system).options
        self.opens = systems.load(system).opens
        """The verb by which somebody's turn begins; "" for none."""

    def readings(self, words: Sequence[str]) -> Iterator[Reading]:
        """The verbs that words say: only the one whose name comes first, where that means nothing else."""
        others = [word for word in words if word.casefold() not in FILLERS]
        is_next = "next" in map(str.casefold, words) and len(others) == 1  # `next freya`, `freya is next`
        if is_next and self.reader.names_somebody(others[0]):
            begins = [[name, *others] for name in self.cards.meaning("new-turn")]
            ends = [[name] for name, card in self.cards.recorded.items() if card.role == "turn-end"]
            words = next(iter((*begins, *ends)), words)
        if words and words[0].casefold() in _CHANGES and self.reader.is_name("".join(words[1:2])):
            does = [*words[2:]][" ".join(words[2:3]).casefold() in ("to", "into") :]
            if any(self.cards.known[one].by == "combatant" for one in self.names.named(_phrase(does, 0, 1))):
                words = [words[1], *does]  # `change maelis to cast ward`
        name = systems.verb_of([*words, ""], self.cards.known)
        rest = [*words[len(name.split()) :]]
        whole = {*self.names.named(_phrase(words, 0, 2))} - {name} if words[1:] else set[str]()  # `roll initiative`
        saying = bool(whole) or self._sayings.begins(words)
        tool = self.names.is_tool(words) and not saying
        if tool or (name in TOOLS and rest and not saying):
            if name in TOOLS and TOOLS[name].kind == "looks" and "round" not in self.cards.takes(name):
                at = next((at for at, word in enumerate(rest) if word.casefold() == "round"), len(rest))
                which = rest[at : at + 2] if "".join(rest[at + 1 : at + 2]).isdigit() else []  # `show me round 1`
                if which or {*rest[at - 1 : at]} & {*LAST}:
                    yield from (Reading(one, which) for one, card in TOOLS.items() if "round" in card.hints.alone)
            yield Reading(name, rest, named=True)
            for other in rest:  # `show me the log of suori only`
                if other in TOOLS and TOOLS[other].kind == "looks" and self.cards.known[name].kind == "looks":
                    yield Reading(other, [word for word in rest if word not in (other, "only")], True)
        entries = [word for word in words[1:] if is_entry(word)]
        if not tool and entries and words[0].casefold() in DROPS | _CHANGES:  # `drop e26`, `change e19 to cast Ward`
            drops = [words[0]] if words[0].casefold() in DROPS else []
            yield Reading(self.cards.amends, [*entries, *drops, *(word for word in words[1:] if word not in entries)])
        if not tool:
            files = [word for word in words[1:] if word.casefold().endswith(_ENDINGS)]
            sheets = [word for word in words[1:] if word.endswith(".toml")]
            people = [word for word in words[1:] if word not in sheets and self.reader.is_name(word)]
            if sheets and people:  # `save adalger as adalger.toml`
                yield Reading("sheet new", [sheets[0], "--like", people[0]])
            yield from [Reading("export", files)] * bool(files)  # `save toll.html`
            yield from self.said(words)

    def said(self, words: Sequence[str]) -> Iterator[Reading]:
        """The verbs that words say, the likeliest first: by their name, by another word for it, by a word that may mean
        it; else by a beginning, or misspelt.
        """
        words = [word.lstrip(_BEFORE) if not nth and word.strip(_BEFORE) else word for nth, word in enumerate(words)]
        joins = any("sheets" in self.cards.takes(name) for name in self.names.named("".join(words[:1]).casefold()))
        words = [*words] if joins else [*self.reader.numbered(words[:4]), *words[4:]]  # `spawn guard 2`
        words = self._together(self._phase_of(words))
        plain = [at for at, word in enumerate(words) if not (word.startswith("--") or _is_unit(words, at))]
        begun = self.names.begun(words[1]) if words[1:] and len(words[1]) < _SHORT else ""
        if begun in self.cards.own and self.reader.is_name(words[0]) and not self.names.begun(words[0]):  # `jane a g2`
            yield Reading(begun, [words[0], *words[2:]], subject=True)
        if words and self.names.begins_several(words[0].casefold()):  # `s ger g2 40`
            every = (name for name in self.cards.own if name.startswith(words[0].casefold()))
            yield from (
                Reading(name, [*words[1:]], True) for name in every if self.cards.own[name].rank in ("often", "listed")
            )
        if rest := handed(self.reader, words):
            yield Reading("adjust", rest, unsure=True)
        yield from self._lifted(words)
        yield from self._dead(words)
        if full := self._full(words):
            yield Reading("adjust", full)
        if rule := self._house_rule(words):
            yield Reading("option", rule)
        found = self._likeliest(self._found(words, plain), words, plain)
        if found and found[0].rank != BY_NAME:
            for word in words[1:]:  # `start melee`
                yield from (Reading(name, [word]) for name in self.cards.choosing(word.casefold()))
        blows = [one.at for one in found if one.name in self.cards.meaning("blow", "shot")]
        harmed = blows and not any(one.name == "damage" for one in found)
        if harmed and (harm := self._harm(words[: blows[0]], words[blows[0] + 1 :])):
            yield Reading("damage", harm, True)
            words = ["-" if word == harm[1] else word for word in words]
        for one in found:
            if not self._misread(one, words):
                yield from self._readings(one, found, words)
        if not found:
            yield from self._like(words, plain)
        if not any(one.rank < PERHAPS for one in found):
            flags = (name for at in plain for name in self.cards.with_flag({*stems(words[at].casefold())}))
            yield from (Reading(name, [*words], True) for name in flags)

    def _found(self, words: Sequence[str], plain: Sequence[int]) -> list[_Found]:
        """The verbs that words say by their names and by sayings, in the order of the words."""
        found: list[_Found] = []
        counted = any(map(str.isdigit, words)) and _TIME.isdisjoint(map(str.casefold, words))  # `burn boffin 5`
        behind = 0
        for at in plain:
            for length in (3, 2, 1) if at >= behind else ():
                phrase = _phrase(words, at, length)
                if at + length > len(words) or (length < len(words) and phrase in PARTICLES):
                    continue
                named = [_Found(rank, at, length, name) for name, rank in self.names.named(phrase).items()]
                sayings = [
                    _Found(rank, at, length, name, more) for rank, (name, *more) in self._sayings.of(phrase, words)
                ]
                if self._sayings.has(phrase):  # the rules say what is meant by it
                    named = [one for one in named if self.names.is_own(phrase, one.name)]
                found += [*named, *sayings] if counted else [*sayings, *named]
                if named or sayings:
                    behind = at + length
                    break
        return found

    def _likeliest(self, found: list[_Found], words: Sequence[str], plain: Sequence[int]) -> list[_Found]:
        """Those of the verbs that words say that are no part of what is said by another, the likeliest first."""
        cards = self.cards
        led = plain[0] if plain else 0  # `bless tilda 2 attack`
        other = [one for one in found if one.at == led or not (one.more and vocabulary.condition(one.more[-1]))]
        if any(one.rank == BY_NAME or (one.rank == BY_WORD and one.at < found[-1].at) for one in other):
            found = other  # `attack the stunned orc` stuns nobody
        found = sorted(found, key=lambda one: (one.rank > BY_NAME, one.at, one.rank, one.name == "leave"))
        if found and (found[0].rank, found[0].at) == (BY_NAME, plain[0]):
            # the first word is a verb: words behind it hardly are
            found = [one for one in found if one.rank < PERHAPS or one.at == plain[0]]
        if found and asks(words):  # a question is no deed
            found = [one for one in found if one.name not in cards.recorded] or found
        goes = [name for name in cards.meaning("step") if not FAR.isdisjoint(cards.takes(name))]
        if goes and sum(word[:1].isdigit() for word in words) == 1:  # `sergeant backs off 10`
            backs = {one for one in cards.meaning("backing", "flight") if FAR.isdisjoint(cards.takes(one))}
            found = [
                one._replace(name=goes[0], more=("back",))
                if one.name in backs and (one.rank != BY_NAME or one.name in cards.meaning("flight"))
                else one
                for one in found
            ]
        waits = cards.meaning("waiting")
        if waits and found and not _CONDITIONS.isdisjoint(" ".join(words).casefold().split()):
            named = [one for one in found if one.name in waits]
            found = named or [_Found(PERHAPS, found[0].at, 0, name) for name in waits]
        return found

    def _misread(self, one: _Found, words: Sequence[str]) -> bool:
        """Whether words that may say a verb hold what it does not mean."""
        if one.name == "damage" and ("0" in words or (one.rank > BY_NAME and not self.amounts.harms(words))):
            return True  # `reaver pain 0`
        of_somebody = one.name in TOOLS and self._of_somebody(words[: one.at])
        return of_somebody and _phrase(words, one.at, one.length) != one.name  # `hedwig helps brun` asks for no help

    def _readings(self, one: _Found, found: Sequence[_Found], words: Sequence[str]) -> Iterator[Reading]:
        """A verb with the words before and behind those that say it, and with what these say beside it."""
        rank, at, length, name, more = one
        first = (rank, at) == (found[0].rank, found[0].at)
        guessed = rank == PERHAPS or not first
        unsure = guessed and (not first or sum(other.at == at for other in found) > 1)
        phrase, before, behind = _phrase(words, at, length), [*words[:at]], [*words[at + length :]]
        said = self._sayings.has(phrase)
        if found[0].rank == BY_NAME and found[0].at < at:  # the other verb is no part of what is said by this one
            del before[found[0].at]
        if name in self.cards.meaning("taking") and "for" in behind:  # `swap spear for sword`
            at_for = behind.index("for")
            behind = [*filter(self.reader.is_name, behind[:at_for]), *behind[at_for + 1 :]]
        if self.cards.sets(name):
            before, behind = (self.amounts.signed(part, words) for part in (before, behind))
        rest = [*(word for word in before if word not in more), *more, *behind]
        subject = (bool(more) and said) or self._of_somebody(before)  # `sneak hedwig`
        kept = [] if more else self._kept(name, phrase)
        for who in self._biters(name, phrase, rest):  # `bite maelis`
            yield Reading(name, [who, *rest], guessed, unsure, True)
        if kept:
            yield Reading(name, [*before, *kept, *behind], guessed, unsure, subject, rank == BY_NAME)
        if phrase not in DIRECTIONS and not (kept and self.cards.sets(name)):
            yield Reading(name, rest, guessed, unsure, subject, rank == BY_NAME)

    def _biters(self, name: str, said: str, rest: Sequence[str]) -> list[str]:
        """Those who stand and can do to the only foe who is named what is said by the name of their weapon, or of one
        like it.
        """
        state = self.reader.state
        members = state.roster.members
        sides = [members[who].side for word in rest for who in self.reader.token(word).people if who in members]
        if len(sides) != 1 or name == said or name not in self.cards.meaning("blow", "shot"):
            return []
        owners = self.reader.owners
        able = owners(said) or dict.fromkeys(who for one in vocabulary.of_beasts(said) for who in owners(one))
        return [who for who in able if state.stands(who) and members[who].side != sides[0]]

    def _lifted(self, words: Sequence[str]) -> Iterator[Reading]:
        """What ends of somebody, by the verb that gave it, or else as the referee says."""
        who, name = lifted(self.reader, words)
        if who:
            curses = (one[0] for one in self._sayings.curses if one[0] != "adjust")
            yield from (Reading(one, [who, name, "--end"]) for one in curses)
            yield Reading("adjust", [who, "no-condition", name])

    def _dead(self, words: Sequence[str]) -> Iterator[Reading]:
        """That somebody is dead who is down already, or whom nobody can strike: `kill hound-1 he bled out`."""
        state = self.reader.state
        first, *rest = [*words, ""][:-1] or [""]
        who = next((name for word in rest[:1] for name in self.reader.token(word).people), "")
        if first.casefold() in BECOMES["dead"] and who and (who in state.harm.down or not state.encounter.running):
            yield from (
                Reading(name, [*rest[:1], "down", "dead", *rest[1:]])
                for name in self.cards.recorded
                if self.cards.sets(name)
            )

    def _full(self, words: Sequence[str]) -> list[str]:
        """The words of `adjust` by which a value of the one who is named is the most: `heal jane to full`."""
        low = [*map(str.casefold, words)]
        people = [word for word in words if self.reader.is_name(word)]
        at = next((at for at, word in enumerate(low) if word in FULL), 0)
        known = self.amounts.known
        ends = low[at + 1 :] == [] or low[at + 1] in known or low[at - 1] in known | {"to"}
        if not (at and ends and len(people) == 1):
            return []
        before = [word for word in words[:at] if word.casefold() in known]
        return [*people, *before, *(word for word in words[at:] if word not in people)]

    def _house_rule(self, words: Sequence[str]) -> list[str]:
        """The words from the name of a house rule on, where nothing stands before it but words that set one, with the
        value that these hold: `hidden dice on`, `disable hidden dice`, `house rule hidden dice = on`.
        """
        low = [*map(str.casefold, words)]
        at = next((at for at, word in enumerate(low) if word not in _SETTING), len(low))
        said = re.sub(r"[-=: _]+", "_", "_".join(words[at:]).casefold())
        if not any(f"{said}_".startswith(f"{name}_") for name in self._options):
            return []
        return [*words[at:], *(_SETTING[word] for word in low[:at])]

    def _harm(self, before: Sequence[str], behind: Sequence[str]) -> list[str]:
        """The words of harm that a blow is said to do: `grub-2 bites boffin for 5`; none where it is not said so."""
        said = [*map(str.casefold, behind)]
        counts = [at for at, word in enumerate(said) if word.isdigit() and said[at - 1 : at] in (["for"], ["does"])]
        people = [word for word in (*before, *behind) if self.reader.is_name(word)]
        thrown = sum(word.isdigit() for word in said) > 1  # `aldric hits orc 15 for 4` says both dice
        return [people[-1], said[counts[0]]] if people and counts and not thrown else []

    def _of_somebody(self, before: Sequence[str]) -> bool:
        """Whether words name the one who does what stands behind them."""
        return any(self.reader.token(word).people for word in before)

    def _together(self, words: Sequence[str]) -> list[str]:
        """The words with the two of a verb beside each other, where a name stands between: `knock the ogre down`."""
        for at, word in enumerate(words):
            between = 1 + ([*words[at + 1 : at + 2]] == ["the"])
            name, last, *_ = [*words[at + between : at + between + 2], "", ""]
            phrase = f"{word} {last}".casefold()
            known = last.casefold() in PARTICLES | _LAST and (self._sayings.has(phrase) or self.names.named(phrase))
            if known and self.reader.is_name(name):
                return [*words[: at + 1], last, name, *words[at + between + 2 :]]
        return [*words]

    def _phase_of(self, words: Sequence[str]) -> list[str]:
        """The words with the verb before its choice: `magic phase` is `phase magic`."""
        turned = len(words) == 2 and words[1] in self.cards.choosing(words[0].casefold())
        return [*words[::-1]] if turned else [*words]

    def _like(self, words: Sequence[str], plain: Sequence[int]) -> Iterator[Reading]:
        """The verbs that begin like the first word that names nobody, or are spelled like it."""
        plain = [at for at in plain if words[at].casefold() not in FILLERS]
        at = next((at for at in plain if not self.reader.token(words[at]).people), None)
        if at is None:
            return
        first, before, behind = words[at].casefold(), words[:at], words[at + 1 :]
        counted = any(word.lstrip("+-").isdigit() for word in words)
        if counted and first in {*self.amounts.known, *self.amounts.points, *self.reader.fields}:  # `stress suori 1`
            return
        if self.cards.with_flag({*stems(first)}):  # it is read with the verb that has the flag
            return
        begun = self.names.begun(first)
        names = [begun] if begun else self.names.spelled_like(first) or self.names.about(first)
        for name in names:
            kept = [] if begun else self._kept(name, first)  # `boffin shift to 0,-1`
            yield Reading(name, [*before, *kept, *behind], guessed=len(names) > 1)

    def _kept(self, verb: str, said: str) -> list[str]:
        """Those of the words for a verb that say more than the verb: a direction, a thing, or a choice that it has."""
        card = self.cards.known.get(verb)
        if verb == said or card is None:
            return []
        if self.cards.sets(verb):
            return [said] if said in self.amounts.known else []
        if card.by == "referee" and verb not in TOOLS:
            return []
        own = {one.casefold() for one in self.cards.choices(verb)} | (DROPS if card.past == "amends" else set())
        own |= {field.name for field, shape in self.cards.fields(verb) if shape.base is bool}
        meant = [vocabulary.choice(word, own) or word for word in said.split()]
        return [word for word in meant if word in own or word in DIRECTIONS or self.reader.things("", word)]

    def is_sure(self, name: str, words: Sequence[str]) -> bool:
        """Whether words say a verb for sure."""
        return any(one.verb == name and not one.guessed for one in self.said(words))

    def strikes(self, words: Sequence[str]) -> bool:
        """Whether words name a blow or a spell."""
        deeds = self.cards.meaning("blow", "shot", "magic")
        return any(name in deeds for word in words for name in self.names.named(word.casefold()))


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
