"""SHA-256 and HMAC, from the interpreter's own module: loading OpenSSL would take longer than a whole command.

Work on a whole record takes OpenSSL's (`in_bulk`), which is several times as fast once it is there.
"""

from typing import Any

try:
    from _sha256 import sha256  # CPython up to 3.11; `random` of the standard library does the same with SHA-512
except ImportError:
    try:
        from _sha2 import sha256  # CPython from 3.12 on
    except ImportError:
        from hashlib import sha256

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


_MANY = 1_000
"""Entries from which on OpenSSL's functions are worth their loading."""


def in_bulk(entries: int) -> None:
    """Takes OpenSSL's functions from now on, if there is work for them on so many entries."""
    global sha256
    if entries >= _MANY:
        from hashlib import sha256


def digest(data: Any) -> bytes:
    """SHA-256 of some bytes."""
    found: bytes = sha256(data).digest()
    return found


def hexdigest(data: Any) -> str:
    """SHA-256 of some bytes, in hexadecimal."""
    found: str = sha256(data).hexdigest()
    return found


def length(number: int) -> bytes:
    """A length as it stands in front of a frame: 8 bytes, big-endian."""
    return number.to_bytes(8, "big")


def frames(*texts: bytes) -> bytes:
    """Texts one after another, each after its length: no two lists give the same bytes."""
    return b"".join([len(text).to_bytes(8, "big") + text for text in texts])  # as `length`, without a call for each


class Hmac:
    """HMAC-SHA-256 (RFC 2104) with one key of at most 64 bytes, for many messages."""

    def __init__(self, key: bytes) -> None:
        padded = key.ljust(64, b"\0")
        self._inner, self._outer = sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))

    def of(self, message: bytes) -> bytes:
        """The 32 bytes of a message."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        found: bytes = outer.digest()
        return found


def hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 of one message, for a key of at most 64 bytes."""
    return Hmac(key).of(message)
