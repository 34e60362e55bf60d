"""What 0.1.0 freezes, one thing a line: `fixtures/frozen.txt` (docs/stability.md).

`python -m tests.frozen` adds what is new, which must stay from the next release on, and refuses to take anything away.
Before the first release a line is taken away by hand.
"""

import inspect
import io
import json
import re
import shlex
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from runpy import run_path
from typing import Any
from unittest import mock

import click
import msgspec
from msgspec import NODEFAULT, structs

import commands
import ledger
from commands.action import systems
from commands.action.view import sheet_decoder
from commands.files.exports import FORMATS
from commands.files.exports.json_lines import EntryLine, FirstLine, PlayersFirstLine
from commands.files.exports.tidy import TABLES
from commands.files.sheets import explained, parts
from commands.shell.cli import run
from ledger.errors import AffrayError
from ledger.events import KINDS, Number, Step, tag
from ledger.parts import Halves, Parts

ROOT = Path(__file__).parent.parent
FROZEN = ROOT / "fixtures" / "frozen.txt"
ADDING = ROOT / "docs" / "adding-a-system.md"
ASKED = """\
init 'The bridge' --system freepg
join boffin jane
join grub --count 2
begin
initiative --dice 14,9,3
attack bof grub-1 --with sword --dice 14,6
roll 2d6 --why luck --dry-run
done
status
show
show jane
show e6
log
map
replay --since e6
why grub-1.hp
diff e5..
find grub-1.hp<20
dispute e6 'He stood behind the parapet'
disputes
stats
odds attack jane grub-2 --distance 4
odds table 12
amend e6 --mod defense:2:parapet
amend e6 --mod defense:2:parapet --apply
settle e6 amended 'a parapet is worth 2'
undo
redo
seat ann jane
seats
proposals
mark here
assert jane.hp 52
verify
rules freepg.attack.hit-test
rules options
rules items
what-if the-bridge.affray --option weapon_slots=1
export x.jsonl
export x.csv
import x.jsonl y.affray
copy the-bridge.affray z.affray
salvage the-bridge.affray s.affray
backup spare
archive the-bridge.affray --to past
sheets freepg
sheet boffin
sheet new my.toml
help attack
completion bash
roll 1d20 --why luck
adjust jane hp 40 'a rock'
stir the old mill
reveal dice
leave boffin,jane,grub-1,grub-2
demo paraverse
""".splitlines()
"""What is asked with --json, one after another."""


def frozen() -> list[str]:
    """Every line, in order."""
    lines = [
        *of_events(), *of_the_file(), *of_exports(), *of_errors(), *of_answers(), *of_verbs(), *of_stat_blocks(),
        *of_plug_ins(),
    ]  # fmt: skip
    return sorted({*lines})


def of_events() -> Iterator[str]:
    """Each field of each kind of event, of what is in one, and of what a players' file holds."""
    for kind in (*KINDS, Step, Number, Parts, Halves):
        name = f"event {tag(kind)}" if kind in KINDS else kind.__name__
        opened = getattr(kind, "OPEN", None)
        for nth, field in enumerate(structs.fields(kind), 1):
            half = "" if opened is None else " open" if field.name in opened else " closed"
            made = field.default_factory() if field.default is NODEFAULT and not field.required else field.default
            default = "" if field.required else f" = {json.dumps(msgspec.to_builtins(made))}"
            yield f"{name}: {nth} {field.encode_name}: {typed(field.type)}{default}{half}"


def typed(hint: Any) -> str:
    """A type, as somebody writes it."""
    return hint.__name__ if isinstance(hint, type) and "[" not in str(hint) else str(hint).replace("typing.", "")


def of_the_file() -> Iterator[str]:
    """The tables and views of a ledger file, with their columns; its format, and the ending of its name."""
    yield f"ledger: format {ledger.FORMAT}, application {ledger.APPLICATION_ID:#x}, {ledger.SUFFIX}"
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        said("init", "Frozen", "--system", "freepg")
        with closing(sqlite3.connect("frozen.affray")) as db:
            for name, sort in db.execute(
                "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')"
            ).fetchall():
                for _, column, kind, *_ in db.execute(f"PRAGMA table_xinfo({name})").fetchall():
                    yield f"ledger {sort} {name}: {column} {kind}".rstrip()


def of_exports() -> Iterator[str]:
    """The formats with the endings of their files, and the columns and fields of each."""
    for name, form in FORMATS.items():
        yield f"export {name}: {' '.join(form.endings)}"
    for name, table in TABLES.items():
        for nth, (column, kind) in enumerate(table.columns.items(), 1):
            yield f"export table {name}: {nth} {column} {kind.__name__}"
    for kind in (FirstLine, PlayersFirstLine, EntryLine):
        for nth, field in enumerate(structs.fields(kind), 1):
            yield f"export jsonl {kind.__name__}: {nth} {field.encode_name}"


def of_errors() -> Iterator[str]:
    """The exit code and the reference of each kind of error, the exit codes, and the variables of the environment."""
    for package in (commands, ledger):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if ".launch" not in module.name:
                import_module(module.name)
    kinds = [AffrayError]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if not kind.__module__.startswith("tests"):
            yield f"error {kind.reference}: {kind.code}"
    told = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| `([A-Z_]+)` \|", told.partition("\n## Environment\n")[2], re.M):
        yield f"environment {name}"
    for code, meaning in re.findall(r"^\| (\d+) \| (.*) \|$", told, re.M):
        yield f"exit code {code}: {meaning}"


def of_answers() -> Iterator[str]:
    """The keys of what each verb answers with --json."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("spare").mkdir()
        for line in ASKED:
            verb, *words = shlex.split(line)
            ledger = [] if verb in ("init", "demo", "import") else ["--ledger", "the-bridge.affray"]
            for one in map(json.loads, said(*ledger, verb, *words, "--json").splitlines()):
                assert one.get("ok", True), (line, one)
                yield from (f"answer {verb}: {path}" for path in paths(one))
        refused = json.loads(said("--ledger", "the-bridge.affray", "attack", "jane", "grub-1", "--json"))
        yield from (f"answer of an error: {path}" for path in paths(refused))


def paths(value: object, before: str = "") -> Iterator[str]:
    """The names of all fields in an answer, each after those that it is in. Names of somebody are `NAME`."""
    if isinstance(value, list):
        for one in value:
            yield from paths(one, f"{before}[]")
    elif isinstance(value, dict):
        for key, one in value.items():
            name = key if re.fullmatch(r"[a-z_]+", key) and before.rpartition(".")[2] not in NAMED else "NAME"
            yield f"{before}.{name}".lstrip(".")
            if name not in ("events", "said", "sheet", "content"):
                yield from paths(one, f"{before}.{name}".lstrip("."))


NAMED = {"seats", "rows", "values", "bodies", "heights", "ground", "clauses", "said", "board"}
"""Fields that hold an object with names of the table."""


def of_verbs() -> Iterator[str]:
    """Each argument and option of each verb."""
    made = run_path(str(ROOT / "docs" / "verbs.py"))
    for system, name, _ in made["verbs"]():
        for nth, one in enumerate(made["command"](system, name).params, 1):
            order = f"{nth} " if isinstance(one, click.Argument) else ""
            yield f"verb {system or 'common'} {name}: {order}{made['names'](one)}"
        yield f"verb {system or 'common'} {name}"
    for name in systems.SYSTEMS:
        for option, meant in systems.load(name).options.items():
            yield f"house rule {name} {option}: {' '.join(map(str, meant.choices))}; {meant.default}"


def of_stat_blocks() -> Iterator[str]:
    """Each field of a stat block of each system, and of its parts, with what it takes."""
    for name in systems.SYSTEMS:
        kind = sheet_decoder(name).type
        for part in (kind, *parts(kind)):
            for field in explained(part):
                yield f"stat block {name} {part.__name__}: {field.name}: {field.takes}"


def of_plug_ins() -> Iterator[str]:
    """What a package with a rule system may import: all that its page imports, with the signatures."""
    yield f"entry points: {systems.GROUP}"
    text = ADDING.read_text(encoding="utf-8")
    for module, names in re.findall(
        r"^from ((?:commands|ledger|projections|affray\.testing|tests)[\w.]*) import (.+)$", text, re.M
    ):
        for name in names.split(", "):
            found = getattr(import_module(module if module != "affray.testing" else "tests.conforms"), name)
            yield f"plug-in {module}: {name}"
            if inspect.isclass(found) and not issubclass(found, ledger.events.Event):
                for member, value in inspect.getmembers(found):
                    if not member.startswith("_") or member == "__init__":
                        yield f"plug-in {module}: {name}.{member}"
                        yield from parameters(f"plug-in {module}: {name}.{member}", value)
            else:
                yield from parameters(f"plug-in {module}: {name}", found)


def parameters(name: str, function: object) -> Iterator[str]:
    """Each parameter of a function, with its place if that counts; nothing for what is no function."""
    if inspect.isfunction(function):
        for nth, one in enumerate(inspect.signature(function).parameters.values()):
            yield f"{name}: {'' if one.kind is one.KEYWORD_ONLY else f'{nth} '}{one}"


def said(*words: str) -> str:
    """What a command prints on standard output."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), mock.patch.object(sys, "stdin", io.StringIO()):
        run(words)
    return out.getvalue()


def main() -> None:
    """Adds what is new. Ends with an error where something is gone."""
    held, found = {*FROZEN.read_text(encoding="utf-8").splitlines()} if FROZEN.exists() else set(), frozen()
    gone = sorted(held.difference(found))
    if gone:
        sys.exit("\n".join(["This is frozen, and is no longer there:", *gone]))
    FROZEN.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")


if __name__ == "__main__":
    main()
