"""Dice that were thrown together with others and that an action then did not need, such as the damage of a miss."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product

from commands.action.book import Book, events_of
from commands.action.dice_sources import TENS, Answer, Question, Source
from commands.action.procedures import LeftOver, resolve
from commands.action.resolution import Again, Resolution, Roll
from commands.words.dice_words import owners_of, read_dice
from commands.words.parameters import BEFORE_DICE, dice_apart
from ledger.dice import parse
from ledger.errors import AffrayError, UsageError
from ledger.events import Rolled

from .course import latest
from .rerun import Act, act_of, prepared

_MOST_ROLLS = 4
"""The most rolls of an action that are tried high and low; all later ones are high."""
_MOST_DICE = 60
"""The most dice of one roll that are tried: those who tie with the same faces would roll for ever."""
_Asked = tuple[str, str, str]
"""Who rolls, what for, and about whom."""
_Die = tuple[str, str, int]
"""Who throws a die, what for, and its sides."""


class _HighOrLow(Source):
    """Shows a high face of each die, and a low one in some rolls. Neither is the outermost: what only a natural 1 or 20
    needs is not thrown beforehand.
    """

    def __init__(self, low: Mapping[_Asked, bool]) -> None:
        self._low = low
        self._thrown = Counter[_Asked]()

    def answer(self, question: Question, optional: bool, hidden: bool = False) -> Answer:
        """The face. Raises UsageError when a roll takes no end."""
        roll = question.who, question.purpose, question.about
        self._thrown[roll] += 1
        if self._thrown[roll] > _MOST_DICE:
            raise UsageError(f"{question.purpose} takes no end.")
        sides, low = question.sides, self._low.get(roll, False)
        inside = min(1, (sides - 1) // 2)
        return Answer(1 + inside if low else sides - inside, 0)


def lines(book: Book, left: LeftOver) -> tuple[str, ...]:
    """A line for each roll of which dice are left over because the action did not come to it: `damage die 4 not
    needed`. None where nothing is found for which all of them may have been thrown, so that one was misread.
    """
    if (fight := left.fight) is None:
        return ()
    last = partial(latest, book.store, book.store.head().entry)

    def begun(source: Source) -> Resolution:
        return Resolution(fight.before, fight.verb, fight.declaration, source, fight.allow, last, secret=fight.secret)

    found: dict[str, list[str]] = {}
    came = [*map(_key, fight.asked)]
    for (_, purpose, _), face in _thrown_for(left.rest, came, begun) or _thrown_for(_apart(left.rest), came, begun):
        found.setdefault(purpose, []).append("-" if face is None else str(face))
    return tuple(f"{what} {'dice' if dice[1:] else 'die'} {', '.join(dice)} not needed" for what, dice in found.items())


def set_aside(book: Book, act: Act) -> list[tuple[_Die, int]]:
    """The dice that were typed with the command of an action and that it did not need, in order."""
    if not act.origin:
        return []
    entry = book.store.entry(act.origin)
    if not (faces := _faces_in(entry.typed)):
        return []
    rolls = [event for event in events_of(entry) if isinstance(event, Rolled)]
    thrown = [face for roll in rolls for face, place in zip(roll.faces, roll.places, strict=True) if not place]
    if any(face not in faces and face % TENS not in faces for face in thrown):
        faces = [face for face in _apart(faces) if face is not None]
    for face in thrown:
        if shown := [one for one in (face, face % TENS) if one in faces]:
            faces.remove(shown[0])
    if not faces or not (first := act_of(entry)):
        return []
    state, last = book.state_at(entry.after), partial(latest, book.store, entry.after)
    came = [(roll.who, roll.purpose, roll.about) for roll in rolls]
    found = _thrown_for(faces, came, lambda source: prepared(state, first, source, last))
    return [(die, face) for die, face in found if face is not None]


def _apart(faces: Sequence[int | None]) -> list[int | None]:
    """The faces, with those of small dice that stand together taken apart.

    >>> _apart([64, 3, None])
    [6, 4, 3, None]
    """
    return [one for face in faces for one in (map(int, str(face)) if face is not None else (None,))]


def _can_show(sides: int, face: int) -> bool:
    """Whether a die has a face, as somebody reads it: a 0 on a d10 is 10."""
    return sides == TENS if face == 0 else face <= sides


def _faces_in(line: str) -> list[int]:
    """The faces that a line of the record gives with --dice, or behind `=`, in order; none where it gives none.

    >>> _faces_in("attack bran orc --dice 2,-,6"), _faces_in("attack g1 = 14 6 --brief"), _faces_in("note it's wet")
    ([2, 6], [14, 6], [])
    """
    try:
        words = dice_apart(shlex.split(line))
        at = next(
            (nth for nth, word in enumerate(words) if word == BEFORE_DICE or word.startswith("--dice")), len(words)
        )
        end = next((nth for nth in range(at + 1, len(words)) if words[nth].startswith("--")), len(words))
        _, equals, said = "".join(words[at : at + 1]).rpartition("=")
        behind = words[at + 1 : end] if not said or not equals else [said]
        faces, _ = read_dice(owners_of(",".join(behind))[0]) if behind else ((), None)
    except (UsageError, ValueError):
        return []
    return [face for face in faces or () if face is not None]


def _key(roll: Roll) -> _Asked:
    return roll.who, roll.purpose, roll.about


def _thrown_for(
    faces: Sequence[int | None], came: Sequence[_Asked], begun: Callable[[Source], Resolution]
) -> list[tuple[_Die, int | None]]:
    """For each of some faces the die that an action would have needed, had its first dice fallen high or low. The rolls
    that came are needed then as well. None unless there is a die for each face.
    """
    for rolls in _otherwise([*dict.fromkeys(came)][:_MOST_ROLLS], begun):
        if {*came} <= {*map(_key, rolls)}:
            more = [roll for roll in rolls if _key(roll) not in came]
            dice = [(roll.who, roll.purpose, sides) for roll in more for sides in parse(roll.dice)[0]]
            found = [*zip(dice, faces, strict=False)]
            if len(found) == len(faces) and all(face is None or _can_show(die[2], face) for die, face in found):
                return found
    return []


def _otherwise(came: Sequence[_Asked], begun: Callable[[Source], Resolution]) -> Iterator[Sequence[Roll]]:
    """The rolls of an action, as some of its rolls fall high or low."""
    for low in product((False, True), repeat=len(came)):
        with suppress(AffrayError, Again):
            fight = begun(_HighOrLow(dict(zip(came, low, strict=True))))
            resolve(fight)
            yield fight.asked
