"""What can be rolled for in each book: the whole list."""

import re

from commands.rules.paraverse.stat_block import GOVERNING, STATS

AACHEN = {
    *(f"{attribute}/{{skill}}" for attribute in ("STR", "DEX", "CON", "INT", "WIS", "CHA")),
    *("attack", "damage", "grapple damage", "initiative", "morale", "reaction"),
    *(f"{kind} save" for kind in ("physical", "evasion", "mental", "luck")),
}
ARKM = {
    *("attack", "critical hit", "fumble", "fumble check", "stray shot", "which friend", "stun", "grapple", "damage"),
    *("which weapon", "damage to self", "hit points", "number", "direction", "distance", "surprise", "initiative"),
    *("reaction", "morale", "pursuit", "footwork", "bait", "following", "control", "spell lost or miscast", "miscast"),
    *("wild spell", *(f"{kind} save" for kind in ("death", "wands", "paralysis", "reflex", "breath", "spells"))),
}
NAMES = {
    "aachen": AACHEN,
    "arkm": ARKM,
    "dungeoneers": {
        "hit", "dodge", "pierce", "spell-hit", "spell-pierce", "save", "stress-hit", "overstress", "tie", "rear",
    },
    "freepg": {"attack", "defense", "check", "opposition", "health", "initiative"},
    "paraverse": {*GOVERNING, *STATS, "death check", "stabilization", "hit location"},
}  # fmt: skip
"""`{skill}` is any one of a sheet's."""
OF_SKILLS = re.compile(r"(?<=/)[A-Z][a-z]+$")


def is_name(system: str, purpose: str) -> bool:
    """Whether a purpose is one of the names of a book; of one without a list, any is."""
    return system not in NAMES or OF_SKILLS.sub("{skill}", purpose) in NAMES[system]
