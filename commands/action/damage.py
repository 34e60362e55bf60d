"""`affray damage`: the game master harms somebody, and the rules of harm of the system say what follows. The module
`gm` of each rule system has `damage`, and lists in `kinds` the kinds of damage that it tells apart.
"""

from typing import Annotated

from . import rulebook, systems
from .declaration import MOST, Declaration, Fighters, Text, says
from .resolution import Resolution


class Damage(Declaration):
    """Harm somebody on the game master's say-so: a fall, fire, poison.

    The number is what gets through: no armour stops it. Then the rules for harm apply: somebody falls,
    dies, is wounded, must check morale. To give points back, use adjust: `adjust grub-1 hp +3 'too much'`.
    """

    who: Annotated[Fighters, says("Who is harmed, each by that much.")]
    points: Annotated[int, says("How much: hp, wounds, points of damage.", ge=1, le=MOST)]
    why: Annotated[Text, says("The reason.", positional=True)] = ""
    kind: Annotated[str, says("What kind of damage, where the rules tell kinds apart.", max_length=40, of="kinds")] = ""


def damage(fight: Resolution, said: Damage) -> None:
    """Harms each of them. Refuses a kind that the rules do not know, and what harms nobody any more."""
    system = fight.state.campaign.system
    rules = rulebook.of(system).gm
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
