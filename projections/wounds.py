"""Which wounds everybody bears."""

from msgspec import Struct

from ledger.events import Left, WoundSuffered, WoundTreated


class Wounds(Struct, frozen=True, gc=False):
    """Everybody's wounds."""

    of: dict[str, dict[str, str]] = {}
    """For each combatant the place of each wound, in the order of suffering them; whoever is whole is missing."""

    def names(self, who: str) -> tuple[str, ...]:
        """The wounds of one combatant."""
        return tuple(self.of.get(who, {}))


def _suffered(state: Wounds, event: WoundSuffered) -> Wounds:
    return Wounds({**state.of, event.who: {**state.of.get(event.who, {}), event.wound: event.place}})


def _treated(state: Wounds, event: WoundTreated) -> Wounds:
    rest = {wound: place for wound, place in state.of.get(event.who, {}).items() if wound != event.wound}
    others = {who: wounds for who, wounds in state.of.items() if who != event.who}
    return Wounds({**others, event.who: rest} if rest else others)


def _left(state: Wounds, event: Left) -> Wounds:
    return Wounds({who: wounds for who, wounds in state.of.items() if who != event.who})


REDUCERS = {WoundSuffered: _suffered, WoundTreated: _treated, Left: _left}
