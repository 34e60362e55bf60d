"""Choices: what somebody can do now, as a tree, and how likely each of their blows does harm."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from commands.action import systems
from commands.action.declaration import Declaration, Fighter, says
from commands.action.names import find
from commands.action.quoting import quoted
from commands.look.boards import read_board
from commands.words.console import Console
from commands.words.form import FLAG, NUMBER, SQUARE, Field, Table
from commands.words.parameters import spelled
from commands.words.possible import Deed, Deeds
from commands.words.reading import Reading, Said
from commands.words.screen import harmless
from ledger.chain import head_line
from projections.changes import HARM

from .branches import Action, guess
from .outcomes import Odds, foresee, picker
from .report import changes, mean, percent, steps, tests

_FEW = 8
"""So many words stand close together; more are apart, so that they can be wrapped."""
_WAYS, _DRAWS = 4800, 100
"""How many ways of the dice are walked for all blows together; and how often a blow is tried at least that has more."""


class Choices(Declaration):
    """Show what somebody can do now: each verb with the words that may stand behind it, the dice that are sure to fall,
    and what it gives up. Of words with | between them choose one; put your own in place of one in CAPITALS.
    """

    who: Annotated[Fighter, says("Who; by default all who may act now.", positional=True)] = ""
    verb: Annotated[str, says("Only this verb, with its options.", positional=True, word="verb")] = ""
    odds: Annotated[bool, says("The chance and the mean harm of each blow, the best first.")] = False


def choices(console: Console, said: Choices) -> None:
    """Prints what somebody can do."""
    head, state = console.book.present()
    table = Table(state)
    verb = systems.named(said.verb, table.verbs) if said.verb else ""
    acting = [find(state, said.who)] if said.who else table.acting
    if console.json:
        of = _blows_of if said.odds else _deeds
        could = {who: [*of(table, who, verb)] for who in acting}
        console.give({"head": head_line(head.entry, head.digest), "choices": could})
        return
    if not acting:
        console.say("Nobody may act now.")
        for line in read_board(state).lines():
            console.say(harmless(line))
    for who in acting:
        console.say(console.paint(harmless(who), "1"))
        lines = [*(_blow_lines(table, who, verb) if said.odds else tree(table, who, verb))]
        for line in lines or ["nothing" if not said.odds else "no blow"]:
            console.say(f"  {harmless(line)}", hanging="      ")


def _all(table: Table, who: str, verb: str) -> Iterator[tuple[Deeds, Deed]]:
    could = Deeds(table, who)
    yield from ((could, deed) for name in could.verbs() if verb in ("", name) for deed in could.of(name))


def _line(table: Table, deed: Deed) -> str:
    """A deed as it is typed."""
    return " ".join(map(quoted, deed.reading.line(table.form(deed.reading.verb))))


def _deeds(table: Table, who: str, verb: str) -> Iterator[dict[str, Any]]:
    """What somebody can do; of one verb with its options, closed ones with what they can be."""
    for could, deed in _all(table, who, verb):
        form = table.form(deed.reading.verb)
        found: dict[str, Any] = {
            "verb": deed.reading.verb,
            "said": deed.reading.said,
            "open": sorted(deed.open),
            "line": _line(table, deed),
            "needs": [{"who": one.who, "dice": one.dice, "purpose": one.purpose} for one in deed.needs],
            "gives_up": deed.cost,
        }
        if verb:
            found["options"] = {field.name: words for field, words in _options(could, deed).items()}
            found["open_options"] = [one.name for one in _open(form, deed, found["options"])]
        yield found


def _options(could: Deeds, deed: Deed) -> dict[Field, list[str]]:
    """The closed options of a deed, and what each can be: of a flag nothing, and of one that takes any word, too."""
    return {
        field: [word for one in found for word in one.reading.said[field.name] if field.name not in one.open]
        for field, found in could.options(deed).items()
    }


def _open(form: Sequence[Field], deed: Deed, closed: Iterable[str]) -> list[Field]:
    """The options that are left of a form, and take any words, or numbers."""
    said = {*closed, *deed.reading.said}
    return [field for field in form if field.option and field.is_open and field.name not in said]


# As a tree

_Cells = tuple[tuple[str, ...], ...]
_Tail = tuple[str, ...]
"""What stands behind a branch, and the lines below it."""


def tree(table: Table, who: str, verb: str = "") -> Iterator[str]:
    """What somebody can do, a line for each branch. Words for which the same follows stand together."""
    rows: list[tuple[_Cells, _Tail]] = []
    for could, deed in _all(table, who, verb):
        form = table.form(deed.reading.verb)
        cells: list[tuple[str, ...]] = [(deed.reading.verb,)]
        for field in form:
            words = deed.reading.said.get(field.name)
            if words is not None and field.name != "who":
                shown = (_title(field),) if field.name in deed.open else tuple(map(quoted, words))
                cells += [(field.typed,)] * field.option + ([] if field.kind == FLAG else [shown])
        rows.append((tuple(cells), (_behind(deed, who), *(_below(could, deed) if verb else ()))))
    for branch, (behind, *below) in _merged(rows):
        yield " ".join((" | " if len(words) > _FEW else "|").join(words) for words in branch) + behind
        yield from (f"    {line}" for line in below)


def _title(field: Field) -> str:
    """What stands for words of one's own."""
    return {SQUARE: "X,Y", NUMBER: "N"}.get(field.kind * field.option, spelled(field.name).upper())


def _merged(rows: Sequence[tuple[_Cells, _Tail]]) -> list[tuple[_Cells, _Tail]]:
    """Rows with the words in one cell behind which the same follows."""
    rest: dict[tuple[str, ...], list[tuple[_Cells, _Tail]]] = {}
    for cells, tail in rows:
        rest.setdefault(cells[0] if cells else (), []).append((cells[1:], tail))
    words: dict[tuple[tuple[_Cells, _Tail], ...], tuple[str, ...]] = {}
    for first, more in rest.items():
        same = tuple(_merged(more)) if first else tuple(dict.fromkeys(more))
        words[same] = (*words.get(same, ()), *first)
    return [((first, *cells) if first else cells, tail) for same, first in words.items() for cells, tail in same]


def _behind(deed: Deed, who: str) -> str:
    """What a deed needs, and what it costs."""
    dice = [f"{'' if one.who in (who, '') else 'their '}{one.dice}" for one in deed.needs]
    rolls = f"; rolls {', '.join(dice)}" if dice else ""
    return f"{rolls} {deed.cost}".rstrip()


def _below(could: Deeds, deed: Deed) -> list[str]:
    """The options of a deed, a line for those with words, and one for the others."""
    found = _options(could, deed)
    lines = [f"{field.typed} {'|'.join(map(quoted, words))}" for field, words in found.items() if any(words)]
    flags = [field.typed for field, words in found.items() if not any(words)]
    left = _open(could.table.form(deed.reading.verb), deed, (field.name for field in found))
    return [*lines, " ".join([*flags, *(f"{one.typed} {_title(one)}" for one in left)])]


# Odds


class _Blow(NamedTuple):
    deed: Deed
    target: str
    odds: Odds

    @property
    def answers(self) -> dict[str, int]:
        """The ways of each answer of the first test upon the target."""
        return _uncertain(self.odds, self.target)

    @property
    def means(self) -> dict[str, float]:
        """How much of each kind of harm it does on average."""
        found = {}
        for name, (old, after) in changes(self.odds, self.deed.fight.before).items():
            who, _, what = name.rpartition(".")
            if who == self.target and what in HARM and (ways := steps(old, after)):
                found[what] = mean(ways)
        return found


def _blows(table: Table, who: str, verb: str) -> list[_Blow]:
    """The blows of somebody with what is in hand, the one that does most first; of a verb that is named in every way,
    else in the first that is possible.
    """
    aimed: dict[str, list[tuple[Deed, str]]] = {}
    could = Deeds(table, who)
    for name in could.verbs():
        helps = table.verbs[name].role == "helps"
        if verb in ("", name) and not helps and any(one.name == "target" for one in table.form(name)):
            for deed in could.of(name):
                target, fight = "".join(deed.reading.said.get("target", ())), deed.fight
                if not verb and any(target == other for _, other in aimed.get(name, ())):
                    continue  # such as another range
                if fight.asked and not (fight.makeshift or deed.open) and table.aims_at(name, who, target):
                    aimed.setdefault(name, []).append((deed, target))
    harmful = [some for some in aimed.values() if _foreseen(*some[0], 0).means]  # none is harmed by a push
    every = [one for some in harmful for one in some]
    found, left = list[_Blow](), _WAYS
    for nth, one in enumerate(every):
        found.append(_foreseen(*one, left // (len(every) - nth)))
        left = max(left - found[-1].odds.tried, 0)
    return sorted(found, key=lambda blow: -max(map(abs, blow.means.values()), default=0))


def _foreseen(deed: Deed, target: str, most: int) -> _Blow:
    """A blow with its odds: counted where there are no more than so many ways of the dice, else estimated."""
    action = Action(deed.fight.before, deed.fight.verb, deed.fight.declaration)
    draws = None if most and guess(action, picker("blow")) <= most else max(most, _DRAWS)
    return _Blow(deed, target, foresee(action, draws=draws))


def chances(table: Table, verb: str, said: Said) -> str:
    """The chances of the first test of an action in words; "" where it is impossible, or tests nothing."""
    if not (deed := Deeds(table, "").tried(Reading(0, verb, said))):
        return ""
    odds = _foreseen(deed, "", _WAYS).odds
    ways = _uncertain(odds)
    about = "" if odds.exact else "about "
    return ", ".join(f"{word} {about}{round(100 * count / odds.of)} %" for word, count in ways.items())


def _uncertain(odds: Odds, target: str = "") -> dict[str, int]:
    """The ways of each answer that the tests may have, of those upon a target if there is one; of what is sure, such as
    a distance, only where nothing else is tested.
    """
    ways = next((ways for _, about, ways in tests(odds) if target in ("", about)), {})
    return {word: count for word, count in ways.items() if count < odds.of} or ways


def _blows_of(table: Table, who: str, verb: str) -> Iterator[dict[str, Any]]:
    """The blows of somebody, each with the chances of its test and the mean of each harm."""
    for blow in _blows(table, who, verb):
        yield {
            "line": _line(table, blow.deed),
            "target": blow.target,
            "chances": {word: ways / blow.odds.of for word, ways in blow.answers.items()},
            "means": blow.means,
            "exact": blow.odds.exact,
        }


def _blow_lines(table: Table, who: str, verb: str) -> Iterator[str]:
    """The blows of somebody in words."""
    for blow in _blows(table, who, verb):
        likely = [f"{word} {percent(ways, blow.odds)}" for word, ways in blow.answers.items()]
        means = [f"{amount:+.2f} {what}" for what, amount in blow.means.items()]
        yield f"{_line(table, blow.deed)}: {', '.join([*likely, *means])}{'' if blow.odds.exact else ' (an estimate)'}"
