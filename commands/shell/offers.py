"""What may stand for the word that a line ends with: the same words as the completion of a shell."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeGuard

from click.shell_completion import ShellComplete, split_arg_string
from msgspec import Struct

from commands.action import systems
from commands.action.cards import Verb
from commands.action.declaration import PEOPLE, is_entry, number, shapes
from commands.action.names import acting, find_all
from commands.action.quoting import quoted
from commands.action.systems import begun
from commands.look.boards import read_board
from commands.words.console import Console
from commands.words.parameters import is_option
from ledger.errors import AffrayError

from .group import GROUP

_LAST = re.compile(r"""(?:[^\s'"\\]|\\.?|'[^']*'?|"(?:[^"\\]|\\.?)*"?)*$""")
"""The word that a line ends with, as it is typed, though its quotes may still be open."""
_LONGEST = 60
"""The most characters of a command that are shown beside its entry."""
_GOES_ON = ("/", "=", ",")
"""A word that ends so is not complete."""


class Offer(Struct, frozen=True):
    """What the last word of a line may become."""

    text: str
    """The whole word as it is typed, with the space behind it."""
    replaced: int
    """How many characters at the end of the line it replaces."""
    shown: str
    meaning: str
    hardly: bool
    """Whether it is hardly meant."""


class Offers:
    """Completes words from the verbs, their options, and the ledger."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def at(self, line: str) -> Iterator[Offer]:
        """What the word at the end of a line may become, each with what it means."""
        found = _LAST.search(line)
        last = found[0] if found else ""
        words = split_arg_string(line[: len(line) - len(last)])
        if words[:1] == ["affray"]:
            del words[0]
        begun = "".join(split_arg_string(last))
        option, equals, _ = begun.partition("=")
        before = option + equals if begun.startswith("--") else ""
        try:
            items = ShellComplete(GROUP, {"obj": self.console}, "affray", "").get_completions(words, begun)
        except AffrayError:
            return
        plain = [item for item in items if item.type == "plain"]
        offered = [item.value for item in plain]
        aims = self._aims(words, offered) if words else set()
        reasons = self._reasons(words, [one for one in offered if one not in aims]) if words else {}
        first = set[str]() if aims and self._acts(words) else aims  # there those who act come first
        for item in sorted(plain, key=lambda item: (item.value in reasons, item.value not in first)):
            word = quoted(before * (not item.value.startswith("--")) + item.value)
            space = "" if word.endswith(_GOES_ON) else " "
            why = reasons.get(item.value, "")
            meaning = why or item.help or self._meaning(item.value)
            yield Offer(word + space, len(last), item.value, meaning, bool(why))

    def _reasons(self, words: Sequence[str], offered: Sequence[str]) -> dict[str, str]:
        """Why some of the combatants offered are hardly meant: those who are down, and behind the verb of an action
        those who may not act now.
        """
        with suppress(AffrayError):
            state = self.console.book.present()[1]
            names = [(one, one.rpartition(",")[2]) for one in offered if one.rpartition(",")[2] in state.roster.members]
            if not names:
                return {}
            rows, able = read_board(state).rows, acting(state) if self._acts(words) else ()
            down = {one: rows[who].get("down") or "down" for one, who in names if who in state.harm.down}
            return {one: "may not act now" for one, who in names if able and who not in able} | down
        return {}

    def _aims(self, words: Sequence[str], offered: Sequence[str]) -> set[str]:
        """Those of the combatants offered who stand and upon whom the one who acts may act: foes, or friends where that
        is done for friends. Where the next word says who acts, they are meant only if one alone may act.
        """
        with suppress(AffrayError):
            verb, state = self._verb(words), self.console.book.present()[1]
            if not self._is_action(verb):
                return set()
            able = acting(state)
            doers = able if self._acts(words) else find_all(state, tuple(words[1].split(",")))
            if len(doers) != 1 or (self._acts(words) and not _takes_a_target(verb)):
                return set()
            members, side = state.roster.members, state.roster.members[doers[0]].side
            names = [(one, one.rpartition(",")[2]) for one in offered]
            return {
                one
                for one, who in names
                if who in members and state.stands(who) and (members[who].side == side) is (verb.role == "helps")
            }
        return set()

    def _acts(self, words: Sequence[str]) -> bool:
        """Whether the next word says who acts: it is the first behind the verb of an action."""
        return len(words) == 1 and self._is_action(self._verb(words))

    def _is_action(self, verb: Verb | None) -> TypeGuard[Verb]:
        """Whether a verb is an action of somebody."""
        return verb is not None and verb.kind == "records" and verb.by == "combatant" and not verb.passive

    def _verb(self, words: Sequence[str]) -> Verb | None:
        """The verb of a line; None where it is none. Raises UsageError where it could be several."""
        verbs = GROUP.known(self.console.system)
        return verbs.get(words[0]) or verbs.get(begun(words[0], verbs.items())) if words else None

    def _meaning(self, word: str) -> str:
        """What was typed for an entry, or what an option of the campaign means; "" for other words."""
        with suppress(AffrayError):
            if is_entry(word):
                return self.console.book.store.entry(number(word)).typed[:_LONGEST]
            options = systems.load(self.console.system).options
            return options[word].meaning if word in options else ""
        return ""


def known(system: str) -> Mapping[str, Verb]:
    """The verbs of a rule system, and those of all."""
    return GROUP.known(system)


def offered(line: str, console: Console) -> Iterator[tuple[str, int, str, str]]:
    """What the word at the end of a line may become, for those below the shell."""
    return ((one.text, one.replaced, one.shown, one.meaning) for one in Offers(console).at(line))


def _takes_a_target(verb: Verb) -> bool:
    """Whether an argument of a verb names those whom it is done to."""
    places = [shape.word for field, shape in shapes(systems.procedure(verb)[1]) if not is_option(field, shape)]
    return any(word in PEOPLE for word in places[1:])
