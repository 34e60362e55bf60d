"""`affray adjust`: the game master sets a value, with a reason. The module `gm` of each rule system lists in
`FIELDS` what can be set, and in `ELSEWHERE` how to do what cannot.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Raw

from ledger import events
from ledger.errors import UsageError
from ledger.events import HpSet, together, whose

from . import ground, rulebook, systems
from .declaration import MOST, Declaration, Fighters, Text, changed, says, whole
from .declaration import Mapping as Row
from .names import find, find_all, proper_side
from .resolution import REASON, STATUS, Remedies, Resolution, adjusted
from .rulebook import Field as Field
from .rulebook import Setter as Setter
from .rulebook import Way as Way
from .view import read_as


class Adjust(Declaration):
    """Set a value of one or more combatants, giving a reason.

    Each rule system has fields of its own, such as hp, condition, equipped or item; an unknown field is refused, and
    the known ones are listed. A field of the stat block can be set too: write skills.climb for a field inside a
    table, sword.attack for one of an item. A number outside the range of the rules is refused, unless --allow gives a
    reason. When a number crosses a threshold in the rules, the consequences follow: at 0 hit points a combatant falls,
    above 0 they wake.
    """

    who: Annotated[Fighters, says("Whose value.")]
    field: Annotated[str, says("Which field.")]
    value: Annotated[str, says("The new value. +3 adds 3, by -3 takes 3 off; -3 alone sets it to minus three.")]
    why: Annotated[Text, says("The reason.")]

    def __post_init__(self) -> None:
        """`by -3 burnt` is typed as two words and a reason."""
        number, _, why = self.why.partition(" ")
        if self.value.casefold() == "by" and why:
            msgspec.structs.force_setattr(self, "value", f"by {number}")
            msgspec.structs.force_setattr(self, "why", why)


def adjust(fight: Resolution, said: Adjust) -> None:
    """Sets the value. Refuses what changes nothing."""
    if said.value.casefold() == "by":
        fight.impossible("What is the reason?", [fight.otherwise(value=f"by {said.why}", why=REASON)])
    before = fight.state
    for who in said.who:
        _set(fight, who, said.field.casefold(), said.value)
    if fight.state == before:
        theirs = "their" if said.who[1:] else whose(who)
        fight.impossible(f"Nothing would change: {theirs} {said.field[:40].casefold()} is already {said.value[:40]!r}.")


def _set(fight: Resolution, who: str, word: str, value: str) -> None:
    system = fight.state.campaign.system
    rules, title = rulebook.of(system).gm, systems.load(system).title
    if word in rules.fields:
        rules.fields[word].set(fight, who, value)
        return
    from .stat_blocks import set_value

    there = f"There are: {', '.join(rules.fields)}."
    if word in rules.elsewhere:
        fight.impossible(f"{title} does not set {word} with adjust.", _filled(fight, who, rules.elsewhere[word], value))
    if word.partition(".")[0].replace("-", "_") in rules.on_joining:
        fight.impossible(f"{word} of a stat block counts only on joining.", there)
    if not set_value(fight, who, word, value):
        hint = f"{there} A field of the stat block can be set too, and ITEM.FIELD."
        fight.impossible(f"{title} has no {word[:40]!r} to set.", hint)


def _filled(fight: Resolution, who: str, way: Way, value: str = "") -> Remedies:
    """The way with real names; if none of its commands works, the verb or the field that it takes. A foe is named only
    where no other can be meant.
    """
    members = fight.state.roster.members
    others = [one for one in members if fight.state.stands(one) and members[one].side != members[who].side]
    foe = others[0] if len(others) == 1 else ""
    if isinstance(way, str):
        return [way.format(who=who)]
    verb, words, *_ = way[0]
    takes = f"the field {words['field']}" if verb == "adjust" else f"the verb {verb}"
    named = [
        (verb, _named(said, who=who, foe=foe, value=value), *allow)
        for verb, said, *allow in way
        if foe or "{foe}" not in str(said)
    ]
    return [*named, f"It takes {takes}."]


def _named(said: Any, **names: str) -> Any:
    """What is said, with names in place of `{who}` and the like."""
    if isinstance(said, dict):
        return {field: _named(value, **names) for field, value in said.items()}
    if isinstance(said, list):
        return [_named(one, **names) for one in said]
    return said.format(**names) if isinstance(said, str) else said


def repeated(who: str, field: str, value: object) -> Remedies:
    """The command that sets another field."""
    return [adjusted(who, field, value)]


def then(first: Setter, follow: Callable[[Resolution], object]) -> Setter:
    """Sets a field, and then does what follows of it at the table."""

    def both(fight: Resolution, who: str, value: str) -> None:
        first(fight, who, value)
        follow(fight)

    return both


# Numbers


def ranged(
    fight: Resolution,
    who: str,
    field: str,
    value: str,
    now: int,
    least: int = 0,
    most: int = MOST,
    below: str = "",
    above: str = "",
) -> int:
    """The number, if it is within the range; `now` is the present one, `below` and `above` are the clauses that refuse
    any other. Without such a clause the game master cannot allow a number outside the range. Hit points below the range
    offer the damage that was meant.
    """
    said = changed(value, now)
    if least <= said <= most:
        return said
    clause, nearest = (below, least) if said < least else (above, most)
    reach = f"{least} to {most}" if most < MOST else f"{least} or more"
    message = f"{whose(who)} {field} can be {reach}, not {said}."
    hint: str | Remedies = repeated(who, field, nearest) if now != nearest else ""
    why = getattr(fight.declaration, "why", REASON)
    lost = -whole(value) if value.strip().startswith("-") else now - said
    if value.strip().startswith("-") and least <= now - lost <= most:  # so much less is meant
        hint = [("adjust", {"who": [who], "field": field, "value": f"by -{lost}", "why": why})]
    if field == "hp" and said < least:
        hint = [("damage", {"who": [who], "points": lost, "why": why})]
    if not clause:
        fight.impossible(message, hint)
    fight.refuse(clause, message, hint)
    return said


def set_hp(fight: Resolution, who: str, value: str, below: str, above: str) -> tuple[int, int]:
    """Records hit points, from 0 to the maximum; gives the old and the new number."""
    hp = fight.state.harm.hp[who]
    now = ranged(fight, who, "hp", value, hp.now, 0, hp.most, below, above)
    fight.record(HpSet(who, now, hp.most))
    return hp.now, now


def set_most_hp(fight: Resolution, who: str, value: str) -> None:
    """Records the maximum of hit points; nobody has more than that."""
    hp = fight.state.harm.hp[who]
    most = ranged(fight, who, "hp-max", value, hp.most, 1)
    fight.record(HpSet(who, min(hp.now, most), most))


def give_one_hp(fight: Resolution, who: str) -> None:
    """Gives somebody who is raised at least 1 hit point: nobody stands with none."""
    hp = fight.state.harm.hp[who]
    if hp.now < 1:
        fight.record(HpSet(who, 1, hp.most))


def allowance(kind: str, most: int = MOST) -> Field:
    """Sets points of a kind that somebody has."""

    def spend(fight: Resolution, who: str, value: str) -> None:
        if kind not in fight.state.points.of.get(who, {}):
            fight.impossible(f"{who} has no {kind!r} now: it is counted in the rounds of a fight.")
        now = fight.state.points.left(who, kind)
        fight.record(events.PointsSet(who, kind, ranged(fight, who, kind, value, now, 0, most)))

    return Field(f"0 to {most}, in a fight" if most < MOST else "0 or more, in a fight", spend)


# Names


def one_of(fight: Resolution, word: str, names: Sequence[str], what: str) -> str:
    """The name that a word is, or is the beginning of, in any case. Raises UsageError with the list of names."""
    sought, there = word.strip().casefold(), tuple(dict.fromkeys(names))
    exact = [name for name in there if name.casefold() == sought]
    found = exact or [name for name in there if sought and name.casefold().startswith(sought)]
    if len(found) == 1:
        return fight.write_in_full(word, found[0])
    if found:
        raise UsageError(f"{word[:40]!r} could be {', '.join(found)}.", "Type more of it.")
    if not there:
        raise UsageError(f"No {what} is called {word[:40]!r}; there are none.")
    raise UsageError(f"No {what} is called {word[:40]!r}.", f"There are: {', '.join(there)}.")


def how_down(fight: Resolution, who: str, value: str, ways: Sequence[str]) -> str:
    """How somebody is down from now on; "no" when they stand. Raises UsageError when nothing would change."""
    how = one_of(fight, value, (*ways, "no"), "state")
    down = fight.state.harm.down.get(who)
    if how == (down.how if down else "no"):
        fight.impossible(f"{who} is already {how}." if down else f"{who} is not down.")
    return how


# Conditions


def conditions(
    by_verb: Mapping[str, Way],
    known: Sequence[str],
    follow: Setter | None = None,
    ended: Collection[str] = (),
    counted: Sequence[str] = (),
) -> dict[str, Field]:
    """The fields `condition` and `no-condition`.

    `by_verb`: conditions that a verb gives or ends, with the way. `known`: other conditions of the rules, whose names
    are known in any case; `counted`: those of them that have a number. `follow` does what follows. `ended`: conditions
    that a verb gives and the game master can end all the same.
    """

    def gain(fight: Resolution, who: str, value: str) -> None:
        word, sign, amount = value.partition("=")
        held = fight.state.conditions.of.get(who, {})
        word = word.strip()
        if word.casefold().startswith(events.DROPPED):
            way = repeated(who, "dropped", word[len(events.DROPPED) :])
            fight.impossible("Use dropped for what lies on the ground.", way)
        name = next((one for one in (*known, *by_verb, *held) if one.casefold() == word.casefold()), word)
        _check_verb(fight, who, name, by_verb)
        if not (0 < len(name) <= 40 and name.isprintable()):
            fight.impossible("The name of a condition has 1 to 40 characters.", repeated(who, "condition", "dazed"))
        if name in held and held[name].modifies:
            fight.impossible(f"{who} has an effect of the name {name!r}.", repeated(who, "no-condition", name))
        if sign and name not in counted:
            fight.impossible(f"No rule reads a number of {name!r}.", repeated(who, "condition", name))
        fight.record(events.ConditionGained(who, name, amount=whole(amount) if sign else 0))
        if follow:
            follow(fight, who, name)

    def lose(fight: Resolution, who: str, value: str) -> None:
        name = one_of(fight, value, tuple(fight.state.conditions.of.get(who, {})), f"condition of {who}")
        if name not in ended:
            _check_verb(fight, who, name, by_verb)
        fight.record(events.ConditionEnded(who, name))
        if follow:
            follow(fight, who, name)

    return {
        "condition": Field(f"a word{f', or {counted[0]}=N' if counted else ''}; it lasts until somebody ends it", gain),
        "no-condition": Field("a condition that the combatant has", lose),
    }


def _check_verb(fight: Resolution, who: str, name: str, by_verb: Mapping[str, Way]) -> None:
    if name in by_verb:
        fight.impossible(f"{name} is not set by itself.", _filled(fight, who, by_verb[name]))


# Sides and contact


def set_side(fight: Resolution, who: str, value: str, clause: str) -> None:
    """Records the side that somebody fights for: one at the table, or a new one if the game master allows it."""
    sides = fight.state.roster.sides()
    try:
        side = one_of(fight, value, sides, "side")
    except UsageError as error:
        side = proper_side(value)
        fight.refuse(clause, f"Nobody fights for {side}.", error.hint)
    fight.record(events.SideChanged(who, side))


def part_friends(fight: Resolution, who: str) -> None:
    """Ends contact between combatants of one side."""
    members = fight.state.roster.members
    for other in sorted(fight.state.engagement.of(who), key=fight.state.roster.order.index):
        if members[other].side == members[who].side:
            fight.record(events.Disengaged(who, other))


def set_truce(fight: Resolution, who: str, value: str) -> None:
    """Makes a truce between somebody's side and another side."""
    mine = fight.state.roster.members[who].side
    other = one_of(fight, value, [side for side in fight.state.roster.sides() if side != mine], "other side")
    if not fight.state.truces.holds(mine, other):
        fight.record(events.TruceMade(mine, other))


def end_truce(fight: Resolution, who: str, value: str) -> None:
    """Ends a truce between somebody's side and another side."""
    mine = fight.state.roster.members[who].side
    held = [side for pair in fight.state.truces.between if mine in pair for side in pair if side != mine]
    fight.record(events.TruceEnded(mine, one_of(fight, value, held, f"side at truce with the {mine}")))


def several(fight: Resolution, value: str) -> tuple[str, ...]:
    """Those whom a value names, separated by commas."""
    found = find_all(fight.state, tuple(word.strip() for word in value.split(",") if word.strip()))
    fight.write_in_full(value, ",".join(found))
    return found


def engage(fight: Resolution, who: str, other: str) -> None:
    """Records that two enemies who both stand are engaged."""
    members = fight.state.roster.members
    if other == who:
        fight.impossible(f"{who} cannot be engaged with {who}.", "Name an enemy.")
    if members[other].side == members[who].side:
        fight.impossible(f"{who} and {other} are on one side.", "Contact is between enemies.")
    for one in (who, other):
        if not fight.state.stands(one):
            fight.impossible(f"{one} is down and cannot be engaged.", repeated(one, "down", "no"))
    if other not in fight.state.engagement.of(who):
        fight.record(events.Engaged(who, other))


def disengage(fight: Resolution, who: str, value: str) -> None:
    """Records that two are no longer engaged; of those whom an @ names, those who are."""
    held = fight.state.engagement.of(who)
    found: list[str] = []
    for word in value.split(","):
        group = several(fight, word) if word.strip().startswith("@") else ()
        found += [one for one in group if one in held] or [one_of(fight, word, held, f"opponent of {who}")]
    for other in dict.fromkeys(found):
        fight.record(events.Disengaged(who, other))


# Items


def in_hand(fight: Resolution, who: str, word: str) -> str:
    """The thing in somebody's hands, or worn, that is meant."""
    return one_of(fight, word, fight.state.gear.equipped.get(who, ()), f"thing in use by {who}")


def put_away(fight: Resolution, who: str, value: str) -> None:
    """Records that somebody no longer has a thing in hand."""
    fight.record(events.Unequipped(who, in_hand(fight, who, value)))


def as_written(row: str) -> str:
    """How to write an item that nobody knows, where `row` is the least that a stat block says of one."""
    return f"Write it as in a stat block, as '{row.format('axe')}', or as ITEM@NAME if somebody at the table has one."


def items(
    given: str,
    carried: str,
    read: Callable[[Resolution, Row], Any],
    own: Callable[[Resolution, str, str], Any],
    give: Callable[[Resolution, str, Any, str], Any],
    take: Callable[[Resolution, str, Any], None],
    row: str,
    named: Callable[[Resolution, str, str], Any] = lambda fight, who, word: None,
) -> dict[str, Field]:
    """The fields `item` and `no-item`, which take what `given` and `carried` say.

    An item is written as in a stat block (`read`), as ITEM@NAME (`own` finds it among the things of somebody), or as a
    name in a table (`named`). `row` is the least that a stat block says of one called {}. `give` gives it to somebody,
    and takes it from the one who had it, "" for nobody; `take` only takes it.
    """

    def item(fight: Resolution, who: str, value: str) -> None:
        name, sign, owner = value.rpartition("@")
        if "=" in value:
            give(fight, who, read(fight, _row(fight, value, row)), "")
        elif sign:
            owner = find(fight.state, owner)
            fight.write_in_full(value, f"{name}@{owner}")
            give(fight, who, own(fight, owner, name.strip()), owner)
        elif (found := named(fight, who, value.strip())) is not None:
            give(fight, who, found, "")
        else:
            fight.impossible(f"There is no item {value[:40]!r} to give.", as_written(row))

    def no_item(fight: Resolution, who: str, value: str) -> None:
        take(fight, who, own(fight, who, value))

    return {"item": Field(given, item), "no-item": Field(carried, no_item)}


def on_the_ground(
    own: Callable[[Resolution, str, str], Any], give: Callable[[Resolution, str, Any, str], Any], shield: str = ""
) -> dict[str, Field]:
    """The fields `dropped` and `picked-up`, where things lie near somebody. `own` and `give` are those of `items`; a
    `shield` that is no item is never dropped.
    """

    def drop(fight: Resolution, who: str, value: str) -> None:
        item = in_hand(fight, who, value)
        if item == shield:
            fight.impossible("A shield cannot be dropped, only put away.", [("stow", {"who": who, "item": item})])
        ground.lay(fight, who, item)

    def pick_up(fight: Resolution, who: str, value: str) -> None:
        meant = ground.meant(fight, who, value)
        if not meant:
            fight.impossible(f"No {value[:40]!r} lies on the ground.", STATUS)
        if meant[1:]:
            ways = [adjusted(who, "item", f"{item}@{owner}") for owner, item in meant]
            fight.impossible(f"{value[:40]!r} of {together([owner for owner, _ in meant])} lie on the ground.", [ways])
        [(owner, item)] = meant
        if owner == who:
            ground.lift(fight, who, item)
        else:
            give(fight, who, own(fight, owner, item), owner)

    return {
        "dropped": Field("a thing in hand: it lies near them", drop),
        "picked-up": Field("a thing on the ground: it is carried", pick_up),
    }


def _row(fight: Resolution, value: str, written: str) -> Row:
    """The fields of an item, as a stat block writes them: with braces or without."""
    import tomllib

    words = value.strip().removeprefix("{").removesuffix("}")
    try:
        row: Row = tomllib.loads(f"item = {{ {words} }}")["item"]
    except tomllib.TOMLDecodeError as error:
        fight.impossible(f"{value[:60]!r} is not written as in a stat block: {error}.", as_written(written))
    return row


def read_row(fight: Resolution, row: Row, kind: Any) -> Any:
    """The item that the fields describe. Raises UsageError with the fields that there are."""
    return read_as(kind, row, "That item")


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if somebody already has an item of that name."""
    used, nth, free = {one.casefold() for one in taken}, 2, name
    while free.casefold() in used:
        free, nth = f"{name}-{nth}", nth + 1
    return free


def gain(fight: Resolution, who: str, item: str, sheet: Any) -> None:
    """Records that somebody has an item, by the stat block that holds it."""
    fight.record(events.ItemGained(who, item, Raw(msgspec.json.encode(sheet, order="deterministic"))))


def lose(fight: Resolution, who: str, item: str, sheet: Any) -> None:
    """Records that somebody no longer has an item, by the stat block without it."""
    fight.record(events.ItemLost(who, item, Raw(msgspec.json.encode(sheet, order="deterministic"))))
