"""Prints `docs/vocabulary.md` from the code: python docs/vocabulary.py > docs/vocabulary.md."""

import ast
import inspect
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from ledger.events import KINDS, Event, tag

HEAD = """\
# The vocabulary

<!-- Made by `python docs/vocabulary.py`; a test compares it with the code. -->

A ledger holds only these {count} kinds of event, for all rule systems. `ledger/events/` defines them, in one file for
each group below.

An event is a JSON object. `event` holds its tag; the other fields stand in the order of the record, each with its type,
and with its default, with which it is left out. Types are Python's: `tuple` is a JSON array, `dict` an object, `None`
null, `Raw` any JSON; a type with a section of its own is an object, or one of the listed values. All numbers are whole
numbers. An unknown field or tag is an error.

A later version may add a field with a default, or a new kind. It never changes the meaning of a field or a tag.

`who`, `about` and `whom` are full names from the roster; in turns, order and initiative they can also be seats or
sides; an empty one means nobody in particular. Distances and places are in squares.
"""


class Field(NamedTuple):
    """A field of an event or of a part of one."""

    name: str
    type: str
    default: str | None
    meaning: str


@cache
def source(module: ModuleType) -> ast.Module:
    """The parsed code of a module."""
    return ast.parse(inspect.getsource(module))


def said(node: ast.stmt) -> str:
    """The text of a docstring that stands alone; "" for any other statement."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def fields(body: list[ast.stmt]) -> list[Field]:
    """The annotated fields of a class, each with the docstring that follows it."""
    return [
        Field(
            ast.unparse(node.target),
            ast.unparse(node.annotation).replace("'", '"'),
            None if node.value is None else ast.unparse(node.value).replace("'", '"'),
            said(after),
        )
        for node, after in zip(body, [*body[1:], ast.Pass()], strict=True)
        if isinstance(node, ast.AnnAssign)
    ]


def described(kind: type) -> tuple[str, list[Field]]:
    """The docstring of a class, and its fields."""
    module = sys.modules[kind.__module__]
    for node in source(module).body:
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return said(node.body[0]), fields(node.body)
    raise LookupError(kind)


def parts(module: ModuleType) -> list[tuple[str, str, list[Field]]]:
    """What the events of a module are made of besides plain values: smaller classes and named types."""
    found: list[tuple[str, str, list[Field]]] = []
    body = source(module).body
    used = " ".join(field.type for node in ast.walk(source(module)) if isinstance(node, ast.ClassDef)
                    for field in fields(node.body))  # fmt: skip
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node:
            case ast.ClassDef(name=name) if not issubclass(vars(module)[name], Event):
                found.append((name, said(node.body[0]), fields(node.body)))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if said(after) and name in used:
                found.append((name, f"`{ast.unparse(value)}`. {said(after)}".replace("'", '"'), []))
    return found


def listed(rows: list[Field]) -> list[str]:
    """The fields as a Markdown list, each with its type, and with its default where it has one."""
    if not rows:
        return ["No fields.", ""]
    lines = []
    for row in rows:
        default = "" if row.default is None else f" = {row.default}"
        lines.append(f"- `{row.name}: {row.type}{default}` {row.meaning}".replace("  ", " "))
    return [*lines, ""]


def page() -> str:
    """The whole page."""
    lines = [HEAD.format(count=len(KINDS))]
    modules = list(dict.fromkeys(sys.modules[kind.__module__] for kind in KINDS))
    for module in modules:
        name = module.__name__.rpartition(".")[2]
        lines += [f"## {name.capitalize()}", "", " ".join((module.__doc__ or "").split()), ""]
        for kind in KINDS:
            if kind.__module__ == module.__name__:
                text, rows = described(kind)
                lines += [f"### `{tag(kind)}`", "", text, "", *listed(rows)]
        for title, text, rows in parts(module):
            lines += [f"### {title}", "", text, "", *(listed(rows) if rows else [])]
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
