"""Procedures: the verb's procedure carries out an action."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from ledger.dice import parse
from ledger.errors import AffrayError, UsageError
from ledger.events import Awaited, whose
from projections.state import State

from . import systems
from .declaration import Declaration
from .dice_sources import Answer, ByHand, Dice, Layer, Question, Throw, stream
from .names import acting, find
from .resolution import ALL, Again, Latest, Needed, Remedy, Resolution, Roll, listed

Fight = TypeVar("Fight", bound=Resolution)


def resolve(fight: Fight) -> Fight:
    """Carries out the action of a resolution, and gives it back; where it raises, `fight.events` holds what happened
    before.

    Raises Refused when a rule says no, UsageError when the words or the dice make no sense, Needed when dice are
    missing, and Again when it is an instant that changes the last action. The error carries the action.
    """
    found = systems.find_verb(fight.state.campaign.system, fight.verb)
    procedure, _ = systems.procedure(found)
    try:
        if fight.state.pending.window and not found.has("answers") and fight.verb not in systems.COMMON:
            _hold_up(fight)
        try:
            procedure(fight, fight.declaration)
            if fight.state.pending.window:
                name = fight.state.campaign.system
                if reviewing := systems.load(name).window.module:
                    systems.found(name, reviewing, "review")(fight)
        except Needed:
            fight.check_allowed()  # before anybody throws dice for what is refused
            raise
        fight.check_allowed()
    except AffrayError as error:
        error.deed = fight
        raise
    if not all(roll.known for roll in fight.asked):
        raise Needed(fight.asked)
    check_used(fight.dice, fight.asked, fight)
    return fight


def opened(state: State, verb: str, said: Declaration) -> Resolution | None:
    """The beginning of a turn that an action of the one whose turn is next says, too; None where no turn begins by
    acting, or something else is due before it.
    """
    turns, system = state.turns, state.campaign.system
    if not turns.round or state.pending.window or not (begins := systems.load(system).opens):
        return None
    card, who = systems.load(system).verbs.get(verb), getattr(said, "who", "")
    if not card or card.by != "combatant" or card.has("answers") or not isinstance(who, str):
        return None
    try:
        if (doer := find(state, who)) == turns.who or [doer] != acting(state):
            return None
        declaration = systems.procedure(systems.find_verb(system, begins))[1]
        return resolve(Resolution(state, begins, declaration(), Dice(faces=())))
    except (AffrayError, Needed):
        return None


def after_opening(state: State, verb: str, said: Declaration) -> State:
    """The state in which an action is carried out, once the turn has begun that it begins."""
    begun = opened(state, verb, said)
    return begun.state if begun else state


class LeftOver(UsageError):
    """More dice were typed than the rolls of an action needed."""

    def __init__(self, rest: tuple[int | None, ...], fight: Resolution | None, message: str) -> None:
        super().__init__(message)
        self.rest = rest
        """The faces that are left over, None for a die of the program."""
        self.fight = fight
        """The action as it was resolved without them; None where several are resolved."""


def check_used(dice: Dice, asked: Sequence[Roll], fight: Resolution | None = None) -> None:
    """Raises LeftOver when more dice were given than the rolls needed, unless they may be set aside. A dash is none."""
    if any(face is not None for face in dice.rest) and not dice.spare:
        if fight and (nobody := _throws_none(fight, dice, asked)):
            raise LeftOver(dice.rest, fight, nobody)
        ours = [roll for roll in asked if dice.by_hand(Question(roll.who, roll.purpose, roll.about, 0, 0, 0))]
        needed = f"Needed, in this order: {listed(ours)}." if ours else f"This rolls no dice{_why_none(fight)}."
        if ours != list(asked):
            others = " and ".join(dict.fromkeys(roll.who or "the table" for roll in asked if roll not in ours))
            first = needed if ours else "No die is rolled by hand."
            needed = f"{first} The program rolls for {others} (option hand_dice)."
        raise LeftOver(dice.rest, fight, f"Too many dice: {dice.left_over} left over. {needed}")


def _throws_none(fight: Resolution, dice: Dice, asked: Sequence[Roll]) -> str:
    """That one of those for whom dice are left over throws none, in words; "" where each throws some."""
    throwers = {roll.who.casefold() for roll in asked}
    none = [word for word in dice.named_rest if word not in throwers]
    return next((f"{who} throws no die here." for who in fight.state.roster.order if who.casefold() in none), "")


def _why_none(fight: Resolution | None) -> str:
    """That the one who acts only says what will be done, or falls before any dice, as by their own exertion, in words;
    "" for neither.
    """
    who = str(getattr(fight.declaration, "who", "")) if fight else ""
    if fight and any(isinstance(event, Awaited) for event in fight.events):
        return " yet: what is said now is carried out later"
    down = fight.state.harm.down.get(who) if fight and fight.before.stands(who) else None
    return f": {who} is {down.how} before the first one" if down else ""


def set_aside(dice: Dice) -> tuple[str, ...]:
    """A line about typed dice that nothing needed; none without any."""
    if all(face is None for face in dice.rest):
        return ()
    return (f"{dice.left_over} set aside: nothing needed {'these dice' if dice.rest[1:] else 'this die'}.",)


def _hold_up(fight: Resolution) -> None:
    """Refuses what does not answer the open window. Of those who may answer it the one is offered who was named."""
    window = fight.state.pending.window
    assert window is not None
    rules = systems.load(fight.state.campaign.system).window
    said = msgspec.to_builtins(fight.declaration).values()
    named = [part for value in said for part in (value if isinstance(value, list | tuple) else [value])]
    first = sorted(window.answerable, key=lambda who: named.index(who) if who in named else len(named))
    asked: list[Remedy] = [(rules.answer, {"who": who}) for who in first if rules.answer]
    let_by: list[Remedy] = [(rules.go_on, {})] if rules.go_on else []
    message = f"{whose(window.who)} {window.verb} waits for an answer of {' or '.join(window.answerable)}."
    fight.hold(rules.clause, message, [[*asked[:1], *let_by]], on=let_by)


_THROWS = 40
"""How many throws of the program's dice are tried in place of the first dice of an action."""


def _inside(key: bytes) -> Layer:
    """Dice that do not show their outermost faces: what only a natural 1 or 20 needs is not thrown beforehand."""
    whole = stream(key)

    def ask(throw: Throw, used: list[Any]) -> None:
        asked = throw.open
        whole.ask(throw, used)
        for nth in asked:
            found, sides = throw.found[nth], throw.pool[nth].sides
            inside = int(sides > 2)
            throw.found[nth] = found and Answer(max(1 + inside, min(found.face, sides - inside)), found.place)

    return Layer(ask)


def thrown_for(
    begun: Callable[[Dice], Resolution],
    came: Sequence[Roll],
    rest: Sequence[int | None],
    by_hand: ByHand = lambda _: True,
) -> list[tuple[Question, int | None]]:
    """For each die that was thrown with an action, behind those of the rolls that came, what it was thrown for: what
    the action would have needed, had its first dice fallen otherwise. None unless there is a use for each of them.
    """
    questions = [_questions(roll) for roll in came]
    first = [None] * sum(by_hand(die) for roll in questions for die in roll)
    for nth in range(_THROWS):
        dice = Dice(_inside(bytes([nth]) * len(ANY_DICE)), faces=(*first, *rest), by_hand=by_hand)
        fight = begun(dice)
        try:
            with suppress(Needed):
                resolve(fight)
        except (AffrayError, Again):
            continue
        asked = [_questions(roll) for roll in fight.asked]
        if asked[: len(came)] == questions:
            more = [die for roll in asked[len(came) :] for die in roll if by_hand(die)]
            return list(zip(more, dice.faces[len(first) :], strict=False))
    return []


def unneeded(fight: Resolution, rest: Sequence[int | None], by_hand: ByHand, last: Latest) -> tuple[str, ...]:
    """A line for each roll of which dice are left over because an action did not come to it: `damage die 4 not needed`.
    None where nothing is found for which all of them may have been thrown, so that one was misread.
    """

    def begun(dice: Dice) -> Resolution:
        return Resolution(fight.before, fight.verb, fight.declaration, dice, fight.allow, last, secret=fight.secret)

    found: dict[str, list[str]] = {}
    for die, face in thrown_for(begun, fight.asked, rest, by_hand) if rest else ():
        found.setdefault(die.purpose, []).append("-" if face is None else str(face))
    told = ((f"{what} {'dice' if few[1:] else 'die'}", few) for what, few in found.items())
    return tuple(f"{what} {', '.join(few)} not needed" for what, few in told)


def _questions(roll: Roll) -> list[Question]:
    """The dice of a roll."""
    return [Question(roll.who, roll.purpose, roll.about, 0, at, sides) for at, sides in enumerate(parse(roll.dice)[0])]


# The way on

ANY_DICE = bytes(32)
"""The key of the dice with which a way is tried. These dice are not recorded."""


def any_dice() -> Dice:
    """Dice that fall somehow."""
    return Dice(stream(ANY_DICE))


def tried(state: State, verb: str, said: dict[str, Any], allow: str = "") -> Resolution | None:
    """What comes of an offer in a state, with any dice; None when the rules refuse it."""
    try:
        _, kind = systems.procedure(systems.find_verb(state.campaign.system, verb))
        declaration = msgspec.convert(said, kind)
        return resolve(Resolution(after_opening(state, verb, declaration), verb, declaration, any_dice(), allow))
    except Again:
        return None
    except (AffrayError, msgspec.ValidationError) as error:
        several = isinstance(error, AffrayError) and "clauses" in error.data
        return tried(state, verb, said, f"{ALL}: {allow}") if several and not allow.startswith(ALL) else None


def offers_on(error: AffrayError) -> Iterator[Remedy]:
    """The commands by which a fight goes on that only waits for somebody."""
    every = (one for way in error.on for one in (way if isinstance(way, list) else [way]))
    return (one for one in every if not isinstance(one, str))


def way_on(state: State, error: AffrayError | None) -> Resolution | None:
    """What comes of the first of `offers_on` that works; None when the fight does not wait, or nothing works."""
    return next(filter(None, (tried(state, *one) for one in (offers_on(error) if error else ()))), None)
