"""The commands that were meant by words that failed: made of the same words, and tried.

Only what works is offered, and only what takes nothing from anybody who is not named.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from itertools import islice, takewhile
from typing import TYPE_CHECKING

import click
import msgspec

from commands.action import systems
from commands.action.costs import COST, each_once, given_up, told, with_word
from commands.action.declaration import Declaration, shapes
from commands.action.dice_sources import Stream
from commands.action.names import SeveralNamed, find_all, resolve_names
from commands.action.procedures import ANY_DICE, LeftOver, after_opening, resolve
from commands.action.quoting import quoted
from commands.action.resolution import ALL, REASON, Again, Resolution
from commands.shell.completion import words as completed
from commands.shell.group import GROUP
from commands.shell.tools import TOOLS, check, trial
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from commands.words.discovery import is_there
from commands.words.examples import example
from commands.words.parameters import BEFORE_DICE, declared, is_option
from ledger.errors import AffrayError, Disagreement, Refused, UsageError

from . import left_out, option_words
from .chances import assumed
from .company import PEOPLE, STRANGE, UNLIKELY
from .courses import resolved, written
from .first_command import one_command, without_dice, without_die
from .fitting import Fitting
from .otherwise import asked, asks_for_odds, by_verb, to_note, to_show
from .places import Try
from .tool_words import ToolWords
from .unsaid import unsaid

if TYPE_CHECKING:
    from projections.state import State

_MOST = 3
"""The most commands that are offered for one that failed."""
_TRIES = 40
"""The most commands that are tried for one that failed."""
_MADE = 60
"""The most commands that are made with one verb, before the nearest are tried."""
_REASONS = 12
"""The most refusals of which the reason is kept."""
_NEAR = 2
"""How far the deed is that is named on the card of the one that was said."""
_NO_FACE = r"(\d+) is not a face of "
"""What is told of a number that a die cannot show."""
_NOW = "What can be done now:"
"""What is said before commands that nobody has asked for."""
_WHAT_IF = frozenset({"if", "when", "would", "will", "should", "could", "happens", "happen"})
"""Words of a question about what will be."""
_WHY, _SAME_VERB, _BY_RULES, _OTHER_VERB, _DEAR, _LAST = range(6)
"""The places of lines in a refusal of what was said: why, what costs nobody anything, what does, and other words where
the turn was to go on.
"""
_LONGEST = 200
"""The most characters of a line that sets dice aside."""


def meant(console: Console, root: click.Context, typed: Sequence[str], said: str) -> list[str]:
    """The lines of a hint with what was meant by the words of a command that failed; none where nothing is found. Where
    the rules refuse what was meant, they say why, and what to do, unless that was `said` already. Where no command was
    meant, what can be done now is offered.
    """
    if "--ledger" in typed[1:-1]:  # it stands before the verb
        at = typed.index("--ledger")
        there = is_there(typed[at + 1]) or typed[0] == "init"
        return [_line((*typed[at : at + 2], *typed[:at], *typed[at + 2 :]))] if there else []
    search = _Search(console, root, console.book.present()[1], said)
    search.typed = typed
    typed, then = one_command(search.verbs, typed)
    search.thrown = any(re.match(r"--?(d(ice)?|roll\w*|throw\w*)\b|=", word) for word in typed)
    if unknown := re.fullmatch(r"Nobody at the table is called '(.*)'\.", said):
        search.fitting.reader.unknown = unknown[1].casefold()
    tool = typed[1:] and systems.verb_of([*typed, ""], TOOLS) in TOOLS
    whole = [*typed[:1]]
    with suppress(UsageError):  # which could be several
        whole = [whole_verb(word, search.system) for word in whole]
    first = "".join(typed[:1])
    if whole == [search.verbs.names.begun(first)] != typed[:1] and whole[0].startswith(first.casefold()):
        typed = [*whole, *typed[1:]]  # `a grub-1 jane 12 4`
    as_typed = "" if tool else search.works(Try((*whole, *typed[1:]), False))
    if as_typed.partition("\n")[0] == _line(search.typed):
        return []  # the words are in order
    found, far = search.among(search.candidates(typed))
    if as_typed and far:  # only dice are lacking
        return [as_typed]
    found = search.weighed(found, far, typed)
    why = search.why(1)
    nearest = why if _offers("\n".join(why)) and not search.friends else search.at_a_cost() or why
    found = found or search.ahead or nearest or search.why() or search.shown(typed)
    if not found and not search.understood and not search.verbs.names.is_tool(typed):
        guess = search.why(guess=True)
        found = search.among(search.unsaid(typed))[0] or search.why() or guess
    if not found and (lacking := search.verbs.names.lacking(typed)):
        return [line for line in lacking if line != said]
    known = search.verbs.cards.recorded
    read = {one.verb for one in search.verbs.readings(typed)}
    verbs = {verb for verb in read if verb in known and not known[verb].past}
    told = left_out.told(found, typed, said, verbs) or ([] if search.understood else search.otherwise(typed))
    told = [f"{line}\n{search.sums[line]}" if search.sums.get(line) else line for line in told]
    return [*search.nobody(typed), *(_and_then(search, told, then) if then else told)]


def _and_then(search: "_Search", lines: Sequence[str], then: Sequence[str]) -> list[str]:
    """Some lines, the first command with the next one that was said, as it is meant once the first is done."""
    made = [*lines]
    for at, line in enumerate(lines):
        if fight := search.done.get(line.partition("\n")[0]):
            after = _Search(search.console, search.root, fight.state, "")
            who, words = getattr(fight.declaration, "who", ""), one_command(after.verbs, then)[0]
            if isinstance(who, str) and who and not any(map(after.fitting.reader.names_some, words[:1])):
                words = [who, *words]
            found = after.among(after.candidates(words))[0] or after.costly
            kept = [one for one in found if not left_out.numbers(one, words, "")]
            behind = f"then: {' '.join(kept[0].splitlines())}" if kept else f"leaves out: {' '.join(then)}"
            made[at] = line if {*words} <= {*line.split()} else f"{line}\n({behind})"
            break
    return made


def allowed(console: Console, root: click.Context, typed: Sequence[str]) -> str:
    """A command as it was typed, with the referee's word for it; "" where that does not make it possible."""
    search = _Search(console, root, console.book.present()[1], "")
    ways = (search.works(Try((*typed, "--allow", why), True)) for why in (REASON, f"{ALL}: {REASON}"))
    return next(filter(None, ways), "")


def with_dice(console: Console, root: click.Context, typed: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines of a hint, of which those that are deeds of the same one keep the dice that were typed, where they take
    them.
    """
    search = _Search(console, root, console.book.present()[1], "")
    said = option_words.read(search.fitting.reader, (), typed, True).shared
    known = search.verbs.cards.known
    fields = search.verbs.cards.fields(typed[0]) if typed[:1] and typed[0] in known else ()
    counts = sum(
        shape.base is int and not is_option(field, shape) for field, shape in fields
    )  # `charge Guard-1 Rolf 20`
    thrown = said[said.index("--dice") + 1] if "--dice" in said else ",".join(_faces_behind(typed)[counts:])
    deeds = {name for name, card in search.verbs.cards.recorded.items() if card.by == "combatant"}
    named = {one.verb for one in search.verbs.readings(typed) if one.named}
    reader = search.fitting.reader
    doer = next((reader.token(word).people[:1] for word in typed if reader.is_name(word)), ())

    def theirs(line: str) -> bool:
        verb, who = (*line.split()[1:3], "", "")[:2]
        return verb in deeds and (verb in named or reader.token(who).people[:1] == doer)

    return [
        search.with_dice(line, thrown, line.split()[1] in named) if thrown and theirs(line) else line for line in lines
    ]


def _faces_behind(words: Sequence[str]) -> list[str]:
    """The numbers at the end of some words."""
    many = next((nth for nth, word in enumerate(reversed(words)) if not word.isdigit()), 0)
    option = "".join(words[: len(words) - many][-1:]).startswith("--")  # its value
    return [] if option or not many else [*words[len(words) - many :]]


class _Search:
    """The search for what some words mean, at one moment of one ledger."""

    def __init__(self, console: Console, root: click.Context, state: "State", said: str) -> None:
        self.console, self.root, self.state, self.said = console, root, state, said
        self.system = state.campaign.system
        self.fitting = Fitting(console, state)
        self.verbs = self.fitting.verbs
        self.tools = ToolWords(self.fitting)
        self.typed: Sequence[str] = ()
        """What was typed."""
        self.unnamed = False
        """Whether no word names a verb: how such a guess is misread is no reason to tell."""
        self.told = False
        """Whether it is told already why the words that were typed are impossible."""
        self._keeping = False
        """Whether it is tried what a refusal offers, with the dice that were thrown."""
        self.thrown = False
        """Whether dice were said, which are not lost."""
        self._refused: list[tuple[int, bool, str, AffrayError]] = []
        """Why the rules refuse some of the commands that were tried, each with how far it is from what was said, 0 for
        one that holds nothing else, 1 for a guess, 2 where somebody was named whom nobody said; whether it is unlikely;
        and the line that says so, "" where that was said already.
        """
        self.refused: list[Try] = []
        """Those that hold nothing else than what was said."""
        self.nearest = Try((), False)
        """The first of those that work."""
        self.costly: list[str] = []
        """Commands that take something from those whom they do not name, with who gives up what."""
        self.friends: list[str] = []
        """Those of somebody whom nobody named, who does it for their side."""
        self.dear = ""
        """The verb of the first of these."""
        self.ahead: list[str] = []
        """The first command of the same verb by which they say how it can be done."""
        self.whole: list[str] = []
        """The first that they say so of what is no guess."""
        self.sums: dict[str, str] = {}
        """What is told below the lines that roll dice of which the sum is meant."""
        self.done: dict[str, Resolution] = {}
        """The lines that work, each with what it does."""

    def among(self, candidates: Iterator[Try]) -> tuple[list[str], int]:
        """Those of some commands that work, and how far they are from what was said: the first that holds only that,
        at 0, or some of those that are guesses.
        """
        every: dict[tuple[str, ...], Try] = {}
        for one in islice(candidates, 5 * _MADE):
            same = tuple(map(str.casefold, one.words))
            if same not in every or (one.guessed, one.far) < (every[same].guessed, every[same].far):
                every[same] = one
        same = tuple(map(str.casefold, self.typed))
        if same in every and every[same].words == tuple(self.typed):
            del every[same]
        guessed: list[str] = []
        lossy: list[str] = []
        far = 1
        for one in self._nearest([*every.values()]):
            if guessed and one.far >= far:
                break
            found = self.works(one)
            if found and self._loses(one, found):  # sooner is told why it is impossible with them
                lossy.append(found)
                continue
            if found and not one.guessed and not guessed:
                return [found], 0
            if found:
                self.nearest = self.nearest if guessed else one
                far = one.far + 1
                guessed.append(found)
            if len(guessed) == _MOST:
                break
        return (guessed, far) if guessed or self._refused else (lossy[:_MOST], far)

    def _loses(self, one: Try, line: str) -> bool:
        """Whether a blow or a shot takes some of the numbers that were typed and leaves out others, which are dice; or
        an example stands for one that was typed.
        """
        card = self.verbs.cards.known.get(one.words[0])
        if card is not None and not {"blow", "shot"}.isdisjoint(card.hints.ideas):
            return len(left_out.numbers(line, self.typed, self.said)) > 1
        counts = one.example and without_dice(one.words)[-1].isdigit()
        return counts and card is not None and card.by != "combatant" and bool(left_out.numbers(line, self.typed, ""))

    def weighed(self, found: list[str], far: int, typed: Sequence[str]) -> list[str]:
        """What is nearest to what was said: what works, so far from it, or what the rules refuse, and why."""
        sure = [
            verb for verb in (self.dear, *self.nearest.words[:1]) if far and verb and self.verbs.is_sure(verb, typed)
        ]
        if self.dear and sure == [self.dear] and (far > 1 or not found):  # and what works is another verb
            found = self.at_a_cost()
        if far and self.whole:
            return self.whole
        if far > STRANGE and (nearer := self.ahead or self.why(1) or self.at_a_cost()):
            return nearer
        return self._beside(found) if far > 1 and found and self.understood else found

    def at_a_cost(self) -> list[str]:
        """The first command that takes something from others; else those of friends, and why one who acts cannot."""
        why = [line for line in self.why(1, word=False) if not line.startswith(("affray ", "("))]
        return self.costly[:1] or [*(why if self.friends else ()), *self.friends[:_MOST]]

    def _beside(self, found: Sequence[str]) -> list[str]:
        """Why the rules refuse what was said; then what costs nobody anything: by the same verb, by the rules, and by
        other words; then what does. Where the turn was to go on to somebody, the rules come before other words.
        """
        verb, *whom = self.refused[0].words
        card = self.verbs.cards.recorded.get(verb)
        told = each_once(self.why(0, word=False))
        if card and not {"step", "flight"}.isdisjoint(card.hints.ideas):  # nobody is taken away who only may not act
            found = [line for line in found if line.split()[1] != "leave"]
        if card and card.by == "turn":  # who wants to go on does not only want to look
            found = [line for line in found if line.split()[1] not in TOOLS]

        goes_on = card is not None and card.by == "turn" and not {*whom}.isdisjoint(self.state.roster.members)

        def place(line: str) -> int:
            if line not in found:
                return _DEAR if COST in line else _BY_RULES if line.startswith("affray ") else _WHY
            return _LAST if goes_on else _SAME_VERB if line.split()[1] == verb else _OTHER_VERB

        return with_word("\n".join(sorted([*told, *found], key=place)), "").splitlines()

    def _nearest(self, every: Sequence[Try]) -> Iterator[Try]:
        """The commands to try, the nearest first, with not too many of any verb."""
        tried: dict[str, int] = {}
        for one in islice(sorted(every, key=lambda one: one.far), 5 * _MADE):
            tried[one.words[0]] = tried.get(one.words[0], 0) + 1
            if tried[one.words[0]] <= _TRIES // 2 and sum(tried.values()) <= 2 * _TRIES:
                yield one

    def unsaid(self, words: Sequence[str]) -> Iterator[Try]:
        """Commands of verbs that none of the words says."""
        if not self.state.roster.order:  # somebody acts who has not joined
            known = completed(self.console, "sheet", "")
            if sheets := [word for word in words if word in known]:
                yield Try(("join", *sheets), True)
        said = any(not one.guessed for one in self.verbs.said(words))
        self.unnamed = True
        if words and "." in words[0] and self.fitting.reader.is_name(words[0].partition(".")[0]):  # `aldric.hp = 44`
            value = [word for word in words[1:] if word != "="]
            yield Try(("assert", words[0], *value) if value else ("why", words[0]), True)
        for name, rest, *_ in unsaid(self.verbs, words, said):
            for one in islice(self.fitting.commands(name, self.verbs.cards.known[name], rest), _MADE):
                yield one._replace(guessed=True)

    def candidates(self, words: Sequence[str]) -> Iterator[Try]:
        """Commands of these words, the nearest first."""
        if words[:1] == ["odds"]:
            deeds = [one.verb for one in self.verbs.readings(words[1:]) if one.verb not in TOOLS]
            for one in self.candidates(words[1:]) if deeds else self._blows(words[1:]):
                if "--dice" not in one.words and one.words[0] != "odds":  # odds take no dice
                    yield one._replace(words=("odds", *one.words))
            return
        yield from self.tools.asked(words)
        readings = [*self.verbs.readings(words)]
        if asks_for_odds(words) and self.verbs.strikes(words):  # `what if elowen hits orc-1`
            yield from self.candidates(["odds", *(word for word in words[1:] if word.casefold() not in _WHAT_IF)])
            return
        recorded, made = self.verbs.cards.recorded, False
        for name, rest, guessed, unsure, subject, named in readings:
            counted = any(any(map(str.isdigit, word)) for word in rest)
            if guessed and self.verbs.cards.counts(name) and not counted:
                continue
            if name == "odds" and words[:1] != ["odds"]:
                for one in self.candidates(["odds", *rest]):
                    yield one._replace(guessed=True)
            elif name in TOOLS:
                if not (guessed and counted and not (TOOLS[name].past or TOOLS[name].hints.alone)):
                    for one in islice(self.tools.commands(name, rest, named), _MADE):
                        made = True
                        yield one._replace(guessed=one.guessed or guessed, unlikely=one.unlikely + unsure)
            elif not named and (text := self._told(name, rest, words)) is not None:
                yield from text if guessed else (one._replace(dropped=0) for one in text)
            else:
                if sum_of := self.fitting.sum_of(recorded[name], rest):  # it is rolled first
                    self.sums[_line(("roll", sum_of))] = self._summed(name, rest, sum_of)
                    yield Try(("roll", sum_of), guessed, unlikely=unsure)
                ways = [*islice(self.fitting.commands(name, recorded[name], rest, subject), _MADE)]
                doubt = unsure and (made or readings[0].guessed)  # `thrall flees` where there is nowhere to move to
                for one in ways:
                    doubtful = one.unlikely + doubt
                    yield one._replace(guessed=one.guessed or guessed, unlikely=doubtful, subject=subject)
                made = made or bool(ways)
                if (other := recorded[name].hints.near) in recorded:
                    for one in islice(self.fitting.commands(other, recorded[other], rest, subject), _MADE):
                        yield one._replace(guessed=True, unlikely=one.unlikely + _NEAR, subject=subject)
        for name in [name for name, rest, *_ in readings[:1] if not rest and name in recorded]:
            if (lists := recorded[name].hints.lists) and not recorded[name].is_so:  # what it can be said of
                yield Try(tuple(lists.split()), True)
            shown = shlex.split(example(self.system if name not in systems.COMMON else "", name))[1:]
            yield Try(without_dice(shown) or (name,), True, unlikely=UNLIKELY - 1)

    def _summed(self, name: str, words: Sequence[str], dice: str) -> str:
        """What is told below a roll: the command of a verb that takes the sum of these dice."""
        stands = "1"  # no other number was said
        after = _Search(self.console, self.root, self.state, "")
        said = [stands if word == dice else word for word in words]
        found, _ = after.among(islice(after.fitting.commands(name, self.verbs.cards.recorded[name], said), _MADE))
        line = " ".join(["N" if word == stands else word for word in found[0].split(" ")]) if found else ""
        return f"(then, with the sum for N: {line})" if line else ""

    def _told(self, name: str, rest: Sequence[str], words: Sequence[str]) -> list[Try] | None:
        """The commands of a verb that takes free words; its own are no part of a spell, nor of what is waited for."""
        verb = self.verbs.cards.recorded[name]
        apart = not {"magic", "prayer", "waiting"}.isdisjoint(verb.hints.ideas)
        more = not all(map(self.fitting.reader.is_name, rest))
        return self.fitting.told(name, verb, rest if apart and more else words)

    def _blows(self, words: Sequence[str]) -> Iterator[Try]:
        """The blows of those who are named."""
        for name, verb in systems.load(self.system).verbs.items():
            if not {"blow", "shot"}.isdisjoint(verb.hints.ideas):
                yield from islice(self.fitting.commands(name, verb, words), _MADE)

    def otherwise(self, words: Sequence[str]) -> list[str]:
        """A note of what was said, where it is prose, and what can be done now; nothing where a verb is said for
        sure.
        """
        if words and self.verbs.names.begins_several(words[0]):  # which is said already
            return []
        first = [words[0]] if words and words[0] in self.verbs.cards.known else []
        if sure := first or [one.verb for one in self.verbs.said(words) if not one.guessed]:
            if lists := self.verbs.cards.known[sure[0]].hints.lists:
                return [_line(lists.split())]
            return [] if self.told else [_line((*sure[0].split(), "--help"))]
        shown = [found for one in to_show(self.fitting, words) if (found := self.works(one))]
        if noted := [found for one in to_note(self.fitting, words) if (found := self.works(one))]:
            return [*shown, *noted]
        now: list[str] = []
        for ways in by_verb(self.fitting, self.system, words):
            works = (found for one in ways if (found := self.works(one)) and (not now or "\n" not in found))
            now += islice(works, 1)
            if len(now) == _MOST - 1:
                break
        return [*shown, *([_NOW, *now] if now else []), *([] if shown else ["affray --help"])]

    def nobody(self, words: Sequence[str]) -> list[str]:
        """That nobody has a name that somebody should act under, or be struck, where that is not said already."""
        reader, cards = self.fitting.reader, self.verbs.cards
        deed = words[:1] and words[0] in cards.own and cards.own[words[0]].by == "combatant"
        lost = [word for word in words[1:] if deed and reader.is_nobody(word)]
        return [f"Nobody at the table is called {one!r}." for one in lost[:1] if one not in self.said]

    def shown(self, typed: Sequence[str]) -> list[str]:
        """Who it is about, where somebody asks."""
        return [found for one in asked(self.fitting, typed) if (found := self.works(one))]

    def works(self, one: Try) -> str:
        """A command that works now, as it is typed; "" for one that fails, or takes something from others."""
        words = one.words[1:] if one.words[:1] == ("odds",) else one.words
        words = words[2:] if words[:1] == ("--ledger",) else words
        if not all(map(str.strip, words)) or not words:
            return ""
        verb = systems.verb_of(words, self.verbs.cards.known)
        try:
            with self.root:
                if verb not in self.verbs.cards.known:
                    return ""
                if verb not in self.verbs.cards.recorded or verb in TOOLS:
                    return _line(one.words) if self._reads(one, verb, words) else ""
                odds = one.words[:1] == ("odds",)
                return self._foreseen(one, words, verb) if odds else self._resolved(one, words, verb)
        except (click.ClickException, click.exceptions.Exit, msgspec.ValidationError):
            return ""

    def _reads(self, one: Try, verb: str, words: Sequence[str]) -> bool:
        """Whether a tool takes these words now. What only shows something is carried out, and what it says goes
        nowhere; of another it is tried what can be without doing anything.
        """
        command, card = GROUP.get_command(self.root, verb), TOOLS[verb]
        if command is None:
            return False
        if card.past == "jumps":
            words = [*words, "--dry-run"]
        if card.past == "amends":  # it only shows what would be, if nobody says otherwise
            words = [word for word in words if word != "--apply"]
        try:
            with command.make_context(verb, list(words[len(verb.split()) :]), parent=self.root) as ctx:
                if card.kind == "looks" or card.past in ("jumps", "amends"):
                    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                        command.invoke(ctx)
                elif card.hints.trial:
                    given = {name: value for name, value in ctx.params.items() if name[:1] != "_"}
                    trial(card)(self.console, declared(systems.procedure(card)[1], given, ""))
                return (
                    card.kind == "looks"
                    or bool(card.past or card.hints.trial)
                    or ([*words] == [verb] and verb.isalpha())
                )
        except AffrayError as error:
            self._note_offer(one, verb, error)
        return False

    def _foreseen(self, one: Try, words: Sequence[str], verb: str) -> str:
        """The line of the odds of a deed, with what has to be assumed where it is none of now."""
        try:
            order = order_of(words, self.system)
            said = self._named(self.state, order.verb, order.declaration)
            people = [
                field.name
                for field, shape in shapes(type(said))
                if shape.word in PEOPLE and not is_option(field, shape)
            ]
            free = any(getattr(said, field.name) is True for field, _ in shapes(type(said)))  # `grapple guard --escape`
            if not (free or all(getattr(said, name) for name in people)):
                return ""  # nobody is struck
            return _line(("odds", *assumed(self.state, verb, said, order.allow), *words))
        except AffrayError as error:
            self._note_offer(one, verb, error)
        return ""

    def _resolved(self, one: Try, words: Sequence[str], verb: str) -> str:
        """The line of a command that the rules allow; where dice are lacking, the program rolls the rest."""
        try:
            order = order_of(words, self.system)
            now = after_opening(self.state, order.verb, order.declaration)
            declaration = self._named(now, order.verb, order.declaration)
            if (
                self.verbs.cards.recorded[verb].role == "aside"
                and self.verbs.cards.recorded[verb].beside
                and not order.allow
            ):
                declaration, _ = check(self.verbs.cards.recorded[verb])(self.console.book, declaration)
            found = resolved(self.console.book, now, order, declaration)
            if found is None:
                return ""
            fight, more = found
        except Again:
            return _line(one.words)
        except Disagreement as error:  # of a value that was named it is an answer
            named = error.message.partition(" is ")[0].partition(".")[2]
            said = named in " ".join(self.typed).casefold() and one.words[-1] in self.typed
            return _line(one.words) if said else ""
        except AffrayError as error:
            odd = re.match(_NO_FACE, error.message)
            if odd and (left := without_die(one.words, odd[1])) != one.words:  # the program rolls that one
                return self.works(one._replace(words=left))
            card = self.verbs.cards.recorded[verb]
            declares = not card.hints.blow and not {"blow", "shot"}.isdisjoint(
                card.hints.ideas
            )  # what is rolled comes later
            spared = Try(without_dice(one.words) if declares else (*one.words, "--spare"), True)
            several = any(self.fitting.reader.is_several(word) for word in one.words[1:])
            thrown = self.thrown or card.hints.blow or declares
            offers = not several and thrown and not error.hint and len(_line(spared.words)) < _LONGEST
            if isinstance(error, LeftOver) and offers and "--spare" not in one.words:
                error.hint = self.works(spared).partition("\n")[0]
            self._note_offer(one, verb, error)
            return ""
        if fight.makeshift:
            return ""
        lost = given_up(fight)
        card = self.verbs.cards.recorded[verb]
        line = written(_line(one.words), order, fight, more)
        self.done[line] = fight
        people = any(shape.word in PEOPLE for _, shape in shapes(type(order.declaration)))
        if lost and one.dropped and card.by == "referee" and not people:  # `end movement` ends no fight
            return ""
        if lost and (one.filled or (not card.lets_go and card.by != "referee")):
            sure = not one.guessed or (not one.filled and not one.far)
            if not more and (sure or (card.lets_go and one.far < 3)):
                self.costly.append(f"{line}\n{told(lost)}")
                self.dear = self.dear or verb
            elif card.hints.friendly and one.filled and not (more or one.example):
                self.friends.append(f"{line}\n{told(lost)}")
            return ""
        return f"{line}\n{told(lost)}".rstrip()

    def _named(self, state: "State", verb: str, said: Declaration) -> Declaration:
        """What was said with all names in full. Where several do it, what the first of them does. Raises AffrayError
        where one who was named cannot.
        """
        try:
            return resolve_names(state, said)
        except SeveralNamed as several:
            field, shape = shapes(type(said))[0]  # a command of several is one of each only where they are named first
            first = shape.word == "fighter" and (field.required or shape.positional)
            if not first or getattr(said, field.name) != several.word:
                raise
            each = [
                resolve_names(state, msgspec.structs.replace(said, **{field.name: one}))
                for one in find_all(self.state, tuple(several.word.split(",")))
            ]
            for other in each[1:] if several.word[:1] != "@" else ():
                with suppress(Again):
                    resolve(Resolution(state, verb, other, Stream(ANY_DICE, 0)))
            return each[0]

    def _note_offer(self, one: Try, verb: str, error: AffrayError) -> None:
        """Keeps why a command is impossible, and the first by which it says how it can be done; none that turns round
        who does it, where that is said before the verb.
        """
        if self._keeping:
            return
        if one.subject and not self._of_other(one.words):
            turned = [
                line
                for line in error.hint.split("\n")
                if not (line.startswith("affray ") and _is_turned(line, one.words))
            ]
            error.hint = "\n".join(turned)
        first, *more = error.hint.split("\n")
        card = self.verbs.cards.known[verb]
        counts = card.hints.blow or (self.thrown and card.by == "combatant")  # else the number may be none of a die
        _, other, who, *_ = [*first.split(), "", "", ""]
        waits = other in self.verbs.cards.meaning("release", "opening")  # a shot that was held is a shot
        same = waits and who in one.words and not {"blow", "shot"}.isdisjoint(card.hints.ideas)
        if len(self._refused) < _REASONS and "--dice" in one.words and (same or (counts and other == verb)):
            kept = self.with_dice(first, one.words[one.words.index("--dice") + 1])
            error.hint = "\n".join([kept, *more])
        ahead = error.hint.split("\n")[0] if len(self._refused) < _REASONS else ""
        same = ahead.startswith(f"affray {verb} ") and {*one.words} <= {*shlex.split(ahead)}
        lossy = bool(left_out.numbers(_line(one.words), self.typed, ""))  # another number would stand for what was said
        if same and not lossy and not error.held and one.unlikely < STRANGE:
            self.ahead = self.ahead or [ahead]
            self.whole = self.whole or [ahead] * (not one.guessed)
        self._remember(one, error)

    def _of_other(self, words: Sequence[str]) -> bool:
        """Whether the thing that is used is not the one's who does it, but of the other: `minion-3 attack with bow
        jane`, whose bow it is.
        """
        things = self.fitting.reader.things
        people = [word for word in words if word in self.state.roster.members][:2]
        used = words[words.index("--with") + 1] if "--with" in words else ""
        return len(people) > 1 and bool(used and not things(people[0], used) and things(people[1], used))

    def with_dice(self, line: str, faces: str, spared: bool = True) -> str:
        """A line that a refusal offers, with the dice that were thrown, where it takes them; with those set aside that
        it does not need, where they may be `spared`. What it costs is said already.
        """
        if self._keeping or not line.startswith("affray ") or re.search(rf" (--dice|{BEFORE_DICE})", line):
            return line
        words = (*shlex.split(line)[1:], "--dice", faces)
        self._keeping, costly, self.costly = True, self.costly, []
        works = (self.works(Try(one, False)) for one in (words, (*words, "--spare"))[: 1 + spared])
        found = next(filter(None, works), "") or "".join(self.costly[:1])
        self._keeping, self.costly = False, costly
        return found.partition("\n")[0] or line

    def _remember(self, one: Try, error: AffrayError) -> None:
        """Keeps why the rules refuse what was said."""
        form = isinstance(error, UsageError) and not (isinstance(error, LeftOver) and error.hint)
        if not isinstance(error, Refused | UsageError) or (form and self.unnamed):
            return
        if error.message == self.said and self.verbs.names.is_tool(
            one.words
        ):  # how the words are misread is said already
            self.told = True
            return
        if one.example or one.lost:
            return
        far = 2 if one.filled else int(one.guessed or one.unlikely > 0)
        self.refused += [one] * (not far)
        if len(self._refused) < _REASONS:
            why = f"If you mean {' '.join(map(quoted, one.words))}: {error.message}"
            self._refused.append((far, bool(one.unlikely), why if error.message not in self.said else "", error))

    def why(self, farthest: int = 2, guess: bool = False, word: bool = True) -> list[str]:
        """Why the rules refuse what is nearest to what was said, and what they offer; sooner one where they offer
        something. Of a `guess` only what they offer counts, unless it is asked for, and of an unlikely one nothing.
        With the referee's `word` for what holds nothing else than what was said.
        """
        nearest = sorted((one for one in self._refused if one[0] <= farthest), key=lambda one: one[0])
        offers = [one for one in nearest if not one[1] and _offers(one[3].hint)]
        sure = [one for one in (*offers, *nearest) if not one[0]]
        guesses = [one for one in nearest if guess and not one[1]]
        told = [one for one in sure if not (one[2] or _offers(one[3].hint)) and isinstance(one[3], UsageError)]
        first = [one for one in sure if one not in told]  # a form that is told already, and nothing for it, comes later
        for far, _, why, error in (*first, *offers, *told, *guesses):
            if not why:  # what refuses it is told already
                return error.hint.splitlines()
            own = error.overruling() if error.overruling and word and self.console.overrules else ""
            return [why, *with_word(error.hint, own if not far or self._names_all(own) else "").splitlines()]
        return []

    def _names_all(self, line: str) -> bool:
        """Whether everybody and everything in a command that is allowed was said."""
        said, every = [*map(str.casefold, self.typed)], " ".join(self.typed).casefold()
        words = map(str.casefold, shlex.split(line.partition("\n")[0].partition(" --allow ")[0])[2:])
        return all(word in said or word[:2] == "--" or (" " in word and word in every) for word in words)

    @property
    def understood(self) -> bool:
        """Whether the rules refuse exactly what was said."""
        return bool(self.refused)


def _is_turned(line: str, words: Sequence[str]) -> bool:
    """Whether a line has the same arguments in another order."""
    if not line.startswith("affray "):
        return False
    offered, said = ([*takewhile(lambda one: one[:2] != "--", some)] for some in (shlex.split(line)[1:], words))
    return offered != said and sorted(offered) == sorted(said)


def _offers(hint: str) -> bool:
    """Whether a hint holds a command that is more than its own explanation."""
    return any(line.startswith("affray ") and not line.endswith("--help") for line in hint.splitlines())


def _line(words: Sequence[str]) -> str:
    return f"affray {' '.join(map(quoted, words))}"
