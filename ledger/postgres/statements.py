"""The statements that read and record."""

from ledger.chain import COLUMNS

KINDS = ("stirred", "revealed", "dice-revealed")
"""The kinds of events that no undo takes back."""
_LASTING = f"kind IN {KINDS}"
ENTRIES = f"SELECT {COLUMNS} FROM affray.entries WHERE campaign = %s AND entry BETWEEN %s AND %s ORDER BY entry"
"""Entries from one to another; the events of these are `EVENTS`."""
EVENTS = (
    "SELECT entry, body, split FROM affray.events WHERE campaign = %s AND entry BETWEEN %s AND %s ORDER BY entry, nth"
)
STANDING = (
    "SELECT entry FROM affray.entries WHERE campaign = %s AND entry = ANY(%s::bigint[])"
    " AND (after = entry - 1 OR entry = ANY(%s::bigint[]))"
)
"""Those of some entries that stand after the one before, or are among others."""
BODIES = "SELECT entry, body FROM affray.events WHERE campaign = %s AND entry = ANY(%s::bigint[]) ORDER BY entry, nth"
"""The events of some entries."""
HEAD = "SELECT entry, digest, drawn, hidden FROM affray.entries WHERE campaign = %s ORDER BY entry DESC LIMIT 1"
TIP = (
    "SELECT head.entry, digest, drawn, hidden, reducers, state, seal,"
    f" (SELECT entry FROM affray.events WHERE campaign = %s AND {_LASTING} AND entry > %s"
    " ORDER BY entry DESC, nth DESC LIMIT 1) IS NOT NULL"
    " OR (SELECT entry FROM affray.entries WHERE campaign = %s AND after <> entry - 1 AND entry > %s"
    " ORDER BY entry DESC LIMIT 1) IS NOT NULL"
    f" FROM ({HEAD}) AS head LEFT JOIN affray.checkpoints AS kept"
    " ON kept.campaign = %s AND kept.entry = head.entry AND head.entry <> %s"
)
"""The head, the checkpoint there, unless the head is the one that is known, and whether `STIRS` or `JUMPS` have
anything to say. They are sought in the order of an index, here and below: for EXISTS the planner may read whole tables.
"""
STIRS = (
    f"SELECT entry, kind, body FROM affray.events WHERE campaign = %s AND {_LASTING} AND entry > %s ORDER BY entry, nth"
)
"""What no undo takes back, after an entry."""
JUMPS = (
    "SELECT entry, after FROM affray.entries WHERE campaign = %s AND after <> entry - 1 AND entry BETWEEN %s AND %s"
    " ORDER BY entry DESC LIMIT %s"
)
"""Entries from one to another that do not stand after the one before them, the newest first."""
FOLDED = """
WITH RECURSIVE course(first, last, after) AS (
    SELECT coalesce(jump.entry, 1), tip.entry, coalesce(jump.after, 0)
    FROM (SELECT %(tip)s::bigint AS entry) AS tip LEFT JOIN LATERAL (
        SELECT entry, after FROM affray.entries WHERE campaign = %(campaign)s AND after <> entries.entry - 1
            AND entries.entry <= tip.entry ORDER BY entries.entry DESC LIMIT 1
    ) AS jump ON true
    UNION ALL
    SELECT coalesce(jump.entry, 1), course.after, coalesce(jump.after, 0)
    FROM course LEFT JOIN LATERAL (
        SELECT entry, after FROM affray.entries WHERE campaign = %(campaign)s AND after <> entries.entry - 1
            AND entries.entry <= course.after ORDER BY entries.entry DESC LIMIT 1
    ) AS jump ON true
    WHERE course.after > 0 AND (
        SELECT entry FROM affray.checkpoints WHERE campaign = %(campaign)s AND reducers = %(reducers)s
            AND entry BETWEEN course.first AND course.last ORDER BY entry DESC LIMIT 1
    ) IS NULL
)
SELECT course.first, course.last, kept.entry, kept.state, kept.seal, kept.digest
FROM course LEFT JOIN LATERAL (
    SELECT checkpoints.entry, state, seal, digest FROM affray.checkpoints
    JOIN affray.entries ON entries.campaign = checkpoints.campaign AND entries.entry = checkpoints.entry
    WHERE checkpoints.campaign = %(campaign)s AND reducers = %(reducers)s
        AND checkpoints.entry BETWEEN course.first AND course.last
    ORDER BY checkpoints.entry DESC LIMIT 1
) AS kept ON true
ORDER BY course.first DESC"""
"""The pieces of a course, the newest first, up to the first that has a checkpoint, each with its newest checkpoint."""
_APPEND = (
    f"WITH entry AS (INSERT INTO affray.entries (campaign, {COLUMNS})"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)){}"
    " INSERT INTO affray.events (campaign, entry, nth, body, split) SELECT %s, %s, nth, body, split"
    " FROM ROWS FROM (json_array_elements_text(%s::json), unnest(string_to_array(%s, ',')::bigint[]))"
    " WITH ORDINALITY AS event(body, split, nth)"
)
"""An entry with its events. The braces are for more to do along with it."""
BEFORE = (
    "DELETE FROM affray.checkpoints WHERE campaign = %s AND entry %% %s <> 0 AND entry ="
    " (SELECT max(entry) FROM affray.checkpoints WHERE campaign = %s AND entry < %s)"
)
"""Deletes the checkpoint before one, unless it is to stay."""
KEEP = (
    "INSERT INTO affray.checkpoints (campaign, entry, reducers, state, seal) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)
APPEND = _APPEND.format("")
APPEND_AND_KEEP = _APPEND.format(f", before AS ({BEFORE}), kept AS ({KEEP})")
"""An entry with its events and a checkpoint."""
