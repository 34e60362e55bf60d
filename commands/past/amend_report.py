"""Amend: correct an entry, show what becomes of everything since, and record the new course when asked."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from commands.action import cards, systems
from commands.action.book import Order
from commands.action.dice_sources import Dice, program, unthrown
from commands.action.resolution import Needed, listed
from commands.action.systems import rules_named
from commands.words.command_lines import typed
from commands.words.console import Console
from commands.words.dice_words import Hand
from commands.words.screen import harmless
from ledger.dice import parse
from ledger.errors import AffrayError, Refused, UsageError
from ledger.events import Declared, Event, Rolled, encode, whose
from projections.changes import between
from projections.declarations import headline
from projections.narration import ASIDE, deeds_first, told
from projections.pending import Counts
from projections.state import State

from .acts import Act, changed_sheets, declarers
from .amend_proposal import Proposal, check_unsaid, record
from .amend_words import Amend, amendment_of, dice_said, entry_meant, hand_of, written_out
from .course import renumbered
from .lacking_dice import worked_out
from .lost import Loss, losses_of, possible_again, ways_on
from .rerun import Result, differing_lines, differs


def amend(console: Console, said: Amend) -> None:
    """Shows what the correction would do; records it with --apply or after a yes."""
    book = console.book
    said = written_out(console, said)
    order = Order("amend", said, console.typed, once=said.once)
    if said.once and (entry := book.store.recorded(said.once)):
        console.tell(book.repeat(order, entry))
        return
    head, before = book.present()
    systems.load(before.campaign.system)
    spoken = dice_said(book, head, said)
    amendment = amendment_of(book, head, said, spoken, console.file)
    named, _ = entry_meant(book, head, said)
    if named != amendment.entry and not console.json:
        console.say(console.paint(renumbered(named, amendment.entry), "2"))
    hand = hand_of(book, head, before, spoken, amendment.entry)
    work_out = partial(worked_out, book, head, amendment, spoken)
    instead = partial(ways_on, book, head, said)
    report = Report(console, said, before, work_out(Dice(unthrown(hand)), instead))
    check_unsaid(book, report.proposal)
    agreed = not (said.apply or report.proposal.same) and console.asks and sys.stdout.isatty() and report.agreed()
    if report.proposal.same or not (said.apply or agreed):
        report.show()
        return
    seen, dice = agreed and not report.proposal.lacking, Dice(unthrown(hand), program(book.store, head))
    if report.proposal.lacking and (spoken.ask or console.asks):
        dice = Dice(program(book.store, head), ask=spoken.ask or Hand(), by_hand=hand)
        report = Report(console, said, before, dice.until_given(lambda: work_out(dice, instead)))

    def allow(proposal: Proposal) -> None:
        nonlocal report
        if proposal is not report.proposal:
            report = Report(console, said, before, proposal)
        report.check_complete()
        if not seen:
            report.check_losses()

    _, last = record(book, report.proposal, order, lambda: work_out(dice), allow)
    again: list[int] = []
    with suppress(AffrayError):  # it is recorded by now: what cannot be read is only not offered
        again = possible_again(book, report.proposal)
    report.show(head.entry + 1, last, again, seen=seen)


_MOST = (7, 16, 22, 3)
"""How many lines of the preview tell what differs at the end, what is lost, all of it so far, and who is who now."""
_FEW = 2
"""For no more lines than these the preview is not cut."""
_MANY = 3
"""Of so many the same change is told once."""
_Line = tuple[str, str]
"""A line, and how it is printed: as it is, `dim`, or as a `way` on."""


class Report:
    """What an amendment comes to: what differs at the end, what is lost, what came out otherwise, who is who now."""

    def __init__(self, console: Console, said: Amend, present: State, proposal: Proposal) -> None:
        self.console, self.said, self.present, self.proposal = console, said, present, proposal
        self.command = self.last = 0
        """The entry of the amendment and its last one, once it is recorded."""

    @cached_property
    def _gone(self) -> list[tuple[Result, Loss]]:
        return losses_of(self.console.book.store, self.proposal)

    @property
    def losses(self) -> list[Loss]:
        """The entries that would be lost, each with its way out."""
        return [loss for _, loss in self._gone]

    # What is asked before it is recorded

    def agreed(self) -> bool:
        """Whether somebody at a terminal says yes to the preview."""
        self._tell()
        return self.console.agrees("Append this course in place of the old one?")

    def check_complete(self) -> None:
        """Raises Needed with the dice that nobody has thrown."""
        if not self.proposal.lacking:
            return
        needed = Needed(list(self.proposal.lacking))
        act = self.proposal.results[-1].act
        needed.message = f"More dice are needed: {_named(act)} lacks {listed(self.proposal.lacking)}{_as_dice(act)}."
        needed.args = (needed.message,)
        needed.hint = (
            f"{typed('amend', self._with_dashes())}\n"
            "Put faces in place of dashes, in order; Affray rolls what stays a dash, and what more is lacking then."
        )
        raise needed

    def check_losses(self) -> None:
        """Asks on a terminal whether the entries may be lost that are no longer possible; elsewhere --lose says it.
        Raises UsageError when they may not.
        """
        losses, said = self.losses, self.said
        if len(losses) <= said.lose:
            return
        if self.console.asks and not said.lose:
            self._tell()
            if self.console.agrees(f"{_counted(losses, 'are')} Append this course all the same?"):
                return
            raise UsageError("Nothing was amended.")
        way = typed("amend", replace(said, apply=True, lose=len(losses)))
        error = UsageError(_counted(losses, "would be"), "\n".join([way, *(loss.way() for loss in losses)]))
        error.data = {"losses": [to_builtins(loss) for loss in losses]}
        raise error

    def _with_dashes(self) -> Amend:
        """The same amendment, to be applied, with dashes for the dice that are lacking; the program rolls the rest."""
        words = self.said.dice.split(",") if self.said.dice else []
        if words[-1:] == ["roll"]:
            return replace(self.said, apply=True)
        if words and words[-1].startswith("ask"):
            words.pop()
        result, at = self.proposal.results[-1], ""
        entry = result.act.said_for
        groups: dict[str, list[str]] = {"": []}
        for word in words:
            name, colon, face = word.strip().rpartition(":")
            at = name if colon else at
            groups.setdefault(at, []).append(face)
        own = not entry or (entry == self.proposal.amendment.entry and groups[""] and not self.said.insert)
        group = groups.setdefault("" if own else f"e{entry}", [])
        lacking = sum(len(parse(roll.dice)[0]) for roll in self.proposal.lacking)
        group += ["-"] * (lacking if own else lacking - group.count("-"))
        said = [f"{name}:{','.join(faces)}" if name else ",".join(faces) for name, faces in groups.items() if faces]
        return replace(self.said, dice=",".join([*said, "roll"]), apply=True)

    # What is shown

    def show(self, command: int = 0, last: int = 0, again: Sequence[int] = (), seen: bool = False) -> None:
        """Prints it, and as which entries it was recorded; in JSON also which entries are possible again that were lost
        before. What was `seen` is not printed again.
        """
        console, self.command, self.last = self.console, command, last
        if console.json:
            console.give(self._as_json(again))
            return
        if not seen:
            self._tell()
        if last:
            run = _run(command, last)
            console.say(f"Amended. The new version is {run}; affray undo takes back the whole amendment.")
            for entry in again:
                console.whisper(f"e{entry} was lost in an earlier amendment, and is possible again.")
                console.whisper(f"Try: {_put_in(entry)}", whole=True)
        elif self.proposal.same:
            console.whisper("Nothing would change, so there is nothing to record.")
        else:
            console.whisper("Nothing was recorded. With --apply the new version replaces the old one.")
            if self.proposal.lacking or self.losses:
                console.whisper(harmless(f"Try: {self._way()}"), whole=True)

    def _way(self) -> str:
        """The command that goes on from a preview."""
        whole = self._with_dashes() if self.proposal.lacking else self.said
        return typed("amend", replace(whole, apply=True, lose=len(self.losses)))

    def _tell(self) -> None:
        """Prints the four parts, two dozen lines at the most, or all of them with --full."""
        parts = [self._ends(), self._lost(), self._otherwise(), self._persons()]
        left = 0
        if not self.said.full:
            ends, lost, most, persons = *_MOST[:3], min(_MOST[3], len(parts[3]))
            few = [parts[0][: min(ends, most - persons - len(parts[1][:lost]))], parts[1][:lost]]
            few.append(parts[2][: most - persons - sum(map(len, few))])
            few.append(parts[3][:persons])
            left = sum(map(len, parts)) - sum(map(len, few))
            parts = few if left > _FEW else parts
        for text, how in (line for part in parts for line in part):
            if how == "way":
                self.console.whisper(harmless(text), whole=True)
            else:
                self.console.say(self.console.paint(harmless(text), "2") if how else harmless(text))
        if left > _FEW:
            self.console.say(f"and {left} more lines; --full shows all.")

    def _ends(self) -> list[_Line]:
        """What differs at the end, once all dice are known; what many have alike is told once."""
        if self.proposal.lacking:
            return []
        found: dict[tuple[str, str, str], list[str]] = {}
        names, end = {*self.present.under(self.proposal.names()).roster.members}, self.proposal.end.roster
        lines = [(f"in the end  {who} is at the table", "") for who in end.order if who not in names]
        for name, old, new in self._changes(counts=self.said.full):
            who, dot, what = name.rpartition(".")
            if who not in names ^ {*end.members}:  # of them it is told that they are there, or are not
                found.setdefault((what if dot else name, old, new), []).append(who)
        for (what, old, new), some in found.items():
            lines_of = [f"{what}: {old} -> {new} for {', '.join(some)}"]
            if len(some) < _MANY:
                lines_of = [f"{who}.{what}: {old} -> {new}" if who else f"{what}: {old} -> {new}" for who in some]
            lines += [(f"in the end  {one}", "") for one in lines_of]
        return lines

    def _lost(self) -> list[_Line]:
        """What is lost, why, and its way out."""
        verbs, many = self.console.book.verbs, len(self.losses)
        are = "is" if many == 1 else "are"
        said = f"{many} {'entry' if many == 1 else 'entries'} {are if self.last else 'would be'} lost:"
        lines: list[_Line] = [(said, "")] if many else []
        room = None if self.said.full else max((_MOST[1] - 1) // max(many, 1) - 1, 1)  # so that no way is cut off
        for result, loss in self._gone:
            lines += _impossible(result, verbs, "no longer possible")[:room]
            lines.append((loss.way(bool(self.last)), "way"))
        return lines

    def _persons(self) -> list[_Line]:
        """Whom later words mean who has another name now, or is not there any more."""
        if self.proposal.lacking:
            return []
        names, lines = self.proposal.names(), list[_Line]()
        for old in self.present.roster.order:
            new = names.get(old, old)
            if new not in self.proposal.end.roster.members:
                lines.append((f"{old} is not at the table any more", ""))
            elif new != old:
                lines.append((f"{old} is {new} now", ""))
        return lines

    def _otherwise(self) -> list[_Line]:
        """What became of the other entries. What is the same is told with --full, and where the order differs."""
        proposal, verbs, entry = self.proposal, self.console.book.verbs, self.command
        lines, same = self._dropped(), list[int]()
        place = {act.entry: nth for nth, act in enumerate(proposal.course.stood)}
        places = [place[result.act.entry] for result in proposal.results if result.act.entry in place]
        whole = self.said.full or proposal.same or places != sorted(places)
        for at, result in enumerate(proposal.results):
            act, again = result.act, result.act.entry not in proposal.course.gone
            entry += bool(result.events)
            own = again or act.entry in (0, proposal.amendment.entry) or result.program or not result.events
            if (result.same and not (result.program or again)) or not (own or self.said.full or differs(result, verbs)):
                if same and place[same[-1]] + 1 != place[act.entry]:  # it stands elsewhere now
                    lines += _the_same(same)
                same += [act.entry] * whole
                continue
            lines += _the_same(same)
            if not result.lost:
                lines += [*_became(result, verbs, entry if self.command else 0, self.console.short), *self._place(at)]
        return [*lines, *_the_same(same), *self._depends()]

    def _place(self, at: int) -> list[_Line]:
        """Where what is put in came to stand, if that is not right before the entry that was named."""
        results, entry = self.proposal.results, self.proposal.amendment.entry
        ahead = [result.act.entry for result in results[at + 1 :] if result.act.entry and result.events]
        inserted = results[at].events and not results[at].act.entry and results[at].act.puts_in is None
        if not inserted or self.proposal.lacking or self.proposal.course.dropped or ahead[:1] == [entry]:
            return []
        return [(f"     it stands {f'before e{ahead[0]}' if ahead else 'last'}, and not right before e{entry}", "")]

    def _dropped(self) -> list[_Line]:
        """What is left out on purpose."""
        verbs, store, lines = self.console.book.verbs, self.console.book.store, list[_Line]()
        for act in self.proposal.course.dropped:
            lines.append((f"e{act.entry}  left out: {headline(act.declared, verbs)}", ""))
            by = [f"e{one.entry}" for one in declarers(store, act.before, "done", act.entry)]
            lines += [(f"     {one} declared it: amend {one} corrects that and keeps the dice", "") for one in by]
        return lines

    def _depends(self) -> list[_Line]:
        """How many entries hang on dice that are lacking."""
        reached = sum(result.act.puts_in is None for result in self.proposal.results)
        rest = len(self.proposal.course.acts) - reached if self.proposal.lacking else 0
        depend = "entry depends" if rest == 1 else "entries depend"
        return [(f"     {rest} more {depend} on these dice.", "")] if rest else []

    def _changes(self, counts: bool = True) -> list[tuple[str, str, str]]:
        """What differs at the end: name, value before, value after, with everybody named as there. What the dead could
        still have done says nothing, nor does in which order a value names some. Without `counts` nothing that is only
        counted for a rule that asks for it later.
        """
        if self.proposal.lacking:
            return []
        ends = self.present.under(self.proposal.names()), self.proposal.end
        present, end = ends if counts else (replace(one, counts=Counts()) for one in ends)
        dead = [who for who, fall in end.harm.down.items() if fall.how == "dead"]
        idle = {f"{who}.{kind}" for who in dead for state in (present, end) for kind in state.points.of.get(who, {})}
        return [
            (name, old, new)
            for name, old, new in between(present, end)
            if name not in idle and (name == "order" or _in_any_order(old) != _in_any_order(new))
        ]

    def _as_json(self, again: Sequence[int]) -> dict[str, Any]:
        proposal, command, entry = self.proposal, self.command, self.command
        verbs = systems.recorded_verbs(self.present.campaign.system)
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
                    "outcome": _word(result, verbs),
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
        return {
            "ok": True,
            "entry": command or None,
            "last": self.last or None,
            "course": course,
            "losses": [to_builtins(loss) for loss in self.losses],
            "try": "" if self.last or proposal.same else self._way(),
            "changes": [{"name": name, "before": old, "after": new} for name, old, new in self._changes()],
            "again": [{"entry": entry, "hint": _put_in(entry)} for entry in again],
        }


def _in_any_order(value: str) -> list[list[str]]:
    """Those whom a value names, sorted, of each side of a fight by themselves.

    >>> [_in_any_order(one) for one in ("Bo, Al v Cy", "Al, Bo v Cy", "Al, Cy v Bo")]
    [[['Al', 'Bo'], ['Cy']], [['Al', 'Bo'], ['Cy']], [['Al', 'Cy'], ['Bo']]]
    """
    return [sorted(side.split(", ")) for side in value.split(" v ")]


def _named(act: Act) -> str:
    """An action in the words of a report."""
    if act.puts_in is not None:
        before = f"e{act.puts_in}" if act.puts_in else "what is inserted"
        return f"what comes before {before} ({act.declared.verb})"
    return f"e{act.entry}" if act.entry else "what is inserted"


def _as_dice(act: Act) -> str:
    """How the dice are said of what the table goes on with, which has no entry yet."""
    return f"; say them as e{act.puts_in}:... with --dice" if act.puts_in else ""


def _put_in(entry: int) -> str:
    """The command that puts in again what was lost."""
    return f"affray amend e{entry} --apply"


def _run(first: int, last: int) -> str:
    return f"e{first}" if first == last else f"e{first} to e{last}"


def _the_same(same: list[int]) -> list[_Line]:
    """The line for entries that stay as they are, which are told by now."""
    together = f"  ({len(same)} entries)" if len(same) > 1 else ""
    lines = [(f"{_run(same[0], same[-1])}  the same{together}", "")] if same else []
    same.clear()
    return lines


def _name(act: Act) -> str:
    """An action at the beginning of its lines."""
    return f"e{act.entry}" if act.entry else "new"


def _impossible(result: Result, verbs: Mapping[str, cards.Verb], gone: str) -> list[_Line]:
    """An entry that is left out, why, and the dice that this puts aside."""
    name = _name(result.act)
    by = result.refused.heading() if isinstance(result.refused, Refused) else ""
    why = result.refused.message if result.refused else ""
    return [(f"{name}  {gone}: {headline(result.act.declared, verbs)}", ""), (f"     {by}{why}", ""), *_aside(result)]


def _aside(result: Result) -> list[_Line]:
    """The dice of an entry that are put aside, each of somebody by their name alone."""
    rolled = [(one.who.partition(" (")[0] or "the table", one, face) for one, face in result.aside]
    dice = [f"{whose(who)} {face} (d{one.sides} for {one.purpose})" for who, one, face in rolled]
    return [(f"     set aside: {', '.join(dice)}", "")] if dice else []


def _became(result: Result, verbs: Mapping[str, cards.Verb], entry: int, short: bool) -> list[_Line]:
    """What becomes of an entry: its own first line, as it was and as it is, and the whole arithmetic wherever what was
    said or a die is otherwise.
    """
    act, now, put_in = result.act, f", now e{entry}" if entry and result.events else "", result.act.puts_in is not None
    name, said = _name(act), headline(act.declared, verbs)
    if result.refused:
        return _impossible(result, verbs, "no longer applies")
    if result.lacking:
        went_on = "the table went on, and " * put_in
        return [(f"{name}  {went_on}needs new dice: {said}", ""), (f"     {listed(result.new)}{_as_dice(act)}", "")]
    if result.program:
        return [(f"{name}  as recorded{now}, by the rules of {rules_named(result.program)}", "")]
    was, is_ = _as_it_is(result, verbs, short)
    added = [(f"  +  {line}", "") for line in is_]
    if put_in:
        return [(f"new  the table went on{now}: {said}  ({act.why.rstrip('.')})", ""), *added]
    how = "changed" if act.entry else "inserted"
    if result.same or not (was or is_ or changed_sheets(act)):
        how = "the same, restored" if result.same else "the same in the log; the record differs"
    first = "".join(f": {one.outcome}" for one in deeds_first(told(result.events, verbs))[:1] if one.outcome not in is_)
    why = "out of the order as corrected" if act.declared.out_of_order else "the table went on"
    below = [*([f"{why}: {act.why}"] if act.why else ()), *changed_sheets(act)]
    lines = [(f"{name}  {how}{now}{first}", ""), *((f"     {line}", "") for line in below)]
    return [*lines, *((f"  -  {line}", "dim") for line in was), *added, *_aside(result)]


def _as_it_is(result: Result, verbs: Mapping[str, cards.Verb], short: bool) -> tuple[list[str], list[str]]:
    """The lines of an entry as it was and as it is, where they differ."""
    act = result.act
    before = act.before if act.puts_in is None else ()
    old, new = differing_lines(before, result.events, verbs, turns=not (act.entry and differs(result, verbs)))
    was, is_ = _outcomes(old), _outcomes(new)
    if not short and result.meant and _thrown(result.meant.before) != _thrown(result.events):
        every = [one for one in told(result.events, verbs) if not {*new}.isdisjoint(one.lines)]
        return was, [line for one in every if one.tone != ASIDE or one.outcome in is_ for line in one.lines]
    return (was, is_) if was or is_ or short else (old, new)


def _thrown(events: Sequence[Event]) -> list[bytes]:
    """What was said, and the dice that were thrown for it, in any order."""
    return sorted(encode(event) for event in events if isinstance(event, Declared | Rolled))


def _outcomes(lines: Sequence[str]) -> list[str]:
    """The lines that are no arithmetic."""
    return [line for line in lines if not line.startswith(" ")]


_MOST_NAMED = 8
"""How many losses are named in one sentence."""


def _counted(losses: Sequence[Loss], are: str) -> str:
    """How many entries are lost, and why."""
    named = ", ".join(f"e{loss.entry} ({loss.why.rstrip('.')})" for loss in losses[:_MOST_NAMED])
    more = f" and {len(losses) - _MOST_NAMED} more" if len(losses) > _MOST_NAMED else ""
    are = "is" if are == "are" and len(losses) == 1 else are
    return f"{len(losses)} {'entry' if len(losses) == 1 else 'entries'} {are} lost: {named}{more}."


def _word(result: Result, verbs: Mapping[str, cards.Verb]) -> str:
    if result.refused:
        return "falls away" if result.moot else "no longer possible"
    if result.lacking:
        return "needs new dice"
    if result.act.puts_in is not None:
        return "went on"
    if result.program:
        return "as recorded"
    return "inserted" if not result.act.entry else "different" if differs(result, verbs) else "same"
