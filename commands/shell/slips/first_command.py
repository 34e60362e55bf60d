"""The command that is looked for: the first of those that were typed, without what is no part of it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .ground import DIRECTIONS
from .thrown import is_beside
from .tokens import JOINS, counted

if TYPE_CHECKING:
    from .verb_words import VerbWords

_PROMPT = r"[$#>%]|affray[>:$]"
"""What stands before a command that somebody copies with the prompt."""
_ASKS_HELP = ("-h", "--help", "?", "help", "usage")
"""What asks for help of the verb beside it."""
_THEN = ("and", "then", "&&", ";", "&")
"""Words between two commands."""
_HOLDS = re.compile(r"(holds|waits|passes|stays)([,;.:]|\n(and|but|while)|$)")
"""What stands behind the name of somebody who lets pass what others answer."""
_NOBODY = frozenset({"nobody", "neither"})
"""Words for all who may answer, who let it pass."""
_NOT = re.compile(r"(do|does|will)n['’]?t|won['’]?t|(do|does|will)\nnot")
"""What stands behind the name of somebody who does nothing."""


def one_command(verbs: "VerbWords", typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of the first command, and those of others behind it: without the name of the program and a prompt that
    was copied, help of what stands behind a question mark, without brackets around numbers, with large numbers in
    digits, and by the verb that was said as an option.
    """
    typed = typed[0].split() if len(typed) == 1 else typed  # the whole line in quotation marks
    typed = [word for word in typed if word != "affray"]
    first = "".join(typed[:1])
    words = [*typed[1:]] if re.fullmatch(_PROMPT, first) else [*typed]
    if re.match(r"\?\w", first):  # `?phases`
        words = ["help", first[1:], *typed[1:]]
    asks = [word for word in words if word.casefold() in _ASKS_HELP]
    if len(words) == 2 and len(asks) == 1:  # `-h grapple`, `attack help`
        words = ["help", *(word for word in words if word not in asks)]
    then: list[str] = []
    if not verbs.names.tells(words):
        words, then = _first(verbs, _who_do(verbs, counted(_unbracketed(words))))
    if verb := verbs.cards.as_option(words):  # `dispute --settle e15`
        words = [verb, *(word for word in words[1:] if word != f"--{verb}")]
    return words, then


def without_die(words: Sequence[str], face: str) -> tuple[str, ...]:
    """The words with a die that the program rolls in place of a face; without dice, where it rolls them all."""
    left: list[str] = []
    for word in words:
        option, equals, said = word.rpartition("=")
        faces = re.sub(rf"(?<![^,= ]){face}(?![^, ])", "-", said)
        if faces == said or not set(faces) <= {"-", ","}:
            left.append(f"{option}{equals}{faces}")
        elif not equals and left[-1:] in (["--dice"], ["-d"]):
            left.pop()
    return tuple(left)


def without_dice(words: Sequence[str]) -> tuple[str, ...]:
    """The words without --dice and the faces behind it."""
    at = words.index("--dice") if "--dice" in words else len(words)
    return (*words[:at], *words[at + 2 :])


def _unbracketed(words: Sequence[str]) -> list[str]:
    """The words without brackets around numbers."""
    return [re.sub(r"^[(\[{](?=[\d+-])|(?<=\d)[)\]}]$", "", word) for word in words]


def _who_do(verbs: "VerbWords", words: Sequence[str]) -> list[str]:
    """The words without somebody who does nothing, or to whom nothing is done, where another is named: `snik stabs, mog
    doesn't`, `brun hits goblin-1, not the wolf`; else that they let it pass.
    """
    is_name, waits = verbs.reader.is_name, verbs.reader.state.pending.window
    if waits and not _NOBODY.isdisjoint(map(str.casefold, words)):
        return ["pass"]  # `nobody strikes`
    for at, word in enumerate(words):
        led = at - 1 - (words[at - 1].casefold() == "the")
        if led > 0 and words[led].casefold() == "not" and is_name(word) and any(map(is_name, words[:led])):
            return [*words[:led], *words[at + 1 :]]
        behind = [one.casefold().rstrip(",.:;") for one in words[at + 1 : at + 3]]
        if waits and behind[:1] == ["lets"] and is_name(word):  # `freya lets the goblin go by`
            ends = next((nth for nth, one in enumerate(words) if nth > at and one[-1:] in ",;"), len(words))
            left = [*words[:at], *words[ends + 1 :]]
            return left if any(map(is_name, left)) else ["pass", word]
        for many in (1, 2):
            left = [*words[:at], *words[at + 1 + many :]]
            several = "".join(words[:at][-1:]).casefold() in JOINS
            holds = waits and many == 1 and _HOLDS.match("\n".join(words[at + 1 : at + 3]).casefold())
            if (holds or _NOT.fullmatch("\n".join(behind[:many]))) and is_name(word) and not several:
                return left if any(map(is_name, left)) else ["pass", word]
    return [*words]


def _first(verbs: "VerbWords", words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The first of several commands that are typed as one, and the others: `attack brak and then move to 0,-1`."""
    is_verb = verbs.names.means
    for at, word in enumerate(words):
        joins = word.casefold() in _THEN
        ends = word.endswith(";") or (word.endswith(",") and any(map(is_verb, words[: at + 1])))
        more = [one for one in words[at + 1 :] if one.casefold() not in (*_THEN, *DIRECTIONS)]
        behind = [one for one in more[:2] if not is_beside(one)]  # `15, damage 4`
        named = verbs.reader.is_name("".join(behind[:1]).rstrip(",")) and any(map(is_verb, words[:at]))
        goes_on = named and "then" in (word.casefold(), *map(str.casefold, words[at + 1 : at + 2]))
        says = any(map(is_verb, behind[: 1 + named] if joins else behind if ends else ()))
        if at <= joins or not (says or goes_on):  # `and tilda attacks the ogre`, `then the ogre`
            continue
        first = [*words[:at], *([] if joins else [word[:-1]])]
        strikes = not {*verbs.cards.meaning("blow")}.isdisjoint(verbs.names.named(more[0].casefold()))
        verb = (name for one in first for name in verbs.names.named(one.casefold()))
        if (
            strikes
            and verbs.reader.names_somebody("".join(more[1:2]))
            and "engage" in verbs.cards.takes(next(verb, ""))
        ):
            return [*first, "--engage", *more[1:]], []  # `move hound to the mill and bite ildar`
        return first, more
    return [*words], []
