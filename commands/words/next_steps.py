"""What can be said after a refusal: what was meant, and what the rules hand over, each tried, priced and in order."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal, NamedTuple

import msgspec

from commands.action import systems
from commands.action.book import Order
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice, stream
from commands.action.names import Absent, SeveralNamed, find_all, resolve_names
from commands.action.procedures import ANY_DICE, LeftOver, after_opening, any_dice, resolve, tried, unneeded
from commands.action.quoting import quoted
from commands.action.resolution import ALL, REASON, Again, Needed, Resolution
from commands.action.whose_dice import check_owners, typed_dice
from ledger.errors import AffrayError, Refused, UsageError
from projections.state import State

from .command import order_of
from .command_lines import typed as typed_line
from .costs import cost_of
from .form import FLAG, Table
from .meanings import FACE
from .orders import TOLD, read
from .parameters import argument_name, spelled
from .reading import Reader, Reading
from .screen import is_command

_MOST, _TRIES, _LACKING, _FARTHER, _CHANCES = 3, 24, 24, 4, 8
"""How many lines are offered, how many are tried, how many dice may be lacking, how much dearer than the nearest line
one may be that is offered with it, and how many different dice of the program are tried after the last that needed one
more than were typed.
"""


class Offer(NamedTuple):
    """Something that can be said next."""

    line: str
    """The command as it is typed, with `affray` in front; for advice a sentence."""
    kind: Literal["meant", "way", "allow", "advice"]
    """Whether this is what was meant, a way that helps, the same with --allow, or no command."""
    cost: str = ""
    """Who gives up what by it, in parentheses; "" for nobody."""

    def __str__(self) -> str:
        return f"{self.line}\n{self.cost}".rstrip()

    @property
    def works(self) -> bool:
        """Whether it is a command that does something."""
        return self.kind != "advice" and not self.line.endswith("--help")


def next_steps(table: Table, typed: Sequence[str], error: AffrayError, overrules: bool = False) -> list[Offer]:
    """What can be said below an error, three commands at most: what the rules hand over; where nothing of that works,
    what was meant by the words that were typed, if any; last, and only for who overrules the rules, the same with
    --allow.
    """
    found = _searched(lambda: handed_over(table.state, error))
    ways = [] if isinstance(error, LeftOver) else [one.line for one in found if one.works]
    unsaid = not ways or _loses_a_number(ways[0], typed, error)
    meant = _searched(lambda: _meant(table, typed, error)) if typed and unsaid else []
    if meant:
        found = [*(one for one in found if one.kind == "advice"), *meant]
    own = list[Offer]()
    if overrules and error.overrules and isinstance(error, Refused) and not any(one.works for one in meant):
        own = _searched(lambda: _overruled(table, typed, error, found))
    every = list({one.line: one for one in (*found, *own)}.values())
    commands = [at for at, one in enumerate(every) if one.kind != "advice"]
    return every[: commands[_MOST]] if commands[_MOST:] else every


def _loses_a_number(way: str, typed: Sequence[str], error: AffrayError) -> bool:
    """Whether a way is the same deed without a number that was typed, so that the number may be meant otherwise."""
    kept = re.split(r"[\s,]", way)
    return kept[1] == getattr(error.deed, "verb", "") and any(word.isdigit() and word not in kept for word in typed)


def _searched(search: Callable[[], list[Offer]]) -> list[Offer]:
    """What a search finds; nothing where it fails: a fault in it takes nothing from what went wrong."""
    try:
        return search()
    except Exception:
        if os.environ.get("AFFRAY_DEBUG"):
            raise
        return []


def with_lacking(dice: Dice, carry_out: Callable[[Dice], Resolution]) -> tuple[Resolution, list[str]]:
    """An action with dice that were typed, and a dash for each that is lacking behind them, with who lacks it where
    they were typed by name: that may depend on those of the program, so several of these are tried. Raises AffrayError
    where the action is impossible, Needed where too many are lacking, LeftOver where no dice of the program need all
    that were typed.
    """
    more, nth, last = list[str](), 0, 0
    fight, over = None, LeftOver((), None, "")
    while nth - last < _CHANCES:
        faces, owners = (*dice.faces, *[None] * len(more)), (*dice.owners, *more)
        program = stream(bytes([nth]) * len(ANY_DICE))
        try:
            fight = carry_out(Dice(program, faces=faces, owners=owners, spare=dice.spare, by_hand=dice.by_hand))
        except Needed as needed:
            lacks = next((roll.who for roll in needed.rolls if not roll.known and any(dice.owners)), "")
            more, last = [*more, lacks.casefold()], nth
            if len(more) > _LACKING:
                raise
        except LeftOver as left:
            over, nth = left, nth + 1
        else:
            nth += 1
    if fight is None:
        raise over
    return fight, [f"{who}:-" if any(dice.owners) else "-" for who in more]


def attempt(table: Table, words: Sequence[str]) -> tuple[Resolution, list[str]]:
    """What comes of a line now with any dice, and the line, with a dash for each die that is lacking. Raises
    AffrayError where it is impossible.
    """
    order = order_of(words, table.system)
    now = after_opening(table.state, order.verb, order.declaration)

    carry_out = partial(_carried_out, now, order, _named(now, order.declaration))
    if order.dice is None:
        return carry_out(any_dice()), [*words]
    try:
        fight, more = with_lacking(typed_dice(now, order), carry_out)
    except LeftOver:
        check_owners(now, order)
        raise
    at = words.index("--dice") + 1
    return fight, [*words[:at], ",".join([words[at], *more]), *words[at + 1 :]]


def _carried_out(state: State, order: Order, said: Declaration, dice: Dice) -> Resolution:
    return resolve(Resolution(state, order.verb, said, dice, order.allow))


def check_whose(state: State, order: Order) -> None:
    """Raises NameUnknown or LeftOver where dice were typed for somebody who throws none, whatever falls."""
    if not order.owners:
        return
    check_owners(state, order)
    try:
        now = after_opening(state, order.verb, order.declaration)
        said = resolve_names(now, order.declaration)
        with_lacking(typed_dice(now, order), partial(_carried_out, now, order, said))
    except LeftOver:
        raise
    except (AffrayError, Again):
        return


def _named(state: State, declaration: Declaration) -> Declaration:
    """The declaration with every name in full; where several act in turn, that of the first who stands."""
    try:
        return resolve_names(state, declaration)
    except SeveralNamed as several:
        if getattr(declaration, "who", "") != several.word:
            raise
        able = [who for who in find_all(state, tuple(several.word.split(","))) if state.stands(who)]
        return resolve_names(state, msgspec.structs.replace(declaration, who="".join(able[:1])))


def completed(table: Table, typed: Sequence[str]) -> list[str]:
    """The words with what is clear and was left out, or begun: every word is used, and one reading remains. Where the
    rules refuse the only one, it is given too, so that they say why. None where it is not clear.
    """
    lines = [(one, one.line(table.form(one.verb))) for one in Reader(table).readings(typed, False)]
    if not lines and _names_nobody(table, apart := _with_option(typed)):
        return apart  # so that they say whom, and not that the dice have no place
    whole = [one for one, words in lines if " ".join(words).split() == " ".join(typed).split()]
    if whole and ("target" in whole[0].said or len(lines) == 1):
        return []  # nothing was left out
    others = [(one.cost, words) for one, words in lines if one not in whole]
    allowed = [(cost, words) for cost, words in others if _is_allowed(table, words)]
    if allowed and (len(allowed) == 1 or allowed[0][0] < allowed[1][0]):
        return allowed[0][1]
    return others[0][1] if len(others) == 1 and not allowed and not whole else []


def _with_option(words: Sequence[str]) -> list[str]:
    """A line whose dice stand behind the action, with their option."""
    thrown = [at for at in range(1, len(words)) if FACE.fullmatch(words[at]) and not words[at - 1].startswith("--")]
    others = [word for at, word in enumerate(words) if at not in thrown]
    return [*others, "--dice", ",".join(words[at] for at in thrown)] if thrown else others


def _names_nobody(table: Table, words: Sequence[str]) -> bool:
    """Whether a line names somebody who is not at the table."""
    try:
        attempt(table, words)
    except Absent:
        return True
    except (AffrayError, Again, Needed, msgspec.ValidationError):
        return False
    return False


def _is_allowed(table: Table, words: Sequence[str]) -> bool:
    """Whether the rules allow a line now, whatever dice fall."""
    try:
        fight, _ = attempt(table, words)
    except (AffrayError, Again, Needed, msgspec.ValidationError):
        return False
    return not fight.makeshift


# What the rules hand over


def handed_over(state: State, error: AffrayError) -> list[Offer]:
    """What a refusal hands over: of its ways the first that works and takes nothing from anybody whom it does not name;
    else the first that works and changes what refuses. Of ways in one list all that work are offered, those that cost
    nothing first. A text always works. Last what its hint says.
    """
    costly: list[tuple[Resolution, str]] = []
    otherwise = ""
    said = in_lines(error.hint)
    for way in error.ways if error.deed else ():
        if isinstance(way, str):
            otherwise = way
            break
        several = way if isinstance(way, list) else [way]
        works = [(done, cost_of(done)) for one in several if (done := tried(state, *one))]
        works.sort(key=lambda one: bool(one[1]))
        if works and not works[0][1]:
            return [*_as_typed(error.deed, works), *said]
        costly = costly or works
    helping = _as_typed(error.deed, [one for one in costly if _helps(state, error, one[0])])
    text = "" if costly and is_command(otherwise) else otherwise  # a command is for where nothing works
    return [*(helping or in_lines(text)), *said]


def in_lines(hint: str) -> list[Offer]:
    """What a hint says."""
    return [Offer(line, "way" if is_command(line) else "advice") for line in hint.splitlines()]


def _as_typed(deed: Resolution, works: Iterable[tuple[Resolution, str]]) -> list[Offer]:
    """Commands, each with its cost. What is the same deed of the same one keeps the dice that were thrown for it."""
    found = []
    for done, cost in works:
        if _is_of_file(msgspec.to_builtins(done.declaration)):
            continue
        same = done.verb == deed.verb and getattr(done.declaration, "who", "") == getattr(deed.declaration, "who", "")
        more = (_thrown(done, deed) if same else None) or []
        found.append(Offer(typed_line(done.verb, done.declaration, done.allow, more), "way", cost))
    return found


def _helps(state: State, error: AffrayError, done: Resolution) -> bool:
    """Whether the same does not stand against an action any more once a command is carried out. What takes the turn on
    is said for its own sake.
    """
    deed = error.deed
    if systems.find_verb(state.campaign.system, deed.verb).by == "turn":
        return True
    try:
        now = after_opening(done.state, deed.verb, deed.declaration)
        resolve(Resolution(now, deed.verb, deed.declaration, any_dice(), deed.allow))
    except Again:
        return True
    except AffrayError as again:
        return again.message != error.message
    return True


def _thrown(done: Resolution, deed: Resolution) -> list[str] | None:
    """The options with the dice that were typed for an action, and a dash for each that is lacking, and with its
    secrecy; None where what was done in its place takes them not.
    """
    secret, dice = ["--secret"] if deed.secret else [], deed.dice
    if not dice.faces:
        return secret
    try:
        _, more = with_lacking(
            dice, lambda dice: resolve(Resolution(done.before, done.verb, done.declaration, dice, done.allow))
        )
    except LeftOver as left:
        if not left.fight or not unneeded(left.fight, left.rest, dice.by_hand, tuple):
            return None
        more = []
    except AffrayError:
        return None
    shown = [f"{who}:{face or '-'}".lstrip(":") for face, who in zip(dice.faces, dice.owners, strict=True)]
    return ["--dice", ",".join([*shown, *more]), *(["--spare"] if dice.spare else []), *secret]


# The game master's word


def _overruled(table: Table, typed: Sequence[str], error: AffrayError, found: Sequence[Offer]) -> list[Offer]:
    """The action that was refused with the game master's word for it and the dice that were thrown, with who gives up
    what; none where that does not make it possible. What takes the turn on needs no such word, what only waits for it
    does not either, nor does a word of the game master that can be said otherwise.
    """
    deed = error.deed
    said = msgspec.to_builtins(deed.declaration) if deed and not deed.allow else {}
    if _is_of_file(said):
        return _as_it_was_typed(table, typed) if not found and error.sheet >= 0 else []
    if not said:
        return []
    card = systems.find_verb(table.system, deed.verb)
    if card.by == "gm" and any(one.kind == "way" for one in found):
        return []  # so it is said
    if card.by == "turn" and not said.get("who"):
        return []
    done = tried(table.state, deed.verb, said, REASON)
    if done is None or done.makeshift or _only_waits(table.state, error, said):
        return []
    cost, more = cost_of(done), _thrown(done, deed)
    if more is None or (cost and card.lets_go):
        return []
    return [Offer(typed_line(done.verb, done.declaration, done.allow, more), "allow", cost)]


def _as_it_was_typed(table: Table, typed: Sequence[str]) -> list[Offer]:
    """A line as it was typed, with the word of the game master for it; none where that does not make it possible."""
    for why in (REASON, f"{ALL}: {REASON}"):
        if _is_allowed(table, [*typed, "--allow", why]):
            return [Offer(_line([*typed, "--allow", why]), "allow")]
    return []


def _is_of_file(said: dict[str, Any]) -> bool:
    """Whether a declaration has in it what a file holds, which is typed as its file."""
    parts = chain.from_iterable(value if isinstance(value, list | tuple) else [value] for value in said.values())
    return any(isinstance(part, dict) and part for part in parts)


def _only_waits(state: State, error: AffrayError, said: dict[str, Any]) -> bool:
    """Whether an action is possible as it was said after something that is offered, takes the turn on, and costs nobody
    anything.
    """
    ways = [one for way in error.ways for one in (way if isinstance(way, list) else [way])]
    texts = [at for at, one in enumerate(ways) if isinstance(one, str)]
    for one in ways[: texts[0] if texts else None]:
        if done := tried(state, *one):
            goes_on = systems.find_verb(state.campaign.system, done.verb).by == "turn"
            return goes_on and not cost_of(done) and tried(done.state, error.deed.verb, said) is not None
    return False


# What was meant


def _meant(table: Table, typed: Sequence[str], error: AffrayError) -> list[Offer]:
    """What was meant by a line, each tried by the rules; where they refuse what was meant, why, and what they hand
    over; else what the verb takes.
    """
    readings = Reader(table).readings(typed, True)
    refused: list[tuple[Any, ...]] = []
    found: list[tuple[Reading, Offer]] = []
    for one in readings[:_TRIES]:
        if found and (one.cost > found[0][0].cost + _FARTHER or len(found) == _MOST):
            break
        if any(other.verb == one.verb and other.said.items() < one.said.items() for other, _ in found):
            continue  # it names more than a line that works
        if offer := _tried(table, one, typed, refused):
            found.append((one, offer))
    if clear := _clear(found):
        return sorted((offer for _, offer in clear), key=lambda one: bool(one.cost))
    same = any(no.message == error.message for *_, no in refused)  # the line itself is what was meant
    if (why := _clear(refused)) and not same and not isinstance(error, LeftOver):
        return _instead_refused(table, *why[0][1:])
    unread = error.hint.startswith("affray ") and error.hint.endswith("--help")
    return [Offer(one, "advice") for one in _takes(table, readings, typed)] if unread else []


def _clear(found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Those of what was found by readings in which nothing was left out, or that come to the same of one doer."""
    all_ways = [(one.typed, (str(last), "who" in one.filled and one.said["who"])) for one, *_, last in found]
    ways = [{way for typed, way in all_ways if typed == one.typed} for one, *_ in found]
    return [each for each, several in zip(found, ways, strict=True) if not each[0].filled or len(several) == 1]


def _tried(table: Table, one: Reading, typed: Sequence[str], refused: list[tuple[Any, ...]]) -> Offer | None:
    """The offer of a reading that works; None for others, and what says why is added to `refused`."""
    line = one.line(table.form(one.verb))
    try:
        return _offered(table, one, line, typed)
    except (Refused, UsageError) as no:
        if not no.hint.endswith("--help"):  # more than what the verb takes
            refused.append((one, _line(line), no))
    except (AffrayError, Again, Needed, msgspec.ValidationError):
        pass
    return None


def _instead_refused(table: Table, meant: str, no: AffrayError) -> list[Offer]:
    """Why the rules refuse what was meant, and what they hand over."""
    why = Offer(f"If you mean {meant.removeprefix('affray ')}: {no.message}", "advice")
    return [why, *handed_over(table.state, no)]


def _offered(table: Table, one: Reading, line: list[str], typed: Sequence[str]) -> Offer | None:
    """A reading that works; None for the line itself, and for a tool that is not meant: it is not tried, so that no
    word of its line may move. Raises what refuses it.
    """
    if one.verb in table.tools:
        card, words = table.tools[one.verb], line[len(one.verb.split()) :]
        read(one.verb, systems.procedure(card)[1], words, every=TOLD if card.has("tells") else TOLD[1:])
        same = typed[0] == one.verb and len(line) == len(typed) and card.kind != "records"
        meant = same or (typed[0] not in table.tools and card.kind == "looks" and words)
        return Offer(_line(line), "meant") if meant and one.cost else None
    fight, words = attempt(table, line)
    if " ".join(words).split() == " ".join(typed).split():
        return None  # it failed for another reason
    return Offer(_line(words), "meant", cost_of(fight))


def _takes(table: Table, readings: Sequence[Reading], typed: Sequence[str]) -> list[str]:
    """What the verb of a line takes, in one line, and an example that shows it; none where no verb is meant."""
    from .examples import example

    verbs = [one.verb for one in readings[:1]] or [verb for _, verb in Reader(table).verbs(typed[0], True)[:1]]
    if not verbs or verbs[0] in table.tools:
        return []
    verb = verbs[0]
    declaration = systems.procedure(table.verbs[verb])[1]
    parts = [
        argument_name(declaration, field.name, field.shape, field.required)
        if not field.option
        else f"[{field.typed}{'' if field.kind == FLAG else ' ' + spelled(field.name).upper()}]"
        for field in table.form(verb)
    ]
    if not parts:
        return [f"{verb} takes nothing else."]
    more = " ..." if parts[6:] else ""
    shown = example("" if verb in systems.COMMON else table.system, verb).removeprefix("affray ")
    return [f"{verb} takes {' '.join(parts[:6]) or 'no words'}{more}{f', as in {shown}' if shown else ''}"]


def _line(words: Sequence[str]) -> str:
    return " ".join(["affray", *map(quoted, words)])
