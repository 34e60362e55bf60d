"""Lines that fit the terminal.

`textwrap` counts characters, not the columns that they take, and its patterns cost an action more than all that stands
here; click wraps with `textwrap` too.
"""

_FURTHER = "  "
"""How much further than the first line of a text the others are indented."""


def wrapped(text: str, width: int, hanging: str | None = None) -> list[str]:
    """The text on lines of this width, broken at spaces. Only a word that is wider stands on a line that is. `hanging`
    stands before all lines but the first; without it they are indented a little further than the first, and than the
    sign of a difference.

    >>> wrapped("Now: Boffin, Jane", 14), wrapped("Now: Boffin, Jane", 14, "     ")
    (['Now: Boffin,', '  Jane'], ['Now: Boffin,', '     Jane'])
    >>> wrapped("  -  Boffin hits Jane", 18)
    ['  -  Boffin hits', '       Jane']
    """
    if text.startswith("\x1b"):  # a colour begins behind the spaces
        code, _, rest = text.partition("m")
        inner = rest.lstrip(" ")
        text = f"{' ' * (len(rest) - len(inner))}{code}m{inner}"
    indent = text[: len(text) - len(text.lstrip(" "))]
    further = indent + _beside_sign(text[len(indent) :]) + _FURTHER if hanging is None else hanging
    lines, line, begun, spaces = [], indent, False, 0
    for word in text[len(indent) :].split(" "):
        if not word:
            spaces += 1
            continue
        if begun and breadth(line) + 1 + spaces + breadth(word) <= width:
            line += " " * (1 + spaces) + word
        else:
            if begun:
                lines.append(line)
            line = (further if begun else indent)[: max(0, width - breadth(word))] + word
        begun, spaces = True, 0
    return [*lines, line]


def _beside_sign(text: str) -> str:
    """Spaces as wide as the sign of a difference and the spaces behind it; "" where a text begins with neither."""
    plain = text.partition("m")[2] if text.startswith("\x1b") else text
    return " " * (len(plain) - len(plain[1:].lstrip(" "))) if plain.startswith(("-  ", "+  ")) else ""


def breadth(text: str) -> int:
    """The columns that a text takes: two for each wide character, none for accents and the codes of colours.

    >>> breadth("Grub-1"), breadth("\u9b3c-1"), breadth("e\u0301")
    (6, 4, 1)
    """
    if text.isascii() and "\x1b" not in text:
        return len(text)
    from unicodedata import category, east_asian_width

    taken, code = 0, False
    for sign in text:
        if sign == "\x1b":
            code = True
        elif code:
            code = sign != "m"
        elif category(sign) not in ("Mn", "Me", "Cf"):
            taken += 2 if east_asian_width(sign) in "WF" else 1
    return taken
