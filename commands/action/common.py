"""Verbs that every rule system has: opening a ledger, the roster, loose dice and notes."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, count, repeat
from typing import Annotated, Any

import msgspec
from msgspec import Raw

from ledger.errors import UsageError
from ledger.events import CampaignBegan, Joined, Left, Masked, Noted, OptionChanged, Renamed, Unmasked

from . import cards, systems
from .declaration import Declaration, Fighter, Fighters, Mapping, SheetFile, Square, Text, says
from .names import check_free, one_word, proper, proper_fighter, proper_side, thrower
from .resolution import Resolution, about
from .view import read_as, sheet_decoder


class Init(Declaration):
    """Open a new ledger for a campaign."""

    name: Annotated[str, says("Name of the campaign.")]
    system: Annotated[str, says("Its rule system.")]
    commitments: tuple[tuple[str, str], tuple[str, str]]
    options: Annotated[dict[str, str], says("House rules, as NAME=VALUE.")] = {}
    tables: Annotated[dict[str, Mapping], says("The campaign's own tables, each with its file and its content.")] = {}


def init(fight: Resolution, said: Init) -> None:
    """The first entry of every ledger."""
    systems.load(said.system)
    fight.record(CampaignBegan(said.name, said.system, said.commitments))
    for name, value in said.options.items():
        set_option(fight, name, value)
    if said.tables or systems.load(said.system).tables:
        from .rule_tables import begin

        begin(fight, said.tables)


class Option(Declaration):
    """Set a house rule. It applies from now on; earlier entries stay as they are."""

    option: Annotated[str, says("Its name; `affray rules options` lists them.", word="option")]
    value: Annotated[str, says("The new value.")]


def option(fight: Resolution, said: Option) -> None:
    """Changes a campaign option."""
    set_option(fight, said.option, said.value)


def set_option(fight: Resolution, name: str, value: str) -> None:
    """Records a house rule. Raises UsageError when there is no such house rule or value."""
    options = systems.load(fight.state.campaign.system).options
    if not (chosen := options.get(name)):
        raise UsageError(f"There is no option {name[:40]!r}.", f"There are: {', '.join(sorted(options))}.")
    said = thrower(fight.state, value, name) if chosen.hands else value
    if (meant := _value_of(chosen, said)) is None:
        allowed = ", ".join(str(choice).lower() for choice in chosen.choices) or "a whole number, 0 or more"
        raise UsageError(f"{name} cannot be {said[:40]!r}.", f"It can be: {allowed}.")
    fight.record(OptionChanged(name, meant))


def _value_of(option: cards.Option, word: str) -> str | int | bool | None:
    """The value of a house rule that a word stands for; None where it cannot be set so."""
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    meant: str | int | bool = word
    if isinstance(option.default, bool):
        meant = words.get(word.lower(), word)
    elif isinstance(option.default, int) and word.isascii() and word.isdigit() and len(word) < 7:
        meant = int(word)
    return meant if meant in option.choices or (not option.choices and type(meant) is type(option.default)) else None


class Join(Declaration):
    """Bring combatants into play, from their stat blocks."""

    sheets: Annotated[tuple[SheetFile, ...], says("TOML files, or names of examples that come with the rules.")]
    count: Annotated[int, says("How many of each; they are numbered.", ge=1, le=100)] = 1
    side: Annotated[str, says("Their side, if different from the sheet.")] = ""
    called: Annotated[str, says("Their name, if different from the sheet.", also=["as", "named", "name"])] = ""
    seen_as: Annotated[
        str, says("The name by which the players know them, until `affray reveal` shows the real one.")
    ] = ""
    at: Annotated[
        tuple[Square, ...], says("The square to stand on; for several, give one each: 8,8/9,8.", of="at")
    ] = ()
    area: Annotated[
        str, says("The area to stand in, if different from the sheet; one each for several: yard/gate.", of="area")
    ] = ""
    group: Annotated[str, says("Their group, if different from the sheet.", of="group")] = ""
    facing: Annotated[
        str, says("Which way they face, if different from the sheet; one each for several: N/SE.", of="facing")
    ] = ""


def join(fight: Resolution, said: Join) -> None:
    """Checks each sheet by the rules of its system, and records the combatant with its health, gear and place."""
    from . import rulebook

    if (said.called or said.seen_as) and len(said.sheets) > 1:
        raise UsageError("A name can be given to one sheet at a time.")
    many = len(said.sheets) * said.count
    _check_enough(len(said.at), many, "square")
    squares = iter(said.at)
    places = zip(_one_each(said.area, many, "area"), _one_each(said.facing.upper(), many, "facing"), strict=False)
    if said.seen_as and many > 1:
        raise UsageError("Only one at a time can be seen as somebody else.", "Leave --count out, and join each alone.")
    for number, data in enumerate(said.sheets):
        with about(sheet=number):
            _join(fight, said, data, squares, places)
    if fight.before.encounter.running and rulebook.of(fight.state.campaign.system).sheet.hostile:
        from .encounters import note_enemies

        note_enemies(fight)


def _check_enough(named: int, many: int, what: str) -> None:
    if named > many:
        message = f"More {what}s are named ({named}) than combatants join ({many})."
        raise UsageError(message, f"Name one {what} for each.")


def _one_each(said: str, many: int, what: str) -> Iterator[str]:
    """The same for all who join, or one for each, with `/` between them."""
    found = said.split("/")
    _check_enough(len(found), many, what)
    return chain(found, repeat("")) if found[1:] else repeat(said)


def _join(
    fight: Resolution, said: Join, data: Mapping, squares: Iterator[Square], places: Iterator[tuple[str, str]]
) -> None:
    """The combatants of one stat block join, each in the next place that is left."""
    from . import rulebook

    system = fight.state.campaign.system
    rules = rulebook.of(system).sheet
    own = sheet = read_sheet(system, data)
    truly = _named(fight, said.called) if said.called else _in_sheet("name", partial(_named, fight), sheet.name)
    name = _named(fight, said.seen_as) if said.seen_as else truly
    if said.group:
        own = _with(own, "group", said.group, "This rule system has no groups.")
    for _ in range(said.count):
        area, facing = next(places)
        sheet = _with(own, "area", area, "This rule system has no areas.") if area else own
        if facing:
            turned = _with(sheet, "facing", facing, "Facing does not matter in this rule system.")
            sheet = read_sheet(system, msgspec.to_builtins(turned))
        one_more = not (said.called or said.seen_as) and _has_numbered(fight, name)
        who = _free_name(fight, name) if one_more or max(said.count, said.sheets.count(data)) > 1 else name
        for taken in dict.fromkeys((who, truly if name != truly else who)):
            hint = f"For several of a kind use --count 2; for another name, --called {taken}-2."
            check_free(fight.state, taken, hint=hint)
        own_side = _in_sheet("side", rules.side, sheet)
        side = proper_side(said.side) if said.side else _in_sheet("side", proper_side, own_side)
        rules.check(fight, who, sheet)
        raw = Raw(msgspec.json.encode(sheet, order="deterministic"))
        fight.record(Joined(who, side, raw, player=rules.player(data)))
        if name != truly:
            fight.record(Masked(who, truly))
        rules.enter(fight, who, sheet, next(squares, None))


def _named(fight: Resolution, said: str) -> str:
    """The name of a combatant, from what was said. A name of several words becomes one, and a line says so. Raises
    UsageError when it cannot be a name.
    """
    name = proper_fighter(said)
    if one_word(said) != said:
        fight.notes.append(f"{' '.join(said.split())} is called {name} here: a name is one word.")
    return name


def _in_sheet(field: str, read: Callable[[Any], str], value: Any) -> str:
    """A name in a stat block. An error says in which field it stands."""
    with about(at=(field,)):
        return read(value)


def read_sheet(system: str, data: Mapping) -> Any:
    """The stat block that the data describe. Raises UsageError that names the field at fault."""
    kind: Any = sheet_decoder(system).type
    return read_as(kind, data, f"The sheet of {str(data.get('name', 'nobody'))[:40]!r}")


def _with(sheet: Any, field: str, value: str, without: str) -> Any:
    """The stat block with another area to begin in, or another group. Raises UsageError where it has no such field."""
    if not hasattr(sheet, field):
        raise UsageError(without)
    return msgspec.structs.replace(sheet, **{field: proper(value)})


def _has_numbered(fight: Resolution, name: str) -> bool:
    """Whether somebody at the table is called so, with a number."""
    stem = f"{name}-".casefold()
    return any(who.casefold().startswith(stem) and who[len(stem) :].isdigit() for who in fight.state.roster.order)


def _free_name(fight: Resolution, name: str) -> str:
    taken = {other.casefold() for other in fight.state.roster.order}
    return proper(next(free for nth in count(1) if (free := f"{name}-{nth}").casefold() not in taken))


class Unmask(Declaration):
    """Open somebody's true name to the players. `affray reveal NAME` says the same."""

    who: Annotated[Fighter, says("Who joined with --seen-as; either name will do.")]


def unmask(fight: Resolution, said: Unmask) -> None:
    """Records the true name, which they bear from now on. Raises UsageError when they have no other."""
    truly = fight.state.roster.members[said.who].truly
    if not truly:
        raise UsageError(f"{said.who} has no other name that could be revealed.")
    check_free(fight.state, truly, said.who)
    fight.record(Unmasked(said.who, truly))
    fight.record(Renamed(said.who, truly))


class Rename(Declaration):
    """Give a combatant another name. Their past stays in the record under the old one."""

    who: Annotated[Fighter, says("Who is renamed.")]
    name: Annotated[str, says("The new name.")]


def rename(fight: Resolution, said: Rename) -> None:
    """Records the new name. Raises UsageError when somebody bears it already, or it cannot be a name."""
    name = _named(fight, said.name)
    if name == said.who:
        raise UsageError(f"{said.who} is already called {name}.", "Give another name.")
    check_free(fight.state, name, said.who)
    fight.record(Renamed(said.who, name))


class Leave(Declaration):
    """Take combatants off the table. Their past stays in the record."""

    who: Annotated[Fighters, says("Who leaves.", dead=True)]


def leave(fight: Resolution, said: Leave) -> None:
    """Records who left."""
    from . import ground, rulebook

    rules = rulebook.of(fight.state.campaign.system).sheet
    for who in said.who:
        if fallen := [item for owner, item, _ in ground.lying(fight) if owner == who]:
            first = f"affray adjust NAME item '{fallen[0]}@{who}' WHY gives it to another first"
            fight.notes.append(f"{who} takes along what lies on the ground: {', '.join(fallen)}; {first}.")
        rules.leaves(fight, who)
        for waiting in fight.state.pending.waiting:
            if waiting.who == who:
                fight.settle(waiting.kind, who, "lost", f"{who} leaves")
        fight.record(Left(who))


class Note(Declaration):
    """Write a note into the record. It changes nothing."""

    text: Annotated[Text, says("The note.")]
    about: Annotated[Fighter, says("Whom it concerns.")] = ""


def note(fight: Resolution, said: Note) -> None:
    """Records a note."""
    fight.record(Noted(said.text, said.about))
