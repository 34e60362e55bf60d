"""What an amendment means: its entry, its correction, and the dice that are said with it."""

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, events_of
from commands.action.declaration import Declaration, EntryId, is_entry, number, shapes
from commands.action.dice_sources import Question
from commands.action.names import resolve_names
from commands.action.procedures import typed
from commands.action.whose_dice import by_hand, sides_of
from commands.words.command import order_of, whole_verb
from commands.words.console import Console
from commands.words.dice_words import Hand, read_dice
from commands.words.parameters import FindFile, plain, unsaid
from commands.words.spoken import corrected
from ledger.errors import UsageError
from ledger.events import Rolled
from ledger.store import Head
from projections.state import State

from .amendment import Amendment, Inserted, last_meant, left_out_by, nothing_to_amend
from .course import in_its_place, stands, tip
from .rerun import Act, act_of

_LAST = "last"
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
    ] = _LAST
    words: Annotated[
        tuple[str, ...],
        Meta(description="The correction, in options of its verb.", extra={"word": "rest", "positional": True}),
    ] = ()
    drop: Annotated[bool, Meta(description="Leave the entry out.")] = False
    as_: Annotated[str, Meta(description='Another command in its place: --as "attack kira orc-1".')] | None = None
    insert: Annotated[
        tuple[str, ...], Meta(description='Put a command before it: --insert "attack kira orc-1". May be repeated.')
    ] = ()
    before: Annotated[EntryId, Meta(description="Move it before this entry: --before e6.")] = ""
    after: Annotated[EntryId, Meta(description="Move it after this entry.")] = ""
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


def dice_said(book: Book, head: Head, said: Amend) -> Spoken:
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
            raise UsageError(f"{word[:20]!r} is not a face of a die.", "For another entry: --dice 9,9,e12:6")
        at = _target(book, head, book.check_entry(number(name))).entry if colon else at
        faces.setdefault(at, []).append(face)
    read = {entry: read_dice(",".join(words))[0] or () for entry, words in faces.items()}
    return Spoken(() if said.insert else read.pop(0, ()), read, source, rolls)


def hand_of(book: Book, head: Head, state: State, spoken: Spoken, entry: int) -> Callable[[Question], bool]:
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


def _faces_by_hand(act: Act) -> list[int]:
    """The faces of an entry that were thrown by hand."""
    rolls = [event for event in act.before if isinstance(event, Rolled)]
    return [face for roll in rolls for face, place in zip(roll.faces, roll.places, strict=True) if not place]


def amendment_of(book: Book, head: Head, said: Amend, spoken: Spoken, file: FindFile | None = None) -> Amendment:
    """The amendment in the words of the command. Raises UsageError when they do not make one."""
    entry, words = entry_meant(book, head, said)
    target = _target(book, head, entry)
    place = target.entry if stands(book.store, tip(book.store, head.entry), target.entry) else 0
    before = book.state_at(book.store.after(place or target.entry))
    if said.drop and spoken.own:
        instead = typed("amend", replace(said, dice=""))
        raise UsageError(f"e{entry} is left out and needs no dice.", f"{instead}\nFor another entry: --dice e12:6")
    if said.drop and (words or said.as_ is not None or said.before or said.after or not place):
        raise UsageError("--drop cannot be combined with a correction.", "affray amend --help")
    if said.before and said.after:
        raise UsageError("Say one of --before and --after.", "affray amend --help")
    beside = [
        _target(book, head, book.check_entry(number(one))).entry if one else 0 for one in (said.before, said.after)
    ]
    verb, change, allow = _correction(target, before, words, said.as_, file)
    was, faces = _faces_by_hand(target), spoken.own
    true = [face if true is None else true for face, true in zip(was, faces, strict=False)]
    if true != was[: len(true)] and not said.because:
        read, is_ = next((one, face) for one, face in zip(was, true, strict=False) if one != face)
        whole = said.dice + ",-" * (len(was) - len(faces))
        raise UsageError(
            "A correction of dice needs a reason.",
            typed("amend", replace(said, dice=whole, because=f"the {read} was a {is_}")),
        )
    inserted = tuple(_inserted(before, command, file) for command in said.insert)
    return Amendment(
        target.entry, change, verb, allow, said.drop, inserted, beside[0], beside[1], faces, plain(said.because)
    )


def entry_meant(book: Book, head: Head, said: Amend) -> tuple[int, Sequence[str]]:
    """The entry to correct, and the words of the correction. Without an entry it is the last command that stands."""
    if said.entry == _LAST:
        return tip(book.store, head.entry), said.words
    if said.entry.startswith("--"):
        return tip(book.store, head.entry), (said.entry, *said.words)
    if not is_entry(f"e{said.entry.removeprefix('e')}"):
        raise UsageError(f"{said.entry[:40]!r} is no entry.", "Name one such as e42; without one, the last is meant.")
    return book.check_entry(number(said.entry)), said.words


def amended(console: Console, entry: str) -> type[Declaration]:
    """What the verb of the amended entry declares; without an entry that of the last command. Raises UsageError when
    there is no such action.
    """
    head, state = console.book.present()
    target = _target(console.book, head, entry_meant(console.book, head, Amend(entry=entry or _LAST))[0])
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
        return act_of(store.entry(last_meant(store, head.entry, entry))) or found
    act = act_of(store.entry(in_its_place(store, head.entry, entry)))
    assert act
    return act


def _correction(
    target: Act, before: State, words: Sequence[str], other: str | None, file: FindFile | None
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
        put_in = _inserted(before, other, file)
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


def written_out(console: Console, said: Amend) -> Amend:
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


def _inserted(before: State, command: str, file: FindFile | None) -> Inserted:
    """The inserted command, with names written in full."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"The quotes of {command[:40]!r} do not match ({error}).") from None
    words = words[1:] if words[:1] == ["affray"] else words
    if words[:1] and systems.past(words[0]) == "lasts":
        raise UsageError(f"A {words[0]} cannot be put into the past.", f"affray {words[0]} --help")
    order = order_of(words, before.campaign.system, file)
    if order.dice is not None or order.ask:
        raise UsageError("Give its dice to the amendment.", "--dice 14,6")
    if order.dry_run:
        raise UsageError(
            "--dry-run cannot stand in a command of an amendment.",
            "Leave it out: without --apply nothing is recorded.",
        )
    if order.once:
        raise UsageError("--once cannot stand in a command of an amendment.", "Say --once to amend itself.")
    return Inserted(order.verb, to_builtins(resolve_names(before, order.declaration)), order.allow, order.secret)
