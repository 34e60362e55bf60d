"""The campaigns of a database."""

from contextlib import suppress

import msgspec

from .address import Address
from .schema import checked_format


class Campaign(msgspec.Struct, frozen=True):
    """A campaign of a database, as `campaigns` finds it."""

    name: str
    system: str
    """Its rule system; "" where it holds only what the players see."""
    entries: int
    changed: str
    """When its last entry was recorded."""
    address: str


def campaigns(said: str) -> list[Campaign]:
    """All campaigns of a database, by name. Raises NoLedger when it holds no ledgers."""
    address = Address(said)
    query = (
        "SELECT turns.campaign, coalesce(begun.body, ''), coalesce(last.entry, 0), coalesce(last.recorded_at, '')"
        " FROM affray.turns LEFT JOIN LATERAL (SELECT entry, recorded_at FROM affray.entries"
        " WHERE entries.campaign = turns.campaign ORDER BY entry DESC LIMIT 1) AS last ON true"
        " LEFT JOIN affray.events AS begun"
        " ON begun.campaign = turns.campaign AND begun.entry = 1 AND begun.nth = 2 ORDER BY turns.campaign"
    )
    db, (formats, found) = address.connect(("SELECT format FROM affray.format", ()), (query, ()))
    db.close()
    checked_format(formats, address)
    return [Campaign(name, system_of(body), last, at, address.of(name)) for name, body, last, at in found]


def system_of(body: str) -> str:
    """The rule system that the event says with which a campaign begins."""
    with suppress(msgspec.DecodeError, TypeError, AttributeError):
        return str(msgspec.json.decode(body).get("system", ""))
    return ""
