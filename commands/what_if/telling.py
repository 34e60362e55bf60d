"""What a house rule would have changed, as it is told: first over all fights, then fight by fight."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, Any

import msgspec
from msgspec import to_builtins

from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import GAP, fitted
from ledger.errors import AffrayError, UsageError
from ledger.events import side_word, together
from projections.changes import HARM

from .fights import NOBODY, OUTCOME, UNDECIDED, Compared, Fighter
from .house_rule import Wanted
from .tasks import Answered, Failure


class _Totals:
    """Numbers over all fights."""

    def __init__(self) -> None:
        self.ledgers = self.fights = self.entries = self.differ = 0
        self.impossible = self.dice = self.kept = 0
        self.changed: Counter[str] = Counter()
        self.clauses: Counter[str] = Counter()
        self.won: dict[str, list[int]] = {}
        self.fell: dict[str, list[int]] = {}
        self.rounds = [0, 0]

    def add(self, compared: Compared) -> None:
        """One more fight."""
        self.fights += 1
        self.entries += compared.entries
        self.differ += compared.differs
        self.impossible += compared.impossible
        self.dice += compared.dice
        self.kept += compared.kept
        self.changed.update(compared.changed)
        self.clauses.update(compared.clauses)
        for at, outcome in enumerate((compared.recorded, compared.what_if)):
            self.won.setdefault(outcome.won, [0, 0])[at] += 1
            self.rounds[at] += outcome.rounds
        for one in compared.sides:
            fell = self.fell.setdefault(one.side, [0, 0])
            fell[0] += one.recorded
            fell[1] += one.what_if

    def outcomes(self) -> list[tuple[str, int, int]]:
        """What came of the fights: in words, as recorded and under the house rule."""
        sides = sorted(side for side in self.won if side not in (UNDECIDED, NOBODY))
        won = [(f"{side} won", *self.won[side]) for side in (*sides, NOBODY) if side in self.won]
        if UNDECIDED in self.won:
            won.append((UNDECIDED, *self.won[UNDECIDED]))
        fell = [(f"{side_word(side)} fell", *self.fell[side]) for side in sorted(self.fell)]
        return [*won, *fell, ("rounds", *self.rounds)]  # type: ignore[list-item]


class Report:
    """Takes the answers, and tells them when all are there. Meanwhile they lie in a temporary file."""

    def __init__(self, console: Console, wanted: Wanted, full: bool) -> None:
        self.console, self.wanted, self.full = console, wanted, full
        self.totals = _Totals()
        self.failures: dict[str, tuple[Failure, int]] = {}
        """By ledger, the first that failed and how many more fights did."""
        self.unfit: dict[str, tuple[tuple[str, ...], int]] = {}
        """By rule system, what it cannot have of the house rule, and how many ledgers were left out."""
        self.other = 0
        self._last = ""
        self._kept: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed at the end of `with`

    def __enter__(self) -> "Report":
        return self

    def __exit__(self, *_: object) -> None:
        self._kept.close()

    def take(self, answer: Answered) -> None:
        """One more answer."""
        if answer.failure:
            first, failed = self.failures.get(answer.path, (answer.failure, 0))
            self.failures[answer.path] = first, failed + answer.failed
        self.other += answer.other
        if answer.unfit:
            why, left_out = self.unfit.get(answer.system, (answer.unfit, 0))
            self.unfit[answer.system] = why, left_out + answer.left_out
        if answer.path != self._last and answer.system and not (answer.left_out or answer.other):
            self.totals.ledgers += 1
            self._last = answer.path
        for compared in answer.compared:
            self.totals.add(compared)
            if compared.differs or self.console.json:
                self._kept.write(msgspec.json.encode(compared) + b"\n")

    def show(self) -> None:
        """Tells everything. Raises UsageError when no ledger could have the house rule, and the last failure, with the
        exit code of the worst one, when there are any.
        """
        if not self.totals.ledgers and not self.failures:
            raise self._nothing()
        if self.totals.ledgers:
            self._summary()
            self._kept.seek(0)
            for line in self._kept:
                compared = msgspec.json.decode(line, type=Compared)
                if self.console.json:
                    self.console.give({"ok": True, **to_builtins(compared), "changed": compared.changed})
                else:
                    self._fight(compared)
        errors = [*map(self._failure, self.failures.values())]
        for error in errors[:-1]:
            self.console.complain(error)
        if errors:
            errors[-1].code = max(error.code for error in errors)
            raise errors[-1]

    def _failure(self, failed: tuple[Failure, int]) -> AffrayError:
        error = failed[0].error
        if failed[1] > 1:
            error.message += f" {failed[1] - 1} more of its fights could not be resolved again."
        return error

    def _nothing(self) -> UsageError:
        if not self.unfit:
            return UsageError(f"No ledger among these is of the rule system {self.wanted.system}.")
        system = next(iter(self.unfit))
        why = " ".join(line for lines, _ in self.unfit.values() for line in lines)
        return UsageError(why, f"affray rules options --system {system}")

    # Over all fights

    @property
    def _rule(self) -> str:
        tables = {name: str(file["file"]) for name, file in self.wanted.tables.items()}
        return ", ".join(f"{name}={value}" for name, value in {**self.wanted.options, **tables}.items())

    def _summary(self) -> None:
        totals = self.totals
        if self.console.json:
            self.console.give(self._summary_as_json())
            return
        say = self.console.say
        among = f"{_counted(totals.fights, 'fight')} of {_counted(totals.ledgers, 'ledger')}"
        again = f"{_counted(totals.entries, 'entry')} resolved again with the same dice"
        heading = f"What if {self._rule}? {among}, {again}."
        say(self.console.paint(harmless(heading), "1"))
        for line in self._lines():
            say(harmless(line))
        if totals.differ:
            say()
            rows = [[what, str(one), str(other)] for what, one, other in totals.outcomes()]
            self._table(["", "recorded", "what if"], rows)

    def _lines(self) -> Iterator[str]:
        totals = self.totals
        for why, left_out in self.unfit.values():
            ledgers = f" {_counted(left_out, 'ledger')} {_were(left_out)} left out." if left_out else ""
            yield f"{' '.join(why)}{ledgers}"
        if not totals.fights:
            yield "There is no fight in them."
            return
        if not totals.differ:
            yield "No fight differs."
        else:
            differ = f"{_counted(totals.differ, 'fight')} {'differs' if totals.differ == 1 else 'differ'}"
            told = [f"{what} in {totals.changed[what]}" for what in OUTCOME if what in totals.changed]
            same = "but not in its outcome" if totals.differ == 1 else "none of them in its outcome"
            yield f"{differ}: {', '.join(told)}." if told else f"{differ}, {same}."
        yield from _counts(totals, "")

    def _summary_as_json(self) -> dict[str, Any]:
        totals = self.totals
        return {
            "ok": not self.failures,
            "options": self.wanted.options,
            "tables": {name: file["file"] for name, file in self.wanted.tables.items()},
            "ledgers": totals.ledgers,
            "fights": totals.fights,
            "entries": totals.entries,
            "differ": totals.differ,
            "changed": dict(sorted(totals.changed.items())),
            "outcomes": [{"what": what, "recorded": one, "what_if": other} for what, one, other in totals.outcomes()],
            "impossible": totals.impossible,
            "clauses": dict(sorted(totals.clauses.items())),
            "dice": totals.dice,
            "kept": totals.kept,
            "unfit": [
                {"system": system, "why": why, "left_out": left_out} for system, (why, left_out) in self.unfit.items()
            ],
            "failed": len(self.failures),
        }

    # Fight by fight

    def _fight(self, compared: Compared) -> None:
        say, paint = self.console.say, self.console.paint
        say()
        name = f" ({compared.name})" if compared.name else ""
        place = f"e{compared.first} to e{compared.last}{'' if compared.ended else ', not ended'}"
        changed = compared.changed
        what = f"{together(changed)} {_differ(changed)}" if changed else "the same outcome"
        say(paint(harmless(f"{compared.ledger}, fight {compared.fight}{name}, {place}: {what}"), "1"))
        if first := compared.difference:
            say(f"{GAP}e{first.entry} differs first:")
            for line in first.recorded:
                say(paint(f"{GAP}  -  {harmless(line)}", "2"))
            for line in first.what_if:
                say(f"{GAP}  +  {harmless(line)}")
        rows = [*self._outcome(compared), *(row for one in compared.fighters for row in self._fighter(one))]
        if rows:
            self._table(["", "recorded", "what if", "differs first"], rows, indent=GAP)
        for line in _counts(compared, f", the first e{compared.stuck}"):
            say(f"{GAP}{harmless(line)}")

    def _outcome(self, compared: Compared) -> Iterator[list[str]]:
        one, other = compared.recorded, compared.what_if
        if one.won != other.won:
            yield ["won", one.won, other.won, ""]
        if one.rounds != other.rounds:
            yield ["rounds", str(one.rounds), str(other.rounds), ""]
        if one.fell != other.fell:
            yield ["fell", ", ".join(one.fell) or NOBODY, ", ".join(other.fell) or NOBODY, ""]

    def _fighter(self, fighter: Fighter) -> Iterator[list[str]]:
        end = [one for one in fighter.end if self.full or one.name in HARM]
        first = [
            f"{one.name} {_word(one.name, one.recorded)}, now {_word(one.name, one.what_if)}" for one in fighter.first
        ]
        since = f"e{fighter.entry}: {'; '.join(first)}" if fighter.entry else ""
        for one in end:
            yield [f"{fighter.name} {one.name}", _word(one.name, one.recorded), _word(one.name, one.what_if), since]
            since = ""
        if not end and since:
            yield [fighter.name, "the same", "the same", since]

    def _table(self, titles: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "") -> None:
        safe = [[harmless(cell) for cell in row] for row in rows]
        for line in fitted(titles, safe, self.console.width - len(indent), folds=titles[-1:]):
            self.console.say(f"{indent}{line}", whole=True)


def _counts(found: _Totals | Compared, first: str) -> Iterator[str]:
    """What could not be resolved as it was; over all fights also where everything could."""
    if found.impossible:
        clauses = sorted(found.clauses.items(), key=lambda one: (-one[1], one[0]))
        told = [f"{clause} {count}" for clause, count in clauses]
        if others := found.impossible - sum(found.clauses.values()):
            told.append(f"without a clause {others}")
        many = f"{_counted(found.impossible, 'entry')} {_were(found.impossible)} not possible any more"
        yield f"{many}{first} ({', '.join(told)})."
    elif isinstance(found, _Totals):
        yield "Every entry was still possible."
    if found.dice:
        yield f"{_counted(found.dice, 'die')} {_were(found.dice)} drawn anew."
    elif isinstance(found, _Totals):
        yield "No die was drawn anew."
    if found.kept:
        older = f"{_counted(found.kept, 'entry')} of another version of the rules"
        yield f"{older} {'keeps' if found.kept == 1 else 'keep'} what was recorded."


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


_MANY = {"entry": "entries", "die": "dice"}


def _counted(count: int, what: str) -> str:
    """A number of things in words: 1 fight, 2 fights."""
    return f"{count:,} {what if count == 1 else _MANY.get(what, f'{what}s')}"


def _differ(words: Sequence[str]) -> str:
    return "differs" if len(words) == 1 and words[0] != "the rounds" else "differ"


def _word(name: str, value: str) -> str:
    return HARM.get(name, value) if value == "-" else value
