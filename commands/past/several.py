"""One line said of several: `attack @foes sigrun`. Each does the same in turn, each with an entry and dice of its own,
and all of it is recorded or nothing.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from commands.action.book import Book, Done, Need, Order, Written, events_of
from commands.action.declaration import Declaration, shapes
from commands.action.dice_sources import Dice
from commands.action.names import SeveralNamed, find_all, group, present, resolve_names
from commands.action.procedures import check_used, resolve, set_aside, tried, unneeded
from commands.action.quoting import quoted
from commands.action.resolution import Again, Latest, Needed, Resolution, Roll
from commands.past.skipping import refusal
from commands.words.parameters import BEFORE_DICE, dice_apart
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Declared
from ledger.store import Head
from projections.state import State

from .course import latest, repeated, with_standing


class _Part(Struct):
    """What one of them does."""

    order: Order
    before: State
    written: Written
    """The events so far, where dice are missing."""
    needed: tuple[Roll, ...] = ()


def _another(once: str, nth: int) -> str:
    """The id of the command of the nth of several."""
    return f"{once}/{nth}" if once and nth > 1 else once


def recorded(book: Book, head: Head, before: State, order: Order, dice: Dice, named: SeveralNamed) -> Done:
    """Records an entry for each, in the transaction that is under way."""
    parts, notes = resolved(book, head, before, order, dice, named)
    if first := repeated(book.store, head.entry, parts[0].written.events):
        notes += (f"Re-rolls the action undone in e{first}.",)
    done = []
    for part in parts:
        head = book.write(head, (part.written,), part.order)
        done.append(_done(part, head.entry, head))
    return _joined(done, notes)


def preview(book: Book, head: Head, before: State, order: Order, dice: Dice, named: SeveralNamed) -> Done:
    """What would come of it for each. Where dice are missing, it names them."""
    parts, notes = resolved(book, head, before, order, dice, named)
    book.check_unsaid([part.written for part in parts])
    return _joined([_done(part, 0, head) for part in parts], notes)


def said_again(book: Book, order: Order) -> Done | None:
    """The entries that a line recorded for each of several under the same command id; None where it names only one.
    Raises UsageError when it was another line.
    """
    done: list[Done] = []
    field = _actor(order.declaration)
    word = str(getattr(order.declaration, field, ""))
    if not word.startswith("@") and "," not in word:
        return None
    while number := book.store.recorded(_another(order.once, len(done) + 1)):
        entry = book.store.entry(number)
        events = events_of(entry)
        declared = events[0]
        before, after = book.state_at(number - 1), book.state_at(number)
        who = str(declared.said.get(field, "")) if isinstance(declared, Declared) else ""
        fits = without_dice(_said_of(order.typed, word, who)) == without_dice(entry.typed)
        start = done[0].before if done else before
        if not fits or who not in _whole(start, _present(start, word)[0])[0]:
            raise UsageError(f"The command id {order.once!r} is taken: e{number} was {entry.typed!r}.", "Use a new id.")
        done.append(with_standing(book.store, Done(number, events, before, after, book.store.head(), repeated=True)))
    return _joined(done, ())


def for_each(state: State, said: Declaration) -> list[Declaration]:
    """What is said with every name written in full; for each of those who do it where the word for them names several.
    Raises the error that names several where the verb has no doer of that name.
    """
    try:
        return [resolve_names(state, said)]
    except SeveralNamed as named:
        if not (field := _actor(said)) or getattr(said, field) != named.word:
            raise
        each = (replace(said, **{field: who}) for who in _whole(state, named.word)[0])
        return [resolve_names(state, one) for one in each]


def _joined(done: Sequence[Done], notes: tuple[str, ...]) -> Done:
    first, *rest = done
    return replace(first, notes=(*notes, *first.notes), then=tuple(rest))


def _done(part: _Part, entry: int, head: Head) -> Done:
    needed = tuple(Need(roll.who, roll.dice, roll.purpose, roll.about) for roll in part.needed)
    events = () if needed else part.written.events
    new, order = part.written, part.order if needed else None
    return Done(entry, events, part.before, new.state, head, needed=needed, order=order, notes=new.notes)


def resolved(
    book: Book, head: Head, state: State, order: Order, dice: Dice, named: SeveralNamed
) -> tuple[list[_Part], tuple[str, ...]]:
    """What each does, one after the other, and a line about each who is left out: the dead, those whom only a word with
    @ brings in and to whom the rules refuse it, and those whom what the others did before them keeps from it.

    Raises the error that names several where the verb has no doer of that name, whatever refuses one who is named, and
    where nobody is left the first refusal, if there is one that of somebody who stands.
    """
    field = _actor(order.declaration)
    if not field or getattr(order.declaration, field) != named.word:
        raise named
    start, parts, asked, unable = state, list[_Part](), list[Roll](), list[tuple[str, AffrayError]]()
    done = dict[str, tuple[Resolution, _Part]]()
    word, gone = (named.word, ()) if order.dice else _present(start, named.word)  # dice may be those of an absent one
    whole, skipped = _whole(start, word)
    for who in whole:
        own = replace(order, declaration=resolve_names(state, replace(order.declaration, **{field: who})))
        last = partial(tuple, parts[-1].written.events) if parts else _latest(book, head)
        theirs = Dice(*dice.layers)
        fight = Resolution(state, own.verb, own.declaration, theirs, own.allow, last, secret=own.secret)
        try:
            resolve(fight)
        except Again:
            raise UsageError("Only one can answer the last action.", "Type a name.") from None
        except Needed as needed:
            if not order.dry_run:
                raise Needed([*asked, *needed.rolls]) from None
            parts.append(_Part(own, state, Written((), state), tuple(needed.rolls)))
            continue
        except (Refused, UsageError) as error:
            if alone := refusal(start, own.verb, own.declaration, _latest(book, head), own.allow):
                if who in _typed(start, word):
                    alone.overrules = False  # it is about one of them only
                    alone.ways = _those_who_can(start, order, field, whole, alone.ways)
                    raise _about(who, alone) from None
                unable.append((who, alone))
            elif not parts or isinstance(error, UsageError):  # such as a wrong die
                raise
            theirs.back()
            skipped.append(f"{who} is skipped: {(alone or error).message}")
            continue
        asked += fight.asked
        dice.throws += theirs.throws
        notes = tuple(dict.fromkeys(fight.notes))
        line = _line(order, named.word, who, theirs.as_typed())
        own = replace(own, typed=line, once=_another(order.once, len(parts) + 1))
        parts.append(_Part(own, state, Written(tuple(fight.events), fight.state, notes=notes)))
        done[who.casefold()] = fight, parts[-1]
        state = fight.state
    if unable and not parts:
        raise next((why for who, why in unable if start.stands(who)), unable[0][1])

    lines = _not_needed(done, dice)
    check_used(dice, asked)
    return parts, (*gone, *skipped, *lines, *set_aside(dice))


def _not_needed(done: Mapping[str, tuple[Resolution, _Part]], dice: Dice) -> list[str]:
    """Puts the dice of what one of them did, which it did not need, into its line, and tells of them."""
    found = list[str]()
    for owner, (fight, part) in done.items():
        if lines := unneeded(fight, [dice.faces[at] for at in dice.rest_of(owner)], dice.by_hand, tuple):
            said = ["-" if dice.faces[at] is None else str(dice.faces[at]) for at in dice.rest_of(owner)]
            part.order = replace(part.order, typed=f"{part.order.typed},{','.join(said)}")
            dice.layers[0].used += dice.rest_of(owner)
            found += lines
    return found


def _latest(book: Book, head: Head) -> Latest:
    return partial(latest, book.store, head.entry)


def _present(state: State, word: str) -> tuple[str, tuple[str, ...]]:
    """A word for several without those who are not at the table, and a line about each of these."""
    words, gone = present(state, tuple(filter(None, map(str.strip, word.split(",")))))
    return ",".join(words), gone


def _whole(state: State, word: str) -> tuple[list[str], list[str]]:
    """Those whom a word names, and a line about each of the dead among them."""
    words = [one.strip() for one in word.split(",") if one.strip()]
    dead = [who for one in words if one.startswith("@") for who in group(state, one)[1]]
    return list(find_all(state, tuple(words))), [f"{who} is skipped: dead." for who in dict.fromkeys(dead)]


def _typed(state: State, word: str) -> frozenset[str]:
    """Those whom a word names by their own names."""
    own = [one.strip() for one in word.split(",") if one.strip() and not one.strip().startswith("@")]
    return frozenset(find_all(state, tuple(own)))


def _those_who_can(state: State, order: Order, field: str, whole: Sequence[str], ways: Sequence[Any]) -> list[Any]:
    """The ways of a refusal, with the command of those among several to whom the rules do not refuse it, and whom it
    costs nothing.
    """
    from commands.words.command_lines import typed
    from commands.words.costs import cost_of

    each = {one: resolve_names(state, replace(order.declaration, **{field: one})) for one in whole}
    done = {one: tried(state, order.verb, to_builtins(said), order.allow) for one, said in each.items()}
    if not (able := [one for one, found in done.items() if found and not cost_of(found)]):
        return [*ways]
    return [typed(order.verb, replace(each[able[0]], **{field: ",".join(able)}), order.allow)]


def _about(who: str, error: AffrayError) -> AffrayError:
    """A refusal that says whom it is about."""
    error.message = error.message if who in error.message else f"{who}: {error.message}"
    return error


def _actor(said: Declaration) -> str:
    """The field that names who acts: the first word, if that is a combatant's name; "" else."""
    first, shape = next(iter(shapes(type(said))), (None, None))
    return first.name if first and shape and shape.word == "fighter" and (first.required or shape.positional) else ""


def _line(order: Order, word: str, who: str, given: Sequence[int | None]) -> str:
    """What would have been typed for one of them alone."""
    line = _said_of(order.typed, word, who)
    if order.dice is None:
        return line
    own = ",".join("-" if face is None else str(face) for face in given)
    return f"{without_dice(line)} --dice {own}" if own else without_dice(line)


def _said_of(line: str, word: str, who: str) -> str:
    """A line with one name in place of the word for several."""
    words = shlex.split(line)
    if word in words:
        words[words.index(word)] = who
    return " ".join(map(quoted, words))


def without_dice(line: str) -> str:
    """A line without the dice that were thrown by hand."""
    return " ".join(map(quoted, _others(shlex.split(line))))


def _others(words: Sequence[str]) -> Iterator[str]:
    dropping = ""
    for word in dice_apart(words):
        if dropping == "--dice":
            dropping = ""
        elif word == BEFORE_DICE or word == "--dice":
            dropping = word
        elif word.startswith("--"):
            dropping = ""
            if not word.startswith("--dice="):
                yield word
        elif not dropping:
            yield word
