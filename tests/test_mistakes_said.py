"""Wrong values, wherever somebody can type them: the answer is in plain words, and lists what is allowed."""

import json
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

from commands.action import rulebook, systems
from commands.action.declaration import shapes
from commands.action.rule_tables import shipped
from commands.words.parameters import is_option
from tests.sample import WHOLE, sampled
from tests.shell import Answer, Shell

BAD = (
    '{"a":1}', "[1, 2", "true", "-1", "1.5", "99999999999", "null", "a=b=c", "$.x", "\u00e9,,", "1d6:0", "@nobody",
)  # fmt: skip
"""What no field takes, or few of them."""
RAW = ("Expected `", "`$", "- at `", "ValidationError", "DecodeError", "Traceback", "NoneType", "Object ", "tuple[")
"""Words of a program, not of people."""


def without(said: str, typed: str) -> str:
    """An answer without what it repeats of the words that were typed."""
    said = said.replace(ascii(typed), "")
    for length in range(len(typed), 1, -1):
        said = said.replace(typed[:length], "")
    return said


def check(answer: Answer, typed: str) -> None:
    """Nothing of a program's own words is in the answer; what was typed may be."""
    said = without(answer.out + answer.err, typed)
    assert not [word for word in (*RAW, '{"', "$.") if word in said], said
    assert answer.code in (0, 1, 2, 3), said
    if answer.code:
        assert answer.err.startswith(("Error: ", "Refused by ")), said


def toml(value: str) -> str:
    """A value of a TOML file: as it stands where that can be read, else a text."""
    import tomllib

    try:
        tomllib.loads(f"x = {value}")
    except ValueError:
        return json.dumps(value)
    return value


@pytest.fixture(params=sampled(systems.SYSTEMS, 5))
def table(request: pytest.FixtureRequest, shell: Shell) -> Shell:
    """A campaign of each rule system, with two of its examples at the table."""
    shell.done("init", "Words", "--system", request.param)
    shell.done("join", *EXAMPLES[request.param])
    return shell


EXAMPLES = {
    "aachen": ["adalger"],
    "arkm": ["ranger"],
    "dungeoneers": ["suori"],
    "freepg": ["boffin"],
    "paraverse": ["sigrun"],
}
"""Who joins in a campaign of each system."""


def system_of(table: Shell) -> str:
    return str(table("show", "e1", "--json").json["program"].rpartition(" ")[2].rpartition("-")[0])


def sheet_fields(system: str) -> Iterator[str]:
    yield from systems.stat_block(system).__struct_fields__


@pytest.mark.slow
def test_a_stat_block_with_a_wrong_value(table: Shell):
    values = cycle((*BAD, "[{}]", "{x = 1}", '["a", 1]'))
    for field in sheet_fields(system_of(table)):
        for value in islice(values, 3):
            Path("bad.toml").write_text(f"{field} = {toml(value)}\n", encoding="utf-8")
            check(table("join", "bad.toml", "--dry-run"), value)
    Path("bad.toml").write_text("wings = 2\n", encoding="utf-8")
    table.refused("join", "bad.toml", code=2)


@pytest.mark.slow
def test_an_option_with_a_wrong_value(table: Shell):
    """Every option and argument of every verb, alone."""
    values = cycle(BAD)
    for verb, found in systems.load(system_of(table)).verbs.items():
        _, kind = systems.procedure(found)
        required = [field for field, shape in shapes(kind) if field.required]
        for field, shape in shapes(kind):
            name = f"--{field.name.rstrip('_').replace('_', '-')}"
            if shape.base is bool:
                continue
            for value in islice(values, 2 if WHOLE else 1):
                words = ["x"] * len(required)
                if is_option(field, shape):
                    words = [*words, f"{name}={value}"]
                else:
                    words = [value if value[0] != "-" else "x", *words[1:]]
                check(table(verb, *words, "--dry-run"), value)


@pytest.mark.slow
def test_an_item_or_a_value_that_the_game_master_sets(table: Shell):
    system = system_of(table)
    who = table("show", "--json").json["values"]
    name = next(iter(who)).partition(".")[0]
    fields = rulebook.of(system).gm.fields
    for field in fields:
        for value in (*BAD, "{ name = 1 }", "{ name = 'x', nonsense = 2 }", "name = 'x', damage = 3, base = 'y'"):
            check(table("adjust", name, field, value, "why", "--dry-run"), value)
    wrong = table("adjust", name, "nonsense", "1", "why")
    assert wrong.code
    assert any(field in wrong.err for field in fields), "what can be set is listed"


@pytest.mark.slow
def test_a_house_rule(table: Shell):
    values = cycle(BAD)
    for name, rule in systems.load(system_of(table)).options.items():
        for value in islice(values, len(BAD) if WHOLE else 3):
            answer = table("option", name, value, "--dry-run")
            check(answer, value)
            if answer.code:
                free = "It can be: " if rule.hands else "a whole number"
                allowed = [str(choice).lower() for choice in rule.choices] or [free]
                assert all(choice in answer.err for choice in allowed)
    table.refused("option", "nonsense", "1", code=2)


def test_a_table_of_ones_own(table: Shell):
    system = system_of(table)
    tables = systems.load(system).tables
    for name in tables:
        first = next(iter(shipped(system, name)[0]))
        for value in BAD:
            Path("own.toml").write_text(f"{first} = {toml(value)}\n", encoding="utf-8")
            check(table("table", name, "own.toml", "--dry-run"), value)
            Path("own.toml").write_text(f"rows = [{{x = {toml(value)}}}]\n", encoding="utf-8")
            check(table("table", name, "own.toml", "--dry-run"), value)


def test_a_map(shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    for value in (*BAD, "[[1]]", '[["a", 2]]', "[[1, 2, 3]]", "[3]"):
        Path("map.toml").write_text(f"obstacles = {toml(value)}\n", encoding="utf-8")
        answer = shell("begin", "--map", "map.toml")
        check(answer, value)
        if "The map is wrong" in answer.err:
            assert "It holds lists of [x, y]: obstacles, amplifiers, drains, difficult." in answer.err
    Path("map.toml").write_text("lava = [[1, 2]]\n", encoding="utf-8")
    shell.refused("begin", "--map", "map.toml", code=2)


LOOKING: tuple[Callable[[str], list[str]], ...] = (
    lambda value: ["show", value], lambda value: ["show", "--at", value], lambda value: ["why", value],
    lambda value: ["find", value], lambda value: ["log", "--kind", value], lambda value: ["log", "--name", value],
    lambda value: ["log", "--last", value], lambda value: ["log", "--clause", value], lambda value: ["diff", value],
    lambda value: ["replay", "--since", value], lambda value: ["undo", "--to", value],
    lambda value: ["undo", "--count", value], lambda value: ["dispute", value, "why"],
    lambda value: ["settle", value, "stands", "why"], lambda value: ["assert", value, "3"],
    lambda value: ["amend", value], lambda value: ["amend", "e2", "--insert", value],
    lambda value: ["amend", "e2", "--dice", value, "--because", "why"],
    lambda value: ["amend", "e2", "--dice", f"e2:{value}"],
    lambda value: ["amend", "e2", "--count", value], lambda value: ["roll", value],
    lambda value: ["roll", "d20", "--dice", value], lambda value: ["note", "x", "--about", value],
    lambda value: ["odds", "roll", value], lambda value: ["rules", value], lambda value: ["stats", value],
    lambda value: ["export", f"./{value.replace('/', '')}.nonsense"], lambda value: ["export", "a.csv", "--of", value],
    lambda value: ["verify", "--check", value], lambda value: ["verify", "--head", value],
    lambda value: ["import", value],
    lambda value: ["join", value], lambda value: ["init", "B", "--system", value],
    lambda value: ["init", "B", "--system", "arkm", "--key", value],
    lambda value: ["init", "B", "--system", "arkm", "--option", value], lambda value: ["run", value],
)  # fmt: skip
"""Where else a value is typed."""


@pytest.mark.slow
@pytest.mark.parametrize("words", LOOKING, ids=lambda words: " ".join(words("VALUE")))
def test_a_wrong_value_anywhere_else(words: Callable[[str], list[str]], shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    shell.done("join", "boffin")
    for value in BAD:
        check(shell(*words(value)), value)


@pytest.mark.slow
def test_a_line_of_a_script(shell: Shell):
    shell.done("init", "Words", "--system", "freepg")
    for value in BAD:
        for words in ("{}", "join {}", "note a --about {}", "roll '{}", "check a --mod={}"):
            Path("a.fight").write_text(f"{words.replace('{}', value)}\n", encoding="utf-8")
            check(shell("run", "a.fight"), value)


@pytest.mark.slow
def test_a_line_of_an_export(shell: Shell):
    """The first line, an entry, a field of an entry, and an event."""
    shell.done("init", "Words", "--system", "freepg")
    shell.done("note", "hello")
    shell.done("export", "a.jsonl")
    first, *entries = Path("a.jsonl").read_text(encoding="utf-8").splitlines()
    entry = json.loads(entries[-1])
    broken = [[value, *entries] for value in BAD] + [[first, value] for value in BAD]
    broken += [[first, json.dumps({**entry, name: value})] for name in entry for value in (*BAD[:4], -1, None, [], {})]
    for value in (*BAD, -1, None, [], {}):
        for event in ({"event": value}, {"event": "noted", "text": value}, {"event": "rolled", "faces": value}, value):
            broken.append([first, json.dumps({**entry, "events": [event]})])
    for at, lines in enumerate(broken):
        Path("b.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        answer = shell("import", "b.jsonl", f"{at}.affray")
        said = answer.err
        for value in BAD:
            said = without(said, value)
        assert answer.code in (2, 4, 5, 6), said
        assert not [word for word in (*RAW, '{"', "$.") if word in said], said
