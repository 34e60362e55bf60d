"""What comes of a house rule in some ledgers, fight by fight."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from msgspec import Struct

from commands.action.book import Book
from commands.action.progress import watched
from commands.action.quoting import quoted
from commands.past.soundness import damage
from commands.words.discovery import opened, shown
from ledger.errors import AffrayError, LedgerDamaged, UsageError
from ledger.store import Store

from .fights import Bench, Compared, Fight, fights
from .house_rule import Wanted, house_rule


class Looked(Struct, frozen=True):
    """A ledger of a rule system that was asked for."""

    system: str
    unfit: tuple[str, ...]
    """What of the house rule the rule system cannot have."""
    left_out: bool
    """Whether it cannot have any of it, and the ledger was left out."""


Answer = Looked | Compared | AffrayError
"""A ledger, then each of its fights; the error where one of these could not be read or resolved again."""


def answers(wanted: Wanted, paths: Sequence[str]) -> Iterator[Answer]:
    """The answers about some ledgers, in their order. Somebody at a terminal sees how far they are."""
    rule_of = cache(lambda system: house_rule(system, wanted))
    for path in watched(paths, len(paths), "what-if") if len(paths) > 1 else paths:
        named, store = shown(path), None
        try:
            store = opened(path)
            if store.is_for_players:
                raise UsageError(
                    f"{named} holds only what the players see; its fights cannot be resolved again.",
                    "Ask the game master for the ledger itself.",
                )
            if wanted.system not in ("", system := store.system()):
                continue
            rule = rule_of(system)
            with store.still() as head:
                found = fights(store, head.entry) if rule.events else []
            yield Looked(system, rule.unfit, not rule.events)
            compared = Bench(Book(store), head.entry, rule, named).compared(found) if found else ()
            alone = watched(compared, len(found), "what-if") if len(paths) == 1 else compared
            for fight, one in zip(found, alone, strict=True):
                yield one if isinstance(one, Compared) else _failure(named, one, store, fight)
        except Exception as error:
            yield _failure(named, error, store)
        finally:
            if store:
                store.close()


def _failure(named: str, error: Exception, store: Store | None, fight: Fight | None = None) -> AffrayError:
    """Why a ledger or one of its fights could not be resolved again, in a sentence that names it."""
    if not isinstance(error, AffrayError):
        if os.environ.get("AFFRAY_DEBUG"):
            raise error
        found = ""
        with suppress(Exception):
            found = damage(Book(store)) if store else ""
        error = LedgerDamaged(found, "affray verify") if found else _Fault(f"{type(error).__name__}: {error}")
    where = f"{named}, fight {fight.number}" if fight else named
    message = error.message if named in error.message and not fight else f"{where}: {error.message}"
    lines = [line for line in error.hint.splitlines() if not line.startswith("affray ")]
    hint = "\n".join([*lines, f"affray --ledger {quoted(named)} verify"] if isinstance(error, LedgerDamaged) else lines)
    made = AffrayError(message, hint)
    made.code, made.reference, made.data = error.code, error.reference, {"ledger": named}
    return made


class _Fault(AffrayError):
    """An error that is not the user's."""

    code, reference = 70, "fault"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"this is a fault of Affray, not yours: {what[:300]}",
            "Report it with the command; AFFRAY_DEBUG=1 shows where it happened.",
        )
