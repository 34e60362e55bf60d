"""Prints odds: the chances of tests and of values, as lines with bars and as JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import Struct

from commands.words.console import Console
from commands.words.screen import harmless
from commands.words.tables import GAP, padded
from commands.words.width import breadth
from projections.changes import HARM
from projections.state import State

from .outcomes import SURE, Odds, Outcome, Shift, Sum

_MAIN = tuple(HARM)
"""The values that people ask for first."""
_FEW = 6
"""A number with at most this many steps is shown step by step; more steps are grouped."""
_MOST_WORDS = 8
"""The most words for one value that are shown, the likeliest first; and the most certain changes."""
_BAR = 30
"""The length of the bar for 100%."""
_NO_BAR = -1
"""In place of the ways of a row: it has no bar."""
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
"""How many steps are grouped."""


class Row(Struct, frozen=True):
    """One line of a group."""

    says: str
    ways: int
    more: int | None = None
    """The ways of this much or more, where it is a number."""


class Group(Struct, frozen=True):
    """The outcomes of a test, or the possible values of something."""

    title: str
    rows: tuple[Row, ...]
    average: str = ""
    """Of numbers."""


# Tests


def tests(odds: Odds) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Who tests something, on whom, and the ways of each answer, the likeliest first. An answer counts for every clause
    that gives it, such as a natural 20 that hits without comparison. One about nobody in particular, such as a natural
    1 in an area, counts for everybody whom they test.
    """
    said = list(odds.chances(lambda outcome: outcome.said))
    words = {(one.clause.rpartition(".")[0], one.outcome) for one in said if one.test}
    answers = [one for one in said if (one.clause.rpartition(".")[0], one.outcome) in words]
    aiming = {one.who for one in answers if one.about}
    for who, about in dict.fromkeys((one.who, one.about) for one in answers if one.about or one.who not in aiming):
        told = {one for one in answers if one.who == who and one.about in ("", about)}
        ways = odds.chances(lambda outcome, told=told: (one.outcome for one in outcome.said if one in told))
        yield who, about, dict(sorted(ways.items(), key=lambda pair: -pair[1]))


# Values


def changes(odds: Odds, before: State) -> dict[str, tuple[str, dict[str, int]]]:
    """For each value that may change its value before, and the ways of each value after; the main ones first."""
    ways = odds.chances(lambda outcome: outcome.changes)
    named: dict[str, tuple[str, dict[str, int]]] = {}
    for one, count in ways.items():
        named.setdefault(one.name, (one.before, {}))[1][one.after] = count
    for old, after in named.values():
        if (rest := odds.of - sum(after.values())) > 0:
            after[old] = rest
    places = {who: place for place, who in enumerate(before.roster.order)}

    def place(name: str) -> tuple[int, int, int]:
        who, _, what = name.partition(".")
        main = _MAIN.index(what) if what in _MAIN and who in places else len(_MAIN)
        return main == len(_MAIN), places.get(who, len(places)), main

    return {name: named[name] for name in sorted(named, key=place)}


def steps(before: str, after: dict[str, int]) -> dict[int, int] | None:
    """The ways of each change of a number; none when it is not a number."""
    numbers = {word: 0 if word == "-" else _number(word) for word in (before, *after)}
    if None in numbers.values() or all(word == "-" for word in after):
        return None
    start = numbers[before] or 0
    steps: dict[int, int] = {}
    for word, ways in after.items():
        step = (numbers[word] or 0) - start
        steps[step] = steps.get(step, 0) + ways
    return steps


def _number(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() else None


def _signed(step: int) -> str:
    return f"{step:+d}" if step else "unchanged"


def ranges(ways: dict[int, int], few: int) -> list[tuple[int, int, int]]:
    """Numbers grouped, if there are many, in equal ranges away from 0: from, to and ways of each.

    >>> ranges({0: 5, -3: 1, -7: 1, -12: 2}, few=2)
    [(0, 0, 5), (-3, -7, 2), (-12, -12, 2)]
    """
    enough = (width for width in _WIDTHS if len({_range(number, width) for number in ways}) <= few + 1)
    width = next(enough, _WIDTHS[-1])
    found: dict[int, list[int]] = {}
    for number in sorted(ways, key=lambda number: (number > 0, abs(number))):
        found.setdefault(_range(number, width), []).append(number)
    return [(some[0], some[-1], sum(ways[number] for number in some)) for some in found.values()]


def _range(number: int, width: int) -> int:
    """The range of a number: 0 is a range by itself, 1 begins the next."""
    return (abs(number) + width - 1) // width * (1 if number > 0 else -1)


# Groups


def groups(odds: Odds, before: State, full: bool) -> list[Group]:
    """The groups to show, in order; certain ones only with --full."""
    found: list[Group] = []

    def add(title: str, ways: dict[str, int]) -> None:
        rows = [Row(word, count) for word, count in ways.items() if full or count < odds.of]
        if rows:
            found.append(Group(title, tuple(rows)))

    values = changes(odds, before)
    echoes = {} if full else values
    for who, about, ways in sorted(tests(odds), key=lambda test: not test[1]):
        told = {word: count for word, count in ways.items() if not _is_echo(echoes, (who, about), word, count)}
        add(", ".join(filter(None, [who, about])) or "the table", told)
    add("after the dice", _told(odds, lambda outcome: outcome.refused))
    add("stops", _told(odds, lambda outcome: outcome.waits))
    for name, (old, after) in values.items():
        stepped = steps(old, after)
        if stepped is None:
            add(name, _words(old, after, full))
        elif full or len(stepped) > 1:
            title, average = f"{name} {old if old != '-' else 0}", f"{mean(stepped):+.2f}"
            found.append(Group(title, tuple(_stepwise(stepped, full, _signed)), average))
    if full or not found:
        found += _sums(odds, full)
    if full or not found:
        for title, answers in _clauses(odds).items():
            add(title, answers)
    return found


def _sums(odds: Odds, full: bool) -> list[Group]:
    """What the dice come to; certain sums only with --full."""
    return [
        Group(_titled(sum_), tuple(_stepwise(totals, full, str, 20)), f"{mean(totals):.2f}")
        for sum_, totals in odds.sums.items()
        if full or len(totals) > 1
    ]


def _words(before: str, after: dict[str, int], full: bool) -> dict[str, int]:
    """The possible values afterwards, the likeliest first; the rarest are grouped."""
    shown = sorted(after.items(), key=lambda pair: -pair[1])
    if not full and len(after) <= 2:
        shown = [(word, ways) for word, ways in shown if word != before]
    last = len(shown) if full or len(shown) <= _MOST_WORDS else _MOST_WORDS - 1
    told = {("unchanged" if word == before else "gone" if word == "-" else word): ways for word, ways in shown[:last]}
    if shown[last:]:
        told[f"{len(shown) - last} others"] = sum(ways for _, ways in shown[last:])
    return told


def _is_echo(values: dict[str, tuple[str, dict[str, int]]], whose: tuple[str, str], word: str, ways: int) -> bool:
    """Whether a value of theirs says the same as the answer, such as a wound."""
    return any(
        ways == count and word in after.replace(",", " ").split()
        for name, (_, afters) in values.items()
        if name.partition(".")[0] in whose
        for after, count in afters.items()
    )


def _clauses(odds: Odds) -> dict[str, dict[str, int]]:
    """The ways of each answer, by clause and by whom it concerns."""
    found: dict[str, dict[str, int]] = {}
    for said, ways in odds.chances(lambda outcome: outcome.said).items():
        whose = ", ".join(filter(None, [said.who, said.about]))
        found.setdefault(f"{said.clause}{f' ({whose})' if whose else ''}", {})[said.outcome] = ways
    return dict(sorted(found.items()))


def _told(odds: Odds, tells: Callable[[Outcome], str]) -> dict[str, int]:
    return odds.chances(lambda outcome: filter(None, [tells(outcome)]))


def _titled(sum_: Sum) -> str:
    whose = ", ".join(filter(None, [sum_.who, sum_.about]))
    return f"{sum_.of}{f' {sum_.time}' if sum_.time > 1 else ''}{f' ({whose})' if whose else ''}"


def mean(ways: dict[int, int]) -> float:
    """The mean of numbers, each with its ways."""
    return sum(number * count for number, count in ways.items()) / sum(ways.values())


def _stepwise(ways: dict[int, int], full: bool, say: Callable[[int], str], few: int = _FEW) -> Iterable[Row]:
    """A line for each number, or for each range of numbers; with --full also the chance of this much or more."""
    if not full:
        for first, last, count in ranges(ways, few):
            yield Row(say(first) if first == last else f"{say(first)} to {say(last)}", count)
        return
    more: dict[int, int] = {}
    for some in (sorted(number for number in ways if number > 0), sorted((n for n in ways if n < 0), reverse=True)):
        more |= zip(reversed(some), accumulate(ways[number] for number in reversed(some)), strict=True)
    for number in sorted(ways, key=lambda number: (number > 0, abs(number))):
        yield Row(say(number), ways[number], more.get(number))


def certain(odds: Odds) -> list[Shift]:
    """The changes that happen on every roll."""
    return [one for one, count in odds.chances(lambda outcome: outcome.changes).items() if count == odds.of]


# On the terminal


def _many(ways: int) -> str:
    return f"{ways:,}" if ways < 10**15 else f"some 10^{len(str(ways)) - 1}"


def percent(ways: int, odds: Odds) -> str:
    """The chance, rounded to 0.01 (0.1 in an estimate). A possible outcome is never 0, an uncertain one never 100."""
    places = 100 if odds.exact else 10
    whole = 100 * places
    rounded = (2 * ways * whole + odds.of) // (2 * odds.of)
    digits = 2 if odds.exact else 1
    if ways and not rounded:
        return f"<{1 / places:.{digits}f}%"
    if ways < odds.of and rounded == whole:
        return f">{100 - 1 / places:.{digits}f}%"
    return f"{rounded // places}.{rounded % places:0{digits}d}%"


def bar(ways: int, of: int, longest: int = _BAR) -> str:
    """A bar for the chance; a dot for a very small one."""
    return "#" * ((2 * longest * ways + of) // (2 * of)) or "."


def say(console: Console, odds: Odds, before: State, heading: str, seed: int, full: bool) -> None:
    """The odds as lines."""
    console.say(console.paint(harmless(f"{heading}: {_manner(odds, seed)}"), "1"))
    shown = groups(odds, before, full) if odds.of > 1 else []
    _say_rows(console, list(_cells(shown, odds, full)), odds.of)
    for line in _fixed(odds, full or odds.of == 1, bool(shown)):
        console.say(f"{GAP}{harmless(line)}")


def _say_rows(console: Console, rows: list[tuple[str, str, str, str, int]], of: int) -> None:
    """The rows, with bars as long as there is room. Where there is none, each title stands on a line of its own."""
    titles, *others = (max((breadth(str(row[at])) for row in rows), default=0) for at in range(4))
    across = sum(len(GAP) + most for most in others if most)
    apart = len(GAP) + titles + across > console.width
    longest = min(_BAR, console.width - len(GAP) - across - len(GAP) - (0 if apart else titles))
    for title, word, chance, more, ways in rows:
        told = [padded(cell, most) for cell, most in zip((word, chance, more), others, strict=True) if most]
        mark = bar(ways, of, longest) if longest > 0 and ways != _NO_BAR else ""
        if apart and title:
            console.say(f"{GAP}{title}", hanging=3 * GAP)
        start = GAP if apart else f"{GAP}{padded(title, titles)}"
        console.say(GAP.join([start, *told, mark]).rstrip(), hanging=3 * GAP)


def _manner(odds: Odds, seed: int) -> str:
    """How the odds were found."""
    if odds.of == 1:
        return "no dice are rolled, so this is certain."
    if odds.exact:
        return f"{_many(odds.of)} combinations, exact to two decimal places."
    points = 100 * odds.error
    return (
        f"an estimate from {odds.of:,} tries (seed {seed}): each chance to within {points:.2f} points,"
        f" {SURE} times in 100."
    )


def _fixed(odds: Odds, full: bool, shown: bool) -> Iterator[str]:
    """What happens on every roll, in words."""
    if odds.of > 1 and not shown:
        yield f"{'On every roll' if odds.exact else 'In every try'}, the result is the same."
    fixed = certain(odds)
    told = fixed if full else fixed[:_MOST_WORDS]
    words = [f"{one.name} {one.before} -> {one.after}" for one in told]
    if len(told) < len(fixed):
        words.append(f"{len(fixed) - len(told)} more with --full")
    if words:
        yield f"{'then' if odds.of == 1 else 'either way' if odds.exact else 'in every try'}: {'; '.join(words)}"
    elif odds.of == 1:
        yield "Nothing on the board changes."
    for waits, ways in _told(odds, lambda outcome: outcome.waits).items():
        if ways == odds.of:
            yield f"stops: {waits}"


def _cells(shown: list[Group], odds: Odds, full: bool) -> Iterator[tuple[str, str, str, str, int]]:
    """The lines of groups: the title where a new one begins, the outcome, its chance, this or more, and its ways."""
    above = ""
    for group in shown:
        title = "" if group.title == above else harmless(group.title)
        above = group.title
        for row in group.rows:
            more = f"{percent(row.more, odds):>7} or more" if row.more is not None else ""
            yield title, harmless(row.says), f"{percent(row.ways, odds):>7}", more, row.ways
            title = ""
        if group.average:
            yield "", "average", group.average.rjust(6), "", _NO_BAR


# JSON


def give(console: Console, odds: Odds, before: State, about: dict[str, Any], seed: int, full: bool) -> None:
    """The odds as one line of JSON, without grouping; with --full also each distinct outcome."""

    def chance(ways: int) -> dict[str, Any]:
        return {"ways": _exactly(ways), "of": _exactly(odds.of), "chance": ways / odds.of}

    def each(name: str, found: Mapping[Any, int]) -> list[dict[str, Any]]:
        return [{name: one, **chance(ways)} for one, ways in found.items()]

    rulings = odds.chances(lambda outcome: outcome.said)
    answer: dict[str, Any] = {
        **about,
        "exact": odds.exact,
        "of": _exactly(odds.of),
        "tried": odds.tried,
        "estimate": None if odds.exact else {"seed": seed, "error": odds.error, "confidence": SURE / 100},
        "tests": [{"who": who, "about": whom, "outcomes": each("outcome", of)} for who, whom, of in tests(odds)],
        "values": [
            {"name": name, "before": old, "outcomes": each("after", after)}
            for name, (old, after) in changes(odds, before).items()
        ],
        "sums": [{**msgspec.to_builtins(sum_), "outcomes": each("total", of)} for sum_, of in odds.sums.items()],
        "rulings": [{**msgspec.to_builtins(said), **chance(ways)} for said, ways in rulings.items()],
        "waits": each("waits", _told(odds, lambda outcome: outcome.waits)),
        "refused": each("refused", _told(odds, lambda outcome: outcome.refused)),
    }
    if full:
        answer["outcomes"] = [{**msgspec.to_builtins(outcome), **chance(ways)} for outcome, ways in odds.outcomes]
    console.give(answer)


def _exactly(number: int) -> Any:
    """A whole number as JSON has them, of any length."""
    return number if number < 2**63 else msgspec.Raw(str(number).encode())
