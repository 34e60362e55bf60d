"""Words that are most like another: how a misspelt name, verb or skill may be meant."""

from collections.abc import Iterable, Mapping

from ledger.errors import UsageError

from .cards import Verb


def bare(word: str) -> str:
    """A word as it is compared where nobody is called exactly so: in small letters without accents and apostrophes, and
    with hyphens for spaces and underscores. `Müller's Knecht` is mullers-knecht.
    """
    if not word.isascii():
        import unicodedata

        apart = unicodedata.normalize("NFD", word.replace("\u2019", "'"))
        word = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return word.casefold().replace("'", "").replace(" ", "-").replace("_", "-")


def near(word: str, names: Iterable[str], asked: bool = False, numbered: bool = True) -> list[tuple[str, int]]:
    """The three of some names that a word may be, misspelt: the nearest first, each with how many letters it is off.
    One with two letters replaced is another word, and never stands for it in a line; where it is only `asked` whether
    it is meant, it may be, and so may one of which a part is like it. What is `numbered` is another one with another
    number.
    """
    sought, found = bare(word), []
    for name in dict.fromkeys(names):
        whole = bare(name)
        ways = [whole, *(whole.split("-") if asked else ())]
        if far := min(filter(None, (_off(sought, one, asked, numbered) for one in ways)), default=0):
            found.append((name, far))
    return sorted(found, key=lambda one: one[1])[:3]


def nearest(word: str, names: Iterable[str], numbered: bool = True) -> list[str]:
    """The three names that a word may be, misspelt, or a part of which it may be."""
    return [name for name, _ in near(word, names, True, numbered)]


def nearly(word: str, known: Iterable[str]) -> str:
    """The known word that another may be, misspelt; "" for none, and for one that is known.

    >>> nearly("stabb", ["stab", "shoot"]), nearly("onehandd", ["one-handed"]), nearly("stab", ["stab"])
    ('stab', 'one-handed', '')
    """
    words = [*known]
    return next((name for name, _ in near(word, words)), "") if bare(word) not in map(bare, words) else ""


def _off(one: str, other: str, asked: bool = False, numbered: bool = True) -> int:
    """How many letters two words are off; 0 where that is too many, and where they are the same.

    >>> _off("bofin", "boffin"), _off("grub-9", "grub-1"), _off("attakc", "attack")
    (1, 0, 1)
    >>> _off("fireball", "firebolt"), _off("fireball", "firebolt", asked=True)
    (0, 2)
    >>> _off("ox", "oxa"), _off("orc", "orca"), _off("orcs", "orcsab"), _off("ghoul", "ghoulab")
    (0, 1, 0, 2)
    >>> _off("minotaur", "minotaurabc"), _off("minotaurs", "minotaursabc")
    (0, 3)
    """
    most = 0 if len(one) < 3 else 1 if len(one) < 5 else 2 if len(one) < 9 else 3
    if abs(len(one) - len(other)) > most or (numbered and _digits(one) != _digits(other)):
        return 0
    far = letters_off(one, other)
    replaced = not asked and len(one) == len(other) and far == sum(map(str.__ne__, one, other))
    return far if far <= (1 if replaced else most) else 0


def _digits(word: str) -> str:
    return "".join(filter(str.isdigit, word))


def no_verb(word: str, verbs: Mapping[str, Verb]) -> UsageError:
    """What is said of a word that is no verb: those that are most like it."""
    meant = nearest(word, [name for name, verb in verbs.items() if verb.rank != "seldom"])
    hint = f"Did you mean {', '.join(meant)}?" if meant else "affray --help"
    return UsageError(f"There is no verb {word[:40]!r}.", hint)


def letters_off(one: str, other: str) -> int:
    """How many letters must be put in, taken out, changed, or put in each other's place to make one word of the other.

    >>> letters_off("bofin", "boffin"), letters_off("attakc", "attack"), letters_off("grub", "brak")
    (1, 1, 3)
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        row = [at]
        for nth, sign in enumerate(other, 1):
            far = min(last[nth] + 1, row[-1] + 1, last[nth - 1] + (letter != sign))
            if at > 1 and nth > 1 and letter == other[nth - 2] and one[at - 2] == sign:
                far = min(far, before[nth - 2] + 1)
            row.append(far)
        before, last = last, row
    return last[-1]
