"""Parts: an entry of which some are left out, as a file for players holds it.

A part is shown with its blind, so that anybody can make its leaf; of one that is left out only the leaf is there.
`docs/store.md` describes the form.
"""

import msgspec
from msgspec import Struct

from .chain import SIZE, leaf

Part = str | tuple[str, ...]
"""What is left out, as its leaf in hexadecimal; or what is shown: its blind in hexadecimal, and what it covers."""


class Halves(Struct, frozen=True, array_like=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event."""

    open: Part
    closed: Part
    told: str = ""
    """What is said in place of an event that is left out. Nothing proves it."""


class Parts(Struct, frozen=True, forbid_unknown_fields=True):
    """All parts of an entry."""

    words: Part
    """Who gave the command, what was typed, the command's id."""
    counts: Part
    """The open and the hidden dice drawn so far, as decimal numbers."""
    events: tuple[Halves, ...]

    def leaves(self) -> bytes:
        """The leaves of all parts, in order. Raises ValueError when one is not possible."""
        halves = [half for event in self.events for half in (event.open, event.closed)]
        return b"".join(map(_leaf, (self.words, self.counts, *halves)))


def shown(blind: bytes, *texts: str) -> Part:
    """A part that is shown."""
    return (blind.hex(), *texts)


def hidden(blind: bytes, *texts: str) -> Part:
    """A part that is left out."""
    return leaf(blind, *map(str.encode, texts)).hex()


def decode(text: str) -> Parts:
    """Parts from their JSON. Raises msgspec.MsgspecError when they are none."""
    return _decoder.decode(text)


_decoder = msgspec.json.Decoder(Parts)


def encode(parts: Parts) -> str:
    """The JSON of parts."""
    return msgspec.json.encode(parts).decode()


def _leaf(part: Part) -> bytes:
    if isinstance(part, str):
        return _bytes(part, 32)
    return leaf(_bytes(part[0] if part else "", SIZE), *map(str.encode, part[1:]))


def _bytes(word: str, size: int) -> bytes:
    """So many bytes from hexadecimal digits. Raises ValueError when there are others, or it is written otherwise."""
    found = bytes.fromhex(word)
    if len(found) != size or found.hex() != word:
        raise ValueError(f"{2 * size} hexadecimal digits are missing")
    return found
