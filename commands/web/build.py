"""Builds the page: a folder of plain files that any web server can serve.

`python -m commands.web DIR` writes it. What runs in it beside Affray comes from PyPI and npm, in the versions and with
the hashes of `wheels.txt` and `packages.json`. npm and node are needed, and the extra `dev`.
"""

import base64
import gzip
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import chdir, closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from commands.action import systems
from commands.action.book import PROGRAM, events_of
from commands.live.views import Watched
from commands.seen.page.templates import SCENES, bundle, style_sheet, template
from commands.seen.scenes import NOTHING
from commands.shell.cli import run
from commands.words.discovery import opened

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
_STATIC, _LIVE = _HERE / "static", _ROOT / "commands" / "live" / "static"
_ENGINE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page needs."""
_PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux_2_28_x86_64")
"""Those for whose Python a package may be made. Of one made for Linux only what is not compiled is taken."""
_PIP = (
    "download -q --disable-pip-version-check --no-deps --require-hashes --only-binary=:all:"
    " --python-version 3.14 --implementation cp"
)
"""What gets wheels as `wheels.txt` names them."""
_UNUSED = (".pyi", ".c", "py.typed", "sqlite_utils/cli.py")
"""The endings of what nobody needs of the wheels."""
_LEFT_OUT = ("commands/launch/", "commands/web/", "ledger/postgres/")
"""What of the program the page does not need."""
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self' blob:; worker-src 'self' blob:; frame-src 'self'; base-uri 'none';"
    " form-action 'none'"
)
"""What the page may do: nothing that leaves its own origin. The terminal writes its style sheet as it runs, and Ctrl-C
takes back an address of the page itself, which begins with `blob:`.
"""
_VIEW_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'"
)
"""What the live page in it may do."""


def build(folder: Path) -> None:
    """Writes all files of the page into a folder, which is made if need be. Raises SystemExit with a sentence when
    something is missing, or is not what it should be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    engine = folder / "engine"
    engine.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        work = Path(made)
        packages = _npm(work)
        for name in _ENGINE[:-1]:
            shutil.copyfile(packages["pyodide"] / name, engine / name)
        lock = json.loads((packages["pyodide"] / _ENGINE[-1]).read_text(encoding="utf-8"))
        (engine / _ENGINE[-1]).write_text(json.dumps({**lock, "packages": {}}), encoding="utf-8")
        wheels = _wheels(work)
        _pack(work, wheels, packages["pyodide"], engine / "affray.xz")
        for one in ("@xterm/xterm lib/xterm.js", "@xterm/xterm css/xterm.css", "@xterm/addon-fit lib/addon-fit.js"):
            name, file = one.split()
            (folder / file.rpartition("/")[2]).write_bytes(_without_map((packages[name] / file).read_bytes()))
        (folder / "licences.txt").write_text(_licences(packages, wheels), encoding="utf-8")
    _page(folder)
    _view(folder)


def packed(folder: Path) -> dict[str, int]:
    """The bytes of Python and of all wheels as a server sends them, packed with gzip: of Pyodide alone, and of all."""
    sizes = {name: len(gzip.compress((folder / "engine" / name).read_bytes(), 9)) for name in (*_ENGINE, "affray.xz")}
    return {"pyodide": sum(sizes[name] for name in _ENGINE), "all": sum(sizes.values())}


# What comes from npm and PyPI


def _npm(work: Path) -> dict[str, Path]:
    """The packages of `packages.json`, unpacked, by name."""
    wanted: dict[str, str] = json.loads((_HERE / "packages.json").read_text(encoding="utf-8"))
    _done("npm", "pack", "--silent", "--pack-destination", str(work), *wanted)
    found = {}
    for package, integrity in wanted.items():
        name, _, version = package.rpartition("@")
        archive = work / f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if integrity != f"sha512-{digest}":
            sys.exit(f"{package} is not what it was: sha512-{digest}.")
        with tarfile.open(archive) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 has it
            files.extractall(work / name)
        found[name] = work / name / "package"
    return found


def _wheels(work: Path) -> list[Path]:
    """The wheels of `wheels.txt`."""
    folder = work / "wheels"
    options = _PIP.split() + [f"--platform={one}" for one in _PLATFORMS]
    files = "-r", str(_HERE / "wheels.txt"), "-d", str(folder)
    _done(sys.executable, "-m", "pip", *options, *files)
    return sorted(folder.iterdir())


def _done(*words: str) -> None:
    """Carries out a command. Raises SystemExit with what it said when it fails, or is not there."""
    if not shutil.which(words[0]):
        sys.exit(f"{words[0]} is not installed; the page cannot be built without it.")
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words[:3])} failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")


# The program


def _pack(work: Path, wheels: list[Path], pyodide: Path, target: Path) -> None:
    """Writes the program and the wheels into one file, compiled for the Python of the page: a line of JSON with the
    name and the size of each, then all of them one after another, packed as one.
    """
    program = work / "program"
    program.mkdir()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as files:
            unused = (*_UNUSED, ".so") if "linux" in wheel.name else _UNUSED
            for name in files.namelist():
                if ".dist-info/" not in name and not name.endswith(unused):
                    files.extract(name, program)
    for path in _program():
        copy = program / path.relative_to(_ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    _done("node", str(_HERE / "compile.mjs"), str(pyodide), str(program))
    paths = [path for path in sorted(program.rglob("*")) if path.is_file()]
    index = [(path.relative_to(program).as_posix(), path.stat().st_size) for path in paths]
    whole = b"".join([json.dumps(index).encode(), b"\n", *(path.read_bytes() for path in paths)])
    target.write_bytes(lzma.compress(whole, preset=9 | lzma.PRESET_EXTREME))


def _program() -> Iterator[Path]:
    """The files of Affray that run in the page."""
    for folder in ("ledger", "projections", "commands"):
        for path in sorted((_ROOT / folder).rglob("*")):
            inside = path.relative_to(_ROOT).as_posix()
            if path.is_file() and "__pycache__" not in inside and not inside.startswith(_LEFT_OUT):
                yield path
    yield from (_HERE / name for name in ("__init__.py", "engine.py"))


def _without_map(script: bytes) -> bytes:
    """A script without the line that names its source map, which is not shipped."""
    return b"\n".join(line for line in script.split(b"\n") if not line.startswith(b"//# sourceMappingURL="))


def _licences(packages: dict[str, Path], wheels: list[Path]) -> str:
    """The licences of all that is shipped, each as its package says it."""
    parts = [f"Affray\n\n{(_ROOT / 'LICENSE').read_text(encoding='utf-8')}"]
    for name, folder in packages.items():
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("LICEN[SC]E*")))
        parts.append(f"{name} {about['version']}: {about['license']}\n{_source(about)}\n\n{text}")
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as files:
            (metadata,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
            lines = files.read(metadata).decode().partition("\n\n")[0].splitlines()
            said = [line.partition(": ")[2] for line in lines if line.startswith(("License-Expression: ", "License: "))]
            texts = [files.read(name).decode() for name in files.namelist() if _is_licence(name)]
        title = " ".join(wheel.name.split("-")[:2])
        parts.append(f"{title}: {said[0] if said else 'see below'}\n\n" + "\n".join(texts))
    return ("\n" + "=" * 80 + "\n\n").join(f"{part.strip()}\n" for part in parts)


def _source(about: dict[str, object]) -> str:
    repository = about.get("repository")
    place = repository.get("url", "") if isinstance(repository, dict) else repository
    return f"Its source: {str(place).removeprefix('git+')}"


def _is_licence(name: str) -> bool:
    inside = name.partition(".dist-info/")[2].rpartition("/")[2].upper()
    return inside.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE"))


# The page


def _page(folder: Path) -> None:
    """The page with its scripts and styles."""
    titles = {name: systems.load(name).title for name in systems.SYSTEMS}
    page = template("index.html", _STATIC).render(policy=_POLICY, program=PROGRAM, systems=titles)
    (folder / "index.html").write_text(page, encoding="utf-8")
    for name in ("app.css", "page.js", "line.js", "files.js", "worker.js"):
        shutil.copyfile(_STATIC / name, folder / name)


def _view(folder: Path) -> None:
    """The live page, which the program in the page answers; and the demo fight as it plays it before."""
    page = template("view.html", _STATIC, _LIVE).render(
        campaign="Affray", program=PROGRAM, last=0, now="", line="", scene=NOTHING, titles=(), policy=_VIEW_POLICY
    )
    (folder / "view.html").write_text(page, encoding="utf-8")
    style = style_sheet() + (_LIVE / "seat.css").read_text(encoding="utf-8")
    (folder / "view.css").write_text(style, encoding="utf-8")
    live = (_LIVE / f"{name}.js" for name in ("live", "controls", "form", "desk"))
    scripts = bundle(_STATIC / "frame.js", *SCENES, *live, _STATIC / "verdict.js")
    (folder / "view.js").write_text(scripts, encoding="utf-8")
    shutil.copyfile(_LIVE / "live.svg", folder / "live.svg")
    with TemporaryDirectory() as made, chdir(made), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        os.environ.pop("AFFRAY_LEDGER", None)
        run(["demo", "freepg"])
        with closing(opened("demo-freepg.affray")) as store:
            for name, sides in (("players", systems.load("freepg").players), ("gm", None)):
                view, sent = Watched(store, sides), b""
                for entry, digest in store.entries(1, store.head().entry):
                    view.take(entry, digest, events_of(entry))
                    # the fight began with e2
                    sent = sent + view.snapshot().messages[-1].sent if entry.entry > 2 else view.snapshot().whole
                (folder / f"demo-{name}.txt").write_bytes(sent)
