"""How events are told: sentences, and the forms of names, numbers and verbs in them."""

from collections.abc import Sequence

Sentence = tuple[str, str, str]
"""What is told, in three parts: whom it is about, how it goes on, and what is said of them. `Bo`, a space, `is dead`;
`Bo`, a colon, `prone`; `Bo`, the sign of the possessive, `turn ends`. The first two are "" where it is about nobody.
"""


def alone(text: str) -> Sentence:
    """What is told of nobody in particular."""
    return "", "", text


def square(at: Sequence[int]) -> str:
    """`3,2`, or `3,2,1` above the ground."""
    x, y, z = at
    return f"{x},{y},{z}" if z else f"{x},{y}"


def counted(number: int, thing: str) -> str:
    """`1 arrow`, `2 arrows`."""
    return f"{number} {thing}{'s' * (number != 1)}"


def measured(number: int, unit: str) -> str:
    """`5 hp`, `1 wound`, `2 wounds`: the unit is in the plural, if it has one."""
    return counted(number, unit[:-1]) if unit.endswith("s") and not unit.endswith("ss") else f"{number} {unit}"


def of(now: int, most: int) -> str:
    """`9/20`; without a maximum `9`."""
    return f"{now}/{most}" if most else str(now)


_MANY, _SOME = 20, 5
"""The most names that are all told, as those of everybody at a full table; and how many are told where there are more.
"""


def few(names: Sequence[str], said: bool = False) -> str:
    """Names in a row, `said` with an and before the last; of very many the first, and how many more there are.

    >>> few(["Ann", "Ben"]), few(["Ann", "Ben", "Cy"], said=True), few("abcdefghijklmnopqrstuvwxyz")
    ('Ann, Ben', 'Ann, Ben and Cy', 'a, b, c, d, e and 21 more')
    """
    if len(names) > _MANY:
        return together([*names[:_SOME], f"{len(names) - _SOME} more"])
    return together(names) if said else ", ".join(names)


def together(words: Sequence[str]) -> str:
    """Words as a list is said.

    >>> together(["movement", "shot", "spell"]), together(["Ann"])
    ('movement, shot and spell', 'Ann')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def whose(name: str) -> str:
    """A name as a possessive: Corm's, the raiders'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def own(who: str) -> str:
    """What joins a name to what is theirs."""
    return f"{whose(who).removeprefix(who)} "


def articled(thing: str) -> str:
    """A thing with its article, if it has one.

    >>> [articled(thing) for thing in ("belt", "orb", "mail", "thick hide", "common clothes", "tome:firebolt")]
    ['a belt', 'an orb', 'mail', 'thick hide', 'common clothes', 'a tome of firebolt']
    """
    thing = thing.replace(":", " of ")
    kind = thing.partition(" of ")[0]
    if kind.endswith(_UNCOUNTED) or (kind.endswith("s") and not kind.endswith("ss")):
        return thing
    return f"{'an' if thing[:1].lower() in 'aeiou' else 'a'} {thing}"


_UNCOUNTED = ("mail", "leather", "armor", "armour", "hide", "plate", "clothing")


def whereabouts(led: str, area: str) -> str:
    """Where something is or goes, in a part of the ground.

    >>> whereabouts("to", "yard"), whereabouts("in", "Old Mill"), whereabouts("in", "hall 2"), whereabouts("to", "here")
    ('to the yard', 'in Old Mill', 'in hall 2', 'here')
    """
    if area in ("here", "there", "inside", "outside", "upstairs", "downstairs"):
        return area
    named = area[:1].isupper() or area[-1:].isdecimal() or area.partition(" ")[0] in ("the", "a", "an", "near", "far")
    return f"{led} {area}" if named else f"{led} the {area}"


def does(verb: str) -> str:
    """The verb in its third person: attacks, passes, flies."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"


_SEVERAL = {"is": "are", "has": "have", "was": "were"}


def do(third: str) -> str:
    """What one does, as several do it: `checks morale`, check morale.

    >>> do("attacks"), do("is healed"), do("flies to it"), do("pushes"), do("will miss"), do("misses"), do("has")
    ('attack', 'are healed', 'fly to it', 'push', 'will miss', 'miss', 'have')
    """
    first, blank, rest = third.partition(" ")
    if first in _SEVERAL or first.endswith("ss"):
        return f"{_SEVERAL.get(first, first)}{blank}{rest}"
    for ending, instead in (("ies", "y"), ("shes", "sh"), ("ches", "ch"), ("sses", "ss"), ("oes", "o"), ("s", "")):
        if first.endswith(ending):
            return f"{first.removesuffix(ending)}{instead}{blank}{rest}"
    return third


_SIDES = {"pc": "party", "opp": "opponents", "gm": "GM"}


_GROUPS = ("s", "men", "folk", "party", "militia")
"""How the name of a group or a side ends, written small, which is told with an article: the orcs."""


def side_word(side: str) -> str:
    """How a side is called, where a book has an abbreviation for it; any other name as it is."""
    return _SIDES.get(side, side)


def spoken(sentence: Sentence) -> str:
    """A sentence in one piece, with a side in its own words.

    >>> spoken(("opp", own("opp"), "initiative is 5")), spoken(("Ann", " ", "attacks Bo"))
    ("the opponents' initiative is 5", 'Ann attacks Bo')
    """
    who, joint, what = sentence
    if who in _SIDES:
        who, joint = f"the {_SIDES[who]}", own(_SIDES[who]) if joint == own(who) else joint
    else:
        what = do(what) if who.islower() and who.endswith("s") and joint == " " else what
        names = who.split(" and ")
        who = " and ".join(f"the {one}" if one.islower() and one.endswith(_GROUPS) else one for one in names)
    return f"{who}{joint}{what}"
