"""Movement: walking into contact and out of it, standing up, dropping prone, leaving the fight."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, SomeOrAll, says
from commands.action.encounters import require_encounter
from commands.action.resolution import STATUS, Resolution, adjusted
from ledger.events import ConditionEnded, ConditionGained

from . import actions, contact, falls, grips, melee
from .actions import FEET, MAIN, MOVE
from .fighters import GONE, PRONE, WITHDRAWING, enemies, in_contact


class Move(Declaration):
    """Move so many feet, into contact and out of it. A move of more than 5 feet leaves every enemy who is
    not named. Anyone who leaves contact without a fighting withdrawal is struck first.
    """

    who: Annotated[Fighter, says("Who moves.")]
    feet: Annotated[int, says("How far.", ge=0, le=100_000, players=True)]
    engage: Annotated[Fighters, says("Enemies to come into contact with, or stay in it with.", positional=True)] = ()
    leave: Annotated[SomeOrAll, says("Enemies to leave, or all: for a step of 5 feet, or to leave only some.")] = ()
    decline: Annotated[SomeOrAll, says("Enemies left behind who do not strike, or all.")] = ()
    rate: Annotated[int, says("A lower movement rate, set by the game master.", ge=0, le=100_000)] | None = None
    difficult: Annotated[bool, says("Over difficult ground, at half the rate.")] = False


def move(fight: Resolution, said: Move) -> None:
    """A move action, or the main action in its place."""
    who = said.who
    leaving = contact.left_behind(fight, who, said.feet, said.leave, said.engage)
    for other in said.engage:
        if not enemies(fight.state, who, other):
            others = [one for one in said.engage if enemies(fight.state, who, one)]
            message = f"{other} is not an enemy of {who}, and contact is between enemies."
            fight.impossible(message, [fight.otherwise(engage=others)])
    counted = actions.take_turn(fight, who)
    grips.check_free(fight, who, "move")
    if counted:
        points = fight.state.points.left
        split = not points(said.who, MOVE) and not points(said.who, MAIN) and 0 < said.feet <= points(said.who, FEET)
        actions.move_action(fight, who, ("aachen.actions.move-unsplit" if split else "aachen.actions.budget"))
    allowed = _allowed(fight, said)
    if not melee.leave(fight, who, leaving, said.decline):
        return
    actions.moved(fight, who, "move", said.feet, max(allowed - said.feet, 0))
    for other in said.engage:
        contact.touch(fight, who, other)


def _allowed(fight: Resolution, said: Move) -> int:
    """aachen.actions.move-rate; half of it when prone or over difficult ground: aachen.actions.crawl."""
    who, clause = said.who, "aachen.actions.move-rate"
    own: int = fight.sheet(who).rate
    allowed = own if said.rate is None else said.rate
    if allowed > own:
        fight.refuse(clause, f"{who} moves at most {own} feet.", f"Leave out --rate, or say {own} or less.")
    crawls = fight.state.conditions.has(who, PRONE)
    if crawls or said.difficult:
        clause = "aachen.actions.crawl"
        allowed = actions.halved(fight, who, allowed, "prone" if crawls else "difficult ground")
    if said.feet > allowed:
        ways = [*([fight.otherwise(feet=allowed)] if allowed else []), "A second move takes the main action."]
        fight.refuse(clause, f"{who} can move {allowed} feet with one action, not {said.feet}.", ways)
    return allowed


class Withdraw(Declaration):
    """Make a fighting withdrawal: for the rest of the turn, moving out of contact gives no free attacks."""

    who: Annotated[Fighter, says("Who withdraws.")]


def withdraw(fight: Resolution, said: Withdraw) -> None:
    """aachen.melee.fighting-withdrawal: a main action, which moves nobody by itself."""
    actions.main_action(fight, said.who, clause="aachen.melee.fighting-withdrawal")
    fight.record(ConditionGained(said.who, WITHDRAWING, "turn-end", said.who))


class Stand(Declaration):
    """Stand up."""

    who: Annotated[Fighter, says("Who stands up.")]


def stand(fight: Resolution, said: Stand) -> None:
    """aachen.actions.stand: a move action, or the main action in its place."""
    if not fight.state.conditions.has(said.who, PRONE):
        fight.impossible(f"{said.who} is not prone.")
    if actions.take_turn(fight, said.who, combat=False):
        actions.move_action(fight, said.who, "aachen.actions.stand")
    fight.record(ConditionEnded(said.who, PRONE))


class Prone(Declaration):
    """Drop prone."""

    who: Annotated[Fighter, says("Who drops.")]


def prone(fight: Resolution, said: Prone) -> None:
    """aachen.actions.prone: on one's turn, for nothing."""
    if fight.state.conditions.has(said.who, PRONE):
        fight.impossible(f"{said.who} is already prone.", STATUS)
    if actions.take_turn(fight, said.who, combat=False):
        fight.rule("aachen.actions.prone", "takes no action", who=said.who)
    fight.record(ConditionGained(said.who, PRONE))


class Retreat(Declaration):
    """Leave the fight. Leave contact first, with move --leave."""

    who: Annotated[Fighter, says("Who leaves.")]


def retreat(fight: Resolution, said: Retreat) -> None:
    """aachen.morale.failed: anyone who retreats takes no part in the fight any more."""
    who = said.who
    require_encounter(fight, [("leave", {"who": [who]})])
    counted = actions.take_turn(fight, who, combat=False)
    grips.check_free(fight, who, "retreat")
    near = in_contact(fight.state, who)
    if near:
        away = ("withdraw", {"who": who}) if counted else adjusted(who, "no-engaged", near[0])
        later = "Leave contact first: withdraw, then move; without it, each of them strikes at the one who moves."
        fight.refuse("aachen.melee.free-attack", f"{who} is in contact with {', '.join(near)}.", [away, later])
    fight.rule("aachen.morale.failed", "leaves the fight", who=who)
    fight.record(ConditionGained(who, GONE, "encounter-end"))
    falls.drop_out(fight, who)
    falls.settle_morale(fight, gone=(who,))
