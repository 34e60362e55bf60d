"""Whips: entangling."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import grips, position, scores, tohit
from .arms import in_hand
from .sheet import Sheet

if TYPE_CHECKING:
    from .attack import Arms, Attack

SIZES = ("tiny", "small", "human", "ogre", "huge")
BODY = ("body", "legs", "arm")


def entangle(fight: Resolution, said: "Attack", arms: "Arms", target: str) -> None:
    """A hit, then the wielder's saving throw vs Paralysis less the target's STR; no damage and nothing critical.

    Who is held by body or legs does not leave, and by arm, weapon or item does not use the weapon in hand, until the
    wielder does something else.

    arkm.whip.area: named beforehand.
    """
    from .attack import after, aimed
    from .damage import roll, take
    from .disarm import fall
    from .saves import saved

    who = said.who
    then = _result(fight, said, arms, target)
    blow = replace(aimed(fight, said, arms, target), harmless=not fight.option("whip_damage"))
    outcome = tohit.roll(fight, blow)
    after(fight, blow, said.slots)
    if outcome.fumble:
        from .fumble import fumble

        fumble(fight, blow)
    if not outcome.hit:
        return
    if fight.option("whip_damage"):
        take(fight, target, roll(fight, blow, outcome), who)
    # arkm.whip.entangle-save, arkm.whip.target-str
    if not saved(fight, who, "paralysis", -scores.modifier(fight, target, "str"), "target's STR", target):
        fight.rule("arkm.whip.entangle-save", "not entangled", who=who, about=target)
        return
    fight.rule("arkm.whip.entangle-save", "entangled", who=who, about=target)
    fight.rule("arkm.whip.result", f"{said.area}: {then}", who=who, about=target)
    if then == "prone":
        position.fall(fight, target)
    elif then == "hold":
        grips.free_of_whips(fight, target)
        fight.record(ConditionGained(target, grips.ENTANGLED, "encounter-end", whom=(who,), modifies=said.area or ""))
    elif held := in_hand(fight, target):
        fall(fight, target, held[0].id, who)


def _result(fight: Resolution, said: "Attack", arms: "Arms", target: str) -> str:
    """arkm.whip.result, arkm.whip.size-limit: refuses what a whip cannot do."""
    if arms.weapon is None or "whip" not in arms.weapon.tags:
        fight.refuse(
            "arkm.whip.entangle-save", f"{said.who} has no whip in use.", "Say so if it is carried: --with whip."
        )
    sheet: Sheet = fight.sheet(target)
    if SIZES.index(sheet.size) > SIZES.index("ogre"):
        fight.refuse("arkm.whip.size-limit", f"{target} is {sheet.size}, larger than an ogre.")
    if said.area is None:
        fight.impossible("What is to be entangled?", "Say it: --area legs, body, arm, weapon or item.")
    body = said.area in BODY
    then = said.then or ("prone" if body else "pull")
    if then == ("pull" if body else "prone"):
        fight.refuse(
            "arkm.whip.result", f"With the {said.area} one can {'prone' if body else 'pull'} or hold, not {then}."
        )
    if then == "pull" and not in_hand(fight, target):
        fight.refuse("arkm.whip.result", f"{target} has nothing in hand.", "Say what else: --area legs, body or arm.")
    return then
