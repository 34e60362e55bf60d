"""TOML as it is written: in which line of a file each value stands, and a value in one line. Python only reads it."""

import re
from typing import Any

import msgspec

Place = tuple[str | int, ...]
"""Where a value stands in a file: the keys, and the numbers in lists, that lead to it."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)""")
_TEXT = re.compile(r'''"""(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.S)
_PLAIN = re.compile(r"[^,\]}#\n]*")


def lines(text: str) -> dict[Place, int]:
    r"""The line of each table, of each value, and of each member of a list. The text must be sound TOML.

    >>> lines('name = "Bob"\n[[items]]\nslot = { a = [1,\n 2] }')[("items", 0, "slot", "a", 1)]
    4
    """
    return _Reading(text).found


class _Reading:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line, self.counted = text, 0, 1, 0
        self.found: dict[Place, int] = {(): 1}
        self.lists: dict[Place, int] = {}
        """The number of tables so far under each `[[name]]`."""
        table: Place = ()
        while self._skip():
            if self._takes("["):
                table = self._table(self._takes("["))
            else:
                self._pair(table)

    def _table(self, of_list: bool) -> Place:
        """Reads the head of a table. In a name that leads through a list, the last table of the list is meant."""
        place: Place = ()
        keys = self._keys()
        for nth, key in enumerate(keys):
            place = (*place, key)
            self.found.setdefault(place, self._line())
            if nth == len(keys) - 1 and of_list:
                self.lists[place] = self.lists.get(place, -1) + 1
            if place in self.lists:
                place = (*place, self.lists[place])
                self.found.setdefault(place, self._line())
        self.at = self.text.index("]", self.at) + (2 if of_list else 1)
        return place

    def _pair(self, table: Place) -> None:
        """Reads a key with its value."""
        place = table
        for key in self._keys():
            place = (*place, key)
            self.found.setdefault(place, self._line())
        self._takes("=")
        self._value(place)

    def _value(self, place: Place) -> None:
        self._skip()
        self.found.setdefault(place, self._line())
        if self._takes("["):
            nth = 0
            while not self._takes("]"):
                self._value((*place, nth))
                self._takes(",")
                nth += 1
        elif self._takes("{"):
            while not self._takes("}"):
                self._pair(place)
                self._takes(",")
        else:
            found = _TEXT.match(self.text, self.at) or _PLAIN.match(self.text, self.at)
            assert found is not None
            self.at = found.end()

    def _keys(self) -> list[str]:
        """Reads a key, or several with dots between them."""
        keys, more = [], "."
        while more:
            found = _KEY.match(self.text, self.at)
            assert found is not None
            quoted, literal, bare, more = found.groups()
            if quoted is not None:
                import tomllib

                quoted = str(tomllib.loads(f'key = "{quoted}"')["key"])  # with its escapes resolved
            keys.append(next(key for key in (quoted, literal, bare) if key is not None))
            self.at = found.end()
        return keys

    def _skip(self) -> bool:
        """Skips white space and comments. Whether something is left."""
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        return self.at < len(self.text)

    def _takes(self, sign: str) -> bool:
        self._skip()
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def _line(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line


def toml(value: Any) -> str:
    """A value as a TOML file holds it, in one line.

    >>> print(toml({"name": "two-hander", "hands": [1, 2], "silver": True}))
    { name = "two-hander", hands = [1, 2], silver = true }
    """
    match value:
        case bool():
            return str(value).lower()
        case dict():
            inner = ", ".join(f"{_key(name)} = {toml(one)}" for name, one in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, int) and value.bit_length() > 10_000:
        return hex(value)  # more digits than Python writes
    return msgspec.json.encode(value).decode() if isinstance(value, str) else str(value)


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else msgspec.json.encode(name).decode()
