"""CloudEvents 1.0: every event as one, in the JSON batch format (`application/cloudevents-batch+json`).

`source` and `id` together name an event for ever: the campaign by its commitment to the key of its dice, and the event
by its entry and its place in it. The first event of a batch names its source.
"""

import re
from collections.abc import Iterator
from typing import IO, Any

import msgspec

from commands.seen.record import Page, Record
from commands.words.screen import harmless
from ledger import FORMAT

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", re.ASCII)


def write(record: Record, file: IO[bytes]) -> None:
    """Writes the batch, one event a line."""
    encode = msgspec.json.Encoder().encode
    source = f"urn:affray:campaign:{record.campaign.commitment}{'#player-safe' if record.sides is not None else ''}"
    before = b"[\n"
    for event in _events(record, source):
        file.write(before + encode(event))
        before = b",\n"
    file.write(b"\n]\n")


def _events(record: Record, source: str) -> Iterator[dict[str, Any]]:
    head = record.store.entry(record.head.entry)
    yield {
        "specversion": "1.0",
        "id": f"export-of-e{record.head.entry}",
        "source": source,
        "type": "affray.exported",
        **_time(head.recorded_at),
        "subject": _subject(record.campaign.name),
        "datacontenttype": "application/json",
        "dataschema": f"urn:affray:format:{FORMAT}:exported",
        "data": {
            "campaign": record.campaign.name,
            "system": record.campaign.system,
            "head": record.line,
            "playersafe": record.sides is not None,
        },
    }
    for page in record.pages():
        yield from _of(page, source)


def _of(page: Page, source: str) -> Iterator[dict[str, Any]]:
    entry = page.entry
    for nth, fact in page.facts:
        yield {
            "specversion": "1.0",
            "id": f"e{entry.entry}-{nth}",
            "source": source,
            "type": f"affray.{fact['event']}",
            **_time(entry.recorded_at),
            "subject": _subject(str(fact.get("who") or f"e{entry.entry}")),
            "datacontenttype": "application/json",
            "dataschema": f"urn:affray:format:{FORMAT}:{fact['event']}",
            "entry": entry.entry,
            "nth": nth,
            "stands": page.stands,
            "encounter": page.chapter.encounter,
            "round": page.chapter.round,
            "data": {key: value for key, value in fact.items() if key != "event"},
        }


def _time(recorded_at: str) -> dict[str, str]:
    """The attribute, which must be a time of RFC 3339; none for an entry made by hand with any other time."""
    return {"time": recorded_at} if _TIME.fullmatch(recorded_at) else {}


def _subject(words: str) -> str:
    """A context attribute must not be empty, nor hold control characters."""
    return harmless(words) or "-"
