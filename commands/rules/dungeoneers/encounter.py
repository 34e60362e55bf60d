"""The encounter, its rounds and its turns."""

from typing import Annotated

from commands.action.declaration import AnyOrder, Declaration, Fighter, Named, Places, read_square, says
from commands.action.encounters import close_encounter, note_enemies, require_encounter, set_scores
from commands.action.grid import COMPASS
from commands.action.names import check_once, find, pair
from commands.action.opening import Opening, arrive
from commands.action.resolution import Remedies, Resolution, about, joining
from ledger import events
from ledger.errors import UsageError
from ledger.events import number, together, whose

from . import conditions, gear, points, threat
from .bodies import fits, room
from .order import check_lapse, decide, end_turn, lapse, next_up
from .points import TURN, become
from .sheet import reactions
from .tables import READIED


class Begin(Opening):
    """Begin an encounter. Then `round` begins the first round, and `turn` the first turn."""

    at: Annotated[Places, says("NAME=X,Y or NAME=X,Y,FACING: where somebody stands.")] = ()
    ambient: Annotated[int, says("Ambient magica, if it is counted.", ge=0, le=1000)] | None = None
    truce: Annotated[AnyOrder, says("SIDE:SIDE, two sides that are not hostile.", joined=":")] = ()


def begin(fight: Resolution, said: Begin) -> None:
    """Places and truces, and who is threatened: dungeoneers.threat.recalculate."""
    said = arrive(fight, said)
    if not fight.state.roster.order:
        fight.impossible("Nobody is at the table.", joining("suori skeleton"))
    fight.record(events.EncounterBegan(fight.state.campaign.encounters + 1, said.name))
    if said.ambient is not None:
        fight.record(events.AmbientMagicaSet(said.ambient))
    with about(at=("truce",)):
        for words in said.truce:
            one, colon, other = words.partition(":")
            sides = {side.casefold(): side for side in fight.state.roster.sides()}
            if not colon or one.casefold() not in sides or other.casefold() not in sides:
                raise UsageError(f"{words[:40]!r} does not name two sides.", f"Sides: {', '.join(sides.values())}.")
            fight.record(events.TruceMade(sides[one.casefold()], sides[other.casefold()]))
    with about(at=("at",)):
        places = [_place(fight, words) for words in said.at]
        check_once(places)
        for who, place in places:
            numbers, _, facing = place.rpartition(",")
            fight.record(events.Placed(who, read_square(numbers if facing in COMPASS else place)))
            if facing in COMPASS:
                fight.record(events.Faced(who, facing))
    for who, at in sorted(fight.state.positions.at.items()):
        if fight.state.stands(who) and not fits(fight, {who: at}):
            hint = _make_room(fight, said, who)
            fight.refuse("dungeoneers.size.sharing", f"{who} does not fit where it stands.", hint)
    threat.recalculate(fight)
    note_enemies(fight)
    _note_unplaced(fight)


def _note_unplaced(fight: Resolution) -> None:
    """A note about those who stand and have no place on the map."""
    state = fight.state
    found = [who for who in state.roster.order if state.stands(who) and who not in state.positions.at]
    if found:
        have = "have" if found[1:] else "has"
        fight.notes.append(f"{together(found)} {have} no place on the map: adjust NAME at X,Y WHY puts somebody there.")


def _make_room(fight: Resolution, said: Begin, who: str) -> Remedies:
    """The way on: another tile for one who does not fit in; then perhaps for the next."""
    x, y, _ = room(fight, who)
    others = [words for words in said.at if find(fight.state, words.partition("=")[0]) != who]
    return [fight.otherwise(at=[*others, f"{who}={x},{y}"]), f"Say where it stands instead: --at {who}={x},{y}."]


def _place(fight: Resolution, words: str) -> tuple[str, str]:
    name, place = pair(words, "NAME=X,Y,FACING")
    return find(fight.state, name), place.upper()


class End(Declaration):
    """End the encounter."""


def end(fight: Resolution, said: End) -> None:
    """Grapples, threat, what was readied and what was to last for a turn end with it; the prone stay prone."""
    require_encounter(fight)
    for waiting in fight.state.pending.waiting:
        fight.settle(waiting.kind, waiting.who, "lapsed", "the encounter is over")
    close_encounter(fight)


# Rounds


class Initiative(Declaration):
    """Give creatures a new initiative score, from the next round on."""

    scores: Annotated[Named, says("NAME=N, as many as you like.", min_length=1, word="scores")]


def initiative(fight: Resolution, said: Initiative) -> None:
    """dungeoneers.initiative.order: the game master may set a score; nothing is rolled for it."""
    set_scores(fight, said.scores)


class Round(Declaration):
    """Begin a round: everybody has a turn and reaction points again, and the order is decided. The current turn ends,
    if nothing is left of it.
    """

    set_: Annotated[Named, says("NAME=N: a new initiative score from now on.")] = ()
    pass_rest: Annotated[bool, says("Let actions readied for this moment lapse.")] = False


def round_(fight: Resolution, said: Round) -> None:
    """dungeoneers.round.complete: the round before must be over."""
    require_encounter(fight)
    turns, waiting = fight.state.turns, next_up(fight.state)
    clause = "dungeoneers.round.complete"
    if left := points.unspent(fight, turns.who):
        fight.hold(clause, f"It is still {whose(turns.who)} turn: {left}.", points.on(fight))
    elif waiting:
        fight.hold(clause, f"{waiting} has not had their turn.", points.on(fight))
    if turns.who:
        end_turn(fight)
    if not said.pass_rest:
        check_lapse(fight, (f"after {fight.state.turns.last}",))
    set_scores(fight, said.set_)
    for who in turns.order:
        if turns.round and fight.state.stands(who) and fight.state.points.left(who, TURN):
            fight.rule(clause, f"{who} loses their turn", who=who)
    lapse(fight, f"after {fight.state.turns.last}")
    conditions.expire(fight, "round-end")
    conditions.part(fight)
    fight.record(events.RoundBegan(turns.round + 1))
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            become(fight, who, "reaction", reactions(fight, who))  # dungeoneers.reaction.points
            become(fight, who, TURN, 1)
    fight.record(events.OrderSet(decide(fight)))


class Turn(Declaration):
    """Begin the next creature's turn. The current turn ends, if nothing is left of it."""

    who: Annotated[Fighter, says("Whose turn; otherwise the next in the order.", positional=True)] = ""
    pass_rest: Annotated[bool, says("Let the rest of the turn lapse, and actions readied for this moment.")] = False


def turn(fight: Resolution, said: Turn) -> None:
    """dungeoneers.turn.order: turns follow each other, one at a time; the dead are passed over."""
    require_encounter(fight)
    turns, following = fight.state.turns, next_up(fight.state)
    who = said.who or following
    if said.who:
        points.check_alive(fight, who)
    elif who:
        fight.means(who)
    _check_order(fight, said, who, following)
    if not who:
        fight.impossible("Nobody is next.", points.on(fight))
    if turns.who:
        end_turn(fight)
    if not said.pass_rest:
        check_lapse(fight, (f"after {fight.state.turns.last}", f"before {who}"))
    _start(fight, who)


def _check_order(fight: Resolution, said: Turn, who: str, following: str) -> None:
    """Refuses a turn that is not due: everybody has one in a round, and the next is whose place is next."""
    clause, turns = "dungeoneers.turn.order", fight.state.turns
    if turns.round and not turns.who and not following and not said.who:
        message = "Everybody has had a turn this round."
        fight.hold("dungeoneers.turn.one-each", message, points.on(fight), [("round", {})])
        fight.impossible("Nobody is next.", points.on(fight))
    if turns.round and who in turns.order and not fight.state.points.left(who, TURN):
        on = [] if following else [*points.ending(fight), ("round", {})]
        fight.hold("dungeoneers.turn.one-each", f"{who} has already had their turn this round.", points.on(fight), on)
    if not turns.round:
        fight.hold(clause, "No round has begun.", points.on(fight), on=[("round", {})])
    elif turns.who and not said.pass_rest and (left := points.unspent(fight, turns.who)):
        ways: Remedies = [[fight.otherwise(pass_rest=True), ("done", {})]]
        fight.hold(clause, f"It is still {whose(turns.who)} turn: {left}.", ways, on=points.to_its_turn(fight))
    elif who != following:
        fight.hold(clause, f"Next is {following or 'nobody'}.", points.on(fight), on=points.to_its_turn(fight))


def _start(fight: Resolution, who: str) -> None:
    """dungeoneers.turn.start-sequence"""
    lapse(fight, f"after {fight.state.turns.last}")
    lapse(fight, f"before {who}")
    points.spend(fight, who, TURN, 1)
    fight.record(events.TurnBegan(who))
    fight.settle(READIED, who, "lapsed", f"{whose(who)} next turn begins")  # 1
    conditions.expire(fight, "turn-start", who)  # 2
    conditions.part(fight)
    sheet = fight.sheet(who)  # 3
    own = sheet.action_points
    become(fight, who, "action", fight.option("default_action_points") if own is None else own)
    default = "dungeoneers.movement.default-point"
    below = "dungeoneers.movement.negative" if sheet.movement_points < 0 else default
    base = number("movement points", sheet.movement_points, "base", below)
    given = conditions.gained(fight, who, gear.plus_effects(fight, who, base, default))
    if given.steps[1:] or base.total < 0:
        fight.rule("dungeoneers.turn.start-sequence", "", [given], who=who)
    become(fight, who, "movement", given.total)
    regain(fight, who)  # 4


def regain(fight: Resolution, who: str) -> None:
    """dungeoneers.magica.regain: 1 magica, up to the capacity."""
    magica, most = fight.state.magica.left(who), fight.sheet(who).magica_capacity
    if magica < most:
        fight.rule("dungeoneers.magica.regain", "", who=who)
        fight.record(events.MagicaGained(who, 1, magica + 1, most))


class Done(Declaration):
    """End the current turn; between two turns, the next creature passes its turn. The next one begins with
    `turn`, as readied actions come between two turns.
    """


def done(fight: Resolution, said: Done) -> None:
    """dungeoneers.turn.pass: what is not spent is lost; the next one's whole turn, where none is under way."""
    require_encounter(fight, points.on(fight))
    if not fight.state.turns.who:
        who = next_up(fight.state)
        if not who:
            fight.impossible("No turn is under way.", points.on(fight))
        check_lapse(fight, (f"after {fight.state.turns.last}", f"before {who}"))
        fight.rule("dungeoneers.turn.pass", f"{who} passes their turn", who=who)
        _start(fight, who)
    fight.means(fight.state.turns.who)
    end_turn(fight)
