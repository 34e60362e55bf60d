"""The desk: what the game master says from a page goes through the shell, as a command does; and what can be said."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from itertools import islice, takewhile
from typing import Any

import msgspec
from msgspec import Struct

from commands.action import systems
from commands.action.book import Done, Need, events_of
from commands.action.cards import Verb
from commands.action.declaration import Declaration, shapes
from commands.action.dice_sources import Question
from commands.action.names import SEATS
from commands.action.quoting import quoted
from commands.action.resolution import REASON, Needed, Roll
from commands.action.whose_dice import by_hand
from commands.look.boards import Board, read_board
from commands.odds.choices import chances
from commands.words.command_lines import filled, words_of
from commands.words.console import Console
from commands.words.form import Table
from commands.words.next_steps import in_lines
from commands.words.orders import read
from commands.words.possible import Deeds
from commands.words.reading import Reader
from commands.words.screen import harmless
from commands.words.shells import Shell
from ledger.chain import head_line
from ledger.errors import AffrayError, AlreadyRecorded, LedgerBusy, UsageError
from ledger.events import Declared
from ledger.store import Head, Store
from projections.state import State

from .deciding import able
from .phone import asked_for
from .proposals import body_of, thrown_by, waiting
from .sayable import FILES, LONGEST, form, verbs, words_of_form, words_of_line
from .trays import tray_of

_MOST_OFFERS, _MOST_ODDS = 12, 6
"""How many words completion offers, and for how many of those who may be meant the odds are reckoned."""
_MOST_WORDS = 60
"""The most words of one kind that are sent."""
_MOVE = "move"
"""What a place on the map is tapped for."""
_SAYS_DICE = {"--dice", "--dry-run"}
"""What a line says that asks for no dice."""
_WIDE = 1000
"""Columns of what is told."""
Answer = dict[str, Any]


class Tap(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the page says: a line as it is typed, or a form as it is filled in."""

    id: str = ""
    """An id of its own, under which it is recorded once."""
    head: str = ""
    """The head line of the ledger that the page showed; "" where that does not matter."""
    line: str = ""
    verb: str = ""
    said: dict[str, tuple[str, ...]] = {}
    """The words for each field; of a flag none."""
    dice: tuple[int | None, ...] = ()
    secret: bool = False
    """Whether the players do not see it."""
    why: str = ""
    """The reason, where what is offered asks for one, or of an amendment."""
    thrown: bool = False
    """Whether the dice are thrown by hand: those that are sure to fall are asked for, then those that fall by them."""
    phones: bool = False
    """Whether the players' phones are served, as the server knows: they are asked there where the campaign says so."""
    field: str = ""
    """The field for whose words the odds are asked, or the place on the map that is tapped."""
    who: str = ""
    number: int = 0
    """A proposal whose form is asked for."""
    entry: int = 0
    """An entry whose form is asked for, or in whose place the form is put."""


class _Hand(Console):
    """The console of the desk."""

    def __init__(self, ledger: str, looks: bool = False) -> None:
        super().__init__(ledger)
        self.done: list[Done] = []
        self.error: AffrayError | None = None
        self.stoppable = False
        self._looks = looks

    @property
    def asks(self) -> bool:
        """Nobody sits at the terminal: the page asks."""
        return False

    @property
    def width(self) -> int:
        """No line is broken here: the page breaks them."""
        return _WIDE

    def admit(self, name: str, card: Verb | None, declaration: type[Declaration], values: Mapping[str, Any]) -> None:
        """Raises UsageError for what is not said from a page: what handles files and other programs, and paths."""
        if card and ((card.kind == "handles" and not card.past) or card.has("not-script")):
            raise UsageError(f"{name} is for a terminal.")
        dry = values.get("_dry_run") or values.get("dry_run")
        dry = dry or (card is not None and card.past == "amends" and not values.get("apply"))
        if card and self._looks and card.kind != "looks" and not dry:
            raise UsageError(f"{name} does not only look.")
        for field, shape in shapes(declaration):
            if shape.word in FILES and values.get(field.name):
                raise UsageError(f"{name} cannot read a file from a page.")

    def file(self, word: str, kind: str) -> str:
        """A sheet or an encounter by its name. Raises UsageError for a path."""
        if "/" in word or "\\" in word or word.startswith("."):
            raise UsageError(f"A {kind} is named here, without a folder.")
        return word

    def tell(self, done: Done) -> None:
        """Keeps what was done, and tells it."""
        self.done.append(done)
        super().tell(done)

    def complain(self, error: AffrayError) -> int:
        """Keeps what went wrong."""
        self.error = error
        return error.code


class Hand:
    """The hand of the game master on a ledger, with the program's shell."""

    def __init__(self, path: str, shell: Shell) -> None:
        self._path, self._shell = path, shell

    def say(self, tap: Tap) -> Answer:
        """Carries out what was tapped or typed: once, and only on the ledger that the page showed. A refusal gives its
        offers, each with what it costs. Where the campaign or `$AFFRAY_DICE` says whose dice are thrown by hand, those
        that no line gives are asked for.
        """
        with closing(_Hand(self._path)) as console:
            try:
                return self._said(console, tap)
            except AffrayError as error:
                return _answer(console, error)

    def _said(self, console: _Hand, tap: Tap) -> Answer:
        """What comes of it: the dice that are asked for, or what was done. Raises AffrayError where a tap has no words,
        or the ledger went on.
        """
        state = console.book.present()[1]
        side = thrown_by(state)
        words = self._words(console, tap)
        there = tap.phones and (side or "").casefold() == SEATS  # the phones are asked, and this waits
        here = not there and (tap.thrown or side is not None)
        asks = here and not _SAYS_DICE & {one.partition("=")[0] for one in words}
        console.side, console.once = "" if there else side or "", tap.id
        card = card_of(self._shell, console.system, words)
        if card and card.kind != "looks":
            console.shown = still(console.book.store, tap.head, tap.id)
        first = asks and not tap.dice and card and card.kind == "records"
        if first and (asked := _asks(state, console.side, self._sure(words)))["needs"]:
            return asked
        return self._carried_out(console, tap, state, [*words, *_corrects(card, tap)], asks)

    def _carried_out(self, console: _Hand, tap: Tap, state: State, words: Sequence[str], asks: bool) -> Answer:
        """What a line comes to with the dice of a tap, or the dice that it needs besides."""
        text = self._run([*words, *(_thrown(tap) if tap.thrown and not console.side else _typed(tap.dice))], console)
        if not asks or not tap.dice:
            return _answer(console, console.error, text)
        if isinstance(console.error, Needed) and tap.dice[-1] is None:
            console.error = None  # the program rolls what was left empty and is needed
            text = self._run([*words, *_typed(tap.dice)], console)
        if isinstance(console.error, Needed):
            return _asks(state, console.side, console.error.rolls)
        return _answer(console, console.error, text)

    def look(self, tap: Tap) -> Answer:
        """What something would do, without recording it."""
        with closing(_Hand(self._path, looks=True)) as console:
            try:
                words = self._words(console, tap)
                card = card_of(self._shell, console.system, words)
                looks = card and (card.kind == "looks" or card.past == "amends")
                text = self._run([*words, *_typed(tap.dice)] if looks else [*words, "--dry-run"], console)
            except AffrayError as error:
                return _answer(console, error)
            return _answer(console, console.error, text, " --apply" if tap.entry else "")

    def choices(self, tap: Tap) -> Answer:
        """What somebody may do now, and what may stand in each kind of field of it."""
        with closing(_Hand(self._path)) as console:
            head, state = console.book.present()
            now, board = able(state), read_board(state)
            who = tap.who if tap.who in state.roster.members else next(iter(now), "")
            table = Table(state, store=console.book.store)
            words = table.by_kind(table.verbs, who) | {kind: table.of_kind(kind) for kind in ("encounter", "hidden")}
            return {
                "head": head_line(head.entry, head.digest),
                "who": who,
                "able": now,
                "everybody": state.roster.order,
                "first": [*_first(state, board, table, who)],
                "due": [f"{', '.join(map(harmless, one.who))}: {harmless(one.what)}" for one in board.due],
                "asks": thrown_by(state) is not None,
                "words": {kind: found[:_MOST_WORDS] for kind, found in words.items()},
            }

    def possible(self, tap: Tap) -> Answer:
        """The verbs that somebody can do now."""
        with closing(_Hand(self._path)) as console:
            return {"possible": Deeds(Table(console.book.present()[1]), tap.who).possible()}

    def forms(self, _: Tap) -> Answer:
        """The verbs that the page makes forms of, in the order in which they are offered."""
        with closing(_Hand(self._path)) as console:
            table = Table(console.book.present()[1], self._tools(console))
            return {"verbs": [form(*one, table.system) for one in table.verbs.items() if one[0] != "init"]}

    def _tools(self, console: Console) -> dict[str, Verb]:
        """What changes the past, or outlasts every undo."""
        return {name: verb for name, verb in self._shell.known(console.system).items() if verb.past}

    def odds(self, tap: Tap) -> Answer:
        """The chances of a form, or of each word that may stand in a field of it; none of what is no action of somebody
        at the table.
        """
        with closing(_Hand(self._path, looks=True)) as console:
            table = Table(console.book.present()[1])
            if tap.verb not in verbs(table.system):
                return {"odds": {}}
            field = next((one for one in table.form(tap.verb) if one.name == tap.field), None)
            who = next(iter(tap.said.get("who", ())), "")
            words = table.words(field, tap.said) if field else []
            aims = (word for word in words if table.aims_at(tap.verb, who, word))
            meant = {word: {**tap.said, tap.field: (word,)} for word in islice(aims, _MOST_ODDS)} or {"": tap.said}
            found = {word: chances(table, tap.verb, said) for word, said in meant.items()}
            return {"odds": {word: told for word, told in found.items() if told}}

    def complete(self, tap: Tap) -> Answer:
        """What the last word of a line may become: the whole line each time, with what it means."""
        with closing(_Hand(self._path)) as console:
            offers = [*islice(self._shell.offers(tap.line[:LONGEST], console), _MOST_OFFERS)]
            line = tap.line
            return {"offers": [[line[: len(line) - back] + text, *meaning] for text, back, *meaning in offers]}

    def filled(self, tap: Tap) -> Answer:
        """The form of a proposal or of an entry with what was said, or of a move to a place on the map that is tapped;
        of no verb where there is none.
        """
        verb, said = "", dict[str, tuple[str, ...]]()
        with (
            closing(_Hand(self._path)) as console,
            suppress(AffrayError, msgspec.ValidationError, KeyError, StopIteration),
        ):
            if tap.field:
                ways = Reader(Table(console.book.present()[1])).readings([_MOVE, tap.who, tap.field], True)
                verb, said = next((_MOVE, {**way.said}) for way in ways if (tap.field,) in way.said.values())
            elif tap.entry:
                entry = console.book.store.entry(tap.entry)
                declared = next(one for one in events_of(entry) if isinstance(one, Declared))
                verb, said = declared.verb, _said(console, declared.verb, declared.said, entry.typed)
            else:
                with closing(tray_of(console)) as tray:
                    body = body_of({one.nth: one for one in waiting(tray)}[tap.number])
                verb, said = body.verb, _said(console, body.verb, body.said)
        return {"verb": verb, "said": said}

    def _words(self, console: Console, tap: Tap) -> list[str]:
        words = said_in(Table(console.book.present()[1], self._tools(console)), tap)
        words += ["--secret"] if tap.secret else []
        if not tap.entry:
            return words
        why = ["--because", tap.why] if tap.why else []
        return ["amend", f"e{tap.entry}", "--as", " ".join(map(quoted, words)), *why]

    def _run(self, words: Sequence[str], console: _Hand) -> str:
        heard, beside = StringIO(), StringIO()
        with redirect_stdout(heard), redirect_stderr(beside):
            self._shell.run(words, console)
        return f"{heard.getvalue()}\n{beside.getvalue()}".strip("\n")

    def _sure(self, words: Sequence[str]) -> list[Need]:
        """The dice that are sure to fall, as far as no other may fall before them: typed dice have an order."""
        with closing(_Hand(self._path, looks=True)) as console:
            self._run([*words, "--dry-run"], console)
            needed = [one for done in console.done for each in (done, *done.then) for one in each.needed]
        return [*takewhile(lambda one: one.certain, needed)]


def _said(console: Console, verb: str, said: Mapping[str, Any], typed: str = "") -> dict[str, tuple[str, ...]]:
    """The words of each field of a declaration; a stat block is the word that it was typed as."""
    kind = systems.procedure(systems.find_verb(console.system, verb))[1]
    words = dict(filled(msgspec.convert(said, kind)))
    for field, shape in shapes(kind):
        if shape.word == "sheet" or (shape.inner and shape.inner.word == "sheet"):
            told = read(verb, kind, words_of(typed)[len(verb.split()) :])[field.name]
            words[field.name] = (told,) if isinstance(told, str) else tuple(told)
    return words


_EACH = Hand.say, Hand.look, Hand.choices, Hand.forms, Hand.odds, Hand.complete, Hand.possible, Hand.filled
ASKED = {one.__name__: one for one in _EACH}
"""What can be asked of the hand. One after the other: each hears what the shell prints."""


def card_of(shell: Shell, system: str, words: Sequence[str]) -> Verb | None:
    """The card of the verb of a line; None where the shell is to say that there is none."""
    known = shell.known(system)
    name = systems.verb_of(words, systems.COMMON)
    with suppress(UsageError):
        return known.get(systems.begun(name, known))
    return None


def still(store: Store, seen: str, once: str) -> Head | None:
    """The head of a ledger that is still where somebody saw it; None where nobody says so, or what they say is recorded
    already. Raises LedgerBusy where something else was recorded.
    """
    head = store.head()
    if not seen or store.recorded(once):
        return None
    if seen != head_line(head.entry, head.digest):
        raise LedgerBusy("Something else was recorded meanwhile; nothing was recorded.")
    return head


def said_in(table: Table, tap: Tap) -> list[str]:
    """The words of a line that was typed, or of a form that was filled in. Raises UsageError where there are none."""
    words = words_of_form(table, tap.verb, tap.said) if tap.verb else words_of_line(tap.line)
    if not words or words[0].startswith("-"):
        raise UsageError("A line begins with a verb.")
    return [_because(word, tap.why) for word in words] if tap.why else words


def _because(word: str, why: str) -> str:
    """A word with the reason that the page asked for; in a line within a line it is quoted again."""
    if f"{REASON}'" not in word:
        return word.replace(REASON, why)
    return " ".join(quoted(part.replace(REASON, why)) for part in words_of(word))


def _typed(dice: Sequence[int | None]) -> list[str]:
    return ["--dice", ",".join("-" if face is None else str(face) for face in dice)] if dice else []


def _corrects(card: Verb | None, tap: Tap) -> list[str]:
    """The options by which the course is changed once, and an amendment at once; none for what is played."""
    if not card or not card.past:
        return []
    return [*(["--apply"] if tap.entry or (tap.verb and card.past == "amends") else []), "--once", tap.id]


def _thrown(tap: Tap) -> list[str]:
    """Dice that are thrown by hand, up to the last that somebody threw: a rule may do without those behind it."""
    ends = max((at for at, face in enumerate(tap.dice, 1) if face is not None), default=0)
    return _typed(tap.dice[:ends]) or (["--dice", "roll"] if tap.dice else [])


def _asks(state: State, side: str, rolls: Sequence[Need | Roll]) -> Answer:
    """Asks for those dice that are thrown by hand where a side throws its own, for all where none is named."""
    asked = [(one, Question(one.who, one.purpose, one.about, 0, 0, 0)) for one in rolls]
    mine = [one for one, question in asked if by_hand(state, side, question)]
    needs = [{"who": one.who, "dice": one.dice, "purpose": one.purpose, "about": one.about} for one in mine]
    return {"ok": True, "text": "", "offers": [], "needs": needs}


def _answer(console: _Hand, error: AffrayError | None, text: str = "", more: str = "") -> Answer:
    ok = error is None or isinstance(error, AlreadyRecorded)
    found: Answer = {"entry": console.done[0].entry} if console.done else {}
    if error:
        text, found = harmless(error.message), {**found, "error": error.reference, **offered(error, console.once, more)}
    return {"ok": ok, "text": text, "offers": [], "needs": [], **found}


def offered(error: AffrayError, once: str = "", more: str = "") -> Answer:
    """What can be done instead, each with what it costs and whether it asks for a reason, and what else is advised. A
    line has its own id in place of `once`, and `more` at its end.
    """
    every = error.offers or in_lines(error.hint)
    costs = {one.line: harmless(one.cost) for one in every if one.line.startswith("affray ")}
    said = {line: harmless(line.removeprefix("affray ").replace(f" --once {once}", "") + more) for line in costs}
    return {
        "offers": [{"line": said[line], "cost": cost, "asks": REASON in line} for line, cost in costs.items()],
        "advice": [harmless(one.line) for one in every if one.line not in costs],
    }


def _first(state: State, board: Board, table: Table, who: str) -> Iterator[str]:
    """The verbs that are asked for now: of somebody, or of the table."""
    yield from asked_for(table.verbs, state, board, who)
    if not state.encounter.running:
        yield from (name for name, verb in table.verbs.items() if verb.by == "gm" and verb.rank == "listed")
    words = {word for said in (*board.next, *(one.what for one in board.due if not one.who)) for word in said.split()}
    yield from (name for name in table.verbs if name in words)
