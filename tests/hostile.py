"""Ledgers that somebody sends who wishes a reader ill, and names for their files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.shell import Shell, chain_anew, foreign, without_guards

VERDICT = "\u2713 Sound, rule by rule"
WORDS = f"\x1b[2J\x1b[H{VERDICT}\r\n\x07<img src=x onerror=parent.run=1><script>run=1</script>\u202e"
"""Signs that clear a terminal and write a verdict there, and markup."""
NAMES = (f"{WORDS[:40]}.affray", "../../x.affray", "--help.affray", ".affray", "a.AFFRAY", f"{'x' * 300}.affray",
         "file:x?mode=memory.affray", "kept.affray-journal", "kept.affray-wal")  # fmt: skip
"""Names of files; the last are those that SQLite would read with a ledger beside them."""


def ledgers(shell: Shell) -> dict[str, bytes]:
    """The files by name; each was a sound ledger. None is one any more."""
    shell.done("demo", "freepg", "--file", "kept.affray")
    kept = Path("kept.affray").read_bytes()
    lines = shell.done("--ledger", "kept.affray", "export", "--format", "jsonl").encode()
    name = json.dumps(f"B{WORDS}")[1:-1].encode()
    return {
        "words.affray": _changed(kept, lambda word: word.replace("Boffin", f"B{WORDS}")),
        "huge.affray": _changed(kept, lambda word: word, lambda number: 10**400 + number),
        "long.affray": _changed(kept, lambda word: word.replace("Boffin", "B" * 100_000)),
        "elsewhere.affray": _changed(kept, lambda word: "../../os" if word == "freepg" else word),
        "arkm.affray": _changed(kept, lambda word: "arkm" if word == "freepg" else word, program="affray 9 arkm-9"),
        "view.affray": _with(kept, "ALTER TABLE entries RENAME TO them", "CREATE VIEW entries AS WITH RECURSIVE"
                             " n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT them.* FROM them, n"),
        "trigger.affray": _with(kept, "CREATE TRIGGER t BEFORE INSERT ON entries BEGIN DELETE FROM events; END"),
        "table.affray": _with(kept, f'CREATE TABLE "{WORDS}" (a)'),
        "half.affray": kept[: len(kept) // 2],
        "words.jsonl": lines.replace(b"Boffin", name),
        "deep.jsonl": b'{"entry":' * 100_000,
    }  # fmt: skip


def _with(kept: bytes, *statements: str) -> bytes:
    """A ledger into which somebody has put tables, views or triggers."""
    made = Path("made.affray")
    made.write_bytes(kept)
    with foreign(made) as db:
        for statement in statements:
            db.execute(statement)
    db.close()
    return made.read_bytes()


def _changed(kept: bytes, words: Callable[[str], str], numbers: Callable[[int], int] = int, program: str = "") -> bytes:
    """A ledger in which every word and number of every event is another one, and which was chained anew."""

    def other(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: one if key == "event" else other(one) for key, one in value.items()}
        if isinstance(value, list):
            return [other(one) for one in value]
        if isinstance(value, str):
            return words(value)
        return numbers(value) if type(value) is int else value

    made = Path("made.affray")
    made.write_bytes(kept)
    with without_guards(made) as db:
        for seq, body in db.execute("SELECT seq, body FROM events").fetchall():
            text = json.dumps(other(json.loads(body)), separators=(",", ":"), ensure_ascii=False)
            db.execute("UPDATE events SET body = ?, split = min(split, ?) WHERE seq = ?", (text, len(text), seq))
        if program:
            db.execute("UPDATE entries SET program = ?", (program,))
    chain_anew(made)
    return made.read_bytes()
