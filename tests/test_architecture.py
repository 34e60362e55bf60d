"""The architecture: which room may import which, and a fast start."""

import ast
import itertools
import re
import shlex
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from commands.action.rulebook import BoardParts, GameMasterParts, SheetParts
from commands.action.systems import COMMON, COURSE, SYSTEMS, load
from commands.shell.tools import TOOLS
from ledger.events import KINDS, tag
from ledger.postgres import statements
from tests.conforms import TRAITS
from tests.shell import ROOT, Shell, environment

LOOKS = {"ledger", "projections", "action", "words", "past", "look"}
ROOMS = {
    "ledger": {"ledger"},
    "projections": {"ledger", "projections"},
    "action": {"ledger", "projections", "action"},
    "rules": {"ledger", "projections", "action", "rules"},
    "words": {"ledger", "projections", "action", "words"},
    "past": {"ledger", "projections", "action", "words", "past"},
    "look": LOOKS,
    "odds": {*LOOKS, "odds"},
    "seen": {*LOOKS, "seen"},
    "files": {*LOOKS, "seen", "files"},
    "seats": {*LOOKS, "odds", "seen", "seats"},
    "live": {*LOOKS, "seen", "seats", "live"},
    "shell": {*LOOKS, "odds", "seats", "files", "shell"},
    "archive": {*LOOKS, "seen", "files", "archive"},
    "what_if": {"ledger", "projections", "action", "words", "past", "what_if"},
    "pasted": {"ledger", "action", "words", "files", "pasted"},
    "agents": {*LOOKS, "odds", "seen", "seats", "live", "shell", "agents"},
    "web": {*LOOKS, "seats", "seen", "files", "live", "shell", "web"},
}
"""What each room may import. The rulebooks are found by their folder: no other room imports them. Nothing imports the
last five, of which only the shell's table of tools knows: each can be deleted with its line there. `live` stands in
that table too, and `agents` and `web` import it."""
BY_NAME = {"commands/action/systems.py", "commands/action/common_verbs.py", "commands/shell/tools.py"}
"""The only files that import modules by a name that is made up as the program runs."""
HEAVY = {
    "sqlite_utils", "json", "hashlib", "asyncio", "random", "ssl", "tomllib", "difflib", "shlex", "jinja2",
    "numpy", "segno", "starlette", "uvicorn", "email", "pyarrow", "duckdb",
}  # fmt: skip


PARTS = {"sheet": SheetParts, "board": BoardParts, "gm": GameMasterParts}
"""The modules of a rulebook that are read by the names of its parts."""


@cache
def parsed(path: Path) -> ast.Module:
    """A module as Python reads it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, types: bool = False) -> frozenset[str]:
    """The full names of all that a module imports, in functions and as text too; of a name also `module.name`. With
    `types` also what it imports for annotations alone.
    """
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    found = set()
    tree = parsed(path)
    only_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        and "TYPE_CHECKING" in (getattr(node.test, "id", ""), getattr(node.test, "attr", ""))
        for line in node.body
        for inner in ast.walk(line)
    }
    for node in ast.walk(tree):
        if id(node) in only_types and not types:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and in_house(path) not in BY_NAME:
            found |= {node.value} if re.fullmatch(r"(commands|projections|ledger)(\.\w+)+", node.value) else set()
    return frozenset(found)


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


LAUNCHER = ROOT / "commands" / "launch"
"""Starts the program and makes its wheel. It is no room: nothing imports it."""
HOUSE = [path for path in modules("ledger", "projections", "commands") if LAUNCHER not in path.parents]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room(name: str) -> str:
    """The room that a module belongs to; "" for foreign modules, and for `commands` itself."""
    first, _, rest = name.partition(".")
    if first == "commands":
        return rest.partition(".")[0]
    return first if first in ROOMS else ""


def system(path: Path) -> str:
    """The rule system that a module belongs to; "" for the machinery."""
    parts = path.relative_to(ROOT).parts
    return parts[2] if parts[:2] == ("commands", "rules") and parts[2] in SYSTEMS else ""


def in_house(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_imports_run_one_way():
    """ledger, projections, action, then the rules; and words, past, look, odds and seen, files and live, shell."""
    for path in HOUSE:
        home = room(module_name(path))
        for name in imports(path):
            other = room(name)
            assert not other or other in ROOMS[home], f"{path} imports {name}"
            if other == home == "rules" and name.count(".") >= 2:
                assert name.split(".")[2] == system(path), f"{path} imports {name}"


MIXED = {"freepg"}
"""Rule systems in which small verbs still stand beside steps that other modules import."""


@pytest.mark.parametrize("name", sorted({*SYSTEMS} - MIXED))
def test_a_module_that_starts_an_action_is_imported_by_no_other_rule_module(name: str):
    """Verbs stand on top, steps below: what several verbs share is a step."""
    verbs = {module for verb in load(name).verbs.values() if (module := verb.module).startswith("commands.rules.")}
    for path in modules(f"commands/rules/{name}"):
        shared = imports(path) & verbs - {module_name(path)}
        assert not shared, f"{in_house(path)} imports it: move what both need out of this module, which a verb starts"


def test_the_launcher_knows_the_shell_and_nothing_else():
    """It runs before the packages are on the path."""
    own = {name for path in LAUNCHER.rglob("*.py") if path.name != "testing.py" for name in imports(path)}
    rooms = {name for name in own if name.split(".")[0] in ("ledger", "projections", "commands", "tests")}
    assert {name for name in rooms if not name.startswith("commands.launch.")} == {
        "commands.shell.main",
        "commands.shell.main.main",
    }
    assert not {path for path in HOUSE for name in imports(path) if name.split(".")[0] == "affray"}


def test_no_imports_form_a_cycle():
    """Neither do those for annotations alone, nor those inside a rulebook."""
    ours = {module_name(path): path for path in HOUSE}
    above = {
        name: {one for one in imports(path, True) if one in ours and one != name and not name.startswith(f"{one}.")}
        for name, path in ours.items()
    }
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def roots(path: Path) -> set[str]:
    """The packages that a module imports from."""
    return {name.split(".")[0] for name in imports(path)}


def test_modules_are_imported_by_name_in_two_places_only():
    for path in HOUSE:
        if in_house(path) not in BY_NAME:
            assert "importlib" not in roots(path), path
            assert "__import__" not in path.read_text(encoding="utf-8"), path


def test_what_nobody_outside_its_module_uses_is_no_public_name():
    """A function or a constant is public if another module, a test or a page names it and its module; one of a rulebook
    if one of the same book or of a shared room does. Those of a verb are named by its card, those of a rulebook by its
    parts.
    """
    books = [verb for name in SYSTEMS for verb in load(name).verbs.values()]
    verbs = [*COMMON.values(), *COURSE.values(), *TOOLS.values(), *books]
    known = {(verb.module, verb.procedure) for verb in verbs} | {(verb.beside, "check") for verb in verbs}
    known |= {(f"commands.rules.{name}", "SYSTEM") for name in SYSTEMS}
    for name, (module, parts) in itertools.product(SYSTEMS, PARTS.items()):
        for part in parts.__annotations__:
            known |= {(f"commands.rules.{name}.{module}", held) for held in (part, part.upper())}
    outside = [path for folder in ("tests", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")]
    texts = [*(ROOT / "docs").glob("*.md"), *(ROOT / "commands").rglob("*.html")]
    read = {path: path.read_text(encoding="utf-8") for path in (*HOUSE, *outside, *texts)}
    words = {path: {*re.findall(r"[A-Za-z_]\w*", text)} for path, text in read.items()}
    alone = set()
    for path in HOUSE:
        if "events" in path.parts:
            continue
        module, book = module_name(path), system(path)
        defined = re.findall(r"^(?:async )?def ([a-z]\w*)|^([A-Z][A-Z_]+)(?:: .*)? = ", read[path], re.M)
        named = {
            name for one, name in ((module, one or other) for one, other in defined) if (module, name) not in known
        }
        near = [held for other, held in words.items() if other != path and (not book or system(other) in ("", book))]
        others = [held for held in near if module.rpartition(".")[2] in held]
        alone |= {f"{module}.{name}" for name in named if not any(name in held for held in others)}
    assert alone == set()


def test_the_ledger_and_its_projections_know_no_command_line():
    for path in modules("ledger", "projections"):
        assert "sqlite_utils" not in roots(path) or path.name == "schema.py", "only a new ledger is worth its price"
        patient = (
            {"time"} if path.parts[-2:] == ("postgres", "connection.py") else set()
        )  # it waits, and decides nothing
        never = {"click", "argparse", "random", "datetime", "time", "locale", "importlib"} - patient
        assert roots(path).isdisjoint(never), path
        if path.relative_to(ROOT).parts[0] == "projections":
            assert roots(path).isdisjoint({"sqlite3", "os", "sys"}), path


def test_an_action_is_carried_out_without_a_command_line():
    for path in modules("commands/action"):
        assert "click" not in roots(path), path


KNOWN_VERBS = {
    ("projections/glimpses.py", "roll"),  # the game master's own dice are those of a roll for nobody
    ("commands/seen/player_safe.py", "roll"),
    ("commands/action/resolution.py", "roll"),
    ("commands/action/adjust.py", "adjust"),  # adjust and damage share their words
    ("commands/past/undo.py", "redo"),  # the two that jump, each to its own side
    ("commands/past/examined_rules.py", "undo"),
    ("commands/what_if/house_rule.py", "option"),  # the three ways to set a house rule
    ("commands/what_if/house_rule.py", "table"),
    ("commands/what_if/house_rule.py", "begin"),
}
"""Where a shared module does something of its own for one verb. All that is a trait of a verb stands on its card."""


def test_a_card_has_no_trait_that_nobody_knows():
    """A rule system's own cards are checked by `conforms`."""
    for name, verb in {**TOOLS, **COMMON, **COURSE}.items():
        assert TRAITS.issuperset(verb.traits.split()), name


def test_the_traits_of_a_verb_stand_on_its_card():
    """What every rule system has may be known by name in the places that are listed; a book's own verb nowhere else."""
    common = {*COMMON, *COURSE}
    verbs = {*common, *(verb for name in SYSTEMS for verb in load(name).verbs)}
    found = set()
    for path in HOUSE:
        if in_house(path) in BY_NAME or system(path):
            continue
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Compare() if "verb" in ast.unparse(node.left).rpartition(".")[2]:
                    parts = [one for part in node.comparators for one in ast.walk(part)]
                case ast.Match() if "verb" in ast.unparse(node.subject).rpartition(".")[2]:
                    parts = [one for case in node.cases for one in ast.walk(case.pattern)]
                case ast.MatchClass(kwd_attrs=[*_, "verb"] | ["verb", *_]):
                    parts = [*ast.walk(node)]
                case _:
                    continue
            said = {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            found |= {(in_house(path), verb) for verb in said & verbs}
    assert found == KNOWN_VERBS


HARM = {
    "projections/harm.py": {"HpSet", "HpLost", "HpGained", "PainSuffered", "PainEased", "WoundSuffered", "WoundTreated",
                            "StressGained", "StressEased", "WoundsSustained", "WoundsHealed"},
    "commands/action/adjust.py": {"HpSet"},
    "commands/seen/sightings.py": {"WoundSuffered", "WoundTreated"},
}  # fmt: skip
"""The shared modules that name a kind of harm: the one that adds it up, the fields that two books share, and the wounds
that a card of the page names with the blow that dealt them."""


def test_no_list_knows_the_kinds_of_harm():
    """What they are called, what they count and how they are told is on the card of each: `tests/test_new_harm.py`."""
    harms = {kind.__name__ for kind in KINDS if kind.WORD}
    found = {}
    for path in HOUSE:
        if not system(path) and path.parent.name != "events":
            tree = parsed(path)
            names = {node.id if isinstance(node, ast.Name) else node.attr for node in ast.walk(tree)
                     if isinstance(node, ast.Name | ast.Attribute)}  # fmt: skip
            if named := harms & names:
                found[in_house(path)] = named
    assert found == HARM, "where a kind of harm is named: ask its card (WORD, AMOUNT, NOW in ledger/events/declared.py)"


def test_the_statements_of_both_stores_know_what_no_undo_takes_back():
    """A partial index of SQLite serves only a query with the same words."""
    lasting = tuple(tag(kind) for kind in KINDS if kind.LASTS)
    assert set(statements.KINDS) == set(lasting)
    words = f"kind IN {statements.KINDS}"
    for name in ("ledger/schema.py", "ledger/sqlite.py", "ledger/postgres/schema.py"):
        assert words in (ROOT / name).read_text(encoding="utf-8"), name


def test_no_field_hides_a_name_that_annotations_beside_it_need():
    """From Python 3.14 on an annotation is read when it is asked for, and finds the fields of its class first."""
    for path in HOUSE:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
                named = {ast.unparse(line.target) for line in fields}
                for line in fields:
                    used = {inner.id for inner in ast.walk(line.annotation) if isinstance(inner, ast.Name)}
                    assert not used & named, f"{path}:{line.lineno}"


def test_rules_have_no_clock_no_randomness_and_no_database():
    barred = {"time", "datetime", "random", "secrets", "sqlite3", "os", "sys", "click", "locale", "socket"}
    for path in modules("commands/rules"):
        assert roots(path).isdisjoint(barred), path


def test_no_float_is_written_in_the_rules():
    for path in modules("ledger/events", "projections", "commands/rules"):
        for node in ast.walk(parsed(path)):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{path}:{node.lineno}"
            assert not isinstance(node, ast.Div), f"{path} divides with a fraction"


def imported(*words: str) -> set[str]:
    """The modules that a command loads, as the interpreter reports them."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "affray", *words],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_an_ordinary_command_loads_nothing_heavy(table: Shell):
    bare = subprocess.run([sys.executable, "-X", "importtime", "-c", "pass"], capture_output=True, text=True).stderr
    at_start = {line.rpartition("|")[2].strip() for line in bare.splitlines()}
    for words in (("note", "hi"), ("roll", "2d6"), ("undo",), ("status",), ("log",)):
        loaded = imported(*words) - at_start
        assert "commands.shell.cli" in loaded
        assert not {name for name in loaded if name.split(".")[0] in HEAVY}, words


def test_an_ordinary_command_compiles_no_text(table: Shell):
    """An annotation in quotes within another is text that Python compiles; msgspec itself tries one."""
    watched = """
import builtins, sys
def compiled(text, name, *how, genuine=compile, **more):
    assert name != "<string>" or sys._getframe(2).f_globals["__name__"] == "msgspec._utils", text
    return genuine(text, name, *how, **more)
builtins.compile = compiled
import affray
from commands.shell.main import main
sys.argv = ["affray", "note", "hi"]
main()
"""
    done = subprocess.run([sys.executable, "-c", watched], env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_seldom_used_runs_when_it_is_and_is_the_same_module():
    """Also where several threads use it at once; what is not there is found no more than elsewhere."""
    told = """
import sys, threading
import affray
from commands.shell.main import SELDOM, Seldom
for name in SELDOM:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Seldom)
import inspect, textwrap
assert not any(one.__doc__ for one in (inspect, textwrap)), "they have run"
import msgspec.inspect
modules = [sys.modules[name] for name in SELDOM]
found = []
threads = [threading.Thread(target=lambda: found.append(textwrap.dedent)) for _ in range(20)]
[one.start() for one in threads], [one.join() for one in threads]
assert len(found) == 20 and len(set(found)) == 1
assert inspect.signature(len) and msgspec.inspect.type_info(int) == msgspec.inspect.IntType()
assert inspect.getsource(textwrap.dedent).startswith("def dedent")
from inspect import cleandoc
assert [sys.modules[name] for name in SELDOM] == modules and {type(one) for one in modules} == {type(sys)}
try:
    inspect.nothing
except AttributeError as error:
    assert "nothing" in str(error)
else:
    assert False
"""
    done = subprocess.run([sys.executable, "-c", told], env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_module_of_python_or_of_a_library_is_replaced(table: Shell):
    """Each stands where Python finds it, and holds what its file holds."""
    told = """
import os, sys
import affray
from commands.shell.main import SELDOM, Seldom, main
def leave(code, genuine=os._exit):
    for name, module in [*sys.modules.items()]:
        spec = getattr(module, "__spec__", None)
        whole = spec is None or spec.loader is not Seldom
        assert whole or name in SELDOM, name
        assert not whole or type(module) is type(sys) or name.startswith("typing."), name
    import datetime, decimal, uuid, re, typing, platform
    assert typing.__dict__.get("compile") is None
    assert re.match("a", "a") and datetime.__file__ and uuid.uuid4() and platform.system()
    genuine(code)
os._exit = leave
sys.argv = ["affray", "note", "hi"]
main()
"""
    done = subprocess.run([sys.executable, "-c", told], env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_verb_loads_only_its_own_rules(table: Shell):
    loaded = {name for name in imported("note", "hi") if name.startswith("commands.rules.freepg.")}
    assert loaded == set()
    explained = imported("--help")
    assert not {name for name in explained if name.startswith("commands.rules.freepg.")}
    assert not {name for name in explained if name.split(".")[0] == "projections"}
    assert not imported("--ledger", "nowhere.affray", "--help") & {"email", "zipfile"}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_blow_loads_nothing_heavy(name: str, shell: Shell):
    script = (ROOT / "commands" / "rules" / name / "demo.fight").read_text(encoding="utf-8")
    shell.done("init", "Field", "--system", name)
    for words in (shlex.split(line, comments=True) for line in script.splitlines()):
        if words[:1] in (["attack"], ["shoot"]):
            assert not {module for module in imported(*words) if module.split(".")[0] in HEAVY}
            return
        if words and words[0] != "init":
            shell.done(*words)
    pytest.fail("the demo fight has no blow")


def test_an_ordinary_action_does_not_load_the_game_masters_word(table: Shell):
    table.done("join", "boffin", "grub")
    loaded = imported("attack", "boffin", "grub", "--dice", "15,12")
    assert "commands.rules.freepg.bonus" in loaded
    assert not loaded & {"click", "commands.action.adjust", "commands.rules.freepg.gm"}


def test_an_action_that_reads_a_stat_block_does_not_load_what_a_newcomer_needs(shell: Shell):
    shell.done("init", "Field", "--system", "arkm")
    shell.done("join", "fighter")
    loaded = imported("save", "aldric", "spells")
    assert "commands.rules.arkm.stat_block" in loaded
    assert not loaded & {"commands.rules.arkm.sheet", "commands.rules.arkm.split"}
