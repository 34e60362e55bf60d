"""Declaring: what somebody tries to do this round."""

from typing import Annotated

from msgspec import Meta

from commands.action import names
from commands.action.declaration import Declaration, Fighter
from commands.action.resolution import Resolution

from . import actions


class Declare(Declaration):
    """Declare what somebody tries to do this round; it is resolved in its phase. A new declaration replaces an
    earlier one. Verbs: attack NAME, shoot NAME, move AREA, check SKILL, misc TEXT, cast SPELL, pray PRAYER,
    disengage, pass.
    """

    who: Annotated[Fighter, Meta(description="Who tries.")]
    verb: Annotated[str, Meta(description="What: attack, shoot, move, check, misc, cast, pray, disengage, pass.")]
    words: Annotated[
        tuple[str, ...], Meta(description="The target, area, skill or text.", extra={"positional": True})
    ] = ()
    engage: Annotated[Fighter, Meta(description="Whom a mover fights where it arrives.")] = ""
    arrive: Annotated[str, Meta(description="Phase in which a mover arrives.")] = "melee"
    difficulty: Annotated[str, Meta(description="Of a check: normal, difficult, extreme or a number.")] = ""
    to: Annotated[str, Meta(description="The area that a check leads to.", extra={"word": "area"})] = ""


OPTIONS = {"engage": "move", "arrive": "move", "difficulty": "check", "to": "check"}
"""To which verb each option belongs."""


def declare(fight: Resolution, said: Declare) -> None:
    """Serves each verb that can be declared.

    Everybody's action, the players' and the referee's, is declared in the same way.
    """
    _check_words(fight, said)
    what = " ".join(said.words)
    match said.verb:
        case "attack":
            from . import melee

            melee.announce(fight, said.who, _target(fight, what))
        case "shoot":
            from . import ranged

            ranged.announce(fight, said.who, _target(fight, what))
        case "move":
            from . import movement

            movement.announce(fight, said.who, what, said.arrive, said.engage)
        case "check":
            from . import checks

            checks.announce(fight, said.who, what, said.difficulty, said.to)
        case "misc":
            from . import checks

            checks.announce_deed(fight, said.who, what)
        case "cast" | "pray":
            from . import magic

            magic.announce(fight, said.who, said.verb, what)
        case "disengage":
            from . import melee

            melee.announce_disengaging(fight, said.who)
        case "pass" | "defend":
            announce_pass(fight, said.who)
        case _:
            fight.impossible(
                f"{said.verb[:40]!a} cannot be declared.",
                "Say attack, shoot, move, check, misc, cast, pray, disengage or pass.",
            )


def _check_words(fight: Resolution, said: Declare) -> None:
    """Stops words that the verb does not take."""
    plain = Declare(said.who, said.verb)
    for option, verb in OPTIONS.items():
        if said.verb != verb and getattr(said, option) != getattr(plain, option):
            fight.impossible(f"--{option} belongs to {verb}, not to {said.verb[:40]}.", "Leave it out.")
    if said.words and said.verb in ("disengage", "pass", "defend"):
        fight.impossible(f"Nothing follows {said.verb}.", "Leave out the rest.")


def _target(fight: Resolution, what: str) -> str:
    """Whose name it is; "" when nobody was named."""
    return names.find(fight.state, what) if what else ""


class Pass(Declaration):
    """Do nothing this round; who passes fights back when somebody picks it."""

    who: Annotated[Fighter, Meta(description="Who passes.")]


def pass_(fight: Resolution, said: Pass) -> None:
    """Declares it."""
    announce_pass(fight, said.who)


def announce_pass(fight: Resolution, who: str) -> None:
    """Declares that somebody takes no action."""
    actions.check_time(fight, who)
    actions.announce(fight, who, "pass", {}, "")
