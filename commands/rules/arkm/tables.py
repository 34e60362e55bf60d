"""The tables of Arkm: what a file may hold, and how it is checked. The files are in `tables/`."""

from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct

from commands.action.rule_tables import load
from ledger.dice import parse
from ledger.errors import UsageError
from projections.state import State

from .stat_block import Armour, Hd, SaveNumber, Shield, Size, Weapon

Level = Annotated[int, Meta(ge=0, le=99)]


Key = Annotated[str, Meta(min_length=1, max_length=40)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The shape of everything in a table's file."""


class Table(Part, frozen=True):
    """What a whole file holds."""

    @classmethod
    def used(cls, state: State) -> Self:
        """The one that the campaign uses."""
        table: Self = load(state, _NAMES[cls])
        return table


class Band(Part, frozen=True):
    """A row for the levels from `lo` to `hi`."""

    row: Key
    lo: Level
    hi: Level
    """0 for the last band of a row, which goes on for ever."""
    thac0: Annotated[int, Meta(ge=-10, le=20)]


class HdBand(Part, frozen=True):
    """A row for the Hit Dice up to and including `up_to`, above that of the row before."""

    up_to: Level
    """0 for the last row, which goes on for ever."""
    thac0: Annotated[int, Meta(ge=-10, le=20)]


class ToHit(Table, frozen=True):
    """Which natural roll hits armour class 0, by class and level or by Hit Dice."""

    normal_man: Annotated[int, Meta(ge=-10, le=20)]
    other_classes: Key
    """The row of every class that `classes` does not name."""
    classes: dict[Key, Key]
    rows: tuple[Band, ...]
    monsters: tuple[HdBand, ...]

    def of_class(self, name: str, level: int) -> int:
        """The THAC0 of a class at a level, 1 or more."""
        row = self.classes.get(name, self.other_classes)
        return next(band.thac0 for band in self.rows if band.row == row and band.lo <= level <= (band.hi or level))

    def of_hd(self, hd: Hd) -> int:
        """The THAC0 of a monster."""
        return next(band.thac0 for band in self.monsters if not band.up_to or hd.doubled <= 2 * band.up_to)


class ScoreRow(Part, frozen=True):
    """A row for the scores from `lo` to `hi`."""

    lo: Level
    hi: Level
    modifier: Annotated[int, Meta(ge=-10, le=10)]


class Abilities(Table, frozen=True):
    """The modifier of each ability score, from 3 to 25."""

    rows: tuple[ScoreRow, ...]

    def modifier(self, score: int) -> int:
        """The modifier of a score."""
        return next(row.modifier for row in self.rows if row.lo <= score <= row.hi)


class ArmourRow(Part, frozen=True):
    """A kind of armour."""

    armour: Armour
    ac: Annotated[int, Meta(ge=-20, le=10)]


class Armours(Table, frozen=True):
    """The armour class of each kind of armour."""

    rows: tuple[ArmourRow, ...]

    def ac(self, armour: str) -> int:
        """The armour class that a kind of armour gives."""
        return next(row.ac for row in self.rows if row.armour == armour)


class ShieldRow(Part, frozen=True):
    """A kind of shield."""

    shield: Shield
    bonus: Annotated[int, Meta(ge=0, le=10)]
    attackers: Annotated[int, Meta(ge=0, le=10)]
    """Against how many attackers it serves in a round."""


class Shields(Table, frozen=True):
    """What each kind of shield is good for."""

    rows: tuple[ShieldRow, ...]

    def of(self, shield: str) -> ShieldRow:
        """The row of a kind of shield."""
        return next(row for row in self.rows if row.shield == shield)


class Weapons(Table, frozen=True):
    """Every weapon that a sheet can name."""

    rows: tuple[Weapon, ...]

    def find(self, name: str) -> Weapon | None:
        """The weapon of that name, if there is one."""
        return next((row for row in self.rows if row.id == name), None)


class SizeRow(Part, frozen=True):
    """A size of target."""

    size: Size
    attackers: Annotated[int, Meta(ge=1, le=100)]


class Surround(Table, frozen=True):
    """How many can attack one target of each size."""

    rows: tuple[SizeRow, ...]

    def most(self, size: str) -> int:
        """The number for a size."""
        return next(row.attackers for row in self.rows if row.size == size)


class SetsRow(Part, frozen=True):
    """A row for the levels from `lo` to `hi`."""

    lo: Level
    hi: Level
    sets: Annotated[int, Meta(ge=1, le=10)]


class Backstab(Table, frozen=True):
    """How many sets of damage dice a thief's blow from behind throws, by level from 1 to 36."""

    rows: tuple[SetsRow, ...]

    def sets(self, level: int) -> int:
        """The number for a level."""
        return next(row.sets for row in self.rows if row.lo <= level <= row.hi)


class EffectRow(Part, frozen=True):
    """A row of a table that is thrown on."""

    lo: Annotated[int, Meta(ge=-100, le=10_000)]
    hi: Annotated[int, Meta(ge=-100, le=10_000)]
    effect: Key
    text: Annotated[str, Meta(max_length=400)] = ""


class Critical(Table, frozen=True):
    """What a critical hit does: with no die, double damage. Effects: double, triple, max, or free words."""

    die: Annotated[str, Meta(max_length=20)] = ""
    rows: tuple[EffectRow, ...] = ()


class Effects(Part, frozen=True):
    """A table that is thrown on."""

    die: Annotated[str, Meta(max_length=20)]
    rows: tuple[EffectRow, ...]


class ReactionRow(Part, frozen=True):
    """What monsters of a kind do, and whether they pursue."""

    lo: Annotated[int, Meta(ge=-100, le=10_000)]
    hi: Annotated[int, Meta(ge=-100, le=10_000)]
    effect: Key
    animals: Annotated[str, Meta(max_length=400)]
    intelligent: Annotated[str, Meta(max_length=400)]
    pursues: bool


class Reactions(Table, frozen=True):
    """How monsters react."""

    die: Annotated[str, Meta(max_length=20)]
    rows: tuple[ReactionRow, ...]


class MoraleTable(Table, frozen=True):
    """Scores, and what a group does, by how far its throw exceeds its score."""

    die: Annotated[str, Meta(max_length=20)]
    default: Annotated[int, Meta(ge=2, le=12)]
    scores: dict[Key, Annotated[int, Meta(ge=2, le=12)]]
    rows: tuple[EffectRow, ...]

    def row(self, beyond: int) -> EffectRow:
        """The row for a throw that is so much above the score, 1 or more."""
        return next(row for row in self.rows if row.lo <= beyond <= (row.hi or beyond))


class SavesRow(Part, frozen=True):
    """The numbers of the lowest levels."""

    row: Key
    death: SaveNumber
    wands: SaveNumber
    paralysis: SaveNumber
    reflex: SaveNumber
    breath: SaveNumber
    spells: SaveNumber
    band: Level
    """After how many levels they are 2 lower; 0 for never."""


class SavesTable(Table, frozen=True):
    """Saving throws by class and level."""

    other_classes: Key
    monsters: Key
    level_0: Key
    classes: dict[Key, Key]
    rows: tuple[SavesRow, ...]

    def of(self, class_: str, level: int) -> SavesRow:
        """The row of a class ("" for a monster) at a level."""
        name = self.classes.get(class_, self.other_classes) if class_ else self.monsters
        return next(row for row in self.rows if row.row == (name if level else self.level_0))


TYPES: dict[str, type[Part]] = {
    "to-hit": ToHit,
    "abilities": Abilities,
    "armour": Armours,
    "shields": Shields,
    "weapons": Weapons,
    "surround": Surround,
    "backstab": Backstab,
    "critical": Critical,
    "fumble": Effects,
    "miscast": Effects,
    "reaction": Reactions,
    "morale": MoraleTable,
    "saves": SavesTable,
}
"""The type of each table."""
_NAMES = {kind: name for name, kind in TYPES.items()}


def read(name: str, content: dict[str, Any]) -> Any:
    """The table in its type. Raises UsageError that names the row and the reason when it is malformed.

    arkm.table.replaceable
    """
    try:
        table = msgspec.convert(content, TYPES[name])
    except msgspec.ValidationError as error:
        from commands.action.mistakes import explained

        place, problem = explained(error, TYPES[name])
        raise wrong(name, _spoken(place), problem) from None
    _check(name, table)
    return table


def wrong(name: str, place: str, problem: str) -> UsageError:
    """What is wrong with a table's file, and where."""
    return UsageError(f"the {name} table is wrong{f' at {place}' if place else ''}: {problem}.")


def _spoken(place: str) -> str:
    """A place in the file, in words: `.rows[2].lo` is `row 3, lo`."""
    words = []
    for word in place.strip(".").split("."):
        field, _, nth = word.partition("[")
        if nth.rstrip("]").isdigit():
            words.append(f"{'row' if field == 'rows' else field} {int(nth.rstrip(']')) + 1}")
        elif word:
            words.append(word)
    return ", ".join(words)


def _check(name: str, table: Any) -> None:
    """What the type alone cannot say."""
    match table:
        case ToHit():
            _check_to_hit(name, table)
        case Abilities(rows=rows):
            _check_covered(name, [(row.lo, row.hi) for row in rows], range(3, 26))
        case Backstab(rows=rows):
            _check_covered(name, [(row.lo, row.hi) for row in rows], range(1, 37))
        case Armours(rows=rows):
            _check_each(name, [row.armour for row in rows], Armour)
        case Shields(rows=rows):
            _check_each(name, [row.shield for row in rows], Shield)
        case Surround(rows=rows):
            _check_each(name, [row.size for row in rows], Size)
        case Weapons(rows=rows):
            _check_weapons(name, rows)
        case Critical(die="", rows=()):
            pass
        case SavesTable():
            _check_saves(name, table)
        case MoraleTable():
            _check_morale(name, table)
        case Critical(die=die, rows=rows) | Effects(die=die, rows=rows) | Reactions(die=die, rows=rows):
            sides = _dice(name, die)  # arkm.table.replaceable: each total that they can give
            _check_covered(name, [(row.lo, row.hi) for row in rows], range(len(sides), sum(sides) + 1))


def _check_weapons(name: str, rows: tuple[Weapon, ...]) -> None:
    before: set[str] = set()
    for nth, row in enumerate(rows, 1):
        if row.id in before:
            raise wrong(name, f"row {nth}", f"there is already a {row.id}")
        before.add(row.id)
        if problem := row.problem():
            raise wrong(name, f"row {nth}", problem)


def _check_to_hit(name: str, table: ToHit) -> None:
    for row in sorted({*table.classes.values(), table.other_classes}):
        bands = [(nth, band) for nth, band in enumerate(table.rows, 1) if band.row == row]
        if not bands:
            raise wrong(name, "classes", f"there is no row {row!r}")
        above = 0
        for nth, band in bands:
            if band.lo != above + 1 or (band.hi and band.hi < band.lo):
                raise wrong(name, f"row {nth}", f"its levels do not go on from {above + 1}")
            if band is bands[-1][1] and band.hi:
                raise wrong(name, f"row {nth}", "the last band of a row ends with hi = 0, for ever")
            above = band.hi or 99
    most = 0
    for nth, monster in enumerate(table.monsters, 1):
        last = nth == len(table.monsters)
        if (monster.up_to <= most) != last or (last and monster.up_to):
            raise wrong(name, f"monsters {nth}", "up_to must rise from row to row, and be 0 in the last")
        most = monster.up_to
    if not table.monsters:
        raise wrong(name, "monsters", "there are none")


def _check_saves(name: str, table: SavesTable) -> None:
    rows = [row.row for row in table.rows]
    for nth, row in enumerate(rows, 1):
        if row in rows[: nth - 1]:
            raise wrong(name, f"row {nth}", f"there is already a row {row!r}")
    for wanted in (*table.classes.values(), table.other_classes, table.monsters, table.level_0):
        if wanted not in rows:
            raise wrong(name, "classes", f"there is no row {wanted!r}")


def _check_morale(name: str, table: MoraleTable) -> None:
    most = max(sum(_dice(name, table.die)), 100)
    last = len(table.rows)
    for nth, row in enumerate(table.rows, 1):
        if (row.hi == 0) != (nth == last):
            raise wrong(name, f"row {nth}", "hi is 0, for ever, in the last row and in no other")
    _check_covered(name, [(row.lo, row.hi or most) for row in table.rows], range(1, most + 1))


def _check_each(name: str, found: list[str], wanted: Any) -> None:
    """Each of some words has exactly one row. Raises UsageError."""
    words = wanted.__args__
    for nth, word in enumerate(found, 1):
        if word in found[: nth - 1]:
            raise wrong(name, f"row {nth}", f"there is already a row for {word}")
    for word in words:
        if word not in found:
            raise wrong(name, "", f"no row is for {word}")


def _check_covered(name: str, spans: list[tuple[int, int]], totals: range) -> None:
    """Each total falls in exactly one row. Raises UsageError."""
    for nth, (lo, hi) in enumerate(spans, 1):
        if lo > hi:
            raise wrong(name, f"row {nth}", f"it goes from {lo} to {hi}")
        for other, (low, high) in enumerate(spans[: nth - 1], 1):
            if lo <= high and low <= hi:
                raise wrong(name, f"row {nth}", f"{max(lo, low)} is in row {other} too")
    for total in totals:
        if not any(lo <= total <= hi for lo, hi in spans):
            raise wrong(name, "", f"no row is for {total}")


def _dice(name: str, die: str) -> tuple[int, ...]:
    """The sizes of the dice that are thrown. Raises UsageError."""
    try:
        sides, constant = parse(die)
    except UsageError as error:
        raise wrong(name, "die", error.message.rstrip(".")) from None
    if not sides or constant:
        raise wrong(name, "die", f"{die[:20]!r} is not a throw of dice alone")
    return sides


def row_of(rows: Any, total: int) -> Any:
    """The row of a total, in a table that was checked."""
    return next(row for row in rows if row.lo <= total <= row.hi)


def effects(state: State, name: str) -> Effects:
    """The campaign's fumble or miscast table."""
    table: Effects = load(state, name)
    return table
