"""Threat: how far everybody reaches, who is hostile to whom, who is threatened, who is in reach."""

from commands.action.grid import COMPASS, Square, gap, step
from commands.action.resolution import Remedies, Resolution
from commands.action.view import View
from ledger.events import ConditionEnded, ConditionGained, Number, counted, number

from . import gear, points
from .bodies import SIZES, body, distance, fits, tiles, tiles_at
from .tables import THREATENED

_HOSTILE = "Say that the target counts as hostile: --hostile."


def threat_range(view: View, who: str) -> Number:
    """The size's, what equipped weapons add, and effects."""
    size, clause = view.sheet(who).size, "dungeoneers.threat.range"
    reach = number("threat range", SIZES[size].threat, size, clause)
    for weapon in gear.weapons(view, who):
        reach = reach.plus(weapon.threat, weapon.name, "dungeoneers.weapon.threat-plus")
    return gear.plus_effects(view, who, reach, clause)


def threatening(view: View, who: str) -> tuple[str, ...]:
    """Everybody by whom a creature is threatened, as they all stand now.

    Each hostile living creature in whose threat range it is; it need not be mutual.
    """
    mine = tiles(view, who)
    foes = {one: tiles(view, one) for one in view.state.roster.order if mine and view.hostile(who, one)}
    return tuple(one for one, theirs in foes.items() if theirs and gap(mine, theirs) <= threat_range(view, one).total)


def recalculate(fight: Resolution) -> None:
    """dungeoneers.threat.recalculate: works out everybody's `threatened` anew, and says so when anything changes."""
    if not fight.state.encounter.running:
        return
    now = {who: threatening(fight, who) for who in fight.state.roster.order}
    changed = {who: by for who, by in now.items() if by != threatened_by(fight, who)}
    if changed:
        also = ["dungeoneers.threat.threatened"] if any(changed.values()) else []
        if any(by and _had_disengaged(fight, who) for who, by in changed.items()):
            also.append("dungeoneers.disengage.threatened-again")
        fight.rule("dungeoneers.threat.recalculate", "", also=also)
    for who, by in changed.items():
        become(fight, who, by)


def _had_disengaged(fight: Resolution, who: str) -> bool:
    """Whether a creature stood, before this action, where it is threatened, and was not."""
    before = View(fight.before)
    inside = who in before.state.roster.members and before.state.encounter.running
    return inside and not threatened_by(before, who) and bool(threatening(before, who))


def become(fight: Resolution, who: str, by: tuple[str, ...]) -> None:
    """Records by whom a creature is threatened from now on, if that is anything new."""
    if by == threatened_by(fight, who):
        return
    fight.record(ConditionGained(who, THREATENED, "move", whom=by) if by else ConditionEnded(who, THREATENED))


def threatened_by(view: View, who: str) -> tuple[str, ...]:
    """By whom a creature is threatened, according to its condition."""
    return view.state.conditions.whom(who, THREATENED)


# A target


def check_target(fight: Resolution, who: str, target: str, counts_as_hostile: bool) -> None:
    """Refuses the dead, and by dungeoneers.threat.hostility those who are not hostile."""
    if who == target:
        fight.impossible(f"{who} cannot do that to themselves.")
    check_living(fight, target)
    if not counts_as_hostile and not fight.hostile(who, target):
        hint = [fight.otherwise(hostile=True), _HOSTILE]
        fight.refuse("dungeoneers.threat.hostility", f"{target} is not hostile to {who}.", hint)


def check_living(fight: Resolution, target: str) -> None:
    """dungeoneers.death.no-target: the dead; anyone who is unconscious by the game master's word can be struck."""
    if not points.alive(fight, target):
        fight.refuse("dungeoneers.death.no-target", f"{target} is dead.")


def within_reach(fight: Resolution, who: str, target: str, clause: str, hint: Remedies = ()) -> None:
    """Refuses a target beyond the threat range."""
    far, reach = distance(fight, who, target).total, threat_range(fight, who).total
    if far > reach:
        message = f"{target} is {counted(far, 'tile')} away; {who} reaches {reach}."
        fight.refuse(clause, message, hint or approach(fight, who, target, reach))


def _nearness(mine: tuple[Square, ...], theirs: tuple[Square, ...]) -> tuple[int, int]:
    """How far apart two bodies are; of equal distances the straight way comes first."""
    return gap(mine, theirs), min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in mine for b in theirs)


def approach(fight: Resolution, who: str, target: str, reach: int) -> Remedies:
    """The way on to one who is too far away: tile by tile towards it, as far as the movement points go. To sprint takes
    an action point, so that another one must be left.
    """
    here, there, path = fight.state.positions.at[who], body(fight, target), []
    for _ in range(min(fight.state.points.left(who, "movement"), 20)):
        far = gap(tiles_at(fight, who, here), there)
        free = [one for one in COMPASS if far > reach and fits(fight, {who: step(here, one)})]
        best = min(free, key=lambda one: _nearness(tiles_at(fight, who, step(here, one)), there), default="")
        if not best or gap(tiles_at(fight, who, step(here, best)), there) >= far:
            break
        path.append(best)
        here = step(here, best)
    if path:
        return [("move", {"who": who, "directions": path})]
    if fight.verb == "trigger" or fight.before.points.left(who, "action") > 1:
        return points.no_further(fight, who)
    return [f"{who} comes no nearer in this turn: sprinting takes the action point as well."]
