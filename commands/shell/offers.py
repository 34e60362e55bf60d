"""What may stand for the word that a line ends with: the same words as the completion of a shell."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from click.shell_completion import ShellComplete, split_arg_string
from msgspec import Struct

from commands.action import systems
from commands.action.cards import Verb
from commands.action.declaration import is_entry, number
from commands.action.names import acting, find_all
from commands.action.quoting import quoted
from commands.action.systems import begun
from commands.look.boards import read_board
from commands.words.console import Console
from commands.words.form import Table
from ledger.errors import AffrayError

from .group import GROUP

_LAST = re.compile(r"""(?:[^\s'"\\]|\\.?|'[^']*'?|"(?:[^"\\]|\\.?)*"?)*$""")
"""The word that a line ends with, as it is typed, though its quotes may still be open."""
_LONGEST = 60
"""The most characters of a command that are shown beside its entry."""
_GOES_ON = ("/", "=", ",")
"""A word that ends so is not complete."""


class Completion(Struct, frozen=True):
    """What the last word of a line may become."""

    text: str
    """The whole word as it is typed, with the space behind it."""
    replaced: int
    """How many characters at the end of the line it replaces."""
    shown: str
    meaning: str
    hardly: bool
    """Whether it is hardly meant."""


class Completions:
    """Completes words from the verbs, their options, and the ledger."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def at(self, line: str) -> Iterator[Completion]:
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
            yield Completion(word + space, len(last), item.value, meaning, bool(why))

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
        """Those of the combatants offered upon whom the one who acts may act. Where the next word says who acts, they
        are meant only if one alone may act.
        """
        with suppress(AffrayError):
            table, name = Table(self.console.book.present()[1]), self._verb(words)
            if not self._is_action(table.verbs.get(name)):
                return set()
            doers = table.acting if self._acts(words) else find_all(table.state, tuple(words[1].split(",")))
            targets = [field for field in table.form(name)[1:] if field.people and not field.option]
            if len(doers) == 1 and (targets or not self._acts(words)):
                return {one for one in offered if table.aims_at(name, doers[0], one.rpartition(",")[2])}
        return set()

    def _acts(self, words: Sequence[str]) -> bool:
        """Whether the next word says who acts: it is the first behind the verb of an action."""
        return len(words) == 1 and self._is_action(GROUP.known(self.console.system).get(self._verb(words)))

    def _is_action(self, verb: Verb | None) -> bool:
        """Whether a verb is an action of somebody."""
        return verb is not None and verb.kind == "records" and verb.by == "combatant" and not verb.passive

    def _verb(self, words: Sequence[str]) -> str:
        """The verb of a line; "" where it is none. Raises UsageError where it could be several."""
        return begun(words[0], GROUP.known(self.console.system))

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
    return ((one.text, one.replaced, one.shown, one.meaning) for one in Completions(console).at(line))
