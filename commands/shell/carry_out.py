"""Carries out a recorded verb, and tells what it did."""

from collections.abc import Sequence

from msgspec.structs import replace

from commands.action.book import Done, Order
from commands.action.cards import Verb
from commands.action.names import thrower
from commands.action.procedures import LeftOver
from commands.action.resolution import Needed
from commands.action.whose_dice import check_owners
from commands.past.perform import asks_seats, not_needed, perform
from commands.words.console import Console
from commands.words.dice_words import Hand, Rest
from ledger.errors import AffrayError
from ledger.events import EncounterBegan, EncounterEnded

from .tools import before, beside

_LONGEST = 400
"""The most characters of a command that is shown again."""


def carry_out(console: Console, verb: Verb, order: Order, json: bool, brief: bool) -> None:
    """Records what a verb does, or shows what it would do, and tells it. Raises AffrayError when that is impossible."""
    console.json, console.brief = json or console.json, brief or console.brief
    order, notes = _prepared(console, verb, order)
    done = _performed(console, order)
    course = (done, *done.then)
    if any(one.needed for one in course):
        from commands.odds.needs import foreseen

        first, *then = [foreseen(console.book, one) if one.needed else one for one in course]
        done = replace(first, then=tuple(then))
    kinds = {type(event) for one in course for event in one.events} if done.entry and not console.playing else set()
    if EncounterBegan in kinds:
        from commands.look.between import offered

        notes += offered(console.book, done)
    console.tell(replace(done, notes=(*notes, *done.notes)) if notes else done)
    if verb.beside and verb.role != "aside" and done.entry and not done.repeated:
        beside(verb)(console, done, order.declaration)
    if EncounterEnded in kinds:
        from commands.files.backup import renew

        renew(console)


def _prepared(console: Console, verb: Verb, order: Order) -> tuple[Order, tuple[str, ...]]:
    """The order as it is carried out, and what is to be told with it."""
    side, once = order.side or console.side, console.once or order.once
    order = replace(order, typed=console.typed, shown=console.shown, whole=console.playing, side=side, once=once)
    if verb.role == "massed" and console.short and console.asks:
        order = replace(order, watch=console.watch())
    if isinstance(order.ask, Hand) and order.ask.said:
        order = replace(order, side=thrower(console.book.present()[1], order.side, "The side in --dice ask:SIDE"))
    if verb.role == "aside" and verb.beside and not order.allow:
        declaration, notes = before(verb)(console.book, order.declaration)
        return replace(order, declaration=declaration), notes
    return order, ()


def _performed(console: Console, order: Order) -> Done:
    """Records an order; asks for what it lacks, and sets aside what it does not need. Raises AffrayError."""
    try:
        return _asking_seats(console, order) if asks_seats(console.book, order) else perform(console.book, order)
    except Needed:
        from commands.words.next_steps import check_whose

        check_whose(console.book.present()[1], order)
        if not (console.asks and order.dice) or order.owners or order.once:
            raise
        return perform(console.book, _asking_for_the_rest(console, order, order.dice))
    except LeftOver as error:
        check_owners(console.book.present()[1], order)
        if aside := not_needed(console.book, error):
            return perform(console.book, replace(order, spare=True, aside=aside))
        plain = len(console.typed) < _LONGEST and " -- " not in console.typed  # behind it no word is an option
        error.hint = f"affray {console.typed} --spare" if plain else "--spare sets them aside."
        if not _sets_aside(console, error):
            raise
        return perform(console.book, replace(order, spare=True))


def _asking_for_the_rest(console: Console, order: Order, typed: Sequence[int | None]) -> Order:
    """The order with what asks for the dice that are missing behind those that were typed; its line tells them all."""
    from commands.past.several import without_dice

    side = str(console.book.present()[1].campaign.options.get("hand_dice") or "")
    line = without_dice(console.typed)
    return replace(order, typed=line, dice=None, ask=Rest(typed), side=side, option=None, tells=True)


def _asking_seats(console: Console, order: Order) -> Done:
    """Carries out an order whose dice players are asked for on their phones."""
    from commands.seats.aside import tried
    from commands.seats.questions import phones

    with phones(console, order) as asking:
        return tried(console.book, asking)


def _sets_aside(console: Console, error: AffrayError) -> bool:
    """Whether somebody at a terminal says that dice that are left over may be set aside. After a no the error does not
    say again what was just said.
    """
    if not console.asks:
        return False
    console.whisper(error.message)
    if console.agrees("Set aside what is left over?"):
        return True
    error.message = "Nothing was recorded."
    return False
