"""The course of a record, as far as anybody can check it who has no rules: what each entry says of the others."""

from collections.abc import Callable

from commands.action import systems
from ledger.chain import Entry
from ledger.events import CampaignBegan, Declared, Event, Masked, Revealed, Ruled, Unmasked
from ledger.parts import Parts


class ExaminedCourse:
    """Examines, entry by entry, that a jump is an undo, a redo, an amendment or an instant; that an entry which
    resolves an action again belongs to an amendment or an instant, and that no action stands twice; that nothing is
    ruled twice; and that what was revealed is shown.
    """

    def __init__(self, wrong: Callable[[int, str], None]) -> None:
        """`wrong` is told of each entry that is not as it should be, and what is wrong."""
        self._wrong = wrong
        self._after: dict[int, int] = {}
        self._origin: dict[int, int] = {}
        self._begun = self._last = 0
        """The first entry of the command of several that is under way, and its last one so far; 0 for none."""
        self._again: set[int] = set()
        """The actions that it has resolved again, and those that stand where it begins."""
        self.revealed: set[int] = set()
        """Entries that are revealed anywhere in the record."""
        self._masked: set[str] = set()
        self._left_out = False
        """Whether an entry was left out so far."""

    def look_ahead(self, events: tuple[Event, ...]) -> None:
        """Takes what an entry reveals, before any is examined."""
        self.revealed |= {event.entry for event in events if isinstance(event, Revealed)}

    def examine(self, entry: Entry, events: tuple[Event, ...], parts: Parts | None) -> bool:
        """Examines the next entry; of a file for players with its parts. Says whether it is as it should be."""
        wrong = self._structure(entry, events, parts) or self._said(events) or self._closed(entry, events, parts)
        self._after[entry.entry], self._origin[entry.entry] = entry.after, entry.origin
        self._left_out |= bool(parts and parts.leaf)
        if wrong:
            self._wrong(entry.entry, wrong)
        return not wrong

    def _structure(self, entry: Entry, events: tuple[Event, ...], parts: Parts | None) -> str:
        number, declared = entry.entry, events[0]
        if not (0 <= entry.after < number and 1 <= entry.command <= number and 1 <= entry.origin <= number):
            return f"stands after e{entry.after}, which does not come before it."
        if entry.command < number:
            return self._member(entry)
        self._begun = 0
        if entry.origin != number:
            return "says that it belongs to another command, but it does not."
        verb = declared.verb if isinstance(declared, Declared) else ""
        several = systems.amends(declared) or (isinstance(declared, Declared) and declared.instant)
        if entry.after != number - 1 and not several and systems.past(verb) != "jumps":
            return f"stands after e{entry.after}, but is no undo, redo or amendment."
        if several:
            self._begun = self._last = number
            self._again = set()
            at = entry.after
            while at > 0:
                self._again.add(self._origin.get(at, at))
                at = self._after.get(at, at - 1)
        return ""

    def _member(self, entry: Entry) -> str:
        """A later entry of a command."""
        belongs = self._begun == entry.command
        follows = belongs and self._last == entry.after == entry.entry - 1
        self._last = entry.entry
        if not follows:
            self._begun = 0
            if not belongs:
                return "says that it belongs to another command, but it does not."
            return f"does not stand where e{entry.command}, which it belongs to, puts it."
        if entry.origin == entry.entry:
            return ""
        first = entry.origin < entry.command and self._origin.get(entry.origin, entry.origin) == entry.origin
        if not first or entry.origin in self._again:
            return f"does not stand where e{entry.command} puts it: e{entry.origin} stands already, or is no action."
        self._again.add(entry.origin)
        return ""

    def _said(self, events: tuple[Event, ...]) -> str:
        rulings: dict[tuple[str, str, str], int] = {}
        for event in events:
            if isinstance(event, Ruled):
                about = (event.clause, event.who, event.about)
                rulings[about] = rulings.get(about, 0) + 1
                if event.nth != rulings[about]:
                    return f"rules twice on the same thing, by {event.clause}."
        return ""

    def _closed(self, entry: Entry, events: tuple[Event, ...], parts: Parts | None) -> str:
        for event in events:
            match event:
                case Masked(name=name):
                    self._masked.add(name)
                case CampaignBegan() if entry.entry != 1:
                    return "begins the campaign again."
                case Revealed(entry=of) if not 1 <= of < entry.entry:
                    return f"reveals e{of}, which does not come before it."
                case Unmasked(name=name) if parts and name not in self._masked and not self._left_out:
                    return f"opens the name {name[:40]}, which is closed where it was given."
        if entry.entry == 1 and not any(isinstance(event, CampaignBegan) for event in events):
            return "does not begin a campaign."
        if parts and entry.entry in self.revealed and isinstance(parts.words, str):
            return "is revealed, but closed in this file."
        return ""
