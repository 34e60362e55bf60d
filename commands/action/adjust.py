"""`affray adjust`: the referee sets a value, with a reason. The module `referee` of each rule system lists in `FIELDS`
what can be set, and in `ELSEWHERE` how to do what cannot.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta, Raw

from ledger.errors import UsageError
from ledger.events import (
    ConditionEnded,
    ConditionGained,
    Disengaged,
    Engaged,
    HpSet,
    ItemGained,
    ItemLost,
    PointsSet,
    SideChanged,
    TruceEnded,
    TruceMade,
)

from . import rulebook, systems
from .declaration import MOST, Declaration, Fighter, Text
from .declaration import Mapping as Row
from .names import find, proper_side
from .resolution import Offers, Resolution, adjusted
from .rulebook import Field as Field
from .rulebook import Setter as Setter
from .rulebook import Way as Way


class Adjust(Declaration):
    """Set a value of a combatant, with a reason.

    Each rule system has fields of its own, such as hp, condition, equipped or item; an unknown field is refused with
    the list. A number outside the range of the rules is refused, unless --allow gives a reason. When a number crosses a
    line that the rules draw, the rules apply: at 0 hit points a combatant falls, above 0 they wake.
    """

    who: Annotated[Fighter, Meta(description="Whose value.")]
    field: Annotated[str, Meta(description="Which field.")]
    value: Annotated[str, Meta(description="The new value.")]
    why: Annotated[Text, Meta(description="The reason.")]


def adjust(fight: Resolution, said: Adjust) -> None:
    """Sets the value. Refuses what changes nothing."""
    system = fight.state.campaign.system
    rules, title = rulebook.of(system).referee, systems.load(system).title
    who, word, before = find(fight.state, said.who), said.field.casefold(), fight.state
    if word in rules.elsewhere:
        fight.impossible(
            f"{title} does not set {word} with adjust.", _filled(fight, who, rules.elsewhere[word], said.value)
        )
    if word not in rules.fields:
        fight.impossible(f"{title} has no {said.field[:40]!a} to set.", f"There are: {', '.join(rules.fields)}.")
    rules.fields[word].set(fight, who, said.value)
    if fight.state == before:
        fight.impossible(f"Nothing would change: {who}'s {word} is already {said.value[:40]!a}.")


def _filled(fight: Resolution, who: str, way: Way, value: str = "") -> Offers:
    """The way with real names; if none of its commands works, the verb or the field that it takes.

    A foe is first one who stands, and then one of another side.
    """
    members = fight.state.roster.members
    if isinstance(way, str):
        return [way.format(who=who)]
    others = sorted(
        (one for one in fight.state.roster.order if one != who),
        key=lambda one: (not fight.state.stands(one), members[one].side == members[who].side),
    )
    verb, words, *_ = way[0]
    takes = f"the field {words['field']}" if verb == "adjust" else f"the verb {verb}"
    return [
        *(
            (verb, _named(said, who=who, foe=foe, value=value), *allow)
            for verb, said, *allow in way
            for foe in (others if "{foe}" in str(said) else ("",))
        ),
        f"It takes {takes}.",
    ]


def _named(said: Any, **names: str) -> Any:
    """What is said, with names in place of `{who}` and the like."""
    if isinstance(said, dict):
        return {field: _named(value, **names) for field, value in said.items()}
    if isinstance(said, list):
        return [_named(one, **names) for one in said]
    return said.format(**names) if isinstance(said, str) else said


def repeated(who: str, field: str, value: object) -> Offers:
    """The command that sets another field."""
    return [adjusted(who, field, value)]


# Numbers


def whole(word: str) -> int:
    """The number that a word stands for. Raises UsageError when it is not a number."""
    digits = word.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
        raise UsageError(f"{word[:40]!r} is not a whole number up to {MOST:,}.")
    return int(word)


def ranged(
    fight: Resolution,
    who: str,
    field: str,
    value: str,
    least: int = 0,
    most: int = MOST,
    below: str = "",
    above: str = "",
) -> int:
    """The number, if it is within the range; `below` and `above` are the clauses that refuse any other. Without such a
    clause the referee cannot allow a number outside the range.
    """
    said = whole(value)
    if least <= said <= most:
        return said
    from projections.changes import values

    clause, nearest = (below, least) if said < least else (above, most)
    reach = f"{least} to {most}" if most < MOST else f"{least} or more"
    changes = values(fight.state).get(f"{who}.{field}", "0") != str(nearest)
    message, hint = f"{who}'s {field} can be {reach}, not {said}.", repeated(who, field, nearest) if changes else ""
    if not clause:
        fight.impossible(message, hint)
    fight.refuse(clause, message, hint)
    return said


def set_hp(fight: Resolution, who: str, value: str, below: str, above: str) -> tuple[int, int]:
    """Records hit points, from 0 to the maximum; gives the old and the new number."""
    hp = fight.state.harm.hp[who]
    now = ranged(fight, who, "hp", value, 0, hp.most, below, above)
    fight.record(HpSet(who, now, hp.most))
    return hp.now, now


def set_most_hp(fight: Resolution, who: str, value: str) -> None:
    """Records the maximum of hit points; nobody has more than that."""
    most = ranged(fight, who, "hp-max", value, 1)
    fight.record(HpSet(who, min(fight.state.harm.hp[who].now, most), most))


def give_one_hp(fight: Resolution, who: str) -> None:
    """Gives somebody who is raised at least 1 hit point: nobody stands with none."""
    hp = fight.state.harm.hp[who]
    if hp.now < 1:
        fight.record(HpSet(who, 1, hp.most))


def allowance(kind: str, most: int = MOST) -> Field:
    """Sets points of a kind that somebody has."""

    def spend(fight: Resolution, who: str, value: str) -> None:
        if kind not in fight.state.points.of.get(who, {}):
            fight.impossible(f"{who} has no {kind!a} now: it is counted in the rounds of a fight.")
        fight.record(PointsSet(who, kind, ranged(fight, who, kind, value, 0, most)))

    return Field(f"0 to {most}, in a fight" if most < MOST else "0 or more, in a fight", spend)


# Names


def one_of(word: str, names: Sequence[str], what: str) -> str:
    """The name that a word is, or is the beginning of, in any case. Raises UsageError with the list of names."""
    sought, there = word.strip().casefold(), tuple(dict.fromkeys(names))
    exact = [name for name in there if name.casefold() == sought]
    found = exact or [name for name in there if sought and name.casefold().startswith(sought)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{word[:40]!a} could be {', '.join(found)}.", "Type more of it.")
    if not there:
        raise UsageError(f"No {what} is called {word[:40]!a}; there are none.")
    raise UsageError(f"No {what} is called {word[:40]!a}.", f"There are: {', '.join(there)}.")


def how_down(fight: Resolution, who: str, value: str, ways: Sequence[str]) -> str:
    """How somebody is down from now on; "no" when they stand. Raises UsageError when nothing would change."""
    how = one_of(value, (*ways, "no"), "way to be down")
    down = fight.state.harm.down.get(who)
    if how == (down.how if down else "no"):
        fight.impossible(f"{who} is already {how}." if down else f"{who} is not down.")
    return how


# Conditions


def conditions(
    by_verb: Mapping[str, Way], known: Sequence[str], follow: Setter | None = None, ended: Collection[str] = ()
) -> dict[str, Field]:
    """The fields `condition` and `no-condition`.

    `by_verb`: conditions that a verb gives or ends, with the way. `known`: other conditions of the rules, whose names
    are known in any case. `follow` does what follows. `ended`: conditions that a verb gives and the referee can end
    all the same.
    """

    def gain(fight: Resolution, who: str, value: str) -> None:
        word, sign, amount = value.partition("=")
        held = fight.state.conditions.of.get(who, {})
        word = word.strip()
        name = next((one for one in (*known, *by_verb, *held) if one.casefold() == word.casefold()), word)
        _check_verb(fight, who, name, by_verb)
        if not (0 < len(name) <= 40 and name.isprintable()):
            fight.impossible("The name of a condition has 1 to 40 characters.", repeated(who, "condition", "dazed"))
        if name in held and held[name].modifies:
            fight.impossible(f"{who} has an effect of the name {name!a}.", repeated(who, "no-condition", name))
        fight.record(ConditionGained(who, name, amount=whole(amount) if sign else 0))
        if follow:
            follow(fight, who, name)

    def lose(fight: Resolution, who: str, value: str) -> None:
        held = fight.state.conditions.of.get(who, {})
        name = one_of(value, tuple(held), f"condition of {who}")
        if name not in ended:
            _check_verb(fight, who, name, by_verb)
        fight.record(ConditionEnded(who, name))
        if follow:
            follow(fight, who, name)

    return {
        "condition": Field("a word, or NAME=N for a condition with a number; it lasts until somebody ends it", gain),
        "no-condition": Field("a condition that the combatant has", lose),
    }


def _check_verb(fight: Resolution, who: str, name: str, by_verb: Mapping[str, Way]) -> None:
    if name in by_verb:
        fight.impossible(f"{name} is not set by itself.", _filled(fight, who, by_verb[name]))


# Sides and contact


def set_side(fight: Resolution, who: str, value: str, clause: str) -> None:
    """Records the side that somebody fights for: one at the table, or a new one if the referee allows it."""
    sides = fight.state.roster.sides()
    try:
        side = one_of(value, sides, "side")
    except UsageError as error:
        side = proper_side(value)
        fight.refuse(clause, f"Nobody fights for {side}.", error.hint)
    fight.record(SideChanged(who, side))


def part_friends(fight: Resolution, who: str) -> None:
    """Ends contact between combatants of one side."""
    members = fight.state.roster.members
    for other in sorted(fight.state.engagement.of(who), key=fight.state.roster.order.index):
        if members[other].side == members[who].side:
            fight.record(Disengaged(who, other))


def set_truce(fight: Resolution, who: str, value: str) -> None:
    """Makes a truce between somebody's side and another side."""
    mine = fight.state.roster.members[who].side
    other = one_of(value, [side for side in fight.state.roster.sides() if side != mine], "other side")
    if not fight.state.truces.holds(mine, other):
        fight.record(TruceMade(mine, other))


def end_truce(fight: Resolution, who: str, value: str) -> None:
    """Ends a truce between somebody's side and another side."""
    mine = fight.state.roster.members[who].side
    held = [side for pair in fight.state.truces.between if mine in pair for side in pair if side != mine]
    fight.record(TruceEnded(mine, one_of(value, held, f"side at truce with the {mine}")))


TRUCES = {
    "truce": Field("another side; the two are no longer enemies", set_truce),
    "no-truce": Field("the other side of a truce", end_truce),
}


def engage(fight: Resolution, who: str, value: str) -> str:
    """Records that two enemies who both stand are engaged; gives the other one."""
    other, members = find(fight.state, value), fight.state.roster.members
    if other == who:
        fight.impossible(f"{who} cannot be engaged with {who}.", "Name an enemy.")
    if members[other].side == members[who].side:
        fight.impossible(f"{who} and {other} are on one side.", "Contact is between enemies.")
    for one in (who, other):
        if not fight.state.stands(one):
            fight.impossible(f"{one} is down and cannot be engaged.", repeated(one, "down", "no"))
    if other not in fight.state.engagement.of(who):
        fight.record(Engaged(who, other))
    return other


def disengage(fight: Resolution, who: str, value: str) -> None:
    """Records that two are no longer engaged."""
    other = one_of(value, fight.state.engagement.of(who), f"opponent of {who}")
    fight.record(Disengaged(who, other))


# Items

AS_WRITTEN = (
    "Write it as in a stat block, beginning 'name = \"axe\"', or as ITEM@NAME if somebody at the table has one."
)
"""How to write an item that nobody knows."""


def gift(
    fight: Resolution,
    value: str,
    read: Callable[[Row], Any],
    own: Callable[[Resolution, str, str], Any],
    named: Callable[[str], Any] = lambda word: None,
) -> tuple[Any, str]:
    """The item that is given, and who had it, "" for nobody. The value is written as in a stat block (`read`), as
    ITEM@NAME (`own` finds it), or as a name in a table (`named`).
    """
    name, sign, owner = value.rpartition("@")
    if "=" in value:
        return read(_row(fight, value)), ""
    if sign:
        owner = find(fight.state, owner)
        return own(fight, owner, name.strip()), owner
    if (item := named(value.strip())) is None:
        _no_item(fight, value)
    return item, ""


def _no_item(fight: Resolution, value: str) -> NoReturn:
    fight.impossible(f"There is no item {value[:40]!a} to give.", AS_WRITTEN)


def _row(fight: Resolution, value: str) -> Row:
    """The fields of an item, as a stat block writes them: with braces or without."""
    import tomllib

    words = value.strip().removeprefix("{").removesuffix("}")
    try:
        row: Row = tomllib.loads(f"item = {{ {words} }}")["item"]
    except tomllib.TOMLDecodeError as error:
        fight.impossible(f"{value[:60]!a} is not written as in a stat block: {error}.", AS_WRITTEN)
    return row


def read_row(fight: Resolution, row: Row, kind: Any) -> Any:
    """The item that the fields describe. Raises UsageError with the fields that there are."""
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        from .mistakes import explained

        place, problem = explained(error, kind)
        fight.impossible(f"That item is wrong{f' at {place}' if place else ''}: {problem}.")


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if somebody already has an item of that name."""
    used, nth, free = {one.casefold() for one in taken}, 2, name
    while free.casefold() in used:
        free, nth = f"{name}-{nth}", nth + 1
    return free


def gain(fight: Resolution, who: str, item: str, sheet: Any) -> None:
    """Records that somebody has an item, by the stat block that holds it."""
    fight.record(ItemGained(who, item, Raw(msgspec.json.encode(sheet, order="deterministic"))))


def lose(fight: Resolution, who: str, item: str, sheet: Any) -> None:
    """Records that somebody no longer has an item, by the stat block without it."""
    fight.record(ItemLost(who, item, Raw(msgspec.json.encode(sheet, order="deterministic"))))
