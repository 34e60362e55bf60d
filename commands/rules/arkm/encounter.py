"""Encounters: who is met, from where, and how it ends."""

from typing import Annotated

from commands.action.adjust import engage
from commands.action.common import Join, join
from commands.action.declaration import Declaration, Pairs, SheetFile, Words, says
from commands.action.encounters import close_encounter, note_enemies, require_encounter
from commands.action.names import find, proper
from commands.action.opening import Opening, arrive
from commands.action.resolution import Resolution, about
from ledger.dice import parse, written
from ledger.events import Counted, Disengaged, EncounterBegan

from . import hands, morale
from .distance import OUTDOORS, fix
from .mass import count_all
from .position import met

_HIT_POINTS = ("hp", "hp_max", "hp_dice")
"""What one man has, and his unit throws for."""


class Begin(Opening):
    """Begin an encounter with those at the table, and with others who are met now."""

    meet: Annotated[tuple[SheetFile, ...], says("A stat block of those who are met; may be repeated.")] = ()
    number: Annotated[str, says("How many of each are met: 6, or 2d4 to roll it.")] = "1"
    group: Annotated[str, says("Their group, if not that of their sheets.", max_length=40)] = ""
    side: Annotated[str, says("Their side, if not that of their sheets.")] = ""
    unit: Annotated[str, says("They form one unit of this name, and fight as one man.")] = ""
    men: Annotated[int, says("How many men the unit has.", ge=1, le=1000)] | None = None
    wandering: Annotated[bool, says("A wandering-monster roll brought them.")] = False
    directions: Annotated[Words, says("How many ways they can come from, or their names: north,east.", joined=",")] = ()
    outdoors: Annotated[bool, says("Distances are in yards, not feet.")] = False
    distance: Annotated[int, says("How far apart they are, if it is known.", ge=0, le=10_000)] | None = None
    engaged: Annotated[Pairs, says("NAME:NAME, two foes who are in melee from the start.")] = ()


def begin(fight: Resolution, said: Begin) -> None:
    """arkm.encounter.origin: set in a place, or wandering; nothing else follows from that."""
    said = arrive(fight, said)
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name))
    if said.outdoors:
        fight.record(Counted("encounter", OUTDOORS, 1, until="encounter-end"))
    hands.load_all(fight)
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            morale.enlist(fight, who)
    if said.wandering:
        fight.rule("arkm.encounter.origin", "wandering")
    _meet(fight, said)
    if said.distance is not None:
        fix(fight, said.distance)
    with about(at=("engaged",)):
        for words in said.engaged:  # arkm.in-melee.definition: they are within 5 feet of each other
            names = [find(fight.state, name) for name in words.split(":")]
            if len(names) != 2:
                fight.impossible(f"{words[:40]!r} does not name two foes.", "Say two: --engaged aldric:orc.")
            engage(fight, *names)
            met(fight, *names)
    note_enemies(fight)


def _meet(fight: Resolution, said: Begin) -> None:
    """Those who are met join, as many as there are."""
    if not said.meet:
        if said.unit or said.men or said.group or said.number != "1":
            fight.impossible("Who is met? No stat block is named.", "Name one: --meet orc.")
        _direction(fight, said.directions)
        return
    fields: dict[str, str | int] = {"group": proper(said.group)} if said.group else {}
    if said.unit or said.men:
        if said.number != "1" or len(said.meet) > 1 or not said.men:
            fight.impossible("A unit needs one stat block and a number of men.", "Name both: --meet militia --men 10.")
        fields["men"] = said.men
    counts = [appearing(fight, said.number) for _ in said.meet]
    _direction(fight, said.directions)
    for number, (data, count) in enumerate(zip(said.meet, counts, strict=True)):
        if count:
            kept = {name: value for name, value in data.items() if not (said.men and name in _HIT_POINTS)}
            with about(sheet=number):
                join(fight, Join(({**kept, **fields},), count, said.side, said.unit))


def appearing(fight: Resolution, words: str) -> int:
    """arkm.encounter.number-appearing: rolled, unless it is a number."""
    sides, constant = parse(words)
    if not sides:
        if not 1 <= constant <= 100:
            fight.impossible(f"{words[:40]!r} cannot be met.", "Say a number from 1 to 100, or dice: --number 2d4.")
        return constant
    number = fight.roll("", written(sides), "number").number("number").plus(constant, "more").at_least(0, "at least")
    fight.rule("arkm.encounter.number-appearing", "", [number.at_most(100, "at most")])
    return min(number.total, 100)


def _direction(fight: Resolution, names: tuple[str, ...]) -> None:
    """arkm.encounter.direction: one even roll over the ways from which they can come."""
    if not names:
        return
    words, *others = names
    if not others and words.isascii() and words.removeprefix("-").isdigit():
        names = tuple(f"way {number}" for number in range(1, min(int(words[:9]), 1001) + 1))
    if not 1 <= len(names) <= 1000:
        hint = "Say a number from 1 to 1000, or names: --directions north,east."
        fight.refuse("arkm.encounter.direction", f"{words[:40]!r} is not a number of directions.", hint)
        return
    if len(names) == 1:
        fight.rule("arkm.encounter.direction", f"from {names[0]}")
        return
    die = fight.roll("", f"1d{len(names)}", "direction")
    fight.rule("arkm.encounter.direction", f"from {names[die.natural - 1]}", [die.number()])


class End(Declaration):
    """End the encounter. Damage, and those who are down, stay as they are."""


def end(fight: Resolution, said: End) -> None:
    """Whatever lasted as long as the encounter ends; units count their survivors."""
    require_encounter(fight)
    count_all(fight)
    for waiting in fight.state.pending.waiting:
        fight.settle(waiting.kind, waiting.who, "lapsed", "the encounter is over")
    for one, other in fight.state.engagement.pairs:
        fight.record(Disengaged(one, other))
    close_encounter(fight)
