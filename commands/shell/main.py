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
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    from commands.words.console import Console
else:
    ModuleType = type(sys)


SELDOM = ("inspect", "textwrap", "msgspec.inspect")
"""Modules that click and msgspec import for help texts and schemas: their classes and patterns cost a twentieth of an
action. `importlib.util.LazyLoader` does the same, but what it imports costs a part of what that saves.
"""
_LOADING = _thread.RLock()


class _Later(ModuleType):
    """A module that runs when something of it is used for the first time."""

    def __getattr__(self, name: str) -> "Any":
        if name.startswith("__"):
            raise AttributeError(name)
        with _LOADING:
            spec: Any = self.__spec__
            if loader := spec.loader_state:
                spec.loader_state, spec.loader, self.__loader__ = None, loader, loader
                loader.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment]
        return ModuleType.__getattribute__(self, name)  # of which it may be one already


class Seldom:
    """Finds the modules of `SELDOM` where Python finds them, and lets them run later."""

    @staticmethod
    def find_spec(name: str, path: "Any" = None, target: "Any" = None) -> "ModuleSpec | None":
        """How such a module is loaded; None for every other one."""
        if name not in SELDOM:
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not Seldom)
        spec = next(filter(None, others), None)
        if spec is not None:
            spec.loader_state, spec.loader = spec.loader, Seldom  # type: ignore[assignment]
        return spec

    @staticmethod
    def create_module(spec: "ModuleSpec") -> ModuleType:
        """The module, which has not run."""
        return _Later(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Nothing has to be done yet."""


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
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  open as long as the process
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.meta_path.insert(0, Seldom)
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
