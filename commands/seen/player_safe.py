"""What the players see: `docs/exports.md`, "For the players".

The players know what could be seen at the table: who did what to whom, how it came out, the dice that fell openly, and
everything of their own side. The numbers and the stat blocks of the others, what they plan, the game master's own dice
and reasons, the words as they were typed, what was said with `--secret` and the key stay with the game master, until
they are revealed. What is not known to be open is left out.

An entry that was said with `--secret`, or in which a foe plans, is sealed when it is recorded, and left out whole. Of
every other one the open half of each event is shown, and perhaps the closed one. `reveal` and what an export hides by
itself are decided here, and nowhere else.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commands.action.unknown_names import words
from ledger import parts
from ledger.chain import PLAN, SECRET, BlindsOf, Entry, hidden, sealed
from ledger.events import ALL_OPEN, KINDS, InitiativeSet, Stirred, tag
from ledger.events.declared import Declared, Event, Noted, Overruled, Rolled, Ruled
from ledger.events.roster import Joined, Left, Masked, Renamed, Seated, SideChanged
from ledger.store import Store
from projections.glimpses import fields, game_masters_own, glimpse, instead, nothing_told
from projections.persons import Names, Person, Persons, persons_of

_OPENING = frozenset(tag(kind) for kind in KINDS if kind.OPENS)
"""Tags of the events that may change what the players see of earlier entries."""


class Sight(Struct, frozen=True):
    """What the players see of an event: its open half, and perhaps the closed one."""

    whole: bool

    def event(self, known: Event, body: str, split: int) -> Event | None:
        """The event as it is told; None when nothing is told of it."""
        return known if self.whole else glimpse(_divided(body, split)[0])

    def written(self, body: str, split: int) -> dict[str, Any]:
        """The fields of what they see."""
        return msgspec.json.decode(body) if self.whole else fields(_divided(body, split)[0])


_OPENED, _ALL = Sight(False), Sight(True)


class Seen(Struct, frozen=True):
    """What the players see of an entry."""

    sights: tuple[Sight, ...]
    """Of each event; () where both halves of all are seen."""
    whole: bool = False
    """Whether they see its words too, since it was revealed."""
    sealed: str = ""
    """The seal of an entry that is left out."""
    plan: str = ""
    """The seal of a plan of the players' own side, which is shown."""

    @property
    def secret(self) -> bool:
        """Whether they know nothing of it, not even from the board."""
        return self.sealed == SECRET

    def open(self, events: Sequence[Event]) -> list[Event]:
        """Those of its events of which the players know at least the open half."""
        if self.sealed:
            return []
        each = zip(events, self.sights or (_ALL,) * len(events), strict=True)
        return [event for event, sight in each if sight.whole or event.OPEN]

    def facts(self, entry: Entry, events: Sequence[Event]) -> list[tuple[Event, tuple[int, dict[str, Any]]]]:
        """The events of the entry as they are told, each with its place in the entry and with the fields that the
        players see.
        """
        if self.sealed:
            return [(instead(self.sealed), (1, {"event": "hidden"}))]
        each = zip(events, entry.bodies, entry.splits, self.sights or (_ALL,) * len(events), strict=True)
        found = [
            (event, (nth, sight.written(body, split)))
            for nth, (known, body, split, sight) in enumerate(each, 1)
            if (event := sight.event(known, body, split))
        ]
        own = self.sights and game_masters_own([event for event, _ in found])
        return [(nothing_told(), (1, {"event": "hidden"}))] if own else found

    def parts(self, entry: Entry, blinds: BlindsOf) -> parts.Parts:
        """The parts of the entry, with those left out that the players do not see."""
        if self.sealed:
            return parts.Parts(self.sealed, leaf=blinds.seal().hex())
        seal = sealed(entry.bodies) if self.whole else self.plan
        words, counts, *closed = blinds.parts()
        of_closed = iter(closed)
        events = []
        each = zip(entry.bodies, entry.splits, self.sights or (_ALL,) * len(entry.bodies), strict=True)
        for body, split, sight in each:
            first, second = _divided(body, split)
            if not second:
                events.append(parts.Halves(first, ""))
                continue
            blind, covered = next(of_closed)
            events.append(parts.Halves(first, (blind.hex(), second) if sight.whole else hidden(blind, covered)))
        blind_of_seal = blinds.of_seal().hex() if seal else ""
        said = (words[0].hex(), entry.by, entry.typed, entry.once) if self.whole else hidden(*words)
        return parts.Parts(seal, blind=blind_of_seal, words=said, counts=hidden(*counts), events=tuple(events))


WHOLE = Seen((), True)
"""All of an entry."""


def _divided(body: str, split: int) -> tuple[str, str]:
    """The two halves of the JSON of an event, divided at a byte."""
    if body.isascii():
        return body[:split], body[split:]
    data = body.encode()
    return data[:split].decode(), data[split:].decode()


class Players:
    """Decides what the players see, entry by entry, from the first on; of a seat what its player sees, who knows all
    about those whom they play, on whatever side these are.
    """

    def __init__(self, store: Store, sides: Sequence[str], seat: str = "") -> None:
        self.sides, self.seat = frozenset(sides), seat
        self._opened = opened = _opened_since(store)
        self._revealed, self._unmasked = opened.entries, opened.unmasked
        self._hidden_epochs, self._hidden_dice = opened.hidden_epochs, opened.hidden_dice
        self._has_masks = bool(opened.masked or opened.unmasked)
        self._persons = Persons()
        """Of the entries that were asked about."""
        self._masked = words(opened.masked)
        """Finds true names that nobody may read yet."""
        self._friends: dict[int, _Friends] = {}
        """After each entry."""
        self._others: set[Person] = set()
        """Everybody who ever was on another side, in any course."""
        self._their_words: set[str] = {_GM}
        """The words by which a group of them may be called: their sides, and what their stat blocks say."""
        self._our_words: set[str] = set()
        """Those of the players' own."""
        self._at: tuple[_Friends, Names] | None = None
        self._theirs: set[str] = set()
        """All names of the others."""
        self._hidden: frozenset[str] = frozenset()
        """The names of those whose numbers are secret, and what decides it in an entry that changes none of it."""
        self._pattern: tuple[frozenset[str], re.Pattern[str]] = (frozenset(), re.compile("(?!)"))
        self._lower: tuple[str, ...] = ()
        """The names of those whose numbers are secret, up to a hyphen, in small letters."""
        self._secretly: set[int] = set()
        """The secret entries."""

    def is_outdated_by(self, kinds: Collection[str], store: Store) -> bool:
        """Whether new events of some kinds, given by their tags, change what the players see of earlier entries."""
        return not _OPENING.isdisjoint(kinds) and _opened_since(store) != self._opened

    def hides(self, entry: Entry) -> bool:
        """Whether they know nothing of an entry, since it was said with `--secret`."""
        return entry.entry not in self._revealed and sealed(entry.bodies) == SECRET

    def see(self, entry: Entry, events: Sequence[Event]) -> Seen:
        """What they see of an entry. To be asked of every entry in the order of recording."""
        secret = self._secret(entry, events)
        if entry.entry in self._revealed:
            return WHOLE
        declared = events[0] if isinstance(events[0], Declared) else Declared("", {})
        seal = sealed(entry.bodies)
        if seal == SECRET:
            self._secretly.add(entry.entry)
        if seal == SECRET or seal.removeprefix(PLAN) in secret:
            return Seen((), sealed=seal)
        names = self._named(secret)
        by_the_gm = declared.verb == "roll" and not declared.said.get("who")
        about = _target(declared)
        about_a_secret = (about in self._secretly and about not in self._revealed) or _puts_in_a_secret(declared)
        about_others = any(getattr(event, "who", "") in secret for event in events)
        touched = by_the_gm or about_a_secret or about_others or self._names_any(entry, names)
        scene = _Scene(secret, names, touched, about_a_secret)
        sights = [self._sight(event, scene) for event in events]
        if self._has_masks:
            each = zip(events, entry.bodies, entry.splits, sights, strict=True)
            sights = [self._unnamed(entry.entry, *one) for one in each]
        return Seen(tuple(sights), plan=seal)

    def _secret(self, entry: Entry, events: Sequence[Event]) -> frozenset[str]:
        """The names of all who are not known to be on the players' side, or played from the seat, both before and after
        an entry; of somebody who joins, after it.
        """
        before = now = self._persons.at(entry.after)
        was = friends = self._friends.get(entry.after, _NOBODY)
        changes = not _ROSTER.isdisjoint(map(type, events))
        if changes or entry.after != entry.entry - 1:
            self._persons.take(entry.entry, entry.after, entry.origin, events)
        for event, earlier, now in before.through(events, entry.origin) if changes else ():
            friends = self._after(friends, event, earlier, now)
        self._friends[entry.entry] = friends
        if not changes and self._at == (friends, now):
            return self._hidden
        known = friends.ours - (frozenset(before.of.values()) - was.ours) | (was.played & friends.played)
        self._theirs = {name for one in self._others for name in self._persons.names(one)}
        ever = {name for one in self._others - known for name in self._persons.names(one)}
        table = {name for names in (before, now) for name, one in names.of.items() if one in known}
        self._at, self._hidden = None if changes else (friends, now), frozenset(ever - table)
        return self._hidden

    def _after(self, friends: "_Friends", event: Event, before: Names, now: Names) -> "_Friends":
        """Who is on the players' side, and played from the seat, after an event."""
        match event:
            case Joined(who=who, side=side) | SideChanged(who=who, side=side) if person := now.of.get(who):
                words_of = {side, *_QUOTED.findall(bytes(event.sheet).decode() if isinstance(event, Joined) else "")}
                if side in self.sides:
                    self._our_words |= {who, *words_of}
                    return replace(friends, ours=friends.ours | {person})
                self._others.add(person)
                self._their_words |= words_of
                return replace(friends, ours=friends.ours - {person})
            case Renamed(who=who, name=name) if before.of.get(who) in friends.ours:
                self._our_words.add(name)
            case Seated(seat=seat, plays=plays) if self.seat:
                seated = frozenset(now.of[name] for name in plays if name in now.of)
                return replace(friends, played=seated if seat == self.seat else friends.played - seated)
        return friends

    def _named(self, secret: frozenset[str]) -> re.Pattern[str]:
        """Finds the names of secret combatants, as words of their own, in the JSON of an event."""
        if self._pattern[0] != secret:
            self._pattern = secret, words(secret)
            self._lower = tuple({name.lower().partition("-")[0] for name in secret})
        return self._pattern[1]

    def _names_any(self, entry: Entry, names: re.Pattern[str]) -> bool:
        """Whether an entry names any of them. A pattern is slow where it finds nothing, so others look first."""
        text = "\n".join(entry.bodies)
        lower = text.lower()
        likely = not text.isascii() or any(name in lower for name in self._lower)
        return likely and names.search(text) is not None

    def _unnamed(self, entry: int, event: Event, body: str, split: int, sight: Sight) -> Sight:
        """What they see of an event, without a true name that they do not know."""
        if isinstance(event, Masked):
            return _ALL if self._persons.at(entry).of.get(event.who) in self._unmasked else _OPENED
        return _OPENED if sight.whole and self._masked.search(_divided(body, split)[1]) else sight

    def _sight(self, event: Event, scene: "_Scene") -> Sight:
        """What they see of an event, as long as it holds no true name."""
        kind = type(event)  # isinstance is slow where it is another kind
        if kind in ALL_OPEN or (type(event) is Rolled and event.places and self._fell_openly(event.places)):
            whole = True
        elif kind is Ruled:
            whole = not scene.touched
        elif type(event) is Declared:
            whole = not scene.touched and not event.allow
        elif type(event) is Noted:
            counts = scene.touched and any(sign.isdigit() for sign in scene.names.sub("", event.text))
            whole = not counts and event.who not in scene.secret
        elif type(event) is Stirred:
            whole = event.epoch <= self._hidden_epochs
        else:
            who = getattr(event, "who", "")
            about_others = who in scene.secret if who else scene.touched
            about_others = about_others or (kind in _OF_GROUPS and self._is_theirs(who))
            whole = (kind is not Overruled and not about_others) or (kind.FOR_ALL and not scene.about_a_secret)
        return _ALL if whole else _OPENED

    def _is_theirs(self, who: str) -> bool:
        """Whether this is a group of the others, for which a die was thrown."""
        if who in self._theirs or not who:
            return False
        return any(word in self._their_words and word not in self._our_words for word in (who, *who.split(_TIE)))

    def _fell_openly(self, places: Sequence[int]) -> bool:
        """Whether these are dice of the program that are open: they were so when they fell, or have been revealed."""
        return min(places) > 0 or all(place > 0 or -self._hidden_dice < place < 0 for place in places)


class _Friends(Struct, frozen=True):
    """The players' own after an entry."""

    ours: frozenset[Person] = frozenset()
    """On their side."""
    played: frozenset[Person] = frozenset()
    """Played from the seat."""


_NOBODY = _Friends()
_ROSTER = {Joined, Left, SideChanged, Renamed, Seated}
_OF_GROUPS = {Rolled, InitiativeSet}
"""What is recorded of a whole group and holds its number."""
_QUOTED = re.compile(r'"([^"\\]+)"')
"""The words of a stat block in JSON."""
_GM, _TIE = "gm", " and "
"""The seat of the game master, and what stands between groups that share a die."""


class _Scene(Struct, frozen=True):
    """The facts about an entry that decide what is secret in it."""

    secret: frozenset[str]
    """Those whose numbers are secret."""
    names: re.Pattern[str]
    """Finds their names."""
    touched: bool
    """Whether a text names any of them, or the game master rolls for nobody."""
    about_a_secret: bool
    """Whether it is about a secret entry."""


class _Opened(Struct, frozen=True):
    """What was ever revealed in a ledger: it stays so, whatever was undone since."""

    entries: frozenset[int]
    hidden_epochs: int
    """How many epochs of hidden dice were."""
    hidden_dice: int
    """The first place of the hidden dice that was not; 0 if all are hidden."""
    unmasked: frozenset[Person]
    """Those whose true name was."""
    masked: frozenset[str]
    """The true names that were not."""


def _opened_since(store: Store) -> _Opened:
    """What is revealed in a ledger, and which true names are hidden, whatever was undone since."""
    entries, epochs = set[int](), 0
    masked, unmasked = dict[Person, str](), set[Person]()
    stirs, persons = list[dict[str, Any]](), persons_of(store)
    for number, body in store.of_kinds(*sorted(_OPENING | {"stirred"})):
        match event := msgspec.json.decode(body):
            case {"event": "stirred"}:
                stirs.append(event)
            case {"event": "masked"}:
                masked[persons.at(number).of[event["who"]]] = event["name"]
            case {"event": "unmasked"}:
                unmasked.add(persons.at(store.after(number)).of[event["who"]])
            case {"event": "revealed"}:
                entries.add(event["entry"])
            case {"hidden": True}:
                epochs = max(epochs, len(event["secrets"]))
    dice = stirs[epochs - 1]["first_hidden"] if epochs else 0
    still = frozenset(name for person, name in masked.items() if person not in unmasked)
    return _Opened(frozenset(entries), epochs, dice, frozenset(unmasked), still)


def _target(declared: Declared) -> int:
    """The entry that an amendment, a dispute or a mark is about; 0 if none."""
    word = str(declared.said.get("entry", "")).removeprefix("e")
    return int(word) if word.isascii() and word.isdigit() else 0


def _puts_in_a_secret(declared: Declared) -> bool:
    """Whether an amendment puts a secret action into the course."""
    return any(isinstance(one, dict) and bool(one.get("secret")) for one in declared.said.get("insert", ()))
