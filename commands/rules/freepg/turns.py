"""Turns: who is first, whose turn comes next, and what a turn's end brings."""

from typing import Annotated

from commands.action.declaration import Declaration, Fighter, Fighters, Text, says
from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, Noted, OrderSet, RoundBegan, TurnBegan, TurnEnded, few, number, together

from . import actions, checks, flight, health

_LANDING_TARGET = 10
"""What a hovering flyer must reach at the end of its turn: freepg.move.fly-landing."""


class Initiative(Declaration):
    """Roll to see which seat goes first: a d20 for each, in seat order. From there turns go clockwise."""


def initiative(fight: Resolution, said: Initiative) -> None:
    """One order for the whole encounter, and the first turn."""
    if not actions.counted(fight.state):
        fight.impossible("No encounter with turns is under way.", [("begin", {})])
    if fight.state.turns.round:
        fight.refuse("freepg.initiative.roll", "The order holds for the whole encounter.")
    if fight.state.turns.who:
        fight.record(TurnEnded(fight.state.turns.who))
    seats = fight.state.turns.order
    first = _highest(fight, seats)
    at = seats.index(first)
    order = (*seats[at:], *seats[:at])
    fight.rule("freepg.initiative.clockwise", ", ".join(order), aside=True)
    fight.record(OrderSet(order))
    fight.record(RoundBegan(max(fight.state.turns.round, 1)))
    _begin_turn(fight, first)


def _highest(fight: Resolution, seats: tuple[str, ...]) -> str:
    """The seat with the highest d20, without modifiers; those who tie for it roll again."""
    clause = "freepg.initiative.roll"
    while True:
        rolls = [fight.roll(seat, "1d20", "initiative") for seat in seats]
        shown = {roll.who: roll.natural for roll in rolls}
        highest = [seat for seat in seats if shown[seat] == max(shown.values())]
        fight.rule(clause, _come(highest), [roll.number(roll.who) for roll in rolls], aside=True)
        if len(highest) == 1:
            return highest[0]
        clause, seats = "freepg.initiative.tie", tuple(highest)


def _come(highest: list[str]) -> str:
    """Who goes first, or who tie for it."""
    return f"{together(highest)} tie" if highest[1:] else f"{highest[0]} goes first"


class Done(Declaration):
    """End the turn of the current seat. The next seat's turn begins at once, as turns go round the table."""

    unharmed: Annotated[Fighters, says("Hovering flyers who would not be hurt by a fall.")] = ()
    pass_rest: Annotated[bool, says("Anyone in the seat who has not acted gives up their turn.")] = False


def done(fight: Resolution, said: Done) -> None:
    """Flyers land, the turn ends, the dying come nearer to death, and the next seat clockwise begins."""
    require_encounter(fight, actions.ON)
    turns = fight.state.turns
    if not actions.counted(fight.state):
        fight.impossible("This encounter is played without turns.", "Go on with what comes next, or end it with end.")
    if not turns.who:
        fight.impossible("No turn is under way.", actions.ON)
    fight.means(turns.who)
    _pass(fight, turns.who, said.pass_rest)
    _land(fight, turns.who, said.unharmed)
    fight.record(TurnEnded(turns.who))
    _expire(fight, "turn-end", turns.who)
    health.count_turn(fight, turns.who)
    _go_on(fight, turns.who)


def _land(fight: Resolution, seat: str, unharmed: tuple[str, ...]) -> None:
    """freepg.move.fly-landing: a check for each flyer of the seat that stands on nothing."""
    for roll in [fight.roll(who, "1d20", "check") for who in _members(fight, seat) if flight.hovers(fight, who)]:
        score = checks.plus_skill(fight, roll, "")
        target = number("target", _LANDING_TARGET, "landing")
        with fight.upon("", roll.who):
            if not checks.succeeds(fight, "freepg.move.fly-landing", roll.who, score, target):
                flight.fall_down(fight, roll.who)
                if roll.who not in unharmed:
                    checks.harm(fight, roll.who, score, target)


def _go_on(fight: Resolution, seat: str) -> None:
    """freepg.initiative.clockwise: the next seat begins. A seat whose characters all left the table is passed over."""
    turns = fight.state.turns
    after = turns.order.index(seat) + 1
    if after == len(turns.order):
        _expire(fight, "round-end")
        fight.record(RoundBegan(turns.round + 1))
    following = turns.order[after % len(turns.order)]
    if actions.taken(fight, following):
        _begin_turn(fight, following)
        return
    fight.rule("freepg.initiative.clockwise", f"nobody plays for {following} any more")
    _expire(fight, "turn-start", following)
    _expire(fight, "turn-end", following)
    health.count_turn(fight, following)
    _go_on(fight, following)


def _pass(fight: Resolution, seat: str, rest: bool) -> None:
    """freepg.turn.two-actions: unused actions are lost, and it is said whose.

    A seat that plays one character says by `done` itself that this one is done. Among several somebody may have been
    forgotten, and so may a trap, which must say that it waits.
    """
    able = [who for who in _members(fight, seat) if actions.has_turn(fight, who)]
    idle = [who for who in able if actions.untouched(fight, who)]
    traps = [who for who in idle if fight.sheet(who).kind == "trap"]
    if idle and (able[1:] or traps) and not rest:
        left = f"{few(idle, said=True)} could still act, and {'have' if idle[1:] else 'has'} done nothing on this turn."
        fight.hold("freepg.turn.two-actions", left, [fight.otherwise(pass_rest=True)])
    for who in idle:
        if who in traps and rest:
            from .traps import Pass, pass_

            pass_(fight, Pass(who))
        else:
            fight.rule("freepg.turn.two-actions", "does nothing", who=who)


def _begin_turn(fight: Resolution, seat: str) -> None:
    """What was to last until this turn ends, and everybody of the seat has its actions again."""
    fight.record(TurnBegan(seat))
    _expire(fight, "turn-start", seat)
    for who in _members(fight, seat):
        actions.refresh(fight, who)


def _members(fight: Resolution, seat: str) -> list[str]:
    """Those whom a seat plays, in roster order, without the dead."""
    down = fight.state.harm.down
    living = [who for who in fight.state.roster.order if who not in down or down[who].how != "dead"]
    return [who for who in living if fight.sheet(who).seat_of(who) == seat]


def _expire(fight: Resolution, until: str, whose: str = "") -> None:
    """Ends the conditions that were to last until now."""
    for who, held in sorted(fight.state.conditions.of.items()):
        for name in sorted(held):
            if (held[name].until, held[name].whose) == (until, whose) and held[name].round <= fight.state.turns.round:
                fight.record(ConditionEnded(who, name))


class Act(Declaration):
    """Take a mundane action: a tangible effect that needs neither movement nor a roll."""

    who: Annotated[Fighter, says("Who acts.")]
    text: Annotated[Text, says("What is done.")]


def act(fight: Resolution, said: Act) -> None:
    """freepg.turn.mundane: one action; how much fits into it is for the game master to judge."""
    actions.spend(fight, said.who)
    fight.record(Noted(said.text, said.who))
