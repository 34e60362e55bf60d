"""What can be said after a refusal: what was meant, tried by the rules, with what it costs beside it."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from commands.action.costs import given_up, told
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice
from commands.action.names import SeveralNamed, find_all, resolve_names
from commands.action.procedures import after_opening, any_dice, resolve, with_lacking
from commands.action.quoting import quoted
from commands.action.resolution import ALL, REASON, Again, Needed, Resolution
from commands.action.whose_dice import typed_dice
from ledger.errors import AffrayError, Refused, UsageError
from projections.state import State

from .command import order_of
from .form import FLAG, Table
from .parameters import argument_name, spelled
from .reading import Reader, Reading

_MOST, _TRIES, _LACKING, _FARTHER = 3, 24, 24, 4
"""How many lines are offered, how many are tried, how many dice may be lacking, and how much dearer than the nearest
line one may be that is offered with it."""


class Offer(NamedTuple):
    """A line that works as it is typed."""

    line: str
    cost: str
    """Who gives up what by it, in parentheses; "" for nobody."""

    def __str__(self) -> str:
        return f"{self.line}\n{self.cost}".rstrip()


class Refusal(NamedTuple):
    """A line that was meant, and that the rules refuse."""

    line: str
    error: AffrayError


def attempt(table: Table, words: Sequence[str]) -> tuple[Resolution, list[str]]:
    """What comes of a line now with any dice, and the line, with a dash for each die that is lacking. Raises
    AffrayError where it is impossible.
    """
    order = order_of(words, table.system)
    now = after_opening(table.state, order.verb, order.declaration)
    said = _named(now, order.declaration)

    def carry_out(dice: Dice) -> Resolution:
        return resolve(Resolution(now, order.verb, said, dice, order.allow))

    if order.dice is None:
        return carry_out(any_dice()), [*words]
    found = with_lacking(typed_dice(now, order), _LACKING, carry_out)
    if found is None:
        raise Needed([])
    fight, more = found
    at = words.index("--dice") + 1
    return fight, [*words[:at], words[at] + ",-" * more, *words[at + 1 :]]


def allowed(table: Table, typed: Sequence[str]) -> str:
    """A line as it was typed, with the word of the game master for it; "" where that does not make it possible."""
    for why in (REASON, f"{ALL}: {REASON}"):
        if _is_allowed(table, [*typed, "--allow", why]):
            return _line([*typed, "--allow", why])
    return ""


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
    whole = [one for one, words in lines if " ".join(words).split() == " ".join(typed).split()]
    if whole and ("target" in whole[0].said or len(lines) == 1):
        return []  # nothing was left out
    others = [(one.cost, words) for one, words in lines if one not in whole]
    allowed = [(cost, words) for cost, words in others if _is_allowed(table, words)]
    if allowed and (len(allowed) == 1 or allowed[0][0] < allowed[1][0]):
        return allowed[0][1]
    return others[0][1] if len(others) == 1 and not allowed and not whole else []


def _is_allowed(table: Table, words: Sequence[str]) -> bool:
    """Whether the rules allow a line now, whatever dice fall."""
    try:
        fight, _ = attempt(table, words)
    except (AffrayError, Again, Needed, msgspec.ValidationError):
        return False
    return not fight.makeshift


def next_steps(table: Table, typed: Sequence[str], error: AffrayError) -> list[str]:
    """The lines of a hint below a command that failed: what was meant, three lines at most, each tried by the rules;
    where they refuse what was meant, why, and what they offer; else what the verb takes.
    """
    readings = Reader(table).readings(typed, True)
    offers: list[Offer] = []
    refused: list[Refusal] = []
    whole: list[Reading] = []
    nearest = 0
    for one in readings[:_TRIES]:
        if offers and (one.cost > nearest + _FARTHER or len(offers) == _MOST):
            break
        words = one.line(table.form(one.verb))
        if one.verb in table.tools:
            looks = one.cost and table.tools[one.verb].kind == "looks" and len(words) > 1
            offers += [Offer(_line(words), "")] if looks else []
            continue
        if any(other.verb == one.verb and other.said.items() < one.said.items() for other in whole):
            continue  # it names more than a line that works
        try:
            fight, words = attempt(table, words)
        except (Refused, UsageError) as no:
            if no.hint.endswith("--help"):
                continue  # no more than what the verb takes
            refused.append(Refusal(_line(words), no))
            continue
        except (AffrayError, Again, Needed, msgspec.ValidationError):
            continue
        if " ".join(words).split() == " ".join(typed).split():
            continue  # it failed for another reason
        nearest = nearest if offers else one.cost
        whole.append(one)
        offers.append(Offer(_line(words), told(given_up(fight))))
    if offers:
        offers.sort(key=lambda one: bool(one.cost))
        return [str(one) for one in offers]
    if refused and refused[0].error.message != error.message:
        line, no = refused[0]
        return [f"If you mean {line.removeprefix('affray ')}: {no.message}", *no.hint.splitlines()]
    unread = error.hint.startswith("affray ") and error.hint.endswith("--help")
    return _takes(table, readings, typed) if unread else []


def _takes(table: Table, readings: Sequence[Reading], typed: Sequence[str]) -> list[str]:
    """What the verb of a line takes, in one line, and an example that shows it; none where no verb is meant."""
    from commands.action import systems

    from .examples import example

    verbs = [one.verb for one in readings[:1]] or [verb for _, verb in Reader(table).verbs(typed[0], True)[:1]]
    if not verbs:
        return []
    verb = verbs[0]
    declaration = systems.procedure(table.verbs[verb])[1]
    parts = [
        argument_name(declaration, field.name, field.shape, field.required)
        if not field.option
        else f"[{field.typed}{'' if field.kind == FLAG else ' ' + spelled(field.name).upper()}]"
        for field in table.form(verb)
    ]
    more = " ..." if parts[6:] else ""
    shown = example("" if verb in systems.COMMON else table.system, verb).removeprefix("affray ")
    return [f"{verb} takes {' '.join(parts[:6])}{more}{f', as in {shown}' if shown else ''}"]


def _line(words: Sequence[str]) -> str:
    return " ".join(["affray", *map(quoted, words)])
