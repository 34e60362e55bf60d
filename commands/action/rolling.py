"""Loose dice, as tables write them: `2d6+1`, `4d6kh3`, `2d20kl1`, `4d6!`, `1d20 adv`. Each die is in the record."""

import re
from typing import Annotated, Literal

from ledger.dice import MOST_DICE, parse, written
from ledger.errors import UsageError
from ledger.events import Number

from .declaration import Declaration, Fighter, Text, says
from .resolution import Resolution
from .resolution import Roll as Thrown

_WRITTEN = re.compile(r"(?P<dice>\d*d\d+)(?:k(?P<which>[hl]?)(?P<kept>\d{0,3})|(?P<again>!))(?P<more>[+-]\d+)?")
"""Dice of one size of which some are kept, or of which the highest face is thrown again."""
_FORMS = "Write it like 2d6, d20+3, 1d8+1d6-1, 4d6kh3 (the best three), 2d20kl1 (the least), 4d6! or 1d20 adv."


class Roll(Declaration):
    """Roll dice for anything else at the table. The roll is recorded and changes nothing.

    4d6kh3 keeps the best three, 2d20kl1 the lowest; 4d6! rolls each 6 again, and adds it.
    """

    dice: Annotated[str, says("Such as 2d6+1, 4d6kh3 or 4d6!.")]
    twice: Annotated[
        Literal["adv", "dis"] | None, says("Roll the die twice: adv keeps the better, dis the worse.", positional=True)
    ] = None
    who: Annotated[Fighter, says("Whose roll it is.")] = ""
    why: Annotated[Text, says("What it is for.")] = "a roll"


def roll(fight: Resolution, said: Roll) -> None:
    """Rolls, leaves out what is not kept, adds the constant, and records the sum."""
    form = _WRITTEN.fullmatch(said.dice.replace(" ", "").lower())
    sides, constant = parse(f"{form['dice']}{form['more'] or ''}" if form else said.dice)
    if not sides:
        raise UsageError(f"{said.dice[:40]!r} rolls no dice.", _FORMS)
    kept, lowest = len(sides), False
    if form and not form["again"]:
        kept, lowest = int(form["kept"] or 1), form["which"] == "l"
    if said.twice:
        if sides[1:] or form:
            raise UsageError(f"{said.twice} is for one die, not {said.dice[:40]!r}.", _FORMS)
        sides, lowest = sides * 2, said.twice == "dis"
    if not 1 <= kept <= len(sides):
        raise UsageError(f"Of {len(sides)} dice {kept} cannot be kept.", _FORMS)
    thrown = fight.roll(said.who, written(sides), said.why)
    score = _thrown_again(fight, said, thrown, sides) if form and form["again"] else thrown.number()
    if dropped := len(sides) - kept:
        aside = sorted(thrown.faces, reverse=lowest)[:dropped]
        score = score.minus(sum(aside), f"not kept: {'+'.join(map(str, aside))}")
    fight.rule("table.roll", "", [score.plus(constant, "bonus")], who=said.who)


def _thrown_again(fight: Resolution, said: Roll, thrown: Thrown, sides: tuple[int, ...]) -> Number:
    """The sum, with a die more for each highest face, as long as one falls and a roll may have so many dice."""
    score, left, most = thrown.number(), MOST_DICE - len(sides), sides[0]
    while (count := min(thrown.faces.count(most), left)) > 0:
        thrown, left = fight.roll(said.who, f"{count}d{most}", said.why), left - count
        score = score.plus(thrown.total, "again", roll=thrown.nth)
    return score
