"""Link: a whole fight in the address of a page that shows and verifies it. Nothing of it is sent to a server."""

import os
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from io import BytesIO
from typing import Annotated

from msgspec import Meta

from commands.action.declaration import Declaration, Words
from commands.look.filters import Filters
from commands.seen.record import Record, players_sides
from commands.words.console import Console
from ledger import SUFFIX
from ledger.errors import UsageError

from .exports.json_lines import write

_KEY = "fight"
_CHAT = 4_000
"""The most signs of a line that chats send whole."""
_LONGEST = 1_500_000
"""The most signs of an address that browsers open."""
_LARGEST = 64 << 20
"""The most bytes that a link may unfold to."""
_ADDRESS = re.compile(r"(https?|file)://[!-~]+")


class Link(Declaration):
    """Print an address that holds this fight, as far as the players may see it. A browser that opens it verifies the
    fight itself and tells its story; no server gets to know it.
    """

    whole: Annotated[
        bool, Meta(description="The whole record, with the key and all secrets: only for somebody who may know all.")
    ] = False
    page: Annotated[
        str, Meta(description="The address of the page that opens it; by default $AFFRAY_PAGE (docs/screens.md).")
    ] = ""
    sides: Annotated[Words, Meta(description="The players' sides, about which all is told.")] = ()


def link(console: Console, said: Link) -> None:
    """Prints the address; a warning or an advice goes to standard error."""
    book = console.book
    if said.whole and book.store.is_for_players:
        raise UsageError("This ledger holds only what the players see.", "Leave --whole out.")
    if said.whole and said.sides:
        raise UsageError("--whole holds all of it, so --sides leaves nothing out.", "Leave one of them out.")
    page = said.page or os.environ.get("AFFRAY_PAGE", "")
    if not _ADDRESS.fullmatch(page):
        raise UsageError(
            f"{page[:80]!r} is not an address of a page." if page else "No page is named that opens the link.",
            "affray link --page https://example.org/affray/\nexport AFFRAY_PAGE=https://example.org/affray/",
        )
    open_ = said.whole or book.store.is_for_players
    sides = None if open_ else players_sides(book, said.sides)
    lines = BytesIO()
    write(Record(book, Filters(), sides=sides), lines)
    address = (
        f"{page.partition('#')[0]}#{_KEY}={_plain(book.store.name.removesuffix(SUFFIX))}.{folded(lines.getvalue())}"
    )
    file = f"affray export fight.jsonl{'' if open_ else ' --player-safe'}"
    if len(address) > _LONGEST:
        raise UsageError(f"This fight is too long for an address: it would have {len(address):,} signs.", file)
    if console.json:
        console.give({"ok": True, "address": address, "whole": said.whole})
        return
    console.say(address, whole=True)
    if said.whole:
        console.whisper(
            "Warning: this address holds the campaign's key and all secrets. With it anybody can read everything and"
            " work out the dice to come."
        )
    if len(address) > _CHAT:
        console.whisper(f"It has {len(address):,} signs, and some chats cut such a line; a file does as well.")
        console.advise(file)


def _plain(name: str) -> str:
    """The name of a ledger as a part of the address and of a file's name."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:60] or _KEY


def folded(lines: bytes) -> str:
    """JSON Lines as they stand in an address: deflated, in base64url without padding."""
    packer = zlib.compressobj(9, wbits=-15)
    return urlsafe_b64encode(packer.compress(lines) + packer.flush()).decode().rstrip("=")


def unfolded(text: str) -> bytes:
    """The JSON Lines of an address. Raises UsageError when it was cut or changed, or holds too much."""
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        packer = zlib.decompressobj(wbits=-15)
        found = packer.decompress(packed, _LARGEST)
        if not packer.eof or packer.unused_data:
            raise ValueError("cut")
    except (ValueError, zlib.error):
        raise UsageError("This link was cut or changed on its way.", "Ask for the file instead.") from None
    return found
