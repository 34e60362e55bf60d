"""Colours of outcome lines: the sides by their names, harm and healing by the rest."""

from collections.abc import Mapping


def dyed(line: str, code: str, names: Mapping[str, str]) -> str:
    """The line in a colour of ANSI, with each name in its own; "" leaves the rest as it is."""
    longest_first = sorted(names, key=len, reverse=True)
    parts, plain, at = [], "", 0
    while at < len(line):
        name = _name_at(line, at, longest_first)
        if name:
            parts += [_painted(plain, code), _painted(name, names[name])]
            plain = ""
        else:
            plain += line[at]
        at += len(name) or 1
    return "".join([*parts, _painted(plain, code)])


def _name_at(line: str, at: int, names: list[str]) -> str:
    """The name that begins there as a whole word; "" for none."""
    if at and (line[at - 1].isalnum() or line[at - 1] == "-"):
        return ""
    for name in names:
        after = line[at + len(name) :][:2]
        if name and line.startswith(name, at) and not after[:1].isalnum() and not (after[:1] == "-" and after[1:]):
            return name
    return ""


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text and code else text
