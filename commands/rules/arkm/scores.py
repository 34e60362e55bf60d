"""Ability scores: who is helped by which of them, with which weapon."""

from commands.action.resolution import Resolution

from .stat_block import Sheet, Weapon
from .tables import abilities

Term = tuple[int, str]
"""A modifier, and its reason."""


def modifier(fight: Resolution, who: str, ability: str) -> int:
    """arkm.ability.modifier: of `str` or `dex`; none for a score that the sheet does not have."""
    sheet = fight.sheet(who)
    own, score = (sheet.str_mod, sheet.str_) if ability == "str" else (sheet.dex_mod, sheet.dex)
    found = own if own is not None else abilities(fight.state).modifier(score) if score else 0
    return int(found if fight.option("ability_penalties") else max(found, 0))


def is_fighter(fight: Resolution, sheet: Sheet) -> bool:
    """arkm.class.fighter-group: thieves are a group of their own, and everybody else is one of all others."""
    return bool(sheet.class_) and sheet.class_.lower() in words(fight, "fighter_group")


def words(fight: Resolution, option: str) -> list[str]:
    """The words of a house rule that is a list."""
    return [word.strip() for word in str(fight.option(option)).lower().replace("+", ",").split(",")]


def is_untrained(fight: Resolution, who: str, weapon: Weapon | None) -> bool:
    """Whether a player character uses a weapon that it was not trained with. arkm.firearms.any-class"""
    sheet: Sheet = fight.sheet(who)
    if weapon is None or not sheet.pc or "*" in sheet.trained or "improvised" in weapon.tags:
        return False
    return weapon.id not in sheet.trained


def melee_hit(fight: Resolution, who: str, weapon: Weapon | None, chosen: str) -> Term:
    """arkm.melee-hit.fighter-str, arkm.melee-hit.thief-dex, arkm.melee-hit.others, arkm.melee-hit.swashbuckler-dex."""
    return _melee(fight, who, weapon, chosen)


def melee_damage(fight: Resolution, who: str, weapon: Weapon | None, chosen: str) -> Term:
    """arkm.melee-damage.fighter-str, arkm.melee-damage.thief-dex, arkm.melee-damage.others,
    arkm.melee-damage.swashbuckler-dex.
    """
    return _melee(fight, who, weapon, chosen)


def _melee(fight: Resolution, who: str, weapon: Weapon | None, chosen: str) -> Term:
    sheet: Sheet = fight.sheet(who)
    untrained = is_untrained(fight, who, weapon) and not fight.option("untrained_keeps_class_bonus")
    if chosen == "dex":
        return modifier(fight, who, "dex"), "DEX"
    if is_fighter(fight, sheet) and not untrained:
        return modifier(fight, who, "str"), "STR"
    if sheet.class_.lower() == "thief" and not untrained:
        return modifier(fight, who, "dex"), "DEX"
    return int((sheet.str_ or 0) >= 16), "STR 16 or more"


def check_choice(fight: Resolution, who: str, weapons: list[Weapon], clause: str) -> None:
    """Refuses DEX in place of STR to all but fighters and pirates in light armour with a one-handed weapon."""
    sheet: Sheet = fight.sheet(who)
    for weapon in weapons:
        if is_untrained(fight, who, weapon) and not fight.option("untrained_keeps_class_bonus"):
            fight.refuse(
                "arkm.untrained.as-normal-man",
                f"{who} is not trained with {weapon.id}, and has no DEX for STR with it.",
            )
    if sheet.class_.lower() not in words(fight, "swashbuckler_classes"):
        fight.refuse(clause, f"{who} is no {' or '.join(words(fight, 'swashbuckler_classes'))}, and fights by STR.")
    if sheet.armour not in words(fight, "swashbuckler_armour"):
        fight.refuse(clause, f"{who}'s armour is {sheet.armour}, too heavy or none at all; it has to be light.")
    for weapon in weapons:
        if weapon.hands == 2:
            fight.refuse(clause, f"{weapon.id} needs both hands.", "It takes a one-handed weapon.")


def ranged_hit(fight: Resolution, who: str, weapon: Weapon) -> list[Term]:
    """arkm.ranged-hit.dex for everybody; arkm.ranged-hit.great-bow: STR and DEX."""
    if weapon.is_("great-bow"):
        return [(modifier(fight, who, "str"), "STR"), (modifier(fight, who, "dex"), "DEX")]
    helped = words(fight, "dex_to_hit_kinds")
    return [(modifier(fight, who, "dex"), "DEX")] if weapon.is_(*helped) else []


def ranged_damage(fight: Resolution, who: str, weapon: Weapon) -> Term:
    """What an ability adds to the damage of a shot or throw; slings count as thrown.

    arkm.ranged-damage.thrown-fighter-str, arkm.ranged-damage.thrown-thief-dex, arkm.ranged-damage.thrown-others,
    arkm.ranged-damage.bow-dex, arkm.ranged-damage.great-bow-str, arkm.ranged-damage.mechanical
    """
    if weapon.is_("great-bow"):
        return modifier(fight, who, "str"), "STR"
    if weapon.is_("bow"):
        return modifier(fight, who, "dex"), "DEX"
    if weapon.is_("crossbow", "firearm"):
        return (modifier(fight, who, "dex") if fight.option("crossbow_damage_dex") else 0), "DEX"
    return _melee(fight, who, weapon, "")
