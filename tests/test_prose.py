"""Plain English: words and phrases that nobody says at a table stand nowhere that a reader can see."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.action.systems import SYSTEMS
from tests.documents import PAGES, ROOT
from tests.shell import Shell

FORBIDDEN = (
    "whoever", "whomever", "whosoever", "whomsoever", "whatsoever", "wheresoever", "however the",
    "nought", "naught", "hitherto", "heretofore", "henceforth", "forthwith", "aforesaid", "erstwhile",
    "thereof", "therein", "thereto", "therefrom", "thereupon", "whereof", "wherein", "whereupon", "wherefore",
    "whence", "thence", "whither", "thither", "hither", "albeit", "lest", "ere", "unto", "betwixt",
    "comes about", "come about", "came about", "holds good", "was never so", "it is said that", "nobody bears",
    "are none of", "of several all", "by dint of", "for lack of",
)  # fmt: skip
"""Each has a plainer word: for `however the dice fall` write on every roll, for `holds good` write is true."""
FOUND = re.compile(rf"\b(?:{'|'.join(FORBIDDEN)})\b", re.I)

KINDS = (
    r"\b[Tt]he gm\b",  # the game master
    r"(?<![Tt]here) is no (?!longer\b|more\b|need\b|use\b|room\b|\w+ for\b)[a-z]",  # is not a
    r"\bturn of $|\bturn of [A-Z{]",  # Jane's turn
    r"\bNobody knows (?:how|where|which|on which)\b",  # ask: How far away is the ogre?
    r" at (?:least|most), not\b",  # moves at most 60 feet
    r"\b(?:has had|has not had|loses|passes) its\b|\bcannot \w+ (?:to |for )?itself\.",  # people are they
    r"\bin its place\.",  # instead
    r"\bnames no two\b",  # does not name two
    r" left (?:is|are) lost",  # loses 2 attacks
    r"^'s ",  # whose(name): the raiders'
    r"who is not there now",  # Lambert is not at the table any more
    r"\bis upheld\b",  # the ruling stands; the objection is dismissed
    r"\bput in again\b|\bputs? \w+ in again\b",  # restored
    r"\b[Oo]n the same dice\b",  # with the same dice
    r"\bto the same bytes\b",  # with identical results
    r"\bgives no more\b",  # causes no further pain
    r"\bwill be lucky\b",  # will use fighter's luck
    r"\bNext: the next\b",  # Next: round 2
    r"% of the time\b|\bcome to more\b",  # fair dice do better in 5 % of fights
    r"\bThis rolls again\b",  # re-rolls the action undone in e9
    r"\bnobody of them\b",  # no orcs left; their morale check is dropped
    r"\bwhat a log does not tell\b",  # the record differs
    r"\bput in before it\b|\bis put in\b",  # inserted
    r"\b(?:is|are|has) [^.;:,]*\balready[.;,]",  # is already prone
    r"\bhas had the(?:ir)? action of this round\b",  # has already acted this round
    r"\bDice more or fewer\b|\bby the game master: N\b",  # extra or fewer dice, as the game master rules
)
"""Kinds of sentences that nobody says at a table, as they stand in what is printed; behind each what is said."""
SAID = re.compile("|".join(KINDS))
RECORD = (
    r"\b(?:miscs|skirmishes|adjust|effect|morale|damage) [A-Z]\w+.*: ",  # Tilda has 19/53 hp (the river)
    r"\.: |\.\)",  # a reason that ends with a full stop of its own
    r"(?<!encounter \d)(?<!round)(?<!turn)(?<!encounter)(?<!phase) is over\b",  # the ward ends
    r"\bno longer \w+ (?:unloaded|empty)\b",  # the crossbow is loaded
    r"\border [A-Z]",  # order: Jane, Tilda
    r"^ *attack (?:1|20) \(d20\*?\): ",  # natural 1: attack 1
    r"\bwill check morale\b",  # must check morale
    r"'s [\w ]+ are no longer engaged",
    r"\((?:.*, )?(?:distance|feet|mod|range|kind|skill|attr|result|los|dt) [^()]*\)",  # 60 away, +2 rain, short range
    r"\]: will ",  # will shoot Thrall (ranged) [allowed: a mercy]
    r"\blost: .* is lost",  # Thrall-2's attack is lost: Sigrun is gone
    r"\b(?:pc|opp)\b",  # the party, the opponents
    r"^resolve \w+$",  # nothing changes
    r"natural 20: .* >= ",  # attack 25 >= AC 15: a face is named where it decides against the sums
    r"effect on (?P<score>[\w ]+) [-+]\d+ (?P=score)",  # effect on threat range -1
    r"^amend e\d+: .*\w+=",  # sheets Boffin, Jane
    r"\bjoins the \w+; takes\b",  # joins the party with sword, helm
    r"\bthe dice showed\b|^amend e\d+: .*, because ",  # amend e78 (a misread 4): the dice are 14, 7
    r"\bprays on\b|\bwill pray (?!for\b)[a-z]",  # prays for Ildar, will pray for Mending
    r"\bhas an? \w+-\w+ \(",  # has a fractured arm
    r"\bgrappled \([A-Z]",  # grappled by Brun
    r"^\S+ saves\b.*: failed",  # rolls a saving throw
    r"breaks; surrender\b(?!s)",  # breaks; surrenders
    r"\bwill misc\b|\bmiscs\b|[a-z0-9] acts [a-z]+s\b",  # will tie the boat fast; takes up the staff
    r"\([^()]* to go\)|\b\d+/\d+ dead\b",  # dies when Sanne and Falk have acted; 0/40, is dead
    r"\bat -?\d+,-?\d+,0\b",  # at 3,1
    r"\bwaived: checks waived\b|\bfighting on: ",  # their morale check is waived
    r"[(,] ?\d+ away\b",  # at range 60
    r"\bout of luck\b|\bno longer gone\b|\bmortally wounded until\b",  # without luck; dies when round 8 ends
    r"\bgrapples \(|\bput in before it\b|\bis called \S+ now\b",  # tries to break free; inserted before it
    r"lower of [\d, ]+\): (?!disadvantage)",  # the reason of the second die is no result
    r"\bjoins the [\w-]+; .*; takes ",  # joins the party with a dagger; has 14/14 hp
    r"^(?:~~)?[A-Z][\w-]* against [A-Z][\w-]*: ",  # Brun throws Guard-1; Ildar hits Vasko; Sigrun beats Reaver
    r": no longer |\bno longer [\w ]+: [A-Z]",  # Guard-1 is no longer prone; Freya and Grin are no longer threatened
    r"\bloses \d+ pain\b|\benters [a-z]|: heal [A-Z]|^heal [A-Z]",  # recovers 1 pain; moves to the wall
    r"(?:until|when) (?:the \w+|round \d+|[A-Z][\w-]*'s? turn) (?:ends|starts|closes)\b",  # until the end of round 2
    r"\bjoins the [\w-]+ with (?!an? |leather|thick hide)",  # with a broadsword and a shield
    r"\bputs (?!the )\w+ away\b|\bdrops (?!the )\w",  # puts the lance away and takes the sword
    r"\bwill .* \((?:melee|ranged|magic|misc)\)",  # will attack Reaver (melee phase)
)
"""The same of the lines of the record, in the logs of all stories."""
TOLD = re.compile("|".join(RECORD), re.M)

CODE = [path for room in ("commands", "projections", "ledger", "benchmarks") for path in (ROOT / room).rglob("*.py")]
PAGE = [path for path in (ROOT / "commands" / "seen" / "page").iterdir() if path.suffix in (".html", ".js")]
TESTS = [path for path in (ROOT / "tests").glob("*.py") if path.name != Path(__file__).name]
"""Those that belong to no rule system."""


def words(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that somebody reads, with their lines; of a module its strings and its comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from ((text.count("\n", 0, found.start()) + 1, found[0]) for found in re.finditer(r".+(?:\n.+)*", text))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def names(path: Path) -> Iterator[tuple[int, str]]:
    """The names of the tests in a module and the docstrings in it, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno, node.name.replace("_", " ")
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""


def printed(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def faults(texts: Iterator[tuple[int, str]]) -> list[str]:
    """Each forbidden word with the line of its text."""
    return [f"line {line}: {found[0]}" for line, text in texts for found in FOUND.finditer(" ".join(text.split()))]


def test_what_a_reader_sees_is_plain_english():
    assert {path: found for path in (*CODE, *PAGE, *PAGES) if (found := faults(words(path)))} == {}


def test_what_is_printed_is_said_as_at_a_table():
    found = {path: [(line, text) for line, text in printed(path) if SAID.search(text)] for path in CODE}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_line_of_the_record_is_said_as_at_a_table():
    logs = {path: path.read_text(encoding="utf-8") for path in (ROOT / "fixtures").glob("*/*.log")}
    assert len(logs) > 25
    found = {path.name: [match[0] for match in TOLD.finditer(text)] for path, text in logs.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_line_of_a_demo_is_wider_than_a_terminal(system: str, shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """A command that is wider goes on in the next line, and can be pasted so."""
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in shell.done("demo", system, "--file", "demo.affray").splitlines() if len(line) > 80] == []


def test_the_name_of_a_test_is_plain_english():
    assert {path: found for path in TESTS if (found := faults(names(path)))} == {}


def test_a_forbidden_word_is_found_wherever_it_stands(tmp_path: Path):
    """In a message that is put together from parts, in a comment, in a line that breaks, in the name of a test."""
    code, page = tmp_path / "code.py", tmp_path / "page.md"
    code.write_text('f"Whoever {1} hits"  # lest it is lost\nhowever_the = 1\n\n\ndef test_whoever_hits(): ...\n')
    page.write_text("What comes\nabout.\n\nComes, about.\n")
    assert faults(words(code)) == ["line 1: Whoever", "line 1: lest"]
    assert faults(words(page)) == ["line 1: comes about"]
    assert faults(names(code)) == ["line 5: whoever"]
