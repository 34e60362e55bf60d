"""Parts: an entry as a file for players holds it. Some of its parts are left out.

A part that is shown stands with its blind, so that anybody can make its leaf; of one that is left out only the leaf is
there. The open halves of all events are always shown, and need no blind.
`docs/store.md` describes the form.
"""

import re

import msgspec
from msgspec import Struct

from .chain import PLAN, SECRET, SIZE, leaf
from .hashing import digest, frames

Part = str | tuple[str, ...]
"""What is left out, as its leaf in hexadecimal; or what is shown: its blind in hexadecimal, and what it covers."""


_PLANS = re.compile(rf"{PLAN}[0-9A-Za-z\u0080-\U0010ffff][0-9A-Za-z\u0080-\U0010ffff_'-]*")
"""The seal of a plan: a name has no blank and no sign of ASCII but three. What else is a letter is not asked, since the
next version of Unicode knows others.
"""


class Halves(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An event."""

    open: str
    """Always shown; "" where nothing of the event is open."""
    closed: Part
    """"" where all of the event is open, so that nothing is closed."""

    def body(self) -> str | None:
        """All of the event, as it is recorded; None where its closed half is left out.

        Raises msgspec.ValidationError when what is shown as its closed half is none.
        """
        if isinstance(self.closed, str):
            return None if self.closed else self.open
        if len(self.closed) != 2 or not self.closed[1]:
            raise msgspec.ValidationError("a closed half that is shown has a blind and a text")
        return self.open + self.closed[1]


class Parts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All parts of an entry. Of a sealed entry that is left out there is one leaf, and nothing else."""

    sealed: str = ""
    """The seal of the entry: `secret`, or `plan` and a name; "" when it is not sealed."""
    leaf: str = ""
    """The leaf of a sealed entry that is left out."""
    blind: str = ""
    """The blind of the leaf of a sealed entry that is shown."""
    words: Part = ""
    """Who gave the command, what was typed, the command's id."""
    counts: str = ""
    """The leaf of the open and the hidden dice drawn so far, which are never shown."""
    events: tuple[Halves, ...] = ()

    def leaves(self) -> bytes:
        """What the digest of the entry covers: the leaves of all parts, in order, or the one leaf of a sealed entry.

        Raises ValueError or msgspec.ValidationError when one is not possible, or a part is missing.
        """
        if self.sealed not in ("", SECRET) and not _PLANS.fullmatch(self.sealed):
            raise ValueError("no entry is sealed like this")
        if self.leaf:
            if not self.sealed or self.blind or self.words or self.counts or self.events:
                raise ValueError("an entry that is left out has one leaf")
            return _bytes(self.leaf, 32)
        if bool(self.sealed) is not bool(self.blind) or not self.events:
            raise ValueError("a part is missing")
        bodies = [event.body() for event in self.events]
        if not isinstance(self.words, str) and (len(self.words) != 4 or None in bodies):
            raise ValueError("the words of an entry are shown with all of its events")
        closed = [event.closed for event in self.events if event.closed]
        opened = digest(frames(*(event.open.encode() for event in self.events)))
        of_parts = opened + b"".join(map(_leaf, (self.words, self.counts, *closed)))
        return leaf(_bytes(self.blind, SIZE), of_parts) if self.sealed else of_parts


def decode(text: str) -> Parts:
    """Parts from their JSON. Raises msgspec.MsgspecError when they are none."""
    return _decoder.decode(text)


_decoder = msgspec.json.Decoder(Parts)


def encode(parts: Parts) -> str:
    """The JSON of parts."""
    return msgspec.json.encode(parts).decode()


def _leaf(part: Part) -> bytes:
    return _bytes(part, 32) if isinstance(part, str) else leaf(_bytes(part[0], SIZE), *map(str.encode, part[1:]))


def _bytes(word: str, size: int) -> bytes:
    """So many bytes from hexadecimal digits. Raises ValueError when there are others, or it is written otherwise."""
    found = bytes.fromhex(word)
    if len(found) != size or found.hex() != word:
        raise ValueError(f"{2 * size} hexadecimal digits are missing")
    return found
