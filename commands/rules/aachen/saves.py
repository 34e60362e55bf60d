"""Saves: a d20 against a score of the sheet."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import Number, number

from .tables import Attribute

BASE, MONSTER_BASE = 16, 15
ATTRIBUTES: dict[str, tuple[Attribute, ...]] = {
    "physical": ("STR", "CON"),
    "evasion": ("DEX", "INT"),
    "mental": ("WIS", "CHA"),
    "luck": (),
}
"""aachen.save.score: the better of two attributes."""


class Save(Declaration):
    """Make a saving throw."""

    who: Annotated[Fighter, Meta(description="Who saves.")]
    kind: Annotated[Literal["physical", "evasion", "mental", "luck"], Meta(description="Against what.")]
    penalty: Annotated[int, Meta(ge=0, le=1000, description="What the roll is lowered by.")] = 0


def save(fight: Resolution, said: Save) -> None:
    """At any time, at no action; the dying save too."""
    down = fight.state.harm.down.get(said.who)
    if down and down.how == "dead":
        fight.impossible(f"{said.who} is dead.", f"affray adjust {said.who} down no 'the reason'")
    saves(fight, said.who, said.kind, said.penalty, "penalty")


def score(fight: Resolution, who: str, kind: str) -> Number:
    """aachen.save.score: 16 - the better modifier - level; aachen.save.monster: 15 - half the hit dice, down."""
    sheet = fight.sheet(who)
    if sheet.kind != "pc":
        half = number("save", sheet.hit_dice, "hit dice").over(2, "half").total
        return number("save", MONSTER_BASE, "base").minus(half, f"half of {sheet.hit_dice} hit dice")
    total = number("save", BASE, "base")
    if ATTRIBUTES[kind]:
        best = max(ATTRIBUTES[kind], key=sheet.modifier)
        total = total.minus(sheet.modifier(best), best)
    return total.minus(sheet.level, "level")


def saves(
    fight: Resolution, who: str, kind: str, penalty: int, why: str, clause: str = "aachen.save.roll", about: str = ""
) -> bool:
    """aachen.save.roll: 1 fails and 20 succeeds, whatever the score."""
    roll = fight.roll(who, "1d20", f"{kind} save", about)
    total, needed = roll.number("save").minus(penalty, why), score(fight, who, kind).called(kind)
    if roll.natural in (1, 20):
        outcome = "saved" if roll.natural == 20 else "failed"
        return fight.rule(clause, outcome, [total, needed], who) == "saved"
    return fight.compare(clause, total, ">=", needed, who, yes="saved", no="failed")
