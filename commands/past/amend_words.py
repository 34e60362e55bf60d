"""What an amendment means: its entry, its correction, and the dice that are said with it."""

import shlex
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import Annotated, Any

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from commands.action import systems
from commands.action.book import Book, Order, events_of
from commands.action.declaration import Declaration, is_entry, number, says, shapes
from commands.action.dice_sources import Question, face_of
from commands.action.names import find, resolve_names
from commands.action.procedures import tried
from commands.action.resolution import REASON
from commands.action.whose_dice import by_hand, sides_of
from commands.words.command import order_of, whole_verb
from commands.words.command_lines import typed
from commands.words.console import Console
from commands.words.dice_words import read_dice
from commands.words.orders import corrected
from commands.words.parameters import FindFile, impossible, plain, spelled
from ledger.errors import UsageError
from ledger.events import Joined, Rolled
from ledger.store import Head, Store
from projections.state import State

from .acts import Act, act_of, declarers
from .amend_proposal import Amendment, Inserted, by_hand_of, last_meant, left_out_by, nothing_to_amend, revision
from .course import in_its_place, stands, tip
from .lacking_dice import Spoken
from .rerun import asked_in_order
from .several import for_each
from .thrown import dies_of, each_die, in_place_of, named_in

_MOD = "--mod"
"""The option that is taken away by `none`."""
_LAST = "last"
"""The word for the last command that stands."""


HABITS = 200
"""How many entries before an amended one tell whose dice are thrown by hand."""


class Amend(Declaration):
    """Correct the last command, or any entry that has not been taken back, and work out every later entry again with
    the same dice.

    Give the correction as options of the entry's own verb, such as --cover half or --target kira. Without --apply it
    only shows how each later entry would change. With --apply, or if you answer yes when asked, the new version takes
    the place of the old one; you can still read both, and undo takes the whole amendment back. To restore an entry that
    an amendment left out, amend it by its number.
    """

    entry: Annotated[
        str, says("The entry to correct, such as e42; without it the last command.", word="entry", positional=True)
    ] = _LAST
    words: Annotated[
        tuple[str, ...], says("The correction, as options of the entry's own verb.", word="rest", positional=True)
    ] = ()
    drop: Annotated[bool, says("Leave the entry out.")] = False
    as_: Annotated[str, says('Put a different command in its place: --as "attack kira orc-1".')] | None = None
    insert: Annotated[
        tuple[str, ...], says('Put a command before it: --insert "attack kira orc-1". May be repeated.')
    ] = ()
    before: Annotated[str, says("Move it before this entry: --before e6.", word="entry")] = ""
    after: Annotated[
        str, says("Move it after this entry; a name is the --after of the entry's own verb.", word="entry")
    ] = ""
    dice: Annotated[
        str,
        says(
            "What the dice really showed. 9,9 = all of the entry's as they fell, or those it had and then what it needs"
            " now; ogre:17 = the ogre's dice only; e12:6 = a die that the later entry e12 now needs; with --as or"
            " --insert, that command's dice. - keeps a die, or lets the program roll it. End with ask or roll to cover"
            " the rest.",
            word="dice",
        ),
    ] = ""
    because: Annotated[str, says("The reason; it is recorded.", max_length=2000)] = ""
    apply: Annotated[bool, says("Record the new version.")] = False
    full: Annotated[bool, says("Show the whole preview, not just its first two dozen lines.")] = False
    lose: Annotated[
        int, says("With --apply: how many later entries may be lost at most, as the preview counts them.", ge=0)
    ] = 0
    once: Annotated[str, says("Do nothing if a command with this id is on record.", max_length=200)] = ""


def dice_said(book: Book, head: Head, said: Amend) -> Spoken:
    """What --dice says: faces in a row, those after eN: for the entry eN. Raises UsageError when it cannot be read."""
    if not said.dice:
        _, ask = read_dice(None)
        return Spoken(ask=ask)
    *words, last = said.dice.split(",")
    source = read_dice(last)[1] if last.startswith("ask") else None
    rolls = last == "roll"
    faces: dict[int, list[str]] = {}
    at, owner, owners = 0, "", list[str]()
    for word in words if source or rolls else (*words, last):
        name, colon, face = word.strip().rpartition(":")
        if colon and is_entry(name):
            at = _target(book, head, book.check_entry(number(name))).entry
        elif colon and at:
            raise UsageError(f"{word[:20]!r} is not a face of a die.", "For another entry: --dice 9,9,e12:6")
        elif colon:
            owner = name
        faces.setdefault(at, []).append(face)
        owners += [owner] if not at else []
    read = {entry: read_dice(",".join(words))[0] or () for entry, words in faces.items()}
    own = () if said.insert else read.pop(0, ())
    if any(owners) and said.as_ is not None:
        raise UsageError("With --as the dice are those of that command, in order and without names.")
    return Spoken(own, tuple(owners) if any(owners) else (), read, source, rolls)


def _in_order(
    state: State, target: Act, now: Mapping[str, Any], faces: tuple[int | None, ...], owners: Sequence[str]
) -> tuple[int | None, ...]:
    """The true faces of an entry in the order of its dice thrown by hand, and behind them those of the one who comes in
    by what is said `now`. One with a name is of the next die that they threw, or that the one did who is left out for
    them; one before any name of the next die of all. Without names, those who are left out may have none. `state` is
    the one after the entry. Raises AffrayError where there is no such die.
    """
    was = target.declared.said
    throwers: list[str | None] = [question.who for _, question, _ in by_hand_of(target)]
    parts = {new: old for old, new in in_place_of(was, now).items()}
    if not owners:
        return _without_gone(throwers, named_in(was) - named_in(now) - {*parts.values()}, faces)
    found: list[int | None] = [None] * len(throwers)
    groups = {roll.who.casefold(): roll.who for roll in target.before if isinstance(roll, Rolled)}
    rolled = {*throwers}
    come, more = named_in(now) - named_in(was), list[int | None]()
    for face, owner in zip(faces, owners, strict=True):
        who = groups.get(owner.casefold()) or find(state, owner) if owner else ""
        some = {who if who in groups.values() else parts.get(who, who)} if who else rolled
        at = next((nth for nth, one in enumerate(throwers) if one is not None and one in some), None)
        if at is None and who in come:  # of several who come in nobody knows who throws first
            come &= {who}
            more.append(face)
        elif at is None:
            why = f"threw {'no ' * bool(who)}{'more ' * bool(some & rolled)}dice by hand for e{target.entry}."
            stays = " Dice that the program rolled stay." if some & {*groups.values()} - rolled else ""
            besides = f"\nDice that it needs besides: --dice e{target.entry}:6" * bool(some & rolled)
            raise UsageError(f"{who or 'Nobody'} {why}{stays}", f"affray show e{target.entry}{besides}")
        else:
            found[at], throwers[at] = face, None
    return (*found, *more)


def _as_they_fall(
    before: State, target: Act, now: Mapping[str, Any], faces: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """The true faces of an entry as `_in_order` gives them, of those that fall for what is said `now`, in their order;
    () where they are not that, or it is not plain which of them lay there before. `before` is the state before it.
    """
    if now == target.declared.said or any(isinstance(event, Joined) for event in target.before):
        return ()
    act = replace(target, declared=replace(target.declared, said=now))
    dies = dies_of(act, asked_in_order(before, act, faces))
    fell = {die: answer for die, _, answer in each_die(target.before, act.declared) if answer.face}
    hand = [die for die, answer in fell.items() if not answer.place]
    new = [die for die in dies if die not in hand]
    other = {(die.who, die.purpose, die.sides) for die in hand if die not in dies}
    if not dies or any(die in fell or (die.who, die.purpose, die.sides) in other for die in new):
        return ()
    said = dict(zip(dies, faces, strict=True))
    return (*map(said.get, hand), *map(said.get, new))


def _without_gone(
    throwers: Sequence[str | None], gone: Set[str], faces: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    """Faces in order, where as many were said as those threw who are not left out."""
    stay, rest = sum(who not in gone for who in throwers), iter(faces)
    return faces if len(faces) != stay else tuple(None if who in gone else next(rest) for who in throwers)


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


def amendment_of(book: Book, head: Head, said: Amend, spoken: Spoken, file: FindFile | None = None) -> Amendment:
    """The amendment in the words of the command. Raises UsageError when they do not make one."""
    entry, words = entry_meant(book, head, said)
    target = _target(book, head, entry)
    stood = stands(book.store, tip(book.store, head.entry), target.entry)
    before = book.state_at(book.store.after(target.entry))
    if not stood:  # it is said in its new place
        course = revision(book.store, head.entry, Amendment(target.entry))
        before = book.state_at(course.after)
        target = next(act for act in course.acts if act.entry == target.entry)
    said, words = _of_its_verb(said, words, _declaration(target, before.campaign.system))
    if said.drop and not stood:
        raise UsageError(f"e{entry} is already left out.", "affray log")
    if said.drop:
        _check_drop(said, entry, bool(spoken.own), bool(words))
    if said.before and said.after:
        raise UsageError("Say --before or --after, not both.", "affray amend --help")
    beside = [one and _beside(book, head, book.check_entry(number(one))) for one in (said.before, said.after)]
    _check_declared(book.store, target, said, words)
    verb, change, allow = _correction(target, before, list(words), said.as_, file)
    own = spoken.own
    if own and not verb:
        now, owners = {**target.declared.said, **change}, spoken.owners
        fell = () if owners else _as_they_fall(before, target, now, own)
        own = fell or _in_order(book.state_at(target.entry), target, now, own, owners)
    _check_reason(said, [(question, answer.face) for _, question, answer in by_hand_of(target)], own, verb)
    inserted = _all_inserted(before, said.insert, file)
    why = plain(said.because)
    return Amendment(target.entry, change, verb, allow, said.drop, inserted, beside[0] or 0, beside[1] or 0, own, why)


def _of_its_verb(said: Amend, words: Sequence[str], declaration: type[Declaration]) -> tuple[Amend, Sequence[str]]:
    """The command, with a --before or --after that is no entry among the words of the correction, where the entry's
    verb has such an option of its own: `turn adalger --after guard`. Raises UsageError where it has none.
    """
    own = {field.name for field, _ in shapes(declaration)}
    for option in ("before", "after"):
        beside = getattr(said, option)
        if beside and not is_entry(f"e{beside.removeprefix('e')}"):
            if option not in own:
                raise UsageError(f"--{option} takes an entry, such as e12, not {beside[:40]!r}.", "affray amend --help")
            said, words = replace(said, **{option: ""}), (*words, f"--{option}", beside)
    return said, words


def _check_declared(store: Store, target: Act, said: Amend, words: Sequence[str]) -> None:
    """Raises UsageError where an option is not said in the entry, but in the one that declared what it carries out."""
    wanted = {word.partition("=")[0] for word in words if word.startswith("--")} - {"--allow"}

    def lacks(act: Act, other: Act) -> set[str]:
        own, theirs = act.declared.said, other.declared.said
        elsewhere = theirs.keys() - own.keys() if own.get("who") == theirs.get("who") else ()
        fields = [field.name for field, _ in shapes(_declaration(act, store.system()))]
        return wanted - {f"--{spelled(name)}" for name in fields if name not in elsewhere}

    others = declarers(store, target.before, "done", target.entry) if wanted and not said.dice else ()
    other = next((act for act in others if lacks(target, act) and not lacks(act, target)), None)
    if other:
        why = f"{', '.join(sorted(lacks(target, other)))} is said in e{other.entry}, which declared it."
        raise UsageError(why, typed("amend", replace(said, entry=f"e{other.entry}", words=tuple(words))))


def _check_drop(said: Amend, entry: int, dice: bool, corrected: bool) -> None:
    """Raises UsageError where something is said of an entry that is left out."""
    if dice:
        instead = typed("amend", replace(said, dice=""))
        raise UsageError(f"e{entry} is left out and needs no dice.", f"{instead}\nFor another entry: --dice e12:6")
    if corrected or said.as_ is not None or said.before or said.after:
        raise UsageError("--drop cannot be combined with a correction or a move.", "affray amend --help")


def _check_reason(said: Amend, was: Sequence[tuple[Question, int]], faces: Sequence[int | None], verb: str) -> None:
    """Raises UsageError where dice are corrected, or those of another verb said, without a reason, or so that they show
    what they cannot.
    """
    misread = [(*one, face) for one, face in zip(was, faces, strict=False) if face not in (None, one[1])]
    for question, _, face in misread * (not verb):
        face_of(face, question)
    if misread and not said.because:
        (_, read, is_), whole = misread[0], said.dice + ",-" * (len(was) - len(faces))
        right = {"because": REASON} if verb else {"dice": whole, "because": f"the {read} was a {is_}"}
        raise UsageError("A correction of dice needs a reason.", typed("amend", replace(said, **right)))


def entry_meant(book: Book, head: Head, said: Amend) -> tuple[int, Sequence[str]]:
    """The entry to correct, and the words of the correction. Without an entry it is the last command that stands."""
    if said.entry == _LAST:
        return tip(book.store, head.entry), said.words
    if said.entry.startswith("--"):
        return tip(book.store, head.entry), (said.entry, *said.words)
    if not is_entry(f"e{said.entry.removeprefix('e')}"):
        raise UsageError(f"{said.entry[:40]!r} is not an entry.", "Name one, as e42; without one, the last is meant.")
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


def _beside(book: Book, head: Head, entry: int) -> int:
    """The entry that stands for one beside which another is moved. Raises UsageError when none does."""
    found = _target(book, head, entry).entry
    if not stands(book.store, tip(book.store, head.entry), found):
        raise UsageError(f"e{entry} does not stand.", "affray log")
    return found


def _correction(
    target: Act, before: State, words: Sequence[str], other: str | None, file: FindFile | None
) -> tuple[str, dict[str, Any], str | None]:
    """The verb that is said instead, if there is one; the fields that really change, with names written in full; and
    the new reason for allowing it.
    """
    system = before.campaign.system
    if other is not None:
        if words:
            raise UsageError("--as says the whole command; no other option goes with it.", "affray amend --help")
        order = _order(before, other, file)
        allow = order.allow if order.allow != target.declared.allow else None
        return order.verb, to_builtins(resolve_names(before, order.declaration)), allow
    declaration, was = _declaration(target, system), target.declared.said
    none = [nth for nth, word in enumerate(words) if word == "none" and words[nth - 1 : nth] == [_MOD]]
    words = [word for nth, word in enumerate(words) if nth not in none and nth + 1 not in none]
    given, allow = corrected(target.declared.verb, declaration, words, system)
    given = {"mod": (), **given} if none else given
    if not given:
        return "", {}, allow
    try:
        wanted = resolve_names(before, convert({**was, **_of_all_sheets(was, to_builtins(given))}, declaration))
    except ValidationError as error:
        raise UsageError(impossible(error, declaration), f"affray {target.declared.verb} --help") from None
    for field in (field.name for field, shape in shapes(declaration) if field.name in given and "=" in shape.names):
        each = {word.partition("=")[0]: word for word in (*was.get(field, ()), *getattr(wanted, field))}
        wanted = replace(wanted, **{field: tuple(sorted(each.values()))})  # the others keep what was said of them
    meant = to_builtins(wanted)
    change = [field for field in given if was.get(field) != meant.get(field)]
    return "", to_builtins({field: getattr(wanted, field) for field in change}), allow


def _of_all_sheets(was: Mapping[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """A correction; where it gives one stat block of several, all of them with that in place of the one of its name.
    Raises UsageError where none has it.
    """
    before, now = was.get("sheets", ()), said.get("sheets", was.get("sheets", ()))
    if len(before) > len(now) == 1:
        names, own = [one.get("name") for one in before], now[0].get("name")
        if own not in names:
            there = f"{own} is none of {', '.join(map(str, names))}, and so takes nobody's place."
            raise UsageError(f"{there} Give the stat blocks of all who join.", "affray amend --help")
        said["sheets"] = [now[0] if name == own else one for one, name in zip(before, names, strict=True)]
    return said


def written_out(console: Console, said: Amend) -> Amend:
    """The command with whole verbs in what is put in, in place of beginnings of them."""
    system = console.book.present()[1].campaign.system

    def whole(command: str) -> str:
        first, gap, rest = command.removeprefix("affray ").partition(" ")
        written = f"{whole_verb(first, system) or first}{gap}{rest}"
        console.write_out(command, written)
        return written

    return replace(said, insert=tuple(map(whole, said.insert))) if said.insert else said


def _all_inserted(state: State, commands: Sequence[str], file: FindFile | None) -> tuple[Inserted, ...]:
    """The inserted commands with names written in full, each as it is said after those before it; one for each of
    several who are named as doing the same.
    """
    found = list[Inserted]()
    for nth, command in enumerate(commands, 1):
        order = _order(state, command, file)
        for said in for_each(state, order.declaration):
            found.append(Inserted(order.verb, to_builtins(said), order.allow, order.secret))
            if nth < len(commands) and (came := tried(state, order.verb, found[-1].said, order.allow)):
                state = replace(state, roster=came.state.roster) if came.asked else came.state  # whatever falls
    return tuple(found)


def _order(before: State, command: str, file: FindFile | None) -> Order:
    """A command that is put in, or said instead."""
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
    if order.dry_run or order.once:
        which = "--dry-run" if order.dry_run else "--once"
        raise UsageError(f"{which} cannot stand in a command of an amendment.", "Leave it out.")
    return order
