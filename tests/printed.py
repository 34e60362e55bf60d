"""What is printed is what fell: every die in the arithmetic of an entry is one that was rolled there, by the one whose
number it is, with the faces that fell, and a star where it was thrown by hand.
"""

import re
from collections.abc import Sequence

from ledger.events import Event, Number, Rolled, Ruled
from projections.narration import told

DICE = re.compile(r"(\d*d\d+(?:\+\d*d\d+)*)(?: \[([\d+]+)\])?(?= |$)")
"""The dice with which the reason of a term begins, and their faces where there are several."""


def check(events: Sequence[Event]) -> None:
    """Finds the roll of each term by who rolled and what for, not by what the program says, and looks for its faces in
    the lines.
    """
    rolls = [event for event in events if isinstance(event, Rolled)]
    lines = [line for one in told(events, {}) for line in one.arithmetic]
    for event in events:
        if isinstance(event, Ruled):
            for nth, number in enumerate(event.numbers):
                for step in number.steps:
                    dice = DICE.match(step.reason)
                    assert dice or not step.roll, (step, "no dice, and yet a roll")
                    if dice and step.roll:
                        _check(event, nth, number, step.value, dice, rolls[step.roll - 1], lines)
                    elif dice and (mine := [roll for roll in rolls if roll.who == event.who]):
                        assert any(step.value in roll.faces for roll in mine), (step, mine)


def _check(
    event: Ruled, nth: int, number: Number, value: int, dice: re.Match[str], roll: Rolled, lines: Sequence[str]
) -> None:
    assert sum(roll.faces) == value, (number, roll)
    assert roll.dice in (dice[1], f"1{dice[1]}"), (number, roll)
    assert not dice[2] or dice[2] == "+".join(map(str, roll.faces)), (number, roll)
    both = event.sign and len(event.numbers) == 2 and event.about not in ("", event.who)
    if both and all(any(step.roll for step in one.steps) for one in event.numbers):
        mine = number.of if number.of in (event.who, event.about) else (event.who, event.about)[nth]
        assert roll.who == mine, (event, roll)
    if not any(number.told().partition(" (")[0] in line for line in lines):
        return  # a number that is part of another one is not printed
    star = "*" * (0 in roll.places)
    alone, first = f"({dice[1]}{star}", f"{dice[1]} {value}{star}"
    for shown in [f"{dice[1]} [{roll.shown()}]"] if dice[2] else [alone, first]:
        if any(re.search(rf"(?<!\d){re.escape(shown)}(?=[ )])", line) for line in lines):
            return
    raise AssertionError((dice[0], value, lines))
