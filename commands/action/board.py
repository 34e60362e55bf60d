"""What a rule system's board says besides its table: what is due, what is readied, what lies on the ground; and what a
page draws in place of a cell: bars and labels.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import FATAL, lasting, square
from projections.changes import described
from projections.harm import Condition

from . import ground
from .view import View


class Due(Struct, frozen=True):
    """Something that the rules ask for now, such as a morale check or the answer to a window."""

    what: str
    who: tuple[str, ...]
    """Who owes it."""
    acting: bool = False
    """Whether it is just what is asked of those who may act now, so that it is told with them."""
    verb: str = ""
    """The verb by which it is done: behind it, `@due` are those who owe it; "" where `@due` are those who may act."""


class Readied(Struct, frozen=True):
    """An action that waits for its moment."""

    who: str
    what: str
    """The action, in a word or in the words of its declaration."""
    target: str = ""
    when: str = ""
    """The moment, such as: before Grub-1's turn."""


class Lying(Struct, frozen=True):
    """Something that lies on the ground."""

    item: str
    where: str
    """A square, or whom it lies near."""


def named_powers(powers: Sequence[str]) -> str:
    """Special powers at a glance: of each what stands before its colon, or its first words.

    >>> named_powers(["Poison: save or sleep.", "Sees in the dark, and through walls that are not of stone or lead"])
    'Poison; Sees in the dark, and through walls that are...'
    """
    named = []
    for power in powers:
        words = power.partition(":")[0]
        named.append(words if len(words) <= _GLANCE else f"{words[:_GLANCE].rpartition(' ')[0] or words[:_GLANCE]}...")
    return "; ".join(named)


_GLANCE = 45
"""The most signs that are shown of a special power at a glance."""


def lying(view: View) -> list[Lying]:
    """All that lies on the ground, as a board says it: on squares, and near whom."""
    return [
        *(Lying(one.item, square(one.at)) for one in view.state.lying.items),
        *(Lying(item, f"near {near}") for _, item, near in ground.lying(view)),
    ]


class Bar(Struct, frozen=True):
    """A number of somebody against its most, as a page draws it."""

    column: str
    """The title of the column that has the number."""
    now: int
    most: int
    """The full length of the bar; 0 where the number has no most."""
    kind: Literal["left", "taken", "stock"] = "left"
    """What is left of what harm takes away, what harm has added, or what somebody spends."""

    @property
    def left(self) -> int:
        """What is left: as long is the bar, so that it is full when nobody is hurt."""
        return self.most - self.now if self.kind == "taken" else self.now

    @property
    def grade(self) -> Literal["much", "some", "little", "stock"]:
        """How much that is, which gives the bar its colour."""
        if self.kind == "stock":
            return "stock"
        if not self.most or 2 * self.left > self.most:
            return "much"
        return "some" if 4 * self.left > self.most else "little"


class Label(Struct, frozen=True):
    """A condition of somebody, in few words."""

    what: str
    ends: str = ""
    """What ends it, in words, and of a mortal wound when it kills; "" when somebody must end it."""

    @property
    def told(self) -> str:
        """Both in one line."""
        comma = "," * bool(self.ends and self.what.startswith(FATAL))
        return f"{self.what}{comma} {self.ends}".rstrip()


def label(name: str, held: Condition) -> Label:
    """A condition with its amount, what it modifies, whom it concerns, and what ends it."""
    told = "" if name.endswith(held.modifies) else held.modifies
    words = described(replace(held, modifies=told, until="removed", whose="", round=0))
    ends = lasting(held.until, held.whose, held.round, condition=name)
    return Label(name if words == "yes" else f"{name} {words}", ends)
