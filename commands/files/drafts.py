"""Drafts: a file is written under a hidden name and gets its own name only when it is complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ledger.errors import LedgerMissing

DRAFT = ".affray-draft"
"""How the name of a draft ends."""
_BESIDE = ("", "-journal", "-wal", "-shm")
"""What SQLite may put beside a draft."""


@contextmanager
def drafted(path: str) -> Iterator[str]:
    """The name of an empty draft beside `path`; give it its name with `appear` or `replace` before the end.

    Nothing of it is left afterwards. Drafts that a killed process left in the folder are removed. Raises OSError.
    """
    folder = os.path.dirname(os.path.abspath(path))
    _sweep(folder)
    name = os.path.join(folder, f".{os.path.basename(path)[:80]}.{os.getpid()}{DRAFT}")
    held = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with suppress(OSError):  # a file system without locks
            lock(held)
        yield name
    finally:
        _remove(name)
        os.close(held)


def appear(draft: str, path: str) -> None:
    """Gives a finished draft its name, for good. Raises FileExistsError when something has it already."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # a file system without links, or a Python without them
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(draft, path)
    sync_folder_of(path)


def replace(draft: str, path: str) -> None:
    """Replaces a file with a finished draft. An old file may be there; its mode stays. Raises OSError."""
    with suppress(FileNotFoundError):
        os.chmod(draft, os.stat(path).st_mode & 0o7777)
    os.replace(draft, path)
    sync_folder_of(path)


def write_new(path: str, text: str) -> None:
    """Makes a new file of a text. Raises LedgerMissing when it exists or cannot be made."""
    check_new(path)
    try:
        with drafted(path) as draft:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(text)
            appear(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise LedgerMissing(f"{path} cannot be made: {error.strerror}.") from None


def check_new(path: str) -> None:
    """Raises LedgerMissing when there is a file of that name."""
    if os.path.lexists(path):
        raise _taken(path)


def _taken(path: str) -> LedgerMissing:
    return LedgerMissing(f"{path} already exists; nothing was changed.", "Name another file.")


def sync_folder_of(path: str) -> None:
    """The file already has its name, so a folder that cannot be synced is no reason to fail."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _sweep(folder: str) -> None:
    """Removes the drafts of processes that were killed: nobody holds their locks any more."""
    listed: list[str] = []
    with suppress(OSError):  # a folder in which one may write, and not read
        listed = os.listdir(folder)
    names = (name.rpartition(DRAFT) for name in listed if name.startswith("."))
    for stem in {stem for stem, ending, beside in names if stem and ending and beside in _BESIDE}:
        draft = os.path.join(folder, stem + DRAFT)
        with suppress(OSError):
            held = os.open(draft, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0))
            try:
                lock(held)
                _remove(draft)
            finally:
                os.close(held)


def lock(held: int) -> None:
    """Locks an open file until it is closed. Raises OSError when another process has it, or there are no locks."""
    try:
        import fcntl
    except ImportError:
        raise OSError from None
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove(draft: str) -> None:
    """The next command that makes a file here removes what cannot be removed now."""
    for beside in _BESIDE:
        with suppress(OSError):
            os.unlink(draft + beside)
