"""What the players see: `docs/exports.md`, "For the players".

The players know what could be seen at the table: who did what to whom, how it came out, the dice that fell openly, and
everything of their own side. The numbers and the stat blocks of the others, what they plan, the referee's own dice and
reasons, the words as they were typed, what was said with `--secret` and the key stay with the referee, until they are
revealed. What is not known to be open is left out.

Of each event both halves are shown, or the open one, or none. `--secret`, `reveal` and what an export hides by itself
are decided here, and nowhere else.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ledger import parts
from ledger.chain import Blinds, Entry
from ledger.events import (
    AmbientMagicaSet,
    AmbientMagicaSpent,
    AreaEntered,
    AreasLaid,
    Awaited,
    CampaignBegan,
    ConditionEnded,
    Declared,
    DiceRevealed,
    Disengaged,
    Dropped,
    EncounterBegan,
    EncounterEnded,
    Engaged,
    Event,
    Faced,
    Felled,
    GroundCleared,
    GroundLaid,
    Joined,
    Left,
    LinkLaid,
    Masked,
    Moved,
    Noted,
    OptionChanged,
    OrderSet,
    Overruled,
    PhaseBegan,
    PickedUp,
    Placed,
    Reinstated,
    Renamed,
    Retracted,
    Revealed,
    Rolled,
    Rose,
    RoundBegan,
    Ruled,
    SideChanged,
    SkirmishEnded,
    SkirmishJoined,
    SkirmishLeft,
    Stirred,
    TruceEnded,
    TruceMade,
    TurnBegan,
    TurnEnded,
    Unmasked,
    WoundSuffered,
    WoundTreated,
)
from ledger.store import Store
from projections.glimpses import fields, glimpse, tells

OPEN = {
    CampaignBegan, OptionChanged, Left, SideChanged, TruceMade, TruceEnded, DiceRevealed, Revealed,
    EncounterBegan, EncounterEnded, GroundLaid, GroundCleared, OrderSet, RoundBegan, PhaseBegan, TurnBegan, TurnEnded,
    Felled, Rose, WoundSuffered, WoundTreated, ConditionEnded, Dropped, PickedUp,
    Placed, Moved, Faced, AreasLaid, LinkLaid, AreaEntered, Engaged, Disengaged,
    SkirmishJoined, SkirmishLeft, SkirmishEnded, AmbientMagicaSet, AmbientMagicaSpent, Retracted, Reinstated,
    Renamed, Unmasked,
}  # fmt: skip
"""Kinds that everybody at the table sees, about anybody."""
OPENING = frozenset({"revealed", "dice-revealed", "masked", "unmasked", "renamed"})
"""Tags of the events that may change what the players see of earlier entries."""
SECRETLY = "something happens"
"""What is told of a secret entry."""
UNPROVEN = "(unproven)"
"""Marks what is told in place of something that is left out: nothing in the chain shows that it is so."""


class Sight(Struct, frozen=True):
    """What the players see of an event."""

    halves: int
    """How many of its halves, the open one first: 0, 1 or 2."""
    instead: str = ""
    """What is told where they see neither; "" for nothing."""

    def told(self, event: Event, body: str, split: int) -> Event | None:
        """The event as it is told; None when nothing is told of it."""
        if self.halves == 1:
            return glimpse(_open_half(body, split))
        return event if self.halves else Noted(self.instead) if self.instead else None

    def written(self, body: str, split: int) -> dict[str, Any]:
        """The fields of what they see."""
        if self.halves == 1:
            return fields(_open_half(body, split))
        return msgspec.json.decode(body) if self.halves else {"event": "hidden"}


NOTHING, OPENED, ALL = Sight(0), Sight(1), Sight(2)


class Seen(Struct, frozen=True):
    """What the players see of an entry."""

    sights: tuple[Sight, ...]
    """Of each event; () where both halves of all are seen."""
    whole: bool = False
    """Whether they see its words and its counts too, since it was revealed."""
    secret: bool = False
    """Whether they know nothing of it, not even from the board."""

    def open(self, events: Sequence[Event]) -> list[Event]:
        """Those of its events of which the players know at least the open half."""
        return [event for event, sight in zip(events, self.sights or (ALL,) * len(events), strict=True) if sight.halves]

    def told(self, entry: Entry, events: Sequence[Event]) -> Iterator[tuple[Event, tuple[int, dict[str, Any]]]]:
        """The events of the entry as they are told, each with its place in the entry and with the fields that the
        players see.
        """
        each = zip(events, entry.bodies, entry.splits, self.sights or (ALL,) * len(events), strict=True)
        for nth, (known, body, split, sight) in enumerate(each, 1):
            if event := sight.told(known, body, split):
                yield event, (nth, sight.written(body, split))

    def parts(self, entry: Entry, blinds: Blinds) -> parts.Parts:
        """The parts of the entry, with those left out that the players do not see."""
        (words, counts), *halves = blinds.of(entry.entry, len(entry.bodies))
        show = parts.shown if self.whole else parts.hidden
        return parts.Parts(
            show(words, entry.by, entry.typed, entry.once),
            show(counts, str(entry.drawn), str(entry.hidden)),
            tuple(map(_halves, entry.bodies, entry.splits, halves, self.sights or (ALL,) * len(halves))),
        )


WHOLE = Seen((), True)
"""All of an entry."""


def _halves(body: str, split: int, blinds: tuple[bytes, bytes], sight: Sight) -> parts.Halves:
    opened, closed = (body[:split], body[split:]) if body.isascii() else _divided(body, split)
    one, other = blinds
    if sight.halves == 2:
        return parts.Halves(parts.shown(one, opened), parts.shown(other, closed))
    show = parts.shown if sight.halves else parts.hidden
    return parts.Halves(show(one, opened), parts.hidden(other, closed), sight.instead)


def _divided(body: str, split: int) -> tuple[str, str]:
    data = body.encode()
    return data[:split].decode(), data[split:].decode()


def _open_half(body: str, split: int) -> str:
    return _divided(body, split)[0]


class Players:
    """Decides what the players see, entry by entry, from the first on."""

    def __init__(self, store: Store, sides: Sequence[str]) -> None:
        self.sides = frozenset(sides)
        self._opened = opened = opened_since(store)
        self._revealed, self._unmasked = opened.entries, opened.unmasked
        self._hidden_epochs, self._hidden_dice = opened.hidden_epochs, opened.hidden_dice
        self._has_masks = bool(opened.masked or opened.unmasked)
        self._masked = _words(opened.masked)
        """Finds true names that nobody may read yet."""
        self._ours: dict[int, frozenset[str]] = {0: frozenset()}
        self._others: set[str] = set()
        """Everybody who ever was on another side, in any course."""
        self._pattern: tuple[frozenset[str], re.Pattern[str]] = (frozenset(), re.compile("(?!)"))
        self._secretly: set[int] = set()
        """The secret entries."""

    def is_outdated_by(self, kinds: Collection[str], store: Store) -> bool:
        """Whether new events of some kinds, given by their tags, change what the players see of earlier entries."""
        return not OPENING.isdisjoint(kinds) and opened_since(store) != self._opened

    def see(self, entry: Entry, events: Sequence[Event]) -> Seen:
        """What they see of an entry. To be asked of every entry in the order of recording."""
        secret = self._secret(entry, events)
        if entry.entry in self._revealed:
            return WHOLE
        declared = events[0] if isinstance(events[0], Declared) else Declared("", {})
        if declared.secret:
            self._secretly.add(entry.entry)
            return Seen((_instead(SECRETLY), *[NOTHING] * (len(events) - 1)), secret=True)
        names = self._named(secret)
        by_the_referee = declared.verb == "roll" and not declared.said.get("who")
        about_a_secret = _target(declared) in self._secretly - self._revealed or _puts_in_a_secret(declared)
        touched = by_the_referee or about_a_secret or self._names_any(entry, secret, names)
        scene = _Scene(secret, names, touched, _planner(declared, events, secret))
        sights = [self._sight(event, scene) for event in events]
        if self._has_masks:
            each = zip(events, entry.bodies, entry.splits, sights, strict=True)
            sights = [self._unnamed(*one) for one in each]
        if by_the_referee and not any(map(_tells, events[1:], entry.bodies[1:], entry.splits[1:], sights[1:])):
            sights[0] = _instead("known to the referee")
        return Seen(tuple(sights))

    def _secret(self, entry: Entry, events: Sequence[Event]) -> frozenset[str]:
        """Anyone who is not known to be on the players' side both before and after an entry."""
        before = ours = self._ours.get(entry.after, frozenset())
        for event in events:
            if type(event) not in _ROSTER:
                continue
            if isinstance(event, Renamed):
                ours |= {event.name} if event.who in ours else frozenset()
                self._others |= {event.name} if event.who in self._others else set()
            elif isinstance(event, Joined | SideChanged):
                if event.side in self.sides:
                    ours |= {event.who}
                else:
                    ours -= {event.who}
                    self._others.add(event.who)
        self._ours[entry.entry] = ours
        return frozenset(self._others - (before & ours))

    def _named(self, secret: frozenset[str]) -> re.Pattern[str]:
        """Finds the names of secret combatants, as words of their own, in the JSON of an event."""
        if self._pattern[0] != secret:
            self._pattern = secret, _words(secret)
        return self._pattern[1]

    def _names_any(self, entry: Entry, secret: frozenset[str], names: re.Pattern[str]) -> bool:
        """Whether an entry names any of them. A pattern is slow where it finds nothing, so others look first."""
        text = "\n".join(entry.bodies)
        lower = text.lower()
        likely = not text.isascii() or any(name.lower() in lower for name in secret)
        return likely and names.search(text) is not None

    def _unnamed(self, event: Event, body: str, split: int, sight: Sight) -> Sight:
        """What they see of an event, without a true name that they do not know."""
        if isinstance(event, Masked):
            return ALL if (event.who, event.name) in self._unmasked else NOTHING
        if not sight.halves:
            return sight
        opened, closed = _divided(body, split)
        if self._masked.search(opened):
            return NOTHING
        return _opened(event) if sight.halves == 2 and self._masked.search(closed) else sight

    def _sight(self, event: Event, scene: "_Scene") -> Sight:
        kind = type(event)
        if kind in OPEN:
            return ALL
        if kind in _JUDGED and (found := self._judged(event, scene)):
            return found
        who = getattr(event, "who", "")
        if (who not in scene.secret) if who else not scene.touched:
            return ALL
        return _opened(event)

    def _judged(self, event: Event, scene: "_Scene") -> Sight | None:
        """What they see of an event that has to be looked into; None where it is as with any other kind."""
        match event:
            case Declared() if scene.planner:
                return _instead(f"{scene.planner} decides what to do")
            case Declared() | Ruled() if not scene.touched and not getattr(event, "allow", ""):
                return ALL
            case Ruled(outcome=outcome) if _counts(outcome):
                return NOTHING
            case Stirred(epoch=epoch):
                return ALL if epoch <= self._hidden_epochs else OPENED
            case Declared() | Ruled() | Overruled():
                return OPENED
            case Rolled(places=places) if places and all(map(self._fell_openly, places)):
                return ALL
            case Noted(who=who, text=text):
                counts = scene.touched and _counts(scene.names.sub("", text))
                return NOTHING if counts or who in scene.secret else ALL
        return None

    def _fell_openly(self, place: int) -> bool:
        """Whether a die of the program is open: it was so when it fell, or has been revealed."""
        return place > 0 or -self._hidden_dice < place < 0


_ROSTER = {Joined, SideChanged, Renamed}
_JUDGED = {Declared, Ruled, Overruled, Stirred, Rolled, Noted}


class _Scene(Struct, frozen=True):
    """The facts about an entry that decide what is secret in it."""

    secret: frozenset[str]
    """Those whose numbers are secret."""
    names: re.Pattern[str]
    """Finds their names."""
    touched: bool
    """Whether a text names any of them, or the referee rolls for nobody."""
    planner: str
    """The one of them who declares or readies something for later; "" if nobody does."""


class _Opened(Struct, frozen=True):
    """What was ever revealed in a ledger: it stays so, whatever was undone since."""

    entries: frozenset[int]
    hidden_epochs: int
    """How many epochs of hidden dice were."""
    hidden_dice: int
    """The first place of the hidden dice that was not; 0 if all are hidden."""
    unmasked: frozenset[tuple[str, str]]
    """Those whose true name was: the name that everybody saw at first, and the true one."""
    masked: frozenset[str]
    """The true names that were not."""


def opened_since(store: Store) -> _Opened:
    """What is revealed in a ledger, and which true names are hidden, whatever was undone since."""
    entries, masked, epochs = set[int](), set[tuple[str, str]](), 0
    names: dict[tuple[str, str], set[tuple[str, str]]] = {}  # by a name that was seen: under which it was seen first
    unmasked = set[tuple[str, str]]()
    for _, body in store.of_kinds(*sorted(OPENING)):
        match event := msgspec.json.decode(body):
            case {"event": "masked"}:
                first = event["who"], event["name"]
                masked.add(first)
                names.setdefault(first, set()).add(first)
            case {"event": "renamed"}:
                for (seen, truly), firsts in [*names.items()]:
                    if seen == event["who"]:
                        names.setdefault((event["name"], truly), set()).update(firsts)
            case {"event": "unmasked"}:
                unmasked |= names.get((event["who"], event["name"]), set())
            case {"event": "revealed"}:
                entries.add(event["entry"])
            case {"hidden": True}:
                epochs = max(epochs, len(event["secrets"]))
    stirs = [msgspec.json.decode(body) for _, body in store.of_kinds("stirred")]
    return _Opened(
        frozenset(entries),
        epochs,
        stirs[epochs - 1]["first_hidden"] if epochs else 0,
        frozenset(unmasked),
        frozenset(name for _, name in masked - unmasked),
    )


def _words(words: Iterable[str]) -> re.Pattern[str]:
    """Finds any of these words as one of its own; nothing when there are none."""
    alternatives = "|".join(re.escape(word) for word in sorted(words)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


def _instead(words: str) -> Sight:
    """What is told of an event that is left out."""
    return Sight(0, f"{words} {UNPROVEN}")


def _opened(event: Event) -> Sight:
    """The open half of an event, if it tells anything."""
    return OPENED if tells(event) else NOTHING


def _tells(event: Event, body: str, split: int, sight: Sight) -> bool:
    """Whether anything is told of an event."""
    told = sight.told(event, body, split)
    return told is not None and bool(told.line())


def _target(declared: Declared) -> int:
    """The entry that an amendment or a dispute is about; 0 if none."""
    word = str(declared.said.get("entry", "")).removeprefix("e")
    return int(word) if word.isascii() and word.isdigit() else 0


def _puts_in_a_secret(declared: Declared) -> bool:
    """Whether an amendment puts a secret action into the course."""
    put_in = declared.said.get("insert", ())
    return any(isinstance(one, dict) and bool(one.get("secret")) for one in put_in)


def _planner(declared: Declared, events: Sequence[Event], secret: frozenset[str]) -> str:
    """The secret combatant who now declares an action for later, if any; an open window is not meant."""
    who = declared.said.get("who")
    plans = (event.who for event in events if isinstance(event, Awaited) and not event.answerable)
    return next((one for one in plans if one == who and one in secret), "")


def _counts(words: str) -> bool:
    """Whether there is a number in the words."""
    return any(sign.isdigit() for sign in words)
