"""How far apart two parties are when they meet."""

from typing import Annotated

from msgspec import Meta

from commands.declaration import Declaration
from commands.resolution import Resolution
from ledger.events import Counted

OUTDOORS = "outdoors"
"""What is counted of an encounter outdoors, where figures are yards."""
APART = "apart"
"""What is counted of an encounter: the distance at which it began."""


class Distance(Declaration):
    """Roll how far apart the parties are when they meet, or say it."""

    set_: Annotated[int, Meta(ge=0, le=10_000, description="The distance, if it is known.")] | None = None


def distance(fight: Resolution, said: Distance) -> None:
    """arkm.distance.normal: 2D6 x 10, without a surprise, if it is uncertain."""
    if not fight.state.encounter.running:
        fight.impossible("No encounter is under way.", "affray begin")
    if said.set_ is not None:
        fix(fight, said.set_)
        return
    if before := fight.state.counts.get("encounter", APART):
        fight.refuse(
            "arkm.distance.normal", f"The distance is known: {before} {measure(fight)}.", "affray distance --set N"
        )
    rolled = fight.roll("", "2d6", "distance").number().times(10, measure(fight))
    fight.rule("arkm.distance.normal", f"{rolled.total} {measure(fight)}", [rolled])
    _apart(fight, rolled.total)


def thirds(fight: Resolution) -> None:
    """arkm.distance.surprise: 10, 20 or 30, by thirds of a D6, also when the rolls cancelled each other."""
    rolled = fight.roll("", "1d6", "distance").number().over(2, "thirds", up=True).times(10, measure(fight))
    fight.rule("arkm.distance.surprise", f"{rolled.total} {measure(fight)}", [rolled])
    _apart(fight, rolled.total)


def fix(fight: Resolution, far: int) -> None:
    """The referee knows how far it is."""
    fight.rule("arkm.distance.normal", f"{far} {measure(fight)}, by the referee")
    _apart(fight, far)


def _apart(fight: Resolution, far: int) -> None:
    fight.record(Counted("encounter", APART, far, until="encounter-end"))


def measure(fight: Resolution) -> str:
    """feet, or outdoors yards."""
    return "yards" if fight.state.counts.get("encounter", OUTDOORS) else "feet"
