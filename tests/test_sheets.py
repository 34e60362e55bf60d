"""Stat blocks: those that come with the rules, templates, and what is said of a wrong one."""

import tomllib
from pathlib import Path

import msgspec
import pytest

from commands.action import systems
from commands.action.view import sheet_decoder
from commands.files.stat_blocks import about, examples, explained, parts, template, toml
from commands.words.sheet_files import example_sheets, read_sheets
from tests.shell import Shell

SHIPPED = [(system, name) for system in systems.SYSTEMS for name in sorted(example_sheets(system))]
KINDS = [
    (system, kind)
    for system in systems.SYSTEMS
    for kind in (sheet_decoder(system).type, *parts(sheet_decoder(system).type))
]


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_shipped_stat_block_begins_with_a_line_about_it(system: str, name: str):
    line = about(example_sheets(system)[name])
    assert 10 < len(line) <= 100, line


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_list_has_every_shipped_stat_block(system: str, shell: Shell):
    lines = shell.done("sheets", system).splitlines()
    assert [line.split()[0] for line in lines[1:]] == sorted(example_sheets(system))
    every = shell.done("sheets")
    assert all(line in every for line in lines), "without a ledger, those of all systems are listed"
    shell.done("init", "Hill", "--system", system)
    assert shell.done("sheets").splitlines() == lines, "in a campaign, those of its own system"


def test_the_list_names_side_and_kind(shell: Shell):
    text = shell.done("sheets", "freepg")
    assert "  boffin       party       A fighter with a sword. John plays him.\n" in text
    assert "  ogre         foes        A large enemy, four squares across, in a thick hide.\n" in text
    (row,) = [row for row in map(msgspec.json.decode, shell.done("sheets", "freepg", "--json").splitlines())
              if row["sheet"] == "ogre"]  # fmt: skip
    assert row["side"] == "foes"
    shell.refused("sheets", "chess", code=2, says="There is no rule system 'chess'.")


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_shipped_stat_block_is_printed_as_it_stands(system: str, name: str, shell: Shell):
    text = Path(example_sheets(system)[name]).read_text(encoding="utf-8")
    assert shell.done("sheet", name, "--system", system) == text


def test_a_stat_block_that_several_systems_have_is_asked_for(shell: Shell):
    answer = shell.refused("sheet", "goblin", code=3, says="rule systems have a stat block goblin.")
    assert "Try: affray sheet goblin --system arkm" in answer.err
    assert shell.done("sheet", "hakon").startswith("# A big man")
    shell.refused("sheet", "nobody", code=3, says="No stat block 'nobody' comes.")
    shell.done("init", "Hill", "--system", "arkm")
    assert 'side = "humanoids"' in shell.done("sheet", "goblin")
    shell.refused("sheet", "hakon", code=3, says="No stat block 'hakon' comes with Arkm.")


# Fields


@pytest.mark.parametrize(("system", "kind"), KINDS, ids=[f"{system} {kind.__name__}" for system, kind in KINDS])
def test_every_field_has_a_meaning_and_an_example_that_works(system: str, kind: type[msgspec.Struct]):
    shown, fields = examples(system), explained(kind)
    needed = {field.name: shown[kind, field.name] for field in fields if field.required}
    for field in fields:
        assert field.meaning.endswith("."), field.name
        assert field.takes not in ("", "another value"), field.name
        value = tomllib.loads(f"x = {toml(shown[kind, field.name])}")["x"]
        assert value == shown[kind, field.name]
        assert msgspec.convert({**needed, field.name: value}, kind)


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_a_template_joins_as_it_is(system: str, shell: Shell):
    shell.done("init", "Hill", "--system", system)
    shell.done("sheet", "new", "kira.toml")
    assert shell.done("join", "kira.toml").startswith("Kira joins ")
    shell.refused("sheet", "new", "kira.toml", code=2, says="kira.toml already exists; nothing was changed.")


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_template_like_a_stat_block_says_the_same(system: str, name: str):
    (data,) = read_sheets(name, system)
    assert tomllib.loads(template(system, data)) == data


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_every_line_of_a_template_is_a_field_when_its_comment_sign_goes(system: str):
    """Each field, taken out of the comments alone, is accepted."""
    kind = sheet_decoder(system).type
    text = template(system, {"name": "Kira"})
    names = [field.name for field in explained(kind)]
    blocks = text.split("\n\n")[1:]
    assert [block.removeprefix("# ").partition(":")[0] for block in blocks] == names
    required = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for name, block in zip(names, blocks, strict=True):
        lines = block.splitlines()
        at = max(nth for nth, line in enumerate(lines) if line.removeprefix("# ").startswith(f"{name} = "))
        said = "\n".join(line.removeprefix("# ") for line in lines[at:])
        known = tomllib.loads(required)
        assert msgspec.convert({**known, **tomllib.loads(said)}, kind)
    assert all(len(line) <= 100 for line in text.splitlines() if " = {" not in line)


def test_a_template_is_filled_with_the_values_of_another(shell: Shell):
    shell.done("init", "Hill", "--system", "freepg")
    Path("two.toml").write_text("[combatants.Ann]\n[combatants.Bob]\n")
    shell.refused("sheet", "new", "kira.toml", "--like", "two.toml", code=2, says="two.toml holds 2 stat blocks.")
    shell.done("sheet", "new", "kira.toml", "--like", "boffin")
    text = Path("kira.toml").read_text(encoding="utf-8")
    assert "\nhealth_die = 10\n" in text
    assert "\n# speed = " in text
    shell.refused("sheet", "new", "no/kira.toml", code=2, says="no/kira.toml cannot be made")
    shell.refused("sheet", "new", "b.toml", "--system", "chess", code=2, says="There is no rule system 'chess'.")
