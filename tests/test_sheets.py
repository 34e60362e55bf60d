"""Stat blocks: those that come with the rules, templates, and what is said of a wrong one."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from commands.action import systems
from commands.action.view import sheet_decoder
from commands.files.sheets import (
    Explained,
    about,
    assigned,
    examples,
    explained,
    parts,
    range_of,
    sample,
    template,
)
from commands.rules.freepg.stat_block import Item
from commands.words.sheet_files import example_sheets, read_sheets
from commands.words.toml_lines import toml
from ledger.events import Joined
from tests.shell import Shell, recorded

SHIPPED = [(system, name) for system in systems.SYSTEMS for name in sorted(example_sheets(system))]
KINDS = [
    (system, kind)
    for system in systems.SYSTEMS
    for kind in (sheet_decoder(system).type, *parts(sheet_decoder(system).type))
]


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_shipped_stat_block_begins_with_a_line_about_it(system: str, name: str):
    line = about(example_sheets(system)[name])
    assert 10 < len(line) <= 100, f"sheets/{name}.toml of {system} begins with a comment about it, not {line!r}"


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_the_list_has_every_shipped_stat_block(system: str, shell: Shell):
    lines = shell.done("sheets", system).splitlines()
    named = [line.split()[0] for line in lines[1:] if not line.startswith("  begin --from ")]
    assert named == sorted(example_sheets(system))
    every = shell.done("sheets")
    assert all(line in every for line in lines), "without a ledger, those of all systems are listed"
    shell.done("init", "Hill", "--system", system)
    assert shell.done("sheets").splitlines() == lines, "in a campaign, those of its own system"


def test_the_list_names_side_and_kind(shell: Shell):
    text = shell.done("sheets", "freepg")
    assert "  boffin  party  A fighter with a sword. John plays him.\n" in text
    assert "  ogre    foes   A large enemy, four squares across, in a thick hide.\n" in text
    (row,) = [row for row in map(msgspec.json.decode, shell.done("sheets", "freepg", "--json").splitlines())
              if row["sheet"] == "ogre"]  # fmt: skip
    assert row["side"] == "foes"
    shell.refused("sheets", "chess", code=2)


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_shipped_stat_block_is_printed_as_it_stands(system: str, name: str, shell: Shell):
    text = Path(example_sheets(system)[name]).read_text(encoding="utf-8")
    assert shell.done("sheet", name, "--system", system) == text


def test_a_stat_block_that_several_systems_have_is_asked_for(shell: Shell):
    shell.refused("sheet", "goblin", code=3)
    assert shell.done("sheet", "hakon").startswith("# A big man")
    shell.refused("sheet", "nobody", code=3)
    shell.done("init", "Hill", "--system", "arkm")
    assert 'side = "humanoids"' in shell.done("sheet", "goblin")
    shell.refused("sheet", "hakon", code=3)


# Fields


@pytest.mark.parametrize(("system", "kind"), KINDS, ids=[f"{system} {kind.__name__}" for system, kind in KINDS])
def test_every_field_has_a_meaning_and_an_example_that_works(system: str, kind: type[msgspec.Struct]):
    shown, fields = examples(system), explained(kind)
    needed = {field.name: shown[kind, field.name] for field in fields if field.required}
    for field in fields:
        assert field.meaning.endswith("."), f"{kind.__name__}.{field.name} has a docstring that explains it"
        assert field.takes not in ("", "another value"), field.name
        value = tomllib.loads(f"x = {toml(shown[kind, field.name])}")["x"]
        assert value == shown[kind, field.name]
        assert msgspec.convert({**needed, field.name: value}, kind)


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_a_template_joins_as_it_is(system: str, shell: Shell):
    shell.done("init", "Hill", "--system", system)
    shell.done("sheet", "new", "kira.toml")
    assert shell.done("join", "kira.toml").startswith("Kira joins ")
    shell.refused("sheet", "new", "kira.toml", code=2)


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


def test_a_template_says_what_the_tables_within_a_field_hold():
    """Below the field, and before its example; of a field without tables nothing."""
    text = template("freepg", {"name": "Kira"})
    lines = text[text.index("# items: ") :].split("\n\n")[0].splitlines()
    at = lines.index("#   The fields of the table:")
    assert lines[at + 1].startswith("#   - name = ")
    assert lines[-1].startswith("# items = ") or lines[-1] == "# ]"
    held = " ".join(line.removeprefix("#").strip() for line in lines[at + 1 :])
    assert [name for name in Item.__struct_fields__ if f"- {name} = " not in held] == []
    assert "It takes weapon, ring, hand" in held
    assert "The fields of the table" not in text[text.index("# speed: ") :].split("\n\n")[0]


def test_a_template_is_filled_with_the_values_of_another(shell: Shell):
    shell.done("init", "Hill", "--system", "freepg")
    Path("two.toml").write_text("[combatants.Ann]\n[combatants.Bob]\n")
    shell.refused("sheet", "new", "kira.toml", "--like", "two.toml", code=2)
    shell.done("sheet", "new", "kira.toml", "--like", "boffin")
    text = Path("kira.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["health_die"] == 10
    assert "\n# speed = " in text
    shell.refused("sheet", "new", "no/kira.toml", code=2)
    shell.refused("sheet", "new", "b.toml", "--system", "chess", code=2)


class Part(msgspec.Struct):
    """A part of a stat block."""

    weight: Annotated[int, Meta(ge=3)]
    worn: bool = False


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (bool, True),
        (int, 1),
        (str, "word"),
        (Annotated[int, Meta(ge=0)], 1),
        (Annotated[int, Meta(ge=7, le=9)], 7),
        (Annotated[int, Meta(le=9)], 1),
        (Annotated[bool, Meta(description="x")], True),
        (Literal["none", "light"], "light"),
        (Literal["light", ""], "light"),
        (dict[str, int], {"one": 1}),
        (dict[Literal["a", "b"], str], {"b": "word"}),
        (tuple[int, str], [1, "word"]),
        (tuple[str, ...], ["word"]),
        (list[int], [1]),
        (int | None, 1),
        (Part, {"weight": 3}),
        (list[Part], [{"weight": 3}]),
    ],
    ids=str,
)
def test_an_example_is_made_of_the_type_where_there_is_no_other(hint: Any, value: Any):
    assert sample(hint) == value


@pytest.mark.parametrize(
    ("takes", "default", "required", "says"),
    [
        ("a text", "", True, "It takes a text. Required."),
        ("a text", "", False, "It takes a text. Default: none."),
        ("a whole number", "3", False, "It takes a whole number. Default: 3."),
        ("a list, each of them a table with the fields name, slot, two_hands", "", False,
         "It takes a list, each of them a table with the fields below. Default: none."),
    ],
)  # fmt: skip
def test_a_field_says_what_it_takes_and_its_default(takes: str, default: str, required: bool, says: str):
    assert range_of(Explained("x", "A thing.", takes, default, required, (), str)) == says


def test_a_long_list_has_each_table_on_a_line_of_its_own():
    """A line of a template has 100 characters at most, with the comment sign: 98 fit."""
    assert assigned("a", [1, 2]) == "a = [1, 2]"
    assert assigned("a", ["x" * 90]) == f'a = ["{"x" * 90}"]'  # 98
    assert assigned("a", ["x" * 91]) == f'a = [\n  "{"x" * 91}",\n]'
    assert assigned("a", {"b": "x" * 99}) == f'a = {{ b = "{"x" * 99}" }}'


# Wrong stat blocks

BROKEN = {
    "freepg": {
        "boffin": [
            ('kind = "pc"', 'kind = "hero"', 3, 'kind is "hero"; it takes pc, ally, enemy or trap.'),
            ("health_die = 10", "health_die = 25", 5, "health_die is 25; it takes a whole number from 1 to 20 or ro"),
            ("health_die", "helth_die", 5, "helth_die is not a field; there are: name, kind, seat, size, health_die"),
            ("climb = 5", "climb = 7", 6, 'skill is { climb = 7 }. Boffin is a player character: one skill, at +5.'),
            ("climb = 5", 'climb = "good"', 6, 'skill.climb is "good"; it takes a whole number from -100 to 100.'),
            ('slot = "ring"', 'slot = "finger"', 9, 'items[1].slot is "finger"; it takes weapon, ring, hand'),
            ('name = "helm", ', "", 10, "items[2].name is missing; it takes a text of 1 to 40 characters."),
            ("armor = 2", "armor = 9", 11, "items[3].armor is 9. mail gives +9 armor; +5 is the most."),
            ('name = "mail"', 'name = "Helm"', 11, 'items[3].name is "Helm". Each item of Boffin needs a name of it'),
            ('name = "Boffin"', 'name = "Boffin?"', 2, "name is \"Boffin?\". 'Boffin?' cannot"),
        ],
        "darts": [('trap = "single"', "", 3, 'kind is "trap". Darts must be of kind trap')],
    },
    "aachen": {
        "sergeant": [
            ('side = "opp"', 'side = "foes"', 3, 'side is "foes"; it takes pc or opp.'),
            ("level = 3", 'level = "three"', 5, 'level is "three"; it takes a whole number from 1 to 100.'),
            ("STR = 1", "STRENGTH = 1", 7, "mods.STRENGTH is unknown; the names are STR, DEX, CON, INT, WIS or CHA."),
            ("exert = 0", "exert = 21", 8, "skills.exert is 21; it takes a whole number from 0 to 20."),
            ("shield = true", 'shield = "yes"', 11, 'shield is "yes"; it takes true or false.'),
            ("hp_max = 15", "hp_max = 15\nhp = 16", 13, "hp is 16. Sergeant cannot have 16 hp of 15."),
            ("morale = 9", "morale = 1", 13, "morale is 1; it takes a whole number from 2 to 12."),
            ('damage = "1d6"', 'damage = "much"', 15, "weapons[0].damage is \"much\". Sergeant's mace does 'much' d"),
            ("range = [100, 300]", "range = [300, 100]", 16, "weapons[1].range is [300, 100]. Sergeant's crossbow ha"),
            ('reload = "main"', 'reload = "slow"', 16, 'weapons[1].reload is "slow"; it takes none, on-turn or main.'),
            ('name = "crossbow"', 'name = "Mace"', 16, 'weapons[1].name is "Mace". Two things that Sergeant carries'),
        ],
        "adalger": [("STR = 14", "STR = 19", 7, "attributes.STR is 19. STR 19: an attribute is 3 to 18.")],
    },
    "arkm": {
        "owlbear": [
            ('side = "monsters"\n', "", 1, "side is missing; it takes a text of 1 to 40 characters."),
            ('hd = "5"', "hd = 5", 5, "hd is 5; it takes a text of at most 5 characters."),
            ('hd = "5"', 'hd = "many"', 5, "hd is \"many\". Owlbear cannot have 'many' Hit Dice."),
            ('size = "ogre"', 'size = "big"', 8, 'size is "big"; it takes tiny, small, human, ogre or huge.'),
            ("morale = 9", "morale = 13", 10, "morale is 13; it takes a whole number from 2 to 12 or a text"),
            ("morale = 9", 'morale = "bold"', 10, "morale is \"bold\". The morale table has no 'bold'."),
            ('beak", damage = "1d8"', 'beak", damage = "big"', 14, 'attacks[2].damage is "big". '),
            ('beak", damage = "1d8"', 'beak"', 14, "attacks[2].damage is missing; it takes a text of at most 20 char"),
            ("special_on = 18", "special_on = 1", 12, "attacks[0].special_on is 1; it takes a whole number from 2 t"),
            ("hp_max = 24", "hp_max = 24\nhp = 25", 7, "hp is 25. Owlbear cannot have 25 hit points of 24."),
        ],
        "pirate": [
            ('class = "pirate"', 'class = "sailor"', 5, "class is \"sailor\". Finn is a 'sailor'; there are: "),
            ('["sword"', '["swrod"', 11, "weapons[0] is \"swrod\". Finn's weapon 'swrod' is in no table."),
            ("[20, 40, 60]", "[60, 40, 20]", 11, 'weapons[3] is { id = "second-pistol", kind = "firearm",'),
            ('["sword", ', '["sword", "sword", ', 11, 'weapons[1] is "sword". Finn\'s weapons need a name each'),
            ("str = 10", "str = 30", 8, "str is 30; it takes a whole number from 3 to 25."),
        ],
        "thief": [("paralysis = 12", "paralysis = 1", 13, "saves.paralysis is 1; it takes a whole number from 2 to")],
    },
    "dungeoneers": {
        "ulfarmi": [
            ("mind = 3", "mind = 30", 7, "mind is 30; it takes a whole number from 0 to 10."),
            ('bow = "E"', 'bow = "F"', 8, 'ranks.bow is "F"; it takes E, D, C, B or A.'),
            ('bow = "E"', 'lute = "E"', 8, "ranks.lute is \"E\". Ulfarmi has a rank in 'lute', which is not a"),
            ('"wand"', '"wnad"', 9, "equipped[2] is \"wnad\". Ulfarmi has equipped 'wnad', which is in no table."),
            ('"mage robes"', '"nothing"', 10, "carried[1] is \"nothing\". Ulfarmi carries 'nothing', which is in no "),
            ('"mage robes"', '"wand"', 10, 'carried[1] is "wand". Two items of Ulfarmi have the same name.'),
            ("arrow = 12", "arrow = -1", 11, "ammo.arrow is -1; it takes a whole number from 0 to 1,000,000."),
            ("arrow = 12", "stone = 12", 11, "ammo.stone is 12. Ulfarmi has 'stone', which no weapon shoots."),
            ('"spark"', '"sprak"', 12, "cantrips[1] is \"sprak\". Ulfarmi knows 'sprak', which is not a spell."),
            ("initiative = 2", "wounds = 9", 4, "wounds is 9. Ulfarmi can have at most 2 wounds."),
            ("initiative = 2", "effects = { dodge_die = 5 }", 4, "effects.dodge_die is 5. Ulfarmi has an effect of"),
            ("initiative = 2", "magica = 7", 4, "magica is 7. Ulfarmi can have at most 6 magica."),
            ('"wand"]', '"wand", "leather"]', 9, 'equipped[3] is "leather". Two items of Ulfarmi have the same name.'),
            ('"wand"]', '"wand", "mace"]', 9, 'equipped[3] is "mace". '),
        ],
        "ooze": [
            ("wield = 0", "tail = 0", 8, "slots.tail is unknown; the names are wield, body, head, hands or feet."),
            ('"grapple"', '"sing"', 10, "denied_actions[0] is \"sing\". Ooze is denied 'sing', which is not a basic"),
        ],
    },
    "paraverse": {
        "hakon": [
            ('side = "party"\n', "", 1, "side is missing; it takes a text of 1 to 40 characters."),
            ("player = true", "player = 1", 4, "player is 1; it takes true or false."),
            ("phy = 15", "phy = 61", 5, "phy is 61; it takes a whole number from 1 to 60."),
            ("con = 14", "cno = 14", 6, "cno is not a field; there are: name, side, player, area, phy"),
            ('hand = "claymore"', 'hand = "axe"', 8, "hand is \"axe\". Hakon has 'axe' in hand, but not among its w"),
            ("athletics = 5", "Athletics = 5", 9, "skills.Athletics is 5. Hakon's skill 'Athletics' is written 'ath"),
            ("athletics = 5", "athletics = 41", 9, "skills.athletics is 41; it takes a whole number from -20 to 40."),
            ("hands = 2", "hands = 3", 10, "weapons.claymore.hands is 3; it takes 1 or 2."),
            ('use = "throwing", ', "", 10, "weapons.hatchet.use is missing; it takes melee, marksman or throwing."),
            ("av = 3", "shield_up = true", 7, "shield_up is true. Hakon cannot have a shield up"),
            ("av = 3", 'wounds = ["hiccups"]', 7, "wounds[0] is \"hiccups\". Hakon cannot have the wound 'hiccups'."),
            ("av = 3", 'area = "hall?"', 7, "area is \"hall?\". 'hall?' cannot be a name"),
        ],
    },
}  # fmt: skip
WRONG = [
    (system, name, *change)
    for system, sheets in BROKEN.items()
    for name, changes in sheets.items()
    for change in changes
]


@pytest.mark.parametrize(("system", "name", "old", "new", "line", "says"), WRONG)
def test_a_wrong_stat_block_names_file_line_field_and_what_is_allowed(
    system: str, name: str, old: str, new: str, line: int, says: str, shell: Shell
):
    """A shipped one with one change."""
    text = Path(example_sheets(system)[name]).read_text(encoding="utf-8")
    assert old in text
    Path("wrong.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    shell.done("init", "Hill", "--system", system)
    answer = shell("join", "wrong.toml")
    assert answer.code in (1, 2), answer
    assert f"wrong.toml, line {line}: {says}" in answer.err
    assert shell.done("log", "--json").count("\n") == 1, "nothing is recorded"


@pytest.mark.parametrize("system", systems.SYSTEMS)
def test_ten_ways_to_be_wrong_are_tried_in_each_system(system: str):
    assert sum(map(len, BROKEN.get(system, {}).values())) >= 10, "BROKEN in this file lists what is wrong in a sheet"


def test_the_line_is_found_in_every_way_to_write_a_table(shell: Shell):
    """Tables, lists of tables, several combatants, values over several lines, and the second of several files."""
    shell.done("init", "Hill", "--system", "freepg")
    Path("a.toml").write_text(
        'name = "Ann"\n\n[[items]]\nname = "x"\nslot = "head"\n[[items]]\n\nname = "y"\nslot = "nose"\n'
    )
    shell.refused("join", "a.toml", code=2)
    Path("b.toml").write_text('[combatants.Ann]\nspeed = 5\n[combatants.Bob]\nspeed = "fast"\n')
    shell.refused("join", "b.toml", code=2)
    Path("c.toml").write_text(
        'name = "Cat"\nitems = [\n  # hers\n  { name = "a",\n slot = "head" }]\n'.replace(",\n", ", ")
    )
    Path("d.toml").write_text('name = "Dan"\n[skill]\n"to climb" = 5\njump = 5\n')
    shell.refused("join", "c.toml", "d.toml", clause="freepg.check.skill-bonus")
    Path("e.toml").write_text('name = "Eve"\nkind = "enemy"\nskill."to climb" = 500\n')
    shell.refused("join", "e.toml", code=2)
    Path("f.toml").write_text('name = """\nEve"""\nkind = "enemy"\nposition = [\n 1,\n "two"]\n')
    shell.refused("join", "f.toml", code=2)


def test_an_area_that_is_not_there_is_named_with_its_line(shell: Shell):
    shell.done("init", "Hill", "--system", "paraverse")
    shell.done("join", "sigrun")
    shell.done("begin", "--areas", "hall,yard")
    Path("a.toml").write_text('name = "Ann"\nside = "party"\narea = "moon"\n')
    shell.refused("join", "a.toml", code=2)


def test_an_error_that_is_not_about_the_stat_block_names_no_line(shell: Shell):
    shell.done("init", "Hill", "--system", "freepg")
    shell.done("join", "boffin")
    answer = shell.refused("join", "boffin", code=2)
    assert "line" not in answer.err
    answer = shell.refused("join", "boffin", "--called", "who?", code=2)
    assert "line" not in answer.err


def test_a_file_of_ones_own_is_meant_before_an_example_of_its_name_and_needs_no_ending(shell: Shell):
    shell.done("init", "test", "--system", "paraverse")
    Path("hob.toml").write_text('name = "Hob"\nside = "foes"\n', encoding="utf-8")
    Path("reaver.toml").write_text('name = "Tame"\nside = "party"\n', encoding="utf-8")
    shell.done("join", "hob", "reaver", "sigrun")
    assert [(one.who, one.side) for one in recorded() if isinstance(one, Joined)] == [
        ("Hob", "foes"), ("Tame", "party"), ("Sigrun", "party"),
    ]  # fmt: skip


def test_commas_between_stat_blocks_are_read_as_everywhere_else(shell: Shell):
    """A file with a comma in its name stays one word."""
    shell.done("init", "test", "--system", "paraverse")
    shell.done("join", "sigrun,ildar,", "reaver")
    assert [one.who for one in recorded() if isinstance(one, Joined)] == ["Sigrun", "Ildar", "Reaver"]
    Path("one,two.toml").write_text('name = "Hob"\nside = "foes"\n', encoding="utf-8")
    shell.done("join", "one,two.toml")
    assert shell.value("Hob.side") == "foes"
    shell.refused("join", "sigrum,ildar", code=2)


@pytest.mark.parametrize(
    ("system", "skills", "said"),
    [
        (
            "aachen",
            "skills = { stabb = 1, notice = 0, baking = 1 }",
            "No rule asks for Kai's skill 'stabb'; one asks for stab.",
        ),
        (
            "paraverse",
            "skills = { onehandd = 4, baking = 1 }",
            "No rule asks for Kai's skill 'onehandd'; one asks for one-handed.",
        ),
        ("freepg", "skill = { heel = 5 }", "No rule asks for Kai's skill 'heel'; one asks for heal."),
    ],
)
def test_a_skill_that_is_hardly_another_word_is_named(system: str, skills: str, said: str, shell: Shell):
    """A letter or two off one for which a rule or a weapon of theirs asks; a word of the table's own is none."""
    shell.done("init", "Hill", "--system", system)
    more = {"aachen": 'class = "fighter"\nlevel = 1\nac = 12\nhp_max = 9\n', "paraverse": 'side = "party"\n'}.get(
        system, ""
    )
    Path("kai.toml").write_text(f'name = "Kai"\n{more}{skills}\n', encoding="utf-8")
    told = shell.done("join", "kai.toml")
    assert said in told
    assert "baking" not in told
