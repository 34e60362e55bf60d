"""Procedures: the verb's procedure carries out an action. After a refusal, commands that help are tried and offered."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from ledger.dice import parse
from ledger.errors import AffrayError, Refused, UsageError
from projections.state import State

from . import systems
from .declaration import Declaration, Shape, shapes
from .dice_sources import Answer, Dice, Layer, Question, Throw, stream
from .names import acting, find
from .quoting import quoted
from .resolution import ALL, REASON, Again, Needed, Offer, Resolution, Roll, listed

Fight = TypeVar("Fight", bound=Resolution)


def resolve(fight: Fight) -> Fight:
    """Carries out the action of a resolution, and gives it back; where it raises, `fight.events` holds what happened
    before.

    Raises Refused when a rule says no, UsageError when the words or the dice make no sense, Needed when dice are
    missing, and Again when it is an instant that changes the last action. Commands that help are tried when somebody
    reads the hint.
    """
    found = systems.find_verb(fight.state.campaign.system, fight.verb)
    procedure, _ = systems.procedure(found)
    try:
        if fight.state.pending.window and not found.answers and fight.verb not in systems.COMMON:
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
        if error.ways:
            error.wording = partial(_searched, partial(_worded, fight, error))
        if isinstance(error, Refused) and not fight.allow:
            error.overruling = partial(_searched, partial(_overruled, fight, error))
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
    if not card or card.by != "combatant" or card.answers or not isinstance(who, str):
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
        ours = [roll for roll in asked if dice.by_hand(Question(roll.who, roll.purpose, roll.about, 0, 0, 0))]
        needed = f"Needed, in this order: {listed(ours)}." if ours else f"This rolls no dice{_fallen(fight)}."
        if ours != list(asked):
            others = " and ".join(dict.fromkeys(roll.who or "the table" for roll in asked if roll not in ours))
            needed = (
                f"{needed if ours else 'No die is thrown by hand.'} The program rolls for {others} (option hand_dice)."
            )
        raise LeftOver(dice.rest, fight, f"Too many dice: {dice.left_over} left over. {needed}")


def _fallen(fight: Resolution | None) -> str:
    """That the one who acts falls before any dice, as by their own exertion, in words; "" where they do not."""
    who = str(getattr(fight.declaration, "who", "")) if fight else ""
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
    named = _parts(msgspec.to_builtins(fight.declaration))
    first = sorted(window.answerable, key=lambda who: named.index(who) if who in named else len(named))
    asked: list[Offer] = [(rules.answer, {"who": who}) for who in first if rules.answer]
    let_by: list[Offer] = [(rules.go_on, {})] if rules.go_on else []
    fight.hold(
        rules.clause,
        f"{window.who}'s {window.verb} waits for an answer of {' or '.join(window.answerable)}.",
        [[*asked[:1], *let_by]],
        on=let_by,
    )


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
            inside = min(1, (sides - 1) // 2)
            throw.found[nth] = found and Answer(max(1 + inside, min(found.face, sides - inside)), found.place)

    return Layer(ask)


def thrown_for(
    begun: Callable[[Dice], Resolution],
    came: Sequence[Roll],
    rest: Sequence[int | None],
    by_hand: Callable[[Question], bool] = lambda _: True,
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


def _questions(roll: Roll) -> list[Question]:
    """The dice of a roll."""
    return [Question(roll.who, roll.purpose, roll.about, 0, at, sides) for at, sides in enumerate(parse(roll.dice)[0])]


# The way on

_CHANCES = 8
"""How many different dice of the program are tried after the last that needed one more than were typed."""
_LACKING = 7
"""The most dice that may be lacking of those that were typed for what is allowed."""
ANY_DICE = bytes(32)
"""The key of the dice with which an offer is tried. These dice are not recorded."""


def any_dice() -> Dice:
    """Dice that fall somehow."""
    return Dice(stream(ANY_DICE))


def _searched(search: Callable[[], str]) -> str:
    """What a search for offers finds; "" where it fails: a fault in what is offered hides no refusal."""
    try:
        return search()
    except Exception:
        if os.environ.get("AFFRAY_DEBUG"):
            raise
        return ""


def _worded(fight: Resolution, error: AffrayError) -> str:
    """The first command that works and takes nothing from anybody whom it does not name, as it is typed; else the first
    that works and changes what refuses, with a line that says who gives up what; "" when none does. Of commands in one
    list all that work are offered, each on a line, those that cost nothing first. A text always works.
    """
    costly: list[Resolution] = []
    otherwise = ""
    for way in error.ways:
        if isinstance(way, str):
            otherwise = way
            break
        several = way if isinstance(way, list) else [way]
        works = [done for one in several if (done := tried(fight.said_in, *one))]
        works.sort(key=lambda done: bool(_cost(done)))
        if works and not _cost(works[0]):
            return _lines(fight, works)
        costly = costly or works
    if costly and otherwise.startswith("affray "):  # it is for where nothing works
        otherwise = ""
    return _lines(fight, [done for done in costly if _helps(fight, error, done)]) or otherwise


def _lines(fight: Resolution, works: Sequence[Resolution]) -> str:
    """Commands as they are typed, each on a line, with who gives up what below. What is the same deed of the same one
    keeps the dice that were thrown for it.
    """
    lines = []
    for done in works:
        same = done.verb == fight.verb and getattr(done.declaration, "who", "") == getattr(fight.declaration, "who", "")
        more = (_thrown(done, fight) if same else None) or []
        lines.append(f"{typed(done.verb, done.declaration, done.allow, more)}\n{_cost(done)}".rstrip())
    return "\n".join(lines)


def _helps(fight: Resolution, error: AffrayError, done: Resolution) -> bool:
    """Whether the same does not stand against an action any more once a command is carried out. What takes the turn on
    is said for its own sake.
    """
    if systems.find_verb(fight.said_in.campaign.system, fight.verb).by == "turn":
        return True
    try:
        now = after_opening(done.state, fight.verb, fight.declaration)
        resolve(Resolution(now, fight.verb, fight.declaration, any_dice(), fight.allow))
    except Again:
        return True
    except AffrayError as again:
        return again.message != error.message
    return True


def _overruled(fight: Resolution, error: Refused) -> str:
    """The action that was refused with the game master's word for it and the dice that were thrown, as it is typed,
    with who gives up what; "" where that does not make it possible. What takes the turn on needs no such word, what
    only waits for it does not either, nor does a word of the game master that can be said otherwise.
    """
    said, start = msgspec.to_builtins(fight.declaration), fight.said_in
    card = systems.find_verb(start.campaign.system, fight.verb)
    if card.by == "referee" and any(line.startswith("affray ") for line in error.hint.splitlines()):
        return ""  # so it is said
    goes_on = card.by == "turn" and not said.get("who")
    if goes_on or any(isinstance(part, dict) and part for part in _parts(said)):  # what a file holds cannot be typed
        return ""
    done = tried(start, fight.verb, said, REASON)
    if done is None or done.makeshift or _only_waits(fight, error, said):
        return ""
    cost, more = _cost(done), _thrown(done, fight)
    if more is None or (cost and card.lets_go):
        return ""
    return f"{typed(done.verb, done.declaration, done.allow, more)}\n{cost}".rstrip()


def _parts(said: dict[str, Any]) -> list[Any]:
    """What stands in the fields of a declaration, each part of a list by itself."""
    return [part for value in said.values() for part in (value if isinstance(value, list | tuple) else [value])]


def _only_waits(fight: Resolution, error: Refused, said: dict[str, Any]) -> bool:
    """Whether an action is possible as it was said after something that is offered, takes the turn on, and costs nobody
    anything.
    """
    for way in error.ways:
        if isinstance(way, str):
            return False
        for one in way if isinstance(way, list) else [way]:
            if done := tried(fight.said_in, *one):
                goes_on = systems.find_verb(done.state.campaign.system, done.verb).by == "turn"
                return goes_on and not _cost(done) and tried(done.state, fight.verb, said) is not None
    return False


def with_lacking(thrown: Dice, most: int, carry_out: Callable[[Dice], Resolution]) -> tuple[Resolution, int] | None:
    """An action with dice that were typed, and how many are lacking behind them: that may depend on those of the
    program, so several of these are tried. None where more than `most` are lacking. Raises AffrayError where the action
    is impossible, LeftOver where no dice of the program need all that were typed.
    """
    more, nth, last = 0, 0, 0
    fight, over = None, LeftOver((), None, "")
    while nth - last < _CHANCES:
        faces, owners = (*thrown.faces, *[None] * more), (*thrown.owners, *[""] * more)
        program = stream(bytes([nth]) * len(ANY_DICE))
        try:
            fight = carry_out(Dice(program, faces=faces, owners=owners, spare=thrown.spare, by_hand=thrown.by_hand))
        except Needed:
            more, last = more + 1, nth
            if more > most:
                return None
        except LeftOver as left:
            over, nth = left, nth + 1
        else:
            nth += 1
    if fight is None:
        raise over
    return fight, more


def _thrown(done: Resolution, fight: Resolution) -> list[str] | None:
    """The options with the dice that were typed for an action, and a dash for each that is lacking, and with its
    secrecy; None where what was done in its place takes them not.
    """
    secret, dice = ["--secret"] if fight.secret else [], fight.dice
    if not dice.faces:
        return secret
    try:
        found = with_lacking(
            dice,
            _LACKING,
            lambda dice: resolve(Resolution(done.before, done.verb, done.declaration, dice, done.allow)),
        )
    except AffrayError:
        return None
    if found is None:
        return None
    faces, owners = (*dice.faces, *[None] * found[1]), (*dice.owners, *[""] * found[1])
    shown = [f"{who}:{face or '-'}".lstrip(":") for face, who in zip(faces, owners, strict=True)]
    return ["--dice", ",".join(shown), *(["--spare"] if dice.spare else []), *secret]


def _cost(done: Resolution) -> str:
    """Who gives up what by a command; "" for nobody."""
    from .costs import given_up, told

    return told(given_up(done))


def tried(state: State, verb: str, said: dict[str, Any], allow: str = "") -> Resolution | None:
    """What comes of an offer in a state, with any dice; None when the rules refuse it."""
    try:
        _, kind = systems.procedure(systems.find_verb(state.campaign.system, verb))
        declaration = msgspec.convert(said, kind)
        now = after_opening(state, verb, declaration)
        return resolve(Resolution(now, verb, declaration, any_dice(), allow))
    except Again:
        return None
    except (AffrayError, msgspec.ValidationError) as error:
        several = isinstance(error, AffrayError) and "clauses" in error.data
        return tried(state, verb, said, f"{ALL}: {allow}") if several and not allow.startswith(ALL) else None


def way_on(state: State, error: AffrayError) -> Resolution | None:
    """What comes of the first command that works by which a fight goes on that only waits for somebody; None when it
    does not wait, or nothing works.
    """
    for way in error.on:
        for one in way if isinstance(way, list) else [way]:
            if not isinstance(one, str) and (found := tried(state, *one)):
                return found
    return None


def typed(verb: str, declaration: Declaration, allow: str = "", more: Sequence[str] = ()) -> str:
    """A declaration as the command that makes it, with more options behind it."""
    arguments, options = ["affray", *verb.split()], []
    for field, shape in shapes(type(declaration)):
        value = getattr(declaration, field.name)
        if field.required or (shape.positional and value != field.default):
            arguments += _words(shape, value)
        elif value != field.default:
            name = field.name.rstrip("_").replace("_", "-")
            if shape.base is bool:
                options.append(f"--{name}" if value else f"--no-{name}")
            else:
                options += [part for word in _words(shape, value) for part in (f"--{name}", word)]
    return " ".join(map(quoted, [*arguments, *options, *more, *(("--allow", allow) if allow else ())]))


def filled(declaration: Declaration) -> dict[str, tuple[str, ...]]:
    """The words of each field that was said, as a form has them; of a flag none."""
    found: dict[str, tuple[str, ...]] = {}
    for field, shape in shapes(type(declaration)):
        value = getattr(declaration, field.name)
        if field.required or (value != field.default and value is not False):
            several = value if shape.word in ("fighters", "blows", "groups") else _words(shape, value)
            found[field.name] = () if value is True else tuple(several)
    return found


def _words(shape: Shape, value: Any) -> Iterator[str]:
    if shape.word in ("fighters", "blows", "groups"):
        yield ",".join(value)
    elif shape.many and shape.word in ("square", "places"):
        assert shape.inner is not None
        yield "/".join(word for one in value for word in _words(shape.inner, one))
    elif shape.many:
        assert shape.inner is not None
        for one in value:
            yield from _words(shape.inner, one)
    elif shape.word == "square":
        yield ",".join(map(str, value if value[2] else value[:2]))
    elif shape.word in ("encounter", "party"):
        yield from [value["file"]] if value else []
    elif shape.base is dict:
        for name, one in value.items():
            yield f"{name}={one}"
    else:
        yield str(value)
