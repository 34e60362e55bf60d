"""Initiative: which side acts first, once for the whole encounter."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import MOST, AnyOrder, Declaration
from commands.action.names import check_once, find
from commands.action.resolution import Resolution
from ledger.errors import UsageError
from ledger.events import InitiativeSet, Number, OrderSet, number

from . import order, turns
from .fighters import members
from .sheet import SIDES

EXAMPLES = {"pc": "adalger", "opp": "guard"}
"""An example sheet that can join each side."""


class Initiative(Declaration):
    """Roll for initiative: once per encounter, and then round 1 begins. With NAME=N the referee reorders."""

    scores: Annotated[
        AnyOrder,
        Meta(description="NAME=N: another score for a side or somebody, in rounds.", extra={"positional": True}),
    ] = ()


def initiative(fight: Resolution, said: Initiative) -> None:
    """After the surprise round, if there is one; kept from round to round: aachen.initiative.kept."""
    state = fight.state
    if not state.encounter.running:
        fight.refuse("aachen.round.sequence", "No encounter is under way.", order.onward(fight.state))
        fight.impossible("Nobody fights.", order.onward(fight.state))
    if said.scores:
        _reorder(fight, said.scores)
        return
    if state.turns.round:
        message = "Initiative was rolled, and holds for the encounter."
        fight.refuse("aachen.initiative.kept", message, order.onward(state))
    if not state.turns.round and (late := order.waiting(state)):
        names = ", ".join(late)
        clause = "aachen.surprise.initiative-after"
        fight.refuse(clause, f"{names} may act in the surprise round.", order.passing(state))
    _check_sides(fight)
    if state.turns.phase:
        turns.close_round(fight)
    if fight.option("individual_initiative"):
        _roll_each(fight)
    else:
        for name in _able_sides(fight):
            _roll_side(fight, name)
    _set_order(fight)
    if not fight.state.turns.round:
        turns.open_round(fight, 1)


def _check_sides(fight: Resolution) -> None:
    """A side of whom nobody can act has nobody to go first: the fight may end. By the referee's word rounds begin.

    In these the clocks of the mortally wounded run.
    """
    for name in SIDES:
        if not members(fight.state, name):
            empty = not fight.state.roster.of_side(name)
            hint = f"affray join {EXAMPLES[name]} --count 2 --side {name}" if empty else "affray end"
            message = f"Nobody of the side {name} is able to act."
            fight.refuse("aachen.initiative.side-roll", message, hint)
    if not _able_sides(fight):
        fight.impossible("Nobody is able to act.", "affray end")


def _able_sides(fight: Resolution) -> list[str]:
    """The sides of whom anybody can act."""
    return [name for name in SIDES if members(fight.state, name)]


def _roll_side(fight: Resolution, name: str) -> None:
    """aachen.initiative.side-roll: 1d8 and the best DEX among those able to act."""
    total = fight.roll(name, "1d8", "initiative").number()
    best = max(members(fight.state, name), key=lambda who: int(fight.sheet(who).modifier("DEX")))
    total = total.plus(fight.sheet(best).modifier("DEX"), f"{best}'s DEX")
    watchful = [who for who in members(fight.state, name) if fight.sheet(who).watchful]
    if watchful:
        total = total.plus(1, f"{watchful[0]} is watchful")  # aachen.watchful.initiative
        fight.rule("aachen.watchful.initiative", "", [total], who=name)
    else:
        fight.rule("aachen.initiative.side-roll", "", [total], who=name)
    fight.record(InitiativeSet(name, total.total))


def _roll_each(fight: Resolution) -> None:
    """aachen.initiative.individual: 1d8 and the own DEX for each of the player side, one roll for the opposition."""
    player, opposition = SIDES
    for who in members(fight.state, player):
        total = _own_roll(fight, who).plus(fight.sheet(who).modifier("DEX"), "DEX")
        fight.rule("aachen.initiative.individual", "", [total], who=who)
        fight.record(InitiativeSet(who, total.total))
    if members(fight.state, opposition):
        _roll_side(fight, opposition)


def _own_roll(fight: Resolution, who: str) -> Number:
    """The d8; aachen.watchful.initiative: the watchful keep the better of two."""
    if not fight.sheet(who).watchful:
        return fight.roll(who, "1d8", "initiative").number()
    two = fight.roll(who, "2d8", "initiative")
    total = number("initiative", two.highest, f"better of {two.shown(', ')}")
    fight.rule("aachen.watchful.initiative", "", [total], who=who)
    return total


def _reorder(fight: Resolution, words: tuple[str, ...]) -> None:
    """aachen.watchful.first and whatever else the referee wants: a score that is set."""
    if not fight.state.turns.round:
        fight.impossible("There is no order yet.", "affray initiative")
    found: list[tuple[str, str]] = []
    for word in words:
        name, equals, score = word.partition("=")
        digits = score.removeprefix("-")
        if not equals or not (digits.isascii() and digits.isdigit() and len(digits) <= 7 and int(digits) <= MOST):
            raise UsageError(f"{word[:40]!a} is not of the form NAME=N.")
        found.append((name if name in SIDES else find(fight.state, name), score))
    check_once(found)
    for who, score in found:
        fight.record(InitiativeSet(who, int(score)))
    _set_order(fight)


def _set_order(fight: Resolution) -> None:
    """aachen.initiative.sequence: slots of descending scores, the same in every round."""
    scores = fight.state.initiative.scores
    ranked = order.ranked(fight.state, scores)
    tied = [entry for entry in ranked if scores[entry] == scores[ranked[0]]]
    if ranked[2:]:
        fight.rule("aachen.initiative.sequence", ", ".join(f"{entry} {scores[entry]}" for entry in ranked))
    elif tied[1:]:
        fight.rule("aachen.initiative.tie", f"{ranked[0]} first")
    else:
        fight.rule("aachen.initiative.highest-first", f"{ranked[0]} first")
    fight.record(OrderSet(ranked))
