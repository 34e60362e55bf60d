"""From declarations to the command line: one Struct defines the arguments, options, help and checks of a verb."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from commands.action.declaration import Declaration, Shape, pieces, read_square, shapes
from commands.action.names import check_once, pair
from ledger.errors import UsageError

from .options import Option, Reused, help_option, json_option, option

if TYPE_CHECKING:
    from commands.action.book import Order
    from commands.action.systems import Verb

BEFORE_DICE = "="
"""Stands between an action and its dice, also as the first sign of these: `attack g1 = 14 6`, and `attack g1 =14 6`, is
`attack g1 --dice 14,6`."""
NOT_AN_OPTION = " "
"""Marks a word that begins with a minus and a digit, so that click does not take it for an option."""
_FOREMOST = ("--with", "--dice")
"""The options that help explains first."""
_MOST_SIGNS = 2000
"""The most characters of a reason or of an id."""
Complete = Callable[[click.Context, str, str], list[str]]
"""Gives the words that somebody may mean, from the context, the kind of word, and what they typed so far."""


def dice_apart(words: Sequence[str]) -> list[str]:
    """The words, with the sign that begins the dice by itself.

    >>> dice_apart(["attack", "g1", "=14", "6"])
    ['attack', 'g1', '=', '14', '6']
    """
    at = next((nth for nth, word in enumerate(words) if word[:1] == BEFORE_DICE), len(words))
    return [
        *words[:at],
        *(part for word in words[at : at + 1] for part in (BEFORE_DICE, word[1:]) if part),
        *words[at + 1 :],
    ]


def parameters(declaration: type[Declaration], complete: Complete, correcting: bool = False) -> list[click.Parameter]:
    """The click parameters of a declaration: required fields as arguments, the others as options.

    When `correcting`, every field is an option without a default, and a flag can be switched off.
    """
    made: list[click.Parameter] = []
    for field, shape in shapes(declaration):
        completer = _completer(shape.word, complete)
        if (field.required or shape.positional) and not correcting:
            made.append(
                click.Argument(
                    [field.name],
                    nargs=-1 if _takes_many(declaration, field.name, shape) else 1,
                    required=field.required,
                    type=_click_type(shape),
                    metavar=_argument(declaration, field.name, shape, field.required),
                    shell_complete=completer,
                )
            )
            continue
        name = _spelled(field.name)
        if shape.base is bool and correcting:
            made.append(option(f"--{name}/--no-{name}", field.name, default=None, help=shape.description))
            continue
        if shape.base is bool:
            made.append(
                option(
                    f"--no-{name}" if field.default else f"--{name}", field.name, is_flag=True, help=shape.description
                )
            )
            continue
        made.append(
            option(
                f"--{name}",
                field.name,
                default=None,
                multiple=shape.many or (shape.base is dict and not shape.word),
                type=_click_type(shape),
                metavar=_metavar(shape, field.name),
                help=shape.description + ("" if correcting else _shown_default(field.default)),
                shell_complete=completer,
            )
        )
    return made


def arguments(declaration: type[Declaration]) -> list[tuple[str, str]]:
    """The arguments of a declaration with their names in the help."""
    return [
        (_argument(declaration, field.name, shape, field.required), shape.description)
        for field, shape in shapes(declaration)
        if field.required or shape.positional
    ]


def _argument(declaration: type[Declaration], name: str, shape: Shape, required: bool) -> str:
    """What stands for an argument in the help: `WHO`, `TEXT...`, `[AT]`."""
    word = name.rstrip("_").upper().replace("_", "-") + ("..." if _takes_many(declaration, name, shape) else "")
    return word if required else f"[{word}]"


def _ends_with_text(declaration: type[Declaration]) -> bool:
    """Whether a text takes all the words that are left."""
    return any(
        shape.word == "text" and _takes_many(declaration, field.name, shape)
        for field, shape in shapes(declaration)
        if field.required
    )


def _takes_many(declaration: type[Declaration], name: str, shape: Shape) -> bool:
    """Whether an argument takes all the words that are left: a last text does, else a list that is not of groups."""
    required = [(field.name, shape.word) for field, shape in shapes(declaration) if field.required]
    last, word = required[-1] if required else ("", "")
    return last == name if word == "text" else shape.many and shape.word != "groups"


class Spoken(Reused):
    """A verb whose arguments may begin with a minus, as the square -1,2 does."""

    about: type[Declaration]
    """What it declares."""
    system: str | None = None
    """The rule system that the verb belongs to, "" for one of every system; None when no example is shown."""
    card: "Verb | None" = None
    """The card of the verb; None for an action whose odds are asked for."""
    order: "Callable[[dict[str, Any]], Order] | None" = None
    """Makes the order of a recorded verb from what click parsed; None for other verbs."""
    more: Callable[[click.Context], list[click.Parameter]] | None = None
    """Finds what else completion offers, once the arguments are known; None for verbs with a fixed list of options."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carries out the verb, where the console admits it."""
        if (console := ctx.find_root().obj) is not None:
            console.admit(self, ctx.params)
        return super().invoke(ctx)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All its parameters; for completion also those that depend on its arguments."""
        more = self.more(ctx) if self.more and ctx.resilient_parsing and ctx.params else []
        return [*super().get_params(ctx), *more]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments are explained like options: first the weapon and the dice, last in a line what every verb takes."""
        if explained := arguments(self.about):
            with formatter.section("Arguments"):
                formatter.write_dl(explained)
        options = [param for param in self.params if isinstance(param, Option)]
        own = sorted((one for one in options if not one.shared), key=lambda one: one.opts[0] not in _FOREMOST)
        if records := [record for one in own if (record := one.get_help_record(ctx))]:
            with formatter.section("Options"):
                formatter.write_dl(records)
        formatter.write_paragraph()
        every = [one.opts[0] for one in options if one.shared]
        some = ", ".join([*every[1:3], "..."] if every[2:] else every)
        formatter.write_text(f"What every verb takes ({some}): affray help options")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Help ends with an example."""
        if self.system is not None:
            write_example(formatter, self.system, self.name or "")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Marks these words, so that click does not take them for options, and writes out shortened options."""
        return super().parse_args(
            ctx,
            [
                NOT_AN_OPTION + arg if arg[:1] == "-" and arg[1:2].isdigit() else self._written_out(ctx, arg)
                for arg in self._with_dice(args)
            ],
        )

    def _with_dice(self, args: list[str]) -> list[str]:
        """The words with dice that stand behind the action as what --dice takes. A verb that rolls nothing, or that
        takes a text to its end, keeps its words.
        """
        apart = dice_apart(args)
        if BEFORE_DICE not in apart or _ends_with_text(self.about):
            return args
        if not any("--dice" in param.opts for param in self.params):
            return args
        args, at = apart, apart.index(BEFORE_DICE)
        end = next((nth for nth, arg in enumerate(args) if nth > at and arg.startswith("--")), len(args))
        return [*args[:at], f"--dice={','.join(args[at + 1 : end])}", *args[end:]]

    def _written_out(self, ctx: click.Context, arg: str) -> str:
        """The word with the whole name of its option, when it is the beginning of a single one. The options of another
        verb, which `amend` and `odds` take too, are left to that verb.
        """
        said, equals, value = arg.partition("=")
        if len(said) < 3 or not said.startswith("--") or self.ignore_unknown_options or ctx.resilient_parsing:
            return arg
        names = [name for param in self.params for name in param.opts if name.startswith(said)]
        if len(names) != 1 or names[0] == said:
            return arg
        console = ctx.find_root().obj
        if console is not None:
            console.write_out(arg, names[0] + equals + value)
        return names[0] + equals + value


def write_example(formatter: click.HelpFormatter, system: str, verb: str) -> None:
    """Two examples of a verb, or the only one, each on a line of its own."""
    from .examples import examples

    if shown := examples(system, verb)[:2]:
        formatter.write("\n".join(["", f"Example{'s' if shown[1:] else ''}:", *(f"  {one}" for one in shown), ""]))


def spoken(name: str, about: type[Declaration], own: list[click.Parameter], callback: Any) -> Spoken:
    """A verb as the command line takes it: its own parameters, --json and --help."""
    made = Spoken(
        name,
        params=[*own, json_option(), help_option()],
        callback=callback,
        help=about.__doc__,
        add_help_option=False,
        no_args_is_help=False,
    )
    made.about = about
    return made


def declared(declaration: type[Declaration], values: dict[str, Any], system: str) -> Declaration:
    """The declaration in the words of a command line. Raises UsageError that names the wrong word."""
    said: dict[str, Any] = {}
    for field, shape in shapes(declaration):
        given = values.get(field.name)
        if given is None or given == () or given is False:
            continue
        said[field.name] = not field.default if shape.base is bool else _value(field, shape, given, system)
    try:
        return msgspec.convert(said, declaration)
    except msgspec.ValidationError as error:
        raise UsageError(unsaid(error, declaration, said)) from None


def unsaid(
    error: msgspec.ValidationError, declaration: type[Declaration], said: Mapping[str, Any] | None = None
) -> str:
    """Why a declaration is not possible: what the wrong argument or option takes."""
    from commands.action.mistakes import explained

    place, problem = explained(error, declaration)
    name, _, inner = place.partition("[")
    for field, shape in shapes(declaration):
        if field.name == name.partition(".")[0]:
            given = _at(said or {}, name, inner)
            title = f"--{_spelled(field.name)}"
            if not is_option(field, shape):
                title = _argument(declaration, field.name, shape, True)
            return f"{title.removesuffix('...')} {problem.removeprefix('it ')}{f', not {given}' if given else ''}."
    return f"That is not possible: {problem}."


def _at(said: Mapping[str, Any], name: str, inner: str) -> str:
    """The wrong value as it is shown: a number or a short text; "" for anything else."""
    value = said.get(name)
    if inner and isinstance(value, list | tuple) and inner.rstrip("]").isdigit():
        value = value[int(inner.rstrip("]"))]
    return f"{value!r}" if isinstance(value, int) or (isinstance(value, str) and len(value) <= 40) else ""


def _spelled(name: str) -> str:
    """The name of a field as an option is spelled."""
    return name.rstrip("_").replace("_", "-")


def corrections(declaration: type[Declaration], complete: Complete) -> list[click.Parameter]:
    """The options of a correction: every field of the declaration, and the referee's new reason."""
    reason = option("--allow", "_allow", metavar="REASON", help="Allow what a rule refuses; the reason is recorded.")
    return [*parameters(declaration, complete, correcting=True), reason]


def corrected(
    verb: str, declaration: type[Declaration], words: Sequence[str], system: str
) -> tuple[dict[str, Any], str | None]:
    """The fields of a correction with their new values, and the referee's new reason if there is one. Raises UsageError
    that names the wrong word.
    """
    command = click.Command("amend", params=corrections(declaration, lambda *_: []), add_help_option=False)
    try:
        values = command.make_context("amend", list(words), parent=click.get_current_context()).params
    except click.UsageError as error:
        raise UsageError(error.format_message(), f"Every argument is an option here.\naffray {verb} --help") from None
    allow = values.pop("_allow")
    given = {name: value for name, value in values.items() if value is not None and value != ()}
    read = {
        field.name: given[field.name] if shape.base is bool else _value(field, shape, given[field.name], system, True)
        for field, shape in shapes(declaration)
        if field.name in given
    }
    return read, None if allow is None else plain(allow)


def is_option(field: msgspec.structs.FieldInfo, shape: Shape) -> bool:
    """Whether a field is an option, not an argument."""
    return not (field.required or shape.positional)


if TYPE_CHECKING:
    _Choices = click.Choice[str]
else:
    _Choices = click.Choice  # the lowest click has no parameter for it


class _Choice(_Choices):
    """One of some words, or the beginning of a single one of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The whole word. Raises click.BadParameter for any other."""
        begun = [
            one for one in self.choices if str(value).casefold() and one.casefold().startswith(str(value).casefold())
        ]
        return super().convert(begun[0] if len(begun) == 1 else value, param, ctx)


def _click_type(shape: Shape) -> "click.ParamType[Any]":
    """The type that click checks."""
    if shape.choices:
        return _Choice([str(choice) for choice in shape.choices])
    base = shape.inner.base if shape.inner and not shape.word else shape.base
    return click.INT if base is int else click.STRING


def _metavar(shape: Shape, name: str) -> str | None:
    """What stands for the value in the help."""
    if shape.choices:
        return None
    if shape.word == "square":
        return "X,Y[,Z]/..." if shape.many else "X,Y[,Z]"
    if shape.word == "places":
        return "NAME=X,Y/..."
    if shape.inner and shape.inner.choices:
        return f"[{'|'.join(map(str, shape.inner.choices))}]"
    if shape.base is dict and not shape.word:
        return "NAME=VALUE"
    return "N" if shape.base is int else name.rstrip("_").upper().replace("_", "-")


def _value(field: msgspec.structs.FieldInfo, shape: Shape, given: Any, system: str, as_option: bool = False) -> Any:
    """The value of a field, from what click parsed. An option may be repeated, or take several values with commas."""
    if shape.many and shape.word in ("words", "clause") and (as_option or is_option(field, shape)):
        given = [piece for words in given for piece in pieces(words)]
    if shape.many and isinstance(given, str):
        given = (given,)
    if shape.word == "places":
        given = [place for words in given for place in words.split("/")]
    return _read(shape, given, system)


def _read(shape: Shape, given: Any, system: str) -> Any:
    """The value of a field, from what click parsed."""
    if shape.many:
        assert shape.inner is not None
        if shape.word in ("fighters", "blows", "groups"):
            names = tuple(_starred(name) for words in given for name in _clean(words).split(",") if name)
            if not names:
                raise UsageError("That names nobody.", "Write names, such as borin,tilda, or a side, such as @party.")
            return names
        if shape.word == "sheet":
            from .sheet_files import read_sheets

            return tuple(sheet for words in given for sheet in read_sheets(_file(words, shape.word), system))
        if shape.word == "square":
            return tuple(read_square(square) for words in given for square in _clean(words).split("/"))
        return tuple(_read(shape.inner, one, system) for one in given)
    if isinstance(given, tuple) and shape.word == "text":
        return _clean(" ".join(given))
    if shape.word == "square":
        return read_square(_clean(given))
    if shape.word == "toml":
        from .sheet_files import read_toml

        return read_toml(_file(given, shape.word))
    if shape.word == "sheet":
        from .sheet_files import read_sheet

        return read_sheet(_file(given, shape.word), system)
    if shape.word in ("encounter", "party"):
        from .encounter_files import read_encounter, read_party

        given = _file(given, shape.word)
        return read_encounter(given, system) if shape.word == "encounter" else read_party(given, system)
    if shape.word == "table":
        return read_table(_file(given, shape.word))
    if shape.base is dict:
        pairs = [pair(_clean(word), "NAME=VALUE") for words in given for word in pieces(words)]
        check_once(pairs)
        return dict(pairs)
    if shape.word in ("fighter", "group"):
        return _starred(_clean(given))
    return _clean(given) if isinstance(given, str) else given


def _file(word: str, kind: str) -> str:
    """The file that a word names, as the console finds it; a word of that kind, such as `sheet`."""
    ctx = click.get_current_context(silent=True)
    console = ctx.find_root().obj if ctx else None
    return word if console is None else str(console.file(word, kind))


def _starred(name: str) -> str:
    """`grub*` as `@grub`: everybody whose name begins so. Any other word unchanged."""
    return f"@{name[:-1]}" if name.endswith("*") and not name.startswith("@") and name[:-1] else name


def _clean(word: str) -> str:
    """The word, if it is safe on any terminal. Raises UsageError when it holds control characters."""
    word = word.removeprefix(NOT_AN_OPTION)
    if not word.isprintable():
        raise UsageError(f"{word[:40]!r} holds characters that cannot be printed.")
    return word


def plain(word: str | None) -> str:
    """The value of an option that every verb has; "" without it. Raises UsageError when it is too long or
    unprintable.
    """
    if word and len(word) > _MOST_SIGNS:
        raise UsageError(f"{word[:40]!r}... has more than {_MOST_SIGNS:,} characters.")
    return _clean(word or "")


def _shown_default(default: Any) -> str:
    return f"  [default: {default}]" if isinstance(default, int | str) and default not in ("", 0) else ""


def _completer(word: str, complete: Complete) -> Any:
    if not word:
        return None
    return lambda context, _parameter, incomplete: complete(context, word, incomplete)


def read_table(path: str) -> dict[str, Any]:
    """The name and the content of a TOML file that holds a table. Raises UsageError when it does not."""
    from .sheet_files import read_toml

    return {"file": _clean(os.path.basename(path)), "content": read_toml(path)}
