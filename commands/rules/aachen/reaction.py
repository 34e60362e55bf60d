"""Reaction: how the other party takes it."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution

from .actions import check_able

REACTIONS = (
    (12, "friendly, helpful"),
    (9, "indifferent, uninterested"),
    (6, "wary, neutral"),
    (3, "unfriendly: may hinder or harm"),
    (-1000, "hostile: attacks if it can"),
)
"""aachen.reaction.roll: (least total, reaction), highest first."""


class Reaction(Declaration):
    """Roll 2d6 for the reaction of the other party."""

    speaker: Annotated[Fighter, Meta(description="Who greets them, and adds its CHA.")] = ""


def reaction(fight: Resolution, said: Reaction) -> None:
    """The result binds nobody."""
    if said.speaker:
        check_able(fight, said.speaker)
    total = fight.roll("", "2d6", "reaction").number()
    if said.speaker:
        total = total.plus(fight.sheet(said.speaker).modifier("CHA"), f"{said.speaker}'s CHA")  # aachen.reaction.cha
        fight.rule("aachen.reaction.cha", "", [total], about=said.speaker)
    outcome = next(told for least, told in REACTIONS if total.total >= least)
    fight.rule("aachen.reaction.roll", outcome, [] if said.speaker else [total])
