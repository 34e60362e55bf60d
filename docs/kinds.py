"""Prints `commands/seen/page/kinds.js` from the code: python docs/kinds.py > commands/seen/page/kinds.js."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec
from msgspec import NODEFAULT, inspect

from ledger.events import KINDS, Declared, Event, Joined, Ruled, tag

HEAD = """\
/* The kinds of events of format 1, made by `python docs/kinds.py`; a test compares it with the code. Of each kind the
   fields in the order of the record: [name, type] or [name, type, default]; the first so many are its open half. */
"""
SHAPES = {Declared: ("verb", "instant", "said", "allow", "secret", "counts", "out_of_order", "meant"),
          Joined: ("who", "side", "place", "sheet", "player"),
          Ruled: ("clause", "who", "about", "nth", "outcome", "numbers", "sign", "also", "aside")}  # fmt: skip
"""The fields of kinds that are recorded in another order than their class has them."""


def shape(of: inspect.Type) -> Any:
    """A type, as the second verifier reads it."""
    match of:
        case inspect.StrType():
            return "text"
        case inspect.IntType():
            return "whole"
        case inspect.BoolType():
            return "truth"
        case inspect.NoneType():
            return "none"
        case inspect.RawType():
            return "raw"
        case inspect.AnyType() | inspect.DictType():
            return "sorted"
        case inspect.LiteralType(values=values):
            return {"of": list(values)}
        case inspect.VarTupleType(item_type=item):
            return {"list": shape(item)}
        case inspect.TupleType(item_types=items):
            return {"row": [shape(item) for item in items]}
        case inspect.UnionType(types=types):
            return {"any": [shape(one) for one in types]}
        case inspect.StructType(fields=fields):
            return {"fields": [field(one) for one in fields]}
    raise LookupError(of)


def field(of: inspect.Field) -> list[Any]:
    """A field, with its default if it has one that is left out."""
    if of.default is not NODEFAULT:
        return [of.encode_name, shape(of.type), of.default]
    if of.default_factory is not NODEFAULT:
        return [of.encode_name, shape(of.type), of.default_factory()]
    return [of.encode_name, shape(of.type)]


def kind(of: type[Event]) -> list[Any]:
    """How many fields are open, and all of them."""
    fields = {one.name: field(one) for one in msgspec.inspect.type_info(of).fields}  # type: ignore[union-attr,attr-defined]
    if of is Declared:
        fields["said"][1] = "said"
    return [len(of.OPEN), [fields[name] for name in SHAPES.get(of, of.__struct_fields__)]]


def page() -> str:
    """The whole script."""
    lines = [f"  {msgspec.json.encode(tag(of)).decode()}: {msgspec.json.encode(kind(of)).decode()}," for of in KINDS]
    return "\n".join([f"{HEAD}const KINDS = {{", *lines, "};\n"])


if __name__ == "__main__":
    sys.stdout.write(page())
