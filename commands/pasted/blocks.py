"""Stat blocks in a text: where each begins, its name, its labelled pieces, and all the words between them."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ledger.errors import UsageError

from .labels import CORE, SPELLINGS, Label, find
from .layout import Line, lines, plain

_LONGEST_NAME = 60
_NAME_IN_LINE = 5
"""The most words before the first label of a line that are a name, and not the beginning of a sentence."""
_MOST = 500
"""The most stat blocks of a text."""
_WHOLE = 4
"""So many labels in a line are a stat block, whatever stands before them."""
_SENTENCE = re.compile(r"\b(?:has|have|is|are|was|were|wears?|with|gains?|gets?|becomes?|gives?|needs?)\b")
_SCORE = r"[A-Za-z.]{2,14}:? ?"
_NUMBERED = re.compile(
    rf"[:,;]?\s+(?=(?:{_SCORE}[-+]?[0-9]+(?: ?\([-+][0-9]+\))?[ ,;]*){{2,}}$|{_SCORE}[-+][0-9]+[ ,;]*$)"
)
"""Where words with numbers begin that are no name: `Str 12, Dex 9`, `Init +1`."""
_FILE = re.compile(r"\w\.[a-z]{2,4}$")
"""How the name of a file ends."""
_SIZED = re.compile(r"(?:tiny|small|medium|large|huge|gargantuan|colossal)\b[^,]*,", re.I)
"""How a line begins that says what a creature is: `Medium humanoid, chaotic`."""
_ALIGNED = re.compile(r".*[,;(] *(?:any |usually |always )?(?:lawful|neutral|chaotic|unaligned|good|evil)\b", re.I)
"""A line that may say so: `Humanoid, chaotic`."""
_LONGEST_VALUE = 2000
"""The most characters of a value that goes on in the next line."""
_LOOKED_BACK = 12
"""The most lines between the name of a stat block and its first label."""


class Piece(Struct):
    """A label with its value."""

    field: str
    label: str
    value: str
    """As it is written, in one line."""
    text: str = ""
    """Label and value as they are written."""

    @property
    def plain(self) -> str:
        """The value in plain signs."""
        return plain(self.value).strip()


class Block(Struct):
    """The pieces of one stat block, and all other words that belong to it."""

    name: str = ""
    names: list[str] = []
    """What may be the name, where it is not clear which is."""
    pieces: list[Piece] = []
    powers: list[str] = []
    """Special powers, each with its description."""
    lists: list[str] = []
    """The words before the lists that they stand in."""
    rest: list[str] = []
    """All other words: descriptions, captions, treasure in the lair."""

    def first(self, field: str) -> Piece | None:
        """The first piece of a field."""
        return next((one for one in self.pieces if one.field == field), None)

    def labels(self) -> set[str]:
        """All labels, in small letters."""
        return {one.label.casefold() for one in self.pieces}


class _Cut(Struct):
    """A line, cut at its labels."""

    line: Line
    before: str
    """What stands before the first label."""
    pieces: list[Piece]

    def fields(self) -> list[str]:
        return [piece.field for piece in self.pieces]

    def labels(self) -> set[str]:
        return {piece.label.casefold() for piece in self.pieces}

    @property
    def begins(self) -> bool:
        """Whether it begins with a label."""
        return bool(self.pieces) and not self.before.strip(" *_|>.-(")


def blocks(text: str) -> list[Block]:
    """The stat blocks in a text, in order; what stands before the first belongs to it. Without any label there is one,
    that holds nothing but words. Raises UsageError for more than a few hundred.
    """
    cuts = [_cut(line) for line in lines(text)]
    begins = _begins(cuts)
    if len(begins) > _MOST:
        raise UsageError(f"There are {len(begins):,} stat blocks; {_MOST} at once are the most.", "Paste less at once.")
    return [_block(cuts[begin:end]) for begin, end in zip(begins, [*begins[1:], len(cuts)], strict=True)]


def _cut(line: Line, within: str = "", wrapped: bool = False) -> _Cut:
    """A line, cut at its labels; `wrapped` for one that goes on with those of the line before."""
    if line.kind == "pair":
        label = line.label.casefold()
        field = SPELLINGS.get(label.replace("-", "_"), SPELLINGS.get(label, "none"))
        return _Cut(line, "", [Piece(field, line.label, line.text, f"{line.label}: {line.text}".strip())])
    if line.kind != "text":
        return _Cut(line, "", [])
    labels = list(find(plain(line.text), within))
    found = labels if wrapped else _sound(line.text, labels)
    if not found:
        return _Cut(line, line.text, [])
    pieces = [
        Piece(label.field, label.text, _trimmed(line.text[label.end : end]), _trimmed(line.text[label.begin : end]))
        for label, end in zip(found, [*(label.begin for label in found[1:]), len(line.text)], strict=True)
    ]
    return _Cut(line, line.text[: found[0].begin], pieces)


def _sound(text: str, found: list[Label]) -> list[Label]:
    """The labels of a line that are some: one in the middle of a sentence is none, unless there are others with it, or
    a name with a colon stands before it.
    """
    lead = text[: found[0].begin].strip(" *_|>.-(") if found else ""
    if not lead or (lead.endswith(":") and _is_name(lead) and len(lead.split()) <= _NAME_IN_LINE):
        return found
    strong = {label.field for label in found} & {"ac", "hd", "hp", "attacks", "move", "save", "morale", "thac0"}
    return found if len(strong) >= 2 or (len(found) >= 2 and strong) else []


def _trimmed(text: str) -> str:
    """Words in one line, without what stands between cells."""
    return re.sub(r"\s+", " ", text).strip(" |")


def _begins(cuts: list[_Cut]) -> list[int]:
    """The lines where stat blocks begin."""
    begins, seen, last, fenced = [0], set[str](), -1, False
    for nth, cut in enumerate(cuts):
        if cut.line.kind in ("start", "fence"):
            if seen or (cut.line.kind == "start" and any(one.line.text for one in cuts[begins[-1] : nth])):
                begins.append(nth)
                seen, last = set(), nth
            fenced = True
            continue
        core = {field for field in cut.fields() if field in CORE}
        if seen & core and (not fenced or cut.line.kind != "pair"):
            begin = _walked_back(cuts, nth, max(last, begins[-1]) + 1)
            if begin == nth and not cut.begins and not _has_name(cut) and len(cut.pieces) < _WHOLE:
                continue  # a second armour class in a description
            begins.append(begin)
            seen = {field for one in cuts[begin : nth + 1] for field in one.fields() if field in CORE}
            last, fenced = nth, False
        elif core:
            seen |= core
            last = nth
    return begins


def _has_name(cut: _Cut) -> bool:
    """Whether the words before the first label of a line can be a name."""
    lead, _ = _numbered(_name_before(cut.before))
    told = cut.before.rstrip()[-1:] not in (":", "(") and _SENTENCE.search(lead)
    return _is_name(lead) and len(lead.split()) <= _NAME_IN_LINE and not told


def _name_before(words: str) -> str:
    return _unbold(words.strip().rstrip(" :;,.([-\u2013\u2014"))


def _unbold(words: str) -> str:
    """Words without the signs that make them bold; a star behind a name stays."""
    return words.strip(" *_") if words[:1] in ("*", "_") else words


def _walked_back(cuts: list[_Cut], nth: int, least: int) -> int:
    """Where the stat block begins whose armour class or Hit Dice stand in a line: at its name, else its first label."""
    if cuts[nth].before.strip(" ,;.*_") and _has_name(cuts[nth]):
        return nth
    seen, first = cuts[nth].labels(), nth
    for at in range(nth - 1, least - 1, -1):
        cut = cuts[at]
        if cut.pieces and not (seen & cut.labels()):
            seen |= cut.labels()
            first = at
            if cut.before.strip() and _has_name(cut):
                return at
        elif cut.pieces or cut.line.kind in ("bullet", "power", "aside"):
            break
        elif cut.line.kind == "heading" or (cut.line.kind == "text" and _is_name(cut.line.text)):
            return at
        elif cut.line.kind == "text":
            above = range(at, max(at - _LOOKED_BACK, least - 1), -1)
            return next((one for one in above if cuts[one].line.kind == "heading"), first)
    return first


def _is_name(text: str) -> bool:
    """Whether a line can be a name: short, and no sentence.

    >>> _is_name("Spider, Giant (2HD)"), _is_name("Giant flies are about 3' long.")
    (True, False)
    """
    words = text.strip(" *_:#")
    return (
        0 < len(words) <= _LONGEST_NAME
        and any(sign.isalpha() for sign in words)
        and len(words.split()) <= 9
        and not words.endswith((".", "!", "?", ";", ","))
        and not words[0].islower()
        and words[0] not in "([\"'"
        and not _SIZED.match(words)
        and not _FILE.search(words)
        and not _NUMBERED.match(f" {words}")
    )


def _block(cuts: list[_Cut]) -> Block:
    """The pieces of a stat block, and all other words in it."""
    block = Block(pieces=[], powers=[], lists=[], rest=[])
    first = next((nth for nth, cut in enumerate(cuts) if cut.pieces), len(cuts))
    _title(block, cuts[:first], cuts[first] if first < len(cuts) else None)
    place = _Place()
    for nth in range(first, len(cuts)):
        line = cuts[nth].line
        match line.kind:
            case "gap" | "start" | "fence":
                place.power, place.gap = False, True
            case "bullet" | "power":
                block.powers.append(_unstarred(line.text))
                if line.label and line.label not in block.lists:
                    block.lists.append(line.label)
                place.current, place.power = None, line.kind == "bullet"
            case "aside":
                block.rest.append(line.text)
            case "heading":
                place.current, place.power = None, False
                block.rest.append(line.text)
            case _:
                _take(block, place, cuts, nth, nth == first)
    return block


class _Place(Struct):
    """Where in a stat block a line stands."""

    current: Piece | None = None
    """The value that it may go on with."""
    power: bool = False
    """Whether it stands below a special power."""
    gap: bool = False
    """Whether a gap stands above it."""
    inline: bool = False
    """Whether the value stands in one line with others."""


def _take(block: Block, place: _Place, cuts: list[_Cut], nth: int, first: bool) -> None:
    """Takes a line of text, or a pair: its labels, or words that go on with what stands above."""
    cut, current = cuts[nth], place.current
    wraps = current and cut.line.kind == "text" and not place.gap and not cut.begins
    if current and wraps and (place.inline or _is_open(current)):
        cut = _cut(cut.line, current.field, wrapped=True)
    if cut.pieces and not place.power and (first or _counts(block, cut, current, place.gap)):
        if not first and cut.before.strip(" ,;|*_"):
            _go_on(block, None if place.gap else current, cut.before)
        block.pieces += cut.pieces
        place.current, place.gap, place.inline = cut.pieces[-1], False, len(cut.pieces) > 1
    elif place.power:
        block.powers[-1] = f"{block.powers[-1]} {cut.line.text}"
    elif current and _goes_on(current, cuts, nth, place.gap):
        _go_on(block, current, cut.line.text)
        place.gap = False
    else:
        place.current = None
        _tell(block, cut.line.text, place.gap)
        place.gap = False


def _tell(block: Block, text: str, gap: bool) -> None:
    """Words of a description: lines of a paragraph belong together."""
    if block.rest and not gap and block.rest[-1] and len(block.rest[-1]) < 20_000 and not text.startswith(". "):
        block.rest[-1] = f"{block.rest[-1]} {text}"
    else:
        block.rest.append(text.removeprefix(". "))


def _title(block: Block, before: list[_Cut], first: _Cut | None) -> None:
    """The name: what stands before the first label in its line, else the line or the heading above it that can be one,
    else the last line that can. Of several of the first two kinds none is taken.
    """
    told = [cut.line for cut in before if cut.line.text]
    if first and (lead := _name_before(first.before)):
        if _has_name(first):
            block.name, rest = _numbered(lead)
            block.rest += [rest] if rest else []
            if len(said := block.name.split(": ")) > 1:
                block.name, block.names = "", said
                block.rest.append(lead)
        else:
            block.rest.append(first.before.strip())
    if not block.name and not block.names:
        found = _likely_names(before, told)
        block.names = [_unbold(line.text.strip(" #:")) for line in found]
        if len(found) == 1:
            (block.name,), block.names = block.names, []
            told.remove(found[0])
    block.rest[:0] = [line.text for line in told]


def _likely_names(before: list[_Cut], told: list[Line]) -> list[Line]:
    """The lines above the first label that may be the name."""
    names = [line for line in told if line.kind == "text" and _is_name(line.text)]
    headings = [line for line in told if line.kind == "heading"][-1:]
    likely = [line for line in headings if not _FILE.search(line.text)]
    likely = [*likely, *(line for line in _above(before) if line in names)] or names[-1:]
    return [line for line in likely if not _ALIGNED.match(line.text)] or likely


def _above(before: list[_Cut]) -> list[Line]:
    """The lines that stand above the first label without a gap."""
    at = next((nth for nth in range(len(before) - 1, -1, -1) if before[nth].line.kind != "text"), -1)
    return [cut.line for cut in before[at + 1 :]]


def _numbered(text: str) -> tuple[str, str]:
    """A name, and words with numbers behind it that do not belong to it.

    >>> _numbered("Bog Orc: Init +1"), _numbered("Bog Orc, Str 12, Dex 9"), _numbered("Ghoul, 3 HD")
    (('Bog Orc', 'Init +1'), ('Bog Orc', 'Str 12, Dex 9'), ('Ghoul, 3 HD', ''))
    """
    found = _NUMBERED.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _counts(block: Block, cut: _Cut, current: Piece | None, gap: bool) -> bool:
    """Whether the labels of a line are those of the stat block, and not words of a description below it."""
    if cut.line.kind == "pair":
        return True
    if current and (not gap or _is_open(current)):
        return True
    known = {piece.field for piece in block.pieces}
    return cut.begins and any(field not in known for field in cut.fields())


def _goes_on(current: Piece, cuts: list[_Cut], nth: int, gap: bool) -> bool:
    """Whether a line without labels goes on with the value before it: that is open, or another label follows."""
    if cuts[nth].line.kind == "heading":
        return False
    if _is_open(current):
        return True
    if gap:
        return False
    for cut in cuts[nth + 1 : nth + 4]:
        if cut.line.kind != "text":
            return False
        if cut.begins:
            return True
    return False


def _is_open(piece: Piece) -> bool:
    """Whether a value is not at its end: there is none yet, or a comma or a bracket waits for more."""
    value = piece.plain
    if len(value) > _LONGEST_VALUE:
        return False
    return not value or (value != "-" and value.endswith((",", "-", "/", "+"))) or value.count("(") > value.count(")")


def _go_on(block: Block, current: Piece | None, words: str) -> None:
    """Adds words to a value."""
    if current is None:
        block.rest.append(words.strip())
        return
    current.value = _trimmed(f"{current.value} {words}")
    current.text = _trimmed(f"{current.text} {words}")


def _unstarred(text: str) -> str:
    """Words without the stars that make them bold.

    >>> _unstarred("**Poison:** Causes death (**save vs poison**).")
    'Poison: Causes death (save vs poison).'
    """
    return re.sub(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}", "", text) if "*" in text else text


def words(texts: Iterable[str]) -> Iterator[str]:
    """Words of texts, as they are counted: letters and digits that stand together, in small letters."""
    for text in texts:
        yield from re.findall(r"\w+", plain(text).casefold())
