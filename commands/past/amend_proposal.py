"""An amendment worked out before it is recorded: what it says, the new course, and how it is appended."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from msgspec import Struct, convert, json
from msgspec.structs import replace

from commands.action import declaration, systems
from commands.action.book import Book, Order, Written, events_of
from commands.action.dice_sources import Answer, Question, face_of
from commands.action.procedures import LeftOver
from commands.action.resolution import Needed, Roll
from commands.words.progress import watched
from ledger.chain import Entry
from ledger.errors import AffrayError, LedgerBusy, UsageError
from ledger.events import Awaited, Declared, Retracted, WaitingEnded, decode
from ledger.store import Head, Store
from projections.persons import Persons, persons_of
from projections.state import State, fold

from .acts import Act, act_of, acts, renamed
from .course import moved, standing, stands, tip
from .order import Course
from .people import named_after, names_of
from .rerun import Result, Supply, named, no_dice
from .thrown import Die, Falls, Fell, Thrown, each_die
from .walls import Moment, moments


class Inserted(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command that is inserted before an entry."""

    verb: str
    said: dict[str, Any]
    allow: str = ""
    secret: bool = False


class Amendment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an amendment records: all that is needed to work out the same course again."""

    entry: int
    """The corrected entry. It stands when the amendment is recorded, or an amendment left it out."""
    change: dict[str, Any] = {}
    """The fields of its declaration that change, with their new values; with `verb` all its fields."""
    verb: str = ""
    """The verb that is said in place of the entry's own; "" for the same."""
    allow: str | None = None
    """The game master's new reason for allowing it; None when the old reason stays."""
    drop: bool = False
    """Whether the entry is left out."""
    insert: tuple[Inserted, ...] = ()
    """The commands that are inserted before it, in order; with `drop` in its place."""
    before: int = 0
    """The entry before which it is moved; 0 for none."""
    behind: int = 0
    """The entry after which it is moved; 0 for none."""
    dice: tuple[int | None, ...] = ()
    """The true faces of all its dice thrown by hand, in order, with None for one that stays; then those of dice that it
    did not need before, with None for one of the program; with `verb` those of its dice, in order. () when all stay.
    """
    why: str = ""


class Revision(Struct, frozen=True):
    """What an amendment takes back, and what replaces it."""

    amendment: Amendment
    acts: tuple[Act, ...]
    """The new course."""
    dropped: tuple[Act, ...]
    """What is left out on purpose: an action, and the instants that changed it."""
    moved: tuple[Act, ...]
    """What is moved: an action, with all that answers it."""
    thrown: Falls
    """The dice that were thrown for an act."""
    after: int = 0
    """The entry after which the new course stands."""
    gone: tuple[int, ...] = ()
    """The entries that no longer stand."""
    stood: tuple[Act, ...] = ()
    """The course as it stood."""

    def when(self, start: State) -> dict[int, Moment]:
        """When each act was done; one that is moved and opens or closes nothing belongs to where it stands now."""
        found = moments(start, self.stood)
        if beside := found.get(self.amendment.before or self.amendment.behind):
            here = beside.before if self.amendment.before else beside.after
            for act in self.moved:
                own = replace(found.get(act.entry, beside), placed=True)
                found[act.entry] = replace(own, before=here, after=here) if own.before == own.after else own
        return found


def revision(store: Store, head: int, amendment: Amendment) -> Revision:
    """The new course of an amendment that is recorded right after the entry `head`. Raises UsageError when the amended
    entry neither stands nor was left out by an amendment that stands, or when it is no action.
    """
    present, entry = tip(store, head), amendment.entry
    target = act_of(store.entry(entry))
    if target is None or entry == 1:
        raise nothing_to_amend(store, entry)
    stood = stands(store, present, entry)
    if not stood and not left_out_by(store, head, entry):
        raise UsageError(f"e{entry} does not stand.", "affray log")
    first = first_of_its_instants(store, entry) if stood else _next_in_course(store, head, entry)
    place = store.after(first) if first else present
    if beside := amendment.before or amendment.behind:
        if beside != entry and not stands(store, present, beside):
            raise UsageError(f"e{beside} does not stand.", "affray log")
        first = min(first or beside, first_of_its_instants(store, beside))
    before = acts(store, present, first) if first else []
    target = target if stood else _under_present_names(store, place, target)
    read = () if amendment.verb else amendment.dice
    thrown = Thrown(store, head, _persons(cast(Any, store), store.head()))
    misread = _misread(_changed(target, amendment), read)
    before = [thrown.as_said(act) for act in before]
    card = systems.find_verb(store.system(), target.declared.verb) if beside and stood else None
    return replace(
        _corrected(
            before if stood else [target, *before],
            amendment,
            lambda act: thrown.of(act) | (misread if act.entry == entry else {}),
            card is not None and card.by == "combatant" and not card.has("answers"),
        ),
        after=tip(store, store.after(first)) if first else present,
        gone=tuple(standing(store, present, above=first - 1)) if first else (),
        stood=tuple(before),
    )


def _corrected(stood: Sequence[Act], amendment: Amendment, thrown: Falls, opens: bool) -> Revision:
    """The acts of a course that are left out, put in, moved and said otherwise, with those that answer what the amended
    one `opens`. Raises UsageError where one would be moved beside itself.
    """
    course, entry, beside = [*stood], amendment.entry, amendment.before or amendment.behind
    at = [act.entry for act in course].index(entry)
    start = at if course[at].declared.instant else _first(course, at)
    last = _last(course, at) if opens else at
    course[at] = _changed(course[at], amendment)
    own, dropped = course[start : last + 1], tuple(stood[start : at + 1]) if amendment.drop else ()
    del course[start : last + 1]
    if beside in (act.entry for act in own):
        moves = "cannot be moved before or after itself" if beside == entry else f"answers e{entry}, and moves with it"
        raise UsageError(f"e{beside} {moves}.", "affray log")
    if amendment.behind:
        start = [act.entry for act in course].index(beside) + 1
    else:
        start = _first(course, [act.entry for act in course].index(beside) if beside else start)
    put_in = [Act(Declared(one.verb, one.said, one.allow, secret=one.secret)) for one in amendment.insert]
    course[start:start] = [*put_in, *(() if amendment.drop else own)]
    return Revision(amendment, tuple(course), dropped, tuple(own) if beside else (), thrown)


def _last(course: Sequence[Act], at: int) -> int:
    """Where the last act of a course stands that answers one of them: what settles the windows that it opened."""
    waiting = set[tuple[str, str]]()
    for nth in range(at, len(course)):
        for event in course[nth].before:
            if isinstance(event, Awaited) and event.answerable:
                waiting.add((event.kind, event.who))
            elif isinstance(event, Awaited | WaitingEnded):
                waiting.discard((event.kind, event.who))
        if not waiting:
            return nth
    return at


def _first(course: Sequence[Act], at: int) -> int:
    """Where the instants begin that change an act of a course; its own place without any."""
    while at and course[at - 1].declared.instant:
        at -= 1
    return at


def left_out_by(store: Store, head: int, entry: int) -> int:
    """The amendment that left out the action of an entry; 0 when none did, when that was undone, or when the action
    stands, or was undone by hand.
    """
    present = tip(store, head)
    origin = store.entry(entry).origin
    family = {origin, *(number for number, first in store.resolved_again(head) if first == origin)}
    if any(stands(store, present, one) for one in family):
        return 0
    found: dict[int, set[int]] = {}
    over: dict[int, int] = {}  # entries that were taken back, each with the last that did so
    for number, body in store.of_kinds("retracted"):
        event = decode(body)
        if number <= head and isinstance(event, Retracted):
            over |= dict.fromkeys(event.entries, number)
            found[number] = found.get(number, set()) | {*event.entries}
    for number, gone in reversed(found.items()):
        last, ours = number, family & gone
        while last and _amends(store, last) and not stands(store, present, last):
            last = over.get(last, 0)  # an amendment of an earlier entry took its course over
        if ours and last and _amends(store, last):
            return number
        by = {store.entry(one).command for one in ours}
        if not _amends(store, number) and not all(one in gone and _amends(store, one) for one in by):
            return 0  # undone without an amendment by which it stood
    return 0


def _amends(store: Store, entry: int) -> bool:
    return systems.amends(events_of(store.entry(entry))[0])


def last_meant(store: Store, head: int, entry: int) -> int:
    """The entry that stood last for the action of one that an amendment left out: it says what was last meant."""
    origin = store.entry(entry).origin
    gone = moved(map(decode, store.entry(left_out_by(store, head, entry)).bodies), Retracted)
    return next((one for one in reversed(gone) if store.entry(one).origin == origin), entry)


def _next_in_course(store: Store, head: int, entry: int) -> int:
    """The entry that stands before which an entry is put in again that an amendment left out: before what came after it
    in the course as that amendment corrected it. 0 for the end.
    """
    number, origin = left_out_by(store, head, entry), store.entry(entry).origin
    ours = [one for one in standing(store, tip(store, head), above=number) if act_of(store.entry(one))]
    origins = {store.entry(one).origin: one for one in ours}
    course = revision(store, number - 1, recorded_amendment(store, number)).acts
    whole = course
    if origin not in (act.origin for act in course):  # left out on purpose: what was put in its place stands there now
        whole = tuple(acts(store, tip(store, number - 1), 1))
    at = [act.origin for act in whole].index(origin)
    later = [act.origin or _as_inserted(store, ours, act) for act in whole[at + 1 :]]
    said_since = (one for one in origins if one > number and not _is_put_in(store.entry(one)))
    found = next((origins[one] for one in (*later, *said_since) if one in origins), 0)
    inserted = [_as_inserted(store, ours, act) for act in course if not act.origin]
    for one in reversed(ours[: ours.index(found)] if found else ()):
        if not _is_put_in(store.entry(one)) or store.entry(one).origin in inserted:
            break
        found = one
    return found


def recorded_amendment(store: Store, entry: int) -> Amendment:
    """The amendment that an entry records."""
    declared = events_of(store.entry(entry))[0]
    assert isinstance(declared, Declared)
    return convert({**declared.said, "entry": declaration.number(declared.said["entry"])}, Amendment)


def _as_inserted(store: Store, ours: Sequence[int], act: Act) -> int:
    """The origin of the entry that stands for a command that an amendment inserted; 0 for none."""
    for one in ours:
        entry = store.entry(one)
        declared = events_of(entry)[0]
        so = isinstance(declared, Declared) and (declared.verb, declared.said) == (act.declared.verb, act.declared.said)
        if so and _is_put_in(store.entry(entry.origin)):
            return entry.origin
    return 0


def _under_present_names(store: Store, place: int, act: Act) -> Act:
    """An action that an amendment left out, said of the same persons under the names that they bear after an entry."""
    persons = _persons(cast(Any, store), store.head())
    names = persons.at(store.after(act.entry)).among(persons.at(place))
    return renamed(act, names, store.system()) if names else act


@lru_cache(maxsize=1)
def _persons(store: Store, head: Head) -> Persons:
    """The persons of a ledger as it is at its head."""
    return persons_of(store)


def _is_put_in(entry: Entry) -> bool:
    """Whether an amendment put an action in."""
    return entry.origin == entry.entry != entry.command


def nothing_to_amend(store: Store, entry: int) -> UsageError:
    """Why an entry that is no action cannot be amended."""
    declared = events_of(store.entry(entry))[0]
    verb = declared.verb if isinstance(declared, Declared) else ""
    what = {"init": "opens the ledger", "stir": "stirs the dice", "reveal": "reveals something"}
    why = what.get(verb, "is an undo, a redo or an amendment")
    return UsageError(f"e{entry} {why} and cannot be amended.", "affray log")


def _keeping_what_drifted(book: Book, course: Revision, amendment: Amendment) -> Revision:
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
    amended = 0 if amendment.insert and not _corrects(amendment) else amendment.entry
    acts = (act if act.entry in (0, amended) else kept[act.entry] for act in course.acts)
    return replace(course, acts=tuple(acts))


def keeping_drifted(state: State, course: Sequence[Act], thrown: Falls) -> tuple[Act, ...]:
    """The actions of a course. Those that today's rules would resolve differently keep their facts; another version of
    the rules resolved them. `state` is the one before the first of them, and each was resolved from the state that the
    facts before it make.
    """
    made: list[Act] = []
    for at, act in enumerate(course):
        same = systems.is_current(act.program, state.campaign.system)
        if not (same or by_todays_rules(Course(course[at:], thrown, no_dice), state).same):
            act = replace(act, kept=named(state, act.before))
        made.append(act)
        state = fold(state, act.before)
    return tuple(made)


def by_todays_rules(course: Course, state: State) -> Result:
    """What comes next in a course; whatever was recorded, these rules may never have been made for it."""
    head = course.rest[0]
    try:
        found = course.step(state)
    except Exception as error:
        course.rest = [one for one in course.rest if one is not head]
        return Result(head, state, refused=UsageError(f"{type(error).__name__}: {error}."))
    assert found
    return found


def _corrects(amendment: Amendment) -> bool:
    """Whether it says the entry itself otherwise, beside what it puts in, of which the dice are."""
    return bool(amendment.change or amendment.verb or amendment.allow is not None)


def first_of_its_instants(store: Store, entry: int) -> int:
    """The first of the instants that change an action; without any, the action itself."""
    while (before := store.after(entry)) and (act := act_of(store.entry(before))) and act.declared.instant:
        entry = before
    return entry


def _changed(act: Act, amendment: Amendment) -> Act:
    """The act as it should have been said, with its true dice."""
    declared = act.declared
    if amendment.verb:
        declared = replace(declared, verb=amendment.verb, said=amendment.change)
    elif amendment.change:
        declared = replace(declared, said={**declared.said, **amendment.change})
    if amendment.allow is not None:
        declared = replace(declared, allow=amendment.allow)
    dice = amendment.dice if amendment.verb else amendment.dice[len(by_hand_of(act)) :]
    said_now = declared != act.declared
    return replace(act, declared=declared, dice=dice, another=bool(amendment.verb), said_now=said_now)


def by_hand_of(act: Act) -> list[tuple[Die, Question, Answer]]:
    """The dice of an act that were thrown by hand, in order, each with what it was for and its face."""
    return [one for one in each_die(act.before, act.declared) if one[2].face and not one[2].place]


def _misread(act: Act, faces: Sequence[int | None]) -> Fell:
    """The hand-thrown dice of an act with other faces. Raises UsageError when there are fewer faces, or impossible
    ones.
    """
    by_hand = by_hand_of(act)
    if faces and len(faces) < len(by_hand):
        fell = ", ".join(str(answer.face) for _, _, answer in by_hand)
        raise UsageError(
            f"e{act.entry} has {len(by_hand)} dice rolled by hand, {fell}, but --dice gives {len(faces)}.",
            "Give all of the entry's, in order, with a dash for each that stays.",
        )
    misread: Fell = {}
    for (die, question, _), face in zip(by_hand, faces, strict=False):
        misread |= {die: (face_of(face, question),)} if face is not None else {}
    return misread


class Proposal(Struct, frozen=True):
    """An amendment, worked out."""

    head: Head
    """The head of the ledger at that time."""
    amendment: Amendment
    declared: Declared
    course: Revision
    start: State
    """The state where the new course begins."""
    results: tuple[Result, ...]

    @property
    def lacking(self) -> tuple[Roll, ...]:
        """The dice that are still needed, if the results end because of them."""
        return self.results[-1].new if self.results and self.results[-1].lacking else ()

    @property
    def same(self) -> bool:
        """Whether no entry changes."""
        put_in_again = self.amendment.entry not in self.course.gone
        moved = [act.entry for act in self.course.stood] != [result.act.entry for result in self.results]
        return not (self.course.dropped or put_in_again or moved) and all(result.same for result in self.results)

    @property
    def end(self) -> State:
        """The state where the new course ends."""
        return self.results[-1].state if self.results else self.start

    def names(self) -> dict[str, str]:
        """Those who bear another name at the end than before the amendment, each with it."""
        before = after = names_of(self.start)
        for act in self.course.stood:
            before = named_after(before, act.before, act.origin)
        for nth, result in enumerate(self.results):
            after = named_after(after, result.events, result.act.origin or -nth - 1)
        return before.among(after)


def propose(
    book: Book, head: Head, amendment: Amendment, new: Supply, instead: Callable[[AffrayError], str] | None = None
) -> Proposal:
    """An amendment worked out, with `new` dice where none had been thrown.

    Raises what refuses the corrected action itself, with the hint of `instead`.
    """
    said = json.decode(json.encode(amendment))  # as an audit will read it: a default that is said is no default
    course = revision(book.store, head.entry, convert(said, Amendment))
    course = _keeping_what_drifted(book, course, amendment)
    start = book.state_at(course.after)
    carried_on = Course(course.acts, course.thrown, new, course.when(start)).results(start)
    said["entry"] = f"e{amendment.entry}"
    untouched = bool(amendment.insert) and not _corrects(amendment)
    results = list[Result]()
    for result in watched(carried_on, len(course.acts), "amend"):
        results.append(result)
        act = result.act
        said_now = act.entry == 0 or (act.entry == amendment.entry and not untouched)
        if result.refused and said_now and act.puts_in is None:
            if isinstance(result.refused, LeftOver) and not amendment.verb:
                result.refused.hint = "Dice that the program rolled stay; only those rolled by hand can be corrected."
            elif instead:
                result.refused.hint = instead(result.refused)
            result.refused.ways = ()  # which helped then
            raise result.refused
    return Proposal(head, amendment, Declared("amend", said), course, start, tuple(results))


def record(
    book: Book,
    proposal: Proposal,
    order: Order,
    work_out: Callable[[], Proposal],
    allow: Callable[[Proposal], None] = lambda _: None,
) -> tuple[Proposal, int]:
    """Appends the amendment, worked out once more where it lacks dice. Gives it as recorded, and its last entry.
    Raises LedgerBusy when the ledger has changed since the proposal, Needed when dice are missing, and what `allow`
    raises.
    """
    with book.store.writing() as head:
        if head != proposal.head:
            raise LedgerBusy(
                f"Somebody else recorded e{head.entry} in the meantime; nothing was amended.",
                "Look at the ledger, then repeat the command.",
            )
        if proposal.lacking:
            proposal = work_out()
        allow(proposal)
        if proposal.lacking:
            raise Needed(list(proposal.lacking))
        last = book.write(head, _written(proposal), order)
    return proposal, last.entry


def check_unsaid(book: Book, proposal: Proposal) -> None:
    """Raises UsageError when an entry would show the players a true name that they do not know."""
    if not proposal.lacking:
        book.check_unsaid(_written(proposal))


def _written(proposal: Proposal) -> list[Written]:
    """What is appended: the entry of the amendment, and one for each act that is possible."""
    course = proposal.course
    first = Written((proposal.declared, Retracted(course.gone, ())), proposal.start, course.after)
    results = [result for result in proposal.results if result.events]
    return [first, *(Written(one.events, one.state, origin=one.act.origin, program=one.program) for one in results)]
