"""The shape that every event shares."""

from msgspec import Struct


class Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event", gc=False):
    """A fact that was recorded and will never change.

    Its JSON carries a kebab-case tag in `event`. Fields that hold their default are left out, so that a field
    gained in a later version does not change the bytes of an event that was written before.
    """
