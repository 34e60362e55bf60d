"""Which wounds everybody bears."""

from msgspec import Struct

from ledger.events import Left, WoundSuffered, WoundTreated


class Wound(Struct, frozen=True, omit_defaults=True, gc=False):
    """A wound, and where it is."""

    name: str
    place: str


class Wounds(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's wounds."""

    of: dict[str, tuple[Wound, ...]] = {}
    """For each combatant its wounds, in the order of suffering them; whoever is whole is missing."""

    def names(self, who: str) -> tuple[str, ...]:
        """The wounds of one combatant."""
        return tuple(wound.name for wound in self.of.get(who, ()))


def _without(state: Wounds, who: str, wound: str) -> tuple[Wound, ...]:
    return tuple(one for one in state.of.get(who, ()) if one.name != wound)


def _suffered(state: Wounds, event: WoundSuffered) -> Wounds:
    rest = _without(state, event.who, event.wound)
    return Wounds({**state.of, event.who: (*rest, Wound(event.wound, event.place))})


def _treated(state: Wounds, event: WoundTreated) -> Wounds:
    rest = _without(state, event.who, event.wound)
    others = {who: wounds for who, wounds in state.of.items() if who != event.who}
    return Wounds({**others, event.who: rest} if rest else others)


def _left(state: Wounds, event: Left) -> Wounds:
    if event.who not in state.of:
        return state
    return Wounds({who: wounds for who, wounds in state.of.items() if who != event.who})


REDUCERS = {WoundSuffered: _suffered, WoundTreated: _treated, Left: _left}
