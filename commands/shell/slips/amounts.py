"""Words for how much somebody gains or loses of what."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from projections.changes import HARM, values

from .verb_names import stems

if TYPE_CHECKING:
    from projections.state import State

_GAINED = ("give", "heal", "regain", "gain", "get", "restore")
"""Words for a number by which a value rises."""
HARMED = tuple(name for name in HARM if name != "down")
"""Values that harm changes."""
_COUNTED = tuple(name for name in HARMED if HARM[name] != "-")
"""Those that it raises."""


class Amounts:
    """What the words say of a value that somebody has."""

    def __init__(self, state: "State") -> None:
        board = values(state)
        self.known = {name.partition(".")[2] for name in board}
        """What is known of somebody, such as hp."""
        self._numbers = {name.partition(".")[2] for name, now in board.items() if now.isdigit()}
        self.points = {f"{kind[:1]}p": kind for held in state.points.of.values() for kind in held}
        """The kinds of points by their short names, such as ap of actions."""

    def harms(self, words: Sequence[str]) -> bool:
        """Whether words can say harm: nobody gains, and no other value is named, as in `suori loses 1 magica`."""
        named = {*map(str.casefold, words)} & (self._numbers | {*self.points})
        less = any(word.startswith("-") for word in words) and not named.isdisjoint(_COUNTED)  # `reaver pain -1`
        return not (less or _gained(words)) and named <= {*HARMED}

    def signed(self, words: Sequence[str], every: Sequence[str]) -> list[str]:
        """The words with + before the numbers, where `every` word together says that a value rises."""
        return [f"+{word}" if word.isdigit() and _gained(every) else word for word in words]


def _gained(words: Sequence[str]) -> bool:
    """Whether a word says that a value rises."""
    return any(stem in _GAINED for word in words for stem in stems(word.casefold()))
