"""What a rule system's board says besides its table: what is due, what is readied, what lies on the ground."""

from msgspec import Struct

from projections.state import State


class Due(Struct, frozen=True):
    """Something that the rules ask for now, such as a morale check or the answer to a window."""

    what: str
    who: tuple[str, ...]
    """Who owes it."""
    acting: bool = False
    """Whether it is just what is asked of those who may act now, so that it is told with them."""


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


def dropped(state: State, prefix: str) -> list[Lying]:
    """What lies near those who let it fall, where the conditions that begin with a prefix say so."""
    return [
        Lying(name.removeprefix(prefix), f"near {who}")
        for who in state.roster.order
        for name, _ in state.conditions.held(who)
        if name.startswith(prefix)
    ]
