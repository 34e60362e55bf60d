"""A sheet of arkm from a stat block that was pasted as text: its scales are those of the classic family."""

import re

from commands.action.as_written import Blow, Entry, Question, Written

from .stat_block import says_hit_dice

FIELDS = {one: one for one in ["name", "ac", "hd", "hp_max", "move", "thac0", "morale"]} | {"hp": "hp_max"}
"""The fields that a question may be about, each as a sheet names it."""
_MOST_FEET = 600
_LONGEST_POWER = 1000
_LONGEST_BESIDES = 200
_NO_EFFECT = re.compile(r"\b(?:weapon|see|per|if|or|each)\b|^[/*-]|^special$|^[0-9]*$", re.I)
"""Words that are no effect of every hit."""


def sheet_of(written: Written) -> tuple[list[Entry], list[Question], list[str]]:
    """The fields of a sheet in its order, what is open, and words that no field holds."""
    entries: list[Entry] = []
    asked: list[Question] = []
    if written.name:
        entries.append(Entry("name", written.name.value, (written.name.words,)))
    entries.append(Entry("side", "monsters", (), "not in the text; --side says another"))
    hit_dice = written.hd if written.hd and says_hit_dice(written.hd.value) else None
    plain = [("hd", hit_dice), ("hp_max", written.hp), ("hp_dice", written.hp_dice), ("ac", written.ac)]
    plain += [("thac0", written.thac0), ("move", written.move), ("requires", written.requires)]
    plain += [("saves", written.saves), ("morale", written.morale)]
    for field, found in plain:
        if field == "move" and found and found.value > _MOST_FEET:
            asked.append(Question("move", f"movement: more than {_MOST_FEET} feet in a turn", found.words))
        elif found:
            entries.append(Entry(field, found.value, (found.words,)))
    attacks, about_blows, unread = _attacks(written)
    entries += attacks
    asked += about_blows
    powers = [power for power in written.special if len(power) <= _LONGEST_POWER]
    if powers:
        entries.append(Entry("special", powers, written.lists))
    return entries, asked, unread


def _attacks(written: Written) -> tuple[list[Entry], list[Question], list[str]]:
    """The attack lines, whose damage is open, and words that no line holds."""
    blows = [(blow, nth) for nth, routine in enumerate(written.routines, 1) for blow in routine]
    lines = [_line(blow, nth) for blow, nth in blows if blow.dice or blow.name]
    every = [*dict.fromkeys(blow for blow, _ in blows)]
    asked = [
        Question("attacks", f"attacks: the damage of {_named(blow)}?", written.blows)
        for blow in every
        if not blow.dice and _NO_EFFECT.search(_effect(blow) or "if")
    ]
    unread = [*dict.fromkeys(blow.besides for blow in every if blow.besides and not _effect(blow))]
    return [Entry("attacks", lines, (written.blows,))] if lines else [], asked, unread


def _named(blow: Blow) -> str:
    name = blow.name or "attack"
    return f"{name} ({_effect(blow)})" if blow.besides else name


def _effect(blow: Blow) -> str:
    """What every hit does besides its damage."""
    words = re.sub(r"^(?:\+|and\b) ?", "", blow.besides).strip()
    return "" if (blow.dice and _NO_EFFECT.search(words)) or len(words) > _LONGEST_BESIDES else words


def _line(blow: Blow, routine: int) -> dict[str, object]:
    """The attack as a line of the routine; what it does besides happens at every hit."""
    line: dict[str, object] = {"name": blow.name or "attack", "damage": blow.dice}
    if effect := _effect(blow):
        line |= {"special": effect, "special_on": 2}
    if routine > 1:
        line["routine"] = routine
    return line
