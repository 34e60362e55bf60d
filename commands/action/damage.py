"""`affray damage`: the game master harms somebody, and the rules of harm of the system say what follows. The module
`referee` of each rule system has `damage`, and lists in `kinds` the kinds of damage that it tells apart.
"""

from typing import Annotated

from msgspec import Meta

from . import rulebook, systems
from .declaration import MOST, Declaration, Fighters, Text
from .resolution import Resolution


class Damage(Declaration):
    """Harm somebody by the game master's word: a fall, fire, a poison.

    The number is what gets through: no armour stops it. What follows is what the rules say of harm: somebody falls,
    dies, is wounded, must check morale. To give points back, use adjust: `adjust grub-1 hp +3 'too much'`.
    """

    who: Annotated[Fighters, Meta(description="Who is harmed, each by that much.")]
    points: Annotated[int, Meta(ge=1, le=MOST, description="How much: hp, wounds, points of damage.")]
    why: Annotated[Text, Meta(description="The reason.", extra={"positional": True})] = ""
    kind: Annotated[str, Meta(max_length=40, description="What kind of damage, where the rules tell kinds apart.")] = ""


def damage(fight: Resolution, said: Damage) -> None:
    """Harms each of them. Refuses a kind that the rules do not know, and what harms nobody any more."""
    system = fight.state.campaign.system
    rules = rulebook.of(system).referee
    kind = said.kind.casefold()
    if kind and kind not in rules.kinds(fight.state):
        known = ", ".join(rules.kinds(fight.state))
        hint = f"There are: {known}." if known else [fight.otherwise(kind="")]
        fight.impossible(f"{systems.load(system).title} has no kind of damage {said.kind!r}.", hint)
    for who in said.who:
        before = fight.state
        rules.damage(fight, who, said.points, kind)
        if fight.state == before:
            fight.impossible(f"{who} cannot be harmed any more.", "affray show " + who)
