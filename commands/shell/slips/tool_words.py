"""Commands of the verbs that look at the record, go back in it, or correct it."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import dropwhile, islice
from typing import TYPE_CHECKING

from commands.action import systems
from commands.action.book import events_of
from commands.action.declaration import PEOPLE, is_entry, number, shapes
from commands.action.resolution import REASON
from commands.files.init import file_name
from commands.past.course import in_its_place
from commands.shell.tools import TOOLS
from commands.words.parameters import is_option, spelled
from ledger.errors import AffrayError
from ledger.events import Declared, Rolled

from . import option_words
from .fitting import Fitting
from .kinds import Kinds
from .places import Try
from .record_words import LAST, said_of
from .tokens import DROPS, FILLERS, Reader, Token, asks

if TYPE_CHECKING:
    from commands.action.cards import Verb

    from .option_words import Field

_MOST = 6
"""The most corrections of an entry that are tried."""
_UNTIL = frozenset({"to", "until", "till", "after"})
"""Words before the entry that stays."""
_DICE = frozenset({"die", "dice", "roll", "rolled", "face"})
"""Words for the dice of an entry."""
_PURPOSES = {"dmg": "damage", "def": "defense", "atk": "attack"}
"""What dice are thrown for, in short."""
_CONTRAST = frozenset({"not", "was", "instead", "should", "be", "been", "->", "for", "misread"})
"""Words between a true face and a false one."""


class ToolWords:
    """Finds the commands of one tool after the other, at one moment of one ledger."""

    def __init__(self, fitting: Fitting) -> None:
        self._fitting, self._reader, self._console = fitting, fitting.reader, fitting.console

    def commands(self, name: str, rest: Sequence[str], named: bool = True) -> Iterator[Try]:
        """Commands of a tool that take these words, the likeliest first; those of the tool near to it, too, where it
        was `named`.
        """
        card = TOOLS[name]
        if card.past == "amends":
            yield from self._corrections(name, rest)
            return
        fields = shapes(systems.procedure(card)[1])
        if card.past == "jumps":
            yield from self._jumps(name, rest, {field.name for field, _ in fields})
            return
        if any(field.name == "verb" for field, _ in fields):  # `help atack`
            yield from (Try((name, one), True) for word in rest for one in self._fitting.verbs.names.like(word))
        opens = card.without_ledger and card.kind == "records"
        if opens and any(map(self._reader.is_name, rest)):  # `init suori 15` opens no ledger
            return
        for one in self._fitting.commands(name, card, rest):
            made = self._elsewhere(one) if opens else one
            yield made._replace(unlikely=made.unlikely + (one.dropped > 0 and bool(card.hints.near)))
        yield Try((name, *rest), False)
        if any(shape.word == "value" and not shape.many for _, shape in fields):
            yield from self._last_deed(name, rest)
        secret = name == "export"  # which prints the key where no file is named
        if named and len(rest) == 1 and not (secret or any(field.required for field, _ in fields)):
            yield Try((name,), True, dropped=1, unlikely=1)
        if card.hints.near and named:
            yield Try((card.hints.near, *(word for word in rest if word.casefold() not in FILLERS)), True, unlikely=1)
            for one in self._fitting.commands(card.hints.near, self._fitting.verbs.cards.known[card.hints.near], rest):
                yield one._replace(guessed=True, unlikely=one.unlikely + 1)

    def _last_deed(self, name: str, words: Sequence[str]) -> Iterator[Try]:
        """Why it came so what somebody did last, where no value of theirs was asked for: `why did Grub miss`."""
        named = [word for word in words if self._reader.is_name(word)]
        if named and not self._fitting.record.value(words, False):
            told = self._fitting.record.ruled(self._reader.token(named[0]).people[0])
            yield from [Try((name, told), True)] if told else []

    def asked(self, words: Sequence[str]) -> Iterator[Try]:
        """Another ledger, where its file is named and no verb: `open toll.affray`. Why a value is as it is, where it
        was asked: `who killed goblin-1`, `when did Tilda fall`.
        """
        if words[0] not in self._fitting.verbs.cards.known:
            files = [word.removesuffix(".affray") for word in words[1:] if word.endswith(".affray")]
            there = [name.removesuffix(".affray") for name in os.listdir() if name.endswith(".affray")]
            near = (one for name in files for one in get_close_matches(name, there, 1, 0.8))
            yield from (Try(("--ledger", f"{name}.affray", "status"), name not in files) for name in near)
        hit = [word.casefold() for word in words[:2]] in (["who", "hit"], ["who", "struck"])  # `who hit jonna`
        words = [words[0], "hurt", *words[2:]] if hit else words
        if asks(words) and (told := self._fitting.record.value(words[1:], False)):
            yield Try(("why", told[0]), True, dropped=len(told) - 1)

    def _elsewhere(self, one: Try) -> Try:
        """The command that makes a new ledger, of the same rule system if none was said; where a ledger was named that
        is there already, with another name.
        """
        if "--system" not in one.words:
            one = one._replace(words=(*one.words, "--system", self._console.system), guessed=True)
        if not (self._console.ledger or os.environ.get("AFFRAY_LEDGER")):
            return one
        with suppress(AffrayError):
            return one._replace(words=("--ledger", file_name(one.words[1]), *one.words))
        return one

    def _jumps(self, name: str, rest: Sequence[str], options: set[str]) -> Iterator[Try]:
        """Ways to go back or on: by so many commands, to an entry, or by one. To take back one entry alone is to leave
        it out.
        """
        if "entry" not in options:
            yield Try((name,), False)
            return
        if began := self._fitting.record.began(rest):  # `undo until round 2`
            yield Try((name, "--to", began), False)
            yield Try((name, began), True)
            return
        words = [word.casefold() for word in rest]
        entries = sorted((word for word in words if is_entry(word)), key=number)
        numbers = [word.strip("x") for word in words if re.fullmatch(r"x?\d{1,9}x?", word)]
        numbers += [self._reader.token("two" if word == "twice" else word).number for word in words if word.isalpha()]
        if entries:
            if not DROPS.isdisjoint(words):
                yield Try((self._fitting.verbs.cards.amends, entries[0], "--drop"), False)
            if not _UNTIL.isdisjoint(words[: words.index(entries[0])]):
                yield Try((name, "--to", entries[0]), False)
            yield Try((name, entries[0]), True)
        elif any(numbers):
            yield Try((name, "--times", next(filter(None, numbers))), True)
        else:
            told, _ = self._fitting.record.entry([word for word in rest if word.casefold() not in LAST])
            yield from [Try((name, told), True)] if told else []
            yield Try((name,), True, dropped=bool(told))

    # Corrections

    def _corrections(self, name: str, rest: Sequence[str]) -> Iterator[Try]:
        """Corrections of the entry that is named or told, or of the last deed."""
        said = next((word for at, word in enumerate(rest) if is_entry(word) or (word.isdigit() and not at)), "")
        entry, words = f"e{said.removeprefix('e')}", [word for word in rest if word not in (said, "entry")]
        if not said:
            cut = next((at for at, word in enumerate(rest) if word.casefold() in ("die", "dice", "face")), len(rest))
            entry, words = self._fitting.record.entry(rest[:cut], True)  # `amend last dice 15,5`
            words += rest[cut:]
        with suppress(AffrayError):  # it is no entry that can be corrected
            made = islice(self._of_entry(name, entry, words), _MOST) if entry else ()
            yield from (Try((name, entry, *one), True) for one in made)

    def _of_entry(self, name: str, entry: str, words: Sequence[str]) -> Iterator[list[str]]:
        """Corrections of one entry, in the options of its verb; or another command in its place."""
        book = self._console.book
        place = in_its_place(book.store, book.store.head().entry, book.check_entry(number(entry)))
        events = events_of(book.store.entry(place))
        declared = events[0]
        if not isinstance(declared, Declared) or systems.past(declared.verb):
            return
        reader = Reader(book.state_at(book.store.after(place)))  # those who were there
        verb = systems.find_verb(reader.state.campaign.system, declared.verb)
        fields = shapes(systems.procedure(verb)[1])
        if not DROPS.isdisjoint(map(str.casefold, words)):
            yield ["--drop"]
        if not words:
            yield []
        rolls = [event for event in events if isinstance(event, Rolled) and event.faces]
        purposes = {f"--{roll.purpose}" for roll in rolls}
        words = [word[2:] if word in purposes else word for word in words if word != "with"]  # `--damage 3`
        own = [one for one in shapes(systems.procedure(TOOLS[name])[1]) if is_option(*one)]
        read = option_words.read(reader, [*fields, *own], words, True)
        said, words = [*option_words.written(read.options), *read.shared], read.left
        because = [] if "--because" in said else ["--because", REASON]
        if "--dice" in said:
            at = said.index("--dice") + 1
            by_hand = sum(not place for roll in rolls for place in roll.places)
            said[at] += ",-" * (by_hand - len(said[at].split(",")))
            yield [*said, *because]
            return
        for faces in _true_faces(reader, rolls, words):
            yield [*said, "--dice", ",".join(faces), *because]
        other = [*dropwhile(FILLERS.__contains__, words)]
        if {*other[:1]} & {*self._fitting.verbs.cards.recorded} - {declared.verb}:  # `amend e52 with pass iron`
            yield [*said, "--as", " ".join(other), *because]
        if found := self._in_fields(reader, verb, fields, declared, words):
            yield [*said, *found]
        elif said:
            yield said

    def _in_fields(
        self, reader: Reader, verb: "Verb", fields: Sequence["Field"], declared: Declared, words: Sequence[str]
    ) -> list[str]:
        """The options of a verb that take the words, each what the first that can takes; none where a word is left."""
        kinds = Kinds(self._console, reader, verb, True)
        who = str(declared.said.get("who", ""))
        own = {spelled(field.name): field.name for field, _ in fields}
        made: dict[str, list[str]] = {}
        asked = ""
        named = {name for word in words if reader.is_name(word) for name in reader.token(word).people}
        kept = named & {*said_of(declared)} if named - {*said_of(declared)} else set[str]()
        deed, strikes = declared.verb, {*self._fitting.verbs.cards.meaning("blow", "shot")}
        known = strikes if deed in strikes else {deed}  # the verb is known
        verbs = self._fitting.verbs.names.named
        words = [word for word in words if reader.token(word).step or known.isdisjoint(verbs(word.casefold()))]
        maps = any(shape.word == "square" for _, shape in fields)
        for token in reader.tokens(words, maps, own):
            if kept & {*token.people} or token.word.casefold() in _CONTRAST:
                continue  # `jane instead of tilda`
            if token.word.casefold() in own and not asked:
                asked = own[token.word.casefold()]
                continue
            open_ = [one for one in fields if not token.number or one[0].name in (asked, *declared.said)]
            taken = _field_of(kinds, open_, token, who, asked)
            if not taken:
                return []
            made.setdefault(taken[0], []).append(taken[1])
            asked = ""
        return [part for name, said in made.items() for part in (f"--{spelled(name)}", ",".join(said))]


def _true_faces(reader: Reader, rolls: Sequence[Rolled], words: Sequence[str]) -> Iterator[list[str]]:
    """The true faces of the dice of an entry, with a dash for each that stays: `9 not 7`, `the 7 was a 9`, or all of
    them, or the only one of somebody.
    """
    thrown = [(roll.who, face, roll.purpose) for roll in rolls for face in roll.faces]
    numbers = [int(part) for word in words for part in re.split(r"[,/;]", word) if part.isdigit() and len(part) <= 3]
    people = {name for word in words for name in reader.members(word)}
    people |= {_PURPOSES.get(low, low) for low in map(str.casefold, words)}  # a side that rolls is nobody
    theirs = [at for at, (who, *_) in enumerate(thrown) if who in people or who.casefold() in people]
    called = [at for at in theirs or range(len(thrown)) if thrown[at][2].casefold() in people]  # `damage 3`
    ours = called or theirs or [*range(len(thrown))]
    every = [*map(str, numbers), *["-"] * len(ours)][: len(ours)]
    faces = dict(zip(ours, every, strict=True))
    row = [faces.get(one, "-") for one in range(len(thrown))]
    plain = {word for word in map(str.casefold, words) if word.isalpha() and word not in FILLERS | _CONTRAST}
    meant = theirs or called or plain <= _DICE
    if len(numbers) == 2 and not _CONTRAST.isdisjoint(map(str.casefold, words)):
        for true, false in (numbers, numbers[::-1]):
            if at := [at for at in ours if thrown[at][1] == false]:
                yield [str(true) if one == at[0] else "-" for one in range(len(thrown))]
    elif numbers and len(numbers) <= len(ours) and meant:
        yield row


def _field_of(kinds: Kinds, fields: Sequence["Field"], token: Token, who: str, asked: str) -> tuple[str, str] | None:
    """The field that takes a word, with the word as it takes it; of several that `asked`, else not who acts."""
    able = [one for one in fields if one[0].name == asked] or sorted(fields, key=lambda one: one[0].name == "who")
    for field, shape in able:
        if token.people and shape.word in PEOPLE:
            return field.name, token.people[0]
        if not token.people and shape.word != "text" and (values := kinds.takes((field, shape), token, who)):
            return field.name, values[0][0][0]
    return None
