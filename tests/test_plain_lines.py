"""A plain line is read without click, and what is read is what click reads."""

import itertools
import random
import shlex
from functools import cache

import click
import pytest

from commands.action import systems
from commands.words.command import recorded_command
from commands.words.orders import SHARED, order_from, read_plain
from commands.words.spoken import Spoken
from ledger.errors import AffrayError
from tests.sample import FIGHTS, sampled
from tests.shell import ROOT

SCRIPTS = sorted([*ROOT.glob("fixtures/*/*.fight"), *ROOT.glob("commands/rules/*/demo.fight")])
NEVER = ("--help", "-h", "-x", "--", "-", "", "--di=1", "--dic", "--nonsense")
"""Words of lines that are not plain, or that are wrong."""
OFTEN = (
    "-1,2",
    "-3",
    "7",
    "007",
    "x",
    "=",
    "=4",
    "--dice=3,4",
    "--brief",
    "--json",
    "3,4/5,6",
    "A",
    "@foes",
    "--mod=-2",
)


def lines_of(system: str) -> list[list[str]]:
    """The recorded commands of the evenings of a rule system, in words."""
    verbs = {**systems.COMMON, **systems.load(system).verbs}
    found = []
    for script in SCRIPTS:
        if script.parent.name == system:
            words = [shlex.split(line, comments=True) for line in script.read_text(encoding="utf-8").splitlines()]
            found += [line for line in words if line and systems.verb_of(line, verbs) in verbs and line[0] != "init"]
    return found


@cache
def command_of(system: str, name: str) -> Spoken:
    """A verb as click takes it."""
    return recorded_command(system, name, lambda *_: [], lambda *_: None)


def read(system: str, line: list[str]) -> tuple[object, object]:
    """What is read of a line without click, and by click; None where it is not plain, and where click refuses it."""
    name = systems.verb_of(line, systems.COMMON)
    rest = line[1 if name == line[0] else 2 :]
    command = command_of(system, name)
    plain, parsed = read_plain(command.about, rest), None
    try:
        with click.Context(click.Command("affray"), info_name="affray") as root:
            parsed = command.make_context(name, list(rest), parent=root).params
    except (click.ClickException, click.exceptions.Exit, AffrayError):
        pass
    return plain, parsed


def meaning(system: str, line: list[str], values: dict[str, object]) -> tuple[object, ...]:
    """The order of the values of a line, and what else they say; the error where there is none."""
    values = dict(values)
    name = systems.verb_of(line, systems.COMMON)
    _, declaration = systems.procedure(systems.find_verb(system, name))
    told = values.pop("_json"), values.pop("_brief")
    try:
        order = order_from(name, declaration, values, system)
    except AffrayError as error:
        return (*told, error.message, error.hint)
    fields = {field: getattr(order, field) for field in order.__struct_fields__ if field not in ("ask", "option")}
    return (*told, fields, getattr(order.ask, "side", None), type(order.option))


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_what_is_read_of_the_lines_of_an_evening_is_what_click_reads(system: str):
    """And nearly all of them are plain, but for those that name a file."""
    lines = lines_of(system)
    plain = 0
    for line in {tuple(line): line for line in lines}.values():
        values, parsed = read(system, line)
        assert parsed is not None, line
        if values is not None:
            plain += 1
            assert meaning(system, line, values) == meaning(system, line, parsed), line
    others = [line for line in lines if line[0] not in ("join", "begin", "sheet")]
    assert plain > len({tuple(line) for line in others}) * 0.9


@pytest.mark.parametrize(("system", "seed"), sampled(itertools.product(systems.SYSTEMS, range(7 * FIGHTS)), 8, True))
def test_a_changed_line_is_left_to_click_or_read_as_click_reads_it(system: str, seed: int):
    """Words are left out, put in, taken twice and put in another order, among them options of every kind."""
    dice = random.Random(seed)
    lines = lines_of(system)
    plain = 0
    for _ in range(200):
        line = [*dice.choice(lines)]
        name = systems.verb_of(line, systems.COMMON)
        first = 1 if name == line[0] else 2
        command = command_of(system, name)
        options = [word for param in command.params if isinstance(param, click.Option) for word in param.opts]
        words = [*options, *NEVER, *OFTEN, *dice.choice(lines), *(word for other in lines[:9] for word in other)]
        for _ in range(dice.randint(1, 3)):
            at = dice.randint(first, len(line))
            match dice.randint(0, 3):
                case 0:
                    del line[at : at + 1]
                case 1:
                    line[at:at] = [dice.choice(words)]
                case 2:
                    line[at:at] = [dice.choice(options), dice.choice(words)]
                case 3:
                    line[at:] = dice.sample(line[at:], len(line[at:]))
        values, parsed = read(system, line)
        if values is None:
            continue
        plain += 1
        assert parsed is not None, line
        assert meaning(system, line, values) == meaning(system, line, parsed), line
    assert plain > 30


@pytest.mark.parametrize("word", [*NEVER, "--dice", "--once"])
def test_a_line_with_such_a_word_at_its_end_is_never_plain(word: str):
    """Help, a beginning, an option without its value, and what nobody understands."""
    _, declaration = systems.procedure(systems.find_verb("freepg", "attack"))
    assert read_plain(declaration, ["jane", "grub"]) is not None
    assert read_plain(declaration, ["jane", "grub", word]) is None


def test_an_option_that_is_said_twice_is_left_to_click():
    _, declaration = systems.procedure(systems.find_verb("freepg", "attack"))
    for option, settings in SHARED.items():
        if option == "--dice":
            continue
        said = [option] if settings.get("is_flag") else [option, "3"]
        assert read_plain(declaration, ["jane", "grub", *said]) is not None
        assert read_plain(declaration, ["jane", "grub", *said, *said]) is None


def test_dice_that_are_said_twice_are_all_dice():
    _, declaration = systems.procedure(systems.find_verb("freepg", "attack"))
    values = read_plain(declaration, ["jane", "--dice", "14", "grub", "--mod=2", "--dice=6,-"])
    assert values is not None
    assert values["_dice"] == "14,6,-"
    assert values == read_plain(declaration, ["jane", "grub", "--mod=2", "--dice", "14,6,-"])
