"""The command line: finds the verb, reads its words, and prints the answer."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from commands.action import systems
from commands.action.quoting import quoted
from commands.words.console import Console, Unsaid, columns, tried
from commands.words.discovery import shown
from commands.words.options import Option, brief_option, help_option, option
from ledger.errors import AffrayError, AlreadyRecorded, LedgerDamaged, LedgerMissing, UsageError

from .tools import TOOLS, beside, check
from .verbs import Unheard, Verbs, completions, console_of, found, heard, system_known

if TYPE_CHECKING:
    from commands.action.book import Done, Order

_LONGEST = 400
"""The most characters of a command that is shown again."""
_ALL, _OPTIONS = "all", "options"
"""Ask `help` for the verbs of all chapters, and for the options that every verb takes."""
_OF_WORDS = ("usage", "name", "refused", "dice")
"""The kinds of errors that are about the words of a command."""
_OF_NAMES = ("usage", "name", "refused")
"""Those that a name may be missing from."""
_INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""


class Affray(Verbs):
    """All verbs of the program."""

    def known(self, system: str) -> dict[str, systems.Verb]:
        """The verbs of a rule system, and those of all."""
        return {**systems.COMMON, **(systems.load(system).verbs if system else {}), **TOOLS}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None when nobody has it."""
        if cmd_name in TOOLS:
            return _tool(cmd_name)
        return found(ctx, cmd_name, _recorded)

    def say(self, words: list[str], console: Console) -> None:
        """Carries out a line of a script that begins with its verb, as `main` does."""
        root = click.Context(self, info_name=self.name, obj=console, **self.context_settings)
        with heard(), suppress(click.exceptions.Exit):
            name, command, rest = self.resolve_command(root, words)
            assert command is not None
            with command.make_context(name, rest, parent=root) as ctx:
                command.invoke(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How to begin, the verbs used most, and how to see the rest, on a terminal of 24 lines; from names alone."""
        system, unknown = system_known(ctx)
        lines = [
            "Usage: affray [--ledger FILE] VERB ...",
            "",
            "A combat ledger for role-playing games: every command and roll is recorded.",
        ]
        if unknown or not system:
            lines += [
                *([unknown.message, *map(tried, unknown.hint.splitlines())] if unknown else []),
                "To begin: affray demo SYSTEM plays a fight that comes with the program;",
                "affray init NAME --system SYSTEM opens a ledger of your own.",
                f"Rule systems: {', '.join(systems.every())}.",
            ]
        else:
            usual = {name: verb for name, verb in self.known(system).items() if verb.usual}
            lines += [
                "To begin: affray join NAME for each combatant, then affray begin.",
                "affray play opens a prompt, which takes the verbs without the program's name.",
                "",
                *_listed(f"{systems.load(system).title}, the verbs used most", usual),
            ]
        from commands.words.width import wrapped

        words = [f"{word} ({title})" for word, (title, verbs) in self.chapters(system).items() if verbs]
        lines += [
            "",
            *wrapped(f"All verbs: affray help all. One chapter: affray help {', '.join(words)}.", formatter.width),
            "affray help VERB explains a verb. The ledger is --ledger, $AFFRAY_LEDGER, or",
            "the one .affray file in this folder or the nearest above it.",
            "",
        ]
        formatter.write("\n".join(lines))

    def chapters(self, system: str) -> dict[str, tuple[str, Mapping[str, systems.Verb]]]:
        """The chapters of the list of verbs: each by its word, with its title and its verbs."""
        loaded = systems.load(system) if system else None
        rooms = ("look", "odds"), ("past",), ("files", "seats", "live", "shell")
        looking, past, files = (
            {name: verb for name, verb in TOOLS.items() if verb.module.split(".")[1] in room} for room in rooms
        )
        return {
            "fight": (loaded.title if loaded else "", loaded.verbs if loaded else {}),
            "common": ("every rule system", {name: verb for name, verb in systems.COMMON.items() if name != "init"}),
            "look": ("what happened", looking),
            "past": ("undo and amend", past),
            "files": ("files and the program", files),
        }

    def explained(self, ctx: click.Context, word: str) -> str:
        """The verbs of a chapter, or `all` of them, with their summaries, or the `options` of every verb; else ""."""
        if word == _OPTIONS:
            return _shared(ctx)
        chapters = self.chapters(system_known(ctx)[0])
        some = chapters.values() if word == _ALL else [chapters[word]] if word in chapters else []
        return "\n\n".join(
            "\n".join(_listed(f"{title[:1].upper()}{title[1:]}", verbs)) for title, verbs in some if verbs
        )


def _shared(ctx: click.Context) -> str:
    """The options that every verb takes which records something, with their help."""
    formatter = ctx.make_formatter()
    with formatter.section("What every verb takes that records something; others take --json and --help"):
        shared = [one for one in _recorded("", "note").params if isinstance(one, Option) and one.shared]
        formatter.write_dl([record for one in shared if (record := one.get_help_record(ctx))])
    return formatter.getvalue().rstrip("\n")


def _listed(title: str, verbs: "Mapping[str, systems.Verb]") -> list[str]:
    """Verbs with their summaries, below a title."""
    return [f"{title}:", *(f"  {name:<11} {verb.summary}" for name, verb in verbs.items())]


@cache
def _tool(name: str) -> click.Command:
    """A verb that looks at the ledger. A script makes it once."""
    from commands.action.declaration import shapes
    from commands.words.parameters import declared, parameters, spoken

    if name == "odds":
        from .odds_words import group

        return group()
    verb = TOOLS[name]
    procedure, declaration = systems.procedure(verb)

    def callback(**values: Any) -> None:
        console = console_of(click.get_current_context())
        console.json = values.pop("_json") or console.json
        console.brief = values.pop("_brief", False) or console.brief
        if console.playing and not verb.in_scripts:
            raise UsageError(f"a script cannot use {name}.")
        if console.prompting and not verb.at_prompt:
            raise UsageError(f"The prompt cannot use {name}.", "Ctrl-D leaves the prompt.")
        procedure(console, declared(declaration, values, ""))

    own = [*parameters(declaration, completions), *([brief_option()] if verb.tells else [])]
    made = spoken(name, declaration, own, callback)
    made.system, made.card = "", verb
    made.ignore_unknown_options = any(shape.word == "rest" for _, shape in shapes(declaration))
    if name == "amend":
        made.more = _corrections
    return made


def _corrections(ctx: click.Context) -> list[click.Parameter]:
    """The options of the verb that is amended, which `amend` itself does not have."""
    from commands.past.amend_words import amended
    from commands.words.parameters import corrections

    own = {name for param in ctx.command.params for name in param.opts}
    try:
        declaration = amended(console_of(ctx), str(ctx.params["entry"] or ""))
    except AffrayError:  # completion must not print an error
        return []
    return [param for param in corrections(declaration, completions) if own.isdisjoint(param.opts)]


@cache
def _recorded(system: str, name: str) -> click.Command:
    """A verb that appends to the ledger. A script makes it once."""
    from commands.words.command import recorded_command

    verb = systems.find_verb(system, name)

    def carry_out(order: "Order", json: bool, brief: bool) -> None:
        from msgspec.structs import replace

        from commands.action.procedures import LeftOver
        from commands.past.perform import asks_seats, perform
        from ledger.events import EncounterBegan, EncounterEnded

        console = console_of(click.get_current_context())
        console.json, console.brief = json or console.json, brief or console.brief
        order = replace(order, typed=console.typed, shown=console.shown, whole=console.playing)
        if verb.massed and console.short and console.asks:
            order = replace(order, watch=console.watch())
        notes: tuple[str, ...] = ()
        if verb.checked and not order.allow:
            declaration, notes = check(verb)(console.book, order.declaration)
            order = replace(order, declaration=declaration)
        try:
            done = _asking_seats(console, order) if asks_seats(console.book, order) else perform(console.book, order)
        except LeftOver as error:
            from commands.past.unneeded import lines

            if aside := lines(console.book, error):
                done = perform(console.book, replace(order, spare=True, aside=aside))
                console.tell(replace(done, notes=(*notes, *done.notes)) if notes else done)
                return
            said, _, rest = console.typed.partition(" ")
            error.hint = f"affray {said} --spare {rest}" if len(rest) < _LONGEST else "--spare sets them aside."
            if not _sets_aside(console, error):
                raise
            done = perform(console.book, replace(order, spare=True))
        if done.needed or any(one.needed for one in done.then):
            from commands.odds.needs import foreseen

            first, *then = [foreseen(console.book, one) if one.needed else one for one in (done, *done.then)]
            done = replace(first, then=tuple(then))
        events = [event for one in (done, *done.then) for event in one.events] if done.then else done.events
        if done.entry and not console.playing and any(isinstance(event, EncounterBegan) for event in events):
            from commands.look.between import offered

            notes += offered(console.book, done)
        console.tell(replace(done, notes=(*notes, *done.notes)) if notes else done)
        if verb.beside and done.entry and not done.repeated:
            beside(verb)(console, done, order.declaration)
        if done.entry and not console.playing and any(isinstance(event, EncounterEnded) for event in events):
            from commands.files.backup import renew

            renew(console)

    return recorded_command(system, name, completions, carry_out)


def _asking_seats(console: Console, order: "Order") -> "Done":
    """Carries out an order whose dice players are asked for on their phones."""
    from commands.seats.aside import tried
    from commands.seats.questions import phones

    with phones(console, order) as asking:
        return tried(console.book, asking)


def _sets_aside(console: Console, error: AffrayError) -> bool:
    """Whether somebody at a terminal says that dice that are left over may be set aside."""
    return console.asks and console.agrees(f"{error.message} Set aside what is left over?")


def _group() -> Affray:
    ledger = option("--ledger", metavar="FILE", help="The ledger file.", is_eager=True)
    version = option("--version", "-V", is_flag=True, is_eager=True, expose_value=False, callback=_print_version)
    explain = help_option()
    explain.is_eager = False  # --ledger counts before and after --help
    return Affray(
        "affray",
        params=[ledger, version, explain],
        add_help_option=False,
        no_args_is_help=False,
        invoke_without_command=True,
        callback=_no_verb,
        context_settings={"terminal_width": _width()},
    )


def _width() -> int:
    """The width of help. click would ask `shutil`, which is slow to import."""
    return max(40, min(columns() - 2, 100))


def _no_verb(ledger: str | None) -> None:
    """Shows the board of the ledger here; without a ledger, the help."""
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        if system_known(ctx)[0] or console_of(ctx).missing is None:
            obey(["status"], console_of(ctx))
        else:
            click.echo(ctx.get_help())


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from commands.action.book import PROGRAM

        click.echo(PROGRAM)
        ctx.exit()


GROUP = _group()


def obey(words: Sequence[str], console: Console) -> None:
    """Carries out one command. Raises AffrayError when that is impossible, click.exceptions.Exit when it ended
    early.
    """
    console.words = _kept(words)
    for word in words:
        if not _is_text(word):
            raise UsageError(f"{word[:40]!r} is not text in UTF-8.")
    try:
        if console.playing and words[0][:1] != "-":
            GROUP.say(list(words), console)
        else:
            GROUP.main(list(words), "affray", standalone_mode=False, obj=console)
    except click.MissingParameter as error:
        raise _lacks(error, words) from None
    except click.NoSuchOption as error:
        words_said = error.ctx.command_path if error.ctx else "affray"
        near = _explained_by(error.option_name, error.ctx.command) if error.ctx else []
        said = f"No such option {error.option_name!r}. Did you mean {near[0]}?" if len(near) == 1 else ""
        raise UsageError(_short(said or error.format_message()), f"{words_said} --help") from None
    except click.UsageError as error:
        words_said = error.ctx.command_path if error.ctx else "affray"
        raise UsageError(_short(error.format_message()), f"{words_said} --help") from None
    except click.ClickException as error:
        raise UsageError(_short(error.format_message())) from None


def _lacks(error: click.MissingParameter, words: Sequence[str]) -> UsageError:
    """What a command lacks, with what that is. A reason that is missing is offered behind what was said."""
    from commands.words.parameters import arguments

    said = error.ctx.command_path if error.ctx else "affray"
    name = getattr(error.param, "metavar", None) or ""
    about = getattr(error.ctx.command, "about", None) if error.ctx else None
    explained = dict(arguments(about)).get(name, "") if about else ""
    if not explained:
        return UsageError(_short(error.format_message()), f"{said} --help")
    what = explained[0].lower() + explained[1:]
    if choices := getattr(getattr(error.param, "type", None), "choices", ()):
        what += f" Choose from: {', '.join(choices)}."
    return UsageError(f"{said.removeprefix('affray ')} needs {name.removesuffix('...')}, {what}", f"{said} --help")


def _explained_by(name: str, verb: click.Command) -> list[str]:
    """The options of a verb whose help has the word that was typed for an option."""
    sought = name.strip("-").casefold()
    return [
        param.opts[0]
        for param in verb.params
        if isinstance(param, click.Option)
        and len(sought) > 3
        and sought in re.findall(r"\w+", (param.help or "").casefold())
    ]


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


def _short(message: str) -> str:
    """The message in one line, without the middle of a very long word."""
    message = message.replace("\n\t", " ")
    return message if len(message) <= 400 else f"{message[:200]} ... {message[-100:]}"


def run(words: Sequence[str], console: Console | None = None) -> int:
    """Carries out the command of a process and gives its exit code."""
    own = console is None
    console = console or Console(json="--json" in words)
    try:
        return _answer(words, console)
    except (click.Abort, KeyboardInterrupt):
        return interrupted(console)
    finally:
        if own:
            console.close()


def interrupted(console: Console) -> int:
    """Says how the ledger ends after Ctrl-C, and gives the exit code."""
    console.whisper("\nInterrupted. " + console.last_word())
    return _INTERRUPTED


def _answer(words: Sequence[str], console: Console) -> int:
    try:
        _obeyed(words, console)
        sys.stdout.flush()
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except SystemExit as left:  # click leaves by itself when it has completed a word
        return int(left.code or 0)
    except (BrokenPipeError, Unheard):
        nobody_listens()
        return 0
    except (OSError, Unsaid) as error:
        problem = f"The output cannot be written: {error.strerror if isinstance(error, OSError) else error}."
        if console.wrote:
            named = shown(console.making or console.ledger)
            look = f"affray {f'--ledger {quoted(named)} ' if named else ''}log"
            return console.complain(
                AlreadyRecorded(f"{problem} What was done is recorded. {console.last_word()}", look)
            )
        return console.complain(LedgerMissing(problem))
    except click.Abort:
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
        from .clear import completed

        root = click.Context(GROUP, info_name=GROUP.name, obj=console, **GROUP.context_settings)
        if not (whole := completed(console, root, _kept(words))):
            raise
        if console.prompting:
            console.shown = console.seen
        obey([*whole, *(word for word in words if word in ("--json", "--brief"))], console)


def _knows_ledger(console: Console) -> bool:
    """Whether there is a ledger that can be read."""
    with suppress(AffrayError):
        return bool(console.open())
    return False


def _advise(error: AffrayError, words: Sequence[str], console: Console) -> None:
    """Offers what was meant by words that were not understood, where the error offers nothing that can be typed."""
    lines = error.hint.splitlines()
    if error.reference not in _OF_WORDS or console.playing or (any(map(_is_line, lines)) and not error.held):
        return
    try:
        if console.wrote or not console.open():
            return
        from .meant import meant

        root = click.Context(GROUP, info_name=GROUP.name, obj=console, **GROUP.context_settings)
        found = meant(console, root, _kept(words), error.message)
        if error.held:
            error.hint = "\n".join(dict.fromkeys([*(found if any(map(_is_line, found[:1])) else []), *lines]))
        elif found:
            stale = ("affray ", "Did you mean ") if isinstance(error, UsageError) else ("affray ",)
            kept = [line for line in lines if not line.startswith(stale)]
            error.hint = "\n".join(dict.fromkeys([*kept, *found]))
    except AffrayError:
        return


def _is_line(line: str) -> bool:
    """Whether a line of a hint is a command that is more than its own explanation."""
    return line.startswith(("affray ", "export ")) and not line.endswith("--help")


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
