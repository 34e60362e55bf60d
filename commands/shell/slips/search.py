"""The commands that were meant by words that failed: made of the same words, and tried.

Only what works is offered, and only what takes nothing from anybody who is not named.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

import click
import msgspec

from commands.action import systems
from commands.action.book import Written
from commands.action.costs import given_up, told
from commands.action.declaration import Declaration, is_entry, shapes
from commands.action.dice_sources import Source, Stream, Typed
from commands.action.names import SeveralNamed, find_all, resolve_names
from commands.action.procedures import ANY_DICE, after_opening, resolve
from commands.action.quoting import quoted
from commands.action.resolution import Again, Needed, Resolution
from commands.shell.completion import words as completed
from commands.shell.group import GROUP
from commands.shell.tools import TOOLS, check
from commands.words.command import order_of
from commands.words.console import Console
from commands.words.examples import example
from ledger.errors import AffrayError, Refused, UsageError

from .company import STRANGE, UNLIKELY
from .fitting import Fitting, Try
from .verb_words import VerbWords

if TYPE_CHECKING:
    from projections.state import State

_MOST = 3
"""The most commands that are offered for one that failed."""
_TRIES = 40
"""The most commands that are tried for one that failed."""
_LOOKING = "commands.look."
"""The room of the verbs that only look."""
_MADE = 60
"""The most commands that are made with one verb, before the nearest are tried."""
_CHANCES = 6
"""How many different dice of the program are tried where dice are lacking."""
_OTHERWISE = (3, 7)
"""Other dice with which a command must work."""
_REASONS = 12
"""The most refusals of which the reason is kept."""
_DICE_MORE = 24
"""The most dice that are left to the program behind those that were typed."""


def meant(console: Console, root: click.Context, typed: Sequence[str], said: str) -> list[str]:
    """The lines of a hint with what was meant by the words of a command that failed; none where nothing is found. Where
    the rules refuse what was meant, they say why, and what to do, unless that was `said` already.
    """
    search = _Search(console, root, console.book.present()[1], said)
    if unknown := re.fullmatch(r"Nobody at the table is called '(.*)'\.", said):
        search.fitting.reader.unknown = unknown[1].casefold()
    as_typed = search.works(Try(tuple(typed), False))
    if as_typed.partition("\n")[0] == _line(typed):
        return []  # the words are in order
    found, far = search.among(search.candidates(typed), typed)
    if as_typed and far:  # only dice are lacking
        return [as_typed]
    if far > STRANGE and (nearer := search.ahead or search.why(1)):
        found = nearer
    found = found or search.ahead or search.costly[:1] or search.why()
    if not found and not search.understood:
        guess = search.why(guess=True)
        found = search.among(search.unsaid(typed), typed)[0] or search.why() or guess
    return found or [line for line in search.verbs.lacking(typed) if line != said]


class _Search:
    """The search for what some words mean, at one moment of one ledger."""

    def __init__(self, console: Console, root: click.Context, state: "State", said: str) -> None:
        self.console, self.root, self.state, self.said = console, root, state, said
        self.system = state.campaign.system
        self.fitting = Fitting(console, state)
        self.verbs = VerbWords(self.system, self.fitting.reader)
        self.unnamed = False
        """Whether no word names a verb: how such a guess is misread is no reason to tell."""
        self._refused: list[tuple[int, bool, list[str]]] = []
        """Why the rules refuse some of the commands that were tried, and what they offer, each with how far it is from
        what was said, 0 for one that holds nothing else, 1 for a guess, 2 where somebody was named whom nobody said;
        and whether it is unlikely.
        """
        self.costly: list[str] = []
        """Commands that take something from those whom they do not name, with who gives up what."""
        self.ahead: list[str] = []
        """The first command of the same verb by which they say how it can be done."""

    def among(self, candidates: Iterator[Try], typed: Sequence[str]) -> tuple[list[str], int]:
        """Those of some commands that work, and how far they are from what was said: the first that holds only that,
        at 0, or some of those that are guesses.
        """
        every: dict[tuple[str, ...], Try] = {}
        for one in islice(candidates, 5 * _MADE):
            every.setdefault(one.words, one)
        every.pop(tuple(typed), None)
        guessed: list[str] = []
        far = 1
        for one in self._nearest([*every.values()]):
            if guessed and one.far >= far:
                break
            found = self.works(one)
            if found and not one.guessed and not guessed:
                return [found], 0
            if found:
                far = one.far + 1
                guessed.append(found)
            if len(guessed) == _MOST:
                break
        return guessed, far

    def _nearest(self, every: Sequence[Try]) -> Iterator[Try]:
        """The commands to try, the nearest first, with not too many of any verb."""
        tried: dict[str, int] = {}
        for one in islice(sorted(every, key=lambda one: one.far), 5 * _MADE):
            tried[one.words[0]] = tried.get(one.words[0], 0) + 1
            if tried[one.words[0]] <= _TRIES // 2 and sum(tried.values()) <= 2 * _TRIES:
                yield one

    def unsaid(self, typed: Sequence[str]) -> Iterator[Try]:
        """Commands of verbs that none of the words says."""
        words = [word for word in typed if word != "affray"]
        if not self.state.roster.order:  # somebody acts who has not joined
            known = completed(self.console, "sheet", "")
            if sheets := [word for word in words if word in known]:
                yield Try(("join", *sheets), True)
        said = any(not one.guessed for one in self.verbs.said(words))
        self.unnamed = True
        for name, rest, *_ in self.verbs.unsaid(words, said):
            for one in islice(self.fitting.commands(name, self.verbs.known[name], rest), _MADE):
                yield one._replace(guessed=True)

    def candidates(self, typed: Sequence[str]) -> Iterator[Try]:
        """Commands of these words, the nearest first."""
        words = [word for word in typed if word != "affray"]
        if words[:1] == ["odds"]:
            for one in self.candidates(words[1:]):
                if "--dice" not in one.words:  # odds take no dice
                    yield one._replace(words=("odds", *one.words))
            return
        readings = [*self.verbs.said(words)]
        recorded = self.verbs.recorded
        for name, rest, guessed, unsure, subject, named in readings:
            counted = any(any(map(str.isdigit, word)) for word in rest)
            if guessed and self.verbs.counts(name) and not counted:
                continue
            if name in recorded and not named and (text := self.fitting.told(name, recorded[name], words)) is not None:
                yield from text
            elif name in recorded:
                for one in islice(self.fitting.commands(name, recorded[name], rest, subject), _MADE):
                    yield one._replace(guessed=one.guessed or guessed, unlikely=one.unlikely + unsure)
                if (other := recorded[name].near) in recorded:
                    for one in islice(self.fitting.commands(other, recorded[other], rest), _MADE):
                        yield one._replace(guessed=True)
            elif guessed and counted:
                continue
            elif TOOLS[name].module.startswith(_LOOKING):
                yield from self.fitting.commands(name, TOOLS[name], rest)
                yield Try((name, *rest), False)
            elif TOOLS[name].past == "jumps":
                yield from _jumps(name, rest)
            else:
                yield Try((name, *rest), False)
        for name in [name for name, rest, *_ in readings[:1] if not rest and name in recorded]:
            shown = shlex.split(example(self.system if name not in systems.COMMON else "", name))[1:]
            if "--dice" in shown:  # nobody has thrown them
                at = shown.index("--dice")
                del shown[at : at + 2]
            yield Try(tuple(shown) or (name,), True, unlikely=UNLIKELY - 1)

    def works(self, one: Try) -> str:
        """A command that works now, as it is typed; "" for one that fails, or takes something from others."""
        words = one.words[1:] if one.words[:1] == ("odds",) else one.words
        if not words:
            return ""
        verb = systems.verb_of(words, self.verbs.recorded)
        try:
            with self.root:
                if verb not in self.verbs.known:
                    return ""
                if verb not in self.verbs.recorded or verb in TOOLS:
                    return _line(one.words) if self._reads(verb, words) else ""
                return self._resolved(one, words, verb)
        except (click.ClickException, click.exceptions.Exit, msgspec.ValidationError):
            return ""

    def _reads(self, verb: str, words: Sequence[str]) -> bool:
        """Whether a verb that only looks, or goes back, takes these words: it is carried out, if it looks, and what it
        says goes nowhere.
        """
        command = GROUP.get_command(self.root, verb)
        if command is None:
            return False
        if TOOLS[verb].past == "jumps":
            words = [*words, "--dry-run"]
        with suppress(AffrayError), command.make_context(verb, list(words[1:]), parent=self.root) as ctx:
            looks = TOOLS[verb].module.startswith(_LOOKING) or TOOLS[verb].past == "jumps"
            if looks:
                with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                    command.invoke(ctx)
            return looks or not words[1:]
        return False

    def _resolved(self, one: Try, words: Sequence[str], verb: str) -> str:
        """The line of a command that the rules allow; where dice are lacking, the program rolls the rest."""
        try:
            order = order_of(words, self.system)
            now = after_opening(self.state, order.verb, order.declaration)
            declaration = self._named(now, order.declaration)
            if self.verbs.recorded[verb].checked and not order.allow:
                declaration, _ = check(self.verbs.recorded[verb])(self.console.book, declaration)
            faces, more = order.dice, 0
            for nth in range(_CHANCES):  # how many dice are lacking may depend on those of the program
                while True:
                    source: Source = Stream(bytes([nth]) * len(ANY_DICE), 0)
                    if faces is not None:
                        source = Typed((*faces, *[None] * more), source, order.spare)
                    try:
                        fight = resolve(Resolution(now, verb, declaration, source, order.allow))
                        self.console.book.check_unsaid([Written(tuple(fight.events), fight.state)])
                        break
                    except Needed:
                        more += 1
                        if more > _DICE_MORE:
                            return ""
                if not more:
                    break
            if faces is None and any(self._fails(now, verb, declaration, order.allow, nth) for nth in _OTHERWISE):
                return ""  # it works with some dice only
        except Again:
            return _line(one.words)
        except AffrayError as error:
            ahead = error.hint.split("\n")[0] if len(self._refused) < _REASONS else ""
            if ahead.startswith(f"affray {verb} ") and {*one.words} <= {*shlex.split(ahead)} and not error.held:
                self.ahead = self.ahead or [ahead]
            self._remember(one, error)
            return ""
        if fight.makeshift:
            return ""
        lost = given_up(fight)
        card = self.verbs.recorded[verb]
        line = _line(one.words)
        if lost and one.dropped and card.by == "referee":  # `end movement` ends no fight
            return ""
        if lost and (one.filled or (not card.lets_go and card.by != "referee")):
            if not more and (not one.guessed or (card.lets_go and one.far < 3)):
                self.costly.append(f"{line}\n{told(lost)}")
            return ""
        if more and re.search(r"--dice \S*:", line):
            return ""  # whose dice are lacking is not known before they fall
        if more:
            line = re.sub(r"(--dice \S+)", rf"\1{',-' * more}", line)
        return f"{line}\n{told(lost)}".rstrip()

    def _fails(self, state: "State", verb: str, said: Declaration, allow: str, nth: int) -> bool:
        """Whether the rules refuse a command with other dice of the program."""
        try:
            resolve(Resolution(state, verb, said, Stream(bytes([nth]) * len(ANY_DICE), 0), allow))
        except Again:
            return False
        except AffrayError:
            return True
        return False

    def _named(self, state: "State", said: Declaration) -> Declaration:
        """What was said with all names in full. Where several do it, what the first of them does."""
        try:
            return resolve_names(state, said)
        except SeveralNamed as several:
            field, shape = shapes(type(said))[0]  # a command of several is one of each only where they are named first
            first = shape.word == "fighter" and (field.required or shape.positional)
            if not first or getattr(said, field.name) != several.word:
                raise
            one = find_all(self.state, tuple(several.word.split(",")))[0]
            return resolve_names(state, msgspec.structs.replace(said, **{field.name: one}))

    def _remember(self, one: Try, error: AffrayError) -> None:
        """Keeps why the rules refuse what was said."""
        if not isinstance(error, Refused | UsageError) or (isinstance(error, UsageError) and self.unnamed):
            return
        if one.example:
            return
        far = 2 if one.filled or one.dropped else int(one.guessed)
        if len(self._refused) < _REASONS and (far < 2 or isinstance(error, Refused) or error.held):
            why = f"If you mean {' '.join(map(quoted, one.words))}: {error.message}"
            hint = error.hint.splitlines()
            self._refused.append((far, bool(one.unlikely), hint if error.message == self.said else [why, *hint]))

    def why(self, farthest: int = 2, guess: bool = False) -> list[str]:
        """Why the rules refuse what is nearest to what was said, and what they offer; sooner one where they offer
        something. Of a `guess` only what they offer counts, unless it is asked for, and of an unlikely one nothing.
        """
        nearest = sorted((one for one in self._refused if one[0] <= farthest), key=lambda one: one[0])
        offers = [
            (far, unlikely, lines)
            for far, unlikely, lines in nearest
            if any(line.startswith("affray ") for line in lines) and not unlikely
        ]
        sure = [one for one in (*offers, *nearest) if not one[0]]
        guesses = [one for one in nearest if guess and one[0] < 2 and not one[1]]
        return next((lines for _, _, lines in (*sure, *offers, *guesses)), [])

    @property
    def understood(self) -> bool:
        """Whether the rules refuse exactly what was said."""
        return any(not far for far, _, _ in self._refused)


def _jumps(name: str, rest: Sequence[str]) -> Iterator[Try]:
    """Ways to go back or on: by so many commands, to an entry, or by one."""
    words = [word.casefold() for word in rest]
    entries = sorted((int(word[1:]), word) for word in words if is_entry(word))
    for number in [word for word in words if re.fullmatch(r"\d{1,9}", word)][:1]:
        yield Try((name, "--times", number), True)
        yield Try((name, f"e{number}"), True)
    for _, entry in entries[:1]:
        yield Try((name, entry), True)
    if not any(word.startswith("-") or any(map(str.isdigit, word)) for word in words):
        yield Try((name,), True)


def _line(words: Sequence[str]) -> str:
    return f"affray {' '.join(map(quoted, words))}"
