"""The vocabulary: everything that can be recorded. Closed, and shared by all rule systems.

`docs/vocabulary.md` lists every kind with its fields; a test keeps that page equal to this code.
"""

from functools import cache
from typing import Any, Union

import msgspec

from .base import Event
from .campaign import CampaignBegan, OptionChanged, TableSet
from .conditions import ConditionEnded, ConditionGained, Until
from .counts import Counted
from .disputes import Agreed, DisputeClosed, DisputeOpened
from .encounter import EncounterBegan, EncounterEnded, GroundCleared, GroundLaid
from .gear import AmmunitionSet, AmmunitionSpent, Dropped, Equipped, ItemGained, ItemLost, PickedUp, Unequipped
from .harm import (
    Felled,
    HpGained,
    HpLost,
    HpSet,
    PainEased,
    PainSuffered,
    Rose,
    StressEased,
    StressGained,
    WoundsHealed,
    WoundsSustained,
    WoundSuffered,
    WoundTreated,
)
from .history import Reinstated, Retracted
from .magica import AmbientMagicaSet, AmbientMagicaSpent, MagicaGained, MagicaSpent
from .melee import Disengaged, Engaged, SkirmishEnded, SkirmishJoined
from .pending import Awaited, Settled
from .points import PointsSet, PointsSpent
from .positions import AreaEntered, AreasLaid, Faced, LinkLaid, Moved, Placed
from .roster import Joined, Left, SideChanged, TruceEnded, TruceMade
from .turns import InitiativeSet, OrderSet, PhaseBegan, RoundBegan, TieBroken, TurnBegan, TurnEnded
from .words import Declared, Noted, Number, Overruled, Rolled, Ruled, Step, number

KINDS: tuple[type[Event], ...] = (
    Declared, Rolled, Ruled, Overruled, Noted,
    CampaignBegan, OptionChanged, TableSet,
    Joined, Left, SideChanged, TruceMade, TruceEnded,
    EncounterBegan, EncounterEnded, GroundLaid, GroundCleared,
    InitiativeSet, TieBroken, OrderSet, RoundBegan, PhaseBegan, TurnBegan, TurnEnded,
    HpSet, HpLost, HpGained, PainSuffered, PainEased, WoundSuffered, WoundTreated,
    StressGained, StressEased, WoundsSustained, WoundsHealed, Felled, Rose,
    ConditionGained, ConditionEnded,
    PointsSet, PointsSpent, Counted,
    MagicaGained, MagicaSpent, AmbientMagicaSet, AmbientMagicaSpent,
    Equipped, Unequipped, AmmunitionSet, AmmunitionSpent, Dropped, PickedUp, ItemGained, ItemLost,
    Placed, Moved, Faced, AreasLaid, LinkLaid, AreaEntered,
    Engaged, Disengaged, SkirmishJoined, SkirmishEnded,
    Awaited, Settled,
    DisputeOpened, DisputeClosed, Agreed,
    Retracted, Reinstated,
)  # fmt: skip
"""Every kind of event, in the order of the documentation."""

LONGEST = 200
"""The most characters of what is wrong with a body: it may repeat much of it."""
_encoder = msgspec.json.Encoder(order="deterministic")


def encode(event: Event) -> bytes:
    """The canonical JSON of an event: fields in their order, mappings sorted, no spaces, defaults left out."""
    return _encoder.encode(event)


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[KINDS])  # noqa: UP007  `|` cannot join a tuple


def decode(body: bytes | str) -> Event:
    """The event that a body describes.

    Raises msgspec.ValidationError when it is not one.
    """
    try:
        event: Event = _decoder().decode(body)
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None
    except msgspec.DecodeError as error:
        if len(str(error)) <= LONGEST:
            raise
        raise msgspec.ValidationError(f"{str(error)[:LONGEST]} ...") from None
    return event


def tag(kind: type[Event]) -> str:
    """The kebab-case name under which a kind is recorded."""
    return str(kind.__struct_config__.tag)
