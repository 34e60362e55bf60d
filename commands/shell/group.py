"""The verbs as click explains and completes them."""

from collections.abc import Mapping, Sequence
from functools import cache

import click

from commands.action import cards, systems
from commands.words.console import Console
from commands.words.options import WHOLE, Option, brief_option, help_option, option
from commands.words.screen import columns, tried
from ledger.errors import AffrayError

from .tools import TOOLS
from .verbs import NO_SYSTEM, Verbs, completions, console_of, found, system_known

_ALL, _OPTIONS = "all", "options"
"""Ask `help` for the verbs of all chapters, and for the options that every verb takes."""


_FIRST_WORDS = """\
Usage: affray [--ledger FILE] VERB ...

A combat ledger for role-playing games: every command and roll is recorded."""
"""How the help of the program begins in the shell."""
_LAST_WORDS = (
    """\
affray help VERB explains a verb. Affray uses the ledger named by --ledger or
$AFFRAY_LEDGER, otherwise the .affray file in this folder or the nearest above.""",
    "? VERB explains a verb.",
)
"""How the help of the program ends in the shell, and at the prompt."""


class Affray(Verbs):
    """All verbs of the program."""

    def known(self, system: str) -> dict[str, cards.Verb]:
        """The verbs of a rule system, and those of all."""
        return {**systems.COMMON, **(systems.load(system).verbs if system else {}), **TOOLS}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name; None when nobody has it."""
        if cmd_name in TOOLS:
            return _tool(cmd_name)
        return found(ctx, cmd_name, _recorded)

    def root(self, console: Console) -> click.Context:
        """The context of the program."""
        return click.Context(self, info_name=self.name, obj=console, **self.context_settings)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """How to begin, the verbs used most, and how to see the rest, on a terminal of 24 lines; from names alone."""
        system, unknown = system_known(ctx)
        prompting = console_of(ctx).prompting
        lines = [] if prompting else [_FIRST_WORDS]
        if unknown or not system:
            lines += [
                *([unknown.message, *map(tried, unknown.hint.splitlines())] if unknown else []),
                "To begin: affray demo SYSTEM plays a sample fight;",
                "affray init NAME --system SYSTEM opens a ledger of your own.",
                f"Rule systems: {', '.join(systems.every())}.",
            ]
        else:
            usual = {name: verb for name, verb in self.known(system).items() if verb.rank in ("often", "listed")}
            lines += [
                "To begin: affray join NAME for each combatant, then affray begin.",
                "Here affray need not be typed."
                if prompting
                else "affray play opens a prompt, which takes the verbs without the program's name.",
                "",
                *_listed(f"{systems.load(system).title}, the most common verbs", usual),
            ]
        from commands.words.width import wrapped

        words = [f"{word} ({title})" for word, (title, verbs) in self.chapters(system).items() if verbs]
        topics = f"All verbs: affray help all. By topic: affray help {', '.join(words)}."
        lines += ["", *wrapped(topics, formatter.width), _LAST_WORDS[prompting], ""]
        formatter.write("\n".join(lines))

    def chapters(self, system: str) -> dict[str, tuple[str, Mapping[str, cards.Verb]]]:
        """The chapters of the list of verbs: each by its word, with its title and its verbs."""
        loaded = systems.load(system) if system else None
        looking, past = (
            {name: verb for name, verb in TOOLS.items() if verb.module.split(".")[1] in room}
            for room in (("look", "odds"), ("past", "what_if"))
        )
        files = {name: verb for name, verb in TOOLS.items() if name not in looking and name not in past}
        return {
            "fight": (loaded.title if loaded else "", loaded.verbs if loaded else {}),
            "common": (
                "what every rule system has",
                {name: verb for name, verb in systems.COMMON.items() if name != "init"},
            ),
            "look": ("what happened", looking),
            "past": ("undo and amend", past),
            "files": ("files and other tools", files),
        }

    def explained(self, ctx: click.Context, word: str) -> str:
        """The verbs of a chapter, or `all` of them, with their summaries, or the `options` of every verb; else ""."""
        if word == _OPTIONS:
            return _shared(ctx)
        chapters = self.chapters(system_known(ctx)[0])
        some = chapters.values() if word == _ALL else [chapters[word]] if word in chapters else []
        if some and not any(verbs for _, verbs in some):
            return f"{NO_SYSTEM}\naffray --ledger FILE help {word} lists the verbs of that ledger."
        shown = (_listed(f"{title[:1].upper()}{title[1:]}", verbs) for title, verbs in some if verbs)
        return "\n\n".join(map("\n".join, shown))


def _shared(ctx: click.Context) -> str:
    """The options that every verb takes which records something, with their help."""
    formatter = ctx.make_formatter()
    with formatter.section("What every verb takes that records something; others take --json and --help"):
        shared = [one for one in _recorded("", "note").params if isinstance(one, Option) and one.shared]
        formatter.write_dl([record for one in shared if (record := one.get_help_record(ctx))])
    return formatter.getvalue().rstrip("\n")


def _listed(title: str, verbs: "Mapping[str, cards.Verb]") -> list[str]:
    """Verbs with their summaries, below a title."""
    return [f"{title}:", *(f"  {name:<11} {verb.summary}" for name, verb in verbs.items())]


@cache
def _tool(name: str) -> click.Command:
    """A verb that looks at the ledger."""
    from commands.action.declaration import shapes
    from commands.words.spoken import parameters, spoken

    if name == "odds":
        from .odds_words import group

        return group()
    verb = TOOLS[name]
    _, declaration = systems.procedure(verb)
    own = [*parameters(declaration, completions), *([brief_option()] if verb.has("tells") else [])]
    made = spoken(name, declaration, own)
    made.system, made.card = "", verb
    made.ignore_unknown_options = any(shape.word == "rest" for _, shape in shapes(declaration))
    if name == "amend":
        made.more = _corrections
    return made


def _corrections(ctx: click.Context) -> list[click.Parameter]:
    """The options of the verb that is amended, which `amend` itself does not have."""
    from commands.past.amend_words import amended
    from commands.words.spoken import corrections

    own = {name for param in ctx.command.params for name in param.opts}
    try:
        declaration = amended(console_of(ctx), str(ctx.params["entry"] or ""))
    except AffrayError:  # completion must not print an error
        return []
    return [
        param for param in corrections(declaration, completions, console_of(ctx).system) if own.isdisjoint(param.opts)
    ]


@cache
def _recorded(system: str, name: str) -> click.Command:
    """A verb that appends to the ledger."""
    from commands.words.orders import SHARED, name_of
    from commands.words.spoken import parameters, spoken

    verb = systems.find_verb(system, name)
    declaration = systems.procedure(verb)[1]
    shared = [
        option(word, name_of(word), **{field: one for field, one in settings.items() if field != "by"})
        for word, settings in SHARED.items()
    ]
    made = spoken(name, declaration, [*parameters(declaration, completions, system), *shared, brief_option()])
    made.card, made.system = verb, "" if name in systems.COMMON else system
    return made


GROUP = Affray(
    "affray",
    params=[option("--ledger", metavar="FILE", help="The ledger file."), help_option()],
    add_help_option=False,
    context_settings={"terminal_width": max(40, min(columns() - 2, 100))},  # click would ask `shutil`, which is slow
)
"""The program, as click explains and completes it."""


def explained(console: Console, words: Sequence[str], whole: bool = False) -> str:
    """The help of the program, a list of its verbs, or the help of one of them."""
    ctx, left = GROUP.root(console), list(words)
    if len(left) == 1 and (listed := GROUP.explained(ctx, left[0])):
        return listed
    while left and isinstance(ctx.command, Verbs):
        name, command, left = ctx.command.named(ctx, left)
        assert command is not None
        ctx = click.Context(command, parent=ctx, info_name=name)
    ctx.meta[WHOLE] = whole
    return ctx.get_help().rstrip("\n")


def complete(console: Console, said: str) -> None:
    """Answers a shell that asks for words."""
    from click.shell_completion import shell_complete

    shell_complete(GROUP, {"obj": console}, "affray", "_AFFRAY_COMPLETE", said)
