"""What can be rolled for in each book: the whole list."""

ARKM = {
    *("attack", "critical hit", "fumble", "fumble check", "stray shot", "which friend", "stun", "grapple", "damage"),
    *("which weapon", "damage to self", "hit points", "number", "direction", "distance", "surprise", "initiative"),
    *("reaction", "morale", "pursuit", "footwork", "bait", "following", "control", "spell lost or miscast", "miscast"),
    *("wild spell", "saving throw"),
}
NAMES = {
    "aachen": {"attack", "damage", "grapple damage", "initiative", "morale", "reaction", "check", "saving throw"},
    "arkm": ARKM,
    "dungeoneers": {
        "hit", "dodge", "pierce", "spell-hit", "spell-pierce", "save", "stress-hit", "overstress", "tie", "rear",
    },
    "freepg": {"attack", "defense", "check", "opposition", "health", "initiative"},
    "paraverse": {"melee", "attack", "defence", "check", "death check", "stabilization", "hit location"},
}  # fmt: skip


def is_name(system: str, purpose: str) -> bool:
    """Whether a purpose is one of the names of a book; of one without a list, any is."""
    return system not in NAMES or purpose in NAMES[system]
