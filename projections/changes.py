"""Changes: the board as named values, and what differs between two boards."""

from collections.abc import Container, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct

from ledger.events import lasting, square

from .harm import Condition
from .pending import Waiting
from .state import ASPECTS, State

_EFFECTS = 60
"""Where conditions and counts stand among the values of a combatant; see `Aspect.PLACE`."""
_PLACES = sorted(((name, aspect.PLACE) for name, aspect in ASPECTS.items()), key=itemgetter(1))
_BEFORE = [name for name, place in _PLACES if place < _EFFECTS]
_AFTER = [name for name, place in _PLACES if place > _EFFECTS]
_SAID = {word: without for name, _ in _PLACES for word, without in ASPECTS[name].HARM.items()}
HARM = dict(sorted(_SAID.items(), key=lambda said: said[0] == "down"))
"""The values that people ask for first: how badly somebody is hurt, each with what is said of somebody without it; last
whether they are down."""
HURTING = tuple(name for name, _ in _PLACES if ASPECTS[name].HARM)
"""The aspects that hold them."""
FIELDS = frozenset(word for aspect in ASPECTS.values() for word in aspect.WORDS)
"""Names that a combatant's value can have in every rule system."""


def concerned(before: State, now: State) -> frozenset[str] | None:
    """Those combatants of whom two states hold something else; None where they differ in what is of nobody alone, such
    as a turn or who is engaged with whom.
    """
    found: set[str] = set()
    names = before.roster.members.keys() | now.roster.members.keys()
    for name in State.__struct_fields__:
        one, other = getattr(before, name), getattr(now, name)
        if one is other:
            continue
        if not isinstance(one, Struct) or not isinstance(other, Struct):
            return None
        for field in other.__struct_fields__:
            held, holds = getattr(one, field), getattr(other, field)
            if held is holds or held == holds or (name, field) == ("roster", "order"):  # who joins is a member, too
                continue
            if not isinstance(holds, dict):
                return None
            found |= {who for who in held.keys() | holds.keys() if held.get(who) != holds.get(who)}
            if not found <= names:
                return None
    return frozenset(found)


class _Board(dict[str, str]):
    """Values by name. Each name means one thing."""

    def __init__(self) -> None:
        super().__init__()
        self._taken = set[str]()

    def put(self, head: str, word: str, value: str, sort: str = "", besides: Container[str] = ()) -> None:
        """Adds a value under the name `head.word`. A word with a `sort`, such as a condition, yields to the board's own
        words, to `besides`, and to names already taken: its name then begins with the sort, such as
        `kira.condition-hp`.
        """
        name = f"{head}.{word}"
        plain = _plain(name)
        if sort and (plain in self._taken or _plain(word) in FIELDS or _plain(word) in besides):
            name = f"{head}.{sort}-{word}"
            plain = _plain(name)
        while plain in self._taken:
            name += "+"
            plain += "+"
        self._taken.add(plain)
        self[name] = value


def _plain(name: str) -> str:
    """The name as it is compared: in small letters, with hyphens for spaces."""
    return name.casefold().replace(" ", "-")


def values(state: State, only: str | None = None) -> dict[str, str]:
    """Everything on the board by name, such as `kira.hp`: in the order of the roster, the encounter last.

    No two things have the same name. With `only`, of all those at the table only this one's, which is faster.
    """
    named = _Board()
    members = state.roster.order if only is None else [only] * (only in state.roster.members)
    for who in members:
        _add_aspects(named, state, who, _BEFORE)
        _add_lasting(named, state, who)
        _add_aspects(named, state, who, _AFTER)
    for name in _others(state) if only is None else ({only} & {*_others(state)}):
        _add_lasting(named, state, name)
    _add_waiting(named, state)
    _add_fight(named, state)
    _add_ground(named, state)
    _add_campaign(named, state)
    return named


def _add_waiting(named: _Board, state: State) -> None:
    """What somebody waits for, and how what waited came out."""
    due = {
        **{
            (outcome.what.who, _waited(outcome.what)): f"{outcome.what.verb.rstrip(':')}, {outcome.how}"
            for outcome in state.pending.settled
        },
        **{(one.who, _waited(one)): f"{one.verb} {one.said.get('text', '')}".rstrip() for one in state.pending.waiting},
    }
    for (who, kind), value in due.items():
        named.put(who, kind, value, "pending")


def _add_fight(named: _Board, state: State) -> None:
    """Who fights whom, and how far the encounter is."""
    for number, skirmish in enumerate(state.skirmishes.of, 1):
        sides = " v ".join(", ".join(side) for side in skirmish.sides)
        kind = "paired-fight" if skirmish.lasting else "skirmish"
        named.put(kind, str(number), f"{sides}, done" if skirmish.done else sides, "fight")
    named["encounter"] = str(state.encounter.number) if state.encounter.running else "none"
    named["round"] = str(state.turns.round)
    named["phase"] = state.turns.phase or "none"
    named["turn"] = state.turns.who or "nobody's"
    named["order"] = ", ".join(state.turns.order) or "none"


def _add_ground(named: _Board, state: State) -> None:
    """The ground, what lies on it, and what holds for everybody on it."""
    for feature, squares in sorted(state.encounter.ground.items()):
        named.put("ground", feature, " ".join(f"{x},{y}" for x, y in squares), "feature")
    for place in dict.fromkeys(square(one.at) for one in state.lying.items):
        items = ", ".join(one.item for one in state.lying.items if square(one.at) == place)
        named.put("lying", place, items, "items")
    if state.magica.ambient is not None:
        named["ambient-magica"] = str(state.magica.ambient)
    for one, other in state.truces.between:
        named.put("truce", f"{one}-{other}", "yes", "sides")
    if state.areas.names:
        named["areas"] = ", ".join(state.areas.names)
    for link in state.areas.links:
        named.put("link", f"{link.one}-{link.other}", link.ways(), "areas")


def _add_campaign(named: _Board, state: State) -> None:
    """House rules and tables."""
    for option, chosen in sorted(state.campaign.options.items()):
        named.put("option", option, str(chosen).lower(), "rule")
    for table, used in sorted(state.campaign.tables.items()):
        if used.file:
            named.put("table", table, f"{used.file} ({used.digest[:12]})", "rule")


def _waited(one: Waiting) -> str:
    """What waits, in a word: its kind, or that others may answer what somebody does before it goes on."""
    return "interrupted" if one.answerable else one.kind


def _add_aspects(named: _Board, state: State, who: str, aspects: Sequence[str]) -> None:
    """Adds what some aspects say of a combatant."""
    for aspect in aspects:
        for word, value, sort in getattr(state, aspect).board(who):
            named.put(who, word, value, sort)


def _add_lasting(named: _Board, state: State, who: str) -> None:
    """Adds the conditions and counts of a combatant, a group, or the encounter.

    Conditions can be called anything: they yield to every other name.
    """
    held = state.conditions.held(who)
    counted = state.counts
    counts = [(counted.encounter.get(who, {}), "count"), (counted.round.get(who, {}), "round")]
    points = {_plain(kind) for kind in state.points.of.get(who, {})}
    points |= {_plain(f"{kind}s") for kind in state.ammunition.of.get(who, {})}
    others = {_plain(word) for tally, _ in counts for word in tally} | points if held else points
    if held:
        others |= {_plain(_waited(one)) for one in state.pending.waiting if one.who == who}
        others |= {_plain(_waited(one.what)) for one in state.pending.settled if one.what.who == who}
    for name, condition in held:
        named.put(who, name, described(condition), "condition", others)
    for tally, sort in counts:
        for what, whoms in sorted(tally.items()):
            named.put(who, what, ", ".join(f"{whom} {n}".strip() for whom, n in sorted(whoms.items())), sort, points)


def _others(state: State) -> list[str]:
    """Names with conditions or counts that are not at the table: groups, sides, the encounter."""
    return sorted({*state.conditions.of, *state.counts.encounter, *state.counts.round} - {*state.roster.members})


def same(before: State, after: State) -> bool:
    """Whether no event in between changes anything that the board shows. Fast; a yes is always right."""
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
    """What differs: name, value before, value after; a value that is on no board is a dash, or 0 where that is what
    everybody begins with.
    """
    return differences(values(before), values(after))


def differences(old: dict[str, str], new: dict[str, str]) -> list[tuple[str, str, str]]:
    """What differs between two boards by name, as `between` tells it."""
    names = [*new, *(name for name in old if name not in new)]
    pairs = ((name, held(old, name), held(new, name)) for name in names)
    return [(name, before, after) for name, before, after in pairs if before != after]


def held(board: Mapping[str, str], name: str) -> str:
    """A value of a board. Of what is not on it, 0 for harm that begins with nothing, of somebody who is at the table;
    else a dash.
    """
    who, _, word = name.rpartition(".")
    return board.get(name) or ("0" if HARM.get(word) == "0" and f"{who}.side" in board else "-")
