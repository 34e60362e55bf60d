"""Marks: a bookmark at an entry, or a comment on it."""

from typing import Annotated

from msgspec.structs import replace

from ledger.events import Marked

from .declaration import Declaration, EntryId, Text, is_entry, number, says
from .resolution import Resolution


class Mark(Declaration):
    """Set a bookmark at an entry, or comment on it: affray mark e30 WORDS. Without the entry it is set at the last
    action. The players read it too, unless you give --secret.
    """

    text: Annotated[Text, says("The words. An entry such as e30 may stand before them.")]
    entry: Annotated[EntryId, says("The entry, where it does not stand before the words.")] = ""


def mark(fight: Resolution, said: Mark) -> None:
    """Records the mark."""
    said = parted(said)
    if is_entry(said.text) and not said.entry:
        fight.impossible("A mark has words.", f"affray mark {said.text} 'a bookmark'")
    if not said.entry:
        fight.impossible("No entry is named to set the mark at.", "Name it before the words, such as e30.")
    fight.record(Marked(number(said.entry), said.text))


def parted(said: Mark) -> Mark:
    """What was said, with an entry that stands before the words as its entry."""
    word, _, words = said.text.partition(" ")
    return replace(said, text=words.strip(), entry=word) if words and not said.entry and is_entry(word) else said
