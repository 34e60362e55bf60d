"""Movement: to an adjacent area, arriving when a phase opens."""

from commands.action.resolution import STATUS, Remedies, Resolution
from ledger.events import Awaited
from projections.pending import Waiting

from . import actions, assignment, places


def announce(fight: Resolution, who: str, word: str, arrive: str, engage: str) -> None:
    """Refuses a move that cannot be made, or declares it: paraverse.move.timing."""
    actions.check_time(fight, who)
    if arrive not in actions.PHASES[1:]:
        fight.impossible(f"Nobody arrives in {arrive[:40]!r}.", f"Phases: {', '.join(actions.PHASES[1:])}.")
    if engage:
        actions.check_target(fight, who, engage)
        actions.check_sides(fight, who, engage)
        if not fight.option("move_and_melee"):
            message = f"{who} moves, and cannot fight as well."
            fight.refuse("paraverse.action.one", message, [fight.otherwise(engage="")])
        if arrive not in ("ranged", "melee"):
            message = f"Anyone who arrives in the {arrive} phase is too late for the melee."
            fight.impossible(message, [[fight.otherwise(arrive="melee"), fight.otherwise(engage="")]])
    places.check_leaving(fight, who)
    there = places.neighbour(fight, who, word)
    _check_walk(fight, who, places.of(fight.state, who), there)
    target = {"target": engage} if engage else {}
    late = fight.state.turns.phase not in actions.PHASES[: actions.PHASES.index(arrive)]
    if late and engage and fight.state.turns.phase != "ranged":
        message = f"{who} was not in {there} when the {fight.state.turns.phase} phase opened."
        fight.refuse("paraverse.assign.same-area", message)
        assignment.check_late(fight, who, engage)
    actions.announce(fight, who, "move", {"area": there, **target}, arrive)
    waiting = fight.state.pending.of(actions.KIND, who)
    if late and waiting:
        _arrive(fight, waiting)  # the game master lets it arrive after its phase has opened: now


def _check_walk(fight: Resolution, who: str, here: str, there: str) -> None:
    """Refuses a link that nobody can simply walk."""
    places.check_way(fight, here, there)
    link = fight.state.areas.link(here, there)
    if link and (demanded := link.demanded(here)):
        ways: Remedies = [("check", {"who": who, "skill": demanded, "to": there}), STATUS]
        fight.refuse(
            "paraverse.move.check-link", f"The way {places.way(here, there)} takes a check of {demanded}.", ways
        )


def arrive_all(fight: Resolution, phase: str) -> None:
    """Movers due in a phase stand in their new area when it opens; until then they count in the old one."""
    for waiting in fight.state.pending.waiting:
        if (waiting.kind, waiting.verb, waiting.until) == (actions.KIND, "move", phase):
            _arrive(fight, waiting)


def _arrive(fight: Resolution, waiting: Waiting) -> None:
    who = waiting.who
    if who in fight.state.harm.down:
        actions.lose(fight, "paraverse.move.fallen-mover", waiting, f"{who} fell before it arrived")
        return
    if places.opponents(fight.state, who) and not actions.allowed(waiting, "paraverse.engaged.no-leaving"):
        actions.lose(fight, "paraverse.move.caught", waiting, f"{who} is caught in a fight")
        return
    fighting = ("paraverse.move.engage",) if "target" in waiting.said else ()
    fight.rule("paraverse.move.arrival", "", who=who, also=fighting)
    places.go(fight, who, waiting.said["area"])
    actions.settle(fight, who)
    if "target" in waiting.said:
        said = {key: value for key, value in waiting.said.items() if key != "area"}
        now = fight.state.turns.phase
        until = now if now in actions.PHASES[actions.PHASES.index("melee") :] else "melee"
        fight.record(Awaited(actions.ENGAGE, who, "attack", said, until=until))
