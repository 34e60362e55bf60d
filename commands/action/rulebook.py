"""The rulebook: what a rule system brings besides its verbs, in the modules `sheet`, `board` and `gm`.

Each module holds functions and constants with the names of the fields here; those that have a default may be left out.
A module is loaded when something of it is first needed, and checked then: what is missing or misspelt is said in one
sentence.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from . import systems
from .spelling import letters_off

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Literal, TypeVar

    from projections.state import State

    from .board import Bar, Due, Label, Lying, Readied
    from .declaration import Square
    from .resolution import Remedy, Resolution
    from .view import View

    Kind = TypeVar("Kind", bound="Parts")

Sheet = Any
"""A stat block, in the type of its rule system."""
Written = Mapping[str, Any]
"""A stat block as it was written."""


def _nothing(*_: Any) -> None:
    """Nothing follows."""


def _in_turn(view: "View") -> list[str]:
    """Those who may answer the open window; without one, the combatant whose turn is under way."""
    state, window = view.state, view.state.pending.window
    return [who for who in (window.answerable if window else (state.turns.who,)) if who in state.roster.members]


def _square(view: "View", who: str) -> list[tuple[int, int]]:
    """The one on which somebody stands."""
    at = view.state.positions.at.get(who)
    return [at[:2]] if at else []


def _lying(view: "View") -> "list[Lying]":
    """What lies on squares, and near whom."""
    from .board import lying

    return lying(view)


Setter = Callable[["Resolution", str, str], None]
"""Sets something of somebody to what was said."""
Way = str | Sequence["Remedy"]
"""How to get what cannot be set: a sentence, or commands, of which the first that works is offered.

In their words stand `{who}`; `{foe}`, somebody else; and `{value}`, what was said.
"""


class Field(NamedTuple):
    """A field that the game master can set."""

    takes: str
    """The values that it takes and what follows, in words."""
    set: Setter


class Parts:
    """Functions and constants of a module. Those that it does not have are as the class says."""

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    @classmethod
    def required(cls) -> list[str]:
        """The names of those that every rule system has."""
        return [name for name in cls.__annotations__ if not hasattr(cls, name)]


class SheetParts(Parts):
    """`sheet`: what a stat block means at the table. The type `Sheet` stands there or in `stat_block`."""

    check: "Callable[[Resolution, str, Sheet], None]"
    """Refuses what the rules forbid, before somebody joins."""
    enter: "Callable[[Resolution, str, Sheet, Square | None], None]"
    """Records the hit points, gear and place of somebody who joins, perhaps on a square."""
    side: "Callable[[Sheet], str]" = staticmethod(lambda sheet: str(sheet.side))
    """The side that somebody with this stat block fights for; by default the one that it names."""
    hostile: bool = False
    """Whether different sides are enemies, unless there is a truce."""
    player: "Callable[[Written], bool]" = staticmethod(lambda data: False)
    """Whether a stat block, as it was written, says that a player plays whom it describes."""
    leaves: "Callable[[Resolution, str], None]" = staticmethod(_nothing)
    """Records what ends when somebody leaves the table."""
    keep: "Callable[[Resolution, str, Sheet], Sheet]" = staticmethod(lambda fight, who, named: named)
    """The new stat block of somebody at the table, with what they have besides."""
    changes: "Callable[[Resolution, str, Sheet, Sheet], None]" = staticmethod(_nothing)
    """Records what follows from a new stat block, such as another maximum; gets the old one and the new one."""
    seated: "Callable[[Resolution, str, str], None]" = staticmethod(_nothing)
    """Records what follows when somebody is played from another seat; from none where the name is ""."""
    as_it_stands: "Callable[[View, str], Sheet]" = staticmethod(lambda view, who: view.sheet(who))
    """The stat block with which somebody would join as they are now."""
    items: "Callable[[State], Mapping[str, str]] | None" = None
    """The items that the rules know, each with what it is, for `affray rules items`; None where a sheet brings its own.
    """
    skills: "Callable[[State], Mapping[str, str]] | None" = None
    """The skills that the rules know, each with what it is, for `affray rules skills`; None where every word is one."""


class BoardParts(Parts):
    """`board`: how everybody is, at a glance. It only shows the state."""

    header: "Callable[[View], list[str]]"
    """Lines: the first stands above Now, Next, Due and Readied, the others below them. None says whose turn it is."""
    row: "Callable[[View, str], dict[str, str]]"
    """The cells of a combatant, by the title of their column. They rest on what the state holds of that combatant,
    and of nobody alone, such as the turn: a page reads a row anew only where one of these differs.
    """
    acting: "Callable[[View], list[str]]" = staticmethod(_in_turn)
    """Who may act now: `@due` on the command line, and the only one is `.`."""
    done: "Callable[[View], list[str]]" = staticmethod(lambda view: [])
    """Who has acted in this round and may not act now."""
    turn: "Callable[[View], str]" = staticmethod(lambda view: "")
    """Whose turn is under way, a combatant or a seat; "" where nobody has turns."""
    body: "Callable[[View, str], list[tuple[int, int]]]" = staticmethod(_square)
    """The squares that a combatant covers on the map."""
    order: "Callable[[View], Sequence[str]]" = staticmethod(lambda view: ())
    """The names of combatants in the order of turns; rows stand in it. The others follow in the order of joining."""
    following: "Callable[[View], list[str]]" = staticmethod(lambda view: [])
    """What comes after those who act now: names, or words such as `round 2`."""
    demands: "Callable[[View], list[Due]]" = staticmethod(lambda view: [])
    """What the rules ask for now: a morale check, an answer."""
    chances: "Callable[[View], dict[str, tuple[str, ...]]]" = staticmethod(lambda view: {})
    """What everybody can still do in this round, in words such as `turn`: a hint says who gives it up."""
    readied: "Callable[[View], list[Readied]]" = staticmethod(lambda view: [])
    """Actions that wait for their moment."""
    seats: "Callable[[View], dict[str, list[str]]]" = staticmethod(lambda view: {})
    """For each seat of a player the names of those whom it plays."""
    stand_for: "Callable[[View, str], list[str]]" = staticmethod(lambda view, name: [])
    """Those for whom a seat or a group rolls, so that its dice are those of their side."""
    lying: "Callable[[View], list[Lying]]" = staticmethod(_lying)
    """What lies on the ground."""
    heading: "Callable[[View, str], str]" = staticmethod(lambda view, who: "")
    """The direction in which a combatant looks on the map: one of `n ne e se s sw w nw`; "" for none."""
    ground: "Callable[[View], dict[str, list[tuple[int, int]]]]" = staticmethod(lambda view: {})
    """Squares that the map shows besides the ground that was laid, each kind by its name."""
    bars: "Callable[[View, str], list[Bar]]" = staticmethod(lambda view, who: [])
    """What the page draws as bars."""
    labels: "Callable[[View, str], list[Label]]" = staticmethod(lambda view, who: [])
    """The conditions of somebody, each with what ends it."""
    labelled: str = ""
    """The title of the column that says the same conditions; "" for none."""
    harm: "Mapping[str, Literal['left', 'taken']]" = {}
    """The titles of columns that tell how badly somebody is hurt: by what is left, or by what was taken."""
    glance: "Sequence[str]" = ()
    """The titles of columns that the board has at a glance, those that have a bar with it; by default those of bars."""
    state: "Mapping[str, str]" = {}
    """The titles of columns that it tells behind them in words, each with the words around its cell, such as
    `near {}`; by default all others.
    """
    seen: "Sequence[str]" = ("side", "down")
    """The titles of columns that everybody at the table sees of everybody."""
    untold: "Sequence[Literal['now', 'next']]" = ()
    """`now` and `next`, where `acting` or `following` tells what players cannot know of the others."""


class GameMasterParts(Parts):
    """`gm`: what `affray adjust` and `affray damage` set."""

    fields: "Mapping[str, Field]"
    """Each field with the values that it takes, in words, and the function that sets it."""
    damage: "Callable[[Resolution, str, int, str], None]"
    """Harms somebody by points of a kind, "" for none in particular, with all that follows from it."""
    kinds: "Callable[[State], Sequence[str]]" = staticmethod(lambda state: ())
    """The kinds of damage that the rules tell apart."""
    elsewhere: "Mapping[str, Way]" = {}
    """Fields that only other systems have, each with ways to do the same here."""
    rests: str = ""
    """The command that gives what the book gives for days of rest, with `{who}` and `{days}` in braces; "" where it
    gives nothing."""
    ground: "Sequence[str]" = ()
    """The verbs that lay the ground: a prepared encounter may hold them. `begin` carries them out at its end."""
    on_joining: "Sequence[str]" = ()
    """Fields of a stat block that nothing reads once somebody has joined."""


class Rulebook:
    """The parts of a rule system, each loaded when it is first asked for. Raises UsageError when it cannot be used."""

    def __init__(self, system: str) -> None:
        self.system = system

    @cached_property
    def sheet(self) -> SheetParts:
        """Stat blocks: who joins, changes and leaves."""
        return self._read("sheet", SheetParts)

    @cached_property
    def board(self) -> BoardParts:
        """The board."""
        return self._read("board", BoardParts)

    @cached_property
    def gm(self) -> GameMasterParts:
        """The game master's word."""
        return self._read("gm", GameMasterParts)

    def check(self) -> "Rulebook":
        """Loads all parts, what an action looks up, and the procedure and declaration of every verb."""
        loaded = systems.load(self.system)
        for _ in (self.sheet, self.board, self.gm, systems.stat_block(self.system)):
            pass
        if loaded.tables:
            systems.found(self.system, "tables", "read")
        for verb in loaded.verbs.values():
            systems.procedure(verb)
        return self

    def _read(self, name: str, kind: "type[Kind]") -> "Kind":
        module = systems.module(self.system, name)
        parts = {part: held for part in kind.__annotations__ if (held := _held(module, part)) is not _MISSING}
        missing = [part for part in kind.required() if part not in parts]
        spare = [one for one in _functions(module) if one not in parts]
        for part in (*missing, *(one for one in kind.__annotations__ if one not in parts)):
            if near := next((one for one in spare if letters_off(one, part) < 2), ""):
                raise systems.unfit(self.system, f"{module.__name__} has {near} where {part} is meant.")
        if missing:
            raise systems.unfit(self.system, f"{module.__name__} has no {missing[0]}.")
        return kind(**parts)


_MISSING = object()


def _held(module: "ModuleType", part: str) -> Any:
    """A part as its module holds it: a function under its name, a constant in capital letters; `_MISSING` for none."""
    held = getattr(module, part, None)
    return held if callable(held) else getattr(module, part.upper(), _MISSING)


def _functions(module: "ModuleType") -> Iterator[str]:
    """The public functions that a module defines itself."""
    for name, found in vars(module).items():
        if isinstance(found, FunctionType) and found.__module__ == module.__name__ and not name.startswith("_"):
            yield name


@cache
def of(system: str) -> Rulebook:
    """The rulebook of a rule system."""
    return Rulebook(system)
