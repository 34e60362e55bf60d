"""Critical wounds: which there are, and what each does."""

PLACES = {
    "head": ("skull-fracture", "severed-head"),
    "torso": ("bleeder", "crushed-torso"),
    "arms": ("fractured-arm", "severed-arm"),
    "legs": ("fractured-leg", "severed-leg"),
}
"""For each hit location its critical and its supercritical wound: paraverse.wound.table."""

BLEEDING = {"seed": ("bleeder",), "later": ("bleeder", "skull-fracture", "severed-arm", "severed-leg")}
"""Which wounds bleed, by the option `wound_table`: paraverse.wound.bleeder."""

ARM, LEG = ("melee", "ranged", "physical", "manual", "magic"), ("melee", "ranged", "physical", "evasion")
HINDRANCES = {
    "skull-fracture": ("cog", "wil", "stabilization", "trauma-treatment"),  # paraverse.wound.skull-fracture
    "fractured-arm": ARM,  # paraverse.wound.fractured-arm
    "severed-arm": ARM,  # paraverse.wound.severed-arm
    "fractured-leg": LEG,  # paraverse.wound.fractured-leg
    "severed-leg": LEG,  # paraverse.wound.severed-leg
}
"""Skills, or keywords of skills, that are at a disadvantage with each wound."""

FALLS = {
    "skull-fracture": ("paraverse.wound.skull-fracture", "unconscious"),
    "severed-head": ("paraverse.wound.severed-head", "dead"),
    "crushed-torso": ("paraverse.wound.crushed-torso", "dead"),
    "severed-arm": ("paraverse.wound.severed-arm", "unconscious"),
    "severed-leg": ("paraverse.wound.severed-leg", "unconscious"),
}
"""Wounds that fell whoever suffers them, when the phase closes: by which clause, and how."""


def place_of(wound: str) -> str:
    """The hit location of a wound; "" for a word that names none.

    >>> place_of("bleeder"), place_of("hiccups")
    ('torso', '')
    """
    return next((place for place, pair in PLACES.items() if wound in pair), "")


def is_supercritical(wound: str) -> bool:
    """Whether a wound is a supercritical one, which cannot be treated."""
    return any(wound == pair[1] for pair in PLACES.values())
