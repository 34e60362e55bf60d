"""Cover: what stands before a target."""

from typing import Annotated

from msgspec import Meta

from commands.action.resolution import Resolution

Cover = Annotated[int, Meta(ge=0, le=100)]
"""Percent."""


def covered(fight: Resolution, percent: int) -> tuple[tuple[int, str], ...]:
    """arkm.cover.penalty: 25% cover is -2, 50% -4, 75% -6; the referee says which."""
    if percent not in (0, 25, 50, 75):
        fight.refuse(
            "arkm.cover.penalty", f"Cover is 25, 50 or 75 percent, not {percent}.", "Say the nearest: --cover 50."
        )
    return ((-percent * 2 // 25, f"{percent}% cover"),) if percent else ()
