"""Hit points, and who is down."""

from msgspec import Struct

from ledger.events import Felled, HpGained, HpLost, HpSet, Left, Rose


class Hp(Struct, frozen=True, omit_defaults=True, gc=False):
    """Hit points."""

    now: int
    most: int


class Down(Struct, frozen=True, omit_defaults=True, gc=False):
    """How somebody is down."""

    how: str
    """dying, unconscious or dead."""


class Harm(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's health."""

    hp: dict[str, Hp] = {}
    down: dict[str, Down] = {}
    """Those who are down; whoever is missing stands."""


def _set(state: Harm, event: HpSet) -> Harm:
    return Harm({**state.hp, event.who: Hp(event.hp, event.most)}, state.down)


def _change(state: Harm, who: str, points: int) -> Harm:
    hp = state.hp.get(who, Hp(0, 0))
    return Harm({**state.hp, who: Hp(hp.now + points, hp.most)}, state.down)


def _lost(state: Harm, event: HpLost) -> Harm:
    return _change(state, event.who, -event.points)


def _gained(state: Harm, event: HpGained) -> Harm:
    return _change(state, event.who, event.points)


def _felled(state: Harm, event: Felled) -> Harm:
    return Harm(state.hp, {**state.down, event.who: Down(event.how)})


def _rose(state: Harm, event: Rose) -> Harm:
    return Harm(state.hp, {who: down for who, down in state.down.items() if who != event.who})


def _left(state: Harm, event: Left) -> Harm:
    return Harm(
        {who: hp for who, hp in state.hp.items() if who != event.who},
        {who: down for who, down in state.down.items() if who != event.who} if event.who in state.down else state.down,
    )


REDUCERS = {HpSet: _set, HpLost: _lost, HpGained: _gained, Felled: _felled, Rose: _rose, Left: _left}
