"""What somebody meant by words that no verb understands: commands made of the same words, which were tried. Loaded only
when a command has failed.

Only what works is offered, and only what takes nothing from anybody who is not named.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

import click
import msgspec

from commands.action import systems
from commands.action.book import Written
from commands.action.costs import given_up, told
from commands.action.declaration import Declaration
from commands.action.dice_sources import Source, Stream, Typed
from commands.action.names import SeveralNamed, find_all, resolve_names
from commands.action.procedures import ANY_DICE, after_opening, resolve
from commands.action.quoting import quoted
from commands.action.resolution import Again, Needed, Resolution
from commands.words.command import order_of
from commands.words.console import Console
from commands.words.examples import example
from ledger.errors import AffrayError, Refused, UsageError

from .fitting import DIRECTIONS, Fitting, Try
from .tools import TOOLS, check

if TYPE_CHECKING:
    from projections.state import State

_MOST = 3
"""The most commands that are offered for one that failed."""
_TRIES = 40
"""The most commands that are tried for one that failed."""
_ENTRY = re.compile(r"e?\d+|-.*")
"""An entry, or an option."""
_DEAD = ("dies", "died", "dead", "killed")
"""What becomes of somebody, in words that are no verb."""
_LOOKING = "commands.look."
"""The room of the verbs that only look."""
_CHANCES = 6
"""How many different dice of the program are tried where dice are lacking."""
_DICE_MORE = 24
"""The most dice that are left to the program behind those that were typed."""


def meant(console: Console, root: click.Context, typed: Sequence[str], said: str) -> list[str]:
    """The lines of a hint with what was meant by the words of a command that failed; none where nothing is found. Where
    the rules refuse what was meant, they say why, and what to do, unless that was `said` already.
    """
    search = _Search(console, root, console.book.present()[1], said)
    if typed[:1] == ["init"]:
        return []
    as_typed = search.works(Try(tuple(typed), False))
    if as_typed.partition("\n")[0] == _line(typed):
        return []  # the words are in order
    every: dict[tuple[str, ...], Try] = {}
    for one in islice(search.candidates(typed), 4 * _TRIES):
        every.setdefault(one.words, one)
    every.pop(tuple(typed), None)
    guessed: list[str] = []
    for one in islice(sorted(every.values(), key=lambda one: one.example), _TRIES):
        if one.example and guessed:
            break
        found = search.works(one)
        if found and not one.guessed and not guessed:
            return [found]
        if found:
            guessed.append(found)
        if len(guessed) == _MOST:
            break
    if as_typed:  # only dice are lacking
        return [as_typed]
    return guessed or search.ahead or search.ways or search.refusal


class _Search:
    """The search for what some words mean, at one moment of one ledger."""

    def __init__(self, console: Console, root: click.Context, state: "State", said: str) -> None:
        self.console, self.root, self.state, self.said = console, root, state, said
        self.system = state.campaign.system
        self.recorded = {**systems.COMMON, **systems.load(self.system).verbs}
        self.known = {**self.recorded, **TOOLS}
        self.fitting = Fitting(console, state)
        self._elsewhere = systems.load(self.system).elsewhere
        self.unnamed = False
        """Whether no word names a verb: how such a guess is misread is no reason to tell."""
        self.refusal: list[str] = []
        """Why the rules refuse the first command that was understood."""
        self.ways: list[str] = []
        """Why they refuse the first of those where they offer another command, and which."""
        self.ahead: list[str] = []
        """The first command of the same verb by which they say how it can be done."""

    def candidates(self, typed: Sequence[str]) -> Iterator[Try]:
        """Commands of these words, the nearest first."""
        words = [word for word in typed if word != "affray"]
        if words[:1] == ["odds"]:
            for one in self.candidates(words[1:]):
                if "--dice" not in one.words:  # odds take no dice
                    yield Try(("odds", *one.words), one.guessed, one.example)
            return
        verbs = [*self._verbs(words)]
        self.unnamed = not verbs
        for name, rest in verbs:
            if name in self.recorded:
                yield from self.fitting.commands(name, self.recorded[name], rest)
                if (other := self.recorded[name].near) in self.recorded:
                    for one in self.fitting.commands(other, self.recorded[other], rest):
                        yield one._replace(guessed=True)
            elif TOOLS[name].module.startswith(_LOOKING):
                yield from self.fitting.commands(name, TOOLS[name], rest)
                yield Try((name, *rest), False)
            elif TOOLS[name].past == "jumps" and not any(map(_ENTRY.fullmatch, rest)):
                yield Try((name,), True)
        if not verbs and words[1:] and words[-1].casefold() in _DEAD:
            words = [*words[:-1], "down", "dead"]
        if not verbs and words[1:]:  # `grub-2 hp 5`
            yield from self.fitting.commands("adjust", self.recorded["adjust"], words)
        for name in [name for name, _ in verbs[:1] if len(words) == 1 and name in self.recorded]:
            shown = example(self.system if name not in systems.COMMON else "", name)
            yield Try(tuple(shlex.split(shown)[1:]) or (name,), True)

    def _verbs(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """The verbs that words may mean, each with the other words: the first that is one, or means the same."""
        options = [at for at, word in enumerate(words) if word.startswith("--")]
        plain = [at for at in range(len(words)) if at not in options]
        for at in plain[:4]:
            for length in (2, 1):
                said = " ".join(words[at : at + length]).casefold()
                rest = [*words[:at], *words[at + length :]]
                north = said in DIRECTIONS  # where anybody goes north, they go north-east, too
                also = [
                    name
                    for name, verb in self.known.items()
                    if said in verb.also or (north and "north" in verb.also) or _third(said, name, verb)
                ]
                also += [name for name in re.findall(r"use (\w+)", self._elsewhere.get(said, "")) if name in self.known]
                if said in self.known and said != "init":
                    yield said, rest
                for name in also:
                    yield name, [*rest, said] if north else rest
                if length == 2 and also:
                    return
                if length == 1 and at == plain[0] and (begun := self._begun(said)) and begun not in also:
                    yield begun, rest
                elif length == 1 and at == plain[0] and not also and said not in self.known:
                    yield from ((name, rest) for name in self._alike(said))
                if length == 1 and said in self.known:
                    return

    def _begun(self, said: str) -> str:
        with suppress(UsageError):
            return systems.begun(said, self.known.items())
        return ""

    def _alike(self, said: str) -> list[str]:
        """Verbs whose summary has the word, or that are spelled very much like it."""
        from difflib import get_close_matches

        known = {name: verb for name, verb in self.known.items() if not verb.seldom and " " not in name}
        words = {name: re.findall(r"\w+", verb.summary.casefold()) for name, verb in known.items()}
        named = [name for name in known if len(said) > 3 and said in words[name] and known[name].by == "combatant"]
        spelled = {word: name for name, verb in known.items() for word in verb.also}
        close = [spelled[word] for word in get_close_matches(said, spelled, 2, 0.8)]
        close = get_close_matches(said, known, 2, 0.75) or close
        return [*dict.fromkeys([*close, *named])][:_MOST]

    # Trying

    def works(self, one: Try) -> str:
        """A command that works now, as it is typed; "" for one that fails, or takes something from others."""
        words = one.words[1:] if one.words[:1] == ("odds",) else one.words
        if not words:
            return ""
        verb = systems.verb_of(words, self.recorded)
        try:
            with self.root:
                if verb not in self.known:
                    return ""
                if verb not in self.recorded:
                    return _line(one.words) if self._reads(verb, words) else ""
                return self._resolved(one, words, verb)
        except (click.ClickException, click.exceptions.Exit, msgspec.ValidationError):
            return ""

    def _reads(self, verb: str, words: Sequence[str]) -> bool:
        """Whether a verb that only looks, or goes back, takes these words: it is carried out, if it looks, and what it
        says goes nowhere.
        """
        command = self.root.command.get_command(self.root, verb)  # type: ignore[attr-defined]
        if TOOLS[verb].past == "jumps":
            words = [*words, "--dry-run"]
        with suppress(AffrayError), command.make_context(verb, list(words[1:]), parent=self.root) as ctx:
            looks = TOOLS[verb].module.startswith(_LOOKING) or TOOLS[verb].past == "jumps"
            if looks:
                with redirect_stdout(StringIO()):
                    command.invoke(ctx)
            return looks or not words[1:]
        return False

    def _resolved(self, one: Try, words: Sequence[str], verb: str) -> str:
        """The line of a command that the rules allow; where dice are lacking, the program rolls the rest."""
        try:
            order = order_of(words, self.system)
            now = after_opening(self.state, order.verb, order.declaration)
            declaration = self._named(now, order.declaration)
            if self.recorded[verb].checked and not order.allow:
                declaration, _ = check(self.recorded[verb])(self.console.book, declaration)
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
        except Again:
            return _line(one.words)
        except AffrayError as error:
            ahead = error.hint.split("\n")[0]
            if ahead.startswith(f"affray {verb} ") and {*one.words} <= {*shlex.split(ahead)} and not error.held:
                self.ahead = self.ahead or [ahead]
            self._remember(one, error)
            return ""
        if fight.makeshift:
            return ""
        lost = given_up(fight)
        card = self.recorded[verb]
        if lost and not card.lets_go and (one.guessed or card.by != "referee"):
            return ""
        line = _line(one.words)
        if more and re.search(r"--dice \S*:", line):
            return ""  # whose dice are lacking is not known before they fall
        if more:
            line = re.sub(r"(--dice \S+)", rf"\1{',-' * more}", line)
        return f"{line}\n{told(lost)}".rstrip()

    def _named(self, state: "State", said: Declaration) -> Declaration:
        """What was said with all names in full. Where several do it, what the first of them does."""
        try:
            return resolve_names(state, said)
        except SeveralNamed as several:
            if getattr(said, "who", "") != several.word:
                raise
            first = find_all(state, tuple(several.word.split(",")))[0]
            return resolve_names(state, msgspec.structs.replace(said, who=first))

    def _remember(self, one: Try, error: AffrayError) -> None:
        """Keeps why the rules refuse what was said."""
        if not isinstance(error, Refused | UsageError) or (isinstance(error, UsageError) and self.unnamed):
            return
        why = f"If you mean {' '.join(map(quoted, one.words))}: {error.message}"
        hint = error.hint.splitlines()
        told = hint if error.message == self.said else [why, *hint]
        if one.guessed:
            return
        if any(line.startswith("affray ") for line in hint):
            self.ways = self.ways or told
        self.refusal = self.refusal or told


def _third(said: str, name: str, verb: systems.Verb) -> bool:
    """Whether a word is a verb in the third person, as `attacks`."""
    return any(said in (f"{one}s", f"{one}es") for one in (name, *verb.also))


def _line(words: Sequence[str]) -> str:
    return f"affray {' '.join(map(quoted, words))}"
