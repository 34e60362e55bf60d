"""Throws that the game master asks for: morale, and saving throws."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, Text, says
from commands.action.encounters import require_encounter
from commands.action.modifiers import Mods
from commands.action.resolution import Resolution

from . import scores
from .conditions import TO_THE_DEATH
from .groups import find_group, of_players, standing
from .morale import DUE, check
from .saves import Category, saved


class Morale(Declaration):
    """Check the morale of a group of monsters, or waive a check that is due."""

    who: Annotated[str, says("Which group, or a member of it.", word="group")]
    trigger: Annotated[Literal["start", "first-death", "half", "upset"], says("Why, if not what is due.")] | None = None
    mod: Mods = ()
    waive: Annotated[Text, says("Waive the check, for this reason.")] = ""
    why: Annotated[Text, says("What upset them.")] = ""


def morale(fight: Resolution, said: Morale) -> None:
    """2D6 of at most the group's score, and they fight on; if higher, the table says what they do."""
    name = find_group(fight, said.who)
    require_encounter(fight)
    held = fight.state.conditions.of.get(name, {})
    if of_players(fight, name):
        fight.refuse("arkm.morale.roll", f"There are player characters among the {name}.", "Their players decide.")
    if not standing(fight, name):
        fight.refuse("arkm.morale.before-the-phases", f"Nobody in the group {name} is left standing.")
    if TO_THE_DEATH in held:
        fight.refuse("arkm.morale.twice-to-the-death", f"The {name} fight to the death.")
    due = fight.state.pending.of(DUE, name)
    if said.waive and due:
        fight.settle(DUE, name, "waived")
        return
    # arkm.morale.trigger-start, arkm.morale.trigger-upset: the game master says so.
    if said.waive or not (said.trigger or due):
        fight.impossible(f"No morale check is due for {name}.", "Say why it is checked: --trigger start or upset.")
    fight.settle(DUE, name, "done")
    check(fight, name, scores.mods(fight, said.mod, ("morale",)))


class Save(Declaration):
    """Roll a saving throw: a d20 against the number for its kind."""

    who: Annotated[Fighter, says("Who saves.")]
    category: Annotated[Category, says("What they save against.")]
    mod: Mods = ()


def save(fight: Resolution, said: Save) -> None:
    """Anybody may have to save, whatever his condition."""
    mods = scores.mods(fight, said.mod, ("save",), (said.who,))
    saved(fight, said.who, said.category, scores.said(mods, "save", said.who))
