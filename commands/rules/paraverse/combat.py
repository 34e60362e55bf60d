"""What somebody does in a round: each verb declares it in planning, and resolves it in its phase."""

from typing import Annotated, Literal

from commands.action.declaration import Declaration, Fighter, says
from commands.action.encounters import require_encounter
from commands.action.resolution import Resolution

from . import actions, assignment
from .rolls import Choices, Circumstances, WhatCame, check_early, check_heard

# Hand to hand


Arrival = Literal["ranged", "melee", "magic", "misc", "end"]
"""The phases in which a mover can arrive."""


class Attack(Choices):
    """Attack somebody in melee: declare it in planning, and fight the skirmish in the melee phase."""

    who: Annotated[Fighter, says("Who attacks.")]
    target: Annotated[Fighter, says("Who is attacked. Needed in planning only.", positional=True)] = ""


def attack(fight: Resolution, said: Attack) -> None:
    """Declares the attack, or fights its skirmish."""
    from . import foresight, melee

    if actions.is_resolved(fight, said.who, "attack", target=said.target):
        melee.check_verb(fight, said.who, attacking=True)
        melee.resolve_one(fight, said.who, said, said.target)
        check_heard(fight, said)
    else:
        melee.announce(fight, said.who, said.target)
        check_early(fight, said)
        foresight.warn(fight, said.who)


class Disengage(Choices):
    """Try to get away from all opponents: declare it in planning, and fight the skirmish in the melee phase."""

    who: Annotated[Fighter, says("Who tries to get away.")]


def disengage(fight: Resolution, said: Disengage) -> None:
    """Declares it, or fights its skirmish."""
    from . import melee

    if actions.is_resolved(fight, said.who, "disengage"):
        melee.check_verb(fight, said.who, attacking=False)
        melee.resolve_one(fight, said.who, said)
        check_heard(fight, said)
    else:
        melee.announce_disengaging(fight, said.who)
        check_early(fight, said)


class Skirmish(Declaration):
    """Pick an opponent in the melee phase: the two form a skirmish, or one joins the opponent's."""

    who: Annotated[Fighter, says("Who picks.")]
    target: Annotated[Fighter, says("The opponent.")]


def skirmish(fight: Resolution, said: Skirmish) -> None:
    """A pick by name; what the rules have against it, the game master may let through: paraverse.assign.referee."""
    from . import assignment

    require_encounter(fight)
    phase = fight.state.turns.phase
    if phase != "melee":
        what = "Skirmishes are picked and fought in the melee phase."
        if phase:
            actions.wait_for_melee(fight, what)
        hint = actions.ways_to(fight, "melee")
        fight.refuse("paraverse.phase.melee", "No round is open.", hint)
        fight.impossible(what, hint)
    assignment.pick(fight, said.who, said.target)


# From afar


class Shoot(Circumstances):
    """Shoot or throw at somebody: declare it in planning, and resolve it in the ranged phase."""

    who: Annotated[Fighter, says("Who shoots.")]
    target: Annotated[Fighter, says("The target. Needed in planning only.", positional=True)] = ""
    stray: Annotated[Fighter, says("Who a miss may hit, with stray_shots on.")] = ""


def shoot(fight: Resolution, said: Shoot) -> None:
    """Declares the shot, or resolves it."""
    from . import ranged

    if actions.is_resolved(fight, said.who, "shoot", target=said.target):
        ranged.resolve_shot(fight, actions.due(fight, said.who, "shoot"), said, said.stray)
        check_heard(fight, said)
    else:
        ranged.announce(fight, said.who, said.target)
        check_early(fight, said)


# Movement and other deeds


class Move(Declaration):
    """Move to an adjacent area. The game master decides when in the round the mover arrives."""

    who: Annotated[Fighter, says("Who moves.")]
    to: Annotated[str, says("The area to move to.", word="area")]
    arrive: Annotated[Arrival, says("The phase at whose start the mover arrives.")] = "melee"
    engage: Annotated[Fighter, says("Whom the mover fights there.")] = ""


def move(fight: Resolution, said: Move) -> None:
    """Declares the move; arriving needs no further word."""
    from . import foresight, movement

    movement.announce(fight, said.who, said.to, said.arrive, said.engage)
    foresight.warn(fight, said.who)


class Check(Circumstances):
    """Try a skill: declare it in planning, and roll in the misc phase; outside a fight, roll at once."""

    who: Annotated[Fighter, says("Who tries.")]
    skill: Annotated[str, says("The skill, or a stat. Needed in planning only.", positional=True)] = ""
    difficulty: Annotated[str, says("normal, difficult, extreme, or a number.")] = ""
    to: Annotated[str, says("The area that a success leads to.", word="area")] = ""
    outcome: WhatCame = ""


def check(fight: Resolution, said: Check) -> None:
    """Declares the check, or rolls it. What comes of it, the game master says: paraverse.check.outcome."""
    from . import checks, places

    area = fight.write_in_full(said.to, places.find(fight.state, said.to) or said.to)
    if not fight.state.encounter.running:
        actions.check_able(fight, fight.state, said.who)
        skill = checks.known_skill(fight, said.who, said.skill)
        if said.to:
            fight.impossible("Outside of an encounter there are no areas.", [fight.otherwise(to="")])
        checks.roll_check(fight, said.who, skill, checks.difficulty(fight, said.difficulty), said)
        check_heard(fight, said)
    elif actions.is_resolved(fight, said.who, "check", skill=said.skill, area=area):
        waiting = actions.due(fight, said.who, "check")
        checks.check_difficulty(fight, waiting, said.difficulty)
        checks.resolve_misc(fight, waiting, said)
        check_heard(fight, said)
    else:
        checks.announce(fight, said.who, said.skill, said.difficulty, said.to)
        check_early(fight, said)


class Misc(Declaration):
    """Do something that no other verb covers: declare it in planning, and record the outcome in the misc phase."""

    who: Annotated[Fighter, says("Who does it.")]
    text: Annotated[str, says("What they do. Needed in planning only.", max_length=2000, positional=True)] = ""
    outcome: WhatCame = ""


def misc(fight: Resolution, said: Misc) -> None:
    """Declares the deed, or records that it is done: paraverse.action.misc."""
    if actions.is_resolved(fight, said.who, "misc", text=said.text):
        from . import checks

        checks.resolve_misc(fight, actions.due(fight, said.who, "misc"), Circumstances())
    else:
        actions.announce_told(fight, said.who, "misc", said.text)
        check_early(fight, said)


class Pass(Declaration):
    """Do nothing this round; anyone who passes still fights back. In the melee phase, call off a declared attack."""

    who: Annotated[Fighter, says("Who passes.")]


def pass_(fight: Resolution, said: Pass) -> None:
    """Declares it, or lets a fight go."""
    if not assignment.let_go(fight, said.who):
        actions.announce_pass(fight, said.who)


# Whatever it is


class Declare(Declaration):
    """Declare what somebody tries to do this round; it is resolved in its phase. A new declaration replaces an
    earlier one. Verbs: attack NAME, shoot NAME, move AREA, check SKILL, misc TEXT, cast SPELL, pray PRAYER,
    disengage, pass.
    """

    who: Annotated[Fighter, says("Who tries.")]
    verb: Annotated[str, says(f"One of {', '.join(actions.DECLARED)}.", offers=actions.DECLARED)]
    words: Annotated[tuple[str, ...], says("The target, area, skill or text.", positional=True, players=True)] = ()
    engage: Annotated[Fighter, says("Whom the mover fights on arrival.", players=True)] = ""
    arrive: Annotated[Arrival, says("The phase at whose start the mover arrives.", players=True)] = "melee"
    difficulty: Annotated[str, says("For a check: normal, difficult, extreme or a number.")] = ""
    to: Annotated[str, says("The area that a check leads to.", word="area")] = ""


_OPTIONS = {"engage": "move", "arrive": "move", "difficulty": "check", "to": "check"}
"""To which verb each option belongs."""


def declare(fight: Resolution, said: Declare) -> None:
    """Serves each verb that can be declared.

    Everybody's action, the players' and the game master's, is declared in the same way.
    """
    from . import declarations, foresight

    _check_words(fight, said)
    words = " ".join(said.words)
    declarations.announce(fight, said.who, said.verb, words, said.engage, said.arrive, said.difficulty, said.to)
    foresight.warn(fight, said.who)


def _check_words(fight: Resolution, said: Declare) -> None:
    """Stops words that the verb does not take."""
    plain = Declare(said.who, said.verb)
    for option, verb in _OPTIONS.items():
        if said.verb != verb and getattr(said, option) != getattr(plain, option):
            hint = [fight.otherwise(**{option: getattr(plain, option)}), "Leave it out."]
            fight.impossible(f"--{option} belongs to {verb}, not to {said.verb[:40]}.", hint)
    if said.words and said.verb in ("disengage", "pass", "defend"):
        fight.impossible(f"Nothing follows {said.verb}.", [fight.otherwise(words=[]), "Leave out the rest."])
