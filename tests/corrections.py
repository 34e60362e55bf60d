"""Corrections at random, each as it is typed, with what the table would have said instead."""

from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commands.action import systems
from commands.action.declaration import shapes
from commands.words.toml_lines import toml
from projections.state import State
from tests.scheduler import Evening, When
from tests.table import STEPS, Line

KINDS = (
    *("first", "die", "die", "target", "target", "option", "mod", "drop", "insert", "instead", "sheet", "step"),
    *("called", "seats", "before", "after", "morale", "blows", "count", "wall"),
)
"""What may be corrected."""
_FIRST = ("initiative", "round", "surprise")
"""By these it is decided who is first."""
_WALLS = ("round", "phase", "initiative", "begin")
"""By these a round, a phase or an encounter is opened."""
_NEAR = 7
"""How far a line is moved at the most."""


class Correction(Struct):
    """A correction, as it is typed, and what the table would have said instead."""

    words: list[str]
    start: int
    """The first line that may be otherwise."""
    lines: list[Line]
    """What is said from there on."""
    mine: set[int]
    """The entries that the correction itself says, 0 for what is put in: none of them may be lost."""
    when: dict[int, When] = {}
    """When a line was said that is moved."""


def correction(
    random: Random, kind: str, told: Evening, state: State, folder: str, origin: int = 0
) -> Correction | None:
    """A correction of some kind, of the entry that first was `origin` where that is said; None when there is nothing of
    that kind to correct.
    """
    lines = told.lines
    chosen = [at for at, line in enumerate(lines) if _fits(kind, line) and line.verb != "init" and not line.instant]
    chosen = [at for at in chosen if not lines[at - 1].instant and origin in (0, lines[at].origin)]
    if not chosen:
        return None
    at = random.choice(chosen)
    line = lines[at]
    words = ["amend", f"e{line.entry}"]
    if kind in ("drop", "wall") or (kind == "step" and random.random() < 0.5):
        return _said(told, at, [], [*words, "--drop"])
    if kind in ("insert", "instead"):
        put_in, typed = _put_in(random, lines)
        instead = [put_in] if kind == "instead" else [put_in, line]
        made = _said(told, at, instead, [*words, *(["--drop"] if kind == "instead" else []), "--insert", typed])
        made.mine = {0}
        return made
    if kind in ("before", "after"):
        return _moved(random, kind, told, at, words)
    if kind in ("die", "first"):
        by_hand = [die for die in line.dice if die.by_hand and die.face]
        faces = tuple(random.randint(1, die.kind[2]) for die in by_hand)
        typed = ["--dice", ",".join(map(str, faces)), "--because", "misread"]
        return _said(told, at, [replace(line, by_hand=faces)], [*words, *typed])
    if kind == "sheet":
        return _sheet(random, told, at, words, folder)
    changed = _change(random, kind, line, state)
    if changed is None:
        return None
    field, value, option = changed
    answers = field == "after_roll" and bool(value)  # what comes next, before which it stands
    now = replace(line, said={**line.said, field: value}, was=line.said, instant=answers)
    return _said(told, at, [now], [*words, *option])


def _said(told: Evening, at: int, instead: list[Line], words: list[str]) -> Correction:
    """A line said otherwise, or left out."""
    return Correction(words, at, [*instead, *told.lines[at + 1 :]], {one.entry for one in instead} | {0})


def _fits(kind: str, line: Line) -> bool:
    """Whether a line can be corrected so."""
    if kind == "die":
        return any(die.by_hand and die.face for die in line.dice)
    if kind == "first":
        return line.verb in _FIRST and any(die.by_hand and die.face for die in line.dice)
    if kind in ("sheet", "called", "count"):
        return line.verb == "join" and len(line.said["sheets"]) == 1
    if kind == "seats":
        return line.verb == "begin" and len(line.said.get("seats", ())) > 1
    if kind == "morale":
        return line.verb in ("morale", "kill", "adjust", "damage")
    if kind == "blows":
        return line.verb in ("attack", "shoot", "cast") and not isinstance(line.said.get("target", ""), str)
    if kind == "step":
        return line.verb in (*STEPS, "begin")
    if kind == "wall":
        return line.verb in _WALLS
    if kind == "target":
        return bool(line.said.get("target"))
    return line.verb not in ("init", "option")


def _put_in(random: Random, lines: list[Line]) -> tuple[Line, str]:
    """What is put in, and how it is typed."""
    other = random.choice(
        [one for one in lines if not one.instant and one.verb in ("note", "attack", "pass")] or [None]
    )
    if other is None or other.verb != "attack":
        return Line(0, 0, "note", {"text": "He was there all the time."}), "note 'He was there all the time.'"
    target, who = other.said.get("target", ""), other.said["who"]
    names = target if isinstance(target, str) else ",".join(target)
    said = {"who": who, **({"target": target if isinstance(target, str) else list(target)} if names else {})}
    return Line(0, 0, "attack", said, allow="he did"), f"attack {who} {names} --allow 'he did'"


def _moved(random: Random, kind: str, told: Evening, at: int, words: list[str]) -> Correction | None:
    """A line before or after another one nearby, between the same walls: no act crosses one."""
    lines = told.lines
    here = told.when[lines[at].entry]
    same = [nth for nth, one in enumerate(lines) if told.when[one.entry].before == here.before == here.after]
    near = [nth for nth in same if nth and abs(nth - at) < _NEAR and nth != at and not lines[nth].instant]
    if not near:
        return None
    other = lines[random.choice(near)]
    last, opened = at, not told.when[lines[at - 1].entry].waits
    while opened and told.when[lines[last].entry].waits and last + 1 < len(lines):
        last += 1  # what answers it moves with it
    moved = lines[at : last + 1]
    if other in moved:
        return None
    beside = told.when[other.entry]
    rest = [line for line in lines if line not in moved]
    place = rest.index(other) + (kind == "after")
    while kind == "before" and place and rest[place - 1].instant:
        place -= 1
    rest[place:place] = moved
    if rest == lines:
        return None
    stands = beside.before if kind == "before" else beside.after
    start = min(at, place, lines.index(other))
    made = Correction([*words, f"--{kind}", f"e{other.entry}"], start, rest[start:], {lines[at].entry})
    made.when = {line.entry: replace(told.when[line.entry], before=stands, after=stands) for line in moved}
    return made


def _sheet(random: Random, told: Evening, at: int, words: list[str], folder: str) -> Correction:
    """A number of a stat block was wrong from the start."""
    line = told.lines[at]
    sheet = dict(line.said["sheets"][0])
    numbers = [name for name, value in sheet.items() if isinstance(value, int) and not isinstance(value, bool)]
    if numbers:
        name = random.choice(numbers)
        sheet[name] = max(1, sheet[name] + random.choice((-2, -1, 1, 2, 5)))
    path = Path(folder) / "sheet.toml"
    path.write_text("".join(f"{name} = {toml(value)}\n" for name, value in sheet.items()))
    said = {**line.said, "sheets": [sheet]}
    return _said(told, at, [replace(line, said=said)], [*words, "--sheets", str(path)])


def _change(random: Random, kind: str, line: Line, state: State) -> tuple[str, Any, list[str]] | None:
    """Another value of a field, and the option that says so."""
    names = state.roster.order
    if kind == "called":
        name = random.choice(("Snot", "Zed", *names))
        return "called", name, ["--called", name]
    if kind == "count":
        number = random.choice((1, 2, 3, 4))
        return "count", number, ["--count", str(number)]
    if kind == "seats":
        seats = list(line.said["seats"])
        random.shuffle(seats)
        return "seats", seats, ["--seats", ",".join(seats)]
    if kind == "blows" and names:
        some = [random.choice(names) for _ in range(random.randint(1, 3))]
        return "target", some, ["--target", ",".join(some)]
    if kind == "morale":
        kind = "option"
    _, declaration = systems.procedure(systems.find_verb(state.campaign.system, line.verb))
    found: list[tuple[str, Any, list[str]]] = []
    for field, shape in shapes(declaration):
        option = f"--{field.name.rstrip('_').replace('_', '-')}"
        is_target = field.name == "target"
        if kind == "mod":
            if field.name == "mod":
                given = [*line.said.get("mod", ()), "1:luck"]
                found.append(("mod", given, [word for one in given for word in ("--mod", one)]))
        elif is_target is not (kind == "target") or not names:
            continue
        elif shape.word == "fighter":
            name = random.choice(names)
            found.append((field.name, name, [option, name]))
        elif shape.word in ("fighters", "blows"):
            name = random.choice(names)
            found.append((field.name, [name], [option, name]))
        elif shape.choices:
            choice = random.choice(shape.choices)
            found.append((field.name, choice, [option, str(choice)]))
        elif shape.base is int:
            number = random.randint(0, 9)
            found.append((field.name, number, [option, str(number)]))
        elif shape.base is bool:
            said = not line.said.get(field.name, field.default)
            found.append((field.name, said, [option if said else f"--no-{option[2:]}"]))
    return random.choice(found) if found else None
