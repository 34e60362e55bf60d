"""Holding the main action for later in the round, and taking it; and the fighter's luck."""

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import fields

from commands.action.declaration import Declaration, Fighter, Text
from commands.action.resolution import Resolution

from . import actions, order
from .actions import MAIN, MOVE
from .fighters import HELD
from .shove import Struggle

CLAUSE = "aachen.actions.hold"


class Ready(Declaration):
    """Hold the main action for later in the round. It costs the move action and ends the turn."""

    who: Annotated[Fighter, Meta(description="Who waits.")]
    text: Annotated[Text, Meta(description="What for, such as: shoot the wolf when it comes.")]


def ready(fight: Resolution, said: Ready) -> None:
    """aachen.actions.hold: with a main action left, which is spent when it is triggered."""
    if not actions.take_turn(fight, said.who):
        fight.impossible("No round is under way.", order.onward(fight.state))
    allowed = {}
    if not fight.state.points.left(said.who, MAIN):
        fight.refuse(CLAUSE, f"{said.who} has no main action left to hold.", actions.after_turn(fight, said.who))
        allowed = {"allowed": [CLAUSE]}
    actions.spend(fight, said.who, MOVE)
    fight.wait(HELD, said.who, "act:", {"text": said.text, **allowed}, until="until the round ends")
    actions.close_turn(fight)


class Trigger(Struggle):
    """Take a held action, before the one it answers; or (--luck) turn the attack just made by fighter's luck."""

    who: Annotated[Fighter, Meta(description="Who acts.")]
    action: (
        Annotated[
            Literal["attack", "shoot", "push", "grapple", "heal", "defend", "act"],
            Meta(description="attack, shoot, push, grapple, heal, defend or act.", extra={"positional": True}),
        ]
        | None
    ) = None
    target: Annotated[Fighter, Meta(description="On whom.", extra={"positional": True})] = ""
    luck: Annotated[bool, Meta(description="Fighter's luck, instead of a held action.")] = False
    distance: Annotated[int, Meta(ge=0, le=100_000, description="Feet to the target.")] | None = None
    off_hand: Annotated[str, Meta(description="A second weapon, in the other hand.")] = ""
    cover: Annotated[
        Literal["none", "half", "full"], Meta(description="At least half, or almost completely in cover.")
    ] = "none"
    result: Annotated[Literal["back", "prone"], Meta(description="What a shove tries.")] | None = None
    heal_attr: Annotated[Literal["DEX", "INT"], Meta(description="The attribute of a Heal check.")] = "INT"
    magic: Annotated[int, Meta(ge=0, le=1_000_000, description="Hit points that magic heals.")] | None = None
    text: Annotated[str, Meta(max_length=2000, description="What an act is.")] = ""


def trigger(fight: Resolution, said: Trigger) -> None:
    """The held main action as an instant: aachen.actions.hold; or aachen.fighters-luck.window."""
    who = said.who
    if said.luck:
        from . import luck

        if said.action:
            fight.impossible("Luck is no held action.", "Leave out the action, or --luck.")
        luck.call(fight, who)
        return
    if said.action is None:
        fight.impossible("Which action?", "Name one of attack, shoot, push, grapple, heal, defend and act.")
    if not said.target and said.action not in ("defend", "act"):
        fight.impossible(f"On whom does {who} {said.action}?", "Name the target after the action.")
    if fight.state.pending.of(HELD, who) is None:
        fight.refuse(CLAUSE, f"{who} holds no action.", "affray status")
    held = fight.settle(HELD, who, "taken")
    if CLAUSE in held.get("allowed", ()):
        actions.check_able(fight, who)
        actions.check_phase(fight, who)
    else:
        actions.instant(fight, who, CLAUSE)
    _carry_out(fight, said)


def _carry_out(fight: Resolution, said: Trigger) -> None:
    match said.action:
        case "attack":
            from . import melee

            melee.carry_out(fight, _as(melee.Attack, said, distance=5 if said.distance is None else said.distance))
        case "shoot":
            from . import ranged

            ranged.carry_out(fight, _as(ranged.Shoot, said))
        case "push":
            from . import shove

            shove.carry_out(fight, _as(shove.Push, said))
        case "grapple":
            from . import grapple

            grapple.carry_out(fight, _as(grapple.Grapple, said))
        case "heal":
            from . import healing

            healing.carry_out(fight, healing.Heal(said.who, said.target, said.heal_attr, said.magic))
        case "defend":
            from . import defense

            defense.take_guard(fight, said.who)
        case _:
            from . import telling

            telling.tell(fight, said.who, said.text or "acts")


def _as(kind: type[Any], said: Trigger, **given: int) -> Any:
    """The declaration of the action, with all that was said of it."""
    names = {field.name for field in fields(kind)}
    words = {field.name: getattr(said, field.name) for field in fields(said) if field.name in names}
    return kind(**{**words, **given})
