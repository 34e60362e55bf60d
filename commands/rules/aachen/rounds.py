"""Rounds: initiative, the turns of a round, and what its end brings."""

from typing import Annotated

from commands.action import effects
from commands.action.declaration import Declaration, Fighter, Fighters, Named, says
from commands.action.encounters import require_encounter, set_scores
from commands.action.resolution import Resolution, joining
from ledger import events
from ledger.events import ConditionEnded, ConditionGained, InitiativeSet, Number, OrderSet, PointsSet, few, whose

from . import actions, damage, falls
from .actions import TURN
from .fighters import DELAYING, HELD, MORTAL, SIDES, members

_EXAMPLES = {"pc": "adalger", "opp": "guard"}
"""An example sheet that can join each side."""


class Initiative(Declaration):
    """Roll for initiative: once per encounter, and then round 1 begins. NAME=N changes the order."""

    scores: Annotated[
        Named, says("NAME=N: a new score for a side or somebody, in rounds.", positional=True, word="scores")
    ] = ()


def initiative(fight: Resolution, said: Initiative) -> None:
    """After the surprise round, if there is one; kept from round to round: aachen.initiative.kept."""
    state = fight.state
    require_encounter(fight, actions.onward(state))
    if said.scores:
        if not fight.state.turns.round:
            fight.impossible("There is no order yet.", actions.onward(fight.state))
        set_scores(fight, said.scores, SIDES)
        _set_order(fight)
        return
    if state.turns.round:
        message = "Initiative was rolled, and holds for the encounter."
        fight.refuse("aachen.initiative.kept", message, actions.onward(state))
    if not state.turns.round and (late := actions.waiting(state)):
        message = f"{', '.join(late)} may act in the surprise round."
        fight.hold("aachen.surprise.initiative-after", message, actions.passing(state))
    _check_sides(fight)
    if state.turns.phase:
        _close_round(fight)
    if fight.option("individual_initiative"):
        player, opposition = SIDES
        for who in members(fight.state, player):
            total = _own_roll(fight, who).plus(fight.sheet(who).modifier("DEX"), "DEX")
            fight.rule("aachen.initiative.individual", "", [total], who=who)
            fight.record(InitiativeSet(who, total.total))
        if members(fight.state, opposition):
            _roll_side(fight, opposition)
    else:
        for name in _able_sides(fight):
            _roll_side(fight, name)
    _set_order(fight)
    if not fight.state.turns.round:
        _open_round(fight, 1)


def _check_sides(fight: Resolution) -> None:
    """A side without anybody who can act cannot go first: the fight may end. By the game master's word rounds begin.

    In these the clocks of the mortally wounded run.
    """
    for name in SIDES:
        if not members(fight.state, name):
            empty = not fight.state.roster.of_side(name)
            more = joining(f"{_EXAMPLES[name]} --count 2 --side {name}")
            message = f"None of the {events.side_word(name)} can act."
            fight.refuse("aachen.initiative.side-roll", message, [more] if empty else [("end", {})])
    if not _able_sides(fight):
        fight.impossible("Nobody is able to act.", [("end", {})])


def _able_sides(fight: Resolution) -> list[str]:
    """The sides with somebody who can act."""
    return [name for name in SIDES if members(fight.state, name)]


def _roll_side(fight: Resolution, name: str) -> None:
    """aachen.initiative.side-roll: 1d8 and the best DEX among those able to act."""
    total = fight.roll(name, "1d8", "initiative").number()
    best = max(members(fight.state, name), key=lambda who: int(fight.sheet(who).modifier("DEX")))
    total = total.plus(fight.sheet(best).modifier("DEX"), f"{whose(best)} DEX")
    watchful = [who for who in members(fight.state, name) if fight.sheet(who).watchful]
    total = total.plus(1, f"{watchful[0]} is watchful") if watchful else total
    fight.rule("aachen.watchful.initiative" if watchful else "aachen.initiative.side-roll", "", [total], who=name)
    fight.record(InitiativeSet(name, total.total))


def _own_roll(fight: Resolution, who: str) -> Number:
    """The d8; aachen.watchful.initiative: the watchful keep the better of two."""
    if not fight.sheet(who).watchful:
        return fight.roll(who, "1d8", "initiative").number()
    two = fight.roll(who, "2d8", "initiative")
    total = events.number("initiative", two.highest, f"better of {two.shown(', ')}")
    fight.rule("aachen.watchful.initiative", "", [total], who=who)
    return total


def _set_order(fight: Resolution) -> None:
    """aachen.initiative.sequence: slots of descending scores, the same in every round.

    aachen.initiative.any-order: a slot in which several of a side act has no order of its own.
    """
    scores = fight.state.initiative.scores
    ranked = actions.ranked(fight.state, scores)
    tied = [entry for entry in ranked if scores[entry] == scores[ranked[0]]]
    slots = {(scores[entry], actions.entry_side(fight.state, entry)) for entry in ranked}
    crowded = any(entry in SIDES and len(members(fight.state, entry)) > 1 for entry in ranked)
    also = ("aachen.initiative.any-order",) if crowded or len(slots) < len(ranked) else ()
    if ranked[2:]:
        told = ", ".join(f"{events.side_word(entry)} {scores[entry]}" for entry in ranked)
        fight.rule("aachen.initiative.sequence", told, also=also)
    else:
        clause = "aachen.initiative.tie" if tied[1:] else "aachen.initiative.highest-first"
        fight.rule(clause, f"{events.side_word(ranked[0])} first", also=also)
    fight.record(OrderSet(ranked))


class Turn(Declaration):
    """Begin somebody's turn; or (--after) delay it until another's turn has ended.

    The current turn ends, if it has no action left. Somebody's first action begins their turn too.
    """

    who: Annotated[Fighter, says("Whose turn; by default the next, if only one can be.", positional=True)] = ""
    after: Annotated[Fighter, says("Wait until this one's turn has ended.")] = ""


def turn(fight: Resolution, said: Turn) -> None:
    """Within a slot its members come in any order."""
    who = said.who or _next(fight)
    if said.after:
        _delay(fight, who, said.after)
        return
    now = fight.state.turns.who
    if now == who:
        fight.impossible(f"It is already {whose(who)} turn.")
    if not actions.take_turn(fight, who):
        fight.impossible("No round is under way.", actions.onward(fight.before))
    if now and not fight.state.points.left(now, TURN) and (left := actions.unspent(fight.before, now)):
        message = f"It is still {whose(now)} turn: {left}."
        fight.hold("aachen.actions.budget", message, [("done", {})], on=[("done", {})])


def _next(fight: Resolution) -> str:
    """The only one who may begin a turn now. Stops where there is nobody, or several."""
    state = fight.state
    if not actions.counted(state):
        fight.impossible("No round is under way.", actions.onward(state))
    may = actions.up_next(state)
    if len(may) > 1:
        fight.impossible(f"{' or '.join(may)} may be next.", [[("turn", {"who": who}) for who in may]])
    if not may:
        message = "Everybody has had a turn this round."
        fight.impossible(message, actions.onward(state), on=[("done", {}), ("round", {})])
    fight.means(may[0])
    return may[0]


def _delay(fight: Resolution, who: str, after: str) -> None:
    """aachen.actions.delay: both actions are kept, and the round waits."""
    clause, state = "aachen.actions.delay", fight.state
    actions.check_able(fight, who)
    if not actions.check_phase(fight, who):
        fight.impossible("No round is under way.", actions.onward(state))
    if who not in actions.waiting(state):
        message = f"{who} has already begun their turn this round."
        fight.refuse("aachen.round.one-turn-each", message, actions.onward(state))
    if after != state.turns.who and after not in actions.waiting(state):
        fight.refuse(clause, f"{after} has no turn left this round.", actions.onward(state))
    chain = [after]
    while (held := state.conditions.of.get(chain[-1], {}).get(DELAYING)) and held.whom[0] not in chain:
        chain.append(held.whom[0])
    if who in chain:
        fight.impossible(f"{who} cannot wait for themselves.", actions.onward(state))
    if state.turns.who == who:
        actions.close_turn(fight)
    if not state.points.left(who, TURN):
        fight.record(PointsSet(who, TURN, 1))  # the game master lets it take another turn
    fight.rule(clause, f"{who} waits for {after}", who=who)
    fight.record(ConditionGained(who, DELAYING, "round-end", whom=(after,)))


class Done(Declaration):
    """End the current turn. The next one begins with `turn`, or with the first action of somebody who may
    act now, as members of a side act in any order.
    """


def done(fight: Resolution, said: Done) -> None:
    """What is not spent is lost, but for instants."""
    require_encounter(fight, actions.onward(fight.state))
    if not fight.state.turns.who:
        fight.impossible("No turn is under way.", actions.onward(fight.state))
    fight.means(fight.state.turns.who)
    actions.close_turn(fight)


class Pass(Declaration):
    """Give up the turns of some combatants."""

    who: Annotated[Fighters, says("Whose turns.")]


def pass_(fight: Resolution, said: Pass) -> None:
    """Each begins its turn, and ends it, in the order in which they may."""
    state = fight.state
    left = [who for who in said.who if who in actions.waiting(state) or who == state.turns.who] or list(said.who)
    while left:
        now, may = fight.state.turns.who, actions.up_next(fight.state)
        who = now if now in left else next((who for who in left if who in may), left[0])
        if not actions.take_turn(fight, who):
            fight.impossible("No round is under way.", actions.onward(state))
        actions.close_turn(fight)
        left.remove(who)


class Round(Declaration):
    """Begin the next round."""


def round_(fight: Resolution, said: Round) -> None:
    """aachen.round.next: everybody able to act must have had its turn."""
    state = fight.state
    if not state.turns.round:
        ways = actions.passing(state)
        fight.refuse("aachen.round.sequence", "Initiative has not been rolled.", ways)
        fight.impossible("There is no round to follow.", ways)
    if left := actions.waiting(state):
        fight.hold("aachen.round.next", f"{few(left, said=True)} may still act this round.", actions.passing(state))
    _close_round(fight)
    _open_round(fight, fight.state.turns.round + 1)


def _open_round(fight: Resolution, nth: int) -> None:
    """aachen.initiative.kept: it starts with the same slot again."""
    fight.record(events.RoundBegan(nth))
    for who in fight.state.roster.order:
        down = fight.state.harm.how(who)
        if not down or (down != "dead" and TURN in fight.state.points.of.get(who, {})):
            actions.grant(fight, who)


def _close_round(fight: Resolution) -> None:
    """Grapple damage, deaths, and then everything that lasts until the end of the round ends."""
    late = actions.waiting(fight.state)
    if fight.state.turns.who:
        actions.close_turn(fight)
    for who in late:
        clause = "aachen.round.next" if fight.state.turns.round else "aachen.surprise.initiative-after"
        fight.rule(clause, f"{who} loses their turn", who=who)
    damage.squeeze(fight)
    now = fight.state.turns.round
    for who in fight.state.roster.order:
        clock = fight.state.conditions.get(who, MORTAL)
        if clock and clock.until == "round-end" and clock.round <= now:
            falls.bleed_out(fight, who)
    for who in fight.state.roster.order:
        for condition, held in fight.state.conditions.held(who):
            if effects.is_over(fight, who, held, "round-end"):
                fight.record(ConditionEnded(who, condition))
        fight.settle(HELD, who, "lost", "the round is over")  # aachen.actions.hold
