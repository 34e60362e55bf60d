"""What a power cut can leave of the files of a folder, rebuilt from the calls that a command made.

The model: a write, a truncation, and every change of a folder (a file made, removed, renamed or linked) is in memory
until the file or the folder is synced; until then each may be on the disk or not, in any order, and of a write any of
its sectors may be there. What was synced is there.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.faults.calls import STEADY
from tests.shell import environment

SECTOR = 512
TRACED = (
    "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2,link,linkat,close,"
    "fchmod,chmod,lseek"
)
_LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
_FD = re.compile(r"^(\d+)<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


class Change(NamedTuple):
    """Something that is in memory until it is synced."""

    kind: str
    """`write`, `truncate`, `make`, `remove`, `name`."""
    file: int
    """The file (not its name): they are numbered."""
    name: str
    """The name in the folder, for changes of the folder."""
    at: int
    data: bytes
    gone: str
    """The name that a renaming takes away."""


class Sync(NamedTuple):
    """A file, or the folder when it is -1, is on the disk from here on."""

    file: int


class Said(NamedTuple):
    """The command printed something."""

    text: bytes


Act = Change | Sync | Said


def acts(folder: Path, words: list[str]) -> list[Act]:
    """What a command does to the files of a folder, in order. It must succeed."""
    with tempfile.NamedTemporaryFile("r") as trace:
        strace = ["strace", "-f", "-y", "-xx", "-s", "5000000", "-o", trace.name, "-e", f"trace={TRACED}"]
        done = subprocess.run(
            [*strace, sys.executable, "-P", "-m", "affray", *words],
            cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment(STEADY),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return list(_read(trace, folder))


def _plain(word: str) -> str:
    return bytes.fromhex(word.replace("\\x", "")).decode() if word.startswith("\\x") else word


def _read(trace: Iterator[str], folder: Path) -> Iterator[Act]:
    files: dict[str, int] = {path.name: at for at, path in enumerate(sorted(folder.iterdir()))}
    count = len(files)
    offsets: dict[str, int] = {}

    def local(path: str) -> str | None:
        whole = os.path.normpath(os.path.join(folder, path))
        return os.path.basename(whole) if os.path.dirname(whole) == str(folder) else None

    for line in trace:
        if not (match := _LINE.match(line)) or int(match[3]) < 0:
            continue
        call, rest, result = match.groups()
        fd = _FD.match(rest)
        where = _plain(fd[2]) if fd else ""
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(rest)]
        if call in ("write", "pwrite64") and fd and fd[1] == "1":
            yield Said(texts[0])
        elif call == "openat":
            name = local(texts[0].decode())
            if name is None:
                continue
            offsets[result] = 0
            if "O_CREAT" in rest and name not in files:
                files[name], count = count, count + 1
                yield Change("make", files[name], name, 0, b"", "")
            elif "O_TRUNC" in rest:
                yield Change("truncate", files[name], "", 0, b"", "")
        elif call in ("write", "pwrite64") and (name := local(where)) in files:
            at = int(rest.rsplit(", ", 1)[1]) if call == "pwrite64" else offsets[fd[1]]
            if call == "write":
                offsets[fd[1]] = at + int(result)
            yield Change("write", files[name], "", at, texts[0][: int(result)], "")
        elif call == "lseek" and local(where) in files:
            offsets[fd[1]] = int(result)
        elif call == "ftruncate" and (name := local(where)) in files:
            yield Change("truncate", files[name], "", int(rest.rsplit(", ", 1)[1]), b"", "")
        elif call in ("fsync", "fdatasync"):
            if os.path.normpath(where) == str(folder):
                yield Sync(-1)
            elif (name := local(where)) in files:
                yield Sync(files[name])
        elif call in ("unlink", "unlinkat") and (name := local(texts[0].decode())) in files:
            yield Change("remove", files.pop(name), name, 0, b"", "")
        elif call.startswith(("rename", "link")) and (name := local(texts[0].decode())) in files:
            new = local(texts[1].decode())
            assert new is not None
            moved = call.startswith("rename")
            files[new] = files.pop(name) if moved else files[name]
            yield Change("name", files[new], new, 0, b"", name if moved else "")


class Disk:
    """The files of a folder as they are on the disk for sure, and what is still in memory."""

    def __init__(self, folder: Path) -> None:
        self.names = {path.name: at for at, path in enumerate(sorted(folder.iterdir()))}
        self.data = {at: path.read_bytes() for at, path in enumerate(sorted(folder.iterdir()))}
        self.pending: list[Change] = []

    def take(self, act: Act) -> None:
        """Something happens."""
        if isinstance(act, Change):
            self.pending.append(act)
        elif isinstance(act, Sync):
            of_folder = act.file < 0
            for change in [one for one in self.pending if _of_folder(one) == of_folder]:
                if of_folder or change.file == act.file:
                    _apply(change, self.names, self.data)
                    self.pending.remove(change)

    def after(self, kept: list[Change], torn: random.Random | None = None) -> dict[str, bytes]:
        """The files after a power cut, when of what was in memory only some changes had reached the disk.

        With `torn`, of the last write kept only some sectors did.
        """
        names, data = dict(self.names), dict(self.data)
        for change in kept[:-1] if torn else kept:
            _apply(change, names, data)
        if torn and kept:
            for part in _sectors(kept[-1]):
                if torn.random() < 0.5:
                    _apply(part, names, data)
        return {name: data.get(file, b"") for name, file in names.items()}

    def states(self, chance: random.Random, more: int) -> Iterator[dict[str, bytes]]:
        """What the disk may hold if the power goes now: nothing of what is in memory, all of it, every beginning of it,
        all but one, and some others by chance; each also with its last write torn.
        """
        pending = self.pending
        subsets = [pending[:end] for end in range(len(pending) + 1)]
        subsets += [[*pending[:gap], *pending[gap + 1 :]] for gap in range(len(pending) - 1)]
        subsets += [[one for one in pending if chance.random() < 0.5] for _ in range(more if len(pending) > 2 else 0)]
        for kept in subsets:
            yield self.after(kept)
            if kept and kept[-1].kind == "write":
                yield self.after(kept, chance)


def _of_folder(change: Change) -> bool:
    return change.kind in ("make", "remove", "name")


def _sectors(change: Change) -> list[Change]:
    """A write in parts that reach the disk each on its own; anything else as it is."""
    parts, at = [], 0
    while at < len(change.data):
        end = min(len(change.data), at + SECTOR - (change.at + at) % SECTOR)
        parts.append(change._replace(at=change.at + at, data=change.data[at:end]))
        at = end
    return parts or [change]


def _apply(change: Change, names: dict[str, int], data: dict[int, bytes]) -> None:
    held = data.get(change.file, b"")
    match change.kind:
        case "write":
            filled = held.ljust(change.at, b"\0")
            data[change.file] = filled[: change.at] + change.data + filled[change.at + len(change.data) :]
        case "truncate":
            data[change.file] = held[: change.at].ljust(change.at, b"\0")
        case "make":
            names[change.name] = change.file
            data.setdefault(change.file, b"")
        case "remove":
            if names.get(change.name) == change.file:
                del names[change.name]
        case "name":
            names[change.name] = change.file
            if change.gone:
                names.pop(change.gone, None)
