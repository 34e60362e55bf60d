"""The tables, triggers and views of a ledger file (format 1).

Kept apart from the store because an ordinary command never needs it. `docs/store.md` explains it.
"""

import re
from collections.abc import Collection
from contextlib import closing
from sqlite3 import Connection, connect

from .hurting import HARM

TABLES = """
CREATE TABLE entries (
    entry INTEGER PRIMARY KEY,
    after INTEGER NOT NULL,
    command INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    by TEXT NOT NULL,
    typed TEXT NOT NULL,
    program TEXT NOT NULL,
    once TEXT NOT NULL,
    parts TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE INDEX jumps ON entries (entry, after) WHERE after <> entry - 1;
CREATE INDEX resolved_again ON entries (entry, origin) WHERE origin <> entry;
CREATE UNIQUE INDEX once ON entries (once) WHERE once <> '';
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL,
    body TEXT NOT NULL,
    split INTEGER NOT NULL,
    kind TEXT GENERATED ALWAYS AS (substr(body, 11, instr(substr(body, 11), '"') - 1)) VIRTUAL
) STRICT;
CREATE INDEX events_of ON events (entry);
CREATE INDEX milestones ON events (seq, entry, kind)
WHERE kind IN ('encounter-began', 'round-began', 'encounter-ended');
CREATE INDEX lasting ON events (seq, entry, kind) WHERE kind IN ('stirred', 'revealed', 'dice-revealed');
CREATE TABLE keys (
    key TEXT NOT NULL
) STRICT;
CREATE TABLE checkpoints (
    entry INTEGER PRIMARY KEY,
    reducers TEXT NOT NULL,
    state TEXT NOT NULL,
    seal TEXT NOT NULL
) STRICT;
"""

_FROZEN = "".join(
    f"""
CREATE TRIGGER {table}_are_never_changed BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only: nothing in {table} is ever changed'); END;
CREATE TRIGGER {table}_are_never_deleted BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only: nothing in {table} is ever deleted'); END;
"""
    for table in ("entries", "events", "keys")
)

_TRIGGERS = (
    _FROZEN
    + """
CREATE TRIGGER entries_come_in_order BEFORE INSERT ON entries
WHEN NEW.entry IS NOT (SELECT coalesce(max(entry), 0) + 1 FROM entries)
  OR NEW.after NOT BETWEEN 0 AND NEW.entry - 1
  OR (NEW.once <> '' AND EXISTS (SELECT 1 FROM entries WHERE once = NEW.once))
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only: this is not the next entry'); END;
CREATE TRIGGER events_come_in_order BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
  OR NEW.entry IS NOT (SELECT max(entry) FROM entries)
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only: this is not the next event'); END;
CREATE TRIGGER keys_come_once BEFORE INSERT ON keys
WHEN EXISTS (SELECT 1 FROM keys)
BEGIN SELECT RAISE(ABORT, 'a ledger has one key'); END;
"""
)


def _said(*fields: str, of: str = "body") -> str:
    """Columns with what an event says under these names.

    By `json_each`, because a view may use that in every SQLite even where nothing in a file is trusted. Before SQLite
    3.41 it may not use `->>` there.
    """
    return ", ".join(f"{_value(field, of)} AS {field}" for field in fields)


def _value(path: str, of: str = "body") -> str:
    """One value in the JSON of an event: a text, a number or NULL."""
    return f"(SELECT value FROM json_each({of}, '$.{path}'))"


def _list(*fields: str) -> str:
    """Columns with lists of an event, each as JSON."""
    return ", ".join(f"(SELECT value FROM json_each(body) WHERE key = '{field}') AS {field}" for field in fields)


_PLACE = "(SELECT value FROM json_each(body, '$.places[' || die.key || ']'))"
_CLAUSES = """(
    SELECT group_concat(DISTINCT value) FROM (
        SELECT value FROM json_each(body) WHERE key = 'clause'
        UNION ALL SELECT value FROM json_each(body, '$.also')
        UNION ALL SELECT field.value FROM json_each(body, '$.numbers') AS number,
            json_each(number.value, '$.steps') AS step, json_each(step.value) AS field WHERE field.key = 'clause'
    )
)"""
"""Every clause that a ruling names: its own, those decided with it, and those of terms."""
_STANDS = "entry IN (SELECT entry FROM standing) AS stands"


def _damage(kinds: Collection[str]) -> str:
    """The view of harm of some kinds, given by their tags."""
    cards = {kind: HARM[kind] for kind in kinds}
    *others, (_, last) = cards.items()
    units = " ".join(f"WHEN '{kind}' THEN '{card.WORD}'" for kind, card in others)
    amounts = dict.fromkeys(card.AMOUNT for card in cards.values() if card.AMOUNT)
    values = dict.fromkeys(card.NOW for card in cards.values() if card.NOW)
    return f"""
SELECT events.seq, events.entry, {_said("who", of="events.body")},
       CASE events.kind {units} ELSE '{last.WORD}' END AS unit,
       coalesce({", ".join(_value(field, "events.body") for field in amounts)}, 1) AS points,
       coalesce({", ".join(_value(field, "events.body") for field in values)}) AS now,
       {_said("verb", of="declared.body")},
       events.entry IN (SELECT entry FROM standing) AS stands
FROM events JOIN events AS declared ON declared.entry = events.entry AND declared.kind = 'declared'
WHERE events.kind IN ({", ".join(f"'{kind}'" for kind in kinds)})"""


VIEWS = {
    "standing": """
WITH RECURSIVE course(first, last) AS (
    SELECT coalesce((SELECT max(entry) FROM entries WHERE after <> entry - 1), 1), max(entry) FROM entries
    UNION ALL
    SELECT coalesce((SELECT max(entry) FROM entries WHERE after <> entry - 1 AND entry <= jump.after), 1), jump.after
    FROM course JOIN entries AS jump ON jump.entry = course.first
    WHERE jump.after <> jump.entry - 1 AND jump.after > 0
)
SELECT entries.* FROM course JOIN entries ON entries.entry BETWEEN course.first AND course.last""",
    "rolls": f"""
SELECT seq, entry, {_said("who", "purpose", "about", "dice")}, {_list("faces", "places")}, {_STANDS}
FROM events WHERE kind = 'rolled'""",
    "dice": f"""
SELECT seq, entry, {_said("who", "purpose", "about", "dice")}, die.key + 1 AS nth, die.value AS face,
       {_PLACE} AS place, CASE {_PLACE} WHEN 0 THEN 'typed' ELSE 'program' END AS source, {_STANDS}
FROM events, json_each(events.body, '$.faces') AS die WHERE kind = 'rolled'""",
    "rulings": f"""
SELECT seq, entry, {_said("clause", "who", "about")}, {_value("numbers[0].total")} AS left_total, {_said("sign")},
       {_value("numbers[1].total")} AS right_total, coalesce({_value("outcome")}, 'overruled') AS outcome,
       {_list("numbers")}, {_CLAUSES} AS clauses, {_STANDS}
FROM events WHERE kind IN ('ruled', 'overruled')""",
    "damage": _damage(HARM),
    "rounds": f"""
SELECT encounter, round, first_entry, last_entry
FROM (
    SELECT kind, encounter, round, entry AS first_entry,
           coalesce(lead(entry) OVER (ORDER BY seq) - 1, (SELECT max(entry) FROM entries)) AS last_entry
    FROM (
        SELECT seq, entry, kind, {_said("round")},
               sum(kind = 'encounter-began') OVER (ORDER BY seq) AS encounter
        FROM events
        WHERE kind IN ('encounter-began', 'round-began', 'encounter-ended') AND entry IN (SELECT entry FROM standing)
    )
)
WHERE kind = 'round-began'""",
}
"""Name and query of each view."""


def lay_out(path: str, application: int, version: int) -> None:
    """Makes an empty ledger file: header, tables, triggers, views. Raises sqlite3.Error when it cannot be made."""
    from sqlite_utils import Database

    with closing(Database(connect(path), recursive_triggers=False)) as ledger:
        ledger.executescript(f"PRAGMA application_id = {application}; PRAGMA user_version = {version};")
        ledger.executescript(f"BEGIN; {TABLES} {_TRIGGERS} COMMIT;")
        for name, query in VIEWS.items():
            ledger.create_view(name, query)


def differences(file: Connection) -> list[str]:
    """What a ledger lacks of the format, has in other words, or has besides, in a sentence each.

    Views of other names are no difference: they show what is there, and no command reads them. Nor is what SQLite keeps
    for itself, such as the statistics of ANALYZE.
    """
    with closing(connect(":memory:")) as model:
        model.executescript(TABLES + _TRIGGERS)
        wanted, held = _objects(model), _objects(file)
    shown = held.get(("view", "damage"), "")  # a ledger is no other because its program did not know a later kind
    views = {**VIEWS, "damage": _damage([kind for kind in HARM if f"'{kind}'" in shown] or HARM)}
    wanted |= {("view", name): " ".join(query.split()) for name, query in views.items()}
    found = [f"The {kind} {name} is missing." for kind, name in wanted if (kind, name) not in held]
    for (kind, name), sql in held.items():
        if (kind, name) in wanted:
            if wanted[kind, name] != sql:
                found.append(f"The {kind} {name} is not as the format has it.")
        elif kind != "view":
            found.append(f"The {kind} {name[:60]!r} is none of a ledger's own.")
    return found


def _objects(file: Connection) -> dict[tuple[str, str], str]:
    """What a database holds, by kind and name: the statement that makes it, of a view the query."""
    rows = file.execute(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type <> 'table' OR name NOT GLOB 'sqlite_stat*'"
    )
    found = {}
    for kind, name, sql in rows:
        if kind == "view" and (made := re.match(rf"CREATE VIEW \W?{re.escape(name)}\W? AS\s", sql)):
            sql = " ".join(sql[made.end() :].split())
        found[kind, name] = sql
    return found
