"""A house rule that is tried: the options and tables that fights are resolved under instead of their own."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.common import Option
from commands.action.declaration import Declaration
from commands.action.dice_sources import Dice
from commands.action.procedures import resolve
from commands.action.resolution import Resolution
from commands.action.rule_tables import Table
from commands.past.acts import Act
from ledger.errors import AffrayError
from ledger.events import CampaignBegan, Event, OptionChanged, TableSet
from projections.state import State, fold

_NOTHING_SECRET = (("", ""), ("", ""))
"""In place of commitments, for a campaign that is only thought of."""


class Wanted(Struct, frozen=True):
    """The house rule in the words of the command."""

    options: dict[str, str] = {}
    tables: dict[str, dict[str, Any]] = {}
    """For each table its file and what the file holds."""
    system: str = ""
    """Only ledgers of this rule system; "" for all."""


class HouseRule(Struct, frozen=True):
    """A house rule in the terms of one rule system."""

    system: str
    options: dict[str, str] = {}
    """The options that the rule system has and that can be set so, in words."""
    tables: dict[str, dict[str, Any]] = {}
    events: tuple[Event, ...] = ()
    """What sets them."""
    unfit: tuple[str, ...] = ()
    """A sentence about each part of the rule that this rule system cannot have."""

    def put(self, state: State) -> State:
        """The state under this rule."""
        return fold(state, self.events)

    def under(self, act: Act) -> Act:
        """The action as it is said under this rule: where it sets an option or a table otherwise, it sets it so."""
        said = act.declared.said
        match act.declared.verb:
            case "option" if said.get("option") in self.options:
                said = {**said, "value": self.options[str(said["option"])]}
            case "table" if said.get("name") in self.tables:
                said = {**said, "file": self.tables[str(said["name"])]}
            case "begin":
                said = self._begun(said)
            case verb if systems.about_record(verb):  # it stands as it was recorded
                return replace(act, kept=())
        return act if said is act.declared.said else replace(act, declared=replace(act.declared, said=said))

    def _begun(self, said: dict[str, Any]) -> dict[str, Any]:
        """What `begin` says, with its options as this rule has them; those of a prepared encounter too."""
        changed = {name: self.options[name] for name in said.get("option", ()) if name in self.options}
        if changed:
            said = {**said, "option": {**said["option"], **changed}}
        file = said.get("from_") or {}
        if inner := file.get("begin"):
            begun = self._begun(inner)
            if begun is not inner:
                said = {**said, "from_": {**file, "begin": begun}}
        return said

    def is_of(self, event: Event) -> bool:
        """Whether an event sets an option or a table that this rule sets."""
        match event:
            case OptionChanged(option=name):
                return name in self.options
            case TableSet(table=name):
                return name in self.tables
        return False


def house_rule(system: str, wanted: Wanted) -> HouseRule:
    """The house rule as far as a rule system can have it. Raises RulesMissing when the system is not installed."""
    campaign = fold(State(), (CampaignBegan("", system, _NOTHING_SECRET),))
    rule = HouseRule(system)
    for name, value in wanted.options.items():
        rule = _with(rule, campaign, Option(name, value), options={**rule.options, name: value})
    for name, file in wanted.tables.items():
        rule = _with(rule, campaign, Table(name, file), tables={**rule.tables, name: file})
    return rule


def _with(rule: HouseRule, campaign: State, said: Declaration, **more: Any) -> HouseRule:
    """The rule with one more part, if the rule system can have it."""
    try:
        fight = resolve(Resolution(campaign, type(said).__name__.lower(), said, Dice(faces=())))
    except AffrayError as error:
        if isinstance(said, Option) and said.option not in systems.load(rule.system).options:
            why = f"{rule.system} has no option {said.option[:40]}."
        elif isinstance(said, Table) and said.name not in systems.load(rule.system).tables:
            why = f"{rule.system} has no table {said.name[:40]}."
        else:
            why = f"{rule.system}: {' '.join((error.message, *error.hint.splitlines()[:1]))}"
        return replace(rule, unfit=(*rule.unfit, why))
    changed = replace(rule, **more)
    return replace(changed, events=(*rule.events, *filter(changed.is_of, fight.events)))
