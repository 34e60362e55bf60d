"""The stat block: what a sheet may say, and the items and spells that it names."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from commands.action.declaration import MOST

from . import bodies, tables
from .tables import TOME, Armor, Die, Focus, Item, Modified, Rank, Small, Spell, Word, armor, foci, spells, weapons

Score = Annotated[int, Meta(ge=0, le=10)]
"""1 ordinary, 3 trained, 5 master, 7 the peak of mortals, 10 godly."""
Level = Annotated[int, Meta(ge=1, le=3)]
Coordinate = Annotated[int, Meta(ge=-100_000, le=100_000)]
Near = Annotated[int, Meta(ge=-10, le=10)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Facing = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
BASIC = ("disengage", "defend", "sprint", "grapple", "push", "ready", "attack", "spellcast", "cast")
"""dungeoneers.action.basic-list: what a sheet can deny; `cast` is the verb of spellcast."""
_HUMANOID = {"wield": 2, "body": 1, "head": 1, "hands": 1, "feet": 1}
"""dungeoneers.equipment.slots: the places of a humanoid."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A creature's stat block."""

    name: Word
    """The name at the table, unless `--called` gives another."""
    side: Annotated[str, Meta(min_length=1, max_length=40)] = "dungeoneers"
    """The side that it fights for."""
    player: bool = False
    """Whether a player plays it."""
    size: Literal["tiny", "small", "medium", "large", "huge", "massive"] = "medium"
    """How big it is; the size gives its tiles and how many wounds it bears."""
    power: Score = 1
    """The score for strength, in dice."""
    prowess: Score = 1
    """The score for fighting, in dice."""
    endurance: Score = 1
    """The score for bearing stress, in dice; it is the stress capacity too."""
    resistance: Score = 1
    """The score against spells, in dice."""
    spell: Score = 1
    """The score for casting, in dice."""
    mind: Score = 1
    """The score for magica, in dice; it can hold twice as much magica."""
    initiative: Annotated[int, Meta(ge=-1000, le=1000)] = 0
    """The initiative score, highest first."""
    action_points: Small | None = None
    """Action points in a round; without it, what the campaign gives."""
    reaction_points: Small | None = None
    """Reaction points in a round; without it, what the campaign gives."""
    movement_points: Annotated[int, Meta(ge=-100, le=100)] = 1
    """Movement points of a turn, in tiles."""
    armor_value: Small = 0
    """Natural armor value, in points."""
    spell_resistance: Small = 0
    """Natural spell resistance, in dice."""
    effects: dict[Modified, Annotated[int, Meta(ge=-100, le=100)]] = {}
    """Spells and abilities in force on joining: what each adds to a number, or how many sides a die has by it."""
    dodge_die: Die = 4
    """The sides of its dodge dice."""
    spell_pierce_die: Die = 4
    """The sides of its dice to pierce spell resistance."""
    vulnerability: dict[Word, Level] = {}
    """Types of damage that wound it more, each with the wounds that they add."""
    resistance_to: dict[Word, Level] = {}
    """Types of damage that wound it less, each with the wounds that they take away."""
    ranks: dict[Word, Rank] = {}
    """Ranks of skill with categories of weapons, from E, the lowest, to A."""
    slots: dict[Literal["wield", "body", "head", "hands", "feet"], Small] = {}
    """Places that differ from a humanoid's: wield 2, body 1, head 1, hands 1, feet 1."""
    equipped: tuple[Word, ...] = ()
    """Items in use on joining: from the tables, or with a row below."""
    carried: tuple[Word, ...] = ()
    """Items that it carries: from the tables, or with a row below."""
    ammo: dict[Word, Count] = {}
    """How many pieces of each kind of ammunition it has on joining."""
    cantrips: tuple[Word, ...] = ()
    """Spells that it knows without a tome."""
    denied_actions: tuple[Word, ...] = ()
    """Basic actions that it may not take."""
    senses: dict[Word, Count] | tuple[Word, ...] = ()
    """Special senses, with their range in tiles, or without."""
    footprint: Annotated[tuple[tuple[Near, Near], ...], Meta(min_length=1, max_length=25)] | None = None
    """Offsets of its tiles from its position, in tiles; without it, those of its size."""
    position: tuple[Coordinate, Coordinate] = (0, 0)
    """Where it stands on joining, unless `--at` says so: x and y, in tiles."""
    facing: Facing = "N"
    """Where it looks on joining."""
    wounds: Small = 0
    """Wounds that it has on joining."""
    stress: Small = 0
    """Stress that it has on joining, in points."""
    magica: Small | None = None
    """Magica that it has on joining; without it, all that its mind holds."""
    weapons: dict[Word, tables.Weapon] = {}
    """Rows of its own for the table of weapons."""
    armor: dict[Word, Armor] = {}
    """Rows of its own for the table of armor."""
    foci: dict[Word, Focus] = {}
    """Rows of its own for the table of foci."""
    spells: dict[Word, Spell] = {}
    """Rows of its own for the table of spells."""

    @property
    def places(self) -> dict[str, int]:
        """How many places it has in each slot."""
        own: dict[str, int] = {str(slot): places for slot, places in self.slots.items()}
        return {**_HUMANOID, **own}

    @property
    def wound_capacity(self) -> int:
        """dungeoneers.wounds.capacity: by size."""
        return bodies.SIZES[self.size].wounds

    @property
    def stress_capacity(self) -> int:
        """dungeoneers.stress.capacity: its endurance."""
        return self.endurance

    @property
    def magica_capacity(self) -> int:
        """dungeoneers.magica.capacity: twice its mind."""
        return 2 * self.mind

    def denies(self, action: str) -> bool:
        """Whether something says that it may not take an action."""
        return action.casefold() in (denied.casefold() for denied in self.denied_actions)


def find_item(sheet: Sheet, word: str) -> Item | None:
    """The item of that name: the stat block's own, or one of the tables; a tome by the spell that it holds."""
    name = word.casefold()
    if name.startswith(TOME):
        spell = find_spell(sheet, name.removeprefix(TOME))
        return tables.Tome(name=name, spell=spell.name) if spell else None
    for own in (sheet.weapons, sheet.armor, sheet.foci):
        for key, row in own.items():
            if key.casefold() == name:
                found: Item = msgspec.structs.replace(row, name=key)
                return found
    return weapons().get(name) or armor().get(name) or foci().get(name)


def find_spell(sheet: Sheet, word: str) -> Spell | None:
    """The spell of that name: the stat block's own, or one of the table."""
    name = word.casefold()
    for key, row in sheet.spells.items():
        if key.casefold() == name:
            return msgspec.structs.replace(row, name=key)
    return spells().get(name)
