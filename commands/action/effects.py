"""Effects: several parts under one name, and how many rounds they last. What they do is each rule system's own."""

from collections.abc import Container
from typing import Annotated, NoReturn

from ledger.events import whose as possessive
from ledger.events.harm import Until
from projections.harm import Condition

from .declaration import Fighter, says
from .resolution import Resolution

Rounds = Annotated[int, says("How many rounds it lasts, counting this one.", ge=1, le=1_000_000)]
Whose = Annotated[Fighter, says("Whose turn ends it, if not the bearer's; with --rounds, in the last round.")]
EndsNow = Annotated[bool, says("End it now.")]


def part(fight: Resolution, who: str, name: str, modifies: str) -> str:
    """Under which name an effect is recorded: its own; where it already gives something else, `NAME, WHAT` besides.

    The same name that gives the same takes the place of the one before.
    """
    for one in _parts(fight, who, name):
        held = fight.state.conditions.get(who, one)
        if held and held.modifies == modifies:
            return one
    return f"{name}, {modifies}" if fight.state.conditions.has(who, name) else name


def _parts(fight: Resolution, who: str, name: str) -> list[str]:
    """The names of all that somebody has under the name of an effect; all of them end together."""
    held = [one for one, _ in fight.state.conditions.held(who)]
    return [one for one in held if one == name or one.startswith(f"{name}, ")]


def lacks_amount(fight: Resolution, name: str, kind: str) -> NoReturn:
    """Stops an effect that is to be added to something, and of which no amount was said."""
    fight.impossible(f"How much does {name} add to {kind}?", "Say --amount and how much.")


def called(name: str) -> str:
    """The name of the effect of which a condition is a part."""
    return name.partition(", ")[0]


_TURNS: tuple[Until, ...] = ("turn-start", "turn-end")
"""The ends of an effect that are those of a turn."""


def lasts(
    fight: Resolution, until: Until, rounds: int | None, whose: str, usual: Until = "removed"
) -> tuple[Until, int]:
    """What ends an effect, and in which round at the earliest; 0 for the first occasion. `usual` is what ends it where
    nobody says so.

    Of so many rounds the present one is the first; the last ends with itself, or with the turn in it of the one whose
    turn is named. Rounds are counted only in an encounter, from its first round on.
    """
    if whose and until not in _TURNS:
        ways = [[fight.otherwise(until=one) for one in _TURNS]]
        fight.impossible(f"It can end at the start or at the end of {possessive(whose)} turn.", ways)
    if rounds is None:
        return until, 0
    if until != usual and not whose:
        either = [[fight.otherwise(until=usual), fight.otherwise(rounds=None)]]
        fight.impossible("An effect lasts for some rounds, or until something else ends it.", either)
    if not (fight.state.turns.round or fight.state.turns.phase):
        message = "Rounds are counted from the first round of an encounter on."
        fight.impossible(message, [fight.otherwise(rounds=None, until="encounter-end", whose="")])
    return until if whose else "round-end", fight.state.turns.round + rounds - 1


def is_over(fight: Resolution, who: str, held: Condition, until: Until, whose: str = "") -> bool:
    """Whether what somebody has ends now: at its moment; with the round, too, where it waits for the turn of another
    who is down or gone.
    """
    if held.round > fight.state.turns.round:
        return False
    waits = until == "round-end" and held.until in _TURNS and held.whose not in ("", who)
    return (held.until, held.whose) == (until, whose) or (waits and not fight.state.stands(held.whose))


def every_part(fight: Resolution, who: str, name: str, rules_own: Container[str] = ()) -> list[str]:
    """The names of all parts of an effect that is to end. Stops with the effects that there are, where somebody has
    none of that name. The conditions that are the `rules_own` are no effects.
    """
    found = _parts(fight, who, name)
    if not found:
        held = dict.fromkeys(called(one) for one, _ in fight.state.conditions.held(who) if one not in rules_own)
        fight.impossible(f"{who} has no effect {name!r}.", f"There are: {', '.join(held) or 'none'}.")
    return found
