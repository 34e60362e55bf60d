"""How the words of the table are said in the words that the fields of a verb take. Each rule holds for some fields."""

import re
from collections.abc import Callable, Sequence, Set

_SIDES = {"left": "w", "right": "e", "up": "n", "down": "s"}
_RULES: tuple[tuple[str, str, str, str | Callable[[re.Match[str]], str]], ...] = (
    ("dice", "", r"^(\d*[dw]\d+)\n?([+-])\n?(\d+)$", r"\1\2\3"),  # `roll 1d20 + 5`
    ("dice", "", r"^([1-9]|10)\n(?=[dw]\d)", r"\1"),  # `roll 1 d20`
    ("", "text", r"^one\n(?=(round|turn|min|hour|day|week|square|point|wound|foot|yard)\S*$)", "1\n"),  # `rest one day`
    ("", "text", r"^(because|since)(\n.*)*\Z", ""),  # `unmask imke because the hood slips`
    ("", "text", r"^1st$", "first"),
    ("", "text", r"^2nd$", "second"),  # `2nd pistol`
    ("square", "", r"^@(-?\d+,-?\d+)$", r"\1"),  # `@1,3`
    ("square", "", r"^(\d+)-(\d+)$", r"\1,\2"),  # `to 3-4`
    ("square", "", r"^x[=:\n]?(-?\d+),?\ny[=:\n]?(-?\d+)$", r"\1,\2"),  # `x3 y2`
    ("item", "", r"^with$", ""),  # `equip ildar with a halberd`
    ("item", "", r"(?<=\n)\S+['’]s\n", ""),  # `draw suori freya's warhammer`
    ("feet squares distance", "", r"^(\d+),(?=[^\W\d])", r"\1\n"),  # `move ogre 20,rolf`
    ("sheet", "", r"\.(to?ml|md|txt)$", ""),  # `join orc.toml`
    ("sheet", "", r"(?<=[lr])ves$", "f"),  # `join wolves`
    ("sheet", "", r"^([^\W\d]\S*)(?:\n\1)+$", lambda same: f"{same[1]}\nx{len(same[0].split())}"),  # `goblin goblin`
    ("sheet", "", r"^x\n(?=\d+$)", "x"),  # `join wolf x 2`
    ("seat sheet", "", r"\A(add|set|new|create)\n(?=.)", ""),  # `seat add lisa`
    ("party", "", r"\A((encounter|fight|combat|battle|scene|named|called|name|titled)\n)+", ""),
    ("scores", "", r"^(?!d\d)([^\W\d][^\n=]*?)(?:['’]s)?\n(?:(?:to|at|is)\n)?(\d+),?$", r"\1=\2"),  # `orcs to 12`
    ("field", "", r"^([a-z-]+)[=:]?(\+\d+|(?<=[=:])-?\d+)$", r"\1\n\2"),  # `hp=20`
    ("feet to squares directions", "", r"^from\n.*\n(?=to$)", ""),  # `from 1,1 to 2,2`
    ("leave", "", r"^back\n([1-5](\n?(feet|foot|ft))?)$", r"\1\nback"),
    ("leave", "", r"^([1-5](\n?(feet|foot|ft))?)\n(back|away)$", r"\1\n--leave\nall"),  # a step leaves nobody else
    ("direction to squares directions", "", r"^(left|right|up|down)$", lambda side: _SIDES[side[0].casefold()]),
    ("directions", "", r"^(\d)([ns]?[ew]|[ns])$", r"\1\n\2"),  # `2e`
    ("directions", "", r"^([ns]?[ew]|[ns])(\d)$", r"\2\n\1"),
    ("feet", "", r"^(ft|foot)$", "feet"),
    ("squares", "feet", r"^(\d+)\n?(feet|foot|ft|')$", lambda far: f"{max(int(far[1]) // 5, 1)}\nsquares"),
    ("watches", "", r"^(\d+)\n?(hours?|h)$", lambda time: f"{max(int(time[1]) // 4, 1)}\nwatches"),
    ("feet", "squares", r"^(\d+)\nsquares?$", lambda far: f"{int(far[1]) * 5}\nfeet"),
    ("minutes", "", r"^(\d+)\n?(hours?|h)$", lambda time: f"{int(time[1]) * 60}\nminutes"),
    ("blows", "", r"^(.*)\n(?:[x*]2|2[x*]|twice)$", r"\1\n\1"),  # `attack aldric orc-2 x2`
    ("blows", "", r"^(.*)\n(?:[x*]3|3[x*]|thrice)$", r"\1\n\1\n\1"),
    ("", "count dice", r"^([x*]\d|\d[x*]|twice|thrice|once|\d*d\d+([+-]\d+)?)$", ""),
)
"""The rules, in the order in which they are used: the fields, or the words for what these take, of which a verb has
one, "" for any verb; those of which it has none; what is said, each word in a line of its own; and what that becomes.
"""


def reworded(own: Set[str], words: Sequence[str]) -> list[str]:
    """The words as a verb would say them that has these fields, and takes these kinds of words."""
    said = "\n".join(words)
    for fields, without, pattern, meant in _RULES:
        if (not fields or own & {*fields.split()}) and own.isdisjoint(without.split()):
            said = re.sub(pattern, meant, said, flags=re.IGNORECASE | re.MULTILINE)
    return [word for word in said.split("\n") if word]
