"""The layout of pasted text: its lines, with tables and YAML taken apart."""

import re
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from .labels import SPELLINGS

_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u0060\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u00d7\u2715\u2716", "x"),
        **dict.fromkeys("\u2217\u2020", "*"),
        **dict.fromkeys("\u2215\u2044", "/"),
        "\uff1a": ":",
        "\uff1b": ";",
        "\uff0c": ",",
        "\uff08": "(",
        "\uff09": ")",
    }
)
_NEWLINES = re.compile(r"\r\n?|\x0b|\x0c|\x85|\u2028|\u2029|<br ?/?>", re.I)
_FENCE = re.compile(r" {0,3}(?:```|~~~)[ \t]*([^`]*)$")
_RULE = re.compile(r"[ \t|:=*_+-]+$")
_BULLET = re.compile(r"[ \t]*(?:[*+-] |[-*]?[ \t]*[▶►▸•●◦‣■▪➢➤][ \t]?)[ \t]*")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+|[ \t]*>[ \t]?(?:#{1,6}[ \t]+)?")
_BOLD = re.compile(r"(\*{1,3})([A-Za-z#][^*\n]{0,60}?)\1")
"""Words between stars; those behind Hit Dice, as in 2**, are none."""
_KEY = re.compile(r"([ ]*)(-[ ]+)?(?:([A-Za-z_][\w -]{0,38})[ ]*:(?:[ ]+|$))?(.*)$")


_MANY = 6
"""So many lines with a blank one after each are a copy from a page, and not paragraphs."""


class Line(NamedTuple):
    """A line as it is to be read."""

    kind: str
    """text, heading, bullet, gap, pair (a label with its value, from a table or YAML), power (a special power), aside
    (what is no part of the block itself) or start (another stat block begins)."""
    text: str
    """What stands there; of a pair the value."""
    label: str = ""
    """The label of a pair."""


def plain(text: str) -> str:
    """The text with one sign for all hyphens and quotes, each in its old place.

    >>> plain("HD 1–1, MV 60’")
    "HD 1-1, MV 60'"
    """
    return text.translate(_SAME)


def lines(text: str) -> list[Line]:
    """The lines of a text. A blank stands for each sign that is not seen."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in _NEWLINES.sub("\n", text))
    return list(_fenced(_single_spaced(shown.split("\n"))))


def _single_spaced(rows: list[str]) -> list[str]:
    """The lines without single blank ones between them, where a copy from a page put one after each of many."""
    kept: list[str] = []
    at = 0
    while at < len(rows):
        end = at
        while end + 2 < len(rows) and rows[end].strip() and not rows[end + 1].strip() and rows[end + 2].strip():
            end += 2
        kept += rows[at : end + 1 : 2] if (end - at) // 2 + 1 >= _MANY else rows[at : end + 1]
        at = end + 1
    return kept


def _fenced(rows: list[str]) -> Iterator[Line]:
    """The lines of a text in which YAML stands in fences, between rules at its top, or alone."""
    at = next((nth for nth, row in enumerate(rows) if row.strip()), len(rows))
    if _is_yaml(rows):
        yield from _yaml(rows)
        return
    while at < len(rows):
        fence = _FENCE.match(rows[at])
        front = rows[at].strip() == "---" and _is_front(rows, at)
        if not fence and not front:
            end = _end_of_plain(rows, at)
            yield from _plain_lines(rows, at, end)
            at = end
            continue
        below = range(at + 1, len(rows))
        ends = (nth for nth in below if (rows[nth].strip() == "---" if front else _FENCE.match(rows[nth])))
        closing = next(ends, len(rows))
        inner = rows[at + 1 : closing]
        yield Line("start" if front else "fence", "")
        yield from _caption(rows[at])
        if front:
            yield from (Line("aside", " ".join(entry.split())) for entry in re.split(r"\n(?![ -])", "\n".join(inner)))
        elif _is_yaml(inner):
            yield from _yaml(inner)
        else:
            yield from _plain_lines(inner, 0, len(inner))
        yield Line("gap", "")
        if closing < len(rows):
            yield from _caption(rows[closing])
        at = closing + 1


def _caption(row: str) -> Iterator[Line]:
    """The words that stand behind the signs of a fence."""
    if (fence := _FENCE.match(row)) and (words := fence.group(1).strip()):
        yield Line("aside", words)


def _end_of_plain(rows: list[str], at: int) -> int:
    """Where lines end that stand outside of fences."""
    for nth in range(at + 1, len(rows)):
        if _FENCE.match(rows[nth]) or (rows[nth].strip() == "---" and _is_front(rows, nth)):
            return nth
    return len(rows)


def _is_front(rows: list[str], at: int) -> bool:
    """Whether a rule begins the properties of a note: only keys with small letters until the next rule."""
    for row in rows[at + 1 : at + 60]:
        if row.strip() == "---":
            return row is not rows[at + 1]
        if not re.match(r"[a-z][\w-]*:|[ ]+\S|- |\s*$", row):
            return False
    return False


def _is_yaml(rows: list[str]) -> bool:
    """Whether these lines are keys with small letters, such as `hit_dice:`."""
    keys = [row.partition(":")[0] for row in rows if re.match(r"[a-z][a-z_0-9-]*:(?: |$)", row)]
    return (
        "name" in keys
        and ("ac" in keys or "hit_dice" in keys or "hp" in keys)
        and all(re.match(r"[a-z][\w-]*:|[ ]+\S|- |\s*$|---$|#", row) for row in rows)
    )


def _yaml(rows: list[str]) -> Iterator[Line]:
    """The flat part of YAML that stat blocks use: keys with a value or a list, and lists of names with descriptions.

    What is more than that (anchors, tags, tables in braces) is no value: it is told as an aside.
    """
    nth = 0
    while nth < len(rows):
        key = re.match(r"([A-Za-z_][\w -]*):[ ]*(.*)$", rows[nth])
        end = nth + 1
        while end < len(rows) and (rows[end][:1] in (" ", "-") or not rows[end].strip()):
            if rows[end].strip() == "---":
                break
            end += 1
        inner = [row for row in rows[nth + 1 : end] if row.strip()]
        if not key:
            if rows[nth].strip(" -"):
                yield Line("aside", rows[nth].strip())
            yield from (Line("aside", row.strip()) for row in inner)
        elif not inner:
            yield _scalar(key.group(1), key.group(2).strip())
        elif re.fullmatch(r"[|>][+-]?", key.group(2).strip()):
            yield _scalar(key.group(1), " ".join(row.strip() for row in inner))
        elif key.group(2).strip():
            yield Line("aside", f"{key.group(1)}: {' '.join(row.strip() for row in (key.group(2), *inner))}")
        else:
            yield from _entries(key.group(1), inner)
        nth = end


def _scalar(key: str, value: str) -> Line:
    """A key with its value."""
    if value[:1] in ("&", "*", "!", "{", "%", "@"):
        return Line("aside", f"{key}: {value}")
    return Line("pair", _unquoted(value), key)


def _entries(key: str, rows: list[str]) -> Iterator[Line]:
    """The entries of a list: of powers one each, of all else they are asides."""
    if key.casefold() not in _POWERS:
        yield Line("aside", f"{key}: {' '.join(row.strip() for row in rows)}")
        return
    said, keys = "", dict[str, None]()
    for row in rows:
        found = _KEY.match(row)
        dash, name, value = found.group(2, 3, 4) if found else (None, None, row)
        value = _unquoted(value.strip())
        if dash and said:
            yield Line("power", said, f"{key}: {', '.join(keys)}")
            said = ""
        if value in ("|", ">", "|-", ">-"):
            value = ""
        if name and name.casefold() not in ("name", "desc"):
            value = f"{name}: {value}".rstrip()
        elif name:
            keys[name] = None
        joint = "" if not said else ": " if name and name.casefold() == "desc" else " "
        said = f"{said}{joint}{value}" if value else said
    if said:
        yield Line("power", said, f"{key}: {', '.join(keys)}")


_POWERS = ("traits", "special", "specials", "abilities", "powers", "special_abilities")
"""Lists of YAML whose entries are special powers."""


def _unquoted(value: str) -> str:
    r"""A value of YAML without its quotes.

    >>> _unquoted('"5*"'), _unquoted("'it''s'"), _unquoted("6")
    ('5*', "it's", '6')
    """
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def _plain_lines(rows: list[str], begin: int, end: int) -> Iterator[Line]:
    """Lines of ordinary text, with the rows of tables as pairs."""
    nth = begin
    while nth < end:
        row = rows[nth]
        if row.count("|") >= 2 and row.strip().startswith("|"):
            after = nth
            while after < end and rows[after].strip().startswith("|"):
                after += 1
            yield from _table([_cells(one) for one in rows[nth:after]])
            nth = after
            continue
        nth += 1
        if not row.strip() or _RULE.fullmatch(row):
            yield Line("gap", "")
        elif heading := _HEADING.match(row):
            yield Line("heading" if "#" in heading.group() else "text", row[heading.end() :].strip(" \t#"))
        elif (bullet := _BULLET.match(row)) and not row.strip().startswith("**"):
            yield Line("bullet", row[bullet.end() :].strip())
        else:
            yield Line("text", _BOLD.sub(r"\2", row.strip()))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _table(rows: list[list[str]]) -> Iterator[Line]:
    """A table: labels on the left with their values, or a stat block in each row below a row of labels."""
    filled = [row for row in rows if not all(re.fullmatch(r":?-*:?", cell) for cell in row)]
    head = [_bare(cell) for cell in chain(*filled[:1])]
    labels = sum(cell.casefold() in SPELLINGS for cell in head)
    below = {_bare(cell).casefold() for row in filled[1:] for cell in row}
    if below and len(head) > 2 and labels * 3 > 2 * len(head) - 1 and below.isdisjoint(SPELLINGS):
        yield from _below(head, filled[1:])
        return
    for row in filled:
        for label, value in _pairs(row if len(row) > 1 else ["", *row]):
            if label or value:
                yield Line("pair", value, _bare(label)) if label else Line("text", value)


def _pairs(row: list[str]) -> list[tuple[str, str]]:
    """The labels of a row with their values: each second cell, where all those before are labels; else the first."""
    known = {"", *SPELLINGS}
    if len(row) % 2 == 0 and all(_bare(cell).casefold() in known for cell in row[::2]):
        return [*zip(row[::2], row[1::2], strict=True)]
    return [(row[0], " ".join(row[1:]))]


def _below(head: list[str], rows: list[list[str]]) -> Iterator[Line]:
    """A stat block in each row below a row of labels. What has no label in front is a name."""
    head[0] = head[0] if head[0].casefold() in SPELLINGS else "Name"
    for row in rows:
        yield Line("start", "")
        labelled = zip_longest(row, head[: len(row)], fillvalue="")
        yield from (Line("pair", cell, label) for cell, label in labelled if cell or label)


def _bare(cell: str) -> str:
    return cell.strip(" *_:")
