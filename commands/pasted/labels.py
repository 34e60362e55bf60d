"""Labels: the words that stand before the values of a stat block, and where they stand in a line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

SPELLINGS = {
    "name": ("Name",),
    "ac": ("Armour Class", "Armor Class", "Armour", "Armor", "AC"),
    "aac": ("Ascending AC", "AAC"),
    "hd": ("Hit Dice", "Hit Die", "hit_dice", "HD"),
    "hp": ("Hit Points", "hit_points", "hps", "hp"),
    "attacks": (
        "No. of Attacks", "Number of Attacks", "No. Attacks", "# of Attacks", "#Attacks", "#ATT", "#AT", "# AT",
        "Attacks", "Attack", "Atks", "Atk", "Att",
    ),
    "damage": ("Damage", "Dam", "Dmg", "DG", "D"),
    "thac0": ("THAC0", "THACO"),
    "bonus": ("Attack Bonus", "BAB", "AB"),
    "move": ("Movement Rate", "Movement", "Move", "MV", "MOV", "Speed"),
    "save": ("Saving Throws", "Saving Throw", "Saves As", "Save As", "Saves", "Save", "SV", "jds"),
    "morale": ("Morale", "moral", "ML"),
    "alignment": ("Alignment", "AL"),
    "xp": (
        "Challenge Level/XP", "Challenge Level", "CL/XP", "HDE/XP", "XP Value", "Experience Points", "Experience", "XP",
    ),
    "number": (
        "No. Appearing", "Number Appearing", "No. Appear", "No. App.", "No. Enc.", "Wandering Group", "Lair Group",
        "NA", "NE", "nbr",
    ),
    "treasure": ("Treasure Type", "Treasure", "Hoard Class", "TT", "HC", "loot"),
    "special": (
        "Special Abilities", "Special Ability", "Special Attacks", "Special Attack", "Special Defenses",
        "Special Defences", "Special Defense", "Special", "SA", "SD", "MR", "Magic Resistance",
    ),
    "layout": ("layout",),
    "other": (
        "Size", "Type", "Habitat", "Intelligence", "Frequency", "% in Lair", "Power Reserve", "Equipment", "Spells",
        "Languages", "Senses", "Terrain", "Climate", "Environment", "Source", "Level", "Possessions",
    ),
}  # fmt: skip
"""For each field the words that stand before it. Those of `number`, `treasure`, `alignment`, `xp` and `other` are known
so that they are not read as the end of another value."""
_LOOKS_WRITTEN = {
    "name": r"[A-Za-z]",
    "ac": r"-?[0-9]|\[|[Ss]pecial|[Vv]aries|[Nn]one|[Uu]narm",
    "aac": r"[0-9]",
    "hd": r"[0-9½¼]|[Vv]aries|[Ll]ess|[Ss]pecial",
    "hp": r"[0-9]",
    "attacks": r"[0-9\[(]|[Nn]one|[Ww]eapon|[Bb]y |[Vv]aries|[Ss]pecial|[A-Za-z0-9'+ -]{1,40}\(",
    "damage": r"[0-9]|d[0-9]|[Bb]y |[Ss]pecial|[Ss]ee |[Nn]il|[Nn]one|[Ww]eapon",
    "thac0": r"[-+0-9\[]",
    "bonus": r"[-+0-9]",
    "move": r"[0-9(]|[Ff]ly|[Ss]wim|[Nn]il|[Nn]one|[Vv]aries|[Ss]pecial|-",
    "save": r"[0-9]|[A-Z]{1,3} ?[0-9]|NM|NH|as |[Ff]ighter|[Cc]leric|[Mm]agic|[Tt]hief|[Dd]warf|[Ee]l|[Hh]al|[Nn]or",
    "morale": r"[0-9]|[Ss]pecial|[Nn]one|[Vv]aries|n/a",
    "alignment": r"[A-Z]",
    "xp": r"[0-9A-C]|[Vv]aries",
    "number": r"[0-9]|[Ss]pecial|[Vv]aries",
    "treasure": r"[A-Z]",
    "special": r"[A-Za-z0-9+-]",
    "layout": r"[A-Za-z]",
    "other": r"[A-Za-z0-9]",
}
"""How a value begins where no colon stands between it and its label."""
_LOOKS = {field: re.compile(look) for field, look in _LOOKS_WRITTEN.items()}
_LINED = ("alignment", "special", "other", "layout", "name", "treasure", "number")
"""Fields whose long labels need a colon: words such as size and special begin many a sentence."""
CORE = ("ac", "hd")
"""What each stat block has once: a second one begins another stat block."""
_BY_WORD: dict[str, list[tuple[str, str]]] = {}
for _field, _words in SPELLINGS.items():
    for _spelling in _words:
        _first = re.findall(r"[A-Za-z0-9_]+|[#%]", _spelling)[0].casefold()
        _BY_WORD.setdefault(_first, []).append((_spelling, _field))
for _found in _BY_WORD.values():
    _found.sort(key=lambda one: -len(one[0]))
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
        for spelling, field in spellings:
            if (found := _label(line, word.start(), spelling, field, within)) is not None:
                yield found
                at, within = found.end, field
                break


def _label(line: str, begin: int, spelling: str, field: str, within: str) -> Label | None:
    """A label of this spelling that begins at this place, if one stands there."""
    written = line[begin : begin + len(spelling)]
    if written.casefold() != spelling.casefold():
        return None
    after = line[begin + len(spelling) : begin + len(spelling) + 1]
    before = line[max(begin - 20, 0) : begin].rstrip(" \t")[-1:]
    if after.isalnum() or after == "_":
        return None
    if begin and (line[begin - 1].isalnum() or line[begin - 1] in "_'/-+"):
        return None
    starts = not before or (not line[:begin].strip(" \t*_|>\"'") if begin < 40 else False)
    rest = _COLON.match(line, begin + len(spelling))
    capital = written[:1].isupper() or written == spelling
    if rest and (starts or (capital and (within != "special" or before in ";."))):
        return Label(field, begin, rest.end(), written, True)
    rest = _SPACE.match(line, begin + len(spelling))
    end = rest.end() if rest else begin + len(spelling)
    short = len(spelling) <= 5 and written in (spelling, spelling.upper(), spelling.capitalize())
    if not rest and not (short and after in "[" and after) and not (short and not after):
        return None
    listed = short and before in ",;"
    in_list = listed and (not line[end:].strip() or (field == "attacks" and before == ";"))
    if not (_LOOKS[field].match(line, end) or in_list):
        return None
    if field in _LINED and not short and not (starts and written.isupper()):
        return None
    if not starts and not _may_follow(written, field, before, within, short):
        return None
    if starts and not short and not written[:1].isupper():
        return None
    return Label(field, begin, end, written, False)


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
