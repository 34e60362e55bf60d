"""Actions: one in a round, declared in planning and resolved in the phase of its kind."""

from typing import Any

from commands.action.encounters import require_encounter
from commands.action.resolution import STATUS, Remedies, Remedy, Resolution, adjusted
from ledger.events import Awaited, ConditionGained, Overruled, SkirmishEnded, WaitingEnded
from projections.pending import Waiting
from projections.state import State

DECLARED = ("attack", "shoot", "move", "check", "misc", "cast", "pray", "disengage", "pass")
"""What can be declared in planning."""
PHASES = ("planning", "ranged", "melee", "magic", "misc", "end")
"""The phases of a round: paraverse.phase.order."""

KIND = "declared"
"""Under which kind a declared action waits."""
ENGAGE = "fight"
"""Under which kind the fight of a mover waits, who picks an opponent where it arrives."""

PHASE_OF = {
    "shoot": "ranged",  # paraverse.phase.ranged
    "attack": "melee",  # paraverse.phase.melee
    "disengage": "melee",
    "cast": "magic",  # paraverse.phase.magic
    "pray": "magic",
    "check": "misc",  # paraverse.phase.misc
    "misc": "misc",
}
"""In which phase each kind of action is resolved."""
_DONE = {
    "shoot": "Shots are fired",
    "attack": "Blows are struck",
    "disengage": "People disengage",
    "cast": "Spells are cast",
    "pray": "Prayers are said",
    "check": "Checks are made",
    "misc": "Other deeds are done",
}
"""How each is said."""

BUSY = ("check", "misc")
"""Miscellaneous actions: anyone who is at one is at a disadvantage when attacked."""

MAGIC = ("cast", "pray")
"""Spells and prayers, whose outcome the game master says."""

ATTACKED = "attacked"
"""The condition of somebody who was attacked while it is at a miscellaneous action."""

SILENCED = "silenced"
"""The condition of somebody who cannot speak: paraverse.magic.speech."""

WITHDRAWN = "withdrawn"
LATER = "later"
"""Stands in place of a clause where the game master's reason overruled nothing as the action was declared."""


def declared(state: State, who: str) -> Waiting | None:
    """The action that somebody declared for this round, whether it is resolved or still waits."""
    outcome = state.pending.outcome(KIND, who)
    return state.pending.of(KIND, who) or (outcome.what if outcome and outcome.how != WITHDRAWN else None)


def verb(state: State, who: str) -> str:
    """What somebody declared for this round; who declared nothing passes."""
    action = declared(state, who)
    return action.verb if action else "pass"


def undeclared(state: State) -> list[str]:
    """Those who could act and have declared nothing yet, in roster order."""
    return [who for who in state.roster.order if state.stands(who) and declared(state, who) is None]


def is_busy(fight: Resolution, who: str) -> bool:
    """Whether somebody is at a miscellaneous action in this round."""
    return verb(fight.state, who) in BUSY


def was_attacked(state: State, who: str) -> bool:
    """Whether somebody was attacked in this round, while it was at a miscellaneous action."""
    held = state.conditions.get(who, ATTACKED)
    return held is not None and held.round == state.turns.round


def mark_attacked(fight: Resolution, who: str) -> None:
    """Remembers, for somebody at a miscellaneous action or still to declare, that it was attacked, hit or not."""
    if (is_busy(fight, who) or fight.state.turns.phase == "planning") and not was_attacked(fight.state, who):
        fight.record(ConditionGained(who, ATTACKED, "round-end", round=fight.state.turns.round))


# Declaring


def check_time(fight: Resolution, who: str) -> None:
    """Refuses a declaration after planning, a second action, and a declaration of somebody who cannot act."""
    require_encounter(fight)
    phase = fight.state.turns.phase
    if not phase:
        opening: Remedies = [("round", {})]
        fight.impossible("Actions are declared in planning; no round is open.", opening, on=opening)
    if phase != "planning":
        message = f"Actions are declared in planning; this is the {phase} phase."
        fight.hold("paraverse.planning.closed", message, onward(fight), [("round", {})] if phase == "end" else [])
        outcome = fight.state.pending.outcome(KIND, who)
        if outcome and outcome.how != WITHDRAWN:
            had = "has lost their action for" if outcome.how == "lost" else "has already acted"
            fight.refuse(_had_by(outcome.what.verb), f"{who} {had} this round.", onward(fight))
    check_able(fight, fight.state, who)


def _had_by(action: str) -> str:
    """By which clause an action was the one of the round."""
    return "paraverse.action.magic" if action in MAGIC else "paraverse.action.one"


def check_able(fight: Resolution, state: State, who: str) -> None:
    """Refuses what the incapacitated and the dead cannot do: anything. Nobody's word lets a corpse act."""
    if down := state.harm.how(who):
        hint = [adjusted(who, "down", "no")]
        fight.refuse("paraverse.incapacitated.cannot-act", f"{who} is {down} and cannot act.", hint)
        check_alive(fight, state, who)


def check_alive(fight: Resolution, state: State, who: str) -> None:
    """Stops what has no meaning for the dead, whatever is allowed."""
    if state.harm.how(who) == "dead":
        fight.impossible(f"{who} is dead.", [adjusted(who, "down", "no")])


def check_target(fight: Resolution, who: str, target: str) -> None:
    """Refuses an attack on oneself, and on the helpless."""
    if not target:
        members = fight.state.roster.members
        others = [fight.otherwise(target=one) for one, other in members.items() if other.side != members[who].side]
        fight.impossible(f"Whom does {who} attack?", [others, "Name the target."])
    if target == who:
        fight.refuse("paraverse.action.attack-another", f"{who} cannot attack themselves.", "Name another one.")
        fight.impossible(f"{who} cannot attack themselves.", "What somebody does to themselves is an effect.")
    _check_standing(fight, who, target)


def check_sides(fight: Resolution, who: str, target: str) -> None:
    """Refuses to fight one's own side hand to hand."""
    members = fight.state.roster.members
    if members[who].side == members[target].side:
        hint = "Say why they fight each other: --allow 'they have quarrelled'."
        fight.refuse("paraverse.action.attack-another", f"{who} and {target} are on one side.", hint)


def _check_standing(fight: Resolution, who: str, target: str) -> None:
    """Refuses to attack somebody who is down already: the game master decides what happens to the helpless."""
    if down := fight.state.harm.how(target):
        message = f"{target} is {down}; the game master decides what happens to the helpless."
        fight.refuse("paraverse.incapacitated.target", message, at_mercy(target, down))
        check_alive(fight, fight.state, target)


def at_mercy(target: str, how: str) -> Remedies:
    """How the game master tells what happens to somebody who is down."""
    if how == "dead":
        return [("note", {"text": f"what is done to the body of {target}"})]
    return [f"effect says what happens to {target}."]


def can_be_struck(fight: Resolution, waiting: Waiting, target: str) -> bool:
    """Whether the target of a declared attack stands, or is helpless and the game master has let the attack through."""
    down = fight.opening.harm.how(target)
    return not down or (down != "dead" and allowed(waiting, "paraverse.incapacitated.target"))


def announce(fight: Resolution, who: str, action: str, said: dict[str, Any], until: str) -> None:
    """Records the one action of the round, in place of an earlier declaration. It waits until its phase.

    What the game master has let through is remembered with it, by its clauses, and nothing else is let through later; a
    reason that has overruled nothing yet is meant for what stands against it when it is resolved. If its phase is over,
    it is carried out in the phase that is open.
    """
    now, earlier = fight.state.turns.phase, fight.state.pending.of(KIND, who)
    if until and PHASES.index(now) > PHASES.index(until):
        if action in PHASE_OF:
            fight.refuse(f"paraverse.phase.{until}", f"{_DONE[action]} in the {until} phase, which is over.")
        until = now
    if earlier and earlier.verb != "pass" and (earlier.verb, earlier.said) != (action, said):
        fight.rule("paraverse.planning.declare", f"{who} takes back: {told(earlier)}", who=who)
    overruled = [event.clause for event in fight.events if isinstance(event, Overruled)]
    allowed = {"allowed": overruled or [LATER]} if fight.allow else {}
    fight.record(Awaited(KIND, who, action, {**said, **allowed}, until=until))


TOLD = {"misc": "text", "cast": "spell", "pray": "prayer"}
"""Actions that are told in a word or a text, and what it is called."""
_ASKED = {"misc": "What does {} do?", "cast": "Which spell does {} cast?", "pray": "Which prayer does {} say?"}
_EXAMPLE = {"misc": "bars the door", "cast": "spark", "pray": "blessing"}


def announce_told(fight: Resolution, who: str, action: str, what: str) -> None:
    """Declares a deed, a spell or a prayer."""
    check_time(fight, who)
    if action in MAGIC and is_silenced(fight, who):
        fight.refuse("paraverse.magic.speech", f"{who} is silenced.", [("pass", {"who": who}), STATUS])
    if not what:
        fight.impossible(_ASKED[action].format(who), [(action, {"who": who, TOLD[action]: _EXAMPLE[action]})])
    announce(fight, who, action, {TOLD[action]: what}, PHASE_OF[action])


def is_silenced(fight: Resolution, who: str) -> bool:
    """Whether somebody can say neither spell nor prayer, as the phase opened."""
    return SILENCED in fight.opening.conditions.of.get(who, {})


def lose_speech(fight: Resolution, waiting: Waiting) -> None:
    """paraverse.magic.speech: a spell or a prayer of somebody who is silenced by now is lost."""
    silenced = f"{waiting.who} is silenced"
    if not let_through(fight, waiting, "paraverse.magic.speech", f"{silenced}."):
        lose(fight, "paraverse.magic.speech", waiting, silenced)


def announce_pass(fight: Resolution, who: str) -> None:
    """Declares that somebody takes no action. In any phase of those whose declaration has fallen."""
    require_encounter(fight)
    if not fight.state.turns.phase or declared(fight.state, who):
        check_time(fight, who)
    check_able(fight, fight.opening, who)
    announce(fight, who, "pass", {}, "")


def told(action: Waiting) -> str:
    """A declared action in words: what somebody will do."""
    said = {key: said for key, said in action.said.items() if said}
    return Awaited("", action.who, action.verb, said).sentence()[2].removeprefix("will ").removeprefix("misc ")


def let_through(fight: Resolution, waiting: Waiting, clause: str, message: str) -> bool:
    """Whether the game master has overruled a clause when the action was declared, or has given a reason then that
    overruled nothing: it is meant for what stands against the action now.
    """
    if allowed(waiting, LATER):
        fight.record(Overruled(clause, message, "allowed when it was declared"))
        return True
    return allowed(waiting, clause)


def allowed(waiting: Waiting, clause: str) -> bool:
    """Whether the game master has overruled a clause when the action was declared."""
    return clause in waiting.said.get("allowed", ())


# Resolving


def onward(fight: Resolution) -> Remedies:
    """What to type for the fight to go on: the first of these that works."""
    magic: list[Remedy] = [(one.verb, {"who": one.who}) for one in due_now(fight.before) if one.verb in MAGIC]
    opening: list[Remedy] = [("phase", {}), ("phase", {"pass_rest": True}), ("round", {}), ("begin", {})]
    return [*magic, ("resolve", {}), *picks(fight), *opening, STATUS]


def effects_asked(fight: Resolution) -> str:
    """What is said where a spell or prayer is to be resolved: without an effect it is given up."""
    asked = any(one.verb in MAGIC for one in due_now(fight.state))
    return " Say what comes of it: --target, and --damage, --heal, --gives or --name." * asked


def picks(fight: Resolution) -> list[Remedy]:
    """The picks that may have to be made before `resolve`: those declared, then any other of an opponent."""
    members = fight.before.roster.members
    fighting = [one for one in due_now(fight.before) if one.verb in ("attack", "disengage")]
    declared = [(one.who, one.said["target"]) for one in fighting if one.said.get("target")]
    others = [(one.who, other) for one in fighting for other in members if members[other].side != members[one.who].side]
    return [("skirmish", {"who": who, "target": target}) for who, target in (*declared, *others)]


def due_now(state: State) -> list[Waiting]:
    """The declared actions that are to be resolved in the phase that is open, and the fights of those who moved."""
    return [one for one in state.pending.waiting if one.kind in (KIND, ENGAGE) and one.until == state.turns.phase]


def is_resolved(fight: Resolution, who: str, action: str, **words: str) -> bool:
    """Whether a verb resolves what was declared, rather than declaring it.

    It does after planning, when it repeats nothing of the declaration or the same words. What was resolved already and
    is said again with the game master's leave is a second action.
    """
    if fight.state.turns.phase in ("", "planning"):
        return False
    said = {name: word.casefold() for name, word in words.items() if word}
    waiting = fight.state.pending.of(KIND, who) if fight.allow else declared(fight.state, who)
    if not waiting or waiting.verb != action:
        return not said
    return all(waiting.said.get(name, "").casefold() == word for name, word in said.items())


def due(fight: Resolution, who: str, *verbs: str) -> Waiting:
    """The declared action that is to be resolved now: in its phase, once, and only if it was declared."""
    waiting = fight.state.pending.of(KIND, who)
    phase = waiting.until if waiting and waiting.verb in verbs else PHASE_OF[verbs[0]]
    if fight.state.turns.phase != phase:
        message = f"{_DONE[verbs[0]]} in the {phase} phase; this is the {fight.state.turns.phase} phase."
        fight.refuse(f"paraverse.phase.{phase}", message, ways_to(fight, phase))
    check_able(fight, fight.opening, who)
    if waiting and waiting.verb in verbs:
        return waiting
    return refuse_undeclared(fight, who, f"{' or '.join(verbs)}", done=verb(fight.state, who) in verbs)


def ways_to(fight: Resolution, phase: str) -> Remedies:
    """What to type to get to a phase; phases do not come back in a round."""
    return [("phase", {"name": phase}), *onward(fight)]


def wait_for_melee(fight: Resolution, what: str) -> None:
    """paraverse.phase.melee: stops what belongs there. Raises UsageError where the game master allows it."""
    phase = fight.state.turns.phase
    ways = ways_to(fight, "melee")
    first: Remedies = [("round", {})] if phase == "end" else [("phase", {"name": "melee"})]
    on = first if phase == "end" or phase in PHASES[: PHASES.index("melee")] else []
    fight.hold("paraverse.phase.melee", f"This is the {phase} phase.", ways, on)
    fight.impossible(what, ways)


def refuse_undeclared(fight: Resolution, who: str, action: str, done: bool) -> Waiting:
    """Refuses to resolve an action twice, or one that was not declared."""
    if done:
        fight.refuse(_had_by(verb(fight.state, who)), f"{who} has already acted this round.", onward(fight))
    else:
        outcome = fight.state.pending.outcome(KIND, who)
        own = f"{who} declared {verb(fight.state, who)}, not {action}."
        if outcome and outcome.how == WITHDRAWN:
            own = f"{who} declared {told(outcome.what)}, which is withdrawn."
        fight.refuse("paraverse.planning.closed", own, onward(fight))
    fight.impossible(f"{who} has nothing to resolve here.", onward(fight))


def settle(fight: Resolution, who: str, how: str = "done", kind: str = KIND, why: str = "") -> None:
    """Records that what waited is done, or what became of it."""
    waiting = fight.state.pending.of(kind, who)
    verb = waiting.verb if waiting and how != "done" else ""
    fight.record(WaitingEnded(kind, who, how, "action" if verb == "misc" else verb, why))


def break_off(fight: Resolution) -> None:
    """Skirmishes that the game master lets nobody fight any more are over."""
    for nth, skirmish in enumerate(fight.state.skirmishes.of, 1):
        if not skirmish.done:
            fight.rule("paraverse.phase.order", f"skirmish {nth} ({', '.join(skirmish.members)}) is not fought")
            fight.record(SkirmishEnded(nth))


def clear(fight: Resolution, why: str) -> None:
    """The round or the encounter is over: who passed has done so, and what still waits is lost."""
    break_off(fight)
    for waiting in fight.state.pending.waiting:
        if waiting.verb == "pass":
            settle(fight, waiting.who, kind=waiting.kind)
        else:
            settle(fight, waiting.who, "lost", waiting.kind, why)


def lose(fight: Resolution, clause: str, waiting: Waiting, why: str) -> None:
    """Records that an action is lost, by which clause and why."""
    fight.rule(clause, why, who=waiting.who, aside=True)
    settle(fight, waiting.who, "lost", waiting.kind, why)
