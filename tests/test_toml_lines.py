"""TOML as it is written: the line of every value, values in one line, and what a file may not hold."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from commands.words.sheet_files import LONGEST, MOST_PARTS, named, read_sheet, read_sheets, read_toml
from commands.words.toml_lines import Place, lines, toml
from ledger.errors import UsageError

WRITTEN = r'''# 1
name = "A # no comment" # 2

[gear] # 4
"to wear" = 'its' # 5
"a\"b".'c.d' . e = 1 # 6
text = """
8
9""" # 7
plain = "10"

[[gear.box]] # 12
[gear.box.lid] # 13
[[gear.box]] # 14

[[gear.box.nail]] # 16
long = 1 # 17
[[gear.box.nail]] # 18
long = [ # 19
  1, # 20
  [2, # 21
   3], { a.b = 4 }, # 22
  "x, ]" ,# 23
] # 24
[ gear . hook ] # 25
x = { y = { z = [ { q = 1 } ], w = 2 } }
'''
LINES: dict[Place, int] = {
    (): 1,
    ("name",): 2,
    ("gear",): 4,
    ("gear", "to wear"): 5,
    ("gear", 'a"b'): 6,
    ("gear", 'a"b', "c.d"): 6,
    ("gear", 'a"b', "c.d", "e"): 6,
    ("gear", "text"): 7,
    ("gear", "plain"): 10,
    ("gear", "box"): 12,
    ("gear", "box", 0): 12,
    ("gear", "box", 0, "lid"): 13,
    ("gear", "box", 1): 14,
    ("gear", "box", 1, "nail"): 16,
    ("gear", "box", 1, "nail", 0): 16,
    ("gear", "box", 1, "nail", 0, "long"): 17,
    ("gear", "box", 1, "nail", 1): 18,
    ("gear", "box", 1, "nail", 1, "long"): 19,
    ("gear", "box", 1, "nail", 1, "long", 0): 20,
    ("gear", "box", 1, "nail", 1, "long", 1): 21,
    ("gear", "box", 1, "nail", 1, "long", 1, 0): 21,
    ("gear", "box", 1, "nail", 1, "long", 1, 1): 22,
    ("gear", "box", 1, "nail", 1, "long", 2): 22,
    ("gear", "box", 1, "nail", 1, "long", 2, "a"): 22,
    ("gear", "box", 1, "nail", 1, "long", 2, "a", "b"): 22,
    ("gear", "box", 1, "nail", 1, "long", 3): 23,
    ("gear", "hook"): 25,
    ("gear", "hook", "x"): 26,
    ("gear", "hook", "x", "y"): 26,
    ("gear", "hook", "x", "y", "z"): 26,
    ("gear", "hook", "x", "y", "z", 0): 26,
    ("gear", "hook", "x", "y", "z", 0, "q"): 26,
    ("gear", "hook", "x", "y", "w"): 26,
}
"""Counted by hand in the text above."""


def places(value: Any, place: Place = ()) -> set[Place]:
    """Every place in what Python reads from a file."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {place}.union(*(places(one, (*place, key)) for key, one in inner))


def test_the_line_of_everything_that_stands_in_a_file():
    """In each way to write a table, a list, a text and a key; nothing is left out."""
    assert lines(WRITTEN) == LINES
    assert set(LINES) == places(tomllib.loads(WRITTEN))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "a = 1", "a=1#x\nb=2", 'a = ""\n\r\n\tb = "\\"" \n'])
def test_a_file_of_few_words_has_every_line(text: str):
    found = lines(text)
    assert set(found) == places(tomllib.loads(text))
    assert found.get(("b",), 2 if "\r" not in text else 3) == (3 if "\r" in text else 2)


@pytest.mark.parametrize("sign", [",", "]", "}", "#", "=", ".", "'", "[["])
def test_a_text_may_hold_any_letter_and_any_sign(sign: str):
    """Such as an n together with a sign that ends a value."""
    text = f'name = "n{sign} n"\nkeys."n{sign}n" = [\n"n{sign}",\n2]\nlast = 1\n'
    assert set(lines(text)) == places(tomllib.loads(text))
    assert lines(text)[("keys", f"n{sign}n", 1)] == 4
    assert lines(text)[("last",)] == 5


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (False, "false"),
        (0, "0"),
        ({}, "{}"),
        ([], "[]"),
        ((1, 2), "[1, 2]"),
        ({"a": {}}, "{ a = {} }"),
        ({"a-b_1": 1, "a b": 2}, '{ a-b_1 = 1, "a b" = 2 }'),
        ({"ä": 1, "-": 2, "": 3}, '{ "ä" = 1, "-" = 2, "" = 3 }'),
        ('say "hi"', '"say \\"hi\\""'),
    ],
)
def test_a_value_is_written_in_one_line(value: Any, written: str):
    assert toml(value) == written
    again = tomllib.loads(f"x = {written}")["x"]
    assert again == (list(value) if isinstance(value, tuple) else value)


# What a file may not hold


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(text: str | bytes, says: str) -> None:
    """A file with this text is refused with this sentence."""
    Path("a.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as error:
        read_toml("a.toml")
    assert says in error.value.message


def accepted(text: str | bytes) -> dict[str, Any]:
    Path("a.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_toml("a.toml")


def test_numbers_end_below_2_to_the_53():
    most = 2**53 - 1
    assert accepted(f"a = {most}\nb = {-most}\nc = true\n") == {"a": most, "b": -most, "c": True}
    for number in (2**53, -(2**53)):
        refused(f"a = 1\nb = [0,\n {number}]", f"a.toml, line 3: b[1] is {number}; it takes a text, a whole number")
    refused(f"a = {2**200 - 1}", f"a.toml, line 1: a is {str(2**200 - 1)[:40]}; it takes a text")
    refused(f"a = {2**200}", "a is a very large number; it takes a text")
    refused("a.b = 1.5", "a.b is 1.5; it takes a text, a whole number below 2^53, true or false.")


def test_no_character_that_a_terminal_would_obey():
    refused('a = 1\nb.c = "x\\u001b[2J"', "a.toml, line 2: b.c is 'x\\x1b[2J', which holds characters that cannot be")
    refused('a = 1\n[b]\n"\\u001b" = 2', "a.toml, line 2: '\\x1b' holds characters that cannot be printed.")


def test_a_file_has_a_megabyte_at_most():
    line = b"a = 1\n"
    assert accepted(line + b"#" * (1_000_000 - len(line))) == {"a": 1}
    refused(line + b"#" * (1_000_001 - len(line)), "a.toml is larger than a megabyte")


def test_a_key_has_forty_parts_at_most():
    """However they are written; parts of several keys are not added up."""
    assert MOST_PARTS == 40
    for part in ("a", '"b c"', "'d'", "e-1"):
        accepted(" . ".join([part] * 40) + " = 1")
        refused("\n" + ".".join([part] * 41) + " = 1", "a.toml has a key of more than 40 parts.")
    accepted("\n".join(".".join([f"k{nth}"] * 30) + " = 1" for nth in range(9)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"a = '\xff'", "a.toml is not a text file in UTF-8."),
        (b"a = ", "a.toml is not TOML: "),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "a.toml is nested too deeply."),
    ],
    ids=["utf-8", "toml", "deep"],
)
def test_what_is_no_toml(text: bytes, says: str):
    refused(text, says)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("name = Jörg", True),
        ("skill = { schlösser = 3 }", True),
        ("a = 'ä'\r\nb = ö", True),
        ("name = 'Jörg'\nb = x", False),
        ("['line 9, column 5']\n" * 2, False),
    ],
)
def test_what_stands_in_quotes_is_said(text: str, quoted: bool):
    Path("a.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError) as found:
        read_toml("a.toml")
    assert bool(found.value.hint) == quoted


def test_what_cannot_be_read():
    for path, says in ((".", "cannot be read: "), ("none.toml", "No such file"), ("\0", "it has an impossible name")):
        with pytest.raises(UsageError, match=says):
            read_toml(path)


def test_a_place_in_words_is_short_and_printable():
    """Up to 60 characters, then the first 40."""
    assert named(("weapons", 0, "damage")) == "weapons[0].damage"
    assert named((0, 1)) == "[0][1]"
    assert named(("x" * LONGEST,)) == "x" * 60
    assert named(("x" * 61,)) == f"'{'x' * 40}'..."
    assert named(("a\tb",)) == "'a\\tb'..."


def test_several_stat_blocks_stand_alone_in_their_file():
    """Each has the name of its table, unless it says another. A file of one has the name of the file."""
    Path("two.toml").write_text('[combatants.Ann]\nhp = 1\n[combatants.Bob]\nname = "Bert"\n')
    assert read_sheets("two.toml", "") == [{"name": "Ann", "hp": 1}, {"name": "Bert"}]
    Path("Kim.toml").write_text("hp = 2\n")
    assert read_sheets("Kim.toml", "") == [{"name": "Kim", "hp": 2}]
    assert read_sheet("Kim.toml", "") == {"name": "Kim", "hp": 2}
    with pytest.raises(UsageError, match="holds 2 stat blocks"):
        read_sheet("two.toml", "")
    for text in ("combatants = 3", "x = 1\n[combatants.Ann]\n", "combatants = [1]", "[combatants]\nAnn = 3\n",
                 "[combatants]\nBob = {}\nAnn = 3\n"):  # fmt: skip
        Path("odd.toml").write_text(text)
        with pytest.raises(UsageError, match="should hold nothing but tables"):
            read_sheets("odd.toml", "")


def test_an_example_is_found_in_any_case_with_or_without_its_ending():
    """A file with the same name comes before it."""
    for word in ("boffin", "Boffin", "BOFFIN.toml"):
        (found,) = read_sheets(word, "freepg")
        assert (found["name"], found["health_die"]) == ("Boffin", 10)
    Path("boffin").write_text('name = "Other"\n')
    assert read_sheets("boffin", "freepg") == [{"name": "Other"}]
    with pytest.raises(UsageError, match="There is no file 'nobody'") as error:
        read_sheets("nobody", "freepg")
    assert "Examples that come with the rules: boffin, " in error.value.hint
    with pytest.raises(UsageError, match="There is no file 'grub'"):
        read_sheets("grub", "")
