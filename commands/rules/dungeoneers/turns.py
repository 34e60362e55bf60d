"""Rounds and turns."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import MOST, AnyOrder, Declaration, Fighter
from commands.action.encounters import require_encounter
from commands.action.grid import COMPASS
from commands.action.names import check_once, find
from commands.action.resolution import Offer, Resolution
from ledger.errors import UsageError
from ledger.events import (
    ConditionEnded,
    InitiativeSet,
    MagicaGained,
    OrderSet,
    RoundBegan,
    TurnBegan,
    TurnEnded,
    number,
)

from . import gear, grapples, points
from .bodies import fits, placing
from .death import READIED
from .order import check_lapse, decide, lapse, next_up
from .points import TURN, become
from .sheet import reactions


class Initiative(Declaration):
    """Give creatures another initiative score than their sheets', from the next round on."""

    scores: Annotated[AnyOrder, Meta(min_length=1, description="NAME=N, as many as you like.")]


def initiative(fight: Resolution, said: Initiative) -> None:
    """dungeoneers.initiative.order: the referee may set a score; nothing is rolled for it."""
    set_scores(fight, said.scores)


def set_scores(fight: Resolution, words: tuple[str, ...]) -> None:
    """Records scores, from `NAME=N`."""
    found: list[tuple[str, str]] = []
    for word in words:
        name, equals, score = word.partition("=")
        digits = score.removeprefix("-")
        if not equals or not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
            raise UsageError(f"{word[:40]!a} is not of the form NAME=N.")
        found.append((find(fight.state, name), score))
    check_once(found)
    for who, score in found:
        fight.record(InitiativeSet(who, int(score)))


class Round(Declaration):
    """Begin a round: everybody has a turn and reaction points again, and the order is decided."""

    set_: Annotated[AnyOrder, Meta(description="NAME=N: another initiative score from now on.")] = ()
    pass_rest: Annotated[bool, Meta(description="What is readied for this moment may lapse.")] = False


def round_(fight: Resolution, said: Round) -> None:
    """dungeoneers.round.complete: the round before must be over."""
    require_encounter(fight)
    turns, waiting = fight.state.turns, next_up(fight.state)
    clause = "dungeoneers.round.complete"
    if turns.who:
        fight.refuse(clause, f"The turn of {turns.who} is under way.", points.ON)
    elif waiting:
        fight.refuse(clause, f"{waiting} has not had its turn.", points.ON)
    if not said.pass_rest:
        check_lapse(fight, (f"after {turns.last}",))
    set_scores(fight, said.set_)
    if turns.who:
        _close(fight, turns.who)
    lapse(fight, f"after {fight.state.turns.last}")
    fight.record(RoundBegan(turns.round + 1))
    for who in fight.state.roster.order:
        if fight.state.stands(who):
            become(fight, who, "reaction", reactions(fight, who))  # dungeoneers.reaction.points
            become(fight, who, TURN, 1)
    fight.record(OrderSet(decide(fight)))


class Turn(Declaration):
    """Begin the next creature's turn."""

    who: Annotated[Fighter, Meta(description="Whose, if it is to be said.", extra={"positional": True})] = ""
    pass_rest: Annotated[bool, Meta(description="What is readied for this moment may lapse.")] = False


def turn(fight: Resolution, said: Turn) -> None:
    """dungeoneers.turn.order: turns follow each other, one at a time; the dead are passed over."""
    require_encounter(fight)
    clause, turns, following = "dungeoneers.turn.order", fight.state.turns, next_up(fight.state)
    who = said.who or following
    if said.who:
        points.check_alive(fight, who)
    if turns.round and not turns.who and not following and not said.who:
        fight.refuse("dungeoneers.turn.one-each", "Everybody has had a turn in this round.", points.ON)
        fight.impossible("Nobody is next.", points.ON)
    if turns.round and who in turns.order and not fight.state.points.left(who, TURN):
        fight.refuse("dungeoneers.turn.one-each", f"{who} has had its turn in this round.", points.ON)
    if not turns.round:
        fight.refuse(clause, "No round has begun.", points.ON)
    elif turns.who:
        fight.refuse(clause, f"The turn of {turns.who} is under way.", points.ON)
    elif who != following:
        fight.refuse(clause, f"Next is {following or 'nobody'}.", points.ON)
    if not who:
        fight.impossible("Nobody is next.", points.ON)
    if not said.pass_rest:
        check_lapse(fight, (f"after {turns.last}", f"before {who}"))
    if turns.who:
        _close(fight, turns.who)
    _start(fight, who)


def _start(fight: Resolution, who: str) -> None:
    """dungeoneers.turn.start-sequence"""
    lapse(fight, f"after {fight.state.turns.last}")
    lapse(fight, f"before {who}")
    points.spend(fight, who, TURN, 1)
    fight.record(TurnBegan(who))
    fight.settle(READIED, who, "lapsed")  # 1
    for condition, held in fight.state.conditions.held(who):  # 2
        if (held.until, held.whose) == ("turn-start", who):
            fight.record(ConditionEnded(who, condition))
    grapples.part(fight)
    sheet = fight.sheet(who)  # 3
    own = sheet.action_points
    become(fight, who, "action", fight.option("default_action_points") if own is None else own)
    base = number("movement points", sheet.movement_points, "base")  # dungeoneers.movement.default-point
    base = gear.plus_effects(fight, who, base)
    given = grapples.gained(fight, who, base)  # dungeoneers.movement.negative: it may be below 0, and counts from there
    if given.steps[1:]:
        fight.rule("dungeoneers.turn.start-sequence", "", [given], who=who)
    become(fight, who, "movement", given.total)
    regain(fight, who)  # 4


def regain(fight: Resolution, who: str) -> None:
    """dungeoneers.magica.regain: 1 magica, up to the capacity."""
    magica = fight.state.magica.left(who)
    if magica < fight.sheet(who).magica_capacity:
        fight.record(MagicaGained(who, 1, magica + 1))


class Done(Declaration):
    """End the turn that is under way."""


def done(fight: Resolution, said: Done) -> None:
    """Nobody ends a turn on a tile that is over-full: dungeoneers.size.sharing."""
    who = fight.state.turns.who
    if not who:
        fight.impossible("No turn is under way.", points.ON)
    at = fight.state.positions.at.get(who)
    if at and fight.state.stands(who) and not fits(fight, {who: at}):
        steps: list[Offer] = [("move", {"who": who, "directions": [one]}) for one in COMPASS]
        hint = [*steps, *placing(fight, who)]
        fight.refuse("dungeoneers.size.sharing", f"{who} does not fit in where it stands.", hint)
    _close(fight, who)


def _close(fight: Resolution, who: str) -> None:
    """What is not spent is lost."""
    fight.record(TurnEnded(who))
    for kind in ("action", "movement"):
        if fight.state.points.left(who, kind):
            become(fight, who, kind, 0)
