"""A seat for a program: it sees what the phone of the seat sees, and proposes what its player may say."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import msgspec
from msgspec import Struct

from commands.action.book import events_of
from commands.action.names import find
from commands.action.resolution import Again
from commands.live.views import Watched
from commands.odds.branches import Action
from commands.odds.choices import tree
from commands.odds.needs import needs
from commands.seats.hand import still
from commands.seats.phone import for_seat
from commands.seats.proposals import ASK_GM, KIND, RECORDED, WAITS, Told, propose
from commands.seats.sayable import Saying, typed_line
from commands.seats.trays import tray_at
from commands.seats.worker import Job, carried_out
from commands.seen.scenes import Card
from commands.seen.twin import twin
from commands.words.command_lines import words_of
from commands.words.console import Console, problem
from commands.words.discovery import opened
from commands.words.form import Table as Form
from commands.words.screen import harmless, tried
from commands.words.shells import Shell
from ledger.errors import AffrayError, NameUnknown, UsageError
from ledger.store import Head, Store
from projections.roster import Seat
from projections.state import State

from .guide import guide
from .table import Answered, chosen

_LATEST, _MOST = 20, 200
"""How many entries `log` shows by itself, and at most."""
_STATES = {WAITS: "waits for the game master", RECORDED: "recorded"}


class _Sitting(Struct):
    """What the seat sees at one moment."""

    view: Watched
    seat: Seat
    now: tuple[str, ...]
    """Those of the seat who may act."""

    @property
    def twin(self) -> State:
        """What the seat may reckon with."""
        return twin(self.view.state, self.view.sides or (), self.seat)


class Player:
    """A seat that a program plays from. What it is told is made of what its phone would be sent."""

    role = "player"
    says: Mapping[str, str] = {
        "look": "Shows what your player sees, and records nothing. `line` is status (the board, who may act, your "
        "proposals), log, log 50, or help VERB.",
        "act": "Proposes actions of those whom you play, to be accepted by the game master. `lines` are command lines, "
        "such as 'attack boffin grub'. `once` is an id of your own for this call: nothing is proposed twice under it.",
        "needs": "Says what dice an action of your fighters needs of you, as far as you can know. Records nothing.",
    }

    def __init__(self, path: str, seat: str, shell: Shell) -> None:
        self.by: str | None = None
        """The client, which no entry names: the seat is the one who plays."""
        self.guide = guide(self.role)
        self._path, self._name, self._shell = path, seat, shell
        self._store: Store | None = None
        self._view: Watched | None = None
        self._head = Head(0, "", 0, 0)

    # What it sees

    def sit(self) -> _Sitting:
        """What is seen now. Raises NameUnknown when there is no such seat, and what opening a ledger raises."""
        try:
            return self._sit()
        except AffrayError:
            self.leave()
            raise

    def _sit(self) -> _Sitting:
        if self._store is None:
            self._store = opened(self._path)
        store = self._store
        with store.still() as head:
            if self._view is None or not self._goes_on(store, head):
                self._view = self._made(store, head)
            elif head != self._head:
                new = [(*one, events_of(one[0])) for one in store.entries(self._head.entry + 1, head.entry)]
                if self._view.is_outdated_by([event for *_, events in new for event in events]):
                    self._view = self._made(store, head)
                else:
                    for one in new:
                        self._view.take(*one)
            self._head = head
        seat = self._view.state.seats.named(self._name)
        if seat is None:
            raise NameUnknown(f"There is no seat {self._name[:40]!r}.", "The game master makes one with the verb seat.")
        return _Sitting(self._view, seat, tuple(who for who in seat.plays if who in self._view.scene.now))

    def _goes_on(self, store: Store, head: Head) -> bool:
        """Whether the ledger is the one that was seen, with more entries perhaps."""
        known = self._head.entry
        return known <= head.entry and [one for _, one in store.entries(known, known)] == [self._head.digest]

    def _made(self, store: Store, head: Head) -> Watched:
        view = Watched(store, (), self._name)
        for entry, digest in store.entries(1, head.entry):
            view.take(entry, digest, events_of(entry))
        return view

    def leave(self) -> None:
        """Closes the ledger. The next look opens it anew, in the thread where that is."""
        if self._store is not None:
            self._store.close()
        self._store = self._view = None

    # What it says

    def look(self, line: str) -> Answered:
        """The board, the log, or the help of a verb."""
        return _answered(lambda: self._look(words_of(line)))

    def act(self, lines: Sequence[str], once: str, head: str = "") -> Answered:
        """Proposes actions, one after the other, up to the first that cannot be said; what a trusted seat may say by
        itself is recorded. With the head line of what was seen, only if nothing was recorded since.
        """
        said: list[Told] = []

        def proposed() -> Answered:
            if head and not self._is_proposed(once):
                still(self.sit().view.store, head, "")
            for nth, line in enumerate(lines, 1):
                said.append(self._propose(line, f"{once}.{nth}" if nth > 1 else once))
            return self._said(said)

        answer = _answered(proposed)
        if not answer.failed:
            return answer
        text = "\n".join([answer.text, *map(_line, said)])
        return Answered(text, {**answer.data, "proposals": msgspec.to_builtins(said)}, True)

    def choices(self, who: str) -> Answered:
        """What those of the seat can do now, reckoned from what it may know, and the head line of which it is true."""
        return _answered(lambda: self._choices(who))

    def needs(self, line: str) -> Answered:
        """The dice that an action needs of the seat, reckoned from what it may know."""
        return _answered(lambda: self._needs(line))

    def _look(self, words: list[str]) -> Answered:
        verb = words[0] if words else "status"
        sitting = self.sit()
        if verb == "help":
            heard = StringIO()
            with redirect_stdout(heard), redirect_stderr(heard):
                failed = self._shell.run(words, Console(self._path)) != 0
            return Answered(heard.getvalue().strip("\n"), {"ok": not failed}, failed)
        if verb == "log":
            count = min(_MOST, int(words[-1])) if words[1:] and words[-1].isdigit() else _LATEST
            return Answered("\n".join(self._log(sitting, count)) or "Nothing yet.", {"ok": True})
        if verb != "status":
            raise UsageError(f"{verb[:40]!r} is nothing that a seat can look at.", "There are status, log and help.")
        with closing(tray_at(self._path, sitting.view.state)) as tray:
            shown = for_seat(tray, sitting.view.state, sitting.view.board, sitting.now, sitting.seat)
        return Answered("\n".join(_status(sitting)), {"ok": True, **msgspec.to_builtins(shown)})

    def _log(self, sitting: _Sitting, count: int, only: Collection[int] = ()) -> list[str]:
        """The latest entries as the seat sees them, or only some of these."""
        found: list[str] = []
        for message in sitting.view.snapshot().messages[-count:] if count else ():
            logged: dict[str, Any] = msgspec.json.decode(message.logged)
            for nth, told in enumerate(logged["told"] if not only or logged["entry"] in only else ()):
                found.append(told["outcome"] if nth else f"{told['outcome']}  e{logged['entry']}")
                found += [f"    {step}" for step in told["arithmetic"]]
        return found

    def _saying(self, sitting: _Sitting, line: str) -> Saying:
        """What the seat says, as far as that rests on what it may know."""
        saying = typed_line(sitting.twin, sitting.seat, sitting.now, line.removeprefix("affray ").strip())
        if saying.dice is not None:
            raise UsageError("The program rolls the dice of a seat that a program plays.", "Leave --dice out.")
        return saying

    def _is_proposed(self, once: str) -> bool:
        """Whether something was proposed under an id of the client."""
        sitting = self.sit()
        with closing(tray_at(self._path, sitting.view.state)) as tray:
            return tray.find(KIND, sitting.seat.name, _id_of(once)) is not None

    def _propose(self, line: str, once: str) -> Told:
        sitting = self.sit()
        id_ = _id_of(once)
        with closing(tray_at(self._path, sitting.view.state)) as tray:
            paper = propose(tray, sitting.seat.name, id_, self._saying(sitting, line), None, line)
        answer = carried_out(self._path, Job("trusted", paper.nth, sitting.seat.name))
        if "told" not in answer:
            raise UsageError(str(answer.get("say", ASK_GM)))
        return msgspec.convert(answer["told"], Told)

    def _said(self, said: Sequence[Told]) -> Answered:
        sitting = self.sit()
        text = [*map(_line, said)]
        if recorded := [one.entry for one in said if one.state == RECORDED]:
            text += self._log(sitting, _MOST, recorded)
        return Answered("\n".join([*text, *_status(sitting)]), {"ok": True, "proposals": msgspec.to_builtins(said)})

    def _choices(self, who: str) -> Answered:
        sitting = self.sit()
        form = Form(sitting.twin)
        some = [find(form.state, who)] if who else sitting.now
        if other := [one for one in some if one not in sitting.seat.plays]:
            raise UsageError(f"{other[0]} is not played from this seat.")
        return chosen(self._head, {one: [*tree(form, one)] for one in some})

    def _needs(self, line: str) -> Answered:
        sitting = self.sit()
        saying = self._saying(sitting, line)
        try:
            rolls, _ = needs(Action(sitting.twin, saying.verb, saying.declaration), ())
        except AffrayError as error:
            raise UsageError(error.message) from None
        except (Again, Exception):  # the twin is no fight that was fought: the rules may find what cannot be
            rolls = ()
        hers = [roll for roll in rolls if roll.who in sitting.seat.plays or roll.who == sitting.seat.name]
        text = [f"{'needs' if one.certain else 'perhaps'} {one.who} {one.dice} for {one.purpose}" for one in hers]
        return Answered("\n".join(text) or "No dice of yours.", {"ok": True, "needs": msgspec.to_builtins(hers)})


def _answered(call: Callable[[], Answered]) -> Answered:
    """What a call answers, or why it cannot be done."""
    try:
        return call()
    except AffrayError as error:
        text = [harmless(error.message), *(tried(harmless(line)) for line in error.hint.splitlines())]
        return Answered("\n".join(text), {"ok": False, "error": problem(error)}, True)


def _id_of(once: str) -> str:
    """The id of a proposal, of any words of a client."""
    return hashlib.sha256(once.encode("utf-8", "replace")).hexdigest()[:32]


def _line(told: Told) -> str:
    """A proposal in words."""
    entry = f" as e{told.entry}" if told.entry else ""
    return harmless(f"{told.line}: {_STATES.get(told.state, told.state)}{entry}{f' ({told.say})' if told.say else ''}")


def _status(sitting: _Sitting) -> list[str]:
    """The board as the seat sees it."""
    scene = sitting.view.scene
    lines = [f"{title}: {said}" if title else said for title, said in scene.header]
    lines.append(f"You play {', '.join(sitting.seat.plays)}.")
    lines += [_fighter(name, card) for name, card in scene.cards.items()]
    places = [f"{body[0]} {body[1]},{body[2]}" for body in scene.map.bodies] if scene.map else []
    return [*lines, f"Places: {'; '.join(places)}"] if places else lines


def _fighter(name: str, card: Card) -> str:
    cells = [f"{title} {said}" for title, said in card.row.items() if said and title != "side"]
    labels = [label.what for label in card.labels]
    return f"{name} ({card.side}): {'; '.join(filter(None, [card.word, *cells, *labels]))}"
