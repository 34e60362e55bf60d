"""The command line: finds the verb, reads its words, and prints the answer."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from commands.action import systems
from commands.action.cards import Verb
from commands.action.quoting import quoted
from commands.words.console import Console
from commands.words.discovery import shown
from commands.words.screen import Unwritten
from ledger.errors import AffrayError, AlreadyRecorded, LedgerDamaged, LedgerMissing, UsageError

from .tools import TOOLS

if TYPE_CHECKING:
    from commands.words.shells import Shell

_OF_WORDS = ("usage", "name", "refused", "dice")
"""The kinds of errors that are about the words of a command."""
_OF_NAMES = ("usage", "name", "refused")
"""Those that a name may be missing from."""
_INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""


def obey(words: Sequence[str], console: Console) -> None:
    """Carries out one command. Raises AffrayError when that is impossible."""
    console.words = _kept(words)
    for word in words:
        if not _is_text(word):
            raise UsageError(f"{word[:40]!r} is not text in UTF-8.")
    rest = _behind_ledger(words, console)
    if said := os.environ.get("_AFFRAY_COMPLETE"):
        from .group import complete

        complete(console, said)
    elif not rest:
        _say("status", [], console) if _has_ledger(console) else _explain([], console)
    elif rest[0][:1] == "-":
        option = rest[0]
        _behind_ledger(rest[1:], console)
        if option in ("--version", "-V"):
            from commands.action.book import PROGRAM

            console.say(PROGRAM)
        elif option in ("--help", "-h"):
            _explain([], console)
        else:
            raise UsageError(f"affray has no option {option[:40]!r}.", "affray --help")
    else:
        said = systems.verb_of(rest, (*TOOLS, *systems.COMMON))
        _say(said, rest[len(said.split()) :], console)


def _behind_ledger(words: Sequence[str], console: Console) -> list[str]:
    """The words behind the ledger, where it is named. Raises UsageError where its name is missing."""
    rest = list(words)
    while rest and rest[0].partition("=")[0] == "--ledger":
        option, equals, file = rest.pop(0).partition("=")
        if not (equals or rest):
            raise UsageError(f"Option {option!r} requires an argument.", "affray --help")
        console.ledger = (file if equals else rest.pop(0)) or console.ledger
    return rest


def _explain(words: Sequence[str], console: Console) -> None:
    """Prints the help of the program, or of a verb."""
    from .group import explained

    text = explained(console, words)
    console.answer({"verb": " ".join(words), "text": text}, text, whole=True)


def _say(said: str, words: Sequence[str], console: Console) -> None:
    """Carries out a line of a verb, or explains it."""
    system = "" if said in TOOLS else console.open()
    name = said if said in TOOLS else systems.named(said, {**_verbs(system), **TOOLS}, system)
    if name != said:
        console.write_out(said, name)
    from commands.words.orders import asks_for_help

    if asks_for_help(words):
        console.json = "--json" in words or console.json
        more = [word for word in words if word[:1] != "-"][:2] if name == "odds" else ()
        _explain([*name.split(), *more], console)
    elif name in TOOLS:
        _use(name, words, console)
    elif not system:
        assert console.missing
        raise console.missing
    else:
        from commands.words.orders import carry_out_line, read

        from .carry_out import carry_out

        verb = systems.find_verb(system, name)
        _, declaration = systems.procedure(verb)
        values = read(name, declaration, words, console.write_out)
        console.admit(name, verb, declaration, values)
        carry_out_line(name, declaration, values, system, partial(carry_out, console, verb), console.file)


def _verbs(system: str) -> dict[str, Verb]:
    """The recorded verbs of the rule system, or of any where no ledger says which is played."""
    loaded = [systems.load(system)] if system else systems.playable().values()
    return {name: verb for one in loaded for name, verb in one.verbs.items()} | systems.COMMON


def _use(name: str, words: Sequence[str], console: Console) -> None:
    """Carries out a tool."""
    verb = TOOLS[name]
    if not verb.has("anywhere"):
        console.need()
    if name == "odds":
        from .odds_words import foresee

        foresee(words, console)
        return
    from commands.words.orders import TOLD, read
    from commands.words.parameters import declared

    procedure, declaration = systems.procedure(verb)
    values = read(name, declaration, words, console.write_out, TOLD if verb.has("tells") else ("--json",))
    console.admit(name, verb, declaration, values)
    console.json = values.pop("_json") or console.json
    console.brief = values.pop("_brief", False) or console.brief
    if console.playing and verb.has("not-script"):
        raise UsageError(f"a script cannot use {name}.")
    if console.prompting and verb.has("not-prompt"):
        raise UsageError(f"The prompt cannot use {name}.", "Ctrl-D leaves the prompt.")
    procedure(console, declared(declaration, values, "", console.file))


def _is_text(word: str) -> bool:
    """Whether a word can be written in UTF-8, and holds no zero byte."""
    try:
        return b"\0" not in word.encode()
    except UnicodeEncodeError:
        return False


def _kept(words: Sequence[str]) -> list[str]:
    """The words that the record keeps: without --ledger, --json and --brief."""
    rest = list(words)
    while rest[:1] == ["--ledger"] or (rest[:1] and rest[0].startswith("--ledger=")):
        del rest[: 2 if rest[0] == "--ledger" else 1]
    return [word for word in rest if word not in ("--json", "--brief")]


def run(words: Sequence[str], console: Console | None = None) -> int:
    """Carries out the command of a process and gives its exit code."""
    own = console is None
    console = console or Console(json="--json" in words)
    console.own_shell = shell
    try:
        return _answer(words, console)
    except (EOFError, KeyboardInterrupt):
        return interrupted(console)
    finally:
        if own:
            console.close()


def shell() -> "Shell":
    """What those below this shell use of it."""
    from commands.words.shells import Shell

    from .offers import known, offered

    return Shell(run, known, offered)


def interrupted(console: Console) -> int:
    """Says how the ledger ends after Ctrl-C, and gives the exit code."""
    console.whisper("\nInterrupted. " + console.last_word())
    return _INTERRUPTED


def _answer(words: Sequence[str], console: Console) -> int:
    try:
        _obeyed(words, console)
        sys.stdout.flush()
    except SystemExit as left:  # click leaves by itself when it has completed a word
        return int(left.code or 0)
    except BrokenPipeError:
        nobody_listens()
        return 0
    except (OSError, Unwritten) as error:
        problem = f"The output cannot be written: {error.strerror if isinstance(error, OSError) else error}."
        if console.wrote:
            named = shown(console.making or console.ledger)
            look = f"affray {f'--ledger {quoted(named)} ' if named else ''}log"
            problem += f" What was done is recorded. {console.last_word()}"
            return console.complain(AlreadyRecorded(problem, look))
        return console.complain(LedgerMissing(problem))
    except EOFError:  # nobody will say more
        raise
    except Exception as error:
        if console.interrupted:  # a library turned it into another error
            raise KeyboardInterrupt from None
        if isinstance(error, AffrayError):
            _advise(error, words, console)
            return console.complain(error)
        if os.environ.get("AFFRAY_DEBUG"):
            raise
        if found := _damage(console):
            return console.complain(LedgerDamaged(found, "affray verify"))
        if unfit := _unfit():
            return console.complain(unfit)
        return console.complain(_Fault(f"This is a fault of Affray, not yours: {type(error).__name__}: {error}"))
    return 0


def _obeyed(words: Sequence[str], console: Console) -> None:
    """Carries out a command, with the names that go without saying where it fails without them."""
    try:
        obey(words, console)
    except AffrayError as error:
        if error.reference not in _OF_NAMES or console.playing or console.wrote or not _knows_ledger(console):
            raise
        if not (whole := _completed(console, _kept(words))):
            raise
        if console.prompting:
            console.shown = console.seen
        obey([*whole, *(word for word in words if word in ("--json", "--brief"))], console)


def _completed(console: Console, typed: Sequence[str]) -> list[str]:
    """The words with what is clear and was left out; none where that is not clear, or no rules are known."""
    from commands.words.form import Table
    from commands.words.next_steps import completed

    with suppress(AffrayError):
        return completed(Table(console.book.present()[1]), typed) if console.system else []
    return []


def _has_ledger(console: Console) -> bool:
    """Whether there is a ledger, though it may not be one that can be read."""
    with suppress(AffrayError):
        return bool(console.system) or console.missing is None
    return True


def _knows_ledger(console: Console) -> bool:
    """Whether there is a ledger that can be read."""
    with suppress(AffrayError):
        return bool(console.open())
    return False


def _advise(error: AffrayError, words: Sequence[str], console: Console) -> None:
    """Adds to an error what can be said next."""
    if error.reference not in _OF_WORDS or console.playing:
        return
    try:
        if not console.open():
            return
        from commands.words.form import Table
        from commands.words.next_steps import next_steps

        typed = _kept(words)
        action = typed and systems.verb_of([*typed, ""], TOOLS) not in TOOLS
        table = Table(console.book.present()[1], TOOLS)
        overrules = bool(action) and not console.wrote and console.overrules
        error.offers = next_steps(table, () if console.wrote else typed, error, overrules)
        error.hint = "\n".join(map(str, error.offers))
    except AffrayError:
        return


def _damage(console: Console) -> str:
    """The damage of the ledger after an unexpected error; "" when it has none."""
    if console.opened is None:
        return ""
    from commands.action.book import Book
    from commands.past.soundness import damage

    try:
        return damage(Book(console.opened.store))
    except AffrayError as error:
        return error.message
    except Exception:
        return ""
    finally:
        console.close()


def _unfit() -> AffrayError | None:
    """What is wrong with a rule system of another package that was loaded before an unexpected error."""
    from commands.action import rulebook, systems

    for name, point in systems.installed().items():
        if point.module in sys.modules:
            try:
                rulebook.of(name).check()
            except AffrayError as error:
                return error
    return None


class _Fault(AffrayError):
    """An unexpected error. The command recorded nothing."""

    code, reference = 70, "fault"

    def __init__(self, message: str) -> None:
        super().__init__(message[:300], "Report it with the command; AFFRAY_DEBUG=1 shows where it happened.")


def nobody_listens() -> None:
    """The reader of our output closed it. Records stay; the rest of the output is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
