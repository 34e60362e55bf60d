"""The console: one process's view of its ledger, its user and its terminal, and what it answers."""

import os
import sys
from typing import TYPE_CHECKING, Any

from commands.action.quoting import quoted
from ledger.errors import AffrayError, Refused

from .ledger_in_use import LedgerInUse
from .screen import DIM, TIED, Screen, Unwritten, fitting, harmless, is_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from commands.action.book import Done
    from commands.action.cards import Verb
    from commands.action.declaration import Declaration
    from commands.action.dice_sources import Question
    from ledger.events import Event
    from projections.narration import Told

_ASIDE = "aside"
"""The tone of outcomes that only keep the books."""
_TONES = {"harm": "31", "healing": "32"}
"""The colours of outcomes."""
_OWN, _OTHER = "1;36", "1;35"
"""The colours of names: of those whom the players play, and of all others."""


class Console(LedgerInUse, Screen):
    """What a command works with: the ledger, the output, and its own words."""

    overrules = True
    """Whether those who give the commands may overrule the rules by --allow."""

    def __init__(self, ledger: str = "", json: bool = False) -> None:
        LedgerInUse.__init__(self, ledger)
        Screen.__init__(self, json)
        self.words: list[str] = []
        """The words of the command, as the record keeps them."""
        self.interrupted = False
        """Whether somebody pressed Ctrl-C, even if the code under way turned that into another error."""
        self.stoppable = True
        """Whether somebody waits who can stop long work with Ctrl-C."""
        self.own_shell: Callable[[], Any] | None = None
        """Gives the `Shell` that carries out its commands, for what goes on to say commands of its own."""
        self.decided: list[str] = []
        """The outcomes of the command under way that are printed already."""

    @property
    def typed(self) -> str:
        """The words of the command, quoted for a shell."""
        return " ".join(map(quoted, self.words))

    def admit(
        self, name: str, card: "Verb | None", declaration: "type[Declaration]", values: "Mapping[str, Any]"
    ) -> None:
        """Raises AffrayError when a verb, or one of the words that were said with it, is not for those who say it."""

    def file(self, word: str, kind: str) -> str:
        """The file that a word names: a `sheet`, an `encounter`, a `party`, a `table`, or other `toml`."""
        return word

    def write_out(self, said: str, meant: str) -> None:
        """Keeps what a word meant in place of it, where it first stands in the command."""
        for at, word in enumerate(self.words):
            if word == said or (word.startswith("--") and word.partition("=")[2] == said):
                self.words[at] = word.removesuffix(said) + meant
                return

    def watch(self) -> "Callable[[Sequence[Event], Sequence[Question]], None]":
        """Prints each fight of an action as it is decided, between two questions about dice. What it printed is not
        told again at the end.
        """
        from projections.in_short import in_short

        verbs, before = self.book.verbs, set[str]()

        def look(events: "Sequence[Event]", asked: "Sequence[Question]") -> None:
            lines = [one for one in in_short(events, verbs, massed=True) if one.outcome[:1].isdigit()]
            for one in lines:
                over = one.outcome in before or asked[0].who not in one.outcome
                if over and one.outcome not in self.decided:
                    self.decided.append(one.outcome)
                    self.say(self._dyed(harmless(one.outcome), one.tone))
            before.update(one.outcome for one in lines)

        self.decided.clear()
        return look

    def tell(self, done: "Done") -> None:
        """Prints the result of a recorded command."""
        if self.json:
            answer = self.as_data(done)
            self.give({**answer, "then": [self.as_data(one) for one in done.then]} if done.then else answer)
            return
        for one in (done, *done.then):
            if not (self.short and _only_goes_on(one)):
                self._tell(one)

    def as_data(self, done: "Done") -> dict[str, Any]:
        """The result of a recorded command as data."""
        from commands.action.systems import recorded_verbs
        from projections.narration import told

        verbs = recorded_verbs(done.after.campaign.system)
        now, again = told(done.events, verbs), told(done.again, verbs)
        rows = [
            (one.certain, {"who": one.who, "dice": one.dice, "purpose": one.purpose, "about": one.about})
            for one in done.needed
        ]
        return {
            "ok": True,
            "entry": done.entry or None,
            "digest": done.head.digest if done.entry and not done.repeated else None,
            "repeated": done.repeated,
            "lines": now,
            "needs": [row for certain, row in rows if certain],
            **(
                {"perhaps": [row for certain, row in rows if not certain], "more_dice": done.open_ended} if rows else {}
            ),
            "notes": done.notes,
            "events": done.events,
            "again": {"lines": again, "events": done.again} if again else None,
            **done.more,
        }

    def _tell(self, done: "Done") -> None:
        from commands.action.systems import recorded_verbs
        from projections.narration import told

        verbs = recorded_verbs(done.after.campaign.system)
        now, again = told(done.events, verbs), told(done.again, verbs)
        deed = verbs.get(getattr(done.events[0], "verb", "")) if done.events else None
        massed = deed is not None and deed.role == "massed"
        if self.short and not self.brief:
            from projections.in_short import in_short

            now, again = (in_short(events, verbs, massed) for events in (done.events, done.again))
        short = now
        if massed and not self.short:
            from projections.in_short import fights

            short = fights(now, done.events, verbs)
        decided = [one for one in short if one.outcome in self.decided]
        self.decided.clear()
        self.narrate([one for one in short if one not in decided], f"e{done.entry}" if done.entry else "(dry run)")
        if short != now and done.entry and not self.brief:
            self.note("affray why shows the arithmetic.")
        mark = f"e{done.entry + 1}" if done.entry else "(dry run)"
        self.narrate(again, mark, before="again: ")
        for line in done.notes:
            self.note(line)
        self._tell_needed(done, mark)
        if done.repeated:
            self.whisper(f"This was already recorded as e{done.entry}; nothing was recorded now.")

    def _tell_needed(self, done: "Done", mark: str) -> None:
        """Prints the dice that an action still needs, or may need."""
        for roll in done.needed:
            how, about = "needs" if roll.certain else "perhaps", f" ({roll.about})" if roll.about else ""
            sought = f"{how} {roll.who or 'the table'} {roll.dice} for {roll.purpose}{about}"
            self.say(f"{harmless(sought)}  {self.paint(mark, DIM)}")
        if done.open_ended:
            self.say(f"perhaps more dice  {self.paint(mark, DIM)}")

    def narrate(self, told: "Sequence[Told]", mark: str, before: str = "", stands: bool = True) -> None:
        """Prints the outcome lines of an entry, the first with its mark, and below each its arithmetic. What was undone
        is struck through, by signs as well as by style. In short, what keeps the books stands behind the only
        line before it.
        """
        if self.short and stands and len(told) == 2 and told[1].tone == _ASIDE and not told[0].arithmetic:
            done, kept = (harmless(one.outcome) for one in told)
            behind = self.paint(f" \u00b7 {kept}", DIM)
            shown = f"{before}{self._dyed(done, told[0].tone)}{behind}"
            self.say(shown + self._mark(mark, f"{before}{done} \u00b7 {kept}"))
            return
        for at, one in enumerate(told):
            line = harmless(one.outcome)
            dyed = self.paint(line, DIM) if one.tone == _ASIDE else self._dyed(line, one.tone)
            line = f"{before}{dyed}" if stands else self.paint(f"~~{line}~~", "9;2")
            self.say(line if at else line + self._mark(mark, before + one.outcome))
            for step in () if self.brief else one.arithmetic:
                shown = f"    {harmless(step)}"
                self.say(self.paint(shown, DIM if stands else "9;2"))

    def _mark(self, mark: str, text: str) -> str:
        """The mark of an entry, behind a text. In short it never stands on a line alone, but with the last word."""
        alone = self.short and len(fitting(text, self.width)[-1]) + len(mark) + 2 > self.width
        return f"{2 * (TIED if alone else ' ')}{self.paint(mark, DIM)}"

    def _dyed(self, line: str, tone: str) -> str:
        """An outcome in the colour of its tone, with the names in those of their sides, where colour is used."""
        if not self.colour:
            return line
        from .colours import dyed

        return dyed(line, _TONES.get(tone, ""), self._sides())

    def _sides(self) -> dict[str, str]:
        """For each name at the table the colour of its side."""
        from commands.action import systems

        state = self.book.present()[1]
        players = systems.players_sides(state) if state.campaign.system else ()
        return {harmless(who): _OWN if one.side in players else _OTHER for who, one in state.roster.members.items()}

    def complain(self, error: AffrayError) -> int:
        """Prints what went wrong, and gives the exit code."""
        if self.json:
            answer = {"ok": False, "error": problem(error), **error.data}
            try:
                self.give(answer)
                sys.stdout.flush()
            except (OSError, Unwritten):
                import msgspec

                self.whisper(msgspec.json.encode(answer).decode(), whole=True)
            return error.code
        coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        heading = f"\x1b[1;31m{error.heading()}\x1b[0m" if coloured else error.heading()
        self.whisper(heading + harmless(error.message))
        if isinstance(error, Refused):
            self.whisper("Nothing was recorded.")
        self.advise(error.hint)
        return error.code


def problem(error: AffrayError) -> dict[str, Any]:
    """An error as data. Its hint is a list of commands, each as it can be typed, and a list of sentences."""
    lines = [harmless(line) for line in error.hint.splitlines()]
    return {
        "reference": error.reference,
        "code": error.code,
        "message": harmless(error.message),
        "hints": [line for line in lines if is_command(line)],
        "advice": [line for line in lines if not is_command(line)],
        "clause": error.clause or None,
    }


def _only_goes_on(done: "Done") -> bool:
    """Whether an entry tells only that a turn ends or begins, which the sign of the prompt shows, too."""
    from commands.action.names import acting
    from ledger.events import TurnBegan, TurnEnded

    told = [event for event in done.events[1:] if event.sentence()[2]]
    goes_on = bool(told) and all(isinstance(event, TurnBegan | TurnEnded) for event in told)
    now = acting(done.after)
    begun = any(isinstance(event, TurnBegan) and event.who in now for event in told)
    return goes_on and (begun or acting(done.before) != now)
