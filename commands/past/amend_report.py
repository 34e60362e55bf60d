"""What is shown of an amendment: how each entry changes, what is lost, and what to type next."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.book import Book
from commands.action.procedures import typed
from commands.action.resolution import listed
from commands.action.systems import rules_named
from commands.words.console import Console
from commands.words.screen import harmless
from ledger.errors import Refused
from projections.changes import between
from projections.declarations import headline
from projections.narration import told
from projections.state import State

from .amend_dashes import with_dashes
from .amend_proposal import Loss, Proposal
from .amend_words import Amend
from .rerun import Result, differing_lines


def show(
    console: Console,
    proposal: Proposal,
    present: State,
    said: Amend,
    command: int = 0,
    last: int = 0,
    again: Sequence[int] = (),
) -> None:
    """Prints how each entry and the board change, and which entries were recorded; in JSON also which ones that were
    lost before are possible again.
    """
    if console.json:
        console.give(_as_json(console.book, proposal, present, said, command, last, again))
        return
    show_course(console, proposal, command)
    show_end(console, proposal, present)
    if last:
        console.say(recorded_as(command, last))
        say_losses(console, proposal)
    elif proposal.same:
        console.whisper("Nothing would change, so there is nothing to record.")
    else:
        losses = proposal.losses()
        if losses:
            console.say(harmless(counted(losses, "would be")))
            for loss in losses:
                console.whisper(harmless(loss.way), whole=True)
        console.whisper("Nothing was recorded. With --apply the new course replaces the old one.")
        if proposal.lacking or losses:
            console.whisper(harmless(f"Try: {_way(console.book, proposal, present, said, losses)}"), whole=True)


def _way(book: Book, proposal: Proposal, present: State, said: Amend, losses: Sequence[Loss]) -> str:
    """The command that goes on from a preview."""
    if proposal.lacking:
        return typed("amend", with_dashes(book, said, proposal, present, rolled=False))
    return typed("amend", replace(said, apply=True, lose=len(losses)))


def say_losses(console: Console, proposal: Proposal) -> None:
    """How each lost entry is put in again, after the new course was recorded."""
    for loss in proposal.losses():
        console.whisper(harmless(f"e{loss.entry} is lost: {loss.why}"))
        console.whisper(harmless(f"Try: {loss.hint}" if loss.saved else loss.way), whole=True)


def say_again(console: Console, again: Sequence[int]) -> None:
    """Which entries that were lost by earlier amendments are possible again, and how each is put in."""
    for entry in again:
        console.whisper(f"e{entry} was lost by an earlier amendment, and is possible again.")
        console.whisper(f"Try: {_put_in(entry)}", whole=True)


def _put_in(entry: int) -> str:
    """The command that puts in again what was lost."""
    return f"affray amend e{entry} --apply"


def recorded_as(command: int, last: int) -> str:
    """That the amendment is recorded, and as which entries."""
    return f"Amended. The new course is {_run(command, last)}; affray undo takes back the whole amendment."


def _run(first: int, last: int) -> str:
    return f"e{first}" if first == last else f"e{first} to e{last}"


_MOST_NAMED = 8
"""How many losses are named in one sentence."""


def counted(losses: Sequence[Loss], are: str) -> str:
    """How many entries are lost, and why."""
    named = ", ".join(f"e{loss.entry} ({loss.why.rstrip('.')})" for loss in losses[:_MOST_NAMED])
    more = f" and {len(losses) - _MOST_NAMED} more" if len(losses) > _MOST_NAMED else ""
    are = "is" if are == "are" and len(losses) == 1 else are
    return f"{len(losses)} {'entry' if len(losses) == 1 else 'entries'} {are} lost: {named}{more}."


def show_course(console: Console, proposal: Proposal, command: int = 0) -> None:
    """Prints what becomes of each entry; with the entry of the amendment, once it is recorded, also as which."""
    verbs = console.book.verbs
    for act in proposal.course.dropped:
        console.say(f"{console.paint(f'e{act.entry}', '1')}  left out: {harmless(headline(act.declared, verbs))}")
    same: list[int] = []
    after = dict(pairwise(act.entry for act in proposal.course.stood))
    entry = command
    for result in proposal.results:
        if result.same and not result.program and result.act.entry in proposal.course.gone:
            if same and after.get(same[-1]) != result.act.entry:  # it stands elsewhere now
                _show_same(console, same)
            same.append(result.act.entry)
            entry += 1
            continue
        _show_same(console, same)
        entry += bool(result.events)
        _show_result(console, result, verbs, entry if command else 0)
    _show_same(console, same)
    reached = sum(result.act.puts_in is None for result in proposal.results)
    if proposal.lacking and (rest := len(proposal.course.acts) - reached):
        console.say(f"     {rest} more {'entry depends' if rest == 1 else 'entries depend'} on these dice.")


def _show_same(console: Console, same: list[int]) -> None:
    if same:
        together = f"  ({len(same)} entries)" if len(same) > 1 else ""
        console.say(f"{console.paint(_run(same[0], same[-1]), '1')}  the same{together}")
        same.clear()


def _show_result(console: Console, result: Result, verbs: Mapping[str, cards.Verb], entry: int) -> None:
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
        by = result.refused.heading() if isinstance(result.refused, Refused) else ""
        console.say(f"     {harmless(by + result.refused.message)}")
    elif result.lacking:
        console.say(f"{name}  needs new dice: {harmless(headline(act.declared, verbs))}")
        console.say(f"     {harmless(listed(result.new))}")
    elif result.program:
        console.say(f"{name}  as recorded{now}, by the rules of {rules_named(result.program)}")
    else:
        was, now_told = ([one.outcome for one in told(events, verbs)][:1] for events in (act.before, result.events))
        both = f": {was[0]}" if was and was == now_told else ""
        old, new = differing_lines(act.before, result.events, verbs)
        if console.short and (outcomes := [_outcomes(lines) for lines in (old, new)]) != [[], []]:
            old, new = outcomes
        again = "the same, put in again" if result.same else "different"
        if not (result.same or old or new):
            again = "it reads the same; only what no log shows differs"
        console.say(f"{name}  {again if act.entry else 'put in'}{now}{harmless(both)}")
        if act.why:
            why = "out of the order as corrected" if act.declared.out_of_order else "the table went on"
            console.say(f"     {why}: {harmless(act.why)}")
        for line in old:
            console.say(console.paint(f"  -  {harmless(line)}", "2"))
        for line in new:
            console.say(f"  +  {harmless(line)}")
    for question, face in result.aside:
        rolled = f"{question.who or 'the table'}'s {face} (d{question.sides} for {question.purpose})"
        console.say(f"     put aside: {harmless(rolled)}")


def _outcomes(lines: Sequence[str]) -> list[str]:
    """The lines that are no arithmetic."""
    return [line for line in lines if not line.startswith(" ")]


def show_end(console: Console, proposal: Proposal, present: State) -> None:
    """Prints what differs at the end, once all dice are known."""
    if proposal.lacking:
        return
    for name, old, new in _changes(proposal, present):
        console.say(harmless(f"at the end  {name}: {old} -> {new}"))
    names = proposal.names()
    for old in present.roster.order:
        new = names.get(old, old)
        if new not in proposal.end.roster.members:
            console.say(harmless(f"{old}, who is not there now"))
        elif new != old:
            console.say(harmless(f"{old}, who is {new} now"))


def _changes(proposal: Proposal, present: State) -> list[tuple[str, str, str]]:
    """What differs at the end: name, value before, value after, with everybody named as there. What the dead could
    still have done says nothing.
    """
    present, end = present.under(proposal.names()), proposal.end
    dead = [who for who, fall in end.harm.down.items() if fall.how == "dead"]
    idle = {f"{who}.{kind}" for who in dead for state in (present, end) for kind in state.points.of.get(who, {})}
    return [change for change in between(present, end) if change[0] not in idle]


def _as_json(
    book: Book, proposal: Proposal, present: State, said: Amend, command: int, last: int, again: Sequence[int]
) -> dict[str, Any]:
    entry, verbs = command, systems.recorded_verbs(present.campaign.system)
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
    changes = [] if proposal.lacking else _changes(proposal, present)
    losses = proposal.losses()
    return {
        "ok": True,
        "entry": command or None,
        "last": last or None,
        "course": course,
        "losses": [to_builtins(loss) for loss in losses],
        "try": "" if last or proposal.same else _way(book, proposal, present, said, losses),
        "changes": [{"name": name, "before": old, "after": new} for name, old, new in changes],
        "again": [{"entry": entry, "hint": _put_in(entry)} for entry in again],
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
