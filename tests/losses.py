"""Nothing lapses silently: whatever an entry takes from somebody without carrying it out, a line of it says whose."""

from collections.abc import Sequence

from msgspec.structs import replace

from commands.action import systems
from ledger.events import EncounterEnded, Event, PointsSpent, RoundBegan, TurnBegan, TurnEnded, WaitingEnded, side_word
from projections.narration import told as narrated
from projections.state import State

CARRIED_OUT = ("done", "triggered", "taken", "resolved", "failed")
PLACES = "arkm"
"""The rule system in which the place of a group in the order ends when the next one begins."""
TURN = "turn"
"""The allowance of those rule systems in which everybody has one turn in a round."""


def check(before: State, events: Sequence[Event], after: State) -> None:
    """Nobody lost an announced action, a window, a turn or a place in the order without a line that names them."""
    verbs = systems.recorded_verbs(before.campaign.system)
    told = [line for one in narrated(events, verbs) for line in one.lines]
    over = any(isinstance(event, EncounterEnded) for event in events)
    _check_waiting(before, events, after, told)
    if not over:
        _check_turns(before, events, after, told)
        _check_order(before, events, after, told)


def _check_waiting(before: State, events: Sequence[Event], after: State, told: Sequence[str]) -> None:
    """What waited still waits, was carried out, or its end is told in a line with its owner and why; a new one in its
    place is told.
    """
    for one in before.pending.waiting:
        now = after.pending.of(one.kind, one.who)
        if now == one or one.verb == "pass":
            continue
        ends = [
            event
            for event in events
            if isinstance(event, WaitingEnded) and (event.kind, event.who) == (one.kind, one.who)
        ]
        assert ends or now, f"{one} is gone without a word"
        for event in ends:
            if event.how not in CARRIED_OUT:
                who = side_word(event.who)
                assert who in event.told()
                what = replace(event, why="").told().removeprefix("the ").removeprefix(who).lstrip(" :")
                why = event.why.removeprefix(event.who).lstrip()
                why = "dies" if why == "is dead" and not any(why in line for line in told) else why
                assert any(who in line and what in line and why in line for line in told), (event, told)
        if not ends:
            assert any(one.who in line for line in told), (one, now, told)


def _check_turns(before: State, events: Sequence[Event], after: State, told: Sequence[str]) -> None:
    """Somebody who had a turn to come in this round, and has it no more, has begun it, or is named."""
    anew = any(isinstance(event, RoundBegan) for event in events)
    begun = {event.who for event in events if isinstance(event, TurnBegan)}
    begun |= {event.who for event in events if isinstance(event, PointsSpent) and event.kind == TURN}
    for who in before.roster.order:
        lost = before.points.left(who, TURN) and (anew or not after.points.left(who, TURN))
        gone = {"gone", "surrendered"} & {*before.conditions.of.get(who, {})}
        if lost and before.stands(who) and not gone and who not in begun:
            assert any(who in line for line in told), (who, told)
    who = before.turns.who
    if who in before.roster.members and after.turns.who != who and before.campaign.system != PLACES:
        assert any(isinstance(event, TurnEnded) and event.who == who for event in events), (who, told)


def _check_order(before: State, events: Sequence[Event], after: State, told: Sequence[str]) -> None:
    """Anyone who had a place in the order and has none, while the round goes on, is named."""
    if any(isinstance(event, RoundBegan) for event in events):
        return
    there = {*before.roster.members, *before.roster.sides()}
    for seat in sorted(_seats(before) - _seats(after)):
        if before.campaign.system != PLACES and seat not in there:
            continue  # they left before
        assert any(seat in line for line in told), (seat, told)


def _seats(state: State) -> set[str]:
    """Everybody who has a place in the order, alone or with others."""
    return {seat for place in state.turns.order for seat in place.split(" and ")}
