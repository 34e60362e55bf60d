"""The course of a record, as far as anybody can check it who has no rules: what each entry says of the others."""

from collections.abc import Callable

from commands.action import systems
from ledger.chain import Entry
from ledger.events import lasts
from ledger.events.campaign import CampaignBegan, Reinstated, Retracted, Revealed
from ledger.events.declared import Declared, Event, Ruled
from ledger.events.roster import Joined, Masked, Renamed, Unmasked
from ledger.parts import Parts

from .course import jumps, moved

_LOOKED_INTO = {CampaignBegan, Revealed, Unmasked}
_ANY = 2**53
"""More persons than any action brings."""


class ExaminedCourse:
    """Examines, entry by entry, that a jump is an undo, a redo, an amendment or an instant; that an entry which
    resolves an action again belongs to an amendment or an instant, and that no action stands twice; that nothing is
    ruled twice, and that anyone who joins again is a person whom the action may bring. In a file for players also that
    what is said to be taken back no longer stands, and that what was revealed is shown.
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
        self._places: dict[int, int] = {}
        """How many persons each action brought, in all its resolutions; `_ANY` where one of them is left out."""
        self.revealed: set[int] = set()
        """Entries that are revealed anywhere in the record."""
        self._no_play: set[int] = set()
        """In a file for players the undos and redos, and what stirs the dice or reveals something."""
        self._roster: dict[int, tuple[Event, ...]] = {}
        """In it who joins, who is called otherwise, and whose true name is shown, by the entry."""
        self._left_out: set[int] = set()
        """The entries that are left out of it."""

    def look_ahead(self, events: tuple[Event, ...]) -> None:
        """Takes what an entry reveals, before any is examined."""
        self.revealed |= {event.entry for event in events if isinstance(event, Revealed)}

    def examine(self, entry: Entry, events: tuple[Event, ...], parts: Parts | None) -> None:
        """Examines the next entry; of a file for players with its parts."""
        wrong = (
            self._structure(entry, events)
            or (self._taken_back(entry, events) if parts else "")
            or self._said(events)
            or self._joined(entry, events)
            or self._closed(entry, events, parts)
        )
        number = entry.entry
        self._after[number] = entry.after if 0 <= entry.after < number else number - 1  # else a course has no end
        self._origin[number] = entry.origin
        if parts:
            self._keep(entry.entry, events, parts)
        if wrong:
            self._wrong(entry.entry, wrong)

    def _keep(self, number: int, events: tuple[Event, ...], parts: Parts) -> None:
        """Keeps what later entries of a file for players are compared with."""
        if jumps(events) or lasts(events):
            self._no_play.add(number)
        if parts.leaf:
            self._left_out.add(number)
            self._places[self._origin[number]] = _ANY
        elif told := tuple(event for event in events if isinstance(event, Joined | Renamed | Masked)):
            self._roster[number] = told

    def _structure(self, entry: Entry, events: tuple[Event, ...]) -> str:
        number, declared = entry.entry, events[0]
        if not (0 <= entry.after < number and 1 <= entry.command <= number and 1 <= entry.origin <= number):
            return f"stands after e{entry.after}, which does not come before it."
        if entry.command < number:
            return self._member(entry)
        self._begun = 0
        if entry.origin != number:
            return "says that it belongs to another command, but it does not."
        several = systems.amends(declared) or (isinstance(declared, Declared) and declared.instant)
        if entry.after != number - 1 and not several and not jumps(events):
            return f"stands after e{entry.after}, but is not an undo, redo or amendment."
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
            return f"does not stand where e{entry.command} puts it: e{entry.origin} stands already or is not an action."
        self._again.add(entry.origin)
        return ""

    def _taken_back(self, entry: Entry, events: tuple[Event, ...]) -> str:
        """What an entry of a file for players says that it takes back, or brings back, against where it stands. In a
        whole ledger the words of the entry say where it leads.
        """
        gone, back = list[int](), list[int]()
        stood, stands = entry.entry - 1, entry.after
        while stood != stands:
            course, at = (gone, stood) if stood > stands else (back, stands)
            if at not in self._no_play:
                course.insert(0, at)
            before = self._after.get(at, at - 1)
            stood, stands = (before, stands) if stood > stands else (stood, before)
        for kind, course in ((Retracted, gone), (Reinstated, back)):
            if moved(events, kind) != course:
                return "does not take back what no longer stands after it, or brings back something else."
        return ""

    def _said(self, events: tuple[Event, ...]) -> str:
        rulings: dict[tuple[str, str, str], int] = {}
        for event in events:
            if type(event) is Ruled:
                about = (event.clause, event.who, event.about)
                rulings[about] = rulings.get(about, 0) + 1
                if event.nth != rulings[about]:
                    return f"rules twice on the same thing, by {event.clause}."
        return ""

    def _joined(self, entry: Entry, events: tuple[Event, ...]) -> str:
        """Who joins is another person each: where an action is resolved again one whom it brought, or the next."""
        found, most = list[int](), self._places.get(entry.origin, 0)
        for nth, event in enumerate((one for one in events if type(one) is Joined), 1):
            place = event.place or nth
            if event.place == nth or place in found or not 1 <= place <= most + 1:
                return f"says that {event.who[:40]} is the person in place {place} of e{entry.origin}, which cannot be."
            found.append(place)
            most = max(most, place)
        self._places[entry.origin] = most
        return ""

    def _closed(self, entry: Entry, events: tuple[Event, ...], parts: Parts | None) -> str:
        for event in events:
            if type(event) not in _LOOKED_INTO:
                continue
            match event:
                case CampaignBegan() if entry.entry != 1:
                    return "begins the campaign again."
                case Revealed(entry=of) if not 1 <= of < entry.entry:
                    return f"reveals e{of}, which does not come before it."
                case Unmasked(who=who, name=name) if parts and not self._is_open(entry.after, who, name):
                    return f"opens the name {name[:40]}, which is closed where it was given."
        if entry.entry == 1 and not any(type(event) is CampaignBegan for event in events):
            return "does not begin a campaign."
        if parts and entry.entry in self.revealed and isinstance(parts.words, str):
            return "is revealed, but closed in this file."
        return ""

    def _is_open(self, at: int, who: str, name: str) -> bool:
        """Whether the true name of somebody is shown where they joined, in the course up to an entry; or they joined in
        one that is left out.
        """
        left_out = False
        while at > 0:
            told = self._roster.get(at, ())
            for event in reversed(told):
                if isinstance(event, Renamed) and event.name == who:
                    who = event.who
                elif isinstance(event, Joined) and event.who == who:
                    return Masked(who, name) in told
            left_out |= at in self._left_out
            at = self._after.get(at, at - 1)
        return left_out
