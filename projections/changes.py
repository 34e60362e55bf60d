"""Changes: the board as named values, and what differs between two boards."""

from projections.narration import lasting, linked, square

from .conditions import Condition
from .state import State


def values(state: State, only: str | None = None) -> dict[str, str]:
    """Everything on the board by name, such as `kira.hp`: in the order of the roster, the encounter last.

    With `only`, of all those at the table only this one's, which is faster.
    """
    named: dict[str, str] = {}
    for who in state.roster.order if only is None else _one(state, only):
        named[f"{who}.side"] = state.roster.members[who].side
        if who in state.harm.hp:
            hp = state.harm.hp[who]
            named[f"{who}.hp"] = str(hp.now)
            named[f"{who}.hp-max"] = str(hp.most)
        if who in state.stress.of:
            named[f"{who}.stress"] = str(state.stress.of[who])
        if who in state.injuries.of:
            named[f"{who}.wounds"] = str(state.injuries.of[who])
        if who in state.magica.of:
            named[f"{who}.magica"] = str(state.magica.of[who])
        if who in state.harm.down:
            down = state.harm.down[who]
            named[f"{who}.down"] = down.how
        if who in state.pain.of:
            named[f"{who}.pain"] = str(state.pain.of[who])
        if who in state.wounds.of:
            named[f"{who}.wounds"] = ", ".join(f"{wound.name} ({wound.place})" for wound in state.wounds.of[who])
        _add_lasting(named, state, who)
        for kind, points in sorted(state.points.of.get(who, {}).items()):
            named[f"{who}.{kind}"] = str(points)
        if state.gear.equipped.get(who):
            named[f"{who}.equipped"] = ", ".join(state.gear.equipped[who])
        for kind, pieces in sorted(state.ammunition.of.get(who, {}).items()):
            named[f"{who}.{kind}s"] = str(pieces)
        if who in state.initiative.scores:
            named[f"{who}.initiative"] = str(state.initiative.scores[who])
        if who in state.positions.at:
            named[f"{who}.at"] = square(state.positions.at[who])
        if who in state.facing.of:
            named[f"{who}.facing"] = state.facing.of[who]
        if who in state.areas.at:
            named[f"{who}.area"] = state.areas.at[who]
        if engaged := state.engagement.of(who):
            named[f"{who}.engaged"] = ", ".join(engaged)
    for name in _others(state) if only is None else ({only} & {*_others(state)}):
        _add_lasting(named, state, name)
    for outcome in state.pending.settled:
        named[f"{outcome.what.who}.{outcome.what.kind}"] = f"{outcome.what.verb}, {outcome.how}"
    for waiting in state.pending.waiting:
        named[f"{waiting.who}.{waiting.kind}"] = f"{waiting.verb} {waiting.said.get('text', '')}".rstrip()
    for number, skirmish in enumerate(state.skirmishes.of, 1):
        sides = " v ".join(", ".join(side) for side in skirmish.sides)
        kind = "paired-fight" if skirmish.lasting else "skirmish"
        named[f"{kind}.{number}"] = f"{sides}, done" if skirmish.done else sides
    named["encounter"] = str(state.encounter.number) if state.encounter.running else "none"
    named["round"] = str(state.turns.round)
    named["phase"] = state.turns.phase or "none"
    named["turn"] = state.turns.who or "nobody's"
    named["order"] = ", ".join(state.turns.order) or "none"
    for feature, squares in sorted(state.encounter.ground.items()):
        named[f"ground.{feature}"] = " ".join(f"{x},{y}" for x, y in squares)
    for place in dict.fromkeys(square(one.at) for one in state.lying.items):
        named[f"lying.{place}"] = ", ".join(one.item for one in state.lying.items if square(one.at) == place)
    if state.magica.ambient is not None:
        named["ambient-magica"] = str(state.magica.ambient)
    for one, other in state.truces.between:
        named[f"truce.{one}-{other}"] = "yes"
    if state.areas.names:
        named["areas"] = ", ".join(state.areas.names)
    for link in state.areas.links:
        named[f"link.{link.one}-{link.other}"] = linked(link)
    for option, value in sorted(state.campaign.options.items()):
        named[f"option.{option}"] = str(value).lower()
    for table, used in sorted(state.campaign.tables.items()):
        if used.file:
            named[f"table.{table}"] = f"{used.file} ({used.digest[:12]})"
    return named


def _add_lasting(named: dict[str, str], state: State, who: str) -> None:
    """Adds the conditions and counts of a combatant, a group, or the encounter."""
    for name, condition in state.conditions.held(who):
        named[f"{who}.{name}"] = described(condition)
    for tally in (state.counts.encounter, state.counts.round):
        for what, counts in sorted(tally.get(who, {}).items()):
            named[f"{who}.{what}"] = ", ".join(f"{whom} {n}".strip() for whom, n in sorted(counts.items()))


def _others(state: State) -> list[str]:
    """Those with conditions or counts who are not at the table: groups, sides, the encounter."""
    held = {*state.conditions.of, *state.counts.encounter, *state.counts.round}
    return sorted(held - {*state.roster.members})


def _one(state: State, who: str) -> tuple[str, ...]:
    return (who,) if who in state.roster.members else ()


def same(before: State, after: State) -> bool:
    """Whether nothing was recorded in between that any aspect of the board reads. Fast, and never wrongly yes."""
    return all(getattr(before, name) is getattr(after, name) for name in State.__struct_fields__)


def described(condition: Condition) -> str:
    """A condition in words: its amount, what it modifies, whom it concerns and how long it lasts."""
    words = [
        f"{condition.amount:+d}" if condition.amount else "",
        condition.modifies,
        f"({', '.join(condition.whom)})" if condition.whom else "",
        lasting(condition.until, condition.whose, condition.round),
    ]
    return " ".join(filter(None, words)) or "yes"


def between(before: State, after: State) -> list[tuple[str, str, str]]:
    """What differs: name, value before, value after; an absent value is a dash."""
    return differences(values(before), values(after))


def differences(old: dict[str, str], new: dict[str, str]) -> list[tuple[str, str, str]]:
    """What differs between two boards by name, as `between` tells it."""
    names = [*new, *(name for name in old if name not in new)]
    return [
        (name, old.get(name, "-"), new.get(name, "-")) for name in names if old.get(name, "-") != new.get(name, "-")
    ]
