"""Amend: correct an entry, show how everything since changes, and record the new course when asked."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, json, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order, events_of
from commands.action.declaration import Declaration, is_entry, number, shapes
from commands.action.dice_sources import (
    LEFT_OUT,
    Answer,
    Asked,
    Corrected,
    Mark,
    Program,
    Question,
    Source,
    Stream,
    Typed,
)
from commands.action.names import resolve_names
from commands.action.procedures import ANY_DICE, LeftOver, tried, typed
from commands.action.progress import watched
from commands.action.quoting import quoted
from commands.action.resolution import ALL, Needed, Resolution, Roll, listed
from commands.action.systems import rules_named
from commands.words.command import order_of, whole_verb
from commands.words.console import Console, harmless
from commands.words.dice_words import Hand, read_dice
from commands.words.parameters import corrected, plain, unsaid
from ledger.dice import parse
from ledger.errors import AffrayError, LedgerBusy, Refused, UsageError
from ledger.events import Declared, Retracted, Rolled
from ledger.store import Head
from projections.changes import between
from projections.narration import headline, told
from projections.state import State

from .amendment import (
    Amendment,
    Inserted,
    Revision,
    carried_out,
    corrects,
    entries,
    keeping_what_drifted,
    left_out_by,
    nothing_to_amend,
    revision,
)
from .course import in_its_place, now, stands, tip
from .perform import by_hand, sides_of
from .rerun import Act, Dice, Result, act_of, carry_on, differing_lines

LAST = "last"
"""The word for the last command that stands."""
HABITS = 200
"""How many entries before an amended one tell whose dice are thrown by hand."""


class Amend(Declaration):
    """Correct the last command or any entry that stands, and resolve every later entry again on the same dice.

    Give the correction in the options of the entry's own verb, such as --cover half or --target kira. Shows how each
    later entry would change, and records nothing. With --apply, or after a yes on a terminal, the new course is
    appended in place of the old one; both stay readable, and undo takes the whole amendment back. An entry that an
    amendment left out is put in again by its number.
    """

    entry: Annotated[
        str,
        Meta(
            description="The entry to correct, such as e42; without it the last command.",
            extra={"word": "entry", "positional": True},
        ),
    ] = LAST
    words: Annotated[
        tuple[str, ...],
        Meta(description="The correction, in options of its verb.", extra={"word": "rest", "positional": True}),
    ] = ()
    drop: Annotated[bool, Meta(description="Leave the entry out.")] = False
    as_: Annotated[str, Meta(description='Another command in its place: --as "attack kira orc-1".')] | None = None
    insert: Annotated[
        tuple[str, ...], Meta(description='Put a command before it: --insert "attack kira orc-1". May be repeated.')
    ] = ()
    dice: Annotated[
        str,
        Meta(
            description="Dice thrown by hand. 9,9 are the true faces of all that were thrown for the entry, and then of"
            " those that it lacks (with --insert of what is put in); e12:6 is what the entry e12 lacks. A dash is a die"
            " that stays, or one of the program. At the end, ask asks for every missing die, and roll rolls them."
        ),
    ] = ""
    because: Annotated[str, Meta(description="Why; recorded.", max_length=2000)] = ""
    apply: Annotated[bool, Meta(description="Append the new course.")] = False
    lose: Annotated[
        int, Meta(ge=0, description="With --apply: how many later entries may be lost, as the preview counts them.")
    ] = 0
    once: Annotated[str, Meta(max_length=200, description="Record this command only once under this id.")] = ""


class Spoken(Struct, frozen=True):
    """What --dice says."""

    own: tuple[int | None, ...] = ()
    """The faces of the corrected entry; () when they stay."""
    later: dict[int, tuple[int | None, ...]] = {}
    """Faces that other entries lack, by their number; of what is put in, by 0."""
    ask: Hand | None = None
    """Asks for every missing die."""
    roll: bool = False
    """Whether the program rolls every missing die."""


class Fresh:
    """Gives each action of a new course the source of the dice that it lacks: what was said for it, then another."""

    def __init__(self, said: Mapping[int, Sequence[int | None]], others: Source) -> None:
        self.others = others
        self._said = {entry: Corrected(faces, others) for entry, faces in said.items()}

    def __call__(self, act: Act) -> Source:
        """The source of an action. What is passed or done before an entry shares the dice that were said for it."""
        return self._said.get(act.entry or act.puts_in or 0, self.others)

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
        return not (self.course.dropped or put_in_again) and all(result.same for result in self.results)

    @property
    def end(self) -> State:
        """The state where the new course ends."""
        return self.results[-1].state if self.results else self.start

    @property
    def lost(self) -> list[Result]:
        """The entries that would be lost."""
        return [result for result in self.results if result.lost]

    def losses(self) -> list[Loss]:
        """The same, each with the command that puts it in again."""
        return [_loss(result, self.course.thrown) for result in self.lost]


def amend(console: Console, said: Amend) -> None:
    """Shows what the correction would do; records it with --apply or after a yes."""
    book = console.book
    said = _written_out(console, said)
    order = Order("amend", said, console.typed, once=said.once)
    if said.once and (entry := book.store.recorded(said.once)):
        console.tell(book.repeat(order, entry))
        return
    head, before = book.present()
    systems.load(before.campaign.system)
    spoken = _dice(book, head, said)
    amendment = _amendment(book, head, said, spoken)
    named, _ = _meant(book, head, said)
    if named != amendment.entry and not console.json:
        console.say(console.paint(now(named, amendment.entry), "2"))
    instead = partial(_ways_on, book, head, said)
    hand = _by_hand(book, head, before, spoken, amendment.entry)
    proposal = propose(book, head, amendment, Fresh(spoken.later, Rolls(hand, None)), instead)
    agreed = not said.apply and _agreed(console, proposal, before)
    if proposal.same or not (said.apply or agreed):
        _show(console, proposal, before, said)
        return
    seen = agreed and not proposal.lacking
    faces: tuple[int | None, ...] | None = None
    if proposal.lacking and (spoken.ask or console.asks):
        asked = Asked(spoken.ask or Hand(), Program(book.store, head), hand)
        proposal = propose(book, head, amendment, Fresh(spoken.later, asked), instead)
        faces = tuple(asked.faces)

    def check(worked_out: Proposal) -> None:
        _check_complete(worked_out, said)
        if not seen:
            _check_losses(console, worked_out, said, before)

    def new(program: Source) -> Fresh:
        return Fresh(spoken.later, Rolls(hand, program) if faces is None else Typed(faces, program))

    recorded, last = record(book, proposal, order, new, check)
    if seen:
        console.say(_recorded(head.entry + 1, last))
        _say_losses(console, recorded)
    else:
        _show(console, recorded, before, said, head.entry + 1, last)
    if not console.json:
        for entry in _possible_again(book, recorded):
            console.whisper(f"e{entry} was lost by an earlier amendment, and is possible again.")
            console.whisper(f"Try: affray amend e{entry} --apply", whole=True)


def _possible_again(book: Book, recorded: Proposal) -> list[int]:
    """The entries that were lost by an amendment whose course this one takes over, and that can be put in again."""
    store, head = book.store, book.store.head()
    commands = dict.fromkeys(store.entry(entry).command for entry in recorded.course.gone)
    over, meant = set[int](), set[int]()
    for command in commands:
        declared, *events = events_of(store.entry(command))
        over |= {entry for event in events if isinstance(event, Retracted) for entry in event.entries}
        if isinstance(declared, Declared) and declared.said.get("drop"):
            meant.add(store.entry(number(declared.said["entry"])).origin)
    found = {store.entry(entry).origin for entry in over} - meant
    return [entry for entry in sorted(found) if _could_stand(book, head, entry)]


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
        course = entries(proposal.course, proposal.declared, proposal.start, proposal.results)
        last = book.write(head, list(course), order)
    book.remember(last, proposal.end)
    return proposal, last.entry


# Dice that nobody has thrown


def _dice(book: Book, head: Head, said: Amend) -> Spoken:
    """What --dice says: faces in a row, those after eN: for the entry eN. Raises UsageError when it cannot be read."""
    if not said.dice:
        _, ask = read_dice(None)
        return Spoken(ask=ask)
    *words, last = said.dice.split(",")
    source = read_dice(last)[1] if last.startswith("ask") else None
    rolls = last == "roll"
    faces: dict[int, list[str]] = {}
    at = 0
    for word in words if source or rolls else (*words, last):
        name, colon, face = word.strip().rpartition(":")
        if colon and not is_entry(name):
            raise UsageError(f"{word[:20]!a} is not a face of a die.", "For another entry: --dice 9,9,e12:6")
        at = _target(book, head, book.check_entry(number(name))).entry if colon else at
        faces.setdefault(at, []).append(face)
    read = {entry: read_dice(",".join(words))[0] or () for entry, words in faces.items()}
    return Spoken(() if said.insert else read.pop(0, ()), read, source, rolls)


def _by_hand(book: Book, head: Head, state: State, spoken: Spoken, entry: int) -> Callable[[Question], bool]:
    """Whether a missing die is thrown by hand: as it was said, else by the option `hand_dice`, else as the last die of
    the same roller was, since the amended entry or in the `HABITS` before it; of one who rolled none there, as that of
    its side, or of anybody.
    """
    if spoken.roll:
        return lambda _: False
    if spoken.ask:
        return partial(by_hand, state, spoken.ask.side)
    if side := state.campaign.options.get("hand_dice"):
        return partial(by_hand, state, str(side))
    habits: dict[str, bool] = {}

    def known(question: Question) -> bool:
        if not habits:
            habits[""] = False
            for one, _ in book.store.entries(max(1, entry - HABITS), head.entry):
                for event in events_of(one):
                    if isinstance(event, Rolled) and event.faces:
                        rollers = ("", event.who, *sides_of(state, event.who))
                        habits.update(dict.fromkeys(rollers, not all(event.places)))
        return next(habits[name] for name in (question.who, *sides_of(state, question.who), "") if name in habits)

    return known


def _with_dashes(said: Amend, proposal: Proposal) -> Amend:
    """The same amendment with a dash for each die that is still needed: each may be replaced by a face. Where the
    program was told to roll them, it rolls them once the amendment is applied.
    """
    spoken = said.dice.split(",") if said.dice else []
    if spoken[-1:] == ["roll"]:
        return replace(said, apply=True)
    if spoken and spoken[-1].startswith("ask"):
        spoken.pop()
    result = proposal.results[-1]
    entry = result.act.entry or result.act.puts_in or 0
    missing = sum(len(parse(roll.dice)[0]) for roll in result.new)
    groups: dict[str, list[str]] = {"": []}
    at = ""
    for word in spoken:
        name, colon, face = word.strip().rpartition(":")
        at = name if colon else at
        groups.setdefault(at, []).append(face)
    own = not entry or (entry == proposal.amendment.entry and bool(groups[""]) and not said.insert)
    group = groups.setdefault("" if own else f"e{entry}", [])
    group += ["-"] * (missing - group.count("-"))
    words = [f"{name}:{','.join(faces)}" if name else ",".join(faces) for name, faces in groups.items() if faces]
    return replace(said, dice=",".join(words), apply=True)


def _faces_by_hand(act: Act) -> list[int]:
    """The faces of an entry that were thrown by hand."""
    rolls = [event for event in act.before if isinstance(event, Rolled)]
    return [face for roll in rolls for face, place in zip(roll.faces, roll.places, strict=True) if not place]


# What would be lost


def _check_complete(proposal: Proposal, said: Amend) -> None:
    """Raises Needed with the dice that nobody has thrown."""
    if proposal.lacking:
        needed = Needed(list(proposal.lacking))
        act = proposal.results[-1].act
        needed.message = f"More dice are needed: {_named(act)} lacks {listed(proposal.lacking)}."
        needed.args = (needed.message,)
        way = typed("amend", _with_dashes(said, proposal))
        needed.hint = f"{way}\nPut a face in place of each dash; Affray rolls what stays a dash."
        raise needed


def _named(act: Act) -> str:
    """An action in the words of a report."""
    if act.puts_in is not None:
        before = f"e{act.puts_in}" if act.puts_in else "what is put in"
        return f"what comes before {before} ({act.declared.verb})"
    return f"e{act.entry}" if act.entry else "what is put in"


def _check_losses(console: Console, proposal: Proposal, said: Amend, present: State) -> None:
    """Asks on a terminal whether the entries may be lost that are no longer possible; elsewhere --lose says it. Raises
    UsageError when they may not.
    """
    losses = proposal.losses()
    if len(losses) == said.lose:
        return
    if console.asks and not said.lose:
        _show_course(console, proposal)
        _show_end(console, proposal, present)
        if console.agrees(f"{_counted(losses, 'are')} Append this course all the same?"):
            return
        raise UsageError("Nothing was amended.")
    if not losses:
        raise UsageError(f"No entry would be lost, and --lose says {said.lose}.", typed("amend", replace(said, lose=0)))
    way = typed("amend", replace(said, apply=True, lose=len(losses)))
    error = UsageError(_counted(losses, "would be"), "\n".join([way, *(loss.way for loss in losses)]))
    error.data = {"losses": [to_builtins(loss) for loss in losses]}
    raise error


MOST_NAMED = 8
"""How many losses are named in one sentence."""


def _counted(losses: Sequence[Loss], are: str) -> str:
    """How many entries are lost, and why."""
    named = ", ".join(f"e{loss.entry} ({loss.why.rstrip('.')})" for loss in losses[:MOST_NAMED])
    more = f" and {len(losses) - MOST_NAMED} more" if len(losses) > MOST_NAMED else ""
    are = "is" if are == "are" and len(losses) == 1 else are
    return f"{len(losses)} {'entry' if len(losses) == 1 else 'entries'} {are} lost: {named}{more}."


def _loss(result: Result, thrown: Callable[[Act], Dice]) -> Loss:
    """What is lost, and the command that puts it in again: after what its refusal offers, or by the referee's word."""
    refused, act = result.refused, result.act
    assert refused
    again = "" if act.declared.instant else _again(result, thrown)
    verbs = systems.recorded(result.state.campaign.system)
    note = quoted(f"note {quoted(headline(act.declared, verbs)[:LONGEST_NOTE])}")
    hint = f"affray amend e{act.entry} {again or f'--as {note}'} --apply"
    return Loss(act.entry, refused.message, refused.clause, hint, saved=bool(again))


LONGEST_NOTE = 200
"""The most characters of a lost entry that a note keeps."""


def _again(result: Result, thrown: Callable[[Act], Dice]) -> str:
    """The options with which a lost entry is put in again; "" when nothing makes it possible."""
    refused, act = result.refused, result.act
    if found := _offered(result, thrown):
        words = typed(found.verb, found.declaration, found.allow).removeprefix("affray ")
        return f"--insert {quoted(words)}"
    for why in REASONS if isinstance(refused, Refused) else ():
        if _possible(result.state, replace(act, declared=replace(act.declared, allow=why)), thrown):
            return f"--allow '{why}'"
    return ""


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


# What is meant


def _amendment(book: Book, head: Head, said: Amend, spoken: Spoken) -> Amendment:
    """The amendment in the words of the command. Raises UsageError when they do not make one."""
    entry, words = _meant(book, head, said)
    target = _target(book, head, entry)
    place = target.entry if stands(book.store, tip(book.store, head.entry), target.entry) else 0
    before = book.state_at(book.store.after(place or target.entry))
    if said.drop and (words or said.as_ is not None or spoken.own or said.insert or not place):
        raise UsageError("--drop cannot be combined with a correction or --insert.", "affray amend --help")
    verb, change, allow = _correction(target, before, words, said.as_)
    was, faces = _faces_by_hand(target), spoken.own
    true = [face if true is None else true for face, true in zip(was, faces, strict=False)]
    if true != was[: len(true)] and not said.because:
        raise UsageError("A correction of dice needs a reason.", 'Say --because "the 6 was a 9".')
    inserted = tuple(_inserted(before, command) for command in said.insert)
    return Amendment(target.entry, change, verb, allow, said.drop, inserted, faces, plain(said.because))


def _meant(book: Book, head: Head, said: Amend) -> tuple[int, Sequence[str]]:
    """The entry to correct, and the words of the correction. Without an entry it is the last command that stands."""
    if said.entry == LAST:
        return tip(book.store, head.entry), said.words
    if said.entry.startswith("--"):
        return tip(book.store, head.entry), (said.entry, *said.words)
    if not is_entry(f"e{said.entry.removeprefix('e')}"):
        raise UsageError(f"{said.entry[:40]!a} is no entry.", "Name one such as e42; without one, the last is meant.")
    return book.check_entry(number(said.entry)), said.words


def amended(console: Console, entry: str) -> type[Declaration]:
    """What the verb of the amended entry declares; without an entry that of the last command. Raises UsageError when
    there is no such action.
    """
    head, state = console.book.present()
    target = _target(console.book, head, _meant(console.book, head, Amend(entry=entry or LAST))[0])
    return _declaration(target, state.campaign.system)


def _declaration(target: Act, system: str) -> type[Declaration]:
    return systems.procedure(systems.find_verb(system, target.declared.verb))[1]


def _target(book: Book, head: Head, entry: int) -> Act:
    """The action that an entry means: its own, or the one that replaced it in an earlier amendment."""
    store = book.store
    found = act_of(store.entry(entry))
    if found is None or entry == 1:
        raise nothing_to_amend(store, entry)
    if left_out_by(store, head.entry, entry):
        return found
    act = act_of(store.entry(in_its_place(store, head.entry, entry)))
    assert act
    return act


def _correction(
    target: Act, before: State, words: Sequence[str], other: str | None
) -> tuple[str, dict[str, Any], str | None]:
    """The verb that is said instead, if there is one; the fields that really change, with names written in full; and
    the new reason for allowing it.
    """
    system = before.campaign.system
    if other is not None and _is_own_option(target, system, other):
        words, other = (*words, "--as", other), None
    if other is not None:
        if words:
            raise UsageError("--as says the whole command; no other option goes with it.", "affray amend --help")
        put_in = _inserted(before, other)
        return put_in.verb, put_in.said, put_in.allow
    declaration = _declaration(target, system)
    given, allow = corrected(target.declared.verb, declaration, words, system)
    if not given:
        return "", {}, allow
    try:
        wanted = resolve_names(before, convert({**target.declared.said, **to_builtins(given)}, declaration))
    except ValidationError as error:
        raise UsageError(unsaid(error, declaration), f"affray {target.declared.verb} --help") from None
    meant, was = to_builtins(wanted), target.declared.said
    default = to_builtins({field: getattr(wanted, field) for field in given if field not in meant})
    change = {field: meant.get(field, default.get(field)) for field in given}
    return "", {field: value for field, value in change.items() if was.get(field, default.get(field)) != value}, allow


def _is_own_option(target: Act, system: str, words: str) -> bool:
    """Whether --as is an option of the entry's own verb, as that of an attack in FReePG, and not another command."""
    verbs = {**systems.COMMON, **systems.load(system).verbs}
    has = any(field.name == "as_" for field, _ in shapes(_declaration(target, system)))
    return has and systems.verb_of([*words.split(), ""], verbs) not in verbs


def _written_out(console: Console, said: Amend) -> Amend:
    """The command with whole verbs in what is put in or said instead, in place of beginnings of them."""
    system = console.book.present()[1].campaign.system

    def whole(command: str) -> str:
        written = _with_whole_verb(command, system) if command else ""
        console.write_out(command, written)
        return written

    return replace(said, insert=tuple(map(whole, said.insert))) if said.insert else said


def _with_whole_verb(command: str, system: str) -> str:
    """The inserted command, with its verb in place of a beginning of it."""
    said = command.split(maxsplit=1)
    if said[:1] == ["affray"]:
        said = said[1].split(maxsplit=1)
    verb = whole_verb(said[0], system) if said else ""
    return " ".join([verb, *said[1:]]) if verb != "".join(said[:1]) else command


def _inserted(before: State, command: str) -> Inserted:
    """The inserted command, with names written in full."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"The quotes of {command[:40]!a} do not match ({error}).") from None
    words = words[1:] if words[:1] == ["affray"] else words
    if words[:1] and systems.past(words[0]) == "lasts":
        raise UsageError(f"A {words[0]} cannot be put into the past.", f"affray {words[0]} --help")
    order = order_of(words, before.campaign.system)
    if order.dice is not None or order.ask:
        raise UsageError("Give its dice to the amendment.", "--dice 14,6")
    return Inserted(order.verb, to_builtins(resolve_names(before, order.declaration)), order.allow, order.secret)


def _ways_on(book: Book, head: Head, said: Amend, refused: AffrayError) -> str:
    """What to say instead, as an amendment; a command that would go on from that moment comes too late.

    What a refusal offers is tried in place of what was put in, and then the same with --allow.
    """
    lines = refused.hint.splitlines()
    others: list[Amend] = []
    if said.insert:
        verbs = [command.removeprefix("affray ").split(" ")[0] for command in said.insert]
        offered = [(n, line) for n, verb in enumerate(verbs) for line in lines if line.startswith(f"affray {verb} ")]
        instead = [(n, line.removeprefix("affray ")) for n, line in offered]
        instead += [(n, f"{command} --allow '{why}'") for why in REASONS for n, command in enumerate(said.insert)]
        others = [replace(said, insert=(*said.insert[:n], one, *said.insert[n + 1 :])) for n, one in instead]
    elif said.as_ and isinstance(refused, Refused):
        others = [replace(said, as_=f"{said.as_} --allow '{why}'") for why in REASONS]
    elif isinstance(refused, Refused):
        others = [replace(said, words=(*said.words, "--allow", why)) for why in REASONS]
    for other in others:
        try:
            spoken = _dice(book, head, other)
            propose(book, head, _amendment(book, head, other, spoken), Fresh(spoken.later, Rolls(lambda _: True, None)))
        except AffrayError:
            continue
        return typed("amend", other)
    return "\n".join(line for line in lines if not line.startswith("affray "))


REASONS = ("the reason", f"{ALL}: the reason")
"""What is put behind a command that a rule refuses, or several do, with --allow."""


# What is shown


def _agreed(console: Console, proposal: Proposal, present: State) -> bool:
    """Whether somebody at a terminal says yes to the preview."""
    if proposal.same or not (console.asks and sys.stdout.isatty()):
        return False
    _show_course(console, proposal)
    _show_end(console, proposal, present)
    return console.agrees("Append this course in place of the old one?")


def _show(console: Console, proposal: Proposal, present: State, said: Amend, command: int = 0, last: int = 0) -> None:
    """Prints how each entry and the board change, and which entries were recorded."""
    if console.json:
        console.give(_as_json(proposal, present, said, command, last))
        return
    _show_course(console, proposal, command)
    _show_end(console, proposal, present)
    if last:
        console.say(_recorded(command, last))
        _say_losses(console, proposal)
    elif proposal.same:
        console.whisper("Nothing would change, so there is nothing to record.")
    else:
        losses = proposal.losses()
        if losses:
            console.say(harmless(_counted(losses, "would be")))
            for loss in losses:
                console.whisper(harmless(loss.way), whole=True)
        console.whisper("Nothing was recorded. With --apply the new course replaces the old one.")
        if proposal.lacking or losses:
            console.whisper(harmless(f"Try: {_way(proposal, said, losses)}"), whole=True)


def _way(proposal: Proposal, said: Amend, losses: Sequence[Loss]) -> str:
    """The command that goes on from a preview."""
    if proposal.lacking:
        return typed("amend", _with_dashes(said, proposal))
    return typed("amend", replace(said, apply=True, lose=len(losses)))


def _say_losses(console: Console, proposal: Proposal) -> None:
    """How each lost entry is put in again, after the new course was recorded."""
    for loss in proposal.losses():
        console.whisper(harmless(f"e{loss.entry} is lost: {loss.why}"))
        console.whisper(harmless(f"Try: {loss.hint}" if loss.saved else loss.way), whole=True)


def _recorded(command: int, last: int) -> str:
    return f"Amended. The new course is {_run(command, last)}; affray undo takes back the whole amendment."


def _run(first: int, last: int) -> str:
    return f"e{first}" if first == last else f"e{first} to e{last}"


def _show_course(console: Console, proposal: Proposal, command: int = 0) -> None:
    verbs = console.book.verbs
    for act in proposal.course.dropped:
        console.say(f"{console.paint(f'e{act.entry}', '1')}  left out: {harmless(headline(act.declared, verbs))}")
    same: list[int] = []
    entry = command
    for result in proposal.results:
        if result.same and not result.program and result.act.entry in proposal.course.gone:
            same.append(result.act.entry)
            entry += 1
            continue
        _show_same(console, same)
        entry += bool(result.events)
        _show_result(console, result, verbs, entry if command else 0)
    _show_same(console, same)
    if proposal.lacking and (rest := len(proposal.course.acts) - len(proposal.results)):
        console.say(f"     {rest} more {'entry depends' if rest == 1 else 'entries depend'} on these dice.")


def _show_same(console: Console, same: list[int]) -> None:
    if same:
        together = f"  ({len(same)} entries)" if len(same) > 1 else ""
        console.say(f"{console.paint(_run(same[0], same[-1]), '1')}  the same{together}")
        same.clear()


def _show_result(console: Console, result: Result, verbs: Mapping[str, systems.Verb], entry: int) -> None:
    act = result.act
    name = console.paint(f"e{act.entry}" if act.entry else "new", "1")
    now = f", now e{entry}" if entry and result.events else ""
    if act.puts_in is not None:
        name = console.paint("new", "1")
        what = (
            f"{name}  the table went on{f', now e{entry}' if entry else ''}: {harmless(headline(act.declared, verbs))}"
        )
        console.say(f"{what}  ({harmless(act.why.rstrip('.'))})")
        if result.lacking:
            console.say(f"     needs new dice: {harmless(listed(result.new))}")
        for line in differing_lines((), result.events, verbs)[1][1:]:
            console.say(f"  +  {harmless(line)}")
    elif result.refused:
        gone = "falls away" if result.moot else "no longer possible"
        console.say(f"{name}  {gone}: {harmless(headline(act.declared, verbs))}")
        console.say(f"     {harmless(result.refused.heading() + result.refused.message)}")
        if result.unseen:
            console.say("     Its action needs new dice. After they are thrown, insert it again: amend ... --insert")
    elif result.lacking:
        console.say(f"{name}  needs new dice: {harmless(headline(act.declared, verbs))}")
        console.say(f"     {harmless(listed(result.new))}")
    elif result.program:
        console.say(f"{name}  as recorded{now}, by the rules of {rules_named(result.program)}")
    else:
        was, now_told = ([one.outcome for one in told(events, verbs)][:1] for events in (act.before, result.events))
        both = f": {was[0]}" if was and was == now_told else ""
        old, new = differing_lines(act.before, result.events, verbs)
        again = "the same, put in again" if result.same else "different"
        if not (result.same or old or new):
            again = "different only in what a log does not tell"
        console.say(f"{name}  {again if act.entry else 'put in'}{now}{harmless(both)}")
        if act.why:
            console.say(f"     the table went on: {harmless(act.why)}")
        for line in old:
            console.say(console.paint(f"  -  {harmless(line)}", "2"))
        for line in new:
            console.say(f"  +  {harmless(line)}")
        for question, face in result.aside:
            rolled = f"{question.who or 'the table'}'s {face} (d{question.sides} for {question.purpose})"
            console.say(f"     put aside: {harmless(rolled)}")


def _show_end(console: Console, proposal: Proposal, present: State) -> None:
    if proposal.lacking:
        return
    for name, old, new in _changes(present, proposal.end):
        console.say(harmless(f"at the end  {name}: {old} -> {new}"))


def _changes(present: State, end: State) -> list[tuple[str, str, str]]:
    """What differs at the end: name, value before, value after. What the dead could still have done says nothing."""
    dead = [who for who, fall in end.harm.down.items() if fall.how == "dead"]
    idle = {f"{who}.{kind}" for who in dead for state in (present, end) for kind in state.points.of.get(who, {})}
    return [change for change in between(present, end) if change[0] not in idle]


def _as_json(proposal: Proposal, present: State, said: Amend, command: int, last: int) -> dict[str, Any]:
    entry, verbs = command, systems.recorded(present.campaign.system)
    course: list[dict[str, Any]] = [
        {"entry": act.entry, "outcome": "left out", "before": told(act.before, verbs)}
        for act in proposal.course.dropped
    ]
    for result in proposal.results:
        entry += bool(result.events)
        refused = result.refused
        course.append(
            {
                "entry": result.act.entry or None,
                "outcome": _word(result),
                "now": entry if command and result.events else None,
                "before": told(result.act.before, verbs),
                "after": told(result.events, verbs),
                "clause": refused.clause if isinstance(refused, Refused) else None,
                "why": refused.message if refused else None,
                "needs": [
                    {"who": roll.who, "dice": roll.dice, "purpose": roll.purpose, "about": roll.about}
                    for roll in result.new
                    if result.lacking
                ],
                "aside": [
                    {"who": question.who, "purpose": question.purpose, "sides": question.sides, "face": face}
                    for question, face in result.aside
                ],
            }
        )
    changes = [] if proposal.lacking else _changes(present, proposal.end)
    losses = proposal.losses()
    return {
        "ok": True,
        "entry": command or None,
        "last": last or None,
        "course": course,
        "losses": [to_builtins(loss) for loss in losses],
        "try": "" if last or proposal.same else _way(proposal, said, losses),
        "changes": [{"name": name, "before": old, "after": new} for name, old, new in changes],
    }


def _word(result: Result) -> str:
    if result.refused:
        return "falls away" if result.moot else "no longer possible"
    if result.lacking:
        return "needs new dice"
    if result.act.puts_in is not None:
        return "went on"
    if result.program:
        return "as recorded"
    return "same" if result.same else "different" if result.act.entry else "put in"
