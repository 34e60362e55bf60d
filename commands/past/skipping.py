"""Skipping: those whom a word with @ brings in, and who cannot act, are left out of an action."""

from typing import Any

from msgspec.structs import replace

from commands.action.declaration import Declaration
from commands.action.names import group, lists_with_groups, resolve_names
from commands.action.procedures import any_dice, resolve
from commands.action.resolution import Again, Latest, Resolution
from ledger.errors import AffrayError
from projections.state import State


def named(
    state: State, verb: str, said: Declaration, allow: str = "", latest: Latest = tuple
) -> tuple[Declaration, tuple[str, ...]]:
    """The declaration with every name written in full, and a line about each who is left out: one whom only a word with
    @ brings in, and who is dead, or with whom alone the rules refuse the action. With --allow, the dead alone.

    Nobody is left out of an action that is possible with all of them, or with none of them.
    """
    whole = resolve_names(state, said)
    brought = _brought(state, said, whole)
    lists = lists_with_groups(said)
    meant = {who for field in lists for who in getattr(whole, field)}
    groups = [word for words in lists.values() for word in words if word.startswith("@")]
    dead = dict.fromkeys(who for word in groups for who in group(state, word)[1] if who not in meant)
    lines = [f"{who} is skipped: dead." for who in dead]
    if not brought or allow or not refusal(state, verb, whole, latest):
        return whole, tuple(lines)
    kept: dict[str, Any] = {}
    for field, those in brought.items():
        refused = {
            who: why for who in those if (why := refusal(state, verb, replace(whole, **{field: (who,)}), latest))
        }
        rest = tuple(who for who in getattr(whole, field) if who not in refused)
        if rest:
            kept[field] = rest
            lines += [f"{who} is skipped: {why.message}" for who, why in refused.items()]
    return replace(whole, **kept), tuple(lines)


def _brought(state: State, said: Declaration, whole: Declaration) -> dict[str, list[str]]:
    """Those whom only a word with @ brings in, by the field; `whole` has every name written in full."""
    found = {}
    for field, words in lists_with_groups(said).items():
        others = {field: tuple(word for word in words if not word.startswith("@"))}
        typed = getattr(resolve_names(state, replace(said, **others)), field)
        found[field] = [who for who in getattr(whole, field) if who not in typed]
    return found


def refusal(state: State, verb: str, said: Declaration, latest: Latest = tuple, allow: str = "") -> AffrayError | None:
    """Why an action is refused, with any dice; None when it is not."""
    try:
        resolve(Resolution(state, verb, said, any_dice(), allow, latest))
    except Again:
        return None
    except AffrayError as error:
        return error
    return None
