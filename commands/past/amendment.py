"""Amending: the new course after an entry is corrected."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Written, events_of
from commands.action.dice_sources import Recorded, Source, Typed
from ledger.errors import UsageError
from ledger.events import Declared, Retracted, Rolled
from ledger.store import Store
from projections.state import State

from .course import standing, tip
from .rerun import Act, Dice, Result, Thrown, act_of, acts, carry_on, keeping_drifted


class Inserted(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command that is inserted before an entry."""

    verb: str
    said: dict[str, Any]
    allow: str = ""
    secret: bool = False


class Amendment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an amendment records: all that is needed to work out the same course again."""

    entry: int
    """The corrected entry. It stands when the amendment is recorded."""
    change: dict[str, Any] = {}
    """The fields of its declaration that change, with their new values."""
    allow: str | None = None
    """The referee's new reason for allowing it; None when the old reason stays."""
    drop: bool = False
    """Whether the entry is left out."""
    insert: Inserted | None = None
    """The command that is inserted before it."""
    dice: tuple[int, ...] = ()
    """The true faces of its dice thrown by hand, all of them in order; () when they stay."""
    why: str = ""


class Revision(Struct, frozen=True):
    """What an amendment takes back, and what replaces it."""

    after: int
    """The entry after which the new course stands."""
    gone: tuple[int, ...]
    """The entries that no longer stand."""
    dropped: tuple[Act, ...]
    """What is left out on purpose: an action, and the instants that changed it."""
    acts: tuple[Act, ...]
    """The new course."""
    thrown: Callable[[Act], Dice]
    """The dice that were thrown for an act."""


def revision(store: Store, head: int, amendment: Amendment) -> Revision:
    """The new course of an amendment that is recorded right after the entry `head`. Raises UsageError when the amended
    entry does not stand, or the correction does not fit it.
    """
    present, entry = tip(store, head), amendment.entry
    if entry not in standing(store, present, above=entry - 1)[:1]:
        raise UsageError(f"e{entry} does not stand.", "affray log")
    target = act_of(store.entry(entry))
    if target is None or entry == 1:
        raise nothing_to_amend(store, entry)
    first = first_of_its_instants(store, entry)
    course = acts(store, present, first)
    at = [act.entry for act in course].index(entry)
    dropped: list[Act] = []
    if amendment.drop:
        start = at if target.declared.instant else 0
        dropped = course[start : at + 1]
        course[start : at + 1] = []
    else:
        course[at] = _changed(target, amendment)
    if amendment.insert:
        put_in = amendment.insert
        course.insert(0, Act(Declared(put_in.verb, put_in.said, put_in.allow, secret=put_in.secret)))
    thrown, misread = Thrown(store, head), _misread(target, amendment.dice)
    return Revision(
        after=tip(store, store.after(first)),
        gone=tuple(standing(store, present, above=first - 1)),
        dropped=tuple(dropped),
        acts=tuple(course),
        thrown=lambda act: thrown.of(act) | (misread if act.entry == entry else {}),
    )


def nothing_to_amend(store: Store, entry: int) -> UsageError:
    """Why an entry that is no action cannot be amended."""
    declared = events_of(store.entry(entry))[0]
    verb = declared.verb if isinstance(declared, Declared) else ""
    what = {"init": "opens the ledger", "stir": "stirs the dice", "reveal": "reveals something"}
    why = what.get(verb, "is an undo, a redo or an amendment")
    return UsageError(f"e{entry} {why} and cannot be amended.", "affray log")


def keeping_what_drifted(book: Book, course: Revision, amendment: Amendment) -> Revision:
    """The revision. Entries of another version of the rules keep their facts where today's rules differ; only the
    amended entry itself is always resolved by today's rules.
    """
    own = [act for act in course.acts if act.entry]
    system = book.present()[1].campaign.system
    if all(systems.is_current(act.program, system) for act in own):
        return course
    stood = sorted((*own, *course.dropped), key=lambda act: act.entry)
    before = book.state_at(book.store.after(stood[0].entry))
    kept = {act.entry: act for act in keeping_drifted(before, stood, course.thrown)}
    corrects = amendment.change or amendment.dice or amendment.allow is not None
    amended = 0 if amendment.insert and not corrects else amendment.entry
    acts = (act if act.entry in (0, amended) else kept[act.entry] for act in course.acts)
    return replace(course, acts=tuple(acts))


def carried_out(book: Book, course: Revision, new: Callable[[Act], Source]) -> Iterator[Result]:
    """The result of each act of a revision, with `new` dice where none were thrown."""
    return carry_on(book.state_at(course.after), course.acts, course.thrown, new)


def entries(course: Revision, declared: Declared, before: State, results: Iterable[Result]) -> Iterator[Written]:
    """The entries of an amendment: its own, and one for each act that is possible."""
    yield Written((declared, Retracted(course.gone, ())), before, course.after)
    for result in results:
        if result.events:
            yield Written(result.events, result.state, origin=result.act.origin, program=result.program)


def first_of_its_instants(store: Store, entry: int) -> int:
    """The first of the instants that change an action; without any, the action itself."""
    while (before := store.after(entry)) and (act := act_of(store.entry(before))) and act.declared.instant:
        entry = before
    return entry


def _changed(act: Act, amendment: Amendment) -> Act:
    """The act as it should have been said."""
    declared = act.declared
    if amendment.change:
        declared = replace(declared, said={**declared.said, **amendment.change})
    if amendment.allow is not None:
        declared = replace(declared, allow=amendment.allow)
    return replace(act, declared=declared)


def _misread(act: Act, faces: Sequence[int]) -> Dice:
    """The hand-thrown dice of an act with other faces. Raises UsageError when they are not as many, or impossible."""
    if not faces:
        return {}
    thrown = Recorded(event for event in act.before if isinstance(event, Rolled)).rest
    by_hand = [question for question, answer in thrown.items() if answer.face and not answer.place]
    if len(faces) != len(by_hand):
        raise UsageError(
            f"e{act.entry} has {len(by_hand) or 'no'} {'die' if len(by_hand) == 1 else 'dice'} thrown by hand,"
            f" but --dice gives {len(faces)}.",
            "Only dice thrown by hand can be corrected; give all of the entry's, in order.",
        )
    source = Typed(faces)
    answers = [source.answer(question, optional=False) for question in by_hand]
    return {question: (answer,) for question, answer in zip(by_hand, answers, strict=True) if answer}
