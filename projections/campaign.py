"""The campaign: its name, its rule system, its house rules, its tables, and its open disputes."""

from typing import Any

from msgspec.structs import astuple, replace

from ledger.events import CampaignBegan, DisputeOpened, DisputeSettled, EncounterBegan, OptionChanged, TableSet

from . import Aspect, Part, take


class TableInUse(Part):
    """A table in use; the fields are those of `TableSet`."""

    digest: str
    file: str = ""
    content: dict[str, Any] = {}


class Campaign(Aspect):
    """What holds for every fight of the ledger."""

    NAMELESS = ("options", "tables")

    name: str = ""
    system: str = ""
    commitment: str = ""
    """SHA-256 of the first secret of its open dice: no other campaign has the same."""
    options: dict[str, str | int | bool] = {}
    """House rules that were set; the others hold their defaults."""
    encounters: int = 0
    """Fights begun so far."""
    tables: dict[str, TableInUse] = {}
    """The tables that the campaign uses, as far as they were recorded."""

    def _began(self, event: CampaignBegan) -> "Campaign":
        return replace(self, name=event.name, system=event.system, commitment=event.commitments[0][0])

    def _option(self, event: OptionChanged) -> "Campaign":
        return replace(self, options={**self.options, event.option: event.value})

    def _table(self, event: TableSet) -> "Campaign":
        return replace(self, tables={**self.tables, event.table: TableInUse(event.digest, event.file, event.content)})

    REDUCERS = {
        CampaignBegan: _began,
        OptionChanged: _option,
        TableSet: _table,
        EncounterBegan: take("encounters", "number"),
    }


class Case(DisputeOpened, tag=False):
    """A dispute that is not settled yet."""


class Disputes(Aspect):
    """The open disputes."""

    open: tuple[Case, ...] = ()
    """In the order in which the cases were opened."""

    def of(self, entry: int) -> Case | None:
        """The open case about an entry, if there is one."""
        return next((case for case in self.open if case.entry == entry), None)

    def _opened(self, event: DisputeOpened) -> "Disputes":
        return Disputes((*self.open, Case(*astuple(event))))

    def _closed(self, event: DisputeSettled) -> "Disputes":
        return Disputes(tuple(case for case in self.open if case.entry != event.entry))

    REDUCERS = {DisputeOpened: _opened, DisputeSettled: _closed}
