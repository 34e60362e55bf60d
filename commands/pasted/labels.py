"""Labels: the words that stand before the values of a stat block, and where they stand in a line."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Field(NamedTuple):
    """A field of a stat block."""

    written: str
    """The words that stand before it, with a | between."""
    look: str
    """How its value begins where no colon stands between; a pattern."""
    lined: bool = False
    """Whether its long labels need a colon: words such as size and special begin many a sentence."""

    @property
    def spellings(self) -> list[str]:
        """The words that stand before it."""
        return self.written.split("|")


FIELDS = {
    "name": Field("Name", r"[A-Za-z]", lined=True),
    "ac": Field("Armour Class|Armor Class|Armour|Armor|AC", r"-?[0-9]|\[|[Ss]pecial|[Vv]aries|[Nn]one|[Uu]narm"),
    "aac": Field("Ascending AC|AAC", r"[0-9]"),
    "hd": Field("Hit Dice|Hit Die|hit_dice|HD", r"[0-9½¼]|[Vv]aries|[Ll]ess|[Ss]pecial"),
    "hp": Field("Hit Points|hit_points|hps|hp", r"[0-9]"),
    "attacks": Field(
        "No. of Attacks|Number of Attacks|No. Attacks|# of Attacks|#Attacks|#ATT|#AT|# AT|Attacks|Attack|Atks|Atk|Att",
        r"[0-9\[(]|[Nn]one|[Ww]eapon|[Bb]y |[Vv]aries|[Ss]pecial|[A-Za-z0-9'+ -]{1,40}\(",
    ),
    "damage": Field("Damage|Dam|Dmg|DG|D", r"[0-9]|d[0-9]|[Bb]y |[Ss]pecial|[Ss]ee |[Nn]il|[Nn]one|[Ww]eapon"),
    "thac0": Field("THAC0|THACO", r"[-+0-9\[]"),
    "bonus": Field("Attack Bonus|BAB|AB", r"[-+0-9]"),
    "move": Field(
        "Movement Rate|Movement|Move|MV|MOV|Speed", r"[0-9(]|[Ff]ly|[Ss]wim|[Nn]il|[Nn]one|[Vv]aries|[Ss]pecial|-"
    ),
    "save": Field(
        "Saving Throws|Saving Throw|Saves As|Save As|Saves|Save|SV|jds",
        r"[0-9]|[A-Z]{1,3} ?[0-9]|NM|NH|as |[Ff]ighter|[Cc]leric|[Mm]agic|[Tt]hief|[Dd]warf|[Ee]l|[Hh]al|[Nn]or",
    ),
    "morale": Field("Morale|moral|ML", r"[0-9]|[Ss]pecial|[Nn]one|[Vv]aries|n/a"),
    "alignment": Field("Alignment|AL", r"[A-Z]", lined=True),
    "xp": Field(
        "Challenge Level/XP|Challenge Level|CL/XP|HDE/XP|XP Value|Experience Points|Experience|XP",
        r"[0-9A-C]|[Vv]aries",
    ),
    "number": Field(
        "No. Appearing|Number Appearing|No. Appear|No. App.|No. Enc.|Wandering Group|Lair Group|NA|NE|nbr",
        r"[0-9]|[Ss]pecial|[Vv]aries",
        lined=True,
    ),
    "treasure": Field("Treasure Type|Treasure|Hoard Class|TT|HC|loot", r"[A-Z]", lined=True),
    "special": Field(
        "Special Abilities|Special Ability|Special Attacks|Special Attack|Special Defenses|Special Defences"
        "|Special Defense|Special|SA|SD|MR|Magic Resistance",
        r"[A-Za-z0-9+-]",
        lined=True,
    ),
    "layout": Field("layout", r"[A-Za-z]", lined=True),
    "other": Field(
        "Size|Type|Habitat|Intelligence|Frequency|% in Lair|Power Reserve|Equipment|Spells"
        "|Languages|Senses|Terrain|Climate|Environment|Source|Level|Possessions",
        r"[A-Za-z0-9]",
        lined=True,
    ),
}
"""All that stands in a stat block. `number`, `treasure`, `alignment`, `xp` and `other` are known so that they are not
read as the end of another value.
"""
SPELLINGS = {spelling.casefold(): name for name, field in FIELDS.items() for spelling in field.spellings}
"""The field of each label, which is in small letters."""
CORE = ("ac", "hd")
"""What each stat block has once: a second one begins another stat block."""
_BY_WORD: dict[str, list[tuple["re.Pattern[str]", str]]] = {}
"""The first word of each label, with the patterns of those that begin with it and their fields; the longest first."""
for _spelling, _field in sorted(
    ((one, name) for name, field in FIELDS.items() for one in field.spellings), key=lambda one: -len(one[0])
):
    _first = re.findall(r"[A-Za-z0-9_]+|[#%]", _spelling)[0].casefold()
    _pattern = re.compile(rf"(?<![\w'/+-])(?:({re.escape(_spelling)})|(?i:{re.escape(_spelling)}))(?!\w)")
    _BY_WORD.setdefault(_first, []).append((_pattern, _field))
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[#%]")
_COLON = re.compile(r"[*_]{0,3}\s{0,4}[:=]\s*[*_]{0,3}\s*")
_SPACE = re.compile(r"[*_]{0,3}\s+")


class Label(NamedTuple):
    """A label in a line."""

    field: str
    begin: int
    end: int
    """Where the value begins."""
    text: str
    """As it is written."""
    colon: bool


def find(line: str, within: str = "") -> Iterator[Label]:
    """The labels in a line of plain signs, from left to right. `within` is the field whose value the line goes on
    with; in words about special powers only a label after a semicolon counts.
    """
    at = 0
    for word in _WORD.finditer(line):
        if word.start() < at or not (spellings := _BY_WORD.get(word.group().casefold())):
            continue
        for pattern, field in spellings:
            if (written := pattern.match(line, word.start())) and (found := _label(written, field, within)):
                yield found
                at, within = found.end, field
                break


def _label(written: "re.Match[str]", field: str, within: str) -> Label | None:
    """The label of a field that is written so, if it is one there. With a colon it is, in most places."""
    line, word = written.string, written[0]
    lead = line[: written.start()]
    before = lead[-20:].rstrip(" \t")[-1:]
    starts = not before or (len(lead) < 40 and not lead.strip(" \t*_|>\"'"))
    colon = _COLON.match(line, written.end())
    if colon and (starts or ((word[:1].isupper() or written[1]) and (within != "special" or before in ";."))):
        return Label(field, written.start(), colon.end(), word, True)
    return _unmarked(written, field, within, before, starts)


def _unmarked(written: "re.Match[str]", field: str, within: str, before: str, starts: bool) -> Label | None:
    """The label that is written so without a colon, if what stands before and behind it fits."""
    line, word = written.string, written[0]
    short = len(word) <= 5 and bool(written[1] or word in (word.upper(), word.capitalize()))
    space = _SPACE.match(line, written.end())
    end = space.end() if space else written.end()
    if not space and not (short and line[end : end + 1] in ("", "[")):
        return None
    ends_list = short and before in ",;" and (not line[end:].strip() or (field == "attacks" and before == ";"))
    if not ends_list and not re.compile(FIELDS[field].look).match(line, end):
        return None
    if FIELDS[field].lined and not short and not (starts and word.isupper()):
        return None
    may_stand = (short or word[:1].isupper()) if starts else _may_follow(word, field, before, within, short)
    return Label(field, written.start(), end, word, False) if may_stand else None


def _may_follow(written: str, field: str, before: str, within: str, short: bool) -> bool:
    """Whether a label without a colon may stand behind other words of its line."""
    if not (written[:1].isupper() or written[:1] == "#") and written not in ("hp", "hps"):
        return False
    if field in ("special", "other") and (not short or before not in ",;("):
        return False
    if within == "special":
        return before in (";", "")
    if written == "D":
        return within == "attacks" or (before in ",;" and within != "save")
    return before in ",;(.[|" or short or before == ")"
