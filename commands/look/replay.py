"""Replay: shows a round or an encounter again, step by step."""

from typing import Annotated

from msgspec.structs import replace

from commands.action.book import events_of
from commands.action.declaration import Count, Declaration, EntryId, number, says
from commands.action.systems import recorded_verbs
from commands.past.people import named_after, names_of
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.chain import Entry
from ledger.errors import UsageError
from ledger.events import Event, Overruled, Rolled, Ruled
from ledger.store import Store
from projections.changes import between
from projections.narration import told
from projections.state import State, fold

from .filters import Chapter, Chapters


class Replay(Declaration):
    """Show a round, an encounter or some entries again: dice, arithmetic and changes. Without options: the last round
    that was played.
    """

    encounter: Annotated[Count | None, says("Which encounter; by default the last one.")] = None
    round: Annotated[Count | None, says("Which round of it; by default all rounds.")] = None
    since: Annotated[EntryId, says("From this entry on.")] = ""
    until: Annotated[EntryId, says("Up to this entry.")] = ""


def replay(console: Console, said: Replay) -> None:
    """Shows the entries that stand, each with its dice, its rulings and the values that it changed."""
    shown = _chosen(console, said)
    if not shown:
        raise UsageError("Nothing was played in this part of the record.", "affray log")
    state = console.book.state_at(shown[0][0].after)
    for entry, events in shown:
        after = fold(state, events)
        _step(console, entry, events, state, after)
        state = after
    if not console.json:
        console.say(f"State {state.digest()} after e{shown[-1][0].entry}.")


def _chosen(console: Console, said: Replay) -> list[tuple[Entry, tuple[Event, ...]]]:
    """The entries to show, which all stand, in order."""
    store = console.book.store
    head = store.head().entry
    low = console.book.check_entry(number(said.since)) if said.since else 1
    high = console.book.check_entry(number(said.until)) if said.until else head
    standing = _standing(store, high)
    if said.since or said.until:
        return [(entry, events) for entry, events, _ in standing if low <= entry.entry]
    encounter, round_ = said.encounter, said.round
    if encounter is None:
        encounter = max((chapter.encounter for _, _, chapter in standing), default=0)
        rounds = [chapter.round for _, _, chapter in standing if chapter.encounter == encounter]
        having = [chapter.encounter for _, _, chapter in standing if chapter.encounter and chapter.round == round_]
        if having and round_ not in rounds:
            earlier = f"affray replay --encounter {max(having)} --round {round_}"
            raise UsageError(f"Encounter {encounter} has no round {round_}.", earlier)
        round_ = max(rounds, default=0) if round_ is None else round_
    return [
        (entry, events)
        for entry, events, chapter in standing
        if chapter.encounter == encounter and round_ in (None, chapter.round)
    ]


def _standing(store: Store, high: int) -> list[tuple[Entry, tuple[Event, ...], Chapter]]:
    """The entries that stand at one of them, each with its events and its round."""
    chapters, ranges = Chapters(), sorted(store.course(high))
    found = []
    for entry, _ in store.entries(1, high):
        events = events_of(entry)
        chapter = chapters.after(entry, events)
        if any(first <= entry.entry <= last for first, last in ranges):
            found.append((entry, events, chapter))
    return found


def roll_in_words(event: Rolled) -> str:
    """A roll in words: whose dice for what, how they fell, and where they came from."""
    stream = "hidden stream" if min(event.places, default=0) < 0 else "stream"
    source = f"{stream} {', '.join(str(abs(place)) for place in event.places)}" if any(event.places) else "typed"
    faces = ", ".join(map(str, event.faces)) + f" ({source})" if event.faces else "not thrown"
    return f"{event.who or 'the table'} {event.dice} for {event.purpose}: {faces}"


def _step(console: Console, entry: Entry, events: tuple[Event, ...], before: State, after: State) -> None:
    names = names_of(before)
    changed = between(before.under(names.among(named_after(names, events, entry.origin))), after)
    if console.json:
        about = {"entry": entry.entry, "typed": entry.typed, "events": events}
        changes = [{"name": name, "before": old, "after": new} for name, old, new in changed]
        console.give({**about, "changes": changes, "state_digest": after.digest()})
        return
    verbs = recorded_verbs(after.campaign.system)
    console.narrate([replace(one, arithmetic=()) for one in told(events, verbs)], f"e{entry.entry}")
    for event in () if console.brief else events[1:]:
        match event:
            case Rolled():
                console.say(harmless(f"    dice    {roll_in_words(event)}"))
            case Ruled(about=about):
                whom = f" [{about}]" if about else ""
                console.say(harmless(f"    rule    {', '.join(event.clauses)}{whom}: {event.line()}"))
            case Overruled(clause=clause, why=why, reason=reason):
                console.say(harmless(f"    allowed {clause}: {why} The game master: {reason}"))
    for name, old, new in changed:
        console.say(harmless(f"    change  {name}: {old} -> {new}"))
