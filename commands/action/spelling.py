"""Words that are most like another: how a misspelt name, verb or skill may be meant."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ledger.errors import UsageError

if TYPE_CHECKING:
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


def nearest(sought: str, names: Iterable[str], least: float = 0.6) -> list[str]:
    """The three names that are most like a word, or have a part that is: the nearest first. At `least` so near, 1 for
    the same.
    """
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, "", bare(sought))

    def like(part: str) -> float:
        matcher.set_seq1(part)
        return matcher.ratio()

    found = []
    for at, name in enumerate(names):
        whole = bare(name)
        nearness = max(like(whole), *(like(part) - 0.05 for part in whole.split("-") if len(part) > 1), 0.0)
        if nearness >= least:
            found.append((-nearness, at, name))
    return [name for _, _, name in sorted(found)[:3]]


def no_verb(word: str, verbs: "Mapping[str, Verb]") -> UsageError:
    """What is said of a word that is no verb: those that are most like it."""
    near = nearest(word, [name for name, verb in verbs.items() if verb.rank != "seldom"], 0.75)
    hint = f"Did you mean {', '.join(near)}?" if near else "affray --help"
    return UsageError(f"There is no verb {word[:40]!r}.", hint)


def nearly(word: str, known: Iterable[str]) -> str:
    """The known word of which another is one letter off, a longer one also two; "" for none, and for one that is known.

    >>> nearly("stabb", ["stab", "shoot"]), nearly("onehandd", ["one-handed"]), nearly("stab", ["stab"])
    ('stab', 'one-handed', '')
    """
    sought, words = bare(word), {bare(one): one for one in known}
    if sought in words:
        return ""
    joined = {one.replace("-", ""): whole for one, whole in words.items()}
    near = [(letters_off(sought.replace("-", ""), one), whole) for one, whole in joined.items()]
    return next((whole for off, whole in sorted(near) if off <= (1 if len(sought) < 5 else 2)), "")


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
