"""Undo and redo: the course of play jumps back, or forward again; nothing is ever deleted."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Done, Order, Written, events_of
from commands.action.declaration import MOST, Declaration, EntryId, number
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.errors import AffrayError, LedgerBusy, UsageError
from ledger.events import Declared, Event, Reinstated, Retracted, lasts
from ledger.store import Head, Store
from projections.narration import deeds_first, told

from .course import changes_of_course, in_its_place, moved, parted, renumbered, tip


class Undo(Declaration):
    """Take back the last entry that stands, or a given entry and all later ones.

    It prints what it takes back. Right after an amendment that is the whole amendment. After that it takes back one
    action at a time, even actions that an amendment resolved again; to take back the whole amendment, name it. At a
    terminal it asks before it takes back more than one command, or an older amendment; in a script it does not ask.
    """

    entry: Annotated[
        EntryId, Meta(description="Take back this entry and every later one.", extra={"positional": True})
    ] = ""
    to: Annotated[EntryId, Meta(description="Take back every entry after this one.")] = ""
    dry_run: Annotated[bool, Meta(description="Show what would be taken back; record nothing.")] = False
    once: Annotated[str, Meta(max_length=200, description="Do nothing if a command with this id is on record.")] = ""
    times: Annotated[int, Meta(ge=1, le=MOST, description="Take back this many commands, latest first.")] | None = None
    yes: Annotated[bool, Meta(description="Take back several commands without asking first.")] = False


class Redo(Declaration):
    """Bring back what the last undo took back, and print it. Works until something new is recorded."""

    dry_run: Annotated[bool, Meta(description="Show what would come back; record nothing.")] = False
    once: Annotated[str, Meta(max_length=200, description="Do nothing if a command with this id is on record.")] = ""


class Jump(Struct, frozen=True):
    """Where the course of play jumps to, and the event that records it."""

    after: int
    events: tuple[Retracted | Reinstated, ...]
    amendment: int = 0
    """The amendment that it takes back as a whole although other things were done since; 0 for none."""


def undo(console: Console, said: Undo) -> None:
    """Appends an entry that stands after an earlier one."""
    if sum(1 for one in (said.entry, said.to, said.times) if one) > 1:
        raise UsageError("Give one of these: the entry to take back, --to, or --times.", "affray undo --help")
    if said.entry.isdigit():
        raise _unclear(console, said)
    _jump(console, "undo", said)


def redo(console: Console, said: Redo) -> None:
    """Appends an entry that stands after the end of the course that was undone."""
    _jump(console, "redo", said)


def jump(store: Store, head: int, verb: str, said: dict[str, object]) -> Jump:
    """Where undo or redo leads from `head`. Raises UsageError when there is nothing to take back, or to bring back."""
    present = tip(store, head)
    ends = _ends(store, head)
    if verb == "redo":
        if not ends:
            when = "redo works only right after undo, before anything new is recorded"
            raise UsageError(f"There is nothing to redo. {when}.", "affray log")
        gone, back = parted(store, present, ends[-1])
        retracted = (Retracted(gone, ()),) if gone else ()
        return Jump(ends[-1], (*retracted, Reinstated(back, ends[:-1])))
    amendment = 0
    if to := said.get("to"):
        entry = _played(store, _recorded(head, number(str(to))))
        after = in_its_place(store, head, entry)
        if after == present:
            last = _just_amended(store, head) if entry != after else 0
            named = renumbered(entry, after) if entry != after else f"e{after}"
            raise UsageError(f"Nothing stands after {named}.", f"affray undo e{last}" if last else "affray log")
    elif typed := str(said.get("entry") or ""):
        entry = number(typed)
        if entry in store.lasting(entry - 1):
            raise UsageError(f"e{entry} stirs the dice or reveals something; that is never taken back.", "affray log")
        place = in_its_place(store, head, _recorded(head, entry))
        if place == 1:
            raise _opening()
        alone = place != entry or _resolved_again(store, entry)
        after = _before_its_action(store, place) if alone else tip(store, store.entry(entry).command - 1)
        if not alone and _amends(store, entry) and entry != _just_amended(store, head):
            amendment = entry
    else:
        after, amendment = _back(store, head, present, int(str(said.get("times") or 1)))
    gone, back = parted(store, present, after)
    reinstated = (Reinstated(back),) if back else ()
    return Jump(after, (Retracted(gone, (*ends, present)), *reinstated), amendment)


def _back(store: Store, head: int, present: int, times: int) -> tuple[int, int]:
    """Where the course stands without the last commands, and the amendment that this takes back as a whole although
    other things were done since: only when nothing else is left. Raises UsageError when there are fewer commands.
    """
    entry, command = present, _just_amended(store, head)
    for done in range(times):
        command = _whole(store, entry) if done and command else command
        marks = []
        while not command and _amends(store, entry) and store.entry(entry).command == entry:
            marks.append(entry)
            entry = tip(store, store.after(entry))
        if entry <= 1 and marks and times == 1:
            return tip(store, marks[0] - 1), marks[0]
        if entry <= 1 and done:
            several = "commands" if done > 1 else "command"
            raise UsageError(f"Only {done} {several} can be taken back, not {times}.", f"affray undo --times {done}")
        if entry <= 1:
            raise _opening()
        if not command and _amends(store, entry):
            entry = _before_its_action(store, entry)
        else:
            entry = tip(store, (command or store.entry(entry).command) - 1)
    return entry, 0


def _opening() -> UsageError:
    return UsageError("e1 opens the ledger; it cannot be taken back.", "To start over, delete the file.")


def _amends(store: Store, entry: int) -> bool:
    """Whether an amendment recorded an entry: its own, or one of an action that it resolved again."""
    return systems.amends(events_of(store.entry(store.entry(entry).command))[0])


def _just_amended(store: Store, head: int) -> int:
    """The amendment that is the last thing that was done, that redo has just brought back, or that undo has come to by
    taking back the one after it; 0 if there is none.
    """
    while lasts(events_of(store.entry(head))):
        head = store.after(head)
    jumped = changes_of_course(store, head)
    command, gone = _whole(store, tip(store, head)), moved(jumped, Retracted)
    back = not jumped or command in moved(jumped, Reinstated)
    return command if back or any(_amends(store, one) and not _resolved_again(store, one) for one in gone) else 0


def _whole(store: Store, entry: int) -> int:
    """The amendment whose last entry an entry is; 0 if it is none."""
    command = store.entry(entry).command
    if not _amends(store, command) or (entry < store.head().entry and store.entry(entry + 1).command == command):
        return 0
    return command


def _played(store: Store, entry: int) -> int:
    """The entry of play at which the course stood after an entry, if that is an undo or a redo; else the entry."""
    return tip(store, entry) if changes_of_course(store, entry) else entry


def _unclear(console: Console, said: Undo) -> UsageError:
    """A bare number: is it an entry, or a number of commands? What is possible of both is offered, first what
    takes back less.
    """
    head, found = console.book.store.head().entry, list[tuple[int, str]]()
    ways: dict[str, dict[str, object]] = {
        f"affray undo e{said.entry}": {"entry": f"e{said.entry}"},
        f"affray undo --times {said.entry}": {"times": said.entry},
    }
    for way, words in ways.items():
        with suppress(AffrayError):
            found.append((-jump(console.book.store, head, "undo", words).after, way))
    lines = [way for _, way in sorted(found)] or ["affray undo --help"]
    return UsageError(f"{said.entry} may be an entry or a number of commands.", "\n".join(lines))


def _recorded(head: int, entry: int) -> int:
    """The entry. Raises UsageError when there is no such entry."""
    if not 1 <= entry <= head:
        raise UsageError(f"e{entry} does not stand: there is no such entry.", "affray log")
    return entry


def _resolved_again(store: Store, entry: int) -> bool:
    """Whether an amendment resolved an entry again. Somebody who names it means it, and not the whole amendment."""
    return store.entry(entry).command != entry and _amends(store, entry)


def _before_its_action(store: Store, entry: int) -> int:
    """Where the course stood before an action, and before the instants that changed it."""
    from .amend_proposal import first_of_its_instants

    return tip(store, store.after(first_of_its_instants(store, entry)))


def _place(store: Store, head: int, said: dict[str, object]) -> tuple[str, ...]:
    """A note that another entry stands in the place of the one that was typed, if one does."""
    word = str(said.get("entry") or said.get("to") or "")
    if not word:
        return ()
    entry = number(word)
    place = in_its_place(store, head, _played(store, entry))
    return (renumbered(entry, place),) if place != entry else ()


def _ends(store: Store, head: int) -> tuple[int, ...]:
    """What redo can bring back at the head."""
    found = [event.ends for event in changes_of_course(store, head) if isinstance(event, Retracted | Reinstated)]
    return max(found, key=len, default=())


def _jump(console: Console, verb: str, said: Undo | Redo) -> None:
    book, order = console.book, Order(verb, said, console.typed, once=said.once)
    words = {name: one for name, one in to_builtins(said).items() if name not in ("dry_run", "once", "yes")}
    asked: Head | None = console.shown
    shown = False
    story: _Story | None = None
    if said.dry_run:
        leap, done = _led(book, book.store.head(), verb, words)
        _tell(console, done, _story(book, leap.events))
        return
    if isinstance(said, Undo) and console.asks and not (said.yes or (said.once and book.store.recorded(said.once))):
        asked = book.store.head()
        leap = jump(book.store, asked.entry, verb, words)
        story = _story(book, leap.events)
        if story.commands > 1 or leap.amendment:
            _print(console, story)
            shown = True
            whole = f"Take back the amendment e{leap.amendment}, and bring back what it replaced?"
            if not console.agrees(whole if leap.amendment else f"Take back {story.commands} commands?"):
                console.whisper("Nothing was taken back.")
                return
    with book.store.writing() as head:
        if said.once and (entry := book.store.recorded(said.once)):
            done = book.repeat(order, entry)
            story = _story(book, done.events)
        else:
            if asked and head != asked:
                raise LedgerBusy(
                    f"Somebody else recorded e{head.entry} meanwhile; nothing was taken back.",
                    "Look at the ledger, then repeat the command.",
                )
            leap, done = _led(book, head, verb, words)
            story = story or _story(book, leap.events)
            new = book.write(head, (Written(done.events, done.after, leap.after),), order)
            done = replace(done, entry=new.entry, head=new)
    _tell(console, done, story, shown)


def _led(book: Book, head: Head, verb: str, words: dict[str, Any]) -> tuple[Jump, Done]:
    """Where undo or redo leads from a head, and what it comes to before it is recorded."""
    before, leap = book.present()[1], jump(book.store, head.entry, verb, words)
    events, after = (Declared(verb, words), *leap.events), book.state_at(leap.after)
    return leap, Done(0, events, before, after, head, notes=_place(book.store, head.entry, words))


# What is said of it


class _Story(Struct, frozen=True):
    """What an undo or a redo takes back and brings back, as entries with their outcomes in words."""

    gone: tuple[tuple[int, str], ...] = ()
    back: tuple[tuple[int, str], ...] = ()
    commands: int = 0
    """How many commands recorded what is taken back."""

    def lines(self) -> list[str]:
        """Each entry in a line."""
        gone = [f"undoes e{entry}: {text}" for entry, text in self.gone]
        return gone + [f"redoes e{entry}: {text}" for entry, text in self.back]


def _story(book: Book, events: Sequence[Event]) -> _Story:
    """The entries concerned; but not those that an amendment only resolved again, where they came out the same, nor
    amendments of which a newer one took the course over.
    """
    gone = all_gone = moved(events, Retracted)
    back = moved(events, Reinstated)
    amends = {one for one in (*gone, *back) if systems.amends(events_of(book.store.entry(one))[0])}
    newest_gone, newest_back = (max(amends.intersection(some), default=0) for some in (gone, back))
    gone = [one for one in gone if one not in amends or one > newest_back]
    back = [one for one in back if one not in amends or one > newest_gone]
    said = {one: _worded(book, one) for one in (*gone, *back)}
    twice = {said[one] for one in gone} & {said[one] for one in back}
    return _Story(
        tuple((one, said[one][1]) for one in gone if said[one] not in twice),
        tuple((one, said[one][1]) for one in back if said[one] not in twice),
        len({book.store.entry(one).command for one in all_gone}),
    )


def _worded(book: Book, number: int) -> tuple[int, str]:
    """The entry that first resolved the action of an entry, and its outcome in words."""
    store = book.store
    entry = first = store.entry(number)
    while first.origin != first.entry:
        first = store.entry(first.origin)
    return first.entry, "; ".join(one.outcome for one in deeds_first(told(events_of(entry), book.verbs)))


def _print(console: Console, story: _Story) -> None:
    for line in story.lines():
        console.say(harmless(line))


def _tell(console: Console, done: Done, story: _Story, shown: bool = False) -> None:
    """Prints what is taken back and brought back, unless the question has shown it, and what was recorded."""
    entries = {
        "taken_back": [{"entry": entry, "line": text} for entry, text in story.gone],
        "brought_back": [{"entry": entry, "line": text} for entry, text in story.back],
    }
    if not console.json:
        for line in done.notes:
            console.note(line)
        done = replace(done, notes=())
        alone = sum(len(one.entries) for one in done.events if isinstance(one, Retracted | Reinstated)) == 1
        if not shown and (alone or console.short) and done.entry and (lines := story.lines()):
            for line in lines[:-1]:
                console.say(harmless(line))
            console.say(harmless(f"{lines[-1]}  e{done.entry}"))
            done = replace(done, events=())
        elif not shown:
            _print(console, story)
    console.tell(replace(done, more=entries))
