"""psycopg, imported without what it imports in vain: `asyncio`, `logging` and `importlib.metadata` cost as much as an
action, and no connection of ours uses them. The package imports this before all else.
"""

import sys
from types import ModuleType
from typing import Any


class _Unused(BaseException):
    """Stands for what psycopg names at import and only its own asynchronous connections use: classes, also in
    `except`, and functions.
    """

    def __class_getitem__(cls, _: object) -> "type[_Unused]":
        return cls

    def __init__(self, *_: object, **__: object) -> None:
        raise RuntimeError("Affray uses psycopg without asyncio.")


class _Quiet:
    """A logger that says nothing: what psycopg warns of becomes an error of ours."""

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: False


class _Stand(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Unused


def _stands() -> dict[str, ModuleType]:
    """What stands in for each module while psycopg is imported; nothing for one that is there already."""
    asyncio, logging, metadata = map(_Stand, ("asyncio", "logging", "importlib.metadata"))
    vars(logging).update(getLogger=lambda *_: _Quiet(), NOTSET=0)
    vars(metadata).update(version=lambda _: "unknown")
    return {name: one for one in (asyncio, logging, metadata) if (name := one.__name__) not in sys.modules}


def _bring() -> ModuleType:
    """The library."""
    stands = {} if "psycopg" in sys.modules else _stands()
    sys.modules.update(stands)
    try:
        import psycopg
    finally:
        for name in stands:
            del sys.modules[name]
    if "logging" not in stands:
        sys.modules["logging"].getLogger("psycopg").setLevel("CRITICAL")
    return psycopg


_PSYCOPG = _bring()
