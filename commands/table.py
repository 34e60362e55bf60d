"""Verbs that every rule system has: opening a ledger, the roster, loose dice, notes and corrections."""

from importlib import import_module
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw

from ledger.dice import parse
from ledger.errors import UsageError
from ledger.events import (
    AmbientMagicaSet,
    AmmunitionSet,
    AreaEntered,
    CampaignBegan,
    ConditionEnded,
    ConditionGained,
    Disengaged,
    Dropped,
    Engaged,
    Equipped,
    Faced,
    Felled,
    HpSet,
    Joined,
    Left,
    MagicaGained,
    MagicaSpent,
    Noted,
    OptionChanged,
    PainEased,
    PainSuffered,
    PickedUp,
    Placed,
    PointsSet,
    Rose,
    SideChanged,
    StressEased,
    StressGained,
    TruceEnded,
    TruceMade,
    Unequipped,
    WoundsHealed,
    WoundsSustained,
    WoundSuffered,
    WoundTreated,
)
from projections.harm import Hp

from . import systems
from .declaration import MOST, Declaration, Fighter, Fighters, Mapping, SheetFile, Square, Text, read_square
from .grid import COMPASS
from .names import find, proper
from .resolution import Resolution, sheet_decoder


class Init(Declaration):
    """Open a new ledger for a campaign."""

    name: Annotated[str, Meta(description="Name of the campaign.")]
    system: Annotated[str, Meta(description="Its rule system.")]
    commitment: str
    options: Annotated[dict[str, str], Meta(description="House rules, as NAME=VALUE.")] = {}
    tables: Annotated[dict[str, Mapping], Meta(description="The campaign's own tables: file and content of each.")] = {}


def init(fight: Resolution, said: Init) -> None:
    """The first entry of every ledger."""
    systems.load(said.system)
    fight.record(CampaignBegan(said.name, said.system, said.commitment))
    for name, value in said.options.items():
        set_option(fight, name, value)
    if said.tables or systems.load(said.system).tables:
        from .tables import begin

        begin(fight, said.tables)


class Option(Declaration):
    """Set a house rule. It holds from now on; what is recorded stays as it is."""

    option: Annotated[str, Meta(description="Its name; `affray rules options` lists them.")]
    value: Annotated[str, Meta(description="What it is set to.")]


def option(fight: Resolution, said: Option) -> None:
    """Changes a campaign option."""
    set_option(fight, said.option, said.value)


def set_option(fight: Resolution, name: str, value: str) -> None:
    """Records a house rule. Raises UsageError when there is none of that name, or not with that value."""
    options = systems.load(fight.state.campaign.system).options
    if name not in options:
        raise UsageError(f"There is no option {name[:40]!r}.", f"There are: {', '.join(sorted(options))}.")
    chosen = options[name]
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    meant: str | int | bool = value
    if isinstance(chosen.default, bool):
        meant = words.get(value.lower(), value)
    elif isinstance(chosen.default, int) and value.isascii() and value.isdigit() and len(value) < 7:
        meant = int(value)
    fits = meant in chosen.choices if chosen.choices else type(meant) is type(chosen.default)
    if not fits:
        allowed = ", ".join(str(choice).lower() for choice in chosen.choices) or "a whole number, 0 or more"
        raise UsageError(f"{name} cannot be {value[:40]!r}.", f"It can be: {allowed}.")
    fight.record(OptionChanged(name, meant))


class Join(Declaration):
    """Bring combatants to the table, from their stat blocks."""

    sheets: Annotated[
        tuple[SheetFile, ...],
        Meta(description="TOML files, or names of examples that come with the rules.", extra={"word": "sheet"}),
    ]
    count: Annotated[int, Meta(ge=1, le=100, description="How many of each; they are numbered.")] = 1
    side: Annotated[str, Meta(description="The side they fight on, if not the sheet's.")] = ""
    called: Annotated[str, Meta(description="The name to bear, if not the sheet's.")] = ""
    at: Annotated[Square | None, Meta(description="The square to stand on.", extra={"word": "square"})] = None
    area: Annotated[str, Meta(description="The area to stand in, if not the sheet's.")] = ""


def join(fight: Resolution, said: Join) -> None:
    """Checks each sheet by the rules of its system, and records the combatant with its health, gear and place."""
    rules = import_module(f"commands.{fight.state.campaign.system}.sheet")
    if (said.called or said.at) and len(said.sheets) > 1:
        raise UsageError("A name or a square can be given to one sheet at a time.")
    for data in said.sheets:
        sheet = read_sheet(fight.state.campaign.system, data)
        name = proper(said.called or sheet.name)
        if said.area:
            sheet = _in_area(sheet, said.area)
        for nth in range(said.count):
            who = _free_name(fight, name) if said.count > 1 else name
            if any(who.casefold() == other.casefold() for other in fight.state.roster.order):
                raise UsageError(
                    f"{who} is at the table already.", f"Several of a kind: --count 2. Another name: --called {who}-2."
                )
            side = proper(said.side) if said.side else rules.side(sheet)
            rules.check(fight, who, sheet)
            fight.record(Joined(who, side, Raw(msgspec.json.encode(sheet, order="deterministic"))))
            rules.enter(fight, who, sheet, said.at if nth == 0 else None)


def read_sheet(system: str, data: Mapping) -> Any:
    """The stat block that the data describe. Raises UsageError that names the field at fault."""
    sheet_type = sheet_decoder(system).type
    try:
        return msgspec.convert(data, sheet_type)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$")
        field = place.rstrip("`").lstrip(".")
        known = ", ".join(sheet_type.__struct_encode_fields__)
        raise UsageError(
            f"The sheet of {str(data.get('name', 'nobody'))[:40]!r} is wrong"
            f"{f' at {field}' if field else ''}: {problem}.",
            f"Its fields are: {known}." if "unknown field" in problem or "missing" in problem else "",
        ) from None


def _in_area(sheet: Any, area: str) -> Any:
    """The stat block with another area to begin in."""
    if not hasattr(sheet, "area"):
        raise UsageError("This rule system has no areas.", "--at X,Y gives a square.")
    return msgspec.structs.replace(sheet, area=proper(area))


def _free_name(fight: Resolution, name: str) -> str:
    taken = {other.casefold() for other in fight.state.roster.order}
    number = 1
    while f"{name}-{number}".casefold() in taken:
        number += 1
    return proper(f"{name}-{number}")


class Leave(Declaration):
    """Take combatants off the table. Their past stays in the record."""

    who: Annotated[Fighters, Meta(description="Who leaves.", extra={"word": "fighters"})]


def leave(fight: Resolution, said: Leave) -> None:
    """Records who left."""
    rules = import_module(f"commands.{fight.state.campaign.system}.sheet")
    for who in said.who:
        if hasattr(rules, "leaves"):
            rules.leaves(fight, who)
        fight.record(Left(who))


class Roll(Declaration):
    """Roll dice for anything else at the table. Changes nothing, but is recorded."""

    dice: Annotated[str, Meta(description="Such as 2d6+1.")]
    who: Annotated[Fighter, Meta(description="Whose roll it is.", extra={"word": "fighter"})] = ""
    why: Annotated[Text, Meta(description="What it is for.")] = "a roll"


def roll(fight: Resolution, said: Roll) -> None:
    """Rolls, adds the constant, and records the sum."""
    sides, constant = parse(said.dice)
    if not sides:
        raise UsageError(f"{said.dice[:40]!r} rolls no dice.", "Write it like 2d6, d20+3 or 1d8+1d6-1.")
    dice = "+".join(f"{sides.count(size)}d{size}" for size in dict.fromkeys(sides))
    thrown = fight.roll(said.who, dice, said.why)
    fight.rule("table.roll", "", [thrown.number().plus(constant, "bonus")], who=said.who)


class Note(Declaration):
    """Write a line into the record. Changes nothing."""

    text: Annotated[Text, Meta(description="The line.")]
    about: Annotated[Fighter, Meta(description="Whom it concerns.", extra={"word": "fighter"})] = ""


def note(fight: Resolution, said: Note) -> None:
    """Records a line."""
    fight.record(Noted(said.text, said.about))


DOWN: dict[str, Literal["dying", "unconscious", "dead"]] = {
    "dying": "dying",
    "unconscious": "unconscious",
    "dead": "dead",
}
"""How somebody can be down."""


class Adjust(Declaration):
    """Correct a number of somebody, with a reason.

    Fields: hp, hp-max, pain, wound (NAME@PLACE) and no-wound, wounds (a number), stress, magica, ambient-magica, down
    (dying, unconscious, dead or no), condition and no-condition (a name, or NAME=N where it has a number, such as
    elevation=10), side, truce and no-truce (with which side), at (a square), facing, area, engaged and no-engaged (with
    whom), equipped and no-equipped (an item), dropped (ITEM@X,Y) and picked-up (an item), ammunition (KIND=N), or
    points of a kind, such as action.
    """

    who: Annotated[Fighter, Meta(description="Whose number.", extra={"word": "fighter"})]
    field: Annotated[str, Meta(description="Which number.")]
    value: Annotated[str, Meta(description="What it is from now on.")]
    why: Annotated[Text, Meta(description="The reason.")]


def adjust(fight: Resolution, said: Adjust) -> None:
    """The referee corrects the record by saying what is so. Always allowed."""
    who, value = find(fight.state, said.who), said.value
    hp = fight.state.harm.hp.get(who, Hp(0, 0))
    points = fight.state.points.of.get(who, {})
    match said.field:
        case "hp":
            fight.record(HpSet(who, _whole(value), hp.most))
        case "hp-max":
            fight.record(HpSet(who, hp.now, _whole(value)))
        case "stress" | "wounds" | "magica":
            _adjust_total(fight, who, said.field, _whole(value))
        case "ambient-magica":
            fight.record(AmbientMagicaSet(_whole(value)))
        case "condition":
            name, _, amount = value.partition("=")
            fight.record(ConditionGained(who, name, amount=_whole(amount) if amount else 0))
        case "no-condition" if value in fight.state.conditions.of.get(who, {}):
            fight.record(ConditionEnded(who, value))
        case "at":
            fight.record(Placed(who, read_square(value)))
        case "facing" if value.upper() in COMPASS:
            fight.record(Faced(who, value.upper()))
        case "dropped" if value.partition("@")[2]:
            item, _, place = value.partition("@")
            fight.record(Dropped(who, item, read_square(place)))
        case "picked-up" if any(one.item == value for one in fight.state.lying.items):
            at = next(one.at for one in fight.state.lying.items if one.item == value)
            fight.record(PickedUp(who, value, at))
        case "ammunition" if value.partition("=")[2]:
            kind, _, left = value.partition("=")
            fight.record(AmmunitionSet(who, proper(kind), _whole(left)))
        case "truce":
            fight.record(TruceMade(fight.state.roster.members[who].side, proper(value)))
        case "no-truce":
            fight.record(TruceEnded(fight.state.roster.members[who].side, proper(value)))
        case "side":
            fight.record(SideChanged(who, proper(value)))
        case "down" if value == "no":
            fight.record(Rose(who))
        case "down" if value in DOWN:
            fight.record(Felled(who, DOWN[value]))
        case "pain":
            _adjust_pain(fight, who, _whole(value))
        case "wound":
            name, _, place = value.partition("@")
            fight.record(WoundSuffered(who, proper(name), proper(place or "body")))
        case "no-wound" if value in fight.state.wounds.names(who):
            fight.record(WoundTreated(who, value))
        case "area" if not fight.state.areas.names or value in fight.state.areas.names:
            fight.record(AreaEntered(who, proper(value)))
        case "engaged":
            fight.record(Engaged(who, find(fight.state, value)))
        case "no-engaged":
            fight.record(Disengaged(who, find(fight.state, value)))
        case "equipped":
            fight.record(Equipped(who, value))
        case "no-equipped" if value in fight.state.gear.equipped.get(who, ()):
            fight.record(Unequipped(who, value))
        case kind if kind in points:
            fight.record(PointsSet(who, kind, _whole(value)))
        case _:
            kinds = "".join(f", {kind}" for kind in points)
            raise UsageError(
                f"{who} has no number {said.field[:40]!r} that can be set to {value[:40]!r}.",
                "There are: hp, hp-max, pain, wound, no-wound, wounds, stress, magica, ambient-magica, down, condition,"
                " no-condition, side, truce, no-truce, at, facing, area, engaged, no-engaged, equipped, no-equipped,"
                f" dropped, picked-up, ammunition{kinds}.",
            )
    rules = import_module(f"commands.{fight.state.campaign.system}.sheet")
    if hasattr(rules, "adjusted"):
        rules.adjusted(fight, who, said.field)


def _adjust_total(fight: Resolution, who: str, field: str, total: int) -> None:
    state = fight.state
    held = {"stress": state.stress.of, "wounds": state.injuries.of, "magica": state.magica.of}[field]
    change = total - held.get(who, 0)
    if total < 0 or (not change and who in held):
        raise UsageError(f"{who} has {total - change} {field}; it can be set to another number, 0 or more.")
    match field, change >= 0:
        case "stress", True:
            fight.record(StressGained(who, change, total))
        case "stress", False:
            fight.record(StressEased(who, -change, total))
        case "wounds", True:
            fight.record(WoundsSustained(who, change, total))
        case "wounds", False:
            fight.record(WoundsHealed(who, -change, total))
        case _, True:
            fight.record(MagicaGained(who, change, total))
        case _:
            fight.record(MagicaSpent(who, -change, total))


def _adjust_pain(fight: Resolution, who: str, points: int) -> None:
    change = points - fight.state.pain.points(who)
    if points < 0 or not change:
        raise UsageError(f"{who} has {points - change} pain; it can be set to another number, 0 or more.")
    fight.record(PainSuffered(who, change, points) if change > 0 else PainEased(who, -change, points))


def _whole(word: str) -> int:
    digits = word.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
        raise UsageError(f"{word[:40]!r} is not a whole number up to {MOST:,}.")
    return int(word)
