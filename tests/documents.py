"""The pages of documentation as they are read by the tests: their blocks, carried out in a folder of their own.

- ```` ```console ```` blocks: each `$ ` line is carried out, and what follows must be its output (both channels). A
  line `...` stands for any lines. Lines that begin with `affray` run in this process, the others in a shell.
- A block whose first line is a comment with a file name, such as `# goblin.toml` or `-- luck.sql`, is written to that
  file.
- Other ```` ```python ```` blocks are executed in that folder, all of a page in one namespace.
- Everything else, such as ```` ```text ```` and ```` ```sh ````, is only shown. Of README the test carries out the
  ```` ```sh ```` blocks too, all in one shell.

The blocks of a page share one folder and come in order. Digests, times and versions are masked on both sides.

`python -m tests.documents docs/store.md` puts in what the commands of a page really print, and without a page does so
for all, and makes anew those that are made from the code. Read the difference before you keep it.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from msgspec import Struct

from commands.action import systems
from commands.look.clauses import clauses
from commands.shell.cli import run
from commands.words.console import Console

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md")), *sorted((ROOT / "benchmarks").glob("*.md"))]

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^(?:#|//|--|<!--) ([\w./-]+\.\w+)(?: -->)?$")
MASKS = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "<digest>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "<time>"),
    (re.compile(r"affray \d+\.\d+\.\d+\w*"), "<program>"),
    (re.compile(r"passed in [\d.]+s"), "passed"),
    (re.compile(r" +\d+ s\b"), " <seconds>"),
)


SIGN = re.compile(r"[\w, '-]+> ")
"""Stands before a line that is typed at the prompt of `affray play`."""
QUESTION = re.compile(r"(?:: [d\d+]+ for .*\?|\[y/N\])(?: (\S+))?$")
"""A question at the prompt, with its answer."""


class Typing(io.StringIO):
    """A terminal at which somebody types these answers, and which shows them."""

    def __init__(self, answers: list[str], screen: io.StringIO) -> None:
        super().__init__()
        self.answers, self.screen = answers, screen

    def isatty(self) -> bool:
        return True

    def readline(self, *_: int) -> str:
        line = f"{self.answers.pop(0)}\n" if self.answers else ""
        self.screen.write(line)
        return line


class Block(Struct, frozen=True):
    """A fenced block of a page."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The name of the file that it shows; "" when it shows none."""
        named = FILE.match(self.text.partition("\n")[0])
        return named[1] if named else ""


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(found[1], found[2], text.count("\n", 0, found.start()) + 1) for found in FENCE.finditer(text)]


def commands_of(block: Block) -> Iterator[tuple[str, str, str]]:
    """Each command of a console block: as it is shown, as it is carried out, and the output that it shows."""
    for piece in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        shown, _, output = piece.partition("\n")
        while shown.endswith("\\"):
            more, _, output = output.partition("\n")
            shown = f"{shown}\n{more}"
        yield shown, re.sub(r"\s*\\\n\s*(> )?", " ", shown), output


class Reader:
    """Somebody who reads a page and does what it shows, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = 0
        self.names: dict[str, object] = {}

    def read(self, page: Path) -> None:
        """Carries out every block; raises AssertionError where the page is wrong."""
        for block in blocks(page):
            place = f"{page.name}, line {block.line}"
            if block.file:
                self.write(block)
            elif block.language == "console":
                for _, command, expected in commands_of(block):
                    check(place, command, expected, self.answer(command, expected))
            elif block.language == "python":
                with contextlib.chdir(self.folder):
                    exec(compile(block.text, place, "exec"), self.names)

    def write(self, block: Block) -> None:
        """Makes the file that a block shows."""
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def answer(self, command: str, shown: str) -> str:
        """What a command prints; of a prompt also what is typed there, which is what the page shows."""
        return self.sit(shown) if command == "affray play" else self.do(command)

    def sit(self, shown: str) -> str:
        """A prompt at which somebody types what a page shows."""
        from prompt_toolkit.output import DummyOutput

        from commands.shell.prompt import Prompt

        said, keys = io.StringIO(), [*map(str.rstrip, shown.splitlines())]
        typed = iter([line.partition("> ")[2] for line in keys if SIGN.match(line)])
        answers = Typing([found[1] or "" for line in keys if (found := QUESTION.search(line))], said)
        with (
            contextlib.chdir(self.folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said),
            mock.patch.object(sys, "stdin", answers),
            mock.patch.dict(os.environ, XDG_STATE_HOME=str(self.folder)),
        ):  # fmt: skip
            prompt = Prompt(Console(), screen=DummyOutput())

            def line() -> str:
                text = next(typed, "quit")
                said.write(f"{prompt.sign}{text}\n" if text != "quit" else "")
                return text

            def ask(question: str, for_dice: bool) -> str:
                said.write(question)
                return answers.readline()

            with mock.patch.object(prompt.session, "prompt", line), mock.patch.object(prompt, "ask", ask):
                prompt.stay()
        return said.getvalue()

    def do(self, command: str) -> str:
        """What a command prints."""
        if command == "echo $?":
            return f"{self.code}\n"
        if command.startswith("affray ") and not set("|<>&;$`") & set(re.sub(r"'[^']*'|\"[^\"]*\"", "", command)):
            return self.affray(shlex.split(command, comments=True)[1:])
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder, env={**os.environ, "PATH": path}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
        )  # fmt: skip
        self.code = done.returncode
        return done.stdout

    def affray(self, words: list[str]) -> str:
        """What `affray` prints, run in this process."""
        said = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.code = run(words)
        return said.getvalue()


def environment() -> None:
    """Sets what the output of commands depends on."""
    os.environ.update(AFFRAY_BY="gm", COLUMNS="80", LC_ALL="C.UTF-8")
    for name in ("AFFRAY_LEDGER", "AFFRAY_DICE", "AFFRAY_WAIT", "AFFRAY_DEBUG"):
        os.environ.pop(name, None)


def renew(page: Path, folder: Path) -> None:
    """Rewrites the outputs that a page shows wrongly."""
    reader = reader_of(page, folder)
    text = page.read_text(encoding="utf-8")
    for block in blocks(page):
        if block.file:
            reader.write(block)
        elif block.language == "console":
            renewed = ""
            for shown, command, expected in commands_of(block):
                found = reader.answer(command, expected)
                try:
                    check("", command, expected, found)
                except AssertionError:
                    expected = "".join(line.rstrip() + "\n" for line in found.strip("\n").splitlines())
                renewed += f"$ {shown}\n{expected}"
            text = text.replace(block.text, renewed, 1)
    page.write_text(text, encoding="utf-8")


def check(place: str, command: str, expected: str, found: str) -> None:
    """Raises AssertionError, with both texts, unless the output is the one that a page shows."""
    hint = "If what is found is right: python -m tests.documents\n"
    assert "This is a fault of Affray" not in found, f"{place}: $ {command}\n{found}"
    want, got = masked(expected), masked(found)
    pattern = "".join(".*?" if line == "..." else re.escape(line) + "\n" for line in want.splitlines())
    assert re.fullmatch(pattern, got, re.S), f"{place}: $ {command}\n{hint}--- shown\n{want}\n--- found\n{got}"


def masked(text: str) -> str:
    """The text without what differs from run to run, and without white space at the end of lines."""
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())


ADDING = ROOT / "docs" / "adding-a-system.md"


class Newcomer(Reader):
    """A reader who has nothing but Affray as it is installed, and no network: every command is a process of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        site = folder / ".site"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("AFFRAY")}
        self.environment = {
            **clean, "AFFRAY_BY": "gm", "COLUMNS": "80", "PYTHONPATH": str(site),
            "PATH": os.pathsep.join([str(site / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PIP_TARGET": str(site), "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore",
        }  # fmt: skip
        told = self.do(f"python -m pip install --quiet {shlex.quote(str(ROOT))}")
        assert self.code == 0, told

    def do(self, command: str) -> str:
        """What a command prints."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        )  # fmt: skip
        self.code = done.returncode
        return done.stdout


README = ROOT / "README.md"
END = "\x1e"
"""A sign that nothing prints, which marks where the output of a command ends."""


class Stranger(Reader):
    """Somebody who has the folder of the source and one terminal, and types all of README there, from the first line to
    the last. Nothing is downloaded: what Affray needs is what this Python has. Only the line that runs the tests is
    left out, because they are running.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AFFRAY", "VIRTUAL_ENV", "PYTEST"))
        }
        found = [str(path) for path in map(Path, sys.path) if path.name in ("site-packages", "dist-packages")]
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"], cwd=folder, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={
                **kept, "AFFRAY_BY": "gm", "COLUMNS": "80", "PYTHONPATH": os.pathsep.join(found), "PIP_NO_INDEX": "1",
                "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore",
            },
        )  # fmt: skip

    def read(self, page: Path) -> None:
        """Types every block where the shell then stands."""
        for block in blocks(page):
            place = f"{page.name}, line {block.line}"
            if block.file:
                self.folder = Path(self.do("pwd").strip())
                self.write(block)
            elif block.language == "sh":
                for command in block.text.splitlines():
                    if "pytest" in command:
                        continue
                    told = self.do(command)
                    assert self.code == 0, f"{place}: $ {command}\n{told}"
            elif block.language == "console":
                for shown, command, expected in commands_of(block):
                    check(place, shown, expected, self.do(command))

    def do(self, command: str) -> str:
        """What a command prints."""
        assert self.shell.stdin
        assert self.shell.stdout
        self.shell.stdin.write(f"{command}\n{{ said=$?; printf '{END}%s\\n' $said; (exit $said); }}\n")
        self.shell.stdin.flush()
        told = ""
        while END not in told:
            line = self.shell.stdout.readline()
            assert line, f"$ {command}\n{told}"
            told += line
        told, _, code = told.partition(END)
        self.code = int(code)
        return told

    def leave(self) -> None:
        """Closes the terminal."""
        self.shell.communicate("exit\n", timeout=60)


def reader_of(page: Path, folder: Path) -> Reader:
    """Somebody to read a page."""
    return Newcomer(folder) if page.resolve() == ADDING else Reader(folder)


def table_of_systems() -> str:
    """README's table of the rule systems: how many clauses each has, and where its rules come from."""
    lines = ["| system | clauses | rules |", "|---|---|---|"]
    for name in systems.SYSTEMS:
        marks = [clause.mark for clause in clauses(name).values()]
        page = Path(systems.folder(name)).relative_to(ROOT) / "RULES.md"
        counted = f"{len(marks)}, of which the program applies {marks.count('ruling')}"
        credit = systems.load(name).credit.partition(";")[0].removesuffix(".")
        credit = re.sub(r"^(.+ by .+), chapter (\w+)", r"the \2 chapter of \1", credit)
        lines.append(f"| [`{name}`]({page}) | {counted} | {credit} |")
    return "".join(f"{line}\n" for line in lines)


TABLE = re.compile(r"^\| system \|.*?(?=^$)", re.M | re.S)
"""Finds it in README."""
CONTRIBUTING = ROOT / "docs" / "CONTRIBUTING.md"
ROOMS = re.compile(r"(?<=^```text\n)(?:^floor .*\n)+", re.M)
"""Finds the drawing of the rooms there."""


def main(words: list[str]) -> None:
    """Renews pages, all without words."""
    environment()
    if not words:
        made = subprocess.run([sys.executable, ROOT / "docs" / "vocabulary.py"], stdout=subprocess.PIPE, check=True)
        (ROOT / "docs" / "vocabulary.md").write_bytes(made.stdout)
        made = subprocess.run([sys.executable, ROOT / "docs" / "kinds.py"], stdout=subprocess.PIPE, check=True)
        (ROOT / "commands" / "seen" / "page" / "kinds.js").write_bytes(made.stdout)
        subprocess.run([sys.executable, ROOT / "docs" / "verbs.py"], check=True)
        subprocess.run([sys.executable, ROOT / "docs" / "manual.py"], check=True)
        subprocess.run([sys.executable, ROOT / "docs" / "sheets.py"], check=True)
        subprocess.run([sys.executable, ROOT / "docs" / "authors.py"], check=True)
        subprocess.run([sys.executable, "-m", "tests.frozen"], cwd=ROOT, check=True)
        made = subprocess.run([sys.executable, ROOT / "docs" / "rooms.py"], stdout=subprocess.PIPE, check=True)
        drawn = ROOMS.sub(made.stdout.decode(), CONTRIBUTING.read_text(encoding="utf-8"))
        CONTRIBUTING.write_text(drawn, encoding="utf-8")
        readme = ROOT / "README.md"
        readme.write_text(TABLE.sub(table_of_systems(), readme.read_text(encoding="utf-8")), encoding="utf-8")
    for page in map(Path, words) if words else PAGES:
        with tempfile.TemporaryDirectory() as folder:
            renew(page, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
