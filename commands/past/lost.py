"""What an amendment loses and how it is put in again, and what is refused and how else it is said."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.dice_sources import Dice, unthrown
from commands.action.procedures import any_dice, tried, way_on
from commands.action.quoting import quoted
from commands.action.resolution import ALL, REASON, Resolution
from commands.words.command_lines import typed
from commands.words.next_steps import handed_over
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Retracted, WaitingEnded
from ledger.store import Head, Store
from projections.declarations import headline
from projections.state import State

from .acts import Act, act_of, declarers, said_by
from .amend_proposal import Amendment, Proposal, left_out_by, recorded_amendment, revision
from .amend_words import Amend, amendment_of, dice_said
from .course import moved
from .lacking_dice import worked_out
from .order import Course
from .rerun import Result
from .thrown import Falls
from .walls import MOST_PASSES, Moment, Stretch, round_of, segment_of


class Loss(Struct, frozen=True):
    """An entry that would be lost."""

    entry: int
    why: str
    clause: str
    hint: str
    """What puts it in again, once the new course is recorded; where nothing does, what keeps it as a note."""
    saved: bool
    """Whether the hint puts it in again."""
    behind: int = 0
    """The lost entry that is to be put in again before it, with what both need; 0 for none."""

    def way(self, recorded: bool = False) -> str:
        """What can be done, in words."""
        once = "" if recorded else " once this is recorded"
        if self.saved and recorded and not self.behind:
            return f"Try: {self.hint}"
        if self.saved:
            once = f" once e{self.behind} is back" if self.behind else once
            return f"To restore e{self.entry}{once}: {self.hint}"
        return f"Nothing restores e{self.entry}. To keep it as a note{once}: {self.hint}"


def possible_again(book: Book, recorded: Proposal) -> list[int]:
    """The entries that were lost by an amendment whose course this one takes over, and that can be put in again."""
    store, over = book.store, dict[int, int]()
    for command in dict.fromkeys(store.entry(entry).command for entry in recorded.course.gone):
        gone = moved(events_of(store.entry(command)), Retracted)
        over |= {store.entry(entry).origin: entry for entry in gone}
    return [entry for _, entry in sorted(over.items()) if _could_stand(book, store.head(), entry)]


def _could_stand(book: Book, head: Head, entry: int) -> bool:
    """Whether an entry that an amendment left out, and not on purpose, is an action that is possible where it has its
    place.
    """
    store, act = book.store, act_of(book.store.entry(entry))
    if act is None or act.declared.instant or not (number := left_out_by(store, head.entry, entry)):
        return False
    by = recorded_amendment(store, number)
    on_purpose = by.drop and store.entry(by.entry).origin == act.origin
    if on_purpose or systems.find_verb(book.present()[1].campaign.system, act.declared.verb).lets_go:
        return False
    course = revision(store, head.entry, Amendment(entry))
    at = [one.entry for one in course.acts].index(entry)
    return _possible(book.state_at(course.after), course.acts[at], course.thrown)


def losses_of(store: Store, proposal: Proposal) -> list[tuple[Result, Loss]]:
    """What is lost, and the command that puts it in again: after what its refusal offers, or by --allow. What is put in
    before one of them may do for others. Last what was declared, and goes with a pass.
    """
    thrown, found, first = proposal.course.thrown, list[tuple[Result, Loss]](), dict[tuple[str, str], int]()
    when = proposal.course.when(proposal.start) if any(result.lost for result in proposal.results) else {}
    for at, result in enumerate(proposal.results):
        if not result.lost:
            continue
        refused, act, behind = result.refused, result.act, 0
        assert refused
        before = None if act.declared.instant else _offered(result, thrown, when.get(act.entry))
        options = None if act.declared.instant else _options(result, thrown, before)
        if before and options:
            since = first.setdefault((options, refused.message), at)
            if since < at and _is_behind(proposal, since, at, Act(said_by(before))):
                behind, options = proposal.results[since].act.entry, ""
        if options is not None and not behind and (overtook := _overtook(proposal, at)):
            options = f"{options} --after e{overtook}".lstrip()
        hint = _line(act.entry, _as_note(result) if options is None else options)
        found.append((result, Loss(act.entry, refused.message, refused.clause, hint, options is not None, behind)))
    return [*found, *_let_go(store, proposal)]


def _let_go(store: Store, proposal: Proposal) -> Iterator[tuple[Result, Loss]]:
    """What somebody had declared and loses as they pass where the table went on, each with what is said in place of
    that pass.
    """
    course, before, now = proposal.course, proposal.start, proposal.head.entry + 1
    for at, result in enumerate(proposal.results):
        now += bool(result.events)
        put_in = result.events if result.act.puts_in is not None else ()
        gone = [event for event in put_in if isinstance(event, WaitingEnded) and event.how == "lost"]
        since = (replace(one.act, before=one.events) for one in reversed(proposal.results[:at]))
        then = next((one.act for one in proposal.results[at:] if one.act.puts_in is None), None)
        for act in declarers(store, gone, "lost", course.after, since):
            lost = Result(act, before, refused=UsageError(result.act.why))
            instead = _keeping(before, gone, then, course.thrown) if then else None
            said = f"--as {_said(instead)}" if instead else _as_note(lost)
            hint = _line(now if instead else act.entry, said)
            if act.entry:
                yield lost, Loss(act.entry, result.act.why, "", hint, bool(instead))
        before = result.state


def _keeping(state: State, gone: Sequence[WaitingEnded], then: Act, thrown: Falls) -> Resolution | None:
    """What an act that is held up offers to those who have declared something, by which they keep it."""
    refused = next(Course((then,), thrown, lambda _: any_dice()).results(state)).refused
    for found in _tried(state, refused) if refused else ():
        keeps = all(found.state.pending.of(one.kind, one.who) for one in gone)
        theirs = getattr(found.declaration, "who", "") in {one.who for one in gone}
        if keeps and theirs and _possible(state, Act(said_by(found)), thrown, then):
            return found
    return None


def _line(entry: int, options: str) -> str:
    """The amendment of an entry, as it is typed."""
    return " ".join(filter(None, ("affray amend", f"e{entry}", options, "--apply")))


def _said(found: Resolution) -> str:
    """A command as an option takes it."""
    return quoted(typed(found.verb, found.declaration, found.allow).removeprefix("affray "))


def _as_note(lost: Result) -> str:
    """The option that keeps a lost entry as a note."""
    verbs = systems.recorded_verbs(lost.state.campaign.system)
    return f"--as {quoted(f'note {quoted(headline(lost.act.declared, verbs)[:_LONGEST_NOTE])}')}"


def _overtook(proposal: Proposal, at: int) -> int:
    """The entry right before a result in the corrected course, where another one stands right after it than the one
    before which it would be put in again; 0 for none.
    """
    order = [act.entry for act in proposal.course.acts if act.entry]
    stand = [one.act.entry if one.events else 0 for one in proposal.results]
    later = order[order.index(proposal.results[at].act.entry) + 1 :]
    overtaken = next(filter(None, stand[at:]), 0) != next((entry for entry in later if entry in stand), 0)
    return next(filter(None, (*reversed(stand[:at]), proposal.course.after))) if overtaken else 0


def _is_behind(proposal: Proposal, since: int, at: int, before: Act) -> bool:
    """Whether something that is put in before one result does for a later one: it needs no dice, what stands between
    them is possible then, and nobody has passed.
    """
    if any(one.act.puts_in is not None for one in proposal.results):
        return False
    between = (one for one in proposal.results[since + 1 : at] if one.events)
    ends = proposal.results[since], proposal.results[at]
    course = [before, *(one.meant or one.act for one in (ends[0], *between, ends[1]))]
    again = [*Course(course, proposal.course.thrown, lambda _: any_dice()).results(proposal.results[since].state)]
    return not again[0].new and not any(one.refused for one in again)


_LONGEST_NOTE = 200
"""The most characters of a lost entry that a note keeps."""


def _options(result: Result, thrown: Falls, before: Resolution | None) -> str | None:
    """The options with which a lost entry is put in again, behind what makes it possible; None when nothing does."""
    refused, act = result.refused, result.meant or result.act
    if before:
        return f"--insert {_said(before)}"
    for why in _REASONS if isinstance(refused, Refused) else ():
        if _possible(result.state, replace(act, declared=replace(act.declared, allow=why)), thrown):
            return f"--allow '{why}'"
    return "" if isinstance(refused, UsageError) and _possible(result.state, act, thrown) else None


def _offered(result: Result, thrown: Falls, moment: Moment | None) -> Resolution | None:
    """What the refusal of an action offers, if the action is possible after it, in the round in which it was done."""
    assert result.refused
    rounds = {round_of(segment_of(result.state))} | ({round_of(moment.before)} if moment else set())
    act = result.meant or result.act
    for found in _tried(result.state, result.refused):
        card = systems.find_verb(result.state.campaign.system, found.verb)
        if (card.by == "gm" and not card.passive) or found.verb == result.act.declared.verb:
            continue
        possible = _possible(result.state, Act(said_by(found)), thrown, act)
        if possible and _round_of(found.state, act, thrown) in rounds:
            return found
    return None


def _tried(state: State, refused: AffrayError) -> Iterator[Resolution]:
    """What comes of each command that a refusal offers, and that works."""
    for way in refused.ways:
        for one in way if isinstance(way, list) else [way]:
            if not isinstance(one, str) and (found := tried(state, *one)):
                yield found


def _round_of(state: State, act: Act, thrown: Falls) -> Stretch:
    """In which round an action is possible that may wait for others: while they have not passed, in none later."""
    for _ in range(MOST_PASSES):
        refused = next(Course((act,), thrown, lambda _: any_dice()).results(state)).refused
        if not (found := way_on(state, refused)):
            break
        here, state = round_of(segment_of(state)), found.state
        if round_of(segment_of(state)) != here:
            break
    return round_of(segment_of(state))


def _possible(state: State, act: Act, thrown: Falls, *then: Act) -> bool:
    """Whether some actions are possible one after another, with any dice where none were thrown; behind the first, one
    that only waits for somebody is.
    """
    results = Course((act, *then), thrown, lambda _: any_dice()).results(state)
    return not any(result.refused and not (nth and result.refused.on) for nth, result in enumerate(results))


_REASONS = (REASON, f"{ALL}: {REASON}")
"""What is put behind a command that a rule refuses, or several do, with --allow."""


def ways_on(book: Book, head: Head, said: Amend, refused: AffrayError) -> str:
    """What to say instead, as an amendment; a command that would go on from that moment comes too late.

    What a refusal offers is tried in place of what was put in, and then the same with --allow.
    """
    state = refused.deed.before if refused.deed else book.present()[1]
    lines = [one.line for one in handed_over(state, refused)]
    found = next((other for other in _instead(said, refused, lines) if _works(book, head, other)), None)
    dropped = replace(said, drop=True, before="", after="", dice="", apply=False, lose=0)
    moved = (said.before or said.after) and not said.words  # where it is moved it cannot be done
    without = [typed("amend", dropped)] if moved and _works(book, head, dropped) else []
    advice = [line for line in lines if not line.startswith("affray ")]
    return "\n".join([*without, *([typed("amend", found)] if found else advice)])


def _instead(said: Amend, refused: AffrayError, lines: Sequence[str]) -> list[Amend]:
    """The amendments that may be possible in place of one that is refused, the nearest first."""
    if said.insert:
        verbs = [command.removeprefix("affray ").split(" ")[0] for command in said.insert]
        offered = [(n, line) for n, verb in enumerate(verbs) for line in lines if line.startswith(f"affray {verb} ")]
        instead = [(n, line.removeprefix("affray ")) for n, line in offered]
        overruled = ((n, f"{command} --allow '{why}'") for why in _REASONS for n, command in enumerate(said.insert))
        instead += overruled if isinstance(refused, Refused) else ()
        return [replace(said, insert=(*said.insert[:n], one, *said.insert[n + 1 :])) for n, one in instead]
    if not isinstance(refused, Refused):
        verb = f"affray {refused.deed.verb} " if refused.deed else "?"
        return [replace(said, as_=line.removeprefix("affray "), words=()) for line in lines if line.startswith(verb)]
    if said.as_:
        return [replace(said, as_=f"{said.as_} --allow '{why}'") for why in _REASONS]
    return [replace(said, words=(*said.words, "--allow", why)) for why in _REASONS]


def _works(book: Book, head: Head, said: Amend) -> bool:
    """Whether an amendment is possible, whatever its missing dice show."""
    try:
        spoken = dice_said(book, head, said)
        worked_out(book, head, amendment_of(book, head, said, spoken), spoken, Dice(unthrown(lambda _: True)))
    except AffrayError:
        return False
    return True
