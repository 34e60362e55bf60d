"""Encounters: beginning and ending a fight, and the areas it is fought in."""

from typing import Annotated

from msgspec import Meta

from commands.action.common import set_option
from commands.action.declaration import AnyOrder, Declaration, Named, Words, says
from commands.action.encounters import close_encounter, require_encounter
from commands.action.names import check_once, find, pair, proper
from commands.action.opening import Opening, arrive
from commands.action.resolution import Resolution, about
from ledger.events import AreaEntered, AreasLaid, EncounterBegan, LinkLaid, PointsSet

from . import actions, harm, places
from .checks import difficulty


class Begin(Opening):
    """Begin an encounter. Then `round` opens the first round."""

    areas: Annotated[Words, says("The areas, such as hall,yard. By default one area, here.", joined=",")] = ()
    link: Annotated[
        AnyOrder,
        Meta(
            description="Links between areas: hall:yard, or hall:wall:check=athletics. Other flags: difficulty=15,"
            " free-back (no check on the way back), oneway, move=no (cannot be crossed), see=no (blocks the view).",
            extra={"joined": ":"},
        ),
    ] = ()
    at: Annotated[Named, says("NAME=AREA: where somebody starts, if not where the sheet says.")] = ()
    option: Annotated[dict[str, str], says("A house rule, as NAME=VALUE.")] = {}


def begin(fight: Resolution, said: Begin) -> None:
    """The areas with their links, and everybody in one of them: paraverse.begin."""
    said = arrive(fight, said)
    with about(at=("option",)):
        for name, value in said.option.items():
            set_option(fight, name, value)
    fight.record(EncounterBegan(fight.state.campaign.encounters + 1, said.name, ordered=False))
    with about(at=("areas",)):
        named = tuple(dict.fromkeys(map(proper, said.areas)))
    fight.record(AreasLaid(named or (places.HERE,)))
    with about(at=("link",)):
        links = [(_link(fight, words), words) for words in said.link]
        check_once((f"The link of {' and '.join(sorted((link.one, link.other)))}", words) for link, words in links)
    for link, _ in links:
        fight.record(link)
    with about(at=("at",)):
        standing = [_standing(fight, words) for words in said.at]
        check_once(standing)
    for who, area in standing:
        fight.record(AreaEntered(who, area))
    for who in fight.state.roster.order:
        at = fight.state.areas.at.get(who)
        if at not in fight.state.areas.names:
            comes = at and who not in fight.before.roster.members
            with about(at=("area",)):
                fight.record(AreaEntered(who, _area(fight, at) if at and comes else fight.state.areas.names[0]))


def _standing(fight: Resolution, words: str) -> tuple[str, str]:
    """Who stands where, from NAME=AREA."""
    who, area = pair(words, "NAME=AREA", f"Say who is where: --at {words}={fight.state.areas.names[-1]}.")
    return find(fight.state, who), _area(fight, area)


def _area(fight: Resolution, word: str) -> str:
    found = places.find(fight.state, word)
    if not found:
        fight.impossible(f"There is no area {word[:40]!r}.", f"Areas: {', '.join(fight.state.areas.names)}.")
    return found


def _link(fight: Resolution, words: str) -> LinkLaid:
    """A link, with its flags: paraverse.move.link."""
    if ":" not in words:
        fight.impossible(f"{words[:40]!r} does not name two areas.", "Say two areas: --link hall:yard.")
    one, other, *flags = words.split(":")
    move, see, oneway, check, target, free = True, True, False, "", "", False
    for flag in flags:
        name, _, value = flag.partition("=")
        match name, value:
            case "move", "no" | "yes":
                move = value == "yes"
            case "see", "no" | "yes":
                see = value == "yes"
            case "oneway", "":
                oneway = True
            case "check", skill if skill:
                check = skill.casefold()
            case "free-back", "":
                free = True
            case "difficulty", _ if value:
                target = value
            case _:
                hint = "There are move=no, see=no, oneway, check=acrobatics, difficulty=15, free-back."
                fight.impossible(f"{flag[:40]!r} is not a flag of a link.", hint)
    if (target or free) and not check:
        fight.impossible(f"{words[:40]!r} demands no check.", f"Say the skill: --link {one}:{other}:check=acrobatics.")
    ends = _area(fight, one), _area(fight, other)
    if ends[0] == ends[1]:
        fight.impossible(f"{ends[0]} cannot be joined to itself.", "Say two areas: --link hall:yard.")
    return LinkLaid(*ends, move, see, oneway, check, difficulty(fight, target) if check else 0, free)


class End(Declaration):
    """End the encounter. Pain, wounds, and those who are down stay as they are."""


def end(fight: Resolution, said: End) -> None:
    """Falls settle, engagements and effects end, what was declared is lost: paraverse.end-encounter."""
    require_encounter(fight)
    harm.settle(fight)
    actions.clear(fight, "the encounter is over")
    for who in fight.state.roster.order:
        places.free(fight, who)
    counts = [(who, kind, left) for who, each in fight.state.points.of.items() for kind, left in each.items()]
    close_encounter(fight)
    for who, kind, left in sorted(counts):
        if kind in harm.DYING:
            fight.record(PointsSet(who, kind, left))
