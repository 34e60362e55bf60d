"""Ready: paying for an action now, and taking it in the gap before or after somebody's turn."""

from typing import Annotated, Any

from msgspec.structs import fields

from commands.action import systems
from commands.action.declaration import Declaration, Fighter, Fighters, says
from commands.action.resolution import Remedy, Resolution
from commands.action.spelling import nearest
from ledger.events import whose
from projections.pending import Waiting

from . import gear, points
from .bodies import turn_to
from .chain import Blow, Resists
from .order import check_lapse, end_turn, is_gap, is_next_gap, lapse, next_up
from .strikes import Opportune
from .tables import ANY_GAP, READIED

_ACTIONS = {
    **{verb: verb for verb in ("disengage", "defend", "sprint", "grapple", "push", "attack")},
    "shoot": "attack",
    "cast": "spellcast",
    "spellcast": "spellcast",
}
"""What can be readied, with the name of the basic action that it is."""


class Ready(Declaration):
    """Ready an action: pay for it now, take it just before or just after a turn that you name."""

    who: Annotated[Fighter, says("Who readies.")]
    action: Annotated[str, says("The action, or the start of its name: attack, push, cast ...")]
    before: Annotated[Fighter, says("Take it just before this one's turn.", players=True)] = ""
    after: Annotated[Fighter, says("Take it just after this one's turn.", players=True)] = ""
    target: Annotated[Fighter, says("The target; it can be chosen later.")] = ""
    spell: Annotated[str, says("Which spell.", word="spell")] = ""
    keep_facing: Annotated[bool, says("Do not turn to the target.")] = False


def ready(fight: Resolution, said: Ready) -> None:
    """dungeoneers.ready.cost: the points of the readied action, and nothing on top."""
    who, verb = said.who, _begun(said.action.casefold())
    action = _ACTIONS.get(verb, "")
    if not action:
        if verb not in systems.recorded_verbs(fight.state.campaign.system) and (near := nearest(verb, _ACTIONS)):
            message = f"There is no action {verb!r}. Did you mean {' or '.join(near)}?"
            fight.impossible(message, [[fight.otherwise(action=one) for one in near]])
        clause = "dungeoneers.ready.actions-only"
        fight.refuse(clause, f"{verb[:40]!r} is not an action that can be readied.", f"One of: {', '.join(_ACTIONS)}.")
        fight.impossible(f"There is no action {verb[:40]!r}.")
    fight.write_in_full(said.action, verb)
    _check_turn_named(fight, said)
    points.check_alive(fight, who)
    points.check_action(fight, who, "ready")
    points.check_action(fight, who, action)
    points.check_turn(fight, who, "dungeoneers.ready.own-turn")
    if said.spell and action != "spellcast":
        message = f"A readied {verb} names no spell."
        fight.impossible(message, [fight.otherwise(action="cast"), fight.otherwise(spell="")])
    _check_usable(fight, said, verb, action)
    cost = gear.known(fight, who, said.spell).ap if action == "spellcast" else 1
    points.pay_action(fight, who, cost, "dungeoneers.ready.cost")
    if said.target:
        turn_to(fight, who, said.target, said.keep_facing)
    fight.settle(READIED, who, "lapsed", f"{who} readies another action")  # dungeoneers.ready.lapse
    rest: dict[str, Any] = {"target": said.target, "spell": said.spell}
    until = f"before {said.before}" if said.before else f"after {said.after}"
    if not fight.state.stands(said.before or said.after):
        until = ANY_GAP
    fight.wait(READIED, who, verb, {name: word for name, word in rest.items() if word}, until=until)


def _begun(word: str) -> str:
    """The one action that a word begins; otherwise the word.

    >>> _begun("att"), _begun("cast"), _begun("s"), _begun("walk")
    ('attack', 'cast', 's', 'walk')
    """
    meant = [name for name in _ACTIONS if word and name.startswith(word)]
    return meant[0] if len(meant) == 1 else word


def _check_usable(fight: Resolution, said: Ready, verb: str, action: str) -> None:
    """dungeoneers.ready.actions-only: an action that the creature can use: a spell at hand, something that shoots."""
    clause, who = "dungeoneers.ready.actions-only", said.who
    if action == "spellcast":
        gear.check_source(fight, who, gear.known(fight, who, said.spell), clause)
    elif verb == "shoot" and not gear.shoots(fight, who):
        fight.refuse(clause, f"{who} has nothing that shoots or is thrown.", "One of: attack, push, grapple.")


def _check_turn_named(fight: Resolution, said: Ready) -> None:
    """dungeoneers.ready.declare-turn: one turn, and whether before it or after it."""
    clause = "dungeoneers.ready.declare-turn"
    hint = [*(fight.otherwise(before=one, after="") for one in _others(fight, said.who)), *points.on(fight)]
    whose = said.before or said.after
    if not whose or (said.before and said.after):
        fight.refuse(clause, "A readied action waits for one turn: just before it, or just after it.", hint)
    if not whose:
        fight.impossible("Nobody's turn was named.", hint)
    if not fight.state.stands(whose):
        fight.refuse(clause, f"{whose} has no turn any more.", hint)


def _others(fight: Resolution, who: str) -> list[str]:
    """Those who stand, besides one: the hostile first."""
    standing = [one for one in fight.state.roster.order if one != who and fight.state.stands(one)]
    return sorted(standing, key=lambda one: not fight.hostile(who, one))


class Trigger(Blow):
    """Take a readied action, in its gap between turns. The current turn ends, if nothing is left of it."""

    who: Annotated[Fighter, says("Who takes it.")]
    target: Annotated[
        Fighters, says("The target, if not named before; a spell may have several.", positional=True)
    ] = ()
    toss: Annotated[bool, says("The weapon is thrown.")] = False
    hostile: Annotated[bool, says("The target counts as hostile.")] = False
    defend_with: Annotated[Resists, says("The defender's choice; otherwise the higher.")] = ""
    blocked: Annotated[bool, says("Something is in the way of the push.")] = False
    extra: Annotated[int, says("Extra magica for a spell.", ge=0, le=1000)] = 0
    ambient: Annotated[int, says("Ambient magica for a spell's base cost.", ge=0, le=1000)] = 0
    fail_save: Annotated[bool, says("Every target fails its save on purpose.")] = False
    let_through: Annotated[bool, says("Every target lets the spell through.")] = False
    effect: Annotated[str, says("Its effect, for a spell.", max_length=2000)] = ""
    opportune: Opportune = ()
    pass_rest: Annotated[bool, says("Let actions that others readied for after the last turn lapse.")] = False


def trigger(fight: Resolution, said: Trigger) -> None:
    """dungeoneers.ready.reaction-point: a reaction point, and the action as it can be taken now.

    What it needs is asked now, its target may be chosen now, and nobody turns for nothing.
    """
    who = said.who
    waiting = fight.state.pending.of(READIED, who)
    if waiting is None:
        ways: list[Remedy] = [("ready", {"who": who, "action": "attack", "before": one}) for one in _others(fight, who)]
        fight.refuse("dungeoneers.ready.lapse", f"{who} has nothing readied.", [*ways, *points.on(fight)])
        fight.impossible(f"There is nothing that {who} could trigger.")
    turns = fight.state.turns
    if turns.who and not points.unspent(fight, turns.who) and is_next_gap(fight.state, waiting.until):
        end_turn(fight)
    _check_gap(fight, who, waiting.until)
    if waiting.until.startswith("before ") and not said.pass_rest:
        check_lapse(fight, (f"after {fight.state.turns.last}",))
    clause = "dungeoneers.ready.reaction-point"
    points.react(fight, who, clause)
    named = tuple(one for one in (waiting.said.get("target", ""),) if one in fight.state.roster.members)
    target, chosen = said.target or named, said.target not in ((), named)
    also = ("dungeoneers.ready.legality-at-trigger",) if chosen else ()
    fight.rule(clause, f"the readied {waiting.verb}", who=who, also=also)
    if waiting.until.startswith("before "):
        lapse(fight, f"after {fight.state.turns.last}")
    fight.settle(READIED, who, "triggered")
    action = _ACTIONS[waiting.verb]
    _check_target(fight, waiting, action, target)
    aim = target if action == "spellcast" else "".join(target)
    given = {"who": who, "target": aim, "spell": waiting.said.get("spell", "")}
    verb = systems.find_verb(fight.state.campaign.system, "cast" if action == "spellcast" else waiting.verb)
    procedure, kind = systems.procedure(verb)
    procedure(fight, _as(fight, kind, said, given))  # points.act: it was paid for


def _check_target(fight: Resolution, waiting: Waiting, action: str, target: tuple[str, ...]) -> None:
    """Asks on whom it is, where that was not said, and refuses more than one."""
    if not target and action not in ("disengage", "defend", "sprint"):
        who, waits_for = waiting.who, waiting.until.partition(" ")[2]
        others = sorted(_others(fight, who), key=lambda one: (not fight.hostile(who, one), one != waits_for))
        fight.impossible("On whom?", [[fight.otherwise(target=[one]) for one in others]])
    if target[1:] and action != "spellcast":
        fight.impossible(f"A readied {waiting.verb} is on one.", [fight.otherwise(target=[one]) for one in target])


def _as(fight: Resolution, kind: type[Any], said: Trigger, given: dict[str, Any]) -> Any:
    """The declaration of the readied action, with all that was said of it. Stops at what says nothing of it."""
    names = {field.name for field in fields(kind)}
    for field in fields(said):
        if field.name not in names | {"target", "pass_rest"} and getattr(said, field.name) != field.default:
            word = field.name.rstrip("_").replace("_", "-")
            fight.impossible(f"What {said.who} readied takes no --{word}.")
    words = {field.name: getattr(said, field.name) for field in fields(said) if field.name in names}
    return kind(**{**words, **{name: word for name, word in given.items() if name in names}})


def _check_gap(fight: Resolution, who: str, until: str) -> None:
    """dungeoneers.ready.trigger-window: between turns, just after the one named or just before the next one."""
    turns = fight.state.turns
    if not is_gap(fight.state, until):
        what = f"It is {whose(turns.who)} turn." if turns.who else f"Next is {next_up(fight.state) or 'nobody'}."
        moment = "a gap between turns" if until == ANY_GAP else f"the moment {whose(until)} turn"
        mover = until.partition(" ")[2]
        comes = until == ANY_GAP or mover == turns.who or fight.state.points.left(mover, points.TURN)
        on = points.to_its_turn(fight) if comes else ()
        fight.hold("dungeoneers.ready.trigger-window", f"{who} waits for {moment}. {what}", points.on(fight), on)
