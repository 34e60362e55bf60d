"""What holds for a combatant for a while."""

from msgspec import Struct

from ledger.events import ConditionEnded, ConditionGained, Left


class Condition(Struct, frozen=True, omit_defaults=True, gc=False):
    """A condition that holds; the fields are those of `ConditionGained`."""

    until: str = "removed"
    whose: str = ""
    round: int = 0
    amount: int = 0
    modifies: str = ""
    whom: tuple[str, ...] = ()


class Conditions(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everybody's conditions."""

    of: dict[str, dict[str, Condition]] = {}
    """For each combatant its conditions by name; whoever has none is missing."""

    def has(self, who: str, name: str) -> bool:
        """Whether somebody has a condition."""
        return name in self.of.get(who, {})

    def get(self, who: str, name: str) -> Condition | None:
        """Somebody's condition of that name; None without it."""
        return self.of.get(who, {}).get(name)

    def held(self, who: str) -> list[tuple[str, Condition]]:
        """The conditions of one combatant, in the order of their names."""
        return sorted(self.of.get(who, {}).items(), key=_name)


def _name(held: tuple[str, Condition]) -> str:
    return held[0]


def _gained(state: Conditions, event: ConditionGained) -> Conditions:
    condition = Condition(event.until, event.whose, event.round, event.amount, event.modifies, event.whom)
    return Conditions({**state.of, event.who: {**state.of.get(event.who, {}), event.condition: condition}})


def _ended(state: Conditions, event: ConditionEnded) -> Conditions:
    rest = {name: held for name, held in state.of.get(event.who, {}).items() if name != event.condition}
    others = {who: held for who, held in state.of.items() if who != event.who}
    return Conditions({**others, event.who: rest} if rest else others)


def _left(state: Conditions, event: Left) -> Conditions:
    if event.who not in state.of:
        return state
    return Conditions({who: held for who, held in state.of.items() if who != event.who})


REDUCERS = {ConditionGained: _gained, ConditionEnded: _ended, Left: _left}
