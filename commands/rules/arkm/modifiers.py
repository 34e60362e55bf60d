"""The referee's modifiers of one roll, as they are said: 2:height."""

from typing import Annotated

from msgspec import Meta

from commands.action.resolution import Resolution

from .scores import Term

Mods = Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(extra={"any_order": True})]
"""Each as `N` or `N:WHY`."""
MOST = 100


def read(fight: Resolution, words: Mods) -> tuple[Term, ...]:
    """Each modifier with its reason; the referee's word where none is said."""
    terms = []
    for word in words:
        value, _, why = word.partition(":")
        digits = value.strip().removeprefix("-" if value.strip().startswith("-") else "+")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 3 and int(digits) <= MOST):
            fight.impossible(
                f"{word[:40]!a} is no modifier from -{MOST} to {MOST}.",
                "Say a number, with its reason if there is one: 2:height.",
            )
        terms.append((int(value), why.strip() or "referee"))
    return tuple(terms)
