"""Names: finds whom the typed words mean."""

from collections.abc import Iterable

from msgspec.structs import replace

from ledger.errors import NameUnknown, UsageError
from projections.state import State

from .declaration import Declaration, shapes

LONGEST = 40
"""Characters that a name may have."""


def proper(name: str) -> str:
    """The name, in composed form, if it is allowed: letters, digits, hyphens, underscores and apostrophes.

    Raises UsageError for any other: every name must be one word to type, and harmless on a terminal.
    """
    composed = _composed(name)
    if not composed or len(composed) > LONGEST:
        raise UsageError(f"A name has 1 to {LONGEST} characters, not {len(composed)}.")
    if not composed[0].isalnum() or not all(sign.isalnum() or sign in "-_'" for sign in composed):
        raise UsageError(
            f"{name!a} cannot be a name: it may hold letters, digits, hyphens, underscores and apostrophes,"
            " and begins with a letter or a digit."
        )
    return composed


def _composed(word: str) -> str:
    """The word in Unicode's composed form, in which names are kept."""
    if word.isascii():
        return word
    import unicodedata

    return unicodedata.normalize("NFC", word)


def find(state: State, word: str) -> str:
    """The one at the table whose name is `word` or begins with it, in any case. Raises NameUnknown when there is
    nobody, or several.
    """
    sought = _composed(word).casefold()
    names = state.roster.order
    known = {name: (name.casefold(), state.roster.members[name].truly.casefold()) for name in names}
    exact = [name for name in names if sought and sought in known[name]]
    found = exact or [name for name in names if sought and any(one.startswith(sought) for one in known[name])]
    if len(found) == 1:
        return found[0]
    shown = ascii(word if len(word) <= LONGEST else word[:LONGEST] + "...")
    if found:
        raise NameUnknown(f"{shown} could be {', '.join(found)}.", "Type more of the name.")
    at_the_table = ", ".join(names) or "nobody yet (affray join SHEET)"
    raise NameUnknown(f"Nobody at the table is called {shown}.", f"At the table: {at_the_table}.")


def check_free(state: State, name: str, but: str = "", hint: str = "") -> None:
    """Raises UsageError when somebody bears a name, or it is the true name of somebody; `but` is left out of it."""
    for who, member in state.roster.members.items():
        if who != but and name.casefold() in (who.casefold(), member.truly.casefold()):
            raise UsageError(f"{name} is already at the table.", hint)


def find_all(state: State, words: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody in a list of names and sides, each once, in the order named. Raises NameUnknown for an unknown name or
    side.
    """
    found: list[str] = []
    for word in words:
        if not word.startswith("@"):
            found.append(find(state, word))
            continue
        sides = state.roster.sides()
        if word[1:].casefold() not in (side.casefold() for side in sides):
            named = ", ".join(f"@{side}" for side in sides) or "none yet"
            raise NameUnknown(f"There is no side {word[:LONGEST]!a}.", f"Sides: {named}.")
        for who in state.roster.order:
            same_side = state.roster.members[who].side.casefold() == word[1:].casefold()
            down = state.harm.down.get(who)
            if same_side and not (down and down.how == "dead"):
                found.append(who)
    return tuple(dict.fromkeys(found))


def check_once(said: Iterable[tuple[str, str]]) -> None:
    """The values by name. Raises UsageError when one name is given two values."""
    values: dict[str, str] = {}
    for name, value in said:
        if values.setdefault(name, value) != value:
            raise UsageError(f"{name} is given both {values[name][:40]!a} and {value[:40]!a}; give one of them.")


def check_names(state: State, declaration: Declaration) -> None:
    """Raises NameUnknown when a declaration names somebody who is not at the table, by the full name."""
    for field, shape in shapes(type(declaration)):
        said = getattr(declaration, field.name)
        if shape.word in ("fighter", "fighters") and (said or field.required):
            for who in (said,) if isinstance(said, str) else said:
                if who not in state.roster.members:
                    raise NameUnknown(f"{who} is not at the table.")


def _as_on_the_roster(state: State, word: str) -> str:
    """Somebody's full name from the roster; any other word unchanged."""
    sought = _composed(word.strip()).casefold()
    return next((name for name in state.roster.order if name.casefold() == sought), word)


def resolve_names(state: State, declaration: Declaration) -> Declaration:
    """The declaration with every name written in full, as on the roster."""
    changes: dict[str, object] = {}
    for field, shape in shapes(type(declaration)):
        said = getattr(declaration, field.name)
        if shape.word == "fighter" and (said or field.required):
            changes[field.name] = find(state, said)
        elif shape.word == "fighters" and said:
            changes[field.name] = find_all(state, said)
        elif shape.word == "group" and said:
            changes[field.name] = _as_on_the_roster(state, said)
        elif shape.word == "groups" and said:
            changes[field.name] = tuple(_as_on_the_roster(state, word) for word in said)
        elif shape.word == "blows" and said:
            changes[field.name] = tuple(name for word in said for name in find_all(state, (word,)))
    return replace(declaration, **changes) if changes else declaration
