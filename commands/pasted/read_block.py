"""A stat block, read: what each of its pieces says, what it leaves open, and all other words."""

import re
from collections.abc import Iterator

from msgspec import Struct

from commands.action.as_written import Question, Value, Written
from commands.action.view import guarded

from . import fields
from .attacks import attacks
from .blocks import Block, Piece, blocks
from .families import FAMILIES, Family, Scales, family_of
from .fields import Found
from .layout import plain


class Reading(Struct):
    """What was read of a stat block, and what was not."""

    block: Block
    written: Written
    unread: list[str]
    """Words that no value holds, word for word."""
    asked: list[Question]


def read(text: str, said: Scales, form: str = "") -> list[Reading]:
    """All stat blocks in a text. `form` names the family, "" to know it by the labels."""
    return [_read(block, said, form) for block in blocks(text)]


def _read(block: Block, said: Scales, form: str) -> Reading:
    """Reads the pieces one after the other; the second of a field holds words that nothing reads."""
    known = FAMILIES[form or family_of(block)]
    scales = Scales(said.ac or known.ac, said.move or known.move)
    reading = Reading(block, Written(), [], [])
    done: set[str] = set()
    damage = block.first("damage")
    for piece in block.pieces:
        piece.value, piece.text = piece.value.strip(" ,;|"), piece.text.strip(" ,;|")
        if piece.field in done:
            reading.unread.append(piece.text)
            continue
        done.add(piece.field)
        _take(reading, piece, _found(piece, scales, known, said))
    if block.first("attacks") or damage:
        _take_attacks(reading, block.first("attacks"), damage)
    if reading.written.hd and not (reading.written.hp or reading.written.hp_dice or block.first("hp")):
        if thrown := fields.dice_of(str(reading.written.hd.value)):
            reading.written.hp_dice = Value(thrown, reading.written.hd.words)
        else:
            asks = f"hit points: how many have {reading.written.hd.value} Hit Dice?"
            reading.asked.append(Question("hp_max", asks, reading.written.hd.words))
    if block.pieces:
        reading.asked += _missing(block)
    _take_name(reading)
    guards = [words for words in block.rest if len(words) <= _POWER and guarded([words])]
    reading.written.special += (*block.powers, *guards)
    reading.written.lists = tuple(block.lists)
    reading.unread += [words for words in block.rest if words.strip() and words not in guards]
    return reading


_POWER = 120
"""The most signs of a line without a label that is a power: it says what alone harms its owner."""


def _missing(block: Block) -> Iterator[Question]:
    """Questions about what a stat block should have, and the text has not: no label stands for it."""
    for field, labels, what in _NEEDED:
        if not any(map(block.first, labels)):
            yield Question(field, f"{what}: the text gives none")


_NEEDED = (
    ("ac", ("ac", "aac"), "armour class"),
    ("hp", ("hd", "hp"), "hit points"),
    ("attacks", ("attacks", "damage"), "attacks"),
)
"""Fields, the labels any of which stands for one, and what it is called."""


def _found(piece: Piece, scales: Scales, known: Family, said: Scales) -> Found | None:
    """What a piece says; None where no field is for it, or where it is read with others."""
    text = re.sub(r"\s+", " ", piece.plain)
    match piece.field:
        case "ac":
            return fields.armour_class(text, scales.ac, known.paired or "[" in text)
        case "aac":
            return fields.armour_class(text, said.ac or "ascending")
        case "move":
            return fields.movement(text, scales.move)
        case "save":
            return fields.saves(text, known.ordered)
    return _READ[piece.field](text) if piece.field in _READ else None


_READ = {
    "hd": fields.hit_dice,
    "hp": fields.hit_points,
    "thac0": fields.to_hit,
    "bonus": fields.attack_bonus,
    "morale": fields.morale,
}
"""The readers of fields that need to know nothing else."""
_NAMES = {"aac": "ac", "save": "saves"}


def _take(reading: Reading, piece: Piece, found: Found | None) -> None:
    """Keeps what a piece says: its values, the words behind them, and its question."""
    written = reading.written
    if piece.field in ("attacks", "damage", "name"):
        return
    if piece.field == "special":
        _take_power(reading, piece)
        return
    if found is None:
        reading.unread.append(piece.text)
        return
    given = {**found.more, **({_NAMES.get(piece.field, piece.field): found.value} if found.value is not None else {})}
    for field, value in given.items():
        if getattr(written, field) is None:
            setattr(written, field, Value(value, piece.text))
    if found.asks:
        reading.asked.append(Question(piece.field, found.asks, piece.text, found.scale))
    elif not given:
        reading.unread.append(piece.text)
    elif rest := _behind(piece, found.rest):
        reading.unread.append(f"{piece.label} {rest}")


def _take_power(reading: Reading, piece: Piece) -> None:
    """Keeps special powers that stand behind a label, before those in a list; `Special: None` says that there are
    none.
    """
    if re.fullmatch(r"(?:none|nil|-)?\.?", piece.plain, re.I):
        reading.unread.append(piece.text)
        return
    lists = reading.block.lists
    named = piece.label.casefold().startswith("special")
    if named and piece.label not in lists:
        lists.append(piece.label)
    reading.written.special = (*reading.written.special, piece.value if named else piece.text)


def _behind(piece: Piece, rest: str) -> str:
    """The words behind a value as they are written."""
    if not rest.strip(" ,;.*()[]'\""):
        return ""
    value = re.sub(r"\s+", " ", piece.value)
    whole = plain(value)
    return (value[len(whole) - len(rest) :] if whole.endswith(rest) else rest).lstrip(" ,;/)").rstrip(" ,;/")


def _take_attacks(reading: Reading, said: Piece | None, damage: Piece | None) -> None:
    """Keeps the routines, or the question that they leave."""
    words = "; ".join(piece.text for piece in (said, damage) if piece)
    read = attacks(re.sub(r"\s+", " ", said.plain) if said else "", re.sub(r"\s+", " ", damage.plain) if damage else "")
    if read.asks:
        reading.asked.append(Question("attacks", read.asks, words))
    elif read.routines:
        reading.written.routines, reading.written.blows = read.routines, words
        reading.unread += [read.rest] if read.rest else []
    else:
        reading.unread.append(words)


def _take_name(reading: Reading) -> None:
    """Keeps the name: that of its label, else the one above the stat block."""
    labelled = reading.block.first("name")
    words = labelled.value if labelled else reading.block.name
    made, left = fields.name(plain(words)) if words else ("", "")
    if not made:
        if words:
            reading.unread.append(words)
        names = " or ".join(map(repr, reading.block.names))
        reading.asked.append(Question("name", f"name: {names}?" if names else "name: the text gives none"))
        return
    reading.written.name = Value(made, labelled.text if labelled else words)
    if left:
        reading.unread.insert(0, left)
    if labelled and reading.block.name and reading.block.name != words:
        reading.unread.append(reading.block.name)
