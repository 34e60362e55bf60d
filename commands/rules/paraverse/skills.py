"""Skills: which stat governs each, and which words stand for several."""

STATS = ("phy", "dex", "con", "wil", "cog", "emp", "per")
"""Primary stats, as they stand on a sheet. A check of a bare stat is rolled like one of a skill."""

GOVERNING = {
    "one-handed": "phy", "two-handed": "phy", "weapon-and-shield": "phy", "athletics": "phy",
    "marksman": "dex", "throwing": "dex", "evasion": "dex", "sneaking": "dex", "lock-picking": "dex",
    "pickpocketing": "dex", "acrobatics": "dex", "traps-devices": "dex",
    "forgery": "per", "investigation": "per", "field-repair": "per",
    "stabilization": "cog", "trauma-treatment": "cog",
    "interaction": "emp", "mercantile": "emp",
    **{stat: stat for stat in STATS},
}  # fmt: skip
"""The stat of each skill. Characters, "List of Skills"."""

KEYWORDS = {
    "melee": ("one-handed", "two-handed", "weapon-and-shield"),
    "ranged": ("marksman", "throwing"),
    "physical": ("athletics", "sneaking", "acrobatics"),
    "manual": ("lock-picking", "pickpocketing"),
}
"""Words that stand for several skills."""


WORDS = ("all", "magic", *KEYWORDS)
"""What an effect may name besides a skill: `magic` is the roll for a spell or prayer."""


def names(word: str, skill: str) -> bool:
    """Whether a word names a skill: its own name, a keyword that it bears, or `all`.

    >>> names("melee", "two-handed"), names("melee", "evasion"), names("all", "evasion")
    (True, False, True)
    """
    return word in (skill, "all") or skill in KEYWORDS.get(word, ())
