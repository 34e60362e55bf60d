"""Metadata for Datasette: titles, columns explained, and queries for common questions.

The queries use the tables and views that every ledger of format 1 has; nothing in the ledger is changed.
"""

from collections.abc import Iterable
from typing import IO, Any

import msgspec

from commands.seen.record import Record
from ledger.hurting import CHANGES, HARM


def _said(fields: Iterable[str]) -> str:
    """The values of some fields of an event, each field once."""
    return ", ".join(f"e.body ->> '$.{field}'" for field in dict.fromkeys(fields) if field)


def _kinds(kinds: Iterable[str]) -> str:
    return ", ".join(f"'{kind}'" for kind in kinds)


_UNIT = "substr(e.kind, 1, instr(e.kind, '-') - 1)"
"""What an event of harm counts, the first word of its kind: hp, pain ..., or wound for one that has a name."""
_NAMED = _kinds(kind for kind, card in CHANGES.items() if card.TONE and not card.AMOUNT)
_POINTS = f"coalesce({_said(card.AMOUNT for card in CHANGES.values())}, CASE WHEN e.kind IN ({_NAMED}) THEN 1 END)"
_NOW = f"coalesce({_said(card.NOW for card in CHANGES.values())})"

QUERIES: dict[str, tuple[str, str, str]] = {
    "hp_over_time": (
        "Hit points over time",
        "Every harm and every healing that stands, with the value after it.",
        f"SELECT e.entry, e.body ->> '$.who' AS who, e.kind, {_UNIT} AS unit, {_POINTS} AS points,"
        f" {_NOW} AS now FROM events AS e WHERE e.kind IN ({_kinds(CHANGES)})"
        " AND e.entry IN (SELECT entry FROM standing) AND (:who = '' OR e.body ->> '$.who' = :who) ORDER BY e.seq",
    ),
    "damage_by_verb": (
        "Damage by combatant and verb",
        "The sum of the harm, by combatant, verb and unit.",
        f"SELECT e.body ->> '$.who' AS who, d.body ->> '$.verb' AS verb, {_UNIT} AS unit, count(*) AS times,"
        f" sum({_POINTS}) AS points FROM events AS e JOIN events AS d ON d.entry = e.entry AND d.kind = 'declared'"
        f" WHERE e.kind IN ({_kinds(HARM)})"
        " AND e.entry IN (SELECT entry FROM standing) GROUP BY 1, 2, 3 ORDER BY 5 DESC, 1, 2, 3",
    ),
    "dice_by_roller": (
        "Dice by roller",
        "How often each die was thrown, and its average, for the rolls that stand.",
        "SELECT who, dice, source, count(*) AS thrown, round(avg(face), 2) AS mean, min(face) AS least,"
        " max(face) AS most FROM dice WHERE stands GROUP BY who, dice, source ORDER BY thrown DESC",
    ),
    "faces": (
        "Faces of one kind of die",
        "How often each face came up, for the rolls that stand.",
        "SELECT face, sum(source = 'program') AS program, sum(source = 'typed') AS typed FROM dice"
        " WHERE stands AND dice = :dice GROUP BY face ORDER BY face",
    ),
    "rulings_by_clause": (
        "Rulings by clause",
        "Which rules decided what, and how often.",
        "SELECT clause, outcome, count(*) AS times FROM rulings WHERE stands GROUP BY clause, outcome"
        " ORDER BY times DESC",
    ),
    "conditions": (
        "Conditions",
        "When conditions began and ended, and for whom.",
        "SELECT e.entry, e.body ->> '$.who' AS who, e.body ->> '$.condition' AS condition,"
        " CASE e.kind WHEN 'condition-gained' THEN 'gained' ELSE 'ended' END AS change,"
        " coalesce(e.body ->> '$.until', 'removed') AS until FROM events AS e"
        " WHERE e.kind IN ('condition-gained', 'condition-ended') AND e.entry IN (SELECT entry FROM standing)"
        " ORDER BY e.seq",
    ),
    "undone": (
        "What was undone",
        "Entries that no longer stand, as typed.",
        "SELECT entry, recorded_at, by, typed FROM entries WHERE entry NOT IN (SELECT entry FROM standing)"
        " ORDER BY entry",
    ),
    "overruled": (
        "What the game master allowed",
        "Rules that the game master overruled, with the reason.",
        "SELECT entry, body ->> '$.clause' AS clause, body ->> '$.why' AS against, body ->> '$.reason' AS reason"
        " FROM events WHERE kind = 'overruled' AND entry IN (SELECT entry FROM standing) ORDER BY seq",
    ),
}
"""Name, title, description and SQL of each canned query."""

TABLES: dict[str, dict[str, Any]] = {
    "entries": {
        "description": "A row for each command, in the order of recording; docs/store.md explains every column.",
        "sort_desc": "entry",
        "columns": {
            "after": "the entry that it follows",
            "origin": "the entry whose action it resolves again; otherwise its own number",
            "typed": "the words of the command",
            "digest": "the chain: a hash of this entry and of the digest before it",
        },
    },
    "events": {
        "description": "What each entry recorded, as JSON; docs/vocabulary.md explains every kind.",
        "sort": "seq",
        "facets": ["kind"],
    },
    "standing": {"description": "The entries that stand at the head: the course of play."},
    "rolls": {"description": "A row for each roll.", "facets": ["who", "purpose"]},
    "dice": {"description": "A row for each die.", "facets": ["who", "dice", "source"]},
    "rulings": {"description": "A row for each ruling.", "facets": ["clause", "outcome"]},
    "damage": {"description": "A row for each harm, in its unit.", "facets": ["who", "unit", "verb"]},
    "rounds": {"description": "A row for each round that stands."},
    "keys": {"hidden": True, "allow": False},
    "checkpoints": {"hidden": True},
}
"""The tables and views of a ledger, as Datasette should show them."""


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the metadata."""
    name = record.store.name
    database = {
        "tables": TABLES,
        "queries": {
            query: {"title": title, "description": description, "sql": sql}
            for query, (title, description, sql) in QUERIES.items()
        },
    }
    metadata = {
        "title": record.campaign.name,
        "description": f"A campaign of {record.title}, recorded by Affray; {record.line}.",
        "databases": {name.rpartition(".")[0] or name: database},
    }
    file.write(msgspec.json.format(msgspec.json.encode(metadata), indent=2) + b"\n")
