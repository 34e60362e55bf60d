"""How a command is recorded: resolved and appended whole, or not at all."""

from collections.abc import Sequence
from functools import partial

import msgspec

from commands.action.book import DICE, Book, Done, Need, Order, Written
from commands.action.dice_sources import Dice, program
from commands.action.names import SEATS, SeveralNamed, lists_with_groups, resolve_names, with_owing, without_absent
from commands.action.procedures import LeftOver, after_opening, opened, resolve, set_aside, unneeded
from commands.action.resolution import Again, Needed, Resolution
from commands.action.whose_dice import by_hand, typed_dice
from ledger.errors import LedgerBusy
from ledger.events import Declared
from ledger.store import Head
from projections.state import State

from .course import latest, repeated, with_standing


def perform(book: Book, order: Order) -> Done:
    """Carries out a command: resolves it, records it whole, or leaves no trace."""
    if order.dry_run:
        return _preview(book, order)
    expected = order.shown
    if order.ask:
        if done := _repeated(book, order):
            return done
        expected, order = _with_asked_dice(book, order)
    with book.store.writing() as head:
        if done := _repeated(book, order):
            return done
        if order.still:
            order.still()
        if expected and head != expected:
            raise LedgerBusy(
                f"Somebody else recorded e{head.entry} {'meanwhile' if order.shown else 'while the dice were thrown'};"
                " nothing was recorded.",
                "Look at the ledger, then repeat the command.",
            )
        before = book.present()[1]
        side = before.campaign.options.get("hand_dice") if order.option else ""
        if not side:
            return _recorded(book, head, before, order)
    # the campaign says that dice are thrown by hand: they are asked for while nothing is locked
    return perform(book, msgspec.structs.replace(order, ask=order.option, option=None, side=str(side)))


def _recorded(book: Book, head: Head, start: State, order: Order) -> Done:
    """Records what a command comes to, in the transaction that is under way, behind the turn that it begins."""
    before, begun = start, None
    if opening := opened(start, order.verb, order.declaration):
        written = Written(tuple(opening.events), opening.state, notes=tuple(opening.notes))
        head = book.write(head, (written,), Order(opening.verb, opening.declaration, opening.verb))
        begun = Done(head.entry, written.events, before, written.state, head, notes=written.notes)
        before = written.state
    ours = program(book.store, head)
    dice = Dice(ours) if order.dice is None else typed_dice(before, order, ours)
    try:
        order, notes = _named(book, head, before, order)
    except SeveralNamed as several:
        from .several import recorded

        done = recorded(book, head, before, order, dice, several)
    else:
        course = _resolve(book, head, before, order, dice)
        notes += (*course[0].notes, *(order.aside or set_aside(dice)))
        if first := repeated(book.store, head.entry, course[0].events):
            notes += (f"Re-rolls the action undone in e{first}.",)
        new, after = book.write(head, course, order), course[-1].state
        again = course[1].events if len(course) > 1 else ()
        done = Done(head.entry + 1, course[0].events, before, after, new, again=again, notes=notes)
    return msgspec.structs.replace(begun, then=(done, *done.then)) if begun else done


def _repeated(book: Book, order: Order) -> Done | None:
    """What was recorded under the id of a command; None where it is new."""
    if not order.once or not (entry := book.store.recorded(order.once)):
        return None
    if book.store.entry(entry).typed != order.typed or book.store.recorded(f"{order.once}/2"):
        from .several import said_again

        if done := said_again(book, order):
            return done
    return with_standing(book.store, book.repeat(order, entry))


def _named(book: Book, head: Head, state: State, order: Order) -> tuple[Order, tuple[str, ...]]:
    """The command with all names in full, and a line about each who is left out. Where dice were typed, no name that is
    absent is left out: the dice may be theirs.
    """
    notes = order.undecided
    if not order.dice:
        said, absent = without_absent(state, order.declaration, order.typed)
        order, notes = msgspec.structs.replace(order, declaration=said), (*notes, *absent)
    if not lists_with_groups(order.declaration):
        return msgspec.structs.replace(order, declaration=resolve_names(state, order.declaration)), notes
    from commands.past.skipping import named

    last = partial(latest, book.store, head.entry)
    declaration, skipped = named(state, order.verb, with_owing(state, order.declaration), order.allow, last)
    return msgspec.structs.replace(order, declaration=declaration), (*notes, *skipped)


def _resolve(book: Book, head: Head, state: State, order: Order, dice: Dice) -> tuple[Written, ...]:
    """What a command would append: one entry; for an instant, also the action that it changes."""
    try:
        last = partial(latest, book.store, head.entry)
        fight = Resolution(state, order.verb, order.declaration, dice, order.allow, last, secret=order.secret)
        if order.watch:
            dice.watch = partial(order.watch, fight.events)
        resolve(fight)
    except Again:
        from commands.past.answers import answer

        declared = Declared(order.verb, msgspec.to_builtins(order.declaration), order.allow, secret=order.secret)
        return tuple(answer(book, head.entry, declared, dice))
    return (Written(tuple(fight.events), fight.state, notes=tuple(dict.fromkeys(fight.notes))),)


def _preview(book: Book, order: Order) -> Done:
    """What the command would do, with typed dice or none: a preview never looks at coming dice."""
    head, before = book.present()
    before = after_opening(before, order.verb, order.declaration)
    dice = typed_dice(before, order)
    try:
        order, notes = _named(book, head, before, order)
    except SeveralNamed as several:
        from .several import preview

        return preview(book, head, before, order, dice, several)
    try:
        course = _resolve(book, head, before, order, dice)
    except Needed as needed:
        rolls = tuple(Need(roll.who, roll.dice, roll.purpose, roll.about) for roll in needed.rolls)
        return Done(0, (), before, before, head, needed=rolls, order=order, notes=notes)
    book.check_unsaid(course)
    again = course[1].events if len(course) > 1 else ()
    notes += (*course[0].notes, *(order.aside or set_aside(dice)))
    return Done(0, course[0].events, before, course[-1].state, head, again=again, notes=notes)


def asks_seats(book: Book, order: Order) -> bool:
    """Whether everybody in a seat is asked on their phone: an order says so, or the campaign does. What is said in
    secret asks nobody there.
    """
    if order.secret:
        return False
    if order.option:
        return str(book.present()[1].campaign.options.get("hand_dice", "")).casefold() == SEATS
    return order.ask is not None and order.side.casefold() == SEATS


def _with_asked_dice(book: Book, order: Order) -> tuple[Head, Order]:
    """Asks for the dice before anything is locked, so that no other command has to wait for them."""
    head, state = book.present()
    assert order.ask is not None
    state = after_opening(state, order.verb, order.declaration)
    asked = Dice(program(book.store, head), ask=order.ask, by_hand=partial(by_hand, state, order.side))
    try:
        named = _named(book, head, state, order)[0]
        asked.until_given(lambda: _resolve(book, head, state, named, asked))
    except SeveralNamed as error:
        from .several import resolved

        several = error
        asked.until_given(lambda: resolved(book, head, state, order, asked, several))
    faces = asked.as_typed()
    typed = order.typed + (_in_words(faces) if order.tells else "")
    return head, msgspec.structs.replace(order, typed=typed, dice=faces, whole=True, ask=None, tells=False)


def _in_words(faces: Sequence[int | None]) -> str:
    """The dice of a line up to the last that was thrown by hand; "" where the program rolled all of them."""
    thrown = [nth for nth, face in enumerate(faces, 1) if face is not None]
    words = ["-" if face is None else str(face) for face in faces[: max(thrown, default=0)]]
    return f"{DICE}{','.join(words)}" if words else ""


def not_needed(book: Book, left: LeftOver) -> tuple[str, ...]:
    """A line for each roll of which dice are left over because the action did not come to it; none where that is
    unclear.
    """
    last = partial(latest, book.store, book.store.head().entry)
    return unneeded(left.fight, left.rest, left.fight.dice.by_hand, last) if left.fight else ()
