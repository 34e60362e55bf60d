"""How much pain everybody is in."""

from msgspec import Struct

from ledger.events import Left, PainEased, PainSuffered


class Pain(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's pain."""

    of: dict[str, int] = {}
    """Points; whoever was never hurt is missing."""

    def points(self, who: str) -> int:
        """The pain of one combatant."""
        return self.of.get(who, 0)


def _total(state: Pain, event: PainSuffered | PainEased) -> Pain:
    return Pain({**state.of, event.who: event.total})


def _left(state: Pain, event: Left) -> Pain:
    if event.who not in state.of:
        return state
    return Pain({who: points for who, points in state.of.items() if who != event.who})


REDUCERS = {PainSuffered: _total, PainEased: _total, Left: _left}
