"""Amend: correct an entry, show how everything since changes, and record the new course when asked."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, json, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order
from commands.action.declaration import Declaration, is_entry, number
from commands.action.dice_sources import Asked, Program, Source, Typed
from commands.action.names import resolve_names
from commands.action.procedures import check_used, typed
from commands.action.progress import watched
from commands.action.resolution import ALL, Needed, Roll, listed
from commands.action.systems import rules_named
from commands.words.command import order_of, whole_verb
from commands.words.console import Console, harmless
from commands.words.dice_words import Hand, by_default, read_dice
from commands.words.parameters import corrected, plain, unsaid
from ledger.errors import AffrayError, LedgerBusy, Refused, UsageError
from ledger.events import Declared
from ledger.store import Head
from projections.changes import between
from projections.narration import headline, told
from projections.state import State

from .amendment import (
    Amendment,
    Inserted,
    Revision,
    carried_out,
    entries,
    keeping_what_drifted,
    nothing_to_amend,
    revision,
)
from .course import in_its_place, now, tip
from .perform import by_hand
from .rerun import Act, Result, act_of, differing

LAST = "last"
"""The word for the last command that stands."""


class Amend(Declaration):
    """Correct the last command or any entry that stands, and resolve every later entry again on the same dice.

    Give the correction in the options of the entry's own verb, such as --cover half or --target kira. Shows how each
    later entry would change, and records nothing. With --apply, or after a yes on a terminal, the new course is
    appended in place of the old one; both stay readable, and undo takes the whole amendment back.
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
    insert: Annotated[str, Meta(description='Put a command before it: --insert "attack kira orc-1".')] = ""
    dice: Annotated[
        str, Meta(description="The true faces of its dice thrown by hand, all of them in order; needs --because.")
    ] = ""
    new: Annotated[
        str,
        Meta(
            description="Dice that the correction needs and nobody has thrown: FACES in the order needed, ask, or roll."
            " Affray rolls them only with --apply."
        ),
    ] = ""
    because: Annotated[str, Meta(description="Why; recorded.", max_length=2000)] = ""
    apply: Annotated[bool, Meta(description="Append the new course.")] = False
    once: Annotated[str, Meta(max_length=200, description="Record this command only once under this id.")] = ""


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
        return not self.course.dropped and all(result.same for result in self.results)

    @property
    def end(self) -> State:
        """The state where the new course ends."""
        return self.results[-1].state if self.results else self.start


def amend(console: Console, said: Amend) -> None:
    """Shows what the correction would do; records it with --apply or after a yes."""
    book = console.book
    if said.insert:
        whole = _with_whole_verb(said.insert, console.book.present()[1].campaign.system)
        console.write_out(said.insert, whole)
        said = replace(said, insert=whole)
    order = Order("amend", said, console.typed, once=said.once)
    if said.once and (entry := book.store.recorded(said.once)):
        console.tell(book.repeat(order, entry))
        return
    head, before = book.present()
    systems.load(before.campaign.system)
    amendment = _amendment(book, head, said)
    named, _ = _meant(book, head, said)
    if named != amendment.entry and not console.json:
        console.say(console.paint(now(named, amendment.entry), "2"))
    faces, ask = read_dice(said.new or None)
    if by_default(said.new or None) and (side := before.campaign.options.get("hand_dice")):
        ask = Hand(str(side))
    instead = partial(_ways_on, book, head, said)
    proposal = propose(book, head, amendment, Typed(faces or ()), instead)
    agreed = not said.apply and _agreed(console, proposal, before)
    if proposal.same or not (said.apply or agreed):
        _show(console, proposal, before)
        return
    seen = agreed and not proposal.lacking
    if ask:
        asked = Asked(ask, Program(book.store, head), partial(by_hand, before, ask.side))
        proposal = propose(book, head, amendment, asked, instead)
        faces = tuple(asked.faces)
    recorded, last = record(book, proposal, order, faces)
    if seen:
        console.say(_recorded(head.entry + 1, last))
    else:
        _show(console, recorded, before, head.entry + 1, last)


def propose(
    book: Book, head: Head, amendment: Amendment, new: Source, instead: Callable[[AffrayError], str] | None = None
) -> Proposal:
    """An amendment worked out, with `new` dice where none had been thrown.

    Raises what refuses the corrected action itself, with the hint of `instead`, and UsageError when more dice are
    given than are needed.
    """
    said = json.decode(json.encode(amendment))  # as an audit will read it: a default that is said is no default
    course = revision(book.store, head.entry, convert(said, Amendment))
    course = keeping_what_drifted(book, course, amendment)
    said["entry"] = f"e{amendment.entry}"
    results = tuple(watched(carried_out(book, course, lambda _: new), len(course.acts), "amend"))
    for result in results:
        if result.refused and result.act.entry in (0, amendment.entry):
            if instead:
                result.refused.hint = instead(result.refused)
            raise result.refused
    proposal = Proposal(head, amendment, Declared("amend", said), course, book.state_at(course.after), results)
    if isinstance(new, Typed) and not proposal.lacking:
        check_used(new, [roll for result in results for roll in result.new])
    return proposal


def record(book: Book, proposal: Proposal, order: Order, faces: tuple[int | None, ...] | None) -> tuple[Proposal, int]:
    """Appends the amendment, with new dice thrown by hand or rolled. Gives it as recorded, and its last entry. Raises
    LedgerBusy when the ledger has changed since the proposal, Needed when dice are missing.
    """
    with book.store.writing() as head:
        if head != proposal.head:
            raise LedgerBusy(
                f"Somebody else recorded e{head.entry} in the meantime; nothing was amended.",
                "Look at the ledger, then repeat the command.",
            )
        program = Program(book.store, head)
        if faces is None or None in faces:
            proposal = propose(book, head, proposal.amendment, Typed(faces, program) if faces else program)
        if proposal.lacking:
            raise Needed(list(proposal.lacking))
        course = entries(proposal.course, proposal.declared, proposal.start, proposal.results)
        last = book.write(head, list(course), order)
    book.remember(last, proposal.end)
    return proposal, last.entry


# What is meant


def _amendment(book: Book, head: Head, said: Amend) -> Amendment:
    """The amendment in the words of the command. Raises UsageError when they do not make one."""
    entry, words = _meant(book, head, said)
    target = _target(book, head, entry)
    before = book.state_at(book.store.after(target.entry))
    if said.drop and (words or said.dice or said.insert):
        raise UsageError("--drop cannot be combined with a correction or --insert.", "affray amend --help")
    change, allow = _correction(target, before, words)
    dice, ask = read_dice(said.dice) if said.dice else ((), None)
    faces = tuple(face for face in dice or () if face is not None)
    if ask or faces != dice:
        raise UsageError("--dice takes the faces that the dice showed.", "For dice not thrown yet: --new ask.")
    if faces and not said.because:
        raise UsageError("A correction of dice needs a reason.", 'Say --because "the 6 was a 9".')
    return Amendment(target.entry, change, allow, said.drop, _inserted(before, said.insert), faces, plain(said.because))


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
    act = act_of(store.entry(in_its_place(store, head.entry, entry)))
    assert act
    return act


def _correction(target: Act, before: State, words: Sequence[str]) -> tuple[dict[str, Any], str | None]:
    """The fields that really change, with names written in full, and the new reason for allowing it."""
    system = before.campaign.system
    declaration = _declaration(target, system)
    given, allow = corrected(target.declared.verb, declaration, words, system)
    if not given:
        return {}, allow
    try:
        wanted = resolve_names(before, convert({**target.declared.said, **to_builtins(given)}, declaration))
    except ValidationError as error:
        raise UsageError(unsaid(error, declaration), f"affray {target.declared.verb} --help") from None
    meant, was = to_builtins(wanted), target.declared.said
    default = to_builtins({field: getattr(wanted, field) for field in given if field not in meant})
    change = {field: meant.get(field, default.get(field)) for field in given}
    return {field: value for field, value in change.items() if was.get(field, default.get(field)) != value}, allow


def _with_whole_verb(command: str, system: str) -> str:
    """The inserted command, with its verb in place of a beginning of it."""
    said = command.split(maxsplit=1)
    if said[:1] == ["affray"]:
        said = said[1].split(maxsplit=1)
    verb = whole_verb(said[0], system) if said else ""
    return " ".join([verb, *said[1:]]) if verb != "".join(said[:1]) else command


def _inserted(before: State, command: str) -> Inserted | None:
    """The inserted command, with names written in full."""
    if not command:
        return None
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"The quotes of {command[:40]!a} do not match ({error}).") from None
    words = words[1:] if words[:1] == ["affray"] else words
    if words[:1] and systems.past(words[0]) == "lasts":
        raise UsageError(f"A {words[0]} cannot be put into the past.", f"affray {words[0]} --help")
    order = order_of(words, before.campaign.system)
    if order.dice is not None or order.ask:
        raise UsageError("Give its dice to the amendment.", "--new 14,6")
    return Inserted(order.verb, to_builtins(resolve_names(before, order.declaration)), order.allow, order.secret)


def _ways_on(book: Book, head: Head, said: Amend, refused: AffrayError) -> str:
    """What to say instead, as an amendment; a command that would go on from that moment comes too late.

    What a refusal offers is tried in place of what was put in, and then the same with --allow.
    """
    lines = refused.hint.splitlines()
    others: list[Amend] = []
    if said.insert:
        verb = said.insert.removeprefix("affray ").split(" ")[0]
        offered = [line.removeprefix("affray ") for line in lines if line.startswith(f"affray {verb} ")]
        others = [
            replace(said, insert=command)
            for command in (*offered, *(f"{said.insert} --allow '{why}'" for why in REASONS))
        ]
    elif isinstance(refused, Refused):
        others = [replace(said, words=(*said.words, "--allow", why)) for why in REASONS]
    for other in others:
        try:
            propose(book, head, _amendment(book, head, other), Typed(()))
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


def _show(console: Console, proposal: Proposal, present: State, command: int = 0, last: int = 0) -> None:
    """Prints how each entry and the board change, and which entries were recorded."""
    if console.json:
        console.give(_as_json(proposal, present, command, last))
        return
    _show_course(console, proposal, command)
    _show_end(console, proposal, present)
    if last:
        console.say(_recorded(command, last))
    elif proposal.same:
        console.whisper("Nothing would change, so there is nothing to record.")
    else:
        console.whisper("Nothing was recorded. With --apply the new course replaces the old one.")


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
        if result.same and not result.program:
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
    if result.refused:
        console.say(f"{name}  no longer possible: {harmless(headline(act.declared, verbs))}")
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
        console.say(f"{name}  {'different' if act.entry else 'put in'}{now}{harmless(both)}")
        old, new = differing(act.before, result.events, verbs)
        for line in old:
            console.say(console.paint(f"  -  {harmless(line)}", "2"))
        for line in new:
            console.say(f"  +  {harmless(line)}")


def _show_end(console: Console, proposal: Proposal, present: State) -> None:
    if proposal.lacking:
        return
    for name, old, new in between(present, proposal.end):
        console.say(harmless(f"at the end  {name}: {old} -> {new}"))


def _as_json(proposal: Proposal, present: State, command: int, last: int) -> dict[str, Any]:
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
            }
        )
    changes = [] if proposal.lacking else between(present, proposal.end)
    return {
        "ok": True,
        "entry": command or None,
        "last": last or None,
        "course": course,
        "changes": [{"name": name, "before": old, "after": new} for name, old, new in changes],
    }


def _word(result: Result) -> str:
    if result.refused:
        return "no longer possible"
    if result.lacking:
        return "needs new dice"
    if result.program:
        return "as recorded"
    return "same" if result.same else "different" if result.act.entry else "put in"
