"""Every file call of a command, and what happens when one of them fails. Works through strace's fault injection."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.shell import environment

TRACED = (
    "openat,read,pread64,write,pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,link,linkat,fcntl,close,lseek,"
    "newfstatat,flock,fchmod,chmod"
)
FAULTS = ("signal=SIGKILL", "error=ENOSPC", "error=EIO")
"""What can happen at a call. A process that is killed before its next call was killed after this one."""
PRINTING = re.compile(r"write\(1<")
STEADY = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "AFFRAY_WAIT": "1"}
"""What makes two runs of a command make the same calls."""
_HERE = re.compile(r"AT_FDCWD<[^>]*>, ")
_RELATIVE = re.compile(r'\w+\("[^/"]')
_CALL = re.compile(r"^\d+ +(\w+)\((.*)$")


class Call(NamedTuple):
    """One file call of a command: its name, and which of all calls of that name it is."""

    name: str
    nth: int
    words: str
    """As strace shows it."""


class Ended(NamedTuple):
    """The result of a command."""

    code: int
    """-9 when it was killed."""
    out: str
    err: str
    struck: bool
    """Whether the fault happened at the call that was meant."""


@cache
def refusal() -> str:
    """Why no fault can be injected on this machine; "" where it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    done = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, text=True)
    return "" if done.returncode == 0 else "ptrace is forbidden here"


def _traced(folder: Path, words: list[str], *tampering: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    with tempfile.NamedTemporaryFile("r") as trace:
        strace = ["strace", "-f", "-y", "-s", "0", "-o", trace.name, "-e", f"trace={TRACED}", *tampering]
        done = subprocess.run(
            [*strace, sys.executable, "-P", "-m", "affray", *words],
            cwd=folder, env=environment(STEADY), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
        )  # fmt: skip
        return done, trace.read().splitlines()


def _calls(lines: list[str]) -> list[Call]:
    counts: dict[str, int] = {}
    found = []
    for line in lines:
        if match := _CALL.match(line):
            name, rest = match.groups()
            counts[name] = counts.get(name, 0) + 1
            found.append(Call(name, counts[name], f"{name}({rest}"))
    return found


def concerns(call: Call, folder: Path) -> bool:
    """Whether a call is about a file of this folder, or prints."""
    words = _HERE.sub("", call.words)
    return str(folder) in words or bool(_RELATIVE.match(words) or PRINTING.match(words))


def calls(folder: Path, words: list[str]) -> tuple[list[Call], str]:
    """The calls of a command on the files of its folder and on its output, and what it prints."""
    done, lines = _traced(folder, words)
    assert done.returncode == 0, done.stderr
    return [call for call in _calls(lines) if concerns(call, folder)], done.stdout


def struck(folder: Path, words: list[str], call: Call, fault: str) -> Ended:
    """Carries out a command that meets a fault at one of its calls."""
    done, lines = _traced(folder, words, "-e", f"inject={call.name}:{fault}:when={call.nth}")
    same = [one for one in _calls(lines) if (one.name, one.nth) == (call.name, call.nth)]
    happened = bool(same) and concerns(same[0], folder)
    return Ended(done.returncode, done.stdout, done.stderr, happened)
