"""The chain of a record: the form of each entry, and its digest."""

import msgspec

from ledger.chain import GENESIS, Entry
from ledger.forms import check_parts
from ledger.parts import decode, encode
from ledger.store import Store

from .findings import Findings


class ExaminedChain:
    """Examines, entry by entry, that each digest follows from the entry and the digest before it."""

    def __init__(self, store: Store, findings: Findings) -> None:
        self._store, self._findings = store, findings
        self._players = store.is_for_players
        self.has_key = False
        """Whether the key is known, without which no digest of a ledger can be computed."""
        self.digest = GENESIS
        """The digest that the file holds of the last entry."""
        self._also = ""
        """The digest that the entry before should have, where the file holds another."""

    def examine(self, entry: Entry, held: str, after_gap: bool) -> None:
        """Examines the next entry, of which the file holds a digest. After a gap nobody knows the digest before it."""
        if after_gap:
            why = "its digest follows from the entry before it."
            message = f"Whether e{entry.entry} is what was recorded was not checked: {why}"
            self._findings.unchecked(entry.entry, message, "chain")
        self._check_form(entry)
        due = self._store.linked(self.digest, entry) if self.has_key or entry.parts else held
        sound = held == due or after_gap or bool(self._also and held == self._store.linked(self._also, entry))
        self._also = "" if sound else due
        if not sound:
            why = "is not what was recorded: its digest does not follow from the entry before it."
            self._findings.spoiled(entry.entry, why, "chain")
        self.digest = held

    def _check_form(self, entry: Entry) -> None:
        """A ledger holds events and no parts, a file for players parts and nothing that no part covers."""
        covered = bool(entry.by or entry.typed or entry.once or entry.drawn or entry.hidden or entry.bodies)
        if bool(entry.parts) is not self._players or (entry.parts and covered):
            why = "holds both what a ledger holds and what a file for players does."
            self._findings.spoiled(entry.entry, why, "chain")
        if not self._players:
            return
        try:
            parts = decode(entry.parts)
            check_parts(parts)
            if encode(parts) != entry.parts:
                raise ValueError("the parts of an entry are not in their canonical form")
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            self._findings.spoiled(entry.entry, f"is not in its form: {error}.", "chain")
