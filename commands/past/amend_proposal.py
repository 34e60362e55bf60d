"""An amendment worked out before it is recorded: the new course, what it would lose, and how that is put in again."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct, convert, json, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order, Written, events_of
from commands.action.declaration import number
from commands.action.dice_sources import LEFT_OUT, TENS, Answer, Corrected, Mark, Program, Question, Source, Stream
from commands.action.procedures import ANY_DICE, LeftOver, tried, typed
from commands.action.progress import watched
from commands.action.quoting import quoted
from commands.action.resolution import ALL, REASON, Needed, Resolution, Roll
from ledger.errors import AffrayError, LedgerBusy, Refused, UsageError
from ledger.events import Declared, Retracted
from ledger.store import Head
from projections.declarations import headline
from projections.state import State

from .amendment import (
    Amendment,
    Revision,
    carried_out,
    corrects,
    entries,
    keeping_what_drifted,
    left_out_by,
    revision,
)
from .order import carry_on
from .people import named_after, names_of
from .rerun import Act, Dice, Result, act_of
from .unneeded import set_aside


class _Lacking(Corrected):
    """Dice for what an action lacks: one that was thrown for it before, and undone, is not lacking."""

    def knows(self, question: Question) -> bool:
        """Whether the other source knows."""
        return self.others.knows(question)


_Thrown = tuple[tuple[str, str, int], int]
"""A die: who threw it, what for and its sides; and its face."""


class _SetAside(Source):
    """Dice that were thrown with an action and that it did not need: it does not lack them now, for what they were
    thrown for.
    """

    def __init__(self, found: Callable[[], Sequence[_Thrown]], others: Source) -> None:
        """`found` gives these dice, when the first one is lacking: most actions lack none."""
        self._found = found
        self._thrown: list[_Thrown] | None = None
        self._given = list[tuple[int, _Thrown]]()
        self.others = others

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The face that was thrown for this; else the other source's."""
        if self._thrown is None:
            self._thrown = [*self._found()]
        die = (question.who, question.purpose, question.sides)
        at = next((at for at, (thrown, _) in enumerate(self._thrown) if thrown == die), -1)
        if at < 0:
            return self.others.answer(question, optional, hidden)
        self._given.append((at, found := self._thrown.pop(at)))
        return Answer(found[1] or TENS, 0)

    def rolled(self, question: Question, hidden: bool = False) -> Answer | None:
        """The other source's."""
        return self.others.rolled(question, hidden)

    def knows(self, question: Question) -> bool:
        """Whether the other source knows."""
        return self.others.knows(question)

    def mark(self) -> Mark:
        """How many were given, and where the other source is."""
        return len(self._given), *self.others.mark()

    def back(self, mark: Mark) -> None:
        """As though no more had been given."""
        while self._thrown is not None and len(self._given) > mark[0]:
            self._thrown.insert(*self._given.pop())
        self.others.back(mark[1:])


class Fresh:
    """Gives each action of a new course the source of the dice that it lacks: what was said for it, or else was thrown
    with it and set aside, then another.
    """

    def __init__(self, said: Mapping[int, Sequence[int | None]], others: Source) -> None:
        self.others = others
        self._said = {entry: _Lacking(faces, others) for entry, faces in said.items()}
        self._aside: dict[int, _SetAside] = {}
        self.set_aside: Callable[[Act], Sequence[_Thrown]] = lambda _: ()
        """The dice that were thrown with an action that did not need them."""

    def __call__(self, act: Act) -> Source:
        """The source of an action. What is passed or done before an entry shares the dice that were said for it."""
        if said := self._said.get(act.entry or act.puts_in or 0):
            return said
        if act.entry not in self._aside and act.puts_in is None:
            self._aside[act.entry] = _SetAside(partial(self.set_aside, act), self.others)
        return self._aside.get(act.entry, self.others)

    def check_used(self) -> None:
        """Raises UsageError when more dice were said for an entry than it lacks."""
        for entry, source in self._said.items():
            if any(face is not None for face in source.rest):
                named = f"e{entry}" if entry else "What is put in"
                faces = ", ".join("-" if face is None else str(face) for face in source.rest)
                raise UsageError(f"Too many dice: {named} needs no more; {faces} left over.", "Leave them out.")


class Rolls(Source):
    """The program's dice for those for whom it rolls. Those of the others have no answer yet."""

    def __init__(self, by_hand: Callable[[Question], bool], program: Source | None) -> None:
        self.by_hand = by_hand
        self.program = program
        """None as long as nobody may see what it rolls."""

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer | None:
        """The program's face."""
        if self.by_hand(question):
            return LEFT_OUT if optional else None
        return self.program.answer(question, optional, hidden) if self.program else None

    def rolled(self, question: Question, hidden: bool = False) -> Answer | None:
        """The program's face, once it may be seen."""
        return self.program.rolled(question, hidden) if self.program else None

    def mark(self) -> Mark:
        """Where the program is."""
        return self.program.mark() if self.program else ()

    def back(self, mark: Mark) -> None:
        """Takes the program's dice back."""
        if self.program:
            self.program.back(mark)


class Loss(Struct, frozen=True):
    """An entry that would be lost."""

    entry: int
    why: str
    clause: str
    hint: str
    """What puts it in again, once the new course is recorded; where nothing does, what keeps it as a note."""
    saved: bool
    """Whether the hint puts it in again."""

    @property
    def way(self) -> str:
        """What can be done, in words."""
        if self.saved:
            return f"Once this is recorded, e{self.entry} is put in again by: {self.hint}"
        return f"Nothing puts e{self.entry} in again. Once this is recorded, it is kept as a note by: {self.hint}"


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

    @property
    def lost(self) -> list[Result]:
        """The entries that would be lost."""
        return [result for result in self.results if result.lost]

    def names(self) -> dict[str, str]:
        """Those who bear another name at the end than before the amendment, each with it."""
        before = after = names_of(self.start)
        for act in self.course.stood:
            before = named_after(before, act.before, act.origin)
        for nth, result in enumerate(self.results):
            after = named_after(after, result.events, result.act.origin or -nth - 1)
        return before.among(after)

    def losses(self) -> list[Loss]:
        """The same, each with the command that puts it in again."""
        return [_loss(result, self.course.thrown) for result in self.lost]


def propose(
    book: Book,
    head: Head,
    amendment: Amendment,
    new: Fresh,
    instead: Callable[[AffrayError], str] | None = None,
) -> Proposal:
    """An amendment worked out, with `new` dice where none had been thrown.

    Raises what refuses the corrected action itself, with the hint of `instead`, and UsageError when more dice are
    given than are needed.
    """
    said = json.decode(json.encode(amendment))  # as an audit will read it: a default that is said is no default
    course = revision(book.store, head.entry, convert(said, Amendment))
    course = keeping_what_drifted(book, course, amendment)
    new.set_aside = partial(set_aside, book)
    said["entry"] = f"e{amendment.entry}"
    results = tuple(watched(carried_out(book, course, new), len(course.acts), "amend"))
    untouched = bool(amendment.insert) and not corrects(amendment)
    for result in results:
        act = result.act
        said_now = act.entry == 0 or (act.entry == amendment.entry and not untouched)
        if result.refused and said_now and act.puts_in is None:
            if isinstance(result.refused, LeftOver):
                result.refused.hint = "Dice that the program rolled stay; only those thrown by hand can be corrected."
            elif instead:
                result.refused.hint = instead(result.refused)
            raise result.refused
    proposal = Proposal(head, amendment, Declared("amend", said), course, book.state_at(course.after), results)
    if not proposal.lacking:
        new.check_used()
    return proposal


def record(
    book: Book,
    proposal: Proposal,
    order: Order,
    new: Callable[[Source], Fresh],
    check: Callable[[Proposal], None] = lambda _: None,
) -> tuple[Proposal, int]:
    """Appends the amendment, with the dice that `new` gives from those of the program. Gives it as recorded, and its
    last entry. Raises LedgerBusy when the ledger has changed since the proposal, Needed when dice are missing, and what
    `check` raises.
    """
    with book.store.writing() as head:
        if head != proposal.head:
            raise LedgerBusy(
                f"Somebody else recorded e{head.entry} in the meantime; nothing was amended.",
                "Look at the ledger, then repeat the command.",
            )
        if proposal.lacking or any(result.new for result in proposal.results):
            proposal = propose(book, head, proposal.amendment, new(Program(book.store, head)))
        check(proposal)
        if proposal.lacking:
            raise Needed(list(proposal.lacking))
        last = book.write(head, _written(proposal), order)
    book.remember(last, proposal.end)
    return proposal, last.entry


def check_unsaid(book: Book, proposal: Proposal) -> None:
    """Raises UsageError when an entry would show the players a true name that they do not know."""
    if not proposal.lacking:
        book.check_unsaid(_written(proposal))


def _written(proposal: Proposal) -> list[Written]:
    """What is appended."""
    return list(entries(proposal.course, proposal.declared, proposal.start, proposal.results))


def possible_again(book: Book, recorded: Proposal) -> list[int]:
    """The entries that were lost by an amendment whose course this one takes over, and that can be put in again."""
    store, head = book.store, book.store.head()
    commands = dict.fromkeys(store.entry(entry).command for entry in recorded.course.gone)
    over, meant = set[int](), set[int]()
    for command in commands:
        declared, *events = events_of(store.entry(command))
        over |= {entry for event in events if isinstance(event, Retracted) for entry in event.entries}
        if isinstance(declared, Declared) and systems.amends(declared) and declared.said.get("drop"):
            meant.add(store.entry(number(declared.said["entry"])).origin)
    found = {origin: entry for entry in sorted(over) if (origin := store.entry(entry).origin) not in meant}
    return [entry for _, entry in sorted(found.items()) if _could_stand(book, head, entry)]


def _could_stand(book: Book, head: Head, entry: int) -> bool:
    """Whether an entry that an amendment left out is an action that is possible where it stood."""
    act = act_of(book.store.entry(entry))
    if act is None or act.declared.instant or not left_out_by(book.store, head.entry, entry):
        return False
    if systems.find_verb(book.present()[1].campaign.system, act.declared.verb).lets_go:
        return False
    try:
        again = propose(book, head, Amendment(entry), Fresh({}, Rolls(lambda _: True, None)))
    except AffrayError:
        return False
    return not again.lost


def _loss(result: Result, thrown: Callable[[Act], Dice]) -> Loss:
    """What is lost, and the command that puts it in again: after what its refusal offers, or by the referee's word."""
    refused, act = result.refused, result.act
    assert refused
    again = None if act.declared.instant else _again(result, thrown)
    verbs = systems.recorded_verbs(result.state.campaign.system)
    note = quoted(f"note {quoted(headline(act.declared, verbs)[:_LONGEST_NOTE])}")
    options = f"--as {note}" if again is None else again
    hint = " ".join(filter(None, ("affray amend", f"e{act.entry}", options, "--apply")))
    return Loss(act.entry, refused.message, refused.clause, hint, saved=again is not None)


_LONGEST_NOTE = 200
"""The most characters of a lost entry that a note keeps."""


def _again(result: Result, thrown: Callable[[Act], Dice]) -> str | None:
    """The options with which a lost entry is put in again; None when nothing makes it possible."""
    refused, act = result.refused, result.act
    if found := _offered(result, thrown):
        words = typed(found.verb, found.declaration, found.allow).removeprefix("affray ")
        return f"--insert {quoted(words)}"
    for why in REASONS if isinstance(refused, Refused) else ():
        if _possible(result.state, replace(act, declared=replace(act.declared, allow=why)), thrown):
            return f"--allow '{why}'"
    return "" if isinstance(refused, UsageError) and _possible(result.state, act, thrown) else None


def _offered(result: Result, thrown: Callable[[Act], Dice]) -> Resolution | None:
    """What the refusal of an action offers, if the action is possible after it."""
    assert result.refused
    for way in result.refused.ways:
        for one in way if isinstance(way, list) else [way]:
            found = None if isinstance(one, str) else tried(result.state, *one)
            card = systems.find_verb(result.state.campaign.system, found.verb) if found else None
            if found and card and (card.passive or card.by != "referee") and found.verb != result.act.declared.verb:
                before = Act(Declared(found.verb, to_builtins(found.declaration), found.allow))
                if _possible(result.state, before, thrown, result.act):
                    return found
    return None


def _possible(state: State, act: Act, thrown: Callable[[Act], Dice], *then: Act) -> bool:
    """Whether some actions are possible one after another, with any dice where none were thrown."""
    results = list(carry_on(state, (act, *then), thrown, lambda _: Stream(ANY_DICE, 0)))
    return not any(result.refused for result in results)


REASONS = (REASON, f"{ALL}: {REASON}")
"""What is put behind a command that a rule refuses, or several do, with --allow."""
