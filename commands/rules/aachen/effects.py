"""Effects: what spells, luck and the referee do to Armor Class and attacks for a while."""

from typing import Annotated, Literal

from msgspec import Meta

from commands.action.declaration import Amount, Declaration, Fighters
from commands.action.resolution import Resolution
from ledger.events import ConditionEnded, ConditionGained

from .fighters import RESERVED

KINDS = {"ac": "AC", "attack": "attack"}


class Effect(Declaration):
    """Give somebody an effect, such as a blessing or a broken shield; or end one."""

    who: Annotated[Fighters, Meta(description="Whom it concerns.")]
    name: Annotated[str, Meta(min_length=1, max_length=40, description="What it is called.")]
    amount: Annotated[Amount, Meta(description="What it adds.")] = 0
    kind: Annotated[Literal["ac", "attack"], Meta(description="What it is added to.")] = "ac"
    until: Annotated[Literal["removed", "round-end", "encounter-end"], Meta(description="How long it lasts.")] = (
        "removed"
    )
    end: Annotated[bool, Meta(description="It ends now.")] = False


def effect(fight: Resolution, said: Effect) -> None:
    """Records the effect, or its end. Without an amount it is only remembered."""
    if said.name.casefold() in RESERVED:
        hint = "Choose another name; what the rules call so, adjust sets as a condition."
        fight.impossible(f"{said.name!r} is a word of the rules, not of an effect.", hint)
    for who in said.who:
        held = fight.state.conditions.of.get(who, {})
        if not said.end:
            modifies = KINDS[said.kind] if said.amount else ""
            fight.record(ConditionGained(who, said.name, said.until, amount=said.amount, modifies=modifies))
        elif said.name in held:
            fight.record(ConditionEnded(who, said.name))
        else:
            names = ", ".join(sorted(set(held) - set(RESERVED))) or "none"
            fight.impossible(f"{who} has no effect {said.name!a}.", f"There are: {names}.")
