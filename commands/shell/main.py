"""The executable. Starts fast, and never shows a traceback.

It first imports only what Python already has in memory, because nothing can answer Ctrl-C before that.
"""

import _signal
import _thread
import gc
import os
import sys
from io import TextIOWrapper


def _leave(*_: object) -> None:
    """Ctrl-C while the program starts; it has done nothing yet."""
    os.write(2, b"\nInterrupted. Nothing was recorded.\n")
    os._exit(130)


if _signal.getsignal(_signal.SIGINT) in (_signal.default_int_handler, _signal.SIG_DFL):  # not where it is ignored
    _signal.signal(_signal.SIGINT, _leave)

TYPE_CHECKING = False
"""As in `typing`, which takes longer to import than all that stands above."""
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from commands.words.console import Console
else:
    ModuleType = type(sys)


_SUCCESS = 1
"""The one instruction of a pattern that fits everything."""


class _Later(ModuleType):
    """Replaces a module until something of it is used that is not already `known`."""

    def __init__(self, name: str, **known: object) -> None:
        super().__init__(name)
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> "Any":
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        from .tools import module

        return getattr(module(self.__name__), name)


class _Messages(_Later):
    """Replaces `gettext` until a message is translated."""

    def gettext(self, message: str) -> str:
        """The message in the language of the user."""
        return str(self.__getattr__("gettext")(message))

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The message for this number in the language of the user."""
        return str(self.__getattr__("ngettext")(one, many, count))


class _Patterns(_Later):
    """Stands in for `re`: a pattern is compiled when it is first used."""

    def compile(self, *how: "Any", **named: "Any") -> "_Pattern":
        """The pattern, later."""
        return _Pattern(lambda: self.__getattr__("compile")(*how, **named))


class _Pattern:
    """Stands in for a compiled pattern."""

    def __init__(self, made: "Callable[[], Any]") -> None:
        self._made = made

    def __getattr__(self, name: str) -> "Any":
        found = self.__dict__[name] = getattr(self._made(), name)
        return found


class _Types(_Later):
    """Stands in for a module of types that no value of ours has. The libraries that name them at import get a blank."""

    def __getattr__(self, name: str) -> "Any":
        if any(_under_way(library) for library in ("click", "msgspec")):
            return _Blank
        return super().__getattr__(name)


class _Blank:
    unknown = None  # as `uuid.SafeUUID` has it


def _under_way(library: str) -> bool:
    """Whether a library is being imported just now."""
    spec = getattr(sys.modules.get(library), "__spec__", None)
    return getattr(spec, "_initializing", False)


def defer() -> None:
    """Puts off what click and msgspec import and a command hardly ever needs.

    click wants `inspect` for help texts, `gettext` for what it says itself and one class of `threading`; msgspec wants
    `textwrap` and a module for schemas, other formats, its own `inspect`, and `uuid`, which asks `platform` for the
    name of the system. Together they cost half of what bare Python does (benchmarks/README.md).

    Three things of Python itself cost another half. `re` is imported by nearly everybody and used by hardly any
    command. `datetime` in Python runs and is then replaced by the one in C. `typing` compiles each annotation in quotes
    to check it, for which Python makes its classes of syntax trees; an expression can be evaluated from its text.

    psycopg brings `typing_extensions`. Where it is installed msgspec imports it, for what `typing` has by now.
    """
    import _datetime
    import _sre

    later: dict[str, dict[str, object]] = {
        "inspect": {},
        "textwrap": {},
        "msgspec.inspect": {},
        "msgspec._json_schema": {"schema": None, "schema_components": None},
        "msgspec.toml": {},
        "msgspec.yaml": {},
        "msgspec.msgpack": {},
        "threading": {"local": _thread._local},
    }
    if hasattr(os, "uname"):
        later["platform"] = {"system": lambda: os.uname().sysname}
    for name, known in later.items():
        sys.modules.setdefault(name, _Later(name, **known))
    empty = _sre.compile("", 0, [_SUCCESS], 0, {}, (None,))
    sys.modules.setdefault("re", _Patterns("re", Pattern=type(empty), Match=type(empty.match(""))))
    sys.modules.setdefault("datetime", _datetime)
    for name in ("decimal", "uuid"):
        sys.modules.setdefault(name, _Types(name))
    sys.modules.setdefault("gettext", _Messages("gettext"))
    import typing

    vars(typing)["compile"] = lambda text, *_: text
    same = {name: vars(typing)[name] for name in ("_AnnotatedAlias", "get_type_hints", "NotRequired", "Required")}
    sys.modules.setdefault("typing_extensions", _Later("typing_extensions", **same))


def _attach() -> None:
    """Opens the standard streams that the shell closed, and replaces characters that they cannot take."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  open as long as the process
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class Interrupts:
    """Ctrl-C while a command is carried out: raises KeyboardInterrupt, but neither before nor afterwards."""

    def __init__(self, console: "Console") -> None:
        self.console = console
        self.heeded = False
        if _signal.getsignal(_signal.SIGINT) is _leave:
            _signal.signal(_signal.SIGINT, self._interrupt)
        sys.unraisablehook = self._unraisable

    def _interrupt(self, *_: object) -> None:
        if self.heeded:
            self.console.interrupted = True
            raise KeyboardInterrupt

    def _unraisable(self, lost: "sys.UnraisableHookArgs") -> None:
        """Where Python cannot raise, such as in a destructor, Ctrl-C is lost: the command goes on."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            self.console.interrupted = False
        else:
            sys.__unraisablehook__(lost)


def main(leave: "Callable[[], None] | None" = None) -> None:
    """Runs one command and leaves at once: nothing that matters is left to a destructor or to the cyclic collector.
    `leave` is called at the end.
    """
    gc.disable()
    _attach()
    defer()
    from commands.words.console import Console

    from .cli import interrupted, run

    words = sys.argv[1:]
    console = Console(json="--json" in words)
    interrupts = Interrupts(console)
    try:
        interrupts.heeded = True
        code = run(words, console)
        interrupts.heeded = False
    except KeyboardInterrupt:  # between the last word of the command and the line above
        interrupts.heeded = False
        code = interrupted(console)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 0
    if leave:
        leave()
    os._exit(code)
