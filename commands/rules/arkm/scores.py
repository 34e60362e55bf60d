"""Ability scores: who is helped by which of them, with which weapon."""

from collections.abc import Sequence

from msgspec import Struct

from commands.action import modifiers
from commands.action.modifiers import Modifier
from commands.action.resolution import Resolution
from commands.action.view import View
from ledger.events import Number

from .stat_block import Sheet, Weapon
from .tables import Abilities


class Term(Struct, frozen=True):
    """A modifier."""

    value: int
    reason: str
    clause: str = ""
    """The clause that gives it."""


_MOST = 100
"""The largest modifier of the game master, either way."""


def mods(
    fight: Resolution, words: Sequence[str], numbers: tuple[str, ...], whose: tuple[str, ...] = ()
) -> tuple[Modifier, ...]:
    """The game master's modifiers of these numbers, the verb's own first; `whose` they can be said to be."""
    found = modifiers.read(fight, words, numbers, _MOST)
    for one in found:
        if one.who and one.who not in whose:
            fight.impossible(f"{one.who} has no {one.what} here to modify.", f"Leave out @{one.who}.")
    return found


def plus(total: Number, terms: Sequence[Term]) -> Number:
    """A number with what is added to it."""
    for term in terms:
        total = total.plus(term.value, term.reason, term.clause)
    return total


def said(mods: Sequence[Modifier], what: str, *names: str) -> tuple[Term, ...]:
    """Those of one number that are said of nobody in particular, or of one of these."""
    return tuple(Term(one.amount, one.why) for one in mods if one.what == what and one.who in ("", *names))


def modifier(view: View, who: str, ability: str) -> int:
    """Of `str` or `dex`; none for a score that the sheet does not have."""
    sheet = view.sheet(who)
    own, score = (sheet.str_mod, sheet.str_) if ability == "str" else (sheet.dex_mod, sheet.dex)
    found = own if own is not None else Abilities.used(view.state).modifier(score) if score else 0
    return int(found if view.option("ability_penalties") else max(found, 0))


def is_fighter(view: View, sheet: Sheet) -> bool:
    """arkm.class.fighter-group: thieves are a group of their own, and everybody else is one of all others."""
    return bool(sheet.class_) and sheet.class_.lower() in words(view, "fighter_group")


def words(view: View, option: str) -> list[str]:
    """The words of a house rule that is a list."""
    return [word.strip() for word in str(view.option(option)).lower().replace("+", ",").split(",")]


def is_untrained(view: View, who: str, weapon: Weapon | None) -> bool:
    """Whether a player character uses a weapon that it was not trained with. arkm.firearms.any-class"""
    sheet: Sheet = view.sheet(who)
    if weapon is None or not sheet.pc or "*" in sheet.trained or "improvised" in weapon.tags:
        return False
    return weapon.id not in sheet.trained


def melee_hit(view: View, who: str, weapon: Weapon | None, chosen: str) -> Term:
    """What an ability adds to hit: arkm.melee-hit.fighter-str, arkm.melee-hit.thief-dex, arkm.melee-hit.others,
    arkm.melee-hit.swashbuckler-dex.
    """
    value, reason, group = _melee(view, who, weapon, chosen)
    return Term(value, reason, f"arkm.melee-hit.{group}")


def melee_damage(view: View, who: str, weapon: Weapon | None, chosen: str) -> Term:
    """What an ability adds to damage: arkm.melee-damage.fighter-str, arkm.melee-damage.thief-dex,
    arkm.melee-damage.others, arkm.melee-damage.swashbuckler-dex.
    """
    value, reason, group = _melee(view, who, weapon, chosen)
    return Term(value, reason, f"arkm.melee-damage.{group}")


def _melee(view: View, who: str, weapon: Weapon | None, chosen: str) -> tuple[int, str, str]:
    """What an ability adds, the ability, and as in the ids of clauses the group of classes that it is for."""
    sheet: Sheet = view.sheet(who)
    untrained = is_untrained(view, who, weapon) and not view.option("untrained_keeps_class_bonus")
    if chosen == "dex":
        return modifier(view, who, "dex"), "DEX", "swashbuckler-dex"
    if is_fighter(view, sheet) and not untrained:
        return modifier(view, who, "str"), "STR", "fighter-str"
    if sheet.class_.lower() == "thief" and not untrained:
        return modifier(view, who, "dex"), "DEX", "thief-dex"
    return int((sheet.str_ or 0) >= 16), "STR 16 or more", "others"


def check_choice(fight: Resolution, who: str, weapons: list[Weapon], clause: str) -> None:
    """Refuses DEX in place of STR to all but fighters and pirates in light armour with a one-handed weapon."""
    sheet: Sheet = fight.sheet(who)
    for weapon in weapons:
        if is_untrained(fight, who, weapon) and not fight.option("untrained_keeps_class_bonus"):
            message = f"{who} is not trained with {weapon.id}, and cannot use DEX for STR with it."
            fight.refuse("arkm.untrained.as-normal-man", message)
    if sheet.class_.lower() not in words(fight, "swashbuckler_classes"):
        fight.refuse(clause, f"{who} is not a {' or '.join(words(fight, 'swashbuckler_classes'))}, and fights by STR.")
    if sheet.armour not in words(fight, "swashbuckler_armour"):
        worn = "no" if sheet.armour == "none" else sheet.armour
        fight.refuse(clause, f"{who} wears {worn} armour; it must be light.")
    for weapon in weapons:
        if weapon.hands == 2:
            fight.refuse(clause, f"{weapon.id} needs both hands.", "It takes a one-handed weapon.")


def ranged_hit(view: View, who: str, weapon: Weapon) -> list[Term]:
    """DEX for everybody; with a great bow STR, too."""
    if weapon.is_("great-bow"):
        return [Term(modifier(view, who, one), one.upper(), "arkm.ranged-hit.great-bow") for one in ("str", "dex")]
    helped = words(view, "dex_to_hit_kinds")
    return [Term(modifier(view, who, "dex"), "DEX", "arkm.ranged-hit.dex")] if weapon.is_(*helped) else []


def ranged_damage(view: View, who: str, weapon: Weapon) -> Term:
    """What an ability adds to the damage of a shot or throw; slings count as thrown: arkm.ranged-damage.thrown-others,
    arkm.ranged-damage.thrown-fighter-str, arkm.ranged-damage.thrown-thief-dex.
    """
    if weapon.is_("great-bow"):
        return Term(modifier(view, who, "str"), "STR", "arkm.ranged-damage.great-bow-str")
    if weapon.is_("bow"):
        return Term(modifier(view, who, "dex"), "DEX", "arkm.ranged-damage.bow-dex")
    if is_mechanical(weapon):
        dex = modifier(view, who, "dex") if view.option("crossbow_damage_dex") else 0
        return Term(dex, "DEX", "arkm.ranged-damage.mechanical")
    value, reason, group = _melee(view, who, weapon, "")
    thrown = f"thrown-{group}"
    return Term(value, reason, f"arkm.ranged-damage.{thrown}")


def is_mechanical(weapon: Weapon) -> bool:
    """Whether no ability adds to the damage of a weapon."""
    return weapon.is_("crossbow", "firearm")
