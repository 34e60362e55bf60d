"""Declarations: what can be said at the table. One Struct gives a verb its words, options, help and record."""

from typing import Annotated, Any

from msgspec import Meta, Struct

MOST = 1_000_000
"""The largest number that anybody can say, either way."""


class Declaration(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What somebody declares. Fields without default are the verb's arguments, the others its options.

    The docstring of a subclass is the help of its verb. `Meta(description=...)` explains a field;
    `Meta(extra={"positional": True})` makes an argument of one that has a default.
    """


Fighter = Annotated[str, Meta(extra={"word": "fighter"})]
"""The name of somebody at the table; any unambiguous beginning will do, in any case."""
Fighters = Annotated[tuple[str, ...], Meta(extra={"word": "fighters"})]
"""Several names, separated by commas; `@party` stands for everybody on that side who is not dead."""
Square = Annotated[tuple[int, int, int], Meta(extra={"word": "square"})]
"""A square, said as `3,2` or, with a height, `3,2,1`."""
Text = Annotated[str, Meta(min_length=1, max_length=2000, extra={"word": "text"})]
"""Free words."""
Count = Annotated[int, Meta(ge=0, le=MOST)]
"""A number that is not negative."""
Amount = Annotated[int, Meta(ge=-MOST, le=MOST)]
"""Any number."""
Mapping = dict[str, Any]
"""The content of a TOML file that is named on the command line."""
TomlFile = Annotated[Mapping, Meta(extra={"word": "toml"})]
"""A TOML file."""
SheetFile = Annotated[Mapping, Meta(extra={"word": "sheet"})]
"""A stat block: a TOML file, or the name of one of the examples that come with the rule system."""
