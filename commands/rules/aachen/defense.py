"""Total defense."""

from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution
from ledger.events import ConditionGained

from . import actions
from .fighters import TOTAL_DEFENSE, able, has, surprised

BONUS = 2


class Defend(Declaration):
    """Total defense: +2 to Armor Class and no shock until the round ends, for the main action, at any time."""

    who: Annotated[Fighter, Meta(description="Who defends itself.")]
    after_roll: Annotated[
        bool, Meta(description="It answers the attack just made, which is resolved again on the same dice.")
    ] = False


def defend(fight: Resolution, said: Defend) -> None:
    """aachen.actions.total-defense, an instant; aachen.actions.instant-after-roll: even when the dice have fallen."""
    who, clause = said.who, "aachen.actions.total-defense"
    if said.after_roll:
        from .strike import answerable

        after = "aachen.actions.instant-after-roll"
        attack = next((attack for attack in answerable(fight) if attack.about == who), None)
        if attack is None:
            free = not (surprised(fight.state, who) or has(fight.state, who, TOTAL_DEFENSE))
            able_to = free and able(fight.state, who) and fight.state.points.left(who, actions.MAIN)
            hint = f"affray defend {who}" if able_to else "affray status"
            fight.refuse(after, f"The last action was no attack on {who}.", hint)
        else:
            fight.again()
            fight.rule(after, f"answers the attack of {attack.who}", who=who)
    if has(fight.state, who, TOTAL_DEFENSE):
        fight.refuse(clause, f"{who} is in total defense already.")
    actions.instant(fight, who, clause)
    take_guard(fight, who)


def take_guard(fight: Resolution, who: str) -> None:
    """+2 until the end of the round, and aachen.shock.total-defense."""
    fight.record(ConditionGained(who, TOTAL_DEFENSE, "round-end", amount=BONUS, modifies="AC"))
