"""A command line as one text: in a script, at the prompt, from a program; and an action as the line that says it."""

from collections.abc import Iterator, Sequence
from typing import Any

from commands.action.declaration import Declaration, Shape, shapes
from commands.action.quoting import quoted
from ledger.errors import UsageError


def words_of(line: str) -> list[str]:
    """The words of a line, without `affray` in front and without a comment. Raises UsageError when its quotes do not
    match.
    """
    plain = line.strip(" \t\r\n")
    if plain.isprintable() and not any(sign in plain for sign in "'\"\\#"):
        words = plain.split()
    else:
        import shlex  # slow to import

        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(f"The quotes do not match ({error}).") from None
    return words[1:] if words[:1] == ["affray"] else words


def typed(verb: str, declaration: Declaration, allow: str = "", more: Sequence[str] = ()) -> str:
    """A declaration as the command that makes it, with more options behind it."""
    arguments, options = ["affray", *verb.split()], []
    for field, shape in shapes(type(declaration)):
        value = getattr(declaration, field.name)
        if field.required or (shape.positional and value != field.default):
            arguments += _words(shape, value)
        elif value != field.default:
            name = field.name.rstrip("_").replace("_", "-")
            if shape.base is bool:
                options.append(f"--{name}" if value else f"--no-{name}")
            else:
                options += [part for word in _words(shape, value) for part in (f"--{name}", word)]
    return " ".join(map(quoted, [*arguments, *options, *more, *(("--allow", allow) if allow else ())]))


def filled(declaration: Declaration) -> dict[str, tuple[str, ...]]:
    """The words of each field that was said, as a form has them; of a flag none."""
    found: dict[str, tuple[str, ...]] = {}
    for field, shape in shapes(type(declaration)):
        value = getattr(declaration, field.name)
        if field.required or (value != field.default and value is not False):
            several = value if shape.word in ("fighters", "blows", "groups") else _words(shape, value)
            found[field.name] = () if value is True else tuple(several)
    return found


def _words(shape: Shape, value: Any) -> Iterator[str]:
    if shape.word in ("fighters", "blows", "groups"):
        yield ",".join(value)
    elif shape.many and shape.word in ("square", "places"):
        assert shape.inner is not None
        yield "/".join(word for one in value for word in _words(shape.inner, one))
    elif shape.many:
        assert shape.inner is not None
        for one in value:
            yield from _words(shape.inner, one)
    elif shape.word == "square":
        yield ",".join(map(str, value if value[2] else value[:2]))
    elif shape.word in ("encounter", "party"):
        yield from [value["file"]] if value else []
    elif shape.base is dict:
        yield from (f"{name}={one}" for name, one in value.items())
    else:
        yield str(value)
