"""The dice that an amendment lacks: said for it, or typed with an action before and put aside."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from commands.action.book import Book, events_of
from commands.action.dice_sources import TENS, Answer, Dice, Layer, Question, Throw, in_a_row
from commands.action.whose_dice import owner_in
from commands.words.dice_words import Hand, owners_of, read_dice
from commands.words.parameters import BEFORE_DICE, dice_apart
from ledger.errors import AffrayError, UsageError
from ledger.events import Declared, Rolled
from ledger.store import Head
from projections.state import State

from .acts import Act, act_of
from .amend_proposal import Amendment, Proposal, by_hand_of, propose
from .course import latest
from .rerun import Result, not_needed


class Spoken(Struct, frozen=True):
    """What --dice says."""

    own: tuple[int | None, ...] = ()
    """The faces of the corrected entry; () when they stay."""
    owners: tuple[str, ...] = ()
    """Who threw each of these, or of those of what is put in, as it was typed, "" for one before any name; () where
    none has a name."""
    later: dict[int, tuple[int | None, ...]] = {}
    """Faces that other entries lack, by their number; of what is put in, by 0."""
    ask: Hand | None = None
    """Asks for every missing die."""
    roll: bool = False
    """Whether the program rolls every missing die."""


class Fresh:
    """Gives each action of a new course the dice that it lacks: what was said for it, or else was typed with it and put
    aside, then others.
    """

    def __init__(self, spoken: Spoken, others: Dice, book: Book | None = None) -> None:
        self._said, self._others, self._book = spoken.later, others.layers, book
        state = book.present()[1] if book else State()
        self._owners = [owner_in(state, word).casefold() for word in spoken.owners if 0 in spoken.later]
        self._own: dict[int, tuple[Layer, Layer]] = {}

    def __call__(self, act: Act) -> Dice:
        """The dice of an action. What is passed or done before an entry shares those that were said for it."""
        entry = act.said_for
        if act.puts_in is not None and entry not in self._said:
            return Dice(*self._others)
        if entry not in self._own:
            said = in_a_row(self._said.get(entry, ()), () if entry else self._owners)
            self._own[entry] = said, _put_aside(partial(self._aside, act))
        return Dice(*self._own[entry], *self._others)

    def _aside(self, act: Act) -> list[tuple[Question, int]]:
        """The dice that were typed with the command of an action and that it did not need, with what they are for."""
        if not self._book or not act.origin or act.puts_in is not None:
            return []
        store = self._book.store
        entry = store.entry(act.origin)
        first, state = act_of(entry), self._book.state_at(entry.after)
        if not first:
            return []
        typed, (by, *_) = _faces_in(entry.typed), events_of(store.entry(entry.command))
        if any(owner for _, owner in typed):
            throwers = {"", *(event.who for event in first.before if isinstance(event, Rolled))}
            typed = [(face, owner) for face, owner in typed if owner_in(state, owner) in throwers]
        elif isinstance(by, Declared) and by.said.get("insert", ())[1:]:  # whose they are nobody knows
            return []
        faces = _not_thrown([face for face, _ in typed], [answer.face for _, _, answer in by_hand_of(first)])
        return not_needed(state, first, partial(latest, store, entry.after), faces) if faces else []

    def put_aside(self, proposal: Proposal) -> Proposal:
        """The proposal, in which what is put in has the dice aside that were thrown with it and that it did not need,
        as the die of the damage of a miss. Raises UsageError when more dice were said for an entry than it lacks.
        """
        results, state = list[Result](), proposal.start
        used = {entry: [*layer.used] for entry, (layer, _) in self._own.items()}
        for result in proposal.results:
            act = replace(result.act, before=result.events)
            if 0 in used and not act.entry and act.puts_in is None:
                throwers = {"", *(event.who.casefold() for event in act.before if isinstance(event, Rolled))}
                rest = [at for at in range(len(self._said.get(0, ()))) if at not in used[0]]
                mine = [at for at in rest if not self._owners or self._owners[at] in throwers]
                if aside := not_needed(state, act, tuple, [self._said[0][at] for at in mine]) if mine else []:
                    used[0] += mine
                    result = replace(result, aside=tuple(aside))
            results.append(result)
            state = result.state
        self._check_used(used)
        return replace(proposal, results=tuple(results))

    def _check_used(self, used: Mapping[int, Sequence[int]]) -> None:
        """Raises UsageError when more dice were said for an entry than it lacks."""
        for entry, places in used.items():
            left = [face for at, face in enumerate(self._said.get(entry, ())) if at not in places]
            if any(face is not None for face in left):
                named = f"e{entry}" if entry else "What is inserted"
                faces = ", ".join("-" if face is None else str(face) for face in left)
                way = "Dice that it had stay; say only those that it lacks." if entry else "Leave them out."
                raise UsageError(f"Too many dice: {named} needs no more; {faces} left over.", way)


def worked_out(
    book: Book,
    head: Head,
    amendment: Amendment,
    spoken: Spoken,
    others: Dice,
    instead: Callable[[AffrayError], str] | None = None,
) -> Proposal:
    """An amendment worked out with the dice that were said for it, and others where one is lacking. Raises what refuses
    the corrected action itself, with the hint of `instead`, and UsageError where more dice were said than are needed.
    """
    others.back()
    fresh = Fresh(spoken, others, book)
    proposal = propose(book, head, amendment, fresh, instead)
    return proposal if proposal.lacking else fresh.put_aside(proposal)


def _put_aside(find: Callable[[], list[tuple[Question, int]]]) -> Layer:
    """Dice that were typed with an action and put aside, for what they were thrown for. They are looked for when one is
    lacking: one that was thrown for it before, and undone, is not.
    """
    lying = cache(find)

    def ask(throw: Throw, used: list[int]) -> None:
        for nth in throw.open:
            if nth not in throw.left:
                question = throw.pool[nth]
                asked = (question.who, question.purpose, question.sides)
                for at, (die, face) in enumerate(lying()):
                    if at not in used and (die.who, die.purpose, die.sides) == asked:
                        used.append(at)
                        throw.found[nth] = Answer(face or TENS, 0)
                        break

    return Layer(ask)


def _not_thrown(typed: list[int], thrown: Sequence[int]) -> list[int]:
    """The faces that were typed, without those that were thrown.

    >>> _not_thrown([14, 6, 3], [14, 6]), _not_thrown([626, 4], [6, 2, 6]), _not_thrown([14, 0, 3], [14, 10])
    ([3], [4], [3])
    """
    if any(face not in typed and face % TENS not in typed for face in thrown):
        typed = [int(one) for face in typed for one in str(face)]  # those of small dice stood together
    for face in thrown:
        if shown := [one for one in (face, face % TENS) if one in typed]:
            typed.remove(shown[0])
    return typed


def _faces_in(line: str) -> list[tuple[int, str]]:
    """The faces that a line of the record gives with --dice, or behind `=`, in order, each with the word for who threw
    it; none where it gives none.

    >>> _faces_in("attack bran orc --dice 2,-,6"), _faces_in("attack g1 = g1:14 6 --brief"), _faces_in("move bran 30 2")
    ([(2, ''), (6, '')], [(14, 'g1'), (6, 'g1')], [])
    """
    with suppress(UsageError, ValueError):
        words = dice_apart(shlex.split(line))
        starts = (nth for nth, word in enumerate(words) if word == BEFORE_DICE or word.startswith("--dice"))
        if at := next(starts, 0):  # a line begins with its verb
            end = next((nth for nth in range(at + 1, len(words)) if words[nth].startswith("--")), len(words))
            _, equals, said = words[at].rpartition("=")
            word, owners = owners_of(",".join(words[at + 1 : end] if not said or not equals else [said]))
            each = zip_longest(read_dice(word)[0] or (), owners, fillvalue="")
            return [(face, owner) for face, owner in each if isinstance(face, int)]
    return []
