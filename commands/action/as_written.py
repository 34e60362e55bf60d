"""What is read from a stat block that somebody wrote as text, before a rulebook makes a sheet of it.

Each value keeps the words that it came from. A rulebook that reads such text has a module `pasted`: `sheet_of` in it
makes fields of these values, and `FIELDS` says which field of a sheet each question is about.
"""

from typing import Any

from msgspec import Struct


class Value(Struct, frozen=True):
    """A value with the words that it came from."""

    value: Any
    words: str
    """As they stand in the text, such as `AC 6 [13]`."""


class Blow(Struct, frozen=True):
    """One attack of a routine."""

    name: str
    """Such as claws; "" where the text gives none."""
    dice: str
    """Its damage: dice, or a flat number; "" where the text gives none."""
    besides: str = ""
    """What else it does, word for word, such as `poison`."""


class Written(Struct):
    """A stat block as it was read. What the text does not say is None."""

    name: Value | None = None
    """One word, as names at the table are: Giant-Ant."""
    ac: Value | None = None
    """Armour class, descending, 9 for unarmoured."""
    hd: Value | None = None
    """Hit Dice as words: 3, 3+1, 1-1, 1/2 or 1/4."""
    hp: Value | None = None
    """Hit points."""
    hp_dice: Value | None = None
    """Dice for hit points."""
    thac0: Value | None = None
    """The roll that hits armour class 0."""
    bonus: Value | None = None
    """The attack bonus."""
    move: Value | None = None
    """Movement on foot, in feet in a turn; a third of it in a round."""
    saves: Value | None = None
    """Saving throws: death, wands, paralysis, breath and spells."""
    morale: Value | None = None
    """The morale score, 2 to 12."""
    requires: Value | None = None
    """What a weapon must have to do harm: magic, silver."""
    routines: tuple[tuple[Blow, ...], ...] = ()
    """What it can do in a round: the first routine, and those that stand behind "or"."""
    blows: str = ""
    """The words that the routines came from."""
    special: tuple[str, ...] = ()
    """Special powers, word for word."""
    lists: tuple[str, ...] = ()
    """The words before them, such as `Special`."""


class Entry(Struct, frozen=True):
    """A field of a sheet."""

    field: str
    value: Any
    words: tuple[str, ...]
    """The words of the text that it came from."""
    why: str = ""
    """Why it is there, where the text does not say it; "" where it does."""


class Question(Struct, frozen=True):
    """Something that the text leaves open."""

    field: str
    """The field of the sheet that has no value; "" for none in particular."""
    asks: str
    """The question, with the words that it is about."""
    words: str = ""
    """The words of the text that it is about."""
    scale: str = ""
    """The option of `sheet import` that answers it, such as ac; "" for none."""
